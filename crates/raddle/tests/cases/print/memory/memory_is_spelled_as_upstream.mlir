// Scopes, promises and hints about memory read as they print.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>) {
    %0:2 = memref.distinct_objects %arg0, %arg1 : memref<?xf32>, memref<8xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>) {
    %0 = memref.realloc %arg1(%arg2) : memref<8xf32> to memref<?xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>) {
    %0 = memref.realloc %arg0 {alignment = 16 : i64} : memref<?xf32> to memref<12xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>) {
    memref.prefetch %arg3[%arg2, %arg2], write, locality<3>, data : memref<4x?xi8, 1>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>) {
    memref.prefetch %arg1[%arg2], read, locality<0>, instr : memref<8xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>) {
    memref.alloca_scope {
      %alloca = memref.alloca() : memref<4xf32>
    }
    %0 = memref.alloca_scope -> index {
      memref.alloca_scope.return %arg2 : index
    }
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
