//! Accesses of several dimensions as accesses of rows.

use raddle_ir::views::{Indexed, Transfer};
use raddle_ir::{Builder, Diag, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};

use super::{check, positions};

/// The dimension of the base along which the last dimension of the vector runs alone; `None` where positions along it are
/// looked up or repeated.
fn along(view: &Indexed, last: usize) -> Option<usize> {
    let place = Expr::Dim(last as u32);
    let looked_up = (0..view.index_vecs.len()).any(|i| view.dims(i).contains(&last));
    let mut dims = (0..view.maps[0].results.len()).filter(|&p| view.maps[0].results[p] == place);
    let found = dims.next();
    found.filter(|_| !looked_up && dims.next().is_none())
}

/// Whether a run along a dimension of a memory can be loaded as it lies.
fn is_contiguous(ir: &Ir, base: ValueId, p: usize) -> bool {
    ir.strides(base).is_some_and(|strides| p + 1 == strides.len() && strides[p] == 1)
}

/// `transfer_gather` and `transfer_scatter` whose rows are contiguous.
pub fn indexed(ir: &mut Ir, op: OpId) -> Result<(), Diag> {
    let mut view = Indexed::of(ir, op);
    let vector = view.vector.unwrap_or_else(|| ir.result(op, 0));
    let shape = ir.shape_of(vector).to_vec();
    let Some(last) = shape.len().checked_sub(1) else { return Ok(()) };
    let Some(p) = along(&view, last) else { return Ok(()) };
    check(ir, op, &shape[..last])?;
    let elem = ir.elem_of(vector);
    let mut builder = Builder::before(ir, op);
    let mut rows = Vec::new();
    for at in positions(&shape[..last]) {
        let mut indices = view.offsets.clone();
        for (index, expr) in indices.iter_mut().zip(&view.maps[0].results) {
            match expr {
                Expr::Dim(d) if *d as usize != last => *index = plus(&mut builder, *index, at[*d as usize]),
                Expr::Sym(s) => {
                    let number = entry(&mut builder, view.index_vecs[*s as usize], &view.dims(*s as usize), &at);
                    *index = builder.binary(Opcode::ArithAddi, *index, number);
                }
                _ => {}
            }
        }
        let mask =
            view.mask.map(|mask| mask_row(&mut builder, mask, &view.dims(view.index_vecs.len()), &at, shape[last]));
        let ty = builder.ir.vector_type(&shape[last..], elem);
        let run = Run { base: view.base, indices, p, mask };
        match (view.vector, view.padding) {
            (Some(vector), _) => {
                let row = builder.extract(vector, &at);
                view.base = run.write(&mut builder, row);
            }
            (None, Some(padding)) => rows.push(run.read(&mut builder, padding, ty)),
            (None, None) => panic!("a gather has a padding"),
        }
    }
    if view.vector.is_some() {
        if let Some(result) = ir.results(op).next() {
            ir.replace_uses(result, view.base);
        }
    } else {
        let whole = together(&mut builder, vector, &shape[..last], &rows);
        ir.replace_uses(vector, whole);
    }
    ir.erase(op);
    Ok(())
}

/// An index a known number further.
fn plus(builder: &mut Builder<'_>, index: ValueId, by: i64) -> ValueId {
    if by == 0 {
        return index;
    }
    let by = builder.index(by);
    builder.binary(Opcode::ArithAddi, index, by)
}

/// The number that a vector of them, which lies along these dimensions, has at a position.
fn entry(builder: &mut Builder<'_>, vector: ValueId, dims: &[usize], at: &[i64]) -> ValueId {
    let place: Vec<i64> = dims.iter().map(|&d| at[d]).collect();
    let number = if builder.ir.ty(vector).is_vector() { builder.extract(vector, &place) } else { vector };
    let index = builder.ir.index_type();
    if builder.ir.type_of(number) == index {
        return number;
    }
    builder.value(Opcode::ArithIndexCast, &[number], index, &[])
}

/// The flags of a row. The last dimension of the vector is the one behind the position.
fn mask_row(builder: &mut Builder<'_>, mask: ValueId, dims: &[usize], at: &[i64], width: i64) -> ValueId {
    let last = at.len();
    let lead: Vec<usize> = dims.iter().copied().filter(|&d| d != last).collect();
    let place: Vec<i64> = lead.iter().map(|&d| at[d]).collect();
    let bit = builder.ir.int_type(1);
    let ty = builder.ir.vector_type(&[width], bit);
    match dims.iter().position(|&d| d == last) {
        Some(i) => {
            let perm: Vec<usize> = (0..dims.len()).filter(|&d| d != i).chain([i]).collect();
            let ordered = perm.iter().copied().eq(0..dims.len());
            let mask = if ordered { mask } else { builder.transpose(mask, &perm) };
            if place.is_empty() { mask } else { builder.extract(mask, &place) }
        }
        None => {
            let flag = if builder.ir.ty(mask).is_vector() { builder.extract(mask, &place) } else { mask };
            builder.broadcast(flag, ty)
        }
    }
}

/// Neighbours along one dimension of a memory or tensor, of which a mask may leave some out.
struct Run {
    base: ValueId,
    indices: Vec<ValueId>,
    p: usize,
    mask: Option<ValueId>,
}

impl Run {
    /// Where the run lies, for a transfer.
    fn map(&self) -> Map {
        Map::of_dims(self.indices.len(), &[self.p])
    }

    fn read(self, builder: &mut Builder<'_>, padding: ValueId, ty: TypeId) -> ValueId {
        let operands = [&[self.base], &self.indices[..]].concat();
        match self.mask {
            _ if !is_contiguous(builder.ir, self.base, self.p) => {
                let map = self.map();
                let value = builder.transfer_read(self.base, &self.indices, padding, map, &[true], ty);
                if let (Some(mask), Some(read)) = (self.mask, builder.ir.def_op(value)) {
                    builder.ir.set_transfer_mask(read, mask);
                }
                value
            }
            None => builder.value(Opcode::VectorLoad, &operands, ty, &[]),
            Some(mask) => {
                let other = builder.broadcast(padding, ty);
                builder.value(Opcode::VectorMaskedload, &[&operands[..], &[mask, other]].concat(), ty, &[])
            }
        }
    }

    /// Writes a row; the answer is the base behind it, which for a tensor is a new one.
    fn write(self, builder: &mut Builder<'_>, row: ValueId) -> ValueId {
        let operands = [&[self.base], &self.indices[..]].concat();
        match self.mask {
            _ if !is_contiguous(builder.ir, self.base, self.p) => {
                let map = self.map();
                let write = builder.transfer_write(row, self.base, &self.indices, map, &[true]);
                if let Some(mask) = self.mask {
                    builder.ir.set_transfer_mask(write, mask);
                }
                builder.ir.results(write).next().unwrap_or(self.base)
            }
            None => {
                builder.op(Opcode::VectorStore, &[&[row], &operands[..]].concat(), &[], &[]);
                self.base
            }
            Some(mask) => {
                builder.op(Opcode::VectorMaskedstore, &[&operands[..], &[mask, row]].concat(), &[], &[]);
                self.base
            }
        }
    }
}

/// The vector that rows make.
fn together(builder: &mut Builder<'_>, vector: ValueId, lead: &[i64], rows: &[ValueId]) -> ValueId {
    let (ty, shape) = (builder.ir.type_of(vector), builder.ir.shape_of(vector).to_vec());
    if let [row] = rows {
        return builder.shape_cast(*row, &shape);
    }
    let mut whole = builder.value(Opcode::UbPoison, &[], ty, &[]);
    for (at, &row) in positions(lead).iter().zip(rows) {
        whole = builder.insert(row, whole, at);
    }
    whole
}

/// `vector.transfer_read` and `transfer_write` of a memory that stay inside, whose rows are contiguous, or for a read one
/// element for all.
pub fn plain(ir: &mut Ir, op: OpId) -> Result<(), Diag> {
    let view = Transfer::of(ir, op);
    let vector = view.vector.unwrap_or_else(|| ir.result(op, 0));
    let (shape, elem) = (ir.shape_of(vector).to_vec(), ir.elem_of(vector));
    let inside = view.mask.is_none() && view.in_bounds.iter().all(|&inside| inside);
    let known = matches!(ir.ty(view.base), Type::MemRef { .. }) && ir.elem_of(view.base) == elem;
    let Some(last) = shape.len().checked_sub(1).filter(|_| inside && known) else { return Ok(()) };
    let p = match view.map.results[last] {
        Expr::Dim(p) if is_contiguous(ir, view.base, p as usize) => Some(p as usize),
        Expr::Const(0) if view.vector.is_none() && is_contiguous(ir, view.base, view.indices.len() - 1) => None,
        _ => return Ok(()),
    };
    check(ir, op, &shape[..last])?;
    let mut builder = Builder::before(ir, op);
    let mut rows = Vec::new();
    let all = positions(&shape[..last]);
    for at in &all {
        let mut indices = view.indices.clone();
        for (expr, &i) in view.map.results.iter().zip(at) {
            if let Expr::Dim(p) = expr {
                indices[*p as usize] = plus(&mut builder, indices[*p as usize], i);
            }
        }
        let operands = [&[view.base], &indices[..]].concat();
        let row =
            if p.is_some() { builder.ir.vector_type(&shape[last..], elem) } else { builder.ir.vector_type(&[1], elem) };
        match view.vector {
            Some(vector) => {
                let row = builder.extract(vector, at);
                builder.op(Opcode::VectorStore, &[&[row], &operands[..]].concat(), &[], &[]);
            }
            None => {
                let mut value = builder.value(Opcode::VectorLoad, &operands, row, &[]);
                if p.is_none() {
                    let element = builder.extract(value, &[0]);
                    let part = if all.len() == 1 { &shape[..] } else { &shape[last..] };
                    let ty = builder.ir.vector_type(part, elem);
                    value = builder.broadcast(element, ty);
                }
                rows.push(value);
            }
        }
    }
    if view.vector.is_none() {
        let whole = together(&mut builder, vector, &shape[..last], &rows);
        ir.replace_uses(vector, whole);
    }
    ir.erase(op);
    Ok(())
}
