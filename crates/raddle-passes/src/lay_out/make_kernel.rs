//! Make a kernel: vectors that come into a function or leave it go through memory.
//!
//! Before: `func.func @f(%v: vector<64xf32>, %n: f32) -> vector<64xf32>`, `return %r`
//! After:  `func.func @f(%v: memref<64xf32>, %n: f32, %to: memref<64xf32>)`, which reads `%v` and writes `%r` to `%to`
//!
//! Whoever launches a kernel has memory, and no vector of a workgroup: arguments keep their places, and behind them
//! stands one destination for each result, as when a kernel is made from tensors. Layouts on the function are those of
//! the reads.

use raddle_ir::views::minor_identity;
use raddle_ir::{Attr, Builder, Diag, Ir, OpId, Opcode, Type, TypeId, ValueId};

use crate::facts::Facts;
use crate::lay_out::inline::inline;

/// Rewrites a function with vectors in its signature; any other one stays.
pub fn make_kernel(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    let (inputs, results) = ir.signature(func);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    let types = || inputs.iter().chain(&results);
    let whole = |ty: &TypeId| matches!(&ir[*ty], Type::Vector { scalable, .. } if !scalable.contains(&true));
    let in_memory = |ty: &TypeId| whole(ty) || ir[*ty].shape().is_none() || matches!(ir[*ty], Type::MemRef { .. });
    if !types().any(whole) || !types().all(in_memory) {
        return Ok(());
    }
    inline(ir, func)?;
    read_arguments(ir, func);
    write_results(ir, func, &results);
    ir.remove_attr(func, "layouts");
    let inputs: Vec<TypeId> = ir.args(ir.entry(func)).iter().map(|&arg| ir.type_of(arg)).collect();
    ir.set_signature(func, &inputs, &[]);
    Ok(())
}

/// `memref<…>` for a vector or a scalar.
fn memory(ir: &mut Ir, ty: TypeId) -> TypeId {
    let (shape, elem) = (ir[ty].shape().unwrap_or_default().to_vec(), ir[ty].elem().unwrap_or(ty));
    ir.memref_type(&shape, elem, None)
}

/// Reads each vector that comes in, once, in front of everything.
fn read_arguments(ir: &mut Ir, func: OpId) {
    let entry = ir.entry(func);
    let first = ir.first_op(entry).expect("a verified block has a terminator");
    let layouts = match ir.attr(func, "layouts") {
        Some(Attr::Array(layouts)) => layouts.clone(),
        _ => Vec::new(),
    };
    for (at, arg) in ir.args(entry).to_vec().into_iter().enumerate() {
        let ty = ir.type_of(arg);
        if !ir[ty].is_vector() {
            continue;
        }
        let uses: Vec<(OpId, usize)> = ir.uses(arg).collect();
        let memref = memory(ir, ty);
        ir.set_type(arg, memref);
        let rank = ir.shape_of(arg).len();
        let mut builder = Builder::before(ir, first);
        let (zero, elem) = (builder.index(0), builder.ir[ty].elem().expect("a vector has elements"));
        let padding = builder.splat(0.0, elem);
        let map = minor_identity(rank, rank);
        let read = builder.transfer_read(arg, &vec![zero; rank], padding, map, &vec![true; rank], ty);
        if let (Some(&layout), Some(op)) = (layouts.get(at), ir.def_op(read)) {
            let layouts = ir.intern(Attr::Array(vec![layout]));
            ir.set_attr(op, "layouts", layouts);
        }
        for (user, operand) in uses {
            ir.set_operand(user, operand, read);
        }
    }
}

/// Writes what each way out returns to arguments behind the others.
fn write_results(ir: &mut Ir, func: OpId, results: &[TypeId]) {
    let entry = ir.entry(func);
    let mut destinations = Vec::new();
    for &ty in results {
        let memref = memory(ir, ty);
        destinations.push(ir.add_block_arg(entry, memref));
    }
    for block in ir.blocks(ir.block_region(entry)).to_vec() {
        let Some(end) = ir.terminator(block).filter(|&end| ir.opcode(end) == Opcode::FuncReturn) else { continue };
        let returned: Vec<ValueId> = ir.operands(end).to_vec();
        let mut builder = Builder::before(ir, end);
        for (value, &to) in returned.into_iter().zip(&destinations) {
            if !builder.ir.ty(value).is_vector() {
                builder.op(Opcode::MemrefStore, &[value, to], &[], &[]);
                continue;
            }
            let rank = builder.ir.shape_of(value).len();
            let zero = builder.index(0);
            builder.transfer_write(value, to, &vec![zero; rank], minor_identity(rank, rank), &vec![true; rank]);
        }
        ir.set_operands(end, &[]);
    }
}
