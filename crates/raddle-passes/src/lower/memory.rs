//! Lower memory: every buffer becomes one row of elements, every access a linear index into it.

use raddle_ir::views::{Mixed, SliceView, Transfer, mixed};
use raddle_ir::{Attr, Class, Code, DYNAMIC, Diag, Expr, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId};

use super::bounds::Check;
use super::linear::Linear;
use super::tile::{Guard, Tile};
use super::vector::walk;
use super::{Cx, Part};
use crate::code::WHOLE_ROWS;
use crate::code::extents::row_major;

/// A memref of the old program, as places in a row of elements.
#[derive(Clone)]
pub(super) struct View {
    /// The row of elements.
    pub base: ValueId,
    /// Element type.
    pub elem: TypeId,
    /// Extents.
    pub shape: Vec<Linear>,
    /// The place of the first element.
    pub offset: Linear,
    /// The distance of neighbours along each dimension.
    pub strides: Vec<Linear>,
}

impl Cx<'_> {
    pub(super) fn view(&self, value: ValueId) -> Option<View> {
        match self.parts[value.index()] {
            Part::Memory(at) => Some(self.views[at as usize].clone()),
            Part::Unset | Part::Elements { .. } | Part::Index(_) => None,
        }
    }

    fn set_view(&mut self, value: ValueId, view: View) {
        self.views.push(view);
        self.parts[value.index()] = Part::Memory(self.views.len() as u32 - 1);
    }

    /// The flat type of a row-major buffer, and its view over `base`.
    fn flat(&mut self, value: ValueId, base: ValueId) -> Result<(TypeId, View), Diag> {
        let Type::MemRef { shape, elem, layout, space } = self.ir.ty(value).clone() else {
            panic!("the caller has looked: this is a memref")
        };
        let refuse = |span, what: &str, help: &str| Err(Diag::error(Code::DynamicBuffer, span, what).help(help));
        let is_open = shape.contains(&DYNAMIC);
        let known = shape.iter().filter(|&&size| size != DYNAMIC).try_fold(1i64, |acc, &size| acc.checked_mul(size));
        let Some(size) = known.map(|known| if is_open { DYNAMIC } else { known }) else {
            return refuse(self.span, "cannot lower a buffer this large", "its number of elements exceeds 63 bits");
        };
        let is_row_major = match layout.map(|layout| &self.ir[layout]) {
            None => true,
            Some(Attr::Strided { offset: 0, strides }) => !is_open && *strides == row_major(&shape),
            Some(Attr::Map(map)) => map.is_identity(),
            Some(_) => false,
        };
        if !is_row_major {
            return refuse(
                self.span,
                "cannot lower a buffer that is not row-major and contiguous",
                "take the whole buffer as the argument, and its part with `memref.subview`",
            );
        }
        let mut extents = Vec::new();
        for (dim, &size) in shape.iter().enumerate() {
            extents.push(match (size, self.extents.get(&(value, dim)).copied()) {
                (DYNAMIC, Some(extent)) => self.form(extent),
                (DYNAMIC, None) => {
                    return refuse(
                        self.span,
                        "cannot lower a buffer whose extents are not known",
                        "give it a static shape: a workgroup's memory is laid out at compile time",
                    );
                }
                (size, _) => self.forms.constant(size),
            });
        }
        let mut strides = vec![self.forms.constant(1); shape.len()];
        for d in (1..shape.len()).rev() {
            strides[d - 1] = self.product(strides[d], extents[d]);
        }
        let ty = self.ir.memref_type(&[size], elem, space);
        let offset = self.forms.constant(0);
        Ok((ty, View { base, elem, shape: extents, offset, strides }))
    }

    /// A buffer that the kernel is given.
    pub(super) fn memory_argument(&mut self, arg: ValueId) -> Result<TypeId, Diag> {
        let (ty, view) = self.flat(arg, arg)?;
        self.set_view(arg, view);
        Ok(ty)
    }

    /// Shared memory, one allocation for each workgroup, at the top of the function.
    pub(super) fn alloc(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        let Type::MemRef { space, .. } = self.ir.ty(result) else { return Err(self.refuse(op)) };
        if space.and_then(|space| self.ir.keyword(space)) != Some("workgroup")
            || self.ir.opcode(op) != Opcode::MemrefAlloc
        {
            return Err(self
                .refuse(op)
                .label("not in the workgroup's memory")
                .help("kernels allocate in `#gpu.address_space<workgroup>` only; values of one thread are vectors"));
        }
        let (ty, mut view) = self.flat(result, result)?;
        let new = self.emit_at(0, Opcode::MemrefAlloc, &[], &[ty], self.ir.attr_dict(op));
        view.base = self.ir.result(new, 0);
        self.set_view(result, view);
        Ok(())
    }

    /// A part of a buffer: offset and strides, no operation.
    pub(super) fn subview(&mut self, op: OpId) -> Result<(), Diag> {
        let slice = SliceView::of(self.ir, op);
        let result = self.ir.result(op, 0);
        let Some(source) = self.view(slice.base) else { return Err(self.refuse(op)) };
        let mut offset = source.offset;
        for (&at, &stride) in slice.offsets.iter().zip(&source.strides) {
            let at = self.mixed(at);
            let step = self.product(at, stride);
            offset = self.add_scaled(offset, step, 1);
        }
        // Unit dimensions may be missing in the result.
        let wanted = self.ir.shape_of(result).to_vec();
        let (mut shape, mut strides) = (Vec::new(), Vec::new());
        let mut extra = slice.sizes.len().saturating_sub(wanted.len());
        for ((&size, &stride), &step) in slice.sizes.iter().zip(&source.strides).zip(&slice.strides) {
            if size == Mixed::Static(1) && extra > 0 && wanted.get(shape.len()) != Some(&1) {
                extra -= 1;
                continue;
            }
            shape.push(size);
            let step = self.mixed(step);
            strides.push(self.product(stride, step));
        }
        // What is left over at the end are unit dimensions, too.
        while shape.len() > wanted.len() && shape.last() == Some(&Mixed::Static(1)) {
            shape.pop();
            strides.pop();
        }
        let fits = |(&size, &wanted): (&Mixed, &i64)| match size {
            Mixed::Static(size) => size == wanted,
            Mixed::Value(_) => wanted == DYNAMIC,
        };
        if shape.len() != wanted.len() || !shape.iter().zip(&wanted).all(fits) {
            return Err(self.refuse(op).label("the result's shape is not the slice's"));
        }
        let shape = shape.into_iter().map(|size| self.mixed(size)).collect();
        self.set_view(result, View { shape, strides, offset, ..source });
        Ok(())
    }

    /// The same memory with other extents and strides, no operation.
    pub(super) fn reinterpret(&mut self, op: OpId) -> Result<(), Diag> {
        let (base, result) = (self.ir.operand(op, 0), self.ir.result(op, 0));
        let Some(source) = self.view(base) else { return Err(self.refuse(op)) };
        let parts: Vec<Vec<ValueId>> = self.ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let list = |name: &str, part: usize| {
            let numbers = self.ir.attr_id(op, name).and_then(|attr| self.ir.ints(attr)).unwrap_or_default();
            mixed(&numbers, parts.get(part).map_or(&[][..], |values| &values[..]))
        };
        let lists = [list("static_offsets", 1), list("static_sizes", 2), list("static_strides", 3)];
        let falls = |number: &Mixed| matches!(number, Mixed::Static(number) if *number < 0);
        // The offset counts from the start of the memory, whatever part of it the source is.
        let is_part = self.ir.def_op(base).is_some_and(|op| self.ir.class(op) != Class::Alloc);
        if is_part || lists[1..].iter().flatten().any(falls) {
            return Err(self.refuse(op).label("it is not of a whole buffer, or has a negative size or stride"));
        }
        let [offset, shape, strides] =
            lists.map(|list| list.into_iter().map(|number| self.mixed(number)).collect::<Vec<_>>());
        let &[offset] = &offset[..] else { return Err(self.refuse(op)) };
        self.set_view(result, View { shape, strides, offset, ..source });
        Ok(())
    }

    /// `memref.cast`: the same memory, with more or fewer extents in its type.
    pub(super) fn cast(&mut self, op: OpId) -> Result<(), Diag> {
        let (result, source) = (self.ir.result(op, 0), self.ir.operand(op, 0));
        let view = self.view(source).filter(|view| view.shape.len() == self.ir.shape_of(result).len());
        let Some(view) = view else { return Err(self.refuse(op)) };
        self.set_view(result, view);
        Ok(())
    }

    /// `memref.dim`
    pub(super) fn dim(&mut self, op: OpId) -> Result<(), Diag> {
        let Some(view) = self.view(self.ir.operand(op, 0)) else { return Err(self.refuse(op)) };
        let dim = self.ir.const_int(self.ir.operand(op, 1)).and_then(|dim| usize::try_from(dim).ok());
        let Some(&extent) = dim.and_then(|dim| view.shape.get(dim)) else {
            return Err(self.refuse(op).label("the dimension is not a constant that the memref has"));
        };
        self.set_index(self.ir.result(op, 0), extent);
        Ok(())
    }

    fn mixed(&mut self, at: Mixed) -> Linear {
        match at {
            Mixed::Static(at) => self.forms.constant(at),
            Mixed::Value(at) => self.form(at),
        }
    }

    /// Where `view[indices]` lies.
    pub(super) fn place(&mut self, view: &View, indices: &[Linear]) -> Linear {
        let mut place = view.offset;
        for (&index, &stride) in indices.iter().zip(&view.strides) {
            let step = self.product(index, stride);
            place = self.add_scaled(place, step, 1);
        }
        place
    }

    /// `memref.prefetch`
    pub(super) fn prefetch(&mut self, op: OpId) -> Result<(), Diag> {
        let operands = self.ir.operands(op).to_vec();
        let view = self.view(operands[0]).ok_or_else(|| self.refuse(op))?;
        let indices: Vec<Linear> = operands[1..].iter().map(|&index| self.form(index)).collect();
        let place = self.place(&view, &indices);
        let at = self.compute(place);
        self.copy(op, &[view.base, at], &[]);
        Ok(())
    }

    /// `raddle.tile_*`: a place becomes one index; registers stand for themselves.
    pub(super) fn tile_register(&mut self, op: OpId) -> Result<(), Diag> {
        let operands = self.ir.operands(op).to_vec();
        let base = operands.iter().position(|&value| matches!(self.ir.ty(value), Type::MemRef { .. }));
        let mut new = Vec::new();
        for (number, &value) in operands.iter().enumerate() {
            match base {
                Some(base) if number == base => {
                    let (row, index) = self.element(op, value, &operands[base + 1..=base + 1])?;
                    new.extend([row, index]);
                }
                Some(base) if number == base + 1 => {}
                _ => new.push(self.scalar(value)),
            }
        }
        let results: Vec<ValueId> = self.ir.results(op).collect();
        let types: Vec<TypeId> = results.iter().map(|&result| self.ir.type_of(result)).collect();
        let copy = self.copy(op, &new, &types);
        for (result, new) in results.into_iter().zip(self.ir.results(copy).collect::<Vec<_>>()) {
            self.set_elements(result, &[new]);
        }
        Ok(())
    }

    /// Reads: of one element, of a row, of a tile.
    pub(super) fn read(&mut self, op: OpId) -> Result<(), Diag> {
        let result = self.ir.result(op, 0);
        if !self.is_register(result) {
            return Err(self.refuse(op).label("it reads a tensor").help("run the pipeline up to `distributed` first"));
        }
        if matches!(self.ir.opcode(op), Opcode::VectorGather | Opcode::IreeVectorExtTransferGather) {
            return self.read_indexed(op);
        }
        let elements = self.read_elements(op)?;
        self.set_elements(result, &elements);
        Ok(())
    }

    /// The elements that an access reads.
    pub(super) fn read_elements(&mut self, op: OpId) -> Result<Vec<ValueId>, Diag> {
        let result = self.ir.result(op, 0);
        let (tile, padding) = match self.ir.opcode(op) {
            Opcode::VectorTransferRead => {
                let transfer = Transfer::of(self.ir, op);
                let shape = self.ir.shape_of(result).to_vec();
                let tile = self.transfer_tile(op, &transfer, &shape, true)?;
                (tile, transfer.padding)
            }
            Opcode::MemrefLoad | Opcode::VectorLoad => {
                let operands = self.ir.operands(op).to_vec();
                let shape = self.ir.shape_of(result).to_vec();
                (self.plain_tile(op, operands[0], &operands[1..], &shape)?, None)
            }
            _ => return Err(self.refuse(op)),
        };
        let padding = match padding {
            Some(padding) if !tile.guards.is_empty() => Some(self.scalar(padding)),
            _ => None,
        };
        Ok(self.read_tile(&tile, padding))
    }

    /// Writes: of one element, of a row, of a tile.
    pub(super) fn write(&mut self, op: OpId) -> Result<(), Diag> {
        let value = match self.ir.opcode(op) {
            Opcode::VectorScatter | Opcode::IreeVectorExtTransferScatter => return self.write_indexed(op),
            Opcode::VectorTransferWrite => Transfer::of(self.ir, op).vector,
            _ => Some(self.ir.operand(op, 0)),
        };
        let Some(value) = value else { return Err(self.refuse(op)) };
        let elements = self.list(value);
        self.write_elements(op, &elements)
    }

    /// Writes the elements of an access.
    pub(super) fn write_elements(&mut self, op: OpId, elements: &[ValueId]) -> Result<(), Diag> {
        let tile = match self.ir.opcode(op) {
            Opcode::VectorTransferWrite => {
                let transfer = Transfer::of(self.ir, op);
                let Some(value) = transfer.vector else { return Err(self.refuse(op)) };
                let shape = self.ir.shape_of(value).to_vec();
                self.transfer_tile(op, &transfer, &shape, false)?
            }
            Opcode::MemrefStore | Opcode::VectorStore => {
                let operands = self.ir.operands(op).to_vec();
                let shape = self.ir.shape_of(operands[0]).to_vec();
                self.plain_tile(op, operands[1], &operands[2..], &shape)?
            }
            _ => return Err(self.refuse(op)),
        };
        self.write_tile(&tile, elements);
        Ok(())
    }

    /// `memref.load`, `vector.load` and their writes: the last dimensions, all inside.
    fn plain_tile(&mut self, op: OpId, base: ValueId, indices: &[ValueId], shape: &[i64]) -> Result<Tile, Diag> {
        let Some(view) = self.view(base) else { return Err(self.refuse(op)) };
        let indices: Vec<Linear> = indices.iter().map(|&index| self.form(index)).collect();
        let origin = self.place(&view, &indices);
        let lead = view.strides.len() - shape.len();
        let places = self.spread(shape, &view.strides[lead..]);
        let counts = [&vec![1; lead], shape].concat();
        let checks = self.checks(&view, &indices, &counts);
        Ok(Tile { checks, ..self.tile(&view, origin, places, Vec::new()) })
    }

    /// `memref.atomic_rmw`: the place becomes one index.
    pub(super) fn atomic(&mut self, op: OpId) -> Result<(), Diag> {
        let operands = self.ir.operands(op).to_vec();
        let (base, index) = self.element(op, operands[1], &operands[2..])?;
        let value = self.scalar(operands[0]);
        let result = self.ir.result(op, 0);
        let new = self.copy(op, &[value, base, index], &[self.ir.type_of(result)]);
        let old = self.ir.result(new, 0);
        self.set_elements(result, &[old]);
        Ok(())
    }

    /// The row of elements behind a buffer, and the index of one of them.
    pub(super) fn element(&mut self, op: OpId, base: ValueId, indices: &[ValueId]) -> Result<(ValueId, ValueId), Diag> {
        let Some(view) = self.view(base) else { return Err(self.refuse(op)) };
        let indices: Vec<Linear> = indices.iter().map(|&index| self.form(index)).collect();
        let checks = self.checks(&view, &indices, &vec![1; indices.len()]);
        self.check(&checks);
        let place = self.place(&view, &indices);
        Ok((view.base, self.compute(place)))
    }

    /// `nvgpu.device_async_copy`: both places become one index each. Its token is not a register: groups are counted.
    pub(super) fn async_copy(&mut self, op: OpId) -> Result<(), Diag> {
        let parts: Vec<Vec<ValueId>> = self.ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let [to, to_at, from, from_at, count] = &parts[..] else { return Err(self.refuse(op)) };
        let (&[to], &[from]) = (&to[..], &from[..]) else { return Err(self.refuse(op)) };
        let (to, to_at) = self.element(op, to, to_at)?;
        let (from, from_at) = self.element(op, from, from_at)?;
        let mut operands = vec![to, to_at, from, from_at];
        for &count in count {
            operands.push(self.scalar(count));
        }
        let token = self.ir.result(op, 0);
        let ty = self.ir.type_of(token);
        let new = self.copy(op, &operands, &[ty]);
        let sizes = self.ir.segment_sizes(&[1, 1, 1, 1, count.len()]);
        self.ir.set_attr(new, "operandSegmentSizes", sizes);
        self.set_elements(token, &[]);
        Ok(())
    }

    /// A group of copies.
    pub(super) fn async_group(&mut self, op: OpId) -> Result<(), Diag> {
        self.emit(Opcode::NvvmCpAsyncCommitGroup, &[], &[], self.no_attrs);
        for token in self.ir.results(op).collect::<Vec<_>>() {
            self.set_elements(token, &[]);
        }
        Ok(())
    }

    /// Waits until at most so many groups are on their way.
    pub(super) fn async_wait(&mut self, op: OpId) -> Result<(), Diag> {
        let n = ["numGroups", "n"].into_iter().find_map(|name| self.ir.attr(op, name)).and_then(Attr::as_i64);
        let i32 = self.ir.int_type(32);
        let n = self.ir.intern(Attr::Int { value: n.unwrap_or(0).into(), ty: i32 });
        let attrs = self.ir.dict(&[("n", n)]);
        self.emit(Opcode::NvvmCpAsyncWaitGroup, &[], &[], attrs);
        Ok(())
    }

    fn transfer_tile(&mut self, op: OpId, transfer: &Transfer, shape: &[i64], reads: bool) -> Result<Tile, Diag> {
        let Some(view) = self.view(transfer.base) else {
            return Err(self
                .refuse(op)
                .label("its base is a tensor")
                .help("run the pipeline up to `distributed` first"));
        };
        let Some(dims) = memory_dims(&transfer.map) else {
            return Err(self.refuse(op).label("its permutation map is not one of distinct dimensions and zeros"));
        };
        if !reads && dims.contains(&None) {
            return Err(self.refuse(op).label("a write cannot broadcast"));
        }
        let indices: Vec<Linear> = transfer.indices.iter().map(|&index| self.form(index)).collect();
        let origin = self.place(&view, &indices);
        let none = self.forms.constant(0);
        let strides: Vec<Linear> = dims.iter().map(|dim| dim.map_or(none, |dim| view.strides[dim])).collect();
        let places = self.spread(shape, &strides);
        let guards = self.guards(transfer, &view, &indices, &dims, shape);
        let checks = self.transfer_checks(transfer, &view, &indices, &dims, shape);
        let in_row = || dims.last().copied().flatten().filter(|dim| dim + 1 == indices.len()).map(|dim| indices[dim]);
        let in_whole_row = self.ir.attr(op, WHOLE_ROWS).and_then(|_| in_row());
        Ok(Tile { checks, in_whole_row, ..self.tile(&view, origin, places, guards) })
    }

    /// What a transfer states to be inside: along dimensions that it goes along all of its elements, unless it leaves some
    /// out, and the place along others.
    pub(super) fn transfer_checks(
        &mut self,
        transfer: &Transfer,
        view: &View,
        indices: &[Linear],
        dims: &[Option<usize>],
        shape: &[i64],
    ) -> Vec<Check> {
        let mut counts = vec![1; indices.len()];
        let mut left_out = vec![false; indices.len()];
        for (d, &dim) in dims.iter().enumerate() {
            let Some(dim) = dim else { continue };
            counts[dim] = shape[d];
            left_out[dim] = transfer.mask.is_some() || transfer.in_bounds.get(d) != Some(&true);
        }
        let checks = self.checks(view, indices, &counts);
        checks.into_iter().filter(|&(_, _, dim)| !left_out[dim]).collect()
    }

    /// What must hold for each element to take part; empty where all of them do.
    fn guards(
        &mut self,
        transfer: &Transfer,
        view: &View,
        indices: &[Linear],
        dims: &[Option<usize>],
        shape: &[i64],
    ) -> Vec<Guard> {
        let n: usize = shape.iter().product::<i64>() as usize;
        let mut guards = vec![Guard::default(); n];
        let mut any = false;
        for (d, &dim) in dims.iter().enumerate() {
            let (Some(dim), Some(false)) = (dim, transfer.in_bounds.get(d)) else { continue };
            let size = view.shape[dim];
            let last = self.forms.add_constant(indices[dim], shape[d] - 1);
            if self.forms.is_natural(indices[dim]) && self.less(last, size) == Some(true) {
                continue;
            }
            any = true;
            let mut step = vec![0; shape.len()];
            step[d] = 1;
            for (guard, at) in guards.iter_mut().zip(walk(shape, 0, &step)) {
                guard.bounds.push((indices[dim], at, size));
            }
        }
        if let Some(mask) = transfer.mask {
            // The mask lies along the memory: its dimensions are those of the memref that the map names, in their order.
            let mask_shape = self.ir.shape_of(mask).to_vec();
            let mask_strides = row_major(&mask_shape);
            let mut named: Vec<usize> = dims.iter().copied().flatten().collect();
            named.sort_unstable();
            let strides: Vec<i64> = dims
                .iter()
                .map(|dim| {
                    dim.and_then(|dim| named.binary_search(&dim).ok())
                        .and_then(|at| mask_strides.get(at).copied())
                        .unwrap_or(0)
                })
                .collect();
            let elements = if self.is_native(mask) { self.apart(mask) } else { self.list(mask) };
            for (guard, at) in guards.iter_mut().zip(walk(shape, 0, &strides)) {
                let bit = elements[at as usize];
                match self.truth(bit) {
                    Some(true) => {}
                    Some(false) => (guard.never, any) = (true, true),
                    None => {
                        guard.mask = Some(bit);
                        any = true;
                    }
                }
            }
        }
        if any { guards } else { Vec::new() }
    }

    /// How far each element of a vector lies from the first one, row by row: a form and a constant.
    pub(super) fn spread(&mut self, shape: &[i64], strides: &[Linear]) -> Vec<(Linear, i64)> {
        let mut found = vec![(self.forms.constant(0), 0)];
        for (&size, &stride) in shape.iter().zip(strides) {
            let known = self.forms.as_constant(stride);
            let mut next = Vec::with_capacity(found.len() * size as usize);
            for (form, constant) in found {
                for at in 0..size {
                    next.push(match known {
                        Some(stride) => (form, constant + at * stride),
                        None => (self.add_scaled(form, stride, at), constant),
                    });
                }
            }
            found = next;
        }
        found
    }

    /// A tile of elements at such distances from an origin.
    pub(super) fn tile(&mut self, view: &View, origin: Linear, places: Vec<(Linear, i64)>, guards: Vec<Guard>) -> Tile {
        let mut origins: Vec<(Linear, Linear, i64)> = Vec::new();
        let mut elements = Vec::with_capacity(places.len());
        for (form, constant) in places {
            let at = match origins.iter().rposition(|known| known.0 == form) {
                Some(at) => at,
                None => {
                    let start = self.add_scaled(origin, form, 1);
                    let constant = self.forms.constant_part(start);
                    origins.push((form, self.forms.without_constant(start), constant));
                    origins.len() - 1
                }
            };
            elements.push((at, constant.wrapping_add(origins[at].2)));
        }
        let origins = origins.into_iter().map(|(_, start, _)| start).collect();
        Tile {
            base: view.base,
            elem: view.elem,
            origins,
            places: elements,
            guards,
            checks: Vec::new(),
            in_whole_row: None,
        }
    }

    /// The most elements of a type that one access moves.
    pub(super) fn elements_per_access(&self, elem: TypeId) -> i64 {
        // Other widths are padded in memory, and the width of an index is the target's business.
        match Scalar::of(&self.ir[elem]) {
            Some(Scalar::Index) | None => 1,
            Some(scalar) if matches!(scalar.bits(), 8 | 16 | 32 | 64) => 128 / i64::from(scalar.bits()),
            // Each has a byte.
            Some(Scalar::Int(1..=7)) => 16,
            Some(_) => 1,
        }
    }
}

/// The memory dimension of each vector dimension; `None` for one that repeats. No memory dimension comes twice.
fn memory_dims(map: &Map) -> Option<Vec<Option<usize>>> {
    let mut dims = Vec::with_capacity(map.results.len());
    for expr in &map.results {
        match expr {
            Expr::Dim(d) if !dims.contains(&Some(*d as usize)) => dims.push(Some(*d as usize)),
            Expr::Const(0) => dims.push(None),
            _ => return None,
        }
    }
    Some(dims)
}
