//! Gathers and scatters: elements at places that vectors of indices name.
//!
//! `vector.gather` reads each element at a place of its own, so it acts like arithmetic on its vector of indices. A
//! `transfer_gather` goes one element tile at a time: each of its vectors of indices lies along some dimensions of the
//! result, and a tile takes the part of it that its own coordinates along these dimensions name.
//!
//! Scatters write from one of the threads that hold an element. Where two elements of `vector.scatter` go to the same
//! place, the later one stays; so unless its indices are all different where its mask is set, one thread writes all
//! elements in their order.

use raddle_ir::views::{Indexed, minor_identity};
use raddle_ir::{Attr, Builder, Class, Diag, Expr, Ir, OpId, Opcode, ValueId};

use super::memory::{self, Mask};
use super::{Cx, layout, part_type, refuse, threads};
use crate::code;

/// Reads and writes at places that vectors name; `mask` is one thread's part of what a region around them asks for.
pub fn gather(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    match builder.ir.opcode(op) {
        Opcode::VectorGather => each_element(builder, cx, op, mask),
        Opcode::VectorScatter => scatter(builder, cx, op, mask),
        Opcode::IreeVectorExtTransferGather => transfer_gather(builder, cx, op, mask),
        Opcode::IreeVectorExtTransferScatter => transfer_scatter(builder, cx, op, mask),
        _ => Err(refuse(
            builder.ir,
            op,
            "whole-workgroup vectors are read and written by transfers, gathers and scatters",
        )),
    }
}

/// A mask, and another one if there is one.
pub fn masked(builder: &mut Builder<'_>, mask: Option<ValueId>, other: Option<ValueId>) -> Option<ValueId> {
    match (mask, other) {
        (Some(mask), Some(other)) => Some(builder.binary(Opcode::ArithAndi, other, mask)),
        (mask, other) => mask.or(other),
    }
}

fn each_element(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let (layout, elem) = (layout(builder.ir, op, result)?, builder.ir.elem_of(result));
    let mut operands: Vec<ValueId> = builder.ir.operands(op).iter().map(|&value| cx.part(value)).collect();
    let own = operands.len() - 2;
    operands[own] = masked(builder, mask, Some(operands[own])).expect("it has a mask");
    let copy = builder.copy(op, &mut cx.map);
    builder.ir.remove_attr(copy, "layouts");
    builder.ir.set_operands(copy, &operands);
    let new = builder.ir.result(copy, 0);
    let ty = part_type(builder.ir, elem, &layout);
    builder.ir.set_type(new, ty);
    Ok(())
}

/// The operation for one element tile.
fn tile(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    whole: &Indexed,
    layout: &raddle_layout::Nested,
    at: &[i64],
) -> Indexed {
    let rank = layout.rank();
    let part = |builder: &mut Builder<'_>, value: ValueId, dims: Vec<usize>| {
        if !builder.ir.ty(value).is_vector() {
            return value;
        }
        let mask = Mask { part: value, dims };
        mask.tile(builder, rank, at)
    };
    let mut index_vecs = Vec::new();
    for (i, &value) in whole.index_vecs.iter().enumerate() {
        index_vecs.push(part(builder, value, whole.dims(i)));
    }
    let mask = whole.mask.map(|mask| part(builder, mask, whole.dims(whole.index_vecs.len())));
    let mut offsets = whole.offsets.clone();
    for (expr, offset) in whole.maps[0].results.iter().zip(&mut offsets) {
        if let Expr::Dim(d) = expr {
            let d = *d as usize;
            *offset = threads::coordinate(builder, cx, layout, d, [at[d], at[rank + d]], *offset);
        }
    }
    Indexed {
        base: whole.base,
        offsets,
        index_vecs,
        vector: None,
        padding: whole.padding,
        mask,
        maps: whole.maps.clone(),
    }
}

/// The operation with what one thread holds of each operand.
fn view(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<Indexed, Diag> {
    let mut view = Indexed::of(builder.ir, op);
    if !matches!(builder.ir.ty(view.base), raddle_ir::Type::MemRef { .. }) {
        return Err(refuse(builder.ir, op, "it touches a tensor: run `vectorize` first"));
    }
    let vector = view.vector.unwrap_or_else(|| builder.ir.result(op, 0));
    let rank = builder.ir.shape_of(vector).len();
    for value in view.offsets.iter_mut().chain(&mut view.index_vecs).chain(&mut view.padding).chain(&mut view.mask) {
        *value = cx.part(*value);
    }
    view.base = cx.part(view.base);
    if mask.is_some() && view.mask.is_some() {
        return Err(refuse(builder.ir, op, "it has a mask of its own inside `vector.mask`"));
    }
    if mask.is_some() {
        let map = raddle_ir::Map { syms: view.index_vecs.len() as u32, ..minor_identity(rank, rank) };
        view.mask = mask;
        view.maps.push(map);
    }
    Ok(view)
}

/// Where the element tile at `at` of a gather begins in its base, if vectors name places for whole tiles; `None` where an
/// operation is not a gather.
pub fn indices(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    op: OpId,
    layout: &raddle_layout::Nested,
    at: &[i64],
) -> Option<Vec<ValueId>> {
    if builder.ir.opcode(op) != Opcode::IreeVectorExtTransferGather {
        return None;
    }
    let view = view(builder, cx, op, None).ok()?;
    let tile = tile(builder, cx, &view, layout, at);
    let mut indices = tile.offsets.clone();
    for (expr, index) in tile.maps[0].results.iter().zip(&mut indices) {
        if let Expr::Sym(vector) = expr {
            let vector = tile.index_vecs[*vector as usize];
            let first = vec![0; builder.ir.shape_of(vector).len()];
            let named = builder.extract(vector, &first);
            *index = builder.binary(Opcode::ArithAddi, *index, named);
        }
    }
    Some(indices)
}

/// The dimensions along which the mask of a gather lies; `None` where an operation is not a gather.
pub fn mask_dims(ir: &Ir, op: OpId) -> Option<Vec<usize>> {
    let view = (ir.opcode(op) == Opcode::IreeVectorExtTransferGather).then(|| Indexed::of(ir, op))?;
    Some(view.mask.map_or(Vec::new(), |_| view.dims(view.index_vecs.len())))
}

fn transfer_gather(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let (layout, elem) = (layout(builder.ir, op, result)?, builder.ir.elem_of(result));
    let view = view(builder, cx, op, mask)?;
    let whole = part_type(builder.ir, elem, &layout);
    let ty = builder.ir.vector_type(&layout.element_tile, elem);
    let mut part = None;
    for at in memory::tiles(&layout) {
        let (operands, attrs) = tile(builder, cx, &view, &layout, &at).parts(builder.ir);
        let value = builder.value(Opcode::IreeVectorExtTransferGather, &operands, ty, &attrs);
        part = Some(if at.is_empty() { value } else { memory::put(builder, part, whole, value, &at) });
    }
    cx.map.set(result, part.expect("a layout has at least one tile"));
    Ok(())
}

fn transfer_scatter(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    let vector = Indexed::of(builder.ir, op).vector.expect("a scatter has a vector");
    let layout = layout(builder.ir, op, vector)?;
    let view = view(builder, cx, op, mask)?;
    let part = cx.part(vector);
    let is_writer = threads::is_writer(builder, cx, &layout).map_err(|why| refuse(builder.ir, op, why))?;
    let write = |builder: &mut Builder<'_>| {
        for at in memory::tiles(&layout) {
            let mut piece = tile(builder, cx, &view, &layout, &at);
            piece.vector = Some(if at.is_empty() { part } else { builder.extract(part, &at) });
            let (operands, attrs) = piece.parts(builder.ir);
            builder.op(Opcode::IreeVectorExtTransferScatter, &operands, &[], &attrs);
        }
    };
    match is_writer {
        None => write(builder),
        Some(condition) => code::when(builder, condition, write),
    }
    Ok(())
}

fn scatter(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    if builder.ir.results(op).len() > 0 {
        return Err(refuse(builder.ir, op, "it touches a tensor: run `vectorize` first"));
    }
    let old = builder.ir.operands(op).to_vec();
    let [base, offsets @ .., indices, own, value] = &old[..] else {
        return Err(refuse(builder.ir, op, "it lacks operands"));
    };
    let layout = layout(builder.ir, op, *value)?;
    let parts = [*indices, *own, *value].map(|value| cx.part(value));
    let own = masked(builder, mask, Some(parts[1])).expect("it has a mask");
    let base = cx.part(*base);
    let offsets: Vec<ValueId> = offsets.iter().map(|&offset| cx.part(offset)).collect();
    let alone = (0..layout.rank()).all(|d| crate::lay_out::is_local(&layout, d));
    if alone || are_different(builder.ir, *indices) || are_counted(builder.ir, *indices, old[old.len() - 2]) {
        let is_writer = threads::is_writer(builder, cx, &layout).map_err(|why| refuse(builder.ir, op, why))?;
        // The order of slots is not that of elements, unless a thread holds them in one piece.
        let parts = [parts[0], own, parts[2]].map(|part| memory::unpacked(builder, part, &layout));
        let operands = [&[base], &offsets[..], &parts].concat();
        let write = |builder: &mut Builder<'_>| {
            builder.op(Opcode::VectorScatter, &operands, &[], &[]);
        };
        match is_writer {
            None => write(builder),
            Some(condition) => code::when(builder, condition, write),
        }
        return Ok(());
    }
    // All elements meet in shared memory, and the first thread writes them in their order.
    memory::start(builder, cx);
    let mut views = Vec::new();
    for part in [parts[0], own, parts[2]] {
        let buffer = memory::staged(builder, cx, op, &layout.undistributed_shape(), part)?;
        views.push((memory::stage(builder, cx, op, buffer, part, &layout)?, builder.ir.elem_of(part)));
    }
    cx.barrier(builder);
    let shape = layout.undistributed_shape();
    let [zero, one] = [0, 1].map(|number| builder.index(number));
    let first = code::compare(builder, code::EQUAL, cx.thread, zero);
    code::when(builder, first, |inner| {
        in_turn(inner, &shape, &mut Vec::new(), [zero, one], &|inner, at| {
            let mut read = |i: usize| memory::load(inner, views[i].0.base, at, views[i].1);
            let (index, condition, value) = (read(0), read(1), read(2));
            code::when(inner, condition, |inner| {
                let mut place = offsets.clone();
                if let Some(last) = place.last_mut() {
                    let ty = inner.ir.index_type();
                    let index = if inner.ir.type_of(index) == ty {
                        index
                    } else {
                        inner.value(Opcode::ArithIndexCast, &[index], ty, &[])
                    };
                    *last = inner.binary(Opcode::ArithAddi, *last, index);
                }
                inner.op(Opcode::MemrefStore, &[&[value, base], &place[..]].concat(), &[], &[]);
            });
        });
    });
    Ok(())
}

/// Loops over all coordinates, the last dimension innermost.
fn in_turn(
    builder: &mut Builder<'_>,
    shape: &[i64],
    at: &mut Vec<ValueId>,
    [zero, one]: [ValueId; 2],
    body: &dyn Fn(&mut Builder<'_>, &[ValueId]),
) {
    let Some((&extent, rest)) = shape.split_first() else { return body(builder, at) };
    let end = builder.index(extent);
    builder.for_loop(zero, end, one, &[], |inner, index, _| {
        at.push(index);
        in_turn(inner, rest, at, [zero, one], body);
        at.pop();
        Vec::new()
    });
}

/// Whether no two elements of a vector of integers are the same, as far as its operations tell.
fn are_different(ir: &Ir, value: ValueId) -> bool {
    let Some(op) = ir.def_op(value) else { return false };
    let uniform = |value: ValueId| {
        let def = ir.def_op(value);
        def.is_some_and(|def| match (ir.class(def), ir.attr(def, "value")) {
            (Class::Broadcast, _) => !ir.ty(ir.operand(def, 0)).is_vector(),
            (Class::Constant, Some(Attr::Dense { splat, .. })) => *splat,
            _ => false,
        })
    };
    match (ir.opcode(op), ir.operands(op)) {
        (Opcode::VectorStep, _) => true,
        (Opcode::ArithConstant, _) => {
            let Some(dense @ Attr::Dense { splat: false, .. }) = ir.attr(op, "value") else { return false };
            let mut seen = rustc_hash::FxHashSet::default();
            ir.dense_elems(dense).iter().all(|elem| seen.insert(ir.elem_bytes(elem)))
        }
        (Opcode::ArithAddi, &[a, b]) => uniform(a) && are_different(ir, b) || uniform(b) && are_different(ir, a),
        (Opcode::ArithSubi, &[a, b]) => uniform(a) && are_different(ir, b) || uniform(b) && are_different(ir, a),
        (Opcode::VectorShapeCast | Opcode::VectorTranspose | Opcode::IreeVectorExtToLayout, &[source, ..]) => {
            are_different(ir, source)
        }
        _ => false,
    }
}

/// Whether indices count a mask's set elements: those where it is set are then all different.
fn are_counted(ir: &Ir, indices: ValueId, mask: ValueId) -> bool {
    // Conversions move elements, and change none.
    let origin = |mut value: ValueId| {
        while let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::IreeVectorExtToLayout) {
            value = ir.operand(op, 0);
        }
        value
    };
    let counts = |op: OpId| {
        let source = ir.def_op(origin(ir.operand(op, 0)));
        ir.result(op, 0) == origin(indices)
            && ir.keyword_of(op, "kind") == Some("add")
            && source.is_some_and(|ones| {
                ir.opcode(ones) == Opcode::ArithExtui && origin(ir.operand(ones, 0)) == origin(mask)
            })
    };
    ir.def_op(origin(indices)).is_some_and(|op| ir.opcode(op) == Opcode::VectorScan && counts(op))
}

/// `iree_linalg_ext.map_store`: an element tile at a time, with the tile's place added to the coordinates from which the
/// region computes where each element goes. One of the threads that hold an element stores it: the region may do more
/// than say a place.
pub fn map_store(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (input, output) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1));
    if builder.ir.results(op).len() > 0 || !builder.ir.ty(input).is_vector() {
        return Err(refuse(builder.ir, op, "it stores into a tensor: run `vectorize` first"));
    }
    let layout = layout(builder.ir, op, input)?;
    let (part, base) = (cx.part(input), cx.part(output));
    let is_writer = threads::is_writer(builder, cx, &layout).map_err(|why| refuse(builder.ir, op, why))?;
    let (block, rank) = (builder.ir.entry(op), layout.rank());
    let args = builder.ir.args(block).to_vec();
    let index = builder.ir.index_type();
    let mut store = |builder: &mut Builder<'_>| {
        let zero = builder.index(0);
        for at in memory::tiles(&layout) {
            let tile = if at.is_empty() { part } else { builder.extract(part, &at) };
            let place: Vec<ValueId> =
                (0..rank).map(|d| threads::coordinate(builder, cx, &layout, d, [at[d], at[rank + d]], zero)).collect();
            let new = builder.op(Opcode::IreeLinalgExtMapStore, &[tile, base], &[], &[]);
            let region = builder.ir.add_region(new);
            let copy = builder.ir.add_block(region, &vec![index; rank]);
            let inside = builder.ir.args(copy).to_vec();
            let mut inner = Builder::at_end(builder.ir, copy, builder.span);
            for (d, (&arg, &own)) in args.iter().zip(&inside).enumerate() {
                let stays = inner.ir.const_int(place[d]) == Some(0);
                let sum = if stays { own } else { inner.binary(Opcode::ArithAddi, own, place[d]) };
                cx.map.set(arg, sum);
            }
            for op in inner.ir.ops_of(block) {
                inner.copy(op, &mut cx.map);
            }
        }
    };
    match is_writer {
        None => store(builder),
        Some(condition) => code::when(builder, condition, store),
    }
    Ok(())
}
