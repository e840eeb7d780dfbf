//! Writing scalar code: a builder with short names for arithmetic on one float format and the integers of its width.

use raddle_ir::{Attr, AttrId, BlockId, Builder, Float, Opcode, Point, TypeId, ValueId};
use rustc_hash::FxHashMap;

use crate::clean::number::{self, Number};

/// The format that a function is computed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    F32,
    F64,
}

impl Format {
    pub(super) fn float(self) -> Float {
        self.pick(Float::F32, Float::F64)
    }

    /// Bits of a number.
    pub(super) fn width(self) -> u32 {
        self.pick(32, 64)
    }

    /// Bits of the significand behind the point.
    pub(super) fn mantissa(self) -> u32 {
        self.pick(23, 52)
    }

    /// What the exponent field of 1 holds.
    pub(super) fn bias(self) -> i64 {
        self.pick(127, 1023)
    }

    /// What depends on the format.
    pub(super) fn pick<T>(self, f32: T, f64: T) -> T {
        match self {
            Format::F32 => f32,
            Format::F64 => f64,
        }
    }

    /// The bits of a number.
    pub(super) fn bits(self, x: f64) -> i64 {
        self.pick(i64::from((x as f32).to_bits()), x.to_bits() as i64)
    }

    /// A constant given as a sum of doubles, as a sum of `N` numbers of the format.
    pub(super) fn parts<const N: usize>(self, sum: [f64; 3]) -> [f64; N] {
        match self {
            Format::F64 => std::array::from_fn(|at| sum[at]),
            Format::F32 => {
                let (mut rest, mut below) = (sum[0], sum[1]);
                std::array::from_fn(|_| {
                    let part = f64::from(rest as f32);
                    rest = rest - part + below;
                    below = 0.0;
                    part
                })
            }
        }
    }
}

/// Coefficients of a polynomial for each format, constant first.
pub(super) struct Coefficients {
    pub f32: &'static [f64],
    pub f64: &'static [f64],
}

/// An odd function as x times a quotient of polynomials in x², up to `most`; beyond, it is what it is there.
pub(super) struct Quotient {
    pub most: f64,
    pub upper: Coefficients,
    pub lower: Coefficients,
}

/// A float operand: a value or a constant.
#[derive(Clone, Copy)]
pub(super) enum Term {
    Value(ValueId),
    Number(f64),
}

impl From<ValueId> for Term {
    fn from(value: ValueId) -> Term {
        Term::Value(value)
    }
}

impl From<f64> for Term {
    fn from(number: f64) -> Term {
        Term::Number(number)
    }
}

/// An integer operand: a value or a constant.
#[derive(Clone, Copy)]
pub(super) enum Whole {
    Value(ValueId),
    Number(i64),
}

impl From<ValueId> for Whole {
    fn from(value: ValueId) -> Whole {
        Whole::Value(value)
    }
}

impl From<i64> for Whole {
    fn from(number: i64) -> Whole {
        Whole::Number(number)
    }
}

/// Comparisons of floats, with MLIR's numbers of the predicates.
#[derive(Clone, Copy)]
pub(super) enum Is {
    Equal = 1,
    Above = 2,
    AtLeast = 3,
    Below = 4,
    AtMost = 5,
    /// Below, or one is a NaN.
    BelowOrNan = 11,
    /// Different, or one is a NaN.
    NotEqual = 13,
    Unordered = 14,
}

/// Comparisons of integers, with MLIR's numbers of the predicates.
#[derive(Clone, Copy)]
pub(super) enum Int {
    Equal = 0,
    NotEqual = 1,
    Below = 2,
    Above = 4,
    BelowUnsigned = 6,
    AtLeastUnsigned = 9,
}

/// The scalar constants of each block that code has asked for. Code is written in the order of the program, so that a
/// constant stands in front of all that ask for it again.
pub(super) type Constants = FxHashMap<(BlockId, AttrId, TypeId), ValueId>;

/// Code under construction, for one format.
pub(super) struct Code<'ir> {
    pub b: Builder<'ir>,
    constants: &'ir mut Constants,
    pub format: Format,
    pub float: TypeId,
    /// Integers as wide as the format.
    pub int: TypeId,
    pub bit: TypeId,
    /// The format of 16 bits that the result is rounded to: it needs fewer digits than it is computed with.
    pub short: Option<Float>,
    /// The types are vectors of so many elements, on machines whose threads have such.
    lanes: Option<i64>,
}

/// What writes an arm of a branch, and gives its results.
pub(super) type Arm<'a, const N: usize> = &'a mut dyn FnMut(&mut Code<'_>) -> [ValueId; N];

impl<'ir> Code<'ir> {
    pub(super) fn new(b: Builder<'ir>, constants: &'ir mut Constants, format: Format) -> Code<'ir> {
        let (float, int, bit) = (b.ir.float_type(format.float()), b.ir.int_type(format.width()), b.ir.int_type(1));
        Code { b, constants, format, float, int, bit, short: None, lanes: None }
    }

    /// Code that computes with vectors of so many elements; with scalars where there are none.
    pub(super) fn of_lanes(
        b: Builder<'ir>,
        constants: &'ir mut Constants,
        format: Format,
        lanes: Option<i64>,
    ) -> Code<'ir> {
        let mut code = Code::new(b, constants, format);
        if let Some(n) = lanes {
            let types = [code.float, code.int, code.bit].map(|ty| code.b.ir.vector_type(&[n], ty));
            [code.float, code.int, code.bit] = types;
            code.lanes = lanes;
        }
        code
    }

    /// Whether values are vectors.
    pub(super) fn is_vector(&self) -> bool {
        self.lanes.is_some()
    }

    /// A constant of a type of the code, in each element.
    fn constant(&mut self, ty: TypeId, attr: impl FnOnce(TypeId) -> Attr) -> ValueId {
        if self.lanes.is_none() {
            return self.scalar_constant(attr(ty), ty);
        }
        let elem = self.b.ir[ty].elem().unwrap_or(ty);
        let bytes = self.b.ir.elem_bytes(&attr(elem));
        self.b.constant(Attr::Dense { ty, splat: true, bytes }, ty)
    }

    /// A scalar constant, the one of the block if there is one.
    fn scalar_constant(&mut self, attr: Attr, ty: TypeId) -> ValueId {
        let block = match self.b.at {
            Point::End(block) => block,
            Point::Before(op) => self.b.ir.parent_block(op).expect("code is written in a block"),
        };
        let attr = self.b.ir.intern(attr);
        let b = &mut self.b;
        *self
            .constants
            .entry((block, attr, ty))
            .or_insert_with(|| b.value(Opcode::ArithConstant, &[], ty, &[("value", attr)]))
    }

    /// The same place, in another format.
    pub(super) fn in_format<T>(&mut self, format: Format, body: impl FnOnce(&mut Code<'_>) -> T) -> T {
        let b = Builder { ir: self.b.ir, at: self.b.at, span: self.b.span };
        body(&mut Code::new(b, self.constants, format))
    }

    // ---- floats

    /// The number that a float is in every element, if that is known; it may have been extended.
    pub(super) fn number(&self, x: ValueId) -> Option<f64> {
        let extended = self.b.ir.def_op(x).filter(|&op| self.b.ir.opcode(op) == Opcode::ArithExtf);
        match number::of(self.b.ir, extended.map_or(x, |op| self.b.ir.operand(op, 0)))? {
            Number::Float(number) => Some(number),
            Number::Int(_) => None,
        }
    }

    /// A constant, rounded to the format.
    pub(super) fn term(&mut self, term: impl Into<Term>) -> ValueId {
        match term.into() {
            Term::Value(value) => value,
            Term::Number(number) => {
                let number = self.format.pick(f64::from(number as f32), number);
                self.constant(self.float, |ty| Attr::float(number, ty))
            }
        }
    }

    pub(super) fn unary(&mut self, opcode: Opcode, x: impl Into<Term>) -> ValueId {
        let x = self.term(x);
        self.b.value(opcode, &[x], self.float, &[])
    }

    pub(super) fn binary(&mut self, opcode: Opcode, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        let operands = [self.term(x), self.term(y)];
        self.b.value(opcode, &operands, self.float, &[])
    }

    pub(super) fn add(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        self.binary(Opcode::ArithAddf, x, y)
    }

    pub(super) fn sub(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        self.binary(Opcode::ArithSubf, x, y)
    }

    pub(super) fn mul(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        self.binary(Opcode::ArithMulf, x, y)
    }

    pub(super) fn div(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        self.binary(Opcode::ArithDivf, x, y)
    }

    /// x / y, which may be off by two units in the last place: PTX has no branch for that.
    pub(super) fn near_div(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        let operands = [self.term(x), self.term(y)];
        let flags = self.b.keyword_attr("arith.fastmath", "afn");
        self.b.value(Opcode::ArithDivf, &operands, self.float, &[("fastmath", flags)])
    }

    /// 2^x by the chip's instruction.
    pub(super) fn near_exp2(&mut self, x: ValueId) -> ValueId {
        let flags = self.b.keyword_attr("arith.fastmath", "afn");
        self.b.value(Opcode::MathExp2, &[x], self.float, &[("fastmath", flags)])
    }

    /// x·y + z, rounded once.
    pub(super) fn fma(&mut self, x: impl Into<Term>, y: impl Into<Term>, z: impl Into<Term>) -> ValueId {
        let operands = [self.term(x), self.term(y), self.term(z)];
        self.b.value(Opcode::MathFma, &operands, self.float, &[])
    }

    pub(super) fn neg(&mut self, x: ValueId) -> ValueId {
        self.unary(Opcode::ArithNegf, x)
    }

    pub(super) fn abs(&mut self, x: ValueId) -> ValueId {
        self.unary(Opcode::MathAbsf, x)
    }

    pub(super) fn sqrt(&mut self, x: ValueId) -> ValueId {
        self.unary(Opcode::MathSqrt, x)
    }

    /// The smaller one; a NaN if one of them is.
    pub(super) fn min(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        self.binary(Opcode::ArithMinimumf, x, y)
    }

    /// The larger one; a NaN if one of them is.
    pub(super) fn max(&mut self, x: impl Into<Term>, y: impl Into<Term>) -> ValueId {
        self.binary(Opcode::ArithMaximumf, x, y)
    }

    pub(super) fn copysign(&mut self, x: ValueId, sign: impl Into<Term>) -> ValueId {
        self.binary(Opcode::MathCopysign, x, sign)
    }

    pub(super) fn select(&mut self, bit: ValueId, yes: impl Into<Term>, no: impl Into<Term>) -> ValueId {
        let operands = [bit, self.term(yes), self.term(no)];
        self.b.value(Opcode::ArithSelect, &operands, self.float, &[])
    }

    pub(super) fn is(&mut self, x: impl Into<Term>, relation: Is, y: impl Into<Term>) -> ValueId {
        let operands = [self.term(x), self.term(y)];
        let predicate = self.b.ir.i64_attr(relation as i64);
        self.b.value(Opcode::ArithCmpf, &operands, self.bit, &[("predicate", predicate)])
    }

    /// c0 + x·(c1 + x·(c2 + …))
    pub(super) fn polynomial(&mut self, x: ValueId, coefficients: &Coefficients) -> ValueId {
        let list = self.format.pick(coefficients.f32, coefficients.f64);
        let (&last, rest) = list.split_last().expect("a polynomial has coefficients");
        let last = self.term(last);
        rest.iter().rev().fold(last, |sum, &coefficient| self.fma(x, sum, coefficient))
    }

    /// x times a quotient of polynomials in x².
    pub(super) fn quotient(&mut self, x: ValueId, of: &Quotient) -> ValueId {
        let x = self.max(x, -of.most);
        let x = self.min(x, of.most);
        let square = self.mul(x, x);
        let upper = self.polynomial(square, &of.upper);
        let lower = self.polynomial(square, &of.lower);
        let upper = self.mul(x, upper);
        self.near_div(upper, lower)
    }

    // ---- integers

    pub(super) fn whole(&mut self, whole: impl Into<Whole>) -> ValueId {
        match whole.into() {
            Whole::Value(value) => value,
            Whole::Number(number) => {
                let number = self.format.pick(i64::from(number as i32), number);
                self.constant(self.int, |ty| Attr::Int { value: number.into(), ty })
            }
        }
    }

    pub(super) fn int_op(&mut self, opcode: Opcode, x: impl Into<Whole>, y: impl Into<Whole>) -> ValueId {
        let operands = [self.whole(x), self.whole(y)];
        self.b.value(opcode, &operands, self.int, &[])
    }

    pub(super) fn iadd(&mut self, x: impl Into<Whole>, y: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithAddi, x, y)
    }

    pub(super) fn isub(&mut self, x: impl Into<Whole>, y: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithSubi, x, y)
    }

    pub(super) fn and(&mut self, x: impl Into<Whole>, y: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithAndi, x, y)
    }

    pub(super) fn or(&mut self, x: impl Into<Whole>, y: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithOri, x, y)
    }

    pub(super) fn xor(&mut self, x: impl Into<Whole>, y: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithXori, x, y)
    }

    pub(super) fn shl(&mut self, x: impl Into<Whole>, by: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithShli, x, by)
    }

    /// Shifts the sign in.
    pub(super) fn sar(&mut self, x: impl Into<Whole>, by: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithShrsi, x, by)
    }

    /// Shifts zeros in.
    pub(super) fn shr(&mut self, x: impl Into<Whole>, by: impl Into<Whole>) -> ValueId {
        self.int_op(Opcode::ArithShrui, x, by)
    }

    pub(super) fn iselect(&mut self, bit: ValueId, yes: impl Into<Whole>, no: impl Into<Whole>) -> ValueId {
        let operands = [bit, self.whole(yes), self.whole(no)];
        self.b.value(Opcode::ArithSelect, &operands, self.int, &[])
    }

    pub(super) fn int_is(&mut self, x: impl Into<Whole>, relation: Int, y: impl Into<Whole>) -> ValueId {
        let operands = [self.whole(x), self.whole(y)];
        let predicate = self.b.ir.i64_attr(relation as i64);
        self.b.value(Opcode::ArithCmpi, &operands, self.bit, &[("predicate", predicate)])
    }

    // ---- truths

    pub(super) fn both(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.b.value(Opcode::ArithAndi, &[x, y], self.bit, &[])
    }

    pub(super) fn either(&mut self, x: ValueId, y: ValueId) -> ValueId {
        self.b.value(Opcode::ArithOri, &[x, y], self.bit, &[])
    }

    pub(super) fn not(&mut self, x: ValueId) -> ValueId {
        let one = self.constant(self.bit, |_| Attr::Bool(true));
        self.b.value(Opcode::ArithXori, &[x, one], self.bit, &[])
    }

    /// Whether a bit of an integer is set.
    pub(super) fn has_bit(&mut self, x: ValueId, bit: u32) -> ValueId {
        let masked = self.and(x, 1i64 << bit);
        self.int_is(masked, Int::NotEqual, 0)
    }

    // ---- between both

    /// The bits of a float.
    pub(super) fn bits(&mut self, x: ValueId) -> ValueId {
        self.b.value(Opcode::ArithBitcast, &[x], self.int, &[])
    }

    /// The float with these bits.
    pub(super) fn real(&mut self, bits: ValueId) -> ValueId {
        self.b.value(Opcode::ArithBitcast, &[bits], self.float, &[])
    }

    /// The float nearest to an integer.
    pub(super) fn float_of_int(&mut self, x: ValueId) -> ValueId {
        self.b.value(Opcode::ArithSitofp, &[x], self.float, &[])
    }

    pub(super) fn convert(&mut self, opcode: Opcode, x: ValueId, ty: TypeId) -> ValueId {
        if self.b.ir.type_of(x) == ty { x } else { self.b.value(opcode, &[x], ty, &[]) }
    }

    /// 2^n for integers whose power is a normal number.
    pub(super) fn power_of_two(&mut self, n: ValueId) -> ValueId {
        let field = self.iadd(n, self.format.bias());
        let bits = self.shl(field, i64::from(self.format.mantissa()));
        self.real(bits)
    }

    /// The integer nearest to x·y as a float, and an integer with the same last 22 (51) bits, for products of less than
    /// 2^21 (2^51). Adding 1.5·2^23 (2^52) leaves it in the last places of the sum.
    pub(super) fn nearest(&mut self, x: ValueId, y: f64) -> (ValueId, ValueId) {
        self.nearest_field(x, y, 0)
    }

    /// The integer n nearest to x·y as a float, as [`Code::nearest`] finds it, and numbers whose product is 2^n: two
    /// normal ones, where |n| is at most twice the greatest exponent.
    pub(super) fn nearest_power(&mut self, x: ValueId, y: f64) -> (ValueId, [ValueId; 2]) {
        // The last places of the sum have the fields of both exponents together; what is above is shifted out.
        let (number, fields) = self.nearest_field(x, y, 2 * self.format.bias());
        let first = self.sar(fields, 1);
        let second = self.isub(fields, first);
        (number, [first, second].map(|field| self.exponent(field)))
    }

    /// The same for n of which 2^(n + above) is a normal number: that number.
    pub(super) fn nearest_power_above(&mut self, x: ValueId, y: f64, above: i64) -> (ValueId, ValueId) {
        let (number, field) = self.nearest_field(x, y, self.format.bias() + above);
        (number, self.exponent(field))
    }

    /// The integer n nearest to x·y as a float, and n + `offset` in the last places of an integer. The offset is even, so
    /// that halves are rounded as without it.
    fn nearest_field(&mut self, x: ValueId, y: f64, offset: i64) -> (ValueId, ValueId) {
        debug_assert!(offset % 2 == 0, "halves are rounded to even numbers");
        let magic = self.format.pick(12_582_912.0, 6_755_399_441_055_744.0) + offset as f64;
        let sum = self.fma(x, y, magic);
        let number = self.sub(sum, magic);
        (number, self.bits(sum))
    }

    /// The power of two with the exponent that the last places of an integer have.
    fn exponent(&mut self, field: ValueId) -> ValueId {
        let bits = self.shl(field, i64::from(self.format.mantissa()));
        self.real(bits)
    }

    // ---- control

    fn inside(&mut self, block: BlockId) -> Code<'_> {
        let (format, float, int, bit) = (self.format, self.float, self.int, self.bit);
        let (short, lanes) = (self.short, self.lanes);
        let b = Builder::at_end(self.b.ir, block, self.b.span);
        Code { b, constants: self.constants, format, float, int, bit, short, lanes }
    }

    /// `scf.if` with results; on vectors both arms, and a choice for each element.
    pub(super) fn branch<const N: usize>(
        &mut self,
        condition: ValueId,
        types: [TypeId; N],
        arms: [Arm<'_, N>; 2],
    ) -> [ValueId; N] {
        if self.lanes.is_some() {
            let [then, otherwise] = arms.map(|arm| arm(self));
            return std::array::from_fn(|at| {
                let operands = [condition, then[at], otherwise[at]];
                self.b.value(Opcode::ArithSelect, &operands, types[at], &[])
            });
        }
        self.branch_for_all(condition, types, arms)
    }

    /// `scf.if` with results, whose condition is one bit for all elements.
    pub(super) fn branch_for_all<const N: usize>(
        &mut self,
        condition: ValueId,
        types: [TypeId; N],
        arms: [Arm<'_, N>; 2],
    ) -> [ValueId; N] {
        let op = self.b.op(Opcode::ScfIf, &[condition], &types, &[]);
        for arm in arms {
            let region = self.b.ir.add_region(op);
            let block = self.b.ir.add_block(region, &[]);
            let mut code = self.inside(block);
            let values = arm(&mut code);
            code.b.op(Opcode::ScfYield, &values, &[], &[]);
        }
        std::array::from_fn(|at| self.b.ir.result(op, at))
    }

    /// Whether `is` says so of all elements of a float.
    pub(super) fn all(&mut self, x: ValueId, relation: Is, than: impl Into<Term>) -> ValueId {
        let flags = self.is(x, relation, than);
        self.of_elements(flags, "and")
    }

    /// Whether `is` says so of any element of a float.
    pub(super) fn any(&mut self, x: ValueId, relation: Is, than: impl Into<Term>) -> ValueId {
        let flags = self.is(x, relation, than);
        self.of_elements(flags, "or")
    }

    fn of_elements(&mut self, flags: ValueId, kind: &str) -> ValueId {
        if self.lanes.is_none() {
            return flags;
        }
        let kind = self.b.keyword_attr("vector.kind", kind);
        let bit = self.b.ir.int_type(1);
        self.b.value(Opcode::VectorReduction, &[flags], bit, &[("kind", kind)])
    }

    /// A float and an integer for each element of a vector, one element after the other: `body` is for one.
    pub(super) fn one_by_one(
        &mut self,
        x: ValueId,
        body: impl FnOnce(&mut Code<'_>, ValueId) -> (ValueId, ValueId),
    ) -> [ValueId; 2] {
        let n = self.lanes.expect("vectors have elements");
        let (format, lanes, bits) = (self.format, self.lanes, self.bits(x));
        let int = self.b.ir.elem_of(bits);
        let counts = (0..n).map(|lane| Attr::Int { value: lane.into(), ty: int });
        let bytes = counts.flat_map(|lane| self.b.ir.elem_bytes(&lane)).collect();
        let ty = self.int;
        let counts = self.b.constant(Attr::Dense { ty, splat: false, bytes }, ty);
        let inits = [self.term(0.0), self.whole(0)];
        let [zero, one, end] = [0, 1, n].map(|i| self.b.index(i));
        let constants = &mut *self.constants;
        let op = self.b.for_loop(zero, end, one, &inits, |b, lane, so_far| {
            let b = Builder { ir: b.ir, at: b.at, span: b.span };
            let mut all = Code::of_lanes(b, constants, format, lanes);
            let lane = all.b.value(Opcode::ArithIndexCast, &[lane], int, &[]);
            let lane = all.b.broadcast(lane, ty);
            let here = all.int_is(counts, Int::Equal, lane);
            let own = all.iselect(here, bits, 0);
            let mut of_one = all.of_one();
            let kind = of_one.b.keyword_attr("vector.kind", "or");
            let own = of_one.b.value(Opcode::VectorReduction, &[own], int, &[("kind", kind)]);
            let own = of_one.real(own);
            let made = body(&mut of_one, own);
            let (float, int) = (all.float, all.int);
            let made = [all.b.broadcast(made.0, float), all.b.broadcast(made.1, int)];
            vec![all.select(here, made[0], so_far[0]), all.iselect(here, made[1], so_far[1])]
        });
        std::array::from_fn(|at| self.b.ir.result(op, at))
    }

    /// The same place, for one element.
    fn of_one(&mut self) -> Code<'_> {
        Code::new(Builder { ir: self.b.ir, at: self.b.at, span: self.b.span }, self.constants, self.format)
    }

    /// `scf.while`: `step` is repeated on what is carried while `test` of it holds.
    pub(super) fn repeat<const N: usize>(
        &mut self,
        inits: [ValueId; N],
        test: &mut dyn FnMut(&mut Code<'_>, [ValueId; N]) -> ValueId,
        step: &mut dyn FnMut(&mut Code<'_>, [ValueId; N]) -> [ValueId; N],
    ) -> [ValueId; N] {
        let types = inits.map(|init| self.b.ir.type_of(init));
        let op = self.b.op(Opcode::ScfWhile, &inits, &types, &[]);
        for part in 0..2 {
            let region = self.b.ir.add_region(op);
            let block = self.b.ir.add_block(region, &types);
            let args = self.b.ir.args(block).to_vec();
            let args: [ValueId; N] = std::array::from_fn(|at| args[at]);
            let mut code = self.inside(block);
            if part == 0 {
                let mut operands = vec![test(&mut code, args)];
                operands.extend(args);
                code.b.op(Opcode::ScfCondition, &operands, &[], &[]);
            } else {
                let values = step(&mut code, args);
                code.b.op(Opcode::ScfYield, &values, &[], &[]);
            }
        }
        std::array::from_fn(|at| self.b.ir.result(op, at))
    }
}
