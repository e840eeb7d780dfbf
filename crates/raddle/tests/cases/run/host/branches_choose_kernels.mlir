// Blocks behind branches are the host's, and each has its kernels.
// RUN: raddle run %s --input=64xf32=3 --input=i32=0 --expected_output=64xf32=6 | grep correct
// RUN: raddle run %s --input=64xf32=3 --input=i32=1 --expected_output=64xf32=9 | grep correct
func.func @f(%x: tensor<64xf32>, %n: i32) -> tensor<64xf32> {
  %zero = arith.constant 0 : i32
  %is = arith.cmpi eq, %n, %zero : i32
  cf.cond_br %is, ^twice(%x : tensor<64xf32>), ^square
^twice(%a: tensor<64xf32>):
  %t = arith.addf %a, %a : tensor<64xf32>
  cf.br ^end(%t : tensor<64xf32>)
^square:
  %s = arith.mulf %x, %x : tensor<64xf32>
  cf.br ^end(%s : tensor<64xf32>)
^end(%r: tensor<64xf32>):
  return %r : tensor<64xf32>
}

// $ raddle run %s --input=64xf32=3 --input=i32=0 --expected_output=64xf32=6 | grep correct
// correct: all 64 elements equal the expected output bit for bit

// $ raddle run %s --input=64xf32=3 --input=i32=1 --expected_output=64xf32=9 | grep correct
// correct: all 64 elements equal the expected output bit for bit
