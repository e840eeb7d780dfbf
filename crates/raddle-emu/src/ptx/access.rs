//! Accesses to memory: an address finds its bytes, the shadow is asked, and what is wrong gets a message.

use raddle_ir::Code;

use super::inst::Address;
use super::lane::Row;
use super::machine::lanes_of;
use super::memory::{Access, Buffer, Clash, Place, Trouble, View, place, shared_place};
use super::warp::Copy;

/// The memories that warps share.
pub(super) struct Memory {
    pub globals: Vec<Buffer>,
    /// For each workgroup of the cluster.
    pub shared: Vec<Buffer>,
}

/// What becomes of an asynchronous copy: it begins, and its bytes move, at once or later.
#[derive(Clone, Copy, Debug)]
struct CopyStep {
    begins: bool,
    moves: bool,
}

/// What is wrong with an access.
#[derive(Clone, Debug)]
pub(super) struct Issue {
    address: u64,
    bytes: usize,
    verb: &'static str,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Nowhere,
    /// Outside a buffer: which, and where.
    Outside(Place),
    ReadOnly(Place),
    Misaligned(u64),
    /// The workgroup whose memory it is has ended.
    Ended,
    Trouble(Place, Trouble),
}

impl Issue {
    /// A barrier is used, and its making is not known.
    pub(super) fn unknown_barrier(place: Place, address: u64, maker: Access) -> Issue {
        Issue { address, bytes: 8, verb: "uses", what: What::Trouble(place, Trouble::Race(maker, "made")) }
    }

    /// An access that is not ordered with another one.
    pub(super) fn race(
        verb: &'static str,
        place: Place,
        (address, bytes): (u64, usize),
        (other, did): (Access, &'static str),
    ) -> Issue {
        Issue { address, bytes, verb, what: What::Trouble(place, Trouble::Race(other, did)) }
    }

    /// An access that is not where as many bytes may be.
    pub(super) fn misaligned(verb: &'static str, address: u64, bytes: usize) -> Issue {
        Issue { address, bytes, verb, what: What::Misaligned(bytes as u64) }
    }

    /// The other access of a race.
    pub(super) fn other(&self) -> Option<Access> {
        match self.what {
            What::Trouble(
                _,
                Trouble::Race(other, _) | Trouble::Arriving(other) | Trouble::Leaving(other) | Trouble::Unfenced(other),
            ) => Some(other),
            _ => None,
        }
    }

    /// The write that nothing orders with this access.
    pub(super) fn unordered_write(&self) -> Option<Access> {
        match self.what {
            What::Trouble(_, Trouble::Race(other, "wrote")) => Some(other),
            _ => None,
        }
    }

    /// The number of the finding, if lanes wrote different values there at once.
    pub(super) fn open(&self) -> Option<u32> {
        match self.what {
            What::Trouble(_, Trouble::Open(finding)) => Some(finding),
            _ => None,
        }
    }

    /// What to do; `is_dynamic` is whether the kernel uses shared memory that the launch adds.
    pub(super) fn help(&self, is_dynamic: bool) -> Option<&'static str> {
        match self.what {
            What::Trouble(_, Trouble::Race(..)) => Some("put a barrier between the two, or make both atomic"),
            What::Trouble(_, Trouble::Arriving(_)) => Some(
                "wait for the group of the copy first, and put a barrier behind the wait if other threads use the bytes",
            ),
            What::Trouble(_, Trouble::Leaving(_)) => Some("wait until the copy has read its source"),
            What::Trouble(_, Trouble::Unfenced(_)) => {
                Some("put `fence.proxy.async` behind the write, in front of the barrier that both pass")
            }
            What::Trouble(_, Trouble::Unwritten) => {
                Some("write it first; if another thread does, put a barrier between the two")
            }
            What::Trouble(_, Trouble::Open(_)) => Some("let one lane write, or all the same value"),
            What::Ended => Some("let all workgroups of a cluster meet at its barrier before they end"),
            What::Outside(Place::Shared { .. }) if is_dynamic => {
                Some("the launch says how much shared memory it adds to what the kernel declares: `--shared=BYTES`")
            }
            What::Nowhere if self.address < 1 << 20 => {
                Some("a null pointer; for a buffer, give its contents, as in `64xf32=@a.npy`")
            }
            What::Misaligned(_) => {
                Some("an address is a multiple of all bytes that are accessed at once, vectors included")
            }
            What::Nowhere | What::Outside(_) | What::ReadOnly(_) => None,
        }
    }

    /// Its code, its kind, and what it says; `name` says who made an access.
    pub(super) fn describe(&self, memory: &Memory, name: impl Fn(Access) -> String) -> (Code, &'static str, String) {
        let Issue { address, bytes, verb, .. } = self;
        let access = format!("{verb} {bytes} bytes at {address:#x}");
        match self.what {
            What::Nowhere => (Code::OutOfBounds, "bounds", format!("{access}, where there is no memory")),
            What::Outside(place) => {
                let (name, size, offset) = memory.describe(place);
                let message = format!("{access}: byte {offset} of {name}, which has {size} bytes");
                (Code::OutOfBounds, "bounds", message)
            }
            What::ReadOnly(place) => {
                let (name, ..) = memory.describe(place);
                (Code::OutOfBounds, "bounds", format!("{access}, and {name} cannot be written"))
            }
            What::Misaligned(align) => {
                (Code::Misaligned, "misaligned", format!("{access}, which is not a multiple of {align}"))
            }
            What::Ended => {
                (Code::OutOfBounds, "bounds", format!("{access}, in shared memory of a workgroup that has ended"))
            }
            What::Trouble(place, trouble) => {
                let (memory, _, offset) = memory.describe(place);
                let at = format!("{verb} {bytes} bytes at byte {offset} of {memory}");
                match trouble {
                    Trouble::Unwritten => {
                        (Code::Uninitialised, "uninitialised", format!("{at}, and nothing has written it"))
                    }
                    Trouble::Race(other, did) => {
                        let message = format!("{at}, which {} {did}, and nothing orders the two", name(other));
                        (Code::Race, "race", message)
                    }
                    Trouble::Arriving(other) => {
                        let message =
                            format!("{at}, which an asynchronous copy of {} writes until it waits", name(other));
                        (Code::Async, "async", message)
                    }
                    Trouble::Leaving(other) => {
                        let message =
                            format!("{at}, which an asynchronous copy of {} reads until it waits", name(other));
                        (Code::Async, "async", message)
                    }
                    Trouble::Open(_) => {
                        (Code::Race, "race", format!("{at}, where lanes wrote different values at once"))
                    }
                    Trouble::Unfenced(other) => {
                        let message = format!(
                            "{at} asynchronously, which {} wrote, and no proxy fence lies between the two",
                            name(other)
                        );
                        (Code::Async, "async", message)
                    }
                }
            }
        }
    }
}

impl Memory {
    /// The text of global memory at an address, up to its zero byte or so many bytes; `None` if there is none.
    pub(super) fn text(&self, address: u64, bytes_max: usize) -> Option<String> {
        let Place::Global { buffer, offset } = place(address) else { return None };
        let bytes = self.globals.get(buffer)?.data.get(usize::try_from(offset).ok()?..)?;
        let text: Vec<u8> = bytes.iter().copied().take(bytes_max).take_while(|&byte| byte != 0).collect();
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    fn describe(&self, place: Place) -> (String, usize, i64) {
        match place {
            Place::Global { buffer, offset } => {
                // A little in front of a buffer is far behind the one before.
                let next = buffer + 1;
                if offset > 1 << 35 && next < self.globals.len() {
                    let next = &self.globals[next];
                    return (next.name.clone(), next.data.len(), offset as i64 - (1 << 36));
                }
                let buffer = self.globals.get(buffer);
                let (name, size) = buffer.map_or(("no buffer".into(), 0), |b| (b.name.clone(), b.data.len()));
                (name, size, offset as i64)
            }
            Place::Shared { offset, .. } => (self.shared[0].name.clone(), self.shared[0].data.len(), offset as i64),
            Place::Local { offset } => ("local memory".into(), 0, offset as i64),
            Place::Nowhere => ("no memory".into(), 0, 0),
        }
    }

    /// The buffer that holds all of these bytes, with the offset in it.
    #[inline(always)]
    pub(super) fn find(
        &mut self,
        place: Place,
        rank: usize,
        address: u64,
        bytes: usize,
        verb: &'static str,
    ) -> Result<(&mut Buffer, usize), Issue> {
        if !address.is_multiple_of(bytes as u64) && bytes.is_power_of_two() {
            return Err(Issue { address, bytes, verb, what: What::Misaligned(bytes as u64) });
        }
        self.span(place, rank, address, bytes, verb)
    }

    /// The same, wherever the bytes begin.
    #[inline(always)]
    pub(super) fn span(
        &mut self,
        place: Place,
        rank: usize,
        address: u64,
        bytes: usize,
        verb: &'static str,
    ) -> Result<(&mut Buffer, usize), Issue> {
        let issue = |what| Issue { address, bytes, verb, what };
        let (buffer, offset) = match place {
            Place::Global { buffer, offset } => (self.globals.get_mut(buffer), offset),
            Place::Shared { rank: of, offset } => (self.shared.get_mut(of.map_or(rank, |of| of as usize)), offset),
            Place::Local { .. } | Place::Nowhere => (None, 0),
        };
        let Some(buffer) = buffer else { return Err(issue(What::Nowhere)) };
        if buffer.closed {
            return Err(issue(What::Ended));
        }
        if !buffer.holds(offset, bytes) {
            return Err(issue(What::Outside(place)));
        }
        Ok((buffer, offset as usize))
    }

    /// The bytes at an address, after the shadow was asked.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        at: Place,
        rank: usize,
        address: u64,
        bytes: usize,
        view: &View<'_>,
        who: Access,
    ) -> Result<&[u8], Issue> {
        let (buffer, offset) = self.find(at, rank, address, bytes, "reads")?;
        if let Err(trouble) = buffer.note_read(offset, bytes, view, who) {
            return Err(Issue { address, bytes, verb: "reads", what: What::Trouble(at, trouble) });
        }
        Ok(&buffer.data[offset..offset + bytes])
    }

    /// The bytes at an address that an access has found.
    pub(super) fn found(&self, at: Place, rank: usize, bytes: usize) -> &[u8] {
        let (buffer, offset) = match at {
            Place::Global { buffer, offset } => (&self.globals[buffer], offset as usize),
            Place::Shared { rank: of, offset } => (&self.shared[of.map_or(rank, |of| of as usize)], offset as usize),
            Place::Local { .. } | Place::Nowhere => unreachable!("accesses of memory that is shared find bytes"),
        };
        &buffer.data[offset..offset + bytes]
    }

    /// Reads `N` bytes, a power of two, for as many lanes as follow one another in one buffer, and gives each to `take`.
    /// The lanes that were served, the first one of `lanes` among them, or what is wrong with one of them.
    #[inline(always)]
    pub(super) fn read_run<const N: usize>(
        &mut self,
        (window, base): (Address, &Row),
        rank: usize,
        lanes: u32,
        view: &View<'_>,
        is_strong: bool,
        mut take: impl FnMut(usize, &[u8; N]),
    ) -> Result<u32, (usize, Issue)> {
        let first = lanes.trailing_zeros() as usize;
        let (at, address) = window.of(base[first]);
        let (buffer, offset) = self.find(at, rank, address, N, "reads").map_err(|issue| (first, issue))?;
        buffer.prepare(N);
        // `find` has found a place for one lane: there is room for `N` bytes.
        let (start, last) = (address.wrapping_sub(offset as u64), (buffer.data.len() - N) as u64);
        let mut served = 0;
        for lane in lanes_of(lanes) {
            let address = window.generic(base[lane]);
            let offset = address.wrapping_sub(start);
            if offset > last || !address.is_multiple_of(N as u64) {
                break;
            }
            let who = if is_strong { view.who.of_lane(lane).strong() } else { view.who.of_lane(lane) };
            let offset = offset as usize;
            if let Err(trouble) = buffer.note_read_prepared(offset, N, view, who) {
                let (at, _) = window.of(base[lane]);
                return Err((lane, Issue { address, bytes: N, verb: "reads", what: What::Trouble(at, trouble) }));
            }
            if let Some(bytes) = buffer.data[offset..].first_chunk() {
                take(lane, bytes);
            }
            served |= 1 << lane;
        }
        Ok(served)
    }

    /// Writes bytes to an address.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        at: Place,
        rank: usize,
        address: u64,
        new: &[u8],
        view: &View<'_>,
        who: Access,
    ) -> Result<(), Issue> {
        self.write_unless((at, address), rank, new, view, who, &mut |_| false)
    }

    /// Bytes that an access has found hold one of several values.
    pub(super) fn leave_open(&mut self, at: Place, rank: usize, address: u64, bytes: usize, finding: u32) {
        if let Ok((buffer, offset)) = self.span(at, rank, address, bytes, "writes") {
            buffer.leave_open(offset, bytes, finding);
        }
    }

    /// The same, where some clashes may be of no interest.
    #[inline(always)]
    pub(super) fn write_unless(
        &mut self,
        (at, address): (Place, u64),
        rank: usize,
        new: &[u8],
        view: &View<'_>,
        who: Access,
        excuses: &mut dyn FnMut(&Clash<'_>) -> bool,
    ) -> Result<(), Issue> {
        let bytes = new.len();
        let (buffer, offset) = self.find(at, rank, address, bytes, "writes")?;
        let issue = |what| Err(Issue { address, bytes, verb: "writes", what });
        if buffer.read_only {
            return issue(What::ReadOnly(at));
        }
        if let Err(trouble) = buffer.note_write_unless(offset, bytes, Some(new), view, who, excuses) {
            return issue(What::Trouble(at, trouble));
        }
        buffer.data[offset..offset + bytes].copy_from_slice(new);
        Ok(())
    }

    /// Replaces bytes by what becomes of them.
    #[allow(clippy::too_many_arguments, reason = "where, how much, who, and what becomes of it")]
    pub(super) fn update(
        &mut self,
        at: Place,
        rank: usize,
        address: u64,
        bytes: usize,
        view: &View<'_>,
        who: Access,
        new: impl FnOnce(u64) -> u64,
    ) -> Result<u64, Issue> {
        let (buffer, offset) = self.find(at, rank, address, bytes, "updates")?;
        let issue = |what| Err(Issue { address, bytes, verb: "updates", what });
        if buffer.read_only {
            return issue(What::ReadOnly(at));
        }
        if let Err(trouble) = buffer.note_atomic(offset, bytes, view, who.strong()) {
            return issue(What::Trouble(at, trouble));
        }
        let data = &mut buffer.data[offset..offset + bytes];
        let old = word(data);
        data.copy_from_slice(&new(old).to_le_bytes()[..bytes]);
        Ok(old)
    }

    /// Checks where a part of a bulk copy goes, which is written when it arrives. In global memory it may write once more
    /// what is there, as groups of warps do that make the same product.
    pub(super) fn begin_part(
        &mut self,
        (from, to): (Option<u64>, u64),
        bytes: usize,
        adds: bool,
        view: &View<'_>,
    ) -> Result<(), Issue> {
        let who = view.who;
        let (at, verb) = (place(to), "copies into");
        let issue = |what| Err(Issue { address: to, bytes, verb, what });
        let note = |this: &mut Memory, new: Option<&[u8]>| {
            let (buffer, offset) = this.span(at, 0, to, bytes, verb)?;
            if buffer.read_only {
                return issue(What::ReadOnly(at));
            }
            let noted = if adds {
                buffer.note_atomic(offset, bytes, view, who.strong())
            } else {
                buffer.note_write(offset, bytes, new, view, who)
            };
            noted.or_else(|trouble| issue(What::Trouble(at, trouble)))
        };
        if let Err(found) = note(self, None) {
            let is_again = !adds && matches!(at, Place::Global { .. }) && found.unordered_write().is_some();
            let Some(from) = from.filter(|_| is_again) else { return Err(found) };
            let (source, start) = self.span(place(from), 0, from, bytes, "copies from")?;
            let new = source.data[start..start + bytes].to_vec();
            note(self, Some(&new))?;
        }
        let (buffer, offset) = self.span(at, 0, to, bytes, verb)?;
        if !adds {
            buffer.set_writer(offset, bytes, who.arriving());
        }
        Ok(())
    }

    /// Where bytes of a bulk copy are, without a look at the shadow: its beginning was checked.
    pub(super) fn part(&mut self, address: u64, bytes: usize) -> Result<(&mut Buffer, usize), Issue> {
        self.span(place(address), 0, address, bytes, "copies into")
    }

    /// Notes that an asynchronous copy has read bytes.
    pub(super) fn read_span(&mut self, address: u64, bytes: usize, view: &View<'_>) -> Result<(), Issue> {
        let (at, verb) = (place(address), "copies from");
        let (buffer, offset) = self.span(at, 0, address, bytes, verb)?;
        let noted = buffer.note_read(offset, bytes, view, view.who);
        noted.map_err(|trouble| Issue { address, bytes, verb, what: What::Trouble(at, trouble) })
    }

    /// Checks both sides of a copy, and marks its destination; with `now`, the copy happens here.
    pub(super) fn begin_copy(
        &mut self,
        copy: &Copy,
        view: &View<'_>,
        rank: usize,
        now: bool,
    ) -> Result<(), (usize, Issue)> {
        let bytes = copy.bytes;
        let mut left = copy.mask;
        while left != 0 {
            let who = |lane| view.who.of_lane(lane);
            let served = self.copy_run(copy, left, view, who, rank, CopyStep { begins: true, moves: now })?;
            left &= !served;
            if served != 0 {
                continue;
            }
            let lane = left.trailing_zeros() as usize;
            let who = view.who.of_lane(lane);
            let mut new = [0; 16];
            self.copy_source(copy, lane, view, who, rank, &mut new).map_err(|issue| (lane, issue))?;
            let (to, address) = (shared_place(copy.to[lane]), copy.to[lane]);
            let (buffer, offset) = self.find(to, rank, address, bytes, "copies into").map_err(|issue| (lane, issue))?;
            if let Err(trouble) = buffer.note_write(offset, bytes, Some(&new[..bytes]), view, who) {
                return Err((lane, Issue { address, bytes, verb: "copies into", what: What::Trouble(to, trouble) }));
            }
            buffer.set_writer(offset, bytes, who.arriving());
            if now {
                buffer.data[offset..offset + bytes].copy_from_slice(&new[..bytes]);
            }
            left &= left - 1;
        }
        Ok(())
    }

    /// The copies of some lanes have arrived, each by `who`; with `late`, they happen here.
    pub(super) fn end_copy(
        &mut self,
        copy: &Copy,
        lanes: u32,
        view: &View<'_>,
        who: impl Fn(usize) -> Access,
        rank: usize,
        late: bool,
    ) -> Result<(), (usize, Issue)> {
        let bytes = copy.bytes;
        let mut left = lanes;
        while left != 0 {
            let served = self.copy_run(copy, left, view, &who, rank, CopyStep { begins: false, moves: late })?;
            left &= !served;
            if served != 0 {
                continue;
            }
            let lane = left.trailing_zeros() as usize;
            let who = who(lane);
            let mut new = [0; 16];
            if late {
                self.copy_source(copy, lane, view, who, rank, &mut new).map_err(|issue| (lane, issue))?;
            }
            let to = copy.to[lane];
            let (buffer, offset) =
                self.find(shared_place(to), rank, to, bytes, "copies into").map_err(|issue| (lane, issue))?;
            buffer.set_writer(offset, bytes, who);
            if late {
                buffer.data[offset..offset + bytes].copy_from_slice(&new[..bytes]);
            }
            left &= left - 1;
        }
        Ok(())
    }

    /// A step of whole copies of sixteen bytes, for as many lanes as follow one another between the same two buffers; the
    /// lanes that were served, none if the first one's copy is not such a one.
    #[inline(always)]
    fn copy_run(
        &mut self,
        copy: &Copy,
        lanes: u32,
        view: &View<'_>,
        who: impl Fn(usize) -> Access,
        rank: usize,
        step: CopyStep,
    ) -> Result<u32, (usize, Issue)> {
        const N: usize = 16;
        let first = lanes.trailing_zeros() as usize;
        let Place::Global { buffer, offset } = place(copy.from[first]) else { return Ok(0) };
        let Place::Shared { rank: of, offset: inside } = shared_place(copy.to[first]) else { return Ok(0) };
        let of = of.map_or(rank, |of| of as usize);
        let (Some(source), Some(target)) = (self.globals.get_mut(buffer), self.shared.get_mut(of)) else {
            return Ok(0);
        };
        if copy.bytes != N || !source.holds(offset, N) || !target.holds(inside, N) || target.closed {
            return Ok(0);
        }
        let (source_start, source_last) = (copy.from[first] - offset, (source.data.len() - N) as u64);
        let (target_start, target_last) = (copy.to[first] - inside, (target.data.len() - N) as u64);
        let mut served = 0;
        for lane in lanes_of(lanes) {
            let (from, to) = (copy.from[lane], copy.to[lane]);
            let (offset, inside) = (from.wrapping_sub(source_start), to.wrapping_sub(target_start));
            let is_whole = usize::from(copy.size[lane]) == N && (from | to).is_multiple_of(N as u64);
            if !is_whole || offset > source_last || inside > target_last {
                break;
            }
            let (offset, inside, who) = (offset as usize, inside as usize, who(lane));
            let mut new = [0; N];
            if step.begins || step.moves {
                if let Err(trouble) = source.note_read_prepared(offset, N, view, who) {
                    let what = What::Trouble(place(from), trouble);
                    return Err((lane, Issue { address: from, bytes: N, verb: "reads", what }));
                }
                if let Some(bytes) = source.data[offset..].first_chunk() {
                    new = *bytes;
                }
            }
            if step.begins
                && let Err(trouble) = target.note_write(inside, N, Some(&new), view, who)
            {
                let what = What::Trouble(shared_place(to), trouble);
                return Err((lane, Issue { address: to, bytes: N, verb: "copies into", what }));
            }
            target.set_writer(inside, N, if step.begins { who.arriving() } else { who });
            if step.moves
                && let Some(bytes) = target.data[inside..].first_chunk_mut()
            {
                *bytes = new;
            }
            served |= 1 << lane;
        }
        Ok(served)
    }

    #[inline(always)]
    fn copy_source(
        &mut self,
        copy: &Copy,
        lane: usize,
        view: &View<'_>,
        who: Access,
        rank: usize,
        new: &mut [u8; 16],
    ) -> Result<(), Issue> {
        let size = copy.size[lane] as usize;
        if size == 0 {
            return Ok(());
        }
        let from = copy.from[lane];
        if !from.is_multiple_of(copy.bytes as u64) {
            let what = What::Misaligned(copy.bytes as u64);
            return Err(Issue { address: from, bytes: copy.bytes, verb: "copies from", what });
        }
        let bytes = self.read(place(from), rank, from, size, view, who)?;
        new[..size].copy_from_slice(bytes);
        Ok(())
    }
}

/// Up to eight bytes as a number.
#[inline(always)]
pub(super) fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}
