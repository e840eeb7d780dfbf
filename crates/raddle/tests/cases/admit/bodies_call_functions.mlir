// The body of a structured operation takes in what it calls. A function that is only declared is the caller's: where
// tensors are computed by it, the host calls it, and in a kernel there is none.
// RUN: raddle run %s --function=inside --quiet
// RUN: raddle build %s --function=outside | grep call
// RUN: raddle run %s --function=outside
// RUN: raddle build %s --function=nowhere
func.func private @twice(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

func.func private @fourfold(%x: f32) -> f32 {
  %y = call @twice(%x) : (f32) -> f32
  %z = call @twice(%y) : (f32) -> f32
  return %z : f32
}

func.func @inside(%a: tensor<16xf32>, %on: i1) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = func.call @fourfold(%x) : (f32) -> f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

func.func private @tensors(tensor<16xf32>) -> tensor<16xf32>
func.func @outside(%a: tensor<16xf32>) -> tensor<16xf32> {
  %0 = call @tensors(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = arith.addf %0, %a : tensor<16xf32>
  return %1 : tensor<16xf32>
}

func.func private @numbers(f32) -> f32
func.func @nowhere(%a: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = func.call @numbers(%x) : (f32) -> f32
    linalg.yield %y : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// $ raddle run %s --function=inside --quiet
// correct: all 16 elements equal the reference bit for bit

// $ raddle build %s --function=outside | grep call
// // several kernels, called in this order:
// //   %0 = call @tensors(%arg0) : (tensor<16xf32>) -> tensor<16xf32>
// //   %1 = call @outside_kernel_0(%0, %arg0) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>

// $ raddle run %s --function=outside
// error[E0801]: the host cannot call `@tensors`, which has no body
//   --> admit/bodies_call_functions.mlir:28:1
//    |
// 28 | func.func private @tensors(tensor<16xf32>) -> tensor<16xf32>
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]

// $ raddle build %s --function=nowhere
// error[E0601]: cannot lower `func.call`
//   --> admit/bodies_call_functions.mlir:40:5
//    |
// 40 |     %y = func.call @numbers(%x) : (f32) -> f32
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: inline the function into the kernel
// [exit status 1]
