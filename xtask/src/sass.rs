//! What the assembler makes of our products and attention: registers, spills, and how much stands beside the matrix
//! instructions, or beside multiply-adds where there are none.
//!
//! Each kernel is compiled, assembled and disassembled; its inner loop is the one with the most of these. No GPU is
//! needed, and nothing is timed.

use std::path::PathBuf;
use std::process::Command;

/// Products of one type and tile.
struct Kernel {
    name: &'static str,
    chip: &'static str,
    /// The type of the factors.
    elem: &'static str,
    /// The type of the result.
    sum: &'static str,
    /// The tile and the slots of its ring; the compiler's own choice where there is none.
    tile: Option<([u32; 3], u32)>,
    /// Whether only the run knows how many rows and columns the result has. Columns are open where rows of B in memory
    /// do not run along them: copies need to know where rows begin.
    open: bool,
}

impl Kernel {
    /// The attributes of the function and of the product.
    fn attributes(&self) -> (String, String) {
        let Some(([m, n, k], slots)) = self.tile else { return Default::default() };
        let instruction = match self.elem {
            "f16" => "NV_MMA_SYNC_F32_16x8x16_F16",
            "f32" => "NV_MMA_SYNC_F32_16x8x8_TF32",
            "i8" => "NV_MMA_SYNC_I32_16x8x32_I8",
            "f8E4M3FN" => "NV_MMA_SYNC_F32_16x8x32_F8E4M3FN",
            _ => unreachable!("a tile is of a type that is here"),
        };
        // Subgroups have 64 x 64 elements of the result.
        let subgroups = [m / 64, n / 64];
        let threads = 32 * subgroups[0] * subgroups[1];
        let translation = format!(
            "attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> \
             workgroup_size = [{threads}, 1, 1] subgroup_size = 32, {{pipeline_depth = {slots} : i64, store_stage = 1 : i64}}>}}"
        );
        let config = format!(
            "attrs = {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [{m}, {n}, 0], reduction = [0, 0, {k}], \
             subgroup_basis = [[{}, {}, 1], [0, 1, 2]], mma_kind = #iree_gpu.mma_layout<{instruction}>, \
             promote_operands = [0, 1]}}>}}",
            subgroups[0], subgroups[1]
        );
        (translation, config)
    }
}

/// What is compiled, each in the four orders of the operands.
const KERNELS: &[Kernel] = &[
    Kernel { name: "f32", chip: "sm_80", elem: "f32", sum: "f32", tile: None, open: false },
    Kernel { name: "f16", chip: "sm_80", elem: "f16", sum: "f32", tile: None, open: false },
    Kernel { name: "f16-open", chip: "sm_80", elem: "f16", sum: "f32", tile: None, open: true },
    Kernel { name: "f16-3", chip: "sm_80", elem: "f16", sum: "f32", tile: Some(([128, 128, 32], 3)), open: false },
    Kernel { name: "f16-4", chip: "sm_80", elem: "f16", sum: "f32", tile: Some(([128, 128, 32], 4)), open: false },
    Kernel { name: "f16-256", chip: "sm_80", elem: "f16", sum: "f32", tile: Some(([128, 256, 64], 3)), open: false },
    Kernel { name: "bf16", chip: "sm_80", elem: "bf16", sum: "f32", tile: None, open: false },
    Kernel { name: "tf32", chip: "sm_80", elem: "f32", sum: "f32", tile: Some(([128, 128, 32], 3)), open: false },
    Kernel { name: "i8", chip: "sm_80", elem: "i8", sum: "i32", tile: Some(([128, 128, 64], 3)), open: false },
    Kernel { name: "f8", chip: "sm_89", elem: "f8E4M3FN", sum: "f32", tile: Some(([128, 128, 64], 3)), open: false },
];

/// Attention of f16.
struct Attention {
    name: &'static str,
    /// The elements of a row.
    depth: u32,
    /// Whether queries see no later keys.
    causal: bool,
    /// The rows and keys of a block, of which each subgroup has 32 rows; the compiler's own choice where there is none.
    block: Option<[u32; 2]>,
    /// What else the compiler is told.
    flags: &'static [&'static str],
}

const FAST: &[&str] = &["--fast-math"];
const ATTENTION: &[Attention] = &[
    Attention { name: "attn-64", depth: 64, causal: false, block: None, flags: FAST },
    Attention { name: "attn-128", depth: 128, causal: false, block: None, flags: FAST },
    Attention { name: "attn-128x64", depth: 128, causal: false, block: Some([128, 64]), flags: FAST },
    Attention { name: "attn-exact", depth: 128, causal: false, block: None, flags: &[] },
    Attention { name: "causal-64", depth: 64, causal: true, block: None, flags: FAST },
    Attention { name: "causal-128", depth: 128, causal: true, block: None, flags: FAST },
];

/// Products of f16 in the order `nn` with something behind them, by its name, the chip, how many rows the run finds, and
/// the body of the operation that makes `%y` of `%x`: its registers must not meet those of all sums.
const EPILOGUES: &[(&str, &str, bool, &str)] = &[
    ("gelu", "sm_80", false, GELU),
    ("gelu-open", "sm_80", true, GELU),
    ("silu", "sm_80", false, SILU),
    ("gelu-89", "sm_89", false, GELU),
    ("gelu-90", "sm_90a", false, GELU),
    ("gelu-open-90", "sm_90a", true, GELU),
    ("silu-90", "sm_90a", false, SILU),
];

const GELU: &str = "%scaled = arith.mulf %x, %root : f32
    %erf = math.erf %scaled : f32
    %sum = arith.addf %erf, %one : f32
    %part = arith.mulf %x, %half : f32
    %y = arith.mulf %sum, %part : f32";

const SILU: &str = "%minus = arith.negf %x : f32
    %power = math.exp %minus : f32
    %sum = arith.addf %power, %one : f32
    %y = arith.divf %x, %sum : f32";

/// For A and B, whether they are as written (`n`) or transposed (`t`).
const ORDERS: &[&str] = &["nn", "nt", "tn", "tt"];

/// Opcodes of matrix instructions.
const MATRIX: &[&str] = &["HMMA", "IMMA", "QMMA", "BMMA", "DMMA", "HGMMA"];

/// The opcode that stands for them in products of f32.
const MULTIPLY_ADD: &[&str] = &["FFMA"];

/// What the command line asks for.
struct Options<'a> {
    size: [u32; 3],
    tools: PathBuf,
    only: &'a str,
}

/// Prints a row for each kernel: `--size MxNxK` chooses the extents, `--only NAME` the kernels whose names begin so,
/// `--tools FOLDER` where `ptxas` and `nvdisasm` are.
pub fn sass(options: &[&str]) -> Option<bool> {
    let mut wanted = Options { size: [4096; 3], tools: crate::validators_dir().join("bin"), only: "" };
    let mut install = true;
    let mut rest = options;
    while let [option, value, more @ ..] = rest {
        match *option {
            "--size" => {
                let extents: Option<Vec<u32>> = value.split('x').map(|n| n.parse().ok()).collect();
                wanted.size = extents?.try_into().ok()?;
            }
            "--only" => wanted.only = value,
            "--tools" => (wanted.tools, install) = (value.into(), false),
            _ => return None,
        }
        rest = more;
    }
    if !rest.is_empty() {
        return None;
    }
    if install && !crate::validators::install_disassembler() || !crate::cargo(&["build", "--package", "raddle"]) {
        return Some(false);
    }
    let [m, n, k] = wanted.size;
    println!(
        "{m} x {n} x {k}, and attention of {m} queries and {n} keys; the inner loop is between `loop` and `other per matrix`"
    );
    println!(
        "kernel      A B  registers  spilled  generic  loop  matrix  ldmatrix  copies  barriers  other per matrix"
    );
    let mut good = true;
    for kernel in KERNELS.iter().filter(|kernel| kernel.name.starts_with(wanted.only)) {
        for order in ORDERS {
            let row = row(
                &wanted,
                &format!("{}_{order}", kernel.name),
                kernel.chip,
                &[],
                &product(wanted.size, order, kernel),
            );
            good &= row.is_ok();
            println!("{:<12}{order} {}", kernel.name, said(row));
        }
    }
    for &(name, chip, open, body) in EPILOGUES.iter().filter(|row| row.0.starts_with(wanted.only)) {
        let kernel = Kernel { name, chip, elem: "f16", sum: "f32", tile: None, open };
        let row = row(&wanted, name, chip, &[], &epilogue(&product(wanted.size, "nn", &kernel), body));
        good &= row.as_ref().is_ok_and(|row| row.spilled == 0);
        println!("{name:<14} {}", said(row));
    }
    for kernel in ATTENTION.iter().filter(|kernel| kernel.name.starts_with(wanted.only)) {
        let row = row(&wanted, kernel.name, "sm_80", kernel.flags, &attention(wanted.size, kernel));
        good &= row.is_ok();
        println!("{:<14} {}", kernel.name, said(row));
    }
    Some(good)
}

/// A product as a tensor program.
fn product([m, n, k]: [u32; 3], order: &str, kernel: &Kernel) -> String {
    let Kernel { elem, sum, .. } = kernel;
    let (translation, config) = kernel.attributes();
    let a_map = if order.starts_with('t') { "k, m" } else { "m, k" };
    let b_map = if order.ends_with('t') { "n, k" } else { "k, n" };
    // The number of a row or column that is open is read off a factor.
    let [open_m, open_n] = [kernel.open && !order.starts_with('t'), kernel.open && order.ends_with('t')];
    let [rows, columns] = [(open_m, m), (open_n, n)].map(|(open, n)| if open { "?".to_owned() } else { n.to_string() });
    let a = if order.starts_with('t') { format!("{k}x{rows}") } else { format!("{rows}x{k}") };
    let b = if order.ends_with('t') { format!("{columns}x{k}") } else { format!("{k}x{columns}") };
    let (a, b, c) =
        (format!("tensor<{a}x{elem}>"), format!("tensor<{b}x{elem}>"), format!("tensor<{rows}x{columns}x{sum}>"));
    let open = [(open_m, "m", "A", &a), (open_n, "n", "B", &b)].into_iter().filter(|row| row.0);
    let extent = |(_, dim, factor, ty): (bool, &str, &str, &String)| {
        (format!("%{dim}"), format!("%{dim} = tensor.dim %{factor}, %c0 : {ty}\n  "))
    };
    let (sizes, extents): (Vec<String>, String) = open.map(extent).unzip();
    let sizes = sizes.join(", ");
    let (zero, extend, multiply, add) =
        if sum.starts_with('i') { ("0", "extsi", "muli", "addi") } else { ("0.0", "extf", "mulf", "addf") };
    let factors = match elem == sum {
        true => String::new(),
        false => format!("%x = arith.{extend} %a : {elem} to {sum}\n    %y = arith.{extend} %b : {elem} to {sum}"),
    };
    let [x, y] = if elem == sum { ["%a", "%b"] } else { ["%x", "%y"] };
    format!(
        "func.func @product(%A: {a}, %B: {b}) -> {c} {translation} {{
  %zero = arith.constant {zero} : {sum}
  %c0 = arith.constant 0 : index
  {extents}%empty = tensor.empty({sizes}) : {c}
  %init = linalg.fill ins(%zero : {sum}) outs(%empty : {c}) -> {c}
  %C = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> ({a_map})>, affine_map<(m, n, k) -> ({b_map})>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%A, %B : {a}, {b}) outs(%init : {c}) {config} {{
  ^body(%a: {elem}, %b: {elem}, %c: {sum}):
    {factors}
    %p = arith.{multiply} {x}, {y} : {sum}
    %s = arith.{add} %c, %p : {sum}
    linalg.yield %s : {sum}
  }} -> {c}
  return %C : {c}
}}
"
    )
}

/// A product with an operation on the elements of its result, which become f16.
fn epilogue(product: &str, body: &str) -> String {
    let (product, _) = product.split_once("  return").expect("a function returns");
    let (signature, rest) = product.split_once('\n').expect("a function has a body");
    let sums = signature.rsplit("-> ").next().expect("a function has a type").trim_end_matches(" {").trim();
    let result = sums.replace("f32", "f16");
    let sizes = if sums.contains('?') { "%m" } else { "" };
    format!(
        "{}-> {result} {{
{rest}  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710678 : f32
  %one = arith.constant 1.0 : f32
  %rounded = tensor.empty({sizes}) : {result}
  %D = linalg.generic {{
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\"]}} ins(%C : {sums}) outs(%rounded : {result}) {{
  ^body(%x: f32, %z: f16):
    {body}
    %d = arith.truncf %y : f32 to f16
    linalg.yield %d : f16
  }} -> {result}
  return %D : {result}
}}
",
        signature.split("-> ").next().expect("a function has a type")
    )
}

/// Attention as a tensor program: as many queries and keys as the product has rows and columns, in 32 batches.
fn attention([m, n, _]: [u32; 3], kernel: &Attention) -> String {
    let &Attention { depth, causal, block, .. } = kernel;
    let [query, key] = [m, n].map(|rows| format!("tensor<32x{rows}x{depth}xf16>"));
    let maps = ["b, m, d", "b, k, d", "b, k, n", "", "b, m, n"];
    let maps = maps.map(|dims| format!("affine_map<(b, m, d, k, n) -> ({dims})>")).join(", ");
    let mask = "%i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %sees = arith.cmpi sge, %i, %j : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %sees, %x, %never : f32
    ";
    let (mask, score) = if causal { (mask, "%y") } else { ("", "%x") };
    let (translation, config) = block.map_or(Default::default(), |[rows, keys]| {
        let translation = format!(
            " attributes {{translation_info = #iree_codegen.translation_info<pipeline = \
             #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{rows}, 1, 1] subgroup_size = 32>}}"
        );
        let config = format!(
            ", lowering_config = #iree_gpu.lowering_config<{{workgroup = [1, {rows}, 0, 0, 0], \
             reduction = [0, 0, 0, {keys}, 0]}}>"
        );
        (translation, config)
    });
    format!(
        "func.func @attention(%Q: {query}, %K: {key}, %V: {key}) -> {query}{translation} {{
  %scale = arith.constant 0.125 : f16
  %empty = tensor.empty() : {query}
  %O = iree_linalg_ext.attention {{indexing_maps = [{maps}]{config}}}
      ins(%Q, %K, %V, %scale : {query}, {key}, {key}, f16) outs(%empty : {query}) {{
  ^bb0(%x: f32):
    {mask}iree_linalg_ext.yield {score} : f32
  }} -> {query}
  return %O : {query}
}}
"
    )
}

/// What the assembler made of a program.
struct Row {
    /// Bytes that are stored to and loaded from memory for want of registers.
    spilled: u32,
    /// All figures.
    text: String,
}

/// The figures, or why there are none.
fn said(row: Result<Row, String>) -> String {
    row.map_or_else(|error| format!(" {error}"), |row| row.text)
}

/// Compiles, assembles and counts a program.
fn row(wanted: &Options<'_>, name: &str, chip: &str, flags: &[&str], text: &str) -> Result<Row, String> {
    let folder = crate::root().join("target").join("sass");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let path = |end: &str| folder.join(format!("{name}.{end}"));
    std::fs::write(path("mlir"), text).map_err(|error| error.to_string())?;
    let raddle = crate::root().join("target").join("debug").join("raddle");
    let target = format!("--target={chip}");
    run(Command::new(raddle).arg("build").arg(target).args(flags).arg(path("mlir")).arg("-o").arg(path("ptx")))?;
    let tool = |name: &str| Command::new(wanted.tools.join(name));
    let arch = format!("-arch={chip}");
    let [_, said] = run(tool("ptxas").args([&arch, "-v", "-o"]).arg(path("cubin")).arg(path("ptx")))?;
    let [code, _] = run(tool("nvdisasm").arg("-c").arg(path("cubin")))?;
    let registers = said.split("Used ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or("?");
    let number_before = |at: usize| said[..at].split_whitespace().last()?.parse::<u32>().ok();
    let spilled: u32 = said.match_indices(" bytes spill").filter_map(|(at, _)| number_before(at)).sum();
    let all = Code::of(&code);
    let products = [MATRIX, MULTIPLY_ADD].into_iter().find(|names| count(&all.ops, names) > 0);
    let products = products.ok_or("no products")?;
    let body = all.inner_loop(products).ok_or("no loop with products")?;
    let count = |names: &[&str]| count(body, names);
    // An address of which the code does not say the memory: `LD`, where `LDG` and `LDS` do.
    let generic = all.ops.iter().filter(|op| ["LD", "ST"].contains(&op.split('.').next().unwrap_or_default())).count();
    let matrix = count(products);
    let other = (body.len() - matrix) as f64 / matrix as f64;
    let text = format!(
        "{registers:>10}  {spilled:>7}  {generic:>7}  {:>4}  {matrix:>6}  {:>8}  {:>6}  {:>8}  {other:>16.2}",
        body.len(),
        count(&["LDSM"]),
        count(&["LDGSTS"]),
        count(&["BAR"])
    );
    Ok(Row { spilled, text })
}

/// A disassembled kernel.
struct Code {
    ops: Vec<String>,
    /// From where to where a backward branch goes.
    loops: Vec<[usize; 2]>,
}

impl Code {
    fn of(text: &str) -> Code {
        let mut code = Code { ops: Vec::new(), loops: Vec::new() };
        let mut labels: Vec<(String, usize)> = Vec::new();
        for line in text.lines().map(str::trim) {
            if let Some(label) = line.strip_suffix(':').filter(|label| label.starts_with(".L_")) {
                labels.push((label.to_owned(), code.ops.len()));
            } else if let Some((_, inst)) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")) {
                let mut words = inst.split_whitespace().skip_while(|word| word.starts_with('@'));
                let Some(op) = words.next() else { continue };
                code.ops.push(op.trim_end_matches(';').to_owned());
                let target = labels.iter().find(|(label, _)| op == "BRA" && inst.contains(&format!("({label})")));
                code.loops.extend(target.map(|&(_, begin)| [begin, code.ops.len()]));
            }
        }
        code
    }

    /// Of all loops the one with the most products; of loops inside one another the inner one.
    fn inner_loop(&self, products: &[&str]) -> Option<&[String]> {
        let bodies = self.loops.iter().map(|&[begin, end]| &self.ops[begin..end]);
        let bodies = bodies.filter(|body| count(body, products) > 0);
        bodies.max_by_key(|body| (count(body, products), std::cmp::Reverse(body.len())))
    }
}

/// How many operations begin with one of some names.
fn count(ops: &[String], names: &[&str]) -> usize {
    ops.iter().filter(|op| names.iter().any(|name| op.starts_with(name))).count()
}

/// Runs a program; what it wrote to its outputs.
fn run(command: &mut Command) -> Result<[String; 2], String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let [out, err] = [done.stdout, done.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if done.status.success() { Ok([out, err]) } else { Err(format!("{name} failed: {err}")) }
}
