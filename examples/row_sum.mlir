// The sum of each row: inside a thread, then across the lanes of a subgroup, then across subgroups.
//
//   cargo run --release -- run examples/row_sum.mlir
func.func @row_sum(%A: tensor<1024x1024xf32>) -> tensor<1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024xf32>) -> tensor<1024xf32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(row, col) -> (row, col)>, affine_map<(row, col) -> (row)>],
      iterator_types = ["parallel", "reduction"]
    } ins(%A : tensor<1024x1024xf32>) outs(%init : tensor<1024xf32>) {
    ^bb0(%x: f32, %sum: f32):
      %next = arith.addf %sum, %x : f32
      linalg.yield %next : f32
    } -> tensor<1024xf32>
  return %sums : tensor<1024xf32>
}
