//! Decode structured operations: a nest of loops around decoded bodies, or a contraction where the body is one.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Diag, Expr, Map, OpId, Opcode, Scalar, Type, ValueId};

use super::Decoder;
use super::data::WIDTH_MAX;
use super::vector::Operands;
use crate::inst::{Address, Inst, Nest, NestOperand, NestOutput};
use crate::launch::Mode;
use crate::regs::{Reg, row_major};

impl<'a> Decoder<'a> {
    pub(super) fn structured(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let linalg = Linalg::of(ir, op);
        if linalg.inputs.iter().chain(&linalg.outputs).any(|&value| matches!(ir.ty(value), Type::MemRef { .. })) {
            return Err(self
                .error(format!("`{}` on memrefs is not supported", self.name()))
                .help("the emulator runs structured operations on tensors"));
        }
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
        if let Some(product) = self.as_contraction(&linalg, body) {
            let Product { lhs, rhs, acc, maps, elem } = product;
            let regs = [self.reg(lhs)?, self.reg(rhs)?, self.reg(acc)?];
            let (multiply, combine) = Operands::sum(elem, self.precision);
            let shapes = [lhs, rhs, acc].map(|value| ir.shape_of(value));
            let dst = self.result(op)?;
            let maps = [&maps[0], &maps[1], &maps[2]];
            return self.contraction(dst, &Operands { regs, shapes, maps, multiply, combine });
        }
        let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
        let regs = self.regs(&operands)?;
        self.nest(op, &linalg, &extents, body, &regs)
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
                    return Err(self.error(format!(
                        "loop d{d} of `{}` is {} long for one operand and {extent} for another",
                        self.name(),
                        extents[*d as usize]
                    )));
                }
            }
        }
        Ok(())
    }

    /// The body for each point; `regs` are the operands.
    pub(super) fn nest(
        &mut self,
        op: OpId,
        linalg: &Linalg,
        extents: &[i64],
        body: BlockId,
        regs: &[Reg],
    ) -> Result<(), Diag> {
        let ir = self.ir;
        let n_inputs = linalg.inputs.len();
        let addresses: Vec<Address> = linalg
            .maps
            .iter()
            .zip(linalg.inputs.iter().chain(&linalg.outputs))
            .map(|(map, &value)| address(map, ir.shape_of(value)))
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
        let results: Vec<ValueId> = ir.results(op).collect();
        if results.len() != linalg.outputs.len() {
            return Err(self.error(format!("`{}` has another number of results than outputs", self.name())));
        }
        let mut outputs = Vec::new();
        for ((operand, &result), &yielded) in operands.split_off(n_inputs).into_iter().zip(&results).zip(&yielded) {
            let dst = self.define(result)?;
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

    /// Whether the operation is `acc + lhs * rhs` over plain indexing maps, with the factors only extended first.
    fn as_contraction(&self, linalg: &Linalg, body: BlockId) -> Option<Product> {
        let ir = self.ir;
        let ([lhs, rhs], [acc]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
        if linalg.maps.iter().any(|map| map.as_dims().is_none()) || !linalg.reduction.contains(&true) {
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
        Some(Product { lhs: *lhs, rhs: *rhs, acc: *acc, maps: linalg.maps.clone(), elem })
    }
}

/// A structured operation that multiplies and adds.
struct Product {
    lhs: ValueId,
    rhs: ValueId,
    acc: ValueId,
    maps: Vec<Map>,
    elem: Scalar,
}

/// Where an operand's element lies for each point. Only plain dimensions are sure to stay inside.
fn address(map: &Map, shape: &[i64]) -> Address {
    let Some(dims) = map.as_dims() else { return Address::Map { map: map.clone(), shape: shape.to_vec() } };
    let mut coefficients = vec![0; map.dims as usize];
    for (d, stride) in dims.into_iter().zip(row_major(shape)) {
        coefficients[d] += stride;
    }
    Address::Linear { coefficients }
}
