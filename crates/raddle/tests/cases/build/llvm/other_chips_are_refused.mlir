// Chips that have no emitter of LLVM IR are refused with a target that has.
// RUN: raddle build %s --emit=llvm
func.func @kernel(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x

  return
}

// $ raddle build %s --emit=llvm
// error[E0701]: there is no LLVM IR for sm_80
//  |
//  = help: `--emit=ptx` writes PTX; LLVM IR is for AMD chips such as gfx942, and for CPUs
// [exit status 1]
