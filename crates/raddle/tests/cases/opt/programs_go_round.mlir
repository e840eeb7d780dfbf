// Text goes round, and two operations need a module.
// RUN: raddle opt %s --verify-roundtrip | grep func.func
// RUN: raddle opt %s --no-implicit-module
func.func @f(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %y = arith.addi %x, %c0 : index
  return %y : index
}
func.func @g(%x: index) -> index {
  %y = arith.muli %x, %x : index
  %z = arith.muli %x, %x : index
  %s = arith.addi %y, %z : index
  return %s : index
}

// $ raddle opt %s --verify-roundtrip | grep func.func
//   func.func @f(%arg0: index) -> index {
//   func.func @g(%arg0: index) -> index {

// $ raddle opt %s --no-implicit-module
// error[E0901]: the file has 2 operations at its top level, not one
//  |
//  = help: drop --no-implicit-module, and a module is put around them
// [exit status 2]
