// Sums of products that no number of parts divides are divided all the same; the kernel that adds the parts sums the rest.
// Of several loops over sums, the one whose parts take the least is divided.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=sm_90a --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=configured --remarks 2>&1 | grep parts
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @prime(%x: tensor<22x1741xf32>, %y: tensor<40x1741xf32>) -> tensor<22x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<22x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<22x40xf32>) -> tensor<22x40xf32>
  %r = linalg.generic {indexing_maps = [#m, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<22x1741xf32>, tensor<40x1741xf32>) outs(%f : tensor<22x40xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<22x40xf32>
  return %r : tensor<22x40xf32>
}
func.func @halves(%x: tensor<32x8200xf16>, %y: tensor<8200x64xf16>) -> tensor<32x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = linalg.matmul ins(%x, %y : tensor<32x8200xf16>, tensor<8200x64xf16>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
func.func @two_loops(%x: tensor<3x8x47x53xf32>, %y: tensor<3x9x47x53xf32>) -> tensor<3x8x9xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x8x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x8x9xf32>) -> tensor<3x8x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k, l)>, affine_map<(b, m, n, k, l) -> (b, n, k, l)>, affine_map<(b, m, n, k, l) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %y : tensor<3x8x47x53xf32>, tensor<3x9x47x53xf32>) outs(%f : tensor<3x8x9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x8x9xf32>
  return %r : tensor<3x8x9xf32>
}

// $ raddle run %s --all
// ok       @prime
// ok       @halves
// ok       @two_loops
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_90a --device=ptx-emu
// ok       @prime
// ok       @halves
// ok       @two_loops
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @prime
// ok       @halves
// ok       @two_loops
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured --remarks 2>&1 | grep parts
// remark[E0304]: `linalg.generic` is reduced in 12 parts: it has work for 1 workgroups alone
//   --> run/parts_leave_a_rest.mlir:14:3
//   --> run/parts_leave_a_rest.mlir:14:3
//   --> run/parts_leave_a_rest.mlir:14:3
//   --> run/parts_leave_a_rest.mlir:14:3
// remark[E0304]: `linalg.matmul` is reduced in 16 parts: it has work for 4 workgroups alone
//   --> run/parts_leave_a_rest.mlir:26:3
//   --> run/parts_leave_a_rest.mlir:26:3
// remark[E0304]: `linalg.generic` is reduced in 9 parts: it has work for 15 workgroups alone
//   --> run/parts_leave_a_rest.mlir:33:3
//   --> run/parts_leave_a_rest.mlir:33:3
//   --> run/parts_leave_a_rest.mlir:26:3
//   --> run/parts_leave_a_rest.mlir:26:3
