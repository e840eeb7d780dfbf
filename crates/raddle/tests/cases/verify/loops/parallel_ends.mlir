// The end of a parallel loop on tensors only puts parts into what the threads share.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<1xf32>) {
  %0 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %arg0) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %arg1 into %arg0[%arg2] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return
}

// -----
func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<1xf32>) {
  %0 = scf.forall (%arg2) in (4) shared_outs(%arg3 = %arg0) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
      %c0 = arith.constant 0 : index
      tensor.parallel_insert_slice %arg1 into %arg3[%arg2] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'tensor.parallel_insert_slice' op may only insert into an output block argument
//  --> verify/loops/parallel_ends.mlir:6:7
//   |
// 6 |       tensor.parallel_insert_slice %arg1 into %arg0[%arg2] [1] [1] : tensor<1xf32> into tensor<4xf32>
//   |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops
//   --> verify/loops/parallel_ends.mlir:15:5
//    |
// 15 |     scf.forall.in_parallel {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
