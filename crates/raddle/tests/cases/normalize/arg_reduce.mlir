// The greatest or least element and its index are two reductions that run in any order, in one kernel.
// RUN: raddle run --all %s
// RUN: raddle opt %s --normalize | grep "reduction"

// The first of equal ones.
func.func @greatest() {
  %x = util.unfoldable_constant dense<[1.0, 5.0, -2.0, 5.0, 3.0]> : tensor<5xf32>
  %start = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<f32>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : f32) outs(%ev : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<5xf32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^body(%in: f32, %best: f32, %best_at: i32):
    %k = linalg.index 0 : index
    %at = arith.index_cast %k : index to i32
    %t = arith.cmpf ogt, %in, %best : f32
    %nv = arith.select %t, %in, %best : f32
    %np = arith.select %t, %at, %best_at : i32
    linalg.yield %nv, %np : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<5.0> : tensor<f32>) : tensor<f32>
  check.expect_eq_const(%r#1, dense<1> : tensor<i32>) : tensor<i32>
  return
}

// The least, in integers.
func.func @least() {
  %x = util.unfoldable_constant dense<[4, -7, 9, -7]> : tensor<4xi16>
  %start = arith.constant 32767 : i16
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<i16>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : i16) outs(%ev : tensor<i16>) -> tensor<i16>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xi16>) outs(%v, %p : tensor<i16>, tensor<i32>) {
  ^body(%in: i16, %best: i16, %best_at: i32):
    %k = linalg.index 0 : index
    %at = arith.index_cast %k : index to i32
    %t = arith.cmpi slt, %in, %best : i16
    %nv = arith.select %t, %in, %best : i16
    %np = arith.select %t, %at, %best_at : i32
    linalg.yield %nv, %np : i16, i32
  } -> (tensor<i16>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<-7> : tensor<i16>) : tensor<i16>
  check.expect_eq_const(%r#1, dense<1> : tensor<i32>) : tensor<i32>
  return
}

// Without signs, -1 is the greatest.
func.func @unsigned() {
  %x = util.unfoldable_constant dense<[4, -1, 9, -1]> : tensor<4xi16>
  %start = arith.constant 0 : i16
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<i16>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : i16) outs(%ev : tensor<i16>) -> tensor<i16>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xi16>) outs(%v, %p : tensor<i16>, tensor<i32>) {
  ^body(%in: i16, %best: i16, %best_at: i32):
    %k = linalg.index 0 : index
    %at = arith.index_cast %k : index to i32
    %t = arith.cmpi ugt, %in, %best : i16
    %nv = arith.select %t, %in, %best : i16
    %np = arith.select %t, %at, %best_at : i32
    linalg.yield %nv, %np : i16, i32
  } -> (tensor<i16>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<-1> : tensor<i16>) : tensor<i16>
  check.expect_eq_const(%r#1, dense<1> : tensor<i32>) : tensor<i32>
  return
}

// NaN is never greater.
func.func @without_nan() {
  %x = util.unfoldable_constant dense<[1.0, 0x7FC00000, 4.0, 0x7FC00000]> : tensor<4xf32>
  %start = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<f32>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : f32) outs(%ev : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<4xf32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^body(%in: f32, %best: f32, %best_at: i32):
    %k = linalg.index 0 : index
    %at = arith.index_cast %k : index to i32
    %t = arith.cmpf ogt, %in, %best : f32
    %nv = arith.select %t, %in, %best : f32
    %np = arith.select %t, %at, %best_at : i32
    linalg.yield %nv, %np : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<4.0> : tensor<f32>) : tensor<f32>
  check.expect_eq_const(%r#1, dense<2> : tensor<i32>) : tensor<i32>
  return
}

// No element is greater than what the reduction begins with.
func.func @beyond() {
  %x = util.unfoldable_constant dense<[1.0, 2.0]> : tensor<2xf32>
  %start = arith.constant 7.0 : f32
  %zero = arith.constant 9 : i32
  %ev = tensor.empty() : tensor<f32>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : f32) outs(%ev : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<2xf32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^body(%in: f32, %best: f32, %best_at: i32):
    %k = linalg.index 0 : index
    %at = arith.index_cast %k : index to i32
    %t = arith.cmpf ogt, %in, %best : f32
    %nv = arith.select %t, %in, %best : f32
    %np = arith.select %t, %at, %best_at : i32
    linalg.yield %nv, %np : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<7.0> : tensor<f32>) : tensor<f32>
  check.expect_eq_const(%r#1, dense<9> : tensor<i32>) : tensor<i32>
  return
}

// The first NaN is the greatest, as XLA has it.
func.func @nan_wins() {
  %x = util.unfoldable_constant dense<[1.0, 9.0, 0x7FC00000, 4.0, 0x7FC00000]> : tensor<5xf32>
  %start = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<f32>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : f32) outs(%ev : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %ei = tensor.empty() : tensor<5xi32>
  %iota = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ei : tensor<5xi32>) {
  ^body(%o: i32):
    %k = linalg.index 0 : index
    %c = arith.index_cast %k : index to i32
    linalg.yield %c : i32
  } -> tensor<5xi32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %iota : tensor<5xf32>, tensor<5xi32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^body(%in: f32, %at: i32, %best: f32, %best_at: i32):
    %7 = arith.cmpf ogt, %best, %in : f32
    %8 = arith.cmpf une, %best, %best : f32
    %9 = arith.ori %7, %8 : i1
    %10 = arith.cmpf oeq, %best, %in : f32
    %11 = arith.cmpi slt, %best_at, %at : i32
    %12 = arith.andi %10, %11 : i1
    %13 = arith.ori %9, %12 : i1
    %14 = arith.select %9, %best, %in : f32
    %15 = arith.select %13, %best_at, %at : i32
    linalg.yield %14, %15 : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const(%r#1, dense<2> : tensor<i32>) : tensor<i32>
  return
}

// All as small as what it begins with.
func.func @nothing() {
  %x = util.unfoldable_constant dense<[0xFF800000, 0xFF800000]> : tensor<2xf32>
  %start = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<f32>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : f32) outs(%ev : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %ei = tensor.empty() : tensor<2xi32>
  %iota = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ei : tensor<2xi32>) {
  ^body(%o: i32):
    %k = linalg.index 0 : index
    %c = arith.index_cast %k : index to i32
    linalg.yield %c : i32
  } -> tensor<2xi32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %iota : tensor<2xf32>, tensor<2xi32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^body(%in: f32, %at: i32, %best: f32, %best_at: i32):
    %7 = arith.cmpf ogt, %best, %in : f32
    %8 = arith.cmpf une, %best, %best : f32
    %9 = arith.ori %7, %8 : i1
    %10 = arith.cmpf oeq, %best, %in : f32
    %11 = arith.cmpi slt, %best_at, %at : i32
    %12 = arith.andi %10, %11 : i1
    %13 = arith.ori %9, %12 : i1
    %14 = arith.select %9, %best, %in : f32
    %15 = arith.select %13, %best_at, %at : i32
    linalg.yield %14, %15 : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<0xFF800000> : tensor<f32>) : tensor<f32>
  check.expect_eq_const(%r#1, dense<0> : tensor<i32>) : tensor<i32>
  return
}

// The last of equal ones has the greatest index.
func.func @last() {
  %x = util.unfoldable_constant dense<[1.0, 5.0, -2.0, 5.0, 3.0]> : tensor<5xf32>
  %start = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0 : i32
  %ev = tensor.empty() : tensor<f32>
  %ep = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%start : f32) outs(%ev : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%ep : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<5xf32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^body(%in: f32, %best: f32, %best_at: i32):
    %k = linalg.index 0 : index
    %at = arith.index_cast %k : index to i32
    %t = arith.cmpf oge, %in, %best : f32
    %nv = arith.select %t, %in, %best : f32
    %np = arith.select %t, %at, %best_at : i32
    linalg.yield %nv, %np : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  check.expect_eq_const(%r#0, dense<5.0> : tensor<f32>) : tensor<f32>
  check.expect_eq_const(%r#1, dense<3> : tensor<i32>) : tensor<i32>
  return
}

// $ raddle run --all %s
// ok       @greatest
// ok       @least
// ok       @unsigned
// ok       @without_nan
// ok       @beyond
// ok       @nan_wins
// ok       @nothing
// ok       @last
// 8 functions: 8 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --normalize | grep "reduction"
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<5xf32>) outs(%3 : tensor<f32>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %5 : tensor<5xf32>, tensor<f32>) outs(%6 : tensor<i32>) {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<4xi16>) outs(%3 : tensor<i16>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %5 : tensor<4xi16>, tensor<i16>) outs(%6 : tensor<i32>) {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<4xi16>) outs(%3 : tensor<i16>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %5 : tensor<4xi16>, tensor<i16>) outs(%6 : tensor<i32>) {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<4xf32>) outs(%3 : tensor<f32>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %5 : tensor<4xf32>, tensor<f32>) outs(%6 : tensor<i32>) {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<2xf32>) outs(%3 : tensor<f32>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %5 : tensor<2xf32>, tensor<f32>) outs(%6 : tensor<i32>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<5xf32>) outs(%3 : tensor<f32>) {
//     %9 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %7 : tensor<5xf32>, tensor<f32>) outs(%8 : tensor<i32>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<2xf32>) outs(%3 : tensor<f32>) {
//     %9 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %7 : tensor<2xf32>, tensor<f32>) outs(%8 : tensor<i32>) {
//     %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%0 : tensor<5xf32>) outs(%3 : tensor<f32>) {
//     %7 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction"]} ins(%0, %5 : tensor<5xf32>, tensor<f32>) outs(%6 : tensor<i32>) {
