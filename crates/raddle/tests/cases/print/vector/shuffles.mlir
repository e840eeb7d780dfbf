// A shuffle takes slices along the first dimension of two vectors.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: vector<3x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<f32>, %arg3: vector<3x4xf64>) {
    %0 = vector.shuffle %arg0, %arg1 [0, -1, 4] : vector<3x4xf32>, vector<2x4xf32>
    %1 = vector.shuffle %arg2, %arg2 [0, 1] : vector<f32>, vector<f32>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
