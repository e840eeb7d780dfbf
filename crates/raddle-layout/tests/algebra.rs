//! Laws of the algebra of layouts, on every small layout, each against the points.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::f2::Matrix;
use raddle_layout::{Digit, Hardware, Kind, Layout, LayoutError};

/// Every way to deal the factors of a two-dimensional value to slots, lanes and subgroups, in every order.
fn layouts(factors: [&[i64]; 2]) -> Vec<Layout> {
    let shape: Vec<i64> = factors.iter().map(|factors| factors.iter().product()).collect();
    let mut digits = Vec::new();
    for (dim, factors) in factors.iter().enumerate() {
        let mut weight = 1;
        for &extent in *factors {
            digits.push(Digit::shard(extent, 2, dim, weight));
            weight *= extent;
        }
    }
    let mut all = Vec::new();
    for order in permutations(digits.len()) {
        for dealt in 0..3usize.pow(digits.len() as u32) {
            let mut parts: [Vec<Digit>; 3] = [vec![], vec![], vec![]];
            let mut rest = dealt;
            for &index in &order {
                parts[rest % 3].push(digits[index].clone());
                rest /= 3;
            }
            let [slots, lanes, subgroups] = parts;
            all.push(Layout::new(shape.clone(), slots, lanes, subgroups).unwrap());
        }
    }
    all
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![vec![]], |all, next| {
        let insert = |list: &Vec<usize>, at: usize| [&list[..at], &[next], &list[at..]].concat();
        all.iter().flat_map(|list| (0..=list.len()).map(|at| insert(list, at)).collect::<Vec<_>>()).collect()
    })
}

/// Layouts with copies, empty places, swizzles and odd extents.
fn zoo() -> Vec<Layout> {
    let mut all = layouts([&[2, 2], &[3]]);
    all.extend(layouts([&[2], &[2, 3]]));
    all.extend(layouts([&[2, 2], &[2]]));
    let mut more = Vec::new();
    for (index, layout) in all.iter().enumerate() {
        let kind = [Kind::Replicate, Kind::Unused, Kind::Partial][index % 3];
        let parts = Hardware::ALL.map(|hardware| {
            let mut digits = layout.digits(hardware).to_vec();
            if hardware as usize == index / 3 % 3 {
                digits.insert(index % (digits.len() + 1), Digit::still([2, 3][index / 9 % 2], 2, kind));
            }
            digits
        });
        let [slots, lanes, subgroups] = parts;
        more.push(Layout::new(layout.shape().to_vec(), slots, lanes, subgroups).unwrap());
    }
    all.extend(more);
    let swizzled: Vec<Layout> = all
        .iter()
        .enumerate()
        .filter_map(|(index, layout)| {
            let n = layout.n_bits();
            // Powers of an invertible matrix.
            let mut columns: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
            columns[0] ^= if n > 1 { 2 } else { 0 };
            columns[n - 1] ^= if index % 2 == 0 && n > 2 { 2 } else { 0 };
            columns.rotate_left(index % n);
            layout.with_swizzle(&Matrix::new(n, columns).unwrap()).ok()
        })
        .collect();
    all.extend(swizzled.into_iter().step_by(3));
    all
}

/// What every place holds.
fn points(layout: &Layout) -> Vec<Option<Vec<i64>>> {
    places(layout).into_iter().map(|[subgroup, lane, slot]| layout.coord(subgroup, lane, slot)).collect()
}

fn places(layout: &Layout) -> Vec<[i64; 3]> {
    let [slots, lanes, subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware));
    let mut all = Vec::new();
    for subgroup in 0..subgroups {
        for lane in 0..lanes {
            all.extend((0..slots).map(|slot| [subgroup, lane, slot]));
        }
    }
    all
}

fn number(coord: &[i64], shape: &[i64]) -> i64 {
    coord.iter().zip(shape).fold(0, |index, (c, extent)| index * extent + c)
}

#[test]
fn canonical_forms_are_the_same_function() {
    for layout in zoo() {
        assert_eq!(points(&layout.canonical()), points(&layout), "{layout:?}");
        assert_eq!(layout.canonical().canonical(), layout.canonical());
    }
}

/// Two layouts are equal where their functions are: by their canonical forms, never by accident.
#[test]
fn canonical_forms_decide_equality() {
    let all: Vec<_> = zoo().into_iter().step_by(5).collect();
    let functions: Vec<_> = all.iter().map(points).collect();
    let moving = |layout: &Layout| {
        let kinds = Hardware::ALL.map(|hardware| {
            let still = layout.canonical().digits(hardware).iter().map(|digit| (digit.kind, digit.extent)).collect();
            let still: Vec<(Kind, i64)> = still;
            still.into_iter().filter(|(kind, _)| *kind != Kind::Shard).collect::<Vec<_>>()
        });
        kinds.concat()
    };
    for (a, f) in all.iter().zip(&functions) {
        for (b, g) in all.iter().zip(&functions) {
            let counts = Hardware::ALL.iter().all(|&hardware| a.count(hardware) == b.count(hardware));
            let same = f == g && a.shape() == b.shape() && counts && moving(a) == moving(b);
            assert_eq!(a.same_function(b), Some(same), "{a:?}\n{b:?}");
        }
    }
}

#[test]
fn linear_maps_are_the_same_function() {
    let mut linear = 0;
    for layout in zoo() {
        let Ok(form) = layout.to_f2() else { continue };
        linear += 1;
        assert_eq!(points(&Layout::from_f2(&form).unwrap()), points(&layout), "{layout:?}");
    }
    assert!(linear > 100, "{linear}");
}

#[test]
fn products_are_grids() {
    let all = zoo();
    let mut divided = 0;
    for (index, inner) in all.iter().enumerate().step_by(7) {
        for outer in all.iter().skip(index % 11).step_by(23) {
            let product = match inner.product(outer) {
                Ok(product) => product,
                Err(error) => {
                    assert_eq!(error, LayoutError::Swizzled);
                    continue;
                }
            };
            let counts = Hardware::ALL.map(|hardware| inner.count(hardware));
            for [subgroup, lane, slot] in places(&product) {
                let a = inner.coord(subgroup % counts[2], lane % counts[1], slot % counts[0]);
                let b = outer.coord(subgroup / counts[2], lane / counts[1], slot / counts[0]);
                let both = a.zip(b).map(|(a, b)| (0..2).map(|d| a[d] + inner.shape()[d] * b[d]).collect::<Vec<_>>());
                assert_eq!(product.coord(subgroup, lane, slot), both);
            }
            match product.divide(inner) {
                Ok(quotient) => {
                    divided += 1;
                    assert_eq!(quotient.same_function(outer), Some(true), "{inner:?}\n{outer:?}");
                }
                Err(error) => {
                    let swizzled = inner.swizzle().is_some() || outer.swizzle().is_some();
                    assert!(swizzled, "{error}\n{inner:?}\n{outer:?}");
                }
            }
        }
    }
    assert!(divided > 500, "{divided}");
}

#[test]
fn maps_pick_dimensions() {
    for layout in zoo() {
        let Ok(column) = layout.apply(&[Some(1), None]) else {
            assert!(layout.swizzle().is_some());
            continue;
        };
        let wide = column.broadcast(1, 3).unwrap();
        let slots = layout.count(Hardware::Slot);
        for [subgroup, lane, slot] in places(&wide) {
            let expected = layout.coord(subgroup, lane, slot % slots).map(|coord| vec![coord[1], slot / slots]);
            assert_eq!(wide.coord(subgroup, lane, slot), expected, "{layout:?}");
        }
        let turned = layout.apply(&[None, Some(1), Some(0)]).unwrap();
        for ([subgroup, lane, slot], coord) in places(&layout).into_iter().zip(points(&layout)) {
            let expected = coord.map(|coord| vec![0, coord[1], coord[0]]);
            assert_eq!(turned.coord(subgroup, lane, slot), expected);
        }
    }
}

/// A tile that is not the fast part is refused, and what is not refused multiplies back.
#[test]
fn tiles_divide_or_not() {
    let all = layouts([&[2, 2], &[3]]);
    let tiles = layouts([&[2], &[3]]);
    let (mut yes, mut no) = (0, 0);
    for layout in &all {
        for tile in &tiles {
            match layout.divide(tile) {
                Ok(outer) => {
                    yes += 1;
                    assert_eq!(tile.product(&outer).unwrap().same_function(layout), Some(true));
                }
                Err(_) => no += 1,
            }
        }
    }
    assert!(yes > 0 && no > yes);
}

#[test]
fn projections_forget_dimensions() {
    for layout in zoo() {
        for dim in 0..2 {
            let mut dropped = [false; 2];
            dropped[dim] = true;
            let (Ok(slice), Ok(partial)) = (layout.slice(dim), layout.partial(&dropped)) else {
                assert!(layout.swizzle().is_some());
                continue;
            };
            for ([subgroup, lane, slot], coord) in places(&layout).into_iter().zip(points(&layout)) {
                let kept = coord.map(|mut coord| {
                    coord.remove(dim);
                    coord
                });
                assert_eq!(slice.coord(subgroup, lane, slot), kept, "{layout:?}");
                assert_eq!(partial.coord(subgroup, lane, slot), kept);
            }
            let kinds = |layout: &Layout| Hardware::ALL.map(|hardware| layout.digits(hardware).to_vec()).concat();
            assert!(kinds(&partial).iter().filter(|digit| digit.kind == Kind::Partial).count() >= 1);
        }
    }
}

#[test]
fn reshapes_keep_row_major_numbers() {
    let mut reshaped = 0;
    for layout in zoo() {
        let size: i64 = layout.shape().iter().product();
        for rows in (1..=size).filter(|rows| size % rows == 0) {
            let shape = [rows, size / rows];
            match layout.reshape(&shape) {
                Ok(result) => {
                    reshaped += 1;
                    let old = points(&layout).into_iter().map(|at| at.map(|at| number(&at, layout.shape())));
                    let new = points(&result).into_iter().map(|at| at.map(|at| number(&at, &shape)));
                    // A digit of one value that crosses a border becomes two of the same number.
                    assert!(old.eq(new), "{layout:?}");
                }
                Err(LayoutError::Straddles { .. }) | Err(LayoutError::Swizzled) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(reshaped > 2000, "{reshaped}");
}

#[test]
fn inverses_find_the_first_owner() {
    let mut inverted = 0;
    for layout in zoo() {
        let Ok(back) = layout.pseudo_invert() else { continue };
        inverted += 1;
        let size: i64 = layout.shape().iter().product();
        for element in 0..size {
            let place = back.coord_at(element).unwrap();
            let coord = layout.coord(place[1], place[2], place[3]).unwrap();
            assert_eq!(number(&coord, layout.shape()), element, "{layout:?}");
        }
        let replicated = layout.replication() > 1;
        let partial = Hardware::ALL.iter().any(|&h| layout.digits(h).iter().any(|digit| digit.kind == Kind::Partial));
        assert_eq!(layout.invert().is_ok(), !replicated && !partial);
    }
    assert!(inverted > 300, "{inverted}");
}

#[test]
fn places_are_found_in_other_layouts() {
    let all = zoo();
    let mut found = 0;
    for (index, source) in all.iter().enumerate().step_by(5) {
        for target in all.iter().skip(index % 13).step_by(17) {
            let Ok(map) = source.invert_and_compose(target) else { continue };
            found += 1;
            for ([subgroup, lane, slot], coord) in places(target).into_iter().zip(points(target)) {
                match (map.coord(subgroup, lane, slot), coord) {
                    (Some(at), Some(coord)) => assert_eq!(source.coord(at[1], at[2], at[3]), Some(coord)),
                    (place, coord) => assert_eq!(place.is_none(), coord.is_none()),
                }
            }
        }
    }
    assert!(found > 300, "{found}");
}

/// Addresses in row-major, padded and swizzled memory.
#[test]
fn addresses_are_offsets_of_memory() {
    let n = 3;
    let swizzle = Matrix::new(n, vec![1, 2, 5]).unwrap();
    for shape in [vec![4, 3], vec![2, 6], vec![4, 2]] {
        let plain = Layout::row_major(&shape).unwrap();
        let padded = Layout::memory(
            shape.clone(),
            vec![Digit::shard(shape[1], 2, 1, 1), Digit::still(2, 2, Kind::Unused), Digit::shard(shape[0], 2, 0, 1)],
        )
        .unwrap();
        let mut memories = vec![plain.clone(), padded];
        if shape == [4, 2] {
            memories.push(plain.with_swizzle(&swizzle).unwrap());
        }
        for layout in zoo().iter().filter(|layout| layout.shape() == shape) {
            for memory in &memories {
                let Ok(addresses) = layout.addresses(memory) else { continue };
                for [subgroup, lane, slot] in places(layout) {
                    let address = addresses.coord(subgroup, lane, slot);
                    let element = address.and_then(|address| memory.coord_at(address[0]));
                    assert_eq!(element, layout.coord(subgroup, lane, slot));
                }
            }
        }
    }
}

#[test]
fn permuted_swizzles_follow_their_bits() {
    for layout in zoo() {
        let turned = layout.permute(&[1, 0]);
        for ([subgroup, lane, slot], coord) in places(&layout).into_iter().zip(points(&layout)) {
            let swapped = coord.map(|coord| vec![coord[1], coord[0]]);
            assert_eq!(turned.coord(subgroup, lane, slot), swapped);
        }
    }
}

#[test]
fn what_is_not_linear_is_named() {
    // Steps 1 and 1: adding them carries.
    let twice = Layout::new(vec![4], vec![Digit::shard(2, 1, 0, 1)], vec![Digit::shard(2, 1, 0, 1)], vec![]).unwrap();
    let witness = LayoutError::Carry { first: (Hardware::Slot, 1), second: (Hardware::Lane, 1) };
    assert_eq!(twice.to_f2().unwrap_err(), witness);
    let odd = Layout::new(vec![12], vec![Digit::shard(3, 1, 0, 1), Digit::shard(4, 1, 0, 3)], vec![], vec![]).unwrap();
    assert!(matches!(odd.to_f2(), Err(LayoutError::Odd { hardware: Hardware::Slot, index: 0 })));
    let error = Layout::from_bases(&[4], [&[1, 2], &[3], &[], &[]]).unwrap_err();
    let places = vec![(Hardware::Slot, 1), (Hardware::Slot, 2), (Hardware::Lane, 1)];
    assert_eq!(error, LayoutError::Dependent { places });
    let short = Layout::new(vec![4], vec![Digit::shard(2, 1, 0, 1)], vec![], vec![]).unwrap();
    assert_eq!(short.pseudo_invert().unwrap_err(), LayoutError::Missing { element: 2 });
}

/// Every layout is recognised from what its places hold; a table that has none is refused with a place.
#[test]
fn layouts_are_recognised_from_points() {
    for layout in zoo() {
        let counts = Hardware::ALL.map(|hardware| layout.count(hardware));
        let found = Layout::from_points(layout.shape(), counts, |s, l, e| layout.coord(s, l, e));
        let copies = |layout: &Layout| {
            let digits = Hardware::ALL.iter().flat_map(|&hardware| layout.digits(hardware));
            digits.clone().any(|digit| digit.kind == Kind::Partial)
        };
        match found {
            Ok(found) => {
                assert_eq!(points(&found), points(&layout));
                // Parts of a sum look like replicas.
                assert!(copies(&layout) || found == layout.canonical(), "{layout:?}");
            }
            Err(error) => assert!(layout.swizzle().is_some(), "{error} {layout:?}"),
        }
    }
    let broken = Layout::from_points(&[4], [2, 2, 1], |_, lane, slot| {
        Some(vec![[[0, 1], [2, 2]][lane as usize][slot as usize]])
    });
    let (expected, found) = (Some(vec![3]), Some(vec![2]));
    assert_eq!(broken.unwrap_err(), LayoutError::NotDigits { subgroup: 0, lane: 1, slot: 1, expected, found });
}

/// Values are stacked in the fast slots, and come apart again; what lies in lanes does not.
#[test]
fn joined_values_split() {
    let mut refused = 0;
    for layout in zoo() {
        for extent in [1, 2, 3] {
            let joined = match layout.join(extent) {
                Ok(joined) => joined,
                Err(error) => {
                    assert!(layout.swizzle().is_some(), "{error}");
                    continue;
                }
            };
            for [subgroup, lane, slot] in places(&joined) {
                let expected = layout.coord(subgroup, lane, slot / extent).map(|mut coord| {
                    coord.push(slot % extent);
                    coord
                });
                assert_eq!(joined.coord(subgroup, lane, slot), expected, "{layout:?}");
            }
            match joined.split() {
                Ok(split) => assert_eq!(split.same_function(&layout), Some(true), "{layout:?}"),
                Err(error) => assert_eq!((error, layout.swizzle().is_some()), (LayoutError::Swizzled, true)),
            }
        }
        // Whatever splits holds the parts in the same order of slots.
        match layout.split() {
            Ok(half) => {
                for [subgroup, lane, slot] in places(&half) {
                    let column = half.coord(subgroup, lane, slot).map(|coord| coord[0]);
                    let rows = (0..layout.count(Hardware::Slot)).filter_map(|slot| layout.coord(subgroup, lane, slot));
                    let with = rows.filter(|coord| Some(coord[0]) == column).count() as i64;
                    assert!(with >= layout.shape()[1] || column.is_none(), "{layout:?}");
                }
            }
            Err(LayoutError::Apart { hardware, index, dim }) => {
                refused += 1;
                let digit = layout.canonical().digits(hardware)[index].clone();
                assert!(digit.weights[dim] != 0 && hardware != Hardware::Slot, "{layout:?}");
            }
            Err(error) => assert_eq!(error, LayoutError::Swizzled),
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(Layout::row_major(&[]).unwrap().split(), Err(LayoutError::NoDimension));
}

/// Slices of one layout recombine to it; operands that place a dimension in other lanes or slots do not.
#[test]
fn operands_recombine() {
    let all = layouts([&[2, 2], &[3]]);
    let mut same = 0;
    for (index, layout) in all.iter().enumerate() {
        let (rows, columns) = (layout.slice(1).unwrap(), layout.slice(0).unwrap());
        for (operands, result) in [
            (vec![(&rows, &[0usize][..]), (&columns, &[1][..])], vec![0, 1]),
            (vec![(layout, &[0, 1][..]), (&rows, &[0][..])], vec![1, 0]),
            (vec![(layout, &[4, 7][..])], vec![7]),
        ] {
            let found = Layout::recombine(&operands, &result).unwrap();
            for (r, &dim) in result.iter().enumerate() {
                let d = if dim == 1 || dim == 7 { 1 } else { 0 };
                assert_eq!(found.shape()[r], layout.shape()[d]);
                // Lanes and subgroups hold the same coordinates as in the operands.
                for subgroup in 0..layout.count(Hardware::Subgroup) {
                    for lane in 0..layout.count(Hardware::Lane) {
                        let held = |layout: &Layout, dim: usize| {
                            let slots = 0..layout.count(Hardware::Slot);
                            let coords = slots.filter_map(|slot| layout.coord(subgroup, lane, slot));
                            coords.map(|coord| coord[dim]).collect::<std::collections::BTreeSet<i64>>()
                        };
                        assert_eq!(held(&found, r), held(layout, d), "{layout:?}");
                    }
                }
            }
        }
        for other in all.iter().skip(index % 3).step_by(3) {
            let counts = |layout: &Layout| Hardware::ALL.map(|hardware| layout.count(hardware));
            match Layout::recombine(&[(layout, &[0, 1]), (other, &[0, 1])], &[0, 1]) {
                Ok(found) => {
                    same += 1;
                    assert_eq!(counts(layout), counts(other));
                    let held = |layout: &Layout| -> Vec<_> {
                        let slots = layout.count(Hardware::Slot);
                        let sorted = |lane: &[Option<Vec<i64>>]| {
                            let mut lane = lane.to_vec();
                            lane.sort_unstable();
                            lane
                        };
                        points(layout).chunks(slots as usize).map(sorted).collect()
                    };
                    assert_eq!((held(&found), held(&found)), (held(layout), held(other)));
                }
                Err(LayoutError::Disagree { .. } | LayoutError::Uneven { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(same > 50 && same < all.len() * all.len() / 10, "{same}");
    let error = Layout::recombine(&[(&all[0], &[0, 1])], &[2]).unwrap_err();
    assert_eq!(error.to_string(), "no operand lies along iteration dim 2");
}
