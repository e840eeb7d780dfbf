// A tensor that comes from outside may have other elements there.
// RUN: raddle check %s
func.func @f(%arg0: !hal.buffer_view) {
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?xf32>
  return
}

// $ raddle check %s
// error[E0201]: 'hal.tensor.import' op value set has 1 dynamic dimensions but only 0 dimension values are attached
//  --> verify/host/tensors_from_outside.mlir:4:3
//   |
// 4 |   %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<?xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
