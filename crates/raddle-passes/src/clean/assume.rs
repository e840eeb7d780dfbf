//! Fold assumptions about integers: `util.assume.int` states what is known of values at each place that calls.

use raddle_ir::{Attr, AttrId, Body, Builder, Ir, OpId, Opcode, TypeId, ValueId};
use rustc_hash::FxHashMap;

use super::fold::Fold;
use super::tensor::known;
use crate::code::extents::gcd_unsigned;

/// Folds `util.assume.int`, and what an assumption makes of `x / c * c`.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::UtilAssumeInt => assume(ir, op),
        Opcode::ArithMuli => multiple(ir, op),
        _ => None,
    }
}

/// What is assumed of one value in one case.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Range {
    least: Option<u64>,
    most: Option<u64>,
    divisor: Option<u64>,
}

impl Range {
    fn of(ir: &Ir, attr: AttrId) -> Range {
        let number = |name: &str| {
            let value = ir[ir.field(attr, name)?].as_i64()?;
            u64::try_from(value).ok()
        };
        Range { least: number("umin"), most: number("umax"), divisor: number("udiv") }
    }

    /// What holds where both hold; `None` where the least common multiple is out of reach.
    fn and(self, other: Range) -> Option<Range> {
        let join = |a: Option<u64>, b: Option<u64>, f: fn(u64, u64) -> u64| match (a, b) {
            (Some(a), Some(b)) => Some(f(a, b)),
            (a, b) => a.or(b),
        };
        let divisor = match (self.divisor, other.divisor) {
            (Some(a), Some(b)) if a > 0 && b > 0 => Some((a / gcd_unsigned(a, b)).checked_mul(b)?),
            (a, b) => a.or(b),
        };
        Some(Range {
            least: join(self.least, other.least, u64::max),
            most: join(self.most, other.most, u64::min),
            divisor,
        })
    }

    fn attr(self, ir: &mut Ir, ty: TypeId) -> AttrId {
        let parts = [("umin", self.least), ("umax", self.most), ("udiv", self.divisor)];
        let mut fields = Vec::new();
        for (name, value) in parts {
            if let Some(value) = value {
                let value = ir.intern(Attr::Int { value: value.into(), ty });
                fields.push((ir.intern_str(name), value));
            }
        }
        let name = ir.intern_str("util.int.assumption");
        ir.intern(Attr::Dialect { name, body: Body::Fields(fields) })
    }
}

/// The cases of each operand; one stands for all where they are the same.
fn rows(ir: &Ir, op: OpId) -> Option<Vec<Vec<Range>>> {
    let Some(Attr::Array(lists)) = ir.attr(op, "assumptions") else { return None };
    let row = |&list: &AttrId| match &ir[list] {
        Attr::Array(cases) => Some(cases.iter().map(|&case| Range::of(ir, case)).collect()),
        _ => None,
    };
    let rows: Vec<Vec<Range>> = lists.iter().map(row).collect::<Option<_>>()?;
    (rows.len() == ir.operands(op).len() && rows.iter().all(|row| !row.is_empty())).then_some(rows)
}

/// What holds of each operand in every case: the least and the greatest value, and a number that divides it.
pub fn assumed(ir: &Ir, op: OpId) -> Vec<(i64, i64, i64)> {
    let number = |n: Option<u64>, other: i64| n.and_then(|n| i64::try_from(n).ok()).unwrap_or(other);
    let all = |row: Vec<Range>| {
        let least = row.iter().map(|case| number(case.least, 0)).min();
        let most = row.iter().map(|case| number(case.most, i64::MAX)).max();
        let divisor = row.iter().map(|case| case.divisor.unwrap_or(1)).fold(0, gcd_unsigned);
        (least.unwrap_or(0), most.unwrap_or(i64::MAX), number(Some(divisor), 1).max(1))
    };
    rows(ir, op).unwrap_or_default().into_iter().map(all).collect()
}

fn single(row: &[Range]) -> Vec<Range> {
    if row.iter().all(|case| case == &row[0]) { vec![row[0]] } else { row.to_vec() }
}

/// Constants go without assumptions, a range of one value is that value, equal cases are one, and operands that are the
/// same share what is assumed of them.
fn assume(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let given = rows(ir, op)?;
    let operands = ir.operands(op).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    let mut stand: Vec<Option<ValueId>> = vec![None; operands.len()];
    let mut kept: Vec<(usize, Vec<Range>)> = Vec::new();
    let mut place: FxHashMap<ValueId, usize> = FxHashMap::default();
    for (i, (&operand, row)) in operands.iter().zip(&given).enumerate() {
        if known(ir, operand).is_some() {
            stand[i] = Some(operand);
            continue;
        }
        if let Range { least: Some(least), most: Some(most), .. } = row[0]
            && least == most
            && row.iter().all(|case| (case.least, case.most) == (Some(least), Some(least)))
            && let Ok(value) = i64::try_from(least)
        {
            let ty = ir.type_of(operand);
            stand[i] = Some(Builder::before(ir, op).int(value, ty));
            continue;
        }
        match place.get(&operand) {
            Some(&at) => {
                let (_, joined) = &kept[at];
                let n = joined.len().max(row.len());
                if (joined.len() != n && joined.len() != 1) || (row.len() != n && row.len() != 1) {
                    return None;
                }
                let case = |i: usize| joined[i % joined.len()].and(row[i % row.len()]);
                kept[at].1 = (0..n).map(case).collect::<Option<_>>()?;
            }
            None => {
                place.insert(operand, kept.len());
                kept.push((i, row.clone()));
            }
        }
    }
    for (_, row) in &mut kept {
        *row = single(row);
    }
    let same = kept.len() == operands.len() && kept.iter().zip(&given).all(|((_, row), given)| row == given);
    if same {
        return None;
    }
    if !kept.is_empty() {
        let ty = ir.int_type(64);
        let lists = kept
            .iter()
            .map(|(_, row)| {
                let row = row.iter().map(|case| case.attr(ir, ty)).collect();
                ir.intern(Attr::Array(row))
            })
            .collect();
        let lists = ir.intern(Attr::Array(lists));
        let left: Vec<ValueId> = kept.iter().map(|&(i, _)| operands[i]).collect();
        let types: Vec<TypeId> = left.iter().map(|&value| ir.type_of(value)).collect();
        let new = Builder::before(ir, op).op(Opcode::UtilAssumeInt, &left, &types, &[("assumptions", lists)]);
        for (i, &operand) in operands.iter().enumerate().filter(|(i, _)| stand[*i].is_none()).collect::<Vec<_>>() {
            stand[i] = place.get(&operand).map(|&at| ir.result(new, at));
        }
    }
    let stand: Option<Vec<ValueId>> = stand.into_iter().collect();
    stand.filter(|stand| stand.len() == results.len()).map(Fold::Values)
}

/// `x / c * c` is `x` where `x` is assumed to be a multiple of `c`.
fn multiple(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let by = known(ir, ir.operand(op, 1))?;
    let divided = ir.def_op(ir.operand(op, 0)).filter(|&made| ir.opcode(made) == Opcode::ArithDivui)?;
    let (value, divisor) = (ir.operand(divided, 0), known(ir, ir.operand(divided, 1))?);
    let assumed = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::UtilAssumeInt)?;
    let divisor = u64::try_from(divisor).ok().filter(|&n| n > 0 && u64::try_from(by) == Ok(n))?;
    let at = ir.results(assumed).position(|result| result == value)?;
    let is_multiple = |case: &Range| case.divisor.is_some_and(|n| n.is_multiple_of(divisor));
    if rows(ir, assumed)?.get(at)?.iter().all(is_multiple) { Fold::value(value) } else { None }
}
