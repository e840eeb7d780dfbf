//! Lower scans: inside one thread element by element, across lanes in rounds of shuffles.

use raddle_ir::{Attr, Diag, OpId, Opcode, ValueId};

use super::Cx;
use super::vector::walk;
use crate::code::extents::row_major;

/// `sge` as `arith.cmpi` numbers it.
const AT_LEAST: i64 = 5;

impl Cx<'_> {
    /// x0, x0 ⊕ x1, … along one dimension; an exclusive scan begins with the initial value and leaves the last one out.
    pub(super) fn scan(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, init) = (self.ir.operand(op, 0), self.ir.operand(op, 1));
        let opcode = self.combiner_of(op, "kind", self.ir.elem_of(source))?;
        let dim = self.ir.attr(op, "reduction_dim").and_then(Attr::as_i64).unwrap_or(0) as usize;
        let inclusive = matches!(self.ir.attr(op, "inclusive"), Some(Attr::Bool(true)));
        let (mut elements, mut totals) = (self.list(source), self.list(init));
        let mut shape = self.ir.shape_of(source).to_vec();
        let mut strides = row_major(&shape);
        let (extent, stride) = (shape.remove(dim), strides.remove(dim));
        for (total, first) in totals.iter_mut().zip(walk(&shape, 0, &strides)) {
            let mut carried = (!inclusive).then_some(*total);
            for at in 0..extent {
                let place = (first + at * stride) as usize;
                let value = elements[place];
                let sum = match carried {
                    Some(carried) => self.binary(opcode, carried, value),
                    None => value,
                };
                // The last partial result is the total.
                *total = if inclusive { sum } else { carried.unwrap_or(value) };
                elements[place] = *total;
                carried = Some(sum);
            }
        }
        self.set_elements(self.ir.result(op, 0), &elements);
        self.set_elements(self.ir.result(op, 1), &totals);
        Ok(())
    }

    /// After the round at distance d every lane has combined what it and the 2d - 1 lanes in front of it hold.
    pub(super) fn subgroup_scan(&mut self, op: OpId) -> Result<(), Diag> {
        let number = |name: &str| self.ir.attr(op, name).and_then(Attr::as_i64);
        let width = self.shape.subgroup_size;
        let (size, stride) = (number("cluster_size").unwrap_or(width), number("cluster_stride").unwrap_or(1));
        let span = size.checked_mul(stride).filter(|&span| size > 0 && span > 0 && width % span == 0);
        let Some(span) = span else {
            return Err(self
                .refuse(op)
                .label(format!("{size} lanes at distance {stride} in subgroups of {width}"))
                .help("clusters fill the subgroup"));
        };
        let inclusive = self.ir.attr_id(op, "inclusive").is_some();
        let operands = self.ir.operands(op).to_vec();
        let value = self.scalar(operands[0]);
        let identity = operands.get(1).map(|&identity| self.scalar(identity));
        let Some(identity) = identity.or(inclusive.then_some(value)) else {
            return Err(self.refuse(op).label("an exclusive scan without `identity`"));
        };
        let thread = self.thread();
        let inside = self.forms.div_mod(thread, span).1;
        let digit = self.forms.div_mod(inside, stride).0;
        let place = self.compute(digit);
        let mut sum = value;
        let mut distance = 1;
        while distance < size {
            let front = self.in_front(sum, distance * stride);
            let both = self.combined(op, front, sum)?;
            sum = self.if_at_least(place, distance, both, sum);
            distance *= 2;
        }
        let result = if inclusive {
            sum
        } else {
            let front = self.in_front(sum, stride);
            self.if_at_least(place, 1, front, identity)
        };
        // The last lane of the cluster has it all.
        let lane = self.forms.div_mod(thread, width).1;
        let first = self.add_scaled(lane, digit, -stride);
        let last = self.forms.add_constant(first, (size - 1) * stride);
        let last = self.compute(last);
        let word = self.ir.int_type(32);
        let last = self.value(Opcode::ArithIndexCast, &[last], word, self.no_attrs);
        let total = self.moved(sum, last, "idx");
        self.set_elements(self.ir.result(op, 0), &[result]);
        self.set_elements(self.ir.result(op, 1), &[total]);
        Ok(())
    }

    /// The region of an operation on two values.
    fn combined(&mut self, op: OpId, front: ValueId, behind: ValueId) -> Result<ValueId, Diag> {
        let block = self.ir.entry(op);
        for (arg, value) in self.ir.args(block).to_vec().into_iter().zip([front, behind]) {
            self.set_elements(arg, &[value]);
        }
        let Some(end) = self.ir.terminator(block) else { return Err(self.refuse(op).label("without a body")) };
        let body: Vec<OpId> = self.ir.ops_of(block).into_iter().filter(|&inner| inner != end).collect();
        self.ops(&body)?;
        Ok(self.scalar(self.ir.operand(end, 0)))
    }

    fn if_at_least(&mut self, place: ValueId, bound: i64, yes: ValueId, no: ValueId) -> ValueId {
        let bound = self.int(bound, self.index);
        let condition = self.compare(AT_LEAST, place, bound);
        self.value(Opcode::ArithSelect, &[condition, yes, no], self.ir.type_of(yes), self.no_attrs)
    }

    /// The value of the lane so far in front; lanes that have none in front keep their own.
    fn in_front(&mut self, value: ValueId, distance: i64) -> ValueId {
        let word = self.ir.int_type(32);
        let distance = self.int(distance, word);
        self.moved(value, distance, "up")
    }

    fn moved(&mut self, value: ValueId, lane: ValueId, mode: &str) -> ValueId {
        let word = self.ir.int_type(32);
        let width = self.int(self.shape.subgroup_size, word);
        let mode = raddle_ir::keyword_attr(self.ir, "gpu.shuffle_mode", mode);
        let attrs = self.ir.dict(&[("mode", mode)]);
        self.exchange(value, lane, width, attrs)[0]
    }
}
