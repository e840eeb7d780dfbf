//! Matrix instructions: operands as vectors, in the order of slots that the instruction's table row gives them.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar, ValueId};
use raddle_target::Mma;
use raddle_target::catalogue::Instruction;

use super::value::Cx;

/// `amdgpu.mfma`, `amdgpu.sparse_mfma`, `amdgpu.wmma`
pub(super) fn multiply(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if cx.ir.opcode(op) == Opcode::AmdgpuSparseMfma {
        return sparse(cx, op);
    }
    let chip = cx.lowered.chip();
    let mma = Mma::of_op(cx.ir, op).filter(|mma| chip.mmas.contains(&mma.name));
    let mma = mma.ok_or_else(|| cx.cannot(op, &format!("{} has no such matrix instruction", chip.name)))?;
    let intrinsic = (cx.dialect.matrix)(cx, op, mma)?;
    let mut operands = Vec::new();
    for index in 0..3 {
        let value = cx.ir.operand(op, index);
        let n = if cx.ir.ty(value).is_vector() { cx.n_elems(value) } else { 1 };
        if n as i64 != mma.n_slots(index) {
            return Err(cx.cannot(op, &format!("operand {index} has not the elements that {} takes", mma.name)));
        }
        let mut ty = cx.type_of(value);
        let mut name = cx.val(value);
        if index == 2 && intrinsic.spaced {
            (name, ty) = space(cx, &name, &ty, n);
        }
        let target = &intrinsic.types[index];
        let name = if n == 1 && ty.starts_with('<') && !target.starts_with('<') {
            cx.compute(&format!("extractelement {ty} {name}, i32 0"))
        } else {
            cx.reinterpret(&name, &ty, target)
        };
        operands.extend(intrinsic.before.get(index).into_iter().flatten().cloned());
        operands.push(format!("{target} {name}"));
    }
    operands.extend(intrinsic.behind.iter().cloned());
    let result = cx.ir.result(op, 0);
    let acc = &intrinsic.types[2];
    let mut name = cx.call(acc, &intrinsic.name, &operands);
    let ty = cx.type_of(result);
    if intrinsic.spaced {
        let n = cx.n_elems(result);
        let elem = cx.elem_type(result);
        let wide = format!("<{} x {elem}>", 2 * n);
        name = cx.reinterpret(&name, acc, &wide);
        let mask: Vec<String> = (0..n).map(|at| format!("i32 {}", 2 * at)).collect();
        let mask = mask.join(", ");
        name = cx.compute(&format!("shufflevector {wide} {name}, {wide} poison, <{n} x i32> <{mask}>"));
    } else {
        name = cx.reinterpret(&name, acc, &ty);
    }
    cx.bind(result, name);
    Ok(())
}

/// `amdgpu.sparse_mfma`: LLVM has the places of A's elements as one word behind the sum.
fn sparse(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let chip = cx.lowered.chip();
    let operands: Vec<ValueId> = cx.ir.operands(op).to_vec();
    let mut types = Vec::new();
    for &operand in &operands[..3] {
        types.push(cx.scalar(op, operand)?);
    }
    let has = |row: &&Instruction| row.multiplies([types[0], types[1], types[2]], chip.name);
    let Some(row) = Instruction::of_sparse(cx.ir, op).filter(has) else {
        return Err(cx.cannot(op, &format!("{} has no such matrix instruction", chip.name)));
    };
    let number = |name: &str| cx.ir.attr(op, name).and_then(|attr| attr.as_i64()).unwrap_or(0);
    let flags = ["cbsz", "abid"].map(|name| format!("i32 {}", number(name)));
    let mut args = Vec::new();
    for (at, &operand) in operands.iter().enumerate() {
        let n = cx.n_elems(operand);
        let own = cx.type_of(operand);
        // bf16 is i16 to it, and bytes are words.
        let ty = match types.get(at) {
            None => "i32".to_owned(),
            Some(Scalar::Float(Float::BF16)) => format!("<{n} x i16>"),
            Some(scalar) if scalar.bits() == 8 => format!("<{} x i32>", n / 4),
            Some(_) => own.clone(),
        };
        let name = cx.val(operand);
        let name = cx.reinterpret(&name, &own, &ty);
        args.push(format!("{ty} {name}"));
    }
    args.extend(flags);
    let result = cx.ir.result(op, 0);
    let intrinsic = format!("llvm.amdgcn.{}", row.mnemonic.trim_start_matches("v_").replace('_', "."));
    let name = cx.call(&cx.type_of(result), &intrinsic, &args);
    cx.bind(result, name);
    Ok(())
}

/// A vector with each element in the lower half of a register.
fn space(cx: &mut Cx<'_>, name: &str, ty: &str, n: usize) -> (String, String) {
    let mask: Vec<String> =
        (0..2 * n).map(|at| if at % 2 == 0 { format!("i32 {}", at / 2) } else { "i32 poison".into() }).collect();
    let mask = mask.join(", ");
    let wide = ty.replacen(&format!("<{n} "), &format!("<{} ", 2 * n), 1);
    (cx.compute(&format!("shufflevector {ty} {name}, {ty} poison, <{} x i32> <{mask}>", 2 * n)), wide)
}
