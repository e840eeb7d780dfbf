// A sequence stands in a table that says so, says nothing else, and does not come to run itself.
// RUN: raddle check %s --split-input-file
module attributes {transform.with_named_sequence} {
transform.named_sequence @s() {
transform.yield
}
}

// -----
module {
transform.named_sequence @s() {
transform.yield
}
}

// -----
module attributes {transform.with_names, transform.with_named_sequence} {
transform.named_sequence @s() {
transform.yield
}
}

// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s() {
transform.include @s failures(propagate) () : () -> ()
transform.yield
}
}

// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @s() {
transform.include @t failures(propagate) () : () -> ()
transform.yield
}
transform.named_sequence @t() {
transform.include @s failures(propagate) () : () -> ()
transform.yield
}
}

// -----
module attributes {transform.with_named_sequence} {
func.func private @f() attributes {transform.with_named_sequence}
}

// -----
module attributes {transform.with_named_sequence} {
func.func @f() {
transform.named_sequence @s() {
transform.yield
}
return
}
transform.named_sequence @s() {
transform.yield
}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.named_sequence' op expects the parent symbol table to have the 'transform.with_named_sequence' attribute
//   --> verify/transform/tables_of_sequences.mlir:11:1
//    |
// 10 | module {
//    | -------- symbol table operation
// 11 | transform.named_sequence @s() {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: unknown attribute: "transform.with_names"
//   --> verify/transform/tables_of_sequences.mlir:17:1
//    |
// 17 | module attributes {transform.with_names, transform.with_named_sequence} {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: recursion not allowed in named sequences
//   --> verify/transform/tables_of_sequences.mlir:25:1
//    |
// 25 | transform.named_sequence @s() {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: recursion not allowed in named sequences
//   --> verify/transform/tables_of_sequences.mlir:37:1
//    |
// 33 | transform.named_sequence @s() {
//    | ------------------------------- operation on recursion stack
// ...
// 37 | transform.named_sequence @t() {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0107]: "transform.with_named_sequence" attribute can only be attached to operations with symbol tables
//   --> verify/transform/tables_of_sequences.mlir:45:1
//    |
// 45 | func.func private @f() attributes {transform.with_named_sequence}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.named_sequence' op symbol's parent must have the SymbolTable trait
//   --> verify/transform/tables_of_sequences.mlir:51:1
//    |
// 51 | transform.named_sequence @s() {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
