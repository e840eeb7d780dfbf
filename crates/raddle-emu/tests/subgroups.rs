//! Subgroups of any size from 1 to 128 lanes, whole and partial.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Options, Tensor};
use raddle_ir::{Code, Scalar};

use crate::common::try_run;

/// A kernel of `threads` threads in subgroups of `size`.
fn kernel(threads: i64, size: i64, arg: &str, body: &str) -> String {
    format!(
        "func.func @f({arg}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{threads}, 1, 1] subgroup_size = {size}>}} {{
  %t = gpu.thread_id x
  %lane = gpu.lane_id
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  {body}
  return
}}"
    )
}

/// Shared memory across subgroups, a shuffle, and a loop that each lane leaves at its own time.
#[test]
fn lanes_of_any_subgroup_size_work_together() {
    for size in 1..=128i64 {
        let threads = 3 * size - size / 2;
        let width = 1i64 << size.ilog2();
        let body = format!(
            "%shared = memref.alloc() : memref<{threads}xindex, #gpu.address_space<workgroup>>
  %threads = arith.constant {threads} : index
  %size = arith.constant {size} : index
  memref.store %t, %shared[%t] : memref<{threads}xindex, #gpu.address_space<workgroup>>
  gpu.barrier
  %further = arith.addi %t, %size : index
  %at = arith.remui %further, %threads : index
  %far = memref.load %shared[%at] : memref<{threads}xindex, #gpu.address_space<workgroup>>
  %near = arith.index_cast %far : index to i32
  %i1 = arith.constant 1 : i32
  %width = arith.constant {width} : i32
  %other, %valid = gpu.shuffle up %near, %i1, %width : i32
  %sum = scf.for %i = %zero to %lane step %one iter_args(%acc = %zero) -> index {{
    %more = arith.addi %acc, %i : index
    scf.yield %more : index
  }}
  %shuffled = arith.index_cast %other : i32 to index
  %flag = arith.extui %valid : i1 to i32
  %whether = arith.index_cast %flag : i32 to index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  memref.store %shuffled, %out[%zero, %t] : memref<3x{threads}xindex>
  memref.store %whether, %out[%c1, %t] : memref<3x{threads}xindex>
  memref.store %sum, %out[%c2, %t] : memref<3x{threads}xindex>"
        );
        let text = kernel(threads, size, &format!("%out: memref<3x{threads}xindex>"), &body);
        for seed in [0, 3] {
            let args = [Tensor::zeros(Scalar::Index, &[3, threads])];
            let outcome = try_run(&text, &args, &Options { seed, ..Options::default() })
                .unwrap_or_else(|diag| panic!("{size}: {diag:?}"));
            let far = |t: i64| (t + size) % threads;
            let valid = |t: i64| t % size % width != 0;
            let shuffled = (0..threads).map(|t| if valid(t) { far(t - 1) } else { far(t) });
            let flags = (0..threads).map(|t| i64::from(valid(t)));
            let sums = (0..threads).map(|t| (t % size) * (t % size - 1) / 2);
            let want: Vec<i64> = shuffled.chain(flags).chain(sums).collect();
            assert_eq!(outcome.buffers[0].to_i64(), want, "size {size}");
        }
    }
}

/// Reductions in clusters, for every size that clusters fill.
#[test]
fn clusters_fill_subgroups_or_are_refused() {
    for size in 1..=128i64 {
        for cluster in [1, 2, 4, 8, 16, 32, 64, 128] {
            let body = format!(
                "%x = arith.index_cast %lane : index to i32
  %sum = gpu.subgroup_reduce add %x cluster(size = {cluster}) : (i32) -> i32
  memref.store %sum, %out[%t] : memref<{size}xi32>"
            );
            let text = kernel(size, size, &format!("%out: memref<{size}xi32>"), &body);
            match try_run(&text, &[Tensor::zeros(Scalar::Int(32), &[size])], &Options::default()) {
                Ok(outcome) => {
                    assert_eq!(size % cluster, 0);
                    let sum = |lane: i64| (0..cluster).map(|i| lane / cluster * cluster + i).sum();
                    assert_eq!(outcome.buffers[0].to_i64(), (0..size).map(sum).collect::<Vec<i64>>());
                }
                Err(diag) => {
                    assert_eq!(diag.code, Code::CannotExecute, "{diag:?}");
                    assert_ne!(size % cluster, 0, "{diag:?}");
                }
            }
        }
    }
    let text = kernel(256, 129, "%out: memref<1xi32>", "");
    let diag = try_run(&text, &[Tensor::zeros(Scalar::Int(32), &[1])], &Options::default()).unwrap_err();
    assert_eq!(diag.code, Code::BadLaunch);
}

/// A barrier that any one lane misses is found, and the lane is named.
#[test]
fn any_missing_lane_is_named() {
    for size in [2i64, 7, 33, 64, 127, 128] {
        for missing in [0, size / 2, size - 1] {
            let body = format!(
                "%missing = arith.constant {missing} : index
  %there = arith.cmpi ne, %t, %missing : index
  scf.if %there {{
    gpu.barrier
  }}"
            );
            let diag = try_run(&kernel(size, size, "", &body), &[], &Options::default()).unwrap_err();
            assert!(diag.message.starts_with("barrier: a barrier is reached by lanes"), "{diag:?}");
            assert!(diag.message.ends_with(&format!("lanes {missing} are elsewhere")), "{diag:?}");
        }
    }
}
