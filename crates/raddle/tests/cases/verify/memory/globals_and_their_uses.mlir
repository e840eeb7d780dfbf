// A global is a buffer of known size with contents of its type, and is found under its name.
// RUN: raddle check %s --split-input-file
module {
memref.global "private" constant @g : memref<2xi8> = dense<[1, 2]>
func.func @f() {
%0 = memref.get_global @g : memref<2xi8>
return
}
}

// -----
module {
memref.global "private" constant @g : memref<2xi8> = dense<[1, 2]>
func.func @f() {
%0 = memref.get_global @g : memref<3xi8>
return
}
}

// -----
module {

func.func @f() {
%0 = memref.get_global @g : memref<3xi8>
return
}
}

// -----
module {
func.func private @g()
func.func @f() {
%0 = memref.get_global @g : memref<3xi8>
return
}
}

// -----
module {
memref.global @g : memref<?xi8>
func.func @f() {
%0 = memref.get_global @g : memref<?xi8>
return
}
}

// -----
"memref.global"() <{initial_value = dense<1> : tensor<3xi8>, sym_name = "g", type = memref<2xi8>}> : () -> ()

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.get_global' op result type 'memref<3xi8>' does not match type 'memref<2xi8>' of the global memref @g
//   --> verify/memory/globals_and_their_uses.mlir:15:1
//    |
// 13 | memref.global "private" constant @g : memref<2xi8> = dense<[1, 2]>
//    | ------------------------------------------------------------------ declared here
// 14 | func.func @f() {
// 15 | %0 = memref.get_global @g : memref<3xi8>
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.get_global' op 'g' does not reference a valid global memref
//   --> verify/memory/globals_and_their_uses.mlir:24:1
//    |
// 24 | %0 = memref.get_global @g : memref<3xi8>
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.get_global' op 'g' does not reference a valid global memref
//   --> verify/memory/globals_and_their_uses.mlir:33:1
//    |
// 33 | %0 = memref.get_global @g : memref<3xi8>
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.global' op type should be static shaped memref, but got 'memref<?xi8>'
//   --> verify/memory/globals_and_their_uses.mlir:40:1
//    |
// 40 | memref.global @g : memref<?xi8>
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.global' op initial value shape expected to be 2 but was 3
//   --> verify/memory/globals_and_their_uses.mlir:48:1
//    |
// 48 | "memref.global"() <{initial_value = dense<1> : tensor<3xi8>, sym_name = "g", type = memref<2xi8>}> : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
