//! Reuse: shared buffers that are never needed at the same time share their bytes.
//!
//! Before: `%a = alloc : 128xf32`, `%b = alloc : 64xf32`, all uses of `%a`, all uses of `%b`
//! After:  `%m = alloc : 512xi8`, `%a = view %m[0]`, `%b = view %m[0]`, all uses of `%a`, barrier, all uses of `%b`
//!
//! The idea: a buffer is needed from the first operation of the function's block that uses it to the last one, wherever
//! the memref goes in between. Buffers whose times meet belong to one group and lie one behind the other; groups follow
//! one another in time and begin at the same byte, each behind a barrier.
//!
//! Functions of one block only. Where a memref goes out of sight (a call, an operation that nobody knows), all stays as
//! it is; so it does where there is only one group.

use std::collections::BTreeSet;

use raddle_ir::{Attr, BlockId, Builder, Code, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, Type, ValueId, keyword_attr};
use rustc_hash::{FxHashMap, FxHashSet};

use super::order::waits_for_groups;
use super::{is_shared, is_view};
use crate::facts::Facts;

/// Bytes that every buffer begins at a multiple of: the widest access of one thread.
const ALIGNMENT: i64 = 16;

/// A buffer and when it is needed.
struct Buffer {
    alloc: OpId,
    bytes: i64,
    alignment: i64,
    /// Positions in the block, of the first and the last operation that needs it.
    begin: usize,
    end: usize,
}

/// Buffers that lie one behind the other.
struct Group {
    buffers: Vec<Buffer>,
    begin: usize,
    end: usize,
}

/// Packs the shared buffers of a function.
pub fn reuse(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    if let &[block] = ir.blocks(ir.regions(func)[0])
        && let Some(groups) = groups(ir, block)
        && groups.len() > 1
    {
        pack(ir, block, &groups)?;
    }
    Ok(())
}

fn groups(ir: &Ir, block: BlockId) -> Option<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for buffer in buffers(ir, block)? {
        let meets = |group: &Group| group.begin <= buffer.end && buffer.begin <= group.end;
        let (met, mut rest): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(meets);
        let begin = met.iter().map(|group| group.begin).fold(buffer.begin, usize::min);
        let end = met.iter().map(|group| group.end).fold(buffer.end, usize::max);
        let buffers = met.into_iter().flat_map(|group| group.buffers).chain([buffer]).collect();
        rest.push(Group { buffers, begin, end });
        groups = rest;
    }
    Some(groups)
}

/// The shared buffers of static size that a block allocates and somebody uses; `None` where one goes out of sight.
fn buffers(ir: &Ir, block: BlockId) -> Option<Vec<Buffer>> {
    let ops = ir.ops_of(block);
    let place: FxHashMap<OpId, usize> = ops.iter().copied().zip(0..).collect();
    let last_wait = ops.iter().rposition(|&op| {
        let nested = ir.walk(op);
        nested.iter().chain([&op]).any(|&op| waits_for_groups(ir.opcode(op)))
    });
    let mut found = Vec::new();
    for &alloc in ops.iter().filter(|&&op| ir.opcode(op) == Opcode::MemrefAlloc) {
        let memref = ir.result(alloc, 0);
        let Type::MemRef { shape, elem, layout: None, .. } = ir.ty(memref) else { continue };
        if !is_shared(ir, memref) || shape.contains(&DYNAMIC) {
            continue;
        }
        let bits = i64::from(Scalar::of(&ir[*elem])?.bits());
        let bits = shape.iter().try_fold(bits, |n, &extent| n.checked_mul(extent))?;
        let alignment = ir.attr(alloc, "alignment").and_then(Attr::as_i64).unwrap_or(1).max(ALIGNMENT);
        let users = holders(ir, memref)?;
        let mut at: Vec<usize> = Vec::new();
        for &user in &users {
            let top = place[&ancestor_in(ir, user, block)?];
            at.push(top);
            // Copies on their way need it until they are waited for, at the latest when the thread ends.
            if matches!(
                ir.opcode(user),
                Opcode::NvgpuDeviceAsyncCopy | Opcode::AmdgpuGatherToLds | Opcode::NvgpuTmaAsyncLoad
            ) {
                at.push(last_wait.filter(|&wait| wait >= top).unwrap_or(ops.len() - 1));
            }
        }
        let (Some(&begin), Some(&end)) = (at.iter().min(), at.iter().max()) else { continue };
        found.push(Buffer { alloc, bytes: bits.checked_add(7)? / 8, alignment, begin, end });
    }
    Some(found)
}

/// The operations that use a memref, under whatever name; `None` where names cannot be followed.
fn holders(ir: &Ir, memref: ValueId) -> Option<BTreeSet<OpId>> {
    let (mut found, mut seen, mut left) = (BTreeSet::new(), FxHashSet::default(), vec![memref]);
    while let Some(value) = left.pop() {
        if !seen.insert(value) {
            continue;
        }
        for (user, operand) in ir.uses(value) {
            let opcode = ir.opcode(user);
            let is_memref =
                |value: &ValueId| matches!(ir.ty(*value), Type::MemRef { .. } | Type::UnrankedMemRef { .. });
            match opcode {
                // A view by itself needs nothing.
                _ if is_view(opcode) || opcode == Opcode::ArithSelect => {
                    left.extend(ir.results(user));
                    continue;
                }
                Opcode::ScfYield => {
                    let around = ir.parent_op(user)?;
                    match ir.opcode(around) {
                        Opcode::ScfIf | Opcode::ScfIndexSwitch | Opcode::ScfExecuteRegion => {
                            left.push(ir.results(around).nth(operand)?);
                        }
                        Opcode::ScfFor => {
                            left.push(ir.results(around).nth(operand)?);
                            left.push(*ir.args(ir.entry(around)).get(operand + 1)?);
                        }
                        _ => return None,
                    }
                }
                Opcode::ScfFor => {
                    let carried = operand.checked_sub(3)?;
                    left.push(ir.results(user).nth(carried)?);
                    left.push(*ir.args(ir.entry(user)).get(carried + 1)?);
                }
                Opcode::FuncReturn
                | Opcode::FuncCall
                | Opcode::Unregistered
                | Opcode::MemrefExtractAlignedPointerAsIndex
                | Opcode::MemrefExtractStridedMetadata => {
                    return None;
                }
                _ if ir.results(user).any(|result| is_memref(&result)) || !ir.regions(user).is_empty() => return None,
                _ => {}
            }
            found.insert(user);
        }
    }
    Some(found)
}

/// The operation of a block that an operation is, or is nested in.
fn ancestor_in(ir: &Ir, op: OpId, block: BlockId) -> Option<OpId> {
    let mut at = op;
    while ir.parent_block(at)? != block {
        at = ir.parent_op(at)?;
    }
    Some(at)
}

/// One allocation for all groups, a view of it for each buffer, and barriers between groups.
fn pack(ir: &mut Ir, block: BlockId, groups: &[Group]) -> Result<(), Diag> {
    let ops = ir.ops_of(block);
    let first = ops[0];
    let too_large = |ir: &Ir, op: OpId| {
        Diag::error(Code::OverLimit, ir.span(op), "the shared buffers are too large to count their bytes")
    };
    let mut places: Vec<(OpId, i64)> = Vec::new();
    let mut total = 0i64;
    for group in groups {
        let mut end = 0i64;
        for buffer in &group.buffers {
            let at = end.checked_add(buffer.alignment - 1).map(|end| end / buffer.alignment * buffer.alignment);
            let (at, next) = at
                .and_then(|at| Some((at, at.checked_add(buffer.bytes)?)))
                .ok_or_else(|| too_large(ir, buffer.alloc))?;
            places.push((buffer.alloc, at));
            end = next;
        }
        total = total.max(end);
    }
    let earliest = groups.iter().map(|group| group.begin).min().unwrap_or(0);
    for group in groups.iter().filter(|group| group.begin > earliest) {
        let space = keyword_attr(ir, "gpu.address_space", "workgroup");
        let spaces = ir.intern(Attr::Array(vec![space]));
        Builder::before(ir, ops[group.begin]).op(Opcode::GpuBarrier, &[], &[], &[("address_spaces", spaces)]);
    }
    let byte = ir.int_type(8);
    let bytes = {
        let mut builder = Builder::before(ir, first);
        builder.alloc_shared(&[total], byte)
    };
    for (alloc, at) in places {
        let buffer = ir.result(alloc, 0);
        let ty = ir.type_of(buffer);
        let mut builder = Builder::before(ir, alloc);
        let at = builder.index(at);
        let view = builder.value(Opcode::MemrefView, &[bytes, at], ty, &[]);
        for (user, _) in ir.uses(buffer).collect::<Vec<_>>() {
            if ir.opcode(user) == Opcode::MemrefDealloc {
                ir.erase(user);
            }
        }
        ir.replace_uses(buffer, view);
        ir.erase(alloc);
    }
    Ok(())
}

/// Moves allocations of static size to the beginning of the function, out of loops and branches; their deallocations go.
pub fn hoist(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    let entry = ir.entry(func);
    let is_static = |ir: &Ir, op: OpId| {
        matches!(ir.opcode(op), Opcode::MemrefAlloc | Opcode::MemrefAlloca) && ir.operands(op).is_empty()
    };
    let nested: Vec<OpId> =
        ir.walk(func).into_iter().filter(|&op| is_static(ir, op) && ir.parent_block(op) != Some(entry)).collect();
    for alloc in nested {
        let memref = ir.result(alloc, 0);
        // Two rounds of a loop may hold two buffers only if one hands its own on.
        let stays = super::users(ir, memref).iter().any(|&user| ir.class(user) == raddle_ir::Class::Yield);
        let isolated = std::iter::successors(ir.parent_op(alloc), |&op| ir.parent_op(op))
            .take_while(|&op| op != func)
            .any(|op| ir.opcode(op).is_isolated());
        if stays || isolated {
            continue;
        }
        for (user, _) in ir.uses(memref).collect::<Vec<_>>() {
            if ir.opcode(user) == Opcode::MemrefDealloc {
                ir.erase(user);
            }
        }
        let first = ir.first_op(entry).expect("a function's block has an end");
        ir.detach(alloc);
        ir.insert_before(first, alloc);
    }
    Ok(())
}
