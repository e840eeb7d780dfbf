//! In place: whether one kernel may write the results of a dispatch over its arguments.
//!
//! A store to a binding that the dispatch reads puts a result where an argument lies. Threads of one kernel write in any
//! order, so each element of the argument must be read by whoever writes it, and for nothing else: through operations
//! that compute each element from the one at its place, as the initial value of a reduction or as the destination of
//! what updates it.

use raddle_ir::interface::Interface;
use raddle_ir::views::Linalg;
use raddle_ir::{Diag, Ir, OpId, Opcode, ValueId};
use rustc_hash::FxHashSet;

/// The first argument whose memory one kernel would overwrite while others still read it.
pub fn overwritten(ir: &Ir, func: OpId) -> Result<Option<usize>, Diag> {
    let Some(interface) = Interface::of(ir, func)? else { return Ok(None) };
    let args = ir.args(ir.entry(func));
    Ok(interface.in_place().enumerate().find_map(|(result, argument)| {
        let argument = argument?;
        let is_same = ir.type_of(args[argument]) == ir.signature(func).1[result];
        (!is_same || !is_read_in_place(ir, func, args[argument], result)).then_some(argument)
    }))
}

/// Where a kernel stores its results, of the memrefs that it takes for arguments and results: one that lies where an
/// argument lies is that argument, so that all accesses to its memory are known to be.
pub fn destinations(ir: &Ir, func: OpId, memrefs: &[ValueId]) -> Vec<ValueId> {
    let (arguments, results) = memrefs.split_at(ir.signature(func).0.len());
    let mut found = results.to_vec();
    if let Ok(Some(interface)) = Interface::of(ir, func) {
        for (slot, argument) in found.iter_mut().zip(interface.in_place()) {
            let memref = argument.map(|argument| arguments[argument]);
            *slot = memref.filter(|&memref| ir.type_of(memref) == ir.type_of(*slot)).unwrap_or(*slot);
        }
    }
    found
}

/// Whether all that follows from an argument is this result, each element from the one at its place.
fn is_read_in_place(ir: &Ir, func: OpId, argument: ValueId, result: usize) -> bool {
    let end = ir.terminator(ir.entry(func));
    let mut seen: FxHashSet<ValueId> = FxHashSet::from_iter([argument]);
    let mut waiting = vec![argument];
    while let Some(value) = waiting.pop() {
        for (user, operand) in ir.uses(value) {
            if Some(user) == end {
                if operand == result {
                    continue;
                }
                return false;
            }
            if ir.opcode(user) == Opcode::TensorDim {
                continue;
            }
            if ir.parent_block(user) != Some(ir.entry(func)) || !keeps_places(ir, user, operand) {
                return false;
            }
            let follows = |&(at, _): &(usize, ValueId)| {
                // Whoever has a line of a sort reads all of its operands before it writes any.
                ir.opcode(user) != Opcode::IreeLinalgExtSort || at == operand
            };
            let results = ir.results(user).enumerate().filter(follows).map(|(_, value)| value);
            waiting.extend(results.filter(|&value| seen.insert(value)));
        }
    }
    true
}

/// Whether an operation reads each element of an operand only to give the one at the same place of its results.
fn keeps_places(ir: &Ir, user: OpId, operand: usize) -> bool {
    match ir.opcode(user) {
        Opcode::TensorInsertSlice => operand == 1,
        Opcode::TensorCast | Opcode::TensorExpandShape | Opcode::TensorCollapseShape => operand == 0,
        // A thread, or threads that wait for one another, have all places that depend on one another.
        Opcode::IreeLinalgExtScatter => operand + 1 == ir.operands(user).len(),
        Opcode::IreeLinalgExtSort => true,
        _ => Linalg::try_of(ir, user).is_some_and(|Linalg { inputs, maps, .. }| {
            let outputs = &maps[inputs.len()..];
            operand >= inputs.len() || maps.get(operand).is_some_and(|map| outputs.iter().all(|other| other == map))
        }),
    }
}
