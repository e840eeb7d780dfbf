//! What other producers' PTX relies on, each in the smallest kernel that shows it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Options, Tensor, ptx};
use raddle_ir::{Code, Diag, Scalar};

const I32: Scalar = Scalar::Int(32);

/// Runs a text whose kernels take buffers of `i32`.
fn run(text: &str, grid: u32, args: &[&[i64]]) -> Result<Vec<Vec<i64>>, Diag> {
    let args: Vec<Tensor> = args.iter().map(|values| Tensor::from_i64(I32, &[values.len() as i64], values)).collect();
    let launch = ptx::Launch { entry: None, grid: [grid, 1, 1], workgroup: None, shared_bytes: 0 };
    let ran = ptx::run(&ptx::parse(text)?, &args, &launch, &Options::default())?;
    Ok(ran.args.iter().map(Tensor::to_i64).collect())
}

/// `a<2>` declares `a0` and `a1`, and leaves `a` to another register: Triton's conversions of f8 are written so.
#[test]
fn numbered_registers_leave_their_prefix_free() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 32, 1, 1
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  {
    .reg .b32 a;
    .reg .b32 a<2>;
    mov.b32 a0, 40;
    mov.b32 a, 2;
    mov.b32 a1, a0;
    add.s32 a, a, a1;
    st.global.b32 [%rd1], a;
  }
  ret;
}";
    assert_eq!(run(text, 1, &[&[0]]).unwrap(), [[42]]);
}

/// The address of a parameter goes through a register of 32 bits and becomes generic by `cvta.param`: this is how Triton
/// passes tensor maps.
#[test]
fn addresses_of_parameters_fit_32_bits() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out, .param .u64 other)
.reqntid 32, 1, 1
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.b32 %r1, other;
  cvt.u64.u32 %rd2, %r1;
  cvta.param.u64 %rd3, %rd2;
  ld.b64 %rd4, [%rd3];
  ld.global.b32 %r1, [%rd4];
  st.global.b32 [%rd1], %r1;
  ret;
}";
    assert_eq!(run(text, 1, &[&[0], &[7]]).unwrap(), [[7], [7]]);
    let outside = text.replace("[%rd3]", "[%rd3+8]");
    let diag = run(&outside, 1, &[&[0], &[7]]).unwrap_err();
    assert_eq!(diag.code, Code::OutOfBounds);
    assert!(diag.message.contains("the parameters"), "{diag:?}");
}

/// Workgroups that take turns by a lock: what a thread acquires, a barrier hands to the other warps of its workgroup, and
/// without acquiring it is a race.
#[test]
fn barriers_hand_on_what_was_acquired() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 lock, .param .u64 sums)
.reqntid 64, 1, 1
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [lock];
  ld.param.u64 %rd2, [sums];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra TAKEN;
TAKE:
  atom.acq_rel.gpu.global.cas.b32 %r2, [%rd1], 0, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra TAKE;
TAKEN:
  bar.sync 0;
  ld.global.b32 %r3, [%rd2];
  add.s32 %r3, %r3, 1;
  st.global.b32 [%rd2], %r3;
  bar.sync 0;
  @%p1 bra END;
  atom.acq_rel.gpu.global.exch.b32 %r4, [%rd1], 0;
END:
  ret;
}";
    assert_eq!(run(text, 3, &[&[0], &[0; 64]]).unwrap(), [vec![0], vec![3; 64]]);
    let diag = run(&text.replace("acq_rel", "relaxed"), 3, &[&[0], &[0; 64]]).unwrap_err();
    assert_eq!(diag.code, Code::Race);
}

/// An assertion that does not hold is told with its text.
#[test]
fn assertions_are_quoted() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 text[6] = {110, 32, 60, 32, 52, 0};
.visible .entry k(.param .u64 out)
.reqntid 32, 1, 1
{
  .reg .b64 %rd<3>;
  mov.b64 %rd1, text;
  cvta.global.u64 %rd2, %rd1;
  {
    .param .b64 p0;
    st.param.b64 [p0], %rd2;
    .param .b64 p1;
    st.param.b64 [p1], %rd2;
    .param .b32 p2;
    st.param.b32 [p2], 7;
    .param .b64 p3;
    st.param.b64 [p3], %rd2;
    .param .b64 p4;
    st.param.b64 [p4], 1;
    call.uni __assertfail, (p0, p1, p2, p3, p4);
  }
  ret;
}";
    let diag = run(text, 1, &[&[0]]).unwrap_err();
    assert!(diag.message.contains("an assertion of the kernel does not hold: n < 4"), "{diag:?}");
}

/// A bulk copy completes on a barrier that no proxy fence has shown to it: a finding, and without the checks right. Triton
/// leaves the fence out where no other copy needs one.
#[test]
fn barriers_without_a_fence_are_found() {
    let text = ".version 8.4\n.target sm_90a\n.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to)
.reqntid 32, 1, 1
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  .shared .align 16 .b32 tile[32];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;
  bar.sync 0;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
  @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [bar];
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
  @!%p2 bra WAIT;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  mov.u32 %r2, tile;
  mad.lo.u32 %r2, %r1, 4, %r2;
  ld.shared.b32 %r2, [%r2];
  st.global.b32 [%rd2], %r2;
  ret;
}";
    let values: Vec<i64> = (0..32).collect();
    let args = [&values[..], &[0; 32]].map(|values| Tensor::from_i64(I32, &[32], values));
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, shared_bytes: 0 };
    let run = |text: &str, sanitize: bool| {
        let options = Options { sanitize, ..Options::default() };
        ptx::run(&ptx::parse(text).unwrap(), &args, &launch, &options).map(|ran| ran.args[1].to_i64())
    };
    assert!(run(text, true).unwrap_err().message.contains("no fence shows the barrier's initialisation"));
    assert_eq!(run(text, false).unwrap(), values);
    let fenced = text.replace("  bar.sync 0;", "  fence.proxy.async.shared::cta;\n  bar.sync 0;");
    assert_eq!(run(&fenced, true).unwrap(), values);
}
