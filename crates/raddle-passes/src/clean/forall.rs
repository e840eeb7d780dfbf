//! Fold `scf.forall`: loops of no iteration, indices with one value, bounds that are constants.
//!
//! Before: `scf.forall (%i, %j) in (1, 8) shared_outs(%o = %t) { … %i … }`, with the tile at the end put into `%o`.
//! After: `scf.forall (%j) in (8) shared_outs(%o = %t) { … %c0 … }`; without any index left, what the loop holds, and a
//! `tensor.insert_slice` for each tile.
//!
//! A loop whose indices are mapped to workgroups or threads keeps them: what it holds says who runs it.

use raddle_ir::views::{Forall, Mixed, unmixed};
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Ir, OpId, Opcode, ValueId};

use super::fold::Fold;
use super::number::{self, Number};

/// See the text above.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let body = ir.body(op, 0)?;
    let Forall { lower, upper, step, outputs } = Forall::of(ir, op);
    let known = |list: &[Mixed]| list.iter().map(|&mixed| constant(ir, mixed)).collect::<Vec<Mixed>>();
    let mut bounds = [known(&lower), known(&upper), known(&step)];
    // A step that goes nowhere is a mistake that stays visible.
    for (known, &given) in bounds[2].iter_mut().zip(&step) {
        if matches!(known, Mixed::Static(..=0)) {
            *known = given;
        }
    }
    let n_trips: Vec<Option<i128>> = (0..lower.len()).map(|d| trips(bounds.each_ref().map(|list| list[d]))).collect();
    let is_mapped = matches!(ir.attr(op, "mapping"), Some(Attr::Array(items)) if !items.is_empty());
    if !is_mapped && n_trips.contains(&Some(0)) {
        return Some(Fold::Values(outputs));
    }
    // An index with one value is that value.
    let mut changed = false;
    for (d, n) in n_trips.iter().enumerate() {
        let index = ir.args(body)[d];
        if *n == Some(1) && !ir.is_unused(index) {
            let only = bounds[0][d].materialize(&mut Builder::before(ir, op));
            ir.replace_uses(index, only);
            changed = true;
        }
    }
    let kept: Vec<usize> = (0..lower.len()).filter(|&d| is_mapped || n_trips[d] != Some(1)).collect();
    if kept.is_empty() {
        return promote(ir, op, body, &outputs).or(changed.then_some(Fold::Changed));
    }
    if kept.len() == lower.len() && bounds == [lower, upper, step] {
        return changed.then_some(Fold::Changed);
    }
    Some(rebuild(ir, op, body, &kept, &bounds, &outputs))
}

/// A value that is a constant, as that.
fn constant(ir: &Ir, mixed: Mixed) -> Mixed {
    match mixed {
        Mixed::Value(value) => match number::of(ir, value).and_then(Number::int) {
            Some(n) if n != DYNAMIC => Mixed::Static(n),
            _ => mixed,
        },
        Mixed::Static(_) => mixed,
    }
}

/// How often a loop runs.
fn trips(bounds: [Mixed; 3]) -> Option<i128> {
    match bounds {
        [Mixed::Static(lower), Mixed::Static(upper), Mixed::Static(step)] if step > 0 => {
            let length = i128::from(upper) - i128::from(lower);
            Some(if length > 0 { (length - 1) / i128::from(step) + 1 } else { 0 })
        }
        [lower, upper, _] if lower == upper => Some(0),
        _ => None,
    }
}

/// What the loop holds in its place: its tiles are put in one behind the other.
fn promote(ir: &mut Ir, op: OpId, body: BlockId, outputs: &[ValueId]) -> Option<Fold> {
    let end = ir.terminator(body)?;
    let tiles = ir.ops_of(ir.body(end, 0)?);
    if tiles.iter().any(|&tile| ir.opcode(tile) != Opcode::TensorParallelInsertSlice) {
        return None;
    }
    let args = ir.args(body).to_vec();
    let shared = &args[args.len() - outputs.len()..];
    // Which output each tile goes into, before the arguments are gone.
    let goes_to = |tile: OpId| shared.iter().position(|&arg| arg == ir.operand(tile, 1));
    let places: Vec<usize> = tiles.iter().map(|&tile| goes_to(tile)).collect::<Option<_>>()?;
    for (&arg, &output) in shared.iter().zip(outputs) {
        ir.replace_uses(arg, output);
    }
    let first = ir.first_op(body).filter(|&first| first != end);
    for inner in ir.ops_of(body).into_iter().filter(|&inner| inner != end) {
        ir.detach(inner);
        ir.insert_before(op, inner);
    }
    let mut filled = outputs.to_vec();
    for (&tile, &place) in tiles.iter().zip(&places) {
        let mut operands = ir.operands(tile).to_vec();
        operands[1] = filled[place];
        let (ty, attrs) = (ir.type_of(filled[place]), ir.attr_dict(tile));
        let insert = ir.create_with(Opcode::TensorInsertSlice, &operands, &[ty], attrs, ir.span(tile));
        ir.insert_before(op, insert);
        filled[place] = ir.result(insert, 0);
    }
    for (result, value) in ir.results(op).collect::<Vec<_>>().into_iter().zip(filled) {
        ir.replace_uses(result, value);
    }
    let next = first.or(ir.next_op(op));
    ir.erase(op);
    Some(Fold::Inlined(next))
}

/// The same loop over some of its indices, with bounds that are known written as numbers.
fn rebuild(
    ir: &mut Ir,
    op: OpId,
    body: BlockId,
    kept: &[usize],
    bounds: &[Vec<Mixed>; 3],
    outputs: &[ValueId],
) -> Fold {
    let (mut operands, mut sizes) = (Vec::new(), Vec::new());
    let results: Vec<ValueId> = ir.results(op).collect();
    let types: Vec<_> = results.iter().map(|&result| ir.type_of(result)).collect();
    let new = ir.create_with(Opcode::ScfForall, &[], &types, ir.attr_dict(op), ir.span(op));
    for (list, name) in bounds.iter().zip(["staticLowerBound", "staticUpperBound", "staticStep"]) {
        let (numbers, values) = unmixed(&kept.iter().map(|&d| list[d]).collect::<Vec<_>>());
        let numbers = ir.dense_i64(&numbers);
        ir.set_attr(new, name, numbers);
        sizes.push(values.len());
        operands.extend(values);
    }
    sizes.push(outputs.len());
    operands.extend(outputs);
    ir.set_operands(new, &operands);
    let sizes = ir.segment_sizes(&sizes);
    ir.set_attr(new, "operandSegmentSizes", sizes);
    ir.insert_before(op, new);
    let args = ir.args(body).to_vec();
    let shared = args.len() - outputs.len()..args.len();
    let old: Vec<ValueId> = kept.iter().copied().chain(shared).map(|at| args[at]).collect();
    let region = ir.add_region(new);
    let block = ir.add_block(region, &old.iter().map(|&arg| ir.type_of(arg)).collect::<Vec<_>>());
    for inner in ir.ops_of(body) {
        ir.detach(inner);
        ir.append(block, inner);
    }
    let moved = old.into_iter().zip(ir.args(block).to_vec());
    let results = results.into_iter().zip(ir.results(new).collect::<Vec<_>>());
    for (old, new) in moved.chain(results).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    Fold::Inlined(Some(new))
}
