//! Reading and printing: round trips, expected texts, errors with their places, and mutated texts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use raddle_ir::{Code, Ir, ParseOptions, PrintOptions, print, text, verify};

const FILES: [&str; 7] = [
    include_str!("data/every_operation.mlir"),
    include_str!("data/named_and_control.mlir"),
    include_str!("data/iree.mlir"),
    include_str!("data/spellings.mlir"),
    include_str!("data/layernorm_1024x4096_f32.mlir"),
    include_str!("data/matmul_f16_512.mlir"),
    include_str!("data/matvec_4x6656x16384_f16.mlir"),
];

fn read(text: &str) -> Ir {
    match raddle_ir::parse(text) {
        Ok(ir) => ir,
        Err(diags) => panic!("{}\n{text}", place(text, &diags[0])),
    }
}

/// `line:column: error[E0101]: message`
fn place(text: &str, diag: &raddle_ir::Diag) -> String {
    let at = diag.span.map_or(0, |span| span.start as usize);
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    format!("{line}:{column}: {diag}")
}

fn all_options() -> Vec<PrintOptions> {
    let mut all = Vec::new();
    for generic in [false, true] {
        for local_scope in [false, true] {
            all.push(PrintOptions { generic, local_scope, ..PrintOptions::default() });
        }
    }
    all
}

/// Printing, reading and printing again gives the same text, whatever the options are.
#[test]
fn print_is_read_back() {
    for file in FILES {
        let ir = read(file);
        for options in all_options() {
            let once = print(&ir, &options);
            let twice = print(&read(&once), &options);
            assert_eq!(once, twice);
        }
    }
}

/// What is wrong is shown in generic form, and read back as the same wrong program.
#[test]
fn wrong_programs_are_printed_too() {
    let used_early = "func.func @f() { \"x.y\"(%0) : (f32) -> () %0 = \"x.z\"() : () -> f32 return }";
    let back_to_entry = "func.func @f() { ^a: cf.br ^b ^b: cf.br ^a }";
    let goes_on = "func.func @f() { ^a: cf.br ^a return }";
    for text in [used_early, back_to_entry, goes_on] {
        let ir = text::parse_with(text, ParseOptions { allow_unregistered: true }).unwrap();
        assert!(!verify(&ir).is_empty());
        let generic = PrintOptions { generic: true, ..PrintOptions::default() };
        let once = print(&ir, &generic);
        let again = text::parse_with(&once, ParseOptions { allow_unregistered: true }).unwrap();
        assert_eq!(print(&again, &generic), once);
    }
}

/// The custom and the generic form read to the same program.
#[test]
fn both_forms_mean_the_same() {
    for file in FILES {
        let ir = read(file);
        let generic = PrintOptions { generic: true, ..PrintOptions::default() };
        let custom = PrintOptions::default();
        assert_eq!(print(&read(&print(&ir, &generic)), &custom), print(&ir, &custom));
        assert_eq!(print(&read(&print(&ir, &custom)), &generic), print(&ir, &generic));
    }
}

/// A word keeps its distance from the operation's name, and an end that says something is not left out.
#[test]
fn custom_form_leaves_nothing_out() {
    for text in [
        "func.func @f(%a: index, %b: index) { %0 = index.cmp eq(%a, %b) return }",
        "func.func @f(%c: i1) { scf.if %c { scf.yield {then} } return }",
        "func.func private @f() attributes {chip = #iree_gpu.target_chip<wgp_count = 304\u{b} >}",
        "func.func private @f() attributes {a = #gpu.a<#gpu.b<=1.0, []>, c,d>, b = #gpu.a<#gpu.b< =1.0, []>, c,d>}",
        "func.func private @f() attributes {a = #gpu.a< = 1>, b = #gpu.b<a { - 1}>, c = #gpu.b<a <  = 1>>}",
        "func.func @f(%n: index) { scf.for %i = %n to %n step %n { scf.yield {last} } return }",
        "func.func @f() { affine.for %i = 0 to 4 { affine.yield {last} } return }",
        "func.func @f(%m: memref<4x4xf32>, %i: index, %j: index) {
          affine.for %k = 0 to 4 {
            %0 = \"affine.load\"(%m, %k, %k) <{map = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<4x4xf32>, index, index) -> f32
            %1 = \"affine.load\"(%m, %k) <{map = affine_map<(d0) -> (0, 1)>}> : (memref<4x4xf32>, index) -> f32
            %2 = affine.load %m[%k, symbol(%i) + %k] : memref<4x4xf32>
          }
          return
        }",
        "\"util.func\"() <{function_type = (i1) -> (i1, i1), sym_name = \"f\", tied_operands = [-1 : index]}> ({
          ^bb0(%a: i1):
            util.return %a, %a : i1, i1
        }) : () -> ()",
    ] {
        let ir = read(text);
        let generic = PrintOptions { generic: true, ..PrintOptions::default() };
        let custom = print(&ir, &PrintOptions::default());
        assert_eq!(print(&read(&custom), &generic), print(&ir, &generic), "{custom}");
    }
}

/// What iree-opt 3.12.0 prints for the first files: custom form, and generic form in local scope. `blgp = none` is the
/// pinned commit's spelling; the release leaves it out.
const PRINTED: [(&str, &str); 2] = [
    (include_str!("data/named_and_control.custom.mlir"), include_str!("data/named_and_control.generic.mlir")),
    (include_str!("data/iree.custom.mlir"), include_str!("data/iree.generic.mlir")),
];

#[test]
fn prints_what_iree_opt_prints() {
    let ir = read(FILES[0]);
    assert_eq!(print(&ir, &PrintOptions::default()), include_str!("data/every_operation.custom.mlir"));
    let generic = PrintOptions { generic: true, ..PrintOptions::default() };
    assert_eq!(print(&ir, &generic), include_str!("data/every_operation.generic.mlir"));
    for (file, (custom, generic)) in FILES[1..].iter().zip(PRINTED) {
        let ir = read(file);
        assert_eq!(print(&ir, &PrintOptions::default()), custom);
        assert_eq!(print(&ir, &PrintOptions { generic: true, local_scope: true, ..PrintOptions::default() }), generic);
    }
}

/// Functions do not depend on one another, so that each is told its own mistake.
#[test]
fn one_bad_function_does_not_hide_the_next() {
    let source = "func.func @a() {\n  %0 = foo.bar\n  return\n}\nfunc.func @b(%x: f32) {\n  return\n}\nfunc.func @c() {\n  return %y : f32\n}\n";
    let diags = raddle_ir::parse(source).err().unwrap();
    let places: Vec<String> = diags.iter().map(|diag| place(source, diag)).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    assert!(places[0].starts_with("2:8: error[E0102]") && places[1].starts_with("9:10: error[E0103]"), "{places:?}");
}

/// Sums, products and quotients are read to the form that MLIR gives them, and mean the same.
#[test]
fn affine_maps_are_simplified_as_mlir_does() {
    for (written, read) in [
        ("d0 + 3 - d1 + 4", "d0 - d1 + 7"),
        ("s0 * 2 + d0", "d0 + s0 * 2"),
        ("d0 * 2 + d0 * 3", "d0 * 5"),
        ("d1 - d1", "0"),
        ("d0 - (d0 floordiv 16) * 16", "d0 mod 16"),
        // MLIR prints this as `d0 + (d1 floordiv 16) * -16 + s0 * 64`, which it reads back as what stands here.
        ("d0 + s0 * 64 - (d1 floordiv 16) * 16", "d0 - (d1 floordiv 16) * 16 + s0 * 64"),
        ("d0 + s0 * 64 - (d0 floordiv 16) * 16", "d0 mod 16 + s0 * 64"),
        ("d1 + d0", "d0 + d1"),
        ("(d0 * 4 + 8) floordiv 4", "d0 + 2"),
        ("(d0 * 4 + d1) mod 4", "d1 mod 4"),
        ("(d1 * 6) floordiv 3", "d1 * 2"),
        ("(d0 mod 8) mod 4", "d0 mod 4"),
        ("(d0 * 2) * s0", "(d0 * s0) * 2"),
    ] {
        let mut ir = Ir::new();
        let attr = raddle_ir::parse_attr(&format!("affine_map<(d0, d1)[s0] -> ({written})>"), &mut ir).unwrap();
        let printed = raddle_ir::print_attr(&ir, attr);
        assert_eq!(printed, format!("affine_map<(d0, d1)[s0] -> ({read})>"));
        assert_eq!(raddle_ir::parse_attr(&printed, &mut ir).unwrap(), attr, "what is printed is read back");
    }
}

/// Each text is refused with this message at this place.
#[test]
fn errors_have_a_place() {
    for (source, expected) in ERRORS {
        let found = match raddle_ir::parse(source) {
            Ok(_) => "no error".to_owned(),
            Err(diags) => place(source, &diags[0]),
        };
        assert_eq!(found, *expected, "\n{source}");
    }
}

const ERRORS: &[(&str, &str)] = &[
    (
        "func.func @f() {\n  %0 = arith.adf %0 : f32\n}",
        "2:8: error[E0102]: the dialect `arith` has no operation `arith.adf` that raddle knows",
    ),
    ("func.func @f() { return %x : f32 }", "1:25: error[E0103]: use of undeclared SSA value name `%x`"),
    (
        "func.func @f(%a: vector<2xf32>) { vector.shuffle %a, %a [] : vector<2xf32>, vector<2xf32> return }",
        "1:57: error[E0101]: 'vector.shuffle' op invalid mask length: it needs at least one entry",
    ),
    (
        "func.func @f(%c: i1) {\n  scf.if %y { %y = arith.constant true } return\n}",
        "2:10: error[E0103]: use of undeclared SSA value name `%y`",
    ),
    (
        "func.func @f(%a: f32) { return %a : f16 }",
        "1:32: error[E0104]: use of value `%a` expects different type than prior uses: `f16` vs `f32`",
    ),
    (
        "func.func @f(%a: f32) -> f16 { return %a : f32 }",
        "1:32: error[E0201]: `func.return` type of return operand 0 (`f32`) doesn't match function result type (`f16`) in function @f",
    ),
    (
        "func.func @f(%a: f32) { %a = arith.addf %a, %a : f32 return }",
        "1:25: error[E0103]: redefinition of SSA value `%a`",
    ),
    ("func.func @f(%a: vector<4xf32) { return }", "1:30: error[E0101]: expected `>`, found `)`"),
    (
        "func.func @f(%a: vector<4x?xf32>) { return }",
        "1:27: error[E0101]: expected static shape, as a vector has no dynamic extents",
    ),
    (
        "func.func @f(%a: vector<99999999999999999999xf32>) { return }",
        "1:25: error[E0101]: invalid dimension: the extent does not fit 64 bits",
    ),
    (
        "func.func @f() { %0 = arith.constant 300 : i8 return }",
        "1:38: error[E0101]: integer constant out of range for attribute: it does not fit 8 bits",
    ),
    (
        "func.func @f() { %0 = arith.constant dense<[1, 2]> : vector<3xi32> return }",
        "1:38: error[E0104]: inferred shape of elements literal ([2]) does not match type ([3])",
    ),
    (
        "func.func @f(%a: i32) { %0 = arith.addf %a, %a : i32 return }",
        "1:50: error[E0101]: expected a float, or a vector or tensor of floats, found `i32`",
    ),
    (
        "func.func @f(%a: f32) { %0 = arith.cmpf ogg, %a, %a : f32 return }",
        "1:41: error[E0101]: expected one of false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno, true, found `ogg`",
    ),
    (
        "func.func @f(%a: vector<4x8xf32>) { %0 = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<4x8xf32> return }",
        "1:37: error[E0201]: 'vector.transpose' op dimension size mismatch at: 1",
    ),
    ("func.func @f() { %0 = foo.bar return }", "1:23: error[E0102]: `foo.bar` belongs to no dialect that raddle knows"),
    ("func.func private @f()\nfunc.func private @f()", "2:1: error[E0103]: redefinition of symbol named 'f'"),
    (
        "#a = affine_map<(d0) -> (d1)>",
        "1:26: error[E0101]: use of undeclared identifier: `d1` is no dimension or symbol of this map",
    ),
    (
        "func.func @f() attributes {a = \"x} { return }",
        "1:32: error[E0101]: expected attribute value, found a string without an end",
    ),
    ("func.func @f() { func.call @g() : () -> () return }", "1:18: error[E0103]: reference to undefined function 'g'"),
    (
        "func.func @f(%c: i1, %a: f32) { scf.if %c { %b = arith.addf %a, %a : f32 } %d = arith.addf %b, %a : f32 return }",
        "1:92: error[E0103]: use of undeclared SSA value name `%b`",
    ),
    (
        "func.func @f(%c: i1) { \"scf.if\"(%c) ({ }) : (i1) -> () return }",
        "1:24: error[E0203]: `scf.if` expected 2 regions, not 1",
    ),
    (
        "#l = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>\nfunc.func @f(%a: vector<32xf32>) {\n  %0 = iree_vector_ext.to_layout %a to layout(#l) : vector<32xf32>\n  return\n}",
        "3:3: error[E0204]: Vector shape: [32] does not match the layout (nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>) at dim 0. Dimension expected by layout: 16 actual: 32",
    ),
];

/// Names that are nearly right are suggested.
#[test]
fn near_names_are_suggested() {
    let help = |source: &str| raddle_ir::parse(source).err().unwrap()[0].help.clone();
    assert_eq!(help("func.func @f() { %0 = arith.adf }").as_deref(), Some("did you mean `arith.addf`?"));
    assert_eq!(help("func.func @f(%value: f32) { return %valu : f32 }").as_deref(), Some("did you mean `%value`?"));
}

/// Operations outside the table stay as they are, where that is allowed.
#[test]
fn unknown_operations_survive() {
    let source = "%0:2 = \"my.op\"() <{a = 1 : i8}> ({\n^bb0(%arg0: !my.type<[a -> b]>):\n  \"my.end\"(%arg0)[^bb1] : (!my.type<[a -> b]>) -> ()\n^bb1:\n  \"my.stop\"() : () -> ()\n}) {b = #my.attr<\"x\" : 4x?>} : () -> (f32, tensor<*xi8>)";
    let options = ParseOptions { allow_unregistered: true };
    let ir = text::parse_with(source, options).unwrap();
    assert!(verify(&ir).is_empty());
    let once = print(&ir, &PrintOptions::default());
    let again = text::parse_with(&once, options).unwrap();
    assert_eq!(once, print(&again, &PrintOptions::default()));
    for part in ["!my.type<[a -> b]>", "#my.attr<\"x\" : 4x?>", "[^bb1]", "a = 1 : i8"] {
        assert!(once.contains(part), "{part} in\n{once}");
    }
    assert!(text::parse(source).is_err());
}

/// Deep and long texts are refused at once, and with a place.
#[test]
fn limits_hold() {
    let n = 100_000;
    let texts = [
        format!("#a = {}", "[".repeat(n)),
        format!("#a = {}", "#x.y<".repeat(n)),
        format!("!a = {}", "vector<4x".repeat(n)),
        format!("!a = {}", "(".repeat(n)),
        format!("#a = affine_map<(d0) -> ({}", "(".repeat(n)),
        format!("#a = affine_map<(d0) -> ({}", "-".repeat(n)),
        format!("#a = affine_map<(d0) -> (d0{})>", " + d0".repeat(n)),
        format!("#a = dense<{}", "[".repeat(n)),
        format!("#a = {}", "9".repeat(n)),
        format!("func.func @f(%c: i1) {{ {}", "scf.if %c {".repeat(n)),
        "module {".repeat(n),
    ];
    for text in &texts {
        assert!(text::parse(text).is_err(), "{}", &text[..40]);
    }
    // What nests is refused where it nests too deep, not where it ends: level 257 of `open`, behind `start`.
    for (start, open, levels) in [
        ("#a = ", "[", 256),
        ("!a = ", "tuple<", 256),
        ("!a = ", "(", 256),
        ("#a = affine_map<(d0) -> (", "(", 127),
        ("#a = affine_set<(d0) : (", "-", 254),
        ("\"t.op\"() : () -> () loc(", "callsite(", 256),
        ("\"t.op\"() : () -> () loc(", "fused[", 256),
        ("\"t.op\"() : () -> () loc(", "\"n\"(", 256),
        ("", "module {", 256),
    ] {
        let source = format!("{start}{}", open.repeat(n));
        let keep = ParseOptions { allow_unregistered: true };
        let diag = text::parse_with(&source, keep).err().unwrap().remove(0);
        assert_eq!(diag.code, Code::TooDeep, "{start}{open}: {diag}");
        let level = (diag.span.unwrap().start as usize - start.len()) / open.len();
        assert!(level.abs_diff(levels) <= 2, "{start}{open} is refused at level {level}");
    }
}

/// What nests as deep as the limit allows is read, verified and printed on the small stack of a test.
#[test]
fn nesting_up_to_the_limit_works() {
    let n = 250;
    let regions = format!("func.func @f(%c: i1) {{ {} {} return }}", "scf.if %c {".repeat(n), "}".repeat(n));
    let attrs = format!("func.func private @f() attributes {{a = {}{}}}", "[".repeat(n), "]".repeat(n));
    let chain =
        format!("func.func private @f() attributes {{a = affine_map<(d0)[s0] -> (d0{})>}}", " + s0".repeat(500));
    for source in [regions, attrs, chain] {
        let ir = read(&source);
        for options in all_options() {
            assert_eq!(print(&read(&print(&ir, &options)), &options), print(&ir, &options));
        }
    }
}

/// A small generator with a fixed sequence for each seed (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

/// No mutation of good text makes the reader, verifier or printer panic, and what is accepted prints to what is
/// accepted.
#[test]
fn mutated_text_never_panics() {
    const PIECES: [&str; 24] = [
        "%",
        "#",
        "!",
        "^bb0",
        "@f",
        "->",
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "0",
        "-1",
        "99999999999",
        "f32",
        "?",
        "index",
        "dense<",
        "affine_map<",
        "\"",
        "vector<4xf32>",
    ];
    let mut random = Random(0x5eed_0001);
    for round in 0..4000 {
        let source = FILES[round % FILES.len()];
        // A part of a file, so that a mutation does not only meet its beginning.
        let mut tokens: Vec<String> =
            source.split_inclusive([' ', ',', '(', '[', '<', ':', '\n']).map(str::to_owned).collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(tokens.len());
            match random.below(6) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, PIECES[random.below(PIECES.len())].to_owned()),
                2 => tokens[at] = PIECES[random.below(PIECES.len())].to_owned(),
                3 => {
                    let other = random.below(tokens.len());
                    tokens.swap(at, other);
                }
                4 => {
                    let copy = tokens[random.below(tokens.len())].clone();
                    tokens.insert(at, copy);
                }
                _ => {
                    let digit = random.below(10).to_string();
                    tokens[at] = tokens[at].replace(|c: char| c.is_ascii_digit(), &digit);
                }
            }
        }
        let mutated = tokens.concat();
        for allow_unregistered in [false, true] {
            let options = ParseOptions { allow_unregistered };
            let Ok(ir) = text::parse_with(&mutated, options) else { continue };
            let sound = verify(&ir).is_empty();
            for print_options in all_options() {
                let printed = print(&ir, &print_options);
                if sound {
                    let again = text::parse_with(&printed, options);
                    assert!(again.is_ok(), "{}\n{printed}", place(&printed, &again.err().unwrap()[0]));
                }
            }
        }
    }
}

/// Space may stand between the name of a type and what it is made of.
#[test]
fn types_have_space() {
    let spaced = "func.func @f(%a: tensor\n <4xf32>, %b: vector <2xf32>, %c: memref // of bytes\n <3xi8>) { return }";
    let tight = "func.func @f(%a: tensor<4xf32>, %b: vector<2xf32>, %c: memref<3xi8>) { return }";
    assert_eq!(print(&read(spaced), &PrintOptions::default()), print(&read(tight), &PrintOptions::default()));
}
