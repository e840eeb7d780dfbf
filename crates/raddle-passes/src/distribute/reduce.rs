//! Reductions: inside the thread, then across lanes, then across subgroups through shared memory.

use raddle_ir::views::Contract;
use raddle_ir::{Attr, Builder, Diag, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId, keyword_attr};
use raddle_layout::Nested;

use super::{Cx, elements, layout, memory, refuse};
use crate::code;
use crate::config::{Launch, Parts};
use crate::facts::Facts;
use crate::lay_out::{instruction, layout_of, recombined, reduced};
use crate::structured::body::Combiner;

/// The combiner of an operation's `kind` attribute.
pub fn combiner(builder: &Builder<'_>, op: OpId, elem: TypeId) -> Result<Combiner, Diag> {
    let is_float = matches!(builder.ir[elem], Type::Float(_));
    let kind = builder.ir.keyword_of(op, "kind").unwrap_or("add");
    Combiner::of_kind(kind, is_float)
        .ok_or_else(|| refuse(builder.ir, op, format!("`{kind}` does not combine its elements")))
}

pub fn multi_reduction(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, acc, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    let from = layout(builder.ir, op, source)?;
    let reduced = reduced(builder.ir, op);
    let elem = builder.ir.elem_of(source);
    let combiner = combiner(builder, op, elem)?;

    let part = cx.part(source);
    let mut part = inside(builder, part, &from, &reduced, combiner);
    if !cx.carried.contains(&op) {
        part = across(builder, cx, op, part, &from, &reduced, combiner)?;
    }
    let acc = cx.part(acc);
    let combined = accumulate(builder, combiner, part, acc);
    cx.map.set(result, combined);
    Ok(())
}

/// Lets the accumulator take part, once, at the end. Scalars are combined as vectors of one element, like all others.
pub fn accumulate(builder: &mut Builder<'_>, combiner: Combiner, part: ValueId, acc: ValueId) -> ValueId {
    let ty = builder.ir.type_of(acc);
    let is_vector = builder.ir[ty].is_vector();
    let wide = if is_vector { ty } else { builder.ir.vector_type(&[1], ty) };
    let [part, acc] =
        [part, acc].map(|value| if builder.ir.ty(value).is_vector() { value } else { builder.broadcast(value, wide) });
    let combined = builder.binary(combiner.opcode, part, acc);
    if is_vector { combined } else { builder.extract(combined, &[0]) }
}

/// Combines what different threads hold of the same element of the result. `part` is one thread's contribution, laid
/// out like `from` without its reduced dimensions; a scalar where nothing is left.
pub fn across(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    part: ValueId,
    from: &Nested,
    reduced: &[bool],
    combiner: Combiner,
) -> Result<ValueId, Diag> {
    let (lanes, parts) = Parts::of(from, reduced, cx.launch);
    let mut part = part;
    if !lanes.is_empty() {
        part = elements::map(builder, part, |builder, element| across_lanes(builder, element, &lanes, combiner.kind));
    }
    if parts.is_empty() {
        return Ok(part);
    }
    // Every thread combines all parts, in the same order, or lanes share them.
    let (parts, lanes) = parts.by_lanes(from, reduced).unwrap_or((parts, Vec::new()));
    let (parts, reduced) = parts.in_memory(reduced);
    let all = exchange(builder, cx, op, &parts, &[part])?;
    let part = inside(builder, all[0], &parts.all, &reduced, combiner);
    if lanes.is_empty() {
        return Ok(part);
    }
    Ok(elements::map(builder, part, |builder, element| across_lanes(builder, element, &lanes, combiner.kind)))
}

/// Combines what one thread holds of the reduced dimensions; a scalar where nothing is left.
fn inside(builder: &mut Builder<'_>, part: ValueId, layout: &Nested, reduced: &[bool], combiner: Combiner) -> ValueId {
    let (rank, elem) = (layout.rank(), builder.ir.elem_of(part));
    let dims: Vec<usize> = (0..3)
        .flat_map(|group| (0..rank).filter(|&d| reduced[d]).map(move |d| group * rank + d).collect::<Vec<_>>())
        .collect();
    let kept = layout.project(reduced);
    let ty = if kept.rank() == 0 { elem } else { super::part_type(builder.ir, elem, &kept) };
    let start = combiner.neutral(builder, ty);
    builder.multi_reduction(combiner.kind, part, start, &dims)
}

/// Bytes of shared memory in which what an operation combines meets, where shuffles do not reach all who have a part of it.
/// [`across`] takes so much, wherever it is.
pub fn bytes(ir: &Ir, op: OpId, launch: Launch, facts: &Facts) -> i64 {
    let (from, reduced, result) = match ir.opcode(op) {
        Opcode::VectorContract => {
            let view = Contract::of(ir, op);
            let [Some(lhs), Some(rhs)] = [view.lhs, view.rhs].map(|value| layout_of(ir, value)) else { return 0 };
            if instruction::sums(ir, op, lhs, rhs, facts.chip).is_some() {
                return 0;
            }
            let Ok(iteration) = recombined(&view, lhs, rhs) else { return 0 };
            (iteration, view.reduction, view.acc)
        }
        Opcode::VectorMultiReduction => {
            let Some(from) = layout_of(ir, ir.operand(op, 0)) else { return 0 };
            (from.clone(), reduced(ir, op), ir.result(op, 0))
        }
        _ => return 0,
    };
    let (_, parts) = Parts::of(&from, &reduced, launch);
    Scalar::of(&ir[ir.elem_of(result)]).map_or(0, |elem| parts.bytes(elem))
}

/// Writes values, which lie like what is kept of their source, to shared memory, and reads all parts of each.
pub fn exchange(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    parts: &Parts,
    values: &[ValueId],
) -> Result<Vec<ValueId>, Diag> {
    cx.buffers.arrived(op);
    let mut buffers = Vec::new();
    for &value in values {
        buffers.push(memory::staged(builder, cx, op, &parts.one.undistributed_shape(), value)?);
    }
    if cx.depth > 0 {
        cx.shared_barrier(builder);
    }
    let mut views = Vec::new();
    for (&value, &buffer) in values.iter().zip(&buffers) {
        let outgoing = if builder.ir.ty(value).is_vector() {
            builder.shape_cast(value, &parts.one.distributed_shape())
        } else {
            let elem = builder.ir.type_of(value);
            let vector = super::part_type(builder.ir, elem, &parts.one);
            builder.broadcast(value, vector)
        };
        views.push(memory::stage(builder, cx, op, buffer, outgoing, &parts.one)?);
    }
    cx.shared_barrier(builder);
    let mut all = Vec::new();
    for (&value, view) in values.iter().zip(&views) {
        let elem = builder.ir.elem_of(value);
        all.push(memory::unstage(builder, cx, view, &parts.all, elem));
    }
    Ok(all)
}

/// One scalar of every lane, combined over lanes of these numbers and strides.
pub fn across_lanes(builder: &mut Builder<'_>, element: ValueId, lanes: &[[i64; 2]], kind: &str) -> ValueId {
    let i32 = builder.ir.int_type(32);
    lanes.iter().fold(element, |element, &[size, stride]| {
        let attrs = [
            ("op", keyword_attr(builder.ir, "gpu.all_reduce_op", kind)),
            ("cluster_size", builder.ir.intern(Attr::Int { value: size.into(), ty: i32 })),
            ("cluster_stride", builder.ir.intern(Attr::Int { value: stride.into(), ty: i32 })),
        ];
        code::travelling(builder, element, |builder, element| {
            let ty = builder.ir.type_of(element);
            builder.value(Opcode::GpuSubgroupReduce, &[element], ty, &attrs)
        })
    })
}
