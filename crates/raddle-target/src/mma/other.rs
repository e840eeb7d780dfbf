//! The rows of Intel, x86, Apple and Khronos.

use super::catalogue::{Family, Instruction};
use super::elem::Elem;
use super::map::{Map, Token, all_bits, bits, log2};
use Elem::{BF16, E5M2OrE4M3, F16, F32, I4, I8, I32, TF32};

const DPAS_NOTE: &str = "m is the repeat count, 1 to 8; each 32-bit slot of B holds consecutive k";
const AMX_NOTE: &str = "a lane is a tile's row of 64 bytes; the tile configuration may set fewer rows, columns and k";
const SIMDGROUP_NOTE: &str = "Metal does not specify the layout; this is how today's machines have it";
const COOPERATIVE_NOTE: &str = "the device lists its shapes and types; only its own loads and stores know the layout";

/// Factors, C and k of DPAS.
const DPAS: &[(Elem, Elem, i64)] = &[(F16, F32, 16), (BF16, F32, 16), (I8, I32, 32), (I4, I32, 64), (TF32, F32, 8)];

/// Intel AMX: k, C, the factors, the mnemonics (one for each pair of signs or formats), the feature.
const AMX: &[(i64, Elem, Elem, &str, &str)] = &[
    (32, F32, BF16, "tdpbf16ps", "amx-bf16"),
    (32, F32, F16, "tdpfp16ps", "amx-fp16"),
    (64, I32, I8, "tdpbssd/tdpbsud/tdpbusd/tdpbuud", "amx-int8"),
    (64, F32, E5M2OrE4M3, "tdpbf8ps/tdpbhf8ps/tdphbf8ps/tdphf8ps", "amx-fp8"),
    (16, F32, TF32, "tmmultf32ps", "amx-tf32"),
];

/// C and factors of Apple's 8 x 8 x 8.
const SIMDGROUP: &[[Elem; 2]] = &[[F32, F32], [F32, F16], [F16, F16], [F32, BF16], [BF16, BF16]];

/// Usual shapes of cooperative matrices.
const COOPERATIVE: &[[i64; 3]] = &[[16, 16, 16], [16, 16, 8], [16, 8, 16], [8, 8, 16], [16, 16, 32]];

pub(super) fn rows() -> Vec<Instruction> {
    let mut rows = Vec::new();
    for (lanes, targets) in [(16, "xe2,pvc"), (8, "xe-hpg")] {
        for &(factor, acc, k) in DPAS {
            // tf32 needs the sixteen lanes of Xe2.
            if factor == TF32 && lanes == 8 {
                continue;
            }
            rows.extend([1, 2, 4, 8].map(|m| dpas([m, lanes, k], factor, acc, targets)));
        }
    }
    rows.extend(AMX.iter().map(amx));
    rows.extend(SIMDGROUP.iter().map(|&[acc, factor]| simdgroup(acc, factor)));
    for &mnk @ [m, n, k] in COOPERATIVE {
        let id = format!("vk.coopmat.{m}x{n}x{k}");
        let mnemonic = "OpCooperativeMatrixMulAddKHR".to_string();
        let types = [Elem::Device; 3];
        let row = Instruction::new(Family::Coopmat, id, mnemonic, "VK_KHR_cooperative_matrix", types, mnk, 0);
        rows.push(row.with_note(COOPERATIVE_NOTE));
    }
    rows
}

/// OpenCL, "cl_intel_subgroup_matrix_multiply_accumulate": lanes run along the columns of B and C. A is dealt out in
/// units of 16 bits (32 with eight lanes), along k and then along the rows.
fn dpas(mnk @ [m, n, k]: [i64; 3], factor: Elem, acc: Elem, targets: &'static str) -> Instruction {
    let (lanes, types) = (n, [factor, factor, acc]);
    let id = format!("intel.dpas.sg{lanes}.m{m}n{n}k{k}.{}.{}", acc.name(), factor.name());
    let mnemonic = format!("dpas.8x{m} ({})", factor.name());
    let unit: u32 = if lanes == 16 { 16 } else { 32 };
    let in_unit = log2(i64::from((unit / factor.bits()).max(1))) as usize;
    let mut slot = [all_bits('k', k), all_bits('m', m)].concat();
    let n_lane_bits = log2(lanes) as usize;
    let mut lane: Vec<Token> = slot.drain(in_unit..slot.len().min(in_unit + n_lane_bits)).collect();
    lane.resize(n_lane_bits, Token::Nothing);
    let maps = [
        Map::new("mk", [m, k], lane, slot),
        Map::new("kn", [k, n], all_bits('n', n), all_bits('k', k)),
        Map::new("mn", [m, n], all_bits('n', n), all_bits('m', m)),
    ];
    Instruction::new(Family::Dpas, id, mnemonic, targets, types, mnk, lanes as u32).with_maps(maps).with_note(DPAS_NOTE)
}

/// Intel SDM, "TDPBF16PS" and its neighbours: B's rows hold 32 bits of consecutive k for each column.
fn amx(&(k, acc, factor, mnemonic, feature): &(i64, Elem, Elem, &'static str, &'static str)) -> Instruction {
    let id = format!("x86.amx.16x16x{k}.{}.{}", acc.name(), factor.name());
    let packed = log2(i64::from(32 / factor.bits()));
    let rows = bits('m', 0..4);
    let maps = [
        Map::new("mk", [16, k], rows.clone(), all_bits('k', k)),
        Map::new("kn", [k, 16], bits('k', packed..packed + 4), [bits('k', 0..packed), bits('n', 0..4)].concat()),
        Map::new("mn", [16, 16], rows, bits('n', 0..4)),
    ];
    let types = [factor, factor, acc];
    Instruction::new(Family::Amx, id, mnemonic.to_string(), feature, types, [16, 16, k], 16)
        .with_maps(maps)
        .with_note(AMX_NOTE)
}

/// Each lane holds two neighbours of a row, in quarters of 4 x 4; the same for all three operands.
fn simdgroup(acc: Elem, factor: Elem) -> Instruction {
    let id = format!("apple.simdgroup.8x8x8.{}.{}", acc.name(), factor.name());
    let mnemonic = "simdgroup_multiply_accumulate".to_string();
    let map = |dims, row, column| {
        let lane = [(column, 1), (row, 0), (row, 1), (column, 2), (row, 2)].map(|(dim, bit)| Token::bit(dim, bit));
        Map::new(dims, [8, 8], lane.to_vec(), bits(column, 0..1))
    };
    Instruction::new(Family::SimdgroupMatrix, id, mnemonic, "apple7+", [factor, factor, acc], [8, 8, 8], 32)
        .with_maps([map("mk", 'm', 'k'), map("kn", 'k', 'n'), map("mn", 'm', 'n')])
        .with_note(SIMDGROUP_NOTE)
}
