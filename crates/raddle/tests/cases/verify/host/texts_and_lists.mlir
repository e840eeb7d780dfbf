// A text has a place for each of its arguments, and a list holds what its type says.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: index) {
  %0 = util.string.format "{}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{0}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{{{}}}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{0} and {0}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format ""(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{}{}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{1}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{0}{}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{4294967295}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = util.string.format "{x}"(%arg0) : (index) -> !util.buffer
  return
}

// -----
func.func @f(%arg0: i64) {
  %0 = util.list.construct [%arg0 : i64] : !util.list<i32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:28:3
//    |
// 28 |   %0 = util.string.format ""(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:34:3
//    |
// 34 |   %0 = util.string.format "{}{}"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:40:3
//    |
// 40 |   %0 = util.string.format "{1}"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:46:3
//    |
// 46 |   %0 = util.string.format "{0}{}"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:52:3
//    |
// 52 |   %0 = util.string.format "{"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:58:3
//    |
// 58 |   %0 = util.string.format "}"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:64:3
//    |
// 64 |   %0 = util.string.format "{4294967295}"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.string.format' op format string placeholder count does not match the 1 provided argument(s)
//   --> verify/host/texts_and_lists.mlir:70:3
//    |
// 70 |   %0 = util.string.format "{x}"(%arg0) : (index) -> !util.buffer
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.list.construct' op list[0] type 'i64' cannot be be cast to list type 'i32'
//   --> verify/host/texts_and_lists.mlir:76:3
//    |
// 76 |   %0 = util.list.construct [%arg0 : i64] : !util.list<i32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 9 diagnostics
// [exit status 1]
