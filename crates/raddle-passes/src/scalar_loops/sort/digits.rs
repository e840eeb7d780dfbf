//! Lines that one thread sorts by the digits of what it compares, on machines whose threads have nobody to share with.
//!
//! The number of each element becomes an integer without a sign that is in the same order: [`Sort::key`]. For each of its
//! digits of eight bits, the last one first, a pass counts the elements with each digit, and then puts each element behind
//! those with smaller digits and those that it stood behind (an LSD radix sort). Equal digits keep their order, so that
//! after the last pass the elements are sorted, and equal elements are in their order, too.
//!
//! In a line that the thread's memory holds, the digits of all passes are counted at once, and elements go from the operands
//! to this memory, from there to the result and back. Two passes that would leave every element where it is are left
//! out. A longer line is sorted by several operations, each of which has one pass ([`DIGIT`]).
//!
//! Nothing passes a NaN: what stands between two of them is sorted by itself.

use raddle_ir::{Attr, Builder, Diag, Float, Ir, Opcode, Scalar, TypeId, ValueId};

use super::alone::Place;
use super::{Sort, precedes, put_in};
use crate::code::{LESS, compare};
use crate::scalar_loops::lines::{each_line, with};
use crate::scalar_loops::order::Order;
use crate::scalar_loops::{Cx, code, load, refuse, store};

/// Says which digit of their numbers elements are sorted by, counted from the last one.
pub(crate) const DIGIT: &str = "raddle.digit";

/// Bits of a digit, and values that it has.
const BITS: i64 = 8;
const VALUES: i64 = 1 << BITS;

/// Two of three, as `memref.prefetch` numbers how near a cache is: the second one.
const NEAR: i128 = 2;

/// Elements for each digit of a line that takes less time to be merged.
const FEW: i64 = 12;
const FEWEST: i64 = 32;

/// Writes code that sorts a part of a line.
pub(super) type Part<'a> = &'a mut dyn FnMut(&mut Cx, &mut Builder<'_>, [ValueId; 2]) -> Result<(), Diag>;

/// How many digits the numbers have that a sort compares, if they are known to be in the order of integers.
pub(crate) fn digits(ir: &Ir, order: &Order) -> Option<i64> {
    let bits = match Scalar::of(&ir[ir.type_of(order.number)])? {
        Scalar::Float(Float::F16 | Float::BF16) => 16,
        Scalar::Float(Float::F32) => 32,
        Scalar::Float(Float::F64) | Scalar::Index => 64,
        Scalar::Float(_) => return None,
        Scalar::Int(bits) => i64::from(bits.max(8).next_power_of_two()),
    };
    (bits <= 64).then_some(bits / BITS)
}

/// What a thread counts in: how many elements have each digit, and then where the next one of them goes.
pub(super) struct Counts {
    n_digits: i64,
    memory: ValueId,
}

impl Counts {
    fn new(b: &mut Builder<'_>, n_digits: i64) -> Counts {
        let elem = b.ir.int_type(32);
        Counts { n_digits, memory: b.alloc_shared(&[n_digits * VALUES], elem) }
    }

    /// The digits that are counted, if these are all.
    pub fn all(&self) -> Vec<i64> {
        (0..self.n_digits).collect()
    }

    /// Elements that take less time to be merged, at most.
    fn few(&self) -> i64 {
        FEWEST.max(FEW * self.n_digits)
    }

    /// Where the count of the elements with the digit of a key is, the first, second … digit of those that are counted.
    fn place(&self, b: &mut Builder<'_>, key: ValueId, of: [i64; 2]) -> ValueId {
        let [digit, counted] = of;
        let ty = b.ir.type_of(key);
        let [shift, mask] = [digit * BITS, VALUES - 1].map(|n| b.int(n, ty));
        let shifted = b.binary(Opcode::ArithShrui, key, shift);
        let value = code::and(b, shifted, mask);
        let (value, first) = (code::to_index(b, value), b.index(counted * VALUES));
        code::add(b, first, value)
    }

    /// Adds one to a count; gives what it was.
    fn next(&self, b: &mut Builder<'_>, place: ValueId) -> ValueId {
        let old = load(b, self.memory, &[place]);
        let one = b.int(1, b.ir.type_of(old));
        let new = code::add(b, old, one);
        store(b, new, self.memory, &[place]);
        old
    }

    fn clear(&self, cx: &mut Cx, b: &mut Builder<'_>) -> Result<(), Diag> {
        let (bounds, word) = ([0, self.n_digits * VALUES].map(|n| b.index(n)), b.ir.int_type(32));
        let none = b.int(0, word);
        code::repeat(cx, b, bounds, &[], |_, b, i, _| {
            store(b, none, self.memory, &[i]);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Turns counts into the places where the first elements with each digit go, of elements from `begin` on.
    fn become_places(&self, cx: &mut Cx, b: &mut Builder<'_>, begin: ValueId) -> Result<(), Diag> {
        let (bounds, word) = ([0, VALUES].map(|n| b.index(n)), b.ir.int_type(32));
        let begin = code::from_index(b, begin, word);
        let begins = vec![begin; self.n_digits as usize];
        code::repeat(cx, b, bounds, &begins, |_, b, value, places| {
            let mut behind = Vec::new();
            for (counted, &place) in (0..).zip(places) {
                let first = b.index(counted * VALUES);
                let at = code::add(b, first, value);
                let count = load(b, self.memory, &[at]);
                store(b, place, self.memory, &[at]);
                behind.push(code::add(b, place, count));
            }
            Ok(behind)
        })?;
        Ok(())
    }
}

impl Sort {
    /// What lines of at most so many elements are counted in, if they are sorted by digits.
    pub(super) fn counts(&self, b: &mut Builder<'_>, most: i64) -> Option<Counts> {
        let n_digits = digits(b.ir, &self.order).filter(|n_digits| FEWEST.max(n_digits * FEW) < most)?;
        Some(Counts::new(b, n_digits))
    }

    /// An operation's pass over lines where they lie.
    pub(super) fn by_digit(&self, cx: &mut Cx, b: &mut Builder<'_>, digit: i64) -> Result<(), Diag> {
        if digits(b.ir, &self.order).is_none_or(|n_digits| digit >= n_digits) {
            return Err(refuse(b.ir, self.op, "its numbers have no such digit"));
        }
        let counts = Counts::new(b, 1);
        each_line(cx, b, self.values[0], self.dim, |cx, b, at, n| {
            let places = [&Place::Operands, &Place::Result];
            let mut pass = |cx: &mut Cx, b: &mut Builder<'_>, part: [ValueId; 2]| {
                counts.become_places(cx, b, part[0])?;
                self.pass(cx, b, at, &counts, [digit, 0], places, part, false)
            };
            // What is sorted already stays so.
            let mut put_in = |cx: &mut Cx, b: &mut Builder<'_>, part: [ValueId; 2]| {
                code::repeat(cx, b, part, &[], |cx, b, i, _| {
                    let new = self.read(cx, b, at, &Place::Operands, i)?;
                    put_in(cx, b, self.op, self.dim, &self.into, at, [part[0], i], &new)?;
                    Ok(Vec::new())
                })?;
                Ok(())
            };
            self.parts(cx, b, at, n, &counts, &[digit], [&mut pass, &mut put_in])
        })
    }

    /// Sorts a line in parts, which end in front of NaNs: long ones, whose digits have been counted, and short ones.
    #[allow(clippy::too_many_arguments, reason = "the line, what is counted of it, and two ways to sort")]
    pub(super) fn parts(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        n: ValueId,
        counts: &Counts,
        digits: &[i64],
        [long, short]: [Part<'_>; 2],
    ) -> Result<(), Diag> {
        let (zero, one, few) = (b.index(0), b.index(1), b.index(counts.few()));
        counts.clear(cx, b)?;
        let has_nan = self.has_nan(cx, b, at, n)?;
        let test = |_: &mut Cx, b: &mut Builder<'_>, begin: &[ValueId]| Ok(code::less(b, begin[0], n));
        code::while_holds(cx, b, &[zero], test, |cx, b, begin| {
            let begin = begin[0];
            let mut first_nan =
                |cx: &mut Cx, b: &mut Builder<'_>| Ok(vec![self.first_nan(cx, b, at, &Place::Operands, [begin, n])?]);
            let end = match has_nan {
                None => n,
                Some(has_nan) => {
                    let index = b.ir.index_type();
                    code::branch(cx, b, has_nan, &[index], &mut first_nan, &mut |_, _| Ok(vec![n]))?[0]
                }
            };
            let add = |b: &mut Builder<'_>, place: ValueId| {
                counts.next(b, place);
            };
            self.each_count(cx, b, (counts, at), digits, [begin, end], &add)?;
            let length = code::sub(b, end, begin);
            let is_long = code::less(b, few, length);
            let mut long = |cx: &mut Cx, b: &mut Builder<'_>| {
                long(cx, b, [begin, end])?;
                counts.clear(cx, b)?;
                Ok(Vec::new())
            };
            let mut short = |cx: &mut Cx, b: &mut Builder<'_>| {
                let none = |b: &mut Builder<'_>, place: ValueId| {
                    let word = b.ir.int_type(32);
                    let none = b.int(0, word);
                    store(b, none, counts.memory, &[place]);
                };
                self.each_count(cx, b, (counts, at), digits, [begin, end], &none)?;
                short(cx, b, [begin, end])?;
                Ok(Vec::new())
            };
            code::branch(cx, b, is_long, &[], &mut long, &mut short)?;
            // The NaN behind them.
            let behind = code::add(b, end, one);
            let last = b.binary(Opcode::ArithMinsi, behind, n);
            self.copy(cx, b, at, [&Place::Operands, &Place::Result], [end, last])?;
            Ok(vec![behind])
        })?;
        Ok(())
    }

    /// Goes through the counts of the digits of the elements of a part of a line.
    fn each_count(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        (counts, at): (&Counts, &[ValueId]),
        digits: &[i64],
        part: [ValueId; 2],
        visit: &dyn Fn(&mut Builder<'_>, ValueId),
    ) -> Result<(), Diag> {
        code::repeat(cx, b, part, &[], |cx, b, i, _| {
            let values = self.read(cx, b, at, &Place::Operands, i)?;
            let key = self.key(cx, b, &values)?;
            for (counted, &digit) in (0..).zip(digits) {
                let place = counts.place(b, key, [digit, counted]);
                visit(b, place);
            }
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Whether a line has a NaN, if its elements may be: no branch depends on an element, so that this takes vectors.
    fn has_nan(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId], n: ValueId) -> Result<Option<ValueId>, Diag> {
        if self.order.second.is_none() {
            return Ok(None);
        }
        let (zero, bit) = (b.index(0), b.ir.int_type(1));
        let no = b.int(0, bit);
        let seen = code::repeat(cx, b, [zero, n], &[no], |cx, b, i, seen| {
            let value = self.read(cx, b, at, &Place::Operands, i)?;
            precedes(cx, b, self.op, &value, &value)?;
            let is_nan = self.is_nan(cx, b).expect("numbers may be NaNs");
            Ok(vec![code::or(b, seen[0], is_nan)])
        })?;
        Ok(Some(seen[0]))
    }

    /// Sorts a part of a line whose digits have been counted.
    pub(super) fn by_digits(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        counts: &Counts,
        own: &Place<'_>,
        [begin, end]: [ValueId; 2],
    ) -> Result<(), Diag> {
        let (word, n_digits) = (b.ir.int_type(32), counts.n_digits);
        let length = code::sub(b, end, begin);
        let length = code::from_index(b, length, word);
        let first = self.read(cx, b, at, &Place::Operands, begin)?;
        let key = self.key(cx, b, &first)?;
        // Whether not all elements have the same digit.
        let moves: Vec<ValueId> = (0..n_digits)
            .map(|digit| {
                let place = counts.place(b, key, [digit; 2]);
                let count = load(b, counts.memory, &[place]);
                compare(b, LESS, count, length)
            })
            .collect();
        counts.become_places(cx, b, begin)?;
        self.pass(cx, b, at, counts, [0; 2], [&Place::Operands, own], [begin, end], true)?;
        if n_digits == 1 {
            return self.copy(cx, b, at, [own, &Place::Result], [begin, end]);
        }
        self.pass(cx, b, at, counts, [1; 2], [own, &Place::Result], [begin, end], false)?;
        for digit in (2..n_digits).step_by(2) {
            let moves = code::or(b, moves[digit as usize], moves[digit as usize + 1]);
            code::when(cx, b, Some(moves), &mut |cx, b| {
                self.pass(cx, b, at, counts, [digit; 2], [&Place::Result, own], [begin, end], false)?;
                self.pass(cx, b, at, counts, [digit + 1; 2], [own, &Place::Result], [begin, end], false)
            })?;
        }
        Ok(())
    }

    /// Puts each element of a part of a line where the next one with its digit goes.
    #[allow(clippy::too_many_arguments, reason = "what is sorted by what, from where to where")]
    fn pass(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        at: &[ValueId],
        counts: &Counts,
        digit: [i64; 2],
        [from, to]: [&Place<'_>; 2],
        part: [ValueId; 2],
        brings: bool,
    ) -> Result<(), Diag> {
        code::repeat(cx, b, part, &[], |cx, b, i, _| {
            let values = self.read(cx, b, at, from, i)?;
            if brings {
                self.bring_result(b, at, i);
            }
            let key = self.key(cx, b, &values)?;
            let place = counts.place(b, key, digit);
            let place = counts.next(b, place);
            let place = code::to_index(b, place);
            self.write(b, at, to, place, &values);
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Brings the line of the result at a place into a cache: the pass that writes it first does so in no order.
    fn bring_result(&self, b: &mut Builder<'_>, at: &[ValueId], i: ValueId) {
        let number = b.ir.int_type(32);
        let yes = b.ir.intern(Attr::Bool(true));
        let near = b.ir.intern(Attr::Int { value: NEAR, ty: number });
        for &memref in &self.into {
            let operands = [&[memref], &with(at, self.dim, i)[..]].concat();
            let attrs = [("isDataCache", yes), ("isWrite", yes), ("localityHint", near)];
            b.op(Opcode::MemrefPrefetch, &operands, &[], &attrs);
        }
    }

    /// The number of an element as an integer of at least 32 bits without a sign, which is smaller than those of the
    /// elements that it precedes, and as large as those of equal ones.
    fn key(&self, cx: &mut Cx, b: &mut Builder<'_>, values: &[ValueId]) -> Result<ValueId, Diag> {
        precedes(cx, b, self.op, values, values)?;
        let number = cx.map.get(self.order.number);
        let scalar = Scalar::of(&b.ir[b.ir.type_of(number)]).expect("its digits are known");
        let bits = BITS * digits(b.ir, &self.order).expect("there are some");
        let ty = b.ir.int_type(bits as u32);
        let extended = |b: &mut Builder<'_>, ty: TypeId, opcode: Opcode, value: ValueId| {
            if b.ir.type_of(value) == ty { value } else { b.value(opcode, &[value], ty, &[]) }
        };
        let least = b.int(if bits == 64 { i64::MIN } else { -(1 << (bits - 1)) }, ty);
        let mut key = match scalar {
            Scalar::Index => b.value(Opcode::ArithIndexCast, &[number], ty, &[]),
            Scalar::Int(_) if self.order.is_signed => extended(b, ty, Opcode::ArithExtsi, number),
            Scalar::Int(_) => extended(b, ty, Opcode::ArithExtui, number),
            // A float is a sign and a magnitude; both zeros are 0. Of a negative one, all bits behind the sign are inverted,
            // and 1 is added: signs come as they like, so that a branch would be mispredicted.
            Scalar::Float(_) => {
                let value = b.value(Opcode::ArithBitcast, &[number], ty, &[]);
                let [signs, one] = [bits - 1, 1].map(|n| b.int(n, ty));
                let sign = b.binary(Opcode::ArithShrsi, value, signs);
                let behind = b.binary(Opcode::ArithShrui, sign, one);
                let inverted = code::xor(b, value, behind);
                code::sub(b, inverted, sign)
            }
        };
        if self.order.is_signed {
            key = code::xor(b, key, least);
        }
        if !self.order.ascends {
            let all = b.int(-1, ty);
            key = code::xor(b, key, all);
        }
        let word = b.ir.int_type(32);
        Ok(if bits < 32 { b.value(Opcode::ArithExtui, &[key], word, &[]) } else { key })
    }
}
