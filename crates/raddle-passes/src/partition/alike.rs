//! Kernels that are the same but for their names: the layers of a model have one kernel, which is called for each.

use raddle_ir::{BlockId, Ir, OpId, ValueId};
use rustc_hash::FxHashMap;

/// Whether two functions have equal signatures, attributes and bodies.
///
/// The order of operations and operands counts: kernels of equal layers are outlined in the same order.
pub(super) fn is_alike(ir: &Ir, a: OpId, b: OpId) -> bool {
    let own = |op: OpId| ir.attrs(op).iter().filter(|(name, _)| &ir[*name] != "sym_name");
    own(a).eq(own(b)) && has_alike_regions(ir, a, b, &mut FxHashMap::default())
}

fn has_alike_regions(ir: &Ir, a: OpId, b: OpId, values: &mut FxHashMap<ValueId, ValueId>) -> bool {
    let blocks = |op: OpId| ir.regions(op).iter().map(|&region| ir.blocks(region).to_vec()).collect::<Vec<_>>();
    let (of_a, of_b) = (blocks(a), blocks(b));
    of_a.iter().map(Vec::len).eq(of_b.iter().map(Vec::len))
        && of_a.into_iter().flatten().zip(of_b.into_iter().flatten()).all(|(a, b)| are_alike(ir, a, b, values))
}

fn are_alike(ir: &Ir, a: BlockId, b: BlockId, values: &mut FxHashMap<ValueId, ValueId>) -> bool {
    let types = |block: BlockId| ir.args(block).iter().map(|&arg| ir.type_of(arg));
    if !types(a).eq(types(b)) {
        return false;
    }
    values.extend(ir.args(a).iter().copied().zip(ir.args(b).iter().copied()));
    let (mut ops_a, mut ops_b) = (ir.block_ops(a), ir.block_ops(b));
    loop {
        match (ops_a.next(), ops_b.next()) {
            (Some(a), Some(b)) if equal(ir, a, b, values) => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

fn equal(ir: &Ir, a: OpId, b: OpId, values: &mut FxHashMap<ValueId, ValueId>) -> bool {
    let types = |op: OpId| ir.results(op).map(|result| ir.type_of(result));
    let operands = ir.operands(a).iter().map(|value| values.get(value)).eq(ir.operands(b).iter().map(Some));
    // Branches between blocks of one region, which no kernel on tensors has, are not compared.
    let branches = !ir.successors(a).is_empty() || !ir.successors(b).is_empty();
    if ir.opcode(a) != ir.opcode(b)
        || ir.attr_dict(a) != ir.attr_dict(b)
        || !operands
        || !types(a).eq(types(b))
        || branches
        || !has_alike_regions(ir, a, b, values)
    {
        return false;
    }
    values.extend(ir.results(a).zip(ir.results(b)));
    true
}
