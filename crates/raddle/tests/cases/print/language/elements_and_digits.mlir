// Elements that are named by their places may be strings, too; a constant of logic has as many bits as its digits
// ask.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '128 : ui12'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '8 : ui5'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '2 : ui4'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '0 : ui64'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '11 : ui4'
module attributes {t.a = sparse<[[0, 1], [1, 0]], ["x", "y"]> : tensor<2x2x!t.s>, t.b = sparse<> : tensor<4xf32>} {
}

// -----
module attributes {t.a = sparse<[[0, 1], [1, 0]], ["x", "y"]> : tensor<2x2x!t.s>, t.b = sparse<[], []> : tensor<4xf32>} {
}

// -----
module {
  func.func @f() {
    %0 = smt.int.constant 128
    return
  }
}

// -----
module {
  func.func @f() {
    %0 = smt.int.constant 8
    return
  }
}

// -----
module {
  func.func @f() {
    %0 = smt.int.constant 2
    return
  }
}

// -----
module {
  func.func @f() {
    %0 = smt.int.constant 0
    return
  }
}

// -----
module {
  func.func @f() {
    %0 = smt.int.constant -5
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '128 : ui12'
//     %0 = "smt.int.constant"() <{value = 128 : ui12}> : () -> !smt.int

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '8 : ui5'
//     %0 = "smt.int.constant"() <{value = 8 : ui5}> : () -> !smt.int

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '2 : ui4'
//     %0 = "smt.int.constant"() <{value = 2 : ui4}> : () -> !smt.int

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '0 : ui64'
//     %0 = "smt.int.constant"() <{value = 0 : ui64}> : () -> !smt.int

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '11 : ui4'
//     %0 = "smt.int.constant"() <{value = 11 : ui4}> : () -> !smt.int
