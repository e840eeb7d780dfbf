//! Generalize: named structured operations become `linalg.generic`.
//!
//! Before: `linalg.exp ins(%a : tensor<4x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>`
//! After:  `linalg.generic {indexing_maps = […], iterator_types = […]} ins(%a …) outs(%b …) { math.exp … }`
//!
//! The body is the one that the name stands for. What a name says by its own attributes is then in the maps; attributes
//! that others wrote stay. Does not touch operations without loops and a body, such as `linalg.softmax`.

use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{
    Attr, AttrId, Builder, Diag, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap, keyword_attr,
};

/// Makes each named operation of a function `linalg.generic`.
pub fn generalize(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    for op in ir.walk(func) {
        make_generic(ir, op);
    }
    Ok(())
}

/// Replaces one operation; says by which, if it is one that a name stands for.
pub(crate) fn make_generic(ir: &mut Ir, op: OpId) -> Option<OpId> {
    if ir.opcode(op) == Opcode::LinalgGeneric {
        return None;
    }
    let linalg = Linalg::try_of(ir, op)?;
    let own = |name: &str| ir.opcode(op).has_property(name) || name == "linalg.memoized_indexing_maps";
    let entries = ir.attrs(op).iter().map(|&(name, attr)| (ir[name].to_owned(), attr));
    let others: Vec<(String, AttrId)> = entries.filter(|(name, _)| !own(name)).collect();
    let attrs: Vec<(&str, AttrId)> = others.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
    let mut builder = Builder::before(ir, op);
    let new = generic(&mut builder, &linalg, &attrs);
    builder.copy_regions(op, new, &mut ValueMap::default());
    for (old, new) in ir.results(op).zip(ir.results(new)) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    Some(new)
}

/// A `linalg.generic` with these operands and loops, which has no body yet. On tensors it gives what its outputs are.
pub(crate) fn generic(builder: &mut Builder<'_>, linalg: &Linalg, attrs: &[(&str, AttrId)]) -> OpId {
    let maps = linalg.maps.iter().map(|map| builder.ir.intern(Attr::Map(map.clone()))).collect();
    let iterators = linalg
        .reduction
        .iter()
        .map(|&reduction| {
            let word = if reduction { "reduction" } else { "parallel" };
            keyword_attr(builder.ir, "linalg.iterator_type", word)
        })
        .collect();
    let own = [
        ("indexing_maps", builder.ir.intern(Attr::Array(maps))),
        ("iterator_types", builder.ir.intern(Attr::Array(iterators))),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[linalg.inputs.len(), linalg.outputs.len()])),
    ];
    let types = linalg.outputs.iter().map(|&output| builder.ir.type_of(output));
    let results: Vec<_> = types.filter(|&ty| matches!(builder.ir[ty], Type::Tensor { .. })).collect();
    builder.op(
        Opcode::LinalgGeneric,
        &[&linalg.inputs[..], &linalg.outputs].concat(),
        &results,
        &[&own, attrs].concat(),
    )
}

/// Gives a structured operation its body.
pub(crate) fn body_of(
    builder: &mut Builder<'_>,
    op: OpId,
    elems: &[TypeId],
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) {
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, elems);
    let args = builder.ir.args(block).to_vec();
    let mut inner = Builder::at_end(builder.ir, block, builder.span);
    let values = body(&mut inner, &args);
    inner.op(Opcode::LinalgYield, &values, &[], &[]);
}

/// The number of a loop, in the body of a structured operation.
pub(crate) fn loop_index(body: &mut Builder<'_>, d: usize) -> ValueId {
    let (ty, dim) = (body.ir.index_type(), body.ir.i64_attr(d as i64));
    body.value(Opcode::LinalgIndex, &[], ty, &[("dim", dim)])
}

/// What an expression of the loops of an operation is, in its body.
pub(crate) fn at_loops(body: &mut Builder<'_>, place: &Expr, loops: &[ValueId]) -> ValueId {
    match *place {
        Expr::Dim(d) => loops[d as usize],
        Expr::Const(at) => body.index(at),
        _ => body.apply(Map { dims: loops.len() as u32, syms: 0, results: vec![place.clone()] }, loops),
    }
}

/// A new tensor of a shape, whose element at a point is that of another tensor where `map` leads from there.
pub(crate) fn copy_along(builder: &mut Builder<'_>, value: ValueId, map: Map, sizes: &[Mixed]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    made(builder, &[(value, map)], sizes, elem, |_, args| args[0])
}

/// A new tensor of a shape, whose element at a point a body makes of elements of others, each where its map leads from there.
pub(crate) fn made(
    builder: &mut Builder<'_>,
    inputs: &[(ValueId, Map)],
    sizes: &[Mixed],
    elem: TypeId,
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> ValueId {
    let (shape, open) = unmixed(sizes);
    let ty = builder.ir.tensor_type(&shape, elem);
    let empty = builder.value(Opcode::TensorEmpty, &open, ty, &[]);
    let identity = Map::identity(sizes.len());
    let linalg = Linalg {
        inputs: inputs.iter().map(|input| input.0).collect(),
        outputs: vec![empty],
        maps: inputs.iter().map(|input| input.1.clone()).chain([identity]).collect(),
        reduction: vec![false; sizes.len()],
    };
    let op = generic(builder, &linalg, &[]);
    let elems: Vec<TypeId> = linalg.inputs.iter().map(|&value| builder.ir.elem_of(value)).chain([elem]).collect();
    body_of(builder, op, &elems, |inner, args| vec![body(inner, args)]);
    builder.ir.result(op, 0)
}

/// An elementwise operation on tensors of one shape, whose result has the type of `like`; `sizes` are its open extents.
pub(crate) fn elementwise(
    builder: &mut Builder<'_>,
    inputs: &[ValueId],
    like: ValueId,
    sizes: &[ValueId],
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> ValueId {
    let (ty, elem, rank) = (builder.ir.type_of(like), builder.ir.elem_of(like), builder.ir.shape_of(like).len());
    let empty = builder.value(Opcode::TensorEmpty, sizes, ty, &[]);
    let linalg = Linalg {
        inputs: inputs.to_vec(),
        outputs: vec![empty],
        maps: vec![Map::identity(rank); inputs.len() + 1],
        reduction: vec![false; rank],
    };
    let op = generic(builder, &linalg, &[]);
    body_of(builder, op, &vec![elem; inputs.len() + 1], |inner, args| vec![body(inner, &args[..inputs.len()])]);
    builder.ir.result(op, 0)
}
