//! Scalar operations on tensors: `arith.addf %a, %b : tensor<4xf32>` becomes `linalg.generic` with that operation in its
//! body. A constant of one number stands in the body.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, ValueId};

use super::loops::{Loops, Part, is_tensor, structured, with_type};

/// Whether an operation computes each element of its result from the same element of its operands.
pub(super) fn is_on_tensors(ir: &Ir, op: OpId) -> bool {
    let opcode = ir.opcode(op);
    let scalar = ["arith.", "math."].iter().any(|dialect| opcode.name().starts_with(dialect));
    (scalar && opcode != Opcode::ArithConstant || opcode == Opcode::TensorBitcast)
        && ir.regions(op).is_empty()
        && ir.results(op).len() == 1
        && ir.results(op).all(|value| is_tensor(ir, value))
}

pub(super) fn elementwise(ir: &mut Ir, op: OpId) -> Option<()> {
    let result = ir.result(op, 0);
    let rank = ir.shape_of(result).len();
    let operands = ir.operands(op).to_vec();
    let numbers: Vec<Option<Attr>> = operands.iter().map(|&value| splat(ir, value)).collect();
    let tensors = |ir: &Ir| operands.iter().copied().filter(|&value| is_tensor(ir, value)).collect::<Vec<_>>();
    if tensors(ir).iter().any(|&value| ir.shape_of(value).len() != rank) {
        return None;
    }
    // Those that are read; a constant has the shape at least.
    let shaped: Vec<Part> = tensors(ir).into_iter().chain([result]).map(|value| Part::whole(ir, value)).collect();
    let reads: Vec<Part> = (operands.iter().zip(&numbers))
        .filter(|(value, number)| is_tensor(ir, **value) && number.is_none())
        .map(|(&value, _)| Part::whole(ir, value))
        .collect();
    let attrs: Vec<(String, _)> = ir.attrs(op).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect();
    let opcode = if ir.opcode(op) == Opcode::TensorBitcast { Opcode::ArithBitcast } else { ir.opcode(op) };
    let elem = ir.elem_of(result);
    let builder = &mut Builder::before(ir, op);
    let known = shaped.split_last().map_or(&shaped[..], |(_, operands)| operands);
    let loops = Loops::of(builder, rank, known)?;
    let out = loops.empty(builder, &(0..rank).collect::<Vec<_>>(), elem);
    let inputs: Vec<&Part> = reads.iter().collect();
    let whole = structured(builder, &inputs, out, |body, args| {
        let mut args = args.iter();
        let values: Vec<ValueId> = (operands.iter().zip(numbers))
            .map(|(&value, number)| match number {
                Some(number) => {
                    let ty = body.ir.elem_of(value);
                    body.constant(number, ty)
                }
                None if is_tensor(body.ir, value) => *args.next().expect("one argument for each tensor"),
                // Every element takes the same number.
                None => value,
            })
            .collect();
        let attrs: Vec<(&str, _)> = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
        body.value(opcode, &values, elem, &attrs)
    });
    let whole = with_type(builder, whole.value, result);
    ir.replace_uses(result, whole);
    ir.erase(op);
    Some(())
}

/// The number of which all elements of a constant tensor are.
fn splat(ir: &Ir, value: ValueId) -> Option<Attr> {
    let made = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::ArithConstant && is_tensor(ir, value))?;
    match ir.attr(made, "value")? {
        dense @ Attr::Dense { splat: true, .. } => ir.dense_elems(dense).into_iter().next(),
        _ => None,
    }
}
