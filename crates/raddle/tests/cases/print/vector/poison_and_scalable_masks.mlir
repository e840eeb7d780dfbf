// A position may be poison, and a mask is as scalable as its vector.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: vector<4x2xf32>) {
    %0 = vector.extract %arg0[-1] : vector<2xf32> from vector<4x2xf32>
    return
  }
}

// -----
module {
  func.func @f(%arg0: memref<?x?xf32>, %arg1: index, %arg2: f32, %arg3: vector<4x[8]xi1>) {
    %0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2, %arg3 : memref<?x?xf32>, vector<4x[8]xf32>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
