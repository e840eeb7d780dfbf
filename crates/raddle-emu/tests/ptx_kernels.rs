//! Reference kernels in PTX compute what loops compute, whenever their asynchronous copies happen: rings that `cp.async`
//! fills; boxes of tensor maps, barriers that count bytes, groups of warps that multiply, and clusters.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{AsyncMode, Options, ptx};

use crate::products;

#[test]
fn products_are_right_in_both_modes() {
    for product in products::all() {
        let module = ptx::parse(&product.text).unwrap_or_else(|diag| panic!("{diag:?}"));
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { copies, ..Options::default() };
            let ran = ptx::run_with_maps(&module, &product.args, &product.maps, &product.launch, &options)
                .unwrap_or_else(|diag| panic!("{}, {copies:?}: {diag:?}", product.name));
            assert!(product.is_right(&ran.args[2]), "{}, {copies:?}", product.name);
        }
    }
}
