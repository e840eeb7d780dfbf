//! Matrix instructions: registers in the order that the instruction's table row gives them.

use raddle_ir::{Attr, BlockId, Def, Diag, Float, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::Mma;
use raddle_target::catalogue::{Instruction, Major, SharedProduct, SharedTile};

use crate::kernel::n_elems;

use super::value::{Atom, Cx, Held, Kind, Known, Operand, Reg};
use super::{flow, memory};

/// `nvgpu.mma.sync`, `nvgpu.mma.sp.sync`
pub(super) fn multiply(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let chip = cx.lowered.chip();
    let (mnemonic, types) = if cx.ir.opcode(op) == Opcode::NvgpuMmaSpSync {
        let row = Instruction::of_sparse(cx.ir, op).expect("a lowered program has instructions of the chip");
        let types = [0, 1, 2].map(|index| Scalar::of(&cx.ir[cx.ir.elem_of(cx.ir.operand(op, index))]));
        (&*row.mnemonic, types.map(|elem| elem.expect("factors and sums are scalars")))
    } else {
        let mma = Mma::of_op(cx.ir, op).filter(|mma| chip.mmas.contains(&mma.name));
        let mma = mma.ok_or_else(|| cx.cannot(op, &format!("{} has no such matrix instruction", chip.name)))?;
        (mma.mnemonic, mma.types)
    };
    let mut operands = Vec::new();
    for (index, &elem) in types.iter().enumerate() {
        let atoms = cx.atoms(cx.ir.operand(op, index));
        let words = cx.words(elem, &atoms);
        // PTX ISA, "Matrix Fragments for mma.m16n8k8": a tf32 is in a .b32 register.
        let untyped = elem == Scalar::Float(Float::F32) && index < 2;
        operands.push(if untyped { words.into_iter().map(|word| cx.untyped(word)).collect() } else { words });
    }
    let (result, acc, elem) = (cx.ir.result(op, 0), cx.ir.operand(op, 2), types[2]);
    let n_elems = n_elems(cx.ir, cx.ir.type_of(result));
    let into: Vec<Reg> = if accumulates_in_place(cx, op, acc, elem) {
        operands[2].clone()
    } else {
        operands[2].iter().map(|reg| cx.fresh(reg.kind)).collect()
    };
    if matches!(types[0], Scalar::Float(_)) && types[0].bits() == 8 {
        // PTX ISA, "mma": e4m3 and e5m2 came with version 8.4.
        cx.need("8.4");
    }
    let lists = [&into, &operands[0], &operands[1], &operands[2]];
    match cx.ir.operands(op).get(3) {
        None => cx.inst_on_lists(mnemonic, &lists.map(Vec::as_slice)),
        Some(&metadata) => {
            let atoms = cx.atoms(metadata);
            let word = cx.words(Scalar::Int(16), &atoms)[0];
            let selector = cx.ir.attr(op, "sparsitySelector").and_then(Attr::as_i64).unwrap_or(0);
            let lists = lists.map(|regs| list(regs)).join(", ");
            // PTX ISA, "mma.sp": version 8.5 knows that indices rise, which new chips need to be fast.
            let mnemonic = match cx.version >= "8.5" {
                true => mnemonic.replacen("mma.sp", "mma.sp::ordered_metadata", 1),
                false => mnemonic.to_owned(),
            };
            cx.inst(format_args!("{mnemonic} {lists}, {word}, {selector}"));
        }
    }
    cx.hold(result, Held::Many(Cx::from_words(elem, n_elems, &into)));
    Ok(())
}

/// Threads that do a product in shared memory together.
const GROUP: u32 = 128;

/// `nvgpu.wgmma`. What it adds to is in its registers until a wait says otherwise: no instruction may move it.
pub(super) fn multiply_shared(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let chip = cx.lowered.chip();
    let known = chip.processors.is_some_and(|processors| processors.shared_flops > 0);
    let product = SharedProduct::of(cx.ir, op).filter(|_| known);
    let product = product.ok_or_else(|| cx.cannot(op, &format!("{} has no such matrix instruction", chip.name)))?;
    let threads = cx.lowered.workgroup_size().map_or(0, |extents| extents.iter().product());
    if threads == 0 || !threads.is_multiple_of(GROUP) {
        return Err(cx.cannot(op, &format!("{GROUP} threads do it together, and the workgroup has {threads}")));
    }
    let (result, elem) = (cx.ir.result(op, 0), product.types[2]);
    let rhs_at = cx.ir.operands(op).len() - 3;
    let acc = cx.ir.operand(op, rhs_at + 2);
    let atoms = cx.atoms(acc);
    let is_zero = atoms.iter().all(|atom| *atom == Atom::Imm(0));
    let into: Vec<Reg> = if is_zero {
        let kind = cx.kind_of(elem).ok_or_else(|| cx.cannot(op, "no register holds its sums"))?;
        atoms.iter().map(|_| cx.fresh(kind)).collect()
    } else if accumulates_in_place(cx, op, acc, elem) {
        cx.words(elem, &atoms)
    } else {
        let words = cx.words(elem, &atoms);
        words.iter().map(|&word| cx.compute(&format!("mov.{}", word.kind.ty()), word.kind, &[word.into()])).collect()
    };
    let a = match &product.lhs {
        Some(tile) => descriptor(cx, op, 0, tile)?.to_string(),
        None => {
            let atoms = cx.atoms(cx.ir.operand(op, 0));
            list(&cx.words(product.types[0], &atoms))
        }
    };
    let b = descriptor(cx, op, rhs_at, &product.rhs)?;
    // PTX ISA, "wgmma.mma_async": whether to add to what is there, factors not negated, and for 16-bit types in shared
    // memory what is contiguous.
    let adds = i32::from(!is_zero);
    let scales = if matches!(elem, Scalar::Float(_)) { ", 1, 1" } else { "" };
    let transposed = |tile: &SharedTile| format!(", {}", i32::from(tile.major == Major::Mn));
    let transposed = match product.types[0].bits() {
        16 => product.lhs.iter().chain([&product.rhs]).map(transposed).collect(),
        _ => String::new(),
    };
    let sums = list(&into);
    cx.inst(format_args!("{} {sums}, {a}, {b}, {adds}{scales}{transposed}", product.mnemonic));
    let n_elems = n_elems(cx.ir, cx.ir.type_of(result));
    cx.hold(result, Held::Many(Cx::from_words(elem, n_elems, &into)));
    Ok(())
}

/// The descriptor of the tile that operand `at` and the index behind it name. PTX ISA, "Matrix Descriptor Format":
/// sixteenths of the address below bit 14.
fn descriptor(cx: &mut Cx<'_>, op: OpId, at: usize, tile: &SharedTile) -> Result<Reg, Diag> {
    let (base, index) = (cx.ir.operand(op, at), cx.ir.operand(op, at + 1));
    let (elem, buffer) = (cx.scalar(op, base)?.0, cx.buffer(base));
    let offsets = tile.offsets();
    let (start, bytes) = memory::shared_start(cx, op, buffer, index, elem)?;
    let low = cx.known(Known::Sixteenths(start), |cx| {
        cx.compute("shr.u32", Kind::B32, &[start.into(), Operand::Imm(Kind::B32, 4)])
    });
    let more = Operand::Imm(Kind::B32, (offsets & 0xffff_ffff) + (bytes as u64 >> 4));
    let low = cx.compute("add.s32", Kind::B32, &[low.into(), more]);
    let high = cx.reg_of(Atom::Imm(offsets >> 32), Kind::B32);
    let whole = cx.fresh(Kind::B64);
    cx.inst(format_args!("mov.b64 {whole}, {{{low}, {high}}}"));
    Ok(whole)
}

/// Packs the factors in registers of the products behind a fence: none of their registers is written once these have begun.
fn pack_factors(cx: &mut Cx<'_>, fence: OpId) -> Result<(), Diag> {
    let mut next = cx.ir.next_op(fence);
    while let Some(op) = next.filter(|&op| cx.ir.opcode(op) != Opcode::NvvmWgmmaCommitGroupSyncAligned) {
        let makes = |op: OpId| cx.ir.opcode(op) == Opcode::VectorFromElements;
        let factor = match *cx.ir.operands(op) {
            [lhs, _, _, _] if cx.ir.opcode(op) == Opcode::NvgpuWgmma => cx.ir.def_op(lhs).filter(|&op| makes(op)),
            _ => None,
        };
        if let Some(factor) = factor.filter(|&op| cx.ir.operands(op).iter().all(|&value| cx.is_bound(value))) {
            flow::elements(cx, factor)?;
        }
        next = cx.ir.next_op(op);
    }
    Ok(())
}

/// What stands around products in shared memory.
pub(super) fn order(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match cx.ir.opcode(op) {
        Opcode::NvvmWgmmaFenceAligned => {
            pack_factors(cx, op)?;
            cx.inst(format_args!("wgmma.fence.sync.aligned"));
        }
        Opcode::NvvmWgmmaCommitGroupSyncAligned => cx.inst(format_args!("wgmma.commit_group.sync.aligned")),
        Opcode::NvvmWgmmaWaitGroupSyncAligned => {
            let n = cx.ir.attr(op, "group").and_then(Attr::as_i64).unwrap_or(0);
            cx.inst(format_args!("wgmma.wait_group.sync.aligned {n}"));
        }
        // What other threads have written, and copied, to shared memory is seen by these instructions.
        Opcode::NvvmFenceProxy => cx.inst(format_args!("fence.proxy.async.shared::cta")),
        _ => return Err(cx.cannot(op, "it orders nothing")),
    }
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
        Opcode::NvgpuMmaSync | Opcode::NvgpuWgmma | Opcode::MemrefLoad | Opcode::VectorLoad | Opcode::ScfFor => true,
        Opcode::ScfIf | Opcode::ArithMulf | Opcode::ArithAddf => true,
        _ => false,
    }
}

/// The value that products in shared memory add to for a value that a loop yields, if that is computed from what the loop
/// carries in its place, and for nothing else: it takes its register, so that nothing moves sums that are on their way.
pub(super) fn begins(ir: &Ir, yielded: ValueId, arg: ValueId) -> Option<ValueId> {
    let (mut value, mut found) = (yielded, false);
    loop {
        let (op, index) = match ir.def(value) {
            Def::Result { op, index } => (op, index as usize),
            Def::Arg { .. } => return None,
        };
        if ir.opcode(op) != Opcode::VectorToElements {
            let computed = matches!(ir.opcode(op), Opcode::ArithMulf | Opcode::ArithAddf);
            let alone = |value: ValueId| ir.uses(value).count() == 1;
            let reads = ir.operands(op).contains(&arg);
            return (found && computed && reads && alone(arg) && alone(value)).then_some(value);
        }
        let mut product = ir.def_op(ir.operand(op, 0))?;
        loop {
            if ir.opcode(product) != Opcode::NvgpuWgmma {
                return None;
            }
            found = true;
            let before = ir.def_op(*ir.operands(product).last()?)?;
            if ir.opcode(before) == Opcode::VectorFromElements {
                value = *ir.operands(before).get(index)?;
                break;
            }
            product = before;
        }
    }
}
