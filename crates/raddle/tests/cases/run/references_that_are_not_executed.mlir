// Where the emulator cannot run the program as written, which is the reference, another one may be given, or none.
// RUN: raddle run %s --input=5xf32=[1,2,3,4,5] --input=i64=3 --quiet
// RUN: raddle run %s --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=3xf32=[-1,-2,-3] --quiet
// RUN: raddle run %s --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=(ignored) --output=- --quiet
func.func @f(%x: tensor<5xf32>, %count: tensor<i64>) -> tensor<?xf32> {
  %c = tensor.extract %count[] : tensor<i64>
  %n = arith.index_cast %c : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<5xf32> to tensor<?xf32>
  %0 = arith.negf %s : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// $ raddle run %s --input=5xf32=[1,2,3,4,5] --input=i64=3 --quiet
// error[E0801]: a slice of a tensor has sizes that are known at compile time
//  --> run/references_that_are_not_executed.mlir:8:3
//   |
// 8 |   %s = tensor.extract_slice %x[0] [%n] [1] : tensor<5xf32> to tensor<?xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: the program as written is the reference: `--expected_output=@0.npy` for each result compares with another one, and `'--expected_output=(ignored)'` with none
// [exit status 1]

// $ raddle run %s --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=3xf32=[-1,-2,-3] --quiet
// correct: all 3 elements equal the expected output bit for bit

// $ raddle run %s --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=(ignored) --output=- --quiet
// result 0: tensor<3xf32>=-1 -2 -3
// done: nothing to compare with
