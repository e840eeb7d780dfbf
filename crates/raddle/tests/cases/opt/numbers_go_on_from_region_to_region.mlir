// Numbers of values go on from one function to the next where that is asked for.
// RUN: raddle opt %s --mlir-print-unique-ssa-ids | grep poison
func.func @g() {
  %0 = ub.poison : f32
  return
}
func.func @f() {
  %0 = ub.poison : f32
  return
}

// $ raddle opt %s --mlir-print-unique-ssa-ids | grep poison
//     %1 = ub.poison : f32
//     %0 = ub.poison : f32
