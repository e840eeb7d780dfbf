// A role is for subgroups that the workgroup has; what it gives, and what it takes, must be with the threads that need it.
// RUN: raddle opt %s --split-input-file --distribute
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @beyond(%m: memref<32xf32>) attributes {translation_info = #launch} {
  scf.execute_region no_inline {
    scf.yield
  } {raddle.subgroups = array<i64: 1, 2>}
  return
}

// -----
#line = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @used_outside(%m: memref<32xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = scf.execute_region -> vector<32xf32> no_inline {
    %r = vector.transfer_read %m[%c0], %pad {in_bounds = [true], layouts = [#line]} : memref<32xf32>, vector<32xf32>
    scf.yield %r : vector<32xf32>
  } {layouts = [#line], raddle.subgroups = array<i64: 1, 1>}
  vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
  return
}

// -----
#both = #iree_vector_ext.nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @of_everybody(%m: memref<32xf32>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %r = vector.transfer_read %m[%c0], %pad {in_bounds = [true], layouts = [#both]} : memref<32xf32>, vector<32xf32>
  scf.execute_region no_inline {
    vector.transfer_write %r, %m[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    scf.yield
  } {raddle.subgroups = array<i64: 1, 1>}
  return
}

// -----
#line = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
#both = #iree_vector_ext.nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @carried(%m: memref<32xf32>, %n: index) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %first = vector.transfer_read %m[%c0], %pad {in_bounds = [true], layouts = [#both]} : memref<32xf32>, vector<32xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (vector<32xf32>) {
    %v = scf.execute_region -> vector<32xf32> no_inline {
      %r = arith.addf %a, %a {layouts = [#line]} : vector<32xf32>
      scf.yield %r : vector<32xf32>
    } {layouts = [#line], raddle.subgroups = array<i64: 1, 1>}
    scf.yield %v : vector<32xf32>
  } {layouts = [#line]}
  scf.execute_region no_inline {
    vector.transfer_write %sum, %m[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
    scf.yield
  } {raddle.subgroups = array<i64: 1, 1>}
  return
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @waits(%m: memref<32xf32>) attributes {translation_info = #launch} {
  scf.execute_region no_inline {
    gpu.barrier
    scf.yield
  } {raddle.subgroups = array<i64: 1, 1>}
  return
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @gives_a_number(%m: memref<32xindex>) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %n = scf.execute_region -> index no_inline {
    %r = memref.load %m[%c0] : memref<32xindex>
    scf.yield %r : index
  } {raddle.subgroups = array<i64: 1, 1>}
  memref.store %n, %m[%n] : memref<32xindex>
  return
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @nested(%m: memref<32xf32>) attributes {translation_info = #launch} {
  scf.execute_region no_inline {
    scf.execute_region no_inline {
      scf.yield
    } {raddle.subgroups = array<i64: 0, 1>}
    scf.yield
  } {raddle.subgroups = array<i64: 0, 1>}
  return
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
func.func @no_range(%m: memref<32xf32>) attributes {translation_info = #launch} {
  scf.execute_region no_inline {
    scf.yield
  } {raddle.subgroups = array<i64: 1>}
  return
}

// $ raddle opt %s --split-input-file --distribute
//
//
//
//
//
//
//
// error[E0301]: a role is for subgroups 1 to 2, and the workgroup has 2
//  --> lay_out/roles_that_cannot_be.mlir:5:3
//   |
// 5 |   scf.execute_region no_inline {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: write `raddle.subgroups = array<i64: 4, 2>` for two subgroups from number 4 on
// error[E0501]: `vector.transfer_write` cannot be distributed
//   --> lay_out/roles_that_cannot_be.mlir:21:3
//    |
// 21 |   vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it uses what subgroup 1 alone have
//    = note: vector 0 has nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
//    = help: let a role of the same subgroups do it, or let them write it to memory
// error[E0501]: `vector.transfer_write` cannot be distributed
//   --> lay_out/roles_that_cannot_be.mlir:33:5
//    |
// 33 |     vector.transfer_write %r, %m[%c0] {in_bounds = [true]} : vector<32xf32>, memref<32xf32>
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it takes a vector that lies otherwise in the threads of subgroup 1
//    = note: vector 0 has nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
//    = help: let a role of these subgroups make it, or let it go through memory
// error[E0501]: `scf.for` cannot be distributed
//   --> lay_out/roles_that_cannot_be.mlir:48:3
//    |
// 48 |   %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (vector<32xf32>) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it gives to subgroup 1 what lies otherwise in their threads
//    = note: vector 0 has nested_layout<subgroup_tile = [2], batch_tile = [1], outer_tile = [1], thread_tile = [16], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>
//    = note: vector 1 has nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
//    = note: they first differ at subgroup 0, lane 16, slot 0: element [0] there, [16] here
//    = help: let a role of these subgroups make it
// error[E0501]: `gpu.barrier` cannot be distributed
//   --> lay_out/roles_that_cannot_be.mlir:66:5
//    |
// 66 |     gpu.barrier
//    |     ^^^^^^^^^^^
//    |
//    = note: it is for the whole workgroup, and stands in the role of some subgroups
//    = help: leave barriers away: they are put where threads meet
// error[E0501]: `scf.execute_region` cannot be distributed
//   --> lay_out/roles_that_cannot_be.mlir:76:3
//    |
// 76 |   %n = scf.execute_region -> index no_inline {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: the other subgroups do not know what it gives, unless that is a vector
//    = help: `raddle opt --to=laid_out --remarks` shows every layout and why it was chosen
// error[E0501]: `scf.execute_region` cannot be distributed
//   --> lay_out/roles_that_cannot_be.mlir:88:5
//    |
// 88 |     scf.execute_region no_inline {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it stands in the role of other subgroups
//    = help: `raddle opt --to=laid_out --remarks` shows every layout and why it was chosen
// error[E0301]: `raddle.subgroups` is not the first subgroup and their number
//   --> lay_out/roles_that_cannot_be.mlir:99:3
//    |
// 99 |   scf.execute_region no_inline {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: write `raddle.subgroups = array<i64: 4, 2>` for two subgroups from number 4 on
// [exit status 1]
