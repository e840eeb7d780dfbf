// A program on memrefs takes in the functions that it calls, whose arguments may be views; loops that go on while a condition
// holds carry what buffers hold; and a function may return what it computes beside what it writes.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=both --input=2xf32=[3,-1] --input=2xf32=0 --output=- --output=- --quiet
func.func @while(%a: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<16xf32>) {
    ^bb0(%o: f32):
      %x = arith.mulf %o, %two : f32
      linalg.yield %x : f32
    }
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  return
}
func.func private @twice(%a: memref<16xf32>, %b: memref<16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%i: f32, %o: f32):
    %x = arith.addf %i, %i : f32
    linalg.yield %x : f32
  }
  return
}
func.func @calls(%a: memref<16xf32>, %b: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  call @twice(%a, %t) : (memref<16xf32>, memref<16xf32>) -> ()
  call @twice(%t, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %t : memref<16xf32>
  return
}
func.func @of_views(%a: memref<4x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %row = memref.subview %a[%i, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    %last = memref.subview %a[3, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<16xf32, strided<[1], offset: 48>>
    func.call @add(%row, %last) : (memref<16xf32, strided<[1], offset: ?>>, memref<16xf32, strided<[1], offset: 48>>) -> ()
  }
  return
}
func.func private @add(%a: memref<16xf32, strided<[1], offset: ?>>, %b: memref<16xf32, strided<[1], offset: 48>>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<16xf32, strided<[1], offset: ?>>) outs(%b : memref<16xf32, strided<[1], offset: 48>>) {
  ^bb0(%i: f32, %o: f32):
    %x = arith.addf %i, %o : f32
    linalg.yield %x : f32
  }
  return
}
func.func @both(%a: memref<?xf32>, %b: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<?xf32>) outs(%b, %c : memref<?xf32>, memref<?xf32>) {
  ^bb0(%i: f32, %o: f32, %p: f32):
    %x = arith.addf %i, %i : f32
    %y = arith.mulf %i, %i : f32
    linalg.yield %x, %y : f32, f32
  }
  return %c : memref<?xf32>
}

// $ raddle run %s --all
// ok       @while
// ok       @calls
// ok       @of_views
// ok       @both
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @while
// ok       @calls
// ok       @of_views
// ok       @both
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @while
// ok       @calls
// ok       @of_views
// ok       @both
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=both --input=2xf32=[3,-1] --input=2xf32=0 --output=- --output=- --quiet
// result 0: tensor<2xf32>=9 1
// result 1: tensor<2xf32>=6 -2
// correct: result 0, all 2 elements equal the reference bit for bit
// correct: result 1, all 2 elements equal the reference bit for bit
