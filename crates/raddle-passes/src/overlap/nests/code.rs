//! The loops of nests, and tiles in them.

use std::collections::hash_map::Entry;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, TileRegister, Transfer};
use raddle_ir::{Attr, Builder, Class, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use raddle_target::Dot;
use rustc_hash::{FxHashMap, FxHashSet};

use super::plan::{Loop, Nest, PARTS, Plan, Product, Section, Sink, in_memory};
use crate::code::edges::choose;
use crate::code::{LESS, compare, is_zeros, select};
use crate::overlap::cache_blocks::tiles::{Sums, Words, add_products, flat, linear};
use crate::overlap::cache_blocks::words::join;
use crate::structured::body::Combiner;

/// What lies in memory of the workgroup.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stored {
    /// A value that a later nest reads.
    Kept(ValueId),
    /// A factor of a product, as what products are summed in.
    Packed(ValueId),
    /// What the loop carries, by the argument of its block.
    Carried(ValueId),
    /// The tile of a factor, of the product that reads it.
    Strip(OpId),
    /// Sums that come out of tile registers.
    Sums,
}

/// Parts of loops: the first element, and how many.
#[derive(Clone)]
struct Tile {
    parts: Vec<(Loop, ValueId, i64)>,
}

impl Tile {
    fn part(&self, of: Loop) -> Option<(ValueId, i64)> {
        self.parts.iter().find(|part| part.0 == of).map(|&(_, first, n)| (first, n))
    }
}

type Memo = FxHashMap<ValueId, ValueId>;

struct Code<'a> {
    plan: &'a Plan,
    /// New values of small ones.
    map: ValueMap,
    memory: FxHashMap<Stored, ValueId>,
    /// Values that earlier nests of the section have kept.
    kept: FxHashSet<ValueId>,
    /// Where keys end in a step, if that is sooner than a block.
    end: Option<ValueId>,
    zero: ValueId,
}

/// Writes the nests of a kernel in place of its operations.
pub(super) fn rewrite(ir: &mut Ir, plan: &Plan) {
    let old = ir.ops_of(plan.entry);
    let (&end, old) = old.split_last().expect("a block has a terminator");
    let mut builder = Builder::before(ir, end);
    builder.span = builder.ir.span(plan.products[0].op);
    let builder = &mut builder;
    let zero = builder.index(0);
    let mut code = Code {
        plan,
        map: ValueMap::default(),
        memory: FxHashMap::default(),
        kept: FxHashSet::default(),
        end: None,
        zero,
    };
    code.allocate(builder);
    code.section(builder, &plan.before);
    match plan.loop_op {
        Some(loop_op) => code.along_keys(builder, loop_op),
        None => code.section(builder, &plan.inside),
    }
    code.end = None;
    code.section(builder, &plan.behind);
    for &op in old.iter().rev() {
        ir.erase(op);
    }
}

impl Code<'_> {
    /// The loop along the keys, which carries small values; large ones are in memory.
    fn along_keys(&mut self, builder: &mut Builder<'_>, loop_op: OpId) {
        let plan = self.plan;
        let body = builder.ir.entry(loop_op);
        let args = builder.ir.args(body).to_vec();
        let yielded = builder.ir.operands(builder.ir.terminator(body).expect("a loop yields")).to_vec();
        let operands = builder.ir.operands(loop_op).to_vec();
        let results: Vec<ValueId> = builder.ir.results(loop_op).collect();
        let small: Vec<usize> = (0..results.len()).filter(|&i| !plan.loops.is_large(builder.ir, results[i])).collect();
        let bounds: Vec<ValueId> = operands[..3].iter().map(|&value| self.map.get(value)).collect();
        let inits: Vec<ValueId> = small.iter().map(|&i| self.map.get(operands[3 + i])).collect();
        let new = builder.for_loop(bounds[0], bounds[1], bounds[2], &inits, |builder, index, carried| {
            self.map.set(args[0], index);
            small.iter().zip(carried).for_each(|(&i, &value)| self.map.set(args[1 + i], value));
            self.section(builder, &plan.inside);
            small.iter().map(|&i| self.map.get(yielded[i])).collect()
        });
        for (&i, value) in small.iter().zip(builder.ir.results(new).collect::<Vec<_>>()) {
            self.map.set(results[i], value);
        }
        for (i, &result) in results.iter().enumerate() {
            if let Some(&memory) = self.memory.get(&Stored::Carried(args[1 + i])) {
                self.memory.insert(Stored::Carried(result), memory);
            }
        }
    }

    fn allocate(&mut self, builder: &mut Builder<'_>) {
        let plan = self.plan;
        let whole = |builder: &Builder<'_>, value: ValueId| -> Vec<i64> {
            plan.loops.of(builder.ir, value).into_iter().map(|of| plan.loops.extent(of)).collect()
        };
        let mut later = Vec::new();
        for section in [&plan.before, &plan.inside, &plan.behind] {
            for sink in section.nests.iter().flat_map(|(_, nest)| &nest.sinks) {
                let (stored, value, elem) = match *sink {
                    Sink::Keep(value) => (Stored::Kept(value), value, builder.ir.elem_of(value)),
                    Sink::Pack(value) if plan.in_tiles => {
                        let word = builder.ir.int_type(TileRegister::WORD);
                        let shape = self.shape_of_words(builder.ir, value);
                        self.memory.insert(Stored::Packed(value), builder.alloc_shared(&shape, word));
                        continue;
                    }
                    Sink::Pack(value) => (Stored::Packed(value), value, plan.sum),
                    Sink::Carry { arg, .. } => (Stored::Carried(arg), arg, builder.ir.elem_of(arg)),
                    Sink::Reduce { .. } | Sink::Write(_) => continue,
                };
                if plan.shared.contains_key(&value) && matches!(stored, Stored::Packed(_)) {
                    later.push(value);
                } else if let Entry::Vacant(entry) = self.memory.entry(stored) {
                    entry.insert(builder.alloc_shared(&whole(builder, value), elem));
                }
            }
        }
        let scores = &plan.products[0];
        let depth = plan.loops.extent(scores.sums);
        if plan.in_tiles {
            let word = builder.ir.int_type(TileRegister::WORD);
            let strip = builder.alloc_shared(&[TileRegister::MAX, depth / PARTS], word);
            self.memory.insert(Stored::Strip(scores.op), strip);
            let shape = [TileRegister::MAX, plan.loops.extent(plan.loops.rows)];
            self.memory.insert(Stored::Sums, builder.alloc_shared(&shape, plan.sum));
        } else if !scores.is_direct {
            let memory = builder.alloc_shared(&[plan.lanes, depth], plan.sum);
            self.memory.insert(Stored::Strip(scores.op), memory);
        }
        for value in later {
            let memory = self.memory[&Stored::Kept(plan.shared[&value])];
            self.memory.insert(Stored::Packed(value), memory);
        }
    }

    /// How the words of a factor lie: two elements along the sums in each, of rows side by side; those of the other factor
    /// of the second product lie along the sums.
    fn shape_of_words(&self, ir: &Ir, value: ValueId) -> Vec<i64> {
        let loops = &self.plan.loops;
        if value == self.plan.products[1].other {
            return vec![loops.extent(loops.columns), loops.extent(loops.keys) / PARTS];
        }
        let of = loops.of(ir, value);
        vec![loops.extent(of[0]) / PARTS, loops.extent(of[1])]
    }

    fn section(&mut self, builder: &mut Builder<'_>, section: &Section) {
        self.kept.clear();
        let mut open = section.small.clone();
        for (at, nest) in &section.nests {
            self.small_ones(builder, &mut open, *at);
            self.nest(builder, nest);
        }
        self.small_ones(builder, &mut open, usize::MAX);
    }

    /// Copies the small operations that come in front of a nest.
    fn small_ones(&mut self, builder: &mut Builder<'_>, open: &mut Vec<(usize, OpId)>, at: usize) {
        for &(_, op) in open.iter().filter(|(own, _)| *own <= at) {
            builder.copy(op, &mut self.map);
        }
        open.retain(|(own, _)| *own > at);
    }

    fn nest(&mut self, builder: &mut Builder<'_>, nest: &Nest) {
        let extent = self.plan.loops.extent(nest.along);
        let whole = extent / nest.tile * nest.tile;
        let mut accs = Vec::new();
        for sink in &nest.sinks {
            if let Sink::Reduce { op, .. } = *sink {
                let acc = builder.ir.operand(op, 1);
                accs.push(self.canonical(builder, acc));
            }
        }
        let limit = if nest.along == self.plan.loops.keys { self.end(builder) } else { None };
        if whole > 0 {
            let (end, step) = (limit.unwrap_or_else(|| builder.index(whole)), builder.index(nest.tile));
            let op = builder.for_loop(self.zero, end, step, &accs, |builder, at, carried| {
                self.tile(builder, nest, &Tile { parts: vec![(nest.along, at, nest.tile)] }, carried)
            });
            accs = builder.ir.results(op).collect();
        }
        if whole < extent {
            let at = builder.index(whole);
            accs = self.tile(builder, nest, &Tile { parts: vec![(nest.along, at, extent - whole)] }, &accs);
        }
        let mut accs = accs.into_iter();
        for sink in &nest.sinks {
            match *sink {
                Sink::Reduce { op, mask } => {
                    let result = builder.ir.result(mask.unwrap_or(op), 0);
                    let shape = builder.ir.shape_of(result).to_vec();
                    let acc = accs.next().expect("each reduction has its sum");
                    let value = builder.shape_cast(acc, &shape);
                    self.map.set(result, value);
                }
                Sink::Keep(value) => {
                    self.kept.insert(value);
                }
                Sink::Pack(_) | Sink::Carry { .. } | Sink::Write(_) => {}
            }
        }
    }

    /// Where the loops along keys end, if a step may have fewer than a block: behind the last one, in whole tiles.
    fn end(&mut self, builder: &mut Builder<'_>) -> Option<ValueId> {
        let end = self.plan.end?;
        let lanes = if self.plan.in_tiles { self.plan.products[1].steps } else { self.plan.lanes };
        let block = self.plan.loops.extent(self.plan.loops.keys);
        if block % lanes != 0 {
            return None;
        }
        if self.end.is_none() {
            let end = self.map.get(end);
            let up = Expr::binary(BinOp::CeilDiv, Expr::Dim(0), Expr::Const(lanes));
            let up = Expr::binary(BinOp::Mul, up, Expr::Const(lanes));
            let map = Map { dims: 1, syms: 0, results: vec![up, Expr::Const(block)] };
            let (map, ty) = (builder.ir.intern(Attr::Map(map)), builder.ir.index_type());
            self.end = Some(builder.value(Opcode::AffineMin, &[end], ty, &[("map", map)]));
        }
        self.end
    }

    /// What a nest does for one tile: returns the next sums of its reductions.
    fn tile(&self, builder: &mut Builder<'_>, nest: &Nest, tile: &Tile, accs: &[ValueId]) -> Vec<ValueId> {
        let mut memo = Memo::default();
        let mut accs = accs.iter().copied();
        let mut sums = Vec::new();
        let (_, first, _) = tile.parts[0];
        for sink in &nest.sinks {
            match *sink {
                Sink::Reduce { op, mask } => {
                    let mut source = self.value(builder, &mut memo, tile, builder.ir.operand(op, 0));
                    let elem = builder.ir.elem_of(source);
                    let kind = builder.ir.keyword_of(op, "kind").expect("a reduction has a kind").to_owned();
                    if let Some(mask) = mask {
                        let flags = self.value(builder, &mut memo, tile, builder.ir.operand(mask, 0));
                        let is_float = matches!(builder.ir[elem], Type::Float(_));
                        let combiner = Combiner::of_kind(&kind, is_float).expect("the plan has asked");
                        let ty = builder.ir.type_of(source);
                        let nothing = combiner.neutral(builder, ty);
                        source = select(builder, flags, source, nothing);
                    }
                    let acc = accs.next().expect("each reduction has its sum");
                    sums.push(builder.multi_reduction(&kind, source, acc, &[0]));
                }
                Sink::Keep(value) => self.store(builder, &mut memo, tile, value, Stored::Kept(value), first),
                Sink::Pack(value) => self.store(builder, &mut memo, tile, value, Stored::Packed(value), first),
                Sink::Carry { arg, value } => {
                    self.store(builder, &mut memo, tile, value, Stored::Carried(arg), first);
                }
                Sink::Write(op) => self.write(builder, &mut memo, tile, op),
            }
        }
        sums
    }

    /// Computes a tile and stores it at its place along the first loop.
    fn store(
        &self,
        builder: &mut Builder<'_>,
        memo: &mut Memo,
        tile: &Tile,
        value: ValueId,
        stored: Stored,
        first: ValueId,
    ) {
        let mut new = self.value(builder, memo, tile, value);
        let memory = self.memory[&stored];
        let mut first = first;
        if let (true, Stored::Packed(_)) = (self.plan.in_tiles, stored) {
            new = join(builder, new, Dot::Bf16);
            if value == self.plan.products[1].other {
                new = builder.transpose(new, &[1, 0]);
            } else {
                first = word_of(builder, first);
            }
        }
        let elem = builder.ir.elem_of(memory);
        let new = widened(builder, new, elem);
        let rank = builder.ir.shape_of(memory).len();
        let mut indices = vec![self.zero; rank];
        indices[0] = first;
        builder.transfer_write(new, memory, &indices, identity(rank), &vec![true; rank]);
    }

    /// Reads a tile of what is stored.
    fn load(&self, builder: &mut Builder<'_>, memory: ValueId, indices: &[ValueId], shape: &[i64]) -> ValueId {
        let elem = builder.ir.elem_of(memory);
        let (padding, ty) = (builder.splat(0.0, elem), builder.ir.vector_type(shape, elem));
        builder.transfer_read(memory, indices, padding, identity(shape.len()), &vec![true; shape.len()], ty)
    }

    fn shape(&self, ir: &Ir, tile: &Tile, value: ValueId) -> Vec<i64> {
        let of = self.plan.loops.of(ir, value);
        of.into_iter().map(|of| tile.part(of).map_or(self.plan.loops.extent(of), |(_, n)| n)).collect()
    }

    fn tile_type(&self, builder: &mut Builder<'_>, tile: &Tile, value: ValueId) -> TypeId {
        let shape = self.shape(builder.ir, tile, value);
        let elem = builder.ir.elem_of(value);
        builder.ir.vector_type(&shape, elem)
    }

    /// A small value of the new program, also of one inside of a region whose tiles are computed.
    fn small(&self, builder: &mut Builder<'_>, memo: &mut Memo, value: ValueId) -> ValueId {
        if let Some(new) = self.map.find(value) {
            return new;
        }
        let Some(op) = builder.ir.def_op(value) else { return value };
        let body = self.plan.loop_op.map(|op| builder.ir.entry(op));
        if builder.ir.parent_block(op).is_none_or(|block| Some(block) == body || block == self.plan.entry) {
            return value;
        }
        if let Some(&new) = memo.get(&value) {
            return new;
        }
        let operands = builder.ir.operands(op).to_vec();
        let mut map = ValueMap::default();
        for operand in operands {
            let new = self.small(builder, memo, operand);
            map.set(operand, new);
        }
        builder.copy(op, &mut map);
        let new = map.get(value);
        memo.insert(value, new);
        new
    }

    /// A small value as tiles have it: one dimension of rows, or a scalar.
    fn canonical(&self, builder: &mut Builder<'_>, value: ValueId) -> ValueId {
        let new = self.small(builder, &mut Memo::default(), value);
        self.in_rows(builder, value, new)
    }

    fn in_rows(&self, builder: &mut Builder<'_>, value: ValueId, new: ValueId) -> ValueId {
        if !builder.ir.ty(value).is_vector() {
            return new;
        }
        let rank = builder.ir.shape_of(value).len();
        match self.plan.loops.of(builder.ir, value)[..] {
            [] => builder.extract(new, &vec![0; rank]),
            [rows, ..] => builder.shape_cast(new, &[self.plan.loops.extent(rows)]),
        }
    }

    /// The tile of a value.
    fn value(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, value: ValueId) -> ValueId {
        let loops = &self.plan.loops;
        if !loops.is_large(builder.ir, value) {
            let new = self.small(builder, memo, value);
            return self.in_rows(builder, value, new);
        }
        if let Some(&new) = memo.get(&value) {
            return new;
        }
        let carried = self.memory.get(&Stored::Carried(value));
        let kept = self.memory.get(&Stored::Kept(value)).filter(|_| self.kept.contains(&value));
        let new = match (carried.or(kept), builder.ir.def_op(value)) {
            (Some(&memory), _) => {
                let shape = self.shape(builder.ir, tile, value);
                let mut indices = vec![self.zero; shape.len()];
                indices[0] = tile.parts[0].1;
                self.load(builder, memory, &indices, &shape)
            }
            (None, Some(op)) => {
                let span = std::mem::replace(&mut builder.span, builder.ir.span(op));
                let new = self.computed(builder, memo, tile, op, value);
                builder.span = span;
                new
            }
            (None, None) => unreachable!("large arguments are carried in memory"),
        };
        memo.insert(value, new);
        new
    }

    fn computed(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, op: OpId, value: ValueId) -> ValueId {
        let ty = self.tile_type(builder, tile, value);
        match builder.ir.opcode(op) {
            Opcode::ArithConstant => {
                let Some(Attr::Dense { bytes, .. }) = builder.ir.attr(op, "value").cloned() else {
                    unreachable!("the plan has asked for repeated elements")
                };
                builder.constant(Attr::Dense { ty, splat: true, bytes }, ty)
            }
            Opcode::VectorStep => {
                let of = self.plan.loops.of(builder.ir, value)[0];
                let numbers = builder.value(Opcode::VectorStep, &[], ty, &[]);
                match tile.part(of) {
                    None => numbers,
                    Some((first, _)) => {
                        let first = builder.broadcast(first, ty);
                        builder.binary(Opcode::ArithAddi, numbers, first)
                    }
                }
            }
            Opcode::VectorCreateMask => self.mask(builder, memo, tile, op, ty),
            Opcode::VectorBroadcast => {
                let source = builder.ir.operand(op, 0);
                let new = self.value(builder, memo, tile, source);
                let (from, to) = (self.plan.loops.of(builder.ir, source), self.plan.loops.of(builder.ir, value));
                if from == to {
                    new
                } else if to.ends_with(&from) {
                    builder.broadcast(new, ty)
                } else {
                    let shape: Vec<i64> = self.shape(builder.ir, tile, value).into_iter().rev().collect();
                    let elem = builder.ir.elem_of(value);
                    let turned = builder.ir.vector_type(&shape, elem);
                    let new = builder.broadcast(new, turned);
                    builder.transpose(new, &[1, 0])
                }
            }
            Opcode::VectorTranspose | Opcode::VectorShapeCast | Opcode::IreeVectorExtToLayout => {
                self.value(builder, memo, tile, builder.ir.operand(op, 0))
            }
            Opcode::VectorTransferRead => {
                let (read, order) = self.read(builder, memo, tile, op);
                self.turned(builder, read, &order, &self.plan.loops.of(builder.ir, value))
            }
            Opcode::VectorContract => self.product(builder, memo, tile, op),
            Opcode::ScfIf => self.choice(builder, memo, tile, op, value),
            _ => {
                let operands = builder.ir.operands(op).to_vec();
                let new: Vec<ValueId> =
                    operands.into_iter().map(|operand| self.value(builder, memo, tile, operand)).collect();
                let results: Vec<ValueId> = builder.ir.results(op).collect();
                let types: Vec<TypeId> = results.iter().map(|&result| self.tile_type(builder, tile, result)).collect();
                let (name, attrs) = (builder.ir.name(op).to_owned(), builder.ir.attr_dict(op));
                let copy = builder.ir.create_named(&name, &new, &types, attrs, builder.span);
                builder.place(copy);
                for (old, new) in results.into_iter().zip(builder.ir.results(copy).collect::<Vec<_>>()) {
                    memo.insert(old, new);
                }
                memo[&value]
            }
        }
    }

    /// A vector whose dimensions are loops in one order, in another one.
    fn turned(&self, builder: &mut Builder<'_>, value: ValueId, from: &[Loop], to: &[Loop]) -> ValueId {
        if from == to {
            return value;
        }
        let place = |of: &Loop| from.iter().position(|other| other == of).expect("the loops are the same");
        let perm: Vec<usize> = to.iter().map(place).collect();
        builder.transpose(value, &perm)
    }

    fn mask(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, op: OpId, ty: TypeId) -> ValueId {
        let result = builder.ir.result(op, 0);
        let of = self.plan.loops.of_dims(builder.ir, result);
        let operands = builder.ir.operands(op).to_vec();
        let mut bounds: FxHashMap<Loop, ValueId> = FxHashMap::default();
        let mut is_empty = None;
        for (&of, bound) in of.iter().zip(operands) {
            let constant = builder.ir.const_int(bound);
            let bound = self.small(builder, memo, bound);
            match of.map(|of| (of, tile.part(of))) {
                None if constant.is_some_and(|bound| bound > 0) => {}
                None => {
                    let there = compare(builder, LESS, self.zero, bound);
                    is_empty = Some(is_empty.map_or(there, |all| builder.binary(Opcode::ArithAndi, all, there)));
                }
                Some((of, None)) => {
                    bounds.insert(of, bound);
                }
                Some((of, Some((first, _)))) => {
                    let left = builder.binary(Opcode::ArithSubi, bound, first);
                    bounds.insert(of, left);
                }
            }
        }
        let order = self.plan.loops.of(builder.ir, result);
        let mut bounds: Vec<ValueId> = order.iter().map(|of| bounds[of]).collect();
        if let Some(there) = is_empty {
            bounds[0] = select(builder, there, bounds[0], self.zero);
        }
        builder.value(Opcode::VectorCreateMask, &bounds, ty, &[])
    }

    /// Reads a tile with its dimensions in the order of the memory.
    fn read(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, op: OpId) -> (ValueId, Vec<Loop>) {
        let (view, result) = (Transfer::of(builder.ir, op), builder.ir.result(op, 0));
        let place = self.place(builder, memo, tile, &view, result);
        let (base, padding) = (view.base, view.padding.expect("a read has a padding"));
        let [base, padding] = [base, padding].map(|value| self.small(builder, memo, value));
        let elem = builder.ir.elem_of(result);
        let ty = builder.ir.vector_type(&place.shape, elem);
        let read = builder.transfer_read(base, &place.indices, padding, place.map, &place.in_bounds, ty);
        if let (Some(mask), Some(read)) = (place.mask, builder.ir.def_op(read)) {
            builder.ir.set_transfer_mask(read, mask);
        }
        (read, place.order)
    }

    fn write(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, op: OpId) {
        let view = Transfer::of(builder.ir, op);
        let vector = view.vector.expect("a write has a vector");
        let place = self.place(builder, memo, tile, &view, vector);
        let new = self.value(builder, memo, tile, vector);
        let new = self.turned(builder, new, &self.plan.loops.of(builder.ir, vector), &place.order);
        let base = self.small(builder, memo, view.base);
        let write = builder.transfer_write(new, base, &place.indices, place.map, &place.in_bounds);
        if let Some(mask) = place.mask {
            builder.ir.set_transfer_mask(write, mask);
        }
    }

    /// Where a tile lies in the memory of an access.
    fn place(
        &self,
        builder: &mut Builder<'_>,
        memo: &mut Memo,
        tile: &Tile,
        view: &Transfer,
        vector: ValueId,
    ) -> Place {
        let named = in_memory(builder.ir, &self.plan.loops, view, vector);
        let mut indices: Vec<ValueId> = view.indices.iter().map(|&index| self.small(builder, memo, index)).collect();
        let mut shape = Vec::new();
        for &(p, _, of) in &named {
            let (first, n) = match tile.part(of) {
                Some((first, n)) => (Some(first), n),
                None => (None, self.plan.loops.extent(of)),
            };
            if let Some(first) = first {
                indices[p] = builder.binary(Opcode::ArithAddi, indices[p], first);
            }
            shape.push(n);
        }
        let order: Vec<Loop> = named.iter().map(|&(_, _, of)| of).collect();
        let mask = view.mask.map(|mask| {
            let new = self.value(builder, memo, tile, mask);
            self.turned(builder, new, &self.plan.loops.of(builder.ir, mask), &order)
        });
        let dims: Vec<usize> = named.iter().map(|&(p, _, _)| p).collect();
        Place {
            map: Map::of_dims(indices.len(), &dims),
            indices,
            shape,
            order,
            in_bounds: named.iter().map(|&(_, d, _)| view.in_bounds[d]).collect(),
            mask,
        }
    }

    /// A product, summed in a loop over steps.
    fn product(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, op: OpId) -> ValueId {
        let loops = &self.plan.loops;
        let product = self.plan.products.iter().find(|product| product.op == op).expect("the plan knows both");
        let acc = self.value(builder, memo, tile, Contract::of(builder.ir, op).acc);
        let (along, first, width) = tile.parts[0];
        let is_scores = product.sums == loops.depth;
        if self.plan.in_tiles {
            return self.product_in_tiles(builder, memo, tile, product, acc);
        }
        let strip = self.memory.get(&Stored::Strip(op)).copied().filter(|_| is_scores && !product.is_direct);
        if let Some(strip) = strip {
            let new = self.value(builder, memo, tile, product.other);
            let new = widened(builder, new, self.plan.sum);
            builder.transfer_write(new, strip, &[self.zero; 2], identity(2), &[true; 2]);
        }
        let limit = if is_scores { None } else { self.end };
        let end = limit.unwrap_or_else(|| builder.index(loops.extent(product.sums)));
        let step = builder.index(product.steps);
        let op = builder.for_loop(self.zero, end, step, &[acc], |builder, at, carried| {
            let rows = loops.extent(loops.rows);
            let packed = self.memory[&Stored::Packed(product.of_rows)];
            let of_rows = self.load(builder, packed, &[at, self.zero], &[product.steps, rows]);
            let (other, order) = match strip {
                Some(strip) => {
                    (self.load(builder, strip, &[self.zero, at], &[width, product.steps]), vec![along, product.sums])
                }
                None => self.other(
                    builder,
                    product,
                    &Tile { parts: vec![(along, first, width), (product.sums, at, product.steps)] },
                ),
            };
            vec![contraction(builder, [of_rows, other, carried[0]], order[0] == product.sums)]
        });
        builder.ir.result(op, 0)
    }

    /// The same in tile registers.
    fn product_in_tiles(
        &self,
        builder: &mut Builder<'_>,
        memo: &mut Memo,
        tile: &Tile,
        product: &Product,
        acc: ValueId,
    ) -> ValueId {
        let loops = &self.plan.loops;
        let (_, first, width) = tile.parts[0];
        let (rows, length) = (loops.extent(loops.rows), loops.extent(product.sums));
        let is_scores = product.sums == loops.depth;
        let (memory, packed) = (self.memory[&Stored::Sums], self.memory[&Stored::Packed(product.of_rows)]);
        let other = if is_scores {
            let strip = self.memory[&Stored::Strip(product.op)];
            let new = self.value(builder, memo, tile, product.other);
            let word = builder.ir.int_type(TileRegister::WORD);
            let ty = builder.ir.vector_type(&[width, length / PARTS], word);
            let new = builder.value(Opcode::VectorBitcast, &[new], ty, &[]);
            builder.transfer_write(new, strip, &[self.zero; 2], identity(2), &[true; 2]);
            strip
        } else {
            self.memory[&Stored::Packed(product.other)]
        };
        let [flat_sums, flat_rows, flat_other] = [memory, packed, other].map(|memory| flat(builder, memory));
        let sums = Sums::at(builder, flat_sums, self.zero, [width, rows], rows);
        let goes_on = !is_zeros(builder.ir, acc);
        if goes_on {
            builder.transfer_write(acc, memory, &[self.zero; 2], identity(2), &[true; 2]);
        }
        let inits = sums.begin(builder, !goes_on);
        let limit = if is_scores { None } else { self.end };
        let end = limit.unwrap_or_else(|| builder.index(length));
        let (step, words) = (builder.index(product.steps), product.steps / PARTS);
        let line = length / PARTS;
        // The strip has the rows of the tile alone.
        let from = if is_scores { self.zero } else { first };
        let op = builder.for_loop(self.zero, end, step, &inits, |builder, at, carried| {
            let at = word_of(builder, at);
            let start = linear(builder, &[from, at], &[line, 1], 0);
            let left = Words { buffer: flat_other, start, stride: line, extent: width };
            let start = linear(builder, &[at], &[rows], 0);
            let right = Words { buffer: flat_rows, start, stride: rows, extent: rows };
            add_products(builder, words, [left, right], carried)
        });
        let totals: Vec<ValueId> = builder.ir.results(op).collect();
        sums.end(builder, &totals);
        self.load(builder, memory, &[self.zero; 2], &[width, rows])
    }

    /// A tile of the factor that has no rows, in memory of the program or packed.
    fn other(&self, builder: &mut Builder<'_>, product: &Product, tile: &Tile) -> (ValueId, Vec<Loop>) {
        match self.memory.get(&Stored::Packed(product.other)) {
            Some(&memory) => {
                let order = self.plan.loops.of(builder.ir, product.other);
                let parts: Vec<(ValueId, i64)> =
                    order.iter().map(|&of| tile.part(of).expect("a tile of both loops")).collect();
                let (indices, shape): (Vec<ValueId>, Vec<i64>) = parts.into_iter().unzip();
                (self.load(builder, memory, &indices, &shape), order)
            }
            None => {
                let op = builder.ir.def_op(product.other).expect("a read gives it");
                self.read(builder, &mut Memo::default(), tile, op)
            }
        }
    }

    /// One of two tiles. What both sides need from outside is computed in front.
    fn choice(&self, builder: &mut Builder<'_>, memo: &mut Memo, tile: &Tile, op: OpId, value: ValueId) -> ValueId {
        let condition = self.small(builder, memo, builder.ir.operand(op, 0));
        let at = builder.ir.results(op).position(|result| result == value).expect("it is a result");
        let blocks: Vec<_> = builder.ir.regions(op).iter().map(|&region| builder.ir.blocks(region)[0]).collect();
        let ends: Vec<OpId> =
            blocks.iter().map(|&block| builder.ir.terminator(block).expect("a verified region ends")).collect();
        let yielded: Vec<ValueId> = ends.iter().map(|&end| builder.ir.operand(end, at)).collect();
        let inside: Vec<OpId> = builder.ir.walk(op);
        let own: FxHashSet<ValueId> = inside.iter().flat_map(|&op| builder.ir.results(op)).collect();
        let outside: Vec<ValueId> = inside
            .iter()
            .filter(|&&op| builder.ir.class(op) != Class::Yield)
            .flat_map(|&op| builder.ir.operands(op).to_vec())
            .chain(yielded.iter().copied())
            .filter(|value| !own.contains(value))
            .collect();
        for value in outside {
            if self.plan.loops.is_large(builder.ir, value) {
                self.value(builder, memo, tile, value);
            }
        }
        let ty = self.tile_type(builder, tile, value);
        let op = choose(builder, condition, &[ty], |builder, is_true| {
            vec![self.value(builder, &mut memo.clone(), tile, yielded[usize::from(!is_true)])]
        });
        builder.ir.result(op, 0)
    }
}

/// Where a tile lies in memory.
struct Place {
    indices: Vec<ValueId>,
    map: Map,
    shape: Vec<i64>,
    order: Vec<Loop>,
    in_bounds: Vec<bool>,
    mask: Option<ValueId>,
}

/// The word that an element along a sum is in.
fn word_of(builder: &mut Builder<'_>, element: ValueId) -> ValueId {
    let word = Expr::binary(BinOp::FloorDiv, Expr::Dim(0), Expr::Const(PARTS));
    builder.apply(Map { dims: 1, syms: 0, results: vec![word] }, &[element])
}

fn identity(rank: usize) -> Map {
    Map::of_dims(rank, &(0..rank).collect::<Vec<_>>())
}

/// Narrow floats as what they are summed in.
fn widened(builder: &mut Builder<'_>, value: ValueId, elem: TypeId) -> ValueId {
    if builder.ir.elem_of(value) == elem {
        return value;
    }
    let shape = builder.ir.shape_of(value).to_vec();
    let ty = builder.ir.vector_type(&shape, elem);
    builder.value(Opcode::ArithExtf, &[value], ty, &[])
}

/// The product of a factor `[sums, rows]` and one that is `[sums, other]` or `[other, sums]`, added to `[other, rows]`.
fn contraction(builder: &mut Builder<'_>, values: [ValueId; 3], sums_first: bool) -> ValueId {
    let [other, rows, sums] = [0, 1, 2];
    let second = if sums_first { [sums, other] } else { [other, sums] };
    let maps = [[sums, rows], second, [other, rows]];
    let maps = maps.iter().map(|dims| builder.ir.intern(Attr::Map(Map::of_dims(3, dims)))).collect();
    let words = ["parallel", "parallel", "reduction"];
    let iterators = words.map(|word| builder.keyword_attr("vector.iterator_type", word)).to_vec();
    let attrs = [
        ("indexing_maps", builder.ir.intern(Attr::Array(maps))),
        ("iterator_types", builder.ir.intern(Attr::Array(iterators))),
        ("kind", builder.keyword_attr("vector.kind", "add")),
    ];
    let ty = builder.ir.type_of(values[2]);
    builder.value(Opcode::VectorContract, &values, ty, &attrs)
}
