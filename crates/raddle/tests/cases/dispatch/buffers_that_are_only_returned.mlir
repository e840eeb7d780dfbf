// A handle that is returned as it came, and imported nowhere, is the caller's: nothing says what it holds.

// RUN: raddle run %s

util.func public @main(%x: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> !hal.buffer_view {
  hal.fence.signal<%signal : !hal.fence>
  util.return %x : !hal.buffer_view
}

// $ raddle run %s
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
//  = note: a `util.func` is one if all that it does with its buffers is to import and to export them
//  = help: an argument is returned as it came and imported nowhere, so that nothing says what it holds: its caller has it
// [exit status 2]
