//! Choices: what a whole number may be that a reduction takes from its loops, as the place of a maximum in a window.

use raddle_ir::views::Linalg;
use raddle_ir::{Def, Expr, Ir, OpId, Opcode, ValueId};
use rustc_hash::FxHashMap;

use super::{Node, Reader, Whole, whole};
use crate::structured::body;

impl Reader<'_> {
    /// The whole numbers that a leaf may be: sums of loops, those that its reduction has for itself behind the others, of which
    /// it takes the first or the last one. The reader knows how long these are from then on.
    pub fn choices(&mut self, leaf: usize) -> Option<Vec<Whole>> {
        let Node::Element(tensor, dims) = &self.nodes[leaf] else { return None };
        let (ir, tensor, dims) = (self.ir, *tensor, dims.clone());
        let Def::Result { op, index } = ir.def(tensor) else { return None };
        let (linalg, index) = (Linalg::try_of(ir, op)?, index as usize);
        let reduction = body::reduction_of(ir, op, index)?;
        let chooses = matches!(
            reduction.combiner.opcode,
            Opcode::ArithMinsi | Opcode::ArithMaxsi | Opcode::ArithMinui | Opcode::ArithMaxui
        );
        let written = linalg.maps[linalg.inputs.len() + index].as_dims().filter(|_| chooses)?;
        let mut loops: Vec<Option<Expr>> = vec![None; linalg.reduction.len()];
        for (&own, dim) in written.iter().zip(&dims) {
            loops[own] = Some(dim.map_or(Expr::Const(0), |d| Expr::Dim(d as u32)));
        }
        for (d, own) in loops.iter_mut().enumerate().filter(|(_, own)| own.is_none()) {
            *own = Some(Expr::Dim(self.extents.len() as u32));
            self.extents.push(extent(ir, &linalg, d).filter(|&extent| extent > 0)?);
        }
        let loops: Vec<Expr> = loops.into_iter().collect::<Option<_>>()?;
        let begin = self.element(linalg.outputs[index], dims.iter().map(|_| Expr::Const(0)).collect())?;
        let mut found = vec![self.whole(begin)?];
        let mut known = FxHashMap::default();
        for value in chosen(ir, op, reduction.value) {
            let node = self.scalar(value, op, &linalg, &loops, &mut known)?;
            let choice = self.whole(node)?;
            if !found.iter().any(|other| other.is(&choice)) {
                found.push(choice);
            }
        }
        Some(found)
    }

    /// The whole number that an expression is where a leaf of it is one.
    pub fn whole_where(&self, node: usize, leaf: usize, is: &Whole) -> Option<Whole> {
        match &self.nodes[node] {
            _ if node == leaf => Some(is.clone()),
            Node::Scalar(op, of) if !of.is_empty() => {
                let mut operands: Vec<Option<Whole>> = of.iter().map(|&of| self.whole_where(of, leaf, is)).collect();
                match whole::known(self.ir, *op, &operands, &self.extents)? {
                    whole::Known::Whole(whole) => Some(whole),
                    whole::Known::Operand(at) => operands.swap_remove(at),
                }
            }
            _ => self.whole(node),
        }
    }

    /// The least and the greatest that a whole number is.
    pub fn range(&self, whole: &Whole) -> (i128, i128) {
        whole.range(&self.extents)
    }
}

/// The values that selections in a body choose from.
fn chosen(ir: &Ir, op: OpId, value: ValueId) -> Vec<ValueId> {
    let made = ir.def_op(value).filter(|&made| ir.parent_op(made) == Some(op));
    match made.filter(|&made| ir.opcode(made) == Opcode::ArithSelect) {
        Some(made) => [1, 2].into_iter().flat_map(|at| chosen(ir, op, ir.operand(made, at))).collect(),
        None => vec![value],
    }
}

/// How long a loop is, as a tensor says.
fn extent(ir: &Ir, linalg: &Linalg, d: usize) -> Option<i64> {
    let operands = linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps);
    operands.filter(|(value, _)| ir.ty(**value).is_tensor()).find_map(|(&value, map)| {
        let at = map.results.iter().position(|place| *place == Expr::Dim(d as u32))?;
        Some(ir.shape_of(value)[at])
    })
}
