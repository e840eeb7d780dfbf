// A kernel stands in a module of its own and returns what it says; its arguments come before its memory.
// RUN: raddle check %s --split-input-file
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: f32) -> f32 { gpu.return }
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: f32) -> i32 {
      gpu.return %a : f32
    }
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(f32) { gpu.return }
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel attributes {known_grid_size = array<i32: 2>} { gpu.return }
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() ({}) {sym_name = "k", function_type = () -> ()} : () -> ()
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() ({ gpu.return }) {sym_name = "k", function_type = f32} : () -> ()
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() ({ gpu.return }) {sym_name = "k", function_type = () -> (), workgroup_attributions = 2} : () -> ()
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    "gpu.func"() ({
      ^a(%0: f32): gpu.return
    }) {sym_name = "k", function_type = (i32) -> ()} : () -> ()
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.module @n [1] {}
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.binary @b []
  }
}

// -----
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.binary @b <1> [#gpu.object<#nvvm.target, "">]
  }
}

// -----
module { gpu.func @k() { gpu.return } }

// -----
func.func @f() attributes {gpu.known_block_size = 32 : i32} { return }

// -----
func.func @f() attributes {gpu.known_block_size = array<i32: 2, 1>} { return }

// -----
func.func @f() attributes {gpu.container_module} { return }

// $ raddle check %s --split-input-file
// error[E0201]: 'gpu.return' op expected 1 result operands
//  --> verify/gpu/wrong_kernels.mlir:5:35
//   |
// 5 |     gpu.func @k(%a: f32) -> f32 { gpu.return }
//   |     ------------------------------^^^^^^^^^^-- return type declared here
//
// error[E0201]: 'gpu.return' op unexpected type 'f32' for operand #0
//   --> verify/gpu/wrong_kernels.mlir:13:7
//    |
// 13 |       gpu.return %a : f32
//    |       ^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected SSA identifier: gpu.func requires named arguments, found `f32`
//   --> verify/gpu/wrong_kernels.mlir:21:17
//    |
// 21 |     gpu.func @k(f32) { gpu.return }
//    |                 ^^^ expected SSA identifier: gpu.func requires named arguments
//
// error[E0201]: 'gpu.func' op attribute 'known_grid_size' failed to satisfy constraint: i32 dense array attribute with 3 elements (if present)
//   --> verify/gpu/wrong_kernels.mlir:28:5
//    |
// 28 |     gpu.func @k() kernel attributes {known_grid_size = array<i32: 2>} { gpu.return }
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.func' op expected body with at least one block
//   --> verify/gpu/wrong_kernels.mlir:35:5
//    |
// 35 |     "gpu.func"() ({}) {sym_name = "k", function_type = () -> ()} : () -> ()
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type
//   --> verify/gpu/wrong_kernels.mlir:42:5
//    |
// 42 |     "gpu.func"() ({ gpu.return }) {sym_name = "k", function_type = f32} : () -> ()
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.func' op expected at least 2 arguments to body region
//   --> verify/gpu/wrong_kernels.mlir:49:5
//    |
// 49 |     "gpu.func"() ({ gpu.return }) {sym_name = "k", function_type = () -> (), workgroup_attributions = 2} : () -> ()
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.func' op expected body region argument #0 to be of type 'i32', got 'f32'
//   --> verify/gpu/wrong_kernels.mlir:56:5
//    |
// 56 |     "gpu.func"() ({
//    |     ^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.module' op attribute 'targets' failed to satisfy constraint: array of GPU target attributes with at least 1 elements
//   --> verify/gpu/wrong_kernels.mlir:65:5
//    |
// 65 |     gpu.module @n [1] {}
//    |     ^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.binary' op attribute 'objects' failed to satisfy constraint: an array of GPU object attributes with at least 1 elements
//   --> verify/gpu/wrong_kernels.mlir:72:5
//    |
// 72 |     gpu.binary @b []
//    |     ^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.binary' op attribute 'offloadingHandler' failed to satisfy constraint: any attribute with the `OffloadingTranslationAttrTrait` trait.
//   --> verify/gpu/wrong_kernels.mlir:79:5
//    |
// 79 |     gpu.binary @b <1> [#gpu.object<#nvvm.target, "">]
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.func' op expects parent op 'gpu.module'
//   --> verify/gpu/wrong_kernels.mlir:84:10
//    |
// 84 | module { gpu.func @k() { gpu.return } }
//    |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op gpu.known_block_size must be a dense i32 array
//   --> verify/gpu/wrong_kernels.mlir:87:1
//    |
// 87 | func.func @f() attributes {gpu.known_block_size = 32 : i32} { return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op gpu.known_block_size must contain exactly 3 elements
//   --> verify/gpu/wrong_kernels.mlir:90:1
//    |
// 90 | func.func @f() attributes {gpu.known_block_size = array<i32: 2, 1>} { return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op expected 'gpu.container_module' attribute to be attached to 'builtin.module'
//   --> verify/gpu/wrong_kernels.mlir:93:1
//    |
// 93 | func.func @f() attributes {gpu.container_module} { return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 15 diagnostics
// [exit status 1]
