//! Arithmetic on floats of a sequence, such as an extent that is scaled by 1.5 and rounded down.
//!
//! A number is an integer of 64 bits: a float is there as its bits, in the low 32 where it has so many. Whoever carries out
//! a sequence computes in that type, so that results are those of the program, whatever computes them.

/// An operation on floats of 32 or 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the others do what their names say")]
pub enum FloatOp {
    /// The float that is nearest to an integer.
    OfInteger,
    /// The integer that is left of a float without its fraction. Integers that are too large are the largest ones, and that of
    /// NaN is 0.
    ToInteger,
    /// A float as one of 64 bits.
    Extend,
    /// A float of 64 bits as the nearest one of 32.
    Truncate,
    Add,
    Sub,
    Mul,
    Div,
    /// The least of two, or NaN where one is NaN.
    Min,
    /// The greatest of two, or NaN where one is NaN.
    Max,
    Neg,
    Abs,
    Floor,
    Ceil,
    Trunc,
    /// The nearest integral float, halves to even.
    RoundEven,
    Sqrt,
    /// 1 where the first is less than the second, else 0.
    Less,
    /// 1 where the first is less than the second, or the same, else 0.
    LessEqual,
    /// 1 where two are the same number, else 0.
    Equal,
}

/// How LLVM writes an operation.
pub(crate) enum Written {
    /// A conversion from an integer of 64 bits, or between floats.
    Converted(&'static str),
    /// A function for each type, which needs no declaration.
    Called(&'static str),
    /// An instruction.
    Computed(&'static str),
    /// A comparison.
    Compared(&'static str),
}

impl FloatOp {
    /// All operations.
    pub const ALL: [FloatOp; 20] = [
        FloatOp::OfInteger,
        FloatOp::ToInteger,
        FloatOp::Extend,
        FloatOp::Truncate,
        FloatOp::Add,
        FloatOp::Sub,
        FloatOp::Mul,
        FloatOp::Div,
        FloatOp::Min,
        FloatOp::Max,
        FloatOp::Neg,
        FloatOp::Abs,
        FloatOp::Floor,
        FloatOp::Ceil,
        FloatOp::Trunc,
        FloatOp::RoundEven,
        FloatOp::Sqrt,
        FloatOp::Less,
        FloatOp::LessEqual,
        FloatOp::Equal,
    ];

    /// What launch data call it, how many operands it has, and how LLVM writes it.
    pub(crate) fn row(self) -> (&'static str, usize, Written) {
        match self {
            FloatOp::OfInteger => ("of_integer", 1, Written::Converted("sitofp")),
            FloatOp::ToInteger => ("to_integer", 1, Written::Called("fptosi.sat.i64")),
            FloatOp::Extend => ("extend", 1, Written::Converted("fpext")),
            FloatOp::Truncate => ("truncate", 1, Written::Converted("fptrunc")),
            FloatOp::Add => ("add", 2, Written::Computed("fadd")),
            FloatOp::Sub => ("sub", 2, Written::Computed("fsub")),
            FloatOp::Mul => ("mul", 2, Written::Computed("fmul")),
            FloatOp::Div => ("div", 2, Written::Computed("fdiv")),
            FloatOp::Min => ("minimum", 2, Written::Called("minimum")),
            FloatOp::Max => ("maximum", 2, Written::Called("maximum")),
            FloatOp::Neg => ("neg", 1, Written::Computed("fneg")),
            FloatOp::Abs => ("abs", 1, Written::Called("fabs")),
            FloatOp::Floor => ("floor", 1, Written::Called("floor")),
            FloatOp::Ceil => ("ceil", 1, Written::Called("ceil")),
            FloatOp::Trunc => ("trunc", 1, Written::Called("trunc")),
            FloatOp::RoundEven => ("roundeven", 1, Written::Called("roundeven")),
            FloatOp::Sqrt => ("sqrt", 1, Written::Called("sqrt")),
            FloatOp::Less => ("less", 2, Written::Compared("olt")),
            FloatOp::LessEqual => ("less_equal", 2, Written::Compared("ole")),
            FloatOp::Equal => ("equal", 2, Written::Compared("oeq")),
        }
    }

    /// What launch data call it for floats of so many bits: `floor_f32`.
    pub fn name(self, bits: u32) -> String {
        format!("{}_f{bits}", self.row().0)
    }

    /// The operation of a name, and the bits of its floats.
    pub fn named(name: &str) -> Option<(FloatOp, u32)> {
        FloatOp::ALL.into_iter().flat_map(|op| [(op, 32), (op, 64)]).find(|&(op, bits)| op.name(bits) == name)
    }

    /// The bits of an operand that is a float.
    pub fn operand_bits(self, bits: u32) -> u32 {
        match self {
            FloatOp::Extend => 32,
            FloatOp::Truncate => 64,
            _ => bits,
        }
    }

    /// What it gives. In floats of 64 bits, sums, products, quotients and roots of ones of 32 bits round to the right ones.
    pub fn eval(self, operands: &[i64], bits: u32) -> Option<i64> {
        if let (FloatOp::OfInteger, &[number]) = (self, operands) {
            return Some(if bits == 32 {
                i64::from((number as f32).to_bits())
            } else {
                (number as f64).to_bits() as i64
            });
        }
        let float = |operand: i64| match self.operand_bits(bits) {
            32 => f64::from(f32::from_bits(operand as u32)),
            _ => f64::from_bits(operand as u64),
        };
        let given: Vec<f64> = operands.iter().map(|&operand| float(operand)).collect();
        let result = match (self, &given[..]) {
            (FloatOp::ToInteger, &[a]) => return Some(a as i64),
            (FloatOp::Less, &[a, b]) => return Some((a < b).into()),
            (FloatOp::LessEqual, &[a, b]) => return Some((a <= b).into()),
            (FloatOp::Equal, &[a, b]) => return Some((a == b).into()),
            (FloatOp::Extend | FloatOp::Truncate, &[a]) => a,
            (FloatOp::Add, &[a, b]) => a + b,
            (FloatOp::Sub, &[a, b]) => a - b,
            (FloatOp::Mul, &[a, b]) => a * b,
            (FloatOp::Div, &[a, b]) => a / b,
            (FloatOp::Min | FloatOp::Max, &[a, b]) if a.is_nan() || b.is_nan() => a + b,
            // The zero with a sign is the lesser one.
            (FloatOp::Min, &[a, b]) => {
                if a.total_cmp(&b).is_le() {
                    a
                } else {
                    b
                }
            }
            (FloatOp::Max, &[a, b]) => {
                if a.total_cmp(&b).is_ge() {
                    a
                } else {
                    b
                }
            }
            (FloatOp::Neg, &[a]) => -a,
            (FloatOp::Abs, &[a]) => a.abs(),
            (FloatOp::Floor, &[a]) => a.floor(),
            (FloatOp::Ceil, &[a]) => a.ceil(),
            (FloatOp::Trunc, &[a]) => a.trunc(),
            (FloatOp::RoundEven, &[a]) => a.round_ties_even(),
            (FloatOp::Sqrt, &[a]) => a.sqrt(),
            _ => return None,
        };
        Some(if bits == 32 { i64::from((result as f32).to_bits()) } else { result.to_bits() as i64 })
    }

    /// Whether it gives no negative number, given which of its operands are none.
    pub fn is_natural(self, are_natural: &[bool]) -> bool {
        match self {
            FloatOp::Abs | FloatOp::Less | FloatOp::LessEqual | FloatOp::Equal => true,
            FloatOp::Max => are_natural.contains(&true),
            FloatOp::Sub | FloatOp::Neg => false,
            FloatOp::OfInteger
            | FloatOp::ToInteger
            | FloatOp::Extend
            | FloatOp::Truncate
            | FloatOp::Add
            | FloatOp::Mul
            | FloatOp::Div
            | FloatOp::Min
            | FloatOp::Floor
            | FloatOp::Ceil
            | FloatOp::Trunc
            | FloatOp::RoundEven
            | FloatOp::Sqrt => !are_natural.contains(&false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operation is found by its name, and has as many operands as its row says.
    #[test]
    fn each_operation_has_a_name_and_its_operands() {
        for op in FloatOp::ALL {
            for bits in [32, 64] {
                assert_eq!(FloatOp::named(&op.name(bits)), Some((op, bits)));
                for n in 0..4 {
                    assert_eq!(op.eval(&vec![0; n], bits).is_some(), n == op.row().1, "{op:?} of {n} operands");
                }
            }
        }
    }

    /// Products of f32 round as f32: half of 16777217, which is none, is half of 16777216.
    #[test]
    fn results_round_to_their_type() {
        let half = i64::from(0.5f32.to_bits());
        let scaled = |number, bits, half| {
            let float = FloatOp::OfInteger.eval(&[number], bits)?;
            FloatOp::ToInteger.eval(&[FloatOp::Mul.eval(&[float, half], bits)?], bits)
        };
        assert_eq!(scaled(16_777_217, 32, half), Some(8_388_608));
        assert_eq!(scaled(16_777_219, 32, half), Some(8_388_610));
        assert_eq!(scaled(16_777_219, 64, 0.5f64.to_bits() as i64), Some(8_388_609));
    }
}
