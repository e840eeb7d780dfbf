// Older and newer spellings of the same things, and what the other files leave out.
#trait = {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
#contraction = {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
#old = #iree_codegen.translation_info<LLVMGPUVectorDistribute workgroup_size = [64, 1, 1] subgroup_size = 64>
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 mod 4 == 0, d0 <= 12)>
!tile = vector<4x8xf32>
module @named attributes {gpu.container_module, a.set = #set} {
  func.func private @declared(f32 {a.b = 1 : i8}, index) -> (f32, !my.type<4x?, "x">)
  func.func nested @attributes() attributes {
      translation_info = #old, "a quoted name" = 1 : i64, a.unit, a.bool = true, a.float = 1.5 : f16, a.nan = 0x7E00 : f16,
      a.int = -7 : si8, a.hex = 0x1F : i32, a.str = "tab\09 quote\22 back\\slash", a.ty = tensor<?x4xf32, #my.encoding>, a.sym = @named::@"odd name",
      a.arr = [1, 2.0, "x", [@s], {k = unit}], a.dense = array<i64: 1, -2>, a.bools = array<i1: true, false>, a.halfs = array<f16: 1.5, -0.0>,
      a.none = array<i32>, a.map = affine_map<(d0, d1)[s0, s1] -> (d0 * 2 - s0, (d1 + s1) mod 8, d0 ceildiv 4 - d1 floordiv 2 * 3, -d1)>,
      a.strided = strided<[?, 1], offset: 4>, a.pretty = #gpu<dim x>, a.opaque = #my.attr<[1 -> 2], "a>b", {x}>, a.fields = #my.fields<a = 1, b = [2, 3], 4x4>,
      a.res = dense_resource<blob> : tensor<4xf32>, a.complex = dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>, a.empty = dense<> : tensor<0xi4>,
      a.bytes = dense<"0x0000803F00000040"> : tensor<2xf32>, a.small = dense<[[1, -1], [7, -8]]> : tensor<2x2xi4>, a.f8 = dense<1.5> : vector<4xf8E4M3FN>,
      a.types = [f8E5M2, f6E2M3FN, f4E2M1FN, bf16, tf32, ui8, none, complex<f64>, tuple<i1, f32>, memref<*xf32, 3>, tensor<*xi8>, vector<[4]x2xf32>, (f32) -> (), () -> (f32, f32), memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 3>, !my.type, !my<pretty>]
    } {
    return
  }
  func.func @vectors(%m: memref<64x64xf32>, %v: !tile, %i: index, %mask: vector<8x4xi1>, %f: f32) {
    %e = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : !tile to vector<2x4xf32>
    %s = vector.insert_strided_slice %e, %v {offsets = [0, 2], strides = [1, 1]} : vector<2x4xf32> into !tile
    %r = vector.transfer_read %m[%i, %i], %f, %mask {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<64x64xf32>, vector<4x8xf32>
    %b = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (0, d1)>, in_bounds = [true, true]} : memref<64x64xf32>, vector<4x8xf32>
    %z = arith.constant dense<0.0> : vector<4x4xf32>
    %t = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %c = vector.contract #contraction %v, %t, %z {note} : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    %all = vector.multi_reduction #vector.kind<maximumf>, %v, %f [0, 1] : vector<4x8xf32> to f32
    %zero = vector.broadcast %f : f32 to vector<f32>
    %x = vector.extract %zero[] : f32 from vector<f32>
    %cond = arith.cmpf olt, %v, %v : vector<4x8xf32>
    %sel = arith.select %cond, %v, %s : vector<4x8xi1>, vector<4x8xf32>
    vector.transfer_write %sel, %m[%i, %i], %mask {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, memref<64x64xf32>
    %true = arith.constant true
    %i8 = arith.constant -128 : i8
    %wide = arith.extui %i8 nneg : i8 to i32
    %or = arith.ori %wide, %wide : i32
    %div = arith.divsi %or, %wide exact : i32
    %sum = arith.addi %div, %wide overflow<nuw> : i32
    %fast = arith.mulf %x, %all fastmath<nnan, contract> : f32
    return
  }
  func.func @matrix(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>, %d: vector<4xf16>, %e: vector<4xf32>) {
    %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %1 = amdgpu.mfma 16x16x16 %d * %d + %e blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %2 = amdgpu.mfma %d * %d + %e {abid = 0 : i32, cbsz = 0 : i32, k = 16 : i32, m = 16 : i32, n = 16 : i32, blocks = 1 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    return
  }
  func.func @tensors(%t: tensor<4x8xf16>, %u: tensor<?x8xf32>, %o: tensor<4xf32>, %q: tensor<4x8xi8>, %acc: tensor<4x4xi32>, %w: tensor<8x4xi8>, %i: index) -> tensor<4xf32> {
    %r = linalg.generic #trait ins(%t : tensor<4x8xf16>) outs(%o : tensor<4xf32>) {
    ^bb0(%a: f16, %b: f32):
      %0 = arith.extf %a : f16 to f32
      %1 = arith.maximumf %0, %b : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    %m = linalg.matmul ins(%q, %w : tensor<4x8xi8>, tensor<8x4xi8>) outs(%acc : tensor<4x4xi32>) -> tensor<4x4xi32>
    %n = linalg.matmul <{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]}> ins(%q, %w : tensor<4x8xi8>, tensor<8x4xi8>) outs(%m : tensor<4x4xi32>) -> tensor<4x4xi32>
    %s = tensor.extract_slice %u[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
    %res:2 = scf.for %k = %i to %i step %i iter_args(%x = %r, %y = %s) -> (tensor<4xf32>, tensor<8xf32>) {
      scf.yield %x, %y : tensor<4xf32>, tensor<8xf32>
    } {note = "kept"}
    return %res#0 : tensor<4xf32>
  }
  func.func @blocks(%c: i1, %x: f32) -> f32 {
    %0:2 = scf.if %c -> (f32, f32) {
      scf.yield %x, %x : f32, f32
    } else {
      scf.yield %x, %x : f32, f32
    }
    return %0#1 : f32
  } loc("file":1:2)
}
