// On NVIDIA chips, integers of four bits are moved up to 16 at a time, as bytes; LLVM IR has no vectors of them that lie so.
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle build %s --function=product -o - | grep 'ld.global'
// RUN: raddle build %s --function=row -o - | grep 'ld.global.nc.v4.b32'
// RUN: raddle build %s --function=row -o - | grep -c bfe.u32
// RUN: raddle build %s --function=narrow -o - | grep -e 'ld.global' -e 'st.global'
func.func @product(%a: tensor<64x64xf16>, %w: tensor<64x64xi4>, %s: tensor<64xf16>) -> tensor<64x64xf32> {
  %we = tensor.empty() : tensor<64x64xf16>
  %d = linalg.generic {indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]} ins(%w, %s : tensor<64x64xi4>, tensor<64xf16>) outs(%we : tensor<64x64xf16>) {
  ^bb0(%x: i4, %y: f16, %o: f16):
    %f = arith.sitofp %x : i4 to f16
    %m = arith.mulf %f, %y : f16
    linalg.yield %m : f16
  } -> tensor<64x64xf16>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %d : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %t = arith.mulf %p, %q : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @row(%a: tensor<1024xf32>, %w: tensor<4x1024xi4>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>], iterator_types = ["parallel", "reduction"]} ins(%a, %w : tensor<1024xf32>, tensor<4x1024xi4>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %y: i4, %o: f32):
    %q = arith.sitofp %y : i4 to f32
    %t = arith.mulf %x, %q : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @narrow(%a: tensor<8x128xi4>, %b: tensor<8x128xi4>) -> (tensor<8x128xi4>, tensor<8x128xi32>) {
  %e = tensor.empty() : tensor<8x128xi4>
  %f = tensor.empty() : tensor<8x128xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x128xi4>, tensor<8x128xi4>) outs(%e, %f : tensor<8x128xi4>, tensor<8x128xi32>) {
  ^bb0(%x: i4, %y: i4, %o: i4, %p: i32):
    %s = arith.addi %x, %y : i4
    %u = arith.extui %x : i4 to i32
    %v = arith.extsi %y : i4 to i32
    %w = arith.muli %u, %v : i32
    linalg.yield %s, %w : i4, i32
  } -> (tensor<8x128xi4>, tensor<8x128xi32>)
  return %r#0, %r#1 : tensor<8x128xi4>, tensor<8x128xi32>
}

// $ raddle run %s --all --device=ptx-emu
// ok       @product
// ok       @row
// ok       @narrow
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @product
// ok       @row
// ok       @narrow
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle build %s --function=product -o - | grep 'ld.global'
//     ld.global.nc.v2.b32 {%r9, %r10}, [%rd8];
//     ld.global.nc.v2.b32 {%r11, %r12}, [%rd8+512];
//     ld.global.nc.b16 %h0, [%rd9];
//     ld.global.nc.b16 %h1, [%rd9+16];
//     ld.global.nc.v4.b32 {%r50, %r51, %r52, %r53}, [%rd10];
//     ld.global.nc.v4.b32 {%r54, %r55, %r56, %r57}, [%rd10+1024];

// $ raddle build %s --function=row -o - | grep 'ld.global.nc.v4.b32'
//     ld.global.nc.v4.b32 {%r5, %r6, %r7, %r8}, [%rd6];
//     ld.global.nc.v4.b32 {%r9, %r10, %r11, %r12}, [%rd6+512];

// $ raddle build %s --function=row -o - | grep -c bfe.u32
// 32

// $ raddle build %s --function=narrow -o - | grep -e 'ld.global' -e 'st.global'
//     ld.global.nc.b32 %r5, [%rd8];
//     ld.global.nc.b32 %r6, [%rd9];
//     st.global.b32 [%rd10], %r28;
//     st.global.v4.b32 [%rd11], {%r31, %r34, %r37, %r40};
