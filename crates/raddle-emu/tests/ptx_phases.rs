//! Barriers that count bytes, bulk copies, tensor maps and clusters in executed PTX: what they do, and every kind of
//! mistake in their protocols.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{AsyncMode, Tensor, ptx};
use raddle_ir::{Code, Diag};

use crate::common::I32;
use crate::common::mapped::{self, PLACES, WAIT};

/// A kernel of 64 threads.
fn kernel(cluster: u32, body: &str) -> String {
    format!(
        ".version 8.6\n.target sm_90a\n.address_size 64
.visible .entry k(.param .align 64 .b8 a[128], .param .u64 b)
.reqntid 64, 1, 1
.reqnctapercluster {cluster}, 1, 1
{{
  .reg .pred %p<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  .shared .align 128 .b8 tile[2048];
  .shared .align 8 .b64 bar;{PLACES}
{body}
  ret;
}}"
    )
}

fn run(text: &str, map: &ptx::TensorMap, a: &Tensor, n: usize, copies: AsyncMode) -> Result<Vec<i64>, Diag> {
    let workgroups = if text.contains("reqnctapercluster 2") { 2 } else { 1 };
    mapped::run(text, [workgroups, 1, 1], (a, map), &vec![-1; n], copies)
}

/// In both modes, with a one-dimensional map of 64 numbers.
fn runs(cluster: u32, body: &str, n: usize) -> [Result<Vec<i64>, Diag>; 2] {
    let a = Tensor::from_i64(I32, &[64], &(100..164).collect::<Vec<i64>>());
    let map = ptx::TensorMap::of(I32, &[64], &[64]).unwrap();
    [AsyncMode::Eager, AsyncMode::Lazy].map(|copies| run(&kernel(cluster, body), &map, &a, n, copies))
}

/// Workgroups of the cluster, a body, and what each thread leaves behind.
type Protocol = (u32, String, fn(i64) -> i64);
/// Extents, box, steps, swizzle, and where the box begins, outermost dimension first.
type Case = (&'static [i64], &'static [u32], &'static [u32], u32, &'static [i64]);
/// A body, the code of its finding, and words of it.
type Mistake = (String, Code, &'static str);

const MAKE: &str = "
  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;
  fence.mbarrier_init.release.cluster;
  bar.sync 0;";
const FETCH: &str = "
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
  @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1, {0}], [bar];";
const USE: &str = "
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%rd4], %r3;";
const KEEP: &str = "
  st.shared.u32 [%r2], %r1;
  fence.proxy.async.shared::cta;
  bar.sync 0;";
const STORE: &str = "
  @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 256;
  @%p1 cp.async.bulk.commit_group;";
const STORED: &str = "
  @%p1 cp.async.bulk.wait_group 0;";

/// Protocols that are right give the same in both modes.
#[test]
fn copies_arrive_on_barriers_and_in_groups() {
    let table: &[Protocol] = &[
        (1, [MAKE, FETCH, WAIT, USE].concat(), |t| 100 + t),
        // An arrival's token names its phase.
        (
            1,
            [
                MAKE,
                "
  @!%p1 bra $ALL;
  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 256;
  cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [tile], [%rd1, {0}], [bar];
  mbarrier.arrive.shared::cta.b64 %rd5, [bar];
$T: mbarrier.test_wait.shared::cta.b64 %p2, [bar], %rd5;
  @!%p2 bra $T;
$ALL:
  bar.sync 0;",
                USE,
            ]
            .concat(),
            |t| 100 + t,
        ),
        // Copies of single elements, with a barrier behind them.
        (
            1,
            "
  @%p1 mbarrier.init.shared::cta.b64 [bar], 64;
  bar.sync 0;
  st.global.u32 [%rd4], %r1;
  cp.async.ca.shared.global [%r2], [%rd4], 4;
  cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];
$W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
  @!%p2 bra $W;
  xor.b32 %r2, %r2, 128;
  ld.shared.u32 %r3, [%r2];
  bar.sync 0;
  st.global.u32 [%rd4], %r3;"
                .into(),
            |t| t ^ 32,
        ),
        (1, [KEEP, STORE, STORED].concat(), |t| t),
        // What is there, -1, and what is added.
        (
            1,
            [
                KEEP,
                &STORE
                    .replace("cp.async.bulk.global", "cp.reduce.async.bulk.global")
                    .replace("bulk_group [", "bulk_group.add.s32 ["),
                STORED,
            ]
            .concat(),
            |t| t - 1,
        ),
        // Each workgroup reads what the other one wrote.
        (
            2,
            "
  mov.u32 %r5, %cluster_ctarank;
  mad.lo.u32 %r6, %r5, 1000, %r1;
  st.shared.u32 [%r2], %r6;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  xor.b32 %r7, %r5, 1;
  mapa.shared::cluster.u32 %r8, %r2, %r7;
  ld.shared::cluster.u32 %r3, [%r8];
  mul.wide.u32 %rd6, %r5, 256;
  add.s64 %rd4, %rd4, %rd6;
  st.global.u32 [%rd4], %r3;
  barrier.cluster.arrive;
  barrier.cluster.wait;"
                .into(),
            |t| if t < 64 { 1000 + t } else { t - 64 },
        ),
    ];
    for (cluster, body, want) in table {
        let n = 64 * *cluster as usize;
        for ran in runs(*cluster, body, n) {
            let got = ran.unwrap_or_else(|diag| panic!("{body}\n{diag:?}"));
            assert_eq!(got, (0..n as i64).map(want).collect::<Vec<i64>>(), "{body}");
        }
    }
}

/// Boxes that reach over the edges of tensors of one to five dimensions, with steps and swizzles; the map lies among the
/// parameters, or where one points to.
#[test]
fn boxes_are_what_the_map_says() {
    let cases: &[Case] = &[
        (&[40], &[32], &[1], 0, &[-4]),
        (&[6, 20], &[4, 8], &[1, 1], 32, &[3, 16]),
        (&[6, 32], &[8, 16], &[2, 1], 64, &[-2, 4]),
        (&[3, 5, 36], &[2, 4, 32], &[1, 1, 1], 128, &[1, 3, 8]),
        (&[2, 3, 4, 16], &[2, 2, 2, 8], &[1, 1, 1, 2], 0, &[1, 2, -1, 0]),
        (&[2, 2, 3, 4, 8], &[1, 2, 2, 4, 4], &[1, 1, 1, 1, 1], 0, &[1, 1, 2, 0, 4]),
    ];
    for &(shape, block, steps, swizzle, start) in cases {
        let n: i64 = shape.iter().product();
        let a = Tensor::from_i64(I32, shape, &(1..=n).collect::<Vec<i64>>());
        let mut map = ptx::TensorMap::of(I32, shape, block).unwrap();
        map.steps = steps.iter().rev().copied().collect();
        map.swizzle = ptx::Swizzle::of_bytes(swizzle).unwrap();
        let counts: Vec<i64> = block.iter().zip(steps).map(|(n, step)| i64::from(n.div_ceil(*step))).collect();
        let n_box: i64 = counts.iter().product();
        let coordinates: Vec<String> = start.iter().rev().map(ToString::to_string).collect();
        let fetch = FETCH
            .replace("256", &(n_box * 4).to_string())
            .replace("{0}", &format!("{{{}}}", coordinates.join(", ")))
            .replace("1d", &format!("{}d", shape.len()));
        let dump = format!(
            "
$L: setp.ge.u32 %p3, %r1, {n_box};
  @%p3 ret;
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%rd4], %r3;
  add.u32 %r1, %r1, 64;
  add.u32 %r2, %r2, 256;
  add.s64 %rd4, %rd4, 256;
  bra $L;"
        );
        let text = kernel(1, &[MAKE, &fetch, WAIT, &dump].concat());
        let mut want = vec![0; n_box as usize];
        for (at, want) in want.iter_mut().enumerate() {
            // Chunks of 16 bytes: bits 7 and up of the address exchange those from bit 4 on.
            let byte = at as u64 * 4;
            let chunks = u64::from(swizzle / 16).max(1);
            let mut rest = ((byte ^ (byte >> 7 & (chunks - 1)) << 4) / 4) as i64;
            let mut index = 0;
            let (mut scale, mut is_inside) = (1, true);
            for dim in (0..shape.len()).rev() {
                let place = start[dim] + rest % counts[dim] * i64::from(steps[dim]);
                rest /= counts[dim];
                is_inside &= (0..shape[dim]).contains(&place);
                index += place * scale;
                scale *= shape[dim];
            }
            *want = if is_inside { index + 1 } else { 0 };
        }
        let pointed = text
            .replace(".align 64 .b8 a[128]", ".u64 a")
            .replace("mov.b64 %rd1, a;\n  cvta.param.u64 %rd1, %rd1;", "ld.param.u64 %rd1, [a];");
        for (text, copies) in
            [&text, &pointed].into_iter().flat_map(|text| [(text, AsyncMode::Eager), (text, AsyncMode::Lazy)])
        {
            let got = run(text, &map, &a, n_box as usize, copies).unwrap_or_else(|diag| panic!("{shape:?}: {diag:?}"));
            assert_eq!(got, want, "{shape:?} {block:?} {steps:?} {swizzle} {start:?}");
        }
    }
}

/// Every mistake is found in a mode at least, by its code and with words that name it.
#[test]
fn wrong_protocols_are_found() {
    let gone = |text: &str, part: &str| text.lines().filter(|line| !line.contains(part)).collect::<Vec<_>>().join("\n");
    let table: &[Mistake] = &[
        ([MAKE, FETCH, USE].concat(), Code::Async, "asynchronous copy"),
        ([MAKE, FETCH, &WAIT.replace("], 0", "], 1"), USE].concat(), Code::Async, "asynchronous copy"),
        ([MAKE, FETCH].concat(), Code::Async, "on its way"),
        ([MAKE, &FETCH.replace("256", "512"), WAIT, USE].concat(), Code::Deadlock, "256 bytes are missing"),
        ([FETCH, WAIT].concat(), Code::Uninitialised, "nothing has written"),
        ([&gone(MAKE, "bar.sync"), WAIT].concat(), Code::Race, "made"),
        ([MAKE, FETCH, "\n  @%p1 mbarrier.arrive.shared::cta.b64 _, [bar];", WAIT].concat(), Code::Undefined, "takes 0 more"),
        ([MAKE, &FETCH.replace("[tile]", "[tile+16]"), WAIT].concat(), Code::Misaligned, "multiple of 128"),
        ([KEEP, &STORE.replace("256", "20"), STORED].concat(), Code::Undefined, "multiple of 16"),
        ([&gone(KEEP, "fence"), STORE, STORED].concat(), Code::Async, "proxy fence"),
        ([&gone(KEEP, "bar.sync"), STORE, STORED].concat(), Code::Race, "wrote"),
        ([KEEP, STORE].concat(), Code::Async, "may still read"),
        ([KEEP, STORE, "\n  st.shared.u32 [%r2], 7;", STORED].concat(), Code::Async, "reads until it waits"),
        ("\n  barrier.cluster.wait;".into(), Code::Undefined, "without having come"),
        ("\n  setp.lt.u32 %p3, %r1, 32;\n  @%p3 bra $E;\n  barrier.cluster.arrive;\n  barrier.cluster.wait;\n$W: bra $W;\n$E: bar.sync 0;".into(), Code::Deadlock, "nobody else"),
    ];
    for (body, code, part) in table {
        let found = runs(1, body, 64);
        let is_it = |ran: &Result<Vec<i64>, Diag>| {
            ran.as_ref().is_err_and(|diag| diag.code == *code && diag.message.contains(part) && diag.span.is_some())
        };
        assert!(found.iter().any(is_it), "{body}\n{found:#?}");
    }
    // The memory of a workgroup that ends while the other one uses it.
    let body = "
  st.shared.u32 [%r2], %r1;
  barrier.cluster.arrive.release;
  barrier.cluster.wait.acquire;
  mapa.shared::cluster.u32 %r8, %r2, 1;
  ld.shared::cluster.u32 %r3, [%r8];";
    for ran in runs(2, body, 64) {
        let diag = ran.expect_err("a workgroup may end first");
        assert!(diag.message.contains("may end before") || diag.message.contains("has ended"), "{diag:?}");
    }
}

/// Threads of two warps copy the same bytes to one place, which nothing orders: Triton's groups of warps do so. Other bytes
/// race.
#[test]
fn bulk_stores_may_repeat_each_other() {
    let second = "
  setp.eq.u32 %p3, %r1, 32;
  @%p3 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 128;
  @%p3 cp.async.bulk.commit_group;
  @%p3 cp.async.bulk.wait_group 0;";
    for ran in runs(1, &[KEEP, STORE, STORED, second].concat(), 64) {
        assert_eq!(ran.unwrap_or_else(|diag| panic!("{diag:?}")), (0..64).collect::<Vec<_>>());
    }
    for ran in runs(1, &[KEEP, STORE, STORED, &second.replace("[tile]", "[tile+128]")].concat(), 64) {
        assert_eq!(ran.expect_err("the two write different bytes").code, Code::Race);
    }
}

/// The barrier of a cluster shows barriers in memory that were made: with a fence for them in front of an arrival that
/// releases nothing, or by an arrival that releases everything.
#[test]
fn a_cluster_is_shown_its_barriers() {
    let init = "\n  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;";
    let fence = "\n  fence.mbarrier_init.release.cluster;";
    let relaxed = "\n  barrier.cluster.arrive.relaxed.aligned;";
    let wait = "\n  barrier.cluster.wait.acquire.aligned;";
    let fetched = |fence: &str, arrive: &str| runs(1, &[init, fence, arrive, wait, FETCH, WAIT, USE].concat(), 64);
    for ran in [fetched(fence, relaxed), fetched("", "\n  barrier.cluster.arrive.aligned;")].concat() {
        assert_eq!(ran.unwrap_or_else(|diag| panic!("{diag:?}")), (100..164).collect::<Vec<_>>());
    }
    // A workgroup alone is shown its barriers by its own one.
    for ran in runs(1, &[init, "\n  bar.sync 0;", FETCH, WAIT, USE].concat(), 64) {
        assert_eq!(ran.unwrap_or_else(|diag| panic!("{diag:?}")), (100..164).collect::<Vec<_>>());
    }
    for ran in runs(2, &[init, "\n  bar.sync 0;", FETCH, WAIT, USE].concat(), 64) {
        assert!(ran.expect_err("nothing shows the barrier").message.contains("no fence"));
    }
    for ran in fetched("", relaxed) {
        let diag = ran.expect_err("nothing shows the barrier");
        assert!(diag.message.contains("made") || diag.message.contains("no fence"), "{diag:?}");
    }
    // The first one to use the barrier is another warp than the one that made it.
    let other = "
  setp.lt.u32 %p3, %r1, 32;
  @%p3 bra $STORE;
  setp.eq.u32 %p4, %r1, 32;
  @%p4 mbarrier.arrive.shared::cta.b64 _, [bar];";
    let store = "\n$STORE: st.global.u32 [%rd4], %r1;";
    for ran in runs(1, &[init, fence, relaxed, wait, other, WAIT, store].concat(), 64) {
        assert_eq!(ran.unwrap_or_else(|diag| panic!("{diag:?}")), (0..64).collect::<Vec<_>>());
    }
    assert!(runs(1, &[init, relaxed, wait, other, WAIT, store].concat(), 64).iter().all(Result::is_err));
}

/// Threads that copy for others end before their copies arrive, for which the others wait.
#[test]
fn copies_arrive_after_their_threads_have_ended() {
    let body = "
  @%p1 mbarrier.init.shared::cta.b64 [bar], 32;
  bar.sync 0;
  setp.lt.u32 %p3, %r1, 32;
  @%p3 cp.async.ca.shared.global [%r2], [%rd4], 4;
  @%p3 cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];
  @%p3 exit;";
    let reads = "
  ld.shared.u32 %r3, [%r2+-128];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd4], %r3;";
    for ran in runs(1, &[body, WAIT, reads].concat(), 64) {
        let got = ran.unwrap_or_else(|diag| panic!("{diag:?}"));
        assert_eq!(got, (0..64).map(|at| if at < 32 { -1 } else { at - 1 }).collect::<Vec<_>>());
    }
}

/// All lanes of a warp issue a store, as one of them could: they write the same.
#[test]
fn a_store_is_issued_by_a_whole_warp() {
    let store = |part: &str| {
        format!(
            "
  setp.ge.u32 %p3, %r1, 32;
  @%p3 bra $END;
  mov.u32 %r5, tile;{part}
  cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r5], 128;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
$END:"
        )
    };
    for ran in runs(1, &[KEEP, &store("")].concat(), 64) {
        let got = ran.unwrap_or_else(|diag| panic!("{diag:?}"));
        assert_eq!(got, (0..64).map(|at| if at < 32 { at } else { -1 }).collect::<Vec<_>>());
    }
    // From two places they do not.
    let two = "\n  and.b32 %r6, %r1, 16;\n  add.u32 %r5, %r5, %r6;";
    for ran in runs(1, &[KEEP, &store(two)].concat(), 64) {
        assert_eq!(ran.expect_err("the stores differ").code, Code::Async);
    }
}

/// A map that a warp copies into global memory is there for each of its threads.
#[test]
fn maps_are_copied_by_warps() {
    let change = "
  .shared .align 128 .b8 map[128];
  setp.ge.u32 %p3, %r1, 32;
  @%p3 bra $USE;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd1, %rd5;
  ld.u32 %r4, [%rd6];
  mov.u32 %r5, map;
  mad.lo.u32 %r6, %r1, 4, %r5;
  st.shared.u32 [%r6], %r4;
  bar.warp.sync 0xffffffff;
  @%p1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r5], 0, 40;
  bar.warp.sync 0xffffffff;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd2], [%r5], 128;
  fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;";
    let fetch = FETCH.replace("[%rd1,", "[%rd2,");
    for ran in runs(1, &[MAKE, change, &fetch, "\n$USE:", WAIT, "\n  bar.sync 0;", USE].concat(), 64) {
        let got = ran.unwrap_or_else(|diag| panic!("{diag:?}"));
        assert_eq!(got, (0..64).map(|at| if at < 40 { 100 + at } else { 0 }).collect::<Vec<_>>());
    }
}

/// Each thread sends its number, and two that are added up, to the other workgroup of the cluster, whose barrier counts
/// the bytes.
const SEND: &str = "
  .shared .align 8 .b64 sum;
  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;
  @%p1 st.shared.u64 [sum], 5;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 1536;
  barrier.cluster.arrive.release.aligned;
  barrier.cluster.wait.acquire.aligned;
  mov.u32 %r5, %cluster_ctarank;
  xor.b32 %r6, %r5, 1;
  mov.u32 %r7, tile;
  mad.lo.u32 %r7, %r1, 16, %r7;
  mapa.shared::cluster.u32 %r7, %r7, %r6;
  mov.u32 %r8, bar;
  mapa.shared::cluster.u32 %r8, %r8, %r6;
  mov.u32 %r9, sum;
  mapa.shared::cluster.u32 %r9, %r9, %r6;
  mad.lo.u32 %r10, %r5, 1000, %r1;
  add.u32 %r11, %r10, 100;
  st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r7], {%r10, %r11, %r10, %r11}, [%r8];
  cvt.u64.u32 %rd7, %r1;
  red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r9], %rd7, [%r8];";
const RECEIVE: &str = "
$W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0;
  @!%p2 bra $W;
  mad.lo.u32 %r12, %r1, 12, %r2;
  ld.shared.v4.u32 {%r13, %r14, %r15, %r16}, [%r12];
  ld.shared.u64 %rd8, [sum];
  cvt.u32.u64 %r17, %rd8;
  add.u32 %r13, %r14, %r15;
  add.u32 %r13, %r13, %r17;
  mul.wide.u32 %rd6, %r5, 256;
  add.s64 %rd4, %rd4, %rd6;
  st.global.u32 [%rd4], %r13;
  barrier.cluster.arrive;
  barrier.cluster.wait;";

/// `st.async` and `red.async` arrive before their phase ends; without a wait for it they are on their way.
#[test]
fn registers_are_sent_through_a_cluster() {
    for ran in runs(2, &[SEND, RECEIVE].concat(), 128) {
        let got = ran.unwrap_or_else(|diag| panic!("{diag:?}"));
        let of = |at: i64| 2 * (at % 64) + 100 + 2000 * (1 - at / 64) + 63 * 32 + 5;
        assert_eq!(got, (0..128).map(of).collect::<Vec<i64>>());
    }
    let early = RECEIVE.lines().filter(|line| !line.contains("$W")).collect::<Vec<_>>().join("\n");
    for ran in runs(2, &[SEND, &early].concat(), 128) {
        let diag = ran.expect_err("nothing has come");
        assert!([Code::Async, Code::Uninitialised].contains(&diag.code), "{diag:?}");
    }
    let misplaced = [SEND, RECEIVE].concat().replace("mapa.shared::cluster.u32 %r8, %r8, %r6;", "");
    for ran in runs(2, &misplaced, 128) {
        let diag = ran.expect_err("the barrier lies elsewhere");
        assert!(diag.message.contains("barrier of the workgroup whose memory"), "{diag:?}");
    }
    let odd = SEND.replace("[%r7], {", "[%r7+8], {");
    assert!(runs(2, &odd, 128).iter().all(|ran| ran.as_ref().is_err_and(|diag| diag.code == Code::Misaligned)));
}
