// An index that is not negative is widened with zeros, so that the base of a buffer stays in scalar registers.
// RUN: raddle build %s --target=gfx942 | grep -e 'zext i32' -e 'sext i32'
func.func @kernel(%m: memref<65536xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %c256 = arith.constant 256 : index
  %o = arith.muli %b, %c256 : index
  %i = arith.addi %o, %t : index
  %x = memref.load %m[%i] : memref<65536xf32>
  %j = arith.subi %i, %c256 : index
  memref.store %x, %m[%j] : memref<65536xf32>
  return
}

// $ raddle build %s --target=gfx942 | grep -e 'zext i32' -e 'sext i32'
//   %v5 = zext i32 %v4 to i64
//   %v9 = sext i32 %v8 to i64
