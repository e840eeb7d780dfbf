//! Whole lowered kernels, written by hand, down to text that ptxas accepts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{Builder, Float, Opcode, ValueId};

use crate::common::*;

/// One element of each thread, doubled: the smallest kernel.
#[test]
fn double() {
    let kernel = Kernel::new(
        "double",
        |ir| {
            let f32 = f32(ir);
            vec![global(ir, 1024, f32); 2]
        },
        128,
    );
    let kernel = kernel.body(|b, args| {
        let (block, thread) = (block_id(b, "x"), thread_id(b));
        let start = with(b, Opcode::ArithMuli, block, 128);
        let at = b.binary(Opcode::ArithAddi, start, thread);
        let x = load(b, args[0], at);
        let y = b.binary(Opcode::ArithAddf, x, x);
        store(b, y, args[1], at);
    });
    let text = kernel.emit().unwrap();
    let expected = "\
// double
// workgroup: 128 x 1 x 1
// arg0: memref<1024xf32>, only read
// arg1: memref<1024xf32>, written
// shared memory: 0 bytes
.version 8.0
.target sm_80
.address_size 64

.visible .entry double(
    .param .u64 arg0,
    .param .u64 arg1
)
.reqntid 128, 1, 1
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<6>;
    .reg .f32 %f<2>;

    ld.param.u64 %rd0, [arg0];
    cvta.to.global.u64 %rd1, %rd0;
    ld.param.u64 %rd2, [arg1];
    cvta.to.global.u64 %rd3, %rd2;
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %tid.x;
    mul.lo.s32 %r2, %r0, 128;
    add.s32 %r3, %r2, %r1;
    mad.wide.s32 %rd4, %r3, 4, %rd1;
    ld.global.nc.f32 %f0, [%rd4];
    add.rn.f32 %f1, %f0, %f0;
    mad.wide.s32 %rd5, %r3, 4, %rd3;
    st.global.f32 [%rd5], %f1;
    ret;
}
";
    assert_eq!(text, expected);
    assemble("double", &text);
}

/// C = A·B with f16 factors: one subgroup computes 16 x 8 of C, 16 deep at a time, through shared memory.
fn matmul(m: i64, n: i64, k: i64) -> Kernel {
    let kernel = Kernel::new(
        "matmul",
        |ir| {
            let (f16, f32) = (f16(ir), f32(ir));
            vec![global(ir, m * k, f16), global(ir, k * n, f16), global(ir, m * n, f32)]
        },
        32,
    );
    kernel.body(|b, args| {
        let (f16, f32) = (f16(b.ir), f32(b.ir));
        let (tile_a, tile_b) = (shared(b, 16 * 16, f16), shared(b, 16 * 8, f16));
        let lane = thread_id(b);
        let (row0, column0) = (block_id(b, "y"), block_id(b, "x"));
        let (row0, column0) = (with(b, Opcode::ArithMuli, row0, 16), with(b, Opcode::ArithMuli, column0, 8));
        // Lane l copies 8 elements of row l / 2 of A, and 4 of row l / 2 of B.
        let (copy_row, copy_half) = (with(b, Opcode::ArithDivui, lane, 2), with(b, Opcode::ArithRemui, lane, 2));
        let copy_a = with(b, Opcode::ArithMuli, copy_half, 8);
        let copy_b = with(b, Opcode::ArithMuli, copy_half, 4);
        let row = b.binary(Opcode::ArithAddi, row0, copy_row);
        let row = with(b, Opcode::ArithMuli, row, k);
        let from_a = b.binary(Opcode::ArithAddi, row, copy_a);
        let to_a = with(b, Opcode::ArithMuli, copy_row, 16);
        let to_a = b.binary(Opcode::ArithAddi, to_a, copy_a);
        let to_b = with(b, Opcode::ArithMuli, copy_row, 8);
        let to_b = b.binary(Opcode::ArithAddi, to_b, copy_b);
        let from_b = b.binary(Opcode::ArithAddi, column0, copy_b);
        // Fragments: group l / 4, place l % 4 in it.
        let (group, place) = (with(b, Opcode::ArithDivui, lane, 4), with(b, Opcode::ArithRemui, lane, 4));
        let pair = with(b, Opcode::ArithMuli, place, 2);
        let at_a = with(b, Opcode::ArithMuli, group, 16);
        let at_a = b.binary(Opcode::ArithAddi, at_a, pair);
        let at_b = with(b, Opcode::ArithMuli, pair, 8);
        let at_b = b.binary(Opcode::ArithAddi, at_b, group);
        let (zero, depth, step) = (b.index(0), b.index(k), b.index(16));
        let nothing = b.float(0.0, f32);
        let inits = vec![nothing; 4];
        let result = b.for_loop(zero, depth, step, &inits, |b, at, acc| {
            let from_a = b.binary(Opcode::ArithAddi, from_a, at);
            let value = vector_load(b, args[0], from_a, 8);
            vector_store(b, value, tile_a, to_a);
            let row = b.binary(Opcode::ArithAddi, at, copy_row);
            let row = with(b, Opcode::ArithMuli, row, n);
            let from_b = b.binary(Opcode::ArithAddi, row, from_b);
            let value = vector_load(b, args[1], from_b, 4);
            vector_store(b, value, tile_b, to_b);
            b.op(Opcode::GpuBarrier, &[], &[], &[]);
            // Slots: (row, k), (row + 8, k), (row, k + 8), (row + 8, k + 8), two elements each.
            let mut a = Vec::new();
            for offset in [0, 8 * 16, 8, 8 * 16 + 8] {
                let at = with(b, Opcode::ArithAddi, at_a, offset);
                let two = vector_load(b, tile_a, at, 2);
                a.extend(to_elements(b, two));
            }
            let mut columns = Vec::new();
            for row in [0, 1, 8, 9] {
                let at = with(b, Opcode::ArithAddi, at_b, row * 8);
                columns.push(load(b, tile_b, at));
            }
            let a = from_elements(b, &a, &[4, 2]);
            let columns = from_elements(b, &columns, &[2, 2]);
            let c = from_elements(b, acc, &[2, 2]);
            let shape = b.ir.i64_array(&[16, 8, 16]);
            let ty = b.ir.vector_type(&[2, 2], f32);
            let d = b.value(Opcode::NvgpuMmaSync, &[a, columns, c], ty, &[("mmaShape", shape)]);
            b.op(Opcode::GpuBarrier, &[], &[], &[]);
            to_elements(b, d)
        });
        let acc: Vec<ValueId> = b.ir.results(result).collect();
        let row = b.binary(Opcode::ArithAddi, row0, group);
        let row = with(b, Opcode::ArithMuli, row, n);
        let column = b.binary(Opcode::ArithAddi, column0, pair);
        let at = b.binary(Opcode::ArithAddi, row, column);
        for (half, rows) in acc.chunks(2).zip([0, 8]) {
            let two = from_elements(b, half, &[2]);
            let at = with(b, Opcode::ArithAddi, at, rows * n);
            vector_store(b, two, args[2], at);
        }
    })
}

/// Accumulators stay in their registers: no move in the loop, and offsets are immediates.
#[test]
fn matmul_accumulates_in_place() {
    let text = matmul(64, 32, 128).emit().unwrap();
    assemble("matmul", &text);
    let (_, body) = text.split_once("$L__BB0:\n").unwrap();
    let (body, after) = body.split_once("bra $L__BB0").unwrap();
    assert!(!body.contains("mov.f32"), "{text}");
    assert!(body.contains("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}"), "{text}");
    assert!(body.contains("ld.global.nc.v4.b32") && body.contains("st.shared.v4.b32"), "{text}");
    assert!(body.contains("+272]"), "the last fragment of A is 8 rows and 8 columns away: {text}");
    assert!(after.contains("st.global.v2.f32"), "{text}");
}

/// The sum of each row: in a thread, across lanes, across subgroups.
fn row_sum(rows: i64, columns: i64) -> Kernel {
    let kernel = Kernel::new(
        "row_sum",
        |ir| {
            let f32 = f32(ir);
            vec![global(ir, rows * columns, f32), global(ir, rows, f32)]
        },
        128,
    );
    kernel.body(|b, args| {
        let f32 = f32(b.ir);
        let partial = shared(b, 4, f32);
        let (row, thread) = (block_id(b, "x"), thread_id(b));
        let start = with(b, Opcode::ArithMuli, row, columns);
        let four = with(b, Opcode::ArithMuli, thread, 4);
        let start = b.binary(Opcode::ArithAddi, start, four);
        let (zero, end, step) = (b.index(0), b.index(columns), b.index(512));
        let nothing = b.float(0.0, f32);
        let sum = b.for_loop(zero, end, step, &[nothing], |b, at, acc| {
            let at = b.binary(Opcode::ArithAddi, start, at);
            let four = vector_load(b, args[0], at, 4);
            let mut sum = acc[0];
            for x in to_elements(b, four) {
                sum = b.binary(Opcode::ArithAddf, sum, x);
            }
            vec![sum]
        });
        let mut sum = b.ir.result(sum, 0);
        for offset in [16, 8, 4, 2, 1] {
            let (other, _) = shuffle(b, "xor", sum, offset, 32);
            sum = b.binary(Opcode::ArithAddf, sum, other);
        }
        let (subgroup, lane) = (with(b, Opcode::ArithDivui, thread, 32), with(b, Opcode::ArithRemui, thread, 32));
        let zero = b.index(0);
        let first = compare(b, 0, lane, zero);
        if_then(b, first, |b| store(b, sum, partial, subgroup));
        b.op(Opcode::GpuBarrier, &[], &[], &[]);
        let first = compare(b, 0, thread, zero);
        if_then(b, first, |b: &mut Builder<'_>| {
            let mut total = load(b, partial, zero);
            for other in 1..4 {
                let at = b.index(other);
                let other = load(b, partial, at);
                total = b.binary(Opcode::ArithAddf, total, other);
            }
            store(b, total, args[1], row);
        });
    })
}

/// Butterflies over the whole subgroup, one word of shared memory for each subgroup, constant addresses as symbols.
#[test]
fn row_sum_assembles() {
    let text = row_sum(64, 4096).emit().unwrap();
    assemble("row_sum", &text);
    assert!(text.contains("shfl.sync.bfly.b32 %f9, %f0, 16, 31, -1;"), "{text}");
    assert!(text.contains("ld.shared.f32") && text.contains("[smem_0+12]"), "{text}");
}

/// The instructions between the address computations of a kernel that makes one vector of 4 from another.
fn between(
    name: &str,
    from: Float,
    to: Float,
    body: impl FnOnce(&mut Builder<'_>, Vec<ValueId>) -> Vec<ValueId>,
) -> String {
    let kernel = Kernel::new(
        name,
        |ir| {
            let (from, to) = (ir.float_type(from), ir.float_type(to));
            vec![global(ir, 1024, from), global(ir, 1024, to)]
        },
        32,
    );
    let kernel = kernel.body(|b, args| {
        let at = thread_id(b);
        let at = with(b, Opcode::ArithMuli, at, 4);
        let vector = vector_load(b, args[0], at, 4);
        let elements = to_elements(b, vector);
        let elements = body(b, elements);
        let vector = from_elements(b, &elements, &[4]);
        vector_store(b, vector, args[1], at);
    });
    let text = kernel.emit().unwrap();
    assemble(name, &text);
    let (_, rest) = text.split_once("ld.global.nc").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    let body: Vec<&str> = rest.lines().map(str::trim).take_while(|line| !line.starts_with("mad.wide")).collect();
    body.join("\n")
}

/// Halves of words that stay in their places cost nothing; others are picked from two words by one instruction.
#[test]
fn halves() {
    assert_eq!(between("kept", Float::F16, Float::F16, |_, x| x), "");
    let swapped = between("swapped", Float::F16, Float::F16, |_, x| vec![x[0], x[3], x[2], x[1]]);
    assert_eq!(swapped, "prmt.b32 %r4, %r2, %r3, 0x7610;\nprmt.b32 %r5, %r3, %r2, 0x7610;");
}

/// Two numbers are rounded and packed by one instruction.
#[test]
fn rounding_in_pairs() {
    let rounded = between("rounded", Float::F32, Float::BF16, |b, x| {
        let bf16 = b.ir.float_type(Float::BF16);
        x.into_iter().map(|x| b.value(Opcode::ArithTruncf, &[x], bf16, &[])).collect()
    });
    assert_eq!(rounded, "cvt.rn.bf16x2.f32 %r2, %f1, %f0;\ncvt.rn.bf16x2.f32 %r3, %f3, %f2;");
}

/// A bf16 is the upper half of an f32: widening is a shift or a mask.
#[test]
fn widening_bf16() {
    let widened = between("widened", Float::BF16, Float::F32, |b, x| {
        let f32 = f32(b.ir);
        x.into_iter().map(|x| b.value(Opcode::ArithExtf, &[x], f32, &[])).collect()
    });
    let expected = "\
shl.b32 %r4, %r2, 16;
mov.b32 %f0, %r4;
and.b32 %r5, %r2, -65536;
mov.b32 %f1, %r5;
shl.b32 %r6, %r3, 16;
mov.b32 %f2, %r6;
and.b32 %r7, %r3, -65536;
mov.b32 %f3, %r7;";
    assert_eq!(widened, expected);
}
