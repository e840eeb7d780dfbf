//! Atomic accesses put what is before one in front of what is behind a later one, and threads may wait for one another
//! by looking at memory.

use raddle_emu::{Launch, Options, Tensor, run};

use crate::common;
use crate::common::{F32, I32, bad, good, iota};

const SHARED: &str = "#gpu.address_space<workgroup>";

fn kernel(grid: u32, args: &str, body: &str) -> String {
    let body = body.replace("$shared", SHARED);
    format!(
        "func.func @k({args}) attributes {{gpu.known_grid_size = array<i32: {grid}, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>}} {{
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i3 = arith.constant 3 : i32
  %z = arith.constant 0.0 : f32
  %q = arith.cmpi eq, %t, %c0 : index
{body}
  return
}}"
    )
}

/// Each workgroup leaves a part; the last one to come adds them up.
fn last_block(count: &str) -> String {
    let body = format!(
        "  %f1 = arith.constant 1.0 : f32
  scf.if %q {{
    memref.store %f1, %part[%b] : memref<4xf32>
    {count}
    %last = arith.cmpi eq, %o, %i3 : i32
    scf.if %last {{
      %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> (f32) {{
        %y = memref.load %part[%i] : memref<4xf32>
        %e = arith.addf %a, %y : f32
        scf.yield %e : f32
      }}
      memref.store %s, %out[%c0] : memref<1xf32>
    }}
  }}"
    );
    kernel(4, "%cnt: memref<1xi32>, %part: memref<4xf32>, %out: memref<1xf32>", &body)
}

fn blocks() -> [Tensor; 3] {
    [Tensor::zeros(I32, &[1]), Tensor::zeros(F32, &[4]), Tensor::zeros(F32, &[1])]
}

#[test]
fn the_last_workgroup_sees_what_the_others_wrote() {
    let text = last_block("%o = memref.atomic_rmw addi %i1, %cnt[%c0] : (i32, memref<1xi32>) -> i32");
    for seed in 0..4 {
        let out = common::try_run(&text, &blocks(), &Options { seed, ..Options::default() });
        assert_eq!(out.unwrap_or_else(|diag| panic!("{diag:?}")).buffers[2].to_f64(), [4.0]);
    }
    // A counter for each workgroup tells nobody anything.
    let apart = last_block(
        "%p = memref.atomic_rmw addi %i1, %cnt[%c0] : (i32, memref<1xi32>) -> i32
    %at = arith.index_cast %b : index to i32
    %o = arith.constant 3 : i32",
    );
    bad(&apart, &blocks(), "race: ", "memref");
}

/// The parts are those of all threads, so that a barrier stands before and behind the counter.
#[test]
fn a_barrier_passes_on_what_one_thread_acquired() {
    let text = |before: &str, behind: &str| {
        let body = format!(
            "  %flag = memref.alloc() : memref<1xi32, $shared>
  %row = arith.muli %b, %c64 : index
  %at = arith.addi %row, %t : index
  %x = memref.load %in[%at] : memref<256xf32>
  memref.store %x, %part[%at] : memref<256xf32>
  {before}
  scf.if %q {{
    %o = memref.atomic_rmw addi %i1, %cnt[%c0] : (i32, memref<1xi32>) -> i32
    memref.store %o, %flag[%c0] : memref<1xi32, $shared>
  }}
  {behind}
  %n = memref.load %flag[%c0] : memref<1xi32, $shared>
  %last = arith.cmpi eq, %n, %i3 : i32
  scf.if %last {{
    %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> (f32) {{
      %first = arith.muli %i, %c64 : index
      %from = arith.addi %first, %t : index
      %y = memref.load %part[%from] : memref<256xf32>
      %e = arith.addf %a, %y : f32
      scf.yield %e : f32
    }}
    memref.store %s, %out[%t] : memref<64xf32>
  }}"
        );
        kernel(4, "%cnt: memref<1xi32>, %in: memref<256xf32>, %part: memref<256xf32>, %out: memref<64xf32>", &body)
    };
    let args = [Tensor::zeros(I32, &[1]), iota(F32, &[256]), Tensor::zeros(F32, &[256]), Tensor::zeros(F32, &[64])];
    let out = good(&text("gpu.barrier", "gpu.barrier"), &args);
    let expected: Vec<f64> = (0..64).map(|t| f64::from(4 * t + 64 + 128 + 192)).collect();
    assert_eq!(out.buffers[3].to_f64(), expected);
    bad(&text("", "gpu.barrier"), &args, "race: ", "memref");
    bad(&text("gpu.barrier", ""), &args, "race: ", "memref");
}

/// A thread that waits for a flag, and what the other one wrote before it set that.
#[test]
fn a_spinning_subgroup_lets_the_others_run() {
    let text = |flag: &str| {
        let body = format!(
            "  %s = memref.alloc() : memref<1xi32, $shared>
  %d = memref.alloc() : memref<1xf32, $shared>
  scf.if %q {{ memref.store %i0, %s[%c0] : memref<1xi32, $shared> }}
  gpu.barrier
  %p1 = arith.cmpi eq, %t, %c32 : index
  scf.if %p1 {{
    %x = memref.load %in[%c1] : memref<32xf32>
    memref.store %x, %d[%c0] : memref<1xf32, $shared>
    {flag}
  }}
  scf.if %q {{
    scf.while : () -> () {{
      %f = memref.atomic_rmw ori %i0, %s[%c0] : (i32, memref<1xi32, $shared>) -> i32
      %go = arith.cmpi eq, %f, %i0 : i32
      scf.condition(%go)
    }} do {{ scf.yield }}
    %y = memref.load %d[%c0] : memref<1xf32, $shared>
    memref.store %y, %out[%c0] : memref<32xf32>
  }}"
        );
        kernel(1, "%in: memref<32xf32>, %out: memref<32xf32>", &body)
    };
    let set = "%o = memref.atomic_rmw addi %i1, %s[%c0] : (i32, memref<1xi32, $shared>) -> i32";
    let args = [iota(F32, &[32]), Tensor::zeros(F32, &[32])];
    for seed in 0..4 {
        let out = common::try_run(&text(set), &args, &Options { seed, ..Options::default() });
        assert_eq!(out.unwrap_or_else(|diag| panic!("{diag:?}")).buffers[1].to_f64()[0], 1.0);
    }
    // A plain store is not a message.
    bad(&text("memref.store %i1, %s[%c0] : memref<1xi32, $shared>"), &args, "race: ", "memref");
    // Nobody sets the flag: the run ends all the same.
    let ir = common::parse(&text(""));
    let func = ir.funcs()[0];
    let launch = Launch::of(&ir, func).expect("the kernel says it");
    let diag = run(&ir, func, &args, &launch, &Options { fuel: 10_000_000, ..Options::default() })
        .expect_err("the loop does not end");
    assert!(diag.message.starts_with("limit: "), "{diag:?}");
}

/// A lock around a number that two subgroups count.
#[test]
fn a_lock_orders_what_it_protects() {
    let text = |take: &str, give: &str| {
        let body = format!(
            "  %f = memref.alloc() : memref<1xi32, $shared>
  %v = memref.alloc() : memref<1xi32, $shared>
  %p = arith.cmpi eq, %t, %c32 : index
  %any = arith.ori %p, %q : i1
  scf.if %q {{
    memref.store %i0, %f[%c0] : memref<1xi32, $shared>
    memref.store %i0, %v[%c0] : memref<1xi32, $shared>
  }}
  gpu.barrier
  scf.if %any {{
    {take}
    %x = memref.load %v[%c0] : memref<1xi32, $shared>
    %n = arith.addi %x, %i1 : i32
    memref.store %n, %v[%c0] : memref<1xi32, $shared>
    {give}
  }}
  gpu.barrier
  scf.if %q {{
    %x = memref.load %v[%c0] : memref<1xi32, $shared>
    memref.store %x, %out[%c0] : memref<1xi32>
  }}"
        );
        kernel(1, "%out: memref<1xi32>", &body)
    };
    let take = "scf.while : () -> () {
      %o = memref.atomic_rmw maxs %i1, %f[%c0] : (i32, memref<1xi32, $shared>) -> i32
      %go = arith.cmpi eq, %o, %i1 : i32
      scf.condition(%go)
    } do { scf.yield }";
    let give = "%u = memref.atomic_rmw assign %i0, %f[%c0] : (i32, memref<1xi32, $shared>) -> i32";
    let args = [Tensor::zeros(I32, &[1])];
    for seed in 0..4 {
        let out = common::try_run(&text(take, give), &args, &Options { seed, ..Options::default() });
        assert_eq!(out.unwrap_or_else(|diag| panic!("{diag:?}")).buffers[0].to_i64(), [2]);
    }
    bad(&text("", give), &args, "race: ", "memref");
    // An update whose old value nobody looks at does not wait for anyone.
    bad(&text(give.replace("%u", "%w").as_str(), give), &args, "race: ", "memref");
}

/// An atomic access of one lane orders that lane: its neighbours need a barrier of the subgroup.
#[test]
fn a_lane_releases_for_itself() {
    let text = |barrier: &str| {
        let body = format!(
            "  %s = memref.alloc() : memref<1xi32, $shared>
  %d = memref.alloc() : memref<64xf32, $shared>
  scf.if %q {{ memref.store %i0, %s[%c0] : memref<1xi32, $shared> }}
  gpu.barrier
  %upper = arith.cmpi uge, %t, %c32 : index
  scf.if %upper {{
    %x = memref.load %in[%t] : memref<64xf32>
    memref.store %x, %d[%t] : memref<64xf32, $shared>
  }}
  {barrier}
  %p1 = arith.cmpi eq, %t, %c32 : index
  scf.if %p1 {{
    %o = memref.atomic_rmw addi %i1, %s[%c0] : (i32, memref<1xi32, $shared>) -> i32
  }}
  scf.if %q {{
    scf.while : () -> () {{
      %f = memref.atomic_rmw ori %i0, %s[%c0] : (i32, memref<1xi32, $shared>) -> i32
      %go = arith.cmpi eq, %f, %i0 : i32
      scf.condition(%go)
    }} do {{ scf.yield }}
    %c63 = arith.constant 63 : index
    %y = memref.load %d[%c63] : memref<64xf32, $shared>
    memref.store %y, %out[%c0] : memref<64xf32>
  }}"
        );
        kernel(1, "%in: memref<64xf32>, %out: memref<64xf32>", &body)
    };
    let args = [iota(F32, &[64]), Tensor::zeros(F32, &[64])];
    let out = good(&text("gpu.barrier scope<subgroup>"), &args);
    assert_eq!(out.buffers[1].to_f64()[0], 63.0);
    bad(&text(""), &args, "race: ", "memref");
}
