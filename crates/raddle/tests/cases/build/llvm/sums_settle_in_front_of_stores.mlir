// What only a store under a condition asks for is computed in front of the branch: LLVM would sink it there, and keep all
// that it is computed from in registers until then.
// RUN: raddle build %s --target=gfx1100 | grep -e fmul -e asm -e 'br i1'
func.func @settled(%m: memref<256xf32>, %n: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c7 = arith.constant 7 : index
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %y = arith.mulf %x, %x : f32
  %z = arith.mulf %y, %x : f32
  %is_inside = arith.cmpi ult, %t, %c7 : index
  scf.if %is_inside {
    memref.store %z, %n[%t] : memref<256xf32>
  }
  return
}

// $ raddle build %s --target=gfx1100 | grep -e fmul -e asm -e 'br i1'
//   %v5 = fmul float %v4, %v4
//   %v6 = fmul float %v5, %v4
//   %v7 = call float asm "", "=v,0"(float %v6) convergent nounwind memory(none)
//   br i1 %v8, label %b1, label %b2
