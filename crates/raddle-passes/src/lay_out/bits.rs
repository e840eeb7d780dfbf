//! Layouts of vectors whose elements change their width or their neighbours: groups of them stay in one thread.

use raddle_ir::{Ir, OpId, Opcode};
use raddle_layout::Nested;

/// Whether an operation regroups elements along its last dimension.
pub fn regroups(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::VectorBitcast | Opcode::VectorInterleave | Opcode::VectorDeinterleave)
}

/// The extents of the last dimension of an operation's operand and of its result; `None` where there is no dimension.
fn ends(ir: &Ir, op: OpId) -> Option<[i64; 2]> {
    let last = |value| ir.shape_of(value).last().copied();
    Some([last(ir.operand(op, 0))?, last(ir.result(op, 0))?])
}

/// The layout of the result, if threads hold whole groups of the operand's elements.
pub fn onward(ir: &Ir, op: OpId, layout: &Nested) -> Option<Nested> {
    match ends(ir, op) {
        Some([from, to]) => scaled(layout, from, to),
        None => Some(layout.clone()),
    }
}

/// The layout of the operands that gives the result this one; where there is none, one with all of the last dimension
/// in each thread.
pub fn backward(ir: &Ir, op: OpId, layout: &Nested) -> Nested {
    let Some([from, to]) = ends(ir, op) else { return layout.clone() };
    scaled(layout, to, from).unwrap_or_else(|| {
        let mut layout = layout.clone();
        let last = layout.rank() - 1;
        for list in [&mut layout.subgroup_tile, &mut layout.batch_tile, &mut layout.outer_tile, &mut layout.thread_tile]
        {
            list[last] = 1;
        }
        (layout.subgroup_strides[last], layout.thread_strides[last]) = (0, 0);
        layout.element_tile[last] = from;
        layout
    })
}

/// The layout of a vector whose last dimension has `to` elements in place of `from`, in groups that stay together.
pub fn scaled(layout: &Nested, from: i64, to: i64) -> Option<Nested> {
    let mut layout = layout.clone();
    let last = layout.element_tile.last_mut()?;
    let elements = last.checked_mul(to)?;
    if elements % from != 0 {
        return None;
    }
    *last = elements / from;
    Some(layout)
}
