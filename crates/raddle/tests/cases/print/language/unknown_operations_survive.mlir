// Operations outside the table stay as they are, where that is allowed.
// RUN: raddle opt %s --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
%0:2 = "my.op"() <{a = 1 : i8}> ({
^bb0(%arg0: !my.type<[a -> b]>):
  "my.end"(%arg0)[^bb1] : (!my.type<[a -> b]>) -> ()
^bb1:
  "my.stop"() : () -> ()
}) {b = #my.attr<"x" : 4x?>} : () -> (f32, tensor<*xi8>)

// $ raddle opt %s --verify-roundtrip --allow-unregistered-dialect | grep -vxFf %s
// module {
//   %0:2 = "my.op"() <{a = 1 : i8}> ({
//   ^bb0(%arg0: !my.type<[a -> b]>):
//     "my.end"(%arg0)[^bb1] : (!my.type<[a -> b]>) -> ()
//   ^bb1:  // pred: ^bb0
//     "my.stop"() : () -> ()
//   }) {b = #my.attr<"x" : 4x?>} : () -> (f32, tensor<*xi8>)
// }
