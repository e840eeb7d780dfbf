// A block of constants computes 32 bits for each of its keys, from the device or from nothing.
// RUN: raddle check %s --split-input-file
hal.executable @e {
  hal.executable.variant @v target(#hal.executable.target<"a", "b">) {
    hal.executable.constant.block(%d: !hal.device) -> i32 as "a" {
      %i = arith.constant 0 : i32
      %x = arith.constant 0.0 : f32
      hal.return %i : i32
    }
  }
}

// -----
hal.executable @e {
  hal.executable.variant @v target(#hal.executable.target<"a", "b">) {
    hal.executable.constant.block(%d: !hal.device) -> (i32, i32) as ("a") {
      %i = arith.constant 0 : i32
      %x = arith.constant 0.0 : f32
      hal.return %i, %i : i32, i32
    }
  }
}

// -----
hal.executable @e {
  hal.executable.variant @v target(#hal.executable.target<"a", "b">) {
    hal.executable.constant.block() -> (i32, i32) as ("a", "b") {
      %i = arith.constant 0 : i32
      %x = arith.constant 0.0 : f32
      hal.return %i : i32
    }
  }
}

// -----
hal.executable @e {
  hal.executable.variant @v target(#hal.executable.target<"a", "b">) {
    hal.executable.constant.block() -> i32 as "a" {
      %i = arith.constant 0 : i32
      %x = arith.constant 0.0 : f32
      hal.return %x : f32
    }
  }
}

// -----
hal.executable @e {
  hal.executable.variant @v target(#hal.executable.target<"a", "b">) {
    hal.executable.constant.block(%d: i32) -> i32 as "a" {
      %i = arith.constant 0 : i32
      %x = arith.constant 0.0 : f32
      hal.return %i : i32
    }
  }
}

// -----
hal.executable @e {
  hal.executable.variant @v target(#hal.executable.target<"a", "b">) {
    hal.executable.constant.block() -> f32 as "a" {
      %i = arith.constant 0 : i32
      %x = arith.constant 0.0 : f32
      hal.return %x : f32
    }
  }
}

// $ raddle check %s --split-input-file
// error[E0201]: 'hal.executable.constant.block' op must have one key for every result
//   --> verify/host/constant_blocks.mlir:16:5
//    |
// 16 |     hal.executable.constant.block(%d: !hal.device) -> (i32, i32) as ("a") {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'hal.return' op return must have the same number of operands as the parent result signature (have 1, expected 2)
//   --> verify/host/constant_blocks.mlir:30:7
//    |
// 30 |       hal.return %i : i32
//    |       ^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'hal.return' op parent expected result 0 to be 'i32' but returning 'f32'
//   --> verify/host/constant_blocks.mlir:41:7
//    |
// 41 |       hal.return %x : f32
//    |       ^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'hal.executable.constant.block' op initializer must take a !hal.device or nothing
//   --> verify/host/constant_blocks.mlir:49:5
//    |
// 49 |     hal.executable.constant.block(%d: i32) -> i32 as "a" {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'hal.executable.constant.block' op initializer must return only i32 values (result 0 is 'f32')
//   --> verify/host/constant_blocks.mlir:60:5
//    |
// 60 |     hal.executable.constant.block() -> f32 as "a" {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
