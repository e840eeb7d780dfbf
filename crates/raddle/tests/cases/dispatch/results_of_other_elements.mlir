// A program that exports its result as other elements than it has is the host's side, too; who asks for a function by name
// is told that there is none.

// RUN: raddle run %s --function=main

util.func public @main$async(%wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
  %one = arith.constant dense<1.0> : tensor<f32>
  %0 = hal.tensor.barrier join(%one : tensor<f32>) => %signal : !hal.fence
  %1 = hal.tensor.export %0 : tensor<f64> as tensor<f32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// $ raddle run %s --function=main
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
//  = note: a `util.func` is one if all that it does with its buffers is to import and to export them
//  = help: a buffer is passed as elements of another type: `iree-compile --iree-input-demote-f64-to-f32=false` keeps `f64` as it is
// [exit status 2]
