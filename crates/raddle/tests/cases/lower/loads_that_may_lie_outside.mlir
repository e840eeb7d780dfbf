// Chips of AMD have no predicated accesses: in the loop of a product, a load that may lie behind the end of a buffer reads
// its beginning then, and drops it. In the loop of the kernel for sm_80 it stands in a branch, which is a predicate.
// RUN: raddle opt %s --target=gfx942 --to=lowered | grep -c select
// RUN: raddle opt %s --target=sm_80 --to=lowered | grep -c select
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --target=gfx1100
func.func @product(%a: tensor<100x1000xf16>, %b: tensor<1000x120xf16>, %c: tensor<100x120xf32>) -> tensor<100x120xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<100x1000xf16>, tensor<1000x120xf16>) outs(%c : tensor<100x120xf32>) -> tensor<100x120xf32>
  return %r : tensor<100x120xf32>
}

// $ raddle opt %s --target=gfx942 --to=lowered | grep -c select
// 60

// $ raddle opt %s --target=sm_80 --to=lowered | grep -c select
// 12

// $ raddle run %s --all --target=gfx942
// ok       @product
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @product
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
