//! Reading and printing: whole files in every form, integers of any width, limits, and mutated texts. What single
//! programs print, and why they are refused, is in `crates/raddle/tests/cases`.
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

/// A list of elements takes no more memory than its text lets expect.
#[test]
fn long_elements_are_refused() {
    let splat = format!("dense<[{}1]> : tensor<100xi16777215>", "1, ".repeat(99));
    let hex = format!("dense<\"0x{}\"> : tensor<1xi64008>", "7F".repeat(8001));
    for text in [splat, hex] {
        let diag = text::parse(&format!("#a = {text}")).err().unwrap().remove(0);
        assert!(diag.message.contains("at most"), "{diag}");
    }
}

/// Types inside of LLVM's types are told where they nest too deep.
#[test]
fn types_of_llvm_nest_to_a_limit() {
    let deep = format!("!llvm.{}i8{}", "array<1 x ".repeat(100_000), ">".repeat(100_000));
    let text = format!("func.func private @f({deep})");
    assert!(raddle_ir::parse(&text).err().unwrap()[0].message.contains("nested"));
}

/// An index that is computed in many steps is checked as any other.
#[test]
fn long_chains_of_indices() {
    let n = 20_000;
    let sums: String = (1..n).map(|at| format!("%v{at} = arith.addi %v{0}, %v{0} : index\n", at - 1)).collect();
    let chain = format!("%v0 = arith.constant 1 : index\n{sums}%x = affine.load %m[%v{}] : memref<8xf32>", n - 1);
    read(&format!("func.func @f(%m: memref<8xf32>) {{ affine.for %i = 0 to 8 {{\n{chain}\n}} return }}"));
}

/// A byte of value 0 ends the text.
#[test]
fn a_null_byte_ends_the_text() {
    assert_eq!(print(&read("module {}\0"), &PrintOptions::default()), "module {\n}\n");
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

/// The literal that a constant is printed with.
fn printed(literal: &str, ty: &str) -> Result<String, String> {
    let text = format!("func.func @f() {{\n  %0 = arith.constant {literal} : {ty}\n  return\n}}");
    let ir = raddle_ir::parse(&text).map_err(|diags| diags[0].message.clone())?;
    let text = print(&ir, &PrintOptions::default());
    let back = print(&read(&text), &PrintOptions::default());
    assert_eq!(text, back);
    let line = text.lines().find(|line| line.contains("arith.constant")).unwrap();
    Ok(line.split_once("arith.constant ").unwrap().1.to_owned())
}

/// Both readings of the bits are written in the signed one; what needs more bits is refused.
#[test]
fn literals_of_any_width_are_read() {
    let power = |bits: u32| {
        // 2^bits in decimal, digit by digit.
        let mut digits = vec![1u8];
        for _ in 0..bits {
            let mut carry = 0;
            for digit in &mut digits {
                (*digit, carry) = ((*digit * 2 + carry) % 10, (*digit * 2 + carry) / 10);
            }
            if carry > 0 {
                digits.push(carry);
            }
        }
        digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect::<String>()
    };
    for width in [65u32, 100, 127, 128, 129, 256, 1000] {
        let ty = format!("i{width}");
        let (half, all) = (power(width - 1), power(width));
        assert_eq!(printed(&half, &ty), Ok(format!("-{half} : {ty}")), "the highest bit is the sign");
        assert_eq!(printed(&format!("-{half}"), &ty), Ok(format!("-{half} : {ty}")));
        assert_eq!(printed("-1", &ty), Ok(format!("-1 : {ty}")));
        let ones =
            format!("0x{}{}", ["f", "1", "3", "7"][width as usize % 4], "f".repeat(width.div_ceil(4) as usize - 1));
        assert_eq!(printed(&ones, &ty), Ok(format!("-1 : {ty}")), "{ones}");
        let refused = Err(format!("integer constant out of range for attribute: it does not fit {width} bits"));
        assert_eq!(printed(&all, &ty), refused);
        assert_eq!(printed(&format!("-{all}"), &ty), refused);
        assert_eq!(printed(&"9".repeat(4000), &ty), refused);
        let list = format!("dense<[-{half}, 1, -1]>");
        let vector = format!("vector<3x{ty}>");
        assert_eq!(printed(&list, &vector), Ok(format!("{list} : {vector}")));
        assert_eq!(printed("dense<-2>", &vector), Ok(format!("dense<-2> : {vector}")));
    }
    // The longest ones come back; longer ones are refused before anything is computed.
    let longest = printed(&format!("0x7{}", "f".repeat(15_999)), "i100000").unwrap();
    let decimal = longest.split_once(" : ").unwrap().0;
    assert_eq!(printed(decimal, "i100000"), Ok(longest.clone()));
    for (digits, radix) in [("9".repeat(20_001), 10), (format!("0x{}", "f".repeat(16_001)), 16)] {
        let message = printed(&digits, "i16000000").unwrap_err();
        assert!(message.ends_with(&format!("digits to the base of {radix}")), "{message}");
    }
}
