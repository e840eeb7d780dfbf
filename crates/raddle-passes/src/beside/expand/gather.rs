//! Gathers and scatters with one vector of positions along the last dimension: `vector.gather`, `vector.scatter`.

use raddle_ir::views::Indexed;
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, Type, ValueId};

use crate::clean::number::{self, Number};

/// Expands one operation, if it has that form.
pub(super) fn expand(ir: &mut Ir, op: OpId) {
    if !matches!(ir.opcode(op), Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter) {
        return;
    }
    let view = Indexed::of(ir, op);
    let Some(indices) = along_last(ir, &view) else { return };
    let vector = view.vector.unwrap_or_else(|| ir.result(op, 0));
    let top = top(ir, op);
    let mask = view.mask.unwrap_or_else(|| {
        let bit = ir.int_type(1);
        let shape = ir.shape_of(vector).to_vec();
        let ty = ir.vector_type(&shape, bit);
        number::constant(ir, top, Number::Int(-1), ty)
    });
    let results: Vec<_> = ir.results(op).map(|result| ir.type_of(result)).collect();
    let (opcode, last) = match view.padding {
        None => (Opcode::VectorScatter, vector),
        Some(padding) => {
            let passed = match number::of(ir, padding) {
                Some(number) => number::constant(ir, top, number, results[0]),
                None => Builder::before(ir, op).broadcast(padding, results[0]),
            };
            (Opcode::VectorGather, passed)
        }
    };
    let operands = [&[view.base], &view.offsets[..], &[indices, mask, last]].concat();
    let new = Builder::before(ir, op).op(opcode, &operands, &results, &[]);
    for (old, new) in ir.results(op).zip(ir.results(new)) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

/// The first operation of the function around `op`, where constants stand.
fn top(ir: &Ir, op: OpId) -> OpId {
    let mut func = op;
    while let Some(parent) = ir.parent_op(func)
        && !ir.opcode(func).is_isolated()
    {
        func = parent;
    }
    ir.body(func, 0).and_then(|entry| ir.first_op(entry)).unwrap_or(op)
}

/// The positions, if they have the vector's shape, move along the last dimension of the base, and nothing else moves.
fn along_last(ir: &Ir, view: &Indexed) -> Option<ValueId> {
    let [indices] = view.index_vecs[..] else { return None };
    let (base, others) = view.maps.split_first()?;
    let (last, outer) = base.results.split_last()?;
    let fits = *last == Expr::Sym(0)
        && outer.iter().all(|result| *result == Expr::Const(0))
        && others.iter().all(is_identity)
        && matches!(ir.ty(indices), Type::Vector { .. });
    fits.then_some(indices)
}

/// Whether a map names every dimension in order; its symbols are not used by positions and masks.
fn is_identity(map: &Map) -> bool {
    map.as_dims().is_some_and(|dims| dims.into_iter().eq(0..map.dims as usize))
}
