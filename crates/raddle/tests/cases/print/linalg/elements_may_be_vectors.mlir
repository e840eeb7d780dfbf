// Elements may be vectors, and are filled with vectors.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: vector<4xf32>, %arg1: tensor<8xvector<4xf32>>, %arg2: f64, %arg3: tensor<8xf32>) {
    %0 = linalg.fill ins(%arg0 : vector<4xf32>) outs(%arg1 : tensor<8xvector<4xf32>>) -> tensor<8xvector<4xf32>>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
