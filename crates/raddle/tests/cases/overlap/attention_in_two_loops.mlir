// Attention goes through the keys in two loops: masks are asked for in the second one only, which begins where a row may
// not see a key, or where the keys may end. The slots of the rings go round in both alike.
// RUN: raddle opt %s --split-input-file --to=pipelined --target=sm_80 | grep -e func.func -e scf.for -e scf.if -e create_mask -e select | cut -c1-80
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

// $ raddle opt %s --split-input-file --to=pipelined --target=sm_80 | grep -e func.func -e scf.for -e scf.if -e create_mask -e select | cut -c1-80
//   func.func @causal(%arg0: memref<256x64xf16>, %arg1: memref<256x64xf16>, %arg2:
//     %18:3 = scf.for %arg4 = %c0 to %17 step %c64 iter_args(%arg5 = %cst_3, %arg6
//     %20:3 = scf.for %arg4 = %c0 to %19 step %c64 iter_args(%arg5 = %18#0, %arg6 
//       %59 = arith.select %58, %48, %cst_34 {layouts = [#nested]} : vector<64x64x
//   func.func @open(%arg0: memref<?x64xf16>, %arg1: memref<?x64xf16>, %arg2: memre
//     %18:3 = scf.for %arg4 = %c0 to %17 step %c64 iter_args(%arg5 = %cst_6, %arg6
//       %43 = vector.create_mask %c128, %c64_39 {layouts = [#nested]} : vector<128
//       %56 = vector.create_mask %c128_21, %c64_39 {layouts = [#nested]} : vector<
//       %61 = vector.create_mask %c128_24, %c64_39 {layouts = [#nested]} : vector<
//       %62 = arith.select %61, %54, %cst_25 {layouts = [#nested]} : vector<128x64
//     %20:3 = scf.for %arg4 = %c0 to %19 step %c64 iter_args(%arg5 = %18#0, %arg6 
//       %48 = vector.create_mask %c128, %31 {layouts = [#nested]} : vector<128x64x
//       %61 = vector.create_mask %c128_21, %31 {layouts = [#nested]} : vector<128x
//       %66 = vector.create_mask %c128_24, %31 {layouts = [#nested]} : vector<128x
//       %67 = arith.select %66, %59, %cst_25 {layouts = [#nested]} : vector<128x64
