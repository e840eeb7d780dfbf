// What a host has a device do, as `--compile-to=executable-sources` prints it around the executables.
// RUN: raddle check %s
func.func @f(%arg0: !stream.resource<external>, %arg1: index) {
  %0 = stream.cmd.execute with(%arg0 as %arg4: !stream.resource<external>{%arg1}) {
  stream.cmd.dispatch @x { no %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1} }
  } => !stream.timepoint
  return
}

// $ raddle check %s
// error[E0101]: a resource is read (`ro`), written (`wo`), or both (`rw`)
//  --> verify/host/commands.mlir:5:28
//   |
// 5 |   stream.cmd.dispatch @x { no %arg4[%arg1 for %arg1] : !stream.resource<external>{%arg1} }
//   |                            ^^
// [exit status 1]
