// Chips without asynchronous copies get the tile that a model of their processors takes the least time with, too: a tile
// waits in registers while the one before is multiplied. Few rows share the processors by parts of the sums, and RDNA,
// without matrix instructions for f32, gives each thread a block of the result.
// RUN: raddle opt %s --target=gfx942 --to=configured --remarks 2>&1 | grep remark[E0403]
// RUN: raddle opt %s --target=gfx90a --to=configured --remarks 2>&1 | grep remark[E0403]
// RUN: raddle opt %s --target=gfx1100 --to=configured --remarks 2>&1 | grep remark[E0403]
// RUN: raddle opt %s --target=gfx1201 --to=configured --remarks 2>&1 | grep remark[E0403]
// RUN: raddle opt %s --target=gfx1201 --to=configured | grep thread =
func.func @product(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
func.func @few_rows(%a: tensor<64x4096xi8>, %b: tensor<4096x4096xi8>, %c: tensor<64x4096xi32>) -> tensor<64x4096xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x4096xi8>, tensor<4096x4096xi8>) outs(%c : tensor<64x4096xi32>) -> tensor<64x4096xi32>
  return %r : tensor<64x4096xi32>
}
func.func @words(%a: tensor<1024x512xf32>, %b: tensor<512x1024xf32>, %c: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1024x512xf32>, tensor<512x1024xf32>) outs(%c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// $ raddle opt %s --target=gfx942 --to=configured --remarks 2>&1 | grep remark[E0403]
// remark[E0403]: the tile of a workgroup is 256 x 256 x 32 for 2 x 4 subgroups: about 282765 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 32 x 128 x 256 for 1 x 8 subgroups: about 12775 clocks, most of them for global memory
// remark[E0403]: the tile of a workgroup is 64 x 64 x 64 for 2 x 4 subgroups: about 21890 clocks, most of them for matrix instructions

// $ raddle opt %s --target=gfx90a --to=configured --remarks 2>&1 | grep remark[E0403]
// remark[E0403]: the tile of a workgroup is 64 x 128 x 32 for 1 x 4 subgroups: about 1338215 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 32 x 32 x 256 for 2 x 2 subgroups: about 30385 clocks, most of them for the L2 cache
// remark[E0403]: the tile of a workgroup is 32 x 32 x 16 for 1 x 2 subgroups: about 52640 clocks, most of them for the arrival of copies

// $ raddle opt %s --target=gfx1100 --to=configured --remarks 2>&1 | grep remark[E0403]
// remark[E0403]: the tile of a workgroup is 64 x 128 x 32 for 2 x 4 subgroups: about 3026744 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 32 x 64 x 256 for 2 x 4 subgroups: about 55089 clocks, most of them for global memory

// $ raddle opt %s --target=gfx1201 --to=configured --remarks 2>&1 | grep remark[E0403]
// remark[E0403]: the tile of a workgroup is 128 x 128 x 32 for 2 x 4 subgroups: about 2586957 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 64 x 64 x 256 for 2 x 4 subgroups: about 87884 clocks, most of them for global memory

// $ raddle opt %s --target=gfx1201 --to=configured | grep thread =
//     %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 8, 1], [0, 1, 2]], promote_operands = [0, 1], reduction = [0, 0, 8], subgroup_basis = [[2, 2, 1], [0, 1, 2]], thread = [4, 4, 1], workgroup = [64, 128, 0]}>} ins(%arg0, %arg1 : tensor<1024x512xf32>, tensor<512x1024xf32>) outs(%arg2 : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
