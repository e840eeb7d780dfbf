// The body of a map takes a place in one operand to a place in the other.
// RUN: raddle check %s --split-input-file
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    %m = arith.constant true
    iree_linalg_ext.yield %i, %m : index, i1
  } : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf16>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    %m = arith.constant true
    iree_linalg_ext.yield %i, %m : index, i1
  } : memref<4x5xf32> into memref<20xf16>
  return
}

// -----
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index):
    %m = arith.constant true
    iree_linalg_ext.yield %i, %m : index, i1
  } : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: i32):
    %m = arith.constant true
    iree_linalg_ext.yield %i, %m : index, i1
  } : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    %m = arith.constant true
    iree_linalg_ext.yield %i : index
  } : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    %m = arith.constant true
    iree_linalg_ext.yield %m, %m : i1, i1
  } : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    %m = arith.constant true
    iree_linalg_ext.yield %i, %j : index, index
  } : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @f(%x: memref<20xf32>, %o: memref<4x5xf32>, %p: f32) {
  iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %i, %p : index, f32
  } : memref<20xf32> into memref<4x5xf32>
  return
}

// -----
func.func @f(%x: memref<20xf32>, %o: memref<4x5xf32>, %p: f32) {
  iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index):
    iree_linalg_ext.yield %i, %p : index, f32
  } : memref<20xf32> into memref<4x5xf32>
  return
}

// -----
func.func @f(%x: memref<20xf32>, %o: memref<4x5xf32>, %p: f32) {
  iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %i : index
  } : memref<20xf32> into memref<4x5xf32>
  return
}

// -----
func.func @f(%x: memref<20xf32>, %o: memref<4x5xf32>, %p: f32) {
  iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %i, %j : index, index
  } : memref<20xf32> into memref<4x5xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.map_store' op expected input and output element types to match
//   --> verify/linalg_ext/maps_of_places.mlir:14:3
//    |
// 14 |   iree_linalg_ext.map_store %x into %o {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.map_store' op expected number of block arguments to be equal to the input rank
//   --> verify/linalg_ext/maps_of_places.mlir:24:3
//    |
// 24 |   iree_linalg_ext.map_store %x into %o {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.map_store' op expected block arguments to be index types
//   --> verify/linalg_ext/maps_of_places.mlir:34:3
//    |
// 34 |   iree_linalg_ext.map_store %x into %o {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.yield' op expected transformation_region to yield a value for each output dimension and a mask
//   --> verify/linalg_ext/maps_of_places.mlir:47:5
//    |
// 47 |     iree_linalg_ext.yield %i : index
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.yield' op expected yielded indices to be index types
//   --> verify/linalg_ext/maps_of_places.mlir:57:5
//    |
// 57 |     iree_linalg_ext.yield %m, %m : i1, i1
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.yield' op expected yielded mask to be i1 type
//   --> verify/linalg_ext/maps_of_places.mlir:67:5
//    |
// 67 |     iree_linalg_ext.yield %i, %j : index, index
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.map_load' op expected number of block arguments to be equal to the output rank
//   --> verify/linalg_ext/maps_of_places.mlir:83:3
//    |
// 83 |   iree_linalg_ext.map_load %x into %o {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.yield' op expected transformation_region to yield a value for each source dimension and a padding value
//   --> verify/linalg_ext/maps_of_places.mlir:94:5
//    |
// 94 |     iree_linalg_ext.yield %i : index
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.yield' op expected yielded padding value type to match source element type
//    --> verify/linalg_ext/maps_of_places.mlir:103:5
//     |
// 103 |     iree_linalg_ext.yield %i, %j : index, index
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 9 diagnostics
// [exit status 1]
