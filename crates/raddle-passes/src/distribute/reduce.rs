//! Reductions: inside the thread, then across lanes, then across subgroups through shared memory.

use raddle_ir::{Attr, Builder, Diag, OpId, Opcode, Type, TypeId, ValueId, keyword_attr};
use raddle_layout::Nested;

use super::{Cx, layout, memory, refuse};
use crate::body::Combiner;
use crate::lay_out::reduced;

/// The combiner of an operation's `kind` attribute.
pub fn combiner(builder: &Builder<'_>, op: OpId, elem: TypeId) -> Result<Combiner, Diag> {
    let is_float = matches!(builder.ir[elem], Type::Float(_));
    let kind = builder.ir.keyword_of(op, "kind").unwrap_or("add");
    Combiner::of_kind(kind, is_float)
        .ok_or_else(|| refuse(builder.ir, op, format!("`{kind}` does not combine its elements")))
}

/// The neutral element as a value of type `ty`.
pub fn neutral(builder: &mut Builder<'_>, combiner: Combiner, ty: TypeId) -> ValueId {
    let elem = builder.ir[ty].elem().unwrap_or(ty);
    let width = match builder.ir[elem] {
        Type::Integer { width, .. } => width,
        _ => 64,
    };
    builder.splat(combiner.neutral(width), ty)
}

pub fn multi_reduction(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, acc, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    let from = layout(builder.ir, op, source)?;
    let reduced = reduced(builder.ir, op);
    let elem = builder.ir.elem_of(source);
    let combiner = combiner(builder, op, elem)?;

    // Inside the thread.
    let rank = from.rank();
    let dims: Vec<usize> = (0..3)
        .flat_map(|group| (0..rank).filter(|&d| reduced[d]).map(move |d| group * rank + d).collect::<Vec<_>>())
        .collect();
    let kept = from.project(&reduced);
    let ty = if kept.rank() == 0 { elem } else { super::part_type(builder.ir, elem, &kept) };
    let start = neutral(builder, combiner, ty);
    let part = cx.part(source);
    let part = builder.multi_reduction(combiner.kind, part, start, &dims);

    let part = across(builder, cx, op, part, &from, &reduced, combiner)?;
    // The accumulator takes part once, at the end.
    let acc = cx.part(acc);
    let part = if builder.ir.ty(acc).is_vector() && builder.ir.shape_of(acc).is_empty() {
        let ty = builder.ir.type_of(acc);
        builder.broadcast(part, ty)
    } else {
        part
    };
    let combined = builder.binary(combiner.opcode, acc, part);
    cx.map.set(result, combined);
    Ok(())
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
    let dims = || (0..from.rank()).filter(|&d| reduced[d]);
    let lanes: Vec<[i64; 2]> = dims()
        .map(|d| [from.thread_tile[d], from.thread_strides[d]])
        .filter(|&[size, stride]| size > 1 && stride > 0)
        .collect();
    for &[size, stride] in &lanes {
        if size * stride > cx.launch.subgroup_size
            || !(size as u64).is_power_of_two()
            || !(stride as u64).is_power_of_two()
        {
            let why = format!(
                "it combines {size} lanes at distance {stride}; both must be powers of two inside one subgroup"
            );
            return Err(refuse(builder.ir, op, why));
        }
    }
    let mut part = part;
    if !lanes.is_empty() {
        part = each_element(builder, part, |builder, element| across_lanes(builder, element, &lanes, combiner));
    }
    if dims().any(|d| from.subgroup_tile[d] > 1) {
        part = across_subgroups(builder, cx, op, part, from, reduced, combiner)?;
    }
    Ok(part)
}

/// Applies `f` to each element of a vector; to a scalar as it is.
fn each_element(
    builder: &mut Builder<'_>,
    part: ValueId,
    mut f: impl FnMut(&mut Builder<'_>, ValueId) -> ValueId,
) -> ValueId {
    if !builder.ir.ty(part).is_vector() {
        return f(builder, part);
    }
    let shape = builder.ir.shape_of(part).to_vec();
    let n: i64 = shape.iter().product();
    let flat = builder.shape_cast(part, &[n]);
    let mut new = flat;
    for i in 0..n {
        let element = builder.extract(flat, &[i]);
        let element = f(builder, element);
        new = builder.insert(element, new, &[i]);
    }
    builder.shape_cast(new, &shape)
}

fn across_lanes(builder: &mut Builder<'_>, element: ValueId, lanes: &[[i64; 2]], combiner: Combiner) -> ValueId {
    let ty = builder.ir.type_of(element);
    let i32 = builder.ir.int_type(32);
    lanes.iter().fold(element, |element, &[size, stride]| {
        let attrs = [
            ("op", keyword_attr(builder.ir, "gpu.all_reduce_op", combiner.kind)),
            ("cluster_size", builder.ir.intern(Attr::Int { value: size.into(), ty: i32 })),
            ("cluster_stride", builder.ir.intern(Attr::Int { value: stride.into(), ty: i32 })),
        ];
        builder.value(Opcode::SubgroupReduce, &[element], ty, &attrs)
    })
}

/// Each subgroup leaves its part in shared memory; then every thread combines all parts, in the same order.
fn across_subgroups(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    part: ValueId,
    from: &Nested,
    reduced: &[bool],
    combiner: Combiner,
) -> Result<ValueId, Diag> {
    let elem = builder.ir.elem_of(part);
    let kept = from.project(reduced);
    let dims: Vec<usize> = (0..from.rank()).filter(|&d| reduced[d]).collect();
    let subgroups: Vec<i64> = dims.iter().map(|&d| from.subgroup_tile[d]).collect();
    let ones = vec![1; dims.len()];
    let zeros = vec![0; dims.len()];
    // The buffer: one slice for each subgroup along the reduced dimensions, in front of the kept ones.
    let strides = dims.iter().map(|&d| from.subgroup_strides[d]).collect();
    let slices = |tile: Vec<i64>, strides: Vec<i64>| {
        Nested::new(tile, ones.clone(), ones.clone(), ones.clone(), ones.clone(), strides, zeros.clone())
            .and_then(|lead| lead.append(&kept))
            .expect("all lists have one entry for each dimension")
    };
    let (to, back) = (slices(subgroups.clone(), strides), slices(ones.clone(), zeros.clone()));
    let shape = to.undistributed_shape();
    let buffer = memory::shared(builder, cx, op, &shape, elem)?;
    let mut view = memory::whole(builder, buffer);
    if cx.depth > 0 {
        builder.barrier();
    }
    let vector = super::part_type(builder.ir, elem, &to);
    let outgoing = if builder.ir.ty(part).is_vector() {
        builder.shape_cast(part, &to.distributed_shape())
    } else {
        builder.broadcast(part, vector)
    };
    memory::write(builder, cx, &view, outgoing, &to).map_err(|why| refuse(builder.ir, op, why))?;
    builder.barrier();

    let origin = view.indices.clone();
    let mut total = None;
    for flat in 0..subgroups.iter().product::<i64>() {
        let mut rest = flat;
        for i in (0..dims.len()).rev() {
            view.indices[i] = builder.index(rest % subgroups[i]);
            rest /= subgroups[i];
        }
        let incoming = memory::read(builder, cx, &view, &back);
        let incoming = if builder.ir.ty(part).is_vector() {
            builder.shape_cast(incoming, &kept.distributed_shape())
        } else {
            builder.extract(incoming, &vec![0; 3 * dims.len()])
        };
        total = Some(match total {
            None => incoming,
            Some(total) => builder.binary(combiner.opcode, total, incoming),
        });
        view.indices.clone_from(&origin);
    }
    Ok(total.expect("there is at least one subgroup"))
}
