//! The rules of IREE's operations, in IREE's words.

mod common;

use common::{complaint as of_module, function};

/// What is wrong with the only operation in a function of these arguments.
fn complaint(args: &str, body: &str) -> String {
    of_module(&function(args, body))
}

/// Buffers and tensors that pass into one another hold the same elements.
#[test]
fn buffers_and_tensors() {
    let load = |buffer: &str, tensor: &str| {
        complaint(&format!("%b: {buffer}"), &format!("%t = iree_codegen.load_from_buffer %b : {buffer} -> {tensor}"))
    };
    assert_eq!(load("memref<4x?xf32>", "tensor<?x8xf32>"), "");
    let message = "buffer and tensor shapes must be compatible and element types must match";
    for (buffer, tensor) in [("memref<5xf32>", "tensor<4xf32>"), ("memref<4xf32>", "tensor<4xf16>")] {
        assert_eq!(load(buffer, tensor), format!("'iree_codegen.load_from_buffer' op {message}"));
    }
}

/// An exclusive scan states what comes first.
#[test]
fn exclusive_scans() {
    let scan = |inner: &str| {
        complaint(
            "%x: f32, %i: f32",
            &format!(
                "%a, %b = iree_gpu.subgroup_scan{inner} cluster(size = 4) {{\n  ^bb0(%p: f32, %q: f32):\n    \
                 %r = arith.addf %p, %q : f32\n    iree_gpu.yield %r : f32\n  }} : f32"
            ),
        )
    };
    assert_eq!(scan("(%x)"), "'iree_gpu.subgroup_scan' op exclusive scan requires an identity operand");
    assert_eq!(scan("(%x, identity = %i : f32)"), "");
    assert_eq!(scan(" inclusive(%x)"), "");
}

/// The knobs of a constraint are those of its dictionary, each read once.
#[test]
fn constraints() {
    let body = |body: &str| {
        complaint(
            "%n: index",
            &format!(
                "iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, \
                 knobs = {{x = [#iree_codegen.smt.int_knob<\"k\">]}} dims(%n) {{\n  ^bb0(%m: !smt.int):\n    {body}\n  }}"
            ),
        )
    };
    let knob = |name: &str| format!("%{name} = iree_codegen.smt.knob \"{name}\" : !smt.int");
    assert_eq!(body(&knob("k")), "");
    assert_eq!(body(&knob("j")), "'iree_codegen.smt.knob' op knob name 'j' not found in knobs dict");
    let twice = format!("{}\n    %l = iree_codegen.smt.knob \"k\" : !smt.int", knob("k"));
    assert_eq!(body(&twice), "'iree_codegen.smt.knob' op duplicate knob name 'k'");
    let lookup = |lists: &str| format!("%v = iree_codegen.smt.lookup %m {lists} : !smt.int");
    assert_eq!(body(&lookup("[1, 2] -> [3, 4]")), "");
    assert!(body(&lookup("[1, 1] -> [3, 4]")).contains("duplicate key 1 in lookup table"));
    assert!(body(&lookup("[1] -> [3, 4]")).contains("got 1 keys and 2 values"));
    assert!(body(&lookup("[] -> []")).contains("must be non-empty"));
    let assertion =
        "%e = smt.eq %m, %m : !smt.int\n    iree_codegen.smt.assert %e, \"{} {}\", %m : !smt.bool, !smt.int";
    assert!(body(assertion).contains("format string has 2 placeholder(s) but got 1 arg(s)"));
    assert!(complaint("%n: index", &knob("k")).contains("expects parent op 'iree_codegen.smt.constraints'"));
}

/// A tile that lies in memory as lanes take it has their dimensions: lanes along k, lanes along the rows, elements.
#[test]
fn data_tiled_inner_tiles() {
    let tiled = |tiles: [&str; 3], kind: &str, distributed: bool| {
        let [a, b, c] = tiles.map(|tile| format!("tensor<2x2x{tile}>"));
        complaint(
            &format!("%a: {a}, %b: {b}, %c: {c}"),
            &format!(
                "%0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, \
                 affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = \
                 [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], \
                 kind = #iree_gpu.data_tiled_mma_layout<{kind}>, semantics = #iree_gpu.mma_semantics<distributed = \
                 {distributed}, opaque = false>}} : {a}, {b} into {c}"
            ),
        )
    };
    let one = "intrinsic = MFMA_F32_16x16x16_F16";
    assert_eq!(tiled(["4x16x4xf16", "4x16x4xf16", "4x16x4xf32"], one, false), "");
    assert_eq!(tiled(["1x1x4xf16", "4xf16", "1x4xf32"], one, true), "");
    let message = |i: usize, found: &str, expected: &str| {
        format!(
            "'iree_codegen.inner_tiled' op operand #{i} inner tile 'tensor<{found}>' is incompatible with expected MMA \
             tile type 'vector<{expected}>'"
        )
    };
    let found = tiled(["4x16x4xf16", "4x16x4xf16", "16x16xf32"], one, false);
    assert_eq!(found, message(2, "16x16xf32", "4x16x4xf32"));
    let found = tiled(["4xf16", "4xf16", "2x2xf32"], one, true);
    assert_eq!(found, message(2, "2x2xf32", "1x1x4xf32"));
    // One element for each lane: its extent is not spelled.
    let single = "intrinsic = MFMA_F32_16x16x4_F32";
    assert_eq!(tiled(["4x16xf32", "16x4xf32", "4x16x4xf32"], single, false), message(1, "16x4xf32", "4x16xf32"));
    // Tiles for several instructions are larger.
    assert_eq!(tiled(["8x8xf16", "8xf16", "16xf32"], "intrinsic = MFMA_F32_16x16x16_F16, intrinsics_m = 2", true), "");
}

/// A tile for CPUs goes over the intrinsics first; a scalable extent is one that is not known.
#[test]
fn inner_tiles_of_cpus() {
    let tiled = |tiles: [&str; 3], kind: &str| {
        let [a, b, c] = tiles.map(|tile| format!("tensor<1x1x{tile}>"));
        complaint(
            &format!("%a: {a}, %b: {b}, %c: {c}"),
            &format!(
                "%0 = iree_codegen.inner_tiled ins(%a, %b) outs(%c) {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, \
                 affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = \
                 [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], \
                 kind = #iree_cpu.data_tiled_mma_layout<intrinsic = {kind}>, semantics = \
                 #iree_cpu.mma_semantics<>}} : {a}, {b} into {c}"
            ),
        )
    };
    let message = |i: usize, found: &str, expected: &str| {
        format!(
            "'iree_codegen.inner_tiled' op operand #{i} inner tile 'tensor<{found}>' is incompatible with expected MMA \
             tile type 'vector<{expected}>'"
        )
    };
    let one = "MMA_X86_AVX512_1x16x1_F32_F32";
    let many = "MMA_X86_AVX512_1x16x1_F32_F32, intrinsics_m = 16";
    let tiles = ["16x1xf32", "16x1xf32", "16x16xf32"];
    assert_eq!(tiled(tiles, many), "");
    assert_eq!(tiled(tiles, one), message(0, "16x1xf32", "1x1xf32"));
    assert_eq!(tiled(["16x1xf16", "16x1xf16", "16x16xf32"], many), message(0, "16x1xf16", "16x1x1xf32"));
    // Both dimensions go over the intrinsics before one begins.
    let both = "MMA_X86_AVX512FP16_1x32x1_F16_F16, intrinsics_k = 2";
    assert_eq!(tiled(["1x2xf16", "2x32xf16", "1x32xf16"], both), "");
    assert_eq!(tiled(["1x2xf16", "32x2xf16", "1x32xf16"], both), message(1, "32x2xf16", "2x32x1xf16"));
    assert_eq!(tiled(["1x2xi16", "16x2xi16", "1x16xi32"], "MMA_X86_AVX512_1x16x2_I32_I16"), "");
    assert_eq!(tiled(["1x4xi8", "16x4xi8", "1x16xi32"], "MMA_X86_AVX512VNNI_1x16x4_I32_UI8_I8"), "");
    let scalable = "MMA_ARM_SVE_FMLA_1x4VLx1_F32_F32";
    assert_eq!(tiled(["1x1xf32", "?x1xf32", "1x?xf32"], scalable), "");
    assert_eq!(tiled(["1x1xf32", "4x1xf32", "1x?xf32"], scalable), message(1, "4x1xf32", "[4]x1xf32"));
}

/// What an encoding needs to say, and what can be packed.
#[test]
fn parts_of_encodings() {
    let argument = |ty: &str| of_module(&format!("func.func @f(%a: {ty}) {{\n  return\n}}"));
    let encoded = |encoding: &str| argument(&format!("tensor<?x4xi4, #iree_encoding.{encoding}>"));
    let missing = |name: &str| format!("struct is missing required parameter: {name}");
    assert_eq!(encoded("encoding<>"), missing("operand_index"));
    assert_eq!(encoded("encoding<operand_index = 0>"), missing("op_type"));
    assert_eq!(encoded("encoding<operand_index = 0, op_type = matmul>"), missing("element_types"));
    assert_eq!(encoded("encoding<operand_index = 0, op_type = matmul, element_types = [i4]>"), "");
    let message = "expected all the layout attributes to implement SerializableAttr";
    assert_eq!(encoded("layout<[#iree_encoding.unknown]>"), message);
    assert_eq!(encoded("packed_storage"), "");
    for (elem, message) in
        [("i12", "is 12 but packed_storage"), ("i3", "is 3 but packed_storage"), ("f32", "is 32 but")]
    {
        for encoding in ["packed_storage", "layout<[#iree_encoding.packed_storage]>"] {
            let found = argument(&format!("tensor<?x4x{elem}, #iree_encoding.{encoding}>"));
            assert!(found.starts_with("bit-width of the element type") && found.contains(message), "{found}");
        }
    }
}

/// What is wrong inside a block is said before that it has no end.
#[test]
fn inside_of_blocks_without_ends() {
    let body = "iree_codegen.ukernel.generic \"foo\" outs(%a : tensor<?xf32>)";
    let found = of_module(&format!("func.func @f(%a: tensor<?xf32>) {{\n  {body}\n}}"));
    assert!(found.contains("expected the number of tensor results (0)"), "{found}");
    let found = of_module("func.func @f() {\n  %0 = arith.constant 0 : i32\n}");
    assert!(found.contains("block with no terminator"), "{found}");
}

/// A type with extents beside it has one for each that it leaves open.
#[test]
fn extents_beside_types() {
    let cast = |extents: &str| {
        complaint(
            "%x: tensor<?x4xi8>, %n: index",
            &format!("%y = iree_tensor_ext.bitcast %x : tensor<?x4xi8>{extents} -> tensor<8xi32>"),
        )
    };
    assert_eq!(cast("{%n}"), "");
    let message = |found| {
        format!(
            "'iree_tensor_ext.bitcast' op value set has 1 dynamic dimensions but only {found} dimension values are attached"
        )
    };
    assert_eq!(cast(""), message(0));
    assert_eq!(cast("{%n, %n}"), message(2));
    let load = |extents: &str| {
        complaint(
            "%x: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %n: index",
            &format!(
                "%y = iree_tensor_ext.dispatch.tensor.load %x, offsets = [0], sizes = [4], strides = [1] : \
                 !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{extents} -> tensor<4xf32>"
            ),
        )
    };
    assert_eq!(load("{%n}"), "");
    assert!(load("").contains("but only 0 dimension values"));
}

/// A barrier on a tensor keeps its type.
#[test]
fn compute_barriers() {
    let barrier = |to: &str| {
        complaint(
            "%x: tensor<4xf32>",
            &format!("%y = iree_tensor_ext.compute_barrier.start %x : tensor<4xf32> -> {to}"),
        )
    };
    assert_eq!(barrier("tensor<4xf32>"), "");
    assert!(barrier("tensor<5xf32>").contains("value and result types must match"));
}

/// Three rows of different lengths: their number is fixed, their length is not, and the rest stays.
#[test]
fn ragged_shapes() {
    let ragged = |dim: usize, columns: &str, result: &str| {
        complaint(
            &format!("%x: tensor<7x9xf32>, %c: tensor<{columns}xindex>"),
            &format!(
                "%y = iree_tensor_ext.cast_to_ragged_shape %x ragged_dim({dim}) column_lengths(%c) : \
                 (tensor<7x9xf32>, tensor<{columns}xindex>) -> {result}"
            ),
        )
    };
    let row = "#iree_tensor_ext.ragged_shape<0>";
    assert_eq!(ragged(0, "4", &format!("tensor<3x?x9xf32, {row}>")), "");
    for (dim, columns, result, message) in [
        (2, "4", "3x?x9", "expected `ragged_dim` to be less than 2"),
        (0, "4x1", "3x?x9", "expected `column_lengths` to be of rank 1"),
        (0, "4", "3x?x9x9", "expected result rank to be 3"),
        (
            1,
            "4",
            "3x?x9",
            "mismatch in specified `ragged_dim` value of 1 and `raggedRow` value in the sparse encoding 0",
        ),
        (0, "1", "3x?x9", "to be static and greater than 1"),
        (0, "5", "3x?x9", "to be static and equal to 4"),
        (0, "4", "3x7x9", "expected dimension 1 of result, i.e. `ragged_dim` + 1, to be dynamic"),
        (
            0,
            "4",
            "3x?x8",
            "expected shape of dimension 2 of result to match the shape of dimension 1 of source, but got 8 and 9",
        ),
    ] {
        let found = ragged(dim, columns, &format!("tensor<{result}xf32, {row}>"));
        assert!(found.contains(message), "{found}");
    }
    assert!(ragged(0, "4", "tensor<3x?x9xf32>").contains("`SparseShapeAttrInterface`"));
    // Rows and columns are two dimensions.
    let short = of_module("func.func private @f(tensor<4x5xf32, #iree_tensor_ext.ragged_shape<1>>)");
    assert_eq!(short, "sparse dimensions specified are greater than the rank of the shaped type");
    let flat = |result: &str| {
        complaint(
            &format!("%x: tensor<3x?x9xf32, {row}>, %n: index"),
            &format!("%y = iree_tensor_ext.linearize_ragged_dims %x : tensor<3x?x9xf32, {row}> -> {result}"),
        )
    };
    assert_eq!(flat("tensor<?x9xf32>{%n}"), "");
    assert!(
        flat("tensor<?x8xf32>{%n}").contains("source dimension 2 with size 9 to be preserved in result dimension 1")
    );
    assert!(flat("tensor<?xf32>{%n}").contains("expected result rank to be 2"));
    assert!(flat("tensor<?x9xf32>").contains("but only 0 dimension values"));
}

/// Inner tiles come from dimensions of the tensor, and are put together from all that they were taken apart into.
#[test]
fn encodings() {
    let encoded = |info: &str| {
        of_module(&format!(
            "func.func private @f(tensor<8x9xf32, #iree_gpu.gpu_encoding_resolver<configuration = {{encoding_info = {{\
             {info}}}}}>>)"
        ))
    };
    let right = "innerDimsPos = [1, 0], innerTileSizes = [6, 4], outerDimsPerm = [0, 1], \
                 swizzle = {expandShape = [[[\"Internal\", 2], [\"CrossThread\", 3]], [[\"Internal\", 4]]], \
                 permutation = [2, 0, 1]}";
    assert_eq!(encoded(right), "");
    for (part, change, message) in [
        ("[1, 0], inner", "[1, 2], inner", "innerDimsPos index 2 is out of bounds for tensor rank 2"),
        ("[1, 0], inner", "[1, 1], inner", "innerDimsPos contains duplicate index 1"),
        ("[1, 0], inner", "[1], inner", "innerDimsPos size (1) does not match innerTileSizes size (2)"),
        ("Perm = [0, 1]", "Perm = [0, -1]", "outerDimsPerm index -1 is out of bounds"),
        ("[2, 0, 1]", "[2, 0]", "permutation size (2) does not match total expanded dimensions (3)"),
        ("[2, 0, 1]", "[2, 0, 2]", "is not a valid permutation"),
        ("\"Internal\", 4", "\"Internal\", 5", "expandShape[1] product (5) does not match innerTileSizes[1] (4)"),
    ] {
        assert!(right.contains(part), "{part}");
        let found = encoded(&right.replace(part, change));
        assert!(found.contains(message), "{change}: {found}");
    }
}

/// Workers write results through references that have the shape of the result and the scope of the operation.
#[test]
fn workers() {
    let generic = |reference: &str, result: &str| {
        complaint(
            "%n: index",
            &format!(
                "%r = pcf.generic scope(#pcf.sequential)\n    execute(%ref)[%id: index, %count: index] : ({reference}) -> \
                 ({result}) {{\n    pcf.return\n  }}"
            ),
        )
    };
    let right = "!pcf.sref<4x?xi32, sync(#pcf.sequential)>";
    assert_eq!(generic(right, "tensor<4x?xi32>{%n}"), "");
    for (reference, result, message) in [
        ("!pcf.sref<4x?xi32, #pcf.test_scope>", "tensor<4x?xi32>{%n}", "with scope #pcf.sequential"),
        ("!pcf.sref<4x?xi32, #pcf.sequential, i32>", "tensor<4x?xi32>{%n}", "to sync on return"),
        (
            "!pcf.sref<5x?xi32, #pcf.sequential>",
            "tensor<4x?xi32>{%n}",
            "region arg at index 0 with type '!pcf.sref<5x?xi32",
        ),
        ("!pcf.sref<4x?xf32, #pcf.sequential>", "tensor<4x?xi32>{%n}", "element type mismatch of 'f32' vs 'i32'"),
        (right, "i32", "result type must be a shaped type"),
        (
            right,
            "tensor<4x?xi32>{%n, %n}",
            "expected 1 dynamic dimension operands for type `tensor<4x?xi32>`, but got 2",
        ),
    ] {
        let found = generic(reference, result);
        assert!(found.contains(message), "{found}");
    }
    let empty = "pcf.loop scope(#pcf.sequential) count() execute[] {\n    pcf.return\n  }";
    assert!(complaint("", empty).contains("at least one iteration count"));
    let memref = |ty: &str| {
        complaint(
            "%s: !pcf.sref<8xf32, #pcf.sequential>",
            &format!("%m = pcf.get_memref %s[0] [4] [1] : !pcf.sref<8xf32, #pcf.sequential> to {ty}"),
        )
    };
    assert_eq!(memref("memref<4xf32, strided<[?], offset: ?>>"), "");
    assert!(memref("memref<4xf32>").contains("must have a strided layout"));
    assert!(memref("memref<4xf32, strided<[?]>>").contains("must have dynamic offset"));
    assert!(memref("memref<4xf32, strided<[1], offset: ?>>").contains("all dynamic strides"));
}

/// What a configuration of a whole function may say.
#[test]
fn configurations() {
    let info = |fields: &str| {
        of_module(&format!(
            "func.func private @f() attributes {{translation_info = #iree_codegen.translation_info<{fields}>}}"
        ))
    };
    assert_eq!(info("pipeline = #iree_codegen.transform_dialect_codegen codegen_spec = @s"), "");
    assert!(
        info("pipeline = #iree_codegen.no_pipeline codegen_spec = @s").contains("requires transform dialect codegen")
    );
    assert!(info("pipeline = \"none\"").contains("must implement PipelineAttrInterface"));
    let export = |sizes: &str| {
        of_module(&format!(
            "func.func private @f() attributes {{e = #iree_codegen.export_config<workgroup_size = [{sizes}]>}}"
        ))
    };
    assert_eq!(export("4, 1, 1"), "");
    assert!(export("4, 1, 1, 1").contains("atmost 3 entries"));
}

/// Tile sizes for CPUs are lists, one for each level; alignments are words.
#[test]
fn levels_of_tiles() {
    let attr = |attr: &str| of_module(&format!("func.func private @f() attributes {{c = #iree_cpu.{attr}}}"));
    assert_eq!(attr("lowering_config<distribution = [4, 8], cache_parallel = [1]>"), "");
    assert!(attr("lowering_config<cache_parallel = 8>").contains("`cache_parallel` is a list of tile sizes"));
    assert!(attr("lowering_config<{}>").contains("names of tiling levels"));
    assert_eq!(attr("inner_tile_alignments<distribution = [Equal, Unknown], cache_parallel = [Multiple]>"), "");
    assert!(attr("inner_tile_alignments<distribution = [Some]>").contains("expected an InnerTileAlignment"));
    assert!(attr("inner_tile_alignments<distribution = Equal>").contains("a list of alignments"));
    assert!(attr("inner_tile_alignments<>").contains("at least one tiling level"));
}

/// What comes out of a barrier has the types of what goes in, one by one.
#[test]
fn same_types() {
    let barrier = |types: &str| {
        complaint(
            "%x: i32, %y: f32",
            &format!("%a:2 = \"util.optimization_barrier\"(%x, %y) : (i32, f32) -> ({types})"),
        )
    };
    assert_eq!(barrier("i32, f32"), "");
    assert!(barrier("i32, i32").contains("all of {operands, results} have same type"));
}

/// A tuning specification has one entry, which tries its matchers and does nothing else.
#[test]
fn tuning_specifications() {
    let right =
        "module @spec attributes {iree_codegen.tuning_spec_with_default_entrypoint, transform.with_named_sequence} {
  transform.named_sequence @match(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @set(%op: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__kernel_config(%op: !transform.any_op {transform.consumed}) -> !transform.any_op \
attributes {iree_codegen.tuning_spec_entrypoint} {
    %r = transform.foreach_match in %op @match -> @set : (!transform.any_op) -> !transform.any_op
    transform.yield %r : !transform.any_op
  }
}";
    assert_eq!(of_module(right), "");
    let more = "  transform.named_sequence @more(%op: !transform.any_op {transform.readonly}) -> !transform.any_op \
                attributes {iree_codegen.tuning_spec_entrypoint} {\n    transform.yield %op : !transform.any_op\n  }\n";
    for (part, change, message) in [
        ("@__kernel_config", "@other", "Missing named sequence '__kernel_config'"),
        (
            " attributes {iree_codegen.tuning_spec_entrypoint}",
            "",
            "Missing attribute 'iree_codegen.tuning_spec_entrypoint'",
        ),
        ("spec_entrypoint}", "spec_entrypoint = 1}", "must be a UnitAttr"),
        ("  transform.named_sequence @set", &format!("{more}  transform.named_sequence @set"), "but found 2"),
        ("foreach_match in", "foreach_match restrict_root in", "must not have 'restrict_root'"),
        (
            "    %r = transform",
            "    transform.print %op : !transform.any_op\n    %r = transform",
            "exactly two operations",
        ),
    ] {
        assert!(right.contains(part), "{part}");
        let found = of_module(&right.replace(part, change));
        assert!(found.contains(message), "{change}: {found}");
    }
    let entry = of_module(
        "transform.named_sequence @f(%x: !transform.any_op) attributes {iree_codegen.tuning_spec_entrypoint} {}",
    );
    assert_eq!(entry, "Must return one 'any_op' (required by 'iree_codegen.tuning_spec_entrypoint')");
}

/// An encoding is set on a tensor that has none, keeps its shape, and has one operand for each extent that it leaves open.
#[test]
fn setting_encodings() {
    let set = |from: &str, dims: &str, to: &str| {
        complaint(
            &format!("%x: tensor<{from}>, %n: index"),
            &format!("%y = iree_encoding.set_encoding %x {dims} : tensor<{from}> -> tensor<{to}>"),
        )
    };
    let encoding = "#iree_encoding.encoding<operand_index = 0 : i64, op_type = matmul, element_types = [f32, f32, f32], \
                    user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], iteration_sizes = [?, 4, 8]>";
    let encoded = |shape: &str| format!("{shape}xf32, {encoding}");
    assert_eq!(set("4x8xf32", "encoding_dims{%n}", &encoded("4x8")), "");
    assert_eq!(set("4x8xf32", "", "4x8xf32, #iree_encoding.testing<>"), "");
    for (from, dims, to, message) in [
        ("4x8xf32", "", encoded("4x8"), "expects 1 dynamic encoding dimension(s), but 0 provided"),
        ("4x8xf32", "", "4x8xf32".to_owned(), "result of set_encoding op expected to have a valid tensor encoding"),
        ("4x8xf32", "", encoded("4x9"), "to preserve the logical shape"),
        ("4x8xf32", "", encoded("4"), "cannot change the rank"),
    ] {
        let found = set(from, dims, &to);
        assert!(found.contains(message), "{found}");
    }
    for (part, change, message) in [
        ("index = 0", "index = 1", "exceeds the size of `user_indexing_maps`"),
        ("[affine_map<(i, j, k) -> (i, j)>]", "[4]", "a non-composable attribute in `user_indexing_maps` at index: 0"),
        (
            "user_indexing_maps = [affine_map<(i, j, k) -> (i, j)>], ",
            "",
            "without any corresponding `user_indexing_maps`",
        ),
        ("[?, 4, 8]", "[?, 4]", "an encoding with 2 iteration sizes, but expected 3"),
    ] {
        assert!(encoding.contains(part), "{part}");
        let found = of_module(&format!("func.func private @f(tensor<4x8xf32, {}>)", encoding.replace(part, change)));
        assert!(found.contains(message), "{change}: {found}");
    }
    let attr = |attr: &str| of_module(&format!("func.func private @f() attributes {{e = #iree_encoding.{attr}}}"));
    assert_eq!(attr("layout<[#iree_encoding.padding<[0, ?]>]>"), "");
    assert!(attr("layout<[]>").contains("non-empty layouts"));
    assert!(attr("padding<[0, -1]>").contains("non-negative or dynamic"));
    let twice = set("4xf32, #iree_encoding.testing<>", "", "4xf32, #iree_encoding.testing<>");
    assert!(twice.contains("source of set_encoding op cannot have a tensor encoding"));
    let unset = complaint("%x: tensor<4xf32>", "%y = iree_encoding.unset_encoding %x : tensor<4xf32> -> tensor<4xf32>");
    assert!(unset.contains("source of unset_encoding op expected to have a valid tensor encoding"));
}

/// A list of numbers and values has a value for each place that is not a number.
#[test]
fn mixed_lists() {
    let slice = |numbers: &str| {
        complaint(
            "%s: !pcf.sref<8xf32, #pcf.sequential>, %n: index",
            &format!(
                "%t = \"pcf.read_slice\"(%s, %n) <{{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: \
                 {numbers}>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}}> : \
                 (!pcf.sref<8xf32, #pcf.sequential>, index) -> tensor<4xf32>"
            ),
        )
    };
    assert_eq!(slice("-9223372036854775808"), "");
    assert!(slice("3").contains("1 operands for the 0 places"));
}
