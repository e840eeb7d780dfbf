// Sums of squares over two dimensions, and the greatest element of a row and its place, whose length no number of parts
// divides: what is computed in front of a reduction is computed in the kernel of its parts, and the root behind it in the
// one that combines them.
// RUN: raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
// RUN: raddle run %s --target=sm_90a --device=ptx-emu --function=argmax | grep correct
// RUN: raddle run %s --function=odd_weights | grep correct
#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0) -> (d0)>
#cube = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>
func.func @weight_norm(%a: tensor<768x48x128xf16>) -> tensor<128xf32> {
  %c = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<128xf32>
  %z = linalg.fill ins(%c : f32) outs(%em : tensor<128xf32>) -> tensor<128xf32>
  %fe = tensor.empty() : tensor<768x48x128xf32>
  %f = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<768x48x128xf16>) outs(%fe : tensor<768x48x128xf32>) {
  ^bb0(%x: f16, %o: f32):
    %e1 = arith.extf %x : f16 to f32
    %q = arith.mulf %e1, %e1 : f32
    linalg.yield %q : f32
  } -> tensor<768x48x128xf32>
  %r = linalg.generic {indexing_maps = [#cube, #last], iterator_types = ["reduction", "reduction", "parallel"]} ins(%f : tensor<768x48x128xf32>) outs(%z : tensor<128xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %g = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%r : tensor<128xf32>) outs(%em : tensor<128xf32>) {
  ^bb0(%x: f32, %o: f32):
    %q = math.sqrt %x : f32
    linalg.yield %q : f32
  } -> tensor<128xf32>
  return %g : tensor<128xf32>
}
func.func @odd_weights(%a: tensor<1201x7x24xf16>) -> tensor<24xf32> {
  %c = arith.constant 0.0 : f32
  %em = tensor.empty() : tensor<24xf32>
  %z = linalg.fill ins(%c : f32) outs(%em : tensor<24xf32>) -> tensor<24xf32>
  %fe = tensor.empty() : tensor<1201x7x24xf32>
  %f = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<1201x7x24xf16>) outs(%fe : tensor<1201x7x24xf32>) {
  ^bb0(%x: f16, %o: f32):
    %e1 = arith.extf %x : f16 to f32
    %q = arith.mulf %e1, %e1 : f32
    linalg.yield %q : f32
  } -> tensor<1201x7x24xf32>
  %r = linalg.generic {indexing_maps = [#cube, #last], iterator_types = ["reduction", "reduction", "parallel"]} ins(%f : tensor<1201x7x24xf32>) outs(%z : tensor<24xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  %g = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%r : tensor<24xf32>) outs(%em : tensor<24xf32>) {
  ^bb0(%x: f32, %o: f32):
    %q = math.sqrt %x : f32
    linalg.yield %q : f32
  } -> tensor<24xf32>
  return %g : tensor<24xf32>
}
func.func @argmax(%a: tensor<1x100003xf32>) -> (tensor<1xf32>, tensor<1xi64>) {
  %lo = arith.constant 0xFF800000 : f32
  %zi = arith.constant 0 : i64
  %ef = tensor.empty() : tensor<1xf32>
  %ei = tensor.empty() : tensor<1xi64>
  %f = linalg.fill ins(%lo : f32) outs(%ef : tensor<1xf32>) -> tensor<1xf32>
  %i = linalg.fill ins(%zi : i64) outs(%ei : tensor<1xi64>) -> tensor<1xi64>
  %r:2 = linalg.generic {indexing_maps = [#all, #rows, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<1x100003xf32>) outs(%f, %i : tensor<1xf32>, tensor<1xi64>) {
  ^bb0(%x: f32, %b: f32, %bi: i64):
    %n = linalg.index 1 : index
    %ni = arith.index_cast %n : index to i64
    %g = arith.cmpf ogt, %x, %b : f32
    %v = arith.select %g, %x, %b : f32
    %w = arith.select %g, %ni, %bi : i64
    linalg.yield %v, %w : f32, i64
  } -> (tensor<1xf32>, tensor<1xi64>)
  return %r#0, %r#1 : tensor<1xf32>, tensor<1xi64>
}

// $ raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
//   func.func @weight_norm_kernel_0(%arg0: tensor<768x48x128xf16>) -> tensor<128x192xf32> attributes {translation_info = #translation} {
//     %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%1 : tensor<192x4x48x128xf32>) outs(%3 : tensor<128x192xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 4, 8], [0, 1, 2, 3]], partial_reduction = [0, 1, 48, 0], subgroup_basis = [[1, 1, 4, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 8], workgroup = [1, 0, 0, 64]}>} {
//   func.func @weight_norm_kernel_1(%arg0: tensor<128x192xf32>) -> tensor<128xf32> attributes {translation_info = #translation1} {
//     %2 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<128x192xf32>) outs(%1 : tensor<128xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[2, 16], [0, 1]], partial_reduction = [0, 192], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [2, 0]}>} {
//   func.func @odd_weights_kernel_0(%arg0: tensor<1201x7x24xf16>) -> tensor<24x40xf32> attributes {translation_info = #translation2} {
//     %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%1 : tensor<40x30x7x24xf32>) outs(%3 : tensor<24x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 8, 4], [0, 1, 2, 3]], partial_reduction = [0, 32, 8, 0], subgroup_basis = [[1, 8, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 8], workgroup = [1, 0, 0, 32]}>} {
//   func.func @odd_weights_kernel_1(%arg0: tensor<1201x7x24xf16>, %arg1: tensor<24x40xf32>) -> tensor<24xf32> attributes {translation_info = #translation1} {
//     %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction"]} ins(%arg1 : tensor<24x40xf32>) outs(%4 : tensor<24xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[2, 16], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [2, 0]}>} {
//   func.func @argmax_kernel_0(%arg0: tensor<1x100003xf32>) -> tensor<1x100xf32> attributes {translation_info = #translation3} {
//     %2 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<1x100x1000xf32>) outs(%1 : tensor<1x100xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 1024], subgroup_basis = [[1, 1, 2], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 0]}>} {
//   func.func @argmax_kernel_1(%arg0: tensor<1x100003xf32>, %arg1: tensor<1x100xf32>) -> tensor<1xf32> attributes {translation_info = #translation1} {
//     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction"]} ins(%arg1 : tensor<1x100xf32>) outs(%2 : tensor<1xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [1, 0]}>} {
//   func.func @argmax_kernel_2(%arg0: tensor<1x100003xf32>, %arg1: tensor<1xf32>) -> tensor<1x100xi64> attributes {translation_info = #translation3} {
//     %2 = linalg.generic {indexing_maps = [#map5, #map8, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x100x1000xf32>, tensor<1xf32>) outs(%1 : tensor<1x100xi64>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 1024], subgroup_basis = [[1, 1, 2], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 0]}>} {
//   func.func @argmax_kernel_3(%arg0: tensor<1x100003xf32>, %arg1: tensor<1xf32>, %arg2: tensor<1x100xi64>) -> tensor<1xi64> attributes {translation_info = #translation1} {
//     %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction"]} ins(%arg2 : tensor<1x100xi64>) outs(%2 : tensor<1xi64>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 2], workgroup = [1, 0]}>} {

// $ raddle run %s --target=sm_90a --device=ptx-emu --function=argmax | grep correct
// correct: result 0, all 1 elements equal the reference bit for bit
// correct: result 1, all 1 elements equal the reference bit for bit

// $ raddle run %s --function=odd_weights | grep correct
// correct: all 24 elements agree with the reference within 4.31e-3 + 2.38e-7·|expected| (18 bit for bit)
