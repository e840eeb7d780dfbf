// Two numbers of four bits in a byte, with a scale for each group of them: a product of few rows takes them apart itself, in
// one kernel, and reads 16 bytes of them at a time.
// RUN: raddle opt %s --target=sm_90a --to=configured | grep -e func.func -e partial_reduction
// RUN: raddle build %s --target=sm_90a --function=some_groups -o - | grep -c ld.global.nc.v4.b32
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
#all = affine_map<(n, g, k) -> (n, g, k)>
#group = affine_map<(n, g, k) -> (n, g)>
#two = affine_map<(n, k) -> (n, k)>
func.func @some_groups(%x: tensor<5x896xf16>, %q: tensor<100x448xi8>, %scale: tensor<100x7xf16>) -> tensor<5x100xf32> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8.0 : f16
  %eb = tensor.empty() : tensor<100x448xi8>
  %lo = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<100x448xi8>) outs(%eb : tensor<100x448xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.andi %a, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<100x448xi8>
  %hi = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<100x448xi8>) outs(%eb : tensor<100x448xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.shrui %a, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<100x448xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [100, 448, 1] : tensor<100x448xi8> into tensor<100x448x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [100, 448, 1] : tensor<100x448xi8> into tensor<100x448x1xi8>
  %both = tensor.concat dim(2) %lo1, %hi1 : (tensor<100x448x1xi8>, tensor<100x448x1xi8>) -> tensor<100x448x2xi8>
  %flat = tensor.collapse_shape %both [[0], [1, 2]] : tensor<100x448x2xi8> into tensor<100x896xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [100, 7, 128] : tensor<100x896xi8> into tensor<100x7x128xi8>
  %e = tensor.empty() : tensor<100x7x128xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<100x7x128xi8>, tensor<100x7xf16>) outs(%e : tensor<100x7x128xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %b = arith.uitofp %a : i8 to f16
    %c = arith.subf %b, %c8 : f16
    %r = arith.mulf %c, %s : f16
    linalg.yield %r : f16
  } -> tensor<100x7x128xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<100x7x128xf16> into tensor<100x896xf16>
  %f = tensor.empty() : tensor<5x100xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<5x100xf32>) -> tensor<5x100xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<5x896xf16>, tensor<100x896xf16>) outs(%zeros : tensor<5x100xf32>) -> tensor<5x100xf32>
  return %r : tensor<5x100xf32>
}
func.func @two_groups(%x: tensor<8x512xf16>, %q: tensor<40x256xi8>, %scale: tensor<40x2xf16>) -> tensor<8x40xf32> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8.0 : f16
  %eb = tensor.empty() : tensor<40x256xi8>
  %lo = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<40x256xi8>) outs(%eb : tensor<40x256xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.andi %a, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<40x256xi8>
  %hi = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<40x256xi8>) outs(%eb : tensor<40x256xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.shrui %a, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<40x256xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [40, 256, 1] : tensor<40x256xi8> into tensor<40x256x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [40, 256, 1] : tensor<40x256xi8> into tensor<40x256x1xi8>
  %both = tensor.concat dim(2) %lo1, %hi1 : (tensor<40x256x1xi8>, tensor<40x256x1xi8>) -> tensor<40x256x2xi8>
  %flat = tensor.collapse_shape %both [[0], [1, 2]] : tensor<40x256x2xi8> into tensor<40x512xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [40, 2, 256] : tensor<40x512xi8> into tensor<40x2x256xi8>
  %e = tensor.empty() : tensor<40x2x256xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<40x2x256xi8>, tensor<40x2xf16>) outs(%e : tensor<40x2x256xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %b = arith.uitofp %a : i8 to f16
    %c = arith.subf %b, %c8 : f16
    %r = arith.mulf %c, %s : f16
    linalg.yield %r : f16
  } -> tensor<40x2x256xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<40x2x256xf16> into tensor<40x512xf16>
  %f = tensor.empty() : tensor<8x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<8x40xf32>) -> tensor<8x40xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<8x512xf16>, tensor<40x512xf16>) outs(%zeros : tensor<8x40xf32>) -> tensor<8x40xf32>
  return %r : tensor<8x40xf32>
}
func.func @many_rows(%x: tensor<40x512xf16>, %q: tensor<40x256xi8>, %scale: tensor<40x2xf16>) -> tensor<40x40xf32> {
  %zero = arith.constant 0.0 : f32
  %c15 = arith.constant 15 : i8
  %c4 = arith.constant 4 : i8
  %c8 = arith.constant 8.0 : f16
  %eb = tensor.empty() : tensor<40x256xi8>
  %lo = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<40x256xi8>) outs(%eb : tensor<40x256xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.andi %a, %c15 : i8
    linalg.yield %r : i8
  } -> tensor<40x256xi8>
  %hi = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<40x256xi8>) outs(%eb : tensor<40x256xi8>) {
  ^bb0(%a: i8, %o: i8):
    %r = arith.shrui %a, %c4 : i8
    linalg.yield %r : i8
  } -> tensor<40x256xi8>
  %lo1 = tensor.expand_shape %lo [[0], [1, 2]] output_shape [40, 256, 1] : tensor<40x256xi8> into tensor<40x256x1xi8>
  %hi1 = tensor.expand_shape %hi [[0], [1, 2]] output_shape [40, 256, 1] : tensor<40x256xi8> into tensor<40x256x1xi8>
  %both = tensor.concat dim(2) %lo1, %hi1 : (tensor<40x256x1xi8>, tensor<40x256x1xi8>) -> tensor<40x256x2xi8>
  %flat = tensor.collapse_shape %both [[0], [1, 2]] : tensor<40x256x2xi8> into tensor<40x512xi8>
  %groups = tensor.expand_shape %flat [[0], [1, 2]] output_shape [40, 2, 256] : tensor<40x512xi8> into tensor<40x2x256xi8>
  %e = tensor.empty() : tensor<40x2x256xf16>
  %scaled = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%groups, %scale : tensor<40x2x256xi8>, tensor<40x2xf16>) outs(%e : tensor<40x2x256xf16>) {
  ^bb0(%a: i8, %s: f16, %o: f16):
    %b = arith.uitofp %a : i8 to f16
    %c = arith.subf %b, %c8 : f16
    %r = arith.mulf %c, %s : f16
    linalg.yield %r : f16
  } -> tensor<40x2x256xf16>
  %w = tensor.collapse_shape %scaled [[0], [1, 2]] : tensor<40x2x256xf16> into tensor<40x512xf16>
  %f = tensor.empty() : tensor<40x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%f : tensor<40x40xf32>) -> tensor<40x40xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<40x512xf16>, tensor<40x512xf16>) outs(%zeros : tensor<40x40xf32>) -> tensor<40x40xf32>
  return %r : tensor<40x40xf32>
}

// $ raddle opt %s --target=sm_90a --to=configured | grep -e func.func -e partial_reduction
//   func.func @some_groups(%arg0: tensor<5x896xf16>, %arg1: tensor<100x448xi8>, %arg2: tensor<100x7xf16>) -> tensor<5x100xf32> attributes {translation_info = #translation} {
//     %10 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%7, %expanded_2 : tensor<100x7x64x2xf16>, tensor<5x7x64x2xf16>) outs(%9 : tensor<5x100xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, partial_reduction = [0, 0, 4, 0, 0], reduction = [0, 0, 0, 64, 0], subgroup_basis = [[1, 1, 4, 1, 1], [0, 1, 2, 3, 4]], thread = [0, 0, 0, 16, 2], workgroup = [8, 16, 0, 0, 0]}>} {
//   func.func @two_groups(%arg0: tensor<8x512xf16>, %arg1: tensor<40x256xi8>, %arg2: tensor<40x2xf16>) -> tensor<8x40xf32> attributes {translation_info = #translation1} {
//     %10 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%7, %expanded_2 : tensor<40x2x128x2xf16>, tensor<8x2x128x2xf16>) outs(%9 : tensor<8x40xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>, partial_reduction = [0, 0, 1, 0, 0], reduction = [0, 0, 0, 128, 0], subgroup_basis = [[1, 1, 1, 1, 1], [0, 1, 2, 3, 4]], thread = [0, 0, 0, 16, 2], workgroup = [8, 16, 0, 0, 0]}>} {
//   func.func @many_rows_kernel_0(%arg0: tensor<40x256xi8>, %arg1: tensor<40x2xf16>) -> tensor<40x2x128x2xf16> attributes {translation_info = #translation1} {
//   func.func @many_rows_kernel_1(%arg0: tensor<40x512xf16>, %arg1: tensor<40x512xf16>) -> tensor<40x40xf32> attributes {translation_info = #translation2} {

// $ raddle build %s --target=sm_90a --function=some_groups -o - | grep -c ld.global.nc.v4.b32
// 6

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @some_groups
// ok       @two_groups
// ok       @many_rows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @some_groups
// ok       @two_groups
// ok       @many_rows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
