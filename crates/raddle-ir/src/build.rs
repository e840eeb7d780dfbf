//! Building IR: an insertion point, and short names for what passes make most.

use rustc_hash::FxHashMap;

use crate::affine::Map;
use crate::attrs::{Attr, Body};
use crate::diag::Span;
use crate::dominance;
use crate::ids::{AttrId, BlockId, OpId, RegionId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;

/// Where new operations go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point {
    /// The end of a block.
    End(BlockId),
    /// In front of an operation.
    Before(OpId),
}

/// What each value became in a copy. It is as large as the copy: most are of one operation in a program of many.
#[derive(Clone, Default)]
pub struct ValueMap(FxHashMap<ValueId, ValueId>);

impl ValueMap {
    /// What `value` became, itself if nothing else.
    pub fn get(&self, value: ValueId) -> ValueId {
        self.find(value).unwrap_or(value)
    }

    /// What `value` became, if it was entered.
    pub fn find(&self, value: ValueId) -> Option<ValueId> {
        self.0.get(&value).copied()
    }

    /// Enters what `value` became.
    pub fn set(&mut self, value: ValueId, new: ValueId) {
        self.0.insert(value, new);
    }
}

/// Creates operations at a point, each with the source range of what it stands for.
pub struct Builder<'ir> {
    /// The IR that is built.
    pub ir: &'ir mut Ir,
    /// Where new operations go.
    pub at: Point,
    /// The source range of new operations.
    pub span: Span,
}

impl<'ir> Builder<'ir> {
    /// Builds at the end of a block.
    pub fn at_end(ir: &'ir mut Ir, block: BlockId, span: Span) -> Builder<'ir> {
        Builder { ir, at: Point::End(block), span }
    }

    /// Builds in front of an operation, in its name.
    pub fn before(ir: &'ir mut Ir, op: OpId) -> Builder<'ir> {
        let span = ir.span(op);
        Builder { ir, at: Point::Before(op), span }
    }

    /// Creates and places an operation.
    pub fn op(&mut self, opcode: Opcode, operands: &[ValueId], results: &[TypeId], attrs: &[(&str, AttrId)]) -> OpId {
        let op = self.ir.create(opcode, operands, results, attrs, self.span);
        self.place(op);
        op
    }

    /// Creates and places an operation with one result, and returns that.
    pub fn value(&mut self, opcode: Opcode, operands: &[ValueId], result: TypeId, attrs: &[(&str, AttrId)]) -> ValueId {
        let op = self.op(opcode, operands, &[result], attrs);
        self.ir.result(op, 0)
    }

    /// Places a detached operation.
    pub fn place(&mut self, op: OpId) {
        match self.at {
            Point::End(block) => self.ir.append(block, op),
            Point::Before(anchor) => self.ir.insert_before(anchor, op),
        }
    }

    /// Copies an operation with its regions to the insertion point. Operands are looked up in `map` (a value that is
    /// not in it stands for itself), and the copy's results and block arguments are entered there.
    pub fn copy(&mut self, op: OpId, map: &mut ValueMap) -> OpId {
        let operands: Vec<ValueId> = self.ir.operands(op).iter().map(|&value| map.get(value)).collect();
        let results: Vec<TypeId> = self.ir.results(op).map(|value| self.ir.type_of(value)).collect();
        let (opcode, attrs, span) = (self.ir.opcode(op), self.ir.attr_dict(op), self.ir.span(op));
        let copy = match opcode {
            Opcode::Unregistered => {
                let name = self.ir.name(op).to_owned();
                self.ir.create_named(&name, &operands, &results, attrs, span)
            }
            opcode => self.ir.create_with(opcode, &operands, &results, attrs, span),
        };
        self.place(copy);
        for (old, new) in self.ir.results(op).zip(self.ir.results(copy)) {
            map.set(old, new);
        }
        self.copy_regions(op, copy, map);
        copy
    }

    /// Copies the regions of one operation to another, as [`Builder::copy`] does.
    pub fn copy_regions(&mut self, from: OpId, to: OpId, map: &mut ValueMap) {
        for region in self.ir.regions(from).to_vec() {
            let new_region = self.ir.add_region(to);
            self.copy_blocks(region, new_region, None, map);
        }
    }

    /// Copies the blocks of one region into another one. The first block's arguments become `given`, if that is
    /// something, and the copy takes none.
    pub fn copy_blocks(&mut self, from: RegionId, to: RegionId, given: Option<&[ValueId]>, map: &mut ValueMap) {
        let blocks = self.ir.blocks(from).to_vec();
        let mut copies: FxHashMap<BlockId, BlockId> = FxHashMap::default();
        for (i, &block) in blocks.iter().enumerate() {
            let mut args = self.ir.args(block).to_vec();
            if let Some(given) = given.filter(|_| i == 0) {
                args.drain(..).zip(given).for_each(|(arg, &value)| map.set(arg, value));
            }
            let types: Vec<TypeId> = args.iter().map(|&arg| self.ir.type_of(arg)).collect();
            let copy = self.ir.add_block(to, &types);
            for (old, new) in args.into_iter().zip(self.ir.args(copy).to_vec()) {
                map.set(old, new);
            }
            copies.insert(block, copy);
        }
        // Values are copied before their uses, whichever block stands first.
        let mut order = dominance::order(self.ir, from);
        order.extend(blocks.iter().filter(|block| !order.contains(block)).copied().collect::<Vec<_>>());
        for block in order {
            let mut inner = Builder::at_end(self.ir, copies[&block], self.span);
            for nested in inner.ir.ops_of(block) {
                let copy = inner.copy(nested, map);
                let jumps: Vec<BlockId> = inner.ir.successors(nested).iter().map(|to| copies[to]).collect();
                if !jumps.is_empty() {
                    inner.ir.set_successors(copy, &jumps);
                }
            }
        }
    }

    /// `arith.constant`
    pub fn constant(&mut self, attr: Attr, ty: TypeId) -> ValueId {
        let attr = self.ir.intern(attr);
        self.value(Opcode::ArithConstant, &[], ty, &[("value", attr)])
    }

    /// `arith.constant value : index`
    pub fn index(&mut self, value: i64) -> ValueId {
        let ty = self.ir.index_type();
        self.int(value, ty)
    }

    /// `arith.constant value : ty` for an integer or index type.
    pub fn int(&mut self, value: i64, ty: TypeId) -> ValueId {
        self.constant(Attr::Int { value: value.into(), ty }, ty)
    }

    /// `arith.constant value : ty` for a float type; the value must be exact in it.
    pub fn float(&mut self, value: f64, ty: TypeId) -> ValueId {
        self.constant(Attr::float(value, ty), ty)
    }

    /// An elementwise operation whose result has the type of its first operand.
    pub fn binary(&mut self, opcode: Opcode, lhs: ValueId, rhs: ValueId) -> ValueId {
        let ty = self.ir.type_of(lhs);
        self.value(opcode, &[lhs, rhs], ty, &[])
    }

    /// A named operation such as `linalg.matmul ins(inputs) outs(outputs)`, with the maps and the region that its name
    /// means; on tensors it has a result for each output.
    pub fn named(&mut self, opcode: Opcode, inputs: &[ValueId], outputs: &[ValueId], attrs: &[(&str, AttrId)]) -> OpId {
        let sizes = self.ir.segment_sizes(&[inputs.len(), outputs.len()]);
        let types = outputs.iter().map(|&output| self.ir.type_of(output));
        let results: Vec<TypeId> = types.filter(|&ty| self.ir[ty].is_tensor()).collect();
        let attrs = [attrs, &[("operandSegmentSizes", sizes)]].concat();
        let op = self.op(opcode, &[inputs, outputs].concat(), &results, &attrs);
        crate::text::finish_named(self.ir, op);
        op
    }

    /// `affine.apply map(dims)`
    pub fn apply(&mut self, map: Map, operands: &[ValueId]) -> ValueId {
        let ty = self.ir.index_type();
        let map = self.ir.intern(Attr::Map(map));
        self.value(Opcode::AffineApply, operands, ty, &[("map", map)])
    }

    /// `scf.for iv = lb to ub step step iter_args(inits)`; `body` returns what to yield.
    pub fn for_loop(
        &mut self,
        lb: ValueId,
        ub: ValueId,
        step: ValueId,
        inits: &[ValueId],
        body: impl FnOnce(&mut Builder<'_>, ValueId, &[ValueId]) -> Vec<ValueId>,
    ) -> OpId {
        let (op, block) = self.open_loop(lb, ub, step, inits);
        let args = self.ir.args(block).to_vec();
        let mut inner = Builder::at_end(self.ir, block, self.span);
        let yielded = body(&mut inner, args[0], &args[1..]);
        inner.op(Opcode::ScfYield, &yielded, &[], &[]);
        op
    }

    /// An `scf.for` and its body, in which there is nothing yet.
    fn open_loop(&mut self, lb: ValueId, ub: ValueId, step: ValueId, inits: &[ValueId]) -> (OpId, BlockId) {
        let types: Vec<TypeId> = inits.iter().map(|&init| self.ir.type_of(init)).collect();
        let operands = [&[lb, ub, step], inits].concat();
        let op = self.op(Opcode::ScfFor, &operands, &types, &[]);
        let region = self.ir.add_region(op);
        let iv = self.ir.type_of(lb);
        let block = self.ir.add_block(region, &[&[iv], &types[..]].concat());
        (op, block)
    }

    /// `#name<keyword>`, as in `#gpu.address_space<workgroup>` or `#vector.kind<add>`.
    pub fn keyword_attr(&mut self, name: &str, keyword: &str) -> AttrId {
        keyword_attr(self.ir, name, keyword)
    }
}

/// `#name<keyword>`, as in `#gpu.address_space<workgroup>` or `#vector.kind<add>`.
pub fn keyword_attr(ir: &mut Ir, name: &str, keyword: &str) -> AttrId {
    let (name, keyword) = (ir.intern_str(name), ir.intern_str(keyword));
    ir.intern(Attr::Dialect { name, body: Body::Keyword(keyword) })
}
