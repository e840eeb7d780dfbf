//! Computed factors: a product whose body computes a factor reads it from a tensor instead, so that it is a product that
//! matrix instructions and register tiles compute, and no factor is computed again for each row or column.
//!
//! Before: `acc + extf(a : f16) * extf(mulf(sitofp(w : i4), scale))`, with a scale for each group of weights
//! After:  `mulf(sitofp(w), scale)` as a tensor of `f16`, and `acc + extf(a) * extf(that)`
//!
//! What the body extends at last stays there, so that the tensor is as narrow as the program's own numbers are. Small
//! floats that the program scales by powers of two to `f32` (microscaling formats) are scaled to `bf16` if it holds them.
//!
//! Does not touch products that the user configured, nor those of one row or one column, of which each factor is used
//! once: these are sums.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Float, Ir, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap, float, ops::Class};

use super::factors::{is_configured, is_list, source};
use super::loops::{Loops, Part, structured};
use crate::structured::body;

/// Gives the products of a function factors that are tensors.
pub(super) fn outline(ir: &mut Ir, func: OpId) {
    if ir.attr(func, "translation_info").is_some() {
        return;
    }
    for op in ir.walk(func) {
        if !is_configured(ir, op) {
            let _ = one(ir, op);
        }
    }
}

/// A factor of a product, as its body has it.
struct Factor {
    /// What the tensor will have: the factor in front of its last extensions.
    core: ValueId,
    /// What the core is computed from, and by, in order.
    inputs: Vec<usize>,
    ops: Vec<OpId>,
    /// The loops that it depends on.
    dims: Vec<usize>,
    /// Whether no operation is able to read it as it is.
    is_computed: bool,
}

fn one(ir: &mut Ir, op: OpId) -> Option<()> {
    let linalg = Linalg::try_of(ir, op)?;
    let &[output] = &linalg.outputs[..] else { return None };
    if !linalg.maps.iter().all(is_list) || !ir.ty(output).is_tensor() {
        return None;
    }
    let reduction = body::reduction(ir, op)?;
    let product = ir.def_op(reduction.value)?;
    if !matches!(
        (reduction.combiner.opcode, ir.opcode(product)),
        (Opcode::ArithAddf, Opcode::ArithMulf) | (Opcode::ArithAddi, Opcode::ArithMuli)
    ) {
        return None;
    }
    let &[x, y] = ir.operands(product) else { return None };
    let factors = [Factor::of(ir, op, &linalg, x)?, Factor::of(ir, op, &linalg, y)?];
    if !factors.iter().any(|factor| factor.is_computed) || !has_rows_and_columns(ir, &linalg, &factors) {
        return None;
    }
    let values: Vec<ValueId> = linalg.inputs.iter().chain([&output]).copied().collect();
    let parts = Part::of_maps(ir, &values, &linalg.maps)?;
    let (init, inputs) = parts.split_last()?;
    let result = ir.results(op).next()?;
    let builder = &mut Builder::before(ir, op);
    let loops = Loops::of(builder, linalg.reduction.len(), &parts)?;
    let read = [0, 1].map(|i| factors[i].as_tensor(builder, op, &loops, inputs));
    let new = structured(builder, &[&read[0], &read[1]], init.clone(), |body, args| {
        let extended = [(x, 0), (y, 1)].map(|(value, i)| extend(body, value, factors[i].core, args[i]));
        let product = body.binary(body.ir.opcode(product), extended[0], extended[1]);
        body.binary(reduction.combiner.opcode, args[2], product)
    });
    ir.replace_uses(result, new.value);
    ir.erase(op);
    Some(())
}

/// Whether the loops are those of a product that has more than one row and more than one column.
fn has_rows_and_columns(ir: &Ir, linalg: &Linalg, factors: &[Factor; 2]) -> bool {
    let extents = linalg.extents(ir);
    let mut several = [false; 2];
    for (d, &reduced) in linalg.reduction.iter().enumerate() {
        match [0, 1].map(|i| factors[i].dims.contains(&d)) {
            [true, true] => {}
            [false, false] => return false,
            _ if reduced => return false,
            [in_lhs, _] => several[usize::from(!in_lhs)] |= extents[d] != 1,
        }
    }
    several == [true; 2] && !extents.contains(&0) && linalg.reduction.contains(&true)
}

impl Factor {
    /// A factor that elementwise operations compute from inputs, constants and values of the outside.
    fn of(ir: &Ir, op: OpId, linalg: &Linalg, value: ValueId) -> Option<Factor> {
        let block = ir.entry(op);
        let args = ir.args(block);
        let is_read = source(ir, value).is_some() || is_less_a_zero(ir, value);
        let core = extensions(ir, value).last().map_or(value, |&op| ir.operand(op, 0));
        let mut factor = Factor { core, inputs: Vec::new(), ops: Vec::new(), dims: Vec::new(), is_computed: !is_read };
        let mut left = vec![core];
        while let Some(value) = left.pop() {
            if let Some(arg) = args.iter().position(|&arg| arg == value) {
                // The sum so far is not a part of a factor.
                factor.dims.extend(linalg.maps[..linalg.inputs.len()].get(arg)?.as_dims()?);
                factor.inputs.push(arg);
                continue;
            }
            let Some(made) = ir.def_op(value).filter(|&made| ir.parent_block(made) == Some(block)) else { continue };
            let opcode = ir.opcode(made);
            if !matches!(opcode.class(), Class::Elementwise | Class::Constant) || !opcode.info().is_pure() {
                return None;
            }
            if factor.ops.contains(&made) {
                continue;
            }
            factor.ops.push(made);
            left.extend(ir.operands(made));
        }
        factor.inputs.sort_unstable();
        factor.inputs.dedup();
        factor.dims.sort_unstable();
        factor.dims.dedup();
        let ops = std::mem::take(&mut factor.ops);
        factor.ops = ir.ops_of(block).into_iter().filter(|op| ops.contains(op)).collect();
        (!factor.inputs.is_empty()).then_some(factor)
    }

    /// The tensor that the product reads: the input, or what an operation in front of the product computes.
    fn as_tensor(&self, builder: &mut Builder<'_>, op: OpId, loops: &Loops, inputs: &[Part]) -> Part {
        let parts: Vec<&Part> = self.inputs.iter().map(|&input| &inputs[input]).collect();
        let args = builder.ir.args(builder.ir.entry(op)).to_vec();
        if let (&[part], &[input]) = (&parts[..], &self.inputs[..])
            && args[input] == self.core
        {
            return part.clone();
        }
        let last = builder.ir.def_op(self.core).expect("what is not an argument is computed");
        let elem = scaled_type(builder.ir, last).unwrap_or_else(|| builder.ir.type_of(self.core));
        let out = loops.empty(builder, &self.dims, elem);
        structured(builder, &parts, out, |body, elements| {
            let mut map = ValueMap::default();
            for (&input, &element) in self.inputs.iter().zip(elements) {
                map.set(args[input], element);
            }
            for &op in self.ops.iter().filter(|&&op| op != last) {
                body.copy(op, &mut map);
            }
            let operands: Vec<ValueId> = body.ir.operands(last).iter().map(|&value| map.get(value)).collect();
            let (opcode, attrs) = (body.ir.opcode(last), body.ir.attr_dict(last));
            let copy = body.ir.create_with(opcode, &operands, &[elem], attrs, body.span);
            body.place(copy);
            body.ir.result(copy, 0)
        })
    }
}

/// The operations that extend a value, the last one first.
fn extensions(ir: &Ir, value: ValueId) -> Vec<OpId> {
    let is_extension =
        |&op: &OpId| matches!(ir.opcode(op), Opcode::ArithExtf | Opcode::ArithExtsi | Opcode::ArithExtui);
    let made = |value: ValueId| ir.def_op(value).filter(is_extension);
    std::iter::successors(made(value), |&op| made(ir.operand(op, 0))).collect()
}

/// A core as the product has it: extended as in the old body, or from the narrower type that the tensor has.
fn extend(body: &mut Builder<'_>, value: ValueId, core: ValueId, element: ValueId) -> ValueId {
    let mut map = ValueMap::default();
    let (own, ty) = (body.ir.type_of(core), body.ir.type_of(element));
    let element = if own == ty { element } else { body.value(Opcode::ArithExtf, &[element], own, &[]) };
    map.set(core, element);
    for op in extensions(body.ir, value).into_iter().rev() {
        body.copy(op, &mut map);
    }
    map.get(value)
}

/// Whether a value is an integer less a zero point, as quantized programs have them: what `factors` takes apart.
fn is_less_a_zero(ir: &Ir, value: ValueId) -> bool {
    let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithSubi) else { return false };
    let is_known = |zero: ValueId| ir.def_op(zero).is_none_or(|op| ir.opcode(op) == Opcode::ArithConstant);
    source(ir, ir.operand(op, 0)).is_some() && is_known(ir.operand(op, 1))
}

/// The type that holds what `arith.scaling_extf` gives as `f32`: `bf16`, which has the same exponents, where its least
/// number divides that of the small float at the least scale, 2^-127.
fn scaled_type(ir: &mut Ir, op: OpId) -> Option<TypeId> {
    let is_f32 = |ty: TypeId| Scalar::of(&ir[ty]) == Some(Scalar::Float(Float::F32));
    if ir.opcode(op) != Opcode::ArithScalingExtf || !is_f32(ir.type_of(ir.result(op, 0))) {
        return None;
    }
    let Some(Scalar::Float(from)) = Scalar::of(&ir[ir.type_of(ir.operand(op, 0))]) else { return None };
    let [from, to] = [from, Float::BF16].map(float::format);
    let least = |format: float::Format| 1 - format.bias - format.mantissa as i32;
    let holds = from.mantissa <= to.mantissa && least(to) <= least(from) - 127;
    holds.then(|| ir.float_type(Float::BF16))
}
