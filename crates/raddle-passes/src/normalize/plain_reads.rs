//! Plain reads: a `tensor.extract` at the loops of its structured operation, or in windows along sums of them, is an operand.
//!
//! Before: a sum of `tensor.extract %x[%n, %c, %i, %j]` along `%i` and `%j`, which beside it gives 49 for each sum, as a
//!         mean of images is imported
//! After:  a sum of `ins(%x)`, and `linalg.fill` with 49
//!
//! An operand is read through what is in front of it, and by vectors. On the way, comparisons that hold for each index
//! are taken for true, and a result that is one number everywhere leaves the operation, which is then a reduction like
//! others. So does the place of a maximum among those of its window read the same windows as the maximum, also where the
//! tensor is padded. Reads whose indices are computed in another way stay.

use raddle_ir::views::{Linalg, Mixed, mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::assertions::leave_out_unused;
use crate::structured::fill;
use crate::structured::generalize::generic;
use crate::structured::sizes::{self, extent};
use crate::structured::space::grows;
use crate::structured::symbols::number_of;

/// Rewrites the operations of a function that have such reads or results.
pub(super) fn as_operands(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::LinalgGeneric && is_plain(ir, op) {
            let _ = rewrite(ir, op);
        }
    }
}

/// Whether an operation is on tensors, says nothing beside its loops, and has a body without regions.
pub(super) fn is_plain(ir: &Ir, op: OpId) -> bool {
    const OWN: [&str; 3] = ["indexing_maps", "iterator_types", "operandSegmentSizes"];
    let is_own = ir.attrs(op).iter().all(|&(name, _)| OWN.contains(&&ir[name]));
    is_own && ir.results(op).len() > 0 && ir.ops_of(ir.entry(op)).iter().all(|&inner| ir.regions(inner).is_empty())
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let mut linalg = Linalg::of(ir, op);
    let extents = linalg.extents(ir);
    let body = ir.entry(op);
    let inner_ops = ir.ops_of(body);
    let found: Vec<(OpId, Vec<Place>)> =
        inner_ops.iter().filter_map(|&inner| Some((inner, places(ir, op, inner, &linalg, &extents)?))).collect();
    let numbers = constant_results(ir, op, &linalg, &extents);
    if found.is_empty() && numbers.iter().all(Option::is_none) {
        return None;
    }
    let n_inputs = linalg.inputs.len();
    let mut builder = Builder::before(ir, op);
    // What each read becomes: a part of the tensor that is as long as the loops.
    for (read, places) in &found {
        let tensor = builder.ir.operand(*read, 0);
        let results = places.iter().map(|place| place.map()).collect();
        let part = part(&mut builder, tensor, places, &extents);
        let at = linalg.inputs.len();
        linalg.inputs.push(part);
        linalg.maps.insert(at, Map { dims: extents.len() as u32, syms: 0, results });
    }
    // Results that are one number everywhere, and those that stay.
    let n_all = linalg.inputs.len();
    for (i, number) in numbers.iter().enumerate() {
        if let Some(number) = *number {
            let number = outside(&mut builder, op, number);
            let filled = fill(&mut builder, number, linalg.outputs[i]);
            let old = builder.ir.result(op, i);
            builder.ir.replace_uses(old, filled);
        }
    }
    let kept: Vec<usize> = (0..numbers.len()).filter(|&i| numbers[i].is_none()).collect();
    if kept.is_empty() {
        builder.ir.erase(op);
        return Some(());
    }
    linalg.maps = (0..n_all).chain(kept.iter().map(|&i| n_all + i)).map(|at| linalg.maps[at].clone()).collect();
    linalg.outputs = kept.iter().map(|&i| linalg.outputs[i]).collect();
    let new = generic(&mut builder, &linalg, &[]);
    let region = builder.ir.add_region(new);
    let operands = linalg.inputs.iter().chain(&linalg.outputs);
    let elems: Vec<_> = operands.map(|&value| Linalg::elem(builder.ir, value)).collect();
    let block = builder.ir.add_block(region, &elems);
    let args = builder.ir.args(block).to_vec();
    let old_args = builder.ir.args(body).to_vec();
    let mut map = ValueMap::default();
    for (&old, &arg) in old_args[..n_inputs].iter().zip(&args) {
        map.set(old, arg);
    }
    for (at, &i) in kept.iter().enumerate() {
        map.set(old_args[n_inputs + i], args[n_all + at]);
    }
    let mut inside = Builder::at_end(builder.ir, block, builder.span);
    for inner in inner_ops {
        if let Some(at) = found.iter().position(|(read, _)| *read == inner) {
            map.set(inside.ir.result(inner, 0), args[n_inputs + at]);
        } else if inside.ir.opcode(inner) == Opcode::LinalgYield {
            let values: Vec<ValueId> = kept.iter().map(|&i| map.get(inside.ir.operand(inner, i))).collect();
            inside.op(Opcode::LinalgYield, &values, &[], &[]);
        } else if let Some(taken) = taken_anyway(inside.ir, inner, &extents) {
            map.set(inside.ir.result(inner, 0), map.get(taken));
        } else {
            inside.copy(inner, &mut map);
        }
    }
    leave_out_unused(ir, block);
    for (at, &i) in kept.iter().enumerate() {
        let (old, result) = (ir.result(op, i), ir.result(new, at));
        ir.replace_uses(old, result);
    }
    ir.erase(op);
    Some(())
}

/// Where a read is along one dimension.
enum Place {
    Loop(usize),
    At(i64),
    /// A sum of loops, which counts the places of a window.
    Window(Expr),
}

impl Place {
    fn map(&self) -> Expr {
        match self {
            Place::Loop(d) => Expr::Dim(*d as u32),
            Place::At(_) => Expr::Const(0),
            Place::Window(sum) => sum.clone(),
        }
    }

    /// Whether it follows from a loop.
    fn is_along(&self, d: usize) -> bool {
        match self {
            Place::Loop(own) => *own == d,
            Place::At(_) => false,
            Place::Window(sum) => sum.names(&|own| own == d),
        }
    }
}

/// The part of a tensor that is read at such places: as much as the loops reach.
fn part(builder: &mut Builder<'_>, tensor: ValueId, places: &[Place], extents: &[i64]) -> ValueId {
    let place = |(place, &extent): (&Place, &i64)| match *place {
        Place::Loop(d) => (0, extents[d]),
        Place::At(at) => (at, 1),
        Place::Window(_) => (0, extent),
    };
    let (offsets, shape): (Vec<i64>, Vec<i64>) = places.iter().zip(builder.ir.shape_of(tensor)).map(place).unzip();
    if builder.ir.shape_of(tensor) == shape {
        return tensor;
    }
    let size = |(dim, &size): (usize, &i64)| match size {
        DYNAMIC => sizes::mixed_extent(builder, tensor, dim),
        size => Mixed::Static(size),
    };
    let sizes: Vec<Mixed> = shape.iter().enumerate().map(size).collect();
    builder.extract_slice(tensor, &mixed(&offsets, &[]), &sizes)
}

/// The places of a `tensor.extract` of the body, if they are numbers and different loops and all inside of the tensor.
fn places(ir: &Ir, op: OpId, read: OpId, linalg: &Linalg, extents: &[i64]) -> Option<Vec<Place>> {
    if ir.opcode(read) != Opcode::TensorExtract || is_inside(ir, op, ir.operand(read, 0)) {
        return None;
    }
    let tensor = ir.operand(read, 0);
    let place = |(dim, &index): (usize, &ValueId)| {
        let extent = ir.shape_of(tensor)[dim];
        match loop_of(ir, op, index) {
            Some(d) if extents[d] == DYNAMIC => reaches(ir, linalg, d, tensor, dim).then_some(Place::Loop(d)),
            Some(d) => (extents[d] <= extent).then_some(Place::Loop(d)),
            None => match ir.const_int(index) {
                Some(at) => (0..extent).contains(&at).then_some(Place::At(at)),
                None => {
                    let sum = window(ir, op, index, linalg, extents);
                    sum.filter(|sum| reads_inside(sum, extents, extent)).map(Place::Window)
                }
            },
        }
    };
    let places: Vec<Place> = ir.operands(read)[1..].iter().enumerate().map(place).collect::<Option<_>>()?;
    let n_places = |d: usize| places.iter().filter(|place| place.is_along(d)).count();
    let are_different = (0..extents.len()).all(|d| n_places(d) <= 1);
    let has_loops = (0..extents.len()).any(|d| n_places(d) > 0);
    (are_different && has_loops).then_some(places)
}

/// The sum of loops that an index of a window is: one of them goes along the window, and is reduced.
fn window(ir: &Ir, op: OpId, index: ValueId, linalg: &Linalg, extents: &[i64]) -> Option<Expr> {
    let leaf = |value: ValueId| loop_of(ir, op, value).map(|d| Expr::Dim(d as u32));
    let sum = number_of(ir, index, &leaf, &|_| false)?.simplified();
    let loops: Vec<usize> = (0..extents.len()).filter(|&d| sum.names(&|own| own == d)).collect();
    let is_window = loops.len() > 1 && loops.iter().any(|&d| linalg.reduction[d]);
    let begins = sum.eval(&vec![0; extents.len()], &[]) == Some(0);
    (is_window && grows(&sum) && begins && loops.iter().all(|&d| extents[d] > 0)).then_some(sum)
}

/// Whether a sum of loops of known extents, which grows with each, stays below the extent of a dimension.
fn reads_inside(sum: &Expr, extents: &[i64], extent: i64) -> bool {
    let last: Vec<i64> = extents.iter().map(|&n| n - 1).collect();
    sum.eval(&last, &[]).is_some_and(|at| at < extent)
}

/// Whether a loop of open extent is as long as a dimension of a tensor.
fn reaches(ir: &Ir, linalg: &Linalg, d: usize, tensor: ValueId, dim: usize) -> bool {
    let origin = |value: ValueId, at: usize| sizes::origin(ir, extent(ir, value, at));
    let own = origin(tensor, dim);
    linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps).any(|(&value, map)| {
        let at = map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
        at.is_some_and(|at| origin(value, at) == own)
    })
}

/// The loop of which a value is the index.
fn loop_of(ir: &Ir, op: OpId, value: ValueId) -> Option<usize> {
    let index =
        ir.def_op(value).filter(|&def| ir.opcode(def) == Opcode::LinalgIndex && ir.parent_op(def) == Some(op))?;
    usize::try_from(ir.attr(index, "dim")?.as_i64()?).ok()
}

fn is_inside(ir: &Ir, op: OpId, value: ValueId) -> bool {
    match ir.def(value) {
        Def::Result { op: made, .. } => ir.parent_op(made) == Some(op),
        Def::Arg { block, .. } => block == ir.entry(op),
    }
}

/// For each result, the number that it is everywhere: one that the body yields in any case, where it runs for each element.
fn constant_results(ir: &Ir, op: OpId, linalg: &Linalg, extents: &[i64]) -> Vec<Option<ValueId>> {
    let body = ir.entry(op);
    let Some(end) = ir.terminator(body) else { return vec![None; linalg.outputs.len()] };
    let n_inputs = linalg.inputs.len();
    let number = |i: usize| {
        let value = ir.operand(end, i);
        let is_constant = ir.def_op(value).is_some_and(|def| ir.opcode(def) == Opcode::ArithConstant);
        let dims = linalg.maps[n_inputs + i].as_dims()?;
        let runs = (0..extents.len()).all(|d| dims.contains(&d) || extents[d] > 0);
        let unread = ir.is_unused(ir.args(body)[n_inputs + i]);
        (unread && runs && (is_constant || !is_inside(ir, op, value))).then_some(value)
    };
    // An operation without reductions that gives one number is a fill already.
    let reduces = linalg.reduction.contains(&true);
    (0..linalg.outputs.len()).map(|i| number(i).filter(|_| reduces)).collect()
}

/// The same number in front of an operation.
pub(super) fn outside(builder: &mut Builder<'_>, op: OpId, number: ValueId) -> ValueId {
    match builder.ir.def_op(number) {
        Some(def) if builder.ir.parent_op(def) == Some(op) => {
            let copy = builder.copy(def, &mut ValueMap::default());
            builder.ir.result(copy, 0)
        }
        _ => number,
    }
}

/// What a selection takes for each index: its condition is that a loop is before a number that it never comes to.
fn taken_anyway(ir: &Ir, op: OpId, extents: &[i64]) -> Option<ValueId> {
    /// `slt` and `ult` of `arith.cmpi`.
    const LESS: [i64; 2] = [2, 6];
    if ir.opcode(op) != Opcode::ArithSelect {
        return None;
    }
    let compare = ir.def_op(ir.operand(op, 0)).filter(|&def| ir.opcode(def) == Opcode::ArithCmpi)?;
    let is_less = ir.attr(compare, "predicate").and_then(Attr::as_i64).is_some_and(|is| LESS.contains(&is));
    let d = loop_of(ir, ir.parent_op(op)?, ir.operand(compare, 0))?;
    let bound = ir.const_int(ir.operand(compare, 1))?;
    (is_less && extents[d] != DYNAMIC && extents[d] <= bound).then(|| ir.operand(op, 1))
}
