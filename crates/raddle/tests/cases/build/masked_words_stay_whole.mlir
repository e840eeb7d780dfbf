// Elements that one access loads under a mask stay in the words that it fills: nothing takes them apart in the branch.
// RUN: raddle build %s | grep mov.b
func.func @f(%m: memref<63x30xf16>, %o: memref<64x32xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 1.0 : f16
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %v = vector.transfer_read %m[%t, %c2], %z {in_bounds = [false, true]} : memref<63x30xf16>, vector<1x2xf16>
  %w = arith.extf %v : vector<1x2xf16> to vector<1x2xf32>
  vector.transfer_write %w, %o[%t, %c2] {in_bounds = [true, true]} : vector<1x2xf32>, memref<64x32xf32>
  return
}

// $ raddle build %s | grep mov.b
//     mov.b32 %r3, 1006648320;
//     mov.b32 %r2, %r3;
//     mov.b32 {%h0, %h1}, %r2;
