//! `iree_linalg_ext.fft`: a stage combines elements that lie half a block apart, `u + w t` and `u - w t`.
//!
//! Each element of the result reads the two that it is made of, so that a stage is one operation without an order.

use std::f64::consts::PI;

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, Map, OpId, Opcode, TypeId, ValueId};

use super::loops::{rounded, with_type};
use crate::structured::generalize::{body_of, generic, loop_index};

pub(super) fn fft(ir: &mut Ir, op: OpId) -> Option<()> {
    let first = |name: &str| ir.group(op, name).first().copied();
    let (stage, real, imag) = (first("stage")?, first("real")?, first("imag")?);
    let given = first("real_coeff").zip(first("imag_coeff"));
    let stage = ir.const_int(stage).filter(|stage| (1..31).contains(stage))?;
    let (shape, elem) = (ir.shape_of(real).to_vec(), ir.elem_of(real));
    let (block, half) = (1i64 << stage, 1i64 << (stage - 1));
    let results: Vec<ValueId> = ir.results(op).collect();
    if shape.contains(&DYNAMIC) || shape.last()? % block != 0 || results.len() != 2 {
        return None;
    }
    let builder = &mut Builder::before(ir, op);
    let (cos, sin) = match given {
        Some(given) => given,
        None => (turns(builder, half, elem, f64::cos), turns(builder, half, elem, f64::sin)),
    };
    let ty = builder.ir.tensor_type(&shape, elem);
    let outputs = [0, 1].map(|_| builder.value(Opcode::TensorEmpty, &[], ty, &[]));
    let identity = Map::identity(shape.len());
    let linalg = Linalg {
        inputs: Vec::new(),
        outputs: outputs.to_vec(),
        maps: vec![identity.clone(), identity],
        reduction: vec![false; shape.len()],
    };
    let made = generic(builder, &linalg, &[]);
    body_of(builder, made, &[elem; 2], |body, _| {
        let rank = shape.len();
        let mut at: Vec<ValueId> = (0..rank).map(|d| loop_index(body, d)).collect();
        let (block, half) = (body.index(block), body.index(half));
        let along = body.binary(Opcode::ArithRemui, at[rank - 1], block);
        let start = body.binary(Opcode::ArithSubi, at[rank - 1], along);
        let number = body.binary(Opcode::ArithRemui, along, half);
        let upper = body.binary(Opcode::ArithAddi, start, number);
        let lower = body.binary(Opcode::ArithAddi, upper, half);
        let mut read = |body: &mut Builder<'_>, of: ValueId, last: ValueId| {
            at[rank - 1] = last;
            body.value(Opcode::TensorExtract, &[&[of], &at[..]].concat(), elem, &[])
        };
        let [u_re, u_im] = [real, imag].map(|of| read(body, of, upper));
        let [t_re, t_im] = [real, imag].map(|of| read(body, of, lower));
        let [w_re, w_im] = [cos, sin].map(|of| body.value(Opcode::TensorExtract, &[of, number], elem, &[]));
        let product = |body: &mut Builder<'_>, combine: Opcode, [a, b]: [ValueId; 2], [c, d]: [ValueId; 2]| {
            let (first, second) = (body.binary(Opcode::ArithMulf, a, b), body.binary(Opcode::ArithMulf, c, d));
            body.binary(combine, first, second)
        };
        let re = product(body, Opcode::ArithSubf, [w_re, t_re], [w_im, t_im]);
        let im = product(body, Opcode::ArithAddf, [w_re, t_im], [w_im, t_re]);
        let bit = body.ir.int_type(1);
        let below = body.ir.i64_attr(6);
        let is_upper = body.value(Opcode::ArithCmpi, &[along, half], bit, &[("predicate", below)]);
        [(u_re, re), (u_im, im)]
            .map(|(u, t)| {
                let (sum, difference) = (body.binary(Opcode::ArithAddf, u, t), body.binary(Opcode::ArithSubf, u, t));
                body.value(Opcode::ArithSelect, &[is_upper, sum, difference], elem, &[])
            })
            .to_vec()
    });
    let found: Vec<ValueId> = builder.ir.results(made).collect();
    for (value, result) in found.into_iter().zip(results) {
        let value = with_type(builder, value, result);
        builder.ir.replace_uses(result, value);
    }
    ir.erase(op);
    Some(())
}

/// A part of a turn for each element of half a block, clockwise.
fn turns(builder: &mut Builder<'_>, half: i64, elem: TypeId, part: fn(f64) -> f64) -> ValueId {
    let ty = builder.ir.tensor_type(&[half], elem);
    let bytes = (0..half).flat_map(|j| {
        let number = rounded(builder.ir, part(-PI * j as f64 / half as f64), elem);
        builder.ir.elem_bytes(&number)
    });
    let bytes = bytes.collect();
    builder.constant(Attr::Dense { ty, splat: false, bytes }, ty)
}
