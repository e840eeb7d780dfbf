//! Laws of the core, and what its pictures look like.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::picture::{Mode, Options, View, bits, draw};
use raddle_layout::{Digit, Hardware, Kind, Layout, LayoutError, Nested, NestedError};

fn nested(lists: [&[i64]; 7]) -> Nested {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Nested::new(s, b, o, t, e, ss, ts).unwrap()
}

fn view(layout: Layout) -> View {
    View { title: "layout".to_string(), names: vec![], notes: vec![], tile: vec![], layout }
}

/// The lines of a picture without its header.
fn body(layout: Layout, options: &Options) -> Vec<String> {
    let picture = draw(&view(layout), options).unwrap();
    picture.lines().skip_while(|line| !line.is_empty()).skip(1).map(str::to_string).collect()
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![vec![]], |all, next| {
        let insert = |list: &Vec<usize>, at: usize| [&list[..at], &[next], &list[at..]].concat();
        all.iter().flat_map(|list| (0..=list.len()).map(|at| insert(list, at)).collect::<Vec<_>>()).collect()
    })
}

/// A nested layout and its digits give the same coordinates, with as many subgroups and lanes as needed and with
/// twice as many.
#[test]
fn digits_say_what_nested_layouts_say() {
    for tiles in 0..1 << 10 {
        let tile = |index: usize, extent: i64| if tiles >> index & 1 == 1 { extent } else { 1 };
        let level = |index: usize, extents: [i64; 2]| vec![tile(index, extents[0]), tile(index + 1, extents[1])];
        let (s, t) = (level(0, [2, 3]), level(2, [4, 3]));
        let (ss, ts) = (vec![1, s[0]], vec![2 * t[1], 2]);
        let nested = Nested::new(s, level(4, [2, 2]), level(6, [2, 3]), t, level(8, [2, 2]), ss, ts).unwrap();
        for copies in [1, 2] {
            let (n_subgroups, n_lanes) = (copies * nested.n_subgroups(), copies * nested.n_lanes());
            let layout = Layout::from_nested(&nested, n_subgroups, n_lanes).unwrap();
            assert_eq!(layout.shape(), nested.undistributed_shape());
            assert_eq!(layout.count(Hardware::Slot), nested.n_slots());
            assert_eq!(layout.count(Hardware::Lane), n_lanes);
            assert_eq!(layout.count(Hardware::Subgroup), n_subgroups);
            assert_eq!(layout.replication(), nested.replication(n_subgroups, n_lanes));
            for owner in layout.owners() {
                assert_eq!(owner.coord, nested.coord(owner.subgroup, owner.lane, owner.slot), "{nested}");
            }
        }
    }
}

/// Owners are sorted, and the owners of each element are those that `Nested::owners` names.
#[test]
fn owners_are_sorted() {
    let nested = nested([&[2, 1], &[1, 2], &[2, 1], &[2, 4], &[1, 2], &[1, 0], &[4, 1]]);
    let layout = Layout::from_nested(&nested, 4, 16).unwrap();
    let owners: Vec<_> = layout.owners().collect();
    assert!(owners.is_sorted_by(|a, b| (a.subgroup, a.lane, a.slot) < (b.subgroup, b.lane, b.slot)));
    for i in 0..layout.shape()[0] {
        for j in 0..layout.shape()[1] {
            let ours: Vec<_> = layout.owners_of(&[i, j]).map(|o| (o.subgroup, o.lane, o.slot)).collect();
            assert_eq!(ours, nested.owners(&[i, j], 4, 16));
        }
    }
}

/// Whatever the order of slots, slot digits are the axes in that order: the slot's number in the ordered array.
#[test]
fn slots_count_in_the_given_order() {
    let nested = nested([&[1, 1], &[2, 1], &[2, 3], &[2, 2], &[1, 2], &[0, 0], &[2, 1]]);
    let extents = nested.distributed_shape();
    for order in permutations(6) {
        let layout = Layout::from_nested_ordered(&nested, &order, 1, 4).unwrap();
        for slot in 0..nested.n_slots() {
            let mut digits = [0; 6];
            let mut rest = slot;
            for &axis in order.iter().rev() {
                digits[axis] = rest % extents[axis];
                rest /= extents[axis];
            }
            let row_major = digits.iter().zip(&extents).fold(0, |slot, (digit, extent)| slot * extent + digit);
            assert_eq!(layout.coord(0, 3, slot).unwrap(), nested.coord(0, 3, row_major));
        }
    }
}

/// A layout over a workgroup's threads goes on in the next subgroup.
#[test]
fn lanes_spill_over_subgroups() {
    let nested = Nested::coalesced(256, &[32, 64], &[1, 8]).unwrap();
    let layout = Layout::from_nested(&nested, 4, 64).unwrap();
    for owner in layout.owners() {
        assert_eq!(owner.coord, nested.coord(0, owner.subgroup * 64 + owner.lane, owner.slot));
    }
    let error = Layout::from_nested(&nested, 2, 64).unwrap_err();
    assert_eq!(error, LayoutError::Uneven { hardware: Hardware::Subgroup, used: 4, have: 2 });
}

/// Lanes that do not fit the machine are refused.
#[test]
fn uneven_machines_are_refused() {
    let odd = nested([&[1], &[1], &[1], &[48], &[1], &[0], &[1]]);
    let error = Layout::from_nested(&odd, 1, 64).unwrap_err();
    assert_eq!(error.to_string(), "the layout uses 48 lanes, and 64 lanes are not a multiple of that");
    Layout::from_nested(&odd, 1, 48).unwrap();
    let both = nested([&[2, 1], &[1, 1], &[1, 1], &[1, 64], &[1, 1], &[1, 0], &[0, 1]]);
    let error = Layout::from_nested(&both, 4, 32).unwrap_err();
    assert_eq!(error, LayoutError::Nested(NestedError::Spill { lanes: 64, subgroup_size: 32 }));
}

/// Digits that contradict the shape or their kind are named.
#[test]
fn bad_digits_are_named() {
    let outside = Layout::new(vec![8], vec![Digit::shard(2, 1, 0, 1)], vec![Digit::shard(4, 1, 0, 3)], vec![]);
    assert_eq!(outside.unwrap_err(), LayoutError::Outside { dim: 0, coord: 10, extent: 8 });
    let moving = Digit { kind: Kind::Replicate, ..Digit::shard(2, 1, 0, 1) };
    let error = Layout::new(vec![8], vec![Digit::shard(2, 1, 0, 1), moving], vec![], vec![]).unwrap_err();
    assert_eq!(error, LayoutError::BadDigit { hardware: Hardware::Slot, index: 1 });
    let flat = Layout::new(vec![8, 8], vec![], vec![Digit::shard(2, 1, 0, 1)], vec![]).unwrap_err();
    assert_eq!(flat, LayoutError::BadDigit { hardware: Hardware::Lane, index: 0 });
    let huge = vec![Digit::shard(1 << 40, 1, 0, 0), Digit::shard(1 << 40, 1, 0, 0)];
    assert_eq!(Layout::new(vec![8], huge, vec![], vec![]).unwrap_err(), LayoutError::TooLarge);
}

/// Lanes whose unused digit is not 0 hold nothing; parts of a sum and replicas hold the same coordinate.
#[test]
fn kinds_differ() {
    let lanes = |kind| vec![Digit::shard(2, 1, 0, 2), Digit::still(2, 1, kind)];
    let slots = || vec![Digit::shard(2, 1, 0, 1)];
    let layout = |kind| Layout::new(vec![4], slots(), lanes(kind), vec![]).unwrap();
    assert_eq!(layout(Kind::Unused).coord(0, 3, 1), None);
    assert_eq!(layout(Kind::Partial).coord(0, 3, 1), Some(vec![3]));
    assert_eq!(layout(Kind::Unused).owners().count(), 4);
    assert_eq!(layout(Kind::Replicate).owners().count(), 8);
    assert_eq!(layout(Kind::Replicate).replication(), 2);
    assert_eq!(layout(Kind::Partial).replication(), 1);
    let line = |kind| bits(&layout(kind), &["i".to_string()]);
    assert_eq!(line(Kind::Unused), "lane[i1 x] slot[i0]");
    assert_eq!(line(Kind::Partial), "lane[i1 +] slot[i0]");
    assert_eq!(line(Kind::Replicate), "lane[i1 0] slot[i0]");
    assert_eq!(body(layout(Kind::Unused), &Options::default()), ["0 0 1 1"]);
    assert_eq!(body(layout(Kind::Replicate), &Options::default()), ["0* 0* 1* 1*"]);
    let hardware = Options { mode: Mode::Hardware, ..Options::default() };
    assert_eq!(body(layout(Kind::Unused), &hardware), ["0: 0 1", "1: 2 3"]);
}

/// The talk's example of distribution: a 4x4 value on eight lanes, each with two rows of a column.
#[test]
fn a_value_is_drawn_as_owner_lanes() {
    let nested = nested([&[1, 1], &[1, 1], &[1, 1], &[2, 4], &[2, 1], &[0, 0], &[4, 1]]);
    let layout = Layout::from_nested(&nested, 1, 8).unwrap();
    let expected = ["0 1 2 3", "0 1 2 3", "4 5 6 7", "4 5 6 7"];
    assert_eq!(body(layout.clone(), &Options::default()), expected);
    let slots = Options { mode: Mode::LaneSlot, ..Options::default() };
    assert_eq!(
        body(layout.clone(), &slots),
        ["0:0 1:0 2:0 3:0", "0:1 1:1 2:1 3:1", "4:0 5:0 6:0 7:0", "4:1 5:1 6:1 7:1"]
    );
    let transposed = body(layout.permute(&[1, 0]), &Options::default());
    assert_eq!(transposed, ["0 0 4 4", "1 1 5 5", "2 2 6 6", "3 3 7 7"]);
}

/// Subgroups get a table each, with the place of their part; those that hold the same share one. Repeated tiles are
/// drawn once when asked for.
#[test]
fn subgroups_get_a_table_each() {
    let nested = nested([&[2, 1], &[1, 2], &[1, 1], &[2, 2], &[1, 1], &[1, 0], &[1, 2]]);
    let layout = Layout::from_nested(&nested, 4, 4).unwrap();
    let options = Options::default();
    let tables = [
        "subgroups 0, 2: i 0-1, j 0-3",
        "0 2 0 2",
        "1 3 1 3",
        "",
        "subgroups 1, 3: i 2-3, j 0-3",
        "0 2 0 2",
        "1 3 1 3",
    ];
    assert_eq!(body(layout.clone(), &options), tables);
    let elided = body(layout, &Options { elide: true, ..options });
    assert_eq!(elided[..4], ["subgroups 0, 2: i 0-1, j 0-3", "repeats 2 times along j", "0 2", "1 3"]);
}

/// The documentation's 64x64 value: two subgroups along the rows, 2x4 batches of 16x4 lanes with four elements each.
#[test]
fn the_documented_example_is_drawn() {
    let nested = nested([&[2, 1], &[2, 4], &[1, 1], &[16, 4], &[1, 4], &[1, 0], &[1, 16]]);
    let layout = Layout::from_nested(&nested, 2, 64).unwrap();
    let names = ["i".to_string(), "j".to_string()];
    assert_eq!(bits(&layout, &names), "lane[i0 i1 i2 i3 j2 j3] slot[j0 j1 j4 j5 i4] subgroup[i5]");
    let lines = body(layout.clone(), &Options { width: 200, ..Options::default() });
    assert_eq!(lines.len(), 2 * 33 + 1);
    for (part, start) in [(0, 1), (1, 35)] {
        assert_eq!(lines[start - 1], format!("subgroup {part}: i {}-{}, j 0-63", 32 * part, 32 * part + 31));
        for row in 0..32 {
            let lanes: Vec<i64> = lines[start + row].split_whitespace().map(|word| word.parse().unwrap()).collect();
            let expected: Vec<i64> = (0..64).map(|column| row as i64 % 16 + 16 * (column / 4 % 4)).collect();
            assert_eq!(lanes, expected);
        }
    }
    let elided = body(layout, &Options { elide: true, ..Options::default() });
    assert_eq!(elided[1], "repeats 2 times along i, 4 times along j");
    assert_eq!(elided.len(), 2 * 18 + 1);
}

/// No line of a folded table is wider than asked for, and the blocks together hold every column once.
#[test]
fn wide_tables_fold() {
    for columns in [12, 48, 62] {
        let nested = nested([&[1, 1], &[1, 1], &[1, 1], &[1, columns], &[2, 1], &[0, 0], &[0, 1]]);
        let layout = Layout::from_nested(&nested, 1, columns).unwrap();
        for width in [1, 7, 20, 80, 1000] {
            let lines = body(layout.clone(), &Options { width, ..Options::default() });
            let rows: Vec<&String> = lines.iter().filter(|line| !line.ends_with(':')).collect();
            let first: Vec<i64> =
                rows.iter().step_by(2).flat_map(|row| row.split_whitespace()).map(|w| w.parse().unwrap()).collect();
            assert_eq!(first, (0..columns).collect::<Vec<i64>>(), "{columns} columns in {width}");
            assert!(rows.iter().all(|row| row.len() <= width.max(2)), "{columns} columns in {width}");
        }
    }
}

/// Values of other ranks than two.
#[test]
fn any_rank_is_drawn() {
    let scalar = Layout::from_nested(&Nested::whole(&[]).unwrap(), 1, 1).unwrap();
    assert_eq!(body(scalar, &Options::default()), ["0"]);
    let nested = nested([&[1, 1, 1], &[2, 1, 1], &[1, 1, 1], &[1, 2, 2], &[1, 1, 1], &[0, 0, 0], &[0, 2, 1]]);
    let cube = Layout::from_nested(&nested, 1, 4).unwrap();
    assert_eq!(body(cube, &Options::default()), ["i = 0:", "0 1", "2 3", "i = 1:", "0 1", "2 3"]);
}

/// Extents that are not powers of two have a notation of their own.
#[test]
fn odd_extents_are_written_as_digits() {
    let nested = nested([&[1], &[3], &[1], &[6], &[2], &[0], &[4]]);
    let layout = Layout::from_nested(&nested, 1, 48).unwrap();
    assert_eq!(bits(&layout, &["n".to_string()]), "lane[0 0 n1*6 0] slot[n0 (12n)*3]");
}

/// A picture that no one could read is refused.
#[test]
fn huge_layouts_are_refused() {
    let layout = Layout::from_nested(&Nested::whole(&[1 << 30, 1 << 30]).unwrap(), 1, 1).unwrap();
    let error = draw(&view(layout.clone()), &Options::default()).unwrap_err();
    assert_eq!(error.places, 1 << 60);
    let line = Options { mode: Mode::Bits, ..Options::default() };
    assert!(draw(&view(layout), &line).unwrap().contains("lane[] slot[j0 j1 j2"));
}

/// The other spellings are lines as well, or say why there is none.
#[test]
fn spellings_are_lines() {
    let line = |layout: &Layout, mode: Mode| {
        let picture = draw(&view(layout.clone()), &Options { mode, ..Options::default() }).unwrap();
        picture.lines().last().unwrap().to_string()
    };
    let factor = nested([&[1, 1], &[1, 1], &[2, 2], &[8, 4], &[1, 2], &[0, 0], &[4, 1]]);
    let layout = Layout::from_nested_ordered(&factor, &[0, 1, 3, 2, 4, 5], 1, 32).unwrap();
    assert_eq!(line(&layout, Mode::Nested), format!("{factor}, slots in the order outer 1, outer 0, element 1"));
    assert_eq!(line(&layout, Mode::Cute), "((4,8),(2,2,2)):((32,1),(16,8,128))");
    let bases = "slot = [(0, 1), (8, 0), (0, 8)], lane = [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)] -> dim0 16 x dim1 16";
    assert_eq!(line(&layout, Mode::Linear), bases);
    let swizzled = Layout::from_bases(&[4, 2], [&[1], &[3, 4], &[], &[]]).unwrap();
    assert_eq!(line(&swizzled, Mode::Bits), "lane[j0^i0 i1] slot[j0] -> i 4 x j 2");
    assert_eq!(
        line(&swizzled, Mode::Nested),
        "no nested layout: the swizzle acts on bits that the result does not have"
    );
}
