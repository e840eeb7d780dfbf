// Dimensions that change places take their strides with them.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: memref<4x8xf32>) {
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
