//! Quantization: numbers become integers of a scale and back, as IREE keeps it from ONNX and PyTorch.
//!
//! Before: `iree_linalg_ext.dequantize_affine <indexing_maps = […], quant_min = 0, quant_max = 255, input_unsigned>
//!         ins(%q, %scale, %zero : tensor<8x4xi8>, tensor<8xf32>, i64) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>`
//! After:  `linalg.generic` with the body `(q - zero) * scale`, or for `quantize_affine`
//!         `clamp(roundeven(x / scale) + zero, quant_min, quant_max)`
//!
//! Both compute in the type of the scale; the difference has twice the bits of what is dequantized. A product of two
//! dequantized factors multiplies their integers before (`products.rs`); of any other one, a factor is the result of an
//! elementwise operation, which the next steps know.

mod products;

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, Float, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use crate::structured::generalize::{body_of, generic};

/// Whether an operation is one of the two.
pub(super) fn is_quantization(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::IreeLinalgExtQuantizeAffine | Opcode::IreeLinalgExtDequantizeAffine)
}

/// Writes the quantization of a function by operations on elements, and products of quantized factors by such of integers.
pub(super) fn rewrite(ir: &mut Ir, func: OpId) {
    let quantized: Vec<OpId> = ir.walk(func).into_iter().filter(|&op| is_quantization(ir, op)).collect();
    if quantized.is_empty() {
        return;
    }
    for op in ir.walk(func) {
        let _ = products::rewrite(ir, op);
    }
    for op in quantized {
        on_elements(ir, op);
    }
}

/// Writes one as the operation on elements that it is.
fn on_elements(ir: &mut Ir, op: OpId) {
    let Some(maps) = ir.maps(op, "indexing_maps") else { return };
    let operands = ir.operands(op).to_vec();
    let (&output, inputs) = operands.split_last().expect("a verified quantization has an output");
    let elems: Vec<TypeId> = operands.iter().map(|&value| Linalg::elem(ir, value)).collect();
    let (has_zero, is_quantize) = (inputs.len() == 3, ir.opcode(op) == Opcode::IreeLinalgExtQuantizeAffine);
    let stored_unsigned = flag(ir, op, if is_quantize { "storage_unsigned" } else { "input_unsigned" });
    let zero_unsigned = flag(ir, op, "zp_unsigned");
    let bound = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).unwrap_or_default() as f64;
    let bounds = [bound("quant_min"), bound("quant_max")];
    let linalg = Linalg {
        inputs: inputs.to_vec(),
        outputs: vec![output],
        reduction: vec![false; maps.first().map_or(0, |map| map.dims as usize)],
        maps,
    };
    let builder = &mut Builder::before(ir, op);
    let made = generic(builder, &linalg, &[]);
    body_of(builder, made, &elems, |b, args| {
        let (scale, to) = (args[1], *elems.last().expect("there is an output"));
        let zero = has_zero.then(|| args[2]);
        vec![if is_quantize {
            let scaled = to_float(b, args[0], elems[1], false);
            let quotient = b.binary(Opcode::ArithDivf, scaled, scale);
            let mut number = b.value(Opcode::MathRoundeven, &[quotient], elems[1], &[]);
            if let Some(zero) = zero {
                let zero = to_float(b, zero, elems[1], zero_unsigned);
                number = b.binary(Opcode::ArithAddf, number, zero);
            }
            let [low, high] = bounds.map(|bound| b.float(bound, elems[1]));
            let number = b.binary(Opcode::ArithMaxnumf, number, low);
            let number = b.binary(Opcode::ArithMinnumf, number, high);
            let opcode = if stored_unsigned { Opcode::ArithFptoui } else { Opcode::ArithFptosi };
            b.value(opcode, &[number], to, &[])
        } else {
            let number = match zero {
                Some(zero) => {
                    let bits = Scalar::of(&b.ir[elems[0]]).map_or(8, Scalar::bits);
                    let wide = b.ir.int_type(2 * bits);
                    let number = to_int(b, args[0], wide, stored_unsigned);
                    let zero = to_int(b, zero, wide, zero_unsigned);
                    let difference = b.binary(Opcode::ArithSubi, number, zero);
                    to_float(b, difference, elems[1], false)
                }
                None => to_float(b, args[0], elems[1], stored_unsigned),
            };
            let number = b.binary(Opcode::ArithMulf, number, scale);
            to_float(b, number, to, false)
        }]
    });
    for (old, new) in ir.results(op).zip(ir.results(made)).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

fn flag(ir: &Ir, op: OpId, name: &str) -> bool {
    ir.attr(op, name).is_some()
}

/// A number as a float of a type.
fn to_float(b: &mut Builder<'_>, value: ValueId, to: TypeId, unsigned: bool) -> ValueId {
    let bits = |b: &Builder<'_>, ty: TypeId| Scalar::of(&b.ir[ty]).map_or(0, Scalar::bits);
    let from = b.ir.type_of(value);
    let opcode = match b.ir[from] {
        _ if from == to => return value,
        Type::Float(_) if bits(b, from) < bits(b, to) => Opcode::ArithExtf,
        Type::Float(_) if bits(b, from) > bits(b, to) => Opcode::ArithTruncf,
        // `f16` and `bf16` have no conversion of their own.
        Type::Float(_) => {
            let wide = b.ir.float_type(Float::F32);
            let value = b.value(Opcode::ArithExtf, &[value], wide, &[]);
            return b.value(Opcode::ArithTruncf, &[value], to, &[]);
        }
        _ if unsigned => Opcode::ArithUitofp,
        _ => Opcode::ArithSitofp,
    };
    b.value(opcode, &[value], to, &[])
}

/// An integer as one of another width.
fn to_int(b: &mut Builder<'_>, value: ValueId, to: TypeId, unsigned: bool) -> ValueId {
    let bits = |b: &Builder<'_>, ty: TypeId| Scalar::of(&b.ir[ty]).map_or(0, Scalar::bits);
    let from = b.ir.type_of(value);
    let opcode = match bits(b, from).cmp(&bits(b, to)) {
        std::cmp::Ordering::Equal => return value,
        std::cmp::Ordering::Greater => Opcode::ArithTrunci,
        std::cmp::Ordering::Less if unsigned => Opcode::ArithExtui,
        std::cmp::Ordering::Less => Opcode::ArithExtsi,
    };
    b.value(opcode, &[value], to, &[])
}
