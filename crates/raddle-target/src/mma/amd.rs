//! AMD's rows: MFMA with its sparse and scaled forms, WMMA of three generations, SWMMAC.

use super::catalogue::{Family, Instruction, Scales};
use super::elem::Elem;
use super::map::{Map, Token, all_bits, bits, log2};
use Elem::{BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, F64, I4, I8, I32, XF32};

/// Dense MFMA instructions that differ in shape only: m, n, k and the number of blocks.
struct Group {
    types: [Elem; 3],
    shapes: &'static [[i64; 4]],
    targets: &'static str,
    /// IREE has them too.
    iree: bool,
    note: &'static str,
}

const ONE_K: &str = "gfx90a spells it with the suffix _1k";
const SHORT_K: &str = "the form of gfx908 with half of k; gone in gfx940";
const ENCODINGS: &str = "8-bit floats have no negative zero on gfx940 to gfx942, and have it on gfx950";
const SPARSE: &str =
    "4:2 sparse: A holds K/2 values, two of each four; which two stands in another register, two bits each";
const SCALED: &str = "cbsz and blgp name the types; scales belong to blocks of 32 logical k, not to the lanes that hold \
                      the values; the form without scales has the same maps";
const REPLICATED: &str = "each sixteen lanes hold all of A and of B";
const HALVES: &str = "each sixteen lanes hold all of A and of B; C takes one half of each register, which op_sel picks";

/// Matrix instruction calculator, gfx908 to gfx942; AMD CDNA 4 ISA for gfx950.
#[rustfmt::skip] // One group, one row.
const DENSE: &[Group] = &[
    Group { types: [F32, F32, F32], shapes: &[[32, 32, 1, 2], [16, 16, 1, 4], [4, 4, 1, 16], [16, 16, 4, 1]], targets: "gfx908+", iree: true, note: "" },
    Group { types: [F32, F32, F32], shapes: &[[32, 32, 2, 1]], targets: "gfx908+", iree: false, note: "" },
    Group { types: [F16, F16, F32], shapes: HALF, targets: "gfx908+", iree: true, note: "" },
    Group { types: [BF16, BF16, F32], shapes: HALF, targets: "gfx90a+", iree: true, note: ONE_K },
    Group { types: [I8, I8, I32], shapes: &[[32, 32, 4, 2], [16, 16, 4, 4], [4, 4, 4, 16]], targets: "gfx908+", iree: true, note: "" },
    Group { types: [I8, I8, I32], shapes: &[[32, 32, 8, 1], [16, 16, 16, 1]], targets: "gfx908,gfx90a", iree: true, note: "" },
    Group { types: [I8, I8, I32], shapes: &[[32, 32, 16, 1], [16, 16, 32, 1]], targets: "gfx940+", iree: true, note: "" },
    Group { types: [I8, I8, I32], shapes: &[[32, 32, 32, 1], [16, 16, 64, 1]], targets: "gfx950", iree: true, note: "" },
    Group { types: [F64, F64, F64], shapes: &[[16, 16, 4, 1], [4, 4, 4, 4]], targets: "gfx90a+", iree: true, note: "" },
    Group { types: [XF32, XF32, F32], shapes: &[[16, 16, 8, 1], [32, 32, 4, 1]], targets: "gfx940,gfx941,gfx942", iree: false, note: "gone in gfx950" },
    Group { types: [F16, F16, F32], shapes: &[[16, 16, 32, 1], [32, 32, 16, 1]], targets: "gfx950", iree: true, note: "" },
    Group { types: [BF16, BF16, F32], shapes: &[[16, 16, 32, 1], [32, 32, 16, 1]], targets: "gfx950", iree: true, note: "" },
];
const HALF: &[[i64; 4]] = &[[32, 32, 4, 2], [16, 16, 4, 4], [4, 4, 4, 16], [32, 32, 8, 1], [16, 16, 16, 1]];

/// The bf16 instructions of gfx908; the last two are IREE's too.
const SHORT: &[[i64; 4]] = &[[32, 32, 2, 2], [16, 16, 2, 4], [4, 4, 2, 16], [32, 32, 4, 1], [16, 16, 8, 1]];

/// 8-bit floats, each pair.
const FP8: [[Elem; 2]; 4] = [[E4M3, E4M3], [E4M3, E5M2], [E5M2, E4M3], [E5M2, E5M2]];

/// The formats of f8f6f4.
const NARROW: [Elem; 5] = [E4M3, E5M2, E2M3, E3M2, E2M1];

/// Sparse MFMA: factors and shapes; the types of C follow.
const SMFMAC: &[([Elem; 2], [[i64; 3]; 2])] = &[
    ([F16, F16], [[16, 16, 32], [32, 32, 16]]),
    ([BF16, BF16], [[16, 16, 32], [32, 32, 16]]),
    ([I8, I8], [[16, 16, 64], [32, 32, 32]]),
    (FP8[0], [[16, 16, 64], [32, 32, 32]]),
    (FP8[1], [[16, 16, 64], [32, 32, 32]]),
    (FP8[2], [[16, 16, 64], [32, 32, 32]]),
    (FP8[3], [[16, 16, 64], [32, 32, 32]]),
];

/// What both generations of RDNA multiply; the first four are IREE's, as is every 8-bit type.
const WMMA: &[[Elem; 3]] = &[[F16, F16, F32], [BF16, BF16, F32], [F16, F16, F16], [BF16, BF16, BF16]];

pub(super) fn rows() -> Vec<Instruction> {
    let mut rows = Vec::new();
    for group in DENSE {
        for &[m, n, k, blocks] in group.shapes {
            let row = mfma([m, n, k], blocks, group.types, group.targets).with_note(group.note);
            rows.push(if group.iree { row.with_alias("MFMA", None) } else { row });
        }
    }
    for &[m, n, k, blocks] in SHORT {
        let mut row = mfma([m, n, k], blocks, [BF16, BF16, F32], "gfx908,gfx90a").with_note(SHORT_K);
        row.id += ".k2";
        row.mnemonic = format!("v_mfma_f32_{m}x{n}x{k}bf16");
        rows.push(if blocks == 1 { row.with_alias("MFMA", None) } else { row });
    }
    for [a, b] in FP8 {
        for mnk in [[16, 16, 32], [32, 32, 16]] {
            let row = mfma(mnk, 1, [a, b, F32], "gfx940+").with_note(ENCODINGS);
            rows.push(row.with_alias("MFMA", None).with_fnuz_alias("MFMA"));
        }
    }
    for mnk in [[16, 16, 128], [32, 32, 64]] {
        rows.extend(NARROW.iter().flat_map(|&a| NARROW.map(|b| mfma_scaled(mnk, a, b))));
    }
    for &(factors, shapes) in SMFMAC {
        rows.extend(shapes.map(|mnk| smfmac(mnk, factors)));
    }
    for lanes in [32, 64] {
        let int_types = [[I8, I8, I32], [I4, I4, I32]];
        rows.extend(WMMA.iter().chain(&int_types).map(|&types| wmma_gfx11(types, lanes)));
        let float_types = FP8.map(|[a, b]| [a, b, F32]);
        for &types in WMMA.iter().chain(&int_types).chain(&float_types) {
            rows.push(wmma_gfx12(types, 16, lanes));
            rows.push(swmmac(types, 32, lanes));
        }
        rows.push(wmma_gfx12(int_types[1], 32, lanes));
        rows.push(swmmac(int_types[1], 64, lanes));
    }
    rows.push(wmma_gfx1250([F32, F32, F32], 4, 2).with_alias("WMMA", None));
    for &types in WMMA {
        rows.push(wmma_gfx1250(types, 32, 8).with_alias("WMMA", Some(8)));
    }
    for [a, b] in FP8 {
        for acc in [F32, F16] {
            rows.push(wmma_gfx1250([a, b, acc], 64, 8).with_alias("WMMA", Some(8)));
            rows.push(wmma_gfx1250([a, b, acc], 128, 16).with_alias("WMMA", Some(16)));
        }
    }
    rows.push(wmma_gfx1250([I8, I8, I32], 64, 8).with_alias("WMMA", Some(8)));
    rows.extend(NARROW.iter().flat_map(|&a| NARROW.map(|b| wmma_gfx1250_narrow(a, b))));
    rows
}

fn shape([m, n, k]: [i64; 3]) -> String {
    format!("{m}x{n}x{k}")
}

/// Factor types as mnemonics end: once where that says it all.
fn factors([a, b, _]: [Elem; 3], join: &str) -> String {
    if a.bits() == 8 && a != I8 || a != b { format!("{}{join}{}", a.amd(), b.amd()) } else { a.amd().to_string() }
}

/// The same for WMMA, where modifiers say which integers are signed.
fn wmma_factors(types: [Elem; 3]) -> String {
    match types[0] {
        I8 => "iu8".to_string(),
        I4 => "iu4".to_string(),
        _ => factors(types, "_"),
    }
}

/// How A, or B as its mirror image, lies in a subgroup.
struct Factor {
    /// Rows of A, or columns of B.
    extent: i64,
    blocks: i64,
    k: i64,
    lanes: i64,
    /// Consecutive k of one lane, before the next lane's begin; at most what a lane holds.
    run: i64,
}

impl Factor {
    /// Lanes run along the rows, then through the blocks, then along k.
    fn digits(&self, dim: char) -> (Vec<Token>, Vec<Token>) {
        let mut lane = [all_bits(dim, self.extent), all_bits('b', self.blocks)].concat();
        let groups = log2(self.lanes) - lane.len() as u32;
        let k = log2(self.k);
        let run = log2(self.run).min(k - groups);
        lane.extend(bits('k', run..run + groups));
        (lane, [bits('k', 0..run), bits('k', run + groups..k)].concat())
    }

    fn a(&self) -> Map {
        let (lane, slot) = self.digits('m');
        match self.blocks {
            1 => Map::new("mk", [self.extent, self.k], lane, slot),
            blocks => Map::new("bmk", [blocks, self.extent, self.k], lane, slot),
        }
    }

    fn b(&self) -> Map {
        let (lane, slot) = self.digits('n');
        match self.blocks {
            1 => Map::new("kn", [self.k, self.extent], lane, slot),
            blocks => Map::new("bkn", [blocks, self.k, self.extent], lane, slot),
        }
    }
}

/// The accumulator of MFMA: lanes run along the columns, then along groups of four rows (single rows with f64), then
/// through the blocks; 4 x 4 has the blocks first.
fn mfma_acc([m, n]: [i64; 2], blocks: i64, acc: Elem) -> Map {
    let in_group = if acc == F64 { 0 } else { 2 };
    let (rows, blocks_bits) = (bits('m', in_group..log2(m)), all_bits('b', blocks));
    let mut beyond = if m == 4 { [blocks_bits, rows].concat() } else { [rows, blocks_bits].concat() };
    let in_slots = beyond.split_off(6 - log2(n) as usize);
    let (lane, slot) = ([all_bits('n', n), beyond].concat(), [bits('m', 0..in_group), in_slots].concat());
    match blocks {
        1 => Map::new("mn", [m, n], lane, slot),
        _ => Map::new("bmn", [blocks, m, n], lane, slot),
    }
}

fn mfma(mnk @ [m, n, k]: [i64; 3], blocks: i64, types: [Elem; 3], targets: &'static str) -> Instruction {
    let (shape, acc) = (shape(mnk), types[2].name());
    let id = format!("amd.mfma.{acc}.{shape}.{blocks}b.{}", factors(types, "."));
    let infix = if blocks == 1 { String::new() } else { format!("{blocks}b_") };
    let mnemonic = format!("v_mfma_{acc}_{shape}_{infix}{}", factors(types, "_"));
    let [a, b] = [m, n].map(|extent| Factor { extent, blocks, k, lanes: 64, run: k });
    Instruction::new(Family::Mfma, id, mnemonic, targets, types, mnk, 64).with_blocks(blocks).with_maps([
        a.a(),
        b.b(),
        mfma_acc([m, n], blocks, types[2]),
    ])
}

/// Consecutive k of one lane in f8f6f4: 128 bits of 8-bit floats, 32 of the narrower ones.
fn narrow_run(elem: Elem) -> i64 {
    if elem.bits() == 8 { 16 } else { 32 }
}

fn mfma_scaled(mnk @ [m, n, k]: [i64; 3], a: Elem, b: Elem) -> Instruction {
    let (shape, types) = (shape(mnk), [a, b, F32]);
    let id = format!("amd.mfma_scale.f32.{shape}.f8f6f4.{}.{}", a.amd(), b.amd());
    let mnemonic = format!("v_mfma_scale_f32_{shape}_f8f6f4");
    let factor = |extent, elem| Factor { extent, blocks: 1, k, lanes: 64, run: narrow_run(elem) };
    let (block, per_row) = (32, k / 32);
    let scale = |dims, dim, extent| {
        Map::new(dims, [extent, per_row], [all_bits(dim, extent), all_bits('s', per_row)].concat(), Vec::new())
    };
    let maps = [scale("ms", 'm', m), scale("ns", 'n', n)];
    let scales = Scales { block, elem: Elem::UE8M0, maps, note: "op_sel picks the byte of the register" };
    let row = Instruction::new(Family::Mfma, id, mnemonic, "gfx950", types, mnk, 64)
        .with_maps([factor(m, a).a(), factor(n, b).b(), mfma_acc([m, n], 1, F32)])
        .with_scales(scales)
        .with_note(SCALED);
    // IREE's names stand for the form without scales: only there may k be permuted.
    if a.bits() == 8 && b.bits() == 8 { row.with_alias("MFMA", Some(16)) } else { row }
}

fn smfmac(mnk @ [m, n, k]: [i64; 3], [a, b]: [Elem; 2]) -> Instruction {
    let acc = if a == I8 { I32 } else { F32 };
    let (shape, types) = (shape(mnk), [a, b, acc]);
    let id = format!("amd.smfmac.{}.{shape}.{}.{}", acc.name(), a.name(), b.name());
    let mnemonic = format!("v_smfmac_{}_{shape}_{}", acc.name(), factors(types, "_"));
    let stored = Factor { extent: m, blocks: 1, k: k / 2, lanes: 64, run: k };
    let dense = Factor { extent: n, blocks: 1, k, lanes: 64, run: k };
    Instruction::new(Family::Smfmac, id, mnemonic, "gfx940+", types, mnk, 64)
        .with_maps([stored.a(), dense.b(), mfma_acc([m, n], 1, acc)])
        .with_sparse()
        .with_note(SPARSE)
}

/// RDNA 3 ISA, "WMMA": C deals its rows out to the groups of sixteen lanes in turn; 16-bit values take every other half
/// of its registers.
fn wmma_gfx11(types @ [a, b, acc]: [Elem; 3], lanes: i64) -> Instruction {
    let id = format!("amd.wmma.gfx11.w{lanes}.{}.16x16x16.{}", acc.name(), a.name());
    let mnemonic = format!("v_wmma_{}_16x16x16_{}", acc.name(), wmma_factors(types));
    let groups = log2(lanes) - 4;
    let copies = vec![Token::Same; groups as usize];
    let factor = |dim| ([bits(dim, 0..4), copies.clone()].concat(), bits('k', 0..4));
    let ((a_lane, a_slot), (b_lane, b_slot)) = (factor('m'), factor('n'));
    let c_lane = [bits('n', 0..4), bits('m', 0..groups)].concat();
    let maps = [
        Map::new("mk", [16, 16], a_lane, a_slot),
        Map::new("kn", [16, 16], b_lane, b_slot),
        Map::new("mn", [16, 16], c_lane, bits('m', groups..4)),
    ];
    let half = acc.bits() == 16;
    let row = Instruction::new(Family::WmmaGfx11, id, mnemonic, "gfx11", types, [16, 16, 16], lanes as u32)
        .with_maps(maps)
        .with_slot_strides([1, 1, if half { 2 } else { 1 }])
        .with_note(if half { HALVES } else { REPLICATED });
    if lanes == 32 && b != I4 { row.with_alias("WMMAR3", None) } else { row }
}

/// The accumulator of gfx12 and gfx1250: each half of 32 lanes has half of the rows.
fn wmma_acc() -> Map {
    let lane = [bits('n', 0..4), bits('m', 3..4)].concat();
    Map::new("mn", [16, 16], lane, bits('m', 0..3))
}

/// The map of 64 lanes from the one of 32: the last bit of the slot moves to the lane. A register that is full with less
/// leaves the upper half of the lanes empty.
fn widen(mut map: Map, lanes: i64, width: u32) -> Map {
    if lanes == 64 {
        let full = map.n_slots() * i64::from(width) <= 32;
        let top = if full { None } else { map.slot.pop() };
        map.lane.push(top.unwrap_or(Token::Nothing));
    }
    map
}

/// RDNA 4 ISA, "WMMA": runs of 64 bits of k.
fn wmma_gfx12(types @ [a, b, acc]: [Elem; 3], k: i64, lanes: i64) -> Instruction {
    let mnk = [16, 16, k];
    let shape = shape(mnk);
    let id = format!("amd.wmma.gfx12.w{lanes}.{}.{shape}.{}.{}", acc.name(), a.name(), b.name());
    let mnemonic = format!("v_wmma_{}_{shape}_{}", acc.name(), wmma_factors(types));
    let factor = Factor { extent: 16, blocks: 1, k, lanes: 32, run: i64::from(64 / a.bits()) };
    let maps =
        [widen(factor.a(), lanes, a.bits()), widen(factor.b(), lanes, b.bits()), widen(wmma_acc(), lanes, acc.bits())];
    let row = Instruction::new(Family::WmmaGfx12, id, mnemonic, "gfx12", types, mnk, lanes as u32).with_maps(maps);
    match a.bits() {
        16 if lanes == 32 => row.with_alias("WMMAR4", Some(4)),
        8 if lanes == 32 => row.with_alias("WMMAR4", None),
        _ => row,
    }
}

/// RDNA 4 ISA, "SWMMAC": runs of 64 bits of A's stored values, of 128 bits of B's k.
fn swmmac(types @ [a, b, acc]: [Elem; 3], k: i64, lanes: i64) -> Instruction {
    let mnk = [16, 16, k];
    let shape = shape(mnk);
    let id = format!("amd.swmmac.w{lanes}.{}.{shape}.{}.{}", acc.name(), a.name(), b.name());
    let mnemonic = format!("v_swmmac_{}_{shape}_{}", acc.name(), wmma_factors(types));
    let stored = Factor { extent: 16, blocks: 1, k: k / 2, lanes: 32, run: i64::from(64 / a.bits()) };
    let dense = Factor { extent: 16, blocks: 1, k, lanes: 32, run: i64::from(128 / b.bits()) };
    let maps =
        [widen(stored.a(), lanes, a.bits()), widen(dense.b(), lanes, b.bits()), widen(wmma_acc(), lanes, acc.bits())];
    Instruction::new(Family::Swmmac, id, mnemonic, "gfx12", types, mnk, lanes as u32)
        .with_maps(maps)
        .with_sparse()
        .with_note(SPARSE)
}

fn wmma_gfx1250_row(types @ [a, b, acc]: [Elem; 3], k: i64, runs: [i64; 2], suffixes: [&str; 2]) -> Instruction {
    let mnk = [16, 16, k];
    let shape = shape(mnk);
    let id = format!("amd.wmma.gfx1250.{}.{shape}.{}.{}{}", acc.name(), a.name(), b.name(), suffixes[0]);
    let mnemonic = format!("v_wmma_{}_{shape}_{}", acc.name(), suffixes[1]);
    let [a, b] = runs.map(|run| Factor { extent: 16, blocks: 1, k, lanes: 32, run });
    Instruction::new(Family::WmmaGfx1250, id, mnemonic, "gfx1250", types, mnk, 32).with_maps([a.a(), b.b(), wmma_acc()])
}

fn wmma_gfx1250(types: [Elem; 3], k: i64, run: i64) -> Instruction {
    wmma_gfx1250_row(types, k, [run, run], ["", &wmma_factors(types)])
}

fn wmma_gfx1250_narrow(a: Elem, b: Elem) -> Instruction {
    wmma_gfx1250_row([a, b, F32], 128, [narrow_run(a), narrow_run(b)], [".f8f6f4", "f8f6f4"])
}
