//! What lowering makes of small kernels, as text, and what it refuses.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{Code, Diag, Ir, PrintOptions};
use raddle_passes::{Facts, lower};
use raddle_target::{Lowered, chip};

const INFO: &str = "attributes {translation_info = #iree_codegen.translation_info<pipeline = \
                    #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>}";

fn parse(args: &str, body: &str) -> Ir {
    let text = format!("func.func @f({args}) {INFO} {{\n{body}\nreturn\n}}");
    raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

fn lowered(args: &str, body: &str) -> Result<String, Diag> {
    let mut ir = parse(args, body);
    let func = ir.funcs()[0];
    let facts = Facts::new(chip("sm_80").unwrap());
    lower::lower(&mut ir, func, &facts)?;
    assert_eq!(raddle_ir::verify(&ir), []);
    Lowered::check(&ir, func, facts.chip)?;
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let printed = raddle_ir::print(&ir, &options);
    // Constants are told by their names.
    let lines = printed.lines().map(str::trim).filter(|line| !line.contains("arith.constant"));
    let lines: Vec<&str> = lines.skip_while(|line| !line.starts_with("func.func")).skip(1).collect();
    let last = lines.iter().rposition(|line| line.starts_with("return")).unwrap();
    Ok(lines[..last].join("\n"))
}

fn check(args: &str, body: &str, after: &str) {
    let after: Vec<&str> = after.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lowered(args, body).unwrap_or_else(|diag| panic!("{diag} {}", diag.label)), after.join("\n"));
}

fn refused(args: &str, body: &str) -> Diag {
    lowered(args, body).expect_err("this is refused")
}

/// One access of 64 bits where the thread's place is a multiple of four elements.
#[test]
fn an_aligned_row_is_one_access() {
    check(
        "%m: memref<8x64xf16>, %o: memref<64x4x1xf16>",
        "%z = arith.constant 0.0 : f16
         %c0 = arith.constant 0 : index
         %t = gpu.thread_id x
         %d:2 = affine.delinearize_index %t into (4, 16) : index, index
         %col = affine.apply affine_map<(d0) -> (d0 * 4)>(%d#1)
         %v = vector.transfer_read %m[%d#0, %col], %z {in_bounds = [true, true]} : memref<8x64xf16>, vector<1x4xf16>
         %w = vector.transpose %v, [1, 0] : vector<1x4xf16> to vector<4x1xf16>
         vector.transfer_write %w, %o[%t, %c0, %c0] {in_bounds = [true, true]} : vector<4x1xf16>, memref<64x4x1xf16>",
        "%thread_id_x = gpu.thread_id x
         %0 = arith.shrui %thread_id_x, %c4 : index
         %1 = arith.muli %0, %c64 : index
         %2 = arith.andi %thread_id_x, %c15 : index
         %3 = arith.muli %2, %c4 : index
         %4 = arith.addi %1, %3 : index
         %5 = vector.load %arg0[%4] : memref<512xf16>, vector<4xf16>
         %6 = arith.muli %thread_id_x, %c4 : index
         vector.store %5, %arg1[%6] : memref<256xf16>, vector<4xf16>",
    );
}

/// A column offset that may be odd allows single elements only; the addresses share all but the constant.
#[test]
fn an_unaligned_row_is_single_elements() {
    check(
        "%m: memref<64x4xf32>, %o: memref<64x2xf32>",
        "%z = arith.constant 0.0 : f32
         %c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %t = gpu.thread_id x
         %v = vector.transfer_read %m[%t, %c1], %z {in_bounds = [true]} : memref<64x4xf32>, vector<2xf32>
         vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<2xf32>, memref<64x2xf32>",
        "%thread_id_x = gpu.thread_id x
         %0 = arith.muli %thread_id_x, %c4 : index
         %1 = arith.addi %0, %c1 : index
         %2 = memref.load %arg0[%1] : memref<256xf32>
         %3 = arith.addi %0, %c2 : index
         %4 = memref.load %arg0[%3] : memref<256xf32>
         %5 = arith.muli %thread_id_x, %c2 : index
         %6 = vector.from_elements %2, %4 : vector<2xf32>
         vector.store %6, %arg1[%5] : memref<128xf32>, vector<2xf32>",
    );
}

/// Elements that may lie outside are read under a condition; where index and extent are multiples of the width, the
/// condition is one, and so is the access.
#[test]
fn reads_past_the_end_are_guarded_together() {
    check(
        "%m: memref<100xf32>, %o: memref<64x4xf32>",
        "%z = arith.constant 0.0 : f32
         %c0 = arith.constant 0 : index
         %t = gpu.thread_id x
         %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%t)
         %v = vector.transfer_read %m[%i], %z {in_bounds = [false]} : memref<100xf32>, vector<4xf32>
         vector.transfer_write %v, %o[%t, %c0] {in_bounds = [true]} : vector<4xf32>, memref<64x4xf32>",
        "%thread_id_x = gpu.thread_id x
         %0 = arith.muli %thread_id_x, %c4 : index
         %1 = arith.cmpi ult, %0, %c100 : index
         %2:4 = scf.if %1 -> (f32, f32, f32, f32) {
         %4 = vector.load %arg0[%0] : memref<100xf32>, vector<4xf32>
         %5:4 = vector.to_elements %4 : vector<4xf32>
         scf.yield %5#0, %5#1, %5#2, %5#3 : f32, f32, f32, f32
         } else {
         scf.yield %cst, %cst, %cst, %cst : f32, f32, f32, f32
         }
         %3 = vector.from_elements %2#0, %2#1, %2#2, %2#3 : vector<4xf32>
         vector.store %3, %arg1[%0] : memref<256xf32>, vector<4xf32>",
    );
}

/// What does not change in the loop is computed in front of it; the loop's own part and the constant come last.
#[test]
fn addresses_are_hoisted() {
    check(
        "%m: memref<64x32xf32>, %o: memref<64xf32>",
        "%z = arith.constant 0.0 : f32
         %c0 = arith.constant 0 : index
         %c4 = arith.constant 4 : index
         %c32 = arith.constant 32 : index
         %t = gpu.thread_id x
         %init = arith.constant dense<0.0> : vector<1xf32>
         %s = scf.for %k = %c0 to %c32 step %c4 iter_args(%acc = %init) -> vector<1xf32> {
           %k3 = affine.apply affine_map<(d0) -> (d0 + 3)>(%k)
           %v = vector.transfer_read %m[%t, %k3], %z {in_bounds = [true]} : memref<64x32xf32>, vector<1xf32>
           %n = arith.addf %acc, %v : vector<1xf32>
           scf.yield %n : vector<1xf32>
         }
         vector.transfer_write %s, %o[%t] {in_bounds = [true]} : vector<1xf32>, memref<64xf32>",
        "%thread_id_x = gpu.thread_id x
         %0 = arith.muli %thread_id_x, %c32 : index
         %1 = scf.for %arg2 = %c0 to %c32 step %c4 iter_args(%arg3 = %cst) -> (f32) {
         %2 = arith.addi %0, %arg2 : index
         %3 = arith.addi %2, %c3 : index
         %4 = memref.load %arg0[%3] : memref<2048xf32>
         %5 = arith.addf %arg3, %4 : f32
         scf.yield %5 : f32
         }
         memref.store %1, %arg1[%thread_id_x] : memref<64xf32>",
    );
}

/// Partners at distance 4, then 8: sixteen lanes in clusters of four.
#[test]
fn reductions_over_lanes_are_butterflies() {
    check(
        "%o: memref<64xf16>",
        "%t = gpu.thread_id x
         %x = memref.load %o[%t] : memref<64xf16>
         %s = gpu.subgroup_reduce maxnumf %x cluster(size = 4, stride = 4) : (f16) -> f16
         memref.store %s, %o[%t] : memref<64xf16>",
        "%thread_id_x = gpu.thread_id x
         %0 = memref.load %arg0[%thread_id_x] : memref<64xf16>
         %shuffleResult, %valid = gpu.shuffle xor %0, %c4_i32, %c32_i32 : f16
         %1 = arith.maxnumf %0, %shuffleResult : f16
         %shuffleResult_0, %valid_1 = gpu.shuffle xor %1, %c8_i32, %c32_i32 : f16
         %2 = arith.maxnumf %1, %shuffleResult_0 : f16
         memref.store %2, %arg0[%thread_id_x] : memref<64xf16>",
    );
}

/// A view is an offset and strides; an allocation in a loop is one allocation.
#[test]
fn views_and_allocations() {
    check(
        "%m: memref<8x64xf32>",
        "%c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %c8 = arith.constant 8 : index
         %t = gpu.thread_id x
         scf.for %i = %c0 to %c8 step %c1 {
           %row = memref.subview %m[%i, 0] [1, 64] [1, 1]
             : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
           %s = memref.alloc() : memref<2x64xf32, #gpu.address_space<workgroup>>
           %x = memref.load %row[%t] : memref<64xf32, strided<[1], offset: ?>>
           memref.store %x, %s[%c1, %t] : memref<2x64xf32, #gpu.address_space<workgroup>>
         }",
        "%thread_id_x = gpu.thread_id x
         %alloc = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
         %0 = arith.addi %thread_id_x, %c64 : index
         scf.for %arg1 = %c0 to %c8 step %c1 {
         %1 = arith.muli %arg1, %c64 : index
         %2 = arith.addi %thread_id_x, %1 : index
         %3 = memref.load %arg0[%2] : memref<512xf32>
         memref.store %3, %alloc[%0] : memref<128xf32, #gpu.address_space<workgroup>>
         }",
    );
}

/// Matrix instructions take their operands packed, slots in order.
#[test]
fn matrix_operands_are_packed() {
    check(
        "%m: memref<64x2xf32>",
        "%c0 = arith.constant 0 : index
         %t = gpu.thread_id x
         %a = arith.constant dense<1.0> : vector<4x2xf16>
         %b = arith.constant dense<2.0> : vector<2x2xf16>
         %i = arith.constant dense<0.0> : vector<2x2xf32>
         %c = nvgpu.mma.sync(%a, %b, %i) {mmaShape = [16, 8, 16]}
           : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
         %r = vector.extract %c[1] : vector<2xf32> from vector<2x2xf32>
         vector.transfer_write %r, %m[%t, %c0] {in_bounds = [true]} : vector<2xf32>, memref<64x2xf32>",
        "%thread_id_x = gpu.thread_id x
         %0 = vector.from_elements %cst_1, %cst_1, %cst_1, %cst_1, %cst_1, %cst_1, %cst_1, %cst_1 : vector<4x2xf16>
         %1 = vector.from_elements %cst_0, %cst_0, %cst_0, %cst_0 : vector<2x2xf16>
         %2 = vector.from_elements %cst, %cst, %cst, %cst : vector<2x2xf32>
         %3 = nvgpu.mma.sync(%0, %1, %2) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
         %4:4 = vector.to_elements %3 : vector<2x2xf32>
         %5 = arith.muli %thread_id_x, %c2 : index
         %6 = vector.from_elements %4#2, %4#3 : vector<2xf32>
         vector.store %6, %arg0[%5] : memref<128xf32>, vector<2xf32>",
    );
}

/// A refusal names the operation, says why, leaves the program as it was.
#[test]
fn refusals() {
    let diag = refused("%m: memref<64x32xf16, strided<[1, 64]>>", "");
    assert_eq!(diag.code, Code::DynamicBuffer);

    let dynamic = "%v = arith.constant dense<1.0> : vector<4xf32>
                   %t = gpu.thread_id x
                   %x = vector.extract %v[%t] : f32 from vector<4xf32>";
    let diag = refused("", dynamic);
    assert_eq!(diag.code, Code::CannotLower);
    assert!(diag.message.contains("`vector.extract`") && diag.help.is_some());
    let mut ir = parse("", dynamic);
    let before = raddle_ir::print(&ir, &PrintOptions::default());
    let func = ir.funcs()[0];
    lower::lower(&mut ir, func, &Facts::new(chip("sm_80").unwrap())).unwrap_err();
    assert_eq!(raddle_ir::print(&ir, &PrintOptions::default()), before);

    let lanes = "%x = arith.constant 1.0 : f32
                 %s = gpu.subgroup_reduce add %x cluster(size = 32, stride = 2) : (f32) -> f32";
    assert!(refused("", lanes).label.contains("32 lanes at distance 2"));

    let private = "%a = memref.alloc() : memref<4xf32>
                   %c0 = arith.constant 0 : index
                   %x = memref.load %a[%c0] : memref<4xf32>";
    assert!(refused("", private).message.contains("`memref.alloc`"));

    let large = "%v = arith.constant dense<1.0> : vector<1048576xf32>";
    assert_eq!(refused("", large).code, Code::UnrollsTooFar);

    let shared = "%a = memref.alloc() : memref<50000xf32, #gpu.address_space<workgroup>>
                  %c0 = arith.constant 0 : index
                  %x = arith.constant 1.0 : f32
                  memref.store %x, %a[%c0] : memref<50000xf32, #gpu.address_space<workgroup>>";
    assert_eq!(refused("", shared).code, Code::OverLimit);
}

/// An asynchronous copy is at one index on both sides; its token is no register, and groups are counted.
#[test]
fn copies_lose_their_tokens() {
    let shared = "memref<64x8xf16, #gpu.address_space<workgroup>>";
    let text = lowered(
        "%m: memref<64x16xf16>, %n: index",
        &format!(
            "%c0 = arith.constant 0 : index
             %c8 = arith.constant 8 : index
             %s = memref.alloc() : {shared}
             %t = gpu.thread_id x
             %k = nvgpu.device_async_copy %m[%t, %c8], %s[%t, %c0], 8, %n : memref<64x16xf16> to {shared}
             %g = nvgpu.device_async_create_group %k
             nvgpu.device_async_wait %g {{numGroups = 1 : i32}}
             nvgpu.device_async_wait %g"
        ),
    );
    let text = text.unwrap();
    for wanted in
        [": memref<1024xf16> to memref<512xf16", "], 8, %arg1", "cp.async.commit.group", "wait.group 1", "wait.group 0"]
    {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    assert!(!text.contains("create_group"), "{text}");
}

/// What a loop carries of 16-bit elements stays in words of two, and is never taken apart where the loop goes round.
#[test]
fn loops_carry_words() {
    let text = lowered(
        "%m: memref<4x4xf16>, %o: memref<4xf16>",
        "%c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %c4 = arith.constant 4 : index
         %z = arith.constant 0.0 : f16
         %i = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true]} : memref<4x4xf16>, vector<4xf16>
         %r = scf.for %j = %c1 to %c4 step %c1 iter_args(%v = %i) -> (vector<4xf16>) {
           %w = vector.transfer_read %m[%j, %c0], %z {in_bounds = [true]} : memref<4x4xf16>, vector<4xf16>
           vector.transfer_write %v, %m[%j, %c0] {in_bounds = [true]} : vector<4xf16>, memref<4x4xf16>
           scf.yield %w : vector<4xf16>
         }
         vector.transfer_write %r, %o[%c0] {in_bounds = [true]} : vector<4xf16>, memref<4xf16>",
    );
    let text = text.unwrap();
    assert!(text.contains("-> (vector<2xf16>, vector<2xf16>)"), "{text}");
    assert!(text.contains("scf.yield %") && text.contains(": vector<2xf16>, vector<2xf16>"), "{text}");
}
