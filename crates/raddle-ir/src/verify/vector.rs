//! The rules of the `vector` dialect: shapes, positions, maps. Messages have MLIR's words.
//!
//! They ask for attributes and types alone: operations that are alike in these are checked once.

use raddle_layout::sort::sort_by;

use super::parts::Parts;
use super::rules::{dynamic_count, knows, list};
use super::wording::{ensure, quoted, wrong};
use super::{Check, memory, types_of};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::print_attr;
use crate::types::{DYNAMIC, Scalar, Sign, Type};

/// The rules of one operation of `vector`.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::VectorTransferRead | Opcode::VectorTransferWrite => transfer(ir, op),
        Opcode::VectorLoad | Opcode::VectorStore => access(ir, op),
        Opcode::VectorBroadcast => broadcast(ir, op),
        Opcode::VectorTranspose => transpose(ir, op),
        Opcode::VectorShapeCast => shape_cast(ir, op),
        Opcode::VectorMultiReduction => multi_reduction(ir, op),
        Opcode::VectorContract => contract(ir, op),
        Opcode::VectorShuffle => shuffle(ir, op),
        Opcode::VectorExtract | Opcode::VectorInsert => position(ir, op),
        Opcode::VectorExtractStridedSlice | Opcode::VectorInsertStridedSlice => strided(ir, op),
        Opcode::VectorFromElements | Opcode::VectorToElements => elements(ir, op),
        Opcode::VectorStep | Opcode::VectorCreateMask | Opcode::VectorConstantMask => mask(ir, op),
        Opcode::VectorMask => masked(ir, op),
        Opcode::VectorOuterproduct => outer_product(ir, op),
        Opcode::VectorDeinterleave => deinterleave(ir, op),
        Opcode::VectorBitcast => bitcast(ir, op),
        Opcode::VectorReduction => reduction(ir, op),
        Opcode::VectorScalableInsert | Opcode::VectorScalableExtract => scalable(ir, op),
        Opcode::VectorGather | Opcode::VectorScatter | Opcode::VectorMaskedload | Opcode::VectorMaskedstore => {
            by_lane(ir, op)
        }
        Opcode::VectorExpandload | Opcode::VectorCompressstore => by_lane(ir, op),
        Opcode::VectorPrint => {
            let alone =
                ir.operands(op).is_empty() && ir.keyword_of(op, "punctuation").is_none_or(|word| word == "newline");
            ensure(ir, op, alone || ir.attr_id(op, "stringLiteral").is_none(), || {
                "`source` or `punctuation` are not set when printing strings".to_owned()
            })
        }
        _ => Ok(()),
    }
}

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

/// The extents of a vector, each with whether it is scalable.
fn dims(ir: &Ir, ty: TypeId) -> Vec<(i64, bool)> {
    match &ir[ty] {
        Type::Vector { shape, scalable, .. } => {
            let marks = scalable.iter().copied().chain(std::iter::repeat(false));
            shape.iter().copied().zip(marks).collect()
        }
        _ => Vec::new(),
    }
}

fn spell((extent, scalable): (i64, bool)) -> String {
    if scalable { format!("[{extent}]") } else { extent.to_string() }
}

/// Elements in total, `None` on overflow.
fn count(shape: &[i64]) -> Option<i64> {
    shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent))
}

/// Whether a type is a vector of the shape; where that is empty, the element itself or `vector<T>`.
fn is_part(ir: &Ir, ty: TypeId, shape: &[i64], elem: TypeId) -> bool {
    parts(ir, ty) == (shape, elem)
}

fn transfer(ir: &Ir, op: OpId) -> Check {
    let groups = ir.segments(op);
    let read = ir.opcode(op) == Opcode::VectorTransferRead;
    let (base, indices, vector_ty) = if read {
        (groups[0][0], groups[1], ir.type_of(ir.result(op, 0)))
    } else {
        (groups[1][0], groups[2], ir.type_of(groups[0][0]))
    };
    let base_ty = ir.type_of(base);
    ensure(ir, op, matches!(ir[base_ty], Type::MemRef { .. } | Type::Tensor { .. }), || {
        "requires source to be a memref or ranked tensor type".to_owned()
    })?;
    let base_rank = ir.shape_of(base).len();
    let (shape, elem) = parts(ir, vector_ty);
    ensure(ir, op, indices.len() == base_rank, || format!("requires {base_rank} indices"))?;
    let Some(map) = ir.map(op, "permutation_map") else {
        return Err(wrong(ir, op, "needs an affine map for `permutation_map`"));
    };
    ensure(ir, op, read || !map.results.contains(&Expr::Const(0)), || {
        "should not have broadcast dimensions".to_owned()
    })?;
    let flags = match ir.attr(op, "in_bounds") {
        Some(Attr::Array(items)) if items.iter().all(|&item| matches!(ir[item], Attr::Bool(_))) => items.len(),
        _ => return Err(wrong(ir, op, "needs a list of flags for `in_bounds`")),
    };
    if ir[ir.elem_of(base)].is_vector() {
        of_vectors(ir, op, ir.elem_of(base), vector_ty, map, !groups[3].is_empty())?;
    } else {
        ensure(ir, op, map.results.len() == shape.len(), || {
            "requires a permutation_map with result dims of the same rank as the vector type".to_owned()
        })?;
    }
    ensure(ir, op, map.syms == 0, || "requires permutation_map without symbols".to_owned())?;
    ensure(ir, op, map.dims as usize == base_rank, || {
        "requires a permutation_map with input dims of the same rank as the source type".to_owned()
    })?;
    if let Some(&mask) = groups[3].first() {
        let (mask_shape, mask_elem) = value(ir, mask);
        let is_i1 = matches!(ir[mask_elem], Type::Integer { width: 1, sign: Sign::Signless });
        let expected = mask_extents(map, shape);
        ensure(ir, op, is_i1 && mask_shape == expected, || {
            let shape: String = expected.iter().map(|extent| format!("{extent}x")).collect();
            let found = quoted(ir, ir.type_of(mask));
            format!("inferred mask type ('vector<{shape}i1>') and mask operand type ({found}) don't match")
        })?;
    }
    ensure(ir, op, flags == map.results.len(), || {
        let map = ir.attr_id(op, "permutation_map").map(|map| print_attr(ir, map)).unwrap_or_default();
        format!(
            "expects the in_bounds attr of same rank as permutation_map results: {map} vs inBounds of size: {flags}"
        )
    })?;
    ensure(ir, op, ir.elem_of(base) == elem, || {
        let (vector, base) = (quoted(ir, vector_ty), quoted(ir, base_ty));
        format!("moves {vector} in and out of elements of {base}")
    })?;
    if read {
        ensure(ir, op, ir.type_of(groups[2][0]) == elem, || {
            "requires formal padding and source of the same elemental type".to_owned()
        })?;
    } else {
        let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
        let expected: &[TypeId] = if matches!(ir[base_ty], Type::Tensor { .. }) { &[base_ty] } else { &[] };
        ensure(ir, op, results == expected, || "gives the new tensor, and nothing for a memref".to_owned())?;
    }
    let mut used = vec![false; base_rank];
    for expr in &map.results {
        let fresh = match expr {
            Expr::Dim(d) => !std::mem::replace(&mut used[*d as usize], true),
            Expr::Const(0) => true,
            _ => {
                let message = "requires a projected permutation_map (at most one dim or the zero constant can appear \
                               in each result)";
                return Err(wrong(ir, op, message));
            }
        };
        ensure(ir, op, fresh, || {
            "requires a permutation_map that is a permutation (found one dim used more than once)".to_owned()
        })?;
    }
    Ok(())
}

/// A transfer where each element of the base is a vector: its last dimensions are theirs.
fn of_vectors(ir: &Ir, op: OpId, elem: TypeId, vector: TypeId, map: &Map, masked: bool) -> Check {
    let bits = |ty: TypeId| {
        let (shape, elem) = parts(ir, ty);
        Scalar::of(&ir[elem]).map(|scalar| i64::from(scalar.bits()).saturating_mul(shape.last().copied().unwrap_or(1)))
    };
    let whole = match (bits(elem), bits(vector)) {
        (Some(part), Some(all)) => part != 0 && all % part == 0,
        _ => true,
    };
    ensure(ir, op, whole, || {
        "requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the minor 1-D vector \
         of the source"
            .to_owned()
    })?;
    let outer = parts(ir, vector).0.len().checked_sub(parts(ir, elem).0.len());
    ensure(ir, op, outer.is_some(), || "requires source vector element and vector result ranks to match".to_owned())?;
    ensure(ir, op, outer == Some(map.results.len()), || {
        "requires a permutation_map with result dims of the same rank as the vector type".to_owned()
    })?;
    ensure(ir, op, !masked, || "does not support masks with vector element type".to_owned())
}

/// `vector.mask`: one operation that takes a mask, or what passes through.
fn masked(ir: &Ir, op: OpId) -> Check {
    let results = types_of(ir, &ir.results(op).collect::<Vec<_>>());
    let mask = ir.type_of(ir.operand(op, 0));
    let (shape, elem) = parts(ir, mask);
    let is_mask = !shape.is_empty() && matches!(ir[elem], Type::Integer { width: 1, sign: Sign::Signless });
    ensure(ir, op, is_mask, || {
        format!("operand #0 must be vector of 1-bit signless integer values, but got {}", quoted(ir, mask))
    })?;
    let ops = ir.body(op, 0).map(|block| ir.ops_of(block)).unwrap_or_default();
    ensure(ir, op, ops.len() <= 2, || "expects only one operation to mask".to_owned())?;
    if let [inner, end] = ops[..] {
        let yielded = ir.operands(end);
        // Which operations on vectors take masks, their own passes say.
        let takes_mask = ir.opcode(inner) == Opcode::Unregistered
            || ["vector.", "iree"].iter().any(|dialect| ir.name(inner).starts_with(dialect));
        ensure(ir, op, takes_mask, || "expects a MaskableOpInterface within the mask region".to_owned())?;
        ensure(ir, op, ir.results(inner).count() == yielded.len(), || {
            "expects number of results to match maskable operation number of results".to_owned()
        })?;
        ensure(ir, op, ir.results(inner).eq(yielded.iter().copied()), || {
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
        "expects result type to match maskable operation result type".to_owned()
    })?;
    let passthru = types_of(ir, &ir.operands(op)[1..]);
    ensure(ir, op, passthru.is_empty() || passthru == results, || {
        "passes something through that does not have the type of its only result".to_owned()
    })
}

/// The shape of the mask for an operation, where its own parts say it.
fn masked_shape(ir: &Ir, op: OpId) -> Option<Vec<i64>> {
    Some(match ir.opcode(op) {
        Opcode::VectorReduction | Opcode::VectorMultiReduction => ir.shape_of(ir.operand(op, 0)).to_vec(),
        Opcode::VectorOuterproduct | Opcode::VectorGather => ir.shape_of(ir.result(op, 0)).to_vec(),
        Opcode::VectorTransferRead => mask_extents(ir.map(op, "permutation_map")?, ir.shape_of(ir.result(op, 0))),
        Opcode::VectorTransferWrite => mask_extents(ir.map(op, "permutation_map")?, ir.shape_of(ir.operand(op, 0))),
        _ => return None,
    })
}

/// A product of two vectors, or of a vector and a scalar: only its columns may be scalable, or both.
fn outer_product(ir: &Ir, op: OpId) -> Check {
    let of = |value: ValueId| dims(ir, ir.type_of(value));
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let (rows, result) = (of(lhs), of(ir.result(op, 0)));
    let extent = |dims: &[(i64, bool)], at: usize| dims.get(at).map(|dim| dim.0);
    let rank = |operand: usize, dims: &[(i64, bool)]| {
        ensure(ir, op, dims.len() == 1, || format!("expected 1-d vector for operand #{operand}"))
    };
    let same_extent = |operand: usize, dims: &[(i64, bool)]| {
        ensure(ir, op, extent(dims, 0) == extent(&result, operand - 1), || {
            format!("expected #{operand} operand dim to match result dim #{operand}")
        })
    };
    rank(1, &rows)?;
    if ir.ty(rhs).is_vector() {
        let columns = of(rhs);
        rank(2, &columns)?;
        ensure(ir, op, result.len() == 2, || "expected 2-d vector result".to_owned())?;
        same_extent(1, &rows)?;
        same_extent(2, &columns)?;
        ensure(ir, op, !rows[0].1 || columns[0].1, || {
            "expected either both or only #2 operand dim to be scalable".to_owned()
        })?;
    } else {
        ensure(ir, op, result.len() == 1, || "expected 1-d vector result".to_owned())?;
        same_extent(1, &rows)?;
    }
    let acc = ir.operands(op).get(2).map(|&acc| ir.type_of(acc));
    ensure(ir, op, acc.is_none_or(|acc| acc == ir.type_of(ir.result(op, 0))), || {
        "expected operand #3 of same type as result type".to_owned()
    })
}

/// Every other element along the last dimension.
fn deinterleave(ir: &Ir, op: OpId) -> Check {
    let last = |value: ValueId| ir.shape_of(value).last().copied().unwrap_or(0);
    let (source, result) = (last(ir.operand(op, 0)), last(ir.result(op, 0)));
    ensure(ir, op, source % 2 == 0, || {
        "failed to verify that the trailing dimension of the source vector has an even number of elements".to_owned()
    })?;
    ensure(ir, op, source / 2 == result, || {
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
    sort_by(&mut dims, Ord::cmp);
    if dims.is_empty() && !shape.is_empty() { vec![1] } else { dims.into_iter().map(|dim| dim.1).collect() }
}

fn access(ir: &Ir, op: OpId) -> Check {
    let store = ir.opcode(op) == Opcode::VectorStore;
    let at = usize::from(store);
    let base = ir.operand(op, at);
    let vector = if store { ir.operand(op, 0) } else { ir.result(op, 0) };
    let (rank, found) = (ir.shape_of(base).len(), ir.operands(op).len() - at - 1);
    let vector_dims = dims(ir, ir.type_of(vector));
    let many = vector_dims.iter().any(|&(extent, scalable)| extent != 1 || scalable);
    let layout = memory::Strided::of(ir, ir.type_of(base));
    let adjacent = layout.is_none_or(|layout| layout.strides.last().is_none_or(|&stride| stride == 1));
    ensure(ir, op, !many || adjacent, || "most minor memref dim must have unit stride".to_owned())?;
    let covers = vector_dims.len() <= rank || ir.elem_of(base) == ir.type_of(vector);
    ensure(ir, op, covers, || {
        if store {
            "source memref has lower rank than the vector to store".to_owned()
        } else {
            "destination memref has lower rank than the result vector".to_owned()
        }
    })?;
    let mut elem = ir.elem_of(base);
    if ir[elem].is_vector() {
        ensure(ir, op, elem == ir.type_of(vector), || {
            format!("base memref and {} vector types should match", if store { "valueToStore" } else { "result" })
        })?;
        elem = parts(ir, elem).1;
    }
    ensure(ir, op, elem == value(ir, vector).1, || {
        format!("base and {} should match", if store { "valueToStore element type" } else { "result element types" })
    })?;
    ensure(ir, op, found == rank, || format!("requires {rank} indices"))
}

/// What each lane of a vector reads or writes for itself: the operands have one shape.
fn by_lane(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let opcode = ir.opcode(op);
    let writes = matches!(opcode, Opcode::VectorScatter | Opcode::VectorMaskedstore | Opcode::VectorCompressstore);
    let (name, moved) = if writes { ("valueToStore", at.one("valueToStore")) } else { ("result", ir.result(op, 0)) };
    let scattered = matches!(opcode, Opcode::VectorGather | Opcode::VectorScatter);
    ensure(ir, op, !scattered || matches!(ir.ty(at.one("base")), Type::MemRef { .. } | Type::Tensor { .. }), || {
        "requires base to be a memref or ranked tensor type".to_owned()
    })?;
    let (shape, elem) = value(ir, moved);
    ensure(ir, op, elem == at.elem("base"), || format!("base and {name} element type should match"))?;
    let indices = at.all(if scattered { "offsets" } else { "indices" }).len();
    ensure(ir, op, indices == at.rank("base"), || format!("requires {} indices", at.rank("base")))?;
    let what = if matches!(opcode, Opcode::VectorMaskedload | Opcode::VectorMaskedstore) { "shape" } else { "dim" };
    for group in if scattered { &["indices", "mask"][..] } else { &["mask"] } {
        ensure(ir, op, value(ir, at.one(group)).0 == shape, || {
            format!("expected {name} {what} to match {group} {what}")
        })?;
    }
    ensure(ir, op, writes || ir.type_of(at.one("pass_thru")) == ir.type_of(moved), || {
        "expected pass_thru of same type as result type".to_owned()
    })
}

fn broadcast(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let (elem, target_elem) = (parts(ir, from).1, parts(ir, to).1);
    ensure(ir, op, ir[from].is_vector() || elem == target_elem, || "source type is not a vector".to_owned())?;
    ensure(ir, op, elem == target_elem, || {
        "failed to verify that source operand and result have same element type".to_owned()
    })?;
    let (source, target) = (dims(ir, from), dims(ir, to));
    ensure(ir, op, source.len() <= target.len(), || "source rank higher than destination rank".to_owned())?;
    for (&a, &b) in source.iter().zip(&target[target.len() - source.len()..]) {
        ensure(ir, op, a == b || a == (1, false), || format!("dimension mismatch ({} vs. {})", spell(a), spell(b)))?;
    }
    Ok(())
}

fn transpose(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let ((source, elem), (target, target_elem)) = (parts(ir, from), parts(ir, to));
    let perm = list(ir, op, "permutation")?;
    ensure(ir, op, elem == target_elem, || {
        "failed to verify that source operand and result have same element type".to_owned()
    })?;
    let rank = target.len();
    ensure(ir, op, source.len() == rank, || format!("vector result rank mismatch: {rank}"))?;
    ensure(ir, op, perm.len() == rank, || format!("transposition length mismatch: {}", perm.len()))?;
    let mut seen = vec![false; rank];
    for (&dim, &extent) in perm.iter().zip(target) {
        let Some(at) = usize::try_from(dim).ok().filter(|&at| at < rank) else {
            return Err(wrong(ir, op, format!("transposition index out of range: {dim}")));
        };
        ensure(ir, op, !std::mem::replace(&mut seen[at], true), || format!("duplicate position index: {dim}"))?;
        ensure(ir, op, source[at] == extent, || format!("dimension size mismatch at: {dim}"))?;
    }
    Ok(())
}

fn shape_cast(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let ((source, elem), (target, target_elem)) = (parts(ir, from), parts(ir, to));
    ensure(ir, op, elem == target_elem, || "has different source and result element types".to_owned())?;
    let (n, m) = (count(source), count(target));
    ensure(ir, op, n.is_some() && n == m, || {
        let said = |n: Option<i64>| n.map_or_else(|| "too many".to_owned(), |n| n.to_string());
        format!("has different number of elements at source ({}) and result ({})", said(n), said(m))
    })?;
    let scalable = |ty: TypeId| dims(ir, ty).iter().filter(|dim| dim.1).count();
    let (n, m) = (scalable(from), scalable(to));
    ensure(ir, op, n == m, || format!("has different number of scalable dims at source ({n}) and result ({m})"))
}

/// `vector.bitcast`: other elements in the same bits of the last dimension.
fn bitcast(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let ((source, elem), (target, target_elem)) = (parts(ir, from), parts(ir, to));
    ensure(ir, op, source.len() == target.len(), || {
        "failed to verify that all of {source, result} have same rank".to_owned()
    })?;
    let outer = source.len().saturating_sub(1);
    let odd = (0..outer).find(|&at| source[at] != target[at]);
    ensure(ir, op, odd.is_none(), || format!("dimension size mismatch at: {}", odd.unwrap_or_default()))?;
    let bits = |elem: TypeId, shape: &[i64]| {
        Scalar::of(&ir[elem]).map(|scalar| i64::from(scalar.bits()).saturating_mul(shape.last().copied().unwrap_or(1)))
    };
    ensure(ir, op, bits(elem, source) == bits(target_elem, target), || {
        if source.is_empty() {
            "source/result bitwidth of the 0-D vector element types must be equal".to_owned()
        } else {
            "source/result bitwidth of the minor 1-D vectors must be equal".to_owned()
        }
    })
}

/// `vector.reduction`: all elements of at most one dimension.
fn reduction(ir: &Ir, op: OpId) -> Check {
    let (shape, elem) = value(ir, ir.operand(op, 0));
    ensure(ir, op, elem == ir.type_of(ir.result(op, 0)), || {
        "failed to verify that source operand and result have same element type".to_owned()
    })?;
    ensure(ir, op, shape.len() <= 1, || format!("unsupported reduction rank: {}", shape.len()))
}

/// `vector.scalable.insert` and `.extract`: the part begins at a multiple of its length.
fn scalable(ir: &Ir, op: OpId) -> Check {
    let insert = ir.opcode(op) == Opcode::VectorScalableInsert;
    let (part, name) = if insert { (ir.operand(op, 0), "source") } else { (ir.result(op, 0), "result") };
    let length = value(ir, part).0.first().copied().unwrap_or(1);
    let at = Parts::of(ir, op).int("pos");
    ensure(ir, op, length > 0 && at % length == 0, || {
        format!("failed to verify that position is a multiple of the {name} length.")
    })
}

fn multi_reduction(ir: &Ir, op: OpId) -> Check {
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
    ensure(ir, op, is_part(ir, dest, &shape, elem), || {
        let source = quoted(ir, ir.type_of(ir.operand(op, 0)));
        format!("destination type {} is incompatible with source type {source}", quoted(ir, dest))
    })
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
    maps.ok_or_else(|| wrong(ir, op, "needs a list of affine maps for `indexing_maps`"))
}

/// For each iterator, whether it is a reduction.
pub(super) fn iterators(ir: &Ir, op: OpId, name: &str) -> Result<Vec<bool>, Box<crate::Diag>> {
    let Some(Attr::Array(items)) = ir.attr(op, "iterator_types") else {
        return Err(wrong(ir, op, "needs a list for `iterator_types`"));
    };
    let word = |item: AttrId| match &ir[item] {
        Attr::Dialect { name: found, .. } if ir[*found] == *name => ir.keyword(item).filter(|word| knows(name, word)),
        _ => None,
    };
    items
        .iter()
        .map(|&item| word(item).map(|word| word == "reduction"))
        .collect::<Option<Vec<bool>>>()
        .ok_or_else(|| wrong(ir, op, "needs `parallel` or `reduction` for each iterator"))
}

fn contract(ir: &Ir, op: OpId) -> Check {
    let signed = |value: ValueId| matches!(ir[ir.elem_of(value)], Type::Integer { sign, .. } if sign != Sign::Signless);
    ensure(ir, op, !ir.operands(op).iter().any(|&value| signed(value)), || {
        "only supports signless integer types".to_owned()
    })?;
    let elem = |operand: usize| value(ir, ir.operand(op, operand)).1;
    // Upstream has no such pair; machines multiply bytes of two formats.
    let is_byte = |elem: TypeId| matches!(ir[elem], Type::Float(float) if float.bits() == 8);
    let are_factors = elem(0) == elem(1) || [elem(0), elem(1)].into_iter().all(is_byte);
    ensure(ir, op, are_factors, || "failed to verify that lhs and rhs have same element type".to_owned())?;
    let maps = map_list(ir, op)?;
    ensure(ir, op, maps.len() == 3, || "expected an indexing map for each vector operand".to_owned())?;
    let reduction = iterators(ir, op, "vector.iterator_type")?;
    let n = reduction.len();
    let mut lists = Vec::with_capacity(3);
    for (i, map) in maps.iter().enumerate() {
        let rank = value(ir, ir.operand(op, i)).0.len();
        ensure(ir, op, map.syms == 0, || format!("expected indexing map {i} to have no symbols"))?;
        ensure(ir, op, map.dims as usize == n, || format!("expected indexing map {i} to have {n} number of inputs"))?;
        ensure(ir, op, map.results.len() == rank, || {
            format!("expected indexing map {i} to have {rank} number of outputs")
        })?;
        let dims = map.as_dims().filter(|dims| (1..dims.len()).all(|at| !dims[..at].contains(&dims[at])));
        let Some(dims) = dims else {
            let message = format!("expected indexing map {i} to be a projected permutation of its inputs");
            return Err(wrong(ir, op, message));
        };
        lists.push(dims);
    }
    let extent = |i: usize, dim: usize| {
        let at = lists[i].iter().position(|&found| found == dim)?;
        value(ir, ir.operand(op, i)).0.get(at).copied()
    };
    let both: Vec<usize> = (0..n).filter(|&dim| extent(0, dim).is_some() && extent(1, dim).is_some()).collect();
    // MLIR asks for a pair that is contracted; a sum over what one factor alone has is a product all the same.
    for (reduces, what) in [(true, "contracting"), (false, "batch")] {
        let fits = both.iter().all(|&dim| reduction[dim] != reduces || extent(0, dim) == extent(1, dim));
        ensure(ir, op, fits, || format!("invalid {what} dimension map"))?;
    }
    ensure(ir, op, (0..n).all(|dim| extent(0, dim).is_some() || extent(1, dim).is_some()), || {
        "expected all dimensions to be either a LHS or a RHS dimension".to_owned()
    })?;
    for (dim, &reduces) in reduction.iter().enumerate() {
        let kept = lists[2].contains(&dim);
        ensure(ir, op, !kept || !reduces, || {
            format!("invalid accumulator/result vector shape: it keeps iterator {dim}, which is a reduction")
        })?;
        ensure(ir, op, kept || reduces, || {
            format!("invalid accumulator/result vector shape: it drops iterator {dim}, which is parallel")
        })?;
    }
    let (shape, elem) = value(ir, ir.operand(op, 2));
    let expected: Vec<i64> = lists[2].iter().filter_map(|&dim| extent(0, dim).or_else(|| extent(1, dim))).collect();
    ensure(ir, op, expected == shape, || {
        let shape: String = expected.iter().map(|extent| format!("{extent}x")).collect();
        let elem = crate::text::print_type(ir, elem);
        format!("invalid accumulator/result vector shape, expected: 'vector<{shape}{elem}>'")
    })?;
    let kind = ir.keyword_of(op, "kind");
    ensure(ir, op, kind.is_some_and(|kind| knows("vector.kind", kind)), || {
        "expected 'kind' attribute of type CombiningKind (e.g. 'vector.kind<add>')".to_owned()
    })
}

/// `vector.extract` and `vector.insert`.
fn position(ir: &Ir, op: OpId) -> Check {
    let insert = ir.opcode(op) == Opcode::VectorInsert;
    let first = if insert { 2 } else { 1 };
    let (whole, part) = if insert {
        (ir.operand(op, 1), ir.type_of(ir.operand(op, 0)))
    } else {
        (ir.operand(op, 0), ir.type_of(ir.result(op, 0)))
    };
    let is_flat = matches!(&ir[part], Type::Vector { shape, .. } if shape.is_empty());
    ensure(ir, op, !is_flat, || {
        let what = if insert { "source operand" } else { "result type" };
        format!("expected a scalar instead of a 0-d vector as the {what}")
    })?;
    let (shape, elem) = value(ir, whole);
    let at = list(ir, op, "static_position")?;
    dynamic_count(ir, op, "static_position", &at, ir.operands(op).len() - first)?;
    let dest = if insert { "dest " } else { "" };
    ensure(ir, op, at.len() <= shape.len(), || {
        format!("expected position attribute of rank no greater than {dest}vector rank")
    })?;
    let rest = &shape[at.len()..];
    if insert {
        let (found, _) = parts(ir, part);
        ensure(ir, op, found.len() == rest.len(), || {
            if ir[part].is_vector() {
                "expected position attribute rank + source rank to match dest vector rank".to_owned()
            } else {
                "expected position attribute rank to match the dest vector rank".to_owned()
            }
        })?;
    }
    for (d, (&at, &extent)) in at.iter().zip(shape).enumerate() {
        // -1 stands for poison.
        ensure(ir, op, at == DYNAMIC || (-1..extent).contains(&at), || {
            format!(
                "expected position attribute #{} to be a non-negative integer smaller than the corresponding \
                 {dest}vector dimension or poison (-1): it is {at}, and the extent is {extent}",
                d + 1
            )
        })?;
    }
    ensure(ir, op, is_part(ir, part, rest, elem), || {
        format!("reaches a part of shape {rest:?}, which is not {}", quoted(ir, part))
    })
}

/// `vector.extract_strided_slice` and `vector.insert_strided_slice`.
fn strided(ir: &Ir, op: OpId) -> Check {
    let insert = ir.opcode(op) == Opcode::VectorInsertStridedSlice;
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

fn elements(ir: &Ir, op: OpId) -> Check {
    let makes = ir.opcode(op) == Opcode::VectorFromElements;
    let (vector, n) =
        if makes { (ir.result(op, 0), ir.operands(op).len()) } else { (ir.operand(op, 0), ir.results(op).len()) };
    let (shape, _) = value(ir, vector);
    ensure(ir, op, count(shape) == i64::try_from(n).ok(), || match count(shape) {
        Some(types) if makes => {
            format!("number of operands and types do not match: got {n} operands and {types} types")
        }
        _ => format!("has {n} elements for shape {shape:?}"),
    })
}

fn mask(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let (shape, elem) = parts(ir, ty);
    if ir.opcode(op) == Opcode::VectorStep {
        let fits = shape.len() == 1 && matches!(ir[elem], Type::Index | Type::Integer { .. });
        return ensure(ir, op, fits, || format!("counts in one dimension of integers, not {}", quoted(ir, ty)));
    }
    let is_i1 = matches!(ir[elem], Type::Integer { width: 1, sign: Sign::Signless });
    ensure(ir, op, is_i1, || {
        format!("result #0 must be vector of 1-bit signless integer values, but got {}", quoted(ir, ty))
    })?;
    if ir.opcode(op) == Opcode::VectorCreateMask {
        let n = ir.operands(op).len();
        // A mask without dimensions still takes its one flag.
        return ensure(ir, op, n == shape.len().max(1), || {
            if shape.is_empty() {
                "must specify exactly one operand for 0-D create_mask".to_owned()
            } else {
                "must specify an operand for each result vector dimension".to_owned()
            }
        });
    }
    let bounds = list(ir, op, "mask_dim_sizes")?;
    ensure(ir, op, bounds.len() == shape.len().max(1), || {
        if shape.is_empty() {
            "array attr must have length 1 for 0-D vectors".to_owned()
        } else {
            "must specify array attr of size equal vector result rank".to_owned()
        }
    })?;
    ensure(ir, op, !shape.is_empty() || matches!(bounds[..], [0 | 1]), || {
        "mask dim size must be either 0 or 1 for 0-D vectors".to_owned()
    })?;
    for (&bound, (extent, scalable)) in bounds.iter().zip(dims(ir, ty)) {
        ensure(ir, op, (0..=extent).contains(&bound), || {
            "array attr of size out of bounds of vector result dimension size".to_owned()
        })?;
        ensure(ir, op, !scalable || bound == 0 || bound == extent, || {
            "only supports 'none set' or 'all set' scalable dimensions".to_owned()
        })?;
    }
    ensure(ir, op, !bounds.contains(&0) || bounds.iter().all(|&bound| bound == 0), || {
        "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim".to_owned()
    })
}

/// `vector.shuffle`: numbers of slices along the first dimension of both vectors, one behind the other; -1 is any.
fn shuffle(ir: &Ir, op: OpId) -> Check {
    let [lhs, rhs, result] = [ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0)].map(|of| value(ir, of));
    for (elem, name) in [(lhs.1, "first operand v1"), (rhs.1, "second operand v2")] {
        ensure(ir, op, elem == result.1, || format!("failed to verify that {name} and result have same element type"))?;
    }
    let [lhs, rhs, result] = [lhs.0, rhs.0, result.0];
    let fits =
        if result.len() == 1 && lhs.is_empty() { rhs.is_empty() } else { [lhs.len(), rhs.len()] == [result.len(); 2] };
    ensure(ir, op, fits && !result.is_empty(), || "rank mismatch".to_owned())?;
    let inner = |shape: &[i64]| shape.get(1..).unwrap_or_default().to_vec();
    ensure(ir, op, inner(lhs) == inner(result) && inner(rhs) == inner(result), || "dimension mismatch".to_owned())?;
    let mask = ir.attr_id(op, "mask").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    ensure(ir, op, !mask.is_empty(), || "invalid mask length: it needs at least one entry".to_owned())?;
    ensure(ir, op, i64::try_from(mask.len()) == Ok(result[0]), || "mask length mismatch".to_owned())?;
    let first = |shape: &[i64]| shape.first().copied().unwrap_or(1);
    let slices = first(lhs).saturating_add(first(rhs));
    match mask.iter().position(|at| !(-1..slices).contains(at)) {
        Some(i) => Err(wrong(ir, op, format!("mask index #{} out of range: there are {slices} slices", i + 1))),
        None => Ok(()),
    }
}
