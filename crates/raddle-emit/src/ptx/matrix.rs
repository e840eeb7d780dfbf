//! Matrix instructions: registers in the order that the instruction's table row gives them.

use raddle_ir::{Attr, BlockId, Def, Diag, Float, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::Mma;
use raddle_target::catalogue::{Instruction, Major, SharedProduct, SharedTile};
use rustc_hash::FxHashMap;

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
    let operands = [0, 1, 2].map(|index| words(cx, op, index, types[index]));
    let (result, acc, elem) = (cx.ir.result(op, 0), cx.ir.operand(op, 2), types[2]);
    let n_elems = n_elems(cx.ir, cx.ir.type_of(result));
    let into: Vec<Reg> = if accumulates_in_place(cx, op, acc, elem) {
        operands[2].clone()
    } else {
        operands[2].iter().map(|reg| cx.fresh(reg.kind)).collect()
    };
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

/// The registers of an operand of an instruction.
fn words(cx: &mut Cx<'_>, op: OpId, index: usize, elem: Scalar) -> Vec<Reg> {
    if matches!(elem, Scalar::Float(_)) && elem.bits() == 8 {
        // PTX ISA, "mma": e4m3 and e5m2 came with version 8.4.
        cx.need("8.4");
    }
    let atoms = cx.atoms(cx.ir.operand(op, index));
    let words = cx.words(elem, &atoms);
    // PTX ISA, "Matrix Fragments for mma.m16n8k8": a tf32 is in a .b32 register.
    let untyped = elem == Scalar::Float(Float::F32) && index < 2;
    if untyped { words.into_iter().map(|word| cx.untyped(word)).collect() } else { words }
}

/// A branch that does nothing but products: instructions under a condition, between which assemblers may put others.
/// Returns whether the branch is one.
pub(super) fn multiply_if(cx: &mut Cx<'_>, branch: OpId, condition: Reg) -> Result<bool, Diag> {
    let Some(Guarded { starts, products }) = Guarded::of(cx, branch) else { return Ok(false) };
    // Sums stay where they are unless something else reads what they are added to.
    let around = cx.ir.parent_block(branch).expect("an operation of a function is in a block");
    let mut sums = Vec::with_capacity(starts.len());
    for &start in &starts {
        // Each side has it once.
        let is_own =
            cx.ir.uses(start).count() == 2 && cx.ir.uses(start).all(|(user, _)| cx.ir.parent_op(user) == Some(branch));
        sums.push(match cx.atom(start) {
            Atom::Reg(reg) if is_own && is_made_anew(cx.ir, start, around) => reg,
            _ => {
                let into = flow::registers_like(cx, branch, start)?[0];
                let from = flow::sources(cx, branch, start)?[0];
                flow::move_all(cx, [(into, from)]);
                into
            }
        });
    }
    for op in cx.ir.ops_of(cx.ir.body(branch, 0).expect("it has products")) {
        let Some((_, mma, places)) = products.iter().find(|product| product.0 == op) else {
            let is_factor = |(user, index): (OpId, usize)| index < 2 && cx.ir.opcode(user) == Opcode::NvgpuMmaSync;
            if cx.ir.opcode(op) == Opcode::VectorFromElements && cx.ir.uses(cx.ir.result(op, 0)).any(is_factor) {
                flow::elements(cx, op)?;
            }
            continue;
        };
        let [a, b] = [0, 1].map(|index| words(cx, op, index, mma.types[index]));
        let own: Vec<Reg> = places.iter().map(|&place| sums[place]).collect();
        cx.locate(op);
        cx.inst_on_lists(&format!("@{condition} {}", mma.mnemonic), &[&own, &a, &b, &own]);
    }
    for (result, register) in cx.ir.results(branch).zip(sums) {
        cx.bind(result, Atom::Reg(register));
    }
    Ok(true)
}

/// Products under a condition, each sum of which is a result of the branch.
struct Guarded {
    /// What each result is without the products.
    starts: Vec<ValueId>,
    /// The products, and for each sum of one which result it is.
    products: Vec<(OpId, &'static Mma, Vec<usize>)>,
}

impl Guarded {
    /// Of a branch whose results are words; `None` where it does anything else.
    fn of(cx: &Cx<'_>, branch: OpId) -> Option<Guarded> {
        let ir = cx.ir;
        let (then, otherwise) = (ir.ops_of(ir.body(branch, 0)?), ir.ops_of(ir.body(branch, 1)?));
        let ((&end, body), &[other]) = (then.split_last()?, &otherwise[..]) else { return None };
        let starts = ir.operands(other).to_vec();
        let mut places: FxHashMap<OpId, Vec<Option<usize>>> = FxHashMap::default();
        let mut products = Vec::new();
        for &op in body {
            match ir.opcode(op) {
                Opcode::VectorFromElements | Opcode::VectorToElements => {}
                Opcode::NvgpuMmaSync => {
                    let mma = Mma::of_op(ir, op).filter(|mma| cx.lowered.chip().mmas.contains(&mma.name))?;
                    if !matches!(cx.kind_of(mma.types[2]), Some(Kind::F32 | Kind::B32)) || mma.types[2].bits() != 32 {
                        return None;
                    }
                    places.insert(op, vec![None; n_elems(ir, ir.type_of(ir.result(op, 0)))]);
                    products.push((op, mma));
                }
                _ => return None,
            }
        }
        // From each sum back to where it begins: what is in between is read by the next product alone.
        let is_private = |value: ValueId| ir.uses(value).count() == 1;
        for (result, (&sum, &start)) in ir.operands(end).iter().zip(&starts).enumerate() {
            let mut value = sum;
            while value != start {
                let Def::Result { op: split, index } = ir.def(value) else { return None };
                if ir.opcode(split) != Opcode::VectorToElements {
                    return None;
                }
                let product = ir.def_op(ir.operand(split, 0))?;
                *places.get_mut(&product)?.get_mut(index as usize)? = Some(result);
                let acc = ir.def_op(ir.operand(product, 2))?;
                if !is_private(value)
                    || !is_private(ir.operand(split, 0))
                    || ir.opcode(acc) != Opcode::VectorFromElements
                {
                    return None;
                }
                value = *ir.operands(acc).get(index as usize)?;
            }
        }
        let placed = |(op, mma)| Some((op, mma, places.remove(&op)?.into_iter().collect::<Option<Vec<_>>>()?));
        let products = products.into_iter().map(placed).collect::<Option<Vec<_>>>()?;
        (!products.is_empty()).then_some(Guarded { starts, products })
    }
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
    match ir.def_op(value).map(|op| (op, ir.opcode(op))) {
        // These give new names to registers that exist.
        Some((op, Opcode::VectorFromElements | Opcode::VectorToElements)) => {
            ir.parent_block(op) == Some(block) && ir.operands(op).iter().all(|&operand| owns(ir, operand, block))
        }
        _ => is_made_anew(ir, value, block),
    }
}

/// Whether a value has registers that are written each time the block runs, and that nothing else names.
fn is_made_anew(ir: &Ir, value: ValueId, block: BlockId) -> bool {
    match ir.def(value) {
        // A loop copies what it carries into registers of its own.
        Def::Arg { block: at, .. } => at == block && ir.opcode(ir.region_parent(ir.block_region(at))) == Opcode::ScfFor,
        Def::Result { op, .. } => {
            let makes = matches!(
                ir.opcode(op),
                Opcode::NvgpuMmaSync
                    | Opcode::NvgpuWgmma
                    | Opcode::MemrefLoad
                    | Opcode::VectorLoad
                    | Opcode::ScfFor
                    | Opcode::ScfIf
                    | Opcode::ArithMulf
                    | Opcode::ArithAddf
            );
            makes && ir.parent_block(op) == Some(block)
        }
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
