//! Complex numbers: each function computed in double precision, and both parts rounded once.
//!
//! The formulas are those of textbooks for numbers that fit the exponents of `f64`; they share nothing with the code that
//! kernels get. Where a part is infinite or NaN, so is what follows from it by these formulas.

use raddle_ir::Scalar;

use crate::inst::{Complex1, Complex2, ComplexInst, ComplexOp, ComplexPart};
use crate::ops::wide;
use crate::regs::{Bank, Complex, Reg, Regs};
use crate::round::{Round, narrow};

#[inline(never)]
pub(crate) fn complex(regs: &mut Regs, inst: &ComplexInst) {
    let ComplexInst { dst, a, b, op, part, wide } = *inst;
    let rounded = |x: f64| match Round::of(part, crate::Precision::Exact) {
        _ if wide => x,
        round => f64::from(narrow(round, x)),
    };
    let both = |z: Complex| Complex { re: rounded(z.re), im: rounded(z.im) };
    for at in 0..dst.len() * regs.lanes {
        match op {
            ComplexOp::Create => {
                let z = Complex { re: float(regs, a, at), im: float(regs, b, at) };
                regs.complexes[dst.at as usize][at] = z;
            }
            ComplexOp::Part(which) => {
                let x = rounded(part_of(which, number(regs, a, at)));
                match dst.bank {
                    Bank::F32 => regs.f32s[dst.at as usize][at] = x as f32,
                    _ => regs.f64s[dst.at as usize][at] = x,
                }
            }
            ComplexOp::Unary(function) => {
                regs.complexes[dst.at as usize][at] = both(unary(function, number(regs, a, at)));
            }
            ComplexOp::Binary(function) => {
                let z = binary(function, number(regs, a, at), number(regs, b, at));
                regs.complexes[dst.at as usize][at] = both(z);
            }
            ComplexOp::PowI => {
                let z = powi(number(regs, a, at), regs.ints[b.at as usize][at]);
                regs.complexes[dst.at as usize][at] = both(z);
            }
            ComplexOp::Equal(equal) => {
                let same = number(regs, a, at) == number(regs, b, at);
                regs.ints[dst.at as usize][at] = i64::from(same == equal);
            }
            ComplexOp::ToBits(to) => {
                let z = number(regs, a, at);
                let half = |x: f64| Complex::part_word(part, x);
                let bits = half(z.re) | half(z.im) << part.bits();
                wide::set_word(regs, dst, to, at, bits.into());
            }
            ComplexOp::OfBits(from) => {
                let bits = wide::low_word(&wide::word(regs, a, from, at));
                let half = |word: u64| Complex::part_of_word(part, word);
                let z = Complex { re: half(bits), im: half(bits >> part.bits()) };
                regs.complexes[dst.at as usize][at] = z;
            }
        }
    }
}

fn number(regs: &Regs, reg: Reg, at: usize) -> Complex {
    regs.complexes[reg.at as usize][at]
}

fn float(regs: &Regs, reg: Reg, at: usize) -> f64 {
    match reg.bank {
        Bank::F32 => regs.f32s[reg.at as usize][at].into(),
        _ => regs.f64s[reg.at as usize][at],
    }
}

impl Complex {
    /// The bits of a part in its type.
    fn part_word(part: Scalar, x: f64) -> u64 {
        crate::regs::Num::word(&x, part) & u64::MAX >> (64 - part.bits())
    }

    fn part_of_word(part: Scalar, word: u64) -> f64 {
        crate::regs::Num::of_word(part, word & u64::MAX >> (64 - part.bits()))
    }

    fn times(self, x: f64) -> Complex {
        Complex { re: self.re * x, im: self.im * x }
    }

    fn is_zero(self) -> bool {
        self.re == 0.0 && self.im == 0.0
    }
}

fn part_of(part: ComplexPart, z: Complex) -> f64 {
    match part {
        ComplexPart::Re => z.re,
        ComplexPart::Im => z.im,
        ComplexPart::Abs => libm::hypot(z.re, z.im),
        ComplexPart::Angle => libm::atan2(z.im, z.re),
    }
}

fn unary(function: Complex1, z: Complex) -> Complex {
    let Complex { re: x, im: y } = z;
    match function {
        Complex1::Neg => Complex { re: -x, im: -y },
        Complex1::Conj => Complex { re: x, im: -y },
        Complex1::Exp => exp(z),
        Complex1::Expm1 => {
            let half = libm::sin(0.5 * y);
            Complex { re: libm::expm1(x) * libm::cos(y) - 2.0 * half * half, im: exp(z).im }
        }
        Complex1::Log => log(z),
        Complex1::Log1p => {
            let near = libm::hypot(x, y) < 0.5;
            // |1 + z|² - 1 is small where z is.
            let re =
                if near { 0.5 * libm::log1p(x * (2.0 + x) + y * y) } else { log(Complex { re: 1.0 + x, im: y }).re };
            Complex { re, im: libm::atan2(y, 1.0 + x) }
        }
        Complex1::Sqrt => sqrt(z),
        Complex1::Rsqrt => binary(Complex2::Div, Complex { re: 1.0, im: 0.0 }, sqrt(z)),
        Complex1::Sin => Complex { re: libm::sin(x) * libm::cosh(y), im: libm::cos(x) * libm::sinh(y) },
        Complex1::Cos => Complex { re: libm::cos(x) * libm::cosh(y), im: -(libm::sin(x) * libm::sinh(y)) },
        // tan z = -i tanh(i z)
        Complex1::Tan => {
            let turned = tanh(Complex { re: -y, im: x });
            Complex { re: turned.im, im: -turned.re }
        }
        Complex1::Tanh => tanh(z),
        Complex1::Sign if z.is_zero() => z,
        Complex1::Sign => {
            // Scaled first: the absolute value of a number may be larger than any.
            let scaled = z.times(0.5);
            scaled.times(1.0 / libm::hypot(scaled.re, scaled.im))
        }
    }
}

fn binary(function: Complex2, a: Complex, b: Complex) -> Complex {
    match function {
        Complex2::Add => Complex { re: a.re + b.re, im: a.im + b.im },
        Complex2::Sub => Complex { re: a.re - b.re, im: a.im - b.im },
        Complex2::Mul => Complex { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re },
        Complex2::Div if b.is_zero() => a.times(1.0 / b.re.abs()),
        Complex2::Div => {
            // By a power of two, which is exact, so that no square leaves the range.
            let scale = libm::exp2(-f64::from(libm::ilogb(b.re.abs().max(b.im.abs())).clamp(-1000, 1000)));
            let b = b.times(scale);
            let square = b.re * b.re + b.im * b.im;
            let z = Complex { re: a.re * b.re + a.im * b.im, im: a.im * b.re - a.re * b.im };
            Complex { re: z.re / square * scale, im: z.im / square * scale }
        }
        Complex2::Pow if b.is_zero() => Complex { re: 1.0, im: 0.0 },
        Complex2::Pow if a.is_zero() => {
            Complex { re: if b.re > 0.0 { 0.0 } else { f64::NAN }, im: if b.re > 0.0 { 0.0 } else { f64::NAN } }
        }
        Complex2::Pow => exp(binary(Complex2::Mul, b, log(a))),
        // atan2(y, x) = -i log((x + i y) / sqrt(x² + y²))
        Complex2::Atan2 => {
            let (y, x) = (a, b);
            let square = |z| binary(Complex2::Mul, z, z);
            let length = sqrt(binary(Complex2::Add, square(x), square(y)));
            let turned = Complex { re: x.re - y.im, im: x.im + y.re };
            let log = log(binary(Complex2::Div, turned, length));
            Complex { re: log.im, im: -log.re }
        }
    }
}

fn exp(z: Complex) -> Complex {
    let Complex { re: x, im: y } = z;
    if y == 0.0 {
        return Complex { re: libm::exp(x), im: y };
    }
    // A factor beyond the range may still have a product inside of it.
    let half = libm::exp(0.5 * x);
    Complex { re: half * libm::cos(y) * half, im: half * libm::sin(y) * half }
}

fn log(z: Complex) -> Complex {
    let (a, b) = (z.re.abs().max(z.im.abs()), z.re.abs().min(z.im.abs()));
    let length = libm::hypot(a, b);
    let near_one = (0.5..2.0).contains(&length);
    let re = if near_one { 0.5 * libm::log1p((a - 1.0) * (a + 1.0) + b * b) } else { libm::log(length) };
    Complex { re, im: libm::atan2(z.im, z.re) }
}

fn sqrt(z: Complex) -> Complex {
    let Complex { re: x, im: y } = z;
    if z.is_zero() {
        return Complex { re: 0.0, im: y };
    }
    if y.is_infinite() {
        return Complex { re: f64::INFINITY, im: y };
    }
    if x.is_infinite() {
        let (grows, stays) = (f64::INFINITY, if y.is_nan() { y } else { 0.0 });
        let (re, im) = if x > 0.0 { (grows, stays) } else { (stays, grows) };
        return Complex { re, im: im.copysign(y) };
    }
    // The sum of the absolute values stays in the range.
    let root = (0.125 * x.abs() + 0.125 * libm::hypot(x, y)).sqrt() * 2.0;
    let other = 0.5 * y.abs() / root;
    let (re, im) = if x >= 0.0 { (root, other) } else { (other, root) };
    Complex { re, im: im.copysign(y) }
}

/// W. Kahan, "Branch cuts for complex elementary functions", procedure TANH.
fn tanh(z: Complex) -> Complex {
    let Complex { re: x, im: y } = z;
    if x.abs() > 20.0 {
        let rest = 4.0 * libm::sin(y) * libm::cos(y) * libm::exp(-2.0 * x.abs());
        return Complex { re: 1f64.copysign(x), im: if y.is_finite() { rest } else { 0f64.copysign(y) } };
    }
    let (t, s) = (libm::tan(y), libm::sinh(x));
    let beta = 1.0 + t * t;
    let rho = (1.0 + s * s).sqrt();
    let below = 1.0 + beta * s * s;
    Complex { re: beta * rho * s / below, im: t / below }
}

fn powi(z: Complex, exponent: i64) -> Complex {
    let one = Complex { re: 1.0, im: 0.0 };
    let (mut power, mut square, mut rest) = (one, z, exponent.unsigned_abs());
    while rest > 0 {
        if rest & 1 == 1 {
            power = binary(Complex2::Mul, power, square);
        }
        square = binary(Complex2::Mul, square, square);
        rest >>= 1;
    }
    if exponent < 0 { binary(Complex2::Div, one, power) } else { power }
}
