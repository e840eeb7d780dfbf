// Every form of a location is printed as it was read; what states none has its place in the file.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope | grep -v module
"t.op"() : () -> () loc("f.mlir":3:4)

// -----
"t.op"() : () -> () loc("f.mlir":3:4 to :9)

// -----
"t.op"() : () -> () loc("f.mlir":3:4 to 5:6)

// -----
"t.op"() : () -> () loc("name")

// -----
"t.op"() : () -> () loc("name"("f.mlir":1:2))

// -----
"t.op"() : () -> () loc(callsite("callee" at "f.mlir":1:2))

// -----
"t.op"() : () -> () loc(fused["a", "b"])

// -----
"t.op"() : () -> () loc(fused<{x = 1 : i64}>["a", "b"])

// -----
"t.op"() : () -> () loc(unknown)

// -----
module {
  %0:2 =   "t.op"() : () -> (i1, i2)
} loc(unknown)

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --mlir-print-debuginfo --mlir-print-local-scope | grep -v module
//   "t.op"() : () -> () loc("f.mlir":3:4)
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc("f.mlir":3:4 to :9)
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc("f.mlir":3:4 to 5:6)
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc("name")
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc("name"("f.mlir":1:2))
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc(callsite("callee" at "f.mlir":1:2))
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc(fused["a", "b"])
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc(fused<{x = 1 : i64}>["a", "b"])
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   "t.op"() : () -> () loc(unknown)
// } loc("print/language/locations_in_all_forms.mlir":0:0)
//
//   %0:2 = "t.op"() : () -> (i1, i2) loc("print/language/locations_in_all_forms.mlir":2:12)
// } loc(unknown)
