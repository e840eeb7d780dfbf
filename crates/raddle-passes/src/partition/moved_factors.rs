//! Moved factors: a product reads a factor where it lies, not as a transposition or a repetition of it.
//!
//! Before: `linalg.transpose ins(%w : tensor<11008x4096xf16>) …`, `linalg.generic` that repeats it along a batch, and
//!         `linalg.batch_matmul` of it
//! After:  one `linalg.generic` whose map of `%w` is `(b, m, n, k) -> (n, k)`
//!
//! This is how PyTorch multiplies by the weights of a layer. Tensor cores and packed panels take factors in either order,
//! and what goes to shared memory as it lies can be copied ahead.
//!
//! Does not touch windows, products that the user has configured, or factors along loops that no other factor has.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, BlockId, Ir, Map, OpId, Opcode, ValueId};

use crate::structured::body;
use crate::structured::generalize::make_generic;

/// Lets the products of some blocks read their factors in place.
pub(super) fn read_in_place(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let is_stated = ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some());
        if is_stated || !body::is_contraction(ir, op) {
            continue;
        }
        let Some(Linalg { inputs, maps, .. }) = Linalg::try_of(ir, op) else { continue };
        let mut new = (inputs.clone(), maps);
        for i in 0..inputs.len() {
            while let Some((source, map)) = before(ir, new.0[i], &new.1[i]) {
                // What a factor is repeated along is a loop of the other one.
                let is_left = |d: usize| has(&map, d) || !has(&new.1[i], d) || has(&new.1[1 - i], d);
                if !(0..map.dims as usize).all(is_left) {
                    break;
                }
                (new.0[i], new.1[i]) = (source, map);
            }
        }
        if new.0 == inputs {
            continue;
        }
        let op = make_generic(ir, op).unwrap_or(op);
        for (i, &input) in new.0.iter().enumerate() {
            ir.set_operand(op, i, input);
        }
        let maps = new.1.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
        let maps = ir.intern(Attr::Array(maps));
        ir.set_attr(op, "indexing_maps", maps);
    }
}

/// Whether a map of plain loops names one.
fn has(map: &Map, d: usize) -> bool {
    map.as_dims().is_some_and(|dims| dims.contains(&d))
}

/// What a tensor is a transposition or a repetition of, and how a loop that reads it would read that.
fn before(ir: &Ir, tensor: ValueId, map: &Map) -> Option<(ValueId, Map)> {
    let made: OpId = ir.def_op(tensor)?;
    let linalg = Linalg::try_of(ir, made)?;
    let (&[source], &[_]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
    let (read, [from, to]) = (map.as_dims()?, &linalg.maps[..]) else { return None };
    let (from, to) = (from.as_dims()?, to.as_dims()?);
    let moves = (matches!(ir.opcode(made), Opcode::LinalgTranspose | Opcode::LinalgBroadcast)
        || body::copies_input(ir, made))
        && ir.type_of(tensor) == ir.type_of(linalg.outputs[0])
        && ir.elem_of(source) == ir.elem_of(tensor)
        && to.len() == linalg.reduction.len();
    // Each loop of what moves it is one dimension of the tensor.
    let loop_of = |d: &usize| Some(read[to.iter().position(|other| other == d)?]);
    let dims: Vec<usize> = from.iter().map(loop_of).collect::<Option<_>>()?;
    moves.then(|| (source, Map::of_dims(map.dims as usize, &dims)))
}
