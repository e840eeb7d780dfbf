// Aliases of locations stand behind the module unless something in it needs them in front.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
"t.op"() : () -> () loc(#nowhere)

// -----
#a = 1
"t.op"() : () -> () loc(#a)

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0103]: undefined symbol alias id 'nowhere'
//  --> verify/language/aliases_of_locations.mlir:3:25
//   |
// 3 | "t.op"() : () -> () loc(#nowhere)
//   |                         ^^^^^^^^
//
// error[E0107]: expected a location such as `loc("file.mlir":1:2)`
//  --> verify/language/aliases_of_locations.mlir:7:25
//   |
// 7 | "t.op"() : () -> () loc(#a)
//   |                         ^^
//
// 2 diagnostics
// [exit status 1]
