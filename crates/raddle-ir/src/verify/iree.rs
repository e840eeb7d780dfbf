//! The rules of IREE's own operations: gathers and scatters through indices, inner tiles, asynchronous copies,
//! comparisons. The wording is IREE's, as its tests expect it.

use super::wording::{ensure, quoted, wrong};
use super::{Check, types_of};
use crate::affine::{Expr, Map};
use crate::attrs::{Attr, Body};
use crate::diag::Diag;
use crate::form::Shape;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{group_range, print_type};
use crate::types::{DYNAMIC, Type};
use crate::views::destinations;

/// The operands of each group, also where no attribute counts them.
pub(super) fn groups(ir: &Ir, op: OpId) -> Vec<&[ValueId]> {
    let shape = Shape::of(ir.opcode(op));
    (0..shape.operands.len()).map(|i| &ir.operands(op)[group_range(ir, op, shape, i)]).collect()
}

pub(super) fn maps(ir: &Ir, op: OpId) -> Result<Vec<Map>, Box<Diag>> {
    ir.maps(op, "indexing_maps").ok_or_else(|| wrong(ir, op, "requires attribute 'indexing_maps'"))
}

/// Whether shapes have one rank, and no extents that differ for certain.
pub(super) fn alike(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
}

/// What results are computed into is a memref, or a tensor that comes back as the next result,
/// in its own type.
pub(super) fn destination(ir: &Ir, op: OpId) -> Check {
    let written = destinations(ir, op);
    let ty = |at: usize| ir.type_of(ir.operand(op, at));
    let is_tensor = |ty: TypeId| matches!(ir[ty], Type::Tensor { .. });
    if let Some(odd) = written.iter().find(|&&at| !is_tensor(ty(at)) && !matches!(ir[ty(at)], Type::MemRef { .. })) {
        return Err(wrong(ir, op, format!("expected that operand #{odd} is a ranked tensor or a ranked memref")));
    }
    let tensors: Vec<usize> = written.iter().copied().filter(|&at| is_tensor(ty(at))).collect();
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).filter(|&ty| is_tensor(ty)).collect();
    ensure(ir, op, results.len() == tensors.len(), || {
        format!(
            "expected the number of tensor results ({}) to be equal to the number of output tensors ({})",
            results.len(),
            tensors.len()
        )
    })?;
    for (&at, &expected) in tensors.iter().zip(&results) {
        ensure(ir, op, ty(at) == expected, || {
            let (found, expected) = (quoted(ir, ty(at)), quoted(ir, expected));
            format!("expected type of operand #{at} ({found}) to match type of corresponding result ({expected})")
        })?;
    }
    Ok(())
}

/// The extents that a map of plain dimensions picks.
fn picked(map: &Map, shape: &[i64]) -> Option<Vec<i64>> {
    let extent = |expr: &Expr| match expr {
        Expr::Dim(d) => shape.get(*d as usize).copied(),
        _ => None,
    };
    map.results.iter().map(extent).collect()
}

fn extents(shape: &[i64]) -> String {
    shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// `iree_vector_ext.to_simd` and `to_simt`.
pub(super) fn same_elements(ir: &Ir, op: OpId) -> Check {
    let (from, to) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    ensure(ir, op, ir[from].elem() == ir[to].elem(), || {
        "requires the same element type for all operands and results".to_owned()
    })
}

/// `iree_vector_ext.transfer_gather` and `transfer_scatter`.
pub(super) fn indexed(ir: &Ir, op: OpId) -> Check {
    let groups = groups(ir, op);
    let gathers = ir.opcode(op) == Opcode::IreeVectorExtTransferGather;
    let (indices, mask) = if gathers { (groups[2], groups[4]) } else { (groups[3], groups[4]) };
    let vector = if gathers { ir.type_of(ir.result(op, 0)) } else { ir.type_of(groups[1][0]) };
    let shape = ir[vector].shape().unwrap_or(&[]);
    let maps = maps(ir, op)?;
    let expected = 1 + indices.len() + mask.len();
    ensure(ir, op, maps.len() == expected, || format!("expected {expected} indexing maps, got: {}", maps.len()))?;
    for map in &maps {
        ensure(ir, op, map.dims as usize == shape.len(), || {
            format!(
                "expected all indexing maps to have number of dims equal to vector rank. expected: {}, got: {} dims",
                shape.len(),
                map.dims
            )
        })?;
        ensure(ir, op, map.syms as usize == indices.len(), || {
            format!(
                "expected all indexing maps to have number of symbols equal to number of index vecs. expected: {}, got: {} syms",
                indices.len(),
                map.syms
            )
        })?;
        for expr in &map.results {
            match expr {
                Expr::Dim(_) | Expr::Sym(_) | Expr::Const(0) => {}
                Expr::Const(c) => {
                    return Err(wrong(ir, op, format!("expected constant 0 in indexing map, got: {c}")));
                }
                _ => {
                    return Err(wrong(ir, op, "expected indexing map results to only be a dim, symbol, or 0"));
                }
            }
        }
    }
    for (i, (&index, map)) in indices.iter().zip(&maps[1..]).enumerate() {
        let Some(expected) = picked(map, shape) else {
            return Err(wrong(ir, op, "expected index vec indexing maps to only have dim exprs"));
        };
        if *ir.ty(index) == Type::Index {
            ensure(ir, op, expected.is_empty(), || {
                format!("expected empty indexing map for scalar index vec at position {i}")
            })?;
            continue;
        }
        let found = ir.shape_of(index);
        ensure(ir, op, expected == found, || {
            format!(
                "mismatched vector shape for index vec at position {i}. Expected: [{}], got: [{}]",
                extents(&expected),
                extents(found)
            )
        })?;
    }
    if let (Some(&mask), Some(map)) = (mask.first(), maps.last()) {
        let Some(expected) = picked(map, shape) else {
            return Err(wrong(ir, op, "expected mask indexing map to only have dim exprs"));
        };
        let found = ir.shape_of(mask);
        ensure(ir, op, expected == found, || {
            format!("mismatched mask shape. Expected: [{}], got: [{}]", extents(&expected), extents(found))
        })?;
    }
    if gathers {
        return Ok(());
    }
    let base = ir.type_of(groups[0][0]);
    let result = ir.results(op).next().map(|value| ir.type_of(value));
    new_tensor(ir, op, base, result, "result type must match base type")
}

/// A tensor that is written gives a new one of its type; a memref gives nothing.
fn new_tensor(ir: &Ir, op: OpId, dest: TypeId, result: Option<TypeId>, mismatch: &str) -> Check {
    match (matches!(ir[dest], Type::Tensor { .. }), result) {
        (true, None) => Err(wrong(ir, op, "expected result for tensor operand")),
        (true, Some(result)) => ensure(ir, op, result == dest, || mismatch.to_owned()),
        (false, Some(_)) => Err(wrong(ir, op, "unexpected result for memref operand")),
        (false, None) => Ok(()),
    }
}

/// `iree_vector_ext.arg_compare`
pub(super) fn arg_compare(ir: &Ir, op: OpId) -> Check {
    let groups = groups(ir, op);
    let ty = |value: ValueId| ir.type_of(value);
    let (input, init, index) = (ty(groups[0][0]), ty(groups[2][0]), ty(groups[3][0]));
    for (found, expected, names) in [(0, init, "{init_value, result_value}"), (1, index, "{init_index, result_index}")]
    {
        ensure(ir, op, ty(ir.result(op, found)) == expected, || {
            format!("failed to verify that all of {names} have same type")
        })?;
    }
    let shape = |ty: TypeId| ir[ty].shape().unwrap_or(&[]);
    let elem = |of: TypeId| ir[of].elem().unwrap_or(of);
    ensure(ir, op, elem(input) == elem(init), || {
        "failed to verify that all of {input_value, init_value} have same element type".to_owned()
    })?;
    let rank = shape(input).len();
    let dimension = ir.attr(op, "dimension").and_then(Attr::as_i64).unwrap_or(-1);
    let Some(dimension) = usize::try_from(dimension).ok().filter(|&d| d < rank) else {
        return Err(wrong(ir, op, format!("dimension {dimension} is out of range [0, {rank})")));
    };
    for (name, found) in [("value", shape(init).len()), ("index", shape(index).len())] {
        ensure(ir, op, found + 1 == rank, || {
            format!("init {name} rank ({found}) must be input rank - 1 ({})", rank - 1)
        })?;
    }
    let mut kept = shape(input).to_vec();
    kept.remove(dimension);
    for (name, found) in [("value", shape(init)), ("index", shape(index))] {
        ensure(ir, op, kept == found, || {
            format!(
                "init {name} shape must match input shape with reduction dimension removed. Expected: {kept:?}, but got: {found:?}"
            )
        })?;
    }
    let counts = |of: TypeId| matches!(ir[elem(of)], Type::Integer { .. } | Type::Index);
    ensure(ir, op, counts(index), || {
        format!("init index must have integer or index element type, but got {}", quoted(ir, elem(index)))
    })?;
    if let Some(&given) = groups[1].first() {
        let given = ty(given);
        ensure(ir, op, shape(given) == shape(input), || {
            format!(
                "explicit-index mode: value and index inputs must have the same shape. Value shape: {:?}, index shape: {:?}",
                shape(input),
                shape(given)
            )
        })?;
        ensure(ir, op, counts(given), || {
            format!(
                "explicit-index mode: index input must have integer or index element type, but got {}",
                quoted(ir, elem(given))
            )
        })?;
        ensure(ir, op, elem(given) == elem(index), || {
            format!(
                "explicit-index mode: input and init index element types must match. Input index type: {}, init index type: {}",
                quoted(ir, elem(given)),
                quoted(ir, elem(index))
            )
        })?;
        ensure(ir, op, groups[4].is_empty(), || "index_base must not be used with explicit indices".to_owned())?;
    }
    let args = types_of(ir, ir.args(ir.entry(op)));
    ensure(ir, op, args.len() == 2, || "comparator region must have exactly 2 arguments".to_owned())?;
    let of = elem(input);
    ensure(ir, op, args.iter().all(|&arg| arg == of), || {
        format!(
            "comparator arguments must match input value element type. Expected: {}, but got: {} and {}",
            quoted(ir, of),
            quoted(ir, args[0]),
            quoted(ir, args[1])
        )
    })?;
    for inner in ir.block_ops(ir.entry(op)) {
        let pure = ir.opcode(inner).info().is_pure() || ir.opcode(inner) == Opcode::IreeVectorExtYield;
        ensure(ir, inner, pure, || "comparator region must contain only pure operations".to_owned())?;
    }
    Ok(())
}

/// `iree_vector_ext.yield`
pub(super) fn comparison(ir: &Ir, op: OpId) -> Check {
    let operands = ir.operands(op);
    ensure(ir, op, operands.len() == 1, || format!("expected 1 yield operand, but got {}", operands.len()))?;
    let ty = ir.type_of(operands[0]);
    ensure(ir, op, matches!(ir[ty], Type::Integer { width: 1, .. }), || {
        format!("expected yield operand to have type i1, but got {}", quoted(ir, ty))
    })
}

/// `iree_gpu.async_dma`
pub(super) fn async_dma(ir: &Ir, op: OpId) -> Check {
    let groups = groups(ir, op);
    let (source, dest) = (groups[0][0], groups[2][0]);
    let (from, to) = (ir.shape_of(source).len(), ir.shape_of(dest).len());
    ensure(ir, op, groups[1].len() == from, || {
        format!("expected {from} source indices (source rank), got {}", groups[1].len())
    })?;
    ensure(ir, op, groups[3].len() == to, || {
        format!("expected {to} dest indices (dest rank), got {}", groups[3].len())
    })?;
    for (i, &index) in groups[1].iter().enumerate() {
        let fits = *ir.ty(index) == Type::Index || ir.ty(index).is_vector() && ir.shape_of(index).len() == 1;
        ensure(ir, op, fits, || {
            format!("source index #{i} must be index or vector<Nxindex>, got {}", quoted(ir, ir.type_of(index)))
        })?;
    }
    let result = ir.results(op).next().map(|value| ir.type_of(value));
    new_tensor(ir, op, ir.type_of(dest), result, "result type must match dest type")?;
    let elem = ir.elem_of(source);
    ensure(ir, op, elem == ir.elem_of(dest), || "expected source and dest to have the same element type".to_owned())?;
    let transfer = match ir.attr(op, "transfer_type") {
        Some(Attr::Type(ty)) if ir[*ty].is_vector() => *ty,
        _ => return Err(wrong(ir, op, "transfer_type must be a VectorType")),
    };
    let found = ir[transfer].elem().unwrap_or(transfer);
    ensure(ir, op, found == elem, || {
        format!(
            "transfer_type element type ({}) must match source/dest element type ({})",
            quoted(ir, found),
            quoted(ir, elem)
        )
    })?;
    let shape = ir[transfer].shape().unwrap_or(&[]);
    ensure(ir, op, shape.len() == to, || format!("transfer_type rank ({}) must match dest rank ({to})", shape.len()))?;
    if let Some(Attr::Array(flags)) = ir.attr(op, "in_bounds") {
        ensure(ir, op, flags.len() == to, || {
            format!("in_bounds array size ({}) must match dest rank ({to})", flags.len())
        })?;
    }
    let dims: Vec<usize> = match ir.map(op, "permutation_map") {
        Some(map) => {
            ensure(ir, op, map.dims as usize == from, || {
                format!("permutation_map num dims ({}) must match source rank ({from})", map.dims)
            })?;
            ensure(ir, op, map.results.len() == to, || {
                format!("permutation_map num results ({}) must match dest rank ({to})", map.results.len())
            })?;
            let dims = projected(map);
            dims.ok_or_else(|| wrong(ir, op, "permutation_map must be a projected permutation"))?
        }
        None => {
            ensure(ir, op, from == to, || {
                format!("permutation_map is required when source rank ({from}) differs from dest rank ({to})")
            })?;
            (0..to).collect()
        }
    };
    for (i, &index) in groups[1].iter().enumerate() {
        if !ir.ty(index).is_vector() {
            continue;
        }
        let Some(at) = dims.iter().position(|&dim| dim == i) else {
            let message = format!("source dimension {i} has a gather index but is not mapped by permutation_map");
            return Err(wrong(ir, op, message));
        };
        let found = ir.shape_of(index)[0];
        ensure(ir, op, found == shape[at], || {
            format!(
                "gather index size ({found}) for source dimension {i} must match transfer_type size ({}) in dest dimension {at}",
                shape[at]
            )
        })?;
    }
    Ok(())
}

/// The dimensions that a map picks, each at most once.
pub(super) fn projected(map: &Map) -> Option<Vec<usize>> {
    let dims = map.as_dims()?;
    let fresh = dims.iter().enumerate().all(|(i, dim)| !dims[..i].contains(dim));
    (map.syms == 0 && fresh).then_some(dims)
}

/// `iree_codegen.inner_tiled`
pub(super) fn inner_tiled(ir: &Ir, op: OpId) -> Check {
    let groups = groups(ir, op);
    let kind = ir.attr_id(op, "kind").and_then(|kind| kind_name(ir, kind));
    let semantics = ir.attr_id(op, "semantics").and_then(|semantics| kind_name(ir, semantics));
    if let (Some((kind, _)), Some((semantics, _))) =
        (kind.and_then(|kind| kind.split_once('.')), semantics.and_then(|semantics| semantics.split_once('.')))
    {
        ensure(ir, op, kind == semantics, || {
            format!(
                "kind attribute (dialect '{kind}') and semantics attribute (dialect '{semantics}') must use the same dialect namespace"
            )
        })?;
    }
    // A string names an instruction that only the catalogue knows.
    let is_named = matches!(ir.attr(op, "kind"), Some(Attr::Str(_)));
    let expected_inputs = match kind {
        _ if is_named => groups[0].len(),
        Some(kind) if kind.contains("scaled") => 4,
        _ => 2,
    };
    for (what, found, expected) in [("inputs", groups[0].len(), expected_inputs), ("outputs", groups[1].len(), 1)] {
        ensure(ir, op, found == expected, || {
            format!("number of {what} ({found}) doesn't match expected number from kind ({expected})")
        })?;
    }
    let operands = ir.operands(op);
    let maps = maps(ir, op)?;
    ensure(ir, op, maps.len() == operands.len(), || "expected an indexing map for each operand".to_owned())?;
    let iterators = match ir.attr(op, "iterator_types") {
        Some(Attr::Array(items)) => items.len(),
        _ => return Err(wrong(ir, op, "requires attribute 'iterator_types'")),
    };
    let mut bounds: Vec<Option<i64>> = vec![None; iterators];
    for (i, (map, &operand)) in maps.iter().zip(operands).enumerate() {
        let rank = ir.shape_of(operand).len();
        ensure(ir, op, map.syms == 0, || format!("expected indexing map {i} to have no symbols"))?;
        ensure(ir, op, map.dims as usize == iterators, || {
            format!("expected indexing map {i} to have {iterators} input dims")
        })?;
        ensure(ir, op, map.results.len() < rank.max(1), || {
            format!("expected indexing map {i} to have fewer than {rank} results")
        })?;
        ensure(ir, op, projected(map).is_some(), || {
            format!("expected indexing map {i} to be a projected permutation")
        })?;
    }
    for (map, &operand) in maps.iter().zip(operands) {
        for (&dim, &extent) in projected(map).unwrap_or_default().iter().zip(ir.shape_of(operand)) {
            let known = *bounds[dim].get_or_insert(extent);
            ensure(ir, op, known == extent, || "shape does not match iteration bounds".to_owned())?;
        }
    }
    let permutations = match ir.attr(op, "permutations") {
        Some(Attr::Array(lists)) => {
            Some(lists.iter().map(|&list| ir.ints(list).unwrap_or_default()).collect::<Vec<_>>())
        }
        _ => None,
    };
    if let Some(lists) = &permutations {
        ensure(ir, op, lists.len() == operands.len(), || {
            format!(
                "mismatch between the number of permutations ({}) and the number of operands ({})",
                lists.len(),
                operands.len()
            )
        })?;
        for (i, (list, &operand)) in lists.iter().zip(operands).enumerate() {
            let inner = ir.shape_of(operand).len() - maps[i].results.len();
            ensure(ir, op, list.len() == inner, || {
                format!(
                    "permutation #{i} length {} does not match the inner rank {inner} of the corresponding operand of type {}",
                    list.len(),
                    print_type(ir, ir.type_of(operand))
                )
            })?;
            let mut sorted = list.clone();
            sorted.sort_unstable();
            ensure(ir, op, sorted.iter().copied().eq(0..inner as i64), || {
                format!("permutation #{i} is not a permutation vector")
            })?;
        }
    }
    tiles(ir, op, &maps, permutations.as_deref())
}

fn kind_name(ir: &Ir, kind: AttrId) -> Option<&str> {
    match &ir[kind] {
        Attr::Dialect { name, .. } => Some(&ir[*name]),
        _ => None,
    }
}

/// The instruction that a kind names, and whether tiles lie in memory as its lanes take them. Nothing is said of tiles for
/// several instructions.
fn intrinsic(ir: &Ir, kind: AttrId) -> Option<(&str, bool)> {
    match (kind_name(ir, kind)?, &ir[kind]) {
        ("iree_gpu.mma_layout", _) => Some((ir.keyword(kind)?, false)),
        ("iree_gpu.data_tiled_mma_layout", Attr::Dialect { body: Body::Fields(fields), .. }) if fields.len() == 1 => {
            Some((ir.keyword(ir.field(kind, "intrinsic")?)?, true))
        }
        _ => None,
    }
}

/// The inner tiles of the operands against those of the intrinsic, where its name tells them: `MFMA_F32_16x16x16_F16`
/// multiplies 16 x 16 by 16 x 16 with 64 lanes.
fn tiles(ir: &Ir, op: OpId, maps: &[Map], permutations: Option<&[Vec<i64>]>) -> Check {
    let Some(kind) = ir.attr_id(op, "kind") else { return Ok(()) };
    if kind_name(ir, kind) == Some("iree_cpu.data_tiled_mma_layout") {
        return cpu_tiles(ir, op, maps, permutations, kind);
    }
    let Some((name, swizzled)) = intrinsic(ir, kind) else { return Ok(()) };
    let flag = |wanted: &str| match ir.attr(op, "semantics") {
        Some(Attr::Dialect { body: Body::Fields(fields), .. }) => {
            fields.iter().find(|field| ir[field.0] == *wanted).is_some_and(|field| ir[field.1] == Attr::Bool(true))
        }
        _ => false,
    };
    let (distributed, opaque) = (flag("distributed"), flag("opaque"));
    let parts: Vec<&str> = name.split('_').collect();
    let &["MFMA", acc, extents, input] = &parts[..] else { return Ok(()) };
    let Ok(extents) = extents.split('x').map(str::parse::<i64>).collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    let &[m, n, k] = &extents[..] else { return Ok(()) };
    let shapes = match (distributed, m) {
        (false, _) if !swizzled => [vec![m, k], vec![k, n], vec![m, n]],
        (true, 16) if !swizzled => [m * k, n * k, m * n].map(|count| vec![count / 64]),
        // Lanes go along the rows of A, or the columns of B and C, first; then along the other dimension.
        (_, 16) => {
            let lanes = if distributed { [1, 1] } else { [4, 16] };
            // One element for each lane has no dimension of its own.
            let elements = |count: i64| (count != 64).then_some(count / 64);
            [m * k, n * k, m * n].map(|count| lanes.into_iter().chain(elements(count)).collect())
        }
        // More than one group of rows for each lane: the shape has further dimensions.
        _ => return Ok(()),
    };
    let elems = [input, input, acc].map(|word| word.to_ascii_lowercase());
    for (i, (&operand, shape)) in ir.operands(op).iter().zip(shapes).enumerate() {
        let tile = &ir.shape_of(operand)[maps[i].results.len()..];
        let elem = print_type(ir, ir.elem_of(operand));
        if !matches!(&elems[i][..], "f16" | "bf16" | "f32" | "f64" | "i8" | "i32") {
            return Ok(());
        }
        let mut shape = shape;
        if let Some(lists) = permutations.filter(|_| !opaque)
            && lists[i].len() == shape.len()
        {
            shape = lists[i].iter().map(|&d| shape[d as usize]).collect();
        }
        let product = |shape: &[i64]| shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
        let wide = |shape: &[i64]| shape.iter().copied().filter(|&extent| extent != 1).collect::<Vec<_>>();
        let same = if opaque {
            !tile.contains(&DYNAMIC) && product(tile) == product(&shape)
        } else {
            wide(tile) == wide(&shape)
        };
        ensure(ir, op, same && elem == elems[i], || {
            let text = |shape: &[i64]| shape.iter().map(|&extent| extent_text(extent)).collect::<String>();
            misfit(i, &text(tile), &elem, &text(&shape), &elems[i])
        })?;
    }
    Ok(())
}

/// The inner tiles of an intrinsic for CPUs, whose name tells extents, accumulator and operands:
/// `MMA_X86_AVX512_1x16x2_I32_I16`, or `4VL` for an extent of four, scalable. A is M x K, B is N x K, C is M x N, over the
/// intrinsics along both dimensions first, then inside of one. Nothing is said of what the name does not tell.
fn cpu_tiles(ir: &Ir, op: OpId, maps: &[Map], permutations: Option<&[Vec<i64>]>, kind: AttrId) -> Check {
    let Some(name) = ir.field(kind, "intrinsic").and_then(|attr| ir.keyword(attr)) else { return Ok(()) };
    let mut words = name.split('_').skip_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let extents: Vec<&str> = words.next().unwrap_or_default().split('x').collect();
    let (Some(acc), Some(lhs)) = (words.next(), words.next()) else { return Ok(()) };
    let rhs = words.next().filter(|word| !word.starts_with("CAST")).unwrap_or(lhs);
    let &[m, n, k] = &extents[..] else { return Ok(()) };
    // One instruction for 16 x 16 keeps the accumulator in blocks.
    if m != "1" && n != "1" {
        return Ok(());
    }
    // How many instructions go along a dimension, what one takes of it, and whether that is scalable.
    let dim = |extent: &str, count: &str| {
        let scalable = extent.ends_with("VL");
        let extent: i64 = extent.trim_end_matches("VL").parse().ok()?;
        let count = ir.field(kind, count).and_then(|attr| ir[attr].as_i64()).unwrap_or(1);
        Some((count, extent, scalable))
    };
    let (Some(m), Some(n), Some(k)) = (dim(m, "intrinsics_m"), dim(n, "intrinsics_n"), dim(k, "intrinsics_k")) else {
        return Ok(());
    };
    let expected = [([m, k], lhs), ([n, k], rhs), ([m, n], acc)];
    for (i, (&operand, (dims, elem))) in ir.operands(op).iter().zip(expected).enumerate() {
        let counts = dims.iter().filter(|dim| dim.0 > 1).map(|dim| (dim.0, false));
        let mut shape: Vec<(i64, bool)> = counts.chain(dims.iter().map(|dim| (dim.1, dim.2))).collect();
        if let Some(list) = permutations.map(|lists| &lists[i]).filter(|list| list.len() == shape.len()) {
            shape = list.iter().map(|&d| shape[d as usize]).collect();
        }
        let elem = elem.trim_start_matches('U').to_ascii_lowercase();
        let tile = &ir.shape_of(operand)[maps[i].results.len()..];
        let found = print_type(ir, ir.elem_of(operand));
        let mut wide = tile.iter().filter(|&&extent| extent != 1);
        let fits = shape.iter().filter(|&&(extent, scalable)| extent != 1 || scalable).all(|&(extent, scalable)| {
            wide.next().is_some_and(|&found| found == if scalable { DYNAMIC } else { extent })
        });
        ensure(ir, op, fits && wide.next().is_none() && found == elem, || {
            let tile: String = tile.iter().map(|&extent| extent_text(extent)).collect();
            let vector: String = shape
                .iter()
                .map(|&(extent, scalable)| if scalable { format!("[{extent}]x") } else { format!("{extent}x") })
                .collect();
            misfit(i, &tile, &found, &vector, &elem)
        })?;
    }
    Ok(())
}

fn extent_text(extent: i64) -> String {
    if extent == DYNAMIC { "?x".to_owned() } else { format!("{extent}x") }
}

fn misfit(operand: usize, tile: &str, found: &str, vector: &str, elem: &str) -> String {
    format!(
        "operand #{operand} inner tile 'tensor<{tile}{found}>' is incompatible with expected MMA tile type 'vector<{vector}{elem}>'"
    )
}
