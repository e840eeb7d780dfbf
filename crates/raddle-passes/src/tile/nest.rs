//! Nests: loops over tiles while they are filled, and the operations of `scf` that they become.
//!
//! While it is open, a nest is one operation whose block has the indices and the tensors that are filled as arguments;
//! more tensors may join. Closed, it is one `scf.for` for each loop, or one `scf.forall` for all.

use raddle_ir::views::{Mixed, unmixed};
use raddle_ir::{Attr, AttrId, BlockId, Builder, Expr, Ir, OpId, Opcode, ValueId};

use super::part::{Tile, is_whole};
use crate::structured::sizes::extreme;
use crate::structured::space::sub;

/// What the loops become.
#[derive(Clone)]
pub(crate) enum Loops {
    /// One after another.
    For,
    /// All at once. The mapping says who does which part; without one, nobody in particular.
    Forall(Vec<AttrId>),
}

/// A tensor that the loops fill.
struct Filled {
    /// What it is before.
    init: ValueId,
    /// What it is inside.
    arg: ValueId,
    /// What is put in, and where.
    value: ValueId,
    place: Tile,
    /// What it is behind the loops, in the program without loops.
    target: Option<ValueId>,
}

/// Loops that are not closed yet.
pub(crate) struct Nest {
    /// The operation that stands for them.
    pub op: OpId,
    /// Where their body goes.
    pub body: BlockId,
    /// The end and the step of each.
    pub bounds: Vec<(Mixed, i64)>,
    filled: Vec<Filled>,
}

impl Nest {
    /// Loops from 0 in front of an operation.
    pub fn open(ir: &mut Ir, before: OpId, bounds: Vec<(Mixed, i64)>) -> Nest {
        let mut builder = Builder::before(ir, before);
        let op = builder.op(Opcode::ScfForall, &[], &[], &[]);
        let region = ir.add_region(op);
        let index = ir.index_type();
        let body = ir.add_block(region, &vec![index; bounds.len()]);
        Nest { op, body, bounds, filled: Vec::new() }
    }

    /// The index of each loop.
    pub fn indices(&self, ir: &Ir) -> Vec<ValueId> {
        ir.args(self.body)[..self.bounds.len()].to_vec()
    }

    /// Builds at the end of the body.
    pub fn builder<'ir>(&self, ir: &'ir mut Ir) -> Builder<'ir> {
        let span = ir.span(self.op);
        Builder::at_end(ir, self.body, span)
    }

    /// How far a tile goes from the first index of a loop.
    pub fn size(&self, builder: &mut Builder<'_>, i: usize) -> Mixed {
        let (end, step) = self.bounds[i];
        match end {
            Mixed::Static(end) if end % step == 0 => Mixed::Static(step),
            _ if step == 1 => Mixed::Static(1),
            end => {
                let iv = Mixed::Value(builder.ir.args(self.body)[i]);
                let left = sub(Expr::Dim(1), Expr::Dim(0));
                extreme(builder, Opcode::AffineMin, &[iv, end], &[left, Expr::Const(step)])
            }
        }
    }

    /// Lets one more tensor be filled; says what it is inside.
    pub fn fill(&mut self, ir: &mut Ir, init: ValueId) -> ValueId {
        let ty = ir.type_of(init);
        let arg = ir.add_block_arg(self.body, ty);
        let place = Tile { offsets: Vec::new(), sizes: Vec::new() };
        self.filled.push(Filled { init, arg, value: arg, place, target: None });
        arg
    }

    /// Says what is put into a tensor that is filled, and where; `target` is what that will be behind the loops.
    pub fn put(&mut self, arg: ValueId, value: ValueId, place: Tile, target: Option<ValueId>) {
        if let Some(filled) = self.filled.iter_mut().find(|filled| filled.arg == arg) {
            (filled.value, filled.place, filled.target) = (value, place, target);
        }
    }

    /// What a tensor that is filled inside is before.
    pub fn init(&self, arg: ValueId) -> Option<ValueId> {
        self.filled.iter().find(|filled| filled.arg == arg).map(|filled| filled.init)
    }

    /// Gives a tensor that is filled inside something else to begin with.
    pub fn set_init(&mut self, arg: ValueId, init: ValueId) {
        if let Some(filled) = self.filled.iter_mut().find(|filled| filled.arg == arg) {
            filled.init = init;
        }
    }

    /// What stands for a value of the program inside, and which part of it that is.
    pub fn made(&self, target: ValueId) -> Option<(ValueId, &Tile)> {
        let filled = self.filled.iter().find(|filled| filled.target == Some(target))?;
        Some((filled.value, &filled.place))
    }

    /// Leaves out what stands for a value that nobody uses behind the loops; inside, it is what it was before.
    pub fn drop_unused(&mut self, ir: &mut Ir) {
        let (nest, targets) = (self.op, self.targets());
        // What the loops give altogether is not needed behind them.
        let is_inside =
            |ir: &Ir, op: OpId| ir.results(op).len() > 0 && ir.results(op).all(|result| targets.contains(&result));
        let is_needed =
            |ir: &Ir, target: ValueId| ir.uses(target).any(|(user, _)| follows(ir, user, nest) && !is_inside(ir, user));
        self.filled.retain(|filled| {
            let Some(target) = filled.target.filter(|&target| !is_needed(ir, target)) else { return true };
            ir.replace_uses(filled.arg, filled.init);
            ir.replace_uses(target, filled.init);
            false
        });
    }

    /// What the loops will give.
    pub fn targets(&self) -> Vec<ValueId> {
        self.filled.iter().filter_map(|filled| filled.target).collect()
    }

    /// Makes the loops. What they give takes the place of its target wherever it is known there. Returns the loops from
    /// the outside in, and what they give.
    pub fn close(self, ir: &mut Ir, loops: &Loops) -> (Vec<OpId>, Vec<ValueId>) {
        let mut builder = Builder::before(ir, self.op);
        let mut made = Vec::new();
        let results = match loops {
            Loops::For => {
                let inits: Vec<ValueId> = self.filled.iter().map(|filled| filled.init).collect();
                let lower = builder.index(0);
                let bounds: Vec<[ValueId; 3]> = (self.bounds.iter())
                    .map(|&(end, step)| [lower, end.materialize(&mut builder), builder.index(step)])
                    .collect();
                self.nested(&mut builder, &bounds, &mut Vec::new(), &inits, &mut made)
            }
            Loops::Forall(mapping) => self.forall(&mut builder, mapping, &mut made),
        };
        for (filled, &result) in self.filled.iter().zip(&results) {
            let Some(target) = filled.target else { continue };
            let users: Vec<(OpId, usize)> = ir.uses(target).filter(|&(user, _)| follows(ir, user, self.op)).collect();
            for (user, operand) in users {
                ir.set_operand(user, operand, result);
            }
        }
        ir.erase(self.op);
        made.reverse();
        (made, results)
    }

    /// The loops that are left, around the body.
    fn nested(
        &self,
        builder: &mut Builder<'_>,
        bounds: &[[ValueId; 3]],
        indices: &mut Vec<ValueId>,
        values: &[ValueId],
        made: &mut Vec<OpId>,
    ) -> Vec<ValueId> {
        let Some(&[lower, upper, step]) = bounds.get(indices.len()) else {
            let filled = self.move_body(builder, indices, values);
            let put = |(arg, value, place): (ValueId, ValueId, Tile)| {
                let whole = value == arg || is_whole(builder.ir, arg, &place);
                if whole { value } else { builder.insert_slice(value, arg, &place.offsets, &place.sizes) }
            };
            return filled.into_iter().map(put).collect();
        };
        let op = builder.for_loop(lower, upper, step, values, |builder, index, values| {
            indices.push(index);
            self.nested(builder, bounds, indices, values, made)
        });
        made.push(op);
        builder.ir.results(op).collect()
    }

    fn forall(&self, builder: &mut Builder<'_>, mapping: &[AttrId], made: &mut Vec<OpId>) -> Vec<ValueId> {
        let n = self.bounds.len();
        let ends: Vec<Mixed> = self.bounds.iter().map(|bound| bound.0).collect();
        let steps: Vec<i64> = self.bounds.iter().map(|bound| bound.1).collect();
        let (numbers, values) = unmixed(&ends);
        let inits: Vec<ValueId> = self.filled.iter().map(|filled| filled.init).collect();
        let types: Vec<_> = inits.iter().map(|&init| builder.ir.type_of(init)).collect();
        let mut attrs = vec![
            ("staticLowerBound", builder.ir.dense_i64(&vec![0; n])),
            ("staticUpperBound", builder.ir.dense_i64(&numbers)),
            ("staticStep", builder.ir.dense_i64(&steps)),
            ("operandSegmentSizes", builder.ir.segment_sizes(&[0, values.len(), 0, inits.len()])),
        ];
        if !mapping.is_empty() {
            attrs.push(("mapping", builder.ir.intern(Attr::Array(mapping.to_vec()))));
        }
        let op = builder.op(Opcode::ScfForall, &[values, inits].concat(), &types, &attrs);
        let region = builder.ir.add_region(op);
        let index = builder.ir.index_type();
        let block = builder.ir.add_block(region, &[vec![index; n], types].concat());
        let args = builder.ir.args(block).to_vec();
        let mut inner = Builder::at_end(builder.ir, block, builder.span);
        let filled = self.move_body(&mut inner, &args[..n], &args[n..]);
        let end = inner.op(Opcode::ScfForallInParallel, &[], &[], &[]);
        let region = inner.ir.add_region(end);
        let block = inner.ir.add_block(region, &[]);
        let mut inner = Builder::at_end(inner.ir, block, inner.span);
        for (arg, value, place) in filled.into_iter().filter(|(arg, value, _)| arg != value) {
            inner.parallel_insert_slice(value, arg, &place.offsets, &place.sizes);
        }
        made.push(op);
        builder.ir.results(op).collect()
    }

    /// Moves the body to where the builder is; says for each tensor that is filled what it is there, what is put into it,
    /// and where.
    fn move_body(
        &self,
        builder: &mut Builder<'_>,
        indices: &[ValueId],
        values: &[ValueId],
    ) -> Vec<(ValueId, ValueId, Tile)> {
        for op in builder.ir.ops_of(self.body) {
            builder.ir.detach(op);
            builder.place(op);
        }
        let args = [self.indices(builder.ir), self.filled.iter().map(|filled| filled.arg).collect()].concat();
        let new: Vec<ValueId> = indices.iter().chain(values).copied().collect();
        for (&old, &new) in args.iter().zip(&new) {
            builder.ir.replace_uses(old, new);
        }
        let renamed = |value: ValueId| args.iter().position(|&arg| arg == value).map_or(value, |at| new[at]);
        let list = |list: &[Mixed]| {
            let one = |&at: &Mixed| if let Mixed::Value(value) = at { Mixed::Value(renamed(value)) } else { at };
            list.iter().map(one).collect()
        };
        let place = |place: &Tile| Tile { offsets: list(&place.offsets), sizes: list(&place.sizes) };
        (self.filled.iter().zip(values))
            .map(|(filled, &arg)| (arg, renamed(filled.value), place(&filled.place)))
            .collect()
    }
}

/// Whether an operation stands behind another one's place, at any depth.
pub(crate) fn follows(ir: &Ir, op: OpId, place: OpId) -> bool {
    let Some(above) = above(ir, op, place) else { return false };
    let mut at = ir.next_op(place);
    while let Some(next) = at {
        if next == above {
            return true;
        }
        at = ir.next_op(next);
    }
    false
}

/// The operation in the block of `place` that an operation is or stands in.
pub(crate) fn above(ir: &Ir, op: OpId, place: OpId) -> Option<OpId> {
    let block = ir.parent_block(place)?;
    let mut op = op;
    while ir.parent_block(op)? != block {
        op = ir.parent_op(op)?;
    }
    Some(op)
}
