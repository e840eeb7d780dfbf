// A softmax along columns goes along them in passes, and workgroups share the columns unevenly: each reduction is done
// once, in front of those who need it.
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle run %s --all --target=x86-64-v4
func.func @few(%a: tensor<67x33xbf16>) -> tensor<67x33xbf16> {
  %e = tensor.empty() : tensor<67x33xbf16>
  %r = linalg.softmax dimension(0) ins(%a : tensor<67x33xbf16>) outs(%e : tensor<67x33xbf16>) -> tensor<67x33xbf16>
  return %r : tensor<67x33xbf16>
}
func.func @many(%a: tensor<2x70x71xf32>) -> tensor<2x70x71xf32> {
  %e = tensor.empty() : tensor<2x70x71xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<2x70x71xf32>) outs(%e : tensor<2x70x71xf32>) -> tensor<2x70x71xf32>
  return %r : tensor<2x70x71xf32>
}

// $ raddle run %s --all --target=x86-64-v3
// ok       @few
// ok       @many
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @few
// ok       @many
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
