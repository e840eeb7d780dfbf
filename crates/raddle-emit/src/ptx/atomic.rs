//! Atomic accesses: an element is read, combined with a value, and written, at once.
//!
//! `atom` gives the old element; where nobody wants it, `red` does without. Both are relaxed, for the whole device.

use raddle_ir::{Diag, Float, OpId, Scalar};

use crate::kernel::atomic_kind;

use super::memory::{Place, access};
use super::value::{Atom, Cx};

/// The instruction's operation and type. PTX ISA, "atom": f16 from sm_70, bf16 from sm_90.
fn instruction(kind: &str, elem: Scalar, chip: &str) -> Option<&'static str> {
    let bf16 = chip.strip_prefix("sm_").and_then(|number| number.trim_end_matches('a').parse().ok()) >= Some(90);
    let name = match (kind, elem) {
        ("addf", Scalar::Float(Float::F16)) => "add.noftz.f16",
        ("addf", Scalar::Float(Float::BF16)) if bf16 => "add.noftz.bf16",
        ("addf", Scalar::Float(Float::F32)) => "add.f32",
        ("addf", Scalar::Float(Float::F64)) => "add.f64",
        ("addi", Scalar::Int(32)) => "add.u32",
        ("addi", Scalar::Int(64)) => "add.u64",
        ("andi", Scalar::Int(32)) => "and.b32",
        ("andi", Scalar::Int(64)) => "and.b64",
        ("ori", Scalar::Int(32)) => "or.b32",
        ("ori", Scalar::Int(64)) => "or.b64",
        ("xori", Scalar::Int(32)) => "xor.b32",
        ("xori", Scalar::Int(64)) => "xor.b64",
        ("maxs", Scalar::Int(32)) => "max.s32",
        ("maxs", Scalar::Int(64)) => "max.s64",
        ("mins", Scalar::Int(32)) => "min.s32",
        ("mins", Scalar::Int(64)) => "min.s64",
        ("maxu", Scalar::Int(32)) => "max.u32",
        ("maxu", Scalar::Int(64)) => "max.u64",
        ("minu", Scalar::Int(32)) => "min.u32",
        ("minu", Scalar::Int(64)) => "min.u64",
        ("assign", Scalar::Int(32) | Scalar::Float(Float::F32)) => "exch.b32",
        ("assign", Scalar::Int(64) | Scalar::Float(Float::F64)) => "exch.b64",
        _ => return None,
    };
    Some(name)
}

/// `memref.atomic_rmw`
pub(super) fn update(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let &[value, base, index] = cx.ir.operands(op) else { return Err(cx.cannot(op, "an address is one index")) };
    let result = cx.ir.result(op, 0);
    let (elem, kind) = cx.scalar(op, value)?;
    let word = atomic_kind(cx.ir, op);
    let Some(name) = instruction(word, elem, cx.lowered.chip().name) else {
        return Err(cx.cannot(op, &format!("PTX has no atomic `{word}` of {elem}")));
    };
    let buffer = cx.buffer(base);
    let address = access(cx, op, buffer, &[index], elem)?;
    let space = match cx.buffers[buffer].place {
        Place::Global { .. } => "global",
        Place::Shared(_) => "shared",
    };
    let value = cx.reg(value, kind);
    if cx.ir.is_unused(result) && !name.starts_with("exch") {
        cx.inst(format_args!("red.{space}.{name} {address}, {value}"));
        cx.bind(result, Atom::Imm(0));
        return Ok(());
    }
    let old = cx.fresh(kind);
    cx.inst(format_args!("atom.{space}.{name} {old}, {address}, {value}"));
    cx.bind(result, Atom::Reg(old));
    Ok(())
}
