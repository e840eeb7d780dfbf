//! Operations that move elements of tensors: what their attributes say of dimensions.

use raddle_ir::views::{Mixed, SliceView, mixed, unmixed};
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Ir, OpId, Opcode, ValueId};

/// The dimensions of a slice that its tensor has; others have one element and are dropped.
pub fn kept(sizes: &[Mixed], shape: &[i64]) -> Vec<usize> {
    let mut kept = Vec::new();
    for (d, &size) in sizes.iter().enumerate() {
        let next = shape.get(kept.len());
        let same = match size {
            Mixed::Static(size) => next == Some(&size),
            Mixed::Value(_) => next == Some(&DYNAMIC),
        };
        if same {
            kept.push(d);
        }
    }
    assert_eq!(kept.len(), shape.len(), "the verifier has seen that only dimensions of one element are dropped");
    kept
}

/// Numbers that are all known.
pub fn numbers(list: &[Mixed]) -> Option<Vec<i64>> {
    list.iter().map(|&number| if let Mixed::Static(number) = number { Some(number) } else { None }).collect()
}

/// What `tensor.pad` puts in front and behind.
pub fn padding(ir: &Ir, op: OpId) -> [Vec<Mixed>; 2] {
    let parts = ir.segments(op);
    let list = |name: &str, part: usize| mixed(&ints(ir, op, name), parts.get(part).copied().unwrap_or_default());
    [list("static_low", 1), list("static_high", 2)]
}

/// The constant that a tensor is padded by, as an attribute.
pub fn padding_constant(ir: &Ir, op: OpId) -> Option<AttrId> {
    let end = ir.terminator(ir.body(op, 0).filter(|_| ir.opcode(op) == Opcode::TensorPad)?)?;
    let made = ir.def_op(ir.operand(end, 0)).filter(|&made| ir.opcode(made) == Opcode::ArithConstant)?;
    ir.attr_id(made, "value")
}

/// The shape of a tensor with so many more elements in front and behind.
pub fn padded_shape(shape: &[i64], low: &[i64], high: &[i64]) -> Vec<i64> {
    let around = shape.iter().zip(low.iter().zip(high));
    let padded = |(&extent, (&low, &high)): (&i64, (&i64, &i64))| match extent == DYNAMIC || high == DYNAMIC {
        true => DYNAMIC,
        false => low + extent + high,
    };
    around.map(padded).collect()
}

/// A tensor with so many zeros in front and behind.
pub fn pad_with_zeros(builder: &mut Builder<'_>, value: ValueId, low: &[i64], high: &[i64]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    pad(builder, value, low, high, |inner| inner.splat(0.0, elem))
}

/// A tensor with so many elements in front and behind, which `padding` makes.
pub fn pad(
    builder: &mut Builder<'_>,
    value: ValueId,
    low: &[i64],
    high: &[i64],
    padding: impl FnOnce(&mut Builder<'_>) -> ValueId,
) -> ValueId {
    let high: Vec<Mixed> = high.iter().map(|&n| Mixed::Static(n)).collect();
    pad_by(builder, value, low, &high, padding)
}

/// The same where only the run may know how many elements stand behind it.
pub fn pad_by(
    builder: &mut Builder<'_>,
    value: ValueId,
    low: &[i64],
    high: &[Mixed],
    padding: impl FnOnce(&mut Builder<'_>) -> ValueId,
) -> ValueId {
    if low.iter().all(|&n| n == 0) && high.iter().all(|&n| n == Mixed::Static(0)) {
        return value;
    }
    let (elem, from) = (builder.ir.elem_of(value), builder.ir.shape_of(value).to_vec());
    let (numbers, values) = unmixed(high);
    let ty = builder.ir.tensor_type(&padded_shape(&from, low, &numbers), elem);
    let attrs = [
        ("static_low", builder.ir.dense_i64(low)),
        ("static_high", builder.ir.dense_i64(&numbers)),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[1, 0, values.len()])),
    ];
    let op = builder.op(Opcode::TensorPad, &[&[value], &values[..]].concat(), &[ty], &attrs);
    let index = builder.ir.index_type();
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &vec![index; from.len()]);
    let mut inner = Builder::at_end(builder.ir, block, builder.span);
    let padding = padding(&mut inner);
    inner.op(Opcode::TensorYield, &[padding], &[], &[]);
    builder.ir.result(op, 0)
}

/// The dimensions that are one in the shape with fewer dimensions.
pub fn groups(ir: &Ir, op: OpId) -> Vec<Vec<usize>> {
    let dims = |list: Vec<i64>| list.into_iter().filter_map(|dim| usize::try_from(dim).ok()).collect();
    match ir.attr(op, "reassociation") {
        Some(Attr::Array(groups)) => groups.iter().map(|&group| ir.ints(group).map(dims).unwrap_or_default()).collect(),
        _ => Vec::new(),
    }
}

/// The operands that the results of an operation of `iree_linalg_ext` replace.
pub fn outputs(ir: &Ir, op: OpId) -> Option<Vec<ValueId>> {
    let (operands, n) = (ir.operands(op), ir.results(op).len());
    // An operand behind the outputs has no elements.
    let last = operands.iter().rposition(|&value| ir.ty(value).is_tensor())? + 1;
    Some(operands[last.checked_sub(n)?..last].to_vec())
}

/// The list of integers that an attribute is.
pub fn ints(ir: &Ir, op: OpId, name: &str) -> Vec<i64> {
    ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default()
}

/// One column of a matrix that is put together of them.
pub(crate) fn column(ir: &Ir, places: ValueId, at: usize) -> Option<ValueId> {
    let made = ir.def_op(places)?;
    match ir.opcode(made) {
        Opcode::TensorConcat => {
            let is_across = ir.attr(made, "dim").and_then(Attr::as_i64) == Some(1);
            let are_columns = ir.operands(made).iter().all(|&part| ir.shape_of(part).get(1) == Some(&1));
            ir.operands(made).get(at).copied().filter(|_| is_across && are_columns)
        }
        Opcode::TensorInsertSlice => {
            let slice = SliceView::of(ir, made);
            let [first, column] = slice.offsets[..] else { return None };
            let rows = ir.shape_of(places)[0];
            let is_column = first == Mixed::Static(0) && slice.sizes == [Mixed::Static(rows), Mixed::Static(1)];
            match column {
                _ if !is_column => None,
                Mixed::Static(column) if column == at as i64 => slice.value,
                Mixed::Static(_) => self::column(ir, slice.base, at),
                Mixed::Value(_) => None,
            }
        }
        _ => None,
    }
}
