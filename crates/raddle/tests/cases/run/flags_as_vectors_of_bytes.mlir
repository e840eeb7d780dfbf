// On a CPU, tensors of flags and of integers of four bits are moved as vectors of bytes, also where they end.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep -e 'memref<99xi1>' -e 'xi4>, vector'
// RUN: raddle build %s --target=x86-64-v4 --emit=llvm -o - | grep -e 'load <16 x i8>' -e 'store <16 x i8>'
func.func @selection(%a0: tensor<3x33xi1>, %a1: tensor<3x33xf32>, %a2: tensor<3x33xf32>) -> tensor<3x33xf32> {
  %e = tensor.empty() : tensor<3x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1, %a2 : tensor<3x33xi1>, tensor<3x33xf32>, tensor<3x33xf32>) outs(%e : tensor<3x33xf32>) {
  ^bb0(%x0: i1, %x1: f32, %x2: f32, %o: f32):
    %v = arith.select %x0, %x1, %x2 : f32
    linalg.yield %v : f32
  } -> tensor<3x33xf32>
  return %r : tensor<3x33xf32>
}
func.func @comparison(%a0: tensor<3x70xf32>, %a1: tensor<3x70xf32>) -> tensor<3x70xi1> {
  %e = tensor.empty() : tensor<3x70xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<3x70xf32>, tensor<3x70xf32>) outs(%e : tensor<3x70xi1>) {
  ^bb0(%x0: f32, %x1: f32, %o: i1):
    %v = arith.cmpf olt, %x0, %x1 : f32
    linalg.yield %v : i1
  } -> tensor<3x70xi1>
  return %r : tensor<3x70xi1>
}
func.func @nibbles(%a0: tensor<3x70xi4>) -> tensor<3x70xf32> {
  %e = tensor.empty() : tensor<3x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<3x70xi4>) outs(%e : tensor<3x70xf32>) {
  ^bb0(%x0: i4, %o: f32):
    %v = arith.sitofp %x0 : i4 to f32
    linalg.yield %v : f32
  } -> tensor<3x70xf32>
  return %r : tensor<3x70xf32>
}
func.func @to_nibbles(%a0: tensor<3x70xi32>) -> tensor<3x70xi4> {
  %e = tensor.empty() : tensor<3x70xi4>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<3x70xi32>) outs(%e : tensor<3x70xi4>) {
  ^bb0(%x0: i32, %o: i4):
    %v = arith.trunci %x0 : i32 to i4
    linalg.yield %v : i4
  } -> tensor<3x70xi4>
  return %r : tensor<3x70xi4>
}
func.func @open(%a: tensor<?xi1>, %b: tensor<?xi1>) -> tensor<?xi1> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %a, %zero : tensor<?xi1>
  %e = tensor.empty(%n) : tensor<?xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xi1>, tensor<?xi1>) outs(%e : tensor<?xi1>) {
  ^bb0(%x: i1, %y: i1, %o: i1):
    %v = arith.xori %x, %y : i1
    linalg.yield %v : i1
  } -> tensor<?xi1>
  return %r : tensor<?xi1>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @selection
// ok       @comparison
// ok       @nibbles
// ok       @to_nibbles
// ok       @open
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @selection
// ok       @comparison
// ok       @nibbles
// ok       @to_nibbles
// ok       @open
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep -e 'memref<99xi1>' -e 'xi4>, vector'
//   func.func @selection(%arg0: memref<99xi1>, %arg1: memref<99xf32>, %arg2: memref<99xf32>, %arg3: memref<99xf32>) attributes {gpu.known_grid_size = array<i32: 3, 1, 1>, translation_info = #translation} {
//     %1 = vector.load %arg0[%0] : memref<99xi1>, vector<16xi1>
//     %3 = vector.load %arg0[%2] : memref<99xi1>, vector<16xi1>
//     %5 = memref.load %arg0[%4] : memref<99xi1>
//     %3 = vector.load %arg0[%2] : memref<210xi4>, vector<16xi4>
//     %9 = vector.maskedload %arg0[%8], %7, %cst : memref<210xi4>, vector<16xi1>, vector<16xi4> into vector<16xi4>
//     %14 = vector.maskedload %arg0[%13], %12, %cst : memref<210xi4>, vector<16xi1>, vector<16xi4> into vector<16xi4>
//     vector.store %15, %arg1[%2] : memref<210xi4>, vector<16xi4>
//     vector.maskedstore %arg1[%8], %7, %16 : memref<210xi4>, vector<16xi1>, vector<16xi4>
//     vector.maskedstore %arg1[%13], %12, %17 : memref<210xi4>, vector<16xi1>, vector<16xi4>

// $ raddle build %s --target=x86-64-v4 --emit=llvm -o - | grep -e 'load <16 x i8>' -e 'store <16 x i8>'
//   %v9 = load <16 x i8>, ptr addrspace(0) %v8, align 1
//   %v15 = load <16 x i8>, ptr addrspace(0) %v14, align 1
//   store <16 x i8> %v68, ptr addrspace(0) %v67, align 1
//   %v26 = load <16 x i8>, ptr addrspace(0) %v25, align 1
//   store <16 x i8> %v54, ptr addrspace(0) %v53, align 1
// 5 of 5 functions compiled, 0 refused
