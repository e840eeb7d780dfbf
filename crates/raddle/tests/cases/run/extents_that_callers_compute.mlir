// Extents of results that are not affine expressions of the arguments' are numbers that the host gives its kernels.
// RUN: raddle run %s --all
// At most five rows.
func.func @first_rows(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %few = arith.minsi %n, %c5 : index
  %r = tensor.extract_slice %x[0, 0] [%few, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
// Half of as many rows as another kernel has, of which a kernel knows a number alone.
func.func @half(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %both = tensor.concat dim(0) %x, %y : (tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  %flat = tensor.collapse_shape %both [[0, 1]] : tensor<?x16xf32> into tensor<?xf32>
  %n = tensor.dim %flat, %c0 : tensor<?xf32>
  %rows = tensor.dim %x, %c0 : tensor<?x16xf32>
  %of_row = arith.divsi %n, %rows : index
  %half = arith.divsi %of_row, %c2 : index
  %r = tensor.extract_slice %x[0, 0] [%half, 16] [1, 1] : tensor<?x16xf32> to tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
// Quotients may be written with any rounding.
func.func @regrouped(%x: tensor<?x16xf32>) -> tensor<?x?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %parts = arith.floordivsi %n, %n : index
  %of_part = arith.divsi %n, %parts : index
  %y = tensor.expand_shape %x [[0, 1], [2]] output_shape [%parts, %of_part, 16] : tensor<?x16xf32> into tensor<?x?x16xf32>
  %e = tensor.empty(%parts, %of_part) : tensor<?x?x16xf32>
  %r = linalg.add ins(%y, %y : tensor<?x?x16xf32>, tensor<?x?x16xf32>) outs(%e : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  return %r : tensor<?x?x16xf32>
}
// A dimension that only the run knows stays, also where it is 1: the last one is dropped.
func.func @a_column(%x: tensor<?x?x1xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x?x1xf32>
  %first = arith.divui %rows, %rows : index
  %columns = tensor.dim %x, %c1 : tensor<?x?x1xf32>
  %r = tensor.extract_slice %x[0, 0, 0] [%first, %columns, 1] [1, 1, 1] : tensor<?x?x1xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// Of the function as written they do not follow, and its kernel has what is left when reshapes are gone.
func.func @rows_at(%x: tensor<8x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %part = tensor.extract_slice %x[0, 0] [%n, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
  %flat = tensor.collapse_shape %part [[0, 1]] : tensor<?x8xf32> into tensor<?xf32>
  %all = tensor.dim %flat, %c0 : tensor<?xf32>
  %rows = arith.divsi %all, %c8 : index
  %r = tensor.expand_shape %flat [[0, 1]] output_shape [%rows, 8] : tensor<?xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// $ raddle run %s --all
// ok       @first_rows
// ok       @half
// ok       @regrouped
// ok       @a_column
// ok       @rows_at
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs
