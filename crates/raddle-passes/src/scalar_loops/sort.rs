//! Sorting of lines: `iree_linalg_ext.sort`.
//!
//! It means that each element goes in front of those before it that it is to precede, up to the first one that it does
//! not. Of equal elements none precedes another, whatever the comparator says of them (`oge` says both come first). Where
//! the comparator orders the elements (`order.rs`), that is the one stable order; a NaN, which precedes nothing
//! and is preceded by nothing, stays where it is, and so do both sides of it.
//!
//! A workgroup brings a line into shared memory and merges runs of it: each element finds its place in the run beside its
//! own by bisection. What moves are the places that elements come from. In short lines, which some lanes have, and in
//! those with NaNs, each element counts those that come before it. Lines that shared memory does not hold have their
//! elements counted where they lie, unless the result is to lie there, too. Where runs of these are known to be sorted
//! ([`RUNS`]), each element finds its place in every run by bisection.
//!
//! Where only a few elements of a line are known to be read ([`FIRST`]), these are found in rounds (`rounds.rs`).
//!
//! One thread sorts a line by putting in one element after the other where comparators are not orders. On machines whose
//! threads have nobody to share with, one thread sorts by digits (`sort/digits.rs`), or merges (`sort/alone.rs`).

mod alone;
mod digits;

use raddle_ir::{Attr, Builder, DYNAMIC, Diag, OpId, Opcode, Scalar, ValueId};

use super::lines::{dimension, each_line, with};
use super::order::{self, Order};
use super::rounds::{self, Rounds};
use super::rules::{element, region};
use super::teams::{self, Exchange, Size, Team, Together};
use super::{Cx, code, extents, load, refuse, store};
use crate::code::{UNORDERED, compare_floats};

pub(crate) use alone::longest;
pub(crate) use digits::{DIGIT, digits};

/// Says that runs of so many elements of each line are sorted; the last one may be shorter.
pub(crate) const RUNS: &str = "raddle.runs";

/// Says that only so many elements of each line are read: what is behind them in the result is left as it is.
pub(crate) const FIRST: &str = "raddle.first";

/// Elements of a short line for each lane, at most.
const FEW: i64 = 2;

/// Bisections, and loads of a search, that a thread does side by side, so that they wait for memory together.
const BISECTIONS: i64 = 8;
const LOADS: i64 = 16;

/// The largest place that 16 bits hold.
const PLACE_MAX: i64 = 32767;

/// `iree_linalg_ext.sort`
pub(super) fn sort(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, into: &[ValueId]) -> Result<(), Diag> {
    let values = b.ir.operands(op).to_vec();
    if values.is_empty() || values.len() != into.len() {
        return Err(refuse(b.ir, op, "it has another number of results than operands"));
    }
    let dim = dimension(b.ir, op, b.ir.shape_of(values[0]).len())?;
    let Some(order) = order::of(b.ir, op) else {
        cx.note_alone(b.ir, op, order::NONE);
        return in_order(cx, b, op, dim, into, None);
    };
    order.make_strict(b.ir);
    let n = b.ir.shape_of(values[0])[dim];
    let is_in_place = into.iter().any(|&memref| cx.is_in_place(b.ir, memref));
    let whole = Size::of(cx, None);
    if whole.is_none() && Size::alone(cx).is_none() {
        return in_order(cx, b, op, dim, into, None);
    }
    let kept: Vec<usize> = (0..values.len()).filter(|at| is_in_place || order.operands.contains(at)).collect();
    let bytes = kept.iter().try_fold(0, |sum, &at| {
        let scalar = Scalar::of(&b.ir[b.ir.elem_of(values[at])]).filter(|scalar| scalar.bits() >= 8)?;
        Some(sum + scalar.bytes() as i64)
    });
    let sort = Sort { op, dim, values, into: into.to_vec(), order, kept };
    let said = |name: &str| b.ir.attr(op, name).and_then(Attr::as_i64).filter(|said| (1..=n).contains(said));
    let (runs, first) = (said(RUNS).filter(|_| !is_in_place), said(FIRST));
    let Some(whole) = whole else {
        let digit = b.ir.attr(op, DIGIT).and_then(Attr::as_i64).filter(|_| !is_in_place);
        if let Some(digit) = digit {
            return sort.by_digit(cx, b, digit);
        }
        return match (first, runs) {
            (Some(first), _) => sort.listed(cx, b, first),
            (_, Some(run)) if n - run <= run => sort.merge_runs(cx, b, run),
            _ => match sort.alone(cx, b)? {
                most if n != DYNAMIC && n <= most => Ok(()),
                most => sort.longer(cx, b, is_in_place, (n == DYNAMIC && most > 0).then_some(most)),
            },
        };
    };
    if let Some(run) = runs.filter(|_| n < i64::from(i32::MAX) / (2 * BISECTIONS)) {
        return sort.by_runs(cx, b, whole, run);
    }
    if let (Some(first), &[compared]) = (first.filter(|_| !is_in_place), &sort.order.operands[..]) {
        return sort.by_rounds(cx, b, first, compared);
    }
    // Two lists of places, and what subgroups exchange.
    let shared_bytes = cx.shared_bytes - 16 * (sort.kept.len() as i64 + 2) - 8 * whole.subgroups;
    let longest = bytes.map_or(0, |bytes| (shared_bytes / (bytes + 4)).min(PLACE_MAX));
    let short = Size::of(cx, Some(n)).filter(|size| n != DYNAMIC && n <= FEW * size.lanes);
    let lines = short.map_or(1, |size| cx.launch.workgroup_size / size.threads());
    match short {
        Some(size) if bytes.is_some_and(|bytes| n * lines * bytes <= shared_bytes) => sort.counted(cx, b, size),
        _ if n != DYNAMIC && n <= longest => sort.merged(cx, b, whole, n),
        _ if n != DYNAMIC || longest == 0 => sort.longer(cx, b, is_in_place, None),
        _ => {
            sort.merged(cx, b, whole, longest)?;
            sort.longer(cx, b, is_in_place, Some(longest))
        }
    }
}

/// Each element goes in front of those before it that it is to precede, and these move up; in lines that are longer than
/// some that have been sorted.
fn in_order(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    dim: usize,
    into: &[ValueId],
    sorted: Option<i64>,
) -> Result<(), Diag> {
    let values = b.ir.operands(op).to_vec();
    each_line(cx, b, values[0], dim, |cx, b, at, length| {
        let zero = b.index(0);
        let length = longer(b, length, sorted);
        code::repeat(cx, b, [zero, length], &[], |cx, b, i, _| {
            let mut new = Vec::new();
            for &value in &values {
                new.push(element(cx, b, value, &with(at, dim, i))?);
            }
            put_in(cx, b, op, dim, into, at, [zero, i], &new)?;
            Ok(Vec::new())
        })?;
        Ok(())
    })
}

/// Puts an element at a place of a part of a line, or in front of those before it that it is to precede, which move up.
#[allow(clippy::too_many_arguments, reason = "what is put, and where")]
fn put_in(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    dim: usize,
    into: &[ValueId],
    at: &[ValueId],
    [first, i]: [ValueId; 2],
    new: &[ValueId],
) -> Result<(), Diag> {
    let one = b.index(1);
    let place = moved(cx, b, [first, i], |cx, b, behind| {
        let front = code::sub(b, behind, one);
        let place = with(at, dim, front);
        let old: Vec<ValueId> = into.iter().map(|&memref| load(b, memref, &place)).collect();
        let precedes = strictly(cx, b, op, new, &old)?;
        let mut then = |_: &mut Cx, b: &mut Builder<'_>| {
            for (&old, &memref) in old.iter().zip(into) {
                store(b, old, memref, &with(at, dim, behind));
            }
            Ok(Vec::new())
        };
        code::branch(cx, b, precedes, &[], &mut then, &mut |_, _| Ok(Vec::new()))?;
        Ok(precedes)
    })?;
    for (&new, &memref) in new.iter().zip(into) {
        store(b, new, memref, &with(at, dim, place));
    }
    Ok(())
}

/// The length of a line if it is longer than some, and else 0.
fn longer(b: &mut Builder<'_>, length: ValueId, sorted: Option<i64>) -> ValueId {
    let Some(sorted) = sorted else { return length };
    let (zero, sorted) = (b.index(0), b.index(sorted));
    let is_long = code::less(b, sorted, length);
    code::select(b, is_long, length, zero)
}

/// What the region says of two elements, of values for each operand.
fn precedes(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, one: &[ValueId], other: &[ValueId]) -> Result<ValueId, Diag> {
    let pairs: Vec<ValueId> = one.iter().zip(other).flat_map(|(&one, &other)| [one, other]).collect();
    Ok(region(cx, b, op, &pairs, &[])?[0])
}

/// Whether one element precedes another, and not the other way round as well.
fn strictly(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, one: &[ValueId], other: &[ValueId]) -> Result<ValueId, Diag> {
    let comes = precedes(cx, b, op, one, other)?;
    if order::of(b.ir, op).is_some() {
        // That was made strict.
        return Ok(comes);
    }
    let (bit, back) = (b.ir.int_type(1), precedes(cx, b, op, other, one)?);
    let yes = b.int(1, bit);
    let stays = code::xor(b, back, yes);
    Ok(code::and(b, comes, stays))
}

/// The number that `from` is counted down to, as long as it is greater than `least` and `step` holds for it.
fn moved(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    [least, from]: [ValueId; 2],
    step: impl FnOnce(&mut Cx, &mut Builder<'_>, ValueId) -> Result<ValueId, Diag>,
) -> Result<ValueId, Diag> {
    let bit = b.ir.int_type(1);
    let one = b.index(1);
    let test = |cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId]| {
        let (goes_on, no) = (code::less(b, least, at[0]), b.int(0, bit));
        let mut step = Some(step);
        let holds = code::branch(
            cx,
            b,
            goes_on,
            &[bit],
            &mut |cx, b| {
                let step = step.take().expect("a branch is written once");
                Ok(vec![step(cx, b, at[0])?])
            },
            &mut |_, _| Ok(vec![no]),
        )?;
        Ok(holds[0])
    };
    let at = code::while_holds(cx, b, &[from], test, |_, b, at| Ok(vec![code::sub(b, at[0], one)]))?;
    Ok(at[0])
}

/// A sort whose comparator orders the elements.
struct Sort {
    op: OpId,
    dim: usize,
    values: Vec<ValueId>,
    into: Vec<ValueId>,
    order: Order,
    /// The operands that are brought into shared memory: those that are compared, and all where a result lies where an
    /// operand lies.
    kept: Vec<usize>,
}

/// Reads the element at a place of a line, as far as the comparator does.
type Read<'a> = &'a dyn Fn(&mut Cx, &mut Builder<'_>, ValueId) -> Result<Vec<ValueId>, Diag>;

/// A run of a line, in words of 32 bits: where it begins, how many elements it has, and whether the element that looks for
/// its place in it stands in front of it.
struct Run {
    first: ValueId,
    len: ValueId,
    is_front: ValueId,
}

/// A line in shared memory.
struct Line<'a> {
    at: &'a [ValueId],
    n: ValueId,
    /// A buffer for each operand that is kept, and where the line begins in it.
    buffers: &'a [ValueId],
    first: ValueId,
}

impl Sort {
    fn length(&self, cx: &Cx, b: &mut Builder<'_>) -> Result<ValueId, Diag> {
        extents::extent(cx, b, self.values[0], self.dim)
    }

    fn buffers(&self, b: &mut Builder<'_>, n: i64) -> Vec<ValueId> {
        self.kept.iter().map(|&at| b.alloc_shared(&[n], b.ir.elem_of(self.values[at]))).collect()
    }

    /// The extents of lines.
    fn lines(&self, cx: &Cx, b: &mut Builder<'_>) -> Result<(Vec<i64>, Vec<ValueId>), Diag> {
        let (mut shape, mut extents) = (b.ir.shape_of(self.values[0]).to_vec(), extents::of(cx, b, self.values[0])?);
        shape.remove(self.dim);
        extents.remove(self.dim);
        Ok((shape, extents))
    }

    /// Brings a line into shared memory; says whether this thread has seen a NaN.
    fn bring(&self, cx: &mut Cx, b: &mut Builder<'_>, team: &Team, line: &Line<'_>) -> Result<Option<ValueId>, Diag> {
        let (bit, threads) = (b.ir.int_type(1), b.index(team.size.threads()));
        let no = b.int(0, bit);
        let seen: Vec<ValueId> = self.order.second.map(|_| no).into_iter().collect();
        let seen = code::stride(cx, b, [team.thread, line.n, threads], &seen, |cx, b, i, seen| {
            let place = code::add(b, line.first, i);
            let mut values = Vec::new();
            for (&at, &buffer) in self.kept.iter().zip(line.buffers) {
                let value = element(cx, b, self.values[at], &with(line.at, self.dim, i))?;
                store(b, value, buffer, &[place]);
                values.push(value);
            }
            if seen.is_empty() {
                return Ok(Vec::new());
            }
            let own = self.compared(b, &values);
            precedes(cx, b, self.op, &own, &own)?;
            let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
            Ok(vec![code::or(b, seen[0], is_nan)])
        })?;
        Ok(seen.first().copied())
    }

    /// Values for all operands, of those that are kept: the comparator reads no other ones.
    fn compared(&self, b: &mut Builder<'_>, kept: &[ValueId]) -> Vec<ValueId> {
        let value = |(at, &value): (usize, &ValueId)| match self.kept.iter().position(|&kept| kept == at) {
            Some(at) => kept[at],
            None => {
                let elem = b.ir.elem_of(value);
                b.splat(0.0, elem)
            }
        };
        self.values.iter().enumerate().map(value).collect()
    }

    /// An element of a line in shared memory, as far as the comparator reads it.
    fn at(&self, b: &mut Builder<'_>, line: &Line<'_>, i: ValueId) -> Vec<ValueId> {
        let place = code::add(b, line.first, i);
        let kept: Vec<ValueId> = line.buffers.iter().map(|&buffer| load(b, buffer, &[place])).collect();
        self.compared(b, &kept)
    }

    /// An element of a line where it lies, as far as the comparator reads it.
    fn in_memory(&self, cx: &mut Cx, b: &mut Builder<'_>, line: &[ValueId], i: ValueId) -> Result<Vec<ValueId>, Diag> {
        let mut kept = Vec::new();
        for &at in &self.kept {
            kept.push(element(cx, b, self.values[at], &with(line, self.dim, i))?);
        }
        Ok(self.compared(b, &kept))
    }

    /// Whether the second one of the elements that were compared last is a NaN, if that may be.
    fn is_nan(&self, cx: &Cx, b: &mut Builder<'_>) -> Option<ValueId> {
        let number = cx.map.get(self.order.second?);
        Some(compare_floats(b, UNORDERED, number, number))
    }

    /// Stores an element of a line at another place of it.
    fn put(&self, cx: &mut Cx, b: &mut Builder<'_>, line: &Line<'_>, [from, to]: [ValueId; 2]) -> Result<(), Diag> {
        let (place, to) = (code::add(b, line.first, from), with(line.at, self.dim, to));
        for (at, (&value, &memref)) in self.values.iter().zip(&self.into).enumerate() {
            let value = match self.kept.iter().position(|&kept| kept == at) {
                Some(kept) => load(b, line.buffers[kept], &[place]),
                None => element(cx, b, value, &with(line.at, self.dim, from))?,
            };
            store(b, value, memref, &to);
        }
        Ok(())
    }

    /// How many elements of a line come before one.
    fn rank(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        [i, n]: [ValueId; 2],
        own: &[ValueId],
        at: Read<'_>,
    ) -> Result<ValueId, Diag> {
        let (zero, one, bit, index) = (b.index(0), b.index(1), b.ir.int_type(1), b.ir.index_type());
        let yes = b.int(1, bit);
        let counted = |b: &mut Builder<'_>, sum: ValueId, counts: ValueId| {
            let more = b.value(Opcode::ArithIndexCastui, &[counts], index, &[]);
            code::add(b, sum, more)
        };
        // In front of it, all that it does not precede; behind a NaN in front of it, all that is there already.
        let front = code::repeat(cx, b, [zero, i], &[zero], |cx, b, j, sum| {
            let other = at(cx, b, j)?;
            let precedes = precedes(cx, b, self.op, own, &other)?;
            let is_nan = self.is_nan(cx, b);
            let stays = code::xor(b, precedes, yes);
            let sum = counted(b, sum[0], stays);
            let all = code::add(b, j, one);
            Ok(vec![is_nan.map_or(sum, |is_nan| code::select(b, is_nan, all, sum))])
        })?;
        // Behind it, all that precedes it, up to a NaN.
        let behind = code::add(b, i, one);
        let inits: Vec<ValueId> = front.into_iter().chain(self.order.second.map(|_| yes)).collect();
        let all = code::repeat(cx, b, [behind, n], &inits, |cx, b, j, carried| {
            let other = at(cx, b, j)?;
            let mut comes = precedes(cx, b, self.op, &other, own)?;
            let mut next = Vec::new();
            if let Some(&reaches) = carried.get(1) {
                comes = code::and(b, comes, reaches);
                precedes(cx, b, self.op, own, &other)?;
                let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
                let is_number = code::xor(b, is_nan, yes);
                next.push(code::and(b, reaches, is_number));
            }
            Ok([vec![counted(b, carried[0], comes)], next].concat())
        })?;
        Ok(all[0])
    }

    /// Each element of a line in shared memory goes to the place that it counts.
    fn count(&self, cx: &mut Cx, b: &mut Builder<'_>, team: &Team, line: &Line<'_>) -> Result<(), Diag> {
        let threads = b.index(team.size.threads());
        code::stride(cx, b, [team.thread, line.n, threads], &[], |cx, b, i, _| {
            let own = self.at(b, line, i);
            let place = self.rank(cx, b, [i, line.n], &own, &|_, b, j| Ok(self.at(b, line, j)))?;
            code::when(cx, b, team.is_there, &mut |cx, b| self.put(cx, b, line, [i, place]))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Teams of a workgroup have short lines.
    fn counted(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size) -> Result<(), Diag> {
        let length = b.ir.shape_of(self.values[0])[self.dim];
        let buffers = self.buffers(b, (length * (cx.launch.workgroup_size / size.threads())).max(1));
        let (shape, extents) = self.lines(cx, b)?;
        teams::deal(cx, b, self.op, size, Together::Workgroup, &shape, &extents, |cx, b, team, at| {
            let n = b.index(length);
            let line = Line { at, n, buffers: &buffers, first: code::mul(b, team.nth, n) };
            self.bring(cx, b, team, &line)?;
            cx.wait(b);
            self.count(cx, b, team, &line)?;
            cx.wait(b);
            Ok(())
        })
    }

    /// Workgroups have lines of at most so many elements; longer ones are left alone.
    fn merged(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size, longest: i64) -> Result<(), Diag> {
        let buffers = self.buffers(b, longest.max(1));
        let (short, word) = (b.ir.int_type(16), b.ir.int_type(32));
        let places = b.alloc_shared(&[2 * longest.max(1)], short);
        let exchange = Exchange::of(b, size, &[word]);
        let (shape, mut extents) = self.lines(cx, b)?;
        if b.ir.shape_of(self.values[0])[self.dim] == DYNAMIC {
            let (n, zero, end) = (self.length(cx, b)?, b.index(0), b.index(longest + 1));
            let is_short = code::less(b, n, end);
            match extents.first_mut() {
                Some(first) => *first = code::select(b, is_short, *first, zero),
                None => {
                    let one = b.index(1);
                    extents.push(code::select(b, is_short, one, zero));
                }
            }
        }
        let rank = shape.len();
        teams::deal(cx, b, self.op, size, Together::Team, &shape, &extents, |cx, b, team, at| {
            let (zero, n) = (b.index(0), self.length(cx, b)?);
            let line = Line { at: &at[..rank], n, buffers: &buffers, first: zero };
            let seen = self.bring(cx, b, team, &line)?;
            let mut merges =
                |cx: &mut Cx, b: &mut Builder<'_>| self.merge(cx, b, team, &line, places, longest).map(|()| Vec::new());
            match seen {
                None => {
                    cx.wait(b);
                    merges(cx, b)?;
                }
                Some(seen) => {
                    let seen = b.value(Opcode::ArithExtui, &[seen], word, &[]);
                    let mut either = |_: &mut Cx, b: &mut Builder<'_>, one: &[ValueId], other: &[ValueId]| {
                        Ok(vec![b.binary(Opcode::ArithOri, one[0], other[0])])
                    };
                    let seen = team.across_lanes(cx, b, size.lanes, vec![seen], &mut either)?;
                    let seen = exchange.across_subgroups(cx, b, team, zero, seen, &mut either)?;
                    cx.wait(b);
                    let none = b.int(0, word);
                    let is_ordered = code::equal(b, seen[0], none);
                    let mut counts =
                        |cx: &mut Cx, b: &mut Builder<'_>| self.count(cx, b, team, &line).map(|()| Vec::new());
                    code::branch(cx, b, is_ordered, &[], &mut merges, &mut counts)?;
                }
            }
            cx.wait(b);
            Ok(())
        })
    }

    /// Merges runs of a line in shared memory, of one element at first, until it is one run.
    fn merge(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        line: &Line<'_>,
        places: ValueId,
        longest: i64,
    ) -> Result<(), Diag> {
        let (zero, one, two) = (b.index(0), b.index(1), b.index(2));
        let (threads, half) = (b.index(team.size.threads()), b.index(longest.max(1)));
        let (short, word) = (b.ir.int_type(16), b.ir.int_type(32));
        let step = [team.thread, line.n, threads];
        code::stride(cx, b, step, &[], |_, b, i, _| {
            let place = code::from_index(b, i, short);
            store(b, place, places, &[i]);
            Ok(Vec::new())
        })?;
        cx.wait(b);
        // The place of an element: where the run of a list has it.
        let place = |b: &mut Builder<'_>, list: ValueId, i: ValueId| {
            let at = code::add(b, list, i);
            let place = load(b, places, &[at]);
            code::to_index(b, place)
        };
        let (none, last) = (code::from_index(b, zero, word), code::sub(b, line.n, one));
        let [n, last] = [line.n, last].map(|value| code::from_index(b, value, word));
        let test = |_: &mut Cx, b: &mut Builder<'_>, carried: &[ValueId]| Ok(code::less(b, carried[0], line.n));
        let sorted = code::while_holds(cx, b, &[one, zero, half], test, |cx, b, carried| {
            let &[width, from, to] = carried else { unreachable!("three values are carried") };
            let both = code::mul(b, width, two);
            let in_both = code::sub(b, both, one);
            let width_word = code::from_index(b, width, word);
            code::stride(cx, b, step, &[], |cx, b, i, _| {
                let own_place = place(b, from, i);
                let own = self.at(b, line, own_place);
                // The run beside its own, and as much of it as is there; widths are powers of two.
                let into = code::and(b, i, in_both);
                let first = code::sub(b, i, into);
                let middle = code::add(b, first, width);
                let is_front = code::less(b, into, width);
                let other = code::select(b, is_front, middle, first);
                let other = code::from_index(b, other, word);
                let left = code::sub(b, n, other);
                let left = b.binary(Opcode::ArithMaxsi, left, none);
                let len = b.binary(Opcode::ArithMinsi, left, width_word);
                let run = Run { first: other, len, is_front };
                let read = |_: &mut Cx, b: &mut Builder<'_>, at: ValueId| {
                    let other = place(b, from, at);
                    Ok(self.at(b, line, other))
                };
                let before = self.bisect(cx, b, &[run], [width_word, last], &own, &read)?;
                let before = code::to_index(b, before[0]);
                // It moves by those of the other run that come before it.
                let own_first = code::select(b, is_front, zero, width);
                let moved = code::add(b, i, before);
                let moved = code::sub(b, moved, own_first);
                let at = code::add(b, to, moved);
                let own_place = code::from_index(b, own_place, short);
                store(b, own_place, places, &[at]);
                Ok(Vec::new())
            })?;
            cx.wait(b);
            Ok(vec![both, to, from])
        })?;
        code::stride(cx, b, step, &[], |cx, b, i, _| {
            let from = place(b, sorted[1], i);
            self.put(cx, b, line, [from, i]).map(|()| Vec::new())
        })?;
        Ok(())
    }

    /// Lines whose runs of so many elements are sorted: workgroups share them by segments. Each element finds its place in
    /// all other runs by bisection, or, in a line with NaNs, counts those that come before it.
    fn by_runs(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size, run: i64) -> Result<(), Diag> {
        let length = b.ir.shape_of(self.values[0])[self.dim];
        let (mut shape, mut extents) = self.lines(cx, b)?;
        let rank = shape.len();
        let segments = (length + size.threads() - 1) / size.threads();
        shape.push(segments);
        extents.push(b.index(segments));
        let (word, index) = (b.ir.int_type(32), b.ir.index_type());
        let exchange = Exchange::of(b, size, &[word]);
        teams::deal(cx, b, self.op, size, Together::Team, &shape, &extents, |cx, b, team, at| {
            let (line, zero, one) = (&at[..rank], b.index(0), b.index(1));
            let [n, threads] = [length, size.threads()].map(|n| b.index(n));
            let first = code::mul(b, at[rank], threads);
            let place = code::add(b, first, team.thread);
            let is_own = code::less(b, place, n);
            let last = code::sub(b, n, one);
            let i = code::select(b, is_own, place, last);
            let read = |cx: &mut Cx, b: &mut Builder<'_>, j: ValueId| self.in_memory(cx, b, line, j);
            let own = read(cx, b, i)?;
            let mut bisects = |cx: &mut Cx, b: &mut Builder<'_>| self.in_runs(cx, b, [length, run], i, &own, &read);
            let place = if self.order.second.is_none() {
                bisects(cx, b)?
            } else {
                let none = b.int(0, word);
                let together = (length / size.threads()).clamp(1, LOADS);
                let step = b.index(together * size.threads());
                let seen = code::stride(cx, b, [team.thread, n, step], &[none], |cx, b, j, seen| {
                    let mut seen = seen[0];
                    for at in 0..together {
                        let behind = b.index(at * size.threads());
                        let j = code::add(b, j, behind);
                        let j = b.binary(Opcode::ArithMinsi, j, last);
                        let other = read(cx, b, j)?;
                        precedes(cx, b, self.op, &other, &other)?;
                        let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
                        let is_nan = b.value(Opcode::ArithExtui, &[is_nan], word, &[]);
                        seen = b.binary(Opcode::ArithOri, seen, is_nan);
                    }
                    Ok(vec![seen])
                })?;
                let mut either = |_: &mut Cx, b: &mut Builder<'_>, one: &[ValueId], other: &[ValueId]| {
                    Ok(vec![b.binary(Opcode::ArithOri, one[0], other[0])])
                };
                let seen = team.across_lanes(cx, b, size.lanes, seen, &mut either)?;
                let seen = exchange.across_subgroups(cx, b, team, zero, seen, &mut either)?;
                let is_ordered = code::equal(b, seen[0], none);
                let mut counts = |cx: &mut Cx, b: &mut Builder<'_>| Ok(vec![self.rank(cx, b, [i, n], &own, &read)?]);
                code::branch(cx, b, is_ordered, &[index], &mut bisects, &mut counts)?
            };
            let is_own = team.is_there.map_or(is_own, |is_there| code::and(b, is_own, is_there));
            code::when(cx, b, Some(is_own), &mut |cx, b| {
                for (&value, &memref) in self.values.iter().zip(&self.into) {
                    let own = element(cx, b, value, &with(line, self.dim, i))?;
                    store(b, own, memref, &with(line, self.dim, place[0]));
                }
                Ok(())
            })?;
            cx.wait(b);
            Ok(())
        })
    }

    /// Teams find the first elements of lines in rounds. A NaN stays where it is: elements in front of it, and those behind
    /// it, are lines of their own.
    fn by_rounds(&self, cx: &mut Cx, b: &mut Builder<'_>, first: i64, compared: usize) -> Result<(), Diag> {
        let length = b.ir.shape_of(self.values[0])[self.dim];
        let (shape, extents) = self.lines(cx, b)?;
        let lines = (!shape.contains(&DYNAMIC)).then(|| shape.iter().fold(1i64, |n, &extent| n.saturating_mul(extent)));
        let size = Size::of(cx, Some(length)).expect("threads have somebody to share with");
        // Teams of a subgroup exchange values together: lines whose NaNs are elsewhere would not.
        let size =
            if self.order.second.is_some() { size.of_subgroups(cx) } else { rounds::enough(size, Some(length), lines) };
        let rounds =
            Rounds { op: self.op, dim: self.dim, operands: self.values.clone(), compared, nobody: rounds::LAST };
        let (elem, word) = (b.ir.elem_of(self.values[compared]), rounds::word(b, length));
        let exchange = Exchange::of(b, size, &[elem, word]);
        let of_places = Exchange::of(b, size, &[word]);
        teams::deal(cx, b, self.op, size, Together::Team, &shape, &extents, |cx, b, team, at| {
            let [zero, one, n, first] = [0, 1, length, first].map(|n| b.index(n));
            let nobody = [b.splat(0.0, elem), b.int(rounds::LAST, word)];
            let stores = team.stores(b);
            let put = |cx: &mut Cx, b: &mut Builder<'_>, from: ValueId, to: ValueId| {
                for (&value, &memref) in self.values.iter().zip(&self.into) {
                    let value = element(cx, b, value, &with(at, self.dim, from))?;
                    store(b, value, memref, &with(at, self.dim, to));
                }
                Ok(())
            };
            let find = |cx: &mut Cx, b: &mut Builder<'_>, places: [ValueId; 3]| {
                rounds.find(cx, b, team, &exchange, at, places, nobody, |cx, b, round, best| {
                    let from = code::to_index(b, best[1]);
                    code::when(cx, b, Some(stores), &mut |cx, b| put(cx, b, from, round))
                })?;
                exchange.end(b);
                Ok(())
            };
            if self.order.second.is_none() {
                return find(cx, b, [zero, n, first]);
            }
            let test = |_: &mut Cx, b: &mut Builder<'_>, begin: &[ValueId]| Ok(code::less(b, begin[0], first));
            code::while_holds(cx, b, &[zero], test, |cx, b, begin| {
                let end = self.nan_behind(cx, b, team, &of_places, at, [begin[0], n])?;
                let last = b.binary(Opcode::ArithMinsi, end, first);
                find(cx, b, [begin[0], end, last])?;
                let is_there = code::less(b, end, first);
                let is_there = code::and(b, is_there, stores);
                code::when(cx, b, Some(is_there), &mut |cx, b| put(cx, b, end, end))?;
                Ok(vec![code::add(b, end, one)])
            })?;
            Ok(())
        })
    }

    /// The place of the first NaN of a line from a place on, or the end of the line.
    fn nan_behind(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        exchange: &Exchange,
        line: &[ValueId],
        [begin, end]: [ValueId; 2],
    ) -> Result<ValueId, Diag> {
        let word = rounds::word(b, b.ir.shape_of(self.values[0])[self.dim]);
        let (zero, threads) = (b.index(0), b.index(team.size.threads()));
        let (own, none) = (code::add(b, begin, team.thread), code::from_index(b, end, word));
        let found = code::stride(cx, b, [own, end, threads], &[none], |cx, b, i, found| {
            let value = self.in_memory(cx, b, line, i)?;
            precedes(cx, b, self.op, &value, &value)?;
            let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
            let place = code::from_index(b, i, word);
            let place = code::select(b, is_nan, place, none);
            Ok(vec![b.binary(Opcode::ArithMinsi, found[0], place)])
        })?;
        let mut least = |_: &mut Cx, b: &mut Builder<'_>, one: &[ValueId], other: &[ValueId]| {
            Ok(vec![b.binary(Opcode::ArithMinsi, one[0], other[0])])
        };
        let found = team.across_lanes(cx, b, team.size.lanes, found, &mut least)?;
        let found = exchange.across_subgroups(cx, b, team, zero, found, &mut least)?;
        exchange.end(b);
        Ok(code::to_index(b, found[0]))
    }

    /// How many elements of a line come before the one at `i`, by bisection of its runs.
    fn in_runs(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        [n, run]: [i64; 2],
        i: ValueId,
        own: &[ValueId],
        read: Read<'_>,
    ) -> Result<Vec<ValueId>, Diag> {
        let runs = (n + run - 1) / run;
        let together = (runs + BISECTIONS - 1) / BISECTIONS;
        let together = (runs + together - 1) / together;
        let word = b.ir.int_type(32);
        let (zero, end, step) = (b.index(0), b.index(n), b.index(together * run));
        let [none, end_word, last, run_word] = [0, n, n - 1, run].map(|n| b.int(n, word));
        let top = b.int(1 << run.ilog2(), word);
        let i = code::from_index(b, i, word);
        let own_run = code::div(b, i, run_word);
        let own_first = code::mul(b, own_run, run_word);
        let before = code::stride(cx, b, [zero, end, step], &[none], |cx, b, first, sum| {
            let first = code::from_index(b, first, word);
            let run_at = |b: &mut Builder<'_>, at: i64| {
                let behind = b.int(at * run, word);
                let first = code::add(b, first, behind);
                let left = code::sub(b, end_word, first);
                let left = b.binary(Opcode::ArithMaxsi, left, none);
                let len = b.binary(Opcode::ArithMinsi, left, run_word);
                Run { first, len, is_front: code::less(b, own_first, first) }
            };
            let runs: Vec<Run> = (0..together).map(|at| run_at(b, at)).collect();
            let found = self.bisect(cx, b, &runs, [top, last], own, read)?;
            let mut sum = sum[0];
            for (run, found) in runs.iter().zip(found) {
                // Of its own run, all that stands in front of it comes before it.
                let (is_own, in_front) = (code::equal(b, run.first, own_first), code::sub(b, i, own_first));
                let more = code::select(b, is_own, in_front, found);
                sum = code::add(b, sum, more);
            }
            Ok(vec![sum])
        })?;
        Ok(vec![code::to_index(b, before[0])])
    }

    /// How many elements of some runs come before one of another run. All runs take as many steps, side by side, and no
    /// step waits for a branch: `top` is the largest power of two that a run may have elements, `last` the last place
    /// that may be read.
    fn bisect(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        runs: &[Run],
        [top, last]: [ValueId; 2],
        own: &[ValueId],
        read: Read<'_>,
    ) -> Result<Vec<ValueId>, Diag> {
        let word = b.ir.type_of(top);
        let [none, one] = [0, 1].map(|n| b.int(n, word));
        let mut inits = vec![top];
        inits.extend(runs.iter().map(|_| none));
        let test = |_: &mut Cx, b: &mut Builder<'_>, carried: &[ValueId]| Ok(code::less(b, none, carried[0]));
        let mut found = code::while_holds(cx, b, &inits, test, |cx, b, carried| {
            let step = carried[0];
            let mut next = vec![b.binary(Opcode::ArithShrui, step, one)];
            for (run, &before) in runs.iter().zip(&carried[1..]) {
                let more = code::add(b, before, step);
                let behind = code::add(b, run.first, more);
                let at = code::sub(b, behind, one);
                let at = b.binary(Opcode::ArithMinsi, at, last);
                let at = code::to_index(b, at);
                let other = read(cx, b, at)?;
                let comes = self.comes_before(cx, b, &other, own, run.is_front)?;
                let is_beyond = code::less(b, run.len, more);
                let more = code::select(b, comes, more, before);
                next.push(code::select(b, is_beyond, before, more));
            }
            Ok(next)
        })?;
        found.remove(0);
        Ok(found)
    }

    /// Whether an element of another run comes before one that stands in front of that run, or behind it: of two elements,
    /// the one further back comes first only if it precedes the other one.
    fn comes_before(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        other: &[ValueId],
        own: &[ValueId],
        is_front: ValueId,
    ) -> Result<ValueId, Diag> {
        let pick = |b: &mut Builder<'_>, yes: &[ValueId], no: &[ValueId]| -> Vec<ValueId> {
            yes.iter().zip(no).map(|(&yes, &no)| code::select(b, is_front, yes, no)).collect()
        };
        let (back, front) = (pick(b, other, own), pick(b, own, other));
        let precedes = precedes(cx, b, self.op, &back, &front)?;
        Ok(code::equal(b, precedes, is_front))
    }

    /// Lines that are longer than some that have been sorted.
    fn longer(&self, cx: &mut Cx, b: &mut Builder<'_>, is_in_place: bool, sorted: Option<i64>) -> Result<(), Diag> {
        if is_in_place {
            if sorted.is_none() {
                cx.note_alone(b.ir, self.op, "shared memory does not hold it, and its result lies where it lies");
            }
            return in_order(cx, b, self.op, self.dim, &self.into, sorted);
        }
        // Each thread counts the place of an element.
        let shape = b.ir.shape_of(self.values[0]).to_vec();
        let mut extents = extents::of(cx, b, self.values[0])?;
        let n = extents[self.dim];
        extents[self.dim] = longer(b, n, sorted);
        code::deal(cx, b, &shape, &extents, |cx, b, at| {
            let mut line = at.to_vec();
            let i = line.remove(self.dim);
            let mut own = Vec::new();
            for &value in &self.values {
                own.push(element(cx, b, value, at)?);
            }
            let place = self.rank(cx, b, [i, n], &own, &|cx, b, j| self.in_memory(cx, b, &line, j))?;
            for (&value, &memref) in own.iter().zip(&self.into) {
                store(b, value, memref, &with(&line, self.dim, place));
            }
            Ok(())
        })
    }
}
