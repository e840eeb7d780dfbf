//! Reads, writes, and changes of layout.

use raddle_ir::views::{Transfer, minor_identity};
use raddle_ir::{Builder, Code, Diag, Expr, Ir, OpId, Opcode, Scalar, TypeId, ValueId};
use raddle_layout::Nested;

use super::{Cx, layout, part_type, refuse, threads, transposed};

/// Every batch and outer position of a layout, row-major.
fn tiles(layout: &Nested) -> Vec<Vec<i64>> {
    let extents = [&layout.batch_tile[..], &layout.outer_tile].concat();
    let mut all = vec![Vec::new()];
    for extent in extents {
        all = all.into_iter().flat_map(|at: Vec<i64>| (0..extent).map(move |i| [&at[..], &[i]].concat())).collect();
    }
    all
}

/// Where the element tile at `at` starts in the base.
fn indices(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, layout: &Nested, at: &[i64]) -> Vec<ValueId> {
    let rank = layout.rank();
    let mut indices = view.indices.clone();
    for (d, expr) in view.map.results.iter().enumerate() {
        // A broadcast dimension is the constant 0: every thread reads the same place.
        if let Expr::Dim(p) = expr {
            let p = *p as usize;
            indices[p] = threads::coordinate(builder, cx, layout, d, [at[d], at[rank + d]], view.indices[p]);
        }
    }
    indices
}

/// One thread's part of what is read, an element tile at a time.
pub fn read(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, layout: &Nested) -> ValueId {
    let elem = builder.ir.elem_of(view.base);
    let whole = part_type(builder.ir, elem, layout);
    let tile = builder.ir.vector_type(&layout.element_tile, elem);
    let padding = view.padding.expect("reads have padding");
    let all = tiles(layout);
    let mut part = None;
    for at in &all {
        let indices = indices(builder, cx, view, layout, at);
        let value = builder.transfer_read(view.base, &indices, padding, view.map.clone(), &view.in_bounds, tile);
        if all.len() == 1 {
            return builder.shape_cast(value, &layout.distributed_shape());
        }
        let into = part.unwrap_or_else(|| builder.splat(0.0, whole));
        let offsets = [&at[..], &vec![0; layout.rank()]].concat();
        part = Some(builder.insert_strided_slice(value, into, &offsets));
    }
    part.expect("a layout has at least one tile")
}

/// Writes one thread's part, an element tile at a time, from one of the threads that hold it.
pub fn write(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    view: &Transfer,
    part: ValueId,
    layout: &Nested,
) -> Result<(), String> {
    match threads::is_writer(builder, cx, layout)? {
        None => write_tiles(builder, cx, view, part, layout),
        Some(condition) => {
            let op = builder.op(Opcode::If, &[condition], &[], &[]);
            let then = builder.ir.add_region(op);
            builder.ir.add_region(op);
            let block = builder.ir.add_block(then, &[]);
            let mut inner = Builder::at_end(builder.ir, block, builder.span);
            write_tiles(&mut inner, cx, view, part, layout);
            inner.op(Opcode::ScfYield, &[], &[], &[]);
        }
    }
    Ok(())
}

fn write_tiles(builder: &mut Builder<'_>, cx: &Cx<'_>, view: &Transfer, part: ValueId, layout: &Nested) {
    for at in tiles(layout) {
        let indices = indices(builder, cx, view, layout, &at);
        let tile = if at.is_empty() { part } else { builder.extract(part, &at) };
        builder.transfer_write(tile, view.base, &indices, view.map.clone(), &view.in_bounds);
    }
}

/// A buffer of the whole workgroup at the start of the kernel.
pub fn shared(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    shape: &[i64],
    elem: TypeId,
) -> Result<ValueId, Diag> {
    let Some(scalar) = Scalar::of(&builder.ir[elem]).filter(|scalar| scalar.bits() >= 8) else {
        return Err(refuse(
            builder.ir,
            op,
            "its elements are narrower than a byte and cannot go through shared memory",
        ));
    };
    let bytes = shape.iter().try_fold(scalar.bytes() as i64, |bytes, &extent| bytes.checked_mul(extent));
    let limit = i64::from(cx.facts.chip.shared_bytes_max);
    // Each buffer starts on 16 bytes.
    cx.shared_bytes =
        bytes.map_or(i64::MAX, |bytes| cx.shared_bytes.saturating_add(bytes.saturating_add(15) / 16 * 16));
    if cx.shared_bytes > limit {
        let message = format!("`{}` needs more shared memory than there is", builder.ir.name(op));
        return Err(Diag::error(Code::CannotDistribute, builder.ir.span(op), message)
            .note(format!(
                "with this buffer the workgroup needs {} bytes, and {} has {limit}",
                cx.shared_bytes, cx.facts.chip.name
            ))
            .help("use smaller workgroup tiles"));
    }
    let anchor = builder.ir.def_op(cx.thread).expect("the thread's number is the first operation");
    let mut start = Builder::before(builder.ir, anchor);
    Ok(start.alloc_shared(shape, elem))
}

/// All of a buffer as a transfer would see it.
pub fn whole(builder: &mut Builder<'_>, base: ValueId) -> Transfer {
    let rank = builder.ir.shape_of(base).len();
    let zero = builder.index(0);
    let elem = builder.ir.elem_of(base);
    let padding = builder.splat(0.0, elem);
    Transfer {
        base,
        indices: vec![zero; rank],
        vector: None,
        padding: Some(padding),
        mask: None,
        map: minor_identity(rank, rank),
        in_bounds: vec![true; rank],
    }
}

/// The changes of layout between threads that `ops` starts with and that do not wait for one another.
pub fn exchanges<'o>(ir: &Ir, ops: &'o [OpId]) -> &'o [OpId] {
    let mut n = 0;
    while n < ops.len() && is_exchange(ir, ops[n]) {
        let source = ir.def_op(ir.operand(ops[n], 0));
        if source.is_some_and(|source| ops[..n].contains(&source)) {
            break;
        }
        n += 1;
    }
    &ops[..n]
}

/// Whether an operation moves values between threads: a change of layout that registers alone cannot make.
fn is_exchange(ir: &Ir, op: OpId) -> bool {
    if ir.opcode(op) != Opcode::ToLayout || ir.is_unused(ir.result(op, 0)) {
        return false;
    }
    let layout = |value| crate::lay_out::layout_of(ir, value);
    match (layout(ir.operand(op, 0)), layout(ir.result(op, 0))) {
        (Some(from), Some(to)) => !from.same_threads(to),
        _ => false,
    }
}

/// Changes layouts through shared memory: all writes, a barrier, all reads.
pub fn exchange(builder: &mut Builder<'_>, cx: &mut Cx<'_>, ops: &[OpId]) -> Result<(), Diag> {
    // In a loop, the last round's reads must be done before the buffers are written again.
    if cx.depth > 0 {
        builder.barrier();
    }
    let mut buffers = Vec::new();
    for &op in ops {
        builder.span = builder.ir.span(op);
        let source = builder.ir.operand(op, 0);
        let from = layout(builder.ir, op, source)?;
        let (shape, elem) = (builder.ir.shape_of(source).to_vec(), builder.ir.elem_of(source));
        let buffer = shared(builder, cx, op, &shape, elem)?;
        let view = whole(builder, buffer);
        let part = cx.part(source);
        write(builder, cx, &view, part, &from).map_err(|why| refuse(builder.ir, op, why))?;
        buffers.push(view);
    }
    builder.barrier();
    for (&op, view) in ops.iter().zip(&buffers) {
        builder.span = builder.ir.span(op);
        let result = builder.ir.result(op, 0);
        let to = layout(builder.ir, op, result)?;
        let part = read(builder, cx, view, &to);
        cx.map.set(result, part);
    }
    Ok(())
}

/// A change of layout inside each thread, or none at all.
pub fn to_layout(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if builder.ir.opcode(op) != Opcode::ToLayout {
        return Err(refuse(builder.ir, op, "it casts between whole and distributed vectors"));
    }
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (layout(builder.ir, op, source)?, layout(builder.ir, op, result)?);
    let part = cx.part(source);
    if from == to {
        cx.map.set(result, part);
        return Ok(());
    }
    // Batches and outers of a dimension, side by side, are one number: only its split differs.
    let rank = from.rank();
    let perm: Vec<usize> = (0..rank).flat_map(|d| [d, rank + d]).chain(2 * rank..3 * rank).collect();
    let part = transposed(builder, part, &perm);
    let split: Vec<i64> =
        (0..rank).flat_map(|d| [to.batch_tile[d], to.outer_tile[d]]).chain(to.element_tile.iter().copied()).collect();
    let part = builder.shape_cast(part, &split);
    let part = transposed(builder, part, &super::inverse(&perm));
    cx.map.set(result, part);
    Ok(())
}
