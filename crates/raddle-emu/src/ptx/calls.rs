//! Calls of functions that may call themselves: each activation has registers and memory of its own.
//!
//! Lanes that call part from nobody: they go on in the function, and come back together. Meanwhile the call keeps the
//! registers of the function that calls, in case that one is called again before. Memory of activations is a stack
//! behind the other local memory, of each lane for itself, and memory that a function takes while it runs is there too.

use raddle_ir::{Code, Diag};

use super::inst::Call;
use super::lane::{LANES, Row};
use super::machine::{Machine, Ran, lanes_of};
use super::warp::Warp;

/// What a call gives back to those who called.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// Where those who called go on.
    pub back: u32,
    pub depth: u32,
    /// The first rows of ranges, with what was in them.
    rows: Vec<(u32, Row)>,
    rows_back: Vec<(u32, u32)>,
    /// Where results are in memory, where they go, and their bytes.
    copies_back: Vec<(u64, Row, usize)>,
    /// The row of the stack, and where it ended.
    stack: (u32, Row),
    frame: Row,
}

impl Kept {
    fn bytes(&self) -> usize {
        self.rows.len() * size_of::<(u32, Row)>() + size_of::<Kept>()
    }
}

impl Warp {
    /// Bytes of a lane's local memory; `None` outside of it.
    #[inline(always)]
    pub(super) fn local_memory(&mut self, lane: usize, offset: u64, bytes: usize) -> Option<&mut [u8]> {
        let end = offset.checked_add(bytes as u64)?;
        let size = self.local.len() / LANES;
        if end <= size as u64 {
            let start = lane * size + offset as usize;
            return Some(&mut self.local[start..start + bytes]);
        }
        let start = offset.checked_sub(self.stack_start() as u64)? as usize;
        self.stack[lane].get_mut(start..start + bytes)
    }

    /// Where the stack begins in local memory.
    pub(super) fn stack_start(&self) -> usize {
        (self.local.len() / LANES).next_multiple_of(16)
    }

    /// Bytes of local memory that a lane has now.
    pub(super) fn local_size(&self, lane: usize) -> usize {
        if self.stack[lane].is_empty() { self.local.len() / LANES } else { self.stack_start() + self.stack[lane].len() }
    }

    /// Lets the stack of a lane end at an address; new memory is zero.
    fn set_stack(&mut self, lane: usize, end: u64) {
        let len = (end as usize).saturating_sub(self.stack_start());
        let stack = &mut self.stack[lane];
        self.held = self.held + len - stack.len();
        stack.resize(len, 0);
    }

    /// Lanes have come back from a call: they have what they had, and the results.
    pub(super) fn come_back(&mut self, kept: &Kept, lanes: u32) {
        let results: Vec<Row> = kept.rows_back.iter().map(|&(from, _)| self.regs[from as usize]).collect();
        for lane in lanes_of(lanes) {
            for (offset, to, bytes) in &kept.copies_back {
                let from = self.local_memory(lane, kept.frame[lane] + offset, *bytes).map(|found| found.to_vec());
                if let (Some(from), Some(to)) = (from, self.local_memory(lane, to[lane], *bytes)) {
                    to.copy_from_slice(&from);
                }
            }
            self.set_stack(lane, kept.stack.1[lane]);
        }
        for (row, old) in &kept.rows {
            self.put(*row, lanes, old);
        }
        self.put(kept.stack.0, lanes, &kept.stack.1);
        for ((_, to), result) in kept.rows_back.iter().zip(&results) {
            self.put(*to, lanes, result);
        }
        self.forget(kept);
    }

    /// A call is over for all who called.
    pub(super) fn forget(&mut self, kept: &Kept) {
        self.held -= kept.bytes();
    }
}

impl Machine<'_> {
    /// The lanes of a path call a function.
    pub(super) fn call(&mut self, warp: &mut Warp, path: usize, pc: u32, call: &Call) -> Ran<()> {
        let program = self.program;
        let (routine, lanes) = (&program.routines[call.routine as usize], warp.paths[path].mask);
        let stack = program.stack.expect("a program with routines has a stack");
        let old = warp.regs[stack as usize];
        let args: Vec<Row> = call.rows.iter().map(|&(from, _)| warp.regs[from as usize]).collect();
        let caller = call.caller.map(|caller| &program.routines[caller as usize].rows);
        let rows: Vec<(u32, Row)> =
            caller.into_iter().flatten().cloned().flatten().map(|row| (row, warp.regs[row as usize])).collect();
        let offsets = |row: u32| warp.regs[row as usize].map(|address| address & 0xffff_ffff);
        let copies_back =
            call.copies_back.iter().map(|&(to, offset, bytes)| (offset, offsets(to.row), bytes)).collect();
        let depth = warp.depth(path) + 1;
        let kept = Kept {
            back: pc + 1,
            depth,
            rows,
            rows_back: call.rows_back.clone(),
            copies_back,
            stack: (stack, old),
            frame: old,
        };
        warp.held += kept.bytes();
        self.burn((kept.rows.len() * 4) as u64 + routine.bytes);
        self.check_stack(warp, pc, lanes, routine.bytes, &format!("calls of `{}` nest {depth} deep", routine.name))?;
        for lane in lanes_of(lanes) {
            warp.set_stack(lane, old[lane] + routine.bytes);
            for (from, offset, bytes) in &call.copies {
                let from = warp.regs[from.row as usize][lane] & 0xffff_ffff;
                let found = warp.local_memory(lane, from, *bytes).map(|found| found.to_vec());
                if let (Some(found), Some(to)) = (found, warp.local_memory(lane, old[lane] + offset, *bytes)) {
                    to.copy_from_slice(&found);
                }
            }
        }
        warp.put(routine.frame, lanes, &old);
        warp.put(stack, lanes, &old.map(|old| old + routine.bytes));
        for (&(_, to), arg) in call.rows.iter().zip(&args) {
            warp.put(to, lanes, arg);
        }
        warp.enter(path, routine.entry, kept);
        Ok(())
    }

    /// `alloca`: memory until the function ends.
    pub(super) fn take_memory(
        &mut self,
        warp: &mut Warp,
        pc: u32,
        dst: u32,
        size: u32,
        align: u64,
        on: u32,
    ) -> Ran<()> {
        let stack = self.program.stack.expect("a program that takes memory has a stack");
        let (mut ends, mut starts) = (warp.regs[stack as usize], [0; LANES]);
        let sizes = warp.regs[size as usize];
        for lane in lanes_of(on) {
            let size = sizes[lane].min(1 << 40);
            starts[lane] = ends[lane].next_multiple_of(align);
            let end = (starts[lane] + size).next_multiple_of(16);
            self.check_stack(warp, pc, 1 << lane, end - ends[lane], &format!("a function takes {size} bytes"))?;
            ends[lane] = end;
            warp.set_stack(lane, end);
        }
        warp.put(stack, on, &ends);
        warp.put(dst, on, &starts);
        Ok(())
    }

    /// `stackrestore`
    pub(super) fn give_back(&mut self, warp: &mut Warp, pc: u32, src: u32, on: u32) -> Ran<()> {
        let stack = self.program.stack.expect("a program that gives memory back has a stack");
        let (ends, old) = (warp.regs[src as usize], warp.regs[stack as usize]);
        for lane in lanes_of(on) {
            if ends[lane] > old[lane] || ends[lane] < warp.stack_start() as u64 {
                let message =
                    format!("the stack ends at {:#x}, and cannot be set back to {:#x}", old[lane], ends[lane]);
                return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message));
            }
            warp.set_stack(lane, ends[lane]);
        }
        warp.put(stack, on, &ends);
        Ok(())
    }

    /// Each warp has its part of the memory of the run for calls.
    fn check_stack(&self, warp: &Warp, pc: u32, lanes: u32, more: u64, what: &str) -> Ran<()> {
        let lanes = u64::from(lanes.count_ones());
        if (warp.held as u64).saturating_add(more.saturating_mul(lanes)) <= self.calls_max as u64 {
            return Ok(());
        }
        let span = self.program.insts[pc as usize].span;
        let message = format!("limit: {what}, and a warp has {} bytes for calls and stacks", self.calls_max);
        Err(Box::new(
            Diag::error(Code::LimitHit, span, message)
                .help("raise the memory limit, or look for a function that calls itself without end"),
        ))
    }
}
