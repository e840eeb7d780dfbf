// A row of an attention whose mask hides all keys is zero, as in PyTorch: words of padding in front of a sentence see none,
// and would make all words no number in the next layer. A softmax that a program writes out is what it says, no number.
// RUN: raddle run %s --function=hidden --quiet --input=2x16x16xf16=random --input=2x48x16xf16=random --input=2x48x16xf16=random --input=2x16x48xi1=0 --expected_output=2x16x16xf16=0
// RUN: raddle run %s --function=hidden --quiet --device=ptx-emu --target=sm_90a --input=2x16x16xf16=random --input=2x48x16xf16=random --input=2x48x16xf16=random --input=2x16x48xi1=0 --expected_output=2x16x16xf16=0
// RUN: raddle run %s --function=hidden --quiet --target=gfx942 --input=2x16x16xf16=random --input=2x48x16xf16=random --input=2x48x16xf16=random --input=2x16x48xi1=0 --expected_output=2x16x16xf16=0
// RUN: raddle run %s --function=one_row --quiet --input=2x1x16xf16=random --input=2x1024x16xf16=random --input=2x1024x16xf16=random --input=2x1x1024xi1=0 --expected_output=2x1x16xf16=0
// RUN: raddle run %s --function=hidden --quiet
// RUN: raddle run %s --function=padding_in_front --quiet
// RUN: raddle run %s --function=written --quiet
// RUN: raddle opt %s --normalize --partition | grep -c iree_linalg_ext.attention
#q = affine_map<(h, i, n, d, j) -> (h, i, d)>
#k = affine_map<(h, i, n, d, j) -> (h, j, d)>
#v = affine_map<(h, i, n, d, j) -> (h, j, n)>
#s = affine_map<(h, i, n, d, j) -> ()>
#m = affine_map<(h, i, n, d, j) -> (h, i, j)>
#o = affine_map<(h, i, n, d, j) -> (h, i, n)>
#all = affine_map<(h, i, j) -> (h, i, j)>
func.func @hidden(%q: tensor<2x16x16xf16>, %k: tensor<2x48x16xf16>, %v: tensor<2x48x16xf16>, %keeps: tensor<2x16x48xi1>) -> tensor<2x16x16xf16> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x16x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %keeps : tensor<2x16x16xf16>, tensor<2x48x16xf16>, tensor<2x48x16xf16>, f32, tensor<2x16x48xi1>) outs(%e : tensor<2x16x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x16x16xf16>
  return %0 : tensor<2x16x16xf16>
}
// Keys are shared by workgroups, each of which sees none.
func.func @one_row(%q: tensor<2x1x16xf16>, %k: tensor<2x1024x16xf16>, %v: tensor<2x1024x16xf16>, %keeps: tensor<2x1x1024xi1>) -> tensor<2x1x16xf16> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x1x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %keeps : tensor<2x1x16xf16>, tensor<2x1024x16xf16>, tensor<2x1024x16xf16>, f32, tensor<2x1x1024xi1>) outs(%e : tensor<2x1x16xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x1x16xf16>
  return %0 : tensor<2x1x16xf16>
}
// Words see words in front of them, of which the first 7 are padding.
func.func @padding_in_front(%q: tensor<2x48x16xf16>, %k: tensor<2x48x16xf16>, %v: tensor<2x48x16xf16>) -> tensor<2x48x16xf16> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x48x16xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %scale : tensor<2x48x16xf16>, tensor<2x48x16xf16>, tensor<2x48x16xf16>, f32) outs(%e : tensor<2x48x16xf16>) {
  ^bb0(%x: f32):
    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %first = arith.constant 7 : index
    %never = arith.constant 0xFF800000 : f32
    %before = arith.cmpi sle, %j, %i : index
    %word = arith.cmpi sge, %j, %first : index
    %keeps = arith.andi %before, %word : i1
    %y = arith.select %keeps, %x, %never : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<2x48x16xf16>
  return %0 : tensor<2x48x16xf16>
}
func.func @written(%q: tensor<2x48x16xf16>, %k: tensor<2x16x48xf16>, %v: tensor<2x48x16xf16>) -> tensor<2x48x16xf16> {
  %zero = arith.constant 0.0 : f32
  %never = arith.constant 0xFF800000 : f32
  %es = tensor.empty() : tensor<2x48x48xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<2x48x16xf16>, tensor<2x16x48xf16>) outs(%fs : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %masked = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores : tensor<2x48x48xf32>) outs(%es : tensor<2x48x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %before = arith.cmpi slt, %j, %i : index
    %y = arith.select %before, %in, %never : f32
    linalg.yield %y : f32
  } -> tensor<2x48x48xf32>
  %soft = linalg.softmax dimension(2) ins(%masked : tensor<2x48x48xf32>) outs(%es : tensor<2x48x48xf32>) -> tensor<2x48x48xf32>
  %eh = tensor.empty() : tensor<2x48x48xf16>
  %half = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%soft : tensor<2x48x48xf32>) outs(%eh : tensor<2x48x48xf16>) {
  ^bb0(%in: f32, %out: f16):
    %y = arith.truncf %in : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x48x48xf16>
  %eo = tensor.empty() : tensor<2x48x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %r = linalg.batch_matmul ins(%half, %v : tensor<2x48x48xf16>, tensor<2x48x16xf16>) outs(%fo : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
  %eh2 = tensor.empty() : tensor<2x48x16xf16>
  %rh = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<2x48x16xf32>) outs(%eh2 : tensor<2x48x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %y = arith.truncf %in : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x48x16xf16>
  return %rh : tensor<2x48x16xf16>
}

// $ raddle run %s --function=hidden --quiet --input=2x16x16xf16=random --input=2x48x16xf16=random --input=2x48x16xf16=random --input=2x16x48xi1=0 --expected_output=2x16x16xf16=0
// correct: all 512 elements equal the expected output bit for bit

// $ raddle run %s --function=hidden --quiet --device=ptx-emu --target=sm_90a --input=2x16x16xf16=random --input=2x48x16xf16=random --input=2x48x16xf16=random --input=2x16x48xi1=0 --expected_output=2x16x16xf16=0
// correct: all 512 elements equal the expected output bit for bit

// $ raddle run %s --function=hidden --quiet --target=gfx942 --input=2x16x16xf16=random --input=2x48x16xf16=random --input=2x48x16xf16=random --input=2x16x48xi1=0 --expected_output=2x16x16xf16=0
// correct: all 512 elements equal the expected output bit for bit

// $ raddle run %s --function=one_row --quiet --input=2x1x16xf16=random --input=2x1024x16xf16=random --input=2x1024x16xf16=random --input=2x1x1024xi1=0 --expected_output=2x1x16xf16=0
// correct: all 32 elements equal the expected output bit for bit

// $ raddle run %s --function=hidden --quiet
// correct: all 512 elements agree with the reference within 1.22e-3 + 1.95e-3·|expected| (315 bit for bit)

// $ raddle run %s --function=padding_in_front --quiet
// correct: all 1536 elements agree with the reference within 1.46e-3 + 1.95e-3·|expected| (1128 bit for bit)

// $ raddle run %s --function=written --quiet
// correct: all 1536 elements agree with the reference within 1.18e-2 + 1.95e-3·|expected| (1288 bit for bit)

// $ raddle opt %s --normalize --partition | grep -c iree_linalg_ext.attention
// 3
