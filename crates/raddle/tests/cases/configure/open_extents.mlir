// Extents that only the run knows have what is usual standing for them: rows that fill the chip may be short, a batch has some
// images, a side of a product is long. So configurations are those of known extents, but for the pitch of open rows.

// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle opt %s --partition --function=padded | grep -c tensor.pad
// RUN: raddle opt %s --to=laid_out | grep -c raddle.source
// RUN: raddle run %s --function=softmax --input=9000x37xf16=random | grep correct
// RUN: raddle run %s --function=softmax --input=5x2500xf16=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=depthwise --input=3x16x28x28xf16=random --input=16x3x3xf16=random | grep correct
// RUN: raddle run %s --function=depthwise --input=1x16x28x28xf16=random --input=16x3x3xf16=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=depthwise --input=9x16x28x28xf16=random --input=16x3x3xf16=random --target=gfx942 | grep correct
// RUN: raddle run %s --function=padded --input=3x5x24xf16=random | grep correct
// RUN: raddle run %s --function=padded --input=3x1x24xf16=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=sums_of_f32 --input=70x64xf32=random --input=64x128xf32=random | grep correct

func.func @softmax(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m, %n) : tensor<?x?xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<?x?xf16>) outs(%e : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

func.func @depthwise(%x: tensor<?x16x28x28xf16>, %w: tensor<16x3x3xf16>) -> tensor<?x16x28x28xf16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f16
  %n = tensor.dim %x, %c0 : tensor<?x16x28x28xf16>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f16
  } : tensor<?x16x28x28xf16> to tensor<?x16x30x30xf16>
  %e = tensor.empty(%n) : tensor<?x16x28x28xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<?x16x28x28xf16>) -> tensor<?x16x28x28xf16>
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<?x16x30x30xf16>, tensor<16x3x3xf16>) outs(%f : tensor<?x16x28x28xf16>) -> tensor<?x16x28x28xf16>
  return %r : tensor<?x16x28x28xf16>
}

func.func @padded(%x: tensor<3x?x24xf16>) -> tensor<3x?x24xf16> {
  %z = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f16
  } : tensor<3x?x24xf16> to tensor<3x?x24xf16>
  return %p : tensor<3x?x24xf16>
}

func.func @sums_of_f32(%a: tensor<?x64xf32>, %b: tensor<64x128xf32>) -> tensor<?x128xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x128xf32>) -> tensor<?x128xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x128xf32>) outs(%f : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %r : tensor<?x128xf32>
}
