//! Promote: make the ways through shared memory that anchors ask for operations of the program.
//!
//! Before: `%r = transfer_read %m`, `%x = to_layout %r to layout(#L) {shared_memory_conversion = …}`
//! After:  `%r = transfer_read %m`, `%c = to_layout %r to layout(#coalesced)`, `%t = transfer_write %c, alloc_tensor()`,
//!         `%s = value_barrier %t`, `%v = transfer_read %s`, `%x = to_layout %v to layout(#L)`
//!
//! The wish of an anchor goes backward to the reads that its value is made from: there the copy is made, from a layout in
//! which the threads read neighbours. Where layouts meet that differ in their threads, the conversion goes the same way.
//!
//! Does not allocate: a tensor in shared memory stands for the buffer. Where none of this runs, `distribute` makes
//! conversions itself, with the buffers and barriers that they need.

use raddle_ir::views::minor_identity;
use raddle_ir::{
    Attr, AttrId, Body, Builder, Class, Code, Def, Diag, Ir, OpId, Opcode, Scalar, Type, ValueId, keyword_attr,
};
use raddle_layout::Nested;
use rustc_hash::FxHashMap;

use crate::config::derived_tile;
use crate::facts::Facts;
use crate::lay_out;

/// What anchors wish of the values that they are made from; `None` where wishes differ.
type Wishes = FxHashMap<ValueId, Option<AttrId>>;

/// Says as remarks which values are to go through shared memory, and how.
pub fn report(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let wishes = wishes(ir, func);
    let mut remarks = facts.remarks.borrow_mut();
    for op in ir.walk(func) {
        for (i, result) in ir.results(op).enumerate() {
            if let Some(&Some(wish)) = wishes.get(&result) {
                let message = format!("promotion type of result #{i} is {}", spelled(ir, wish));
                remarks.push(Diag::error(Code::LayoutReport, ir.span(op), message).as_remark());
            }
        }
    }
    Ok(())
}

fn spelled(ir: &Ir, attr: AttrId) -> String {
    match &ir[attr] {
        Attr::Dialect { name, .. } => format!("#{}", &ir[*name]),
        _ => "unit".to_owned(),
    }
}

/// The wishes of the anchors, spread from each value to what it is made from.
fn wishes(ir: &Ir, func: OpId) -> Wishes {
    let mut wishes = Wishes::default();
    let mut fresh: Vec<ValueId> = Vec::new();
    let meet = |value: ValueId, wish: Option<AttrId>, wishes: &mut Wishes, fresh: &mut Vec<ValueId>| {
        let met = match wishes.get(&value) {
            None => wish,
            Some(&known) if known == wish => return,
            Some(None) => return,
            Some(_) => None,
        };
        wishes.insert(value, met);
        fresh.push(value);
    };
    for op in ir.walk(func) {
        if let (Opcode::IreeVectorExtToLayout, Some(wish)) = (ir.opcode(op), ir.attr_id(op, "shared_memory_conversion"))
        {
            meet(ir.operand(op, 0), Some(wish), &mut wishes, &mut fresh);
        }
    }
    while let Some(value) = fresh.pop() {
        let wish = wishes[&value];
        for (op, operand) in lay_out::sources(ir, value) {
            meet(ir.operand(op, operand), wish, &mut wishes, &mut fresh);
        }
        let Def::Result { op, .. } = ir.def(value) else { continue };
        let passes = match ir.class(op) {
            Class::Elementwise | Class::Transpose | Class::Reshape | Class::Broadcast => true,
            Class::Layout => ir.attr_id(op, "shared_memory_conversion").is_none(),
            _ => false,
        };
        for &operand in ir.operands(op).iter().filter(|_| passes) {
            meet(operand, wish, &mut wishes, &mut fresh);
        }
    }
    wishes
}

/// Makes the ways through shared memory that anchors and conflicts ask for.
pub fn promote(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let ops = ir.walk(func);
    for &op in &ops {
        let Some(wish) = ir.attr(op, "shared_memory_conversion") else { continue };
        let known = matches!(wish, Attr::Dialect { name, .. } if ir[*name].starts_with("iree_gpu."));
        if !known {
            let message = "shared_memory_conversion attribute must implement IREE::GPU::PromotionAttr";
            return Err(Diag::error(Code::BadAttribute, ir.span(op), message)
                .help("known are #iree_gpu.derived_thread_config and #iree_gpu.use_global_load_dma"));
        }
    }
    let wishes = wishes(ir, func);
    for &op in &ops {
        ir.remove_attr(op, "shared_memory_conversion");
    }
    let conversions = lay_out::conversions(ir, func, facts)?;
    for &op in &ops {
        let wished = ir.results(op).next().and_then(|value| wishes.get(&value).copied().flatten());
        let reads = ir.class(op) == Class::Read || ir.opcode(op) == Opcode::VectorGather;
        if reads && wished.is_some_and(|wish| spelled(ir, wish) == "#iree_gpu.derived_thread_config") {
            copy_of(ir, func, op)?;
        }
    }
    for op in conversions {
        let value = ir.operand(op, 0);
        synchronize(ir, op);
        let mut builder = Builder::before(ir, op);
        let back = through_shared(&mut builder, value);
        ir.set_operand(op, 0, back);
    }
    Ok(())
}

/// Puts what is read into shared memory, from a layout that suits the read.
fn copy_of(ir: &mut Ir, func: OpId, op: OpId) -> Result<(), Diag> {
    let value = ir.result(op, 0);
    let misfit = |ir: &Ir, why: String| {
        Diag::error(Code::LayoutMisfit, ir.span(op), format!("no layout copies the result of `{}`", ir.name(op)))
            .note(why)
    };
    let sizes = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "workgroup_size"));
    let sizes = sizes.and_then(|sizes| ir.ints(sizes));
    let threads = sizes.and_then(|sizes| sizes.into_iter().try_fold(1i64, i64::checked_mul));
    let threads = threads.ok_or_else(|| misfit(ir, "the function does not say its workgroup size".to_owned()))?;
    let shape = ir.shape_of(value).to_vec();
    let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |scalar| i64::from(scalar.bits()));
    let tile = derived_tile(&shape, threads, bits);
    let layout = Nested::coalesced(threads, &shape, &tile).map_err(|error| misfit(ir, error.to_string()))?;
    synchronize(ir, op);
    let next = ir.next_op(op).expect("a read is not the last operation of a block");
    let attr = ir.intern(Attr::Layout(layout.into()));
    let ty = ir.type_of(value);
    let users: Vec<(OpId, usize)> = ir.uses(value).collect();
    let mut builder = Builder::before(ir, next);
    let held = builder.value(Opcode::IreeVectorExtToLayout, &[value], ty, &[("layout", attr)]);
    let back = through_shared(&mut builder, held);
    for (user, operand) in users {
        ir.set_operand(user, operand, back);
    }
    Ok(())
}

/// A barrier at the start of an operation's block: nobody writes before all have read what an earlier round wrote.
fn synchronize(ir: &mut Ir, op: OpId) {
    let first = ir.parent_block(op).and_then(|block| ir.first_op(block)).expect("the operation is in a block");
    let space = keyword_attr(ir, "gpu.address_space", "workgroup");
    let spaces = ir.intern(Attr::Array(vec![space]));
    Builder::before(ir, first).op(Opcode::GpuBarrier, &[], &[], &[("address_spaces", spaces)]);
}

/// A vector as it comes back from a tensor in shared memory.
fn through_shared(builder: &mut Builder<'_>, value: ValueId) -> ValueId {
    let (shape, elem, ty) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value), builder.ir.type_of(value));
    let rank = shape.len();
    let space = builder.keyword_attr("gpu.address_space", "workgroup");
    let tensor = builder.ir.intern_type(Type::Tensor { shape, elem, encoding: Some(space) });
    let sizes = builder.ir.segment_sizes(&[0, 0, 0]);
    let attrs = [("memory_space", space), ("operandSegmentSizes", sizes)];
    let buffer = builder.value(Opcode::BufferizationAllocTensor, &[], tensor, &attrs);
    let zero = builder.index(0);
    let (indices, in_bounds) = (vec![zero; rank], vec![true; rank]);
    let written = builder.transfer_write(value, buffer, &indices, minor_identity(rank, rank), &in_bounds);
    let written = builder.ir.result(written, 0);
    let waited = builder.value(Opcode::IreeGpuValueBarrier, &[written], tensor, &[]);
    let poison = {
        let name = builder.ir.intern_str("ub.poison");
        let attr = builder.ir.intern(Attr::Dialect { name, body: Body::None });
        builder.value(Opcode::UbPoison, &[], elem, &[("value", attr)])
    };
    builder.transfer_read(waited, &indices, poison, minor_identity(rank, rank), &in_bounds, ty)
}
