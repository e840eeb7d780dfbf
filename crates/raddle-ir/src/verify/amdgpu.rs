//! Rules of `amdgpu`: what fits a matrix instruction, which memory is read and written, how copies are described.

use super::Check;
use super::gpu::{is_global, is_workgroup, lies_in};
use super::memory::Strided;
use super::parts::Parts;
use super::tensors::extents_text;
use super::wording::{quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{print_attr, print_type};
use crate::types::{DYNAMIC, Float, Scalar, Type};

/// The lanes of a subgroup, as matrix instructions count them.
const LANES: i64 = 64;

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    match ir.opcode(op) {
        Opcode::AmdgpuMfma => mfma(&at),
        Opcode::AmdgpuSparseMfma => sparse_mfma(&at),
        Opcode::AmdgpuWmma => wmma(&at),
        Opcode::AmdgpuPackedTrunc2xfp8 | Opcode::AmdgpuPackedStochRoundFp8 | Opcode::AmdgpuPackedScaledTrunc => {
            packed(&at)
        }
        Opcode::AmdgpuScaledExtPackedMatrix => scaled_matrix(&at),
        Opcode::AmdgpuPermlaneSwap => {
            at.ensure(matches!(at.int("row_length"), 16 | 32), "row_length attribute must either be 16 or 32.")
        }
        Opcode::AmdgpuFatRawBufferCast => fat_buffer(&at),
        Opcode::AmdgpuGatherToLds => gather(&at),
        Opcode::AmdgpuTransposeLoad => transpose_load(&at),
        Opcode::AmdgpuMakeDmaBase | Opcode::AmdgpuMakeGatherDmaBase => dma_base(&at),
        Opcode::AmdgpuMakeDmaDescriptor => dma_descriptor(&at, 5),
        Opcode::AmdgpuMakeGatherDmaDescriptor => gather_descriptor(&at),
        _ => Ok(()),
    }
}

/// How many elements a vector has, and of which type; a scalar is one.
fn elements(ir: &Ir, ty: TypeId) -> (i64, TypeId) {
    match &ir[ty] {
        Type::Vector { shape, elem, .. } => (shape.iter().fold(1, |n: i64, &extent| n.saturating_mul(extent)), *elem),
        _ => (1, ty),
    }
}

fn bits(ir: &Ir, ty: TypeId) -> i64 {
    Scalar::of(&ir[ty]).map_or(0, |scalar| scalar.bits().into())
}

fn is_float(ir: &Ir, ty: TypeId) -> bool {
    matches!(ir[ty], Type::Float(_))
}

/// An integer, or what its absence means.
fn int_or(at: &Parts<'_>, name: &str, default: i64) -> i64 {
    at.ir.attr(at.op, name).and_then(Attr::as_i64).unwrap_or(default)
}

fn has(at: &Parts<'_>, name: &str) -> bool {
    at.ir.attr_id(at.op, name).is_some()
}

fn ensure_count(at: &Parts<'_>, what: &str, found: i64, expected: i64) -> Check {
    at.ensure_with(found == expected, || {
        format!("expected {expected} {what} values for this operation but got {found}")
    })
}

// ---- matrix instructions

fn mfma(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let [a, b, c] = ["sourceA", "sourceB", "destC"].map(|name| ir.type_of(at.one(name)));
    let ((n_a, elem), (n_b, elem_b), (n_c, sum)) = (elements(ir, a), elements(ir, b), elements(ir, c));
    let is_small = |ty: TypeId| is_float(ir, ty) && matches!(bits(ir, ty), 4 | 6 | 8);
    if is_small(elem) {
        at.ensure(is_small(elem_b), "expected both source operands to have small-float elements if one does")?;
        at.ensure(n_a == n_b, "expected both small-float source vectors to have the same length")?;
    } else {
        at.ensure(a == b, "expected both non-small-float source operand types to match exactly")?;
    }
    // Integers of 32 and 64 bits stand for packed ones of 8.
    let packed = match ir[elem] {
        Type::Integer { width: width @ (32 | 64), .. } => i64::from(width / 8),
        _ => 1,
    };
    let [m, n, k] = ["m", "n", "k"].map(|name| at.int(name));
    let blocks = int_or(at, "blocks", 1);
    ensure_count(at, "source", n_a * packed, m * k * blocks / LANES)?;
    ensure_count(at, "result", n_c, m * n * blocks / LANES)?;
    let is_double = ir[sum] == Type::Float(Float::F64);
    let (cbsz, abid) = (at.int("cbsz"), at.int("abid"));
    let permutes = ir.keyword_of(at.op, "blgp").is_some_and(|word| word != "none");
    at.ensure(!is_double || !permutes, "double-precision ops do not support permuting lanes of B")?;
    at.ensure(!is_double || cbsz == 0, "double-precision ops do not support permuting lanes of A")?;
    let limit = u32::try_from(cbsz).ok().and_then(|cbsz| 1i64.checked_shl(cbsz)).unwrap_or(i64::MAX);
    at.ensure((0..limit).contains(&abid), "block ID for permuting A (abid) must be below 2 ** cbsz")?;
    let negates = ["negateA", "negateB", "negateC"].into_iter().any(|name| has(at, name));
    at.ensure(!negates || is_double, "negation flags only available for double-precision operations")
}

/// Half of the elements of one source are left out; indices say where the others are, set by set.
fn sparse_mfma(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let [a, b, c, index] = ["sourceA", "sourceB", "destC", "sparseIdx"].map(|name| ir.type_of(at.one(name)));
    let ((n_a, elem), (n_b, elem_b), (n_c, _)) = (elements(ir, a), elements(ir, b), elements(ir, c));
    at.ensure(
        n_b == 2 * n_a,
        "expected dense source operand to have exactly double the number of elements of the sparse source operand",
    )?;
    let is_byte = |ty: TypeId| is_float(ir, ty) && bits(ir, ty) == 8;
    at.ensure(
        elem == elem_b || is_byte(elem) && is_byte(elem_b),
        "expected source operands to have the same element type",
    )?;
    let (wanted, sets) = match n_a {
        4 => ("vector<4xi8>", 4),
        8 => ("vector<2xi16>", 2),
        _ => ("i32", 1),
    };
    let (cbsz, abid) = (at.int("cbsz"), at.int("abid"));
    if sets == 1 {
        for (name, value) in [("CBSZ", cbsz), ("ABID", abid)] {
            at.ensure_with(value == 0, || format!("{name} must be 0 for this variant (field is ignored by hardware)"))?;
        }
    }
    at.ensure_with(cbsz != 0 || (0..sets).contains(&abid), || {
        format!("ABID must be in [0, {}] for this variant", sets - 1)
    })?;
    at.ensure_with(print_type(ir, index) == wanted, || {
        let structure = if sets == 1 { " (no internal set structure)" } else { "" };
        let found = quoted(ir, index);
        format!("expected {wanted} sparse indices for this variant{structure}, but got {found}")
    })?;
    let [m, n, k] = ["m", "n", "k"].map(|name| at.int(name));
    ensure_count(at, "source", n_b, m * k / LANES)?;
    ensure_count(at, "result", n_c, m * n / LANES)
}

fn wmma(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let [a, b, c] = ["sourceA", "sourceB", "destC"].map(|name| ir.type_of(at.one(name)));
    let ((n_a, elem), (n_b, elem_b), (_, sum)) = (elements(ir, a), elements(ir, b), elements(ir, c));
    let both = |word: &str| format!("{} {word} {}", quoted(ir, a), quoted(ir, b));
    at.ensure_with(n_a == n_b, || format!("source vectors have different lengths: {}", both("vs.")))?;
    let (real, real_sum) = (is_float(ir, elem), is_float(ir, sum));
    at.ensure(real || !real_sum, "expected float sources with float destination")?;
    at.ensure(!real || real_sum, "expected int sources with int destination")?;
    at.ensure_with(real && bits(ir, elem) == 8 || elem == elem_b, || {
        format!("source element types must match (except for fp8/bf8) but have {}", both("and"))
    })?;
    at.ensure(!real || !has(at, "clamp"), "clamp flag is not supported for float types")?;
    let unsigned = has(at, "unsignedA") || has(at, "unsignedB");
    at.ensure(!real || !unsigned, "unsigned flags are not supported for float types")
}

// ---- small floats

/// What is written over keeps its type.
fn packed(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let result = ir.type_of(ir.result(at.op, 0));
    let existing = at.find("existing").map(|value| ir.type_of(value));
    at.ensure(existing.is_none_or(|ty| ty == result), "existing values must have same type as result")
}

/// Where the scales of a block begin depends on how large a block and its elements are.
fn scaled_matrix(at: &Parts<'_>) -> Check {
    let (block, lane, byte) = (at.int("blockSize"), at.int("firstScaleLane"), at.int("firstScaleByte"));
    let is_byte = bits(at.ir, at.elem("source")) == 8;
    match (is_byte, block) {
        (false, 16) => {
            at.ensure(matches!(byte, 0 | 1), "blockSize of 16 can only have firstScaleByte be 0 or 1 for f4 and f6.")
        }
        (false, _) => {
            at.ensure(matches!(byte, 0 | 2), "blockSize of 32 can only have firstScaleByte be 0 or 2 for f4 and f6.")
        }
        (true, 16) => at.ensure(
            matches!((lane, byte), (0, 0) | (16, 2)),
            "blockSize of 16 can only have (firstScaleLane, firstScaleByte) be (0, 0) or (16, 2) for f8.",
        ),
        (true, _) => Ok(()),
    }
}

// ---- memory

fn is_fat_buffer(ir: &Ir, ty: TypeId) -> bool {
    lies_in(ir, ty, &[7], "amdgpu.address_space", "fat_raw_buffer")
}

/// The result is the source in other memory, perhaps with its offset set to 0.
fn fat_buffer(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (source, result) = (ir.type_of(at.one("source")), ir.type_of(ir.result(at.op, 0)));
    let Type::MemRef { shape, elem, layout, .. } = &ir[source] else { return Ok(()) };
    let layout = match layout.map(|layout| (layout, &ir[layout])) {
        None => None,
        Some((layout, _)) if !has(at, "resetOffset") => Some(print_attr(ir, layout)),
        Some((_, Attr::Strided { strides, .. })) => {
            let reset = Strided { strides: strides.clone(), offset: 0 };
            // Extents that are not known keep even the strides that follow from them.
            let is_rows = reset == Strided::rows(shape) && (shape.len() < 2 || !shape.contains(&DYNAMIC));
            (!is_rows).then(|| reset.layout())
        }
        Some(_) => {
            let source = quoted(ir, source);
            return Err(wrong(ir, at.op, format!("source type {source} can't have its offset reset")));
        }
    };
    let (extents, elem) = (extents_text(shape), print_type(ir, *elem));
    let layout = layout.map(|layout| format!(", {layout}")).unwrap_or_default();
    let expected = format!("memref<{extents}{elem}{layout}, #amdgpu.address_space<fat_raw_buffer>>");
    at.ensure_with(print_type(ir, result) == expected, || {
        format!("expected result type to be '{expected}' but got {}", quoted(ir, result))
    })
}

fn gather(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let (source, target) = (ir.type_of(at.one("src")), ir.type_of(at.one("dst")));
    at.ensure(
        Strided::of(ir, target).is_some_and(|layout| layout.strides.last().is_none_or(|&stride| stride == 1)),
        "destination type inner most dim must be contiguous",
    )?;
    at.ensure(ir[source].elem() == ir[target].elem(), "source and destination element types must match")?;
    if let Some(&Attr::Type(ty)) = ir.attr(at.op, "transferType") {
        let (n, elem) = elements(ir, ty);
        let size = n.saturating_mul(bits(ir, elem));
        let fits = matches!(size, 8 | 16 | 32 | 96 | 128);
        at.ensure(fits, "Transfering type size must be 8, 16, 32, 96 or 128 bits")?;
    }
    at.ensure(
        is_global(ir, source) || is_fat_buffer(ir, source),
        "source memory address space must be global or fat raw buffer",
    )?;
    at.ensure(is_workgroup(ir, target), "destination memory address space must be Workgroup")
}

fn transpose_load(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    at.ensure(is_workgroup(ir, ir.type_of(at.one("src"))), "source memory address space must be Workgroup")?;
    let (found, elem) = elements(ir, ir.type_of(ir.result(at.op, 0)));
    let expected = match bits(ir, elem) {
        4 | 6 => 16,
        8 => 8,
        16 => 4,
        bits => {
            let message = format!("Unsupported element type size for transpose load: {bits} bits");
            return Err(wrong(ir, at.op, message));
        }
    };
    at.ensure_with(found == expected, || {
        format!("Transferring type size mismatch: expected num of elements: {expected}")
    })
}

// ---- descriptions of copies

fn dma_base(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    let [global, shared] = ["global", "lds"].map(|name| ir.type_of(at.one(name)));
    at.ensure(is_workgroup(ir, shared), "lds memref must have workgroup address space attribute.")?;
    at.ensure(is_global(ir, global), "global memref must have global address space attribute.")?;
    let bits = bits(ir, at.elem("lds"));
    at.ensure_with(matches!(bits, 8 | 16 | 32 | 64), || {
        format!("element type must be 1, 2, 4, or 8 bytes long but type was {bits} bits long.")
    })
}

fn dma_descriptor(at: &Parts<'_>, rank_max: usize) -> Check {
    let ir = at.ir;
    let [sizes, strides, shared] =
        ["global_static_sizes", "global_static_strides", "shared_static_sizes"].map(|name| at.ints(name));
    let rank = sizes.len();
    at.ensure(!strides.is_empty(), "strides must not be empty.")?;
    at.ensure(strides.last() == Some(&1), "strides for the innermost dimension must be 1.")?;
    at.ensure_with(rank <= rank_max, || format!("tensor and tile must be at most of rank {rank_max}."))?;
    at.ensure(rank == strides.len(), "strides and sizes must have same rank.")?;
    at.ensure(rank == shared.len(), "tensor must have same rank as tile.")?;
    let barrier = at.find("atomic_barrier_address").map(|value| ir.type_of(value));
    at.ensure(barrier.is_none_or(|ty| is_workgroup(ir, ty)), "atomic barrier address must be in LDS.")?;
    let (early, mask) = (at.find("early_timeout"), at.find("workgroup_mask"));
    at.ensure(early.is_none() || mask.is_some(), "early timeout does not apply when workgroup_mask is not set.")
}

fn gather_descriptor(at: &Parts<'_>) -> Check {
    let ir = at.ir;
    at.ensure(
        at.ints("global_static_sizes").len() <= 2,
        "tensor and tile must be at most of rank two in gather mode.",
    )?;
    let expected = match ir.ty(at.one("base")) {
        Type::Dialect(text) => ir[*text].strip_prefix("amdgpu.tdm_gather_base<").and_then(|text| text.split_once(',')),
        _ => None,
    };
    let expected = expected.map(|(_, index)| index.trim_end_matches('>').trim());
    at.ensure(
        expected.is_none_or(|expected| expected == print_type(ir, at.elem("indices"))),
        "indices' element type must match base's element type.",
    )?;
    dma_descriptor(at, 2)
}
