// Loops and branches between kernels are steps of the sequence of calls, so that such functions have a function of C, too.
// RUN: raddle run %s --all | grep right
// RUN: raddle run %s --all --device=cpu-c --target=host | grep right
// RUN: raddle build %s --function=recurrent --target=x86-64-v3 --emit=llvm | grep kernel_0(ptr %v
// RUN: raddle build %s --function=recurrent --emit=ptx | grep -c entry
// RUN: raddle build %s --function=until --target=x86-64-v3 --emit=llvm | grep load i8

// A recurrent net: the state has two places, and each row of the result is written where it goes. JAX counts in tensors.
func.func @recurrent(%xs: tensor<6x4x8xf32>, %w: tensor<8x8xf32>, %h0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<6x4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %first = arith.constant dense<0> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %n = arith.constant dense<6> : tensor<i32>
  %zeros = arith.constant dense<0.0> : tensor<6x4x8xf32>
  %r:3 = scf.while (%i = %first, %h = %h0, %ys = %zeros) : (tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>) -> (tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>) {
    %e = tensor.empty() : tensor<i1>
    %less = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%i, %n : tensor<i32>, tensor<i32>) outs(%e : tensor<i1>) {
    ^bb0(%a: i32, %b: i32, %o: i1):
      %c = arith.cmpi slt, %a, %b : i32
      linalg.yield %c : i1
    } -> tensor<i1>
    %flag = tensor.extract %less[] : tensor<i1>
    scf.condition(%flag) %i, %h, %ys : tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>
  } do {
  ^bb0(%i: tensor<i32>, %h: tensor<4x8xf32>, %ys: tensor<6x4x8xf32>):
    %number = tensor.extract %i[] : tensor<i32>
    %index = arith.index_cast %number : i32 to index
    %from = arith.maxsi %index, %c0 : index
    %at = arith.minsi %from, %c5 : index
    %x = tensor.extract_slice %xs[%at, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<6x4x8xf32> to tensor<4x8xf32>
    %e = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %p = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
    %q = linalg.add ins(%p, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %new = linalg.tanh ins(%q : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %all = tensor.insert_slice %new into %ys[%at, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<4x8xf32> into tensor<6x4x8xf32>
    %ei = tensor.empty() : tensor<i32>
    %next = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%i, %one : tensor<i32>, tensor<i32>) outs(%ei : tensor<i32>) {
    ^bb0(%a: i32, %b: i32, %o: i32):
      %c = arith.addi %a, %b : i32
      linalg.yield %c : i32
    } -> tensor<i32>
    scf.yield %next, %new, %all : tensor<i32>, tensor<4x8xf32>, tensor<6x4x8xf32>
  }
  return %r#1, %r#2 : tensor<4x8xf32>, tensor<6x4x8xf32>
}

// What a kernel computes decides when the loop ends.
func.func @until(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<i32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%t = %x, %n = %c0) : (tensor<16xf32>, i32) -> (tensor<16xf32>, i32) {
    %e = tensor.empty() : tensor<f32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %most = linalg.reduce ins(%t : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0]
      (%a: f32, %b: f32) { %m = math.absf %a : f32  %s = arith.maximumf %m, %b : f32  linalg.yield %s : f32 }
    %e1 = tensor.empty() : tensor<i1>
    %large = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%most : tensor<f32>) outs(%e1 : tensor<i1>) {
    ^bb0(%a: f32, %o: i1):
      %c = arith.cmpf ogt, %a, %half : f32
      linalg.yield %c : i1
    } -> tensor<i1>
    %flag = tensor.extract %large[] : tensor<i1>
    scf.condition(%flag) %t, %n : tensor<16xf32>, i32
  } do {
  ^bb0(%t: tensor<16xf32>, %n: i32):
    %e = tensor.empty() : tensor<16xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.mulf %a, %half : f32
      linalg.yield %c : f32
    } -> tensor<16xf32>
    %next = arith.addi %n, %c1 : i32
    scf.yield %s, %next : tensor<16xf32>, i32
  }
  %count = tensor.from_elements %r#1 : tensor<i32>
  return %r#0, %count : tensor<16xf32>, tensor<i32>
}

// A branch by an argument, and one of several.
func.func @chosen(%x: tensor<4x4xf32>, %flag: i1, %which: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %one = scf.if %flag -> (tensor<4x4xf32>) {
    %s = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  } else {
    scf.yield %x : tensor<4x4xf32>
  }
  %other = scf.index_switch %which -> tensor<4x4xf32>
  case 0 {
    %s = linalg.add ins(%one, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  case 2 {
    scf.yield %one : tensor<4x4xf32>
  }
  default {
    %s = linalg.sub ins(%one, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %s : tensor<4x4xf32>
  }
  return %one, %other : tensor<4x4xf32>, tensor<4x4xf32>
}

// $ raddle run %s --all | grep right
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu-c --target=host | grep right
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --function=recurrent --target=x86-64-v3 --emit=llvm | grep kernel_0(ptr %v
//   call void @recurrent_kernel_0(ptr %v16, ptr %arg1, ptr %arg0, i64 %v17, ptr %v20)

// $ raddle build %s --function=recurrent --emit=ptx | grep -c entry
// 1

// $ raddle build %s --function=until --target=x86-64-v3 --emit=llvm | grep load i8
//   %v8 = load i8, ptr %v7
//   %v8 = load i8, ptr %v7
