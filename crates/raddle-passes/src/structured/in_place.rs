//! In place: whether one kernel may write the results of a function over its arguments.
//!
//! A store to a binding that a dispatch reads puts a result where an argument lies, and so does a program that writes an
//! argument that is a memref; `raddle.in_place = array<i64: 2>` says that of its result and argument 2, and -1 stands for
//! a result with memory of its own. Threads of one kernel write in any order, so each element of the argument must be read by whoever writes it, and for nothing else: through operations
//! that compute each element from the one at its place, as the initial value of a reduction or as the destination of
//! what updates it.

use raddle_ir::interface::Interface;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Builder, Def, Diag, Ir, Map, OpId, Opcode, TypeId, ValueId};
use rustc_hash::FxHashSet;

use crate::structured::generalize::copy_along;
use crate::structured::sizes::mixed_extent;

/// The attribute of a function on tensors.
pub const NAME: &str = "raddle.in_place";

/// States for each result the argument in whose memory it lies.
pub fn write(ir: &mut Ir, func: OpId, arguments: &[Option<usize>]) {
    if arguments.iter().any(Option::is_some) {
        let numbers: Vec<i64> = arguments.iter().map(|argument| argument.map_or(-1, |at| at as i64)).collect();
        let attr = ir.dense_i64(&numbers);
        ir.set_attr(func, NAME, attr);
    }
}

/// For each result the argument in whose memory it lies, where a program says so.
pub fn stated(ir: &Ir, func: OpId) -> Vec<Option<usize>> {
    let (inputs, results) = ir.signature(func);
    let numbers = ir.attr_id(func, NAME).and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let fits = numbers.len() == results.len();
    let argument = |at: usize| usize::try_from(*numbers.get(at)?).ok().filter(|&argument| argument < inputs.len());
    (0..results.len()).map(|at| argument(at).filter(|_| fits)).collect()
}

/// The results for which a kernel takes memory besides its arguments.
pub fn apart(ir: &Ir, func: OpId) -> Vec<TypeId> {
    let stated = stated(ir, func);
    let results = ir.signature(func).1.iter().zip(stated);
    results.filter(|(_, argument)| argument.is_none()).map(|(&ty, _)| ty).collect()
}

/// A function takes memory for its results from here on.
pub fn become_kernel(ir: &mut Ir, func: OpId, arguments: &[TypeId]) {
    ir.remove_attr(func, NAME);
    ir.set_signature(func, arguments, &[]);
}

/// For each result the argument in whose memory it lies.
fn places(ir: &Ir, func: OpId) -> Result<Vec<Option<usize>>, Diag> {
    Ok(match Interface::of(ir, func)? {
        Some(interface) => interface.in_place().collect(),
        None => stated(ir, func),
    })
}

/// The result that an operation gives by putting what a kernel computes into the argument in whose memory that result
/// lies: the kernel writes there, and nothing else changes.
pub fn delivers(ir: &Ir, func: OpId, op: OpId) -> Option<usize> {
    let is_insert = ir.opcode(op) == Opcode::TensorInsertSlice && ir.opcode(func) == Opcode::FuncFunc;
    if !is_insert || ir.parent_block(op) != Some(ir.entry(func)) {
        return None;
    }
    let slice = SliceView::of(ir, op);
    let mut users = ir.uses(ir.result(op, 0));
    let (Some((user, slot)), None) = (users.next(), users.next()) else { return None };
    let argument = places(ir, func).ok()?.get(slot).copied().flatten()?;
    let args = ir.args(ir.entry(func));
    let grows = |stride: &Mixed| matches!(stride, Mixed::Static(1..));
    let made = ir.def_op(slice.value?)?;
    let fits = Some(user) == ir.terminator(ir.entry(func))
        && args[argument] == slice.base
        && ir.type_of(slice.base) == ir.signature(func).1[slot]
        && ir.shape_of(slice.value?).len() == slice.sizes.len()
        && slice.strides.iter().all(grows)
        && ir.parent_block(made) == ir.parent_block(op)
        && ir.uses(slice.value?).count() == 1
        && is_touched_there_alone(ir, op, &slice);
    fits.then_some(slot)
}

/// Whether nobody reads other places of the argument than those that are written, or these before they are.
fn is_touched_there_alone(ir: &Ir, insert: OpId, slice: &SliceView) -> bool {
    ir.uses(slice.base).all(|(user, operand)| match ir.opcode(user) {
        Opcode::TensorDim => true,
        Opcode::TensorExtractSlice => {
            let part = SliceView::of(ir, user);
            let is_same = (&part.offsets, &part.sizes, &part.strides) == (&slice.offsets, &slice.sizes, &slice.strides);
            let is_output = |(reader, at): (OpId, usize)| {
                Linalg::try_of(ir, reader).is_some_and(|linalg| at >= linalg.inputs.len())
            };
            is_same && ir.uses(ir.result(user, 0)).all(is_output)
        }
        _ => user == insert && operand == 1,
    })
}

/// Lets what a dispatch only moves, to a result or into the memory of one, come from an operation, so that it is stored as
/// all else: a copy of it.
pub fn copy_moved(ir: &mut Ir, func: OpId) {
    let places = places(ir, func).unwrap_or_default();
    let block = ir.entry(func);
    let Some(end) = ir.terminator(block) else { return };
    for (slot, returned) in ir.operands(end).to_vec().into_iter().enumerate() {
        let insert = ir.def_op(returned).filter(|&op| ir.opcode(op) == Opcode::TensorInsertSlice);
        let is_in_place = places.get(slot).is_some_and(Option::is_some);
        let insert = insert.filter(|_| is_in_place);
        let (user, operand) = insert.map_or((end, slot), |insert| (insert, 0));
        let value = ir.operand(user, operand);
        let is_moved = match ir.def(value) {
            Def::Arg { .. } => !is_in_place || insert.is_some(),
            Def::Result { op, .. } => ir.opcode(op) == Opcode::TensorExtractSlice,
        };
        let rank = ir.shape_of(value).len();
        let keeps_rank = insert.is_none_or(|insert| SliceView::of(ir, insert).sizes.len() == rank);
        if !is_moved || !keeps_rank {
            continue;
        }
        let builder = &mut Builder::before(ir, user);
        let sizes: Vec<Mixed> = (0..rank).map(|d| mixed_extent(builder, value, d)).collect();
        let copy = copy_along(builder, value, Map::identity(rank), &sizes);
        ir.set_operand(user, operand, copy);
    }
}

/// The first argument whose memory one kernel would overwrite while others still read it.
pub fn overwritten(ir: &Ir, func: OpId) -> Result<Option<usize>, Diag> {
    let places = places(ir, func)?;
    let args = ir.args(ir.entry(func));
    Ok(places.into_iter().enumerate().find_map(|(result, argument)| {
        let argument = argument?;
        let is_same = ir.type_of(args[argument]) == ir.signature(func).1[result];
        (!is_same || !is_read_in_place(ir, func, args[argument], result)).then_some(argument)
    }))
}

/// Where a kernel stores its results, of the memrefs that it takes for arguments and results: one that lies where an
/// argument lies is that argument, so that all accesses to its memory are known to be.
pub fn destinations(ir: &Ir, func: OpId, memrefs: &[ValueId]) -> Vec<ValueId> {
    let (arguments, results) = memrefs.split_at(ir.signature(func).0.len());
    let mut own = results.iter().copied();
    let place = |argument: Option<usize>| match argument {
        Some(at) => arguments[at],
        None => own.next().expect("a kernel takes memory for each result that has its own"),
    };
    let mut found: Vec<ValueId> = stated(ir, func).into_iter().map(place).collect();
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
