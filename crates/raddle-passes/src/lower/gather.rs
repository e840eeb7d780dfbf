//! Lower gathers and scatters: each vector of indices becomes the places that its elements name.
//!
//! Elements for which all indices are the same lie at one origin, and are moved as a tile; there is one tile for each
//! position along the dimensions that vectors of indices have.

use std::collections::BTreeMap;

use raddle_ir::views::Indexed;
use raddle_ir::{Diag, Expr, OpId, Opcode, ValueId};

use super::Cx;
use super::linear::Linear;
use super::tile::{Guard, Tile};
use super::vector::walk;
use crate::code::extents::row_major;

/// A tile and the slots of the vector that its elements are.
type Piece = (Tile, Vec<usize>);

impl Cx<'_> {
    /// `vector.gather`, `transfer_gather`
    pub(super) fn read_indexed(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let n = self.n_elements(result);
        let (pieces, others) = match self.ir.opcode(op) {
            Opcode::IreeVectorExtTransferGather => {
                let view = Indexed::of(self.ir, op);
                let shape = self.ir.shape_of(result).to_vec();
                let pieces = self.pieces(op, &view, &shape)?;
                let padding = view.padding.map(|padding| self.scalar(padding));
                (pieces, padding.map(|padding| vec![padding; n]))
            }
            _ => {
                let operands = self.ir.operands(op).to_vec();
                let [.., indices, mask, other] = operands[..] else { return Err(self.refuse(op)) };
                let pieces = self.element_pieces(op, operands[0], &operands[1..operands.len() - 3], indices, mask)?;
                (pieces, Some(self.list(other)))
            }
        };
        let mut elements = vec![None; n];
        for (tile, slots) in pieces {
            // What stands for elements that are not read is one value for the whole tile.
            let other = others.as_ref().map(|others| others[slots[0]]);
            for (&slot, element) in slots.iter().zip(self.read_tile(&tile, other)) {
                elements[slot] = Some(element);
            }
        }
        let elements: Vec<ValueId> = elements.into_iter().map(|element| element.expect("pieces cover all")).collect();
        self.set_elements(result, &elements);
        Ok(())
    }

    /// `vector.scatter`, `transfer_scatter`
    pub(super) fn write_indexed(&mut self, op: OpId) -> Result<(), Diag> {
        let (pieces, value) = match self.ir.opcode(op) {
            Opcode::IreeVectorExtTransferScatter => {
                let view = Indexed::of(self.ir, op);
                let Some(value) = view.vector else { return Err(self.refuse(op)) };
                let shape = self.ir.shape_of(value).to_vec();
                (self.pieces(op, &view, &shape)?, value)
            }
            _ => {
                let operands = self.ir.operands(op).to_vec();
                let [.., indices, mask, value] = operands[..] else { return Err(self.refuse(op)) };
                let base = &operands[1..operands.len() - 3];
                (self.element_pieces(op, operands[0], base, indices, mask)?, value)
            }
        };
        let elements = self.list(value);
        for (tile, slots) in pieces {
            let values: Vec<ValueId> = slots.iter().map(|&slot| elements[slot]).collect();
            self.write_tile(&tile, &values);
        }
        Ok(())
    }

    /// The guard of a mask bit.
    fn bit(&self, bit: ValueId) -> Guard {
        match self.truth(bit) {
            Some(true) => Guard::default(),
            Some(false) => Guard { never: true, ..Guard::default() },
            None => Guard { mask: Some(bit), ..Guard::default() },
        }
    }

    /// An index of any integer type.
    fn number(&mut self, value: ValueId) -> Linear {
        let value = if self.ir.type_of(value) == self.index {
            value
        } else {
            self.value(Opcode::ArithIndexCast, &[value], self.index, self.no_attrs)
        };
        self.form_of_new(value)
    }

    /// One piece for each element, in their order: indices count along the last dimension of the base.
    fn element_pieces(
        &mut self,
        op: OpId,
        base: ValueId,
        offsets: &[ValueId],
        indices: ValueId,
        mask: ValueId,
    ) -> Result<Vec<Piece>, Diag> {
        let Some(view) = self.view(base) else { return Err(self.refuse(op).label("its base is a tensor")) };
        let offsets: Vec<Linear> = offsets.iter().map(|&offset| self.form(offset)).collect();
        let (indices, bits) = (self.list(indices), self.list(mask));
        let mut pieces = Vec::with_capacity(indices.len());
        for (slot, (index, bit)) in indices.into_iter().zip(bits).enumerate() {
            let mut place = offsets.clone();
            let index = self.number(index);
            if let Some(last) = place.last_mut() {
                *last = self.add_scaled(*last, index, 1);
            }
            let origin = self.place(&view, &place);
            let guard = self.bit(bit);
            let here = vec![(self.forms.constant(0), 0)];
            let checks = self.checks(&view, &place, &vec![1; place.len()]);
            pieces.push((Tile { checks, ..self.tile(&view, origin, here, vec![guard]) }, vec![slot]));
        }
        Ok(pieces)
    }

    /// The pieces of a `transfer_gather` or `transfer_scatter`.
    fn pieces(&mut self, op: OpId, view: &Indexed, shape: &[i64]) -> Result<Vec<Piece>, Diag> {
        let Some(base) = self.view(view.base) else { return Err(self.refuse(op).label("its base is a tensor")) };
        let offsets: Vec<Linear> = view.offsets.iter().map(|&offset| self.form(offset)).collect();
        // For each vector of indices its elements, and the number of the one at each slot.
        let mut vectors = Vec::new();
        for (i, &value) in view.index_vecs.iter().enumerate() {
            let numbers = self.numbers(shape, &view.dims(i), value);
            vectors.push((self.list(value), numbers));
        }
        let bits = view.mask.map(|mask| {
            let numbers = self.numbers(shape, &view.dims(view.index_vecs.len()), mask);
            (self.list(mask), numbers)
        });
        let names: Vec<usize> = (0..view.index_vecs.len()).flat_map(|i| view.dims(i)).collect();
        // What each coordinate adds to the place, and to the number of the piece.
        let exprs = &view.maps[0].results;
        let mut strides = vec![self.forms.constant(0); shape.len()];
        for (expr, &stride) in exprs.iter().zip(&base.strides) {
            if let Expr::Dim(d) = expr {
                strides[*d as usize] = self.add_scaled(strides[*d as usize], stride, 1);
            }
        }
        let keep = |d: usize| names.contains(&d);
        let numbering = row_major(shape);
        let numbering: Vec<i64> = (0..shape.len()).map(|d| if keep(d) { numbering[d] } else { 0 }).collect();
        let (places, numbers) = (self.spread(shape, &strides), walk(shape, 0, &numbering));
        let mut groups: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (slot, number) in numbers.into_iter().enumerate() {
            groups.entry(number).or_default().push(slot);
        }
        let mut pieces = Vec::with_capacity(groups.len());
        for slots in groups.into_values() {
            let first = slots[0];
            let mut indices = offsets.clone();
            for (expr, index) in exprs.iter().zip(&mut indices) {
                if let Expr::Sym(k) = expr {
                    let (elements, numbers) = &vectors[*k as usize];
                    let element = self.number(elements[numbers[first] as usize]);
                    *index = self.add_scaled(*index, element, 1);
                }
            }
            let origin = self.place(&base, &indices);
            let guards = match &bits {
                None => Vec::new(),
                Some((bits, numbers)) => slots.iter().map(|&slot| self.bit(bits[numbers[slot] as usize])).collect(),
            };
            // A mask says which elements take part, and not where they end.
            let counts: Vec<i64> = exprs
                .iter()
                .map(|expr| match expr {
                    Expr::Dim(d) if bits.is_none() && !keep(*d as usize) => shape[*d as usize],
                    _ => 1,
                })
                .collect();
            let checks = self.checks(&base, &indices, &counts);
            let offsets = slots.iter().map(|&slot| places[slot]).collect();
            pieces.push((Tile { checks, ..self.tile(&base, origin, offsets, guards) }, slots));
        }
        Ok(pieces)
    }

    /// For each slot of a vector the number of the element of another one that lies along some of its dimensions.
    fn numbers(&self, shape: &[i64], dims: &[usize], value: ValueId) -> Vec<i64> {
        let own = row_major(self.ir.shape_of(value));
        let mut strides = vec![0; shape.len()];
        for (&d, &stride) in dims.iter().zip(&own) {
            strides[d] += stride;
        }
        walk(shape, 0, &strides)
    }
}
