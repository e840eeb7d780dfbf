// A function of numbers alone is run, and there is nothing to build.
// RUN: raddle run %s --input=i32=2 --input=i32=3 --expected_output=i32=5 --expected_output=f32=32 | grep correct
// RUN: raddle build %s
func.func @f(%a: i32, %b: i32) -> (i32, f32) {
  %s = arith.addi %a, %b : i32
  %f = arith.sitofp %s : i32 to f32
  %h = math.exp2 %f : f32
  return %s, %h : i32, f32
}

// $ raddle run %s --input=i32=2 --input=i32=3 --expected_output=i32=5 --expected_output=f32=32 | grep correct
// correct: result 0, all 1 elements equal the expected output bit for bit
// correct: result 1, all 1 elements equal the expected output bit for bit

// $ raddle build %s
// error[E0703]: `@f` has nothing for a kernel
//  |
//  = note: it moves tensors about, or computes with numbers: that is done by whoever calls kernels
//  = help: `raddle run` carries it out
// [exit status 1]
