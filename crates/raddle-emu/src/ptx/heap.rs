//! `malloc` and `free`: each piece of memory is a buffer of its own, so that what lies outside of it, or was freed, is found.

use std::collections::VecDeque;

use raddle_ir::Code;

use super::lane::LANES;
use super::machine::{Machine, Ran, lanes_of};
use super::memory::{Buffer, Place, Scope, address_of, place};
use super::warp::Warp;

/// Bytes of the heap where the host asks for no other size (CUDA Programming Guide, "Dynamic Global Memory Allocation").
pub(super) const HEAP_BYTES: usize = 8 << 20;
/// Pieces that are held at once, at most.
const PIECES_MAX: usize = 1 << 18;
/// Freed pieces whose addresses are not given again, so that uses of them are found.
const FREED_MAX: usize = 1 << 10;

/// The pieces of memory that a kernel has asked for.
#[derive(Clone, Default, Debug)]
pub(super) struct Heap {
    /// Bytes that may still be given.
    pub left: usize,
    /// The first buffer that is a piece.
    first: usize,
    /// Pieces that were freed, the oldest first.
    freed: VecDeque<usize>,
}

impl Heap {
    /// One whose pieces follow so many other buffers; it has no bytes yet.
    pub(super) fn behind(n_buffers: usize) -> Heap {
        Heap { first: n_buffers, ..Heap::default() }
    }
}

impl Machine<'_> {
    /// Each lane gets memory of so many bytes, or the address 0 where there is none left.
    pub(super) fn allocate(&mut self, warp: &mut Warp, dst: u32, size: u32, on: u32) {
        let sizes = warp.regs[size as usize];
        let mut out = [0; LANES];
        for lane in lanes_of(on) {
            let n_held = self.memory.globals.len() - self.heap.first - self.heap.freed.len();
            let Some(size) = usize::try_from(sizes[lane]).ok().filter(|&size| size > 0 && size <= self.heap.left)
            else {
                continue;
            };
            if n_held >= PIECES_MAX {
                continue;
            }
            self.heap.left -= size;
            self.burn(size as u64 + 64);
            let initialised = self.options.allows_unwritten;
            let name = "memory that `malloc` gave".into();
            let piece = Buffer::new(name, vec![0; size], Scope::Global, initialised, self.options.sanitize);
            let again = if self.heap.freed.len() > FREED_MAX { self.heap.freed.pop_front() } else { None };
            let buffer = again.unwrap_or(self.memory.globals.len());
            match again {
                Some(buffer) => self.memory.globals[buffer] = piece,
                None => self.memory.globals.push(piece),
            }
            out[lane] = address_of(buffer);
        }
        warp.put(dst, on, &out);
    }

    /// Each lane gives memory back.
    pub(super) fn free(&mut self, warp: &Warp, pc: u32, src: u32, on: u32) -> Ran<()> {
        let addresses = warp.regs[src as usize];
        for lane in lanes_of(on).filter(|&lane| addresses[lane] != 0) {
            let address = addresses[lane];
            let globals = &mut self.memory.globals;
            let why = match place(address) {
                Place::Global { buffer, offset: 0 } if (self.heap.first..globals.len()).contains(&buffer) => {
                    let size = globals[buffer].data.len();
                    if size > 0 {
                        self.heap.left += size;
                        let name = "memory that was freed".into();
                        globals[buffer] = Buffer::new(name, Vec::new(), Scope::Global, true, self.options.sanitize);
                        self.heap.freed.push_back(buffer);
                        continue;
                    }
                    "was freed before"
                }
                _ => "no `malloc` gave",
            };
            let message = format!("frees {address:#x}, which {why}");
            return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message));
        }
        Ok(())
    }
}
