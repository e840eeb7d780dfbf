//! Admit: a dispatch, as IREE makes it, becomes a function that the pipeline compiles.
//!
//! Before: `func.func @f()`, which reaches memory through `hal.interface.binding.subspan` and reads and writes parts of
//!         it with `iree_tensor_ext.dispatch.tensor.load` and `store`, or with `iree_codegen.load_from_buffer` and
//!         `store_to_buffer`
//! After:  `func.func @f(%a: tensor<…>, …, %c: i32, …) -> tensor<…>`: each part that is read is an argument, each part
//!         that is written a result, constants follow; `raddle.interface` says where they lie
//!
//! A part that is contiguous in memory is an argument of its own, at its own offset. Any other part is a slice of an
//! argument, or is inserted into the previous contents. Bindings that are used as memrefs by other operations become
//! memref arguments, or, where structured operations write them or tensors come from parts of them, what `buffers.rs` makes
//! of these. An extent that a binding states is read off the argument, with what is assumed of it.
//!
//! Offsets that are not known are taken to be multiples of 16 bytes, and parts at different ones to be disjoint, as IREE's
//! allocation makes them.
//! Loads and stores inside loops (a dispatch that is tiled already) are refused.
//!
//! A program whose structured operations are on memrefs becomes one on tensors, too (`buffers.rs`), and a loop over tiles
//! that nobody has given to workgroups an ordinary one (`foralls.rs`). A kernel of the `gpu` dialect becomes a function that
//! says how it is launched (`launches.rs`), and one of scalar loops on memory a kernel (`loops.rs`), those of `affine` too
//! (`affine.rs`). Affine quantization is written out (`quantization.rs`), and elements that a mask hides are read inside of
//! their tensors (`reads_inside.rs`).

mod affine;
mod boundary;
mod buffers;
mod calls;
mod dispatch;
mod foralls;
mod hoist;
mod launches;
mod loops;
pub mod outline;
mod quantization;
mod reads_inside;

pub use buffers::is_on_buffers;
pub use hoist::{hoist, is_nested};

use raddle_ir::{Diag, Ir, OpId, Opcode};

use crate::facts::Facts;

/// Rewrites a dispatch or a program on memrefs; any other function stays, but for barriers against IREE's own folding.
pub fn admit(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    affine::lower(ir, func)?;
    foralls::rewrite(ir, func, facts);
    for op in ir.walk(func) {
        if is_identity(ir, op) {
            for (result, operand) in ir.results(op).zip(ir.operands(op).to_vec()).collect::<Vec<_>>() {
                ir.replace_uses(result, operand);
            }
            ir.erase(op);
        }
    }
    quantization::rewrite(ir, func);
    reads_inside::keep_hidden(ir, func);
    if is_dispatch(ir, func) {
        dispatch::rewrite(ir, func)?;
        buffers::rewrite_dispatch(ir, func)
    } else if loops::is_needed(ir, func) {
        loops::rewrite(ir, func, facts)
    } else if launches::is_launcher(ir, func) {
        launches::rewrite(ir, func, facts)
    } else if is_on_buffers(ir, func) {
        buffers::rewrite(ir, func)
    } else {
        Ok(())
    }
}

/// Whether a function is scalar loops on memory, and nothing else.
pub fn is_on_loops(ir: &Ir, func: OpId) -> bool {
    loops::is_needed(ir, func)
        || affine::is_needed(ir, func) && !is_on_buffers(ir, func) && ir.attr_id(func, "translation_info").is_none()
}

/// Whether `admit` has something to do.
pub fn is_needed(ir: &Ir, func: OpId) -> bool {
    is_dispatch(ir, func)
        || is_on_buffers(ir, func)
        || affine::is_needed(ir, func)
        || foralls::is_needed(ir, func)
        || loops::is_needed(ir, func)
        || launches::is_launcher(ir, func)
        || ir
            .walk(func)
            .into_iter()
            .any(|op| is_identity(ir, op) || quantization::is_quantization(ir, op) || reads_inside::is_hidden(ir, op))
}

/// Whether a function reaches memory or constants through an interface.
fn is_dispatch(ir: &Ir, func: OpId) -> bool {
    let interface = [Opcode::HalInterfaceBindingSubspan, Opcode::HalInterfaceConstantLoad];
    ir.walk(func).into_iter().any(|op| interface.contains(&ir.opcode(op)))
}

/// Operations that mean nothing but "do not fold", "do not move", "this value is an ordinal of the workload" or "these are
/// its extents".
fn is_identity(ir: &Ir, op: OpId) -> bool {
    let same = matches!(
        ir.opcode(op),
        Opcode::UtilOptimizationBarrier
            | Opcode::FlowTensorTieShape
            | Opcode::IreeTensorExtDispatchWorkloadOrdinal
            | Opcode::IreeTensorExtComputeBarrierStart
            | Opcode::IreeTensorExtComputeBarrierEnd
    );
    same && ir.results(op).zip(ir.operands(op)).all(|(result, &operand)| ir.type_of(result) == ir.type_of(operand))
}
