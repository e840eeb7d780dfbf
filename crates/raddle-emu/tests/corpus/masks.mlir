// Each thread reads the part of a row that there is, under a mask, and keeps the largest number that it selects.
// with N = 32 64; V = 4 8; S = 16 32
// threads $N
// in in: ${N*V-1}xf32
// out out: $Nxf32
// bug bounds at `vector.maskedload`: `create_mask %n` -> `create_mask %c$V`
// bug bounds at `vector.maskedload`: `arith.subi %c${N*V-1}, %at` -> `arith.subi %c${N*V}, %at`
// bug race at `memref.store %r`: `%out[%t]` -> `%out[%c0]`
// bug bounds at `memref.store %r`: `%out[%t]` -> `%out[%after]`
  %t = gpu.thread_id x
  %after = arith.addi %t, %c1 : index
  %at = arith.muli %t, %c$V : index
  %left = arith.subi %c${N*V-1}, %at : index
  %n = index.mins %left, %c$V
  %mask = vector.create_mask %n : vector<${V}xi1>
  %none = arith.constant dense<0.0> : vector<${V}xf32>
  %least = arith.constant -1.0 : f32
  %v = vector.maskedload %in[%at], %mask, %none : memref<${N*V-1}xf32>, vector<${V}xi1>, vector<${V}xf32> into vector<${V}xf32>
  %r = vector.mask %mask { vector.reduction <maximumf>, %v, %least : vector<${V}xf32> into f32 } : vector<${V}xi1> -> f32
  memref.store %r, %out[%t] : memref<$Nxf32>
