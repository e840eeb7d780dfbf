// A kernel takes the memrefs of the function, in its order, and then extents that only the run knows.
// RUN: raddle build %s -o - --target=sm_80 | grep memref
// RUN: raddle run %s --device=ptx-emu | grep correct
// RUN: raddle run %s --input=8x16xf32=random --input=16x4xf32=random --input=4xf32=random --input=8x4xf32 --output=arg3=- | grep 8x4
func.func @mm_relu(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %bias: memref<?xf32>, %c: memref<?x?xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%b0: f32, %c0: f32):
    %s = arith.addf %b0, %c0 : f32
    %r = arith.maximumf %s, %z : f32
    linalg.yield %r : f32
  }
  return
}

// $ raddle build %s -o - --target=sm_80 | grep memref
// // arg0: memref<?xf32>, only read
// // arg1: memref<?xf32>, only read
// // arg2: memref<?xf32>, only read
// // arg3: memref<?xf32>, written

// $ raddle run %s --device=ptx-emu | grep correct
// correct: all 1369 elements agree with the reference within 1.42e-5 + 2.38e-7·|expected| (889 bit for bit)

// $ raddle run %s --input=8x16xf32=random --input=16x4xf32=random --input=4xf32=random --input=8x4xf32 --output=arg3=- | grep 8x4
// result 0: tensor<8x4xf32>=0 5.753591 0 8.568406 3.054741 0 3.4823709 7.6050186 0.103266716 0 0 0 0 0 0.95598614 10.821289 2.2094383 0.86043596 1.5218395 9.386974 6.4061613 3.49575 4.265038 21.40135 8.422064 5.4588947 0.56649846 0 4.505802 11.205423 2.5706897 0
