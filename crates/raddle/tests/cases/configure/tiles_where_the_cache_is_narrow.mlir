// Where the L2 cache gives the processors of a chip together less than their ports are wide, larger tiles that ask for
// less are faster. What only the run knows is not a number of clocks.
// RUN: raddle opt %s --target=sm_80 --to=configured --remarks 2>&1 | grep subgroups:
// RUN: raddle opt %s --target=sm_86 --to=configured --remarks 2>&1 | grep subgroups:
// RUN: raddle opt %s --target=sm_89 --to=configured --remarks 2>&1 | grep subgroups:
// RUN: raddle opt %s --target=sm_120 --to=configured --remarks 2>&1 | grep subgroups:
func.func @product(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4096x4096xf16>, tensor<4096x4096xf16>)
                     outs(%init : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}

func.func @open_rows(%a: tensor<?x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<?x4096xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x4096xf16>
  %empty = tensor.empty(%m) : tensor<?x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x4096xf16>, tensor<4096x4096xf16>)
                     outs(%init : tensor<?x4096xf32>) -> tensor<?x4096xf32>
  return %c : tensor<?x4096xf32>
}

// $ raddle opt %s --target=sm_80 --to=configured --remarks 2>&1 | grep subgroups:
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: about 729007 clocks, most of them for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: about 729007 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: most clocks for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: most clocks for matrix instructions

// $ raddle opt %s --target=sm_86 --to=configured --remarks 2>&1 | grep subgroups:
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: about 1683065 clocks, most of them for matrix instructions
//    = note: the next one would be 128 x 128 x 32 for 2 x 2 subgroups: about 1795291 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 64 x 128 x 32 for 2 x 4 subgroups: about 103251 clocks, most of them for global memory
//    = note: the next one would be 64 x 128 x 32 for 1 x 4 subgroups: about 102626 clocks, most of them for global memory
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: most clocks for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: most clocks for matrix instructions

// $ raddle opt %s --target=sm_89 --to=configured --remarks 2>&1 | grep subgroups:
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: about 1208625 clocks, most of them for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: about 1208625 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: most clocks for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: most clocks for matrix instructions

// $ raddle opt %s --target=sm_120 --to=configured --remarks 2>&1 | grep subgroups:
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: about 902972 clocks, most of them for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: about 902972 clocks, most of them for matrix instructions
// remark[E0403]: the tile of a workgroup is 128 x 256 x 32 for 2 x 4 subgroups: most clocks for matrix instructions
//    = note: the next one would be 256 x 128 x 32 for 4 x 2 subgroups: most clocks for matrix instructions
