//! Edges: vectors that come into a function, leave it, or are passed to another one.
//!
//! A function's signature has one thread's parts: what was a vector of the whole workgroup becomes its batches, outers
//! and elements, and every thread of the workgroup makes the call. Where the program around stays one of whole
//! workgroups, casts stand at the edges instead: `to_simt` where a vector comes in, `to_simd` where it leaves.

use raddle_ir::{BlockId, Builder, Class, Diag, Ir, OpId, Opcode, TypeId, ValueId};

use super::{Cx, flow, refuse};

/// What vectors are at the edges of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    /// One thread's parts.
    Parts,
    /// Vectors of the whole workgroup, with casts to and from parts.
    Casts,
}

/// The types of the function's arguments.
pub fn arguments(builder: &mut Builder<'_>, func: OpId, args: &[ValueId], edges: Edges) -> Result<Vec<TypeId>, Diag> {
    match edges {
        Edges::Parts => flow::part_types(builder, func, args),
        Edges::Casts => Ok(args.iter().map(|&arg| builder.ir.type_of(arg)).collect()),
    }
}

/// One thread's part of an old value that came in as `new`.
pub fn enter(builder: &mut Builder<'_>, op: OpId, old: ValueId, new: ValueId, edges: Edges) -> Result<ValueId, Diag> {
    if edges == Edges::Parts || !builder.ir.ty(old).is_vector() || builder.ir.is_unused(old) {
        return Ok(new);
    }
    let ty = flow::part_types(builder, op, &[old])?[0];
    Ok(builder.value(Opcode::IreeVectorExtToSimt, &[new], ty, &[]))
}

/// Casts what an operation uses of the vectors that came in, where it stands: what is not used is not cast, and what is
/// used in a loop is cast there.
pub fn enter_uses(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if cx.edges == Edges::Parts {
        return Ok(());
    }
    let mut used = builder.ir.operands(op).to_vec();
    if builder.ir.opcode(op) == Opcode::VectorScan {
        // The initial value comes last.
        used.truncate(1);
    }
    // Regions pass values on behind all that stands in them; a mask's operation stands in its region.
    for inner in builder.ir.walk(op) {
        if builder.ir.class(inner) == Class::Yield || builder.ir.opcode(op) == Opcode::VectorMask {
            used.extend(builder.ir.operands(inner));
        }
    }
    used.into_iter().try_for_each(|value| enter_use(builder, cx, op, value))
}

/// Casts a vector that came in.
pub fn enter_use(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, value: ValueId) -> Result<(), Diag> {
    if let Some(new) = cx.whole.find(value) {
        let part = enter(builder, op, value, new, cx.edges)?;
        cx.map.set(value, part);
    }
    Ok(())
}

/// Gives the function the types of what comes in and leaves.
pub fn sign(ir: &mut Ir, func: OpId, inputs: &[TypeId], blocks: &[BlockId]) {
    let mut ends = blocks.iter().filter_map(|&block| ir.terminator(block));
    let end = ends.rfind(|&end| ir.opcode(end) == Opcode::FuncReturn);
    let results: Option<Vec<TypeId>> = end.map(|end| ir.operands(end).iter().map(|&value| ir.type_of(value)).collect());
    let results = results.unwrap_or_else(|| ir.signature(func).1.to_vec());
    if (inputs, &results[..]) != ir.signature(func) {
        ir.set_signature(func, inputs, &results);
    }
}

/// What leaves in place of an old value.
fn exit(builder: &mut Builder<'_>, cx: &Cx<'_>, old: ValueId) -> ValueId {
    let part = cx.part(old);
    if cx.edges == Edges::Parts || !builder.ir.ty(old).is_vector() {
        return part;
    }
    let ty = builder.ir.type_of(old);
    builder.value(Opcode::IreeVectorExtToSimd, &[part], ty, &[])
}

/// What ends a region; `func.return` passes over the edge.
pub fn leave(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    if builder.ir.opcode(op) != Opcode::FuncReturn {
        builder.copy(op, &mut cx.map);
        return;
    }
    let mut operands: Vec<ValueId> =
        builder.ir.operands(op).to_vec().into_iter().rev().map(|value| exit(builder, cx, value)).collect();
    operands.reverse();
    let copy = builder.copy(op, &mut cx.map);
    builder.ir.set_operands(copy, &operands);
}

/// `func.call`
pub fn call(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let operands: Vec<ValueId> =
        builder.ir.operands(op).to_vec().into_iter().map(|value| exit(builder, cx, value)).collect();
    let types = arguments(builder, op, &old, cx.edges)?;
    // What the callee does in memory is not known here.
    if !cx.pending.is_empty() || cx.buffers.are_read() {
        cx.barrier(builder);
    }
    let attrs = builder.ir.attr_dict(op);
    let new = builder.ir.create_with(builder.ir.opcode(op), &operands, &types, attrs, builder.span);
    builder.place(new);
    builder.ir.remove_attr(new, "layouts");
    for (old, new) in old.into_iter().zip(builder.ir.results(new).collect::<Vec<_>>()) {
        let part = enter(builder, op, old, new, cx.edges)?;
        cx.map.set(old, part);
    }
    cx.barrier(builder);
    Ok(())
}

/// `to_simd` and `to_simt` of the program itself: the part of a whole vector under its own name.
pub fn cast(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let whole = if builder.ir.opcode(op) == Opcode::IreeVectorExtToSimd { result } else { source };
    let ty = flow::part_types(builder, op, &[whole])?[0];
    let part = cx.part(source);
    let given = if whole == source { builder.ir.type_of(result) } else { builder.ir.type_of(part) };
    if given != ty {
        return Err(refuse(
            builder.ir,
            op,
            "the part of one thread has another shape in the layout of the whole vector",
        ));
    }
    cx.map.set(result, part);
    Ok(())
}
