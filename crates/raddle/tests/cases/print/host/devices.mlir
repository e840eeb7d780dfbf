// What stands for a device has its type.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '#hal.device.target<"x"> : !hal.device'
module attributes {a.b = [#hal.device.target<"x">]} {
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
// module attributes {a.b = [#hal.device.target<"x"> : !hal.device]} {

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '#hal.device.target<"x"> : !hal.device'
// }) {a.b = [#hal.device.target<"x"> : !hal.device]} : () -> ()
