// Functions have linkage, bodies and attributes that fit.
// RUN: raddle check %s --split-input-file
llvm.func common @f()

// -----
llvm.func internal @f()

// -----
llvm.func @f(tensor<*xf32>)

// -----
llvm.func @f() -> index

// -----
llvm.func @f() -> (i64, i64)

// -----
llvm.func @f() -> ()

// -----
llvm.func @f(i32, ..., i32)

// -----
llvm.func cc_12 @f()

// -----
"llvm.func"() {function_type = !llvm.func<void ()>, sym_name = "f"} : () -> ()

// -----
llvm.func @f() attributes {no_inline, always_inline} { llvm.return }

// -----
llvm.func @f() attributes {optimize_none} { llvm.return }

// -----
llvm.func @f(%a: i32) -> i32 { llvm.return }

// -----
llvm.func @f(%a: i32) { llvm.return %a : i32 }

// -----
llvm.func @f(%a: i32) -> i64 { llvm.return %a : i32 }

// -----
func.func @f() { llvm.return }

// -----
llvm.func @f() comdat(@g) { llvm.return }

// -----
llvm.func @f() {
  llvm.blocktag <id = 1>
  llvm.blocktag <id = 1>
  llvm.return
}

// -----
llvm.func @f() attributes {target_features = #llvm.target_features<["sme"]>}

// -----
llvm.func @f() attributes {target_features = #llvm.target_features<["+sme"]>}

// -----
llvm.func @f() { llvm.linker_options ["a"] llvm.return }

// -----
func.func private @f() attributes {nvvm.kernel}

// -----
llvm.func @f() attributes {nvvm.maxntid = 1 : i32}

// -----
llvm.func @f() attributes {nvvm.maxnreg = 1 : i32}

// -----
llvm.func @f() attributes {nvvm.blocksareclusters}

// -----
"llvm.func"() ({}) {sym_name = "f", CConv = #llvm.cconv<cc_12>, function_type = !llvm.func<void ()>} : () -> ()

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.func' op functions cannot have 'common' linkage
//  --> verify/llvm/functions.mlir:3:1
//   |
// 3 | llvm.func common @f()
//   | ^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op external functions must have 'external' or 'extern_weak' linkage
//  --> verify/llvm/functions.mlir:6:1
//   |
// 6 | llvm.func internal @f()
//   | ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: failed to construct function type: expected LLVM type for function arguments
//  --> verify/llvm/functions.mlir:9:14
//   |
// 9 | llvm.func @f(tensor<*xf32>)
//   |              ^^^^^^
//
// error[E0101]: failed to construct function type: expected LLVM type for function results
//   --> verify/llvm/functions.mlir:12:19
//    |
// 12 | llvm.func @f() -> index
//    |                   ^^^^^
//
// error[E0101]: failed to construct function type: expected zero or one function result
//   --> verify/llvm/functions.mlir:15:23
//    |
// 15 | llvm.func @f() -> (i64, i64)
//    |                       ^
//
// error[E0101]: variadic arguments must be in the end of the argument list
//   --> verify/llvm/functions.mlir:21:24
//    |
// 21 | llvm.func @f(i32, ..., i32)
//    |                        ^^^
//
// error[E0101]: expected valid '@'-identifier for symbol name, found `cc_12`
//   --> verify/llvm/functions.mlir:24:11
//    |
// 24 | llvm.func cc_12 @f()
//    |           ^^^^^ expected valid '@'-identifier for symbol name
//
// error[E0203]: 'llvm.func' op requires one region, not 0
//   --> verify/llvm/functions.mlir:27:1
//    |
// 27 | "llvm.func"() {function_type = !llvm.func<void ()>, sym_name = "f"} : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op no_inline and always_inline attributes are incompatible
//   --> verify/llvm/functions.mlir:30:1
//    |
// 30 | llvm.func @f() attributes {no_inline, always_inline} { llvm.return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op with optimize_none must also be no_inline
//   --> verify/llvm/functions.mlir:33:1
//    |
// 33 | llvm.func @f() attributes {optimize_none} { llvm.return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.return' op expected 1 operand
//   --> verify/llvm/functions.mlir:36:32
//    |
// 36 | llvm.func @f(%a: i32) -> i32 { llvm.return }
//    | -------------------------------^^^^^^^^^^^-- when returning from function
//
// error[E0201]: 'llvm.return' op expected no operands
//   --> verify/llvm/functions.mlir:39:25
//    |
// 39 | llvm.func @f(%a: i32) { llvm.return %a : i32 }
//    | ------------------------^^^^^^^^^^^^^^^^^^^^-- when returning from function
//
// error[E0201]: 'llvm.return' op mismatching result types
//   --> verify/llvm/functions.mlir:42:32
//    |
// 42 | llvm.func @f(%a: i32) -> i64 { llvm.return %a : i32 }
//    | -------------------------------^^^^^^^^^^^^^^^^^^^^-- when returning from function
//
// error[E0201]: 'llvm.func' op expected comdat symbol
//   --> verify/llvm/functions.mlir:48:1
//    |
// 48 | llvm.func @f() comdat(@g) { llvm.return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.blocktag' op duplicate block tag '1' in the same function
//   --> verify/llvm/functions.mlir:53:3
//    |
// 53 |   llvm.blocktag <id = 1>
//    |   ^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op target features must start with '+' or '-'
//   --> verify/llvm/functions.mlir:58:1
//    |
// 58 | llvm.func @f() attributes {target_features = #llvm.target_features<["sme"]>}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.linker_options' op must appear at the module level
//   --> verify/llvm/functions.mlir:64:18
//    |
// 64 | llvm.func @f() { llvm.linker_options ["a"] llvm.return }
//    |                  ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op 'nvvm.kernel' attribute attached to unexpected op
//   --> verify/llvm/functions.mlir:67:1
//    |
// 67 | func.func private @f() attributes {nvvm.kernel}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op '"nvvm.maxntid"' attribute must be integer array with maximum 3 index
//   --> verify/llvm/functions.mlir:70:1
//    |
// 70 | llvm.func @f() attributes {nvvm.maxntid = 1 : i32}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op '"nvvm.blocksareclusters"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'
//   --> verify/llvm/functions.mlir:76:1
//    |
// 76 | llvm.func @f() attributes {nvvm.blocksareclusters}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op cannot have this value for `CConv`
//   --> verify/llvm/functions.mlir:79:1
//    |
// 79 | "llvm.func"() ({}) {sym_name = "f", CConv = #llvm.cconv<cc_12>, function_type = !llvm.func<void ()>} : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 21 diagnostics
// [exit status 1]
