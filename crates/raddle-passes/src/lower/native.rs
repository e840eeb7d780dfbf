//! Lower native vectors: on a CPU a vector of one dimension is one register, and stands for itself.
//!
//! Before: `%v = vector.transfer_read %m[%i, %j], %pad : memref<40x40xf32>, vector<16xf32>`
//! After:  `%v = vector.maskedload %m[%at], %inside, %pads : memref<1600xf32>, …`
//!
//! Programs come here from unrolling, so that vectors have one dimension and fit. Arithmetic is copied as it is; what
//! no vector instruction computes goes element by element, and so do accesses whose elements are not neighbours.

use raddle_ir::views::{Mixed, Transfer, position};
use raddle_ir::{Attr, AttrId, Builder, Class, Diag, Expr, Ir, OpId, Opcode, Scalar, TypeId, ValueId};
use raddle_target::has_vector_form;

use super::Cx;
use super::linear::Linear;
use super::memory::View;
use crate::code::WHOLE_LINES;
use crate::lower::expand_math;

/// `slt` as `arith.cmpi` numbers it.
const LESS: i64 = 2;

/// Where the neighbours of one access lie, and which of them take part.
struct Run {
    base: ValueId,
    at: ValueId,
    /// `None` where all do.
    mask: Option<ValueId>,
}

impl Cx<'_> {
    /// Whether a value is a vector that stands for itself.
    pub(super) fn is_native(&self, value: ValueId) -> bool {
        self.native && self.ir.ty(value).is_vector()
    }

    /// The type of what stands for a value: of each of its elements, or its own.
    pub(super) fn part_type(&self, value: ValueId) -> TypeId {
        if self.is_native(value) { self.ir.type_of(value) } else { self.ir.elem_of(value) }
    }

    fn set_native(&mut self, value: ValueId, new: ValueId) {
        self.set_elements(value, &[new]);
    }

    /// The elements of a vector as scalars; a scalar is its own.
    pub(super) fn apart(&mut self, value: ValueId) -> Vec<ValueId> {
        let part = self.scalar(value);
        if self.ir.ty(part).is_vector() { self.unpack(part) } else { vec![part] }
    }

    /// A vector of these elements, or the only one.
    fn together(&mut self, value: ValueId, elements: &[ValueId]) {
        let ty = self.ir.type_of(value);
        let new = self.value(Opcode::VectorFromElements, elements, ty, self.no_attrs);
        self.set_native(value, new);
    }

    fn splat(&mut self, scalar: ValueId, ty: TypeId) -> ValueId {
        self.value(Opcode::VectorBroadcast, &[scalar], ty, self.no_attrs)
    }

    /// Writes an operation on native vectors; `false` for one that has none.
    pub(super) fn native_op(&mut self, op: OpId) -> Result<bool, Diag> {
        let values = self.ir.operands(op).iter().copied().chain(self.ir.results(op)).collect::<Vec<_>>();
        if !values.iter().any(|&value| self.is_native(value)) {
            return Ok(false);
        }
        if values.iter().any(|&value| self.is_native(value) && self.ir.shape_of(value).len() != 1) {
            return Err(self.refuse(op).label("a vector of another rank than 1: unroll it first"));
        }
        match self.ir.opcode(op) {
            Opcode::ArithConstant | Opcode::UbPoison => self.native_constant(op)?,
            Opcode::VectorBroadcast => {
                let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
                let (part, ty) = (self.scalar(source), self.ir.type_of(result));
                let new = if self.ir.type_of(part) == ty { part } else { self.splat(part, ty) };
                self.set_native(result, new);
            }
            Opcode::VectorExtract => {
                let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
                let [Mixed::Static(at)] = position(self.ir, op)[..] else {
                    return Err(self.refuse(op).label("at a position that is not constant"));
                };
                let elements = self.apart(source);
                self.set_elements(result, &elements[at as usize..=at as usize]);
            }
            Opcode::VectorToElements => {
                let elements = self.apart(self.ir.operand(op, 0));
                for (result, element) in self.ir.results(op).collect::<Vec<_>>().into_iter().zip(elements) {
                    self.set_elements(result, &[element]);
                }
            }
            Opcode::VectorFromElements => {
                let operands = self.ir.operands(op).to_vec();
                let elements: Vec<ValueId> = operands.into_iter().map(|operand| self.scalar(operand)).collect();
                self.together(self.ir.result(op, 0), &elements);
            }
            Opcode::VectorReduction | Opcode::VectorShuffle | Opcode::VectorBitcast => {
                let operands: Vec<ValueId> =
                    self.ir.operands(op).to_vec().into_iter().map(|operand| self.scalar(operand)).collect();
                let result = self.ir.result(op, 0);
                let new = self.copy(op, &operands, &[self.ir.type_of(result)]);
                let new = self.ir.result(new, 0);
                self.set_elements(result, &[new]);
            }
            Opcode::VectorTransferRead => self.native_read(op)?,
            Opcode::VectorTransferWrite => self.native_write(op)?,
            _ if self.ir.class(op) == Class::Elementwise => self.native_elementwise(op)?,
            Opcode::ArithAdduiExtended | Opcode::ArithMuluiExtended | Opcode::ArithMulsiExtended => {
                self.element_by_element(op);
            }
            Opcode::VectorLoad => self.native_read(op)?,
            Opcode::VectorStore => self.native_write(op)?,
            _ if !self.ir.regions(op).is_empty() || self.ir.results(op).len() == 0 => return Ok(false),
            _ => return Err(self.refuse(op).label("there is no rule for it on the vectors of a CPU")),
        }
        Ok(true)
    }

    fn native_constant(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let (ty, elem) = (self.ir.type_of(result), self.ir.elem_of(result));
        let new = match self.ir.attr(op, "value").cloned() {
            Some(attr @ Attr::Dense { .. }) => self.constant(attr, ty),
            // Any value will do.
            None if self.ir.opcode(op) == Opcode::UbPoison => {
                let bytes = vec![0; Scalar::of(&self.ir[elem]).map_or(0, Scalar::bytes)];
                self.constant(Attr::Dense { ty, splat: true, bytes }, ty)
            }
            _ => return Err(self.refuse(op)),
        };
        self.set_native(result, new);
        Ok(())
    }

    fn native_elementwise(&mut self, op: OpId) -> Result<(), Diag> {
        if !has_vector_form(self.ir, op) && !expand_math::has_vector_rule(self.ir, op) {
            self.element_by_element(op);
            return Ok(());
        }
        let operands: Vec<ValueId> =
            self.ir.operands(op).to_vec().into_iter().map(|operand| self.scalar(operand)).collect();
        let results: Vec<ValueId> = self.ir.results(op).collect();
        let types: Vec<TypeId> = results.iter().map(|&result| self.ir.type_of(result)).collect();
        let new = self.copy(op, &operands, &types);
        for (result, new) in results.into_iter().zip(self.ir.results(new).collect::<Vec<_>>()) {
            self.set_elements(result, &[new]);
        }
        Ok(())
    }

    /// The same operation on each element alone.
    fn element_by_element(&mut self, op: OpId) {
        let operands = self.ir.operands(op).to_vec();
        let lists: Vec<Vec<ValueId>> = operands.into_iter().map(|operand| self.apart(operand)).collect();
        let results: Vec<ValueId> = self.ir.results(op).collect();
        let types: Vec<TypeId> = results.iter().map(|&result| self.ir.elem_of(result)).collect();
        let n = lists.iter().map(Vec::len).max().unwrap_or(0);
        let mut columns = vec![Vec::new(); results.len()];
        let attrs = self.ir.attr_dict(op);
        let opcode = if self.ir.opcode(op) == Opcode::VectorFma { Opcode::MathFma } else { self.ir.opcode(op) };
        for k in 0..n {
            let at: Vec<ValueId> = lists.iter().map(|list| list[if list.len() == 1 { 0 } else { k }]).collect();
            let new = self.emit(opcode, &at, &types, attrs);
            for (column, value) in columns.iter_mut().zip(self.ir.results(new).collect::<Vec<_>>()) {
                column.push(value);
            }
        }
        for (result, column) in results.into_iter().zip(columns) {
            self.together(result, &column);
        }
    }

    // ---- memory

    fn native_read(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let ty = self.ir.type_of(result);
        let Some(run) = self.run_of(op, ty)? else {
            if let Some(every_other) = self.every_other(op, ty) {
                self.set_native(result, every_other);
                return Ok(());
            }
            // The tile of its elements, each on its own.
            let elements = self.read_elements(op)?;
            self.together(result, &elements);
            return Ok(());
        };
        let new = match run.mask {
            None => self.value(Opcode::VectorLoad, &[run.base, run.at], ty, self.no_attrs),
            Some(mask) => {
                let padding = Transfer::of(self.ir, op).padding.expect("a read has a padding");
                let padding = self.scalar(padding);
                let padding = if self.ir.type_of(padding) == ty { padding } else { self.splat(padding, ty) };
                self.value(Opcode::VectorMaskedload, &[run.base, run.at, mask, padding], ty, self.no_attrs)
            }
        };
        self.set_native(result, new);
        Ok(())
    }

    fn native_write(&mut self, op: OpId) -> Result<(), Diag> {
        let is_transfer = self.ir.opcode(op) == Opcode::VectorTransferWrite;
        let value = if is_transfer { Transfer::of(self.ir, op).vector } else { Some(self.ir.operand(op, 0)) };
        let value = value.ok_or_else(|| self.refuse(op))?;
        let ty = self.ir.type_of(value);
        let Some(run) = self.run_of(op, ty)? else {
            let elements = self.apart(value);
            return self.write_elements(op, &elements);
        };
        let vector = self.scalar(value);
        let attrs = match self.ir.attr_id(op, WHOLE_LINES) {
            Some(lines) => self.ir.dict(&[(WHOLE_LINES, lines)]),
            None => self.no_attrs,
        };
        match run.mask {
            None => self.emit(Opcode::VectorStore, &[vector, run.base, run.at], &[], attrs),
            Some(mask) => self.emit(Opcode::VectorMaskedstore, &[run.base, run.at, mask, vector], &[], self.no_attrs),
        };
        Ok(())
    }

    /// The neighbours that an access of rank 1 moves; `None` where its elements are none, or are not moved whole.
    fn run_of(&mut self, op: OpId, ty: TypeId) -> Result<Option<Run>, Diag> {
        let plain = matches!(self.ir.opcode(op), Opcode::VectorLoad | Opcode::VectorStore);
        let n = self.ir[ty].shape().and_then(|shape| shape.first().copied()).unwrap_or(1);
        let (base, indices, dim, in_bounds, mask, transfer) = if plain {
            let operands = self.ir.operands(op).to_vec();
            let skipped = usize::from(self.ir.opcode(op) == Opcode::VectorStore);
            let rest = operands[skipped + 1..].to_vec();
            (operands[skipped], rest.clone(), rest.len().checked_sub(1), true, None, None)
        } else {
            let view = Transfer::of(self.ir, op);
            let dim = match view.map.results[..] {
                [Expr::Dim(dim)] => Some(dim as usize),
                _ => None,
            };
            let in_bounds = view.in_bounds.first() == Some(&true);
            (view.base, view.indices.to_vec(), dim, in_bounds, view.mask, Some(view))
        };
        let (Some(view), Some(dim)) = (self.view(base), dim) else { return Ok(None) };
        if !self.is_moved_whole(view.elem) || self.forms.as_constant(view.strides[dim]) != Some(1) {
            return Ok(None);
        }
        let indices: Vec<Linear> = indices.iter().map(|&index| self.form(index)).collect();
        let mask = mask.map(|mask| self.scalar(mask));
        let Some(mask) = self.inside_too(mask, in_bounds, &view, &indices, dim, n) else { return Ok(None) };
        let checks = match transfer {
            Some(transfer) => self.transfer_checks(&transfer, &view, &indices, &[Some(dim)], &[n]),
            None => {
                let mut counts = vec![1; indices.len()];
                counts[dim] = n;
                self.checks(&view, &indices, &counts)
            }
        };
        self.check_unless_masked(&checks, mask);
        let place = self.place(&view, &indices);
        let at = self.compute(place);
        Ok(Some(Run { base: view.base, at, mask }))
    }

    /// The mask of an access with that of the elements in front of the end, unless all surely are; `None` where what is
    /// inside cannot be said.
    fn inside_too(
        &mut self,
        mask: Option<ValueId>,
        in_bounds: bool,
        view: &View,
        indices: &[Linear],
        dim: usize,
        n: i64,
    ) -> Option<Option<ValueId>> {
        if in_bounds || self.is_inside(view, indices, dim, n) {
            return Some(mask);
        }
        if !self.forms.is_natural(indices[dim]) {
            return None;
        }
        let left = self.add_scaled(view.shape[dim], indices[dim], -1);
        let left = self.compute(left);
        let wide = self.ir.vector_type(&[n], self.index);
        let flags = self.flags(n);
        let bound = self.splat(left, wide);
        let counts = self.counts(n, wide);
        let predicate = self.ir.i64_attr(LESS);
        let attrs: AttrId = self.ir.dict(&[("predicate", predicate)]);
        let inside = self.value(Opcode::ArithCmpi, &[counts, bound], flags, attrs);
        Some(Some(mask.map_or(inside, |mask| self.binary(Opcode::ArithAndi, mask, inside))))
    }

    /// The type of a mask.
    fn flags(&mut self, n: i64) -> TypeId {
        let bit = self.ir.int_type(1);
        self.ir.vector_type(&[n], bit)
    }

    /// Whether vectors of elements of a type are moved at once: an integer of fewer bits than a byte is one byte in memory.
    fn is_moved_whole(&self, elem: TypeId) -> bool {
        match Scalar::of(&self.ir[elem]) {
            Some(Scalar::Index) | None => false,
            Some(Scalar::Int(1..8)) => true,
            Some(scalar) => matches!(scalar.bits(), 8 | 16 | 32 | 64) && scalar.bits() as usize == scalar.bytes() * 8,
        }
    }

    /// Every other element of a row: two vectors side by side, which end with the last one.
    fn every_other(&mut self, op: OpId, ty: TypeId) -> Option<ValueId> {
        let n = *self.ir[ty].shape()?.first()?;
        if self.ir.opcode(op) != Opcode::VectorTransferRead || n < 4 || n % 2 != 0 {
            return None;
        }
        let transfer = Transfer::of(self.ir, op);
        let &[Expr::Dim(dim)] = &transfer.map.results[..] else { return None };
        let (dim, in_bounds) = (dim as usize, transfer.in_bounds.first() == Some(&true));
        let (view, indices) = (self.view(transfer.base)?, transfer.indices.to_vec());
        if !self.is_moved_whole(view.elem) || self.forms.as_constant(view.strides[dim]) != Some(2) {
            return None;
        }
        let indices: Vec<Linear> = indices.iter().map(|&index| self.form(index)).collect();
        let mask = transfer.mask.map(|mask| self.scalar(mask));
        let mask = self.inside_too(mask, in_bounds, &view, &indices, dim, n)?;
        let checks = self.transfer_checks(&transfer, &view, &indices, &[Some(dim)], &[n]);
        self.check_unless_masked(&checks, mask);
        let first = self.place(&view, &indices);
        let second = self.forms.add_constant(first, n - 1);
        let padding = self.scalar(transfer.padding?);
        // The first vector has its elements in even places, the second one in odd places.
        let vectors = [(first, 0, 0), (second, 1, n - 1)].map(|(place, odd, skipped)| {
            let at = self.compute(place);
            let Some(mask) = mask else { return self.value(Opcode::VectorLoad, &[view.base, at], ty, self.no_attrs) };
            let lanes: Vec<i64> = (0..n).map(|j| if j % 2 == odd { (j + skipped) / 2 } else { n }).collect();
            let lanes = self.ir.dense_i64(&lanes);
            let (attrs, flags) = (self.ir.dict(&[("mask", lanes)]), self.flags(n));
            let none = self.constant(Attr::Dense { ty: flags, splat: true, bytes: vec![0] }, flags);
            let mask = self.value(Opcode::VectorShuffle, &[mask, none], flags, attrs);
            let padding = if self.ir.type_of(padding) == ty { padding } else { self.splat(padding, ty) };
            self.value(Opcode::VectorMaskedload, &[view.base, at, mask, padding], ty, self.no_attrs)
        });
        let lanes: Vec<i64> = (0..n).map(|i| if 2 * i < n { 2 * i } else { 2 * i + 1 }).collect();
        let mask = self.ir.dense_i64(&lanes);
        let attrs: AttrId = self.ir.dict(&[("mask", mask)]);
        Some(self.value(Opcode::VectorShuffle, &vectors, ty, attrs))
    }

    /// Whether all elements of a run are surely inside.
    fn is_inside(&mut self, view: &View, indices: &[Linear], dim: usize, n: i64) -> bool {
        let last = self.forms.add_constant(indices[dim], n - 1);
        self.forms.is_natural(indices[dim]) && self.less(last, view.shape[dim]) == Some(true)
    }

    /// 0, 1, 2, …
    fn counts(&mut self, n: i64, ty: TypeId) -> ValueId {
        let index = self.index;
        let elems: Vec<Attr> = (0..n).map(|i| Attr::Int { value: i.into(), ty: index }).collect();
        let bytes = elems.iter().flat_map(|attr| self.ir.elem_bytes(attr)).collect();
        self.constant(Attr::Dense { ty, splat: n == 1, bytes }, ty)
    }
}

/// Loads whose elements are taken one by one become loads of single elements, which instructions repeat for free.
pub(super) fn single_loads(ir: &mut Ir, func: OpId) {
    for load in ir.walk(func) {
        if ir.opcode(load) != Opcode::VectorLoad {
            continue;
        }
        let vector = ir.result(load, 0);
        let users: Vec<OpId> = ir.uses(vector).map(|(user, _)| user).collect();
        if users.is_empty() || users.iter().any(|&user| ir.opcode(user) != Opcode::VectorToElements) {
            continue;
        }
        let (base, index, elem) = (ir.operand(load, 0), ir.operand(load, 1), ir.elem_of(vector));
        for user in users {
            for (at, old) in ir.results(user).collect::<Vec<_>>().into_iter().enumerate() {
                if ir.is_unused(old) {
                    continue;
                }
                let mut builder = Builder::before(ir, load);
                let place = match at {
                    0 => index,
                    _ => {
                        let step = builder.index(at as i64);
                        builder.binary(Opcode::ArithAddi, index, step)
                    }
                };
                let element = builder.value(Opcode::MemrefLoad, &[base, place], elem, &[]);
                ir.replace_uses(old, element);
            }
            ir.erase(user);
        }
        ir.erase(load);
    }
}

/// Loads of vectors move down to the first shuffle that takes them, so that registers hold no more of them than shuffles
/// under way need; not past what may write.
pub(super) fn sink_loads(ir: &mut Ir, func: OpId) {
    let loads = ir.walk(func).into_iter().rev().filter(|&op| ir.opcode(op) == Opcode::VectorLoad).collect::<Vec<_>>();
    for load in loads {
        let users: Vec<OpId> = ir.uses(ir.result(load, 0)).map(|(user, _)| user).collect();
        let block = ir.parent_block(load);
        let stay = |&user: &OpId| ir.opcode(user) != Opcode::VectorShuffle || ir.parent_block(user) != block;
        if users.is_empty() || users.iter().any(stay) {
            continue;
        }
        let mut next = ir.next_op(load);
        let is_quiet = |op: OpId| {
            matches!(ir.class(op), Class::Read) && ir.regions(op).is_empty()
                || ir.opcode(op) == Opcode::MemrefPrefetch
                || ir.opcode(op).info().is_pure() && ir.regions(op).is_empty()
        };
        while let Some(op) = next.filter(|op| !users.contains(op) && is_quiet(*op)) {
            next = ir.next_op(op);
        }
        if let Some(op) = next {
            ir.detach(load);
            ir.insert_before(op, load);
        }
    }
}
