//! Barriers that count arrivals and bytes in phases, and boxes that arrive at them.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{AsyncMode, Options, Tensor};
use raddle_ir::Diag;

use crate::common::{F32, SIMT, iota, try_run};

/// Two subgroups: the first thread of the first one brings four tiles of 8 x 16 through a ring of two, the second
/// subgroup sums them up. A tile's barrier says that it is full, another one that it is empty again.
fn ring() -> String {
    format!(
        "!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!desc = !nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!tile = memref<8x16xf32, #gpu.address_space<workgroup>>
func.func @f(%in: memref<8x60xf32>, %out: memref<32xf32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %ticks = arith.constant 1000 : index
  %bytes = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %lane = gpu.lane_id
  %first = arith.cmpi eq, %t, %c0 : index
  %produces = arith.cmpi ult, %t, %c32 : index
  %any = memref.cast %in : memref<8x60xf32> to memref<*xf32>
  %desc = nvgpu.tma.create.descriptor %any box[%c8, %c16] : memref<*xf32> -> !desc
  %tile0 = memref.alloc() : !tile
  %tile1 = memref.alloc() : !tile
  %full = nvgpu.mbarrier.create -> !bars
  %empty = nvgpu.mbarrier.create -> !bars
  scf.if %first {{
    nvgpu.mbarrier.init %full[%c0], %c1 : !bars
    nvgpu.mbarrier.init %full[%c1], %c1 : !bars
    nvgpu.mbarrier.init %empty[%c0], %c32 : !bars
    nvgpu.mbarrier.init %empty[%c1], %c32 : !bars
  }}
  gpu.barrier
  scf.if %produces {{
    scf.if %first {{
      scf.for %k = %c0 to %c4 step %c1 {{
        %slot = arith.remui %k, %c2 : index
        %round = arith.divui %k, %c2 : index
        %odd = arith.index_cast %round : index to i1
        %again = arith.cmpi uge, %k, %c2 : index
        // The end of phase 0 is waited for before round 1.
        %parity = arith.subi %round, %c1 : index
        %before = arith.index_cast %parity : index to i1
        scf.if %again {{
          nvgpu.mbarrier.try_wait.parity %empty[%slot], %before, %ticks : !bars
        }}
        nvgpu.mbarrier.arrive.expect_tx %full[%slot], %bytes : !bars
        %column = arith.muli %k, %c16 : index
        %even = arith.cmpi eq, %slot, %c0 : index
        scf.if %even {{
          nvgpu.tma.async.load %desc[%column, %c0], %full[%slot] to %tile0 : !desc, !bars -> !tile
        }} else {{
          nvgpu.tma.async.load %desc[%column, %c0], %full[%slot] to %tile1 : !desc, !bars -> !tile
        }}
      }}
    }}
  }} else {{
    %row = arith.remui %lane, %c8 : index
    %part = arith.divui %lane, %c8 : index
    %at = arith.muli %part, %c4 : index
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (f32) {{
      %slot = arith.remui %k, %c2 : index
      %round = arith.divui %k, %c2 : index
      %odd = arith.index_cast %round : index to i1
      nvgpu.mbarrier.try_wait.parity %full[%slot], %odd, %ticks : !bars
      %even = arith.cmpi eq, %slot, %c0 : index
      %x = scf.if %even -> f32 {{
        %v = memref.load %tile0[%row, %at] : !tile
        scf.yield %v : f32
      }} else {{
        %v = memref.load %tile1[%row, %at] : !tile
        scf.yield %v : f32
      }}
      %token = nvgpu.mbarrier.arrive %empty[%slot] : !bars -> !nvgpu.mbarrier.token
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }}
    memref.store %sum, %out[%lane] : memref<32xf32>
  }}
  return
}}"
    )
}

fn run(text: &str, copies: AsyncMode, seed: u64) -> Result<Vec<f64>, Diag> {
    let args = [iota(F32, &[8, 60]), Tensor::zeros(F32, &[32])];
    let options = Options { copies, seed, ..Options::default() };
    try_run(text, &args, &options).map(|outcome| outcome.buffers[1].to_f64())
}

/// Tiles come through the ring whatever the order; columns that the tensor does not have are zero.
#[test]
fn a_ring_of_boxes_turns() {
    // Lane l reads row l % 8, column 4 (l / 8) of each tile of 16; the last tile has 12 columns.
    let want: Vec<f64> = (0..32)
        .map(|lane| {
            let (row, at) = (lane % 8, lane / 8 * 4);
            (0..4).map(|k| 16 * k + at).filter(|&column| column < 60).map(|column| (row * 60 + column) as f64).sum()
        })
        .collect();
    for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
        for seed in 0..4 {
            assert_eq!(run(&ring(), copies, seed).unwrap_or_else(|diag| panic!("{copies:?}: {diag:?}")), want);
        }
    }
}

/// Each fault that such a program may have is found, at the operation that has it, in one mode at least.
#[test]
fn faults_in_phases_are_found() {
    let wait_full = "      nvgpu.mbarrier.try_wait.parity %full[%slot], %odd, %ticks : !bars\n";
    let wait_empty = "nvgpu.mbarrier.try_wait.parity %empty[%slot], %before, %ticks : !bars";
    let arrive = "%token = nvgpu.mbarrier.arrive %empty[%slot] : !bars -> !nvgpu.mbarrier.token";
    let load1 = "nvgpu.tma.async.load %desc[%column, %c0], %full[%slot] to %tile1 : !desc, !bars -> !tile";
    let expect = "nvgpu.mbarrier.arrive.expect_tx %full[%slot], %bytes : !bars";
    let faults: [(&str, &str, &str, &[&str], &str); 11] = [
        ("no wait for what is full", wait_full, "", &["async: ", "race: "], "memref.load"),
        (
            "the parity is always 0",
            wait_full,
            &wait_full.replace("%odd", "%even0"),
            &["async: ", "race: ", "deadlock: "],
            "",
        ),
        (
            "the parity is the other one",
            wait_full,
            &wait_full.replace("%odd", "%other"),
            &["async: ", "race: ", "deadlock: "],
            "",
        ),
        ("no wait for what is empty", wait_empty, "%unused = arith.constant 0 : i1", &["barrier: "], "expect_tx"),
        (
            "the parity of the empty ones is wrong",
            wait_empty,
            &wait_empty.replace("%before", "%odd"),
            &["barrier: "],
            "expect_tx",
        ),
        ("nobody says that a tile is empty", arrive, "", &["deadlock: "], "try_wait"),
        (
            "one thread fewer than expected comes",
            "%empty[%c0], %c32",
            "%empty[%c0], %many",
            &["deadlock: "],
            "try_wait",
        ),
        (
            "more bytes are expected than come",
            "arith.constant 512 : index",
            "arith.constant 516 : index",
            &["deadlock: "],
            "try_wait",
        ),
        ("a box is not brought", load1, "", &["deadlock: "], "try_wait"),
        (
            "bytes are not announced",
            expect,
            "%tok = nvgpu.mbarrier.arrive %full[%slot] : !bars -> !nvgpu.mbarrier.token",
            &["async: ", "race: ", "deadlock: "],
            "",
        ),
        ("others do not wait for the making", "  gpu.barrier\n", "", &["race: ", "uninitialised: "], "nvgpu.mbarrier"),
    ];
    let more = "  %even0 = arith.constant 0 : i1\n  %many = arith.constant 33 : index\n  %t = gpu.thread_id x\n";
    let other = "      %one = arith.constant 1 : i1\n      %other = arith.xori %odd, %one : i1\n";
    for (name, right, wrong, kinds, marked) in faults {
        let text = ring().replace("  %t = gpu.thread_id x\n", more);
        assert!(text.contains(right), "{name}");
        let wrong = if wrong.contains("%other") { format!("{other}{wrong}") } else { wrong.to_owned() };
        let text = text.replacen(right, &wrong, 1);
        let mut found = 0;
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            for seed in 0..3 {
                if let Err(diag) = run(&text, copies, seed) {
                    let span = diag.span.unwrap();
                    let at = &text[span.start as usize..span.end as usize];
                    let named = kinds.iter().any(|kind| diag.message.starts_with(kind)) && at.contains(marked);
                    // Where copies come early, other faults may follow first.
                    assert!(named || copies == AsyncMode::Eager, "{name}: {diag:?} at `{at}`");
                    found += usize::from(copies == AsyncMode::Lazy);
                }
            }
        }
        assert_eq!(found, 3, "{name}: nothing was found in lazy mode\n{text}");
    }
}

/// A thread may ask instead of waiting: in the end the answer is yes, or no where nobody else will come.
#[test]
fn threads_ask_for_the_end_of_a_phase() {
    let text = |arrivals: u32| {
        format!(
            "!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @f(%in: memref<8x60xf32>, %out: memref<32xf32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = arith.constant {arrivals} : index
  %t = gpu.thread_id x
  %lane = gpu.lane_id
  %first = arith.cmpi eq, %t, %c0 : index
  %low = arith.cmpi ult, %t, %c32 : index
  %b = nvgpu.mbarrier.create -> !bars
  nvgpu.mbarrier.init %b[%c0], %n, predicate = %first : !bars
  gpu.barrier
  %token = nvgpu.mbarrier.arrive %b[%c0] : !bars -> !nvgpu.mbarrier.token
  scf.if %low {{
    %done = nvgpu.mbarrier.test.wait %b[%c0], %token : !bars, !nvgpu.mbarrier.token
    %x = arith.uitofp %done : i1 to f32
    memref.store %x, %out[%lane] : memref<32xf32>
  }}
  return
}}"
        )
    };
    assert_eq!(run(&text(64), AsyncMode::Lazy, 0).unwrap(), [1.0; 32]);
    assert_eq!(run(&text(65), AsyncMode::Lazy, 0).unwrap(), [0.0; 32]);
    let diag = run(&text(0), AsyncMode::Lazy, 0).unwrap_err();
    assert!(diag.message.contains("a barrier takes 1 to"), "{diag:?}");
}
