//! Taken: tensors of which a body reads elements at places that it computes, as the weights of the expert that an index names.

use std::collections::BTreeMap;

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, OpId, Opcode, ValueId};
use rustc_hash::FxHashMap;

/// The tensor from which an operation without operands takes its elements by their indices, one after the other along its
/// last loop, so that they are copied as rows of a matrix are.
pub(crate) fn rows_taken(ir: &Ir, op: OpId) -> Option<ValueId> {
    let linalg = Linalg::try_of(ir, op).filter(|_| ir.opcode(op) == Opcode::LinalgGeneric)?;
    let end = ir.terminator(ir.entry(op)).filter(|_| linalg.inputs.is_empty() && linalg.outputs.len() == 1)?;
    let taken = ir.def_op(ir.operand(end, 0)).filter(|&op| ir.opcode(op) == Opcode::TensorExtract)?;
    let last = ir.def_op(*ir.operands(taken).last()?).filter(|&op| ir.opcode(op) == Opcode::LinalgIndex)?;
    let along = ir.attr(last, "dim")?.as_i64()?;
    (along + 1 == linalg.reduction.len() as i64).then(|| ir.operand(taken, 0))
}

/// An element that a body reads.
pub(crate) struct Read {
    /// Of this tensor.
    pub tensor: ValueId,
    /// How the index of each dimension goes along the loops that it depends on.
    pub places: Vec<BTreeMap<usize, Along>>,
}

/// How a number in the body of an operation goes along a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Along {
    /// It is a sum of loops.
    Counting,
    /// It may be anything.
    Anyhow,
}

impl Read {
    /// The loops in the order in which they go through the tensor's memory, if one alone counts along its last dimension.
    pub(crate) fn lines(&self) -> Option<Vec<usize>> {
        let (last, outer) = self.places.split_last()?;
        let mut loops: Vec<usize> = Vec::new();
        for d in outer.iter().flat_map(|place| place.keys()).chain(last.keys()) {
            if !loops.contains(d) {
                loops.push(*d);
            }
        }
        let contiguous = last.iter().next().filter(|_| last.len() == 1)?;
        let is_outer = outer.iter().any(|place| place.contains_key(contiguous.0));
        (*contiguous.1 == Along::Counting && !is_outer).then_some(loops)
    }

    /// Whether it lies anywhere for neighbours along a loop.
    pub(crate) fn is_apart(&self, d: usize) -> bool {
        let Some((last, outer)) = self.places.split_last() else { return false };
        last.get(&d) == Some(&Along::Anyhow) || outer.iter().any(|place| place.contains_key(&d))
    }
}

/// The elements that the body of an operation reads.
pub(crate) fn reads(ir: &Ir, op: OpId, linalg: &Linalg) -> Vec<Read> {
    let n_loops = linalg.reduction.len();
    let mut along: FxHashMap<ValueId, BTreeMap<usize, Along>> = FxHashMap::default();
    for (&arg, map) in ir.args(ir.entry(op)).iter().zip(&linalg.maps) {
        let is_named = |&d: &usize| map.results.iter().any(|place| place.names(&|own| own == d));
        along.insert(arg, (0..n_loops).filter(is_named).map(|d| (d, Along::Anyhow)).collect());
    }
    let mut found = Vec::new();
    for made in ir.walk(op) {
        let operands: Vec<_> =
            ir.operands(made).iter().map(|value| along.get(value).cloned().unwrap_or_default()).collect();
        let mut own: BTreeMap<usize, Along> = BTreeMap::new();
        for (&d, &how) in operands.iter().flatten() {
            let most = own.entry(d).or_insert(how);
            *most = how.max(*most);
        }
        match ir.opcode(made) {
            Opcode::AffineApply | Opcode::ArithAddi | Opcode::ArithSubi | Opcode::ArithIndexCast => {}
            Opcode::LinalgIndex => {
                let dim = ir.attr(made, "dim").and_then(|dim| usize::try_from(dim.as_i64()?).ok());
                own.extend(dim.map(|d| (d, Along::Counting)));
            }
            // Its regions may count each loop.
            _ if !ir.regions(made).is_empty() => own = (0..n_loops).map(|d| (d, Along::Anyhow)).collect(),
            _ => own.values_mut().for_each(|how| *how = Along::Anyhow),
        }
        along.extend(ir.results(made).map(|result| (result, own.clone())));
        if ir.opcode(made) == Opcode::TensorExtract {
            found.push(Read { tensor: ir.operand(made, 0), places: operands[1..].to_vec() });
        }
    }
    found
}
