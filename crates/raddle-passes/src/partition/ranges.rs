//! Ranges: tensors of whole numbers that are sums of loops are counted, and read nothing.
//!
//! Before: a `linalg.generic` that takes the elements of a range by numbers, an `iree_linalg_ext.scan` of zeros
//! After:  a `linalg.generic` that yields its `linalg.index`, a `linalg.fill`
//!
//! Programs from PyTorch look up the positions of words that follow each other, compare neighbours among them, and count
//! where they do not: for masks of texts that share a batch, of which there is one.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Builder, DYNAMIC, Ir, Map, OpId, Opcode, Type, ValueId};

use super::elements::{Reader, Whole};
use crate::structured::generalize::{at_loops, body_of, generic, loop_index};
use crate::structured::{fill, scans};

/// Counts what some blocks of a function read or sum up.
pub(super) fn count(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        for at in 0..ir.results(op).len() {
            let old = ir.result(op, at);
            if let Some(new) = counted(ir, op, old).and_then(|whole| written(ir, op, at, &whole)) {
                ir.replace_uses(old, new);
            }
        }
    }
}

/// What each element of a tensor is, which is read or summed up.
fn counted(ir: &Ir, op: OpId, tensor: ValueId) -> Option<Whole> {
    let elem = ir.ty(tensor).is_tensor().then(|| ir.elem_of(tensor))?;
    if !matches!(ir[elem], Type::Integer { .. } | Type::Index) || ir.is_unused(tensor) {
        return None;
    }
    match ir.opcode(op) {
        Opcode::TensorConcat | Opcode::IreeLinalgExtScan => {}
        _ => {
            let linalg = Linalg::try_of(ir, op)?;
            let mut inputs = linalg.inputs.iter();
            let reads = inputs.any(|&input| ir.ty(input).is_tensor())
                || ir.walk(op).iter().any(|&op| ir.opcode(op) == Opcode::TensorExtract);
            if !reads {
                return None;
            }
        }
    }
    let extents = ir.shape_of(tensor).to_vec();
    let loops: Vec<usize> = (0..extents.len()).collect();
    let mut reader = Reader::new(ir, extents);
    let root = reader.read(tensor, &loops)?;
    reader.whole(root)
}

/// A result of an operation, counted.
fn written(ir: &mut Ir, op: OpId, at: usize, whole: &Whole) -> Option<ValueId> {
    let old = ir.result(op, at);
    let (rank, elem, ty) = (ir.shape_of(old).len(), ir.elem_of(old), ir.type_of(old));
    let output = scans::loops_of(ir, op).map(|linalg| linalg.outputs[at]);
    let builder = &mut Builder::before(ir, op);
    let into = match builder.ir.shape_of(old).contains(&DYNAMIC) {
        true => output?,
        false => builder.value(Opcode::TensorEmpty, &[], ty, &[]),
    };
    if let Some(number) = whole.as_number() {
        let number = builder.int(number, elem);
        return Some(fill(builder, number, into));
    }
    let maps = vec![Map::identity(rank)];
    let linalg = Linalg { inputs: Vec::new(), outputs: vec![into], maps, reduction: vec![false; rank] };
    let new = generic(builder, &linalg, &[]);
    body_of(builder, new, &[elem], |body, _| {
        let loops: Vec<ValueId> = (0..rank).map(|d| loop_index(body, d)).collect();
        let place = at_loops(body, &whole.expr(), &loops);
        vec![if body.ir.type_of(place) == elem {
            place
        } else {
            body.value(Opcode::ArithIndexCast, &[place], elem, &[])
        }]
    });
    Some(builder.ir.result(new, 0))
}
