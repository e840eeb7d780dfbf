// A region may be the role of some subgroups: they run it while the others go on. Four subgroups multiply the tiles that
// have come, and one copies others into rings two rounds ahead: threads count from the first one of the role, copies are
// waited for by who made them, and all meet once in a round. Roles that change layouts wait at barriers of their own, and
// what they leave in memory other roles read.
//
// RUN: raddle run %s --function=product --target=sm_80 --compare=laid_out,distributed,lowered --async=lazy | grep correct
// RUN: raddle run %s --function=product --target=sm_80 --device=ptx-emu --async=lazy | grep correct
// RUN: raddle run %s --function=product --target=sm_80 --device=ptx-emu --async=eager | grep correct
// RUN: raddle run %s --function=beside --target=sm_80 --compare=vector,laid_out,distributed,lowered | grep correct
// RUN: raddle run %s --function=beside --target=sm_80 --device=ptx-emu --seed=1 | grep correct
// RUN: raddle run %s --function=alone --target=gfx942 --compare=vector,laid_out,distributed,lowered | grep correct
// RUN: raddle run %s --function=beside --target=gfx1100
// RUN: raddle run %s --function=product --target=sm_80 --device=ptx-emu | grep barriers

#lhs = #iree_vector_ext.nested_layout<subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [2, 2], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [4, 1]>
#rhs = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 8], outer_tile = [2, 1], thread_tile = [4, 8], element_tile = [2, 1], subgroup_strides = [0, 0], thread_strides = [1, 4]>
#sum = #iree_vector_ext.nested_layout<subgroup_tile = [4, 1], batch_tile = [1, 8], outer_tile = [2, 1], thread_tile = [8, 4], element_tile = [1, 2], subgroup_strides = [1, 0], thread_strides = [4, 1]>
#rows = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [8, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [8, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 8], subgroup_strides = [0, 0], thread_strides = [8, 1]>
#now = affine_map<(d0) -> ((d0 floordiv 32) mod 3)>
#ahead = affine_map<(d0) -> (((d0 + 64) floordiv 32) mod 3)>
#five = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [160, 1, 1] subgroup_size = 32>

func.func @product(%A: memref<64x256xf16>, %B: memref<256x64xf16>, %C: memref<64x64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #five} {
  %a = memref.alloc() {raddle.swizzle = array<i64: 2, 3, 3>} : memref<3x64x32xf16, #gpu.address_space<workgroup>>
  %b = memref.alloc() {raddle.swizzle = array<i64: 3, 3, 3>} : memref<3x32x64xf16, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant {layouts = [#sum]} dense<0.0> : vector<64x64xf32>
  scf.execute_region no_inline {
    %a0 = vector.transfer_read %A[%c0, %c0], %pad {in_bounds = [true, true], layouts = [#rows]} : memref<64x256xf16>, vector<64x32xf16>
    vector.transfer_write %a0, %a[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<64x32xf16>, memref<3x64x32xf16, #gpu.address_space<workgroup>>
    %b0 = vector.transfer_read %B[%c0, %c0], %pad {in_bounds = [true, true], layouts = [#columns]} : memref<256x64xf16>, vector<32x64xf16>
    vector.transfer_write %b0, %b[%c0, %c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<3x32x64xf16, #gpu.address_space<workgroup>>
    %a1 = vector.transfer_read %A[%c0, %c32], %pad {in_bounds = [true, true], layouts = [#rows]} : memref<64x256xf16>, vector<64x32xf16>
    vector.transfer_write %a1, %a[%c1, %c0, %c0] {in_bounds = [true, true]} : vector<64x32xf16>, memref<3x64x32xf16, #gpu.address_space<workgroup>>
    %b1 = vector.transfer_read %B[%c32, %c0], %pad {in_bounds = [true, true], layouts = [#columns]} : memref<256x64xf16>, vector<32x64xf16>
    vector.transfer_write %b1, %b[%c1, %c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<3x32x64xf16, #gpu.address_space<workgroup>>
    scf.yield
  } {raddle.subgroups = array<i64: 4, 1>}
  %r = scf.for %k = %c0 to %c256 step %c32 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %slot = affine.apply #now(%k)
    %next = affine.apply #ahead(%k)
    %from = arith.addi %k, %c64 : index
    %next_sum = scf.execute_region -> vector<64x64xf32> no_inline {
      %fa = vector.transfer_read %a[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#lhs]} : memref<3x64x32xf16, #gpu.address_space<workgroup>>, vector<64x32xf16>
      %fb = vector.transfer_read %b[%slot, %c0, %c0], %pad {in_bounds = [true, true], layouts = [#rhs]} : memref<3x32x64xf16, #gpu.address_space<workgroup>>, vector<32x64xf16>
      %sum = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %fa, %fb, %acc {layouts = [#sum]} : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
      scf.yield %sum : vector<64x64xf32>
    } {layouts = [#sum], raddle.subgroups = array<i64: 0, 4>}
    scf.execute_region no_inline {
      %va = vector.transfer_read %A[%c0, %from], %pad {in_bounds = [true, false], layouts = [#rows]} : memref<64x256xf16>, vector<64x32xf16>
      vector.transfer_write %va, %a[%next, %c0, %c0] {in_bounds = [true, true]} : vector<64x32xf16>, memref<3x64x32xf16, #gpu.address_space<workgroup>>
      %vb = vector.transfer_read %B[%from, %c0], %pad {in_bounds = [false, true], layouts = [#columns]} : memref<256x64xf16>, vector<32x64xf16>
      vector.transfer_write %vb, %b[%next, %c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<3x32x64xf16, #gpu.address_space<workgroup>>
      scf.yield
    } {raddle.subgroups = array<i64: 4, 1>}
    scf.yield %next_sum : vector<64x64xf32>
  } {layouts = [#sum]}
  scf.execute_region no_inline {
    vector.transfer_write %r, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
    scf.yield
  } {raddle.subgroups = array<i64: 0, 4>}
  return
}

#wide = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [2, 1], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 8], subgroup_strides = [1, 0], thread_strides = [4, 1]>
#tall = #iree_vector_ext.nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [8, 2], subgroup_strides = [0, 1], thread_strides = [8, 1]>
#line = #iree_vector_ext.nested_layout<subgroup_tile = [3], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>

func.func @beside(%x: memref<2x4x32x32xf32>, %y: memref<4x32xf32>, %z: memref<96xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #five} {
  %sums = memref.alloc() : memref<96xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %pad = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.execute_region no_inline {
      %v = vector.transfer_read %x[%c0, %i, %c0, %c0], %pad {in_bounds = [true, true]} : memref<2x4x32x32xf32>, vector<32x32xf32>
      %w = iree_vector_ext.to_layout %v to layout(#wide) : vector<32x32xf32>
      %t = iree_vector_ext.to_layout %w to layout(#tall) : vector<32x32xf32>
      %s = vector.multi_reduction <add>, %t, %zeros [1] : vector<32x32xf32> to vector<32xf32>
      vector.transfer_write %s, %sums[%c0] {in_bounds = [true]} : vector<32xf32>, memref<96xf32, #gpu.address_space<workgroup>>
      vector.transfer_write %s, %y[%i, %c0] {in_bounds = [true]} : vector<32xf32>, memref<4x32xf32>
      scf.yield
    } {raddle.subgroups = array<i64: 0, 2>}
    scf.execute_region no_inline {
      %v = vector.transfer_read %x[%c1, %i, %c0, %c0], %pad {in_bounds = [true, true]} : memref<2x4x32x32xf32>, vector<32x32xf32>
      %w = iree_vector_ext.to_layout %v to layout(#wide) : vector<32x32xf32>
      %t = iree_vector_ext.to_layout %w to layout(#tall) : vector<32x32xf32>
      %s = vector.multi_reduction <maximumf>, %t, %zeros [0] : vector<32x32xf32> to vector<32xf32>
      vector.transfer_write %s, %sums[%c32] {in_bounds = [true]} : vector<32xf32>, memref<96xf32, #gpu.address_space<workgroup>>
      scf.yield
    } {raddle.subgroups = array<i64: 3, 2>}
  }
  scf.execute_region no_inline {
    %c64 = arith.constant 64 : index
    vector.transfer_write %zeros, %sums[%c64] {in_bounds = [true]} : vector<32xf32>, memref<96xf32, #gpu.address_space<workgroup>>
    scf.yield
  } {raddle.subgroups = array<i64: 2, 1>}
  scf.execute_region no_inline {
    %v = vector.transfer_read %sums[%c0], %pad {in_bounds = [true]} : memref<96xf32, #gpu.address_space<workgroup>>, vector<96xf32>
    %l = iree_vector_ext.to_layout %v to layout(#line) : vector<96xf32>
    vector.transfer_write %l, %z[%c0] {in_bounds = [true]} : vector<96xf32>, memref<96xf32>
    scf.yield
  } {raddle.subgroups = array<i64: 1, 3>}
  return
}

#two = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 64>
#one_row = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
#other_row = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>

func.func @alone(%x: memref<128xf32>, %y: memref<128xf32>, %z: memref<128xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #two} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %mine = scf.execute_region -> vector<128xf32> no_inline {
    %v = vector.transfer_read %x[%c0], %pad {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
    %a = iree_vector_ext.to_layout %v to layout(#one_row) : vector<128xf32>
    %b = iree_vector_ext.to_layout %a to layout(#other_row) : vector<128xf32>
    scf.yield %b : vector<128xf32>
  } {raddle.subgroups = array<i64: 1, 1>}
  scf.execute_region no_inline {
    vector.transfer_write %mine, %y[%c0] {in_bounds = [true]} : vector<128xf32>, memref<128xf32>
    scf.yield
  } {raddle.subgroups = array<i64: 1, 1>}
  scf.execute_region no_inline {
    %v = vector.transfer_read %y[%c0], %pad {in_bounds = [true]} : memref<128xf32>, vector<128xf32>
    %a = iree_vector_ext.to_layout %v to layout(#one_row) : vector<128xf32>
    vector.transfer_write %a, %z[%c0] {in_bounds = [true]} : vector<128xf32>, memref<128xf32>
    scf.yield
  } {raddle.subgroups = array<i64: 0, 1>}
  return
}

// $ raddle run %s --function=product --target=sm_80 --compare=laid_out,distributed,lowered --async=lazy | grep correct
// correct: stage `laid_out`, all 4096 elements agree with the reference within 1.25e-4 + 2.38e-7·|expected| (496 bit for bit)
// correct: stage `distributed`, all 4096 elements agree with the reference within 1.25e-4 + 2.38e-7·|expected| (496 bit for bit)
// correct: stage `distributed`, all 4096 elements equal stage `laid_out` bit for bit
// correct: stage `lowered`, all 4096 elements agree with the reference within 1.25e-4 + 2.38e-7·|expected| (496 bit for bit)
// correct: stage `lowered`, all 4096 elements equal stage `laid_out` bit for bit

// $ raddle run %s --function=product --target=sm_80 --device=ptx-emu --async=lazy | grep correct
// correct: all 4096 elements agree with the reference within 1.25e-4 + 2.38e-7·|expected| (496 bit for bit)

// $ raddle run %s --function=product --target=sm_80 --device=ptx-emu --async=eager | grep correct
// correct: all 4096 elements agree with the reference within 1.25e-4 + 2.38e-7·|expected| (496 bit for bit)

// $ raddle run %s --function=beside --target=sm_80 --compare=vector,laid_out,distributed,lowered | grep correct
// correct: stage `vector`, result 0, all 128 elements agree with the reference within 6.54e-5 + 2.38e-7·|expected| (29 bit for bit)
// correct: stage `vector`, result 1, all 96 elements agree with the reference within 4.38e-5 + 2.38e-7·|expected| (69 bit for bit)
// correct: stage `laid_out`, result 0, all 128 elements agree with the reference within 6.54e-5 + 2.38e-7·|expected| (29 bit for bit)
// correct: stage `laid_out`, result 1, all 96 elements agree with the reference within 4.38e-5 + 2.38e-7·|expected| (69 bit for bit)
// correct: stage `laid_out`, result 0, all 128 elements equal stage `vector` bit for bit
// correct: stage `laid_out`, result 1, all 96 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 0, all 128 elements agree with the reference within 6.54e-5 + 2.38e-7·|expected| (56 bit for bit)
// correct: stage `distributed`, result 1, all 96 elements agree with the reference within 4.38e-5 + 2.38e-7·|expected| (80 bit for bit)
// correct: stage `distributed`, result 0, all 128 elements agree with stage `vector` within 6.54e-5 + 2.38e-7·|expected| (30 bit for bit)
// correct: stage `distributed`, result 1, all 96 elements agree with stage `vector` within 4.38e-5 + 2.38e-7·|expected| (72 bit for bit)
// correct: stage `lowered`, result 0, all 128 elements agree with the reference within 6.54e-5 + 2.38e-7·|expected| (56 bit for bit)
// correct: stage `lowered`, result 1, all 96 elements agree with the reference within 4.38e-5 + 2.38e-7·|expected| (80 bit for bit)
// correct: stage `lowered`, result 0, all 128 elements agree with stage `vector` within 6.54e-5 + 2.38e-7·|expected| (30 bit for bit)
// correct: stage `lowered`, result 1, all 96 elements agree with stage `vector` within 4.38e-5 + 2.38e-7·|expected| (72 bit for bit)

// $ raddle run %s --function=beside --target=sm_80 --device=ptx-emu --seed=1 | grep correct
// correct: result 0, all 128 elements agree with the reference within 6.68e-5 + 2.38e-7·|expected| (59 bit for bit)
// correct: result 1, all 96 elements agree with the reference within 4.57e-5 + 2.38e-7·|expected| (79 bit for bit)

// $ raddle run %s --function=alone --target=gfx942 --compare=vector,laid_out,distributed,lowered | grep correct
// correct: stage `vector`, result 0, all 128 elements equal the reference bit for bit
// correct: stage `vector`, result 1, all 128 elements equal the reference bit for bit
// correct: stage `laid_out`, result 0, all 128 elements equal the reference bit for bit
// correct: stage `laid_out`, result 1, all 128 elements equal the reference bit for bit
// correct: stage `laid_out`, result 0, all 128 elements equal stage `vector` bit for bit
// correct: stage `laid_out`, result 1, all 128 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 0, all 128 elements equal the reference bit for bit
// correct: stage `distributed`, result 1, all 128 elements equal the reference bit for bit
// correct: stage `distributed`, result 0, all 128 elements equal stage `vector` bit for bit
// correct: stage `distributed`, result 1, all 128 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 0, all 128 elements equal the reference bit for bit
// correct: stage `lowered`, result 1, all 128 elements equal the reference bit for bit
// correct: stage `lowered`, result 0, all 128 elements equal stage `vector` bit for bit
// correct: stage `lowered`, result 1, all 128 elements equal stage `vector` bit for bit

// $ raddle run %s --function=beside --target=gfx1100
// error[E0501]: `scf.execute_region` cannot be distributed
//   --> run/roles_of_subgroups.mlir:84:5
//    |
// 84 |     scf.execute_region no_inline {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: its threads must wait for one another, and the target has no more barriers of some subgroups
//    = help: let one subgroup run it, or the whole workgroup
// [exit status 1]

// $ raddle run %s --function=product --target=sm_80 --device=ptx-emu | grep barriers
//            512 matrix instructions, 0 shuffles, 8 barriers; bytes read 69376 global, 163840 shared; written 16384 global, 81920 shared
