//! Custom assembly written by hand, for the operations whose syntax no declarative format describes.
//!
//! Each operation has a pair, `read` and `write`, next to each other.

mod affine;
mod commands;
mod flow;
mod func;
mod gpu;
mod host;
mod index;
mod iree;
mod linalg;
mod llvm;
mod matrix;
mod named;
mod pcf;
mod scf;
mod script;
mod slice;
mod vector;

pub(crate) use affine::dma_maps;
pub(crate) use named::{arity, finish, is_named, meant_maps, n_windows, remembered_maps};

pub(crate) use host::dynamic_extents;
pub(crate) use llvm::{
    CONVENTIONS as LLVM_CONVENTIONS, LINKAGES as LLVM_LINKAGES, TAILS as LLVM_TAILS, inside as inside_llvm,
    part_text as llvm_part,
};
pub(crate) use script::param_number;

use super::format;
use super::parser::{Operand, Parser, Res};
use super::printer::Printer;
use crate::attrs::Attr;
use crate::diag::Span;
use crate::form::{Body, GENERIC, Shape};
use crate::ids::{AttrId, OpId, RegionId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::DYNAMIC;

/// Reads the custom assembly behind an operation's name.
pub(crate) fn read(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    match opcode {
        Opcode::BuiltinModule => func::read_module(p, op),
        Opcode::FuncFunc => func::read_func(p, op),
        Opcode::ArithConstant | Opcode::FlowTensorConstant | Opcode::UtilUnfoldableConstant => {
            func::read_constant(p, op)
        }
        Opcode::StreamCmdExecute => commands::read_execute(p, op),
        Opcode::StreamTimepointAwait => commands::read_await(p, op),
        Opcode::StreamCmdDispatch => commands::read_dispatch(p, op),
        Opcode::FlowDispatch => host::read_dispatch(p, op),
        Opcode::FlowDispatchWorkgroups => host::read_workgroups(p, op),
        Opcode::FlowDispatchRegion => host::read_region(p, op),
        Opcode::FlowExecutableExport | Opcode::StreamExecutableExport => host::read_export(p, op),
        Opcode::UtilCall => host::read_call(p, op),
        Opcode::FlowCall => host::read_shaped_call(p, op),
        Opcode::UtilGlobal => host::read_global(p, op),
        Opcode::UtilInitializer | Opcode::HalExecutableConstantBlock | Opcode::HalExecutableCondition => {
            host::read_block(p, op)
        }
        Opcode::LlvmFunc => llvm::read_func(p, op),
        Opcode::LlvmMlirGlobal | Opcode::LlvmMlirAlias => llvm::read_global(p, op),
        Opcode::LlvmCall | Opcode::LlvmCallIntrinsic => llvm::read_call(p, op),
        Opcode::LlvmGetelementptr => llvm::read_gep(p, op),
        Opcode::LlvmExtractvalue | Opcode::LlvmInsertvalue => llvm::read_part(p, op),
        Opcode::LlvmShufflevector => llvm::read_shuffle(p, op),
        Opcode::LlvmSwitch => flow::read_switch(p, op),
        Opcode::LlvmBr => flow::read_br(p, op),
        Opcode::LlvmCondBr => flow::read_cond_br(p, op),
        Opcode::PcfGeneric | Opcode::PcfLoop => pcf::read_workers(p, op),
        Opcode::PcfBrCondReturn => pcf::read_cond_return(p, op),
        Opcode::TransformSequence => script::read_sequence(p, op),
        Opcode::TransformApplyRegisteredPass => script::read_pass(p, op),
        Opcode::TransformStructuredSplit => script::read_split(p, op),
        Opcode::TransformForeachMatch => script::read_foreach_match(p, op),
        Opcode::ArithSelect => func::read_select(p, op),
        Opcode::LinalgGeneric => linalg::read_generic(p, op),
        Opcode::TensorExtractSlice | Opcode::MemrefSubview => slice::read_extract(p, op),
        Opcode::TensorInsertSlice | Opcode::TensorParallelInsertSlice => slice::read_insert(p, opcode, op),
        Opcode::ScfFor => scf::read_for(p, op),
        Opcode::ScfForall => scf::read_forall(p, op),
        Opcode::ScfForallInParallel => scf::read_in_parallel(p, op),
        Opcode::ScfIf => scf::read_if(p, op),
        Opcode::VectorTransferRead => vector::read_transfer_read(p, op),
        Opcode::VectorTransferWrite => vector::read_transfer_write(p, op),
        Opcode::VectorContract => vector::read_contract(p, op),
        Opcode::VectorExtract => vector::read_extract(p, op),
        Opcode::VectorInsert => vector::read_insert(p, op),
        Opcode::VectorExtractStridedSlice | Opcode::VectorInsertStridedSlice => vector::read_strided(p, opcode, op),
        Opcode::VectorToElements => vector::read_to_elements(p, op),
        Opcode::VectorShuffle => vector::read_shuffle(p, op),
        Opcode::AffineLinearizeIndex => index::read_linearize(p, op),
        Opcode::AffineDelinearizeIndex => index::read_delinearize(p, op),
        Opcode::NvgpuMmaSync => matrix::read_mma_sync(p, op),
        Opcode::AmdgpuMfma | Opcode::AmdgpuWmma => matrix::read_mfma(p, op),
        Opcode::AmdgpuScaledMfma => matrix::read_scaled_mfma(p, op),
        Opcode::AmdgpuSparseMfma => matrix::read_sparse_mfma(p, op),
        Opcode::LinalgTranspose | Opcode::LinalgBroadcast | Opcode::LinalgReduce | Opcode::LinalgMap => {
            named::read_shaped(p, opcode, op)
        }
        Opcode::LinalgUnpack => iree::read_unpack(p, op),
        Opcode::CfBr => flow::read_br(p, op),
        Opcode::CfCondBr => flow::read_cond_br(p, op),
        Opcode::CfSwitch => flow::read_switch(p, op),
        Opcode::ScfWhile => flow::read_while(p, op),
        Opcode::ScfExecuteRegion => flow::read_execute_region(p, op),
        Opcode::ScfParallel => flow::read_parallel(p, op),
        Opcode::ScfReduce => flow::read_reduce(p, op),
        Opcode::ScfIndexSwitch => flow::read_index_switch(p, op),
        Opcode::VectorMask => flow::read_mask(p, op),
        Opcode::GpuWarpExecuteOnLane0 => flow::read_lane_region(p, op),
        Opcode::AffineApply | Opcode::AffineMin | Opcode::AffineMax => affine::read_apply(p, op),
        Opcode::AffineFor => affine::read_for(p, op),
        Opcode::AffineIf => affine::read_if(p, op),
        Opcode::AffineLoad | Opcode::AffineStore | Opcode::AffineVectorLoad | Opcode::AffineVectorStore => {
            affine::read_access(p, opcode, op)
        }
        Opcode::AffineParallel => affine::read_parallel(p, op),
        Opcode::AffinePrefetch => affine::read_prefetch(p, op),
        Opcode::AffineDmaStart | Opcode::AffineDmaWait => affine::read_dma(p, opcode, op),
        Opcode::UtilAssumeInt => iree::read_assume(p, op),
        Opcode::UtilHoistableConversion => iree::read_conversion(p, op),
        Opcode::IreeLinalgExtIm2col => iree::read_im2col(p, op),
        Opcode::HalExecutableExport => iree::read_export(p, op),
        Opcode::IreeCodegenWorkgroupCountHint => iree::read_count_hint(p, op),
        Opcode::GpuSubgroupMmaConstantMatrix => iree::read_mma_constant(p, op),
        Opcode::MemrefGlobal => iree::read_global(p, op),
        Opcode::MemrefTranspose => iree::read_transpose(p, op),
        Opcode::MemrefDmaStart => iree::read_dma_start(p, op),
        Opcode::VectorOuterproduct => iree::read_outerproduct(p, op),
        Opcode::FuncCallIndirect => func::read_call_indirect(p, op),
        Opcode::UtilFunc | Opcode::FlowFunc | Opcode::TransformNamedSequence | Opcode::GpuFunc => {
            func::read_func(p, op)
        }
        Opcode::GpuLaunch => gpu::read_launch(p, op),
        opcode if is_named(opcode) => linalg::read_named(p, opcode, op),
        opcode if opcode.info().form.format == GENERIC => {
            Err(p.error(p.ir.span(op), format!("`{}` is written in generic form", opcode.name())))
        }
        opcode => format::read(p, opcode, op),
    }
}

/// Prints the custom assembly behind an operation's name.
pub(crate) fn write(p: &mut Printer<'_>, op: OpId) {
    match p.ir.opcode(op) {
        Opcode::BuiltinModule => func::write_module(p, op),
        Opcode::FuncFunc => func::write_func(p, op),
        Opcode::ArithConstant | Opcode::FlowTensorConstant | Opcode::UtilUnfoldableConstant => {
            func::write_constant(p, op);
        }
        Opcode::FlowDispatch => host::write_dispatch(p, op),
        Opcode::StreamCmdExecute => commands::write_execute(p, op),
        Opcode::StreamTimepointAwait => commands::write_await(p, op),
        Opcode::StreamCmdDispatch => commands::write_dispatch(p, op),
        Opcode::FlowDispatchWorkgroups => host::write_workgroups(p, op),
        Opcode::FlowDispatchRegion => host::write_region(p, op),
        Opcode::FlowExecutableExport | Opcode::StreamExecutableExport => host::write_export(p, op),
        Opcode::UtilCall => host::write_call(p, op),
        Opcode::FlowCall => host::write_shaped_call(p, op),
        Opcode::UtilGlobal => host::write_global(p, op),
        Opcode::UtilInitializer | Opcode::HalExecutableConstantBlock | Opcode::HalExecutableCondition => {
            host::write_block(p, op);
        }
        Opcode::LlvmFunc => llvm::write_func(p, op),
        Opcode::LlvmMlirGlobal | Opcode::LlvmMlirAlias => llvm::write_global(p, op),
        Opcode::LlvmCall | Opcode::LlvmCallIntrinsic => llvm::write_call(p, op),
        Opcode::LlvmGetelementptr => llvm::write_gep(p, op),
        Opcode::LlvmExtractvalue | Opcode::LlvmInsertvalue => llvm::write_part(p, op),
        Opcode::LlvmShufflevector => llvm::write_shuffle(p, op),
        Opcode::LlvmSwitch => flow::write_switch(p, op),
        Opcode::LlvmBr => flow::write_br(p, op),
        Opcode::LlvmCondBr => flow::write_cond_br(p, op),
        Opcode::PcfGeneric | Opcode::PcfLoop => pcf::write_workers(p, op),
        Opcode::PcfBrCondReturn => pcf::write_cond_return(p, op),
        Opcode::TransformSequence => script::write_sequence(p, op),
        Opcode::TransformApplyRegisteredPass => script::write_pass(p, op),
        Opcode::TransformStructuredSplit => script::write_split(p, op),
        Opcode::TransformForeachMatch => script::write_foreach_match(p, op),
        Opcode::ArithSelect => func::write_select(p, op),
        Opcode::LinalgGeneric => linalg::write_generic(p, op),
        Opcode::TensorExtractSlice | Opcode::MemrefSubview => slice::write_extract(p, op),
        Opcode::TensorInsertSlice | Opcode::TensorParallelInsertSlice => slice::write_insert(p, op),
        Opcode::ScfFor => scf::write_for(p, op),
        Opcode::ScfForall => scf::write_forall(p, op),
        Opcode::ScfForallInParallel => scf::write_in_parallel(p, op),
        Opcode::ScfIf => scf::write_if(p, op),
        Opcode::VectorTransferRead | Opcode::VectorTransferWrite => vector::write_transfer(p, op),
        Opcode::VectorContract => vector::write_contract(p, op),
        Opcode::VectorExtract => vector::write_extract(p, op),
        Opcode::VectorInsert => vector::write_insert(p, op),
        Opcode::VectorExtractStridedSlice | Opcode::VectorInsertStridedSlice => vector::write_strided(p, op),
        Opcode::VectorToElements => vector::write_to_elements(p, op),
        Opcode::VectorShuffle => vector::write_shuffle(p, op),
        Opcode::AffineLinearizeIndex => index::write_linearize(p, op),
        Opcode::AffineDelinearizeIndex => index::write_delinearize(p, op),
        Opcode::NvgpuMmaSync => matrix::write_mma_sync(p, op),
        Opcode::AmdgpuMfma | Opcode::AmdgpuWmma => matrix::write_mfma(p, op),
        Opcode::AmdgpuScaledMfma => matrix::write_scaled_mfma(p, op),
        Opcode::AmdgpuSparseMfma => matrix::write_sparse_mfma(p, op),
        Opcode::LinalgTranspose | Opcode::LinalgBroadcast | Opcode::LinalgReduce | Opcode::LinalgMap => {
            named::write_shaped(p, op);
        }
        Opcode::CfBr => flow::write_br(p, op),
        Opcode::CfCondBr => flow::write_cond_br(p, op),
        Opcode::CfSwitch => flow::write_switch(p, op),
        Opcode::ScfWhile => flow::write_while(p, op),
        Opcode::ScfExecuteRegion => flow::write_execute_region(p, op),
        Opcode::ScfParallel => flow::write_parallel(p, op),
        Opcode::ScfReduce => flow::write_reduce(p, op),
        Opcode::ScfIndexSwitch => flow::write_index_switch(p, op),
        Opcode::VectorMask => flow::write_mask(p, op),
        Opcode::GpuWarpExecuteOnLane0 => flow::write_lane_region(p, op),
        Opcode::AffineApply | Opcode::AffineMin | Opcode::AffineMax => affine::write_apply(p, op),
        Opcode::AffineFor => affine::write_for(p, op),
        Opcode::AffineIf => affine::write_if(p, op),
        Opcode::AffineLoad | Opcode::AffineStore | Opcode::AffineVectorLoad | Opcode::AffineVectorStore => {
            affine::write_access(p, op);
        }
        Opcode::AffineParallel => affine::write_parallel(p, op),
        Opcode::AffinePrefetch => affine::write_prefetch(p, op),
        Opcode::AffineDmaStart | Opcode::AffineDmaWait => affine::write_dma(p, op),
        Opcode::UtilAssumeInt => iree::write_assume(p, op),
        Opcode::UtilHoistableConversion => iree::write_conversion(p, op),
        Opcode::IreeLinalgExtIm2col => iree::write_im2col(p, op),
        Opcode::HalExecutableExport => iree::write_export(p, op),
        Opcode::IreeCodegenWorkgroupCountHint => iree::write_count_hint(p, op),
        Opcode::GpuSubgroupMmaConstantMatrix => iree::write_mma_constant(p, op),
        Opcode::MemrefGlobal => iree::write_global(p, op),
        Opcode::MemrefTranspose => iree::write_transpose(p, op),
        Opcode::MemrefDmaStart => iree::write_dma_start(p, op),
        Opcode::VectorOuterproduct => iree::write_outerproduct(p, op),
        Opcode::FuncCallIndirect => func::write_call_indirect(p, op),
        Opcode::UtilFunc | Opcode::FlowFunc | Opcode::TransformNamedSequence | Opcode::GpuFunc => {
            func::write_func(p, op);
        }
        Opcode::GpuLaunch => gpu::write_launch(p, op),
        opcode if is_named(opcode) => linalg::write_named(p, op),
        _ => format::write(p, op),
    }
}

/// Whether an operation has custom assembly that says all of it, and is sound enough for it: the printer must show what
/// the verifier complains about, too.
pub(crate) fn has_custom_form(ir: &Ir, op: OpId) -> bool {
    let opcode = ir.opcode(op);
    let format = opcode.info().form.format;
    opcode != Opcode::Unregistered
        && format != GENERIC
        && crate::verify::is_printable(ir, op, format.is_empty())
        && if format.is_empty() {
            affine::spells_operands(ir, op) && func::says_all(ir, op)
        } else {
            format::lists_all(ir, op)
        }
}

/// A region in braces, with the terminator that goes without saying.
pub(super) fn read_body<'a>(p: &mut Parser<'a, '_>, op: OpId, body: Body, args: &[(Operand<'a>, TypeId)]) -> Res<()> {
    let span = p.ir.span(op);
    let isolated = p.ir.opcode(op).is_isolated();
    if isolated {
        p.open_isolated();
    }
    let region = p.region(op, args)?;
    if isolated {
        p.close_isolated()?;
    }
    if !body.empty && p.ir.blocks(region).is_empty() {
        p.ir.add_block(region, &[]);
    }
    if body.implied {
        ensure_end(p, region, body.ends, span);
    }
    Ok(())
}

/// Puts the terminator that custom assembly leaves out.
pub(super) fn ensure_end(p: &mut Parser<'_, '_>, region: RegionId, name: &str, span: Span) {
    let block = match p.ir.blocks(region) {
        [] => p.ir.add_block(region, &[]),
        &[block] => block,
        _ => return,
    };
    // What ends another block is a mistake, which the verifier reports.
    let ends = p.ir.terminator(block).is_some_and(|op| p.ir.name(op) == name || crate::verify::ends_block(p.ir, op));
    if !ends {
        let empty = p.ir.dict(&[]);
        let op = p.ir.create_named(name, &[], &[], empty, span);
        p.ir.append(block, op);
    }
}

/// The inverse of [`read_body`].
pub(super) fn write_body(p: &mut Printer<'_>, op: OpId, number: usize) {
    // The last body stands for all that follow.
    let bodies = &Shape::of(p.ir.opcode(op)).bodies;
    let body = bodies[number.min(bodies.len() - 1)];
    let region = p.ir.regions(op)[number];
    let last = p.ir.blocks(region).first().and_then(|&block| p.ir.terminator(block));
    let bare = last.is_some_and(|last| p.ir.operands(last).is_empty());
    p.region(region, true, !(body.implied && bare));
}

/// `[%a, 4]` with the given brackets: numbers, [`DYNAMIC`] where a value stands, and the values.
pub(super) fn mixed_list<'a>(p: &mut Parser<'a, '_>, open: u8, close: u8) -> Res<(Vec<i64>, Vec<Operand<'a>>)> {
    let mut values = Vec::new();
    let numbers = p.list(open, close, |p| {
        if p.tok.kind == super::lexer::Kind::Value {
            values.push(p.operand()?);
            return Ok(DYNAMIC);
        }
        let span = p.tok.span();
        let number = p.int("a value or an integer")?;
        if number == DYNAMIC {
            return Err(p.error(span, "this number stands for a value that is not constant"));
        }
        Ok(number)
    })?;
    Ok((numbers, values))
}

/// The same in square brackets, where what stands in brackets of its own is marked.
pub(super) fn scalable_list<'a>(p: &mut Parser<'a, '_>) -> Res<(Vec<i64>, Vec<Operand<'a>>, AttrId)> {
    let (mut values, mut scalable) = (Vec::new(), Vec::new());
    let numbers = p.list(b'[', b']', |p| {
        let open = p.eat(b'[');
        scalable.push(i64::from(open));
        let number = if p.tok.kind == super::lexer::Kind::Value {
            values.push(p.operand()?);
            DYNAMIC
        } else {
            p.int("a value or an integer")?
        };
        if open {
            p.expect(b']')?;
        }
        Ok(number)
    })?;
    let elem = p.ir.int_type(1);
    let scalable = p.ir.intern(Attr::DenseArray { elem, values: scalable });
    Ok((numbers, values, scalable))
}

/// The inverse of [`scalable_list`].
pub(super) fn write_scalable(p: &mut Printer<'_>, numbers: &[i64], values: &[ValueId], scalable: &[i64]) {
    let mut values = values.iter();
    p.out.push('[');
    for (i, &number) in numbers.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        let open = scalable.get(i) == Some(&1);
        p.out.push_str(if open { "[" } else { "" });
        match (number, values.as_slice().first()) {
            (DYNAMIC, Some(&value)) => {
                values.next();
                p.value(value);
            }
            _ => p.number(number),
        }
        p.out.push_str(if open { "]" } else { "" });
    }
    p.out.push(']');
}

/// The inverse of [`mixed_list`].
pub(super) fn write_mixed(p: &mut Printer<'_>, open: char, close: char, numbers: &[i64], values: &[ValueId]) {
    p.out.push(open);
    let mut values = values.iter();
    for (i, &number) in numbers.iter().enumerate() {
        if i > 0 {
            p.out.push_str(", ");
        }
        match (number, values.as_slice().first()) {
            (DYNAMIC, Some(&value)) => {
                values.next();
                p.value(value);
            }
            _ => p.number(number),
        }
    }
    p.out.push(close);
}

pub(super) fn ints(p: &Printer<'_>, op: OpId, name: &str) -> Vec<i64> {
    p.ir.attr_id(op, name).and_then(|attr| p.ir.ints(attr)).unwrap_or_default()
}

/// The type that an attribute states for itself.
fn type_of_attr(ir: &mut Ir, attr: AttrId) -> Option<TypeId> {
    match &ir[attr] {
        Attr::Int { ty, .. }
        | Attr::Wide { ty, .. }
        | Attr::Float { ty, .. }
        | Attr::LongFloat { ty, .. }
        | Attr::Dense { ty, .. } => Some(*ty),
        Attr::Bool(_) => Some(ir.int_type(1)),
        // What the reader itself named ends with its type.
        Attr::Dialect { name, body: crate::attrs::Body::Fields(fields) } if ir[*name].starts_with("builtin.") => {
            match ir[fields.last()?.1] {
                Attr::Type(ty) => Some(ty),
                _ => None,
            }
        }
        _ => None,
    }
}
