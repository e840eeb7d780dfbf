// Random data for an argument that integers are divided by has no zeros, through whatever it is read.
// RUN: raddle run %s --function=body | grep inputs
// RUN: raddle run %s --function=body | grep correct
// RUN: raddle run %s --function=named | grep inputs
// RUN: raddle run %s --function=named | grep correct
// RUN: raddle run %s --function=scalar | grep inputs
// RUN: raddle run %s --function=scalar | grep correct
func.func @body(%a: tensor<64x32xi32>, %by: tensor<32x64xi8>) -> tensor<64x32xi32> {
  %e = tensor.empty() : tensor<64x32xi8>
  %t = linalg.transpose ins(%by : tensor<32x64xi8>) outs(%e : tensor<64x32xi8>) permutation = [1, 0]
  %o = tensor.empty() : tensor<64x32xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %t : tensor<64x32xi32>, tensor<64x32xi8>) outs(%o : tensor<64x32xi32>) {
  ^body(%x: i32, %y: i8, %old: i32):
    %wide = arith.extsi %y : i8 to i32
    %q = arith.floordivsi %x, %wide : i32
    linalg.yield %q : i32
  } -> tensor<64x32xi32>
  return %r : tensor<64x32xi32>
}
func.func @named(%a: tensor<300xi32>, %by: tensor<300xi32>, %f: tensor<300xf32>, %g: tensor<300xf32>) -> (tensor<300xi32>, tensor<300xf32>) {
  %o = tensor.empty() : tensor<300xi32>
  %r = linalg.div ins(%a, %by : tensor<300xi32>, tensor<300xi32>) outs(%o : tensor<300xi32>) -> tensor<300xi32>
  %p = tensor.empty() : tensor<300xf32>
  %s = linalg.div ins(%f, %g : tensor<300xf32>, tensor<300xf32>) outs(%p : tensor<300xf32>) -> tensor<300xf32>
  return %r, %s : tensor<300xi32>, tensor<300xf32>
}
func.func @scalar(%a: memref<128xi32>, %by: memref<128xi32>, %to: memref<128xi32>) attributes {gpu.known_grid_size = array<i32: 4, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c32 = arith.constant 32 : index
  %block = gpu.block_id x
  %thread = gpu.thread_id x
  %first = arith.muli %block, %c32 : index
  %at = arith.addi %first, %thread : index
  %x = memref.load %a[%at] : memref<128xi32>
  %y = memref.load %by[%at] : memref<128xi32>
  %r = arith.remui %x, %y : i32
  memref.store %r, %to[%at] : memref<128xi32>
  return
}

// $ raddle run %s --function=body | grep inputs
// inputs     0: random normal, seed 0 · 1: random normal without zeros, seed 0

// $ raddle run %s --function=body | grep correct
// correct: all 2048 elements equal the reference bit for bit

// $ raddle run %s --function=named | grep inputs
// inputs     0: random normal, seed 0 · 1: random normal without zeros, seed 0 · 2: random normal, seed 0 · 3: random normal, seed 0

// $ raddle run %s --function=named | grep correct
// correct: result 0, all 300 elements equal the reference bit for bit
// correct: result 1, all 300 elements equal the reference bit for bit

// $ raddle run %s --function=scalar | grep inputs
// inputs     0: random normal, seed 0 · 1: random normal without zeros, seed 0 · 2: zeros

// $ raddle run %s --function=scalar | grep correct
// correct: all 128 elements equal the reference bit for bit
