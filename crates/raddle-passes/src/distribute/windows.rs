//! Reads of windows: what several windows of a thread share is read once.
//!
//! Before: `%v = vector.transfer_read %windows[…] {raddle.source = …} : …, vector<16x3x16x3xf16>`, of which a thread has
//! 2 x 4 neighbouring windows of 3 x 3 elements
//! After: the 4 rows of 6 elements that these windows go through, each read from the memref that the windows are of, and
//! the windows as elements of them.
//!
//! Elements of a row are neighbours in memory, so that one access has as many as its alignment allows. Where the memref
//! ends, there is padding, and what its masks leave out lies there.
//!
//! Windows that have nothing in common are read one after the other, as other vectors are.

use std::collections::BTreeMap;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, Transfer};
use raddle_ir::{Builder, DYNAMIC, Expr, Map, OpId, Opcode, Type, ValueId};
use raddle_layout::Nested;

use super::memory::{self, positions};
use super::{Cx, part_type};
use crate::code::Source;
use crate::structured::sizes::mixed_extent;

/// One thread's part of what is read, if it is of windows that share elements.
pub fn read(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, view: &Transfer, layout: &Nested) -> Option<ValueId> {
    let Source { offset, sizes, strides, places } = Source::of(builder.ir, op)?;
    let ir = &*builder.ir;
    let rank = layout.rank();
    let made = ir.def_op(view.base).filter(|&made| ir.opcode(made) == Opcode::MemrefReinterpretCast)?;
    if view.map != Map::identity(rank) || places.dims as usize != rank {
        return None;
    }
    let places = places.results;
    // How far each slot is from the first one, and at which of these distances there is something.
    let first = at_slot(&places, &vec![0; rank])?;
    let mut slots = Vec::new();
    for slot in positions(&layout.distributed_shape()) {
        let at: Vec<i64> = (0..rank)
            .map(|d| {
                let tile = slot[d] * layout.outer_tile[d] + slot[rank + d];
                tile * layout.thread_tile[d] * layout.element_tile[d] + slot[2 * rank + d]
            })
            .collect();
        let place = at_slot(&places, &at)?;
        slots.push(
            place.iter().zip(&first).map(|(place, &first)| place.checked_sub(first)).collect::<Option<Vec<i64>>>()?,
        );
    }
    let mut known: BTreeMap<Vec<i64>, Option<ValueId>> = slots.iter().map(|slot| (slot.clone(), None)).collect();
    if known.len() == slots.len() {
        return None;
    }
    let whole = ir.operand(made, 0);
    let Type::MemRef { elem, space, .. } = *ir.ty(view.base) else { return None };
    if sizes.contains(&DYNAMIC) && ir.shape_of(whole) != sizes {
        return None;
    }
    let size = |(d, &size): (usize, &i64)| match size {
        DYNAMIC => mixed_extent(builder, whole, d),
        size => Mixed::Static(size),
    };
    let extents: Vec<Mixed> = sizes.iter().enumerate().map(size).collect();
    let steps: Vec<Mixed> = strides.iter().map(|&stride| Mixed::Static(stride)).collect();
    let memref = builder.reinterpret(whole, Mixed::Static(offset), &extents, &steps, elem, space);
    let start = memory::indices(builder, cx, view, layout, &vec![0; 2 * rank]);
    let distances: Vec<Vec<i64>> = known.keys().cloned().collect();
    let is_next = |a: &Vec<i64>, b: &Vec<i64>| match (a.split_last(), b.split_last()) {
        (Some((a_last, a)), Some((b_last, b))) => a == b && a_last + 1 == *b_last,
        _ => false,
    };
    let padding = view.padding?;
    for row in distances.chunk_by(is_next) {
        let indices: Vec<ValueId> = (places.iter().zip(&row[0]))
            .map(|(place, &distance)| {
                let place = Expr::binary(BinOp::Add, place.clone(), Expr::Const(distance));
                builder.apply(Map { dims: rank as u32, syms: 0, results: vec![place] }, &start)
            })
            .collect();
        let mut shape = vec![1; sizes.len()];
        *shape.last_mut()? = row.len() as i64;
        let ty = builder.ir.vector_type(&shape, elem);
        let map = Map::identity(sizes.len());
        let values = builder.transfer_read(memref, &indices, padding, map, &vec![false; sizes.len()], ty);
        for (i, distance) in row.iter().enumerate() {
            let mut at = vec![0; sizes.len()];
            *at.last_mut()? = i as i64;
            known.insert(distance.clone(), Some(builder.extract(values, &at)));
        }
    }
    let elements: Vec<ValueId> = slots.iter().map(|slot| known[slot].expect("every row is read")).collect();
    let ty = part_type(builder.ir, elem, layout);
    Some(builder.value(Opcode::VectorFromElements, &elements, ty, &[]))
}

/// The place of a slot, counted from where the thread's first window would be if it stood at 0.
fn at_slot(places: &[Expr], at: &[i64]) -> Option<Vec<i64>> {
    places.iter().map(|place| place.eval(at, &[])).collect()
}
