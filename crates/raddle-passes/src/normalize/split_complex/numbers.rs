//! Operations on complex numbers, as arithmetic on their parts.
//!
//! Parts of 16 bits and fewer are computed in f32 and rounded once. Absolute values and quotients do not overflow
//! underway; products and sines are what their formulas give. docs/accuracy.md states the errors.

use raddle_ir::{Attr, Builder, Float, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use super::Pair;
use crate::normalize::loops::to_float;

/// What an operation gives.
pub(super) enum Computed {
    /// A complex number.
    Pair(Pair),
    /// A float, an integer or a bit.
    One(ValueId),
}

/// Factors of constant powers, at most.
const POWER_MAX: u64 = 1 << 10;

/// Predicates of `arith.cmpf`.
#[derive(Clone, Copy)]
enum Is {
    Equal = 1,
    Greater = 2,
    Unequal = 13,
}

/// Writes an operation of the dialect `complex` in front of it. `operands` are the parts of each operand, or a real one
/// twice; `None` where there is no rule.
pub(super) fn computed(builder: &mut Builder<'_>, op: OpId, operands: &[Pair]) -> Option<Computed> {
    let result = builder.ir.result(op, 0);
    let ty = builder.ir.type_of(result);
    let typed = if builder.ir.complex_part(ty).is_some() { ty } else { builder.ir.type_of(builder.ir.operand(op, 0)) };
    let part = builder.ir.complex_part(typed)?;
    if builder.ir[typed].shape().is_some() {
        return None;
    }
    let (a, b) = (*operands.first()?, *operands.get(1).unwrap_or(&operands[0]));
    let opcode = builder.ir.opcode(op);
    // What has no arithmetic.
    match opcode {
        Opcode::ComplexCreate => return Some(Computed::Pair([a[0], b[0]])),
        Opcode::ComplexRe => return Some(Computed::One(a[0])),
        Opcode::ComplexIm => return Some(Computed::One(a[1])),
        Opcode::ComplexBitcast => return bitcast(builder, a, op, part),
        _ => {}
    }
    let is_narrow = Scalar::of(&builder.ir[part])?.bits() < 32;
    let wide = if is_narrow { builder.ir.float_type(Float::F32) } else { part };
    let mut exponent = None;
    if opcode == Opcode::ComplexPowi {
        exponent = Some(builder.ir.const_int(builder.ir.operand(op, 1)).filter(|n| n.unsigned_abs() <= POWER_MAX)?);
    }
    let mut widened = |pair: Pair| pair.map(|part| to_float(builder, part, wide));
    let a = widened(a);
    let b = if exponent.is_some() { a } else { widened(b) };
    let mut c = Parts { builder, ty: wide };
    let pair = match opcode {
        Opcode::ComplexAbs => return Some(c.one(part, |c| c.abs(a))),
        Opcode::ComplexAngle => return Some(c.one(part, |c| c.two(Opcode::MathAtan2, a[1], a[0]))),
        Opcode::ComplexEq | Opcode::ComplexNeq => {
            let (is, both) = match opcode {
                Opcode::ComplexEq => (Is::Equal, Opcode::ArithAndi),
                _ => (Is::Unequal, Opcode::ArithOri),
            };
            let bits = [0, 1].map(|part: usize| c.compare(is, a[part], b[part]));
            return Some(Computed::One(c.two(both, bits[0], bits[1])));
        }
        Opcode::ComplexAdd => [0, 1].map(|part: usize| c.add(a[part], b[part])),
        Opcode::ComplexSub => [0, 1].map(|part: usize| c.sub(a[part], b[part])),
        Opcode::ComplexMul => c.times(a, b),
        Opcode::ComplexDiv => c.over(a, b),
        Opcode::ComplexNeg => a.map(|part| c.neg(part)),
        Opcode::ComplexConj => [a[0], c.neg(a[1])],
        Opcode::ComplexExp => c.exp(a),
        Opcode::ComplexExpm1 => c.expm1(a),
        Opcode::ComplexLog => c.log(a),
        Opcode::ComplexLog1p => c.log1p(a),
        Opcode::ComplexSqrt => c.sqrt(a),
        Opcode::ComplexRsqrt => {
            let (one, root) = ([c.number(1.0), c.number(0.0)], c.sqrt(a));
            c.over(one, root)
        }
        Opcode::ComplexSin => c.waves(a, [Opcode::MathSin, Opcode::MathCos]),
        Opcode::ComplexCos => {
            let [re, im] = c.waves(a, [Opcode::MathCos, Opcode::MathSin]);
            [re, c.neg(im)]
        }
        Opcode::ComplexTan => {
            // tan z = -i tanh(i z)
            let turned = [c.neg(a[1]), a[0]];
            let [re, im] = c.tanh(turned);
            [im, c.neg(re)]
        }
        Opcode::ComplexTanh => c.tanh(a),
        Opcode::ComplexSign => c.sign(a),
        Opcode::ComplexPow => c.pow(a, b),
        Opcode::ComplexPowi => c.powi(a, exponent?),
        Opcode::ComplexAtan2 => {
            // atan2(y, x) = -i log((x + i y) / sqrt(x² + y²))
            let (xx, yy) = (c.times(b, b), c.times(a, a));
            let squares = [c.add(xx[0], yy[0]), c.add(xx[1], yy[1])];
            let length = c.sqrt(squares);
            let turned = [c.sub(b[0], a[1]), c.add(b[1], a[0])];
            let unit = c.over(turned, length);
            let [re, im] = c.log(unit);
            [im, c.neg(re)]
        }
        _ => return None,
    };
    Some(Computed::Pair(pair.map(|value| to_float(c.builder, value, part))))
}

/// Both parts as one number of twice the bits, the real one below, or back.
fn bitcast(builder: &mut Builder<'_>, pair: Pair, op: OpId, part: TypeId) -> Option<Computed> {
    let (value, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (builder.ir.type_of(value), builder.ir.type_of(result));
    let width = Scalar::of(&builder.ir[part])?.bits();
    let bits = |ir: &Ir, ty: TypeId| Scalar::of(&ir[ty]).map(|scalar| scalar.bits());
    if from == to {
        return Some(Computed::Pair(pair));
    }
    let (half, all) = (builder.ir.int_type(width), builder.ir.int_type(2 * width));
    let is_float = |ir: &Ir, ty: TypeId| matches!(ir[ty], Type::Float(_));
    let shift = builder.int(i64::from(width), all);
    if builder.ir.complex_part(from).is_some() {
        if bits(builder.ir, to)? != 2 * width {
            return None;
        }
        let words = pair.map(|part| {
            let word = builder.value(Opcode::ArithBitcast, &[part], half, &[]);
            builder.value(Opcode::ArithExtui, &[word], all, &[])
        });
        let high = builder.binary(Opcode::ArithShli, words[1], shift);
        let word = builder.binary(Opcode::ArithOri, words[0], high);
        let is_float = is_float(builder.ir, to);
        let word = if is_float { builder.value(Opcode::ArithBitcast, &[word], to, &[]) } else { word };
        return Some(Computed::One(word));
    }
    if bits(builder.ir, from)? != 2 * width {
        return None;
    }
    let is_float = is_float(builder.ir, from);
    let word = if is_float { builder.value(Opcode::ArithBitcast, &[pair[0]], all, &[]) } else { pair[0] };
    let high = builder.binary(Opcode::ArithShrui, word, shift);
    Some(Computed::Pair([word, high].map(|word| {
        let word = builder.value(Opcode::ArithTrunci, &[word], half, &[]);
        builder.value(Opcode::ArithBitcast, &[word], part, &[])
    })))
}

/// Arithmetic on parts, which are f32 or f64.
struct Parts<'b, 'ir> {
    builder: &'b mut Builder<'ir>,
    ty: TypeId,
}

/// The larger and the smaller absolute value of two parts, and the smaller as a fraction of the larger one.
struct Sizes {
    x: ValueId,
    y: ValueId,
    large: ValueId,
    small: ValueId,
    /// 0 where both are zero or infinite.
    ratio: ValueId,
}

impl Parts<'_, '_> {
    fn one(&mut self, part: TypeId, f: impl FnOnce(&mut Self) -> ValueId) -> Computed {
        let value = f(self);
        Computed::One(to_float(self.builder, value, part))
    }

    fn is_f32(&self) -> bool {
        matches!(self.builder.ir[self.ty], Type::Float(Float::F32))
    }

    /// A number, rounded to the type.
    fn number(&mut self, value: f64) -> ValueId {
        let value = if self.is_f32() { f64::from(value as f32) } else { value };
        self.builder.constant(Attr::float(value, self.ty), self.ty)
    }

    fn one_of(&mut self, opcode: Opcode, a: ValueId) -> ValueId {
        self.builder.value(opcode, &[a], self.ty, &[])
    }

    fn two(&mut self, opcode: Opcode, a: ValueId, b: ValueId) -> ValueId {
        self.builder.binary(opcode, a, b)
    }

    fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.two(Opcode::ArithAddf, a, b)
    }

    fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.two(Opcode::ArithSubf, a, b)
    }

    fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.two(Opcode::ArithMulf, a, b)
    }

    fn div(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.two(Opcode::ArithDivf, a, b)
    }

    fn neg(&mut self, a: ValueId) -> ValueId {
        self.one_of(Opcode::ArithNegf, a)
    }

    fn magnitude(&mut self, a: ValueId) -> ValueId {
        self.one_of(Opcode::MathAbsf, a)
    }

    /// A product by a number.
    fn scaled(&mut self, a: ValueId, by: f64) -> ValueId {
        let by = self.number(by);
        self.mul(a, by)
    }

    fn plus(&mut self, a: ValueId, number: f64) -> ValueId {
        let number = self.number(number);
        self.add(a, number)
    }

    fn compare(&mut self, is: Is, a: ValueId, b: ValueId) -> ValueId {
        let (bit, predicate) = (self.builder.ir.int_type(1), self.builder.ir.i64_attr(is as i64));
        self.builder.value(Opcode::ArithCmpf, &[a, b], bit, &[("predicate", predicate)])
    }

    fn is(&mut self, is: Is, a: ValueId, number: f64) -> ValueId {
        let number = self.number(number);
        self.compare(is, a, number)
    }

    fn either(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.two(Opcode::ArithOri, a, b)
    }

    fn select(&mut self, bit: ValueId, a: ValueId, b: ValueId) -> ValueId {
        self.builder.value(Opcode::ArithSelect, &[bit, a, b], self.ty, &[])
    }

    fn sign_of(&mut self, a: ValueId, sign: ValueId) -> ValueId {
        self.two(Opcode::MathCopysign, a, sign)
    }

    fn times(&mut self, [a, b]: Pair, [c, d]: Pair) -> Pair {
        let [ac, bd, ad, bc] = [(a, c), (b, d), (a, d), (b, c)].map(|(x, y)| self.mul(x, y));
        [self.sub(ac, bd), self.add(ad, bc)]
    }

    /// R. L. Smith's method. What is divided by zero has the parts divided by that, as in NumPy.
    fn over(&mut self, [a, b]: Pair, [c, d]: Pair) -> Pair {
        let (c_size, d_size) = (self.magnitude(c), self.magnitude(d));
        let turns = self.compare(Is::Greater, d_size, c_size);
        let (large, small) = (self.select(turns, d, c), self.select(turns, c, d));
        let (u, v) = (self.select(turns, b, a), self.select(turns, a, b));
        let ratio = self.div(small, large);
        let part = self.mul(small, ratio);
        let below = self.add(large, part);
        let (vr, ur) = (self.mul(v, ratio), self.mul(u, ratio));
        let (re, im) = (self.add(u, vr), self.sub(v, ur));
        let (re, im) = (self.div(re, below), self.div(im, below));
        let minus = self.neg(im);
        let im = self.select(turns, minus, im);
        let is_zero = self.is(Is::Equal, large, 0.0);
        let zero = self.magnitude(large);
        let by_zero = [self.div(a, zero), self.div(b, zero)];
        [self.select(is_zero, by_zero[0], re), self.select(is_zero, by_zero[1], im)]
    }

    fn sizes(&mut self, [x, y]: Pair) -> Sizes {
        let (x, y) = (self.magnitude(x), self.magnitude(y));
        let (large, small) = (self.two(Opcode::ArithMaximumf, x, y), self.two(Opcode::ArithMinimumf, x, y));
        let ratio = self.div(small, large);
        let same = self.compare(Is::Equal, small, large);
        let (one, zero) = (self.number(1.0), self.number(0.0));
        // Zero by zero, and infinity by infinity.
        let ratio = self.select(same, one, ratio);
        let is_zero = self.is(Is::Equal, large, 0.0);
        let ratio = self.select(is_zero, zero, ratio);
        Sizes { x, y, large, small, ratio }
    }

    /// sqrt(1 + r²)
    fn secant(&mut self, ratio: ValueId) -> ValueId {
        let square = self.mul(ratio, ratio);
        let sum = self.plus(square, 1.0);
        self.one_of(Opcode::MathSqrt, sum)
    }

    fn is_infinite(&mut self, sizes: &Sizes) -> ValueId {
        let bits = [sizes.x, sizes.y].map(|size| self.is(Is::Equal, size, f64::INFINITY));
        self.either(bits[0], bits[1])
    }

    fn abs(&mut self, z: Pair) -> ValueId {
        let sizes = self.sizes(z);
        let secant = self.secant(sizes.ratio);
        let length = self.mul(sizes.large, secant);
        let (is_infinite, infinity) = (self.is_infinite(&sizes), self.number(f64::INFINITY));
        self.select(is_infinite, infinity, length)
    }

    /// The power of a real number in two factors, so that a product with a small number need not overflow.
    fn power(&mut self, x: ValueId) -> [ValueId; 2] {
        // 16 less is exact there.
        let is_large = self.is(Is::Greater, x, if self.is_f32() { 64.0 } else { 512.0 });
        let less = self.plus(x, -16.0);
        let x = self.select(is_large, less, x);
        let (rest, one) = (self.number(16f64.exp()), self.number(1.0));
        [self.one_of(Opcode::MathExp, x), self.select(is_large, rest, one)]
    }

    fn exp(&mut self, [x, y]: Pair) -> Pair {
        let [power, rest] = self.power(x);
        let parts = [Opcode::MathCos, Opcode::MathSin].map(|function| {
            let part = self.one_of(function, y);
            let product = self.mul(power, part);
            self.mul(product, rest)
        });
        // An infinite power of a real number is no reason for a NaN.
        let is_real = self.is(Is::Equal, y, 0.0);
        let whole = self.mul(power, rest);
        [self.select(is_real, whole, parts[0]), self.select(is_real, y, parts[1])]
    }

    fn expm1(&mut self, [x, y]: Pair) -> Pair {
        let [far, im] = self.exp([x, y]);
        let (power, cos) = (self.one_of(Opcode::MathExpm1, x), self.one_of(Opcode::MathCos, y));
        let half = self.scaled(y, 0.5);
        let sin = self.one_of(Opcode::MathSin, half);
        let square = self.mul(sin, sin);
        let less = self.scaled(square, 2.0);
        let product = self.mul(power, cos);
        let re = self.sub(product, less);
        // One less is nothing there, and the power alone may overflow.
        let is_large = self.is(Is::Greater, x, 64.0);
        let re = self.select(is_large, far, re);
        let is_real = self.is(Is::Equal, y, 0.0);
        [self.select(is_real, power, re), im]
    }

    /// `f(x) cosh y` and `g(x) sinh y`, which do not overflow before they must.
    fn waves(&mut self, [x, y]: Pair, functions: [Opcode; 2]) -> Pair {
        let size = self.magnitude(y);
        let is_large = self.is(Is::Greater, size, if self.is_f32() { 64.0 } else { 512.0 });
        let [power, rest] = self.power(size);
        let half = self.scaled(power, 0.5);
        let zero = self.number(0.0);
        let inside = self.select(is_large, zero, y);
        let (cosh, sinh) = (self.one_of(Opcode::MathCosh, inside), self.one_of(Opcode::MathSinh, inside));
        let signed = self.sign_of(half, y);
        let grows = [self.select(is_large, half, cosh), self.select(is_large, signed, sinh)];
        [0, 1].map(|part: usize| {
            let wave = self.one_of(functions[part], x);
            let product = self.mul(wave, grows[part]);
            self.mul(product, rest)
        })
    }

    /// The logarithm of an absolute value.
    fn log_abs(&mut self, z: Pair) -> ValueId {
        let sizes = self.sizes(z);
        // Near one, by the distance from it.
        let (less, more) = (self.plus(sizes.large, -1.0), self.plus(sizes.large, 1.0));
        let square = self.mul(sizes.small, sizes.small);
        let distance = self.builder.value(Opcode::MathFma, &[less, more, square], self.ty, &[]);
        let near = self.half_log1p(distance);
        let square = self.mul(sizes.ratio, sizes.ratio);
        let (log, rest) = (self.one_of(Opcode::MathLog, sizes.large), self.half_log1p(square));
        let far = self.add(log, rest);
        let size = self.magnitude(distance);
        let (half, infinity) = (self.number(0.5), self.number(f64::INFINITY));
        let is_near = self.compare(Is::Greater, half, size);
        let log = self.select(is_near, near, far);
        let is_infinite = self.is_infinite(&sizes);
        self.select(is_infinite, infinity, log)
    }

    fn half_log1p(&mut self, x: ValueId) -> ValueId {
        let log = self.one_of(Opcode::MathLog1p, x);
        self.scaled(log, 0.5)
    }

    fn log(&mut self, z: Pair) -> Pair {
        [self.log_abs(z), self.two(Opcode::MathAtan2, z[1], z[0])]
    }

    fn log1p(&mut self, [x, y]: Pair) -> Pair {
        let more = self.plus(x, 1.0);
        let far = self.log_abs([more, y]);
        let (two, square) = (self.plus(x, 2.0), self.mul(y, y));
        let distance = self.builder.value(Opcode::MathFma, &[x, two, square], self.ty, &[]);
        let near = self.half_log1p(distance);
        let sizes = [x, y].map(|part| self.magnitude(part));
        let size = self.two(Opcode::ArithMaximumf, sizes[0], sizes[1]);
        let half = self.number(0.5);
        let is_near = self.compare(Is::Greater, half, size);
        [self.select(is_near, near, far), self.two(Opcode::MathAtan2, y, more)]
    }

    fn sqrt(&mut self, z: Pair) -> Pair {
        let [x, y] = z;
        let sizes = self.sizes(z);
        let secant = self.secant(sizes.ratio);
        // sqrt((|x| + |z|) / 2), of numbers that are not larger than 1.
        let is_flat = self.compare(Is::Equal, sizes.x, sizes.large);
        let one = self.number(1.0);
        let along = self.select(is_flat, one, sizes.ratio);
        let sum = self.add(along, secant);
        let half = self.scaled(sum, 0.5);
        let roots = [sizes.large, half].map(|part| self.one_of(Opcode::MathSqrt, part));
        let root = self.mul(roots[0], roots[1]);
        let twice = self.scaled(root, 2.0);
        let other = self.div(sizes.y, twice);
        let zero = self.number(0.0);
        let is_positive = self.compare(Is::Greater, x, zero);
        let is_zero = self.is(Is::Equal, x, 0.0);
        let is_right = self.either(is_positive, is_zero);
        let (re, im) = (self.select(is_right, root, other), self.select(is_right, other, root));
        let im = self.sign_of(im, y);
        let nothing = self.is(Is::Equal, sizes.large, 0.0);
        let (re, im) = (self.select(nothing, zero, re), self.select(nothing, y, im));
        let is_steep = self.is(Is::Equal, sizes.y, f64::INFINITY);
        let infinity = self.number(f64::INFINITY);
        [self.select(is_steep, infinity, re), self.select(is_steep, y, im)]
    }

    fn sign(&mut self, z: Pair) -> Pair {
        let sizes = self.sizes(z);
        let secant = self.secant(sizes.ratio);
        let nothing = self.is(Is::Equal, sizes.large, 0.0);
        z.map(|part| {
            let scaled = self.div(part, sizes.large);
            let unit = self.div(scaled, secant);
            self.select(nothing, part, unit)
        })
    }

    /// W. Kahan, "Branch cuts for complex elementary functions": by the tangent and the hyperbolic sine.
    fn tanh(&mut self, [x, y]: Pair) -> Pair {
        let size = self.magnitude(x);
        let limit = if self.is_f32() { 10.0 } else { 20.0 };
        let is_far = self.is(Is::Greater, size, limit);
        let (zero, one) = (self.number(0.0), self.number(1.0));
        let inside = self.select(is_far, zero, x);
        let (tan, sinh) = (self.one_of(Opcode::MathTan, y), self.one_of(Opcode::MathSinh, inside));
        let (tan_square, sinh_square) = (self.mul(tan, tan), self.mul(sinh, sinh));
        let (beta, rho) = (self.plus(tan_square, 1.0), self.secant(sinh));
        let product = self.mul(beta, sinh_square);
        let below = self.plus(product, 1.0);
        let product = self.mul(beta, rho);
        let above = self.mul(product, sinh);
        let (re, im) = (self.div(above, below), self.div(tan, below));
        // Far out: 1, and 4 sin y cos y exp(-2 |x|).
        let far = self.sign_of(one, x);
        let exponent = self.scaled(size, -2.0);
        let power = self.one_of(Opcode::MathExp, exponent);
        let (sin, cos) = (self.one_of(Opcode::MathSin, y), self.one_of(Opcode::MathCos, y));
        let product = self.mul(sin, cos);
        let product = self.mul(product, power);
        let rest = self.scaled(product, 4.0);
        // Nothing is left of it at infinity, also without an angle.
        let nothing = self.sub(y, y);
        let (is_finite, none) = (self.is(Is::Equal, nothing, 0.0), self.sign_of(zero, y));
        let rest = self.select(is_finite, rest, none);
        [self.select(is_far, far, re), self.select(is_far, rest, im)]
    }

    fn pow(&mut self, a: Pair, b: Pair) -> Pair {
        let log = self.log(a);
        let exponent = self.times(b, log);
        let power = self.exp(exponent);
        let (zero, one, nan) = (self.number(0.0), self.number(1.0), self.number(f64::NAN));
        let is_zero = self.is_zero(a);
        let is_positive = self.is(Is::Greater, b[0], 0.0);
        let of_zero = self.select(is_positive, zero, nan);
        let to_zero = self.is_zero(b);
        let result = power.map(|part| self.select(is_zero, of_zero, part));
        [self.select(to_zero, one, result[0]), self.select(to_zero, zero, result[1])]
    }

    fn is_zero(&mut self, z: Pair) -> ValueId {
        let bits = z.map(|part| self.is(Is::Equal, part, 0.0));
        self.two(Opcode::ArithAndi, bits[0], bits[1])
    }

    fn powi(&mut self, z: Pair, exponent: i64) -> Pair {
        let one = [self.number(1.0), self.number(0.0)];
        let (mut power, mut square, mut rest) = (None, z, exponent.unsigned_abs());
        while rest > 0 {
            if rest & 1 == 1 {
                power = Some(power.map_or(square, |power| self.times(power, square)));
            }
            rest >>= 1;
            if rest > 0 {
                square = self.times(square, square);
            }
        }
        let power = power.unwrap_or(one);
        if exponent < 0 { self.over(one, power) } else { power }
    }
}
