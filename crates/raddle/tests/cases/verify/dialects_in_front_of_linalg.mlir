// Of a program that stands in front of linalg, it is said how to get there.
// RUN: raddle check %s --split-input-file
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
tt.func public @kernel(%a: !tt.ptr<f32>) {
  tt.return
}

