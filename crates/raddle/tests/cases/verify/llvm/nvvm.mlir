// Instructions of NVIDIA's machines take what they can.
// RUN: raddle check %s --split-input-file
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.cp.async.shared.global %s, %g, 32, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.cp.async.shared.global %s, %g, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.cp.async.shared.global %s, %g, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr<7>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.mapa %s, %i : !llvm.ptr<3> -> !llvm.ptr<7>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.convert.f32x2.to.f6x2 %f, %f : vector<2xi8> (f8E5M2)
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.convert.f32x2.to.f4x2 %f, %f : i8 (f8E5M2)
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.st.bulk %p, size = %l, init = 3 : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.pmevent id = 16
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.setmaxregister increase 20
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.setmaxregister increase 16
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.cp.async.bulk.tensor.prefetch %p, box[%i, %i] im2col[] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.match.sync all %i, %i : i32 -> !llvm.struct<(i32, i8)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.match.sync any %i, %i : i32 -> !llvm.struct<(i32, i8)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.match.sync all %i, %i : i32 -> !llvm.struct<(i32, i1)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> !llvm.struct<(f32, i1)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.shfl.sync bfly %i, %f, %i, %i {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = nvvm.convert.float.to.tf32 %f
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch level = L1, %p : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch %p : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch level = L1, tensormap, %p : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch tensormap, %g : !llvm.ptr<1>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch level = L2 uniform, %p : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch level = L1, evict_priority = evict_last, %g : !llvm.ptr<1>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch level = L2, evict_priority = evict_first, %g : !llvm.ptr<1>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
  llvm.return
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_90a">] {
    func.func @f() {
      nvvm.wgmma.fence.aligned
      return
    }
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<chip = "sm_90">] {
    func.func @f() {
      nvvm.wgmma.fence.aligned
      return
    }
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m [#nvvm.target<O = 4, chip = "sm_90a">] {
    func.func @f() {
      nvvm.wgmma.fence.aligned
      return
    }
  }
}

// $ raddle check %s --split-input-file
// error[E0201]: 'nvvm.cp.async.shared.global' op expected byte size to be either 4, 8 or 16.
//  --> verify/llvm/nvvm.mlir:4:3
//   |
// 4 |   nvvm.cp.async.shared.global %s, %g, 32, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.cp.async.shared.global' op CG cache modifier is only support for 16 bytes copy.
//   --> verify/llvm/nvvm.mlir:10:3
//    |
// 10 |   nvvm.cp.async.shared.global %s, %g, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.mapa' op failed to verify that Valid address-space check(or mapping) for mapa Op
//   --> verify/llvm/nvvm.mlir:22:3
//    |
// 22 |   %0 = nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr<7>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.convert.f32x2.to.f6x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x2 to f6x2.
//   --> verify/llvm/nvvm.mlir:34:3
//    |
// 34 |   %0 = nvvm.convert.f32x2.to.f6x2 %f, %f : vector<2xi8> (f8E5M2)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.convert.f32x2.to.f4x2' op Only 'f4E2M1FN' type is supported for conversions from f32x2 to f4x2.
//   --> verify/llvm/nvvm.mlir:40:3
//    |
// 40 |   %0 = nvvm.convert.f32x2.to.f4x2 %f, %f : i8 (f8E5M2)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.convert.f32x2.to.f16x2' op random_bits is required for RS rounding mode.
//   --> verify/llvm/nvvm.mlir:46:3
//    |
// 46 |   %0 = nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.st.bulk' op only 0 is supported for initVal, got 3
//   --> verify/llvm/nvvm.mlir:52:3
//    |
// 52 |   nvvm.st.bulk %p, size = %l, init = 3 : !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.pmevent' op `id` must be between 0 and 15
//   --> verify/llvm/nvvm.mlir:58:3
//    |
// 58 |   nvvm.pmevent id = 16
//    |   ^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.setmaxregister' op new register size must be multiple of 8
//   --> verify/llvm/nvvm.mlir:64:3
//    |
// 64 |   nvvm.setmaxregister increase 20
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.setmaxregister' op new register size must be in between 24 to 256
//   --> verify/llvm/nvvm.mlir:70:3
//    |
// 70 |   nvvm.setmaxregister increase 16
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.cp.async.bulk.tensor.prefetch' op to use im2col mode, the tensor has to be at least 3-dimensional
//   --> verify/llvm/nvvm.mlir:76:3
//    |
// 76 |   nvvm.cp.async.bulk.tensor.prefetch %p, box[%i, %i] im2col[] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.match.sync' op match.sync 'all' returns a two element struct with first element as i32 and second element as i1
//   --> verify/llvm/nvvm.mlir:82:3
//    |
// 82 |   %0 = nvvm.match.sync all %i, %i : i32 -> !llvm.struct<(i32, i8)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.match.sync' op match.sync 'any' returns an i32
//   --> verify/llvm/nvvm.mlir:88:3
//    |
// 88 |   %0 = nvvm.match.sync any %i, %i : i32 -> !llvm.struct<(i32, i8)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.shfl.sync' op expected return type to be of type 'f32' but got 'i32' instead
//    --> verify/llvm/nvvm.mlir:100:3
//     |
// 100 |   %0 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.shfl.sync' op "return_value_and_is_valid" attribute must be specified when the return type is a struct type
//    --> verify/llvm/nvvm.mlir:106:3
//     |
// 106 |   %0 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> !llvm.struct<(f32, i1)>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.convert.float.to.tf32' op Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.
//    --> verify/llvm/nvvm.mlir:118:3
//     |
// 118 |   %0 = nvvm.convert.float.to.tf32 %f
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.prefetch' op requires specification of either cache level or tensormap
//    --> verify/llvm/nvvm.mlir:130:3
//     |
// 130 |   nvvm.prefetch %p : !llvm.ptr
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.prefetch' op cannot specify both tensormap and cache level
//    --> verify/llvm/nvvm.mlir:136:3
//     |
// 136 |   nvvm.prefetch level = L1, tensormap, %p : !llvm.ptr
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.prefetch' op prefetch tensormap requires a generic or constant pointer
//    --> verify/llvm/nvvm.mlir:142:3
//     |
// 142 |   nvvm.prefetch tensormap, %g : !llvm.ptr<1>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.prefetch' op unsupported cache level, the only supported uniform cache level is L1
//    --> verify/llvm/nvvm.mlir:148:3
//     |
// 148 |   nvvm.prefetch level = L2 uniform, %p : !llvm.ptr
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.prefetch' op cache eviction priority supported only for cache level L2
//    --> verify/llvm/nvvm.mlir:154:3
//     |
// 154 |   nvvm.prefetch level = L1, evict_priority = evict_last, %g : !llvm.ptr<1>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.prefetch' op unsupported cache eviction priority, only evict_last and evict_normal are supported
//    --> verify/llvm/nvvm.mlir:160:3
//     |
// 160 |   nvvm.prefetch level = L2, evict_priority = evict_first, %g : !llvm.ptr<1>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvvm.wgmma.fence.aligned' op is not supported on sm_90
//    --> verify/llvm/nvvm.mlir:184:7
//     |
// 184 |       nvvm.wgmma.fence.aligned
//     |       ^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.module' op The optimization level must be a number between 0 and 3.
//    --> verify/llvm/nvvm.mlir:192:3
//     |
// 192 |   gpu.module @m [#nvvm.target<O = 4, chip = "sm_90a">] {
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 24 diagnostics
// [exit status 1]
