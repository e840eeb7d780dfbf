//! From the text of a lowered function to the text of PTX: jumps, shared memory, lines, words of several elements, names,
//! and what cannot be written for a chip, which is said at its place.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emit::ptx;
use raddle_ir::{Attr, Builder, Code, Float, Opcode, TypeId, ValueId};
use raddle_target::{Lowered, chip};

use crate::common::*;

/// A loop whose end is known only at run time, a branch with a result, shared memory, and a function that PTX
/// approximates.
#[test]
fn every_kind_of_operation() {
    let source = "
#info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @kernel(%x: memref<4096xf16>, %y: memref<64xf32>, %n: index)
    attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #info} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %shared = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %thread = gpu.thread_id x
  %start = arith.muli %thread, %c64 : index
  %sum = scf.for %i = %c0 to %n step %c2 iter_args(%acc = %zero) -> (f32) {
    %at = arith.addi %start, %i : index
    %pair = vector.load %x[%at] : memref<4096xf16>, vector<2xf16>
    %a, %b = vector.to_elements %pair : vector<2xf16>
    %wide = arith.extf %b : f16 to f32
    %next = arith.addf %acc, %wide : f32
    scf.yield %next : f32
  }
  memref.store %sum, %shared[%thread] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %inner = arith.cmpi ult, %thread, %n : index
  %value = scf.if %inner -> (f32) {
    %next = arith.addi %thread, %c1 : index
    %other = memref.load %shared[%next] : memref<64xf32, #gpu.address_space<workgroup>>
    scf.yield %other : f32
  } else {
    scf.yield %zero : f32
  }
  %power = math.exp2 %value : f32
  memref.store %power, %y[%thread] : memref<64xf32>
  return
}";
    let expected = "\
// kernel
// grid: 1 x 1 x 1
// workgroup: 64 x 1 x 1
// arg0: memref<4096xf16>, only read
// arg1: memref<64xf32>, written
// arg2: index
// shared memory: 256 bytes
.version 8.0
.target sm_80
.address_size 64

.visible .entry kernel(
    .param .u64 arg0,
    .param .u64 arg1,
    .param .u64 arg2
)
.reqntid 64, 1, 1
{
    .reg .pred %p<3>;
    .reg .b16 %h<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<7>;
    .reg .f32 %f<6>;
    .shared .align 16 .b8 smem_0[256];

    ld.param.u64 %rd0, [arg0];
    cvta.to.global.u64 %rd1, %rd0;
    ld.param.u64 %rd2, [arg1];
    cvta.to.global.u64 %rd3, %rd2;
    ld.param.u64 %rd4, [arg2];
    cvt.u32.u64 %r0, %rd4;
    mov.u32 %r1, %tid.x;
    mul.lo.s32 %r2, %r1, 64;
    mov.b32 %r3, 0;
    mov.f32 %f0, 0f00000000;
    setp.ge.s32 %p0, 0, %r0;
    @%p0 bra $L__BB0;
$L__BB1:
    add.s32 %r4, %r2, %r3;
    mad.wide.s32 %rd5, %r4, 2, %rd1;
    ld.global.nc.b32 %r5, [%rd5];
    mov.b32 {%h0, %h1}, %r5;
    cvt.f32.f16 %f1, %h1;
    add.rn.f32 %f2, %f0, %f1;
    mov.f32 %f0, %f2;
    add.s32 %r3, %r3, 2;
    setp.lt.s32 %p1, %r3, %r0;
    @%p1 bra $L__BB1;
$L__BB0:
    mov.u32 %r6, smem_0;
    mad.lo.s32 %r7, %r1, 4, %r6;
    st.shared.f32 [%r7], %f0;
    bar.sync 0;
    setp.lt.u32 %p2, %r1, %r0;
    @!%p2 bra $L__BB3;
    ld.shared.f32 %f4, [%r7+4];
    mov.f32 %f3, %f4;
    bra $L__BB2;
$L__BB3:
    mov.f32 %f3, 0f00000000;
$L__BB2:
    ex2.approx.ftz.f32 %f5, %f3;
    mad.wide.s32 %rd6, %r1, 4, %rd3;
    st.global.f32 [%rd6], %f5;
    ret;
}
";
    let ir = raddle_ir::parse(source).unwrap();
    let lowered = Lowered::check(&ir, ir.funcs()[0], chip("sm_80").unwrap()).unwrap();
    let mut options = ptx::Options::default();
    options.fast_math = true;
    let text = ptx::emit_with(&ir, &lowered, &options).unwrap();
    assert_eq!(text, expected);
    assemble("every_kind_of_operation", &text);
}

/// Blocks get labels, their arguments registers. Values that change places on the way back to a loop's head do so at
/// once, the way out keeps the old ones, and what one block has computed is known in those behind it only.
#[test]
fn jumps_between_blocks() {
    let source = "
func.func @kernel(%x: memref<64xi32>, %n: i32) {
  %thread = gpu.thread_id x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c0, %n, %c1 : i32, i32, i32)
^head(%i: i32, %a: i32, %b: i32):
  %next = arith.addi %i, %c1 : i32
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^head(%next, %b, %a : i32, i32, i32), ^out
^out:
  cf.switch %a : i32, [default: ^last(%b : i32), -1: ^last(%a : i32), 5: ^more]
^more:
  memref.store %a, %x[%thread] : memref<64xi32>
  return
^last(%v: i32):
  %w = scf.execute_region -> i32 {
    cf.cond_br %more, ^one, ^two
  ^one:
    scf.yield %v : i32
  ^two:
    %s = arith.addi %v, %a : i32
    scf.yield %s : i32
  }
  memref.store %w, %x[%thread] : memref<64xi32>
  return
}";
    let ir = raddle_ir::parse(source).unwrap_or_else(|diags| panic!("{diags:?}"));
    let lowered = Lowered::check(&ir, ir.funcs()[0], chip("sm_80").unwrap()).unwrap();
    let text = ptx::emit(&ir, &lowered).unwrap();
    let body = text.split_once("[arg1];\n    ").unwrap().1;
    assert_eq!(
        body,
        "\
    mov.u32 %r5, %tid.x;
    mov.b32 %r1, 0;
    mov.b32 %r2, %r0;
    mov.b32 %r3, 1;
$L__BB0:
    add.s32 %r6, %r1, 1;
    setp.lt.s32 %p0, %r1, %r0;
    @!%p0 bra $L__BB4;
    mov.b32 %r1, %r6;
    mov.b32 %r7, %r2;
    mov.b32 %r2, %r3;
    mov.b32 %r3, %r7;
    bra $L__BB0;
$L__BB4:
$L__BB1:
    setp.eq.s32 %p1, %r2, -1;
    @!%p1 bra $L__BB5;
    mov.b32 %r4, %r2;
    bra $L__BB2;
$L__BB5:
    setp.eq.s32 %p2, %r2, 5;
    @%p2 bra $L__BB3;
    mov.b32 %r4, %r3;
$L__BB2:
    @%p0 bra $L__BB7;
    bra $L__BB8;
$L__BB7:
    mov.b32 %r8, %r4;
    bra $L__BB6;
$L__BB8:
    add.s32 %r9, %r4, %r2;
    mov.b32 %r8, %r9;
    bra $L__BB6;
$L__BB6:
    mad.wide.s32 %rd2, %r5, 4, %rd1;
    st.global.b32 [%rd2], %r8;
    ret;
$L__BB3:
    mad.wide.s32 %rd3, %r5, 4, %rd1;
    st.global.b32 [%rd3], %r2;
    ret;
}
"
    );
    assemble("jumps_between_blocks", &text);
}

/// More shared memory than a kernel has of its own is one array, which the launch asks for; buffers lie one behind
/// another in it.
#[test]
fn shared_memory_that_the_launch_asks_for() {
    let kernel = Kernel::new(
        "large",
        |ir| {
            let f32 = f32(ir);
            vec![global(ir, 64, f32); 2]
        },
        64,
    );
    let kernel = kernel.body(|b, args| {
        let f32 = f32(b.ir);
        let buffers = [shared(b, 10_001, f32), shared(b, 10_000, f32)];
        let thread = thread_id(b);
        let x = load(b, args[0], thread);
        let place = with(b, Opcode::ArithAddi, thread, 9_000);
        for buffer in buffers {
            store(b, x, buffer, place);
        }
        b.op(Opcode::GpuBarrier, &[], &[], &[]);
        let fixed = b.index(3);
        let y = load(b, buffers[1], fixed);
        store(b, y, args[1], thread);
    });
    let text = kernel.emit().unwrap();
    assert!(text.contains(".extern .shared .align 16 .b8 smem[];"), "{text}");
    assert!(text.contains("mov.u32 %r3, smem+40016;"), "{text}");
    assert!(text.contains("[smem+40028]"), "{text}");
    assemble("large", &text);
    // What fits has arrays of its own.
    assert!(!kernel_of_one_buffer().contains(".extern"));
}

fn kernel_of_one_buffer() -> String {
    let kernel = Kernel::new("small", |_| Vec::new(), 32).body(|b, _| {
        let f32 = f32(b.ir);
        shared(b, 1024, f32);
    });
    kernel.emit().unwrap()
}

/// Instructions name and quote the line that they come from, and loops stay loops, where that is asked for.
#[test]
fn lines_and_loops() {
    let source = "func.func @f(%x: memref<64xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = gpu.thread_id x
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%t] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%t] : memref<64xf32>
  }
  return
}
";
    let ir = raddle_ir::parse(source).unwrap();
    let lowered = Lowered::check(&ir, ir.funcs()[0], chip("sm_80").unwrap()).unwrap();
    let mut options = ptx::Options::default();
    options.source = Some(ptx::Source { name: "k.mlir".into(), text: source.into() });
    options.keep_loops = true;
    let text = ptx::emit_with(&ir, &lowered, &options).unwrap();
    assert!(text.contains(".file 1 \"k.mlir\""), "{text}");
    assert!(text.contains(".loc 1 8 5 // %w = arith.addf %v, %v : f32\n    add.rn.f32"), "{text}");
    assert!(text.contains("$L__BB0:\n    .pragma \"nounroll\";"), "{text}");
    assemble("lines_and_loops", &text);
    assert!(!ptx::emit(&ir, &lowered).unwrap().contains(".loc"));
}

/// A kernel that loads four matrices of shared memory, transposed, swaps words between lanes, and stores two.
fn matrices(stores: bool) -> Kernel {
    let body = |b: &mut Builder<'_>, args: &[ValueId]| {
        let half = f16(b.ir);
        let (thread, buffer) = (thread_id(b), shared(b, 512, half));
        let at = with(b, Opcode::ArithMuli, thread, 16);
        let row = vector_load(b, args[0], at, 8);
        vector_store(b, row, buffer, at);
        b.barrier();
        let i32 = b.ir.int_type(32);
        let n = b.ir.intern(Attr::Int { value: 4, ty: i32 });
        let yes = b.ir.intern(Attr::Bool(true));
        let ty = b.ir.vector_type(&[4, 2], half);
        let matrices = b.value(Opcode::NvgpuLdmatrix, &[buffer, at], ty, &[("numTiles", n), ("transpose", yes)]);
        let elements = to_elements(b, matrices);
        let word = from_elements(b, &elements[2..4], &[2]);
        let (moved, valid) = shuffle(b, "xor", word, 4, 32);
        let ty = b.ir.type_of(word);
        let chosen = b.value(Opcode::ArithSelect, &[valid, moved, word], ty, &[]);
        let chosen = to_elements(b, chosen);
        if stores {
            let pair = from_elements(b, &[chosen[0], chosen[1], elements[6], elements[7]], &[2, 2]);
            let no = b.ir.intern(Attr::Bool(false));
            b.op(Opcode::NvgpuStmatrix, &[pair, buffer, at], &[], &[("transpose", no)]);
        }
        store(b, chosen[1], args[1], thread);
    };
    let args = |ir: &mut raddle_ir::Ir| {
        let half = f16(ir);
        vec![global(ir, 512, half); 2]
    };
    Kernel::new("matrices", args, 32).body(body)
}

/// Words go from the load to the shuffle and on without being taken apart.
#[test]
fn matrices_and_words_stay_in_their_registers() {
    let text = matrices(true).emit_for("sm_90").unwrap();
    let line = |what: &str| text.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}\n{text}"));
    let load = line("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {");
    let second = load.split(['{', '}', ',']).nth(2).unwrap().trim();
    assert!(line("shfl.sync.bfly.b32").contains(&format!(", {second}, 4, 31, -1")), "{text}");
    assert!(line("selp.b32").contains(&format!(", {second}, ")), "{text}");
    let last = load.split(['{', '}', ',']).nth(4).unwrap().trim();
    assert!(line("stmatrix.sync.aligned.m8n8.x2.shared.b16 [").ends_with(&format!(", {last}}};")), "{text}");
    assemble_for("sm_90", "matrices", &text);
    let text = matrices(false).emit_for("sm_80").unwrap();
    assemble_for("sm_80", "matrices", &text);
}

/// Chips that do not store matrices say so.
#[test]
fn a_chip_without_the_instruction_refuses() {
    let diag = matrices(true).emit_for("sm_80").unwrap_err();
    assert!(diag.message.contains("nvgpu.stmatrix"), "{diag}");
}

/// The finding about a kernel of one f32 in and one out, whose body makes the second from the first.
fn finding(body: impl FnOnce(&mut Builder<'_>, ValueId) -> ValueId) -> String {
    let kernel = Kernel::new(
        "kernel",
        |ir| {
            let f32 = f32(ir);
            vec![global(ir, 64, f32); 2]
        },
        64,
    );
    let kernel = kernel.body(|b, args| {
        let thread = thread_id(b);
        let x = load(b, args[0], thread);
        let y = body(b, x);
        store(b, y, args[1], thread);
    });
    let diag = kernel.emit().unwrap_err();
    assert_eq!(diag.code, Code::CannotEmit);
    format!("{}: {}", diag.message, diag.label)
}

fn unary(opcode: Opcode) -> String {
    finding(|b, x| {
        let ty = b.ir.type_of(x);
        let operands = vec![x; if matches!(opcode, Opcode::MathPowf | Opcode::ArithRemf) { 2 } else { 1 }];
        b.value(opcode, &operands, ty, &[])
    })
}

/// Functions that PTX only has poor instructions for, or none: lowering writes them with others.
#[test]
fn inaccurate_functions() {
    assert_eq!(
        unary(Opcode::MathErf),
        "cannot write `math.erf` for sm_80: PTX has no instruction for it that is accurate"
    );
    assert!(unary(Opcode::MathPowf).starts_with("cannot write `math.powf` for sm_80"));
    assert!(unary(Opcode::ArithRemf).starts_with("cannot write `arith.remf` for sm_80"));
}

/// f8 values can be moved; lowering converts them with integers where the chip has no instruction.
#[test]
fn small_floats() {
    let said = finding(|b, x| {
        let f8 = b.ir.float_type(Float::F8E4M3FN);
        let small = b.value(Opcode::ArithTruncf, &[x], f8, &[]);
        let ty = b.ir.type_of(x);
        b.value(Opcode::ArithExtf, &[small], ty, &[])
    });
    assert_eq!(said, "cannot write `arith.truncf` for sm_80: no conversion from f32 to f8E4M3FN");
}

/// A shuffle's width is part of the instruction.
#[test]
fn shuffle_of_odd_width() {
    let said = finding(|b, x| shuffle(b, "xor", x, 1, 24).0);
    assert_eq!(said, "cannot write `gpu.shuffle` for sm_80: the width must be a constant power of two, at most 32");
}

/// Every function has an entry, under another name where PTX cannot spell its own, and the text says so.
#[test]
fn names() {
    let rows = [
        ("my-kernel", "my$2Dkernel"),
        ("1st", "k$1st"),
        ("a.b", "a$2Eb"),
        ("", "k$"),
        ("$", "k$$"),
        ("WARP_SZ", "k$WARP_SZ"),
        ("größe\n", "gr$C3$B6$C3$9Fe$0A"),
        ("k", "k"),
        ("_k", "_k"),
        ("$k", "$k"),
        ("add", "add"),
    ];
    for (number, (name, entry)) in rows.into_iter().enumerate() {
        let text = Kernel::new(name, |_| Vec::new(), 32).body(|_, _| {}).emit().unwrap();
        assert!(text.contains(&format!(".visible .entry {entry}(")), "{text}");
        assert_eq!(text.contains(&format!("// the function {name:?}")), name != entry);
        assemble(&format!("name_{number}"), &text);
    }
}

/// Shared memory beyond the chip's limit is refused here or by the check in front.
#[test]
fn too_much_shared_memory() {
    let kernel = Kernel::new("kernel", |_| Vec::new(), 32);
    let kernel = kernel.body(|b, _| {
        let f32: TypeId = f32(b.ir);
        shared(b, 40 * 1024, f32);
        shared(b, 2 * 1024, f32);
    });
    let diag = kernel.emit().unwrap_err();
    assert!(diag.message.contains("shared memory"), "{diag}");
}

/// PTX is for one vendor's chips.
#[test]
fn other_vendor() {
    let kernel = Kernel::new("kernel", |_| Vec::new(), 64).body(|_, _| {});
    let lowered = Lowered::check(&kernel.ir, kernel.func, chip("gfx942").unwrap()).unwrap();
    let diag = ptx::emit(&kernel.ir, &lowered).unwrap_err();
    assert_eq!(diag.message, "PTX is for NVIDIA chips from sm_80 on, and gfx942 is not one");
}
