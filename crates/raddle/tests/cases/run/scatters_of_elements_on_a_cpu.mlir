// PyTorch's scatters along a dimension have the number of each update's row beside that of its column. On a CPU, one kernel
// reads the columns and the updates where they lie, and counts the rows; that of rows has its elements in strips, of which
// there are few, and looks at the place of an update once for all of a strip.

// RUN: raddle opt %s --to=configured --target=x86-64-v4 | grep func.func
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep known_grid_size
// RUN: raddle run %s --function=columns --device=cpu --input=300x40xi64=random --input=300x40xf32=random --input=300x64xf32=random | grep correct
// RUN: raddle run %s --function=columns --target=sm_80 --input=300x40xi64=random --input=300x40xf32=random --input=300x64xf32=random | grep correct
// RUN: raddle run %s --function=rows --device=cpu --input=700xi64=random --input=700x5x30xf32=random --input=90x5x30xf32=random | grep correct
// RUN: raddle run %s --function=replaced --device=cpu --input=2000xi64=random --input=2000x300xf32=random --input=90x300xf32=random | grep correct
// RUN: raddle run %s --function=of_itself --device=cpu --input=64x1xi64=random --input=64xf32=random | grep correct

func.func @columns(%i: tensor<300x40xi64>, %s: tensor<300x40xf32>, %x: tensor<300x64xf32>) -> tensor<300x64xf32> {
  %zero = arith.constant 0 : i64
  %zf = arith.constant 0.0 : f32
  %c40 = arith.constant 40 : index
  %c300 = arith.constant 300 : index
  %e1 = tensor.empty() : tensor<12000x1xi64>
  %f1 = linalg.fill ins(%zero : i64) outs(%e1 : tensor<12000x1xi64>) -> tensor<12000x1xi64>
  %e2 = tensor.empty() : tensor<12000xf32>
  %f2 = linalg.fill ins(%zf : f32) outs(%e2 : tensor<12000xf32>) -> tensor<12000xf32>
  %parts:3 = linalg.generic {indexing_maps = [affine_map<(n) -> (n, 0)>, affine_map<(n) -> (n, 0)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} outs(%f1, %f1, %f2 : tensor<12000x1xi64>, tensor<12000x1xi64>, tensor<12000xf32>) {
  ^bb0(%o0: i64, %o1: i64, %o2: f32):
    %n = linalg.index 0 : index
    %column = arith.remsi %n, %c40 : index
    %q = arith.divsi %n, %c40 : index
    %row = arith.remsi %q, %c300 : index
    %number = tensor.extract %i[%row, %column] : tensor<300x40xi64>
    %update = tensor.extract %s[%row, %column] : tensor<300x40xf32>
    %r = arith.index_cast %row : index to i64
    linalg.yield %r, %number, %update : i64, i64, f32
  } -> (tensor<12000x1xi64>, tensor<12000x1xi64>, tensor<12000xf32>)
  %e3 = tensor.empty() : tensor<12000x2xi64>
  %f3 = linalg.fill ins(%zero : i64) outs(%e3 : tensor<12000x2xi64>) -> tensor<12000x2xi64>
  %p0 = tensor.insert_slice %parts#0 into %f3[0, 0] [12000, 1] [1, 1] : tensor<12000x1xi64> into tensor<12000x2xi64>
  %p1 = tensor.insert_slice %parts#1 into %p0[0, 1] [12000, 1] [1, 1] : tensor<12000x1xi64> into tensor<12000x2xi64>
  %0 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%parts#2, %p1 : tensor<12000xf32>, tensor<12000x2xi64>) outs(%x : tensor<300x64xf32>) {
  ^bb0(%u: f32, %o: f32):
    %sum = arith.addf %o, %u : f32
    iree_linalg_ext.yield %sum : f32
  } -> tensor<300x64xf32>
  return %0 : tensor<300x64xf32>
}

// A strip of 3 x 30 elements, and one of 2 x 30.
func.func @rows(%i: tensor<700xi64>, %s: tensor<700x5x30xf32>, %x: tensor<90x5x30xf32>) -> tensor<90x5x30xf32> {
  %p = tensor.expand_shape %i [[0, 1]] output_shape [700, 1] : tensor<700xi64> into tensor<700x1xi64>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%s, %p : tensor<700x5x30xf32>, tensor<700x1xi64>) outs(%x : tensor<90x5x30xf32>) {
  ^bb0(%u: f32, %o: f32):
    %sum = arith.maximumf %o, %u : f32
    iree_linalg_ext.yield %sum : f32
  } -> tensor<90x5x30xf32>
  return %0 : tensor<90x5x30xf32>
}

// Three strips of 100 elements.
func.func @replaced(%i: tensor<2000xi64>, %s: tensor<2000x300xf32>, %x: tensor<90x300xf32>) -> tensor<90x300xf32> {
  %p = tensor.expand_shape %i [[0, 1]] output_shape [2000, 1] : tensor<2000xi64> into tensor<2000x1xi64>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%s, %p : tensor<2000x300xf32>, tensor<2000x1xi64>) outs(%x : tensor<90x300xf32>) {
  ^bb0(%u: f32, %o: f32):
    iree_linalg_ext.yield %u : f32
  } -> tensor<90x300xf32>
  return %0 : tensor<90x300xf32>
}

// The result may lie where the destination is: what is made of this is there before anything is put in.
func.func @of_itself(%i: tensor<64x1xi64>, %x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %doubled = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%doubled, %i : tensor<64xf32>, tensor<64x1xi64>) outs(%x : tensor<64xf32>) {
  ^bb0(%u: f32, %o: f32):
    iree_linalg_ext.yield %u : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// $ raddle opt %s --to=configured --target=x86-64-v4 | grep func.func
//   func.func @columns(%arg0: tensor<300x40xi64>, %arg1: tensor<300x40xf32>, %arg2: tensor<300x64xf32>) -> tensor<300x64xf32> attributes {translation_info = #translation} {
//   func.func @rows_kernel_0(%arg0: tensor<700x5x30xf32>, %arg1: tensor<700x1xi64>, %arg2: tensor<90x5x30xf32>) -> tensor<90x5x30xf32> attributes {translation_info = #translation} {
//   func.func @replaced_kernel_0(%arg0: tensor<2000x300xf32>, %arg1: tensor<2000x1xi64>, %arg2: tensor<90x300xf32>) -> tensor<90x300xf32> attributes {translation_info = #translation} {
//   func.func @of_itself_kernel_0(%arg0: tensor<64xf32>) -> tensor<64xf32> attributes {translation_info = #translation1} {
//   func.func @of_itself_kernel_1(%arg0: tensor<64xf32>, %arg1: tensor<64x1xi64>, %arg2: tensor<64xf32>) -> tensor<64xf32> attributes {translation_info = #translation} {

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep known_grid_size
//   func.func @columns(%arg0: memref<12000xi64>, %arg1: memref<12000xf32>, %arg2: memref<19200xf32>, %arg3: memref<19200xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//   func.func @rows_kernel_0(%arg0: memref<105000xf32>, %arg1: memref<700xi64>, %arg2: memref<13500xf32>, %arg3: memref<13500xf32>) attributes {gpu.known_grid_size = array<i32: 2, 1, 1>, translation_info = #translation} {
//   func.func @replaced_kernel_0(%arg0: memref<600000xf32>, %arg1: memref<2000xi64>, %arg2: memref<27000xf32>, %arg3: memref<27000xf32>) attributes {gpu.known_grid_size = array<i32: 3, 1, 1>, translation_info = #translation} {
//   func.func @of_itself_kernel_0(%arg0: memref<64xf32>, %arg1: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation1} {
//   func.func @of_itself_kernel_1(%arg0: memref<64xf32>, %arg1: memref<64xi64>, %arg2: memref<64xf32>, %arg3: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {

// $ raddle run %s --function=columns --device=cpu --input=300x40xi64=random --input=300x40xf32=random --input=300x64xf32=random | grep correct
// correct: all 19200 elements agree with the reference within 1.22e-6 + 2.38e-7·|expected| (18596 bit for bit)

// $ raddle run %s --function=columns --target=sm_80 --input=300x40xi64=random --input=300x40xf32=random --input=300x64xf32=random | grep correct
// correct: all 19200 elements agree with the reference within 1.22e-6 + 2.38e-7·|expected| (18596 bit for bit)

// $ raddle run %s --function=rows --device=cpu --input=700xi64=random --input=700x5x30xf32=random --input=90x5x30xf32=random | grep correct
// correct: all 13500 elements equal the reference bit for bit

// $ raddle run %s --function=replaced --device=cpu --input=2000xi64=random --input=2000x300xf32=random --input=90x300xf32=random | grep correct
// correct: all 27000 elements equal the reference bit for bit

// $ raddle run %s --function=of_itself --device=cpu --input=64x1xi64=random --input=64xf32=random | grep correct
// correct: all 64 elements equal the reference bit for bit
