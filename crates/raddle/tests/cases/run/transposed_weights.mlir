// The weights of a layer as PyTorch has them: transposed, and repeated along a batch. The product reads them where they
// lie, and copies run ahead on a GPU.

// RUN: raddle build %s --function=layer --emit=ptx | grep -c 'cp.async.wait_group'
// RUN: raddle build %s --function=short_matrices --emit=ptx | grep -c 'mma.sync'
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --target=x86-64-v4

func.func @layer(%x: tensor<1x64x256xf16>, %w: tensor<128x256xf16>) -> tensor<1x64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<256x128xf16>
  %transposed = linalg.transpose ins(%w : tensor<128x256xf16>) outs(%e0 : tensor<256x128xf16>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<1x256x128xf16>
  %repeated = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<256x128xf16>) outs(%e1 : tensor<1x256x128xf16>) {
  ^bb0(%in: f16, %out: f16):
    linalg.yield %in : f16
  } -> tensor<1x256x128xf16>
  %e2 = tensor.empty() : tensor<1x64x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  %y = linalg.batch_matmul ins(%x, %repeated : tensor<1x64x256xf16>, tensor<1x256x128xf16>) outs(%none : tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
  return %y : tensor<1x64x128xf32>
}

// Many short matrices times the same one: instructions go along the batch.
func.func @short_matrices(%x: tensor<40x4x64xf16>, %w: tensor<64x32xf16>) -> tensor<40x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<40x64x32xf16>
  %repeated = linalg.broadcast ins(%w : tensor<64x32xf16>) outs(%e0 : tensor<40x64x32xf16>) dimensions = [0]
  %e1 = tensor.empty() : tensor<40x4x32xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e1 : tensor<40x4x32xf32>) -> tensor<40x4x32xf32>
  %y = linalg.batch_matmul ins(%x, %repeated : tensor<40x4x64xf16>, tensor<40x64x32xf16>) outs(%none : tensor<40x4x32xf32>) -> tensor<40x4x32xf32>
  return %y : tensor<40x4x32xf32>
}

// A factor that is repeated along columns stays: no other factor has these.
func.func @repeated_columns(%x: tensor<64x32xf32>, %v: tensor<32xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x16xf32>
  %w = linalg.broadcast ins(%v : tensor<32xf32>) outs(%e0 : tensor<32x16xf32>) dimensions = [1]
  %e1 = tensor.empty() : tensor<64x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x16xf32>) outs(%none : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// The left factor is transposed, of open extents, and each batch has the same right one.
func.func @open(%x: tensor<?x32x?xf32>, %w: tensor<32x40xf32>) -> tensor<?x?x40xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b = tensor.dim %x, %c0 : tensor<?x32x?xf32>
  %m = tensor.dim %x, %c2 : tensor<?x32x?xf32>
  %e0 = tensor.empty(%b, %m) : tensor<?x?x32xf32>
  %transposed = linalg.transpose ins(%x : tensor<?x32x?xf32>) outs(%e0 : tensor<?x?x32xf32>) permutation = [0, 2, 1]
  %e1 = tensor.empty(%b) : tensor<?x32x40xf32>
  %repeated = linalg.broadcast ins(%w : tensor<32x40xf32>) outs(%e1 : tensor<?x32x40xf32>) dimensions = [0]
  %e2 = tensor.empty(%b, %m) : tensor<?x?x40xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x?x40xf32>) -> tensor<?x?x40xf32>
  %y = linalg.batch_matmul ins(%transposed, %repeated : tensor<?x?x32xf32>, tensor<?x32x40xf32>) outs(%none : tensor<?x?x40xf32>) -> tensor<?x?x40xf32>
  return %y : tensor<?x?x40xf32>
}

// $ raddle build %s --function=layer --emit=ptx | grep -c 'cp.async.wait_group'
// 4

// $ raddle build %s --function=short_matrices --emit=ptx | grep -c 'mma.sync'
// 4

// $ raddle run %s --all
// ok       @layer
// ok       @short_matrices
// ok       @repeated_columns
// ok       @open
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @layer
// ok       @short_matrices
// ok       @repeated_columns
// ok       @open
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @layer
// ok       @short_matrices
// ok       @repeated_columns
// ok       @open
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
