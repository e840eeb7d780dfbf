// On gfx1100 the fragments of all values of a block of keys are more than the registers of a thread: the products that add
// to one sum follow each other, each behind the loads of its fragments, and give what they gave before.
// RUN: raddle run %s --target=gfx1100 --compare=distributed,lowered | grep -e 'equal stage'
// RUN: raddle run %s --target=gfx1201 --compare=distributed,lowered | grep -e 'equal stage'
func.func @attention(%q: tensor<1x32x16xf16>, %k: tensor<1x64x16xf16>, %v: tensor<1x64x128xf16>) -> tensor<1x32x128xf16> {
  %scale = arith.constant 0.25 : f16
  %empty = tensor.empty() : tensor<1x32x128xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, c) -> (b, m, k)>, affine_map<(b, m, n, k, c) -> (b, n, k)>, affine_map<(b, m, n, k, c) -> (b, n, c)>, affine_map<(b, m, n, k, c) -> ()>, affine_map<(b, m, n, k, c) -> (b, m, c)>]}
      ins(%q, %k, %v, %scale : tensor<1x32x16xf16>, tensor<1x64x16xf16>, tensor<1x64x128xf16>, f16) outs(%empty : tensor<1x32x128xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<1x32x128xf16>
  return %r : tensor<1x32x128xf16>
}

// $ raddle run %s --target=gfx1100 --compare=distributed,lowered | grep -e 'equal stage'
// correct: stage `lowered`, all 4096 elements equal stage `distributed` bit for bit

// $ raddle run %s --target=gfx1201 --compare=distributed,lowered | grep -e 'equal stage'
// correct: stage `lowered`, all 4096 elements equal stage `distributed` bit for bit
