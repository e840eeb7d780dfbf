// Bits are named; a name that covers others stands behind them.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '<{usage = 3 : i32}>'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '<{type = 70 : i32}>'
module {
  func.func @f(%arg0: !hal.device, %arg1: i64) {
    %0 = hal.memory_type<"DeviceVisible|DeviceLocal"> : i32
    %1 = hal.memory_type<Optimal> : i32
    %2 = hal.buffer_usage<"TransferSource|TransferTarget|Transfer"> : i32
    %3 = hal.fence.create device(%arg0 : !hal.device) flags("None") : !hal.fence
    %4 = hal.command_buffer.create device(%arg0 : !hal.device) mode(OneShot) categories("Transfer|Dispatch") affinity(%arg1) : !hal.command_buffer
    return
  }
}

// -----
module {
  func.func @f() {
    %0 = hal.memory_type<HostLocal> : i32
    %1 = hal.buffer_usage<"Transfer"> : i32
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
//     %0 = hal.memory_type<"HostVisible|HostCoherent|HostLocal"> : i32
//     %1 = hal.buffer_usage<"TransferSource|TransferTarget|Transfer"> : i32

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '<{usage = 3 : i32}>'
//     %2 = "hal.buffer_usage"() <{usage = 3 : i32}> : () -> i32
//     %1 = "hal.buffer_usage"() <{usage = 3 : i32}> : () -> i32

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '<{type = 70 : i32}>'
//     %0 = "hal.memory_type"() <{type = 70 : i32}> : () -> i32
