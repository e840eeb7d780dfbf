//! Operations of upstream dialects, spelled as `iree-opt` 3.12.0 prints them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use raddle_ir::{PrintOptions, print};

use common::{complaint, function, read, stays, unchanged};

/// What is wrong with a function of these arguments and lines.
fn refused(args: &str, lines: &str) -> String {
    complaint(&function(args, lines))
}

/// The factors of a quantized product lie above their zeros.
#[test]
fn quantized_products() {
    let args = "%arg0: tensor<4x8xi8>, %arg1: tensor<8x16xi8>, %arg2: i32, %arg3: tensor<4x16xi32>";
    let line = "%0 = linalg.quantized_matmul ins(%arg0, %arg1, %arg2, %arg2 : tensor<4x8xi8>, tensor<8x16xi8>, i32, i32) \
                outs(%arg3 : tensor<4x16xi32>) -> tensor<4x16xi32>";
    unchanged(args, line);
    let generic = PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() };
    let printed = print(&read(&function(args, line)), &generic);
    let body: Vec<&str> = printed.lines().map(str::trim).filter(|line| line.contains("\"arith.")).collect();
    let ops: Vec<&str> = body.iter().map(|line| line.split('"').nth(1).unwrap()).collect();
    assert_eq!(ops, ["arith.extsi", "arith.subi", "arith.extsi", "arith.subi", "arith.muli", "arith.addi"]);
    assert!(printed.contains("affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> ()>"), "{printed}");
    let short = "%0 = linalg.quantized_matmul ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x16xi8>) outs(%arg3 : \
                 tensor<4x16xi32>) -> tensor<4x16xi32>";
    assert!(refused(args, short).contains("takes 4 inputs"));
}

/// A shuffle takes slices along the first dimension of two vectors.
#[test]
fn shuffles() {
    let args = "%arg0: vector<3x4xf32>, %arg1: vector<2x4xf32>, %arg2: vector<f32>, %arg3: vector<3x4xf64>";
    unchanged(
        args,
        "%0 = vector.shuffle %arg0, %arg1 [0, -1, 4] : vector<3x4xf32>, vector<2x4xf32>
%1 = vector.shuffle %arg2, %arg2 [0, 1] : vector<f32>, vector<f32>",
    );
    for (line, wrong) in [
        ("%0 = vector.shuffle %arg0, %arg1 [0, 5] : vector<3x4xf32>, vector<2x4xf32>", "mask index #2 out of range"),
        ("%0 = vector.shuffle %arg0, %arg1 [] : vector<3x4xf32>, vector<2x4xf32>", "invalid mask length"),
        (
            "%0 = vector.shuffle %arg0, %arg3 [0] : vector<3x4xf32>, vector<3x4xf64>",
            "second operand v2 and result have same element type",
        ),
        (
            "%0 = \"vector.shuffle\"(%arg0, %arg1) <{mask = array<i64: 0>}> : (vector<3x4xf32>, vector<2x4xf32>) -> vector<2x4xf32>",
            "mask length mismatch",
        ),
    ] {
        let message = refused(args, line);
        assert!(message.contains(wrong), "{message}");
    }
}

/// Words and flags of `llvm`, each in its place.
#[test]
fn arithmetic_of_llvm() {
    unchanged(
        "%arg0: f32, %arg1: i32, %arg2: !llvm.ptr, %arg3: i64",
        "%0 = llvm.fmul %arg0, %arg0 {fastmathFlags = #llvm.fastmath<fast>} : f32
%1 = llvm.add %arg1, %arg1 overflow<nsw, nuw> : i32
%2 = llvm.shl %arg1, %arg1 : i32
%3 = llvm.sdiv exact %arg1, %arg1 : i32
%4 = llvm.or disjoint %arg1, %arg1 : i32
%5 = llvm.zext nneg %arg1 : i32 to i64
%6 = llvm.trunc %arg3 overflow<nsw> : i64 to i32
%7 = llvm.alloca inalloca %arg3 x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
llvm.store volatile %arg0, %arg2 {alignment = 4 : i64} : f32, !llvm.ptr",
    );
    let function = "module {\n  llvm.func @f() -> f32 {\n    %0 = llvm.mlir.constant(3.000000e+00 : f32) : f32\n    \
                    llvm.return %0 : f32\n  }\n}\n";
    assert_eq!(print(&read(function), &PrintOptions::default()), function);
}

/// A value that is a function is called as its type says.
#[test]
fn indirect_calls() {
    let args = "%arg0: (i32) -> f32, %arg1: i32, %arg2: f32";
    unchanged(args, "%0 = call_indirect %arg0(%arg1) : (i32) -> f32");
    assert!(
        refused(args, "%0 = call_indirect %arg0(%arg2) : (i32) -> f32")
            .contains("expects different type than prior uses")
    );
    let odd = "%0 = \"func.call_indirect\"(%arg0, %arg2) : ((i32) -> f32, f32) -> f32";
    assert!(refused(args, odd).contains("does not call"));
}

/// Words that are told from what follows, and numbers without a sign.
#[test]
fn words_in_their_places() {
    unchanged(
        "%arg0: vector<4xf32>, %arg1: f32, %arg2: i32, %arg3: index, %arg4: i1",
        "vector.print %arg0 : vector<4xf32>
vector.print punctuation <comma>
%sin, %cos = math.sincos %arg1 : f32
%sum, %overflow = arith.addui_extended %arg2, %arg2 : i32, i1
%0 = scf.execute_region -> i32 no_inline {
  scf.yield %arg2 : i32
}
%1:2 = scf.index_switch %arg3 -> i32, i1 
case 1 {
  scf.yield %arg2, %arg4 : i32, i1
}
default {
  scf.yield %0, %arg4 : i32, i1
}
%idx4 = index.constant 4
%true = index.bool.constant true",
    );
    let switch = read(
        "func.func @f(%a: i32) {
           cf.switch %a : i32, [default: ^y, -3: ^y]
         ^y:
           return
         }",
    );
    let printed = print(&switch, &PrintOptions::default());
    assert!(printed.contains("4294967293: ^bb1"), "{printed}");
    assert!(print(&read(&printed), &PrintOptions::default()).contains("4294967293: ^bb1"));
}

/// A function may end where nothing is said to come; a block may not be entered from behind.
#[test]
fn ends_of_functions() {
    for end in ["ub.unreachable", "util.unreachable \"never\"", "llvm.unreachable"] {
        read(&format!("func.func @f() {{\n{end}\n}}"));
    }
    let text = "func.func @f() {\nub.unreachable\nreturn\n}";
    assert!(complaint(text).contains("not the last operation"));
}

/// The extents of a tensor for a dispatch stand beside its type, those of its encoding do not.
#[test]
fn extents_of_encoded_tensors() {
    let program = |dims: &str| {
        format!(
            "#b = #hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer>]>
             #e = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f32, f32, f32], \
             user_indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, \
             affine_map<(m, n, k) -> (m, n)>], iteration_sizes = [?, ?, ?]>
             func.func @f(%n: index) {{
               %c0 = arith.constant 0 : index
               %0 = hal.interface.binding.subspan layout(#b) binding(0) offset(%c0) : \
               !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x?xf32, #e>>{{{dims}}}
               return
             }}"
        )
    };
    read(&program("%n, %n"));
    assert!(complaint(&program("%n")).contains("2 dynamic dimensions"));
}

/// Elements that are named by their places may be strings, too; a constant of logic has as many bits as its digits ask.
#[test]
fn elements_and_digits() {
    let text = "module attributes {t.a = sparse<[[0, 1], [1, 0]], [\"x\", \"y\"]> : tensor<2x2x!t.s>, t.b = sparse<> : tensor<4xf32>} {\n}\n";
    assert_eq!(print(&read(text), &PrintOptions::default()), text);
    let empty = text.replace("sparse<> :", "sparse<[], []> :");
    assert_eq!(print(&read(&empty), &PrintOptions::default()), text);
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    for (digits, attr) in
        [("128", "128 : ui12"), ("8", "8 : ui5"), ("2", "2 : ui4"), ("0", "0 : ui64"), ("-5", "11 : ui4")]
    {
        let program = function("", &format!("%0 = smt.int.constant {digits}"));
        let ir = read(&program);
        assert_eq!(print(&ir, &PrintOptions::default()), program);
        assert!(print(&ir, &generic).contains(&format!("value = {attr}}}")), "{digits}");
    }
}

/// A script of these steps, in print.
fn script(lines: &str) -> String {
    let lines: Vec<String> = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "module attributes {{transform.with_named_sequence}} {{\n  transform.named_sequence @s(%arg0: !transform.any_op, \
         %arg1: !transform.any_param, %arg2: !transform.any_value) {{\n{}    transform.yield \n  }}\n}}\n",
        lines.concat()
    )
}

/// Steps are printed as they stand, and their generic form is read as the same script.
#[test]
fn steps_of_scripts() {
    for lines in [
        "%0:3 = transform.structured.fuse %arg0 tile_sizes [%arg1, 2] interchange [1, 0] use_forall : \
         (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op, !transform.any_op)",
        "%0:2 = transform.structured.tile_using_forall %arg0 tile_sizes *(%arg1)(mapping = [#gpu.block<x>]) : \
         (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)",
        "%0:2 = transform.structured.tile_using_for %arg0 tile_sizes [[4]] : (!transform.any_op) -> \
         (!transform.any_op, !transform.any_op)",
        "transform.structured.vectorize %arg0 vector_sizes [%arg1, [4]] create_named_contraction : !transform.any_op, \
         !transform.any_param",
        "%0 = transform.structured.split %arg0 after %arg1 {dimension = 1 : i64} : !transform.any_op, !transform.any_param",
        "%0 = transform.structured.split %arg0 after 4 {dimension = 1 : i64} : !transform.any_op",
        "%0:3 = transform.structured.multitile_sizes %arg0 dimension = 1 target_size = 3 : (!transform.any_op) -> \
         !transform.any_param",
        "%0 = transform.structured.promote %arg0 <operands_to_promote = [0], use_alloca> : (!transform.any_op) -> \
         !transform.any_op",
        "%0 = transform.get_operand %arg0[except(0, -1)] : (!transform.any_op) -> !transform.any_value",
        "%0 = transform.get_result %arg0[all] : (!transform.any_op) -> !transform.any_value",
        "%0 = transform.apply_registered_pass \"canonicalize\" with options = {\"max\" = [1 : i64, %arg1], \"top\" = false} \
         to %arg0 : (!transform.any_op, !transform.any_param) -> !transform.any_op",
        "%0 = transform.func.cast_and_call @g(%arg2) after %arg0 : (!transform.any_op, !transform.any_value) -> \
         !transform.any_op",
        "transform.iree.match.dim_bounds %arg2[0], none, umax = 4 : !transform.any_value",
        "transform.apply_patterns to %arg0 {\n  transform.apply_patterns.vector.lower_contraction\n  \
         transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = \"vector-transfer\"\n} \
         apply_cse : !transform.any_op",
        "%0 = transform.alternatives %arg0 : !transform.any_op -> !transform.any_op {\n^bb0(%arg3: !transform.any_op):\n  \
         transform.yield %arg3 : !transform.any_op\n}, {\n^bb0(%arg3: !transform.any_op):\n  \
         transform.yield %arg3 : !transform.any_op\n}",
        "%0 = transform.sequence %arg0, %arg1 : (!transform.any_op, !transform.any_param) -> !transform.any_op \
         failures(suppress) {\n^bb0(%arg3: !transform.any_op, %arg4: !transform.any_param):\n  \
         transform.yield %arg3 : !transform.any_op\n}",
        "%0:2 = transform.match.structured failures(propagate) %arg0 : (!transform.any_op) -> (!transform.any_op, \
         !transform.any_param) {\n^bb0(%arg3: !transform.any_op):\n  %1 = transform.match.structured.dim %arg3[0, -1] \
         parallel : (!transform.any_op) -> !transform.any_param\n  transform.match.structured.body %arg3 elementwise : \
         !transform.any_op\n  transform.match.structured.yield %arg3, %1 : !transform.any_op, !transform.any_param\n}",
    ] {
        stays(&script(lines));
    }
}

/// What earlier versions say in a dictionary is read, and steps of a sequence may go without their dialect.
#[test]
fn older_spellings_of_steps() {
    let old =
        "%0 = transform.get_parent_op %arg0 {deduplicate, nth_parent = 2} : (!transform.any_op) -> !transform.any_op";
    let new =
        "%0 = transform.get_parent_op %arg0 <deduplicate, nth_parent = 2> : (!transform.any_op) -> !transform.any_op";
    assert_eq!(print(&read(&script(old)), &PrintOptions::default()), script(new));
    let short = "transform.sequence %arg0 : !transform.any_op failures(propagate) {\n^bb0(%x: !transform.any_op):\n  \
                 annotate %x \"seen\" : !transform.any_op\n}";
    assert!(print(&read(&script(short)), &PrintOptions::default()).contains("transform.annotate %arg3 \"seen\""));
}

/// Handles, values and parameters are told apart, and the parts of a script fit together.
#[test]
fn scripts_that_do_not_fit() {
    let sequence =
        |args: &str, body: &str| format!("transform.sequence failures(propagate) {{\n^bb0({args}):\n{body}\n}}");
    for (lines, expected) in [
        (
            "%0 = transform.get_defining_op %arg0 : (!transform.any_op) -> !transform.any_op".to_owned(),
            "operand #0 must be TransformValueHandleTypeInterface instance",
        ),
        (
            "%0:2 = transform.split_handle %arg0 : (!transform.any_op) -> (!transform.any_op, !transform.any_value)"
                .to_owned(),
            "same transform interface",
        ),
        (
            "%0 = transform.get_operand %arg0[0, 0] : (!transform.any_op) -> !transform.any_value".to_owned(),
            "listed values to be unique",
        ),
        ("%0 = transform.param.constant 1 : i64 -> !transform.param<i32>".to_owned(), "('i64') to match"),
        (sequence("%x: i64", ""), "expects the first entry block argument"),
        (sequence("%x: !transform.any_op, %y: i64", ""), "expects trailing entry block arguments"),
        (sequence("%x: !transform.any_op", "%0 = arith.constant 1.0 : f32"), "expected children ops"),
        (
            sequence("%x: !transform.any_op", "transform.yield %x : !transform.any_op"),
            "types of the terminator operands",
        ),
        ("transform.alternatives".to_owned(), "expects at least one region"),
        (
            "transform.apply_patterns to %arg0 {\n%0 = arith.constant 1.0 : f32\n} : !transform.any_op".to_owned(),
            "expected children ops",
        ),
        (
            "%0 = \"transform.apply_registered_pass\"(%arg0, %arg1) <{options = {}, pass_name = \"cse\"}> : \
             (!transform.any_op, !transform.any_param) -> !transform.any_op"
                .to_owned(),
            "does not have a corresponding param_operand",
        ),
    ] {
        let found = complaint(&script(&lines));
        assert!(found.contains(expected), "{found}\n{lines}");
    }
    let ends = script("").replace("transform.yield ", "transform.yield %arg0 : !transform.any_op");
    assert!(complaint(&ends).contains("as many operands as the parent op has results"));
}

/// A position may be poison, and a mask is as scalable as its vector.
#[test]
fn poison_and_scalable_masks() {
    unchanged("%arg0: vector<4x2xf32>", "%0 = vector.extract %arg0[-1] : vector<2xf32> from vector<4x2xf32>");
    assert!(
        refused("%arg0: vector<4xf32>", "%0 = vector.extract %arg0[-2] : f32 from vector<4xf32>")
            .contains("poison (-1)")
    );
    unchanged(
        "%arg0: memref<?x?xf32>, %arg1: index, %arg2: f32, %arg3: vector<4x[8]xi1>",
        "%0 = vector.transfer_read %arg0[%arg1, %arg1], %arg2, %arg3 : memref<?x?xf32>, vector<4x[8]xf32>",
    );
}

/// What a mask, a product or a deinterleaving asks of its parts.
#[test]
fn vectors_that_do_not_fit() {
    for (args, line, expected) in [
        (
            "%arg0: vector<8xi32>, %arg1: vector<16xi1>",
            "%0 = vector.mask %arg1 { vector.reduction <add>, %arg0 : vector<8xi32> into i32 } : vector<16xi1> -> i32",
            "expects a 'vector<8xi1>' mask",
        ),
        (
            "%arg0: vector<8xf32>, %arg1: vector<8xi1>",
            "%0 = vector.mask %arg1 { arith.addf %arg0, %arg0 : vector<8xf32> } : vector<8xi1> -> vector<8xf32>",
            "expects a MaskableOpInterface",
        ),
        (
            "%arg0: vector<[4]xf32>, %arg1: vector<4xf32>",
            "%0 = vector.outerproduct %arg0, %arg1 : vector<[4]xf32>, vector<4xf32>",
            "only #2 operand dim to be scalable",
        ),
        ("%arg0: vector<3xf32>", "%0, %1 = vector.deinterleave %arg0 : vector<3xf32> -> vector<1xf32>", "even number"),
        (
            "%arg0: vector<4xf32>",
            "%0, %1 = vector.deinterleave %arg0 : vector<4xf32> -> vector<4xf32>",
            "half the width",
        ),
        (
            "%arg0: memref<?xi8>, %arg1: index",
            "%0 = vector.load %arg0[%arg1] : memref<?xi8>, vector<4x4xi8>",
            "lower rank than the result vector",
        ),
        ("%arg0: vector<4xf32>", "vector.print %arg0 : vector<4xf32> str \"x\"", "are not set when printing strings"),
    ] {
        let found = refused(args, line);
        assert!(found.contains(expected), "{found}");
    }
}

/// Shapes, scalable extents and numbers of indices fit, in MLIR's words.
#[test]
fn shapes_of_vectors() {
    let args = "%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, \
                %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>";
    for (line, words) in [
        ("%0 = vector.broadcast %c : vector<2x3xf32> to vector<3xf32>", "source rank higher than destination rank"),
        ("%0 = vector.broadcast %b : vector<[4]xf32> to vector<2x4xf32>", "dimension mismatch ([4] vs. 4)"),
        ("%0 = vector.broadcast %m : memref<?x?xf32> to vector<2x4xf32>", "source type is not a vector"),
        ("%0 = vector.shape_cast %c : vector<2x3xf32> to vector<4xf32>", "elements at source (6) and result (4)"),
        ("%0 = vector.shape_cast %b : vector<[4]xf32> to vector<4xf32>", "scalable dims at source (1) and result (0)"),
        ("%0 = vector.bitcast %c : vector<2x3xf32> to vector<6xf32>", "all of {source, result} have same rank"),
        ("%0 = vector.bitcast %c : vector<2x3xf32> to vector<3x3xf32>", "dimension size mismatch at: 0"),
        ("%0 = vector.bitcast %a : vector<4xf32> to vector<4xf16>", "minor 1-D vectors must be equal"),
        ("%0 = vector.reduction <add>, %c : vector<2x3xf32> into f32", "unsupported reduction rank: 2"),
        ("%0 = vector.transpose %c, [0] : vector<2x3xf32> to vector<2x3xf32>", "transposition length mismatch: 1"),
        (
            "%0 = vector.transpose %c, [0, 2] : vector<2x3xf32> to vector<2x3xf32>",
            "transposition index out of range: 2",
        ),
        ("%0 = vector.transpose %c, [0, 0] : vector<2x3xf32> to vector<2x2xf32>", "duplicate position index: 0"),
        ("%0 = vector.extract %c[0, 1, 2] : f32 from vector<2x3xf32>", "rank no greater than vector rank"),
        (
            "%0 = vector.extract %a[0] : vector<f32> from vector<4xf32>",
            "a scalar instead of a 0-d vector as the result",
        ),
        ("%0 = vector.insert %a, %c[0, 1] : vector<4xf32> into vector<2x3xf32>", "rank + source rank to match dest"),
        ("%0 = vector.insert %f, %c[0] : f32 into vector<2x3xf32>", "rank to match the dest vector rank"),
        ("%0 = vector.outerproduct %c, %a : vector<2x3xf32>, vector<4xf32>", "expected 1-d vector for operand #1"),
        ("%0 = vector.outerproduct %b, %a : vector<[4]xf32>, vector<4xf32>", "only #2 operand dim to be scalable"),
        ("%0 = vector.outerproduct %a : vector<4xf32>, vector<4xf32>", "expected at least 2 operands"),
        ("%0 = vector.outerproduct %a, %a, %c, %c : vector<4xf32>, vector<4xf32>", "expected at most 3 operands"),
        ("%0 = vector.outerproduct %f, %a : f32, vector<4xf32>", "expected vector type for operand #1"),
        (
            "%0 = \"vector.outerproduct\"(%a, %a) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x2xf32>",
            "expected #2 operand dim to match result dim #2",
        ),
        ("%0 = vector.load %m[%i] : memref<?x?xf32>, vector<4xf32>", "requires 2 indices"),
        ("%0 = vector.load %s[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>", "must have unit stride"),
        (
            "%0 = vector.maskedload %m[%i], %k, %a : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
            "requires 2 indices",
        ),
        (
            "%0 = vector.maskedload %m[%i, %i], %k, %c : memref<?x?xf32>, vector<4xi1>, vector<2x3xf32> into vector<2x3xf32>",
            "expected result shape to match mask shape",
        ),
        (
            "%0 = vector.expandload %m[%i, %i], %k, %c : memref<?x?xf32>, vector<4xi1>, vector<2x3xf32> into vector<4xf32>",
            "expected pass_thru of same type as result type",
        ),
        (
            "vector.scatter %m[%i, %i] [%n], %k, %c : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<2x3xf32>",
            "expected valueToStore dim to match indices dim",
        ),
        ("%0 = vector.constant_mask [0, 1] : vector<2x3xi1>", "as a result of conjunction with zero mask dim"),
        ("%0 = vector.constant_mask [2] : vector<[4]xi1>", "'none set' or 'all set' scalable dimensions"),
        ("%0 = vector.create_mask %i : vector<2x3xi1>", "an operand for each result vector dimension"),
        ("%0 = vector.scalable.extract %b[3] : vector<4xf32> from vector<[4]xf32>", "multiple of the result length"),
        ("%0 = vector.transfer_read %m[%i], %f : memref<?x?xf32>, vector<4xf32>", "requires 2 indices"),
        ("%0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>", "requires two types"),
        ("%0 = vector.transfer_read %m[%i, %i], %f : f32, vector<4xf32>", "requires memref or ranked tensor type"),
        (
            "vector.transfer_write %a, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<?x?xf32>",
            "should not have broadcast dimensions",
        ),
        (
            "vector.transfer_write %c, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : vector<2x3xf32>, memref<?x?xf32>",
            "one dim used more than once",
        ),
    ] {
        let message = refused(args, line);
        assert!(message.contains(words), "{line}\nsays: {message}\nnot: {words}");
    }
}

/// The maps of a contraction pick the dimensions of its operands, which agree.
#[test]
fn contractions_that_do_not_fit() {
    let contract = |maps: &str, iterators: &str, rhs: &str, acc: &str| {
        let maps: Vec<String> = maps.split(';').map(|map| format!("affine_map<(m, n, k){map}>")).collect();
        let args = format!("%a: vector<4x8xf32>, %b: vector<{rhs}>, %c: vector<{acc}>");
        let line = format!(
            "%0 = vector.contract {{indexing_maps = [{}], iterator_types = [{iterators}]}} %a, %b, %c : vector<4x8xf32>, \
             vector<{rhs}> into vector<{acc}>",
            maps.join(", ")
        );
        complaint(&function(&args, &line))
    };
    let (maps, iterators) = (" -> (m, k); -> (k, n); -> (m, n)", "\"parallel\", \"parallel\", \"reduction\"");
    assert_eq!(contract(maps, iterators, "8x2xf32", "4x2xf32"), "");
    for (maps, iterators, rhs, acc, words) in [
        (" -> (m, k); -> (k, n)", iterators, "8x2xf32", "4x2xf32", "an indexing map for each vector operand"),
        (" -> (m, k);[s] -> (k, n); -> (m, n)", iterators, "8x2xf32", "4x2xf32", "indexing map 1 to have no symbols"),
        (" -> (m, k); -> (k); -> (m, n)", iterators, "8x2xf32", "4x2xf32", "map 1 to have 2 number of outputs"),
        (" -> (m, m); -> (k, n); -> (m, n)", iterators, "8x2xf32", "4x2xf32", "map 0 to be a projected permutation"),
        (maps, "\"parallel\", \"parallel\"", "8x2xf32", "4x2xf32", "map 0 to have 2 number of inputs"),
        (maps, iterators, "9x2xf32", "4x2xf32", "invalid contracting dimension map"),
        (maps, iterators, "8x2xf32", "4x3xf32", "vector shape, expected: 'vector<4x2xf32>'"),
        (maps, iterators, "8x2xf16", "4x2xf32", "lhs and rhs have same element type"),
        (
            maps,
            "\"parallel\", \"parallel\", \"parallel\"",
            "8x2xf32",
            "4x2xf32",
            "it drops iterator 2, which is parallel",
        ),
    ] {
        let message = contract(maps, iterators, rhs, acc);
        assert!(message.contains(words), "{maps} {rhs} {acc}: {message}, not {words}");
    }
}

/// What has a name stands among what is found by names.
#[test]
fn functions_inside_of_functions() {
    let inner = "func.func private @g()";
    assert!(refused("", inner).contains("symbol's parent must have the SymbolTable trait"));
}
