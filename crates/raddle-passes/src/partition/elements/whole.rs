//! Whole numbers that are sums of loops: the elements of ranges, and what comparisons and arithmetic make of them.

use raddle_ir::affine::BinOp;
use raddle_ir::{DYNAMIC, Expr, Ir, OpId, Opcode, Type, TypeId};

/// No tensor has more elements along a dimension: places and their sums do not overflow.
const PLACE_MAX: i64 = 1 << 47;
/// The largest factor of a loop, and the largest constant.
const NUMBER_MAX: i64 = 1 << 60;

/// A sum of loops, each times a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::partition) struct Whole {
    constant: i64,
    /// Loops in order, and what they are multiplied by, which is not zero.
    factors: Vec<(u32, i64)>,
}

impl Whole {
    pub fn number(constant: i64) -> Whole {
        Whole { constant, factors: Vec::new() }
    }

    /// The sum that an expression is.
    pub fn of(expr: &Expr) -> Option<Whole> {
        match expr {
            Expr::Const(number) => Whole::number(*number).bounded(),
            Expr::Dim(d) => Some(Whole { constant: 0, factors: vec![(*d, 1)] }),
            Expr::Add(a, b) => Whole::of(a)?.plus(&Whole::of(b)?, 1),
            Expr::Mul(a, b) => Whole::of(a)?.times(&Whole::of(b)?),
            _ => None,
        }
    }

    pub fn expr(&self) -> Expr {
        let term = |&(d, factor): &(u32, i64)| Expr::binary(BinOp::Mul, Expr::Dim(d), Expr::Const(factor));
        let sum = |a: Expr, b: Expr| Expr::binary(BinOp::Add, a, b);
        sum(self.factors.iter().map(term).reduce(sum).unwrap_or(Expr::Const(0)), Expr::Const(self.constant))
    }

    /// The number, if no loop is part of it.
    pub fn constant(&self) -> Option<i64> {
        self.factors.is_empty().then_some(self.constant)
    }

    /// The loop that it is.
    pub fn as_loop(&self) -> Option<u32> {
        match self.factors[..] {
            [(d, 1)] if self.constant == 0 => Some(d),
            _ => None,
        }
    }

    /// Where a loop is at its beginning.
    pub fn begun(mut self, d: u32) -> Whole {
        self.factors.retain(|&(other, _)| other != d);
        self
    }

    /// This and another one, so many times.
    pub fn plus(&self, other: &Whole, times: i64) -> Option<Whole> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        for &(d, factor) in &other.factors {
            let factor = factor.checked_mul(times)?;
            match sum.factors.binary_search_by_key(&d, |term| term.0) {
                Ok(at) => sum.factors[at].1 = sum.factors[at].1.checked_add(factor)?,
                Err(at) => sum.factors.insert(at, (d, factor)),
            }
        }
        sum.factors.retain(|term| term.1 != 0);
        sum.bounded()
    }

    /// This times another one, one of which is a number.
    pub fn times(&self, other: &Whole) -> Option<Whole> {
        let (sum, number) = match (self.constant(), other.constant()) {
            (Some(number), _) => (other, number),
            (_, Some(number)) => (self, number),
            (None, None) => return None,
        };
        Whole::number(0).plus(sum, number)
    }

    fn bounded(self) -> Option<Whole> {
        let is_small = |number: i64| number.checked_abs().is_some_and(|size| size <= NUMBER_MAX);
        (is_small(self.constant) && self.factors.iter().all(|term| is_small(term.1))).then_some(self)
    }

    /// The least and the greatest that it is, for loops of these extents.
    pub fn range(&self, extents: &[i64]) -> (i128, i128) {
        let (mut least, mut greatest) = (i128::from(self.constant), i128::from(self.constant));
        for &(d, factor) in &self.factors {
            let extent = extents[d as usize];
            let last = if extent == DYNAMIC { PLACE_MAX } else { (extent - 1).max(0) };
            let end = i128::from(factor) * i128::from(last);
            least += end.min(0);
            greatest += end.max(0);
        }
        (least, greatest)
    }

    /// Whether all that it may be are numbers of a type.
    pub fn fits(&self, ir: &Ir, ty: TypeId, extents: &[i64]) -> bool {
        let (least, greatest) = self.range(extents);
        let width = match ir[ty] {
            // Whether true is 1 or -1, conversions say.
            Type::Integer { width: 1, .. } => return [(0, 0), (1, 1)].contains(&(least, greatest)),
            Type::Integer { width, .. } => width,
            Type::Index => 64,
            _ => return false,
        };
        let bound = 1i128 << (width.clamp(1, 64) - 1);
        -bound <= least && greatest < bound
    }
}

/// What an operation on whole numbers gives, as far as it is known.
pub(super) enum Known {
    /// A sum of loops.
    Whole(Whole),
    /// The same as an operand.
    Operand(usize),
}

/// What an operation gives, some of whose operands are known.
pub(super) fn known(ir: &Ir, op: OpId, operands: &[Option<Whole>], extents: &[i64]) -> Option<Known> {
    let number = |at: usize| operands[at].as_ref()?.constant();
    let whole = |at: usize| operands[at].as_ref();
    let result = ir.type_of(ir.result(op, 0));
    let found = match ir.opcode(op) {
        Opcode::ArithAddi => whole(0)?.plus(whole(1)?, 1)?,
        Opcode::ArithSubi => whole(0)?.plus(whole(1)?, -1)?,
        Opcode::ArithMuli => whole(0)?.times(whole(1)?)?,
        Opcode::ArithIndexCast | Opcode::ArithExtsi | Opcode::ArithTrunci if !is_bit(ir, ir.operand(op, 0)) => {
            whole(0)?.clone()
        }
        // Of a bit, too: it is 0 or 1.
        Opcode::ArithExtui | Opcode::ArithIndexCastui => whole(0).filter(|whole| whole.range(extents).0 >= 0)?.clone(),
        Opcode::ArithCmpi => {
            let predicate = ir.attr(op, "predicate")?.as_i64()?;
            let is_unsigned = predicate >= 6;
            let (a, b) = (whole(0)?, whole(1)?);
            if is_bit(ir, ir.operand(op, 0)) || is_unsigned && (a.range(extents).0 < 0 || b.range(extents).0 < 0) {
                return None;
            }
            Whole::number(relates(predicate, a.plus(b, -1)?.range(extents))?.into())
        }
        Opcode::ArithAndi | Opcode::ArithOri if is_bit(ir, ir.operand(op, 0)) => {
            let at = (0..2).find(|&at| number(at).is_some())?;
            let neutral = i64::from(ir.opcode(op) == Opcode::ArithAndi);
            return Some(Known::Operand(if number(at)? == neutral { 1 - at } else { at }));
        }
        Opcode::AffineApply => {
            let map = ir.map(op, "map")?;
            let operands = (0..operands.len()).map(|at| Some(whole(at)?.expr())).collect::<Option<Vec<Expr>>>()?;
            let (dims, symbols) = operands.split_at_checked(map.dims as usize)?;
            Whole::of(&map.results.first()?.replaced(dims, symbols))?
        }
        Opcode::ArithSelect => return Some(Known::Operand(if number(0)? != 0 { 1 } else { 2 })),
        _ => return None,
    };
    found.fits(ir, result, extents).then_some(Known::Whole(found))
}

fn is_bit(ir: &Ir, value: raddle_ir::ValueId) -> bool {
    matches!(ir.ty(value), Type::Integer { width: 1, .. })
}

/// Whether numbers relate as `arith.cmpi`'s predicate says, whose difference is in this range.
fn relates(predicate: i64, (least, greatest): (i128, i128)) -> Option<bool> {
    let either = |always: bool, never: bool| if always { Some(true) } else { never.then_some(false) };
    let equal = either((least, greatest) == (0, 0), least > 0 || greatest < 0);
    match predicate {
        0 => equal,
        1 => equal.map(|equal| !equal),
        2 | 6 => either(greatest < 0, least >= 0),
        3 | 7 => either(greatest <= 0, least > 0),
        4 | 8 => either(least > 0, greatest <= 0),
        5 | 9 => either(least >= 0, greatest < 0),
        _ => None,
    }
}
