//! Scans as structured operations: the loops, maps and combiner of `iree_linalg_ext.scan`.
//!
//! A scan has a loop for each dimension of its input. The output lies along all of them, the accumulator along all but the
//! one that is scanned. Configurations count these loops as those of `linalg` operations.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Ir, Map, OpId, Opcode};

use crate::structured::body::Combiner;

/// `iree_linalg_ext.scan` on tensors, whose body is one combining operation.
pub(crate) struct Scan {
    /// Its input, and its output and accumulator.
    pub linalg: Linalg,
    /// The loop that is scanned.
    pub dim: usize,
    /// Whether an element is part of the partial result at its place; else the accumulator comes first.
    pub inclusive: bool,
    /// What combines.
    pub combiner: Combiner,
}

impl Scan {
    /// Takes a scan apart; `None` for any other operation, and for one that only scalar loops compute.
    pub fn of(ir: &Ir, op: OpId) -> Option<Scan> {
        let (linalg, dim) = parts(ir, op)?;
        let inclusive = ir.attr(op, "inclusive")?;
        let inclusive = *inclusive == Attr::Bool(true) || inclusive.as_i64() == Some(1);
        let tensors = ir.operands(op).iter().all(|&value| ir.ty(value).is_tensor());
        Some(Scan { linalg, dim, inclusive, combiner: combiner(ir, op)? }).filter(|_| tensors)
    }
}

fn parts(ir: &Ir, op: OpId) -> Option<(Linalg, usize)> {
    let &[input, output, acc] = ir.operands(op) else { return None };
    if ir.opcode(op) != Opcode::IreeLinalgExtScan {
        return None;
    }
    let rank = ir.ty(input).shape()?.len();
    let dim = usize::try_from(ir.attr(op, "dimension")?.as_i64()?).ok().filter(|&dim| dim < rank)?;
    let kept: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
    let maps = vec![Map::identity(rank), Map::identity(rank), Map::of_dims(rank, &kept)];
    let reduction = (0..rank).map(|d| d == dim).collect();
    Some((Linalg { inputs: vec![input], outputs: vec![output, acc], maps, reduction }, dim))
}

/// The loops of a structured operation or a scan.
pub(crate) fn loops_of(ir: &Ir, op: OpId) -> Option<Linalg> {
    Linalg::try_of(ir, op).or_else(|| Some(parts(ir, op)?.0))
}

/// What the body of a scan combines with, if it does nothing else.
pub(crate) fn combiner(ir: &Ir, op: OpId) -> Option<Combiner> {
    let body = ir.body(op, 0)?;
    let [combine, end] = ir.ops_of(body)[..] else { return None };
    let (args, operands) = (ir.args(body), ir.operands(combine));
    let both = operands == args || operands.iter().rev().eq(args);
    let yields = ir.results(combine).len() == 1 && ir.operands(end) == [ir.result(combine, 0)];
    Combiner::of_opcode(ir.opcode(combine)).filter(|_| both && yields)
}

/// The scan of a kernel, which decides the tiling.
pub(crate) fn of(ir: &Ir, func: OpId) -> Option<OpId> {
    ir.block_ops(ir.entry(func)).find(|&op| ir.opcode(op) == Opcode::IreeLinalgExtScan)
}
