//! Random loops that copy through shared memory: asynchronous copies, padding, pipelines and prefetching leave what they
//! mean, and bring no race, no early use of a copy and no access outside.
//!
//! `RADDLE_LOOPS=20000 RADDLE_SEED=7` runs more of them; with `RADDLE_SHOW=1` it prints each.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use raddle_emu::{AsyncMode, Launch, Tensor};
use raddle_ir::{Float, Ir, Scalar};
use raddle_passes::{Facts, On, Options, PASSES};
use raddle_target::chip;

use crate::common::Random;

const THREADS: i64 = 64;
const F32: Scalar = Scalar::Float(Float::F32);
const SHARED: &str = "#gpu.address_space<workgroup>";

/// How a tile comes to shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Transfer,
    Masked,
    Load,
    Gather,
    Async,
}

/// What a loop is like.
#[derive(Debug)]
struct Shape {
    ways: Vec<Way>,
    /// Elements of one copy.
    elements: i64,
    lower: i64,
    step: i64,
    trips: i64,
    /// How many buffers take turns in the program already; 0 for one that is not a row of several.
    buffers: i64,
    by_subview: bool,
    barrier_first: bool,
    barrier_last: bool,
    delayed: bool,
    guarded_way: u8,
    outer: i64,
    uses_before: bool,
    uses_behind: bool,
    writes_out: u8,
    private: bool,
}

fn shape(random: &mut Random) -> Shape {
    let gathers = random.below(3) == 0;
    let elements = match random.pick(&[1, 2, 4, 4]) {
        // No gather moves 8 bytes.
        2 if gathers => 4,
        n => n,
    };
    let ways = [Way::Transfer, Way::Masked, Way::Load, Way::Transfer, Way::Async];
    let n = 1 + random.below(2);
    let explicit = random.below(4) == 0;
    let ways = (0..n)
        .map(|_| match (gathers, explicit) {
            (true, _) => Way::Gather,
            (false, true) => Way::Async,
            (false, false) => random.pick(&ways[..4]),
        })
        .collect();
    let buffers = random.pick(&[0, 0, 1, 2, 3, 4, 5]);
    Shape {
        ways,
        elements,
        lower: random.pick(&[0, 0, 4, 8]),
        step: random.pick(&[4, 4, 8]),
        trips: 1 + random.below(9) as i64,
        buffers,
        by_subview: random.below(3) == 0,
        barrier_first: buffers < 2 || random.below(2) == 0,
        barrier_last: random.below(6) == 0,
        delayed: random.below(3) == 0,
        guarded_way: if random.below(3) == 0 { 1 + random.below(2) as u8 } else { 0 },
        outer: random.pick(&[0, 0, 0, 2]),
        uses_before: random.below(5) == 0,
        uses_behind: random.below(4) == 0,
        writes_out: if random.below(4) == 0 { 1 + random.below(2) as u8 } else { 0 },
        private: random.below(5) == 0,
    }
}

/// The text of the loop.
fn program(shape: &Shape) -> String {
    let (v, step) = (shape.elements, shape.step);
    let length = shape.lower + step * shape.trips + 8;
    let upper = shape.lower + step * (shape.trips - 1) + 1 + (shape.trips % step).min(step - 1);
    let tile = |lead: &str| format!("memref<{lead}{THREADS}x{v}xf32, {SHARED}>");
    let lead = if shape.buffers > 0 { format!("{}x", shape.buffers) } else { String::new() };
    let global = format!("memref<{THREADS}x{length}xf32>");
    let vector = format!("vector<{v}xf32>");
    let mut head = String::new();
    let n = shape.ways.len();
    let args: Vec<String> = (0..n).map(|i| format!("%in{i}: {global}")).collect();
    writeln!(
        head,
        "func.func @f({}, %out: memref<{THREADS}x{v}xf32>, %trace: {global}) attributes {{translation_info = \
         #iree_codegen.translation_info<pipeline = VectorDistribute workgroup_size = [{THREADS}, 1, 1] \
         subgroup_size = 32>}} {{",
        args.join(", ")
    )
    .unwrap();
    for c in [0, 1, 2, 3, 16, 31, 32, 63, 64] {
        writeln!(head, "  %c{c} = arith.constant {c} : index").unwrap();
    }
    writeln!(head, "  %lb = arith.constant {} : index", shape.lower).unwrap();
    writeln!(head, "  %ub = arith.constant {upper} : index\n  %st = arith.constant {step} : index").unwrap();
    writeln!(head, "  %pad = arith.constant 0.0 : f32\n  %zero = arith.constant dense<0.0> : {vector}").unwrap();
    writeln!(head, "  %t = gpu.thread_id x").unwrap();
    writeln!(head, "  %sub = arith.divui %t, %c32 : index\n  %first = arith.muli %sub, %c32 : index").unwrap();
    writeln!(head, "  %other = arith.xori %t, %c63 : index").unwrap();
    writeln!(head, "  %low = arith.cmpi slt, %t, %c32 : index").unwrap();
    for i in 0..n {
        writeln!(head, "  %s{i} = memref.alloc() : {}", tile(&lead)).unwrap();
    }
    let whole = |i: usize, row: &str| match shape.buffers {
        0 => format!("%s{i}[{row}, %c0]"),
        _ => format!("%s{i}[%c0, {row}, %c0]"),
    };
    let mut before = String::new();
    if shape.uses_before {
        writeln!(before, "  vector.store %zero, {} : {}, {vector}", whole(0, "%t"), tile(&lead)).unwrap();
        writeln!(before, "  gpu.barrier").unwrap();
        writeln!(before, "  %seen = vector.load {} : {}, {vector}", whole(0, "%other"), tile(&lead)).unwrap();
        writeln!(before, "  vector.store %seen, %out[%t, %c0] : memref<{THREADS}x{v}xf32>, {vector}").unwrap();
        // The next round writes at once.
        if !shape.barrier_first || shape.outer > 0 {
            writeln!(before, "  gpu.barrier").unwrap();
        }
    }
    let mut body = String::new();
    if shape.barrier_first {
        writeln!(body, "  gpu.barrier memfence [{SHARED}]").unwrap();
    }
    let strides = format!("strided<[{v}, 1], offset: ?>");
    if shape.buffers > 0 {
        writeln!(
            body,
            "  %turn = affine.apply affine_map<(d0) -> (((d0 - {}) floordiv {step}) mod {})>(%k)",
            shape.lower, shape.buffers
        )
        .unwrap();
    }
    let target = match (shape.buffers, shape.by_subview) {
        (0, _) => tile(""),
        (_, false) => tile(&lead),
        (_, true) => {
            let ty = format!("memref<{THREADS}x{v}xf32, {strides}, {SHARED}>");
            for i in 0..n {
                writeln!(
                    body,
                    "  %b{i} = memref.subview %s{i}[%turn, 0, 0] [1, {THREADS}, {v}] [1, 1, 1] : {} to {ty}",
                    tile(&lead)
                )
                .unwrap();
            }
            ty
        }
    };
    let place = |i: usize, row: &str| match (shape.buffers, shape.by_subview) {
        (0, _) => format!("%s{i}[{row}, %c0]"),
        (_, false) => format!("%s{i}[%turn, {row}, %c0]"),
        (_, true) => format!("%b{i}[{row}, %c0]"),
    };
    writeln!(body, "  %near = arith.cmpi slt, %k, %st : index").unwrap();
    let mut tokens = Vec::new();
    for (i, way) in shape.ways.iter().enumerate() {
        let to = place(i, "%t");
        match way {
            Way::Transfer | Way::Masked => {
                let mask = if *way == Way::Masked {
                    writeln!(body, "  %n{i} = arith.subi %other, %k : index").unwrap();
                    writeln!(body, "  %m{i} = vector.create_mask %n{i} : vector<{v}xi1>").unwrap();
                    format!(", %m{i}")
                } else {
                    String::new()
                };
                writeln!(
                    body,
                    "  %v{i} = vector.transfer_read %in{i}[%t, %k], %pad{mask} {{in_bounds = [true]}} : {global}, {vector}"
                )
                .unwrap();
                writeln!(body, "  vector.transfer_write %v{i}, {to} {{in_bounds = [true]}} : {vector}, {target}")
                    .unwrap();
            }
            Way::Load => {
                writeln!(body, "  %v{i} = vector.load %in{i}[%t, %k] : {global}, {vector}").unwrap();
                writeln!(body, "  vector.store %v{i}, {to} : {target}, {vector}").unwrap();
            }
            Way::Gather => {
                let to = place(i, "%first");
                let gather = format!("  amdgpu.gather_to_lds %in{i}[%t, %k], {to} : {vector}, {global}, {target}");
                match shape.guarded_way {
                    // Each subgroup gathers anyway: the condition differs between subgroups, or between rounds.
                    1 => writeln!(body, "  scf.if %low {{\n{gather}\n  }} else {{\n{gather}\n  }}").unwrap(),
                    2 => writeln!(body, "  scf.if %near {{\n{gather}\n  }} else {{\n{gather}\n  }}").unwrap(),
                    _ => writeln!(body, "{gather}").unwrap(),
                }
            }
            Way::Async => {
                writeln!(body, "  %k{i} = nvgpu.device_async_copy %in{i}[%t, %k], {to}, {v} : {global} to {target}")
                    .unwrap();
                tokens.push(format!("%k{i}"));
            }
        }
    }
    if !tokens.is_empty() {
        writeln!(body, "  %g = nvgpu.device_async_create_group {}", tokens.join(", ")).unwrap();
        writeln!(body, "  nvgpu.device_async_wait %g").unwrap();
    }
    writeln!(body, "  gpu.barrier memfence [{SHARED}]").unwrap();
    let mut sum = "%acc".to_owned();
    for i in 0..n {
        let from = place(i, if i == 0 { "%other" } else { "%t" });
        writeln!(body, "  %x{i} = vector.load {from} : {target}, {vector}").unwrap();
        writeln!(body, "  %y{i} = arith.subf %x{i}, {sum} : {vector}").unwrap();
        sum = format!("%y{i}");
    }
    writeln!(body, "  %ki = arith.index_cast %k : index to i32\n  %kf = arith.sitofp %ki : i32 to f32").unwrap();
    writeln!(body, "  %ks = vector.broadcast %kf : f32 to {vector}").unwrap();
    writeln!(body, "  %z0 = arith.addf {sum}, %ks : {vector}").unwrap();
    let mut last = "%z0".to_owned();
    if shape.delayed {
        writeln!(body, "  %z1 = arith.addf {last}, %old : {vector}").unwrap();
        last = "%z1".to_owned();
    }
    if shape.private {
        writeln!(body, "  %own = memref.alloca() : memref<{v}xf32, #gpu.address_space<private>>").unwrap();
        let ty = format!("memref<{v}xf32, #gpu.address_space<private>>, {vector}");
        writeln!(body, "  vector.store {last}, %own[%c0] : {ty}\n  %z2 = vector.load %own[%c0] : {ty}").unwrap();
        last = "%z2".to_owned();
    }
    match shape.writes_out {
        1 => writeln!(body, "  vector.store {last}, %trace[%t, %k] : {global}, {vector}").unwrap(),
        // What the next round reads is what this one writes.
        2 => {
            writeln!(body, "  %after = arith.addi %k, %st : index").unwrap();
            writeln!(body, "  vector.store {last}, %in0[%t, %after] : {global}, {vector}").unwrap();
        }
        _ => {}
    }
    if shape.barrier_last {
        writeln!(body, "  gpu.barrier memfence [{SHARED}]").unwrap();
    }
    let (carried, types, yields, results) = if shape.delayed {
        ("%acc = %zero, %old = %zero", format!("{vector}, {vector}"), format!("{last}, %x0 : {vector}, {vector}"), ":2")
    } else {
        ("%acc = %zero", vector.clone(), format!("{last} : {vector}"), "")
    };
    let result = if shape.delayed { "%r#0" } else { "%r" };
    let mut text = head;
    if shape.outer > 0 {
        writeln!(text, "  scf.for %o = %c0 to %c{} step %c1 {{", shape.outer).unwrap();
    }
    text += &before;
    writeln!(text, "  %r{results} = scf.for %k = %lb to %ub step %st iter_args({carried}) -> ({types}) {{").unwrap();
    text += &body;
    writeln!(text, "  scf.yield {yields}\n  }}").unwrap();
    writeln!(text, "  vector.store {result}, %out[%t, %c0] : memref<{THREADS}x{v}xf32>, {vector}").unwrap();
    if shape.uses_behind {
        writeln!(text, "  gpu.barrier").unwrap();
        writeln!(text, "  vector.store {result}, {} : {}, {vector}", whole(0, "%t"), tile(&lead)).unwrap();
        writeln!(text, "  gpu.barrier").unwrap();
        writeln!(text, "  %last = vector.load {} : {}, {vector}", whole(0, "%other"), tile(&lead)).unwrap();
        writeln!(text, "  vector.store %last, %out[%t, %c0] : memref<{THREADS}x{v}xf32>, {vector}").unwrap();
    }
    if shape.outer > 0 {
        // A round of the outer loop may write at once what this one reads.
        text += if shape.barrier_first && !shape.uses_before { "  }\n" } else { "  gpu.barrier\n  }\n" };
    }
    text += "  return\n}\n";
    text
}

/// The buffers that a run leaves, or what it finds.
fn run(ir: &Ir, args: &[Tensor], copies: AsyncMode, seed: u64) -> Result<Vec<Vec<u8>>, String> {
    let func = ir.funcs()[0];
    let launch = Launch::of(ir, func).map_err(|diag| diag.to_string())?;
    let options = raddle_emu::Options { copies, seed, ..raddle_emu::Options::default() };
    let outcome = raddle_emu::run(ir, func, args, &launch, &options);
    outcome.map(|outcome| outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect()).map_err(|diag| {
        let at = diag.span.map_or("", |_| &diag.label);
        format!("{diag}: {at} {:?} {:?}", diag.notes, diag.related)
    })
}

fn arguments(ir: &Ir, seed: u64) -> Vec<Tensor> {
    let mut random = Random(seed ^ 0x5eed);
    ir.args(ir.entry(ir.funcs()[0])).iter().map(|&arg| random.tensor(F32, ir.shape_of(arg))).collect()
}

/// The program behind passes, each with its options; also whether each changed anything.
fn transformed(text: &str, passes: &[(&str, String)]) -> (Ir, Vec<bool>) {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let facts = Facts::new(chip("sm_80").unwrap());
    let mut changed = Vec::new();
    for (name, options) in passes {
        let pass = PASSES.iter().find(|pass| pass.name == *name).unwrap();
        let options = Options::read(pass.options, name, options).unwrap();
        let before = printed(&ir);
        let at = if pass.on == On::Module { ir.module() } else { ir.funcs()[0] };
        pass.apply(&mut ir, at, &facts, &options).unwrap();
        assert_eq!(raddle_ir::verify(&ir), [], "{name}\n{}", printed(&ir));
        changed.push(printed(&ir) != before);
    }
    (ir, changed)
}

fn printed(ir: &Ir) -> String {
    raddle_ir::print(ir, &raddle_ir::PrintOptions::default())
}

/// A script that makes copies asynchronous.
fn with_script(text: &str) -> String {
    format!(
        "{text}module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    %f = transform.structured.match ops{{[\"func.func\"]}} in %root : (!transform.any_op) -> !transform.any_op
    transform.iree.create_async_groups %f {{use_mma_sync}} : (!transform.any_op) -> ()
    transform.yield
  }}
}}\n"
    )
}

/// Passes that are to leave a program's meaning.
fn passes(random: &mut Random, gathers: bool) -> Vec<(&'static str, String)> {
    let mut list = Vec::new();
    let pad = ("pad-shared-rows", format!("padding-bits={}", random.pick(&[128, 128, 256])));
    if random.below(4) == 0 {
        list.push(pad.clone());
    }
    match (gathers, random.below(3)) {
        (true, _) | (false, 0) => {
            list.push(("prefetch", format!("num-stages={}", 2 + random.below(2))));
        }
        (false, kind) => {
            if kind == 1 {
                list.push(("run-script", String::new()));
                list.push(("drop-script", String::new()));
            }
            let depth = 1 + random.below(4);
            let options = format!(
                "pipeline-depth={depth} schedule-index={} epilogue-peeling={}",
                random.below(2),
                random.pick(&["true", "false"])
            );
            list.push(("pipeline-copies", options));
        }
    }
    if random.below(4) == 0 {
        list.push(pad);
    }
    if random.below(3) == 0 {
        list.push(("canonicalize", String::new()));
        list.push(("cse", String::new()));
    }
    list
}

#[test]
fn loops_mean_the_same() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_LOOPS", 300), number("RADDLE_SEED", 0));
    let mut changes: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in first..first + n {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.below(7);
        let shape = shape(&mut random);
        let gathers = shape.ways.contains(&Way::Gather);
        let passes = passes(&mut random, gathers);
        let scripted = passes.iter().any(|pass| pass.0 == "run-script");
        let text = program(&shape);
        if std::env::var_os("RADDLE_SHOW").is_some() {
            println!("// seed {seed}: {shape:?} {passes:?}\n{text}");
        }
        let plain = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("seed {seed}: {diags:?}\n{text}"));
        let args = arguments(&plain, seed);
        let expected = run(&plain, &args, AsyncMode::Lazy, 0);
        let expected = expected.unwrap_or_else(|why| panic!("seed {seed}, the program itself: {why}\n{text}"));
        let (ir, changed) = transformed(&if scripted { with_script(&text) } else { text.clone() }, &passes);
        for (pass, _) in passes.iter().zip(changed).filter(|entry| entry.1) {
            *changes.entry(pass.0).or_default() += 1;
        }
        let ir = raddle_ir::parse(&printed(&ir)).unwrap();
        for (copies, order) in [(AsyncMode::Lazy, 0), (AsyncMode::Eager, 0), (AsyncMode::Lazy, 1 + seed)] {
            let found = run(&ir, &args, copies, order);
            let why = match found {
                Ok(found) if found == expected => continue,
                Ok(_) => "another result".to_owned(),
                Err(why) => why,
            };
            panic!("seed {seed}, {passes:?}: {why}\n{shape:?}\n{text}\nbecame\n{}", printed(&ir));
        }
    }
    println!("{n} loops mean the same; changed by {changes:?}");
    for pass in ["run-script", "pipeline-copies", "prefetch", "pad-shared-rows"] {
        assert!(changes.get(pass).copied().unwrap_or(0) * 40 > n, "{pass} changed few programs: {changes:?}");
    }
}
