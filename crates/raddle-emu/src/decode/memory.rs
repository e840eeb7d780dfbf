//! Decode accesses: loads, stores, transfers, views, allocations, slices of tensors.

use raddle_ir::views::{Matrices, Mixed, SliceView, Transfer as TransferView, minor_identity};
use raddle_ir::{Attr, DYNAMIC, Diag, Expr, Map, OpId, Opcode, Scalar, Type, ValueId};

use super::tables::{for_each, linear};
use super::{Decoder, Root};
use crate::inst::{Combine, Index, Inst, Int2, Regroup, Site, Slice, SubView, Transfer};
use crate::launch::Mode;
use crate::regs::{Bank, Reg, row_major};
use crate::tensor::{checked_elements, n_elements};

impl Decoder<'_> {
    pub(super) fn read(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::MemrefLoad => {
                let operands = self.regs(ir.operands(op))?;
                let [view, at @ ..] = &operands[..] else { return Err(self.unknown(op)) };
                let dst = self.result(op)?;
                self.check_access(ir.operand(op, 0), at.len(), dst)?;
                self.emit(Inst::Load { dst, view: *view, at: at.into() })
            }
            Opcode::VectorLoad => {
                let parts = ir.operands(op);
                let Some((&base, indices)) = parts.split_first() else { return Err(self.unknown(op)) };
                let shape = ir.shape_of(ir.result(op, 0));
                let transfer = self.whole_transfer(base, indices, shape)?;
                self.read_transfer(op, &transfer, shape)
            }
            Opcode::VectorGather
            | Opcode::VectorMaskedload
            | Opcode::VectorExpandload
            | Opcode::IreeVectorExtTransferGather => self.indexed(op),
            _ => {
                let transfer = TransferView::of(ir, op);
                self.read_transfer(op, &transfer, ir.shape_of(ir.result(op, 0)))
            }
        }
    }

    fn read_transfer(&mut self, op: OpId, transfer: &TransferView, shape: &[i64]) -> Result<(), Diag> {
        // The register comes first: it bounds the tables.
        let dst = self.result(op)?;
        let inst = self.transfer(op, transfer, shape)?;
        self.emit_read(inst, dst, transfer.base)
    }

    pub(super) fn emit_read(&mut self, mut inst: Transfer, dst: Reg, base: ValueId) -> Result<(), Diag> {
        inst.dst = Some(dst);
        if inst.tensor_shape.is_none() {
            self.check_access(base, inst.indices.len(), dst)?;
        } else if inst.base.bank != dst.bank {
            return Err(self.error("the vector's elements are not those of the tensor".into()));
        }
        let n = u64::from(dst.n);
        self.emit_cost(Inst::Read(Box::new(inst)), n)
    }

    pub(super) fn matrices(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        let Some(matrices) = Matrices::of(self.ir, op) else { return Err(self.unknown(op)) };
        if self.launch.subgroup_size != 32 {
            let have = self.launch.subgroup_size;
            return Err(self.error(format!("`{}` is for subgroups of 32 lanes, not {have}", self.name())));
        }
        let view = self.reg(matrices.base)?;
        let at = self.regs(&matrices.indices)?;
        let stores = self.ir.opcode(op) == Opcode::NvgpuStmatrix;
        let vector = if stores { self.reg(matrices.vector)? } else { self.result(op)? };
        self.check_access(matrices.base, at.len(), vector)?;
        if stores {
            self.writes(view);
        }
        let (n_tiles, transposed) = (matrices.n_tiles as u32, matrices.transposed);
        let inst = Inst::Matrices { vector, view, at: at.into(), n_tiles, transposed, stores };
        self.emit_cost(inst, u64::from(vector.n))
    }

    pub(super) fn emit_write(&mut self, op: OpId, mut inst: Transfer, src: Reg, base: ValueId) -> Result<(), Diag> {
        inst.src = Some(src);
        if inst.tensor_shape.is_some() {
            let dst = self.result(op)?;
            if (dst.bank, dst.n) != (inst.base.bank, inst.base.n) || src.bank != dst.bank {
                return Err(self.error("the vector's elements are not those of the tensor".into()));
            }
            inst.dst = Some(dst);
        } else {
            self.check_access(base, inst.indices.len(), src)?;
            self.writes(inst.base);
        }
        self.emit_cost(Inst::Write(Box::new(inst)), u64::from(src.n))
    }

    /// Accesses whose mask has the vector's own dimensions, and those that look their places up in vectors of indices.
    fn indexed(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let operands = ir.operands(op);
        let opcode = ir.opcode(op);
        let bad = || self.error(format!("the operands of `{}` do not fit together", self.name()));
        let single = |part: &[ValueId]| part.first().copied();
        // Base, indices, vectors of indices, mask, what a read gives where the mask is off, what is written.
        let (base, at, vectors, mask, passthru, value) = match opcode {
            Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => {
                let parts = ir.segments(op);
                match (opcode, &parts[..]) {
                    (Opcode::IreeVectorExtTransferGather, [base, at, vectors, padding, mask]) => {
                        (single(base), *at, *vectors, single(mask), single(padding), None)
                    }
                    (_, [base, value, at, vectors, mask]) => {
                        (single(base), *at, *vectors, single(mask), None, single(value))
                    }
                    _ => return Err(bad()),
                }
            }
            Opcode::VectorGather | Opcode::VectorScatter => {
                let Some(([base], [at @ .., vector, mask, value])) = operands.split_at_checked(1) else {
                    return Err(bad());
                };
                let (passthru, written) =
                    if opcode == Opcode::VectorGather { (Some(*value), None) } else { (None, Some(*value)) };
                (Some(*base), at, std::slice::from_ref(vector), Some(*mask), passthru, written)
            }
            _ => {
                let Some(([base], [at @ .., mask, value])) = operands.split_at_checked(1) else { return Err(bad()) };
                let reads = matches!(opcode, Opcode::VectorMaskedload | Opcode::VectorExpandload);
                let (passthru, written) = if reads { (Some(*value), None) } else { (None, Some(*value)) };
                (Some(*base), at, &[][..], Some(*mask), passthru, written)
            }
        };
        let Some(base) = base else { return Err(bad()) };
        let vector = value.unwrap_or_else(|| ir.result(op, 0));
        let shape = ir.shape_of(vector);
        let rank = at.len();
        let dst = if value.is_none() { Some(self.result(op)?) } else { None };
        let n = n_elements(shape);
        // How the vector's dimensions run through the base, and what is looked up.
        let (along, gathered, mask_table) = match opcode {
            Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => {
                let maps = ir.maps(op, "indexing_maps").unwrap_or_default();
                let gathers = self.gathers(op, &maps, vectors, shape)?;
                let table = match (mask, maps.last()) {
                    (Some(mask), Some(map)) if maps.len() == vectors.len() + 2 => {
                        self.through(map, shape, ir.shape_of(mask))?
                    }
                    (None, _) if maps.len() == vectors.len() + 1 => Box::default(),
                    _ => return Err(self.error(format!("`{}` has another number of indexing maps", self.name()))),
                };
                (gathers.along, gathers.gathered, table)
            }
            _ => {
                self.reserve(n.saturating_mul(8))?;
                let whole: Box<[u32]> = (0..n as u32).collect();
                let mut along = vec![None; rank];
                let mut gathered = Vec::new();
                if let [vector] = vectors {
                    let reg = self.reg(*vector)?;
                    if reg.bank != Bank::Int || reg.len() != n || rank == 0 {
                        return Err(self.error(format!("`{}` takes one index for each element", self.name())));
                    }
                    gathered.push((rank - 1, reg, whole.clone()));
                } else {
                    let lead = rank
                        .checked_sub(shape.len())
                        .ok_or_else(|| self.error("the vector has more dimensions than the memref".into()))?;
                    // A packed access counts the elements that take part instead.
                    if matches!(opcode, Opcode::VectorMaskedload | Opcode::VectorMaskedstore) {
                        (lead..rank).for_each(|d| along[d] = Some(d - lead));
                    }
                }
                (along, gathered, whole)
            }
        };
        if along.len() != rank
            || mask.is_some_and(|mask| mask_table.iter().any(|&at| at as usize >= n_elements(ir.shape_of(mask))))
        {
            return Err(self.error("the indexing maps do not fit the operands".into()));
        }
        let mut mask = mask.map(|mask| self.reg(mask)).transpose()?;
        let mut mask_table = mask_table;
        if let Some(outer) = self.masked.take() {
            if outer.len() != n {
                return Err(self.error("the mask does not have the elements of the value".into()));
            }
            self.reserve(n.saturating_mul(8))?;
            let whole: Box<[u32]> = (0..n as u32).collect();
            if let Some(own) = mask {
                let [spread, both] =
                    [self.fresh(Bank::Int, outer.n, self.block)?, self.fresh(Bank::Int, outer.n, self.block)?];
                self.gather(spread, own, mask_table)?;
                self.pairwise(Combine::Int(Int2::And, 1), both, spread, outer)?;
                mask = Some(both);
            } else {
                mask = Some(outer);
            }
            mask_table = whole;
        }
        self.reserve(n.saturating_mul(rank * 8))?;
        let mut deltas = Vec::with_capacity(n * rank);
        for_each(shape, |coords| deltas.extend(along.iter().map(|d| d.map_or(0, |d| coords[d]))));
        let reach = along.iter().map(|d| d.map_or(0, |d| shape[d] - 1)).collect();
        let base_reg = self.reg(base)?;
        let tensor_shape = match ir.ty(base) {
            Type::Tensor { shape, .. } if shape.len() == rank => Some(shape.clone()),
            Type::MemRef { .. } => None,
            _ => return Err(self.error(format!("the operands of `{}` do not fit together", self.name()))),
        };
        let padding = passthru.map(|value| self.reg(value)).transpose()?;
        if padding
            .is_some_and(|padding| Some(padding.bank) != dst.map(|dst| dst.bank) || ![1, n].contains(&padding.len()))
        {
            return Err(self.error(format!("the operands of `{}` do not fit together", self.name())));
        }
        let inst = Transfer {
            dst: None,
            src: None,
            base: base_reg,
            tensor_shape,
            indices: self.regs(at)?,
            padding,
            mask,
            mask_table,
            deltas: deltas.into(),
            reach,
            gathered,
            packed: matches!(opcode, Opcode::VectorExpandload | Opcode::VectorCompressstore),
            strict: vec![true; rank],
            align: 1,
            n,
        };
        match (dst, value) {
            (Some(dst), _) => self.emit_read(inst, dst, base),
            (None, Some(value)) => {
                let src = self.reg(value)?;
                self.emit_write(op, inst, src, base)
            }
            (None, None) => Err(self.unknown(op)),
        }
    }

    /// `memref.copy`, through a register.
    pub(super) fn copy(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let [source, target] = *ir.operands(op) else { return Err(self.unknown(op)) };
        let shape = ir.shape_of(source);
        let Some(n) = checked_elements(shape, u32::MAX as usize) else {
            return Err(self.error("a copy of a memref whose extents are dynamic is not supported".into()));
        };
        if shape != ir.shape_of(target) {
            return Err(self.error("a copy is between memrefs of one shape".into()));
        }
        let bank = self.bank(self.elem(source)?)?;
        let part = self.fresh(bank, n as u32, self.block)?;
        let zero = self.int(0)?;
        for (base, writes) in [(source, false), (target, true)] {
            let inst = self.box_at(op, base, shape, vec![zero; shape.len()], true)?;
            if writes {
                self.emit_write(op, inst, part, base)?;
            } else {
                self.emit_read(inst, part, base)?;
            }
        }
        Ok(())
    }

    pub(super) fn write(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::TensorParallelInsertSlice => return self.tensor_slice(op),
            Opcode::VectorScatter
            | Opcode::VectorMaskedstore
            | Opcode::VectorCompressstore
            | Opcode::IreeVectorExtTransferScatter => {
                return self.indexed(op);
            }
            Opcode::MemrefStore => {
                let operands = self.regs(ir.operands(op))?;
                let [src, view, at @ ..] = &operands[..] else { return Err(self.unknown(op)) };
                self.check_access(ir.operand(op, 1), at.len(), *src)?;
                self.writes(*view);
                return self.emit(Inst::Store { src: *src, view: *view, at: at.into() });
            }
            _ => {}
        }
        let transfer = if ir.opcode(op) == Opcode::VectorStore {
            let [value, base, indices @ ..] = ir.operands(op) else { return Err(self.unknown(op)) };
            let mut transfer = self.whole_transfer(*base, indices, ir.shape_of(*value))?;
            transfer.vector = Some(*value);
            transfer
        } else {
            TransferView::of(ir, op)
        };
        let Some(vector) = transfer.vector else { return Err(self.unknown(op)) };
        let inst = self.transfer(op, &transfer, ir.shape_of(vector))?;
        let src = self.reg(vector)?;
        self.emit_write(op, inst, src, transfer.base)
    }

    /// `vector.load` and `vector.store` as transfers that may not leave the memref.
    pub(super) fn whole_transfer(
        &self,
        base: ValueId,
        indices: &[ValueId],
        shape: &[i64],
    ) -> Result<TransferView, Diag> {
        if shape.len() > indices.len() {
            return Err(self.error("the vector has more dimensions than the memref".into()));
        }
        Ok(TransferView {
            base,
            indices: indices.to_vec(),
            vector: None,
            padding: None,
            mask: None,
            map: minor_identity(indices.len(), shape.len()),
            in_bounds: vec![true; shape.len()],
        })
    }

    /// A transfer of each element of a box of a memref by itself, from these indices on; what lies outside of the memref
    /// is padded unless the box is `inside`.
    pub(super) fn box_at(
        &mut self,
        op: OpId,
        base: ValueId,
        shape: &[i64],
        indices: Vec<Reg>,
        inside: bool,
    ) -> Result<Transfer, Diag> {
        let rank = shape.len();
        let view = TransferView {
            base,
            indices: Vec::new(),
            vector: None,
            padding: None,
            mask: None,
            map: minor_identity(rank, rank),
            in_bounds: vec![inside; rank],
        };
        Ok(Transfer { align: 1, ..self.transfer_at(op, &view, shape, indices)? })
    }

    pub(super) fn transfer(&mut self, op: OpId, transfer: &TransferView, shape: &[i64]) -> Result<Transfer, Diag> {
        let indices = self.regs(&transfer.indices)?;
        self.transfer_at(op, transfer, shape, indices)
    }

    pub(super) fn transfer_at(
        &mut self,
        op: OpId,
        transfer: &TransferView,
        shape: &[i64],
        indices: Vec<Reg>,
    ) -> Result<Transfer, Diag> {
        let ir = self.ir;
        let rank = indices.len();
        let n = n_elements(shape);
        let bad = "the permutation map does not fit the vector and the indices";
        if transfer.map.results.len() != shape.len()
            || transfer.map.dims as usize != rank
            || transfer.in_bounds.len() != shape.len()
        {
            return Err(self.error(bad.into()));
        }
        // For each dimension of the vector, the dimension of the base it runs along.
        let mut along = Vec::new();
        for expr in &transfer.map.results {
            along.push(match expr {
                Expr::Dim(d) => Some(*d as usize),
                Expr::Const(0) => None,
                _ => return Err(self.error(bad.into())),
            });
        }
        let base = self.reg(transfer.base)?;
        let tensor_shape = match ir.ty(transfer.base) {
            Type::Tensor { shape, .. } => Some(shape.clone()),
            _ => None,
        };
        if tensor_shape.as_ref().is_some_and(|shape| shape.len() != rank)
            || tensor_shape.is_none() != (base.bank == Bank::View)
        {
            return Err(self.error(bad.into()));
        }
        self.reserve(n.saturating_mul(rank * 8 + 4))?;
        let mut deltas = Vec::with_capacity(n * rank);
        let mut reach = vec![0i64; rank];
        for_each(shape, |coords| {
            let start = deltas.len();
            deltas.resize(start + rank, 0);
            for (&d, &at) in along.iter().zip(coords) {
                if let Some(d) = d {
                    deltas[start + d] += at;
                }
            }
            for (reach, &delta) in reach.iter_mut().zip(&deltas[start..]) {
                *reach = (*reach).max(delta);
            }
        });
        // A dimension that no vector dimension runs along is touched in one place, which must exist.
        let mut strict = vec![true; rank];
        for (&d, &inside) in along.iter().zip(&transfer.in_bounds) {
            if let Some(d) = d {
                strict[d] = inside;
            }
        }
        let (mask, mask_shape) = match (transfer.mask, self.masked.take()) {
            (Some(mask), _) => (Some(self.reg(mask)?), ir.shape_of(mask).to_vec()),
            (None, Some(mask)) => (Some(mask), self.mask_shape.clone()),
            (None, None) => (None, Vec::new()),
        };
        let mask_table: Box<[u32]> = match mask {
            Some(_) => mask_table(&transfer.map, &along, shape, &mask_shape).ok_or_else(|| {
                self.error("the mask does not have the dimensions of the memory that is touched".into())
            })?,
            None => Box::default(),
        };
        let padding = transfer.padding.map(|padding| self.reg(padding)).transpose()?;
        let elem = self.elem(transfer.base)?;
        let bytes = n * elem.bytes();
        let vector_access = matches!(ir.opcode(op), Opcode::VectorLoad | Opcode::VectorStore);
        // One instruction moves up to 128 bits, at an address that is a multiple of its size.
        let align =
            if vector_access && self.launch.mode == Mode::Simt && bytes.is_power_of_two() { bytes.min(16) } else { 1 };
        Ok(Transfer {
            dst: None,
            src: None,
            base,
            tensor_shape,
            indices,
            padding,
            mask,
            mask_table,
            deltas: deltas.into(),
            reach,
            gathered: Vec::new(),
            packed: false,
            strict,
            align,
            n,
        })
    }

    /// The register that is read into or written from has the memref's elements, and there is an index for each of its
    /// dimensions.
    pub(super) fn check_access(&self, base: ValueId, indices: usize, reg: Reg) -> Result<(), Diag> {
        let Type::MemRef { shape, .. } = self.ir.ty(base) else {
            return Err(self.error(format!("`{}` works on a memref", self.name())));
        };
        if self.bank(self.elem(base)?)? == reg.bank && shape.len() == indices {
            return Ok(());
        }
        Err(self.error(format!("the types of `{}` do not fit together", self.name())))
    }

    /// Notes that the program may write through a memref.
    pub(super) fn writes(&mut self, view: Reg) {
        match self.roots[view.at as usize] {
            Root::Arg(arg) => self.code.written[arg] = true,
            Root::Local => {}
            Root::Unknown => self.code.written.fill(true),
        }
    }

    pub(super) fn alloc(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let Type::MemRef { shape, elem, space, layout } = ir.ty(result) else { return Err(self.unknown(op)) };
        if layout.is_some() {
            return Err(self.error("an allocation with a layout of its own is not supported".into()));
        }
        let space = space.and_then(|space| ir.keyword(space)).unwrap_or("");
        let numeric = self.numeric(*elem)?;
        let sizes = ir.segments(op).first().map(|sizes| sizes.to_vec()).unwrap_or_default();
        let shape = self.indices(&raddle_ir::views::mixed(shape, &sizes))?;
        let private = ir.opcode(op) == Opcode::MemrefAlloca || space == "private";
        if !private && self.launch.mode == Mode::Simt {
            if space != "workgroup" {
                return Err(self
                    .error("a single lane cannot allocate global memory".into())
                    .help("allocate in `#gpu.address_space<workgroup>`, or use `memref.alloca`"));
            }
            if shape.iter().any(|extent| matches!(extent, Index::Reg(_))) {
                return Err(self.error("shared memory has a size that is known at compile time".into()));
            }
        }
        if !private {
            self.counts_shared(&shape, numeric.scalar);
        }
        let site = Site { op, elem: numeric.scalar, bank: numeric.bank };
        let sites = if private { &mut self.code.private } else { &mut self.code.shared };
        let at = sites.len() as u32;
        sites.push(site);
        let dst = self.define(result)?;
        self.roots[dst.at as usize] = Root::Local;
        let shape = shape.into();
        self.emit(if private { Inst::Alloca { dst, site: at, shape } } else { Inst::Alloc { dst, site: at, shape } })
    }

    /// Adds an allocation to the shared memory that the program needs.
    pub(super) fn counts_shared(&mut self, shape: &[Index], elem: Scalar) {
        let known = |extent: &Index| if let Index::Known(n) = *extent { u64::try_from(n).ok() } else { None };
        let elements = shape.iter().try_fold(1u64, |n, extent| n.checked_mul(known(extent)?)).unwrap_or(0);
        let bytes = elements.saturating_mul(elem.bytes() as u64);
        self.code.shared_bytes = self.code.shared_bytes.saturating_add(bytes);
    }

    pub(super) fn view(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let slice = SliceView::of(ir, op);
        let base = self.reg(slice.base)?;
        let (Type::MemRef { shape: from, .. }, Type::MemRef { shape: to, .. }) =
            (ir.ty(slice.base), ir.ty(ir.result(op, 0)))
        else {
            return Err(self.unknown(op));
        };
        let rank = from.len();
        let (offsets, sizes, strides) =
            (self.indices(&slice.offsets)?, self.indices(&slice.sizes)?, self.indices(&slice.strides)?);
        if [offsets.len(), sizes.len(), strides.len()] != [rank; 3] {
            return Err(self.error("a subview has an offset, a size and a stride for each dimension".into()));
        }
        // Unit dimensions may be dropped; which of several equal ones makes no difference.
        let mut kept = Vec::new();
        for (d, size) in sizes.iter().enumerate() {
            let left = to.len() - kept.len().min(to.len());
            let fits = to.get(kept.len()).is_some_and(|&extent| match *size {
                Index::Known(size) => size == extent,
                Index::Reg(_) => extent == DYNAMIC,
            });
            if left > 0 && (fits || rank - d == left) {
                kept.push(d);
            }
        }
        if kept.len() != to.len() {
            return Err(self.error("the result of the subview does not have the dimensions of its sizes".into()));
        }
        let dst = self.result(op)?;
        self.roots[dst.at as usize] = self.roots[base.at as usize];
        self.emit(Inst::SubView(Box::new(SubView { elem: None, dst, base, offsets, sizes, strides, kept })))
    }

    /// A memref under another type.
    pub(super) fn rename(&mut self, op: OpId) -> Result<(), Diag> {
        let base = self.operand(op, 0)?;
        if base.bank != Bank::View {
            return Err(self.error(format!("`{}` works on a memref", self.name())));
        }
        self.values.insert(self.ir.result(op, 0), base);
        Ok(())
    }

    /// `memref.collapse_shape` and `memref.expand_shape`
    pub(super) fn regroup(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let base = self.operand(op, 0)?;
        let groups: Option<Vec<Vec<i64>>> = match ir.attr(op, "reassociation") {
            Some(Attr::Array(groups)) => groups.iter().map(|&group| ir.ints(group)).collect(),
            _ => None,
        };
        let Some(groups) = groups else { return Err(self.unknown(op)) };
        let sizes = if ir.opcode(op) == Opcode::MemrefExpandShape {
            Some(self.listed(op, "static_output_shape", &ir.operands(op)[1..])?)
        } else {
            None
        };
        let (from, to) = (ir.shape_of(ir.operand(op, 0)).len(), ir.shape_of(ir.result(op, 0)).len());
        let (many, few) = if sizes.is_some() { (to, from) } else { (from, to) };
        let numbers = groups.iter().flatten().copied();
        let fits = numbers.eq(0..many as i64) && groups.len() == few || (groups.is_empty() && few == 0);
        if !fits || base.bank != Bank::View || sizes.as_ref().is_some_and(|sizes| sizes.len() != to) {
            return Err(self.error("the groups of dimensions do not fit the shapes".into()));
        }
        let counts = groups.iter().map(Vec::len).collect();
        let dst = self.result(op)?;
        self.roots[dst.at as usize] = self.roots[base.at as usize];
        self.emit(Inst::Regroup(Box::new(Regroup { dst, base, counts, sizes })))
    }

    /// `memref.transpose` and `memref.reinterpret_cast`
    pub(super) fn restride(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let base = self.operand(op, 0)?;
        let rank = ir.shape_of(ir.result(op, 0)).len();
        let inst = if ir.opcode(op) == Opcode::MemrefTranspose {
            let order = ir.map(op, "permutation").and_then(Map::as_dims);
            let Some(order) = order.filter(|order| order.len() == rank) else { return Err(self.unknown(op)) };
            let dst = self.result(op)?;
            Inst::Permute { dst, base, order: order.into() }
        } else {
            let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
            let [_, offsets, sizes, strides] = &parts[..] else { return Err(self.unknown(op)) };
            let offsets = self.listed(op, "static_offsets", offsets)?;
            let sizes = self.listed(op, "static_sizes", sizes)?;
            let strides = self.listed(op, "static_strides", strides)?;
            if offsets.len() != 1 || sizes.len() != rank || strides.len() != rank {
                return Err(self.error("the cast has an offset, and a size and a stride for each dimension".into()));
            }
            let dst = self.result(op)?;
            Inst::Recast(Box::new(SubView { elem: None, dst, base, offsets, sizes, strides, kept: Vec::new() }))
        };
        let dst = self.reg(ir.result(op, 0))?;
        self.roots[dst.at as usize] = self.roots[base.at as usize];
        self.emit(inst)
    }

    /// `memref.view`: a part of a buffer of bytes; here it is one of bytes again, since buffers hold numbers of one type.
    pub(super) fn bytes(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let base = self.operand(op, 0)?;
        let result = ir.result(op, 0);
        let Type::MemRef { shape, elem, layout: None, .. } = ir.ty(result) else { return Err(self.unknown(op)) };
        let (bytes, scalar) = (self.elem(ir.operand(op, 0))?, self.elem(result)?);
        let whole = scalar.bits().is_multiple_of(8) && scalar.bits() <= 64;
        if base.bank != Bank::View || bytes != Scalar::Int(8) || !(whole || bytes == scalar) {
            return Err(self.error("a view is of bytes, as numbers of whole bytes, at most eight".into()));
        }
        self.numeric(*elem)?;
        let sizes = self.indices(&raddle_ir::views::mixed(shape, ir.operands(op).get(2..).unwrap_or_default()))?;
        let Some(shape): Option<Vec<i64>> =
            sizes.iter().map(|size| if let Index::Known(n) = size { Some(*n) } else { None }).collect()
        else {
            return Err(self.error("a view of bytes has a shape that is known at compile time".into()));
        };
        let strides = row_major(&shape).into_iter().map(Index::Known).collect();
        let offsets = vec![Index::Reg(self.operand(op, 1)?)];
        let dst = self.result(op)?;
        self.roots[dst.at as usize] = self.roots[base.at as usize];
        let elem = (scalar != bytes).then_some(scalar);
        self.emit(Inst::Recast(Box::new(SubView { elem, dst, base, offsets, sizes, strides, kept: Vec::new() })))
    }

    /// One of two memrefs.
    pub(super) fn either(&mut self, op: OpId) -> Result<(), Diag> {
        let (cond, a, b) = (self.operand(op, 0)?, self.operand(op, 1)?, self.operand(op, 2)?);
        if (cond.n, a.bank, b.bank) != (1, Bank::View, Bank::View) {
            return Err(self.unknown(op));
        }
        let dst = self.result(op)?;
        let root = |this: &Self, reg: Reg| matches!(this.roots[reg.at as usize], Root::Local);
        self.roots[dst.at as usize] = if root(self, a) && root(self, b) { Root::Local } else { Root::Unknown };
        let pick = |src: Reg| Inst::Move([crate::inst::Move { dst, src, swap: false }].into());
        self.open_if(cond)?;
        self.emit(pick(a))?;
        self.middle_if()?;
        self.emit(pick(b))?;
        self.close_if()
    }

    pub(super) fn tensor_slice(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let slice = SliceView::of(ir, op);
        let base = self.reg(slice.base)?;
        let value = slice.value.map(|value| self.reg(value)).transpose()?;
        let in_place = ir.opcode(op) == Opcode::TensorParallelInsertSlice;
        let mut sizes = Vec::new();
        for &size in &slice.sizes {
            sizes.push(match (size, self.index(size)?) {
                (_, Index::Known(size)) if size >= 0 => size,
                (Mixed::Static(_) | Mixed::Value(_), _) => {
                    return Err(self.error("a slice of a tensor has sizes that are known at compile time".into()));
                }
            });
        }
        let base_shape = ir.shape_of(slice.base).to_vec();
        let (offsets, strides) = (self.indices(&slice.offsets)?, self.indices(&slice.strides)?);
        let dst = if in_place { base } else { self.result(op)? };
        let part = value.unwrap_or(dst);
        let n = checked_elements(&sizes, u32::MAX as usize).unwrap_or(usize::MAX);
        let ranks = [offsets.len(), sizes.len(), strides.len()] == [base_shape.len(); 3];
        if !ranks || part.len() != n || part.bank != base.bank {
            return Err(self.error("the slice does not have the number of elements that its sizes ask for".into()));
        }
        let slice = Slice { dst, base, value, base_shape, offsets, sizes, strides };
        let inst = Box::new(slice);
        self.emit_cost(if value.is_some() { Inst::InsertSlice(inst) } else { Inst::ExtractSlice(inst) }, n as u64)
    }
}

/// For each element of the vector, its bit in the mask: a mask has the dimensions of the memory, in its order.
fn mask_table(map: &Map, along: &[Option<usize>], shape: &[i64], mask: &[i64]) -> Option<Box<[u32]>> {
    let mut used: Vec<(usize, usize)> = along.iter().enumerate().filter_map(|(v, d)| d.map(|d| (d, v))).collect();
    used.sort_unstable();
    let order: Vec<usize> = used.iter().map(|&(_, v)| v).collect();
    let want: Vec<i64> = order.iter().map(|&v| shape[v]).collect();
    if want != mask || map.results.len() != shape.len() {
        return None;
    }
    let mut strides = vec![0; shape.len()];
    for (&v, stride) in order.iter().zip(row_major(mask)) {
        strides[v] = stride;
    }
    Some(super::tables::table(shape, |coords| linear(&strides, coords)))
}
