//! How long planning takes: `cargo bench -p raddle-layout`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

use std::hint::black_box;
use std::time::Instant;

use raddle_layout::plan::{Costs, Machine, plan};
use raddle_layout::{Layout, Nested};

fn nested(lists: [&[i64]; 7], n_subgroups: i64) -> Layout {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Layout::from_nested(&Nested::new(s, b, o, t, e, ss, ts).unwrap(), n_subgroups, 32).unwrap()
}

fn main() {
    let matrices = Machine {
        matrix_load: true,
        matrix_load_transposed: true,
        matrix_store: true,
        matrix_store_transposed: true,
        matrix_transpose: true,
        shared_bytes_max: 64 * 1024,
        ..Machine::plain()
    };
    // 128 x 128 on four subgroups: rows as they are copied, a matrix product's result and its factor.
    let rows = nested([&[4, 1], &[16, 1], &[1, 1], &[2, 16], &[1, 8], &[1, 0], &[16, 1]], 4);
    let result = nested([&[2, 2], &[4, 8], &[2, 1], &[8, 4], &[1, 2], &[2, 1], &[4, 1]], 4);
    let factor = nested([&[2, 1], &[4, 8], &[2, 2], &[8, 4], &[1, 2], &[2, 0], &[4, 1]], 4);
    let columns = rows.permute(&[1, 0]);
    // The same tile with the subgroups in place, so that shuffles do.
    let lanes = nested([&[2, 2], &[32, 1], &[1, 1], &[2, 16], &[1, 4], &[2, 1], &[16, 1]], 4);
    let pairs = [
        ("rows to factor", &rows, &factor, 16),
        ("rows to columns", &rows, &columns, 16),
        ("result to factor", &result, &factor, 16),
        ("result to rows", &result, &rows, 32),
        ("lanes to result", &lanes, &result, 32),
        ("rows to rows", &rows, &rows, 16),
    ];
    for (name, source, target, bits) in pairs {
        let machine = Machine { costs: Costs::default(), ..matrices.clone() };
        let made = plan(source, target, bits, &machine).unwrap();
        let mut best = u128::MAX;
        for _ in 0..20 {
            let start = Instant::now();
            for _ in 0..50 {
                black_box(plan(black_box(source), black_box(target), bits, &machine)).unwrap();
            }
            best = best.min(start.elapsed().as_nanos() / 50);
        }
        println!("{name}, 128x128 of {bits} bits: {:.1} us\n{made}", best as f64 / 1000.0);
    }
}
