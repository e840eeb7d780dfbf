// Symbols are what the top of a function knows; dimensions are also indices of affine loops and what is made of them.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%arg2)[%arg1]
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %0 = arith.muli %arg1, %arg1 : index
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %0 = affine.linearize_index [%arg2, %arg1] by (8, 8) : index
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %c0 = arith.constant 0 : index
    %0 = memref.dim %arg0, %c0 : memref<8xf32>
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %c0 = arith.constant 0 : index
    %2 = arith.addi %arg1, %c0 : index
    %3 = memref.alloc(%2) : memref<?xf32>
    %0 = memref.dim %3, %c0 : memref<?xf32>
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %0 = arith.muli %arg2, %arg1 : index
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %0 = "my.index"() : () -> index
    %1 = affine.load %arg0[%0] : memref<8xf32>
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    affine.for %arg3 = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%arg2)[%arg2] {
    }
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    affine.if affine_set<()[s0] : (s0 >= 0)>()[%arg2] {
    }
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  affine.for %arg2 = 0 to 8 {
    %0 = affine.apply affine_map<()[s0] -> (s0)>()[%arg2]
  }
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  "my.op"() ({
    %0 = arith.addi %1, %1 : index
    %1 = arith.addi %0, %0 : index
    %2 = affine.load %arg0[%0] : memref<8xf32>
  }) : () -> ()
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  "my.op"() ({
    %0 = memref.cast %1 : memref<?xf32> to memref<?xf32>
    %1 = memref.cast %0 : memref<?xf32> to memref<?xf32>
    %c0 = arith.constant 0 : index
    %2 = memref.dim %0, %c0 : memref<?xf32>
    %3 = affine.load %arg0[%2] : memref<8xf32>
  }) : () -> ()
  return
}

// -----
func.func @f(%arg0: memref<8xf32>, %arg1: index) {
  "my.op"() ({
    %0 = memref.cast %1 : memref<?xf32> to memref<?xf32>
    %1 = "memref.alloc"() : () -> memref<?xf32>
    %c0 = arith.constant 0 : index
    %2 = memref.dim %0, %c0 : memref<?xf32>
    %3 = affine.load %arg0[%2] : memref<8xf32>
  }) : () -> ()
  return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0201]: 'affine.load' op operand cannot be used as a dimension id
//   --> verify/loops/dimensions_and_symbols.mlir:55:5
//    |
// 55 |     %1 = affine.load %arg0[%0] : memref<8xf32>
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: a dimension is a symbol, the index of an affine loop, or what `affine.apply` makes of these
//
// error[E0201]: 'affine.load' op operand cannot be used as a dimension id
//   --> verify/loops/dimensions_and_symbols.mlir:64:5
//    |
// 64 |     %1 = affine.load %arg0[%0] : memref<8xf32>
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: a dimension is a symbol, the index of an affine loop, or what `affine.apply` makes of these
//
// error[E0201]: 'affine.for' op operand cannot be used as a symbol
//   --> verify/loops/dimensions_and_symbols.mlir:72:5
//    |
// 72 |     affine.for %arg3 = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%arg2)[%arg2] {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: a symbol is a constant, a value from the top of the function, or computed from these
//
// error[E0201]: 'affine.if' op operand cannot be used as a symbol
//   --> verify/loops/dimensions_and_symbols.mlir:81:5
//    |
// 81 |     affine.if affine_set<()[s0] : (s0 >= 0)>()[%arg2] {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: a symbol is a constant, a value from the top of the function, or computed from these
//
// error[E0201]: 'affine.apply' op dimensional operand cannot be used as a symbol
//   --> verify/loops/dimensions_and_symbols.mlir:90:5
//    |
// 90 |     %0 = affine.apply affine_map<()[s0] -> (s0)>()[%arg2]
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.load' op operand cannot be used as a dimension id
//    --> verify/loops/dimensions_and_symbols.mlir:100:5
//     |
// 100 |     %2 = affine.load %arg0[%0] : memref<8xf32>
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: a dimension is a symbol, the index of an affine loop, or what `affine.apply` makes of these
//
// error[E0201]: 'affine.load' op operand cannot be used as a dimension id
//    --> verify/loops/dimensions_and_symbols.mlir:112:5
//     |
// 112 |     %3 = affine.load %arg0[%2] : memref<8xf32>
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: a dimension is a symbol, the index of an affine loop, or what `affine.apply` makes of these
//
// error[E0201]: 'memref.alloc' op has no `operandSegmentSizes`
//    --> verify/loops/dimensions_and_symbols.mlir:121:5
//     |
// 121 |     %1 = "memref.alloc"() : () -> memref<?xf32>
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.load' op operand cannot be used as a dimension id
//    --> verify/loops/dimensions_and_symbols.mlir:124:5
//     |
// 124 |     %3 = affine.load %arg0[%2] : memref<8xf32>
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: a dimension is a symbol, the index of an affine loop, or what `affine.apply` makes of these
//
// 9 diagnostics
// [exit status 1]
