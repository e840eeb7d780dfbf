// What divides itself is 1, what an expression leaves when its multiple is taken away is a remainder, and a set
// without constraints leaves nothing out.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
func.func private @f(memref<4xf32, affine_map<(d0)[s0] -> (d0)>>)

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
// module {
//   func.func private @f(memref<4xf32>)
// }
