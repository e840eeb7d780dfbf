"t.op"() : () -> (vector<4x[8]xf32>, tensor<?x4xf8E4M3FN, #d.e>, memref<2x3xi4, strided<[3, 1], offset: ?>, 3>,
  memref<*xf32>, tensor<*xindex>, !d.t<x -> [y]>, (i1, si8) -> (ui16, f4E2M1FN), memref<4xf64, affine_map<(d0) -> (d0 * 2)>>)
