//! Each row of the instruction table, against itself and against the vendors' maps.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{Float, Opcode, Scalar};
use raddle_layout::picture::{Mode, Options, bits, draw};
use raddle_layout::{Hardware, Spread};
use raddle_target::{CHIPS, MMAS, Mma, Operand, Vendor, chip, mma};

/// The layouts cover the tile: each element has the same number of owners, and as many as lanes and slots allow.
#[test]
fn fragments_cover_their_tiles() {
    for mma in MMAS {
        let shapes = [[mma.m, mma.k], [mma.k, mma.n], [mma.m, mma.n]];
        for operand in Operand::ALL {
            for fragment in [*mma.fragment(operand), mma.hardware_fragment(operand)] {
                assert_eq!(fragment.shape(), shapes[operand as usize], "{} {operand:?}", mma.name);
                let mut owners: BTreeMap<[i64; 2], i64> = BTreeMap::new();
                for lane in 0..i64::from(mma.subgroup_size) {
                    for slot in 0..fragment.n_slots() {
                        *owners.entry(fragment.coord(lane, slot)).or_default() += 1;
                    }
                }
                let [rows, columns] = fragment.shape();
                assert_eq!(owners.len() as i64, rows * columns, "{} {operand:?}", mma.name);
                // Of several blocks, the fragment is each one's.
                let copies = i64::from(mma.subgroup_size) * fragment.n_slots() / (rows * columns);
                assert!(owners.values().all(|&n| n == copies), "{} {operand:?}", mma.name);
            }
        }
    }
}

/// A name says the accumulator's type, the shape and the factors' types.
#[test]
fn names_say_shape_and_types() {
    for mma in MMAS {
        let words: Vec<String> = mma.types.iter().map(|ty| ty.to_string().to_uppercase()).collect();
        let [a, b, c] = &words[..] else { unreachable!() };
        // What reads a type in the precision of another one is named by that.
        let a = if mma.on_request { "TF32" } else { a };
        let factors = if mma.on_request || a == b { a.to_owned() } else { format!("{a}_{b}") };
        let blocks = mma.blocks.map_or(String::new(), |blocks| format!("x{}B", blocks.n));
        let rest = format!("_{c}_{}x{}x{}{blocks}_{factors}", mma.m, mma.n, mma.k);
        assert!(mma.name.ends_with(&rest), "{} does not end in {rest}", mma.name);
        let shape = match mma.opcode {
            Opcode::NvgpuMmaSync => format!("m{}n{}k{}", mma.m, mma.n, mma.k),
            _ => format!("{}x{}x{}", mma.m, mma.n, mma.k),
        };
        assert!(mma.mnemonic.contains(&shape), "{}", mma.name);
    }
}

/// An operation finds its row: no two rows share everything that an operation shows.
#[test]
fn rows_are_distinct() {
    let mut names = BTreeSet::new();
    let mut keys = BTreeSet::new();
    for mma in MMAS {
        assert!(names.insert(mma.name), "{} twice", mma.name);
        let types = mma.types.map(|ty| ty.to_string());
        assert!(keys.insert((mma.opcode, mma.m, mma.n, mma.k, types, mma.fragments[0].n_slots())), "{}", mma.name);
    }
}

/// Where a row gives each lane one run of k and the hardware has several, A and B differ from the hardware by the same
/// permutation of k, and C does not differ.
#[test]
fn permuted_k_is_the_same_for_both_factors() {
    let permuted: Vec<&Mma> = MMAS.iter().filter(|mma| mma.k_run.is_some()).collect();
    assert!(!permuted.is_empty());
    for mma in permuted {
        let (a, b) = (mma.fragment(Operand::A), mma.fragment(Operand::B));
        let (hard_a, hard_b) = (mma.hardware_fragment(Operand::A), mma.hardware_fragment(Operand::B));
        assert_eq!(*mma.fragment(Operand::C), mma.hardware_fragment(Operand::C));
        let mut k_of: BTreeMap<i64, i64> = BTreeMap::new();
        for lane in 0..i64::from(mma.subgroup_size) {
            for slot in 0..a.n_slots() {
                let ([m, k], [hard_m, hard_k]) = (a.coord(lane, slot), hard_a.coord(lane, slot));
                assert_eq!(m, hard_m);
                assert_eq!(*k_of.entry(hard_k).or_insert(k), k, "{}", mma.name);
                let ([k, n], [hard_k, hard_n]) = (b.coord(lane, slot), hard_b.coord(lane, slot));
                assert_eq!(n, hard_n);
                assert_eq!(*k_of.entry(hard_k).or_insert(k), k, "{}", mma.name);
            }
        }
        assert_ne!(a, &hard_a, "{}", mma.name);
    }
}

/// The nested layout of repeated fragments agrees with the fragment where slots are in row-major order, and is a
/// permutation of slots elsewhere.
#[test]
fn nested_layouts_agree_with_fragments() {
    for mma in MMAS {
        for operand in Operand::ALL {
            let fragment = mma.fragment(operand);
            let nested = fragment.nested([2, 3], [1, 2], [0, 1]);
            nested.check().unwrap();
            let [rows, columns] = fragment.shape();
            assert_eq!(nested.undistributed_shape(), [2 * rows, 6 * columns]);
            assert!(nested.n_lanes() <= i64::from(mma.subgroup_size));
            for lane in 0..i64::from(mma.subgroup_size) {
                let slots = 0..fragment.n_slots();
                let ours: BTreeSet<Vec<i64>> = slots.clone().map(|slot| nested.coord(0, lane, slot)).collect();
                let theirs: BTreeSet<Vec<i64>> = slots.map(|slot| fragment.coord(lane, slot).to_vec()).collect();
                assert_eq!(ours, theirs, "{} {operand:?}", mma.name);
            }
        }
    }
}

fn rows_of(picture: &str) -> Vec<Vec<i64>> {
    let row = |line: &str| line.split_whitespace().map(|word| word.parse().ok()).collect::<Option<Vec<i64>>>();
    picture.lines().filter_map(row).filter(|row| !row.is_empty()).collect()
}

/// The talk's "MFMA_16x16x16, Layout for B": rows n, columns k; lane n of four groups of sixteen, each with four k.
#[test]
fn mfma_b_is_drawn_as_in_the_talk() {
    let view = mma("MFMA_F32_16x16x16_F16").unwrap().view(Operand::B).unwrap().transposed();
    let picture = draw(&view, &Options::default()).unwrap();
    let expected: Vec<Vec<i64>> = (0..16).map(|n| (0..16).map(|k| n + 16 * (k / 4)).collect()).collect();
    assert_eq!(rows_of(&picture), expected);
    assert_eq!(expected[0], [0, 0, 0, 0, 16, 16, 16, 16, 32, 32, 32, 32, 48, 48, 48, 48]);
    assert_eq!(expected[15], [15, 15, 15, 15, 31, 31, 31, 31, 47, 47, 47, 47, 63, 63, 63, 63]);
    assert!(picture.contains("drawn transposed"), "{picture}");
    assert!(picture.contains("rows n, columns k"), "{picture}");
}

/// The talk's "MMA_16x8x16, Layout for C": two tiles of eight columns side by side.
#[test]
fn mma_sync_c_is_drawn_as_in_the_talk() {
    let instruction = mma("NV_MMA_SYNC_F32_16x8x16_F16").unwrap();
    let picture = draw(&instruction.view(Operand::C).unwrap().repeated([1, 2]).unwrap(), &Options::default()).unwrap();
    let expected: Vec<Vec<i64>> = (0..16).map(|m| (0..16).map(|n| m % 8 * 4 + n % 8 / 2).collect()).collect();
    assert_eq!(rows_of(&picture), expected);
    assert_eq!(expected[0], [0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(expected[9], [4, 4, 5, 5, 6, 6, 7, 7, 4, 4, 5, 5, 6, 6, 7, 7]);
    assert!(picture.contains("2 of them along n, each with its own 4 slots"), "{picture}");
    assert!(picture.contains(" 0  0  1  1  2  2  3  3  0  0  1  1  2  2  3  3\n"), "{picture}");

    let single = instruction.view(Operand::C).unwrap();
    assert_eq!(single.layout.shape(), [16, 8]);
    let half: Vec<Vec<i64>> = expected.iter().map(|row| row[..8].to_vec()).collect();
    assert_eq!(rows_of(&draw(&single, &Options::default()).unwrap()), half);
}

/// The one-line form of the vendors' maps.
#[test]
fn bits_say_what_each_bit_means() {
    let line = |name: &str, operand: Operand| {
        let view = mma(name).unwrap().view(operand).unwrap();
        bits(&view.layout, &view.names)
    };
    let nv = "NV_MMA_SYNC_F32_16x8x16_F16";
    assert_eq!(line(nv, Operand::A), "lane[k1 k2 m0 m1 m2] slot[k0 m3 k3]");
    assert_eq!(line(nv, Operand::B), "lane[k1 k2 n0 n1 n2] slot[k0 k3]");
    assert_eq!(line(nv, Operand::C), "lane[n1 n2 m0 m1 m2] slot[n0 m3]");
    assert_eq!(line("MFMA_F32_32x32x8_F16", Operand::C), "lane[n0 n1 n2 n3 n4 m2] slot[m0 m1 m3 m4]");
    assert_eq!(line("MFMA_F64_16x16x4_F64", Operand::C), "lane[n0 n1 n2 n3 m0 m1] slot[m2 m3]");
    assert_eq!(line("WMMAR3_F32_16x16x16_F16", Operand::A), "lane[m0 m1 m2 m3 0] slot[k0 k1 k2 k3]");
    assert_eq!(line("WMMAR4_F32_16x16x16_F16", Operand::A), "lane[m0 m1 m2 m3 k2] slot[k0 k1 k3]");
    assert_eq!(line("MFMA_F32_16x16x128_F8E5M2", Operand::B), "lane[n0 n1 n2 n3 k4 k5] slot[k0 k1 k2 k3 k6]");
}

/// Every operand of every row can be drawn in every mode, and replicas are marked.
#[test]
fn every_operand_can_be_drawn() {
    for mma in MMAS {
        for operand in Operand::ALL {
            let view = mma.view(operand).unwrap();
            for &(mode, name) in Mode::ALL {
                let picture = draw(&view, &Options { mode, width: 80, elide: false }).unwrap();
                let copies = view.layout.replication() > 1;
                let marks = copies && matches!(mode, Mode::Lane | Mode::LaneSlot);
                assert_eq!(picture.contains("15*") || picture.contains("15:0*"), marks, "{} {name}", mma.name);
            }
        }
    }
}

/// Repeating an operand more often than can be counted is an error, not a panic.
#[test]
fn absurd_repeats_are_refused() {
    let instruction = mma("NV_MMA_SYNC_F32_16x8x16_F16").unwrap();
    let repeated = |times: [i64; 2]| instruction.view(Operand::C).unwrap().repeated(times);
    assert!(repeated([0, 1]).is_err());
    assert!(repeated([-1, 1]).is_err());
    assert!(repeated([i64::MAX, i64::MAX]).is_err());
    let wide = repeated([1, 1 << 40]).unwrap();
    assert!(draw(&wide, &Options::default()).is_err());
}

/// Every chip's list names rows of its vendor and subgroup size.
#[test]
fn chips_name_instructions_that_exist() {
    for chip in CHIPS {
        assert!(chip.subgroup_sizes.contains(&chip.subgroup_size), "{}", chip.name);
        for name in chip.mmas {
            let mma = mma(name).unwrap_or_else(|| panic!("{} names {name}", chip.name));
            assert!(chip.subgroup_sizes.contains(&mma.subgroup_size), "{} {name}", chip.name);
            assert_eq!(mma.opcode == Opcode::NvgpuMmaSync, chip.vendor == Vendor::Nvidia, "{} {name}", chip.name);
        }
        let distinct: BTreeSet<_> = chip.mmas.iter().collect();
        assert_eq!(distinct.len(), chip.mmas.len(), "{}", chip.name);
    }
    // Every row is of use to some chip.
    for mma in MMAS {
        assert!(CHIPS.iter().any(|chip| chip.mmas.contains(&mma.name)), "{}", mma.name);
    }
}

/// The instruction that f16 products in f32 prefer.
#[test]
fn chips_prefer_one_instruction() {
    let types = [Scalar::Float(Float::F16), Scalar::Float(Float::F16), Scalar::Float(Float::F32)];
    let first = |name: &str| chip(name).unwrap().first_mma(types).unwrap().name;
    assert_eq!(first("sm_80"), "NV_MMA_SYNC_F32_16x8x16_F16");
    assert_eq!(first("gfx942"), "MFMA_F32_16x16x16_F16");
    assert_eq!(first("gfx950"), "MFMA_F32_16x16x32_F16");
    assert_eq!(first("gfx1100"), "WMMAR3_F32_16x16x16_F16");
    assert_eq!(chip("gfx942").unwrap().first_mma([types[0], types[2], types[2]]).map(|mma| mma.name), None);
    let slots = mma("WMMAR3_F32_16x16x16_F16").unwrap().view(Operand::A).unwrap();
    assert_eq!(slots.layout.count(Hardware::Slot), 16);
}

/// The worked example of a lowering configuration: 96 x 64 x 16 on one subgroup, then on four that share both
/// dimensions, numbered down the rows first.
#[test]
fn bases_of_subgroups_become_layouts_of_operands() {
    let mma = mma("MFMA_F32_32x32x8_F16").unwrap();
    let (extents, dims) = ([96, 64, 16], [0, 1, 2]);
    let picked = [(Operand::A, [0, 2]), (Operand::B, [2, 1]), (Operand::C, [0, 1])];
    let one = Spread::identity(&[1, 1, 1]).unwrap();
    let four = Spread::new(&[1, 2, 2], &[2, 1, 0]).unwrap();
    for (spread, batches, shares) in [(&one, [3, 2, 2], [1, 1, 1]), (&four, [2, 1, 2], [2, 2, 1])] {
        for (operand, map) in picked {
            let layout = mma.spread(operand, &extents, dims, spread).unwrap();
            let own = layout.apply(&map.map(Some));
            let fragment = mma.fragment(operand);
            assert_eq!(own.batch_tile, map.map(|d| batches[d]));
            assert_eq!(own.subgroup_tile, map.map(|d| shares[d]));
            assert_eq!((&own.thread_tile[..], &own.outer_tile[..]), (&fragment.thread[..], &fragment.outer[..]));
            // Every element has an owner; those beyond the extents are masked.
            let shape = own.undistributed_shape();
            assert!(map.iter().zip(&shape).all(|(&d, &extent)| extent >= extents[d]));
            let owned: BTreeSet<Vec<i64>> = (0..own.n_subgroups())
                .flat_map(|subgroup| (0..64).map(move |lane| (subgroup, lane)))
                .flat_map(|(subgroup, lane)| (0..own.n_slots()).map(move |slot| (subgroup, lane, slot)))
                .map(|(subgroup, lane, slot)| own.coord(subgroup, lane, slot))
                .collect();
            assert_eq!(owned.len() as i64, shape.iter().product::<i64>());
        }
    }
    let rows = mma.spread(Operand::C, &extents, dims, &four).unwrap();
    assert_eq!(rows.subgroup_strides, [1, 2, 0]);
    assert!(mma.spread(Operand::C, &extents, [0, 1, 3], &one).is_err());
}

/// Each chip says which subgroups it has, whoever asks.
#[test]
fn chips_have_subgroups_of_their_sizes_only() {
    for chip in CHIPS {
        for lanes in [1, 4, 16, 32, 64, 128] {
            let has = chip.subgroup_sizes.iter().any(|&size| i64::from(size) == lanes);
            assert_eq!(chip.check_subgroup_size(lanes).is_ok(), has, "{} {lanes}", chip.name);
        }
    }
    let why = chip("gfx1100").unwrap().check_subgroup_size(16).unwrap_err();
    assert_eq!(why, "gfx1100 has subgroups of 32 or 64 lanes, not of 16");
}
