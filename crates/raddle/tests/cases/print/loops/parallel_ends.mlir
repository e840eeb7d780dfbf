// The end of a parallel loop on tensors only puts parts into what the threads share.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<1xf32>) {
    %0 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %arg0) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %arg1 into %arg3[%arg2] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    }
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
