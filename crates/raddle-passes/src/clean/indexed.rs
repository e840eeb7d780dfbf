//! Fold gathers and scatters: positions that are known in part move to the offsets, what is left is a plain transfer.

use raddle_ir::views::Indexed;
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, Type, ValueId};

use super::fold::Fold;
use super::number::{self, Number};

/// Folds one `transfer_gather` or `transfer_scatter`.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let mut view = Indexed::of(ir, op);
    if let Some(on) = view.mask.and_then(|mask| number::of(ir, mask)).and_then(Number::int) {
        if on == 0 {
            return nothing(ir, op, &view);
        }
        view.mask = None;
        view.maps.pop();
        view.write(ir, op);
        return Some(Fold::Changed);
    }
    if view.index_vecs.is_empty() {
        return transfer(ir, op, &view);
    }
    let mut changed = false;
    let mut k = 0;
    while k < view.index_vecs.len() {
        match position(ir, op, &mut view, k) {
            Some(Place::Gone) => {
                drop_symbol(&mut view, k);
                changed = true;
            }
            Some(Place::Simpler) => changed = true,
            None => k += 1,
        }
    }
    if let (Some(mask), Some(map)) = (view.mask, view.maps.last())
        && let Some((source, map)) = moved(ir, mask, map)
    {
        (view.mask, changed) = (Some(source), true);
        if let Some(last) = view.maps.last_mut() {
            *last = map;
        }
    }
    if changed {
        view.write(ir, op);
        return Some(Fold::Changed);
    }
    None
}

/// What became of an index vector.
enum Place {
    /// The base and its offsets say it.
    Gone,
    /// It is made with fewer steps.
    Simpler,
}

/// Simplifies the `k`-th index vector.
fn position(ir: &mut Ir, op: OpId, view: &mut Indexed, k: usize) -> Option<Place> {
    let value = view.index_vecs[k];
    if let Some((source, map)) = moved(ir, value, &view.maps[1 + k]) {
        (view.index_vecs[k], view.maps[1 + k]) = (source, map);
        return Some(Place::Simpler);
    }
    // The positions 0, 1, 2, …: the base dimension runs with the vector's.
    if ir.def_op(value).is_some_and(|def| ir.opcode(def) == Opcode::VectorStep) {
        let along = view.maps[1 + k].results[0].clone();
        for result in &mut view.maps[0].results {
            if *result == Expr::Sym(k as u32) {
                *result = along.clone();
            }
        }
        return Some(Place::Gone);
    }
    if *ir.ty(value) == Type::Index {
        add_offset(ir, op, view, k, value);
        return Some(Place::Gone);
    }
    let elem = ir.elem_of(value);
    if ir[elem] != Type::Index {
        return None;
    }
    let rank = ir.shape_of(value).len();
    if ir.shape_of(value).iter().all(|&extent| extent == 1) {
        let only = Builder::before(ir, op).extract(value, &vec![0; rank]);
        add_offset(ir, op, view, k, only);
        return Some(Place::Gone);
    }
    // x + (c, c, …): the base begins c later.
    let sum = ir.def_op(value).filter(|&def| ir.opcode(def) == Opcode::ArithAddi)?;
    let (lhs, rhs) = (ir.operand(sum, 0), ir.operand(sum, 1));
    let (rest, scalar) = match (repeated_index(ir, rhs), repeated_index(ir, lhs)) {
        (Some(scalar), _) => (lhs, scalar),
        (None, Some(scalar)) => (rhs, scalar),
        (None, None) => return None,
    };
    add_offset(ir, op, view, k, scalar);
    view.index_vecs[k] = rest;
    Some(Place::Simpler)
}

/// The index that a vector repeats.
fn repeated_index(ir: &Ir, value: ValueId) -> Option<ValueId> {
    let op = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::VectorBroadcast)?;
    let source = ir.operand(op, 0);
    (*ir.ty(source) == Type::Index).then_some(source)
}

/// Adds `value` to the offsets of the dimensions that the `k`-th symbol stands for.
fn add_offset(ir: &mut Ir, op: OpId, view: &mut Indexed, k: usize, value: ValueId) {
    for (offset, result) in view.offsets.iter_mut().zip(&view.maps[0].results) {
        if *result != Expr::Sym(k as u32) {
            continue;
        }
        *offset = match ir.const_int(*offset) {
            Some(0) => value,
            _ => {
                let sum = Expr::Add(Box::new(Expr::Dim(0)), Box::new(Expr::Dim(1)));
                Builder::before(ir, op).apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[*offset, value])
            }
        };
    }
}

/// Removes the `k`-th index vector with its symbol.
fn drop_symbol(view: &mut Indexed, k: usize) {
    view.index_vecs.remove(k);
    view.maps.remove(1 + k);
    for map in &mut view.maps {
        map.syms -= 1;
        for result in &mut map.results {
            match result {
                // The vector of positions is gone, and its offset says the rest.
                Expr::Sym(i) if *i as usize == k => *result = Expr::Const(0),
                Expr::Sym(i) if *i as usize > k => *i -= 1,
                _ => {}
            }
        }
    }
}

/// What a broadcast or transposed vector was made from, with the map that reaches the same elements there.
fn moved(ir: &Ir, value: ValueId, map: &Map) -> Option<(ValueId, Map)> {
    let def = ir.def_op(value)?;
    let source = ir.operands(def).first().copied()?;
    let results = match ir.opcode(def) {
        Opcode::VectorBroadcast if *ir.ty(source) == Type::Index => Vec::new(),
        // Only new dimensions in front: a stretched one would be read past its end.
        Opcode::VectorBroadcast if ir.ty(source).is_vector() => {
            let (from, to) = (ir.shape_of(source), ir.shape_of(value));
            let new = to.len() - from.len();
            if to[new..] != *from {
                return None;
            }
            map.results[new..].to_vec()
        }
        Opcode::VectorTranspose => {
            let perm = ir.ints(ir.attr_id(def, "permutation")?)?;
            let mut results = map.results.clone();
            for (i, &d) in perm.iter().enumerate() {
                *results.get_mut(usize::try_from(d).ok()?)? = map.results[i].clone();
            }
            results
        }
        _ => return None,
    };
    Some((source, Map { results, ..map.clone() }))
}

/// A mask that is off everywhere: a gather gives its padding, a scatter changes nothing.
fn nothing(ir: &mut Ir, op: OpId, view: &Indexed) -> Option<Fold> {
    let Some(padding) = view.padding else {
        return Some(Fold::Values(ir.results(op).map(|_| view.base).collect()));
    };
    let ty = ir.type_of(ir.result(op, 0));
    Fold::value(match number::of(ir, padding) {
        Some(number) => number::constant(ir, op, number, ty),
        None => Builder::before(ir, op).broadcast(padding, ty),
    })
}

/// Without positions a gather is a `vector.transfer_read`, a scatter a `vector.transfer_write`.
fn transfer(ir: &mut Ir, op: OpId, view: &Indexed) -> Option<Fold> {
    let base = &view.maps[0];
    let mut results = Vec::new();
    for d in 0..base.dims {
        let mut along = base.results.iter().enumerate().filter(|(_, result)| **result == Expr::Dim(d)).map(|(j, _)| j);
        results.push(along.next().map_or(Expr::Const(0), |j| Expr::Dim(j as u32)));
        // A diagonal of the base is not a transfer.
        if along.next().is_some() {
            return None;
        }
    }
    let map = Map { dims: base.results.len() as u32, syms: 0, results };
    let dims = map.as_dims();
    if view.vector.is_some() && dims.is_none() {
        // A write of the same element several times over is not a transfer either.
        return None;
    }
    let vector = view.vector.unwrap_or_else(|| ir.result(op, 0));
    let shape = ir.shape_of(vector).to_vec();
    // The dimensions of the vector along the base, in its order: a transfer's mask lies along them.
    let along: Vec<usize> =
        base.results.iter().filter_map(|expr| if let Expr::Dim(d) = expr { Some(*d as usize) } else { None }).collect();
    let mask = view.mask.map(|mask| (mask, view.dims(0)));
    if let Some((_, dims)) = &mask
        && (along.is_empty() || dims.iter().any(|d| !along.contains(d) && shape[*d] != 1))
    {
        return None;
    }
    let in_bounds = vec![true; map.results.len()];
    let mut builder = Builder::before(ir, op);
    let mask = mask.map(|(mask, dims)| along_base(&mut builder, mask, &dims, &along, &shape));
    let new = match (view.vector, view.padding) {
        (Some(vector), _) => builder.transfer_write(vector, view.base, &view.offsets, map, &in_bounds),
        (None, padding) => {
            let ty = builder.ir.type_of(builder.ir.result(op, 0));
            let read = builder.transfer_read(view.base, &view.offsets, padding?, map, &in_bounds, ty);
            builder.ir.def_op(read)?
        }
    };
    if let Some(mask) = mask {
        builder.ir.set_transfer_mask(new, mask);
    }
    Some(Fold::Values(ir.results(new).collect()))
}

/// A mask that lies along `dims` of a vector, for the dimensions `along` in their order: without those of one element
/// that are not among them, and repeated along those that it lacks.
fn along_base(builder: &mut Builder<'_>, mask: ValueId, dims: &[usize], along: &[usize], shape: &[i64]) -> ValueId {
    let kept: Vec<usize> = dims.iter().copied().filter(|d| along.contains(d)).collect();
    let extents = |dims: &[usize]| dims.iter().map(|&d| shape[d]).collect::<Vec<_>>();
    let mask = builder.shape_cast(mask, &extents(&kept));
    let missing: Vec<usize> = along.iter().copied().filter(|d| !kept.contains(d)).collect();
    let order = [&missing[..], &kept].concat();
    let elem = builder.ir.elem_of(mask);
    let wide = builder.ir.vector_type(&extents(&order), elem);
    let mask = if missing.is_empty() { mask } else { builder.broadcast(mask, wide) };
    let perm: Vec<usize> =
        along.iter().map(|d| order.iter().position(|other| other == d).expect("it is there")).collect();
    if perm.is_sorted() { mask } else { builder.transpose(mask, &perm) }
}
