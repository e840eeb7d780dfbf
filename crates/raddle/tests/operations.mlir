// One function for each operation that has a form of its own: !T is the type of an element, !W what sums of !T are
// kept in. `tests/operations.rs` writes those of linalg's named operations, arith and math by rule.

func.func @linalg.broadcast(%a: tensor<33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = linalg.broadcast ins(%a : tensor<33x!T>) outs(%o : tensor<20x33x!T>) dimensions = [0]
  return %r : tensor<20x33x!T>
}

func.func @linalg.transpose(%a: tensor<20x33x!T>, %o: tensor<33x20x!T>) -> tensor<33x20x!T> {
  %r = linalg.transpose ins(%a : tensor<20x33x!T>) outs(%o : tensor<33x20x!T>) permutation = [1, 0]
  return %r : tensor<33x20x!T>
}

func.func @linalg.reduce(%a: tensor<20x33x!T>, %o: tensor<20x!T>) -> tensor<20x!T> {
  %r = linalg.reduce ins(%a : tensor<20x33x!T>) outs(%o : tensor<20x!T>) dimensions = [1]
    (%x: !T, %y: !T) {
      %m = !max %x, %y : !T
      linalg.yield %m : !T
    }
  return %r : tensor<20x!T>
}

func.func @linalg.map(%a: tensor<20x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = linalg.map ins(%a : tensor<20x33x!T>) outs(%o : tensor<20x33x!T>)
    (%x: !T, %y: !T) {
      %m = !max %x, %x : !T
      linalg.yield %m : !T
    }
  return %r : tensor<20x33x!T>
}

func.func @linalg.fill(%x: !T, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = linalg.fill ins(%x : !T) outs(%o : tensor<20x33x!T>) -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @linalg.elementwise(%a: tensor<20x33x!T>, %b: tensor<20x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<max_signed>
    ins(%a, %b : tensor<20x33x!T>, tensor<20x33x!T>) outs(%o : tensor<20x33x!T>) -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @linalg.select(%c: tensor<20x33xi1>, %a: tensor<20x33x!T>, %b: tensor<20x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = linalg.select ins(%c, %a, %b : tensor<20x33xi1>, tensor<20x33x!T>, tensor<20x33x!T>)
    outs(%o : tensor<20x33x!T>) -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @linalg.contract(%a: tensor<33x20x!T>, %b: tensor<33x24x!T>, %o: tensor<20x24x!W>) -> tensor<20x24x!W> {
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<33x20x!T>, tensor<33x24x!T>) outs(%o : tensor<20x24x!W>) -> tensor<20x24x!W>
  return %r : tensor<20x24x!W>
}

func.func @linalg.generic(%a: tensor<20x33x!T>, %o: tensor<33x20x!T>) -> tensor<33x20x!T> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : tensor<20x33x!T>) outs(%o : tensor<33x20x!T>) {
  ^bb0(%x: !T, %y: !T):
    %m = !max %x, %y : !T
    linalg.yield %m : !T
  } -> tensor<33x20x!T>
  return %r : tensor<33x20x!T>
}

func.func @linalg.index(%o: tensor<20x33xindex>) -> tensor<20x33xindex> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%o : tensor<20x33xindex>) {
  ^bb0(%y: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<20x33xindex>
  return %r : tensor<20x33xindex>
}

func.func @linalg.softmax(%a: tensor<20x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = linalg.softmax dimension(1) ins(%a : tensor<20x33x!T>) outs(%o : tensor<20x33x!T>) -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @linalg.pack(%a: tensor<32x48x!T>, %o: tensor<4x3x8x16x!T>) -> tensor<4x3x8x16x!T> {
  %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %o : tensor<32x48x!T> -> tensor<4x3x8x16x!T>
  return %r : tensor<4x3x8x16x!T>
}

func.func @linalg.unpack(%a: tensor<4x3x8x16x!T>, %o: tensor<30x45x!T>) -> tensor<30x45x!T> {
  %r = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %o : tensor<4x3x8x16x!T> -> tensor<30x45x!T>
  return %r : tensor<30x45x!T>
}

func.func @linalg.quantized_matmul(%a: tensor<20x33x!T>, %b: tensor<33x24x!T>, %p: i32, %q: i32, %o: tensor<20x24x!W>) -> tensor<20x24x!W> {
  %r = linalg.quantized_matmul ins(%a, %b, %p, %q : tensor<20x33x!T>, tensor<33x24x!T>, i32, i32)
    outs(%o : tensor<20x24x!W>) -> tensor<20x24x!W>
  return %r : tensor<20x24x!W>
}

func.func @linalg.quantized_batch_matmul(%a: tensor<2x20x33x!T>, %b: tensor<2x33x24x!T>, %p: i32, %q: i32, %o: tensor<2x20x24x!W>) -> tensor<2x20x24x!W> {
  %r = linalg.quantized_batch_matmul ins(%a, %b, %p, %q : tensor<2x20x33x!T>, tensor<2x33x24x!T>, i32, i32)
    outs(%o : tensor<2x20x24x!W>) -> tensor<2x20x24x!W>
  return %r : tensor<2x20x24x!W>
}

func.func @linalg.winograd_filter_transform(%a: tensor<2x3x3x5x!T>, %o: tensor<6x6x5x2x!T>) -> tensor<6x6x5x2x!T> {
  %r = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x3x5x!T>) outs(%o : tensor<6x6x5x2x!T>) -> tensor<6x6x5x2x!T>
  return %r : tensor<6x6x5x2x!T>
}

func.func @linalg.winograd_input_transform(%a: tensor<2x10x10x5x!T>, %o: tensor<6x6x2x2x2x5x!T>) -> tensor<6x6x2x2x2x5x!T> {
  %r = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x10x10x5x!T>) outs(%o : tensor<6x6x2x2x2x5x!T>) -> tensor<6x6x2x2x2x5x!T>
  return %r : tensor<6x6x2x2x2x5x!T>
}

func.func @linalg.winograd_output_transform(%a: tensor<6x6x2x2x2x5x!T>, %o: tensor<2x8x8x5x!T>) -> tensor<2x8x8x5x!T> {
  %r = linalg.winograd_output_transform fmr(F_4_3) ins(%a : tensor<6x6x2x2x2x5x!T>) outs(%o : tensor<2x8x8x5x!T>) -> tensor<2x8x8x5x!T>
  return %r : tensor<2x8x8x5x!T>
}

func.func @tensor.bitcast(%a: tensor<20x33x!T>) -> tensor<20x33x!bits> {
  %r = tensor.bitcast %a : tensor<20x33x!T> to tensor<20x33x!bits>
  return %r : tensor<20x33x!bits>
}

func.func @tensor.cast(%a: tensor<20x33x!T>) -> tensor<?x33x!T> {
  %r = tensor.cast %a : tensor<20x33x!T> to tensor<?x33x!T>
  return %r : tensor<?x33x!T>
}

func.func @tensor.collapse_shape(%a: tensor<20x33x!T>) -> tensor<660x!T> {
  %r = tensor.collapse_shape %a [[0, 1]] : tensor<20x33x!T> into tensor<660x!T>
  return %r : tensor<660x!T>
}

func.func @tensor.expand_shape(%a: tensor<660x!T>) -> tensor<20x33x!T> {
  %r = tensor.expand_shape %a [[0, 1]] output_shape [20, 33] : tensor<660x!T> into tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @tensor.reshape(%a: tensor<660x!T>) -> tensor<20x33x!T> {
  %s = arith.constant dense<[20, 33]> : tensor<2xi64>
  %r = tensor.reshape %a(%s) : (tensor<660x!T>, tensor<2xi64>) -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @tensor.concat(%a: tensor<20x33x!T>, %b: tensor<20x7x!T>) -> tensor<20x40x!T> {
  %r = tensor.concat dim(1) %a, %b : (tensor<20x33x!T>, tensor<20x7x!T>) -> tensor<20x40x!T>
  return %r : tensor<20x40x!T>
}

func.func @tensor.dim(%a: tensor<?x33x!T>) -> tensor<4xindex> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x33x!T>
  %r = tensor.splat %d : tensor<4xindex>
  return %r : tensor<4xindex>
}

func.func @tensor.rank(%a: tensor<20x33x!T>) -> tensor<4xindex> {
  %d = tensor.rank %a : tensor<20x33x!T>
  %r = tensor.splat %d : tensor<4xindex>
  return %r : tensor<4xindex>
}

func.func @tensor.extract(%a: tensor<20x33x!T>) -> tensor<4x!T> {
  %c1 = arith.constant 1 : index
  %x = tensor.extract %a[%c1, %c1] : tensor<20x33x!T>
  %r = tensor.splat %x : tensor<4x!T>
  return %r : tensor<4x!T>
}

func.func @tensor.extract_slice(%a: tensor<20x33x!T>) -> tensor<7x11x!T> {
  %r = tensor.extract_slice %a[2, 0] [7, 11] [2, 3] : tensor<20x33x!T> to tensor<7x11x!T>
  return %r : tensor<7x11x!T>
}

func.func @tensor.insert_slice(%a: tensor<7x11x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = tensor.insert_slice %a into %o[2, 0] [7, 11] [2, 3] : tensor<7x11x!T> into tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @tensor.insert(%x: !T, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %c1 = arith.constant 1 : index
  %r = tensor.insert %x into %o[%c1, %c1] : tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @tensor.from_elements(%x: !T, %y: !T) -> tensor<2x!T> {
  %r = tensor.from_elements %x, %y : tensor<2x!T>
  return %r : tensor<2x!T>
}

func.func @tensor.splat(%x: !T) -> tensor<20x33x!T> {
  %r = tensor.splat %x : tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @tensor.generate(%a: tensor<20x33x!T>) -> tensor<33x20x!T> {
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    %x = tensor.extract %a[%j, %i] : tensor<20x33x!T>
    tensor.yield %x : !T
  } : tensor<33x20x!T>
  return %r : tensor<33x20x!T>
}

func.func @tensor.gather(%a: tensor<20x33x!T>) -> tensor<3x33x!T> {
  %i = arith.constant dense<[[4], [0], [19]]> : tensor<3x1xindex>
  %r = tensor.gather %a[%i] gather_dims([0]) : (tensor<20x33x!T>, tensor<3x1xindex>) -> tensor<3x33x!T>
  return %r : tensor<3x33x!T>
}

func.func @tensor.scatter(%a: tensor<3x1x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %i = arith.constant dense<[[4], [0], [19]]> : tensor<3x1xindex>
  %r = tensor.scatter %a into %o[%i] scatter_dims([0]) unique : (tensor<3x1x33x!T>, tensor<20x33x!T>, tensor<3x1xindex>) -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @tensor.pad(%a: tensor<20x33x!T>, %x: !T) -> tensor<23x40x!T> {
  %r = tensor.pad %a low[1, 0] high[2, 7] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : !T
  } : tensor<20x33x!T> to tensor<23x40x!T>
  return %r : tensor<23x40x!T>
}

func.func @iree_linalg_ext.arg_compare(%a: tensor<20x33x!T>, %v: tensor<20x!T>, %i: tensor<20xi32>) -> (tensor<20x!T>, tensor<20xi32>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<20x33x!T>) outs(%v, %i : tensor<20x!T>, tensor<20xi32>) {
  ^bb0(%x: !T, %y: !T):
    %c = !less %x, %y : !T
    iree_linalg_ext.yield %c : i1
  } -> tensor<20x!T>, tensor<20xi32>
  return %r#0, %r#1 : tensor<20x!T>, tensor<20xi32>
}

func.func @iree_linalg_ext.attention(%q: tensor<2x32x16x!T>, %k: tensor<2x48x16x!T>, %v: tensor<2x48x16x!T>, %s: !T, %o: tensor<2x32x16x!T>) -> tensor<2x32x16x!T> {
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>]}
    ins(%q, %k, %v, %s : tensor<2x32x16x!T>, tensor<2x48x16x!T>, tensor<2x48x16x!T>, !T) outs(%o : tensor<2x32x16x!T>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x32x16x!T>
  return %r : tensor<2x32x16x!T>
}

func.func @iree_linalg_ext.online_attention(%q: tensor<2x32x16x!T>, %k: tensor<2x48x16x!T>, %v: tensor<2x48x16x!T>, %o: tensor<2x32x16xf32>, %m: tensor<2x32xf32>, %n: tensor<2x32xf32>) -> (tensor<2x32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
  %s = arith.constant 0.25 : !T
  %r:3 = iree_linalg_ext.online_attention {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>, affine_map<(b, m, n, k, l) -> (b, m)>, affine_map<(b, m, n, k, l) -> (b, m)>]}
    ins(%q, %k, %v, %s : tensor<2x32x16x!T>, tensor<2x48x16x!T>, tensor<2x48x16x!T>, !T) outs(%o, %m, %n : tensor<2x32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>
  return %r#0, %r#1, %r#2 : tensor<2x32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>
}

func.func @iree_linalg_ext.quantize_affine(%x: tensor<5x37x!T>, %s: tensor<5x!T>, %z: tensor<5xi8>, %o: tensor<5x37xi8>) -> tensor<5x37xi8> {
  %r = iree_linalg_ext.quantize_affine <indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], quant_min = -128, quant_max = 127> ins(%x, %s, %z : tensor<5x37x!T>, tensor<5x!T>, tensor<5xi8>) outs(%o : tensor<5x37xi8>) -> tensor<5x37xi8>
  return %r : tensor<5x37xi8>
}

func.func @iree_linalg_ext.dequantize_affine(%x: tensor<5x37x!T>, %s: tensor<5xf32>, %z: i8, %o: tensor<5x37xf32>) -> tensor<5x37xf32> {
  %r = iree_linalg_ext.dequantize_affine <indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], quant_min = 0, quant_max = 1, input_unsigned> ins(%x, %s, %z : tensor<5x37x!T>, tensor<5xf32>, i8) outs(%o : tensor<5x37xf32>) -> tensor<5x37xf32>
  return %r : tensor<5x37xf32>
}

func.func @iree_linalg_ext.exp_reduction(%s: tensor<20x33x!T>, %v: tensor<33x16x!T>, %m: tensor<20x!T>, %n: tensor<20x!T>, %o: tensor<20x16x!T>) -> (tensor<20x!T>, tensor<20x!T>, tensor<20x16x!T>) {
  %r:3 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, n, j) -> (i, j)>, affine_map<(i, n, j) -> (j, n)>, affine_map<(i, n, j) -> (i)>, affine_map<(i, n, j) -> (i)>, affine_map<(i, n, j) -> (i, n)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1, 2]}
    ins(%s, %v : tensor<20x33x!T>, tensor<33x16x!T>) outs(%m, %n, %o : tensor<20x!T>, tensor<20x!T>, tensor<20x16x!T>) {
  ^bb0(%ex: !T, %x: !T, %max: !T, %sum: !T, %acc: !T):
    %s2 = arith.addf %ex, %sum : !T
    %p = arith.mulf %ex, %x : !T
    %t = arith.addf %p, %acc : !T
    iree_linalg_ext.yield %max, %s2, %t : !T, !T, !T
  } -> tensor<20x!T>, tensor<20x!T>, tensor<20x16x!T>
  return %r#0, %r#1, %r#2 : tensor<20x!T>, tensor<20x!T>, tensor<20x16x!T>
}

func.func @iree_linalg_ext.custom_op(%a: tensor<20x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>]}
    ins(%a : tensor<20x33x!T>) outs(%o : tensor<20x33x!T>) {
  ^bb0(%x: tensor<?x?x!T>, %y: tensor<?x?x!T>):
    %z = linalg.max ins(%x, %x : tensor<?x?x!T>, tensor<?x?x!T>) outs(%y : tensor<?x?x!T>) -> tensor<?x?x!T>
    iree_linalg_ext.yield %z : tensor<?x?x!T>
  } -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @iree_linalg_ext.fft(%x: tensor<8x!T>, %y: tensor<8x!T>) -> (tensor<8x!T>, tensor<8x!T>) {
  %c1 = arith.constant 1 : index
  %r:2 = iree_linalg_ext.fft ins(%c1 : index) outs(%x, %y : tensor<8x!T>, tensor<8x!T>) : tensor<8x!T>, tensor<8x!T>
  return %r#0, %r#1 : tensor<8x!T>, tensor<8x!T>
}

func.func @iree_linalg_ext.gather(%a: tensor<20x33x!T>, %o: tensor<3x33x!T>) -> tensor<3x33x!T> {
  %i = arith.constant dense<[4, 0, 19]> : tensor<3xi32>
  %r = iree_linalg_ext.gather dimension_map = [0] ins(%a, %i : tensor<20x33x!T>, tensor<3xi32>) outs(%o : tensor<3x33x!T>) -> tensor<3x33x!T>
  return %r : tensor<3x33x!T>
}

func.func @iree_linalg_ext.scatter(%a: tensor<3x33x!T>, %o: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %i = arith.constant dense<[[4], [0], [19]]> : tensor<3x1xi32>
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%a, %i : tensor<3x33x!T>, tensor<3x1xi32>) outs(%o : tensor<20x33x!T>) {
  ^bb0(%new: !T, %old: !T):
    %m = !max %new, %old : !T
    iree_linalg_ext.yield %m : !T
  } -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @iree_linalg_ext.im2col(%a: tensor<2x10x10x6x!T>, %o: tensor<2x64x54x!T>) -> tensor<2x64x54x!T> {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3]
    offsets = [0, 0, 0] output_sizes = [[2], [8, 8], [3, 3, 6]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2]
    ins(%a : tensor<2x10x10x6x!T>) outs(%o : tensor<2x64x54x!T>) -> tensor<2x64x54x!T>
  return %r : tensor<2x64x54x!T>
}

func.func @iree_linalg_ext.map_load(%a: tensor<20x!T>, %o: tensor<17x!T>, %pad: !T) -> tensor<17x!T> {
  %c2 = arith.constant 2 : index
  %r = iree_linalg_ext.map_load %a into %o {
  ^bb0(%i: index):
    %k = arith.addi %i, %c2 : index
    iree_linalg_ext.yield %k, %pad : index, !T
  } : tensor<20x!T> into tensor<17x!T> -> tensor<17x!T>
  return %r : tensor<17x!T>
}

func.func @iree_linalg_ext.map_store(%a: tensor<17x!T>, %o: tensor<20x!T>) -> tensor<20x!T> {
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %r = iree_linalg_ext.map_store %a into %o {
  ^bb0(%i: index):
    %k = arith.addi %i, %c2 : index
    iree_linalg_ext.yield %k, %true : index, i1
  } : tensor<17x!T> into tensor<20x!T> -> tensor<20x!T>
  return %r : tensor<20x!T>
}

func.func @iree_linalg_ext.scan(%a: tensor<20x33x!T>, %o: tensor<20x33x!T>, %z: tensor<20x!T>) -> (tensor<20x33x!T>, tensor<20x!T>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<20x33x!T>) outs(%o, %z : tensor<20x33x!T>, tensor<20x!T>) {
  ^bb0(%x: !T, %y: !T):
    %m = !max %x, %y : !T
    iree_linalg_ext.yield %m : !T
  } -> tensor<20x33x!T>, tensor<20x!T>
  return %r#0, %r#1 : tensor<20x33x!T>, tensor<20x!T>
}

func.func @iree_linalg_ext.sort(%a: tensor<20x33x!T>) -> tensor<20x33x!T> {
  %r = iree_linalg_ext.sort dimension(1) outs(%a : tensor<20x33x!T>) {
  ^bb0(%x: !T, %y: !T):
    %c = !less %x, %y : !T
    iree_linalg_ext.yield %c : i1
  } -> tensor<20x33x!T>
  return %r : tensor<20x33x!T>
}

func.func @iree_linalg_ext.topk(%a: tensor<20x33x!T>, %v: tensor<20x3x!T>, %i: tensor<20x3xi32>) -> (tensor<20x3x!T>, tensor<20x3xi32>) {
  %r:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<20x33x!T>) outs(%v, %i : tensor<20x3x!T>, tensor<20x3xi32>) {
  ^bb0(%x: !T, %y: !T):
    %c = !less %x, %y : !T
    iree_linalg_ext.yield %c : i1
  } -> tensor<20x3x!T>, tensor<20x3xi32>
  return %r#0, %r#1 : tensor<20x3x!T>, tensor<20x3xi32>
}

func.func @iree_linalg_ext.topk_v2(%a: tensor<20x33x!T>, %v: tensor<20x3x!T>) -> tensor<20x3x!T> {
  %r = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%a : tensor<20x33x!T>) outs(%v : tensor<20x3x!T>) {
  ^bb0(%x: !T, %y: !T):
    %c = !less %x, %y : !T
    iree_linalg_ext.yield %c : i1
  } -> tensor<20x3x!T>
  return %r : tensor<20x3x!T>
}

func.func @iree_linalg_ext.winograd.filter_transform(%a: tensor<3x3x5x4x!T>, %o: tensor<8x8x5x4x!T>) -> tensor<8x8x5x4x!T> {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1]) ins(%a : tensor<3x3x5x4x!T>) outs(%o : tensor<8x8x5x4x!T>) -> tensor<8x8x5x4x!T>
  return %r : tensor<8x8x5x4x!T>
}

func.func @iree_linalg_ext.winograd.input_transform(%a: tensor<1x14x14x5x!T>, %o: tensor<8x8x1x2x2x5x!T>) -> tensor<8x8x1x2x2x5x!T> {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%a : tensor<1x14x14x5x!T>) outs(%o : tensor<8x8x1x2x2x5x!T>) -> tensor<8x8x1x2x2x5x!T>
  return %r : tensor<8x8x1x2x2x5x!T>
}

func.func @iree_linalg_ext.winograd.output_transform(%a: tensor<8x8x1x2x2x5x!T>, %o: tensor<1x12x12x5x!T>) -> tensor<1x12x12x5x!T> {
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%a : tensor<8x8x1x2x2x5x!T>) outs(%o : tensor<1x12x12x5x!T>) -> tensor<1x12x12x5x!T>
  return %r : tensor<1x12x12x5x!T>
}
