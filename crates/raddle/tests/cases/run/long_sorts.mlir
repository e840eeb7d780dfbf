// A line of thousands of elements is sorted in runs, which workgroups then merge: each element finds its place in every run by
// bisection. A NaN stays where it is, and so do both sides of it. On CPUs, a line that a thread's memory does not hold is
// sorted by one digit after the other (`by_digits`).

// RUN: raddle run %s --function=places --input=6000xf32=random --input=6000xi32=random | grep correct
// RUN: raddle run %s --function=places --device=ptx-emu --input=6000xf32=random --input=6000xi32=random | grep correct
// RUN: raddle run %s --function=places --target=gfx942 --input=6000xf32=random --input=6000xi32=random | grep correct
// RUN: raddle run %s --function=uneven --input=2x4001xf16=random | grep correct
// RUN: raddle run %s --function=uneven --device=ptx-emu --input=2x4001xf16=random | grep correct
// RUN: raddle run %s --function=few_values --input=2x2500x3xi8=random | grep correct
// RUN: raddle run %s --function=with_nans | grep correct
// RUN: raddle run %s --function=first --input=6007xf32=random --input=6007xi32=random | grep correct
// RUN: raddle run %s --function=first --device=ptx-emu --input=6007xf32=random --input=6007xi32=random | grep correct
// RUN: raddle run %s --function=first_of_bytes --input=100x1100xi8=random | grep correct
// RUN: raddle run %s --function=first_with_nans --input=i32=0 | grep correct
// RUN: raddle run %s --function=first_with_nans --input=i32=200 | grep correct
// RUN: raddle run %s --function=first_with_nans --input=i32=600 | grep correct
// RUN: raddle run %s --function=few_with_nans --input=i32=0 | grep correct
// RUN: raddle run %s --function=few_with_nans --input=i32=0 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=few_with_nans --input=i32=600 | grep correct
// RUN: raddle run %s --function=few_with_nans --input=i32=5000 | grep correct
// RUN: raddle run %s --target=x86-64-v3 --function=by_digits --input=50001xf64=random --input=50001xi64=random | grep correct
// RUN: raddle run %s --target=x86-64-v3 --function=places --input=6000xf32=random --input=6000xi32=random | grep correct
// RUN: raddle run %s --target=x86-64-v3 --function=with_nans | grep correct
// RUN: raddle run %s --target=x86-64-v3 --function=by_digits_with_nans | grep correct
// RUN: raddle run %s --target=x86-64-v3 --function=few_with_nans --input=i32=0 | grep correct
// RUN: raddle run %s --target=x86-64-v3 --function=few_with_nans --input=i32=600 | grep correct
// RUN: raddle run %s --function=few_by_two --input=3000xi32=random --input=3000xi32=random | grep correct
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(partition)) | grep raddle.runs
// RUN: raddle opt %s --target=x86-64-v3 --pass-pipeline=builtin.module(func.func(partition)) | grep raddle.digit

func.func @places(%x: tensor<6000xf32>, %i: tensor<6000xi32>) -> (tensor<6000xf32>, tensor<6000xi32>) {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %i : tensor<6000xf32>, tensor<6000xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %less = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<6000xf32>, tensor<6000xi32>
  return %0#0, %0#1 : tensor<6000xf32>, tensor<6000xi32>
}

// Many are equal, whatever the comparator says of these.
func.func @few_values(%x: tensor<2x2500x3xi8>) -> (tensor<2x2500x3xi8>, tensor<2x2500x3xi32>) {
  %e = tensor.empty() : tensor<2x2500x3xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(l, i, c) -> (l, i, c)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x2500x3xi32>) {
  ^bb0(%o: i32):
    %at = linalg.index 1 : index
    %n = arith.index_cast %at : index to i32
    linalg.yield %n : i32
  } -> tensor<2x2500x3xi32>
  %0:2 = iree_linalg_ext.sort dimension(1) outs(%x, %i : tensor<2x2500x3xi8>, tensor<2x2500x3xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32, %d: i32):
    %first = arith.cmpi sge, %a, %b : i8
    iree_linalg_ext.yield %first : i1
  } -> tensor<2x2500x3xi8>, tensor<2x2500x3xi32>
  return %0#0, %0#1 : tensor<2x2500x3xi8>, tensor<2x2500x3xi32>
}

func.func @with_nans() -> tensor<2100xf32> {
  %e = tensor.empty() : tensor<2100xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<2100xf32>) {
  ^bb0(%o: f32):
    %at = linalg.index 0 : index
    %n = arith.index_cast %at : index to i32
    %c997 = arith.constant 997 : i32
    %c613 = arith.constant 613 : i32
    %m = arith.muli %n, %c997 : i32
    %r = arith.remsi %m, %c613 : i32
    %c612 = arith.constant 612 : i32
    %is = arith.cmpi eq, %r, %c612 : i32
    %f = arith.sitofp %r : i32 to f32
    %nan = arith.constant 0x7FC00000 : f32
    %y = arith.select %is, %nan, %f : f32
    linalg.yield %y : f32
  } -> tensor<2100xf32>
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<2100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %less : i1
  } -> tensor<2100xf32>
  return %0 : tensor<2100xf32>
}


// A prime number of elements: the last run has one.
func.func @uneven(%x: tensor<2x4001xf16>) -> tensor<2x4001xf16> {
  %0 = iree_linalg_ext.sort dimension(1) outs(%x : tensor<2x4001xf16>) {
  ^bb0(%a: f16, %b: f16):
    %more = arith.cmpf ogt, %a, %b : f16
    iree_linalg_ext.yield %more : i1
  } -> tensor<2x4001xf16>
  return %0 : tensor<2x4001xf16>
}

// Of the runs, no more is merged than is read.
func.func @first(%x: tensor<6007xf32>, %i: tensor<6007xi32>) -> (tensor<25xf32>, tensor<5xi32>) {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %i : tensor<6007xf32>, tensor<6007xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %more = arith.cmpf oge, %a, %b : f32
    iree_linalg_ext.yield %more : i1
  } -> tensor<6007xf32>, tensor<6007xi32>
  %v = tensor.extract_slice %0#0[0] [25] [1] : tensor<6007xf32> to tensor<25xf32>
  %p = tensor.extract_slice %0#1[10] [5] [5] : tensor<6007xi32> to tensor<5xi32>
  return %v, %p : tensor<25xf32>, tensor<5xi32>
}

func.func @first_of_bytes(%x: tensor<100x1100xi8>) -> tensor<100x8xi8> {
  %0 = iree_linalg_ext.sort dimension(1) outs(%x : tensor<100x1100xi8>) {
  ^bb0(%a: i8, %b: i8):
    %less = arith.cmpi ult, %a, %b : i8
    iree_linalg_ext.yield %less : i1
  } -> tensor<100x1100xi8>
  %v = tensor.extract_slice %0[0, 0] [100, 8] [1, 1] : tensor<100x1100xi8> to tensor<100x8xi8>
  return %v : tensor<100x8xi8>
}

// Nothing passes a NaN: those that are not read count, too.
func.func @first_with_nans(%first: i32) -> tensor<150xf32> {
  %x = call @with_nans_from(%first) : (i32) -> tensor<4000xf32>
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %more = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %more : i1
  } -> tensor<4000xf32>
  %v = tensor.extract_slice %0[0] [150] [1] : tensor<4000xf32> to tensor<150xf32>
  return %v : tensor<150xf32>
}

// A few elements are found one after the other.
func.func @few_with_nans(%first: i32) -> (tensor<12xf32>, tensor<12xi32>) {
  %x = call @with_nans_from(%first) : (i32) -> tensor<4000xf32>
  %e = tensor.empty() : tensor<4000xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4000xi32>) {
  ^bb0(%o: i32):
    %at = linalg.index 0 : index
    %n = arith.index_cast %at : index to i32
    linalg.yield %n : i32
  } -> tensor<4000xi32>
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%i, %x : tensor<4000xi32>, tensor<4000xf32>) {
  ^bb0(%c: i32, %d: i32, %a: f32, %b: f32):
    %more = arith.cmpf oge, %a, %b : f32
    iree_linalg_ext.yield %more : i1
  } -> tensor<4000xi32>, tensor<4000xf32>
  %v = tensor.extract_slice %0#1[0] [12] [1] : tensor<4000xf32> to tensor<12xf32>
  %p = tensor.extract_slice %0#0[0] [12] [1] : tensor<4000xi32> to tensor<12xi32>
  return %v, %p : tensor<12xf32>, tensor<12xi32>
}

// Four of each number but the last, which may be a NaN.
func.func private @with_nans_from(%first: i32) -> tensor<4000xf32> {
  %e = tensor.empty() : tensor<4000xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4000xf32>) {
  ^bb0(%o: f32):
    %at = linalg.index 0 : index
    %n = arith.index_cast %at : index to i32
    %c997 = arith.constant 997 : i32
    %c613 = arith.constant 613 : i32
    %m = arith.muli %n, %c997 : i32
    %r = arith.remsi %m, %c613 : i32
    %c7 = arith.constant 7 : i32
    %is_one = arith.cmpi eq, %r, %c7 : i32
    %reaches = arith.cmpi sge, %n, %first : i32
    %is = arith.andi %is_one, %reaches : i1
    %c4 = arith.constant 4 : i32
    %q = arith.divsi %n, %c4 : i32
    %f = arith.sitofp %q : i32 to f32
    %nan = arith.constant 0x7FC00000 : f32
    %y = arith.select %is, %nan, %f : f32
    linalg.yield %y : f32
  } -> tensor<4000xf32>
  return %x : tensor<4000xf32>
}

// A CPU's thread has no memory for all of the line: it goes by one digit after the other, from one tensor to the next.
func.func @by_digits(%x: tensor<50001xf64>, %i: tensor<50001xi64>) -> (tensor<50001xf64>, tensor<50001xi64>) {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %i : tensor<50001xf64>, tensor<50001xi64>) {
  ^bb0(%a: f64, %b: f64, %c: i64, %d: i64):
    %more = arith.cmpf oge, %a, %b : f64
    iree_linalg_ext.yield %more : i1
  } -> tensor<50001xf64>, tensor<50001xi64>
  return %0#0, %0#1 : tensor<50001xf64>, tensor<50001xi64>
}

func.func @by_digits_with_nans() -> tensor<25001xf64> {
  %e = tensor.empty() : tensor<25001xf64>
  %x = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<25001xf64>) {
  ^bb0(%o: f64):
    %at = linalg.index 0 : index
    %n = arith.index_cast %at : index to i32
    %c997 = arith.constant 997 : i32
    %c4973 = arith.constant 4973 : i32
    %c613 = arith.constant 613 : i32
    %m = arith.muli %n, %c997 : i32
    %r = arith.remsi %m, %c4973 : i32
    %is = arith.cmpi eq, %r, %c613 : i32
    %f = arith.sitofp %r : i32 to f64
    %nan = arith.constant 0x7FF8000000000000 : f64
    %y = arith.select %is, %nan, %f : f64
    linalg.yield %y : f64
  } -> tensor<25001xf64>
  %0:4 = iree_linalg_ext.sort dimension(0) outs(%x, %x, %x, %x : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %g: f64, %h: f64, %i: f64, %j: f64):
    %less = arith.cmpf olt, %a, %b : f64
    iree_linalg_ext.yield %less : i1
  } -> tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>
  return %0#3 : tensor<25001xf64>
}

// What is compared is computed of two operands: runs are merged.
func.func @few_by_two(%x: tensor<3000xi32>, %y: tensor<3000xi32>) -> tensor<7xi32> {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %y : tensor<3000xi32>, tensor<3000xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %one = arith.addi %a, %c : i32
    %other = arith.addi %b, %d : i32
    %less = arith.cmpi slt, %one, %other : i32
    iree_linalg_ext.yield %less : i1
  } -> tensor<3000xi32>, tensor<3000xi32>
  %v = tensor.extract_slice %0#1[0] [7] [1] : tensor<3000xi32> to tensor<7xi32>
  return %v : tensor<7xi32>
}

// $ raddle run %s --function=places --input=6000xf32=random --input=6000xi32=random | grep correct
// correct: result 0, all 6000 elements equal the reference bit for bit
// correct: result 1, all 6000 elements equal the reference bit for bit

// $ raddle run %s --function=places --device=ptx-emu --input=6000xf32=random --input=6000xi32=random | grep correct
// correct: result 0, all 6000 elements equal the reference bit for bit
// correct: result 1, all 6000 elements equal the reference bit for bit

// $ raddle run %s --function=places --target=gfx942 --input=6000xf32=random --input=6000xi32=random | grep correct
// correct: result 0, all 6000 elements equal the reference bit for bit
// correct: result 1, all 6000 elements equal the reference bit for bit

// $ raddle run %s --function=uneven --input=2x4001xf16=random | grep correct
// correct: all 8002 elements equal the reference bit for bit

// $ raddle run %s --function=uneven --device=ptx-emu --input=2x4001xf16=random | grep correct
// correct: all 8002 elements equal the reference bit for bit

// $ raddle run %s --function=few_values --input=2x2500x3xi8=random | grep correct
// correct: result 0, all 15000 elements equal the reference bit for bit
// correct: result 1, all 15000 elements equal the reference bit for bit

// $ raddle run %s --function=with_nans | grep correct
// correct: all 2100 elements agree with the reference within 5.05e-4 + 2.38e-7·|expected| (2096 bit for bit)

// $ raddle run %s --function=first --input=6007xf32=random --input=6007xi32=random | grep correct
// correct: result 0, all 25 elements equal the reference bit for bit
// correct: result 1, all 5 elements equal the reference bit for bit

// $ raddle run %s --function=first --device=ptx-emu --input=6007xf32=random --input=6007xi32=random | grep correct
// correct: result 0, all 25 elements equal the reference bit for bit
// correct: result 1, all 5 elements equal the reference bit for bit

// $ raddle run %s --function=first_of_bytes --input=100x1100xi8=random | grep correct
// correct: all 800 elements equal the reference bit for bit

// $ raddle run %s --function=first_with_nans --input=i32=0 | grep correct
// correct: all 150 elements agree with the reference within 0.00e0 + 2.38e-7·|expected| (149 bit for bit)

// $ raddle run %s --function=first_with_nans --input=i32=200 | grep correct
// correct: all 150 elements equal the reference bit for bit

// $ raddle run %s --function=first_with_nans --input=i32=600 | grep correct
// correct: all 150 elements equal the reference bit for bit

// $ raddle run %s --function=few_with_nans --input=i32=0 | grep correct
// correct: result 0, all 12 elements agree with the reference within 0.00e0 + 2.38e-7·|expected| (11 bit for bit)
// correct: result 1, all 12 elements equal the reference bit for bit

// $ raddle run %s --function=few_with_nans --input=i32=0 --device=ptx-emu | grep correct
// correct: result 0, all 12 elements agree with the reference within 0.00e0 + 2.38e-7·|expected| (11 bit for bit)
// correct: result 1, all 12 elements equal the reference bit for bit

// $ raddle run %s --function=few_with_nans --input=i32=600 | grep correct
// correct: result 0, all 12 elements equal the reference bit for bit
// correct: result 1, all 12 elements equal the reference bit for bit

// $ raddle run %s --function=few_with_nans --input=i32=5000 | grep correct
// correct: result 0, all 12 elements equal the reference bit for bit
// correct: result 1, all 12 elements equal the reference bit for bit

// $ raddle run %s --target=x86-64-v3 --function=by_digits --input=50001xf64=random --input=50001xi64=random | grep correct
// correct: result 0, all 50001 elements equal the reference bit for bit
// correct: result 1, all 50001 elements equal the reference bit for bit

// $ raddle run %s --target=x86-64-v3 --function=places --input=6000xf32=random --input=6000xi32=random | grep correct
// correct: result 0, all 6000 elements equal the reference bit for bit
// correct: result 1, all 6000 elements equal the reference bit for bit

// $ raddle run %s --target=x86-64-v3 --function=with_nans | grep correct
// correct: all 2100 elements agree with the reference within 5.05e-4 + 2.38e-7·|expected| (2096 bit for bit)

// $ raddle run %s --target=x86-64-v3 --function=by_digits_with_nans | grep correct
// correct: all 25001 elements equal the reference bit for bit

// $ raddle run %s --target=x86-64-v3 --function=few_with_nans --input=i32=0 | grep correct
// correct: result 0, all 12 elements agree with the reference within 0.00e0 + 2.38e-7·|expected| (11 bit for bit)
// correct: result 1, all 12 elements equal the reference bit for bit

// $ raddle run %s --target=x86-64-v3 --function=few_with_nans --input=i32=600 | grep correct
// correct: result 0, all 12 elements equal the reference bit for bit
// correct: result 1, all 12 elements equal the reference bit for bit

// $ raddle run %s --function=few_by_two --input=3000xi32=random --input=3000xi32=random | grep correct
// correct: all 7 elements equal the reference bit for bit

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(partition)) | grep raddle.runs
//     %0:2 = iree_linalg_ext.sort {raddle.runs = 250 : i64} dimension(0) outs(%arg0, %arg1 : tensor<6000xf32>, tensor<6000xi32>) {
//     %0:2 = iree_linalg_ext.sort {raddle.runs = 250 : i64} dimension(1) outs(%arg0, %arg1 : tensor<2x2500x3xi8>, tensor<2x2500x3xi32>) {
//     %0 = iree_linalg_ext.sort {raddle.runs = 210 : i64} dimension(0) outs(%arg0 : tensor<2100xf32>) {
//     %0 = iree_linalg_ext.sort {raddle.runs = 256 : i64} dimension(1) outs(%arg0 : tensor<2x4001xf16>) {
//     %0:2 = iree_linalg_ext.sort {raddle.runs = 32 : i64} dimension(0) outs(%arg0, %arg1 : tensor<768xf32>, tensor<768xi32>) {
//     %0 = iree_linalg_ext.sort {raddle.runs = 151 : i64} dimension(0) outs(%arg0 : tensor<2416xf32>) {
//     %0:2 = iree_linalg_ext.sort {raddle.runs = 256 : i64} dimension(1) outs(%arg0, %arg1 : tensor<21x2381xf64>, tensor<21x2381xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.runs = 2381 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.runs = 256 : i64} dimension(1) outs(%arg0, %arg1, %arg2, %arg3 : tensor<9x2560xf64>, tensor<9x2560xf64>, tensor<9x2560xf64>, tensor<9x2560xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.runs = 256 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<1961xf64>, tensor<1961xf64>, tensor<1961xf64>, tensor<1961xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.runs = 2560 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.runs = 7 : i64} dimension(0) outs(%arg0, %arg1 : tensor<84xi32>, tensor<84xi32>) {

// $ raddle opt %s --target=x86-64-v3 --pass-pipeline=builtin.module(func.func(partition)) | grep raddle.digit
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 0 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 1 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 2 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 3 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 4 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 5 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 6 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:2 = iree_linalg_ext.sort {raddle.digit = 7 : i64} dimension(0) outs(%arg0, %arg1 : tensor<50001xf64>, tensor<50001xi64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 0 : i64} dimension(0) outs(%arg0, %arg0, %arg0, %arg0 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 1 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 2 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 3 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 4 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 5 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 6 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
//     %0:4 = iree_linalg_ext.sort {raddle.digit = 7 : i64} dimension(0) outs(%arg0, %arg1, %arg2, %arg3 : tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>, tensor<25001xf64>) {
