// Norms and a softmax of rows that are few and long: each pass over them is a kernel of many workgroups, and each sum is
// combined of its parts where it is used, by whoever uses it. The differences from the mean are computed again. Where the
// function returns a sum, or rows are enough for a chip, or short, less changes, or nothing; and a product keeps what is
// computed in front of it of a small sum.
// RUN: raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
// RUN: raddle run %s --target=sm_90a --device=ptx-emu --function=long_rows | grep correct
// RUN: raddle run %s --target=gfx942 --function=returns_the_means | grep correct
// RUN: raddle run %s --function=softmax | grep correct
#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#row = affine_map<(d0) -> (d0)>
#cube = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#middle = affine_map<(d0, d1, d2) -> (d1)>
func.func @long_rows(%a: tensor<2x90001xf16>) -> tensor<2x90001xf16> {
  %c = arith.constant 0.0 : f32
  %n = arith.constant 90001.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<2xf32>
  %w = tensor.empty() : tensor<2x90001xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x90001xf16>) outs(%w : tensor<2x90001xf32>) {
  ^bb0(%i: f16, %o: f32):
    %x = arith.extf %i : f16 to f32
    linalg.yield %x : f32
  } -> tensor<2x90001xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%u : tensor<2x90001xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %i, %o : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %m = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%s : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.divf %i, %n : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %d = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%u, %m : tensor<2x90001xf32>, tensor<2xf32>) outs(%w : tensor<2x90001xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.subf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<2x90001xf32>
  %v = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<2x90001xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %k = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%v : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.divf %i, %n : f32
    %p2 = arith.addf %p, %eps : f32
    %q = math.rsqrt %p2 : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %oe = tensor.empty() : tensor<2x90001xf16>
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%d, %k : tensor<2x90001xf32>, tensor<2xf32>) outs(%oe : tensor<2x90001xf16>) {
  ^bb0(%i: f32, %j: f32, %o: f16):
    %q = arith.mulf %i, %j : f32
    %y = arith.truncf %q : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x90001xf16>
  return %r : tensor<2x90001xf16>
}
func.func @short_rows(%a: tensor<8x4096xf16>) -> tensor<8x4096xf16> {
  %c = arith.constant 0.0 : f32
  %n = arith.constant 4096.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<8xf32>
  %w = tensor.empty() : tensor<8x4096xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x4096xf16>) outs(%w : tensor<8x4096xf32>) {
  ^bb0(%i: f16, %o: f32):
    %x = arith.extf %i : f16 to f32
    linalg.yield %x : f32
  } -> tensor<8x4096xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%u : tensor<8x4096xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %i, %o : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.divf %i, %n : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%u, %m : tensor<8x4096xf32>, tensor<8xf32>) outs(%w : tensor<8x4096xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.subf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<8x4096xf32>
  %v = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<8x4096xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %k = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%v : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.divf %i, %n : f32
    %p2 = arith.addf %p, %eps : f32
    %q = math.rsqrt %p2 : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %oe = tensor.empty() : tensor<8x4096xf16>
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%d, %k : tensor<8x4096xf32>, tensor<8xf32>) outs(%oe : tensor<8x4096xf16>) {
  ^bb0(%i: f32, %j: f32, %o: f16):
    %q = arith.mulf %i, %j : f32
    %y = arith.truncf %q : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x4096xf16>
  return %r : tensor<8x4096xf16>
}
func.func @many_rows(%a: tensor<256x65536xf16>) -> tensor<256x65536xf16> {
  %c = arith.constant 0.0 : f32
  %n = arith.constant 65536.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<256xf32>
  %w = tensor.empty() : tensor<256x65536xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<256x65536xf16>) outs(%w : tensor<256x65536xf32>) {
  ^bb0(%i: f16, %o: f32):
    %x = arith.extf %i : f16 to f32
    linalg.yield %x : f32
  } -> tensor<256x65536xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%u : tensor<256x65536xf32>) outs(%z : tensor<256xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %i, %o : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %m = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%s : tensor<256xf32>) outs(%e : tensor<256xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.divf %i, %n : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %d = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%u, %m : tensor<256x65536xf32>, tensor<256xf32>) outs(%w : tensor<256x65536xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.subf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<256x65536xf32>
  %v = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<256x65536xf32>) outs(%z : tensor<256xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %k = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%v : tensor<256xf32>) outs(%e : tensor<256xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.divf %i, %n : f32
    %p2 = arith.addf %p, %eps : f32
    %q = math.rsqrt %p2 : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %oe = tensor.empty() : tensor<256x65536xf16>
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%d, %k : tensor<256x65536xf32>, tensor<256xf32>) outs(%oe : tensor<256x65536xf16>) {
  ^bb0(%i: f32, %j: f32, %o: f16):
    %q = arith.mulf %i, %j : f32
    %y = arith.truncf %q : f32 to f16
    linalg.yield %y : f16
  } -> tensor<256x65536xf16>
  return %r : tensor<256x65536xf16>
}
func.func @returns_the_means(%a: tensor<2x98304xf32>) -> (tensor<2x98304xf32>, tensor<2xf32>) {
  %c = arith.constant 0.0 : f32
  %n = arith.constant 98304.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<2xf32>
  %w = tensor.empty() : tensor<2x98304xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x98304xf32>) outs(%w : tensor<2x98304xf32>) {
  ^bb0(%i: f32, %o: f32):
    %one = arith.constant 0.0 : f32
    %x = arith.addf %i, %one : f32
    linalg.yield %x : f32
  } -> tensor<2x98304xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%u : tensor<2x98304xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %i, %o : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %m = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%s : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.divf %i, %n : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %d = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%u, %m : tensor<2x98304xf32>, tensor<2xf32>) outs(%w : tensor<2x98304xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.subf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<2x98304xf32>
  %v = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<2x98304xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %k = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%v : tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.divf %i, %n : f32
    %p2 = arith.addf %p, %eps : f32
    %q = math.rsqrt %p2 : f32
    linalg.yield %q : f32
  } -> tensor<2xf32>
  %oe = tensor.empty() : tensor<2x98304xf32>
  %r = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%d, %k : tensor<2x98304xf32>, tensor<2xf32>) outs(%oe : tensor<2x98304xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.mulf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<2x98304xf32>
  return %r, %m : tensor<2x98304xf32>, tensor<2xf32>
}
func.func @batch_norm(%a: tensor<8x7x12544xf32>) -> tensor<8x7x12544xf32> {
  %c = arith.constant 0.0 : f32
  %n = arith.constant 100352.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<7xf32>
  %w = tensor.empty() : tensor<8x7x12544xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %u = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<8x7x12544xf32>) outs(%w : tensor<8x7x12544xf32>) {
  ^bb0(%i: f32, %o: f32):
    %one = arith.constant 0.0 : f32
    %x = arith.addf %i, %one : f32
    linalg.yield %x : f32
  } -> tensor<8x7x12544xf32>
  %s = linalg.generic {indexing_maps = [#cube, #middle], iterator_types = ["reduction", "parallel", "reduction"]} ins(%u : tensor<8x7x12544xf32>) outs(%z : tensor<7xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %i, %o : f32
    linalg.yield %q : f32
  } -> tensor<7xf32>
  %m = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%s : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.divf %i, %n : f32
    linalg.yield %q : f32
  } -> tensor<7xf32>
  %d = linalg.generic {indexing_maps = [#cube, #middle, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u, %m : tensor<8x7x12544xf32>, tensor<7xf32>) outs(%w : tensor<8x7x12544xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.subf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<8x7x12544xf32>
  %v = linalg.generic {indexing_maps = [#cube, #middle], iterator_types = ["reduction", "parallel", "reduction"]} ins(%d : tensor<8x7x12544xf32>) outs(%z : tensor<7xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.mulf %i, %i : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<7xf32>
  %k = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%v : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%i: f32, %o: f32):
    %p = arith.divf %i, %n : f32
    %p2 = arith.addf %p, %eps : f32
    %q = math.rsqrt %p2 : f32
    linalg.yield %q : f32
  } -> tensor<7xf32>
  %oe = tensor.empty() : tensor<8x7x12544xf32>
  %r = linalg.generic {indexing_maps = [#cube, #middle, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %k : tensor<8x7x12544xf32>, tensor<7xf32>) outs(%oe : tensor<8x7x12544xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %q = arith.mulf %i, %j : f32
    linalg.yield %q : f32
  } -> tensor<8x7x12544xf32>
  return %r : tensor<8x7x12544xf32>
}
func.func @softmax(%a: tensor<2x131072xf32>) -> tensor<2x131072xf32> {
  %e = tensor.empty() : tensor<2x131072xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<2x131072xf32>) outs(%e : tensor<2x131072xf32>) -> tensor<2x131072xf32>
  return %r : tensor<2x131072xf32>
}
func.func @short_softmax(%a: tensor<16x4096xf32>) -> tensor<16x4096xf32> {
  %e = tensor.empty() : tensor<16x4096xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<16x4096xf32>) outs(%e : tensor<16x4096xf32>) -> tensor<16x4096xf32>
  return %r : tensor<16x4096xf32>
}
func.func @a_product_behind_a_small_sum(%x: tensor<8x784x768xf16>, %g: tensor<8x768xf32>, %w: tensor<768x192xf16>) -> tensor<8x784x192xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<8x768xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %q = arith.addf %i, %o : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  %ye = tensor.empty() : tensor<8x784x768xf16>
  %y = linalg.generic {indexing_maps = [#cube, affine_map<(d0, d1, d2) -> (d0)>, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<8x784x768xf16>, tensor<8xf32>) outs(%ye : tensor<8x784x768xf16>) {
  ^bb0(%i: f16, %j: f32, %o: f16):
    %v = arith.extf %i : f16 to f32
    %q = arith.mulf %v, %j : f32
    %t = arith.truncf %q : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x784x768xf16>
  %re = tensor.empty() : tensor<8x784x192xf32>
  %rz = linalg.fill ins(%c : f32) outs(%re : tensor<8x784x192xf32>) -> tensor<8x784x192xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%y, %w : tensor<8x784x768xf16>, tensor<768x192xf16>) outs(%rz : tensor<8x784x192xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %ax = arith.extf %a : f16 to f32
    %bx = arith.extf %b : f16 to f32
    %p = arith.mulf %ax, %bx : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<8x784x192xf32>
  return %r : tensor<8x784x192xf32>
}

// $ raddle opt %s --target=sm_90a --to configured | grep -e func.func -e lowering_config
//   func.func @short_rows(%arg0: tensor<8x4096xf16>) -> tensor<8x4096xf16> attributes {translation_info = #translation} {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<8x4096xf32>) outs(%2 : tensor<8xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 8], workgroup = [1, 0]}>} {
//   func.func @many_rows(%arg0: tensor<256x65536xf16>) -> tensor<256x65536xf16> attributes {translation_info = #translation1} {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<256x65536xf32>) outs(%2 : tensor<256xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 16384], subgroup_basis = [[1, 32], [0, 1]], thread = [1, 8], workgroup = [1, 0]}>} {
//   func.func @short_softmax(%arg0: tensor<16x4096xf32>) -> tensor<16x4096xf32> attributes {translation_info = #translation} {
//     %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<16x4096xf32>) outs(%2 : tensor<16xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 4], workgroup = [1, 0]}>} {
//   func.func @long_rows_kernel_0(%arg0: tensor<2x90001xf16>) -> tensor<2x45xf32> attributes {translation_info = #translation2} {
//     %4 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x45x2000xf32>) outs(%3 : tensor<2x45xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 2048], subgroup_basis = [[1, 1, 2], [0, 1, 2]], thread = [1, 1, 8], workgroup = [1, 1, 0]}>} {
//   func.func @long_rows_kernel_1(%arg0: tensor<2x90001xf16>, %arg1: tensor<2x45xf32>) -> tensor<2x45xf32> attributes {translation_info = #translation2} {
//     %19 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<2x45x2000xf32>) outs(%18 : tensor<2x45xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], subgroup_basis = [[1, 1, 2], [0, 1, 2]], thread = [1, 1, 8], workgroup = [1, 1, 0]}>} {
//   func.func @long_rows_kernel_2(%arg0: tensor<2x90001xf16>, %arg1: tensor<2x45xf32>, %arg2: tensor<2x45xf32>) -> tensor<2x90001xf16> attributes {translation_info = #translation} {
//     %28 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %26 : tensor<2x90001xf32>, tensor<2xf32>) outs(%27 : tensor<2x90001xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 1], workgroup = [1, 768]}>} {
//   func.func @returns_the_means_kernel_0(%arg0: tensor<2x98304xf32>) -> tensor<2x24xf32> attributes {translation_info = #translation3} {
//     %4 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x24x4096xf32>) outs(%3 : tensor<2x24xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 4096], subgroup_basis = [[1, 1, 8], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 0]}>} {
//   func.func @returns_the_means_kernel_1(%arg0: tensor<2x24xf32>) -> tensor<2xf32> attributes {translation_info = #translation4} {
//     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<2x24xf32>) outs(%1 : tensor<2xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[2, 8], [0, 1]], partial_reduction = [0, 32], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [2, 0]}>} {
//   func.func @returns_the_means_kernel_2(%arg0: tensor<2x98304xf32>, %arg1: tensor<2xf32>) -> tensor<2x24xf32> attributes {translation_info = #translation3} {
//     %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x24x4096xf32>) outs(%5 : tensor<2x24xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 4096], subgroup_basis = [[1, 1, 8], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 0]}>} {
//   func.func @returns_the_means_kernel_3(%arg0: tensor<2x98304xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x24xf32>) -> tensor<2x98304xf32> attributes {translation_info = #translation} {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<2x98304xf32>, tensor<2xf32>) outs(%0 : tensor<2x98304xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 4], workgroup = [1, 512]}>} {
//   func.func @batch_norm_kernel_0(%arg0: tensor<8x7x12544xf32>) -> tensor<7x49xf32> attributes {translation_info = #translation2} {
//     %4 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins(%1 : tensor<8x7x49x256xf32>) outs(%3 : tensor<7x49xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 32], [0, 1, 2, 3]], partial_reduction = [4, 0, 0, 256], subgroup_basis = [[2, 1, 1, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 4], workgroup = [0, 1, 1, 0]}>} {
//   func.func @batch_norm_kernel_1(%arg0: tensor<8x7x12544xf32>, %arg1: tensor<7x49xf32>) -> tensor<7x49xf32> attributes {translation_info = #translation2} {
//     %10 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["reduction", "parallel", "parallel", "reduction"]} ins(%7 : tensor<8x7x49x256xf32>) outs(%9 : tensor<7x49xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 32], [0, 1, 2, 3]], subgroup_basis = [[1, 1, 1, 2], [0, 1, 2, 3]], thread = [1, 1, 1, 4], workgroup = [0, 1, 1, 0]}>} {
//   func.func @batch_norm_kernel_2(%arg0: tensor<8x7x12544xf32>, %arg1: tensor<7x49xf32>, %arg2: tensor<7x49xf32>) -> tensor<8x7x12544xf32> attributes {translation_info = #translation} {
//     %10 = linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %9 : tensor<8x7x12544xf32>, tensor<7xf32>) outs(%0 : tensor<8x7x12544xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], subgroup_basis = [[1, 1, 4], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 3072]}>} {
//   func.func @softmax_kernel_0(%arg0: tensor<2x131072xf32>) -> tensor<2x32xf32> attributes {translation_info = #translation3} {
//     %2 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x32x4096xf32>) outs(%1 : tensor<2x32xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], partial_reduction = [0, 0, 4096], subgroup_basis = [[1, 1, 8], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 0]}>} {
//   func.func @softmax_kernel_1(%arg0: tensor<2x32xf32>, %arg1: tensor<2x131072xf32>) -> tensor<2x64xf32> attributes {translation_info = #translation2} {
//     %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x64x2048xf32>) outs(%6 : tensor<2x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], subgroup_basis = [[1, 1, 2], [0, 1, 2]], thread = [1, 1, 4], workgroup = [1, 1, 0]}>} {
//   func.func @softmax_kernel_2(%arg0: tensor<2x32xf32>, %arg1: tensor<2x131072xf32>, %arg2: tensor<2x64xf32>) -> tensor<2x131072xf32> attributes {translation_info = #translation} {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<2x131072xf32>, tensor<2xf32>) outs(%3 : tensor<2x131072xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 4], [0, 1]], thread = [1, 4], workgroup = [1, 1024]}>} {
//   func.func @a_product_behind_a_small_sum_kernel_0(%arg0: tensor<8x768xf32>) -> tensor<8xf32> attributes {translation_info = #translation2} {
//     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<8x768xf32>) outs(%1 : tensor<8xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], partial_reduction = [0, 768], subgroup_basis = [[1, 2], [0, 1]], thread = [1, 4], workgroup = [1, 0]}>} {
//   func.func @a_product_behind_a_small_sum_kernel_1(%arg0: tensor<8x784x768xf16>, %arg1: tensor<8xf32>, %arg2: tensor<768x192xf16>) -> tensor<8x784x192xf32> attributes {translation_info = #translation} {
//     %4 = linalg.generic {indexing_maps = [#map10, #map11, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%1, %arg2 : tensor<8x784x768xf16>, tensor<768x192xf16>) outs(%3 : tensor<8x784x192xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 0, 64], subgroup_basis = [[1, 4, 1, 1], [0, 1, 2, 3]], workgroup = [1, 64, 192, 0]}>} {

// $ raddle run %s --target=sm_90a --device=ptx-emu --function=long_rows | grep correct
// correct: all 180002 elements agree with the reference within 8.11e-3 + 1.95e-3·|expected| (179978 bit for bit)

// $ raddle run %s --target=gfx942 --function=returns_the_means | grep correct
// correct: result 0, all 196608 elements agree with the reference within 3.07e-4 + 2.38e-7·|expected| (75991 bit for bit)
// correct: result 1, all 2 elements agree with the reference within 3.34e-7 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle run %s --function=softmax | grep correct
// correct: all 262144 elements agree with the reference within 2.16e-9 + 2.38e-7·|expected| (59037 bit for bit)
