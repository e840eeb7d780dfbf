// Each thread moves four elements at once.
// with N = 8 16 32 64 128; S = 4 8 32
// threads $N
// in in: ${N*4+2}xf32
// out out: ${N*4+2}xf32
// bug misaligned at `vector.load %in`: `%in[%at]` -> `%in[%late]`
// bug misaligned at `vector.store %x`: `%out[%at]` -> `%out[%late]`
// bug bounds at `vector.load %in`: `%in[%at]` -> `%in[%next]`
// bug bounds at `vector.store %x`: `%out[%at]` -> `%out[%next]`
// bug race at `vector.store %x`: `%out[%at]` -> `%out[%twice]`
// bug uninitialised at `vector.load %out`: `%in[%at]` -> `%out[%at]`
  %t = gpu.thread_id x
  %at = arith.muli %t, %c4 : index
  %late = arith.addi %at, %c2 : index
  %next = arith.addi %at, %c4 : index
  %pair = arith.divui %t, %c2 : index
  %twice = arith.muli %pair, %c4 : index
  %x = vector.load %in[%at] : memref<${N*4+2}xf32>, vector<4xf32>
  vector.store %x, %out[%at] : memref<${N*4+2}xf32>, vector<4xf32>
