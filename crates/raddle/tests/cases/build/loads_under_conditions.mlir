// A load under a condition is one instruction, of registers that hold the padding already: none waits for another.
// RUN: raddle build %s | grep ld.global
// RUN: raddle build %s | grep mov.b16
func.func @f(%m: memref<63x30xf16>, %n: memref<63xf32>, %o: memref<64x2xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %z = arith.constant 1.0 : f16
  %one = arith.constant 1.0 : f32
  %c3 = arith.constant 3 : index
  %t = gpu.thread_id x
  %v = vector.transfer_read %m[%t, %c3], %z {in_bounds = [false, true]} : memref<63x30xf16>, vector<1x2xf16>
  %s = vector.transfer_read %n[%t], %one : memref<63xf32>, vector<1xf32>
  %w = arith.extf %v : vector<1x2xf16> to vector<1x2xf32>
  %b = vector.broadcast %s : vector<1xf32> to vector<2x1xf32>
  %c = vector.transpose %b, [1, 0] : vector<2x1xf32> to vector<1x2xf32>
  %x = arith.addf %w, %c : vector<1x2xf32>
  %c0 = arith.constant 0 : index
  vector.transfer_write %x, %o[%t, %c0] {in_bounds = [true, true]} : vector<1x2xf32>, memref<64x2xf32>
  return
}

// $ raddle build %s | grep ld.global
//     @%p0 ld.global.nc.b16 %h0, [%rd6+6];
//     @%p0 ld.global.nc.b16 %h1, [%rd6+8];
//     @%p0 ld.global.nc.f32 %f0, [%rd7];

// $ raddle build %s | grep mov.b16
//     mov.b16 %h0, 0x3C00;
//     mov.b16 %h1, 0x3C00;
