//! Laws of linear algebra over F2, on all small matrices.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::f2::{F2Error, Matrix, Space, combine, common_complement};

/// Every matrix with this many rows and columns.
fn matrices(rows: usize, columns: usize) -> impl Iterator<Item = Matrix> {
    (0..1u64 << (rows * columns)).map(move |bits| {
        let column = |c: usize| bits >> (c * rows) & ((1 << rows) - 1);
        Matrix::new(rows, (0..columns).map(column).collect()).unwrap()
    })
}

#[test]
fn inverses_undo() {
    let mut invertible = 0;
    for matrix in matrices(3, 3) {
        match matrix.invert() {
            Ok(inverse) => {
                invertible += 1;
                assert!(inverse.compose(&matrix).unwrap().is_identity());
                assert!(matrix.compose(&inverse).unwrap().is_identity());
            }
            Err(F2Error::NotInjective { kernel }) => {
                assert_ne!(kernel, 0);
                assert_eq!(matrix.apply(kernel), 0);
            }
            Err(error) => panic!("{error}"),
        }
    }
    // The order of GL(3, 2).
    assert_eq!(invertible, 168);
}

#[test]
fn pseudo_inverses_reach_every_image() {
    for matrix in matrices(2, 4) {
        match matrix.pseudo_invert() {
            Ok(back) => assert!(matrix.compose(&back).unwrap().is_identity()),
            Err(F2Error::NotSurjective { missing }) => assert!((0..16).all(|x| matrix.apply(x) != missing)),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn solutions_are_found_where_there_are_some() {
    for matrix in matrices(3, 3) {
        for image in 0..8 {
            match matrix.solve(image) {
                Some(x) => assert_eq!(matrix.apply(x), image),
                None => assert!((0..8).all(|x| matrix.apply(x) != image)),
            }
        }
        assert_eq!(matrix.transpose().rank(), matrix.rank());
        assert_eq!(matrix.transpose().transpose(), matrix);
    }
}

/// Sum, intersection and complement, against the sets of their members.
#[test]
fn spaces_are_sets() {
    let n = 4;
    let spaces: std::collections::BTreeSet<Vec<u64>> =
        matrices(n, 3).map(|matrix| Space::span(matrix.columns()).basis().to_vec()).collect();
    let spaces: Vec<Space> = spaces.iter().map(|basis| Space::span(basis)).collect();
    let members = |space: &Space| (0..16u64).filter(|&v| space.contains(v)).collect::<Vec<u64>>();
    for u in &spaces {
        let all: Vec<u64> = (0..1 << u.dim()).map(|choice| combine(u.basis(), choice)).collect();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, members(u));
        let mut whole = u.clone();
        assert_eq!(whole.extend(&u.complement(n)).len(), n - u.dim());
        for w in &spaces {
            let both: Vec<u64> = members(u).into_iter().filter(|&v| w.contains(v)).collect();
            assert_eq!(members(&u.intersect(w)), both);
            assert_eq!(u.sum(w).dim() + u.intersect(w).dim(), u.dim() + w.dim());
            if u.dim() == w.dim() {
                let complement = common_complement(u, w, n);
                assert_eq!(complement.len(), n - u.dim());
                for side in [u, w] {
                    let mut whole = side.clone();
                    assert_eq!(whole.extend(&complement).len(), complement.len());
                }
            }
        }
    }
}

#[test]
fn wide_maps_are_refused() {
    assert_eq!(Matrix::new(2, vec![1, 4]).unwrap_err(), F2Error::TooWide { needed: 3, rows: 2 });
    assert_eq!(Matrix::new(65, vec![]).unwrap_err(), F2Error::TooWide { needed: 65, rows: 64 });
    let error = Matrix::identity(2).compose(&Matrix::identity(3)).unwrap_err();
    assert_eq!(error, F2Error::Mismatch { columns: 2, rows: 3 });
}
