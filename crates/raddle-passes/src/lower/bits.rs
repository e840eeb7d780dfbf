//! Lower bitcasts and interleavings: the bits of neighbouring elements under other names.

use raddle_ir::{Diag, OpId, Opcode, Scalar, TypeId, ValueId};

use super::Cx;

impl Cx<'_> {
    /// `vector.bitcast`: the lower element has the lower bits.
    pub(super) fn vector_bitcast(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let (from, to) = (self.ir.elem_of(source), self.ir.elem_of(result));
        let bits = |ty: TypeId| match Scalar::of(&self.ir[ty]) {
            Some(Scalar::Index) | None => None,
            Some(scalar) => Some(scalar.bits()),
        };
        let (Some(have), Some(want)) = (bits(from), bits(to)) else {
            return Err(self.refuse(op).label("its elements have no fixed width"));
        };
        let (narrow, wide) = (self.ir.int_type(have.min(want)), self.ir.int_type(have.max(want)));
        let elements = self.list(source);
        let n = (have.max(want) / have.min(want)) as usize;
        let mut new = Vec::new();
        if want > have {
            for group in elements.chunks(n) {
                let mut word = None;
                for (i, &element) in group.iter().enumerate() {
                    let part = self.reread(element, narrow);
                    let part = self.value(Opcode::ArithExtui, &[part], wide, self.no_attrs);
                    let part = self.shifted(part, Opcode::ArithShli, i as u32 * have, wide);
                    word = Some(match word {
                        None => part,
                        Some(word) => self.binary(Opcode::ArithOri, word, part),
                    });
                }
                let word = word.expect("a group has an element");
                new.push(self.reread(word, to));
            }
        } else {
            for element in elements {
                let word = self.reread(element, wide);
                for i in 0..n {
                    let part = self.shifted(word, Opcode::ArithShrui, i as u32 * want, wide);
                    let part =
                        if n == 1 { part } else { self.value(Opcode::ArithTrunci, &[part], narrow, self.no_attrs) };
                    new.push(self.reread(part, to));
                }
            }
        }
        self.set_elements(result, &new);
        Ok(())
    }

    /// A scalar's bits as another type of the same width.
    fn reread(&mut self, value: ValueId, ty: TypeId) -> ValueId {
        if self.ir.type_of(value) == ty { value } else { self.value(Opcode::ArithBitcast, &[value], ty, self.no_attrs) }
    }

    fn shifted(&mut self, value: ValueId, opcode: Opcode, by: u32, ty: TypeId) -> ValueId {
        if by == 0 {
            return value;
        }
        let by = self.int(by.into(), ty);
        self.binary(opcode, value, by)
    }

    /// `vector.interleave` and `vector.deinterleave`: elements of two vectors in turn.
    pub(super) fn interleave(&mut self, op: OpId) -> Result<(), Diag> {
        if self.ir.opcode(op) == Opcode::VectorInterleave {
            let (lhs, rhs) = (self.list(self.ir.operand(op, 0)), self.list(self.ir.operand(op, 1)));
            let elements: Vec<ValueId> = lhs.into_iter().zip(rhs).flat_map(|(a, b)| [a, b]).collect();
            self.set_elements(self.ir.result(op, 0), &elements);
            return Ok(());
        }
        let elements = self.list(self.ir.operand(op, 0));
        for i in 0..2 {
            let every: Vec<ValueId> = elements.iter().copied().skip(i).step_by(2).collect();
            self.set_elements(self.ir.result(op, i), &every);
        }
        Ok(())
    }
}
