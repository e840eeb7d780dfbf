//! Scans and sums over lanes mean the same as shuffles, and reductions the same over one dimension.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Tensor};
use raddle_ir::{Diag, Ir, Scalar, parse, print, verify};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

use crate::programs::Rng;

fn pass(ir: &mut Ir, name: &str) -> Result<(), Diag> {
    let (func, pass) = (ir.funcs()[0], PASSES.iter().find(|pass| pass.name == name).unwrap());
    pass.apply(ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options))?;
    assert_eq!(verify(ir), [], "{}", print(ir, &Default::default()));
    Ok(())
}

fn run(ir: &Ir, args: &[Tensor], lanes: u32, mode: Mode) -> Vec<Tensor> {
    let launch = Launch {
        grid: [1, 1, 1],
        workgroup_size: [if mode == Mode::Simd { lanes } else { 2 * lanes }, 1, 1],
        subgroup_size: lanes,
        mode,
    };
    raddle_emu::run(ir, ir.funcs()[0], args, &launch, &Default::default())
        .unwrap_or_else(|diag| panic!("{diag:?}\n{}", print(ir, &Default::default())))
        .buffers
}

fn read(text: &str) -> Ir {
    parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

/// Types, how to combine them, and what combining begins with.
const COMBINERS: &[(&str, &str, &str, &str)] = &[
    ("f32", "arith.addf", "add", "0.0"),
    ("f16", "arith.maximumf", "maximumf", "-8.0"),
    ("bf16", "arith.addf", "add", "0.0"),
    ("i32", "arith.addi", "add", "0"),
    ("i8", "arith.xori", "xor", "0"),
    ("i16", "arith.minsi", "minsi", "99"),
];

fn function(body: &str, elem: &str, lanes: usize) -> String {
    format!(
        "func.func @f(%in: memref<128x{elem}>, %out: memref<128x{elem}>, %sum: memref<128x{elem}>)
           attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline workgroup_size = [{}, 1, 1] subgroup_size = {lanes}>}} {{
           %thread = gpu.thread_id x
           %x = memref.load %in[%thread] : memref<128x{elem}>
           {body}
           return
         }}",
        2 * lanes
    )
}

/// Clusters of every size and distance, in subgroups of 32 and 64 lanes, with and without what lies at the lane itself.
#[test]
fn lanes_combine_through_shuffles() {
    for seed in 0..120 {
        let mut rng = Rng(seed * 977 + 13);
        let (elem, combine, kind, first) = rng.pick(COMBINERS);
        let lanes = rng.pick(&[32, 64]);
        let stride = rng.pick(&[1, 2, 8]);
        let size = rng.pick(&[1, 2, 4, 8, 16, 32, 64]).min(lanes / stride);
        let (inclusive, scans) = (rng.chance(40), rng.chance(70));
        let cluster = if size == lanes && stride == 1 && rng.chance(50) {
            String::new()
        } else {
            format!("cluster(size = {size}, stride = {stride})")
        };
        let how = if inclusive { "inclusive (%x)".to_owned() } else { format!("(%x, identity = %first : {elem})") };
        let body = if scans {
            format!(
                "%first = arith.constant {first} : {elem}
                 %scan, %total = iree_gpu.subgroup_scan {how} {cluster} {{
                 ^bb0(%a: {elem}, %b: {elem}):
                   %c = {combine} %a, %b : {elem}
                   iree_gpu.yield %c : {elem}
                 }} : {elem}
                 memref.store %scan, %out[%thread] : memref<128x{elem}>
                 memref.store %total, %sum[%thread] : memref<128x{elem}>"
            )
        } else {
            format!(
                "%total = gpu.subgroup_reduce {kind} %x {cluster} : ({elem}) -> {elem}
                 memref.store %total, %sum[%thread] : memref<128x{elem}>"
            )
        };
        let text = function(&body, elem, lanes);
        let numbers: Vec<f64> = (0..128).map(|_| rng.below(5) as f64 - 2.0).collect();
        let tensor = |values: &[f64]| Tensor::from_f64(Scalar::from_keyword(elem).unwrap(), &[128], values);
        let args = [tensor(&numbers), tensor(&[0.0; 128]), tensor(&[0.0; 128])];
        let mut after = read(&text);
        pass(&mut after, "expand-lanes").unwrap();
        let printed = print(&after, &Default::default());
        assert!(!printed.contains("subgroup_scan") && !printed.contains("subgroup_reduce"), "{text}\n{printed}");
        let want = run(&read(&text), &args, lanes as u32, Mode::Simt);
        assert!(run(&after, &args, lanes as u32, Mode::Simt) == want, "seed {seed}:\n{text}\n{printed}");
    }
}

/// Clusters that a subgroup does not have are refused; values that no shuffle moves stay.
#[test]
fn clusters_fit_into_subgroups() {
    let scan = |elem: &str, size: u32| {
        let body = format!(
            "%scan, %total = iree_gpu.subgroup_scan inclusive (%x) cluster(size = {size}) {{
             ^bb0(%a: {elem}, %b: {elem}):
               iree_gpu.yield %b : {elem}
             }} : {elem}"
        );
        function(&body, elem, 32)
    };
    let refusal = pass(&mut read(&scan("f32", 64)), "expand-lanes").unwrap_err();
    assert!(format!("{refusal:?}").contains("64 lanes at distance 1 in subgroups of 32"), "{refusal:?}");
    let mut wide = read(&scan("f64", 8));
    pass(&mut wide, "expand-lanes").unwrap();
    assert!(print(&wide, &Default::default()).contains("iree_gpu.subgroup_scan"));
    let refusal = pass(&mut read("func.func @f() { return }"), "expand-lanes").unwrap_err();
    assert!(refusal.message.contains("subgroup size"), "{refusal:?}");
}

/// Reductions over any dimensions, with masks: over one dimension they give the same.
#[test]
fn reductions_are_flattened() {
    let (mut n_flat, mut n_lowered) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng(seed * 613 + 29);
        let rank = 1 + rng.below(4);
        let shape: Vec<i64> = (0..rank).map(|_| rng.pick(&[1, 2, 3])).collect();
        let n_kept = rng.below(rank);
        let dims: Vec<usize> =
            if rng.chance(75) { (n_kept..rank).collect() } else { (0..rank).filter(|_| rng.chance(50)).collect() };
        if dims.is_empty() {
            continue;
        }
        let kept: Vec<i64> = (0..rank).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
        let list = |list: &[i64]| list.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
        let of = |shape: &[i64], elem: &str| {
            if shape.is_empty() { elem.to_owned() } else { format!("vector<{}x{elem}>", list(shape)) }
        };
        let (source, acc, mask) = (of(&shape, "i32"), of(&kept, "i32"), of(&shape, "i1"));
        let n: i64 = shape.iter().product();
        let kind = rng.pick(&["add", "maxsi", "xor"]);
        let reduce = format!("vector.multi_reduction <{kind}>, %v, %acc {dims:?} : {source} to {acc}");
        let bounds: Vec<String> = shape.iter().map(|&n| format!("%c{}", rng.below(n as usize + 1))).collect();
        let masked = rng.chance(40);
        let reduce = if masked {
            format!(
                "%mask = vector.create_mask {} : {mask}\n %r = vector.mask %mask {{ {reduce} }} : {mask} -> {acc}",
                bounds.join(", ")
            )
        } else {
            format!("%r = {reduce}")
        };
        let (start, write) = if kept.is_empty() {
            ("%acc = arith.constant 3 : i32".to_owned(), "memref.store %r, %out[%c0] : memref<81xi32>".to_owned())
        } else {
            let n: i64 = kept.iter().product();
            (
                format!("%acc = arith.constant dense<3> : {acc}"),
                format!(
                    "%w = vector.shape_cast %r : {acc} to vector<{n}xi32>
                     vector.transfer_write %w, %out[%c0] {{in_bounds = [true]}} : vector<{n}xi32>, memref<81xi32>"
                ),
            )
        };
        let text = format!(
            "func.func @f(%in: memref<81xi32>, %out: memref<81xi32>) {{
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %c2 = arith.constant 2 : index
               %c3 = arith.constant 3 : index
               %pad = arith.constant 0 : i32
               %flat = vector.transfer_read %in[%c0], %pad {{in_bounds = [true]}} : memref<81xi32>, vector<{n}xi32>
               %v = vector.shape_cast %flat : vector<{n}xi32> to {source}
               {start}
               {reduce}
               {write}
               return
             }}"
        );
        let numbers: Vec<i64> = (0..81).map(|i| i * 37 % 50 - 20).collect();
        let args =
            [Tensor::from_i64(Scalar::Int(32), &[81], &numbers), Tensor::from_i64(Scalar::Int(32), &[81], &[0; 81])];
        let want = run(&read(&text), &args, 32, Mode::Simd);
        let mut after = read(&text);
        for name in ["flatten-reductions", "expand-reductions"] {
            pass(&mut after, name).unwrap();
            let printed = print(&after, &Default::default());
            assert!(run(&after, &args, 32, Mode::Simd) == want, "seed {seed}, {name}:\n{text}\n{printed}");
        }
        let printed = print(&after, &Default::default());
        n_flat += usize::from(rank > 2 && printed.contains("shape_cast %"));
        n_lowered += usize::from(printed.contains("vector.reduction"));
        // What is reduced whole is one reduction of a vector of one dimension.
        assert_eq!(printed.contains("vector.reduction"), dims.len() == rank, "{text}\n{printed}");
    }
    assert!(n_flat > 10 && n_lowered > 10, "{n_flat} {n_lowered}");
}
