//! Counts of conflicts and segments, against known accesses.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::access::{Banks, Conflict, Segments, segments, wavefronts};
use raddle_layout::swizzle::{Pattern, padding, swizzle};

fn every(lanes: i64, stride: i64) -> Vec<Option<i64>> {
    (0..lanes).map(|lane| Some(lane * stride)).collect()
}

/// A stride of s words meets a bank gcd(s, 32) times.
#[test]
fn strides_conflict_by_their_divisors() {
    let banks = Banks::words(32);
    for stride in 1..=64 {
        let result = wavefronts(&every(32, 4 * stride), 4, &banks);
        let gcd = (1..=32).rev().find(|d| stride % d == 0 && 32 % d == 0).unwrap();
        assert_eq!((result.count, result.ideal), (gcd, 1), "stride {stride}");
        assert_eq!(result.conflict.is_some(), gcd > 1);
    }
    let result = wavefronts(&every(32, 128), 4, &banks);
    assert_eq!(result.conflict, Some(Conflict { first: 0, second: 1, bank: 0 }));
    assert_eq!(result.to_string(), "32 wavefronts, 1 without conflicts; lanes 0 and 1 meet in bank 0");
}

#[test]
fn wide_accesses_come_in_phases() {
    let banks = Banks::words(32);
    for (bytes, phases) in [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)] {
        let result = wavefronts(&every(32, bytes), bytes, &banks);
        assert_eq!((result.count, result.ideal), (phases, phases));
    }
    // All lanes read one word.
    assert_eq!(wavefronts(&every(32, 0), 4, &banks).count, 1);
    // 64 banks serve 64 lanes at once.
    assert_eq!(wavefronts(&every(64, 4), 4, &Banks::words(64)).count, 1);
    assert_eq!(wavefronts(&[None, Some(0)], 4, &banks).count, 1);
}

/// Phases of lanes that are not neighbours are data.
#[test]
fn phases_are_data() {
    let groups = vec![vec![0, 1, 4, 5], vec![2, 3, 6, 7]];
    let banks = Banks { phases: vec![(16, groups)], ..Banks::words(16) };
    let addresses: Vec<Option<i64>> = [0, 16, 0, 16, 32, 48, 32, 48].iter().map(|&at| Some(at)).collect();
    assert_eq!(wavefronts(&addresses, 16, &banks).count, 2);
    assert_eq!(wavefronts(&addresses, 16, &Banks::words(16)).count, 2);
    assert_eq!(wavefronts(&every(8, 32), 16, &banks).count, 4);
}

#[test]
fn segments_are_counted_once() {
    assert_eq!(segments(&every(32, 4), 4, 32), Segments { count: 4, ideal: 4, bytes: 128 });
    assert_eq!(segments(&every(32, 8), 4, 32), Segments { count: 8, ideal: 4, bytes: 128 });
    assert_eq!(segments(&every(32, 0), 4, 32), Segments { count: 1, ideal: 1, bytes: 4 });
    assert_eq!(segments(&[Some(30), None, Some(28)], 4, 32), Segments { count: 2, ideal: 1, bytes: 6 });
    assert_eq!(segments(&every(4, 128), 16, 32).count, 4);
}

/// Eight lanes' rows of 16 bytes, and the same along columns, in arrays of every shape.
fn directions(columns: i64, per_unit: i64) -> [Pattern; 2] {
    let units = columns / per_unit;
    let lanes = |place: &dyn Fn(i64) -> (i64, i64)| (0..8).map(|lane| Some(place(lane))).collect();
    let rows = lanes(&|lane| (lane / units, lane % units * per_unit));
    let down = lanes(&|lane| (lane, 0));
    [rows, down].map(|lanes| Pattern { lanes, width: per_unit })
}

#[test]
fn swizzles_keep_rows_and_columns_apart() {
    let banks = Banks::words(32);
    for element_bytes in [1, 2, 4] {
        for columns in [16, 32, 64, 128, 256] {
            let per_unit = 16 / element_bytes;
            if columns < per_unit {
                continue;
            }
            let patterns = directions(columns, per_unit);
            let swizzled = swizzle([64, columns], element_bytes, &patterns, &banks).unwrap();
            assert!(swizzled.free, "{columns} of {element_bytes}: {:?}", swizzled.wavefronts);
            assert_eq!(swizzled.wavefronts, [1, 1]);
            assert_eq!(swizzled.map.rank(), swizzled.map.n_rows());
            // Vectors stay whole.
            for bit in 0..per_unit.ilog2() {
                assert_eq!(swizzled.map.apply(1 << bit), 1 << bit);
            }
        }
    }
    assert_eq!(swizzle([48, 64], 2, &[], &banks), None);
    // All lanes in one column of one word, 64 rows: more words than banks; nothing helps fully.
    let column = Pattern { lanes: (0..32).map(|lane| Some((lane, 0))).collect(), width: 1 };
    let row = Pattern { lanes: (0..32).map(|lane| Some((0, lane))).collect(), width: 1 };
    let both = swizzle([32, 32], 4, &[column.clone(), row.clone()], &banks).unwrap();
    assert_eq!((both.wavefronts, both.free), (vec![1, 1], true));
    let padded = padding([32, 32], 4, &[column, row], &banks);
    assert_eq!((padded.pitch, padded.wavefronts), (33, vec![1, 1]));
}

/// Extents that are not powers of two are padded.
#[test]
fn odd_rows_are_padded() {
    let banks = Banks::words(32);
    for columns in [24, 48, 80, 96] {
        let patterns = directions(columns, 8);
        let padded = padding([48, columns], 2, &patterns[1..], &banks);
        assert!(padded.free && padded.pitch >= columns && padded.pitch % 8 == 0, "{columns}: {padded:?}");
    }
}
