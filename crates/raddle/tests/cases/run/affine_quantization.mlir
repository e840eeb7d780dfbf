// Integers of a scale and back, as IREE keeps them from ONNX: by channel and of a whole tensor, with and without a sign.
// Halves go to the even integer, what leaves the range stays at its end, and the zero point is subtracted with its sign.

// RUN: raddle run %s --function=quantize --input=2x4xf32=0.5,1.5,2.5,1000,-0.5,-3,7,-1000 --input=2xf32=1,2 --input=2xi8=0,-3 --expected_output=2x4xi8=0,2,2,127,-3,-5,1,-128 | grep correct
// RUN: raddle run %s --function=quantize --target=x86-64-v4 --input=2x4xf32=0.5,1.5,2.5,1000,-0.5,-3,7,-1000 --input=2xf32=1,2 --input=2xi8=0,-3 --expected_output=2x4xi8=0,2,2,127,-3,-5,1,-128 | grep correct
// RUN: raddle run %s --function=unsigned --input=3xf32=-1,0.1,300 --input=f32=0.5 --input=i64=200 --expected_output=3xi8=-58,-56,-1 | grep correct
// RUN: raddle run %s --function=dequantize --input=2x2xi8=-128,127,0,1 --input=f16=0.5 --input=i8=-56 --expected_output=2x2xf32=-36,-100,-36.5,-99.5 | grep correct
// RUN: raddle run %s --function=product | grep correct
// RUN: raddle build %s --function=product --emit=ptx | grep -c mma.sync
// RUN: raddle opt %s

func.func @quantize(%x: tensor<2x4xf32>, %scale: tensor<2xf32>, %zero: tensor<2xi8>) -> tensor<2x4xi8> {
  %empty = tensor.empty() : tensor<2x4xi8>
  %q = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], quant_min = -128, quant_max = 127> ins(%x, %scale, %zero : tensor<2x4xf32>, tensor<2xf32>, tensor<2xi8>) outs(%empty : tensor<2x4xi8>) -> tensor<2x4xi8>
  return %q : tensor<2x4xi8>
}

func.func @unsigned(%x: tensor<3xf32>, %scale: f32, %zero: i64) -> tensor<3xi8> {
  %empty = tensor.empty() : tensor<3xi8>
  %q = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], quant_min = 0, quant_max = 255, storage_unsigned> ins(%x, %scale, %zero : tensor<3xf32>, f32, i64) outs(%empty : tensor<3xi8>) -> tensor<3xi8>
  return %q : tensor<3xi8>
}

// The result is transposed.
func.func @dequantize(%q: tensor<2x2xi8>, %scale: f16, %zero: i8) -> tensor<2x2xf32> {
  %empty = tensor.empty() : tensor<2x2xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (j, i)>], quant_min = 0, quant_max = 255, input_unsigned, zp_unsigned> ins(%q, %scale, %zero : tensor<2x2xi8>, f16, i8) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %x : tensor<2x2xf32>
}

// A product with weights of 8 bits, which are dequantized where they are read.
func.func @product(%x: tensor<64x128xf16>, %q: tensor<128x64xi8>, %scale: tensor<64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %floats = tensor.empty() : tensor<128x64xf16>
  %w = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], quant_min = -128, quant_max = 127> ins(%q, %scale : tensor<128x64xi8>, tensor<64xf16>) outs(%floats : tensor<128x64xf16>) -> tensor<128x64xf16>
  %empty = tensor.empty() : tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x64xf16>) outs(%none : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// $ raddle run %s --function=quantize --input=2x4xf32=0.5,1.5,2.5,1000,-0.5,-3,7,-1000 --input=2xf32=1,2 --input=2xi8=0,-3 --expected_output=2x4xi8=0,2,2,127,-3,-5,1,-128 | grep correct
// correct: all 8 elements equal the expected output bit for bit

// $ raddle run %s --function=quantize --target=x86-64-v4 --input=2x4xf32=0.5,1.5,2.5,1000,-0.5,-3,7,-1000 --input=2xf32=1,2 --input=2xi8=0,-3 --expected_output=2x4xi8=0,2,2,127,-3,-5,1,-128 | grep correct
// correct: all 8 elements equal the expected output bit for bit

// $ raddle run %s --function=unsigned --input=3xf32=-1,0.1,300 --input=f32=0.5 --input=i64=200 --expected_output=3xi8=-58,-56,-1 | grep correct
// correct: all 3 elements equal the expected output bit for bit

// $ raddle run %s --function=dequantize --input=2x2xi8=-128,127,0,1 --input=f16=0.5 --input=i8=-56 --expected_output=2x2xf32=-36,-100,-36.5,-99.5 | grep correct
// correct: all 4 elements equal the expected output bit for bit

// $ raddle run %s --function=product | grep correct
// correct: all 4096 elements agree with the reference within 6.39e-1 + 2.38e-7·|expected| (215 bit for bit)

// $ raddle build %s --function=product --emit=ptx | grep -c mma.sync
// 8

// $ raddle opt %s
// #map = affine_map<(d0, d1) -> (d0, d1)>
// #map1 = affine_map<(d0, d1) -> (d0)>
// #map2 = affine_map<(d0) -> (d0)>
// #map3 = affine_map<(d0) -> ()>
// #map4 = affine_map<(d0, d1) -> ()>
// #map5 = affine_map<(d0, d1) -> (d1, d0)>
// #map6 = affine_map<(d0, d1) -> (d1)>
// module {
//   func.func @quantize(%arg0: tensor<2x4xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xi8>) -> tensor<2x4xi8> {
//     %0 = tensor.empty() : tensor<2x4xi8>
//     %1 = iree_linalg_ext.quantize_affine <indexing_maps = [#map, #map1, #map1, #map], quant_min = -128, quant_max = 127> ins(%arg0, %arg1, %arg2 : tensor<2x4xf32>, tensor<2xf32>, tensor<2xi8>) outs(%0 : tensor<2x4xi8>) -> tensor<2x4xi8>
//     return %1 : tensor<2x4xi8>
//   }
//   func.func @unsigned(%arg0: tensor<3xf32>, %arg1: f32, %arg2: i64) -> tensor<3xi8> {
//     %0 = tensor.empty() : tensor<3xi8>
//     %1 = iree_linalg_ext.quantize_affine <indexing_maps = [#map2, #map3, #map3, #map2], quant_min = 0, quant_max = 255, storage_unsigned> ins(%arg0, %arg1, %arg2 : tensor<3xf32>, f32, i64) outs(%0 : tensor<3xi8>) -> tensor<3xi8>
//     return %1 : tensor<3xi8>
//   }
//   func.func @dequantize(%arg0: tensor<2x2xi8>, %arg1: f16, %arg2: i8) -> tensor<2x2xf32> {
//     %0 = tensor.empty() : tensor<2x2xf32>
//     %1 = iree_linalg_ext.dequantize_affine <indexing_maps = [#map, #map4, #map4, #map5], quant_min = 0, quant_max = 255, input_unsigned, zp_unsigned> ins(%arg0, %arg1, %arg2 : tensor<2x2xi8>, f16, i8) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
//     return %1 : tensor<2x2xf32>
//   }
//   func.func @product(%arg0: tensor<64x128xf16>, %arg1: tensor<128x64xi8>, %arg2: tensor<64xf16>) -> tensor<64x64xf32> {
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = tensor.empty() : tensor<128x64xf16>
//     %1 = iree_linalg_ext.dequantize_affine <indexing_maps = [#map, #map6, #map], quant_min = -128, quant_max = 127> ins(%arg1, %arg2 : tensor<128x64xi8>, tensor<64xf16>) outs(%0 : tensor<128x64xf16>) -> tensor<128x64xf16>
//     %2 = tensor.empty() : tensor<64x64xf32>
//     %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<64x64xf32>) -> tensor<64x64xf32>
//     %4 = linalg.matmul ins(%arg0, %1 : tensor<64x128xf16>, tensor<128x64xf16>) outs(%3 : tensor<64x64xf32>) -> tensor<64x64xf32>
//     return %4 : tensor<64x64xf32>
//   }
// }
