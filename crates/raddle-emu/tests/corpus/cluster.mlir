// Clusters of lanes add up their numbers, and the first lane of each stores the sum.
// with N = 16 32 64 96 128; K = 2 4 8; S = 16
// threads $N
// in in: $Nxf32
// out out: ${N/K}xf32
// bug race at `memref.store %sum`: `arith.cmpi eq, %place, %c0` -> `arith.cmpi ne, %place, %c${K+1}`
// bug bounds at `memref.store %sum`: `%out[%cluster]` -> `%out[%t]`
// bug barrier at `gpu.subgroup_reduce`: `%sum = gpu.subgroup_reduce` -> `scf.if %first { %u = gpu.subgroup_reduce add %x cluster(size = $K) : (f32) -> f32 }\n  %sum = gpu.subgroup_reduce`
// bug race at `memref.store %sum`: `%out[%cluster]` -> `%out[%c0]`
// bug bounds at `memref.load %in`: `%in[%t]` -> `%in[%far]`
  %t = gpu.thread_id x
  %far = arith.addi %t, %c1 : index
  %cluster = arith.divui %t, %c$K : index
  %place = arith.remui %t, %c$K : index
  %first = arith.cmpi eq, %place, %c0 : index
  %x = memref.load %in[%t] : memref<$Nxf32>
  %sum = gpu.subgroup_reduce add %x cluster(size = $K) : (f32) -> f32
  scf.if %first {
    memref.store %sum, %out[%cluster] : memref<${N/K}xf32>
  }
