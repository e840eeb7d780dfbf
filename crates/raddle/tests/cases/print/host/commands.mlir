// What a host has a device do, as `--compile-to=executable-sources` prints it around the executables.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'resource_accesses = [3 : i32]'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '"stream.yield"()'
module {
  func.func @f(%arg0: !stream.resource<external>, %arg1: index, %arg2: !stream.timepoint, %arg3: i32) {
    %0 = stream.cmd.execute once on(#hal.device.affinity<@d>) await(%arg2) => with(%arg0 as %arg4: !stream.resource<external>{%arg1}) {
      stream.cmd.concurrent {
        stream.cmd.dispatch @e::@v::@x[%arg1](%arg3 : i32) {
          ro %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1},
          wo %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1}
        }
        stream.cmd.serial {
          stream.cmd.dispatch {@e::@v::@x, @e::@v::@y} {
            rw %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1}
          } attributes {x}
        }
      }
    } => !stream.timepoint
    %1:2 = stream.timepoint.await %0 => %arg0, %arg0 : !stream.resource<external>{%arg1}, !stream.resource<external>{%arg1}
    %2 = stream.timepoint.await sync %0 => %arg0 : !stream.resource<external>{%arg1}
    return
  }
}

// -----
module {
  func.func @f(%arg0: !stream.resource<external>, %arg1: index) {
    %0 = stream.cmd.execute with(%arg0 as %arg4: !stream.resource<external>{%arg1}) {
    stream.cmd.dispatch @x { rw %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1} }
    } => !stream.timepoint
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
//     %0 = stream.cmd.execute with(%arg0 as %arg2: !stream.resource<external>{%arg1}) {
//       stream.cmd.dispatch @x {
//         rw %arg2[%arg1 for %arg1] : !stream.resource<external>{%arg1}

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'resource_accesses = [3 : i32]'
//           "stream.cmd.dispatch"(%arg4, %arg1, %arg1, %arg1) <{entry_points = [@e::@v::@x, @e::@v::@y], operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>, resource_accesses = [3 : i32]}> {x} : (!stream.resource<external>, index, index, index) -> ()
//       "stream.cmd.dispatch"(%arg2, %arg1, %arg1, %arg1) <{entry_points = [@x], operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>, resource_accesses = [3 : i32]}> : (!stream.resource<external>, index, index, index) -> ()

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>'
//           "stream.cmd.dispatch"(%arg4, %arg1, %arg1, %arg1) <{entry_points = [@e::@v::@x, @e::@v::@y], operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>, resource_accesses = [3 : i32]}> {x} : (!stream.resource<external>, index, index, index) -> ()
//       "stream.cmd.dispatch"(%arg2, %arg1, %arg1, %arg1) <{entry_points = [@x], operandSegmentSizes = array<i32: 0, 0, 1, 1, 1, 1>, resource_accesses = [3 : i32]}> : (!stream.resource<external>, index, index, index) -> ()

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '"stream.yield"()'
//           "stream.yield"() : () -> ()
//         "stream.yield"() : () -> ()
//       "stream.yield"() : () -> ()
//       "stream.yield"() : () -> ()
