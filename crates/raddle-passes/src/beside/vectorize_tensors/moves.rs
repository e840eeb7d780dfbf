//! Operations that have a counterpart on vectors: layouts, gathers, comparisons, scans, inner tiles.

use raddle_ir::views::Indexed;
use raddle_ir::{Attr, Builder, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::{Cx, Fits, Pad, Space, Wish, check, loops_of};
use crate::structured::scans::Scan;
use crate::structured::sizes::{self, Extent};

/// The vectors of one tensor.
fn space_of(ir: &Ir, value: ValueId, wish: &Wish) -> Fits<Space> {
    let extents: Vec<Extent> = (0..ir.shape_of(value).len()).map(|d| sizes::extent(ir, value, d)).collect();
    let sizes: Option<Vec<i64>> = extents.iter().map(|&extent| sizes::at_most(ir, extent)).collect();
    check(Space { extents, sizes: sizes.ok_or("an extent has no bound")? }, wish)
}

fn replace(ir: &mut Ir, op: OpId, values: &[Option<ValueId>]) {
    for (old, new) in ir.results(op).zip(values) {
        if let Some(new) = *new {
            ir.replace_uses(old, new);
        }
    }
    ir.erase(op);
}

/// `iree_vector_ext.to_layout` of a tensor: the vector has the shape that the layout has.
pub(super) fn to_layout(ir: &mut Ir, op: OpId, wish: &Wish) -> Fits<()> {
    let input = ir.operand(op, 0);
    let Some(Attr::Layout(layout)) = ir.attr(op, "layout") else {
        return Err("its layout says nothing about threads".to_owned());
    };
    let sizes = layout.undistributed_shape();
    let extents: Vec<Extent> = (0..ir.shape_of(input).len()).map(|d| sizes::extent(ir, input, d)).collect();
    let space = check(Space { extents, sizes }, wish)?;
    let all: Vec<usize> = (0..space.sizes.len()).collect();
    let mut cx = Cx::new(&space, Pad::Poison);
    let mut builder = Builder::before(ir, op);
    let value = cx.read(&mut builder, input, &all);
    let (ty, attrs) = (builder.ir.type_of(value), builder.ir.attr_dict(op));
    let new = builder.ir.create_with(Opcode::IreeVectorExtToLayout, &[value], &[ty], attrs, builder.span);
    builder.place(new);
    let value = builder.ir.result(new, 0);
    let written = cx.write(&mut builder, value, input, &all);
    replace(ir, op, &[written]);
    Ok(())
}

/// `iree_linalg_ext.gather` with one index for each slice: a `transfer_gather` along the first dimension of the source.
pub(super) fn gather(ir: &mut Ir, op: OpId, wish: &Wish) -> Fits<()> {
    let [source, indices, output] = ir.operands(op)[..] else { return Err("it has a mask of its own".to_owned()) };
    if ir.attr_id(op, "dimension_map").and_then(|attr| ir.ints(attr)).as_deref() != Some(&[0]) {
        return Err("its indices are not places along the first dimension alone".to_owned());
    }
    if !ir.ty(source).is_tensor() {
        return Err("it works on buffers".to_owned());
    }
    let rank = ir.shape_of(output).len();
    let n_batch = (rank + 1).checked_sub(ir.shape_of(source).len()).ok_or("its shapes do not fit together")?;
    if ir.shape_of(indices).len() < n_batch || ir.shape_of(source).is_empty() {
        return Err("its shapes do not fit together".to_owned());
    }
    // The dimension of the parts of an index is left out: its extent is 1.
    let space = space_of(ir, output, wish)?;
    let mut cx = Cx::new(&space, Pad::Poison);
    let mut builder = Builder::before(ir, op);
    let batch: Vec<usize> = (0..n_batch).collect();
    let map = Map::of_dims(builder.ir.shape_of(indices).len(), &batch);
    let places = cx.read_along(&mut builder, indices, &batch, map);
    let (index, shape) = (builder.ir.index_type(), builder.ir.shape_of(places).to_vec());
    let ty = builder.ir.vector_type(&shape, index);
    let places = if builder.ir.elem_of(places) == index {
        places
    } else {
        builder.value(Opcode::ArithIndexCast, &[places], ty, &[])
    };
    let all: Vec<usize> = (0..rank).collect();
    let mask = cx.mask(&mut builder, &all);
    let elem = builder.ir.elem_of(source);
    let padding = builder.value(Opcode::UbPoison, &[], elem, &[]);
    let slices = (n_batch..rank).map(|d| Expr::Dim(d as u32));
    let along = |results: Vec<Expr>| Map { dims: rank as u32, syms: 1, results };
    let dims = |dims: &[usize]| dims.iter().map(|&d| Expr::Dim(d as u32)).collect::<Vec<_>>();
    let mut maps = vec![along([Expr::Sym(0)].into_iter().chain(slices).collect()), along(dims(&batch))];
    maps.extend(mask.map(|_| along(dims(&all))));
    let offsets = cx.zeros(&mut builder, source);
    let parts =
        Indexed { base: source, offsets, index_vecs: vec![places], vector: None, padding: Some(padding), mask, maps };
    let (operands, attrs) = parts.parts(builder.ir);
    let ty = builder.ir.vector_type(&space.sizes, elem);
    let gathered = builder.value(Opcode::IreeVectorExtTransferGather, &operands, ty, &attrs);
    let written = cx.write(&mut builder, gathered, output, &all);
    replace(ir, op, &[written]);
    Ok(())
}

/// All dimensions, and those that are left when that of the operation is gone.
fn dims_around(ir: &Ir, op: OpId, space: &Space) -> (Vec<usize>, Vec<usize>) {
    let dim = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
    let all: Vec<usize> = (0..space.sizes.len()).collect();
    let kept = all.iter().copied().filter(|&d| Some(d) != dim).collect();
    (all, kept)
}

/// `iree_linalg_ext.arg_compare`, on vectors.
pub(super) fn arg_compare(ir: &mut Ir, op: OpId, wish: &Wish) -> Fits<()> {
    let parts: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let (input, outputs) = (parts[0][0], [parts[2][0], parts[3][0]]);
    if !ir.ty(input).is_tensor() {
        return Err("it works on buffers".to_owned());
    }
    let space = space_of(ir, input, &wish.without_masks())?;
    let dimension = ir.attr_id(op, "dimension").ok_or("it has no dimension")?;
    let (all, kept) = dims_around(ir, op, &space);
    let mut cx = Cx::new(&space, Pad::Poison);
    let mut builder = Builder::before(ir, op);
    let ins: Vec<ValueId> = parts[..2].concat().into_iter().map(|value| cx.read(&mut builder, value, &all)).collect();
    let inits = outputs.map(|output| cx.read(&mut builder, output, &kept));
    let operands = [&ins[..], &inits, &parts[4]].concat();
    let sizes = builder.ir.segment_sizes(&[1, parts[1].len(), 1, 1, parts[4].len()]);
    let types = inits.map(|init| builder.ir.type_of(init));
    let attrs = [("dimension", dimension), ("operandSegmentSizes", sizes)];
    let new = builder.op(Opcode::IreeVectorExtArgCompare, &operands, &types, &attrs);
    builder.copy_regions(op, new, &mut ValueMap::default());
    let end = builder.ir.terminator(builder.ir.entry(new)).expect("the verifier has seen a body with an end");
    let yielded = builder.ir.operands(end).to_vec();
    Builder::before(builder.ir, end).op(Opcode::IreeVectorExtYield, &yielded, &[], &[]);
    builder.ir.erase(end);
    let found: Vec<ValueId> = builder.ir.results(new).collect();
    let written = [0, 1].map(|i| cx.write(&mut builder, found[i], outputs[i], &kept));
    replace(ir, op, &written);
    Ok(())
}

/// `iree_linalg_ext.scan` whose body is one operation that `vector.scan` knows.
pub(super) fn scan(ir: &mut Ir, op: OpId, wish: &Wish) -> Fits<()> {
    let [input, output, acc] = ir.operands(op)[..] else { return Err("its operands do not fit together".to_owned()) };
    if !ir.ty(input).is_tensor() {
        return Err("it works on buffers".to_owned());
    }
    let space = space_of(ir, input, &wish.without_masks())?;
    let kind = Scan::of(ir, op).ok_or("its body is not one operation that combines")?.combiner.kind;
    let (Some(along), Some(inclusive)) = (ir.attr_id(op, "dimension"), ir.attr_id(op, "inclusive")) else {
        return Err("it has no dimension".to_owned());
    };
    let (all, kept) = dims_around(ir, op, &space);
    let mut cx = Cx::new(&space, Pad::Poison);
    let mut builder = Builder::before(ir, op);
    let (value, init) = (cx.read(&mut builder, input, &all), cx.read(&mut builder, acc, &kept));
    let kind = builder.keyword_attr("vector.kind", kind);
    let attrs = [("kind", kind), ("reduction_dim", along), ("inclusive", inclusive)];
    let types = [value, init].map(|value| builder.ir.type_of(value));
    let new = builder.op(Opcode::VectorScan, &[value, init], &types, &attrs);
    let found: Vec<ValueId> = builder.ir.results(new).collect();
    let written = [cx.write(&mut builder, found[0], output, &all), cx.write(&mut builder, found[1], acc, &kept)];
    replace(ir, op, &written);
    Ok(())
}

/// `iree_codegen.inner_tiled` on tensors, on vectors. Behind the loops of the operation come the inner dimensions of each
/// operand.
pub(super) fn inner_tiled(ir: &mut Ir, op: OpId, wish: &Wish) -> Fits<()> {
    let operands = ir.operands(op).to_vec();
    let maps = ir.maps(op, "indexing_maps").filter(|maps| maps.len() == operands.len());
    let maps = maps.ok_or("its maps do not fit its operands")?;
    let n_own = maps.first().map_or(0, |map| map.dims as usize);
    let (mut dims, mut n_loops) = (Vec::new(), n_own);
    for (map, &operand) in maps.iter().zip(&operands) {
        let mut along = map.as_dims().ok_or("its maps do not pick loops")?;
        let inner = ir.shape_of(operand).len() - along.len();
        along.extend(n_loops..n_loops + inner);
        n_loops += inner;
        dims.push(along);
    }
    let space = loops_of(ir, op, n_own, operands.iter().copied().zip(dims.iter().cloned()), wish)?;
    let mut cx = Cx::new(&space, Pad::Zero);
    let mut builder = Builder::before(ir, op);
    let values: Vec<ValueId> = (0..operands.len()).map(|i| cx.read(&mut builder, operands[i], &dims[i])).collect();
    let outputs = operands.len() - builder.ir.results(op).len()..operands.len();
    let types: Vec<_> = values[outputs.clone()].iter().map(|&value| builder.ir.type_of(value)).collect();
    let attrs = builder.ir.attr_dict(op);
    let new = builder.ir.create_with(Opcode::IreeCodegenInnerTiled, &values, &types, attrs, builder.span);
    builder.place(new);
    let results: Vec<ValueId> = builder.ir.results(new).collect();
    let written: Vec<Option<ValueId>> =
        outputs.zip(results).map(|(i, result)| cx.write(&mut builder, result, operands[i], &dims[i])).collect();
    replace(ir, op, &written);
    Ok(())
}
