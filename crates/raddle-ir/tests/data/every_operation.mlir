#layout = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [4, 4], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#cfg = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1]}>
#ti = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 0>}>
#ti2 = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline workgroup_size = [64]>
func.func @f(%A: memref<64x64xf16>, %B: memref<64x64xf16, #gpu.address_space<workgroup>>, %C: memref<64x?xf32, strided<[?, 1], offset: ?>>) attributes {translation_info = #ti, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %cst = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %n = arith.constant dense<[1,2,3,4]> : vector<4xi32>
  %m = arith.constant dense<true> : vector<64x64xi1>
  %a = vector.transfer_read %A[%c0, %c0], %cst {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
  %a2 = vector.transfer_read %A[%c0, %c0], %cst, %m {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x64xf16>, vector<64x64xf16>
  %b = vector.transfer_read %B[%c0, %c0], %cst {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
  %l = iree_vector_ext.to_layout %a to layout(#layout) {foo} : vector<64x64xf16>
  %l2 = iree_vector_ext.to_layout %a to layout(#layout) {shared_memory_conversion = #iree_gpu.derived_thread_config} : vector<64x64xf16>
  %ct = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %l, %b, %zero : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
  %ct2 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %l, %b, %zero {lowering_config = #cfg}: vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
  %t = vector.transpose %ct, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
  %z64 = arith.constant dense<0.0> : vector<64xf32>
  %mr = vector.multi_reduction <add>, %t, %z64 [1] : vector<64x64xf32> to vector<64xf32>
  %bc = vector.broadcast %mr : vector<64xf32> to vector<64x64xf32>
  %sc = vector.shape_cast %bc : vector<64x64xf32> to vector<4096xf32>
  %e = vector.extract %bc[3] : vector<64xf32> from vector<64x64xf32>
  %e1 = vector.extract %bc[3, %c1] : f32 from vector<64x64xf32>
  %i = vector.insert %e, %bc [2] : vector<64xf32> into vector<64x64xf32>
  %i1 = vector.insert %e1, %bc [2, %c0] : f32 into vector<64x64xf32>
  %ex = vector.extract_strided_slice %bc offsets = [0, 2], sizes = [2, 4], strides = [1, 1] : vector<64x64xf32> to vector<2x4xf32>
  %is = vector.insert_strided_slice %ex, %bc offsets = [0, 2], strides = [1, 1] : vector<2x4xf32> into vector<64x64xf32>
  %te:8 = vector.to_elements %ex : vector<2x4xf32>
  %fe = vector.from_elements %te#0, %te#1, %te#2, %te#3 : vector<4xf32>
  %fm = vector.fma %fe, %fe, %fe : vector<4xf32>
  %st = vector.step : vector<4xindex>
  %cm = vector.create_mask %c0, %c1 : vector<4x4xi1>
  %cm2 = vector.constant_mask [2, 3] : vector<4x4xi1>
  %vl = vector.load %A[%c0, %c1] : memref<64x64xf16>, vector<4xf16>
  vector.store %vl, %A[%c0, %c1] : memref<64x64xf16>, vector<4xf16>
  vector.transfer_write %is, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x?xf32, strided<[?, 1], offset: ?>>
  vector.transfer_write %is, %C[%c0, %c0], %m {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x?xf32, strided<[?, 1], offset: ?>>
  %sim = iree_vector_ext.to_simt %is : vector<64x64xf32> -> vector<4x4x1x1x1x4xf32>
  %sid = iree_vector_ext.to_simd %sim : vector<4x4x1x1x1x4xf32> -> vector<64x64xf32>
  %ld = memref.load %A[%c0, %c1] : memref<64x64xf16>
  memref.store %ld, %A[%c0, %c1] : memref<64x64xf16>
  %al = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %al2 = memref.alloc(%c1) alignment = 64 : memref<?xf32>
  %al3 = memref.alloca() : memref<4xf32>
  %sv = memref.subview %A[%c1, 0] [16, %c64] [1, 1] : memref<64x64xf16> to memref<16x?xf16, strided<[64, 1], offset: ?>>
  %ap = affine.apply affine_map<(d0)[s0] -> (d0 * 64 + s0 floordiv 2)>(%c1)[%c0]
  %lin = affine.linearize_index [%c1, %c0] by (4, 16) : index
  %lin2 = affine.linearize_index disjoint [%c1, %c0] by (%c64, 16) : index
  %de:2 = affine.delinearize_index %c1 into (4, 16) : index, index
  %de2:3 = affine.delinearize_index %c1 into (%c64, 16) : index, index, index
  %ty = gpu.thread_id  x
  %bx = gpu.block_id  y upper_bound 64
  %li = gpu.lane_id
  %sg = gpu.subgroup_id : index
  gpu.barrier
  %s = arith.constant 1.0 : f32
  %o = arith.constant 4 : i32
  %sh, %p = gpu.shuffle xor %s, %o, %o : f32
  %sr = gpu.subgroup_reduce add %s cluster(size = 16) : (f32) -> f32
  %sr2 = gpu.subgroup_reduce maximumf %s uniform cluster(size = 4, stride = 16) : (f32) -> f32
  %va = arith.constant dense<1.0> : vector<4x2xf16>
  %vb = arith.constant dense<1.0> : vector<2x2xf16>
  %vc = arith.constant dense<1.0> : vector<2x2xf32>
  %mm = nvgpu.mma.sync (%va, %vb, %vc) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %v4 = arith.constant dense<1.0> : vector<4xf16>
  %v4f = arith.constant dense<1.0> : vector<4xf32>
  %mf = amdgpu.mfma 16x16x16 %v4 * %v4 + %v4f : vector<4xf16>, vector<4xf16>, vector<4xf32>
  %po = ub.poison : vector<4xf32>
  %cp = arith.cmpi slt, %c0, %c1 : index
  %cf = arith.cmpf ogt, %s, %s fastmath<nnan> : f32
  %sel = arith.select %cp, %c0, %c1 : index
  %ad = arith.addf %s, %s fastmath<fast> : f32
  %adi = arith.addi %c0, %c1 overflow<nsw, nuw> : index
  %xf = arith.extf %ld : f16 to f32
  %xt = arith.truncf %s : f32 to f16
  %xt2 = arith.truncf %s to_nearest_even : f32 to f16
  %xi = arith.index_cast %c0 : index to i32
  %me = math.exp %s fastmath<fast> : f32
  %mfa = math.fma %s, %s, %s : f32
  %r = scf.for %iv = %c0 to %c64 step %c1 iter_args(%acc = %s) -> (f32) {
    %q = arith.addf %acc, %s : f32
    scf.yield %q : f32
  }
  scf.for %iv = %o to %o step %o : i32 {
  }
  %if = scf.if %cp -> (f32) {
    scf.yield %s : f32
  } else {
    scf.yield %r : f32
  }
  scf.if %cp {
    gpu.barrier
  }
  return
}
func.func private @ext(tensor<4xf32> {foo.bar}) -> (tensor<4xf32> {foo.x = 1 : i32})
func.func @g(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>, %d: tensor<?x4xf32>) -> tensor<64x64xf32> attributes {translation_info = #ti2} {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %ed = tensor.empty(%c0) : tensor<?x64xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul {lowering_config = #cfg} ins(%A, %B : tensor<64x64xf16>, tensor<64x64xf16>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] {foo} ins(%A, %B : tensor<64x64xf16>, tensor<64x64xf16>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %gg = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) attrs = {lowering_config = #cfg} {
  ^bb0(%x: f32, %y: f32):
    %ix = linalg.index 0 : index
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  %fa = scf.forall (%x, %y) = (0, 0) to (64, 64) step (16, 16) shared_outs(%o = %e) -> (tensor<64x64xf32>) {
    %es = tensor.extract_slice %A[%x, 0] [16, 64] [1, 1] : tensor<64x64xf16> to tensor<16x64xf16>
    %eo = tensor.extract_slice %o[%x, %y] [16, 16] [1, 1] : tensor<64x64xf32> to tensor<16x16xf32>
    %ii = tensor.insert_slice %eo into %e[%x, %y] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %eo into %o[%x, %y] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x64xf32>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  %fb = scf.forall (%x, %y) in (%c0, 4) shared_outs(%o = %e) -> (tensor<64x64xf32>) {
    scf.forall.in_parallel {
    }
  }
  %cl = call @ext2(%d) : (tensor<?x4xf32>) -> tensor<4xf32>
  return %gg : tensor<64x64xf32>
}
func.func private @ext2(tensor<?x4xf32>) -> tensor<4xf32>
