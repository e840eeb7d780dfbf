// A product in shared memory goes on while the copies behind it begin. Copies that come into the slot that it reads, or
// into one that an earlier product may still be reading, wait for it: rings of one and of two slots are right, too. What
// instructions do not find in a ring as it is swizzled, or aligned, goes through registers.
//
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu --async=lazy
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu --async=eager

#lhs = #iree_vector_ext.nested_layout<subgroup_tile = [4, 1], batch_tile = [1, 4], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [4, 1]>
#rhs = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [4, 8], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1], subgroup_strides = [0, 0], thread_strides = [1, 4]>
#sum = #iree_vector_ext.nested_layout<subgroup_tile = [4, 1], batch_tile = [1, 8], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [4, 1]>
#copy = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [4, 1], outer_tile = [1, 1], thread_tile = [16, 8], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#one = affine_map<(d0) -> ((d0 floordiv 64) mod 1)>
#two = affine_map<(d0) -> ((d0 floordiv 64) mod 2)>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>

func.func @one_slot(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
  %a = memref.alloc() {alignment = 1024 : i64, raddle.swizzle = [3, 3, 3, 64]} : memref<1x64x64xf16, #gpu.address_space<workgroup>>
  %b = memref.alloc() {alignment = 1024 : i64, raddle.swizzle = [3, 3, 3, 64]} : memref<1x64x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant {layouts = [#sum]} dense<0.0> : vector<64x64xf32>
  %r = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %slot = affine.apply #one(%k)
    %va = vector.transfer_read %A[%c0, %k], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<64x256xf16>, vector<64x64xf16>
    vector.transfer_write %va, %a[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<1x64x64xf16, #gpu.address_space<workgroup>>
    %vb = vector.transfer_read %B[%k, %c0], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<256x64xf16>, vector<64x64xf16>
    vector.transfer_write %vb, %b[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<1x64x64xf16, #gpu.address_space<workgroup>>
    %fa = vector.transfer_read %a[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#lhs]} : memref<1x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %fb = vector.transfer_read %b[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#rhs]} : memref<1x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %sum = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %fa, %fb, %acc {layouts = [#sum]} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    scf.yield %sum : vector<64x64xf32>
  } {layouts = [#sum]}
  vector.transfer_write %r, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  return
}

func.func @two_slots(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
  %a = memref.alloc() {alignment = 1024 : i64, raddle.swizzle = [3, 3, 3, 64]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>
  %b = memref.alloc() {alignment = 1024 : i64, raddle.swizzle = [3, 3, 3, 64]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant {layouts = [#sum]} dense<0.0> : vector<64x64xf32>
  %r = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %slot = affine.apply #two(%k)
    %va = vector.transfer_read %A[%c0, %k], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<64x256xf16>, vector<64x64xf16>
    vector.transfer_write %va, %a[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<2x64x64xf16, #gpu.address_space<workgroup>>
    %vb = vector.transfer_read %B[%k, %c0], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<256x64xf16>, vector<64x64xf16>
    vector.transfer_write %vb, %b[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<2x64x64xf16, #gpu.address_space<workgroup>>
    %fa = vector.transfer_read %a[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#lhs]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %fb = vector.transfer_read %b[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#rhs]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %sum = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %fa, %fb, %acc {layouts = [#sum]} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    scf.yield %sum : vector<64x64xf32>
  } {layouts = [#sum]}
  vector.transfer_write %r, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  return
}

func.func @other_swizzle(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
  %a = memref.alloc() {alignment = 1024 : i64, raddle.swizzle = [2, 3, 3, 64]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>
  %b = memref.alloc() {alignment = 1024 : i64, raddle.swizzle = [2, 3, 3, 64]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant {layouts = [#sum]} dense<0.0> : vector<64x64xf32>
  %r = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %slot = affine.apply #two(%k)
    %va = vector.transfer_read %A[%c0, %k], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<64x256xf16>, vector<64x64xf16>
    vector.transfer_write %va, %a[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<2x64x64xf16, #gpu.address_space<workgroup>>
    %vb = vector.transfer_read %B[%k, %c0], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<256x64xf16>, vector<64x64xf16>
    vector.transfer_write %vb, %b[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<2x64x64xf16, #gpu.address_space<workgroup>>
    %fa = vector.transfer_read %a[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#lhs]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %fb = vector.transfer_read %b[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#rhs]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %sum = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %fa, %fb, %acc {layouts = [#sum]} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    scf.yield %sum : vector<64x64xf32>
  } {layouts = [#sum]}
  vector.transfer_write %r, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  return
}

func.func @not_aligned(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
  %a = memref.alloc() {raddle.swizzle = [3, 3, 3, 64]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>
  %b = memref.alloc() {raddle.swizzle = [3, 3, 3, 64]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant {layouts = [#sum]} dense<0.0> : vector<64x64xf32>
  %r = scf.for %k = %c0 to %c256 step %c64 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %slot = affine.apply #two(%k)
    %va = vector.transfer_read %A[%c0, %k], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<64x256xf16>, vector<64x64xf16>
    vector.transfer_write %va, %a[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<2x64x64xf16, #gpu.address_space<workgroup>>
    %vb = vector.transfer_read %B[%k, %c0], %pad {in_bounds = [true, true], layouts = [#copy]} : memref<256x64xf16>, vector<64x64xf16>
    vector.transfer_write %vb, %b[%slot, %c0, %c0] {in_bounds = [true, true]} : vector<64x64xf16>, memref<2x64x64xf16, #gpu.address_space<workgroup>>
    %fa = vector.transfer_read %a[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#lhs]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %fb = vector.transfer_read %b[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#rhs]} : memref<2x64x64xf16, #gpu.address_space<workgroup>>, vector<64x64xf16>
    %sum = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %fa, %fb, %acc {layouts = [#sum]} : vector<64x64xf16>, vector<64x64xf16> into vector<64x64xf32>
    scf.yield %sum : vector<64x64xf32>
  } {layouts = [#sum]}
  vector.transfer_write %r, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  return
}

// $ raddle run %s --all --target=sm_90a --device=ptx-emu --async=lazy
// ok       @one_slot
// ok       @two_slots
// ok       @other_swizzle
// ok       @not_aligned
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu --async=eager
// ok       @one_slot
// ok       @two_slots
// ok       @other_swizzle
// ok       @not_aligned
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
