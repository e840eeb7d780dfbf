// Truth values are read and written together, a byte each, where they lie side by side.
// RUN: raddle build %s --function=chosen --target=sm_80 --emit=ptx | grep -e ld.global -e st.global
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --device=cpu
#line = affine_map<(i) -> (i)>
#pair = affine_map<(i, j) -> (i, j)>

func.func @chosen(%keep: tensor<4096xi1>, %a: tensor<4096xf16>) -> (tensor<4096xf16>, tensor<4096xi1>) {
  %e = tensor.empty() : tensor<4096xf16>
  %eb = tensor.empty() : tensor<4096xi1>
  %r:2 = linalg.generic {indexing_maps = [#line, #line, #line, #line], iterator_types = ["parallel"]} ins(%keep, %a : tensor<4096xi1>, tensor<4096xf16>) outs(%e, %eb : tensor<4096xf16>, tensor<4096xi1>) {
  ^bb0(%k: i1, %x: f16, %o: f16, %ob: i1):
    %z = arith.constant 0.0 : f16
    %y = arith.select %k, %x, %z : f16
    %g = arith.cmpf ogt, %x, %z : f16
    linalg.yield %y, %g : f16, i1
  } -> (tensor<4096xf16>, tensor<4096xi1>)
  return %r#0, %r#1 : tensor<4096xf16>, tensor<4096xi1>
}

// Rows of 6, of which two begin together.
func.func @short_rows(%keep: tensor<37x6xi1>, %a: tensor<37x6xi1>) -> tensor<37x6xi1> {
  %e = tensor.empty() : tensor<37x6xi1>
  %r = linalg.generic {indexing_maps = [#pair, #pair, #pair], iterator_types = ["parallel", "parallel"]} ins(%keep, %a : tensor<37x6xi1>, tensor<37x6xi1>) outs(%e : tensor<37x6xi1>) {
  ^bb0(%k: i1, %x: i1, %o: i1):
    %y = arith.xori %k, %x : i1
    linalg.yield %y : i1
  } -> tensor<37x6xi1>
  return %r : tensor<37x6xi1>
}

func.func @odd(%keep: tensor<1003xi1>, %a: tensor<1003xf32>) -> tensor<1003xf32> {
  %e = tensor.empty() : tensor<1003xf32>
  %r = linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel"]} ins(%keep, %a : tensor<1003xi1>, tensor<1003xf32>) outs(%e : tensor<1003xf32>) {
  ^bb0(%k: i1, %x: f32, %o: f32):
    %z = arith.constant 0xFF800000 : f32
    %y = arith.select %k, %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<1003xf32>
  return %r : tensor<1003xf32>
}

// $ raddle build %s --function=chosen --target=sm_80 --emit=ptx | grep -e ld.global -e st.global
//     ld.global.nc.v2.b32 {%r9, %r10}, [%rd8];
//     ld.global.nc.v4.b32 {%r19, %r20, %r21, %r22}, [%rd9];
//     st.global.v4.b32 [%rd10], {%r23, %r24, %r25, %r26};
//     st.global.v2.b32 [%rd11], {%r33, %r40};

// $ raddle run %s --all
// ok       @chosen
// ok       @short_rows
// ok       @odd
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @chosen
// ok       @short_rows
// ok       @odd
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @chosen
// ok       @short_rows
// ok       @odd
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @chosen
// ok       @short_rows
// ok       @odd
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @chosen
// ok       @short_rows
// ok       @odd
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
