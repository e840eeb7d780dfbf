//! Fold gathers and scatters: vectors of indices that are numbers, steps or repetitions are taken apart, and what then
//! names no place by a vector is a plain read or write.
//!
//! ```mlir
//! %r = iree_vector_ext.transfer_gather %m[%i, %c0] [%step : vector<4xindex>], %pad {indexing_maps = [(d0, d1)[s0] -> (s0, d1), …]}
//! %r = vector.transfer_read %m[%i, %c0], %pad {in_bounds = [true, true]}
//! ```

use raddle_ir::affine::BinOp;
use raddle_ir::views::Indexed;
use raddle_ir::{Attr, Builder, Expr, Ir, Map, OpId, Opcode, Type, ValueId};

use super::fold::Fold;

/// Folds one gather or scatter whose indices are vectors.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if !matches!(ir.opcode(op), Opcode::TransferGather | Opcode::TransferScatter) {
        return None;
    }
    let mut view = Indexed::of(ir, op);
    if let Some(mask) = view.mask
        && let Some(set) = uniform(ir, mask)
    {
        if !set {
            return nothing(ir, op, &view);
        }
        view.mask = None;
        view.maps.pop();
        return rewritten(ir, op, &view);
    }
    let n = view.index_vecs.len();
    for i in 0..n {
        let value = view.index_vecs[i];
        if let Some((source, map)) = behind(ir, value, &view.maps[1 + i]) {
            view.index_vecs[i] = source;
            view.maps[1 + i] = map;
            return rewritten(ir, op, &view);
        }
        if step(ir, &mut view, i) || number(ir, op, &mut view, i) || sum(ir, op, &mut view, i) {
            return rewritten(ir, op, &view);
        }
    }
    if let Some(mask) = view.mask
        && let Some((source, map)) = behind(ir, mask, &view.maps[1 + n])
    {
        view.mask = Some(source);
        view.maps[1 + n] = map;
        return rewritten(ir, op, &view);
    }
    if n == 0 { plain(ir, op, &view) } else { None }
}

fn rewritten(ir: &mut Ir, op: OpId, view: &Indexed) -> Option<Fold> {
    let (operands, attrs) = view.parts(ir);
    ir.set_operands(op, &operands);
    for (name, attr) in attrs {
        ir.set_attr(op, name, attr);
    }
    Some(Fold::Changed)
}

/// Whether all bits of a mask are set, or none is.
fn uniform(ir: &Ir, mask: ValueId) -> Option<bool> {
    let op = ir.def_op(mask)?;
    match (ir.opcode(op), ir.attr(op, "value")) {
        (Opcode::Constant, Some(Attr::Dense { splat: true, bytes, .. })) => Some(bytes.first() != Some(&0)),
        (Opcode::ConstantMask, _) => {
            let sizes = ir.ints(ir.attr_id(op, "mask_dim_sizes")?)?;
            let shape = ir.shape_of(mask);
            let all = sizes.iter().zip(shape).all(|(size, extent)| size >= extent);
            if all { Some(true) } else { sizes.contains(&0).then_some(false) }
        }
        _ => None,
    }
}

/// Nothing is read or written.
fn nothing(ir: &mut Ir, op: OpId, view: &Indexed) -> Option<Fold> {
    let Some(padding) = view.padding else {
        return Some(Fold::Values(ir.results(op).map(|_| view.base).collect()));
    };
    let ty = ir.type_of(ir.result(op, 0));
    Fold::value(Builder::before(ir, op).broadcast(padding, ty))
}

/// What a vector is a repetition or a reordering of, with the map to that.
fn behind(ir: &Ir, value: ValueId, map: &Map) -> Option<(ValueId, Map)> {
    let op = ir.def_op(value)?;
    let source = *ir.operands(op).first()?;
    let results = match ir.opcode(op) {
        Opcode::Broadcast => {
            // A stretched dimension has one element, and that is not at the place that the map names.
            let (from, to) = (ir.shape_of(source), ir.shape_of(value));
            let lead = to.len() - from.len();
            if from != &to[lead..] {
                return None;
            }
            map.results[lead..].to_vec()
        }
        Opcode::Transpose => {
            let perm = ir.ints(ir.attr_id(op, "permutation")?)?;
            let mut results = map.results.clone();
            for (&d, expr) in perm.iter().zip(&map.results) {
                *results.get_mut(usize::try_from(d).ok()?)? = expr.clone();
            }
            results
        }
        _ => return None,
    };
    Some((source, Map { results, ..map.clone() }))
}

/// Takes a vector of indices out; what its symbol stood for becomes `with`.
fn remove(view: &mut Indexed, i: usize, with: &Expr) {
    view.index_vecs.remove(i);
    view.maps.remove(1 + i);
    for map in &mut view.maps {
        map.syms -= 1;
        for expr in &mut map.results {
            match expr {
                Expr::Sym(s) if *s as usize == i => *expr = with.clone(),
                Expr::Sym(s) if *s as usize > i => *s -= 1,
                _ => {}
            }
        }
    }
}

/// Indices that count along one dimension: the memory lies along it.
fn step(ir: &Ir, view: &mut Indexed, i: usize) -> bool {
    let counts = ir.def_op(view.index_vecs[i]).is_some_and(|op| ir.opcode(op) == Opcode::Step);
    let [along] = &view.maps[1 + i].results[..] else { return false };
    let along = along.clone();
    // Two dimensions of memory along one of the vector would be a diagonal.
    let free = !view.maps[0].results.contains(&along) && names(view, i) == 1;
    if counts && free {
        remove(view, i, &along);
    }
    counts && free
}

/// How many dimensions of the memory a vector of indices names.
fn names(view: &Indexed, i: usize) -> usize {
    view.maps[0].results.iter().filter(|expr| **expr == Expr::Sym(i as u32)).count()
}

/// Adds a number to the offsets that a vector of indices is added to.
fn add(ir: &mut Ir, op: OpId, view: &mut Indexed, i: usize, number: ValueId) {
    let mut builder = Builder::before(ir, op);
    for (expr, offset) in view.maps[0].results.iter().zip(&mut view.offsets) {
        if *expr == Expr::Sym(i as u32) {
            let results = vec![Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Dim(1))];
            *offset = builder.apply(Map { dims: 2, syms: 0, results }, &[*offset, number]);
        }
    }
}

/// One index for all elements goes to the offsets.
fn number(ir: &mut Ir, op: OpId, view: &mut Indexed, i: usize) -> bool {
    let value = view.index_vecs[i];
    let number = match ir.ty(value) {
        Type::Vector { shape, .. } if shape.iter().all(|&extent| extent == 1) => {
            let at = vec![0; shape.len()];
            Builder::before(ir, op).extract(value, &at)
        }
        Type::Vector { .. } => return false,
        _ => value,
    };
    if *ir.ty(number) != Type::Index {
        return false;
    }
    add(ir, op, view, i, number);
    remove(view, i, &Expr::Const(0));
    true
}

/// Of indices that are a vector plus one number, the number goes to the offsets.
fn sum(ir: &mut Ir, op: OpId, view: &mut Indexed, i: usize) -> bool {
    let Some(def) = ir.def_op(view.index_vecs[i]).filter(|&def| ir.opcode(def) == Opcode::AddI) else { return false };
    let [a, b] = [ir.operand(def, 0), ir.operand(def, 1)];
    let repeated = |value: ValueId| {
        let def = ir.def_op(value).filter(|&def| ir.opcode(def) == Opcode::Broadcast)?;
        Some(ir.operand(def, 0)).filter(|&source| *ir.ty(source) == Type::Index)
    };
    let (rest, number) = match (repeated(a), repeated(b)) {
        (_, Some(number)) => (a, number),
        (Some(number), None) => (b, number),
        (None, None) => return false,
    };
    add(ir, op, view, i, number);
    view.index_vecs[i] = rest;
    true
}

/// A gather or scatter without vectors of indices is a transfer.
fn plain(ir: &mut Ir, op: OpId, view: &Indexed) -> Option<Fold> {
    let vector = view.vector.unwrap_or_else(|| ir.result(op, 0));
    let (ty, shape) = (ir.type_of(vector), ir.shape_of(vector).to_vec());
    let base = &view.maps[0].results;
    // The dimension of the memory along each of the vector, and those of the vector that lie along one, as in memory.
    let place = |d: usize| base.iter().position(|expr| *expr == Expr::Dim(d as u32));
    let along: Vec<usize> =
        base.iter().filter_map(|expr| if let Expr::Dim(d) = expr { Some(*d as usize) } else { None }).collect();
    let repeats = (0..along.len()).any(|i| along[..i].contains(&along[i]));
    if repeats || view.vector.is_some() && along.len() != shape.len() {
        return None;
    }
    let mask = match view.mask {
        None => None,
        Some(mask) => {
            let dims = view.dims(0);
            // The mask of a transfer lies along the memory only.
            if dims.iter().any(|d| !along.contains(d) && shape[*d] != 1) || along.is_empty() {
                return None;
            }
            Some((mask, dims))
        }
    };
    let results = (0..shape.len()).map(|d| place(d).map_or(Expr::Const(0), |at| Expr::Dim(at as u32))).collect();
    let map = Map { dims: base.len() as u32, syms: 0, results };
    let in_bounds = vec![true; shape.len()];
    let mut builder = Builder::before(ir, op);
    let mask = mask.map(|(mask, dims)| {
        // Without dimensions of one element, then repeated along those that it lacks, then in the memory's order.
        let kept: Vec<usize> = dims.iter().copied().filter(|d| along.contains(d)).collect();
        let extents: Vec<i64> = kept.iter().map(|&d| shape[d]).collect();
        let mask = builder.shape_cast(mask, &extents);
        let missing: Vec<usize> = along.iter().copied().filter(|d| !kept.contains(d)).collect();
        let order = [&missing[..], &kept].concat();
        let wide: Vec<i64> = order.iter().map(|&d| shape[d]).collect();
        let elem = builder.ir.elem_of(mask);
        let wide = builder.ir.vector_type(&wide, elem);
        let mask = if missing.is_empty() { mask } else { builder.broadcast(mask, wide) };
        let perm: Vec<usize> =
            along.iter().map(|d| order.iter().position(|other| other == d).expect("it is there")).collect();
        if perm.is_sorted() { mask } else { builder.transpose(mask, &perm) }
    });
    let new = match (view.vector, view.padding) {
        (Some(vector), _) => builder.transfer_write(vector, view.base, &view.offsets, map, &in_bounds),
        (None, Some(padding)) => {
            let read = builder.transfer_read(view.base, &view.offsets, padding, map, &in_bounds, ty);
            builder.ir.def_op(read).expect("it has just been made")
        }
        (None, None) => return None,
    };
    if let Some(mask) = mask {
        builder.ir.set_transfer_mask(new, mask);
    }
    Some(Fold::Values(ir.results(new).collect()))
}
