// What a product in shared memory is told must be so: where its tiles begin, whom they are for, what they lie in.
//
// RUN: raddle run %s --function=right --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --function=not_at_16_bytes --target=sm_90a | grep error
// RUN: raddle run %s --function=of_each_thread --target=sm_90a | grep error
// RUN: raddle run %s --function=outside --target=sm_90a | grep error
// RUN: raddle run %s --function=not_aligned --target=sm_90a --device=ptx-emu | grep error
// RUN: raddle run %s --function=three_subgroups --target=sm_90a --device=ptx-emu | grep error

func.func @right(%C: memref<128x4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() {alignment = 1024 : i64} : memref<4096xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %c4 = arith.constant 4 : index
  %n = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %t to %c4096 step %n {
    memref.store %one, %a[%i] : memref<4096xf16, #gpu.address_space<workgroup>>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  nvvm.wgmma.fence.aligned
  %r = nvgpu.wgmma %a[%c0], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %f = vector.shape_cast %r : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %C[%t, %c0] : memref<128x4xf32>, vector<4xf32>
  return
}

func.func @not_at_16_bytes(%C: memref<128x4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() {alignment = 1024 : i64} : memref<4096xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %c4 = arith.constant 4 : index
  %n = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %t to %c4096 step %n {
    memref.store %one, %a[%i] : memref<4096xf16, #gpu.address_space<workgroup>>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  nvvm.wgmma.fence.aligned
  %r = nvgpu.wgmma %a[%c4], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %f = vector.shape_cast %r : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %C[%t, %c0] : memref<128x4xf32>, vector<4xf32>
  return
}

func.func @of_each_thread(%C: memref<128x4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() {alignment = 1024 : i64} : memref<4096xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %c4 = arith.constant 4 : index
  %n = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %t to %c4096 step %n {
    memref.store %one, %a[%i] : memref<4096xf16, #gpu.address_space<workgroup>>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  nvvm.wgmma.fence.aligned
  %r = nvgpu.wgmma %a[%t], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %f = vector.shape_cast %r : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %C[%t, %c0] : memref<128x4xf32>, vector<4xf32>
  return
}

func.func @outside(%C: memref<128x4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() {alignment = 1024 : i64} : memref<4096xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %c4 = arith.constant 4 : index
  %n = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %t to %c4096 step %n {
    memref.store %one, %a[%i] : memref<4096xf16, #gpu.address_space<workgroup>>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  nvvm.wgmma.fence.aligned
  %r = nvgpu.wgmma %a[%c4096], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %f = vector.shape_cast %r : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %C[%t, %c0] : memref<128x4xf32>, vector<4xf32>
  return
}

func.func @not_aligned(%C: memref<128x4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4096xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %c4 = arith.constant 4 : index
  %n = arith.constant 128 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %t to %c4096 step %n {
    memref.store %one, %a[%i] : memref<4096xf16, #gpu.address_space<workgroup>>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  nvvm.wgmma.fence.aligned
  %r = nvgpu.wgmma %a[%c0], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %f = vector.shape_cast %r : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %C[%t, %c0] : memref<128x4xf32>, vector<4xf32>
  return
}

func.func @three_subgroups(%C: memref<96x4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [96, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() {alignment = 1024 : i64} : memref<4096xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f16
  %c4 = arith.constant 4 : index
  %n = arith.constant 96 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %t to %c4096 step %n {
    memref.store %one, %a[%i] : memref<4096xf16, #gpu.address_space<workgroup>>
  }
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  gpu.barrier
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  nvvm.wgmma.fence.aligned
  %r = nvgpu.wgmma %a[%c0], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  %f = vector.shape_cast %r : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %C[%t, %c0] : memref<96x4xf32>, vector<4xf32>
  return
}

// $ raddle run %s --function=right --target=sm_90a --device=ptx-emu | grep correct
// correct: all 512 elements equal the reference bit for bit

// $ raddle run %s --function=not_at_16_bytes --target=sm_90a | grep error
// error[E0814]: misaligned: the tile begins at element 4, not at a multiple of 16 bytes
//   --> run/tiles_of_products.mlir:48:3
//    |
// 48 |   %r = nvgpu.wgmma %a[%c4], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `nvgpu.wgmma`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 0, lane 0
//    = note: the subgroups ran in the order of seed 0
// [exit status 1]

// $ raddle run %s --function=of_each_thread --target=sm_90a | grep error
// error[E0817]: undefined: the lanes of a subgroup name different tiles
//   --> run/tiles_of_products.mlir:71:3
//    |
// 71 |   %r = nvgpu.wgmma %a[%t], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `nvgpu.wgmma`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 0, lane 1
//    = note: the subgroups ran in the order of seed 0
// [exit status 1]

// $ raddle run %s --function=outside --target=sm_90a | grep error
// error[E0811]: bounds: index 4096 is outside dimension 0 of shared memory, which has extent 4096 there
//   --> run/tiles_of_products.mlir:94:3
//    |
// 94 |   %r = nvgpu.wgmma %a[%c4096], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `nvgpu.wgmma`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 0, lane 0
//    = note: the subgroups ran in the order of seed 0
// [exit status 1]

// $ raddle run %s --function=not_aligned --target=sm_90a --device=ptx-emu | grep error
// error[E0602]: `nvgpu.wgmma` cannot be at the `lowered` stage: the memory of a swizzled tile has no `alignment` of eight of its rows
//    --> run/tiles_of_products.mlir:117:3
//     |
// 117 |   %r = nvgpu.wgmma %a[%c0], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]

// $ raddle run %s --function=three_subgroups --target=sm_90a --device=ptx-emu | grep error
// error[E0701]: cannot write `nvgpu.wgmma` for sm_90a
//    --> run/tiles_of_products.mlir:140:3
//     |
// 140 |   %r = nvgpu.wgmma %a[%c0], %a[%c0], %z {mmaShape = [64, 8, 16], lhsTile = [0, 128, 16, 1024], rhsTile = [0, 128, 16, 1024]} : memref<4096xf16, #gpu.address_space<workgroup>>, memref<4096xf16, #gpu.address_space<workgroup>>, vector<2x2xf32> -> vector<2x2xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 128 threads do it together, and the workgroup has 96
// [exit status 1]
