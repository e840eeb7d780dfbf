//! Lower exchange between lanes: a reduction over a cluster of lanes becomes a butterfly of shuffles.
//!
//! Shuffles move 32 bits. Narrower values ride in the low bits, wider ones go in two halves.

use raddle_ir::{Diag, OpId, Opcode, Scalar, Type, ValueId};

use super::Cx;

impl Cx<'_> {
    pub(super) fn shuffle(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::Shuffle => {
                let operands = self.ir.operands(op).to_vec();
                let value = self.list(operands[0]);
                let (offset, width) = (self.scalar(operands[1]), self.scalar(operands[2]));
                let attrs = self.ir.attr_dict(op);
                let mut valid = None;
                let mut moved = Vec::with_capacity(value.len());
                for element in value {
                    let (element, ok) = self.exchange(op, element, offset, width, attrs)?;
                    valid = valid.or(Some(ok));
                    moved.push(element);
                }
                self.set_elements(self.ir.result(op, 0), &moved);
                if let Some(valid) = valid {
                    self.set_elements(self.ir.result(op, 1), &[valid]);
                }
                Ok(())
            }
            Opcode::SubgroupReduce => self.subgroup_reduce(op),
            _ => Err(self.refuse(op)),
        }
    }

    /// After the round with offset s·2^k every lane has combined 2^(k+1) values; all lanes of a cluster end with the
    /// same one, because each step combines both partners' values and the combining operation commutes.
    fn subgroup_reduce(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let opcode = self.combiner_of(op, "op", self.ir.elem_of(result))?;
        let number = |name: &str| self.ir.attr(op, name).and_then(|attr| attr.as_i64());
        let size = number("cluster_size").unwrap_or(self.shape.subgroup_size);
        let stride = number("cluster_stride").unwrap_or(1);
        let fits = size.checked_mul(stride).is_some_and(|span| span <= self.shape.subgroup_size);
        if size < 1 || stride < 1 || size.count_ones() != 1 || stride.count_ones() != 1 || !fits {
            return Err(self
                .refuse(op)
                .label(format!("{size} lanes at distance {stride} in subgroups of {}", self.shape.subgroup_size))
                .help("size and stride are powers of two, and the cluster fits the subgroup"));
        }
        let word = self.ir.int_type(32);
        let width = self.int(self.shape.subgroup_size, word);
        let mode = raddle_ir::keyword_attr(self.ir, "gpu.shuffle_mode", "xor");
        let attrs = self.ir.dict(&[("mode", mode)]);
        let mut elements = self.list(source);
        let mut distance = stride;
        while distance < size * stride {
            let offset = self.int(distance, word);
            for element in &mut elements {
                let (other, _) = self.exchange(op, *element, offset, width, attrs)?;
                *element = self.binary(opcode, *element, other);
            }
            distance *= 2;
        }
        self.set_elements(result, &elements);
        Ok(())
    }

    /// Shuffles one scalar of any width up to 64 bits; the second value says whether the other lane exists.
    fn exchange(
        &mut self,
        op: OpId,
        value: ValueId,
        offset: ValueId,
        width: ValueId,
        attrs: raddle_ir::AttrId,
    ) -> Result<(ValueId, ValueId), Diag> {
        let (ty, none) = (self.ir.type_of(value), self.no_attrs);
        let word = self.ir.int_type(32);
        let scalar = Scalar::of(&self.ir[ty]);
        let (value_bits, is_float) = match scalar {
            Some(Scalar::Index) => (32, false),
            Some(Scalar::Int(bits)) => (bits, false),
            Some(Scalar::Float(float)) => (float.bits(), true),
            None => return Err(self.refuse(op)),
        };
        if value_bits == 32 && scalar != Some(Scalar::Index) {
            return Ok(self.exchange_word(value, offset, width, attrs));
        }
        if value_bits > 64 {
            return Err(self.refuse(op).label(format!("a value of {value_bits} bits")));
        }
        if scalar == Some(Scalar::Index) {
            // An index of a kernel fits 32 bits: it counts elements of memrefs that are smaller than that.
            let narrow = self.value(Opcode::IndexCast, &[value], word, none);
            let (moved, valid) = self.exchange_word(narrow, offset, width, attrs);
            return Ok((self.value(Opcode::IndexCast, &[moved], ty, none), valid));
        }
        let bits_type = self.ir.int_type(value_bits);
        let bits = if is_float { self.value(Opcode::Bitcast, &[value], bits_type, none) } else { value };
        let (moved, valid) = if value_bits < 32 {
            let wide = self.value(Opcode::ExtUI, &[bits], word, none);
            let (moved, valid) = self.exchange_word(wide, offset, width, attrs);
            (self.value(Opcode::TruncI, &[moved], bits_type, none), valid)
        } else {
            let long = self.ir.int_type(64);
            let bits = if value_bits == 64 { bits } else { self.value(Opcode::ExtUI, &[bits], long, none) };
            let shift = self.int(32, long);
            let high = self.binary(Opcode::ShRUI, bits, shift);
            let halves = [bits, high].map(|half| {
                let half = self.value(Opcode::TruncI, &[half], word, none);
                let (half, valid) = self.exchange_word(half, offset, width, attrs);
                (self.value(Opcode::ExtUI, &[half], long, none), valid)
            });
            let high = self.binary(Opcode::ShLI, halves[1].0, shift);
            let joined = self.binary(Opcode::OrI, halves[0].0, high);
            let moved = if value_bits == 64 { joined } else { self.value(Opcode::TruncI, &[joined], bits_type, none) };
            (moved, halves[0].1)
        };
        let moved = if is_float { self.value(Opcode::Bitcast, &[moved], ty, none) } else { moved };
        Ok((moved, valid))
    }

    fn exchange_word(
        &mut self,
        value: ValueId,
        offset: ValueId,
        width: ValueId,
        attrs: raddle_ir::AttrId,
    ) -> (ValueId, ValueId) {
        let (ty, bit) = (self.ir.type_of(value), self.ir.int_type(1));
        debug_assert!(matches!(self.ir[ty], Type::Integer { width: 32, .. } | Type::Float(_)), "shuffles move 32 bits");
        let op = self.emit(Opcode::Shuffle, &[value, offset, width], &[ty, bit], attrs);
        (self.ir.result(op, 0), self.ir.result(op, 1))
    }
}
