// A missing token is missed at the end of its line, not where the next line starts.
// RUN: raddle check %s --allow-unregistered-dialect
"t.op"() // a comment

  // another
"t.op"() : () -> ()

// $ raddle check %s --allow-unregistered-dialect
// error[E0101]: expected `:` followed by operation type, found `"t.op"`
//  --> verify/language/missing_tokens_end_lines.mlir:3:9
//   |
// 3 | "t.op"() // a comment
//   |         ^ expected `:` followed by operation type
// [exit status 1]
