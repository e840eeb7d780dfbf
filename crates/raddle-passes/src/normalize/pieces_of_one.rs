//! Pieces of one: a tensor that is put together of parts of another one, turned around or repeated on the way, reads each
//! element where it is in that one.
//!
//! Before: `%a = tensor.extract_slice %x[1] [3]`, `%b` with the elements of %a in reverse, and insertions of %b in front of %x
//!         and of another such piece behind it, as `torch.nn.functional.pad` and `jax.numpy.pad` reflect an image
//! After:  `tensor.extract %x[%i < 3 ? 3 - %i : %i < 20 ? %i - 3 : 35 - %i]` for each element
//!
//! Each piece was a kernel, nine of them for the edges and corners of an image. Places along one dimension depend on that
//! dimension alone; where parts of parts are put together, so are the places.
//!
//! Does not touch what is put together of slices as they are, once or in another order, which other steps read in place, of
//! several tensors, and pieces of open extent along a dimension that they do not have as a whole.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId};

use crate::code::{LESS, compare, select};
use crate::structured::body;
use crate::structured::generalize::{elementwise, loop_index};
use crate::structured::moves;
use crate::structured::sizes::{Extent, extent, mixed_extent, origin};
use crate::structured::sums::Sum;

/// Tensors that are looked at on the way to the one, and pieces of each, at most.
const VISITS_MAX: usize = 512;
const PIECES_MAX: usize = 64;

/// Boxes between the ends of pieces, at most.
const BOXES_MAX: usize = 1 << 10;

/// Places along a dimension: those up to `end` are at `first` plus `step` for each.
#[derive(Clone, Copy, PartialEq)]
struct Run {
    end: i64,
    first: i64,
    step: i64,
}

impl Run {
    fn at(&self, i: i64) -> i64 {
        self.step.saturating_mul(i).saturating_add(self.first)
    }
}

/// What a tensor is of: each of its dimensions goes along the same one of the source.
struct View {
    source: ValueId,
    dims: Vec<Vec<Run>>,
    /// Whether some elements go through an operation.
    is_copied: bool,
    /// How often it is put together, of what is put together itself.
    levels: usize,
}

impl View {
    /// A tensor as it is.
    fn whole(ir: &Ir, source: ValueId) -> View {
        let run =
            |&extent: &i64| vec![Run { end: if extent == DYNAMIC { i64::MAX } else { extent }, first: 0, step: 1 }];
        View { source, dims: ir.shape_of(source).iter().map(run).collect(), is_copied: false, levels: 0 }
    }
}

/// Rewrites what is put together so in a function.
pub(super) fn read_in_place(ir: &mut Ir, func: OpId) {
    // Whoever is put together last reads through all that are in front of it.
    for op in ir.walk(func).into_iter().rev() {
        let is_joined = matches!(ir.opcode(op), Opcode::TensorInsertSlice | Opcode::TensorConcat);
        if is_joined {
            let _ = rewrite(ir, op);
        }
        if (is_joined || ir.opcode(op) == Opcode::TensorExtractSlice) && ir.is_unused(ir.result(op, 0)) {
            ir.erase(op);
        }
    }
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let result = ir.result(op, 0);
    // Others are put beside all but the last piece.
    let is_last = ir.uses(result).any(|(user, at)| ir.opcode(user) != Opcode::TensorInsertSlice || at != 1);
    let view = of(ir, result, &mut { VISITS_MAX }).filter(|_| is_last)?;
    let shape = ir.shape_of(result).to_vec();
    // Of the same elements in another order, each is wanted once.
    let is_longer = shape.iter().zip(ir.shape_of(view.source)).any(|(own, of_source)| own > of_source);
    if !view.is_copied && (view.levels < 2 || !is_longer) {
        return None;
    }
    let builder = &mut Builder::before(ir, op);
    let open: Vec<ValueId> = (0..shape.len())
        .filter(|&d| shape[d] == DYNAMIC)
        .map(|d| mixed_extent(builder, view.source, d).materialize(builder))
        .collect();
    let new = elementwise(builder, &[], result, &open, |inner, _| {
        let places = view.dims.iter().enumerate().map(|(d, runs)| place(inner, d, runs));
        let operands: Vec<ValueId> = [view.source].into_iter().chain(places.collect::<Vec<_>>()).collect();
        let elem = inner.ir.elem_of(result);
        inner.value(Opcode::TensorExtract, &operands, elem, &[])
    });
    ir.replace_uses(result, new);
    Some(())
}

/// The place of the element at a loop.
fn place(builder: &mut Builder<'_>, d: usize, runs: &[Run]) -> ValueId {
    let number = loop_index(builder, d);
    let along = |builder: &mut Builder<'_>, run: &Run| match run.step {
        0 => builder.index(run.first),
        1 if run.first == 0 => number,
        step => {
            let times = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(step));
            let place = Expr::binary(BinOp::Add, times, Expr::Const(run.first));
            builder.apply(Map { dims: 1, syms: 0, results: vec![place] }, &[number])
        }
    };
    let (last, others) = runs.split_last().expect("a dimension with elements has places");
    let mut so_far = along(builder, last);
    for run in others.iter().rev() {
        let (own, end) = (along(builder, run), builder.index(run.end));
        let is_before = compare(builder, LESS, number, end);
        so_far = select(builder, is_before, own, so_far);
    }
    so_far
}

/// What a tensor is of; itself, where it is made in another way, and `None` where it is put together of several.
fn of(ir: &Ir, value: ValueId, left: &mut usize) -> Option<View> {
    let whole = || Some(View::whole(ir, value));
    let Some(op) = ir.def_op(value).filter(|_| !ir.shape_of(value).contains(&0)) else { return whole() };
    *left = left.checked_sub(1)?;
    match ir.opcode(op) {
        Opcode::TensorInsertSlice | Opcode::TensorConcat => joined(ir, op, left),
        Opcode::TensorExtractSlice => match part(ir, op) {
            Some((source, places)) => Some(composed(&of(ir, source, left)?, &places)),
            None => whole(),
        },
        Opcode::LinalgGeneric => match copied(ir, op, left) {
            Some((source, places)) => {
                let view = of(ir, source, left)?;
                Some(View { is_copied: true, ..composed(&view, &places) })
            }
            None => whole(),
        },
        _ => whole(),
    }
}

/// A view of a view, which goes along each dimension by one run.
fn composed(view: &View, places: &[Run]) -> View {
    let dims = view.dims.iter().zip(places).map(|(runs, place)| through(runs, place)).collect();
    View { dims, ..*view }
}

/// The places that a run comes to behind others.
fn through(runs: &[Run], place: &Run) -> Vec<Run> {
    let find = |at: i64| runs.iter().find(|run| at < run.end).unwrap_or(&runs[runs.len() - 1]);
    if place.end == i64::MAX {
        return runs.to_vec();
    }
    let mut made = Vec::new();
    let mut i = 0;
    while i < place.end {
        let run = find(place.at(i));
        // How far the run goes in this direction.
        let begin = runs.iter().take_while(|other| other.end <= place.at(i)).last().map_or(0, |other| other.end);
        let end = match place.step {
            0 => place.end,
            step if step > 0 => i + (run.end - 1 - place.at(i)) / step + 1,
            step => i + (place.at(i) - begin) / -step + 1,
        };
        let end = end.min(place.end);
        push(&mut made, i, Run { end, first: run.at(place.first), step: run.step * place.step });
        i = end;
    }
    made
}

/// Another run behind those up to `begin`, as one with the last of them if that goes on.
fn push(runs: &mut Vec<Run>, begin: i64, run: Run) {
    let first_of = |runs: &[Run]| runs.len().checked_sub(2).map_or(0, |at| runs[at].end);
    let before = first_of(runs);
    if let Some(last) = runs.last_mut() {
        if (last.first, last.step) == (run.first, run.step) {
            last.end = run.end;
            return;
        }
        // One element is on any line.
        if run.end - begin == 1 && last.at(begin) == run.at(begin) {
            last.end = run.end;
            return;
        }
        if begin - before == 1 && last.at(before) == run.at(before) {
            *last = run;
            return;
        }
    }
    runs.push(run);
}

/// The slice that an operation takes.
fn part(ir: &Ir, op: OpId) -> Option<(ValueId, Vec<Run>)> {
    let view = SliceView::of(ir, op);
    let shape = ir.shape_of(ir.result(op, 0));
    if shape.len() != view.sizes.len() {
        return None;
    }
    let run = |d: usize| match (view.offsets[d], view.sizes[d], view.strides[d]) {
        (Mixed::Static(first), Mixed::Static(end), Mixed::Static(step)) if ir.shape_of(view.base)[d] != DYNAMIC => {
            Some(Run { end, first, step })
        }
        (Mixed::Static(0), size, Mixed::Static(1)) => {
            is_extent(ir, size, view.base, d).then_some(Run { end: i64::MAX, first: 0, step: 1 })
        }
        _ => None,
    };
    Some((view.base, (0..shape.len()).map(run).collect::<Option<_>>()?))
}

/// Whether a size is the open extent of a tensor.
fn is_extent(ir: &Ir, size: Mixed, tensor: ValueId, d: usize) -> bool {
    let Mixed::Value(size) = size else { return false };
    ir.shape_of(tensor)[d] == DYNAMIC && origin(ir, Extent::Value(size)) == origin(ir, extent(ir, tensor, d))
}

/// What an elementwise operation copies, and from where.
fn copied(ir: &Ir, op: OpId, left: &mut usize) -> Option<(ValueId, Vec<Run>)> {
    let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
    let (end, shape) = (ir.terminator(ir.entry(op))?, ir.shape_of(ir.result(op, 0)));
    let is_plain = linalg.outputs.len() == 1 && linalg.maps.last()?.is_identity();
    let yielded = *ir.operands(end).first().filter(|_| is_plain)?;
    let (source, places) = match ir.def_op(yielded).filter(|&read| ir.opcode(read) == Opcode::TensorExtract) {
        Some(read) => {
            let (&source, places) = ir.operands(read).split_first()?;
            (source, places.iter().map(|&place| line(ir, op, place, left)).collect::<Option<Vec<_>>>()?)
        }
        None if linalg.inputs.len() == 1 && body::copies_input(ir, op) => {
            let of_loop = |expr: &Expr| if let Expr::Dim(d) = *expr { Some(Sum::one(d as usize)) } else { None };
            let places = linalg.maps[0].results.iter().map(|place| Sum::of_expr(place, &of_loop));
            (linalg.inputs[0], places.collect::<Option<Vec<_>>>()?)
        }
        None => return None,
    };
    let is_outside = ir.def_op(source).is_none_or(|made| ir.parent_op(made) != Some(op));
    if !is_outside || !ir.ty(source).is_tensor() || places.len() != shape.len() {
        return None;
    }
    let result = ir.result(op, 0);
    let run = |d: usize| {
        let (first, step) = match places[d].terms[..] {
            [] => (places[d].constant, 0),
            [(along, step)] if along == d => (places[d].constant, step),
            _ => return None,
        };
        let extents = [source, result].map(|value| extent(ir, value, d));
        let run = match extents {
            [Extent::Known(own), Extent::Known(end)] => {
                let run = Run { end, first, step };
                [0, end - 1].iter().all(|&i| (0..own).contains(&run.at(i))).then_some(run)?
            }
            _ => Run { end: i64::MAX, first, step },
        };
        let [own, end] = extents.map(|extent| origin(ir, extent));
        (run.end != i64::MAX || (first, step) == (0, 1) && own == end).then_some(run)
    };
    Some((source, (0..shape.len()).map(run).collect::<Option<_>>()?))
}

/// A place in the body of an operation as a sum of loops.
fn line(ir: &Ir, op: OpId, place: ValueId, left: &mut usize) -> Option<Sum<usize>> {
    if let Some(number) = ir.const_int(place) {
        return Sum::number(number).bounded();
    }
    let made = ir.def_op(place).filter(|&made| ir.parent_op(made) == Some(op))?;
    *left = left.checked_sub(1)?;
    let mut operand = |at: usize| line(ir, op, ir.operand(made, at), left);
    match ir.opcode(made) {
        Opcode::LinalgIndex => Some(Sum::one(usize::try_from(ir.attr(made, "dim").and_then(Attr::as_i64)?).ok()?)),
        Opcode::ArithAddi => operand(0)?.plus(&operand(1)?, 1),
        Opcode::ArithSubi => operand(0)?.plus(&operand(1)?, -1),
        _ => None,
    }
}

/// What pieces are of, which all are of one tensor.
fn joined(ir: &Ir, op: OpId, left: &mut usize) -> Option<View> {
    let shape = ir.shape_of(ir.result(op, 0)).to_vec();
    let pieces = pieces(ir, op)?;
    let views: Vec<View> = pieces.iter().map(|piece| of(ir, piece.0, left)).collect::<Option<_>>()?;
    let source = views[0].source;
    if views.iter().any(|view| view.source != source) || ir.shape_of(source).len() != shape.len() {
        return None;
    }
    // Where something begins or ends in each dimension.
    let cut = |d: usize| {
        let mut cuts = vec![0, if shape[d] == DYNAMIC { i64::MAX } else { shape[d] }];
        for ((_, offsets), view) in pieces.iter().zip(&views) {
            cuts.push(offsets[d]);
            cuts.extend(view.dims[d].iter().map(|run| run.end.saturating_add(offsets[d])));
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    };
    let cuts: Vec<Vec<i64>> = (0..shape.len()).map(cut).collect();
    let counts: Vec<usize> = cuts.iter().map(|cuts| cuts.len() - 1).collect();
    let n_boxes = counts.iter().try_fold(1usize, |n, &count| n.checked_mul(count)).filter(|&n| n <= BOXES_MAX)?;
    let mut lines: Vec<Vec<Option<(i64, i64)>>> = counts.iter().map(|&count| vec![None; count]).collect();
    for number in 0..n_boxes {
        let mut rest = number;
        let at: Vec<usize> = counts
            .iter()
            .map(|&count| {
                let at = rest % count;
                rest /= count;
                at
            })
            .collect();
        let begins: Vec<i64> = at.iter().zip(&cuts).map(|(&at, cuts)| cuts[at]).collect();
        // The last piece that is put there has the elements.
        let has = |&i: &usize| {
            let (offsets, dims) = (&pieces[i].1, &views[i].dims);
            (0..shape.len()).all(|d| {
                let end = dims[d][dims[d].len() - 1].end.saturating_add(offsets[d]);
                (offsets[d]..end).contains(&begins[d])
            })
        };
        let i = (0..pieces.len()).rev().find(has)?;
        for (d, line) in lines.iter_mut().enumerate() {
            let inside = begins[d] - pieces[i].1[d];
            let run = views[i].dims[d].iter().find(|run| inside < run.end)?;
            let is_one = cuts[d][at[d] + 1] - begins[d] == 1;
            let found = match is_one {
                true => (run.at(inside), 0),
                false => (run.first - run.step * pieces[i].1[d], run.step),
            };
            if *line[at[d]].get_or_insert(found) != found {
                return None;
            }
        }
    }
    let mut dims = Vec::new();
    for (lines, cuts) in lines.into_iter().zip(&cuts) {
        let mut runs = Vec::new();
        for (line, ends) in lines.into_iter().zip(cuts.windows(2)) {
            let (first, step) = line.expect("each box has a piece");
            push(&mut runs, ends[0], Run { end: ends[1], first, step });
        }
        dims.push(runs);
    }
    let levels = views.iter().map(|view| view.levels).max().unwrap_or(0) + 1;
    Some(View { source, dims, is_copied: views.iter().any(|view| view.is_copied), levels })
}

/// The pieces of a tensor, each where it begins, those put there last behind the others.
fn pieces(ir: &Ir, op: OpId) -> Option<Vec<(ValueId, Vec<i64>)>> {
    let shape = ir.shape_of(ir.result(op, 0)).to_vec();
    let mut pieces = Vec::new();
    if ir.opcode(op) == Opcode::TensorConcat {
        let dim = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
        let mut begin = 0;
        for &piece in ir.operands(op) {
            let extent = Some(ir.shape_of(piece)[dim]).filter(|&extent| extent != DYNAMIC)?;
            let offsets = (0..shape.len()).map(|d| if d == dim { begin } else { 0 }).collect();
            begin += extent;
            if extent > 0 {
                pieces.push((piece, offsets));
            }
        }
        return (!pieces.is_empty()).then_some(pieces);
    }
    let mut next = Some(op);
    while let Some(op) = next {
        let (view, piece) = (SliceView::of(ir, op), ir.operand(op, 0));
        let offsets = moves::numbers(&view.offsets)?;
        let fits = |d: usize| match shape[d] {
            DYNAMIC => offsets[d] == 0 && is_extent(ir, view.sizes[d], view.base, d),
            _ => matches!(view.sizes[d], Mixed::Static(_)),
        };
        let is_plain = view.strides.iter().all(|&stride| stride == Mixed::Static(1));
        if !is_plain
            || pieces.len() == PIECES_MAX
            || ir.shape_of(piece).len() != shape.len()
            || !(0..shape.len()).all(fits)
        {
            return None;
        }
        if !ir.shape_of(piece).contains(&0) {
            pieces.push((piece, offsets));
        }
        next = ir.def_op(view.base).filter(|&made| ir.opcode(made) == Opcode::TensorInsertSlice);
    }
    pieces.reverse();
    (!pieces.is_empty()).then_some(pieces)
}
