// A function may end where nothing is said to come; a block may not be entered from behind.
// RUN: raddle check %s --split-input-file
func.func @f() {
ub.unreachable
}

// -----
func.func @f() {
util.unreachable "never"
}

// -----
func.func @f() {
llvm.unreachable
}

// -----
func.func @f() {
ub.unreachable
return
}

// $ raddle check %s --split-input-file
// error[E0203]: 'ub.unreachable' op is not the last operation of its block
//   --> verify/language/ends_of_functions.mlir:19:1
//    |
// 19 | ub.unreachable
//    | ^^^^^^^^^^^^^^
// [exit status 1]
