// An assembly that knows the type reads and prints its parameters alone, and reads the whole type, too.
// RUN: raddle check %s
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %0 = nvgpu.mbarrier.create -> i32
  nvgpu.mbarrier.init %0[%c0], %n : i32
  %1 = nvgpu.mbarrier.arrive %0[%c0] : i32 -> !nvgpu.mbarrier.token
  return
}

// $ raddle check %s
// error[E0101]: expected `!nvgpu.mbarrier.group<…>`, found `i32`
//  --> verify/language/types_whose_names_go_without_saying.mlir:5:33
//   |
// 5 |   %0 = nvgpu.mbarrier.create -> i32
//   |                                 ^^^
// [exit status 1]
