// An endless loop ends, as a limit.
// RUN: raddle run %s --fuel=100000
func.func @f(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %big = arith.constant 1000000000000 : index
  %v = arith.constant 1.0 : f32
  scf.for %i = %c0 to %big step %c1 {
    memref.store %v, %m[%c0] : memref<4xf32>
  }
  return
}

// $ raddle run %s --fuel=100000
// error[E0802]: limit: the program needs 140000000000389 of fuel at least, and the run has 100000 in all
//  --> run/endless_loops_end.mlir:3:1
//   |
// 3 | func.func @f(%m: memref<4xf32>) {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: run it with `--fuel=220000000000000 --time=2100000`, or look for a grid, a bound or a loop that is wrong
// [exit status 3]
