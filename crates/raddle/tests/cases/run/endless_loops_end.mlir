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
// error[E0802]: limit: a loop of 1000000000000 iterations needs more than what is left of the run's fuel of 100000
//  --> run/endless_loops_end.mlir:8:3
//   |
// 8 |   scf.for %i = %c0 to %big step %c1 {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `scf.for`
//   |
//   = note: in workgroup (0, 0, 0), subgroup 0, lane 0
//   = help: run it with `--fuel=220000000000000 --time=2100000`, or look for a grid, a bound or a loop that is wrong
// [exit status 3]
