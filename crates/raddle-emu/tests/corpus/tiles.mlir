// Lanes read tiles, with padding where the matrix ends.
// with R = 5 8 13; C = 6 8 11; S = 4 8
// threads 16
// in in: $Rx$Cxf32
// out out: 8x16xf32
// bug bounds at `vector.transfer_read`: `in_bounds = [false, false]` -> `in_bounds = [true, true]`
// bug bounds at `vector.transfer_write`: `%out[%r2, %c4w]` -> `%out[%r2, %c4x]`
// bug race at `vector.transfer_write`: `%out[%r2, %c4w]` -> `%out[%r, %c4w]`
// bug race at `vector.transfer_write`: `%out[%r2, %c4w]` -> `%out[%r2, %c]`
// bug uninitialised at `vector.transfer_read`: `%in[%r2, %c4w], %pad {in_bounds = [false, false]} : memref<$Rx$Cxf32>` -> `%out[%r2, %c4w], %pad {in_bounds = [true, true]} : memref<8x16xf32>`
  %t = gpu.thread_id x
  %r = arith.divui %t, %c4 : index
  %c = arith.remui %t, %c4 : index
  %r2 = arith.muli %r, %c2 : index
  %c4w = arith.muli %c, %c4 : index
  %c4x = arith.addi %c4w, %c1 : index
  %pad = arith.constant 0.5 : f32
  %x = vector.transfer_read %in[%r2, %c4w], %pad {in_bounds = [false, false]} : memref<$Rx$Cxf32>, vector<2x4xf32>
  vector.transfer_write %x, %out[%r2, %c4w] {in_bounds = [true, true]} : vector<2x4xf32>, memref<8x16xf32>
