//! The dialect of AMD GPUs. LLVM, "User Guide for AMDGPU Backend", and the back end's `IntrinsicsAMDGPU.td`.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar};
use raddle_target::{Chip, Mma};

use super::convert::{resize_int, suffix};
use super::dialect::{Around, Dialect, Intrinsic, Scope, Source};
use super::value::Cx;

/// Global memory is address space 1, local data share 3, kernels take structures of arguments.
pub(super) static DIALECT: Dialect = Dialect {
    triple: "amdgcn-amd-amdhsa",
    convention: "amdgpu_kernel",
    global: 1,
    shared: 3,
    shared_is_global: true,
    thread_id: |cx, dim| number(cx, "workitem", dim),
    block_id: |cx, dim| number(cx, "workgroup", dim),
    device_scope: "agent",
    workgroup_scope: "workgroup",
    barrier: Some(barrier),
    shared_fence: "!{!\"amdgpu-as\", !\"local\"}",
    // AMD Instinct MI300 and RDNA 3 ISA: one unit in the last place, and no denormal numbers.
    approximations: &[
        (Opcode::MathExp, "llvm.amdgcn.exp2.f32", Around::Before(std::f32::consts::LOG2_E)),
        (Opcode::MathExp2, "llvm.amdgcn.exp2.f32", Around::Nothing),
        (Opcode::MathLog, "llvm.amdgcn.log.f32", Around::After(std::f32::consts::LN_2)),
        (Opcode::MathLog2, "llvm.amdgcn.log.f32", Around::Nothing),
        (Opcode::MathRsqrt, "llvm.amdgcn.rsq.f32", Around::Nothing),
        // The operand counts whole turns.
        (Opcode::MathSin, "llvm.amdgcn.sin.f32", Around::Before(0.5 * std::f32::consts::FRAC_1_PI)),
        (Opcode::MathCos, "llvm.amdgcn.cos.f32", Around::Before(0.5 * std::f32::consts::FRAC_1_PI)),
    ],
    // Code object version 5.
    module_flags: &["!{i32 1, !\"amdhsa_code_object_version\", i32 500}"],
    lane,
    fetch,
    ballot,
    settle,
    matrix,
    attributes,
};

/// The oldest LLVM that knows a processor; 19 is the oldest whose fences can be for one address space.
pub(super) fn version_min(chip: &Chip) -> u32 {
    match chip.name {
        "gfx950" => 20,
        "gfx1250" => 21,
        _ => 19,
    }
}

/// The generations of chips, as far as moves between lanes differ.
fn is_rdna(chip: &Chip) -> bool {
    chip.subgroup_sizes.contains(&32)
}

/// The number of a thread or a workgroup.
fn number(cx: &mut Cx<'_>, what: &str, dim: &str) -> String {
    let number = cx.call("i32", &format!("llvm.amdgcn.{what}.id.{dim}"), &[]);
    let index = cx.scalar_type(Scalar::Index);
    resize_int(cx, &number, "i32", &index, false)
}

fn barrier(scope: Scope) -> (&'static str, &'static str) {
    match scope {
        Scope::Workgroup => ("workgroup", "llvm.amdgcn.s.barrier"),
        Scope::Subgroup => ("wavefront", "llvm.amdgcn.wave.barrier"),
    }
}

/// What a kernel does not ask for is not set up at its start.
const INPUTS: &[(&str, &str)] = &[
    ("amdgpu-no-workgroup-id-x", "llvm.amdgcn.workgroup.id.x"),
    ("amdgpu-no-workgroup-id-y", "llvm.amdgcn.workgroup.id.y"),
    ("amdgpu-no-workgroup-id-z", "llvm.amdgcn.workgroup.id.z"),
    ("amdgpu-no-workitem-id-y", "llvm.amdgcn.workitem.id.y"),
    ("amdgpu-no-workitem-id-z", "llvm.amdgcn.workitem.id.z"),
];

/// What no kernel asks for.
const NEVER: &[&str] = &[
    "amdgpu-no-dispatch-id",
    "amdgpu-no-dispatch-ptr",
    "amdgpu-no-queue-ptr",
    "amdgpu-no-implicitarg-ptr",
    "amdgpu-no-heap-ptr",
    "amdgpu-no-hostcall-ptr",
    "amdgpu-no-multigrid-sync-arg",
    "amdgpu-no-default-queue",
    "amdgpu-no-completion-action",
    "amdgpu-no-lds-kernel-id",
    "amdgpu-no-agpr-spill",
];

/// SIMD units that share the local memory of a workgroup.
const UNITS: u32 = 4;

/// The registers of a SIMD unit with few of them: 1024 of 32 lanes.
const UNIT_REGISTERS: u32 = 32 * 1024;

/// How many waves of a SIMD unit have room for their registers.
const WAVES: &str = "\"amdgpu-waves-per-eu\"";

/// How matrix instructions begin, and what none of the back end's orders moves anything past.
const MATRIX: &[&str] = &["@llvm.amdgcn.mfma.", "@llvm.amdgcn.wmma."];
const SCHED_BARRIER: &str = "llvm.amdgcn.sched.barrier";

/// What keeps a kernel from accumulation registers: LLVM up to 20, and LLVM from 21 on.
const NO_ACCUMULATION: &str = "\"amdgpu-no-agpr\" \"amdgpu-agpr-alloc\"=\"0\"";

/// The program with some of its kernels, by their names, in vector registers alone, of which two waves leave each other
/// 256. From gfx90a on MFMA takes both kinds; whatever else computes with sums has to move them from accumulation registers
/// and back.
pub fn without_accumulation(program: &str, picked: &dyn Fn(&str) -> bool) -> String {
    let line = |line: &str| {
        let head = line.strip_prefix("define amdgpu_kernel void @").and_then(|rest| rest.split_once('('));
        if !head.is_some_and(|(name, _)| picked(name.trim_matches('"'))) {
            return line.to_owned();
        }
        line.replace(&format!("{WAVES}=\"1\""), &format!("{WAVES}=\"2\"")).replacen(
            WAVES,
            &format!("{NO_ACCUMULATION} {WAVES}"),
            1,
        )
    };
    program.split_inclusive('\n').map(line).collect()
}

/// The waves of a SIMD unit whose threads have all the registers that instructions can name. A unit gives them out in
/// portions of a 64th of its own, and has 1024 of 32 lanes at least: LLVM, `AMDGPUBaseInfo.cpp`.
fn whole_waves(chip: &Chip, lanes: u32) -> u32 {
    if !is_rdna(chip) {
        return 1;
    }
    let of_unit = chip.processors.map_or(UNIT_REGISTERS, |processors| processors.registers / UNITS) / lanes;
    64 / (64 * chip.registers_max).div_ceil(of_unit)
}

fn attributes(cx: &Cx<'_>, threads: Option<u32>) -> String {
    let chip = cx.lowered.chip();
    let mut all = vec![format!("\"target-cpu\"=\"{}\"", chip.name)];
    if is_rdna(chip) {
        let [on, off] = if cx.lanes == 64 { [64, 32] } else { [32, 64] };
        all.push(format!("\"target-features\"=\"+wavefrontsize{on},-wavefrontsize{off}\""));
    }
    if let Some(threads) = threads {
        all.push(format!("\"amdgpu-flat-work-group-size\"=\"{threads},{threads}\""));
        // No more than one workgroup is counted on: then threads have as many registers as there are. LLVM goes back to the
        // order of the text only where its own leaves room for fewer waves than these: where more of them have room for as
        // many registers as a thread can name, it hears of all.
        let waves = threads.div_ceil(cx.lanes).div_ceil(UNITS).max(whole_waves(chip, cx.lanes)).max(1);
        all.push(format!("{WAVES}=\"{waves}\""));
    }
    all.push("\"uniform-work-group-size\"=\"true\"".to_owned());
    // Maxima take signalling NaNs as they are, which saves an instruction for each operand.
    all.push("\"amdgpu-ieee\"=\"false\"".to_owned());
    let unused = INPUTS.iter().filter(|(_, function)| !cx.calls(function)).map(|row| row.0);
    all.extend(unused.chain(NEVER.iter().copied()).map(|name| format!("\"{name}\"")));
    all.join(" ")
}

fn lane(cx: &mut Cx<'_>) -> String {
    let low = cx.call("i32", "llvm.amdgcn.mbcnt.lo", &["i32 -1".to_owned(), "i32 0".to_owned()]);
    if cx.lanes == 32 {
        return low;
    }
    cx.call("i32", "llvm.amdgcn.mbcnt.hi", &["i32 -1".to_owned(), format!("i32 {low}")])
}

fn ballot(cx: &mut Cx<'_>, bit: &str) -> String {
    let ty = format!("i{}", cx.lanes);
    cx.call(&ty, &format!("llvm.amdgcn.ballot.{ty}"), &[format!("i1 {bit}")])
}

/// A move inside of a row of 16 lanes, on the way of a vector instruction.
fn dpp(cx: &mut Cx<'_>, word: &str, control: u32) -> String {
    let mut operands = vec!["i32 poison".to_owned(), format!("i32 {word}"), format!("i32 {control}")];
    operands.extend(["i32 15", "i32 15", "i1 true"].map(str::to_owned));
    cx.call("i32", "llvm.amdgcn.update.dpp.i32", &operands)
}

fn bpermute(cx: &mut Cx<'_>, word: &str, lane: &str) -> String {
    let bytes = cx.compute(&format!("shl i32 {lane}, 2"));
    cx.call("i32", "llvm.amdgcn.ds.bpermute", &[format!("i32 {bytes}"), format!("i32 {word}")])
}

fn permlane64(cx: &mut Cx<'_>, word: &str) -> String {
    let word = cx.call("i32", "llvm.amdgcn.permlane64.i32", &[format!("i32 {word}")]);
    pinned(cx, &word)
}

/// A word that is computed here, by all lanes. LLVM 19 sinks permutations of lanes into branches that fewer lanes take
/// (`v_permlanex16_b32` is not marked convergent), and then they read what the others have not computed.
fn pinned(cx: &mut Cx<'_>, word: &str) -> String {
    cx.compute(&format!("call i32 asm sideeffect \"\", \"=v,0\"(i32 {word})"))
}

/// A number that is computed here, in front of the branch that stores it: LLVM sinks what only a branch asks for into it, or
/// behind the branches in front of that, and all that it is computed from waits in registers until then.
fn settle(cx: &mut Cx<'_>, ty: &str, name: &str) -> Option<String> {
    let has_registers = matches!(ty, "half" | "float" | "double" | "i32" | "i64");
    has_registers
        .then(|| cx.compute(&format!("call {ty} asm \"\", \"=v,0\"({ty} {name}) convergent nounwind memory(none)")))
}

/// The program with some of its kernels, by their names, computed in the order of the text: LLVM does not move anything
/// past matrix instructions.
pub fn in_order(program: &str, picked: &dyn Fn(&str) -> bool) -> String {
    let barrier = format!("  call void @{SCHED_BARRIER}(i32 0)\n");
    let (mut is_picked, mut is_behind, mut is_used) = (false, false, false);
    let mut text = String::with_capacity(program.len() + program.len() / 16);
    for line in program.split_inclusive('\n') {
        if let Some((name, _)) = line.strip_prefix("define amdgpu_kernel void @").and_then(|rest| rest.split_once('('))
        {
            is_picked = picked(name.trim_matches('"'));
        }
        let is_matrix = line.contains(" call ") && MATRIX.iter().any(|name| line.contains(name));
        if is_picked && is_matrix && !is_behind {
            text.push_str(&barrier);
            is_used = true;
        }
        is_behind = is_matrix;
        text.push_str(line);
    }
    if is_used {
        text.push_str(&format!("\ndeclare void @{SCHED_BARRIER}(i32 immarg)\n"));
    }
    text
}

fn fetch(cx: &mut Cx<'_>, word: &str, source: Source<'_>) -> String {
    let is_rdna = is_rdna(cx.lowered.chip());
    match source {
        Source::Flip(0) => word.to_owned(),
        Source::Flip(mask) if is_rdna => flip_rdna(cx, word, mask),
        Source::Flip(mask) => flip_cdna(cx, word, mask),
        Source::Lane(lane) if !lane.starts_with('%') => {
            cx.call("i32", "llvm.amdgcn.readlane.i32", &[format!("i32 {word}"), format!("i32 {lane}")])
        }
        // A permutation reaches 32 lanes there.
        Source::Lane(lane) if is_rdna && cx.lanes == 64 => {
            let near = bpermute(cx, word, lane);
            let other = permlane64(cx, word);
            let far = bpermute(cx, &other, lane);
            let own = self::lane(cx);
            let differ = cx.compute(&format!("xor i32 {own}, {lane}"));
            let differ = cx.compute(&format!("and i32 {differ}, 32"));
            let is_near = cx.compute(&format!("icmp eq i32 {differ}, 0"));
            cx.compute(&format!("select i1 {is_near}, i32 {near}, i32 {far}"))
        }
        Source::Lane(lane) => bpermute(cx, word, lane),
    }
}

/// AMD Instinct MI300 ISA, "Data Parallel Processing": quads in any order, half rows and rows mirrored, rows rotated.
fn flip_cdna(cx: &mut Cx<'_>, word: &str, mask: u32) -> String {
    if mask >= 32 {
        let own = lane(cx);
        let there = cx.compute(&format!("xor i32 {own}, {mask}"));
        return bpermute(cx, word, &there);
    }
    if mask >= 16 {
        // "DS_SWIZZLE_B32", bit mask mode: flips of 32 lanes.
        let pattern = mask << 10 | 0x1F;
        return cx.call("i32", "llvm.amdgcn.ds.swizzle", &[format!("i32 {word}"), format!("i32 {pattern}")]);
    }
    // Mirrors flip the lower bits, too, and a move of quads flips them back.
    let (control, low) = match mask >> 2 {
        0 => (None, mask),
        1 => (Some(0x141), mask & 3 ^ 3),
        2 => (Some(0x128), mask & 3),
        _ => (Some(0x140), mask & 3 ^ 3),
    };
    let mut word = word.to_owned();
    if let Some(control) = control {
        word = dpp(cx, &word, control);
    }
    if low > 0 {
        let quad = (0..4).fold(0, |quad, lane| quad | (lane ^ low) << (2 * lane));
        word = dpp(cx, &word, quad);
    }
    word
}

/// RDNA 3 ISA, "Data Parallel Processing" and "V_PERMLANEX16_B32".
fn flip_rdna(cx: &mut Cx<'_>, word: &str, mask: u32) -> String {
    let mut word = word.to_owned();
    if mask & 32 != 0 {
        word = permlane64(cx, &word);
    }
    let low = mask & 15;
    if mask & 16 != 0 {
        // The lane of the other row for each of 16, four bits each.
        let order: u64 = (0..16).fold(0, |order, lane| order | u64::from(lane ^ low) << (4 * lane));
        let mut operands = vec!["i32 poison".to_owned(), format!("i32 {word}")];
        operands.extend([order as u32 as i32, (order >> 32) as u32 as i32].map(|half| format!("i32 {half}")));
        operands.extend(["i1 true", "i1 true"].map(str::to_owned));
        word = cx.call("i32", "llvm.amdgcn.permlanex16.i32", &operands);
        word = pinned(cx, &word);
    } else if low > 0 {
        // row_xmask
        word = dpp(cx, &word, 0x160 | low);
    }
    word
}

/// The instructions whose intrinsics are not called as they are: behind `llvm.amdgcn.`, and whether bf16 is i16.
const NAMES: &[(&str, &str, bool)] = &[
    ("v_mfma_f32_16x16x4_f32", "mfma.f32.16x16x4f32", false),
    ("v_mfma_f32_16x16x16_f16", "mfma.f32.16x16x16f16", false),
    ("v_mfma_f32_32x32x8_f16", "mfma.f32.32x32x8f16", false),
    ("v_mfma_i32_16x16x16_i8", "mfma.i32.16x16x16i8", false),
    ("v_mfma_i32_32x32x8_i8", "mfma.i32.32x32x8i8", false),
    ("v_mfma_f32_16x16x8bf16", "mfma.f32.16x16x8bf16", true),
    ("v_mfma_f32_32x32x4bf16", "mfma.f32.32x32x4bf16", true),
    ("v_mfma_f32_16x16x16_bf16", "mfma.f32.16x16x16bf16.1k", true),
    ("v_mfma_f32_32x32x8_bf16", "mfma.f32.32x32x8bf16.1k", true),
    ("v_mfma_f64_16x16x4_f64", "mfma.f64.16x16x4f64", false),
    ("v_mfma_f32_16x16x4_4b_f16", "mfma.f32.16x16x4f16", false),
    ("v_mfma_f32_32x32x4_2b_f16", "mfma.f32.32x32x4f16", false),
    ("v_mfma_f32_4x4x4_16b_f16", "mfma.f32.4x4x4f16", false),
    ("v_mfma_f32_16x16x4_4b_bf16", "mfma.f32.16x16x4bf16.1k", true),
    ("v_mfma_f32_32x32x4_2b_bf16", "mfma.f32.32x32x4bf16.1k", true),
    ("v_mfma_f32_4x4x4_16b_bf16", "mfma.f32.4x4x4bf16.1k", true),
    ("v_mfma_i32_16x16x4_4b_i8", "mfma.i32.16x16x4i8", false),
    ("v_mfma_i32_32x32x4_2b_i8", "mfma.i32.32x32x4i8", false),
    ("v_mfma_i32_4x4x4_16b_i8", "mfma.i32.4x4x4i8", false),
    ("v_mfma_f32_16x16x128_f8f6f4", "mfma.scale.f32.16x16x128.f8f6f4", false),
    ("v_mfma_f32_32x32x64_f8f6f4", "mfma.scale.f32.32x32x64.f8f6f4", false),
    ("v_wmma_f32_16x16x16_bf16", "wmma.f32.16x16x16.bf16", true),
    ("v_wmma_bf16_16x16x16_bf16", "wmma.bf16.16x16x16.bf16", true),
];

fn matrix(cx: &Cx<'_>, op: OpId, mma: &Mma) -> Result<Intrinsic, Diag> {
    if cx.lowered.chip().name == "gfx1250" {
        return Err(cx.cannot(op, "matrix instructions of gfx1250 are not written yet"));
    }
    let is_wmma = mma.opcode == Opcode::AmdgpuWmma;
    let row = NAMES.iter().find(|row| row.0 == mma.mnemonic);
    let as_bits = row.is_some_and(|row| row.2);
    let stem = row.map_or_else(|| mma.mnemonic.trim_start_matches("v_").replace('_', "."), |row| row.1.to_owned());
    let slots = [0, 1, 2].map(|operand| mma.n_slots(operand));
    // gfx11 has no room for 16-bit results side by side.
    let spaced = is_wmma && mma.types[2].bits() == 16 && slots[0] == 16;
    let ty = |operand: usize| {
        let n = if operand == 2 && spaced { 2 * slots[2] } else { slots[operand] };
        let elem = match mma.types[operand] {
            Scalar::Float(Float::BF16) if as_bits => "i16",
            Scalar::Float(Float::BF16) => "bfloat",
            Scalar::Float(Float::F16) => "half",
            Scalar::Float(Float::F32) => "float",
            Scalar::Float(Float::F64) => "double",
            Scalar::Int(32) => "i32",
            // Four bytes are a word, and eight of MFMA two.
            _ => {
                return match (n, is_wmma) {
                    (4, _) => "i32".to_owned(),
                    (8, false) => "i64".to_owned(),
                    _ => format!("<{} x i32>", n / 4),
                };
            }
        };
        if n == 1 { elem.to_owned() } else { format!("<{n} x {elem}>") }
    };
    let types = [0, 1, 2].map(ty);
    let (mut before, mut behind) = ([None, None], Vec::new());
    let mut name = format!("llvm.amdgcn.{stem}");
    if is_wmma {
        name = format!("{name}.{}.{}", suffix(&types[2]), suffix(&types[0]));
        if mma.types[0] == Scalar::Int(8) {
            // Both factors have signs; the sum does not stop at the largest number.
            before = [0, 1].map(|_| Some("i1 true".to_owned()));
            behind.push("i1 false".to_owned());
        } else if mma.types[2].bits() == 16 {
            behind.push("i1 false".to_owned());
        }
    } else if mma.mnemonic.ends_with("f8f6f4") {
        name = format!("{name}.{}.{}", suffix(&types[0]), suffix(&types[1]));
        // AMD CDNA 4 ISA, "CBSZ" and "BLGP": 0 is f8E4M3FN, 1 is f8E5M2. Scales of 0 choose the form without scales.
        let format = |operand: usize| u32::from(mma.types[operand] == Scalar::Float(Float::F8E5M2));
        behind.extend([format(0), format(1), 0, 0, 0, 0].map(|number| format!("i32 {number}")));
    } else {
        behind.extend([0, 0, 0].map(|number| format!("i32 {number}")));
    }
    Ok(Intrinsic { name, types, before, behind, spaced })
}
