// A launch names a kernel that is there and takes its operands.
// RUN: raddle check %s --split-input-file
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @n::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @h blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @m::@n blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @m::@g blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @m::@f blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global "private" @g : memref<1xf32>
    gpu.func @f(%a: f32) { gpu.return }
    gpu.func @k(%a: f32) kernel { gpu.return }
  }
  func.func @h(%n: index, %x: f32) {
    gpu.launch_func "k" blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----
gpu.module @m {
  memref.global "private" @g : memref<1xf32>
  gpu.func @f(%a: f32) { gpu.return }
  gpu.func @k(%a: f32) kernel { gpu.return }
}
func.func @h(%n: index, %x: f32) {
  gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// -----
func.func @f(%arg0: index) {
  "gpu.launch"(%arg0) ({}) : (index) -> ()
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'gpu.launch_func' op kernel container 'n' is undefined
//   --> verify/gpu/wrong_launches.mlir:23:5
//    |
// 23 |     gpu.launch_func @n::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op kernel module 'h' is undefined
//   --> verify/gpu/wrong_launches.mlir:36:5
//    |
// 36 |     gpu.launch_func @h blocks in (%n, %n, %n) threads in (%n, %n, %n)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op kernel function '@m::@n' is undefined
//   --> verify/gpu/wrong_launches.mlir:49:5
//    |
// 49 |     gpu.launch_func @m::@n blocks in (%n, %n, %n) threads in (%n, %n, %n)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op referenced kernel '@m::@g' is not a function
//   --> verify/gpu/wrong_launches.mlir:62:5
//    |
// 57 |     memref.global "private" @g : memref<1xf32>
//    |     ------------------------------------------ see the kernel definition here
// ...
// 62 |     gpu.launch_func @m::@g blocks in (%n, %n, %n) threads in (%n, %n, %n)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute
//   --> verify/gpu/wrong_launches.mlir:75:5
//    |
// 75 |     gpu.launch_func @m::@f blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op got 0 kernel operands but expected 1
//   --> verify/gpu/wrong_launches.mlir:88:5
//    |
// 88 |     gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op type of function argument 0 does not match
//    --> verify/gpu/wrong_launches.mlir:101:5
//     |
// 101 |     gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op invalid kind of attribute specified: 'kernel' is a symbol
//    --> verify/gpu/wrong_launches.mlir:114:5
//     |
// 114 |     gpu.launch_func "k" blocks in (%n, %n, %n) threads in (%n, %n, %n)
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch_func' op expected the closest surrounding module to have the 'gpu.container_module' attribute
//    --> verify/gpu/wrong_launches.mlir:126:3
//     |
// 126 |   gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.launch' op expected 6 or more operands, but found 1
//    --> verify/gpu/wrong_launches.mlir:132:3
//     |
// 132 |   "gpu.launch"(%arg0) ({}) : (index) -> ()
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
