//! Native code: object files that LLVM has made for this machine, called in this process.
//!
//! Buffers are copied to memory of their own, aligned as kernels expect, with a margin on each side. Code is not checked
//! while it runs: a program that indexes outside of its buffers does so. What it writes into a margin is found behind it,
//! what goes further is not.

#![allow(unsafe_code, reason = "compiled code is called with addresses of buffers")]

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

use raddle_ir::{Code, Diag};

use crate::llvm::{Llvm, Loaded};

/// Bytes of a buffer start at a multiple of so many.
const ALIGN: usize = 64;
/// Bytes in front of a buffer and behind it that nobody writes.
const MARGIN: usize = 256;
/// Bytes of the stack of a thread: panels of products lie there.
const STACK: usize = 8 << 20;
/// Shares of the workgroups for each thread, so that none waits long for another one.
const SHARES: i64 = 8;
/// What a margin holds.
const FILL: u8 = 0xA5;

/// The chip of the table that this machine is, if it is one.
pub fn host() -> Option<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe");
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        let vnni = v4 && is_x86_feature_detected!("avx512vnni");
        let bf16 = vnni && is_x86_feature_detected!("avx512bf16");
        return if bf16 && has_tiles() {
            Some("x86-64-v4-amx")
        } else if bf16 {
            Some("x86-64-v4-bf16")
        } else if vnni {
            Some("x86-64-v4-vnni")
        } else if v4 {
            Some("x86-64-v4")
        } else if v3 {
            Some("x86-64-v3")
        } else {
            None
        };
    }
    #[cfg(target_arch = "aarch64")]
    return Some("aarch64");
    #[allow(unreachable_code, reason = "only other machines come here")]
    None
}

/// Whether there are tile registers for bytes and bf16 (bits 22, 24 and 25 of EDX of leaf 7 of CPUID: Intel SDM, volume 1,
/// "Programming with Intel AMX"), and the system lets this process use them.
#[cfg(target_arch = "x86_64")]
fn has_tiles() -> bool {
    const UNITS: u32 = 1 << 22 | 1 << 24 | 1 << 25;
    std::arch::x86_64::__cpuid_count(7, 0).edx & UNITS == UNITS && may_use_tiles()
}

/// Asks Linux for the registers, as kernels do: `arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA)`
/// (Documentation/arch/x86/xstate.rst).
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn may_use_tiles() -> bool {
    let error: i64;
    // SAFETY: the call changes nothing but what the process may use.
    unsafe {
        std::arch::asm!("syscall", inlateout("rax") 158i64 => error, in("rdi") 0x1023i64, in("rsi") 18i64,
            out("rcx") _, out("r11") _, options(nostack));
    }
    error == 0
}

#[cfg(all(target_arch = "x86_64", not(target_os = "linux")))]
fn may_use_tiles() -> bool {
    false
}

/// Whether this machine runs code for a chip.
pub fn runs(chip: &str) -> bool {
    const LEVELS: [&str; 5] = ["x86-64-v3", "x86-64-v4", "x86-64-v4-vnni", "x86-64-v4-bf16", "x86-64-v4-amx"];
    let level = |name: &str| LEVELS.iter().position(|&level| level == name);
    host().is_some_and(|host| host == chip || level(chip).is_some_and(|chip| level(host) >= Some(chip)))
}

/// What a kernel is called with.
pub enum Arg {
    /// A buffer.
    Buffer(Buffer),
    /// The buffer of an earlier argument.
    Same(usize),
    /// The little-endian bytes of a scalar.
    Scalar([u8; 8]),
}

/// Bytes that a kernel reads and writes.
pub struct Buffer {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Buffer {
    /// A copy of these bytes.
    pub fn of(bytes: &[u8]) -> Buffer {
        let mut memory = vec![FILL; bytes.len() + 2 * MARGIN + ALIGN];
        let start = MARGIN + (memory.as_ptr() as usize + MARGIN).wrapping_neg() % ALIGN;
        memory[start..start + bytes.len()].copy_from_slice(bytes);
        Buffer { memory, start, len: bytes.len() }
    }

    /// What it holds.
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }

    /// Sets every byte.
    pub fn fill(&mut self, value: u8) {
        self.memory[self.start..self.start + self.len].fill(value);
    }

    /// Whether nobody has written next to it.
    fn is_intact(&self) -> bool {
        let (front, rest) = self.memory.split_at(self.start);
        front.iter().chain(&rest[self.len..]).all(|&byte| byte == FILL)
    }
}

/// Kernels in the memory of the process.
pub struct Program {
    loaded: Loaded,
}

impl Program {
    /// Loads an object file that was made for a chip which this machine runs.
    ///
    /// # Errors
    ///
    /// `E0822` if LLVM cannot load it.
    pub fn load(llvm: Llvm, object: &[u8]) -> Result<Program, Diag> {
        Ok(Program { loaded: llvm.load(object)? })
    }

    /// The function of this name that takes its arguments by one array, with what its kernel takes.
    ///
    /// # Errors
    ///
    /// `E0822` if there is no such function.
    pub fn prepare<'a>(&'a self, packed: &str, args: &'a mut [Arg]) -> Result<Call<'a>, Diag> {
        let mut addresses: Vec<*mut c_void> = Vec::new();
        for arg in args.iter_mut() {
            let address = match arg {
                Arg::Buffer(buffer) => buffer.memory[buffer.start..].as_mut_ptr().cast(),
                Arg::Same(earlier) => addresses[*earlier],
                Arg::Scalar(bytes) => bytes.as_mut_ptr().cast(),
            };
            addresses.push(address);
        }
        Ok(Call { function: self.loaded.address(packed)?, addresses, args })
    }
}

/// A kernel and what it is called with.
pub struct Call<'a> {
    /// The address of the function.
    function: usize,
    /// Of each argument.
    addresses: Vec<*mut c_void>,
    args: &'a mut [Arg],
}

impl Call<'_> {
    /// Computes so many workgroups, which threads share.
    pub fn run(&mut self, workgroups: i64, threads: usize) {
        let (address, list) = (self.function, self.addresses.as_ptr() as usize);
        let part = |first: i64, last: i64| {
            // SAFETY: the object is what the emitter wrote for a kernel with these arguments, so that it reads as many
            // addresses as there are. Accesses are inside of the buffers if the program's are, which is its writer's
            // promise as for any compiled language, and no workgroup touches what another one writes; buffers are
            // borrowed for the call, which all threads end before.
            unsafe {
                let function: extern "C" fn(*const *mut c_void, i64, i64) = std::mem::transmute(address);
                function(list as *const *mut c_void, first, last);
            }
        };
        let threads = (threads as i64).clamp(1, workgroups.max(1));
        if threads == 1 {
            return part(0, workgroups);
        }
        let (next, each) = (AtomicI64::new(0), (workgroups / (threads * SHARES)).max(1));
        let work = || loop {
            let first = next.fetch_add(each, Ordering::Relaxed);
            if first >= workgroups {
                break;
            }
            part(first, workgroups.min(first + each));
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                // Where the system has no more threads, those that there are do the work.
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
            work();
        });
    }

    /// Ends the use of the arguments.
    ///
    /// # Errors
    ///
    /// `E0811` if the kernel has written beside a buffer.
    pub fn finish(self) -> Result<(), Diag> {
        for (at, arg) in self.args.iter().enumerate() {
            if let Arg::Buffer(buffer) = arg
                && !buffer.is_intact()
            {
                return Err(Diag::nowhere(
                    Code::OutOfBounds,
                    format!("the kernel has written beside its argument {at}"),
                )
                .help("`--device=emu` names the access"));
            }
        }
        Ok(())
    }
}
