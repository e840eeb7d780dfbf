//! Loads and stores of 8 x 8 matrices, and words of several elements, as PTX.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::*;
use raddle_ir::{Attr, Builder, Opcode, ValueId};

/// A kernel that loads four matrices of shared memory, transposed, swaps words between lanes, and stores two.
fn kernel(stores: bool) -> Kernel {
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
    let text = kernel(true).emit_for("sm_90").unwrap();
    let line = |what: &str| text.lines().find(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}\n{text}"));
    let load = line("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {");
    let second = load.split(['{', '}', ',']).nth(2).unwrap().trim();
    assert!(line("shfl.sync.bfly.b32").contains(&format!(", {second}, 4, 31, -1")), "{text}");
    assert!(line("selp.b32").contains(&format!(", {second}, ")), "{text}");
    let last = load.split(['{', '}', ',']).nth(4).unwrap().trim();
    assert!(line("stmatrix.sync.aligned.m8n8.x2.shared.b16 [").ends_with(&format!(", {last}}};")), "{text}");
    assemble_for("sm_90", "matrices", &text);
    let text = kernel(false).emit_for("sm_80").unwrap();
    assemble_for("sm_80", "matrices", &text);
}

/// Chips that do not store matrices say so.
#[test]
fn a_chip_without_the_instruction_refuses() {
    let diag = kernel(true).emit_for("sm_80").unwrap_err();
    assert!(diag.message.contains("nvgpu.stmatrix"), "{diag}");
}
