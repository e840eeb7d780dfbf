//! The textual language itself: locations, metadata, elements, builtin types and attributes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use raddle_ir::{Ir, Opcode, ParseOptions, PrintOptions, locate, print, text};

const KEEP: ParseOptions = ParseOptions { allow_unregistered: true };

fn read(source: &str) -> Ir {
    text::parse_with(source, KEEP).unwrap_or_else(|diags| panic!("{}\n{source}", diags[0]))
}

/// The message of the first error.
fn refused(source: &str) -> String {
    text::parse_with(source, KEEP).err().unwrap_or_else(|| panic!("this reads: {source}"))[0].message.clone()
}

/// An attribute in print, read as part of an operation.
fn attr(source: &str) -> String {
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let printed = print(&read(&format!("\"t.op\"() {{a = {source}}} : () -> ()")), &options);
    assert_eq!(printed, print(&read(&printed), &options), "what is printed is read back");
    let line = printed.lines().nth(1).unwrap();
    line.trim().trim_start_matches("\"t.op\"() {a = ").trim_end_matches("} : () -> ()").to_owned()
}

fn with_locations(source: &str, local_scope: bool) -> String {
    let mut ir = read(source);
    locate(&mut ir, "here.mlir", source);
    print(&ir, &PrintOptions { local_scope, locations: true, ..PrintOptions::default() })
}

/// Every form of a location is printed as it was read; what states none has its place in the file.
#[test]
fn locations_in_all_forms() {
    let forms = [
        "\"f.mlir\":3:4",
        "\"f.mlir\":3:4 to :9",
        "\"f.mlir\":3:4 to 5:6",
        "\"name\"",
        "\"name\"(\"f.mlir\":1:2)",
        "callsite(\"callee\" at \"f.mlir\":1:2)",
        "fused[\"a\", \"b\"]",
        "fused<{x = 1 : i64}>[\"a\", \"b\"]",
        "unknown",
    ];
    for form in forms {
        let printed = with_locations(&format!("\"t.op\"() : () -> () loc({form})"), true);
        assert_eq!(printed.lines().nth(1).unwrap().trim(), format!("\"t.op\"() : () -> () loc({form})"));
    }
    let printed = with_locations("module {\n  %0:2 =   \"t.op\"() : () -> (i1, i2)\n} loc(unknown)\n", true);
    assert!(printed.contains("-> (i1, i2) loc(\"here.mlir\":2:12)"), "the name of the operation counts: {printed}");
    assert!(printed.ends_with("} loc(unknown)\n"));
}

/// What adds nothing to a fused location is left out, as MLIR does.
#[test]
fn fused_locations_are_simplified() {
    for (given, kept) in [
        ("fused[]", "unknown"),
        ("fused[unknown, \"a\"]", "\"a\""),
        ("fused[\"a\", \"a\"]", "\"a\""),
        ("fused[fused[\"a\", \"b\"], \"c\"]", "fused[\"a\", \"b\", \"c\"]"),
        ("fused<\"m\">[unknown]", "fused<\"m\">[unknown]"),
    ] {
        assert_eq!(attr(&format!("loc({given})")), format!("loc({kept})"));
    }
}

/// Aliases of locations stand behind the module unless something in it needs them in front.
#[test]
fn aliases_of_locations() {
    let source = "module {\n  func.func private @f() loc(#a)\n  \"t.op\"() {l = #b} : () -> () loc(#a)\n} loc(unknown)\n\
                  #c = loc(\"c\")\n#a = loc(\"n\"(#c))\n";
    let source = format!("#b = loc(\"b\":1:1)\n{source}");
    let printed = with_locations(&source, false);
    let expected = "#loc2 = loc(\"b\":1:1)\nmodule {\n  func.func private @f() loc(#loc3)\n  \
                    \"t.op\"() {l = #loc2} : () -> () loc(#loc3)\n} loc(#loc)\n\
                    #loc = loc(unknown)\n#loc1 = loc(\"c\")\n#loc3 = loc(\"n\"(#loc1))\n";
    assert_eq!(printed, expected);
    assert_eq!(with_locations(&printed, true), with_locations(&source, true));
    assert!(refused("\"t.op\"() : () -> () loc(#nowhere)").contains("undefined symbol alias id 'nowhere'"));
    assert!(refused("#a = 1\n\"t.op\"() : () -> () loc(#a)").contains("expected a location"));
}

/// Arguments of functions and blocks have locations, too.
#[test]
fn locations_of_arguments() {
    let source = "func.func @f(%a: i32 loc(\"a\":1:2), %b: i32) -> i32 {\n  cf.br ^x(%a : i32)\n\
                  ^x(%c: i32 loc(\"c\")):\n  return %c : i32\n}\n";
    let printed = with_locations(source, true);
    assert!(printed.contains("(%arg0: i32 loc(\"a\":1:2), %arg1: i32 loc(\"here.mlir\":1:36))"), "{printed}");
    assert!(printed.contains("^bb1(%0: i32 loc(\"c\")):"), "{printed}");
    let plain = print(&read(source), &PrintOptions::default());
    assert!(!plain.contains("loc("), "locations are printed only where they are asked for");
}

/// The metadata of a file is kept: of the builtin resources, those that are used.
#[test]
fn metadata_is_kept() {
    let source = "\"t.op\"() {a = dense_resource<r> : tensor<1xi8>, b = dense_resource<\"a b\"> : tensor<1xi8>} : () -> ()\n\
                  {-#\n  dialect_resources: {\n    builtin: {\n      r: \"0x01000000ff\",\n      unused: \"0x0100000001\",\n\
                  \"a b\": \"0x0100000002\"\n    }\n  },\n  external_resources: { tool: { on: true, text: \"x\" } }\n#-}\n";
    let printed = print(&read(source), &PrintOptions::default());
    let metadata = "\n{-#\n  dialect_resources: {\n    builtin: {\n      r: \"0x01000000FF\",\n      \"a b\": \"0x0100000002\"\n    }\n  },\n  \
                    external_resources: {\n    tool: {\n      on: true,\n      text: \"x\"\n    }\n  }\n#-}\n";
    assert!(printed.ends_with(metadata), "{printed}");
    assert_eq!(printed, print(&read(&printed), &PrintOptions::default()));
    assert!(refused("{-# dialect_resources: { builtin: { r: 1 } } #-}").contains("expected a string"));
    assert!(refused("{-# dialect_resources: {").contains("expected"));
}

/// Elements are read in every spelling and printed in one; long lists are printed as their bytes.
#[test]
fn elements_in_all_spellings() {
    for (given, kept) in [
        ("dense<\"0x0000803F00000040\"> : tensor<2xf32>", "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>"),
        ("dense<\"0x0100\"> : tensor<2xi1>", "dense<[true, false]> : tensor<2xi1>"),
        (
            "dense<\"0x0501\"> : tensor<9xi1>",
            "dense<[true, false, true, false, false, false, false, false, true]> : tensor<9xi1>",
        ),
        ("dense<\"0xFF\"> : tensor<9xi1>", "dense<true> : tensor<9xi1>"),
        ("dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i8>>", "dense<[(1,2), (3,4)]> : tensor<2xcomplex<i8>>"),
        ("dense<[\"a\", \"b\"]> : tensor<2x!t.s>", "dense<[\"a\", \"b\"]> : tensor<2x!t.s>"),
        ("dense<[[\"a\"], [\"a\"]]> : tensor<2x1x!t.s>", "dense<\"a\"> : tensor<2x1x!t.s>"),
        ("dense<> : tensor<0xi32>", "dense<> : tensor<0xi32>"),
        ("sparse<[[0, 1], [2, 3]], [5, 6]> : tensor<3x4xi8>", "sparse<[[0, 1], [2, 3]], [5, 6]> : tensor<3x4xi8>"),
        ("sparse<> : tensor<3x4xi8>", "sparse<> : tensor<3x4xi8>"),
        ("\"text\" : i32", "\"text\" : i32"),
        ("\"text\" : none", "\"text\""),
    ] {
        assert_eq!(attr(given), kept);
    }
    let list = |n: usize| (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    assert!(attr(&format!("dense<[{}]> : tensor<100xi8>", list(100))).starts_with("dense<[0, 1"));
    assert!(attr(&format!("dense<[{}]> : tensor<101xi8>", list(101))).starts_with("dense<\"0x000102"));
    for wrong in
        ["dense<\"0x00\"> : tensor<2xi16>", "dense<[\"a\", 1]> : tensor<2x!t.s>", "dense<[1, 2]> : tensor<3xi8>"]
    {
        refused(&format!("\"t.op\"() {{a = {wrong}}} : () -> ()"));
    }
}

/// Attributes that are equal in all but their number stay apart, and equal numbers stay together.
#[test]
fn distinct_attributes() {
    let source = "\"t.op\"() {a = distinct[7]<\"x\">, b = distinct[9]<\"x\">, c = distinct[7]<\"x\">, d = distinct[2]<>} : () -> ()";
    let printed = print(&read(source), &PrintOptions { local_scope: true, ..PrintOptions::default() });
    assert!(
        printed.contains("{a = distinct[0]<\"x\">, b = distinct[1]<\"x\">, c = distinct[0]<\"x\">, d = distinct[2]<>}"),
        "{printed}"
    );
    assert!(
        refused("\"t.op\"() {a = distinct[0]<1>, b = distinct[0]<2>} : () -> ()")
            .contains("does not match previous definition: 1 : i64")
    );
}

/// Types and attributes of the builtin dialect are printed as they are spelled.
#[test]
fn builtin_types_and_attributes() {
    for spelled in [
        "i1",
        "si8",
        "ui16",
        "i16777215",
        "index",
        "none",
        "f16",
        "bf16",
        "tf32",
        "f32",
        "f64",
        "f80",
        "f128",
        "f8E5M2",
        "f8E4M3",
        "f8E4M3FN",
        "f8E5M2FNUZ",
        "f8E4M3FNUZ",
        "f8E4M3B11FNUZ",
        "f8E3M4",
        "f8E8M0FNU",
        "f6E2M3FN",
        "f6E3M2FN",
        "f4E2M1FN",
        "complex<f32>",
        "tuple<>",
        "tuple<i1, tuple<f32>>",
        "() -> ()",
        "(i1) -> (i2, () -> ())",
        "() -> (() -> ())",
        "vector<f32>",
        "vector<4x[8]xi1>",
        "vector<[4]x2xf32>",
        "tensor<f32>",
        "tensor<?x0x4xf32>",
        "tensor<*xf32>",
        "tensor<4xf32, \"encoding\">",
        "memref<f32>",
        "memref<*xf32, 3>",
        "memref<4x?xf32, strided<[?, 1], offset: ?>>",
        "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>, 1 : i32>",
        "memref<4xvector<4xf32>, #gpu.address_space<workgroup>>",
        "!t.x",
        "!t.x<a -> [b], \"c>\">",
        "!t<\"anything\">",
        "true",
        "-7 : i8",
        "255 : ui8",
        "-1 : i128",
        "1.000000e+00 : f8E4M3FN",
        "0x7FC00000 : f32",
        "\"quote \\22 and \\0A\"",
        "[]",
        "{}",
        "[1, \"a\", unit]",
        "{a = 1 : i64, \"b c\"}",
        "@a::@\"b c\"::@d",
        "array<i8>",
        "array<i1: true, false>",
        "array<f32: 1.000000e+00>",
        "strided<[2, ?], offset: 3>",
        "#t.x",
        "#t.x<a>",
        "#t<\"anything\">",
        "affine_map<() -> ()>",
        "affine_map<(d0)[s0] -> (d0 ceildiv s0, -d0, d0 mod 8 - 1)>",
        "affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>",
    ] {
        assert_eq!(attr(spelled), spelled);
    }
    assert_eq!(attr("340282366920938463463374607431768211455 : i128"), "-1 : i128");
}

/// Text that a dialect would understand is kept: as it stands where nobody knows the dialect, else with one space where
/// there were several and without comments. Aliases are written out; one that nobody defines would mean something else
/// in print.
#[test]
fn opaque_text_is_kept() {
    for (given, kept) in [
        ("#vm.x<a   b // > \"comment\n c \"d  \\\" ]\", { -e } >", "#vm.x<a b c \"d  \\\" ]\", { -e}>"),
        ("!vm.x< = y>", "!vm.x< = y>"),
        ("!vm.x<a  ->  [b]>", "!vm.x<a -> [b]>"),
        ("#vm.x<a -  >", "#vm.x<a - >"),
        ("#t.x<a   b[1,2 ],{c=3}, http://x>", "#t.x<a   b[1,2 ],{c=3}, http://x>"),
        ("!t.x<  a ->  b>", "!t.x<  a ->  b>"),
        ("#t<a  b>", "#t<a  b>"),
        ("#t<a< b >>", "#t.a< b >"),
        ("#t<a>", "#t.a"),
        ("!t<a<b>>", "!t.a<b>"),
        ("!t<a<b><c>>", "!t<a<b><c>>"),
        ("!llvm<ptr>", "!llvm.ptr"),
    ] {
        assert_eq!(attr(given), kept);
    }
    let printed = print(&read("#a = 1 : i8\n\"t.op\"() {x = #t.x<y #a z>} : () -> ()"), &PrintOptions::default());
    assert!(printed.contains("#t.x<y 1 : i8 z>"), "{printed}");
    assert!(refused("\"t.op\"() {x = #t.x<y #nowhere z>} : () -> ()").contains("undefined symbol alias id 'nowhere'"));
}

/// An assembly that knows the type reads and prints its parameters alone, and reads the whole type, too.
#[test]
fn types_whose_names_go_without_saying() {
    let program = |group: &str| {
        format!(
            "func.func @f(%n: index) {{\n  %c0 = arith.constant 0 : index\n  %0 = nvgpu.mbarrier.create -> {group}\n  \
             nvgpu.mbarrier.init %0[%c0], %n : {group}\n  %1 = nvgpu.mbarrier.arrive %0[%c0] : {group} -> \
             !nvgpu.mbarrier.token\n  return\n}}"
        )
    };
    let group = "<memorySpace = #gpu.address_space<workgroup>>";
    let whole = read(&program(&format!("!nvgpu.mbarrier.group{group}")));
    let printed = print(&whole, &PrintOptions::default());
    assert_eq!(printed.matches(&format!("-> {group}\n")).count(), 1, "{printed}");
    assert!(printed.contains(&format!("%arg0 : {group}\n")), "{printed}");
    assert!(printed.contains(&format!(": {group} -> !nvgpu.mbarrier.token")), "{printed}");
    assert_eq!(print(&read(&program(group)), &PrintOptions::default()), printed);
    assert!(refused(&program("i32")).contains("expected `!nvgpu.mbarrier.group<…>`, found `i32`"));
}

/// Properties may stand in `<{…}>` behind the name of any operation, and the maps of a named one as they are.
#[test]
fn properties_behind_the_name() {
    let maps = "[affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]";
    let program = |maps: &str, bounds: &str, flags: &str| {
        format!(
            "func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>, %m: memref<8xf32>, %i: index, \
             %p: f32) -> (tensor<4x4xf32>, vector<4xf32>) {{\n  %0 = linalg.matmul {maps} ins(%a, %b : tensor<4x8xf32>, \
             tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>\n  %1 = vector.transfer_read {bounds}, \
             vector<4xf32>\n  %2 = arith.addf {flags} : vector<4xf32>\n  return %0, %2 : tensor<4x4xf32>, vector<4xf32>\n}}\n"
        )
    };
    let plain = program("", "%m[%i], %p {in_bounds = [true]} : memref<8xf32>", "%1, %1 fastmath<fast>");
    let plain = print(&read(&plain), &PrintOptions::default());
    for spelled in [
        format!("<{{indexing_maps = {maps}}}>"),
        format!("<indexing_maps = {maps}>"),
        format!("indexing_maps = {maps}"),
    ] {
        let strict = program(
            &spelled,
            "<{in_bounds = [true]}> %m[%i], %p : memref<8xf32>",
            "<{fastmath = #arith.fastmath<fast>}> %1, %1",
        );
        let ir = read(&strict);
        assert!(raddle_ir::verify(&ir).is_empty());
        // The usual maps of a product go without saying.
        assert_eq!(print(&ir, &PrintOptions::default()), plain);
    }
}

/// A jump passes what the block behind it takes, stays in its region, and does not go back to the region's beginning.
#[test]
fn jumps_fit_their_blocks() {
    let said = |body: &str| {
        let text = format!("func.func @f(%a: i32, %b: f32, %c: i1) {{\n{body}\n}}");
        let diags = raddle_ir::parse(&text).map(|_| ()).expect_err("this is no program");
        diags[0].message.clone()
    };
    for (body, wrong) in [
        (
            "cf.br ^x(%b : f32)\n^x(%y: i32):\nreturn",
            "type mismatch for bb argument #0 of successor #0: `f32` for `i32`",
        ),
        (
            "cf.cond_br %c, ^x, ^x(%a : i32)\n^x(%y: i32):\nreturn",
            "branch has 0 operands for successor #0, but target block has 1",
        ),
        (
            "cf.switch %a : i32, [default: ^x, 1: ^x(%a : i32)]\n^x:\nreturn",
            "branch has 1 operands for successor #1, but target block has 0",
        ),
        ("scf.execute_region {\n^e:\ncf.br ^e\n}\nreturn", "entry block of region may not have predecessors"),
        (
            "\"cf.switch\"(%a)[^x, ^x] {case_values = dense<[1, 2]> : vector<2xi32>, case_operand_segments = array<i32: 0>, \
             operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()\n^x:\nreturn",
            "has 2 numbers for 1 cases",
        ),
    ] {
        let message = said(body);
        assert!(message.ends_with(wrong), "{message}");
    }
}

/// Blocks that use one another's values go together, whichever stands first.
#[test]
fn blocks_are_removed_together() {
    let text = "func.func @f(%a: i32) {\ncf.br ^y\n^x:\n%s = arith.addi %v, %v : i32\nreturn\n\
                ^y:\n%v = arith.muli %a, %a : i32\ncf.br ^x\n}";
    let mut ir = read(text);
    let func = ir.funcs()[0];
    let region = ir.regions(func)[0];
    let blocks = ir.blocks(region)[1..].to_vec();
    ir.remove_blocks(&blocks);
    assert_eq!(ir.blocks(region).len(), 1);
    let mut ir = read(text);
    let func = ir.funcs()[0];
    ir.erase(func);
    assert!(ir.funcs().is_empty());
}

/// What is masked may have several results; MLIR prints their types without parentheses.
#[test]
fn masks_of_operations_with_several_results() {
    let of = |types: &str| {
        format!(
            "func.func @f(%m: vector<8xi1>, %x: vector<8xi32>, %w: vector<i32>) -> vector<8xi32> {{
  %f:2 = vector.mask %m {{ vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> }} : vector<8xi1> -> {types}
  return %f#0 : vector<8xi32>
}}"
        )
    };
    let printed = print(&read(&of("(vector<8xi32>, vector<i32>)")), &PrintOptions::default());
    assert!(printed.contains("} : vector<8xi1> -> (vector<8xi32>, vector<i32>)\n"), "{printed}");
    assert_eq!(print(&read(&of("vector<8xi32>, vector<i32>")), &PrintOptions::default()), printed);
    assert_eq!(print(&read(&printed), &PrintOptions::default()), printed);
    let wrong = |text: &str| raddle_ir::parse(text).map(|_| ()).expect_err("this is no program")[0].message.clone();
    assert!(
        wrong(&of("(vector<8xi32>, vector<8xi32>)"))
            .ends_with("expects result type to match maskable operation result type")
    );
    let passed = of("(vector<8xi32>, vector<i32>)").replace("mask %m {", "mask %m, %x {");
    assert!(wrong(&passed).ends_with("passes something through that does not have the type of its only result"));
}

/// A string holds any bytes, also those that are no text.
#[test]
fn strings_hold_bytes() {
    for text in [r#""\00\FFa""#, r#""h\C3\A9""#, r#""\C3""#, r#""\F4\8F\BF\BF""#] {
        assert_eq!(attr(text), text);
    }
    assert_eq!(attr("\"h\u{e9}\u{10ffff}\""), r#""h\C3\A9\F4\8F\BF\BF""#);
}

/// Blocks that nothing leads to may use what is defined anywhere in their region, and so may what runs in no order.
#[test]
fn order_matters_where_something_runs() {
    let verified = |text: &str| raddle_ir::verify(&read(text));
    let cycle = "%1 = arith.addi %2, %2 : i32\n%2 = arith.addi %1, %1 : i32";
    let dead = format!("func.func @f() {{\nreturn\n^dead:\n{cycle}\ncf.br ^dead\n}}");
    let ahead = "func.func @f() {\nreturn\n^a:\n%1 = arith.addi %2, %2 : i32\ncf.br ^b\n^b:\n\
                 %2 = arith.constant 1 : i32\ncf.br ^a\n}";
    let graph = format!("\"t.graph\"() ({{\n{cycle}\n}}) : () -> ()");
    for text in [dead.as_str(), ahead, &graph, cycle] {
        assert_eq!(verified(text), [], "{text}");
    }
    let run = format!("func.func @f() {{\n{cycle}\nreturn\n}}");
    let inside =
        format!("func.func @f() {{\nreturn\n^dead:\nscf.execute_region {{\n{cycle}\nscf.yield\n}}\nreturn\n}}");
    for text in [run, inside] {
        assert_eq!(verified(&text).len(), 1, "{text}");
    }
}

/// Properties of an operation that nobody knows stay apart from its other attributes.
#[test]
fn unknown_properties_stay_apart() {
    let text = "module {\n  \"t.op\"() <{a = 1 : i32, \"b c\"}> {a = 2 : i64} : () -> ()\n}\n";
    assert_eq!(print(&read(text), &PrintOptions::default()), text);
}

/// An alias has no dot in its name; its attribute may state a type.
#[test]
fn aliases_have_plain_names() {
    assert!(refused("#t.x = 3").contains("attribute names with a '.' are reserved"));
    assert!(refused("!t.x = i32").contains("type names with a '.' are reserved"));
    let printed = print(&read("#a = #t.x<1> : i8\n\"t.op\"() {x = #a} : () -> ()"), &PrintOptions::default());
    assert!(printed.contains("x = #t.x<1> : i8"), "{printed}");
}

/// A symbol that says nothing of who sees it, and one that says `public`, stay two programs.
#[test]
fn visibility_is_printed_where_it_is_written() {
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    for name in ["util.func @f", "util.func public @f", "util.global @f", "util.global public @f"] {
        let text =
            if name.contains("func") { format!("{name}() {{\n  util.return\n}}") } else { format!("{name} : i32") };
        let ir = read(&text);
        let printed = print(&ir, &PrintOptions::default());
        assert!(printed.contains(name), "{printed}");
        assert_eq!(print(&read(&printed), &generic), print(&ir, &generic));
    }
}

/// A type of a dialect that nobody knows is no constant, whatever type stands behind it.
#[test]
fn types_are_no_constants() {
    assert!(refused("%c = arith.constant !t.x<1> : vector<4xf32>").contains("a constant is a number"));
    assert!(refused("util.global @g = !t.x<1> : i32").contains("the value has no type"));
}

/// What a global begins with is of its type.
#[test]
fn globals_begin_with_values_of_their_type() {
    let verified = |text: &str| raddle_ir::verify(&read(text)).len();
    assert_eq!(verified("util.global @g : i3 = 2 : i3"), 0);
    assert_eq!(verified("util.global @g = 2 : i3"), 0);
    assert_eq!(verified("util.global @g : i3 = 2"), 1);
}

/// An integer without bits is 0, of whatever sign, alone and as an element.
#[test]
fn integers_without_bits() {
    for fine in ["0 : i0", "0 : si0", "0 : ui0", "dense<0> : tensor<4xi0>", "dense<0> : tensor<ui0>", "array<i0: 0>"] {
        assert_eq!(attr(fine), fine);
    }
    assert_eq!(attr("0x000 : i0"), "0 : i0");
    assert_eq!(attr("dense<[0, 0]> : tensor<2xi0>"), "dense<0> : tensor<2xi0>");
    assert_eq!(attr("dense<\"0x\"> : tensor<3xi0>"), "dense<0> : tensor<3xi0>");
    for wrong in ["1 : i0", "-1 : i0", "1 : ui0", "-1 : si0", "dense<1> : tensor<2xi0>"] {
        assert!(refused(&format!("\"t.op\"() {{a = {wrong}}} : () -> ()")).contains("does not fit 0 bits"), "{wrong}");
    }
}

/// Elements have as many bits as integers have; a list of them takes no more memory than its text lets expect.
#[test]
fn elements_of_any_width() {
    assert_eq!(attr("dense<[1, -1]> : tensor<2xi70001>"), "dense<[1, -1]> : tensor<2xi70001>");
    assert_eq!(attr("dense<3> : tensor<9xi16777215>"), "dense<3> : tensor<9xi16777215>");
    let longest = format!("dense<\"0x{}\"> : tensor<1xi64008>", "7F".repeat(8001));
    for wrong in [&format!("dense<[{}1]> : tensor<100xi16777215>", "1, ".repeat(99)), &longest] {
        assert!(refused(&format!("#a = {wrong}")).contains("at most"));
    }
}

/// Decimals of `f80` and `f128` are those of an `f64`, with the digits of their own format where more are needed; bits
/// that no `f64` has stay bits.
#[test]
fn floats_of_more_than_64_bits() {
    for (written, printed) in [
        ("0.1 : f80", "0.100000000000000005551 : f80"),
        ("-0.1 : f128", "-0.100000000000000005551115123125782702 : f128"),
        ("1.0e-300 : f80", "1.00000000000000002506E-300 : f80"),
        ("0x3FFF8000000000000000 : f80", "1.000000e+00 : f80"),
        ("0x80000000000000000000 : f80", "-0.000000e+00 : f80"),
        ("1.0e400 : f128", "0x7FFF0000000000000000000000000000 : f128"),
        ("0x7FFF8000000000000000 : f80", "0x7FFF8000000000000000 : f80"),
        ("0x3fff8000000000000001 : f80", "0x3FFF8000000000000001 : f80"),
        ("0x1 : f128", "0x00000000000000000000000000000001 : f128"),
        // The leading digit contradicts the exponent: no number, and the smallest one that is not subnormal.
        ("0x3FFF4000000000000000 : f80", "0x7FFF4000000000000000 : f80"),
        ("0x8000000000000000 : f80", "0x00018000000000000000 : f80"),
        (
            "dense<[1.0, 0x3FFF8000000000000001]> : tensor<2xf80>",
            "dense<[1.000000e+00, 0x3FFF8000000000000001]> : tensor<2xf80>",
        ),
        ("dense<\"0x00000000000000C0FF3F\"> : tensor<2xf80>", "dense<1.500000e+00> : tensor<2xf80>"),
        ("dense<(1.0, 2.5)> : tensor<complex<f128>>", "dense<(1.000000e+00,2.500000e+00)> : tensor<complex<f128>>"),
        // What a NaN carries stays.
        ("0x7F800001 : f32", "0x7F800001 : f32"),
        ("0x7C01 : f16", "0x7C01 : f16"),
    ] {
        assert_eq!(attr(written), printed);
    }
    assert!(refused("\"t.op\"() {a = 0x100000000000000000000 : f80} : () -> ()").contains("out of range for type"));
}

/// Spaces part the tokens of a shape like any others, and `0x` starts no number there.
#[test]
fn shapes_with_spaces() {
    for (written, printed) in [
        ("vector<1x2 x f32>", "vector<1x2xf32>"),
        ("vector< 1 x [ 2 ]x f32>", "vector<1x[2]xf32>"),
        ("tensor< ? x\n 0x0x0xf32>", "tensor<?x0x0x0xf32>"),
        ("tensor<* x f32>", "tensor<*xf32>"),
        ("memref<2x // two\n 3xf32>", "memref<2x3xf32>"),
    ] {
        assert_eq!(attr(written), printed);
    }
    assert!(refused("\"t.op\"() {a = tensor<2 3xf32>} : () -> ()").contains("`x` in dimension list"));
}

/// What a container cannot hold, a memory space cannot be, and a list of elements cannot say.
#[test]
fn types_and_elements_that_do_not_fit() {
    for (wrong, message) in [
        ("vector<2xcomplex<f32>>", "invalid vector element type"),
        ("tensor<2xmemref<f32>>", "invalid tensor element type"),
        ("tensor<*xtensor<f32>>", "invalid tensor element type"),
        ("memref<2xtensor<f32>>", "invalid memref element type"),
        ("complex<index>", "invalid element type for complex"),
        ("memref<2xf32, i8>", "unsupported memory space"),
        ("memref<*xf32, [1]>", "unsupported memory space"),
        ("memref<2xf32, 0, 0>", "multiple memory spaces"),
        ("dense<[0, 1]> : tensor<2xcomplex<i8>>", "a complex number is a pair"),
        ("dense<\"00\"> : tensor<1xi8>", "starting with `0x`"),
        ("dense_resource<key> : i32", "expected a shaped type"),
        ("array<i7>", "must be a multiple of 8"),
        ("array<i1: 0>", "expected `true` or `false`"),
        ("affine_map<(i)[j, i] -> (j)>", "redefinition of identifier 'i'"),
    ] {
        let found = refused(&format!("\"t.op\"() {{a = {wrong}}} : () -> ()"));
        assert!(found.contains(message), "{wrong}: {found}");
    }
    for fine in
        ["tensor<2xvector<2xf32>>", "memref<2xmemref<*xf32>>", "memref<2xf32, \"near\">", "memref<2xcomplex<i3>>"]
    {
        assert_eq!(attr(fine), fine);
    }
    // Spaces and layouts that say nothing.
    assert_eq!(attr("memref<2xf32, affine_map<(i)[s] -> (i)>, false>"), "memref<2xf32>");
    assert_eq!(attr("affine_set<(i) : ()>"), "affine_set<(d0) : (0 == 0)>");
}

/// The label of the first block names the arguments of a function that names none itself.
#[test]
fn blocks_name_arguments() {
    let text = "func.func @f(i32, f32) {\n^bb0(%a: i32, %b: f32):\n  return\n}";
    let printed = print(&read(text), &PrintOptions::default());
    assert!(printed.contains("func.func @f(%arg0: i32, %arg1: f32) {"), "{printed}");
    assert_eq!(raddle_ir::verify(&read("func.func @f(i32) {\n  return\n}")).len(), 1);
    assert!(refused("func.func @f(%a: i32, f32) { return }").contains("SSA identifier"));
    assert!(refused("func.func @f(f32, %a: i32) { return }").contains("type instead of SSA identifier"));
}

/// A missing token is missed at the end of its line, not where the next line starts.
#[test]
fn missing_tokens_end_lines() {
    let source = "\"t.op\"() // a comment\n\n  // another\n\"t.op\"() : () -> ()";
    let diag = &text::parse_with(source, KEEP).err().unwrap()[0];
    assert_eq!(diag.span.map(|span| span.start), Some(8), "{diag}");
}

/// The sections of a file's metadata are those of known dialects and of others.
#[test]
fn metadata_has_two_sections() {
    assert!(refused("{-# key: {} #-}").contains("unknown key 'key'"));
    assert!(refused("{-# dialect_resources: { nobody: {} } #-}").contains("dialect 'nobody' is unknown"));
    assert!(refused("{-# dialect_resources: { arith: { a: true } } #-}").contains("for dialect 'arith'"));
    assert!(refused("{-#\n").contains("expected identifier key"));
}

/// Rules of functions, modules and what they end with.
#[test]
fn functions_and_modules_have_rules() {
    for (wrong, message) in [
        ("func.func @f()", "symbol declaration cannot have public visibility"),
        ("func.func private @f(i32 {own})", "arguments may only have dialect attributes"),
        ("func.func private @f() -> (i32 {own})", "results may only have dialect attributes"),
        ("module attributes {own} {}", "can only contain attributes with dialect-prefixed names"),
        ("\"t.op\"() ({ func.return }) : () -> ()", "expects parent op `func.func`"),
        ("\"builtin.unrealized_conversion_cast\"() : () -> ()", "expected at least one result"),
        ("%0 = func.constant @f : () -> ()", "reference to undefined function 'f'"),
        ("func.func private @f(i8)\n%0 = func.constant @f : () -> ()", "reference to function with mismatched type"),
        ("%0 = func.constant \"f\" : () -> ()", "invalid kind of attribute"),
        ("%0 = arith.constant 1 : si8", "integer return type must be signless"),
        ("%0 = arith.constant 0 : i0\n%1 = \"arith.addi\"(%0, %0) : (i0, i0) -> i0", "must be signless-integer-like"),
    ] {
        let found = raddle_ir::verify(&read(wrong));
        assert!(found.iter().any(|diag| diag.message.contains(message)), "{wrong}: {found:?}");
    }
    let again = "func.func @f() attributes {sym_visibility = \"private\"} { return }";
    assert!(refused(again).contains("'sym_visibility' is an inferred attribute"));
    assert!(refused("\"\"() : () -> ()").contains("empty operation name"));
    assert!(refused("func.func private @$f()").contains("'@'-identifier"));
    let weights = |list: &str| {
        let jump = format!("cf.cond_br %c weights({list}), ^a, ^a");
        raddle_ir::verify(&read(&format!("func.func @f(%c: i1) {{\n  {jump}\n^a:\n  return\n}}"))).len()
    };
    assert_eq!([weights("[1, 2]"), weights("[1]"), weights("[0, 0]")], [0, 1, 1]);
}

/// The word of a builtin operation may go without its dialect, and a value may be spelled that goes without saying.
#[test]
fn short_and_long_spellings() {
    let printed = print(
        &read("%0 = ub.poison <#ub.poison> : i8\n%1 = unrealized_conversion_cast %0 : i8 to i9\0"),
        &PrintOptions { generic: true, ..PrintOptions::default() },
    );
    assert!(printed.contains("\"ub.poison\"() <{value = #ub.poison}> : () -> i8"), "{printed}");
    assert!(printed.contains("\"builtin.unrealized_conversion_cast\"(%0) : (i8) -> i9"), "{printed}");
}

/// Names, literals and expressions that mean nothing are told apart.
#[test]
fn slips_of_the_pen_have_their_own_words() {
    for (wrong, message) in [
        ("\"func.near\"() : () -> ()", "that does not allow unknown operations"),
        ("func.func @f(%a: i8, %a: i8) { return }", "region entry argument `%a` is already in use"),
        ("\"t.op\"(%a) : (i8) -> ()\n%a = \"t.op\"() : () -> i9", "definition of SSA value '%a#0' has type `i9`"),
        ("%a = \"t.op\"() : () -> ()", "cannot name an operation with no results"),
        ("\"t.op\"() {a, a} : () -> ()", "duplicate key 'a'"),
        ("#a = sparse<[[0, 1], [2, 0]], [1, 1]> : tensor<2x2xi8>", "sparse index #1 is not contained"),
        ("#a = sparse<[[0, -1]], 1> : tensor<2x2xi8>", "sparse index #0 is not contained"),
        ("#a = affine_map<(i) -> (i + )>", "missing right operand"),
        ("#a = affine_map<(i) -> (* i)>", "missing left operand"),
        ("#a = affine_map<(i) -> (())>", "no expression inside parentheses"),
        ("#a = affine_map<(i, j) -> (i mod j)>", "right operand of mod has to be either a constant or symbolic"),
        ("#a = -1 : ui8", "negative integer literal"),
        ("#a = -0x1 : f32", "should not have a leading minus"),
        ("#a = #t<(]>", "unbalanced `(` character"),
    ] {
        let found = refused(wrong);
        assert!(found.contains(message), "{wrong}: {found}");
    }
    assert_eq!(attr("sparse<[[1, 1]], 1> : tensor<2x2xi8>"), "sparse<1, 1> : tensor<2x2xi8>");
}

/// Where a value is used without being seen, the place of its definition is told.
#[test]
fn definitions_that_do_not_dominate() {
    let place = |text: &str| {
        let found = raddle_ir::verify(&read(text));
        assert!(found[0].message.contains("operand #0 does not dominate this use"), "{:?}", found[0]);
        found[0].related[0].1.clone()
    };
    let same = "\"t.op\"(%a) : (i8) -> ()\n%a = \"t.op\"() : () -> i8";
    let around = |inside: &str| format!("func.func @f() {{\n{inside}\nreturn\n}}");
    assert_eq!(place(&around(same)), "operand defined here (op in the same block)");
    let parent = "\"t.op\"() ({ \"t.op\"(%a) : (i8) -> () }) : () -> ()\n%a = \"t.op\"() : () -> i8";
    assert_eq!(place(&around(parent)), "operand defined here (op in a parent region)");
    let argument = "cf.br ^a(%a : i8)\n^a(%a: i8):";
    assert_eq!(place(&around(argument)), "operand defined as a block argument (block #1 in the same region)");
}

/// An opcode is spelled as its operation: each part of the name begins with a capital.
#[test]
fn opcodes_are_named_after_their_operations() {
    for opcode in Opcode::all() {
        let parts = opcode.name().split(['.', '_']);
        let name: String = parts.map(|part| part[..1].to_ascii_uppercase() + &part[1..]).collect();
        assert_eq!(format!("{opcode:?}"), name, "{}", opcode.name());
    }
}
