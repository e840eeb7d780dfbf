// A tensor that is filled, and from which no other operation goes on, is written by vectors of 16 bytes, as are results of
// numbers alone.

// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle build %s -o - | grep st.global

func.func @filled() -> tensor<512x1024xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<512x1024xf16>
  %filled = linalg.fill ins(%zero : f16) outs(%empty : tensor<512x1024xf16>) -> tensor<512x1024xf16>
  return %filled : tensor<512x1024xf16>
}

func.func @over_an_argument(%x: f16, %old: tensor<33x1000xf16>) -> tensor<33x1000xf16> {
  %filled = linalg.fill ins(%x : f16) outs(%old : tensor<33x1000xf16>) -> tensor<33x1000xf16>
  return %filled : tensor<33x1000xf16>
}

func.func @splat(%x: f32, %n: index) -> tensor<?x64xf32> {
  %splat = tensor.splat %x[%n] : tensor<?x64xf32>
  return %splat : tensor<?x64xf32>
}

func.func @beside_another(%a: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<64x256xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<64x256xf32>) -> tensor<64x256xf32>
  %sum = linalg.add ins(%a, %ones : tensor<64x256xf32>, tensor<64x256xf32>) outs(%empty : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %ones, %sum : tensor<64x256xf32>, tensor<64x256xf32>
}

func.func @of_numbers(%x: f32, %y: f32) -> tensor<64x256xf32> {
  %empty = tensor.empty() : tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : f32, f32) outs(%empty : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

func.func @single() -> tensor<f32> {
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %filled = linalg.fill ins(%one : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  return %filled : tensor<f32>
}

// $ raddle run %s --all
// ok       @filled
// ok       @over_an_argument
// ok       @splat
// ok       @beside_another
// ok       @of_numbers
// ok       @single
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @filled
// ok       @over_an_argument
// ok       @splat
// ok       @beside_another
// ok       @of_numbers
// ok       @single
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @filled
// ok       @over_an_argument
// ok       @splat
// ok       @beside_another
// ok       @of_numbers
// ok       @single
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @filled
// ok       @over_an_argument
// ok       @splat
// ok       @beside_another
// ok       @of_numbers
// ok       @single
// 6 functions: 6 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s -o - | grep st.global
//     st.global.v4.b32 [%rd2], {%r9, %r9, %r9, %r9};
//     st.global.v4.b32 [%rd4], {%r10, %r11, %r12, %r13};
//     st.global.v4.f32 [%rd17], {%f0, %f0, %f0, %f0};
//     st.global.v4.f32 [%rd2], {%f0, %f0, %f0, %f0};
//     st.global.v4.f32 [%rd5], {%f7, %f6, %f5, %f4};
//     st.global.v4.f32 [%rd2], {%f2, %f2, %f2, %f2};
//     st.global.f32 [%rd1], %f0;
// 6 of 6 functions compiled, 0 refused
