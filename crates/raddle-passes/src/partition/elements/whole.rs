//! Whole numbers that are sums of loops: the elements of ranges, and what comparisons and arithmetic make of them.

use raddle_ir::affine::BinOp;
use raddle_ir::{DYNAMIC, Expr, Ir, OpId, Opcode, Type, TypeId, ValueId};

use crate::structured::sums::Sum;

/// No tensor has more elements along a dimension: places and their sums do not overflow.
const PLACE_MAX: i64 = 1 << 47;
/// A sum of loops, each times a number.
pub(in crate::partition) type Whole = Sum<u32>;

impl Sum<u32> {
    /// The sum that an expression is.
    pub fn of(expr: &Expr) -> Option<Whole> {
        Whole::of_expr(expr, &|expr| if let Expr::Dim(d) = *expr { Some(Whole::one(d)) } else { None })
    }

    /// The same of one that may divide.
    pub fn with_quotients(expr: &Expr, extents: &[i64]) -> Option<Whole> {
        let inner = |expr: &Expr| Whole::with_quotients(expr, extents);
        match expr {
            Expr::Add(a, b) => inner(a)?.plus(&inner(b)?, 1),
            Expr::Mul(a, b) => inner(a)?.times(&inner(b)?),
            Expr::FloorDiv(a, b) => Some(inner(a)?.divided(inner(b)?.as_number()?, extents)?.0),
            Expr::Mod(a, b) => Some(inner(a)?.divided(inner(b)?.as_number()?, extents)?.1),
            Expr::Const(_) | Expr::Dim(_) | Expr::Sym(_) | Expr::CeilDiv(..) => Whole::of(expr),
        }
    }

    pub fn expr(&self) -> Expr {
        let term = |&(d, factor): &(u32, i64)| Expr::binary(BinOp::Mul, Expr::Dim(d), Expr::Const(factor));
        let sum = |a: Expr, b: Expr| Expr::binary(BinOp::Add, a, b);
        sum(self.terms.iter().map(term).reduce(sum).unwrap_or(Expr::Const(0)), Expr::Const(self.constant))
    }

    /// The loop that it is.
    pub fn as_loop(&self) -> Option<u32> {
        match self.terms[..] {
            [(d, 1)] if self.constant == 0 => Some(d),
            _ => None,
        }
    }

    /// Where a loop is at its beginning.
    pub fn begun(mut self, d: u32) -> Whole {
        self.terms.retain(|&(other, _)| other != d);
        self
    }

    /// Whether it is another one, too.
    pub fn is(&self, other: &Whole) -> bool {
        self.plus(other, -1).is_some_and(|difference| difference.as_number() == Some(0))
    }

    /// The least and the greatest that it is, for loops of these extents.
    pub fn range(&self, extents: &[i64]) -> (i128, i128) {
        let (mut least, mut greatest) = (i128::from(self.constant), i128::from(self.constant));
        for &(d, factor) in &self.terms {
            let extent = extents[d as usize];
            let last = if extent == DYNAMIC { PLACE_MAX } else { (extent - 1).max(0) };
            let end = i128::from(factor) * i128::from(last);
            least += end.min(0);
            greatest += end.max(0);
        }
        (least, greatest)
    }

    /// The quotient by a number and what is left, if it is no less than 0 and multiples of the number are terms of their own.
    fn divided(&self, by: i64, extents: &[i64]) -> Option<(Whole, Whole)> {
        if by <= 0 {
            return None;
        }
        let (mut quotient, mut left) = (Whole::number(self.constant.div_euclid(by)), self.clone());
        left.constant = self.constant.rem_euclid(by);
        left.terms.retain(|&(_, factor)| factor % by != 0);
        let multiples = self.terms.iter().filter(|term| term.1 % by == 0);
        quotient.terms = multiples.map(|&(d, factor)| (d, factor / by)).collect();
        let (least, greatest) = left.range(extents);
        let is_left = least >= 0 && greatest < by.into() && self.range(extents).0 >= 0;
        is_left.then_some((quotient, left))
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
    let number = |at: usize| operands[at].as_ref()?.as_number();
    let whole = |at: usize| operands[at].as_ref();
    let result = ir.type_of(ir.result(op, 0));
    let found = match ir.opcode(op) {
        Opcode::ArithAddi => match [0, 1].map(|at| (whole(at), number(at))) {
            [(Some(a), _), (Some(b), _)] => a.plus(b, 1)?,
            [_, (_, Some(0))] => return Some(Known::Operand(0)),
            [(_, Some(0)), _] => return Some(Known::Operand(1)),
            _ => return None,
        },
        Opcode::ArithSubi => whole(0)?.plus(whole(1)?, -1)?,
        Opcode::ArithMuli => whole(0)?.times(whole(1)?)?,
        Opcode::ArithDivsi | Opcode::ArithDivui => whole(0)?.divided(number(1)?, extents)?.0,
        Opcode::ArithRemsi | Opcode::ArithRemui => whole(0)?.divided(number(1)?, extents)?.1,
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
            let apart = || {
                let ((least, greatest), (other_least, other_greatest)) = (a.range(extents), b.range(extents));
                (least - other_greatest, greatest - other_least)
            };
            let difference = a.plus(b, -1).map_or_else(apart, |difference| difference.range(extents));
            Whole::number(relates(predicate, difference)?.into())
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
            Whole::with_quotients(&map.results.first()?.replaced(dims, symbols), extents)?
        }
        Opcode::ArithSelect => return Some(Known::Operand(if number(0)? != 0 { 1 } else { 2 })),
        _ => return None,
    };
    found.fits(ir, result, extents).then_some(Known::Whole(found))
}

fn is_bit(ir: &Ir, value: ValueId) -> bool {
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
