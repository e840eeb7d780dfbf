//! What other producers' PTX relies on, each in the smallest kernel that shows it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Options, Tensor, ptx};
use raddle_ir::{Code, Diag, Scalar};

const I32: Scalar = Scalar::Int(32);

/// Runs a text whose kernels take buffers of `i32`.
fn run(text: &str, grid: u32, args: &[&[i64]]) -> Result<Vec<Vec<i64>>, Diag> {
    let args: Vec<Tensor> = args.iter().map(|values| Tensor::from_i64(I32, &[values.len() as i64], values)).collect();
    let launch = ptx::Launch { entry: None, grid: [grid, 1, 1], workgroup: None, cluster: None, shared_bytes: 0 };
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

/// What the host does with a variable or a function stands in front of its name: NVCC writes it for `__managed__`.
#[test]
fn attributes_are_passed_over() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.global .attribute(.managed) .align 4 .u32 a = 40;
.visible .global .attribute(.managed, .unified(19, 95)) .align 4 .u32 b;
.func .attribute(.unified(0xAB, 0xCD)) (.reg .b32 x) two()
{
  mov.u32 x, 2;
  ret;
}
.visible .entry k(.param .u64 out)
.reqntid 1, 1, 1
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [a];
  ld.global.u32 %r2, [b];
  add.u32 %r1, %r1, %r2;
  call.uni (%r3), two, ();
  add.u32 %r1, %r1, %r3;
  st.global.u32 [%rd1], %r1;
  ret;
}";
    assert_eq!(run(text, 1, &[&[0]]).unwrap(), [[42]]);
    let open = text.replace("(.managed)", "(.managed");
    assert!(run(&open, 1, &[&[0]]).unwrap_err().message.contains("behind attributes"));
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

/// A bulk copy completes on a barrier that no fence has shown to it, as Triton and libcu++ write it: right where the
/// workgroup's own barrier orders the two, and a finding in a cluster.
#[test]
fn barriers_need_a_fence_in_clusters() {
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
    let run = |text: &str, sanitize: bool| {
        let grid = [if text.contains("cluster 2") { 2 } else { 1 }, 1, 1];
        let launch = ptx::Launch { entry: None, grid, workgroup: None, cluster: None, shared_bytes: 0 };
        let options = Options { sanitize, ..Options::default() };
        ptx::run(&ptx::parse(text).unwrap(), &args, &launch, &options).map(|ran| ran.args[1].to_i64())
    };
    assert_eq!(run(text, true).unwrap(), values);
    let unordered = text.replace("  bar.sync 0;\n", "  setp.eq.u32 %p1, %r1, 1;\n");
    assert_eq!(run(&unordered, true).unwrap_err().code, Code::Race);
    let cluster = text.replace(".reqntid 32", ".reqnctapercluster 1, 1, 1\n.reqntid 32");
    assert_eq!(run(&cluster, true).unwrap(), values);
    let cluster = cluster.replace("cluster 1", "cluster 2");
    assert!(run(&cluster, true).unwrap_err().message.contains("no fence shows the barrier's initialisation"));
    assert_eq!(run(&cluster, false).unwrap(), values);
    let fenced = cluster.replace("  bar.sync 0;", "  fence.proxy.async.shared::cta;\n  bar.sync 0;");
    assert_eq!(run(&fenced, true).unwrap(), values);
}

/// A function that calls itself, from lanes that nest to different depths: registers and memory are of each call, also
/// where a deeper one is given the address of what a shallower one holds.
#[test]
fn functions_call_themselves() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.func (.param .b32 sum) steps(.param .b32 n, .param .b64 above)
{
  .local .align 8 .b8 own[8];
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<5>;
  ld.param.u32 %r1, [n];
  ld.param.u64 %rd1, [above];
  mov.u64 %rd2, own;
  cvta.local.u64 %rd3, %rd2;
  st.local.u32 [own], %r1;
  ld.u32 %r2, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra LAST;
  sub.u32 %r3, %r1, 1;
  {
    .param .b32 p0;
    st.param.b32 [p0], %r3;
    .param .b64 p1;
    st.param.b64 [p1], %rd3;
    .param .b32 back;
    call.uni (back), steps, (p0, p1);
    ld.param.b32 %r4, [back];
  }
  ld.local.u32 %r5, [own];
  mad.lo.u32 %r6, %r2, %r5, %r4;
  st.param.b32 [sum], %r6;
  ret;
LAST:
  st.param.b32 [sum], %r2;
  ret;
}
.visible .entry k(.param .u64 out)
.reqntid 8, 1, 1
{
  .local .align 8 .b8 first[8];
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 100;
  st.local.u32 [first], %r2;
  mov.u64 %rd2, first;
  cvta.local.u64 %rd3, %rd2;
  {
    .param .b32 p0;
    st.param.b32 [p0], %r1;
    .param .b64 p1;
    st.param.b64 [p1], %rd3;
    .param .b32 back;
    call.uni (back), steps, (p0, p1);
    ld.param.b32 %r3, [back];
  }
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r3;
  ret;
}";
    let expected = |n: i64| if n == 0 { 100 } else { 100 * n + (1..n).map(|at| at * (at + 1)).sum::<i64>() + 1 };
    assert_eq!(run(text, 1, &[&[0; 8]]).unwrap(), [(0..8).map(expected).collect::<Vec<_>>()]);
    let endless = text.replace("setp.eq.u32 %p1, %r1, 0;", "setp.ne.u32 %p1, %r1, %r1;");
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 0 };
    let options = Options { memory_max: 16 << 20, ..Options::default() };
    let out = Tensor::from_i64(I32, &[8], &[0; 8]);
    let diag = ptx::run(&ptx::parse(&endless).unwrap(), &[out], &launch, &options).unwrap_err();
    assert_eq!(diag.code, Code::LimitHit);
    assert!(diag.message.contains("calls of `steps` nest"), "{diag:?}");
}

/// Two functions that call one another with registers as parameters, one of them through a pointer.
#[test]
fn functions_call_one_another() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.func (.reg .b32 yes) is_odd(.reg .b32 n);
.func (.reg .b32 yes) is_even(.reg .b32 n)
{
  .reg .pred %p;
  .reg .b32 %m;
  .reg .b64 %f;
  setp.eq.u32 %p, n, 0;
  mov.u32 yes, 1;
  @%p ret;
  sub.u32 %m, n, 1;
  mov.u64 %f, is_odd;
  call (yes), %f, (%m), proto;
proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);
  ret;
}
.func (.reg .b32 yes) is_odd(.reg .b32 n)
{
  .reg .pred %p;
  .reg .b32 %m;
  setp.eq.u32 %p, n, 0;
  mov.u32 yes, 0;
  @%p ret;
  sub.u32 %m, n, 1;
  call (yes), is_even, (%m);
  ret;
}
.visible .entry k(.param .u64 out)
.reqntid 8, 1, 1
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  call (%r2), is_even, (%r1);
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r2;
  ret;
}";
    assert_eq!(run(text, 1, &[&[9; 8]]).unwrap(), [[1, 0, 1, 0, 1, 0, 1, 0]]);
}

/// Memory whose size only the run knows: of each lane its own, given back where the function ends, and no more than the
/// run has.
#[test]
fn memory_is_taken_from_the_stack() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.func (.reg .b64 at) taken(.reg .b64 bytes)
{
  alloca.u64 at, bytes, 16;
  st.local.u64 [at], bytes;
}
.visible .entry k(.param .u64 out)
.reqntid 8, 1, 1
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  add.u64 %rd3, %rd2, 8;
  alloca.u64 %rd4, %rd3;
  stacksave.u64 %rd5;
  call (%rd6), taken, (%rd3);
  stacksave.u64 %rd7;
  add.s64 %rd4, %rd4, %rd2;
  st.local.u32 [%rd4+4], %r1;
  ld.local.u32 %r2, [%rd4+4];
  setp.ne.u64 %p, %rd5, %rd7;
  @%p trap;
  stackrestore.u64 %rd5;
  st.global.u32 [%rd1], %r2;
  ret;
}"
    .replace("  .reg .b32 %r<3>;", "  .reg .pred %p;\n  .reg .b32 %r<3>;");
    assert_eq!(run(&text, 1, &[&[9; 8]]).unwrap(), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    let freed = text.replace("ld.local.u32 %r2, [%rd4+4];", "ld.local.u32 %r2, [%rd6];");
    let diag = run(&freed, 1, &[&[9; 8]]).unwrap_err();
    assert_eq!(diag.code, Code::OutOfBounds);
    let aligned = |to: u64| {
        let text = text.replace("alloca.u64 %rd4, %rd3;", &format!("alloca.u64 %rd4, %rd3, {to};"));
        // Where it lies, by its low bits.
        text.replace(
            "add.s64 %rd4, %rd4, %rd2;",
            &format!("and.b64 %rd8, %rd4, {}; add.s64 %rd4, %rd4, %rd8; add.s64 %rd4, %rd4, %rd2;", to - 1),
        )
    };
    for to in [1024, 2048, 1 << 14] {
        assert_eq!(run(&aligned(to), 1, &[&[9; 8]]).unwrap(), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    }
    for wrong in [48, 1 << 24] {
        assert_eq!(run(&aligned(wrong), 1, &[&[9; 8]]).unwrap_err().code, Code::PtxSyntax);
    }
    let huge = text.replace("add.u64 %rd3, %rd2, 8;", "mov.u64 %rd3, -8;");
    assert_eq!(run(&huge, 1, &[&[9; 8]]).unwrap_err().code, Code::LimitHit);
}

/// What a compare-and-swap compares with may be read as anything is: if it has changed, that is noticed. A sum that is
/// stored back without a comparison is a race.
#[test]
fn loads_that_are_compared_do_not_race() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 sum)
.reqntid 32, 1, 1
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [sum];
  ld.global.u32 %r1, [%rd];
  mov.u32 %r2, %r1;
AGAIN:
  add.s32 %r3, %r2, 1;
  atom.global.cas.b32 %r4, [%rd], %r2, %r3;
  setp.ne.s32 %p, %r4, %r2;
  mov.u32 %r2, %r4;
  @%p bra AGAIN;
  ret;
}";
    assert_eq!(run(text, 2, &[&[1]]).unwrap(), [[65]]);
    let blind = text.replace(
        "atom.global.cas.b32 %r4, [%rd], %r2, %r3;",
        "atom.global.exch.b32 %r4, [%rd], %r3;\n  mov.u32 %r4, %r2;",
    );
    assert_eq!(run(&blind, 2, &[&[1]]).unwrap_err().code, Code::Race);
}

/// A load in front of an atomic maximum may say that it is not worth its time, as XLA's scatters do. In front of a sum, or
/// compared with something else, it is a race.
#[test]
fn loads_that_guard_a_maximum_do_not_race() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 most)
.reqntid 64, 1, 1
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [most];
  mov.u32 %r1, %tid.x;
  ld.global.u32 %r2, [%rd];
  setp.ge.s32 %p, %r2, %r1;
  @%p bra DONE;
  atom.global.max.s32 %r3, [%rd], %r1;
DONE:
  ret;
}";
    assert_eq!(run(text, 2, &[&[5]]).unwrap(), [[63]]);
    assert_eq!(run(&text.replace("atom.global.max.s32 %r3,", "red.global.max.s32"), 2, &[&[5]]).unwrap(), [[63]]);
    for (from, to) in [("max", "add"), ("%p, %r2, %r1", "%p, %r2, 40"), ("%r3, [%rd], %r1", "%r3, [%rd+4], %r1")] {
        let races = text.replace(from, to).replace("@%p bra DONE;", "@%p bra DONE;\n  red.global.add.s32 [%rd], 1;");
        assert_eq!(run(&races, 2, &[&[5, 0]]).unwrap_err().code, Code::Race, "{to}");
    }
}

/// A structure by value has its members where C puts them; memory that nobody wrote may be read where that is allowed;
/// a line that `.loc` names is told with its file, and with the line that it was inlined into.
#[test]
fn structures_are_passed_by_value() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .align 8 .b8 all[24])
.reqntid 32, 1, 1
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b32 unwritten;
  ld.param.u8 %r1, [all];
  ld.param.u64 %rd1, [all+8];
  ld.param.u32 %r2, [all+16];
  .loc 1 7 3, function_name $L__info_string0, inlined_at 2 30 5
  ld.shared.u32 %r3, [unwritten];
  add.s32 %r1, %r1, %r2;
  st.global.u32 [%rd1], %r1;
  ret;
}
.file 1 \"inner.cuh\"
.file 2 \"outer.cu\"
.section .debug_str { $L__info_string0: .b8 0 }
";
    let args = [
        Tensor::from_i64(Scalar::Int(8), &[], &[5]),
        Tensor::from_i64(I32, &[1], &[0]),
        Tensor::from_i64(I32, &[], &[37]),
    ];
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 0 };
    let run = |members: usize, allows_unwritten: bool| {
        let passing = ptx::Passing { structures: [(0, members)].into(), ..ptx::Passing::default() };
        let options = Options { allows_unwritten, ..Options::default() };
        let module = ptx::parse(text).unwrap();
        ptx::run_passing(&module, &args[..members], &passing, &launch, &options).map(|ran| ran.args[1].to_i64())
    };
    assert_eq!(run(3, true).unwrap(), [42]);
    let diag = run(3, false).unwrap_err();
    assert_eq!(diag.code, Code::Uninitialised);
    let notes = format!("{diag:?}");
    assert!(notes.contains("line 7 of `inner.cuh`, inlined into line 30 of `outer.cu`"), "{notes}");
    let diag = run(2, true).unwrap_err();
    assert!(diag.message.contains("(.b8[24]), has 24 bytes, and the members that are given take 16"), "{diag:?}");
}

/// What a kernel prints comes thread by thread, as C prints it.
#[test]
fn what_kernels_print_is_told() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.extern .func (.param .b32 n) vprintf(.param .b64 format, .param .b64 args);
.global .align 1 .b8 text[16] = {37, 48, 52, 100, 32, 37, 103, 32, 37, 115, 37, 37, 33, 10, 0, 0};
.global .align 1 .b8 word[3] = {104, 105, 0};
.visible .entry k(.param .u64 out)
.reqntid 2, 1, 1
{
  .local .align 8 .b8 args[24];
  .reg .b32 %r<2>;
  .reg .b64 %rd<5>;
  .reg .f64 %d;
  mov.u32 %r1, %tid.x;
  st.local.u32 [args], %r1;
  mov.f64 %d, 0d3FF8000000000000;
  st.local.f64 [args+8], %d;
  mov.u64 %rd1, word;
  cvta.global.u64 %rd1, %rd1;
  st.local.u64 [args+16], %rd1;
  mov.u64 %rd2, text;
  cvta.global.u64 %rd2, %rd2;
  mov.u64 %rd3, args;
  cvta.local.u64 %rd3, %rd3;
  {
    .param .b64 p0;
    st.param.b64 [p0], %rd2;
    .param .b64 p1;
    st.param.b64 [p1], %rd3;
    .param .b32 back;
    call.uni (back), vprintf, (p0, p1);
  }
  ret;
}";
    let said = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let sink = said.clone();
    let print = raddle_emu::Print(std::sync::Arc::new(move |text: &str| sink.lock().unwrap().push_str(text)));
    let options = Options { print: Some(print), ..Options::default() };
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 0 };
    ptx::run(&ptx::parse(text).unwrap(), &[Tensor::from_i64(I32, &[1], &[0])], &launch, &options).unwrap();
    assert_eq!(*said.lock().unwrap(), "0000 1.5 hi%!\n0001 1.5 hi%!\n");
}

/// The shared memory of the system is there where it is asked for, behind what the kernel declares, and written by the
/// system: cooperative groups clear bits in it before anybody sets some.
#[test]
fn the_system_has_shared_memory() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 32, 1, 1
{
  .shared .align 4 .b32 own;
  .reg .b32 %r<5>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  mov.u32 %r1, %reserved_smem_offset_begin;
  mov.u32 %r2, %reserved_smem_offset_end;
  sub.u32 %r2, %r2, %r1;
  mov.u32 %r3, %reserved_smem_offset_1;
  red.and.shared.b32 [%r3], 0xfffffffe;
  mov.u32 %r4, own;
  st.global.u32 [%rd], %r2;
  ret;
}";
    assert_eq!(run(text, 1, &[&[0]]).unwrap(), [[1024]]);
    let diag = run(&text.replace("mov.u32 %r3, %reserved_smem_offset_1", "mov.u32 %r3, own"), 1, &[&[0]]).unwrap_err();
    assert_eq!(diag.code, Code::Uninitialised);
}

/// Each thread has memory of its own from `malloc`: what lies outside of it, was not written, or was freed, is found.
#[test]
fn kernels_ask_for_memory() {
    let text = |size: u32, body: &str| {
        format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.extern .func (.param .b64 at) malloc(.param .b64 size);
.extern .func free(.param .b64 at);
.visible .entry k(.param .u64 out)
.reqntid 32, 1, 1
{{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  mov.u64 %rd3, {size};
  {{
    .param .b64 p0;
    st.param.b64 [p0], %rd3;
    .param .b64 back;
    call.uni (back), malloc, (p0);
    ld.param.b64 %rd4, [back];
  }}
{body}
  ret;
}}"
        )
    };
    let free = "
  {
    .param .b64 p0;
    st.param.b64 [p0], %rd4;
    call.uni free, (p0);
  }";
    let used = "
  st.u32 [%rd4+4], %r1;
  ld.u32 %r2, [%rd4+4];
  st.global.u32 [%rd1], %r2;";
    let zeros = [0; 32];
    let threads: Vec<i64> = (0..32).collect();
    assert_eq!(run(&text(8, &format!("{used}{free}")), 3, &[&zeros]).unwrap()[0], threads);
    let finds = |size: u32, body: &str, code: Code, what: &str| {
        let diag = run(&text(size, body), 1, &[&zeros]).unwrap_err();
        assert!(diag.code == code && diag.message.contains(what), "{diag:?}");
    };
    finds(4, used, Code::OutOfBounds, "memory that `malloc` gave, which has 4 bytes");
    finds(8, "  ld.u32 %r2, [%rd4];", Code::Uninitialised, "nothing has written it");
    finds(8, &format!("{free}{used}"), Code::OutOfBounds, "memory that was freed");
    finds(8, &format!("{free}{free}"), Code::Undefined, "was freed before");
    finds(8, &format!("  add.s64 %rd4, %rd4, 4;{free}"), Code::Undefined, "no `malloc` gave");
    // A heap has an end, which the address 0 says.
    let last = "
  setp.eq.u64 %p, %rd4, 0;
  selp.u32 %r2, 1, 0, %p;
  st.global.u32 [%rd1], %r2;";
    let full = text(1 << 20, last).replace(".reg .b32 %r<8>;", ".reg .b32 %r<8>;\n  .reg .pred %p;");
    let given = run(&full, 1, &[&zeros]).unwrap()[0].iter().filter(|&&failed| failed == 0).count();
    assert_eq!(given, 8);
}

/// `%tid` and its like may be read as a whole; a register that depends on a driver is an error that says so.
#[test]
fn special_registers_are_vectors() {
    let text = |body: &str| {
        format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 32, 1, 1
{{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  {body}
  st.global.v4.u32 [%rd1], {{%r0, %r1, %r2, %r3}};
  ret;
}}"
        )
    };
    let sizes = run(&text("mov.v4.u32 {%r0, %r1, %r2, %r3}, %ntid;"), 1, &[&[9; 4]]).unwrap();
    assert_eq!(sizes, [[32, 1, 1, 0]]);
    for name in ["%pm3", "%envreg7"] {
        let diag = run(&text(&format!("mov.u32 %r0, {name};")), 1, &[&[9; 4]]).unwrap_err();
        assert_eq!(diag.code, Code::CannotExecute);
        assert!(diag.message.contains(&format!("special register `{name}`")), "{diag:?}");
    }
}

/// What a shuffle reads from a lane that does not take part may be dropped, as reductions of a part of a warp do; it may not
/// be stored, and nothing may depend on it.
#[test]
fn lanes_that_take_no_part_hold_no_value() {
    let text = |body: &str| {
        format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 20, 1, 1
{{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .local .align 4 .b8 spill[8];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  add.u32 %r2, %r1, 8;
  setp.lt.u32 %p1, %r2, 20;
  shfl.sync.down.b32 %r3|%p2, %r1, 8, 31, 0xfffff;
  {body}
  ret;
}}"
        )
    };
    let lanes = |use_it: &str| run(&text(use_it), 1, &[&[-1; 20]]);
    let wanted: Vec<i64> = (0..20).map(|lane| if lane < 12 { 2 * lane + 8 } else { lane }).collect();
    for right in [
        "@%p1 add.u32 %r1, %r1, %r3; st.global.u32 [%rd2], %r1;",
        "selp.u32 %r4, %r3, 0, %p1; add.u32 %r1, %r1, %r4; st.global.u32 [%rd2], %r1;",
        "add.u32 %r4, %r3, %r1; mov.b64 %rd3, {%r4, %r3}; mov.b64 {%r5, %r6}, %rd3;
  selp.u32 %r1, %r5, %r1, %p1; st.global.u32 [%rd2], %r1;",
        "st.local.u32 [spill+4], %r3; ld.local.u32 %r4, [spill+4];
  @%p1 add.u32 %r1, %r1, %r4; st.global.u32 [%rd2], %r1;",
    ] {
        assert_eq!(lanes(right).unwrap()[0], wanted, "{right}");
    }
    for wrong in [
        "st.global.u32 [%rd2], %r3;",
        "add.u32 %r4, %r3, %r1; shl.b32 %r4, %r4, 1; st.global.u32 [%rd2], %r4;",
        "setp.gt.u32 %p3, %r3, 3; @%p3 st.global.u32 [%rd2], %r1;",
        "clz.b32 %r4, %r3; bfind.shiftamt.u32 %r5, %r3; add.u32 %r4, %r4, %r5; st.global.u32 [%rd2], %r4;",
        "shfl.sync.idx.b32 %r4, %r3, 12, 31, 0xfffff; st.global.u32 [%rd2], %r4;",
        "vote.sync.ballot.b32 %r4, %p1, 0xfffff; redux.sync.add.s32 %r4, %r3, 0xfffff;",
    ] {
        let diag = lanes(wrong).unwrap_err();
        let why = "uses what lane 12 read from lane 20, which does not take part in the shuffle";
        assert!(diag.code == Code::Undefined && diag.message.contains(why), "{wrong}: {diag:?}");
    }
}

/// Constants are expressions, as in C.
#[test]
fn constants_are_expressions() {
    let value = |ty: &str, text: &str| {
        let text = format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 1, 1, 1
{{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.{ty} %rd2, {text};
  st.global.u64 [%rd1], %rd2;
  ret;
}}"
        );
        run(&text, 1, &[&[0; 2]]).map(|args| args[0][0] as u32 as i32)
    };
    for (text, wanted) in [
        ("(5)", 5),
        ("(1 + 2) * 3", 9),
        ("-5 + 3", -2),
        ("-(1 + 2) * 2", -6),
        ("1 << 2 + 3", 32),
        ("2 + 3 * 4 % 5 - 1", 3),
        ("10 - 3 - 2", 5),
        ("~5 & 0xf", 10),
        ("1 | 6 & 3 ^ 1", 3),
        ("!0 + !7", 1),
        ("3 > 2 == 1", 1),
        ("(5 == 5) + (4 <= 3) * 8 + (3 != 2) * 16 + (3 >= 4)", 17),
        ("7 && 0 || 2", 1),
        ("5 < 3 ? 7 : 2 < 3 ? 8 : 9", 8),
        ("(.s64) 5 - (.u64) (2 + 1)", 2),
        ("(1.5 + .25) * 4.0 - 0d3FF0000000000000 == 6.0 ? 3 : 4", 3),
        ("1.0 < 2.0", 1),
    ] {
        assert_eq!(value("u64", text).unwrap_or_else(|diag| panic!("{text}: {diag:?}")), wanted, "{text}");
    }
    assert_eq!(value("f64", ".5 ").unwrap(), 0);
    assert_eq!(value("f64", "-(1.0 / 3.0)").unwrap(), 0x5555_5555);
    for (text, message) in [
        ("1 +", "expected a number"),
        ("3 / (2 - 2)", "a division by zero"),
        ("1 ? 2", "expected `:`"),
        ("1 + 2.0", "an integer and a float"),
        ("3.0 % 2.0", "takes integers"),
        ("!1.5", "expected an integer"),
    ] {
        assert!(value("u64", text).unwrap_err().message.contains(message), "{text}");
    }
    assert!(value("u64", &"1 ? ".repeat(100_000)).is_err());
}

/// Registers are passed by value: what a function does to its own is not seen outside, and numbers may be passed.
#[test]
fn registers_are_passed_by_value() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.func (.reg .u32 r) first(.reg .u32 x) { add.u32 x, x, 1; mov.u32 r, 100; add.u32 r, r, x; ret; }
.func (.reg .u32 r) second(.reg .u32 x, .reg .u32 y) { mov.u32 r, 7; add.u32 r, r, x; add.u32 r, r, y; ret; }
.visible .entry k(.param .u64 out)
.reqntid 1, 1, 1
{
  .reg .b32 %r<8>;
  .reg .b64 %rd1;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 5;
  call (%r2), first, (%r1);
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
  call (%r1), second, (%r1, 3);
  st.global.u32 [%rd1+8], %r1;
  call (_), first, (%r1);
  call (%r3), first, (9);
  call (%r4), first, (9);
  st.global.u32 [%rd1+12], %r4;
  ret;
}";
    assert_eq!(run(text, 1, &[&[0; 4]]).unwrap()[0], [5, 106, 15, 110]);
}

/// A function may have two names, which are one address; a name may stand in front of what it means.
#[test]
fn functions_have_other_names() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.func (.reg .u32 r) second(.reg .u32 x);
.global .align 8 .u64 names[2] = {second, first};
.alias second, first;
.func (.reg .u32 r) first(.reg .u32 x) {
  .reg .pred p;
  setp.lt.u32 p, x, 2;
  mov.u32 r, x;
  @p ret;
  sub.u32 x, x, 2;
  call (r), second, (x);
  add.u32 r, r, 10;
  ret;
}
.alias third, second;
.visible .entry k(.param .u64 out)
.reqntid 4, 1, 1
{
  .reg .pred p;
  .reg .b32 %r<4>;
  .reg .b64 %rd<8>;
  prototype: .callprototype (.reg .u32 _) _ (.reg .u32 _);
  mov.u32 %r1, %tid.x;
  call (%r2), third, (%r1);
  ld.global.u64 %rd3, [names];
  ld.global.u64 %rd4, [names+8];
  setp.eq.u64 p, %rd3, %rd4;
  selp.u32 %r3, 100, 0, p;
  add.u32 %r2, %r2, %r3;
  call (%r3), %rd3, (%r1), prototype;
  mad.lo.u32 %r2, %r3, 1000, %r2;
  ld.param.u64 %rd1, [out];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r2;
  ret;
}";
    assert_eq!(run(text, 1, &[&[0; 4]]).unwrap()[0], [100, 1101, 10110, 11111]);
    let unknown = text.replace(".alias third, second", ".alias third, fourth");
    assert!(run(&unknown, 1, &[&[0; 4]]).unwrap_err().message.contains("`third` is not a function of this text"));
    assert!(
        run(&text.replace("second, first;", "second;"), 1, &[&[0; 4]]).unwrap_err().message.contains("expected `,`")
    );
}

/// Variables that begin as addresses: of a place in another one, and byte by byte, as LLVM writes structures without
/// gaps.
#[test]
fn variables_begin_as_addresses() {
    let text = |init: &str, load: &str| {
        format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.global .align 4 .u32 table[4] = {{10, 20, 30, 40}};
.global .align 8 {init};
.visible .entry k(.param .u64 out)
.reqntid 1, 1, 1
{{
  .reg .b32 %r1;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [out];
  {load}
  ld.u32 %r1, [%rd2];
  st.global.u32 [%rd1], %r1;
  ret;
}}"
        )
    };
    let bytes = "ld.global.u8 %rd3, [at+3]; ld.global.u8 %rd4, [at+2]; shl.b64 %rd3, %rd3, 8; or.b64 %rd3, %rd3, %rd4;
  ld.global.u8 %rd4, [at+5]; ld.global.u8 %rd5, [at+6]; shl.b64 %rd5, %rd5, 8; or.b64 %rd4, %rd4, %rd5;
  ld.global.u8 %rd5, [at+4]; shl.b64 %rd3, %rd3, 8; ld.global.u8 %rd6, [at+1]; or.b64 %rd3, %rd3, %rd6;
  shl.b64 %rd5, %rd5, 24; or.b64 %rd2, %rd3, %rd5; shl.b64 %rd4, %rd4, 32; or.b64 %rd2, %rd2, %rd4;";
    let masked = ".u8 at[9] = {7, 0xFF(generic(table)+4), 0xFF00(generic(table)+4), 0xFF0000(generic(table)+4),
  0xFF000000(generic(table)+4), 0xFF00000000(generic(table)+4), 0xFF0000000000(generic(table)+4), 0, 0}";
    for (init, load, wanted) in [
        (".u64 at = generic(table)+8", "ld.global.u64 %rd2, [at];", 30),
        (".u64 at[3] = {0, generic(table)+12, generic(table)}", "ld.global.u64 %rd2, [at+8];", 40),
        (".u64 at[2] = {table+4, generic(table)}", "ld.global.u64 %rd2, [at+8];", 10),
        (masked, bytes, 20),
    ] {
        assert_eq!(run(&text(init, load), 1, &[&[0]]).unwrap()[0], [wanted], "{init}");
    }
    for (init, message) in [
        (".u64 at = generic(table", "expected `)`"),
        (".u64 at = generic()", "expected an operand"),
        (".u64 at = generic(nothing)+4", "`nothing` is not declared"),
        (".u8 at = 0xFF(3.5)", "bytes of an address"),
    ] {
        let diag = run(&text(init, ""), 1, &[&[0]]).unwrap_err();
        assert!(diag.message.contains(message), "{init}: {diag:?}");
    }
}

/// `name[2]` is an element of an array, counted in its type, as tinygrad takes the addresses of its tiles.
#[test]
fn elements_of_arrays_have_names() {
    let text = |body: &str| {
        format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.global .align 4 .b32 table[4] = {{10, 20, 30, 40}};
.visible .entry k(.param .u64 out)
.reqntid 4, 1, 1
{{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 16 .b32 tile[8];
  .shared .v4 .f32 rows[2];
  .local .align 4 .b8 own[16];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  {body}
  st.global.u32 [%rd1], %r2;
  ret;
}}"
        )
    };
    for (body, wanted) in [
        ("ld.global.u32 %r2, table[2];", [30, 30, 30, 30]),
        ("ld.global.u32 %r2, table[%r1];", [10, 20, 30, 40]),
        ("st.shared.u32 tile[%r1+2], %r1; ld.shared.u32 %r2, tile[%r1+2];", [0, 1, 2, 3]),
        ("sub.u32 %r3, %r1, 1; mov.u32 %r2, tile[%r3+1];", [0, 4, 8, 12]),
        ("mov.u64 %rd2, tile[2]; st.shared.u32 [%rd2], 7; bar.sync 0; ld.shared.u32 %r2, [tile+8];", [7; 4]),
        ("mov.u32 %r2, rows[1]; sub.u32 %r2, %r2, rows;", [4; 4]),
        ("mov.u32 %r3, own[4]; st.local.u32 [%r3], %r1; ld.local.u32 %r2, own[4];", [0, 1, 2, 3]),
        ("mov.u64 %rd2, table[1]; ld.global.u32 %r2, [%rd2+4];", [30; 4]),
    ] {
        let ran = run(&text(body), 1, &[&[-1; 4]]).unwrap_or_else(|diag| panic!("{body}: {diag:?}"));
        assert_eq!(ran, [wanted], "{body}");
    }
    for (body, why) in [
        ("add.u32 %r2, %r1, tile[1];", "a register or a number is wanted here"),
        ("atom.shared.add.u32 %r2, tile[1], 1;", "an address in brackets is wanted here"),
        ("mov.u32 %r2, %r1[1];", "is not a variable in memory, and has no elements"),
        ("mov.u32 %r2, tiles[1];", "`tiles` is not declared"),
        ("mov.u32 %r2, tile[none];", "`none` is not declared"),
        ("ld.global.u32 %r2, table[1;", "expected `]`"),
    ] {
        let diag = run(&text(body), 1, &[&[-1; 4]]).unwrap_err();
        assert!(diag.message.contains(why), "{body}: {diag:?}");
    }
}

/// Lanes that have parted meet at the same instruction in different places, as the CUDA programming guide has it in both
/// branches of an `if`, and as Slang writes it; other qualifiers or lanes do not meet.
#[test]
fn lanes_meet_in_different_branches() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 out)
.reqntid 32, 1, 1
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  and.b32 %r2, %r1, 1;
  add.u32 %r3, %r1, 100;
  add.u32 %r4, %r1, 200;
  mov.u32 %r6, 1;
  setp.eq.u32 %p1, %r2, 0;
  setp.lt.u32 %p2, %r1, 8;
  not.pred %p3, %p2;
  @%p1 bra EVEN;
  shfl.sync.bfly.b32 %r5, %r3, 1, 31, -1;
  bar.warp.sync -1;
  vote.sync.ballot.b32 %r7, %p2, -1;
  bra.uni DONE;
EVEN:
  shfl.sync.bfly.b32 %r5, %r4, %r6, 31, -1;
  bar.warp.sync -1;
  vote.sync.ballot.b32 %r3, %p3, -1;
  mov.u32 %r7, %r3;
DONE:
  add.u32 %r5, %r5, %r7;
  st.global.b32 [%rd2], %r5;
  ret;
}";
    // Odd lanes say whether they are below eight, even ones whether they are not.
    let ballot: u32 = (0..32).filter(|lane| (lane < &8) == (lane % 2 == 1)).map(|lane| 1 << lane).sum();
    let want: Vec<i64> =
        (0..32).map(|t| i64::from(((t ^ 1) + if t % 2 == 0 { 100 } else { 200 } + ballot) as i32)).collect();
    assert_eq!(run(text, 1, &[&[0; 32]]).unwrap(), [want]);
    let wrong = [
        ("bfly.b32 %r5, %r4", "idx.b32 %r5, %r4"),
        ("ballot.b32 %r3, %p3, -1", "ballot.b32 %r3, %p3, 0x7fffffff"),
        ("  bar.warp.sync -1;\n  vote.sync.ballot.b32 %r3", "  vote.sync.ballot.b32 %r3"),
    ];
    for (from, to) in wrong {
        let diag = run(&text.replace(from, to), 1, &[&[0; 32]]).unwrap_err();
        assert!(matches!(diag.code, Code::Divergent | Code::Undefined), "{diag:?}");
    }
}

/// Threads of a warp make progress of their own, as on sm_70 and newer: a lock is taken by one after the other though those
/// that have it would meet the others behind the loop, and lanes that go around an instruction need not wait for it.
#[test]
fn threads_make_progress_of_their_own() {
    let kernel = |body: &str| {
        format!(
            ".version 8.4\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 a)
.reqntid 32, 1, 1
{{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
{body}
  ret;
}}"
        )
    };
    let lock = kernel(
        "AGAIN:
  atom.global.cas.b32 %r2, [%rd1], 0, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra AGAIN;
  fence.acq_rel.gpu;
  ld.relaxed.gpu.global.u32 %r3, [%rd1+4];
  add.u32 %r3, %r3, 1;
  st.relaxed.gpu.global.u32 [%rd1+4], %r3;
  fence.acq_rel.gpu;
  atom.global.exch.b32 %r4, [%rd1], 0;",
    );
    assert_eq!(run(&lock, 3, &[&[0, 0]]).unwrap(), [[0, 96]]);
    let around = kernel(
        "  setp.gt.u32 %p1, %r1, 1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
  @%p1 bra AROUND;
  ld.global.u32 %r2, [%rd2+8];
  add.u32 %r2, %r2, 5;
  st.global.u32 [%rd2], %r2;
  bar.warp.sync -1;
AROUND:
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra DONE;
  ld.global.u32 %r3, [%rd1+4];
  st.global.u32 [%rd1+8], %r3;
DONE:",
    );
    assert_eq!(run(&around, 1, &[&[0, 0, 7, 8]]).unwrap(), [[12, 13, 13, 8]]);
    // All lanes of a warp come to a barrier of the workgroup.
    let barrier = around.replace("bar.warp.sync -1", "bar.sync 0");
    assert_eq!(run(&barrier, 1, &[&[0, 0, 7, 8]]).unwrap_err().code, Code::Divergent);
}

/// The barrier of the whole grid may be the system's, as Numba has it.
#[test]
fn the_system_has_a_barrier_of_the_grid() {
    let text = ".version 8.4\n.target sm_80\n.address_size 64
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 a);
.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 a, .param .b32 b);
.visible .entry k(.param .u64 a)
.reqntid 64, 1, 1
{
  .reg .pred %p1;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .param .b64 handle;
  .param .b32 scope;
  .param .b32 error;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %nctaid.x;
  st.param.b32 [scope], 1;
  call (handle), cudaCGGetIntrinsicHandle, (scope);
  mov.u32 %r3, 0;
NEXT:
  // Each workgroup adds what the next one had before.
  add.u32 %r4, %r1, 1;
  rem.u32 %r4, %r4, %r2;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd3, %rd1, %rd3;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd4, %rd1, %rd4;
  ld.global.u32 %r5, [%rd3];
  ld.global.u32 %r6, [%rd4];
  add.u32 %r5, %r5, %r6;
  call (error), cudaCGSynchronize, (handle, scope);
  mov.u32 %r7, %tid.x;
  setp.eq.u32 %p1, %r7, 40;
  @%p1 st.global.u32 [%rd3], %r5;
  call (error), cudaCGSynchronize, (handle, scope);
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 2;
  @%p1 bra NEXT;
  ret;
}";
    assert_eq!(run(text, 3, &[&[1, 10, 100]]).unwrap(), [[121, 211, 112]]);
    let other = text.replace("cudaCGSynchronize", "cudaCGGetSize");
    assert_eq!(run(&other, 3, &[&[1, 10, 100]]).unwrap_err().code, Code::CannotExecute);
}
