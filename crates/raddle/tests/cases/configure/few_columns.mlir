// Few columns are shared by more lanes and subgroups, so that there are threads for all processors, and threads hold what
// their registers take: a softmax along columns is one kernel.
// RUN: raddle opt %s --to=configured --target=sm_90a | grep func.func
// RUN: raddle run %s --function=columns --target=sm_90a | grep launch
// RUN: raddle run %s --all --target=sm_90a
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
func.func @columns(%x: tensor<2x256x128xf32>) -> tensor<2x256x128xf32> {
  %0 = tensor.empty() : tensor<2x256x128xf32>
  %1 = linalg.softmax dimension(1) ins(%x : tensor<2x256x128xf32>) outs(%0 : tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
  return %1 : tensor<2x256x128xf32>
}
func.func @narrow(%x: tensor<1000x7xf16>) -> tensor<1000x7xf16> {
  %0 = tensor.empty() : tensor<1000x7xf16>
  %1 = linalg.softmax dimension(0) ins(%x : tensor<1000x7xf16>) outs(%0 : tensor<1000x7xf16>) -> tensor<1000x7xf16>
  return %1 : tensor<1000x7xf16>
}

// $ raddle opt %s --to=configured --target=sm_90a | grep func.func
//   func.func @columns(%arg0: tensor<2x256x128xf32>) -> tensor<2x256x128xf32> attributes {translation_info = #translation} {
//   func.func @narrow(%arg0: tensor<1000x7xf16>) -> tensor<1000x7xf16> attributes {translation_info = #translation1} {

// $ raddle run %s --function=columns --target=sm_90a | grep launch
// launch     grid 32x2x1, each workgroup 64 threads: 2 subgroups of 32 lanes

// $ raddle run %s --all --target=sm_90a
// ok       @columns
// ok       @narrow
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @columns
// ok       @narrow
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @columns
// ok       @narrow
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
