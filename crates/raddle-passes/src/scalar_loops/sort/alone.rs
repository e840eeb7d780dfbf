//! Lines that one thread sorts, on machines whose threads have nobody to share with.
//!
//! What is compared has digits as a rule, by which a line is sorted (`digits.rs`). Of short lines, and where it has none, the
//! line is brought into memory of the thread. Short runs of it are sorted by putting in one element after the other, and
//! then runs are merged from there into the result and back, until it is one run. Without digits, lines that this memory
//! does not hold come in two runs, which are merged where they lie. Of a line of which a few elements are read, these are
//! kept as a list while the thread looks through it.
//!
//! Nothing passes a NaN: what stands between two of them is sorted by itself.

use raddle_ir::{Builder, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, ValueId};

use super::{Sort, precedes, put_in};
use crate::facts::Facts;
use crate::scalar_loops::lines::{each_line, with};
use crate::scalar_loops::rules::element;
use crate::scalar_loops::{Cx, code, load, store};

/// Elements of a line that a thread brings into memory of its own, at most; 0 where its elements have no bytes there.
pub(crate) fn longest(ir: &Ir, op: OpId, facts: &Facts) -> i64 {
    elements(ir, ir.operands(op), i64::from(facts.chip.shared_bytes_max) / PART)
}

fn elements(ir: &Ir, values: &[ValueId], shared_bytes: i64) -> i64 {
    let bytes = values.iter().try_fold(0, |sum, &value| {
        let scalar = Scalar::of(&ir[ir.elem_of(value)]).filter(|scalar| scalar.bits() >= 8)?;
        Some(sum + scalar.bytes() as i64)
    });
    // Each buffer may begin at a multiple of 16 bytes.
    bytes.map_or(0, |bytes: i64| (shared_bytes - 16 * values.len() as i64) / bytes)
}

/// What part of its memory a thread has elements in.
const PART: i64 = 2;

/// Elements of a run that takes less time to be sorted than to be merged.
const SHORT: i64 = 32;

/// Where the elements of a line are: tensors, or memory.
pub(super) enum Place<'a> {
    Operands,
    Own(&'a [ValueId]),
    Result,
}

impl Sort {
    /// Sorts lines by digits, or merges their runs, in memory of the thread; those that it does not hold stay as they are.
    /// Gives how many elements it holds.
    pub(super) fn alone(&self, cx: &mut Cx, b: &mut Builder<'_>) -> Result<i64, Diag> {
        let known = b.ir.shape_of(self.values[0])[self.dim];
        let most = elements(b.ir, &self.values, cx.shared_bytes_max / PART);
        let held = if known == DYNAMIC { most } else { known.min(most) };
        if held < known || held == 0 {
            return Ok(held);
        }
        let buffers: Vec<ValueId> =
            self.values.iter().map(|&value| b.alloc_shared(&[held], b.ir.elem_of(value))).collect();
        let counts = self.counts(b, held);
        each_line(cx, b, self.values[0], self.dim, |cx, b, at, n| {
            let [zero, one, held] = [0, 1, held].map(|n| b.index(n));
            let is_longer = code::less(b, held, n);
            let n = code::select(b, is_longer, zero, n);
            let (own, result) = (Place::Own(&buffers), Place::Result);
            let mut merged = |cx: &mut Cx, b: &mut Builder<'_>, part: [ValueId; 2]| {
                self.copy(cx, b, at, [&Place::Operands, &own], part)?;
                self.merge_all(cx, b, at, &buffers, part)?;
                self.copy(cx, b, at, [&own, &result], part)
            };
            if let Some(counts) = &counts {
                let mut by_digits = |cx: &mut Cx, b: &mut Builder<'_>, part: [ValueId; 2]| {
                    self.by_digits(cx, b, at, counts, &own, part)
                };
                return self.parts(cx, b, at, n, counts, &counts.all(), [&mut by_digits, &mut merged]);
            }
            let test = |_: &mut Cx, b: &mut Builder<'_>, begin: &[ValueId]| Ok(code::less(b, begin[0], n));
            code::while_holds(cx, b, &[zero], test, |cx, b, begin| {
                let end = self.first_nan(cx, b, at, &Place::Operands, [begin[0], n])?;
                merged(cx, b, [begin[0], end])?;
                // The NaN behind them.
                let behind = code::add(b, end, one);
                let last = b.binary(Opcode::ArithMinsi, behind, n);
                self.copy(cx, b, at, [&Place::Operands, &result], [end, last])?;
                Ok(vec![behind])
            })?;
            Ok(())
        })?;
        Ok(most)
    }

    /// Sorts a part of a line in the thread's memory.
    fn merge_all(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        buffers: &[ValueId],
        [begin, end]: [ValueId; 2],
    ) -> Result<(), Diag> {
        let [two, four, short] = [2, 4, SHORT].map(|n| b.index(n));
        let own = Place::Own(buffers);
        code::stride(cx, b, [begin, end, short], &[], |cx, b, first, _| {
            let last = code::add(b, first, short);
            let last = b.binary(Opcode::ArithMinsi, last, end);
            code::repeat(cx, b, [first, last], &[], |cx, b, i, _| {
                let new = self.read(cx, b, at, &own, i)?;
                put_in(cx, b, self.op, 0, buffers, &[], [first, i], &new)?;
                Ok(Vec::new())
            })
        })?;
        let length = code::sub(b, end, begin);
        let test = |_: &mut Cx, b: &mut Builder<'_>, width: &[ValueId]| Ok(code::less(b, width[0], length));
        code::while_holds(cx, b, &[short], test, |cx, b, width| {
            let doubled = code::mul(b, width[0], two);
            for (width, from, to) in [(width[0], &own, &Place::Result), (doubled, &Place::Result, &own)] {
                let step = code::mul(b, width, two);
                code::stride(cx, b, [begin, end, step], &[], |cx, b, first, _| {
                    let [middle, last] = [width, step].map(|n| {
                        let at = code::add(b, first, n);
                        b.binary(Opcode::ArithMinsi, at, end)
                    });
                    self.merge_two(cx, b, at, [from, to], [first, middle, last])?;
                    Ok(Vec::new())
                })?;
            }
            Ok(vec![code::mul(b, width[0], four)])
        })?;
        Ok(())
    }

    /// Merges the run from `first` to `middle` and that from there to `last`.
    fn merge_two(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        [from, to]: [&Place<'_>; 2],
        [first, middle, last]: [ValueId; 3],
    ) -> Result<(), Diag> {
        let one = b.index(1);
        let end = code::sub(b, last, one);
        code::repeat(cx, b, [first, last], &[first, middle], |cx, b, k, carried| {
            let &[i, j] = carried else { unreachable!("two places are carried") };
            let back_at = b.binary(Opcode::ArithMinsi, j, end);
            let (front, back) = (self.read(cx, b, at, from, i)?, self.read(cx, b, at, from, back_at)?);
            let (has_front, has_back) = (code::less(b, i, middle), code::less(b, j, last));
            let comes_first = precedes(cx, b, self.op, &back, &front)?;
            let is_alone = code::not(b, has_front);
            let takes_back = code::or(b, comes_first, is_alone);
            let takes_back = code::and(b, takes_back, has_back);
            let pairs = front.iter().zip(&back);
            let taken: Vec<ValueId> = pairs.map(|(&front, &back)| code::select(b, takes_back, back, front)).collect();
            self.write(b, at, to, k, &taken);
            let [next_i, next_j] = [i, j].map(|at| code::add(b, at, one));
            Ok(vec![code::select(b, takes_back, i, next_i), code::select(b, takes_back, next_j, j)])
        })?;
        Ok(())
    }

    /// Merges the two runs of lines, the first of which has so many elements, where they lie.
    pub(super) fn merge_runs(&self, cx: &mut Cx, b: &mut Builder<'_>, run: i64) -> Result<(), Diag> {
        each_line(cx, b, self.values[0], self.dim, |cx, b, at, n| {
            let (zero, middle) = (b.index(0), b.index(run));
            let places = [&Place::Operands, &Place::Result];
            let first = self.behind_nans(cx, b, at, middle)?;
            let last = self.first_nan(cx, b, at, places[0], [middle, n])?;
            self.copy(cx, b, at, places, [zero, first])?;
            self.merge_two(cx, b, at, places, [first, middle, last])?;
            self.copy(cx, b, at, places, [last, n])
        })
    }

    /// Of lines of which so many elements are read, a list of these.
    pub(super) fn listed(&self, cx: &mut Cx, b: &mut Builder<'_>, first: i64) -> Result<(), Diag> {
        let is_float = self.order.second.is_some();
        each_line(cx, b, self.values[0], self.dim, |cx, b, at, n| {
            let (bit, [zero, last, first]) = (b.ir.int_type(1), [0, first - 1, first].map(|n| b.index(n)));
            let no = b.int(0, bit);
            let length = b.binary(Opcode::ArithMinsi, first, n);
            code::repeat(cx, b, [zero, length], &[], |cx, b, i, _| {
                let new = self.read(cx, b, at, &Place::Operands, i)?;
                put_in(cx, b, self.op, self.dim, &self.into, at, [zero, i], &new)?;
                Ok(Vec::new())
            })?;
            code::repeat(cx, b, [length, n], &[no], |cx, b, i, is_closed| {
                let new = self.read(cx, b, at, &Place::Operands, i)?;
                let worst = self.read(cx, b, at, &Place::Result, last)?;
                let enters = precedes(cx, b, self.op, &new, &worst)?;
                let is_open = code::not(b, is_closed[0]);
                let enters = code::and(b, enters, is_open);
                code::when(cx, b, Some(enters), &mut |cx, b| {
                    put_in(cx, b, self.op, self.dim, &self.into, at, [zero, last], &new)
                })?;
                if !is_float {
                    return Ok(is_closed.to_vec());
                }
                precedes(cx, b, self.op, &new, &new)?;
                let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
                Ok(vec![code::or(b, is_closed[0], is_nan)])
            })?;
            Ok(())
        })
    }

    /// The element at a place of a line.
    pub(super) fn read(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        from: &Place<'_>,
        i: ValueId,
    ) -> Result<Vec<ValueId>, Diag> {
        let place = with(at, self.dim, i);
        match from {
            Place::Operands => self.values.iter().map(|&value| element(cx, b, value, &place)).collect(),
            Place::Own(buffers) => Ok(buffers.iter().map(|&buffer| load(b, buffer, &[i])).collect()),
            Place::Result => Ok(self.into.iter().map(|&memref| load(b, memref, &place)).collect()),
        }
    }

    pub(super) fn write(&self, b: &mut Builder<'_>, at: &[ValueId], to: &Place<'_>, i: ValueId, values: &[ValueId]) {
        let place = with(at, self.dim, i);
        let (memrefs, place) = match to {
            Place::Operands => unreachable!("nothing is written to operands"),
            Place::Own(buffers) => (*buffers, vec![i]),
            Place::Result => (&self.into[..], place),
        };
        for (&value, &memref) in values.iter().zip(memrefs) {
            store(b, value, memref, &place);
        }
    }

    /// Copies a part of a line.
    pub(super) fn copy(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        [from, to]: [&Place<'_>; 2],
        part: [ValueId; 2],
    ) -> Result<(), Diag> {
        code::repeat(cx, b, part, &[], |cx, b, i, _| {
            let values = self.read(cx, b, at, from, i)?;
            self.write(b, at, to, i, &values);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Where the first NaN of a part of a line is, or the part ends.
    pub(super) fn first_nan(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        from: &Place<'_>,
        [begin, end]: [ValueId; 2],
    ) -> Result<ValueId, Diag> {
        if self.order.second.is_none() {
            return Ok(end);
        }
        let one = b.index(1);
        let last = code::sub(b, end, one);
        let test = |cx: &mut Cx, b: &mut Builder<'_>, i: &[ValueId]| {
            let (is_there, i) = (code::less(b, i[0], end), b.binary(Opcode::ArithMinsi, i[0], last));
            let is_number = self.is_number(cx, b, at, from, i)?;
            Ok(code::and(b, is_there, is_number))
        };
        Ok(code::while_holds(cx, b, &[begin], test, |_, b, i| Ok(vec![code::add(b, i[0], one)]))?[0])
    }

    /// The place behind the last NaN of the operands in front of a place, or 0.
    fn behind_nans(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId], end: ValueId) -> Result<ValueId, Diag> {
        let (zero, one) = (b.index(0), b.index(1));
        if self.order.second.is_none() {
            return Ok(zero);
        }
        let test = |cx: &mut Cx, b: &mut Builder<'_>, i: &[ValueId]| {
            let (is_there, front) = (code::less(b, zero, i[0]), code::sub(b, i[0], one));
            let front = b.binary(Opcode::ArithMaxsi, front, zero);
            let is_number = self.is_number(cx, b, at, &Place::Operands, front)?;
            Ok(code::and(b, is_there, is_number))
        };
        Ok(code::while_holds(cx, b, &[end], test, |_, b, i| Ok(vec![code::sub(b, i[0], one)]))?[0])
    }

    pub(super) fn is_number(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        from: &Place<'_>,
        i: ValueId,
    ) -> Result<ValueId, Diag> {
        let value = self.read(cx, b, at, from, i)?;
        precedes(cx, b, self.op, &value, &value)?;
        let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
        Ok(code::not(b, is_nan))
    }
}
