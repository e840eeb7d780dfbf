// Kernels take numbers; what else is made of numbers is made around them.
// RUN: raddle run %s | grep -c 'correct:'
// RUN: raddle run %s --target=gfx942 | grep -c 'correct:'
// RUN: raddle build %s | grep -e call -e .param
#id = affine_map<(d) -> (d)>
func.func @f(%x: tensor<100xf32>, %at: tensor<2xf32>, %n: f16) -> (tensor<100xf32>, f32) {
  %one = arith.constant 1 : index
  %s = tensor.extract %at[%one] : tensor<2xf32>
  %w = arith.extf %n : f16 to f32
  %e = tensor.empty() : tensor<100xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %a, %s : f32
    %q = arith.addf %p, %w : f32
    linalg.yield %q : f32
  } -> tensor<100xf32>
  %last = arith.constant 99 : index
  %z = tensor.extract %y[%last] : tensor<100xf32>
  %t = arith.mulf %z, %z : f32
  return %y, %t : tensor<100xf32>, f32
}

// $ raddle run %s | grep -c 'correct:'
// 2

// $ raddle run %s --target=gfx942 | grep -c 'correct:'
// 2

// $ raddle build %s | grep -e call -e .param
// // several kernels, called in this order:
// //   %0 = call @f_kernel_0(%arg0, %extracted, %arg2) : (tensor<100xf32>, f32, f16) -> tensor<100xf32>
//     .param .u64 arg0,
//     .param .f32 arg1,
//     .param .b16 arg2,
//     .param .u64 arg3
//     ld.param.u64 %rd0, [arg0];
//     ld.param.f32 %f0, [arg1];
//     ld.param.b16 %h0, [arg2];
//     ld.param.u64 %rd2, [arg3];
