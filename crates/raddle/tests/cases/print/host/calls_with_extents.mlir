// Calls of what `flow` declares, with the extents of tensors and the storage that results take over.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '_attrs'
module {
  flow.func private @g(%arg0: tensor<?xf32>, %arg1: i32) -> (%arg0 {a.b}, %arg1 as f32)
  func.func @f(%arg0: tensor<?xf32>, %arg1: index, %arg2: i32) {
    %0:2 = flow.call @g(%arg0, %arg2) : (tensor<?xf32>{%arg1}, i32) -> (%arg0{%arg1}, f32)
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '_attrs'
//   "flow.func"() <{arg_attrs = [{}, {}], function_type = (tensor<?xf32>, i32) -> (tensor<?xf32>, f32), res_attrs = [{a.b}, {}], sym_name = "g", sym_visibility = "private", tied_operands = [0 : index, 1 : index]}> ({
