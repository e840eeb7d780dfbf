// A constant that is not an immediate is added to the base of a wide access, which no loop changes, and not to its offset.
// RUN: raddle build %s --target=gfx942 | grep -e getelementptr -e 'load <8 x half>'
func.func @kernel(%m: memref<65536xf16>, %n: memref<256xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %c8 = arith.constant 8 : index
  %c32768 = arith.constant 32768 : index
  %i = arith.muli %t, %c8 : index
  %j = arith.addi %i, %c32768 : index
  %x = vector.load %m[%j] : memref<65536xf16>, vector<8xf16>
  vector.store %x, %n[%i] : memref<256xf16>, vector<8xf16>
  return
}

// $ raddle build %s --target=gfx942 | grep -e getelementptr -e 'load <8 x half>'
//   %v3 = getelementptr i8, ptr addrspace(1) %arg0, i64 65536
//   %v6 = getelementptr i8, ptr addrspace(1) %v3, i64 %v5
//   %v7 = load <8 x half>, ptr addrspace(1) %v6, align 16
//   %v10 = getelementptr i8, ptr addrspace(1) %arg1, i64 %v9
