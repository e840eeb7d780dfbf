// Attention goes through the keys in two loops: masks are asked for in the second one only, which begins where a row may
// not see a key, or where the keys may end. The slots of the rings go round in both alike.
// RUN: raddle opt %s --split-input-file --to=pipelined --target=sm_80 | grep -e func.func -e scf.for -e scf.if -e create_mask -e select
#maps = [affine_map<(m, d, k, n) -> (m, d)>, affine_map<(m, d, k, n) -> (k, d)>, affine_map<(m, d, k, n) -> (k, n)>, affine_map<(m, d, k, n) -> ()>, affine_map<(m, d, k, n) -> (m, n)>]
func.func @causal(%q: tensor<256x64xf16>, %k: tensor<256x64xf16>, %v: tensor<256x64xf16>) -> tensor<256x64xf16> {
  %scale = arith.constant 0.125 : f16
  %e = tensor.empty() : tensor<256x64xf16>
  %o = iree_linalg_ext.attention {indexing_maps = #maps} ins(%q, %k, %v, %scale : tensor<256x64xf16>, tensor<256x64xf16>, tensor<256x64xf16>, f16) outs(%e : tensor<256x64xf16>) {
  ^bb0(%x: f32):
    %i = iree_linalg_ext.index 0 : index
    %j = iree_linalg_ext.index 1 : index
    %keep = arith.cmpi sge, %i, %j : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %never : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<256x64xf16>
  return %o : tensor<256x64xf16>
}

// -----
// Only the run knows how many rows and keys there are: rows beyond the end are computed, and nobody looks at them.
#maps = [affine_map<(m, d, k, n) -> (m, d)>, affine_map<(m, d, k, n) -> (k, d)>, affine_map<(m, d, k, n) -> (k, n)>, affine_map<(m, d, k, n) -> ()>, affine_map<(m, d, k, n) -> (m, n)>]
func.func @open(%q: tensor<?x64xf16>, %k: tensor<?x64xf16>, %v: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %scale = arith.constant 0.125 : f16
  %c0 = arith.constant 0 : index
  %n = tensor.dim %q, %c0 : tensor<?x64xf16>
  %e = tensor.empty(%n) : tensor<?x64xf16>
  %o = iree_linalg_ext.attention {indexing_maps = #maps} ins(%q, %k, %v, %scale : tensor<?x64xf16>, tensor<?x64xf16>, tensor<?x64xf16>, f16) outs(%e : tensor<?x64xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<?x64xf16>
  return %o : tensor<?x64xf16>
}

// $ raddle opt %s --split-input-file --to=pipelined --target=sm_80 | grep -e func.func -e scf.for -e scf.if -e create_mask -e select
//   func.func @causal(%arg0: memref<256x64xf16>, %arg1: memref<256x64xf16>, %arg2: memref<256x64xf16>, %arg3: memref<256x64xf16>) attributes {gpu.known_grid_size = array<i32: 4, 1, 1>, translation_info = #translation} {
//     %18:3 = scf.for %arg4 = %c0 to %17 step %c64 iter_args(%arg5 = %cst_3, %arg6 = %cst_4, %arg7 = %cst_5) -> (vector<64x64xf32>, vector<64xf32>, vector<64xf32>) {
//     %20:3 = scf.for %arg4 = %c0 to %19 step %c64 iter_args(%arg5 = %18#0, %arg6 = %18#1, %arg7 = %18#2) -> (vector<64x64xf32>, vector<64xf32>, vector<64xf32>) {
//       %60 = arith.select %59, %49, %cst_36 {layouts = [#nested]} : vector<64x64xi1>, vector<64x64xf32>
//   func.func @open(%arg0: memref<?x64xf16>, %arg1: memref<?x64xf16>, %arg2: memref<?x64xf16>, %arg3: memref<?x64xf16>) attributes {raddle.grid = {map = #map, of = [array<i64: 0, 0>]}, translation_info = #translation} {
//     %18:3 = scf.for %arg4 = %c0 to %17 step %c64 iter_args(%arg5 = %cst_6, %arg6 = %cst_7, %arg7 = %cst_8) -> (vector<128x64xf32>, vector<128xf32>, vector<128xf32>) {
//       %44 = vector.create_mask %c128, %c64_39 {layouts = [#nested]} : vector<128x64xi1>
//       %57 = vector.create_mask %c128_21, %c64_39 {layouts = [#nested]} : vector<128x64xi1>
//       %62 = vector.create_mask %c128_24, %c64_39 {layouts = [#nested]} : vector<128x64xi1>
//       %63 = arith.select %62, %55, %cst_25 {layouts = [#nested]} : vector<128x64xi1>, vector<128x64xf16>
//     %20:3 = scf.for %arg4 = %c0 to %19 step %c64 iter_args(%arg5 = %18#0, %arg6 = %18#1, %arg7 = %18#2) -> (vector<128x64xf32>, vector<128xf32>, vector<128xf32>) {
//       %49 = vector.create_mask %c128, %32 {layouts = [#nested]} : vector<128x64xi1>
//       %62 = vector.create_mask %c128_21, %32 {layouts = [#nested]} : vector<128x64xi1>
//       %67 = vector.create_mask %c128_24, %32 {layouts = [#nested]} : vector<128x64xi1>
//       %68 = arith.select %67, %60, %cst_25 {layouts = [#nested]} : vector<128x64xi1>, vector<128x64xf16>
