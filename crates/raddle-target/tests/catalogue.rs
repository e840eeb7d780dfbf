//! The catalogue, each row against itself and against the vendors' maps.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use std::collections::{BTreeMap, BTreeSet};

use raddle_layout::access::Banks;
use raddle_layout::cute::{Cute, Order};
use raddle_layout::linear::Linear;
use raddle_layout::picture::{Mode, Options, draw};
use raddle_layout::{Hardware, Layout};
use raddle_target::catalogue::{
    Chain, Combine, Elem, Family, Instruction, Lowering, Major, Map, Named, Place, SCALED, SwizzleWidth, TileError,
    VIRTUALS, instruction, instructions, lookup, names,
};
use raddle_target::{CHIPS, Fragment, MMAS, Operand, chip};

const DATA: &str = include_str!("data/catalogue.txt");

/// The fields of the data's lines of one kind.
fn lines(kind: &str) -> impl Iterator<Item = Vec<&'static str>> {
    DATA.lines()
        .filter_map(move |line| line.strip_prefix(kind)?.strip_prefix(' '))
        .map(|line| line.split('|').collect())
}

/// A table of the data: the element of each thread and slot, `None` where a thread holds nothing.
struct Table {
    dims: &'static str,
    shape: Vec<i64>,
    rows: Vec<Option<Vec<Vec<i64>>>>,
    n_slots: usize,
}

fn tables() -> BTreeMap<&'static str, Table> {
    let mut lines = DATA.lines();
    let mut tables = BTreeMap::new();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("table ") else { continue };
        let [name, dims, shape, threads, slots, width] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not a table: {line}")
        };
        let shape: Vec<i64> = shape.split('x').map(|extent| extent.parse().unwrap()).collect();
        let (width, n_slots) = (width.parse::<usize>().unwrap(), slots.parse().unwrap());
        let coord = |digits: &[u8]| {
            let mut number = i64::from_str_radix(std::str::from_utf8(digits).unwrap(), 36).unwrap();
            let mut coord = vec![0; shape.len()];
            for (at, extent) in coord.iter_mut().zip(&shape).rev() {
                *at = number % extent;
                number /= extent;
            }
            assert_eq!(number, 0);
            coord
        };
        let row = |line: &str| (line != "-").then(|| line.as_bytes().chunks(width).map(coord).collect());
        let rows = lines.by_ref().take(threads.parse().unwrap()).map(row).collect();
        tables.insert(name, Table { dims, shape, rows, n_slots });
    }
    tables
}

/// Rows that passes use and IREE has no name for.
const OURS: [&str; 4] = [
    "NV_MMA_SYNC_F32_16x8x8_TF32",
    "NV_MMA_SYNC_I32_16x8x32_I8",
    "NV_MMA_SYNC_F32_16x8x32_F8E4M3FN_F8E5M2",
    "NV_MMA_SYNC_F32_16x8x32_F8E5M2_F8E4M3FN",
];

/// All operands of all instructions of the data, point by point, and each fact beside them.
#[test]
fn rows_match_the_vendors_maps() {
    let tables = tables();
    let mut compared: BTreeSet<(&Map, &str)> = BTreeSet::new();
    let (mut n_ops, mut n_operands, mut n_points) = (0, 0, 0);
    for fields in lines("op") {
        let [id, family, mnemonic, targets, types, shape, threads, flags, a, b, c, aliases, _] = fields[..] else {
            panic!("not an operation: {fields:?}")
        };
        let row = instruction(&id.replace('/', "|")).unwrap_or_else(|| panic!("{id} is missing"));
        n_ops += 1;
        assert_eq!((row.family.name(), row.mnemonic.as_str(), row.targets), (family, mnemonic, targets));
        assert_eq!(row.types.map(Elem::name).join(" ").replace('|', "/"), types, "{id}");
        assert_eq!(format!("{} {} {} {}", row.m, row.n, row.k, row.blocks), shape, "{id}");
        assert_eq!(row.threads.to_string(), threads, "{id}");
        let legal_n = row.legal_n.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let opaque = if row.is_opaque() { "o" } else { "" };
        assert_eq!(format!("{opaque}{}{legal_n}", if row.sparse { "s" } else { "" }), flags, "{id}");
        let mut ours: Vec<String> = row
            .aliases
            .iter()
            .filter(|alias| !OURS.contains(&alias.name.as_str()))
            .map(|alias| format!("{}{}", if alias.k_run.is_some() { "~" } else { "" }, alias.name))
            .collect();
        let mut theirs: Vec<&str> = aliases.split_whitespace().collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{id}");

        for (operand, facts) in Operand::ALL.into_iter().zip([a, b, c]) {
            let map = match row.place(operand) {
                Place::Registers(map) => map,
                Place::Shared => {
                    assert_eq!(facts, "shared", "{id} {operand:?}");
                    continue;
                }
                Place::Opaque => {
                    assert_eq!(facts, "", "{id} {operand:?}");
                    continue;
                }
            };
            n_operands += 1;
            let [name, bits, container, slots, stride, registers] = facts.split(',').collect::<Vec<_>>()[..] else {
                panic!("not an operand: {facts}")
            };
            let index = operand as usize;
            assert_eq!(row.types[index].bits().to_string(), bits, "{id} {operand:?}");
            assert_eq!(row.container_bits[index].to_string(), container, "{id} {operand:?}");
            assert_eq!(map.n_slots().to_string(), slots, "{id} {operand:?}");
            assert_eq!(row.slot_strides[index].to_string(), stride, "{id} {operand:?}");
            assert_eq!(row.registers(operand).unwrap().to_string(), registers, "{id} {operand:?}");
            n_points += row.threads as usize * map.n_slots() as usize;
            if compared.insert((map, name)) {
                compare(map, &tables[name], id);
            }
        }
    }
    assert_eq!((n_ops, n_operands), (577, 1512));
    assert!(n_points >= 2_012_432, "{n_points} points were compared");
}

fn compare(map: &Map, table: &Table, id: &str) {
    assert_eq!((map.dims, &map.shape), (table.dims, &table.shape), "{id}");
    assert_eq!(map.n_lanes() * map.n_subgroups(), table.rows.len() as i64, "{id}");
    let layout = map.layout();
    for (thread, row) in table.rows.iter().enumerate() {
        let (subgroup, lane) = (thread as i64 / map.n_lanes(), thread as i64 % map.n_lanes());
        for slot in 0..table.n_slots {
            let expected = row.as_ref().map(|row| row[slot].clone());
            assert_eq!(map.coord(subgroup, lane, slot as i64), expected, "{id} {map}: {thread}:{slot}");
            assert_eq!(layout.coord(subgroup, lane, slot as i64), expected, "{id} {map}: {thread}:{slot}");
        }
    }
}

/// Every map is recognised from its points alone, and every spelling that it has says the same again: digits, linear
/// bases, CuTe's shape and stride, and IREE's nested form with the order of its slots.
#[test]
fn spellings_of_the_vendors_maps_round_trip() {
    let tables = tables();
    let mut spelled: BTreeMap<&str, [bool; 3]> = BTreeMap::new();
    let mut counts = [0; 4];
    for fields in lines("op") {
        let row = instruction(&fields[0].replace('/', "|")).unwrap();
        for (operand, facts) in Operand::ALL.into_iter().zip(&fields[8..11]) {
            let Place::Registers(map) = row.place(operand) else { continue };
            let name = facts.split(',').next().unwrap();
            let has = *spelled.entry(name).or_insert_with(|| {
                let table = &tables[name];
                let [lanes, subgroups] = [map.n_lanes(), map.n_subgroups()];
                let at = |subgroup: i64, lane: i64, slot: i64| {
                    table.rows[(subgroup * lanes + lane) as usize].as_ref().map(|row| row[slot as usize].clone())
                };
                let layout = Layout::from_points(&table.shape, [table.n_slots as i64, lanes, subgroups], at).unwrap();
                assert_eq!(layout.same_function(&map.layout()), Some(true), "{} {map}", row.id);
                let same = |again: Layout| assert_eq!(again.same_function(&layout), Some(true), "{} {map}", row.id);
                let linear = Linear::from_layout(&layout).map(|linear| same(linear.to_layout().unwrap()));
                let cute = Cute::from_layout(&layout, Order::ColumnMajor).map(|cute| {
                    let text: Cute = cute.to_string().parse().unwrap();
                    same(text.to_layout(layout.shape(), Order::ColumnMajor).unwrap());
                });
                let nested = layout.to_nested().map(|(nested, order)| {
                    same(Layout::from_nested_ordered(&nested, &order, subgroups, lanes).unwrap());
                });
                // Bits alone say what copies and empty lanes are to digits, but not that lanes are empty.
                assert_eq!(linear.is_err(), map.is_masked() || map.shape.iter().any(|n| n.count_ones() > 1), "{map}");
                assert_eq!(cute.is_err(), map.is_masked(), "{map}");
                [linear.is_ok(), cute.is_ok(), nested.is_ok()]
            });
            counts[0] += 1;
            counts[1..].iter_mut().zip(has).for_each(|(count, has)| *count += i32::from(has));
        }
    }
    // 82 operands have no nested form: their lanes are not runs along each dimension.
    assert_eq!((counts[0], counts[3]), (1512, 1430), "{counts:?}");
    assert_eq!(counts[2], 1508, "{counts:?}");
}

/// Nothing is in the catalogue that the data does not have, but the other legal n of instructions that it has, and sparse
/// ones, which store of A what a dense one half as deep has.
#[test]
fn rows_beyond_the_data_are_other_legal_n_or_sparse() {
    let ids: BTreeSet<String> = lines("op").map(|fields| fields[0].replace('/', "|")).collect();
    let mut n_rows = 0;
    for row in instructions().iter().filter(|row| !ids.contains(&row.id)) {
        n_rows += 1;
        if row.sparse && row.family == Family::MmaSync {
            let dense =
                row.id.replace("nv.mma.sp", "nv.mma").replace(&format!("k{}.", row.k), &format!("k{}.", row.k / 2));
            assert!(ids.contains(&dense), "{dense}");
            let dense = instruction(&dense).unwrap();
            assert_eq!([&row.places[0], &row.places[2]], [&dense.places[0], &dense.places[2]], "{}", row.id);
            continue;
        }
        assert_eq!(row.family, Family::Wgmma, "{}", row.id);
        assert!(row.legal_n.contains(&row.n), "{}", row.id);
        let sibling = row.id.replace(&format!("n{}k", row.n), "n8k");
        assert!(ids.contains(&sibling), "{sibling}");
    }
    assert_eq!(ids.len() + n_rows, instructions().len());
    for row in instructions() {
        for n in row.legal_n {
            let id = row.id.replace(&format!("n{}k", row.n), &format!("n{n}k"));
            assert_eq!(instruction(&id).unwrap().n, *n);
        }
    }
}

/// The maps cover their tiles: each element has as many owners as the replicas say.
#[test]
fn maps_cover_their_tiles() {
    let mut seen: BTreeSet<&Map> = BTreeSet::new();
    for row in instructions() {
        for operand in Operand::ALL {
            let Place::Registers(map) = row.place(operand) else { continue };
            assert_eq!(map.shape, row.shape(operand), "{} {operand:?}", row.id);
            assert_eq!(map.n_lanes() * map.n_subgroups(), i64::from(row.threads), "{} {operand:?}", row.id);
            assert_eq!(map.dims.len(), map.shape.len());
            if seen.insert(map) {
                covers(map, &row.id);
            }
        }
        if let Some(scales) = &row.scales {
            for (map, rows) in scales.maps.iter().zip([row.m, row.n]) {
                assert_eq!(map.shape, [rows, row.k / scales.block], "{}", row.id);
                covers(map, &row.id);
            }
        }
    }
    assert!(seen.len() >= 186, "{} maps", seen.len());
}

fn covers(map: &Map, id: &str) {
    let mut owners: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
    for owner in map.layout().owners() {
        *owners.entry(owner.coord).or_default() += 1;
    }
    assert_eq!(owners.len() as i64, map.shape.iter().product::<i64>(), "{id} {map}");
    assert!(owners.values().all(|&n| n == map.replication()), "{id} {map}");
    let held: i64 = owners.values().sum();
    let places = map.n_lanes() * map.n_subgroups() * map.n_slots();
    assert_eq!(map.is_masked(), held < places, "{id} {map}");
}

/// Scales lie where the vendors say.
#[test]
fn scales_match_the_vendors_maps() {
    let mut n_rows = 0;
    for fields in lines("scale") {
        let [id, kind, a, b] = fields[..] else { panic!("not a scale: {fields:?}") };
        let scales = instruction(id).unwrap().scales.as_ref().unwrap();
        assert_eq!(format!("{} {}", scales.block, scales.elem.name()), kind, "{id}");
        for (map, tokens) in scales.maps.iter().zip([a, b]) {
            let (lane, byte) = tokens.split_once(',').unwrap();
            assert_eq!(map.to_string(), format!("lane[{lane}] slot[{byte}]"), "{id}");
        }
        n_rows += 1;
    }
    assert_eq!(n_rows, instructions().iter().filter(|row| row.scales.is_some()).count());
}

/// An id says family, shape and types; ids, aliases and composed names are distinct.
#[test]
fn names_are_distinct() {
    let all: Vec<&str> = names().collect();
    let distinct: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len());
    for name in all {
        let named = lookup(name).unwrap();
        let shape = named.mnk().map(|extent| extent > 0);
        assert_eq!(shape, [true; 3], "{name}");
        let drawable = Operand::ALL.map(|operand| named.view(operand).is_ok());
        let expected = match named {
            Named::Instruction(row) => row.places.each_ref().map(|place| matches!(place, Place::Registers(_))),
            Named::Virtual(_) | Named::Scaled(_) => [true; 3],
        };
        assert_eq!(drawable, expected, "{name}");
        assert_eq!(Operand::ALL.map(|operand| named.map(operand).is_ok()), expected, "{name}");
    }
}

fn fragment(text: &str) -> Fragment {
    let pair = |list: &str| {
        let (first, second) = list.split_once(',').unwrap();
        [first.parse().unwrap(), second.parse().unwrap()]
    };
    let [outer, thread, strides, element] = text.split(';').map(pair).collect::<Vec<[i64; 2]>>()[..] else {
        panic!("not a fragment: {text}")
    };
    Fragment { outer, thread, strides, element, order: [0, 1, 2, 3] }
}

/// IREE's names resolve, and its fragments are ours: those of the table that passes use, and the virtual ones.
#[test]
fn irees_fragments_are_ours() {
    let mut n_fragments = 0;
    for fields in lines("fragment") {
        let [name, shape, a, b, c, lanes] = fields[..] else { panic!("not a fragment: {fields:?}") };
        let theirs = [a, b, c].map(fragment);
        let (ours, mnk, lanes_per_thread) = match lookup(name).unwrap() {
            Named::Instruction(row) => {
                let mma = MMAS.iter().find(|mma| mma.name == name).unwrap_or_else(|| panic!("{name} has no row"));
                (mma.fragments, [row.m, row.n, row.k], 1)
            }
            Named::Virtual(row) => (row.fragments, [row.m, row.n, row.k], row.lanes_per_thread),
            Named::Scaled(row) => panic!("{} has no fragment here", row.name),
        };
        // The order of slots is ours alone.
        assert_eq!(ours.map(|fragment| Fragment { order: [0, 1, 2, 3], ..fragment }), theirs, "{name}");
        assert_eq!(mnk.map(|extent| extent.to_string()).join(" "), shape, "{name}");
        assert_eq!(lanes_per_thread.to_string(), lanes, "{name}");
        n_fragments += 1;
    }
    let of_one = MMAS.iter().filter(|mma| mma.blocks.is_none()).count();
    assert_eq!(n_fragments + OURS.len(), of_one + VIRTUALS.len());
}

/// The table that passes use and the catalogue say the same, slot by slot in the hardware's order.
#[test]
fn the_compilers_rows_are_the_catalogues() {
    for mma in MMAS {
        let row = mma.instruction();
        let alias = row.aliases.iter().find(|alias| alias.name == mma.name).unwrap();
        assert_eq!(alias.k_run, mma.k_run, "{}", mma.name);
        assert_eq!([row.m, row.n, row.k], [mma.m, mma.n, mma.k], "{}", mma.name);
        assert_eq!(row.threads, mma.subgroup_size, "{}", mma.name);
        assert_eq!(row.blocks, mma.blocks.map_or(1, |blocks| blocks.n), "{}", mma.name);
        for operand in Operand::ALL {
            let (map, fragment) = (row.map(operand).unwrap(), mma.hardware_fragment(operand));
            assert_eq!(mma.n_slots(operand as usize), map.n_slots(), "{} {operand:?}", mma.name);
            if mma.blocks.is_some() {
                let layout = mma.nested_blocks(operand as usize, [1; 3], [1; 3], [0; 3]).unwrap();
                for lane in 0..map.n_lanes() {
                    for slot in 0..map.n_slots() {
                        // Slots of these are in the order of the layout.
                        let expected = map.coord(0, lane, slot).unwrap();
                        assert_eq!(layout.coord(0, lane, slot), expected, "{} {operand:?}", mma.name);
                    }
                }
                continue;
            }
            let layout = fragment.layout([1, 1], mma.subgroup_size).unwrap();
            for lane in 0..map.n_lanes() {
                for slot in 0..map.n_slots() {
                    let expected = map.coord(0, lane, slot).unwrap();
                    assert_eq!(fragment.coord(lane, slot).to_vec(), expected, "{} {operand:?}", mma.name);
                    assert_eq!(layout.coord(0, lane, slot).unwrap(), expected, "{} {operand:?}", mma.name);
                }
            }
        }
        if mma.name.starts_with("MFMA_F32_16x16x128") || mma.name.starts_with("MFMA_F32_32x32x64") {
            // The row of the scaled form has the same maps; the name stands for the plain one.
            assert_eq!(row.mnemonic.replace("_scale", ""), mma.mnemonic);
        } else {
            assert_eq!(row.mnemonic, mma.mnemonic, "{}", mma.name);
        }
    }
}

/// A virtual instruction has the shape and the lanes of what it issues.
#[test]
fn virtual_rows_stand_for_their_base() {
    for row in VIRTUALS {
        let types = row.types.map(Elem::name);
        for (fragment, shape) in row.fragments.iter().zip([[row.m, row.k], [row.k, row.n], [row.m, row.n]]) {
            assert_eq!(fragment.shape(), shape, "{}", row.name);
        }
        let Some(base) = row.base else {
            assert_eq!((row.issues, row.lowering), (1, Lowering::Sparse), "{}", row.name);
            continue;
        };
        let base = instruction(base).unwrap();
        assert_eq!(base, row.base_row().unwrap());
        assert_eq!(base.mnemonic, row.mnemonic, "{}", row.name);
        assert_eq!(base.types.map(Elem::name), types, "{}", row.name);
        assert_eq!([base.n, base.k * row.issues], [row.n, row.k], "{}", row.name);
        assert_eq!(base.m, row.m * row.lanes_per_thread, "{}", row.name);
        assert_eq!(base.sparse, row.lowering == Lowering::Sparse, "{}", row.name);
        let slots = |operand| base.map(operand).unwrap().n_slots();
        assert_eq!(row.fragments[0].n_slots(), slots(Operand::A) * row.issues * row.lanes_per_thread, "{}", row.name);
        assert_eq!(row.fragments[1].n_slots(), slots(Operand::B) * row.issues, "{}", row.name);
    }
}

/// A lane holds what its fragment says, in the order of the slots; two lanes that share a row of A hold it together.
#[test]
fn virtual_maps_are_the_fragments() {
    for row in VIRTUALS {
        for operand in Operand::ALL {
            let (map, fragment) = (row.map(operand), row.fragments[operand as usize]);
            covers(&map, row.name);
            let shared = if operand == Operand::A { row.lanes_per_thread } else { 1 };
            assert_eq!((map.n_lanes(), map.n_slots() * shared), (64, fragment.n_slots()), "{}", row.name);
            for lane in (0..64).step_by(shared as usize) {
                let mut ours: Vec<Vec<i64>> = (lane..lane + shared)
                    .flat_map(|lane| (0..map.n_slots()).map(move |slot| (lane, slot)))
                    .map(|(lane, slot)| map.coord(0, lane, slot).unwrap())
                    .collect();
                if shared > 1 {
                    ours.sort_unstable();
                }
                let theirs: Vec<Vec<i64>> =
                    (0..fragment.n_slots()).map(|slot| fragment.coord(lane, slot).to_vec()).collect();
                assert_eq!(ours, theirs, "{} {operand:?} {lane}", row.name);
            }
            // Two rows of the sparse instruction's C are added to one; its factors are cut along k.
            if let Some(base) = row.base_row() {
                let slots = base.map(operand).unwrap().n_slots();
                let expected = if operand == Operand::C { slots / row.lanes_per_thread } else { slots * row.issues };
                assert_eq!(map.n_slots(), expected, "{} {operand:?}", row.name);
            }
        }
    }
}

/// A scaled name stands for each pair of 8-, 6- and 4-bit floats, with the hardware's k.
#[test]
fn scaled_names_stand_for_each_pair_of_types() {
    for scaled in SCALED {
        assert_eq!(scaled.rows().count(), 25, "{}", scaled.name);
        let row = scaled.row(Elem::E4M3, Elem::E2M1).unwrap();
        assert_eq!([row.m, row.n, row.k], [scaled.m, scaled.n, scaled.k]);
        assert!(scaled.row(Elem::F16, Elem::F16).is_none());
    }
    let row = SCALED[0].row(Elem::E4M3, Elem::E4M3).unwrap();
    assert_eq!(row.map(Operand::A).unwrap().to_string(), "lane[m0 m1 m2 m3 k4 k5] slot[k0 k1 k2 k3 k6]");
}

/// The compiler's rows have the types that the catalogue's have on the chips that list them, and so bits combine as the
/// mnemonic says.
#[test]
fn types_and_meaning_agree() {
    for chip in CHIPS {
        for mma in chip.mma_rows() {
            // f32 factors stand for tf32.
            let factor = |elem: Elem| if elem == Elem::TF32 { Elem::F32 } else { elem };
            let types = mma.instruction().types.map(|elem| factor(elem).scalar_on(chip.name));
            assert_eq!(types, mma.types.map(Some), "{} {}", chip.name, mma.name);
        }
    }
    for row in instructions() {
        let expected = match row.mnemonic.rsplit_once(".popc").map(|(head, _)| head) {
            Some(head) if head.ends_with(".xor") => Combine::Xor,
            Some(_) => Combine::And,
            None => Combine::Multiply,
        };
        assert_eq!(row.combine, expected, "{}", row.id);
        assert_eq!(row.combine == Combine::Multiply, row.types[0] != Elem::B1, "{}", row.id);
    }
}

/// A name that is almost right is answered with the right one.
#[test]
fn unknown_names_have_a_nearest() {
    for (name, nearest) in [
        ("MFMA_F32_16x16x61_F16", "MFMA_F32_16x16x16_F16"),
        ("mfma_f32_32x32x8_f16", "MFMA_F32_32x32x8_F16"),
        ("nv.mma.m16n8k16.f32.f16.f16", "nv.mma.m16n8k16.f32.f16.f16.f16"),
        ("VMFMA_F32_16x16x32_F61", "VMFMA_F32_16x16x32_F16"),
    ] {
        let error = lookup(name).unwrap_err();
        assert!(lookup(&error.nearest).is_ok());
        let distance = |to: &str| strsim::osa_distance(&name.to_lowercase(), &to.to_lowercase());
        assert!(distance(&error.nearest) <= distance(nearest), "{error}");
    }
    assert!(lookup("").is_err());
    let long = "x".repeat(10_000);
    assert!(lookup(&long).is_err());
}

/// Opaque operands and those in shared memory have no picture, and the error says why.
#[test]
fn operands_without_a_map_say_why() {
    let wgmma = instruction("nv.wgmma.m64n64k16.f32.f16.f16").unwrap();
    assert!(wgmma.view(Operand::B).unwrap_err().to_string().contains("shared memory"));
    let opaque = instruction("vk.coopmat.16x16x16").unwrap();
    assert!(opaque.view(Operand::A).unwrap_err().to_string().contains("unspecified"));
}

/// Every distinct map can be drawn in every mode, and its one-line form is that of the map.
#[test]
fn every_map_can_be_drawn() {
    let mut seen: BTreeSet<&Map> = BTreeSet::new();
    for row in instructions() {
        for operand in Operand::ALL {
            let Ok(map) = row.map(operand) else { continue };
            let view = row.view(operand).unwrap();
            assert_eq!(view.layout.count(Hardware::Slot), map.n_slots());
            // The large accumulators take long to draw and differ in n only.
            if !seen.insert(map) || map.shape.iter().product::<i64>() > 4096 {
                continue;
            }
            let names: Vec<String> = map.dims.chars().map(String::from).collect();
            assert_eq!(raddle_layout::picture::bits(&map.layout(), &names), map.to_string(), "{}", row.id);
            for &(mode, name) in Mode::ALL {
                let picture = draw(&view, &Options { mode, width: 80, elide: true });
                assert!(picture.is_ok(), "{} {operand:?} {name}", row.id);
            }
        }
    }
}

/// What a chip's list names runs on the chip; generations and features are told apart.
#[test]
fn rows_know_their_machines() {
    for chip in CHIPS {
        for mma in chip.mma_rows() {
            assert!(mma.instruction().runs_on(chip.name), "{} {}", chip.name, mma.name);
        }
        assert!(chip.instructions().count() >= chip.mmas.len(), "{}", chip.name);
    }
    let on = |id: &str, chip: &str| instruction(id).unwrap().runs_on(chip);
    assert!(on("nv.mma.m16n8k16.f32.f16.f16.f32", "sm_90a") && !on("nv.mma.m16n8k16.f32.f16.f16.f32", "sm_75"));
    assert!(on("nv.wgmma.m64n8k16.f32.f16.f16", "sm_90") && !on("nv.wgmma.m64n8k16.f32.f16.f16", "sm_120"));
    assert!(on("amd.mfma.f32.16x16x8.1b.xf32", "gfx942") && !on("amd.mfma.f32.16x16x8.1b.xf32", "gfx950"));
    assert!(on("amd.smfmac.f32.16x16x32.f16.f16", "gfx950") && !on("amd.smfmac.f32.16x16x32.f16.f16", "gfx90a"));
    assert!(!on("amd.mfma.f32.16x16x16.1b.f16", "gfx1100") && !on("amd.mfma.f32.16x16x16.1b.f16", "apple7"));
    assert!(on("amd.wmma.gfx12.w32.f32.16x16x16.f16.f16", "gfx1201"));
    assert!(!on("amd.wmma.gfx12.w32.f32.16x16x16.f16.f16", "gfx1250"));
    assert!(on("intel.dpas.sg16.m8n16k16.f32.f16", "pvc") && on("apple.simdgroup.8x8x8.f32.f32", "apple9"));
    assert!(chip("gfx1250").unwrap().instructions().all(|row| row.family == Family::WmmaGfx1250));
}

/// A value that the language has no type for is the exception.
#[test]
fn types_have_a_scalar() {
    let without: Vec<&str> = Elem::all().filter(|elem| elem.scalar().is_none()).map(Elem::name).collect();
    assert_eq!(without, ["e5m2|e4m3", "ue4m3", "device"]);
    let rows = |row: &&Instruction| row.types.iter().all(|elem| elem.scalar().is_some());
    assert_eq!(instructions().iter().filter(rows).count(), instructions().len() - 6);
}

/// Accumulators feed the next product as the data says.
#[test]
fn chains_match_the_data() {
    let word = |chain: &Chain| match chain {
        Chain::Direct => "direct",
        Chain::Permuted { .. } => "kperm",
        Chain::Moves => "no",
    };
    let mut n_rows = 0;
    for fields in lines("op").filter(|fields| !fields[12].is_empty()) {
        let chains = instruction(fields[0]).unwrap().chains().unwrap();
        assert_eq!(format!("{} {}", word(&chains.direct), word(&chains.swapped)), fields[12], "{}", fields[0]);
        n_rows += 1;
    }
    assert_eq!(n_rows, 449);
    assert_eq!(instruction("amd.smfmac.f32.16x16x32.f16.f16").unwrap().chains(), None);
    assert_eq!(instruction("vk.coopmat.16x16x16").unwrap().chains(), None);
}

/// What a chain promises, element by element: a thread holds of a row of accumulators exactly what it must hold of the
/// second products' A.
#[test]
fn chained_values_stay_in_their_threads() {
    let mut n_checked = 0;
    let mut seen: BTreeSet<(&Map, &Map)> = BTreeSet::new();
    for row in instructions() {
        let Some(chains) = row.chains() else { continue };
        let (a, c) = (row.map(Operand::A).unwrap(), row.map(Operand::C).unwrap());
        // Columns that are not a power of two are numbered in no bits.
        if row.n.count_ones() != 1 || !seen.insert((a, c)) {
            continue;
        }
        for (chain, [to_row, to_column]) in [(chains.direct, [0, 1]), (chains.swapped, [1, 0])] {
            let columns = row.k.max(c.shape[to_column]);
            let n_bits = columns.trailing_zeros();
            let k_bits: Vec<u32> = match chain {
                Chain::Direct => (0..row.k.trailing_zeros()).collect(),
                Chain::Permuted { k_bits } => k_bits,
                Chain::Moves => continue,
            };
            assert_eq!(1 << k_bits.len(), row.k, "{}", row.id);
            // Bits that k does not use number the products, or the accumulators where k uses more than one has.
            let n_bits = n_bits.max(k_bits.iter().max().unwrap() + 1);
            let columns = 1i64 << n_bits;
            let rest: Vec<u32> = (0..n_bits).filter(|bit| !k_bits.contains(bit)).collect();
            let scatter = |number: i64, bits: &[u32]| -> i64 {
                bits.iter().enumerate().map(|(i, bit)| (number >> i & 1) << bit).sum()
            };
            for subgroup in 0..a.n_subgroups() {
                for lane in 0..a.n_lanes() {
                    let mut have = BTreeSet::new();
                    for tile in 0..columns / c.shape[to_column] {
                        for slot in 0..c.n_slots() {
                            let at = c.coord(subgroup, lane, slot).unwrap();
                            have.insert((at[to_row], at[to_column] + tile * c.shape[to_column]));
                        }
                    }
                    let mut need = BTreeSet::new();
                    for product in 0..1i64 << rest.len() {
                        for slot in 0..a.n_slots() {
                            let at = a.coord(subgroup, lane, slot).unwrap();
                            need.insert((at[0], scatter(at[1], &k_bits) + scatter(product, &rest)));
                        }
                    }
                    assert_eq!(have, need, "{} {k_bits:?}", row.id);
                }
            }
            n_checked += 1;
        }
    }
    assert!(n_checked > 50, "{n_checked}");
}

/// Every operand of wgmma in shared memory, element by element: core matrices of eight rows of 16 bytes, byte addresses
/// flipped by the swizzle, no two elements in one place; and eight rows of 16 bytes that are read together meet in no bank.
#[test]
fn shared_tiles_lie_as_the_descriptor_says() {
    let mut n_tiles = 0;
    for row in instructions().iter().filter(|row| row.family == Family::Wgmma) {
        for (operand, major) in [(Operand::A, Major::K), (Operand::B, Major::K), (Operand::B, Major::Mn)] {
            for swizzle in SwizzleWidth::ALL {
                let bits = i64::from(row.types[operand as usize].bits());
                let rows = if operand == Operand::A { row.m } else { row.n };
                let (unit, width) = (128 / bits, swizzle.units());
                // Core matrices one after the other, along k first.
                let core = 128 * width;
                let runs = if major == Major::K { rows / 8 } else { (rows / unit / width).max(1) };
                let offsets = match (major, swizzle) {
                    (_, SwizzleWidth::None) => [core * runs, core],
                    (Major::K, _) => [16, core],
                    (Major::Mn, _) => [core, core * runs],
                };
                let tile = match row.shared_tile(operand, major, swizzle, offsets) {
                    Ok(tile) => tile,
                    Err(TileError::Major { .. }) => {
                        assert!(major == Major::Mn && bits != 16, "{}", row.id);
                        continue;
                    }
                    Err(error) => {
                        let unit = if major == Major::K { 8 } else { unit * width };
                        assert_eq!(error, TileError::Rows { rows, unit }, "{}", row.id);
                        assert_ne!(rows % unit, 0);
                        continue;
                    }
                };
                n_tiles += 1;
                let layout = tile.cute().unwrap();
                let [leading, stride] = offsets;
                let mut seen = BTreeSet::new();
                for k in 0..row.k {
                    for r in 0..rows {
                        // The address by the manual's words: which core matrix, which row of it, which byte.
                        let (along, across) = if major == Major::K { (k, r) } else { (r, k) };
                        let (in_row, of_rows) = (along * bits / 8, across);
                        let byte = match (major, swizzle) {
                            (Major::K, SwizzleWidth::None) => of_rows / 8 * stride + in_row / 16 * leading,
                            (Major::Mn, SwizzleWidth::None) => of_rows / 8 * leading + in_row / 16 * stride,
                            (Major::K, _) => of_rows / 8 * stride,
                            (Major::Mn, _) => of_rows / 8 * stride + in_row / (16 * width) * leading,
                        };
                        let byte = byte + of_rows % 8 * 16 * width + in_row % (16 * width);
                        let flips = byte >> 7 & (width - 1);
                        let expected = (byte ^ flips << 4) * 8 / bits + along % (8 / bits.min(8));
                        let found = layout.at(r + k * rows);
                        assert_eq!(found, expected, "{} {operand:?} {major:?} {swizzle:?} ({r}, {k})", row.id);
                        assert!(seen.insert(found), "{} {operand:?} {major:?} {swizzle:?}", row.id);
                    }
                }
                if swizzle == SwizzleWidth::B128 {
                    let first = |r: i64| if major == Major::K { r } else { r * rows };
                    let addresses: Vec<Option<i64>> = (0..8).map(|r| Some(layout.at(first(r)) * bits / 8)).collect();
                    let waves = raddle_layout::access::wavefronts(&addresses, 16, &Banks::words(32));
                    assert_eq!(waves.count, 1, "{} {operand:?} {major:?}", row.id);
                }
                let descriptor = tile.descriptor(4096).unwrap();
                let field = |bit: u32| (descriptor >> bit & 0x3fff) as i64 * 16;
                assert_eq!([field(0), field(16), field(32)], [4096, leading, stride]);
                assert_eq!(descriptor >> 62, [0, 3, 2, 1][swizzle as usize]);
                assert!(tile.descriptor(4096 + 8).is_err() && tile.descriptor(1 << 18).is_err());
                assert_eq!(tile.descriptor(16).is_ok(), swizzle == SwizzleWidth::None);
            }
        }
    }
    assert!(n_tiles > 1000, "{n_tiles}");
    let plain = instruction("nv.mma.m16n8k16.f32.f16.f16.f32").unwrap();
    assert_eq!(plain.shared_tile(Operand::B, Major::K, SwizzleWidth::B128, [16, 1024]), Err(TileError::Registers));
}
