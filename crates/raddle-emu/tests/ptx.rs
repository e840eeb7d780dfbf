//! PTX text, executed: instructions against plain Rust, control flow against loops, and every kind of finding.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{AsyncMode, Options, Tensor, ptx};
use raddle_ir::{Code, Diag, Scalar};

const I32: Scalar = Scalar::Int(32);

/// A kernel with two buffers and one number; `%rd1` is the first, `%rd2` the second, `%r1` the thread, and `%rd3` and
/// `%rd4` are the thread's own places in the buffers.
pub fn kernel(threads: u32, body: &str) -> String {
    format!(
        ".version 8.4\n.target sm_80\n.address_size 64\n
.visible .entry k(.param .u64 .ptr .global .align 16 a, .param .u64 b, .param .u32 n)
.reqntid {threads}, 1, 1
{{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<32>;
  .reg .f32 %f<16>;
  .reg .b64 %rd<16>;
  .reg .f64 %d<8>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  add.s64 %rd3, %rd1, %rd3;
{body}
  ret;
}}"
    )
}

fn launch(grid: u32) -> ptx::Launch {
    ptx::Launch { entry: None, grid: [grid, 1, 1], workgroup: None, cluster: None, shared_bytes: 0 }
}

pub fn try_run(text: &str, a: &[i64], b: &[i64], options: &Options) -> Result<Vec<i64>, Diag> {
    let args = [
        Tensor::from_i64(I32, &[a.len() as i64], a),
        Tensor::from_i64(I32, &[b.len() as i64], b),
        Tensor::from_i64(I32, &[], &[a.len() as i64]),
    ];
    let ran = ptx::run(&ptx::parse(text)?, &args, &launch(1), options)?;
    Ok(ran.args[1].to_i64())
}

/// Runs a body on 64 threads; the second buffer afterwards.
pub fn run(body: &str, a: &[i64], n_out: usize) -> Vec<i64> {
    try_run(&kernel(64, body), a, &vec![0; n_out], &Options::default()).unwrap_or_else(|diag| panic!("{diag:?}"))
}

pub fn fails(body: &str, a: &[i64], n_out: usize) -> Diag {
    try_run(&kernel(64, body), a, &vec![0; n_out], &Options::default()).expect_err("the kernel is wrong")
}

fn numbers(n: usize) -> Vec<i64> {
    let mut state = 12345u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::from((state >> 32) as i32)
    };
    let special = [0, 1, -1, i64::from(i32::MIN), i64::from(i32::MAX), 31, 32, 33];
    (0..n).map(|at| special.get(at).copied().unwrap_or_else(&mut next)).collect()
}

type Binary = fn(i32, i32) -> i32;
type Unary = fn(i32) -> i32;
type Float = fn(f32) -> f32;
type OfThread = fn(usize) -> i64;

/// Integer instructions of two operands, each with the same in Rust; the second operand is the neighbour's number.
#[test]
fn integers_compute_as_in_rust() {
    let table: &[(&str, Binary)] = &[
        ("add.s32", |a, b| a.wrapping_add(b)),
        ("add.sat.s32", |a, b| a.saturating_add(b)),
        ("sub.u32", |a, b| a.wrapping_sub(b)),
        ("sub.sat.s32", |a, b| a.saturating_sub(b)),
        ("mul.lo.s32", |a, b| a.wrapping_mul(b)),
        ("mul.hi.s32", |a, b| ((i64::from(a) * i64::from(b)) >> 32) as i32),
        ("mul.hi.u32", |a, b| ((u64::from(a as u32) * u64::from(b as u32)) >> 32) as i32),
        ("mul24.lo.s32", |a, b| ((a << 8) >> 8).wrapping_mul((b << 8) >> 8)),
        ("min.s32", |a, b| a.min(b)),
        ("max.u32", |a, b| (a as u32).max(b as u32) as i32),
        ("min.s16x2", |a, b| {
            let low = (a as i16).min(b as i16) as u16;
            let high = ((a >> 16) as i16).min((b >> 16) as i16) as u16;
            (u32::from(high) << 16 | u32::from(low)) as i32
        }),
        ("and.b32", |a, b| a & b),
        ("xor.b32", |a, b| a ^ b),
        ("or.b32", |a, b| a | b),
        ("shl.b32", |a, b| (a as u32).checked_shl(b as u32).unwrap_or(0) as i32),
        ("shr.u32", |a, b| (a as u32).checked_shr(b as u32).unwrap_or(0) as i32),
        ("shr.s32", |a, b| a >> (b as u32).min(31)),
    ];
    let a = numbers(65);
    for (op, rust) in table {
        let body = format!(
            "  ld.global.b32 %r2, [%rd3];\n  ld.global.b32 %r3, [%rd3+4];\n  {op} %r4, %r2, %r3;\n  st.global.b32 [%rd4], %r4;"
        );
        let want: Vec<i64> = a.windows(2).map(|pair| i64::from(rust(pair[0] as i32, pair[1] as i32))).collect();
        assert_eq!(run(&body, &a, 64), want, "{op}");
    }
}

/// Instructions of one operand.
#[test]
fn bits_are_counted_and_moved_as_in_rust() {
    let table: &[(&str, Unary)] = &[
        ("popc.b32 %r4, %r2", |a| a.count_ones() as i32),
        ("clz.b32 %r4, %r2", |a| a.leading_zeros() as i32),
        ("brev.b32 %r4, %r2", |a| a.reverse_bits()),
        ("bfind.u32 %r4, %r2", |a| 31 - (a as u32).leading_zeros() as i32),
        ("bfind.s32 %r4, %r2", |a| 31 - (if a < 0 { !a } else { a }).leading_zeros() as i32),
        ("bfe.u32 %r4, %r2, 5, 9", |a| a >> 5 & 0x1ff),
        ("bfe.s32 %r4, %r2, 5, 9", |a| a << 18 >> 23),
        ("bfe.s32 %r4, %r2, 28, 9", |a| a >> 28),
        ("bfi.b32 %r4, %r2, 0xffff0000, 4, 8", |a| (0xffff_0000u32 as i32) & !0xff0 | (a & 0xff) << 4),
        ("neg.s32 %r4, %r2", |a| a.wrapping_neg()),
        ("abs.s32 %r4, %r2", |a| a.wrapping_abs()),
        ("not.b32 %r4, %r2", |a| !a),
        ("cnot.b32 %r4, %r2", |a| i32::from(a == 0)),
        ("prmt.b32 %r4, %r2, 0x44332211, 0x7610", |a| (0x4433_0000u32 as i32) | a & 0xffff),
        ("prmt.b32 %r4, %r2, %r2, 0xba98", |a| {
            let sign = |byte: u32| if a as u32 >> (8 * byte + 7) & 1 == 1 { 0xffu32 << (8 * byte) } else { 0 };
            (sign(0) | sign(1) | sign(2) | sign(3)) as i32
        }),
        ("shf.l.wrap.b32 %r4, %r2, %r2, 7", |a| a.rotate_left(7)),
        ("shf.r.clamp.b32 %r4, %r2, 0, 40", |_| 0),
        ("lop3.b32 %r4, %r2, 0xff, 0xf0f0, 0xe8", |a| a & 0xff | a & 0xf0f0 | 0xff & 0xf0f0),
        ("cvt.s32.s8 %r4, %r2", |a| i32::from(a as i8)),
        ("cvt.u32.u16 %r4, %r2", |a| a & 0xffff),
        ("cvt.sat.s8.s32 %r4, %r2", |a| a.clamp(-128, 127)),
        ("mad.lo.s32 %r4, %r2, 3, 7", |a| a.wrapping_mul(3).wrapping_add(7)),
        ("sad.s32 %r4, %r2, 5, 1", |a| (a.abs_diff(5) as i32).wrapping_add(1)),
        ("dp4a.s32.s32 %r4, %r2, 0x01ff0203, 10", |a| {
            let byte = |at: u32| i32::from((a >> (8 * at)) as i8);
            10 + 3 * byte(0) + 2 * byte(1) - byte(2) + byte(3)
        }),
    ];
    let a = numbers(64);
    for (op, rust) in table {
        let body = format!("  ld.global.b32 %r2, [%rd3];\n  {op};\n  st.global.b32 [%rd4], %r4;");
        let want: Vec<i64> = a.iter().map(|&a| i64::from(rust(a as i32))).collect();
        assert_eq!(run(&body, &a, 64), want, "{op}");
    }
}

/// Sums of 128 bits by the carry flag.
#[test]
fn carries_go_from_word_to_word() {
    let a = numbers(64);
    let body = "
  ld.global.b32 %r2, [%rd3];
  add.cc.u32 %r3, %r2, 0xdeadbeef;
  addc.cc.u32 %r4, %r2, 0xffffffff;
  addc.u32 %r5, 0, 0;
  sub.cc.u32 %r6, %r3, 0x12345678;
  subc.u32 %r7, %r4, 5;
  xor.b32 %r7, %r7, %r5;
  xor.b32 %r7, %r7, %r6;
  st.global.b32 [%rd4], %r7;";
    let want: Vec<i64> = a
        .iter()
        .map(|&a| {
            let word = u64::from(a as u32);
            let (sum, carry) = (word << 32 | word).overflowing_add(0xffff_ffff_dead_beef);
            let less = sum.wrapping_sub(5 << 32 | 0x1234_5678);
            i64::from((less as u32 ^ (less >> 32) as u32 ^ u32::from(carry)) as i32)
        })
        .collect();
    assert_eq!(run(body, &a, 64), want);
}

/// Float instructions, bit for bit.
#[test]
fn floats_round_as_they_say() {
    let table: &[(&str, Float)] = &[
        ("add.rn.f32 %f2, %f1, 0f3DCCCCCD", |x| x + 0.1),
        ("fma.rn.f32 %f2, %f1, %f1, 0f3DCCCCCD", |x| x.mul_add(x, 0.1)),
        ("div.rn.f32 %f2, %f1, 0f40400000", |x| x / 3.0),
        ("sqrt.rn.f32 %f2, %f1", f32::sqrt),
        ("neg.f32 %f2, %f1", |x| -x),
        ("abs.f32 %f2, %f1", f32::abs),
        ("max.f32 %f2, %f1, 0f00000000", |x| x.max(0.0)),
        ("mul.sat.f32 %f2, %f1, 0f3F800000", |x| if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }),
        ("cvt.rni.f32.f32 %f2, %f1", f32::round_ties_even),
        ("cvt.rzi.f32.f32 %f2, %f1", f32::trunc),
        ("cvt.rmi.f32.f32 %f2, %f1", f32::floor),
        ("ex2.approx.f32 %f2, %f1", |x| f64::from(x).exp2() as f32),
    ];
    let values: Vec<f32> = (0..64).map(|at| (at as f32 - 31.3) * 0.77).collect();
    let a: Vec<i64> = values.iter().map(|x| i64::from(x.to_bits() as i32)).collect();
    for (op, rust) in table {
        let body = format!("  ld.global.f32 %f1, [%rd3];\n  {op};\n  st.global.f32 [%rd4], %f2;");
        for (&got, &x) in run(&body, &a, 64).iter().zip(&values) {
            let (got, want) = (f32::from_bits(got as u32), rust(x));
            assert!(got == want || got.is_nan() && want.is_nan(), "{op} of {x}: {got} instead of {want}");
        }
    }
}

/// Two numbers in a register, conversions that saturate, and bits of halves.
#[test]
fn halves_are_packed_and_unpacked() {
    let body = "
  .reg .b32 %x;
  cvt.rn.f32.s32 %f1, %r1;
  cvt.rn.f16x2.f32 %x, %f1, 0f40000000;
  fma.rn.f16x2 %x, %x, %x, %x;
  mov.b32 {%h1, %h2}, %x;
  cvt.f32.f16 %f2, %h2;
  cvt.f32.f16 %f3, %h1;
  add.f32 %f2, %f2, %f3;
  cvt.rni.s32.f32 %r2, %f2;
  cvt.rn.satfinite.e4m3x2.f32 %h3, 0f7149F2CA, 0fBF800000;
  cvt.u32.u16 %r3, %h3;
  shl.b32 %r3, %r3, 16;
  add.s32 %r2, %r2, %r3;
  st.global.b32 [%rd4], %r2;";
    // 448 is 0x7e and -1 is 0xb8 in e4m3; each half is x * x + x.
    let want: Vec<i64> = (0..64).map(|t: i64| t * t + t + 6 + (0x7eb8 << 16)).collect();
    let got = run(body, &numbers(64), 64);
    // Halves of more than 2048 are rounded to even.
    for (at, (got, want)) in got.iter().zip(&want).enumerate() {
        assert!((got - want).abs() <= if at < 45 { 0 } else { 2 }, "{at}: {got} instead of {want}");
    }
}

/// Lanes part in a loop and in branches inside of it, and meet again: a vote behind it counts all of them.
#[test]
fn lanes_part_and_meet_again() {
    let body = "
  mov.u32 %r2, 0;
  mov.u32 %r3, %r1;
$LOOP:
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra $END;
  and.b32 %r4, %r3, 1;
  setp.ne.u32 %p2, %r4, 0;
  @!%p2 bra $EVEN;
  add.u32 %r2, %r2, 100;
  bra.uni $NEXT;
$EVEN:
  add.u32 %r2, %r2, 1;
$NEXT:
  shr.u32 %r3, %r3, 1;
  bra $LOOP;
$END:
  activemask.b32 %r5;
  popc.b32 %r5, %r5;
  mad.lo.u32 %r2, %r5, 10000, %r2;
  st.global.u32 [%rd4], %r2;";
    let want: Vec<i64> = (0..64u32)
        .map(|t| {
            let bits = 32 - t.leading_zeros();
            i64::from(320_000 + 100 * t.count_ones() + (bits - t.count_ones()))
        })
        .collect();
    assert_eq!(run(body, &numbers(64), 64), want);
}

/// Functions with parameters in memory and in registers, tables of branches, local arrays, vectors.
#[test]
fn functions_are_called_and_tables_are_followed() {
    let text = kernel(
        64,
        "
  .local .align 16 .b8 depot[32];
  .reg .v4 .b32 %v;
  {
    .param .b32 in;
    .param .b32 out;
    st.param.b32 [in], %r1;
    call.uni (out), square, (in);
    ld.param.b32 %r2, [out];
  }
  call (%r3), twice, (%r1);
  and.b32 %r4, %r1, 3;
  targets: .branchtargets $A, $B, $C, $A;
  brx.idx %r4, targets;
$A:
  mov.u32 %r5, 1;
  bra $D;
$B: mov.u32 %r5, 2; bra $D;
$C: mov.u32 %r5, 3;
$D:
  mov.u64 %rd5, depot;
  cvta.local.u64 %rd6, %rd5;
  st.local.v2.b32 [%rd5+8], {%r2, %r3};
  st.u32 [%rd6+16], %r5;
  ld.local.v4.u32 {_, _, %r6, %r7}, [depot];
  ld.u32 %r8, [%rd6+16];
  mov.b64 %rd7, {%r6, %r7};
  shr.u64 %rd7, %rd7, 32;
  cvt.u32.u64 %r7, %rd7;
  mov.b32 %v.x, %r6;
  mad.lo.u32 %r9, %r7, 1000, %v.x;
  mad.lo.u32 %r9, %r8, 1000000, %r9;
  st.global.u32 [%rd4],
    %r9;",
    );
    let functions = "
.func (.param .b32 result) square(.param .b32 x) {
  .reg .b32 %r<3>;
  .reg .pred %p;
  ld.param.b32 %r1, [x];
  setp.eq.s32 %p, %r1, 63;
  mul.lo.s32 %r2, %r1, %r1;
  @%p mov.b32 %r2, 7;
  st.param.b32 [result+0], %r2;
  ret;
}
.func (.reg .b32 r) twice(.reg .b32 x) { add.s32 r, x, x; ret; }
.visible .entry";
    let text = text.replacen("\n.visible .entry", functions, 1);
    let got = try_run(&text, &[0], &[0; 64], &Options::default()).unwrap_or_else(|diag| panic!("{diag:?}"));
    let want: Vec<i64> = (0..64)
        .map(|t: i64| {
            let square = if t == 63 { 7 } else { t * t };
            square + 2000 * t + 1_000_000 * [1, 2, 3, 1][t as usize % 4]
        })
        .collect();
    assert_eq!(got, want);
}

/// Shuffles, votes, matches and reductions of a warp.
#[test]
fn lanes_of_a_warp_work_together() {
    let table: &[(&str, OfThread)] = &[
        ("shfl.sync.bfly.b32 %r2|%p1, %r1, 5, 31, -1", |t| t as i64 ^ 5),
        ("shfl.sync.up.b32 %r2, %r1, 3, 0, -1", |t| if t % 32 < 3 { t as i64 } else { t as i64 - 3 }),
        ("shfl.sync.down.b32 %r2, %r1, 3, 0x181f, -1", |t| if t % 8 < 5 { t as i64 + 3 } else { t as i64 }),
        ("shfl.sync.idx.b32 %r2, %r1, 2, 0x181f, -1", |t| (t / 8 * 8 + 2) as i64),
        ("setp.lt.u32 %p1, %laneid, 5; vote.sync.ballot.b32 %r2, %p1, -1", |_| 31),
        ("and.b32 %r3, %r1, 3; match.any.sync.b32 %r2, %r3, -1", |t| i64::from((0x1111_1111u32 << (t % 4)) as i32)),
        ("redux.sync.add.s32 %r2, %r1, -1", |t| if t < 32 { 496 } else { 496 + 32 * 32 }),
        ("redux.sync.max.u32 %r2, %r1, -1", |t| if t < 32 { 31 } else { 63 }),
        // The first warp's lanes hold -16.0 to 15.0, the second one's 16.0 to 47.0.
        (
            "sub.s32 %r2, %r1, 16; cvt.rn.f32.s32 %f1, %r2; redux.sync.min.f32 %f2, %f1, -1; cvt.rni.s32.f32 %r2, %f2",
            |t| if t < 32 { -16 } else { 16 },
        ),
        (
            "sub.s32 %r2, %r1, 16; cvt.rn.f32.s32 %f1, %r2; redux.sync.max.abs.f32 %f2, %f1, -1; cvt.rni.s32.f32 %r2, %f2",
            |t| if t < 32 { 16 } else { 47 },
        ),
        (
            "cvt.rn.f32.s32 %f1, %r1; setp.eq.u32 %p1, %laneid, 7; @%p1 mov.f32 %f1, 0f7FC00000; redux.sync.max.f32 %f2, %f1, -1; redux.sync.max.NaN.f32 %f3, %f1, -1; cvt.rni.s32.f32 %r2, %f2; testp.notanumber.f32 %p2, %f3; @!%p2 mov.b32 %r2, -1",
            |t| if t < 32 { 31 } else { 63 },
        ),
        ("elect.sync _|%p1, -1; selp.u32 %r2, 1, 0, %p1", |t| i64::from(t % 32 == 0)),
        ("mov.u32 %r2, %lanemask_lt", |t| (1i64 << (t % 32)) - 1),
    ];
    for (op, want) in table {
        let got = run(&format!("  {op};\n  st.global.b32 [%rd4], %r2;"), &[0], 64);
        assert_eq!(got, (0..64).map(want).collect::<Vec<_>>(), "{op}");
    }
}

/// Atomic accesses of all threads, to global and to shared memory.
#[test]
fn atomic_accesses_add_up() {
    let body = "
  .shared .align 4 .u32 sum;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 st.shared.u32 [sum], 0;
  bar.sync 0;
  atom.shared.add.u32 %r2, [sum], %r1;
  red.global.max.s32 [%rd2+4], %r1;
  atom.global.cas.b32 %r3, [%rd2+8], 0, 77;
  bar.sync 0;
  ld.shared.u32 %r4, [sum];
  @%p1 st.global.u32 [%rd2], %r4;";
    assert_eq!(run(body, &[0], 3), [2016, 63, 77]);
}

/// A copy of a row that is waited for; the other mode moves it as late as it may.
#[test]
fn copies_arrive_where_they_are_waited_for() {
    let body = |wait: &str| {
        format!(
            "
  .shared .align 16 .b8 tile[512];
  mov.u32 %r2, tile;
  mad.lo.u32 %r2, %r1, 4, %r2;
  cp.async.ca.shared.global [%r2], [%rd3], 4;
  cp.async.commit_group;
  cp.async.ca.shared.global [%r2+256], [%rd3], 4, 0;
  cp.async.commit_group;
  cp.async.wait_group {wait};
  bar.sync 0;
  xor.b32 %r3, %r2, 4;
  ld.shared.u32 %r4, [%r3];
  st.global.u32 [%rd4], %r4;
  cp.async.wait_all;"
        )
    };
    let a = numbers(64);
    for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
        let options = Options { copies, ..Options::default() };
        let run = |wait: &str| try_run(&kernel(64, &body(wait)), &a, &[0; 64], &options);
        let want: Vec<i64> = (0..64).map(|t| a[t ^ 1]).collect();
        assert_eq!(run("1").unwrap(), want);
        assert_eq!(run("2").expect_err("nobody waits for the first group").code, Code::Async);
    }
}

/// `fma.rn.oob`: a factor 0x7fff lies outside of a tensor, and the sum is zero; other NaNs and the summand count.
#[test]
fn factors_out_of_bounds_make_sums_zero() {
    let body = "
  mov.b32 %r2, 0x40003c00;
  mov.b32 %r3, 0x3c003c00;
  ld.global.b32 %r5, [%rd3];
  fma.rn.oob.f16x2 %r6, %r5, %r2, %r3;
  st.global.b32 [%rd4], %r6;";
    let got = run(body, &[0x7fff_4000, 0x3c00_7fff, 0x7e00_0000, 0xbc00_bc00].repeat(16), 64);
    assert_eq!(got[..4], [0x0000_4200, 0x4200_0000, 0x7fff_3c00, -0x4400_0000]);
}

/// `ldmatrix`, `stmatrix` and `movmatrix` move rows of halves to lanes and back.
#[test]
fn matrices_are_loaded_stored_and_transposed() {
    let body = "
  .shared .align 16 .b8 tile[256];
  setp.gt.u32 %p1, %r1, 31;
  @%p1 ret;
  mov.u32 %r2, tile;
  and.b32 %r3, %r1, 7;
  mad.lo.u32 %r3, %r3, 16, %r2;
  mad.lo.u32 %r4, %r1, 4, %r2;
  ld.global.b32 %r5, [%rd3];
  st.shared.b32 [%r4], %r5;
  bar.warp.sync -1;
  ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r6}, [%r3];
  movmatrix.sync.aligned.m8n8.trans.b16 %r7, %r6;
  stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r3+128], {%r7};
  bar.warp.sync -1;
  ld.shared.b32 %r8, [%r4+128];
  st.global.b32 [%rd4], %r8;";
    let half = |t: usize, part: usize| (100 * t + part) as i64;
    let a: Vec<i64> = (0..64).map(|t| half(t, 1) << 16 | half(t, 0)).collect();
    let got = run(body, &a, 64);
    // One of the three transpositions is left.
    for t in 0..32 {
        let (row, column) = (t / 4, t % 4 * 2);
        let at = |row: usize, column: usize| half(row * 4 + column / 2, column % 2);
        assert_eq!(got[t], at(column + 1, row) << 16 | at(column, row), "lane {t}");
    }
}

/// One tile of a matrix product in f16, with the operands where the lanes hold them.
#[test]
fn matrix_instructions_multiply() {
    let body = "
  setp.gt.u32 %p1, %r1, 31;
  @%p1 ret;
  mov.b32 %r2, 0x3c003c00;
  cvt.rn.f32.u32 %f1, %r1;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, {%r2, %r2, %r2, %r2}, {%r2, %r2},
      {%f1, %f1, %f1, %f1};
  cvt.rni.s32.f32 %r3, %f5;
  st.global.b32 [%rd4], %r3;";
    let got = run(body, &[0], 64);
    assert_eq!(got[..32], (0..32).map(|t| 16 + t).collect::<Vec<i64>>());
}

/// A group of four warps multiplies tiles of shared memory, whenever the product is made.
#[test]
fn groups_of_warps_multiply() {
    let (a, b) = (|m: usize, k: usize| (m * 5 + k * 3) % 7, |n: usize, k: usize| (n * 2 + k) % 5);
    // Cores of eight rows of 16 bytes: those of A lie 128 bytes apart along the rows and 1024 along k.
    let mut halves = [0u16; 1152];
    let half =
        |x: usize| if x == 0 { 0 } else { ((15 + x.ilog2()) << 10 | ((x << 10 >> x.ilog2()) & 0x3ff) as u32) as u16 };
    for k in 0..16 {
        for m in 0..64 {
            halves[k / 8 * 512 + m / 8 * 64 + m % 8 * 8 + k % 8] = half(a(m, k));
        }
        for n in 0..8 {
            halves[1024 + k / 8 * 64 + n * 8 + k % 8] = half(b(n, k));
        }
    }
    let words: Vec<i64> =
        halves.chunks(2).map(|pair| i64::from((u32::from(pair[1]) << 16 | u32::from(pair[0])) as i32)).collect();
    let body = "
  .shared .align 1024 .b8 tiles[2304];
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd6, %rd1, %rd5;
  mov.u32 %r2, tiles;
  mad.lo.u32 %r3, %r1, 16, %r2;
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd6];
  st.shared.v4.b32 [%r3], {%r4, %r5, %r6, %r7};
  setp.lt.u32 %p1, %r1, 16;
  @!%p1 bra $JOIN;
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd6+2048];
  st.shared.v4.b32 [%r3+2048], {%r4, %r5, %r6, %r7};
$JOIN:
  fence.proxy.async.shared::cta;
  bar.sync 0;
  shr.u32 %r3, %r2, 4;
  cvt.u64.u32 %rd7, %r3;
  or.b64 %rd8, %rd7, 0x0000000800400000;
  add.u64 %rd9, %rd7, 0x0000000800080080;
  mov.f32 %f1, 0f41200000;
  mov.f32 %f2, %f1;
  mov.f32 %f3, %f1;
  mov.f32 %f4, %f1;
  setp.eq.u32 %p2, %r1, %r1;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd8, %rd9, %p2, 1, -1, 0, 0;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  cvt.rni.s32.f32 %r4, %f1;
  cvt.rni.s32.f32 %r5, %f2;
  cvt.rni.s32.f32 %r6, %f3;
  cvt.rni.s32.f32 %r7, %f4;
  add.s64 %rd10, %rd2, %rd5;
  st.global.v4.b32 [%rd10], {%r4, %r5, %r6, %r7};";
    // Until the wait, the sums are the product's: they may be neither read nor written.
    let wait = "  wgmma.wait_group.sync.aligned 0;";
    for (early, verb) in [("  mov.f32 %f5, %f3;", "reads"), ("  mov.f32 %f3, 0f00000000;", "writes")] {
        let body = body.replace(wait, &format!("{early}\n{wait}"));
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { copies, ..Options::default() };
            let diag = try_run(&kernel(128, &body), &words, &[0; 512], &options).expect_err("the product is not over");
            assert_eq!(diag.code, Code::Async, "{diag:?}");
            assert!(diag.message.contains(&format!("{verb} a register")), "{diag:?}");
            // Those that are there at once may be read where nobody checks.
            let ran = try_run(&kernel(128, &body), &words, &[0; 512], &Options { sanitize: false, ..options });
            assert_eq!(ran.is_ok(), copies == AsyncMode::Eager, "{ran:?}");
        }
    }
    for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
        let options = Options { copies, ..Options::default() };
        let got = try_run(&kernel(128, body), &words, &[0; 512], &options).unwrap_or_else(|diag| panic!("{diag:?}"));
        for (at, &got) in got.iter().enumerate() {
            let (thread, slot) = (at / 4, at % 4);
            let (m, n) = (thread / 32 * 16 + thread % 32 / 4 + 8 * (slot / 2), thread % 4 * 2 + slot % 2);
            let sum: usize = (0..16).map(|k| a(m, k) * b(n, k)).sum();
            assert_eq!(got, 10 - sum as i64, "row {m}, column {n}");
        }
    }
}

/// Every kind of finding names its thread and its place.
#[test]
fn wrong_programs_are_found() {
    let store = "\n  st.global.b32 [%rd4], %r1;";
    let table: &[(&str, Code, &str)] = &[
        ("  ld.global.b32 %r2, [%rd3+8];", Code::OutOfBounds, "argument 0"),
        ("  mov.u64 %rd5, 0;\n  ld.global.b32 %r2, [%rd5];", Code::OutOfBounds, "no memory"),
        ("  ld.global.v2.b32 {%r2, %r3}, [%rd1+4];", Code::Misaligned, "multiple of 8"),
        ("  .shared .b32 s[64];\n  ld.shared.b32 %r2, [s];", Code::Uninitialised, "nothing has written"),
        (
            "  .shared .b32 s[64];\n  mov.u32 %r2, s;\n  mad.lo.u32 %r2, %r1, 4, %r2;\n  st.shared.b32 [%r2], %r1;\n  ld.shared.b32 %r1, [s];",
            Code::Race,
            "wrote",
        ),
        ("  st.global.b32 [%rd2], %r1;", Code::Race, "wrote"),
        ("  setp.eq.u32 %p1, %r1, 3;\n  @%p1 bar.sync 0;", Code::Divergent, "lanes"),
        ("  setp.lt.u32 %p1, %r1, 32;\n  @%p1 bar.sync 1, 64;", Code::Deadlock, "nobody else"),
        ("  setp.eq.u32 %p1, %r1, 3;\n  @%p1 shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;", Code::Divergent, "lanes"),
        ("$L: bra $L;", Code::LimitHit, "fuel"),
        ("  trap;", Code::Undefined, "traps"),
        ("  frobnicate.rn.f32 %f1, %f2;", Code::CannotExecute, "frobnicate.rn.f32"),
        ("  add.rn.weird.f32 %f1, %f2, %f3;", Code::CannotExecute, "add.rn.weird.f32"),
        ("  add.s32 %r1, %r2;", Code::PtxSyntax, "takes 3 operands"),
        ("  add.s32 %r1, %r2, %q7;", Code::PtxSyntax, "`%q7` is not declared"),
        ("  bra $NOWHERE;", Code::PtxSyntax, "no label"),
        ("  add.s32 %r1, %r2, %r3", Code::PtxSyntax, "expected `;`"),
    ];
    for (body, code, part) in table {
        let options = Options { fuel: 10_000_000, ..Options::default() };
        let text = kernel(64, &format!("{body}{store}"));
        let diag = try_run(&text, &numbers(64), &[0; 64], &options).expect_err(body);
        assert_eq!(diag.code, *code, "{body}: {diag:?}");
        assert!(diag.message.contains(part), "{body}: {diag:?}");
    }
    // The place is the instruction's line.
    let diag = fails("  ld.global.b32 %r2, [%rd3+8];", &numbers(64), 64);
    let text = kernel(64, "  ld.global.b32 %r2, [%rd3+8];");
    let span = diag.span.unwrap();
    assert_eq!(&text[span.start as usize..span.end as usize], "ld.global.b32 %r2, [%rd3+8];");
    assert!(diag.label.contains("thread (62, 0, 0) of workgroup (0, 0, 0)"), "{diag:?}");
}

/// Text that is cut off or mixed up is refused, and nothing panics.
#[test]
fn mangled_text_is_refused() {
    let text =
        kernel(64, "  ld.global.b32 %r2, [%rd3];\n  @%p1 add.s32 %r2, %r2, {%r3};\n  st.global.b32 [%rd4], %r2;");
    for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        let _ = try_run(&text[..at], &[0; 64], &[0; 64], &Options::default());
        for with in ["{", "}", "[", ")", ";", ".", "%", "0x", "\u{e9}", "-", "\"", "<"] {
            let mut mangled = text.clone();
            mangled.replace_range(at..at + 1, with);
            let options = Options { fuel: 1_000_000, ..Options::default() };
            let _ = try_run(&mangled, &[0; 64], &[0; 64], &options);
        }
    }
}

/// Types that an instruction does not have are refused with the instruction's name.
#[test]
fn types_that_instructions_do_not_have_are_refused() {
    for form in ["clz.bf16x2 %r2, %r1", "bfind.shiftamt.f16x2 %r2, %r1", "set.eq.u16x2.f64 %r2, %d0, %d1"] {
        let diag = fails(&format!("  {form};"), &[0; 64], 64);
        assert_eq!(diag.code, Code::CannotExecute, "{form}: {diag:?}");
        assert!(diag.message.contains(form.split(' ').next().unwrap()), "{diag:?}");
    }
}

/// A result does not go into a register that is too narrow for it.
#[test]
fn wide_results_do_not_fit_in_narrow_registers() {
    let diag = fails("  cvt.s64.s8 %r2, %r1;", &[0; 64], 64);
    assert_eq!(diag.code, Code::PtxSyntax, "{diag:?}");
    assert!(diag.message.contains("does not fit"), "{diag:?}");
}

/// A 32-bit register has 32 bits of the address of a variable, which may be wider.
#[test]
fn addresses_are_cut_to_the_register() {
    let body = "  mov.u32 %r2, table;\n  clz.b32 %r3, %r2;\n  clz.b32 %r4, table;\n  sub.u32 %r3, %r3, %r4;\n  st.global.u32 [%rd4], %r3;";
    let text = kernel(64, body).replace(".visible", ".global .align 4 .b32 table[4] = {1, 2, 3, 4};\n.visible");
    assert_eq!(try_run(&text, &[0], &[7; 64], &Options::default()).unwrap(), [0; 64]);
}

/// Lanes that left their warp come to a barrier that they do not wait at, and go on.
#[test]
fn lanes_apart_arrive_at_a_barrier_without_waiting() {
    let body = "
  mov.u32 %r2, 0;
  setp.eq.u32 %p1, %r1, 0;
$AGAIN:
  add.u32 %r2, %r2, 1;
  setp.gt.u32 %p2, %r2, 3;
  @%p2 bra $DONE;
  @%p1 bra $AGAIN;
  bar.arrive 1, 64;
  cp.async.bulk.wait_group 0;
  st.global.u32 [%rd4], %r2;
$DONE:";
    let mut expected = [1; 64];
    expected[0] = 7;
    assert_eq!(try_run(&kernel(64, body), &[0], &[7; 64], &Options::default()).unwrap(), expected);
}

/// Words side by side are four sectors of one line; half a line further they are of two. Every second word of shared
/// memory meets another one in its bank, and an asynchronous copy is an access to both memories.
#[test]
fn accesses_are_counted_in_sectors_lines_and_wavefronts() {
    let body = "
  .shared .align 16 .b8 s[512];
  ld.global.b32 %r2, [%rd3];
  ld.global.b32 %r3, [%rd3+64];
  mov.u32 %r4, s;
  mad.lo.u32 %r5, %r1, 8, %r4;
  st.shared.b32 [%r5], %r2;
  bar.sync 0;
  mad.lo.u32 %r6, %r1, 16, %r4;
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd5, %rd1, %rd5;
  cp.async.cg.shared.global [%r6], [%rd5], 16;
  cp.async.wait_all;";
    let module = ptx::parse(&kernel(32, body)).unwrap();
    let buffer = Tensor::from_i64(I32, &[128], &numbers(128));
    let args = [buffer.clone(), buffer, Tensor::from_i64(I32, &[], &[128])];
    let ran = |banks| ptx::run(&module, &args, &launch(1), &Options { banks, ..Options::default() }).unwrap();
    let traffic = ran(Some(32)).traffic.unwrap();
    let of = |traffic: raddle_emu::Traffic| (traffic.requests, traffic.transactions, traffic.ideal);
    assert_eq!(of(traffic.global), (3, 4 + 4 + 16, 4 + 4 + 16));
    assert_eq!(traffic.lines, 1 + 2 + 4);
    assert_eq!(of(traffic.shared), (2, 2 + 4, 1 + 4));
    assert_eq!(ran(None).traffic, None);
}

/// Products of single bits count those that both factors have; a base offset says where the pattern of a swizzle begins.
#[test]
fn groups_of_warps_count_bits() {
    // Rows of 32 bytes; the tile of A begins 384 bytes behind a multiple of 1024, and its pattern with it.
    let byte = |at: i64| (at * 37 + at / 13 * 5 + at / 32) & 0xff;
    let bytes: Vec<i64> = (0..72 * 32).map(byte).collect();
    let words: Vec<i64> =
        bytes.chunks(4).map(|part| part.iter().rev().fold(0, |word, byte| word << 8 | byte)).collect();
    let words: Vec<i64> = words.into_iter().map(|word| i64::from(word as u32 as i32)).collect();
    let body = "
  .shared .align 1024 .b8 tiles[4096];
  mov.u32 %r2, tiles;
  add.u32 %r3, %r2, 384;
  mov.u32 %r10, %r1;
$FILL:
  mul.wide.u32 %rd5, %r10, 16;
  add.s64 %rd6, %rd1, %rd5;
  ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd6];
  // The row of 32 bytes in each 128 says whether its two chunks are exchanged.
  shr.u32 %r8, %r10, 3;
  and.b32 %r8, %r8, 1;
  xor.b32 %r8, %r8, %r10;
  mad.lo.u32 %r9, %r8, 16, %r3;
  st.shared.v4.b32 [%r9], {%r4, %r5, %r6, %r7};
  add.u32 %r10, %r10, 128;
  setp.lt.u32 %p1, %r10, 144;
  @%p1 bra $FILL;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  shr.u32 %r3, %r3, 4;
  cvt.u64.u32 %rd7, %r3;
  // Swizzle of 32 bytes, 256 bytes from eight rows to the next, base offset 3.
  or.b64 %rd8, %rd7, 0xC006001000000000;
  add.u64 %rd9, %rd8, 128;
  mov.u32 %r4, 7;
  mov.u32 %r5, 7;
  mov.u32 %r6, 7;
  mov.u32 %r7, 7;
  setp.eq.u32 %p2, %r1, %r1;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%r4, %r5, %r6, %r7}, %rd8, %rd9, %p2;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd10, %rd2, %rd5;
  st.global.v4.b32 [%rd10], {%r4, %r5, %r6, %r7};";
    for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
        let options = Options { copies, ..Options::default() };
        let got = try_run(&kernel(128, body), &words, &[0; 512], &options).unwrap_or_else(|diag| panic!("{diag:?}"));
        for (at, &got) in got.iter().enumerate() {
            let (thread, slot) = (at / 4, at % 4);
            let (m, n) = (thread / 32 * 16 + thread % 32 / 4 + 8 * (slot / 2), thread % 4 * 2 + slot % 2);
            let both = (0..32).map(|k| (bytes[m * 32 + k] & bytes[(64 + n) * 32 + k]).count_ones()).sum::<u32>();
            assert_eq!(got, 7 + i64::from(both), "row {m}, column {n}");
        }
    }
}

/// The registers that 128 bits need, and two numbers in front of a body.
const WIDE: &str = "
  .reg .b128 %q<4>;
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd6, %rd2, %rd5;
  mov.b64 %rd7, 0x0000000200000001;
  mov.b64 %rd8, 0x0000000400000003;
  mov.b128 %q0, {%rd7, %rd8};
  mov.b128 %q1, {%rd8, %rd7};
";

/// Registers of 128 bits are taken apart, put together, moved, loaded and stored; a move may exchange halves.
#[test]
fn registers_of_128_bits_have_two_halves() {
    let body = format!(
        "{WIDE}
  mov.b128 {{%rd7, %rd8}}, %q1;
  mov.b128 %q2, {{%rd8, %rd7}};
  st.global.b128 [%rd6], %q2;
  ld.relaxed.gpu.global.b128 %q3, [%rd6];
  mov.b128 {{_, %rd9}}, %q3;
  mov.b128 %q3, {{%rd9, %rd7}};
  mov.b128 %q1, %q3;
  st.global.b128 [%rd6], %q1;"
    );
    let out = run(&body, &[0], 256);
    assert_eq!(out[..4], [3, 4, 3, 4]);
    assert_eq!(out[252..], [3, 4, 3, 4]);
}

/// A comparison of 128 bits exchanges all of them or none: half of them being equal is not enough.
#[test]
fn exchanges_of_128_bits_take_both_halves() {
    let cas = |compare: &str| {
        format!(
            "{WIDE}
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  st.global.b128 [%rd2], %q0;
  mov.b128 %q2, {compare};
  atom.global.cas.b128 %q2, [%rd2], %q2, %q1;
  st.global.b128 [%rd2+16], %q2;"
        )
    };
    assert_eq!(run(&cas("{%rd7, %rd8}"), &[0], 8), [3, 4, 1, 2, 1, 2, 3, 4]);
    assert_eq!(run(&cas("{%rd7, %rd7}"), &[0], 8), [1, 2, 3, 4, 1, 2, 3, 4]);
    assert_eq!(run(&cas("{%rd8, %rd8}"), &[0], 8), [1, 2, 3, 4, 1, 2, 3, 4]);
    let exchange = "
  setp.ne.u32 %p1, %r1, 0;
  @%p1 ret;
  st.global.b128 [%rd2], %q0;
  atom.relaxed.gpu.global.exch.b128 %q0, [%rd2], %q1;
  st.global.b128 [%rd2+16], %q0;";
    assert_eq!(run(&format!("{WIDE}{exchange}"), &[0], 8), [3, 4, 1, 2, 1, 2, 3, 4]);
}

/// An atomic access begins where as many bytes as it has may begin.
#[test]
fn wide_atomic_accesses_are_aligned() {
    let diag = fails(&format!("{WIDE}  atom.global.exch.b128 %q0, [%rd2+8], %q1;"), &[0], 16);
    assert_eq!(diag.code, Code::Misaligned, "{diag:?}");
    let diag = fails("  red.global.add.v2.f32 [%rd2+4], {%f1, %f2};", &[0], 16);
    assert_eq!(diag.code, Code::Misaligned, "{diag:?}");
}

/// `lop3` with a predicate: whether the function of three words is zero, combined with another predicate.
#[test]
fn functions_of_three_words_give_predicates() {
    let words = |op: &str| {
        format!(
            "  ld.global.b32 %r2, [%rd3];
  setp.gt.s32 %p1, %r2, 0;
  lop3.{op}.b32 %r3|%p2, %r2, %r1, 12, 0x80, {{P}};
  selp.b32 %r4, 1000, 0, %p2;
  add.s32 %r4, %r4, %r3;
  st.global.b32 [%rd4], %r4;"
        )
    };
    let a: Vec<i64> = (0..64).map(|at| at - 20).collect();
    let of = |at: i64| (at - 20) & at & 12;
    let expect = |test: fn(bool, bool) -> bool| -> Vec<i64> {
        (0..64).map(|at| of(at) + if test(of(at) != 0, at > 20) { 1000 } else { 0 }).collect()
    };
    assert_eq!(run(&words("and").replace("{P}", "%p1"), &a, 64), expect(|any, p| any && p));
    assert_eq!(run(&words("or").replace("{P}", "%p1"), &a, 64), expect(|any, p| any || p));
    assert_eq!(run(&words("and").replace("{P}", "!%p1"), &a, 64), expect(|any, p| any && !p));
}

/// Two numbers saturated to a few bits, below what was there.
#[test]
fn narrow_numbers_are_packed() {
    let table: &[(&str, i64)] = &[
        ("cvt.pack.sat.s2.s32.b32 %r4, 5, -9, 0xff", 0xff6),
        ("cvt.pack.sat.u2.s32.b32 %r4, 5, -9, 0xff", 0xffc),
        ("cvt.pack.sat.s8.s32.b32 %r4, 300, -300, 0", 0x7f80),
        ("cvt.pack.sat.u16.s32 %r4, 70000, -1", 0xffff_0000_u32 as i32 as i64),
    ];
    for (text, want) in table {
        assert_eq!(run(&format!("  {text};\n  st.global.b32 [%rd4], %r4;"), &[0], 64)[0], *want, "{text}");
    }
}

/// Registers that are not as wide as an instruction says are the writer's mistake, not a panic further on.
#[test]
fn results_fit_their_registers() {
    for text in [
        "mov.b64 %r2, {%f1, %r3}",
        "mov.b64 {%h1, %r2}, %rd5",
        "mov.b64 {%r1, %r2, %r3}, %rd5",
        "ld.global.u64 %r2, [%rd1]",
        "mov.u64 %r2, %clock64",
        "atom.global.add.u64 %r2, [%rd1], 1",
        "shfl.sync.idx.b32 %h1, %r1, 0, 31, -1",
        "vote.sync.ballot.b32 %p1, %p2, -1",
        "cvta.global.u64 %r2, %rd1",
    ] {
        let diag = fails(&format!("  {text};"), &[0; 64], 64);
        assert_eq!(diag.code, Code::PtxSyntax, "{text}: {diag:?}");
        assert!(diag.message.contains("register"), "{text}: {diag:?}");
    }
}

/// Functions behind pointers: from a table and from a register, in branches that part, and with a predicate.
#[test]
fn calls_go_through_pointers() {
    const FUNCTIONS: &str = "
.func (.param .b32 r) twice(.param .b32 x);
.global .align 8 .u64 table[3] = {twice, square, plus};
.func (.param .b32 r) twice(.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [r], %r2;
  ret;
}
.func (.param .b32 r) square(.param .b32 x)
{
  .reg .pred %p;
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  mul.lo.s32 %r2, %r1, %r1;
  setp.gt.s32 %p, %r1, 20;
  @%p mov.u32 %r2, 1;
  st.param.b32 [r], %r2;
  ret;
}
.func (.param .b32 r) plus(.param .b32 x)
{
  .reg .b32 %r<3>;
  .reg .b64 %f;
  ld.param.b32 %r1, [x];
  add.s32 %r1, %r1, 7;
  mov.u64 %f, twice;
  {
    .param .b32 y;
    .param .b32 s;
    st.param.b32 [y], %r1;
    inner: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (s), %f, (y), inner;
    ld.param.b32 %r2, [s];
  }
  st.param.b32 [r], %r2;
  ret;
}
.func other(.param .b64 x) { ret; }
";
    let text = |call: &str| {
        let body = "  mov.u64 %rd5, table;
  rem.u32 %r2, %r1, 3;
  mul.wide.u32 %rd6, %r2, 8;
  add.s64 %rd6, %rd5, %rd6;
  ld.global.u64 %rd7, [%rd6];
  setp.lt.u32 %p1, %r1, 60;
  mov.u32 %r4, 5;
  {
    .param .b32 arg;
    .param .b32 res;
    st.param.b32 [arg], %r1;
    st.param.b32 [res], 5;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    {call}
    ld.param.b32 %r4, [res];
  }
  st.global.u32 [%rd4], %r4;"
            .replace("{call}", call);
        let head = ".address_size 64\n";
        kernel(64, &body).replace(head, &[head, FUNCTIONS].concat())
    };
    let run = |call: &str| try_run(&text(call), &[0], &[0; 64], &Options::default());
    let of = |t: i64| match t % 3 {
        0 => 2 * t,
        1 if t > 20 => 1,
        1 => t * t,
        _ => 2 * (t + 7),
    };
    assert_eq!(run("call (res), %rd7, (arg), proto;").unwrap(), (0..64).map(of).collect::<Vec<i64>>());
    let guarded: Vec<i64> = (0..64).map(|t| if t < 60 { of(t) } else { 5 }).collect();
    assert_eq!(run("@%p1 call (res), %rd7, (arg), proto;").unwrap(), guarded);
    assert_eq!(run("@%p1 call.uni (res), square, (arg);").unwrap()[59..], [1, 5, 5, 5, 5]);
    // A number that is not a function's address.
    let diag = run("mov.u64 %rd7, 1234; call (res), %rd7, (arg), proto;").unwrap_err();
    assert!(diag.message.contains("no function"), "{diag:?}");
}

/// A word that says of two halves how they compare: all ones in the half for which the comparison holds.
#[test]
fn comparisons_of_halves_make_masks() {
    // 1 and 2 beside 2 and 1, and a number beside none.
    let out = run(
        "  mov.b32 %r2, 0x40003c00;
  mov.b32 %r3, 0x3c004000;
  set.gt.u32.f16x2 %r4, %r2, %r3;
  mov.b32 %r5, 0x7fff3f80;
  set.le.s32.bf16x2 %r6, %r5, %r5;
  set.gtu.u32.bf16x2 %r7, %r5, %r5;
  st.global.u32 [%rd2], %r4;
  st.global.u32 [%rd2+4], %r6;
  st.global.u32 [%rd2+8], %r7;",
        &[0],
        3,
    );
    assert_eq!(out, [0xffff_0000u32 as i32, 0xffff, 0xffff_0000u32 as i32].map(i64::from));
}

/// Halves and bytes of words: each result cut or kept within its type, or all of them added up.
#[test]
fn bytes_of_words_are_computed_apart() {
    let out = run(
        "  mov.b32 %r2, 0x80ff7f03;
  mov.b32 %r3, 0x01027f05;
  mov.b32 %r4, 1000;
  vabsdiff4.u32.u32.u32 %r5, %r2, %r3, %r4;
  vabsdiff4.u32.u32.u32.add %r6, %r2, %r3, %r4;
  vadd4.s32.s32.s32.sat %r7, %r2, %r3, %r4;
  vsub2.u32.u32.u32 %r8, %r2, %r3, %r4;
  vmin4.s32.s32.s32 %r9, %r2, %r3, %r4;
  st.global.u32 [%rd2], %r5;
  st.global.u32 [%rd2+4], %r6;
  st.global.u32 [%rd2+8], %r7;
  st.global.u32 [%rd2+12], %r8;
  st.global.u32 [%rd2+16], %r9;",
        &[0],
        5,
    );
    let expected = [0x7ffd_0002u32, 1000 + 0x7f + 0xfd + 2, 0x8101_7f08, 0x7ffd_fffe, 0x80ff_7f03];
    assert_eq!(out, expected.map(|word| i64::from(word as i32)));
}

/// Lanes that name different sets at one instruction do it set by set, as groups of lanes with equal values do; a set of
/// which one lane names another is undefined.
#[test]
fn sets_of_lanes_do_not_mix() {
    let body = |mask: &str| {
        format!(
            "  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  selp.b32 %r3, {mask}, 0xaaaaaaaa, %p1;
  redux.sync.add.u32 %r4, %r1, %r3;
  vote.sync.ballot.b32 %r5, 1, %r3;
  st.global.v2.u32 [%rd4], {{%r4, %r5}};"
        )
        .replace("[%rd4]", "[%rd5]")
        .replace("  and.b32", "  add.s64 %rd5, %rd4, %rd4;\n  sub.s64 %rd5, %rd5, %rd2;\n  and.b32")
    };
    let text = kernel(32, &body("0x55555555"));
    let out = try_run(&text, &[0], &[0; 64], &Options::default()).unwrap();
    assert_eq!(out[..4], [240, 0x5555_5555, 256, i64::from(0xaaaa_aaaau32 as i32)]);
    let diag = try_run(&kernel(32, &body("-1")), &[0], &[0; 64], &Options::default()).unwrap_err();
    assert_eq!(diag.code, Code::Undefined);
    assert!(diag.message.contains("lane 0 names lanes 0-31, and of these lane 1 names"), "{diag:?}");
}

/// Lanes on two paths, of which one set is whole on the first: it need not wait for the other.
#[test]
fn whole_sets_go_on_alone() {
    let text = kernel(
        32,
        "  setp.lt.u32 %p1, %r1, 8;
  mov.u32 %r3, 0xff;
  @%p1 bra MEET;
  and.b32 %r2, %r1, 8;
  setp.ne.u32 %p2, %r2, 0;
  selp.b32 %r3, 0xff00ff00, 0x00ff0000, %p2;
MEET:
  redux.sync.max.u32 %r4, %r1, %r3;
  st.global.u32 [%rd4], %r4;",
    );
    let out = try_run(&text, &[0], &[0; 32], &Options::default()).unwrap();
    assert_eq!((out[0], out[8], out[16], out[31]), (7, 31, 23, 31));
}

/// Runs a body on several workgroups of 64 threads; the second buffer afterwards.
fn run_grid(grid: u32, body: &str, n: usize) -> Result<Vec<i64>, Diag> {
    let args = [
        Tensor::from_i64(I32, &[64], &numbers(64)),
        Tensor::from_i64(I32, &[n as i64], &vec![0; n]),
        Tensor::from_i64(I32, &[], &[i64::from(grid)]),
    ];
    let ran = ptx::run(&ptx::parse(&kernel(64, body))?, &args, &launch(grid), &Options::default())?;
    Ok(ran.args[1].to_i64())
}

/// A barrier of the whole grid: the first thread of a workgroup adds one to a counter, and waits for the others.
const GRID_BARRIER: &str = "
  bar.sync 0;
  mov.u32 %r20, %tid.x;
  setp.ne.u32 %p1, %r20, 0;
  @%p1 bra MET;
  mov.u32 %r21, %envreg1;
  mov.u32 %r22, %envreg2;
  mov.b64 %rd10, {%r22, %r21};
  atom.add.release.gpu.u32 %r23, [%rd10], 1;
AGAIN:
  ld.acquire.gpu.u32 %r24, [%rd10];
  setp.lt.u32 %p2, %r24, %r3;
  @%p2 bra AGAIN;
MET:
  bar.sync 0;";

/// Workgroups that wait for later ones take turns with them, and what was before the barrier is known behind it.
#[test]
fn workgroups_wait_for_each_other() {
    let body = |barrier: &str| {
        format!(
            "  ld.param.u32 %r3, [n];
  mov.u32 %r4, %ctaid.x;
  mad.lo.u32 %r5, %r4, 64, %r1;
  mul.wide.u32 %rd5, %r5, 4;
  add.s64 %rd5, %rd2, %rd5;
  st.global.u32 [%rd5], %r5;
{barrier}
  // The same thread of the next workgroup.
  add.u32 %r6, %r4, 1;
  rem.u32 %r6, %r6, %r3;
  mad.lo.u32 %r7, %r6, 64, %r1;
  mul.wide.u32 %rd6, %r7, 4;
  add.s64 %rd6, %rd2, %rd6;
  ld.global.u32 %r8, [%rd6];
  shl.b32 %r9, %r3, 8;
  cvt.u64.u32 %rd7, %r9;
  add.s64 %rd7, %rd5, %rd7;
  st.global.u32 [%rd7], %r8;"
        )
    };
    for grid in [1, 2, 7] {
        let n = 64 * grid as usize;
        let want: Vec<i64> = (0..2 * n).map(|at| if at < n { at } else { (at + 64) % n } as i64).collect();
        assert_eq!(run_grid(grid, &body(GRID_BARRIER), 2 * n).unwrap(), want, "{grid} workgroups");
    }
    let diag = run_grid(2, &body(""), 256).expect_err("nothing orders the two workgroups");
    assert_eq!(diag.code, Code::Race, "{diag:?}");
}

/// A workgroup that is put aside finds its shared memory as it was, and its own races are still found.
#[test]
fn workgroups_go_on_where_they_waited() {
    let body = |barrier: &str| {
        format!(
            "  .shared .align 4 .b32 tile[64];
  ld.param.u32 %r3, [n];
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, tile;
  mad.lo.u32 %r6, %r1, 4, %r5;
  add.u32 %r7, %r4, %r1;
  st.shared.u32 [%r6], %r7;
{GRID_BARRIER}
  shl.b32 %r8, %r7, 1;
  st.shared.u32 [%r6], %r8;
{barrier}
  xor.b32 %r9, %r1, 63;
  mad.lo.u32 %r9, %r9, 4, %r5;
  ld.shared.u32 %r10, [%r9];
  mad.lo.u32 %r11, %r4, 64, %r1;
  mul.wide.u32 %rd5, %r11, 4;
  add.s64 %rd5, %rd2, %rd5;
  st.global.u32 [%rd5], %r10;"
        )
    };
    let want: Vec<i64> = (0..3 * 64).map(|at| 2 * (at / 64 + (63 - at % 64))).collect();
    assert_eq!(run_grid(3, &body("bar.sync 0;"), 192).unwrap(), want);
    let diag = run_grid(3, &body(""), 192).expect_err("nothing orders the two warps");
    assert_eq!(diag.code, Code::Race, "{diag:?}");
}

/// The least and the greatest of three numbers, with what is not a number, and of magnitudes.
#[test]
fn three_numbers_are_compared() {
    let bits = |x: f32| i64::from(x.to_bits() as i32);
    let lines = [
        ("min.f32 %f4, %f1, %f2, %f3", -2.0),
        ("max.f32 %f4, %f1, %f2, %f3", 1.5),
        ("max.abs.f32 %f4, %f1, %f2, %f3", 2.0),
        ("min.f32 %f4, %f1, 0f7FC00000, %f2", -2.0),
        ("max.ftz.f32 %f4, 0f80000001, 0f80000002, 0fBF800000", -0.0),
    ];
    for (line, want) in lines {
        let body = format!(
            "  mov.f32 %f1, 0f3FC00000;\n  mov.f32 %f2, 0fC0000000;\n  mov.f32 %f3, 0f3F800000;\n  {line};\n  st.global.f32 [%rd4], %f4;"
        );
        assert_eq!(run(&body, &[0], 64)[0], bits(want), "{line}");
    }
    let nan = "  min.NaN.f32 %f4, 0f3FC00000, 0f7FC00000, 0f3F800000;\n  st.global.f32 [%rd4], %f4;";
    assert_eq!(run(nan, &[0], 64)[0], 0x7fff_ffff);
}

/// What is not executed at all is said with what to do instead.
#[test]
fn unknown_instructions_say_what_to_do() {
    for (line, help) in [
        ("tcgen05.wait::ld.sync.aligned", "sm_90a"),
        ("tex.1d.v4.f32.s32 {%f1, %f1, %f1, %f1}, [%rd1, {%r1}]", "buffer"),
    ] {
        let diag = fails(&format!("  {line};"), &[0], 1);
        assert_eq!(diag.code, Code::CannotExecute);
        assert!(diag.help.as_deref().is_some_and(|said| said.contains(help)), "{diag:?}");
    }
}
