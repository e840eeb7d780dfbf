//! Fragments are loaded into the registers that matrix instructions take, in their order, for every order of the operands.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::product;

/// The register lists in an instruction's text.
fn lists(line: &str) -> Vec<Vec<&str>> {
    let lists = line.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    lists.map(|list| list.split(", ").collect()).collect()
}

/// Assemblers copy registers that do not lie as an instruction takes them: one tuple of a load is one tuple of a product.
#[test]
fn nothing_is_moved_between_loads_and_products() {
    for elem in ["f16", "bf16"] {
        for order in ["nn", "nt", "tn", "tt"] {
            let text = product([128, 128, 64], order, elem, "f32");
            let ptx = raddle::compile(&text, &raddle::Options::default()).unwrap().text;
            let of = |name: &str| ptx.lines().filter(|line| line.contains(name)).map(lists).collect::<Vec<_>>();
            let (loads, products) = (of("ldmatrix"), of("mma.sync"));
            assert_eq!((loads.is_empty(), products.is_empty()), (false, false), "{ptx}");
            for product in &products {
                let (a, b) = (&product[1], &product[2]);
                assert!(loads.iter().any(|load| load[0] == *a), "{elem} {order}: {a:?}\n{ptx}");
                assert!(
                    loads.iter().any(|load| load[0].chunks(2).any(|pair| pair == b)),
                    "{elem} {order}: {b:?}\n{ptx}"
                );
            }
        }
    }
}
