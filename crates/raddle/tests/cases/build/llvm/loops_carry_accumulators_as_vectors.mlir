// An accumulator that lowering carries element by element is one value of the loop, without a move in it.
// RUN: raddle build %s --target=gfx942 | grep -e 'phi ' -e insertelement
func.func @kernel(%m: memref<1024xf16>, %n: memref<1024xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = vector.load %m[%t] : memref<1024xf16>, vector<4xf16>
  %r:4 = scf.for %i = %c0 to %c8 step %c1 iter_args(%w = %zero, %x = %zero, %y = %zero, %z = %zero) -> (f32, f32, f32, f32) {
    %v = vector.from_elements %w, %x, %y, %z : vector<4xf32>
    %d = amdgpu.mfma 16x16x16 %a * %a + %v blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %e:4 = vector.to_elements %d : vector<4xf32>
    scf.yield %e#0, %e#1, %e#2, %e#3 : f32, f32, f32, f32
  }
  memref.store %r#2, %n[%t] : memref<1024xf32>
  return
}

// $ raddle build %s --target=gfx942 | grep -e 'phi ' -e insertelement
//   %v5 = phi i32 [ 0, %b0 ], [ %v9, %b1 ]
//   %v6 = phi <4 x float> [ <float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000, float 0x0000000000000000>, %b0 ], [ %v8, %b1 ]
//   %v7 = phi <4 x float> [ %v8, %b1 ]
