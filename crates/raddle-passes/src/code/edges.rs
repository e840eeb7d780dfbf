//! Edges of blocks: what is passed over them, where values become several.

use raddle_ir::{BlockId, Builder, OpId, Opcode, TypeId, ValueId};
use rustc_hash::FxHashMap;

/// Whether an operation with regions only carries values in and out of them.
pub fn carries(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::ScfFor | Opcode::ScfWhile | Opcode::ScfIf | Opcode::ScfExecuteRegion | Opcode::ScfIndexSwitch
    )
}

/// The end of a block among new ones: it passes on the parts of what the old one passes on.
pub fn end(
    builder: &mut Builder<'_>,
    op: OpId,
    parts: impl Fn(ValueId) -> Vec<ValueId>,
    blocks: &FxHashMap<BlockId, BlockId>,
) {
    let operands: Vec<ValueId> = builder.ir.operands(op).iter().flat_map(|&value| parts(value)).collect();
    let (name, attrs) = (builder.ir.name(op).to_owned(), builder.ir.attr_dict(op));
    let new = builder.ir.create_named(&name, &operands, &[], attrs, builder.span);
    builder.place(new);
    let n_parts = |values: &[ValueId]| values.iter().map(|&value| parts(value).len()).sum();
    if builder.ir.attr_id(op, "operandSegmentSizes").is_some() {
        let sizes: Vec<usize> = builder.ir.segments(op).into_iter().map(n_parts).collect();
        let sizes = builder.ir.segment_sizes(&sizes);
        builder.ir.set_attr(new, "operandSegmentSizes", sizes);
    }
    if builder.ir.opcode(op) == Opcode::CfSwitch {
        let cases: Vec<usize> = builder.ir.jumps(op)[1..].iter().map(|jump| n_parts(jump.args)).collect();
        let cases = builder.ir.segment_sizes(&cases);
        builder.ir.set_attr(new, "case_operand_segments", cases);
    }
    let jumps: Vec<BlockId> = builder.ir.successors(op).iter().map(|block| blocks[block]).collect();
    if !jumps.is_empty() {
        builder.ir.set_successors(new, &jumps);
    }
}

/// `scf.if` with both of its sides, which give values of these types.
pub fn choose(
    builder: &mut Builder<'_>,
    condition: ValueId,
    types: &[TypeId],
    mut side: impl FnMut(&mut Builder<'_>, bool) -> Vec<ValueId>,
) -> OpId {
    let op = builder.op(Opcode::ScfIf, &[condition], types, &[]);
    for is_true in [true, false] {
        let region = builder.ir.add_region(op);
        let block = builder.ir.add_block(region, &[]);
        let mut inner = Builder::at_end(builder.ir, block, builder.span);
        let yielded = side(&mut inner, is_true);
        inner.op(Opcode::ScfYield, &yielded, &[], &[]);
    }
    op
}
