// A tensor of a known extent that is cast to an open one: what is made of it keeps the open type.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
func.func @columns(%a: tensor<3x1xi64>, %b: tensor<3x2xi64>) -> tensor<?x3xi64> {
  %0 = tensor.cast %a : tensor<3x1xi64> to tensor<?x1xi64>
  %1 = tensor.cast %b : tensor<3x2xi64> to tensor<?x2xi64>
  %2 = tensor.concat dim(1) %0, %1 : (tensor<?x1xi64>, tensor<?x2xi64>) -> tensor<?x3xi64>
  return %2 : tensor<?x3xi64>
}

func.func @padded(%a: tensor<3x5xf32>, %high: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.cast %a : tensor<3x5xf32> to tensor<?x?xf32>
  %1 = tensor.pad %0 low[1, 0] high[2, %high] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

func.func @sums(%a: tensor<3x50xf32>) -> tensor<?x1xf32> {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3 : index
  %x = tensor.cast %a : tensor<3x50xf32> to tensor<?x?xf32>
  %e = tensor.empty(%three) : tensor<?x1xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<?x1xf32>) -> tensor<?x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, 0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%fill : tensor<?x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

// $ raddle run %s --all
// ok       @columns
// ok       @padded
// ok       @sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @columns
// ok       @padded
// ok       @sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
