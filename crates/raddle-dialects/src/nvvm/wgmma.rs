//! `nvvm.wgmma.mma_async`: products of 128 threads, whose operands are in shared memory.

use raddle_ir::text::llvm::Llvm;
use raddle_ir::verify::Check;
use raddle_ir::verify::wording::{ensure, wrong};
use raddle_ir::{Ir, OpId};

/// What a product takes and gives: types of both operands, types of the result, k, and whether every eighth n is there.
struct Row {
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
    k: i64,
    every_n: bool,
}

const ROWS: [Row; 6] = [
    Row { inputs: &["f16"], outputs: &["f32", "f16"], k: 16, every_n: true },
    Row { inputs: &["bf16"], outputs: &["f32", "f16"], k: 16, every_n: true },
    Row { inputs: &["tf32"], outputs: &["f32"], k: 8, every_n: true },
    Row { inputs: &["e4m3", "e5m2"], outputs: &["f32", "f16"], k: 32, every_n: true },
    Row { inputs: &["s8", "u8"], outputs: &["s32"], k: 32, every_n: false },
    Row { inputs: &["b1"], outputs: &["s32"], k: 256, every_n: false },
];

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let result = ir.type_of(ir.result(op, 0));
    ensure(ir, op, ir.type_of(ir.operand(op, 0)) == result, || {
        "input struct and result struct must be the same type".to_owned()
    })?;
    let ty = Llvm::of_type(ir, result);
    let Some(fields) = ty.as_ref().and_then(Llvm::fields) else {
        return Err(wrong(ir, op, "expected results to be struct"));
    };
    if let Some(odd) = fields.iter().find(|field| **field != fields[0]) {
        return Err(wrong(ir, op, format!("all elements in struct must be same type but there is '{odd}'")));
    }
    let word = |name: &str| ir.keyword_of(op, name).unwrap_or_default();
    let [a, b, d] = ["typeA", "typeB", "typeD"].map(word);
    ensure(ir, op, matches!(d, "f32" | "f16" | "s32"), || format!("does not support the given output type {d}"))?;
    ensure(ir, op, d != "s32" || word("scaleA") != "neg" && word("scaleB") != "neg", || {
        "has s32 output, scaleA and scaleB cannot be neg".to_owned()
    })?;
    let row = ROWS.iter().find(|row| row.inputs.contains(&a) && row.inputs.contains(&b) && row.outputs.contains(&d));
    let Some(row) = row else { return Err(wrong(ir, op, format!("{d} += {a} * {b}, it is not supported."))) };
    let extent =
        |name: &str| ir.attr_id(op, "shape").and_then(|shape| ir[ir.field(shape, name)?].as_i64()).unwrap_or(0);
    ensure(ir, op, extent("m") == 64, || "shape 'm' must be 64".to_owned())?;
    ensure(ir, op, extent("k") == row.k, || format!("shape 'k' must be {} for input type {a}", row.k))?;
    let n = extent("n");
    let step = if row.every_n || n < 32 { 8 } else { 16 };
    ensure(ir, op, (8..=256).contains(&n) && n % step == 0, || {
        format!("has input type {a} n is set to {n}, it is not supported.")
    })?;
    let (layout_a, layout_b) = (word("layoutA"), word("layoutB"));
    ensure(ir, op, matches!(a, "f16" | "bf16") || layout_a != "col" && layout_b != "row", || {
        let given = format!("given layouts layout_a = {layout_a} and layout_b = {layout_b}");
        let why = "requires transpose. However, this is only supported for: f16 and bf16";
        format!("{given} for input types {a} and {b} {why}")
    })?;
    let wanted = if d == "f16" { n / 4 } else { n / 2 };
    let found = fields.len();
    ensure(ir, op, i64::try_from(found) == Ok(wanted), || {
        format!("results {wanted}, however output struct has {found} elements")
    })?;
    ensure(ir, op, d == "s32" || word("satfinite") != "satfinite", || {
        format!("`satfinite` can be only used with s32 accumulator, however the current accumulator is {d}")
    })
}
