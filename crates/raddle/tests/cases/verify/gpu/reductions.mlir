// A reduction combines what its operation can combine.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: f32, %arg1: i32, %arg2: index) {
  %0 = gpu.subgroup_reduce and %arg0 : (f32) -> f32
  return
}

// -----
func.func @f(%arg0: f32, %arg1: i32, %arg2: index) {
  %0 = gpu.all_reduce maximumf %arg1 {} : (i32) -> i32
  return
}

// -----
func.func @f(%arg0: f32, %arg1: i32, %arg2: index) {
  %0 = gpu.all_reduce %arg1 {} : (i32) -> i32
  return
}

// -----
func.func @f(%arg0: f32, %arg1: i32, %arg2: index) {
  %0, %1 = gpu.rotate %arg0, 16, 16 : f32
  return
}

// -----
func.func @f(%arg0: f32, %arg1: i32, %arg2: index) {
  %0, %1 = gpu.rotate %arg0, 1, 12 : f32
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'gpu.subgroup_reduce' op `and` reduction operation is not compatible with type 'f32'
//  --> verify/gpu/reductions.mlir:4:3
//   |
// 4 |   %0 = gpu.subgroup_reduce and %arg0 : (f32) -> f32
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.all_reduce' op `maximumf` reduction operation is not compatible with type 'i32'
//   --> verify/gpu/reductions.mlir:10:3
//    |
// 10 |   %0 = gpu.all_reduce maximumf %arg1 {} : (i32) -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.all_reduce' op expected either an op attribute or a non-empty body
//   --> verify/gpu/reductions.mlir:16:3
//    |
// 16 |   %0 = gpu.all_reduce %arg1 {} : (i32) -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.rotate' op offset must be in the range [0, 16)
//   --> verify/gpu/reductions.mlir:22:3
//    |
// 22 |   %0, %1 = gpu.rotate %arg0, 16, 16 : f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.rotate' op attribute 'width' failed to satisfy constraint: 32-bit signless integer attribute whose value is a power of two > 0
//   --> verify/gpu/reductions.mlir:28:3
//    |
// 28 |   %0, %1 = gpu.rotate %arg0, 1, 12 : f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
