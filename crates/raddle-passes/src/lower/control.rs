//! Lower loops and branches: carried vectors become carried scalars.

use raddle_ir::{AttrId, BlockId, Diag, OpId, Opcode, RegionId, Scalar, TypeId, ValueId};

use super::linear::Fact;
use super::{Cx, Part};
use crate::code::extents::gcd;

/// `eq` as `arith.cmpi` numbers it.
const EQUAL: i64 = 0;

impl Cx<'_> {
    pub(super) fn for_loop(&mut self, op: OpId) -> Result<(), Diag> {
        if self.ir.opcode(op) != Opcode::ScfFor {
            return Err(self
                .refuse(op)
                .help("parallel loops end with tiling: run the pipeline up to `distributed` first"));
        }
        let old = self.ir.operands(op).to_vec();
        let mut operands = vec![self.scalar(old[0]), self.scalar(old[1]), self.scalar(old[2])];
        let (mut elements, mut widths) = (Vec::new(), Vec::new());
        for &value in &old[3..] {
            elements.clear();
            self.flatten(op, &[value], &mut elements)?;
            let words = self.words(value, &elements);
            widths.push(words.len());
            operands.extend(words);
        }
        let types: Vec<TypeId> = operands[3..].iter().map(|&value| self.ir.type_of(value)).collect();
        let new = self.copy(op, &operands, &types);
        let attrs = self.without_layouts(op);
        self.ir.set_attr_dict(new, attrs);
        let region = self.ir.add_region(new);
        let iv_type = self.ir.type_of(operands[0]);
        let block = self.ir.add_block(region, &[&[iv_type], &types[..]].concat());

        let old_block = self.ir.entry(op);
        let args = self.ir.args(block).to_vec();
        let old_args = self.ir.args(old_block).to_vec();
        // Bounds compared without sign say nothing about a range of signed numbers.
        if self.ir.type_of(args[0]) == self.index && self.ir.attr_id(op, "unsignedCmp").is_none() {
            self.set_induction(old_args[0], args[0], &old[..3]);
        } else {
            self.set_elements(old_args[0], &[args[0]]);
        }
        self.owners.push(new);
        self.blocks.push(block);
        self.split_words(&old_args[1..], &widths, &args[1..]);
        self.ops(&self.ir.ops_of(old_block))?;
        self.blocks.pop();
        self.owners.pop();
        let old: Vec<ValueId> = self.ir.results(op).collect();
        let results: Vec<ValueId> = self.ir.results(new).collect();
        self.split_words(&old, &widths, &results);
        Ok(())
    }

    /// A vector's elements as words of 32 bits, where several elements fill one; what a loop carries stays packed.
    fn words(&mut self, value: ValueId, elements: &[ValueId]) -> Vec<ValueId> {
        if self.native {
            return elements.to_vec();
        }
        let elem = self.ir.elem_of(value);
        let per_word = match Scalar::of(&self.ir[elem]).map(Scalar::bits) {
            Some(8) => 4,
            Some(16) => 2,
            _ => 1,
        };
        if per_word == 1 || !self.ir.ty(value).is_vector() || !elements.len().is_multiple_of(per_word) {
            return elements.to_vec();
        }
        let ty = self.ir.vector_type(&[per_word as i64], elem);
        let word = |word: &[ValueId]| self.value(Opcode::VectorFromElements, word, ty, self.no_attrs);
        elements.chunks(per_word).map(word).collect()
    }

    /// Gives each old value the elements of its share of new words.
    fn split_words(&mut self, old: &[ValueId], widths: &[usize], new: &[ValueId]) {
        let mut rest = new;
        for (&value, &width) in old.iter().zip(widths) {
            let (head, tail) = rest.split_at(width);
            let mut elements = Vec::new();
            for &word in head {
                if self.ir.ty(word).is_vector() && !self.native {
                    elements.extend(self.unpack(word));
                } else {
                    elements.push(word);
                }
            }
            self.set_elements(value, &elements);
            rest = tail;
        }
    }

    /// What is known of the loop variable, from what is known of the bounds.
    fn set_induction(&mut self, old: ValueId, new: ValueId, bounds: &[ValueId]) {
        let [lower, upper, step] = [0, 1, 2].map(|i| self.form(bounds[i]));
        let step = self.forms.as_constant(step).unwrap_or(0);
        let (low, high) = (self.forms.range(lower), self.forms.range(upper));
        // A step below 1 is undefined; nothing is concluded from it.
        let range = match (low, high) {
            (Some((low, _)), Some((_, high))) if step > 0 && low < high => {
                // The last value below the greatest end, counted from the only start.
                let last = match self.forms.as_constant(lower) {
                    Some(start) => high
                        .checked_sub(1)
                        .and_then(|last| last.checked_sub(start))
                        .map(|span| span / step * step + start),
                    None => high.checked_sub(1),
                };
                last.map(|last| (low, last))
            }
            (Some((low, _)), None) if step > 0 => Some((low, i64::MAX)),
            _ => None,
        };
        let multiple = if step > 0 { gcd(self.forms.multiple(lower), step) } else { 1 };
        let fact = Fact { depth: self.owners.len() as u32 + 1, range, multiple };
        let form = self.forms.value(new, fact);
        if step > 0 && self.checked.is_some() {
            self.ends.push((form, upper));
        }
        self.set_index(old, form);
    }

    /// The types of all elements of some values, and how many each value has.
    pub(super) fn flat_types(&self, op: OpId, values: &[ValueId]) -> Result<(Vec<TypeId>, Vec<usize>), Diag> {
        let (mut types, mut widths) = (Vec::new(), Vec::new());
        for &value in values {
            if !self.is_register(value) {
                return Err(self
                    .refuse(op)
                    .label("a value that comes out or is passed on is neither a scalar nor a vector"));
            }
            let (n, elem) = (self.n_parts(value), self.part_type(value));
            widths.push(n);
            types.extend(std::iter::repeat_n(elem, n));
        }
        Ok((types, widths))
    }

    /// `scf.while`: what comes in, what goes round and what comes out are elements.
    pub(super) fn while_loop(&mut self, op: OpId) -> Result<(), Diag> {
        let old = self.ir.operands(op).to_vec();
        let mut operands = Vec::new();
        self.flatten(op, &old, &mut operands)?;
        let (types, widths) = self.flat_types(op, &self.ir.results(op).collect::<Vec<_>>())?;
        let new = self.copy(op, &operands, &types);
        let attrs = self.without_layouts(op);
        self.ir.set_attr_dict(new, attrs);
        for region in self.ir.regions(op).to_vec() {
            let Some(&old_block) = self.ir.blocks(region).first() else { return Err(self.refuse(op)) };
            let args = self.ir.args(old_block).to_vec();
            let (types, widths) = self.flat_types(op, &args)?;
            let new_region = self.ir.add_region(new);
            let block = self.ir.add_block(new_region, &types);
            let new_args = self.ir.args(block).to_vec();
            self.split(&args, &widths, &new_args);
            self.nest(new, block, old_block)?;
        }
        self.take_results(op, new, &widths);
        Ok(())
    }

    /// `scf.execute_region`: of one block, it runs where it stands.
    fn run_region(&mut self, op: OpId) -> Result<(), Diag> {
        let &[region] = self.ir.regions(op) else { return Err(self.refuse(op)) };
        let &[block] = self.ir.blocks(region) else { return self.copy_region(op, region) };
        let ops = self.ir.ops_of(block);
        let Some((&end, ops)) = ops.split_last() else { return Err(self.refuse(op)) };
        if self.ir.opcode(end) != Opcode::ScfYield {
            return Err(self.refuse(end));
        }
        self.ops(ops)?;
        for (result, value) in self.ir.results(op).zip(self.ir.operands(end).to_vec()) {
            self.parts[result.index()] = self.parts[value.index()];
        }
        Ok(())
    }

    /// `scf.execute_region` of several blocks keeps them.
    fn copy_region(&mut self, op: OpId, region: RegionId) -> Result<(), Diag> {
        let (types, widths) = self.flat_types(op, &self.ir.results(op).collect::<Vec<_>>())?;
        let new = self.emit(Opcode::ScfExecuteRegion, &[], &types, self.no_attrs);
        let copy = self.ir.add_region(new);
        let first = self.ir.add_block(copy, &[]);
        self.owners.push(new);
        self.blocks.push(first);
        self.blocks(op, region, copy)?;
        self.blocks.pop();
        self.owners.pop();
        self.take_results(op, new, &widths);
        Ok(())
    }

    /// `scf.index_switch`: one branch inside the other.
    fn switch(&mut self, op: OpId) -> Result<(), Diag> {
        let cases = self.ir.attr_id(op, "cases").and_then(|cases| self.ir.ints(cases)).unwrap_or_default();
        let regions = self.ir.regions(op).to_vec();
        let results: Vec<ValueId> = self.ir.results(op).collect();
        let (types, widths) = self.flat_types(op, &results)?;
        let flag = self.scalar(self.ir.operand(op, 0));
        let new = self.case(op, flag, &cases, &regions, &types)?;
        self.split(&results, &widths, &new);
        Ok(())
    }

    /// What the cases from the first of `cases` on yield; the default is the first region.
    fn case(
        &mut self,
        op: OpId,
        flag: ValueId,
        cases: &[i64],
        regions: &[RegionId],
        types: &[TypeId],
    ) -> Result<Vec<ValueId>, Diag> {
        let at = if cases.is_empty() { 0 } else { regions.len() - cases.len() };
        let Some(&block) = regions.get(at).and_then(|&region| self.ir.blocks(region).first()) else {
            return Err(self.refuse(op));
        };
        let Some((&case, others)) = cases.split_first() else {
            let ops = self.ir.ops_of(block);
            let Some((&end, ops)) = ops.split_last() else { return Err(self.refuse(op)) };
            self.ops(ops)?;
            let mut yielded = Vec::new();
            let old = self.ir.operands(end).to_vec();
            self.flatten(op, &old, &mut yielded)?;
            return Ok(yielded);
        };
        let case = self.int(case, self.index);
        let condition = self.compare(EQUAL, flag, case);
        let branch = self.emit(Opcode::ScfIf, &[condition], types, self.no_attrs);
        let region = self.ir.add_region(branch);
        let inner = self.ir.add_block(region, &[]);
        self.nest(branch, inner, block)?;
        self.open(branch);
        let otherwise = self.case(op, flag, others, regions, types)?;
        self.close(&otherwise);
        Ok(self.ir.results(branch).collect())
    }

    pub(super) fn branch(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::ScfIf => {}
            Opcode::ScfExecuteRegion => return self.run_region(op),
            Opcode::ScfIndexSwitch => return self.switch(op),
            _ => return Err(self.refuse(op)),
        }
        let condition = self.scalar(self.ir.operand(op, 0));
        let (types, widths) = self.flat_types(op, &self.ir.results(op).collect::<Vec<_>>())?;
        let new = self.copy(op, &[condition], &types);
        let attrs = self.without_layouts(op);
        self.ir.set_attr_dict(new, attrs);
        for (at, region) in self.ir.regions(op).to_vec().into_iter().enumerate() {
            let new_region = self.ir.add_region(new);
            if let Some(&old_block) = self.ir.blocks(region).first() {
                let block = self.ir.add_block(new_region, &[]);
                if at == 0 {
                    self.learn(block, self.ir.operand(op, 0));
                }
                self.nest(new, block, old_block)?;
            }
        }
        self.take_results(op, new, &widths);
        Ok(())
    }

    /// Ends a block: passes on all elements.
    pub(super) fn leave(&mut self, op: OpId) -> Result<OpId, Diag> {
        match self.ir.opcode(op) {
            Opcode::ScfYield | Opcode::FuncReturn | Opcode::ScfCondition => {
                let old = self.ir.operands(op).to_vec();
                let mut operands = Vec::with_capacity(old.len());
                let carried = self.ir.parent_op(op).is_some_and(|around| self.ir.opcode(around) == Opcode::ScfFor);
                for value in old {
                    let mut elements = Vec::new();
                    self.flatten(op, &[value], &mut elements)?;
                    operands.extend(if carried { self.words(value, &elements) } else { elements });
                }
                Ok(self.copy(op, &operands, &[]))
            }
            Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch => self.jump(op),
            _ => Err(self.refuse(op)),
        }
    }

    /// Lowers the operations of `old` into `block`, which `owner` holds.
    fn nest(&mut self, owner: OpId, block: BlockId, old: BlockId) -> Result<(), Diag> {
        self.owners.push(owner);
        self.blocks.push(block);
        self.ops(&self.ir.ops_of(old))?;
        self.blocks.pop();
        self.owners.pop();
        Ok(())
    }

    /// Opens a block of an operation that the lowering itself makes; [`Cx::close`] ends it.
    pub(super) fn open(&mut self, owner: OpId) {
        let region = self.ir.add_region(owner);
        let block = self.ir.add_block(region, &[]);
        self.owners.push(owner);
        self.blocks.push(block);
    }

    /// Ends the innermost open block with what it yields.
    pub(super) fn close(&mut self, yielded: &[ValueId]) {
        self.emit(Opcode::ScfYield, yielded, &[], self.no_attrs);
        self.blocks.pop();
        self.owners.pop();
    }

    /// Appends the elements of all values, and returns how many each has.
    pub(super) fn flatten(
        &mut self,
        op: OpId,
        values: &[ValueId],
        into: &mut Vec<ValueId>,
    ) -> Result<Vec<usize>, Diag> {
        let mut widths = Vec::with_capacity(values.len());
        for &value in values {
            if matches!(self.parts[value.index()], Part::Memory(_)) {
                return Err(self
                    .refuse(op)
                    .label("a memref is passed on here")
                    .help("use the memref itself inside the region"));
            }
            let run = self.elements(value);
            widths.push(run.len());
            into.extend_from_slice(&self.pool[run]);
        }
        Ok(widths)
    }

    /// Gives each old value its share of the new ones.
    pub(super) fn split(&mut self, old: &[ValueId], widths: &[usize], new: &[ValueId]) {
        let mut rest = new;
        for (&value, &width) in old.iter().zip(widths) {
            let (head, tail) = rest.split_at(width);
            self.set_elements(value, head);
            rest = tail;
        }
    }

    fn take_results(&mut self, old: OpId, new: OpId, widths: &[usize]) {
        let old: Vec<ValueId> = self.ir.results(old).collect();
        let new: Vec<ValueId> = self.ir.results(new).collect();
        self.split(&old, widths, &new);
    }

    fn without_layouts(&mut self, op: OpId) -> AttrId {
        let attrs = self.ir.attr_dict(op);
        if self.ir.attr_id(op, "layouts").is_none() {
            return attrs;
        }
        let entries: Vec<(String, AttrId)> = self
            .ir
            .entries(attrs)
            .iter()
            .map(|&(name, value)| (self.ir[name].to_owned(), value))
            .filter(|entry| entry.0 != "layouts")
            .collect();
        let entries: Vec<(&str, AttrId)> = entries.iter().map(|(name, value)| (&name[..], *value)).collect();
        self.ir.dict(&entries)
    }
}
