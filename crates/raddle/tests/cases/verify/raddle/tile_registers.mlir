// Tile registers: which there are, what they are read from, and which are multiplied.
// RUN: raddle check %s --split-input-file
// RUN: raddle explain raddle.tile_dot
func.func @right(%a: memref<512xbf16>, %b: memref<256xi32>, %c: memref<256xf32>) {
  %0 = arith.constant 0 : index
  %16 = arith.constant 16 : index
  %32 = arith.constant 32 : index
  %x = raddle.tile_load %a[%0] rows %32 : memref<512xbf16>, !raddle.tile<16x16xi32>
  %y = raddle.tile_load %b[%0] rows %16 : memref<256xi32>, !raddle.tile<16x16xi32>
  %z = raddle.tile_zero : !raddle.tile<16x16xf32>
  %d = raddle.tile_dot %x, %y, %z : !raddle.tile<16x16xi32>, !raddle.tile<16x16xi32>, !raddle.tile<16x16xf32>
  raddle.tile_store %d, %c[%0] rows %16 : !raddle.tile<16x16xf32>, memref<256xf32>
  return
}

// -----
func.func @too_many_rows() {
  %z = raddle.tile_zero : !raddle.tile<17x16xf32>
  return
}

// -----
func.func @no_words(%a: memref<16x16xf32>) {
  %0 = arith.constant 0 : index
  %x = raddle.tile_load %a[%0] rows %0 : memref<16x16xf32>, !raddle.tile<16x16xf32>
  return
}

// -----
func.func @wide(%a: memref<256xf64>) {
  %0 = arith.constant 0 : index
  %x = raddle.tile_load %a[%0] rows %0 : memref<256xf64>, !raddle.tile<16x16xf32>
  return
}

// -----
func.func @other_extents() {
  %x = raddle.tile_zero : !raddle.tile<16x8xi32>
  %z = raddle.tile_zero : !raddle.tile<16x16xi32>
  %d = raddle.tile_dot %x, %x, %z : !raddle.tile<16x8xi32>, !raddle.tile<16x8xi32>, !raddle.tile<16x16xi32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'raddle.tile_zero' op expected a tile register of 1 to 16 rows of 1 to 16 words, i32 or f32
//   --> verify/raddle/tile_registers.mlir:18:3
//    |
// 18 |   %z = raddle.tile_zero : !raddle.tile<17x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'raddle.tile_load' op expected a memref of rank 1
//   --> verify/raddle/tile_registers.mlir:25:3
//    |
// 25 |   %x = raddle.tile_load %a[%0] rows %0 : memref<16x16xf32>, !raddle.tile<16x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'raddle.tile_load' op expected elements of 8, 16 or 32 bits in the memref
//   --> verify/raddle/tile_registers.mlir:32:3
//    |
// 32 |   %x = raddle.tile_load %a[%0] rows %0 : memref<256xf64>, !raddle.tile<16x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'raddle.tile_dot' op expected factors of MxK and KxN words and sums of MxN
//   --> verify/raddle/tile_registers.mlir:40:3
//    |
// 40 |   %d = raddle.tile_dot %x, %x, %z : !raddle.tile<16x8xi32>, !raddle.tile<16x8xi32>, !raddle.tile<16x16xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]

// $ raddle explain raddle.tile_dot
// raddle.tile_dot
//
// The third operand plus a product of matrices of words, which are pairs of bf16 for f32, and four signed bytes for i32.
//
//   class       opaque
//   traits      pure, may be speculated
//   signature   C any; a any, b any, c C -> result C
//   attributes  none of its own
//   assembly    $a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($result)
