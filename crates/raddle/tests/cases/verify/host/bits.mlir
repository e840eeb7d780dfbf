// Bits are named; a name that covers others stands behind them.
// RUN: raddle check %s --split-input-file
func.func @f() {
  %0 = hal.memory_type<Fast> : i32
  return
}

// -----
func.func @f() {
  %0 = "hal.memory_type"() <{type = 1024 : i32}> : () -> i32
  return
}

// $ raddle check %s --split-input-file
// error[E0101]: expected some of Optimal, HostVisible, HostCoherent, HostCached, HostLocal, DeviceVisible, DeviceLocal, found `Fast`
//  --> verify/host/bits.mlir:4:24
//   |
// 4 |   %0 = hal.memory_type<Fast> : i32
//   |                        ^^^^ expected some of Optimal, HostVisible, HostCoherent, HostCached, HostLocal, DeviceVisible, DeviceLocal
//
// error[E0201]: 'hal.memory_type' op cannot have this value for `type`
//   --> verify/host/bits.mlir:10:3
//    |
// 10 |   %0 = "hal.memory_type"() <{type = 1024 : i32}> : () -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
