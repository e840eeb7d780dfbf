// Maps lose what is constant or unused; digits of extent 1 are 0; joined digits come apart.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: index, %y: index) -> (index, index, index, index, index) {
  %c3 = arith.constant 3 : index
  %a = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 * 0)>(%x, %y)[%c3]
  %b = affine.apply affine_map<(d0) -> (d0 * 4 + 1)>(%c3)
  %d:3 = affine.delinearize_index %x into (8, 1, 4) : index, index, index
  %l = affine.linearize_index disjoint [%x, %y] by (8, 4) : index
  %e:2 = affine.delinearize_index %l into (8, 4) : index, index
  return %a, %b, %d#1, %d#2, %e#1 : index, index, index, index, index
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: index, %arg1: index) -> (index, index, index, index, index) {
//     %c0 = arith.constant 0 : index
//     %c13 = arith.constant 13 : index
//     %0 = affine.apply affine_map<()[s0] -> (s0 * 3)>()[%arg0]
//     %1:2 = affine.delinearize_index %arg0 into (4) : index, index
//     return %0, %c13, %c0, %1#1, %arg1 : index, index, index, index, index
//   }
// }
