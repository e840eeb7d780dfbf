// Subgroups multiply fragments that lie in shared memory.
// with W = 1 2 3 4 5; K = 1 2 3
// threads ${W*32}
// subgroup 32
// in in: ${W*256}xf16
// out out: ${W*32}xf32
// bug race at `vector.store %x, %s` and `vector.load %s`: `gpu.barrier // filled` -> ``
// bug barrier at `nvgpu.mma.sync`: `%acc = scf.for` -> `scf.if %low { %d = nvgpu.mma.sync(%zeros, %thin, %none) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32> }\n  %acc = scf.for`
// bug misaligned at `vector.load %s`: `%s[%back]` -> `%s[%late]`
// bug bounds at `vector.load %in`: `arith.muli %t, %c8` -> `arith.muli %t, %c16`
  %s = memref.alloc() : memref<${W*256+8}xf16, $shared>
  %t = gpu.thread_id x
  %low = arith.cmpi ult, %t, %c7 : index
  %at = arith.muli %t, %c8 : index
  %last = arith.subi %c${W*32-1}, %t : index
  %back = arith.muli %last, %c8 : index
  %late = arith.addi %back, %c2 : index
  %zeros = arith.constant dense<0.0> : vector<4x2xf16>
  %thin = arith.constant dense<0.0> : vector<2x2xf16>
  %none = arith.constant dense<0.0> : vector<2x2xf32>
  %x = vector.load %in[%at] : memref<${W*256}xf16>, vector<8xf16>
  vector.store %x, %s[%at] : memref<${W*256+8}xf16, $shared>, vector<8xf16>
  gpu.barrier // filled
  %y = vector.load %s[%back] : memref<${W*256+8}xf16, $shared>, vector<8xf16>
  %a = vector.shape_cast %y : vector<8xf16> to vector<4x2xf16>
  %b = vector.extract_strided_slice %a {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]} : vector<4x2xf16> to vector<2x2xf16>
  %acc = scf.for %i = %c0 to %c$K step %c1 iter_args(%c = %none) -> vector<2x2xf32> {
    %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    scf.yield %d : vector<2x2xf32>
  }
  %z = vector.extract %acc[0, 0] : f32 from vector<2x2xf32>
  memref.store %z, %out[%t] : memref<${W*32}xf32>
