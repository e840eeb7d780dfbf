//! The first elements of lines, found by teams of threads, one in a round.
//!
//! Each thread knows the first one of its own elements, which lie at the distance of the team; in a round the team finds the
//! first one of these, and whoever had it looks for its next one. Of long lines the whole subgroup helps with that. A round
//! takes a few dozen instructions, however long the line is.

use raddle_ir::{Builder, DYNAMIC, Diag, OpId, TypeId, ValueId};

use super::lines::with;
use super::rules::{element, region};
use super::teams::{Exchange, Size, Team};
use super::{Cx, code};

/// Elements of a line that a thread looks through alone.
const FEW: i64 = 8;

/// Threads that keep a large chip busy.
const THREADS: i64 = 1 << 17;

/// Fewer lanes for a line, if there are more lines than a chip has threads for.
pub(super) fn enough(mut size: Size, n: Option<i64>, lines: Option<i64>) -> Size {
    let (Some(n), Some(lines)) = (n, lines) else { return size };
    while size.subgroups == 1 && size.lanes * lines > THREADS && n <= FEW * size.lanes / 2 {
        size.lanes /= 2;
    }
    size
}

/// The type of places in a line of a length: words where lines are short enough, and few enough to be counted.
pub(super) fn word(b: &mut Builder<'_>, n: i64) -> TypeId {
    b.ir.int_type(if n != DYNAMIC && n < i64::from(i32::MAX) { 32 } else { 64 })
}

/// What is looked for. An element is a pair of a value and its place in the line.
pub(super) struct Rounds {
    /// The operation whose region compares elements, by an order.
    pub op: OpId,
    pub dim: usize,
    /// The tensors of whose elements its region takes pairs, and the one of them that it compares.
    pub operands: Vec<ValueId>,
    pub compared: usize,
    /// The place of nobody: -1 for what stands in front of the elements that do not precede it, [`LAST`] for what stands
    /// behind all of them.
    pub nobody: i64,
}

/// A place that no element of a line has.
pub(super) const LAST: i64 = i32::MAX as i64;

impl Rounds {
    /// Calls `put` with the number and the element of each round from `first` to `rounds`, for the elements of a line from
    /// `first` to `end`.
    #[allow(clippy::too_many_arguments, reason = "what is looked for, by whom, and what for")]
    pub(super) fn find(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        exchange: &Exchange,
        at: &[ValueId],
        [first, end, rounds]: [ValueId; 3],
        nobody: [ValueId; 2],
        mut put: impl FnMut(&mut Cx, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<(), Diag>,
    ) -> Result<(), Diag> {
        let threads = b.index(team.size.threads());
        let own = code::add(b, first, team.thread);
        let own = self.first(cx, b, at, [own, end, threads], nobody, None)?;
        code::repeat(cx, b, [first, rounds], &own, |cx, b, round, own| {
            let best = team.across_lanes(cx, b, team.size.lanes, own.to_vec(), &mut |cx, b, one, other| {
                self.better(cx, b, one, other)
            })?;
            let best = exchange
                .across_subgroups(cx, b, team, round, best, &mut |cx, b, one, other| self.better(cx, b, one, other))?;
            put(cx, b, round, &best)?;
            self.next(cx, b, team, at, [first, end, threads], own, &best, nobody)
        })?;
        Ok(())
    }

    /// Whether one value precedes another.
    fn precedes(&self, cx: &mut Cx, b: &mut Builder<'_>, one: ValueId, other: ValueId) -> Result<ValueId, Diag> {
        let mut pairs = Vec::new();
        for (at, &operand) in self.operands.iter().enumerate() {
            let elem = b.ir.elem_of(operand);
            pairs.extend(if at == self.compared { [one, other] } else { [b.splat(0.0, elem); 2] });
        }
        Ok(region(cx, b, self.op, &pairs, &[])?[0])
    }

    /// The first one, in the order, of the elements at some places of a line; of those behind one, if that is given.
    fn first(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        places: [ValueId; 3],
        nobody: [ValueId; 2],
        behind: Option<&[ValueId]>,
    ) -> Result<Vec<ValueId>, Diag> {
        code::stride(cx, b, places, &nobody, |cx, b, i, best| {
            let value = element(cx, b, self.operands[self.compared], &with(at, self.dim, i))?;
            let place = code::from_index(b, i, b.ir.type_of(best[1]));
            // Those behind it come first only if they precede it.
            let mut better = self.precedes(cx, b, value, best[0])?;
            if self.nobody == LAST {
                let is_nobody = code::equal(b, best[1], nobody[1]);
                better = code::or(b, better, is_nobody);
            }
            if let Some(last) = behind {
                let is_other = code::differs(b, place, last[1]);
                let is_behind = self.is_second(cx, b, &[value, place], last)?;
                better = code::and(b, better, is_behind);
                better = code::and(b, better, is_other);
            }
            Ok(vec![code::select(b, better, value, best[0]), code::select(b, better, place, best[1])])
        })
    }

    /// Whether the second one of two elements comes first in the order.
    fn is_second(&self, cx: &mut Cx, b: &mut Builder<'_>, one: &[ValueId], other: &[ValueId]) -> Result<ValueId, Diag> {
        // An element goes in front of one with a place before it only if it precedes it.
        let is_back = code::less(b, other[1], one[1]);
        let back = code::select(b, is_back, one[0], other[0]);
        let front = code::select(b, is_back, other[0], one[0]);
        let mut precedes = self.precedes(cx, b, back, front)?;
        if self.nobody == LAST {
            let place = code::select(b, is_back, one[1], other[1]);
            let nobody = b.int(LAST, b.ir.type_of(place));
            let is_there = code::differs(b, place, nobody);
            precedes = code::and(b, precedes, is_there);
        }
        Ok(code::xor(b, precedes, is_back))
    }

    fn better(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        one: &[ValueId],
        other: &[ValueId],
    ) -> Result<Vec<ValueId>, Diag> {
        let is_second = self.is_second(cx, b, one, other)?;
        Ok(one.iter().zip(other).map(|(&one, &other)| code::select(b, is_second, other, one)).collect())
    }

    /// What a thread has behind the first one of all: its next element, if that one was its own.
    #[allow(clippy::too_many_arguments, reason = "what is looked for, and where")]
    fn next(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        at: &[ValueId],
        [begin, end, threads]: [ValueId; 3],
        own: &[ValueId],
        best: &[ValueId],
        nobody: [ValueId; 2],
    ) -> Result<Vec<ValueId>, Diag> {
        let known = b.ir.shape_of(self.operands[self.compared])[self.dim];
        let size = team.size;
        let types = [b.ir.type_of(own[0]), b.ir.type_of(own[1])];
        let (zero, from) = (b.index(0), code::to_index(b, best[1]));
        let behind = code::sub(b, from, begin);
        let owner = code::rem(b, behind, threads);
        let is_own = code::equal(b, owner, team.thread);
        let is_found = code::less(b, from, zero);
        let bit = b.ir.int_type(1);
        let yes = b.int(1, bit);
        let is_found = code::xor(b, is_found, yes);
        let is_own = code::and(b, is_own, is_found);
        if known != DYNAMIC && known <= size.threads() {
            return Ok(own.iter().zip(nobody).map(|(&own, nobody)| code::select(b, is_own, nobody, own)).collect());
        }
        let mut stays = |_: &mut Cx, _: &mut Builder<'_>| Ok(own.to_vec());
        if size.lanes < team.width || known != DYNAMIC && known <= FEW * size.threads() {
            let mut looks = |cx: &mut Cx, b: &mut Builder<'_>| {
                let first = code::add(b, begin, team.thread);
                self.first(cx, b, at, [first, end, threads], nobody, Some(best))
            };
            return code::branch(cx, b, is_own, &types, &mut looks, &mut stays);
        }
        // All lanes of the thread's subgroup look through its elements.
        let helps = team.has(b, owner);
        let helps = code::and(b, helps, is_found);
        let mut look = |cx: &mut Cx, b: &mut Builder<'_>| {
            let first = code::mul(b, team.lane, threads);
            let first = code::add(b, first, owner);
            let first = code::add(b, first, begin);
            let lanes = b.index(size.lanes);
            let step = code::mul(b, lanes, threads);
            let found = self.first(cx, b, at, [first, end, step], nobody, Some(best))?;
            let found =
                team.across_lanes(cx, b, size.lanes, found, &mut |cx, b, one, other| self.better(cx, b, one, other))?;
            Ok(own.iter().zip(found).map(|(&own, found)| code::select(b, is_own, found, own)).collect())
        };
        code::branch(cx, b, helps, &types, &mut look, &mut stays)
    }
}
