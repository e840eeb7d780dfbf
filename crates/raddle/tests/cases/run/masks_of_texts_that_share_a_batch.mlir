// Where texts begin is counted from positions that do not follow each other; where all do, nothing is read of them, and a
// mask is one of indices alone.
// RUN: raddle opt %s --to=configured | grep -e func.func -e iree_linalg_ext.index -e cmpi
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --device=cpu
#line = affine_map<(b, i) -> (b, i)>
#row = affine_map<(b, i, j) -> (i)>
#key = affine_map<(b, i, j) -> (j)>
#pair = affine_map<(b, i, j) -> (b, i, j)>
#q = affine_map<(h, i, n, d, j) -> (h, i, d)>
#k = affine_map<(h, i, n, d, j) -> (h, j, d)>
#v = affine_map<(h, i, n, d, j) -> (h, j, n)>
#s = affine_map<(h, i, n, d, j) -> ()>
#m = affine_map<(h, i, n, d, j) -> (h, i, j)>
#o = affine_map<(h, i, n, d, j) -> (h, i, n)>

// All positions follow each other: one text.
func.func @one_text(%q: tensor<1x96x16xf16>, %k: tensor<1x96x16xf16>, %v: tensor<1x96x16xf16>) -> tensor<1x96x16xf16> {
  %e = tensor.empty() : tensor<1x96xi64>
  %positions = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<1x96xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<1x96xi64>
  // The number of the text that each word is of.
  %c0 = arith.constant 0 : i64
  %first = tensor.extract_slice %positions[0, 0] [1, 1] [1, 1] : tensor<1x96xi64> to tensor<1x1xi64>
  %e1 = tensor.empty() : tensor<1x1xi64>
  %before = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel", "parallel"]} ins(%first : tensor<1x1xi64>) outs(%e1 : tensor<1x1xi64>) {
  ^bb0(%x: i64, %out: i64):
    %c1 = arith.constant 1 : i64
    %y = arith.subi %x, %c1 : i64
    linalg.yield %y : i64
  } -> tensor<1x1xi64>
  %all = tensor.concat dim(1) %before, %positions : (tensor<1x1xi64>, tensor<1x96xi64>) -> tensor<1x97xi64>
  %late = tensor.extract_slice %all[0, 1] [1, 96] [1, 1] : tensor<1x97xi64> to tensor<1x96xi64>
  %early = tensor.extract_slice %all[0, 0] [1, 96] [1, 1] : tensor<1x97xi64> to tensor<1x96xi64>
  %begins = linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel", "parallel"]} ins(%late, %early : tensor<1x96xi64>, tensor<1x96xi64>) outs(%e : tensor<1x96xi64>) {
  ^bb0(%x: i64, %y: i64, %out: i64):
    %c1 = arith.constant 1 : i64
    %step = arith.subi %x, %y : i64
    %differs = arith.cmpi ne, %step, %c1 : i64
    %n = arith.extui %differs : i1 to i64
    linalg.yield %n : i64
  } -> tensor<1x96xi64>
  %zeros = linalg.fill ins(%c0 : i64) outs(%e : tensor<1x96xi64>) -> tensor<1x96xi64>
  %ez = tensor.empty() : tensor<1xi64>
  %zero = linalg.fill ins(%c0 : i64) outs(%ez : tensor<1xi64>) -> tensor<1xi64>
  %texts, %last = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%begins : tensor<1x96xi64>) outs(%zeros, %zero : tensor<1x96xi64>, tensor<1xi64>) {
  ^bb0(%x: i64, %y: i64):
    %sum = arith.addi %x, %y : i64
    iree_linalg_ext.yield %sum : i64
  } -> tensor<1x96xi64>, tensor<1xi64>
  // A word sees itself and 31 words in front of it, of its own text.
  %numbers = tensor.empty() : tensor<96xi64>
  %range = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%numbers : tensor<96xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<96xi64>
  %em = tensor.empty() : tensor<1x96x96xi1>
  %mask = linalg.generic {indexing_maps = [#row, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%range, %range : tensor<96xi64>, tensor<96xi64>) outs(%em : tensor<1x96x96xi1>) {
  ^bb0(%i: i64, %j: i64, %out: i1):
    %low = arith.constant 0 : i64
    %c96 = arith.constant 96 : i64
    %c32 = arith.constant 32 : i64
    // Numbers below zero count from the end.
    %is_low = arith.cmpi slt, %i, %low : i64
    %i_high = arith.addi %i, %c96 : i64
    %i_at = arith.select %is_low, %i_high, %i : i64
    %row = arith.index_cast %i_at : i64 to index
    %key = arith.index_cast %j : i64 to index
    %here = arith.constant 0 : index
    %text_i = tensor.extract %texts[%here, %row] : tensor<1x96xi64>
    %text_j = tensor.extract %texts[%here, %key] : tensor<1x96xi64>
    %same = arith.cmpi eq, %text_i, %text_j : i64
    %far = arith.subi %i, %c32 : i64
    %near = arith.cmpi sgt, %j, %far : i64
    %causal = arith.cmpi sle, %j, %i : i64
    %both = arith.andi %near, %causal : i1
    %keeps = arith.andi %both, %same : i1
    linalg.yield %keeps : i1
  } -> tensor<1x96x96xi1>
  %scale = arith.constant 0.25 : f32
  %eo = tensor.empty() : tensor<1x96x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %mask : tensor<1x96x16xf16>, tensor<1x96x16xf16>, tensor<1x96x16xf16>, f32, tensor<1x96x96xi1>) outs(%eo : tensor<1x96x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x96x16xf16>
  return %0 : tensor<1x96x16xf16>
}

// Positions begin again after each 40 words.
func.func @three_texts(%q: tensor<1x96x16xf16>, %k: tensor<1x96x16xf16>, %v: tensor<1x96x16xf16>) -> tensor<1x96x16xf16> {
  %e = tensor.empty() : tensor<1x96xi64>
  %positions = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<1x96xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i64
    %c40 = arith.constant 40 : i64
    %p = arith.remsi %n, %c40 : i64
    linalg.yield %p : i64
  } -> tensor<1x96xi64>
  // The number of the text that each word is of.
  %c0 = arith.constant 0 : i64
  %first = tensor.extract_slice %positions[0, 0] [1, 1] [1, 1] : tensor<1x96xi64> to tensor<1x1xi64>
  %e1 = tensor.empty() : tensor<1x1xi64>
  %before = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel", "parallel"]} ins(%first : tensor<1x1xi64>) outs(%e1 : tensor<1x1xi64>) {
  ^bb0(%x: i64, %out: i64):
    %c1 = arith.constant 1 : i64
    %y = arith.subi %x, %c1 : i64
    linalg.yield %y : i64
  } -> tensor<1x1xi64>
  %all = tensor.concat dim(1) %before, %positions : (tensor<1x1xi64>, tensor<1x96xi64>) -> tensor<1x97xi64>
  %late = tensor.extract_slice %all[0, 1] [1, 96] [1, 1] : tensor<1x97xi64> to tensor<1x96xi64>
  %early = tensor.extract_slice %all[0, 0] [1, 96] [1, 1] : tensor<1x97xi64> to tensor<1x96xi64>
  %begins = linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel", "parallel"]} ins(%late, %early : tensor<1x96xi64>, tensor<1x96xi64>) outs(%e : tensor<1x96xi64>) {
  ^bb0(%x: i64, %y: i64, %out: i64):
    %c1 = arith.constant 1 : i64
    %step = arith.subi %x, %y : i64
    %differs = arith.cmpi ne, %step, %c1 : i64
    %n = arith.extui %differs : i1 to i64
    linalg.yield %n : i64
  } -> tensor<1x96xi64>
  %zeros = linalg.fill ins(%c0 : i64) outs(%e : tensor<1x96xi64>) -> tensor<1x96xi64>
  %ez = tensor.empty() : tensor<1xi64>
  %zero = linalg.fill ins(%c0 : i64) outs(%ez : tensor<1xi64>) -> tensor<1xi64>
  %texts, %last = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%begins : tensor<1x96xi64>) outs(%zeros, %zero : tensor<1x96xi64>, tensor<1xi64>) {
  ^bb0(%x: i64, %y: i64):
    %sum = arith.addi %x, %y : i64
    iree_linalg_ext.yield %sum : i64
  } -> tensor<1x96xi64>, tensor<1xi64>
  // A word sees itself and 31 words in front of it, of its own text.
  %numbers = tensor.empty() : tensor<96xi64>
  %range = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%numbers : tensor<96xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<96xi64>
  %em = tensor.empty() : tensor<1x96x96xi1>
  %mask = linalg.generic {indexing_maps = [#row, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]} ins(%range, %range : tensor<96xi64>, tensor<96xi64>) outs(%em : tensor<1x96x96xi1>) {
  ^bb0(%i: i64, %j: i64, %out: i1):
    %low = arith.constant 0 : i64
    %c96 = arith.constant 96 : i64
    %c32 = arith.constant 32 : i64
    // Numbers below zero count from the end.
    %is_low = arith.cmpi slt, %i, %low : i64
    %i_high = arith.addi %i, %c96 : i64
    %i_at = arith.select %is_low, %i_high, %i : i64
    %row = arith.index_cast %i_at : i64 to index
    %key = arith.index_cast %j : i64 to index
    %here = arith.constant 0 : index
    %text_i = tensor.extract %texts[%here, %row] : tensor<1x96xi64>
    %text_j = tensor.extract %texts[%here, %key] : tensor<1x96xi64>
    %same = arith.cmpi eq, %text_i, %text_j : i64
    %far = arith.subi %i, %c32 : i64
    %near = arith.cmpi sgt, %j, %far : i64
    %causal = arith.cmpi sle, %j, %i : i64
    %both = arith.andi %near, %causal : i1
    %keeps = arith.andi %both, %same : i1
    linalg.yield %keeps : i1
  } -> tensor<1x96x96xi1>
  %scale = arith.constant 0.25 : f32
  %eo = tensor.empty() : tensor<1x96x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %mask : tensor<1x96x16xf16>, tensor<1x96x16xf16>, tensor<1x96x16xf16>, f32, tensor<1x96x96xi1>) outs(%eo : tensor<1x96x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x96x16xf16>
  return %0 : tensor<1x96x16xf16>
}

// Sums begin with the first element, or with the accumulator.
func.func @sums_of_one_number(%q: tensor<8xi64>) -> (tensor<8xi64>, tensor<8xi64>) {
  %one = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %e = tensor.empty() : tensor<8xi64>
  %ones = linalg.fill ins(%one : i64) outs(%e : tensor<8xi64>) -> tensor<8xi64>
  %ea = tensor.empty() : tensor<i64>
  %acc = linalg.fill ins(%five : i64) outs(%ea : tensor<i64>) -> tensor<i64>
  %s, %l = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%ones : tensor<8xi64>) outs(%e, %acc : tensor<8xi64>, tensor<i64>) {
  ^bb0(%x: i64, %y: i64):
    %sum = arith.addi %x, %y : i64
    iree_linalg_ext.yield %sum : i64
  } -> tensor<8xi64>, tensor<i64>
  %t, %m = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%ones : tensor<8xi64>) outs(%e, %acc : tensor<8xi64>, tensor<i64>) {
  ^bb0(%x: i64, %y: i64):
    %sum = arith.addi %x, %y : i64
    iree_linalg_ext.yield %sum : i64
  } -> tensor<8xi64>, tensor<i64>
  %r = linalg.add ins(%s, %q : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xi64>) -> tensor<8xi64>
  %u = linalg.add ins(%t, %q : tensor<8xi64>, tensor<8xi64>) outs(%e : tensor<8xi64>) -> tensor<8xi64>
  return %r, %u : tensor<8xi64>, tensor<8xi64>
}

// $ raddle opt %s --to=configured | grep -e func.func -e iree_linalg_ext.index -e cmpi
//   func.func @one_text(%arg0: tensor<1x96x16xf16>, %arg1: tensor<1x96x16xf16>, %arg2: tensor<1x96x16xf16>) -> tensor<1x96x16xf16> attributes {translation_info = #translation} {
//       %9 = iree_linalg_ext.index 2 : index
//       %11 = iree_linalg_ext.index 1 : index
//       %14 = arith.cmpi sgt, %10, %13 : i64
//       %15 = iree_linalg_ext.index 1 : index
//       %17 = arith.cmpi sle, %10, %16 : i64
//   func.func @three_texts_kernel_0() -> tensor<96xi64> attributes {translation_info = #translation} {
//   func.func @three_texts_kernel_1() -> tensor<1xi64> attributes {translation_info = #translation1} {
//   func.func @three_texts_kernel_2(%arg0: tensor<1xi64>, %arg1: tensor<96xi64>) -> tensor<97xi64> attributes {translation_info = #translation} {
//       %3 = arith.cmpi ult, %2, %c1 : index
//   func.func @three_texts_kernel_3(%arg0: tensor<97xi64>) -> tensor<96xi64> attributes {translation_info = #translation} {
//       %3 = arith.cmpi ne, %2, %c1_i64 : i64
//   func.func @three_texts_kernel_4(%arg0: tensor<1x96xi64>) -> tensor<1x96xi64> attributes {translation_info = #translation1} {
//   func.func @three_texts_kernel_5(%arg0: tensor<1x96x16xf16>, %arg1: tensor<1x96x16xf16>, %arg2: tensor<1x96x16xf16>, %arg3: tensor<96xi64>) -> tensor<1x96x16xf16> attributes {translation_info = #translation} {
//       %9 = iree_linalg_ext.index 2 : index
//       %11 = iree_linalg_ext.index 1 : index
//       %14 = arith.cmpi sgt, %10, %13 : i64
//       %16 = arith.cmpi sle, %10, %15 : i64
//       %18 = arith.cmpi eq, %arg5, %arg6 : i64
//   func.func @sums_of_one_number_kernel_0(%arg0: tensor<8xi64>) -> tensor<8xi64> attributes {translation_info = #translation1} {
//   func.func @sums_of_one_number_kernel_1(%arg0: tensor<8xi64>) -> tensor<8xi64> attributes {translation_info = #translation1} {

// $ raddle run %s --all
// ok       @one_text
// ok       @three_texts
// ok       @sums_of_one_number
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @one_text
// ok       @three_texts
// ok       @sums_of_one_number
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @one_text
// ok       @three_texts
// ok       @sums_of_one_number
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
