//! Where a thread is, barriers, and what lanes of a subgroup exchange.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar};

use super::convert::resize_int;
use super::dialect::{Scope, Source};
use super::value::Cx;

/// `gpu.thread_id`, `gpu.block_id`
pub(super) fn id(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let number = match (cx.ir.opcode(op), cx.ir.keyword_of(op, "dimension")) {
        (Opcode::GpuThreadId, Some(dim @ ("x" | "y" | "z"))) => (cx.dialect.thread_id)(cx, dim),
        (Opcode::GpuBlockId, Some(dim @ ("x" | "y" | "z"))) => (cx.dialect.block_id)(cx, dim),
        _ => return Err(cx.cannot(op, "it must have become arithmetic on `gpu.thread_id` and `gpu.block_id`")),
    };
    cx.bind(cx.ir.result(op, 0), number);
    Ok(())
}

/// `gpu.barrier`: what was written in front of it is seen behind it, by all threads that wait.
pub(super) fn barrier(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if cx.ir.opcode(op) != Opcode::GpuBarrier {
        return Err(cx.cannot(op, "the target has no barrier for some threads of a workgroup"));
    }
    let scope = match cx.ir.keyword_of(op, "scope") {
        None | Some("workgroup") => Scope::Workgroup,
        Some("subgroup") => Scope::Subgroup,
        Some(_) => return Err(cx.cannot(op, "its scope is neither a workgroup nor a subgroup")),
    };
    let Some(barrier) = cx.dialect.barrier else { return Ok(()) };
    let (threads, wait) = barrier(scope);
    let only = if cx.shared_barriers.contains(&op) {
        format!(", !mmra !{}", super::module::SHARED_FENCE)
    } else {
        String::new()
    };
    cx.inst(&format!("fence syncscope(\"{threads}\") release{only}"));
    cx.call("void", wait, &[]);
    cx.inst(&format!("fence syncscope(\"{threads}\") acquire{only}"));
    Ok(())
}

/// What lanes of a subgroup exchange.
pub(super) fn exchange(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match cx.ir.opcode(op) {
        Opcode::GpuShuffle => shuffle(cx, op),
        Opcode::GpuBallot => ballot(cx, op),
        _ => Err(cx.cannot(op, "it must have become shuffles")),
    }
}

/// `gpu.ballot`: a bit for each lane.
fn ballot(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let ty = cx.type_of(result);
    if !matches!(cx.scalar(op, result)?, Scalar::Int(width) if width >= cx.lanes) {
        return Err(cx.cannot(op, &format!("{} lanes need as many bits", cx.lanes)));
    }
    let bit = cx.val(cx.ir.operand(op, 0));
    let bits = (cx.dialect.ballot)(cx, &bit);
    let from = format!("i{}", cx.lanes);
    let bits = resize_int(cx, &bits, &from, &ty, false);
    cx.bind(result, bits);
    Ok(())
}

/// `gpu.shuffle`. A lane that asks for one outside of its segment keeps what it has.
fn shuffle(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let [value, offset, width] = [0, 1, 2].map(|operand| cx.ir.operand(op, operand));
    let scalar = cx.scalar(op, value)?;
    let lanes = cx.lanes;
    let width = cx.ir.const_int(width).and_then(|width| u32::try_from(width).ok());
    let width = width.filter(|width| width.is_power_of_two() && *width <= lanes);
    let width =
        width.ok_or_else(|| cx.cannot(op, &format!("the width must be a constant power of two, at most {lanes}")))?;
    let mode = match cx.ir.keyword_of(op, "mode") {
        Some(mode @ ("xor" | "idx" | "up" | "down")) => mode,
        _ => return Err(cx.cannot(op, "the mode is none of xor, idx, up, down")),
    };
    let by = cx.val(offset);
    let constant = cx.ir.const_int(offset).and_then(|offset| u32::try_from(offset).ok()).filter(|&by| by < width);
    let lane;
    let (source, valid) = match (mode, constant) {
        ("xor", Some(mask)) => (Source::Flip(mask), "true".to_owned()),
        ("idx", Some(number)) if width == lanes => {
            lane = number.to_string();
            (Source::Lane(&lane), "true".to_owned())
        }
        _ => {
            let valid;
            (lane, valid) = source_lane(cx, mode, &by, width);
            (Source::Lane(&lane), valid)
        }
    };
    let ty = cx.type_of(value);
    let bits = scalar_bits(cx, scalar) * if cx.ir.ty(value).is_vector() { cx.n_elems(value) as u32 } else { 1 };
    let name = cx.val(value);
    let moved = match bits {
        32 => {
            let word = cx.reinterpret(&name, &ty, "i32");
            let word = (cx.dialect.fetch)(cx, &word, source);
            cx.reinterpret(&word, "i32", &ty)
        }
        1..32 => {
            let narrow = format!("i{bits}");
            let word = cx.reinterpret(&name, &ty, &narrow);
            let word = cx.compute(&format!("zext {narrow} {word} to i32"));
            let word = (cx.dialect.fetch)(cx, &word, source);
            let word = cx.compute(&format!("trunc i32 {word} to {narrow}"));
            cx.reinterpret(&word, &narrow, &ty)
        }
        33..=64 => {
            let whole = cx.reinterpret(&name, &ty, &format!("i{bits}"));
            let whole = resize_int(cx, &whole, &format!("i{bits}"), "i64", false);
            let low = cx.compute(&format!("trunc i64 {whole} to i32"));
            let high = cx.compute(&format!("lshr i64 {whole}, 32"));
            let high = cx.compute(&format!("trunc i64 {high} to i32"));
            let [low, high] = [low, high].map(|word| {
                let word = (cx.dialect.fetch)(cx, &word, source);
                cx.compute(&format!("zext i32 {word} to i64"))
            });
            let high = cx.compute(&format!("shl i64 {high}, 32"));
            let whole = cx.compute(&format!("or i64 {low}, {high}"));
            let whole = resize_int(cx, &whole, "i64", &format!("i{bits}"), false);
            cx.reinterpret(&whole, &format!("i{bits}"), &ty)
        }
        _ => return Err(cx.cannot(op, &format!("no shuffle moves {scalar}"))),
    };
    cx.bind(cx.ir.result(op, 0), moved);
    cx.bind(cx.ir.result(op, 1), valid);
    Ok(())
}

fn scalar_bits(cx: &Cx<'_>, scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Index => cx.index_bits,
        Scalar::Float(Float::TF32) => 32,
        scalar => scalar.bits(),
    }
}

/// The lane that a lane reads from, its own where that one is outside of its segment, and whether it is inside.
fn source_lane(cx: &mut Cx<'_>, mode: &str, by: &str, width: u32) -> (String, String) {
    let own = (cx.dialect.lane)(cx);
    let segment = cx.compute(&format!("and i32 {own}, {}", -i64::from(width)));
    let there = match mode {
        "xor" => cx.compute(&format!("xor i32 {own}, {by}")),
        "up" => cx.compute(&format!("sub i32 {own}, {by}")),
        "down" => cx.compute(&format!("add i32 {own}, {by}")),
        // A number counts from the begin of the segment, and only its bits inside of it.
        _ => {
            let inside = cx.compute(&format!("and i32 {by}, {}", width - 1));
            return (cx.compute(&format!("or i32 {segment}, {inside}")), "true".to_owned());
        }
    };
    let other = cx.compute(&format!("and i32 {there}, {}", -i64::from(width)));
    let inside = cx.compute(&format!("icmp eq i32 {segment}, {other}"));
    (cx.compute(&format!("select i1 {inside}, i32 {there}, i32 {own}")), inside)
}
