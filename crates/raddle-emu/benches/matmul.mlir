// 512 x 512 x 128 in f16, distributed over 64 workgroups of 4 subgroups: `raddle opt --to=distributed examples/matmul.mlir`
#map = affine_map<(d0) -> (d0 * 64)>
#map1 = affine_map<(d0, d1) -> (d1 + d0 floordiv 4)>
#map2 = affine_map<(d0, d1) -> (d1 + (d0 mod 4) * 8)>
#map3 = affine_map<(d0, d1) -> (d1 + d0 floordiv 4 + 32)>
#map4 = affine_map<(d0, d1) -> (d1 + d0 floordiv 8)>
#map5 = affine_map<(d0, d1) -> (d1 + (d0 mod 8) * 8)>
#map6 = affine_map<(d0, d1) -> (d1 + d0 floordiv 8 + 16)>
#map7 = affine_map<(d0, d1) -> (d1 + (d0 floordiv 64) * 32 + (d0 floordiv 4) mod 8)>
#map8 = affine_map<(d0, d1) -> (d1 + (d0 mod 4) * 2)>
#map9 = affine_map<(d0, d1) -> (d1 + (d0 mod 4) * 2 + 8)>
#map10 = affine_map<(d0, d1) -> (d1 + (d0 floordiv 64) * 32 + (d0 floordiv 4) mod 8 + 8)>
#map11 = affine_map<(d0, d1) -> (d1 + (d0 mod 4) * 2 + 16)>
#map12 = affine_map<(d0, d1) -> (d1 + (d0 mod 4) * 2 + 24)>
#map13 = affine_map<(d0, d1) -> (d1 + (d0 floordiv 64) * 32 + (d0 floordiv 4) mod 8 + 16)>
#map14 = affine_map<(d0, d1) -> (d1 + (d0 floordiv 64) * 32 + (d0 floordiv 4) mod 8 + 24)>
#map15 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 floordiv 4) mod 8)>
#map16 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 floordiv 4) mod 8 + 8)>
#map17 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 floordiv 4) mod 8 + 16)>
#map18 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 floordiv 4) mod 8 + 24)>
#map19 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 mod 4) * 2)>
#map20 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 mod 4) * 2 + 8)>
#map21 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 mod 4) * 2 + 16)>
#map22 = affine_map<(d0, d1) -> (d1 + ((d0 floordiv 32) mod 2) * 32 + (d0 mod 4) * 2 + 24)>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
module {
  func.func @matmul(%arg0: memref<512x128xf16>, %arg1: memref<128x512xf16>, %arg2: memref<512x512xf32>) attributes {gpu.known_grid_size = array<i32: 8, 8, 1>, translation_info = #translation} {
    %alloc = memref.alloc() : memref<64x32xf16, #gpu.address_space<workgroup>>
    %alloc_0 = memref.alloc() : memref<32x64xf16, #gpu.address_space<workgroup>>
    %thread_id_x = gpu.thread_id x
    %cst = arith.constant 0.000000e+00 : f32
    %block_id_y = gpu.block_id y
    %block_id_x = gpu.block_id x
    %0 = affine.apply #map(%block_id_y)
    %1 = affine.apply #map(%block_id_x)
    %cst_1 = arith.constant dense<0.000000e+00> : vector<2x4x2x1x1x2xf32>
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c32 = arith.constant 32 : index
    %2 = scf.for %arg3 = %c0 to %c128 step %c32 iter_args(%arg4 = %cst_1) -> (vector<2x4x2x1x1x2xf32>) {
      %cst_2 = arith.constant 0.000000e+00 : f16
      %51 = affine.apply #map1(%thread_id_x, %0)
      %52 = affine.apply #map2(%thread_id_x, %arg3)
      %53 = vector.transfer_read %arg0[%51, %52], %cst_2 {in_bounds = [true, true]} : memref<512x128xf16>, vector<1x8xf16>
      %cst_3 = arith.constant dense<0.000000e+00> : vector<2x1x1x1x1x8xf16>
      %54 = vector.insert_strided_slice %53, %cst_3 offsets = [0, 0, 0, 0, 0, 0], strides = [1, 1] : vector<1x8xf16> into vector<2x1x1x1x1x8xf16>
      %55 = affine.apply #map3(%thread_id_x, %0)
      %56 = affine.apply #map2(%thread_id_x, %arg3)
      %57 = vector.transfer_read %arg0[%55, %56], %cst_2 {in_bounds = [true, true]} : memref<512x128xf16>, vector<1x8xf16>
      %58 = vector.insert_strided_slice %57, %54 offsets = [1, 0, 0, 0, 0, 0], strides = [1, 1] : vector<1x8xf16> into vector<2x1x1x1x1x8xf16>
      %cst_4 = arith.constant 0.000000e+00 : f16
      %59 = affine.apply #map4(%thread_id_x, %arg3)
      %60 = affine.apply #map5(%thread_id_x, %1)
      %61 = vector.transfer_read %arg1[%59, %60], %cst_4 {in_bounds = [true, true]} : memref<128x512xf16>, vector<1x8xf16>
      %cst_5 = arith.constant dense<0.000000e+00> : vector<2x1x1x1x1x8xf16>
      %62 = vector.insert_strided_slice %61, %cst_5 offsets = [0, 0, 0, 0, 0, 0], strides = [1, 1] : vector<1x8xf16> into vector<2x1x1x1x1x8xf16>
      %63 = affine.apply #map6(%thread_id_x, %arg3)
      %64 = affine.apply #map5(%thread_id_x, %1)
      %65 = vector.transfer_read %arg1[%63, %64], %cst_4 {in_bounds = [true, true]} : memref<128x512xf16>, vector<1x8xf16>
      %66 = vector.insert_strided_slice %65, %62 offsets = [1, 0, 0, 0, 0, 0], strides = [1, 1] : vector<1x8xf16> into vector<2x1x1x1x1x8xf16>
      gpu.barrier
      %c0_6 = arith.constant 0 : index
      %cst_7 = arith.constant 0.000000e+00 : f16
      %67 = affine.apply #map1(%thread_id_x, %c0_6)
      %68 = affine.apply #map2(%thread_id_x, %c0_6)
      %69 = vector.extract %58[0, 0, 0, 0] : vector<1x8xf16> from vector<2x1x1x1x1x8xf16>
      vector.transfer_write %69, %alloc[%67, %68] {in_bounds = [true, true]} : vector<1x8xf16>, memref<64x32xf16, #gpu.address_space<workgroup>>
      %70 = affine.apply #map3(%thread_id_x, %c0_6)
      %71 = affine.apply #map2(%thread_id_x, %c0_6)
      %72 = vector.extract %58[1, 0, 0, 0] : vector<1x8xf16> from vector<2x1x1x1x1x8xf16>
      vector.transfer_write %72, %alloc[%70, %71] {in_bounds = [true, true]} : vector<1x8xf16>, memref<64x32xf16, #gpu.address_space<workgroup>>
      %c0_8 = arith.constant 0 : index
      %cst_9 = arith.constant 0.000000e+00 : f16
      %73 = affine.apply #map4(%thread_id_x, %c0_8)
      %74 = affine.apply #map5(%thread_id_x, %c0_8)
      %75 = vector.extract %66[0, 0, 0, 0] : vector<1x8xf16> from vector<2x1x1x1x1x8xf16>
      vector.transfer_write %75, %alloc_0[%73, %74] {in_bounds = [true, true]} : vector<1x8xf16>, memref<32x64xf16, #gpu.address_space<workgroup>>
      %76 = affine.apply #map6(%thread_id_x, %c0_8)
      %77 = affine.apply #map5(%thread_id_x, %c0_8)
      %78 = vector.extract %66[1, 0, 0, 0] : vector<1x8xf16> from vector<2x1x1x1x1x8xf16>
      vector.transfer_write %78, %alloc_0[%76, %77] {in_bounds = [true, true]} : vector<1x8xf16>, memref<32x64xf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %79 = affine.apply #map7(%thread_id_x, %c0_6)
      %80 = affine.apply #map8(%thread_id_x, %c0_6)
      %81 = vector.transfer_read %alloc[%79, %80], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %cst_10 = arith.constant dense<0.000000e+00> : vector<2x2x2x2x1x2xf16>
      %82 = vector.insert_strided_slice %81, %cst_10 offsets = [0, 0, 0, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %83 = affine.apply #map7(%thread_id_x, %c0_6)
      %84 = affine.apply #map9(%thread_id_x, %c0_6)
      %85 = vector.transfer_read %alloc[%83, %84], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %86 = vector.insert_strided_slice %85, %82 offsets = [0, 0, 0, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %87 = affine.apply #map10(%thread_id_x, %c0_6)
      %88 = affine.apply #map8(%thread_id_x, %c0_6)
      %89 = vector.transfer_read %alloc[%87, %88], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %90 = vector.insert_strided_slice %89, %86 offsets = [0, 0, 1, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %91 = affine.apply #map10(%thread_id_x, %c0_6)
      %92 = affine.apply #map9(%thread_id_x, %c0_6)
      %93 = vector.transfer_read %alloc[%91, %92], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %94 = vector.insert_strided_slice %93, %90 offsets = [0, 0, 1, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %95 = affine.apply #map7(%thread_id_x, %c0_6)
      %96 = affine.apply #map11(%thread_id_x, %c0_6)
      %97 = vector.transfer_read %alloc[%95, %96], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %98 = vector.insert_strided_slice %97, %94 offsets = [0, 1, 0, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %99 = affine.apply #map7(%thread_id_x, %c0_6)
      %100 = affine.apply #map12(%thread_id_x, %c0_6)
      %101 = vector.transfer_read %alloc[%99, %100], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %102 = vector.insert_strided_slice %101, %98 offsets = [0, 1, 0, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %103 = affine.apply #map10(%thread_id_x, %c0_6)
      %104 = affine.apply #map11(%thread_id_x, %c0_6)
      %105 = vector.transfer_read %alloc[%103, %104], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %106 = vector.insert_strided_slice %105, %102 offsets = [0, 1, 1, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %107 = affine.apply #map10(%thread_id_x, %c0_6)
      %108 = affine.apply #map12(%thread_id_x, %c0_6)
      %109 = vector.transfer_read %alloc[%107, %108], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %110 = vector.insert_strided_slice %109, %106 offsets = [0, 1, 1, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %111 = affine.apply #map13(%thread_id_x, %c0_6)
      %112 = affine.apply #map8(%thread_id_x, %c0_6)
      %113 = vector.transfer_read %alloc[%111, %112], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %114 = vector.insert_strided_slice %113, %110 offsets = [1, 0, 0, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %115 = affine.apply #map13(%thread_id_x, %c0_6)
      %116 = affine.apply #map9(%thread_id_x, %c0_6)
      %117 = vector.transfer_read %alloc[%115, %116], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %118 = vector.insert_strided_slice %117, %114 offsets = [1, 0, 0, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %119 = affine.apply #map14(%thread_id_x, %c0_6)
      %120 = affine.apply #map8(%thread_id_x, %c0_6)
      %121 = vector.transfer_read %alloc[%119, %120], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %122 = vector.insert_strided_slice %121, %118 offsets = [1, 0, 1, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %123 = affine.apply #map14(%thread_id_x, %c0_6)
      %124 = affine.apply #map9(%thread_id_x, %c0_6)
      %125 = vector.transfer_read %alloc[%123, %124], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %126 = vector.insert_strided_slice %125, %122 offsets = [1, 0, 1, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %127 = affine.apply #map13(%thread_id_x, %c0_6)
      %128 = affine.apply #map11(%thread_id_x, %c0_6)
      %129 = vector.transfer_read %alloc[%127, %128], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %130 = vector.insert_strided_slice %129, %126 offsets = [1, 1, 0, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %131 = affine.apply #map13(%thread_id_x, %c0_6)
      %132 = affine.apply #map12(%thread_id_x, %c0_6)
      %133 = vector.transfer_read %alloc[%131, %132], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %134 = vector.insert_strided_slice %133, %130 offsets = [1, 1, 0, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %135 = affine.apply #map14(%thread_id_x, %c0_6)
      %136 = affine.apply #map11(%thread_id_x, %c0_6)
      %137 = vector.transfer_read %alloc[%135, %136], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %138 = vector.insert_strided_slice %137, %134 offsets = [1, 1, 1, 0, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %139 = affine.apply #map14(%thread_id_x, %c0_6)
      %140 = affine.apply #map12(%thread_id_x, %c0_6)
      %141 = vector.transfer_read %alloc[%139, %140], %cst_7 {in_bounds = [true, true]} : memref<64x32xf16, #gpu.address_space<workgroup>>, vector<1x2xf16>
      %142 = vector.insert_strided_slice %141, %138 offsets = [1, 1, 1, 1, 0, 0], strides = [1, 1] : vector<1x2xf16> into vector<2x2x2x2x1x2xf16>
      %143 = affine.apply #map8(%thread_id_x, %c0_8)
      %144 = affine.apply #map15(%thread_id_x, %c0_8)
      %145 = vector.transfer_read %alloc_0[%143, %144], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %cst_11 = arith.constant dense<0.000000e+00> : vector<2x4x2x1x2x1xf16>
      %146 = vector.insert_strided_slice %145, %cst_11 offsets = [0, 0, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %147 = affine.apply #map9(%thread_id_x, %c0_8)
      %148 = affine.apply #map15(%thread_id_x, %c0_8)
      %149 = vector.transfer_read %alloc_0[%147, %148], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %150 = vector.insert_strided_slice %149, %146 offsets = [0, 0, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %151 = affine.apply #map8(%thread_id_x, %c0_8)
      %152 = affine.apply #map16(%thread_id_x, %c0_8)
      %153 = vector.transfer_read %alloc_0[%151, %152], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %154 = vector.insert_strided_slice %153, %150 offsets = [0, 1, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %155 = affine.apply #map9(%thread_id_x, %c0_8)
      %156 = affine.apply #map16(%thread_id_x, %c0_8)
      %157 = vector.transfer_read %alloc_0[%155, %156], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %158 = vector.insert_strided_slice %157, %154 offsets = [0, 1, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %159 = affine.apply #map8(%thread_id_x, %c0_8)
      %160 = affine.apply #map17(%thread_id_x, %c0_8)
      %161 = vector.transfer_read %alloc_0[%159, %160], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %162 = vector.insert_strided_slice %161, %158 offsets = [0, 2, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %163 = affine.apply #map9(%thread_id_x, %c0_8)
      %164 = affine.apply #map17(%thread_id_x, %c0_8)
      %165 = vector.transfer_read %alloc_0[%163, %164], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %166 = vector.insert_strided_slice %165, %162 offsets = [0, 2, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %167 = affine.apply #map8(%thread_id_x, %c0_8)
      %168 = affine.apply #map18(%thread_id_x, %c0_8)
      %169 = vector.transfer_read %alloc_0[%167, %168], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %170 = vector.insert_strided_slice %169, %166 offsets = [0, 3, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %171 = affine.apply #map9(%thread_id_x, %c0_8)
      %172 = affine.apply #map18(%thread_id_x, %c0_8)
      %173 = vector.transfer_read %alloc_0[%171, %172], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %174 = vector.insert_strided_slice %173, %170 offsets = [0, 3, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %175 = affine.apply #map11(%thread_id_x, %c0_8)
      %176 = affine.apply #map15(%thread_id_x, %c0_8)
      %177 = vector.transfer_read %alloc_0[%175, %176], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %178 = vector.insert_strided_slice %177, %174 offsets = [1, 0, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %179 = affine.apply #map12(%thread_id_x, %c0_8)
      %180 = affine.apply #map15(%thread_id_x, %c0_8)
      %181 = vector.transfer_read %alloc_0[%179, %180], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %182 = vector.insert_strided_slice %181, %178 offsets = [1, 0, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %183 = affine.apply #map11(%thread_id_x, %c0_8)
      %184 = affine.apply #map16(%thread_id_x, %c0_8)
      %185 = vector.transfer_read %alloc_0[%183, %184], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %186 = vector.insert_strided_slice %185, %182 offsets = [1, 1, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %187 = affine.apply #map12(%thread_id_x, %c0_8)
      %188 = affine.apply #map16(%thread_id_x, %c0_8)
      %189 = vector.transfer_read %alloc_0[%187, %188], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %190 = vector.insert_strided_slice %189, %186 offsets = [1, 1, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %191 = affine.apply #map11(%thread_id_x, %c0_8)
      %192 = affine.apply #map17(%thread_id_x, %c0_8)
      %193 = vector.transfer_read %alloc_0[%191, %192], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %194 = vector.insert_strided_slice %193, %190 offsets = [1, 2, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %195 = affine.apply #map12(%thread_id_x, %c0_8)
      %196 = affine.apply #map17(%thread_id_x, %c0_8)
      %197 = vector.transfer_read %alloc_0[%195, %196], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %198 = vector.insert_strided_slice %197, %194 offsets = [1, 2, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %199 = affine.apply #map11(%thread_id_x, %c0_8)
      %200 = affine.apply #map18(%thread_id_x, %c0_8)
      %201 = vector.transfer_read %alloc_0[%199, %200], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %202 = vector.insert_strided_slice %201, %198 offsets = [1, 3, 0, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %203 = affine.apply #map12(%thread_id_x, %c0_8)
      %204 = affine.apply #map18(%thread_id_x, %c0_8)
      %205 = vector.transfer_read %alloc_0[%203, %204], %cst_9 {in_bounds = [true, true]} : memref<32x64xf16, #gpu.address_space<workgroup>>, vector<2x1xf16>
      %206 = vector.insert_strided_slice %205, %202 offsets = [1, 3, 1, 0, 0, 0], strides = [1, 1] : vector<2x1xf16> into vector<2x4x2x1x2x1xf16>
      %207 = vector.extract %arg4[0, 0] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %208 = vector.shape_cast %207 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %209 = vector.extract %arg4[0, 1] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %210 = vector.shape_cast %209 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %211 = vector.extract %arg4[0, 2] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %212 = vector.shape_cast %211 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %213 = vector.extract %arg4[0, 3] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %214 = vector.shape_cast %213 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %215 = vector.extract %arg4[1, 0] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %216 = vector.shape_cast %215 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %217 = vector.extract %arg4[1, 1] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %218 = vector.shape_cast %217 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %219 = vector.extract %arg4[1, 2] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %220 = vector.shape_cast %219 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %221 = vector.extract %arg4[1, 3] : vector<2x1x1x2xf32> from vector<2x4x2x1x1x2xf32>
      %222 = vector.shape_cast %221 : vector<2x1x1x2xf32> to vector<2x2xf32>
      %223 = vector.extract %142[0, 0] : vector<2x2x1x2xf16> from vector<2x2x2x2x1x2xf16>
      %224 = vector.transpose %223, [1, 0, 2, 3] : vector<2x2x1x2xf16> to vector<2x2x1x2xf16>
      %225 = vector.shape_cast %224 : vector<2x2x1x2xf16> to vector<4x2xf16>
      %226 = vector.extract %142[1, 0] : vector<2x2x1x2xf16> from vector<2x2x2x2x1x2xf16>
      %227 = vector.transpose %226, [1, 0, 2, 3] : vector<2x2x1x2xf16> to vector<2x2x1x2xf16>
      %228 = vector.shape_cast %227 : vector<2x2x1x2xf16> to vector<4x2xf16>
      %229 = vector.extract %206[0, 0] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %230 = vector.shape_cast %229 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %231 = vector.extract %206[0, 1] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %232 = vector.shape_cast %231 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %233 = vector.extract %206[0, 2] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %234 = vector.shape_cast %233 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %235 = vector.extract %206[0, 3] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %236 = vector.shape_cast %235 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %237 = nvgpu.mma.sync(%225, %230, %208) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %238 = nvgpu.mma.sync(%225, %232, %210) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %239 = nvgpu.mma.sync(%225, %234, %212) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %240 = nvgpu.mma.sync(%225, %236, %214) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %241 = nvgpu.mma.sync(%228, %230, %216) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %242 = nvgpu.mma.sync(%228, %232, %218) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %243 = nvgpu.mma.sync(%228, %234, %220) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %244 = nvgpu.mma.sync(%228, %236, %222) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %245 = vector.extract %142[0, 1] : vector<2x2x1x2xf16> from vector<2x2x2x2x1x2xf16>
      %246 = vector.transpose %245, [1, 0, 2, 3] : vector<2x2x1x2xf16> to vector<2x2x1x2xf16>
      %247 = vector.shape_cast %246 : vector<2x2x1x2xf16> to vector<4x2xf16>
      %248 = vector.extract %142[1, 1] : vector<2x2x1x2xf16> from vector<2x2x2x2x1x2xf16>
      %249 = vector.transpose %248, [1, 0, 2, 3] : vector<2x2x1x2xf16> to vector<2x2x1x2xf16>
      %250 = vector.shape_cast %249 : vector<2x2x1x2xf16> to vector<4x2xf16>
      %251 = vector.extract %206[1, 0] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %252 = vector.shape_cast %251 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %253 = vector.extract %206[1, 1] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %254 = vector.shape_cast %253 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %255 = vector.extract %206[1, 2] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %256 = vector.shape_cast %255 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %257 = vector.extract %206[1, 3] : vector<2x1x2x1xf16> from vector<2x4x2x1x2x1xf16>
      %258 = vector.shape_cast %257 : vector<2x1x2x1xf16> to vector<2x2xf16>
      %259 = nvgpu.mma.sync(%247, %252, %237) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %260 = nvgpu.mma.sync(%247, %254, %238) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %261 = nvgpu.mma.sync(%247, %256, %239) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %262 = nvgpu.mma.sync(%247, %258, %240) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %263 = nvgpu.mma.sync(%250, %252, %241) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %264 = nvgpu.mma.sync(%250, %254, %242) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %265 = nvgpu.mma.sync(%250, %256, %243) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %266 = nvgpu.mma.sync(%250, %258, %244) mmaShape = [16, 8, 16] : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %267 = vector.shape_cast %259 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %268 = vector.insert %267, %arg4 [0, 0] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %269 = vector.shape_cast %260 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %270 = vector.insert %269, %268 [0, 1] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %271 = vector.shape_cast %261 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %272 = vector.insert %271, %270 [0, 2] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %273 = vector.shape_cast %262 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %274 = vector.insert %273, %272 [0, 3] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %275 = vector.shape_cast %263 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %276 = vector.insert %275, %274 [1, 0] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %277 = vector.shape_cast %264 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %278 = vector.insert %277, %276 [1, 1] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %279 = vector.shape_cast %265 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %280 = vector.insert %279, %278 [1, 2] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      %281 = vector.shape_cast %266 : vector<2x2xf32> to vector<2x1x1x2xf32>
      %282 = vector.insert %281, %280 [1, 3] : vector<2x1x1x2xf32> into vector<2x4x2x1x1x2xf32>
      scf.yield %282 : vector<2x4x2x1x1x2xf32>
    }
    %3 = affine.apply #map7(%thread_id_x, %0)
    %4 = affine.apply #map19(%thread_id_x, %1)
    %5 = vector.extract %2[0, 0, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %5, %arg2[%3, %4] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %6 = affine.apply #map10(%thread_id_x, %0)
    %7 = affine.apply #map19(%thread_id_x, %1)
    %8 = vector.extract %2[0, 0, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %8, %arg2[%6, %7] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %9 = affine.apply #map7(%thread_id_x, %0)
    %10 = affine.apply #map20(%thread_id_x, %1)
    %11 = vector.extract %2[0, 1, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %11, %arg2[%9, %10] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %12 = affine.apply #map10(%thread_id_x, %0)
    %13 = affine.apply #map20(%thread_id_x, %1)
    %14 = vector.extract %2[0, 1, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %14, %arg2[%12, %13] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %15 = affine.apply #map7(%thread_id_x, %0)
    %16 = affine.apply #map21(%thread_id_x, %1)
    %17 = vector.extract %2[0, 2, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %17, %arg2[%15, %16] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %18 = affine.apply #map10(%thread_id_x, %0)
    %19 = affine.apply #map21(%thread_id_x, %1)
    %20 = vector.extract %2[0, 2, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %20, %arg2[%18, %19] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %21 = affine.apply #map7(%thread_id_x, %0)
    %22 = affine.apply #map22(%thread_id_x, %1)
    %23 = vector.extract %2[0, 3, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %23, %arg2[%21, %22] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %24 = affine.apply #map10(%thread_id_x, %0)
    %25 = affine.apply #map22(%thread_id_x, %1)
    %26 = vector.extract %2[0, 3, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %26, %arg2[%24, %25] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %27 = affine.apply #map13(%thread_id_x, %0)
    %28 = affine.apply #map19(%thread_id_x, %1)
    %29 = vector.extract %2[1, 0, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %29, %arg2[%27, %28] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %30 = affine.apply #map14(%thread_id_x, %0)
    %31 = affine.apply #map19(%thread_id_x, %1)
    %32 = vector.extract %2[1, 0, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %32, %arg2[%30, %31] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %33 = affine.apply #map13(%thread_id_x, %0)
    %34 = affine.apply #map20(%thread_id_x, %1)
    %35 = vector.extract %2[1, 1, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %35, %arg2[%33, %34] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %36 = affine.apply #map14(%thread_id_x, %0)
    %37 = affine.apply #map20(%thread_id_x, %1)
    %38 = vector.extract %2[1, 1, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %38, %arg2[%36, %37] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %39 = affine.apply #map13(%thread_id_x, %0)
    %40 = affine.apply #map21(%thread_id_x, %1)
    %41 = vector.extract %2[1, 2, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %41, %arg2[%39, %40] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %42 = affine.apply #map14(%thread_id_x, %0)
    %43 = affine.apply #map21(%thread_id_x, %1)
    %44 = vector.extract %2[1, 2, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %44, %arg2[%42, %43] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %45 = affine.apply #map13(%thread_id_x, %0)
    %46 = affine.apply #map22(%thread_id_x, %1)
    %47 = vector.extract %2[1, 3, 0, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %47, %arg2[%45, %46] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    %48 = affine.apply #map14(%thread_id_x, %0)
    %49 = affine.apply #map22(%thread_id_x, %1)
    %50 = vector.extract %2[1, 3, 1, 0] : vector<1x2xf32> from vector<2x4x2x1x1x2xf32>
    vector.transfer_write %50, %arg2[%48, %49] {in_bounds = [true, true]} : vector<1x2xf32>, memref<512x512xf32>
    return
  }
}
