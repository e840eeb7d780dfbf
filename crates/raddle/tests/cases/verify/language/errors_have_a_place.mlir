// Each text is refused with this message at this place.
// RUN: raddle check %s --split-input-file
func.func @f() {
  %0 = arith.adf %0 : f32
}

// -----
func.func @f() { return %x : f32 }

// -----
func.func @f(%a: vector<2xf32>) {
  vector.shuffle %a, %a [] : vector<2xf32>, vector<2xf32>
  return
}

// -----
func.func @f(%c: i1) {
  scf.if %y { %y = arith.constant true } return
}

// -----
func.func @f(%a: f32) { return %a : f16 }

// -----
func.func @f(%a: f32) -> f16 { return %a : f32 }

// -----
func.func @f(%a: f32) {
  %a = arith.addf %a, %a : f32
  return
}

// -----
func.func @f(%a: vector<4xf32) { return }

// -----
func.func @f(%a: vector<4x?xf32>) { return }

// -----
func.func @f(%a: vector<99999999999999999999xf32>) { return }

// -----
func.func @f() { %0 = arith.constant 300 : i8 return }

// -----
func.func @f() {
  %0 = arith.constant dense<[1, 2]> : vector<3xi32>
  return
}

// -----
func.func @f(%a: i32) {
  %0 = arith.addf %a, %a : i32
  return
}

// -----
func.func @f(%a: f32) {
  %0 = arith.cmpf ogg, %a, %a : f32
  return
}

// -----
func.func @f(%a: vector<4x8xf32>) {
  %0 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----
func.func @f() { %0 = foo.bar return }

// -----
func.func private @f()
func.func private @f()

// -----
#a = affine_map<(d0) -> (d1)>

// -----
func.func @f() attributes {a = "x} { return }

// -----
func.func @f() { func.call @g() : () -> () return }

// -----
func.func @f(%c: i1, %a: f32) {
  scf.if %c {
    %b = arith.addf %a, %a : f32
  }
  %d = arith.addf %b, %a : f32
  return
}

// -----
func.func @f(%c: i1) {
  "scf.if"(%c) ({ }) : (i1) -> ()
  return
}

// -----
#l = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
func.func @f(%a: vector<32xf32>) {
  %0 = iree_vector_ext.to_layout %a to layout(#l) : vector<32xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0102]: the dialect `arith` has no operation `arith.adf` that raddle knows
//  --> verify/language/errors_have_a_place.mlir:4:8
//   |
// 4 |   %0 = arith.adf %0 : f32
//   |        ^^^^^^^^^ unknown operation
//   |
//   = help: did you mean `arith.addf`?
//
// error[E0103]: use of undeclared SSA value name `%x`
//  --> verify/language/errors_have_a_place.mlir:8:25
//   |
// 8 | func.func @f() { return %x : f32 }
//   |                         ^^ no value has this name here
//
// error[E0101]: 'vector.shuffle' op invalid mask length: it needs at least one entry
//   --> verify/language/errors_have_a_place.mlir:12:25
//    |
// 12 |   vector.shuffle %a, %a [] : vector<2xf32>, vector<2xf32>
//    |                         ^
//
// error[E0103]: use of undeclared SSA value name `%y`
//   --> verify/language/errors_have_a_place.mlir:18:10
//    |
// 18 |   scf.if %y { %y = arith.constant true } return
//    |          ^^ no value has this name here
//
// error[E0104]: use of value `%a` expects different type than prior uses: `f16` vs `f32`
//   --> verify/language/errors_have_a_place.mlir:22:32
//    |
// 22 | func.func @f(%a: f32) { return %a : f16 }
//    |              -- prior use here ^^
//
// error[E0201]: 'func.return' op type of return operand 0 ('f32') doesn't match function result type ('f16') in function @f
//   --> verify/language/errors_have_a_place.mlir:25:32
//    |
// 25 | func.func @f(%a: f32) -> f16 { return %a : f32 }
//    | -------------------------------^^^^^^^^^^^^^^^-- the function
//
// error[E0103]: redefinition of SSA value `%a`
//   --> verify/language/errors_have_a_place.mlir:29:3
//    |
// 28 | func.func @f(%a: f32) {
//    |              -- previously defined here
// 29 |   %a = arith.addf %a, %a : f32
//    |   ^^
//
// error[E0101]: expected `>`, found `)`
//   --> verify/language/errors_have_a_place.mlir:34:30
//    |
// 34 | func.func @f(%a: vector<4xf32) { return }
//    |                              ^ expected `>`
//
// error[E0101]: expected static shape, as a vector has no dynamic extents
//   --> verify/language/errors_have_a_place.mlir:37:27
//    |
// 37 | func.func @f(%a: vector<4x?xf32>) { return }
//    |                           ^
//
// error[E0101]: invalid dimension: the extent does not fit 64 bits
//   --> verify/language/errors_have_a_place.mlir:40:25
//    |
// 40 | func.func @f(%a: vector<99999999999999999999xf32>) { return }
//    |                         ^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: integer constant out of range for attribute: it does not fit 8 bits
//   --> verify/language/errors_have_a_place.mlir:43:38
//    |
// 43 | func.func @f() { %0 = arith.constant 300 : i8 return }
//    |                                      ^^^
//
// error[E0104]: inferred shape of elements literal ([2]) does not match type ([3])
//   --> verify/language/errors_have_a_place.mlir:47:23
//    |
// 47 |   %0 = arith.constant dense<[1, 2]> : vector<3xi32>
//    |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected a float, or a vector or tensor of floats, found `i32`
//   --> verify/language/errors_have_a_place.mlir:53:28
//    |
// 53 |   %0 = arith.addf %a, %a : i32
//    |                            ^^^
//
// error[E0101]: expected one of false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno, true, found `ogg`
//   --> verify/language/errors_have_a_place.mlir:59:19
//    |
// 59 |   %0 = arith.cmpf ogg, %a, %a : f32
//    |                   ^^^ expected one of false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno, true
//    |
//    = help: did you mean `oge`?
//
// error[E0201]: 'vector.transpose' op dimension size mismatch at: 1
//   --> verify/language/errors_have_a_place.mlir:65:3
//    |
// 65 |   %0 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0102]: `foo.bar` belongs to no dialect that raddle knows
//   --> verify/language/errors_have_a_place.mlir:70:23
//    |
// 70 | func.func @f() { %0 = foo.bar return }
//    |                       ^^^^^^^ unknown operation
//    |
//    = help: write it in generic form and allow unregistered dialects to keep it as it is
//
// error[E0103]: redefinition of symbol named 'f'
//   --> verify/language/errors_have_a_place.mlir:74:1
//    |
// 73 | func.func private @f()
//    | ---------------------- see existing symbol definition here
// 74 | func.func private @f()
//    | ^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: use of undeclared identifier: `d1` is not a dimension or symbol of this map
//   --> verify/language/errors_have_a_place.mlir:77:26
//    |
// 77 | #a = affine_map<(d0) -> (d1)>
//    |                          ^^
//
// error[E0101]: expected attribute value, found a string without an end
//   --> verify/language/errors_have_a_place.mlir:80:32
//    |
// 80 | func.func @f() attributes {a = "x} { return }
//    |                                ^^^^^^^^^^^^^^ expected attribute value
//
// error[E0103]: reference to undefined function 'g'
//   --> verify/language/errors_have_a_place.mlir:83:18
//    |
// 83 | func.func @f() { func.call @g() : () -> () return }
//    |                  ^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: did you mean `@f`?
//
// error[E0103]: use of undeclared SSA value name `%b`
//   --> verify/language/errors_have_a_place.mlir:90:19
//    |
// 90 |   %d = arith.addf %b, %a : f32
//    |                   ^^ no value has this name here
//
// error[E0203]: 'scf.if' op expected 2 regions, not 1
//   --> verify/language/errors_have_a_place.mlir:96:3
//    |
// 96 |   "scf.if"(%c) ({ }) : (i1) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0204]: Vector shape: [32] does not match the layout (nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>) at dim 0. Dimension expected by layout: 16 actual: 32
//    --> verify/language/errors_have_a_place.mlir:103:3
//     |
// 103 |   %0 = iree_vector_ext.to_layout %a to layout(#l) : vector<32xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 23 diagnostics
// [exit status 1]
