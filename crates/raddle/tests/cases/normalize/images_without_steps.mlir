// An image that an insertion puts at one place, with a step of 0, is no spread image: its convolution stays as it is.

// RUN: raddle opt %s --normalize | grep tensor.insert_slice

func.func @c(%x: tensor<1x4x1xf16>, %w: tensor<8x4x4xf16>) -> tensor<1x8x8xf32> {
  %z = arith.constant 0.0 : f16
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x11xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<1x4x11xf16>) -> tensor<1x4x11xf16>
  %s = tensor.insert_slice %x into %f[0, 0, 3] [1, 4, 1] [1, 1, 0] : tensor<1x4x1xf16> into tensor<1x4x11xf16>
  %o = tensor.empty() : tensor<1x8x8xf32>
  %of = linalg.fill ins(%zf : f32) outs(%o : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%s, %w : tensor<1x4x11xf16>, tensor<8x4x4xf16>) outs(%of : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  return %r : tensor<1x8x8xf32>
}

// $ raddle opt %s --normalize | grep tensor.insert_slice
//     %inserted_slice = tensor.insert_slice %arg0 into %1[0, 0, 3] [1, 4, 1] [1, 1, 0] : tensor<1x4x1xf16> into tensor<1x4x11xf16>
