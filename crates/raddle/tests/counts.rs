//! Counted cost: what kernels do, beside the least that their programs need.
//!
//! Kernels are executed by the emulator, which counts. Products: matrix instructions, beside those that the extents of the
//! product take when each is rounded up to the instruction; sectors of global memory, beside those that the tiles of the
//! workgroups cover, each once. Softmax, norms, products with something behind them: bytes of each argument, beside
//! its size.
//!
//! `cargo xtask counts` runs all cases and prints a table; the test has the small ones.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test stops at the first surprise, and prints a table")]

use std::cell::RefCell;
use std::fmt::Write;

use raddle::pipeline::{self, Program};
use raddle_emu::{AsyncMode, Cost, Launch, Options, Tensor};
use raddle_ir::{Attr, Diag, Ir, OpId, Opcode, Scalar, TypeId};
use raddle_passes::Facts;
use raddle_run::random;
use raddle_target::{Stage, chip};

/// Matrix instructions beside the least, where all extents are at least [`LARGE`], and elsewhere.
const MATRIX_AIMS: [f64; 2] = [1.15, 1.5];
const LARGE: i64 = 512;
/// Sectors beside those that the tiles cover.
const SECTORS_AIM: f64 = 1.05;
/// Bytes of a sector.
const SECTOR: i64 = 32;

/// A product: batch, M, N and K; what A and B are, as written (`n`) or transposed (`t`); the chip; the type of the factors.
#[derive(Clone, Copy)]
struct Product {
    extents: [i64; 4],
    order: &'static str,
    chip: &'static str,
    elem: &'static str,
    /// What stands behind it: a row is added, another tensor is added, and the sum is rounded.
    epilogue: bool,
}

/// An operation on rows.
#[derive(Clone, Copy)]
struct Rows {
    kind: &'static str,
    rows: i64,
    length: i64,
    chip: &'static str,
    elem: &'static str,
}

/// What a program did.
struct Counted {
    /// The tile of a workgroup along each loop of the operation that has most loops; none without a configuration, and
    /// where there are several kernels.
    tile: Option<Vec<i64>>,
    /// Workgroups of all kernels.
    workgroups: u64,
    kernels: usize,
    /// Multiplications and additions of all matrix instructions.
    matrix: f64,
    /// Bytes read and written, and sectors of reads and of writes, of each argument and result of a program that is one
    /// kernel; the last row is what goes through memory between kernels.
    traffic: Vec<[u64; 4]>,
}

/// How many parts of a size cover an extent.
fn parts(extent: i64, size: i64) -> i64 {
    (extent + size - 1) / size
}

fn shape(extents: &[i64], elem: &str) -> String {
    let extents: String = extents.iter().map(|extent| format!("{extent}x")).collect();
    format!("tensor<{extents}{elem}>")
}

impl Product {
    fn name(&self) -> String {
        let [batch, m, n, k] = self.extents;
        let batch = if batch == 1 { String::new() } else { format!("{batch}x") };
        let epilogue = if self.epilogue { " + epilogue" } else { "" };
        format!("{} {} {} {batch}{m}x{n}x{k}{epilogue}", self.chip, self.elem, self.order)
    }

    /// The type of sums.
    fn sum(&self) -> &'static str {
        if self.elem == "i8" { "i32" } else { "f32" }
    }

    /// The extents of both factors, without the batch.
    fn factors(&self) -> [[i64; 2]; 2] {
        let [_, m, n, k] = self.extents;
        let a = if self.order.starts_with('t') { [k, m] } else { [m, k] };
        let b = if self.order.ends_with('t') { [n, k] } else { [k, n] };
        [a, b]
    }

    fn bytes(&self) -> i64 {
        match self.elem {
            "f32" => 4,
            "f16" | "bf16" => 2,
            _ => 1,
        }
    }

    fn text(&self) -> String {
        let [batch, m, n, _] = self.extents;
        let (elem, sum) = (self.elem, self.sum());
        let batched = |extents: &[i64]| if batch == 1 { extents.to_vec() } else { [&[batch], extents].concat() };
        let [a, b] = self.factors().map(|extents| shape(&batched(&extents), elem));
        let c = shape(&batched(&[m, n]), sum);
        let p = if batch == 1 { "" } else { "p, " };
        let a_map = if self.order.starts_with('t') { "k, m" } else { "m, k" };
        let b_map = if self.order.ends_with('t') { "n, k" } else { "k, n" };
        let parallel = "\"parallel\", ".repeat(if batch == 1 { 2 } else { 3 });
        let (zero, extend, multiply, add) =
            if sum == "i32" { ("0", "extsi", "muli", "addi") } else { ("0.0", "extf", "mulf", "addf") };
        let out = shape(&batched(&[m, n]), "f16");
        let (arguments, result) = match self.epilogue {
            true => (format!(", %row: {}, %other: {out}", shape(&[n], "f32")), &out),
            false => (String::new(), &c),
        };
        let mut text = format!(
            "func.func @f(%A: {a}, %B: {b}{arguments}) -> {result} {{
  %zero = arith.constant {zero} : {sum}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {sum}) outs(%empty : {c}) -> {c}
  %C = linalg.generic {{
      indexing_maps = [affine_map<({p}m, n, k) -> ({p}{a_map})>, affine_map<({p}m, n, k) -> ({p}{b_map})>, affine_map<({p}m, n, k) -> ({p}m, n)>],
      iterator_types = [{parallel}\"reduction\"]}} ins(%A, %B : {a}, {b}) outs(%init : {c}) {{
  ^body(%a: {elem}, %b: {elem}, %c: {sum}):
    %x = arith.{extend} %a : {elem} to {sum}
    %y = arith.{extend} %b : {elem} to {sum}
    %p = arith.{multiply} %x, %y : {sum}
    %s = arith.{add} %c, %p : {sum}
    linalg.yield %s : {sum}
  }} -> {c}
"
        );
        if !self.epilogue {
            text.push_str(&format!("  return %C : {c}\n}}\n"));
            return text;
        }
        let all = format!("affine_map<({p}m, n) -> ({p}m, n)>");
        let _ = write!(
            text,
            "  %e = tensor.empty() : {out}
  %D = linalg.generic {{indexing_maps = [{all}, affine_map<({p}m, n) -> (n)>, {all}, {all}], iterator_types = [{}]}}
      ins(%C, %row, %other : {c}, {}, {out}) outs(%e : {out}) {{
  ^body(%c: f32, %r: f32, %o: f16, %e0: f16):
    %w = arith.extf %o : f16 to f32
    %s = arith.addf %c, %r : f32
    %t = arith.addf %s, %w : f32
    %max = arith.maximumf %t, %zero : f32
    %h = arith.truncf %max : f32 to f16
    linalg.yield %h : f16
  }} -> {out}
  return %D : {out}
}}
",
            parallel.trim_end_matches(", "),
            shape(&[n], "f32"),
        );
        text
    }

    /// The multiplications and additions of the least matrix instructions.
    fn least(&self) -> f64 {
        let [batch, m, n, k] = self.extents;
        let columns = if self.chip.starts_with("gfx") { 16 } else { 8 };
        let depth = if self.bytes() == 1 { 32 } else { 16 };
        let up = |n: i64, to: i64| (parts(n, to) * to) as f64;
        batch as f64 * up(m, 16) * up(n, columns) * up(k, depth)
    }

    /// Whether the rows of all factors begin at multiples of a sector.
    fn is_aligned(&self) -> bool {
        self.factors().iter().all(|extents| extents[1] * self.bytes() % SECTOR == 0)
    }

    /// The sectors of both factors that the tiles of all workgroups cover, each counted once for each workgroup.
    fn covered(&self, tile: &[i64]) -> f64 {
        let [batch, m, n, k] = self.extents;
        let at = tile.len() - 3;
        let [tm, tn] = [(0, m), (1, n)].map(|(d, extent)| match tile[at + d] {
            0 => extent,
            size => size.min(extent),
        });
        // Sectors of a factor with `across` in rows of `along`.
        let row = |begin: i64, end: i64| {
            let bytes = self.bytes();
            (parts(end * bytes, SECTOR) - begin * bytes / SECTOR) as f64
        };
        let strips = |extent: i64, step: i64| {
            (0..extent).step_by(step as usize).map(move |begin| [begin, (begin + step).min(extent)])
        };
        let factor = |transposed: bool, extent: i64, step: i64| -> f64 {
            let of = |[begin, end]: [i64; 2]| match transposed {
                true => k as f64 * row(begin, end),
                false => (end - begin) as f64 * row(0, k),
            };
            strips(extent, step).map(of).sum()
        };
        let a = factor(self.order.starts_with('t'), m, tm) * parts(n, tn) as f64;
        let b = factor(!self.order.ends_with('t'), n, tn) * parts(m, tm) as f64;
        batch as f64 * (a + b)
    }
}

impl Rows {
    fn name(&self) -> String {
        format!("{} {} {} {}x{}", self.chip, self.kind, self.elem, self.rows, self.length)
    }

    fn text(&self) -> String {
        let Rows { rows, length, elem, .. } = *self;
        let (t, f, v, w) = (
            shape(&[rows, length], elem),
            shape(&[rows, length], "f32"),
            shape(&[rows], "f32"),
            shape(&[length], "f32"),
        );
        let (full, row, column) =
            ("affine_map<(r, c) -> (r, c)>", "affine_map<(r, c) -> (r)>", "affine_map<(r, c) -> (c)>");
        let (widen, narrow) = match elem {
            "f32" => ("    %y = arith.addf %x, %z : f32".to_owned(), "    %h = arith.mulf %t, %one : f32".to_owned()),
            _ => {
                (format!("    %y = arith.extf %x : {elem} to f32"), format!("    %h = arith.truncf %t : f32 to {elem}"))
            }
        };
        let reduce = |name: &str, of: &str, types: &str, maps: &str, args: &str, body: &str| {
            format!(
                "  %{name} = linalg.generic {{indexing_maps = [{maps}{row}], iterator_types = [\"parallel\", \"reduction\"]}} ins({of} : {types}) outs(%vz : {v}) {{
  ^bb0(%x: {elem}, {args}%o: f32):
{widen}
{body}
    %s = arith.addf %o, %d : f32
    linalg.yield %s : f32
  }} -> {v}
"
            )
        };
        let last = |of: &str, types: &str, maps: &str, args: &str, body: &str| {
            format!(
                "  %e = tensor.empty() : {t}
  %q = linalg.generic {{indexing_maps = [{maps}{full}], iterator_types = [\"parallel\", \"parallel\"]}} ins({of} : {types}) outs(%e : {t}) {{
  ^bb0({args}%o: {elem}):
{body}
{narrow}
    linalg.yield %h : {elem}
  }} -> {t}
  return %q : {t}
}}
"
            )
        };
        let head = format!(
            "  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant {length}.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %ve = tensor.empty() : {v}
  %vz = linalg.fill ins(%z : f32) outs(%ve : {v}) -> {v}
"
        );
        match self.kind {
            "softmax" => {
                let wide = format!(
                    "  %we = tensor.empty() : {f}
  %w = linalg.generic {{indexing_maps = [{full}, {full}], iterator_types = [\"parallel\", \"parallel\"]}} ins(%a : {t}) outs(%we : {f}) {{
  ^bb0(%x: {elem}, %o: f32):
{widen}
    linalg.yield %y : f32
  }} -> {f}
  %se = tensor.empty() : {f}
  %s = linalg.softmax dimension(1) ins(%w : {f}) outs(%se : {f}) -> {f}
"
                );
                let last = last("%s", &f, &format!("{full}, "), "%t: f32, ", "");
                format!("func.func @f(%a: {t}) -> {t} {{\n{head}{wide}{last}")
            }
            "layer norm" => {
                let sum = reduce("sum", "%a", &t, &format!("{full}, "), "", "    %d = arith.mulf %y, %one : f32");
                let square = "    %mean = arith.divf %m, %n : f32\n    %c = arith.subf %y, %mean : f32\n    %d = arith.mulf %c, %c : f32";
                let var =
                    reduce("var", "%a, %sum", &format!("{t}, {v}"), &format!("{full}, {row}, "), "%m: f32, ", square);
                let body = format!(
                    "{widen}
    %mean = arith.divf %m, %n : f32
    %d = arith.subf %y, %mean : f32
    %v = arith.divf %w, %n : f32
    %vs = arith.addf %v, %eps : f32
    %r = math.rsqrt %vs : f32
    %p = arith.mulf %d, %r : f32
    %g0 = arith.mulf %p, %g : f32
    %t = arith.addf %g0, %b : f32"
                );
                let last = last(
                    "%a, %sum, %var, %gain, %bias",
                    &format!("{t}, {v}, {v}, {w}, {w}"),
                    &format!("{full}, {row}, {row}, {column}, {column}, "),
                    &format!("%x: {elem}, %m: f32, %w: f32, %g: f32, %b: f32, "),
                    &body,
                );
                format!("func.func @f(%a: {t}, %gain: {w}, %bias: {w}) -> {t} {{\n{head}{sum}{var}{last}")
            }
            _ => {
                let sum = reduce("sum", "%a", &t, &format!("{full}, "), "", "    %d = arith.mulf %y, %y : f32");
                let body = format!(
                    "{widen}
    %v = arith.divf %w, %n : f32
    %vs = arith.addf %v, %eps : f32
    %r = math.rsqrt %vs : f32
    %p = arith.mulf %y, %r : f32
    %t = arith.mulf %p, %g : f32"
                );
                let last = last(
                    "%a, %sum, %gain",
                    &format!("{t}, {v}, {w}"),
                    &format!("{full}, {row}, {column}, "),
                    &format!("%x: {elem}, %w: f32, %g: f32, "),
                    &body,
                );
                format!("func.func @f(%a: {t}, %gain: {w}) -> {t} {{\n{head}{sum}{last}")
            }
        }
    }
}

/// The tile of a workgroup: of the operation with the most loops.
fn tile(ir: &Ir, func: OpId) -> Option<Vec<i64>> {
    let tile = |op| ir.ints(ir.field(ir.attr_id(op, "lowering_config")?, "workgroup")?);
    ir.walk(func).into_iter().filter_map(tile).max_by_key(Vec::len)
}

/// Multiplications and additions of one matrix instruction of a subgroup.
fn work(ir: &Ir, op: OpId) -> f64 {
    let number = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(1) as f64;
    match ir.opcode(op) {
        Opcode::AmdgpuMfma => number("m") * number("n") * number("k") * number("blocks"),
        opcode => {
            let shape = ir.ints(ir.attr_id(op, "mmaShape").unwrap()).unwrap();
            // Four subgroups share the instructions that read from shared memory.
            let subgroups = if opcode == Opcode::NvgpuWgmma { 4.0 } else { 1.0 };
            shape.iter().map(|&extent| extent as f64).product::<f64>() / subgroups
        }
    }
}

/// Adds what a kernel did; `places` says which row each of its arguments belongs to.
fn add(counted: &mut Counted, ir: &Ir, kernel: OpId, cost: &Cost, places: &[usize]) {
    let args = ir.args(ir.body(kernel, 0).unwrap()).to_vec();
    for (op, tally) in &cost.ops {
        if tally.matrix_ops > 0 {
            counted.matrix += tally.matrix_ops as f64 * work(ir, *op);
        }
        if tally.global.requests > 0 {
            let arg = ir.operands(*op).iter().find_map(|value| args.iter().position(|arg| arg == value));
            let row = &mut counted.traffic[places[arg.expect("what reads and writes names a buffer")]];
            row[0] += tally.global.bytes_read;
            row[1] += tally.global.bytes_written;
            row[if tally.global.bytes_written > 0 { 3 } else { 2 }] += tally.global.transactions;
        }
    }
}

/// Compiles a program, and runs it.
fn count(text: &str, target: &str) -> Result<Counted, Diag> {
    let facts = Facts::new(chip(target).unwrap());
    let mut ir = pipeline::open(text, facts.chip).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = pipeline::function(&ir, None)?;
    pipeline::admit(&mut ir, func, &facts)?;
    let (inputs, results) = ir.signature(func);
    let elem = |ir: &Ir, ty: TypeId| Scalar::of(&ir[ir[ty].elem().unwrap()]).unwrap();
    let zeros = |ir: &Ir, ty: TypeId| Tensor::zeros(elem(ir, ty), ir[ty].shape().unwrap());
    let args: Vec<Tensor> = inputs
        .iter()
        .enumerate()
        .map(|(at, &ty)| random::normal(elem(&ir, ty), ir[ty].shape().unwrap(), 1, at as u64))
        .collect();
    let outputs: Vec<Tensor> = results.iter().map(|&ty| zeros(&ir, ty)).collect();
    let mut program = Program::of(ir, func, &facts)?;
    let kernels = program.kernels.clone();
    let mut configured = None;
    program.advance(&facts, Stage::Lowered, |pass, ir| {
        if pass.stage == Some(Stage::Configured) && kernels.len() == 1 {
            configured = tile(ir, kernels[0]);
        }
    })?;
    let n = args.len() + outputs.len();
    let counted = RefCell::new(Counted {
        tile: configured,
        workgroups: 0,
        kernels: kernels.len(),
        matrix: 0.0,
        traffic: vec![[0; 4]; n + 1],
    });
    let Program { ir, host, .. } = &program;
    let call = |kernel: OpId, args: &[Tensor], outputs: Vec<Tensor>, places: &[usize]| {
        let first = args.len();
        let all = [args, &outputs].concat();
        let launch = Launch::for_args(ir, kernel, &all)?;
        let options = Options {
            banks: Some(facts.chip.shared_banks),
            copies: AsyncMode::Eager,
            load_groups: facts.chip.load_groups,
            sanitize: false,
            threads: 2,
            ..Options::default()
        };
        let ran = raddle_emu::run(ir, kernel, &all, &launch, &options)?;
        let counted = &mut *counted.borrow_mut();
        counted.workgroups += launch.grid.iter().map(|&n| u64::from(n)).product::<u64>();
        add(counted, ir, kernel, &ran.cost.unwrap(), places);
        Ok::<_, Diag>(
            ran.buffers
                .into_iter()
                .skip(first)
                .zip(outputs)
                .map(|(buffer, like)| Tensor { shape: like.shape, ..buffer })
                .collect::<Vec<_>>(),
        )
    };
    match host {
        None => {
            call(kernels[0], &args, outputs, &(0..n).collect::<Vec<_>>())?;
        }
        Some(host) => {
            let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
            let mut call = |name: &str, given: &[Tensor], _: bool| {
                let at = find(name).unwrap();
                let results = host.ir.signature(host.kernels[at]).1;
                let outputs: Vec<Tensor> = results.iter().map(|&ty| zeros(&host.ir, ty)).collect();
                // Arguments are found again by their data, reshaped or not.
                let place = |tensor: &Tensor| args.iter().position(|arg| arg.bytes == tensor.bytes).unwrap_or(n);
                let places: Vec<usize> = given.iter().map(place).chain(outputs.iter().map(|_| n)).collect();
                call(kernels[at], given, outputs, &places)
            };
            raddle_run::host::run(&host.ir, host.func, &args, &|name: &str| find(name).is_some(), &mut call)?;
        }
    }
    Ok(counted.into_inner())
}

/// The products, and whether a test run has time for each.
fn products() -> Vec<(Product, bool)> {
    let mut cases = Vec::new();
    let one = |[m, n, k]: [i64; 3]| [1, m, n, k];
    let case = |extents, order, chip, elem| Product { extents, order, chip, elem, epilogue: false };
    // Below 512: even, odd, prime.
    let small = [
        [16, 16, 16],
        [17, 17, 17],
        [31, 33, 35],
        [48, 48, 48],
        [64, 64, 64],
        [65, 65, 65],
        [100, 100, 100],
        [127, 65, 33],
        [128, 128, 128],
        [129, 129, 129],
        [200, 300, 100],
        [255, 257, 259],
        [320, 320, 320],
        [333, 222, 111],
        [384, 384, 384],
        [401, 409, 419],
        [511, 511, 511],
    ];
    // Few rows, few columns, short and long k.
    let skinny = [
        [16, 1024, 512],
        [4, 1024, 1024],
        [1, 1024, 1024],
        [8, 2048, 512],
        [33, 1024, 512],
        [1024, 16, 64],
        [1024, 17, 65],
        [512, 512, 16],
        [512, 512, 24],
        [1000, 1000, 7],
        [64, 64, 2048],
        [13, 1031, 257],
    ];
    let large = [
        [512, 512, 512],
        [513, 513, 513],
        [521, 541, 523],
        [640, 768, 512],
        [1000, 1000, 1000],
        [1024, 1024, 1024],
        [1023, 1025, 1021],
    ];
    for chip in ["sm_80", "sm_90a", "gfx942"] {
        let plain = small.iter().map(|&extents| (extents, extents[0] < 80));
        let plain = plain.chain(skinny.iter().map(|&extents| (extents, extents[0] == 33)));
        let plain = plain.chain(large.iter().map(|&extents| (extents, extents[0] == 513 && chip == "sm_80")));
        cases.extend(plain.map(|(extents, quick)| (case(one(extents), "nn", chip, "f16"), quick)));
        for order in ["nt", "tn", "tt"] {
            let some = [
                [64, 64, 64],
                [65, 65, 65],
                [129, 129, 129],
                [200, 300, 100],
                [384, 384, 384],
                [512, 512, 512],
                [521, 541, 523],
            ];
            cases.extend(some.map(|extents| (case(one(extents), order, chip, "f16"), extents[0] == 65)));
        }
        let f8 = match chip {
            "gfx942" => Some((chip, "f8E4M3FNUZ")),
            "sm_80" => Some(("sm_89", "f8E4M3FN")),
            _ => None,
        };
        for (chip, elem) in [Some((chip, "bf16")), Some((chip, "i8")), f8].into_iter().flatten() {
            for order in ["nn", "nt"] {
                let some = [
                    [64, 64, 64],
                    [65, 65, 65],
                    [100, 100, 100],
                    [129, 129, 129],
                    [384, 384, 384],
                    [512, 512, 512],
                    [521, 541, 523],
                ];
                cases.extend(
                    some.map(|extents| (case(one(extents), order, chip, elem), extents[0] == 64 && order == "nt")),
                );
            }
        }
        let batches = [
            [8, 64, 64, 64],
            [16, 33, 65, 17],
            [12, 128, 128, 64],
            [3, 100, 100, 100],
            [2, 512, 512, 64],
            [2, 520, 520, 520],
        ];
        cases.extend(batches.map(|extents| (case(extents, "nn", chip, "f16"), extents[0] == 16)));
        let behind = [[64, 64, 64], [65, 72, 80], [256, 256, 128], [512, 512, 512], [521, 544, 523]];
        cases.extend(behind.map(|extents| {
            (Product { epilogue: true, ..case(one(extents), "nn", chip, "f16") }, extents[0] == 65 || extents[0] == 64)
        }));
    }
    cases
}

/// Operations on rows, and whether a test run has time for each.
fn rows() -> Vec<(Rows, bool)> {
    let mut cases = Vec::new();
    for chip in ["sm_80", "gfx942"] {
        for kind in ["softmax", "layer norm", "rms norm"] {
            for elem in ["f16", "f32"] {
                for (rows, length) in [
                    (64, 64),
                    (37, 100),
                    (32, 1000),
                    (16, 1024),
                    (7, 4095),
                    (8, 4096),
                    (512, 768),
                    (4, 8192),
                    (150, 1023),
                ] {
                    cases.push((Rows { kind, rows, length, chip, elem }, rows == 37 || rows == 32 && elem == "f16"));
                }
            }
        }
    }
    cases
}

/// Prints a row for each case, and gives those that miss an aim.
struct Table {
    missed: Vec<String>,
    /// The largest number of each column, and whose it is.
    worst: Vec<(&'static str, f64, String)>,
    quiet: bool,
}

impl Table {
    /// A number with its aim, as a cell.
    fn judge(&mut self, name: &str, column: &'static str, found: f64, aim: f64) -> String {
        match self.worst.iter_mut().find(|worst| worst.0 == column) {
            Some(worst) if found > worst.1 => (worst.1, worst.2) = (found, name.to_owned()),
            Some(_) => {}
            None => self.worst.push((column, found, name.to_owned())),
        }
        let beyond = found > aim + 1e-9;
        if beyond {
            self.missed.push(format!("{name}: {column}: {found:.3} of at most {aim}"));
        }
        format!("{found:.3}{}", if beyond { " !" } else { "" })
    }

    fn line(&self, cells: &[String]) {
        if !self.quiet {
            println!("| {} |", cells.join(" | "));
        }
    }
}

/// The bytes of a tensor.
fn bytes(extents: &[i64], elem: &str) -> u64 {
    let size = match elem {
        "f32" | "i32" => 4,
        "f16" | "bf16" => 2,
        _ => 1,
    };
    extents.iter().product::<i64>() as u64 * size
}

fn judge_product(table: &mut Table, case: &Product) {
    let name = case.name();
    let counted = count(&case.text(), case.chip).unwrap_or_else(|diag| panic!("{name}: {diag:#?}"));
    let [batch, m, n, k] = case.extents;
    let is_large = [m, n, k].iter().all(|&extent| extent >= LARGE);
    let column = if is_large { "matrix, from 512 up" } else { "matrix, below 512" };
    let matrix = match counted.matrix {
        0.0 => "none".to_owned(),
        found => table.judge(&name, column, found / case.least(), MATRIX_AIMS[usize::from(!is_large)]),
    };
    let tile = counted.tile.as_ref().filter(|tile| tile.len() >= 3 && counted.kernels == 1 && counted.matrix > 0.0);
    let sectors = match tile.filter(|_| case.is_aligned()) {
        Some(tile) => {
            let found = counted.traffic[..2].iter().map(|row| row[2]).sum::<u64>() as f64;
            table.judge(&name, "sectors", found / case.covered(tile), SECTORS_AIM)
        }
        None => "-".to_owned(),
    };
    // The result is written once, and what is added to it read once.
    let elem = if case.epilogue { "f16" } else { case.sum() };
    let size = bytes(&[batch, m, n], elem);
    let mut once = "-".to_owned();
    if counted.kernels == 1 {
        let last = counted.traffic.len() - 2;
        let mut found = counted.traffic[last][1] as f64 / size as f64;
        found = found.max(1.0 + counted.traffic[last][0] as f64 / size as f64);
        if case.epilogue {
            found = found.max(counted.traffic[3][0] as f64 / size as f64);
        }
        once = table.judge(&name, "bytes", found, 1.0);
    }
    let tile = counted.tile.map_or("-".to_owned(), |tile| format!("{tile:?}"));
    table.line(&[name, tile, counted.workgroups.to_string(), counted.kernels.to_string(), matrix, sectors, once]);
}

fn judge_rows(table: &mut Table, case: &Rows) {
    let name = case.name();
    let counted = count(&case.text(), case.chip).unwrap_or_else(|diag| panic!("{name}: {diag:#?}"));
    let size = bytes(&[case.rows, case.length], case.elem) as f64;
    let args = counted.traffic.len() - 2;
    let cells = match counted.kernels {
        1 => {
            let found = [counted.traffic[0][0] as f64 / size, counted.traffic[args][1] as f64 / size];
            // What all rows share is read for each row of a tile at most.
            let tile_rows = counted.tile.as_ref().and_then(|tile| tile.first()).map_or(1, |&rows| rows.max(1));
            let slots = counted.workgroups as i64 * tile_rows;
            let of_rows = bytes(&[slots, case.length], "f32") as f64;
            let shared = counted.traffic[1..args].iter().map(|row| row[0] as f64 / of_rows);
            let found = shared.chain(found).fold(1.0 + counted.traffic[args][0] as f64 / size, f64::max);
            table.judge(&name, "bytes", found, 1.0)
        }
        several => {
            table.missed.push(format!("{name}: {several} kernels"));
            "!".to_owned()
        }
    };
    let tile = counted.tile.map_or("-".to_owned(), |tile| format!("{tile:?}"));
    let dash = || "-".to_owned();
    table.line(&[name, tile, counted.workgroups.to_string(), counted.kernels.to_string(), dash(), dash(), cells]);
}

/// `RADDLE_COUNTS=all` counts every case; any other text, those whose names have it as a part.
#[test]
fn kernels_do_little_more_than_they_must() {
    let wanted = std::env::var("RADDLE_COUNTS").ok();
    let takes = |name: &str, quick: bool| match wanted.as_deref() {
        None => quick,
        Some("all") => true,
        Some(part) => name.contains(part),
    };
    let mut table = Table { missed: Vec::new(), worst: Vec::new(), quiet: wanted.is_none() };
    let head = ["", "tile", "workgroups", "kernels", "matrix instructions", "sectors", "bytes"];
    table.line(&head.map(str::to_owned));
    table.line(&head.map(|_| "---".to_owned()));
    for (case, _) in products().iter().filter(|(case, quick)| takes(&case.name(), *quick)) {
        judge_product(&mut table, case);
    }
    for (case, _) in rows().iter().filter(|(case, quick)| takes(&case.name(), *quick)) {
        judge_rows(&mut table, case);
    }
    if !table.quiet {
        println!();
        for (column, found, name) in &table.worst {
            println!("worst of {column}: {found:.3} ({name})");
        }
    }
    assert!(table.missed.is_empty(), "{} aims are missed:\n{}", table.missed.len(), table.missed.join("\n"));
}
