// Lanes of a matrix instruction exchange what they have and write 16 bytes each, also where only the run knows how many
// rows there are, and where the last tile of a row is not whole. Where only the run knows how long rows are, the kernel
// asks whether what it reads and writes at once divides them, and else moves single elements.
// RUN: raddle build %s --function=open_rows -o - | grep -c st.global.v4.b32
// RUN: raddle build %s --function=open_rows -o - | grep -c st.global.b32
// RUN: raddle build %s --function=short_tile -o - | grep -c st.global.v4.b32
// RUN: raddle build %s --function=odd_rows -o - | grep -c st.global.v4.b32
// RUN: raddle run %s --function=open_rows --device=ptx-emu --input=83x64xf16=random --input=random | grep correct
// RUN: raddle run %s --function=short_tile --device=ptx-emu | grep correct
// RUN: raddle run %s --function=odd_rows --device=ptx-emu | grep correct
// RUN: raddle build %s --function=open_columns -o - | grep -c st.global.v4.b32
// RUN: raddle build %s --function=open_columns -o - | grep -c ld.global.nc.b32
// RUN: raddle run %s --function=open_columns --device=ptx-emu --input=83x64xf16=random --input=64x136xf16=random --input=83x136xf16=random | grep correct
// RUN: raddle run %s --function=open_columns --device=ptx-emu --input=83x64xf16=random --input=64x133xf16=random --input=83x133xf16=random | grep correct
// RUN: raddle run %s --function=open_columns --compare=vector,distributed --input=83x64xf16=random --input=64x136xf16=random --input=83x136xf16=random | grep correct
func.func @open_rows(%a: tensor<?x64xf16>, %b: tensor<64x128xf16>) -> tensor<?x128xf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf16>
  %empty = tensor.empty(%m) : tensor<?x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x128xf32>) -> tensor<?x128xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf16>, tensor<64x128xf16>)
                     outs(%init : tensor<?x128xf32>) -> tensor<?x128xf32>
  %half = arith.truncf %c : tensor<?x128xf32> to tensor<?x128xf16>
  return %half : tensor<?x128xf16>
}

func.func @short_tile(%a: tensor<1000x128xf16>, %b: tensor<128x1000xf16>) -> tensor<1000x1000xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1000x1000xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %c = linalg.matmul ins(%a, %b : tensor<1000x128xf16>, tensor<128x1000xf16>)
                     outs(%init : tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %half = arith.truncf %c : tensor<1000x1000xf32> to tensor<1000x1000xf16>
  return %half : tensor<1000x1000xf16>
}

// Rows that do not begin at multiples of 16 bytes are written as they come.
func.func @odd_rows(%a: tensor<128x64xf16>, %b: tensor<64x198xf16>) -> tensor<128x198xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x198xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x198xf32>) -> tensor<128x198xf32>
  %c = linalg.matmul ins(%a, %b : tensor<128x64xf16>, tensor<64x198xf16>)
                     outs(%init : tensor<128x198xf32>) -> tensor<128x198xf32>
  %half = arith.truncf %c : tensor<128x198xf32> to tensor<128x198xf16>
  return %half : tensor<128x198xf16>
}

// Rows of open length that begin at multiples of 16 bytes, or do not.
func.func @open_columns(%a: tensor<?x64xf16>, %b: tensor<64x?xf16>, %r: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x64xf16>
  %n = tensor.dim %b, %c1 : tensor<64x?xf16>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x64xf16>, tensor<64x?xf16>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %half = arith.truncf %c : tensor<?x?xf32> to tensor<?x?xf16>
  %sum = arith.addf %half, %r : tensor<?x?xf16>
  return %sum : tensor<?x?xf16>
}

// $ raddle build %s --function=open_rows -o - | grep -c st.global.v4.b32
// 4

// $ raddle build %s --function=open_rows -o - | grep -c st.global.b32
// 0

// $ raddle build %s --function=short_tile -o - | grep -c st.global.v4.b32
// 4

// $ raddle build %s --function=odd_rows -o - | grep -c st.global.v4.b32
// 0

// $ raddle run %s --function=open_rows --device=ptx-emu --input=83x64xf16=random --input=random | grep correct
// correct: all 10624 elements agree with the reference within 3.10e-2 + 1.95e-3·|expected| (10613 bit for bit)

// $ raddle run %s --function=short_tile --device=ptx-emu | grep correct
// correct: all 1000000 elements agree with the reference within 4.42e-2 + 1.95e-3·|expected| (999012 bit for bit)

// $ raddle run %s --function=odd_rows --device=ptx-emu | grep correct
// correct: all 25344 elements agree with the reference within 3.15e-2 + 1.95e-3·|expected| (25319 bit for bit)

// $ raddle build %s --function=open_columns -o - | grep -c st.global.v4.b32
// 8

// $ raddle build %s --function=open_columns -o - | grep -c ld.global.nc.b32
// 32

// $ raddle run %s --function=open_columns --device=ptx-emu --input=83x64xf16=random --input=64x136xf16=random --input=83x136xf16=random | grep correct
// correct: all 11288 elements agree with the reference within 6.22e-2 + 1.95e-3·|expected| (8065 bit for bit)

// $ raddle run %s --function=open_columns --device=ptx-emu --input=83x64xf16=random --input=64x133xf16=random --input=83x133xf16=random | grep correct
// correct: all 11039 elements agree with the reference within 6.28e-2 + 1.95e-3·|expected| (7981 bit for bit)

// $ raddle run %s --function=open_columns --compare=vector,distributed --input=83x64xf16=random --input=64x136xf16=random --input=83x136xf16=random | grep correct
// correct: stage `vector`, all 11288 elements agree with the reference within 6.22e-2 + 1.95e-3·|expected| (8065 bit for bit)
// correct: stage `distributed`, all 11288 elements agree with the reference within 6.22e-2 + 1.95e-3·|expected| (8065 bit for bit)
// correct: stage `distributed`, all 11288 elements equal stage `vector` bit for bit
