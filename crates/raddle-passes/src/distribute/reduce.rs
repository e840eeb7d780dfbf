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

/// The element that changes nothing, whatever it is combined with, as a value of type `ty`.
pub fn neutral(builder: &mut Builder<'_>, combiner: Combiner, ty: TypeId) -> ValueId {
    let elem = builder.ir[ty].elem().unwrap_or(ty);
    let scalar = match builder.ir[elem] {
        Type::Float(_) => {
            let value = match combiner.kind {
                // 0 + -0 is 0, but -0 + x is x for every x.
                "add" => -0.0,
                // The larger of a number and no number is the number: only NaN changes nothing.
                "maxnumf" | "minnumf" => f64::NAN,
                _ => combiner.neutral(64),
            };
            Attr::float(value, elem)
        }
        ref int => {
            let width = if let Type::Integer { width, .. } = int { *width } else { 64 };
            let value = match combiner.kind {
                "mul" => 1,
                "and" | "minui" => -1,
                "minsi" => (1i128 << (width - 1)) - 1,
                "maxsi" => -(1i128 << (width - 1)),
                _ => 0,
            };
            Attr::Int { value, ty: elem }
        }
    };
    if elem == ty {
        return builder.constant(scalar, ty);
    }
    let bytes = builder.ir.elem_bytes(&scalar);
    builder.constant(Attr::Dense { ty, splat: true, bytes }, ty)
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
    let spread = |tiles: &[i64], strides: &[i64]| -> Vec<[i64; 2]> {
        let dims = (0..from.rank()).filter(|&d| reduced[d] && tiles[d] > 1 && strides[d] > 0);
        dims.map(|d| [tiles[d], strides[d]]).collect()
    };
    let lanes = spread(&from.thread_tile, &from.thread_strides);
    let mut parts = Parts { lanes: Vec::new(), subgroups: spread(&from.subgroup_tile, &from.subgroup_strides) };
    let power = |n: i64| (n as u64).is_power_of_two();
    let butterfly =
        lanes.iter().all(|&[size, stride]| power(size) && power(stride) && size * stride <= cx.launch.subgroup_size);
    let mut part = part;
    if !butterfly {
        // Shuffles pair lanes up; other numbers of lanes meet in shared memory, like subgroups.
        parts.lanes = lanes;
    } else if !lanes.is_empty() {
        part = each_element(builder, part, |builder, element| across_lanes(builder, element, &lanes, combiner));
    }
    if parts.lanes.is_empty() && parts.subgroups.is_empty() {
        return Ok(part);
    }
    through_memory(builder, cx, op, part, &from.project(reduced), &parts, combiner)
}

/// The tiles and strides of threads that hold parts of the same sums.
struct Parts {
    lanes: Vec<[i64; 2]>,
    subgroups: Vec<[i64; 2]>,
}

impl Parts {
    fn counts(&self) -> Vec<i64> {
        self.lanes.iter().chain(&self.subgroups).map(|part| part[0]).collect()
    }

    /// A layout that counts the parts along leading dimensions, in front of `kept`; or one part of each, held by all.
    fn in_front_of(&self, kept: &Nested, spread: bool) -> Nested {
        let (n_lanes, n) = (self.lanes.len(), self.lanes.len() + self.subgroups.len());
        let (ones, zeros) = (vec![1; n], vec![0; n]);
        let mut lists = [ones.clone(), ones.clone(), zeros.clone(), zeros];
        if spread {
            for (i, &[size, stride]) in self.lanes.iter().enumerate() {
                (lists[0][i], lists[2][i]) = (size, stride);
            }
            for (i, &[size, stride]) in self.subgroups.iter().enumerate() {
                (lists[1][n_lanes + i], lists[3][n_lanes + i]) = (size, stride);
            }
        }
        let [lanes, subgroups, lane_strides, subgroup_strides] = lists;
        Nested::new(subgroups, ones.clone(), ones.clone(), lanes, ones, subgroup_strides, lane_strides)
            .and_then(|lead| lead.append(kept))
            .expect("all lists have one entry for each dimension")
    }
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

/// Every part goes to shared memory; then every thread combines all parts, in the same order.
fn through_memory(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    part: ValueId,
    kept: &Nested,
    parts: &Parts,
    combiner: Combiner,
) -> Result<ValueId, Diag> {
    let elem = builder.ir.elem_of(part);
    let counts = parts.counts();
    let (to, back) = (parts.in_front_of(kept, true), parts.in_front_of(kept, false));
    let buffer = memory::staged(builder, cx, op, &to.undistributed_shape(), part)?;
    if cx.depth > 0 {
        cx.barrier(builder);
    }
    let outgoing = if builder.ir.ty(part).is_vector() {
        builder.shape_cast(part, &to.distributed_shape())
    } else {
        let vector = super::part_type(builder.ir, elem, &to);
        builder.broadcast(part, vector)
    };
    let mut view = memory::stage(builder, cx, op, buffer, outgoing, &to)?;
    cx.barrier(builder);

    let mut total = None;
    for flat in 0..counts.iter().product::<i64>() {
        let mut rest = flat;
        for i in (0..counts.len()).rev() {
            view.indices[i] = builder.index(rest % counts[i]);
            rest /= counts[i];
        }
        let incoming = memory::unstage(builder, cx, &view, &back, elem);
        let incoming = if builder.ir.ty(part).is_vector() {
            builder.shape_cast(incoming, &kept.distributed_shape())
        } else {
            builder.extract(incoming, &vec![0; 3 * counts.len()])
        };
        total = Some(match total {
            None => incoming,
            Some(total) => builder.binary(combiner.opcode, total, incoming),
        });
    }
    Ok(total.expect("every count is at least 1"))
}
