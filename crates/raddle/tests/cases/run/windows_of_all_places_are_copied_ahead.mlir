// The windows of all places of an image are read in one loop, by their indices in a copy of the image with its channels last;
// their tiles are copied ahead.
// RUN: raddle opt %s --to=pipelined --target=sm_80 --remarks 2>&1 | grep -e iterations -e transfer_gather
// RUN: raddle run %s --target=sm_80 | grep correct
// RUN: raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --target=gfx942 | grep correct
func.func @strided(%x: tensor<2x64x25x29xf16>, %k: tensor<64x64x3x3xf16>, %b: tensor<64xf16>) -> tensor<2x64x12x14xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x12x14xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x12x14xf32>) -> tensor<2x64x12x14xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<2x64x25x29xf16>, tensor<64x64x3x3xf16>) outs(%i : tensor<2x64x12x14xf32>) -> tensor<2x64x12x14xf32>
  %n = tensor.empty() : tensor<2x64x12x14xf16>
  %y = linalg.generic {
    indexing_maps = [
      affine_map<(n, f, h, w) -> (n, f, h, w)>,
      affine_map<(n, f, h, w) -> (f)>,
      affine_map<(n, f, h, w) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]
  } ins(%c, %b : tensor<2x64x12x14xf32>, tensor<64xf16>) outs(%n : tensor<2x64x12x14xf16>) {
  ^bb0(%s: f32, %t: f16, %o: f16):
    %l = arith.extf %t : f16 to f32
    %m = arith.addf %s, %l : f32
    %r = arith.truncf %m : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x64x12x14xf16>
  return %y : tensor<2x64x12x14xf16>
}

// $ raddle opt %s --to=pipelined --target=sm_80 --remarks 2>&1 | grep -e iterations -e transfer_gather
//     %21 = iree_vector_ext.transfer_gather %arg0[%8, %13, %16, %c0_8] [%12, %15 : vector<16xindex>, vector<16xindex>], %cst_9, %18 {indexing_maps = [#map8, #map9, #map9, #map9], layouts = [#nested7]} : memref<2x25x29x64xf16>, vector<16x64xf16>, vector<16xi1>
//     %37 = iree_vector_ext.transfer_gather %arg0[%24, %29, %32, %c0_8] [%28, %31 : vector<16xindex>, vector<16xindex>], %cst_9, %34 {indexing_maps = [#map8, #map9, #map9, #map9], layouts = [#nested7]} : memref<2x25x29x64xf16>, vector<16x64xf16>, vector<16xi1>
//     %53 = iree_vector_ext.transfer_gather %arg0[%40, %45, %48, %c0_8] [%44, %47 : vector<16xindex>, vector<16xindex>], %cst_9, %50 {indexing_maps = [#map8, #map9, #map9, #map9], layouts = [#nested7]} : memref<2x25x29x64xf16>, vector<16x64xf16>, vector<16xi1>
//       %143 = iree_vector_ext.transfer_gather %arg0[%125, %130, %133, %c0_8] [%129, %132 : vector<16xindex>, vector<16xindex>], %cst_9, %135 {indexing_maps = [#map8, #map9, #map9, #map9], layouts = [#nested7]} : memref<2x25x29x64xf16>, vector<16x64xf16>, vector<16xi1>
// remark[E0403]: copies of this loop's tiles run 3 iterations ahead, through 4 slots

// $ raddle run %s --target=sm_80 | grep correct
// correct: all 21504 elements agree with the reference within 1.89e-1 + 1.95e-3·|expected| (21447 bit for bit)

// $ raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// correct: all 21504 elements agree with the reference within 1.89e-1 + 1.95e-3·|expected| (21447 bit for bit)

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 21504 elements agree with the reference within 1.89e-1 + 1.95e-3·|expected| (21454 bit for bit)
