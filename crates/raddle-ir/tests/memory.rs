//! `memref`, `tensor` and `bufferization`: spelled as `iree-opt` 3.12.0 prints them, and refused in its words.

mod common;

use raddle_ir::{PrintOptions, print};

use common::{complaint, function, read, refused, unchanged};

/// Scopes, promises and hints about memory read as they print.
#[test]
fn memory_is_spelled_as_upstream() {
    let args = "%arg0: memref<?xf32>, %arg1: memref<8xf32>, %arg2: index, %arg3: memref<4x?xi8, 1>";
    unchanged(args, "%0:2 = memref.distinct_objects %arg0, %arg1 : memref<?xf32>, memref<8xf32>");
    unchanged(args, "%0 = memref.realloc %arg1(%arg2) : memref<8xf32> to memref<?xf32>");
    unchanged(args, "%0 = memref.realloc %arg0 {alignment = 16 : i64} : memref<?xf32> to memref<12xf32>");
    unchanged(args, "memref.prefetch %arg3[%arg2, %arg2], write, locality<3>, data : memref<4x?xi8, 1>");
    unchanged(args, "memref.prefetch %arg1[%arg2], read, locality<0>, instr : memref<8xf32>");
    unchanged(
        args,
        "memref.alloca_scope {\n  %alloca = memref.alloca() : memref<4xf32>\n}\n\
         %0 = memref.alloca_scope -> index {\n  memref.alloca_scope.return %arg2 : index\n}",
    );
}

/// A deallocation gives one flag for each memref that is kept.
#[test]
fn deallocations() {
    let args = "%arg0: memref<2xf32>, %arg1: memref<*xi8>, %arg2: i1";
    unchanged(
        args,
        "%0 = bufferization.dealloc (%arg0, %arg1 : memref<2xf32>, memref<*xi8>) if (%arg2, %arg2) retain (%arg0 : memref<2xf32>)",
    );
    unchanged(args, "bufferization.dealloc (%arg1 : memref<*xi8>) if (%arg2)");
    unchanged(args, "%0:2 = bufferization.dealloc retain (%arg0, %arg1 : memref<2xf32>, memref<*xi8>)");
    refused(args, &[("bufferization.dealloc (%arg0 : memref<2xf32>) if (%arg2, %arg2)", "same number of conditions")]);
    let generic =
        "\"bufferization.dealloc\"(%arg0) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<2xf32>) -> ()";
    refused(args, &[(generic, "same number of updated conditions")]);
}

/// The number of a kind of atomic access is that of `iree-opt` 3.12.0.
#[test]
fn kinds_of_atomic_accesses() {
    let args = "%arg0: memref<4xi32>, %arg1: i32, %arg2: index, %arg3: f32, %arg4: memref<4xf32>";
    let line = "%0 = memref.atomic_rmw xori %arg1, %arg0[%arg2] : (i32, memref<4xi32>) -> i32";
    unchanged(args, line);
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    assert!(print(&read(&function(args, line)), &generic).contains("kind = 15 : i64"));
    refused(
        args,
        &[
            (&line.replace("xori", "mulf"), "with kind 'mulf' expects a floating-point type"),
            (
                "%0 = memref.atomic_rmw andi %arg3, %arg4[%arg2] : (f32, memref<4xf32>) -> f32",
                "with kind 'andi' expects an integer type",
            ),
            (
                "%0 = memref.generic_atomic_rmw %arg4[%arg2] : memref<4xf32> {\n^bb0(%a: i32):\n\
                 memref.atomic_yield %arg3 : f32\n}",
                "expected block argument of the same type",
            ),
            (
                "%0 = memref.generic_atomic_rmw %arg4[%arg2] : memref<4xf32> {\n^bb0(%a: f32):\n\
                 memref.atomic_yield %arg1 : i32\n}",
                "types mismatch between yield op: 'i32' and its parent: 'f32'",
            ),
        ],
    );
}

/// A layout follows from the offsets, sizes and strides of a view; a map that is a sum of multiples is such a layout.
#[test]
fn layouts_of_subviews() {
    let args = "%arg0: memref<8x16xf32>, %arg1: memref<?x?xf32, strided<[?, 1]>>, %arg2: index";
    for line in [
        "%0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x5xf32, strided<[16, 2], offset: 36>>",
        "%0 = memref.subview %arg0[2, 0] [1, 5] [1, 1] : memref<8x16xf32> to memref<5xf32, strided<[1], offset: 32>>",
        "%0 = memref.subview %arg0[%arg2, 0] [3, 5] [1, 1] : memref<8x16xf32> to memref<3x5xf32, affine_map<(d0, d1)[s0] -> (d0 * 16 + s0 + d1)>>",
        // Nothing times an unknown stride is nothing.
        "%0 = memref.subview %arg1[0, 3] [%arg2, 1] [1, 1] : memref<?x?xf32, strided<[?, 1]>> to memref<?xf32, strided<[?], offset: 3>>",
    ] {
        read(&function(args, line));
    }
    refused(
        args,
        &[
            (
                "%0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x5xf32>",
                "to be 'memref<3x5xf32, strided<[16, 2], offset: 36>>' or a rank-reduced version. (mismatch of result layout)",
            ),
            (
                "%0 = memref.subview %arg0[2, 4] [3, 5] [1, 2] : memref<8x16xf32> to memref<3x6xf32, strided<[16, 2], offset: 36>>",
                "(mismatch of result sizes)",
            ),
            (
                "%0 = memref.subview %arg0[2, 4] [3, 9] [1, 2] : memref<8x16xf32> to memref<3x9xf32, strided<[16, 2], offset: 36>>",
                "slice along dimension 1 runs out-of-bounds: 20 >= 16",
            ),
            (
                "%0 = memref.subview %arg0[2] [3, 9] [1, 2] : memref<8x16xf32> to memref<3x9xf32>",
                "expected mixed offsets rank to match mixed sizes rank (1 vs 2)",
            ),
        ],
    );
}

/// Groups of dimensions multiply to the extents of the collapsed side, and lie close together where they are joined.
#[test]
fn dimensions_split_and_join() {
    let args = "%arg0: memref<6x4xf32, strided<[8, 1]>>, %arg1: memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>>, \
                %arg2: tensor<6x4xf32>, %arg3: memref<f32>";
    for line in [
        "%0 = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32, strided<[8, 1]>> into memref<2x3x4xf32, strided<[24, 8, 1]>>",
        "%0 = memref.collapse_shape %arg1 [[0, 1], [2]] : memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>> into memref<6x4xf32, strided<[8, 1], offset: 5>>",
        "%0 = tensor.expand_shape %arg2 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>",
        "%0 = memref.expand_shape %arg3 [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>",
    ] {
        read(&function(args, line));
    }
    refused(
        args,
        &[
            (
                "%0 = memref.collapse_shape %arg1 [[0], [1, 2]] : memref<2x3x4xf32, strided<[24, 8, 1], offset: 5>> into memref<2x12xf32>",
                "invalid source layout map or collapsing non-contiguous dims",
            ),
            (
                "%0 = memref.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 3, 4] : memref<6x4xf32, strided<[8, 1]>> into memref<2x3x4xf32>",
                "expected expanded type to be 'memref<2x3x4xf32, strided<[24, 8, 1]>>'",
            ),
            (
                "%0 = tensor.collapse_shape %arg2 [[0, 1]] : tensor<6x4xf32> into tensor<23xf32>",
                "expected dimension 0 of collapsed type to be static value of 24",
            ),
            (
                "%0 = tensor.collapse_shape %arg2 [[1, 0]] : tensor<6x4xf32> into tensor<24xf32>",
                "expected reassociation map #0 to be valid and contiguous",
            ),
            (
                "%0 = tensor.collapse_shape %arg2 [[0, 1, 2]] : tensor<6x4xf32> into tensor<24xf32>",
                "expected reassociation map #0 to be valid and contiguous",
            ),
        ],
    );
}

/// What is seen as something else keeps its elements where they are.
#[test]
fn casts_and_views_of_memory() {
    let args = "%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>";
    read(&function(
        args,
        "%0 = memref.cast %arg0 : memref<4x?xf32, strided<[?, 1], offset: ?>> to memref<?x8xf32, strided<[16, 1], offset: 2>>\n\
         %1 = memref.reinterpret_cast %arg0 to offset: [%arg2], sizes: [2, %arg2], strides: [8, 1] : memref<4x?xf32, strided<[?, 1], offset: ?>> to memref<2x?xf32, strided<[8, 1], offset: ?>>\n\
         %2 = memref.view %arg1[%arg2][%arg2] : memref<64xi8> to memref<?x4xf32>",
    ));
    refused(
        args,
        &[
            (
                "%0 = memref.cast %arg3 : memref<4x4xf32, 3> to memref<*xf32>",
                "operand type 'memref<4x4xf32, 3>' and result type 'memref<*xf32>' are cast incompatible",
            ),
            (
                "%0 = memref.reinterpret_cast %arg1 to offset: [%arg2], sizes: [8], strides: [1] : memref<64xi8> to memref<8xi8>",
                "expected result type with offset = dynamic instead of 0",
            ),
            (
                "%0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [8], strides: [2] : memref<64xi8> to memref<8xi8>",
                "expected result type with stride = 2 instead of 1 in dim = 0",
            ),
            (
                "%0 = memref.view %arg1[%arg2][] : memref<64xi8> to memref<?x4xf32>",
                "incorrect number of dynamic sizes, has 0, expected 1",
            ),
            (
                "%0 = memref.reshape %arg1(%arg4) : (memref<64xi8>, memref<?xindex>) -> memref<8x8xi8>",
                "cannot use shape operand with dynamic length",
            ),
            ("memref.copy %arg1, %arg3 : memref<64xi8> to memref<4x4xf32, 3>", "requires the same element type"),
            ("%0 = memref.assume_alignment %arg1, 12 : memref<64xi8>", "alignment must be power of 2"),
            ("%0 = memref.realloc %arg1 : memref<64xi8> to memref<?xi8>", "missing dimension operand"),
            ("memref.prefetch %arg1[%arg2], read, locality<4>, data : memref<64xi8>", "whose maximum value is 3"),
            ("memref.prefetch %arg3[%arg2], read, locality<0>, data : memref<4x4xf32, 3>", "too few indices"),
        ],
    );
}

/// A global is a buffer of known size with contents of its type, and is found under its name.
#[test]
fn globals_and_their_uses() {
    let used = |global: &str, ty: &str| {
        format!("module {{\n{global}\nfunc.func @f() {{\n%0 = memref.get_global @g : {ty}\nreturn\n}}\n}}\n")
    };
    let global = "memref.global \"private\" constant @g : memref<2xi8> = dense<[1, 2]>";
    read(&used(global, "memref<2xi8>"));
    for (text, words) in [
        (used(global, "memref<3xi8>"), "'memref<3xi8>' does not match type 'memref<2xi8>' of the global memref @g"),
        (used("", "memref<3xi8>"), "'g' does not reference a valid global memref"),
        (used("func.func private @g()", "memref<3xi8>"), "'g' does not reference a valid global memref"),
        (used("memref.global @g : memref<?xi8>", "memref<?xi8>"), "type should be static shaped memref"),
        (
            "\"memref.global\"() <{initial_value = dense<1> : tensor<3xi8>, sym_name = \"g\", type = memref<2xi8>}> : () -> ()"
                .to_owned(),
            "initial value shape expected to be 2 but was 3",
        ),
    ] {
        let message = complaint(&text);
        assert!(message.contains(words), "{message}\n{text}");
    }
}

/// Shapes of tensors follow from what makes them.
#[test]
fn shapes_of_tensors() {
    let args = "%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>";
    for line in [
        "%0 = tensor.concat dim(0) %arg0, %arg4 : (tensor<4x?xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>",
        "%0 = tensor.gather %arg4[%arg1] gather_dims([1]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5x3xf32>",
        "%0 = tensor.gather %arg4[%arg1] gather_dims([1]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5x3x1xf32>",
        "%0 = tensor.cast %arg0 : tensor<4x?xf32> to tensor<*xf32>",
    ] {
        read(&function(args, line));
    }
    refused(
        args,
        &[
            (
                "%0 = tensor.concat dim(1) %arg0, %arg4 : (tensor<4x?xf32>, tensor<3x8xf32>) -> tensor<4x?xf32>",
                "static concatenation size mismatch along non-concatenated dimension 0",
            ),
            (
                "%0 = tensor.concat dim(0) %arg4, %arg4 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>",
                "does not match inferred shape 'tensor<6x8xf32>'",
            ),
            (
                "%0 = tensor.gather %arg4[%arg1] gather_dims([1, 0]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5xf32>",
                "gather_dims length must match the size of last dimension of indices",
            ),
            (
                "%0 = tensor.gather %arg4[%arg1] gather_dims([2]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5xf32>",
                "gather_dims value must be smaller than source rank",
            ),
            ("%0 = tensor.cast %arg4 : tensor<3x8xf32> to tensor<4x?xf32>", "are cast incompatible"),
            ("%0 = tensor.bitcast %arg4 : tensor<3x8xf32> to tensor<3x8xi16>", "are cast incompatible"),
            ("%0 = tensor.dim %arg5, %arg2 : tensor<f32>", "must be non-0-ranked or unranked tensor"),
            ("%0 = tensor.extract %arg4[%arg2] : tensor<3x8xf32>", "incorrect number of indices"),
            ("%0 = tensor.insert %arg3 into %arg4[] : tensor<3x8xf32>", "incorrect number of indices"),
            ("%0 = tensor.splat %arg3[%arg2] : tensor<4xf32>", "incorrect number of dynamic sizes, has 1, expected 0"),
            ("%0 = tensor.from_elements %arg3, %arg3 : tensor<3xf32>", "got 2 operands and 3 types"),
            (
                "%0 = tensor.generate %arg2 {\n^bb0(%i: index, %j: index):\ntensor.yield %arg3 : f32\n} : tensor<?xf32>",
                "must have one body argument per input dimension",
            ),
            (
                "%0 = tensor.pad %arg4 low[1, 0] high[0, 2] {\n^bb0(%i: index, %j: index):\ntensor.yield %arg3 : f32\n} : tensor<3x8xf32> to tensor<4x9xf32>",
                "does not match the inferred type 'tensor<4x10xf32>'",
            ),
            (
                "%0 = tensor.extract_slice %arg4[0, 8] [1, 1] [1, 1] : tensor<3x8xf32> to tensor<1xf32>",
                "offset 1 is out-of-bounds: 8 >= 8",
            ),
        ],
    );
}

/// Tensors and their buffers have one shape, and what is written there fits.
#[test]
fn tensors_become_buffers() {
    let args = "%arg0: tensor<4x?xf32>, %arg1: memref<4xf32>, %arg2: index, %arg3: tensor<4xf32>";
    refused(
        args,
        &[
            (
                "%0 = bufferization.to_buffer %arg0 : tensor<4x?xf32> to memref<4x8xf32>",
                "failed to verify that specified tensor and buffer types match",
            ),
            (
                "%0 = bufferization.alloc_tensor(%arg2) copy(%arg0) : tensor<4x?xf32>",
                "dynamic sizes not needed when copying a tensor",
            ),
            (
                "%0 = bufferization.alloc_tensor() : tensor<4x?xf32>",
                "incorrect number of dynamic sizes, has 0, expected 1",
            ),
            (
                "bufferization.materialize_in_destination %arg3 in %arg1 : (tensor<4xf32>, memref<4xf32>) -> ()",
                "'writable' must be specified if and only if the destination is of memref type",
            ),
            (
                "bufferization.materialize_in_destination %arg0 in writable %arg1 : (tensor<4x?xf32>, memref<4xf32>) -> ()",
                "rank mismatch between source and destination shape",
            ),
        ],
    );
    let message = complaint("func.func private @f(tensor<4xf32> {bufferization.access = \"some\"})");
    assert!(message.contains("invalid value for 'bufferization.access'"), "{message}");
    read("func.func private @f(tensor<4xf32> {bufferization.access = \"read-write\"})");
}

/// Copies in the background name a source, a destination and a tag, each with its indices.
#[test]
fn copies_with_tags() {
    let args = "%arg0: memref<2x2xf32>, %arg1: memref<2xf32, 1>, %arg2: memref<i32, 2>, %arg3: index, %arg4: f32";
    let types = "memref<2x2xf32>, memref<2xf32, 1>, memref<i32, 2>";
    let start = "memref.dma_start %arg0[%arg3, %arg3], %arg1[%arg3], %arg3, %arg2[]";
    unchanged(args, &format!("{start} : {types}"));
    unchanged(
        args,
        &format!("{start}, %arg3, %arg3 {{note}} : {types}\nmemref.dma_wait %arg2[], %arg3 : memref<i32, 2>"),
    );
    let generic = |operands: &str, types: &str| format!("\"memref.dma_start\"({operands}) : ({types}) -> ()");
    let whole = "%arg0, %arg3, %arg3, %arg1, %arg3, %arg3, %arg2";
    let typed = "memref<2x2xf32>, index, index, memref<2xf32, 1>, index, index, memref<i32, 2>";
    read(&function(args, &generic(whole, typed)));
    refused(
        args,
        &[
            (&generic("", ""), "expected at least 4 operands"),
            (
                &generic("%arg3, %arg3, %arg3, %arg3", "index, index, index, index"),
                "expected source to be of memref type",
            ),
            (
                &generic("%arg0, %arg3, %arg3, %arg3", "memref<2x2xf32>, index, index, index"),
                "expected at least 6 operands",
            ),
            (
                &generic(&whole.replacen("%arg3", "%arg4", 1), &typed.replacen("index", "f32", 1)),
                "expected source indices to be of index type",
            ),
            (&generic(&format!("{whole}, %arg3"), &format!("{typed}, index")), "incorrect number of operands"),
            (
                &generic(&format!("{whole}, %arg3, %arg4"), &format!("{typed}, index, f32")),
                "expected stride and num elements per stride to be of type index",
            ),
            ("memref.dma_wait %arg1[], %arg3 : memref<2xf32, 1>", "expected 1, but got 0"),
        ],
    );
}

/// Dimensions that change places take their strides with them.
#[test]
fn transposed_memory() {
    let args = "%arg0: memref<4x8xf32>";
    let text = |map: &str, to: &str| format!("%transpose = memref.transpose %arg0 {map} : memref<4x8xf32> to {to}");
    unchanged(args, &text("(d0, d1) -> (d1, d0)", "memref<8x4xf32, strided<[1, 8]>>"));
    refused(
        args,
        &[
            (&text("(i, j) -> (i, i)", "memref<4x4xf32>"), "expected a permutation map"),
            (&text("(i) -> (i)", "memref<4x8xf32>"), "expected a permutation map of same rank as the input"),
            (
                &text("(i, j) -> (j, i)", "memref<8x4xf32>"),
                "is not equivalent to the canonical transposed input type 'memref<8x4xf32, strided<[1, 8]>>'",
            ),
        ],
    );
}

/// An atomic update only computes, and what it gives is an element.
#[test]
fn atomic_updates_only_compute() {
    let args = "%m: memref<8xf32>, %i: index";
    let update = |line: &str| {
        let body = format!("^bb0(%a: f32):\n{line}\nmemref.atomic_yield %a : f32");
        format!("%0 = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {{\n{body}\n}}")
    };
    read(&function(args, &update("%b = arith.divf %a, %a : f32")));
    refused(
        args,
        &[
            (&update("memref.store %a, %m[%i] : memref<8xf32>"), "should contain only operations with no side effects"),
            (
                "%0 = \"memref.generic_atomic_rmw\"(%m, %i) ({\n^bb0(%a: f32):\nmemref.atomic_yield %a : f32\n}) : (memref<8xf32>, index) -> i32",
                "failed to verify that result type matches element type of memref",
            ),
        ],
    );
    assert!(
        complaint("func.func private @f(memref<2x2xf32, affine_map<(d0) -> (d0)>>)")
            .contains("rank and affine map: 2 != 1")
    );
}
