// Sums of rows that a table of places names, from one number of a list to the next: the bags of an embedding, as PyTorch's importer
// writes them. The loop over the places goes over the steps that have some of the bag's.
// RUN: raddle opt %s --to tiled | grep step
// RUN: raddle run %s --function=bags --input 512xi64=random --input 9xi32=-3,2,0,0,41,300,298,600,1000 --input 50x24xf16=random | grep correct
// RUN: raddle run %s --function=bags --input 512xi64=random --input 9xi32=random --input 50x24xf16=random | grep correct
// RUN: raddle run %s --function=behind --input 512x24xf32=random --input 6xindex=0,1,130,511,512,900 | grep correct
// RUN: raddle run %s --function=behind --input 512x24xf32=random --input 6xindex=-1,-5,-9223372036854775808,9223372036854775807,128,127 | grep correct
// RUN: raddle run %s --function=unsigned --input 512x24xf32=random --input 6xi32=0,1,-1,511,512,900 | grep correct
// RUN: raddle run %s --function=computed --input 512x24xf32=random --input 6xi64=0,1,43,170,171,-5 | grep correct
func.func @bags(%words: tensor<512xi64>, %firsts: tensor<9xi32>, %table: tensor<50x24xf16>) -> tensor<8x24xf16> {
  %zero = arith.constant 0.0 : f16
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : i64
  %e = tensor.empty() : tensor<8x24xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<8x24xf16>) -> tensor<8x24xf16>
  %starts = tensor.extract_slice %firsts[0] [8] [1] : tensor<9xi32> to tensor<8xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, k, c) -> (k)>, affine_map<(b, k, c) -> (b)>, affine_map<(b, k, c) -> (b, c)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%words, %starts : tensor<512xi64>, tensor<8xi32>) outs(%f : tensor<8x24xf16>) {
  ^bb0(%word: i64, %first: i32, %out: f16):
    %b = linalg.index 0 : index
    %next = arith.addi %b, %c1 : index
    %end = tensor.extract %firsts[%next] : tensor<9xi32>
    %k = linalg.index 1 : index
    %at = arith.index_cast %k : index to i32
    %behind = arith.cmpi slt, %first, %at : i32
    %same = arith.cmpi eq, %first, %at : i32
    %in_front = arith.cmpi slt, %at, %end : i32
    %begun = arith.ori %behind, %same : i1
    %inside = arith.andi %begun, %in_front : i1
    %row = arith.remui %word, %c50 : i64
    %which = arith.index_cast %row : i64 to index
    %c = linalg.index 2 : index
    %x = tensor.extract %table[%which, %c] : tensor<50x24xf16>
    %sum = arith.addf %x, %out : f16
    %new = arith.select %inside, %sum, %out : f16
    linalg.yield %new : f16
  } -> tensor<8x24xf16>
  return %r : tensor<8x24xf16>
}

// The greatest behind a place, which the comparison has on its left.
func.func @behind(%x: tensor<512x24xf32>, %places: tensor<6xindex>) -> tensor<6x24xf32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<6x24xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<6x24xf32>) -> tensor<6x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, k, c) -> (k, c)>, affine_map<(b, k, c) -> (b)>, affine_map<(b, k, c) -> (b, c)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %places : tensor<512x24xf32>, tensor<6xindex>) outs(%f : tensor<6x24xf32>) {
  ^bb0(%in: f32, %place: index, %out: f32):
    %k = linalg.index 1 : index
    %is_behind = arith.cmpi slt, %place, %k : index
    %taken = arith.select %is_behind, %in, %least : f32
    %new = arith.maximumf %taken, %out : f32
    linalg.yield %new : f32
  } -> tensor<6x24xf32>
  return %r : tensor<6x24xf32>
}

// The kernel computes the places itself, as the configuration wants it: no thread has what all of them would ask for.
func.func @computed(%x: tensor<512x24xf32>, %thirds: tensor<6xi64>) -> tensor<6x24xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %least = arith.constant 0xFF800000 : f32
  %three = arith.constant 3 : i64
  %empty = tensor.empty() : tensor<6xindex>
  %places = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>, affine_map<(b) -> (b)>], iterator_types = ["parallel"]} ins(%thirds : tensor<6xi64>) outs(%empty : tensor<6xindex>) {
  ^bb0(%in: i64, %out: index):
    %v = arith.muli %in, %three : i64
    %place = arith.index_cast %v : i64 to index
    linalg.yield %place : index
  } -> tensor<6xindex>
  %e = tensor.empty() : tensor<6x24xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<6x24xf32>) -> tensor<6x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, k, c) -> (k, c)>, affine_map<(b, k, c) -> (b)>, affine_map<(b, k, c) -> (b, c)>], iterator_types = ["parallel", "reduction", "parallel"],
      lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 0, 24], reduction = [0, 32, 0], thread = [1, 0, 1]}>} ins(%x, %places : tensor<512x24xf32>, tensor<6xindex>) outs(%f : tensor<6x24xf32>) {
  ^bb0(%in: f32, %place: index, %out: f32):
    %k = linalg.index 1 : index
    %is_behind = arith.cmpi slt, %k, %place : index
    %taken = arith.select %is_behind, %in, %least : f32
    %new = arith.maximumf %taken, %out : f32
    linalg.yield %new : f32
  } -> tensor<6x24xf32>
  return %r : tensor<6x24xf32>
}

// An unsigned comparison says nothing of the order of signed numbers.
func.func @unsigned(%x: tensor<512x24xf32>, %places: tensor<6xi32>) -> tensor<6x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x24xf32>) -> tensor<6x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, k, c) -> (k, c)>, affine_map<(b, k, c) -> (b)>, affine_map<(b, k, c) -> (b, c)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %places : tensor<512x24xf32>, tensor<6xi32>) outs(%f : tensor<6x24xf32>) {
  ^bb0(%in: f32, %place: i32, %out: f32):
    %k = linalg.index 1 : index
    %at = arith.index_cast %k : index to i32
    %in_front = arith.cmpi ult, %at, %place : i32
    %sum = arith.addf %in, %out : f32
    %new = arith.select %in_front, %sum, %out : f32
    linalg.yield %new : f32
  } -> tensor<6x24xf32>
  return %r : tensor<6x24xf32>
}

// $ raddle opt %s --to tiled | grep step
//       %17 = scf.for %arg5 = %16 to %12 step %c256 iter_args(%arg6 = %6) -> (tensor<1x256x24xf32>) {
//       %8 = scf.for %arg4 = %7 to %c512 step %c128 iter_args(%arg5 = %4) -> (tensor<1x128x24xf32>) {
//       %5 = scf.for %arg4 = %c0 to %c512 step %c32 iter_args(%arg5 = %4) -> (tensor<1x24xf32>) {
//       %5 = scf.for %arg4 = %c0 to %c512 step %c128 iter_args(%arg5 = %4) -> (tensor<1x128x24xf32>) {

// $ raddle run %s --function=bags --input 512xi64=random --input 9xi32=-3,2,0,0,41,300,298,600,1000 --input 50x24xf16=random | grep correct
// correct: all 192 elements equal the reference bit for bit

// $ raddle run %s --function=bags --input 512xi64=random --input 9xi32=random --input 50x24xf16=random | grep correct
// correct: all 192 elements equal the reference bit for bit

// $ raddle run %s --function=behind --input 512x24xf32=random --input 6xindex=0,1,130,511,512,900 | grep correct
// correct: all 144 elements equal the reference bit for bit

// $ raddle run %s --function=behind --input 512x24xf32=random --input 6xindex=-1,-5,-9223372036854775808,9223372036854775807,128,127 | grep correct
// correct: all 144 elements equal the reference bit for bit

// $ raddle run %s --function=unsigned --input 512x24xf32=random --input 6xi32=0,1,-1,511,512,900 | grep correct
// correct: all 144 elements agree with the reference within 2.68e-4 + 2.38e-7·|expected| (57 bit for bit)

// $ raddle run %s --function=computed --input 512x24xf32=random --input 6xi64=0,1,43,170,171,-5 | grep correct
// correct: all 144 elements equal the reference bit for bit
