// A program that imports a buffer as other elements than it holds is the host's side, and there is nothing to run.

// RUN: raddle run %s

util.func public @main$async(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
  %0 = hal.tensor.import wait(%wait) => %x : !hal.buffer_view -> tensor<4xf64> as tensor<4xf32>
  %1 = hal.tensor.barrier join(%0 : tensor<4xf32>) => %signal : !hal.fence
  %2 = hal.tensor.export %1 : tensor<4xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}

// $ raddle run %s
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
//  = note: a `util.func` is one if all that it does with its buffers is to import and to export them
//  = help: a buffer is passed as elements of another type: `iree-compile --iree-input-demote-f64-to-f32=false` keeps `f64` as it is
// [exit status 2]
