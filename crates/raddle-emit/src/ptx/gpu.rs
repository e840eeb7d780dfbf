//! Where a thread is, barriers, and moves between the lanes of a subgroup.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar};

use super::convert;
use super::value::{Atom, Cx, Kind, Operand, Reg};

/// `gpu.thread_id`, `gpu.block_id`
pub(super) fn id(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let register = match cx.ir.opcode(op) {
        Opcode::GpuThreadId => "%tid",
        Opcode::GpuBlockId => "%ctaid",
        _ => return Err(cx.cannot(op, "it must have become arithmetic on `gpu.thread_id`")),
    };
    let Some(dim @ ("x" | "y" | "z")) = cx.ir.keyword_of(op, "dimension") else {
        return Err(cx.cannot(op, "the dimension is none of x, y, z"));
    };
    let reg = cx.fresh(Kind::B32);
    cx.inst(format_args!("mov.u32 {reg}, {register}.{dim}"));
    let reg = if cx.index == Kind::B64 { cx.compute("cvt.u64.u32", Kind::B64, &[reg.into()]) } else { reg };
    cx.bind(cx.ir.result(op, 0), Atom::Reg(reg));
    Ok(())
}

/// `gpu.barrier`, and `nvvm.barrier` of some threads.
pub(super) fn barrier(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if cx.ir.opcode(op) == Opcode::NvvmBarrier {
        let [number, threads] = [0, 1].map(|at| cx.operand(cx.ir.operand(op, at), Kind::B32));
        cx.inst(format_args!("bar.sync {number}, {threads}"));
        return Ok(());
    }
    match cx.ir.keyword_of(op, "scope") {
        None | Some("workgroup") => cx.inst(format_args!("bar.sync 0")),
        // PTX ISA, "bar.warp.sync": memory is ordered among the lanes that the mask names.
        Some("subgroup") => cx.inst(format_args!("bar.warp.sync 0xffffffff")),
        Some(_) => return Err(cx.cannot(op, "its scope is neither a workgroup nor a subgroup")),
    }
    Ok(())
}

/// What one shuffle instruction is told.
#[derive(Clone, Copy)]
struct Move {
    mode: &'static str,
    offset: Operand,
    clamp: u32,
}

/// What lanes of a subgroup exchange.
pub(super) fn exchange(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match cx.ir.opcode(op) {
        Opcode::GpuShuffle => shuffle(cx, op),
        Opcode::GpuBallot => ballot(cx, op),
        _ => Err(cx.cannot(op, "it must have become shuffles")),
    }
}

/// `gpu.ballot`: a bit for each of the 32 lanes.
fn ballot(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (_, kind) = cx.scalar(op, result)?;
    let bit = cx.reg(cx.ir.operand(op, 0), Kind::Pred);
    let word = cx.fresh(Kind::B32);
    cx.inst(format_args!("vote.sync.ballot.b32 {word}, {bit}, -1"));
    let reg = match kind {
        Kind::B32 => word,
        Kind::B64 => cx.compute("cvt.u64.u32", Kind::B64, &[word.into()]),
        _ => return Err(cx.cannot(op, "32 lanes need 32 bits")),
    };
    cx.bind(result, Atom::Reg(reg));
    Ok(())
}

/// `gpu.shuffle`
fn shuffle(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let [value, offset, width] = [0, 1, 2].map(|operand| cx.ir.operand(op, operand));
    let (scalar, kind) = cx.scalar(op, value)?;
    let width = match cx.ir.const_int(width) {
        Some(width @ (1 | 2 | 4 | 8 | 16 | 32)) => width as u32,
        _ => return Err(cx.cannot(op, "the width must be a constant power of two, at most 32")),
    };
    let mode = match cx.ir.keyword_of(op, "mode") {
        Some("xor") => "bfly",
        Some("idx") => "idx",
        Some("up") => "up",
        Some("down") => "down",
        _ => return Err(cx.cannot(op, "the mode is none of xor, idx, up, down")),
    };
    // PTX ISA, "shfl.sync": bits 8 to 12 fix the bits of the lane that number the segment; bits 0 to 4 are the last lane
    // of a segment, or the first one for `up`.
    let clamp = (32 - width) << 8 | if mode == "up" { 0 } else { 31 };
    let offset = cx.operand(offset, Kind::B32);
    let step = Move { mode, offset, clamp };
    let [result, valid] = [0, 1].map(|index| cx.ir.result(op, index));
    let valid = (!cx.ir.is_unused(valid)).then(|| {
        let reg = cx.fresh(Kind::Pred);
        cx.bind(valid, Atom::Reg(reg));
        reg
    });
    if cx.ir.ty(value).is_vector() {
        let mut valid = valid;
        return cx.by_words(op, result, [value], |cx, _, [word]| shfl(cx, step, word, valid.take()));
    }
    let moved = match (scalar, kind) {
        (_, Kind::B32 | Kind::F32) => {
            let source = cx.reg(value, kind);
            shfl(cx, step, source, valid)
        }
        (Scalar::Int(_), Kind::Pred) => {
            let bit = cx.reg(value, Kind::Pred);
            convert::through_word(cx, bit, |cx, word| shfl(cx, step, word, valid))
        }
        (Scalar::Float(Float::F16 | Float::BF16), Kind::B16) => {
            let half = cx.reg(value, Kind::B16);
            let word = cx.fresh(Kind::B32);
            cx.inst(format_args!("mov.b32 {word}, {{{half}, {half}}}"));
            let word = shfl(cx, step, word, valid);
            cx.bind(result, Atom::Part { word, at: 0, bits: 16 });
            return Ok(());
        }
        (_, Kind::B64 | Kind::F64) => {
            let source = cx.reg(value, kind);
            let [lo, hi] = [cx.fresh(Kind::B32), cx.fresh(Kind::B32)];
            cx.inst(format_args!("mov.b64 {{{lo}, {hi}}}, {source}"));
            let lo = shfl(cx, step, lo, valid);
            let hi = shfl(cx, step, hi, None);
            let whole = cx.fresh(kind);
            cx.inst(format_args!("mov.b64 {whole}, {{{lo}, {hi}}}"));
            whole
        }
        _ => return Err(cx.cannot(op, &format!("no shuffle moves {scalar}"))),
    };
    cx.bind(result, Atom::Reg(moved));
    Ok(())
}

fn shfl(cx: &mut Cx<'_>, step: Move, source: Reg, valid: Option<Reg>) -> Reg {
    let Move { mode, offset, clamp } = step;
    let result = cx.fresh(source.kind);
    let valid = valid.map(|reg| format!("|{reg}")).unwrap_or_default();
    cx.inst(format_args!("shfl.sync.{mode}.b32 {result}{valid}, {source}, {offset}, {clamp}, -1"));
    result
}
