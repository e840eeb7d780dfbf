// The metadata of a file is kept: of the builtin resources, those that are used.
// RUN: raddle opt %s --verify-roundtrip --allow-unregistered-dialect
"t.op"() {a = dense_resource<r> : tensor<1xi8>, b = dense_resource<"a b"> : tensor<1xi8>} : () -> ()
{-#
  dialect_resources: {
    builtin: {
      r: "0x01000000ff",
      unused: "0x0100000001",
"a b": "0x0100000002"
    }
  },
  external_resources: { tool: { on: true, text: "x" } }
#-}

// $ raddle opt %s --verify-roundtrip --allow-unregistered-dialect
// module {
//   "t.op"() {a = dense_resource<r> : tensor<1xi8>, b = dense_resource<"a b"> : tensor<1xi8>} : () -> ()
// }
//
// {-#
//   dialect_resources: {
//     builtin: {
//       r: "0x01000000FF",
//       "a b": "0x0100000002"
//     }
//   },
//   external_resources: {
//     tool: {
//       on: true,
//       text: "x"
//     }
//   }
// #-}
