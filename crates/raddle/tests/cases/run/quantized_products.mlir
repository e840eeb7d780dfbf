// Products of two dequantized factors multiply the integers, with their zero points, and scale the sums, as IREE does.

// RUN: raddle run %s --function=transposed --input=2x3xi8=-128,5,7,1,2,3 --input=2x3xi8=127,-3,4,-128,0,9 --input=2xf32=0.25,2 --input=2xi8=-3,100 --input=2x2xf32=1,2,3,4 --expected_output=2x2xf32=-2072.875,28049,21.875,-697 | grep correct
// RUN: raddle run %s --function=groups --input=1x2x2x2xi8=-128,5,7,1,2,127,-100,9 --input=4x1x2x2xi8=1,2,3,4,-5,-6,-7,-8,127,-128,0,1,-1,2,-2,3 --input=4xf32=0.25,2,1,4 --expected_output=1x2x2x2x2xf32=42,39.375,113.375,51,-644,-735,-2047,-1232,113.5,0,-7996.5,14414.5,954,-908,1358,-890 | grep correct
// RUN: raddle run %s --function=columns | grep correct
// RUN: raddle build %s --function=columns | grep -c s32.s8.s8.s32
// RUN: raddle run %s --function=image | grep correct
// RUN: raddle build %s --function=image | grep -c s32.s8.s8.s32
// RUN: raddle build %s --function=image --target=gfx942 | grep -c mfma.i32
// RUN: raddle run %s --function=stated | grep correct
// RUN: raddle build %s --function=stated | grep -c .entry
// RUN: raddle build %s --function=along_sums | grep -c s32.s8.s8.s32

#whole = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
#rows = affine_map<(i, j) -> (i)>
#columns = affine_map<(i, j) -> (j)>

// Bytes without a sign, which are less 128 in a matrix instruction, and a scale for each column.
func.func @columns(%p: tensor<32x64xi8>, %q: tensor<64x16xi8>, %t: tensor<16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %s = arith.constant 0.5 : f32
  %z = arith.constant 130 : i64
  %ex = tensor.empty() : tensor<32x64xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #none, #none, #whole], quant_min = 0, quant_max = 255, input_unsigned> ins(%p, %s, %z : tensor<32x64xi8>, f32, i64) outs(%ex : tensor<32x64xf32>) -> tensor<32x64xf32>
  %ew = tensor.empty() : tensor<64x16xf32>
  %w = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #columns, #whole], quant_min = -128, quant_max = 127> ins(%q, %t : tensor<64x16xi8>, tensor<16xf32>) outs(%ew : tensor<64x16xf32>) -> tensor<64x16xf32>
  %ey = tensor.empty() : tensor<32x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<32x16xf32>) -> tensor<32x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x16xf32>) outs(%init : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %y : tensor<32x16xf32>
}

// Weights that are transposed have a scale and a zero point for each of their rows, which are columns then.
func.func @transposed(%p: tensor<2x3xi8>, %q: tensor<2x3xi8>, %t: tensor<2xf32>, %z: tensor<2xi8>, %init: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %s = arith.constant 0.5 : f32
  %ex = tensor.empty() : tensor<2x3xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #none, #whole], quant_min = -128, quant_max = 127> ins(%p, %s : tensor<2x3xi8>, f32) outs(%ex : tensor<2x3xf32>) -> tensor<2x3xf32>
  %w = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #rows, #rows, #whole], quant_min = -128, quant_max = 127> ins(%q, %t, %z : tensor<2x3xi8>, tensor<2xf32>, tensor<2xi8>) outs(%ex : tensor<2x3xf32>) -> tensor<2x3xf32>
  %ew = tensor.empty() : tensor<3x2xf32>
  %wt = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%ew : tensor<3x2xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %wt : tensor<2x3xf32>, tensor<3x2xf32>) outs(%init : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// Two groups of channels: what is padded is the zero point, and the scale of a filter is found through the reshape.
func.func @groups(%p: tensor<1x2x2x2xi8>, %q: tensor<4x1x2x2xi8>, %t: tensor<4xf32>) -> tensor<1x2x2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %s = arith.constant 0.5 : f32
  %z = arith.constant -100 : i64
  %ex = tensor.empty() : tensor<1x2x2x2xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> (n, c, h, w)>], quant_min = -128, quant_max = 127> ins(%p, %s, %z : tensor<1x2x2x2xi8>, f32, i64) outs(%ex : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %padded = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x2x2xf32> to tensor<1x2x3x3xf32>
  %image = tensor.expand_shape %padded [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 3, 3] : tensor<1x2x3x3xf32> into tensor<1x2x1x3x3xf32>
  %ef = tensor.empty() : tensor<4x1x2x2xf32>
  %f = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(o, c, h, w) -> (o, c, h, w)>, affine_map<(o, c, h, w) -> (o)>, affine_map<(o, c, h, w) -> (o, c, h, w)>], quant_min = -128, quant_max = 127> ins(%q, %t : tensor<4x1x2x2xi8>, tensor<4xf32>) outs(%ef : tensor<4x1x2x2xf32>) -> tensor<4x1x2x2xf32>
  %filters = tensor.expand_shape %f [[0, 1], [2], [3], [4]] output_shape [2, 2, 1, 2, 2] : tensor<4x1x2x2xf32> into tensor<2x2x1x2x2xf32>
  %ey = tensor.empty() : tensor<1x2x2x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  %y = linalg.conv_2d_ngchw_gfchw ins(%image, %filters : tensor<1x2x1x3x3xf32>, tensor<2x2x1x2x2xf32>) outs(%init : tensor<1x2x2x2x2xf32>) -> tensor<1x2x2x2x2xf32>
  return %y : tensor<1x2x2x2x2xf32>
}

// A convolution of some size, whose zero point is no reason to do without matrix instructions.
func.func @image(%p: tensor<1x32x24x24xi8>, %q: tensor<32x32x3x3xi8>, %t: tensor<32xf32>) -> tensor<1x32x22x22xf32> {
  %zero = arith.constant 0.0 : f32
  %s = arith.constant 0.5 : f32
  %z = arith.constant -128 : i64
  %ex = tensor.empty() : tensor<1x32x24x24xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> ()>, affine_map<(n, c, h, w) -> (n, c, h, w)>], quant_min = -128, quant_max = 127> ins(%p, %s, %z : tensor<1x32x24x24xi8>, f32, i64) outs(%ex : tensor<1x32x24x24xf32>) -> tensor<1x32x24x24xf32>
  %ef = tensor.empty() : tensor<32x32x3x3xf32>
  %f = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(o, c, h, w) -> (o, c, h, w)>, affine_map<(o, c, h, w) -> (o)>, affine_map<(o, c, h, w) -> (o, c, h, w)>], quant_min = -128, quant_max = 127> ins(%q, %t : tensor<32x32x3x3xi8>, tensor<32xf32>) outs(%ef : tensor<32x32x3x3xf32>) -> tensor<32x32x3x3xf32>
  %ey = tensor.empty() : tensor<1x32x22x22xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<1x32x22x22xf32>) -> tensor<1x32x22x22xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %f : tensor<1x32x24x24xf32>, tensor<32x32x3x3xf32>) outs(%init : tensor<1x32x22x22xf32>) -> tensor<1x32x22x22xf32>
  return %y : tensor<1x32x22x22xf32>
}

// A scale that differs along the sums is part of each product: this one stays one of floats.
func.func @along_sums(%p: tensor<16x16xi8>, %s: tensor<16xf32>, %q: tensor<16x16xi8>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %t = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #columns, #whole], quant_min = -128, quant_max = 127> ins(%p, %s : tensor<16x16xi8>, tensor<16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %w = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #none, #whole], quant_min = -128, quant_max = 127> ins(%q, %t : tensor<16x16xi8>, f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%init : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// The sums of weights that the program states are no work of a kernel.
func.func @stated(%p: tensor<32x32xi8>) -> tensor<32x8xf32> {
  %q = arith.constant dense<"0x7983C1F30824D2F23F4FDE6C45D34168A48C1507DDC0D689D15473C91F4D1F74FA226267E734804305C00F477F7C1DFBBFF617B94B8AEC46B92952F86B844A1D6C9F74C65C9CC5EA6D0AB787DF755E0F75A4C5DA3797CD4258D79482AC82FBC00D258BD111AEC2C9DF318ECD5B307A1438DAAADCD7E04F789E46EB01D6A540B869D5FF487837B1A3D8CEFAF6E5260A7B58E5CC6C9396E4067DAC73EBF3D376E212A9443EADC4E336DFD45010C5D3752A2560C15108B0BE2D8F658001A2438D6B9C1B5DA2C46106B981A7286EE2DE50A115CF4457F78BDF32C2FF133E25414F12E541EBC32CB2C6202160116B7AAA9274389674D6B2B9925D4872925E251C0B34"> : tensor<8x32xi8>
  %zero = arith.constant 0.0 : f32
  %s = arith.constant 0.5 : f32
  %z = arith.constant -3 : i64
  %ex = tensor.empty() : tensor<32x32xf32>
  %x = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #none, #none, #whole], quant_min = -128, quant_max = 127> ins(%p, %s, %z : tensor<32x32xi8>, f32, i64) outs(%ex : tensor<32x32xf32>) -> tensor<32x32xf32>
  %er = tensor.empty() : tensor<8x32xf32>
  %w = iree_linalg_ext.dequantize_affine <indexing_maps = [#whole, #none, #whole], quant_min = -128, quant_max = 127> ins(%q, %s : tensor<8x32xi8>, f32) outs(%er : tensor<8x32xf32>) -> tensor<8x32xf32>
  %ew = tensor.empty() : tensor<32x8xf32>
  %wt = linalg.transpose ins(%w : tensor<8x32xf32>) outs(%ew : tensor<32x8xf32>) permutation = [1, 0]
  %ey = tensor.empty() : tensor<32x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%ey : tensor<32x8xf32>) -> tensor<32x8xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<32x32xf32>, tensor<32x8xf32>) outs(%init : tensor<32x8xf32>) -> tensor<32x8xf32>
  return %y : tensor<32x8xf32>
}

// $ raddle run %s --function=transposed --input=2x3xi8=-128,5,7,1,2,3 --input=2x3xi8=127,-3,4,-128,0,9 --input=2xf32=0.25,2 --input=2xi8=-3,100 --input=2x2xf32=1,2,3,4 --expected_output=2x2xf32=-2072.875,28049,21.875,-697 | grep correct
// correct: all 4 elements equal the expected output bit for bit

// $ raddle run %s --function=groups --input=1x2x2x2xi8=-128,5,7,1,2,127,-100,9 --input=4x1x2x2xi8=1,2,3,4,-5,-6,-7,-8,127,-128,0,1,-1,2,-2,3 --input=4xf32=0.25,2,1,4 --expected_output=1x2x2x2x2xf32=42,39.375,113.375,51,-644,-735,-2047,-1232,113.5,0,-7996.5,14414.5,954,-908,1358,-890 | grep correct
// correct: all 16 elements equal the expected output bit for bit

// $ raddle run %s --function=columns | grep correct
// correct: all 512 elements equal the reference bit for bit

// $ raddle build %s --function=columns | grep -c s32.s8.s8.s32
// 2

// $ raddle run %s --function=image | grep correct
// correct: all 15488 elements equal the reference bit for bit

// $ raddle build %s --function=image | grep -c s32.s8.s8.s32
// 8

// $ raddle build %s --function=image --target=gfx942 | grep -c mfma.i32
// 11

// $ raddle run %s --function=stated | grep correct
// correct: all 256 elements equal the reference bit for bit

// $ raddle build %s --function=stated | grep -c .entry
// 1

// $ raddle build %s --function=along_sums | grep -c s32.s8.s8.s32
// 0
