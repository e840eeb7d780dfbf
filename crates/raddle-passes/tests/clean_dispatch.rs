//! Folds of what dispatches are written with: what stands in the program, and what is left of it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{ParseOptions, PrintOptions, print, text, verify};
use raddle_passes::clean;

/// A function with this body, canonicalized; the program is right before and after.
fn folded(args: &str, body: &str) -> String {
    let source = format!("func.func @f({args}) {{\n  {body}\n  return\n}}\n");
    let options = ParseOptions { allow_unregistered: true };
    let mut ir = text::parse_with(&source, options).unwrap_or_else(|diags| panic!("{}\n{source}", diags[0]));
    assert_eq!(verify(&ir), [], "{source}");
    let func = ir.funcs()[0];
    clean::canonicalize(&mut ir, func);
    let left = print(&ir, &PrintOptions::default());
    assert_eq!(verify(&ir), [], "{left}");
    left
}

/// What each body becomes: texts that are there, and texts that are not.
fn check(args: &str, body: &str, there: &[&str], gone: &[&str]) {
    let left = folded(args, body);
    for text in there {
        assert!(left.contains(text), "`{text}` is not in\n{left}");
    }
    for text in gone {
        assert!(!left.contains(text), "`{text}` is in\n{left}");
    }
}

/// Known offsets, sizes and strides of a binding's slice go into the slice and its type.
#[test]
fn slices_of_bindings() {
    let args = "%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>>, \
                %w: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>, %n: index, %m: memref<?xindex>";
    let load = "%c0 = arith.constant 0 : index  %c1 = arith.constant 1 : index  %c4 = arith.constant 4 : index  \
                %t = iree_tensor_ext.dispatch.tensor.load %b, offsets = [%n, %c0], sizes = [%c1, %c4], strides = [%c1, 1] : \
                !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>> -> tensor<?xf32>";
    check(
        args,
        &format!("{load}  \"test.use\"(%t) : (tensor<?xf32>) -> ()"),
        &[
            "offsets = [%arg2, 0], sizes = [1, 4], strides = [1, 1]",
            "-> tensor<4xf32>",
            "tensor<4xf32> to tensor<?xf32>",
        ],
        &[],
    );
    let store = "iree_tensor_ext.dispatch.tensor.store %u, %w, offsets = [0, 0], sizes = [%c4, %n], strides = [1, 1] : \
                 tensor<?x?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8x9xf32>>";
    check(
        &format!("{args}, %v: tensor<4x?xf32>"),
        &format!("%c4 = arith.constant 4 : index  %u = tensor.cast %v : tensor<4x?xf32> to tensor<?x?xf32>  {store}"),
        &["store %arg4, %arg1, offsets = [0, 0], sizes = [4, %arg2]", ": tensor<4x?xf32> ->"],
        &["tensor.cast"],
    );
    let dim = "%c0 = arith.constant 0 : index  %t = iree_tensor_ext.dispatch.tensor.load %b, offsets = [0, 0], \
               sizes = [%n, 9], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x9xf32>> -> \
               tensor<?x9xf32>  %d = tensor.dim %t, %c0 : tensor<?x9xf32>  memref.store %d, %m[%c0] : memref<?xindex>";
    check(args, dim, &["memref.store %arg2"], &["tensor.dim"]);
}

/// The extents beside a binding are those that it was tied to.
#[test]
fn tied_extents() {
    check(
        "%b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %n: index, %m: index",
        "%t = flow.dispatch.tie_shape %b : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%n}  \
         %u = iree_tensor_ext.dispatch.tensor.load %t, offsets = [0], sizes = [4], strides = [1] : \
         !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%m} -> tensor<4xf32>  \
         \"test.use\"(%u) : (tensor<4xf32>) -> ()",
        &["tensor<?xf32>>{%arg1} -> tensor<4xf32>"],
        &["{%arg2}"],
    );
}

/// Parts of shared references state known offsets; their sizes belong to their types.
#[test]
fn parts_of_references() {
    let args = "%s: !pcf.sref<32xf32, #pcf.sequential>";
    let read = |size: &str, ty: &str| {
        format!(
            "%c5 = arith.constant 5 : index  %t = pcf.read_slice %s[%c5] [{size}] [1] : \
             !pcf.sref<32xf32, #pcf.sequential> to tensor<{ty}xf32>  \"test.use\"(%t) : (tensor<{ty}xf32>) -> ()"
        )
    };
    check(args, &read("8", "8"), &["%arg0[5] [8] [1]"], &["constant"]);
    check(args, &read("%c5", "?"), &["%arg0[%c5] [%c5] [1]"], &[]);
}

/// Bitcasts of bitcasts, of nothing, and of what a cast forgot.
#[test]
fn bitcasts() {
    let cast = "%y = iree_tensor_ext.bitcast %x : tensor<?x8xi8>{%n} -> tensor<?x2xi32>{%n}";
    let back = "%z = iree_tensor_ext.bitcast %y : tensor<?x2xi32>{%n} -> tensor<?x8xi8>{%n}";
    let used = "\"test.use\"(%z) : (tensor<?x8xi8>) -> ()";
    let args = "%x: tensor<?x8xi8>, %n: index";
    check(args, &format!("{cast}  {back}  {used}"), &["(%arg0)"], &["bitcast"]);
    // With other extents, it is not known to be the same.
    let other = back.replace("-> tensor<?x8xi8>{%n}", "-> tensor<?x8xi8>{%m}");
    check(
        &format!("{args}, %m: index"),
        &format!("{cast}  {other}  {used}"),
        &["tensor<?x8xi8>{%arg1} -> tensor<?x8xi8>{%arg2}"],
        &[],
    );
    let empty = "%e = tensor.empty(%n) : tensor<?xi32>  %z = iree_tensor_ext.bitcast %e : tensor<?xi32>{%n} -> \
                 tensor<?xi8>{%m}  \"test.use\"(%z) : (tensor<?xi8>) -> ()";
    check("%n: index, %m: index", empty, &["tensor.empty(%arg1) : tensor<?xi8>"], &["bitcast", "xi32"]);
    let forgot = "%c = tensor.cast %x : tensor<4x8xi8> to tensor<?x8xi8>  %z = iree_tensor_ext.bitcast %c : \
                  tensor<?x8xi8>{%n} -> tensor<?x2xi32>{%n}  \"test.use\"(%z) : (tensor<?x2xi32>) -> ()";
    check("%x: tensor<4x8xi8>, %n: index", forgot, &["tensor<4x8xi8> -> tensor<4x2xi32>"], &["{%arg1}"]);
}

/// A barrier behind a barrier, and ordinals of constants, of ordinals and of arguments with other uses.
#[test]
fn barriers_and_ordinals() {
    check(
        "%x: tensor<4xf32>",
        "%a = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> tensor<4xf32>  \
         %b = iree_tensor_ext.compute_barrier.start %a : tensor<4xf32> -> tensor<4xf32>  \
         %c = iree_tensor_ext.compute_barrier.end %b : tensor<4xf32> -> tensor<4xf32>  \
         \"test.use\"(%c) : (tensor<4xf32>) -> ()",
        &["start %arg0", "compute_barrier.end %0"],
        &["start %0"],
    );
    let ordinal = |name: &str, of: &str, at: usize| {
        format!("%{name} = iree_tensor_ext.dispatch.workload.ordinal %{of}, {at} : index")
    };
    let uses = "\"test.use\"(%a, %n) : (index, index) -> ()";
    let constant = format!("%c = arith.constant 7 : index  {}  {uses}", ordinal("a", "c", 0));
    check("%n: index", &constant, &["(%c7, %arg0)"], &["ordinal"]);
    let twice = format!("{}  {}  \"test.use\"(%a) : (index) -> ()", ordinal("b", "n", 1), ordinal("a", "b", 1));
    check("%n: index", &twice, &["ordinal %arg0, 1"], &["ordinal %0"]);
    // The use in front of the ordinal goes through it, too.
    let before = format!("\"test.use\"(%n) : (index) -> ()  {}  {uses}", ordinal("a", "n", 0));
    check("%n: index", &before, &["(%0) :", "(%0, %0) :"], &[]);
}

/// What is assumed of constants, of one number, of the same in each case, and of one value twice.
#[test]
fn assumptions() {
    let args = "%x: index, %y: index";
    let uses = "\"test.use\"(%a#0, %a#1) : (index, index) -> ()";
    let assume =
        |list: &str| format!("%c9 = arith.constant 9 : index  %a:2 = util.assume.int {list} : index, index  {uses}");
    for (list, there, gone) in [
        ("%x<umin = 4, umax = 4>, %c9<udiv = 3>", "(%c4, %c9)", "assume"),
        ("%x[<umin = 1>, <umin = 1>], %y<udiv = 2>", "%arg0<umin = 1>", "["),
        (
            "%x<umin = 2, udiv = 4>, %x<umin = 3, umax = 60, udiv = 6>",
            "assume.int %arg0<umin = 3, umax = 60, udiv = 12>",
            "#1",
        ),
        ("%x<umax = 9>, %x[<umin = 1>, <umax = 5>]", "%arg0[<umin = 1, umax = 9>, <umax = 5>]", "#1"),
    ] {
        check(args, &assume(list), &[there], &[gone]);
    }
    let multiple = |divisor: usize, by: usize| {
        format!(
            "%c = arith.constant {divisor} : index  %d = arith.constant {by} : index  %a = util.assume.int %x<udiv = 12> : \
             index  %q = arith.divui %a, %c : index  %p = arith.muli %q, %d : index  \"test.use\"(%p) : (index) -> ()"
        )
    };
    check(args, &multiple(4, 4), &["(%0)"], &["divui", "muli"]);
    check(args, &multiple(5, 5), &["divui", "muli"], &[]);
    check(args, &multiple(4, 3), &["divui", "muli"], &[]);
}

/// What is sorted along with the keys and used by nobody.
#[test]
fn sorts() {
    let sort = |results: &str| {
        format!(
            "%r:2 = iree_linalg_ext.sort dimension(0) outs(%k, %v : tensor<9xf32>, tensor<9xi8>) {{\n  \
             ^bb0(%a: f32, %b: f32, %c: i8, %d: i8):\n    %s = arith.cmpf olt, %a, %b : f32\n    \
             iree_linalg_ext.yield %s : i1\n  }} -> tensor<9xf32>, tensor<9xi8>\n  {results}"
        )
    };
    let args = "%k: tensor<9xf32>, %v: tensor<9xi8>";
    check(
        args,
        &sort("\"test.use\"(%r#0) : (tensor<9xf32>) -> ()"),
        &["outs(%arg0 : tensor<9xf32>)"],
        &["i8)\n", "i8):"],
    );
    // The keys stay, used or not: they tell the order.
    check(args, &sort("\"test.use\"(%r#1) : (tensor<9xi8>) -> ()"), &["outs(%arg0, %arg1"], &[]);
    check(args, &sort(""), &[], &["sort"]);
}

/// A gather of one slice: where the indices say, in the shape of the output.
#[test]
fn gathers() {
    let gather = |source: &str, indices: &str, output: &str, map: &str| {
        let args = format!("%s: tensor<{source}xf32>, %i: tensor<{indices}xi32>, %o: tensor<{output}xf32>");
        let body = format!(
            "%r = iree_linalg_ext.gather dimension_map = [{map}] ins(%s, %i : tensor<{source}xf32>, tensor<{indices}xi32>) \
             outs(%o : tensor<{output}xf32>) -> tensor<{output}xf32>  \"test.use\"(%r) : (tensor<{output}xf32>) -> ()"
        );
        (args, body)
    };
    for (source, indices, output, map, there, gone) in [
        ("9x4", "1", "1x4", "0", "extract_slice %arg0[%0, 0] [1, 4] [1, 1]", "gather"),
        ("9x4", "1x1", "1x4", "0", "tensor.extract %arg1[%c0, %c0]", "gather"),
        ("9x4", "1x1x1", "1x1x4", "0", "expand_shape", "gather"),
        ("9x8x4", "2", "4", "1, 0", "collapse_shape", "gather"),
        ("9x4", "2", "2x4", "0", "gather", "extract_slice"),
        ("9x?", "1", "1x?", "0", "gather", "extract_slice"),
    ] {
        let (args, body) = gather(source, indices, output, map);
        check(&args, &body, &[there], &[gone]);
    }
    // The first index is that of dimension 1, the second that of dimension 0.
    let (args, body) = gather("9x8x4", "2", "4", "1, 0");
    check(&args, &body, &["%0 = arith.index_cast %extracted :", "%arg1[%c0]", "slice %arg0[%1, %0, 0]"], &[]);
}

/// A map of places to themselves is a copy, unless it masks or pads.
#[test]
fn maps_of_places() {
    let store = |yields: &str| {
        format!(
            "%true = arith.constant true\n  %r = iree_linalg_ext.map_store %x into %o {{\n  ^bb0(%i: index, %j: index):\n    \
             {yields}\n  }} : tensor<?x4xf32> into tensor<?x4xf32> -> tensor<?x4xf32>\n  \
             \"test.use\"(%r) : (tensor<?x4xf32>) -> ()"
        )
    };
    let args = "%x: tensor<?x4xf32>, %o: tensor<?x4xf32>, %m: i1";
    check(
        args,
        &store("iree_linalg_ext.yield %i, %j, %true : index, index, i1"),
        &["linalg.copy ins(%arg0"],
        &["map_store"],
    );
    check(args, &store("iree_linalg_ext.yield %i, %j, %m : index, index, i1"), &["map_store"], &["copy"]);
    check(args, &store("iree_linalg_ext.yield %j, %i, %true : index, index, i1"), &["map_store"], &["copy"]);
    let load = |n: &str| {
        let ty = format!("tensor<{n}xf32>");
        let body = format!(
            "%r = iree_linalg_ext.map_load %x into %o {{\n  ^bb0(%i: index):\n    iree_linalg_ext.yield %i, %p : index, f32\n  \
             }} : {ty} into {ty} -> {ty}\n  \"test.use\"(%r) : ({ty}) -> ()"
        );
        folded(&format!("%x: {ty}, %o: {ty}, %p: f32"), &body)
    };
    assert!(load("4").contains("linalg.copy"));
    // Where the output is larger than the source, the map pads.
    assert!(load("?").contains("map_load"));
}

/// What one operand of an attention states of a loop, the others state, too.
#[test]
fn attention() {
    let maps = "affine_map<(m, n, k, j) -> (m, k)>, affine_map<(m, n, k, j) -> (j, k)>, affine_map<(m, n, k, j) -> (j, n)>, \
                affine_map<(m, n, k, j) -> ()>, affine_map<(m, n, k, j) -> (m, n)>";
    check(
        "%q: tensor<?x4xf16>, %k: tensor<6x4xf16>, %v: tensor<?x5xf16>, %s: f16, %o: tensor<8x?xf16>",
        &format!(
            "%r = iree_linalg_ext.attention {{indexing_maps = [{maps}]}} ins(%q, %k, %v, %s : tensor<?x4xf16>, tensor<6x4xf16>, \
             tensor<?x5xf16>, f16) outs(%o : tensor<8x?xf16>) {{\n  ^bb0(%x: f32):\n    iree_linalg_ext.yield %x : f32\n  }} \
             -> tensor<8x?xf16>\n  \"test.use\"(%r) : (tensor<8x?xf16>) -> ()"
        ),
        &[
            "tensor<8x4xf16>, tensor<6x4xf16>, tensor<6x5xf16>, f16",
            "outs(%cast_1 : tensor<8x5xf16>)",
            "tensor<8x5xf16> to tensor<8x?xf16>",
        ],
        &[],
    );
}

/// Padding in front of `im2col` and behind it is its own, as long as all of it is one number.
#[test]
fn padded_images() {
    let image = |before: &str, after: &str| {
        format!(
            "%z = arith.constant {before} : f32  %y = arith.constant {after} : f32  \
             %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {{\n  ^bb0(%a: index, %b: index, %c: index):\n    \
             tensor.yield %z : f32\n  }} : tensor<2x7x3xf32> to tensor<2x10x3xf32>\n  %e = tensor.empty() : tensor<2x8x9xf32>\n  \
             %r = iree_linalg_ext.im2col strides = [1] dilations = [1] kernel_size = [3] offsets = [0, 0, 0] \
             output_sizes = [[2], [8], [3, 3]] batch_pos = [0] m_pos = [1] k_pos = [2] input_k_perm = [0, 1] \
             output_perm = [0, 1, 2] ins(%p : tensor<2x10x3xf32>) outs(%e : tensor<2x8x9xf32>) -> tensor<2x8x9xf32>\n  \
             %q = tensor.pad %r low[0, 0, 1] high[0, 4, 0] {{\n  ^bb0(%a: index, %b: index, %c: index):\n    \
             tensor.yield %y : f32\n  }} : tensor<2x8x9xf32> to tensor<2x12x10xf32>\n  \
             \"test.use\"(%q) : (tensor<2x12x10xf32>) -> ()"
        )
    };
    check(
        "%x: tensor<2x7x3xf32>",
        &image("0.0", "0.0"),
        &[
            "input_pad_low = [0, 1, 0] input_pad_high = [0, 2, 0]",
            "output_pad_low = [0, 0, 1] output_pad_high = [0, 4, 0]",
            "ins(%arg0 : tensor<2x7x3xf32>)",
            "-> tensor<2x12x10xf32>",
        ],
        &["tensor.pad"],
    );
    check("%x: tensor<2x7x3xf32>", &image("0.0", "1.0"), &["ins(%arg0", "tensor.pad %1"], &["output_pad"]);
}
