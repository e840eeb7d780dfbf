//! What a program must not do is found, at its operation, whatever the order of the subgroups; and a program that does
//! nothing wrong is left in peace.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Options, Tensor};
use raddle_ir::Code;

use crate::common::{F16, F32, I32, SIMT, bad, good, iota, try_run};

/// Every thread stores its number, and loads that of the thread `distance` further.
fn exchange(barrier: &str, distance: i64) -> String {
    format!(
        "func.func @exchange(%in: memref<64xf32>, %out: memref<64xf32>) {SIMT} {{
  %shared = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %thread = gpu.thread_id x
  %c = arith.constant {distance} : index
  %c63 = arith.constant 63 : index
  %sum = arith.addi %thread, %c : index
  %other = arith.andi %sum, %c63 : index
  %x = memref.load %in[%thread] : memref<64xf32>
  memref.store %x, %shared[%thread] : memref<64xf32, #gpu.address_space<workgroup>>
  {barrier}
  %y = memref.load %shared[%other] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %out[%thread] : memref<64xf32>
  return
}}"
    )
}

/// With its barrier the exchange is right; without it, it races, within a subgroup as well as between two.
#[test]
fn a_missing_barrier_is_a_race() {
    let args = [iota(F32, &[64]), Tensor::zeros(F32, &[64])];
    let outcome = good(&exchange("gpu.barrier", 33), &args);
    assert_eq!(outcome.buffers[1].to_i64(), (0..64).map(|t| (t + 33) % 64).collect::<Vec<_>>());
    assert_eq!(outcome.counters.barriers, 1);
    for distance in [1, 33] {
        // In some orders the read comes first, and finds nothing there: it is the same race.
        bad(&exchange("", distance), &args, "race: ", "memref");
    }
    // Reading one's own element needs no barrier.
    good(&exchange("", 0), &args);
}

/// Two threads that write one element race, even when they write the same value.
#[test]
fn two_writers_of_one_element_race() {
    let text = format!(
        "func.func @writers(%out: memref<64xf32>) {SIMT} {{
  %c7 = arith.constant 7 : index
  %thread = gpu.thread_id x
  %one = arith.constant 1.0 : f32
  memref.store %one, %out[%c7] : memref<64xf32>
  return
}}"
    );
    let diag = bad(&text, &[Tensor::zeros(F32, &[8, 8])], "race: thread", "memref.store");
    // The element is named as the caller's tensor has it.
    assert!(diag.message.contains("element [0, 7] of memref argument 0"), "{}", diag.message);
    assert_eq!(diag.related.len(), 1);
}

/// Between two barriers a read and a later write of another thread race too.
#[test]
fn a_write_after_a_read_races() {
    let body = |barrier: &str| {
        format!(
            "func.func @after(%buffer: memref<64xf32>) {SIMT} {{
  %thread = gpu.thread_id x
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %sum = arith.addi %thread, %c1 : index
  %next = arith.andi %sum, %c63 : index
  %x = memref.load %buffer[%next] : memref<64xf32>
  {barrier}
  memref.store %x, %buffer[%thread] : memref<64xf32>
  return
}}"
        )
    };
    let args = [iota(F32, &[64])];
    assert_eq!(good(&body("gpu.barrier"), &args).buffers[0].to_i64()[62..], [63, 0]);
    bad(&body(""), &args, "race: ", "memref.store");
}

/// Workgroups never wait for one another.
#[test]
fn workgroups_share_no_element_that_one_writes() {
    let text = |index: &str| {
        format!(
            "func.func @groups(%out: memref<4xi32>) attributes {{gpu.known_grid_size = array<i32: 4, 1, 1>}} {{
  %block = gpu.block_id x
  %zero = arith.constant 0 : index
  %x = arith.constant 5 : i32
  memref.store %x, %out[{index}] : memref<4xi32>
  return
}}"
        )
    };
    let args = [Tensor::zeros(I32, &[4])];
    assert_eq!(good(&text("%block"), &args).buffers[0].to_i64(), [5; 4]);
    let diag = bad(&text("%zero"), &args, "race: ", "memref.store");
    assert!(diag.message.contains("workgroups do not wait for one another"), "{}", diag.message);
}

/// Shared memory starts without contents, in every workgroup.
#[test]
fn shared_memory_starts_without_contents() {
    let text = "func.func @stale(%out: memref<2xf32>) attributes {gpu.known_grid_size = array<i32: 2, 1, 1>} {
  %shared = memref.alloc() : memref<1xf32, #gpu.address_space<workgroup>>
  %block = gpu.block_id x
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %first = arith.cmpi eq, %block, %zero : index
  scf.if %first {
    memref.store %one, %shared[%zero] : memref<1xf32, #gpu.address_space<workgroup>>
  }
  %x = memref.load %shared[%zero] : memref<1xf32, #gpu.address_space<workgroup>>
  memref.store %x, %out[%block] : memref<2xf32>
  return
}";
    bad(text, &[Tensor::zeros(F32, &[2])], "uninitialised: element [0] of shared memory", "memref.load");
}

/// A destination that is not an input is read only after it is written.
#[test]
fn destinations_are_written_before_they_are_read() {
    let text = "func.func @acc(%out: memref<1xf32>) {
  %zero = arith.constant 0 : index
  %x = memref.load %out[%zero] : memref<1xf32>
  memref.store %x, %out[%zero] : memref<1xf32>
  return
}";
    let args = [Tensor::zeros(F32, &[1])];
    good(text, &args);
    let options = Options { uninitialised_args: vec![0], ..Options::default() };
    let diag = try_run(text, &args, &options).unwrap_err();
    assert!(diag.message.starts_with("uninitialised: element [0] of memref argument 0"), "{}", diag.message);
    let options = Options { sanitize: false, ..options };
    assert!(try_run(text, &args, &options).is_ok());
}

/// One index past the end is found, and the lane that has it is named.
#[test]
fn an_index_past_the_end_is_out_of_bounds() {
    let text = format!(
        "func.func @past(%in: memref<40xf32>, %out: memref<64xf32>) {SIMT} {{
  %thread = gpu.thread_id x
  %x = memref.load %in[%thread] : memref<40xf32>
  memref.store %x, %out[%thread] : memref<64xf32>
  return
}}"
    );
    let args = [iota(F32, &[40]), Tensor::zeros(F32, &[64])];
    let diag = bad(&text, &args, "bounds: index 40 is outside dimension 0", "memref.load");
    assert_eq!(diag.notes[0], "in workgroup (0, 0, 0), subgroup 1, lane 8");
}

/// A vector access lies at a multiple of its size.
#[test]
fn vector_accesses_are_aligned() {
    let text = |factor: i64| {
        format!(
            "func.func @aligned(%in: memref<512xf16>, %out: memref<512xf16>) {SIMT} {{
  %thread = gpu.thread_id x
  %c = arith.constant {factor} : index
  %c4 = arith.constant 4 : index
  %from = arith.muli %thread, %c : index
  %to = arith.muli %thread, %c4 : index
  %x = vector.load %in[%from] : memref<512xf16>, vector<4xf16>
  vector.store %x, %out[%to] : memref<512xf16>, vector<4xf16>
  return
}}"
        )
    };
    let args = [iota(F16, &[512]), Tensor::zeros(F16, &[512])];
    let outcome = good(&text(4), &args);
    assert_eq!(outcome.buffers[1].to_i64()[..256], outcome.buffers[0].to_i64()[..256]);
    assert_eq!(outcome.counters.global_bytes_read, 512);
    let diag = bad(&text(2), &args, "misaligned: element [", "vector.load");
    assert!(diag.message.contains("[2] of memref argument 0 (byte 4) is not at a multiple of the 8 bytes"), "{diag:?}");
}

/// A barrier in a branch that only some lanes take is found, with the lanes that are missing.
#[test]
fn a_barrier_needs_every_lane() {
    let text = format!(
        "func.func @divergent() {SIMT} {{
  %thread = gpu.thread_id x
  %c48 = arith.constant 48 : index
  %some = arith.cmpi ult, %thread, %c48 : index
  scf.if %some {{
    gpu.barrier
  }}
  return
}}"
    );
    // In order, the first subgroup arrives whole; only the second one splits.
    let diag = try_run(&text, &[], &Options::default()).unwrap_err();
    assert!(diag.message.starts_with("barrier: a barrier is reached by lanes 0-15 only; lanes 16-31"), "{diag:?}");
    bad(&text, &[], "barrier: ", "gpu.barrier");
}

/// A subgroup that has finished keeps the others waiting forever.
#[test]
fn a_finished_subgroup_is_a_deadlock() {
    let text = |other: &str| {
        format!(
            "func.func @deadlock() {SIMT} {{
  %thread = gpu.thread_id x
  %c32 = arith.constant 32 : index
  %first = arith.cmpi ult, %thread, %c32 : index
  scf.if %first {{
    gpu.barrier
  }} else {{
    {other}
  }}
  return
}}"
        )
    };
    bad(&text(""), &[], "deadlock: subgroup 0 waits here for subgroup 1, which has finished", "gpu.barrier");
    bad(&text("gpu.barrier"), &[], "barrier: subgroup 0 waits here while subgroup 1 waits at another", "gpu.barrier");
}

/// A shuffle moves nothing when some lanes are elsewhere.
#[test]
fn a_shuffle_needs_every_lane() {
    let text = format!(
        "func.func @shuffle() {SIMT} {{
  %lane = gpu.lane_id
  %c3 = arith.constant 3 : index
  %i1 = arith.constant 1 : i32
  %i32 = arith.constant 32 : i32
  %x = arith.constant 1.0 : f32
  %some = arith.cmpi ne, %lane, %c3 : index
  scf.if %some {{
    %y, %valid = gpu.shuffle xor %x, %i1, %i32 : f32
  }}
  return
}}"
    );
    bad(&text, &[], "barrier: a shuffle is reached by lanes 0-2, 4-31 only; lanes 3", "gpu.shuffle");
}

/// Division by zero ends the run, but not in a lane that is off.
#[test]
fn division_by_zero_is_found_where_it_happens() {
    let text = |guard: &str| {
        format!(
            "func.func @divide(%out: memref<64xindex>) {SIMT} {{
  %thread = gpu.thread_id x
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : index
  %some = arith.cmpi {guard}, %thread, %zero : index
  scf.if %some {{
    %x = arith.divui %c100, %thread : index
    memref.store %x, %out[%thread] : memref<64xindex>
  }}
  return
}}"
        )
    };
    let args = [Tensor::zeros(raddle_ir::Scalar::Index, &[64])];
    assert_eq!(good(&text("ne"), &args).buffers[0].to_i64()[..4], [0, 100, 50, 33]);
    bad(&text("uge"), &args, "undefined: 100 is divided by zero", "arith.divui");
}

/// An endless loop, a huge allocation and a huge grid end with a limit, and soon.
#[test]
fn limits_end_hostile_programs() {
    let spin = "func.func @spin() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 9223372036854775807 : index
  scf.for %i = %zero to %n step %one {
  }
  return
}";
    let options = Options { fuel: 10_000_000, memory_max: 1 << 20, ..Options::default() };
    let hostile = [
        spin.to_owned(),
        spin.replace(
            "func.func @spin()",
            "func.func @grid() attributes {gpu.known_grid_size = array<i32: 2000000000, 2, 1>}",
        )
        .replace("9223372036854775807", "0"),
        spin.replace(
            "%n = arith",
            "%m = memref.alloc() : memref<1000000000000xf32, #gpu.address_space<workgroup>>\n  %n = arith",
        ),
        spin.replace("%n = arith", "%m = arith.constant dense<0.0> : vector<1000000x1000xf32>\n  %n = arith"),
        spin.replace("%n = arith", "%m = vector.step : vector<4000000000xindex>\n  %n = arith"),
        spin.replace("%n = arith", "%m = vector.constant_mask [1] : vector<4000000000xi1>\n  %n = arith"),
        SIMT.replace("[64, 1, 1]", "[4000000000, 1, 1]"),
        SIMT.replace("[64, 1, 1]", "[1000000, 1, 1]"),
    ];
    for mut text in hostile {
        if text.starts_with("attributes") {
            text = format!("func.func @wide() {text} {{\n  %lane = gpu.lane_id\n  return\n}}");
        }
        let diag = try_run(&text, &[], &options).unwrap_err();
        assert_eq!(diag.code, Code::LimitHit, "{diag:?}");
        assert!(diag.message.starts_with("limit: "), "{}", diag.message);
    }
}

/// What the emulator has no meaning for is refused at its operation, before anything runs.
#[test]
fn operations_of_the_wrong_stage_are_refused() {
    let text = format!(
        "func.func @mixed(%x: vector<4xf32>) {SIMT} {{
  %lane = gpu.lane_id
  %y = iree_vector_ext.to_simt %x : vector<4xf32> -> vector<4xf32>
  return
}}"
    );
    let diag = try_run(&text, &[Tensor::zeros(F32, &[4])], &Options::default()).unwrap_err();
    assert_eq!(diag.code, Code::CannotExecute, "{diag:?}");
}

/// An input of another shape or type is refused.
#[test]
fn inputs_fit_the_signature() {
    let text = "func.func @f(%x: memref<4x2xf32>) {
  return
}";
    good(text, &[Tensor::zeros(F32, &[4, 2])]);
    for args in [vec![], vec![Tensor::zeros(F32, &[8])], vec![Tensor::zeros(F16, &[4, 2])]] {
        assert_eq!(try_run(text, &args, &Options::default()).unwrap_err().code, Code::BadInput);
    }
    // A flat buffer takes any shape with as many elements.
    good(&text.replace("4x2", "8"), &[Tensor::zeros(F32, &[4, 2])]);
}
