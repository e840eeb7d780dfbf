//! Scaled and sparse variants of matrix instructions give what the catalogue's instruction of the same name gives.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Options, Tensor};
use raddle_ir::Scalar;
use raddle_target::catalogue;

use crate::common;
use crate::common::{F32, good, numbers, try_run};

/// A kernel of one subgroup of 64 lanes, each of which has a row of every buffer; it writes what both spellings give.
fn kernel(types: &[String], op: &str, kind: &str, operands: &str, operand_types: &str) -> String {
    let memrefs: Vec<String> = types
        .iter()
        .enumerate()
        .map(|(at, ty)| format!("%m{at}: memref<64x{}>", ty.trim_start_matches("vector<").trim_end_matches('>')))
        .collect();
    let loads: Vec<String> = types
        .iter()
        .zip(&memrefs)
        .enumerate()
        .map(|(at, (ty, memref))| {
            let memref = memref.split_once(": ").unwrap().1;
            format!("  %v{at} = vector.load %m{at}[%t, %c0] : {memref}, {ty}\n")
        })
        .collect();
    let maps = vec!["affine_map<() -> ()>"; operands.split(',').count() + 1].join(", ");
    format!(
        "func.func @f({}, %x: memref<64x4xf32>, %y: memref<64x4xf32>) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>}} {{
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
{}{op}
  %other = iree_codegen.inner_tiled ins({operands}) outs(%v2) {{indexing_maps = [{maps}], iterator_types = [], kind = \"{kind}\", semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>}} : {operand_types} into vector<4xf32>
  vector.store %r, %x[%t, %c0] : memref<64x4xf32>, vector<4xf32>
  vector.store %other, %y[%t, %c0] : memref<64x4xf32>, vector<4xf32>
  return
}}",
        memrefs.join(", "),
        loads.concat()
    )
}

fn agree(text: &str, mut args: Vec<Tensor>) {
    args.extend([Tensor::zeros(F32, &[64, 4]), Tensor::zeros(F32, &[64, 4])]);
    let buffers = good(text, &args).buffers;
    let [.., x, y] = &buffers[..] else { panic!("there are two outputs") };
    assert_eq!(x.bytes, y.bytes);
    assert!(x.to_f64().iter().filter(|value| **value != 0.0).count() > 128);
}

/// Each lane has four scales, one of which the instruction names.
#[test]
fn scaled_products_take_the_scale_that_is_named() {
    let row = catalogue::instructions()
        .iter()
        .find(|row| {
            let factors = row.types[..2].iter().all(|elem| elem.scalar() == Scalar::from_keyword("f4E2M1FN"));
            factors && row.family == catalogue::Family::Mfma && row.m == 16
        })
        .unwrap();
    let (f4, scale) = (Scalar::from_keyword("f4E2M1FN").unwrap(), Scalar::from_keyword("f8E8M0FNU").unwrap());
    let types =
        ["vector<32xf4E2M1FN>", "vector<32xf4E2M1FN>", "vector<4xf32>", "vector<4xf8E8M0FNU>", "vector<4xf8E8M0FNU>"]
            .map(str::to_owned);
    let op = "  %s = vector.extract_strided_slice %v3 {offsets = [2], sizes = [1], strides = [1]} : vector<4xf8E8M0FNU> to vector<1xf8E8M0FNU>
  %u = vector.extract_strided_slice %v4 {offsets = [1], sizes = [1], strides = [1]} : vector<4xf8E8M0FNU> to vector<1xf8E8M0FNU>
  %r = amdgpu.scaled_mfma 16x16x128 (%v3[2] * %v0) * (%v4[1] * %v1) + %v2 : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>";
    let text = kernel(
        &types,
        op,
        &row.id,
        "%v0, %v1, %s, %u",
        "vector<32xf4E2M1FN>, vector<32xf4E2M1FN>, vector<1xf8E8M0FNU>, vector<1xf8E8M0FNU>",
    );
    let powers = |seed: u32| {
        Tensor::from_f64(
            scale,
            &[64, 4],
            &(0..256u32).map(|at| 2f64.powi((at * seed % 7) as i32 - 3)).collect::<Vec<_>>(),
        )
    };
    let args =
        vec![numbers(f4, &[64, 32], 1), numbers(f4, &[64, 32], 2), numbers(F32, &[64, 4], 3), powers(3), powers(5)];
    agree(&text, args);
    let scalar = "  %w = vector.extract %v3[0] : f8E8M0FNU from vector<4xf8E8M0FNU>\n  %r = amdgpu";
    let alone = text.replace("  %r = amdgpu", scalar).replace("(%v3[2]", "(%w[2]");
    let alone = alone.replacen("+ %v2 : vector<4xf8E8M0FNU>", "+ %v2 : f8E8M0FNU", 1);
    let diag = try_run(&alone, &[], &Options::default()).unwrap_err();
    assert!(diag.message.contains("1 scales"), "{diag:?}");
}

/// Two bits say of each element which of four along k it is.
#[test]
fn sparse_products_take_the_elements_that_are_named() {
    let row = catalogue::instructions().iter().find(|row| row.id == "amd.smfmac.f32.16x16x32.f16.f16").unwrap();
    let types = ["vector<4xf16>", "vector<8xf16>", "vector<4xf32>", "vector<4xi8>", "vector<4xi32>"].map(str::to_owned);
    let op = "  %r = amdgpu.sparse_mfma 16x16x32 %v0 * %v1 + %v2 sparse(%v3 : vector<4xi8>) : vector<4xf16>, vector<8xf16>, vector<4xf32>";
    let text = kernel(&types, op, &row.id, "%v0, %v1, %v4", "vector<4xf16>, vector<8xf16>, vector<4xi32>");
    // Two different ones of four, the lower one first, in pairs.
    const PAIRS: [[i64; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let places: Vec<i64> = (0..64).flat_map(|lane| [PAIRS[lane % 6], PAIRS[lane / 6 % 6]].concat()).collect();
    let words: Vec<i64> = places
        .chunks(4)
        .flat_map(|four| [four.iter().enumerate().map(|(at, place)| place << (2 * at)).sum(), 0x55, 0x33, 0])
        .collect();
    let args = vec![
        numbers(common::F16, &[64, 4], 1),
        numbers(common::F16, &[64, 8], 2),
        numbers(F32, &[64, 4], 3),
        Tensor::from_i64(Scalar::Int(8), &[64, 4], &words),
        Tensor::from_i64(Scalar::Int(32), &[64, 4], &places),
    ];
    agree(&text, args);
}
