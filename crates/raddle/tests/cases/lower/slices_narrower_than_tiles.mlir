// A slice of rows that are shorter than a tile: elements that the mask keeps all of, or none, are read by one access, also
// where only the run knows how many rows there are.
// RUN: raddle build %s --function=known --target=sm_90a | grep -e ld.global -e st.global
// RUN: raddle build %s --function=open --target=sm_90a | grep -e ld.global -e st.global
// RUN: raddle run %s --function=known --input=4x8x288xf16=random --quiet
// RUN: raddle run %s --function=open --input=3x5x288xf16=random --device=ptx-emu --target=sm_90a --quiet
// RUN: raddle run %s --function=open --input=3x5x288xf16=random --target=gfx942 --quiet
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @known(%x: tensor<4x8x288xf16>) -> tensor<4x8x96xf16> {
  %part = tensor.extract_slice %x[0, 0, 96] [4, 8, 96] [1, 1, 1] : tensor<4x8x288xf16> to tensor<4x8x96xf16>
  %e = tensor.empty() : tensor<4x8x96xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%part : tensor<4x8x96xf16>) outs(%e : tensor<4x8x96xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.negf %in : f16
    linalg.yield %0 : f16
  } -> tensor<4x8x96xf16>
  return %r : tensor<4x8x96xf16>
}
func.func @open(%x: tensor<?x?x288xf16>) -> tensor<?x?x96xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x288xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x288xf16>
  %part = tensor.extract_slice %x[0, 0, 96] [%b, %n, 96] [1, 1, 1] : tensor<?x?x288xf16> to tensor<?x?x96xf16>
  %e = tensor.empty(%b, %n) : tensor<?x?x96xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%part : tensor<?x?x96xf16>) outs(%e : tensor<?x?x96xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.negf %in : f16
    linalg.yield %0 : f16
  } -> tensor<?x?x96xf16>
  return %r : tensor<?x?x96xf16>
}

// $ raddle build %s --function=known --target=sm_90a | grep -e ld.global -e st.global
//     @%p0 ld.global.nc.v4.b32 {%r15, %r16, %r17, %r18}, [%rd4+192];
//     st.global.v4.b32 [%rd5], {%r25, %r26, %r27, %r28};

// $ raddle build %s --function=open --target=sm_90a | grep -e ld.global -e st.global
//     @%p2 ld.global.nc.v4.b32 {%r9, %r10, %r11, %r12}, [%rd32+192];
//     st.global.v4.b32 [%rd41], {%r14, %r15, %r16, %r17};

// $ raddle run %s --function=known --input=4x8x288xf16=random --quiet
// correct: all 3072 elements equal the reference bit for bit

// $ raddle run %s --function=open --input=3x5x288xf16=random --device=ptx-emu --target=sm_90a --quiet
// correct: all 1440 elements equal the reference bit for bit

// $ raddle run %s --function=open --input=3x5x288xf16=random --target=gfx942 --quiet
// correct: all 1440 elements equal the reference bit for bit
