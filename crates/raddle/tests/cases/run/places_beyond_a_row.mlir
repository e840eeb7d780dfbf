// Computed places that leave the row in the last tile, which is masked: the check of each element finds them.
// RUN: raddle run %s --all --device=cpu --bounds-checks | grep kernel
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @computed(%x: tensor<5x40xf32>) -> tensor<5x46xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<5x46xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<5x46xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %place = arith.subi %j, %c3 : index
    %low = arith.maxsi %place, %c0 : index
    %v = tensor.extract %x[%i, %low] : tensor<5x40xf32>
    linalg.yield %v : f32
  } -> tensor<5x46xf32>
  return %r : tensor<5x46xf32>
}

// $ raddle run %s --all --device=cpu --bounds-checks | grep kernel
// refused  @computed: line 14, error[E0811]: index 40 along dimension 1, whose extent is 40, in kernel `computed`
// [exit status 1]
