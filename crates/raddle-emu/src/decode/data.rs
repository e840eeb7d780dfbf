//! Decode vector operations that combine or reorder along a dimension: scans, comparisons, interleaving, products.

use num_bigint::BigInt;
use raddle_ir::views::mixed;
use raddle_ir::{BlockId, Class, Diag, Expr, Map, OpId, Opcode, ValueId};

use super::tables::for_each;
use super::vector::Operands;
use super::{Decoder, Numeric, is_yield};
use crate::inst::{ArgCompare, Body, Code, Combine, Float2, Inst, Int2, Known, Scan};
use crate::launch::Mode;
use crate::regs::{Bank, Reg};
use crate::tensor::n_elements;

/// Numbers that one call of a body takes at once, at most: as many as a mask has bits.
pub(super) const WIDTH_MAX: usize = 128;

impl Decoder<'_> {
    /// `vector.scan`: an inclusive one begins with the first element, an exclusive one with the initial value; the
    /// second result is the last partial one.
    pub(super) fn scan(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let (src, init) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let shape = self.around(op, "reduction_dim", ir.shape_of(ir.operand(op, 0)))?;
        let inclusive = ir.attr(op, "inclusive").is_some_and(|attr| attr.as_i64() == Some(1) || *attr == TRUE);
        let combine = self.combine(op, "kind", ir.operand(op, 0))?;
        let (dst, total) = (self.define(ir.result(op, 0))?, self.define(ir.result(op, 1))?);
        let slice = shape[0] * shape[2];
        if (dst.bank, dst.n) != (src.bank, src.n)
            || (total.bank, total.len()) != (src.bank, slice)
            || init.len() != slice
        {
            return Err(self.error("the results of the scan do not have the dimensions of its operands".into()));
        }
        let src = self.masked_source(src, ir.shape_of(ir.operand(op, 0)), combine)?;
        let init = if inclusive { None } else { Some(init) };
        let scan = Scan { dst, total, src, init, shape, combine };
        self.emit_cost(Inst::Scan(Box::new(scan)), u64::from(src.n))
    }

    /// Elements before, along and behind the dimension that an attribute names.
    pub(super) fn around(&self, op: OpId, attr: &str, shape: &[i64]) -> Result<[usize; 3], Diag> {
        let dim = self.ir.attr(op, attr).and_then(|attr| attr.as_i64()).and_then(|dim| usize::try_from(dim).ok());
        match dim.filter(|&dim| dim < shape.len()) {
            Some(dim) => Ok([n_elements(&shape[..dim]), shape[dim] as usize, n_elements(&shape[dim + 1..])]),
            None => Err(self.error(format!("`{attr}` is not a dimension of the vector"))),
        }
    }

    /// `iree_vector_ext.arg_compare`
    pub(super) fn arg_compare(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let parts = ir.segments(op);
        let [value, index, init_value, init_index, base] = &parts[..] else { return Err(self.unknown(op)) };
        let first = |part: &[ValueId]| part.first().copied();
        let (Some(values), Some(init), Some(init_at)) = (first(value), first(init_value), first(init_index)) else {
            return Err(self.unknown(op));
        };
        let shape = self.around(op, "dimension", ir.shape_of(values))?;
        let (value, inits) = (self.reg(values)?, [self.reg(init)?, self.reg(init_at)?]);
        let index = first(index).map(|value| self.reg(value)).transpose()?;
        let base = first(base).map(|value| self.reg(value)).transpose()?;
        let mask = self.masked.take();
        if mask.is_some_and(|mask| (mask.bank, mask.n) != (Bank::Int, value.n)) {
            return Err(self.error("the mask does not have the elements of the value".into()));
        }
        let dsts = [self.define(ir.result(op, 0))?, self.define(ir.result(op, 1))?];
        let slice = shape[0] * shape[2];
        let same = |a: Reg, b: Reg| (a.bank, a.n) == (b.bank, b.n);
        let fits = dsts.iter().zip(&inits).all(|(&dst, &init)| same(dst, init) && dst.len() == slice)
            && dsts[0].bank == value.bank
            && dsts[1].bank == Bank::Int
            && index.is_none_or(|index| index.bank == Bank::Int && index.n == value.n);
        if !fits {
            return Err(self.error("the results of the comparison do not have the dimensions of its operands".into()));
        }
        let Some(block) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let width = (slice.max(1)).saturating_mul(self.lanes).min(WIDTH_MAX);
        let body = self.callee(op, block, width)?;
        if body.args.len() != 2
            || body.yielded.len() != 1
            || body.args.iter().any(|arg| arg.bank != value.bank)
            || body.yielded[0].bank != Bank::Int
        {
            return Err(self.error("the region compares two elements and yields a bit".into()));
        }
        let calls = (slice * self.lanes).div_ceil(width) as u64 * shape[1] as u64;
        let least = body.code.least.saturating_mul(calls);
        let width = self.elem(init_at)?.bits();
        let compare = ArgCompare { dsts, value, mask, index, inits, base, shape, width, body };
        self.emit_cost(Inst::ArgCompare(Box::new(compare)), u64::from(value.n))?;
        self.code.least = self.code.least.saturating_add(least);
        Ok(())
    }

    /// A region as code that takes single numbers, on `width` lanes of its own.
    pub(super) fn callee(&mut self, op: OpId, block: BlockId, width: usize) -> Result<Body, Diag> {
        let mut inner = self.inside(op, block, width);
        let mut args = Vec::new();
        for &arg in inner.ir.args(block) {
            let Numeric { bank, n, .. } = inner.numeric(inner.ir.type_of(arg))?;
            // Nobody but the caller fills these.
            let reg = inner.fresh(bank, n, None)?;
            inner.values.insert(arg, reg);
            args.push(reg);
        }
        let yielded = inner.body(block)?;
        inner.op = op;
        inner.emit(Inst::Return)?;
        let (code, captures, left): (Code, _, _) = (inner.code, inner.captures, inner.bytes_left);
        self.bytes_left = left;
        Ok(Body { args, yielded, captures, width, code })
    }

    /// `vector.reduction`
    pub(super) fn reduction(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let src = self.operand(op, 0)?;
        let combine = self.combine(op, "kind", ir.operand(op, 0))?;
        let src = self.masked_source(src, ir.shape_of(ir.operand(op, 0)), combine)?;
        let (acc, src) = match ir.operands(op).get(1) {
            Some(&acc) => (self.reg(acc)?, src),
            None => {
                let (acc, rest) =
                    (self.fresh(src.bank, 1, self.block)?, self.fresh(src.bank, src.n.max(1) - 1, self.block)?);
                self.gather(acc, src, [0].into())?;
                self.gather(rest, src, (1..src.n).collect())?;
                (acc, rest)
            }
        };
        let dst = self.result(op)?;
        if (acc.bank, acc.n) != (dst.bank, dst.n) || src.bank != dst.bank || dst.n != 1 {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.reserve(src.len() * 4)?;
        let table = vec![0; src.len()].into();
        self.emit_cost(Inst::Reduce { dst, src, acc, table, combine }, u64::from(src.n))
    }

    /// `vector.outerproduct`, as the contraction that it is.
    pub(super) fn outer_product(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let values = ir.operands(op);
        let [lhs, rhs, ..] = *values else { return Err(self.unknown(op)) };
        let elem = self.elem(ir.result(op, 0))?;
        let (m, n) = (ir.shape_of(lhs), ir.shape_of(rhs));
        let shape: Vec<i64> = [m, n].concat();
        let multiply = self.combine_named("mul", elem)?;
        let word = ir.keyword_of(op, "kind").unwrap_or("add");
        let (regs, dst) = ([self.reg(lhs)?, self.reg(rhs)?], self.result(op)?);
        if dst.len() != n_elements(&shape) || regs.iter().any(|reg| reg.bank != dst.bank) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        let [x, y] = [self.fresh(dst.bank, dst.n, self.block)?, self.fresh(dst.bank, dst.n, self.block)?];
        let columns = n_elements(n) as u32;
        self.gather(x, regs[0], (0..dst.n).map(|at| at / columns.max(1)).collect())?;
        self.gather(y, regs[1], (0..dst.n).map(|at| at % columns.max(1)).collect())?;
        let Some(&acc) = values.get(2) else { return self.pairwise(multiply, dst, x, y) };
        let combine = self.combine_named(word, elem)?;
        let product = self.fresh(dst.bank, dst.n, self.block)?;
        self.pairwise(multiply, product, x, y)?;
        let acc = self.reg(acc)?;
        let product = match self.masked.take() {
            // Where the mask is off, the accumulator stays.
            Some(mask) => {
                let sum = self.fresh(dst.bank, dst.n, self.block)?;
                self.pairwise(combine, sum, acc, product)?;
                return self.choose(dst, mask, sum, acc);
            }
            None => product,
        };
        self.pairwise(combine, dst, acc, product)
    }

    /// One operation on two registers, element by element.
    pub(super) fn pairwise(&mut self, combine: Combine, dst: Reg, a: Reg, b: Reg) -> Result<(), Diag> {
        if [a, b].iter().any(|reg| (reg.bank, reg.n) != (dst.bank, dst.n)) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        let inst = match combine {
            Combine::Float(op, round) => Inst::Float2 { op, dst, a, b, round },
            Combine::Int(op, width) => Inst::Int2 { op, dst, a, b, width },
        };
        self.emit_cost(inst, u64::from(dst.n))
    }

    pub(super) fn choose(&mut self, dst: Reg, cond: Reg, a: Reg, b: Reg) -> Result<(), Diag> {
        let same = [a, b].iter().all(|reg| (reg.bank, reg.n) == (dst.bank, dst.n));
        if !same || cond.bank != Bank::Int || cond.n != dst.n {
            return Err(self.error("the mask does not have the elements of the value".into()));
        }
        self.emit_cost(Inst::Select { dst, cond, a, b }, u64::from(dst.n))
    }

    /// `vector.interleave` and `vector.deinterleave`
    pub(super) fn interleave(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        if ir.opcode(op) == Opcode::VectorInterleave {
            let (lhs, rhs) = (self.operand(op, 0)?, self.operand(op, 1)?);
            let dst = self.result(op)?;
            let (half, empty) =
                (self.fresh(dst.bank, dst.n, self.block)?, self.known(dst.bank, dst.n, blank(dst.bank))?);
            self.place(half, lhs, empty, (0..lhs.n).map(|at| 2 * at).collect())?;
            return self.place(dst, rhs, half, (0..rhs.n).map(|at| 2 * at + 1).collect());
        }
        let src = self.operand(op, 0)?;
        for (odd, result) in ir.results(op).enumerate() {
            let dst = self.define(result)?;
            self.gather(dst, src, (0..dst.n).map(|at| 2 * at + odd as u32).collect())?;
        }
        Ok(())
    }

    /// `vector.shuffle`: rows of one vector behind those of another one.
    pub(super) fn vector_shuffle(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let parts = [self.operand(op, 0)?, self.operand(op, 1)?];
        let mask = ir.attr_id(op, "mask").and_then(|mask| ir.ints(mask)).unwrap_or_default();
        let dst = self.result(op)?;
        let row = dst.n / (mask.len() as u32).max(1);
        let both = self.fresh(dst.bank, parts[0].n.saturating_add(parts[1].n), self.block)?;
        let mut table = Vec::new();
        for at in mask {
            // What may be anything is nothing that a program can be checked with.
            let Ok(at) = u32::try_from(at) else {
                return Err(self.error("a row of the result is undefined: it has number -1".into()));
            };
            table.extend((0..row).map(|element| at * row + element));
        }
        self.emit_cost(Inst::Collect { dst: both, parts: parts.into() }, u64::from(both.n))?;
        self.gather(dst, both, table.into())
    }

    /// `vector.bitcast`
    pub(super) fn vector_bitcast(&mut self, op: OpId) -> Result<(), Diag> {
        let a = self.operand(op, 0)?;
        let ir = self.ir;
        if [ir.operand(op, 0), ir.result(op, 0)].iter().any(|&value| ir.complex_part(ir.type_of(value)).is_some()) {
            return self.bitcast_of_pairs(op);
        }
        let from = self.elem(self.ir.operand(op, 0))?;
        let dst = self.result(op)?;
        let to = self.elem(self.ir.result(op, 0))?;
        if u64::from(a.n) * u64::from(from.bits()) != u64::from(dst.n) * u64::from(to.bits()) {
            return Err(self.error("the two vectors differ in the number of their bits".into()));
        }
        self.emit_cost(Inst::Bitcast { dst, a, from, to }, u64::from(dst.n.max(a.n)))
    }

    // ---- masks

    /// `vector.mask`: the operation inside, on the elements that the mask selects.
    pub(super) fn masked_op(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let mask = self.operand(op, 0)?;
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let outer = self.masked.replace(mask);
        self.mask_shape = ir.shape_of(ir.operand(op, 0)).to_vec();
        let yielded = self.body(body)?;
        let unused = std::mem::replace(&mut self.masked, outer);
        // What an operation on single elements makes where the mask is off is nobody's.
        let harmless = |op: OpId| is_yield(ir, op) || ir.class(op) == Class::Elementwise;
        if unused.is_some()
            && let Some(inner) = ir.block_ops(body).find(|&op| !harmless(op))
        {
            return Err(self.error(format!("the emulator does not know what a mask around `{}` means", ir.name(inner))));
        }
        let passthru = ir.operands(op).get(1).map(|&value| self.reg(value)).transpose()?;
        for (result, reg) in ir.results(op).zip(yielded) {
            match (passthru, unused.is_some()) {
                (Some(passthru), _) if passthru.n == reg.n && mask.n == reg.n => {
                    let dst = self.define(result)?;
                    self.choose(dst, mask, reg, passthru)?;
                }
                _ => {
                    self.values.insert(result, reg);
                }
            }
        }
        Ok(())
    }

    /// A reduction's source with elements that change nothing where the mask is off.
    pub(super) fn masked_source(&mut self, src: Reg, shape: &[i64], combine: Combine) -> Result<Reg, Diag> {
        let Some(mask) = self.masked.take() else { return Ok(src) };
        if n_elements(shape) != mask.len() {
            return Err(self.error("the mask does not have the elements of the value".into()));
        }
        let neutral = self.known(src.bank, src.n, neutral(combine))?;
        let dst = self.fresh(src.bank, src.n, self.block)?;
        self.choose(dst, mask, src, neutral)?;
        Ok(dst)
    }

    /// A contraction under a mask over its loops: every product, then a reduction of those that take part.
    pub(super) fn masked_contraction(&mut self, dst: Reg, operands: &Operands<'_>) -> Result<(), Diag> {
        let Operands { regs: [lhs, rhs, acc], shapes, maps, multiply, combine } = *operands;
        let extents = self.mask_shape.clone();
        let dims = |map: &Map| -> Option<Vec<usize>> { map.as_dims() };
        let mut tables: Vec<Box<[u32]>> = Vec::new();
        let n = n_elements(&extents);
        for (map, shape) in maps.iter().zip(shapes) {
            let fits = dims(map).filter(|dims| {
                dims.len() == shape.len() && dims.iter().zip(shape).all(|(&d, extent)| extents.get(d) == Some(extent))
            });
            let Some(dims) = fits else {
                return Err(self.error("the mask does not have the loops of the contraction".into()));
            };
            self.reserve(n.saturating_mul(4))?;
            let strides = crate::regs::row_major(shape);
            let mut table = Vec::with_capacity(n);
            for_each(&extents, |at| {
                table.push(dims.iter().zip(&strides).map(|(&d, stride)| at[d] * stride).sum::<i64>() as u32);
            });
            tables.push(table.into());
        }
        let (Some(acc_table), Some(rhs_table), Some(lhs_table)) = (tables.pop(), tables.pop(), tables.pop()) else {
            return Err(self.error("a contraction has three indexing maps".into()));
        };
        let n = n as u32;
        let mut spread = Vec::new();
        for (reg, table) in [(lhs, lhs_table), (rhs, rhs_table)] {
            let part = self.fresh(reg.bank, n, self.block)?;
            self.gather(part, reg, table)?;
            spread.push(if part.bank == dst.bank { part } else { self.widened(part, dst.bank)? });
        }
        let product = self.fresh(dst.bank, n, self.block)?;
        self.pairwise(multiply, product, spread[0], spread[1])?;
        let src = self.masked_source(product, &extents, combine)?;
        self.emit_cost(Inst::Reduce { dst, src, acc, table: acc_table, combine }, u64::from(n))
    }

    fn widened(&mut self, a: Reg, bank: Bank) -> Result<Reg, Diag> {
        let dst = self.fresh(bank, a.n, self.block)?;
        let float = |bank| matches!(bank, Bank::F32 | Bank::F64);
        if !float(a.bank) || !float(bank) {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.emit_cost(Inst::FloatCast { dst, a, round: crate::round::Round::Keep }, u64::from(a.n))?;
        Ok(dst)
    }

    // ---- gathers

    /// The vectors of indices of an access, from its indexing maps: which dimensions of the base they run along, and
    /// for each element of the access its place in them. With them, along which dimension of the vector the others run.
    pub(super) fn gathers(
        &mut self,
        op: OpId,
        maps: &[Map],
        vectors: &[ValueId],
        shape: &[i64],
    ) -> Result<Gathers, Diag> {
        let ir = self.ir;
        const BAD: &str = "the indexing maps do not fit the operands";
        let (Some(source), true) = (maps.first(), maps.len() > vectors.len()) else {
            return Err(self.error(BAD.into()));
        };
        if maps.iter().any(|map| map.dims as usize != shape.len() || map.syms as usize != vectors.len()) {
            return Err(self.error(BAD.into()));
        }
        let mut gathers = Gathers { along: Vec::new(), gathered: Vec::new() };
        for (dim, expr) in source.results.iter().enumerate() {
            let along = match expr {
                Expr::Dim(d) => Some(*d as usize),
                Expr::Const(0) => None,
                Expr::Sym(number) => {
                    let (Some(&vector), Some(map)) = (vectors.get(*number as usize), maps.get(1 + *number as usize))
                    else {
                        return Err(self.error(BAD.into()));
                    };
                    let reg = self.reg(vector)?;
                    let table = self.through(map, shape, ir.shape_of(vector))?;
                    if reg.bank != Bank::Int {
                        return Err(self.error(format!("`{}` takes indices that are integers", ir.name(op))));
                    }
                    gathers.gathered.push((dim, reg, table));
                    None
                }
                _ => return Err(self.error(BAD.into())),
            };
            gathers.along.push(along);
        }
        Ok(gathers)
    }

    /// For each element of `shape`, the element of an operand that a map of plain dimensions names.
    pub(super) fn through(&mut self, map: &Map, shape: &[i64], operand: &[i64]) -> Result<Box<[u32]>, Diag> {
        let bad = "an indexing map does not fit its operand";
        let mut dims = Vec::new();
        for (expr, &extent) in map.results.iter().zip(operand) {
            match expr {
                Expr::Dim(d) if shape.get(*d as usize) == Some(&extent) => dims.push(Some(*d as usize)),
                Expr::Const(0) => dims.push(None),
                _ => return Err(self.error(bad.into())),
            }
        }
        if map.results.len() != operand.len() {
            return Err(self.error(bad.into()));
        }
        self.reserve(n_elements(shape).saturating_mul(4))?;
        let strides = crate::regs::row_major(operand);
        Ok(super::tables::table(shape, |at| {
            dims.iter().zip(&strides).map(|(d, stride)| d.map_or(0, |d| at[d]) * stride).sum()
        }))
    }

    // ---- numbers of the launch

    /// The place of each thread along one dimension of its workgroup.
    pub(super) fn thread(&mut self, dim: usize) -> Result<Reg, Diag> {
        let sizes = self.launch.workgroup_size.map(i64::from);
        let stride = sizes[..dim].iter().product();
        self.known(Bank::Int, 1, Known::Thread { stride, extent: sizes[dim] })
    }

    /// How many threads, workgroups or subgroups there are, and a thread's place among all of a dimension.
    pub(super) fn count(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let dim = match ir.keyword_of(op, "dimension") {
            Some("y") => 1,
            Some("z") => 2,
            _ => 0,
        };
        let launch = self.launch;
        let threads = i64::from(launch.workgroup_size[dim]);
        let number = match ir.opcode(op) {
            Opcode::GpuGridDim | Opcode::HalInterfaceWorkgroupCount => i64::from(launch.grid[dim]),
            Opcode::GpuBlockDim | Opcode::HalInterfaceWorkgroupSize => threads,
            Opcode::GpuNumSubgroups => i64::from(launch.threads().div_ceil(launch.subgroup_size)),
            Opcode::GpuSubgroupSize => i64::from(launch.subgroup_size),
            _ => {
                self.only_in(Mode::Simt)?;
                let block = self.known(Bank::Int, 1, Known::Block(dim))?;
                let first = self.int2(Int2::Mul, block, crate::inst::Index::Known(threads))?;
                let thread = self.thread(dim)?;
                let reg = self.int2(Int2::Add, first, crate::inst::Index::Reg(thread))?;
                self.values.insert(ir.result(op, 0), reg);
                return Ok(());
            }
        };
        let reg = self.int(number)?;
        self.values.insert(ir.result(op, 0), reg);
        Ok(())
    }

    /// `affine.min` and `affine.max`
    pub(super) fn extreme(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let Some(map) = ir.map(op, "map") else { return Err(self.unknown(op)) };
        let operands = self.regs(ir.operands(op))?;
        if operands.len() != (map.dims + map.syms) as usize {
            return Err(self.error(format!("the map does not fit the operands of `{}`", self.name())));
        }
        let (dims, syms) = operands.split_at(map.dims as usize);
        let which = if ir.opcode(op) == Opcode::AffineMin { Int2::MinS } else { Int2::MaxS };
        let mut best = None;
        for expr in &map.results {
            let reg = self.expr(expr, dims, syms)?;
            best = Some(match best {
                None => reg,
                Some(best) => self.int2(which, best, crate::inst::Index::Reg(reg))?,
            });
        }
        let Some(best) = best else { return Err(self.unknown(op)) };
        self.values.insert(ir.result(op, 0), best);
        Ok(())
    }

    /// An extent of a tensor or memref, of a dimension that a number or the run says.
    pub(super) fn dim(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        let rank = ir.shape_of(source).len();
        let known = ir.const_int(ir.operand(op, 1)).map(|at| usize::try_from(at).ok().filter(|&at| at < rank));
        let reg = match known {
            Some(Some(at)) => self.extent(source, at)?,
            None if rank > 0 => {
                let number = self.operand(op, 1)?;
                let mut chosen = self.extent(source, rank - 1)?;
                for at in (0..rank - 1).rev() {
                    let (this, extent) = (self.int(at as i64)?, self.extent(source, at)?);
                    let (cond, dst) = (self.temp()?, self.temp()?);
                    self.emit(Inst::CmpI { predicate: 0, dst: cond, a: number, b: this, width: 64 })?;
                    self.emit(Inst::Select { dst, cond, a: extent, b: chosen })?;
                    chosen = dst;
                }
                chosen
            }
            _ => return Err(self.error("the shape does not have this dimension".into())),
        };
        self.values.insert(ir.result(op, 0), reg);
        Ok(())
    }

    fn extent(&mut self, source: ValueId, at: usize) -> Result<Reg, Diag> {
        let extent = self.ir.shape_of(source)[at];
        if extent != raddle_ir::DYNAMIC {
            return self.int(extent);
        }
        let view = self.reg(source)?;
        if view.bank != Bank::View {
            return Err(self.error("a tensor has extents that are known at compile time".into()));
        }
        let dst = self.temp()?;
        self.emit(Inst::Extent { dst, view, dim: at })?;
        Ok(dst)
    }

    /// `cf.assert`
    pub(super) fn assert(&mut self, op: OpId) -> Result<(), Diag> {
        let cond = self.operand(op, 0)?;
        let message = match self.ir.attr(op, "msg") {
            Some(raddle_ir::Attr::Str(text)) => self.ir[*text].to_owned(),
            _ => String::new(),
        };
        self.emit(Inst::Assert { cond, message: message.into() })
    }

    /// `raddle.check_index`
    pub(super) fn check_index(&mut self, op: OpId) -> Result<(), Diag> {
        let (index, extent) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let dim = self.ir.attr(op, "dimension").and_then(|attr| attr.as_i64()).unwrap_or_default();
        self.emit(Inst::CheckIndex { index, extent, dim: dim as u32 })
    }

    /// `math.clampf`
    pub(super) fn clamp(&mut self, op: OpId) -> Result<(), Diag> {
        let [value, low, high] = self.regs(self.ir.operands(op))?[..] else { return Err(self.unknown(op)) };
        let elem = self.elem(self.ir.operand(op, 0))?;
        let (dst, raised) = (self.result(op)?, self.fresh(value.bank, value.n, self.block)?);
        let (lower, upper) = (self.combine_named("minimumf", elem)?, self.combine_named("maximumf", elem)?);
        self.pairwise(upper, raised, value, low)?;
        self.pairwise(lower, dst, raised, high)
    }

    /// The operands of a list of numbers and values.
    pub(super) fn listed(&mut self, op: OpId, attr: &str, values: &[ValueId]) -> Result<Vec<crate::inst::Index>, Diag> {
        let numbers = self.ir.attr_id(op, attr).and_then(|attr| self.ir.ints(attr)).unwrap_or_default();
        self.indices(&mixed(&numbers, values))
    }
}

/// An access's vectors of indices.
pub(super) struct Gathers {
    /// For each dimension of the base, the dimension of the vector that it runs along.
    pub along: Vec<Option<usize>>,
    /// Dimension of the base, indices, and for each element its place among them.
    pub gathered: Vec<(usize, Reg, Box<[u32]>)>,
}

pub(super) const TRUE: raddle_ir::Attr = raddle_ir::Attr::Bool(true);

pub(super) fn blank(bank: Bank) -> Known {
    match bank {
        Bank::Int => Known::Int(0),
        Bank::Wide => Known::Wide(BigInt::ZERO),
        Bank::Complex => Known::Complexes(vec![Default::default()]),
        Bank::F32 | Bank::F64 | Bank::View => Known::Float(0.0),
    }
}

/// What a combination leaves unchanged.
pub(super) fn neutral(combine: Combine) -> Known {
    match combine {
        Combine::Float(op, _) => Known::Float(match op {
            // Positive zero would change a negative one.
            Float2::Add | Float2::Sub => -0.0,
            Float2::Maximum => f64::NEG_INFINITY,
            Float2::Minimum => f64::INFINITY,
            Float2::MaxNum | Float2::MinNum => f64::NAN,
            Float2::Mul | Float2::Div | Float2::Rem | Float2::Pow | Float2::Atan2 | Float2::CopySign => 1.0,
        }),
        Combine::Int(op, width @ 65..) => Known::Wide(match op {
            Int2::Mul => BigInt::from(1),
            Int2::And | Int2::MinU => BigInt::from(-1),
            Int2::MinS => (BigInt::from(1) << (width - 1)) - 1,
            Int2::MaxS => -(BigInt::from(1) << (width - 1)),
            _ => BigInt::ZERO,
        }),
        Combine::Int(op, width) => Known::Int(match op {
            Int2::Mul => 1,
            Int2::And | Int2::MinU => crate::round::wrap(-1, width),
            Int2::MinS if width > 1 => i64::MAX >> (64 - width.min(64)),
            Int2::MaxS if width > 1 => i64::MIN >> (64 - width.min(64)),
            // One bit, signed: 1 is -1, the least.
            Int2::MaxS => 1,
            _ => 0,
        }),
    }
}
