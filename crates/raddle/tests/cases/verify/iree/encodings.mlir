// Inner tiles come from dimensions of the tensor, and are put together from all that they were taken apart into.
// RUN: raddle check %s --split-input-file
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0, 1]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 2], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0, 1]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 1], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0, 1]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0, 1]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerTileSizes = [6, 4], outerDimsPerm = [0, -1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0, 1]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 4]]], permutation = [2, 0, 2]}}}>>)

// -----
func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], swizzle = {expandShape = [[["Internal", 2], ["CrossThread", 3]], [["Internal", 5]]], permutation = [2, 0, 1]}}}>>)

// $ raddle check %s --split-input-file
// error[E0107]: innerDimsPos index 2 is out of bounds for tensor rank 2
//  --> verify/iree/encodings.mlir:6:38
//   |
// 6 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 2], innerTi...
//   |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: innerDimsPos contains duplicate index 1
//  --> verify/iree/encodings.mlir:9:38
//   |
// 9 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 1], innerTi...
//   |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: innerDimsPos size (1) does not match innerTileSizes size (2)
//   --> verify/iree/encodings.mlir:12:38
//    |
// 12 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1], innerTile...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: outerDimsPerm index -1 is out of bounds for tensor rank 2
//   --> verify/iree/encodings.mlir:15:38
//    |
// 15 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerT...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: swizzle permutation size (2) does not match total expanded dimensions (3)
//   --> verify/iree/encodings.mlir:18:38
//    |
// 18 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerT...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: swizzle permutation is not a valid permutation
//   --> verify/iree/encodings.mlir:21:38
//    |
// 21 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerT...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: swizzle expandShape[1] product (5) does not match innerTileSizes[1] (4)
//   --> verify/iree/encodings.mlir:24:38
//    |
// 24 | func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {encoding_info = {innerDimsPos = [1, 0], innerT...
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
