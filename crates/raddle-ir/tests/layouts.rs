//! The verifier on layouts and tile sizes: what is wrong, and the first subgroup, lane and element where it shows.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use raddle_ir::{Code, Diag, Severity, text, verify};

/// The seven lists of a layout.
type Lists = [&'static str; 7];

fn layout(lists: Lists) -> String {
    let names = raddle_names();
    let fields: Vec<String> = names.iter().zip(lists).map(|(name, list)| format!("{name} = [{list}]")).collect();
    format!("#iree_vector_ext.nested_layout<{}>", fields.join(", "))
}

fn raddle_names() -> [&'static str; 7] {
    ["subgroup_tile", "batch_tile", "outer_tile", "thread_tile", "element_tile", "subgroup_strides", "thread_strides"]
}

fn anchored(lists: Lists, vector: &str) -> String {
    format!(
        "func.func @f(%v: {vector}) -> {vector} attributes {{translation_info = #iree_codegen.translation_info<\
         pipeline = None workgroup_size = [128] subgroup_size = 64>}} {{\n  \
         %0 = iree_vector_ext.to_layout %v to layout({}) : {vector}\n  return %0 : {vector}\n}}\n",
        layout(lists)
    )
}

/// The only finding about a program.
fn finding(source: &str) -> Diag {
    let ir = match text::parse(source) {
        Ok(ir) => ir,
        Err(diags) => return diags.into_iter().next().unwrap(),
    };
    let diags = verify(&ir);
    assert_eq!(diags.len(), 1, "one finding in {source}");
    diags.into_iter().next().unwrap()
}

/// A layout that fits is no finding.
#[test]
fn layouts_that_fit() {
    for (lists, vector) in [
        (["1, 1", "1, 1", "1, 1", "4, 16", "4, 1", "0, 0", "16, 1"], "vector<16x16xf32>"),
        (["2, 1", "1, 1", "1, 1", "4, 16", "4, 1", "1, 0", "16, 1"], "vector<32x16xf32>"),
        // The threads of both subgroups.
        (["1", "1", "1", "128", "2", "0", "1"], "vector<256xf32>"),
        // Half of the lanes hold what the others hold.
        (["1", "1", "1", "32", "1", "0", "1"], "vector<32xf32>"),
    ] {
        let ir = text::parse(&anchored(lists, vector)).unwrap();
        assert!(verify(&ir).is_empty(), "{:?} on {vector}", verify(&ir));
    }
}

/// Tiles are positive, and strides are not negative.
#[test]
fn numbers_that_no_layout_has() {
    for lists in [
        ["1, 1", "1, 0", "1, 1", "4, 16", "4, 1", "0, 0", "16, 1"],
        ["1, 1", "1, 1", "1, 1", "-4, 16", "4, 1", "0, 0", "16, 1"],
        ["1, 1", "1, 1", "1, 1", "4, 16", "4, 1", "0, 0", "-16, 1"],
    ] {
        let diag = finding(&anchored(lists, "vector<16x16xf32>"));
        assert_eq!(diag.code, Code::BadLayout, "{diag}");
    }
    let diag = finding(&anchored(["1", "1, 1", "1, 1", "4, 16", "4, 1", "0, 0", "16, 1"], "vector<16x16xf32>"));
    assert_eq!(diag.code, Code::BadLayout, "{diag}");
}

/// The tiles of a dimension multiply to its extent.
#[test]
fn layouts_that_do_not_cover() {
    let lists = ["1, 1", "1, 1", "1, 1", "4, 16", "4, 1", "0, 0", "16, 1"];
    let diag = finding(&anchored(lists, "vector<16x32xf32>"));
    assert_eq!(diag.code, Code::LayoutMismatch);
    assert!(diag.message.contains("at dim 1") && diag.message.contains("layout: 16 actual: 32"), "{diag}");
    assert_eq!(finding(&anchored(lists, "vector<16xf32>")).code, Code::LayoutMismatch);
}

/// Where two elements ask for one lane or subgroup, both are named.
#[test]
fn strides_that_overlap() {
    let diag = finding(&anchored(["1, 1", "1, 1", "1, 1", "4, 16", "4, 1", "0, 0", "1, 1"], "vector<16x16xf32>"));
    assert_eq!(diag.code, Code::LayoutOverlap);
    // Tile (1, 0) begins at element [4, 0]; (0, 1) has lane 1 before it.
    assert_eq!(diag.notes, ["elements [0, 1] and [4, 0] both ask for subgroup 0, lane 1"]);
    let diag = finding(&anchored(["2, 2", "1, 1", "1, 1", "1, 1", "4, 8", "1, 1", "0, 0"], "vector<8x16xf32>"));
    assert_eq!(diag.code, Code::LayoutOverlap);
    assert_eq!(diag.notes, ["elements [0, 8] and [4, 0] both ask for subgroup 1, lane 0"]);
}

/// A layout asks for no lane and no subgroup that the function does not have.
#[test]
fn lanes_that_do_not_exist() {
    let diag = finding(&anchored(["1", "1", "1", "96", "2", "0", "1"], "vector<192xf32>"));
    assert_eq!(diag.code, Code::LayoutOverlap);
    assert_eq!(diag.notes, ["element [128] would be in subgroup 0, lane 64, which does not exist"]);
    let diag = finding(&anchored(["4", "1", "1", "64", "1", "1", "1"], "vector<256xf32>"));
    assert_eq!(diag.code, Code::LayoutOverlap);
    assert_eq!(diag.notes, ["element [128] would be in subgroup 2, lane 0, which does not exist"]);
}

fn configured(config: &str) -> String {
    format!(
        "func.func @f(%a: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {{translation_info = \
         #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>}} {{\n  \
         %c = arith.constant 0.0 : f32\n  %0 = linalg.fill {{lowering_config = #iree_gpu.lowering_config<{{{config}}}>}} \
         ins(%c : f32) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>\n  return %0 : tensor<64x64xf32>\n}}\n"
    )
}

/// Tile sizes are not negative, and the counts of a basis are positive and mapped one by one.
#[test]
fn tile_sizes_that_mean_nothing() {
    for (config, part) in [
        ("workgroup = [-1, 0]", "`workgroup` has the tile size -1 for loop 0"),
        ("thread = [1, -4]", "`thread` has the tile size -4 for loop 1"),
        ("lane_basis = [[0, 64], [0, 1]]", "count 0"),
        ("lane_basis = [[1, 64], [0, 0]]", "maps loops 0 and 1 to one count"),
        ("lane_basis = [[1, 64], [0, 2]]", "maps loop 1 to count 2 of 2"),
        ("lane_basis = [[64]]", "is a list of counts"),
        ("subgroup_basis = [[9223372036854775807, 2], [0, 1]]", "more than 64 bits"),
    ] {
        let diag = finding(&configured(config));
        assert_eq!(diag.code, Code::BadTiles, "{diag}");
        assert!(diag.message.contains(part), "{diag}");
    }
}

/// The lanes of a basis are the lanes of a subgroup.
#[test]
fn bases_that_do_not_make_a_subgroup() {
    let diag = finding(&configured("lane_basis = [[4, 12], [0, 1]]"));
    assert_eq!(diag.message, "`lane_basis` multiplies to 48, but a subgroup has 64 lanes");
    assert_eq!(diag.notes, ["subgroup 0, lanes 0 and 48 would hold the same element"]);
    let diag = finding(&configured("lane_basis = [[8, 16], [0, 1]]"));
    assert_eq!(diag.notes, ["subgroup 0, lane 64 does not exist, and the element that it would hold has no owner"]);
    assert!(verify(&text::parse(&configured("lane_basis = [[4, 16], [0, 1]]")).unwrap()).is_empty());
}

/// A basis that leaves lanes or subgroups with the same elements is legal, and worth a warning.
#[test]
fn suspicious_bases_are_warnings() {
    let warned = |config: &str| {
        let ir = text::parse(&configured(config)).unwrap();
        assert!(verify(&ir).is_empty());
        verify::warnings(&ir)
    };
    let diags = warned("lane_basis = [[4, 8], [0, 1]]");
    assert_eq!(diags[0].notes, ["subgroup 0, lanes 0 and 32 would hold the same element"]);
    let diags = warned("subgroup_basis = [[1, 1], [0, 1]]");
    assert_eq!((diags.len(), diags[0].severity), (1, Severity::Warning));
    assert_eq!(diags[0].notes, ["subgroups 0 and 1, lane 0 would hold the same element"]);
    let diags = warned("subgroup_basis = [[4, 1], [0, 1]]");
    assert_eq!(diags[0].notes, ["subgroup 2, lane 0 does not exist, and the element that it would hold has no owner"]);
    assert!(warned("subgroup_basis = [[2, 1], [0, 1]]").is_empty());
}

/// The sizes of workgroups and subgroups are checked where they are written.
#[test]
fn translation_info_is_checked() {
    for (info, message) in [
        ("workgroup_size = [1, 1, 1, 1]", "workgroup size cannot have more than 3 entries"),
        ("workgroup_size = [0]", "workgroup size value has to be greater than zero"),
        ("workgroup_size = [64] subgroup_size = -1", "subgroup size value cannot be negative"),
    ] {
        let diag = finding(&format!(
            "func.func private @f() attributes {{t = #iree_codegen.translation_info<pipeline = None {info}>}}"
        ));
        assert_eq!((diag.code, diag.message.as_str()), (Code::BadAttribute, message));
    }
}
