//! Laws of CuTe layouts, on every small pair, each against the values.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::cute::{Cute, CuteError, Order, Swizzle};
use raddle_layout::f2::Matrix;
use raddle_layout::{Digit, Hardware, Kind, Layout, LayoutError};

fn cute(text: &str) -> Cute {
    text.parse().unwrap()
}

/// Every flat layout of up to two modes with extents and strides up to a bound.
fn small(extent_max: i64, stride_max: i64) -> Vec<Cute> {
    let mut modes = Vec::new();
    for extent in 1..=extent_max {
        for stride in 0..=stride_max {
            modes.push((extent, stride));
        }
    }
    let mut all: Vec<Cute> = modes.iter().map(|&mode| Cute::flat(&[mode]).unwrap()).collect();
    for &a in &modes {
        all.extend(modes.iter().map(|&b| Cute::flat(&[a, b]).unwrap()));
    }
    all
}

fn values(layout: &Cute) -> Vec<i64> {
    (0..layout.size()).map(|index| layout.at(index)).collect()
}

#[test]
fn text_round_trips() {
    for text in ["4:1", "((2,4),(4,8)):((0,1),(0,4))", "(3,(2,5)):(10,(1,2))", "Sw<3,4,3> o 0 o (8,64):(64,1)", "():()"]
    {
        assert_eq!(cute(text).to_string(), text);
    }
    assert_eq!(cute("( _2 , 4 ) : (4, _1)").to_string(), "(2,4):(4,1)");
    let error = |text: &str| text.parse::<Cute>().unwrap_err().to_string();
    assert_eq!(error("(2,4:1"), "expected `,` or `)` at byte 4");
    assert_eq!(error("4:x"), "expected an integer at byte 2");
    assert_eq!(error("4:1)"), "expected the end at byte 3");
    assert_eq!(error("(2,4):1"), "shape and stride differ in profile, or an extent is not positive");
    assert_eq!(error("0:1"), error("(2,4):1"));
    assert_eq!(error("9223372036854775807:2"), "numbers beyond 64 bits");
    assert!("(".repeat(100_000).parse::<Cute>().is_err());
}

/// Equal functions of equal size have equal coalesced forms, and no others do.
#[test]
fn coalesced_forms_decide_equality() {
    let all: Vec<Cute> = small(4, 4).into_iter().step_by(2).collect();
    for a in &all {
        assert_eq!(values(&a.coalesce()), values(a), "{a}");
        for b in &all {
            assert_eq!(a.same_function(b).unwrap(), values(a) == values(b), "{a} {b}");
        }
    }
}

/// A composition is right, or is refused with a number at which no layout is right.
#[test]
fn compositions_are_right_or_refused() {
    let (mut right, mut refused) = (0, 0);
    for outer in small(6, 7).iter().step_by(5) {
        for inner in small(4, 6).iter().step_by(3) {
            let function = |index: i64| outer.at(inner.at(index));
            match outer.compose(inner) {
                Ok(composed) => {
                    right += 1;
                    assert_eq!(composed.size(), inner.size());
                    let expected: Vec<i64> = (0..inner.size()).map(function).collect();
                    assert_eq!(values(&composed), expected, "{outer} after {inner} is {composed}");
                }
                Err(CuteError::NotALayout { expected, value, .. }) => {
                    refused += 1;
                    assert_ne!(expected, value);
                    // Flat layouts with the inner sizes as a refinement: none has these values.
                    let table: Vec<i64> = (0..inner.size()).map(function).collect();
                    if inner.leaves().len() == 1 {
                        assert!(Cute::from_table(&table).is_err(), "{outer} after {inner}");
                    }
                }
                Err(error) => panic!("{error}: {outer} after {inner}"),
            }
        }
    }
    assert!(right > refused && refused > 1000, "{right} {refused}");
}

/// Compositions that CUTLASS gets wrong: https://github.com/NVIDIA/cutlass/issues/2955 and 3177.
#[test]
fn compositions_that_are_no_layouts() {
    // 5 is (2, 1) of the inner layout, 4 + 3 = 7, which is (1, 1) of the outer one.
    let error = cute("(6,2):(1,7)").compose(&cute("(3,2):(2,3)")).unwrap_err();
    assert_eq!(error, CuteError::NotALayout { index: 5, expected: 7, value: 8 });
    // 0, 6, 7, 8, 9, 15.
    let error = cute("(4,6,8):(2,3,5)").compose(&cute("6:3")).unwrap_err();
    assert!(matches!(error, CuteError::NotALayout { .. }), "{error}");
    // Strict rules refuse this one, though nothing carries: 0, 3, 6.
    assert_eq!(cute("(8,2):(1,100)").compose(&cute("3:3")).unwrap().to_string(), "3:3");
}

/// A complement's sums with the layout are all different and reach every number below the bound.
#[test]
fn complements_complete() {
    let mut done = 0;
    for layout in small(4, 8) {
        for bound in [1, 6, 16, 24] {
            let Ok(rest) = layout.complement(bound) else { continue };
            done += 1;
            let mut sums: Vec<i64> = Vec::new();
            for r in values(&rest) {
                let mut own = values(&layout);
                own.sort_unstable();
                own.dedup();
                sums.extend(own.into_iter().map(|value| value + r));
            }
            sums.sort_unstable();
            assert!(sums.windows(2).all(|pair| pair[0] < pair[1]), "{layout} and {rest}");
            assert!((0..bound).all(|number| sums.binary_search(&number).is_ok()), "{layout} and {rest}, {bound}");
        }
    }
    assert!(done > 1000);
    assert_eq!(cute("(3,2):(2,3)").complement(24).unwrap_err(), CuteError::Uneven { stride: 3, unit: 6 });
    let shared = cute("(4,2):(1,2)").complement(24).unwrap_err();
    assert_eq!(shared, CuteError::NotInjective { first: 2, second: 4 });
}

#[test]
fn inverses_invert() {
    let (mut left, mut full) = (0, 0);
    for layout in small(6, 8) {
        let right = layout.right_inverse().unwrap();
        for index in 0..right.size() {
            assert_eq!(layout.at(right.at(index)), index, "{layout} after {right}");
        }
        full += i32::from(right.size() == layout.size() && layout.size() > 1);
        if let Ok(inverse) = layout.left_inverse() {
            left += 1;
            for index in 0..layout.size() {
                assert_eq!(inverse.at(layout.at(index)), index, "{inverse} after {layout}");
            }
        }
    }
    assert!(left > 100 && full > 10, "{left} {full}");
}

/// Division walks the tile first, and is a permutation of the layout's numbers.
#[test]
fn divisions_walk_tiles() {
    let mut divided = 0;
    for layout in small(6, 6).iter().step_by(3) {
        for tile in small(4, 6) {
            let Ok(result) = layout.logical_divide(&tile) else { continue };
            let [first, _] = &result.modes()[..] else { panic!("two modes") };
            let first = Cute::new(first.clone()).unwrap();
            divided += 1;
            assert_eq!(values(&first), values(&tile).iter().map(|&at| layout.at(at)).collect::<Vec<_>>());
        }
    }
    assert!(divided > 1000);
    // The examples of CuTe's documentation.
    let divided = cute("(4,2,3):(2,1,8)").logical_divide(&cute("4:2")).unwrap();
    assert_eq!(divided.coalesce_modes(), "((2,2),(2,3)):((4,1),(2,8))");
    let zipped = cute("(9,(4,8)):(59,(13,1))").zipped_divide(&[cute("3:3"), cute("(2,4):(1,8)")]).unwrap();
    assert_eq!(zipped.to_string(), "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
    let layout = cute("(9,(4,8)):(59,(13,1))");
    let tiles = [cute("3:3"), cute("(2,4):(1,8)")];
    assert_eq!(layout.tiled_divide(&tiles).unwrap().to_string(), "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
    assert_eq!(layout.flat_divide(&tiles).unwrap().to_string(), "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))");
}

trait Modes {
    fn coalesce_modes(&self) -> String;
}

impl Modes for Cute {
    fn coalesce_modes(&self) -> String {
        let modes = self.modes().into_iter().map(|mode| Cute::new(mode).unwrap().coalesce().mode().clone());
        Cute::new(raddle_layout::cute::Mode::Tuple(modes.collect())).unwrap().to_string()
    }
}

#[test]
fn products_repeat() {
    let product = cute("(2,2):(4,1)").logical_product(&cute("6:1")).unwrap();
    assert_eq!(product.coalesce_modes(), "((2,2),(2,3)):((4,1),(2,8))");
    let blocked = cute("(2,5):(5,1)").blocked_product(&cute("(3,4):(1,3)")).unwrap();
    assert_eq!(blocked.to_string(), "((2,3),(5,4)):((5,10),(1,30))");
    let raked = cute("(2,5):(5,1)").raked_product(&cute("(3,4):(1,3)")).unwrap();
    assert_eq!(raked.to_string(), "((3,2),(4,5)):((10,5),(30,1))");
    for layout in small(4, 5) {
        for tile in small(3, 4).iter().step_by(3) {
            let Ok(product) = layout.logical_product(tile) else { continue };
            let first = Cute::new(product.modes()[0].clone()).unwrap();
            assert_eq!(values(&first), values(&layout));
            // Repetitions do not overlap where neither has copies.
            let copies = |layout: &Cute| layout.leaves().iter().any(|&(extent, stride)| stride == 0 && extent > 1);
            let distinct = |layout: &Cute| {
                let mut all = values(layout);
                all.sort_unstable();
                all.windows(2).all(|pair| pair[0] < pair[1])
            };
            if !copies(&layout) && distinct(tile) {
                assert!(distinct(&product), "{layout} times {tile} is {product}");
            }
        }
    }
}

#[test]
fn tables_are_recognised() {
    for layout in small(4, 5) {
        assert_eq!(Cute::from_table(&values(&layout)).unwrap(), layout.coalesce(), "{layout}");
    }
    let error = Cute::from_table(&[0, 1, 2, 4]).unwrap_err();
    assert_eq!(error, CuteError::NotALayout { index: 3, expected: 3, value: 4 });
    assert_eq!(Cute::from_table(&[5, 7, 9]).unwrap().to_string(), "5 + 3:2");
}

/// Value layouts have a CuTe spelling from which they come back, in both orders, with swizzles.
#[test]
fn values_round_trip() {
    let shape = vec![8, 6];
    let slots = vec![Digit::shard(2, 2, 1, 1), Digit::shard(2, 2, 0, 4)];
    let lanes = vec![Digit::shard(3, 2, 1, 2), Digit::still(2, 2, Kind::Replicate), Digit::shard(4, 2, 0, 1)];
    let layout = Layout::new(shape.clone(), slots, lanes, vec![]).unwrap();
    for order in [Order::RowMajor, Order::ColumnMajor] {
        let spelled = Cute::from_layout(&layout, order).unwrap();
        assert_eq!(spelled.to_layout(&shape, order).unwrap().canonical(), layout.canonical());
    }
    assert_eq!(Cute::from_layout(&layout, Order::ColumnMajor).unwrap().to_string(), "((3,2,4),(2,2)):((16,0,1),(8,4))");

    let memory = Layout::row_major(&[8, 8]).unwrap();
    let swizzle = Swizzle { bits: 2, base: 0, shift: 3 };
    let columns = (0..6).map(|bit| swizzle.apply(1 << bit) as u64).collect();
    let swizzled = memory.with_swizzle(&Matrix::new(6, columns).unwrap()).unwrap();
    let spelled = Cute::from_layout(&swizzled, Order::RowMajor).unwrap();
    assert_eq!(spelled.coalesce().to_string(), "Sw<2,0,3> o 0 o 64:1");
    for offset in 0..64 {
        let coord = swizzled.coord_at(offset).unwrap();
        assert_eq!(spelled.at(offset), coord[0] * 8 + coord[1]);
    }
    assert_eq!(spelled.to_memory(&[8, 8], Order::RowMajor).unwrap().canonical(), swizzled.canonical());

    let empty = Layout::new(vec![2], vec![Digit::shard(2, 1, 0, 1)], vec![Digit::still(2, 1, Kind::Unused)], vec![]);
    let error = Cute::from_layout(&empty.unwrap(), Order::RowMajor).unwrap_err();
    let why = LayoutError::Unspeakable { hardware: Hardware::Lane, index: 0, kind: Kind::Unused };
    assert_eq!(error, CuteError::Unspeakable(why));
}
