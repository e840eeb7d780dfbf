// A packed tensor is a view of a padded one in tiles; an unpacked one is put together of tiles and cut. Tiles whose sizes
// only the run knows are scalar loops.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=there_and_back --input=13x22xf32=random --quiet
func.func @pack(%x: tensor<13x22xf32>) -> tensor<4x3x8x4xf32> {
 %z = arith.constant 1.5 : f32
 %e2 = tensor.empty() : tensor<4x3x8x4xf32>
 %r = linalg.pack %x padding_value(%z : f32) outer_dims_perm = [0, 1] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %e2 : tensor<13x22xf32> -> tensor<4x3x8x4xf32>
 return %r : tensor<4x3x8x4xf32>
}
func.func @there_and_back(%x: tensor<?x22xf32>) -> tensor<?x22xf32> {
 %z = arith.constant 0.0 : f32
 %c0 = arith.constant 0 : index
 %c4 = arith.constant 4 : index
 %d = tensor.dim %x, %c0 : tensor<?x22xf32>
 %t = arith.ceildivui %d, %c4 : index
 %e = tensor.empty(%t) : tensor<3x?x8x4xf32>
 %p = linalg.pack %x padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %e : tensor<?x22xf32> -> tensor<3x?x8x4xf32>
 %q = linalg.exp ins(%p : tensor<3x?x8x4xf32>) outs(%e : tensor<3x?x8x4xf32>) -> tensor<3x?x8x4xf32>
 %e2 = tensor.empty(%d) : tensor<?x22xf32>
 %u = linalg.unpack %q outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %e2 : tensor<3x?x8x4xf32> -> tensor<?x22xf32>
 return %u : tensor<?x22xf32>
}
func.func @product(%a: tensor<13x22xbf16>, %b: tensor<22x9xbf16>) -> tensor<13x9xf32> {
  %z = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x3x4x8xbf16>
  %pa = linalg.pack %a padding_value(%z : bf16) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %0 : tensor<13x22xbf16> -> tensor<4x3x4x8xbf16>
  %1 = tensor.empty() : tensor<2x3x8x8xbf16>
  %pb = linalg.pack %b padding_value(%z : bf16) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 8] into %1 : tensor<22x9xbf16> -> tensor<2x3x8x8xbf16>
  %2 = tensor.empty() : tensor<4x2x4x8xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<4x2x4x8xf32>) -> tensor<4x2x4x8xf32>
  %4 = linalg.mmt4d ins(%pa, %pb : tensor<4x3x4x8xbf16>, tensor<2x3x8x8xbf16>) outs(%3 : tensor<4x2x4x8xf32>) -> tensor<4x2x4x8xf32>
  %5 = tensor.empty() : tensor<13x9xf32>
  %r = linalg.unpack %4 inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %5 : tensor<4x2x4x8xf32> -> tensor<13x9xf32>
  return %r : tensor<13x9xf32>
}
func.func @open_tiles(%x: tensor<12xi32>, %n: index) -> tensor<?x?xi32> {
  %c12 = arith.constant 12 : index
  %t = arith.ceildivui %c12, %n : index
  %e = tensor.empty(%t, %n) : tensor<?x?xi32>
  %z = arith.constant 7 : i32
  %r = linalg.pack %x padding_value(%z : i32) inner_dims_pos = [0] inner_tiles = [%n] into %e : tensor<12xi32> -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 1

// $ raddle run %s --all
// ok       @pack
// ok       @there_and_back
// ok       @product
// ok       @open_tiles
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @pack
// ok       @there_and_back
// ok       @product
// ok       @open_tiles
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @pack
// ok       @there_and_back
// ok       @product
// ok       @open_tiles
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=there_and_back --input=13x22xf32=random --quiet
// correct: all 286 elements agree with the reference within 2.45e-6 + 2.38e-7·|expected| (265 bit for bit)
