//! Scans: lines to workgroups, and steps along a line that carry the last partial result.
//!
//! Before: `%r, %t = iree_linalg_ext.scan {lowering_config = …} ins(%x) outs(%o, %a)`
//! After:
//!
//! ```mlir
//! scf.forall (%i) … {
//!   scf.for %k … iter_args(%o, %carry = neutral) {
//!     %r, %t = iree_linalg_ext.scan ins(%x[%i, %k]) outs(slice of %o, %carry)
//!     %carry ⊕ %r put into %o, %carry ⊕ %t
//!   }
//! }
//! ```
//!
//! An exclusive scan begins with what is carried, and leaves the last element of a step out: that one is in the sum of the
//! step, which is carried on. The last partial result is then a value of its own.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Builder, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::nest::{Loops, Nest};
use super::part::{extents, reached};
use super::{ends, fuse, mapping, slices, smaller};
use crate::clean;
use crate::configure::{self, Checked};
use crate::facts::Facts;
use crate::structured;
use crate::structured::fill;
use crate::structured::generalize::generic;
use crate::structured::scans::Scan;
use crate::structured::sizes::mixed_extent;
use crate::structured::space::Space;

/// Tiles a function around its scan.
pub(super) fn tile(ir: &mut Ir, func: OpId, op: OpId, facts: &Facts) -> Result<(), Diag> {
    let Checked { config, extents, .. } = configure::checked(ir, func, op, facts)?;
    config.remark_unused(ir, func, op, facts);
    let shared = smaller(&config.workgroup, &extents);
    let steps = smaller(&config.reduction, &extents);
    let slices = slices::Rules { merge: true, expand: false, pads: false };
    let rules = fuse::Rules { roots: &[], outputs: true, keep: false, consumers: true, used_only: true, slices };
    let equal = ends::Equal::of(ir, func);
    let mapping = mapping(ir, shared.iter().filter(|&&size| size != 0).count());
    let (_, op) = fuse::tile(ir, op, &shared, &Loops::Forall(mapping), &rules)?;
    if let Some(scan) = Scan::of(ir, op).filter(|scan| steps[scan.dim] != 0) {
        let inside = fuse::Rules { outputs: false, ..rules };
        step(ir, op, &scan, steps[scan.dim], &inside)?;
    }
    // What loops no longer give is sliced where it was before them.
    slices::resolve(ir, func);
    equal.apply(ir, func);
    clean::cse(ir, func);
    clean::remove(ir, func);
    Ok(())
}

/// Goes along the lines in steps.
fn step(ir: &mut Ir, op: OpId, scan: &Scan, step: i64, rules: &fuse::Rules<'_>) -> Result<(), Diag> {
    let &Scan { linalg: Linalg { ref inputs, ref outputs, ref maps, .. }, dim, inclusive, combiner } = scan;
    let (input, output, acc) = (inputs[0], outputs[0], outputs[1]);
    // Where the loops are in each operand: here the scanned one is cut, too.
    let reaches = maps.iter().map(|map| map.results.iter().cloned().map(Some).collect()).collect();
    let space = Space { reaches, ..fuse::space(ir, op, &[], false)? };
    let mut builder = Builder::before(ir, op);
    let ends = extents(&mut builder, op, &space);
    let carried = if inclusive { neutral(&mut builder, scan, acc) } else { acc };
    let mut nest = Nest::open(ir, op, vec![(ends[dim], step)]);
    let tile = fuse::tile_of(ir, &nest, &ends, &[dim]);
    let (filled, carry) = (nest.fill(ir, output), nest.fill(ir, carried));
    let targets = [0, 1].map(|i| ir.result(op, i));
    let is_used = !ir.is_unused(targets[1]);
    // A line of none leaves the accumulator as it is.
    let is_own = !inclusive || matches!(ends[dim], Mixed::Value(_));
    let last = (is_used && is_own).then(|| nest.fill(ir, acc));
    let mut builder = nest.builder(ir);
    let slice = |builder: &mut Builder<'_>, i: usize, whole: ValueId, from: ValueId| {
        let place = reached(builder, &space, i, whole, &tile);
        (builder.extract_slice(from, &place.offsets, &place.sizes), place)
    };
    let (part, _) = slice(&mut builder, 0, input, input);
    let (into, place) = slice(&mut builder, 1, output, filled);
    let whole = reached(&mut builder, &space, 2, acc, &tile);
    let copy = builder.copy(op, &mut ValueMap::default());
    builder.ir.set_operands(copy, &[part, into, carry]);
    let types = [into, carry].map(|value| builder.ir.type_of(value));
    let [result, total] = [0, 1].map(|i| builder.ir.result(copy, i));
    builder.ir.set_type(result, types[0]);
    builder.ir.set_type(total, types[1]);
    let mut combine = |ins: ValueId, outs: ValueId, maps: [&Map; 2]| {
        let reduction = (0..maps[0].dims as usize).map(|d| !maps[1].results.contains(&Expr::Dim(d as u32)));
        let linalg = Linalg {
            inputs: vec![ins],
            outputs: vec![outs],
            maps: maps.map(Map::clone).to_vec(),
            reduction: reduction.collect(),
        };
        let op = generic(&mut builder, &linalg, &[]);
        structured::combiner(&mut builder, op, combiner);
        builder.ir.result(op, 0)
    };
    let (result, total, next) = if inclusive {
        let all = Map::identity(maps[2].results.len());
        let sum = combine(total, carry, [&all, &all]);
        (combine(carry, result, [&maps[2], &maps[1]]), sum, sum)
    } else {
        (result, total, combine(part, carry, [&maps[0], &maps[2]]))
    };
    nest.put(filled, result, place, Some(targets[0]));
    nest.put(carry, next, whole.clone(), (is_used && !is_own).then_some(targets[1]));
    if let Some(last) = last {
        nest.put(last, total, whole, Some(targets[1]));
    }
    let mut fusion = fuse::Fusion { nest, root: op, tile: fuse::steps(&tile, &[dim]), rules };
    fusion.producers(ir, [part].into());
    fusion.consumers(ir);
    fusion.nest.drop_unused(ir);
    fusion.nest.close(ir, &Loops::For);
    ir.erase(op);
    Ok(())
}

/// A tensor as an accumulator, of what changes nothing.
fn neutral(builder: &mut Builder<'_>, scan: &Scan, acc: ValueId) -> ValueId {
    let shape = builder.ir.shape_of(acc).to_vec();
    let open = (0..shape.len()).filter(|&d| shape[d] == DYNAMIC);
    let sizes: Vec<ValueId> = open.map(|d| mixed_extent(builder, acc, d).materialize(builder)).collect();
    let (ty, elem) = (builder.ir.type_of(acc), builder.ir.elem_of(acc));
    let empty = builder.value(Opcode::TensorEmpty, &sizes, ty, &[]);
    let scalar = scan.combiner.neutral(builder, elem);
    fill(builder, scalar, empty)
}
