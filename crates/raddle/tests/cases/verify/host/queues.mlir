// What is on a queue waits for one fence and signals another.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: !hal.device, %arg1: i64, %arg2: !hal.fence, %arg3: !hal.fence) {
  hal.device.queue.barrier<%arg0 : !hal.device> affinity(%arg1) wait(%arg2) signal(%arg3) flags("None")
  return
}

// -----
func.func @f(%arg0: !hal.device, %arg1: i64, %arg2: !hal.fence, %arg3: !hal.fence) {
  hal.device.queue.barrier<%arg0 : !hal.device> affinity(%arg1) wait(%arg2) signal(%arg2) flags("None")
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'hal.device.queue.barrier' op device queue operations cannot wait and signal on the same fence
//   --> verify/host/queues.mlir:10:3
//    |
// 10 |   hal.device.queue.barrier<%arg0 : !hal.device> affinity(%arg1) wait(%arg2) signal(%arg2) flags("None")
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
