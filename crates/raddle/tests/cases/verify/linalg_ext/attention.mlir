// The maps of an attention tell which loops run over which operand, and the arguments of its region, which operands it
// takes elements of.
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

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#x = affine_map<(b, m, n, k, j) -> (m, j)>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %x: tensor<8x6xf16>, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #x, #o]}
      ins(%q, %k, %v, %s, %x, %x : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16, tensor<8x6xf16>, tensor<8x6xf16>) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%a: f32, %b: f16):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#x = affine_map<(b, m, n, k, j) -> (m, j)>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %x: tensor<8x6xf16>, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #x, #o]}
      ins(%q, %k, %v, %s, %x, %x : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16, tensor<8x6xf16>, tensor<8x6xf16>) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#x = affine_map<(b, m, n, k, j) -> (m, j)>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %x: tensor<8x6xf16>, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #o]}
      ins(%q, %k, %v, %s, %x : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16, tensor<8x6xf16>) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%a: f32, %b: f16, %c: f16):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x8x5xf16>
  return
}

// -----
#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#x = affine_map<(b, m, n, k, j) -> (m, j)>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %x: tensor<8x6xf16>, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #o]}
      ins(%q, %k, %v, %s, %x : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16, tensor<8x6xf16>) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x8x5xf16>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.attention' op expected an indexing map for each operand
//   --> verify/linalg_ext/attention.mlir:25:3
//    |
// 25 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op Rank Mismatch for Key. Expected: 3 Got: 2
//   --> verify/linalg_ext/attention.mlir:40:3
//    |
// 40 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op Shape Mismatch for Value at position 1. Expected: 6 Got: 7
//   --> verify/linalg_ext/attention.mlir:55:3
//    |
// 55 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op Mismatched map domain for Scale. Expected: 5 Got: 2
//   --> verify/linalg_ext/attention.mlir:70:3
//    |
// 70 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op all indexing maps must be projected permutations
//   --> verify/linalg_ext/attention.mlir:85:3
//    |
// 85 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op block argument 0 should be float
//    --> verify/linalg_ext/attention.mlir:100:3
//     |
// 100 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0104]: use of value `%s` expects different type than prior uses: `f16` vs `i16`
//    --> verify/linalg_ext/attention.mlir:116:23
//     |
// 114 | func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: i16, %o: tensor<2x8x5xf16>) {
//     |                                                                                   -- prior use here
// 115 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
// 116 |       ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
//     |                       ^^
//
// error[E0201]: 'iree_linalg_ext.attention' op expects single block argument for score, and one for each operand behind scale and mask
//    --> verify/linalg_ext/attention.mlir:147:3
//     |
// 147 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #x, #o]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op expects single block argument for score, and one for each operand behind scale and mask
//    --> verify/linalg_ext/attention.mlir:163:3
//     |
// 163 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #o]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.attention' op block arguments behind the score should have the types of the elements that they are
//    --> verify/linalg_ext/attention.mlir:179:3
//     |
// 179 |   %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #x, #o]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
