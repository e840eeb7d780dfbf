//! What the assembler makes of our products: registers, spills, and how much stands beside the matrix instructions.
//!
//! Each kernel is compiled, assembled for sm_80 and disassembled; its inner loop is the one with the most matrix
//! instructions. No GPU is needed, and nothing is timed.

use std::path::Path;
use std::process::Command;

/// What is compiled: the type of the factors, and for A and B whether they are as written (`n`) or transposed (`t`).
const KERNELS: &[(&str, &str)] = &[
    ("f16", "nn"),
    ("f16", "nt"),
    ("f16", "tn"),
    ("f16", "tt"),
    ("bf16", "nn"),
    ("bf16", "nt"),
    ("bf16", "tn"),
    ("bf16", "tt"),
];

/// Opcodes of matrix instructions.
const MATRIX: &[&str] = &["HMMA", "IMMA", "BMMA", "DMMA"];

/// Prints a row for each kernel; `--size MxNxK` chooses the extents, `--tools FOLDER` where `ptxas` and `nvdisasm` are.
pub fn sass(options: &[&str]) -> Option<bool> {
    let (mut size, mut tools) = ([4096; 3], crate::validators_dir().join("bin"));
    let mut rest = options;
    while let [option, value, more @ ..] = rest {
        match *option {
            "--size" => {
                size = value.split('x').map(|n| n.parse().ok()).collect::<Option<Vec<u32>>>()?.try_into().ok()?;
            }
            "--tools" => tools = value.into(),
            _ => return None,
        }
        rest = more;
    }
    if !rest.is_empty() || !crate::cargo(&["build", "--package", "raddle"]) {
        return rest.is_empty().then_some(false);
    }
    println!("{} x {} x {}, sm_80", size[0], size[1], size[2]);
    println!("factors  A B  registers  spilled bytes  loop  matrix  ldmatrix  copies  barriers  other per matrix");
    let rows = KERNELS.iter().map(|&(elem, order)| match row(&tools, size, elem, order) {
        Ok(row) => {
            println!("{elem:<8} {order}   {row}");
            true
        }
        Err(error) => {
            println!("{elem:<8} {order}   {error}");
            false
        }
    });
    Some(rows.filter(|good| !good).count() == 0)
}

/// A product as a tensor program.
fn product([m, n, k]: [u32; 3], order: &str, elem: &str) -> String {
    let (a, a_map) = if order.starts_with('t') { ([k, m], "k, m") } else { ([m, k], "m, k") };
    let (b, b_map) = if order.ends_with('t') { ([n, k], "n, k") } else { ([k, n], "k, n") };
    let (a, b) = (format!("tensor<{}x{}x{elem}>", a[0], a[1]), format!("tensor<{}x{}x{elem}>", b[0], b[1]));
    let c = format!("tensor<{m}x{n}xf32>");
    format!(
        "func.func @product(%A: {a}, %B: {b}) -> {c} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}
  %C = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> ({a_map})>, affine_map<(m, n, k) -> ({b_map})>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%A, %B : {a}, {b}) outs(%init : {c}) {{
  ^body(%a: {elem}, %b: {elem}, %c: f32):
    %x = arith.extf %a : {elem} to f32
    %y = arith.extf %b : {elem} to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }} -> {c}
  return %C : {c}
}}
"
    )
}

fn row(tools: &Path, size: [u32; 3], elem: &str, order: &str) -> Result<String, String> {
    let folder = crate::root().join("target").join("sass");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let path = |end: &str| folder.join(format!("{elem}_{order}.{end}"));
    std::fs::write(path("mlir"), product(size, order, elem)).map_err(|error| error.to_string())?;
    let raddle = crate::root().join("target").join("debug").join("raddle");
    run(Command::new(raddle).arg("build").arg(path("mlir")).arg("-o").arg(path("ptx")))?;
    let [_, said] =
        run(Command::new(tools.join("ptxas")).args(["-arch=sm_80", "-v", "-o"]).arg(path("cubin")).arg(path("ptx")))?;
    let [code, _] = run(Command::new(tools.join("nvdisasm")).arg("-c").arg(path("cubin")))?;
    let registers = said.split("Used ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or("?");
    let number_before = |at: usize| said[..at].split_whitespace().last()?.parse::<u32>().ok();
    let spilled: u32 = said.match_indices(" bytes spill").filter_map(|(at, _)| number_before(at)).sum();
    let body = inner_loop(&code).ok_or("no loop with matrix instructions")?;
    let count = |names: &[&str]| body.iter().filter(|op| names.iter().any(|name| op.starts_with(name))).count();
    let matrix = count(MATRIX);
    let other = (body.len() - matrix) as f64 / matrix as f64;
    Ok(format!(
        "{registers:>9}  {spilled:>13}  {:>4}  {matrix:>6}  {:>8}  {:>6}  {:>8}  {other:>16.2}",
        body.len(),
        count(&["LDSM"]),
        count(&["LDGSTS"]),
        count(&["BAR"])
    ))
}

/// The opcodes between the target of a backward branch and the branch: of those loops, the one with the most matrix
/// instructions.
fn inner_loop(code: &str) -> Option<Vec<String>> {
    let (mut ops, mut labels): (Vec<String>, Vec<(String, usize)>) = (Vec::new(), Vec::new());
    let mut loops = Vec::new();
    for line in code.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':').filter(|label| label.starts_with(".L_")) {
            labels.push((label.to_owned(), ops.len()));
        } else if let Some((_, inst)) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
            let mut words = inst.split_whitespace().skip_while(|word| word.starts_with('@'));
            let Some(op) = words.next() else { continue };
            ops.push(op.trim_end_matches(';').to_owned());
            let target = labels.iter().find(|(label, _)| op == "BRA" && inst.contains(&format!("({label})")));
            if let Some(&(_, begin)) = target {
                loops.push(ops[begin..].to_vec());
            }
        }
    }
    let n_matrix = |body: &Vec<String>| body.iter().filter(|op| MATRIX.iter().any(|name| op.starts_with(name))).count();
    // Of loops inside one another, the inner one has as many and is shorter.
    let best = loops.iter().map(n_matrix).max().filter(|&n| n > 0)?;
    loops.into_iter().filter(|body| n_matrix(body) == best).min_by_key(Vec::len)
}

/// Runs a program; what it wrote to its outputs.
fn run(command: &mut Command) -> Result<[String; 2], String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let [out, err] = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if done.status.success() { Ok([out, err]) } else { Err(format!("{name} failed: {err}")) }
}
