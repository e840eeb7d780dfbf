// The weight in f32 is used twice: it is extended in the kernel of its gradient and moment, and goes through no memory.
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle run %s --all --device=ptx-emu
#ij = affine_map<(i, j) -> (i, j)>
func.func @step(%x: tensor<32x64xf16>, %g: tensor<32x48xf16>, %w: tensor<64x48xf16>, %m: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %wide = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x48xf16>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%a: f16, %o: f32):
    %b = arith.extf %a : f16 to f32
    linalg.yield %b : f32
  } -> tensor<64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %g : tensor<32x64xf16>, tensor<32x48xf16>) outs(%z : tensor<64x48xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %p = arith.mulf %wa, %wb : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<64x48xf32>
  %moment = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%m, %d : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %keep = arith.constant 0.75 : f32
    %p = arith.mulf %a, %keep : f32
    %q = arith.addf %p, %b : f32
    linalg.yield %q : f32
  } -> tensor<64x48xf32>
  %decay = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%wide : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = arith.constant 0.125 : f32
    %p = arith.mulf %a, %c : f32
    linalg.yield %p : f32
  } -> tensor<64x48xf32>
  %change = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%moment, %decay : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.addf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<64x48xf32>
  %eh = tensor.empty() : tensor<64x48xf16>
  %new = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%wide, %change : tensor<64x48xf32>, tensor<64x48xf32>) outs(%eh : tensor<64x48xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %rate = arith.constant 0.5 : f32
    %p = arith.mulf %b, %rate : f32
    %q = arith.subf %a, %p : f32
    %h = arith.truncf %q : f32 to f16
    linalg.yield %h : f16
  } -> tensor<64x48xf16>
  return %moment, %new : tensor<64x48xf32>, tensor<64x48xf16>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @step(%arg0: tensor<32x64xf16>, %arg1: tensor<32x48xf16>, %arg2: tensor<64x48xf16>, %arg3: tensor<64x48xf32>) -> (tensor<64x48xf32>, tensor<64x48xf16>) attributes {translation_info = #translation} {

// $ raddle run %s --all --device=ptx-emu
// ok       @step
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
