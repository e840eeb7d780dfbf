// Cases are told apart, and all regions give what the operation gives.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: index, %arg1: i32) {
  %0 = scf.index_switch %arg0 -> index
  case 2 {
    scf.yield %arg0 : index
  }
  default {
    scf.yield %arg0 : index
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32) {
  %0 = scf.index_switch %arg0 -> index
  case 2 {
    scf.yield %arg0 : index
  }
  case 2 {
    scf.yield %arg0 : index
  }
  default {
    scf.yield %arg0 : index
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32) {
  %0 = scf.index_switch %arg0 -> index
  case 2 {
    scf.yield %arg1 : i32
  }
  default {
    scf.yield %arg0 : index
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32) {
  %0 = scf.index_switch %arg0 -> index
  case 2 {
    scf.yield
  }
  default {
    scf.yield %arg0 : index
  }
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'scf.index_switch' op has duplicate case value: 2
//   --> verify/loops/switches.mlir:16:3
//    |
// 16 |   %0 = scf.index_switch %arg0 -> index
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.index_switch' op expected result #0 of each region to be 'index'
//   --> verify/loops/switches.mlir:31:3
//    |
// 31 |   %0 = scf.index_switch %arg0 -> index
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 32 |   case 2 {
// 33 |     scf.yield %arg1 : i32
//    |     --------------------- case region #0 returns 'i32' here
//
// error[E0201]: 'scf.index_switch' op expected each region to return 1 values, but case region #0 returns 0
//   --> verify/loops/switches.mlir:43:3
//    |
// 43 |   %0 = scf.index_switch %arg0 -> index
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 44 |   case 2 {
// 45 |     scf.yield
//    |     --------- see yield operation here
//
// 3 diagnostics
// [exit status 1]
