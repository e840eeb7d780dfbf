//! Kernels of other forms as those that are blocked: a product whose whole sum is one step, and workgroups in a row of
//! which only the run knows how many there are.

use raddle_ir::extents::Sizes;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{BlockId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};
use raddle_target::NativeVectors;

use crate::structured::symbols::OfArguments;

/// Puts a loop of one step around a product whose whole sum is one, if it is one of words: what is packed is packed in
/// steps of a loop.
pub fn one_step(ir: &mut Ir, entry: BlockId, vectors: NativeVectors) {
    let all = ir.ops_of(entry);
    let mut contracts = all.iter().copied().filter(|&op| ir.opcode(op) == Opcode::VectorContract);
    let (Some(contract), None) = (contracts.next(), contracts.next()) else { return };
    let view = Contract::of(ir, contract);
    let types = [view.lhs, view.rhs, view.acc].map(|value| Scalar::of(&ir[ir.elem_of(value)]));
    let [Some(a), Some(b), Some(sum)] = types else { return };
    if vectors.dot_of([a, b, sum]).is_none() || all.iter().any(|&op| !ir.regions(op).is_empty()) {
        return;
    }
    let factors = [view.lhs, view.rhs];
    let mut sums = view.maps[0].as_dims().unwrap_or_default().into_iter().filter(|&d| view.reduction[d]);
    let Some(k) = sums.next_back() else { return };
    let dims = view.maps[0].as_dims().unwrap_or_default();
    let Some(length) = dims.iter().position(|&d| d == k).map(|at| ir.shape_of(view.lhs)[at]) else { return };
    let (acc, result) = (view.acc, ir.result(contract, 0));
    let maps = view.maps.clone();
    let mut builder = Builder::before(ir, contract);
    let (zero, end) = (builder.index(0), builder.index(length));
    let op = builder.for_loop(zero, end, end, &[acc], |builder, index, carried| {
        let mut map = ValueMap::default();
        for (&factor, own) in factors.iter().zip(&maps) {
            let along = own.as_dims().and_then(|dims| dims.iter().position(|&d| d == k));
            if let Some(moved) = along.and_then(|along| from_step(builder, factor, along, index)) {
                map.set(factor, moved);
            }
        }
        map.set(acc, carried[0]);
        builder.copy(contract, &mut map);
        vec![map.get(result)]
    });
    let whole = builder.ir.result(op, 0);
    ir.replace_uses(result, whole);
    ir.erase(contract);
}

/// A factor that is read from where a loop is along one of its dimensions, if it begins at 0 there.
fn from_step(builder: &mut Builder<'_>, factor: ValueId, along: usize, index: ValueId) -> Option<ValueId> {
    let read = builder.ir.def_op(factor)?;
    if builder.ir.opcode(read) == Opcode::IreeVectorExtToLayout {
        let source = builder.ir.operand(read, 0);
        let moved = from_step(builder, source, along, index)?;
        let mut map = ValueMap::default();
        map.set(source, moved);
        builder.copy(read, &mut map);
        return Some(map.get(factor));
    }
    if builder.ir.opcode(read) != Opcode::VectorTransferRead {
        return None;
    }
    let view = Transfer::of(builder.ir, read);
    let dim = *view.map.as_dims()?.get(along)?;
    if builder.ir.const_int(view.indices[dim]) != Some(0) || view.mask.is_some() {
        return None;
    }
    let mut indices = view.indices.to_vec();
    indices[dim] = index;
    let (padding, ty) = (view.padding?, builder.ir.type_of(factor));
    Some(builder.transfer_read(view.base, &indices, padding, view.map.clone(), &view.in_bounds, ty))
}

/// Writes the numbers of a row of workgroups, of which only the run knows how many there are, as the parts of one number,
/// with its count beside it.
pub fn count_rows(ir: &mut Ir, func: OpId, entry: BlockId) {
    let ids: Vec<OpId> = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::GpuBlockId).collect();
    let [id] = ids[..] else { return };
    let Ok(Some(sizes)) = Sizes::grid(ir, func) else { return };
    let number = ir.result(id, 0);
    let is_split = ir.uses(number).any(|(user, _)| ir.opcode(user) == Opcode::AffineDelinearizeIndex);
    let [x, Expr::Const(1), Expr::Const(1)] = &sizes.map.results[..] else { return };
    if is_split || ir.keyword_of(id, "dimension") != Some("x") || ir.parent_block(id) != Some(entry) {
        return;
    }
    let x = Map { dims: 0, syms: sizes.map.syms, results: vec![x.clone()] };
    let next = ir.ops_of(entry).into_iter().skip_while(|&op| op != id).nth(1).expect("a block has a terminator");
    let mut builder = Builder::before(ir, next);
    let arguments = OfArguments::new(entry);
    let symbols: Vec<ValueId> = sizes.of.iter().map(|&known| arguments.write(&mut builder, known)).collect();
    let count = builder.apply(x, &symbols);
    let basis = builder.ir.dense_i64(&[DYNAMIC]);
    let index = builder.ir.index_type();
    let split = builder.op(Opcode::AffineDelinearizeIndex, &[number, count], &[index], &[("static_basis", basis)]);
    let part = ir.result(split, 0);
    let users: Vec<(OpId, usize)> = ir.uses(number).filter(|&(user, _)| user != split).collect();
    for (user, at) in users {
        ir.set_operand(user, at, part);
    }
}
