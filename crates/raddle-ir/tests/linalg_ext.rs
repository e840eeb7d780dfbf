//! The rules of `iree_linalg_ext`: for each operation a program that is right, and what makes it wrong.

mod common;

use common::complaint;

/// The program is right as it is; each change of a part of it (everywhere) gives the complaint beside it.
fn check(right: &str, wrong: &[(&str, &str, &str)]) {
    assert_eq!(complaint(right), "", "{right}");
    for (part, change, message) in wrong {
        assert!(right.contains(part), "`{part}` is not there");
        let source = right.replace(part, change);
        let found = complaint(&source);
        assert!(found.contains(message), "{part} -> {change}: `{found}`, not `{message}`");
    }
}

/// A scatter puts slices where indices say, and combines what meets.
#[test]
fn scatter() {
    let right = "func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}";
    check(
        right,
        &[
            ("[0]", "[]", "at least one element"),
            ("[0]", "[1]", "dimension map is invalid"),
            ("[0]", "[0, 0]", "dimension map is invalid"),
            ("6x1xi32", "6x1xf32", "rank 1 or greater and of integer or index"),
            ("6x1xi32", "7x1xi32", "mismatch in shape of indices and update value at dim#0"),
            ("6x1xi32", "6x1x1xi32", "batch rank or batch rank + 1"),
            ("tensor<6xi1>", "tensor<6xi16>", "expected mask to have i1"),
            ("tensor<6xi1>", "tensor<6x8xi1>", "expected mask rank"),
            ("tensor<6xi1>", "tensor<5xi1>", "mask shape must match batch dimensions at dim#0"),
            ("20x8", "20x9", "shape of update value dim#1 must match original value at dim#1"),
            ("%a: f32, %b: f32", "%a: f32, %b: f32, %c: f32", "two arguments"),
            ("%a: f32, %b: f32", "%a: f32, %b: f16", "mismatch in argument 1 of region 'f16'"),
            ("yield %a : f32", "yield %a, %b : f32, f32", "yield a single value"),
            ("tensor<6x8xf32>", "f32", "invalid kind of type"),
            ("-> tensor<20x8xf32>", "-> tensor<?x8xf32>", "to match type of corresponding result"),
            ("-> tensor<20x8xf32>", "-> memref<20x8xf32>", "result #0 must be variadic of ranked tensor"),
        ],
    );
}

/// A gather takes slices from where indices say.
#[test]
fn gather() {
    let right = "func.func @f(%s: memref<9x4xf16>, %i: memref<3x1xi64>, %o: memref<3x4xf16>) {
  iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<9x4xf16>, memref<3x1xi64>) outs(%o : memref<3x4xf16>)
  return
}";
    check(
        right,
        &[
            ("3x4", "3x5", "shape of output value dim#1 must match source value at dim#1"),
            ("3x4", "2x4", "mismatch in shape of indices and output value at dim#0"),
            ("[0]", "[1, 0, 2]", "rank of non indexed source dims"),
            ("memref<9x4xf16>", "tensor<9x4xf16>", "either pure buffer semantics or pure tensor semantics"),
        ],
    );
}

/// The body of a map takes a place in one operand to a place in the other.
#[test]
fn maps_of_places() {
    let store = "func.func @f(%x: memref<4x5xf32>, %o: memref<20xf32>) {
  iree_linalg_ext.map_store %x into %o {
  ^bb0(%i: index, %j: index):
    %m = arith.constant true
    iree_linalg_ext.yield %i, %m : index, i1
  } : memref<4x5xf32> into memref<20xf32>
  return
}";
    check(
        store,
        &[
            ("20xf32", "20xf16", "element types to match"),
            ("%i: index, %j: index", "%i: index", "equal to the input rank"),
            ("%j: index", "%j: i32", "block arguments to be index types"),
            ("%i, %m : index, i1", "%i : index", "each output dimension and a mask"),
            ("%i, %m : index, i1", "%m, %m : i1, i1", "yielded indices"),
            ("%i, %m : index, i1", "%i, %j : index, index", "yielded mask"),
        ],
    );
    let load = "func.func @f(%x: memref<20xf32>, %o: memref<4x5xf32>, %p: f32) {
  iree_linalg_ext.map_load %x into %o {
  ^bb0(%i: index, %j: index):
    iree_linalg_ext.yield %i, %p : index, f32
  } : memref<20xf32> into memref<4x5xf32>
  return
}";
    check(
        load,
        &[
            ("%i: index, %j: index", "%i: index", "equal to the output rank"),
            ("%i, %p : index, f32", "%i : index", "each source dimension and a padding value"),
            ("%i, %p : index, f32", "%i, %j : index, index", "padding value type"),
        ],
    );
}

/// A sort compares pairs of elements of each output.
#[test]
fn sort() {
    let right = "func.func @f(%k: memref<3x8xf32>, %v: memref<3x8xi32>) {
  iree_linalg_ext.sort dimension(1) outs(%k, %v : memref<3x8xf32>, memref<3x8xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %s = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  }
  return
}";
    check(
        right,
        &[
            ("dimension(1)", "dimension(2)", "dimension must be within (0, 2]"),
            ("3x8xi32", "3xi32", "expected operand 1 to be rank 2"),
            ("3x8xi32", "3x9xi32", "expected operand 1 to have same shape"),
            ("%d: i32", "%d: i64", "region block argument #3 should be of type 'i32' but got 'i64'"),
            (", %c: i32, %d: i32", "", "should have 4 arguments"),
            ("yield %s : i1", "yield %a : f32", "should yield i1"),
            ("yield %s : i1", "yield %s, %s : i1, i1", "exactly one operand"),
        ],
    );
}

/// A scan keeps its shape; what it accumulates has a dimension less.
#[test]
fn scan() {
    let right = "func.func @f(%x: tensor<4x6xf32>, %o: tensor<4x6xf32>, %a: tensor<4xf32>) {
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x6xf32>)
      outs(%o, %a : tensor<4x6xf32>, tensor<4xf32>) {
  ^bb0(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<4x6xf32>, tensor<4xf32>
  return
}";
    check(
        right,
        &[
            ("tensor<4xf32>", "tensor<4xf16>", "input/accumulator element types"),
            ("tensor<4xf32>", "tensor<4x6xf32>", "accumulator rank"),
            ("tensor<4xf32>", "tensor<5xf32>", "incompatible input/accumulator shapes"),
            ("dimension(1)", "dimension(7)", "incompatible input/accumulator shapes"),
            ("ins(%x : tensor<4x6xf32>)", "ins(%a : tensor<4xf32>)", "accumulator rank"),
        ],
    );
}

/// The largest elements: fewer along one dimension, with their places.
#[test]
fn top_k() {
    let right = "func.func @f(%x: tensor<4x9xf32>, %i: tensor<4x9xi32>, %o: tensor<4x3xf32>, %j: tensor<4x3xi32>) {
  %r:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x9xf32>, tensor<4x9xi32>)
      outs(%o, %j : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}";
    let wrong = [
        ("dimension(1)", "dimension(2)", "dimension exceeds rank"),
        ("4x3xf32", "4x3xf64", "value types to be identical"),
        (
            "^bb0(%a: f32, %b: f32):\n    %s = arith.cmpf ogt, %a, %b",
            "^bb0(%a: f32, %c: i1):\n    %s = arith.cmpf ogt, %a, %a",
            "region block types must match",
        ),
        ("yield %s : i1", "yield %a : f32", "region block must end with"),
        ("tensor<4x9xi32>", "tensor<5x9xi32>", "shape must match"),
    ];
    check(right, &wrong);
    let older = right.replace("topk_v2", "topk");
    check(&older, &wrong);
    check(&older, &[("9xi32", "9xi64", "to be int32"), ("tensor<4x9x", "tensor<7x9x", "incompatible input/output")]);
    check(
        right,
        &[
            ("4x9xi32", "4x9xi64", "indices element types to be identical"),
            ("tensor<4x9x", "tensor<7x9x", "incompatible input/output shapes at dimension 0"),
            ("4x3x", "4x11x", "must not exceed input, got 11 > 9"),
            ("4x3x", "4x0x", "output dimension must be positive"),
        ],
    );
}

/// The place of the best element along a dimension.
#[test]
fn arg_compare() {
    let right = "func.func @f(%x: tensor<2x9xf32>, %i: tensor<2x9xi64>, %o: tensor<2xf32>, %j: tensor<2xi64>) {
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<2x9xf32>, tensor<2x9xi64>)
      outs(%o, %j : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return
}";
    check(
        right,
        &[
            ("dimension(1)", "dimension(3)", "got dimension: 3, but input rank is: 2"),
            ("dimension(1)", "dimension(0)", "Expected: [9], but got: [2]"),
            ("2x9xi64", "2x8xi64", "Value shape: [2, 9], index shape: [2, 8]"),
            ("2x9xi64", "2x9xf32", "integer or index element type, but got 'f32'"),
            ("2x9xi64", "2x9xi32", "element types must match. Input index type: 'i32'"),
            ("tensor<2xf32>", "tensor<2xf64>", "output value type: 'f64'"),
            ("tensor<2xi64>", "tensor<3xi64>", "output index shape: [3]"),
            (
                "^bb0(%a: f32, %b: f32):\n    %s = arith.cmpf ogt, %a, %b",
                "^bb0(%a: f32, %c: i1):\n    %s = arith.cmpf ogt, %a, %a",
                "but got: 'f32' and 'i1'",
            ),
            ("%a: f32, %b: f32", "%a: f32, %b: f32, %c: f32", "2 arguments, but got 3"),
            ("yield %s : i1", "yield %b : f32", "but got: 'f32'"),
        ],
    );
}

/// The maps of an attention tell which loops run over which operand.
#[test]
fn attention() {
    let right = "#q = affine_map<(b, m, n, k, j) -> (b, m, k)>
#k = affine_map<(b, m, n, k, j) -> (b, j, k)>
#v = affine_map<(b, m, n, k, j) -> (b, j, n)>
#s = affine_map<(b, m, n, k, j) -> ()>
#o = affine_map<(b, m, n, k, j) -> (b, m, n)>
func.func @f(%q: tensor<2x8x4xf16>, %k: tensor<2x6x4xf16>, %v: tensor<2x6x5xf16>, %s: f16, %o: tensor<2x8x5xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x6x4xf16>, tensor<2x6x5xf16>, f16) outs(%o : tensor<2x8x5xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x8x5xf16>
  return
}";
    check(
        right,
        &[
            (", #s, #o]", ", #s]", "an indexing map for each operand"),
            ("2x6x4xf16", "2x6xf16", "Rank Mismatch for Key. Expected: 3 Got: 2"),
            ("2x6x5xf16", "2x7x5xf16", "Shape Mismatch for Value at position 1. Expected: 6 Got: 7"),
            ("(b, m, n, k, j) -> ()", "(b, m) -> ()", "Mismatched map domain for Scale. Expected: 5 Got: 2"),
            ("(b, j, k)", "(b, j + 1, k)", "projected permutations"),
            ("f32", "i32", "block argument 0 should be float"),
            ("%s: f16, ", "%s: i16, ", "expects different type than prior uses: `f16` vs `i16`"),
        ],
    );
}

/// An index of a loop stands inside an operation that has the loop.
#[test]
fn custom_op() {
    let right = "func.func @f(%x: tensor<8xf32>, %c: f32, %o: tensor<8xf32>) {
  %r = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(i)[s] -> (i)>, affine_map<() -> ()>, \
affine_map<(i)[s] -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>]}
      ins(%x, %c : tensor<8xf32>, f32) outs(%o : tensor<8xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: f32, %d: tensor<?xf32>):
    %i = iree_linalg_ext.index 0 : index
    iree_linalg_ext.yield %d : tensor<?xf32>
  } -> tensor<8xf32>
  return
}";
    check(
        right,
        &[
            ("affine_map<() -> ()>, ", "", "indexing maps (2) to be same as the number of input/output operands (3)"),
            ("[affine_map<(i)[s] -> (i)>", "[affine_map<(i, j)[s] -> (i)>", "indexing_map #0 to have 1 dim(s)"),
            ("[affine_map<(i)[s] -> (i)>", "[affine_map<(i)[s, t] -> (i)>", "indexing_map #2, expected 2 instead of 1"),
            ("[affine_map<(i)[s] -> (i)>", "[affine_map<(i)[s] -> (i, s)>", "operand rank(1)"),
            ("%a: tensor<?xf32>, ", "", "block arguments (2) as the number of operands (3)"),
            ("%b: f32", "%b: f64", "for (scalar) operand #1"),
            ("%a: tensor<?xf32>", "%a: f32", "argument to be tensor as well"),
            ("%a: tensor<?xf32>", "%a: tensor<8xf32>", "operand #0 to be 'tensor<?xf32>' instead of 'tensor<8xf32>'"),
            ("yield %d : tensor<?xf32>", "yield", "as many yields"),
            ("yield %d : tensor<?xf32>", "yield %b : f32", "type of 0-th operand of yield"),
            ("index 0", "index 1", "expected dim (1) to be lower than the number of loops (1)"),
            (" f32", " memref<f32>", "operand #1 must be variadic of"),
        ],
    );
    let outside = complaint("func.func @f() {\n  %i = iree_linalg_ext.index 0 : index\n  return\n}");
    assert!(outside.contains("expected parent op to be one of"), "{outside}");
}

/// What an exponential reduction rescales are its outputs, but not the first, which is the maximum.
#[test]
fn exp_reduction() {
    let right = "func.func @f(%x: tensor<2x3xf32>, %m: tensor<2xf32>, %o: tensor<2xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, \
affine_map<(i, j) -> (i)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, \
#iree_linalg_ext.iterator_type<reduction>], exp_reduced_operands = [1]}
      ins(%x : tensor<2x3xf32>) outs(%m, %o : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    iree_linalg_ext.yield %b, %c : f32, f32
  } -> tensor<2xf32>, tensor<2xf32>
  return
}";
    check(
        right,
        &[
            ("operands = [1]", "operands = [0]", "cannot be the 0th operand"),
            ("operands = [1]", "operands = [2]", "outs has 2 operands"),
            ("(i, j) -> (i, j)", "(i, j) -> (i, j + j)", "projected permutations"),
            (
                "iree_linalg_ext.yield",
                "%k = linalg.index 0 : index\n    iree_linalg_ext.yield",
                "is not supported in body",
            ),
        ],
    );
}

/// Batches, M and K of an unfolded image come from the dimensions that its lists name.
#[test]
fn im2col() {
    let right = "func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] \
output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] \
output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}";
    check(
        right,
        &[
            ("k_pos = [3]", "k_pos = []", "sum of batch, m, and k ranks"),
            ("offsets = [0, 0, 0]", "offsets = [0, 0]", "offsets size (2) to match output rank (3)"),
            ("[[2], [32, 32], ", "[[2], ", "outer size (2) to match output rank (3)"),
            ("[[2], ", "[[1, 2], ", "batch output_sizes"),
            ("[32, 32]", "[32, 32, 1]", "M/K boundary not found"),
            ("[3, 3, 640]", "[9, 640]", "inner dimensions (2) to equal m_pos.size() + k_pos.size() (3)"),
            ("kernel_size = [3, 3]", "kernel_size = [3]", "kernel rank to be equal to the m_pos rank"),
            ("strides = [1, 1]", "strides = [1]", "strides rank"),
            ("dilations = [1, 1]", "dilations = [1]", "dilations rank"),
            ("input_k_perm = [0, 1, 2]", "input_k_perm = [0, 1]", "input_k_perm size (2)"),
            ("input_k_perm = [0, 1, 2]", "input_k_perm = [0, 1, 1]", "permutation of [0, 3)"),
            ("output_perm = [0, 1, 2]", "output_perm = [0, 1, 3]", "output_perm to be a permutation"),
            ("output_perm = [0, 1, 2]", "output_perm = [0, 1]", "same rank as the result"),
            ("pad_low = [0, 1, 1, 0]", "pad_low = [0, 1, 1]", "to have the same size"),
            ("[0, 1, 1, 0]", "[0, 1, 1]", "input_pad_low size (3) to match input rank (4)"),
            (" pad_value(%p : f32)", "", "expected pad_value"),
        ],
    );
}

/// Tiles of an image and their transforms: six points a side are four points of the result for a kernel of three.
#[test]
fn winograd() {
    let transform = |name: &str, dims: &str, [input, output]: [&str; 2]| {
        format!(
            "func.func @f(%x: tensor<{input}xf32>, %o: tensor<{output}xf32>) {{\n  \
             %r = iree_linalg_ext.winograd.{name}_transform output_tile_size(4) kernel_size(3) {dims} \
             ins(%x : tensor<{input}xf32>) outs(%o : tensor<{output}xf32>) -> tensor<{output}xf32>\n  return\n}}"
        )
    };
    let input = transform("input", "image_dimensions([1, 2])", ["1x10x6x5", "6x6x1x2x1x5"]);
    check(
        &input,
        &[
            ("6x6x1x2x1x5", "6x6x1x2x2x5", "incompatible output shape"),
            ("6x6x1x2x1x5", "6x6x1x2x1", "output rank to be equal to input rank + 2"),
            ("[1, 2]", "[1, 3]", "either [1, 2] or [2, 3]"),
            ("[1, 2]", "[1]", "only 2 image dimensions"),
            ("[1, 2]", "[2, 3]", "incompatible output shape"),
            ("output_tile_size(4)", "output_tile_size(0)", "positive tile and kernel sizes"),
        ],
    );
    check(&transform("input", "image_dimensions([2, 3])", ["1x5x10x6", "6x6x1x2x1x5"]), &[]);
    let one = transform("input", "image_dimensions([0, 1])", ["6x5", "6x6"]);
    check(&one, &[("tensor<6x5x", "tensor<6x7x", "not greater than input tile size"), ("6x6", "6x5", "inputTileSize")]);
    let output = transform("output", "image_dimensions([2, 3])", ["6x6x1x2x3x5", "1x5x8x12"]);
    check(&output, &[("1x5x8x12", "1x8x12x5", "incompatible"), ("[2, 3]", "[3, 2]", "either [1, 2] or [2, 3]")]);
    check(&transform("output", "image_dimensions([0, 1])", ["6x6", "4x4"]), &[("6x6", "5x6", "input dims")]);
    let filter = transform("filter", "kernel_dimensions([2, 3])", ["7x5x3x3", "6x6x5x7"]);
    check(&filter, &[("7x5x3x3", "7x5x3x2", "the kernel size"), ("6x6x5x7", "6x6x7x5", "incompatible output shape")]);
    check(&transform("filter", "kernel_dimensions([0, 1])", ["3x3x5x7", "6x6x5x7"]), &[]);
    check(&transform("filter", "kernel_dimensions([0, 1])", ["3x3", "6x6"]), &[("3x3", "3x2", "kernel size if")]);
}

/// The length of a transform is a power of two.
#[test]
fn fft() {
    let right = "func.func @f(%s: index, %x: memref<64xf32>, %y: memref<64xf32>) {
  iree_linalg_ext.fft ins(%s : index) outs(%x, %y : memref<64xf32>, memref<64xf32>)
  return
}";
    check(
        right,
        &[("64xf32", "48xf32", "only powers of 2"), ("index", "tensor<index>", "expected to carry `stage` input")],
    );
}

/// Attributes that belong to an operation may stand between angle brackets in front of the dictionary.
#[test]
fn strict_properties_are_read() {
    let attention = "func.func @f(%q: tensor<16x64xf16>, %k: tensor<32x64xf16>, %v: tensor<32x8xf16>, %s: f16, %o: tensor<16x8xf16>) -> tensor<16x8xf16> {
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]}
      ins(%q, %k, %v, %s : tensor<16x64xf16>, tensor<32x64xf16>, tensor<32x8xf16>, f16) outs(%o : tensor<16x8xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<16x8xf16>
  return %r : tensor<16x8xf16>
}";
    let tiled = "func.func @g(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %r = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [], kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>} : vector<4xf16>, vector<4xf16> into vector<4xf32>
  return %r : vector<4xf32>
}";
    for plain in [attention, tiled] {
        let read =
            |text: &str| raddle_ir::parse(text).map(|ir| raddle_ir::print(&ir, &raddle_ir::PrintOptions::default()));
        let expected = read(plain).unwrap_or_else(|diags| panic!("{}", diags[0]));
        let (before, rest) = plain.split_once("{indexing_maps").unwrap_or_default();
        let (inside, after) = rest.split_once('}').unwrap_or_default();
        for (dictionary, kept) in [("", ""), (" {note = 1 : i32}", "note = 1")] {
            let strict = format!("{before}<indexing_maps{inside}>{dictionary}{after}");
            let found = read(&strict).unwrap_or_else(|diags| panic!("{strict}: {}", diags[0]));
            assert!(found.contains(kept));
            assert!(!dictionary.is_empty() || found == expected, "{found}");
        }
    }
}
