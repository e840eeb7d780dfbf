//! Wide sums: what a program sums in 16 bits is summed in f32, and rounded once; products only where no matrix instruction
//! of the chip sums in that format, and CPUs have none at all.
//!
//! Before: `acc : bf16 + a : bf16 * b : bf16`, as programs of JAX multiply matrices
//! After:  `acc : f32 + extf(a) * extf(b)`, and `truncf` of the result
//!
//! The order of sums is nobody's, and f32 loses less: the mean of an image of f16 is infinite where a part of its sum is.
//! Does not touch what the user configured.

use raddle_ir::views::Linalg;
use raddle_ir::{AttrId, Builder, Float, Ir, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap};

use super::factors::is_configured;
use super::loops::{Loops, Part, filling, to_float, with_type};
use crate::facts::Facts;
use crate::structured::body::Reduction;
use crate::structured::generalize::body_of;
use crate::structured::{body, fill};

/// Rewrites the sums of a function.
pub(super) fn widen(ir: &mut Ir, func: OpId, facts: &Facts) {
    if ir.attr(func, "translation_info").is_some() {
        return;
    }
    for op in ir.walk(func) {
        if !is_configured(ir, op) {
            let _ = one(ir, op, facts);
        }
    }
}

fn one(ir: &mut Ir, op: OpId, facts: &Facts) -> Option<()> {
    let linalg = Linalg::try_of(ir, op)?;
    let &[init] = &linalg.outputs[..] else { return None };
    let sum = Scalar::of(&ir[ir.elem_of(init)])?;
    if !ir.ty(init).is_tensor() || !matches!(sum, Scalar::Float(Float::F16 | Float::BF16)) {
        return None;
    }
    let reduction = body::reduction(ir, op).filter(|found| found.combiner.opcode == Opcode::ArithAddf)?;
    let product = ir.def_op(reduction.value).filter(|&product| ir.opcode(product) == Opcode::ArithMulf);
    let is_sum = ir.opcode(op) == Opcode::LinalgGeneric && linalg.reduction.contains(&true);
    match product {
        Some(_) if body::is_contraction(ir, op) || !is_sum => multiplies_in_f32(sum, facts).then_some(())?,
        _ => is_sum.then_some(())?,
    }
    let result = ir.results(op).next()?;
    let narrow = ir.elem_of(init);
    let builder = &mut Builder::before(ir, op);
    let wide = builder.ir.float_type(Float::F32);
    let out = Part::whole(builder.ir, init);
    let loops = Loops::of(builder, out.dims.len(), std::slice::from_ref(&out))?;
    let begin = match filling(builder.ir, init) {
        Some(number) => {
            let number = to_float(builder, number, wide);
            let empty = loops.empty(builder, &out.dims, wide);
            fill(builder, number, empty.value)
        }
        None => loops.each(builder, &[&out], wide, |body, args| to_float(body, args[0], wide)).value,
    };
    let sums = Part { value: in_wide(builder, op, &reduction, product, begin), dims: out.dims };
    let rounded = loops.each(builder, &[&sums], narrow, |body, args| to_float(body, args[0], narrow));
    let value = with_type(builder, rounded.value, result);
    builder.ir.replace_uses(result, value);
    ir.erase(op);
    Some(())
}

/// Whether products are summed in f32: no matrix instruction sums in this format, and some do in that one.
fn multiplies_in_f32(sum: Scalar, facts: &Facts) -> bool {
    let has = |sum: Scalar| facts.chip.exact_mma_rows().any(|mma| mma.types[2] == sum);
    facts.chip.native.is_some() || !has(sum) && has(Scalar::Float(Float::F32))
}

/// The same operation with sums in another format, which begin with those of a tensor.
fn in_wide(
    builder: &mut Builder<'_>,
    op: OpId,
    reduction: &Reduction,
    product: Option<OpId>,
    begin: ValueId,
) -> ValueId {
    let (ty, wide) = (builder.ir.type_of(begin), builder.ir.elem_of(begin));
    let attrs: Vec<(String, AttrId)> =
        builder.ir.attrs(op).iter().map(|&(name, value)| (builder.ir[name].to_owned(), value)).collect();
    let attrs: Vec<(&str, AttrId)> = attrs.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let mut operands = builder.ir.operands(op).to_vec();
    *operands.last_mut().expect("a structured operation has an output") = begin;
    let new = builder.op(builder.ir.opcode(op), &operands, &[ty], &attrs);
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let mut elems: Vec<TypeId> = args.iter().map(|&arg| builder.ir.type_of(arg)).collect();
    *elems.last_mut().expect("the body has the sum") = wide;
    body_of(builder, new, &elems, |body, new_args| {
        let mut map = ValueMap::default();
        for (&old, &new) in args.iter().zip(new_args) {
            map.set(old, new);
        }
        for inner in body.ir.ops_of(block) {
            if inner == reduction.op || Some(inner) == product {
                break;
            }
            body.copy(inner, &mut map);
        }
        let term = match product {
            Some(product) => {
                let factors = [0, 1].map(|i| body.ir.operand(product, i));
                let [lhs, rhs] = factors.map(|factor| to_float(body, map.get(factor), wide));
                body.binary(Opcode::ArithMulf, lhs, rhs)
            }
            None => to_float(body, map.get(reduction.value), wide),
        };
        vec![body.binary(Opcode::ArithAddf, new_args[new_args.len() - 1], term)]
    });
    builder.ir.result(new, 0)
}
