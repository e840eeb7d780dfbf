// A deallocation gives one flag for each memref that is kept.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: memref<2xf32>, %arg1: memref<*xi8>, %arg2: i1) {
    %0 = bufferization.dealloc (%arg0, %arg1 : memref<2xf32>, memref<*xi8>) if (%arg2, %arg2) retain (%arg0 : memref<2xf32>)
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<2xf32>, %arg1: memref<*xi8>, %arg2: i1) {
    bufferization.dealloc (%arg1 : memref<*xi8>) if (%arg2)
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<2xf32>, %arg1: memref<*xi8>, %arg2: i1) {
    %0:2 = bufferization.dealloc retain (%arg0, %arg1 : memref<2xf32>, memref<*xi8>)
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
