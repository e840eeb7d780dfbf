//! Sums of what is counted, each times a number.

use raddle_ir::Expr;

/// The largest factor, and the largest constant, of a sum: sizes times these do not overflow.
const NUMBER_MAX: i64 = 1 << 40;

/// A sum of a constant and of things, each times a number that is not zero.
#[derive(Clone, Debug)]
pub(crate) struct Sum<T> {
    pub constant: i64,
    pub terms: Vec<(T, i64)>,
}

impl<T: Copy + PartialEq> Sum<T> {
    pub fn number(constant: i64) -> Sum<T> {
        Sum { constant, terms: Vec::new() }
    }

    pub fn one(term: T) -> Sum<T> {
        Sum { constant: 0, terms: vec![(term, 1)] }
    }

    /// The sum that an expression is, of what `operand` says of its dimensions and symbols.
    pub fn of_expr(expr: &Expr, operand: &dyn Fn(&Expr) -> Option<Sum<T>>) -> Option<Sum<T>> {
        let inner = |expr: &Expr| Sum::of_expr(expr, operand);
        match expr {
            Expr::Const(number) => Sum::number(*number).bounded(),
            Expr::Dim(_) | Expr::Sym(_) => operand(expr),
            Expr::Add(a, b) => inner(a)?.plus(&inner(b)?, 1),
            Expr::Mul(a, b) => inner(a)?.times(&inner(b)?),
            Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => None,
        }
    }

    /// This and another one, so many times.
    pub fn plus(&self, other: &Sum<T>, factor: i64) -> Option<Sum<T>> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for &(at, times) in &other.terms {
            let times = times.checked_mul(factor)?;
            match sum.terms.iter_mut().find(|term| term.0 == at) {
                Some(term) => term.1 = term.1.checked_add(times)?,
                None => sum.terms.push((at, times)),
            }
        }
        sum.terms.retain(|term| term.1 != 0);
        sum.bounded()
    }

    /// The product, if one of both is a number.
    pub fn times(&self, other: &Sum<T>) -> Option<Sum<T>> {
        match (self.terms.is_empty(), other.terms.is_empty()) {
            (_, true) => Sum::number(0).plus(self, other.constant),
            (true, false) => Sum::number(0).plus(other, self.constant),
            (false, false) => None,
        }
    }

    pub fn bounded(self) -> Option<Sum<T>> {
        let small = |number: i64| number.unsigned_abs() < NUMBER_MAX.unsigned_abs();
        (small(self.constant) && self.terms.iter().all(|term| small(term.1))).then_some(self)
    }

    /// The number, if nothing else is part of it.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}
