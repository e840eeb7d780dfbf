// A kernel has memory of its workgroup and of each thread behind its arguments.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep sym_name
module {
  gpu.module @kernels<#gpu.select_object<#nvvm.target>> [#nvvm.target<chip = "sm_90">] attributes {note} {
    gpu.func @k(%arg0: f32, %arg1: memref<?xf32, 1>) workgroup(%arg2 : memref<32xf32, 3> {llvm.align = 8 : i64}) private(%arg3 : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      gpu.return
    }
    gpu.func @plain(%arg0: f32) -> f32 {
      gpu.return %arg0 : f32
    }
    func.func @f() {
      return
    }
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep sym_name
//   "gpu.module"() <{offloadingHandler = #gpu.select_object<#nvvm.target>, sym_name = "kernels", targets = [#nvvm.target<chip = "sm_90">]}> ({
//     "gpu.func"() <{function_type = (f32, memref<?xf32, 1>) -> (), kernel, known_block_size = array<i32: 32, 1, 1>, sym_name = "k", workgroup_attrib_attrs = [{llvm.align = 8 : i64}], workgroup_attributions = 1 : i64}> ({
//     "gpu.func"() <{function_type = (f32) -> f32, sym_name = "plain"}> ({
//     "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
