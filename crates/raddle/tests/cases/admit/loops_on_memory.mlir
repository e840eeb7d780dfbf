// Loops of `affine` and scalar loops on memory are kernels: one loop nest whose iterations are apart is a grid of threads,
// anything else one workgroup, whose threads share what they may and wait for one another.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=triangle --input=9x9xf32=random --input=9x9xf32=random --input=9 --quiet
// RUN: raddle run %s --function=triangle --input=9x9xf32=random --input=9x9xf32=random --input=9 --quiet --device=ptx-emu
// RUN: raddle run %s --function=prefix --input=7xf32=1 --input=7 --output=arg0=- --quiet
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep is a kernel of one workgroup
func.func @jacobi(%a: memref<34x27xf32>, %b: memref<34x27xf32>) {
  %q = arith.constant 0.2 : f32
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 33 {
      affine.for %j = 1 to 26 {
        %0 = affine.load %a[%i, %j] : memref<34x27xf32>
        %1 = affine.load %a[%i, %j - 1] : memref<34x27xf32>
        %2 = affine.load %a[%i, %j + 1] : memref<34x27xf32>
        %3 = affine.load %a[%i - 1, %j] : memref<34x27xf32>
        %4 = affine.load %a[%i + 1, %j] : memref<34x27xf32>
        %5 = arith.addf %0, %1 : f32
        %6 = arith.addf %5, %2 : f32
        %7 = arith.addf %6, %3 : f32
        %8 = arith.addf %7, %4 : f32
        %9 = arith.mulf %8, %q : f32
        affine.store %9, %b[%i, %j] : memref<34x27xf32>
      }
    }
    affine.for %i = 1 to 33 {
      affine.for %j = 1 to 26 {
        %0 = affine.load %b[%i, %j] : memref<34x27xf32>
        affine.store %0, %a[%i, %j] : memref<34x27xf32>
      }
    }
  }
  return
}
func.func @prefix(%a: memref<?xf32>, %n: index) {
  affine.for %i = 1 to %n {
    %0 = affine.load %a[%i - 1] : memref<?xf32>
    %1 = affine.load %a[%i] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %a[%i] : memref<?xf32>
  }
  return
}
func.func @norm(%a: memref<19x23xf32>, %s: memref<19xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 19 {
    %m = affine.for %j = 0 to 23 iter_args(%acc = %z) -> (f32) {
      %x = affine.load %a[%i, %j] : memref<19x23xf32>
      %y = arith.mulf %x, %x : f32
      %w = arith.addf %acc, %y : f32
      affine.yield %w : f32
    }
    affine.store %m, %s[%i] : memref<19xf32>
  }
  affine.for %i = 0 to 19 {
    %m = affine.load %s[%i] : memref<19xf32>
    affine.for %j = 0 to 23 {
      %x = affine.load %a[%i, %j] : memref<19x23xf32>
      %y = arith.divf %x, %m : f32
      affine.store %y, %a[%i, %j] : memref<19x23xf32>
    }
  }
  return
}
func.func @transposed(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %k: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %x = affine.load %a[%i, %j] : memref<?x?xf32>
      %y = arith.mulf %x, %k : f32
      affine.store %y, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}
func.func @triangle(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%n] step 2 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        %x = affine.load %a[%i, %j] : memref<?x?xf32>
        affine.store %x, %b[%i, %j] : memref<?x?xf32>
      } else {
        affine.store %z, %b[%i, symbol(%n) - %j - 1] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @product(%a: memref<17x9xf32>, %b: memref<9x13xf32>, %c: memref<17x13xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c17 = arith.constant 17 : index
  %c13 = arith.constant 13 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c17 step %c1 {
    scf.for %j = %c0 to %c13 step %c1 {
      scf.for %k = %c0 to %c9 step %c1 {
        %x = memref.load %a[%i, %k] : memref<17x9xf32>
        %y = memref.load %b[%k, %j] : memref<9x13xf32>
        %z = memref.load %c[%i, %j] : memref<17x13xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        memref.store %s, %c[%i, %j] : memref<17x13xf32>
      }
    }
  }
  return
}
func.func @par(%a: memref<33x5xf32>, %b: memref<33x5xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (33, 5) {
    %x = affine.load %a[%i, %j] : memref<33x5xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %b[%i, %j] : memref<33x5xf32>
  }
  return
}
func.func @gcd_while(%a: memref<33xi32>, %b: memref<33xi32>, %c: memref<33xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c33 = arith.constant 33 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c33 step %c1 {
    %x = memref.load %a[%i] : memref<33xi32>
    %y = memref.load %b[%i] : memref<33xi32>
    %r:2 = scf.while (%p = %x, %q = %y) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %q, %z : i32
      scf.condition(%go) %p, %q : i32, i32
    } do {
    ^bb0(%p: i32, %q: i32):
      %m = arith.remui %p, %q : i32
      scf.yield %q, %m : i32, i32
    }
    memref.store %r#0, %c[%i] : memref<33xi32>
  }
  return
}
func.func @until_settled(%a: memref<40xf32>, %t: memref<40xf32>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c39 = arith.constant 39 : index
  %c40 = arith.constant 40 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = arith.constant 20 : i32
  %h = arith.constant 0.5 : f32
  memref.store %z, %n[%c0] : memref<1xi32>
  scf.while : () -> () {
    %k = memref.load %n[%c0] : memref<1xi32>
    %go = arith.cmpi slt, %k, %m : i32
    scf.condition(%go)
  } do {
    scf.for %i = %c1 to %c39 step %c1 {
      %l = arith.subi %i, %c1 : index
      %r = arith.addi %i, %c1 : index
      %x = memref.load %a[%l] : memref<40xf32>
      %y = memref.load %a[%r] : memref<40xf32>
      %s = arith.addf %x, %y : f32
      %v = arith.mulf %s, %h : f32
      memref.store %v, %t[%i] : memref<40xf32>
    }
    scf.for %i = %c1 to %c39 step %c1 {
      %v = memref.load %t[%i] : memref<40xf32>
      memref.store %v, %a[%i] : memref<40xf32>
    }
    %k = memref.load %n[%c0] : memref<1xi32>
    %k1 = arith.addi %k, %one : i32
    memref.store %k1, %n[%c0] : memref<1xi32>
    scf.yield
  }
  return
}
func.func @count_down(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = arith.constant 15 : i32
  %r = scf.while (%k = %m) : (i32) -> i32 {
    %go = arith.cmpi sgt, %k, %z : i32
    scf.condition(%go) %k : i32
  } do {
  ^bb0(%k: i32):
    %i = arith.index_cast %k : i32 to index
    %v = memref.load %a[%i] : memref<16xi32>
    %w = arith.addi %v, %k : i32
    memref.store %w, %a[%i] : memref<16xi32>
    %n = arith.subi %k, %one : i32
    scf.yield %n : i32
  }
  memref.store %r, %a[%c0] : memref<16xi32>
  return
}

// $ raddle run %s --all
// ok       @jacobi
// ok       @prefix
// ok       @norm
// ok       @transposed
// ok       @triangle
// ok       @product
// ok       @par
// ok       @gcd_while
// ok       @until_settled
// ok       @count_down
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @jacobi
// ok       @prefix
// ok       @norm
// ok       @transposed
// ok       @triangle
// ok       @product
// ok       @par
// ok       @gcd_while
// ok       @until_settled
// ok       @count_down
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @jacobi
// ok       @prefix
// ok       @norm
// ok       @transposed
// ok       @triangle
// ok       @product
// ok       @par
// ok       @gcd_while
// ok       @until_settled
// ok       @count_down
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=triangle --input=9x9xf32=random --input=9x9xf32=random --input=9 --quiet
// correct: all 81 elements equal the reference bit for bit

// $ raddle run %s --function=triangle --input=9x9xf32=random --input=9x9xf32=random --input=9 --quiet --device=ptx-emu
// correct: all 81 elements equal the reference bit for bit

// $ raddle run %s --function=prefix --input=7xf32=1 --input=7 --output=arg0=- --quiet
// result 0: memref<7xf32>=1 2 3 4 5 6 7
// correct: all 7 elements equal the reference bit for bit

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep is a kernel of one workgroup
// remark[E0304]: `@jacobi` is a kernel of one workgroup: its statements run one after the other
// remark[E0304]: `@prefix` is a kernel of one workgroup: its statements run one after the other
// remark[E0304]: `@norm` is a kernel of one workgroup: its statements run one after the other
// remark[E0304]: `@until_settled` is a kernel of one workgroup: its statements run one after the other
// remark[E0304]: `@count_down` is a kernel of one workgroup: its statements run one after the other
