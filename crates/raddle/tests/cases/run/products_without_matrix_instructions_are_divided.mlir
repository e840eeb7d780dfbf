// Products without matrix instructions whose tiles are too few for the chip are summed in parts, also of factors that other
// kernels compute: small batches, gradients of weights, few columns.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --all --target=gfx1100
// RUN: raddle opt %s --to=configured --remarks 2>&1 | grep parts
func.func @fw(%x: tensor<32x1000xf32>, %w: tensor<1000x96xf32>, %b: tensor<96xf32>) -> tensor<32x96xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x96xf32>) -> tensor<32x96xf32>
  %c = linalg.matmul ins(%x, %w : tensor<32x1000xf32>, tensor<1000x96xf32>) outs(%f : tensor<32x96xf32>) -> tensor<32x96xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(n)>, affine_map<(m,n)->(m,n)>], iterator_types = ["parallel","parallel"]} ins(%c, %b : tensor<32x96xf32>, tensor<96xf32>) outs(%e : tensor<32x96xf32>) {
  ^bb0(%y: f32, %v: f32, %o: f32):
    %s = arith.addf %y, %v : f32
    %t = arith.constant 0.0 : f32
    %u = arith.maximumf %s, %t : f32
    linalg.yield %u : f32
  } -> tensor<32x96xf32>
  return %r : tensor<32x96xf32>
}

func.func @chain(%x: tensor<2048x64xf32>, %y: tensor<2048x96xf32>) -> tensor<64x96xf32> {
  %z = arith.constant 0.0 : f32
  %ye = tensor.empty() : tensor<2048x96xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(m,n)->(m,n)>, affine_map<(m,n)->(m,n)>], iterator_types = ["parallel","parallel"]} ins(%y : tensor<2048x96xf32>) outs(%ye : tensor<2048x96xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = math.cos %v : f32
    linalg.yield %s : f32
  } -> tensor<2048x96xf32>
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(k,m)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types = ["parallel","parallel","reduction"]} ins(%x, %g : tensor<2048x64xf32>, tensor<2048x96xf32>) outs(%f : tensor<64x96xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x96xf32>
  return %c : tensor<64x96xf32>
}

func.func @few(%x: tensor<3x1500xf32>, %w: tensor<1500x10xf32>) -> tensor<3x10xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x10xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x10xf32>) -> tensor<3x10xf32>
  %c = linalg.matmul ins(%x, %w : tensor<3x1500xf32>, tensor<1500x10xf32>) outs(%f : tensor<3x10xf32>) -> tensor<3x10xf32>
  return %c : tensor<3x10xf32>
}

// Groups, and sums that begin with what is given.
func.func @groups(%x: tensor<2x640x20xf64>, %w: tensor<2x640x12xf64>, %c: tensor<2x20x12xf64>) -> tensor<2x20x12xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(b,m,n,k)->(b,k,m)>, affine_map<(b,m,n,k)->(b,k,n)>, affine_map<(b,m,n,k)->(b,m,n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x640x20xf64>, tensor<2x640x12xf64>) outs(%c : tensor<2x20x12xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %o, %p : f64
    linalg.yield %s : f64
  } -> tensor<2x20x12xf64>
  return %r : tensor<2x20x12xf64>
}

// $ raddle run %s --all
// ok       @fw
// ok       @chain
// ok       @few
// ok       @groups
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @fw
// ok       @chain
// ok       @few
// ok       @groups
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @fw
// ok       @chain
// ok       @few
// ok       @groups
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured --remarks 2>&1 | grep parts
// remark[E0304]: `linalg.matmul` is reduced in 5 parts: it has work for 2 workgroups alone
// remark[E0304]: `linalg.generic` is reduced in 16 parts: it has work for 4 workgroups alone
// remark[E0304]: `linalg.matmul` is reduced in 11 parts: it has work for 1 workgroups alone
// remark[E0304]: `linalg.generic` is reduced in 5 parts: it has work for 4 workgroups alone
