// What an encoding leaves open, what is looked up by name, and what may be given otherwise.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: !hal.device, %arg1: !util.buffer, %arg2: i64) {
    %0:2 = hal.device.query<%arg0 : !hal.device> key("a" :: "b") : i1, i32 = 7 : i32
    %1 = hal.encoding_type<dense_row_major> : i32
    %2 = flow.parameter.load %arg1::%arg1[%arg2] : tensor<4xf32>
    %3 = flow.parameter.load %arg1[%arg2] : tensor<4xf32>
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
