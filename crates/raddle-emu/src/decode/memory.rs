//! Decode accesses: loads, stores, transfers, views, allocations, slices of tensors.

use raddle_ir::views::{MatrixLoad, Mixed, SliceView, Transfer as TransferView, minor_identity};
use raddle_ir::{DYNAMIC, Diag, Expr, Map, OpId, Opcode, Type, ValueId};

use super::tables::{for_each, linear};
use super::{Decoder, Root};
use crate::inst::{Index, Inst, Site, Slice, SubView, Transfer};
use crate::launch::Mode;
use crate::regs::{Bank, Reg, row_major};
use crate::tensor::{checked_elements, n_elements};

impl Decoder<'_> {
    pub(super) fn read(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::Load => {
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
            _ => {
                let transfer = TransferView::of(ir, op);
                self.read_transfer(op, &transfer, ir.shape_of(ir.result(op, 0)))
            }
        }
    }

    fn read_transfer(&mut self, op: OpId, transfer: &TransferView, shape: &[i64]) -> Result<(), Diag> {
        // The register comes first: it bounds the tables.
        let dst = self.result(op)?;
        let mut inst = self.transfer(op, transfer, shape)?;
        inst.dst = Some(dst);
        if inst.tensor_shape.is_none() {
            self.check_access(transfer.base, transfer.indices.len(), dst)?;
        } else if inst.base.bank != dst.bank {
            return Err(self.error("the vector's elements are not those of the tensor".into()));
        }
        let n = u64::from(dst.n);
        self.emit_cost(Inst::Read(Box::new(inst)), n)
    }

    pub(super) fn load_matrices(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        let Some(load) = MatrixLoad::of(self.ir, op) else { return Err(self.unknown(op)) };
        if self.launch.subgroup_size != 32 {
            let have = self.launch.subgroup_size;
            return Err(self.error(format!("`{}` is for subgroups of 32 lanes, not {have}", self.name())));
        }
        let view = self.reg(load.base)?;
        let at = self.regs(&load.indices)?;
        let dst = self.result(op)?;
        self.check_access(load.base, at.len(), dst)?;
        let (n_tiles, transposed) = (load.n_tiles as u32, load.transposed);
        let inst = Inst::LoadMatrices { dst, view, at: at.into(), n_tiles, transposed };
        self.emit_cost(inst, u64::from(dst.n))
    }

    pub(super) fn write(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::ParallelInsertSlice => return self.tensor_slice(op),
            Opcode::Store => {
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
        let mut inst = self.transfer(op, &transfer, ir.shape_of(vector))?;
        let src = self.reg(vector)?;
        inst.src = Some(src);
        if inst.tensor_shape.is_some() {
            let dst = self.result(op)?;
            if (dst.bank, dst.n) != (inst.base.bank, inst.base.n) || src.bank != dst.bank {
                return Err(self.error("the vector's elements are not those of the tensor".into()));
            }
            inst.dst = Some(dst);
        } else {
            self.check_access(transfer.base, transfer.indices.len(), src)?;
            self.writes(inst.base);
        }
        self.emit_cost(Inst::Write(Box::new(inst)), u64::from(src.n))
    }

    /// `vector.load` and `vector.store` as transfers that may not leave the memref.
    fn whole_transfer(&self, base: ValueId, indices: &[ValueId], shape: &[i64]) -> Result<TransferView, Diag> {
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

    fn transfer(&mut self, op: OpId, transfer: &TransferView, shape: &[i64]) -> Result<Transfer, Diag> {
        let ir = self.ir;
        let rank = transfer.indices.len();
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
        let mask = transfer.mask.map(|mask| self.reg(mask)).transpose()?;
        let mask_table: Box<[u32]> = match transfer.mask {
            Some(mask) => mask_table(&transfer.map, &along, shape, ir.shape_of(mask)).ok_or_else(|| {
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
            indices: self.regs(&transfer.indices)?,
            padding,
            mask,
            mask_table,
            deltas: deltas.into(),
            reach,
            strict,
            align,
            n,
        })
    }

    /// The register that is read into or written from has the memref's elements, and there is an index for each of its
    /// dimensions.
    fn check_access(&self, base: ValueId, indices: usize, reg: Reg) -> Result<(), Diag> {
        let Type::MemRef { shape, .. } = self.ir.ty(base) else {
            return Err(self.error(format!("`{}` works on a memref", self.name())));
        };
        if self.bank(self.elem(base)?)? == reg.bank && shape.len() == indices {
            return Ok(());
        }
        Err(self.error(format!("the types of `{}` do not fit together", self.name())))
    }

    /// Notes that the program may write through a memref.
    fn writes(&mut self, view: Reg) {
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
        let private = ir.opcode(op) == Opcode::Alloca || space == "private";
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
        let site = Site { op, elem: numeric.scalar, bank: numeric.bank };
        let sites = if private { &mut self.code.private } else { &mut self.code.shared };
        let at = sites.len() as u32;
        sites.push(site);
        let dst = self.define(result)?;
        self.roots[dst.at as usize] = Root::Local;
        let shape = shape.into();
        self.emit(if private { Inst::Alloca { dst, site: at, shape } } else { Inst::Alloc { dst, site: at, shape } })
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
        self.emit(Inst::SubView(Box::new(SubView { dst, base, offsets, sizes, strides, kept })))
    }

    pub(super) fn tensor_slice(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let slice = SliceView::of(ir, op);
        let base = self.reg(slice.base)?;
        let value = slice.value.map(|value| self.reg(value)).transpose()?;
        let in_place = ir.opcode(op) == Opcode::ParallelInsertSlice;
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
        let slice = Slice { dst, base, value, base_shape, offsets, sizes, strides, in_place };
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
