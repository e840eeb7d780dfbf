// Space may stand between the name of a type and what it is made of.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
func.func @f(%a: tensor
 <4xf32>, %b: vector <2xf32>, %c: memref // of bytes
 <3xi8>) { return }

// -----
func.func @f(%a: tensor<4xf32>, %b: vector<2xf32>, %c: memref<3xi8>) { return }

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// module {
//   func.func @f(%arg0: tensor<4xf32>, %arg1: vector<2xf32>, %arg2: memref<3xi8>) {
//     return
//   }
// }
// module {
//   func.func @f(%arg0: tensor<4xf32>, %arg1: vector<2xf32>, %arg2: memref<3xi8>) {
//     return
//   }
// }
