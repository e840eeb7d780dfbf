// Copies, memory of a launch, lanes.
// RUN: raddle check %s --split-input-file
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  gpu.memcpy %a, %b : memref<?xf32>, memref<?xi32>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  gpu.memcpy %c, %d : memref<7xf32>, memref<9xf32>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  gpu.memset %a, %i : memref<?xf32>, i32
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.alloc(%n) : memref<?x?xf32>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.alloc()[%n] : memref<2xf32>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.dynamic_shared_memory : memref<?xi8>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.dynamic_shared_memory : memref<1xi8, #gpu.address_space<workgroup>>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.subgroup_reduce add %x cluster(size = 3) : (f32) -> f32
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = gpu.subgroup_reduce add %x cluster(size = 4, stride = 0) : (f32) -> f32
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = "gpu.subgroup_reduce"(%x) {op = #gpu<all_reduce_op add>, cluster_stride = 2 : i32} : (f32) -> f32
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0 = "gpu.subgroup_broadcast"(%x) {broadcast_type = #gpu<broadcast specific_lane>} : (f32) -> f32
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0, %1 = "gpu.rotate"(%x) {offset = 1 : i32, width = 4 : i32} : (f32) -> (i32, i1)
  return
}

// -----
func.func @f(%a: memref<?xf32>, %b: memref<?xi32>, %c: memref<7xf32>, %d: memref<9xf32>, %n: index, %x: f32, %i: i32) {
  %0, %1 = gpu.rotate %x, -1, 4 : f32
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'gpu.memcpy' op arguments have incompatible element type
//  --> verify/gpu/wrong_memory_and_lanes.mlir:4:3
//   |
// 4 |   gpu.memcpy %a, %b : memref<?xf32>, memref<?xi32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.memcpy' op arguments have incompatible shape
//   --> verify/gpu/wrong_memory_and_lanes.mlir:10:3
//    |
// 10 |   gpu.memcpy %c, %d : memref<7xf32>, memref<9xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.memset' op failed to verify that all of {dst, value} have same element type
//   --> verify/gpu/wrong_memory_and_lanes.mlir:16:3
//    |
// 16 |   gpu.memset %a, %i : memref<?xf32>, i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.alloc' op incorrect number of dynamic sizes, has 1, expected 2
//   --> verify/gpu/wrong_memory_and_lanes.mlir:22:3
//    |
// 22 |   %0 = gpu.alloc(%n) : memref<?x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1
//   --> verify/gpu/wrong_memory_and_lanes.mlir:28:3
//    |
// 28 |   %0 = gpu.alloc()[%n] : memref<2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>
//   --> verify/gpu/wrong_memory_and_lanes.mlir:34:3
//    |
// 34 |   %0 = gpu.dynamic_shared_memory : memref<?xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.dynamic_shared_memory' op result memref type must be memref<?xi8, #gpu.address_space<workgroup>>
//   --> verify/gpu/wrong_memory_and_lanes.mlir:40:3
//    |
// 40 |   %0 = gpu.dynamic_shared_memory : memref<1xi8, #gpu.address_space<workgroup>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.dynamic_shared_memory' op result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<?xf32, #gpu.address_space<workgroup>>'
//   --> verify/gpu/wrong_memory_and_lanes.mlir:46:3
//    |
// 46 |   %0 = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_reduce' op cluster size 3 is not a power of two
//   --> verify/gpu/wrong_memory_and_lanes.mlir:52:3
//    |
// 52 |   %0 = gpu.subgroup_reduce add %x cluster(size = 3) : (f32) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_reduce' op cluster stride 0 is not a power of two
//   --> verify/gpu/wrong_memory_and_lanes.mlir:58:3
//    |
// 58 |   %0 = gpu.subgroup_reduce add %x cluster(size = 4, stride = 0) : (f32) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_reduce' op cluster stride can only be specified if cluster size is specified
//   --> verify/gpu/wrong_memory_and_lanes.mlir:64:3
//    |
// 64 |   %0 = "gpu.subgroup_reduce"(%x) {op = #gpu<all_reduce_op add>, cluster_stride = 2 : i32} : (f32) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_broadcast' op lane must be specified for `specific_lane` broadcast
//   --> verify/gpu/wrong_memory_and_lanes.mlir:70:3
//    |
// 70 |   %0 = "gpu.subgroup_broadcast"(%x) {broadcast_type = #gpu<broadcast specific_lane>} : (f32) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.rotate' op failed to verify that all of {value, rotateResult} have same type: result #0 has 'i32', but 'f32' elsewhere
//   --> verify/gpu/wrong_memory_and_lanes.mlir:76:3
//    |
// 76 |   %0, %1 = "gpu.rotate"(%x) {offset = 1 : i32, width = 4 : i32} : (f32) -> (i32, i1)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.rotate' op attribute 'offset' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0
//   --> verify/gpu/wrong_memory_and_lanes.mlir:82:3
//    |
// 82 |   %0, %1 = gpu.rotate %x, -1, 4 : f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 14 diagnostics
// [exit status 1]
