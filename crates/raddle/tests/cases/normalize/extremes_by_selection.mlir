// The greater of an element and what is there, written as a comparison and a selection, is a maximum, and likewise the
// lesser one; a value that is not a number is passed over. One that would be taken ends a search in order, and so may a start
// that is not known: these stay loops.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep compiled to scalar loops
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=greatest --input=3x4xf32=[[1,nan,3,2],[nan,nan,nan,nan],[nan,-5,-inf,-7]] --expected_output=3xf32=[3,-inf,-5] --quiet
// RUN: raddle run %s --function=greatest --input=3x4xf32=[[1,nan,3,2],[nan,nan,nan,nan],[nan,-5,-inf,-7]] --expected_output=3xf32=[3,-inf,-5] --device=ptx-emu --quiet
// RUN: raddle run %s --function=least --input=2x3xf16=[[1,nan,-3],[nan,nan,nan]] --expected_output=2xf16=[-3,9] --quiet
// RUN: raddle run %s --function=unsigned --input=2x3xi8=[[1,-1,3],[0,0,0]] --expected_output=2xi8=[-1,7] --quiet
// RUN: raddle run %s --function=signed --input=2x3xi64=[[1,-1,3],[0,0,9]] --input=2xi64=[2,-4] --expected_output=2xi64=[-1,-4] --quiet
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

func.func @greatest(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0xFF800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %start = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%start : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %c, %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @least(%x: tensor<?x?xf16>) -> tensor<?xf16> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 9.0 : f16
  %m = tensor.dim %x, %c0 : tensor<?x?xf16>
  %e = tensor.empty(%m) : tensor<?xf16>
  %start = linalg.fill ins(%z : f16) outs(%e : tensor<?xf16>) -> tensor<?xf16>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf16>) outs(%start : tensor<?xf16>) {
  ^bb0(%in: f16, %out: f16):
    %c = arith.cmpf ule, %out, %in : f16
    %s = arith.select %c, %out, %in : f16
    linalg.yield %s : f16
  } -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

func.func @unsigned(%x: tensor<?x?xi8>) -> tensor<?xi8> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 7 : i8
  %m = tensor.dim %x, %c0 : tensor<?x?xi8>
  %e = tensor.empty(%m) : tensor<?xi8>
  %start = linalg.fill ins(%z : i8) outs(%e : tensor<?xi8>) -> tensor<?xi8>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xi8>) outs(%start : tensor<?xi8>) {
  ^bb0(%in: i8, %out: i8):
    %c = arith.cmpi ult, %out, %in : i8
    %s = arith.select %c, %in, %out : i8
    linalg.yield %s : i8
  } -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @signed(%x: tensor<?x?xi64>, %start: tensor<?xi64>) -> tensor<?xi64> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xi64>) outs(%start : tensor<?xi64>) {
  ^bb0(%in: i64, %out: i64):
    %c = arith.cmpi sge, %in, %out : i64
    %s = arith.select %c, %out, %in : i64
    linalg.yield %s : i64
  } -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @nan_is_taken(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0xFF800000 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %start = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%start : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ugt, %in, %out : f32
    %s = arith.select %c, %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @start_may_be_nan(%x: tensor<?x?xf32>, %start: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%start : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ogt, %in, %out : f32
    %s = arith.select %c, %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep compiled to scalar loops
// remark[E0304]: `@nan_is_taken` is compiled to scalar loops, which are slow: each thread computes one point at a time
// remark[E0304]: `@start_may_be_nan` is compiled to scalar loops, which are slow: each thread computes one point at a time

// $ raddle run %s --all
// ok       @greatest
// ok       @least
// ok       @unsigned
// ok       @signed
// ok       @nan_is_taken
// ok       @start_may_be_nan
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @greatest
// ok       @least
// ok       @unsigned
// ok       @signed
// ok       @nan_is_taken
// ok       @start_may_be_nan
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @greatest
// ok       @least
// ok       @unsigned
// ok       @signed
// ok       @nan_is_taken
// ok       @start_may_be_nan
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=greatest --input=3x4xf32=[[1,nan,3,2],[nan,nan,nan,nan],[nan,-5,-inf,-7]] --expected_output=3xf32=[3,-inf,-5] --quiet
// correct: all 3 elements equal the expected output bit for bit

// $ raddle run %s --function=greatest --input=3x4xf32=[[1,nan,3,2],[nan,nan,nan,nan],[nan,-5,-inf,-7]] --expected_output=3xf32=[3,-inf,-5] --device=ptx-emu --quiet
// correct: all 3 elements equal the expected output bit for bit

// $ raddle run %s --function=least --input=2x3xf16=[[1,nan,-3],[nan,nan,nan]] --expected_output=2xf16=[-3,9] --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --function=unsigned --input=2x3xi8=[[1,-1,3],[0,0,0]] --expected_output=2xi8=[-1,7] --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --function=signed --input=2x3xi64=[[1,-1,3],[0,0,9]] --input=2xi64=[2,-4] --expected_output=2xi64=[-1,-4] --quiet
// correct: all 2 elements equal the expected output bit for bit
