//! Slices: parts that are taken out of a distributed vector, and parts that are put in.
//!
//! Where every thread holds its share of the slice, nothing but registers is touched. A part that goes in is taken by
//! the threads that hold its place. A part that comes out of other threads goes through shared memory.

use raddle_ir::views::{Mixed, minor_identity, position};
use raddle_ir::{Builder, Diag, OpId, Opcode, ValueId};
use raddle_layout::Nested;

use super::memory::{self, Piece};
use super::{Cx, bits, constant, layout, refuse, threads, transposed};
use crate::code;
use crate::lay_out::{in_registers, is_column, is_local};

/// Places in each thread where an insertion at a dynamic position may happen.
const PLACES_MAX: i64 = 256;

pub fn slice(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match builder.ir.opcode(op) {
        Opcode::VectorExtract => extract(builder, cx, op),
        Opcode::VectorInsert => insert(builder, cx, op),
        Opcode::VectorExtractStridedSlice => extract_strided(builder, cx, op),
        Opcode::VectorInsertStridedSlice => insert_strided(builder, cx, op),
        Opcode::VectorFromElements => constant::from_elements(builder, cx, op),
        Opcode::VectorToElements => to_elements(builder, cx, op),
        Opcode::VectorBitcast | Opcode::VectorInterleave | Opcode::VectorDeinterleave => bits::bits(builder, cx, op),
        _ => Err(refuse(builder.ir, op, "it works on tensors: run `vectorize` first")),
    }
}

/// The batch, outer and element of a position along each leading dimension: all batches, all outers, all elements.
fn slot_of(layout: &Nested, at: &[i64]) -> Vec<i64> {
    let digits = |d: usize, at: i64| {
        let (outers, lanes, elements) = (layout.outer_tile[d], layout.thread_tile[d], layout.element_tile[d]);
        let tile = at / (elements * lanes);
        [tile / outers % layout.batch_tile[d], tile % outers, at % elements]
    };
    (0..3).flat_map(|group| at.iter().enumerate().map(move |(d, &at)| digits(d, at)[group])).collect()
}

/// The permutation that brings `lead` dimensions of each group to the front, in front of what is left of each.
fn lead_first(rank: usize, lead: usize) -> Vec<usize> {
    let part = |from: usize, to: usize| (0..3).flat_map(move |group| (from..to).map(move |d| group * rank + d));
    part(0, lead).chain(part(lead, rank)).collect()
}

fn without_lead(layout: &Nested, lead: usize) -> Nested {
    layout.project(&(0..layout.rank()).map(|d| d < lead).collect::<Vec<_>>())
}

fn dynamic(builder: &mut Builder<'_>, cx: &Cx<'_>, at: &[Mixed]) -> Vec<ValueId> {
    at.iter()
        .map(|at| match *at {
            Mixed::Static(at) => builder.index(at),
            Mixed::Value(value) => cx.part(value),
        })
        .collect()
}

fn fixed(at: &[Mixed]) -> Option<Vec<i64>> {
    at.iter().map(|at| if let Mixed::Static(at) = at { Some(*at) } else { None }).collect()
}

fn extract(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let from = layout(builder.ir, op, source)?;
    let at = position(builder.ir, op);
    let lead = at.len();
    let elem = builder.ir.elem_of(source);
    // What is left for each thread; `None` for a scalar, which everyone gets.
    let to = if builder.ir.ty(result).is_vector() { Some(layout(builder.ir, op, result)?) } else { None };
    let part = cx.part(source);
    let Some(fixed) = fixed(&at) else {
        // Registers have no addresses: all of it goes to memory.
        let shape = from.undistributed_shape();
        memory::start(builder, cx);
        let buffer = memory::staged(builder, cx, op, &shape, part)?;
        let mut view = memory::stage(builder, cx, op, buffer, part, &from)?;
        cx.barrier(builder);
        let place = dynamic(builder, cx, &at);
        view.indices[..lead].copy_from_slice(&place);
        let new = match to {
            None => memory::load(builder, view.base, &view.indices, elem),
            Some(to) => {
                view.map = minor_identity(shape.len(), to.rank());
                view.in_bounds = vec![true; to.rank()];
                memory::unstage(builder, cx, &view, &to, elem)
            }
        };
        cx.map.set(result, new);
        return Ok(());
    };
    let inner = without_lead(&from, lead);
    let own = transposed(builder, part, &lead_first(from.rank(), lead));
    let own = builder.extract(own, &slot_of(&from, &fixed));
    let everyone = (0..lead).all(|d| is_local(&from, d));
    let new = match to {
        None if everyone => own,
        Some(to) if everyone && in_registers(&inner, &to) => memory::relaid(builder, own, &inner, &to),
        to => {
            // Those who hold the part write it.
            memory::start(builder, cx);
            let condition = threads::holds(builder, cx, &from, &fixed);
            let rank0 = inner.rank() == 0;
            let inner = if rank0 { Nested::whole(&[1]).expect("one element") } else { inner };
            let own = if rank0 {
                let ty = super::part_type(builder.ir, elem, &inner);
                builder.broadcast(own, ty)
            } else {
                own
            };
            let buffer = memory::staged(builder, cx, op, &inner.undistributed_shape(), own)?;
            let view = memory::whole(builder, buffer);
            let piece = Piece { part: own, layout: &inner, mask: None, holders: &from, condition };
            memory::stage_piece(builder, cx, op, &view, piece)?;
            cx.barrier(builder);
            match to {
                None => memory::load(builder, buffer, &view.indices, elem),
                Some(to) => memory::unstage(builder, cx, &view, &to, elem),
            }
        }
    };
    cx.map.set(result, new);
    Ok(())
}

fn insert(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (value, dest, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    let to = layout(builder.ir, op, result)?;
    let at = position(builder.ir, op);
    let (rank, lead) = (to.rank(), at.len());
    let (mut piece, part) = (cx.part(value), cx.part(dest));
    if builder.ir.ty(piece).is_vector() && builder.ir.shape_of(piece).is_empty() && rank > 0 {
        piece = builder.extract(piece, &[]);
    }
    if lead == 0 {
        let ty = builder.ir.type_of(part);
        let new = if builder.ir.ty(piece).is_vector() { piece } else { builder.broadcast(piece, ty) };
        cx.map.set(result, new);
        return Ok(());
    }
    let order = lead_first(rank, lead);
    let mut new = transposed(builder, part, &order);
    match fixed(&at) {
        Some(at) => {
            let inserted = builder.insert(piece, new, &slot_of(&to, &at));
            new = match threads::holds(builder, cx, &to, &at) {
                None => inserted,
                Some(condition) => select(builder, condition, inserted, new),
            };
        }
        None => {
            // Every place where it may go asks whether it does.
            let groups = [&to.batch_tile[..lead], &to.outer_tile[..lead], &to.element_tile[..lead]].concat();
            let n = groups.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent));
            if n.is_none_or(|n| n > PLACES_MAX) {
                let why = format!("its position is dynamic, and a thread holds more than {PLACES_MAX} places for it");
                return Err(refuse(builder.ir, op, why).help("go through memory: write, then read"));
            }
            let place = dynamic(builder, cx, &at);
            for slot in memory::positions(&groups) {
                let mut condition = None;
                for d in 0..lead {
                    let element = builder.index(slot[2 * lead + d]);
                    let here = threads::coordinate(builder, cx, &to, d, [slot[d], slot[lead + d]], element);
                    let is_here = code::compare(builder, code::EQUAL, here, place[d]);
                    condition = Some(threads::both(builder, condition, is_here));
                }
                let inserted = builder.insert(piece, new, &slot);
                new = select(builder, condition.expect("there is a leading dimension"), inserted, new);
            }
        }
    }
    let new = transposed(builder, new, &super::inverse(&order));
    cx.map.set(result, new);
    Ok(())
}

fn select(builder: &mut Builder<'_>, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
    let ty = builder.ir.type_of(yes);
    builder.value(Opcode::ArithSelect, &[condition, yes, no], ty, &[])
}

/// `offsets` of a strided slice, one for each of `rank` dimensions.
fn offsets(builder: &Builder<'_>, op: OpId, rank: usize) -> Vec<i64> {
    let mut list = builder.ir.attr_id(op, "offsets").and_then(|attr| builder.ir.ints(attr)).unwrap_or_default();
    list.resize(rank, 0);
    list
}

/// For each dimension of a vector, the first element in each thread's registers of a part with the last dimensions;
/// `None` where the part does not stay in its threads.
fn local_offsets(whole: &Nested, part: &Nested, offsets: &[i64]) -> Option<Vec<i64>> {
    let lead = whole.rank() - part.rank();
    let (shape, extents) = (whole.undistributed_shape(), part.undistributed_shape());
    (0..whole.rank())
        .map(|d| {
            let local = is_local(whole, d);
            if d < lead {
                return local.then_some(offsets[d]);
            }
            let same = extents[d - lead] == shape[d] && is_column(whole, d, part, d - lead);
            (same || local && is_local(part, d - lead)).then_some(offsets[d])
        })
        .collect()
}

fn extract_strided(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (layout(builder.ir, op, source)?, layout(builder.ir, op, result)?);
    let rank = from.rank();
    let offsets = offsets(builder, op, rank);
    let part = cx.part(source);
    let elem = builder.ir.elem_of(source);
    let new = match local_offsets(&from, &to, &offsets) {
        Some(offsets) => {
            let part = memory::unpacked(builder, part, &from);
            let sizes = to.distributed_unpacked_shape();
            let ty = builder.ir.vector_type(&sizes, elem);
            let attrs = [
                ("offsets", builder.ir.i64_array(&offsets)),
                ("sizes", builder.ir.i64_array(&sizes)),
                ("strides", builder.ir.i64_array(&vec![1; rank])),
            ];
            let part = builder.value(Opcode::VectorExtractStridedSlice, &[part], ty, &attrs);
            memory::packed(builder, part, &to)
        }
        None => {
            memory::start(builder, cx);
            let buffer = memory::staged(builder, cx, op, &from.undistributed_shape(), part)?;
            let mut view = memory::stage(builder, cx, op, buffer, part, &from)?;
            cx.barrier(builder);
            view.indices = offsets.iter().map(|&offset| builder.index(offset)).collect();
            memory::unstage(builder, cx, &view, &to, elem)
        }
    };
    cx.map.set(result, new);
    Ok(())
}

fn insert_strided(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (value, dest, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    let (from, to) = (layout(builder.ir, op, value)?, layout(builder.ir, op, result)?);
    let rank = to.rank();
    let offsets = offsets(builder, op, rank);
    let (piece, part) = (cx.part(value), cx.part(dest));
    let elem = builder.ir.elem_of(dest);
    let new = match local_offsets(&to, &from, &offsets) {
        Some(offsets) => {
            let (piece, part) = (memory::unpacked(builder, piece, &from), memory::unpacked(builder, part, &to));
            let part = builder.insert_strided_slice(piece, part, &offsets);
            memory::packed(builder, part, &to)
        }
        None => {
            memory::start(builder, cx);
            let buffer = memory::staged(builder, cx, op, &to.undistributed_shape(), part)?;
            let view = memory::stage(builder, cx, op, buffer, part, &to)?;
            cx.barrier(builder);
            let mut inner = memory::whole(builder, buffer);
            inner.indices = offsets.iter().map(|&offset| builder.index(offset)).collect();
            inner.map = minor_identity(rank, from.rank());
            inner.in_bounds = vec![true; from.rank()];
            memory::stage_piece(builder, cx, op, &inner, Piece::all(piece, &from))?;
            cx.barrier(builder);
            memory::unstage(builder, cx, &view, &to, elem)
        }
    };
    cx.map.set(result, new);
    Ok(())
}

/// Every element, for everyone.
fn to_elements(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let source = builder.ir.operand(op, 0);
    let from = layout(builder.ir, op, source)?;
    let (shape, elem, part) = (from.undistributed_shape(), builder.ir.elem_of(source), cx.part(source));
    let results: Vec<ValueId> = builder.ir.results(op).collect();
    if (0..from.rank()).all(|d| is_local(&from, d)) {
        let part = memory::unpacked(builder, part, &from);
        for (at, &result) in memory::positions(&shape).iter().zip(&results) {
            let element = builder.extract(part, at);
            cx.map.set(result, element);
        }
        return Ok(());
    }
    memory::start(builder, cx);
    let buffer = memory::staged(builder, cx, op, &shape, part)?;
    memory::stage(builder, cx, op, buffer, part, &from)?;
    cx.barrier(builder);
    for (at, &result) in memory::positions(&shape).iter().zip(&results) {
        let indices: Vec<ValueId> = at.iter().map(|&at| builder.index(at)).collect();
        let element = memory::load(builder, buffer, &indices, elem);
        cx.map.set(result, element);
    }
    Ok(())
}
