// A sum in which numbers cancel out is what remains, and not the first of them.
// RUN: raddle opt %s --canonicalize
func.func @f(%a: index, %b: index, %c: index, %l: index) -> (index, index, index) {
  %s = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%b, %c)
  %h = affine.apply affine_map<(d0, d1, d2, d3) -> (d0 - d1 + d2 - d3)>(%a, %b, %c, %l)
  %all = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2)>(%s, %l, %h)
  %more = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 * 2)>(%s, %l, %h)
  %least = affine.min affine_map<(d0, d1, d2) -> (d0 + d1 + d2)>(%s, %l, %h)
  return %all, %more, %least : index, index, index
}

// $ raddle opt %s --canonicalize
// #map = affine_map<()[s0, s1, s2, s3] -> (-s0 + s1 - s2 + s3 * 2)>
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: index, %arg3: index) -> (index, index, index) {
//     %0 = affine.apply #map()[%arg1, %arg2, %arg3, %arg0]
//     return %arg0, %0, %arg0 : index, index, index
//   }
// }
