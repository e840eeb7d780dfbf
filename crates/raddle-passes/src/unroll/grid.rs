//! Grids: a vector of any rank as the native vectors that it falls into.
//!
//! The last dimension that has several elements is cut into native widths, the others are counted through; a piece of one
//! element is a scalar.
//! Whatever moves elements says for each of the new ones which old one it is, and pieces that come out whole are used
//! as they are.

use raddle_ir::{Builder, Opcode, TypeId, ValueId};
use raddle_target::VectorMachine;

use super::Cx;
use crate::code::extents::positions;

/// A vector in pieces.
#[derive(Clone, Debug)]
pub struct Grid {
    pub shape: Vec<i64>,
    pub elem: TypeId,
    /// The widths of the pieces of one row.
    pub widths: Vec<i64>,
    /// Row after row, row-major.
    pub pieces: Vec<ValueId>,
}

/// One element: a lane of a piece, which for a piece of one element is the piece itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    pub piece: ValueId,
    pub width: i64,
    pub lane: i64,
}

impl Lane {
    pub fn scalar(value: ValueId) -> Lane {
        Lane { piece: value, width: 1, lane: 0 }
    }
}

/// The dimension that rows lie along: the last one with several elements, or else the last one. A shape of rank 0 has none.
pub fn row_dim(shape: &[i64]) -> Option<usize> {
    shape.iter().rposition(|&extent| extent != 1).or(shape.len().checked_sub(1))
}

/// The widths of the pieces of one row of a shape.
pub fn widths(machine: &VectorMachine, shape: &[i64]) -> Vec<i64> {
    machine.split(row_dim(shape).map_or(1, |d| shape[d]))
}

/// For each piece of a shape, the position of its first element, and its width.
pub fn starts(shape: &[i64], widths: &[i64]) -> Vec<(Vec<i64>, i64)> {
    let Some(along) = row_dim(shape) else { return vec![(Vec::new(), 1)] };
    let mut all = Vec::new();
    for row in positions(&shape[..along]) {
        let mut at = vec![0; shape.len()];
        at[..along].copy_from_slice(&row);
        for &width in widths {
            all.push((at.clone(), width));
            at[along] += width;
        }
    }
    all
}

impl Grid {
    /// Every element, row-major.
    pub fn lanes(&self) -> Vec<Lane> {
        let widths = self.widths.iter().cycle();
        let of = |(&piece, &width): (&ValueId, &i64)| (0..width).map(move |lane| Lane { piece, width, lane });
        self.pieces.iter().zip(widths).flat_map(of).collect()
    }

    /// A vector of these elements, row-major, in pieces of these widths.
    pub fn of(
        builder: &mut Builder<'_>,
        cx: &Cx<'_>,
        widths: Vec<i64>,
        value: (&[i64], TypeId),
        lanes: &[Lane],
    ) -> Grid {
        let (shape, elem) = value;
        let mut at = 0;
        let pieces = starts(shape, &widths)
            .into_iter()
            .map(|(_, width)| {
                let part = &lanes[at..at + width as usize];
                at += width as usize;
                let shuffled = if cx.machine.shuffles { shuffled(builder, part) } else { None };
                shuffled.unwrap_or_else(|| piece(builder, elem, part))
            })
            .collect();
        Grid { shape: shape.to_vec(), elem, widths, pieces }
    }
}

/// The type of a piece.
pub fn piece_type(builder: &mut Builder<'_>, elem: TypeId, width: i64) -> TypeId {
    if width == 1 { elem } else { builder.ir.vector_type(&[width], elem) }
}

/// The piece that these elements are, if they are all of it, in order.
fn whole(lanes: &[Lane]) -> Option<ValueId> {
    let first = lanes[0];
    let is_whole = first.width == lanes.len() as i64
        && (0..).zip(lanes).all(|(i, lane)| lane.piece == first.piece && lane.lane == i);
    is_whole.then_some(first.piece)
}

/// A vector of elements that one or two vectors of the same length have: one of these, or one shuffle.
pub fn shuffled(builder: &mut Builder<'_>, lanes: &[Lane]) -> Option<ValueId> {
    if let Some(piece) = whole(lanes) {
        return Some(piece);
    }
    let first = lanes[0];
    let second = lanes.iter().find(|lane| lane.piece != first.piece).unwrap_or(&first).piece;
    let known = |lane: &Lane| lane.width == first.width && (lane.piece == first.piece || lane.piece == second);
    if lanes.len() < 2 || first.width < 2 || !lanes.iter().all(known) || lanes.iter().all(|lane| *lane == first) {
        return None;
    }
    let place = |lane: &Lane| if lane.piece == first.piece { lane.lane } else { first.width + lane.lane };
    let mask: Vec<i64> = lanes.iter().map(place).collect();
    let elem = builder.ir.elem_of(first.piece);
    let ty = builder.ir.vector_type(&[mask.len() as i64], elem);
    let mask = [("mask", builder.ir.dense_i64(&mask))];
    Some(builder.value(Opcode::VectorShuffle, &[first.piece, second], ty, &mask))
}

/// One piece of these elements.
pub fn piece(builder: &mut Builder<'_>, elem: TypeId, lanes: &[Lane]) -> ValueId {
    let first = lanes[0];
    if let Some(piece) = whole(lanes) {
        return piece;
    }
    let ty = piece_type(builder, elem, lanes.len() as i64);
    if lanes.iter().all(|lane| *lane == first) {
        let scalar = element(builder, first);
        return if lanes.len() == 1 { scalar } else { builder.broadcast(scalar, ty) };
    }
    let scalars: Vec<ValueId> = lanes.iter().map(|&lane| element(builder, lane)).collect();
    builder.value(Opcode::VectorFromElements, &scalars, ty, &[])
}

/// One element as a scalar.
pub fn element(builder: &mut Builder<'_>, lane: Lane) -> ValueId {
    if lane.width == 1 { lane.piece } else { builder.extract(lane.piece, &[lane.lane]) }
}
