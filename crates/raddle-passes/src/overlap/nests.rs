//! Nests: let a workgroup of a CPU go through the blocks of an attention in loops over small tiles.
//!
//! Before, for a block of rows of the query and a step along the keys, all of which are vectors:
//!
//! ```mlir
//! %s = contract %q, %k ; %m = max(%max, columns of %s) ; %p = exp2(%s - %m) ; …
//! %acc = contract %p, %v, %acc * exp2(%max - %m)
//! ```
//!
//! After, with the rows along the elements of vectors:
//!
//! ```mlir
//! for keys { for depth { contract k[keys, depth], q[depth, rows] } ; write %s, scores[keys, rows] ; max }
//! for keys { exp2(read scores[keys, rows] - %m) ; write %p, scores[keys, rows] ; sum }
//! for columns { read acc[columns, rows] ; for keys { contract v[keys, columns], p[keys, rows] } ; write acc }
//! ```
//!
//! The idea: a dimension of a vector is a loop of the attention (rows, keys, depth or columns), which all values that
//! hang together agree about. What is stored between two nests has the rows last, so that maxima, sums and powers of
//! rows go element by element, and an element of the key or of the value is repeated for all rows, where it lies. A
//! nest computes the tiles of what it stores, and whatever these need; an operation belongs to the first nest that
//! needs it. The sinks are the reductions along a loop, the factors of products that are summed along it, what the loop
//! over keys carries, and writes.
//!
//! Kernels of any other form stay as they are.

mod code;
mod plan;

use raddle_ir::{Ir, OpId};
use raddle_target::NativeVectors;

use self::plan::Plan;
use crate::clean;

/// Writes an attention as nests of loops.
pub fn nests(ir: &mut Ir, func: OpId, vectors: NativeVectors) {
    if let Some(plan) = Plan::of(ir, func, vectors) {
        code::rewrite(ir, &plan);
        clean::clean(ir, func);
    }
}
