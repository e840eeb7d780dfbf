//! Inner sums: a product that reads windows, and sums along several loops of which the last one is too short for a matrix
//! instruction, has a longer one last, along which instructions go.
//!
//! Before: `%y[f, h, w] += %k[f, c, i, j] * %x[c, h + i, w + j]`, with loops (f, h, w, c, i, j) and windows of 3 x 3
//! After:  the same with loops (f, h, w, i, j, c)
//!
//! The order of sums is nobody's. Products whose windows are written out sum along one loop (`im2col.rs`); this is for the
//! others.

use raddle_ir::{Attr, BlockId, Expr, Ir, OpId};

use super::im2col::{self, Product};
use crate::structured::body;

/// Rewrites the products of some blocks.
pub(super) fn lengthen(ir: &mut Ir, blocks: &[BlockId]) {
    for (op, product) in im2col::of_blocks(ir, blocks, 0) {
        let _ = rewrite(ir, op, product);
    }
}

fn rewrite(ir: &mut Ir, op: OpId, product: Product) -> Option<()> {
    let Product { mut linalg, extents, .. } = product;
    let sums = body::contraction_loops(&linalg.maps)?.k;
    let (inner, last) = (body::inner_sum(&sums, &extents)?, *sums.last()?);
    if inner == last {
        return None;
    }
    let swapped = |d: usize| match d {
        _ if d == inner => last,
        _ if d == last => inner,
        _ => d,
    };
    let loops: Vec<Expr> = (0..extents.len()).map(|d| Expr::Dim(swapped(d) as u32)).collect();
    for map in &mut linalg.maps {
        map.results = map.results.iter().map(|expr| expr.replaced(&loops, &[])).collect();
    }
    let maps = linalg.maps.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
    let maps = ir.intern(Attr::Array(maps));
    ir.set_attr(op, "indexing_maps", maps);
    Some(())
}
