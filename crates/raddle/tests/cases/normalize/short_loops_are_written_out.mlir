// Loops of few iterations that only compute elements are one kernel, as the rounds of the random numbers of JAX; those that
// move or add up elements, and those of open extents, stay loops between kernels.
// RUN: raddle opt %s --to=configured | grep func.func
// RUN: raddle opt %s --normalize | grep -c linalg.generic
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=cpu
// RUN: raddle run %s --all --device=ptx-emu
func.func @rounds(%x: tensor<37xi32>, %y: tensor<37xi32>) -> (tensor<37xi32>, tensor<37xi32>, i32) {
  %from = arith.constant 1 : i32
  %to = arith.constant 6 : i32
  %two = arith.constant 2 : i32
  %shifts = arith.constant dense<[13, 15, 26, 6]> : tensor<4xi32>
  %zero = arith.constant 0 : i32
  %0:3 = scf.for %i = %from to %to step %two iter_args(%a = %x, %b = %y, %n = %zero) -> (tensor<37xi32>, tensor<37xi32>, i32) : i32 {
    %first = tensor.extract_slice %shifts[1] [1] [1] : tensor<4xi32> to tensor<1xi32>
    %number = tensor.collapse_shape %first [] : tensor<1xi32> into tensor<i32>
    %1 = tensor.empty() : tensor<37xi32>
    %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<37xi32>, tensor<37xi32>) outs(%1 : tensor<37xi32>) {
    ^bb0(%in: i32, %other: i32, %out: i32):
      %s = arith.addi %in, %other : i32
      %t = arith.addi %s, %i : i32
      linalg.yield %t : i32
    } -> tensor<37xi32>
    %mixed = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum, %b, %number : tensor<37xi32>, tensor<37xi32>, tensor<i32>) outs(%1 : tensor<37xi32>) {
    ^bb0(%in: i32, %other: i32, %by: i32, %out: i32):
      %s = arith.shli %other, %by : i32
      %t = arith.xori %s, %in : i32
      linalg.yield %t : i32
    } -> tensor<37xi32>
    %m = arith.addi %n, %i : i32
    scf.yield %mixed, %sum, %m : tensor<37xi32>, tensor<37xi32>, i32
  }
  return %0#0, %0#1, %0#2 : tensor<37xi32>, tensor<37xi32>, i32
}

func.func @inner_and_outer(%x: tensor<21xf32>) -> tensor<21xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %0 = scf.for %i = %zero to %three step %one iter_args(%a = %x) -> (tensor<21xf32>) {
    %1 = scf.for %j = %zero to %three step %one iter_args(%b = %a) -> (tensor<21xf32>) {
      %2 = tensor.empty() : tensor<21xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%b : tensor<21xf32>) outs(%2 : tensor<21xf32>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.addi %i, %j : index
        %t = arith.index_cast %s : index to i32
        %f = arith.sitofp %t : i32 to f32
        %r = arith.addf %in, %f : f32
        linalg.yield %r : f32
      } -> tensor<21xf32>
      scf.yield %3 : tensor<21xf32>
    }
    %4 = scf.for %j = %three to %zero step %one iter_args(%b = %1) -> (tensor<21xf32>) {
      %5 = math.exp %b : tensor<21xf32>
      scf.yield %5 : tensor<21xf32>
    }
    scf.yield %4 : tensor<21xf32>
  }
  return %0 : tensor<21xf32>
}

func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %n = tensor.dim %x, %zero : tensor<?xf32>
  %0 = scf.for %i = %zero to %three step %one iter_args(%a = %x) -> (tensor<?xf32>) {
    %1 = scf.for %j = %zero to %three step %one iter_args(%b = %a) -> (tensor<?xf32>) {
      %2 = tensor.empty(%n) : tensor<?xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%b : tensor<?xf32>) outs(%2 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.addi %i, %j : index
        %t = arith.index_cast %s : index to i32
        %f = arith.sitofp %t : i32 to f32
        %r = arith.addf %in, %f : f32
        linalg.yield %r : f32
      } -> tensor<?xf32>
      scf.yield %3 : tensor<?xf32>
    }
    %4 = scf.for %j = %three to %zero step %one iter_args(%b = %1) -> (tensor<?xf32>) {
      %5 = math.exp %b : tensor<?xf32>
      scf.yield %5 : tensor<?xf32>
    }
    scf.yield %4 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

func.func @products(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %nothing = arith.constant 0.0 : f32
  %0 = scf.for %i = %zero to %three step %one iter_args(%a = %x) -> (tensor<8x8xf32>) {
    %1 = tensor.empty() : tensor<8x8xf32>
    %2 = linalg.fill ins(%nothing : f32) outs(%1 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%2 : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %3 : tensor<8x8xf32>
  }
  return %0 : tensor<8x8xf32>
}

// $ raddle opt %s --to=configured | grep func.func
//   func.func @inner_and_outer(%arg0: tensor<21xf32>) -> tensor<21xf32> attributes {translation_info = #translation} {
//   func.func @rounds_kernel_0(%arg0: tensor<37xi32>, %arg1: tensor<37xi32>, %arg2: tensor<4xi32>) -> (tensor<37xi32>, tensor<37xi32>) attributes {translation_info = #translation1} {
//   func.func @open_kernel_0(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: index, %arg3: index) -> tensor<?xf32> attributes {translation_info = #translation2} {
//   func.func @open_kernel_1(%arg0: tensor<?xf32>, %arg1: index) -> tensor<?xf32> attributes {translation_info = #translation2} {
//   func.func @products_kernel_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {translation_info = #translation} {

// $ raddle opt %s --normalize | grep -c linalg.generic
// 17

// $ raddle run %s --all
// ok       @rounds
// ok       @inner_and_outer
// ok       @open
// ok       @products
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @rounds
// ok       @inner_and_outer
// ok       @open
// ok       @products
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @rounds
// ok       @inner_and_outer
// ok       @open
// ok       @products
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
