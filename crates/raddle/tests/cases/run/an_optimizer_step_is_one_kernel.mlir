// What others need, too, is in the kernel of what is computed of it: an optimizer's step gives its moments and the weights.

// RUN: raddle opt %s --to=configured | grep -c func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu

func.func @step(%p: tensor<70x33xf32>, %g: tensor<70x33xf32>, %m: tensor<70x33xf32>, %v: tensor<70x33xf32>)
    -> (tensor<70x33xf32>, tensor<70x33xf32>, tensor<70x33xf32>) {
  %e = tensor.empty() : tensor<70x33xf32>
  %m1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%m, %g : tensor<70x33xf32>, tensor<70x33xf32>) outs(%e : tensor<70x33xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<70x33xf32>
  %v1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%v, %g : tensor<70x33xf32>, tensor<70x33xf32>) outs(%e : tensor<70x33xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.mulf %y, %y : f32
    %s = arith.addf %x, %q : f32
    linalg.yield %s : f32
  } -> tensor<70x33xf32>
  %p1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p, %m1, %v1 : tensor<70x33xf32>, tensor<70x33xf32>, tensor<70x33xf32>) outs(%e : tensor<70x33xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %d = arith.mulf %y, %z : f32
    %s = arith.subf %x, %d : f32
    linalg.yield %s : f32
  } -> tensor<70x33xf32>
  return %p1, %m1, %v1 : tensor<70x33xf32>, tensor<70x33xf32>, tensor<70x33xf32>
}

// $ raddle opt %s --to=configured | grep -c func.func
// 1

// $ raddle run %s --all
// ok       @step
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @step
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
