// Where rows of open length do not begin at whole accesses, a masked copy of a ring goes element by element.
// RUN: raddle run %s --target=sm_80 --input=32x96xf16=random | grep correct
// RUN: raddle run %s --target=sm_80 --input=32x83xf16=random | grep correct
// RUN: raddle run %s --device=ptx-emu --target=sm_80 --input=32x83xf16=random | grep correct
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @f(%arg0: tensor<32x?xf16>) -> tensor<?x?xf16> {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<32x?xf16>
  %zero = arith.constant 0.0 : f16
  %slice = tensor.extract_slice %arg0[9, 0] [%c1, %dim] [1, 1] : tensor<32x?xf16> to tensor<?x?xf16>
  %empty = tensor.empty(%c1, %c1) : tensor<?x?xf16>
  %fill = linalg.fill ins(%zero : f16) outs(%empty : tensor<?x?xf16>) -> tensor<?x?xf16>
  %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%slice, %slice : tensor<?x?xf16>, tensor<?x?xf16>) outs(%fill : tensor<?x?xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %1 = arith.mulf %in, %in_0 : f16
    %2 = arith.addf %out, %1 : f16
    linalg.yield %2 : f16
  } -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// $ raddle run %s --target=sm_80 --input=32x96xf16=random | grep correct
// correct: all 1 elements agree with the reference within 1.20e0 + 1.95e-3·|expected| (0 bit for bit)

// $ raddle run %s --target=sm_80 --input=32x83xf16=random | grep correct
// correct: all 1 elements agree with the reference within 1.25e0 + 1.95e-3·|expected| (0 bit for bit)

// $ raddle run %s --device=ptx-emu --target=sm_80 --input=32x83xf16=random | grep correct
// correct: all 1 elements agree with the reference within 1.25e0 + 1.95e-3·|expected| (0 bit for bit)
