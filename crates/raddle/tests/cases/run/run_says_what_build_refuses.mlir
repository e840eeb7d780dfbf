// `run` says when `build` would refuse the program that it executes.
// RUN: raddle run %s | grep build
// RUN: raddle build %s
func.func @f(%x: memref<64xi128>) attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %v = memref.load %x[%t] : memref<64xi128>
  %w = arith.addi %v, %v : i128
  memref.store %w, %x[%t] : memref<64xi128>
  return
}

// $ raddle run %s | grep build
// run/run_says_what_build_refuses.mlir @f: (memref<64xi128>) -> (memref<64xi128>)
// build      would refuse it: error[E0701]: cannot write `func.func` for sm_80: no register holds i128

// $ raddle build %s
// error[E0701]: cannot write `func.func` for sm_80
//  --> run/run_says_what_build_refuses.mlir:4:1
//   |
// 4 | func.func @f(%x: memref<64xi128>) attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no register holds i128
// [exit status 1]
