// Bytes become floats by a permutation and a subtraction, both exact.
// RUN: raddle build %s -o - | grep -c cvt.rn
// RUN: raddle run %s --device=ptx-emu | grep correct
#i = affine_map<(i) -> (i)>
func.func @f(%a: tensor<4096xi8>) -> (tensor<4096xf16>, tensor<4096xf16>, tensor<4096xbf16>, tensor<4096xbf16>, tensor<4096xf32>, tensor<4096xf32>) {
  %h = tensor.empty() : tensor<4096xf16>
  %b = tensor.empty() : tensor<4096xbf16>
  %f = tensor.empty() : tensor<4096xf32>
  %r:6 = linalg.generic {indexing_maps = [#i, #i, #i, #i, #i, #i, #i], iterator_types = ["parallel"]} ins(%a : tensor<4096xi8>) outs(%h, %h, %b, %b, %f, %f : tensor<4096xf16>, tensor<4096xf16>, tensor<4096xbf16>, tensor<4096xbf16>, tensor<4096xf32>, tensor<4096xf32>) {
  ^bb0(%x: i8, %o: f16, %p: f16, %q: bf16, %r: bf16, %s: f32, %t: f32):
    %0 = arith.sitofp %x : i8 to f16
    %1 = arith.uitofp %x : i8 to f16
    %2 = arith.sitofp %x : i8 to bf16
    %3 = arith.uitofp %x : i8 to bf16
    %4 = arith.sitofp %x : i8 to f32
    %5 = arith.uitofp %x : i8 to f32
    linalg.yield %0, %1, %2, %3, %4, %5 : f16, f16, bf16, bf16, f32, f32
  } -> (tensor<4096xf16>, tensor<4096xf16>, tensor<4096xbf16>, tensor<4096xbf16>, tensor<4096xf32>, tensor<4096xf32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<4096xf16>, tensor<4096xf16>, tensor<4096xbf16>, tensor<4096xbf16>, tensor<4096xf32>, tensor<4096xf32>
}

// $ raddle build %s -o - | grep -c cvt.rn
// 0

// $ raddle run %s --device=ptx-emu | grep correct
// correct: result 0, all 4096 elements equal the reference bit for bit
// correct: result 1, all 4096 elements equal the reference bit for bit
// correct: result 2, all 4096 elements equal the reference bit for bit
// correct: result 3, all 4096 elements equal the reference bit for bit
// correct: result 4, all 4096 elements equal the reference bit for bit
// correct: result 5, all 4096 elements equal the reference bit for bit
