//! Lower reductions and contractions of one thread's vectors: unrolled, in row-major order of what is combined.

use raddle_ir::views::Contract;
use raddle_ir::{Diag, Float, OpId, Opcode, Type, TypeId, ValueId};

use super::Cx;
use super::vector::walk;
use crate::code::extents::row_major;

/// Products of one contraction in one thread.
const PRODUCTS_MAX: i64 = 1 << 16;

impl Cx<'_> {
    /// The combining operation that an attribute names, for elements of this type.
    pub(super) fn combiner_of(&self, op: OpId, attr: &str, elem: TypeId) -> Result<Opcode, Diag> {
        let kind = self.ir.keyword_of(op, attr).unwrap_or("add");
        let float = matches!(self.ir[elem], Type::Float(_));
        Opcode::combining(kind, float)
            .ok_or_else(|| self.refuse(op).label(format!("`{kind}` does not combine elements of this type")))
    }

    /// Combines elements along dimensions.
    pub(super) fn reduce(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::VectorMultiReduction => self.multi_reduction(op),
            Opcode::VectorScan => self.scan(op),
            _ => Err(self.refuse(op).help("whole-workgroup programs are distributed first")),
        }
    }

    /// acc ⊕ x0 ⊕ x1 ⊕ …, from left to right.
    fn multi_reduction(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, acc, result) = (self.ir.operand(op, 0), self.ir.operand(op, 1), self.ir.result(op, 0));
        let opcode = self.combiner_of(op, "kind", self.ir.elem_of(result))?;
        let dims = self.ir.attr_id(op, "reduction_dims").and_then(|attr| self.ir.ints(attr)).unwrap_or_default();
        let elements = self.list(source);
        let mut accs = self.list(acc);
        let shape = self.ir.shape_of(source).to_vec();
        // A dimension that is combined does not step through the accumulator.
        let mut kept = row_major(self.ir.shape_of(acc)).into_iter();
        let strides: Vec<i64> =
            (0..shape.len() as i64).map(|d| if dims.contains(&d) { 0 } else { kept.next().unwrap_or(0) }).collect();
        for (&element, at) in elements.iter().zip(walk(&shape, 0, &strides)) {
            accs[at as usize] = self.binary(opcode, accs[at as usize], element);
        }
        self.set_elements(result, &accs);
        Ok(())
    }

    /// acc ⊕ a0·b0 ⊕ a1·b1 ⊕ …, with products in the accumulator's type. A sum of products is free in its order and in
    /// how it rounds: chips add a product in one operation, rounded once.
    pub(super) fn contract(&mut self, op: OpId) -> Result<(), Diag> {
        let contract = Contract::of(self.ir, op);
        let result = self.ir.result(op, 0);
        let elem = self.ir.elem_of(result);
        let opcode = self.combiner_of(op, "kind", elem)?;
        let float = matches!(self.ir[elem], Type::Float(_));
        let fuses = opcode == Opcode::ArithAddf
            && matches!(self.ir[elem], Type::Float(Float::F16 | Float::BF16 | Float::F32 | Float::F64));
        let multiply = if float { Opcode::ArithMulf } else { Opcode::ArithMuli };

        let n_loops = contract.reduction.len();
        let mut extents = vec![1; n_loops];
        let mut strides = Vec::new();
        for (value, map) in [contract.lhs, contract.rhs, contract.acc].into_iter().zip(&contract.maps) {
            let Some(dims) = map.as_dims() else {
                return Err(self.refuse(op).label("an indexing map that is not a projection"));
            };
            let shape = self.ir.shape_of(value);
            let mut steps = vec![0; n_loops];
            for ((&d, &size), &stride) in dims.iter().zip(shape).zip(&row_major(shape)) {
                extents[d] = size;
                steps[d] += stride;
            }
            strides.push(steps);
        }
        let n = extents.iter().try_fold(1i64, |acc, &extent| acc.checked_mul(extent));
        if n.is_none_or(|n| n > PRODUCTS_MAX) {
            return Err(self.too_large(op).label(format!("more than {PRODUCTS_MAX} products in one thread")));
        }
        let lhs = self.widened(op, contract.lhs, elem)?;
        let rhs = self.widened(op, contract.rhs, elem)?;
        let mut accs = self.list(contract.acc);
        let places: Vec<Vec<i64>> = strides.iter().map(|steps| walk(&extents, 0, steps)).collect();
        for k in 0..places[0].len() {
            let (lhs, rhs) = (lhs[places[0][k] as usize], rhs[places[1][k] as usize]);
            let at = places[2][k] as usize;
            accs[at] = if fuses {
                self.value(Opcode::MathFma, &[lhs, rhs, accs[at]], elem, self.no_attrs)
            } else {
                let product = self.binary(multiply, lhs, rhs);
                self.binary(opcode, accs[at], product)
            };
        }
        self.set_elements(result, &accs);
        Ok(())
    }

    /// The elements of a factor, extended to the accumulator's type.
    fn widened(&mut self, op: OpId, value: ValueId, elem: TypeId) -> Result<Vec<ValueId>, Diag> {
        let elements = self.list(value);
        let from = self.ir.elem_of(value);
        if from == elem {
            return Ok(elements);
        }
        let extend = match (&self.ir[from], &self.ir[elem]) {
            (Type::Float(from), Type::Float(to)) if from.bits() < to.bits() => Opcode::ArithExtf,
            (Type::Integer { width: from, .. }, Type::Integer { width: to, .. }) if from < to => Opcode::ArithExtsi,
            _ => return Err(self.refuse(op).label("the factors do not extend to the accumulator's type")),
        };
        Ok(elements.into_iter().map(|element| self.value(extend, &[element], elem, self.no_attrs)).collect())
    }
}
