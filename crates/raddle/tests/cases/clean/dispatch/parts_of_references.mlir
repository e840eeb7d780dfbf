// Parts of shared references state known offsets; their sizes belong to their types.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%s: !pcf.sref<32xf32, #pcf.sequential>) {
  %c5 = arith.constant 5 : index  %t = pcf.read_slice %s[%c5] [8] [1] : !pcf.sref<32xf32, #pcf.sequential> to tensor<8xf32>
  "test.use"(%t) : (tensor<8xf32>) -> ()
  return
}

// -----
func.func @f(%s: !pcf.sref<32xf32, #pcf.sequential>) {
  %c5 = arith.constant 5 : index  %t = pcf.read_slice %s[%c5] [%c5] [1] : !pcf.sref<32xf32, #pcf.sequential> to tensor<?xf32>
  "test.use"(%t) : (tensor<?xf32>) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: !pcf.sref<32xf32, #pcf.sequential>) {
//     %0 = pcf.read_slice %arg0[5] [8] [1] : !pcf.sref<32xf32, #pcf.sequential> to tensor<8xf32>
//     "test.use"(%0) : (tensor<8xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: !pcf.sref<32xf32, #pcf.sequential>) {
//     %c5 = arith.constant 5 : index
//     %0 = pcf.read_slice %arg0[%c5] [%c5] [1] : !pcf.sref<32xf32, #pcf.sequential> to tensor<?xf32>
//     "test.use"(%0) : (tensor<?xf32>) -> ()
//     return
//   }
// }
