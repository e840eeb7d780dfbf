// Threads share a line where the comparator orders elements by one number, which it may compute; by two numbers it may not,
// and one thread sorts as the operation means it.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -e remark -e comparator
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx1100

func.func @by_one_number(%a: tensor<5x70xf32>, %b: tensor<5x70xi32>) -> (tensor<5x70xf32>, tensor<5x70xi32>) {
  %zero = arith.constant 0 : i32
  %most = arith.constant 2147483647 : i32
  %r:2 = iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<5x70xf32>, tensor<5x70xi32>) {
  ^bb0(%x: f32, %y: f32, %p: i32, %q: i32):
    %xi = arith.bitcast %x : f32 to i32
    %xn = arith.cmpi slt, %xi, %zero : i32
    %xm = arith.subi %most, %xi : i32
    %xk = arith.select %xn, %xm, %xi : i32
    %yi = arith.bitcast %y : f32 to i32
    %yn = arith.cmpi slt, %yi, %zero : i32
    %ym = arith.subi %most, %yi : i32
    %yk = arith.select %yn, %ym, %yi : i32
    %c = arith.cmpi slt, %xk, %yk : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<5x70xf32>, tensor<5x70xi32>
  return %r#0, %r#1 : tensor<5x70xf32>, tensor<5x70xi32>
}

func.func @by_two_numbers(%a: tensor<5x70xi32>, %b: tensor<5x70xi32>) -> (tensor<5x70xi32>, tensor<5x70xi32>) {
  %r:2 = iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<5x70xi32>, tensor<5x70xi32>) {
  ^bb0(%x: i32, %y: i32, %p: i32, %q: i32):
    %less = arith.cmpi slt, %x, %y : i32
    %equal = arith.cmpi eq, %x, %y : i32
    %second = arith.cmpi slt, %p, %q : i32
    %both = arith.andi %equal, %second : i1
    %c = arith.ori %less, %both : i1
    iree_linalg_ext.yield %c : i1
  } -> tensor<5x70xi32>, tensor<5x70xi32>
  return %r#0, %r#1 : tensor<5x70xi32>, tensor<5x70xi32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -e remark -e comparator
// remark[E0304]: `@by_one_number` is compiled to scalar loops, in which several threads share a line of `iree_linalg_ext.sort`
// remark[E0304]: `@by_two_numbers` is compiled to scalar loops, which are slow: each thread computes one point at a time
//    = note: one thread has a line of `iree_linalg_ext.sort`: its comparator is not the order of a number that it computes of each element

// $ raddle run %s --all
// ok       @by_one_number
// ok       @by_two_numbers
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @by_one_number
// ok       @by_two_numbers
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @by_one_number
// ok       @by_two_numbers
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
