// Scalar operations on tensors, with constants and one number for all elements.
// RUN: raddle run %s --seed=0 --compare=tensor,lowered | grep -c 'correct:'
// RUN: raddle run %s --seed=1 --compare=tensor,lowered | grep -c 'correct:'
// RUN: raddle run %s --seed=2 --compare=tensor,lowered | grep -c 'correct:'
// RUN: raddle build %s | grep -c .entry
func.func @f(%a: tensor<7x9xf32>, %b: tensor<7x9xf32>, %n: tensor<7x9xi8>, %c: i1) -> (tensor<7x9xf32>, tensor<7x9xi8>) {
  %two = arith.constant dense<2.0> : tensor<7x9xf32>
  %s = arith.mulf %a, %two : tensor<7x9xf32>
  %t = math.tanh %s : tensor<7x9xf32>
  %less = arith.cmpf olt, %t, %b : tensor<7x9xf32>
  %u = arith.select %less, %t, %b : tensor<7x9xi1>, tensor<7x9xf32>
  %w = arith.select %c, %u, %a : tensor<7x9xf32>
  %m = arith.sitofp %n : tensor<7x9xi8> to tensor<7x9xf32>
  %r = arith.addf %w, %m : tensor<7x9xf32>
  %h = arith.truncf %r : tensor<7x9xf32> to tensor<7x9xf8E4M3FN>
  %i = arith.bitcast %h : tensor<7x9xf8E4M3FN> to tensor<7x9xi8>
  return %r, %i : tensor<7x9xf32>, tensor<7x9xi8>
}

// $ raddle run %s --seed=0 --compare=tensor,lowered | grep -c 'correct:'
// 6

// $ raddle run %s --seed=1 --compare=tensor,lowered | grep -c 'correct:'
// 6

// $ raddle run %s --seed=2 --compare=tensor,lowered | grep -c 'correct:'
// 6

// $ raddle build %s | grep -c .entry
// 1
