// What is behind a scan may read its elements elsewhere: sums of windows are differences of running sums, of which some are
// padding. Such an operation is a kernel of its own. So is sorting what takes next to nothing to make.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
func.func @sums_of_windows(%x: tensor<6x29xf32>) -> tensor<6x29xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x29xf32>
  %el = tensor.empty() : tensor<6xf32>
  %fl = linalg.fill ins(%z : f32) outs(%el : tensor<6xf32>) -> tensor<6xf32>
  %s:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<6x29xf32>)
      outs(%e, %fl : tensor<6x29xf32>, tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    iree_linalg_ext.yield %t : f32
  } -> tensor<6x29xf32>, tensor<6xf32>
  %p = tensor.pad %s#0 low[0, 7] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : f32
  } : tensor<6x29xf32> to tensor<6x36xf32>
  %w = tensor.extract_slice %p[0, 0] [6, 29] [1, 1] : tensor<6x36xf32> to tensor<6x29xf32>
  %r = linalg.sub ins(%s#0, %w : tensor<6x29xf32>, tensor<6x29xf32>) outs(%e : tensor<6x29xf32>) -> tensor<6x29xf32>
  return %r : tensor<6x29xf32>
}
func.func @descending(%x: tensor<7x33xf32>) -> (tensor<7x33xf32>, tensor<7x33xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x33xf32>
  %el = tensor.empty() : tensor<7xf32>
  %fl = linalg.fill ins(%z : f32) outs(%el : tensor<7xf32>) -> tensor<7xf32>
  %s = linalg.reduce ins(%x : tensor<7x33xf32>) outs(%fl : tensor<7xf32>) dimensions = [1] (%a: f32, %b: f32) {
    %t = arith.maximumf %a, %b : f32
    linalg.yield %t : f32
  }
  %b = linalg.broadcast ins(%s : tensor<7xf32>) outs(%e : tensor<7x33xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %b : tensor<7x33xf32>, tensor<7x33xf32>) outs(%e : tensor<7x33xf32>) -> tensor<7x33xf32>
  %n = linalg.negf ins(%d : tensor<7x33xf32>) outs(%e : tensor<7x33xf32>) -> tensor<7x33xf32>
  %r = iree_linalg_ext.sort dimension(1) outs(%n : tensor<7x33xf32>) {
  ^bb0(%p: f32, %q: f32):
    %t = arith.cmpf olt, %p, %q : f32
    iree_linalg_ext.yield %t : i1
  } -> tensor<7x33xf32>
  return %d, %r : tensor<7x33xf32>, tensor<7x33xf32>
}

// $ raddle run %s --all
// ok       @sums_of_windows
// ok       @descending
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @sums_of_windows
// ok       @descending
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
