//! The tiles of every kind: each element has a place in memory and a holder, and lanes hold what the instruction's row says.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_ir::{Ir, parse_attr};
use raddle_target::catalogue::{Named, Place, VIRTUALS, instructions};
use raddle_target::tile::{Kind, KindError};
use raddle_target::{MMAS, Operand, mma};

fn kind(text: &str) -> Kind {
    let mut ir = Ir::new();
    let attr = parse_attr(text, &mut ir).unwrap_or_else(|diag| panic!("{text}: {diag:?}"));
    Kind::of(&ir, attr).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every kind of one instruction, and data-tiled ones of many shapes.
fn kinds() -> Vec<String> {
    let mut all: Vec<String> = MMAS.iter().map(|mma| format!("#iree_gpu.mma_layout<{}>", mma.name)).collect();
    all.extend(VIRTUALS.iter().map(|row| format!("#iree_gpu.virtual_mma_layout<{}>", row.name)));
    all.extend(instructions().iter().map(|row| format!("{:?}", row.id)));
    let floats = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"];
    for name in ["MFMA_SCALE_F32_16x16x128_B32", "MFMA_SCALE_F32_32x32x64_B32"] {
        let types = |a: &str, b: &str| format!("{name}, lhs_elem_type = {a}, rhs_elem_type = {b}, acc_elem_type = f32");
        for (a, b) in floats.iter().flat_map(|a| floats.map(|b| (a, b))) {
            all.push(format!("#iree_gpu.scaled_mma_layout<intrinsic = {}>", types(a, b)));
        }
        for more in ["", ", intrinsics_m = 2, subgroups_n = 2, operands_interleaving_intrinsics_m = [0, 2]"] {
            all.push(format!(
                "#iree_gpu.data_tiled_scaled_mma_layout<intrinsic = {}{more}>",
                types("f4E2M1FN", "f4E2M1FN")
            ));
        }
    }
    let counts = [
        "",
        ", intrinsics_m = 2, intrinsics_k = 4, operands_interleaving_intrinsics_k = [0, 1]",
        ", intrinsics_n = 2, subgroups_m = 2, subgroups_n = 3, operands_interleaving_intrinsics_n = [1, 2]",
        ", intrinsics_k = 2, subgroups_m = 2, subgroups_k = 2",
    ];
    // Of each family some.
    for mma in MMAS.iter().step_by(6) {
        all.extend(counts.map(|more| format!("#iree_gpu.data_tiled_mma_layout<intrinsic = {}{more}>", mma.name)));
    }
    all
}

/// Memory has each element once, and threads hold each as often as any other.
#[test]
fn every_element_has_a_place_and_holders() {
    let mut checked = 0;
    for text in kinds() {
        let kind = kind(&text);
        let tiles = match kind.tiles() {
            Ok(tiles) => tiles,
            Err(KindError::Places(_)) => continue,
            Err(error) => panic!("{text}: {error}"),
        };
        for (at, tile) in tiles.iter().enumerate() {
            for tile in [tile.clone(), tile.expanded()] {
                let extents = tile.extents();
                let n = extents.iter().product::<i64>();
                assert_eq!(tile.shape().iter().product::<i64>(), n, "operand {at} of {text}");
                let number = |coord: [i64; 4]| {
                    assert!(coord.iter().zip(extents).all(|(&at, extent)| at < extent), "operand {at} of {text}");
                    coord.iter().zip(extents).fold(0, |number, (&at, extent)| number * extent + at) as usize
                };
                let (mut places, mut holders) = (vec![0; n as usize], vec![0; n as usize]);
                (0..n).for_each(|element| places[number(tile.coord(element))] += 1);
                let slots: i64 = tile.held_shape().iter().product();
                for thread in 0..kind.threads() {
                    (0..slots).for_each(|slot| holders[number(tile.coord_of(thread, slot))] += 1);
                }
                assert!(places.iter().all(|&n| n == 1), "operand {at} of {text}");
                assert!(holders.iter().all(|&n| n > 0 && n == holders[0]), "operand {at} of {text}");
            }
        }
        checked += 1;
    }
    assert!(checked > 450, "{checked} kinds");
}

/// A lane's slots are those of the row, in the order that [`Kind::slot_order`] says.
#[test]
fn lanes_hold_what_rows_say() {
    let mut checked = 0;
    for text in kinds().into_iter().filter(|text| !text.contains("data_tiled")) {
        let kind = kind(&text);
        let Ok(tiles) = kind.tiles() else { continue };
        let scaled = match kind.named {
            Named::Scaled(_) => kind.row().unwrap(),
            Named::Instruction(_) | Named::Virtual(_) => None,
        };
        for operand in Operand::ALL {
            let at = if operand == Operand::C { tiles.len() - 1 } else { operand as usize };
            let tile = &tiles[at];
            let n: i64 = tile.held_shape().iter().product();
            let order = match operand {
                Operand::C if scaled.is_some() => None,
                _ => kind.slot_order(at, tile),
            };
            let order = order.unwrap_or_else(|| (0..n as usize).collect());
            for (lane, slot) in (0..kind.subgroup_size()).flat_map(|lane| (0..n).map(move |slot| (lane, slot))) {
                let want: Vec<i64> = match (kind.named, mma(&kind.name).filter(|mma| mma.issued.is_none()), scaled) {
                    (_, Some(mma), _) => mma.fragment(operand).coord(lane, slot).to_vec(),
                    (Named::Instruction(row), _, _) | (Named::Scaled(_), _, Some(row)) => match row.place(operand) {
                        Place::Registers(map) => map.coord(0, lane, slot).unwrap(),
                        Place::Shared | Place::Opaque => panic!("{text} has tiles"),
                    },
                    (Named::Virtual(row), _, _) => row.map(operand).coord(0, lane, slot).unwrap(),
                    (Named::Scaled(_), _, None) => panic!("{text} has a row"),
                };
                let [block, m, n, k] = tile.coord_of(lane, order[slot as usize] as i64);
                let found = [[m, k], [k, n], [m, n]][operand as usize];
                let found: Vec<i64> = if want.len() == 3 { [&[block][..], &found].concat() } else { found.to_vec() };
                assert_eq!(found, want, "slot {slot} of lane {lane}, {} of {text}", operand.name());
            }
        }
        checked += 1;
    }
    assert!(checked > 400, "{checked} kinds");
}

/// Scales belong to blocks of 32 along k, and memory that has 8-bit factors in runs of 32 would mix them.
#[test]
fn scaled_runs_of_eight_bits_are_not_data_tiled() {
    let kind = kind(
        "#iree_gpu.data_tiled_scaled_mma_layout<intrinsic = MFMA_SCALE_F32_16x16x128_B32, lhs_elem_type = f8E4M3FN, rhs_elem_type = f4E2M1FN, acc_elem_type = f32>",
    );
    assert_eq!(kind.tiles(), Err(KindError::Runs("MFMA_SCALE_F32_16x16x128_B32".to_owned())));
}
