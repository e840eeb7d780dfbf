// Convolutions and poolings of images whose number, height and width only the run knows read their windows in place, with
// strides that are values.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --function=images --input=3x3x13x15xf32=random --input=6x3x3x3xf32=random --input=3x6x6x7xf32=random --quiet
// RUN: raddle run %s --function=images --input=3x3x13x15xf32=random --input=6x3x3x3xf32=random --input=3x6x6x7xf32=random --device=ptx-emu --quiet
// RUN: raddle run %s --function=images --input=1x3x13x15xf32=random --input=6x3x3x3xf32=random --input=1x6x6x7xf32=random --target=gfx942 --quiet
// RUN: raddle run %s --function=sizes --input=2x9x11x3xf16=random --input=3x3x3x8xf16=random --input=2x7x9x8xf32=random --quiet
// RUN: raddle run %s --function=sizes --input=2x9x11x3xf16=random --input=3x3x3x8xf16=random --input=2x7x9x8xf32=random --device=ptx-emu --quiet
// RUN: raddle run %s --function=sizes --input=1x3x3x3xf16=random --input=3x3x3x8xf16=random --input=1x1x1x8xf32=random --quiet
// RUN: raddle run %s --function=padded --input=2x5x9x11xf32=random --quiet
// RUN: raddle run %s --function=padded --input=2x5x9x11xf32=random --device=ptx-emu --quiet
// RUN: raddle run %s --function=padded --input=1x5x1x1xf32=random --quiet
// RUN: raddle opt %s --to=vector | grep reinterpret_cast
func.func @images(%x: tensor<?x3x13x15xf32>, %k: tensor<6x3x3x3xf32>, %o: tensor<?x6x6x7xf32>) -> tensor<?x6x6x7xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<?x3x13x15xf32>, tensor<6x3x3x3xf32>) outs(%o : tensor<?x6x6x7xf32>) -> tensor<?x6x6x7xf32>
  return %r : tensor<?x6x6x7xf32>
}
func.func @sizes(%x: tensor<?x?x?x3xf16>, %k: tensor<3x3x3x8xf16>, %o: tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %k : tensor<?x?x?x3xf16>, tensor<3x3x3x8xf16>) outs(%o : tensor<?x?x?x8xf32>) -> tensor<?x?x?x8xf32>
  return %r : tensor<?x?x?x8xf32>
}
func.func @padded(%x: tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32> {
  %least = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x5x?x?xf32>
  %h = tensor.dim %x, %c2 : tensor<?x5x?x?xf32>
  %w = tensor.dim %x, %c3 : tensor<?x5x?x?xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : f32
  } : tensor<?x5x?x?xf32> to tensor<?x5x?x?xf32>
  %e = tensor.empty(%n, %h, %w) : tensor<?x5x?x?xf32>
  %o = linalg.fill ins(%least : f32) outs(%e : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %window : tensor<?x5x?x?xf32>, tensor<3x3xf32>) outs(%o : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  return %r : tensor<?x5x?x?xf32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --function=images --input=3x3x13x15xf32=random --input=6x3x3x3xf32=random --input=3x6x6x7xf32=random --quiet
// correct: all 756 elements agree with the reference within 1.83e-5 + 2.38e-7·|expected| (199 bit for bit)

// $ raddle run %s --function=images --input=3x3x13x15xf32=random --input=6x3x3x3xf32=random --input=3x6x6x7xf32=random --device=ptx-emu --quiet
// correct: all 756 elements agree with the reference within 1.83e-5 + 2.38e-7·|expected| (199 bit for bit)

// $ raddle run %s --function=images --input=1x3x13x15xf32=random --input=6x3x3x3xf32=random --input=1x6x6x7xf32=random --target=gfx942 --quiet
// correct: all 252 elements agree with the reference within 1.89e-5 + 2.38e-7·|expected| (54 bit for bit)

// $ raddle run %s --function=sizes --input=2x9x11x3xf16=random --input=3x3x3x8xf16=random --input=2x7x9x8xf32=random --quiet
// correct: all 1008 elements agree with the reference within 2.45e-5 + 2.38e-7·|expected| (369 bit for bit)

// $ raddle run %s --function=sizes --input=2x9x11x3xf16=random --input=3x3x3x8xf16=random --input=2x7x9x8xf32=random --device=ptx-emu --quiet
// correct: all 1008 elements agree with the reference within 2.45e-5 + 2.38e-7·|expected| (369 bit for bit)

// $ raddle run %s --function=sizes --input=1x3x3x3xf16=random --input=3x3x3x8xf16=random --input=1x1x1x8xf32=random --quiet
// correct: all 8 elements agree with the reference within 1.49e-5 + 2.38e-7·|expected| (1 bit for bit)

// $ raddle run %s --function=padded --input=2x5x9x11xf32=random --quiet
// correct: all 990 elements equal the reference bit for bit

// $ raddle run %s --function=padded --input=2x5x9x11xf32=random --device=ptx-emu --quiet
// correct: all 990 elements equal the reference bit for bit

// $ raddle run %s --function=padded --input=1x5x1x1xf32=random --quiet
// correct: all 5 elements equal the reference bit for bit

// $ raddle opt %s --to=vector | grep reinterpret_cast
//     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%dim, 3, 6, 3, 7, 3], strides: [585, 195, 30, 15, 2, 1] : memref<?x3x13x15xf32> to memref<?x3x6x3x7x3xf32, strided<[585, 195, 30, 15, 2, 1]>>
//         %13 = vector.transfer_read %reinterpret_cast[%7, %arg4, %8, %arg6, %c0_13, %c0_14], %cst_15 {in_bounds = [true, true, true, true, false, true], raddle.source = {offset = 0 : i64, places = #map5, sizes = array<i64: -9223372036854775808, 3, 13, 15>, strides = array<i64: 585, 195, 15, 1>}} : memref<?x3x6x3x7x3xf32, strided<[585, 195, 30, 15, 2, 1]>>, vector<1x1x1x1x8x3xf32>
//     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%dim, %dim_2, 3, %dim_4, 3, 3], strides: [%1, %0, %0, 3, 3, 1] : memref<?x?x?x3xf16> to memref<?x?x3x?x3x3xf16, strided<[?, ?, ?, 3, 3, 1]>>
//         %16 = vector.transfer_read %reinterpret_cast[%6, %7, %arg4, %8, %arg6, %c0_24], %cst_25 {permutation_map = #map14} : memref<?x?x3x?x3x3xf16, strided<[?, ?, ?, 3, 3, 1]>>, vector<256x16xf16>
//     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [%4], sizes: [%dim_6, 5, %0, %1], strides: [%3, %2, %dim_10, 1] : memref<?x5x?x?xf32> to memref<?x5x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
//     %dim_12 = memref.dim %reinterpret_cast, %c0_11 : memref<?x5x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
//     %dim_14 = memref.dim %reinterpret_cast, %c2_13 : memref<?x5x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
//     %dim_16 = memref.dim %reinterpret_cast, %c3_15 : memref<?x5x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
//     %reinterpret_cast_17 = memref.reinterpret_cast %arg0 to offset: [%4], sizes: [%dim, 5, %dim_2, 3, %dim_4, 3], strides: [%3, %2, %dim_10, %dim_10, 1, 1] : memref<?x5x?x?xf32> to memref<?x5x?x3x?x3xf32, strided<[?, ?, ?, ?, 1, 1], offset: ?>>
//     %43 = vector.transfer_read %reinterpret_cast_17[%9, %c0_18, %10, %c0_19, %11, %c0_20], %cst_21, %42 {in_bounds = [true, false, true, true, true, true]} : memref<?x5x?x3x?x3xf32, strided<[?, ?, ?, ?, 1, 1], offset: ?>>, vector<1x8x1x3x32x3xf32>
