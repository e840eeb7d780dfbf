//! Counts of conflicts and segments, against known accesses.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::access::{Banks, Conflict, Segments, segments, wavefronts, xor_rows};

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

/// Rows and columns of a swizzled tile are free of conflicts.
#[test]
fn swizzled_tiles_have_no_conflicts() {
    let banks = Banks::words(32);
    for (rows, columns) in [(8, 8), (32, 8), (32, 4), (32, 2), (8, 32)] {
        let at = xor_rows(rows, columns, 16, &banks);
        let mut all: Vec<i64> =
            (0..rows).flat_map(|row| (0..columns).map(move |c| (row, c))).map(|(r, c)| at(r, c)).collect();
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..rows * columns));
        for column in 0..columns {
            let lanes: Vec<Option<i64>> = (0..8).map(|row| Some(at(row, column) * 16)).collect();
            assert_eq!(wavefronts(&lanes, 16, &banks).count, 1, "{rows}x{columns}");
        }
    }
}
