// Names, literals and expressions that mean nothing are told apart.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
"func.near"() : () -> ()

// -----
func.func @f(%a: i8, %a: i8) { return }

// -----
"t.op"(%a) : (i8) -> ()
%a = "t.op"() : () -> i9

// -----
%a = "t.op"() : () -> ()

// -----
"t.op"() {a, a} : () -> ()

// -----
#a = sparse<[[0, 1], [2, 0]], [1, 1]> : tensor<2x2xi8>

// -----
#a = sparse<[[0, -1]], 1> : tensor<2x2xi8>

// -----
#a = affine_map<(i) -> (i + )>

// -----
#a = affine_map<(i) -> (* i)>

// -----
#a = affine_map<(i) -> (())>

// -----
#a = affine_map<(i, j) -> (i mod j)>

// -----
#a = -1 : ui8

// -----
#a = -0x1 : f32

// -----
#a = #t<(]>

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0102]: unregistered operation 'func.near' found in dialect ('func') that does not allow unknown operations
//  --> verify/language/slips_of_the_pen_have_their_own_words.mlir:3:1
//   |
// 3 | "func.near"() : () -> ()
//   | ^^^^^^^^^^^
//
// error[E0103]: region entry argument `%a` is already in use
//  --> verify/language/slips_of_the_pen_have_their_own_words.mlir:6:22
//   |
// 6 | func.func @f(%a: i8, %a: i8) { return }
//   |              --      ^^
//   |              |
//   |              previously referenced here
//
// error[E0104]: definition of SSA value '%a#0' has type `i9`
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:10:1
//    |
//  9 | "t.op"(%a) : (i8) -> ()
//    |        -- previously used here with type `i8`
// 10 | %a = "t.op"() : () -> i9
//    | ^^
//
// error[E0101]: cannot name an operation with no results, as `t.op` is one
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:13:1
//    |
// 13 | %a = "t.op"() : () -> ()
//    | ^^
//
// error[E0103]: duplicate key 'a' in dictionary attribute
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:16:14
//    |
// 16 | "t.op"() {a, a} : () -> ()
//    |              ^
//
// error[E0101]: sparse index #1 is not contained within the value shape, with index=[2, 0], and type='tensor<2x2xi8>'
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:19:6
//    |
// 19 | #a = sparse<[[0, 1], [2, 0]], [1, 1]> : tensor<2x2xi8>
//    |      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: sparse index #0 is not contained within the value shape, with index=[0, -1], and type='tensor<2x2xi8>'
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:22:6
//    |
// 22 | #a = sparse<[[0, -1]], 1> : tensor<2x2xi8>
//    |      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected affine expression: missing right operand of binary op, found `)`
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:25:29
//    |
// 25 | #a = affine_map<(i) -> (i + )>
//    |                             ^ expected affine expression: missing right operand of binary op
//
// error[E0101]: expected affine expression: missing left operand of binary op, found `*`
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:28:25
//    |
// 28 | #a = affine_map<(i) -> (* i)>
//    |                         ^ expected affine expression: missing left operand of binary op
//
// error[E0101]: expected affine expression: no expression inside parentheses, found `)`
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:31:26
//    |
// 31 | #a = affine_map<(i) -> (())>
//    |                          ^ expected affine expression: no expression inside parentheses
//
// error[E0101]: non-affine expression: right operand of mod has to be either a constant or symbolic
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:34:30
//    |
// 34 | #a = affine_map<(i, j) -> (i mod j)>
//    |                              ^^^
//
// error[E0101]: negative integer literal not valid for unsigned integer type
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:37:6
//    |
// 37 | #a = -1 : ui8
//    |      ^^
//
// error[E0101]: hexadecimal float literal should not have a leading minus
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:40:6
//    |
// 40 | #a = -0x1 : f32
//    |      ^^^^
//
// error[E0101]: unbalanced `(` character in pretty dialect name, which `]` does not close
//   --> verify/language/slips_of_the_pen_have_their_own_words.mlir:43:10
//    |
// 43 | #a = #t<(]>
//    |          ^
//
// 14 diagnostics
// [exit status 1]
