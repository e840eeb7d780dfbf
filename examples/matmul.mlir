// C = A · B in half precision, accumulated in single precision.
//
//   cargo run --release -- run examples/matmul.mlir
func.func @matmul(%A: tensor<512x128xf16>, %B: tensor<128x512xf16>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %C = linalg.matmul ins(%A, %B : tensor<512x128xf16>, tensor<128x512xf16>)
                     outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %C : tensor<512x512xf32>
}
