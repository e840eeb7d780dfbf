//! NVIDIA's rows: mma.sync, its block-scaled forms, wgmma and wmma.

use raddle_ir::Scalar;

use super::catalogue::{Combine, Family, Instruction, Place, Scales};
use super::elem::Elem;
use super::map::{Map, Token, bits, log2};
use Elem::{B1, BF16, E2M1, E2M3, E3M2, E4M3, E5M2, F16, F32, F64, S4, S8, S32, TF32, U4, U8};

/// Which pairs of factor types a row has.
enum Pairs {
    /// Each type with itself.
    Equal(&'static [Elem]),
    /// Each type with each other type.
    Mixed(&'static [Elem]),
    /// Each type with each type.
    Any(&'static [Elem]),
}

/// Instructions that differ in shape and types only.
struct Group {
    shapes: &'static [[i64; 3]],
    factors: Pairs,
    accs: &'static [Elem],
    since: &'static str,
    /// Passes know them, by IREE's name or one like it.
    named: bool,
}

use Pairs::{Any, Equal, Mixed};

/// PTX ISA, "Matrix Fragments for mma.m16n8k8" and the sections after it.
#[rustfmt::skip] // One group, one row.
const SYNC: &[Group] = &[
    Group { shapes: &[[16, 8, 8]], factors: Equal(&[F16]), accs: &[F16, F32], since: "sm_75", named: false },
    Group { shapes: &[[16, 8, 16]], factors: Equal(&[F16]), accs: &[F16, F32], since: "sm_80", named: true },
    Group { shapes: &[[16, 8, 8]], factors: Equal(&[BF16]), accs: &[F32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 16]], factors: Equal(&[BF16]), accs: &[F32], since: "sm_80", named: true },
    Group { shapes: &[[16, 8, 4]], factors: Equal(&[TF32]), accs: &[F32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 8]], factors: Equal(&[TF32]), accs: &[F32], since: "sm_80", named: true },
    Group { shapes: &[[8, 8, 4]], factors: Equal(&[F64]), accs: &[F64], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 4], [16, 8, 8], [16, 8, 16]], factors: Equal(&[F64]), accs: &[F64], since: "sm_90", named: false },
    Group { shapes: &[[8, 8, 16]], factors: Any(&[S8, U8]), accs: &[S32], since: "sm_75", named: false },
    Group { shapes: &[[16, 8, 16]], factors: Any(&[S8, U8]), accs: &[S32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 32]], factors: Mixed(&[S8, U8]), accs: &[S32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 32]], factors: Equal(&[S8]), accs: &[S32], since: "sm_80", named: true },
    Group { shapes: &[[16, 8, 32]], factors: Equal(&[U8]), accs: &[S32], since: "sm_80", named: false },
    Group { shapes: &[[8, 8, 32]], factors: Any(&[S4, U4]), accs: &[S32], since: "sm_75", named: false },
    Group { shapes: &[[16, 8, 32], [16, 8, 64]], factors: Any(&[S4, U4]), accs: &[S32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 16]], factors: Any(&[E4M3, E5M2]), accs: &[F16, F32], since: "sm_89", named: false },
    Group { shapes: &[[16, 8, 32]], factors: Any(&[E4M3, E5M2]), accs: &[F16], since: "sm_89", named: false },
    Group { shapes: &[[16, 8, 32]], factors: Any(&[E4M3, E5M2]), accs: &[F32], since: "sm_89", named: true },
];

/// PTX ISA, "Multiply-and-Accumulate with sparse matrix A"; of 4-bit integers nobody asked.
#[rustfmt::skip] // One group, one row.
const SPARSE: &[Group] = &[
    Group { shapes: &[[16, 8, 16], [16, 8, 32]], factors: Equal(&[F16]), accs: &[F16, F32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 16], [16, 8, 32]], factors: Equal(&[BF16]), accs: &[F32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 8], [16, 8, 16]], factors: Equal(&[TF32]), accs: &[F32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 32], [16, 8, 64]], factors: Any(&[S8, U8]), accs: &[S32], since: "sm_80", named: false },
    Group { shapes: &[[16, 8, 64]], factors: Any(&[E4M3, E5M2]), accs: &[F32], since: "sm_89", named: false },
];

/// One-bit products: how bits combine, since when.
const SYNC_BITS: &[([i64; 3], Combine, &str)] = &[
    ([8, 8, 128], Combine::Xor, "sm_75"),
    ([16, 8, 128], Combine::Xor, "sm_80"),
    ([16, 8, 256], Combine::Xor, "sm_80"),
    ([8, 8, 128], Combine::And, "sm_80"),
    ([16, 8, 128], Combine::And, "sm_80"),
    ([16, 8, 256], Combine::And, "sm_80"),
];

/// The formats of sm_120's `kind::f8f6f4`.
const NARROW: &[Elem] = &[E4M3, E5M2, E3M2, E2M3, E2M1];

/// Kind, scales in one 32-bit register, elements of k per scale, type of the scales.
const FP4_SCALED: &[(&str, &str, i64, Elem)] =
    &[("mxf4", "2X", 32, Elem::UE8M0), ("mxf4nvf4", "2X", 32, Elem::UE8M0), ("mxf4nvf4", "4X", 16, Elem::UE4M3)];

/// PTX ISA, "wgmma.mma_async": k, factors, accumulators.
const WARPGROUP: &[(i64, Pairs, &[Elem])] = &[
    (16, Equal(&[F16]), &[F32, F16]),
    (16, Equal(&[BF16]), &[F32]),
    (8, Equal(&[TF32]), &[F32]),
    (32, Any(&[E4M3, E5M2]), &[F32, F16]),
    (32, Any(&[S8, U8]), &[S32]),
    (256, Equal(&[B1]), &[S32]),
];

/// Columns of a wgmma with floats: every multiple of 8.
const COLUMNS: &[i64] = &[
    8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168, 176, 184, 192, 200,
    208, 216, 224, 232, 240, 248, 256,
];

/// Columns of a wgmma with integers.
const INT_COLUMNS: &[i64] = &[8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];

/// Instructions whose layout is unspecified.
struct Opaque {
    shapes: &'static [[i64; 3]],
    /// Types in ids and in mnemonics.
    names: [&'static str; 2],
    types: [Elem; 3],
    since: &'static str,
}

/// PTX ISA, "wmma.mma".
#[rustfmt::skip] // One group, one row.
const OPAQUE: &[Opaque] = &[
    Opaque { shapes: OPAQUE_SHAPES, names: ["f16.f16", "f16.f16"], types: [F16, F16, F16], since: "sm_70" },
    Opaque { shapes: OPAQUE_SHAPES, names: ["f32.f16", "f32.f32"], types: [F16, F16, F32], since: "sm_70" },
    Opaque { shapes: OPAQUE_SHAPES, names: ["f32.bf16", "f32.bf16.bf16.f32"], types: [BF16, BF16, F32], since: "sm_80" },
    Opaque { shapes: OPAQUE_SHAPES, names: ["s32.s8", "s32.s8.s8.s32"], types: [S8, S8, S32], since: "sm_72" },
    Opaque { shapes: OPAQUE_SHAPES, names: ["s32.u8", "s32.u8.u8.s32"], types: [U8, U8, S32], since: "sm_72" },
    Opaque { shapes: &[[16, 16, 8]], names: ["f32.tf32", "f32.tf32.tf32.f32"], types: [TF32, TF32, F32], since: "sm_80" },
    Opaque { shapes: &[[8, 8, 4]], names: ["f64", "f64.f64.f64.f64"], types: [F64, F64, F64], since: "sm_80" },
];
const OPAQUE_SHAPES: &[[i64; 3]] = &[[16, 16, 16], [32, 8, 16], [8, 32, 16]];

const CONTAINERS: &str = "6-bit and 4-bit types sit in 8-bit containers: e2m1 in bits 5:2, e3m2 and e2m3 in bits 5:0";
const QUADS: &str = "four independent products, one for each pair of lane quads; slow after sm_70";
const WARPGROUP_NOTE: &str = "executed by four subgroups; A lies in registers or in shared memory, B in shared memory";
const OPAQUE_NOTE: &str = "the layout is unspecified: only its own loads and stores know it";

pub(super) fn rows() -> Vec<Instruction> {
    let mut rows = Vec::new();
    volta(&mut rows);
    for group in SYNC {
        for &mnk in group.shapes {
            for &acc in group.accs {
                for [a, b] in group.factors.list() {
                    let row = sync(mnk, [a, b, acc], group.since, ["", ""]);
                    rows.push(if group.named { row.with_alias("NV_MMA_SYNC", None) } else { row });
                }
            }
        }
    }
    for group in SPARSE {
        for (&mnk, &acc) in group.shapes.iter().flat_map(|mnk| group.accs.iter().map(move |acc| (mnk, acc))) {
            rows.extend(group.factors.list().into_iter().map(|[a, b]| sparse(mnk, [a, b, acc], group.since)));
        }
    }
    for &(mnk, combine, since) in SYNC_BITS {
        let name = if combine == Combine::Xor { "xor" } else { "and" };
        let suffixes = [format!(".{name}"), format!(".{name}.popc")];
        let row = sync(mnk, [B1, B1, S32], since, [&suffixes[0], &suffixes[1]]);
        rows.push(row.with_combine(combine));
    }
    for [a, b] in Any(NARROW).list() {
        for acc in [F32, F16] {
            rows.push(narrow([a, b, acc]));
        }
        rows.push(narrow_scaled([a, b, F32]));
    }
    rows.extend(FP4_SCALED.iter().map(fp4_scaled));
    for (k, types) in warpgroup_types() {
        rows.extend(columns(types).iter().map(|&n| warpgroup([64, n, k], types)));
    }
    for group in OPAQUE {
        rows.extend(group.shapes.iter().map(|&mnk| opaque(mnk, group)));
    }
    rows
}

/// Elements of k, and the types of A, B and C of each wgmma.
fn warpgroup_types() -> impl Iterator<Item = (i64, [Elem; 3])> {
    WARPGROUP.iter().flat_map(|&(k, ref factors, accs)| {
        accs.iter().flat_map(move |&acc| factors.list().into_iter().map(move |[a, b]| (k, [a, b, acc])))
    })
}

/// The columns that a wgmma of these types may have.
fn columns([_, _, acc]: [Elem; 3]) -> &'static [i64] {
    if acc == S32 { INT_COLUMNS } else { COLUMNS }
}

/// The wgmma of so many columns and elements of k for these types. It is made alone: a kernel has one or two of hundreds.
pub(super) fn warpgroup_of([n, k]: [i64; 2], types: [Scalar; 3]) -> Option<Instruction> {
    let is_it = |&(depth, elems): &(i64, [Elem; 3])| depth == k && elems.map(Elem::scalar) == types.map(Some);
    let (_, types) = warpgroup_types().find(is_it)?;
    columns(types).contains(&n).then(|| warpgroup([64, n, k], types))
}

impl Pairs {
    fn list(&self) -> Vec<[Elem; 2]> {
        let (Equal(elems) | Mixed(elems) | Any(elems)) = self;
        let keep = |[a, b]: &[Elem; 2]| match self {
            Equal(_) => a == b,
            Mixed(_) => a != b,
            Any(_) => true,
        };
        elems.iter().flat_map(|&a| elems.iter().map(move |&b| [a, b])).filter(keep).collect()
    }
}

fn shape([m, n, k]: [i64; 3]) -> String {
    format!("m{m}n{n}k{k}")
}

/// Types as mma.sync spells them: d, a, b, c.
fn signature([a, b, c]: [Elem; 3]) -> String {
    format!("{}.{}.{}.{}", c.name(), a.name(), b.name(), c.name())
}

/// `suffixes` of the id and the mnemonic.
fn sync(mnk: [i64; 3], types: [Elem; 3], since: &'static str, suffixes: [&str; 2]) -> Instruction {
    let (shape, signature) = (shape(mnk), signature(types));
    let id = format!("nv.mma.{shape}.{signature}{}", suffixes[0]);
    let mnemonic = format!("mma.sync.aligned.{shape}.row.col.{signature}{}", suffixes[1]);
    let widths = types.map(Elem::bits);
    Instruction::new(Family::MmaSync, id, mnemonic, since, types, mnk, 32).with_maps(fragments(mnk, widths[0]))
}

/// What is stored of A lies as all of a dense one would that is half as wide.
fn sparse(mnk @ [m, n, k]: [i64; 3], types: [Elem; 3], since: &'static str) -> Instruction {
    let (shape, signature) = (shape(mnk), signature(types));
    let id = format!("nv.mma.sp.{shape}.{signature}");
    let mnemonic = format!("mma.sp.sync.aligned.{shape}.row.col.{signature}");
    let [[a, _, _], [_, b, c]] = [k / 2, k].map(|k| fragments([m, n, k], types[0].bits()));
    Instruction::new(Family::MmaSync, id, mnemonic, since, types, mnk, 32).with_maps([a, b, c]).with_sparse()
}

/// `kind::f8f6f4`: the fragments of 8-bit types.
fn narrow(types: [Elem; 3]) -> Instruction {
    let (mnk, signature) = ([16, 8, 32], signature(types));
    let id = format!("nv.mma.f8f6f4.m16n8k32.{signature}");
    let mnemonic = format!("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.{signature}");
    Instruction::new(Family::MmaSync, id, mnemonic, "sm_120a", types, mnk, 32)
        .with_maps(fragments(mnk, 8))
        .with_containers([8, 8, types[2].bits()])
        .with_note(CONTAINERS)
}

fn narrow_scaled(types: [Elem; 3]) -> Instruction {
    let (mnk, signature) = ([16, 8, 32], signature(types));
    let id = format!("nv.mma.mxf8f6f4.m16n8k32.{signature}");
    let mnemonic =
        format!("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.{signature}.ue8m0");
    Instruction::new(Family::MmaSyncBlockScale, id, mnemonic, "sm_120a", types, mnk, 32)
        .with_maps(fragments(mnk, 8))
        .with_containers([8, 8, types[2].bits()])
        .with_scales(scales(mnk, 32, Elem::UE8M0))
        .with_note(CONTAINERS)
}

fn fp4_scaled(&(kind, vector, block, scale): &(&str, &str, i64, Elem)) -> Instruction {
    let (mnk, types) = ([16, 8, 64], [E2M1, E2M1, F32]);
    let (signature, scale_name) = (signature(types), scale.name());
    let id = format!("nv.mma.{kind}.{vector}.m16n8k64.{signature}.{scale_name}");
    let mnemonic = format!(
        "mma.sync.aligned.m16n8k64.row.col.kind::{kind}.block_scale.scale_vec::{vector}.{signature}.{scale_name}"
    );
    Instruction::new(Family::MmaSyncBlockScale, id, mnemonic, "sm_120a", types, mnk, 32)
        .with_maps(fragments(mnk, 4))
        .with_scales(scales(mnk, block, scale))
}

/// A row of eight lanes groups by four; each lane has 32 bits of consecutive k (one f64). Then come the lower half of
/// the rows, then more of k.
fn fragments([m, n, k]: [i64; 3], width: u32) -> [Map; 3] {
    let run = log2(i64::from(32 / width.min(32)));
    let k_bits = log2(k);
    let rows = bits('m', 0..3);
    let lower = bits('m', 3..log2(m));
    let in_run = bits('k', 0..run);
    let in_lane = bits('k', run..run + 2);
    let beyond = bits('k', run + 2..k_bits);
    let a = Map::new("mk", [m, k], [in_lane.clone(), rows.clone()].concat(), [&in_run[..], &lower, &beyond].concat());
    let b = Map::new("kn", [k, n], [in_lane, bits('n', 0..3)].concat(), [in_run, beyond].concat());
    let c = Map::new("mn", [m, n], [bits('n', 1..3), rows].concat(), [bits('n', 0..1), lower].concat());
    [a, b, c]
}

/// PTX ISA, "Block Scaling for mma.sync": the lanes of a quad that a selector names hold the scales, a byte each.
fn scales([m, n, k]: [i64; 3], block: i64, elem: Elem) -> Scales {
    let per_row = k / block;
    let bytes = bits('s', 0..log2(per_row));
    let a = [&[Token::bit('m', 3), Token::Same][..], &bits('m', 0..3)].concat();
    let b = [&[Token::Same, Token::Same][..], &bits('n', 0..3)].concat();
    let maps = [Map::new("ms", [m, per_row], a, bytes.clone()), Map::new("ns", [n, per_row], b, bytes)];
    let note = "thread-id picks lanes of each quad where several could hold the scales, byte-id the bytes";
    Scales { block, elem, maps, note }
}

/// PTX ISA, "Matrix Fragments for mma.m8n8k4": sm_70's. Lanes with equal bits 2 and 3 multiply 8 x 4 by 4 x 8.
fn volta(rows: &mut Vec<Instruction>) {
    let quads = || bits('b', 0..2);
    // Four lanes along one dimension, the pair of quads, the other half; slots along the other dimension.
    let factor = |dims, shape, along: char, slots: char, half: char| {
        let lane = [bits(along, 0..2), quads(), bits(half, 2..3)].concat();
        Map::new(dims, shape, lane, bits(slots, 0..2))
    };
    for acc in [F16, F32] {
        for a_order in ["row", "col"] {
            for b_order in ["row", "col"] {
                let types = [F16, F16, acc];
                let (mnk, signature) = ([8, 8, 4], signature(types));
                let (along, slots) = if a_order == "row" { ('m', 'k') } else { ('k', 'm') };
                let a = factor("bmk", [4, 8, 4], along, slots, 'm');
                let (along, slots) = if b_order == "col" { ('n', 'k') } else { ('k', 'n') };
                let b = factor("bkn", [4, 4, 8], along, slots, 'n');
                let (n1, m1) = (Token::bit('n', 1), Token::bit('m', 1));
                // With f32 the lanes trade a bit of m for a bit of n.
                let (in_lane, in_slot) = if acc == F16 { (m1, n1) } else { (n1, m1) };
                let lane = [&[Token::bit('m', 0), in_lane][..], &quads(), &bits('m', 2..3)].concat();
                let slot = vec![Token::bit('n', 0), in_slot, Token::bit('n', 2)];
                let c = Map::new("bmn", [4, 8, 8], lane, slot);
                let id = format!("nv.mma.m8n8k4.{a_order}.{b_order}.{signature}");
                let mnemonic = format!("mma.sync.aligned.m8n8k4.{a_order}.{b_order}.{signature}");
                let row = Instruction::new(Family::MmaSync, id, mnemonic, "sm_70", types, mnk, 32);
                rows.push(row.with_blocks(4).with_maps([a, b, c]).with_note(QUADS));
            }
        }
    }
}

/// PTX ISA, "Register Fragments and Shared Memory Matrix Layouts": the fragments of mma.sync, 16 rows to each subgroup,
/// the accumulator's columns in eights.
fn warpgroup(mnk @ [m, n, k]: [i64; 3], types @ [a, b, acc]: [Elem; 3]) -> Instruction {
    let (shape, names) = (shape(mnk), format!("{}.{}.{}", acc.name(), a.name(), b.name()));
    let suffix = if a == B1 { ".and.popc" } else { "" };
    let id = format!("nv.wgmma.{shape}.{names}{suffix}");
    let mnemonic = format!("wgmma.mma_async.sync.aligned.{shape}.{names}{suffix}");
    let [mut map_a, _, mut map_c] = fragments([16, 8, k], a.bits());
    let eights = n / 8;
    if eights & (eights - 1) == 0 {
        map_c.slot.extend(bits('n', 3..3 + log2(eights)));
    } else {
        map_c.slot.push(Token::Digit { dim: 'n', bit: 3, extent: eights });
    }
    (map_a.shape, map_c.shape) = (vec![m, k], vec![m, n]);
    let [map_a, map_c] = [map_a, map_c].map(|map| map.with_subgroup(bits('m', 4..6)));
    Instruction::new(Family::Wgmma, id, mnemonic, "sm_90a", types, mnk, 128)
        .with_places([Place::Registers(map_a), Place::Shared, Place::Registers(map_c)])
        .with_combine(if a == B1 { Combine::And } else { Combine::Multiply })
        .with_legal_n(columns(types))
        .with_note(WARPGROUP_NOTE)
}

fn opaque(mnk: [i64; 3], group: &Opaque) -> Instruction {
    let (shape, [name, operands], types) = (shape(mnk), group.names, group.types);
    let id = format!("nv.wmma.{shape}.{name}");
    let mnemonic = format!("wmma.mma.sync.aligned.row.col.{shape}.{operands}");
    let row = Instruction::new(Family::Wmma, id, mnemonic, group.since, types, mnk, 32).with_note(OPAQUE_NOTE);
    if mnk == [16, 16, 16] && types[0] == F16 { row.with_alias("NV_WMMA", None) } else { row }
}
