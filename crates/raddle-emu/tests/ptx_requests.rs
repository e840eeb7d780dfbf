//! Clusters that take the place of others, and copies of parts: bytes that are masked or ignored, rows that do not follow
//! one another, sums in shared memory, and zeros.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{AsyncMode, Tensor, ptx};
use raddle_ir::{Code, Diag};

use crate::common::I32;
use crate::common::mapped::{self, PLACES, WAIT};

/// A kernel of 32 threads, whose `bar` takes one arrival.
fn kernel(cluster: u32, body: &str) -> String {
    format!(
        ".version 9.2\n.target sm_100a\n.address_size 64
.visible .entry k(.param .align 64 .b8 a[128], .param .u64 b)
.reqntid 32, 1, 1
.reqnctapercluster {cluster}, 1, 1
{{
  .reg .pred %p<8>;
  .reg .b16 %h<4>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  .reg .b128 %q<2>;
  .shared .align 128 .b8 tile[1024];
  .shared .align 16 .b8 answer[16];
  .shared .align 8 .b64 bar;{PLACES}
  mov.u32 %r20, 0;
  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;
  fence.mbarrier_init.release.cluster;
  barrier.cluster.arrive;
  barrier.cluster.wait;
{body}
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}}"
    )
}

/// What the second argument, of `n` numbers, is behind a run; the first is a map of rows of eight numbers, 100 and up.
fn run(grid: [u32; 3], cluster: u32, body: &str, n: usize, copies: AsyncMode) -> Result<Vec<i64>, Diag> {
    let a = Tensor::from_i64(I32, &[16, 8], &(100..228).collect::<Vec<i64>>());
    let map = ptx::TensorMap::of(I32, &[16, 8], &[1, 4]).unwrap();
    let b: Vec<i64> = (0..n as i64).map(|at| -1 - at).collect();
    mapped::run(&kernel(cluster, body), grid, (&a, &map), &b, copies)
}

fn gives(grid: [u32; 3], cluster: u32, body: &str, wanted: &[i64]) {
    for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
        assert_eq!(run(grid, cluster, body, wanted.len(), copies).unwrap(), wanted, "{copies:?}: {body}");
    }
}

const ASK: &str = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes";

/// A workgroup does its work, asks for that of another one, and ends when there is none left: each place is written once.
fn persistent(cluster: u32, word: &str) -> String {
    format!(
        "
  mov.u32 %r5, %ctaid.x;
  mov.u32 %r9, %ctaid.y;
  mov.u32 %r10, %ctaid.z;
  mov.u32 %r6, %cluster_ctarank;
  setp.eq.u32 %p4, %r6, 0;
  and.pred %p4, %p4, %p1;
  mov.u32 %r7, 0;
$L:
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  @%p4 {ASK}{word}.b128 [answer], [bar];
  mad.lo.u32 %r13, %r10, 3, %r9;
  mad.lo.u32 %r13, %r13, 2, %r5;
  mul.wide.u32 %rd5, %r13, 4;
  add.s64 %rd5, %rd2, %rd5;
  @%p1 ld.global.u32 %r8, [%rd5];
  @%p1 sub.u32 %r8, %r13, %r8;
  @%p1 st.global.u32 [%rd5], %r8;
$W:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], %r7;
  @!%p2 bra $W;
  xor.b32 %r7, %r7, 1;
  ld.shared.b128 %q1, [answer];
  fence.proxy.async.shared::cta;
  bar.sync 0;
  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q1;
  @!%p3 bra $D;
  clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {{%r5, %r9, %r10, _}}, %q1;
  clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r11, %q1;
  setp.ne.u32 %p5, %r11, %r5;
  @%p5 trap;
  add.u32 %r5, %r5, %r6;
  rem.u32 %r12, %r11, {cluster};
  setp.ne.u32 %p5, %r12, 0;
  @%p5 trap;
  bra $L;
$D:"
    )
}

#[test]
fn workgroups_take_the_work_of_others() {
    let wanted: Vec<i64> = (0..12).map(|at| 2 * at + 1).collect();
    gives([12, 1, 1], 1, &persistent(1, ""), &wanted);
    gives([2, 3, 2], 1, &persistent(1, ""), &wanted);
    gives([12, 1, 1], 2, &persistent(2, ".multicast::cluster::all"), &wanted);
}

/// What becomes of a request is not known before its barrier says so.
#[test]
fn answers_are_waited_for() {
    let body = format!(
        "
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
  @%p1 {ASK}.b128 [answer], [bar];
  @%p1 ld.shared.b128 %q1, [answer];{WAIT}"
    );
    let diag = run([2, 1, 1], 1, &body, 2, AsyncMode::Lazy).expect_err("it is read too early");
    assert_eq!(diag.code, Code::Async, "{diag}");
}

/// Bytes in front and behind may lie outside: they are not read, and nobody has written where they would go.
#[test]
fn ignored_bytes_lie_outside() {
    let copy = |front: u32, back: u32| {
        format!(
            "
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 32;
  @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [tile], [%rd2], 32, {front}, {back}, [bar];{WAIT}
  setp.gt.u32 %p3, %r1, 0;
  setp.lt.and.u32 %p3, %r1, 6, %p3;
  @%p3 ld.shared.u32 %r3, [%r2];
  @%p3 add.u32 %r3, %r3, 100;
  bar.sync 0;
  @%p3 st.global.u32 [%rd4], %r3;"
        )
    };
    // Of 32 bytes that are asked for, the buffer has 24.
    gives([1, 1, 1], 1, &copy(4, 8), &[-1, 98, 97, 96, 95, 94]);
    let outside = run([1, 1, 1], 1, &copy(4, 4), 6, AsyncMode::Eager).expect_err("four bytes lie outside");
    assert_eq!(outside.code, Code::OutOfBounds, "{outside}");
    let unwritten = run([1, 1, 1], 1, &copy(8, 8), 6, AsyncMode::Lazy).expect_err("four bytes were not copied");
    assert_eq!(unwritten.code, Code::Uninitialised, "{unwritten}");
    let too_many = run([1, 1, 1], 1, &copy(4, 16), 6, AsyncMode::Eager).expect_err("16 bytes are a chunk");
    assert_eq!(too_many.code, Code::Undefined, "{too_many}");
}

#[test]
fn masked_bytes_stay() {
    let body = "
  st.shared.u32 [%r2], %r1;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  mov.b16 %h1, 0xf0f0;
  @%p1 cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [tile], 32, %h1;
  @%p1 cp.async.bulk.commit_group;
  @%p1 cp.async.bulk.wait_group 0;";
    gives([1, 1, 1], 1, body, &[-1, 1, -3, 3, -5, 5, -7, 7]);
}

/// Four rows of a matrix, in any order; rows outside are zeros, and are not written.
#[test]
fn rows_are_gathered_and_scattered() {
    let body = format!(
        "
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
  @%p1 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [tile], [%rd1, {{4, 7, 0, 16, 7}}], [bar];{WAIT}
  setp.lt.u32 %p3, %r1, 16;
  @%p3 ld.shared.u32 %r3, [%r2];
  @%p3 st.global.u32 [%rd4], %r3;"
    );
    let row = |at: i64| (0..4).map(move |column| 100 + 8 * at + 4 + column);
    let wanted: Vec<i64> = row(7).chain(row(0)).chain([0; 4]).chain(row(7)).collect();
    gives([1, 1, 1], 1, &body, &wanted);
    let body = format!(
        "
  add.u32 %r3, %r1, 1000;
  st.shared.u32 [%r2], %r3;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {{0, 9, -1, 2, 5}}], [tile];
  @%p1 cp.async.bulk.commit_group;
  @%p1 cp.async.bulk.wait_group 0;
  @%p1 fence.proxy.async;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;
  @%p1 cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes [tile], [%rd1, {{0, 2, 5, 8, 9}}], [bar];{WAIT}
  setp.lt.u32 %p3, %r1, 16;
  @%p3 ld.shared.u32 %r3, [%r2];
  @%p3 st.global.u32 [%rd4], %r3;"
    );
    let wanted: Vec<i64> = (1008..1016).chain(164..168).chain(1000..1004).collect();
    gives([1, 1, 1], 1, &body, &wanted);
}

/// A copy adds to the shared memory of the other workgroup, and tells its barrier.
#[test]
fn copies_compute_in_shared_memory() {
    let body = format!(
        "
  mov.u32 %r6, %cluster_ctarank;
  mul.lo.u32 %r3, %r6, 1000;
  add.u32 %r3, %r3, %r1;
  st.shared.u32 [%r2], %r3;
  st.shared.u32 [%r2+512], %r1;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
  fence.proxy.async;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  xor.b32 %r7, %r6, 1;
  mov.u32 %r8, tile;
  mov.u32 %r9, bar;
  mapa.shared::cluster.u32 %r8, %r8, %r7;
  mapa.shared::cluster.u32 %r9, %r9, %r7;
  mov.u32 %r10, tile;
  @%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r8], [%r10+512], 128, [%r9];{WAIT}
  ld.shared.u32 %r3, [%r2];
  mad.wide.u32 %rd4, %r6, 128, %rd4;
  st.global.u32 [%rd4], %r3;"
    );
    let wanted: Vec<i64> = (0..2).flat_map(|rank| (0..32).map(move |at| 1000 * rank + 2 * at)).collect();
    gives([2, 1, 1], 2, &body, &wanted);
}

#[test]
fn shared_memory_is_cleared() {
    let body = |bytes: u32| {
        format!(
            "
  st.shared.u32 [%r2], %r1;
  bar.sync 0;
  @%p1 st.bulk.weak.shared::cta [tile+8], {bytes}, 0;
  bar.sync 0;
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%rd4], %r3;"
        )
    };
    let wanted: Vec<i64> = (0..32).map(|at| if (2..10).contains(&at) { 0 } else { at }).collect();
    gives([1, 1, 1], 1, &body(32), &wanted);
    let odd = run([1, 1, 1], 1, &body(36), 32, AsyncMode::Eager).expect_err("no multiple of 8");
    assert_eq!(odd.code, Code::Undefined, "{odd}");
    let outside = run([1, 1, 1], 1, &body(1 << 12), 32, AsyncMode::Eager).expect_err("more than there is");
    assert_eq!(outside.code, Code::OutOfBounds, "{outside}");
}
