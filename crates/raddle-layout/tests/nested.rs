//! Laws of nested layouts, checked on every small layout.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use std::collections::BTreeMap;

use raddle_layout::{Nested, NestedError, ReshapeFault, Spread};

fn nested(lists: [&[i64]; 7]) -> Nested {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Nested::new(s, b, o, t, e, ss, ts).unwrap()
}

/// Every list of `rank` numbers below or at `max`, from `min`.
fn lists(rank: usize, min: i64, max: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..rank {
        all = all.iter().flat_map(|list| (min..=max).map(move |x| [&list[..], &[x]].concat())).collect();
    }
    all
}

/// Layouts of rank 1 and 2 with every tile up to 3 where rank is 1 and up to 2 where it is 2 (threads up to 3), each
/// with the two dense orders of lanes and with a gap below them, all valid.
fn small_layouts() -> Vec<Nested> {
    let mut all = Vec::new();
    for tiles in lists(5, 1, 3) {
        for gap in [1, 2] {
            let [s, b, o, t, e] = tiles[..] else { unreachable!() };
            all.push(nested([&[s], &[b], &[o], &[t], &[e], &[gap], &[gap]]));
        }
    }
    for tiles in lists(10, 1, 2) {
        for swap in [false, true] {
            for gap in [1, 3] {
                let [s0, s1, b0, b1, o0, o1, t0, t1, e0, e1] = tiles[..] else { unreachable!() };
                // Odd extents come in through the lanes.
                let t0 = if t0 == 2 { 3 } else { 1 };
                let (ss, ts) =
                    if swap { ([gap, gap * s0], [gap, gap * t0]) } else { ([gap * s1, gap], [gap * t1, gap]) };
                all.push(nested([&[s0, s1], &[b0, b1], &[o0, o1], &[t0, t1], &[e0, e1], &ss, &ts]));
            }
        }
    }
    all
}

fn n_elements(layout: &Nested) -> i64 {
    layout.undistributed_shape().iter().product()
}

fn linear(coord: &[i64], shape: &[i64]) -> i64 {
    coord.iter().zip(shape).fold(0, |index, (c, extent)| index * extent + c)
}

fn coords(shape: &[i64]) -> Vec<Vec<i64>> {
    shape.iter().fold(vec![vec![]], |all, &extent| {
        all.iter().flat_map(|coord| (0..extent).map(move |x| [&coord[..], &[x]].concat())).collect()
    })
}

/// Each element has the same number of owners, they are the threads whose slots lead to it, and `coord` and `owners`
/// are each other's inverse; also with more subgroups and lanes than needed.
#[test]
fn owners_and_coordinates_agree() {
    for layout in small_layouts() {
        layout.check().unwrap();
        let shape = layout.undistributed_shape();
        let (n_subgroups, n_lanes) = (2 * layout.n_subgroups(), 2 * layout.n_lanes());
        let mut table: BTreeMap<Vec<i64>, Vec<(i64, i64, i64)>> = BTreeMap::new();
        for subgroup in 0..n_subgroups {
            for lane in 0..n_lanes {
                for slot in 0..layout.n_slots() {
                    table.entry(layout.coord(subgroup, lane, slot)).or_default().push((subgroup, lane, slot));
                }
            }
        }
        assert_eq!(table.len() as i64, n_elements(&layout), "{layout}");
        for coord in coords(&shape) {
            let owners = layout.owners(&coord, n_subgroups, n_lanes);
            assert_eq!(owners, table[&coord], "{layout} at {coord:?}");
            assert_eq!(owners.len() as i64, layout.replication(n_subgroups, n_lanes), "{layout} at {coord:?}");
        }
    }
}

/// Taking a thread's number apart with the bases gives the digits that the definition gives.
#[test]
fn bases_follow_the_definition() {
    for layout in small_layouts() {
        let digits = layout.thread_digits(2 * layout.n_lanes()).unwrap();
        assert_eq!(layout.thread_basis().unwrap().size(), layout.n_lanes(), "{layout}");
        assert_eq!(layout.subgroup_basis().unwrap().size(), layout.n_subgroups(), "{layout}");
        for subgroup in 0..2 * layout.n_subgroups() {
            for lane in 0..2 * layout.n_lanes() {
                let thread = subgroup * 2 * layout.n_lanes() + lane;
                let slot_zero = layout.coord(subgroup, lane, 0);
                for (d, &start) in slot_zero.iter().enumerate() {
                    let s = digits.subgroup.digits(thread)[d];
                    let t = digits.thread.digits(thread)[d];
                    let (b, o, e) = (layout.batch_tile[d], layout.outer_tile[d], layout.element_tile[d]);
                    assert_eq!(start, (s * b * o * layout.thread_tile[d] + t) * e, "{layout}");
                }
            }
        }
    }
}

/// The specification's example: two subgroups along dim 0, 4x16 lanes with dim 1 fastest, subgroups of 64.
#[test]
fn bases_leave_unit_digits_out() {
    let layout = nested([&[2, 1], &[1, 1], &[1, 1], &[4, 16], &[1, 1], &[1, 0], &[16, 1]]);
    let digits = layout.thread_digits(64).unwrap();
    assert_eq!(digits.subgroup.extents, [2, 64]);
    assert_eq!(digits.subgroup.place, [Some(1), None]);
    assert_eq!(digits.thread.extents, [4, 16]);
    assert_eq!(digits.thread.place, [Some(1), Some(2)]);
}

/// A strided layout leaves holes, and the basis has digits for them.
#[test]
fn bases_fill_holes() {
    let layout = nested([&[1], &[1], &[1], &[4], &[1], &[0], &[8]]);
    let basis = layout.thread_basis().unwrap();
    assert_eq!(basis.extents, [4, 8]);
    assert_eq!(basis.place, [Some(1)]);
    assert_eq!(layout.n_lanes(), 32);
}

/// Permuting the layout permutes the coordinates of every slot, once slots are renumbered; owners tell it without
/// slots.
#[test]
fn permute_moves_dimensions() {
    for layout in small_layouts().iter().filter(|layout| layout.rank() == 2) {
        let permuted = layout.permute(&[1, 0]);
        assert_eq!(permuted.permute(&[1, 0]), *layout);
        for coord in coords(&layout.undistributed_shape()) {
            let threads = |layout: &Nested, coord: &[i64]| -> Vec<(i64, i64)> {
                let owners = layout.owners(coord, layout.n_subgroups(), layout.n_lanes());
                owners.iter().map(|&(subgroup, lane, _)| (subgroup, lane)).collect()
            };
            assert_eq!(threads(layout, &coord), threads(&permuted, &[coord[1], coord[0]]), "{layout}");
        }
    }
}

/// Projecting and putting a unit dimension back give the owners of the first tile along the dropped dimension.
#[test]
fn project_makes_replicas() {
    for layout in small_layouts().iter().filter(|layout| layout.rank() == 2) {
        let projected = layout.project(&[false, true]);
        assert_eq!(projected, layout.apply(&[Some(0)]));
        assert_eq!(projected.append(&Nested::whole(&[1]).unwrap()).unwrap(), layout.apply(&[Some(0), None]));
        let (n_subgroups, n_lanes) = (layout.n_subgroups(), layout.n_lanes());
        for subgroup in 0..n_subgroups {
            for lane in 0..n_lanes {
                let kept = projected.coord(subgroup, lane, 0)[0];
                assert_eq!(kept, layout.coord(subgroup, lane, 0)[0], "{layout}");
            }
        }
        // Each thread that held any element of row r holds element r.
        for coord in coords(&layout.undistributed_shape()) {
            for (subgroup, lane, _) in layout.owners(&coord, n_subgroups, n_lanes) {
                let owners = projected.owners(&coord[..1], n_subgroups, n_lanes);
                assert!(owners.iter().any(|owner| (owner.0, owner.1) == (subgroup, lane)), "{layout} at {coord:?}");
            }
        }
    }
}

/// Shape functions multiply up to one another.
#[test]
fn shapes_agree() {
    for layout in small_layouts() {
        let rank = layout.rank();
        let (packed, shape) = (layout.packed_shape(), layout.undistributed_shape());
        let unpacked = layout.distributed_unpacked_shape();
        for d in 0..rank {
            assert_eq!((0..5).map(|level| packed[level * rank + d]).product::<i64>(), shape[d]);
            assert_eq!(unpacked[d] * layout.subgroup_tile[d] * layout.thread_tile[d], shape[d]);
        }
        assert_eq!(layout.distributed_shape().iter().product::<i64>(), layout.n_slots());
        assert_eq!(unpacked.iter().product::<i64>(), layout.n_slots());
        layout.verify(&shape).unwrap();
        layout.verify(&vec![-1; rank]).unwrap();
    }
}

/// Recombining the two operands of a product gives back the tiles that each brings.
#[test]
fn recombine_takes_columns() {
    for layout in small_layouts().iter().filter(|layout| layout.rank() == 2) {
        let (m, k) = (layout.apply(&[Some(0)]), layout.apply(&[Some(1)]));
        let back = Nested::recombine(&[(&m, &[0]), (&k, &[2])], &[0, 2]).unwrap();
        assert_eq!(back, *layout);
        assert_eq!(Nested::recombine(&[(layout, &[0, 2]), (&k, &[2])], &[2]).unwrap(), k);
        assert_eq!(Nested::recombine(&[(layout, &[0, 2])], &[1]), Err(NestedError::Uncovered { dim: 1 }));
        if m != k {
            let clash = Nested::recombine(&[(layout, &[0, 2]), (&m, &[2])], &[2]);
            assert_eq!(clash, Err(NestedError::Conflict { dim: 2, first: 0, second: 1 }));
        }
    }
}

/// A reshape that succeeds moves nothing: each slot of each thread holds the same element in row-major order. It must
/// succeed for the layout's own shape and, back, for whatever it succeeded to.
#[test]
fn reshape_moves_nothing() {
    let mut n_reshaped = 0;
    for layout in small_layouts() {
        let shape = layout.undistributed_shape();
        let size = n_elements(&layout);
        assert_eq!(layout.reshape(&shape).unwrap(), layout);
        for rank in 1..=3 {
            for target in factorizations(size, rank) {
                let Ok(reshaped) = layout.reshape(&target) else { continue };
                n_reshaped += 1;
                assert_eq!(reshaped.undistributed_shape(), target);
                for subgroup in 0..layout.n_subgroups() {
                    for lane in 0..layout.n_lanes() {
                        for slot in 0..layout.n_slots() {
                            let old = linear(&layout.coord(subgroup, lane, slot), &shape);
                            let new = linear(&reshaped.coord(subgroup, lane, slot), &target);
                            assert_eq!(old, new, "{layout} to {target:?}");
                        }
                    }
                }
            }
        }
    }
    assert!(n_reshaped > 10_000, "most splits at tile borders succeed, got {n_reshaped}");
}

fn factorizations(size: i64, rank: usize) -> Vec<Vec<i64>> {
    if rank == 1 {
        return vec![vec![size]];
    }
    (1..=size)
        .filter(|extent| size % extent == 0)
        .flat_map(|extent| {
            factorizations(size / extent, rank - 1).into_iter().map(move |rest| [&[extent], &rest[..]].concat())
        })
        .collect()
}

/// The specification's examples of reshapes.
#[test]
fn reshape_splits_and_merges() {
    let flat = nested([&[2], &[4], &[1], &[4], &[4], &[1], &[1]]);
    let split = nested([&[2, 1], &[2, 2], &[1, 1], &[1, 4], &[1, 4], &[1, 0], &[0, 1]]);
    assert_eq!(flat.reshape(&[4, 32]).unwrap(), split);
    assert_eq!(split.reshape(&[128]).unwrap(), flat);

    let square = nested([&[1, 1], &[4, 4], &[1, 1], &[16, 4], &[1, 4], &[0, 0], &[4, 1]]);
    let tiled = square.reshape(&[4, 16, 4, 16]).unwrap();
    assert_eq!(tiled.thread_tile, [1, 16, 1, 4]);
    assert_eq!(tiled.batch_tile, [4, 1, 4, 1]);
    assert_eq!(tiled.reshape(&[64, 64]).unwrap(), square);
}

/// A tile of 6 does not split into rows of 4.
#[test]
fn reshape_refuses_uneven_splits() {
    let layout = nested([&[1], &[1], &[1], &[2], &[6], &[0], &[1]]);
    let error = layout.reshape(&[3, 4]).unwrap_err();
    assert!(
        matches!(error, NestedError::NotReshapable { why: ReshapeFault::Split { tile: 6, rest: 4 }, .. }),
        "{error}"
    );
    assert!(matches!(layout.reshape(&[5]), Err(NestedError::WrongSize { .. })));
    assert!(matches!(layout.reshape(&[-12]), Err(NestedError::WrongSize { .. })));
}

/// The first tile in row-major order that finds its lane taken is the witness.
#[test]
fn overlaps_have_a_witness() {
    let layout = nested([&[1, 1], &[1, 1], &[1, 1], &[4, 4], &[1, 1], &[0, 0], &[1, 2]]);
    let error = layout.check().unwrap_err();
    assert_eq!(error.to_string(), "thread tiles have overlapping strides: tiles [0, 1] and [2, 0] both ask for lane 2");
    let layout = nested([&[3, 2], &[1, 1], &[1, 1], &[1, 1], &[1, 1], &[1, 4], &[0, 0]]);
    assert!(matches!(layout.check(), Err(NestedError::Misaligned { dim: 1, stride: 4, unit: 3, .. })));
    let layout = nested([&[1], &[1], &[1], &[4], &[1], &[0], &[0]]);
    assert!(matches!(layout.check(), Err(NestedError::NoStride { dim: 0, .. })));
}

/// `check` refuses exactly the layouts whose digits do not stack: among small ones every refusal has a reason that
/// shows, either two tiles with one lane or lanes that wrap around unevenly.
#[test]
fn overlap_is_complete() {
    for tiles in lists(2, 2, 4) {
        for strides in lists(2, 1, 9) {
            let layout = nested([&[1, 1], &[1, 1], &[1, 1], &tiles, &[1, 1], &[0, 0], &strides]);
            let lanes: Vec<i64> = coords(&tiles).iter().map(|t| t[0] * strides[0] + t[1] * strides[1]).collect();
            let first = (0..lanes.len()).find(|&index| lanes[..index].contains(&lanes[index]));
            match layout.check() {
                Ok(()) => assert_eq!(first, None, "{layout}"),
                Err(NestedError::Overlap { second, first: other, owner, .. }) => {
                    let index = first.unwrap();
                    assert_eq!((&second, owner), (&coords(&tiles)[index], lanes[index]), "{layout}");
                    assert_eq!(other[0] * strides[0] + other[1] * strides[1], owner, "{layout}");
                }
                Err(NestedError::Misaligned { .. }) => assert_eq!(first, None, "{layout}"),
                Err(error) => panic!("{layout}: {error}"),
            }
        }
    }
}

/// Mistakes in the lists are named, with the place.
#[test]
fn bad_numbers_are_named() {
    let one = || vec![1];
    let error = Nested::new(one(), one(), one(), vec![-4], one(), vec![0], vec![1]).unwrap_err();
    assert_eq!(error.to_string(), "thread_tile has -4 at dim 0, which must be at least 1");
    let error = Nested::new(one(), one(), one(), vec![4], one(), vec![0], vec![-1]).unwrap_err();
    assert_eq!(error.to_string(), "thread_strides has -1 at dim 0, which must be at least 0");
    let error = Nested::new(one(), vec![1 << 40], vec![1 << 40], one(), one(), vec![0], vec![0]).unwrap_err();
    assert_eq!(error, NestedError::TooLarge);
    let error = Nested::new(one(), vec![], one(), one(), one(), vec![0], vec![0]).unwrap_err();
    assert_eq!(error, NestedError::RankMismatch);
}

/// A vector of another shape is refused in the words that users of the attribute know.
#[test]
fn other_shapes_are_refused() {
    let layout = nested([&[1], &[2], &[1], &[4], &[2], &[0], &[1]]);
    let error = layout.verify(&[16, 16]).unwrap_err();
    assert_eq!(error.to_string(), "Rank of vector (2) does not match rank of layout (1).");
    let error = layout.verify(&[32]).unwrap_err().to_string();
    assert!(error.starts_with("Vector shape: [32] does not match the layout (nested_layout<subgroup_tile = [1], "));
    assert!(error.ends_with("at dim 0. Dimension expected by layout: 16 actual: 32"), "{error}");
}

/// A coalesced copy uses every thread once, and neighbours hold neighbours.
#[test]
fn coalesced_copies_use_all_threads() {
    for n_threads in [1, 2, 4, 6, 64, 256] {
        for shape in lists(2, 1, 12) {
            for tile in [[1, 1], [1, 2], [2, 1], [1, 4]] {
                let Ok(layout) = Nested::coalesced(n_threads, &shape, &tile) else { continue };
                layout.check().unwrap();
                assert_eq!(layout.undistributed_shape(), shape);
                assert_eq!(n_threads % layout.n_lanes(), 0, "{layout}");
                let full = n_threads.min(shape[0] / tile[0] * (shape[1] / tile[1]));
                assert_eq!(layout.n_lanes(), full, "{layout}");
                if layout.thread_tile[1] > 1 {
                    assert_eq!(layout.coord(0, 1, 0), [0, tile[1]], "{layout}");
                }
            }
        }
    }
    let layout = Nested::coalesced(256, &[64, 64], &[1, 8]).unwrap();
    assert_eq!((layout.thread_tile, layout.batch_tile), (vec![32, 8], vec![2, 1]));
    assert!(matches!(Nested::coalesced(64, &[3, 100], &[1, 4]), Err(NestedError::NotDivisible { dim: 1, .. })));
}

/// Where tiles and threads do not divide each other, some threads share a dimension, and others the next one.
#[test]
fn tiles_are_dealt_to_threads_that_do_not_divide_them() {
    for n_threads in [1, 4, 6, 64] {
        for shape in lists(2, 1, 12) {
            let layout = Nested::dealt(n_threads, &shape, &[1, 1]).unwrap();
            layout.check().unwrap();
            assert_eq!((layout.undistributed_shape(), n_threads % layout.n_lanes()), (shape.clone(), 0), "{layout}");
            if let Ok(coalesced) = Nested::coalesced(n_threads, &shape, &[1, 1]) {
                assert_eq!(layout, coalesced);
            }
        }
    }
    let layout = Nested::dealt(64, &[16, 48], &[1, 4]).unwrap();
    assert_eq!((layout.thread_tile, layout.batch_tile), (vec![16, 4], vec![1, 3]));
}

/// Layouts over the threads of a workgroup have owners in every subgroup.
#[test]
fn lanes_may_spill_over_subgroups() {
    let layout = Nested::coalesced(128, &[16, 64], &[1, 8]).unwrap();
    for coord in coords(&[16, 64]) {
        let owners = layout.owners(&coord, 2, 64);
        assert_eq!(owners.len(), 1);
        let (subgroup, lane, slot) = owners[0];
        assert_eq!(layout.coord(0, subgroup * 64 + lane, slot), coord);
    }
}

/// Every basis of up to three counts and every mapping of it: dimension `i` uses the count at position `mapping[i]`,
/// and lanes count row-major, as numbers in that mixed radix say.
#[test]
fn bases_are_spread_by_their_mapping() {
    let mut cycles = 0;
    for counts in (0..27).map(|n| [1 + n % 3, 1 + n / 3 % 3, 1 + n / 9]) {
        let n_lanes: i64 = counts.iter().product();
        // All injective mappings of one to three dimensions.
        let mappings = (0..4usize.pow(3))
            .map(|n| [n % 4, n / 4 % 4, n / 16])
            .map(|list| list.into_iter().take_while(|&position| position < 3).collect::<Vec<usize>>());
        for mapping in mappings {
            let repeats = (0..mapping.len()).any(|at| mapping[..at].contains(&mapping[at]));
            let Ok(spread) = Spread::new(&counts, &mapping) else {
                assert!(repeats);
                continue;
            };
            assert!(!repeats);
            let inverse = (0..mapping.len()).all(|at| mapping.get(mapping[at]) == Some(&at));
            cycles += i32::from(mapping.len() == 3 && !inverse);
            let rank = mapping.len();
            let one = Spread::identity(&vec![1; rank]).unwrap();
            let extents: Vec<i64> = (0..rank as i64).map(|d| 5 + d).collect();
            let thread: Vec<i64> = (0..rank as i64).map(|d| d % 3).collect();
            let layout = Nested::spread(&extents, &one, &spread, &thread).unwrap();
            assert_eq!(spread.size(), n_lanes);
            for lane in 0..n_lanes {
                let digits = [lane / counts[2] / counts[1], lane / counts[2] % counts[1], lane % counts[2]];
                let coord = layout.coord(0, lane, 0);
                for d in 0..rank {
                    assert_eq!(coord[d], digits[mapping[d]] * thread[d].max(1), "{counts:?} {mapping:?} lane {lane}");
                }
            }
            for d in 0..rank {
                let tile = counts[mapping[d]] * thread[d].max(1);
                let shape = layout.undistributed_shape();
                assert!(shape[d] >= extents[d] && shape[d] - extents[d] < tile, "{shape:?} for {extents:?}");
                // The same basis for subgroups takes the same parts, outside of the lanes'.
                let outer = Nested::spread(&extents, &spread, &one, &thread).unwrap();
                assert_eq!(outer.subgroup_tile, layout.thread_tile);
                assert_eq!(outer.subgroup_strides, layout.thread_strides);
            }
        }
    }
    // Two cycles of three for each basis.
    assert_eq!(cycles, 2 * 27);
    let error = Spread::new(&[2, 2], &[0, 0]).unwrap_err();
    assert_eq!(error.to_string(), "dim 1 uses position 0 of the basis, which another dim uses already");
    assert_eq!(Spread::new(&[2], &[1]).unwrap_err().to_string(), "dim 0 uses position 1 of a basis of 1 counts");
    assert!(Spread::new(&[0], &[0]).is_err() && Spread::new(&[1 << 40, 1 << 40], &[0]).is_err());
}
