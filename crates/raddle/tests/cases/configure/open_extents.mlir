// Extents that only the run knows have what is usual standing for them: rows that fill the chip may be short, a batch has some
// images, a side of a product is long. So configurations are those of known extents, but for the pitch of open rows.

// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle opt %s --partition | grep -c func.func
// RUN: raddle opt %s --to=laid_out | grep -c raddle.source
// RUN: raddle run %s --function=softmax --input=9000x37xf16=random | grep correct
// RUN: raddle run %s --function=softmax --input=5x2500xf16=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=depthwise --input=3x16x28x28xf16=random --input=16x3x3xf16=random | grep correct
// RUN: raddle run %s --function=depthwise --input=1x16x28x28xf16=random --input=16x3x3xf16=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=depthwise --input=9x16x28x28xf16=random --input=16x3x3xf16=random --target=gfx942 | grep correct
// RUN: raddle run %s --function=padded --input=3x5x24xf16=random | grep correct
// RUN: raddle run %s --function=padded --input=3x1x24xf16=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=sums_of_f32 --input=70x64xf32=random --input=64x128xf32=random | grep correct

func.func @softmax(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf16>) outs(%e : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

func.func @depthwise(%x: tensor<?x16x28x28xf16>, %w: tensor<16x3x3xf16>) -> tensor<?x16x28x28xf16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %n = tensor.dim %x, %c0 : tensor<?x16x28x28xf16>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f16
  } : tensor<?x16x28x28xf16> to tensor<?x16x30x30xf16>
  %e = tensor.empty(%n) : tensor<?x16x28x28xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<?x16x28x28xf16>) -> tensor<?x16x28x28xf16>
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<?x16x30x30xf16>, tensor<16x3x3xf16>) outs(%f : tensor<?x16x28x28xf16>) -> tensor<?x16x28x28xf16>
  return %r : tensor<?x16x28x28xf16>
}

func.func @padded(%x: tensor<3x?x24xf16>) -> tensor<3x?x24xf16> {
  %z = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f16
  } : tensor<3x?x24xf16> to tensor<3x?x24xf16>
  return %p : tensor<3x?x24xf16>
}

func.func @sums_of_f32(%a: tensor<?x64xf32>, %b: tensor<64x128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x128xf32>) outs(%f : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %r : tensor<?x128xf32>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<?x?xf16>) outs(%2 : tensor<?xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 1024], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 1], workgroup = [1, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%3, %arg1 : tensor<?x16x28x3x28x3xf16>, tensor<16x3x3xf16>) outs(%1 : tensor<?x16x28x28xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 4, 8, 1, 1, 1], [0, 1, 2, 3, 4, 5]], partial_reduction = [0, 0, 0, 0, 3, 3], subgroup_basis = [[1, 2, 1, 1, 1, 1], [0, 1, 2, 3, 4, 5]], thread = [1, 1, 4, 1, 1, 1], workgroup = [1, 8, 32, 1, 0, 0]}>} {
//     %2 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded : tensor<3x?x24xf16>) outs(%1 : tensor<3x?x24xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 8, 4], [0, 1, 2]], subgroup_basis = [[4, 1, 1], [0, 1, 2]], thread = [1, 1, 8], workgroup = [4, 8, 32]}>} {
//     %2 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8, 1], [0, 1, 2]], promote_operands = [0, 1], reduction = [0, 0, 16], subgroup_basis = [[2, 2, 1], [0, 1, 2]], thread = [4, 4, 1], workgroup = [32, 64, 0]}>} ins(%arg0, %arg1 : tensor<?x64xf32>, tensor<64x128xf32>) outs(%1 : tensor<?x128xf32>) -> tensor<?x128xf32>

// $ raddle opt %s --partition | grep -c func.func
// 4

// $ raddle opt %s --to=laid_out | grep -c raddle.source
// 1

// $ raddle run %s --function=softmax --input=9000x37xf16=random | grep correct
// correct: all 333000 elements agree with the reference within 3.25e-4 + 1.95e-3·|expected| (150758 bit for bit)

// $ raddle run %s --function=softmax --input=5x2500xf16=random --device=ptx-emu | grep correct
// correct: all 12500 elements agree with the reference within 5.14e-6 + 1.95e-3·|expected| (4033 bit for bit)

// $ raddle run %s --function=depthwise --input=3x16x28x28xf16=random --input=16x3x3xf16=random | grep correct
// correct: all 37632 elements agree with the reference within 7.19e-2 + 1.95e-3·|expected| (17502 bit for bit)

// $ raddle run %s --function=depthwise --input=1x16x28x28xf16=random --input=16x3x3xf16=random --device=ptx-emu | grep correct
// correct: all 12544 elements agree with the reference within 7.15e-2 + 1.95e-3·|expected| (5836 bit for bit)

// $ raddle run %s --function=depthwise --input=9x16x28x28xf16=random --input=16x3x3xf16=random --target=gfx942 | grep correct
// correct: all 112896 elements agree with the reference within 7.14e-2 + 1.95e-3·|expected| (112872 bit for bit)

// $ raddle run %s --function=padded --input=3x5x24xf16=random | grep correct
// correct: all 576 elements equal the reference bit for bit

// $ raddle run %s --function=padded --input=3x1x24xf16=random --device=ptx-emu | grep correct
// correct: all 288 elements equal the reference bit for bit

// $ raddle run %s --function=sums_of_f32 --input=70x64xf32=random --input=64x128xf32=random | grep correct
// correct: all 8960 elements agree with the reference within 4.12e-5 + 2.38e-7·|expected| (1876 bit for bit)
