//! Laws of linear layouts, and the ways between the spellings of layouts.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::cute::{Cute, Order};
use raddle_layout::linear::{Linear, LinearError};
use raddle_layout::{Hardware, Layout, LayoutError, Nested};

/// Every map from two bits of `a` and one of `b` to two bits of `x` and one of `y`.
fn all() -> Vec<Linear> {
    (0..512u64)
        .map(|bits| {
            let image = |index: u64| [bits >> (3 * index) & 3, bits >> (3 * index + 2) & 1];
            let [a0, a1, b0] = [image(0), image(1), image(2)];
            Linear::new(&[("a", &[&a0, &a1]), ("b", &[&b0])], &[("x", 2), ("y", 1)]).unwrap()
        })
        .collect()
}

fn values(map: &Linear) -> Vec<Vec<u64>> {
    let sizes: Vec<u64> = map.ins().iter().map(|(_, bits)| 1 << bits).collect();
    let total: u64 = sizes.iter().product();
    (0..total)
        .map(|index| {
            let mut rest = index;
            let at: Vec<u64> = sizes
                .iter()
                .map(|size| {
                    let digit = rest % size;
                    rest /= size;
                    digit
                })
                .collect();
            map.apply(&at)
        })
        .collect()
}

#[test]
fn inverses_invert() {
    let mut bijections = 0;
    for map in all() {
        let distinct: std::collections::BTreeSet<Vec<u64>> = values(&map).into_iter().collect();
        assert_eq!(map.is_surjective(), distinct.len() == 8);
        assert_eq!(map.is_injective(), distinct.len() == 8);
        match map.invert() {
            Ok(back) => {
                bijections += 1;
                assert!(back.compose(&map).unwrap().matrix().is_identity());
                assert_eq!(map.free_bits(), [("a".to_string(), 0), ("b".to_string(), 0)]);
            }
            Err(_) => assert!(!map.is_injective()),
        }
    }
    assert_eq!(bijections, 168);
}

/// A product maps the low bits by the first factor and the high bits by the second, and both divide it.
#[test]
fn products_are_side_by_side() {
    for a in all().iter().step_by(11) {
        for b in all().iter().step_by(13) {
            let product = a.product(b).unwrap();
            for (index, low) in values(a).iter().enumerate() {
                for (outer, high) in values(b).iter().enumerate() {
                    let at = [index & 3 | (outer & 3) << 2, index >> 2 | (outer >> 2) << 1].map(|x| x as u64);
                    assert_eq!(product.apply(&at), [low[0] | high[0] << 2, low[1] | high[1] << 1]);
                }
            }
            assert_eq!(product.divide_left(a).unwrap(), *b);
            assert_eq!(product.divide_right(b).unwrap(), *a);
        }
    }
}

/// What divides multiplies back; a tile that does not fit is named.
#[test]
fn tiles_divide_or_not() {
    let tile = Linear::identity(1, "a", "x");
    let mut divided = 0;
    for map in all() {
        match map.divide_left(&tile) {
            Ok(rest) => {
                divided += 1;
                assert_eq!(tile.product(&rest).unwrap().in_order_of(&map).unwrap(), map);
            }
            Err(LinearError::NoFactor { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    // a's bit 0 is fixed; the other two bits have images in two bits each.
    assert_eq!(divided, 16);
}

#[test]
fn pseudo_inverses_find_places() {
    let replicated = Linear::new(&[("lane", &[&[1], &[0], &[2]])], &[("x", 2)]).unwrap();
    let back = replicated.pseudo_invert().unwrap();
    assert!(replicated.compose(&back).unwrap().matrix().is_identity());
    assert_eq!(back.to_string(), "x = [(1), (4)] -> lane 8");
    let target = Linear::identity(2, "lane", "x");
    assert_eq!(replicated.invert_and_compose(&target).unwrap().to_string(), "lane = [(1), (4)] -> lane 8");
    assert!(Linear::zeros(2, "lane", "x").product(&target).unwrap().invert().is_err());
}

#[test]
fn slices_forget_an_output() {
    for map in all() {
        let slice = map.slice("x").unwrap();
        assert!(values(&map).iter().zip(values(&slice)).all(|(all, rest)| all[1..] == rest[..]));
        assert!(map.slice("z").is_err());
    }
}

fn nested(lists: [&[i64]; 7]) -> Nested {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Nested::new(s, b, o, t, e, ss, ts).unwrap()
}

/// Nested layouts of every shape of tiles come back from every other spelling as the same function.
#[test]
fn spellings_round_trip() {
    let mut linear = 0;
    for tiles in 0..1u32 << 10 {
        let tile = |index: usize, extent: i64| if tiles >> index & 1 == 1 { extent } else { 1 };
        let odd = 2 + i64::from(tiles % 3 == 0);
        let s = [tile(0, 2), tile(1, 2)];
        let t = [tile(4, 4), tile(5, odd)];
        let (ss, ts) = ([s[1], 1], [t[1], 1]);
        let lists = [[tile(2, 2), tile(3, 2)], [tile(6, 2), tile(7, odd)], [tile(8, 2), tile(9, 4)]];
        let nested = nested([&s, &lists[0], &lists[1], &t, &lists[2], &ss, &ts]);
        let layout = Layout::from_nested(&nested, nested.n_subgroups() * 2, nested.n_lanes() * 2).unwrap();
        let counts = (layout.count(Hardware::Subgroup), layout.count(Hardware::Lane));

        let (found, order) = layout.to_nested().unwrap();
        let again = Layout::from_nested_ordered(&found, &order, counts.0, counts.1).unwrap();
        assert_eq!(again.same_function(&layout), Some(true), "{nested}\n{found}");

        for order in [Order::RowMajor, Order::ColumnMajor] {
            let spelled = Cute::from_layout(&layout, order).unwrap();
            let text: Cute = spelled.to_string().parse().unwrap();
            let again = text.to_layout(layout.shape(), order).unwrap();
            assert_eq!(again.same_function(&layout), Some(true), "{nested}\n{text}");
        }
        match Linear::from_layout(&layout) {
            Ok(bases) => {
                linear += 1;
                assert_eq!(bases.to_layout().unwrap().same_function(&layout), Some(true));
                assert!(bases.is_surjective());
            }
            Err(LinearError::Layout(_)) => assert_eq!(odd, 3),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(linear > 600, "{linear}");
}

#[test]
fn what_has_no_spelling_is_named() {
    // Two groups of lanes along one dimension, as in Volta's accumulators.
    let split = Layout::from_bases(&[8], [&[2], &[1, 4], &[], &[]]).unwrap();
    let error = split.to_nested().unwrap_err();
    assert_eq!(error, LayoutError::NotNested { hardware: Hardware::Lane, index: 1, dim: 0 });
    let swizzled = Layout::from_bases(&[8], [&[1], &[3, 4], &[], &[]]).unwrap();
    assert_eq!(swizzled.to_nested().unwrap_err(), LayoutError::Swizzled);
    let odd = Layout::row_major(&[6]).unwrap();
    assert!(matches!(Linear::from_layout(&odd), Err(LinearError::Layout(LayoutError::Odd { .. }))));
}
