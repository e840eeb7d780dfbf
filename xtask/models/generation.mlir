// A decoder step: embedding, RMS norm, rotary embedding, cache update, attention with a mask, logits and argmax.
func.func @embed(%ids: tensor<4xi32>, %table: tensor<100x64xf16>) -> tensor<4x64xf32> {
  %e = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%id: i32, %o: f32):
    %c = arith.constant 100 : i32
    %m = arith.remui %id, %c : i32
    %i = arith.index_cast %m : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<100x64xf16>
    %f = arith.extf %v : f16 to f32
    linalg.yield %f : f32
  } -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}
func.func @rms(%x: tensor<4x64xf32>, %g: tensor<64xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-6 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x64xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %q = arith.mulf %v, %v : f32
    %t = arith.addf %o, %q : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %eo = tensor.empty() : tensor<4x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %g : tensor<4x64xf32>, tensor<4xf32>, tensor<64xf32>) outs(%eo : tensor<4x64xf32>) {
  ^bb0(%v: f32, %q: f32, %w: f32, %o: f32):
    %m = arith.divf %q, %n : f32
    %me = arith.addf %m, %eps : f32
    %rs = math.rsqrt %me : f32
    %a = arith.mulf %v, %rs : f32
    %b = arith.mulf %a, %w : f32
    linalg.yield %b : f32
  } -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}
func.func @rope(%x: tensor<4x8x16xf32>, %pos: tensor<4xi32>) -> tensor<4x8x16xf32> {
  %base = arith.constant -1.1512925 : f32
  %lo = tensor.extract_slice %x[0, 0, 0] [4, 8, 8] [1, 1, 1] : tensor<4x8x16xf32> to tensor<4x8x8xf32>
  %hi = tensor.extract_slice %x[0, 0, 8] [4, 8, 8] [1, 1, 1] : tensor<4x8x16xf32> to tensor<4x8x8xf32>
  %e = tensor.empty() : tensor<4x8x8xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i)>, affine_map<(i, h, d) -> (i, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%lo, %hi, %pos : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>) outs(%e : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %p: i32, %o: f32):
    %d = linalg.index 2 : index
    %di = arith.index_cast %d : index to i32
    %df = arith.sitofp %di : i32 to f32
    %ex = arith.mulf %df, %base : f32
    %fr = math.exp %ex : f32
    %pp = arith.sitofp %p : i32 to f32
    %ang = arith.mulf %pp, %fr : f32
    %c = math.cos %ang : f32
    %s = math.sin %ang : f32
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %y = arith.subf %ac, %bs : f32
    linalg.yield %y : f32
  } -> tensor<4x8x8xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i)>, affine_map<(i, h, d) -> (i, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%lo, %hi, %pos : tensor<4x8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>) outs(%e : tensor<4x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %p: i32, %o: f32):
    %d = linalg.index 2 : index
    %di = arith.index_cast %d : index to i32
    %df = arith.sitofp %di : i32 to f32
    %ex = arith.mulf %df, %base : f32
    %fr = math.exp %ex : f32
    %pp = arith.sitofp %p : i32 to f32
    %ang = arith.mulf %pp, %fr : f32
    %c = math.cos %ang : f32
    %s = math.sin %ang : f32
    %as = arith.mulf %a, %s : f32
    %bc = arith.mulf %b, %c : f32
    %y = arith.addf %as, %bc : f32
    linalg.yield %y : f32
  } -> tensor<4x8x8xf32>
  %cat = tensor.concat dim(2) %r0, %r1 : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x16xf32>
  return %cat : tensor<4x8x16xf32>
}
func.func @cache(%cache: tensor<2x64x16xf16>, %new: tensor<2x1x16xf32>, %at: index) -> tensor<2x64x16xf16> {
  %e = tensor.empty() : tensor<2x1x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%new : tensor<2x1x16xf32>) outs(%e : tensor<2x1x16xf16>) {
  ^bb0(%v: f32, %o: f16):
    %t = arith.truncf %v : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x1x16xf16>
  %r = tensor.insert_slice %h into %cache[0, %at, 0] [2, 1, 16] [1, 1, 1] : tensor<2x1x16xf16> into tensor<2x64x16xf16>
  return %r : tensor<2x64x16xf16>
}
func.func @argmax(%x: tensor<4x100xf32>) -> tensor<4xi32> {
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%z : i32) outs(%ei : tensor<4xi32>) -> tensor<4xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x100xf32>) outs(%f, %fi : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%v: f32, %m: f32, %mi: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %v, %m : f32
    %s = arith.select %c, %v, %m : f32
    %si = arith.select %c, %ji, %mi : i32
    linalg.yield %s, %si : f32, i32
  } -> (tensor<4xf32>, tensor<4xi32>)
  return %r#1 : tensor<4xi32>
}
func.func @attend(%q: tensor<2x4x16x32xf16>, %k: tensor<2x4x?x32xf16>, %v: tensor<2x4x?x32xf16>, %mask: tensor<16x?xf16>) -> tensor<2x4x16x32xf16> {
  %scale = arith.constant 0.17677669529663689 : f16
  %e = tensor.empty() : tensor<2x4x16x32xf16>
  %r = iree_linalg_ext.attention <indexing_maps = [affine_map<(b, h, m, n, k, l) -> (b, h, m, k)>, affine_map<(b, h, m, n, k, l) -> (b, h, l, k)>, affine_map<(b, h, m, n, k, l) -> (b, h, l, n)>, affine_map<(b, h, m, n, k, l) -> ()>, affine_map<(b, h, m, n, k, l) -> (m, l)>, affine_map<(b, h, m, n, k, l) -> (b, h, m, n)>]> ins(%q, %k, %v, %scale, %mask : tensor<2x4x16x32xf16>, tensor<2x4x?x32xf16>, tensor<2x4x?x32xf16>, f16, tensor<16x?xf16>) outs(%e : tensor<2x4x16x32xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<2x4x16x32xf16>
  return %r : tensor<2x4x16x32xf16>
}
