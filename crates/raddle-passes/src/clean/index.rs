//! Fold affine index operations: constants go into the map or the basis; what is then trivial goes away.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, mixed, unmixed};
use raddle_ir::{Attr, Builder, Def, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_layout::sort::sort_by_key;

use super::fold::Fold;
use super::number;

/// Folds one index operation.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    match ir.opcode(op) {
        Opcode::AffineApply => fold_apply(ir, op),
        Opcode::AffineMin | Opcode::AffineMax => fold_extremum(ir, op),
        Opcode::AffineLinearizeIndex => fold_linearize(ir, op),
        Opcode::AffineDelinearizeIndex => fold_delinearize(ir, op),
        _ => None,
    }
}

fn const_index(ir: &Ir, value: ValueId) -> Option<i64> {
    number::of(ir, value)?.int()
}

fn index(ir: &mut Ir, op: OpId, value: i64) -> ValueId {
    Builder::before(ir, op).index(value)
}

/// Puts known operands and the maps that make operands into the map, drops operands that it does not use, and forwards
/// a map that is one of its operands.
fn fold_apply(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let (map, operands, changed) = composed(ir, op)?;
    match map.results[..] {
        [Expr::Const(value)] => return Fold::value(index(ir, op, value)),
        [Expr::Dim(d)] => return Fold::value(operands[d as usize]),
        [Expr::Sym(s)] => return Fold::value(operands[(map.dims + s) as usize]),
        _ => {}
    }
    changed.then(|| rewrite(ir, op, map, &operands))
}

/// The least or greatest result of a map: constants meet, what occurs twice is said once, and a lone result is applied.
fn fold_extremum(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let least = ir.opcode(op) == Opcode::AffineMin;
    let (mut map, operands, mut changed) = composed(ir, op)?;
    let n_results = map.results.len();
    let mut bound: Option<i64> = None;
    let mut results: Vec<Expr> = Vec::new();
    for result in map.results {
        match result {
            Expr::Const(value) => {
                bound = Some(bound.map_or(value, |b| if least { b.min(value) } else { b.max(value) }));
            }
            result if results.contains(&result) => {}
            result => results.push(result),
        }
    }
    results.extend(bound.map(Expr::Const));
    changed |= results.len() < n_results;
    map.results = results;
    match map.results[..] {
        [Expr::Const(value)] => Fold::value(index(ir, op, value)),
        [Expr::Dim(d)] => Fold::value(operands[d as usize]),
        [Expr::Sym(s)] => Fold::value(operands[(map.dims + s) as usize]),
        [_] => Fold::value(Builder::before(ir, op).apply(map, &operands)),
        _ => changed.then(|| rewrite(ir, op, map, &operands)),
    }
}

fn rewrite(ir: &mut Ir, op: OpId, map: Map, operands: &[ValueId]) -> Fold {
    let map = ir.intern(Attr::Map(map));
    ir.set_attr(op, "map", map);
    ir.set_operands(op, operands);
    Fold::Changed
}

/// Maps that grow through composition end somewhere.
const OPERANDS_MAX: usize = 64;

/// The map of an operation with its operands: each once, none that is known, made by another map, or not used. Says
/// whether that is another map than before.
fn composed(ir: &Ir, op: OpId) -> Option<(Map, Vec<ValueId>, bool)> {
    let map = ir.map(op, "map")?.clone();
    let operands = ir.operands(op).to_vec();
    if operands.len() != (map.dims + map.syms) as usize {
        return None;
    }
    // What each operand is, in terms of values that stay. Each of these is the dimension of its position in `values`
    // until the results are known; then those that are used get the names that the map keeps.
    let mut values: Vec<ValueId> = Vec::new();
    let mut place = |value: ValueId| match values.iter().position(|&other| other == value) {
        Some(at) => Expr::Dim(at as u32),
        None => {
            values.push(value);
            Expr::Dim(values.len() as u32 - 1)
        }
    };
    let mut places = Vec::new();
    for &operand in &operands {
        places.push(match (const_index(ir, operand), made_by_map(ir, operand)) {
            (Some(value), _) => Expr::Const(value),
            (None, Some((inner, inner_operands))) => {
                let inner_places: Vec<Expr> = inner_operands
                    .iter()
                    .map(|&value| const_index(ir, value).map_or_else(|| place(value), Expr::Const))
                    .collect();
                substitute(&inner.results[0], inner.dims, &inner_places)
            }
            (None, None) => place(operand),
        });
    }
    // What cancels out in a sum is not used.
    let results: Vec<Expr> = map.results.iter().map(|result| flat(&substitute(result, map.dims, &places))).collect();
    let mut used = vec![false; values.len()];
    for result in &results {
        mark_used(result, values.len() as u32, &mut used);
    }
    // Values that do not change while the function runs are symbols, behind the dimensions, as in MLIR.
    let (mut dims, mut syms) = (Vec::new(), Vec::new());
    let names: Vec<Expr> = values
        .iter()
        .zip(&used)
        .map(|(&value, &used)| {
            let (list, name): (&mut Vec<ValueId>, fn(u32) -> Expr) =
                if is_symbol(ir, value) { (&mut syms, Expr::Sym) } else { (&mut dims, Expr::Dim) };
            if used {
                list.push(value);
            }
            name(list.len().saturating_sub(1) as u32)
        })
        .collect();
    let results = results.iter().map(|result| flat(&substitute(result, values.len() as u32, &names))).collect();
    let new = Map { dims: dims.len() as u32, syms: syms.len() as u32, results };
    let kept = [dims, syms].concat();
    if kept.len() > OPERANDS_MAX {
        return None;
    }
    let changed = new != map || kept != operands;
    Some((new, kept, changed))
}

/// The expression as MLIR flattens it: a sum of dimensions, symbols, remainders and quotients, each once with its factor,
/// and a constant; itself where a number does not fit.
fn flat(expr: &Expr) -> Expr {
    let mut sum = Sum { terms: Vec::new(), constant: 0 };
    if sum.add(expr, 1).is_none() {
        return expr.clone();
    }
    sort_by_key(&mut sum.terms, |(term, _)| match term {
        Expr::Dim(i) => (0, *i),
        Expr::Sym(i) => (1, *i),
        // In the order in which they are met.
        Expr::Const(_) | Expr::Add(..) | Expr::Mul(..) | Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => {
            (2, 0)
        }
    });
    let terms = sum.terms.into_iter().filter(|(_, factor)| *factor != 0);
    let terms = terms.map(|(term, factor)| Expr::binary(BinOp::Mul, term, Expr::Const(factor)));
    let whole = terms.reduce(|sum, term| Expr::binary(BinOp::Add, sum, term)).unwrap_or(Expr::Const(0));
    Expr::binary(BinOp::Add, whole, Expr::Const(sum.constant))
}

/// A sum of terms with factors.
struct Sum {
    terms: Vec<(Expr, i64)>,
    constant: i64,
}

impl Sum {
    /// Adds an expression so many times; `None` where a number does not fit.
    fn add(&mut self, expr: &Expr, factor: i64) -> Option<()> {
        let term = match expr {
            Expr::Const(value) => {
                self.constant = self.constant.checked_add(value.checked_mul(factor)?)?;
                return Some(());
            }
            Expr::Add(a, b) => {
                self.add(a, factor)?;
                return self.add(b, factor);
            }
            Expr::Mul(a, b) => match (&**a, &**b) {
                (a, Expr::Const(c)) | (Expr::Const(c), a) => return self.add(a, factor.checked_mul(*c)?),
                _ => expr.clone(),
            },
            Expr::Dim(_) | Expr::Sym(_) => expr.clone(),
            Expr::Mod(a, b) => Expr::binary(BinOp::Mod, flat(a), flat(b)),
            Expr::FloorDiv(a, b) => Expr::binary(BinOp::FloorDiv, flat(a), flat(b)),
            Expr::CeilDiv(a, b) => Expr::binary(BinOp::CeilDiv, flat(a), flat(b)),
        };
        match self.terms.iter_mut().find(|(known, _)| *known == term) {
            Some((_, known)) => *known = known.checked_add(factor)?,
            None => self.terms.push((term, factor)),
        }
        Some(())
    }
}

/// The map and the operands of a value that `affine.apply` makes.
fn made_by_map(ir: &Ir, value: ValueId) -> Option<(Map, Vec<ValueId>)> {
    let op = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::AffineApply)?;
    let map = ir.map(op, "map")?.clone();
    let operands = ir.operands(op).to_vec();
    (map.results.len() == 1 && operands.len() == (map.dims + map.syms) as usize).then_some((map, operands))
}

/// Whether a value is one for the whole run of its function: it is made at the function's own level.
fn is_symbol(ir: &Ir, value: ValueId) -> bool {
    let block = match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    };
    block.is_some_and(|block| ir.opcode(ir.region_parent(ir.block_region(block))).is_isolated())
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

/// The expression with each dimension and symbol replaced, symbols behind dimensions.
fn substitute(expr: &Expr, dims: u32, places: &[Expr]) -> Expr {
    let (dims, syms) = places.split_at(dims as usize);
    expr.replaced(dims, syms)
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
    // All digits of one delinearization, in order.
    if let Some(whole) = whole_of_digits(ir, &digits, &basis) {
        return Fold::value(whole);
    }
    // Leading digits of 0 add nothing, if the outer bound is not stated for checks.
    let zeros = digits.iter().take_while(|&&digit| const_index(ir, digit) == Some(0)).count();
    if zeros + 1 == digits.len() {
        return Fold::value(digits[zeros]);
    }
    let mut sum = const_index(ir, digits[0])?;
    for (size, &digit) in basis.iter().zip(&digits[1..]) {
        let Mixed::Static(size) = size else { return None };
        sum = sum.checked_mul(*size)?.checked_add(const_index(ir, digit)?)?;
    }
    Fold::value(index(ir, op, sum))
}

/// What digits were taken from, if they are all digits of one value in the same basis.
fn whole_of_digits(ir: &Ir, digits: &[ValueId], basis: &[Mixed]) -> Option<ValueId> {
    let made = ir.def_op(digits[0]).filter(|&made| ir.opcode(made) == Opcode::AffineDelinearizeIndex)?;
    if !digits.iter().copied().eq(ir.results(made)) {
        return None;
    }
    let made_basis = inner_basis(basis_of(ir, made, &ir.operands(made)[1..]), digits.len())?;
    (made_basis == basis).then(|| ir.operand(made, 0))
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
    let inner = ir.def_op(source).filter(|&inner| ir.opcode(inner) == Opcode::AffineLinearizeIndex)?;
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
        let new = builder.op(Opcode::AffineDelinearizeIndex, &[source], &types, &[("static_basis", basis)]);
        ir.results(new).collect::<Vec<_>>().into_iter()
    };
    let mut values = vec![digits.next()?];
    for &size in sizes {
        values.push(if size == 1 { index(ir, op, 0) } else { digits.next()? });
    }
    Some(Fold::Values(values))
}
