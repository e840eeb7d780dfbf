func.func @f(%c: i1, %a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %i: index, %m: memref<?x4xf32>, %v: vector<4xf32>, %s: f32, %t: tensor<4x8xi32>, %po: tensor<1x5x5x3xf32>, %o: tensor<1x5x5x2xf32>, %im: tensor<1x7x7x3xf32>, %k: tensor<3x3x3x2xf32>, %k2:tensor<3x3xf32>) -> f32 {
  %0 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.reduce ins(%a : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1] (%in: f32, %out: f32) { %z = arith.addf %in, %out : f32  linalg.yield %z : f32 }
  %r2 = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  %bc = linalg.broadcast ins(%e : tensor<4xf32>) outs(%a : tensor<4x8xf32>) dimensions = [1]
  %mp = linalg.map { arith.addf } ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  %ex = linalg.exp ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %ad = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %adi = linalg.max ins(%t, %t : tensor<4x8xi32>, tensor<4x8xi32>) outs(%t : tensor<4x8xi32>) -> tensor<4x8xi32>
  %cv = linalg.conv_2d_nhwc_hwcf ins(%im, %k : tensor<1x7x7x3xf32>, tensor<3x3x3x2xf32>) outs(%o : tensor<1x5x5x2xf32>) -> tensor<1x5x5x2xf32>
  %sq = linalg.square ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %rc = linalg.reciprocal ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %el = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %pm = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%im, %k2 : tensor<1x7x7x3xf32>, tensor<3x3xf32>) outs(%po: tensor<1x5x5x3xf32>) -> tensor<1x5x5x3xf32>
  %w:2 = scf.while (%x = %i, %y = %s) : (index, f32) -> (index, f32) { scf.condition(%c) %x, %y : index, f32 } do { ^bb0(%x: index, %y: f32): scf.yield %x, %y : index, f32 }
  %er = scf.execute_region -> f32 { cf.br ^bb1 ^bb1: scf.yield %s : f32 }
  %pr = scf.parallel (%p, %q) = (%i, %i) to (%i, %i) step (%i, %i) init (%s) -> f32 { scf.reduce(%s : f32) { ^bb0(%l: f32, %g: f32): %z = arith.addf %l, %g : f32 scf.reduce.return %z : f32 } }
  scf.parallel (%p) = (%i) to (%i) step (%i) { }
  %sw = scf.index_switch %i -> f32 case 2 { scf.yield %s : f32 } default { scf.yield %s : f32 }
  %af = affine.for %j = 0 to %i step 2 iter_args(%acc = %s) -> (f32) { %ld = affine.load %m[%j + 1, %j mod 4] : memref<?x4xf32> affine.store %ld, %m[%j, 0] : memref<?x4xf32> affine.yield %acc : f32 }
  affine.for %j = max affine_map<(d0) -> (0, d0)>(%i) to min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%i] { }
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%i] { } else { }
  %mx = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%i]
  %op = vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
  %op2 = vector.outerproduct %v, %v, %op {kind = #vector.kind<mul>} : vector<4xf32>, vector<4xf32>
  %op3 = vector.outerproduct %v, %s : vector<4xf32>, f32
  %wr = gpu.warp_execute_on_lane_0(%i)[32] args(%v : vector<4xf32>) -> (f32) { ^bb0(%aa: vector<128xf32>): gpu.yield %s : f32 }
  gpu.warp_execute_on_lane_0(%i)[32] { }
  %g = gpu.block_dim x
  %g2 = gpu.all_reduce add %s uniform {} : (f32) -> f32
  %bb = vector.broadcast %c : i1 to vector<4xi1>
  %mk = vector.mask %bb { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.mask %bb { } : vector<4xi1>
  iree_codegen.workgroup_count_hint(%i, 2, %i)
  %rot, %rv = gpu.rotate %s, 1, 32 : f32
  %br = gpu.subgroup_broadcast %s, first_active_lane : f32
  %asl = memref.transpose %m (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  %mm:6 = memref.extract_strided_metadata %asl : memref<4x?xf32, strided<[1, 4]>> -> memref<f32>, index, index, index, index, index
  vector.print %v : vector<4xf32>
  %rm = memref.atomic_rmw addf %s, %m[%i, %i] : (f32, memref<?x4xf32>) -> f32
  cf.cond_br %c, ^b1(%s : f32), ^b2
^b1(%q1: f32):
  %sc = arith.constant 4 : i32
  cf.switch %sc : i32, [default: ^b2, 42: ^b1(%s : f32)]
^b2:
  return %s : f32
}
memref.global "private" constant @g : memref<2xf32> = dense<1.0> alignment = 16
memref.global @h : memref<2xf32> = uninitialized
memref.global @h2 : memref<2xf32>

func.func @complex_numbers(%z: complex<f32>, %a: tensor<4xcomplex<f32>>, %m: tensor<2x2xcomplex<f64>>) -> (tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>) {
  %0 = linalg.fill ins(%z : complex<f32>) outs(%a : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = linalg.add ins(%0, %a : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%a : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %2 = linalg.copy ins(%1 : tensor<4xcomplex<f32>>) outs(%a : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %3 = linalg.matmul ins(%m, %m : tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) outs(%m : tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  return %2, %3 : tensor<4xcomplex<f32>>, tensor<2x2xcomplex<f64>>
}
