// A batch of products reads the matrix that a list names for each, as experts of a model are chosen: of the index a matrix
// instruction has no loop.
// RUN: raddle run %s --target=sm_80 --quiet --input=3x32x16xf16=random --input=5x16x32xf16=random --input=3xi64=4,0,2
// RUN: raddle run %s --target=gfx942 --quiet --input=3x32x16xf16=random --input=5x16x32xf16=random --input=3xi64=4,0,2
// RUN: raddle run %s --device=ptx-emu --target=sm_90a --quiet --input=3x32x16xf16=random --input=5x16x32xf16=random --input=3xi64=4,0,2
func.func @chosen(%x: tensor<3x32x16xf16>, %all: tensor<5x16x32xf16>, %which: tensor<3xi64>) -> tensor<3x32x32xf32> {
  %empty = tensor.empty() : tensor<3x16x32xf16>
  %w = linalg.generic {
    indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%which : tensor<3xi64>) outs(%empty : tensor<3x16x32xf16>) {
  ^bb0(%number: i64, %out: f16):
    %at = arith.index_cast %number : i64 to index
    %k = linalg.index 1 : index
    %n = linalg.index 2 : index
    %element = tensor.extract %all[%at, %k, %n] : tensor<5x16x32xf16>
    linalg.yield %element : f16
  } -> tensor<3x16x32xf16>
  %zero = arith.constant 0.0 : f32
  %sums = tensor.empty() : tensor<3x32x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%sums : tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<3x32x16xf16>, tensor<3x16x32xf16>) outs(%fill : tensor<3x32x32xf32>) -> tensor<3x32x32xf32>
  return %y : tensor<3x32x32xf32>
}

// $ raddle run %s --target=sm_80 --quiet --input=3x32x16xf16=random --input=5x16x32xf16=random --input=3xi64=4,0,2
// correct: all 3072 elements agree with the reference within 1.59e-2 + 2.38e-7·|expected| (1428 bit for bit)

// $ raddle run %s --target=gfx942 --quiet --input=3x32x16xf16=random --input=5x16x32xf16=random --input=3xi64=4,0,2
// correct: all 3072 elements agree with the reference within 1.59e-2 + 2.38e-7·|expected| (1428 bit for bit)

// $ raddle run %s --device=ptx-emu --target=sm_90a --quiet --input=3x32x16xf16=random --input=5x16x32xf16=random --input=3xi64=4,0,2
// correct: all 3072 elements agree with the reference within 1.59e-2 + 2.38e-7·|expected| (1428 bit for bit)
