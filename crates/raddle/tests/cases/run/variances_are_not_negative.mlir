// Of a parameter whose roots are taken, random elements are not negative: the variances of a batch norm, whose root an
// assertion asks about that no NaN passes.
// RUN: raddle run %s --all
util.global private @variance = #flow.parameter.named<"model"::"bn.running_var"> : tensor<64xf32>
util.global private @scale = #flow.parameter.named<"model"::"bn.weight"> : tensor<64xf32>
util.func public @norm(%arg: !hal.buffer_view) -> !hal.buffer_view {
  %x = hal.tensor.import %arg : !hal.buffer_view -> tensor<64xf32>
  %v = util.global.load @variance : tensor<64xf32>
  %s = util.global.load @scale : tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %small = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %sum = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%v : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %small : f32
    linalg.yield %b : f32
  } -> tensor<64xf32>
  %root = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%sum : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = math.sqrt %a : f32
    linalg.yield %b : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]} ins(%x, %root, %s : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %is = arith.cmpf one, %b, %zero : f32
    cf.assert %is, "a root is zero"
    %q = arith.divf %one, %b : f32
    %m = arith.mulf %a, %q : f32
    %n = arith.mulf %m, %c : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %out = hal.tensor.export %r : tensor<64xf32> -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}

// $ raddle run %s --all
// ok       @norm
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
