// Where only the run knows how long rows are, the kernel asks: copies of 16 bytes run ahead if these divide the rows, and
// otherwise threads load the elements at the same place.
// RUN: raddle opt %s --to=pipelined --remarks 2>&1 | grep slots
// RUN: raddle build %s --function=product -o - | grep -c -e cp.async.cg -e ld.global.nc.b16
// RUN: raddle run %s --function=product --input=37x64xf16=random --input=64x72xf16=random --quiet
// RUN: raddle run %s --function=product --input=37x61xf16=random --input=61x72xf16=random --quiet
// RUN: raddle run %s --function=product --input=37x61xf16=random --input=61x75xf16=random --quiet --device=ptx-emu
// RUN: raddle run %s --function=product --input=37x64xf16=random --input=64x72xf16=random --quiet --device=ptx-emu --async=eager
// RUN: raddle run %s --function=product --input=37x61xf16=random --input=61x75xf16=random --quiet --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --function=product --input=37x64xf16=random --input=64x72xf16=random --quiet --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --function=short_sums --quiet --device=ptx-emu
func.func @product(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf16>
  %n = tensor.dim %b, %c1 : tensor<?x?xf16>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// Of a loop of few rounds none is left: places of copies are sums of constants.
func.func @short_sums(%a: tensor<16x96xf16>, %b: tensor<96x?xf16>) -> tensor<16x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %b, %c1 : tensor<96x?xf16>
  %empty = tensor.empty(%n) : tensor<16x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x?xf32>) -> tensor<16x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x96xf16>, tensor<96x?xf16>) outs(%init : tensor<16x?xf32>) -> tensor<16x?xf32>
  return %c : tensor<16x?xf32>
}

// $ raddle opt %s --to=pipelined --remarks 2>&1 | grep slots
// remark[E0403]: copies of this loop's tiles run 3 iterations ahead, through 4 slots
// remark[E0403]: copies of this loop's tiles run 2 iterations ahead, through 3 slots

// $ raddle build %s --function=product -o - | grep -c -e cp.async.cg -e ld.global.nc.b16
// 16

// $ raddle run %s --function=product --input=37x64xf16=random --input=64x72xf16=random --quiet
// correct: all 2664 elements agree with the reference within 2.26e-5 + 2.38e-7·|expected| (622 bit for bit)

// $ raddle run %s --function=product --input=37x61xf16=random --input=61x72xf16=random --quiet
// correct: all 2664 elements agree with the reference within 2.23e-5 + 2.38e-7·|expected| (580 bit for bit)

// $ raddle run %s --function=product --input=37x61xf16=random --input=61x75xf16=random --quiet --device=ptx-emu
// correct: all 2775 elements agree with the reference within 2.26e-5 + 2.38e-7·|expected| (656 bit for bit)

// $ raddle run %s --function=product --input=37x64xf16=random --input=64x72xf16=random --quiet --device=ptx-emu --async=eager
// correct: all 2664 elements agree with the reference within 2.26e-5 + 2.38e-7·|expected| (622 bit for bit)

// $ raddle run %s --function=product --input=37x61xf16=random --input=61x75xf16=random --quiet --device=ptx-emu --target=sm_90a
// correct: all 2775 elements agree with the reference within 2.26e-5 + 2.38e-7·|expected| (656 bit for bit)

// $ raddle run %s --function=product --input=37x64xf16=random --input=64x72xf16=random --quiet --device=ptx-emu --target=sm_90a
// correct: all 2664 elements agree with the reference within 2.26e-5 + 2.38e-7·|expected| (622 bit for bit)

// $ raddle run %s --function=short_sums --quiet --device=ptx-emu
// correct: all 592 elements agree with the reference within 7.17e-5 + 2.38e-7·|expected| (110 bit for bit)
