//! Dimensions of extent 1 in `to_layout` on tensors: out by `tensor.extract_slice`, back by `tensor.insert_slice`.

use raddle_ir::views::{Mixed, unmixed};
use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Type, ValueId};

/// Drops the unit dimensions of one `to_layout`, if it is on a tensor and has some.
pub(super) fn drop(ir: &mut Ir, op: OpId) {
    if ir.opcode(op) != Opcode::IreeVectorExtToLayout {
        return;
    }
    let input = ir.operand(op, 0);
    let Type::Tensor { shape, elem, encoding } = ir.ty(input).clone() else { return };
    let is_unit: Vec<bool> = shape.iter().map(|&extent| extent == 1).collect();
    let Some(Attr::Layout(layout)) = ir.attr(op, "layout") else { return };
    if !is_unit.contains(&true) || layout.rank() != shape.len() {
        return;
    }
    let layout = layout.project(&is_unit);
    let kept: Vec<i64> = shape.iter().copied().filter(|&extent| extent != 1).collect();
    let attrs = ir.attr_dict(op);
    let mut builder = Builder::before(ir, op);
    let sizes = builder.extents(input);
    let small = builder.ir.intern_type(Type::Tensor { shape: kept, elem, encoding });
    let (operands, slice) = slice_of(&mut builder, &[input], &sizes);
    let part = builder.value(Opcode::TensorExtractSlice, &operands, small, &slice);

    let laid = builder.ir.create_with(Opcode::IreeVectorExtToLayout, &[part], &[small], attrs, builder.span);
    builder.place(laid);
    let layout = builder.ir.intern(Attr::Layout(layout.into()));
    builder.ir.set_attr(laid, "layout", layout);
    let laid = builder.ir.result(laid, 0);

    let (_, dynamic) = unmixed(&sizes);
    let whole = builder.ir.type_of(input);
    let empty = builder.value(Opcode::TensorEmpty, &dynamic, whole, &[]);
    let (operands, slice) = slice_of(&mut builder, &[laid, empty], &sizes);
    let new = builder.value(Opcode::TensorInsertSlice, &operands, whole, &slice);
    ir.replace_uses(ir.result(op, 0), new);
    ir.erase(op);
}

/// Operands and attributes of a slice from the first element on, with step 1.
fn slice_of(
    builder: &mut Builder<'_>,
    first: &[ValueId],
    sizes: &[Mixed],
) -> (Vec<ValueId>, [(&'static str, raddle_ir::AttrId); 4]) {
    let (numbers, values) = unmixed(sizes);
    let mut segments = vec![1; first.len()];
    segments.extend([0, values.len(), 0]);
    let attrs = [
        ("static_offsets", builder.ir.dense_i64(&vec![0; numbers.len()])),
        ("static_sizes", builder.ir.dense_i64(&numbers)),
        ("static_strides", builder.ir.dense_i64(&vec![1; numbers.len()])),
        ("operandSegmentSizes", builder.ir.segment_sizes(&segments)),
    ];
    ([first, &values].concat(), attrs)
}
