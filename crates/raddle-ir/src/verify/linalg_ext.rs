//! The rules of `iree_linalg_ext`: what is written comes back, and operands, maps and bodies fit one another.
//!
//! Each operation has one rule, in terms of the names in its row of the op table. The wording is IREE's, as its tests
//! expect it.

use super::Check;
use super::iree::{alike, destination, maps, projected};
use super::named::is_permutation;
use super::parts::Parts;
use super::rules::dynamic_count;
use super::wording::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{DYNAMIC, Scalar, Sign, Type};
use crate::views::Linalg;

/// The rule of an operation with destinations.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let rule: fn(&Parts<'_>) -> Check = match ir.opcode(op) {
        Opcode::IreeLinalgExtScatter => scatter,
        Opcode::IreeLinalgExtGather => gather,
        Opcode::IreeLinalgExtMapLoad => map_load,
        Opcode::IreeLinalgExtMapStore => map_store,
        Opcode::IreeLinalgExtSort => sort,
        Opcode::IreeLinalgExtFft => fft,
        Opcode::IreeLinalgExtScan => scan,
        Opcode::IreeLinalgExtTopk => top_k,
        Opcode::IreeLinalgExtTopkV2 => top_k_v2,
        Opcode::IreeLinalgExtArgCompare => arg_compare,
        Opcode::IreeLinalgExtAttention => attention,
        Opcode::IreeLinalgExtOnlineAttention => attention,
        Opcode::IreeLinalgExtExpReduction => exp_reduction,
        Opcode::IreeLinalgExtQuantizeAffine => quantize,
        Opcode::IreeLinalgExtDequantizeAffine => dequantize,
        Opcode::IreeLinalgExtIm2col => im2col,
        Opcode::IreeLinalgExtCustomOp => custom_op,
        Opcode::IreeLinalgExtWinogradInputTransform => winograd_input,
        Opcode::IreeLinalgExtWinogradFilterTransform => winograd_filter,
        Opcode::IreeLinalgExtWinogradOutputTransform => winograd_output,
        _ => return Ok(()),
    };
    let at = Parts::of(ir, op);
    rule(&at)?;
    if ir.opcode(op) != Opcode::IreeLinalgExtMapStore {
        let any = |holds: fn(&Type) -> bool| ir.operands(op).iter().any(|&value| holds(ir.ty(value)));
        let mixes = any(|ty| matches!(ty, Type::Tensor { .. })) && any(|ty| matches!(ty, Type::MemRef { .. }));
        at.ensure(!mixes, "expected operation that implements LinalgExtInterface to have either pure buffer semantics or pure tensor semantics")?;
    }
    destination(ir, op)
}

/// A shape without one of its dimensions.
fn without(shape: &[i64], dim: usize) -> Vec<i64> {
    let mut shape = shape.to_vec();
    shape.remove(dim);
    shape
}

fn scatter(at: &Parts<'_>) -> Check {
    through_indices(at, "original", ["updates", "update"])?;
    let (ir, args) = (at.ir, at.args());
    let &[update, original] = &args[..] else { return Err(wrong(ir, at.op, "expected region to have two arguments")) };
    let scalar = |ty: TypeId| {
        let part = if let Type::Complex(elem) = ir[ty] { elem } else { ty };
        matches!(ir[part], Type::Integer { .. } | Type::Float(_))
    };
    at.ensure(scalar(update) && scalar(original), "expected region to have scalar argument of integer or float types")?;
    for (i, (arg, group, name)) in
        [(update, "updates", "update"), (original, "original", "original")].into_iter().enumerate()
    {
        at.ensure_with(arg == at.elem(group), || {
            let (arg, elem) = (quoted(ir, arg), quoted(ir, at.elem(group)));
            format!("mismatch in argument {i} of region {arg} and element type of {name} value {elem}")
        })?;
    }
    at.ensure_with(update == original, || {
        format!("mismatch in region argument types {} and {}", quoted(ir, update), quoted(ir, original))
    })?;
    let (last, yielded) = at.yielded();
    ensure(ir, last, yielded.len() == 1, || "expected region to yield a single value".to_owned())?;
    ensure(ir, last, yielded[0] == update, || {
        let (yielded, arg) = (quoted(ir, yielded[0]), quoted(ir, update));
        format!("mismatch in type of yielded value {yielded} and argument of the region {arg}")
    })
}

fn gather(at: &Parts<'_>) -> Check {
    through_indices(at, "source", ["output", "output"])
}

/// Slices of a tensor, and where they lie in it: the outer dimensions of the slices are a batch, with one position for
/// each; the inner ones are those of the whole that no index reaches.
fn through_indices(at: &Parts<'_>, whole: &str, [slices, name]: [&str; 2]) -> Check {
    let (indices, update, original) = (at.shape("indices"), at.shape(slices), at.shape(whole));
    at.ensure(
        !indices.is_empty() && at.counts(at.elem("indices")),
        "expected indices to be of rank 1 or greater and of integer or index element type",
    )?;
    let dims = at.ints("dimension_map");
    for (i, &dim) in dims.iter().enumerate() {
        let inside = usize::try_from(dim).is_ok_and(|dim| dim < dims.len());
        let why = if inside { "a duplicate" } else { "out of bounds" };
        if !inside || dims[..i].contains(&dim) {
            let diag = wrong(at.ir, at.op, "dimension map is invalid.");
            return Err(Box::new(diag.note(format!("element ({dim}) at index#{i} is {why}"))));
        }
    }
    let depth = dims.len();
    at.ensure(depth > 0, "dimension map must have at least one element")?;
    let batch = original.len().checked_sub(depth).and_then(|inner| update.len().checked_sub(inner));
    let Some(batch) = batch else {
        let message = format!("expected {name} to be at least the rank of non indexed {whole} dims");
        return Err(wrong(at.ir, at.op, message));
    };
    at.ensure(
        indices.len() == batch + 1 || indices.len() == batch && depth == 1,
        "expected indices to be equal to batch rank or batch rank + 1",
    )?;
    if let Some(dim) = (0..batch).find(|&d| indices[d] != update[d]) {
        return Err(wrong(at.ir, at.op, format!("mismatch in shape of indices and {name} value at dim#{dim}")));
    }
    if let Some(mask) = at.find("mask") {
        let elem = &at.ir[at.ir.elem_of(mask)];
        at.ensure(
            matches!(elem, Type::Integer { width: 1 | 8, .. }),
            "expected mask to have i1 or storage-legalized i8 element type",
        )?;
        let mask = at.ir.shape_of(mask);
        at.ensure(mask.len() == batch, "expected mask rank to match batch rank")?;
        if let Some(dim) = (0..batch).find(|&d| !alike(&mask[d..=d], &update[d..=d])) {
            return Err(wrong(at.ir, at.op, format!("mask shape must match batch dimensions at dim#{dim}")));
        }
    }
    for (i, j) in (batch..update.len()).zip(depth..) {
        at.ensure_with(alike(&update[i..=i], &original[j..=j]), || {
            format!("shape of {name} value dim#{i} must match {whole} value at dim#{j}")
        })?;
    }
    Ok(())
}

fn map_load(at: &Parts<'_>) -> Check {
    at.ensure(at.elem("input") == at.elem("output"), "expected source and output element types to match")?;
    let elem = at.elem("input");
    transformation(
        at,
        ["output", "input"],
        |ty| ty == elem,
        [
            "expected number of block arguments to be equal to the output rank",
            "expected transformation_region to yield a value for each source dimension and a padding value",
            "expected yielded padding value type to match source element type",
        ],
    )
}

fn map_store(at: &Parts<'_>) -> Check {
    at.ensure(at.elem("input") == at.elem("output"), "expected input and output element types to match")?;
    at.ensure(at.rank("input") > 0, "expected input type to have non-zero rank")?;
    transformation(
        at,
        ["input", "output"],
        |ty| at.is_bool(ty),
        [
            "expected number of block arguments to be equal to the input rank",
            "expected transformation_region to yield a value for each output dimension and a mask",
            "expected yielded mask to be i1 type",
        ],
    )
}

/// A body from a place in one operand to a place in another, and one further value.
fn transformation(
    at: &Parts<'_>,
    [from, to]: [&str; 2],
    fits: impl Fn(TypeId) -> bool,
    [arguments, yields, further]: [&str; 3],
) -> Check {
    let is_index = |&ty: &TypeId| at.ir[ty] == Type::Index;
    let args = at.args();
    at.ensure(args.len() == at.rank(from), arguments)?;
    at.ensure(args.iter().all(is_index), "expected block arguments to be index types")?;
    let (last, yielded) = at.yielded();
    let rank = at.rank(to);
    ensure(at.ir, last, yielded.len() == rank + 1, || yields.to_owned())?;
    ensure(at.ir, last, yielded[..rank].iter().all(is_index), || {
        "expected yielded indices to be index types".to_owned()
    })?;
    ensure(at.ir, last, fits(yielded[rank]), || further.to_owned())
}

fn sort(at: &Parts<'_>) -> Check {
    let (ir, outputs, args) = (at.ir, at.all("outputs"), at.args());
    at.ensure(at.all("inputs").is_empty(), "does not expect to take any inputs")?;
    at.ensure(!outputs.is_empty(), "expected at least one `outs` operand")?;
    let n = 2 * outputs.len();
    at.ensure_with(args.len() == n, || format!("region block should have {n} arguments"))?;
    let shape = ir.shape_of(outputs[0]);
    let rank = shape.len();
    let dimension = usize::try_from(at.int("dimension")).is_ok_and(|dim| dim < rank);
    at.ensure_with(dimension, || format!("dimension must be within (0, {rank}]"))?;
    for (i, (&output, pair)) in outputs.iter().zip(args.chunks_exact(2)).enumerate() {
        let found = ir.shape_of(output);
        at.ensure_with(found.len() == rank, || {
            format!("expected operand {i} to be rank {rank}, same as other operands")
        })?;
        at.ensure_with(found == shape, || format!("expected operand {i} to have same shape as other operands"))?;
        let elem = ir.elem_of(output);
        if let Some(k) = pair.iter().position(|&arg| arg != elem) {
            let (elem, arg) = (quoted(ir, elem), quoted(ir, pair[k]));
            let message = format!("region block argument #{} should be of type {elem} but got {arg}", 2 * i + k);
            return Err(wrong(ir, at.op, message));
        }
    }
    let (_, yielded) = at.yielded();
    at.ensure(yielded.len() == 1, "should yield exactly one operand")?;
    at.ensure(at.is_bool(yielded[0]), "should yield i1 type")
}

fn fft(at: &Parts<'_>) -> Check {
    let length = at.shape("real").last().copied().unwrap_or(DYNAMIC);
    let fits = length == DYNAMIC || length == 0 || length.count_ones() == 1;
    at.ensure(fits, "only powers of 2 are handled currently")?;
    let stage = at.ir.ty(at.one("stage"));
    at.ensure(length == DYNAMIC || stage.shape().is_none(), "expected to carry `stage` input")
}

fn scan(at: &Parts<'_>) -> Check {
    let (input, output, accumulator) = (at.shape("input"), at.shape("output"), at.shape("accumulator"));
    at.ensure(at.elem("accumulator") == at.elem("input"), "expected input/accumulator element types to be identical")?;
    at.ensure(accumulator.len() + 1 == input.len(), "expected accumulator rank to be equal to input rank - 1")?;
    let kept = at.dimension("input").map(|dim| without(input, dim));
    at.ensure(kept.is_some_and(|kept| alike(&kept, accumulator)), "incompatible input/accumulator shapes")?;
    at.ensure(at.elem("input") == at.elem("output"), "expected input/output element types to be identical")?;
    at.ensure(input.len() == output.len(), "expected input/output to have identical ranks")?;
    at.ensure(alike(input, output), "incompatible input/output shapes")
}

fn top_k(at: &Parts<'_>) -> Check {
    let Some(dim) = at.dimension("values") else { return Err(wrong(at.ir, at.op, "dimension exceeds rank")) };
    at.ensure(at.elem("values") == at.elem("output_values"), "expected input/output value types to be identical")?;
    let indices = at.find("indices").map(|indices| (at.ir.elem_of(indices), at.ir.shape_of(indices)));
    let is_i32 = |ty: TypeId| matches!(at.ir[ty], Type::Integer { width: 32, .. });
    let fits = indices.is_none_or(|(elem, _)| is_i32(elem) && is_i32(at.elem("output_indices")));
    at.ensure(fits, "expected input/output indices types to be int32")?;
    let same = at.rank("values") == at.rank("output_values")
        && indices.is_none_or(|(_, shape)| shape.len() == at.rank("output_indices"));
    at.ensure(same, "expected input/output to have the same rank")?;
    let same = indices.is_none_or(|(_, shape)| alike(shape, at.shape("values")));
    at.ensure(same, "input indices/values shape must match")?;
    at.ensure(alike(at.shape("output_indices"), at.shape("output_values")), "output indices/values shape must match")?;
    let same = alike(&without(at.shape("values"), dim), &without(at.shape("output_values"), dim));
    at.ensure(same, "incompatible input/output shapes")?;
    comparator(at, "values", "region block types must match input", "region block must end with a linalg_ext.yield i1!")
}

fn top_k_v2(at: &Parts<'_>) -> Check {
    let Some(dim) = at.dimension("values") else { return Err(wrong(at.ir, at.op, "dimension exceeds rank")) };
    let (values, found) = (at.shape("values"), at.shape("output_values"));
    at.ensure(at.elem("values") == at.elem("output_values"), "expected input/output value types to be identical")?;
    at.ensure(values.len() == found.len(), "expected input/output to have the same rank")?;
    let [given, taken] = ["input_indices", "output_indices"]
        .map(|name| at.find(name).map(|indices| (at.ir.elem_of(indices), at.ir.shape_of(indices))));
    if let Some((elem, shape)) = given {
        at.ensure(taken.is_some(), "input indices require output indices to carry provenance")?;
        at.ensure(at.is_int(elem), "expected input indices to be integer type")?;
        at.ensure(alike(values, shape), "input values/indices shape must match")?;
        let same = taken.is_some_and(|taken| taken.0 == elem);
        at.ensure(same, "expected input/output indices element types to be identical")?;
    }
    if let Some((elem, shape)) = taken {
        at.ensure(at.is_int(elem), "expected output indices to be integer type")?;
        at.ensure(alike(found, shape), "output values/indices shape must match")?;
    }
    let odd = (0..values.len()).find(|&d| d != dim && !alike(&values[d..=d], &found[d..=d]));
    at.ensure_with(odd.is_none(), || {
        format!("incompatible input/output shapes at dimension {}", odd.unwrap_or_default())
    })?;
    let (n, k) = (values[dim], found[dim]);
    if n != DYNAMIC && k != DYNAMIC {
        at.ensure(k != 0, "output dimension must be positive")?;
        at.ensure_with(k <= n, || format!("output dimension must not exceed input, got {k} > {n}"))?;
    }
    comparator(
        at,
        "values",
        "region block types must match input value type",
        "region block must end with a linalg_ext.yield i1",
    )
}

/// A body that takes two elements and says which goes first.
fn comparator(at: &Parts<'_>, values: &str, arguments: &str, yields: &str) -> Check {
    let args = at.args();
    at.ensure(args.len() == 2, "region block should have 2 arguments")?;
    at.ensure(args.iter().all(|&arg| arg == at.elem(values)), arguments)?;
    let (_, yielded) = at.yielded();
    at.ensure(yielded.len() == 1 && at.is_bool(yielded[0]), yields)
}

fn arg_compare(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (input, index, output) = (at.shape("input_value"), at.elem("output_index"), at.shape("output_value"));
    if let Some(given) = at.find("input_index") {
        let (elem, shape) = (ir.elem_of(given), ir.shape_of(given));
        at.ensure_with(shape == input, || {
            format!(
                "explicit-index mode: value and index inputs must have the same shape. Value shape: {input:?}, index shape: {shape:?}"
            )
        })?;
        at.ensure_with(at.counts(elem), || {
            let elem = quoted(ir, elem);
            format!("explicit-index mode: index input must have integer or index element type, but got {elem}")
        })?;
        at.ensure_with(elem == index, || {
            format!(
                "explicit-index mode: input and output index element types must match. Input index type: {}, output index type: {}",
                quoted(ir, elem),
                quoted(ir, index)
            )
        })?;
        at.ensure(at.find("index_base").is_none(), "index_base must not be used with explicit indices")?;
    }
    let (elem, found) = (at.elem("input_value"), at.elem("output_value"));
    at.ensure_with(elem == found, || {
        format!(
            "input and output value element types must match. Input type: {}, output value type: {}",
            quoted(ir, elem),
            quoted(ir, found)
        )
    })?;
    at.ensure_with(at.counts(index), || {
        format!("output index must have integer or index element type, but got {}", quoted(ir, index))
    })?;
    let indices = at.shape("output_index");
    at.ensure_with(alike(output, indices), || {
        format!(
            "output indices/values shape must match. Output value shape: {output:?}, output index shape: {indices:?}"
        )
    })?;
    let Some(dim) = at.dimension("input_value") else {
        let (dim, rank) = (at.int("dimension"), input.len());
        let message = format!(
            "reduction dimension exceeds or equals input rank. got dimension: {dim}, but input rank is: {rank}"
        );
        return Err(wrong(ir, at.op, message));
    };
    let expected = without(input, dim);
    at.ensure_with(expected == output, || {
        format!(
            "output shape must match input shape with reduction dimension removed. Expected: {expected:?}, but got: {output:?}"
        )
    })?;
    let args = at.args();
    at.ensure_with(args.len() == 2, || format!("region block should have 2 arguments, but got {}", args.len()))?;
    at.ensure_with(args.iter().all(|&arg| arg == elem), || {
        format!(
            "comparator arguments must match input value element type. Expected: {}, but got: {} and {}",
            quoted(ir, elem),
            quoted(ir, args[0]),
            quoted(ir, args[1])
        )
    })?;
    let (_, yielded) = at.yielded();
    at.ensure_with(yielded.len() == 1, || {
        format!("expected linalg_ext.yield to return 1 operand, but got {}", yielded.len())
    })?;
    at.ensure_with(at.is_bool(yielded[0]), || {
        format!("region block must end with a linalg_ext.yield i1, but got: {}", quoted(ir, yielded[0]))
    })
}

/// `attention` and `online_attention`: each operand has a map, and the maps agree on the extents of the loops.
fn attention(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let maps = maps(ir, at.op)?;
    at.ensure(maps.len() == ir.operands(at.op).len(), "expected an indexing map for each operand")?;
    let scale = at.ir.ty(at.one("scale"));
    at.ensure(matches!(scale, Type::Float(_)), "expected scale to be of floating point type")?;
    // Operands are called by the names of their groups: `query`, `key`, …
    let groups = at.row.operands.iter();
    let named: Vec<(&str, ValueId)> =
        groups.flat_map(|group| at.all(group.name).iter().map(|&value| (group.name, value))).collect();
    let called = |name: &str| match name {
        "masks" => "Mask".to_owned(),
        name => format!("{}{}", name[..1].to_ascii_uppercase(), &name[1..]),
    };
    let inputs = |map: &crate::affine::Map| u64::from(map.dims) + u64::from(map.syms);
    let domain = inputs(&maps[0]);
    for ((name, _), map) in named.iter().zip(&maps) {
        at.ensure_with(inputs(map) == domain, || {
            let (name, found) = (called(name), inputs(map));
            format!("Mismatched map domain for {name}. Expected: {domain} Got: {found}")
        })?;
        at.ensure(projected(map).is_some(), "all indexing maps must be projected permutations")?;
    }
    let mut extents = vec![DYNAMIC; maps[0].dims as usize];
    for (&(name, operand), map) in named.iter().zip(&maps).filter(|((name, _), _)| *name != "scale") {
        let (shape, dims) = (ir.shape_of(operand), projected(map).unwrap_or_default());
        at.ensure_with(dims.len() == shape.len(), || {
            let (name, expected, got) = (called(name), dims.len(), shape.len());
            format!("Rank Mismatch for {name}. Expected: {expected} Got: {got}")
        })?;
        for (i, (&dim, &found)) in dims.iter().zip(shape).enumerate() {
            let known = &mut extents[dim];
            if *known == DYNAMIC {
                *known = found;
            }
            let expected = *known;
            at.ensure_with(found == DYNAMIC || found == expected, || {
                let name = called(name);
                format!("Shape Mismatch for {name} at position {i}. Expected: {expected} Got: {found}")
            })?;
        }
    }
    let (args, masks) = (at.args(), at.all("masks"));
    let score = args.first().is_some_and(|&arg| matches!(ir[arg], Type::Float(_)));
    at.ensure(score, "block argument 0 should be float")?;
    // Behind at most one mask are the tensors of which the region takes elements.
    let n_masks = masks.len().checked_sub(args.len() - 1).filter(|&n_masks| n_masks <= 1);
    at.ensure(
        n_masks.is_some(),
        "expects single block argument for score, and one for each operand behind scale and mask",
    )?;
    let elements = masks[n_masks.unwrap_or(0)..].iter().map(|&value| ir.elem_of(value));
    at.ensure(
        elements.eq(args[1..].iter().copied()),
        "block arguments behind the score should have the types of the elements that they are",
    )?;
    at.ensure(at.yielded().1.len() == 1, "expected only one return")
}

fn exp_reduction(at: &Parts<'_>) -> Check {
    let n = at.all("outputs").len();
    for reduced in at.ints("exp_reduced_operands") {
        at.ensure(
            reduced != 0,
            "operand index in exp_reduced_operands cannot be the 0th operand, it always contains the maximum value",
        )?;
        at.ensure_with(usize::try_from(reduced).is_ok_and(|reduced| reduced < n), || {
            format!("operand index in exp_reduced_operands must index the outs operands (outs has {n} operands)")
        })?;
    }
    let permuted = maps(at.ir, at.op)?.iter().all(|map| projected(map).is_some());
    at.ensure(permuted, "all indexing maps must be projected permutations")?;
    let indexed = at.ir.block_ops(at.ir.entry(at.op)).any(|inner| at.ir.opcode(inner) == Opcode::LinalgIndex);
    at.ensure(!indexed, "linalg.index is not supported in body")
}

fn quantize(at: &Parts<'_>) -> Check {
    quantization(at, ["input", "output"], "storage_unsigned")
}

fn dequantize(at: &Parts<'_>) -> Check {
    quantization(at, ["output", "input"], "input_unsigned")
}

/// The number and the integer of one element, and whether the integer has no sign.
fn quantization(at: &Parts<'_>, [number, integer]: [&str; 2], unsigned: &str) -> Check {
    let ir = at.ir;
    let is_float = |ty: TypeId| matches!(ir[ty], Type::Float(_));
    let is_integer = |ty: TypeId| matches!(ir[ty], Type::Integer { sign: Sign::Signless, .. });
    let of = |name: &str| {
        let ty = ir.type_of(at.one(name));
        ir[ty].elem().unwrap_or(ty)
    };
    for name in [number, "scale"] {
        at.ensure_with(is_float(of(name)), || {
            format!("expected {name} to have a floating point element type, got {}", quoted(ir, of(name)))
        })?;
    }
    let zero = at.find("zero_point").map(|_| "zero_point");
    for name in [integer].into_iter().chain(zero) {
        at.ensure_with(is_integer(of(name)), || {
            format!("expected {name} to have a signless integer element type, got {}", quoted(ir, of(name)))
        })?;
    }
    at.ensure(
        zero.is_some() || ir.attr(at.op, "zp_unsigned").is_none(),
        "zp_unsigned is only allowed when a zero_point operand is present",
    )?;
    let [least, most] = ["quant_min", "quant_max"].map(|name| i128::from(at.int(name)));
    at.ensure_with(least <= most, || format!("expected quant_min to not exceed quant_max, got [{least}, {most}]"))?;
    let bits = Scalar::of(&ir[of(integer)]).map_or(64, Scalar::bits).min(64);
    let (word, end) = match ir.attr(at.op, unsigned) {
        Some(_) => ("unsigned", [0, (1 << bits) - 1]),
        None => ("signed", [-(1 << (bits - 1)), (1 << (bits - 1)) - 1]),
    };
    at.ensure_with(end[0] <= least && most <= end[1], || {
        let ty = quoted(ir, of(integer));
        format!("quantization range [{least}, {most}] is not representable in {word} {ty}")
    })?;
    let names: Vec<&str> = ["input", "scale"].into_iter().chain(zero).chain(["output"]).collect();
    let maps = maps(ir, at.op)?;
    at.ensure_with(maps.len() == names.len(), || {
        format!("expected {} indexing maps, one per operand, got {}", names.len(), maps.len())
    })?;
    let rank = at.rank("input");
    let mut dims = Vec::new();
    for (i, map) in maps.iter().enumerate() {
        at.ensure_with(map.dims as usize == rank, || {
            let found = map.dims;
            format!("expected indexing map {i} to have {rank} dimensions to match the rank of the quantized value, got {found}")
        })?;
        let Some(of) = projected(map) else {
            let message = format!("expected indexing map {i} to be a projected permutation, got affine_map<{map}>");
            return Err(wrong(ir, at.op, message));
        };
        dims.push(of);
    }
    // The extents of the loops, by the value that is quantized.
    let mut extents = vec![DYNAMIC; rank];
    dims[0].iter().zip(at.shape("input")).for_each(|(&d, &extent)| extents[d] = extent);
    let of_output: Vec<i64> = dims[names.len() - 1].iter().map(|&d| extents[d]).collect();
    at.ensure_with(dims[0].len() == rank && alike(&of_output, at.shape("output")), || {
        let [input, output] = ["input", "output"].map(|name| quoted(ir, ir.type_of(at.one(name))));
        format!("expected input and output to have the same shape up to their indexing maps, got {input} and {output}")
    })?;
    for (name, dims) in names.iter().zip(&dims).skip(1).take(names.len() - 2) {
        let shape = Linalg::shape(ir, at.one(name));
        let is_scalar = ir[ir.type_of(at.one(name))].shape().is_none();
        at.ensure_with(!is_scalar || dims.is_empty(), || {
            format!("expected scalar {name} to have an indexing map with no results")
        })?;
        at.ensure_with(shape.len() == dims.len(), || {
            let (expected, found) = (dims.len(), shape.len());
            format!("expected {name} to have rank {expected} to match the number of results of its indexing map, got {found}")
        })?;
        for (i, (&d, &found)) in dims.iter().zip(shape).enumerate() {
            let expected = extents[d];
            at.ensure_with(found == expected || [found, expected].contains(&DYNAMIC), || {
                format!("expected {name} dimension {i} to have size {expected} to match dimension {d} of the quantized value, got {found}")
            })?;
        }
    }
    Ok(())
}

fn im2col(at: &Parts<'_>) -> Check {
    let (input, output) = (at.rank("input"), at.rank("output"));
    let [batch, m, k] = ["batch_pos", "m_pos", "k_pos"].map(|name| at.ints(name).len());
    at.ensure(input == batch + m + k, "expected input rank to be the sum of batch, m, and k ranks")?;
    let list = |name: &str| at.ints(&format!("static_{name}")).len();
    for name in ["kernel_size", "offsets", "input_pad_low", "input_pad_high", "output_pad_low", "output_pad_high"] {
        dynamic_count(at.ir, at.op, name, &at.ints(&format!("static_{name}")), at.all(name).len())?;
    }
    let offsets = list("offsets");
    at.ensure_with(offsets == output, || format!("expected offsets size ({offsets}) to match output rank ({output})"))?;
    let lists: Vec<Vec<i64>> = match at.ir.attr(at.op, "static_output_sizes") {
        Some(Attr::Array(lists)) => lists.iter().map(|&list| at.ir.ints(list).unwrap_or_default()).collect(),
        _ => Vec::new(),
    };
    dynamic_count(at.ir, at.op, "output_sizes", &lists.concat(), at.all("output_sizes").len())?;
    let sizes: Vec<usize> = lists.iter().map(Vec::len).collect();
    at.ensure_with(sizes.len() == output, || {
        format!("expected output_sizes outer size ({}) to match output rank ({output})", sizes.len())
    })?;
    // The dimensions of the output are batches, then M, then K; each is made of one or several of the input's.
    let (outer, inner) = sizes.split_at(batch.min(sizes.len()));
    at.ensure(
        outer.iter().sum::<usize>() == batch,
        "expected sum of batch output_sizes inner dimensions to equal batch_pos size",
    )?;
    let boundary = (1..=inner.len()).find(|&n| inner[..n].iter().sum::<usize>() == m);
    let Some(boundary) = boundary else {
        let message = "M/K boundary not found: accumulated output_sizes inner dimensions must equal m_pos size at some output dim boundary";
        return Err(wrong(at.ir, at.op, message));
    };
    let (found, shared) = (inner[boundary..].iter().sum::<usize>(), m + k);
    at.ensure_with(found == shared, || {
        format!(
            "expected sum of K output_sizes inner dimensions ({found}) to equal m_pos.size() + k_pos.size() ({shared})"
        )
    })?;
    let kernel = list("kernel_size");
    at.ensure(kernel == m, "expected kernel rank to be equal to the m_pos rank")?;
    at.ensure(at.ints("strides").len() == kernel, "expected strides rank to be equal to the kernel rank")?;
    at.ensure(at.ints("dilations").len() == kernel, "expected dilations rank to be equal to the kernel rank")?;
    let (input_perm, output_perm) = (at.ints("input_k_perm"), at.ints("output_perm"));
    at.ensure_with(input_perm.len() == shared, || {
        let found = input_perm.len();
        format!(
            "expected input_k_perm size ({found}) to match the number of shared dimensions (m_pos + k_pos = {shared})"
        )
    })?;
    at.ensure_with(is_permutation(&input_perm), || {
        format!("expected input_k_perm to be a permutation of [0, {shared})")
    })?;
    at.ensure(is_permutation(&output_perm), "expected output_perm to be a permutation")?;
    at.ensure(output_perm.len() == output, "expected output_perm to have the same rank as the result")?;
    for (side, rank) in [("input", input), ("output", output)] {
        let (low, high) = (list(&format!("{side}_pad_low")), list(&format!("{side}_pad_high")));
        at.ensure_with(low == high, || format!("expected {side}_pad_low and {side}_pad_high to have the same size"))?;
        at.ensure_with(low == 0 || low == rank, || {
            format!("expected {side}_pad_low size ({low}) to match {side} rank ({rank})")
        })?;
        at.ensure_with(low == 0 || at.find("pad_value").is_some(), || {
            format!("expected pad_value when {side}_pad_low/{side}_pad_high are specified")
        })?;
    }
    Ok(())
}

fn custom_op(at: &Parts<'_>) -> Check {
    let (ir, operands) = (at.ir, at.ir.operands(at.op));
    let maps = maps(ir, at.op)?;
    at.ensure_with(maps.len() == operands.len(), || {
        format!(
            "expected number of indexing maps ({}) to be same as the number of input/output operands ({})",
            maps.len(),
            operands.len()
        )
    })?;
    let loops = loops(ir, at.op);
    let mut symbols = None;
    for (i, (map, &operand)) in maps.iter().zip(operands).enumerate() {
        if map.dims == 0 && map.syms == 0 && map.results.is_empty() {
            continue;
        }
        at.ensure_with(map.dims as usize == loops, || {
            format!("expected indexing_map #{i} to have {loops} dim(s) to match the number of loops or be zero")
        })?;
        let expected = *symbols.get_or_insert(map.syms);
        at.ensure_with(map.syms == expected, || {
            let found = map.syms;
            format!(
                "inconsistent number of symbol dimensions in indexing_map #{i}, expected {expected} instead of {found}"
            )
        })?;
        let rank = ir.shape_of(operand).len();
        at.ensure_with(map.results.len() == rank, || {
            format!("expected operand rank({rank}) to match the result rank of indexing map #{i}")
        })?;
    }
    let args = at.args();
    at.ensure_with(args.len() == operands.len(), || {
        let (args, operands) = (args.len(), operands.len());
        format!("expected as many basic block arguments ({args}) as the number of operands ({operands})")
    })?;
    for (i, (&arg, &operand)) in args.iter().zip(operands).enumerate() {
        let ty = ir.type_of(operand);
        let Type::Tensor { shape, elem, encoding } = &ir[ty] else {
            at.ensure_with(arg == ty, || {
                format!("for (scalar) operand #{i} expected corresponding basic block argument to be of the same type")
            })?;
            continue;
        };
        let Type::Tensor { shape: found, elem: of, encoding: with } = &ir[arg] else {
            let message =
                format!("for (tensor) operand #{i} expected corresponding basic block argument to be tensor as well");
            return Err(wrong(ir, at.op, message));
        };
        let fits = found.len() == shape.len() && found.iter().all(|&n| n == DYNAMIC) && of == elem && with == encoding;
        at.ensure_with(fits, || {
            let expected = "?x".repeat(shape.len()) + quoted(ir, *elem).trim_matches('\'');
            let found = quoted(ir, arg);
            format!(
                "expected basic block argument corresponding to (tensor) operand #{i} to be 'tensor<{expected}>' instead of {found}"
            )
        })?;
    }
    let ((_, yielded), n) = (at.yielded(), at.all("outputs").len());
    at.ensure(yielded.len() == n, "expected as many yields as the numbers of `outs` operand")?;
    let odd = yielded.iter().zip(&args[args.len() - n..]).position(|(yielded, arg)| yielded != arg);
    at.ensure_with(odd.is_none(), || {
        let i = odd.unwrap_or_default();
        format!("expected type of {i}-th operand of yield to match the corresponding output basic block argument")
    })
}

/// The number of loops of an operation with `iterator_types`, or with maps.
fn loops(ir: &Ir, op: OpId) -> usize {
    match ir.attr(op, "iterator_types") {
        Some(Attr::Array(items)) => items.len(),
        _ => ir.maps(op, "indexing_maps").and_then(|maps| Some(maps.first()?.dims)).unwrap_or(0) as usize,
    }
}

/// `iree_linalg_ext.index`: a loop of the operation around it.
pub(super) fn index(ir: &Ir, op: OpId) -> Check {
    let around = [Opcode::IreeLinalgExtCustomOp, Opcode::IreeLinalgExtAttention, Opcode::IreeLinalgExtOnlineAttention];
    let Some(parent) = ir.parent_op(op).filter(|&parent| around.contains(&ir.opcode(parent))) else {
        let message = "expected parent op to be one of `iree_linalg_ext.custom_op`, `iree_linalg_ext.attention`, `iree_linalg_ext.online_attention`";
        return Err(wrong(ir, op, message));
    };
    let (loops, dim) = (loops(ir, parent), ir.attr(op, "dim").and_then(Attr::as_i64).unwrap_or(0));
    ensure(ir, op, usize::try_from(dim).is_ok_and(|dim| dim < loops), || {
        format!("expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing operation")
    })?;
    // The region of attention is applied to the scores, which lack the loops that one of the products sums over or adds.
    let scores = match ir.opcode(parent) {
        Opcode::IreeLinalgExtCustomOp => loops,
        _ => score_loops(ir, parent).unwrap_or(loops),
    };
    ensure(ir, op, usize::try_from(dim).is_ok_and(|dim| dim < scores), || {
        format!("expected dim ({dim}) to be lower than the number of dimensions ({scores}) of the scores")
    })
}

/// The loops that the scores of attention have: those of queries and outputs, or of keys and values.
fn score_loops(ir: &Ir, op: OpId) -> Option<usize> {
    let maps = ir.maps(op, "indexing_maps")?;
    let outputs = if ir.opcode(op) == Opcode::IreeLinalgExtOnlineAttention { 3 } else { 1 };
    let output = maps.len().checked_sub(outputs)?;
    let dims = |at: usize| maps.get(at)?.as_dims();
    let (query, key, value, output) = (dims(0)?, dims(1)?, dims(2)?, dims(output)?);
    let in_both = |a: &[usize], b: &[usize], d: &usize| a.contains(d) && b.contains(d);
    let loops = 0..maps.first()?.dims as usize;
    Some(loops.filter(|d| in_both(&query, &output, d) || in_both(&key, &value, d)).count())
}

// Winograd's transforms turn images (N H W C) into tiles (T T N H W C) and back: `tile` points on each side make
// `tile - kernel + 1` points of the output.

/// The points on each side of an input tile.
fn input_tile(at: &Parts<'_>) -> i64 {
    at.int("output_tile_size").saturating_add(at.int("kernel_size")).saturating_sub(1)
}

/// Where rows and columns stand in images of four dimensions, with the channels behind or in front of them.
fn image(at: &Parts<'_>, name: &str, [behind, front]: [[i64; 2]; 2], what: &str) -> Result<bool, Box<crate::Diag>> {
    let dims = at.ints(name);
    at.ensure_with(dims.len() == 2, || format!("expected only 2 {what} dimensions"))?;
    let known = dims == behind || dims == front;
    at.ensure_with(known, || format!("expect {what} dimensions to be either {behind:?} or {front:?}"))?;
    Ok(dims == front)
}

/// One tile: two dimensions in, two dimensions out.
fn one_tile(at: &Parts<'_>, fits: bool, output: i64, [inputs, outputs]: [&str; 2]) -> Check {
    at.ensure(at.rank("output") == 2, "expected output operand to have rank 2 if input is of rank 2")?;
    at.ensure(fits, inputs)?;
    at.ensure(alike(&[output, output], at.shape("output")), outputs)
}

fn winograd_input(at: &Parts<'_>) -> Check {
    let (input, tile) = (at.shape("input"), input_tile(at));
    at.ensure(at.elem("output") == at.elem("input"), "expected input/output element types to be identical")?;
    at.ensure(matches!(input.len(), 2 | 4), "expected input operand to have rank either 2 or 4")?;
    if input.len() == 2 {
        let inside = input.iter().all(|&extent| extent == DYNAMIC || extent <= tile);
        let messages = [
            "expected input dims not greater than input tile size if input is of rank 2",
            "expected output dims equal to inputTileSize if input is of rank 2",
        ];
        return one_tile(at, inside, tile, messages);
    }
    at.ensure(at.rank("output") == 6, "expected output rank to be equal to input rank + 2")?;
    let channels_first = image(at, "image_dimensions", [[1, 2], [2, 3]], "image")?;
    let [kernel, out] = ["kernel_size", "output_tile_size"].map(|name| at.int(name));
    at.ensure(kernel > 0 && out > 0, "expected positive tile and kernel sizes")?;
    let mut expected = input.to_vec();
    if channels_first {
        expected[1..].rotate_left(1);
    }
    for extent in expected[1..3].iter_mut().filter(|extent| **extent != DYNAMIC) {
        let points = extent.saturating_sub(kernel).saturating_add(1);
        *extent = points.saturating_add(out - 1).div_euclid(out);
    }
    expected.splice(0..0, [tile, tile]);
    at.ensure(alike(&expected, at.shape("output")), "incompatible output shape")
}

fn winograd_filter(at: &Parts<'_>) -> Check {
    let (input, tile, kernel) = (at.shape("input"), input_tile(at), at.int("kernel_size"));
    at.ensure(at.elem("output") == at.elem("input"), "expected input/output element types to be identical")?;
    at.ensure(matches!(input.len(), 2 | 4), "expected input operand to have rank either 2 or 4")?;
    if input.len() == 2 {
        let messages = [
            "expected input dims to be equal to kernel size if input is of rank 2",
            "expected output dims equal to input tile size if input is of rank 2",
        ];
        return one_tile(at, alike(&[kernel; 2], input), tile, messages);
    }
    at.ensure(at.rank("output") == 4, "expected output rank to be equal to input rank")?;
    let channels_first = image(at, "kernel_dimensions", [[0, 1], [2, 3]], "kernel")?;
    let (extents, channels) =
        if channels_first { (&input[2..], [input[1], input[0]]) } else { (&input[..2], [input[2], input[3]]) };
    at.ensure(extents == [kernel; 2], "expect all kernel dimensions to have the kernel size")?;
    let expected = [tile, tile, channels[0], channels[1]];
    at.ensure(alike(&expected, at.shape("output")), "incompatible output shape")
}

fn winograd_output(at: &Parts<'_>) -> Check {
    let (input, out) = (at.shape("input"), at.int("output_tile_size"));
    at.ensure(matches!(input.len(), 2 | 6), "expected input operand to have rank either 2 or 6")?;
    if input.len() == 2 {
        let messages = [
            "expected input dims to be equal to input tile size if input is of rank 2",
            "expected output dims equal to output tile size if input is of rank 2",
        ];
        return one_tile(at, alike(&[input_tile(at); 2], input), out, messages);
    }
    at.ensure(at.elem("output") == at.elem("input"), "expected input/output element types to be identical")?;
    at.ensure(at.rank("output") == 4, "expected output rank to be equal to input rank - 2")?;
    let channels_first = image(at, "image_dimensions", [[1, 2], [2, 3]], "image")?;
    let mut expected = input[2..].to_vec();
    for extent in expected[1..3].iter_mut().filter(|extent| **extent != DYNAMIC) {
        *extent = extent.saturating_mul(out);
    }
    if channels_first {
        expected[1..].rotate_right(1);
    }
    at.ensure(alike(&expected, at.shape("output")), "incompatible output shape")
}
