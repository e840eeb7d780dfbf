// Expected diagnostics are met; unexpected ones fail unless only expected ones are compared.
// RUN: raddle opt %s --split-input-file --verify-diagnostics
// RUN: raddle opt %s --split-input-file --verify-diagnostics=only-expected
func.func @f() {
  // expected-error @+1 {{undeclared}}
  %0 = arith.addf %1, %1 : f32
  return
}

// -----
func.func @f() {
  // expected-error @+1 {{undeclared}}
  %0 = arith.addf %1, %1 : f32
  return
}
func.func @g() {
  %0 = arith.addf %2, %2 : f32
  return
}

// -----
func.func @f() {
  // expected-error @+1 {{good}}
  %0 = arith.addf %1, %1 : f32
  return
}

// -----

// $ raddle opt %s --split-input-file --verify-diagnostics
//
//
//
// module {
// }
// opt/expected_diagnostics_are_compared.mlir:17: error: unexpected error: use of undeclared SSA value name `%2`
// opt/expected_diagnostics_are_compared.mlir:23: error: expected error "good" was not produced
// opt/expected_diagnostics_are_compared.mlir:24: error: unexpected error: use of undeclared SSA value name `%1`
// [exit status 1]

// $ raddle opt %s --split-input-file --verify-diagnostics=only-expected
//
//
//
// module {
// }
// opt/expected_diagnostics_are_compared.mlir:23: error: expected error "good" was not produced
// [exit status 1]
