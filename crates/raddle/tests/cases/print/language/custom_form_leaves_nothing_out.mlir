// A word keeps its distance from the operation's name, and an end that says something is not left out.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
func.func @f(%a: index, %b: index) {
  %0 = index.cmp eq(%a, %b)
  return
}

// -----
func.func @f(%c: i1) {
  scf.if %c {
    scf.yield {then}
  }
  return
}

// -----
func.func private @f() attributes {chip = #iree_gpu.target_chip<wgp_count = 304 >}

// -----
func.func private @f() attributes {a = #gpu.a<#gpu.b<=1.0, []>, c,d>, b = #gpu.a<#gpu.b< =1.0, []>, c,d>}

// -----
func.func private @f() attributes {a = #gpu.a< = 1>, b = #gpu.b<a { - 1}>, c = #gpu.b<a <  = 1>>}

// -----
func.func @f(%n: index) {
  scf.for %i = %n to %n step %n {
    scf.yield {last}
  }
  return
}

// -----
func.func @f() {
  affine.for %i = 0 to 4 {
    affine.yield {last}
  }
  return
}

// -----
func.func @f(%m: memref<4x4xf32>, %i: index, %j: index) {
  affine.for %k = 0 to 4 {
    %0 = "affine.load"(%m, %k, %k) <{map = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<4x4xf32>, index, index) -> f32
    %1 = "affine.load"(%m, %k) <{map = affine_map<(d0) -> (0, 1)>}> : (memref<4x4xf32>, index) -> f32
    %2 = affine.load %m[%k, symbol(%i) + %k] : memref<4x4xf32>
  }
  return
}

// -----
"util.func"() <{function_type = (i1) -> (i1, i1), sym_name = "f", tied_operands = [-1 : index]}> ({
  ^bb0(%a: i1):
    util.return %a, %a : i1, i1
}) : () -> ()

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %0 = index.cmp eq(%arg0, %arg1)
//     return
// module {
//   func.func @f(%arg0: i1) {
//     scf.if %arg0 {
//       scf.yield {then}
//     }
//     return
// module {
//   func.func private @f() attributes {chip = #iree_gpu.target_chip<wgp_count = 304>}
// module {
//   func.func private @f() attributes {a = #gpu.a<#gpu.b<=1.0, []>, c,d>, b = #gpu.a<#gpu.b< =1.0, []>, c, d>}
// module {
//   func.func private @f() attributes {a = #gpu.a< = 1>, b = #gpu.b<a { - 1}>, c = #gpu.b<a < = 1>>}
// module {
//   func.func @f(%arg0: index) {
//     scf.for %arg1 = %arg0 to %arg0 step %arg0 {
//       scf.yield {last}
//     }
//     return
// module {
//   func.func @f() {
//     affine.for %arg0 = 0 to 4 {
//       affine.yield {last}
//     }
//     return
// #map = affine_map<(d0, d1) -> (d1, d0)>
// #map1 = affine_map<(d0) -> (0, 1)>
// module {
//   func.func @f(%arg0: memref<4x4xf32>, %arg1: index, %arg2: index) {
//     affine.for %arg3 = 0 to 4 {
//       %0 = "affine.load"(%arg0, %arg3, %arg3) <{map = #map}> : (memref<4x4xf32>, index, index) -> f32
//       %1 = "affine.load"(%arg0, %arg3) <{map = #map1}> : (memref<4x4xf32>, index) -> f32
//       %2 = affine.load %arg0[%arg3, %arg3 + symbol(%arg1)] : memref<4x4xf32>
//     }
//     return
// module {
//   "util.func"() <{function_type = (i1) -> (i1, i1), sym_name = "f", tied_operands = [-1 : index]}> ({
//   ^bb0(%arg0: i1):
//     util.return %arg0, %arg0 : i1, i1
//   }) : () -> ()
