// Properties of an operation that nobody knows stay apart from its other attributes.
// RUN: raddle opt %s --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
module {
  "t.op"() <{a = 1 : i32, "b c"}> {a = 2 : i64} : () -> ()
}

// $ raddle opt %s --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
