//! Shared memory: what passes and steps make of copies, rows, buffers and loops, what they leave alone, and that the
//! emulator notices where a pipeline waits too little.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_emu::{AsyncMode, Launch, Tensor};
use raddle_ir::{Diag, Float, Ir, Scalar};
use raddle_passes::{Facts, On, Options, PASSES};
use raddle_target::chip;

use crate::common::Random;

const F32: Scalar = Scalar::Float(Float::F32);

fn try_pass(text: &str, name: &str, options: &str) -> Result<String, Diag> {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let facts = Facts::new(chip("sm_80").unwrap());
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    let options = Options::read(pass.options, name, options).unwrap();
    let at = if pass.on == On::Module { ir.module() } else { ir.funcs()[0] };
    pass.apply(&mut ir, at, &facts, &options)?;
    assert_eq!(raddle_ir::verify(&ir), []);
    Ok(raddle_ir::print(&ir, &raddle_ir::PrintOptions::default()))
}

#[track_caller]
fn pass(text: &str, name: &str, options: &str) -> String {
    try_pass(text, name, options).unwrap_or_else(|diag| panic!("{diag} {:?}\n{text}", diag.notes))
}

/// The program as it is printed.
fn plain(text: &str) -> String {
    raddle_ir::print(&raddle_ir::parse(text).unwrap(), &raddle_ir::PrintOptions::default())
}

#[track_caller]
fn stays(text: &str, name: &str, options: &str) {
    assert_eq!(pass(text, name, options), plain(text), "{name} should leave this alone");
}

/// A script behind a program.
fn scripted(text: &str, step: &str) -> String {
    format!(
        "{text}
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.consumed}}) {{
    {step}
    transform.yield
  }}
}}"
    )
}

fn asynchronous(body: &str) -> String {
    let text = format!(
        "func.func @f(%in: memref<64x64xf32>, %half: memref<64x64xf16>, %n: index, %m: index) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
  %h = memref.alloc() : memref<64x64xf16, #gpu.address_space<workgroup>>
{body}
  return
}}"
    );
    let find = r#"%f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.iree.create_async_groups %f : (!transform.any_op) -> ()"#;
    pass(&scripted(&text, find), "run-script", "")
}

const READ: &str = "vector.transfer_read %in[%m, %n], %zero {in_bounds = [true]} : memref<64x64xf32>, vector<4xf32>";
const WRITE: &str = "{in_bounds = [true]} : vector<4xf32>, memref<64x64xf32, #gpu.address_space<workgroup>>";

/// Copies that may pass one another are one group; those that may meet are waited for one by one.
#[test]
fn copies_are_grouped_where_their_order_is_no_matter() {
    let pair = |second: &str| {
        asynchronous(&format!(
            "  %n4 = affine.apply affine_map<(d0) -> (d0 + 4)>(%n)
  %v = {READ}
  vector.transfer_write %v, %s[%m, %n] {WRITE}
  %w = {READ}
  vector.transfer_write %w, %s[{second}] {WRITE}"
        ))
    };
    for (second, groups) in [("%m, %n4", 1), ("%n, %n4", 1), ("%m, %n", 2), ("%n, %m", 2)] {
        let text = pair(second);
        assert_eq!(text.matches("nvgpu.device_async_copy").count(), 2, "{text}");
        assert_eq!(text.matches("nvgpu.device_async_create_group").count(), groups, "{second}: {text}");
        assert_eq!(text.matches("nvgpu.device_async_wait").count(), groups, "{second}: {text}");
    }
}

/// Only zeros come where nothing is copied, in rows without gaps, of a size that a copy has, of memory that stays as read.
#[test]
fn what_a_copy_cannot_do_stays() {
    let masked = |padding: &str, mask: &str| {
        format!(
            "  {mask}
  %v = vector.transfer_read %in[%m, %n], {padding}, %k {{in_bounds = [true]}} : memref<64x64xf32>, vector<4xf32>
  vector.transfer_write %v, %s[%m, %n] {WRITE}"
        )
    };
    let one = "%k = vector.create_mask %n : vector<4xi1>";
    let row = "%all = vector.create_mask %m, %n : vector<8x4xi1>\n  %k = vector.extract %all[5] : vector<4xi1> from vector<8x4xi1>";
    let constant = "%k = vector.constant_mask [3] : vector<4xi1>";
    let other = "%k = arith.constant dense<[true, false, true, true]> : vector<4xi1>";
    for (body, copies) in [
        (masked("%zero", one), 1),
        (masked("%zero", row), 1),
        (masked("%zero", constant), 1),
        (masked("%negative", one), 0),
        (masked("%zero", other), 0),
        (
            format!(
                "  %v = {READ}\n  memref.store %zero, %in[%n, %m] : memref<64x64xf32>\n  vector.transfer_write %v, %s[%m, %n] {WRITE}"
            ),
            0,
        ),
        (format!("  %v = {}\n  vector.transfer_write %v, %s[%m, %n] {WRITE}", READ.replace("[true]", "[false]")), 0),
        (
            "  %v = vector.load %half[%m, %n] : memref<64x64xf16>, vector<1xf16>
  vector.store %v, %h[%m, %n] : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<1xf16>"
                .to_owned(),
            0,
        ),
        (
            "  %v = vector.load %half[%m, %n] : memref<64x64xf16>, vector<2xf16>
  vector.store %v, %h[%m, %n] : memref<64x64xf16, #gpu.address_space<workgroup>>, vector<2xf16>"
                .to_owned(),
            1,
        ),
    ] {
        let text = asynchronous(&body);
        assert_eq!(text.matches("nvgpu.device_async_copy").count(), copies, "{body}\n{text}");
    }
}

/// A step that is given what is not a function says so.
#[test]
fn steps_work_on_what_they_are_for() {
    let text = scripted(
        "func.func @f() { return }",
        r#"%r = transform.structured.match ops{["func.return"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.iree.create_async_groups %r : (!transform.any_op) -> ()"#,
    );
    let diag = try_pass(&text, "run-script", "").unwrap_err();
    assert_eq!(diag.message, "transform applied to the wrong op kind");
}

/// Rows get longer, and views follow; what needs rows side by side keeps the buffer as it is.
#[test]
fn rows_are_padded_where_views_can_follow() {
    let text = |body: &str| {
        format!(
            "func.func @f(%v: vector<4xf32>) {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x4x16xf32, #gpu.address_space<workgroup>>
{body}
  return
}}"
        )
    };
    let whole = "memref<8x4x16xf32, #gpu.address_space<workgroup>>";
    let outer = format!(
        "  %b = memref.collapse_shape %a [[0, 1], [2]] : {whole} into memref<32x16xf32, #gpu.address_space<workgroup>>
  vector.store %v, %b[%c0, %c0] : memref<32x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>"
    );
    let padded = pass(&text(&outer), "pad-shared-rows", "padding-bits=64");
    assert!(padded.contains("memref<8x4x18xf32, #gpu"), "{padded}");
    assert!(padded.contains("into memref<32x16xf32, strided<[18, 1]>"), "{padded}");
    for body in [
        format!(
            "  %b = memref.collapse_shape %a [[0], [1, 2]] : {whole} into memref<8x64xf32, #gpu.address_space<workgroup>>"
        ),
        format!(
            "  %b = memref.reinterpret_cast %a to offset: [0], sizes: [512], strides: [1] : {whole} to memref<512xf32, #gpu.address_space<workgroup>>"
        ),
        format!("  func.call @g(%a) : ({whole}) -> ()\n"),
    ] {
        let mut text = text(&body);
        text += "\nfunc.func private @g(memref<8x4x16xf32, #gpu.address_space<workgroup>>)";
        stays(&text, "pad-shared-rows", "padding-bits=64");
    }
    let diag = try_pass(&text(""), "pad-shared-rows", "padding-bits=-1").unwrap_err();
    assert_eq!(diag.code.number(), "E0901");
}

const KERNEL: &str = "attributes {translation_info = #iree_codegen.translation_info<pipeline = VectorDistribute workgroup_size = [64, 1, 1] subgroup_size = 32>}";

/// A loop of ten rounds with so many buffers; `behind` stands behind it.
fn asynchronous_loop(buffers: i64, behind: &str) -> String {
    let tile = format!("memref<{buffers}x64x4xf32, #gpu.address_space<workgroup>>");
    format!(
        "func.func @f(%in: memref<64x40xf32>, %out: memref<64x4xf32>) {KERNEL} {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c40 = arith.constant 40 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %t = gpu.thread_id x
  %other = arith.xori %t, %c63 : index
  %s = memref.alloc() : {tile}
  %r = scf.for %k = %c0 to %c40 step %c4 iter_args(%acc = %zero) -> (vector<4xf32>) {{
    gpu.barrier
    %turn = affine.apply affine_map<(d0) -> ((d0 floordiv 4) mod {buffers})>(%k)
    %copy = nvgpu.device_async_copy %in[%t, %k], %s[%turn, %t, %c0], 4 : memref<64x40xf32> to {tile}
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group
    gpu.barrier
    %x = vector.load %s[%turn, %other, %c0] : {tile}, vector<4xf32>
    %y = arith.subf %x, %acc : vector<4xf32>
    scf.yield %y : vector<4xf32>
  }}
  vector.store %r, %out[%t, %c0] : memref<64x4xf32>, vector<4xf32>
{behind}
  return
}}"
    )
}

/// What runs leave, in both ways in which copies may come; or what is wrong.
fn run(text: &str) -> Result<Vec<u8>, String> {
    let ir: Ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let launch = Launch::of(&ir, func).unwrap();
    let mut random = Random(99);
    let args: Vec<Tensor> = ir.args(ir.entry(func)).iter().map(|&arg| random.tensor(F32, ir.shape_of(arg))).collect();
    let mut found = Vec::new();
    for copies in [AsyncMode::Lazy, AsyncMode::Eager] {
        let options = raddle_emu::Options { copies, ..raddle_emu::Options::default() };
        let outcome = raddle_emu::run(&ir, func, &args, &launch, &options).map_err(|diag| diag.to_string())?;
        found = outcome.buffers.into_iter().flat_map(|buffer| buffer.bytes).collect();
    }
    Ok(found)
}

/// Copies run ahead if there are buffers for that, and stay where there are not.
#[test]
fn loops_are_pipelined_as_deep_as_there_are_buffers() {
    for peels in [false, true] {
        for (buffers, depth) in [(1, 1), (2, 2), (3, 2), (3, 3), (4, 3), (5, 5)] {
            let text = asynchronous_loop(buffers, "");
            let options = format!("pipeline-depth={depth} epilogue-peeling={peels}");
            let new = pass(&text, "pipeline-copies", &options);
            assert!(new.contains(&format!("numGroups = {}", depth - 1)), "{buffers} {depth} {new}");
            assert_eq!(run(&new), run(&text), "{new}");
        }
        for (buffers, depth) in [(1, 2), (2, 3), (3, 4), (11, 10)] {
            let options = format!("pipeline-depth={depth} epilogue-peeling={peels}");
            stays(&asynchronous_loop(buffers, ""), "pipeline-copies", &options);
        }
    }
}

/// Loops of more rounds than anyone can count are looked at in no time, and nothing overflows.
#[test]
fn endless_loops_are_looked_at() {
    for end in ["4611686018427387904", "9223372036854775807", "-9223372036854775808", "0"] {
        let text = asynchronous_loop(3, "").replace("constant 40 : index", &format!("constant {end} : index"));
        stays(&text, "pipeline-copies", "pipeline-depth=3");
    }
}

/// What still runs when the loop is over is waited for, if others use the buffer.
#[test]
fn buffers_are_free_behind_the_loop() {
    let tile = "memref<3x64x4xf32, #gpu.address_space<workgroup>>";
    let behind = format!(
        "  gpu.barrier
  vector.store %r, %s[%c0, %t, %c0] : {tile}, vector<4xf32>
  gpu.barrier
  %last = vector.load %s[%c0, %other, %c0] : {tile}, vector<4xf32>
  vector.store %last, %out[%t, %c0] : memref<64x4xf32>, vector<4xf32>"
    );
    let text = asynchronous_loop(3, &behind);
    let new = pass(&text, "pipeline-copies", "pipeline-depth=3 epilogue-peeling=false");
    assert_eq!(run(&new), run(&text), "{new}");
    let drain = new.lines().enumerate().filter(|entry| entry.1.contains("device_async_wait")).last().unwrap().0;
    let without: Vec<&str> = new.lines().enumerate().filter(|entry| entry.0 != drain).map(|entry| entry.1).collect();
    assert!(run(&without.join("\n")).unwrap_err().contains("async"), "{new}");
}

/// Each fault in a pipeline is found by the emulator: a wait that leaves one group more, a buffer fewer, a barrier that is
/// not there.
#[test]
fn faults_in_pipelines_are_found() {
    let text = asynchronous_loop(3, "");
    let good = pass(&text, "pipeline-copies", "pipeline-depth=3 epilogue-peeling=false");
    let expected = run(&text);
    assert_eq!(run(&good), expected);
    let faults = [
        ("numGroups = 2", "numGroups = 3"),
        ("mod 3", "mod 2"),
        ("nvgpu.device_async_wait", "// "),
        ("gpu.barrier\n      %", "%"),
    ];
    for (from, to) in faults {
        let bad = good.replace(from, to);
        assert_ne!(bad, good, "{from} in\n{good}");
        assert_ne!(run(&bad), expected, "`{from}` -> `{to}` is not noticed in\n{good}");
    }
    let gathers = gathering_loop("%c0");
    let expected = run(&gathers);
    for stages in [2, 3] {
        let good = pass(&gathers, "prefetch", &format!("num-stages={stages}"));
        assert_eq!(run(&good), expected, "{good}");
        let left = format!("wait.asyncmark {}", stages - 1);
        let turn = format!("mod {stages}");
        let mut faults = vec![
            (left.clone(), format!("wait.asyncmark {stages}")),
            ("wait.asyncmark 0".to_owned(), "wait.asyncmark 1".to_owned()),
            (turn, format!("mod {}", stages - 1)),
        ];
        // Every barrier counts.
        let barriers = good.matches("gpu.barrier").count();
        faults.extend((0..barriers).map(|i| (format!("barrier {i}"), String::new())));
        for (from, to) in faults {
            let bad = match from.strip_prefix("barrier ") {
                Some(i) => {
                    let (at, _) = good.match_indices("gpu.barrier").nth(i.parse().unwrap()).unwrap();
                    let end = at + good[at..].find('\n').unwrap();
                    format!("{}{}", &good[..at], &good[end..])
                }
                None => good.replace(&from, &to),
            };
            assert_ne!(bad, good, "{from} in\n{good}");
            assert_ne!(run(&bad), expected, "`{from}` -> `{to}` is not noticed in\n{good}");
        }
    }
}

/// A loop of ten rounds with a gather into row `row` of a buffer of two rows of tiles.
fn gathering_loop(row: &str) -> String {
    let tile = "memref<2x64x4xf32, #gpu.address_space<workgroup>>";
    format!(
        "func.func @f(%in: memref<64x40xf32>, %out: memref<64x4xf32>) {KERNEL} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %t = gpu.thread_id x
  %other = arith.xori %t, %c63 : index
  %sub = arith.divui %t, %c32 : index
  %first = arith.muli %sub, %c32 : index
  %s = memref.alloc() : {tile}
  %r = scf.for %k = %c0 to %c40 step %c4 iter_args(%acc = %zero) -> (vector<4xf32>) {{
    %round = affine.apply affine_map<(d0) -> ((d0 floordiv 4) mod 2)>(%k)
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    amdgpu.gather_to_lds %in[%t, %k], %s[{row}, %first, %c0] : vector<4xf32>, memref<64x40xf32>, {tile}
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    %x = vector.load %s[{row}, %other, %c0] : {tile}, vector<4xf32>
    %y = arith.subf %x, %acc : vector<4xf32>
    scf.yield %y : vector<4xf32>
  }}
  vector.store %r, %out[%t, %c0] : memref<64x4xf32>, vector<4xf32>
  return
}}"
    )
}

/// Several buffers take the place of one only if each round fills it anew: a round that gathers elsewhere, or not at all,
/// reads what an earlier one has left.
#[test]
fn rounds_that_read_what_others_left_stay() {
    stays(&gathering_loop("%round"), "prefetch", "");
    let sometimes = gathering_loop("%c0").replace(
        "    amdgpu.gather_to_lds",
        "    %early = arith.cmpi slt, %k, %c32 : index\n    scf.if %early {\n    amdgpu.gather_to_lds",
    );
    let sometimes = sometimes.replace("workgroup>>\n    gpu.barrier", "workgroup>>\n    }\n    gpu.barrier");
    assert!(run(&sometimes).is_ok());
    stays(&sometimes, "prefetch", "");
    // The same for every round is fine.
    let always = sometimes.replace("cmpi slt, %k, %c32", "cmpi slt, %t, %c63");
    assert_ne!(pass(&always, "prefetch", ""), plain(&always));
}

/// Buffers of bytes that threads write and read in turn, in a random order.
fn buffers_in_turn(random: &mut Random) -> String {
    let n = 2 + random.below(4);
    let mut text = format!(
        "func.func @f(%in: memref<64xi8>, %out: memref<64xi8>) {KERNEL} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c63 = arith.constant 63 : index
  %yes = arith.constant true
  %t = gpu.thread_id x
  %other = arith.xori %t, %c63 : index
  %v0 = memref.load %in[%t] : memref<64xi8>\n"
    );
    let ty = |i: usize| format!("memref<{}xi8, #gpu.address_space<workgroup>>", 64 + 16 * i);
    for i in 0..n {
        text += &format!("  %a{i} = memref.alloc() : {}\n", ty(i));
        // Names for the same memory.
        text += &match random.below(4) {
            0 => format!("  %b{i} = memref.subview %a{i}[0] [64] [1] : {} to {}\n", ty(i), ty(0)),
            1 => format!(
                "  %c_{i} = memref.subview %a{i}[0] [64] [1] : {} to {}\n  %b{i} = scf.if %yes -> ({}) {{\n scf.yield %c_{i} : {}\n }} else {{\n scf.yield %c_{i} : {} }}\n",
                ty(i),
                ty(0),
                ty(0),
                ty(0),
                ty(0)
            ),
            2 => format!(
                "  %c_{i} = memref.subview %a{i}[0] [64] [1] : {} to {}\n  %b{i} = arith.select %yes, %c_{i}, %c_{i} : {}\n",
                ty(i),
                ty(0),
                ty(0)
            ),
            _ => format!(
                "  %b{i} = memref.subview %a{i}[{}] [64] [1] : {} to memref<64xi8, strided<[1], offset: {}>, #gpu.address_space<workgroup>>\n",
                16 * i,
                ty(i),
                16 * i
            ),
        };
    }
    let view = |text: &str, i: usize| {
        let line = text.lines().find(|line| line.contains(&format!("%b{i} ="))).unwrap();
        if line.contains("strided") {
            format!("memref<64xi8, strided<[1], offset: {}>, #gpu.address_space<workgroup>>", 16 * i)
        } else {
            ty(0)
        }
    };
    let (mut value, mut written) = (0, Vec::new());
    for step in 1..=3 + random.below(8) {
        let i = random.below(n);
        let b = view(&text, i);
        let looped = random.below(3) == 0;
        if looped {
            text += "  scf.for %k = %c0 to %c3 step %c1 {\n";
        }
        // What nobody has touched yet needs no barrier.
        if written.contains(&i) {
            text += "  gpu.barrier\n";
        }
        let j = random.below(n);
        if looped && i != j && random.below(2) == 0 {
            // Both are needed at once.
            let other = view(&text, j);
            text += &format!(
                "  gpu.barrier
  memref.store %v{value}, %b{i}[%t] : {b}
  memref.store %v0, %b{j}[%t] : {other}
  gpu.barrier
  %x{step} = memref.load %b{i}[%other] : {b}
  gpu.barrier
  memref.store %x{step}, %b{j}[%t] : {other}
"
            );
            written.extend([i, j]);
        } else if written.contains(&i) && random.below(2) == 0 && !looped {
            text += &format!(
                "  %x{step} = memref.load %b{i}[%other] : {b}\n  %v{step} = arith.addi %v{value}, %x{step} : i8\n"
            );
            value = step;
        } else {
            text += &format!("  memref.store %v{value}, %b{i}[%t] : {b}\n");
            written.push(i);
        }
        if looped {
            text += "  }\n";
        }
    }
    text += &format!("  memref.store %v{value}, %out[%t] : memref<64xi8>\n  return\n}}\n");
    text
}

/// Buffers that share bytes hold what they held.
#[test]
fn buffers_that_share_bytes_keep_their_contents() {
    let n = std::env::var("RADDLE_LOOPS").ok().and_then(|text| text.parse().ok()).unwrap_or(300u64);
    let mut shared = 0;
    for seed in 0..n {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.below(7);
        let text = buffers_in_turn(&mut random);
        let expected = run_bytes(&text).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        let new = pass(&text, "reuse-shared-memory", "");
        shared += u64::from(new.contains("memref.view"));
        assert_eq!(run_bytes(&new).as_ref(), Ok(&expected), "seed {seed}\n{text}\nbecame\n{new}");
    }
    assert!(shared * 4 > n, "{shared} of {n} programs share bytes");
}

fn run_bytes(text: &str) -> Result<Vec<u8>, String> {
    let ir: Ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let launch = Launch::of(&ir, func).unwrap();
    let args: Vec<Tensor> =
        (0..2).map(|_| Tensor::from_i64(Scalar::Int(8), &[64], &(0..64).collect::<Vec<_>>())).collect();
    let outcome = raddle_emu::run(&ir, func, &args, &launch, &raddle_emu::Options::default());
    let outcome = outcome.map_err(|diag| format!("{diag} {:?}", diag.notes))?;
    Ok(outcome.buffers[1].bytes.clone())
}

/// A copy on its way needs its buffer until it is waited for, and a memref that goes out of sight stays by itself.
#[test]
fn buffers_in_use_do_not_share() {
    let program = |between: &str| {
        format!(
            "func.func @f(%in: memref<64xf32>, %out: memref<64xf32>) {KERNEL} {{
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  %copy = nvgpu.device_async_copy %in[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
  %group = nvgpu.device_async_create_group %copy
  {between}
  memref.store %v, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  nvgpu.device_async_wait %group
  return
}}
func.func private @g(memref<64xf32, #gpu.address_space<workgroup>>)"
        )
    };
    let wait = "nvgpu.device_async_wait %group";
    stays(&program(""), "reuse-shared-memory", "");
    stays(
        &program("func.call @g(%a) : (memref<64xf32, #gpu.address_space<workgroup>>) -> ()"),
        "reuse-shared-memory",
        "",
    );
    let waited = program(wait).replace(&format!("workgroup>>\n  {wait}\n  return"), "workgroup>>\n  return");
    assert!(pass(&waited, "reuse-shared-memory", "").contains("memref<256xi8"));
}

/// Allocations leave loops, unless a round hands its own on.
#[test]
fn allocations_leave_loops() {
    let ty = "memref<64xf32, #gpu.address_space<workgroup>>";
    let text = |yielded: &str| {
        format!(
            "func.func @f(%n: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : {ty}
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %first) -> ({ty}) {{
    %a = memref.alloc() : {ty}
    memref.store %x, %a[%c0] : {ty}
    scf.yield {yielded} : {ty}
  }}
  return
}}"
        )
    };
    let hoisted = pass(&text("%m"), "hoist-allocations", "");
    assert!(hoisted.find("scf.for").unwrap() > hoisted.rfind("memref.alloc").unwrap(), "{hoisted}");
    stays(&text("%a"), "hoist-allocations", "");
}

/// A loop around a loop of rounds with two barriers, or three; `before` is in front of the inner one, `behind` follows.
fn synchronous_loop(before: &str, last: &str, behind: &str) -> String {
    let tile = "memref<3x64x4xf32, #gpu.address_space<workgroup>>";
    format!(
        "func.func @f(%in: memref<64x40xf32>, %out: memref<64x4xf32>) {KERNEL} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c40 = arith.constant 40 : index
  %c63 = arith.constant 63 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %t = gpu.thread_id x
  %other = arith.xori %t, %c63 : index
  %s = memref.alloc() : {tile}
  scf.for %o = %c0 to %c2 step %c1 {{
    {before}
    %r = scf.for %k = %c0 to %c40 step %c4 iter_args(%acc = %zero) -> (vector<4xf32>) {{
      gpu.barrier
      %turn = affine.apply affine_map<(d0) -> ((d0 floordiv 4) mod 3)>(%k)
      %v = vector.load %in[%t, %k] : memref<64x40xf32>, vector<4xf32>
      vector.store %v, %s[%turn, %t, %c0] : {tile}, vector<4xf32>
      gpu.barrier
      %x = vector.load %s[%turn, %other, %c0] : {tile}, vector<4xf32>
      %y = arith.subf %x, %acc : vector<4xf32>
      {last}
      scf.yield %y : vector<4xf32>
    }}
    {behind}
    vector.store %r, %out[%t, %c0] : memref<64x4xf32>, vector<4xf32>
  }}
  return
}}"
    )
}

/// Who uses the buffers in front of a loop or behind it relies on the barriers of its first and last rounds.
#[test]
fn pipelines_have_barriers_at_their_ends() {
    let tile = "memref<3x64x4xf32, #gpu.address_space<workgroup>>";
    let write = |turn: &str| format!("vector.store %r, %s[{turn}, %t, %c0] : {tile}, vector<4xf32>");
    let first = format!("gpu.barrier\n    vector.store %zero, %s[%c0, %other, %c0] : {tile}, vector<4xf32>");
    for (before, last, behind) in
        [("", "", String::new()), ("", "gpu.barrier", write("%c0")), (&first[..], "", String::new())]
    {
        let text = synchronous_loop(before, last, &behind);
        let expected = run(&text);
        assert!(expected.is_ok(), "{expected:?}");
        let new = pass(&text, "pipeline-copies", "pipeline-depth=2 schedule-index=1");
        assert_ne!(new, plain(&text));
        assert_eq!(run(&new), expected, "{new}");
    }
    // Without others, none are put there.
    let new = pass(&asynchronous_loop(3, ""), "pipeline-copies", "pipeline-depth=3");
    let (first, last) = (new.find("gpu.barrier").unwrap(), new.rfind("gpu.barrier").unwrap());
    assert!(new.find("device_async_copy").unwrap() > first && new.rfind("arith.subf").unwrap() > last, "{new}");
}

/// A round that reads what an earlier one has left keeps the one buffer.
#[test]
fn reads_in_front_of_gathers_stay() {
    let text = gathering_loop("%c0");
    let read = text.lines().find(|line| line.contains("%x = vector.load")).unwrap();
    let early = text.replace(read, "").replace("    %round", &format!("{read}\n    %round"));
    stays(&early, "prefetch", "");
}

/// Copies that threads carry out together leave what they left before, whatever their shapes and sources.
#[test]
fn copies_are_spread_over_threads() {
    let mut spread = 0;
    for seed in 0..200u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.below(7);
        let (name, elem, v) =
            random.pick(&[("f32", F32, 4), ("f16", Scalar::Float(Float::F16), 8), ("i8", Scalar::Int(8), 16)]);
        let sizes = random.pick(&[[32, 1, 1], [8, 4, 1], [4, 4, 2], [64, 2, 1], [2, 1, 1]]);
        let shape = [1 + random.below(3) as i64, random.pick(&[1, 2, 8, 16, 32]), v * random.pick(&[1, 2, 4, 8])];
        let n = if random.below(2) == 0 { 3 } else { 2 };
        let shape = &shape[3 - n..];
        let dims = |shape: &[i64]| shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
        let all: Vec<String> = (0..n).map(|d| format!("d{d}")).collect();
        // The second source goes along some of the loops.
        let some: Vec<usize> = (0..n).filter(|_| random.below(2) == 0).collect();
        let part: Vec<i64> = some.iter().map(|&d| shape[d]).collect();
        let part = if part.is_empty() { vec![] } else { part };
        let narrow = format!("memref<{}{}{name}>", dims(&part), if part.is_empty() { "" } else { "x" });
        let whole = format!("memref<{}x{name}>", dims(shape));
        let list = all.join(", ");
        let maps = format!(
            "[affine_map<({list}) -> ({list})>, affine_map<({list}) -> ({})>, affine_map<({list}) -> ({list})>]",
            some.iter().map(|d| format!("d{d}")).collect::<Vec<_>>().join(", ")
        );
        let add = if name.starts_with('f') { "addf" } else { "addi" };
        let text = format!(
            "func.func @f(%a: {whole}, %b: {narrow}, %c: {whole}) attributes {{translation_info = \
             #iree_codegen.translation_info<pipeline = VectorDistribute workgroup_size = [{}, {}, {}] subgroup_size = 32>}} {{
  linalg.generic {{indexing_maps = {maps}, iterator_types = [{}]}} ins(%a, %b : {whole}, {narrow}) outs(%c : {whole})
    attrs = {{__internal_linalg_transform__ = \"copy_to_workgroup_memory\"}} {{
  ^bb0(%x: {name}, %y: {name}, %z: {name}):
    %s = arith.{add} %x, %y : {name}
    linalg.yield %s : {name}
  }}
  return
}}",
            sizes[0],
            sizes[1],
            sizes[2],
            vec!["\"parallel\""; n].join(", ")
        );
        let new = pass(&text, "spread-copies", "");
        spread += u64::from(!new.contains("linalg.generic"));
        let folded = pass(&new, "fold-views", "");
        let mut numbers = Random(seed);
        let args = [numbers.tensor(elem, shape), numbers.tensor(elem, &part), Tensor::zeros(elem, shape)];
        let run = |text: &str| {
            let ir = raddle_ir::parse(text).unwrap();
            let func = ir.funcs()[0];
            let launch = Launch::of(&ir, func).unwrap();
            let outcome = raddle_emu::run(&ir, func, &args, &launch, &raddle_emu::Options::default());
            outcome.unwrap_or_else(|diag| panic!("{seed} {diag} {:?}\n{text}", diag.notes))
        };
        // The same on tensors says what is right.
        let tensors = text.replace("memref<", "tensor<").replace("  linalg.generic", "  %r = linalg.generic");
        let end = whole.replace("memref", "tensor");
        let tensors = tensors
            .replacen(") attributes", &format!(") -> {end} attributes"), 1)
            .replace("\n  }\n  return", &format!("\n  }} -> {end}\n  return %r : {end}"));
        let expected = run(&tensors).results[0].bytes.clone();
        if new.contains("linalg.generic") {
            continue;
        }
        for text in [&new, &folded] {
            assert_eq!(run(text).buffers[2].bytes, expected, "seed {seed}\n{text}");
        }
    }
    assert!(spread > 50, "{spread} of 200 copies were spread");
}

/// Reads and writes of a view are those of the memory behind it, unless something depends on where the view ends.
#[test]
fn views_are_folded_into_accesses() {
    let text = |access: &str| {
        format!(
            "func.func @f(%m: memref<8x64x32xf32>, %i: index, %j: index, %v: vector<4xf32>) {{
  %zero = arith.constant 0.0 : f32
  %s = memref.subview %m[%i, 8, %j] [1, 16, 8] [1, 1, 1] : memref<8x64x32xf32> to memref<16x8xf32, strided<[32, 1], offset: ?>>
  {access}
  return
}}"
        )
    };
    let ty = "memref<16x8xf32, strided<[32, 1], offset: ?>>";
    let folded = pass(&text(&format!("vector.store %v, %s[%j, %i] : {ty}, vector<4xf32>")), "fold-views", "");
    assert!(!folded.contains("subview") && folded.contains("memref<8x64x32xf32>, vector<4xf32>"), "{folded}");
    for access in [
        format!("vector.transfer_write %v, %s[%i, %j] : vector<4xf32>, {ty}"),
        format!(
            "vector.transfer_write %v, %s[%i, %j] {{in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>}} : vector<4xf32>, {ty}"
        ),
    ] {
        stays(&text(&access), "fold-views", "");
    }
}
