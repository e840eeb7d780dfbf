//! Hazards: what one thread writes and another one reads, or writes, needs a barrier in between.
//!
//! A whole-workgroup program does one thing after the other. Its threads do not wait for one another, so every access
//! is kept in mind until the next barrier, and an access to the same buffer by other threads is preceded by one. Accesses
//! in which each element belongs to one and the same thread need none. Different arguments are different buffers.

use std::sync::Arc;

use raddle_ir::views::Transfer;
use raddle_ir::{Class, Def, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashSet;

use super::ring;
use crate::code;
use crate::config::{Launch, role};
use crate::lay_out::shared_layout_of;
use crate::overlap::Slot;

/// One access, in terms of the whole-workgroup program.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The argument or allocation.
    pub root: ValueId,
    writes: bool,
    base: ValueId,
    indices: Vec<ValueId>,
    map: Map,
    /// Of the vector that is moved; `None` for a scalar.
    layout: Option<Arc<Nested>>,
    /// The subgroups that do it.
    pub by: Launch,
    /// The loop in an earlier round of which the access happened.
    earlier: Option<OpId>,
    /// The slot of a ring.
    slot: Option<Slot>,
    /// For what an asynchronous copy writes: how many groups of copies the thread has made behind its own; -1 as long as
    /// its own is open.
    pub flight: Option<i64>,
    /// For what a product in shared memory reads: how many products have begun, its own one among them, since.
    pub read_by: Option<i64>,
}

/// The argument or allocation that a memref is a view of.
fn root(ir: &Ir, base: ValueId) -> ValueId {
    let mut base = base;
    while let Some(op) = ir.def_op(base)
        && ir.class(op) == Class::View
    {
        base = ir.operand(op, 0);
    }
    base
}

/// The access that an operation is, if it is one.
pub fn access(ir: &Ir, launch: Launch, op: OpId) -> Option<Access> {
    let by = launch.at(ir, op);
    if ir.opcode(op) == Opcode::IreeLinalgExtMapStore {
        return Some(anywhere(ir, by, ir.operand(op, 1), true));
    }
    let class = ir.class(op);
    let writes = match class {
        Class::Read => false,
        Class::Write => true,
        _ => return None,
    };
    let vector = if writes { ir.operands(op).first().copied()? } else { ir.results(op).next()? };
    let layout = shared_layout_of(ir, vector).cloned();
    let (base, indices, map) = match ir.opcode(op) {
        Opcode::VectorTransferRead | Opcode::VectorTransferWrite => {
            let view = Transfer::of(ir, op);
            (view.base, view.indices, view.map)
        }
        // Vectors say where: it may be anywhere.
        Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => {
            return Some(anywhere(ir, by, ir.operand(op, 0), writes));
        }
        Opcode::VectorGather | Opcode::VectorScatter => return Some(anywhere(ir, by, ir.operand(op, 0), writes)),
        Opcode::VectorMaskedload | Opcode::VectorMaskedstore => {
            return Some(anywhere(ir, by, ir.operand(op, 0), writes));
        }
        _ => {
            let operands = &ir.operands(op)[usize::from(writes)..];
            let (rank, inner) = (operands.len() - 1, ir.shape_of(vector).len());
            (operands[0], operands[1..].to_vec(), raddle_ir::views::minor_identity(rank, inner))
        }
    };
    let slot = ring::Ring::of(ir, base).and_then(|_| Slot::of(ir, *indices.first()?, ir.shape_of(base)[0]));
    Some(Access {
        root: root(ir, base),
        writes,
        base,
        indices,
        map,
        layout,
        by,
        earlier: None,
        slot,
        flight: None,
        read_by: None,
    })
}

/// An access to some place of a buffer.
pub fn anywhere(ir: &Ir, by: Launch, base: ValueId, writes: bool) -> Access {
    let map = Map { dims: 0, syms: 0, results: Vec::new() };
    let indices = Vec::new();
    let (layout, earlier, slot, flight, read_by) = (None, None, None, None, None);
    Access { root: root(ir, base), writes, base, indices, map, layout, by, earlier, slot, flight, read_by }
}

/// The arguments and allocations that a function writes.
pub fn written(ir: &Ir, launch: Launch, func: OpId) -> FxHashSet<ValueId> {
    let accesses = ir.walk(func).into_iter().filter_map(|op| access(ir, launch, op));
    accesses.filter(|access| access.writes).map(|access| access.root).collect()
}

/// The accesses of everything in a loop, as those of an earlier round.
pub fn earlier_rounds(ir: &Ir, launch: Launch, op: OpId) -> Vec<Access> {
    let accesses = ir.walk(op).into_iter().filter_map(|inner| access(ir, launch, inner));
    // Whatever an earlier round has copied may still be on its way.
    let flight = |access: &Access| access.writes && ring::Ring::of(ir, access.base).is_some();
    accesses
        .map(|access| {
            let (flight, read_by) = (flight(&access).then_some(0), reads_cut_ring(ir, &access).then_some(1));
            Access { earlier: Some(op), slot: None, flight, read_by, ..access }
        })
        .collect()
}

/// Whether an access may be that of a product in shared memory.
fn reads_cut_ring(ir: &Ir, access: &Access) -> bool {
    !access.writes && ring::Ring::of(ir, access.base).is_some_and(|ring| ring.cut.is_some())
}

/// What an access waits for: a barrier, and in front of it that at most so many groups of copies, and products in shared
/// memory, are on their way.
pub struct Wait {
    /// `None` where it waits for no copy.
    pub groups: Option<i64>,
    /// `None` where it waits for no product.
    pub products: Option<i64>,
}

/// Adds an access to those since the last barrier. Where it has to wait, those that the barrier ends are gone.
pub fn meet(ir: &Ir, pending: &mut Vec<Access>, access: Access) -> Option<Wait> {
    let wait = wait_for(ir, pending, std::slice::from_ref(&access));
    if !pending.contains(&access) {
        pending.push(access);
    }
    wait
}

/// What accesses wait for, if they do: those since the last barrier that it ends are gone.
pub fn wait_for(ir: &Ir, pending: &mut Vec<Access>, accesses: &[Access]) -> Option<Wait> {
    let waits = |first: &&Access| accesses.iter().any(|second| conflict(ir, first, second));
    let conflicts: Vec<&Access> = pending.iter().filter(waits).collect();
    let wait = (!conflicts.is_empty()).then(|| {
        let groups = conflicts.iter().filter_map(|other| other.flight).min();
        // All but the last product are as well waited for: they are done, or nearly.
        let old = pending.iter().any(|other| other.read_by.is_some_and(|products| products > 1));
        let products = conflicts.iter().any(|other| other.read_by.is_some()).then_some(0).or(old.then_some(1));
        Wait { groups, products }
    });
    if let Some(wait) = &wait {
        wait.end(pending);
    }
    wait
}

impl Wait {
    /// What is no longer pending behind it.
    fn end(&self, pending: &mut Vec<Access>) {
        if let Some(groups) = self.groups {
            land(pending, groups);
        }
        if let Some(products) = self.products {
            multiplied(pending, products);
        }
        barrier(pending);
    }
}

/// After a wait: copies with so many groups behind their own are done.
pub fn land(pending: &mut [Access], groups: i64) {
    for access in pending {
        access.flight = access.flight.filter(|&flight| flight < groups);
    }
}

/// After a wait: but for so many products in shared memory, all are done.
pub fn multiplied(pending: &mut [Access], products: i64) {
    for access in pending {
        access.read_by = access.read_by.filter(|&since| since <= products);
    }
}

/// After a product in shared memory has begun.
pub fn multiply(pending: &mut [Access]) {
    for since in pending.iter_mut().filter_map(|access| access.read_by.as_mut()) {
        *since = (*since + 1).min(GROUPS_MAX);
    }
}

/// After a barrier: only copies and products on their way are left.
pub fn barrier(pending: &mut Vec<Access>) {
    pending.retain(|access| access.flight.is_some() || access.read_by.is_some());
}

/// After some subgroups have made a group of their copies. Threads count their own groups alone.
pub fn commit(pending: &mut [Access], by: Launch) {
    for access in pending.iter_mut().filter(|access| by.covers(access.by)) {
        access.flight = access.flight.map(|flight| (flight + 1).min(GROUPS_MAX));
    }
}

/// More groups than anyone counts.
const GROUPS_MAX: i64 = 64;

/// The accesses that are pending when a round of a loop begins, first what was before the loop, then what earlier rounds
/// leave behind; `None` where that takes more than a walk through the loop's block, or no ring is in it.
pub fn rounds(ir: &Ir, cx: &super::Cx<'_>, op: OpId, before: &[Access]) -> Option<[Vec<Access>; 2]> {
    let block = ir.body(op, 0).filter(|_| ir.opcode(op) == Opcode::ScfFor)?;
    let ops = ir.ops_of(block);
    let accesses: Vec<Access> = ir.walk(op).into_iter().filter_map(|op| access(ir, cx.workgroup, op)).collect();
    let rings = accesses.iter().any(|access| access.slot.is_some());
    if !rings || ops.iter().any(|&op| !is_straight(ir, op)) {
        return None;
    }
    // Rounds are counted from 0: a slot that was a number is that number of the first round. A loop of several rounds at
    // a time has numbers only.
    let counts = accesses.iter().filter_map(|access| access.slot).any(|slot| slot.of == Some(op));
    let enter = |access: &Access| {
        let slot = access.slot.map(|slot| Slot { of: slot.of.or(counts.then_some(op)), ..slot });
        Access { slot, ..access.clone() }
    };
    let before: Vec<Access> = before.iter().map(enter).collect();
    // From nothing on: each walk begins with what the last one left behind, until one leaves no more than it began with.
    let mut earlier: Vec<Access> = Vec::new();
    for _ in 0..WALKS_MAX {
        let mut pending = before.clone();
        pending.extend(earlier.iter().cloned());
        let mut sums = cx.sums.clone();
        sums.enter(ir, &cx.products, op);
        for &op in &ops {
            pass(ir, cx, &mut pending, &mut sums, op);
        }
        let mut left = Vec::new();
        for access in age(&pending, op) {
            if !left.contains(&access) {
                left.push(access);
            }
        }
        if left.iter().all(|access| earlier.contains(access)) {
            return Some([before, earlier]);
        }
        earlier = left;
    }
    None
}

/// Whether what an operation does is told by one walk: it has no regions, or is a role of such operations.
fn is_straight(ir: &Ir, op: OpId) -> bool {
    let plain = |op: &OpId| ir.regions(*op).is_empty();
    plain(&op) || role::is_role(ir, op) && ir.walk(op).iter().filter(|&&inner| inner != op).all(plain)
}

/// What is pending behind an operation of a loop's block, when its round is told in advance.
fn pass(ir: &Ir, cx: &super::Cx<'_>, pending: &mut Vec<Access>, sums: &mut super::shared_product::Sums, op: OpId) {
    if let Some(n) = sums.meet(ir, &cx.products, op) {
        multiplied(pending, n);
    }
    if role::is_role(ir, op) {
        let role = Role::of(ir, cx, op);
        wait_for_others(ir, pending, &role);
        let mut own = role.enter(pending);
        for inner in ir.ops_of(ir.entry(op)) {
            pass(ir, cx, &mut own, sums, inner);
        }
        role.leave(pending, own);
        return;
    }
    if let Some(access) = access(ir, cx.workgroup, op).filter(|access| cx.written.contains(&access.root)) {
        let flight = cx.is_copied(op).then_some(-1);
        let read_by = cx.products.reads(op).then_some(0);
        let wait = meet(ir, pending, Access { flight, read_by, ..access });
        if let Some(products) = wait.and_then(|wait| wait.products) {
            sums.land(products);
        }
    }
    if cx.products.multiplies(op) {
        multiply(pending);
        sums.begin(ir.result(op, 0));
    }
    if ir.class(op) == Class::Barrier {
        barrier(pending);
    }
    if cx.ends_group(ir, op) {
        commit(pending, cx.workgroup.at(ir, op));
    }
}

/// What a role does to memory, as those see it who do not run it.
pub struct Role {
    by: Launch,
    accesses: Vec<Access>,
}

impl Role {
    /// The accesses of a role.
    pub fn of(ir: &Ir, cx: &super::Cx<'_>, op: OpId) -> Role {
        let by = cx.workgroup.at(ir, op);
        let accesses = ir.walk(op).into_iter().filter_map(|inner| {
            let access = access(ir, cx.workgroup, inner).filter(|access| cx.written.contains(&access.root))?;
            // Slots that its own loops count are told by nobody else.
            let slot = access.slot.filter(|slot| slot.of.is_none_or(|around| !has_ancestor(ir, around, op)));
            Some(Access { slot, ..access })
        });
        Role { by, accesses: accesses.collect() }
    }

    /// What is pending for those who run it, when they begin: what they did themselves.
    pub fn enter(&self, pending: &[Access]) -> Vec<Access> {
        pending.iter().filter(|access| access.by == self.by).cloned().collect()
    }

    /// Behind it: what its threads know of their copies, all know; their barriers were not for the others, for whom all
    /// that they did is still to be met.
    pub fn leave(&self, pending: &mut Vec<Access>, own: Vec<Access>) {
        let met = pending.extract_if(.., |access| access.by == self.by).collect::<Vec<Access>>();
        let met = met.into_iter().map(|access| Access { flight: None, ..access });
        for access in own.into_iter().chain(met).chain(self.accesses.iter().cloned()) {
            if !pending.contains(&access) {
                pending.push(access);
            }
        }
    }
}

/// What a role waits for, in front of it: what other subgroups did.
pub fn wait_for_others(ir: &Ir, pending: &mut Vec<Access>, role: &Role) -> Option<Wait> {
    let mut others: Vec<Access> = pending.iter().filter(|access| access.by != role.by).cloned().collect();
    let wait = wait_for(ir, &mut others, &role.accesses);
    if let Some(wait) = &wait {
        wait.end(pending);
    }
    wait
}

/// Walks through a loop's block until its rounds are given up as too hard to tell.
const WALKS_MAX: usize = 8;

/// What a round of a loop leaves behind, as the next one sees it.
pub fn age(pending: &[Access], op: OpId) -> Vec<Access> {
    let age = |access: &Access| {
        let slot = access.slot.map(|slot| match slot.of == Some(op) {
            true => Slot { at: (slot.at - 1).rem_euclid(slot.n), ..slot },
            false => slot,
        });
        Access { slot, earlier: Some(op), ..access.clone() }
    };
    pending.iter().map(age).collect()
}

/// What is pending behind a loop, whose last slot is known if the number of rounds is, or that the slots came round.
pub fn leave(ir: &Ir, pending: &mut [Access], op: OpId, rounds: Option<i64>) {
    let turns = |n: i64| {
        let step = ir.const_int(ir.operand(op, 2)).filter(|_| ir.opcode(op) == Opcode::ScfFor)?;
        let begins = ir.const_int(ir.operand(op, 0)) == Some(0);
        (begins && code::is_multiple(ir, ir.operand(op, 1), step.checked_mul(n)?)).then_some(0)
    };
    for access in pending {
        access.slot = access.slot.and_then(|slot| match slot.of == Some(op) {
            true => {
                let rounds = rounds.or_else(|| turns(slot.n))?;
                Some(Slot { of: None, at: (slot.at + rounds - 1).rem_euclid(slot.n), ..slot })
            }
            false => Some(slot),
        });
    }
}

/// Whether a barrier must stand between `first` and `second`.
fn conflict(ir: &Ir, first: &Access, second: &Access) -> bool {
    if first.root != second.root || !(first.writes || second.writes) {
        return false;
    }
    if let (Some(a), Some(b)) = (first.slot, second.slot)
        && (a.of, a.n) == (b.of, b.n)
        && a.at != b.at
    {
        return false;
    }
    // Even the thread that copies must wait for its copy.
    let private = first.flight.is_none() && is_private(ir, first, second);
    !is_apart(ir, first, second) && !private
}

/// Whether each element is touched by one thread alone in both accesses.
fn is_private(ir: &Ir, first: &Access, second: &Access) -> bool {
    let (Some(layout), Some(other)) = (&first.layout, &second.layout) else { return false };
    let threads: i64 = layout.thread_tile.iter().chain(&layout.subgroup_tile).product();
    // Of several holders only one writes, but all of them read.
    let alone = threads == first.by.workgroup_size || first.writes && second.writes;
    let repeats = |access: &Access| access.map.results.iter().any(|expr| !matches!(expr, Expr::Dim(_)));
    let same_place = first.base == second.base
        && first.map == second.map
        && first.indices.iter().zip(&second.indices).all(|(&a, &b)| {
            let fixed = ir.const_int(a).is_some() && ir.const_int(a) == ir.const_int(b);
            fixed || a == b && first.earlier.is_none_or(|around| !is_inside(ir, a, around))
        });
    first.by == second.by && layout == other && alone && same_place && !repeats(first)
}

/// Whether an access and the one of an earlier round touch different elements, since the loop steps over them.
fn is_apart(ir: &Ir, first: &Access, second: &Access) -> bool {
    let Some(around) = first.earlier.filter(|&around| ir.opcode(around) == Opcode::ScfFor) else { return false };
    let iv = ir.args(ir.entry(around))[0];
    let Some(step) = ir.const_int(ir.operand(around, 2)) else { return false };
    let reach = |access: &Access, d: usize| match (&access.layout, access.indices.get(d)) {
        (Some(layout), Some(&index)) if index == iv => {
            let along = access.map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
            Some(along.map_or(1, |v| layout.undistributed_shape()[v]))
        }
        (None, Some(&index)) if index == iv => Some(1),
        _ => None,
    };
    first.base == second.base
        && (0..first.indices.len()).any(|d| match (reach(first, d), reach(second, d)) {
            (Some(a), Some(b)) => a <= step && b <= step,
            _ => false,
        })
}

/// Whether a value is computed inside an operation's regions.
pub fn is_inside(ir: &Ir, value: ValueId, around: OpId) -> bool {
    let block = match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    };
    let parent = block.map(|block| ir.region_parent(ir.block_region(block)));
    parent.is_some_and(|op| op == around || has_ancestor(ir, op, around))
}

/// Whether an operation stands in another one's regions.
fn has_ancestor(ir: &Ir, op: OpId, around: OpId) -> bool {
    let mut parent = ir.parent_op(op);
    while let Some(op) = parent.filter(|&op| op != around) {
        parent = ir.parent_op(op);
    }
    parent.is_some()
}
