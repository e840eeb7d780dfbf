// One workgroup's part of attention, as whole-workgroup vectors: 64 queries against 256 keys, 64 keys at a time.
// The two products are anchored to a matrix instruction; everything between them follows.
#mk = affine_map<(i, j, k) -> (i, k)>
#nk = affine_map<(i, j, k) -> (j, k)>
#kn = affine_map<(i, j, k) -> (k, j)>
#mn = affine_map<(i, j, k) -> (i, j)>
#config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>}>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>

func.func @attention(%query: memref<64x64xf16>, %key: memref<256x64xf16>, %value: memref<256x64xf16>, %out: memref<64x64xf32>)
    attributes {translation_info = #launch, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f16
  // 1/sqrt(64) and log2(e) in one factor: exp2 is what machines have.
  %scale = arith.constant dense<0.18033688> : vector<64x64xf32>
  %least = arith.constant dense<-1.0e30> : vector<64xf32>
  %none = arith.constant dense<0.0> : vector<64xf32>
  %empty = arith.constant dense<0.0> : vector<64x64xf32>
  %q = vector.transfer_read %query[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
  %max:3 = scf.for %at = %c0 to %c256 step %c64 iter_args(%m = %least, %l = %none, %acc = %empty)
      -> (vector<64xf32>, vector<64xf32>, vector<64x64xf32>) {
    %k = vector.transfer_read %key[%at, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
    %v = vector.transfer_read %value[%at, %c0], %zero {in_bounds = [true, true]} : memref<256x64xf16>, vector<64x64xf16>
    %s = vector.contract {lowering_config = #config, indexing_maps = [#mk, #nk, #mn],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %q, %k, %empty
        : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %scaled = arith.mulf %s, %scale : vector<64x64xf32>
    %m1 = vector.multi_reduction <maximumf>, %scaled, %m [1] : vector<64x64xf32> to vector<64xf32>
    %mb = vector.broadcast %m1 : vector<64xf32> to vector<64x64xf32>
    %mt = vector.transpose %mb, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    %d = arith.subf %scaled, %mt : vector<64x64xf32>
    %p = math.exp2 %d : vector<64x64xf32>
    // What came before was weighed by an older maximum.
    %dm = arith.subf %m, %m1 : vector<64xf32>
    %older = math.exp2 %dm : vector<64xf32>
    %l0 = arith.mulf %l, %older : vector<64xf32>
    %l1 = vector.multi_reduction <add>, %p, %l0 [1] : vector<64x64xf32> to vector<64xf32>
    %ob = vector.broadcast %older : vector<64xf32> to vector<64x64xf32>
    %ot = vector.transpose %ob, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    %acc0 = arith.mulf %acc, %ot : vector<64x64xf32>
    %ph = arith.truncf %p : vector<64x64xf32> to vector<64x64xf16>
    %acc1 = vector.contract {lowering_config = #config, indexing_maps = [#mk, #kn, #mn],
        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ph, %v, %acc0
        : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    scf.yield %m1, %l1, %acc1 : vector<64xf32>, vector<64xf32>, vector<64x64xf32>
  }
  %lb = vector.broadcast %max#1 : vector<64xf32> to vector<64x64xf32>
  %lt = vector.transpose %lb, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
  %o = arith.divf %max#2, %lt : vector<64x64xf32>
  vector.transfer_write %o, %out[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  return
}
