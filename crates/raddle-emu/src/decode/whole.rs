//! Decode operations on whole tensors beside those with loops and maps: parts put together, padding, tiles, generated
//! elements, and what goes through indices (`tensor`, `linalg.pack`, `iree_linalg_ext`).
//!
//! What is known beforehand becomes tables; what a region computes for each place becomes a nest whose arguments are the
//! loops. Every extent is static here.

use raddle_ir::{Diag, OpId, Opcode, ValueId};

use super::data::{WIDTH_MAX, blank};
use super::tables::{for_each, linear, table};
use super::{Decoder, Numeric};
use crate::inst::{Address, Body, Digit, Index, Inst, Known, Nest, NestOperand, NestOutput, Whole};
use crate::launch::Mode;
use crate::regs::{Bank, Reg, row_major};
use crate::tensor::n_elements;

impl Decoder<'_> {
    pub(super) fn whole(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        match ir.opcode(op) {
            Opcode::TensorConcat => self.concat(op),
            Opcode::TensorFromElements => {
                let parts = self.regs(ir.operands(op))?;
                let dst = self.result(op)?;
                if parts.len() != dst.len() || parts.iter().any(|part| (part.bank, part.n) != (dst.bank, 1)) {
                    return Err(self.bad_types());
                }
                self.emit_cost(Inst::Collect { dst, parts: parts.into() }, u64::from(dst.n))
            }
            Opcode::TensorSplat => {
                let src = self.operand(op, 0)?;
                let dst = self.result(op)?;
                self.gather(dst, src, vec![0; dst.len()].into())
            }
            Opcode::TensorExtract | Opcode::TensorInsert => self.element(op),
            Opcode::TensorGenerate => {
                let shape = ir.shape_of(ir.result(op, 0)).to_vec();
                let generated = self.points(op, &shape)?;
                self.give(op, &generated)
            }
            Opcode::TensorPad => self.pad(op),
            Opcode::TensorRank => {
                let rank = self.int(ir.shape_of(ir.operand(op, 0)).len() as i64)?;
                self.values.insert(ir.result(op, 0), rank);
                Ok(())
            }
            Opcode::TensorReshape => self.alias(op),
            Opcode::LinalgPack | Opcode::LinalgUnpack => self.pack(op),
            Opcode::TensorGather | Opcode::TensorScatter => self.through_positions(op),
            Opcode::IreeLinalgExtGather | Opcode::IreeLinalgExtScatter => self.through_map(op),
            Opcode::IreeLinalgExtMapLoad | Opcode::IreeLinalgExtMapStore => self.relocated(op),
            Opcode::IreeLinalgExtSort => self.sorted(op),
            Opcode::IreeLinalgExtTopk | Opcode::IreeLinalgExtTopkV2 => self.best_of(op),
            Opcode::IreeLinalgExtScan => self.scan_tensor(op),
            _ => Err(self.unknown(op)),
        }
    }

    fn bad_types(&self) -> Diag {
        self.error(format!("the types of `{}` do not fit together", self.name()))
    }

    /// The operation's results are these registers.
    fn give(&mut self, op: OpId, regs: &[Reg]) -> Result<(), Diag> {
        let results: Vec<ValueId> = self.ir.results(op).collect();
        for (&result, &reg) in results.iter().zip(regs) {
            let Numeric { bank, n, .. } = self.numeric(self.ir.type_of(result))?;
            if (bank, n) != (reg.bank, reg.n) || results.len() != regs.len() {
                return Err(self.bad_types());
            }
            self.values.insert(result, reg);
        }
        Ok(())
    }

    fn list(&self, op: OpId, name: &str) -> Vec<i64> {
        self.ir.attr_id(op, name).and_then(|attr| self.ir.ints(attr)).unwrap_or_default()
    }

    fn dims(&self, op: OpId, name: &str, rank: usize) -> Result<Vec<usize>, Diag> {
        let dim = |&dim: &i64| usize::try_from(dim).ok().filter(|&dim| dim < rank);
        let dims: Option<Vec<usize>> = self.list(op, name).iter().map(dim).collect();
        dims.ok_or_else(|| self.error(format!("`{name}` names a dimension that the tensor does not have")))
    }

    /// A register of indices, for each element of a shape.
    fn indices_of(&mut self, shape: &[i64], f: impl Fn(&[i64]) -> i64) -> Result<Reg, Diag> {
        let n = n_elements(shape);
        self.reserve(n.saturating_mul(16))?;
        let mut values = Vec::with_capacity(n);
        for_each(shape, |at| values.push(f(at)));
        self.known(Bank::Int, n as u32, Known::Ints(values))
    }

    fn concat(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let shape = ir.shape_of(ir.result(op, 0));
        let dim = ir.attr(op, "dim").and_then(|attr| attr.as_i64()).and_then(|dim| usize::try_from(dim).ok());
        let Some(dim) = dim.filter(|&dim| dim < shape.len()) else { return Err(self.unknown(op)) };
        let parts = self.regs(ir.operands(op))?;
        let dst = self.result(op)?;
        let shapes: Vec<&[i64]> = ir.operands(op).iter().map(|&value| ir.shape_of(value)).collect();
        let alike =
            |part: &&[i64]| part.len() == shape.len() && (0..shape.len()).all(|d| d == dim || part[d] == shape[d]);
        if !shapes.iter().all(alike)
            || shapes.iter().map(|part| part[dim]).sum::<i64>() != shape[dim]
            || parts.iter().any(|part| part.bank != dst.bank)
        {
            return Err(self.bad_types());
        }
        let all = self.fresh(dst.bank, dst.n, self.block)?;
        self.emit_cost(Inst::Collect { dst: all, parts: parts.into() }, u64::from(dst.n))?;
        self.reserve(dst.len().saturating_mul(4))?;
        let places = table(shape, |at| {
            let (mut at, mut first) = (at.to_vec(), 0);
            for part in &shapes {
                if at[dim] < part[dim] {
                    return first + linear(&row_major(part), &at);
                }
                at[dim] -= part[dim];
                first += n_elements(part) as i64;
            }
            unreachable!("the extents of the parts add up")
        });
        self.gather(dst, all, places)
    }

    /// `tensor.extract` and `tensor.insert`
    fn element(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let inserts = ir.opcode(op) == Opcode::TensorInsert;
        let tensor = usize::from(inserts);
        let shape = ir.shape_of(ir.operand(op, tensor));
        let at = self.regs(&ir.operands(op)[tensor + 1..])?;
        if at.len() != shape.len() {
            return Err(self.bad_types());
        }
        let digits: Box<[Digit]> = at
            .into_iter()
            .zip(shape)
            .zip(row_major(shape))
            .map(|((reg, &extent), stride)| Digit { index: Index::Reg(reg), extent, stride })
            .collect();
        let (first, tensor) = (self.operand(op, 0)?, self.operand(op, tensor)?);
        let dst = self.result(op)?;
        self.emit(if inserts {
            Inst::Insert { dst, src: first, into: tensor, at: digits }
        } else {
            Inst::Extract { dst, src: tensor, at: digits }
        })
    }

    /// What a region yields for each place of a shape; its first arguments are the place.
    fn points(&mut self, op: OpId, shape: &[i64]) -> Result<Vec<Reg>, Diag> {
        let ir = self.ir;
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let args = ir.args(body);
        if args.len() != shape.len() {
            return Err(self.error("the region has an argument for each dimension".into()));
        }
        let along = shape.len().checked_sub(1);
        let width = along.map_or(1, |d| shape[d].clamp(1, WIDTH_MAX as i64) as usize);
        let mut inner = self.inside(op, body, width);
        for (d, &arg) in args.iter().enumerate() {
            let reg = inner.known(Bank::Int, 1, Known::Loop(d))?;
            inner.values.insert(arg, reg);
        }
        let yielded = inner.body(body)?;
        inner.op = op;
        let mut places = Vec::new();
        for reg in &yielded {
            if reg.n != 1 {
                return Err(inner.bad_types());
            }
            places.push(inner.fresh(reg.bank, 1, None)?);
        }
        inner.emit(Inst::Return)?;
        let (code, captures, left) = (inner.code, inner.captures, inner.bytes_left);
        self.bytes_left = left;
        let n = n_elements(shape) as u32;
        let mut outputs = Vec::new();
        for (&yielded, inner) in yielded.iter().zip(places) {
            let reg = self.known(yielded.bank, n, blank(yielded.bank))?;
            let dst = self.fresh(yielded.bank, n, self.block)?;
            let address = Address::Linear { first: 0, coefficients: row_major(shape) };
            outputs.push(NestOutput { operand: NestOperand { reg, inner, address }, dst, yielded });
        }
        let dsts = outputs.iter().map(|output| output.dst).collect();
        let least = code.least.saturating_mul(u64::from(n) / width as u64);
        let nest = Nest { extents: shape.to_vec(), along, width, inputs: Vec::new(), outputs, captures, body: code };
        self.emit_cost(Inst::Nest(Box::new(nest)), u64::from(n))?;
        self.code.least = self.code.least.saturating_add(least);
        Ok(dsts)
    }

    /// `tensor.pad`, whatever its region computes.
    fn pad(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let [_, low, high] = &parts[..] else { return Err(self.unknown(op)) };
        let (from, to) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)).to_vec());
        let low = self.listed(op, "static_low", low)?;
        let high = self.listed(op, "static_high", high)?;
        let src = self.operand(op, 0)?;
        if [low.len(), high.len(), to.len()] != [from.len(); 3] {
            return Err(self.bad_types());
        }
        // What is padded at the end follows from the extents, unless the program says otherwise.
        for (d, (low, high)) in low.iter().zip(&high).enumerate() {
            if let (Index::Known(low), Index::Known(high)) = (low, high)
                && low.saturating_add(*high).saturating_add(from[d]) != to[d]
            {
                return Err(self.bad_types());
            }
        }
        let padding = self.points(op, &to)?;
        let &[otherwise] = &padding[..] else { return Err(self.unknown(op)) };
        let mut coords = Vec::new();
        for (d, &low) in low.iter().enumerate() {
            let place = self.indices_of(&to, |at| at[d])?;
            let low = self.index_reg(low)?;
            let (all, dst) = (self.fresh(Bank::Int, place.n, self.block)?, self.fresh(Bank::Int, place.n, self.block)?);
            self.gather(all, low, vec![0; place.len()].into())?;
            let subtract = crate::inst::Combine::Int(crate::inst::Int2::Sub, 64);
            self.pairwise(subtract, dst, place, all)?;
            coords.push(dst);
        }
        let dst = self.result(op)?;
        if [otherwise.bank, src.bank] != [dst.bank; 2] || otherwise.n != dst.n {
            return Err(self.bad_types());
        }
        self.fetch(dst, src, coords, from, None, Some(otherwise))
    }

    fn fetch(
        &mut self,
        dst: Reg,
        src: Reg,
        coords: Vec<Reg>,
        shape: &[i64],
        mask: Option<Reg>,
        otherwise: Option<Reg>,
    ) -> Result<(), Diag> {
        let fits = coords.len() == shape.len()
            && coords.iter().chain(&mask).all(|reg| (reg.bank, reg.n) == (Bank::Int, dst.n))
            && otherwise.is_none_or(|reg| (reg.bank, reg.n) == (dst.bank, dst.n))
            && src.bank == dst.bank
            && src.len() == n_elements(shape);
        if !fits {
            return Err(self.bad_types());
        }
        let whole = Whole::Fetch { dst, src, coords, shape: shape.to_vec(), mask, otherwise };
        self.emit_cost(Inst::Whole(Box::new(whole)), u64::from(dst.n))
    }

    /// `linalg.pack` cuts dimensions into tiles that become the innermost dimensions; `linalg.unpack` is its inverse.
    fn pack(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let packs = ir.opcode(op) == Opcode::LinalgPack;
        let parts: Vec<Vec<ValueId>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
        let (padding, tiles) = match &parts[..] {
            [_, _, padding, tiles] if packs => (padding.first().copied(), &tiles[..]),
            _ => (None, ir.operands(op).get(2..).unwrap_or_default()),
        };
        let tiles = self.listed(op, "static_inner_tiles", tiles)?;
        let known = |tile: &Index| if let Index::Known(n) = *tile { Some(n).filter(|&n| n > 0) } else { None };
        let Some(tiles) = tiles.iter().map(known).collect::<Option<Vec<i64>>>() else {
            return Err(self.error("tiles have sizes that are known at compile time".into()));
        };
        let (from, to) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)));
        let (plain, packed) = if packs { (from, to) } else { (to, from) };
        let rank = plain.len();
        let positions = self.dims(op, "inner_dims_pos", rank)?;
        let mut order = self.dims(op, "outer_dims_perm", rank)?;
        if order.is_empty() {
            order = (0..rank).collect();
        }
        if order.len() != rank || positions.len() != tiles.len() || packed.len() != rank + tiles.len() {
            return Err(self.bad_types());
        }
        let tile_of = |d: usize| positions.iter().position(|&position| position == d);
        let src = self.operand(op, 0)?;
        let padding = padding.map(|value| self.reg(value)).transpose()?;
        let dst = self.result(op)?;
        self.reserve(dst.len().saturating_mul(4))?;
        let strides = row_major(from);
        if !packs {
            let inside = (0..rank).all(|o| {
                let d = order[o];
                let tile = tile_of(d).map_or(1, |tile| tiles[tile]);
                plain[d] <= packed[o].saturating_mul(tile)
            });
            if !inside || (0..tiles.len()).any(|tile| packed[rank + tile] != tiles[tile]) {
                return Err(self.bad_types());
            }
            let places = table(to, |at| {
                let outer: i64 = (0..rank)
                    .map(|o| {
                        let d = order[o];
                        tile_of(d).map_or(at[d], |tile| at[d] / tiles[tile]) * strides[o]
                    })
                    .sum();
                let inner = positions.iter().enumerate().map(|(tile, &d)| at[d] % tiles[tile] * strides[rank + tile]);
                outer + inner.sum::<i64>()
            });
            return self.gather(dst, src, places);
        }
        let mut beyond = false;
        let places = table(to, |at| {
            let mut place = 0;
            for o in 0..rank {
                let d = order[o];
                let index = tile_of(d).map_or(at[o], |tile| at[o] * tiles[tile] + at[rank + tile]);
                if index >= plain[d] {
                    beyond = true;
                    return i64::from(src.n);
                }
                place += index * strides[d];
            }
            place
        });
        match (beyond, padding) {
            (false, _) => self.gather(dst, src, places),
            (true, Some(padding)) if (padding.bank, padding.n) == (src.bank, 1) => {
                let all = self.fresh(src.bank, src.n.saturating_add(1), self.block)?;
                self.emit_cost(Inst::Collect { dst: all, parts: [src, padding].into() }, u64::from(all.n))?;
                self.gather(dst, all, places)
            }
            (true, _) => Err(self.error("tiles leave the tensor, and no padding value is given".into())),
        }
    }

    /// `tensor.gather` and `tensor.scatter`: positions along some dimensions come from the last dimension of a tensor;
    /// the other dimensions are whole, or have extent 1 or no place in the slices.
    fn through_positions(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let gathers = ir.opcode(op) == Opcode::TensorGather;
        let (slices, whole) =
            if gathers { (ir.result(op, 0), ir.operand(op, 0)) } else { (ir.operand(op, 0), ir.operand(op, 1)) };
        let indices = ir.operand(op, if gathers { 1 } else { 2 });
        let (shape, of) = (ir.shape_of(whole), ir.shape_of(slices).to_vec());
        let dims = self.dims(op, if gathers { "gather_dims" } else { "scatter_dims" }, shape.len())?;
        let index_shape = ir.shape_of(indices);
        let Some((&depth, batch)) = index_shape.split_last() else { return Err(self.unknown(op)) };
        if depth as usize != dims.len() || of.len() < batch.len() || of[..batch.len()] != *batch {
            return Err(self.bad_types());
        }
        // Dimensions that the positions name are left out of the slices, or stand there with extent 1.
        let n_batch = batch.len();
        let dropped = match of.len() - n_batch {
            rest if rest == shape.len() => false,
            rest if rest + dims.len() == shape.len() => true,
            _ => return Err(self.bad_types()),
        };
        let index_reg = self.reg(indices)?;
        let mut coords = Vec::new();
        let mut next = n_batch;
        for d in 0..shape.len() {
            let at = next;
            let named = dims.iter().position(|&dim| dim == d);
            if named.is_none() || !dropped {
                next += 1;
            }
            coords.push(match named {
                Some(position) => self.looked_up(&of, n_batch, index_reg, dims.len(), position)?,
                None => self.indices_of(&of, |place| place[at])?,
            });
        }
        if gathers {
            let src = self.reg(whole)?;
            let dst = self.result(op)?;
            return self.fetch(dst, src, coords, shape, None, None);
        }
        let (src, into) = (self.reg(slices)?, self.reg(whole)?);
        self.deal(op, src, into, coords, shape, None, None)
    }

    /// For each place of the slices, one number of the position that its batch has.
    fn looked_up(&mut self, of: &[i64], n_batch: usize, reg: Reg, depth: usize, at: usize) -> Result<Reg, Diag> {
        let strides = row_major(&of[..n_batch]);
        self.reserve(n_elements(of).saturating_mul(4))?;
        let places = table(of, |place| linear(&strides, &place[..n_batch]) * depth as i64 + at as i64);
        let dst = self.fresh(Bank::Int, n_elements(of) as u32, self.block)?;
        self.gather(dst, reg, places)?;
        Ok(dst)
    }

    #[allow(clippy::too_many_arguments, reason = "what is put where, and how")]
    fn deal(
        &mut self,
        op: OpId,
        src: Reg,
        into: Reg,
        coords: Vec<Reg>,
        shape: &[i64],
        mask: Option<Reg>,
        body: Option<Body>,
    ) -> Result<(), Diag> {
        let dst = self.result(op)?;
        let one = |regs: &[Reg]| regs.iter().all(|reg| (reg.bank, reg.n) == (dst.bank, 1));
        let fits = coords.len() == shape.len()
            && coords.iter().chain(&mask).all(|reg| (reg.bank, reg.n) == (Bank::Int, src.n))
            && (dst.bank, dst.n) == (into.bank, into.n)
            && src.bank == dst.bank
            && into.len() == n_elements(shape)
            && body.as_ref().is_none_or(|body| {
                one(&body.args) && one(&body.yielded) && (body.args.len(), body.yielded.len()) == (2, 1)
            });
        if !fits {
            return Err(self.bad_types());
        }
        // An update of `iree_linalg_ext.scatter` outside of the tensor is left out: it comes from StableHLO, whose rule this is.
        let drops = self.ir.opcode(op) == Opcode::IreeLinalgExtScatter;
        let whole = Whole::Deal { dst, into, src, coords, shape: shape.to_vec(), mask, drops, body };
        self.emit_cost(Inst::Whole(Box::new(whole)), u64::from(src.n))
    }

    /// `iree_linalg_ext.gather` and `scatter`: `dimension_map` says which dimension each number of a position names.
    fn through_map(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let gathers = ir.opcode(op) == Opcode::IreeLinalgExtGather;
        let [first, indices, mask @ .., last] = ir.operands(op) else { return Err(self.unknown(op)) };
        let (whole, slices) = if gathers { (*first, *last) } else { (*last, *first) };
        let (shape, mut of) = (ir.shape_of(whole), ir.shape_of(slices).to_vec());
        let dims = self.dims(op, "dimension_map", shape.len())?;
        let depth = dims.len();
        let Some(n_batch) = (of.len() + depth).checked_sub(shape.len()) else { return Err(self.bad_types()) };
        let (index_reg, places) = (self.reg(*indices)?, ir.shape_of(*indices));
        // PyTorch's assignments to what a mask selects have one update where it selects nothing: places are counted.
        let mut src = self.reg(slices)?;
        if !gathers && n_batch == 1 && places.first().is_some_and(|&n| n < of[0]) {
            of[0] = places[0];
            src.n = n_elements(&of) as u32;
        }
        if index_reg.bank != Bank::Int || index_reg.len() != n_elements(&of[..n_batch]).saturating_mul(depth) {
            return Err(self.bad_types());
        }
        let mut coords = Vec::new();
        for d in 0..shape.len() {
            coords.push(match dims.iter().position(|&dim| dim == d) {
                Some(position) => self.looked_up(&of, n_batch, index_reg, depth, position)?,
                None if d >= depth => self.indices_of(&of, |place| place[n_batch + d - depth])?,
                None => return Err(self.error("`dimension_map` does not name the outermost dimensions".into())),
            });
        }
        let mask = match mask.first() {
            Some(&mask) => {
                let reg = self.reg(mask)?;
                Some(self.looked_up(&of, n_batch, reg, 1, 0)?)
            }
            None => None,
        };
        if gathers {
            let (src, out) = (self.reg(whole)?, src);
            let dst = self.result(op)?;
            // What the mask leaves out stays as it is in the destination.
            return self.fetch(dst, src, coords, shape, mask, mask.map(|_| out));
        }
        let into = self.reg(whole)?;
        let body = self.region_of_one(op)?;
        self.deal(op, src, into, coords, shape, mask, Some(body))
    }

    /// `iree_linalg_ext.map_load` and `map_store`: a region says where each element comes from, or goes to.
    fn relocated(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let loads = ir.opcode(op) == Opcode::IreeLinalgExtMapLoad;
        let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
        let (from, to) = (ir.shape_of(input).to_vec(), ir.shape_of(output).to_vec());
        let mut coords = self.points(op, if loads { &to } else { &from })?;
        let Some(last) = coords.pop() else { return Err(self.unknown(op)) };
        let src = self.reg(input)?;
        if loads {
            let dst = self.result(op)?;
            return self.fetch(dst, src, coords, &from, None, Some(last));
        }
        let into = self.reg(output)?;
        self.deal(op, src, into, coords, &to, Some(last), None)
    }

    fn sorted(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let outputs: Vec<ValueId> = ir.operands(op).to_vec();
        let Some(&first) = outputs.first() else { return Err(self.unknown(op)) };
        let shape = self.around(op, "dimension", ir.shape_of(first))?;
        let srcs = self.regs(&outputs)?;
        let body = self.region_of_one(op)?;
        let dsts = ir.results(op).map(|result| self.define(result)).collect::<Result<Vec<_>, _>>()?;
        let total: usize = shape.iter().product();
        let alike = |(dst, src): (&Reg, &Reg)| (dst.bank, dst.n) == (src.bank, src.n) && src.len() == total;
        let args = srcs.iter().flat_map(|src| [src.bank; 2]);
        if dsts.len() != srcs.len()
            || !dsts.iter().zip(&srcs).all(alike)
            || !body.args.iter().map(|arg| arg.bank).eq(args)
            || !matches!(body.yielded[..], [Reg { bank: Bank::Int, n: 1, .. }])
        {
            return Err(self.bad_types());
        }
        let n = total as u64;
        self.emit_cost(Inst::Whole(Box::new(Whole::Sort { dsts, srcs, shape, body })), n)
    }

    /// `iree_linalg_ext.topk` and `topk_v2`, which may leave out the indices that it gives.
    fn best_of(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let old = ir.opcode(op) == Opcode::IreeLinalgExtTopk;
        let group = |name: &str| ir.group(op, name);
        let indices = group(if old { "indices" } else { "input_indices" });
        let ([values], [out], out_at) = (group("values"), group("output_values"), group("output_indices")) else {
            return Err(self.unknown(op));
        };
        let shape = self.around(op, "dimension", ir.shape_of(*values))?;
        let [outer, k, inner] = self.around(op, "dimension", ir.shape_of(*out))?;
        let indices = indices.first().map(|&value| self.reg(value)).transpose()?;
        let (values, out) = (self.reg(*values)?, self.reg(*out)?);
        let body = self.region_of_one(op)?;
        let dst = self.define(ir.result(op, 0))?;
        let (inits, dsts) = match out_at.first() {
            Some(&out_at) => ([out, self.reg(out_at)?], [dst, self.define(ir.result(op, 1))?]),
            None => {
                let nowhere = self.known(Bank::Int, out.n, Known::Int(0))?;
                ([out, nowhere], [dst, self.fresh(Bank::Int, out.n, self.block)?])
            }
        };
        let total: usize = shape.iter().product();
        let alike =
            |(dst, init): (&Reg, &Reg)| (dst.bank, dst.n) == (init.bank, init.n) && dst.len() == outer * k * inner;
        if [outer, inner] != [shape[0], shape[2]]
            || !dsts.iter().zip(&inits).all(alike)
            || [values.bank; 2] != [dsts[0].bank, body.args.first().map_or(Bank::View, |arg| arg.bank)]
            || dsts[1].bank != Bank::Int
            || indices.is_some_and(|indices| (indices.bank, indices.len()) != (Bank::Int, total))
            || values.len() != total
            || body.args.len() != 2
            || !matches!(body.yielded[..], [Reg { bank: Bank::Int, n: 1, .. }])
        {
            return Err(self.bad_types());
        }
        let whole = Whole::Best { dsts, values, indices, inits, shape, k, body };
        self.emit_cost(Inst::Whole(Box::new(whole)), total as u64)
    }

    /// `iree_linalg_ext.scan`: the region takes what is there so far, and the next element.
    fn scan_tensor(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let [input, output, init] = *ir.operands(op) else { return Err(self.unknown(op)) };
        let shape = self.around(op, "dimension", ir.shape_of(input))?;
        let inclusive =
            ir.attr(op, "inclusive").is_some_and(|attr| attr.as_i64() == Some(1) || *attr == super::data::TRUE);
        let (src, out, init) = (self.reg(input)?, self.reg(output)?, self.reg(init)?);
        let body = self.region_of_one(op)?;
        let (dst, total) = (self.define(ir.result(op, 0))?, self.define(ir.result(op, 1))?);
        let same = |a: Reg, b: Reg| (a.bank, a.n) == (b.bank, b.n);
        let one = |reg: &Reg| (reg.bank, reg.n) == (src.bank, 1);
        if !same(dst, src)
            || !same(out, src)
            || !same(total, init)
            || total.bank != src.bank
            || total.len() != shape[0] * shape[2]
            || body.args.len() != 2
            || body.yielded.len() != 1
            || !body.args.iter().chain(&body.yielded).all(one)
        {
            return Err(self.bad_types());
        }
        let whole = Whole::Scan { dst, total, src, init, shape, inclusive, body };
        self.emit_cost(Inst::Whole(Box::new(whole)), u64::from(src.n))
    }

    /// The operation's region, called on one place after the other.
    fn region_of_one(&mut self, op: OpId) -> Result<Body, Diag> {
        let Some(block) = self.ir.body(op, 0) else { return Err(self.unknown(op)) };
        self.callee(op, block, 1)
    }
}
