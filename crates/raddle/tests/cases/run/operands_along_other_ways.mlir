// Operands that are read from their end, or along quotients and remainders of loops, are read element by element in bodies
// that are vectors.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
func.func @backward(%x: tensor<5x37xf32>, %y: tensor<5x37xf32>) -> tensor<5x37xf32> {
  %e = tensor.empty() : tensor<5x37xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, -d1 + 36)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<5x37xf32>, tensor<5x37xf32>) outs(%e : tensor<5x37xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<5x37xf32>
  return %r : tensor<5x37xf32>
}
func.func @quotients(%x: tensor<7x12xf16>, %y: tensor<3x23xf16>) -> tensor<21x23xf16> {
  %e = tensor.empty() : tensor<21x23xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 floordiv 3, d1 floordiv 2)>, affine_map<(d0, d1) -> (d0 mod 3, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<7x12xf16>, tensor<3x23xf16>) outs(%e : tensor<21x23xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %0 = arith.addf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<21x23xf16>
  return %r : tensor<21x23xf16>
}
func.func @sums(%x: tensor<6x40xf32>, %w: tensor<70xf32>, %o: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, (-d1 + 70) ceildiv 2)>, affine_map<(d0, d1) -> (-d0 + 5, d1 floordiv 2)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %x, %w : tensor<6x40xf32>, tensor<6x40xf32>, tensor<70xf32>) outs(%o : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.addf %1, %out : f32
    linalg.yield %2 : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --all
// ok       @backward
// ok       @quotients
// ok       @sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @backward
// ok       @quotients
// ok       @sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @backward
// ok       @quotients
// ok       @sums
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
