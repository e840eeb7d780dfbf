//! Decode structured operations: a nest of loops around decoded bodies, or a contraction where the body is one.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Code, Diag, Expr, Map, OpId, Opcode, Scalar, Type, ValueId};

use super::Decoder;
use super::data::WIDTH_MAX;
use super::vector::Operands;
use crate::inst::{Address, Inst, Nest, NestOperand, NestOutput, Transfer};
use crate::launch::Mode;
use crate::regs::{Reg, row_major};
use crate::tensor::checked_elements;

impl<'a> Decoder<'a> {
    pub(super) fn structured(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let linalg = Linalg::of(ir, op);
        let Some(body) = ir.body(op, 0) else {
            return Err(self.error(format!("`{}` has no body", self.name())));
        };
        let n_operands = linalg.inputs.len() + linalg.outputs.len();
        let extents = linalg.extents(ir);
        let rank = extents.len();
        let maps_fit = linalg.maps.len() == n_operands
            && linalg.maps.iter().zip(linalg.inputs.iter().chain(&linalg.outputs)).all(|(map, &value)| {
                map.dims as usize == rank && map.syms == 0 && map.results.len() == ir.shape_of(value).len()
            });
        if !maps_fit || ir.args(body).len() != n_operands || extents.iter().any(|&extent| extent < 0) {
            return Err(
                self.error(format!("the indexing maps of `{}` do not give its loops their extents", self.name()))
            );
        }
        self.check_inside(&linalg, &extents)?;
        let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
        let mut regs = Vec::new();
        for (at, &value) in operands.iter().enumerate() {
            // Nobody asks what was in a memref that all points together write.
            let is_replaced = at >= linalg.inputs.len()
                && ir.is_unused(ir.args(body)[at])
                && linalg.maps[at]
                    .as_dims()
                    .is_some_and(|dims| (1..dims.len()).all(|at| !dims[..at].contains(&dims[at])));
            regs.push(self.contents(op, value, !is_replaced)?);
        }
        let results = self.results_of(op, &linalg, &regs)?;
        match self.as_contraction(&linalg, body) {
            Some(elem) => {
                let (multiply, combine) = Operands::sum(elem, self.precision);
                let shapes = [0, 1, 2].map(|at| ir.shape_of(operands[at]));
                let maps = [0, 1, 2].map(|at| &linalg.maps[at]);
                let regs = [regs[0], regs[1], regs[2]];
                self.contraction(results[0], &Operands { regs, shapes, maps, multiply, combine })?;
            }
            None => self.nest(op, &linalg, &extents, body, &regs, &results)?,
        }
        for (&output, &result) in linalg.outputs.iter().zip(&results) {
            if matches!(ir.ty(output), Type::MemRef { .. }) {
                let inst = self.whole_box(op, output)?;
                self.emit_write(op, inst, result, output)?;
            }
        }
        Ok(())
    }

    /// The elements of an operand: what a memref holds is read in front of the operation, if it is needed.
    fn contents(&mut self, op: OpId, value: ValueId, is_needed: bool) -> Result<Reg, Diag> {
        if !matches!(self.ir.ty(value), Type::MemRef { .. }) {
            return self.reg(value);
        }
        let reg = self.register_for(value)?;
        if is_needed {
            let inst = self.whole_box(op, value)?;
            self.emit_read(inst, reg, value)?;
        }
        Ok(reg)
    }

    /// A register for each output: that of the result, or one for what is then written to a memref.
    fn results_of(&mut self, op: OpId, linalg: &Linalg, regs: &[Reg]) -> Result<Vec<Reg>, Diag> {
        let mut results = self.ir.results(op);
        let mut found = Vec::new();
        for (&output, &reg) in linalg.outputs.iter().zip(&regs[linalg.inputs.len()..]) {
            let dst = if matches!(self.ir.ty(output), Type::MemRef { .. }) {
                self.register_for(output)?
            } else if let Some(result) = results.next() {
                self.define(result)?
            } else {
                return Err(self.error(format!("`{}` has fewer results than outputs", self.name())));
            };
            if (dst.bank, dst.n) != (reg.bank, reg.n) {
                return Err(self.error(format!("a result of `{}` does not have the type of its output", self.name())));
            }
            found.push(dst);
        }
        Ok(found)
    }

    /// A register for all that a memref holds.
    fn register_for(&mut self, memref: ValueId) -> Result<Reg, Diag> {
        let Some(n) = checked_elements(self.ir.shape_of(memref), u32::MAX as usize) else {
            return Err(self.error(format!("`{}` works on a memref whose extents are not known", self.name())));
        };
        let bank = self.bank(self.elem(memref)?)?;
        self.fresh(bank, n as u32, self.block)
    }

    /// All of a memref.
    pub(super) fn whole_box(&mut self, op: OpId, memref: ValueId) -> Result<Transfer, Diag> {
        let shape = self.ir.shape_of(memref);
        let zero = self.int(0)?;
        self.box_at(op, memref, shape, vec![zero; shape.len()], true)
    }

    /// `iree_linalg_ext.custom_op`: its region, about whole tensors.
    pub(super) fn custom_op(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let operands = self.regs(ir.operands(op))?;
        self.values.extend(ir.args(body).iter().copied().zip(operands));
        let yielded = self.body(body)?;
        self.values.extend(ir.results(op).zip(yielded));
        Ok(())
    }

    /// Every map stays inside its operand: at the corners for plain dimensions, checked at run time for the others.
    fn check_inside(&self, linalg: &Linalg, extents: &[i64]) -> Result<(), Diag> {
        for (map, &value) in linalg.maps.iter().zip(linalg.inputs.iter().chain(&linalg.outputs)) {
            for (expr, &extent) in map.results.iter().zip(self.ir.shape_of(value)) {
                if let Expr::Dim(d) = expr
                    && extents[*d as usize] != extent
                {
                    let message = format!(
                        "loop d{d} of `{}` is {} long for one operand and {extent} for another",
                        self.name(),
                        extents[*d as usize]
                    );
                    return Err(Diag { code: Code::Undefined, ..self.error(message) });
                }
            }
        }
        Ok(())
    }

    /// The body for each point; `regs` are the operands, and `results` what the outputs become.
    pub(super) fn nest(
        &mut self,
        op: OpId,
        linalg: &Linalg,
        extents: &[i64],
        body: BlockId,
        regs: &[Reg],
        results: &[Reg],
    ) -> Result<(), Diag> {
        let ir = self.ir;
        let n_inputs = linalg.inputs.len();
        let addresses: Vec<Address> = linalg
            .maps
            .iter()
            .zip(linalg.inputs.iter().chain(&linalg.outputs))
            .map(|(map, &value)| address(map, ir.shape_of(value), extents))
            .collect();
        // Neighbouring points along a parallel loop run side by side, if each has its own elements to write.
        let separate = |d: usize| {
            addresses[n_inputs..].iter().all(|address| match address {
                Address::Linear { coefficients, .. } => coefficients[d] != 0,
                Address::Map { .. } => false,
            })
        };
        let along = (0..extents.len())
            .rev()
            .filter(|&d| !linalg.reduction[d] && separate(d))
            .max_by_key(|&d| extents[d].min(WIDTH_MAX as i64));
        let width = along.map_or(1, |d| extents[d].clamp(1, WIDTH_MAX as i64) as usize);

        let mut inner = self.inside(op, body, width);
        let mut inner_args = Vec::new();
        for &arg in ir.args(body) {
            let numeric = inner.numeric(ir.type_of(arg))?;
            // Nobody but the nest fills these.
            let reg = inner.fresh(numeric.bank, numeric.n, None)?;
            inner.values.insert(arg, reg);
            inner_args.push(reg);
        }
        let yielded = inner.body(body)?;
        inner.op = op;
        inner.emit(Inst::Return)?;
        let (code, captures, left) = (inner.code, inner.captures, inner.bytes_left);
        self.bytes_left = left;
        if yielded.len() != linalg.outputs.len() {
            return Err(self
                .error(format!("the body of `{}` yields another number of values than it has outputs", self.name())));
        }

        let mut operands = Vec::new();
        for ((&reg, &inner), address) in regs.iter().zip(&inner_args).zip(addresses) {
            if reg.bank != inner.bank || inner.n != 1 {
                return Err(self
                    .error(format!("an argument of the body of `{}` is not an element of its operand", self.name())));
            }
            operands.push(NestOperand { reg, inner, address });
        }
        let mut outputs = Vec::new();
        for ((operand, &dst), &yielded) in operands.split_off(n_inputs).into_iter().zip(results).zip(&yielded) {
            if (dst.bank, dst.n) != (operand.reg.bank, operand.reg.n) || (yielded.bank, yielded.n) != (dst.bank, 1) {
                return Err(self.error(format!("a result of `{}` does not have the type of its output", self.name())));
            }
            outputs.push(NestOutput { operand, dst, yielded });
        }
        let points = extents.iter().fold(1u64, |all, &extent| all.saturating_mul(extent as u64));
        let body_least = code.least;
        let nest = Nest { extents: extents.to_vec(), along, width, inputs: operands, outputs, captures, body: code };
        self.emit_cost(Inst::Nest(Box::new(nest)), points)?;
        let chunks = points / width as u64;
        self.code.least = self.code.least.saturating_add(body_least.saturating_mul(chunks));
        Ok(())
    }

    /// The type of the sum, if the operation is `acc + lhs * rhs` over plain indexing maps, with the factors only extended
    /// first.
    fn as_contraction(&self, linalg: &Linalg, body: BlockId) -> Option<Scalar> {
        let ir = self.ir;
        if (linalg.inputs.len(), linalg.outputs.len()) != (2, 1)
            || linalg.maps.iter().any(|map| map.as_dims().is_none())
            || !linalg.reduction.contains(&true)
        {
            return None;
        }
        let acc_dims = linalg.maps[2].as_dims()?;
        let summed = |d: usize| !acc_dims.contains(&d);
        if (0..linalg.reduction.len()).any(|d| summed(d) != linalg.reduction[d]) {
            return None;
        }
        let args = ir.args(body);
        let yielded = *ir.operands(ir.terminator(body)?).first()?;
        let elem = Scalar::of(ir.ty(yielded))?;
        let (mul, add, extend) = match elem {
            Scalar::Float(_) => (Opcode::ArithMulf, Opcode::ArithAddf, Opcode::ArithExtf),
            _ => (Opcode::ArithMuli, Opcode::ArithAddi, Opcode::ArithExtsi),
        };
        let sum = ir.def_op(yielded).filter(|&op| ir.opcode(op) == add)?;
        let [x, y] = *ir.operands(sum) else { return None };
        let product = match (x == args[2], y == args[2]) {
            (true, false) => y,
            (false, true) => x,
            _ => return None,
        };
        let product = ir.def_op(product).filter(|&op| ir.opcode(op) == mul)?;
        let factor = |value: ValueId| match ir.def_op(value) {
            Some(op) if ir.opcode(op) == extend && Scalar::of(ir.ty(ir.operand(op, 0))) != Some(Scalar::Int(1)) => {
                ir.operand(op, 0)
            }
            _ => value,
        };
        let [x, y] = *ir.operands(product) else { return None };
        let (x, y) = (factor(x), factor(y));
        // The product of exact extensions commutes, so that either order of the factors will do.
        if (x, y) != (args[0], args[1]) && (x, y) != (args[1], args[0]) {
            return None;
        }
        Some(elem)
    }
}

/// Where an operand's element lies for each point of a nest with these extents.
fn address(map: &Map, shape: &[i64], extents: &[i64]) -> Address {
    linear(map, shape, extents).unwrap_or_else(|| Address::Map { map: map.clone(), shape: shape.to_vec() })
}

/// The same by one sum, if every result is one and stays inside.
fn linear(map: &Map, shape: &[i64], extents: &[i64]) -> Option<Address> {
    let (mut first, mut coefficients) = (0i64, vec![0i64; map.dims as usize]);
    for ((expr, &extent), stride) in map.results.iter().zip(shape).zip(row_major(shape)) {
        let (constant, factors) = expr.linear(map.dims as usize).filter(|sum| sum.1.len() <= coefficients.len())?;
        let (mut least, mut most) = (constant, constant);
        for (&factor, &n) in factors.iter().zip(extents) {
            let way = factor.checked_mul(n - 1)?;
            let end = if way < 0 { &mut least } else { &mut most };
            *end = end.checked_add(way)?;
        }
        (least >= 0 && most < extent).then_some(())?;
        first = first.checked_add(constant.checked_mul(stride)?)?;
        for (coefficient, factor) in coefficients.iter_mut().zip(factors) {
            *coefficient = coefficient.checked_add(factor.checked_mul(stride)?)?;
        }
    }
    Some(Address::Linear { first, coefficients })
}
