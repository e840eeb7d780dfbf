// Where indices have 64 bits, numbers of workgroups and threads still fit 32, and so do their quotients: a division in 64
// bits is a call of a function of a hundred instructions, and of shifts the assembler does not see what subgroups share.
// RUN: raddle build %s -o - | grep -e div.u -e rem.u -e shr.u -e and.b
// RUN: raddle run %s --device=ptx-emu --input=3x70xf32=random --quiet
// RUN: raddle run %s --device=ptx-emu --input=130x1xf32=random --quiet
func.func @transposed(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) permutation = [1, 0]
  return %t : tensor<?x?xf32>
}

// $ raddle build %s -o - | grep -e div.u -e rem.u -e shr.u -e and.b
//     shr.u32 %r2, %r1, 4;
//     and.b32 %r4, %r3, 15;
//     shr.u64 %rd16, %rd15, 6;
//     div.u32 %r8, %r6, %r7;
//     and.b32 %r10, %r9, 3;
//     shr.u32 %r15, %r14, 3;
//     and.b32 %r17, %r16, 3;
//     and.b32 %r19, %r18, 7;
//     shr.u32 %r21, %r20, 5;
//     and.b32 %r31, %r30, 31;

// $ raddle run %s --device=ptx-emu --input=3x70xf32=random --quiet
// correct: all 210 elements equal the reference bit for bit

// $ raddle run %s --device=ptx-emu --input=130x1xf32=random --quiet
// correct: all 130 elements equal the reference bit for bit
