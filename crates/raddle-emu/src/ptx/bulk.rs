//! Bulk copies: whole rows and boxes that move by themselves, and complete on a barrier or in a group.
//!
//! A copy checks both sides where it is issued, as the asynchronous proxy sees them, and marks its destination. Its bytes
//! move where it is issued, or as late as the program allows: when nothing else can happen for one that completes on a
//! barrier, at the wait for one in a group. Answers to clusters that ask for the work of others come in the same way.

use raddle_ir::{Code, Diag};

use super::access::Issue;
use super::clock::Clock;
use super::decode::update;
use super::inst::{Address, Bulk, Op, Side, StoreAsync, TryCancel, Update};
use super::lane::LANES;
use super::machine::{Machine, PENDING_MAX, lanes_of};
use super::memory::{Access, Place, RANK_SHIFT, SHARED_WINDOW, View, place};
use super::tensormap::{MAP_BYTES, TensorMap};
use super::warp::{State, UNCOMMITTED, Warp};
use crate::AsyncMode;

type Ran<T> = Result<T, Box<Diag>>;

/// Bytes that a copy moves, at most: shared memory has no more.
const BYTES_MAX: u64 = 1 << 20;
/// Parts of all copies that are on their way, at most.
const PARTS_MAX: usize = 1 << 22;

/// Bytes that lie side by side on both sides; where they come from nowhere, they are filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    from: Option<u64>,
    to: u64,
    bytes: usize,
}

/// A copy that was issued.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pc: u32,
    /// In the cluster.
    warp: usize,
    lane: usize,
    who: Access,
    pub known: Clock,
    kind: Kind,
    /// The group that it was committed to.
    pub group: u32,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Into shared memory; completes on barriers.
    Load { parts: Vec<Part>, fill: [u8; 8], bytes: i64, barriers: Vec<(usize, u64)> },
    /// To global memory, from a range of a workgroup's shared memory.
    Store {
        parts: Vec<Part>,
        source: (usize, usize, usize),
        /// What was read, if it was.
        data: Option<Vec<u8>>,
        has_moved: bool,
    },
    /// From registers into shared memory; completes on a barrier.
    Value { to: u64, data: Vec<u8>, barrier: (usize, u64) },
    /// A thread's copies up to a number arrive at a barrier.
    Arrival { barrier: (usize, u64), upto: u64 },
}

impl Transfer {
    fn n_parts(&self) -> usize {
        match &self.kind {
            Kind::Load { parts, .. } | Kind::Store { parts, .. } => parts.len(),
            Kind::Value { .. } => 1,
            Kind::Arrival { .. } => 0,
        }
    }

    fn view<'t>(&'t self, start: u32) -> View<'t> {
        View { who: self.who, start, known: &self.known }
    }
}

impl Machine<'_> {
    /// A shared address with the rank of its workgroup, in the generic space.
    fn ranked(&self, warp: &Warp, at: (Place, u64)) -> u64 {
        match at.0 {
            Place::Shared { rank, offset } => ranked(rank.map_or(warp.rank, |rank| rank as usize), offset),
            Place::Global { .. } | Place::Local { .. } | Place::Nowhere => at.1,
        }
    }

    /// The map at an address, and the address of its tensor.
    fn map(&mut self, warp: &Warp, pc: u32, lane: usize, at: (Place, u64)) -> Ran<(TensorMap, u64)> {
        let mut bytes = [0; MAP_BYTES];
        let view = self.view(warp, pc);
        for (half, bytes) in bytes.chunks_exact_mut(64).enumerate() {
            let address = at.1.wrapping_add(64 * half as u64);
            match self.memory.read(place(address), warp.rank, address, 64, &view, view.who.of_lane(lane)) {
                Ok(found) => bytes.copy_from_slice(found),
                Err(issue) => return Err(self.fault(warp, pc, lane, &issue)),
            }
        }
        TensorMap::decode(&bytes).map_err(|why| {
            let message = format!("there is no tensor map at {:#x}: {why}", at.1);
            self.tell(warp, pc, lane, Code::Undefined, "undefined", &message)
        })
    }

    /// Issues a copy in each lane.
    pub(super) fn bulk(&mut self, warp: &mut Warp, pc: u32, bulk: &Bulk, on: u32) -> Ran<()> {
        let n_before = warp.stores.len();
        for lane in lanes_of(on) {
            self.events += 1;
            let of = |address: Address| address.of(warp.regs[address.row as usize][lane]);
            let value = |row: u32| warp.regs[row as usize][lane];
            let bad = |this: &Self, message: &str| this.tell(warp, pc, lane, Code::Undefined, "undefined", message);
            let mut map = None;
            if let Some((address, coordinates)) = &bulk.map {
                let at = of(*address);
                let (found, base) = self.map(warp, pc, lane, (at.0, self.ranked(warp, at)))?;
                let n = if bulk.is_by_rows { 2 } else { coordinates.len() };
                if found.extents.len() != n {
                    let message = format!("coordinates of {n} dimensions stand for a map of {}", found.extents.len());
                    return Err(bad(self, &message));
                }
                let coordinates: Vec<i32> = coordinates.iter().map(|&row| value(row) as i32).collect();
                map = Some((found, base, coordinates));
            }
            let bytes = match (&map, bulk.size) {
                (Some((map, ..)), _) if bulk.is_by_rows => map.four_rows_bytes(),
                (Some((map, ..)), _) => map.box_bytes(),
                (None, size) => size.map_or(0, |row| value(row) & 0xffff_ffff),
            };
            if !bytes.is_multiple_of(16) || bytes > BYTES_MAX {
                return Err(bad(self, &format!("a bulk copy moves a multiple of 16 bytes, not {bytes}")));
            }
            // Where shared memory is, a box begins at a multiple of 128 bytes, anything else of 16.
            let align = if map.is_some() { 128 } else { 16 };
            let [to, from] = [bulk.to, bulk.from].map(|side| side.map(|side| self.ranked(warp, of(side))));
            for (address, is_shared) in [(to, bulk.side != Side::Store), (from, bulk.side != Side::Load)] {
                let align = if is_shared { align } else { 16 };
                if let Some(address) = address.filter(|address| !address.is_multiple_of(align)) {
                    let message = format!("a bulk copy begins at {address:#x}, which is not a multiple of {align}");
                    return Err(self.tell(warp, pc, lane, Code::Misaligned, "misaligned", &message));
                }
            }
            let base = self.view(warp, pc);
            let who = base.who.of_lane(lane).bulk();
            let mut fill = [0; 8];
            let shared = if bulk.side == Side::Store { from } else { to }.unwrap_or_default();
            let parts: Vec<Part> = match &map {
                Some((map, base, coordinates)) => {
                    fill = map.fill();
                    let parts = if bulk.is_by_rows {
                        map.four_rows(*base, coordinates, shared)
                    } else {
                        map.parts(*base, coordinates, shared)
                    };
                    let parts = parts.into_iter();
                    match bulk.side {
                        Side::Store => parts
                            .filter_map(|part| {
                                Some(Part { from: Some(part.shared), to: part.global?, bytes: part.bytes })
                            })
                            .collect(),
                        Side::Load | Side::Share => {
                            parts.map(|part| Part { from: part.global, to: part.shared, bytes: part.bytes }).collect()
                        }
                    }
                }
                None => {
                    let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
                    let part = |at: u64, bytes: usize| Part {
                        from: Some(from.wrapping_add(at)),
                        to: to.wrapping_add(at),
                        bytes,
                    };
                    let [front, back] = bulk.ignored.map_or([0; 2], |rows| rows.map(|row| value(row) & 0xffff_ffff));
                    if front > 15 || back > 15 || front + back > bytes {
                        let message = format!("a bulk copy ignores up to 15 bytes on a side, not {front} and {back}");
                        return Err(bad(self, &message));
                    }
                    let mask = bulk.bytes.map_or(0xffff, |row| value(row) & 0xffff);
                    if mask == 0xffff {
                        vec![part(front, (bytes - front - back) as usize)]
                    } else {
                        (0..bytes).filter(|at| mask >> (at % 16) & 1 == 1).map(|at| part(at, 1)).collect()
                    }
                }
            };
            let mut transfer = Transfer {
                pc,
                warp: warp.index,
                lane,
                who,
                known: warp.known.clone(),
                kind: Kind::Arrival { barrier: (0, 0), upto: 0 },
                group: UNCOMMITTED,
            };
            self.burn(bytes);
            let waiting = self.transfers.iter().chain(&warp.stores);
            let n_parts = waiting.map(Transfer::n_parts).sum::<usize>() + parts.len();
            self.check_pending(pc, n_parts, PARTS_MAX)?;
            self.check_pending(pc, self.transfers.len() + warp.stores.len(), PENDING_MAX)?;
            if bulk.side == Side::Store {
                self.counters.shared_bytes_read += bytes;
                self.counters.global_bytes_written += bytes;
                self.count_bulk(bytes, true);
                let (rank, start) = rank_of(shared);
                let source = (rank, start, start + bytes as usize);
                // Lanes that issue the same store together write the same: CUTLASS lets all of a warp do so.
                let is_again =
                    |store: &Transfer| matches!(&store.kind, Kind::Store { parts: same, .. } if *same == parts);
                if bulk.reduce.is_none() && warp.stores[n_before..].iter().any(is_again) {
                    self.begin_sources(warp, &transfer, &parts)?;
                } else {
                    self.begin_parts(warp, &transfer, &parts, bulk.reduce.is_some())?;
                }
                if let Some(buffer) = self.memory.shared.get_mut(rank) {
                    buffer.begin_leaving(source.1, source.2, who);
                }
                transfer.kind = Kind::Store { parts, source, data: None, has_moved: false };
                if self.options.copies == AsyncMode::Eager {
                    self.read_store(warp, &mut transfer)?;
                    self.write_store(warp, &mut transfer)?;
                }
                warp.stores.push(transfer);
                continue;
            }
            let Some(barrier) = bulk.barrier else { return Err(bad(self, "the copy completes on no barrier")) };
            let barrier = self.phase_at(warp, pc, lane, of(barrier))?;
            let (own, _) = rank_of(shared);
            let ranks: Vec<usize> = match bulk.multicast {
                Some(row) => (0..16).filter(|rank| value(row) >> rank & 1 == 1).collect(),
                None => vec![own],
            };
            let is_near = barrier.0 == own || bulk.is_paired && barrier.0 ^ own == 1;
            if bulk.multicast.is_none() && !is_near {
                return Err(bad(self, "a copy completes on a barrier of the workgroup whose memory it writes"));
            }
            // Of a pair, the workgroup is told that has the barrier.
            let told = |rank: usize| if bulk.is_paired { rank & !1 | barrier.0 & 1 } else { rank };
            let parts: Vec<Part> = ranks
                .iter()
                .flat_map(|&rank| parts.iter().map(move |part| Part { to: ranked(rank, part.to & OFFSETS), ..*part }))
                .collect();
            self.counters.shared_bytes_written += bytes * ranks.len() as u64;
            self.counters.global_bytes_read += bytes;
            self.count_bulk(bytes, false);
            self.begin_parts(warp, &transfer, &parts, bulk.reduce.is_some())?;
            let barriers = ranks.iter().map(|&rank| (told(rank), barrier.1)).collect();
            transfer.kind = Kind::Load { parts, fill, bytes: bytes as i64, barriers };
            self.send(warp, transfer)?;
        }
        Ok(())
    }

    /// Stores registers of each lane in shared memory of the cluster, and tells a barrier there when they have come.
    pub(super) fn store_async(&mut self, warp: &mut Warp, pc: u32, store: &StoreAsync, on: u32) -> Ran<()> {
        for lane in lanes_of(on) {
            self.events += 1;
            let of = |address: Address| address.of(warp.regs[address.row as usize][lane]);
            let to = self.ranked(warp, of(store.to));
            let data: Vec<u8> = store
                .srcs
                .iter()
                .flat_map(|&row| warp.regs[row as usize][lane].to_le_bytes().into_iter().take(store.bytes))
                .collect();
            if !to.is_multiple_of(data.len() as u64) {
                return Err(self.fault(warp, pc, lane, &Issue::misaligned("copies into", to, data.len())));
            }
            let barrier = self.phase_at(warp, pc, lane, of(store.barrier))?;
            if barrier.0 != rank_of(to).0 {
                let message = "a store completes on a barrier of the workgroup whose memory it writes";
                return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", message));
            }
            self.check_pending(pc, self.transfers.len() + warp.stores.len(), PENDING_MAX)?;
            self.burn(data.len() as u64);
            self.counters.shared_bytes_written += data.len() as u64;
            let parts = [Part { from: None, to, bytes: data.len() }];
            let transfer = Transfer {
                pc,
                warp: warp.index,
                lane,
                who: self.view(warp, pc).who.of_lane(lane),
                known: warp.known.clone(),
                kind: Kind::Value { to, data, barrier },
                group: UNCOMMITTED,
            };
            self.begin_parts(warp, &transfer, &parts, store.update.is_some())?;
            self.send(warp, transfer)?;
        }
        warp.now = self.tick()?;
        Ok(())
    }

    /// Asks in each lane for the work of a cluster that has not begun; it does not begin if there is one.
    pub(super) fn try_cancel(&mut self, warp: &mut Warp, pc: u32, cancel: &TryCancel, on: u32) -> Ran<()> {
        const ANSWER: usize = 16;
        for lane in lanes_of(on) {
            self.events += 1;
            let of = |address: Address| address.of(warp.regs[address.row as usize][lane]);
            let to = self.ranked(warp, of(cancel.to));
            if !to.is_multiple_of(ANSWER as u64) {
                return Err(self.fault(warp, pc, lane, &Issue::misaligned("answers into", to, ANSWER)));
            }
            let (own, barrier) = (rank_of(to).0, self.phase_at(warp, pc, lane, of(cancel.barrier))?);
            if own != barrier.0 {
                let message = "a request completes on a barrier of the workgroup whose memory gets the answer";
                return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", message));
            }
            let place = self.next_cluster();
            self.clusters_done += u64::from(place.is_some());
            let [x, y, z] = place.unwrap_or_default().map(u64::from);
            let answer = [x | y << 32, u64::from(place.is_some()) | z << 32].map(u64::to_le_bytes).concat();
            let ranks = if cancel.tells_all { 0..self.shape.cluster_size() } else { own..own + 1 };
            for rank in ranks {
                self.check_pending(pc, self.transfers.len() + warp.stores.len(), PENDING_MAX)?;
                self.burn(ANSWER as u64);
                self.counters.shared_bytes_written += ANSWER as u64;
                let to = ranked(rank, to & OFFSETS);
                let transfer = Transfer {
                    pc,
                    warp: warp.index,
                    lane,
                    who: self.view(warp, pc).who.of_lane(lane).bulk(),
                    known: warp.known.clone(),
                    kind: Kind::Value { to, data: answer.clone(), barrier: (rank, barrier.1) },
                    group: UNCOMMITTED,
                };
                self.begin_parts(warp, &transfer, &[Part { from: None, to, bytes: ANSWER }], false)?;
                self.send(warp, transfer)?;
            }
        }
        Ok(())
    }

    /// Checks the parts of a copy: sources are read, and destinations written when it arrives.
    fn begin_parts(&mut self, warp: &Warp, transfer: &Transfer, parts: &[Part], adds: bool) -> Ran<()> {
        self.begin_sources(warp, transfer, parts)?;
        let view = transfer.view(self.start);
        for part in parts {
            if let Err(issue) = self.memory.begin_part((part.from, part.to), part.bytes, adds, &view) {
                return Err(self.fault(warp, transfer.pc, transfer.lane, &issue));
            }
        }
        Ok(())
    }

    fn begin_sources(&mut self, warp: &Warp, transfer: &Transfer, parts: &[Part]) -> Ran<()> {
        let view = transfer.view(self.start);
        for part in parts {
            let Some(from) = part.from else { continue };
            if let Err(issue) = self.memory.read_span(from, part.bytes, &view) {
                return Err(self.fault(warp, transfer.pc, transfer.lane, &issue));
            }
        }
        Ok(())
    }

    /// A copy that completes on a barrier is on its way, or arrives at once.
    fn send(&mut self, warp: &mut Warp, transfer: Transfer) -> Ran<()> {
        if self.options.copies == AsyncMode::Eager {
            return self.deliver(warp, &transfer);
        }
        self.transfers.push(transfer);
        Ok(())
    }

    /// A copy that completes on a barrier arrives.
    fn deliver(&mut self, warp: &mut Warp, transfer: &Transfer) -> Ran<()> {
        let &Transfer { pc, lane, who, .. } = transfer;
        self.events += 1;
        let stamp = (transfer.warp, who.stamp());
        // In a cluster, a fence shows the barrier to copies. A workgroup alone needs none where its own barrier orders the
        // two: the example of libcu++'s `memcpy_async_tx` has none, nor has what Triton makes of its descriptors.
        let (sanitize, is_alone, view) =
            (self.options.sanitize, self.shape.cluster_size() == 1, transfer.view(self.start));
        let is_shown = |maker| {
            !sanitize
                || view.known.covers_fenced(maker)
                || view.known.covers_made(maker)
                || is_alone && view.knows(view.who, maker)
        };
        let done = match &transfer.kind {
            Kind::Load { parts, fill, bytes, barriers } => {
                let reduction = self.reduction(warp, (pc, lane))?;
                for part in parts {
                    let data = match part.from {
                        Some(from) => self.bytes(warp, (pc, lane), from, part.bytes)?,
                        None => fill.iter().copied().cycle().take(part.bytes).collect(),
                    };
                    match &reduction {
                        None => self.put(warp, (pc, lane), part.to, &data, who)?,
                        Some(reduction) => self.combine(warp, (pc, lane), (part.to, &data), reduction, who)?,
                    }
                }
                barriers.iter().try_for_each(|&at| self.phases.complete(at, *bytes, &transfer.known, stamp, is_shown))
            }
            Kind::Value { to, data, barrier } => {
                let op = &self.program.insts[pc as usize].op;
                match op {
                    Op::StoreAsync(store) if let Some(update) = &store.update => {
                        let old = self.bytes(warp, (pc, lane), *to, data.len())?;
                        let sum = update(super::access::word(&old), super::access::word(data), 0);
                        self.put(warp, (pc, lane), *to, &sum.to_le_bytes()[..data.len()], who.strong())?;
                    }
                    _ => self.put(warp, (pc, lane), *to, data, who)?,
                }
                let needs_showing = matches!(op, Op::TryCancel(_));
                let is_shown = |maker| !needs_showing || is_shown(maker);
                self.phases.complete(*barrier, data.len() as i64, &transfer.known, stamp, is_shown)
            }
            Kind::Arrival { barrier, upto } => {
                let is_late = self.options.copies == AsyncMode::Lazy;
                self.end_copies_upto(warp, pc, lane, *upto, (who, is_late))?;
                self.phases.arrive_late(*barrier, &transfer.known, stamp)
            }
            Kind::Store { .. } => unreachable!("copies to global memory belong to their warp"),
        };
        done.map_err(|message| self.tell(warp, pc, lane, Code::Async, "async", message))
    }

    /// Bytes of a copy's source, which was checked when it was issued.
    fn bytes(&mut self, warp: &Warp, (pc, lane): (u32, usize), from: u64, n: usize) -> Ran<Vec<u8>> {
        match self.memory.part(from, n) {
            Ok((buffer, at)) => Ok(buffer.data[at..at + n].to_vec()),
            Err(issue) => Err(self.fault(warp, pc, lane, &issue)),
        }
    }

    fn put(&mut self, warp: &Warp, (pc, lane): (u32, usize), to: u64, data: &[u8], who: Access) -> Ran<()> {
        match self.memory.part(to, data.len()) {
            Ok((buffer, at)) => {
                buffer.data[at..at + data.len()].copy_from_slice(data);
                buffer.set_writer(at, data.len(), who);
                Ok(())
            }
            Err(issue) => Err(self.fault(warp, pc, lane, &issue)),
        }
    }

    /// Nothing else can happen: a copy arrives, first one that a thread waits for. Whether there was any.
    pub(super) fn deliver_next(&mut self, warps: &mut [Warp]) -> Ran<bool> {
        let paths = || warps.iter().flat_map(|warp| &warp.paths);
        let is_wanted = |transfer: &Transfer| {
            let barriers: &[(usize, u64)] = match &transfer.kind {
                Kind::Load { barriers, .. } => barriers,
                Kind::Value { barrier, .. } | Kind::Arrival { barrier, .. } => std::slice::from_ref(barrier),
                Kind::Store { .. } => &[],
            };
            paths().any(|path| matches!(path.state, State::Phase(rank, at, _) if barriers.contains(&(rank, at))))
        };
        let at = match self.transfers.iter().position(is_wanted) {
            Some(at) => at,
            None if self.transfers.is_empty() => return Ok(false),
            None => 0,
        };
        let transfer = self.transfers.remove(at);
        self.deliver(&mut warps[transfer.warp], &transfer)?;
        Ok(true)
    }

    /// The cluster has ended: copies that are on their way would write into the memory of another one.
    pub(super) fn end_transfers(&mut self, warps: &[Warp]) -> Ran<()> {
        for transfer in std::mem::take(&mut self.transfers) {
            if let Kind::Load { .. } | Kind::Value { .. } = transfer.kind {
                let message = "the workgroup ends while this copy is on its way";
                let Transfer { pc, lane, warp, .. } = transfer;
                let diag = self.tell(&warps[warp], pc, lane, Code::Async, "async", message);
                return Err(Box::new(diag.help("wait for the barrier on which the copy completes")));
            }
        }
        Ok(())
    }

    /// A thread's copies so far arrive at a barrier when they are over.
    pub(super) fn arrive_with_copies(
        &mut self,
        warp: &mut Warp,
        pc: u32,
        address: Address,
        adds: bool,
        on: u32,
    ) -> Ran<()> {
        let base = warp.regs[address.row as usize];
        for lane in lanes_of(on) {
            let barrier = self.phase_at(warp, pc, lane, address.of(base[lane]))?;
            self.check_pending(pc, self.transfers.len(), PENDING_MAX)?;
            if adds {
                self.phases.add_pending(barrier);
            }
            let transfer = Transfer {
                pc,
                warp: warp.index,
                lane,
                who: self.view(warp, pc).who.of_lane(lane),
                known: warp.known.clone(),
                kind: Kind::Arrival { barrier, upto: warp.n_copies },
                group: UNCOMMITTED,
            };
            self.send(warp, transfer)?;
        }
        warp.now = self.tick()?;
        Ok(())
    }

    /// Copies of these lanes end with them: nobody has waited for their data. Those go on that arrive at a barrier.
    pub(super) fn end_copies(&mut self, warp: &mut Warp, lanes: u32) {
        let mut upto = [0; LANES];
        for transfer in self.transfers.iter().filter(|transfer| transfer.warp == warp.index) {
            if let Kind::Arrival { upto: n, .. } = transfer.kind {
                upto[transfer.lane] = n;
            }
        }
        for copy in &mut warp.copies {
            let over = lanes_of(copy.mask & lanes).filter(|&lane| copy.number >= upto[lane]);
            copy.mask &= !over.fold(0, |mask, lane| mask | 1 << lane);
        }
        warp.copies.retain(|copy| copy.mask != 0);
    }

    /// Commits the stores of some lanes to a group.
    pub(super) fn commit_stores(warp: &mut Warp, on: u32) {
        for lane in lanes_of(on) {
            warp.stored[lane] += 1;
        }
        for store in warp.stores.iter_mut().filter(|store| on >> store.lane & 1 == 1 && store.group == UNCOMMITTED) {
            store.group = warp.stored[store.lane];
        }
    }

    /// Waits until all groups of stores but the newest `n` are over, or have read their sources.
    pub(super) fn wait_stores(&mut self, warp: &mut Warp, pc: u32, on: u32, n: u32, reads: bool) -> Ran<()> {
        let mut stores = std::mem::take(&mut warp.stores);
        for store in &mut stores {
            let is_over = store.group <= warp.stored[store.lane].saturating_sub(n);
            if on >> store.lane & 1 == 0 || store.group == UNCOMMITTED || !is_over {
                continue;
            }
            self.end_reading(warp, pc, store)?;
            if !reads {
                self.write_store(warp, store)?;
                self.show_store(warp, store)?;
                store.group = 0;
            }
        }
        stores.retain(|store| store.group != 0);
        warp.stores = stores;
        Ok(())
    }

    /// Threads end: their stores go on by themselves, if they have read their sources.
    pub(super) fn end_stores(&mut self, warp: &mut Warp, pc: u32, lanes: u32) -> Ran<()> {
        let mut stores = std::mem::take(&mut warp.stores);
        for store in stores.iter_mut().filter(|store| lanes >> store.lane & 1 == 1) {
            let is_reading = matches!(store.kind, Kind::Store { source: (_, from, to), .. } if from < to);
            if is_reading && self.options.sanitize {
                let message = "the thread ends while its copy may still read shared memory";
                let diag = self.tell(warp, store.pc, store.lane, Code::Async, "async", message);
                let diag = diag.related(self.program.insts[pc as usize].span, "it ends here");
                return Err(Box::new(diag.help("wait with `cp.async.bulk.wait_group.read 0` first")));
            }
            self.read_store(warp, store)?;
            self.write_store(warp, store)?;
            self.show_store(warp, store)?;
        }
        stores.retain(|store| lanes >> store.lane & 1 == 0);
        warp.stores = stores;
        Ok(())
    }

    /// A store has read its source: the reading is as late as this.
    fn end_reading(&mut self, warp: &Warp, pc: u32, store: &mut Transfer) -> Ran<()> {
        self.read_store(warp, store)?;
        let (lane, first, who) = (store.lane, store.pc, store.who);
        let Kind::Store { source, parts, .. } = &mut store.kind else { return Ok(()) };
        let (rank, from, to) = std::mem::take(source);
        if from == to {
            return Ok(());
        }
        if let Some(buffer) = self.memory.shared.get_mut(rank) {
            buffer.end_leaving(from, to, who);
        }
        let view = self.view(warp, pc);
        let view = View { who: Access::new(warp.now, view.who.of_lane(lane).thread(), first), ..view };
        for part in parts {
            let Some(from) = part.from else { continue };
            if let Err(issue) = self.memory.read_span(from, part.bytes, &view) {
                return Err(self.fault(warp, first, lane, &issue));
            }
        }
        Ok(())
    }

    fn read_store(&mut self, warp: &Warp, store: &mut Transfer) -> Ran<()> {
        let at = (store.pc, store.lane);
        let Kind::Store { parts, data: data @ None, .. } = &mut store.kind else { return Ok(()) };
        let mut all = Vec::new();
        for part in parts.iter() {
            all.extend(self.bytes(warp, at, part.from.unwrap_or_default(), part.bytes)?);
        }
        *data = Some(all);
        Ok(())
    }

    fn write_store(&mut self, warp: &Warp, store: &mut Transfer) -> Ran<()> {
        let at = (store.pc, store.lane);
        let Kind::Store { parts, data: Some(data), has_moved: has_moved @ false, .. } = &mut store.kind else {
            return Ok(());
        };
        *has_moved = true;
        let update = self.reduction(warp, at)?;
        let mut rest = data.as_slice();
        for part in parts.iter() {
            let (new, behind) = rest.split_at(part.bytes);
            rest = behind;
            match &update {
                None => self.put(warp, at, part.to, new, store.who.arriving())?,
                Some(reduction) => self.combine(warp, at, (part.to, new), reduction, store.who)?,
            }
        }
        Ok(())
    }

    /// Computes a copy's bytes into what is there.
    fn combine(
        &mut self,
        warp: &Warp,
        at: (u32, usize),
        (to, new): (u64, &[u8]),
        (update, each): &(Update, usize),
        who: Access,
    ) -> Ran<()> {
        let mut sums = self.bytes(warp, at, to, new.len())?;
        for (old, new) in sums.chunks_exact_mut(*each).zip(new.chunks_exact(*each)) {
            let sum = update(super::access::word(old), super::access::word(new), 0);
            old.copy_from_slice(&sum.to_le_bytes()[..*each]);
        }
        self.put(warp, at, to, &sums, who.strong())
    }

    /// What a store has written can be read.
    fn show_store(&mut self, warp: &Warp, store: &Transfer) -> Ran<()> {
        let Kind::Store { parts, .. } = &store.kind else { return Ok(()) };
        let adds = matches!(&self.program.insts[store.pc as usize].op, Op::Bulk(bulk) if bulk.reduce.is_some());
        for part in parts {
            match self.memory.part(part.to, part.bytes) {
                Ok((buffer, at)) => {
                    buffer.set_writer(at, part.bytes, if adds { store.who.strong() } else { store.who });
                }
                Err(issue) => return Err(self.fault(warp, store.pc, store.lane, &issue)),
            }
        }
        Ok(())
    }

    /// What a copy computes, and the bytes of its elements.
    fn reduction(&mut self, warp: &Warp, (pc, lane): (u32, usize)) -> Ran<Option<(Update, usize)>> {
        let Op::Bulk(bulk) = &self.program.insts[pc as usize].op else {
            unreachable!("copies come from copies");
        };
        let Some((what, ty)) = &bulk.reduce else { return Ok(None) };
        let ty = match (ty, &bulk.map) {
            (Some(ty), _) => Some(*ty),
            (None, Some((address, _))) => {
                let at = address.of(warp.regs[address.row as usize][lane]);
                self.map(warp, pc, lane, (at.0, self.ranked(warp, at)))?.0.ty()
            }
            (None, None) => None,
        };
        match ty.and_then(|ty| Some((update(what, ty)?, ty.bits as usize / 8))) {
            Some(found) => Ok(Some(found)),
            None => {
                let message = format!("a copy does not compute `{what}` of these elements");
                Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message))
            }
        }
    }
}

/// The bits of an offset in a workgroup's shared memory.
const OFFSETS: u64 = (1 << RANK_SHIFT) - 1;

fn ranked(rank: usize, offset: u64) -> u64 {
    SHARED_WINDOW | (rank as u64 + 1) << RANK_SHIFT | offset
}

fn rank_of(address: u64) -> (usize, usize) {
    match place(address) {
        Place::Shared { rank, offset } => (rank.unwrap_or(0) as usize, offset as usize),
        Place::Global { .. } | Place::Local { .. } | Place::Nowhere => (usize::MAX, 0),
    }
}
