// An exclusive scan states what comes first.
// RUN: raddle check %s --split-input-file
func.func @f(%x: f32, %i: f32) {
  %a, %b = iree_gpu.subgroup_scan(%x) cluster(size = 4) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      iree_gpu.yield %r : f32
    } : f32
  return
}

// -----
func.func @f(%x: f32, %i: f32) {
  %a, %b = iree_gpu.subgroup_scan(%x, identity = %i : f32) cluster(size = 4) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      iree_gpu.yield %r : f32
    } : f32
  return
}

// -----
func.func @f(%x: f32, %i: f32) {
  %a, %b = iree_gpu.subgroup_scan inclusive(%x) cluster(size = 4) {
    ^bb0(%p: f32, %q: f32):
      %r = arith.addf %p, %q : f32
      iree_gpu.yield %r : f32
    } : f32
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_gpu.subgroup_scan' op exclusive scan requires an identity operand
//  --> verify/iree/exclusive_scans.mlir:4:3
//   |
// 4 |   %a, %b = iree_gpu.subgroup_scan(%x) cluster(size = 4) {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
