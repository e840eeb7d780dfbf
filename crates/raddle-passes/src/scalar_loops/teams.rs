//! Teams: threads that share a line, be they some lanes of a subgroup or a workgroup.
//!
//! Lanes of one subgroup exchange what they have by shuffles, for which all of them have to be there: the loop that deals
//! lines to teams runs as often for each team of a subgroup, and a team that has no line left computes the last one
//! again, and stores nothing. Subgroups of a workgroup meet in shared memory.

use raddle_ir::{Builder, Diag, OpId, TypeId, ValueId};

use super::{Cx, code};
use crate::code::shuffle;

/// The threads that share a line.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// Lanes of each subgroup: all of them if there are several subgroups, or else a power of two.
    pub lanes: i64,
    /// Subgroups: one, or those of a workgroup.
    pub subgroups: i64,
}

impl Size {
    pub(super) fn threads(self) -> i64 {
        self.lanes * self.subgroups
    }

    /// A thread that has nobody to share with.
    pub(super) fn alone(cx: &Cx) -> Option<Size> {
        (cx.launch.workgroup_size == 1).then_some(Size { lanes: 1, subgroups: 1 })
    }

    /// A workgroup, or enough lanes for so many elements if that is few for each; `None` on machines whose threads have
    /// nobody to share with.
    pub(super) fn of(cx: &Cx, n: Option<i64>) -> Option<Size> {
        let (size, lanes) = (cx.launch.workgroup_size, cx.launch.subgroup_size);
        let (whole, subgroups) = (lanes > 1 && size % lanes == 0, size / lanes);
        if !whole || !(lanes as u64).is_power_of_two() || subgroups > lanes {
            return None;
        }
        Some(match n.filter(|&n| n <= FEW * lanes) {
            Some(n) => Size { lanes: (n.max(1) as u64).next_power_of_two().min(lanes as u64) as i64, subgroups: 1 },
            None => Size { lanes, subgroups },
        })
    }

    /// No fewer lanes than a subgroup has.
    pub(super) fn of_subgroups(self, cx: &Cx) -> Size {
        Size { lanes: cx.launch.subgroup_size, ..self }
    }
}

/// Elements of a line for each lane, for which a subgroup is enough.
pub(super) const FEW: i64 = 16;

/// A thread's place in its team.
pub(super) struct Team {
    pub size: Size,
    /// Lanes of a subgroup of the machine.
    pub width: i64,
    /// The team's number among those that go from line to line together, as an index.
    pub nth: ValueId,
    /// The thread's number in the team, as an index.
    pub thread: ValueId,
    /// The numbers of its lane and its subgroup in the team, as indices.
    pub lane: ValueId,
    pub subgroup: ValueId,
    /// Whether the team has a line of its own; `None` where all have.
    pub is_there: Option<ValueId>,
}

/// Who goes from one line to the next together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Together {
    /// Threads that exchange values: those of a subgroup or, if teams are that large, of a workgroup.
    Team,
    /// Those of a workgroup, which wait for one another.
    Workgroup,
}

/// Deals the points below `extents` to the teams that compute an operation; `shape` is what is known of the extents.
#[allow(clippy::too_many_arguments, reason = "what is dealt, and to whom")]
pub(super) fn deal(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    size: Size,
    together: Together,
    shape: &[i64],
    extents: &[ValueId],
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, &Team, &[ValueId]) -> Result<(), Diag>,
) -> Result<(), Diag> {
    if shape.contains(&0) {
        return Ok(());
    }
    cx.note_shared(b.ir, op);
    cx.widen(shape, size.threads());
    let (one, width) = (b.index(1), cx.launch.subgroup_size);
    let end = extents.iter().fold(one, |n, &extent| code::mul(b, n, extent));
    // All threads that run the loop together, and the lines that they have in a round.
    let together = match together {
        Together::Team if size.subgroups == 1 => width,
        Together::Team | Together::Workgroup => cx.launch.workgroup_size,
    };
    let each = together / size.threads();
    let [together, each_value, threads, lanes] = [together, each, size.threads(), width].map(|n| b.index(n));
    let [thread, n_threads] = cx.threads;
    let (first, all) = (code::div(b, thread, together), code::div(b, n_threads, together));
    let (first, step) = (code::mul(b, first, each_value), code::mul(b, all, each_value));
    let place = code::rem(b, thread, together);
    let (nth, thread) = (code::div(b, place, threads), code::rem(b, place, threads));
    let (lane, subgroup) = (code::rem(b, thread, lanes), code::div(b, thread, lanes));
    let mut failed = None;
    b.for_loop(first, end, step, &[], |b, first, _| {
        let (number, is_there) = if each == 1 {
            (first, None)
        } else {
            let own = code::add(b, first, nth);
            let is_there = code::less(b, own, end);
            let last = code::sub(b, end, one);
            (code::select(b, is_there, own, last), Some(is_there))
        };
        let team = Team { size, width, nth, thread, lane, subgroup, is_there };
        let at = code::split(b, number, extents);
        failed = body(cx, b, &team, &at).err();
        Vec::new()
    });
    failed.map_or(Ok(()), Err)
}

impl Team {
    /// Whether this thread stores what the team found.
    pub(super) fn stores(&self, b: &mut Builder<'_>) -> ValueId {
        let zero = b.index(0);
        let first = code::equal(b, self.thread, zero);
        self.is_there.map_or(first, |is_there| code::and(b, first, is_there))
    }

    /// Whether this thread's subgroup has the team's thread of a number.
    pub(super) fn has(&self, b: &mut Builder<'_>, thread: ValueId) -> ValueId {
        let width = b.index(self.width);
        let subgroup = code::div(b, thread, width);
        code::equal(b, subgroup, self.subgroup)
    }

    /// What lanes have, combined across so many of them, a power of two: every one has the result.
    pub(super) fn across_lanes(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        lanes: i64,
        own: Vec<ValueId>,
        combine: Combine<'_>,
    ) -> Result<Vec<ValueId>, Diag> {
        let word = b.ir.int_type(32);
        let mut all = own;
        let mut distance = 1;
        while distance < lanes {
            let offset = b.int(distance, word);
            let others: Vec<ValueId> = all.iter().map(|&value| shuffle(b, value, offset, self.width, "xor")).collect();
            all = combine(cx, b, &all, &others)?;
            distance *= 2;
        }
        Ok(all)
    }
}

/// Writes how what two threads have is combined; the order does not matter.
pub(super) type Combine<'a> =
    &'a mut dyn FnMut(&mut Cx, &mut Builder<'_>, &[ValueId], &[ValueId]) -> Result<Vec<ValueId>, Diag>;

/// Shared memory through which the subgroups of a team exchange values, two places for each: what is written in one
/// round is read while the next one writes.
pub(super) struct Exchange {
    buffers: Vec<ValueId>,
    size: Size,
}

impl Exchange {
    /// Memory for values of these types; none if there is one subgroup.
    pub(super) fn of(b: &mut Builder<'_>, size: Size, types: &[TypeId]) -> Exchange {
        let types = if size.subgroups > 1 { types } else { &[] };
        let buffers = types.iter().map(|&ty| b.alloc_shared(&[2 * size.subgroups], ty)).collect();
        Exchange { buffers, size }
    }

    /// What each subgroup has, combined: every thread of the team has the result. Threads call it together, with a number
    /// of the round whose last bit differs from that of the round before.
    pub(super) fn across_subgroups(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        round: ValueId,
        own: Vec<ValueId>,
        combine: Combine<'_>,
    ) -> Result<Vec<ValueId>, Diag> {
        if self.size.subgroups == 1 {
            return Ok(own);
        }
        let (zero, two, n) = (b.index(0), b.index(2), b.index(self.size.subgroups));
        let half = code::rem(b, round, two);
        let first = code::mul(b, half, n);
        let is_first = code::equal(b, team.lane, zero);
        code::when(cx, b, Some(is_first), &mut |_, b| {
            let at = code::add(b, first, team.subgroup);
            for (&value, &buffer) in own.iter().zip(&self.buffers) {
                super::store(b, value, buffer, &[at]);
            }
            Ok(())
        })?;
        b.barrier();
        let lanes = (self.size.subgroups as u64).next_power_of_two() as i64;
        let lanes_value = b.index(lanes);
        let mut from = code::rem(b, team.lane, lanes_value);
        if lanes != self.size.subgroups {
            // To combine a value twice changes nothing.
            let is_there = code::less(b, from, n);
            from = code::select(b, is_there, from, zero);
        }
        let at = code::add(b, first, from);
        let theirs: Vec<ValueId> = self.buffers.iter().map(|&buffer| super::load(b, buffer, &[at])).collect();
        team.across_lanes(cx, b, lanes, theirs, combine)
    }

    /// Behind the last round for a line: another one may begin with either half.
    pub(super) fn end(&self, b: &mut Builder<'_>) {
        if self.size.subgroups > 1 {
            b.barrier();
        }
    }
}
