//! Random pairs of layouts: a value read under one and written under the other is the same value, at every stage.
//!
//! `cargo xtask fuzz-conversions --seed 7 --count 10000` runs more of them; with `RADDLE_SHOW=1` it prints each.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

use std::collections::BTreeMap;

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Diag, Float, Ir, Opcode, Scalar};
use raddle_passes::Facts;
use raddle_target::{Chip, chip};

use crate::programs::{Kernel, Program, Rng};
use crate::stages;

/// Chips, and machines with subgroups of fewer lanes than any chip of the table has.
fn machines() -> Vec<&'static Chip> {
    let mut all: Vec<&'static Chip> =
        ["sm_80", "sm_90", "gfx942", "gfx1100"].iter().map(|name| chip(name).unwrap()).collect();
    for (size, sizes) in [(1, &[1u32] as &[u32]), (4, &[4]), (8, &[8]), (16, &[16])] {
        let small = Chip { name: "small", subgroup_size: size, subgroup_sizes: sizes, ..*chip("sm_80").unwrap() };
        all.push(Box::leak(Box::new(small)));
    }
    all.push(little());
    all
}

/// A chip with so little shared memory that large values take turns in it.
fn little() -> &'static Chip {
    Box::leak(Box::new(Chip {
        name: "little",
        shared_bytes_max: 4096,
        shared_bytes_planned: 4096,
        ..*chip("sm_80").unwrap()
    }))
}

const TYPES: &[(&str, Scalar)] = &[
    ("i1", Scalar::Int(1)),
    ("i4", Scalar::Int(4)),
    ("i8", Scalar::Int(8)),
    ("f8E4M3FN", Scalar::Float(Float::F8E4M3FN)),
    ("f16", Scalar::Float(Float::F16)),
    ("bf16", Scalar::Float(Float::BF16)),
    ("i32", Scalar::Int(32)),
    ("f32", Scalar::Float(Float::F32)),
    ("i64", Scalar::Int(64)),
];

/// Makes a kernel for subgroups of so many lanes, so many of them, and an element type.
type Make = fn(Rng, i64, i64, &'static str) -> Kernel;

/// Runs a kernel that moves a random value at four stages: the lowered program, and what the passes told. `Err` is why
/// it was refused.
fn check(seed: u64, machines: &[&'static Chip], make: Make) -> Result<(Ir, Vec<Diag>), Diag> {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(54321));
    let chip = machines[rng.below(machines.len())];
    let (n_subgroups, (elem, scalar)) = (rng.pick(&[1, 1, 2, 2, 3, 4, 8]), rng.pick(TYPES));
    let Kernel { text, buffers, .. } = make(rng, i64::from(chip.subgroup_size), n_subgroups, elem);
    let n = buffers[0].iter().product::<i64>();
    // As many different values as the type holds: an element in the wrong place shows.
    let mut numbers = Rng(seed | 1);
    let source = match scalar {
        Scalar::Float(_) => {
            let values: Vec<f64> = (0..n).map(|_| numbers.below(15) as f64 - 7.0).collect();
            Tensor::from_f64(scalar, &buffers[0], &values)
        }
        Scalar::Int(bits) => {
            let values: Vec<i64> =
                (0..n).map(|at| if bits < 32 { numbers.below(1 << bits) as i64 } else { at }).collect();
            Tensor::from_i64(scalar, &buffers[0], &values)
        }
        Scalar::Index => unreachable!("not among the types"),
    };
    let target = Tensor::from_i64(scalar, &buffers[1], &vec![0; n as usize]);
    let facts = Facts::new(chip);
    if std::env::var_os("RADDLE_SHOW").is_some() {
        println!("// seed {seed} on {}\n{text}\n", chip.name);
    }
    let (ir, _) = stages::alike_on(&format!("seed {seed}"), &text, &facts, &[source, target], seed)?;
    Ok((ir, facts.remarks.into_inner()))
}

/// By which way a value changed its layout.
fn way(remarks: &[Diag]) -> String {
    let told = remarks.iter().find_map(|remark| remark.message.strip_prefix("this conversion goes by "));
    told.map_or("slots in place", |told| told.split(':').next().unwrap_or(told)).to_owned()
}

#[test]
fn every_pair_converts() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PAIRS", 300), number("RADDLE_SEED", 0));
    let machines = machines();
    let mut refused = Vec::new();
    let mut ways: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + n {
        match check(seed, &machines, Program::pair) {
            Ok((_, remarks)) => *ways.entry(way(&remarks)).or_default() += 1,
            Err(why) => refused.push((seed, why)),
        }
    }
    println!("{} of {n} random pairs of layouts convert alike at every stage", n - refused.len() as u64);
    for (way, count) in &ways {
        println!("{count:>8} by {way}");
    }
    assert!(refused.is_empty(), "refused: {refused:#?}");
    // Each kind of way is exercised.
    for way in ["slots", "shuffle", "select", "shared memory", "shared memory in 2 rounds"] {
        assert!(ways.keys().any(|key| key.starts_with(way)), "nothing goes by {way}: {ways:?}");
    }
}

/// What is larger than shared memory goes through it a part at a time.
#[test]
fn large_values_take_turns() {
    let machines = [little()];
    let told = (0..40).map(|seed| {
        let (_, remarks) = check(seed, &machines, Program::pair).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        way(&remarks)
    });
    let turns = told.filter(|told| told.starts_with("shared memory in ")).count();
    assert!(turns > 1, "{turns} values take turns");
}

/// The lowered program takes as many wavefronts of shared memory as its plan says: what is planned is what is done.
#[test]
fn conversions_cost_what_their_plans_say() {
    let machines: Vec<&'static Chip> =
        machines().into_iter().filter(|chip| chip.name == "sm_80" || chip.name == "small").collect();
    let mut alone = 0;
    for seed in 0..160 {
        let (ir, remarks) = check(seed, &machines, Program::pair).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        let told = remarks.iter().find_map(|remark| remark.message.strip_prefix("this conversion goes by "));
        let number = |told: &str| told.split(' ').next_back().and_then(|number| number.parse::<u64>().ok());
        let planned = told.and_then(|told| told.split_once(" wavefronts (")).and_then(|(told, _)| number(told));
        let Some(planned) = planned else { continue };
        let func = ir.funcs()[0];
        let launch = Launch { mode: Mode::Simt, ..Launch::of(&ir, func).unwrap() };
        let args: Vec<Tensor> = ir
            .args(ir.entry(func))
            .iter()
            .map(|&arg| Tensor::zeros(Scalar::of(&ir[ir.elem_of(arg)]).unwrap(), ir.shape_of(arg)))
            .collect();
        let options = Options { banks: Some(32), ..Options::default() };
        let cost = raddle_emu::run(&ir, func, &args, &launch, &options).unwrap().cost.unwrap();
        let (counted, n_subgroups) = (cost.total.shared.transactions, (launch.threads() / launch.subgroup_size) as u64);
        // A plan speaks of the subgroup that has most to do.
        assert!(counted <= planned * n_subgroups, "seed {seed}: {counted} for {n_subgroups} subgroups, not {planned}");
        if n_subgroups == 1 {
            assert_eq!(counted, planned, "seed {seed}: {told:?}");
            alone += 1;
        }
    }
    assert!(alone >= 10, "{alone} conversions of one subgroup go through shared memory");
}

/// Shared memory is read by matrices where a layout deals rows of 16 bytes to the lanes; the values are the same.
#[test]
fn reads_of_shared_memory_by_rows() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (n, first) = (number("RADDLE_PAIRS", 300), number("RADDLE_SEED", 0));
    let machines = [chip("sm_80").unwrap(), chip("sm_90").unwrap()];
    let (mut plain, mut transposed, mut stored) = (0, 0, 0);
    for seed in first..first + n {
        let (ir, _) = check(seed, &machines, Program::shared).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        let loads = ir.walk(ir.module()).into_iter().filter(|&op| ir.opcode(op) == Opcode::NvgpuLdmatrix);
        let loads: Vec<bool> =
            loads.map(|op| matches!(ir.attr(op, "transpose"), Some(raddle_ir::Attr::Bool(true)))).collect();
        stored += u64::from(ir.walk(ir.module()).into_iter().any(|op| ir.opcode(op) == Opcode::NvgpuStmatrix));
        plain += u64::from(loads.contains(&false));
        transposed += u64::from(loads.contains(&true));
    }
    println!("{n} reads of shared memory; {plain} load matrices, {transposed} transposed ones; {stored} store them");
    assert!(plain * 10 > n && transposed * 30 > n && stored * 30 > n, "{plain}, {transposed}, {stored} of {n}");
}

/// A conversion that finds no memory names both layouts, and where they first differ.
#[test]
fn what_does_not_fit_is_told() {
    let text = "
#rows = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [32, 1], element_tile = [1, 64], subgroup_strides = [1, 0], thread_strides = [1, 0]>
#columns = #iree_vector_ext.nested_layout<subgroup_tile = [1, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [64, 1], subgroup_strides = [0, 1], thread_strides = [0, 1]>
func.func @turn(%a: memref<64x64xf32>, %b: memref<64x64xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<64x64xf32>
  %r = iree_vector_ext.to_layout %v to layout(#rows) : vector<64x64xf32>
  %c = iree_vector_ext.to_layout %r to layout(#columns) : vector<64x64xf32>
  vector.transfer_write %c, %b[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32>
  return
}";
    let tiny = Chip { name: "tiny", shared_bytes_max: 64, shared_bytes_planned: 64, ..*chip("sm_80").unwrap() };
    let facts = Facts::new(Box::leak(Box::new(tiny)));
    let float = Scalar::Float(Float::F32);
    let args = [(); 2].map(|()| Tensor::zeros(float, &[64, 64]));
    let why = stages::alike_on("turn", text, &facts, &args, 0).map(|_| ()).unwrap_err();
    let span = why.span.unwrap();
    assert!(text[span.start as usize..span.end as usize].contains("to layout(#columns)"), "{why:?}");
    let notes = why.notes.join("\n");
    for part in ["subgroup_tile = [2, 1]", "subgroup_tile = [1, 2]", "first differ at subgroup 0, lane 0, slot 1"] {
        assert!(notes.contains(part), "{part}: {why:?}");
    }
    assert!(why.help.is_some(), "{why:?}");
}
