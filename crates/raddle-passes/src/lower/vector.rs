//! Lower vector operations by renaming: which element of the result is which element of the operand.
//!
//! Nearly all are one question: walk the result's shape row by row, and step through the operand by a stride for each
//! dimension. A dimension that repeats has stride 0.

use std::ops::Range;

use raddle_ir::views::Matrices;
use raddle_ir::{Attr, DYNAMIC, Diag, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use super::Cx;
use crate::clean::number;
use crate::code::extents::row_major;

/// `first + Σ at·stride` for each coordinate of the shape, row by row.
pub(super) fn walk(shape: &[i64], first: i64, strides: &[i64]) -> Vec<i64> {
    let mut found = vec![first];
    for (&size, &stride) in shape.iter().zip(strides) {
        found = found.iter().flat_map(|&start| (0..size).map(move |at| start + at * stride)).collect();
    }
    found
}

impl Cx<'_> {
    /// Takes elements of a run by their numbers.
    fn gather(&mut self, result: ValueId, run: &Range<usize>, numbers: &[i64]) {
        let start = self.pool.len() as u32;
        self.pool.reserve(numbers.len());
        for &number in numbers {
            let element = self.pool[run.start + number as usize];
            self.pool.push(element);
        }
        self.parts[result.index()] = super::Part::Elements { start, len: numbers.len() as u32 };
    }

    /// Makes a run of elements stand for a value.
    fn set_run(&mut self, value: ValueId, run: Range<usize>) {
        self.parts[value.index()] = super::Part::Elements { start: run.start as u32, len: run.len() as u32 };
    }

    fn ints(&self, op: OpId, name: &str) -> Result<Vec<i64>, Diag> {
        let ints = self.ir.attr_id(op, name).and_then(|attr| self.ir.ints(attr));
        ints.ok_or_else(|| self.refuse(op).label(format!("without `{name}`")))
    }

    pub(super) fn constant_op(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let n = self.n_elements(result);
        let elem = self.ir.elem_of(result);
        if !self.is_register(result) {
            return Err(self.refuse(op).label("neither a scalar nor a vector"));
        }
        match self.ir.opcode(op) {
            Opcode::VectorStep => {
                let elements: Vec<ValueId> = (0..n as i64).map(|at| self.int(at, elem)).collect();
                self.set_elements(result, &elements);
            }
            // Any value will do.
            Opcode::UbPoison => {
                let zero = match self.ir[elem] {
                    Type::Float(_) => Attr::float(0.0, elem),
                    _ => number::attr(self.ir, number::Number::Int(0), elem),
                };
                let zero = self.constant(zero, elem);
                self.set_elements(result, &vec![zero; n]);
            }
            _ => {
                let Some(attr) = self.ir.attr(op, "value").cloned() else { return Err(self.refuse(op)) };
                match attr {
                    Attr::Dense { splat, .. } => {
                        let elements: Vec<ValueId> =
                            self.ir.dense_elems(&attr).into_iter().map(|elem| self.element_constant(elem)).collect();
                        let elements = if splat { vec![elements[0]; n] } else { elements };
                        self.set_elements(result, &elements);
                    }
                    _ => {
                        let value = self.constant(attr, elem);
                        self.set_elements(result, &[value]);
                    }
                }
            }
        }
        Ok(())
    }

    /// The constant of one element of a dense attribute.
    fn element_constant(&mut self, attr: Attr) -> ValueId {
        let (Attr::Int { ty, .. } | Attr::Wide { ty, .. } | Attr::Float { ty, .. } | Attr::LongFloat { ty, .. }) = attr
        else {
            panic!("an element is a number")
        };
        match number::of_attr(self.ir, &attr) {
            // One spelling for each number, so that equal ones meet.
            Some(number @ number::Number::Int(_)) => {
                let attr = number::attr(self.ir, number, ty);
                self.constant(attr, ty)
            }
            _ => self.constant(attr, ty),
        }
    }

    /// Acts on each element alone.
    pub(super) fn elementwise(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        if !self.is_register(result) {
            return Err(self.refuse(op).label("its result is neither a scalar nor a vector"));
        }
        let ty = self.ir.type_of(result);
        if ty == self.index
            && Self::may_be_linear(self.ir.opcode(op))
            && let &[lhs, rhs] = self.ir.operands(op)
        {
            let (a, b) = (self.form(lhs), self.form(rhs));
            if let Some(form) = self.index_arith(self.ir.opcode(op), a, b) {
                self.set_index(result, form);
                return Ok(());
            }
        }
        let opcode = match self.ir.opcode(op) {
            Opcode::VectorFma => Opcode::MathFma,
            opcode => opcode,
        };
        let (attrs, elem) = (self.ir.attr_dict(op), self.ir.elem_of(result));
        let operands = self.ir.operands(op).to_vec();
        if opcode == Opcode::ArithSelect && !self.ir.ty(operands[0]).is_vector() && self.is_word(result) {
            let (condition, [yes, no]) = (self.scalar(operands[0]), [1, 2].map(|at| self.pack(operands[at])));
            let word = self.value(opcode, &[condition, yes, no], ty, attrs);
            let run = self.take_apart(word);
            self.set_run(result, run);
            return Ok(());
        }
        let runs: Vec<Range<usize>> = operands.iter().map(|&operand| self.elements(operand)).collect();
        let n = self.n_elements(result);
        let of_indices = operands.first().is_some_and(|&operand| self.ir.elem_of(operand) == self.index)
            && (opcode == Opcode::ArithCmpi || Self::may_be_linear(opcode));
        let mut elements = Vec::with_capacity(n);
        let (mut at, mut before) = (Vec::with_capacity(runs.len()), Vec::with_capacity(runs.len()));
        for k in 0..n {
            std::mem::swap(&mut at, &mut before);
            at.clear();
            // The condition of a select on vectors may be one scalar.
            at.extend(runs.iter().map(|run| self.pool[run.start + if run.len() == 1 { 0 } else { k }]));
            // Of neighbours that have the same, one is computed: accesses under one condition are one access.
            if let Some(&last) = elements.last().filter(|_| at == before) {
                elements.push(last);
                continue;
            }
            let known = if of_indices { self.of_indices(op, at[0], at[1]) } else { None };
            elements.push(known.unwrap_or_else(|| self.value(opcode, &at, elem, attrs)));
        }
        self.set_elements(result, &elements);
        Ok(())
    }

    /// What is known of an element that is computed of indices: its form, or which way a comparison goes.
    fn of_indices(&mut self, op: OpId, lhs: ValueId, rhs: ValueId) -> Option<ValueId> {
        let (a, b) = (self.form_of_new(lhs), self.form_of_new(rhs));
        if self.ir.opcode(op) == Opcode::ArithCmpi {
            let predicate = self.ir.attr(op, "predicate")?.as_i64()?;
            let truth = self.known_comparison(predicate, a, b)?;
            let bit = self.ir.int_type(1);
            return Some(self.int(-i64::from(truth), bit));
        }
        let form = self.index_arith(self.ir.opcode(op), a, b)?;
        Some(self.compute(form))
    }

    /// Arithmetic with two results, on each element.
    pub(super) fn extended(&mut self, op: OpId) -> Result<(), Diag> {
        let (lhs, rhs) = (self.list(self.ir.operand(op, 0)), self.list(self.ir.operand(op, 1)));
        let results: Vec<ValueId> = self.ir.results(op).collect();
        let types: Vec<TypeId> = results.iter().map(|&result| self.ir.elem_of(result)).collect();
        let mut elements = vec![Vec::new(); results.len()];
        for (lhs, rhs) in lhs.into_iter().zip(rhs) {
            let new = self.copy(op, &[lhs, rhs], &types);
            for (list, value) in elements.iter_mut().zip(self.ir.results(new).collect::<Vec<_>>()) {
                list.push(value);
            }
        }
        for (&result, list) in results.iter().zip(&elements) {
            self.set_elements(result, list);
        }
        Ok(())
    }

    pub(super) fn broadcast(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let run = self.elements(source);
        let (from, to) = (self.ir.shape_of(source), self.ir.shape_of(result));
        let mut strides = vec![0; to.len() - from.len()];
        strides.extend(row_major(from).iter().zip(from).map(|(&stride, &size)| if size == 1 { 0 } else { stride }));
        let numbers = walk(to, 0, &strides);
        self.gather(result, &run, &numbers);
        Ok(())
    }

    pub(super) fn transpose(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let perm = self.ints(op, "permutation")?;
        let run = self.elements(source);
        let from = row_major(self.ir.shape_of(source));
        let strides: Vec<i64> = perm.iter().map(|&d| from[d as usize]).collect();
        let numbers = walk(self.ir.shape_of(result), 0, &strides);
        self.gather(result, &run, &numbers);
        Ok(())
    }

    pub(super) fn reshape(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let run = self.elements(source);
        self.set_run(result, run);
        Ok(())
    }

    /// Takes parts out and puts parts in.
    pub(super) fn slice(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::VectorExtract => self.extract(op),
            Opcode::VectorInsert => self.insert(op),
            Opcode::VectorBitcast => self.vector_bitcast(op),
            Opcode::VectorInterleave | Opcode::VectorDeinterleave => self.interleave(op),
            Opcode::VectorExtractStridedSlice => {
                let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
                let run = self.elements(source);
                let from = row_major(self.ir.shape_of(source));
                let (first, strides) = self.stepped(op, &from)?;
                let numbers = walk(self.ir.shape_of(result), first, &strides);
                self.gather(result, &run, &numbers);
                Ok(())
            }
            Opcode::VectorInsertStridedSlice => {
                let (value, dest) = (self.ir.operand(op, 0), self.ir.operand(op, 1));
                let (value_list, mut elements) = (self.list(value), self.list(dest));
                let into = row_major(self.ir.shape_of(dest));
                let (first, strides) = self.stepped(op, &into)?;
                let shape = self.ir.shape_of(value);
                // The value's dimensions are the last ones of the destination; in front of them there are offsets only.
                let numbers = walk(shape, first, &strides[into.len() - shape.len()..]);
                for (&number, &element) in numbers.iter().zip(&value_list) {
                    elements[number as usize] = element;
                }
                self.set_elements(self.ir.result(op, 0), &elements);
                Ok(())
            }
            Opcode::VectorFromElements => {
                let operands = self.ir.operands(op).to_vec();
                let elements: Vec<ValueId> = operands.into_iter().map(|operand| self.scalar(operand)).collect();
                self.set_elements(self.ir.result(op, 0), &elements);
                Ok(())
            }
            Opcode::VectorToElements => {
                let run = self.elements(self.ir.operand(op, 0));
                for (result, at) in self.ir.results(op).zip(run) {
                    self.set_run(result, at..at + 1);
                }
                Ok(())
            }
            _ => {
                Err(self.refuse(op).help("tensors end with vectorization: run the pipeline up to `distributed` first"))
            }
        }
    }

    /// `vector.shuffle`: rows of one vector behind those of another one.
    pub(super) fn shuffled_rows(&mut self, op: OpId) -> Result<(), Diag> {
        let mut all = self.list(self.ir.operand(op, 0));
        all.extend(self.list(self.ir.operand(op, 1)));
        let (mask, result) = (self.ints(op, "mask")?, self.ir.result(op, 0));
        let row: usize = self.ir.shape_of(result)[1..].iter().product::<i64>() as usize;
        // Number -1 may be any row: the first one.
        let rows = mask.into_iter().map(|at| usize::try_from(at).unwrap_or(0) * row);
        let elements: Vec<ValueId> = rows.flat_map(|first| all[first..first + row].iter().copied()).collect();
        self.set_elements(result, &elements);
        Ok(())
    }

    /// The first element and the steps of a strided slice of an array with the given strides.
    fn stepped(&self, op: OpId, of: &[i64]) -> Result<(i64, Vec<i64>), Diag> {
        let (offsets, steps) = (self.ints(op, "offsets")?, self.ints(op, "strides")?);
        let first = offsets.iter().zip(of).map(|(offset, stride)| offset * stride).sum();
        let mut strides = of.to_vec();
        // An insertion states a step for each dimension of the value, an extraction for each leading dimension.
        let lead = if self.ir.opcode(op) == Opcode::VectorInsertStridedSlice { of.len() - steps.len() } else { 0 };
        for (stride, step) in strides[lead..].iter_mut().zip(&steps) {
            *stride *= step;
        }
        Ok((first, strides))
    }

    /// The first element and the number of elements at a position, which names leading dimensions.
    fn part_at(&self, op: OpId, whole: ValueId) -> Result<(usize, usize), Diag> {
        let shape = self.ir.shape_of(whole);
        let at = self.ir.attr_id(op, "static_position").and_then(|attr| self.ir.ints(attr)).unwrap_or_default();
        if at.contains(&DYNAMIC) {
            return Err(self
                .refuse(op)
                .label("at a position that is not constant")
                .help("registers have no addresses: unroll the loop, or go through memory"));
        }
        let number = at.iter().zip(shape).fold(0, |number, (at, extent)| number * extent + at);
        let len: i64 = shape[at.len()..].iter().product();
        Ok(((number * len) as usize, len as usize))
    }

    fn extract(&mut self, op: OpId) -> Result<(), Diag> {
        let (source, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let run = self.elements(source);
        let (first, len) = self.part_at(op, source)?;
        let start = run.start + first;
        self.set_run(result, start..start + len);
        Ok(())
    }

    fn insert(&mut self, op: OpId) -> Result<(), Diag> {
        let (value, dest) = (self.ir.operand(op, 0), self.ir.operand(op, 1));
        let (first, len) = self.part_at(op, dest)?;
        let (part, whole) = (self.elements(value), self.elements(dest));
        assert_eq!(part.len(), len, "a part fills its place");
        let start = self.pool.len();
        self.pool.extend_from_within(whole);
        self.pool.copy_within(part, start + first);
        self.set_run(self.ir.result(op, 0), start..self.pool.len());
        Ok(())
    }

    pub(super) fn mask(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let shape = self.ir.shape_of(result).to_vec();
        let bit = self.ir.int_type(1);
        // For each dimension and each place along it, whether it is below the bound; `None` where it surely is.
        let mut below: Vec<Vec<Option<ValueId>>> = Vec::with_capacity(shape.len());
        match self.ir.opcode(op) {
            Opcode::VectorConstantMask => {
                let sizes = self.ints(op, "mask_dim_sizes")?;
                let no = self.int(0, bit);
                for (&extent, &size) in shape.iter().zip(&sizes) {
                    below.push((0..extent).map(|at| (at >= size).then_some(no)).collect());
                }
            }
            _ => {
                let operands = self.ir.operands(op).to_vec();
                for (&extent, &operand) in shape.iter().zip(&operands) {
                    let size = self.form(operand);
                    // Neighbours of which all or none are below share a comparison, and so an access.
                    let shared = self.forms.multiple(size).max(1);
                    let mut bits = Vec::with_capacity(extent as usize);
                    for at in 0..extent {
                        let first = at - at % shared;
                        bits.push(if first < at { bits[first as usize] } else { self.below(at, size, bit) });
                    }
                    below.push(bits);
                }
            }
        }
        let yes = self.int(-1, bit);
        let mut elements = vec![None];
        for bits in &below {
            let mut next = Vec::with_capacity(elements.len() * bits.len());
            for &outer in &elements {
                for (at, &inner) in bits.iter().enumerate() {
                    next.push(match (outer, inner) {
                        (Some(_), Some(_)) if at > 0 && bits[at - 1] == inner => next[next.len() - 1],
                        (Some(outer), Some(inner)) => Some(self.binary(Opcode::ArithAndi, outer, inner)),
                        (one, other) => one.or(other),
                    });
                }
            }
            elements = next;
        }
        let elements: Vec<ValueId> = elements.into_iter().map(|element| element.unwrap_or(yes)).collect();
        self.set_elements(result, &elements);
        Ok(())
    }

    /// Whether `at < size`; `None` where it surely is.
    fn below(&mut self, at: i64, size: super::Linear, bit: TypeId) -> Option<ValueId> {
        let number = self.forms.constant(at);
        match self.less(number, size) {
            Some(true) => None,
            Some(false) => Some(self.int(0, bit)),
            None => {
                let (lhs, rhs) = (self.int(at, self.index), self.compute(size));
                Some(self.compare(super::index::LESS, lhs, rhs))
            }
        }
    }

    /// Whether a value is a vector of elements that fill a word of 32 bits.
    pub(super) fn is_word(&self, value: ValueId) -> bool {
        let bits = Scalar::of(&self.ir[self.ir.elem_of(value)]).map(Scalar::bits);
        matches!((bits, self.ir.shape_of(value)), (Some(8), [4]) | (Some(16), [2]))
    }

    /// A value in the vector type that an instruction asks for.
    pub(super) fn pack(&mut self, value: ValueId) -> ValueId {
        let run = self.elements(value);
        let ty = self.ir.type_of(value);
        if !self.ir[ty].is_vector() {
            return self.pool[run.start];
        }
        let elements = &self.pool[run];
        let op = self.ir.create_with(Opcode::VectorFromElements, elements, &[ty], self.no_attrs, self.span);
        self.insert_op(op, self.depth());
        self.ir.result(op, 0)
    }

    /// The elements of a vector of the new program.
    pub(super) fn unpack(&mut self, vector: ValueId) -> Vec<ValueId> {
        let run = self.take_apart(vector);
        self.pool[run].to_vec()
    }

    /// The same, as a run in the pool.
    fn take_apart(&mut self, vector: ValueId) -> Range<usize> {
        let n = self.n_elements(vector);
        let elem = self.ir.elem_of(vector);
        let op = self.emit(Opcode::VectorToElements, &[vector], &vec![elem; n], self.no_attrs);
        let start = self.pool.len();
        self.pool.extend(self.ir.results(op));
        start..self.pool.len()
    }

    /// A load or store of matrices: the row that the lane names is one index.
    pub(super) fn matrices(&mut self, op: OpId) -> Result<(), Diag> {
        let Some(view) = Matrices::of(self.ir, op) else { return Err(self.refuse(op)) };
        let (base, index) = self.element(op, view.base, &view.indices)?;
        if self.ir.opcode(op) == Opcode::NvgpuStmatrix {
            let vector = self.pack(view.vector);
            self.copy(op, &[vector, base, index], &[]);
            return Ok(());
        }
        let ty = self.ir.type_of(view.vector);
        let new = self.copy(op, &[base, index], &[ty]);
        let run = self.take_apart(self.ir.result(new, 0));
        self.set_run(view.vector, run);
        Ok(())
    }

    /// A product in shared memory: where each tile begins is one index.
    pub(super) fn shared_product(&mut self, op: OpId) -> Result<(), Diag> {
        let (lhs, rhs, rhs_at, acc) = match *self.ir.operands(op) {
            [lhs, at, rhs, rhs_at, acc] => {
                let (lhs, at) = self.element(op, lhs, &[at])?;
                (vec![lhs, at], rhs, rhs_at, acc)
            }
            [lhs, rhs, rhs_at, acc] => (vec![self.pack(lhs)], rhs, rhs_at, acc),
            _ => return Err(self.refuse(op)),
        };
        let (rhs, rhs_at) = self.element(op, rhs, &[rhs_at])?;
        let operands = [lhs, vec![rhs, rhs_at, self.pack(acc)]].concat();
        let result = self.ir.result(op, 0);
        let ty = self.ir.type_of(result);
        let new = self.copy(op, &operands, &[ty]);
        let run = self.take_apart(self.ir.result(new, 0));
        self.set_run(result, run);
        Ok(())
    }

    /// A matrix instruction: its operands are packed, its result is unpacked.
    pub(super) fn matrix(&mut self, op: OpId) -> Result<(), Diag> {
        let operands = self.ir.operands(op).to_vec();
        let operands: Vec<ValueId> = operands.into_iter().map(|operand| self.pack(operand)).collect();
        let result = self.ir.result(op, 0);
        let ty = self.ir.type_of(result);
        let new = self.copy(op, &operands, &[ty]);
        let vector = self.ir.result(new, 0);
        if self.ir[ty].is_vector() {
            let run = self.take_apart(vector);
            self.set_run(result, run);
        } else {
            self.set_elements(result, &[vector]);
        }
        Ok(())
    }
}
