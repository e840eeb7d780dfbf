// What a global begins with is of its type.
// RUN: raddle check %s --split-input-file
util.global @g : i3 = 2 : i3

// -----
util.global @g = 2 : i3

// -----
util.global @g : i3 = 2

// $ raddle check %s --split-input-file
// error[E0201]: 'util.global' op initial value type mismatch: the global is 'i3'
//  --> verify/language/globals_begin_with_values_of_their_type.mlir:9:1
//   |
// 9 | util.global @g : i3 = 2
//   | ^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
