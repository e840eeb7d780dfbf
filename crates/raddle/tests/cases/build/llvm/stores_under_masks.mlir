// With AVX2 a store under a mask takes long on some machines, whatever the mask: it stands behind the question whether all of
// the mask is true, which stores the vector as a whole, and whether any of it is. With AVX-512 it does not.

// RUN: raddle build %s --target=x86-64-v3 --emit=llvm | grep icmp
// RUN: raddle build %s --target=x86-64-v3 --emit=llvm | grep br
// RUN: raddle build %s --target=x86-64-v4 --emit=llvm | grep br
// RUN: raddle run %s --target=x86-64-v3 | grep correct

func.func @f(%a: tensor<3x13xf32>) -> tensor<3x13xf32> {
  %e = tensor.empty() : tensor<3x13xf32>
  %r = linalg.add ins(%a, %a : tensor<3x13xf32>, tensor<3x13xf32>) outs(%e : tensor<3x13xf32>) -> tensor<3x13xf32>
  return %r : tensor<3x13xf32>
}

// $ raddle build %s --target=x86-64-v3 --emit=llvm | grep icmp
//   %v0 = icmp slt i64 %last, 3
//   %v3 = icmp slt i64 %v2, %v1
//   %v11 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, <i32 5, i32 5, i32 5, i32 5, i32 5, i32 5, i32 5, i32 5>
//   %v28 = icmp eq i8 %v27, -1
//   %v30 = icmp ne i8 %v29, 0

// $ raddle build %s --target=x86-64-v3 --emit=llvm | grep br
//   br label %b2
//   br i1 %v3, label %b3, label %b1
//   br label %b2
//   br i1 %v28, label %b5, label %b6
//   br i1 %v30, label %b8, label %b7
//   br label %b7
//   br label %b7
//   br label %b4

// $ raddle build %s --target=x86-64-v4 --emit=llvm | grep br
//   br label %b2
//   br i1 %v3, label %b3, label %b1
//   br label %b2
//   br label %b4

// $ raddle run %s --target=x86-64-v3 | grep correct
// correct: all 39 elements equal the reference bit for bit
