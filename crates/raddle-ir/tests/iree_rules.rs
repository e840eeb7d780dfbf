//! The rules of IREE's operations, in IREE's words.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use raddle_ir::{text, verify};

/// What is wrong with the only operation in a function of these arguments.
fn complaint(args: &str, body: &str) -> String {
    let source = format!("func.func @f({args}) {{\n  {body}\n  return\n}}\n");
    match text::parse(&source) {
        Err(diags) => diags[0].message.clone(),
        Ok(ir) => verify(&ir).first().map(|diag| diag.message.clone()).unwrap_or_default(),
    }
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
