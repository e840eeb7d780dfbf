// Workgroups copy tiles as whole vectors, without naming a thread.
// with R = 2 4 8; C = 4 8; G = 2 3 4
// grid 1 $G
// in in: ${R*G}x$Cxf32
// out out: ${R*G}x$Cxf32
// bug bounds at `vector.transfer_read`: `arith.muli %b, %c$R` -> `arith.muli %b, %c${R+1}`
// bug race at `vector.transfer_write`: `arith.muli %b, %c$R` -> `arith.muli %b, %c${R-1}`
// bug race at `vector.transfer_write`: `%out[%first, %c0]` -> `%out[%c0, %c0]`
// bug uninitialised at `vector.transfer_read`: `vector.transfer_read %in` -> `vector.transfer_read %out`
// bug bounds at `vector.transfer_write`: `%out[%first, %c0]` -> `%out[%first, %c1]`
  %b = gpu.block_id y
  %first = arith.muli %b, %c$R : index
  %pad = arith.constant 0.0 : f32
  %x = vector.transfer_read %in[%first, %c0], %pad {in_bounds = [true, true]} : memref<${R*G}x$Cxf32>, vector<$Rx$Cxf32>
  %y = arith.addf %x, %x : vector<$Rx$Cxf32>
  vector.transfer_write %y, %out[%first, %c0] {in_bounds = [true, true]} : vector<$Rx$Cxf32>, memref<${R*G}x$Cxf32>
