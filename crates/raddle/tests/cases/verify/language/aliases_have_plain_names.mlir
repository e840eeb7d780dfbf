// An alias has no dot in its name; its attribute may state a type.
// RUN: raddle check %s --split-input-file
#t.x = 3

// -----
!t.x = i32

// $ raddle check %s --split-input-file
// error[E0101]: attribute names with a '.' are reserved for dialect-defined names
//  --> verify/language/aliases_have_plain_names.mlir:3:1
//   |
// 3 | #t.x = 3
//   | ^^^^
//
// error[E0101]: type names with a '.' are reserved for dialect-defined names
//  --> verify/language/aliases_have_plain_names.mlir:6:1
//   |
// 6 | !t.x = i32
//   | ^^^^
//
// 2 diagnostics
// [exit status 1]
