//! Matrix instructions: registers in the order that the instruction's table row gives them.

use raddle_ir::{BlockId, Def, Diag, Float, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::Mma;

use crate::kernel::n_elems;

use super::value::{Atom, Cx, Held, Kind, Reg};

/// `nvgpu.mma.sync`
pub(super) fn multiply(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let chip = cx.lowered.chip();
    let mma = Mma::of_op(cx.ir, op).filter(|mma| chip.mmas.contains(&mma.name));
    let mma = mma.ok_or_else(|| cx.cannot(op, &format!("{} has no such matrix instruction", chip.name)))?;
    let mut operands = Vec::new();
    for (index, &elem) in mma.types.iter().enumerate() {
        let value = cx.ir.operand(op, index);
        let atoms = cx.atoms(value);
        if atoms.len() as i64 != mma.fragments[index].n_slots() {
            return Err(cx.cannot(op, &format!("operand {index} has not the elements that {} takes", mma.name)));
        }
        let words = cx.words(elem, &atoms);
        // PTX ISA, "Matrix Fragments for mma.m16n8k8": a tf32 is in a .b32 register.
        let untyped = elem == Scalar::Float(Float::F32) && index < 2;
        operands.push(if untyped { words.into_iter().map(|word| cx.untyped(word)).collect() } else { words });
    }
    let (result, acc, elem) = (cx.ir.result(op, 0), cx.ir.operand(op, 2), mma.types[2]);
    let n_elems = n_elems(cx.ir, cx.ir.type_of(result));
    let into: Vec<Reg> = if accumulates_in_place(cx, op, acc, elem) {
        operands[2].clone()
    } else {
        operands[2].iter().map(|reg| cx.fresh(reg.kind)).collect()
    };
    if matches!(mma.types[0], Scalar::Float(_)) && mma.types[0].bits() == 8 {
        // PTX ISA, "mma": e4m3 and e5m2 came with version 8.4.
        cx.need("8.4");
    }
    let [d, a, b, c] = [&into, &operands[0], &operands[1], &operands[2]].map(|regs| list(regs));
    cx.inst(format_args!("{} {d}, {a}, {b}, {c}", mma.mnemonic));
    cx.hold(result, Held::Many(Cx::from_words(elem, n_elems, &into)));
    Ok(())
}

fn list(regs: &[Reg]) -> String {
    let names: Vec<String> = regs.iter().map(Reg::to_string).collect();
    format!("{{{}}}", names.join(", "))
}

/// Whether nothing reads the old contents of the accumulator's registers, so that the result may take their place.
/// Chains of products and the loops around them then need no moves.
fn accumulates_in_place(cx: &Cx<'_>, op: OpId, acc: ValueId, elem: Scalar) -> bool {
    let registers = cx.atoms(acc).iter().all(|atom| matches!(atom, Atom::Reg(_)));
    let block = cx.ir.parent_block(op).expect("an operation of a function is in a block");
    registers && matches!(cx.kind_of(elem), Some(Kind::F32 | Kind::B32)) && owns(cx.ir, acc, block)
}

/// Whether a value is the only name of its registers, made anew each time the block runs, and used once.
fn owns(ir: &Ir, value: ValueId, block: BlockId) -> bool {
    if ir.uses(value).count() != 1 {
        return false;
    }
    let op = match ir.def(value) {
        // A loop copies what it carries into registers of its own.
        Def::Arg { block: at, .. } => {
            return at == block && ir.opcode(ir.region_parent(ir.block_region(at))) == Opcode::ScfFor;
        }
        Def::Result { op, .. } => op,
    };
    if ir.parent_block(op) != Some(block) {
        return false;
    }
    match ir.opcode(op) {
        // These give new names to registers that exist.
        Opcode::VectorFromElements | Opcode::VectorToElements => {
            ir.operands(op).iter().all(|&operand| owns(ir, operand, block))
        }
        Opcode::NvgpuMmaSync | Opcode::MemrefLoad | Opcode::VectorLoad | Opcode::ScfFor | Opcode::ScfIf => true,
        _ => false,
    }
}
