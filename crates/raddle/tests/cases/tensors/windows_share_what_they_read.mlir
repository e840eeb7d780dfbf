// A thread has several windows of a channel, and reads what they share once, by rows: neighbours that are there or padding
// together by one access, others one by one.
// RUN: raddle opt %s --to=lowered --target=sm_90a | grep arg0[
// RUN: raddle run %s --all --target=sm_90a
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --function=padded --target=gfx942 | grep correct
func.func @padded(%x: tensor<2x3x8x8xf16>, %w: tensor<3x3x3xf16>) -> tensor<2x3x8x8xf32> {
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<2x3x8x8xf16> to tensor<2x3x10x10xf16>
  %empty = tensor.empty() : tensor<2x3x8x8xf32>
  %fill = linalg.fill ins(%none : f32) outs(%empty : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %sums = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %w : tensor<2x3x10x10xf16>, tensor<3x3x3xf16>) outs(%fill : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  return %sums : tensor<2x3x8x8xf32>
}

// Every second window, of odd rows, of channels whose results are transposed.
func.func @strided(%x: tensor<7x15x13xf16>, %w: tensor<7x5x3xf16>) -> tensor<6x6x7xf32> attributes {translation_info =
    #iree_codegen.translation_info<pipeline = LLVMGPUVectorDistribute workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %none = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<7x6x6xf32>
  %fill = linalg.fill ins(%none : f32) outs(%empty : tensor<7x6x6xf32>) -> tensor<7x6x6xf32>
  %sums = linalg.generic {
    indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h * 2 + i, w * 2 + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>,
      affine_map<(c, h, w, i, j) -> (c, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
    ins(%x, %w : tensor<7x15x13xf16>, tensor<7x5x3xf16>) outs(%fill : tensor<7x6x6xf32>)
    attrs = {lowering_config = #iree_gpu.lowering_config<{workgroup = [4, 8, 8, 0, 0], partial_reduction = [0, 0, 0, 5, 3],
      thread = [1, 4, 2, 1, 1], lane_basis = [[4, 2, 4, 1, 1], [0, 1, 2, 3, 4]],
      subgroup_basis = [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]]}>} {
  ^bb0(%a: f16, %b: f16, %sum: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<7x6x6xf32>
  %last = tensor.empty() : tensor<6x6x7xf32>
  %out = linalg.transpose ins(%sums : tensor<7x6x6xf32>) outs(%last : tensor<6x6x7xf32>) permutation = [1, 2, 0]
  return %out : tensor<6x6x7xf32>
}

// $ raddle opt %s --to=lowered --target=sm_90a | grep arg0[
//       %123 = memref.load %arg0[%11] : memref<384xf16>
//       %123 = vector.load %arg0[%18] : memref<384xf16>, vector<4xf16>
//       %123 = memref.load %arg0[%20] : memref<384xf16>
//       %123 = memref.load %arg0[%25] : memref<384xf16>
//     %27 = vector.load %arg0[%10] : memref<384xf16>, vector<4xf16>
//       %123 = memref.load %arg0[%29] : memref<384xf16>
//       %123 = memref.load %arg0[%31] : memref<384xf16>
//       %123 = vector.load %arg0[%37] : memref<384xf16>, vector<4xf16>
//       %123 = memref.load %arg0[%39] : memref<384xf16>
//       %417 = memref.load %arg0[%12] : memref<1365xf16>
//       %417 = memref.load %arg0[%20] : memref<1365xf16>
//       %417 = memref.load %arg0[%25] : memref<1365xf16>
//       %417 = memref.load %arg0[%30] : memref<1365xf16>
//       %417 = memref.load %arg0[%35] : memref<1365xf16>
//       %417 = memref.load %arg0[%37] : memref<1365xf16>
//       %417 = memref.load %arg0[%39] : memref<1365xf16>
//       %417 = memref.load %arg0[%41] : memref<1365xf16>
//       %417 = memref.load %arg0[%43] : memref<1365xf16>
//       %417 = memref.load %arg0[%45] : memref<1365xf16>
//       %417 = memref.load %arg0[%47] : memref<1365xf16>
//       %417 = memref.load %arg0[%49] : memref<1365xf16>
//       %417 = memref.load %arg0[%51] : memref<1365xf16>
//       %417 = memref.load %arg0[%53] : memref<1365xf16>
//       %417 = memref.load %arg0[%55] : memref<1365xf16>
//       %417 = memref.load %arg0[%57] : memref<1365xf16>
//       %417 = memref.load %arg0[%59] : memref<1365xf16>
//       %417 = memref.load %arg0[%61] : memref<1365xf16>
//       %417 = memref.load %arg0[%63] : memref<1365xf16>
//       %417 = memref.load %arg0[%65] : memref<1365xf16>
//       %417 = memref.load %arg0[%67] : memref<1365xf16>
//       %417 = memref.load %arg0[%69] : memref<1365xf16>
//       %417 = memref.load %arg0[%71] : memref<1365xf16>
//       %417 = memref.load %arg0[%73] : memref<1365xf16>
//       %417 = memref.load %arg0[%75] : memref<1365xf16>
//       %417 = memref.load %arg0[%77] : memref<1365xf16>
//       %417 = memref.load %arg0[%79] : memref<1365xf16>
//       %417 = memref.load %arg0[%81] : memref<1365xf16>
//       %417 = memref.load %arg0[%83] : memref<1365xf16>
//       %417 = memref.load %arg0[%85] : memref<1365xf16>
//       %417 = memref.load %arg0[%87] : memref<1365xf16>
//       %417 = memref.load %arg0[%89] : memref<1365xf16>
//       %417 = memref.load %arg0[%10] : memref<1365xf16>
//       %417 = memref.load %arg0[%243] : memref<1365xf16>
//       %417 = memref.load %arg0[%245] : memref<1365xf16>
//       %417 = memref.load %arg0[%260] : memref<1365xf16>
//       %417 = memref.load %arg0[%263] : memref<1365xf16>
//       %417 = memref.load %arg0[%266] : memref<1365xf16>
//       %417 = memref.load %arg0[%269] : memref<1365xf16>
//       %417 = memref.load %arg0[%272] : memref<1365xf16>
//       %417 = memref.load %arg0[%11] : memref<1365xf16>
//       %417 = memref.load %arg0[%276] : memref<1365xf16>
//       %417 = memref.load %arg0[%279] : memref<1365xf16>
//       %417 = memref.load %arg0[%282] : memref<1365xf16>
//       %417 = memref.load %arg0[%285] : memref<1365xf16>
//       %417 = memref.load %arg0[%287] : memref<1365xf16>
//       %417 = memref.load %arg0[%290] : memref<1365xf16>
//       %417 = memref.load %arg0[%293] : memref<1365xf16>
//       %417 = memref.load %arg0[%296] : memref<1365xf16>
//       %417 = memref.load %arg0[%299] : memref<1365xf16>
//       %417 = memref.load %arg0[%301] : memref<1365xf16>
//       %417 = memref.load %arg0[%304] : memref<1365xf16>
//       %417 = memref.load %arg0[%307] : memref<1365xf16>
//       %417 = memref.load %arg0[%310] : memref<1365xf16>
//       %417 = memref.load %arg0[%313] : memref<1365xf16>

// $ raddle run %s --all --target=sm_90a
// ok       @padded
// ok       @strided
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @padded
// ok       @strided
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=padded --target=gfx942 | grep correct
// correct: all 384 elements agree with the reference within 1.28e-5 + 2.38e-7·|expected| (271 bit for bit)
