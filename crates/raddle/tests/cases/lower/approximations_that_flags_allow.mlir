// `afn` allows an instruction that approximates a function, one by one; powers of an attention that are rounded to 16 bits
// are such.
// RUN: raddle build %s --emit=ptx --target=sm_80 -o - | grep -e approx -e entry
func.func @exponentials(%x: tensor<128xf32>, %y: tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %e = tensor.empty() : tensor<128xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<128xf32>) outs(%e : tensor<128xf32>) {
  ^bb0(%s: f32, %o: f32):
    %z = math.exp2 %s fastmath<afn> : f32
    linalg.yield %z : f32
  } -> tensor<128xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%y : tensor<128xf32>) outs(%e : tensor<128xf32>) {
  ^bb0(%s: f32, %o: f32):
    %z = math.exp2 %s : f32
    linalg.yield %z : f32
  } -> tensor<128xf32>
  return %a, %b : tensor<128xf32>, tensor<128xf32>
}

// $ raddle build %s --emit=ptx --target=sm_80 -o - | grep -e approx -e entry
// .visible .entry exponentials_kernel_0(
//     ex2.approx.ftz.f32 %f4, %f0;
//     ex2.approx.ftz.f32 %f5, %f1;
//     ex2.approx.ftz.f32 %f6, %f2;
//     ex2.approx.ftz.f32 %f7, %f3;
// .visible .entry exponentials_kernel_1(
