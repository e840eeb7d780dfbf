// The word of a builtin operation may go without its dialect, and a value may be spelled that goes without saying.
// RUN: raddle opt %s --mlir-print-op-generic
%0 = ub.poison <#ub.poison> : i8
%1 = unrealized_conversion_cast %0 : i8 to i9

// $ raddle opt %s --mlir-print-op-generic
// "builtin.module"() ({
//   %0 = "ub.poison"() <{value = #ub.poison}> : () -> i8
//   %1 = "builtin.unrealized_conversion_cast"(%0) : (i8) -> i9
// }) : () -> ()
