//! Instructions that touch memory, and instructions that the lanes of a warp do together.

use raddle_ir::{Code, Diag};

use super::access::{Issue, word};
use super::group::{CHUNK, Descriptor, Factor, GroupMma, ROWS};
use super::inst::{Address, Atomic, Clear, CopyAsync, Inst, Load, Op, Shuffle, ShuffleMode, Store, VoteKind, Window};
use super::lane::{LANES, Row};
use super::machine::{Machine, PENDING_MAX, lanes_of};
use super::matrix::{Mma, Undefined};
use super::memory::{Clash, LOCAL_WINDOW, Place, RANK_SHIFT, SHARED_WINDOW, View, place, shared_place};
use super::print;
use super::races::{Sum, are_sums, is_like, sum};
use super::sparse::Invalid;
use super::types::{mask, signed};
use super::unknown::{Unknown, Why};
use super::warp::{Copy, FULL, Product, UNCOMMITTED, Warp};
use crate::AsyncMode;

type Ran<T> = Result<T, Box<Diag>>;

/// Bytes of the widest access of a lane.
const ACCESS_MAX: usize = 32;
/// Bytes that `st.bulk` clears at a time.
const CLEARED: usize = 8;
/// Elements of it, at most.
const ELEMENTS_MAX: usize = 8;

impl Address {
    /// What a lane's address is in the generic space.
    #[inline(always)]
    pub(super) fn generic(self, base: u64) -> u64 {
        let address = base.wrapping_add(self.offset);
        match self.space {
            Window::Generic => address,
            Window::Shared => address & 0xffff_ffff,
            Window::Local => LOCAL_WINDOW + (address & 0xffff_ffff),
        }
    }

    /// Where a lane's address is, and what it is in the generic space.
    #[inline(always)]
    pub(super) fn of(self, base: u64) -> (Place, u64) {
        let address = base.wrapping_add(self.offset);
        match self.space {
            Window::Generic => (place(address), address),
            Window::Shared => {
                // A number in front of the window is a shared address itself; generic ones are accepted too.
                let inside = address & 0xffff_ffff;
                (shared_place(inside), inside)
            }
            Window::Local => {
                let offset = address & 0xffff_ffff;
                (Place::Local { offset }, LOCAL_WINDOW + offset)
            }
        }
    }
}

/// Puts what a lane has loaded into the rows of its elements.
#[inline(always)]
fn take(out: &mut [Row; ELEMENTS_MAX], lane: usize, found: &[u8], bytes: usize) {
    for (out, part) in out.iter_mut().zip(found.chunks_exact(bytes)) {
        out[lane] = word(part);
    }
}

impl Machine<'_> {
    /// What each lane does to memory, or asks the machine.
    pub(super) fn each(&mut self, warp: &mut Warp, pc: u32, inst: &Inst, on: u32) -> Ran<()> {
        match &inst.op {
            Op::Load(load) => self.load(warp, pc, load, on),
            Op::Store(store) => self.store(warp, pc, store, on),
            Op::Atomic(atomic) => self.atomic(warp, pc, atomic, on),
            Op::Pack { srcs, bits, dst } => {
                let mut out = [0; LANES];
                for (at, &src) in srcs.iter().enumerate() {
                    let row = &warp.regs[src as usize];
                    let (keep, shift) = (mask(*bits), at as u32 * bits);
                    for lane in 0..LANES {
                        out[lane] |= (row[lane] & keep) << shift;
                    }
                }
                warp.put(*dst, on, &out);
                Ok(())
            }
            Op::Unpack { src, bits, dsts } => {
                let row = warp.regs[*src as usize];
                for (at, dst) in dsts.iter().enumerate() {
                    if let Some(dst) = dst {
                        let shift = at as u32 * bits;
                        warp.put(*dst, on, &row.map(|word| word >> shift & mask(*bits)));
                    }
                }
                Ok(())
            }
            Op::Clock { dst, shift } => {
                let now = self.counters.lane_ops >> shift;
                warp.put(*dst, on, &[now; LANES]);
                Ok(())
            }
            Op::ActiveMask { dst } => {
                warp.put(*dst, on, &[u64::from(on); LANES]);
                Ok(())
            }
            Op::CopyAsync(copy) => self.copy_async(warp, pc, copy, on),
            Op::CommitGroup => {
                for lane in lanes_of(on) {
                    warp.committed[lane] += 1;
                }
                for copy in &mut warp.copies {
                    for lane in lanes_of(copy.mask & on) {
                        if copy.group[lane] == UNCOMMITTED {
                            copy.group[lane] = warp.committed[lane];
                        }
                    }
                }
                Ok(())
            }
            Op::WaitGroup { n } => self.wait_copies(warp, pc, on, *n),
            Op::CopyArrive { address, adds } => self.arrive_with_copies(warp, pc, *address, *adds, on),
            Op::ProxyFence => {
                warp.known.fence(warp.index, warp.now);
                warp.now = self.tick()?;
                Ok(())
            }
            Op::ShowPhases => {
                warp.known.show(warp.index, warp.now);
                warp.now = self.tick()?;
                Ok(())
            }
            Op::Phase(op) => self.phase_op(warp, pc, op, on),
            Op::ClusterArrive { releases } => self.cluster_arrive(warp, pc, on, *releases),
            Op::Bulk(bulk) => self.bulk(warp, pc, bulk, on),
            Op::StoreAsync(store) => self.store_async(warp, pc, store, on),
            Op::TryCancel(cancel) => self.try_cancel(warp, pc, cancel, on),
            Op::Clear(clear) => self.clear(warp, pc, clear, on),
            Op::CommitStores => {
                Self::commit_stores(warp, on);
                Ok(())
            }
            Op::WaitStores { n, reads } => self.wait_stores(warp, pc, on, *n, *reads),
            Op::Print { format, args } => {
                for lane in lanes_of(on) {
                    let [format, args] = [*format, *args].map(|row| warp.regs[row as usize][lane]);
                    let text = print::formatted(&self.memory, warp, lane, format, args);
                    self.burn(text.len() as u64 + 64);
                    if let Some(print) = &self.options.print {
                        (print.0)(&text);
                    }
                }
                Ok(())
            }
            Op::Allocate { dst, size } => {
                self.allocate(warp, *dst, *size, on);
                Ok(())
            }
            Op::Free { src } => self.free(warp, pc, *src, on),
            Op::Take { dst, size, align } => self.take_memory(warp, pc, *dst, *size, *align, on),
            Op::GiveBack { src } => self.give_back(warp, pc, *src, on),
            Op::Fence | Op::Nothing => Ok(()),
            Op::Lanes { .. }
            | Op::Branch { .. }
            | Op::BranchTable { .. }
            | Op::Call(_)
            | Op::Return
            | Op::Exit
            | Op::Trap(..)
            | Op::Barrier(_)
            | Op::PhaseWait(_)
            | Op::ClusterWait
            | Op::Shuffle(_)
            | Op::Vote { .. }
            | Op::Match { .. }
            | Op::Reduce { .. }
            | Op::Elect { .. }
            | Op::WarpSync { .. }
            | Op::LoadMatrix(_)
            | Op::StoreMatrix(_)
            | Op::MoveMatrix { .. }
            | Op::Mma(_)
            | Op::FragmentMma(_)
            | Op::GroupMma(_)
            | Op::CommitProducts
            | Op::WaitProducts { .. } => unreachable!("the loop of the path runs these itself"),
        }
    }

    /// The lanes' addresses in the generic space, for what orders accesses.
    pub(super) fn generic(warp: &Warp, address: Address) -> Row {
        let base = &warp.regs[address.row as usize];
        base.map(|base| {
            let (place, address) = address.of(base);
            match place {
                Place::Shared { rank, offset } => {
                    let rank = rank.unwrap_or(warp.rank as u32);
                    SHARED_WINDOW | u64::from(rank) << RANK_SHIFT | offset
                }
                Place::Global { .. } | Place::Local { .. } | Place::Nowhere => address,
            }
        })
    }

    fn load(&mut self, warp: &mut Warp, pc: u32, load: &Load, on: u32) -> Ran<()> {
        let Load { address, bytes, dsts, extend, width, is_strong } = load;
        let total = bytes * dsts.len();
        // A register of the address may be loaded.
        let addresses = Self::generic(warp, *address);
        if *is_strong {
            self.order(warp, &addresses, on, true, false)?;
        }
        let mut out = [[0; LANES]; ELEMENTS_MAX];
        let (mut n_global, mut n_shared) = (0, 0);
        // Lanes whose read races, and the finding about one of them.
        let (mut racing, mut finding) = (0, None);
        let mut left = on;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let base = warp.regs[address.row as usize][lane];
            let (at, generic) = address.of(base);
            if let Place::Local { offset } = at {
                let found = self.local(warp, pc, lane, offset, total, "reads")?;
                take(&mut out, lane, found, *bytes);
                left &= left - 1;
                continue;
            }
            let view = self.view(warp, pc);
            let served = match total {
                4 => self.load_run::<4>(warp, &view, load, left, &mut out),
                8 => self.load_run::<8>(warp, &view, load, left, &mut out),
                16 => self.load_run::<16>(warp, &view, load, left, &mut out),
                _ => {
                    let who = view.who.of_lane(lane);
                    let who = if *is_strong { who.strong() } else { who };
                    let found = self.memory.read(at, warp.rank, generic, total, &view, who);
                    found
                        .map(|found| take(&mut out, lane, found, *bytes))
                        .map(|()| 1 << lane)
                        .map_err(|issue| (lane, issue))
                }
            };
            let served = match served {
                Ok(served) => served,
                Err((lane, issue)) => {
                    let Some(number) = self.race_in_front(warp, (pc, lane), &issue, *bytes) else {
                        return Err(self.fault(warp, pc, lane, &issue));
                    };
                    let (at, _) = address.of(warp.regs[address.row as usize][lane]);
                    take(&mut out, lane, self.memory.found(at, warp.rank, total), *bytes);
                    (racing, finding) = (racing | 1 << lane, Some(number));
                    1 << lane
                }
            };
            *(if matches!(at, Place::Shared { .. }) { &mut n_shared } else { &mut n_global }) +=
                u64::from(served.count_ones());
            left &= !served;
        }
        if *is_strong {
            let first = on.trailing_zeros() as usize;
            self.polled(warp, pc, addresses[first], out[0][first]);
        }
        if self.races.knows_writes() {
            for lane in lanes_of(on) {
                let (at, _) = address.of(warp.regs[address.row as usize][lane]);
                if let Some(number) = self.race_behind(warp, (pc, lane), at, total) {
                    (racing, finding) = (racing | 1 << lane, Some(number));
                }
            }
        }
        for (dst, out) in dsts.iter().zip(&mut out) {
            let Some(dst) = dst else { continue };
            if *extend != 0 {
                let keep = mask(*width);
                out.iter_mut().for_each(|word| *word = signed(*word, *extend) as u64 & keep);
            }
            warp.put(*dst, on, out);
            if let Some(number) = finding {
                warp.set_unknown(*dst, on, [Unknown { row: *dst, lanes: racing, why: Why::Race(number) }]);
            }
        }
        self.counters.shared_bytes_read += n_shared * total as u64;
        self.counters.global_bytes_read += n_global * total as u64;
        self.count(&addresses, on, total, false);
        self.burn(u64::from(on.count_ones()) * total as u64);
        Ok(())
    }

    /// Loads `N` bytes for as many lanes as follow one another in one buffer; which these are.
    fn load_run<const N: usize>(
        &mut self,
        warp: &Warp,
        view: &View<'_>,
        load: &Load,
        lanes: u32,
        out: &mut [Row; ELEMENTS_MAX],
    ) -> Result<u32, (usize, Issue)> {
        let address = (load.address, &warp.regs[load.address.row as usize]);
        self.memory.read_run::<N>(address, warp.rank, lanes, view, load.is_strong, |lane, found| {
            take(out, lane, found, load.bytes);
        })
    }

    /// Bytes of a lane's local memory.
    fn local<'w>(
        &self,
        warp: &'w mut Warp,
        pc: u32,
        lane: usize,
        offset: u64,
        bytes: usize,
        verb: &str,
    ) -> Ran<&'w mut [u8]> {
        if bytes.is_power_of_two() && !offset.is_multiple_of(bytes as u64) {
            let message =
                format!("{verb} {bytes} bytes at byte {offset} of local memory, which is not a multiple of {bytes}");
            return Err(self.tell(warp, pc, lane, Code::Misaligned, "misaligned", &message));
        }
        let size = warp.local_size(lane);
        if warp.local_memory(lane, offset, bytes).is_none() {
            let message = format!("{verb} {bytes} bytes at byte {offset} of local memory, which has {size} bytes");
            return Err(self.tell(warp, pc, lane, Code::OutOfBounds, "bounds", &message));
        }
        Ok(warp.local_memory(lane, offset, bytes).expect("it was there"))
    }

    fn store(&mut self, warp: &mut Warp, pc: u32, store: &Store, on: u32) -> Ran<()> {
        let Store { address, bytes, srcs, is_strong } = store;
        let total = bytes * srcs.len();
        let base = warp.regs[address.row as usize];
        let mut data = [0; ACCESS_MAX];
        let program = self.program;
        let (mut readers, mut sums) = (Vec::new(), None::<Vec<Option<Sum>>>);
        for lane in lanes_of(on) {
            let (at, generic) = address.of(base[lane]);
            for (&src, part) in srcs.iter().zip(data.chunks_exact_mut(*bytes)) {
                part.copy_from_slice(&warp.regs[src as usize][lane].to_le_bytes()[..*bytes]);
            }
            match at {
                Place::Local { offset } => {
                    self.local(warp, pc, lane, offset, total, "writes")?.copy_from_slice(&data[..total]);
                }
                Place::Global { .. } | Place::Shared { .. } | Place::Nowhere => {
                    let view = self.view(warp, pc);
                    let who = view.who.of_lane(lane);
                    let who = if *is_strong { who.strong() } else { who };
                    let new = &data[..total];
                    let excuses = &mut |clash: &Clash<'_>| match clash.written {
                        None => {
                            let is_like = is_like(program, clash.other, *bytes);
                            readers.extend(is_like.then_some(clash.other));
                            is_like
                        }
                        Some(values) => {
                            let of = |&src: &u32| sum(program, warp, pc, src, *bytes);
                            clash.other.pc() == Some(pc as usize)
                                && are_sums(sums.get_or_insert_with(|| srcs.iter().map(of).collect()), *bytes, values)
                        }
                    };
                    if let Err(issue) = self.memory.write_unless((at, generic), warp.rank, new, &view, who, excuses) {
                        self.leave_open(warp, (pc, lane), (at, generic), (new, *bytes), &issue)?;
                    }
                    for reader in readers.drain(..) {
                        self.note_race(warp, (pc, lane), at, (generic, total), reader)?;
                    }
                    if matches!(at, Place::Shared { .. }) {
                        self.counters.shared_bytes_written += total as u64;
                    } else {
                        self.counters.global_bytes_written += total as u64;
                    }
                }
            }
        }
        let addresses = Self::generic(warp, *address);
        self.count(&addresses, on, total, true);
        if *is_strong {
            self.order(warp, &addresses, on, false, true)?;
        }
        self.burn(u64::from(on.count_ones()) * total as u64);
        Ok(())
    }

    /// Fills shared memory with zeros.
    fn clear(&mut self, warp: &mut Warp, pc: u32, clear: &Clear, on: u32) -> Ran<()> {
        for lane in lanes_of(on) {
            let [base, size] = [clear.address.row, clear.size].map(|row| warp.regs[row as usize][lane]);
            let bad = |this: &Self, message: &str| this.tell(warp, pc, lane, Code::Undefined, "undefined", message);
            if !size.is_multiple_of(CLEARED as u64) {
                return Err(bad(
                    self,
                    &format!("memory is cleared by {CLEARED} bytes at a time, and {size} is not a multiple of it"),
                ));
            }
            for at in (0..size).step_by(CLEARED) {
                let (place, address) = clear.address.of(base.wrapping_add(at));
                if !matches!(place, Place::Shared { .. }) {
                    return Err(bad(self, &format!("{address:#x} is not an address of shared memory")));
                }
                let view = self.view(warp, pc);
                let who = view.who.of_lane(lane);
                if let Err(issue) = self.memory.write(place, warp.rank, address, &[0; CLEARED], &view, who) {
                    return Err(self.fault(warp, pc, lane, &issue));
                }
            }
            self.counters.shared_bytes_written += size;
            self.burn(size);
        }
        Ok(())
    }

    fn atomic(&mut self, warp: &mut Warp, pc: u32, atomic: &Atomic, on: u32) -> Ran<()> {
        let Atomic { address, bytes, parts, update, as_one } = atomic;
        let addresses = Self::generic(warp, *address);
        self.order(warp, &addresses, on, true, false)?;
        let base = warp.regs[address.row as usize];
        for lane in lanes_of(on) {
            let (at, generic) = address.of(base[lane]);
            let all_bytes = bytes * parts.len();
            if !generic.is_multiple_of(all_bytes as u64) {
                return Err(self.fault(warp, pc, lane, &Issue::misaligned("updates", generic, all_bytes)));
            }
            let part = |index: usize| {
                let step = (index * bytes) as u64;
                let at = match at {
                    Place::Global { buffer, offset } => Place::Global { buffer, offset: offset + step },
                    Place::Shared { rank, offset } => Place::Shared { rank, offset: offset + step },
                    Place::Local { .. } | Place::Nowhere => Place::Nowhere,
                };
                (at, generic.wrapping_add(step))
            };
            let mut is_equal = true;
            for (index, &(first, ..)) in parts.iter().enumerate().filter(|_| *as_one) {
                let (view, (at, generic)) = (self.view(warp, pc), part(index));
                let who = view.who.of_lane(lane);
                match self.memory.update(at, warp.rank, generic, *bytes, &view, who, |old| old) {
                    Ok(old) => is_equal &= old == warp.regs[first as usize][lane],
                    Err(issue) => return Err(self.fault(warp, pc, lane, &issue)),
                }
            }
            // A result may have the registers of an operand.
            let operands: [[u64; 2]; 8] = std::array::from_fn(|index| {
                parts.get(index).map_or([0; 2], |part| [part.0, part.1].map(|row| warp.regs[row as usize][lane]))
            });
            for (index, &(.., dst)) in parts.iter().enumerate() {
                let [first, second] = operands[index];
                let (view, (at, generic)) = (self.view(warp, pc), part(index));
                let who = view.who.of_lane(lane);
                let result =
                    self.memory.update(at, warp.rank, generic, *bytes, &view, who, |old| match (as_one, is_equal) {
                        (true, true) => second,
                        (true, false) => old,
                        (false, _) => update(old, first, second),
                    });
                match result {
                    Ok(old) => {
                        if let Some(dst) = dst {
                            warp.regs[dst as usize][lane] = old;
                        }
                    }
                    Err(issue) => return Err(self.fault(warp, pc, lane, &issue)),
                }
            }
        }
        if let Some(&(.., Some(dst))) = parts.first() {
            let first = on.trailing_zeros() as usize;
            self.polled(warp, pc, addresses[first], warp.regs[dst as usize][first]);
        }
        self.order(warp, &Self::generic(warp, *address), on, false, true)?;
        self.count(&addresses, on, bytes * parts.len(), true);
        self.burn(u64::from(on.count_ones()) * 16);
        Ok(())
    }

    fn copy_async(&mut self, warp: &mut Warp, pc: u32, copy: &CopyAsync, on: u32) -> Ran<()> {
        let [to, from] = [copy.to, copy.from].map(|address| {
            let base = &warp.regs[address.row as usize];
            base.map(|base| address.of(base).1)
        });
        let mut size = [copy.bytes as u8; LANES];
        if let Some(row) = copy.size {
            let row = &warp.regs[row as usize];
            for lane in lanes_of(on) {
                if row[lane] > copy.bytes as u64 {
                    let message = format!("{} bytes are read for a copy of {}", row[lane], copy.bytes);
                    return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message));
                }
                size[lane] = row[lane] as u8;
            }
        }
        if let Some(row) = copy.ignore {
            let ignored = warp.holds(row);
            lanes_of(ignored).for_each(|lane| size[lane] = 0);
        }
        let group = [UNCOMMITTED; LANES];
        self.counters.shared_bytes_written += u64::from(on.count_ones()) * copy.bytes as u64;
        self.counters.global_bytes_read += lanes_of(on).map(|lane| u64::from(size[lane])).sum::<u64>();
        self.burn(u64::from(on.count_ones()) * copy.bytes as u64);
        let read = lanes_of(on).filter(|&lane| size[lane] > 0).fold(0, |lanes, lane| lanes | 1 << lane);
        self.count(&Self::generic(warp, copy.from), read, copy.bytes, false);
        self.count(&Self::generic(warp, copy.to), on, copy.bytes, true);
        self.begin_copy(warp, Copy { pc, mask: on, bytes: copy.bytes, to, from, size, group, number: warp.n_copies })
    }

    /// What lanes do together; all that take part are here.
    pub(super) fn together(&mut self, warp: &mut Warp, pc: u32, on: u32) -> Ran<()> {
        let program = self.program;
        match &program.insts[pc as usize].op {
            Op::Shuffle(shuffle) => {
                self.counters.shuffles += 1;
                self.check_members(warp, pc, shuffle.members, on)?;
                self.shuffle(warp, pc, shuffle, on)
            }
            Op::Vote { kind, dst, src, members } => {
                self.check_members(warp, pc, *members, on)?;
                let yes = warp.holds(*src) & on;
                let value = match kind {
                    VoteKind::All => u32::from(yes == on),
                    VoteKind::Any => u32::from(yes != 0),
                    VoteKind::Uniform => u32::from(yes == 0 || yes == on),
                    VoteKind::Ballot => yes,
                };
                warp.put(*dst, on, &[u64::from(value); LANES]);
                Ok(())
            }
            Op::Match { all, dst, pred, src, members } => {
                self.check_members(warp, pc, *members, on)?;
                let row = warp.regs[*src as usize];
                let (mut same, mut alike) = ([0; LANES], [0; LANES]);
                for lane in lanes_of(on) {
                    let equal =
                        lanes_of(on).filter(|&other| row[other] == row[lane]).fold(0, |bits, at| bits | 1u32 << at);
                    let is_all = equal == on;
                    alike[lane] = u64::from(is_all);
                    same[lane] = u64::from(if *all && !is_all { 0 } else { equal });
                }
                if let Some(dst) = dst {
                    warp.put(*dst, on, &same);
                }
                if let Some(pred) = pred {
                    warp.put(*pred, on, &alike);
                }
                Ok(())
            }
            Op::Reduce { lanes, dst, src, members } => {
                self.check_members(warp, pc, *members, on)?;
                let row = warp.regs[*src as usize];
                let zero = [0; LANES];
                let mut values = lanes_of(on).map(|lane| row[lane]);
                let first = values.next().unwrap_or_default();
                let total = values.fold([first; LANES], |acc, value| {
                    let mut out = zero;
                    lanes(&mut out, [&acc, &[value; LANES], &zero, &zero]);
                    out
                });
                warp.put(*dst, on, &total);
                Ok(())
            }
            Op::Elect { dst, pred, members } => {
                self.check_members(warp, pc, *members, on)?;
                let leader = on.trailing_zeros();
                if let Some(dst) = dst {
                    warp.put(*dst, on, &[u64::from(leader); LANES]);
                }
                let mut is_leader = [0; LANES];
                is_leader[leader as usize] = 1;
                warp.put(*pred, on, &is_leader);
                Ok(())
            }
            Op::WarpSync { members } => {
                self.check_members(warp, pc, *members, on)?;
                self.sync_warp(warp)
            }
            Op::LoadMatrix(matrix) => {
                self.check_full(warp, pc, on)?;
                self.load_matrix(warp, pc, matrix)
            }
            Op::StoreMatrix(matrix) => {
                self.check_full(warp, pc, on)?;
                self.store_matrix(warp, pc, matrix)
            }
            Op::MoveMatrix { dst, src } => {
                self.check_full(warp, pc, on)?;
                let row = warp.regs[*src as usize];
                let half = |at: usize, column: usize| row[at * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
                let mut out = [0; LANES];
                for (lane, out) in out.iter_mut().enumerate() {
                    let (at, column) = (lane / 4, lane % 4 * 2);
                    *out = half(column, at) | half(column + 1, at) << 16;
                }
                warp.put(*dst, FULL, &out);
                Ok(())
            }
            Op::Mma(mma) => {
                self.check_full(warp, pc, on)?;
                self.mma(warp, pc, mma)
            }
            Op::FragmentMma(mma) => {
                self.check_full(warp, pc, on)?;
                self.counters.matrix_ops += 1;
                self.burn(mma.work() / 4);
                mma.run(&mut warp.regs);
                Ok(())
            }
            Op::GroupMma(mma) => {
                self.check_full(warp, pc, on)?;
                let a = if let Factor::Shared(row) = mma.a { warp.regs[row as usize][0] } else { 0 };
                let factors = [a, warp.regs[mma.b as usize][0]];
                let is_made = self.options.copies == AsyncMode::Eager;
                let keeps = warp.holds(mma.keeps) & 1 == 1;
                let product = Product { pc, factors, keeps, is_made, group: UNCOMMITTED };
                if is_made {
                    self.group_product(warp, product)?;
                }
                self.check_pending(pc, warp.products.len(), PENDING_MAX)?;
                warp.products.push(product);
                Ok(())
            }
            Op::CommitProducts => {
                self.check_full(warp, pc, on)?;
                warp.product_groups += 1;
                let group = warp.product_groups;
                for product in warp.products.iter_mut().filter(|product| product.group == UNCOMMITTED) {
                    product.group = group;
                }
                Ok(())
            }
            Op::WaitProducts { n } => {
                self.check_full(warp, pc, on)?;
                let last = warp.product_groups.saturating_sub(*n);
                let n = warp.products.iter().take_while(|product| product.group <= last).count();
                let done: Vec<Product> = warp.products.drain(..n).collect();
                let mut late = done.into_iter().filter(|product| !product.is_made);
                late.try_for_each(|product| self.group_product(warp, product))
            }
            _ => unreachable!("lanes do not do this together"),
        }
    }

    /// Who executes an instruction is among those that it names.
    fn check_members(&self, warp: &Warp, pc: u32, members: u32, on: u32) -> Ran<()> {
        let members = &warp.regs[members as usize];
        for lane in lanes_of(on) {
            if members[lane] as u32 >> lane & 1 == 0 {
                let message = format!("lane {lane} is not among the lanes {:#x} that it names", members[lane]);
                return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message));
            }
        }
        Ok(())
    }

    /// A matrix instruction takes 32 lanes.
    fn check_full(&self, warp: &Warp, pc: u32, on: u32) -> Ran<()> {
        if on == FULL {
            return Ok(());
        }
        let message = format!("lanes {} are missing", crate::fault::lanes(u128::from(!on)));
        let lane = on.trailing_zeros() as usize;
        let diag = self.tell(warp, pc, lane, Code::Divergent, "barrier", &message);
        Err(Box::new(diag.help("all 32 lanes of a warp execute a matrix instruction together")))
    }

    fn shuffle(&mut self, warp: &mut Warp, pc: u32, shuffle: &Shuffle, on: u32) -> Ran<()> {
        let [src, by, clamp] = [shuffle.src, shuffle.by, shuffle.clamp].map(|row| warp.regs[row as usize]);
        let (mut out, mut valid) = ([0; LANES], [0; LANES]);
        let mut unknown = None;
        for lane in lanes_of(on) {
            let (b, c) = (by[lane] as u32 & 31, clamp[lane] as u32);
            let (limit, segments) = (c & 31, c >> 8 & 31);
            let at = lane as u32;
            let max = (at & segments) | (limit & !segments);
            let min = at & segments;
            let (from, is_valid) = match shuffle.mode {
                ShuffleMode::Up => {
                    let from = at as i32 - b as i32;
                    (from, from >= max as i32)
                }
                ShuffleMode::Down => ((at + b) as i32, at + b <= max),
                ShuffleMode::Butterfly => ((at ^ b) as i32, (at ^ b) <= max),
                ShuffleMode::Index => {
                    let from = min | (b & !segments);
                    (from as i32, from <= max)
                }
            };
            let from = if is_valid { from as usize } else { lane };
            let found = if on >> from & 1 == 0 {
                Some(Unknown { row: shuffle.src, lanes: 0, why: Why::Shuffle { pc, reader: lane, from } })
            } else {
                warp.unknown_in(shuffle.src, 1 << from)
            };
            if let Some(found) = found {
                unknown.get_or_insert(Unknown { lanes: 0, ..found }).lanes |= 1 << lane;
            }
            out[lane] = src[from];
            valid[lane] = u64::from(is_valid);
        }
        if let Some(dst) = shuffle.dst {
            warp.put(dst, on, &out);
            warp.set_unknown(dst, on, unknown);
        }
        if let Some(pred) = shuffle.pred {
            warp.put(pred, on, &valid);
            warp.set_unknown(pred, on, None);
        }
        Ok(())
    }

    /// Makes a warp's part of a group's product.
    fn group_product(&mut self, warp: &mut Warp, product: Product) -> Ran<()> {
        let program = self.program;
        let Op::GroupMma(mma) = &program.insts[product.pc as usize].op else {
            unreachable!("products come from products");
        };
        let a = match &mma.a {
            Factor::Registers(regs) => mma.registers(regs, &warp.regs),
            Factor::Shared(_) => {
                let first = warp.id as usize % 4 * ROWS;
                self.tile(warp, product, mma, 0, first..first + ROWS)?
            }
        };
        let b = self.tile(warp, product, mma, 1, 0..mma.n)?;
        mma.run(&mut warp.regs, &a, &b, product.keeps);
        self.counters.matrix_ops += 1;
        let row_bytes = (mma.k * mma.types[1].bits as usize / 8) as u64;
        if matches!(mma.a, Factor::Shared(_)) {
            self.count_factor(ROWS as u64 * row_bytes);
        }
        // The four warps of a group read the columns together.
        if warp.id.is_multiple_of(4) {
            self.count_factor(mma.n as u64 * row_bytes);
        }
        self.burn((ROWS * mma.n * mma.k) as u64 / 4);
        Ok(())
    }

    /// A factor's rows (or columns) from shared memory, k by k.
    fn tile(
        &mut self,
        warp: &Warp,
        product: Product,
        mma: &GroupMma,
        factor: usize,
        rows: std::ops::Range<usize>,
    ) -> Ran<Vec<u64>> {
        let descriptor = Descriptor::of(product.factors[factor]);
        let (k, bytes, transposed) = (mma.k, mma.types[1].bits as usize / 8, mma.transposed[factor]);
        let mut out = vec![0; rows.len() * k];
        let each = CHUNK / bytes;
        // Along k, or along the rows.
        let (across, along) =
            if transposed { (0..k, rows.start / each..rows.end / each) } else { (rows.clone(), 0..k / each) };
        for at in across {
            for chunk in along.clone() {
                let address = descriptor.chunk(at as u64, chunk as u64, transposed);
                let view = self.view(warp, product.pc);
                let who = view.who.bulk();
                let data = match self.memory.read(shared_place(address), warp.rank, address, CHUNK, &view, who) {
                    Ok(data) => data,
                    Err(issue) => return Err(self.fault(warp, product.pc, 0, &issue)),
                };
                for (within, part) in data.chunks_exact(bytes).enumerate() {
                    let (row, step) =
                        if transposed { (chunk * each + within, at) } else { (at, chunk * each + within) };
                    out[(row - rows.start) * k + step] = word(part);
                }
            }
        }
        Ok(out)
    }

    fn mma(&mut self, warp: &mut Warp, pc: u32, mma: &Mma) -> Ran<()> {
        self.counters.matrix_ops += 1;
        self.burn(mma.work() / 4);
        mma.run(self.arch, &mut warp.regs).map_err(|why| {
            let (lane, message) = match why {
                Undefined::Metadata(Invalid { lane, bits }) => {
                    (lane, format!("the metadata's bits {bits:#06b} select no elements in order"))
                }
                Undefined::Selectors => (0, "the numbers of bytes and threads select no factors".to_owned()),
            };
            self.tell(warp, pc, lane, Code::Undefined, "undefined", &message)
        })
    }
}
