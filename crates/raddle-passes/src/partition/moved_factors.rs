//! Moved factors: a product reads a factor where it lies, not as a transposition or a repetition of it.
//!
//! Before: `linalg.transpose ins(%w : tensor<11008x4096xf16>) …`, `linalg.generic` that repeats it along a batch, and
//!         `linalg.batch_matmul` of it
//! After:  one `linalg.generic` whose map of `%w` is `(b, m, n, k) -> (n, k)`
//!
//! This is how PyTorch multiplies by the weights of a layer. Tensor cores and packed panels take factors in either order,
//! and what goes to shared memory as it lies can be copied ahead. What is left of a batch of short matrices times the same
//! one has two loops of rows, of which the longer one becomes the last: instructions go along it. Of the factors, the second
//! is that along which the result lies in memory.
//!
//! Does not touch windows, products that the user has configured, or factors along loops that no other factor has.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, BlockId, Ir, Map, OpId, Opcode, ValueId};

use super::im2col::reads_by_index;
use crate::facts::Facts;
use crate::structured::generalize::make_generic;
use crate::structured::{body, windows};

/// Lets the products of some blocks read their factors in place.
pub(super) fn read_in_place(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let is_stated = ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some());
        if is_stated || !body::is_contraction(ir, op) {
            continue;
        }
        let Some(linalg) = Linalg::try_of(ir, op) else { continue };
        let inputs = &linalg.inputs;
        let mut new = (inputs.clone(), linalg.maps.clone());
        for i in 0..inputs.len() {
            while let Some((source, map)) = before(ir, new.0[i], &new.1[i]) {
                // What a factor is repeated along is a loop of the other one. Vectors of a CPU do better with matrices
                // that are alike in all else: their tiles keep rows of one matrix together.
                let is_repeated = |d: usize| has(&new.1[1 - i], d) && facts.chip.native.is_none();
                let is_left = |d: usize| has(&map, d) || !has(&new.1[i], d) || is_repeated(d);
                if !(0..map.dims as usize).all(is_left) {
                    break;
                }
                (new.0[i], new.1[i]) = (source, map);
            }
        }
        // Windows that are taken by index are taken by every tile of filters again: these are better wide.
        let by_index = inputs.iter().any(|&value| ir.def_op(value).is_some_and(|made| reads_by_index(ir, made)));
        let turned = facts.chip.native.is_none() && !by_index && is_turned(&new.1) && {
            let elems = inputs.iter().map(|&value| ir.elem_of(value)).collect::<Vec<_>>();
            elems.len() == 2 && elems[0] == elems[1]
        };
        if turned {
            new.0.swap(0, 1);
            new.1.swap(0, 1);
        }
        // A slice, as that of the weights of queries, keys and values in one tensor, has loops of its own alone.
        let is_window = |&value: &ValueId| {
            let made = ir.def_op(value).filter(|&made| ir.opcode(made) != Opcode::TensorExtractSlice);
            made.is_some_and(|made| windows::is_window(ir, made))
        };
        let swapped = facts.chip.native.is_none()
            && !new.0.iter().any(is_window)
            && longest_last(&mut new.1, &linalg.extents(ir), &linalg.reduction);
        if new.0 == *inputs && !swapped {
            continue;
        }
        let op = make_generic(ir, op).unwrap_or(op);
        for (i, &input) in new.0.iter().enumerate() {
            ir.set_operand(op, i, input);
        }
        if turned {
            swap_args(ir, op);
        }
        let maps = new.1.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
        let maps = ir.intern(Attr::Array(maps));
        ir.set_attr(op, "indexing_maps", maps);
    }
}

/// Whether the last loop of the result is one of the first factor alone: what a matrix instruction gives a thread lies side
/// by side along the second one.
fn is_turned(maps: &[Map]) -> bool {
    let dims = maps[2].as_dims().unwrap_or_default();
    let of_one = |d: usize, one: usize, other: usize| has(&maps[one], d) && !has(&maps[other], d);
    dims.last().is_some_and(|&last| of_one(last, 0, 1)) && dims.iter().any(|&d| of_one(d, 1, 0))
}

/// Exchanges the elements of the two factors in the body of a product.
pub(super) fn swap_args(ir: &mut Ir, op: OpId) {
    let args = [0, 1].map(|i| ir.args(ir.entry(op))[i]);
    let uses = args.map(|arg| ir.uses(arg).collect::<Vec<_>>());
    for (uses, other) in uses.into_iter().zip([args[1], args[0]]) {
        for (user, operand) in uses {
            ir.set_operand(user, operand, other);
        }
    }
}

/// Rows of a matrix instruction: a loop of fewer leaves some of them empty.
const ROWS: i64 = 16;

/// Of the loops that only one factor and the result have, the longest becomes the last one, along which instructions go:
/// a batch of short matrices times one of weights is a long matrix times it. Says whether loops were exchanged.
fn longest_last(maps: &mut [Map], extents: &[i64], reduction: &[bool]) -> bool {
    let mut swapped = false;
    for (own, other) in [(0, 1), (1, 0)] {
        let is_own = |d: &usize| !reduction[*d] && has(&maps[own], *d) && !has(&maps[other], *d) && has(&maps[2], *d);
        let rows: Vec<usize> = (0..extents.len()).filter(is_own).collect();
        let (Some(&last), Some(&longest)) = (rows.last(), rows.iter().max_by_key(|&&d| extents[d])) else { continue };
        if !maps.iter().all(|map| map.as_dims().is_some()) {
            continue;
        }
        // Loops that follow one another wherever they are will be one.
        let in_front = |d: usize| {
            let mut fronts = [own, 2].map(|operand| {
                let dims = maps[operand].as_dims().unwrap_or_default();
                let at = dims.iter().position(|&other| other == d)?;
                at.checked_sub(1).map(|at| dims[at]).filter(|front| rows.contains(front))
            });
            fronts[0].take().filter(|&front| fronts[1] == Some(front))
        };
        let run = std::iter::successors(Some(last), |&d| in_front(d)).fold(1i64, |n, d| n.saturating_mul(extents[d]));
        if !(0..ROWS).contains(&run) || extents[longest] <= run {
            continue;
        }
        for map in maps.iter_mut() {
            let exchanged = |d: usize| match d {
                _ if d == longest => last,
                _ if d == last => longest,
                _ => d,
            };
            let dims: Vec<usize> = map.as_dims().unwrap_or_default().into_iter().map(exchanged).collect();
            *map = Map::of_dims(extents.len(), &dims);
        }
        swapped = true;
    }
    swapped
}

/// Whether a map of plain loops names one.
fn has(map: &Map, d: usize) -> bool {
    map.as_dims().is_some_and(|dims| dims.contains(&d))
}

/// What a tensor is a transposition or a repetition of, and how a loop that reads it would read that.
pub(super) fn before(ir: &Ir, tensor: ValueId, map: &Map) -> Option<(ValueId, Map)> {
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
