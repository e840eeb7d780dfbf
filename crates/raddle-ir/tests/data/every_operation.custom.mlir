#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0)[s0] -> (d0 * 64 + s0 floordiv 2)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [4, 4], outer_tile = [1, 1], thread_tile = [16, 4], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 16]>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64, {gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 0>}>
#translation1 = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline workgroup_size = [64]>
module {
  func.func @f(%arg0: memref<64x64xf16>, %arg1: memref<64x64xf16, #gpu.address_space<workgroup>>, %arg2: memref<64x?xf32, strided<[?, 1], offset: ?>>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant dense<0.000000e+00> : vector<64x64xf32>
    %cst_1 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
    %cst_2 = arith.constant dense<true> : vector<64x64xi1>
    %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : memref<64x64xf16>, vector<64x64xf16>
    %1 = vector.transfer_read %arg0[%c0, %c0], %cst, %cst_2 {permutation_map = #map} : memref<64x64xf16>, vector<64x64xf16>
    %2 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, false], permutation_map = #map1} : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %3 = iree_vector_ext.to_layout %0 to layout(#nested) {foo} : vector<64x64xf16>
    %4 = iree_vector_ext.to_layout %0 to layout(#nested) {shared_memory_conversion = #iree_gpu.derived_thread_config} : vector<64x64xf16>
    %5 = vector.contract {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %3, %2, %cst_0 : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %6 = vector.contract {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %3, %2, %cst_0 {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [64, 64, 0]}>} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    %7 = vector.transpose %5, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : vector<64xf32>
    %8 = vector.multi_reduction <add>, %7, %cst_3 [1] : vector<64x64xf32> to vector<64xf32>
    %9 = vector.broadcast %8 : vector<64xf32> to vector<64x64xf32>
    %10 = vector.shape_cast %9 : vector<64x64xf32> to vector<4096xf32>
    %11 = vector.extract %9[3] : vector<64xf32> from vector<64x64xf32>
    %12 = vector.extract %9[3, %c1] : f32 from vector<64x64xf32>
    %13 = vector.insert %11, %9 [2] : vector<64xf32> into vector<64x64xf32>
    %14 = vector.insert %12, %9 [2, %c0] : f32 into vector<64x64xf32>
    %15 = vector.extract_strided_slice %9 offsets = [0, 2], sizes = [2, 4], strides = [1, 1] : vector<64x64xf32> to vector<2x4xf32>
    %16 = vector.insert_strided_slice %15, %9 offsets = [0, 2], strides = [1, 1] : vector<2x4xf32> into vector<64x64xf32>
    %17:8 = vector.to_elements %15 : vector<2x4xf32>
    %18 = vector.from_elements %17#0, %17#1, %17#2, %17#3 : vector<4xf32>
    %19 = vector.fma %18, %18, %18 : vector<4xf32>
    %20 = vector.step : vector<4xindex>
    %21 = vector.create_mask %c0, %c1 : vector<4x4xi1>
    %22 = vector.constant_mask [2, 3] : vector<4x4xi1>
    %23 = vector.load %arg0[%c0, %c1] : memref<64x64xf16>, vector<4xf16>
    vector.store %23, %arg0[%c0, %c1] : memref<64x64xf16>, vector<4xf16>
    vector.transfer_write %16, %arg2[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x?xf32, strided<[?, 1], offset: ?>>
    vector.transfer_write %16, %arg2[%c0, %c0], %cst_2 {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x?xf32, strided<[?, 1], offset: ?>>
    %24 = iree_vector_ext.to_simt %16 : vector<64x64xf32> -> vector<4x4x1x1x1x4xf32>
    %25 = iree_vector_ext.to_simd %24 : vector<4x4x1x1x1x4xf32> -> vector<64x64xf32>
    %26 = memref.load %arg0[%c0, %c1] : memref<64x64xf16>
    memref.store %26, %arg0[%c0, %c1] : memref<64x64xf16>
    %alloc = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %alloc_4 = memref.alloc(%c1) alignment = 64 : memref<?xf32>
    %alloca = memref.alloca() : memref<4xf32>
    %subview = memref.subview %arg0[%c1, 0] [16, %c64] [1, 1] : memref<64x64xf16> to memref<16x?xf16, strided<[64, 1], offset: ?>>
    %27 = affine.apply #map5(%c1)[%c0]
    %28 = affine.linearize_index [%c1, %c0] by (4, 16) : index
    %29 = affine.linearize_index disjoint [%c1, %c0] by (%c64, 16) : index
    %30:2 = affine.delinearize_index %c1 into (4, 16) : index, index
    %31:3 = affine.delinearize_index %c1 into (%c64, 16) : index, index, index
    %thread_id_x = gpu.thread_id x
    %block_id_y = gpu.block_id y upper_bound 64
    %32 = gpu.lane_id
    %33 = gpu.subgroup_id : index
    gpu.barrier
    %cst_5 = arith.constant 1.000000e+00 : f32
    %c4_i32 = arith.constant 4 : i32
    %shuffleResult, %valid = gpu.shuffle xor %cst_5, %c4_i32, %c4_i32 : f32
    %34 = gpu.subgroup_reduce add %cst_5 cluster(size = 16) : (f32) -> f32
    %35 = gpu.subgroup_reduce maximumf %cst_5 uniform cluster(size = 4, stride = 16) : (f32) -> f32
    %cst_6 = arith.constant dense<1.000000e+00> : vector<4x2xf16>
    %cst_7 = arith.constant dense<1.000000e+00> : vector<2x2xf16>
    %cst_8 = arith.constant dense<1.000000e+00> : vector<2x2xf32>
    %36 = nvgpu.mma.sync(%cst_6, %cst_7, %cst_8) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %cst_9 = arith.constant dense<1.000000e+00> : vector<4xf16>
    %cst_10 = arith.constant dense<1.000000e+00> : vector<4xf32>
    %37 = amdgpu.mfma 16x16x16 %cst_9 * %cst_9 + %cst_10 blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %38 = ub.poison : vector<4xf32>
    %39 = arith.cmpi slt, %c0, %c1 : index
    %40 = arith.cmpf ogt, %cst_5, %cst_5 fastmath<nnan> : f32
    %41 = arith.select %39, %c0, %c1 : index
    %42 = arith.addf %cst_5, %cst_5 fastmath<fast> : f32
    %43 = arith.addi %c0, %c1 overflow<nsw, nuw> : index
    %44 = arith.extf %26 : f16 to f32
    %45 = arith.truncf %cst_5 : f32 to f16
    %46 = arith.truncf %cst_5 to_nearest_even : f32 to f16
    %47 = arith.index_cast %c0 : index to i32
    %48 = math.exp %cst_5 fastmath<fast> : f32
    %49 = math.fma %cst_5, %cst_5, %cst_5 : f32
    %50 = scf.for %arg3 = %c0 to %c64 step %c1 iter_args(%arg4 = %cst_5) -> (f32) {
      %52 = arith.addf %arg4, %cst_5 : f32
      scf.yield %52 : f32
    }
    scf.for %arg3 = %c4_i32 to %c4_i32 step %c4_i32  : i32 {
    }
    %51 = scf.if %39 -> (f32) {
      scf.yield %cst_5 : f32
    } else {
      scf.yield %50 : f32
    }
    scf.if %39 {
      gpu.barrier
    }
    return
  }
  func.func private @ext(tensor<4xf32> {foo.bar}) -> (tensor<4xf32> {foo.x = 1 : i32})
  func.func @g(%arg0: tensor<64x64xf16>, %arg1: tensor<64x64xf16>, %arg2: tensor<?x4xf32>) -> tensor<64x64xf32> attributes {translation_info = #translation1} {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<64x64xf32>
    %1 = tensor.empty(%c0) : tensor<?x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%0 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %3 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [64, 64, 0]}>} ins(%arg0, %arg1 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%2 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %4 = linalg.matmul indexing_maps = [#map6, #map3, #map4] {foo} ins(%arg0, %arg1 : tensor<64x64xf16>, tensor<64x64xf16>) outs(%2 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %5 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], workgroup = [64, 64, 0]}>} {
    ^bb0(%in: f32, %out: f32):
      %9 = linalg.index 0 : index
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<64x64xf32>
    %6 = scf.forall (%arg3, %arg4) = (0, 0) to (64, 64) step (16, 16) shared_outs(%arg5 = %0) -> (tensor<64x64xf32>) {
      %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [16, 64] [1, 1] : tensor<64x64xf16> to tensor<16x64xf16>
      %extracted_slice_0 = tensor.extract_slice %arg5[%arg3, %arg4] [16, 16] [1, 1] : tensor<64x64xf32> to tensor<16x16xf32>
      %inserted_slice = tensor.insert_slice %extracted_slice_0 into %0[%arg3, %arg4] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice_0 into %arg5[%arg3, %arg4] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<64x64xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    %7 = scf.forall (%arg3, %arg4) in (%c0, 4) shared_outs(%arg5 = %0) -> (tensor<64x64xf32>) {
      scf.forall.in_parallel {
      }
    }
    %8 = call @ext2(%arg2) : (tensor<?x4xf32>) -> tensor<4xf32>
    return %5 : tensor<64x64xf32>
  }
  func.func private @ext2(tensor<?x4xf32>) -> tensor<4xf32>
}
