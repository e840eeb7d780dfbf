// A position may be poison, and a mask is as scalable as its vector.
// RUN: raddle check %s
func.func @f(%arg0: vector<4xf32>) {
  %0 = vector.extract %arg0[-2] : f32 from vector<4xf32>
  return
}

// $ raddle check %s
// error[E0201]: 'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1): it is -2, and the extent is 4
//  --> verify/vector/poison_and_scalable_masks.mlir:4:3
//   |
// 4 |   %0 = vector.extract %arg0[-2] : f32 from vector<4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
