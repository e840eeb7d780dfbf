// The maps of an attention tell which loops run over which operand.
// RUN: raddle check %s --split-input-file
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x7x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x7x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j + 1, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: i32):
    iree_linalg_ext.yield %x : i32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: i16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.attention' op expected an indexing map for each operand
//   --> verify/linalg_ext/attention.mlir:24:3
//    |
// 24 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op Rank Mismatch for Key. Expected: 3 Got: 2
//   --> verify/linalg_ext/attention.mlir:39:3
//    |
// 39 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op Shape Mismatch for Value at position 1. Expected: 6 Got: 7
//   --> verify/linalg_ext/attention.mlir:54:3
//    |
// 54 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op Mismatched map domain for Scale. Expected: 5 Got: 2
//   --> verify/linalg_ext/attention.mlir:69:3
//    |
// 69 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op all indexing maps must be projected permutations
//   --> verify/linalg_ext/attention.mlir:84:3
//    |
// 84 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op block argument 0 should be float
//   --> verify/linalg_ext/attention.mlir:99:3
//    |
// 99 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0104]: use of value `%s` expects different type than prior uses: `f16` vs `i16`
//    --> verify/linalg_ext/attention.mlir:115:23
//     |
// 113 | func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: i16, %o: tensor<2x8x5xf16>) {
//     |                                                                                   -- prior use here
// 114 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
// 115 |       ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
//     |                       ^^
//
// 7 diagnostics
// [exit status 1]
