// What is read in tiles of a padded tensor ends where the padding does, though only the run knows where that is.
// RUN: raddle run %s --function=columns --input=9x21xf16=random --input=14x21xf16=random --quiet
// RUN: raddle run %s --function=columns --input=9x21xf16=random --input=14x21xf16=random --device=ptx-emu --quiet
// RUN: raddle run %s --function=columns --input=9x21xf16=random --input=14x21xf16=random --device=cpu --bounds-checks --quiet | grep -c correct:
// RUN: raddle run %s --function=rows --input=9x21xf32=random --input=9x28xf32=random --input=4 --quiet
// RUN: raddle run %s --function=rows --input=9x21xf32=random --input=9x28xf32=random --input=4 --device=ptx-emu --quiet
func.func @columns(%x: tensor<?x?xf16>, %o: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %zero = arith.constant 0.000000e+00 : f16
  %p = tensor.pad %x low[2, 0] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f16
  } : tensor<?x?xf16> to tensor<?x?xf16>
  %r = linalg.softmax dimension(0) ins(%p : tensor<?x?xf16>) outs(%o : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}
func.func @rows(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %one = arith.constant 1.000000e+00 : f32
  %p = tensor.pad %x low[0, %n] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %r = linalg.softmax dimension(1) ins(%p : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// $ raddle run %s --function=columns --input=9x21xf16=random --input=14x21xf16=random --quiet
// correct: all 294 elements agree with the reference within 7.79e-4 + 1.95e-3·|expected| (161 bit for bit)

// $ raddle run %s --function=columns --input=9x21xf16=random --input=14x21xf16=random --device=ptx-emu --quiet
// correct: all 294 elements agree with the reference within 7.79e-4 + 1.95e-3·|expected| (161 bit for bit)

// $ raddle run %s --function=columns --input=9x21xf16=random --input=14x21xf16=random --device=cpu --bounds-checks --quiet | grep -c correct:
// 1

// $ raddle run %s --function=rows --input=9x21xf32=random --input=9x28xf32=random --input=4 --quiet
// correct: all 252 elements agree with the reference within 4.57e-8 + 2.38e-7·|expected| (92 bit for bit)

// $ raddle run %s --function=rows --input=9x21xf32=random --input=9x28xf32=random --input=4 --device=ptx-emu --quiet
// correct: all 252 elements agree with the reference within 4.57e-8 + 2.38e-7·|expected| (92 bit for bit)
