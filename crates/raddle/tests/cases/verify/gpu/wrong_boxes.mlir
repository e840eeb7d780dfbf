// Boxes of tensors fit their descriptors.
// RUN: raddle check %s --split-input-file
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = swizzle_32b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32, 3>) {
  nvgpu.tma.async.load %d[%n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n, %n, %n, %n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<256xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<256xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<8x32xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<8x32xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<512x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xf32, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<512x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
  return
}

// -----
func.func @f(%n: index, %d: !nvgpu.tensormap.descriptor<tensor = memref<32x8xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %m: memref<32x8xi8, 3>) {
  nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xi8, 3>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'nvgpu.tma.async.load' op the tensormap descriptor must have last dimension of 64 bytes but it is 32 bytes
//   --> verify/gpu/wrong_boxes.mlir:10:3
//    |
// 10 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op number of coordinates do not match with the rank of tensor descriptor map.
//   --> verify/gpu/wrong_boxes.mlir:16:3
//    |
// 16 |   nvgpu.tma.async.load %d[%n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op Maximum 5 coordinates are supported.
//   --> verify/gpu/wrong_boxes.mlir:22:3
//    |
// 22 |   nvgpu.tma.async.load %d[%n, %n, %n, %n, %n, %...ress_space<workgroup>> -> memref<32x8xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op the destination memref has incorrect address space, it must be shared memory address space.
//   --> verify/gpu/wrong_boxes.mlir:28:3
//    |
// 28 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op the shape of tensor map descriptor and memref must have same rank
//   --> verify/gpu/wrong_boxes.mlir:34:3
//    |
// 34 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<256xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op memref and tensor map shapes mismatch 'memref<32x8xf32, 3>' != 'memref<8x32xf32, 3>'
//   --> verify/gpu/wrong_boxes.mlir:40:3
//    |
// 40 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<8x32xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op the tensor map descriptor has incorrect address space, it must be shared memory address space.
//   --> verify/gpu/wrong_boxes.mlir:46:3
//    |
// 46 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xf32>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op the tensor map descriptor must have dimensions between 1 and 256 but it is 512
//   --> verify/gpu/wrong_boxes.mlir:52:3
//    |
// 52 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<512x8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.tma.async.load' op the bytes in the last dimension of the tensor map must be a multiple of 16
//   --> verify/gpu/wrong_boxes.mlir:58:3
//    |
// 58 |   nvgpu.tma.async.load %d[%n, %n], %b[%n] to %m : !nvgpu.tensormap.descriptor<tensor = memref<32x8xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<32x8xi8, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 9 diagnostics
// [exit status 1]
