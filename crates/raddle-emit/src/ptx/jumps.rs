//! Regions of several blocks: a label for each block, registers for what it is given, and jumps that fill them.
//!
//! Blocks are written behind those that dominate them, inside of their scopes. A way on has its moves to itself: they
//! stand in front of its branch, and whoever goes another way jumps over them.

use raddle_ir::views::Jump;
use raddle_ir::{BlockId, Diag, OpId, Opcode, RegionId, ValueId, dominance};
use rustc_hash::FxHashMap;

use super::flow::{self, bind_registers, move_all, registers_like, sources};
use super::int::Int;
use super::value::{Cx, Kind, Operand, Reg};

/// How to get to a block.
struct Target {
    label: u32,
    /// The registers of its arguments.
    args: Vec<Vec<Reg>>,
}

/// The blocks of a region of `op`; `leave` writes what its ways out do.
pub(super) fn region(
    cx: &mut Cx<'_>,
    op: OpId,
    region: RegionId,
    mut leave: impl FnMut(&mut Cx<'_>, OpId) -> Result<(), Diag>,
) -> Result<(), Diag> {
    let tree = dominance::tree(cx.ir, region);
    let mut targets: FxHashMap<BlockId, Target> = FxHashMap::default();
    for &(block, _) in tree.iter().skip(1) {
        let mut args = Vec::new();
        for &arg in cx.ir.args(block) {
            let regs = registers_like(cx, op, arg)?;
            bind_registers(cx, op, arg, &regs)?;
            args.push(regs);
        }
        let label = cx.fresh_label();
        targets.insert(block, Target { label, args });
    }
    let around = cx.n_scopes();
    for (i, &(block, depth)) in tree.iter().enumerate() {
        cx.open_scope(around + depth);
        if let Some(target) = targets.get(&block) {
            cx.label(target.label);
        }
        flow::block(cx, block)?;
        let end = cx.ir.terminator(block).expect("a verified block has a terminator");
        let next = tree.get(i + 1).map(|&(next, _)| next);
        match cx.ir.jumps(end)[..] {
            [] => cx.scoped(|cx| leave(cx, end))?,
            ref jumps => go_on(cx, end, jumps, &targets, next)?,
        }
    }
    cx.close_scopes(around);
    Ok(())
}

/// Writes the end of a block that goes on to others; to `next` it falls through.
fn go_on(
    cx: &mut Cx<'_>,
    end: OpId,
    jumps: &[Jump<'_>],
    targets: &FxHashMap<BlockId, Target>,
    next: Option<BlockId>,
) -> Result<(), Diag> {
    let (tests, other) = match (cx.ir.opcode(end), jumps) {
        (Opcode::CfBr, &[only]) => (&[][..], only),
        (Opcode::CfCondBr, &[then, otherwise]) => (&[then][..], otherwise),
        (Opcode::CfSwitch, &[default, ref cases @ ..]) => (cases, default),
        _ => return Err(cx.cannot(end, "it is not a jump that PTX has")),
    };
    for jump in tests {
        let flag = cx.ir.operand(end, 0);
        let goes = match jump.case {
            Some(case) => equals(cx, end, flag, case)?,
            None => cx.reg(flag, Kind::Pred),
        };
        let target = &targets[&jump.to];
        if jump.args.is_empty() {
            cx.inst(format_args!("@{goes} bra $L__BB{}", target.label));
            continue;
        }
        let not_here = cx.fresh_label();
        cx.inst(format_args!("@!{goes} bra $L__BB{not_here}"));
        pass(cx, end, jump.args, target)?;
        cx.inst(format_args!("bra $L__BB{}", target.label));
        cx.label(not_here);
    }
    let target = &targets[&other.to];
    pass(cx, end, other.args, target)?;
    if next != Some(other.to) {
        cx.inst(format_args!("bra $L__BB{}", target.label));
    }
    Ok(())
}

/// Fills the registers of a block's arguments.
fn pass(cx: &mut Cx<'_>, end: OpId, values: &[ValueId], target: &Target) -> Result<(), Diag> {
    cx.scoped(|cx| {
        let mut moves = Vec::new();
        for (&value, regs) in values.iter().zip(&target.args) {
            moves.extend(regs.iter().copied().zip(sources(cx, end, value)?));
        }
        move_all(cx, moves);
        Ok(())
    })
}

/// Whether an integer is a number.
fn equals(cx: &mut Cx<'_>, op: OpId, flag: ValueId, number: i64) -> Result<Reg, Diag> {
    let (scalar, _) = cx.scalar(op, flag)?;
    let int = Int::of(cx, scalar);
    let atom = cx.atom(flag);
    let flag = int.signed(cx, atom);
    let number = Operand::Imm(int.kind, number as u64 & super::value::mask(int.kind.bits()));
    Ok(cx.compute(&int.name("setp.eq", 's'), Kind::Pred, &[flag, number]))
}

/// `scf.execute_region`
pub(super) fn execute(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    let mut left = Vec::new();
    for &result in &results {
        left.push(registers_like(cx, op, result)?);
    }
    let way_out = Target { label: cx.fresh_label(), args: left };
    let inner = cx.ir.regions(op)[0];
    region(cx, op, inner, |cx, end| {
        pass(cx, end, cx.ir.operands(end), &way_out)?;
        cx.inst(format_args!("bra $L__BB{}", way_out.label));
        Ok(())
    })?;
    cx.label(way_out.label);
    for (&result, regs) in results.iter().zip(&way_out.args) {
        bind_registers(cx, op, result, regs)?;
    }
    Ok(())
}
