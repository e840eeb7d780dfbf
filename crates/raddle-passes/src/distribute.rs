//! Distribute: give every thread its part of each vector.
//!
//! Before: `%s = arith.addf %a, %b {layouts = [#L]} : vector<64x32xf32>`
//! After:  `%s = arith.addf %a, %b : vector<1x2x1x1x4x1xf32>`, one thread's batches, outers and elements.
//!
//! A value of rank r becomes a vector of rank 3r: all batch extents, all outer extents, all element extents. Reads and
//! writes go one element tile at a time, at addresses computed from the thread's number; a value that several threads
//! hold is written by one of them. Elementwise operations and shuffles stay inside a thread. Reductions combine inside
//! the thread, then across lanes (behind the loop where that does), then across subgroups through shared memory;
//! contractions become matrix instructions, and changes of layout that move data between threads go by the cheapest plan.
//!
//! Every operation either has a rule here or is an error at its line; nothing is left undistributed.
//!
//! Where threads meet in a buffer of the program's own, a barrier stands between them; a buffer for a change of layout
//! is written between two barriers, and conversions that follow one another share them.

mod addresses;
mod arg_compare;
mod beyond;
mod bits;
mod buffers;
mod carried;
mod constant;
mod contract;
mod convert;
mod edges;
mod elements;
mod flow;
mod gather;
mod hazard;
mod inner_tiled;
mod mask;
mod masked;
mod memory;
mod numbering;
pub mod pack;
mod place;
mod reduce;
mod ring;
mod role;
mod rows;
mod scan;
mod shared_product;
mod slice;
mod staged;
mod tf32;
mod threads;
mod windows;

use std::cell::RefCell;
use std::sync::Arc;

use raddle_ir::views::{Transfer, minor_identity};
use raddle_ir::{
    Attr, BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, Point, Type, TypeId, ValueId, ValueMap, dominance,
};
use raddle_layout::Nested;
use rustc_hash::{FxHashMap, FxHashSet};

use self::buffers::Buffers;
pub use self::edges::Edges;
use self::hazard::Access;
pub use self::inner_tiled::{is_distributed, set_distributed};
use self::memory::{Mask, Piece};
use self::numbering::Numberings;
use self::place::Places;
pub use self::rows::{ROW, load as load_matrices};
use crate::clean::number;
use crate::code;
use crate::code::{thread_number, when};
use crate::config::{self, Launch};
use crate::facts::Facts;
use crate::lay_out::{in_registers, layout_of, mask_dims, shared_layout_of};

/// What the rules share.
struct Cx<'a> {
    facts: &'a Facts,
    /// The subgroups that run the current operation, and those of the whole workgroup.
    launch: Launch,
    workgroup: Launch,
    /// The thread's number among those that run it.
    thread: ValueId,
    /// Other subgroups, which run other operations.
    ranges: Vec<role::Range>,
    /// Those that wait for one another at a barrier with a number, and whether there are more of them than numbers.
    named: Vec<Launch>,
    lacks_barriers: bool,
    /// Where it, or a part of it, was taken apart.
    splits: RefCell<Vec<threads::Split>>,
    /// The new value of each old one: a vector's is one thread's part of it.
    map: ValueMap,
    /// Vectors that came in and are cast where they are used.
    whole: ValueMap,
    /// The new block of each old one.
    blocks: FxHashMap<BlockId, BlockId>,
    /// What vectors are at the edges of the function.
    edges: Edges,
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
    written: FxHashSet<ValueId>,
    /// Reads that become asynchronous copies, each with the write that takes it.
    copies: FxHashMap<OpId, OpId>,
    /// Writes that go through shared memory.
    staged: FxHashMap<OpId, staged::Staged>,
    /// Reductions whose lanes meet behind the loop that carries their sums.
    carried: FxHashSet<OpId>,
    /// Products whose factors stay in shared memory.
    products: shared_product::Products,
    /// What they add up to, as long as it is not known to be done.
    sums: shared_product::Sums,
    /// Those that are still to be added.
    apart: Option<shared_product::Apart>,
    /// The tokens of copies that no group has yet.
    tokens: Vec<ValueId>,
    /// What earlier rounds of the current loop leave behind, where that was found out.
    earlier: Option<Vec<Access>>,
    /// The numbers of slots that loops carry on from round to round, by the operation that computes each.
    slots: FxHashMap<OpId, ValueId>,
}

/// Rewrites a laid-out kernel into one thread's program.
pub fn distribute(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::read(ir, func)?;
    facts.chip.check_subgroup_size(launch.subgroup_size).map_err(|why| {
        Diag::error(Code::CannotDistribute, ir.span(func), why)
            .help("choose another --target, or change `subgroup_size` in the function's translation_info")
    })?;
    distribute_for(ir, func, facts, launch, Edges::Parts)
}

/// [`distribute`] for a launch that the function need not state.
pub fn distribute_for(ir: &mut Ir, func: OpId, facts: &Facts, launch: Launch, edges: Edges) -> Result<(), Diag> {
    let Some(entry) = ir.body(func, 0) else { return Ok(()) };
    role::check(ir, func, launch)?;
    convert::bridge(ir, func, launch);
    let region = ir.block_region(entry);
    let n_old = ir.blocks(region).len();
    let done = body(ir, func, facts, launch, edges);
    // The new blocks stand behind the old ones, and one of the two goes.
    let (old, new) = ir.blocks(region).split_at(n_old);
    let unwanted = if done.is_ok() { old } else { new }.to_vec();
    ir.remove_blocks(&unwanted);
    if done.is_ok() {
        ir.remove_attr(func, "layouts");
    }
    done
}

/// Writes the new blocks of a function behind the old ones.
fn body(ir: &mut Ir, func: OpId, facts: &Facts, launch: Launch, edges: Edges) -> Result<(), Diag> {
    let (entry, span) = (ir.entry(func), ir.span(func));
    let (region, args) = (ir.block_region(entry), ir.args(entry).to_vec());
    let staged = staged::find(ir, func, launch, facts)?;
    let (written, buffers) = (hazard::written(ir, launch, func), Buffers::beside(ir, func, launch, facts));
    let numberings = numbering::find(ir, func, launch, facts);
    let mut builder = Builder::at_end(ir, entry, span);
    let types = edges::arguments(&mut builder, func, &args, edges)?;
    let first = builder.ir.add_block(region, &types);
    builder.at = Point::End(first);
    let mut cx = Cx {
        facts,
        launch,
        workgroup: launch,
        ranges: Vec::new(),
        named: Vec::new(),
        lacks_barriers: false,
        thread: thread_number(&mut builder, launch.extents),
        splits: RefCell::default(),
        map: ValueMap::default(),
        whole: ValueMap::default(),
        blocks: FxHashMap::from_iter([(entry, first)]),
        edges,
        depth: 0,
        buffers,
        pending: Vec::new(),
        places: Places::default(),
        numberings,
        written,
        copies: FxHashMap::default(),
        staged,
        carried: carried::find(builder.ir, func, launch),
        products: shared_product::find(builder.ir, func, launch, facts),
        sums: shared_product::Sums::default(),
        apart: None,
        tokens: Vec::new(),
        earlier: None,
        slots: FxHashMap::default(),
    };
    cx.copies = ring::copies(builder.ir, &cx, func)?;
    for (old, new) in args.into_iter().zip(builder.ir.args(first).to_vec()) {
        match edges {
            Edges::Casts if builder.ir.ty(old).is_vector() => cx.whole.set(old, new),
            Edges::Parts | Edges::Casts => cx.map.set(old, new),
        }
    }
    let old = dominance::order(builder.ir, region);
    let mut new = vec![first];
    new.extend(flow::blocks(&mut builder, &mut cx, func, &old[1..], region)?);
    flow::fill(&mut builder, &mut cx, &old, &new)?;
    if edges == Edges::Parts {
        edges::sign(ir, func, &types, &new);
    }
    Ok(())
}

impl Cx<'_> {
    /// What one thread holds of an old value.
    fn part(&self, value: ValueId) -> ValueId {
        self.map.find(value).expect("operands are distributed before their users")
    }

    /// Makes all threads that run the current operation wait for one another.
    fn barrier(&mut self, builder: &mut Builder<'_>) {
        role::barrier(builder, self, &[]);
        hazard::barrier(&mut self.pending);
        self.buffers.meet(self.launch);
    }

    /// Makes all threads wait for one another, and each for its copies but for so many groups.
    fn wait(&mut self, builder: &mut Builder<'_>, groups: Option<i64>) {
        if let Some(groups) = groups {
            ring::wait(builder, groups);
            hazard::land(&mut self.pending, groups);
        }
        shared_product::wait(builder, self, 0);
        shared_product::show(builder, self);
        self.barrier(builder);
    }

    /// Whether a write is done by asynchronous copies.
    fn is_copied(&self, write: OpId) -> bool {
        self.copies.values().any(|&other| other == write)
    }

    /// Whether a write is the last one of a run of asynchronous copies into one slot, between which nothing else happens.
    fn ends_group(&self, ir: &Ir, write: OpId) -> bool {
        if !self.is_copied(write) {
            return false;
        }
        let mut next = ir.next_op(write);
        while let Some(op) = next.filter(|op| self.copies.contains_key(op) || ir.opcode(*op).info().is_pure()) {
            next = ir.next_op(op);
        }
        let slot = |op: OpId| Transfer::of(ir, op).indices[0];
        !next.is_some_and(|op| self.is_copied(op) && slot(op) == slot(write))
    }

    /// Makes all threads wait for one another, and for what they have done to shared memory.
    fn shared_barrier(&mut self, builder: &mut Builder<'_>) {
        let space = builder.keyword_attr("gpu.address_space", "workgroup");
        let spaces = builder.ir.intern(Attr::Array(vec![space]));
        role::barrier(builder, self, &[("address_spaces", spaces)]);
        let is_shared = |access: &Access| match builder.ir.ty(access.root) {
            Type::MemRef { space, .. } => space.and_then(|space| builder.ir.keyword(space)) == Some("workgroup"),
            _ => false,
        };
        let flies = |access: &Access| access.flight.is_some() || access.read_by.is_some();
        self.pending.retain(|access| flies(access) || !is_shared(access));
        self.buffers.meet(self.launch);
    }

    /// Waits where an access meets what other threads may still be doing.
    fn meet(&mut self, builder: &mut Builder<'_>, op: OpId) {
        let Some(mut access) = hazard::access(builder.ir, self.workgroup, op) else { return };
        if !self.written.contains(&access.root) {
            return;
        }
        access.flight = self.is_copied(op).then_some(-1);
        access.read_by = self.products.reads(op).then_some(0);
        if let Some(wait) = hazard::meet(builder.ir, &mut self.pending, access) {
            self.wait_for(builder, &wait);
        }
    }

    /// Waits for what an access meets, which is no longer pending.
    fn wait_for(&mut self, builder: &mut Builder<'_>, wait: &hazard::Wait) {
        assert!(wait.groups.is_none_or(|groups| groups >= 0), "a group ends where something else happens");
        if let Some(groups) = wait.groups {
            ring::wait(builder, groups);
        }
        if let Some(products) = wait.products {
            shared_product::wait(builder, self, products);
        }
        shared_product::show(builder, self);
        role::barrier(builder, self, &[]);
        self.buffers.meet(self.launch);
    }
}

/// The refusal to distribute an operation.
fn refuse(ir: &Ir, op: OpId, why: impl Into<String>) -> Diag {
    let mut diag = Diag::error(Code::CannotDistribute, ir.span(op), format!("`{}` cannot be distributed", ir.name(op)))
        .note(why)
        .help("`raddle opt --to=laid_out --remarks` shows every layout and why it was chosen");
    let vectors = ir.operands(op).iter().copied().chain(ir.results(op)).filter(|&value| ir.ty(value).is_vector());
    let layouts: Vec<&Nested> = vectors.filter_map(|value| layout_of(ir, value)).collect();
    for (i, layout) in layouts.iter().enumerate() {
        diag = diag.note(format!("vector {i} has {layout}"));
    }
    let mut func = ir.parent_op(op);
    while let Some(around) = func.filter(|&around| ir.class(around) != Class::Function) {
        func = ir.parent_op(around);
    }
    let launch = func.and_then(|func| Launch::read(ir, func).ok());
    let others = |first: &Nested| {
        layouts.iter().find(|other| other.undistributed_shape() == first.undistributed_shape() && **other != first)
    };
    if let (Some(launch), Some(other)) = (launch, layouts.first().and_then(|first| others(first)))
        && let Some(difference) = first_difference(layouts[0], other, launch)
    {
        diag = diag.note(difference);
    }
    diag
}

/// Says where two layouts of one value first give a thread different elements.
fn differ(diag: Diag, from: &Nested, to: &Nested, launch: Launch) -> Diag {
    let diag = diag.note(format!("one is {from}")).note(format!("the other is {to}"));
    match first_difference(from, to, launch) {
        Some(difference) => diag.note(difference),
        None => diag,
    }
}

/// Where two layouts first give a thread different elements.
fn first_difference(from: &Nested, to: &Nested, launch: Launch) -> Option<String> {
    if from.undistributed_shape() != to.undistributed_shape() || from.n_slots() != to.n_slots() {
        return Some("they do not give each thread the same number of elements".to_owned());
    }
    let lanes = launch.subgroup_size;
    for thread in 0..launch.threads().unwrap_or(lanes) {
        let (subgroup, lane) = (thread / lanes, thread % lanes);
        for slot in 0..from.n_slots() {
            let (a, b) = (from.coord(subgroup, lane, slot), to.coord(subgroup, lane, slot));
            if a != b {
                return Some(format!(
                    "they first differ at subgroup {subgroup}, lane {lane}, slot {slot}: element {a:?} there, {b:?} here"
                ));
            }
        }
    }
    None
}

/// The layout of an old value.
fn layout(ir: &Ir, op: OpId, value: ValueId) -> Result<Arc<Nested>, Diag> {
    let layout = shared_layout_of(ir, value).cloned();
    layout.ok_or_else(|| refuse(ir, op, "one of its vectors has no layout: run `lay-out` first"))
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
                edges::enter_uses(builder, cx, ops[next])?;
                shared_product::meet_sums(builder, cx, ops[next])?;
                if !shared_product::is_put_off(cx, ops[next]) {
                    operation(builder, cx, ops[next])?;
                }
                next += 1;
            }
            run => {
                run.iter().try_for_each(|&op| edges::enter_uses(builder, cx, op))?;
                run.iter().try_for_each(|&op| shared_product::meet_sums(builder, cx, op))?;
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
        || matches!(ir.opcode(op), Opcode::GpuThreadId | Opcode::GpuLaneId | Opcode::GpuSubgroupId)
    {
        return Err(refuse(ir, op, "it is for one thread, and the program is one of whole workgroups")
            .help("write it on vectors, and let their layouts say which thread does what"));
    }
    if ir.opcode(op) == Opcode::MemrefAlloca {
        return Err(refuse(ir, op, "each thread would get a buffer of its own, and the program means one for all")
            .help("allocate in `#gpu.address_space<workgroup>` with memref.alloc"));
    }
    if cx.copies.contains_key(&op) {
        // The write that takes it is the copy.
        return Ok(());
    }
    if let Some(&slot) = cx.slots.get(&op) {
        cx.map.set(builder.ir.result(op, 0), slot);
        return Ok(());
    }
    cx.meet(builder, op);
    if builder.ir.opcode(op) == Opcode::MemrefAlloc && ring::Ring::of(builder.ir, builder.ir.result(op, 0)).is_some() {
        ring::alloc(builder, cx, op);
        return Ok(());
    }
    let ir = &*builder.ir;
    let plain = !has_vector && ir.regions(op).is_empty() && ir.successors(op).is_empty();
    if plain && class != Class::Call {
        if ir.opcode(op) == Opcode::MemrefStore {
            // One thread stores a scalar that all of them have.
            let zero = builder.index(0);
            let condition = code::compare(builder, code::EQUAL, cx.thread, zero);
            when(builder, condition, |inner| {
                inner.copy(op, &mut cx.map);
            });
            return Ok(());
        }
        builder.copy(op, &mut cx.map);
        if class == Class::Barrier {
            hazard::barrier(&mut cx.pending);
            cx.buffers.meet(cx.launch);
        }
        return Ok(());
    }
    // A vector that nobody uses needs no rule.
    if (ir.opcode(op).info().is_pure() || class == Class::Read) && ir.results(op).all(|value| ir.is_unused(value)) {
        return Ok(());
    }
    match class {
        Class::Elementwise => elementwise(builder, cx, op),
        Class::Constant => constant::constant(builder, cx, op),
        Class::Mask => mask::mask(builder, cx, op),
        Class::Broadcast => broadcast(builder, cx, op),
        Class::Transpose => transpose(builder, cx, op),
        Class::Reshape => reshape(builder, cx, op),
        Class::Reduce => match builder.ir.opcode(op) {
            Opcode::VectorScan => scan::scan(builder, cx, op),
            Opcode::IreeVectorExtArgCompare => arg_compare::arg_compare(builder, cx, op, None),
            _ => reduce::multi_reduction(builder, cx, op),
        },
        Class::Contract if cx.products.multiplies(op) => shared_product::multiply(builder, cx, op),
        Class::Contract => contract::contract(builder, cx, op),
        Class::Read | Class::Write => access(builder, cx, op, None),
        Class::Slice => slice::slice(builder, cx, op),
        Class::Layout => match builder.ir.opcode(op) {
            Opcode::IreeVectorExtToLayout => memory::to_layout(builder, cx, op),
            _ => edges::cast(builder, cx, op),
        },
        Class::Loop => match builder.ir.opcode(op) {
            Opcode::ScfFor => flow::for_loop(builder, cx, op),
            Opcode::ScfWhile => flow::while_loop(builder, cx, op),
            _ => flow::forall(builder, cx, op),
        },
        Class::Branch if config::role::is_role(builder.ir, op) => role::role(builder, cx, op),
        Class::Branch => flow::branch(builder, cx, op),
        Class::Yield => {
            edges::leave(builder, cx, op);
            Ok(())
        }
        Class::Call => edges::call(builder, cx, op),
        Class::Opaque => match builder.ir.opcode(op) {
            Opcode::VectorMask => masked::mask(builder, cx, op),
            Opcode::IreeCodegenInnerTiled => inner_tiled::inner_tiled(builder, cx, op),
            Opcode::IreeLinalgExtMapStore => gather::map_store(builder, cx, op),
            Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch | Opcode::ScfCondition => flow::leave(builder, cx, op),
            _ => Err(no_rule(builder.ir, op)),
        },
        Class::Structured
        | Class::Empty
        | Class::Alloc
        | Class::View
        | Class::Barrier
        | Class::Index
        | Class::Id
        | Class::Shuffle
        | Class::Matrix
        | Class::Module
        | Class::Function => Err(no_rule(builder.ir, op)),
    }
}

fn no_rule(ir: &Ir, op: OpId) -> Diag {
    refuse(ir, op, "there is no rule that gives each thread its part of it")
}

fn elementwise(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let types = flow::part_types(builder, op, &old)?;
    let copy = builder.copy(op, &mut cx.map);
    builder.ir.remove_attr(copy, "layouts");
    for (new, ty) in builder.ir.results(copy).zip(types) {
        builder.ir.set_type(new, ty);
    }
    // Numbers stand on the right where the order does not matter; for floats it does where both are not numbers.
    if let [lhs, rhs] = *builder.ir.operands(copy)
        && let (Some(number), None) = (number::of(builder.ir, lhs), number::of(builder.ir, rhs))
    {
        let opcode = builder.ir.opcode(copy);
        let is_number = matches!(number, number::Number::Float(number) if !number.is_nan());
        let float = matches!(opcode, Opcode::ArithAddf | Opcode::ArithMulf) && is_number;
        if float || opcode.info().is_commutative() {
            builder.ir.set_operands(copy, &[rhs, lhs]);
        }
    }
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
        Opcode::VectorMaskedload | Opcode::VectorMaskedstore => {
            let [base, indices @ .., mask, value] = ir.operands(op) else { return None };
            let rank = ir.shape_of(*mask).len();
            Some(Transfer {
                base: *base,
                map: minor_identity(indices.len(), rank),
                indices: indices.to_vec(),
                vector: writes.then_some(*value),
                padding: None,
                mask: Some(*mask),
                in_bounds: vec![true; rank],
            })
        }
        Opcode::VectorTransferRead | Opcode::VectorTransferWrite => Some(Transfer::of(ir, op)),
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

/// A tile of a ring: a copy, or a read or write of registers.
fn ring_access(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if cx.products.reads(op) {
        // The product reads it.
        return Ok(());
    }
    if builder.ir.opcode(op) == Opcode::VectorTransferRead {
        let order = crate::lay_out::instruction::register_order(builder.ir, builder.ir.result(op, 0), cx.facts.chip);
        return ring::read(builder, cx, op, order.as_deref());
    }
    if builder.ir.opcode(op) != Opcode::VectorTransferWrite {
        return Err(refuse(builder.ir, op, "a swizzled buffer is read and written tile by tile"));
    }
    let found = cx.copies.iter().find(|(_, write)| **write == op).map(|(&read, _)| read);
    let Some(read) = found else { return ring::write(builder, cx, op) };
    ring::copy(builder, cx, read, op)?;
    if cx.ends_group(builder.ir, op) {
        ring::commit(builder, cx);
    }
    Ok(())
}

/// Reads and writes of whole-workgroup vectors; `mask` is one thread's part of what a region around them asks for.
fn access(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    let Some(mut view) = as_transfer(builder.ir, op) else { return gather::gather(builder, cx, op, mask) };
    let vector = view.vector.unwrap_or_else(|| builder.ir.result(op, 0));
    let layout = layout(builder.ir, op, vector)?;
    if !matches!(builder.ir.ty(view.base), Type::MemRef { .. }) {
        return Err(refuse(builder.ir, op, "it touches a tensor: run `vectorize` first"));
    }
    if ring::Ring::of(builder.ir, view.base).is_some() {
        return ring_access(builder, cx, op);
    }
    view.base = cx.part(view.base);
    for index in &mut view.indices {
        *index = cx.part(*index);
    }
    view.padding = view.padding.map(|padding| cx.part(padding));
    let own = view.mask.map(|mask| cx.part(mask));
    let masked = mask.is_some();
    let mask = gather::masked(builder, mask, own).map(|part| Mask { part, dims: mask_dims(&view) });
    match view.vector {
        None => {
            if view.padding.is_none() {
                let elem = builder.ir.elem_of(vector);
                view.padding = Some(builder.splat(0.0, elem));
            }
            let order =
                crate::lay_out::instruction::register_order(builder.ir, builder.ir.result(op, 0), cx.facts.chip);
            let windows = if masked { None } else { windows::read(builder, cx, op, &view, &layout) };
            let mut part = match windows.or_else(|| rows::read(builder, cx, &view, &layout, order.as_deref())) {
                Some(part) => part,
                None => memory::read(builder, cx, &view, mask.as_ref(), &layout),
            };
            if let (Opcode::VectorMaskedload, Some(mask)) = (builder.ir.opcode(op), &mask) {
                let other =
                    builder.ir.operands(op).last().map(|&other| cx.part(other)).expect("it has what else to take");
                let ty = builder.ir.type_of(part);
                part = builder.value(Opcode::ArithSelect, &[mask.part, part, other], ty, &[]);
            }
            cx.map.set(vector, part);
        }
        Some(value) => {
            if cx.staged.contains_key(&op) {
                return staged::write(builder, cx, op, &view);
            }
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
