//! Decode vector operations: data movement as tables, reductions, contractions, masks.

use raddle_ir::views::{self, Contract as ContractView, Mixed};
use raddle_ir::{Diag, Map, OpId, Opcode};

use super::tables::{broadcast, linear, table};
use super::{Decoder, Numeric};
use crate::inst::{Combine, Contract, Digit, Float2, Index, Inst, Int2, Known};
use crate::regs::{Bank, Reg, row_major};
use crate::round::Round;
use crate::tensor::n_elements;

/// What a contraction works on.
pub(super) struct Operands<'m> {
    /// lhs, rhs, acc
    pub regs: [Reg; 3],
    pub shapes: [&'m [i64]; 3],
    pub maps: [&'m Map; 3],
    pub multiply: Combine,
    pub combine: Combine,
}

impl Decoder<'_> {
    pub(super) fn broadcast(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let src = self.operand(op, 0)?;
        let (from, to) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)));
        let dst = self.result(op)?;
        match broadcast(from, to) {
            Some(table) => self.gather(dst, src, table),
            None => Err(self.error("the shape of the value does not broadcast to that of the result".into())),
        }
    }

    pub(super) fn gather(&mut self, dst: Reg, src: Reg, table: Box<[u32]>) -> Result<(), Diag> {
        if dst.bank != src.bank || table.len() != dst.len() || table.iter().any(|&at| at >= src.n) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.reserve(table.len() * 4)?;
        self.emit_cost(Inst::Gather { dst, src, table }, u64::from(dst.n))
    }

    pub(super) fn place(&mut self, dst: Reg, src: Reg, into: Reg, table: Box<[u32]>) -> Result<(), Diag> {
        let fits = dst.bank == src.bank && dst.bank == into.bank && dst.n == into.n && table.len() == src.len();
        if !fits || table.iter().any(|&at| at >= dst.n) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.reserve(table.len() * 4)?;
        self.emit_cost(Inst::Place { dst, src, into, table }, u64::from(src.n))
    }

    pub(super) fn transpose(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let src = self.operand(op, 0)?;
        let shape = ir.shape_of(ir.operand(op, 0));
        let perm = ir.attr_id(op, "permutation").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let mut sorted = perm.clone();
        sorted.sort_unstable();
        if sorted.iter().enumerate().any(|(i, &d)| i as i64 != d) || perm.len() != shape.len() {
            return Err(self.error("`permutation` is not a permutation of the value's dimensions".into()));
        }
        let all = row_major(shape);
        let strides: Vec<i64> = perm.iter().map(|&d| all[d as usize]).collect();
        let to: Vec<i64> = perm.iter().map(|&d| shape[d as usize]).collect();
        let dst = self.result(op)?;
        self.gather(dst, src, table(&to, |coords| linear(&strides, coords)))
    }

    pub(super) fn slice(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::TensorExtractSlice | Opcode::TensorInsertSlice => self.tensor_slice(op),
            Opcode::VectorExtract => {
                let src = self.operand(op, 0)?;
                let shape = ir.shape_of(ir.operand(op, 0));
                let at = self.digits(op, shape)?;
                let dst = self.result(op)?;
                self.check_part(dst, src, shape, at.len())?;
                match known(&at) {
                    Some(start) => self.gather(dst, src, (0..dst.n).map(|i| start as u32 + i).collect()),
                    None => self.emit_cost(Inst::Extract { dst, src, at }, u64::from(dst.n)),
                }
            }
            Opcode::VectorInsert => {
                let (src, into) = (self.operand(op, 0)?, self.operand(op, 1)?);
                let shape = ir.shape_of(ir.operand(op, 1));
                let at = self.digits(op, shape)?;
                let dst = self.result(op)?;
                self.check_part(src, into, shape, at.len())?;
                match known(&at) {
                    Some(start) => self.place(dst, src, into, (0..src.n).map(|i| start as u32 + i).collect()),
                    None => self.emit_cost(Inst::Insert { dst, src, into, at }, u64::from(src.n)),
                }
            }
            Opcode::VectorExtractStridedSlice => {
                let src = self.operand(op, 0)?;
                let shape = ir.shape_of(ir.operand(op, 0));
                let [offsets, sizes, strides] = self.windows(op, shape, None)?;
                let all = row_major(shape);
                let start = linear(&all, &offsets);
                let steps: Vec<i64> = all.iter().zip(&strides).map(|(a, b)| a * b).collect();
                let dst = self.result(op)?;
                self.gather(dst, src, table(&sizes, |coords| start + linear(&steps, coords)))
            }
            Opcode::VectorInsertStridedSlice => {
                let (src, into) = (self.operand(op, 0)?, self.operand(op, 1)?);
                let part = ir.shape_of(ir.operand(op, 0));
                let shape = ir.shape_of(ir.operand(op, 1));
                let [offsets, sizes, strides] = self.windows(op, shape, Some(part))?;
                let all = row_major(shape);
                let start = linear(&all, &offsets);
                let steps: Vec<i64> = all.iter().zip(&strides).map(|(a, b)| a * b).collect();
                let dst = self.result(op)?;
                self.place(dst, src, into, table(&sizes, |coords| start + linear(&steps, coords)))
            }
            Opcode::VectorFromElements => {
                let parts = self.regs(ir.operands(op))?;
                let dst = self.result(op)?;
                if parts.len() != dst.len() || parts.iter().any(|part| (part.bank, part.n) != (dst.bank, 1)) {
                    return Err(self.error("the elements do not make up the vector".into()));
                }
                self.emit_cost(Inst::Collect { dst, parts: parts.into() }, u64::from(dst.n))
            }
            Opcode::VectorToElements => {
                let src = self.operand(op, 0)?;
                let parts = ir.results(op).map(|result| self.define(result)).collect::<Result<Vec<_>, _>>()?;
                if parts.len() != src.len() || parts.iter().any(|part| (part.bank, part.n) != (src.bank, 1)) {
                    return Err(self.error("the vector does not fall into these elements".into()));
                }
                self.emit_cost(Inst::Spread { src, parts: parts.into() }, u64::from(src.n))
            }
            _ => Err(self.unknown(op)),
        }
    }

    /// The position of an extract or insert, as digits that count elements.
    fn digits(&mut self, op: OpId, shape: &[i64]) -> Result<Box<[Digit]>, Diag> {
        let position: Vec<Mixed> = views::position(self.ir, op);
        let strides = row_major(shape);
        if position.len() > shape.len() {
            return Err(self.error("the position has more dimensions than the vector".into()));
        }
        let mut digits = Vec::new();
        for (d, &mixed) in position.iter().enumerate() {
            let index = self.index(mixed)?;
            if let Index::Known(at) = index
                && !(0..shape[d]).contains(&at)
            {
                return Err(self.error(format!("position {at} is outside a dimension of extent {}", shape[d])));
            }
            digits.push(Digit { index, extent: shape[d], stride: strides[d] });
        }
        Ok(digits.into())
    }

    fn check_part(&self, part: Reg, whole: Reg, shape: &[i64], depth: usize) -> Result<(), Diag> {
        if part.bank == whole.bank && part.len() == n_elements(&shape[depth..]) {
            return Ok(());
        }
        Err(self.error(format!("the types of `{}` do not fit together", self.name())))
    }

    /// Offsets, sizes and steps of a strided slice, for every dimension of the whole.
    fn windows(&self, op: OpId, shape: &[i64], part: Option<&[i64]>) -> Result<[Vec<i64>; 3], Diag> {
        let ir = self.ir;
        let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let (mut offsets, mut strides) = (list("offsets"), list("strides"));
        let rank = shape.len();
        let mut sizes = match part {
            None => list("sizes"),
            // The part has the last dimensions; in front of them it is one element thick.
            Some(part) => {
                let lead = rank.saturating_sub(part.len());
                strides.splice(0..0, vec![1; lead]);
                [&vec![1; lead][..], part].concat()
            }
        };
        // The last dimensions may be left out, and are then whole.
        offsets.resize(rank, 0);
        sizes.extend(shape.get(sizes.len()..).unwrap_or(&[]));
        strides.resize(rank, 1);
        let inside = |d: usize| {
            let last = (sizes[d] - 1).checked_mul(strides[d]).and_then(|reach| reach.checked_add(offsets[d]));
            offsets[d] >= 0 && strides[d] >= 1 && sizes[d] >= 1 && last.is_some_and(|last| last < shape[d])
        };
        if [offsets.len(), sizes.len(), strides.len()] != [rank; 3] || !(0..rank).all(inside) {
            return Err(self.error("the slice leaves the vector".into()));
        }
        Ok([offsets, sizes, strides])
    }

    pub(super) fn mask(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let shape = ir.shape_of(result).to_vec();
        let Numeric { bank, n, .. } = self.numeric(ir.type_of(result))?;
        if ir.opcode(op) == Opcode::VectorConstantMask {
            let sizes = ir.attr_id(op, "mask_dim_sizes").and_then(|attr| ir.ints(attr)).unwrap_or_default();
            self.reserve(n as usize * 8)?;
            let mut bits = Vec::with_capacity(n as usize);
            super::tables::for_each(&shape, |coords| {
                bits.push(i64::from(coords.iter().zip(&sizes).all(|(at, size)| at < size)));
            });
            let reg = self.known(bank, n, Known::Ints(bits))?;
            self.values.insert(result, reg);
            return Ok(());
        }
        let bounds = self.regs(ir.operands(op))?.into_iter().map(Index::Reg).collect::<Box<[Index]>>();
        if bounds.len() != shape.len() {
            return Err(self.error("a mask takes one bound for each dimension".into()));
        }
        let dst = self.result(op)?;
        self.emit_cost(Inst::CreateMask { dst, bounds, shape: shape.into() }, u64::from(n))
    }

    pub(super) fn multi_reduction(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let (src, acc) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let shape = ir.shape_of(ir.operand(op, 0));
        let dims = ir.attr_id(op, "reduction_dims").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let combine = self.combine(op, "kind", ir.operand(op, 0))?;
        let kept: Vec<usize> = (0..shape.len()).filter(|&d| !dims.contains(&(d as i64))).collect();
        let to: Vec<i64> = kept.iter().map(|&d| shape[d]).collect();
        let mut strides = vec![0; shape.len()];
        for (&d, stride) in kept.iter().zip(row_major(&to)) {
            strides[d] = stride;
        }
        let dst = self.result(op)?;
        if dst.len() != n_elements(&to) || (acc.bank, acc.n) != (dst.bank, dst.n) || src.bank != dst.bank {
            return Err(self.error("the result of the reduction does not have the dimensions that are kept".into()));
        }
        self.reserve(src.len() * 4)?;
        let table = table(shape, |coords| linear(&strides, coords));
        let src = self.masked_source(src, shape, combine)?;
        self.emit_cost(Inst::Reduce { dst, src, acc, table, combine }, u64::from(src.n))
    }

    pub(super) fn contract(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let ContractView { lhs, rhs, acc, maps, .. } = ContractView::of(ir, op);
        let [a, b, c] = &maps[..] else { return Err(self.error("a contraction has three indexing maps".into())) };
        let elem = self.elem(acc)?;
        let word = ir.keyword_of(op, "kind").unwrap_or("add");
        let operands = Operands {
            regs: [self.reg(lhs)?, self.reg(rhs)?, self.reg(acc)?],
            shapes: [lhs, rhs, acc].map(|value| ir.shape_of(value)),
            maps: [a, b, c],
            multiply: self.combine_named("mul", elem)?,
            combine: self.combine_named(word, elem)?,
        };
        let dst = self.result(op)?;
        if self.masked.is_some() {
            return self.masked_contraction(dst, &operands);
        }
        self.contraction(dst, &operands)
    }

    /// Emits a contraction; every indexing map names plain dimensions.
    pub(super) fn contraction(&mut self, dst: Reg, operands: &Operands<'_>) -> Result<(), Diag> {
        let Operands { regs: [lhs, rhs, acc], shapes, maps, multiply, combine } = *operands;
        let rank = maps[0].dims as usize;
        let bad = "the indexing maps of the contraction do not fit its operands";
        let mut extents: Vec<Option<i64>> = vec![None; rank];
        let mut dims = Vec::new();
        for (map, shape) in maps.iter().zip(shapes) {
            let named =
                map.as_dims().filter(|named| named.len() == shape.len()).ok_or_else(|| self.error(bad.into()))?;
            for (&d, &extent) in named.iter().zip(shape) {
                if d >= rank || *extents[d].get_or_insert(extent) != extent {
                    return Err(self.error(bad.into()));
                }
            }
            dims.push(named);
        }
        let float = |reg: Reg| matches!(reg.bank, Bank::F32 | Bank::F64);
        let like_acc = |reg: Reg| reg.bank == acc.bank || float(reg) && float(acc);
        let fits = dst.n == acc.n && dst.bank == acc.bank && like_acc(lhs) && like_acc(rhs);
        let extents: Option<Vec<i64>> = extents.into_iter().collect();
        let (Some(extents), true) = (extents, fits) else { return Err(self.error(bad.into())) };
        // Each loop is one of four kinds: along both operands and the result, along one operand and the result, or
        // summed. A summed loop that only one operand has repeats the other's elements.
        let mut kinds: [Vec<usize>; 4] = Default::default();
        for d in 0..rank {
            let [in_lhs, in_rhs, in_acc] = [0, 1, 2].map(|operand: usize| dims[operand].contains(&d));
            let kind = match (in_lhs, in_rhs, in_acc) {
                (_, _, false) => 3,
                (true, false, true) => 1,
                (false, true, true) => 2,
                (_, _, true) => 0,
            };
            kinds[kind].push(d);
        }
        let [batch, m, n, k] = &kinds;
        let count = |dims: &[usize]| dims.iter().fold(1usize, |n, &d| n.saturating_mul(extents[d].max(0) as usize));
        let sizes = [count(batch), count(m), count(n), count(k)];
        let [nb, nm, nn, nk] = sizes;
        let product =
            |list: [usize; 3]| list.iter().try_fold(4usize, |all, &n| all.checked_mul(n)).unwrap_or(usize::MAX);
        // Packed operands stand beside the tables: 12 bytes for each element at most.
        self.reserve(
            [[nb, nm, nk], [nb, nk, nn], [nb, nm, nn]]
                .map(product)
                .iter()
                .fold(0, |all: usize, &n| all.saturating_add(n.saturating_mul(3))),
        )?;
        let operand_table = |operand: usize, order: [&Vec<usize>; 3]| {
            let order: Vec<usize> = order.into_iter().flatten().copied().collect();
            let shape: Vec<i64> = order.iter().map(|&d| extents[d]).collect();
            let all = row_major(shapes[operand]);
            let strides: Vec<i64> = order
                .iter()
                .map(|d| {
                    dims[operand].iter().zip(&all).filter(|(named, _)| *named == d).map(|(_, stride)| stride).sum()
                })
                .collect();
            table(&shape, |coords| linear(&strides, coords))
        };
        let contract = Contract {
            dst,
            lhs,
            rhs,
            acc,
            lhs_table: operand_table(0, [batch, m, k]),
            rhs_table: operand_table(1, [batch, k, n]),
            acc_table: operand_table(2, [batch, m, n]),
            extents: sizes,
            multiply,
            combine,
        };
        let cost = sizes.iter().fold(1u64, |all, &n| all.saturating_mul(n as u64));
        self.emit_cost(Inst::Contract(Box::new(contract)), cost)
    }
}

impl Operands<'_> {
    /// Multiply and add as the machine's matrix loops do.
    pub(super) fn sum(scalar: raddle_ir::Scalar, precision: crate::Precision) -> (Combine, Combine) {
        match scalar {
            raddle_ir::Scalar::Float(_) => {
                let round = Round::of(scalar, precision);
                (Combine::Float(Float2::Mul, round), Combine::Float(Float2::Add, round))
            }
            _ => (Combine::Int(Int2::Mul, scalar.bits()), Combine::Int(Int2::Add, scalar.bits())),
        }
    }
}

/// The first element of a position that is known; `None` otherwise.
fn known(at: &[Digit]) -> Option<i64> {
    at.iter().try_fold(0, |start, digit| match digit.index {
        Index::Known(index) => Some(start + index * digit.stride),
        Index::Reg(_) => None,
    })
}
