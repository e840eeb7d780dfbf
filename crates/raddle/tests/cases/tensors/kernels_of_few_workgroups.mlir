// Sums of rows and sums of columns are two kernels: workgroups of one have nothing to share.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --all
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @rows_and_columns(%x: tensor<256x256xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<256x256xf32>
  %v = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<256xf32>) -> tensor<256xf32>
  %rows = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<256x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<256xf32>
  %columns = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%y : tensor<256x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<256xf32>
  return %rows, %columns : tensor<256xf32>, tensor<256xf32>
}

// So are those of fewer elements, where the code of one kernel would be long.
#same = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>
#second = affine_map<(d0, d1) -> (d1)>
func.func @sines(%x: tensor<48x50xf32>) -> (tensor<48xf32>, tensor<50xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x50xf32>
  %y1 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<48x50xf32>) outs(%e : tensor<48x50xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sin %a : f32
    linalg.yield %r : f32
  } -> tensor<48x50xf32>
  %y2 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%y1 : tensor<48x50xf32>) outs(%e : tensor<48x50xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sin %a : f32
    linalg.yield %r : f32
  } -> tensor<48x50xf32>
  %y3 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%y2 : tensor<48x50xf32>) outs(%e : tensor<48x50xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sin %a : f32
    linalg.yield %r : f32
  } -> tensor<48x50xf32>
  %y4 = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%y3 : tensor<48x50xf32>) outs(%e : tensor<48x50xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sin %a : f32
    linalg.yield %r : f32
  } -> tensor<48x50xf32>
  %v = tensor.empty() : tensor<48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<48xf32>) -> tensor<48xf32>
  %rows = linalg.generic {indexing_maps = [#same, #first], iterator_types = ["parallel", "reduction"]} ins(%y4 : tensor<48x50xf32>) outs(%f : tensor<48xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<48xf32>
  %w = tensor.empty() : tensor<50xf32>
  %g = linalg.fill ins(%zero : f32) outs(%w : tensor<50xf32>) -> tensor<50xf32>
  %columns = linalg.generic {indexing_maps = [#same, #second], iterator_types = ["reduction", "parallel"]} ins(%y4 : tensor<48x50xf32>) outs(%g : tensor<50xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<50xf32>
  return %rows, %columns : tensor<48xf32>, tensor<50xf32>
}

// What lies along columns alone is computed by workgroups that share these.
#line = affine_map<(d0) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#p = affine_map<(d0, d1) -> (d0, d1)>
func.func @columns(%a: tensor<512xf32>, %x: tensor<64x512xf32>) -> (tensor<512xf32>, tensor<64x512xf32>) {
  %e = tensor.empty() : tensor<512xf32>
  %v = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%a : tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.exp %i : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %e2 = tensor.empty() : tensor<64x512xf32>
  %y = linalg.generic {indexing_maps = [#p, #c, #p], iterator_types = ["parallel", "parallel"]} ins(%x, %v : tensor<64x512xf32>, tensor<512xf32>) outs(%e2 : tensor<64x512xf32>) {
  ^bb0(%i: f32, %w: f32, %o: f32):
    %r = arith.mulf %i, %w : f32
    linalg.yield %r : f32
  } -> tensor<64x512xf32>
  return %v, %y : tensor<512xf32>, tensor<64x512xf32>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @columns(%arg0: tensor<512xf32>, %arg1: tensor<64x512xf32>) -> (tensor<512xf32>, tensor<64x512xf32>) attributes {translation_info = #translation} {
//   func.func @rows_and_columns_kernel_0(%arg0: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256xf32>) attributes {translation_info = #translation} {
//   func.func @rows_and_columns_kernel_1(%arg0: tensor<256x256xf32>) -> tensor<256xf32> attributes {translation_info = #translation1} {
//   func.func @sines_kernel_0(%arg0: tensor<48x50xf32>) -> (tensor<48x50xf32>, tensor<48xf32>) attributes {translation_info = #translation} {
//   func.func @sines_kernel_1(%arg0: tensor<48x50xf32>) -> tensor<50xf32> attributes {translation_info = #translation1} {

// $ raddle run %s --all
// ok       @rows_and_columns
// ok       @sines
// ok       @columns
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
