//! What compiles: each operation on tensors with each type, by the strategy that compiles it, is the page
//! `docs/what-compiles.md`.
//!
//! The test asks for some of the types again; `RADDLE_BLESS=1 cargo test -p raddle --test all operations` asks for all of
//! them and writes the page.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![allow(clippy::print_stdout, reason = "what is wrong is said before the test fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use raddle::pipeline::{self, Program};
use raddle_ir::ops;
use raddle_ir::{Diag, Ir, OpId, PrintOptions};
use raddle_passes::Facts;
use raddle_target::{Stage, chip};

use crate::common::{raddle_with, root};

const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64", "f8E4M3FN"];
const INTS: &[&str] = &["i1", "i4", "i8", "i16", "i32", "i64"];
const TARGETS: &[&str] = &["sm_80", "gfx942"];

/// Operations that stand inside of others, and have no row.
const WITHIN: &[&str] = &[
    "linalg.yield",
    "tensor.yield",
    "tensor.parallel_insert_slice",
    "tensor.empty",
    "iree_linalg_ext.yield",
    "iree_linalg_ext.index",
    "arith.constant",
    "complex.constant",
];

fn is_float(ty: &str) -> bool {
    FLOATS.contains(&ty)
}

/// What sums of numbers of a type are kept in.
fn wide(ty: &str) -> &str {
    match ty {
        "f16" | "bf16" | "f8E4M3FN" => "f32",
        "i1" | "i4" | "i8" | "i16" => "i32",
        ty => ty,
    }
}

fn bits(ty: &str) -> String {
    match ty {
        "bf16" => "i16".to_owned(),
        "f8E4M3FN" => "i8".to_owned(),
        "i16" | "i32" | "i64" => ty.replace('i', "f"),
        ty if is_float(ty) => ty.replace('f', "i"),
        ty => ty.to_owned(),
    }
}

/// A function of one named operation with inputs and a destination.
fn named(op: &str, attrs: &str, inputs: &[String], output: &str) -> String {
    let names: Vec<String> = (0..inputs.len()).map(|i| format!("%a{i}")).collect();
    let args: Vec<String> = names.iter().zip(inputs).map(|(name, ty)| format!("{name}: {ty}")).collect();
    format!(
        "func.func @{op}({}, %o: {output}) -> {output} {{
  %r = {op} {attrs} ins({} : {}) outs(%o : {output}) -> {output}
  return %r : {output}
}}
",
        args.join(", "),
        names.join(", "),
        inputs.join(", ")
    )
}

/// The extents that the letters of a convolution stand for: `n` images, `c` and `f` channels, `g` groups, `m` filters of
/// a channel, and `places` along the image.
fn tensor(letters: &str, places: &mut impl Iterator<Item = i64>, elem: &str) -> String {
    let extents = letters.chars().map(|letter| match letter {
        'n' => 2,
        'c' => 8,
        'f' => 16,
        'g' => 2,
        'm' => 3,
        _ => places.next().unwrap_or(1),
    });
    extents.fold("tensor<".to_owned(), |text, n| format!("{text}{n}x")) + elem + ">"
}

/// Convolutions and pooling: the letters of image and filter are in the name.
fn windowed(op: &str, elem: &str) -> Option<String> {
    let name = op.strip_prefix("linalg.")?;
    let name = name.strip_suffix("_unsigned").unwrap_or(name);
    let (name, zeros) = name.strip_suffix("_q").map_or((name, 0), |name| (name, 2));
    let words: Vec<&str> = name.split('_').collect();
    let (image, filter) = match words[..] {
        ["conv", rank] => (&"wdh"[..rank[..1].parse().ok()?], &"wdh"[..rank[..1].parse().ok()?]),
        ["conv", _, image, filter] | ["depthwise", "conv", _, image, filter] => (image, filter),
        ["pooling", image, _] => (image, &"wdh"[..image.len() - 2]),
        _ => return None,
    };
    let is_place = |letter: char| matches!(letter, 'd' | 'h' | 'w');
    let rank = image.chars().filter(|&letter| is_place(letter)).count();
    // What the filter adds to the channels of the image, or has in their place.
    let depthwise = words[0] == "depthwise";
    let output: String = match (depthwise, words[0]) {
        (true, _) if filter.ends_with('m') => image.replace('c', "cm"),
        (false, "conv") => image.replace('c', "f"),
        _ => image.to_owned(),
    };
    let wide = wide(elem);
    let mut inputs = vec![tensor(image, &mut [6; 3].into_iter(), elem), tensor(filter, &mut [3; 3].into_iter(), elem)];
    inputs.extend((0..zeros).map(|_| "i32".to_owned()));
    let output = tensor(&output, &mut [4; 3].into_iter(), if words[0] == "pooling" { elem } else { wide });
    let ones = |name: &str| format!("{name} = dense<1> : tensor<{rank}xi64>");
    let attrs =
        if words.len() == 2 { String::new() } else { format!("{{{}, {}}}", ones("dilations"), ones("strides")) };
    Some(named(op, &attrs, &inputs, &output))
}

/// Products with shapes of their own.
fn product(op: &str, elem: &str) -> Option<String> {
    let (a, b, c) = match op {
        "linalg.matmul" => ("20x33", "33x24", "20x24x"),
        "linalg.batch_matmul" => ("2x20x33", "2x33x24", "2x20x24x"),
        "linalg.batch_reduce_matmul" => ("2x20x33", "2x33x24", "20x24x"),
        "linalg.matvec" => ("20x33", "33", "20x"),
        "linalg.vecmat" => ("33", "33x20", "20x"),
        "linalg.batch_matvec" => ("2x20x33", "2x33", "2x20x"),
        "linalg.batch_vecmat" => ("2x33", "2x33x20", "2x20x"),
        "linalg.dot" => ("33", "33", ""),
        "linalg.mmt4d" => ("3x5x8x4", "2x5x16x4", "3x2x8x16x"),
        "linalg.batch_mmt4d" => ("2x3x5x8x4", "2x2x5x16x4", "2x3x2x8x16x"),
        _ => return None,
    };
    let inputs = [a, b].map(|shape| format!("tensor<{shape}x{elem}>"));
    Some(named(op, "", &inputs, &format!("tensor<{c}{}>", wide(elem))))
}

/// Divisors are odd and dividends not negative, since the least integer has no quotient with -1.
fn divides(op: &str) -> bool {
    ["div", "rem"].iter().any(|part| op.contains(part)) && !op.ends_with('f') && !op.starts_with("complex.")
}

/// An operation on numbers, in the body of a `linalg.generic` on tensors of them.
fn scalar(op: &str, operands: &[&str], results: &[&str]) -> String {
    let list = |types: &[&str]| types.join(", ");
    let tensors = |types: &[&str]| types.iter().map(|ty| format!("tensor<20x33x{ty}>")).collect::<Vec<_>>().join(", ");
    let names = |letter: char, n: usize| (0..n).map(|i| format!("%{letter}{i}")).collect::<Vec<_>>();
    let (ins, outs) = (names('a', operands.len()), names('o', results.len()));
    let args: Vec<String> = ins
        .iter()
        .chain(&outs)
        .zip(operands.iter().chain(results))
        .map(|(name, ty)| format!("{name}: tensor<20x33x{ty}>"))
        .collect();
    let body: Vec<String> = names('x', operands.len()).into_iter().chain(names('y', results.len())).collect();
    let body: Vec<String> =
        body.iter().zip(operands.iter().chain(results)).map(|(name, ty)| format!("{name}: {ty}")).collect();
    let map = "affine_map<(i, j) -> (i, j)>";
    let attrs = if op.starts_with("arith.cmp") { " {predicate = 2 : i64}" } else { "" };
    let mut used = names('x', operands.len());
    let mut divisor = String::new();
    if divides(op) && operands.len() == 2 {
        let ty = operands[1];
        used = ["%n", "%d"].map(str::to_owned).to_vec();
        divisor = format!(
            "    %zero = arith.constant 0 : {ty}\n    %n = arith.maxsi %x0, %zero : {ty}\n    \
             %one = arith.constant 1 : {ty}\n    %d = arith.ori %x1, %one : {ty}\n"
        );
    }
    let n = results.len();
    let all = (0..n).map(|i| if n == 1 { "%r".to_owned() } else { format!("%r#{i}") }).collect::<Vec<_>>();
    let made = all.iter().map(|name| name.replace("%r", "%s")).collect::<Vec<_>>().join(", ");
    let count = if n == 1 { String::new() } else { format!(":{n}") };
    format!(
        "func.func @{op}({}) -> ({outs_ty}) {{
  %r{count} = linalg.generic {{indexing_maps = [{}], iterator_types = [\"parallel\", \"parallel\"]}}
    ins({} : {}) outs({} : {outs_ty}) {{
  ^bb0({}):
{divisor}    %s{count} = \"{op}\"({}){attrs} : ({}) -> ({})
    linalg.yield {made} : {}
  }} -> ({outs_ty})
  return {} : {outs_ty}
}}
",
        args.join(", "),
        vec![map; operands.len() + n].join(", "),
        ins.join(", "),
        tensors(operands),
        outs.join(", "),
        body.join(", "),
        used.join(", "),
        list(operands),
        list(results),
        list(results),
        all.join(", "),
        outs_ty = tensors(results),
    )
}

/// The forms that an operation on numbers could have; the verifier knows which it has.
fn scalars(op: &str, ty: &str) -> Vec<String> {
    match op {
        "arith.addui_extended" => vec![scalar(op, &[ty; 2], &[ty, "i1"])],
        "arith.mului_extended" | "arith.mulsi_extended" => vec![scalar(op, &[ty; 2], &[ty; 2])],
        "arith.cmpi" | "arith.cmpf" => vec![scalar(op, &[ty; 2], &["i1"])],
        "arith.select" => vec![scalar(op, &["i1", ty, ty], &[ty])],
        "math.isfinite" | "math.isinf" | "math.isnan" | "math.isnormal" => vec![scalar(op, &[ty], &["i1"])],
        "math.fpowi" => vec![scalar(op, &[ty, "i32"], &[ty])],
        "math.sincos" => vec![scalar(op, &[ty], &[ty; 2])],
        _ => (1..4).map(|n| scalar(op, &vec![ty; n], &[ty])).collect(),
    }
}

/// An operation on complex numbers with parts of a type.
fn complexes(op: &str, part: &str) -> Vec<String> {
    if !is_float(part) {
        return Vec::new();
    }
    let number = &*format!("complex<{part}>");
    let form = |operands: &[&str], result: &str| vec![scalar(op, operands, &[result])];
    match op {
        "complex.create" => form(&[part; 2], number),
        "complex.re" | "complex.im" | "complex.abs" | "complex.angle" => form(&[number], part),
        "complex.eq" | "complex.neq" => form(&[number; 2], "i1"),
        "complex.powi" => form(&[number, "i32"], number),
        "complex.bitcast" => match part {
            "f64" => Vec::new(),
            "f32" => form(&[number], "i64"),
            "f16" | "bf16" => form(&[number], "f32"),
            _ => form(&[number], "i16"),
        },
        _ => (1..3).map(|n| scalar(op, &vec![number; n], &[number])).collect(),
    }
}

/// The functions that an operation with elements of this type could be.
fn candidates(op: &str, ty: &str, special: &BTreeMap<String, String>) -> Vec<String> {
    if let Some(text) = special.get(op) {
        let (max, less) = if is_float(ty) { ("maximumf", "cmpf olt") } else { ("maxsi", "cmpi slt") };
        let text = text.replace("!T", ty).replace("!W", wide(ty)).replace("!bits", &bits(ty));
        return vec![text.replace("!max", &format!("arith.{max}")).replace("!less", &format!("arith.{less},"))];
    }
    if op.starts_with("arith.") || op.starts_with("math.") {
        return scalars(op, ty);
    }
    if op.starts_with("complex.") {
        return complexes(op, ty);
    }
    if let Some(text) = windowed(op, ty).or_else(|| product(op, ty)) {
        return vec![text];
    }
    let one = format!("tensor<20x33x{ty}>");
    if divides(op) && !is_float(ty) {
        if ty == "i1" {
            // The only divisor is -1, and the only quotient overflows.
            return Vec::new();
        }
        let divisors = format!("{{\n  %a1 = arith.constant dense<1> : {one}\n");
        return vec![
            named(op, "", &[one.clone(), one.clone()], &one)
                .replace(&format!(" %a1: {one},"), "")
                .replacen("{\n", &divisors, 1),
        ];
    }
    (1..4).map(|n| named(op, "", &vec![one.clone(); n], &one)).collect()
}

/// Functions of the file of special forms, by name.
fn special() -> BTreeMap<String, String> {
    let text = include_str!("operations.mlir");
    let functions = text.split("func.func @").skip(1);
    functions.map(|text| (text.split_once('(').unwrap().0.to_owned(), format!("func.func @{text}"))).collect()
}

/// Conversions have two types; `docs/what-compiles.md` says so.
fn is_conversion(op: &str) -> bool {
    ["ext", "trunc", "tofp", "fpto", "index_cast", "convertf", "flush_denormals"].iter().any(|part| op.contains(part))
        && op.starts_with("arith.")
        && !op.ends_with("_extended")
        || op == "arith.bitcast"
}

/// The operations that have a row.
fn operations() -> Vec<&'static str> {
    let dialects = ["linalg.", "iree_linalg_ext.", "tensor.", "arith.", "math.", "complex."];
    let rows = ops::all().filter(|row| dialects.iter().any(|dialect| row.name.starts_with(dialect)));
    let rows = rows.filter(|row| !WITHIN.contains(&row.name) && !is_conversion(row.name));
    let mut names: Vec<&str> = rows.map(|row| row.name).collect();
    names.sort_by_key(|name| {
        let dialect = dialects.iter().position(|dialect| name.starts_with(dialect));
        (dialect, *name)
    });
    names
}

/// By what a function is compiled: `m` matrix instructions, `v` vectors, `s` scalar loops, `t` those whose lines
/// threads share, `h` the host alone.
fn strategy(ir: Ir, func: OpId, facts: &Facts) -> Result<&'static str, Diag> {
    let mut program = Program::of(ir, func, facts)?;
    if program.kernels.is_empty() {
        return Ok("h");
    }
    program.advance(facts, Stage::Lowered, |_, _| {})?;
    for &kernel in &program.kernels {
        pipeline::finish(&mut program.ir, kernel, facts)?;
        if let Some(refusal) = pipeline::refusal(&program.ir, kernel, facts.chip) {
            return Err(refusal);
        }
    }
    let text = raddle_ir::print(&program.ir, &PrintOptions::default());
    let by_teams = |remark: &Diag| remark.message.contains("several threads share a line");
    let by_loops = |remark: &Diag| remark.message.contains("scalar loops");
    Ok(match () {
        () if ["mma.sync", "mma_sync", "mfma"].iter().any(|name| text.contains(name)) => "m",
        () if facts.remarks.borrow().iter().any(by_teams) => "t",
        () if facts.remarks.borrow().iter().any(by_loops) => "s",
        () => "v",
    })
}

/// What becomes of the operations with elements of one type on one target: a letter, the number of a diagnostic, or
/// nothing where the operation does not have this type.
fn column(ops: &[&'static str], ty: &str, target: &'static str) -> BTreeMap<&'static str, String> {
    let special = special();
    let mut file = String::new();
    let mut cells = BTreeMap::new();
    for &op in ops {
        let parsed =
            candidates(op, ty, &special).into_iter().find_map(|text| Some((raddle_ir::parse(&text).ok()?, text)));
        let Some((ir, text)) = parsed else { continue };
        let func = pipeline::function(&ir, None).unwrap();
        let cell = strategy(ir, func, &Facts::new(chip(target).unwrap()));
        if cell.is_ok() {
            file += &text;
        }
        cells.insert(op, cell.map_or_else(|diag| diag.code.number().to_owned(), str::to_owned));
    }
    // What compiles is right, too.
    let ran = raddle_with(&["run", "-", "--all", "--fuel=20000000000", &format!("--target={target}")], &file);
    assert_eq!(
        ran.out.matches('@').count(),
        cells.values().filter(|cell| !cell.starts_with('E')).count(),
        "{}",
        ran.err
    );
    for line in ran.out.lines().filter(|line| line.contains('@') && !line.starts_with("ok ")) {
        println!("{ty} on {target}: {line}");
        let name = line.split_once('@').unwrap().1.split(':').next().unwrap();
        *cells.get_mut(name).unwrap() = "wrong".to_owned();
    }
    cells
}

/// The page: a row for each operation and target with the types that it has.
fn page(ops: &[&'static str], columns: &BTreeMap<(&str, &str), BTreeMap<&'static str, String>>) -> String {
    let mut text = "# What compiles

Each cell is a function of that one operation, compiled, run on the emulator at the stage `lowered`, and found right \
against the meaning on tensors; the code of the chip, PTX or LLVM IR, was written, too. The test `operations` of the \
crate `raddle` makes this page and keeps it true.

* **m**: by matrix instructions. **v**: by vectors that are spread over lanes. **s**: by scalar loops, right but slow \
(a remark says what vectors refused). **t**: by scalar loops in which a subgroup or a workgroup shares each line. **h**: the host alone, no kernel is needed.
* **E0301** and the like: refused with this diagnostic, which `raddle explain` explains. Empty: the operation does not \
have this type.
* Sums of products are kept in f32 or i32 where elements are narrower. Conversions of `arith` work between all of these \
types and the other small floats. More chips: sm_80 to sm_120 compile what sm_80 does, gfx90a, gfx1100 and gfx1201 \
what gfx942 does, each with its own matrix instructions (`raddle targets`).
* Of `complex`, the type is that of the parts. Structured operations and those of `tensor` take complex numbers with \
parts of these types, too.
"
    .to_owned();
    let types: Vec<&str> = FLOATS.iter().chain(INTS).copied().collect();
    let mut dialect = "";
    for op in ops {
        let own = op.split_once('.').unwrap().0;
        if own != dialect {
            dialect = own;
            let _ = write!(text, "\n## {own}\n\n| operation |");
            types.iter().for_each(|ty| text += &format!(" {ty} |"));
            text += "\n| --- |";
            types.iter().for_each(|_| text += " --- |");
            text += "\n";
        }
        let cell = |ty: &&str, target: &str| columns[&(*ty, target)].get(op).cloned().unwrap_or_default();
        let _ = write!(text, "| `{op}` |");
        for ty in &types {
            let cells: BTreeSet<String> = TARGETS.iter().map(|target| cell(ty, target)).collect();
            let all = TARGETS.iter().map(|target| cell(ty, target)).collect::<Vec<_>>();
            let _ = write!(text, " {} |", if cells.len() == 1 { all[0].clone() } else { all.join("/") });
        }
        text += "\n";
    }
    text
}

fn path() -> std::path::PathBuf {
    root().join("docs/what-compiles.md")
}

/// The cells of a page, as [`column`] gives them.
fn read(page: &str, ty: &str, target: &str) -> BTreeMap<String, String> {
    let at = FLOATS.iter().chain(INTS).position(|other| *other == ty).unwrap();
    let target = TARGETS.iter().position(|other| *other == target).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let cells = rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let cell = cells[at + 1];
        (cells[0].trim_end_matches('`').to_owned(), cell.split('/').nth(target).unwrap_or(cell).to_owned())
    });
    cells.filter(|(_, cell)| !cell.is_empty()).collect()
}

#[test]
fn the_page_says_what_compiles() {
    let ops = operations();
    let types = FLOATS.iter().chain(INTS).copied();
    if std::env::var_os("RADDLE_BLESS").is_some() {
        let pairs = types.flat_map(|ty| TARGETS.iter().map(move |&target| (ty, target)));
        let columns: BTreeMap<_, _> = pairs.map(|(ty, target)| ((ty, target), column(&ops, ty, target))).collect();
        for op in &ops {
            assert!(columns.values().any(|column| column.contains_key(op)), "`{op}` has no form that parses");
        }
        let page = page(&ops, &columns);
        assert!(!page.contains("wrong"), "what is wrong is not a page");
        std::fs::write(path(), page).unwrap();
        return;
    }
    let page = std::fs::read_to_string(path()).unwrap();
    let (ty, target) = ("f16", "sm_80");
    let said = read(&page, ty, target);
    let is: BTreeMap<String, String> =
        column(&ops, ty, target).into_iter().map(|(op, cell)| (op.to_owned(), cell)).collect();
    let differ = is.keys().chain(said.keys()).filter(|op| is.get(*op) != said.get(*op));
    let differ: BTreeMap<_, _> = differ.map(|op| (op, [said.get(op), is.get(op)])).collect();
    assert!(differ.is_empty(), "{ty} on {target}: {differ:?} differ; see the first lines of this test's file");
}
