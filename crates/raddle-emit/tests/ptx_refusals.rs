//! What cannot be written for the chip is said, at its place and by name.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::*;
use raddle_emit::ptx;
use raddle_ir::{Builder, Code, Float, Opcode, TypeId, ValueId};
use raddle_target::{Lowered, chip};

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
