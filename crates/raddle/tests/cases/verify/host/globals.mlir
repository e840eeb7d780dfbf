// A global is accessed as what it is.
// RUN: raddle check %s --split-input-file
util.global mutable @g : !hal.buffer
util.global @t : tensor<4xf32>
util.func @f(%b: !hal.buffer, %v: !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {
  util.global.store %b, @g : !hal.buffer
  util.return
}

// -----
util.global mutable @g : !hal.buffer
util.global @t : tensor<4xf32>
util.func @f(%b: !hal.buffer, %v: !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {
  %0 = util.global.load @t : tensor<?xf32>
  util.return
}

// -----
util.global mutable @g : !hal.buffer
util.global @t : tensor<4xf32>
util.func @f(%b: !hal.buffer, %v: !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {
  util.global.store %v, @g : !hal.buffer_view
  util.return
}

// -----
util.global mutable @g : !hal.buffer
util.global @t : tensor<4xf32>
util.func @f(%b: !hal.buffer, %v: !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {
  %0 = util.global.load @h : i32
  util.return
}

// -----
util.global mutable @g : !hal.buffer
util.global @t : tensor<4xf32>
util.func @f(%b: !hal.buffer, %v: !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {
  util.global.store.indirect %b, %p : !hal.buffer -> !util.ptr<!hal.buffer>
  util.return
}

// -----
util.global mutable @g : !hal.buffer
util.global @t : tensor<4xf32>
util.func @f(%b: !hal.buffer, %v: !hal.buffer_view, %p: !util.ptr<!hal.buffer>) {
  util.global.store.indirect %v, %p : !hal.buffer_view -> !util.ptr<!hal.buffer>
  util.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'util.global.store' op global type mismatch; global "g" is '!hal.buffer' but store is '!hal.buffer_view'
//   --> verify/host/globals.mlir:22:3
//    |
// 19 | util.global mutable @g : !hal.buffer
//    | ------------------------------------ the global
// ...
// 22 |   util.global.store %v, @g : !hal.buffer_view
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.global.load' op undefined global: @h
//   --> verify/host/globals.mlir:30:3
//    |
// 30 |   %0 = util.global.load @h : i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'util.global.store.indirect' op global type mismatch; global pointer is '!hal.buffer' but store is '!hal.buffer_view'
//   --> verify/host/globals.mlir:46:3
//    |
// 46 |   util.global.store.indirect %v, %p : !hal.buffer_view -> !util.ptr<!hal.buffer>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
