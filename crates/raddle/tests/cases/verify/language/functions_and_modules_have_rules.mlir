// Rules of functions, modules and what they end with.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f()

// -----
func.func private @f(i32 {own})

// -----
func.func private @f() -> (i32 {own})

// -----
module attributes {own} {}

// -----
"t.op"() ({ func.return }) : () -> ()

// -----
"builtin.unrealized_conversion_cast"() : () -> ()

// -----
%0 = func.constant @f : () -> ()

// -----
func.func private @f(i8)
%0 = func.constant @f : () -> ()

// -----
%0 = func.constant "f" : () -> ()

// -----
%0 = arith.constant 1 : si8

// -----
%0 = arith.constant 0 : i0
%1 = "arith.addi"(%0, %0) : (i0, i0) -> i0

// -----
func.func @f() attributes {sym_visibility = "private"} { return }

// -----
""() : () -> ()

// -----
func.func private @$f()

// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([1, 2]), ^a, ^a
^a:
  return
}

// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([1]), ^a, ^a
^a:
  return
}

// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([0, 0]), ^a, ^a
^a:
  return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0201]: 'func.func' op symbol declaration cannot have public visibility: it has no body
//  --> verify/language/functions_and_modules_have_rules.mlir:3:1
//   |
// 3 | func.func @f()
//   | ^^^^^^^^^^^^^^
//   |
//   = help: write `private` in front of the name
//
// error[E0201]: 'func.func' op arguments may only have dialect attributes, which `own` is not
//  --> verify/language/functions_and_modules_have_rules.mlir:6:1
//   |
// 6 | func.func private @f(i32 {own})
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op results may only have dialect attributes, which `own` is not
//  --> verify/language/functions_and_modules_have_rules.mlir:9:1
//   |
// 9 | func.func private @f() -> (i32 {own})
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'builtin.module' op can only contain attributes with dialect-prefixed names, which `own` is not
//   --> verify/language/functions_and_modules_have_rules.mlir:12:1
//    |
// 12 | module attributes {own} {}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.return' op expects parent op 'func.func'
//   --> verify/language/functions_and_modules_have_rules.mlir:15:13
//    |
// 15 | "t.op"() ({ func.return }) : () -> ()
//    |             ^^^^^^^^^^^
//
// error[E0201]: 'builtin.unrealized_conversion_cast' op expected at least one result for cast operation
//   --> verify/language/functions_and_modules_have_rules.mlir:18:1
//    |
// 18 | "builtin.unrealized_conversion_cast"() : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0103]: reference to undefined function 'f'
//   --> verify/language/functions_and_modules_have_rules.mlir:21:1
//    |
// 21 | %0 = func.constant @f : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.constant' op reference to function with mismatched type
//   --> verify/language/functions_and_modules_have_rules.mlir:25:1
//    |
// 24 | func.func private @f(i8)
//    | ------------------------ declared here
// 25 | %0 = func.constant @f : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.constant' op invalid kind of attribute specified: the value is the name of a function
//   --> verify/language/functions_and_modules_have_rules.mlir:28:1
//    |
// 28 | %0 = func.constant "f" : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.constant' op integer return type must be signless
//   --> verify/language/functions_and_modules_have_rules.mlir:31:1
//    |
// 31 | %0 = arith.constant 1 : si8
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.addi' op operand #0 must be signless-integer-like, but got 'i0'
//   --> verify/language/functions_and_modules_have_rules.mlir:35:1
//    |
// 35 | %1 = "arith.addi"(%0, %0) : (i0, i0) -> i0
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `lhs`: a signless integer or index, or a vector or tensor of these
//
// error[E0101]: 'sym_visibility' is an inferred attribute and should not be specified in the explicit attribute dictionary
//   --> verify/language/functions_and_modules_have_rules.mlir:38:16
//    |
// 38 | func.func @f() attributes {sym_visibility = "private"} { return }
//    |                ^^^^^^^^^^
//
// error[E0101]: empty operation name is invalid
//   --> verify/language/functions_and_modules_have_rules.mlir:41:1
//    |
// 41 | ""() : () -> ()
//    | ^^
//
// error[E0101]: expected valid '@'-identifier for symbol name, found `@$f`
//   --> verify/language/functions_and_modules_have_rules.mlir:44:19
//    |
// 44 | func.func private @$f()
//    |                   ^^^ expected valid '@'-identifier for symbol name
//    |
//    = help: put other names in quotes, as in `@"2d"`
//
// error[E0201]: 'cf.cond_br' op expects number of branch weights to match number of successors: 1 vs 2
//   --> verify/language/functions_and_modules_have_rules.mlir:55:3
//    |
// 55 |   cf.cond_br %c weights([1]), ^a, ^a
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'cf.cond_br' op branch weights cannot all be zero
//   --> verify/language/functions_and_modules_have_rules.mlir:62:3
//    |
// 62 |   cf.cond_br %c weights([0, 0]), ^a, ^a
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 16 diagnostics
// [exit status 1]
