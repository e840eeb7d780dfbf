//! Buffers of shared memory for values that change threads, used again when everyone has read them.
//!
//! A buffer is held while an operation writes and reads it, then read until the next barrier, then free. What a region
//! frees is free behind it only if it was free in front of it, since a region may not run.

use raddle_ir::{Builder, Code, Diag, Ir, OpId, Point, Scalar, TypeId, ValueId};
use rustc_hash::FxHashMap;

use super::{Cx, reduce, refuse};
use crate::code::extents::buffer_bytes;
use crate::config::Launch;
use crate::configure::limits;
use crate::facts::Facts;
use crate::overlap::shared_bytes;

/// Bytes of a buffer that had better be used again.
const LARGE: i64 = 4096;

/// What may happen to a buffer, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum State {
    /// Anyone may write it.
    Free,
    /// Some threads may still be reading it.
    Read,
    /// The current operation uses it.
    Held,
}

/// A buffer.
struct Buffer {
    memref: ValueId,
    state: State,
    /// Those who use it: others do not know when these are done.
    by: Launch,
}

/// The buffers so far.
pub struct Buffers {
    all: Vec<Buffer>,
    bytes: i64,
    /// What operations that are still to come will ask for, and cannot do with less.
    later: FxHashMap<OpId, i64>,
}

impl Buffers {
    /// None yet, beside the shared memory that the program itself takes.
    pub fn beside(ir: &Ir, func: OpId, launch: Launch, facts: &Facts) -> Buffers {
        let needs = ir.walk(func).into_iter().map(|op| (op, reduce::bytes(ir, op, launch.at(ir, op), facts)));
        let later = needs.filter(|&(_, bytes)| bytes > 0).collect();
        Buffers { all: Vec::new(), bytes: shared_bytes(ir, func), later }
    }

    /// What an operation was still to ask for, it asks for now.
    pub fn arrived(&mut self, op: OpId) {
        self.later.remove(&op);
    }

    /// After a barrier of some subgroups: what they read has been read.
    pub fn meet(&mut self, by: Launch) {
        for buffer in self.all.iter_mut().filter(|buffer| by.covers(buffer.by)) {
            if buffer.state == State::Read {
                buffer.state = State::Free;
            }
        }
    }

    /// Whether some threads may still be reading a buffer.
    pub fn are_read(&self) -> bool {
        self.all.iter().any(|buffer| buffer.state != State::Free)
    }

    /// Behind an operation: it writes no more.
    pub fn release(&mut self) {
        for buffer in &mut self.all {
            buffer.state = buffer.state.min(State::Read);
        }
    }

    /// How things stand, to be given to [`Buffers::join`].
    pub fn states(&self) -> Vec<State> {
        self.all.iter().map(|buffer| buffer.state).collect()
    }

    /// Goes back to how things stood, for the other side of a branch.
    pub fn reset(&mut self, states: &[State]) {
        for (buffer, &before) in self.all.iter_mut().zip(states) {
            buffer.state = before;
        }
    }

    /// Behind a region: things stand as it left them, or as another way left them.
    pub fn join(&mut self, states: &[State]) {
        for (buffer, &other) in self.all.iter_mut().zip(states) {
            buffer.state = buffer.state.max(other);
        }
    }
}

/// Bytes of shared memory that nothing has taken. Each buffer starts on 16 bytes.
pub fn left(cx: &Cx<'_>) -> i64 {
    (i64::from(cx.facts.chip.shared_bytes_planned) - cx.buffers.bytes).max(0) / 16 * 16
}

/// The same where there is no other way: also beyond what is planned, in front of giving up.
pub fn left_in_need(cx: &Cx<'_>) -> i64 {
    let beyond = i64::from(cx.facts.chip.shared_bytes_max) - cx.buffers.bytes;
    beyond.clamp(0, limits::BESIDE) / 16 * 16
}

/// Bytes that a buffer of one dimension may have: what is left of the shared memory, or what one that can be used
/// again has. The second number leaves to later operations what they cannot do without.
pub fn free_bytes(ir: &Ir, cx: &Cx<'_>, elem: TypeId) -> [i64; 2] {
    let bytes = Scalar::of(&ir[elem]).map_or(1, |scalar| scalar.bytes() as i64);
    let own = cx.buffers.all.iter().filter(|buffer| buffer.by == cx.launch && buffer.state != State::Held);
    let again = own.map(|buffer| buffer.memref);
    let again = again.filter(|&buffer| ir.elem_of(buffer) == elem && ir.shape_of(buffer).len() == 1);
    let again = again.map(|buffer| ir.shape_of(buffer)[0] * bytes).fold(0, i64::max);
    let later = cx.buffers.later.values().copied().fold(0, i64::saturating_add);
    let unclaimed = i64::from(cx.facts.chip.shared_bytes_max).saturating_sub(later).saturating_sub(cx.buffers.bytes);
    [left(cx), left(cx).min(unclaimed / 16 * 16)].map(|free| free.max(again))
}

/// A buffer of this type, for the current operation.
pub fn take(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    shape: &[i64],
    elem: TypeId,
) -> Result<ValueId, Diag> {
    let Some(scalar) = Scalar::of(&builder.ir[elem]).filter(|scalar| scalar.bits() >= 8) else {
        return Err(refuse(
            builder.ir,
            op,
            "its elements are narrower than a byte and cannot go through shared memory",
        ));
    };
    let fits = |builder: &Builder<'_>, buffer: ValueId| {
        let have = builder.ir.shape_of(buffer);
        // A row may be longer than what is asked for.
        let large_enough = matches!((have, shape), ([have], [wanted]) if have >= wanted);
        (have == shape || large_enough) && builder.ir.elem_of(buffer) == elem
    };
    let find = |builder: &Builder<'_>, cx: &Cx<'_>, wanted: State| {
        cx.buffers
            .all
            .iter()
            .position(|buffer| buffer.by == cx.launch && buffer.state == wanted && fits(builder, buffer.memref))
    };
    let limit = i64::from(cx.facts.chip.shared_bytes_max);
    let bytes = buffer_bytes(shape, scalar);
    let total = cx.buffers.bytes.saturating_add(bytes);
    let mut found = find(builder, cx, State::Free);
    // Waiting is better than giving up, and waiting once better than a processor with fewer workgroups.
    let waits = total > limit || bytes >= LARGE && runs_once(builder, cx);
    if found.is_none() && waits && find(builder, cx, State::Read).is_some() {
        cx.barrier(builder);
        found = find(builder, cx, State::Free);
    }
    if let Some(at) = found {
        cx.buffers.all[at].state = State::Held;
        return Ok(cx.buffers.all[at].memref);
    }
    if total > limit {
        let message = format!("`{}` needs more shared memory than there is", builder.ir.name(op));
        return Err(Diag::error(Code::CannotDistribute, builder.ir.span(op), message)
            .note(format!("with this buffer the workgroup needs {total} bytes, and {} has {limit}", cx.facts.chip.name))
            .help("use smaller workgroup tiles, or layouts that agree in more places"));
    }
    cx.buffers.bytes = total;
    let memref = outside(builder, cx).alloc_shared(shape, elem);
    cx.buffers.all.push(Buffer { memref, state: State::Held, by: cx.launch });
    Ok(memref)
}

/// Whether what is built stands outside of loops and branches.
fn runs_once(builder: &Builder<'_>, cx: &Cx<'_>) -> bool {
    let number = builder.ir.def_op(cx.thread).expect("the thread's number is an operation");
    let here = match builder.at {
        Point::End(block) => Some(block),
        Point::Before(op) => builder.ir.parent_block(op),
    };
    here == builder.ir.parent_block(number)
}

/// A builder for what all of the function behind this point may use: here, but outside of loops and branches.
fn outside<'b>(builder: &'b mut Builder<'_>, cx: &Cx<'_>) -> Builder<'b> {
    let number = builder.ir.def_op(cx.thread).expect("the thread's number is an operation");
    let entry = builder.ir.parent_block(number).expect("it stands in the function's block");
    let last = builder.ir.block_ops(entry).last().expect("it holds the thread's number");
    match builder.at {
        Point::End(block) if block == entry => Builder::at_end(builder.ir, entry, builder.span),
        _ => Builder::before(builder.ir, last),
    }
}
