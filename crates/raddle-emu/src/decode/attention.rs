//! Decode softmax and attention on tensors, as the reductions and products that they are.
//!
//! `softmax(s)` is `exp(s - max) / sum(exp(s - max))` along a dimension. Attention is `softmax(scale * Q K + mask) V`,
//! where the region changes each score in front of the mask; online attention goes on from a maximum, a sum and a result
//! that earlier keys have given. Scores have the type of the region's argument.
//!
//! As in IREE, attention has powers of two: the region takes scores that are scaled by `log2(e)` besides, the mask is
//! scaled so, too, and a maximum that is carried on is one of such scores. `use_exp2 = false` in `decomposition_config`
//! asks for natural powers. Of a row all of whose scores are masked out the result is zero, as in PyTorch.

use raddle_ir::views::{Linalg, is_zero_without_keys};
use raddle_ir::{Attr, BlockId, Diag, Expr, Map, OpId, Opcode, Scalar, ValueId, float};

use super::Decoder;
use super::data::blank;
use super::tables::{linear, table};
use super::vector::Operands;
use crate::inst::{Address, Combine, Float1, Float2, Inst, Known, Nest, NestOperand, NestOutput};
use crate::launch::Mode;
use crate::regs::{Reg, row_major};
use crate::round::Round;
use crate::tensor::n_elements;

/// A tensor that is computed on the way: its register, and the loops that its dimensions run along.
#[derive(Clone)]
pub(super) struct Value {
    pub reg: Reg,
    pub dims: Vec<usize>,
}

impl Decoder<'_> {
    /// `linalg.softmax`
    pub(super) fn softmax(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let [input, output] = *ir.operands(op) else { return Err(self.unknown(op)) };
        let extents = ir.shape_of(input).to_vec();
        let dim = ir.attr(op, "dimension").and_then(|attr| attr.as_i64()).and_then(|dim| usize::try_from(dim).ok());
        let Some(dim) = dim.filter(|&dim| dim < extents.len()) else { return Err(self.unknown(op)) };
        let src = Value { reg: self.reg(input)?, dims: (0..extents.len()).collect() };
        let out = self.reg(output)?;
        let round = Round::of(self.elem(output)?, self.precision);
        if !src.reg.bank.is_float() || (src.reg.bank, src.reg.n) != (out.bank, out.n) {
            return Err(self.error("softmax is of floats, and its result has their shape".into()));
        }
        let max = self.fold(&src, dim, &extents, Combine::Float(Float2::Maximum, round), f64::NEG_INFINITY)?;
        let exps = self.exp_from(Float1::Exp, &src, &max, &extents, round)?;
        let sum = self.fold(&exps, dim, &extents, Combine::Float(Float2::Add, round), 0.0)?;
        let result = self.along(Float2::Div, &exps, &sum, &extents, round)?;
        self.values.insert(ir.result(op, 0), result.reg);
        Ok(())
    }

    /// `iree_linalg_ext.attention` and `online_attention`
    pub(super) fn attention(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let online = ir.opcode(op) == Opcode::IreeLinalgExtOnlineAttention;
        let n_outputs = if online { 3 } else { 1 };
        let operands = ir.operands(op);
        let Some((inputs, outputs)) = operands.len().checked_sub(n_outputs).map(|n_inputs| operands.split_at(n_inputs))
        else {
            return Err(self.unknown(op));
        };
        let maps = ir.maps(op, "indexing_maps").unwrap_or_default();
        let [_, _, _, _, masks @ ..] = inputs else { return Err(self.unknown(op)) };
        let bad = || self.error(format!("the indexing maps of `{}` do not fit its operands", self.name()));
        let body = ir.body(op, 0).ok_or_else(|| self.unknown(op))?;
        let [score, elements @ ..] = ir.args(body) else { return Err(self.error("the region takes a score".into())) };
        let n_masks = masks.len().checked_sub(elements.len()).filter(|&n_masks| n_masks <= 1);
        let Some(n_masks) = n_masks.filter(|_| maps.len() == operands.len()) else { return Err(bad()) };
        // The loops and their extents.
        let rank = maps[0].dims as usize;
        let mut extents = vec![None; rank];
        let mut dims: Vec<Vec<usize>> = Vec::new();
        for (map, &operand) in maps.iter().zip(operands) {
            let shape = Linalg::shape(ir, operand);
            let of = map.as_dims().filter(|dims| dims.len() == shape.len()).ok_or_else(bad)?;
            for (&d, &extent) in of.iter().zip(shape) {
                if d >= rank || *extents[d].get_or_insert(extent) != extent {
                    return Err(bad());
                }
            }
            dims.push(of);
        }
        let Some(extents) = extents.into_iter().collect::<Option<Vec<i64>>>() else { return Err(bad()) };
        let out_dims = dims[inputs.len()].clone();
        let has = |operand: usize, d: usize| dims[operand].contains(&d);
        let score_dims: Vec<usize> =
            (0..rank).filter(|&d| (has(0, d) || has(1, d)) && (has(2, d) || out_dims.contains(&d))).collect();
        let keys: Vec<usize> = score_dims.iter().copied().filter(|d| !out_dims.contains(d)).collect();

        let elem = Scalar::of(ir.ty(*score)).filter(|elem| matches!(elem, Scalar::Float(_))).ok_or_else(bad)?;
        let (bank, round) = (self.bank(elem)?, Round::of(elem, self.precision));

        let operand = |this: &mut Self, at: usize| -> Result<Value, Diag> {
            let reg = this.reg(operands[at])?;
            let reg = if reg.bank == bank || !reg.bank.is_float() { reg } else { this.as_bank(reg, bank, round)? };
            Ok(Value { reg, dims: dims[at].clone() })
        };
        let (query, key, value, scale) = (operand(self, 0)?, operand(self, 1)?, operand(self, 2)?, operand(self, 3)?);
        let config = ir.attr_id(op, "decomposition_config").and_then(|config| ir.dict_get(config, "use_exp2"));
        let exp = if config.is_some_and(|attr| ir[attr] == Attr::Bool(false)) { Float1::Exp } else { Float1::Exp2 };
        let log2_e = Value { reg: self.known(bank, 1, Known::Float(std::f64::consts::LOG2_E))?, dims: Vec::new() };
        let log2_e = Value { reg: self.as_bank(log2_e.reg, bank, round)?, ..log2_e };
        let scale = match exp {
            Float1::Exp2 => self.along(Float2::Mul, &scale, &log2_e, &extents, round)?,
            _ => scale,
        };
        let product = self.sum_of_products(&query, &key, &score_dims, &extents, elem)?;
        let scaled = self.along(Float2::Mul, &product, &scale, &extents, round)?;
        let given = (inputs.len() - elements.len()..inputs.len()).map(|at| {
            let value = Value { reg: self.reg(operands[at])?, dims: dims[at].clone() };
            self.repeated(&value, &score_dims, &extents)
        });
        let given = given.collect::<Result<Vec<Reg>, Diag>>()?;
        let mut scores = self.each(op, scaled, &given, &extents)?;
        if n_masks > 0 {
            let mut mask = operand(self, 4)?;
            if mask.reg.bank.is_float() && exp == Float1::Exp2 {
                mask = self.along(Float2::Mul, &mask, &log2_e, &extents, round)?;
            }
            scores = if mask.reg.bank.is_float() {
                self.along(Float2::Add, &scores, &mask, &extents, round)?
            } else {
                let n = scores.reg.n;
                let taken = self.repeated(&mask, &scores.dims, &extents)?;
                let never = self.known(bank, n, Known::Float(f64::NEG_INFINITY))?;
                let dst = self.fresh(bank, n, self.block)?;
                self.choose(dst, taken, scores.reg, never)?;
                Value { reg: dst, dims: scores.dims }
            };
        }
        let (maximum, sum_of) = (Combine::Float(Float2::Maximum, round), Combine::Float(Float2::Add, round));
        // Below a number, scores of minus infinity have powers of zero.
        let is_zero = !online && is_zero_without_keys(ir, op);
        let least = match elem {
            Scalar::Float(format) if is_zero => float::decode(format, float::encode(format, f64::NEG_INFINITY) - 1),
            Scalar::Float(_) | Scalar::Int(_) | Scalar::Index => f64::NEG_INFINITY,
        };
        let mut max = scores.clone();
        for &d in keys.iter().rev() {
            max = self.fold(&max, d, &extents, maximum, least)?;
        }
        let before = if online {
            let (old_max, old_sum) = (operand(self, inputs.len() + 1)?, operand(self, inputs.len() + 2)?);
            let new = self.along(Float2::Maximum, &old_max, &max, &extents, round)?;
            let factor = self.exp_from(exp, &old_max, &new, &extents, round)?;
            max = new;
            Some((factor, old_sum))
        } else {
            None
        };
        let exps = self.exp_from(exp, &scores, &max, &extents, round)?;
        let mut sum = exps.clone();
        for &d in keys.iter().rev() {
            sum = self.fold(&sum, d, &extents, sum_of, 0.0)?;
        }
        let mut result = self.sum_of_products(&exps, &value, &out_dims, &extents, elem)?;
        if is_zero {
            let some = Value { reg: self.known(bank, sum.reg.n, Known::Float(0.5))?, dims: sum.dims.clone() };
            sum = self.along(Float2::Maximum, &sum, &some, &extents, round)?;
        }
        match before {
            None => result = self.along(Float2::Div, &result, &sum, &extents, round)?,
            Some((factor, old_sum)) => {
                let old = operand(self, inputs.len())?;
                let old = self.along(Float2::Mul, &old, &factor, &extents, round)?;
                result = self.along(Float2::Add, &old, &result, &extents, round)?;
                let old_sum = self.along(Float2::Mul, &old_sum, &factor, &extents, round)?;
                sum = self.along(Float2::Add, &old_sum, &sum, &extents, round)?;
            }
        }
        let results: Vec<ValueId> = ir.results(op).collect();
        for ((&result, value), &output) in results.iter().zip([result, max, sum]).zip(outputs) {
            let to = self.elem(output)?;
            let reg = self.as_bank(value.reg, self.bank(to)?, Round::of(to, self.precision))?;
            self.values.insert(result, reg);
        }
        Ok(())
    }

    /// A register's floats in another type.
    pub(super) fn as_bank(&mut self, a: Reg, bank: crate::regs::Bank, round: Round) -> Result<Reg, Diag> {
        let dst = self.fresh(bank, a.n, self.block)?;
        self.emit_cost(Inst::FloatCast { dst, a, round }, u64::from(a.n))?;
        Ok(dst)
    }

    fn shape(dims: &[usize], extents: &[i64]) -> Vec<i64> {
        dims.iter().map(|&d| extents[d]).collect()
    }

    /// A value with more loops, in their order.
    fn repeated(&mut self, value: &Value, dims: &[usize], extents: &[i64]) -> Result<Reg, Diag> {
        if value.dims == dims {
            return Ok(value.reg);
        }
        let strides = row_major(&Self::shape(&value.dims, extents));
        let places: Vec<Option<usize>> = value.dims.iter().map(|d| dims.iter().position(|of| of == d)).collect();
        let Some(places) = places.into_iter().collect::<Option<Vec<usize>>>() else {
            return Err(self.error(format!("the indexing maps of `{}` do not fit its operands", self.name())));
        };
        let shape = Self::shape(dims, extents);
        self.reserve(n_elements(&shape).saturating_mul(4))?;
        let places = table(&shape, |at| {
            let own: Vec<i64> = places.iter().map(|&place| at[place]).collect();
            linear(&strides, &own)
        });
        let dst = self.fresh(value.reg.bank, places.len() as u32, self.block)?;
        self.gather(dst, value.reg, places)?;
        Ok(dst)
    }

    /// `a op b` over the loops of `a`.
    fn along(&mut self, op: Float2, a: &Value, b: &Value, extents: &[i64], round: Round) -> Result<Value, Diag> {
        let b = self.repeated(b, &a.dims, extents)?;
        let dst = self.fresh(a.reg.bank, a.reg.n, self.block)?;
        self.pairwise(Combine::Float(op, round), dst, a.reg, b)?;
        Ok(Value { reg: dst, dims: a.dims.clone() })
    }

    /// `exp(a - b)`, of e or of two, over the loops of `a`.
    fn exp_from(&mut self, exp: Float1, a: &Value, b: &Value, extents: &[i64], round: Round) -> Result<Value, Diag> {
        let difference = self.along(Float2::Sub, a, b, extents, round)?;
        let dst = self.fresh(a.reg.bank, a.reg.n, self.block)?;
        let inst = Inst::Float1 { op: exp, dst, a: difference.reg, round };
        self.emit_cost(inst, u64::from(dst.n))?;
        Ok(Value { reg: dst, dims: a.dims.clone() })
    }

    /// Combines along one loop, which the result does not have.
    fn fold(&mut self, value: &Value, d: usize, extents: &[i64], combine: Combine, start: f64) -> Result<Value, Diag> {
        let dims: Vec<usize> = value.dims.iter().copied().filter(|&of| of != d).collect();
        let strides = row_major(&Self::shape(&dims, extents));
        let from = Self::shape(&value.dims, extents);
        let left: Vec<usize> = (0..value.dims.len()).filter(|&at| value.dims[at] != d).collect();
        let n = n_elements(&Self::shape(&dims, extents)) as u32;
        self.reserve(value.reg.len().saturating_mul(4))?;
        let places = table(&from, |at| left.iter().zip(&strides).map(|(&place, stride)| at[place] * stride).sum());
        let acc = self.known(value.reg.bank, n, Known::Float(start))?;
        let dst = self.fresh(value.reg.bank, n, self.block)?;
        let inst = Inst::Reduce { dst, src: value.reg, acc, table: places, combine };
        self.emit_cost(inst, u64::from(value.reg.n))?;
        Ok(Value { reg: dst, dims })
    }

    /// The sum of products over all loops that the result does not have.
    pub(super) fn sum_of_products(
        &mut self,
        a: &Value,
        b: &Value,
        dims: &[usize],
        extents: &[i64],
        elem: Scalar,
    ) -> Result<Value, Diag> {
        let used: Vec<usize> = (0..extents.len()).filter(|d| a.dims.contains(d) || b.dims.contains(d)).collect();
        let map = |of: &[usize]| -> Option<Map> {
            let places: Option<Vec<usize>> = of.iter().map(|d| used.iter().position(|used| used == d)).collect();
            places.map(|places| Map::of_dims(used.len(), &places))
        };
        let (Some(of_a), Some(of_b), Some(of_c)) = (map(&a.dims), map(&b.dims), map(dims)) else {
            return Err(self.error(format!("the indexing maps of `{}` do not fit its operands", self.name())));
        };
        let shapes = [&a.dims[..], &b.dims, dims].map(|dims| Self::shape(dims, extents));
        let n = n_elements(&shapes[2]) as u32;
        let bank = self.bank(elem)?;
        let acc = self.known(bank, n, blank(bank))?;
        let dst = self.fresh(bank, n, self.block)?;
        let (multiply, combine) = Operands::sum(elem, self.precision);
        let operands = Operands {
            regs: [a.reg, b.reg, acc],
            shapes: [&shapes[0], &shapes[1], &shapes[2]],
            maps: [&of_a, &of_b, &of_c],
            multiply,
            combine,
        };
        self.contraction(dst, &operands)?;
        Ok(Value { reg: dst, dims: dims.to_vec() })
    }

    /// The region, on each score; `iree_linalg_ext.index` counts the dimensions of the scores.
    fn each(&mut self, op: OpId, value: Value, given: &[Reg], extents: &[i64]) -> Result<Value, Diag> {
        let Some(block) = self.ir.body(op, 0) else { return Err(self.unknown(op)) };
        let shape = Self::shape(&value.dims, extents);
        let along = shape.len().checked_sub(1);
        let n = i64::from(value.reg.n);
        let width = along.map_or(1, |d| shape[d].clamp(1, super::data::WIDTH_MAX as i64)) as usize;
        let body = self.callee(op, block, width)?;
        let ([arg, elements @ ..], [yielded]) = (&body.args[..], &body.yielded[..]) else {
            return Err(self.unknown(op));
        };
        if (yielded.bank, yielded.n, arg.bank) != (value.reg.bank, 1, value.reg.bank) {
            return Err(self.error("the region makes a score out of a score".into()));
        }
        let address = || Address::Linear { first: 0, coefficients: row_major(&shape) };
        let element = |(&inner, &reg): (&Reg, &Reg)| NestOperand { reg, inner, address: address() };
        let inputs = elements.iter().zip(given).map(element).collect();
        let dst = self.fresh(value.reg.bank, value.reg.n, self.block)?;
        // A nest begins with a copy of its destination: the scores themselves.
        let output = NestOutput {
            operand: NestOperand { reg: value.reg, inner: *arg, address: address() },
            dst,
            yielded: *yielded,
        };
        let least = body.code.least.saturating_mul(n as u64 / width as u64);
        let nest = Nest {
            extents: shape,
            along,
            width,
            inputs,
            outputs: vec![output],
            captures: body.captures,
            body: body.code,
        };
        self.emit_cost(Inst::Nest(Box::new(nest)), n as u64)?;
        self.code.least = self.code.least.saturating_add(least);
        Ok(Value { reg: dst, dims: value.dims })
    }

    /// `iree_linalg_ext.exp_reduction`: the first input becomes powers of two of what it is below its maximum, outputs
    /// that were reduced of earlier powers are scaled by how far the maximum moved, and the body reduces them further.
    pub(super) fn exp_reduction(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let bad = |this: &Self| this.error(format!("the indexing maps of `{}` do not fit its operands", this.name()));
        let operands = ir.operands(op).to_vec();
        let maps = ir.maps(op, "indexing_maps").unwrap_or_default();
        let Some(n_inputs) = operands.len().checked_sub(ir.results(op).len()).filter(|&n| n > 0) else {
            return Err(self.unknown(op));
        };
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let rank = maps.first().map_or(0, |map| map.dims as usize);
        let mut extents = vec![None; rank];
        let mut values: Vec<Value> = Vec::new();
        for (map, &operand) in maps.iter().zip(&operands) {
            let shape = Linalg::shape(ir, operand);
            let Some(dims) = map.as_dims().filter(|dims| dims.len() == shape.len()) else { return Err(bad(self)) };
            for (&d, &extent) in dims.iter().zip(shape) {
                if *extents[d].get_or_insert(extent) != extent {
                    return Err(bad(self));
                }
            }
            values.push(Value { reg: self.reg(operand)?, dims });
        }
        let extents = extents.into_iter().collect::<Option<Vec<i64>>>();
        let Some(extents) = extents.filter(|_| values.len() == operands.len()) else { return Err(bad(self)) };
        let (scores, before) = (values[0].clone(), values[n_inputs].clone());
        let round = Round::of(self.elem(operands[0])?, self.precision);
        if scores.reg.bank != before.reg.bank || !scores.reg.bank.is_float() {
            return Err(self.error("the maximum is one of floats, and has their type".into()));
        }
        let gone: Vec<usize> = scores.dims.iter().copied().filter(|d| !before.dims.contains(d)).collect();
        let combine = Combine::Float(Float2::Maximum, round);
        let mut highest = scores.clone();
        for &d in gone.iter().rev() {
            highest = self.fold(&highest, d, &extents, combine, f64::NEG_INFINITY)?;
        }
        let maximum = self.along(Float2::Maximum, &before, &highest, &extents, round)?;
        let factor = self.exp_from(Float1::Exp2, &before, &maximum, &extents, round)?;
        values[0] = self.exp_from(Float1::Exp2, &scores, &maximum, &extents, round)?;
        values[n_inputs] = maximum;
        let reduced = ir.attr_id(op, "exp_reduced_operands").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        for at in reduced {
            let at = usize::try_from(at).ok().filter(|&at| n_inputs + at < values.len());
            let Some(at) = at else { return Err(bad(self)) };
            let round = Round::of(self.elem(operands[n_inputs + at])?, self.precision);
            let value = values[n_inputs + at].clone();
            let factor = Value { reg: self.as_bank(factor.reg, value.reg.bank, round)?, dims: factor.dims.clone() };
            values[n_inputs + at] = self.along(Float2::Mul, &value, &factor, &extents, round)?;
        }
        // A loop that no result runs along is reduced.
        let written = |d: usize| maps[n_inputs..].iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
        let linalg = Linalg {
            inputs: operands[..n_inputs].to_vec(),
            outputs: operands[n_inputs..].to_vec(),
            reduction: (0..rank).map(|d| !written(d)).collect(),
            maps,
        };
        let regs: Vec<Reg> = values.iter().map(|value| value.reg).collect();
        let results: Vec<ValueId> = ir.results(op).collect();
        let mut found = Vec::new();
        for (at, &result) in results.iter().enumerate() {
            // A result is reduced over the loops that what it is made of runs along, once.
            let args = ir.args(body);
            let uses = self.made_of(body, at);
            let runs = |d: usize| {
                let of = args.iter().zip(&linalg.maps).enumerate();
                of.into_iter().any(|(i, (arg, map))| {
                    (i == n_inputs + at || uses.contains(arg)) && map.results.contains(&Expr::Dim(d as u32))
                })
            };
            let own: Vec<i64> = (0..rank).map(|d| if runs(d) { extents[d] } else { extents[d].min(1) }).collect();
            let dsts = results.iter().map(|&result| self.define(result)).collect::<Result<Vec<_>, _>>()?;
            self.nest(op, &linalg, &own, body, &regs, &dsts)?;
            found.push((result, dsts[at]));
        }
        self.values.extend(found);
        Ok(())
    }

    /// The values that a result of a region is made of.
    fn made_of(&self, body: BlockId, at: usize) -> Vec<ValueId> {
        let ir = self.ir;
        let yielded = ir.terminator(body).and_then(|end| ir.operands(end).get(at).copied());
        let mut found: Vec<ValueId> = yielded.into_iter().collect();
        let mut next = 0;
        while let Some(&value) = found.get(next) {
            let operands = ir.def_op(value).map(|op| ir.operands(op)).unwrap_or_default();
            found.extend(operands.iter().filter(|operand| !found.contains(operand)).copied().collect::<Vec<_>>());
            next += 1;
        }
        found
    }
}
