// An element that several operations use is computed once by scalar loops: of a chain in which each step uses the one in front
// of it twice, each step would be twice as much as the one before.
// RUN: raddle run %s | grep correct
func.func @chain(%x: tensor<8xi32>) -> tensor<8xi32> attributes {translation_info = #iree_codegen.translation_info<pipeline = LLVMGPUDistribute workgroup_size = [32, 1, 1]>} {
  %0 = arith.addi %x, %x : tensor<8xi32>
  %1 = arith.xori %0, %x : tensor<8xi32>
  %2 = arith.addi %1, %1 : tensor<8xi32>
  %3 = arith.xori %2, %1 : tensor<8xi32>
  %4 = arith.addi %3, %3 : tensor<8xi32>
  %5 = arith.xori %4, %3 : tensor<8xi32>
  %6 = arith.addi %5, %5 : tensor<8xi32>
  %7 = arith.xori %6, %5 : tensor<8xi32>
  %8 = arith.addi %7, %7 : tensor<8xi32>
  %9 = arith.xori %8, %7 : tensor<8xi32>
  %10 = arith.addi %9, %9 : tensor<8xi32>
  %11 = arith.xori %10, %9 : tensor<8xi32>
  %12 = arith.addi %11, %11 : tensor<8xi32>
  %13 = arith.xori %12, %11 : tensor<8xi32>
  %14 = arith.addi %13, %13 : tensor<8xi32>
  %15 = arith.xori %14, %13 : tensor<8xi32>
  %16 = arith.addi %15, %15 : tensor<8xi32>
  %17 = arith.xori %16, %15 : tensor<8xi32>
  %18 = arith.addi %17, %17 : tensor<8xi32>
  %19 = arith.xori %18, %17 : tensor<8xi32>
  %20 = arith.addi %19, %19 : tensor<8xi32>
  %21 = arith.xori %20, %19 : tensor<8xi32>
  %22 = arith.addi %21, %21 : tensor<8xi32>
  %23 = arith.xori %22, %21 : tensor<8xi32>
  %24 = arith.addi %23, %23 : tensor<8xi32>
  %25 = arith.xori %24, %23 : tensor<8xi32>
  %26 = arith.addi %25, %25 : tensor<8xi32>
  %27 = arith.xori %26, %25 : tensor<8xi32>
  %28 = arith.addi %27, %27 : tensor<8xi32>
  %29 = arith.xori %28, %27 : tensor<8xi32>
  %30 = arith.addi %29, %29 : tensor<8xi32>
  %31 = arith.xori %30, %29 : tensor<8xi32>
  %32 = arith.addi %31, %31 : tensor<8xi32>
  %33 = arith.xori %32, %31 : tensor<8xi32>
  %34 = arith.addi %33, %33 : tensor<8xi32>
  %35 = arith.xori %34, %33 : tensor<8xi32>
  %36 = arith.addi %35, %35 : tensor<8xi32>
  %37 = arith.xori %36, %35 : tensor<8xi32>
  %38 = arith.addi %37, %37 : tensor<8xi32>
  %39 = arith.xori %38, %37 : tensor<8xi32>
  return %39 : tensor<8xi32>
}

// $ raddle run %s | grep correct
// correct: all 8 elements equal the reference bit for bit
