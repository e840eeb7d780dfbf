//! Masks: which scores the region of an attention keeps, as inequalities of indices.
//!
//! Before: `%keep = arith.cmpi sge, %i, %j`, `%y = arith.select %keep, %x, %minus_infinity`, which is yielded
//! After:  the score `%x`, and `i - j >= 0`
//!
//! A score that is minus infinity is a key that the row does not see. From the inequalities follow, for a block of rows,
//! the keys in front of the first one and behind the last one that any of them sees ([`Keep::range`]), and whether all
//! rows see all keys of a block ([`Keep::holds`]). What is not linear in the indices is not known, and nothing follows.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{Attr, Builder, Def, Expr, Ir, OpId, Opcode, Type, ValueId};

use crate::structured::sizes::{extreme, index};
use crate::structured::sums;

/// A condition on a score.
#[derive(Clone, Debug)]
pub(crate) enum Keep {
    /// The sum is not negative.
    NotNegative(Sum),
    /// All of these hold.
    All(Vec<Keep>),
    /// One of these holds.
    Any(Vec<Keep>),
    /// Something else.
    Unknown,
}

/// A sum of indices, each times a number.
pub(crate) type Sum = sums::Sum<Index>;

/// What is summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Index {
    /// The index along a dimension of the scores.
    Score(usize),
    /// A value from outside of the region.
    Outer(ValueId),
}

/// Takes the masks off what a region yields: the score below them, and the scores that they keep.
pub(crate) fn take_off(ir: &Ir, op: OpId) -> (ValueId, Keep) {
    let end = ir.terminator(ir.entry(op)).expect("a verified region has a terminator");
    let (mut score, mut keep) = (ir.operand(end, 0), Vec::new());
    while let Some((below, kept)) = outermost(ir, op, score) {
        score = below;
        keep.push(kept);
    }
    (score, Keep::All(keep))
}

/// Takes off one mask: a choice between a score and minus infinity, or between zero and minus infinity, which is added.
fn outermost(ir: &Ir, op: OpId, value: ValueId) -> Option<(ValueId, Keep)> {
    let made = ir.def_op(value)?;
    match (ir.opcode(made), ir.operands(made)) {
        (Opcode::ArithSelect, &[_, a, b]) => {
            let score = if is_number(ir, b, f64::NEG_INFINITY) { a } else { b };
            Some((score, chosen(ir, op, made, |other| other == score)?))
        }
        (Opcode::ArithAddf, &[a, b]) => [(a, b), (b, a)].into_iter().find_map(|(score, mask)| {
            let select = ir.def_op(mask).filter(|&select| ir.opcode(select) == Opcode::ArithSelect)?;
            Some((score, chosen(ir, op, select, |value| is_number(ir, value, 0.0))?))
        }),
        _ => None,
    }
}

/// Where a choice between a value and minus infinity chooses the value.
fn chosen(ir: &Ir, op: OpId, select: OpId, is_value: impl Fn(ValueId) -> bool) -> Option<Keep> {
    let &[condition, a, b] = ir.operands(select) else { return None };
    // A mask that looks at scores is not a mask of indices: it must see them as they are.
    if looks_at_scores(ir, op, condition) {
        return None;
    }
    let is_never = |value| is_number(ir, value, f64::NEG_INFINITY);
    match (is_value(a) && is_never(b), is_value(b) && is_never(a)) {
        (true, _) => Some(Keep::of(ir, op, condition, true)),
        (_, true) => Some(Keep::of(ir, op, condition, false)),
        (false, false) => None,
    }
}

/// Whether a value of the region is made of the score: its first argument, beside elements of tensors.
fn looks_at_scores(ir: &Ir, op: OpId, value: ValueId) -> bool {
    match ir.def(value) {
        Def::Arg { block, index } => block == ir.entry(op) && index == 0,
        Def::Result { op: made, .. } => {
            ir.parent_op(made) == Some(op)
                && (!ir.regions(made).is_empty()
                    || ir.operands(made).iter().any(|&operand| looks_at_scores(ir, op, operand)))
        }
    }
}

fn is_number(ir: &Ir, value: ValueId, number: f64) -> bool {
    let constant = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant);
    let attr = constant.and_then(|op| ir.attr(op, "value"));
    matches!(attr, Some(Attr::Float { bits, .. }) if f64::from_bits(*bits) == number)
}

impl Keep {
    /// Where a condition in the region of an operation holds, or does not.
    fn of(ir: &Ir, op: OpId, value: ValueId, holds: bool) -> Keep {
        if let Some(number) = ir.const_int(value) {
            return if (number != 0) == holds { Keep::All(Vec::new()) } else { Keep::Any(Vec::new()) };
        }
        let Some(made) = ir.def_op(value) else { return Keep::Unknown };
        let is_bit = matches!(ir.ty(value), Type::Integer { width: 1, .. });
        let both = |operands: &[ValueId]| operands.iter().map(|&operand| Keep::of(ir, op, operand, holds)).collect();
        match (ir.opcode(made), ir.operands(made)) {
            (Opcode::ArithCmpi, &[a, b]) => Keep::compared(ir, op, made, [a, b], holds).unwrap_or(Keep::Unknown),
            (Opcode::ArithAndi | Opcode::ArithMuli, operands) if is_bit => {
                if holds {
                    Keep::All(both(operands))
                } else {
                    Keep::Any(both(operands))
                }
            }
            (Opcode::ArithOri, operands) if is_bit => {
                if holds {
                    Keep::Any(both(operands))
                } else {
                    Keep::All(both(operands))
                }
            }
            (Opcode::ArithXori, &[a, b]) => match (ir.const_int(a), ir.const_int(b)) {
                (_, Some(flips)) => Keep::of(ir, op, a, holds == (flips == 0)),
                (Some(flips), _) => Keep::of(ir, op, b, holds == (flips == 0)),
                (None, None) => Keep::Unknown,
            },
            _ => Keep::Unknown,
        }
    }

    fn compared(ir: &Ir, op: OpId, made: OpId, operands: [ValueId; 2], holds: bool) -> Option<Keep> {
        let [a, b] = operands.map(|operand| Sum::of(ir, op, operand));
        let (a, b) = (a?, b?);
        // What is negative below is not less than zero above, and so on.
        let less = |a: &Sum, b: &Sum| Some(Keep::NotNegative(b.plus(a, -1)?.plus(&Sum::number(1), -1)?));
        let at_most = |a: &Sum, b: &Sum| Some(Keep::NotNegative(b.plus(a, -1)?));
        let predicate = match ir.attr(made, "predicate").and_then(Attr::as_i64)? {
            // Without signs: the same of numbers that have none.
            predicate @ 6..=9 if a.has_no_sign(ir) && b.has_no_sign(ir) => predicate - 4,
            predicate => predicate,
        };
        match (predicate, holds) {
            (0, true) | (1, false) => Some(Keep::All(vec![at_most(&a, &b)?, at_most(&b, &a)?])),
            (0, false) | (1, true) => Some(Keep::Any(vec![less(&a, &b)?, less(&b, &a)?])),
            (2, true) | (5, false) => less(&a, &b),
            (3, true) | (4, false) => at_most(&a, &b),
            (4, true) | (3, false) => less(&b, &a),
            (5, true) | (2, false) => at_most(&b, &a),
            _ => None,
        }
    }

    /// Whether something follows from it.
    pub fn is_known(&self) -> bool {
        match self {
            Keep::NotNegative(_) => true,
            Keep::All(of) | Keep::Any(of) => of.iter().any(Keep::is_known),
            Keep::Unknown => false,
        }
    }

    /// Whether all indices and values that it is about satisfy a condition.
    pub fn is_of(&self, outer: &dyn Fn(ValueId) -> bool) -> bool {
        match self {
            Keep::NotNegative(sum) => sum.terms.iter().all(|(at, _)| match *at {
                Index::Outer(value) => outer(value),
                Index::Score(_) => true,
            }),
            Keep::All(of) | Keep::Any(of) => of.iter().all(|keep| keep.is_of(outer)),
            Keep::Unknown => true,
        }
    }

    /// For blocks of scores of these sizes, the least and the end of what `step`, a value that the sums contain, may be in
    /// blocks that have a score that is kept. `None` where there is no such bound.
    pub fn range(&self, builder: &mut Builder<'_>, sizes: &[Option<i64>], step: ValueId) -> [Option<Mixed>; 2] {
        match self {
            Keep::NotNegative(sum) => sum.range(builder, sizes, step),
            Keep::All(of) => {
                let ranges: Vec<_> = of.iter().map(|keep| keep.range(builder, sizes, step)).collect();
                let known = |side: usize| ranges.iter().filter_map(|range| range[side]).collect::<Vec<_>>();
                let (first, ends) = (known(0), known(1));
                [extreme_of(builder, Opcode::AffineMax, &first), extreme_of(builder, Opcode::AffineMin, &ends)]
            }
            Keep::Any(of) if of.is_empty() => [None, Some(Mixed::Static(0))],
            Keep::Any(of) => {
                let ranges: Vec<_> = of.iter().map(|keep| keep.range(builder, sizes, step)).collect();
                let all = |side: usize| ranges.iter().map(|range| range[side]).collect::<Option<Vec<_>>>();
                let (first, ends) = (all(0).unwrap_or_default(), all(1).unwrap_or_default());
                [extreme_of(builder, Opcode::AffineMin, &first), extreme_of(builder, Opcode::AffineMax, &ends)]
            }
            Keep::Unknown => [None; 2],
        }
    }

    /// The end of what `step` may be in blocks all of whose scores are kept; `None` where it is not known, or where such
    /// blocks have a first one, too.
    pub fn kept_until(&self, builder: &mut Builder<'_>, sizes: &[Option<i64>], step: ValueId) -> Option<Mixed> {
        match self {
            Keep::NotNegative(sum) if sum.factor(step) < 0 => sum.end(builder, sizes, step, false),
            Keep::All(of) => {
                let ends = of.iter().map(|keep| keep.kept_until(builder, sizes, step)).collect::<Option<Vec<_>>>()?;
                extreme_of(builder, Opcode::AffineMin, &ends)
            }
            Keep::NotNegative(_) | Keep::Any(_) | Keep::Unknown => None,
        }
    }

    /// Whether the range of `step` ends later where a value is larger.
    pub fn ends_later(&self, step: ValueId, value: ValueId) -> bool {
        match self {
            Keep::NotNegative(sum) => sum.factor(step) < 0 && sum.factor(value) > 0,
            Keep::All(of) | Keep::Any(of) => of.iter().any(|keep| keep.ends_later(step, value)),
            Keep::Unknown => false,
        }
    }

    /// Whether all scores of a block of these sizes are kept, as far as is known.
    pub fn holds(&self, builder: &mut Builder<'_>, sizes: &[Option<i64>]) -> ValueId {
        let bit = builder.ir.int_type(1);
        match self {
            Keep::NotNegative(sum) => {
                match sum.extreme(sizes, false).map(|(operands, expr)| index(builder, &operands, &expr)) {
                    Some(least) => {
                        let (least, zero) = (least.materialize(builder), builder.index(0));
                        let at_least = builder.ir.i64_attr(5);
                        builder.value(Opcode::ArithCmpi, &[least, zero], bit, &[("predicate", at_least)])
                    }
                    None => builder.int(0, bit),
                }
            }
            Keep::All(of) | Keep::Any(of) => {
                let all = matches!(self, Keep::All(_));
                let opcode = if all { Opcode::ArithAndi } else { Opcode::ArithOri };
                let values: Vec<ValueId> = of.iter().map(|keep| keep.holds(builder, sizes)).collect();
                let joined = values.into_iter().reduce(|a, b| builder.binary(opcode, a, b));
                joined.unwrap_or_else(|| builder.int(i64::from(all), bit))
            }
            Keep::Unknown => builder.int(0, bit),
        }
    }
}

/// The least or greatest of several numbers; `None` of none.
fn extreme_of(builder: &mut Builder<'_>, opcode: Opcode, of: &[Mixed]) -> Option<Mixed> {
    let exprs: Vec<Expr> = (0..of.len() as u32).map(Expr::Dim).collect();
    match of {
        [] => None,
        &[one] => Some(one),
        _ => Some(extreme(builder, opcode, of, &exprs)),
    }
}

impl Sum {
    /// What an index in the region of an operation is; `None` where it is not such a sum.
    fn of(ir: &Ir, op: OpId, value: ValueId) -> Option<Sum> {
        if let Some(number) = ir.const_int(value) {
            return Sum::number(number).bounded();
        }
        let is_index = matches!(ir.ty(value), Type::Index);
        // Narrower integers may wrap.
        if !is_index && !matches!(ir.ty(value), Type::Integer { width: 64, .. }) {
            return None;
        }
        let Some(made) = ir.def_op(value).filter(|&made| ir.parent_op(made) == Some(op)) else {
            return is_index.then(|| Sum::one(Index::Outer(value)));
        };
        let operand = |at: usize| Sum::of(ir, op, ir.operand(made, at));
        match ir.opcode(made) {
            Opcode::IreeLinalgExtIndex => {
                let dim = ir.attr(made, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
                Some(Sum::one(Index::Score(dim)))
            }
            Opcode::ArithAddi => operand(0)?.plus(&operand(1)?, 1),
            Opcode::ArithSubi => operand(0)?.plus(&operand(1)?, -1),
            Opcode::ArithMuli => operand(0)?.times(&operand(1)?),
            Opcode::ArithIndexCast => operand(0),
            Opcode::AffineApply => {
                let map = ir.map(made, "map")?;
                let operands = (0..ir.operands(made).len()).map(operand).collect::<Option<Vec<Sum>>>()?;
                let operand = |expr: &Expr| match *expr {
                    Expr::Dim(d) => operands.get(d as usize).cloned(),
                    Expr::Sym(s) => operands.get((map.dims + s) as usize).cloned(),
                    _ => None,
                };
                Sum::of_expr(map.results.first()?, &operand)
            }
            _ => None,
        }
    }

    /// What a value from outside is multiplied with.
    fn factor(&self, value: ValueId) -> i64 {
        self.terms.iter().find(|term| term.0 == Index::Outer(value)).map_or(0, |term| term.1)
    }

    /// Whether it is a sum of what is not negative.
    fn has_no_sign(&self, ir: &Ir) -> bool {
        let counts = |value: ValueId| match ir.def(value) {
            Def::Arg { block, index } => {
                let around = ir.region_parent(ir.block_region(block));
                match ir.opcode(around) {
                    Opcode::ScfFor if index == 0 => ir.const_int(ir.operand(around, 0)).is_some_and(|first| first >= 0),
                    Opcode::ScfForall => {
                        let lower = Forall::of(ir, around).lower;
                        matches!(lower.get(index as usize), Some(Mixed::Static(first)) if *first >= 0)
                    }
                    _ => false,
                }
            }
            Def::Result { op, .. } => ir.opcode(op) == Opcode::TensorDim,
        };
        let has_none = |&(at, factor): &(Index, i64)| match at {
            Index::Score(_) => factor > 0,
            Index::Outer(value) => factor > 0 && counts(value),
        };
        self.constant >= 0 && self.terms.iter().all(has_none)
    }

    /// The least or greatest sum in a block of these sizes, as an expression of the values from outside; `None` where a
    /// size is not known.
    fn extreme(&self, sizes: &[Option<i64>], greatest: bool) -> Option<(Vec<Mixed>, Expr)> {
        let (mut operands, mut constant) = (Vec::new(), self.constant);
        let mut expr = Expr::Const(0);
        for &(at, factor) in &self.terms {
            match at {
                Index::Outer(value) => {
                    let term = Expr::binary(BinOp::Mul, Expr::Dim(operands.len() as u32), Expr::Const(factor));
                    expr = Expr::binary(BinOp::Add, expr, term);
                    operands.push(Mixed::Value(value));
                }
                Index::Score(d) if greatest == (factor > 0) => {
                    let last = sizes.get(d).copied().flatten()? - 1;
                    constant = constant.checked_add(factor.checked_mul(last)?)?;
                }
                Index::Score(_) => {}
            }
        }
        Some((operands, Expr::binary(BinOp::Add, expr, Expr::Const(constant))))
    }

    fn range(&self, builder: &mut Builder<'_>, sizes: &[Option<i64>], step: ValueId) -> [Option<Mixed>; 2] {
        let factor = self.factor(step);
        if factor <= 0 {
            return [None, self.end(builder, sizes, step, true)];
        }
        let Some((operands, greatest)) = self.without(step).extreme(sizes, true) else { return [None; 2] };
        let least = Expr::binary(BinOp::Mul, greatest, Expr::Const(-1));
        let first = Expr::binary(BinOp::CeilDiv, least, Expr::Const(factor));
        [Some(index(builder, &operands, &first)), None]
    }

    /// The end of what `step` may be where the greatest sum of a block is not negative, or the least one.
    fn end(&self, builder: &mut Builder<'_>, sizes: &[Option<i64>], step: ValueId, greatest: bool) -> Option<Mixed> {
        let factor = self.factor(step);
        let (operands, rest) = self.without(step).extreme(sizes, greatest).filter(|_| factor < 0)?;
        let last = Expr::binary(BinOp::FloorDiv, rest, Expr::Const(-factor));
        Some(index(builder, &operands, &Expr::binary(BinOp::Add, last, Expr::Const(1))))
    }

    /// The sum without one of its values.
    fn without(&self, value: ValueId) -> Sum {
        let others = self.terms.iter().filter(|term| term.0 != Index::Outer(value));
        Sum { constant: self.constant, terms: others.copied().collect() }
    }
}
