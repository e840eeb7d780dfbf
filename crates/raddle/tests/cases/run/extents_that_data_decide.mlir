// Where data decide how long a tensor is, the reference is what each kernel means, and the host carries out the rest.
// Another reference may be given, or none.
// RUN: raddle run %s --function=front --input=5xf32=[1,2,3,4,5] --input=i64=3 --quiet
// RUN: raddle run %s --function=front --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=3xf32=[-1,-2,-3] --quiet
// RUN: raddle run %s --function=front --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=(ignored) --output=- --quiet
// RUN: raddle run %s --function=rows --quiet
// RUN: raddle run %s --function=several --quiet
// RUN: raddle run %s --all
func.func @front(%x: tensor<5xf32>, %count: tensor<i64>) -> tensor<?xf32> {
  %c = tensor.extract %count[] : tensor<i64>
  %n = arith.index_cast %c : i64 to index
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<5xf32> to tensor<?xf32>
  %0 = arith.negf %s : tensor<?xf32>
  return %0 : tensor<?xf32>
}
// Each round has one column less.
func.func @rows(%a: tensor<3x6xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %sums = scf.for %i = %c0 to %c3 step %c1 iter_args(%before = %zeros) -> tensor<3xf32> {
    %n = arith.subi %c6, %i : index
    %columns = tensor.extract_slice %a[0, %i] [3, %n] [1, 1] : tensor<3x6xf32> to tensor<3x?xf32>
    %sum = linalg.reduce ins(%columns : tensor<3x?xf32>) outs(%before : tensor<3xf32>) dimensions = [1]
      (%x: f32, %acc: f32) {
        %y = arith.addf %x, %acc : f32
        linalg.yield %y : f32
      }
    scf.yield %sum : tensor<3xf32>
  }
  return %sums : tensor<3xf32>
}
// What kernels give one another, and the host computes between them, is not rounded in the reference.
func.func @several(%a: tensor<6x6xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %e = tensor.empty() : tensor<6x6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<6x6xf32>) -> tensor<6x6xf32>
  %c = linalg.matmul ins(%a, %a : tensor<6x6xf32>, tensor<6x6xf32>) outs(%zeros : tensor<6x6xf32>) -> tensor<6x6xf32>
  %row = tensor.extract_slice %c[0, 0] [1, 6] [1, 1] : tensor<6x6xf32> to tensor<6xf32>
  %last, %n = scf.while (%i = %c0) : (index) -> (f32, index) {
    %x = tensor.extract %c[%c0, %i] : tensor<6x6xf32>
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %next, %c6 : index
    %small = arith.cmpf olt, %x, %two : f32
    %goes = arith.andi %more, %small : i1
    scf.condition(%goes) %x, %next : f32, index
  } do {
  ^bb0(%x: f32, %next: index):
    scf.yield %next : index
  }
  %twice = arith.mulf %last, %two : f32
  %pair = tensor.from_elements %last, %twice : tensor<2xf32>
  %front = tensor.extract_slice %row[0] [%n] [1] : tensor<6xf32> to tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.exp ins(%front : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %y, %pair : tensor<?xf32>, tensor<2xf32>
}

// $ raddle run %s --function=front --input=5xf32=[1,2,3,4,5] --input=i64=3 --quiet
// correct: all 3 elements equal the reference, kernel by kernel, bit for bit

// $ raddle run %s --function=front --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=3xf32=[-1,-2,-3] --quiet
// correct: all 3 elements equal the expected output bit for bit

// $ raddle run %s --function=front --input=5xf32=[1,2,3,4,5] --input=i64=3 --expected_output=(ignored) --output=- --quiet
// result 0: tensor<3xf32>=-1 -2 -3
// done: nothing to compare with

// $ raddle run %s --function=rows --quiet
// correct: all 3 elements agree with the reference, kernel by kernel, within 7.96e-6 + 2.38e-7·|expected| (2 bit for bit)

// $ raddle run %s --function=several --quiet
// correct: result 0, all 3 elements equal the reference, kernel by kernel, bit for bit
// correct: result 1, all 2 elements equal the reference, kernel by kernel, bit for bit

// $ raddle run %s --all
// ok       @front
// ok       @rows
// ok       @several
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
