// What nobody has written is read as part of a selection, with vectors of the length of the others.
// RUN: raddle run %s --all
func.func @filled(%a: tensor<2x2xi32>, %b: tensor<2x3xi32>) -> tensor<2x5xi32> {
  %e = tensor.empty() : tensor<2x5xi32>
  %0 = tensor.insert_slice %a into %e[0, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<2x5xi32>
  %1 = tensor.insert_slice %b into %0[0, 2] [2, 3] [1, 1] : tensor<2x3xi32> into tensor<2x5xi32>
  return %1 : tensor<2x5xi32>
}

// $ raddle run %s --all
// ok       @filled
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
