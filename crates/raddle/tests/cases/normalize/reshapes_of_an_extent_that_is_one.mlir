// An open extent that is one has a dimension of its own in what is reshaped, whatever is beside it.
// RUN: raddle run %s --target=sm_80 --input=128x64xi32=random | grep correct
func.func @f(%arg0: tensor<128x64xi32>) -> tensor<128x64x?x1x1xi32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [128, 64, 1] : tensor<128x64xi32> into tensor<128x64x1xi32>
  %wide = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [128, 64, 1, 1] : tensor<128x64x1xi32> into tensor<128x64x1x1xi32>
  %slice = tensor.extract_slice %wide[0, 0, 0, 0] [128, 64, %c1, 1] [1, 1, 3, 1] : tensor<128x64x1x1xi32> to tensor<128x64x?x1xi32>
  %dim = tensor.dim %slice, %c2 : tensor<128x64x?x1xi32>
  %wider = tensor.expand_shape %slice [[0], [1], [2], [3, 4]] output_shape [128, 64, %dim, 1, 1] : tensor<128x64x?x1xi32> into tensor<128x64x?x1x1xi32>
  return %wider : tensor<128x64x?x1x1xi32>
}

// $ raddle run %s --target=sm_80 --input=128x64xi32=random | grep correct
// correct: all 8192 elements equal the reference bit for bit
