// Attention as programs of 16-bit floats write it: scores are rounded, scaled and masked as such, a maximum comes with an
// index that nobody reads, and products are of collapsed batches, while the mask is one for all heads of a sequence. It is
// one kernel that reads each tensor where it lies.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=cpu
// RUN: raddle run %s --all --target=gfx942
func.func @mask_of_keys(%q: tensor<2x40x3x32xf16>, %k: tensor<2x40x3x32xf16>, %v: tensor<2x40x3x32xf16>, %mask: tensor<2x1x1x40xf16>) -> tensor<2x40x3x32xf16> {
  %first = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f16
  %qte = tensor.empty() : tensor<2x3x40x32xf16>
  %qt = linalg.transpose ins(%q : tensor<2x40x3x32xf16>) outs(%qte : tensor<2x3x40x32xf16>) permutation = [0, 2, 1, 3]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x3x40x32xf16> into tensor<6x40x32xf16>
  %kte = tensor.empty() : tensor<2x3x32x40xf16>
  %kt = linalg.transpose ins(%k : tensor<2x40x3x32xf16>) outs(%kte : tensor<2x3x32x40xf16>) permutation = [0, 2, 3, 1]
  %vte = tensor.empty() : tensor<2x3x40x32xf16>
  %vt = linalg.transpose ins(%v : tensor<2x40x3x32xf16>) outs(%vte : tensor<2x3x40x32xf16>) permutation = [0, 2, 1, 3]
  %kc = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x32x40xf16> into tensor<6x32x40xf16>
  %vc = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x3x40x32xf16> into tensor<6x40x32xf16>
  %se = tensor.empty() : tensor<6x40x40xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<6x40x40xf32>) -> tensor<6x40x40xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<6x40x32xf16>, tensor<6x32x40xf16>) outs(%sz : tensor<6x40x40xf32>) -> tensor<6x40x40xf32>
  %sn = tensor.empty() : tensor<6x40x40xf16>
  %sh = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<6x40x40xf32>) outs(%sn : tensor<6x40x40xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<6x40x40xf16>
  %sx = tensor.expand_shape %sh [[0, 1], [2], [3]] output_shape [2, 3, 40, 40] : tensor<6x40x40xf16> into tensor<2x3x40x40xf16>
  %e = tensor.empty() : tensor<2x3x40x40xf16>
  %e32 = tensor.empty() : tensor<2x3x40x40xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sx : tensor<2x3x40x40xf16>) outs(%e : tensor<2x3x40x40xf16>) {
  ^bb0(%x: f16, %o: f16):
    %y = arith.mulf %x, %scale : f16
    linalg.yield %y : f16
  } -> tensor<2x3x40x40xf16>
  %masked = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, 0, 0, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %mask : tensor<2x3x40x40xf16>, tensor<2x1x1x40xf16>) outs(%e : tensor<2x3x40x40xf16>) {
  ^bb0(%x: f16, %m: f16, %o: f16):
    %y = arith.addf %x, %m : f16
    linalg.yield %y : f16
  } -> tensor<2x3x40x40xf16>
  %wide = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked : tensor<2x3x40x40xf16>) outs(%e32 : tensor<2x3x40x40xf32>) {
  ^bb0(%x: f16, %o: f32):
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<2x3x40x40xf32>
  %ie = tensor.empty() : tensor<2x3x40xi64>
  %i0 = linalg.fill ins(%first : i64) outs(%ie : tensor<2x3x40xi64>) -> tensor<2x3x40xi64>
  %me = tensor.empty() : tensor<2x3x40xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%me : tensor<2x3x40xf32>) -> tensor<2x3x40xf32>
  %max:2 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>, affine_map<(a, b, c, d) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%wide : tensor<2x3x40x40xf32>) outs(%m0, %i0 : tensor<2x3x40xf32>, tensor<2x3x40xi64>) {
  ^bb0(%x: f32, %m: f32, %i: i64):
    %d = linalg.index 3 : index
    %j = arith.index_cast %d : index to i64
    %y = arith.maximumf %x, %m : f32
    %g = arith.cmpf ogt, %x, %m : f32
    %n = arith.select %g, %j, %i : i64
    linalg.yield %y, %n : f32, i64
  } -> (tensor<2x3x40xf32>, tensor<2x3x40xi64>)
  %maxx = tensor.expand_shape %max#0 [[0], [1], [2, 3]] output_shape [2, 3, 40, 1] : tensor<2x3x40xf32> into tensor<2x3x40x1xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%wide, %maxx : tensor<2x3x40x40xf32>, tensor<2x3x40x1xf32>) outs(%e32 : tensor<2x3x40x40xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.subf %x, %m : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32
  } -> tensor<2x3x40x40xf32>
  %sume = tensor.empty() : tensor<2x3x40x1xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%sume : tensor<2x3x40x1xf32>) -> tensor<2x3x40x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%powers : tensor<2x3x40x40xf32>) outs(%sum0 : tensor<2x3x40x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x3x40x1xf32>
  %parts = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x3x40x40xf32>, tensor<2x3x40x1xf32>) outs(%e : tensor<2x3x40x40xf16>) {
  ^bb0(%x: f32, %m: f32, %o: f16):
    %y = arith.divf %x, %m : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<2x3x40x40xf16>
  %pc = tensor.collapse_shape %parts [[0, 1], [2], [3]] : tensor<2x3x40x40xf16> into tensor<6x40x40xf16>
  %re = tensor.empty() : tensor<6x40x32xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<6x40x32xf32>) -> tensor<6x40x32xf32>
  %r = linalg.batch_matmul ins(%pc, %vc : tensor<6x40x40xf16>, tensor<6x40x32xf16>) outs(%rz : tensor<6x40x32xf32>) -> tensor<6x40x32xf32>
  %rn = tensor.empty() : tensor<6x40x32xf16>
  %rh = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<6x40x32xf32>) outs(%rn : tensor<6x40x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<6x40x32xf16>
  %rx = tensor.expand_shape %rh [[0, 1], [2], [3]] output_shape [2, 3, 40, 32] : tensor<6x40x32xf16> into tensor<2x3x40x32xf16>
  %oute = tensor.empty() : tensor<2x40x3x32xf16>
  %out = linalg.transpose ins(%rx : tensor<2x3x40x32xf16>) outs(%oute : tensor<2x40x3x32xf16>) permutation = [0, 2, 1, 3]
  return %out : tensor<2x40x3x32xf16>
}

func.func @heads_that_share_keys(%q: tensor<2x24x4x16xf16>, %k: tensor<2x24x2x16xf16>, %v: tensor<2x24x2x16xf16>, %mask: tensor<2x1x24x24xf16>) -> tensor<2x24x4x16xf16> {
  %first = arith.constant 0 : i64
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f16
  %qte = tensor.empty() : tensor<2x4x24x16xf16>
  %qt = linalg.transpose ins(%q : tensor<2x24x4x16xf16>) outs(%qte : tensor<2x4x24x16xf16>) permutation = [0, 2, 1, 3]
  %qc = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x4x24x16xf16> into tensor<8x24x16xf16>
  %kte = tensor.empty() : tensor<2x2x24x16xf16>
  %kt = linalg.transpose ins(%k : tensor<2x24x2x16xf16>) outs(%kte : tensor<2x2x24x16xf16>) permutation = [0, 2, 1, 3]
  %kre = tensor.empty() : tensor<2x2x2x24x16xf16>
  %kr = linalg.broadcast ins(%kt : tensor<2x2x24x16xf16>) outs(%kre : tensor<2x2x2x24x16xf16>) dimensions = [2]
  %vte = tensor.empty() : tensor<2x2x24x16xf16>
  %vt = linalg.transpose ins(%v : tensor<2x24x2x16xf16>) outs(%vte : tensor<2x2x24x16xf16>) permutation = [0, 2, 1, 3]
  %vre = tensor.empty() : tensor<2x2x2x24x16xf16>
  %vr = linalg.broadcast ins(%vt : tensor<2x2x24x16xf16>) outs(%vre : tensor<2x2x2x24x16xf16>) dimensions = [2]
  %kh = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<2x2x2x24x16xf16> into tensor<2x4x24x16xf16>
  %kxe = tensor.empty() : tensor<2x4x16x24xf16>
  %kx = linalg.transpose ins(%kh : tensor<2x4x24x16xf16>) outs(%kxe : tensor<2x4x16x24xf16>) permutation = [0, 1, 3, 2]
  %kc = tensor.collapse_shape %kx [[0, 1], [2], [3]] : tensor<2x4x16x24xf16> into tensor<8x16x24xf16>
  %vc = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<2x2x2x24x16xf16> into tensor<8x24x16xf16>
  %se = tensor.empty() : tensor<8x24x24xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<8x24x16xf16>, tensor<8x16x24xf16>) outs(%sz : tensor<8x24x24xf32>) -> tensor<8x24x24xf32>
  %sn = tensor.empty() : tensor<8x24x24xf16>
  %sh = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<8x24x24xf32>) outs(%sn : tensor<8x24x24xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x24x24xf16>
  %sx = tensor.expand_shape %sh [[0, 1], [2], [3]] output_shape [2, 4, 24, 24] : tensor<8x24x24xf16> into tensor<2x4x24x24xf16>
  %e = tensor.empty() : tensor<2x4x24x24xf16>
  %e32 = tensor.empty() : tensor<2x4x24x24xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sx : tensor<2x4x24x24xf16>) outs(%e : tensor<2x4x24x24xf16>) {
  ^bb0(%x: f16, %o: f16):
    %y = arith.mulf %x, %scale : f16
    linalg.yield %y : f16
  } -> tensor<2x4x24x24xf16>
  %masked = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, 0, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %mask : tensor<2x4x24x24xf16>, tensor<2x1x24x24xf16>) outs(%e : tensor<2x4x24x24xf16>) {
  ^bb0(%x: f16, %m: f16, %o: f16):
    %y = arith.addf %x, %m : f16
    linalg.yield %y : f16
  } -> tensor<2x4x24x24xf16>
  %wide = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked : tensor<2x4x24x24xf16>) outs(%e32 : tensor<2x4x24x24xf32>) {
  ^bb0(%x: f16, %o: f32):
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<2x4x24x24xf32>
  %ie = tensor.empty() : tensor<2x4x24xi64>
  %i0 = linalg.fill ins(%first : i64) outs(%ie : tensor<2x4x24xi64>) -> tensor<2x4x24xi64>
  %me = tensor.empty() : tensor<2x4x24xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%me : tensor<2x4x24xf32>) -> tensor<2x4x24xf32>
  %max:2 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c)>, affine_map<(a, b, c, d) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%wide : tensor<2x4x24x24xf32>) outs(%m0, %i0 : tensor<2x4x24xf32>, tensor<2x4x24xi64>) {
  ^bb0(%x: f32, %m: f32, %i: i64):
    %d = linalg.index 3 : index
    %j = arith.index_cast %d : index to i64
    %y = arith.maximumf %x, %m : f32
    %g = arith.cmpf ogt, %x, %m : f32
    %n = arith.select %g, %j, %i : i64
    linalg.yield %y, %n : f32, i64
  } -> (tensor<2x4x24xf32>, tensor<2x4x24xi64>)
  %maxx = tensor.expand_shape %max#0 [[0], [1], [2, 3]] output_shape [2, 4, 24, 1] : tensor<2x4x24xf32> into tensor<2x4x24x1xf32>
  %powers = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%wide, %maxx : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%e32 : tensor<2x4x24x24xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.subf %x, %m : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32
  } -> tensor<2x4x24x24xf32>
  %sume = tensor.empty() : tensor<2x4x24x1xf32>
  %sum0 = linalg.fill ins(%zero : f32) outs(%sume : tensor<2x4x24x1xf32>) -> tensor<2x4x24x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%powers : tensor<2x4x24x24xf32>) outs(%sum0 : tensor<2x4x24x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x24x1xf32>
  %parts = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<2x4x24x24xf32>, tensor<2x4x24x1xf32>) outs(%e : tensor<2x4x24x24xf16>) {
  ^bb0(%x: f32, %m: f32, %o: f16):
    %y = arith.divf %x, %m : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<2x4x24x24xf16>
  %pc = tensor.collapse_shape %parts [[0, 1], [2], [3]] : tensor<2x4x24x24xf16> into tensor<8x24x24xf16>
  %re = tensor.empty() : tensor<8x24x16xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
  %r = linalg.batch_matmul ins(%pc, %vc : tensor<8x24x24xf16>, tensor<8x24x16xf16>) outs(%rz : tensor<8x24x16xf32>) -> tensor<8x24x16xf32>
  %rn = tensor.empty() : tensor<8x24x16xf16>
  %rh = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<8x24x16xf32>) outs(%rn : tensor<8x24x16xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<8x24x16xf16>
  %rx = tensor.expand_shape %rh [[0, 1], [2], [3]] output_shape [2, 4, 24, 16] : tensor<8x24x16xf16> into tensor<2x4x24x16xf16>
  %oute = tensor.empty() : tensor<2x24x4x16xf16>
  %out = linalg.transpose ins(%rx : tensor<2x4x24x16xf16>) outs(%oute : tensor<2x24x4x16xf16>) permutation = [0, 2, 1, 3]
  return %out : tensor<2x24x4x16xf16>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @mask_of_keys_kernel_0(%arg0: tensor<2x40x3x32xf16>, %arg1: tensor<2x40x3x32xf16>, %arg2: tensor<2x40x3x32xf16>, %arg3: tensor<2x40xf16>) -> tensor<2x40x3x32xf16> attributes {translation_info = #translation} {
//   func.func @heads_that_share_keys_kernel_0(%arg0: tensor<2x24x2x2x16xf16>, %arg1: tensor<2x24x2x16xf16>, %arg2: tensor<2x24x2x16xf16>, %arg3: tensor<2x24x24xf16>) -> tensor<2x24x2x2x16xf16> attributes {translation_info = #translation} {

// $ raddle run %s --all
// ok       @mask_of_keys
// ok       @heads_that_share_keys
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @mask_of_keys
// ok       @heads_that_share_keys
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @mask_of_keys
// ok       @heads_that_share_keys
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @mask_of_keys
// ok       @heads_that_share_keys
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
