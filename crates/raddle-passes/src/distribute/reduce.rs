//! Reductions: inside the thread, then across lanes, then across subgroups through shared memory.

use raddle_ir::{Attr, Builder, Diag, OpId, Opcode, Type, TypeId, ValueId, keyword_attr};
use raddle_layout::Nested;

use super::{Cx, elements, layout, memory, refuse};
use crate::body::Combiner;
use crate::config::Launch;
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
    let combined = builder.binary(combiner.opcode, part, acc);
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
    let (lanes, parts) = Parts::of(from, reduced, cx.launch);
    let mut part = part;
    if !lanes.is_empty() {
        part = elements::map(builder, part, |builder, element| across_lanes(builder, element, &lanes, combiner.kind));
    }
    if parts.is_empty() {
        return Ok(part);
    }
    // Every part goes to shared memory; then every thread combines all parts, in the same order.
    let mut total = None;
    parts.exchange(builder, cx, op, &[part], &from.project(reduced), |builder, _, incoming| {
        total = Some(match total {
            None => incoming[0],
            Some(total) => builder.binary(combiner.opcode, total, incoming[0]),
        });
    })?;
    Ok(total.expect("there is at least one part"))
}

/// The tiles and strides of threads that hold parts of the same sums and cannot reach one another with shuffles.
pub struct Parts {
    lanes: Vec<[i64; 2]>,
    subgroups: Vec<[i64; 2]>,
}

impl Parts {
    /// Who shares the reduced dimensions: lanes that a butterfly of shuffles reaches, and all others.
    pub fn of(from: &Nested, reduced: &[bool], launch: Launch) -> (Vec<[i64; 2]>, Parts) {
        let spread = |tiles: &[i64], strides: &[i64]| -> Vec<[i64; 2]> {
            let dims = (0..from.rank()).filter(|&d| reduced[d] && tiles[d] > 1 && strides[d] > 0);
            dims.map(|d| [tiles[d], strides[d]]).collect()
        };
        let lanes = spread(&from.thread_tile, &from.thread_strides);
        let subgroups = spread(&from.subgroup_tile, &from.subgroup_strides);
        let power = |n: i64| (n as u64).is_power_of_two();
        let butterfly =
            lanes.iter().all(|&[size, stride]| power(size) && power(stride) && size * stride <= launch.subgroup_size);
        // Shuffles pair lanes up; other numbers of lanes meet in shared memory, like subgroups.
        if butterfly {
            (lanes, Parts { lanes: Vec::new(), subgroups })
        } else {
            (Vec::new(), Parts { lanes, subgroups })
        }
    }

    /// Whether all threads are within reach.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty() && self.subgroups.is_empty()
    }

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

    /// Writes `values`, which lie like `kept`, to shared memory, and gives `f` those of each part in turn.
    pub fn exchange(
        &self,
        builder: &mut Builder<'_>,
        cx: &mut Cx<'_>,
        op: OpId,
        values: &[ValueId],
        kept: &Nested,
        mut f: impl FnMut(&mut Builder<'_>, &mut Cx<'_>, &[ValueId]),
    ) -> Result<(), Diag> {
        let counts = self.counts();
        let (to, back) = (self.in_front_of(kept, true), self.in_front_of(kept, false));
        let mut buffers = Vec::new();
        for &value in values {
            buffers.push(memory::staged(builder, cx, op, &to.undistributed_shape(), value)?);
        }
        if cx.depth > 0 {
            cx.shared_barrier(builder);
        }
        let mut views = Vec::new();
        for (&value, &buffer) in values.iter().zip(&buffers) {
            let outgoing = if builder.ir.ty(value).is_vector() {
                builder.shape_cast(value, &to.distributed_shape())
            } else {
                let elem = builder.ir.type_of(value);
                let vector = super::part_type(builder.ir, elem, &to);
                builder.broadcast(value, vector)
            };
            views.push(memory::stage(builder, cx, op, buffer, outgoing, &to)?);
        }
        cx.shared_barrier(builder);
        for at in memory::positions(&counts) {
            let mut incoming = Vec::new();
            for (&value, view) in values.iter().zip(&mut views) {
                for (index, &at) in view.indices.iter_mut().zip(&at) {
                    *index = builder.index(at);
                }
                let elem = builder.ir.elem_of(value);
                let part = memory::unstage(builder, cx, view, &back, elem);
                incoming.push(if builder.ir.ty(value).is_vector() {
                    builder.shape_cast(part, &kept.distributed_shape())
                } else {
                    builder.extract(part, &vec![0; 3 * counts.len()])
                });
            }
            f(builder, cx, &incoming);
        }
        Ok(())
    }
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
        elements::travelling(builder, element, |builder, element| {
            let ty = builder.ir.type_of(element);
            builder.value(Opcode::SubgroupReduce, &[element], ty, &attrs)
        })
    })
}
