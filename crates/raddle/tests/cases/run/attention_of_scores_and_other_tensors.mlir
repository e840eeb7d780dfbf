// Scores that are added to several tensors, or chosen by one, are those of an attention whose region asks for the elements
// of these. A query that is one row gets a loop for it.
// RUN: raddle opt %s --to=configured | grep iree_linalg_ext.online_attention
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --target=gfx942
#ij = affine_map<(h, i, j) -> (h, i, j)>
func.func @two_added(%q: tensor<4x32x16xf16>, %k: tensor<4x48x16xf16>, %v: tensor<4x48x16xf16>, %slopes: tensor<4x48xf16>, %mask: tensor<32x48xf32>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<4x32x48xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, i, j, k) -> (h, i, k)>, affine_map<(h, i, j, k) -> (h, j, k)>, affine_map<(h, i, j, k) -> (h, i, j)>]
      ins(%q, %k : tensor<4x32x16xf16>, tensor<4x48x16xf16>) outs(%zs : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %w = linalg.generic {indexing_maps = [#ij, affine_map<(h, i, j) -> (h, j)>, affine_map<(h, i, j) -> (i, j)>, #ij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %slopes, %mask : tensor<4x32x48xf32>, tensor<4x48xf16>, tensor<32x48xf32>) outs(%es : tensor<4x32x48xf32>) {
  ^bb0(%x: f32, %slope: f16, %m: f32, %o: f32):
    %scale = arith.constant 0.25 : f32
    %scaled = arith.mulf %x, %scale : f32
    %wide = arith.extf %slope : f16 to f32
    %biased = arith.addf %scaled, %wide : f32
    %masked = arith.addf %biased, %m : f32
    linalg.yield %masked : f32
  } -> tensor<4x32x48xf32>
  %p = linalg.softmax dimension(2) ins(%w : tensor<4x32x48xf32>) outs(%es : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %eh = tensor.empty() : tensor<4x32x48xf16>
  %ph = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<4x32x48xf32>) outs(%eh : tensor<4x32x48xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<4x32x48xf16>
  %er = tensor.empty() : tensor<4x32x16xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %r = linalg.batch_matmul ins(%ph, %v : tensor<4x32x48xf16>, tensor<4x48x16xf16>) outs(%zr : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %r : tensor<4x32x16xf32>
}

// Keys that a mask leaves out have a score that is a number, and rows without others the mean of all values.
func.func @chosen(%q: tensor<4x32x16xf16>, %k: tensor<4x48x16xf16>, %v: tensor<4x48x16xf16>, %keeps: tensor<32x48xi1>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<4x32x48xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, i, j, k) -> (h, i, k)>, affine_map<(h, i, j, k) -> (h, j, k)>, affine_map<(h, i, j, k) -> (h, i, j)>]
      ins(%q, %k : tensor<4x32x16xf16>, tensor<4x48x16xf16>) outs(%zs : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %w = linalg.generic {indexing_maps = [#ij, affine_map<(h, i, j) -> (i, j)>, #ij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %keeps : tensor<4x32x48xf32>, tensor<32x48xi1>) outs(%es : tensor<4x32x48xf32>) {
  ^bb0(%x: f32, %keep: i1, %o: f32):
    %scale = arith.constant 0.25 : f32
    %never = arith.constant -10000.0 : f32
    %scaled = arith.mulf %x, %scale : f32
    %row = linalg.index 1 : index
    %some = arith.constant 3 : index
    %has = arith.cmpi uge, %row, %some : index
    %keeps_it = arith.andi %has, %keep : i1
    %masked = arith.select %keeps_it, %scaled, %never : f32
    linalg.yield %masked : f32
  } -> tensor<4x32x48xf32>
  %p = linalg.softmax dimension(2) ins(%w : tensor<4x32x48xf32>) outs(%es : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %eh = tensor.empty() : tensor<4x32x48xf16>
  %ph = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<4x32x48xf32>) outs(%eh : tensor<4x32x48xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<4x32x48xf16>
  %er = tensor.empty() : tensor<4x32x16xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %r = linalg.batch_matmul ins(%ph, %v : tensor<4x32x48xf16>, tensor<4x48x16xf16>) outs(%zr : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %r : tensor<4x32x16xf32>
}

// A token that is decoded: the loop along queries is one row, and has gone.
#hj = affine_map<(h, j) -> (h, j)>
func.func @one_row(%q: tensor<8x16xf16>, %k: tensor<8x?x16xf16>, %v: tensor<8x?x16xf16>, %mask: tensor<?xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %k, %c1 : tensor<8x?x16xf16>
  %es = tensor.empty(%n) : tensor<8x?xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<8x?xf32>) -> tensor<8x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, j, k) -> (h, k)>, affine_map<(h, j, k) -> (h, j, k)>, affine_map<(h, j, k) -> (h, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x16xf16>, tensor<8x?x16xf16>) outs(%zs : tensor<8x?xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %x = arith.mulf %wa, %wb : f32
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x?xf32>
  %w = linalg.generic {indexing_maps = [#hj, affine_map<(h, j) -> (j)>, #hj], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<8x?xf32>, tensor<?xf32>) outs(%es : tensor<8x?xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.addf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<8x?xf32>
  %p = linalg.softmax dimension(1) ins(%w : tensor<8x?xf32>) outs(%es : tensor<8x?xf32>) -> tensor<8x?xf32>
  %eh = tensor.empty(%n) : tensor<8x?xf16>
  %ph = linalg.generic {indexing_maps = [#hj, #hj], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x?xf32>) outs(%eh : tensor<8x?xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x?xf16>
  %er = tensor.empty() : tensor<8x16xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, n, j) -> (h, j)>, affine_map<(h, n, j) -> (h, j, n)>, affine_map<(h, n, j) -> (h, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ph, %v : tensor<8x?xf16>, tensor<8x?x16xf16>) outs(%zr : tensor<8x16xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %x = arith.mulf %wa, %wb : f32
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// A bias of each pair of places in a window, which comes as one row for each head: the scores keep their rows and keys
// apart, as the products need them.
#wij = affine_map<(w, h, i, j) -> (w, h, i, j)>
func.func @bias_of_a_window(%q: tensor<8x2x16x16xf16>, %k: tensor<8x2x16x16xf16>, %v: tensor<8x2x16x16xf16>, %table: tensor<2x256xf32>) -> tensor<8x2x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<8x2x16x16xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<8x2x16x16xf32>) -> tensor<8x2x16x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(w, h, i, j, k) -> (w, h, i, k)>, affine_map<(w, h, i, j, k) -> (w, h, j, k)>, affine_map<(w, h, i, j, k) -> (w, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x2x16x16xf16>, tensor<8x2x16x16xf16>) outs(%zs : tensor<8x2x16x16xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %wa = arith.extf %a : f16 to f32
    %wb = arith.extf %b : f16 to f32
    %x = arith.mulf %wa, %wb : f32
    %y = arith.addf %o, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x2x16x16xf32>
  %bias = tensor.expand_shape %table [[0], [1, 2]] output_shape [2, 16, 16] : tensor<2x256xf32> into tensor<2x16x16xf32>
  %w = linalg.generic {indexing_maps = [#wij, affine_map<(w, h, i, j) -> (h, i, j)>, #wij], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %bias : tensor<8x2x16x16xf32>, tensor<2x16x16xf32>) outs(%es : tensor<8x2x16x16xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.addf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<8x2x16x16xf32>
  %p = linalg.softmax dimension(3) ins(%w : tensor<8x2x16x16xf32>) outs(%es : tensor<8x2x16x16xf32>) -> tensor<8x2x16x16xf32>
  %eh = tensor.empty() : tensor<8x2x16x16xf16>
  %ph = linalg.generic {indexing_maps = [#wij, #wij], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<8x2x16x16xf32>) outs(%eh : tensor<8x2x16x16xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x2x16x16xf16>
  %flat = tensor.collapse_shape %ph [[0, 1], [2], [3]] : tensor<8x2x16x16xf16> into tensor<16x16x16xf16>
  %flat_v = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<8x2x16x16xf16> into tensor<16x16x16xf16>
  %er = tensor.empty() : tensor<16x16x16xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
  %r = linalg.batch_matmul ins(%flat, %flat_v : tensor<16x16x16xf16>, tensor<16x16x16xf16>) outs(%zr : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
  %back = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [8, 2, 16, 16] : tensor<16x16x16xf32> into tensor<8x2x16x16xf32>
  return %back : tensor<8x2x16x16xf32>
}

// What is added may be a long expression: 256 terms are read as one element.
func.func @long_expression(%q: tensor<4x32x16xf16>, %k: tensor<4x48x16xf16>, %v: tensor<4x48x16xf16>, %mask: tensor<32x48xf32>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<4x32x48xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %s = linalg.batch_matmul indexing_maps = [affine_map<(h, i, j, k) -> (h, i, k)>, affine_map<(h, i, j, k) -> (h, j, k)>, affine_map<(h, i, j, k) -> (h, i, j)>]
      ins(%q, %k : tensor<4x32x16xf16>, tensor<4x48x16xf16>) outs(%zs : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %ep = tensor.empty() : tensor<32x48xf32>
  %places = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%mask : tensor<32x48xf32>) outs(%ep : tensor<32x48xf32>) {
  ^bb0(%m: f32, %o: f32):
    %t1 = math.tanh %m : f32
    %t2 = arith.mulf %t1, %t1 : f32
    %t3 = arith.mulf %t2, %t2 : f32
    %t4 = arith.mulf %t3, %t3 : f32
    %t5 = arith.mulf %t4, %t4 : f32
    %t6 = arith.mulf %t5, %t5 : f32
    %t7 = arith.mulf %t6, %t6 : f32
    %t8 = arith.mulf %t7, %t7 : f32
    %t9 = arith.mulf %t8, %t8 : f32
    linalg.yield %t9 : f32
  } -> tensor<32x48xf32>
  %w = linalg.generic {indexing_maps = [#ij, affine_map<(h, i, j) -> (i, j)>, #ij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %places : tensor<4x32x48xf32>, tensor<32x48xf32>) outs(%es : tensor<4x32x48xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.addf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<4x32x48xf32>
  %p = linalg.softmax dimension(2) ins(%w : tensor<4x32x48xf32>) outs(%es : tensor<4x32x48xf32>) -> tensor<4x32x48xf32>
  %eh = tensor.empty() : tensor<4x32x48xf16>
  %ph = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<4x32x48xf32>) outs(%eh : tensor<4x32x48xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<4x32x48xf16>
  %er = tensor.empty() : tensor<4x32x16xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %r = linalg.batch_matmul ins(%ph, %v : tensor<4x32x48xf16>, tensor<4x48x16xf16>) outs(%zr : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %r : tensor<4x32x16xf32>
}

// $ raddle opt %s --to=configured | grep iree_linalg_ext.online_attention
//     %7:3 = iree_linalg_ext.online_attention {decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [1], reduction = [0, 0, 0, 48], subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]], workgroup = [1, 32, 0, 0]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]], workgroup = [1, 32, 48, 0]}>}, use_exp2 = false}, indexing_maps = [#map, #map1, #map2, #map3, #map4, #map5, #map6, #map7, #map7], lowering_config = #iree_gpu.lowering_config<{reduction = [0, 0, 0, 48, 0], workgroup = [1, 32, 0, 0, 0]}>, raddle.softmax} ins(%arg0, %arg1, %arg2, %cst, %arg4, %arg3 : tensor<4x32x16xf16>, tensor<4x48x16xf16>, tensor<4x48x16xf16>, f32, tensor<32x48xf32>, tensor<4x48xf16>) outs(%2, %4, %6 : tensor<4x32x16xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
//     %7:3 = iree_linalg_ext.online_attention {decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [1], reduction = [0, 0, 0, 48], subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]], workgroup = [1, 32, 0, 0]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]], workgroup = [1, 32, 48, 0]}>}, use_exp2 = false}, indexing_maps = [#map, #map1, #map2, #map3, #map4, #map6, #map7, #map7], lowering_config = #iree_gpu.lowering_config<{reduction = [0, 0, 0, 48, 0], workgroup = [1, 32, 0, 0, 0]}>, raddle.softmax} ins(%arg0, %arg1, %arg2, %cst, %arg3 : tensor<4x32x16xf16>, tensor<4x48x16xf16>, tensor<4x48x16xf16>, f32, tensor<32x48xi1>) outs(%2, %4, %6 : tensor<4x32x16xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
//     %9:3 = iree_linalg_ext.online_attention {decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [1], reduction = [0, 0, 0, 48], subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]], workgroup = [1, 32, 0, 0]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], subgroup_basis = [[1, 2, 1, 1], [0, 1, 2, 3]], workgroup = [1, 32, 48, 0]}>}, use_exp2 = false}, indexing_maps = [#map, #map1, #map2, #map3, #map4, #map6, #map7, #map7], lowering_config = #iree_gpu.lowering_config<{reduction = [0, 0, 0, 48, 0], workgroup = [1, 32, 0, 0, 0]}>, raddle.softmax} ins(%arg0, %arg1, %arg2, %cst, %1 : tensor<4x32x16xf16>, tensor<4x48x16xf16>, tensor<4x48x16xf16>, f32, tensor<32x48xf32>) outs(%4, %6, %8 : tensor<4x32x16xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
//     %8:3 = iree_linalg_ext.online_attention {decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [1], reduction = [0, 0, 0, 0, 64], subgroup_basis = [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]], workgroup = [1, 1, 16, 0, 0]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], subgroup_basis = [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]], workgroup = [1, 1, 16, 64, 0]}>}, use_exp2 = false}, indexing_maps = [#map13, #map14, #map15, #map16, #map17, #map18, #map19, #map19], lowering_config = #iree_gpu.lowering_config<{reduction = [0, 0, 0, 0, 64, 0], workgroup = [1, 1, 16, 0, 0, 0]}>, raddle.softmax} ins(%arg0, %expanded, %expanded_1, %cst, %expanded_3 : tensor<8x1x16xf16>, tensor<8x?x256x16xf16>, tensor<8x?x256x16xf16>, f32, tensor<?x256xf32>) outs(%3, %5, %7 : tensor<?x8x1x16xf32>, tensor<?x8x1xf32>, tensor<?x8x1xf32>) {
//     %7:3 = iree_linalg_ext.online_attention {decomposition_config = {pv_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [1], reduction = [0, 0, 0, 0, 16], subgroup_basis = [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]], workgroup = [1, 1, 16, 0, 0]}>}, qk_attrs = {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], subgroup_basis = [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]], workgroup = [1, 1, 16, 16, 0]}>}, use_exp2 = false}, indexing_maps = [#map25, #map26, #map27, #map16, #map28, #map18, #map19, #map19], lowering_config = #iree_gpu.lowering_config<{reduction = [0, 0, 0, 0, 16, 0], workgroup = [1, 1, 16, 0, 0, 0]}>, raddle.softmax} ins(%arg0, %arg1, %arg2, %cst, %arg3 : tensor<8x2x16x16xf16>, tensor<8x2x16x16xf16>, tensor<8x2x16x16xf16>, f32, tensor<2x16x16xf32>) outs(%2, %4, %6 : tensor<8x2x16x16xf32>, tensor<8x2x16xf32>, tensor<8x2x16xf32>) {

// $ raddle run %s --all
// ok       @two_added
// ok       @chosen
// ok       @one_row
// ok       @bias_of_a_window
// ok       @long_expression
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @two_added
// ok       @chosen
// ok       @one_row
// ok       @bias_of_a_window
// ok       @long_expression
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @two_added
// ok       @chosen
// ok       @one_row
// ok       @bias_of_a_window
// ok       @long_expression
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @two_added
// ok       @chosen
// ok       @one_row
// ok       @bias_of_a_window
// ok       @long_expression
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs
