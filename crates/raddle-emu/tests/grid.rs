//! Any number of the emulator's own threads gives the same outcome, finding by finding and count by count.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use raddle_emu::{Launch, Options, Outcome, Stop, Tensor, run};
use raddle_ir::{Code, Diag};

use crate::common::{F32, SIMT, iota, parse, try_run};

/// 64 workgroups that each work for long, and then store to `%at`, and load from `%from`.
fn long(at: &str, from: &str) -> String {
    let attributes = SIMT.replace("attributes {", "attributes {gpu.known_grid_size = array<i32: 8, 4, 2>, ");
    format!(
        "func.func @long(%in: memref<4096xf32>, %out: memref<4096xf32>) {attributes} {{
  %shared = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %thread = gpu.thread_id x
  %x = gpu.block_id x
  %y = gpu.block_id y
  %z = gpu.block_id z
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 150 : index
  %zy = arith.muli %z, %c4 : index
  %yz = arith.addi %zy, %y : index
  %yzx = arith.muli %yz, %c8 : index
  %block = arith.addi %yzx, %x : index
  %first = arith.muli %block, %c64 : index
  %mine = arith.addi %first, %thread : index
  %one = arith.addi %mine, %c1 : index
  %next = arith.andi %one, %c63 : index
  %init = memref.load %in[%mine] : memref<4096xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> f32 {{
    memref.store %acc, %shared[%thread] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %neighbour = memref.load %shared[%next] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %more = arith.addf %acc, %neighbour : f32
    scf.yield %more : f32
  }}
  memref.store %sum, %out[{at}] : memref<4096xf32>
  %again = memref.load %out[{from}] : memref<4096xf32>
  %twice = arith.addf %again, %again : f32
  memref.store %twice, %out[{at}] : memref<4096xf32>
  return
}}"
    )
}

fn args() -> [Tensor; 2] {
    [iota(F32, &[4096]), Tensor::zeros(F32, &[64, 64])]
}

fn with(threads: usize, sanitize: bool, seed: u64) -> Options {
    Options { threads, sanitize, seed, banks: Some(32), ..Options::default() }
}

/// Everything there is to know about a run.
fn seen(outcome: Result<Outcome, Diag>) -> String {
    match outcome {
        Ok(outcome) => format!("{outcome:?}"),
        Err(diag) => format!("{diag:?}"),
    }
}

/// Results, writers, counts and costs.
#[test]
fn threads_change_nothing() {
    for sanitize in [true, false] {
        for seed in [0, 5] {
            let text = long("%mine", "%mine");
            let one = seen(try_run(&text, &args(), &with(1, sanitize, seed)));
            assert!(one.contains("buffers"), "{one}");
            for threads in [2, 3, 64] {
                let many = seen(try_run(&text, &args(), &with(threads, sanitize, seed)));
                assert!(one == many, "{threads} threads, sanitize: {sanitize}, seed {seed}");
            }
        }
    }
}

/// A race between workgroups is the same one, and without sanitizers the workgroups behave as if they ran in order.
#[test]
fn threads_find_the_same_races() {
    for (at, from) in [("%mine", "%thread"), ("%thread", "%thread"), ("%next", "%mine"), ("%mine", "%c63")] {
        for sanitize in [true, false] {
            let seed = if sanitize { 0 } else { 5 };
            let text = long(at, from);
            let one = seen(try_run(&text, &args(), &with(1, sanitize, seed)));
            assert_eq!(one.contains("race: "), sanitize, "{one}");
            let many = seen(try_run(&text, &args(), &with(3, sanitize, seed)));
            assert!(one == many, "{at} and {from}:\n{one}\n{many}");
        }
    }
}

/// A finding in a late workgroup is told as if the workgroups had run in order.
#[test]
fn threads_find_the_same_faults() {
    let text = long("%mine", "%mine")
        .replace("%out: memref<4096", "%out: memref<4000")
        .replace("%out[%mine] : memref<4096", "%out[%mine] : memref<4000");
    let args = [iota(F32, &[4096]), Tensor::zeros(F32, &[40, 100])];
    let one = try_run(&text, &args, &with(1, true, 0)).unwrap_err();
    assert!(one.message.starts_with("bounds: index 4000"), "{one:?}");
    assert!(
        one.notes.iter().any(|note| note.ends_with("40x100 that the buffer holds, this would be [40, 0]")),
        "{one:?}"
    );
    for threads in [2, 9] {
        assert_eq!(format!("{:?}", try_run(&text, &args, &with(threads, true, 0)).unwrap_err()), format!("{one:?}"));
    }
}

/// What each thread has of the fuel is what the run has left.
#[test]
fn threads_share_the_fuel() {
    let text = long("%mine", "%mine");
    let fuel = try_run(&text, &args(), &with(1, true, 0)).unwrap().counters.fuel;
    for threads in [1, 2, 5] {
        assert!(try_run(&text, &args(), &Options { fuel, ..with(threads, true, 0) }).is_ok());
        let short = try_run(&text, &args(), &Options { fuel: fuel - 1, ..with(threads, true, 0) }).unwrap_err();
        assert_eq!(short.code, Code::LimitHit);
    }
}

/// The caller's clock ends a run.
#[test]
fn a_run_stops_when_it_is_told_to() {
    let ir = parse(&long("%mine", "%mine").replace("constant 150", "constant 1000000"));
    let func = ir.funcs()[0];
    let launch = Launch::of(&ir, func).unwrap();
    for threads in [1, 3] {
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let stop = Stop(Arc::new(move |_| count.fetch_add(1, Ordering::Relaxed) > 0));
        let options = Options { stop: Some(stop), fuel: u64::MAX, ..with(threads, true, 0) };
        let diag = run(&ir, func, &args(), &launch, &options).unwrap_err();
        assert_eq!(diag.code, Code::LimitHit);
        assert!(diag.message.contains("used up its time"), "{}", diag.message);
        assert!(asked.load(Ordering::Relaxed) > 1);
    }
}
