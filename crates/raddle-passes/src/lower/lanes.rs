//! Lower exchange between lanes: a reduction over a cluster of lanes becomes a butterfly of shuffles.

use raddle_ir::{AttrId, Diag, OpId, Opcode, ValueId};

use super::Cx;

impl Cx<'_> {
    pub(super) fn shuffle(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::GpuShuffle => {
                let operands = self.ir.operands(op).to_vec();
                let value = self.list(operands[0]);
                let (offset, width) = (self.scalar(operands[1]), self.scalar(operands[2]));
                let attrs = self.ir.attr_dict(op);
                // What fills a word moves as one.
                let moved: Vec<[ValueId; 2]> = if self.is_word(operands[0]) {
                    let word = self.pack(operands[0]);
                    let [word, valid] = self.exchange(word, offset, width, attrs);
                    self.unpack(word).into_iter().map(|element| [element, valid]).collect()
                } else {
                    value.into_iter().map(|element| self.exchange(element, offset, width, attrs)).collect()
                };
                let elements: Vec<ValueId> = moved.iter().map(|pair| pair[0]).collect();
                self.set_elements(self.ir.result(op, 0), &elements);
                // Whether the other lane exists is the same for all elements.
                self.set_elements(self.ir.result(op, 1), &[moved[0][1]]);
                Ok(())
            }
            Opcode::GpuSubgroupReduce => self.subgroup_reduce(op),
            Opcode::IreeGpuSubgroupScan => self.subgroup_scan(op),
            Opcode::GpuBallot => {
                let bit = self.scalar(self.ir.operand(op, 0));
                let result = self.ir.result(op, 0);
                let new = self.copy(op, &[bit], &[self.ir.type_of(result)]);
                self.set_elements(result, &[self.ir.result(new, 0)]);
                Ok(())
            }
            _ => Err(self.refuse(op)),
        }
    }

    /// After the round with offset s·2^k every lane has combined 2^(k+1) values. All lanes of a cluster end with the same
    /// one, because both partners of a round combine the same two values and the combining operation commutes.
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
                let [other, _] = self.exchange(*element, offset, width, attrs);
                *element = self.binary(opcode, *element, other);
            }
            distance *= 2;
        }
        self.set_elements(result, &elements);
        Ok(())
    }

    /// Shuffles one scalar; the second value says whether the other lane exists.
    pub(super) fn exchange(&mut self, value: ValueId, offset: ValueId, width: ValueId, attrs: AttrId) -> [ValueId; 2] {
        let (ty, bit) = (self.ir.type_of(value), self.ir.int_type(1));
        let op = self.emit(Opcode::GpuShuffle, &[value, offset, width], &[ty, bit], attrs);
        [0, 1].map(|index| self.ir.result(op, index))
    }
}
