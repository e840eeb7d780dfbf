//! What threads do together: votes, scans over lanes, reductions over all, barriers of some, atomics, asynchronous copies.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{AsyncMode, Options, Tensor};

use crate::common::{F32, I32, SIMT, bad, good, iota, try_run};

/// A kernel of 64 threads in subgroups of 32: `%t` is the thread, `%x` its number as `i32`, and `%r : i32` what it writes.
fn kernel(body: &str) -> String {
    format!(
        "func.func @f(%out: memref<64xi32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %x = arith.index_cast %t : index to i32
{body}
  memref.store %r, %out[%t] : memref<64xi32>
  return
}}"
    )
}

fn run(body: &str) -> Vec<i64> {
    good(&kernel(body), &[Tensor::zeros(I32, &[64])]).buffers[0].to_i64()
}

fn each(f: impl Fn(i64) -> i64) -> Vec<i64> {
    (0..64).map(f).collect()
}

/// A ballot has a bit for each lane of the subgroup that says yes; lanes that are elsewhere have none.
#[test]
fn lanes_vote() {
    let odd = "  %two = arith.constant 3 : i32
  %m = arith.remsi %x, %two : i32
  %zero = arith.constant 0 : i32
  %p = arith.cmpi eq, %m, %zero : i32
";
    let ballot = |first: i64| (0..32).filter(|lane| (first + lane) % 3 == 0).fold(0i64, |word, lane| word | 1 << lane);
    let want = each(|t| i64::from(ballot(t / 32 * 32) as i32));
    assert_eq!(run(&format!("{odd}  %r = gpu.ballot %p : i32")), want);
    assert_eq!(run(&format!("{odd}  %w = rocdl.ballot %p : i64\n  %r = arith.trunci %w : i64 to i32")), want);
    let some = "  %half = arith.constant 16 : i32
  %lane = gpu.lane_id
  %l = arith.index_cast %lane : index to i32
  %low = arith.cmpi slt, %l, %half : i32
  %r = scf.if %low -> i32 { %w = gpu.ballot %low : i32
    scf.yield %w : i32 } else { %w = gpu.ballot %low : i32
    scf.yield %w : i32 }";
    assert_eq!(run(some), each(|t| if t % 32 < 16 { 0xffff } else { 0 }));
    let any = "  %mask = arith.constant -1 : i32
  %nine = arith.constant 9 : i32
  %p = arith.cmpi eq, %x, %nine : i32
  %v = nvvm.vote.sync any %mask, %p -> i1
  %r = arith.extui %v : i1 to i32";
    assert_eq!(run(any), each(|t| i64::from(t < 32)));
    assert_eq!(run(&any.replace("sync any", "sync all")), each(|_| 0));
    assert_eq!(run(&any.replace("sync any", "sync uni")), each(|t| i64::from(t >= 32)));
}

/// One lane's value for all; around the circle; partial results over clusters of lanes, with a region of the program's.
#[test]
fn lanes_share_and_scan() {
    let five = "  %five = arith.constant 5 : i32\n";
    let pick = format!("{five}  %r = gpu.subgroup_broadcast %x, specific_lane %five : i32");
    assert_eq!(run(&pick), each(|t| t / 32 * 32 + 5));
    assert_eq!(run("  %r = gpu.subgroup_broadcast %x, first_active_lane : i32"), each(|t| t / 32 * 32));
    assert_eq!(run("  %r, %v = gpu.rotate %x, 3, 8 : i32"), each(|t| t / 8 * 8 + (t + 3) % 8));
    let scan = |how: &str, which: &str| {
        run(&format!(
            "  %zero = arith.constant 100 : i32
  %s, %total = iree_gpu.subgroup_scan {how} cluster(size = 4, stride = 2) {{
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    iree_gpu.yield %c : i32
  }} : i32
  %r = arith.ori %{which}, %{which} : i32"
        ))
    };
    // Lanes of a cluster lie two apart, in blocks of eight.
    let cluster = |t: i64| (0..4).map(move |place| t / 8 * 8 + t % 2 + 2 * place);
    let up_to = |t: i64, last: bool| cluster(t).filter(|&other| other < t || last && other == t).sum::<i64>();
    assert_eq!(scan("inclusive(%x)", "s"), each(|t| up_to(t, true)));
    assert_eq!(scan("inclusive(%x)", "total"), each(|t| cluster(t).sum()));
    // The identity is what the program says it is.
    let first = |t: i64| if t % 8 < 2 { 100 } else { up_to(t, false) };
    assert_eq!(scan("(%x, identity = %zero : i32)", "s"), each(first));
}

/// All threads of the workgroup, by name or through a region; a second one in a loop does not disturb the first.
#[test]
fn all_threads_reduce() {
    assert_eq!(run("  %r = gpu.all_reduce add %x {} : (i32) -> (i32)"), each(|_| 64 * 63 / 2));
    let max = "  %r = gpu.all_reduce %x {
  ^bb0(%a: i32, %b: i32):
    %c = arith.maxsi %a, %b : i32
    gpu.yield %c : i32
  } : (i32) -> (i32)";
    assert_eq!(run(max), each(|_| 63));
    let twice = "  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (i32) {
    %b = gpu.all_reduce maxsi %a {} : (i32) -> (i32)
    %c = arith.addi %b, %x : i32
    scf.yield %c : i32
  }";
    assert_eq!(run(twice), each(|t| 63 * 3 + t));
    let text = kernel(
        "  %low = arith.cmpi ult, %t, %c1 : index
  %r = scf.if %low -> i32 { %a = gpu.all_reduce add %x {} : (i32) -> (i32)
    scf.yield %a : i32 } else { scf.yield %x : i32 }",
    );
    bad(&text, &[Tensor::zeros(I32, &[64])], "barrier: a subgroup scan is reached by lanes 0 only", "gpu.all_reduce");
}

/// A workgroup of three subgroups: 0 and 1 meet at a barrier of their own while 2 goes on.
fn pairs(barrier: &str, read: &str) -> String {
    format!(
        "func.func @f(%out: memref<96xi32>) {} {{
  %c64 = arith.constant 64 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %x = arith.index_cast %t : index to i32
  %s = memref.alloc() : memref<96xi32, #gpu.address_space<workgroup>>
  %id = arith.constant 3 : i32
  %n = arith.constant 64 : i32
  %named = gpu.initialize_named_barrier %n : i32 -> !gpu.named_barrier
  memref.store %x, %s[%t] : memref<96xi32, #gpu.address_space<workgroup>>
  %first = arith.cmpi ult, %t, %c64 : index
  scf.if %first {{
    {barrier}
    %at = arith.subi %c63, %t : index
    %y = memref.load %s[{read}] : memref<96xi32, #gpu.address_space<workgroup>>
    memref.store %y, %out[%t] : memref<96xi32>
  }} else {{
    memref.store %x, %out[%t] : memref<96xi32>
  }}
  return
}}",
        SIMT.replace("[64, 1, 1]", "[96, 1, 1]")
    )
}

/// A barrier of some subgroups orders what these do, and nothing else.
#[test]
fn some_subgroups_meet() {
    let args = [Tensor::zeros(I32, &[96])];
    let want: Vec<i64> = (0..96).map(|t| if t < 64 { 63 - t } else { t }).collect();
    for barrier in ["nvvm.barrier id = %id number_of_threads = %n", "gpu.barrier named(%named : !gpu.named_barrier)"] {
        for seed in 0..4 {
            let run = try_run(&pairs(barrier, "%at"), &args, &Options { seed, ..Options::default() }).unwrap();
            assert_eq!(run.buffers[0].to_i64(), want);
        }
    }
    let named = "nvvm.barrier id = %id number_of_threads = %n";
    // What the third subgroup writes is not ordered with a read of the first.
    bad(&pairs(named, "%c64"), &args, "race: ", "memref");
    bad(&pairs("", "%at"), &args, "race: ", "memref");
    let all = pairs("nvvm.barrier id = %id", "%at");
    bad(&all, &args, "deadlock: subgroup 0 waits here for 96 threads, of which 2 subgroups have come", "nvvm.barrier");
    let few = pairs(named, "%at").replace("constant 64 : i32", "constant 40 : i32");
    bad(&few, &args, "undefined: a barrier of 40 threads", "nvvm.barrier");
    let other = pairs(named, "%at").replace("constant 3 : i32", "constant 3 : i32\n  %whole = arith.constant 32 : index\n  %own = arith.divui %t, %whole : index\n  %own2 = arith.index_cast %own : index to i32")
        .replace("id = %id", "id = %own2");
    bad(
        &other,
        &args,
        "deadlock: subgroup 0 waits here for 64 threads, of which 1 subgroups have come",
        "nvvm.barrier",
    );
}

/// A subgroup that only comes to a barrier does not wait: what it did before is seen, what it does later is not.
#[test]
fn a_producer_comes_and_goes() {
    let text = |late: &str, early: &str| {
        format!(
            "func.func @f(%out: memref<64xi32>) {SIMT} {{
  %c32 = arith.constant 32 : index
  %t = gpu.thread_id x
  %x = arith.index_cast %t : index to i32
  %s = memref.alloc() : memref<32xi32, #gpu.address_space<workgroup>>
  %id = arith.constant 1 : i32
  %n = arith.constant 64 : i32
  %producer = arith.cmpi ult, %t, %c32 : index
  scf.if %producer {{
    {early}
    nvvm.barrier.arrive id = %id number_of_threads = %n
    {late}
  }} else {{
    nvvm.barrier id = %id number_of_threads = %n
    %at = arith.subi %t, %c32 : index
    %y = memref.load %s[%at] : memref<32xi32, #gpu.address_space<workgroup>>
    memref.store %y, %out[%t] : memref<64xi32>
  }}
  return
}}"
        )
    };
    let store = "memref.store %x, %s[%t] : memref<32xi32, #gpu.address_space<workgroup>>";
    let args = [Tensor::zeros(I32, &[64])];
    let got = good(&text("", store), &args).buffers[0].to_i64();
    assert_eq!(got[32..], (0..32).collect::<Vec<i64>>());
    bad(&text(store, store), &args, "race: ", "memref");
}

/// Threads that count at one place lose nothing, within a workgroup and between them; old values are all different.
#[test]
fn atomics_lose_nothing() {
    let text = |op: &str, extra: &str| {
        format!(
            "func.func @f(%sum: memref<2xi32>, %old: memref<128xi32>) {} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %w = arith.muli %b, %c64 : index
  %at = arith.addi %w, %t : index
  %x = arith.index_cast %at : index to i32
  {op}
  {extra}
  memref.store %o, %old[%at] : memref<128xi32>
  return
}}",
            SIMT.replace("{", "{gpu.known_grid_size = array<i32: 2, 1, 1>, ")
        )
    };
    let args = [Tensor::zeros(I32, &[2]), Tensor::zeros(I32, &[128])];
    let add = "%o = memref.atomic_rmw addi %one, %sum[%c0] : (i32, memref<2xi32>) -> i32";
    let generic = "%o = memref.generic_atomic_rmw %sum[%c0] : memref<2xi32> {
  ^bb0(%now: i32):
    %then = arith.addi %now, %one : i32
    memref.atomic_yield %then : i32
  }";
    for op in [add, generic] {
        for threads in [1, 4] {
            let run = try_run(&text(op, ""), &args, &Options { threads, ..Options::default() }).unwrap();
            assert_eq!(run.buffers[0].to_i64(), [128, 0]);
            let mut old = run.buffers[1].to_i64();
            old.sort_unstable();
            assert_eq!(old, (0..128).collect::<Vec<_>>());
        }
    }
    let max = "%o = memref.atomic_rmw maxs %x, %sum[%c1] : (i32, memref<2xi32>) -> i32";
    assert_eq!(good(&text(max, ""), &args).buffers[0].to_i64(), [0, 127]);
    // A plain access beside atomic ones races, in either order.
    let plain = "%p = memref.load %sum[%c0] : memref<2xi32>";
    bad(&text(add, plain), &args, "race: ", "memref");
    bad(&text(plain, add), &args, "race: ", "memref");
    bad(&text(add, "memref.store %one, %sum[%c0] : memref<2xi32>"), &args, "race: ", "memref");
}

/// Each thread copies four floats to shared memory by itself, waits, meets the others, and reads its mirror's.
fn copy_kernel(before: &str, wait: &str, barrier: &str, last: &str) -> String {
    format!(
        "func.func @f(%in: memref<256xf32>, %out: memref<256xf32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  %at = arith.muli %t, %c4 : index
  %m = arith.subi %c63, %t : index
  %from = arith.muli %m, %c4 : index
  {before}
  %k = nvgpu.device_async_copy %in[%at], %s[%at], 4 : memref<256xf32> to memref<256xf32, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %k
  {wait}
  {barrier}
  %v = vector.load %s[%from] : memref<256xf32, #gpu.address_space<workgroup>>, vector<4xf32>
  vector.store %v, %out[%at] : memref<256xf32>, vector<4xf32>
  {last}
  return
}}"
    )
}

const WAIT: &str = "nvgpu.device_async_wait %g {numGroups = 0 : i32}";

/// A copy arrives where its thread waits for it, in either mode; without the wait its use is found in both.
#[test]
fn copies_arrive_where_their_thread_waits() {
    let args = [iota(F32, &[256]), Tensor::zeros(F32, &[256])];
    let want: Vec<f64> = (0..64).flat_map(|t| (0..4).map(move |e| f64::from((63 - t) * 4 + e))).collect();
    for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
        let options = |sanitize| Options { copies, sanitize, ..Options::default() };
        let run = |text: &str, sanitize| try_run(text, &args, &options(sanitize));
        let right = copy_kernel("", WAIT, "gpu.barrier", "");
        assert_eq!(run(&right, true).unwrap().buffers[1].to_f64(), want);
        let plain = copy_kernel("", "nvvm.cp.async.wait.group 0", "gpu.barrier", "");
        assert_eq!(run(&plain, true).unwrap().buffers[1].to_f64(), want);
        let no_wait = copy_kernel("", "", "gpu.barrier", "");
        let found = run(&no_wait, true).unwrap_err();
        assert!(found.message.starts_with("async: "), "{found:?}");
        assert_eq!(found.related.len(), 1, "{found:?}");
        // Unchecked, the two modes show what hardware may do.
        let got = run(&no_wait, false).unwrap().buffers[1].to_f64();
        assert_eq!(got == want, copies == AsyncMode::Eager);
        // A wait that leaves the group out is none.
        let left = copy_kernel("", &WAIT.replace("= 0", "= 1"), "gpu.barrier", "");
        assert!(run(&left, true).unwrap_err().message.starts_with("async: "));
    }
    let no_barrier = copy_kernel("", WAIT, "", "");
    bad(&no_barrier, &args, "race: ", "nvgpu.device_async_copy");
    let wait_behind = copy_kernel("", "", &format!("gpu.barrier\n{WAIT}"), "");
    for seed in 0..4 {
        // The other thread has waited by now, or not.
        let found = try_run(&wait_behind, &args, &Options { seed, ..Options::default() }).unwrap_err();
        assert!(["race", "async"].iter().any(|kind| found.message.starts_with(kind)), "{found:?}");
    }
    let written = "%z = arith.constant dense<0.0> : vector<4xf32>\n  vector.store %z, %s[%at] : memref<256xf32, #gpu.address_space<workgroup>>, vector<4xf32>";
    let too_early = copy_kernel("", &format!("{written}\n{WAIT}"), "gpu.barrier", "");
    bad(&too_early, &args, "async: ", "vector.store %z");
    let again = "%k2 = nvgpu.device_async_copy %in[%at], %s[%at], 4 : memref<256xf32> to memref<256xf32, #gpu.address_space<workgroup>>";
    bad(&copy_kernel("", WAIT, "gpu.barrier", again), &args, "race: ", "%s[");
    bad(&copy_kernel(&again.replace("k2", "k0"), WAIT, "gpu.barrier", ""), &args, "async: ", "%k = nvgpu");
}

/// A copy of fewer elements than the destination has fills the rest with zeros; its address must be aligned.
#[test]
fn copies_fill_up_with_zeros() {
    let args = [iota(F32, &[256]), Tensor::zeros(F32, &[256])];
    let some = copy_kernel("%c2 = arith.constant 2 : index", WAIT, "gpu.barrier", "").replace("], 4 :", "], 4, %c2 :");
    let want: Vec<f64> =
        (0..64).flat_map(|t| (0..4).map(move |e| if e < 2 { f64::from((63 - t) * 4 + e) } else { 0.0 })).collect();
    assert_eq!(good(&some, &args).buffers[1].to_f64(), want);
    let odd = copy_kernel("", WAIT, "gpu.barrier", "").replace("%in[%at]", "%in[%t]");
    bad(&odd, &args, "misaligned: ", "nvgpu.device_async_copy");
    let outside =
        copy_kernel("%c1 = arith.constant 4 : index\n  %far = arith.addi %at, %c1 : index", WAIT, "gpu.barrier", "")
            .replace("%s[%at], 4", "%s[%far], 4");
    bad(&outside, &args, "bounds: ", "nvgpu.device_async_copy");
}

/// Two rows take turns: the next one is on its way while this one is read. One group too many left on its way is found,
/// and so is a barrier that is missing before a row is filled again.
#[test]
fn rings_of_copies_are_checked() {
    let ring = |left: u32, barrier: &str| {
        format!(
            "func.func @f(%in: memref<8x64xf32>, %out: memref<64xf32>) {SIMT} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c63 = arith.constant 63 : index
  %z = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %m = arith.subi %c63, %t : index
  %s = memref.alloc() : memref<2x64xf32, #gpu.address_space<workgroup>>
  %k = nvgpu.device_async_copy %in[%c0, %t], %s[%c0, %t], 1 : memref<8x64xf32> to memref<2x64xf32, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %k
  %sum, %last = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %z, %token = %g) -> (f32, !nvgpu.device.async.token) {{
    %next = arith.addi %i, %c1 : index
    %to = arith.remui %next, %c2 : index
    %here = arith.remui %i, %c2 : index
    %k1 = nvgpu.device_async_copy %in[%next, %t], %s[%to, %t], 1 : memref<8x64xf32> to memref<2x64xf32, #gpu.address_space<workgroup>>
    %g1 = nvgpu.device_async_create_group %k1
    nvgpu.device_async_wait %token {{numGroups = {left} : i32}}
    gpu.barrier
    %x = memref.load %s[%here, %m] : memref<2x64xf32, #gpu.address_space<workgroup>>
    %b = arith.addf %a, %x : f32
    {barrier}
    scf.yield %b, %g1 : f32, !nvgpu.device.async.token
  }}
  memref.store %sum, %out[%t] : memref<64xf32>
  return
}}"
        )
    };
    let args = [iota(F32, &[8, 64]), Tensor::zeros(F32, &[64])];
    let want: Vec<f64> = (0..64).map(|t| (0..7).map(|i| f64::from(i * 64 + 63 - t)).sum()).collect();
    assert_eq!(good(&ring(1, "gpu.barrier"), &args).buffers[1].to_f64(), want);
    bad(&ring(2, "gpu.barrier"), &args, "async: ", "memref.load");
    bad(&ring(1, ""), &args, "race: ", "");
}

/// A workgroup whose subgroups exchange numbers through a memory, with a barrier between the write and the read.
fn exchange(memory: &str, barrier: &str) -> String {
    let (alloc, ty) = match memory {
        "global" => ("", "memref<64xi32>"),
        _ => (
            "%s = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>",
            "memref<64xi32, #gpu.address_space<workgroup>>",
        ),
    };
    let name = if memory == "global" { "%space" } else { "%s" };
    format!(
        "func.func @f(%out: memref<64xi32>, %space: memref<64xi32>) {SIMT} {{
  %c63 = arith.constant 63 : index
  {alloc}
  %t = gpu.thread_id x
  %x = arith.index_cast %t : index to i32
  memref.store %x, {name}[%t] : {ty}
  {barrier}
  %other = arith.subi %c63, %t : index
  %r = memref.load {name}[%other] : {ty}
  memref.store %r, %out[%t] : memref<64xi32>
  return
}}"
    )
}

/// A barrier orders the accesses to the memory that it names, to all of it where it names none, and to nothing where
/// its list is empty; threads wait for one another at each.
#[test]
fn barriers_order_the_memory_that_they_name() {
    let args = || [Tensor::zeros(I32, &[64]), Tensor::zeros(I32, &[64])];
    let memfence = |spaces: &str| format!("gpu.barrier memfence [{spaces}]");
    let (shared, global) = ("#gpu.address_space<workgroup>", "#gpu.address_space<global>");
    let rows = [
        ("gpu.barrier".to_owned(), true, true),
        (memfence(""), false, false),
        (memfence(shared), true, false),
        (memfence(global), false, true),
        (memfence(&format!("{shared}, {global}")), true, true),
        (memfence("#gpu.address_space<private>"), false, false),
        ("amdgpu.lds_barrier".to_owned(), true, false),
    ];
    for (barrier, orders_shared, orders_global) in rows {
        for (memory, orders) in [("shared", orders_shared), ("global", orders_global)] {
            let text = exchange(memory, &barrier);
            if orders {
                assert_eq!(good(&text, &args()).buffers[0].to_i64(), each(|t| 63 - t), "{barrier}");
            } else {
                bad(&text, &args(), "race: ", "memref.load");
            }
        }
    }
    // A later barrier orders what an earlier one left open.
    let text = exchange("global", &format!("{}\n  gpu.barrier", memfence(shared)));
    assert_eq!(good(&text, &args()).buffers[0].to_i64(), each(|t| 63 - t));
}
