//! Encodings (`tensor<4x8xf32, #iree_encoding.encoding<…>>`) say how a tensor may be laid out in memory, and nothing of
//! what it is. Here every tensor is laid out row by row: they are forgotten.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Type, TypeId, ValueId};

use super::loops::with_type;

/// Takes encodings from the types of a function, and the operations that set and unset them out.
pub(super) fn forget(ir: &mut Ir, func: OpId) {
    let all = [&[func], &ir.walk(func)[..]].concat();
    for &op in &all {
        let blocks: Vec<_> = ir.regions(op).iter().flat_map(|&region| ir.blocks(region).to_vec()).collect();
        let args = blocks.into_iter().flat_map(|block| ir.args(block).to_vec());
        let values: Vec<ValueId> = ir.results(op).chain(args).collect();
        for value in values {
            let ty = ir.type_of(value);
            if let Some(plain) = plain(ir, ty) {
                ir.set_type(value, plain);
            }
        }
    }
    for op in all {
        if matches!(ir.opcode(op), Opcode::IreeEncodingSetEncoding | Opcode::IreeEncodingUnsetEncoding) {
            let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
            let value = with_type(&mut Builder::before(ir, op), source, result);
            ir.replace_uses(result, value);
            ir.erase(op);
        }
    }
    let (inputs, results) = ir.signature(func);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    let mut without =
        |types: &[TypeId]| -> Vec<TypeId> { types.iter().map(|&ty| plain(ir, ty).unwrap_or(ty)).collect() };
    let (new_inputs, new_results) = (without(&inputs), without(&results));
    if (&new_inputs, &new_results) != (&inputs, &results) {
        ir.set_signature(func, &new_inputs, &new_results);
    }
}

/// The type without its encoding, if it has one.
fn plain(ir: &mut Ir, ty: TypeId) -> Option<TypeId> {
    let Type::Tensor { shape, elem, encoding: Some(encoding) } = ir[ty].clone() else { return None };
    let is_ours = matches!(&ir[encoding], Attr::Dialect { name, .. } if ir[*name].starts_with("iree_encoding."));
    is_ours.then(|| ir.tensor_type(&shape, elem))
}
