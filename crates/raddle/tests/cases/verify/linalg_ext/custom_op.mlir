// An index of a loop stands inside an operation that has the loop.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i, j)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s, t] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i, s)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f64, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %b : f32
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 1 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f(%x: tensor<8xf32>, %c: memref<f32>, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, memref<f32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: memref<f32>, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}

// -----
func.func @f() {
  %i = iree_linalg_ext.index 0 : index
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.custom_op' op expected number of indexing maps (2) to be same as the number of input/output operands (3)
//   --> verify/linalg_ext/custom_op.mlir:15:3
//    |
// 15 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op expected indexing_map #0 to have 1 dim(s) to match the number of loops or be zero
//   --> verify/linalg_ext/custom_op.mlir:26:3
//    |
// 26 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i, j)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op inconsistent number of symbol dimensions in indexing_map #2, expected 2 instead of 1
//   --> verify/linalg_ext/custom_op.mlir:37:3
//    |
// 37 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s, t] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op expected operand rank(1) to match the result rank of indexing map #0
//   --> verify/linalg_ext/custom_op.mlir:48:3
//    |
// 48 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i, s)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op expected as many basic block arguments (2) as the number of operands (3)
//   --> verify/linalg_ext/custom_op.mlir:59:3
//    |
// 59 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op for (scalar) operand #1 expected corresponding basic block argument to be of the same type
//   --> verify/linalg_ext/custom_op.mlir:70:3
//    |
// 70 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op for (tensor) operand #0 expected corresponding basic block argument to be tensor as well
//   --> verify/linalg_ext/custom_op.mlir:81:3
//    |
// 81 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op expected basic block argument corresponding to (tensor) operand #0 to be 'tensor<?xf32>' instead of 'tensor<8xf32>'
//   --> verify/linalg_ext/custom_op.mlir:92:3
//    |
// 92 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op expected as many yields as the numbers of `outs` operand
//    --> verify/linalg_ext/custom_op.mlir:103:3
//     |
// 103 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op expected type of 0-th operand of yield to match the corresponding output basic block argument
//    --> verify/linalg_ext/custom_op.mlir:114:3
//     |
// 114 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.index' op expected dim (1) to be lower than the number of loops (1) of the enclosing operation
//    --> verify/linalg_ext/custom_op.mlir:128:5
//     |
// 128 |     %i = iree_linalg_ext.index 1 : index
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.custom_op' op operand #1 must be variadic of ranked tensor of signless integer or index or floating-point values or signless integer or index or floating-point, but got 'memref<f32>'
//    --> verify/linalg_ext/custom_op.mlir:136:3
//     |
// 136 |   %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: this is `inputs`: a ranked tensor, integer, index or float
//
// error[E0201]: 'iree_linalg_ext.index' op expected parent op to be one of `iree_linalg_ext.custom_op`, `iree_linalg_ext.attention`, `iree_linalg_ext.online_attention`
//    --> verify/linalg_ext/custom_op.mlir:147:3
//     |
// 147 |   %i = iree_linalg_ext.index 0 : index
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 13 diagnostics
// [exit status 1]
