//! One product's result as the next one's factor: it stays in its lanes under another numbering of the summed dimension.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};
use raddle_passes::Facts;
use raddle_target::chip;

use crate::stages;

/// `(a · b)` as the second factor of `v · (a · b)`, for an instruction that takes 32 of k at once and gives 16 rows.
const CHAIN: &str = "
#first = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#second = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [8, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#sum = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#copy = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [4, 1]>
#left = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#out = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @chain(%a: memref<32x32xf16>, %b: memref<32x16xf16>, %v: memref<16x32xf16>, %o: memref<16x16xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<32x16xf32>
  %none = arith.constant dense<0.0> : vector<16x16xf32>
  %ra = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x32xf16>, vector<32x32xf16>
  %la = iree_vector_ext.to_layout %ra to layout(#first) : vector<32x32xf16>
  %rb = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x16xf16>, vector<32x16xf16>
  %lb = iree_vector_ext.to_layout %rb to layout(#second) : vector<32x16xf16>
  %lz = iree_vector_ext.to_layout %zero to layout(#sum) : vector<32x16xf32>
  %s = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %la, %lb, %lz : vector<32x32xf16>, vector<32x16xf16> into vector<32x16xf32>
  %t = arith.truncf %s : vector<32x16xf32> to vector<32x16xf16>
  %p = iree_vector_ext.to_layout %t to layout(#second) : vector<32x16xf16>
  %rv = vector.transfer_read %v[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x32xf16>, vector<16x32xf16>
  %cv = iree_vector_ext.to_layout %rv to layout(#copy) : vector<16x32xf16>
  %lv = iree_vector_ext.to_layout %cv to layout(#left) : vector<16x32xf16>
  %ln = iree_vector_ext.to_layout %none to layout(#out) : vector<16x16xf32>
  %r = vector.contract {indexing_maps = [#mk, #kn, #mn], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %lv, %p, %ln : vector<16x32xf16>, vector<32x16xf16> into vector<16x16xf32>
  vector.transfer_write %r, %o[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}";

/// The first product moves between registers only; the other factor is read under the same numbering.
#[test]
fn a_product_stays_in_its_lanes() {
    let facts = Facts::new(chip("gfx950").unwrap());
    let half = Scalar::Float(Float::F16);
    let tensor = |shape: &[i64], seed: i64| {
        let n = shape.iter().product::<i64>();
        let values: Vec<f64> = (0..n).map(|at| ((at * 7 + at / 5 * seed) % 5 - 2) as f64).collect();
        Tensor::from_f64(half, shape, &values)
    };
    let sums = Tensor::from_f64(Scalar::Float(Float::F32), &[16, 16], &[0.0; 256]);
    let args = [tensor(&[32, 32], 3), tensor(&[32, 16], 5), tensor(&[16, 32], 11), sums];
    stages::alike_on("chain", CHAIN, &facts, &args, 1).unwrap();
    let remarks = facts.remarks.into_inner();
    let told: Vec<&str> =
        remarks.iter().filter_map(|remark| remark.message.strip_prefix("this conversion goes by ")).collect();
    assert!(told.iter().any(|told| told.starts_with("nothing") || told.starts_with("slots")), "{told:?}");
    assert_eq!(remarks.iter().filter(|remark| remark.message.contains("becomes `MFMA")).count(), 2);
}
