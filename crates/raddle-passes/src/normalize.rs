//! Normalize: operations that stand for several simpler ones become these. One row for each.
//!
//! Before: `%r = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%o : …)`
//! After:  the maximum of each row, `exp(x - maximum)`, its sum along each row, and the quotient: four structured
//!         operations that share the rows, and so one kernel.
//!
//! An operation that a row does not cover (an indexing map that is not a list of loops, say) stays, and a later pass
//! says that it cannot take it.

mod arg_reduce;
mod assertions;
pub(crate) mod attention;
mod choices;
mod computed_factors;
mod custom_op;
mod digits;
mod elementwise;
mod encodings;
mod exact_quotients;
mod exp_reduction;
pub(crate) mod expand_dims;
mod extents;
mod factors;
mod fft;
mod insertions;
pub(crate) mod loops;
pub(crate) mod masks;
mod packs;
mod pieces_of_one;
mod plain_attention;
mod plain_reads;
pub(crate) mod powers;
mod reads_of_slices;
mod row_updates;
mod short_channels;
mod short_loops;
mod softmax;
mod splats;
pub mod split_complex;
mod spread_images;
pub(crate) mod tile_and_fuse;
pub(crate) mod two_results;
pub(crate) mod unused_results;
mod whole_powers;
mod wide_sums;
mod winograd;

use raddle_ir::{Diag, Ir, OpId, Opcode, Type};
use raddle_target::{Stage, stage};

use crate::config;
use crate::facts::Facts;
use crate::structured::generalize::make_generic;
use crate::structured::windows;

/// Writes an operation by simpler ones; leaves one that it does not cover as it is.
type Rewrite = fn(&mut Ir, OpId) -> Option<()>;

/// What each operation means.
const MEANINGS: &[(Opcode, Rewrite)] = &[
    (Opcode::IreeLinalgExtCustomOp, custom_op::custom_op),
    (Opcode::IreeLinalgExtExpReduction, exp_reduction::exp_reduction),
    (Opcode::IreeLinalgExtFft, fft::fft),
    (Opcode::IreeLinalgExtWinogradFilterTransform, winograd::winograd),
    (Opcode::IreeLinalgExtWinogradInputTransform, winograd::winograd),
    (Opcode::IreeLinalgExtWinogradOutputTransform, winograd::winograd),
    (Opcode::LinalgPack, packs::pack),
    (Opcode::LinalgSoftmax, softmax::softmax),
    (Opcode::LinalgUnpack, packs::unpack),
    (Opcode::LinalgWinogradFilterTransform, winograd::linalg),
    (Opcode::LinalgWinogradInputTransform, winograd::linalg),
    (Opcode::LinalgWinogradOutputTransform, winograd::linalg),
    (Opcode::TensorSplat, splats::splat),
];

/// Whether an attention can be one kernel, and if not, why: what configures kernels knows.
pub type Fits = fn(&Ir, OpId, &Facts) -> Result<(), Diag>;

/// Writes the operations of a function by simpler ones.
pub fn normalize(ir: &mut Ir, func: OpId, facts: &Facts, fits: Fits) -> Result<(), Diag> {
    if stage::of(ir, func) > Stage::Configured {
        // Slices and copies of tiles are what later passes look at.
        return Ok(());
    }
    config::forget_on_cpus(ir, func, facts);
    expand_dims::expand(ir, func, facts)?;
    tile_and_fuse::translate(ir, func, facts)?;
    if stage::of(ir, func) == Stage::Tensor {
        short_loops::write_out(ir, func);
    }
    for op in ir.walk(func) {
        two_results::two_results(ir, op);
        unused_results::leave_out(ir, op);
    }
    for op in ir.walk(func) {
        let _ = exact_quotients::expand(ir, op);
    }
    extents::by_number(ir, func);
    encodings::forget(ir, func);
    assertions::leave_out(ir, func, facts);
    insertions::recognize(ir, func);
    splats::of_scatters(ir, func);
    row_updates::expand(ir, func);
    digits::split(ir, func);
    pieces_of_one::read_in_place(ir, func);
    reads_of_slices::read_through(ir, func);
    plain_reads::as_operands(ir, func);
    plain_attention::recognize(ir, func, facts, fits);
    arg_reduce::split(ir, func);
    choices::combine(ir, func);
    let found = ir.walk(func).into_iter().filter_map(|op| Some((op, meaning(ir, op)?)));
    for (op, rewrite) in found.collect::<Vec<_>>() {
        let _ = rewrite(ir, op);
    }
    for op in ir.walk(func) {
        let _ = whole_powers::expand(ir, op);
    }
    if stage::of(ir, func) == Stage::Configured {
        // `configure`, which writes named operations so, has nothing to do any more.
        for op in ir.ops_of(ir.entry(func)) {
            if !matches!(ir.opcode(op), Opcode::LinalgMatmul | Opcode::LinalgFill) {
                make_generic(ir, op);
            }
        }
    }
    if stage::of(ir, func) == Stage::Tensor {
        spread_images::gather(ir, func);
        short_channels::join(ir, func, facts);
    }
    windows::expand(ir, func);
    computed_factors::outline(ir, func);
    wide_sums::widen(ir, func, facts);
    factors::widen(ir, func, facts);
    powers::mark(ir, func);
    if stage::of(ir, func) == Stage::Tensor {
        crate::clean::merge(ir, func);
    }
    Ok(())
}

fn meaning(ir: &Ir, op: OpId) -> Option<Rewrite> {
    if elementwise::is_on_tensors(ir, op) {
        return Some(elementwise::elementwise);
    }
    // All but custom operations and those that move elements compute with floats, though other tensors pass verification.
    let is_float = |value| matches!(ir[ir.elem_of(value)], Type::Float(_));
    let any = [Opcode::IreeLinalgExtCustomOp, Opcode::LinalgPack, Opcode::LinalgUnpack, Opcode::TensorSplat];
    let covered = any.contains(&ir.opcode(op)) || ir.results(op).all(is_float);
    MEANINGS.iter().find(|row| covered && row.0 == ir.opcode(op)).map(|row| row.1)
}
