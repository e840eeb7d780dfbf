// What quantization asks of its operands, in IREE's words.

// RUN: raddle check %s --split-input-file

func.func @minmax(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = 5, quant_max = 2> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @zpfloat(%a: tensor<4x4xf32>, %s: f32, %z: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s, %z : tensor<4x4xf32>, f32, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @outfloat(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// -----
func.func @scaleint(%a: tensor<4x4xf32>, %s: i32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, i32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @inmap(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @outmap(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d1, d0)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @zpuns(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127, zp_unsigned> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @unsrange(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -1, quant_max = 127, storage_unsigned> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @deqin(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// -----
func.func @deqout(%a: tensor<4x4xi8>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xi8>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @deqrange(%a: tensor<4x4xi8>, %s: f32, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -129, quant_max = 127> ins(%a, %s : tensor<4x4xi8>, f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// -----
func.func @rank(%a: tensor<4x4xf32>, %s: tensor<4x4xf32>, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @shape(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x5xi8>) -> tensor<4x5xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x5xi8>) -> tensor<4x5xi8>
  return %r : tensor<4x5xi8>
}
// -----
func.func @dims(%a: tensor<4x4xf32>, %s: f32, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>, affine_map<(d0)->(d0)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @scaletensor(%a: tensor<4x4xf32>, %s: tensor<f32>, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, tensor<f32>) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @expr(%a: tensor<4x4xf32>, %s: tensor<2xf32>, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0 floordiv 2)>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, tensor<2xf32>) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @const(%a: tensor<4x4xf32>, %s: tensor<1xf32>, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0)>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, tensor<1xf32>) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @zpsz(%a: tensor<4x4xf32>, %s: f32, %z: tensor<5xi8>, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s, %z : tensor<4x4xf32>, f32, tensor<5xi8>) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @permscale(%a: tensor<4x4xf32>, %s: tensor<4x4xf32>, %o: tensor<4x4xi8>) -> tensor<4x4xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
  return %r : tensor<4x4xi8>
}
// -----
func.func @e1(%a: tensor<6xf16>, %s: f32) -> tensor<6xi8> {
  %e = tensor.empty() : tensor<6xi8>
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], quant_min = -129, quant_max = 127> ins(%a, %s : tensor<6xf16>, f32) outs(%e : tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}
// -----
func.func @e2(%a: tensor<6xf16>, %s: f32) -> tensor<6xi8> {
  %e = tensor.empty() : tensor<6xi8>
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = -12, quant_max = 127> ins(%a, %s : tensor<6xf16>, f32) outs(%e : tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}
// -----
func.func @e3(%a: tensor<6xf16>, %s: f32) -> tensor<6xi8> {
  %e = tensor.empty() : tensor<6xi8>
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = -12, quant_max = 127> ins(%a, %s : tensor<6xf16>, f32) outs(%e : tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}
// -----
func.func @e4(%a: tensor<6xf16>, %s: tensor<5xf32>) -> tensor<6xi8> {
  %e = tensor.empty() : tensor<6xi8>
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = -12, quant_max = 127> ins(%a, %s : tensor<6xf16>, tensor<5xf32>) outs(%e : tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}
// -----
func.func @e5(%a: tensor<6xi8>, %s: tensor<6xf32>) -> tensor<6xi8> {
  %e = tensor.empty() : tensor<6xi8>
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = 12, quant_max = 2> ins(%a, %s : tensor<6xi8>, tensor<6xf32>) outs(%e : tensor<6xi8>) -> tensor<6xi8>
  return %r : tensor<6xi8>
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected quant_min to not exceed quant_max, got [5, 2]
//  --> verify/linalg_ext/quantization.mlir:6:3
//   |
// 6 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = 5, quant_max = 2> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected zero_point to have a signless integer element type, got 'f32'
//   --> verify/linalg_ext/quantization.mlir:11:3
//    |
// 11 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected output to have a signless integer element type, got 'f32'
//   --> verify/linalg_ext/quantization.mlir:16:3
//    |
// 16 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected scale to have a floating point element type, got 'i32'
//   --> verify/linalg_ext/quantization.mlir:21:3
//    |
// 21 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, i32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op zp_unsigned is only allowed when a zero_point operand is present
//   --> verify/linalg_ext/quantization.mlir:36:3
//    |
// 36 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op quantization range [-1, 127] is not representable in unsigned 'i8'
//   --> verify/linalg_ext/quantization.mlir:41:3
//    |
// 41 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.dequantize_affine' op expected input to have a signless integer element type, got 'f32'
//   --> verify/linalg_ext/quantization.mlir:46:3
//    |
// 46 |   %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.dequantize_affine' op expected output to have a floating point element type, got 'i8'
//   --> verify/linalg_ext/quantization.mlir:51:3
//    |
// 51 |   %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xi8>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.dequantize_affine' op quantization range [-129, 127] is not representable in signed 'i8'
//   --> verify/linalg_ext/quantization.mlir:56:3
//    |
// 56 |   %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -129, quant_max = 127> ins(%a, %s : tensor<4x4xi8>, f32) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected scale to have rank 1 to match the number of results of its indexing map, got 2
//   --> verify/linalg_ext/quantization.mlir:61:3
//    |
// 61 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected input and output to have the same shape up to their indexing maps, got 'tensor<4x4xf32>' and 'tensor<4x5xi8>'
//   --> verify/linalg_ext/quantization.mlir:66:3
//    |
// 66 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x5xi8>) -> tensor<4x5xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected indexing map 0 to have 2 dimensions to match the rank of the quantized value, got 1
//   --> verify/linalg_ext/quantization.mlir:71:3
//    |
// 71 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->()>, affine_map<(d0)->(d0)>], quant_min = -128, quant_max = 127> ins(%a, %s : tensor<4x4xf32>, f32) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected indexing map 1 to be a projected permutation, got affine_map<(d0, d1) -> (d0 floordiv 2)>
//   --> verify/linalg_ext/quantization.mlir:81:3
//    |
// 81 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected indexing map 1 to be a projected permutation, got affine_map<(d0, d1) -> (0)>
//   --> verify/linalg_ext/quantization.mlir:86:3
//    |
// 86 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected zero_point dimension 0 to have size 4 to match dimension 0 of the quantized value, got 5
//   --> verify/linalg_ext/quantization.mlir:91:3
//    |
// 91 |   %r = iree_linalg_ext.quantize_affine <indexin...) outs(%o : tensor<4x4xi8>) -> tensor<4x4xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op quantization range [-129, 127] is not representable in signed 'i8'
//    --> verify/linalg_ext/quantization.mlir:102:3
//     |
// 102 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], quant_min = -129, quant_max = 127> ins(%a, %s : tensor<6xf16>, f32) outs(%e : tensor<6xi8>) -> tensor<6xi8>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected scalar scale to have an indexing map with no results
//    --> verify/linalg_ext/quantization.mlir:108:3
//     |
// 108 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = -12, quant_max = 127> ins(%a, %s : tensor<6xf16>, f32) outs(%e : tensor<6xi8>) -> tensor<6xi8>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected 3 indexing maps, one per operand, got 2
//    --> verify/linalg_ext/quantization.mlir:114:3
//     |
// 114 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = -12, quant_max = 127> ins(%a, %s : tensor<6xf16>, f32) outs(%e : tensor<6xi8>) -> tensor<6xi8>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected scale dimension 0 to have size 6 to match dimension 0 of the quantized value, got 5
//    --> verify/linalg_ext/quantization.mlir:120:3
//     |
// 120 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = -12, quant_max = 127> ins(%a, %s : tensor<6xf16>, tensor<5xf32>) outs(%e : tensor<6xi8>) -> tensor<6xi8>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.quantize_affine' op expected input to have a floating point element type, got 'i8'
//    --> verify/linalg_ext/quantization.mlir:126:3
//     |
// 126 |   %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], quant_min = 12, quant_max = 2> ins(%a, %s : tensor<6xi8>, tensor<6xf32>) outs(%e : tensor<6xi8>) -> tensor<6xi8>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 20 diagnostics
// [exit status 1]
