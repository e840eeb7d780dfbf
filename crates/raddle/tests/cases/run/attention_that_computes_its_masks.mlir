// Masks that are made of indices, numbers and small vectors are computed by the attention that asks for them, behind reshapes
// and repetitions, and by each of several. Blocks of keys that no row sees are left out.
// RUN: raddle opt %s --normalize --partition | grep iree_linalg_ext.index
// RUN: raddle opt %s --normalize --partition | grep func.func
// RUN: raddle run %s --all --target=sm_90a
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=tiled --target=sm_90a | grep -e func.func -e affine.min
#q = affine_map<(h, i, n, d, j) -> (h, i, d)>
#k = affine_map<(h, i, n, d, j) -> (h, j, d)>
#v = affine_map<(h, i, n, d, j) -> (h, j, n)>
#s = affine_map<(h, i, n, d, j) -> ()>
#m = affine_map<(h, i, n, d, j) -> (h, i, j)>
#o = affine_map<(h, i, n, d, j) -> (h, i, n)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>

// Two layers share a mask.
func.func @causal_twice(%q: tensor<4x256x16xf16>, %k: tensor<4x256x16xf16>, %v: tensor<4x256x16xf16>) -> tensor<4x256x16xf16> {
  %scale = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f16
  %never = arith.constant 0xFC00 : f16
  %em = tensor.empty() : tensor<1x4x256x256xf16>
  %mask = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%em : tensor<1x4x256x256xf16>) {
  ^bb0(%out: f16):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %keeps = arith.cmpi sge, %i, %j : index
    %y = arith.select %keeps, %zero, %never : f16
    linalg.yield %y : f16
  } -> tensor<1x4x256x256xf16>
  %flat = tensor.collapse_shape %mask [[0, 1], [2], [3]] : tensor<1x4x256x256xf16> into tensor<4x256x256xf16>
  %e = tensor.empty() : tensor<4x256x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %flat : tensor<4x256x16xf16>, tensor<4x256x16xf16>, tensor<4x256x16xf16>, f32, tensor<4x256x256xf16>) outs(%e : tensor<4x256x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x256x16xf16>
  %1 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%0, %k, %v, %scale, %flat : tensor<4x256x16xf16>, tensor<4x256x16xf16>, tensor<4x256x16xf16>, f32, tensor<4x256x256xf16>) outs(%e : tensor<4x256x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x256x16xf16>
  return %1 : tensor<4x256x16xf16>
}

// A window of keys, and words that are padding, of two sequences.
func.func @window_and_padding(%heads: tensor<2x48x4x16xf16>, %k: tensor<8x48x16xf16>, %v: tensor<8x48x16xf16>, %words: tensor<2x48xi64>) -> tensor<8x48x16xf16> {
  %scale = arith.constant 0.25 : f32
  %c8 = arith.constant 8 : i64
  %c0 = arith.constant 0 : i64
  %en = tensor.empty() : tensor<48xi64>
  %count = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%en : tensor<48xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<48xi64>
  %rows = tensor.expand_shape %count [[0, 1]] output_shape [48, 1] : tensor<48xi64> into tensor<48x1xi64>
  %ew = tensor.empty() : tensor<48x48xi1>
  %seen = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%count, %rows : tensor<48xi64>, tensor<48x1xi64>) outs(%ew : tensor<48x48xi1>) {
  ^bb0(%j: i64, %i: i64, %out: i1):
    %before = arith.cmpi sle, %j, %i : i64
    %first = arith.subi %i, %c8 : i64
    %inside = arith.cmpi sgt, %j, %first : i64
    %both = arith.muli %before, %inside : i1
    linalg.yield %both : i1
  } -> tensor<48x48xi1>
  %ep = tensor.empty() : tensor<2x48xi1>
  %is_word = linalg.generic {indexing_maps = [affine_map<(b, j) -> (b, j)>, affine_map<(b, j) -> (b, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%words : tensor<2x48xi64>) outs(%ep : tensor<2x48xi1>) {
  ^bb0(%word: i64, %out: i1):
    %y = arith.cmpi sge, %word, %c0 : i64
    linalg.yield %y : i1
  } -> tensor<2x48xi1>
  %em = tensor.empty() : tensor<2x4x48x48xi1>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (i, j)>, affine_map<(b, h, i, j) -> (b, j)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%seen, %is_word : tensor<48x48xi1>, tensor<2x48xi1>) outs(%em : tensor<2x4x48x48xi1>) {
  ^bb0(%a: i1, %b: i1, %out: i1):
    %y = arith.andi %a, %b : i1
    linalg.yield %y : i1
  } -> tensor<2x4x48x48xi1>
  %eq = tensor.empty() : tensor<2x4x48x16xf16>
  %turned = linalg.transpose ins(%heads : tensor<2x48x4x16xf16>) outs(%eq : tensor<2x4x48x16xf16>) permutation = [0, 2, 1, 3]
  %q = tensor.collapse_shape %turned [[0, 1], [2], [3]] : tensor<2x4x48x16xf16> into tensor<8x48x16xf16>
  %flat = tensor.collapse_shape %mask [[0, 1], [2], [3]] : tensor<2x4x48x48xi1> into tensor<8x48x48xi1>
  %e = tensor.empty() : tensor<8x48x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %flat : tensor<8x48x16xf16>, tensor<8x48x16xf16>, tensor<8x48x16xf16>, f32, tensor<8x48x48xi1>) outs(%e : tensor<8x48x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<8x48x16xf16>
  return %0 : tensor<8x48x16xf16>
}

// What is added to scores falls with the distance of keys, in each head by its own power, which is computed once.
func.func @slopes(%q: tensor<32x48x16xf16>, %k: tensor<32x48x16xf16>, %v: tensor<32x48x16xf16>) -> tensor<32x48x16xf16> {
  %scale = arith.constant 0.25 : f32
  %least = arith.constant -65504.0 : f16
  %eh = tensor.empty() : tensor<32xf32>
  %slope = linalg.generic {indexing_maps = [affine_map<(h) -> (h)>], iterator_types = ["parallel"]} outs(%eh : tensor<32xf32>) {
  ^bb0(%out: f32):
    %h = linalg.index 0 : index
    %n = arith.index_cast %h : index to i32
    %f = arith.sitofp %n : i32 to f32
    %quarter = arith.constant -0.25 : f32
    %x = arith.mulf %f, %quarter : f32
    %y = math.exp2 %x : f32
    linalg.yield %y : f32
  } -> tensor<32xf32>
  %em = tensor.empty() : tensor<32x48x48xf16>
  %mask = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slope : tensor<32xf32>) outs(%em : tensor<32x48x48xf16>) {
  ^bb0(%of: f32, %out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %far = arith.subi %j, %i : index
    %n = arith.index_cast %far : index to i64
    %f = arith.sitofp %n : i64 to f32
    %x = arith.mulf %f, %of : f32
    %y = arith.truncf %x : f32 to f16
    %keeps = arith.cmpi sle, %j, %i : index
    %z = arith.select %keeps, %y, %least : f16
    linalg.yield %z : f16
  } -> tensor<32x48x48xf16>
  %e = tensor.empty() : tensor<32x48x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %mask : tensor<32x48x16xf16>, tensor<32x48x16xf16>, tensor<32x48x16xf16>, f32, tensor<32x48x48xf16>) outs(%e : tensor<32x48x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<32x48x16xf16>
  return %0 : tensor<32x48x16xf16>
}

// Heads that are counted together, in an attention that divides them to read its keys where they lie.
func.func @heads_in_two_loops(%q: tensor<2x32x4x16xf16>, %k: tensor<8x32x16xf16>, %v: tensor<8x32x16xf16>) -> tensor<8x32x16xf16> {
  %scale = arith.constant 0.25 : f32
  %eq = tensor.empty() : tensor<2x4x32x16xf16>
  %turned = linalg.transpose ins(%q : tensor<2x32x4x16xf16>) outs(%eq : tensor<2x4x32x16xf16>) permutation = [0, 2, 1, 3]
  %queries = tensor.collapse_shape %turned [[0, 1], [2], [3]] : tensor<2x4x32x16xf16> into tensor<8x32x16xf16>
  %e = tensor.empty() : tensor<8x32x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%queries, %k, %v, %scale : tensor<8x32x16xf16>, tensor<8x32x16xf16>, tensor<8x32x16xf16>, f32) outs(%e : tensor<8x32x16xf16>) {
  ^bb0(%x: f32):
    %h = iree_linalg_ext.index 0 : index
    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %last = arith.addi %i, %h : index
    %keeps = arith.cmpi sle, %j, %last : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %keeps, %x, %never : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<8x32x16xf16>
  return %0 : tensor<8x32x16xf16>
}

// Keys of one row, which workgroups share, are counted from the first one.
func.func @keys_of_pieces(%q: tensor<2x1x16xf16>, %k: tensor<2x1024x16xf16>, %v: tensor<2x1024x16xf16>) -> tensor<2x1x16xf16> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x1x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %scale : tensor<2x1x16xf16>, tensor<2x1024x16xf16>, tensor<2x1024x16xf16>, f32) outs(%e : tensor<2x1x16xf16>) {
  ^bb0(%x: f32):
    %j = iree_linalg_ext.index 2 : index
    %end = arith.constant 700 : index
    %keeps = arith.cmpi slt, %j, %end : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %keeps, %x, %never : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<2x1x16xf16>
  return %0 : tensor<2x1x16xf16>
}

// The first heads and keys of a table that has more: the attention reads the slice, whose extents are its loops.
func.func @first_of_a_table(%q: tensor<6x48x16xf16>, %k: tensor<6x48x16xf16>, %v: tensor<6x48x16xf16>, %table: tensor<8x64xf16>) -> tensor<6x48x16xf16> {
  %scale = arith.constant 0.25 : f32
  %never = arith.constant 0xFC00 : f16
  %first = tensor.extract_slice %table[0, 0] [6, 48] [1, 1] : tensor<8x64xf16> to tensor<6x48xf16>
  %em = tensor.empty() : tensor<6x48x48xf16>
  %mask = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, j)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%first : tensor<6x48xf16>) outs(%em : tensor<6x48x48xf16>) {
  ^bb0(%in: f16, %out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %keeps = arith.cmpi sge, %i, %j : index
    %y = arith.select %keeps, %in, %never : f16
    linalg.yield %y : f16
  } -> tensor<6x48x48xf16>
  %e = tensor.empty() : tensor<6x48x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %mask : tensor<6x48x16xf16>, tensor<6x48x16xf16>, tensor<6x48x16xf16>, f32, tensor<6x48x48xf16>) outs(%e : tensor<6x48x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<6x48x16xf16>
  return %0 : tensor<6x48x16xf16>
}

// $ raddle opt %s --normalize --partition | grep iree_linalg_ext.index
//       %4 = iree_linalg_ext.index 2 : index
//       %5 = iree_linalg_ext.index 1 : index
//       %7 = iree_linalg_ext.index 1 : index
//       %8 = iree_linalg_ext.index 2 : index
//       %2 = iree_linalg_ext.index 1 : index
//       %3 = iree_linalg_ext.index 2 : index
//       %2 = iree_linalg_ext.index 1 : index
//       %3 = iree_linalg_ext.index 2 : index
//       %2 = iree_linalg_ext.index 3 : index
//       %4 = iree_linalg_ext.index 2 : index
//       %7 = iree_linalg_ext.index 2 : index
//       %2 = iree_linalg_ext.index 0 : index
//       %3 = iree_linalg_ext.index 1 : index
//       %5 = iree_linalg_ext.index 2 : index
//       %6 = iree_linalg_ext.index 3 : index
//       %7 = iree_linalg_ext.index 0 : index
//       %8 = iree_linalg_ext.index 3 : index

// $ raddle opt %s --normalize --partition | grep func.func
//   func.func @causal_twice(%arg0: tensor<4x256x16xf16>, %arg1: tensor<4x256x16xf16>, %arg2: tensor<4x256x16xf16>) -> tensor<4x256x16xf16> {
//   func.func @window_and_padding(%arg0: tensor<2x48x4x16xf16>, %arg1: tensor<8x48x16xf16>, %arg2: tensor<8x48x16xf16>, %arg3: tensor<2x48xi64>) -> tensor<8x48x16xf16> {
//   func.func @slopes(%arg0: tensor<32x48x16xf16>, %arg1: tensor<32x48x16xf16>, %arg2: tensor<32x48x16xf16>) -> tensor<32x48x16xf16> {
//   func.func @heads_in_two_loops(%arg0: tensor<2x32x4x16xf16>, %arg1: tensor<8x32x16xf16>, %arg2: tensor<8x32x16xf16>) -> tensor<8x32x16xf16> {
//   func.func @keys_of_pieces(%arg0: tensor<2x1x16xf16>, %arg1: tensor<2x1024x16xf16>, %arg2: tensor<2x1024x16xf16>) -> tensor<2x1x16xf16> {
//   func.func @first_of_a_table(%arg0: tensor<6x48x16xf16>, %arg1: tensor<6x48x16xf16>, %arg2: tensor<6x48x16xf16>, %arg3: tensor<8x64xf16>) -> tensor<6x48x16xf16> {
//   func.func @causal_twice_kernel_0(%arg0: tensor<4x256x16xf16>, %arg1: tensor<4x256x16xf16>, %arg2: tensor<4x256x16xf16>) -> tensor<4x256x16xf16> {
//   func.func @window_and_padding_kernel_0(%arg0: tensor<2x48x4x16xf16>, %arg1: tensor<2x4x48x16xf16>, %arg2: tensor<2x4x48x16xf16>, %arg3: tensor<2x48xi64>) -> tensor<2x4x48x16xf16> {
//   func.func @heads_in_two_loops_kernel_0(%arg0: tensor<2x32x4x16xf16>, %arg1: tensor<2x4x32x16xf16>, %arg2: tensor<2x4x32x16xf16>) -> tensor<2x4x32x16xf16> {
//   func.func @keys_of_pieces_kernel_0(%arg0: tensor<2x1x16xf16>, %arg1: tensor<2x8x128x16xf16>, %arg2: tensor<2x8x128x16xf16>) -> (tensor<8x2x1x16xf32>, tensor<8x2x1xf32>, tensor<8x2x1xf32>) {
//   func.func @keys_of_pieces_kernel_1(%arg0: tensor<8x2x1xf32>, %arg1: tensor<8x2x1xf32>, %arg2: tensor<8x2x1x16xf32>) -> tensor<2x1x16xf16> {

// $ raddle run %s --all --target=sm_90a
// ok       @causal_twice
// ok       @window_and_padding
// ok       @slopes
// ok       @heads_in_two_loops
// ok       @keys_of_pieces
// ok       @first_of_a_table
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @causal_twice
// ok       @window_and_padding
// ok       @slopes
// ok       @heads_in_two_loops
// ok       @keys_of_pieces
// ok       @first_of_a_table
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @causal_twice
// ok       @window_and_padding
// ok       @slopes
// ok       @heads_in_two_loops
// ok       @keys_of_pieces
// ok       @first_of_a_table
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @causal_twice
// ok       @window_and_padding
// ok       @slopes
// ok       @heads_in_two_loops
// ok       @keys_of_pieces
// ok       @first_of_a_table
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=tiled --target=sm_90a | grep -e func.func -e affine.min
//   func.func @slopes(%arg0: tensor<32x48x16xf16>, %arg1: tensor<32x48x16xf16>, %arg2: tensor<32x48x16xf16>) -> tensor<32x48x16xf16> attributes {translation_info = #translation} {
//       %4 = affine.min #map(%arg4)
//   func.func @first_of_a_table(%arg0: tensor<6x48x16xf16>, %arg1: tensor<6x48x16xf16>, %arg2: tensor<6x48x16xf16>, %arg3: tensor<8x64xf16>) -> tensor<6x48x16xf16> attributes {translation_info = #translation} {
//       %4 = affine.min #map(%arg5)
//   func.func @causal_twice_kernel_0(%arg0: tensor<4x256x16xf16>, %arg1: tensor<4x256x16xf16>, %arg2: tensor<4x256x16xf16>) -> tensor<4x256x16xf16> attributes {translation_info = #translation1} {
//       %9 = affine.min #map15(%8)
//   func.func @window_and_padding_kernel_0(%arg0: tensor<2x48x4x16xf16>, %arg1: tensor<2x4x48x16xf16>, %arg2: tensor<2x4x48x16xf16>, %arg3: tensor<2x48xi64>) -> tensor<2x4x48x16xf16> attributes {translation_info = #translation} {
//       %4 = affine.min #map(%arg6)
//   func.func @heads_in_two_loops_kernel_0(%arg0: tensor<2x32x4x16xf16>, %arg1: tensor<2x4x32x16xf16>, %arg2: tensor<2x4x32x16xf16>) -> tensor<2x4x32x16xf16> attributes {translation_info = #translation} {
//   func.func @keys_of_pieces_kernel_0(%arg0: tensor<2x1x16xf16>, %arg1: tensor<2x8x128x16xf16>, %arg2: tensor<2x8x128x16xf16>) -> (tensor<8x2x1x16xf32>, tensor<8x2x1xf32>, tensor<8x2x1xf32>) attributes {translation_info = #translation2} {
//       %7 = affine.min #map26(%6)
//   func.func @keys_of_pieces_kernel_1(%arg0: tensor<8x2x1xf32>, %arg1: tensor<8x2x1xf32>, %arg2: tensor<8x2x1x16xf32>) -> tensor<2x1x16xf16> attributes {translation_info = #translation2} {
