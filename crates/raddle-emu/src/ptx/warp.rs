//! A warp: its registers, the paths that its lanes are on, and where paths meet.
//!
//! Lanes that part at a branch become two paths, which run one after the other and are joined at the immediate
//! postdominator of the branch. Paths also wait for one another at instructions that name the lanes that take part.

use super::bulk::Transfer;
use super::calls::Kept;
use super::clock::Clock;
use super::inst::{END, Program};
use super::lane::{LANES, Row};
use super::turns::SPINS_TURN;
use super::unknown::Unknown;

/// Every lane.
pub(super) const FULL: u32 = u32::MAX;
/// No group of paths.
const NONE: u32 = u32::MAX;

/// Lanes that run together.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub pc: u32,
    pub mask: u32,
    /// Which paths it will meet, if any.
    group: u32,
    pub state: State,
    /// Whether it has waited for a phase long enough, and is told that it still runs.
    pub told: bool,
    /// The wait for a phase that it was refused last, which it may not be twice.
    pub refused: u32,
}

/// What a path is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Ready,
    /// Other lanes must come to the same instruction.
    Gather,
    /// A barrier of the workgroup.
    Barrier(u32),
    /// A phase of a barrier in shared memory: rank, offset, the phase that is running.
    Phase(usize, u64, u64),
    /// The other warps of its group, which have made a product together.
    Products,
    /// All threads of the cluster, for that time.
    Cluster(u64),
}

/// Paths that parted at one branch.
#[derive(Clone, Debug)]
struct Group {
    join: u32,
    /// Lanes that will come.
    expected: u32,
    /// Lanes that have come.
    arrived: u32,
    parent: u32,
    /// Lanes that a function was called with, which meet where it ends.
    call: Option<Box<Kept>>,
}

/// An asynchronous copy that was issued, for each lane.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    pub pc: u32,
    pub mask: u32,
    pub bytes: usize,
    /// Offsets in shared memory.
    pub to: [u64; LANES],
    pub from: [u64; LANES],
    /// Bytes that are read; the rest are zeros.
    pub size: [u8; LANES],
    /// The group that each lane's copy was committed to.
    pub group: [u32; LANES],
    /// How many the warp had issued before.
    pub number: u64,
}

/// A product of a warp group that was issued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub pc: u32,
    /// The descriptors of the factors.
    pub factors: [u64; 2],
    pub keeps: bool,
    /// Whether it was made where it was issued, and is only waited for.
    pub is_made: bool,
    /// The group that it was committed to.
    pub group: u32,
}

/// Copies that are in no group yet.
pub(super) const UNCOMMITTED: u32 = u32::MAX;

/// A warp of a workgroup.
#[derive(Clone, Debug)]
pub(super) struct Warp {
    /// In its cluster.
    pub index: usize,
    /// Of its workgroup in the cluster.
    pub rank: usize,
    /// In its workgroup.
    pub id: u32,
    pub regs: Vec<Row>,
    pub paths: Vec<Path>,
    groups: Vec<Group>,
    /// No group in front of this one is free.
    first_free: usize,
    /// Lanes that have not ended.
    pub live: u32,
    /// The stamp of its accesses.
    pub now: u32,
    /// What it knows of the warps of the cluster.
    pub known: Clock,
    pub copies: Vec<Copy>,
    pub committed: [u32; LANES],
    /// Copies so far.
    pub n_copies: u64,
    /// Bulk copies to global memory that are not over.
    pub stores: Vec<Transfer>,
    /// Groups of them so far.
    pub stored: [u32; LANES],
    /// Lanes that have come to the barrier of the cluster, and for which time.
    pub gathered: (u32, u64),
    /// Registers that hold no value in some lanes.
    pub unknown: Vec<Unknown>,
    /// Products of warp groups that are still to be made.
    pub products: Vec<Product>,
    /// Groups of products so far.
    pub product_groups: u32,
    /// Local memory, lane by lane.
    pub local: Vec<u8>,
    /// The stack of each lane, behind it.
    pub stack: [Vec<u8>; LANES],
    /// Bytes that calls and stacks hold.
    pub held: usize,
    /// Its last read that others may answer to: the instruction, the address of its first lane, and what was there.
    pub polled: (u32, u64, u64),
    /// How often it has found the same there, while lanes of its own waited for it.
    pub spins: u32,
}

impl Warp {
    pub(super) fn new(program: &Program, index: usize, rank: usize, id: u32, n_warps: usize) -> Warp {
        Warp {
            index,
            rank,
            id,
            regs: vec![[0; LANES]; program.rows],
            paths: Vec::new(),
            groups: Vec::new(),
            first_free: 0,
            live: 0,
            now: 0,
            known: Clock::new(n_warps, 0),
            copies: Vec::new(),
            committed: [0; LANES],
            n_copies: 0,
            stores: Vec::new(),
            stored: [0; LANES],
            gathered: (0, 0),
            unknown: Vec::new(),
            products: Vec::new(),
            product_groups: 0,
            local: vec![0; program.local_bytes * LANES],
            stack: Default::default(),
            held: 0,
            polled: (END, 0, 0),
            spins: 0,
        }
    }

    /// Begins at the first instruction with these lanes.
    pub(super) fn start(&mut self, lanes: u32) {
        for row in &mut self.regs {
            row.fill(0);
        }
        self.paths.clear();
        self.groups.clear();
        self.first_free = 0;
        self.live = lanes;
        if lanes != 0 {
            self.paths.push(Path { pc: 0, mask: lanes, group: NONE, state: State::Ready, told: false, refused: END });
        }
        self.copies.clear();
        self.committed = [0; LANES];
        self.n_copies = 0;
        self.stores.clear();
        self.stored = [0; LANES];
        self.gathered = (0, 0);
        self.unknown.clear();
        self.products.clear();
        self.product_groups = 0;
        self.local.fill(0);
        self.stack.iter_mut().for_each(Vec::clear);
        self.held = 0;
        self.polled = (END, 0, 0);
        self.spins = 0;
    }

    pub(super) fn is_done(&self) -> bool {
        self.live == 0
    }

    /// The lanes in which a row of predicates holds.
    #[inline(always)]
    pub(super) fn holds(&self, row: u32) -> u32 {
        let row = &self.regs[row as usize];
        let mut bits = 0;
        for lane in 0..LANES {
            bits |= ((row[lane] & 1) as u32) << lane;
        }
        bits
    }

    /// Gives some lanes of a register new contents.
    #[inline(always)]
    pub(super) fn put(&mut self, row: u32, mask: u32, new: &Row) {
        let row = &mut self.regs[row as usize];
        if mask == FULL {
            *row = *new;
            return;
        }
        for lane in 0..LANES {
            if mask >> lane & 1 == 1 {
                row[lane] = new[lane];
            }
        }
    }

    /// The place where a path waits for others, or nowhere.
    pub(super) fn join_of(&self, path: usize) -> u32 {
        self.groups.get(self.paths[path].group as usize).map_or(END, |group| group.join)
    }

    /// Lanes of a path go to different places, each list of lanes to its own; all of them meet at `join`.
    pub(super) fn part(&mut self, path: usize, ways: &[(u32, u32)], join: u32) {
        let Path { mask, group, .. } = self.paths[path];
        let group = if join == END || self.join_of(path) == join {
            group
        } else {
            self.new_group(Group { join, expected: mask, arrived: 0, parent: group, call: None })
        };
        self.paths.swap_remove(path);
        for &(pc, mask) in ways {
            self.paths.push(Path { pc, mask, group, state: State::Ready, told: false, refused: END });
        }
        // From the last one on, so that a path that leaves the list moves none that is still to be looked at.
        for path in (0..self.paths.len()).rev() {
            self.resolve(path);
        }
    }

    /// The lanes of a path go into a function, and wait at its end for one another.
    pub(super) fn enter(&mut self, path: usize, entry: u32, kept: Kept) {
        let Path { mask, group: parent, .. } = self.paths[path];
        let call = Some(Box::new(kept));
        let group = self.new_group(Group { join: END, expected: mask, arrived: 0, parent, call });
        let path = &mut self.paths[path];
        (path.pc, path.group) = (entry, group);
    }

    /// The lanes of a path are at the end of a function.
    pub(super) fn leave(&mut self, path: usize) {
        let Path { mask, group, .. } = self.paths[path];
        self.groups[group as usize].arrived |= mask;
        self.paths.swap_remove(path);
        self.release(group);
    }

    /// How many calls a path is inside of.
    pub(super) fn depth(&self, path: usize) -> u32 {
        let mut at = self.paths[path].group;
        while at != NONE {
            let group = &self.groups[at as usize];
            if let Some(call) = &group.call {
                return call.depth;
            }
            at = group.parent;
        }
        0
    }

    fn new_group(&mut self, group: Group) -> u32 {
        // Calls nest deep: those in front are not looked at each time.
        while self.groups.get(self.first_free).is_some_and(|group| group.expected != 0) {
            self.first_free += 1;
        }
        let at = self.first_free;
        if at == self.groups.len() {
            self.groups.push(group);
        } else {
            self.groups[at] = group;
        }
        at as u32
    }

    /// A group is not needed any more.
    fn free(&mut self, at: u32) {
        let group = &mut self.groups[at as usize];
        (group.expected, group.arrived) = (0, 0);
        self.first_free = self.first_free.min(at as usize);
    }

    /// A path that is where it meets others waits there; the last one to come goes on with all lanes.
    pub(super) fn resolve(&mut self, path: usize) {
        let Path { pc, mask, group, state, .. } = self.paths[path];
        if group == NONE || self.groups[group as usize].join != pc || state != State::Ready {
            return;
        }
        self.groups[group as usize].arrived |= mask;
        self.paths.swap_remove(path);
        self.release(group);
    }

    /// The same for each path.
    pub(super) fn resolve_all(&mut self) {
        for path in (0..self.paths.len()).rev() {
            self.resolve(path);
        }
    }

    /// Paths of one group that are in one place go on as one.
    pub(super) fn merge(&mut self) {
        for at in (1..self.paths.len()).rev() {
            let Path { pc, mask, group, state, .. } = self.paths[at];
            let is_like = |path: &&mut Path| (path.pc, path.group, path.state) == (pc, group, state);
            if let Some(other) = self.paths[..at].iter_mut().find(is_like) {
                other.mask |= mask;
                self.paths.swap_remove(at);
            }
        }
    }

    /// Whether a path has read in vain for its turn.
    #[inline(always)]
    pub(super) fn has_spun(&self) -> bool {
        self.spins % SPINS_TURN == SPINS_TURN - 1
    }

    /// Whether it has lanes that could run while a path does.
    pub(super) fn is_parted(&self) -> bool {
        self.paths.iter().filter(|path| path.state == State::Ready).count() > 1
            || self.groups.iter().any(|group| group.arrived != 0 && group.call.is_none())
    }

    /// Lets lanes go on without the others that they would meet, in groups that have one of these lanes: each thread makes
    /// progress of its own, as on sm_70 and newer. Whether there were any.
    pub(super) fn part_joined(&mut self, lanes: u32) -> bool {
        let waits = |group: &Group| group.arrived & lanes != 0 && group.call.is_none();
        let Some(at) = self.groups.iter().position(waits) else { return false };
        let Group { join, arrived, .. } = self.groups[at];
        let mut at = at as u32;
        while at != NONE && self.groups[at as usize].join == join {
            let group = &mut self.groups[at as usize];
            group.expected &= !arrived;
            group.arrived &= !arrived;
            at = group.parent;
        }
        self.paths.push(Path { pc: join, mask: arrived, group: at, state: State::Ready, told: false, refused: END });
        true
    }

    /// Lets the lanes of a group go on if all of them have come.
    fn release(&mut self, mut at: u32) {
        while at != NONE {
            let Group { join, expected, arrived, parent, .. } = self.groups[at as usize];
            if arrived != expected {
                return;
            }
            if let Some(kept) = self.groups[at as usize].call.take() {
                self.free(at);
                self.come_back(&kept, expected);
                let (pc, mask) = (kept.back, expected);
                self.paths.push(Path { pc, mask, group: parent, state: State::Ready, told: false, refused: END });
                return;
            }
            self.free(at);
            if expected != 0 {
                let waits = parent != NONE && self.groups[parent as usize].join == join;
                if !waits {
                    self.paths.push(Path {
                        pc: join,
                        mask: expected,
                        group: parent,
                        state: State::Ready,
                        told: false,
                        refused: END,
                    });
                    return;
                }
                self.groups[parent as usize].arrived |= expected;
            }
            at = parent;
        }
    }

    /// Lanes of a path end. Whether the path is gone.
    pub(super) fn end(&mut self, path: usize, lanes: u32) -> bool {
        self.live &= !lanes;
        self.paths[path].mask &= !lanes;
        let first = self.paths[path].group;
        let gone = self.paths[path].mask == 0;
        if gone {
            self.paths.swap_remove(path);
        }
        let mut at = first;
        while at != NONE {
            let group = &mut self.groups[at as usize];
            group.expected &= !lanes;
            let parent = group.parent;
            if group.expected == 0 {
                let call = group.call.take();
                self.free(at);
                call.iter().for_each(|kept| self.forget(kept));
            }
            at = parent;
        }
        let mut at = first;
        while at != NONE {
            let Group { expected, arrived, parent, .. } = self.groups[at as usize];
            if expected != 0 && arrived == expected {
                self.release(at);
            }
            at = parent;
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warp() -> Warp {
        let mut warp = Warp {
            index: 0,
            rank: 0,
            id: 0,
            regs: Vec::new(),
            paths: Vec::new(),
            groups: Vec::new(),
            first_free: 0,
            live: 0,
            now: 0,
            known: Clock::default(),
            copies: Vec::new(),
            committed: [0; LANES],
            n_copies: 0,
            stores: Vec::new(),
            stored: [0; LANES],
            gathered: (0, 0),
            unknown: Vec::new(),
            products: Vec::new(),
            product_groups: 0,
            local: Vec::new(),
            stack: Default::default(),
            held: 0,
            polled: (END, 0, 0),
            spins: 0,
        };
        warp.start(0b1111);
        warp
    }

    /// Paths that part twice meet twice, innermost first; lanes that end are not waited for.
    #[test]
    fn paths_meet_in_the_reverse_order() {
        let mut warp = warp();
        warp.part(0, &[(10, 0b0011), (20, 0b1100)], 30);
        assert_eq!(warp.paths.len(), 2);
        let second = warp.paths.iter().position(|path| path.mask == 0b1100).unwrap_or_default();
        warp.part(second, &[(22, 0b0100), (25, 0b1000)], 25);
        // One of the inner paths is where it waits.
        assert_eq!(warp.paths.len(), 2);
        let inner = warp.paths.iter().position(|path| path.mask == 0b0100).unwrap_or_default();
        warp.paths[inner].pc = 25;
        warp.resolve(inner);
        let inner = warp.paths.iter().position(|path| path.mask == 0b1100).unwrap_or_default();
        assert_eq!((warp.paths.len(), warp.paths[inner].pc), (2, 25));
        let outer = warp.paths.iter().position(|path| path.mask == 0b0011).unwrap_or_default();
        assert!(!warp.end(outer, 0b0001));
        warp.paths[outer].pc = 30;
        warp.resolve(outer);
        assert_eq!(warp.paths.len(), 1);
        warp.paths[0].pc = 30;
        warp.resolve(0);
        assert_eq!((warp.paths[0].mask, warp.live), (0b1110, 0b1110));
    }
}
