//! Distribute: give every thread its part of each vector.
//!
//! Before: `%s = arith.addf %a, %b {layouts = [#L]} : vector<64x32xf32>`
//! After:  `%s = arith.addf %a, %b : vector<1x2x1x1x4x1xf32>`, one thread's batches, outers and elements.
//!
//! A value of rank r becomes a vector of rank 3r: all batch extents, all outer extents, all element extents. Reads and
//! writes go one element tile at a time, at addresses computed from the thread's number; a value that several threads
//! hold is written by one of them. Elementwise operations and shuffles stay inside a thread. Reductions combine inside
//! the thread, then across lanes, then across subgroups through shared memory; contractions become matrix
//! instructions, and changes of layout that move data between threads go by the cheapest plan.
//!
//! Every operation either has a rule here or is an error at its line; nothing is left undistributed.
//!
//! Where threads meet in a buffer of the program's own, a barrier stands between them; a buffer for a change of layout
//! is written between two barriers, and conversions that follow one another share them.

mod buffers;
mod constant;
mod contract;
mod convert;
mod hazard;
mod mask;
mod memory;
mod numbering;
mod place;
mod reduce;
mod rows;
mod slice;
mod threads;

use std::collections::BTreeSet;

use raddle_ir::views::{Transfer, minor_identity};
use raddle_ir::{BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, TypeId, ValueId, ValueMap};
use raddle_layout::Nested;

use self::buffers::Buffers;
use self::hazard::Access;
use self::memory::{Mask, Piece};
use self::numbering::Numberings;
use self::place::Places;
use crate::config::Launch;
use crate::lay_out::{in_registers, layout_of, mask_dims};
use crate::table::Facts;

/// What the rules share.
struct Cx<'a> {
    facts: &'a Facts,
    launch: Launch,
    /// The thread's number in the workgroup.
    thread: ValueId,
    /// The new value of each old one: a vector's is one thread's part of it.
    map: ValueMap,
    /// How many loops are around the current operation: in a loop, a buffer is written again.
    depth: usize,
    /// Shared memory for values that change threads.
    buffers: Buffers,
    /// What threads have done to buffers since the last barrier.
    pending: Vec<Access>,
    /// What was computed of the thread's number for swizzles and shuffles.
    places: Places,
    /// Conversions whose values are numbered anew.
    numberings: Numberings,
    /// The buffers that the program writes: no thread waits for the others because of what nobody writes.
    written: BTreeSet<ValueId>,
}

/// Rewrites a laid-out kernel into one thread's program.
pub fn distribute(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    let sizes = facts.chip.subgroup_sizes;
    if !sizes.iter().any(|&size| i64::from(size) == launch.subgroup_size) {
        let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
        let message =
            format!("a subgroup of {} has {} lanes, not {}", facts.chip.name, sizes.join(" or "), launch.subgroup_size);
        return Err(Diag::error(Code::CannotDistribute, ir.span(func), message)
            .help("choose another --target, or change `subgroup_size` in the function's translation_info"));
    }
    let old = ir.entry(func);
    let types: Vec<TypeId> = ir.args(old).iter().map(|&arg| ir.type_of(arg)).collect();
    if types.iter().any(|&ty| ir[ty].is_vector()) {
        return Err(Diag::error(Code::CannotDistribute, ir.span(func), "an argument of the kernel is a vector")
            .help("pass a memref and read it with vector.transfer_read"));
    }
    let region = ir.block_region(old);
    let new = ir.add_block(region, &types);
    let span = ir.span(func);
    let mut map = ValueMap::default();
    for (old, new) in ir.args(old).to_vec().into_iter().zip(ir.args(new).to_vec()) {
        map.set(old, new);
    }
    let written = hazard::written(ir, func);
    let numberings = numbering::find(ir, func, launch, facts);
    let buffers = Buffers::beside(ir, func);
    let mut builder = Builder::at_end(ir, new, span);
    let thread = builder.gpu_id(Opcode::ThreadId, 0);
    let mut cx = Cx {
        facts,
        launch,
        thread,
        map,
        depth: 0,
        buffers,
        pending: Vec::new(),
        places: Places::default(),
        numberings,
        written,
    };
    let done = block_of(&mut builder, &mut cx, old, None);
    if let Err(diag) = done {
        ir.remove_block(new);
        return Err(diag);
    }
    ir.remove_block(old);
    Ok(())
}

impl Cx<'_> {
    /// What one thread holds of an old value.
    fn part(&self, value: ValueId) -> ValueId {
        self.map.find(value).expect("operands are distributed before their users")
    }

    /// Makes all threads wait for one another.
    fn barrier(&mut self, builder: &mut Builder<'_>) {
        builder.barrier();
        self.pending.clear();
        self.buffers.meet();
    }

    /// Waits where an access meets what other threads may still be doing.
    fn meet(&mut self, builder: &mut Builder<'_>, op: OpId) {
        let Some(access) = hazard::access(builder.ir, op) else { return };
        if !self.written.contains(&access.root) {
            return;
        }
        if self.pending.iter().any(|other| hazard::conflict(builder.ir, self.launch, other, &access)) {
            self.barrier(builder);
        }
        if !self.pending.contains(&access) {
            self.pending.push(access);
        }
    }
}

/// The refusal to distribute an operation.
fn refuse(ir: &Ir, op: OpId, why: impl Into<String>) -> Diag {
    let mut diag = Diag::error(Code::CannotDistribute, ir.span(op), format!("`{}` cannot be distributed", ir.name(op)))
        .note(why)
        .help("`raddle opt --to=laid_out --remarks` shows every layout and why it was chosen");
    let vectors = ir.operands(op).iter().copied().chain(ir.results(op)).filter(|&value| ir.ty(value).is_vector());
    for (i, value) in vectors.enumerate() {
        if let Some(layout) = layout_of(ir, value) {
            diag = diag.note(format!("vector {i} has {layout}"));
        }
    }
    diag
}

/// Says where two layouts of one value first give a thread different elements.
fn differ(diag: Diag, from: &Nested, to: &Nested, launch: Launch) -> Diag {
    let diag = diag.note(format!("one is {from}")).note(format!("the other is {to}"));
    if from.undistributed_shape() != to.undistributed_shape() || from.n_slots() != to.n_slots() {
        return diag.note("they do not give each thread the same number of elements");
    }
    let (subgroups, lanes) = (launch.workgroup_size / launch.subgroup_size, launch.subgroup_size);
    for thread in 0..subgroups * lanes {
        let (subgroup, lane) = (thread / lanes, thread % lanes);
        for slot in 0..from.n_slots() {
            let (a, b) = (from.coord(subgroup, lane, slot), to.coord(subgroup, lane, slot));
            if a != b {
                return diag.note(format!(
                    "they first differ at subgroup {subgroup}, lane {lane}, slot {slot}: element {a:?} there, {b:?} here"
                ));
            }
        }
    }
    diag
}

/// The layout of an old value.
fn layout(ir: &Ir, op: OpId, value: ValueId) -> Result<Nested, Diag> {
    layout_of(ir, value).cloned().ok_or_else(|| refuse(ir, op, "one of its vectors has no layout: run `lay-out` first"))
}

/// The type of one thread's part.
fn part_type(ir: &mut Ir, elem: TypeId, layout: &Nested) -> TypeId {
    ir.vector_type(&layout.distributed_shape(), elem)
}

/// Distributes a block, up to `end` if that is given.
fn block_of(builder: &mut Builder<'_>, cx: &mut Cx<'_>, block: BlockId, end: Option<OpId>) -> Result<(), Diag> {
    let ops: Vec<OpId> = builder.ir.block_ops(block).filter(|&op| Some(op) != end).collect();
    let mut next = 0;
    while next < ops.len() {
        builder.span = builder.ir.span(ops[next]);
        // Conversions in a row share their barriers.
        match convert::conversions(builder.ir, &ops[next..]) {
            [] => {
                operation(builder, cx, ops[next])?;
                next += 1;
            }
            run => {
                next += convert::convert(builder, cx, run)?;
            }
        }
        cx.buffers.release();
    }
    Ok(())
}

fn operation(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let ir = &*builder.ir;
    let has_vector = ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| ir.ty(value).is_vector());
    let class = ir.class(op);
    if matches!(class, Class::Shuffle | Class::Matrix)
        || matches!(ir.opcode(op), Opcode::ThreadId | Opcode::LaneId | Opcode::SubgroupId)
    {
        return Err(refuse(ir, op, "it is for one thread, and the program is one of whole workgroups")
            .help("write it on vectors, and let their layouts say which thread does what"));
    }
    if ir.opcode(op) == Opcode::Alloca {
        return Err(refuse(ir, op, "each thread would get a buffer of its own, and the program means one for all")
            .help("allocate in `#gpu.address_space<workgroup>` with memref.alloc"));
    }
    cx.meet(builder, op);
    let ir = &*builder.ir;
    if !has_vector && ir.regions(op).is_empty() {
        if ir.opcode(op) == Opcode::Store {
            // One thread stores a scalar that all of them have.
            let zero = builder.index(0);
            let condition = threads::compare(builder, threads::EQUAL, cx.thread, zero);
            memory::when(builder, condition, |inner| {
                inner.copy(op, &mut cx.map);
            });
            return Ok(());
        }
        builder.copy(op, &mut cx.map);
        if class == Class::Barrier {
            cx.pending.clear();
            cx.buffers.meet();
        }
        return Ok(());
    }
    // A vector that nobody uses needs no rule.
    if (ir.opcode(op).info().pure || class == Class::Read) && ir.results(op).all(|value| ir.is_unused(value)) {
        return Ok(());
    }
    match class {
        Class::Elementwise => elementwise(builder, cx, op),
        Class::Constant => constant::constant(builder, cx, op),
        Class::Mask => mask::mask(builder, cx, op),
        Class::Broadcast => broadcast(builder, cx, op),
        Class::Transpose => transpose(builder, cx, op),
        Class::Reshape => reshape(builder, cx, op),
        Class::Reduce => reduce::multi_reduction(builder, cx, op),
        Class::Contract => contract::contract(builder, cx, op),
        Class::Read | Class::Write => transfer(builder, cx, op),
        Class::Slice => slice::slice(builder, cx, op),
        Class::Layout => memory::to_layout(builder, cx, op),
        Class::Loop => loop_of(builder, cx, op),
        Class::Branch => branch(builder, cx, op),
        Class::Yield => {
            builder.copy(op, &mut cx.map);
            Ok(())
        }
        Class::Structured
        | Class::Empty
        | Class::Alloc
        | Class::View
        | Class::Barrier
        | Class::Index
        | Class::Id
        | Class::Shuffle
        | Class::Matrix
        | Class::Call
        | Class::Module
        | Class::Function
        | Class::Opaque => Err(refuse(builder.ir, op, "there is no rule that gives each thread its part of it")),
    }
}

fn elementwise(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let layout = layout(builder.ir, op, result)?;
    let copy = builder.copy(op, &mut cx.map);
    builder.ir.remove_attr(copy, "layouts");
    let new = builder.ir.result(copy, 0);
    let elem = builder.ir.elem_of(result);
    let ty = part_type(builder.ir, elem, &layout);
    builder.ir.set_type(new, ty);
    Ok(())
}

fn broadcast(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let to = layout(builder.ir, op, result)?;
    let elem = builder.ir.elem_of(result);
    let part = cx.part(source);
    let ty = part_type(builder.ir, elem, &to);
    if !builder.ir.ty(source).is_vector() || builder.ir.shape_of(source).is_empty() {
        let new = builder.broadcast(part, ty);
        cx.map.set(result, new);
        return Ok(());
    }
    // New dimensions lead in each of the three groups; a broadcast adds them in front of all, so transpose behind it.
    let (rank, inner) = (to.rank(), builder.ir.shape_of(source).len());
    let lead = rank - inner;
    let groups = [&to.batch_tile, &to.outer_tile, &to.element_tile];
    let new_dims: Vec<i64> = groups.iter().flat_map(|group| group[..lead].to_vec()).collect();
    let own_dims: Vec<i64> = groups.iter().flat_map(|group| group[lead..].to_vec()).collect();
    let wide = builder.ir.vector_type(&[new_dims, own_dims].concat(), elem);
    let wide = builder.broadcast(part, wide);
    let perm: Vec<usize> = (0..3)
        .flat_map(|group| {
            let new = (0..lead).map(move |d| group * lead + d);
            let own = (0..inner).map(move |d| 3 * lead + group * inner + d);
            new.chain(own).collect::<Vec<_>>()
        })
        .collect();
    let new = transposed(builder, wide, &perm);
    cx.map.set(result, new);
    Ok(())
}

/// `vector.transpose`, unless it changes nothing.
fn transposed(builder: &mut Builder<'_>, value: ValueId, perm: &[usize]) -> ValueId {
    if perm.iter().copied().eq(0..perm.len()) { value } else { builder.transpose(value, perm) }
}

fn transpose(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let perm = builder.ir.attr_id(op, "permutation").and_then(|attr| builder.ir.ints(attr)).unwrap_or_default();
    let rank = perm.len();
    // Threads keep what they have: each of the three groups is permuted.
    let perm: Vec<usize> = (0..3).flat_map(|group| perm.iter().map(move |&d| group * rank + d as usize)).collect();
    let source = cx.part(builder.ir.operand(op, 0));
    let new = transposed(builder, source, &perm);
    cx.map.set(builder.ir.result(op, 0), new);
    Ok(())
}

/// The permutation from (all batches, all outers, all elements) to (batch, outer, element) of each dimension.
fn by_dimension(rank: usize) -> Vec<usize> {
    (0..rank).flat_map(|d| [d, rank + d, 2 * rank + d]).collect()
}

fn inverse(perm: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; perm.len()];
    for (i, &p) in perm.iter().enumerate() {
        inverse[p] = i;
    }
    inverse
}

fn reshape(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (layout(builder.ir, op, source)?, layout(builder.ir, op, result)?);
    let part = cx.part(source);
    let natural = from.reshape(builder.ir.shape_of(result)).ok();
    let new = match natural {
        Some(natural) if in_registers(&natural, &to) => {
            // Slots keep their numbers along all dimensions together.
            let part = memory::unpacked(builder, part, &from);
            let part = builder.shape_cast(part, &natural.distributed_unpacked_shape());
            let part = memory::packed(builder, part, &natural);
            memory::relaid(builder, part, &natural, &to)
        }
        _ => memory::reshape(builder, cx, op, part, [&from, &to])?,
    };
    cx.map.set(result, new);
    Ok(())
}

/// A read or a write as a transfer, whichever way it is written.
fn as_transfer(ir: &Ir, op: OpId) -> Option<Transfer> {
    let writes = ir.class(op) == Class::Write;
    match ir.opcode(op) {
        Opcode::TransferRead | Opcode::TransferWrite => Some(Transfer::of(ir, op)),
        Opcode::VectorLoad | Opcode::VectorStore => {
            let operands = &ir.operands(op)[usize::from(writes)..];
            let vector = if writes { ir.operand(op, 0) } else { ir.result(op, 0) };
            let (indices, rank) = (operands[1..].to_vec(), ir.shape_of(vector).len());
            Some(Transfer {
                base: operands[0],
                map: minor_identity(indices.len(), rank),
                indices,
                vector: writes.then_some(vector),
                padding: None,
                mask: None,
                in_bounds: vec![true; rank],
            })
        }
        _ => None,
    }
}

fn transfer(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let Some(mut view) = as_transfer(builder.ir, op) else {
        return Err(refuse(builder.ir, op, "whole-workgroup vectors are read and written by transfers"));
    };
    let vector = view.vector.unwrap_or_else(|| builder.ir.result(op, 0));
    let layout = layout(builder.ir, op, vector)?;
    if !matches!(builder.ir.ty(view.base), raddle_ir::Type::MemRef { .. }) {
        return Err(refuse(builder.ir, op, "it touches a tensor: run `vectorize` first"));
    }
    view.base = cx.part(view.base);
    for index in &mut view.indices {
        *index = cx.part(*index);
    }
    view.padding = view.padding.map(|padding| cx.part(padding));
    let mask = view.mask.map(|mask| Mask { part: cx.part(mask), dims: mask_dims(&view) });
    match view.vector {
        None => {
            if view.padding.is_none() {
                let elem = builder.ir.elem_of(vector);
                view.padding = Some(builder.splat(0.0, elem));
            }
            let part = match rows::read(builder, cx, &view, &layout) {
                Some(part) => part,
                None => memory::read(builder, cx, &view, mask.as_ref(), &layout),
            };
            cx.map.set(vector, part);
        }
        Some(value) => {
            let part = cx.part(value);
            if rows::write(builder, cx, &view, part, &layout) {
                return Ok(());
            }
            let piece = Piece { mask: mask.as_ref(), ..Piece::all(part, &layout) };
            memory::write(builder, cx, &view, &piece).map_err(|why| refuse(builder.ir, op, why))?;
        }
    }
    Ok(())
}

fn loop_of(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if builder.ir.opcode(op) != Opcode::For {
        return Err(refuse(builder.ir, op, "loops over workgroups are resolved before vectors are distributed"));
    }
    let operands: Vec<ValueId> = builder.ir.operands(op).iter().map(|&value| cx.part(value)).collect();
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let end = builder.ir.terminator(block).expect("the verifier has seen a terminator");
    let mut failed = None;
    cx.depth += 1;
    // A round meets what the rounds in front of it did; without a round, what comes behind meets what came before.
    let before = cx.pending.clone();
    let states = cx.buffers.states();
    cx.pending.extend(hazard::earlier_rounds(builder.ir, op));
    let new = builder.for_loop(operands[0], operands[1], operands[2], &operands[3..], |inner, iv, carried| {
        cx.map.set(args[0], iv);
        for (&arg, &value) in args[1..].iter().zip(carried) {
            cx.map.set(arg, value);
        }
        if let Err(diag) = block_of(inner, cx, block, Some(end)) {
            failed = Some(diag);
            return carried.to_vec();
        }
        inner.ir.operands(end).iter().map(|&value| cx.part(value)).collect()
    });
    cx.depth -= 1;
    cx.pending.extend(before);
    cx.buffers.join(&states);
    for (old, new) in builder.ir.results(op).zip(builder.ir.results(new)) {
        cx.map.set(old, new);
    }
    failed.map_or(Ok(()), Err)
}

fn branch(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let condition = cx.part(builder.ir.operand(op, 0));
    let mut types = Vec::new();
    for value in builder.ir.results(op).collect::<Vec<_>>() {
        let ty = builder.ir.type_of(value);
        types.push(if builder.ir[ty].is_vector() {
            let (layout, elem) = (layout(builder.ir, op, value)?, builder.ir.elem_of(value));
            part_type(builder.ir, elem, &layout)
        } else {
            ty
        });
    }
    let new = builder.op(Opcode::If, &[condition], &types, &[]);
    let before = cx.pending.clone();
    let states = cx.buffers.states();
    let mut after = Vec::new();
    let mut ends = Vec::new();
    for region in builder.ir.regions(op).to_vec() {
        let copy = builder.ir.add_region(new);
        cx.pending.clone_from(&before);
        cx.buffers.reset(&states);
        if let Some(&block) = builder.ir.blocks(region).first() {
            let inner = builder.ir.add_block(copy, &[]);
            let mut inner = Builder::at_end(builder.ir, inner, builder.span);
            block_of(&mut inner, cx, block, None)?;
        }
        after.append(&mut cx.pending);
        ends.push(cx.buffers.states());
    }
    for end in ends {
        cx.buffers.join(&end);
    }
    cx.pending = after;
    for (old, new) in builder.ir.results(op).zip(builder.ir.results(new)) {
        cx.map.set(old, new);
    }
    Ok(())
}
