//! Single elements of one thread's vectors: taken apart, collected, sent to other lanes.

use raddle_ir::{Builder, Opcode, ValueId};

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
