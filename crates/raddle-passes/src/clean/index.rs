//! Fold affine index operations: constants go into the map or the basis; what is then trivial goes away.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, mixed, unmixed};
use raddle_ir::{Attr, Builder, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::fold::Fold;
use super::number;

/// Folds one index operation.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::AffineApply => fold_apply(ir, op),
        Opcode::LinearizeIndex => fold_linearize(ir, op),
        Opcode::DelinearizeIndex => fold_delinearize(ir, op),
        _ => None,
    }
}

fn const_index(ir: &Ir, value: ValueId) -> Option<i64> {
    number::of(ir, value)?.int()
}

fn index(ir: &mut Ir, op: OpId, value: i64) -> ValueId {
    Builder::before(ir, op).index(value)
}

/// Puts known operands into the map, drops those that it does not use, and forwards a map that is one of its operands.
fn fold_apply(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let map = ir.map(op, "map")?.clone();
    let [expr] = &map.results[..] else { return None };
    let operands = ir.operands(op).to_vec();
    if operands.len() != (map.dims + map.syms) as usize {
        return None;
    }
    let known: Vec<Option<i64>> = operands.iter().map(|&operand| const_index(ir, operand)).collect();
    // A constant, or the place that the operand keeps.
    let mut used = vec![false; operands.len()];
    mark_used(expr, map.dims, &mut used);
    for (used, known) in used.iter_mut().zip(&known) {
        *used &= known.is_none();
    }
    let mut counts = [0u32; 2];
    let places: Vec<Expr> = (0..operands.len())
        .map(|i| match known[i] {
            Some(value) => Expr::Const(value),
            None if !used[i] => Expr::Const(0),
            None if i < map.dims as usize => {
                counts[0] += 1;
                Expr::Dim(counts[0] - 1)
            }
            None => {
                counts[1] += 1;
                Expr::Sym(counts[1] - 1)
            }
        })
        .collect();
    let expr = substitute(expr, map.dims, &places);
    match expr {
        Expr::Const(value) => return Fold::value(index(ir, op, value)),
        Expr::Dim(_) | Expr::Sym(_) => {
            let at = used.iter().position(|&used| used)?;
            return Fold::value(operands[at]);
        }
        _ => {}
    }
    let folded = Map { dims: counts[0], syms: counts[1], results: vec![expr] };
    if folded == map {
        return None;
    }
    let kept: Vec<ValueId> = operands.iter().zip(&used).filter(|pair| *pair.1).map(|pair| *pair.0).collect();
    let folded = ir.intern(Attr::Map(folded));
    ir.set_attr(op, "map", folded);
    ir.set_operands(op, &kept);
    Some(Fold::Changed)
}

fn mark_used(expr: &Expr, dims: u32, used: &mut [bool]) {
    match expr {
        Expr::Dim(i) => used[*i as usize] = true,
        Expr::Sym(i) => used[(dims + i) as usize] = true,
        Expr::Const(_) => {}
        Expr::Add(a, b) | Expr::Mul(a, b) | Expr::Mod(a, b) | Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
            mark_used(a, dims, used);
            mark_used(b, dims, used);
        }
    }
}

/// The expression with each dimension and symbol replaced.
fn substitute(expr: &Expr, dims: u32, places: &[Expr]) -> Expr {
    let two = |op, a: &Expr, b: &Expr| Expr::binary(op, substitute(a, dims, places), substitute(b, dims, places));
    match expr {
        Expr::Dim(i) => places[*i as usize].clone(),
        Expr::Sym(i) => places[(dims + i) as usize].clone(),
        Expr::Const(value) => Expr::Const(*value),
        Expr::Add(a, b) => two(BinOp::Add, a, b),
        Expr::Mul(a, b) => two(BinOp::Mul, a, b),
        Expr::Mod(a, b) => two(BinOp::Mod, a, b),
        Expr::FloorDiv(a, b) => two(BinOp::FloorDiv, a, b),
        Expr::CeilDiv(a, b) => two(BinOp::CeilDiv, a, b),
    }
}

/// The basis without an outer bound: one entry for each digit but the first.
fn inner_basis(basis: Vec<Mixed>, n_digits: usize) -> Option<Vec<Mixed>> {
    match n_digits.checked_sub(basis.len())? {
        0 => Some(basis.into_iter().skip(1).collect()),
        1 => Some(basis),
        _ => None,
    }
}

fn basis_of(ir: &Ir, op: OpId, values: &[ValueId]) -> Vec<Mixed> {
    let numbers = ir.attr_id(op, "static_basis").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    mixed(&numbers, values)
}

fn fold_linearize(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let parts = ir.segments(op);
    let [digits, values] = parts[..] else { return None };
    let digits = digits.to_vec();
    let basis = inner_basis(basis_of(ir, op, values), digits.len())?;
    if basis.is_empty() {
        return match digits[..] {
            [] => Fold::value(index(ir, op, 0)),
            [digit] => Fold::value(digit),
            _ => None,
        };
    }
    let mut sum = const_index(ir, digits[0])?;
    for (size, &digit) in basis.iter().zip(&digits[1..]) {
        let Mixed::Static(size) = size else { return None };
        sum = sum.checked_mul(*size)?.checked_add(const_index(ir, digit)?)?;
    }
    Fold::value(index(ir, op, sum))
}

fn fold_delinearize(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let n_digits = ir.results(op).len();
    let basis = inner_basis(basis_of(ir, op, &ir.operands(op)[1..]), n_digits)?;
    if basis.is_empty() {
        return Fold::value(source);
    }
    if let Some(digits) = digits_of_linearize(ir, source, &basis) {
        return Some(Fold::Values(digits));
    }
    let sizes: Vec<i64> = basis
        .iter()
        .map(|size| match size {
            Mixed::Static(size) if *size > 0 => Some(*size),
            _ => None,
        })
        .collect::<Option<_>>()?;
    if let Some(mut rest) = const_index(ir, source) {
        let mut digits = vec![0; n_digits];
        for (digit, &size) in digits[1..].iter_mut().zip(&sizes).rev() {
            (*digit, rest) = (rest.rem_euclid(size), rest.div_euclid(size));
        }
        digits[0] = rest;
        return Some(Fold::Values(digits.into_iter().map(|digit| index(ir, op, digit)).collect()));
    }
    drop_unit_digits(ir, op, source, &sizes)
}

/// The digits that a `disjoint` linearization with the same basis was made from.
fn digits_of_linearize(ir: &Ir, source: ValueId, basis: &[Mixed]) -> Option<Vec<ValueId>> {
    let inner = ir.def_op(source).filter(|&inner| ir.opcode(inner) == Opcode::LinearizeIndex)?;
    ir.attr_id(inner, "disjoint")?;
    let parts = ir.segments(inner);
    let [digits, values] = parts[..] else { return None };
    let inner_basis = inner_basis(basis_of(ir, inner, values), digits.len())?;
    (inner_basis == basis).then(|| digits.to_vec())
}

/// A digit of extent 1 is 0.
fn drop_unit_digits(ir: &mut Ir, op: OpId, source: ValueId, sizes: &[i64]) -> Option<Fold> {
    if !sizes.contains(&1) {
        return None;
    }
    let kept: Vec<i64> = sizes.iter().copied().filter(|&size| size != 1).collect();
    let mut digits = if kept.is_empty() {
        vec![source].into_iter()
    } else {
        let mut builder = Builder::before(ir, op);
        let (basis, _) = unmixed(&kept.iter().map(|&size| Mixed::Static(size)).collect::<Vec<_>>());
        let basis = builder.ir.dense_i64(&basis);
        let types = vec![builder.ir.index_type(); kept.len() + 1];
        let new = builder.op(Opcode::DelinearizeIndex, &[source], &types, &[("static_basis", basis)]);
        ir.results(new).collect::<Vec<_>>().into_iter()
    };
    let mut values = vec![digits.next()?];
    for &size in sizes {
        values.push(if size == 1 { index(ir, op, 0) } else { digits.next()? });
    }
    Some(Fold::Values(values))
}
