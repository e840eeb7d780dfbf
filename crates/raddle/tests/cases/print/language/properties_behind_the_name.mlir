// Properties may stand in `<{…}>` behind the name of any operation, and the maps of a named one as they are.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<8xf32>, %i: index, %p: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
  %0 = linalg.matmul  ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = vector.transfer_read %m[%i], %p {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
  %2 = arith.addf %1, %1 fastmath<fast> : vector<4xf32>
  return %0, %2 : tensor<4x4xf32>, vector<4xf32>
}

// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<8xf32>, %i: index, %p: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
  %0 = linalg.matmul <{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}> ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = vector.transfer_read <{in_bounds = [true]}> %m[%i], %p : memref<8xf32>, vector<4xf32>
  %2 = arith.addf <{fastmath = #arith.fastmath<fast>}> %1, %1 : vector<4xf32>
  return %0, %2 : tensor<4x4xf32>, vector<4xf32>
}

// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<8xf32>, %i: index, %p: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
  %0 = linalg.matmul <indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]> ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = vector.transfer_read <{in_bounds = [true]}> %m[%i], %p : memref<8xf32>, vector<4xf32>
  %2 = arith.addf <{fastmath = #arith.fastmath<fast>}> %1, %1 : vector<4xf32>
  return %0, %2 : tensor<4x4xf32>, vector<4xf32>
}

// -----
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<8xf32>, %i: index, %p: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = vector.transfer_read <{in_bounds = [true]}> %m[%i], %p : memref<8xf32>, vector<4xf32>
  %2 = arith.addf <{fastmath = #arith.fastmath<fast>}> %1, %1 : vector<4xf32>
  return %0, %2 : tensor<4x4xf32>, vector<4xf32>
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// module {
//   func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<8xf32>, %arg4: index, %arg5: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
//     %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = vector.transfer_read %arg3[%arg4], %arg5 {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
//     %2 = arith.addf %1, %1 fastmath<fast> : vector<4xf32>
//     return %0, %2 : tensor<4x4xf32>, vector<4xf32>
//   }
// module {
//   func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<8xf32>, %arg4: index, %arg5: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
//     %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = vector.transfer_read %arg3[%arg4], %arg5 {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
//     %2 = arith.addf %1, %1 fastmath<fast> : vector<4xf32>
//     return %0, %2 : tensor<4x4xf32>, vector<4xf32>
//   }
// module {
//   func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<8xf32>, %arg4: index, %arg5: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
//     %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = vector.transfer_read %arg3[%arg4], %arg5 {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
//     %2 = arith.addf %1, %1 fastmath<fast> : vector<4xf32>
//     return %0, %2 : tensor<4x4xf32>, vector<4xf32>
//   }
// module {
//   func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>, %arg3: memref<8xf32>, %arg4: index, %arg5: f32) -> (tensor<4x4xf32>, vector<4xf32>) {
//     %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
//     %1 = vector.transfer_read %arg3[%arg4], %arg5 {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
//     %2 = arith.addf %1, %1 fastmath<fast> : vector<4xf32>
//     return %0, %2 : tensor<4x4xf32>, vector<4xf32>
//   }
