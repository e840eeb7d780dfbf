// Two pieces side by side, as `torch.cat` makes them: on CPUs, a tile that lies in one of them reads the other one not at all,
// instead of under a mask that leaves nothing. So does a tile in the padding around an image.
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep -c -e maskedload
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --device=cpu
func.func @channels(%a: tensor<2x3x5x24xf32>, %b: tensor<2x4x5x24xf32>) -> tensor<2x7x5x24xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<2x3x5x24xf32>, tensor<2x4x5x24xf32>) -> tensor<2x7x5x24xf32>
  return %c : tensor<2x7x5x24xf32>
}
func.func @columns(%a: tensor<7x256xf32>, %b: tensor<7x128xf32>) -> tensor<7x384xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<7x256xf32>, tensor<7x128xf32>) -> tensor<7x384xf32>
  return %c : tensor<7x384xf32>
}
func.func @above(%a: tensor<2x5x48xf32>) -> tensor<2x8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x5x48xf32> to tensor<2x8x48xf32>
  return %p : tensor<2x8x48xf32>
}

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep -c -e maskedload
// 0

// $ raddle run %s --all --target=x86-64-v4
// ok       @channels
// ok       @columns
// ok       @above
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @channels
// ok       @columns
// ok       @above
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
