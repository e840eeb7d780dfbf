// What leaves a region is what the operation around it gives, and a workload is what its entry point takes.
// RUN: raddle check %s --split-input-file
util.func @f(%a: tensor<1xf16>) {
  %d = flow.dispatch.region -> (tensor<32xf16>) {
    flow.return
  }
  util.return
}

// -----
util.func @f(%a: tensor<1xf16>) {
  %d = flow.dispatch.region -> (tensor<32xf16>) {
    flow.return %a : tensor<1xf16>
  }
  util.return
}

// -----
flow.executable private @e {
  flow.executable.export public @d workgroups(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
}
util.func @f(%i: index) {
  flow.dispatch @e::@d[%i](%i) : (index) -> ()
  util.return
}

// -----
flow.executable private @e {
  flow.executable.export public @d workgroups(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
}
util.func @f(%i: index) {
  flow.dispatch @e::@d[%i, %i](%i) : (index) -> ()
  util.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'flow.return' op number of results (1) does not match number of returned values (0)
//  --> verify/host/dispatches.mlir:5:5
//   |
// 5 |     flow.return
//   |     ^^^^^^^^^^^
//
// error[E0201]: 'flow.return' op operand types do not match with parent results
//   --> verify/host/dispatches.mlir:13:5
//    |
// 13 |     flow.return %a : tensor<1xf16>
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'flow.dispatch' op workload mismatch; entry point expects 1 arguments but dispatch provides 2
//   --> verify/host/dispatches.mlir:36:3
//    |
// 31 |   flow.executable.export public @d workgroups(%w: index) -> (index, index, index) {
//    |   --------------------------------------------------------------------------------- the entry point
// ...
// 36 |   flow.dispatch @e::@d[%i, %i](%i) : (index) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
