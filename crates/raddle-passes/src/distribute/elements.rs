//! Single elements of one thread's vectors: taken apart, collected, sent to other lanes.

use raddle_ir::{Builder, Opcode, Type, TypeId, ValueId};

use super::memory;

/// Every element of a vector, row-major; a scalar itself.
pub fn each(builder: &mut Builder<'_>, part: ValueId) -> Vec<ValueId> {
    if !builder.ir.ty(part).is_vector() {
        return vec![part];
    }
    let positions = memory::positions(builder.ir.shape_of(part));
    positions.iter().map(|at| builder.extract(part, at)).collect()
}

/// The vector of this shape with these elements, row-major.
pub fn collect(builder: &mut Builder<'_>, elements: &[ValueId], shape: &[i64]) -> ValueId {
    let elem = builder.ir.type_of(elements[0]);
    let ty = builder.ir.vector_type(shape, elem);
    match elements {
        [element] => builder.broadcast(*element, ty),
        _ => builder.value(Opcode::VectorFromElements, elements, ty, &[]),
    }
}

/// Applies `f` to each element of a vector; to a scalar as it is.
pub fn map(
    builder: &mut Builder<'_>,
    part: ValueId,
    mut f: impl FnMut(&mut Builder<'_>, ValueId) -> ValueId,
) -> ValueId {
    if !builder.ir.ty(part).is_vector() {
        return f(builder, part);
    }
    let shape = builder.ir.shape_of(part).to_vec();
    let mut elements = Vec::new();
    for at in memory::positions(&shape) {
        let element = builder.extract(part, &at);
        elements.push(f(builder, element));
    }
    collect(builder, &elements, &shape)
}

/// Does `f` to a value in the type that travels between lanes: an index as an `i64`.
pub fn travelling(
    builder: &mut Builder<'_>,
    value: ValueId,
    f: impl FnOnce(&mut Builder<'_>, ValueId) -> ValueId,
) -> ValueId {
    let ty = builder.ir.type_of(value);
    if builder.ir[ty] != Type::Index {
        return f(builder, value);
    }
    let wide = builder.ir.int_type(64);
    let moved = builder.value(Opcode::ArithIndexCast, &[value], wide, &[]);
    let moved = f(builder, moved);
    builder.value(Opcode::ArithIndexCast, &[moved], ty, &[])
}

/// `gpu.shuffle`: the value of the lane that the `i32` `lane` and `mode` name. Narrow values travel as words.
pub fn shuffle(builder: &mut Builder<'_>, value: ValueId, lane: ValueId, width: i64, mode: &str) -> ValueId {
    let ty = builder.ir.type_of(value);
    let bits = match builder.ir[ty] {
        Type::Integer { width, .. } => width,
        Type::Float(float) => float.bits(),
        _ => 64,
    };
    if bits >= 32 {
        return travelling(builder, value, |builder, value| move_word(builder, value, lane, width, mode));
    }
    let (int, word) = (builder.ir.int_type(bits), builder.ir.int_type(32));
    let moved = cast(builder, value, int);
    let moved = builder.value(Opcode::ArithExtui, &[moved], word, &[]);
    let moved = move_word(builder, moved, lane, width, mode);
    let moved = builder.value(Opcode::ArithTrunci, &[moved], int, &[]);
    cast(builder, moved, ty)
}

/// The same bits in a type of the same width.
fn cast(builder: &mut Builder<'_>, value: ValueId, ty: TypeId) -> ValueId {
    if builder.ir.type_of(value) == ty { value } else { builder.value(Opcode::ArithBitcast, &[value], ty, &[]) }
}

fn move_word(builder: &mut Builder<'_>, value: ValueId, lane: ValueId, width: i64, mode: &str) -> ValueId {
    let (ty, word, bit) = (builder.ir.type_of(value), builder.ir.int_type(32), builder.ir.int_type(1));
    let width = builder.int(width, word);
    let mode = builder.keyword_attr("gpu.shuffle_mode", mode);
    let op = builder.op(Opcode::GpuShuffle, &[value, lane, width], &[ty, bit], &[("mode", mode)]);
    builder.ir.result(op, 0)
}
