// What operations cost is counted over all kernels of a function, each line once however often its kernel runs; devices
// that do not count say so.
// RUN: raddle run %s --function=square_twice --stats | grep -e banks -e nvgpu.mma.sync -e operations
// RUN: raddle run %s --function=square_twice --stats --device=ptx-emu | grep -e counted
func.func @square_twice(%x: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %once = call @square(%x) : (tensor<32x32xf16>) -> tensor<32x32xf16>
  %twice = call @square(%once) : (tensor<32x32xf16>) -> tensor<32x32xf16>
  return %twice : tensor<32x32xf16>
}

func.func private @square(%x: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %product = linalg.matmul ins(%x, %x : tensor<32x32xf16>, tensor<32x32xf16>)
                           outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  %half = arith.truncf %product : tensor<32x32xf32> to tensor<32x32xf16>
  return %half : tensor<32x32xf16>
}

// $ raddle run %s --function=square_twice --stats | grep -e banks -e nvgpu.mma.sync -e operations
// cost       32 banks of 4 bytes, sectors of 32 bytes; no caches
// line 15  2 x nvgpu.mma.sync    32   100.0 %             ·           ·      ·             ·        ·      ·         ·         ·      32
//          all operations      1344   100.0 %         40960         320    320         20480      768    640         8         ·      32

// $ raddle run %s --function=square_twice --stats --device=ptx-emu | grep -e counted
// cost       not counted on `ptx-emu`; `--device=emu` counts it
