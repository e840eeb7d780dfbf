//! Loops and branches of a sequence.
//!
//! A number that a loop carries is one that steps set. A tensor has two places where a round makes another one: what the
//! round reads, and what it writes for the next one, which change by turns, so that nothing is copied that a kernel can
//! write where it is wanted. One that each round only inserts into has one place.

use raddle_emit::sequence::{Base, Number, Place, Rows, symbols_of};
use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{BlockId, Diag, Expr, OpId, Opcode, Scalar, Type, ValueId};
use raddle_passes::partition::carried;

use super::places::Buffer;
use super::{Builder, Draft, Value, aligned, is_held, refuse};

/// What a loop carries from one round to the next.
enum Carried {
    /// An integer, or the bits of a float: the number that steps set.
    Number { number: usize, is_float: bool },
    /// A tensor: the buffer that a round reads, and its extents.
    Tensor { buffer: usize, extents: Vec<Expr> },
}

/// Which of two places a round reads: 0 or 1.
struct Turn {
    number: usize,
    /// The step that sets it in front of the loop.
    at: usize,
}

impl Builder<'_> {
    /// Drafts the operations of a block apart from what stands around it; what its end gives.
    fn apart(&mut self, block: BlockId) -> Result<(Vec<Draft>, Vec<ValueId>), Diag> {
        let outer = std::mem::take(&mut self.drafts);
        let first = std::mem::replace(&mut self.first, self.buffers.len());
        self.nesting += 1;
        let returned = self.block(block);
        self.nesting -= 1;
        self.first = first;
        Ok((std::mem::replace(&mut self.drafts, outer), returned?))
    }

    /// Drafts what a round does, which alone may change what its loop carries.
    fn round(&mut self, block: BlockId, carried: &[Carried]) -> Result<(Vec<Draft>, Vec<ValueId>), Diag> {
        let buffers = carried.iter().filter_map(|carried| match carried {
            Carried::Tensor { buffer, .. } => Some(*buffer),
            Carried::Number { .. } => None,
        });
        let outer = std::mem::replace(&mut self.own, buffers.collect());
        let drafted = self.apart(block);
        self.own = outer;
        drafted
    }

    /// A number that steps set.
    pub(super) fn variable(&mut self) -> usize {
        self.sequence.numbers.push(Number::OfSteps);
        self.sequence.numbers.len() - 1
    }

    /// A number of the sequence as an expression.
    pub(super) fn symbol_of(&self, number: usize) -> Expr {
        Expr::Sym((self.sequence.parameters.len() + number) as u32)
    }

    fn set(&mut self, number: usize, to: Expr) {
        self.drafts.push(Draft::Set { number, to: Number::Of(to) });
    }

    /// A single block that is the body of an operation.
    fn only_block(&self, op: OpId, region: usize) -> Result<Option<BlockId>, Diag> {
        let ir = &self.host.ir;
        match ir.regions(op).get(region).map_or(&[][..], |&region| ir.blocks(region)) {
            [] => Ok(None),
            [block] => Ok(Some(*block)),
            _ => Err(refuse(ir, op, "it has several blocks")),
        }
    }

    /// `scf.while`: rounds of two blocks, until the first one says no.
    pub(super) fn repeat(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let [Some(before), Some(after)] = [self.only_block(op, 0)?, self.only_block(op, 1)?] else {
            return Err(refuse(ir, op, "it has no body"));
        };
        let turn = self.turn();
        let carried = self.carried(op, ir.operands(op))?;
        let first = self.buffers.len();
        self.bind(ir.args(before), &carried);
        let (asked, passed) = self.apart(before)?;
        let (flag, passed) = passed.split_first().ok_or_else(|| refuse(ir, op, "it has no condition"))?;
        let flag = self.number(op, *flag)?;
        let passed = passed.iter().map(|&value| self.value(op, value)).collect::<Result<Vec<_>, _>>()?;
        let results: Vec<ValueId> = ir.results(op).collect();
        for (&value, known) in ir.args(after).iter().chain(&results).zip(passed.iter().chain(&passed)) {
            self.values.insert(value, known.clone());
        }
        let (mut done, given) = self.round(after, &carried)?;
        self.next_round(op, &mut done, turn, &carried, &given, first)?;
        self.drafts.push(Draft::Loop { before: asked, flag, after: done });
        Ok(())
    }

    /// `scf.for`: a number that grows from round to round.
    pub(super) fn count(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let body = self.only_block(op, 0)?.ok_or_else(|| refuse(ir, op, "it has no body"))?;
        let [lower, upper, step] = [0, 1, 2].map(|at| self.number(op, ir.operand(op, at)));
        let (lower, upper, step) = (lower?, upper?, step?);
        let turn = self.turn();
        let [counter, goes_on] = [(); 2].map(|()| self.variable());
        if self.is_count(&lower) && self.is_count(&step) {
            self.naturals.insert(counter);
        }
        let carried = self.carried(op, &ir.operands(op)[3..])?;
        let first = self.buffers.len();
        self.set(counter, lower);
        let count = self.symbol_of(counter);
        let (number, args) = ir.args(body).split_first().expect("the first argument of a loop is its number");
        self.values.insert(*number, Value::Number(count.clone()));
        self.bind(args, &carried);
        let (mut done, given) = self.round(body, &carried)?;
        self.next_round(op, &mut done, turn, &carried, &given, first)?;
        let results: Vec<ValueId> = ir.results(op).collect();
        self.bind(&results, &carried);
        done.push(Draft::Set { number: counter, to: Number::Of(Expr::binary(BinOp::Add, count.clone(), step)) });
        let before = vec![Draft::Set { number: goes_on, to: Number::Less(count, upper) }];
        self.drafts.push(Draft::Loop { before, flag: self.symbol_of(goes_on), after: done });
        Ok(())
    }

    /// The number that says which of two places a round reads.
    fn turn(&mut self) -> Turn {
        let (number, at) = (self.variable(), self.drafts.len());
        self.set(number, Expr::Const(0));
        Turn { number, at }
    }

    /// What a loop begins with.
    fn carried(&mut self, op: OpId, inits: &[ValueId]) -> Result<Vec<Carried>, Diag> {
        let ir = &self.host.ir;
        let mut carried = Vec::new();
        for &init in inits {
            carried.push(match self.in_memory(op, init)? {
                Value::Number(number) => {
                    let variable = self.variable();
                    self.set(variable, number);
                    Carried::Number { number: variable, is_float: false }
                }
                Value::Bits(bits) => {
                    let variable = self.variable();
                    self.set(variable, bits);
                    Carried::Number { number: variable, is_float: true }
                }
                Value::Tensor(from, extents) => {
                    let bytes = self.buffers[from].bytes.clone();
                    let buffer = self.buffer_of(bytes, None);
                    // Nobody else knows what a kernel has given this loop alone.
                    let is_given = ir.def_op(init).is_some_and(|made| ir.opcode(made) == Opcode::FuncCall);
                    self.begin_with(buffer, from, is_given && ir.uses(init).count() == 1);
                    Carried::Tensor { buffer, extents }
                }
                _ => return Err(refuse(ir, op, "it carries a float of the function's arguments")),
            });
        }
        Ok(carried)
    }

    /// Lets a buffer begin with what another one holds, which nobody else asks for.
    fn begin_with(&mut self, buffer: usize, from: usize, is_last: bool) {
        (self.buffers[buffer].is_written, self.buffers[buffer].is_carried) = (true, true);
        if self.buffers[from].place.is_none() && !self.buffers[from].is_written {
            // What a kernel has not written has no contents.
            self.drafts.push(Draft::Begin(buffer));
        } else if is_last && self.is_free(from) && self.nesting == 0 {
            self.buffers[from].within = Some((buffer, Expr::Const(0)));
        } else if let Some(with) = self.filling(from) {
            self.drafts.push(Draft::Fill { to: buffer, with });
        } else {
            self.copy(from, buffer);
        }
    }

    /// The bytes that a constant has again and again.
    fn filling(&self, buffer: usize) -> Option<Vec<u8>> {
        let Some(Place { base: Base::Constant(at), .. }) = self.buffers[buffer].place else { return None };
        let bytes = self.sequence.constants[at].bytes.as_ref()?;
        let repeats = |&n: &usize| bytes.len() % n == 0 && bytes.chunks_exact(n).all(|chunk| *chunk == bytes[..n]);
        [1, 2, 4].into_iter().filter(|&n| n <= bytes.len()).find(repeats).map(|n| bytes[..n].to_vec())
    }

    /// Whether a buffer may lie anywhere.
    fn is_free(&self, buffer: usize) -> bool {
        let Buffer { place, within, is_written, is_carried, .. } = &self.buffers[buffer];
        place.is_none() && within.is_none() && *is_written && !*is_carried
    }

    pub(super) fn copy(&mut self, from: usize, to: usize) {
        let bytes = self.buffers[from].bytes.clone();
        self.drafts.push(Draft::Copy { from, to, bytes, rows: None });
    }

    /// Whether a step uses a part of a buffer.
    fn mentions(&self, draft: &Draft, root: usize) -> bool {
        draft.buffers().into_iter().any(|buffer| self.root(buffer) == root)
            || draft.inner().into_iter().flatten().any(|inner| self.mentions(inner, root))
    }

    fn bind(&mut self, values: &[ValueId], carried: &[Carried]) {
        for (&value, carried) in values.iter().zip(carried) {
            let known = match carried {
                Carried::Number { number, is_float: false } => Value::Number(self.symbol_of(*number)),
                Carried::Number { number, is_float: true } => Value::Bits(self.symbol_of(*number)),
                Carried::Tensor { buffer, extents } => Value::Tensor(*buffer, extents.clone()),
            };
            self.values.insert(value, known);
        }
    }

    /// What a round gives becomes what the next one begins with: steps behind those of the round.
    fn next_round(
        &mut self,
        op: OpId,
        after: &mut Vec<Draft>,
        Turn { number: turn, at }: Turn,
        carried: &[Carried],
        given: &[ValueId],
        first: usize,
    ) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let outer = std::mem::replace(&mut self.drafts, std::mem::take(after));
        let mut sets = Vec::new();
        let mut turns = false;
        for (carried, &value) in carried.iter().zip(given) {
            match (carried, self.in_memory(op, value)?) {
                (Carried::Number { number, is_float: false }, Value::Number(to))
                | (Carried::Number { number, is_float: true }, Value::Bits(to)) => {
                    if to != self.symbol_of(*number) {
                        sets.push((*number, to));
                    }
                }
                (Carried::Tensor { buffer, extents }, Value::Tensor(from, shape)) => {
                    if *extents != shape {
                        return Err(refuse(ir, op, "a tensor that it carries changes its extents"));
                    }
                    if from == *buffer {
                        continue;
                    }
                    turns = true;
                    let size = aligned(&self.buffers[*buffer].bytes).simplified();
                    let both = Expr::binary(BinOp::Mul, size.clone(), Expr::Const(2)).simplified();
                    let both = self.buffer_of(both, None);
                    let read = Expr::binary(BinOp::Mul, self.symbol_of(turn), size.clone());
                    let negative = Expr::binary(BinOp::Mul, read.clone(), Expr::Const(-1));
                    let written = Expr::binary(BinOp::Add, size, negative);
                    self.buffers[*buffer].within = Some((both, read));
                    if from >= first && self.is_free(from) {
                        self.buffers[from].within = Some((both, written));
                    } else {
                        let bytes = self.buffers[*buffer].bytes.clone();
                        let to = self.part(both, written, bytes);
                        self.copy(from, to);
                    }
                }
                _ => return Err(refuse(ir, op, "what a round gives is of another kind than what it begins with")),
            }
        }
        for carried in carried {
            if let Carried::Tensor { buffer, .. } = carried {
                self.buffers[*buffer].is_carried = false;
            }
        }
        // All are computed of what the round began with.
        let last = sets.len().saturating_sub(1);
        let mut late = Vec::new();
        for (at, (number, to)) in sets.into_iter().enumerate() {
            let to = if at == last || matches!(to, Expr::Const(_)) {
                to
            } else {
                let new = self.variable();
                self.set(new, to);
                self.symbol_of(new)
            };
            late.push((number, to));
        }
        late.reverse();
        late.into_iter().for_each(|(number, to)| self.set(number, to));
        if turns {
            let negative = Expr::binary(BinOp::Mul, self.symbol_of(turn), Expr::Const(-1));
            self.set(turn, Expr::binary(BinOp::Add, negative, Expr::Const(1)));
        }
        *after = std::mem::replace(&mut self.drafts, outer);
        if !turns {
            self.drafts.remove(at);
        }
        Ok(())
    }

    /// `scf.index_switch`: which block a number says.
    pub(super) fn switch(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let number = self.number(op, ir.operand(op, 0))?;
        let cases = ir.attr_id(op, "cases").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let mut flags = Vec::new();
        for (at, case) in cases.into_iter().enumerate() {
            // The first region is that of what no case is.
            flags.push((self.named(Number::Equal(number.clone(), Expr::Const(case))), at + 1));
        }
        self.branch(op, &flags, 0)
    }

    /// `scf.if` and `scf.index_switch`: one of several blocks; which one each number but the last one says.
    pub(super) fn branch(&mut self, op: OpId, cases: &[(Expr, usize)], default: usize) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let results: Vec<ValueId> = ir.results(op).collect();
        let mut into: Vec<Option<Value>> = vec![None; results.len()];
        let mut lists = Vec::new();
        for region in cases.iter().map(|&(_, region)| region).chain([default]) {
            let first = self.buffers.len();
            let (drafts, given) = match self.only_block(op, region)? {
                Some(block) => self.apart(block)?,
                None => (Vec::new(), Vec::new()),
            };
            if given.len() != results.len() {
                return Err(refuse(ir, op, "a block gives other results"));
            }
            let outer = std::mem::replace(&mut self.drafts, drafts);
            for (into, &value) in into.iter_mut().zip(&given) {
                let given = self.in_memory(op, value)?;
                *into = Some(self.give(op, given, into.take(), first)?);
            }
            lists.push(std::mem::replace(&mut self.drafts, outer));
        }
        let mut otherwise = lists.pop().expect("there is a block for what no case is");
        for ((flag, _), then) in cases.iter().zip(lists).rev() {
            otherwise = vec![Draft::If { flag: flag.clone(), then, otherwise }];
        }
        self.drafts.append(&mut otherwise);
        for (result, value) in results.into_iter().zip(into) {
            self.values.insert(result, value.expect("each block gives each result"));
        }
        Ok(())
    }

    /// Lets what a block gives be a result of the branch around it, of which this is known from the blocks in front.
    fn give(&mut self, op: OpId, given: Value, known: Option<Value>, first: usize) -> Result<Value, Diag> {
        match (known, given) {
            (None, Value::Number(to)) => Ok(Value::Number(self.chosen(None, to))),
            (None, Value::Bits(to)) => Ok(Value::Bits(self.chosen(None, to))),
            (Some(Value::Number(known)), Value::Number(to)) => Ok(Value::Number(self.chosen(Some(&known), to))),
            (Some(Value::Bits(known)), Value::Bits(to)) => Ok(Value::Bits(self.chosen(Some(&known), to))),
            (None, Value::Tensor(from, extents)) => {
                let bytes = self.buffers[from].bytes.clone();
                let into = self.buffer_of(bytes, None);
                self.buffers[into].is_written = true;
                self.lay_into(from, into, first);
                Ok(Value::Tensor(into, extents))
            }
            (Some(Value::Tensor(into, extents)), Value::Tensor(from, shape)) if extents == shape => {
                self.lay_into(from, into, first);
                Ok(Value::Tensor(into, extents))
            }
            _ => Err(refuse(&self.host.ir, op, "its blocks give results of different kinds or extents")),
        }
    }

    /// A number that a branch sets: a new one, or that which its blocks in front set.
    fn chosen(&mut self, known: Option<&Expr>, to: Expr) -> Expr {
        let number = match known {
            Some(Expr::Sym(symbol)) => *symbol as usize - self.sequence.parameters.len(),
            _ => self.variable(),
        };
        self.set(number, to);
        self.symbol_of(number)
    }

    /// Lets a tensor that a block has made, or a copy of another one, lie in a buffer.
    fn lay_into(&mut self, from: usize, into: usize, first: usize) {
        if from >= first && self.is_free(from) {
            self.buffers[from].within = Some((into, Expr::Const(0)));
        } else {
            self.copy(from, into);
        }
    }

    /// `tensor.extract`: a number is read where a kernel has written it.
    pub(super) fn read(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let result = ir.result(op, 0);
        let indices =
            ir.operands(op)[1..].iter().map(|&index| self.number(op, index)).collect::<Result<Vec<_>, _>>()?;
        let value = match self.value(op, ir.operand(op, 0))? {
            Value::Numbers(numbers) => {
                let known = match indices[..] {
                    [Expr::Const(at)] => usize::try_from(at).ok().and_then(|at| numbers.get(at).cloned()),
                    [] => numbers.first().cloned(),
                    _ => None,
                };
                let known = known.ok_or_else(|| refuse(ir, op, "which number it takes is not known"))?;
                match ir.ty(result) {
                    Type::Float(_) => Value::Bits(known),
                    _ => Value::Number(known),
                }
            }
            Value::Tensor(buffer, extents) => {
                let elem = self.elem(op, ir.operand(op, 0))?;
                if !is_held(elem) {
                    return Err(refuse(ir, op, "it reads a number of another width than memory has"));
                }
                let strides = strides(&extents, elem);
                let byte = offset(&indices, &strides);
                let from = self.part(buffer, byte, Expr::Const(elem.bytes() as i64));
                let number = self.variable();
                self.drafts.push(Draft::Read { number, from, elem });
                if elem.bits() == 1 {
                    self.naturals.insert(number);
                }
                match elem {
                    Scalar::Float(_) => Value::Bits(self.symbol_of(number)),
                    Scalar::Int(_) | Scalar::Index => Value::Number(self.symbol_of(number)),
                }
            }
            _ => return Err(refuse(ir, op, "it takes a tensor")),
        };
        self.values.insert(result, value);
        Ok(())
    }

    /// `tensor.insert_slice`: rows of a tensor are written to another one, which a loop carries, which is new, or which is a
    /// copy.
    pub(super) fn insert(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let [source, dest] = [0, 1].map(|at| ir.operand(op, at));
        let (from, _) = self.tensor(op, source)?;
        let (mut into, extents) = self.tensor(op, dest)?;
        let elem = self.elem(op, dest)?;
        let run = self.run(op, &extents, elem)?;
        if self.is_new(op, dest, into) {
            self.buffers[into].is_written = true;
        } else if !self.is_own(op, dest, into) {
            let bytes = self.buffers[into].bytes.clone();
            let copy = self.buffer_of(bytes, None);
            self.buffers[copy].is_written = true;
            self.copy(into, copy);
            into = copy;
        }
        if !self.lies_inside(from, into, &run) {
            let end = Expr::binary(BinOp::Add, self.buffers[into].bytes.clone(), negative(run.byte.clone()));
            let length = if run.rows.is_none() { run.bytes.clone() } else { end.simplified() };
            let to = self.part(into, run.byte, length);
            self.drafts.push(Draft::Copy { from, to, bytes: run.bytes, rows: run.rows });
        }
        self.values.insert(ir.result(op, 0), Value::Tensor(into, extents));
        Ok(())
    }

    /// `tensor.extract_slice`: where the rows are, or a copy of them.
    pub(super) fn slice(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = &self.host.ir;
        let (from, extents) = self.tensor(op, ir.operand(op, 0))?;
        let elem = self.elem(op, ir.operand(op, 0))?;
        let Run { byte, bytes, rows } = self.run(op, &extents, elem)?;
        let result = ir.result(op, 0);
        let kept = self.stated(op, result, &[])?;
        let end = Expr::binary(BinOp::Add, self.buffers[from].bytes.clone(), negative(byte.clone())).simplified();
        let part = self.part(from, byte, end);
        let slice = self.buffer(&kept, elem, None);
        self.buffers[slice].is_written = true;
        let rows = rows.map(|Rows { count, pitches: [ours, theirs] }| Rows { count, pitches: [theirs, ours] });
        self.drafts.push(Draft::Copy { from: part, to: slice, bytes, rows });
        self.values.insert(result, Value::Tensor(slice, kept));
        Ok(())
    }

    /// The part of a tensor that a slice is.
    fn run(&mut self, op: OpId, extents: &[Expr], elem: Scalar) -> Result<Run, Diag> {
        let ir = &self.host.ir;
        let number = |mixed| match mixed {
            Mixed::Static(number) => Ok(Expr::Const(number)),
            Mixed::Value(value) => self.number(op, value),
        };
        let numbers = |list: &[Mixed]| list.iter().map(|&mixed| number(mixed)).collect::<Result<Vec<_>, _>>();
        let view = SliceView::of(ir, op);
        let (offsets, sizes, steps) = (numbers(&view.offsets)?, numbers(&view.sizes)?, numbers(&view.strides)?);
        Run::of(extents, &offsets, &sizes, &steps, elem)
            .ok_or_else(|| refuse(ir, op, "its part of the tensor is not rows one behind another"))
    }

    /// Whether a tensor is carried by the loop around an operation, which alone uses it.
    fn is_own(&self, op: OpId, dest: ValueId, buffer: usize) -> bool {
        let ir = &self.host.ir;
        let block = ir.parent_block(op);
        let is_it = |&&arg: &&ValueId| matches!(self.values.get(&arg), Some(Value::Tensor(of, _)) if *of == buffer);
        let args = block.map_or(&[][..], |block| ir.args(block));
        self.own.contains(&buffer)
            && args.contains(&dest)
            && args.iter().filter(is_it).count() == 1
            && ir.uses(dest).count() == 1
    }

    /// Whether a tensor has no elements but those that other operations of the block have inserted, and an operation alone
    /// uses it.
    fn is_new(&self, op: OpId, dest: ValueId, buffer: usize) -> bool {
        let ir = &self.host.ir;
        let made = ir.def_op(dest).filter(|&made| ir.parent_block(made) == ir.parent_block(op));
        let is_new = |made: OpId| match ir.opcode(made) {
            Opcode::TensorEmpty => true,
            Opcode::TensorInsertSlice => self.buffers[buffer].is_written,
            _ => false,
        };
        let Buffer { place, within, is_carried, .. } = &self.buffers[buffer];
        made.is_some_and(is_new)
            && (place.is_none() && within.is_none() && !is_carried && buffer >= self.first)
            && ir.uses(dest).count() == 1
    }

    /// Some bytes of a buffer as those of what it is a part of in the end.
    fn part_of_root(&self, mut buffer: usize, byte: &Expr, bytes: &Expr) -> (usize, Expr, Expr) {
        let mut first = byte.clone();
        while let Some((of, byte)) = &self.buffers[buffer].within {
            (buffer, first) = (*of, Expr::binary(BinOp::Add, first, byte.clone()));
        }
        (buffer, first.simplified(), bytes.clone())
    }

    /// Whether a step may use some bytes.
    fn touches(&self, draft: &Draft, (root, first, bytes): &(usize, Expr, Expr)) -> bool {
        let is_apart = |buffer: usize| {
            let own = self.part_of_root(buffer, &Expr::Const(0), &self.buffers[buffer].bytes);
            match (own, first, bytes) {
                ((of, ..), ..) if of != *root => true,
                ((_, Expr::Const(own), Expr::Const(length)), Expr::Const(first), Expr::Const(bytes)) => {
                    own + length <= *first || first + bytes <= own
                }
                _ => false,
            }
        };
        !draft.buffers().into_iter().all(is_apart)
    }

    /// Lets a tensor that is inserted be made where it is wanted, if nobody looks there meanwhile.
    fn lies_inside(&mut self, from: usize, into: usize, run: &Run) -> bool {
        let Some(made) = self.drafts.iter().position(|draft| self.mentions(draft, from)) else { return false };
        let behind = &self.drafts[made..];
        let place = self.part_of_root(into, &run.byte, &run.bytes);
        let first = self.sequence.parameters.len();
        let of_place = symbols_of(&run.byte);
        let changes = |draft: &Draft| draft.sets().is_some_and(|number| of_place.contains(&(first + number)));
        let lies = run.rows.is_none()
            && self.is_free(from)
            && from >= self.first
            && matches!(behind[0], Draft::Call { .. })
            && self.buffers[from].bytes == run.bytes
            && run.byte.is_multiple(raddle_emit::Parameter::ALIGNMENT as i64)
            && !behind.iter().any(|draft| self.touches(draft, &place) || changes(draft) || draft.has_inner());
        if lies {
            self.buffers[from].within = Some((into, run.byte.clone()));
        }
        lies
    }
}

/// The part of a tensor that is written.
struct Run {
    /// Where it begins.
    byte: Expr,
    /// Of a row.
    bytes: Expr,
    rows: Option<Rows>,
}

impl Run {
    /// The bytes of a slice of a tensor, if they are one row or rows that are as far apart, each one behind another where they
    /// come from.
    fn of(extents: &[Expr], offsets: &[Expr], sizes: &[Expr], steps: &[Expr], elem: Scalar) -> Option<Run> {
        let rank = extents.len();
        if [offsets, sizes, steps].iter().any(|list| list.len() != rank) {
            return None;
        }
        let one = Expr::Const(1);
        if sizes.iter().zip(steps).any(|(size, step)| *step != one && *size != one) {
            return None;
        }
        let is_whole = |d: usize| sizes[d] == extents[d] && offsets[d] == Expr::Const(0);
        let strides = strides(extents, elem);
        let byte = offset(offsets, &strides);
        let [first, part] = carried::rows(rank, &|d| sizes[d] == one, &is_whole)?;
        if rank == 0 {
            return Some(Run { byte, bytes: Expr::Const(elem.bytes() as i64), rows: None });
        }
        let bytes = Expr::binary(BinOp::Mul, sizes[part].clone(), strides[part].clone()).simplified();
        if first == part {
            return Some(Run { byte, bytes, rows: None });
        }
        let count = (first..part).fold(one, |count, d| Expr::binary(BinOp::Mul, sizes[d].clone(), count)).simplified();
        let pitches = [bytes.clone(), strides[part - 1].clone()];
        Some(Run { byte, bytes, rows: Some(Rows { count, pitches }) })
    }
}

/// Bytes from an element to the next one along each dimension.
fn strides(extents: &[Expr], elem: Scalar) -> Vec<Expr> {
    let mut stride = Expr::Const(elem.bytes() as i64);
    let mut strides = vec![stride.clone(); extents.len()];
    for (d, extent) in extents.iter().enumerate().rev() {
        strides[d] = stride.clone();
        stride = Expr::binary(BinOp::Mul, extent.clone(), stride).simplified();
    }
    strides
}

fn offset(indices: &[Expr], strides: &[Expr]) -> Expr {
    let terms =
        indices.iter().zip(strides).map(|(index, stride)| Expr::binary(BinOp::Mul, index.clone(), stride.clone()));
    terms.fold(Expr::Const(0), |all, term| Expr::binary(BinOp::Add, all, term)).simplified()
}

fn negative(expr: Expr) -> Expr {
    Expr::binary(BinOp::Mul, expr, Expr::Const(-1))
}
