//! The rules of the `vector` dialect: shapes, positions, maps.

use super::iree::{quoted, wrong};
use super::rules::{dynamic_count, knows, list};
use super::{Check, bad, ensure, iree, show, types_of};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{DYNAMIC, Sign, Type};

/// Extents and element type; a scalar has no extents.
fn parts(ir: &Ir, ty: TypeId) -> (&[i64], TypeId) {
    match &ir[ty] {
        Type::Vector { shape, elem, .. } => (shape, *elem),
        _ => (&[], ty),
    }
}

fn value(ir: &Ir, value: ValueId) -> (&[i64], TypeId) {
    parts(ir, ir.type_of(value))
}

/// Elements in total, `None` on overflow.
fn count(shape: &[i64]) -> Option<i64> {
    shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent))
}

/// Whether a type is a vector of the shape; where that is empty, the element itself or `vector<T>`.
fn is_part(ir: &Ir, ty: TypeId, shape: &[i64], elem: TypeId) -> bool {
    parts(ir, ty) == (shape, elem)
}

pub(super) fn transfer(ir: &Ir, op: OpId) -> Check {
    let groups = ir.segments(op);
    let read = ir.opcode(op) == Opcode::TransferRead;
    let (base, indices, vector_ty) = if read {
        (groups[0][0], groups[1], ir.type_of(ir.result(op, 0)))
    } else {
        (groups[1][0], groups[2], ir.type_of(groups[0][0]))
    };
    let base_ty = ir.type_of(base);
    ensure(ir, op, matches!(ir[base_ty], Type::MemRef { .. } | Type::Tensor { .. }), || {
        format!("acts on a memref or tensor, not {}", show(ir, base_ty))
    })?;
    let base_rank = ir.shape_of(base).len();
    let (shape, elem) = parts(ir, vector_ty);
    ensure(ir, op, indices.len() == base_rank, || format!("has {} indices for {base_rank} dimensions", indices.len()))?;
    ensure(ir, op, ir.elem_of(base) == elem, || {
        format!("moves {} in and out of elements of {}", show(ir, vector_ty), show(ir, base_ty))
    })?;
    let Some(map) = ir.map(op, "permutation_map") else {
        return Err(bad(ir, op, "needs an affine map for `permutation_map`"));
    };
    ensure(ir, op, map.dims as usize == base_rank && map.syms == 0, || {
        format!("has a permutation map of {} dimensions for a base of {base_rank}", map.dims)
    })?;
    ensure(ir, op, map.results.len() == shape.len(), || {
        format!("has a permutation map with {} results for a vector of {}", map.results.len(), shape.len())
    })?;
    let mut used = vec![false; base_rank];
    for expr in &map.results {
        let fresh = match expr {
            Expr::Dim(d) => !std::mem::replace(&mut used[*d as usize], true),
            Expr::Const(0) => read,
            _ => false,
        };
        ensure(ir, op, fresh, || {
            "needs a permutation map whose results are different dimensions, or 0 for a broadcast in a read".to_owned()
        })?;
    }
    let flags = match ir.attr(op, "in_bounds") {
        Some(Attr::Array(items)) if items.iter().all(|&item| matches!(ir[item], Attr::Bool(_))) => items.len(),
        _ => return Err(bad(ir, op, "needs a list of flags for `in_bounds`")),
    };
    ensure(ir, op, flags == shape.len(), || format!("has {flags} flags for {} dimensions", shape.len()))?;
    if read {
        ensure(ir, op, ir.type_of(groups[2][0]) == elem, || {
            "has padding of another type than its elements".to_owned()
        })?;
    } else {
        let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
        let expected: &[TypeId] = if matches!(ir[base_ty], Type::Tensor { .. }) { &[base_ty] } else { &[] };
        ensure(ir, op, results == expected, || "gives the new tensor, and nothing for a memref".to_owned())?;
    }
    if let Some(&mask) = groups[3].first() {
        let (mask_shape, mask_elem) = value(ir, mask);
        let is_i1 = matches!(ir[mask_elem], Type::Integer { width: 1, sign: Sign::Signless });
        ensure(ir, op, is_i1 && mask_shape == mask_extents(map, shape), || {
            format!("needs a mask of shape {:?}", mask_extents(map, shape))
        })?;
    }
    Ok(())
}

/// `vector.mask`: one operation that takes a mask, or what passes through.
pub(super) fn masked(ir: &Ir, op: OpId) -> Check {
    let results = types_of(ir, &ir.results(op).collect::<Vec<_>>());
    let ops = ir.body(op, 0).map(|block| ir.ops_of(block)).unwrap_or_default();
    if let [inner, end] = ops[..] {
        let yielded = ir.operands(end);
        // Which operations on vectors take masks, their own passes say.
        let takes_mask = ir.opcode(inner) == Opcode::Unregistered
            || ["vector.", "iree"].iter().any(|dialect| ir.name(inner).starts_with(dialect));
        iree::ensure(ir, op, takes_mask, || "expects a MaskableOpInterface within the mask region".to_owned())?;
        iree::ensure(ir, op, ir.results(inner).count() == yielded.len(), || {
            "expects number of results to match maskable operation number of results".to_owned()
        })?;
        iree::ensure(ir, op, ir.results(inner).eq(yielded.iter().copied()), || {
            "expects all the results from the MaskableOpInterface to match all the values returned by the terminator"
                .to_owned()
        })?;
        if let Some(expected) = masked_shape(ir, inner)
            && expected != ir.shape_of(ir.operand(op, 0))
        {
            let shape = expected.iter().map(|extent| format!("{extent}x")).collect::<String>();
            return Err(wrong(ir, op, format!("expects a 'vector<{shape}i1>' mask for the maskable operation")));
        }
    }
    let yielded = ops.last().map(|&end| types_of(ir, ir.operands(end)));
    ensure(ir, op, yielded.is_none_or(|yielded| yielded == results), || {
        "does not give what its region yields".to_owned()
    })?;
    let passthru = types_of(ir, &ir.operands(op)[1..]);
    ensure(ir, op, passthru.is_empty() || passthru == results, || {
        "passes something through that does not have the type of its only result".to_owned()
    })
}

/// The shape of the mask for an operation, where its own parts say it.
fn masked_shape(ir: &Ir, op: OpId) -> Option<Vec<i64>> {
    Some(match ir.opcode(op) {
        Opcode::Reduction | Opcode::MultiReduction => ir.shape_of(ir.operand(op, 0)).to_vec(),
        Opcode::OuterProduct | Opcode::Gather => ir.shape_of(ir.result(op, 0)).to_vec(),
        Opcode::TransferRead => mask_extents(ir.map(op, "permutation_map")?, ir.shape_of(ir.result(op, 0))),
        Opcode::TransferWrite => mask_extents(ir.map(op, "permutation_map")?, ir.shape_of(ir.operand(op, 0))),
        _ => return None,
    })
}

/// A product of two vectors, or of a vector and a scalar: only its columns may be scalable, or both.
pub(super) fn outer_product(ir: &Ir, op: OpId) -> Check {
    let scalable = |value: ValueId| match ir.ty(value) {
        Type::Vector { scalable, .. } => scalable.first() == Some(&true),
        _ => false,
    };
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    iree::ensure(ir, op, !ir.ty(rhs).is_vector() || !scalable(lhs) || scalable(rhs), || {
        "expected either both or only #2 operand dim to be scalable".to_owned()
    })
}

/// Every other element along the last dimension.
pub(super) fn deinterleave(ir: &Ir, op: OpId) -> Check {
    let last = |value: ValueId| ir.shape_of(value).last().copied().unwrap_or(0);
    let (source, result) = (last(ir.operand(op, 0)), last(ir.result(op, 0)));
    iree::ensure(ir, op, source % 2 == 0, || {
        "failed to verify that the trailing dimension of the source vector has an even number of elements".to_owned()
    })?;
    iree::ensure(ir, op, source / 2 == result, || {
        format!(
            "failed to verify that the trailing dimension of the results is half the width of source trailing \
             dimension: {} of {}",
            quoted(ir, ir.type_of(ir.result(op, 0))),
            quoted(ir, ir.type_of(ir.operand(op, 0)))
        )
    })
}

/// The mask has the base's order of dimensions, without those that are broadcast; where none is left, one flag.
fn mask_extents(map: &Map, shape: &[i64]) -> Vec<i64> {
    let mut dims: Vec<(u32, i64)> = map
        .results
        .iter()
        .zip(shape)
        .filter_map(|(expr, &extent)| if let Expr::Dim(d) = expr { Some((*d, extent)) } else { None })
        .collect();
    dims.sort_unstable();
    if dims.is_empty() && !shape.is_empty() { vec![1] } else { dims.into_iter().map(|dim| dim.1).collect() }
}

pub(super) fn access(ir: &Ir, op: OpId) -> Check {
    let store = ir.opcode(op) == Opcode::VectorStore;
    let at = usize::from(store);
    let base = ir.operand(op, at);
    let vector = if store { ir.operand(op, 0) } else { ir.result(op, 0) };
    let (rank, found) = (ir.shape_of(base).len(), ir.operands(op).len() - at - 1);
    let covers =
        ir.ty(vector).shape().is_none_or(|shape| shape.len() <= rank) || ir.elem_of(base) == ir.type_of(vector);
    iree::ensure(ir, op, covers, || {
        if store {
            "source memref has lower rank than the vector to store".to_owned()
        } else {
            "destination memref has lower rank than the result vector".to_owned()
        }
    })?;
    ensure(ir, op, found == rank, || format!("has {found} indices for {rank} dimensions"))?;
    ensure(ir, op, ir.elem_of(base) == ir.elem_of(vector), || {
        format!("moves {} in and out of {}", show(ir, ir.type_of(vector)), show(ir, ir.type_of(base)))
    })
}

pub(super) fn broadcast(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let ((source, elem), (target, target_elem)) = (parts(ir, from), parts(ir, to));
    let trailing = target.len() >= source.len()
        && source.iter().zip(&target[target.len() - source.len()..]).all(|(&a, &b)| a == b || a == 1);
    ensure(ir, op, trailing && elem == target_elem, || format!("cannot make {} of {}", show(ir, to), show(ir, from)))
}

pub(super) fn transpose(ir: &Ir, op: OpId) -> Check {
    let ((source, elem), (target, target_elem)) = (value(ir, ir.operand(op, 0)), value(ir, ir.result(op, 0)));
    let perm = list(ir, op, "permutation")?;
    let mut sorted = perm.clone();
    sorted.sort_unstable();
    let is_perm = sorted.iter().copied().eq(0..source.len() as i64);
    ensure(ir, op, is_perm, || format!("needs a permutation of its {} dimensions, not {perm:?}", source.len()))?;
    let shape: Vec<i64> = perm.iter().map(|&d| source[d as usize]).collect();
    ensure(ir, op, shape == target && elem == target_elem, || {
        format!("gives shape {shape:?}, not {}", show(ir, ir.type_of(ir.result(op, 0))))
    })
}

pub(super) fn shape_cast(ir: &Ir, op: OpId) -> Check {
    let ((source, elem), (target, target_elem)) = (value(ir, ir.operand(op, 0)), value(ir, ir.result(op, 0)));
    let fits = elem == target_elem && count(source).is_some() && count(source) == count(target);
    ensure(ir, op, fits, || format!("keeps elements, but their numbers differ: {source:?} and {target:?}"))
}

pub(super) fn multi_reduction(ir: &Ir, op: OpId) -> Check {
    let (source, elem) = value(ir, ir.operand(op, 0));
    let dims = list(ir, op, "reduction_dims")?;
    let mut reduced = vec![false; source.len()];
    for &dim in &dims {
        let slot = usize::try_from(dim).ok().and_then(|dim| reduced.get_mut(dim));
        let fresh = slot.is_some_and(|slot| !std::mem::replace(slot, true));
        ensure(ir, op, fresh, || format!("reduces each dimension at most once, of {}", source.len()))?;
    }
    let shape: Vec<i64> = source.iter().zip(&reduced).filter(|(_, reduced)| !**reduced).map(|(&n, _)| n).collect();
    let dest = ir.type_of(ir.result(op, 0));
    ensure(ir, op, is_part(ir, dest, &shape, elem), || format!("gives shape {shape:?}, not {}", show(ir, dest)))
}

fn map_list(ir: &Ir, op: OpId) -> Result<Vec<&Map>, Box<crate::Diag>> {
    let maps = match ir.attr(op, "indexing_maps") {
        Some(Attr::Array(items)) => items
            .iter()
            .map(|&item| match &ir[item] {
                Attr::Map(map) => Some(map),
                _ => None,
            })
            .collect::<Option<Vec<_>>>(),
        _ => None,
    };
    maps.ok_or_else(|| bad(ir, op, "needs a list of affine maps for `indexing_maps`"))
}

/// For each iterator, whether it is a reduction.
pub(super) fn iterators(ir: &Ir, op: OpId, name: &str) -> Result<Vec<bool>, Box<crate::Diag>> {
    let Some(Attr::Array(items)) = ir.attr(op, "iterator_types") else {
        return Err(bad(ir, op, "needs a list for `iterator_types`"));
    };
    let word = |item: AttrId| match &ir[item] {
        Attr::Dialect { name: found, .. } if ir[*found] == *name => ir.keyword(item).filter(|word| knows(name, word)),
        _ => None,
    };
    items
        .iter()
        .map(|&item| word(item).map(|word| word == "reduction"))
        .collect::<Option<Vec<bool>>>()
        .ok_or_else(|| bad(ir, op, "needs `parallel` or `reduction` for each iterator"))
}

pub(super) fn contract(ir: &Ir, op: OpId) -> Check {
    let maps = map_list(ir, op)?;
    ensure(ir, op, maps.len() == 3, || format!("has three operands, but {} maps", maps.len()))?;
    let reduction = iterators(ir, op, "vector.iterator_type")?;
    let n = reduction.len();
    let kind = ir.keyword_of(op, "kind");
    ensure(ir, op, kind.is_some_and(|kind| knows("vector.kind", kind)), || "has an unknown `kind`".to_owned())?;
    let mut extents: Vec<Option<i64>> = vec![None; n];
    for (i, map) in maps.iter().enumerate() {
        let (shape, _) = value(ir, ir.operand(op, i));
        ensure(ir, op, map.dims as usize == n && map.syms == 0, || {
            format!("has {n} iterators, but map {i} has {} dimensions", map.dims)
        })?;
        let dims = map.as_dims().filter(|dims| dims.len() == shape.len());
        let Some(dims) = dims else {
            return Err(bad(
                ir,
                op,
                format!("needs one dimension for each of operand {i}'s {} in its map", shape.len()),
            ));
        };
        for (d, (&dim, &extent)) in dims.iter().zip(shape).enumerate() {
            ensure(ir, op, !dims[..d].contains(&dim), || format!("uses a dimension twice in map {i}"))?;
            let known = *extents[dim].get_or_insert(extent);
            ensure(ir, op, known == extent, || format!("has extents {known} and {extent} for iterator {dim}"))?;
            ensure(ir, op, i != 2 || !reduction[dim], || format!("keeps iterator {dim}, which is a reduction"))?;
        }
    }
    ensure(ir, op, extents.iter().all(Option::is_some), || "has an iterator that no operand has".to_owned())?;
    let multiplied = |dim: u32| maps[..2].iter().any(|map| map.results.contains(&Expr::Dim(dim)));
    iree::ensure(ir, op, (0..n as u32).all(multiplied), || {
        "expected all dimensions to be either a LHS or a RHS dimension".to_owned()
    })?;
    let signed = |value: ValueId| matches!(ir[ir.elem_of(value)], Type::Integer { sign, .. } if sign != Sign::Signless);
    iree::ensure(ir, op, !ir.operands(op).iter().any(|&value| signed(value)), || {
        "only supports signless integer types".to_owned()
    })?;
    for (dim, _) in reduction.iter().enumerate().filter(|(_, reduction)| !**reduction) {
        let kept = maps[2].results.contains(&Expr::Dim(dim as u32));
        ensure(ir, op, kept, || format!("drops iterator {dim}, which is parallel"))?;
    }
    Ok(())
}

/// `vector.extract` and `vector.insert`.
pub(super) fn position(ir: &Ir, op: OpId) -> Check {
    let insert = ir.opcode(op) == Opcode::Insert;
    let first = if insert { 2 } else { 1 };
    let (whole, part) = if insert {
        (ir.operand(op, 1), ir.type_of(ir.operand(op, 0)))
    } else {
        (ir.operand(op, 0), ir.type_of(ir.result(op, 0)))
    };
    let (shape, elem) = value(ir, whole);
    let at = list(ir, op, "static_position")?;
    dynamic_count(ir, op, "static_position", &at, ir.operands(op).len() - first)?;
    ensure(ir, op, at.len() <= shape.len(), || format!("has {} positions for {} dimensions", at.len(), shape.len()))?;
    for (d, (&at, &extent)) in at.iter().zip(shape).enumerate() {
        // -1 stands for poison.
        ensure(ir, op, at == DYNAMIC || (-1..extent).contains(&at), || {
            let dest = if insert { "dest " } else { "" };
            format!(
                "has position {at}: expected position attribute #{} to be a non-negative integer smaller than the \
                 corresponding {dest}vector dimension or poison (-1), and the extent is {extent}",
                d + 1
            )
        })?;
    }
    let rest = &shape[at.len()..];
    ensure(ir, op, is_part(ir, part, rest, elem), || {
        format!("reaches a part of shape {rest:?}, which is not {}", show(ir, part))
    })
}

/// `vector.extract_strided_slice` and `vector.insert_strided_slice`.
pub(super) fn strided(ir: &Ir, op: OpId) -> Check {
    let insert = ir.opcode(op) == Opcode::InsertStridedSlice;
    let (whole, part) =
        if insert { (ir.operand(op, 1), ir.operand(op, 0)) } else { (ir.operand(op, 0), ir.result(op, 0)) };
    let ((shape, elem), (sub, sub_elem)) = (value(ir, whole), value(ir, part));
    ensure(ir, op, elem == sub_elem, || "changes the element type".to_owned())?;
    let offsets = list(ir, op, "offsets")?;
    let strides = list(ir, op, "strides")?;
    ensure(ir, op, strides.iter().all(|&stride| stride == 1), || "has strides of 1 only".to_owned())?;
    // The part's extents along each dimension of the whole, and how many leading dimensions it lacks.
    let sizes: Vec<i64> = if insert {
        let fits = sub.len() <= shape.len() && offsets.len() == shape.len() && strides.len() == sub.len();
        ensure(ir, op, fits, || "has an offset for each dimension, and a stride for each of the part".to_owned())?;
        let mut sizes = vec![1; shape.len() - sub.len()];
        sizes.extend(sub);
        sizes
    } else {
        let sizes = list(ir, op, "sizes")?;
        let fits = offsets.len() == sizes.len() && strides.len() == sizes.len() && sizes.len() <= shape.len();
        ensure(ir, op, fits, || "has lists of one length, at most that of its dimensions".to_owned())?;
        let result: Vec<i64> = sizes.iter().chain(&shape[sizes.len()..]).copied().collect();
        ensure(ir, op, sub == result, || format!("gives shape {result:?}, not {sub:?}"))?;
        sizes
    };
    for (d, (&offset, &size)) in offsets.iter().zip(&sizes).enumerate() {
        let inside = offset >= 0 && size > 0 && offset.checked_add(size).is_some_and(|end| end <= shape[d]);
        ensure(ir, op, inside, || format!("reaches outside dimension {d} of extent {}", shape[d]))?;
    }
    Ok(())
}

pub(super) fn elements(ir: &Ir, op: OpId) -> Check {
    let (vector, n) = if ir.opcode(op) == Opcode::FromElements {
        (ir.result(op, 0), ir.operands(op).len())
    } else {
        (ir.operand(op, 0), ir.results(op).len())
    };
    let (shape, _) = value(ir, vector);
    ensure(ir, op, count(shape) == i64::try_from(n).ok(), || format!("has {n} elements for shape {shape:?}"))
}

pub(super) fn mask(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let (shape, elem) = parts(ir, ty);
    if ir.opcode(op) == Opcode::Step {
        let fits = shape.len() == 1 && matches!(ir[elem], Type::Index | Type::Integer { .. });
        return ensure(ir, op, fits, || format!("counts in one dimension of integers, not {}", show(ir, ty)));
    }
    let is_i1 = matches!(ir[elem], Type::Integer { width: 1, sign: Sign::Signless });
    ensure(ir, op, is_i1, || format!("makes a vector of `i1`, not {}", show(ir, ty)))?;
    if ir.opcode(op) == Opcode::CreateMask {
        let n = ir.operands(op).len();
        // A mask without dimensions still takes its one flag.
        return ensure(ir, op, n == shape.len().max(1), || format!("has {n} bounds for {} dimensions", shape.len()));
    }
    let bounds = list(ir, op, "mask_dim_sizes")?;
    ensure(ir, op, bounds.len() == shape.len().max(1), || {
        format!("has {} bounds for {} dimensions", bounds.len(), shape.len())
    })?;
    let inside = bounds.iter().zip(shape).all(|(&bound, &extent)| (0..=extent).contains(&bound));
    ensure(ir, op, inside, || "has a bound outside its dimension".to_owned())
}

/// `vector.shuffle`: numbers of slices along the first dimension of both vectors, one behind the other; -1 is any.
pub(super) fn shuffle(ir: &Ir, op: OpId) -> Check {
    let ((lhs, elem), (rhs, other)) = (value(ir, ir.operand(op, 0)), value(ir, ir.operand(op, 1)));
    let inner = |shape: &[i64]| shape.get(1..).unwrap_or_default().to_vec();
    ensure(ir, op, elem == other && lhs.len() == rhs.len() && inner(lhs) == inner(rhs), || {
        "takes vectors that differ in nothing but their first extent".to_owned()
    })?;
    let mask = ir.attr_id(op, "mask").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    ensure(ir, op, !mask.is_empty(), || "invalid mask length: it needs at least one entry".to_owned())?;
    let first = |shape: &[i64]| shape.first().copied().unwrap_or(1);
    let slices = first(lhs).saturating_add(first(rhs));
    if let Some(i) = mask.iter().position(|at| !(-1..slices).contains(at)) {
        return Err(bad(ir, op, format!("mask index #{} out of range: there are {slices} slices", i + 1)));
    }
    let expected = [vec![mask.len() as i64], inner(lhs)].concat();
    let result = ir.type_of(ir.result(op, 0));
    ensure(ir, op, is_part(ir, result, &expected, elem), || {
        format!("gives {}, where the mask asks for the shape {expected:?}", show(ir, result))
    })
}
