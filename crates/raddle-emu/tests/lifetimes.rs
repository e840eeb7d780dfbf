//! Allocations: what is used after it was freed, or before anybody wrote it this time, is found.

use raddle_emu::{Options, Tensor};

use crate::common;
use crate::common::{F32, I32, SIMT, bad, good, iota};

const SHARED: &str = "memref<64xf32, #gpu.address_space<workgroup>>";

fn kernel(args: &str, body: &str) -> String {
    let body = body.replace("$shared", SHARED);
    format!(
        "func.func @k({args}) {SIMT} {{\n  %t = gpu.thread_id x\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n  %c32 = arith.constant 32 : index\n  %c63 = arith.constant 63 : index\n{body}\n  return\n}}"
    )
}

fn io(body: &str) -> String {
    kernel("%in: memref<64xf32>, %out: memref<64xf32>", body)
}

fn data() -> [Tensor; 2] {
    [iota(F32, &[64]), Tensor::zeros(F32, &[64])]
}

/// A read behind the end of the allocation's life.
#[test]
fn a_use_after_dealloc_is_found() {
    let text = io("  %s = memref.alloc() : $shared
  %x = memref.load %in[%t] : memref<64xf32>
  memref.store %x, %s[%t] : $shared
  memref.dealloc %s : $shared
  %y = memref.load %s[%t] : $shared
  memref.store %y, %out[%t] : memref<64xf32>");
    let diag = bad(&text, &data(), "freed: thread", "memref.load %s");
    assert_eq!(diag.related.len(), 1, "the place of the dealloc is named");
}

/// It is found in another subgroup as well, if a barrier stands between the two.
#[test]
fn a_use_after_another_subgroups_dealloc_is_found() {
    let text = io("  %s = memref.alloc() : $shared
  %x = memref.load %in[%t] : memref<64xf32>
  memref.store %x, %s[%t] : $shared
  %first = arith.cmpi ult, %t, %c32 : index
  scf.if %first { memref.dealloc %s : $shared }
  gpu.barrier
  %y = memref.load %s[%t] : $shared
  memref.store %y, %out[%t] : memref<64xf32>");
    bad(&text, &data(), "freed: thread", "memref.load %s");
}

/// Two ends of one life.
#[test]
fn a_double_free_is_found() {
    let text = io("  %s = memref.alloc() : $shared\n  memref.dealloc %s : $shared\n  memref.dealloc %s : $shared");
    bad(&text, &data(), "freed: thread", "memref.dealloc");
}

/// In a loop each iteration frees what it allocated; subgroups need not free at the same time.
#[test]
fn an_allocation_for_each_iteration_is_right() {
    let text = io("  scf.for %i = %c0 to %c2 step %c1 {
    %s = memref.alloc() : $shared
    %x = memref.load %in[%t] : memref<64xf32>
    memref.store %x, %s[%t] : $shared
    gpu.barrier
    %m = arith.subi %c63, %t : index
    %y = memref.load %s[%m] : $shared
    memref.store %y, %out[%t] : memref<64xf32>
    gpu.barrier
    memref.dealloc %s : $shared
  }");
    let out = good(&text, &data());
    assert_eq!(out.buffers[1].to_f64()[0], 63.0);
}

/// What the iteration before wrote is gone.
#[test]
fn an_allocation_in_a_loop_begins_without_contents() {
    let text = io("  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    %s = memref.alloc() : $shared
    %p = arith.cmpi eq, %i, %c0 : index
    scf.if %p { memref.store %z, %s[%t] : $shared }
    %y = memref.load %s[%t] : $shared
    memref.store %y, %out[%t] : memref<64xf32>
  }");
    bad(&text, &data(), "uninitialised: ", "memref.load %s");
}

/// Another subgroup still reads what the iteration before wrote.
#[test]
fn an_allocation_that_is_used_again_too_early_is_a_race() {
    let text = io("  scf.for %i = %c0 to %c2 step %c1 {
    %s = memref.alloc() : $shared
    %x = memref.load %in[%t] : memref<64xf32>
    memref.store %x, %s[%t] : $shared
    gpu.barrier
    %m = arith.subi %c63, %t : index
    %y = memref.load %s[%m] : $shared
    memref.store %y, %out[%t] : memref<64xf32>
  }");
    bad(&text, &data(), "race: ", "memref");
}

/// A workgroup has sixteen barriers.
#[test]
fn a_barrier_that_does_not_exist_is_found() {
    let text = |id: i64| {
        kernel(
            "%out: memref<64xf32>",
            &format!(
                "  %id = arith.constant {id} : i32\n  %n = arith.constant 64 : i32\n  nvvm.barrier id = %id number_of_threads = %n"
            ),
        )
    };
    good(&text(15), &data()[1..]);
    for id in [16, 17, -1] {
        bad(&text(id), &data()[1..], &format!("barrier: there is no barrier {id}"), "nvvm.barrier");
    }
}

/// Lanes that come behind the phase that their neighbours end.
#[test]
fn more_arrivals_than_a_phase_counts_are_found() {
    let group = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>";
    let text = |count: u32| {
        io(&format!(
            "  %b = nvgpu.mbarrier.create -> {group}
  %n = arith.constant {count} : index
  %q = arith.cmpi eq, %t, %c0 : index
  nvgpu.mbarrier.init %b[%c0], %n, predicate = %q : {group}
  gpu.barrier
  %s = memref.alloc() : $shared
  %x = memref.load %in[%t] : memref<64xf32>
  memref.store %x, %s[%t] : $shared
  %tok = nvgpu.mbarrier.arrive %b[%c0] : {group} -> !nvgpu.mbarrier.token
  %even = arith.constant 0 : i1
  nvgpu.mbarrier.try_wait.parity %b[%c0], %even, %c1 : {group}
  %m = arith.subi %c63, %t : index
  %y = memref.load %s[%m] : $shared
  memref.store %y, %out[%t] : memref<64xf32>"
        ))
    };
    assert_eq!(good(&text(64), &data()).buffers[1].to_f64()[0], 63.0);
    bad(&text(48), &data(), "barrier: the barrier is made for 48 arrivals", "arrive");
    // A whole subgroup too many ends another phase, and nobody has waited for its writes.
    bad(&text(32), &data(), "race: ", "memref");
}

/// A kernel that does not fit its chip.
#[test]
fn too_much_shared_memory_is_found() {
    let text = io(
        "  %s = memref.alloc() : $shared\n  %x = memref.load %in[%t] : memref<64xf32>\n  memref.store %x, %s[%t] : $shared",
    );
    let run =
        |max: u64| common::try_run(&text, &data(), &Options { shared_bytes_max: Some(max), ..Options::default() });
    assert!(run(256).is_ok());
    let diag = run(255).expect_err("64 floats have 256 bytes");
    assert_eq!(diag.code, raddle_ir::Code::OverLimit);
}

/// Bytes of one buffer are numbers of two types, one after the other.
#[test]
fn bytes_are_seen_as_numbers() {
    let raw = "memref<512xi8, #gpu.address_space<workgroup>>";
    let (floats, ints) = (SHARED, "memref<64xi32, #gpu.address_space<workgroup>>");
    let body = |second: &str| {
        format!(
            "  %raw = memref.alloc() : {raw}
  %c16 = arith.constant 16 : index
  %a = memref.view %raw[%c0][] : {raw} to {floats}
  %b = memref.view %raw[%c16][] : {raw} to {ints}
  %x = memref.load %in[%t] : memref<64xf32>
  memref.store %x, %a[%t] : {floats}
  gpu.barrier
  %m = arith.subi %c63, %t : index
  %y = memref.load %a[%m] : {floats}
  {second}
  %q = arith.fptosi %y : f32 to i32
  memref.store %q, %b[%t] : {ints}
  gpu.barrier
  %w = memref.load %b[%m] : {ints}
  memref.store %w, %out[%t] : memref<64xi32>"
        )
    };
    let text = |second: &str| kernel("%in: memref<64xf32>, %out: memref<64xi32>", &body(second));
    let args = [iota(F32, &[64]), Tensor::zeros(I32, &[64])];
    let out = good(&text("gpu.barrier"), &args);
    assert_eq!(out.buffers[1].to_i64(), (0..64).collect::<Vec<_>>());
    bad(&text(""), &args, "race: ", "memref");
}

/// The bits of a number are those of its type, and a view stands where its type can.
#[test]
fn bytes_have_the_order_of_the_machine() {
    let raw = "memref<64xi8, #gpu.address_space<workgroup>>";
    let half = "memref<4xf16, #gpu.address_space<workgroup>>";
    let text = |at: u32| {
        kernel(
            "%out: memref<64xi8>",
            &format!(
                "  %raw = memref.alloc() : {raw}
  %at = arith.constant {at} : index
  %a = memref.view %raw[%at][] : {raw} to {half}
  %x = arith.constant 1.5 : f16
  %y = arith.constant dense<[1.5, -2.0]> : vector<2xf16>
  %q = arith.cmpi eq, %t, %c0 : index
  scf.if %q {{
    vector.store %y, %a[%c2] : {half}, vector<2xf16>
    %lane = arith.addi %at, %c1 : index
    %c4 = arith.constant 4 : index
    %first = arith.addi %at, %c4 : index
    scf.for %i = %c0 to %c4 step %c1 {{
      %from = arith.addi %first, %i : index
      %b = memref.load %raw[%from] : {raw}
      memref.store %b, %out[%i] : memref<64xi8>
    }}
  }}"
            ),
        )
    };
    let args = [Tensor::zeros(raddle_ir::Scalar::Int(8), &[64])];
    // 1.5 is 0x3e00 and -2 is 0xc000.
    assert_eq!(good(&text(8), &args).buffers[0].to_i64()[..4], [0, 0x3e, 0, i64::from(0xc0_u8 as i8)]);
    bad(&text(7), &args, "misaligned: the view begins at byte 7", "memref.view");
    bad(&text(58), &args, "bounds: ", "memref.view");
}
