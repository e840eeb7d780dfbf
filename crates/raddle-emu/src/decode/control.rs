//! Decode control flow, calls, ids, and what lanes do together.

use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{Attr, BlockId, Diag, Expr, OpId, Opcode, ValueId};
use raddle_target::catalogue::{SharedProduct, SharedTile};
use raddle_target::{Mma, Operand};

use super::in_step::meet;
use super::{Decoder, Root};
use crate::inst::{GroupFactor, Index, Inst, Int2, Known, MmaInst, Move, SharedFactor, SharedProductInst, Shuffle};
use crate::launch::Mode;
use crate::regs::{Bank, Reg};
use crate::round::Round;

/// A loop whose end is not decoded yet.
#[derive(Clone, Copy)]
pub(super) struct Open {
    begin: u32,
    /// Index, upper bound, step.
    regs: [Reg; 3],
    /// What the code before the loop needs of the fuel.
    least: u64,
}

impl Decoder<'_> {
    pub(super) fn for_loop(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        if ir.opcode(op) == Opcode::ScfForall {
            return self.forall(op);
        }
        let operands = self.regs(ir.operands(op))?;
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let args = ir.args(body);
        if operands.len() < 3 || args.len() != operands.len() - 2 {
            return Err(self.error("the loop's operands do not match its block".into()));
        }
        let bounds = [0, 1, 2].map(|at| ir.const_int(ir.operand(op, at)));
        self.counted(op, body, [operands[0], operands[1], operands[2]], bounds, &operands[3..])
    }

    /// A loop with an index, from a lower bound to an upper one by a step; these as far as they are known; and what it
    /// carries.
    pub(super) fn counted(
        &mut self,
        op: OpId,
        body: BlockId,
        [lb, ub, step]: [Reg; 3],
        bounds: [Option<i64>; 3],
        inits: &[Reg],
    ) -> Result<(), Diag> {
        let ir = self.ir;
        let args = ir.args(body);
        if [lb, ub, step].iter().any(|bound| bound.bank != Bank::Int) {
            return Err(self.error("the bounds of a loop are integers".into()));
        }
        let iv = self.fresh(Bank::Int, 1, None)?;
        self.values.insert(args[0], iv);
        let mut moves = vec![Move { dst: iv, src: lb, swap: false }];
        let mut carried = Vec::new();
        // The result of the loop is where the value that is carried around it ends up.
        for ((result, &arg), &init) in ir.results(op).zip(&args[1..]).zip(inits) {
            let reg = self.define(result)?;
            if reg.bank == Bank::View {
                self.roots[reg.at as usize] = Root::Unknown;
            }
            self.values.insert(arg, reg);
            moves.push(Move { dst: reg, src: init, swap: false });
            carried.push(reg);
        }
        let cost = moves.iter().map(|m| u64::from(m.dst.n)).sum();
        self.emit_cost(Inst::Move(moves.into()), cost)?;
        let begin = self.open_loop([iv, ub, step])?;
        let yielded = self.body(body)?;
        self.moves(&carried, &yielded, body)?;
        self.close_loop(begin, bounds)
    }

    pub(super) fn open_loop(&mut self, [iv, ub, step]: [Reg; 3]) -> Result<Open, Diag> {
        let begin = self.pc();
        self.emit(Inst::LoopBegin { iv, ub, step, exit: 0, least: 0 })?;
        Ok(Open { begin, regs: [iv, ub, step], least: std::mem::take(&mut self.code.least) })
    }

    /// Ends a loop. `bounds` are its lower and upper bound and its step, where they are known.
    pub(super) fn close_loop(&mut self, open: Open, bounds: [Option<i64>; 3]) -> Result<(), Diag> {
        let Open { begin, regs: [iv, ub, step], least: before } = open;
        self.emit(Inst::LoopEnd { iv, ub, step, body: begin + 1 })?;
        self.patch(begin);
        let iteration = self.code.least;
        if let Inst::LoopBegin { least, .. } = &mut self.code.insts[begin as usize] {
            *least = iteration;
        }
        let trips = match bounds {
            [Some(lower), Some(upper), Some(step)] if lower < upper && step > 0 => {
                upper.abs_diff(lower).div_ceil(step.unsigned_abs())
            }
            _ => 0,
        };
        self.code.least = before.saturating_add(iteration.saturating_mul(trips));
        Ok(())
    }

    /// Fills `dsts` with what a block yields, all at once.
    fn moves(&mut self, dsts: &[Reg], srcs: &[Reg], block: BlockId) -> Result<(), Diag> {
        if dsts.len() != srcs.len() {
            return Err(self.error("a region yields another number of values than its operation has results".into()));
        }
        let pairs: Vec<(Reg, Reg)> =
            dsts.iter().copied().zip(srcs.iter().copied()).filter(|(dst, src)| dst != src).collect();
        let (mut first, mut moves) = (Vec::new(), Vec::new());
        for &(dst, src) in &pairs {
            if (dst.bank, dst.n) != (src.bank, src.n) {
                return Err(self.error("a region yields a value of another type than its operation's result".into()));
            }
            if pairs.iter().any(|pair| pair.0 == src) {
                // The source is overwritten by another move: save it.
                let saved = self.fresh(src.bank, src.n, None)?;
                first.push(Move { dst: saved, src, swap: false });
                moves.push(Move { dst, src: saved, swap: true });
            } else {
                let fresh = self.homes[src.bank as usize][src.at as usize] == Some(block);
                let alone = pairs.iter().filter(|pair| pair.1 == src).count() == 1;
                moves.push(Move { dst, src, swap: fresh && alone });
            }
        }
        for list in [first, moves] {
            if !list.is_empty() {
                let cost = list.iter().map(|m| u64::from(m.dst.n)).sum();
                self.emit_cost(Inst::Move(list.into()), cost)?;
            }
        }
        Ok(())
    }

    /// Points the forward jump of an instruction to here.
    pub(super) fn patch(&mut self, at: u32) {
        let here = self.pc();
        match &mut self.code.insts[at as usize] {
            Inst::LoopBegin { exit: to, .. }
            | Inst::WhileTest { exit: to, .. }
            | Inst::If { otherwise: to, .. }
            | Inst::Else { end: to } => *to = here,
            inst => unreachable!("{inst:?} does not jump forward"),
        }
    }

    pub(super) fn branch(&mut self, op: OpId) -> Result<(), Diag> {
        let cond = self.operand(op, 0)?;
        self.either_way(op, cond)
    }

    /// The first region of an operation where a condition holds, and the second one elsewhere.
    pub(super) fn either_way(&mut self, op: OpId, cond: Reg) -> Result<(), Diag> {
        let ir = self.ir;
        let results = ir.results(op).map(|result| self.define(result)).collect::<Result<Vec<_>, _>>()?;
        let Some(then) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let begin = self.pc();
        self.emit(Inst::If { cond, otherwise: 0 })?;
        // A lane takes one of the two ways, and the cheaper one of them is free.
        let least = self.code.least;
        let yielded = self.body(then)?;
        self.moves(&results, &yielded, then)?;
        if let Some(otherwise) = ir.body(op, 1) {
            self.patch(begin);
            let middle = self.pc();
            self.emit(Inst::Else { end: 0 })?;
            let yielded = self.body(otherwise)?;
            self.moves(&results, &yielded, otherwise)?;
            self.patch(middle);
        } else {
            if !results.is_empty() {
                return Err(self.error("a branch with results has two regions".into()));
            }
            self.patch(begin);
        }
        self.code.least = least;
        self.emit(Inst::EndIf)
    }

    /// Workgroups of a tiled program, one after the other.
    fn forall(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        if meet(ir, op) {
            return self.forall_in_step(op);
        }
        let Forall { lower, upper, step, outputs } = Forall::of(ir, op);
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let args = ir.args(body);
        let rank = lower.len();
        if args.len() != rank + outputs.len() {
            return Err(self.error("the loop's operands do not match its block".into()));
        }
        self.outputs(op, &args[rank..], &outputs)?;
        self.loops(op, [&lower, &upper, &step], body, |_, _| Ok(()))
    }

    /// `scf.parallel`, one iteration after the other; values are reduced in this order.
    pub(super) fn parallel(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let [lower, upper, step, inits] = ir.segments(op)[..] else { return Err(self.unknown(op)) };
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        let results: Vec<ValueId> = ir.results(op).collect();
        let reduce = ir.terminator(body).filter(|&end| ir.opcode(end) == Opcode::ScfReduce);
        let regions = reduce.map(|reduce| ir.regions(reduce)).unwrap_or_default();
        if results.len() != inits.len() || regions.len() != inits.len() {
            return Err(self.error("a parallel loop reduces a value for each of its results".into()));
        }
        self.outputs(op, inits, inits)?;
        let accumulators = self.regs(&results)?;
        let [lower, upper, step] =
            [lower, upper, step].map(|list| list.iter().map(|&value| Mixed::Value(value)).collect::<Vec<_>>());
        self.loops(op, [&lower, &upper, &step], body, |this, values| {
            for ((&region, &accumulator), &value) in regions.iter().zip(&accumulators).zip(values) {
                let &[block] = ir.blocks(region) else { return Err(this.unknown(op)) };
                let &[left, right] = ir.args(block) else { return Err(this.unknown(op)) };
                this.values.extend([(left, accumulator), (right, value)]);
                let combined = this.body(block)?;
                this.moves(&[accumulator], &combined, block)?;
            }
            Ok(())
        })
    }

    /// A nest of loops around a block, whose first arguments are their indices; `end` is given what the block yields.
    fn loops(
        &mut self,
        op: OpId,
        [lower, upper, step]: [&[Mixed]; 3],
        body: BlockId,
        end: impl FnOnce(&mut Self, &[Reg]) -> Result<(), Diag>,
    ) -> Result<(), Diag> {
        let ir = self.ir;
        let args = ir.args(body);
        if args.len() < lower.len() || [upper.len(), step.len()] != [lower.len(); 2] {
            return Err(self.unknown(op));
        }
        let mut loops = Vec::new();
        for d in 0..lower.len() {
            let bounds = [lower[d], upper[d], step[d]].map(|mixed| match mixed {
                Mixed::Static(value) => Some(value),
                Mixed::Value(value) => ir.const_int(value),
            });
            let [lb, ub, step] = [lower[d], upper[d], step[d]].map(|mixed| self.index(mixed));
            let [lb, ub, step] = [self.index_reg(lb?)?, self.index_reg(ub?)?, self.index_reg(step?)?];
            let iv = self.fresh(Bank::Int, 1, None)?;
            self.values.insert(args[d], iv);
            self.emit(Inst::Move([Move { dst: iv, src: lb, swap: false }].into()))?;
            loops.push((self.open_loop([iv, ub, step])?, bounds));
        }
        let values = self.body(body)?;
        end(self, &values)?;
        for (open, bounds) in loops.into_iter().rev() {
            self.close_loop(open, bounds)?;
        }
        Ok(())
    }

    /// What a `forall` inserts into begins as its outputs.
    pub(super) fn outputs(&mut self, op: OpId, args: &[ValueId], outputs: &[ValueId]) -> Result<(), Diag> {
        let mut moves = Vec::new();
        for ((result, &arg), &init) in self.ir.results(op).zip(args).zip(outputs) {
            let src = self.reg(init)?;
            let dst = self.define(result)?;
            self.values.insert(arg, dst);
            moves.push(Move { dst, src, swap: false });
        }
        let cost = moves.iter().map(|m| u64::from(m.dst.n)).sum();
        self.emit_cost(Inst::Move(moves.into()), cost)
    }

    /// The insertions at the end of a `forall` body.
    pub(super) fn in_parallel(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.body(op, 0) {
            Some(block) => self.body(block).map(|_| ()),
            None => Ok(()),
        }
    }

    pub(super) fn call(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let name = match ir.attr(op, "callee") {
            Some(Attr::Symbol(path)) => path.last().map_or("", |&name| &ir[name]),
            _ => "",
        };
        let callee = ir.funcs().into_iter().find(|&func| ir.symbol_name(func) == Some(name));
        let Some(body) = callee.and_then(|callee| ir.body(callee, 0)) else {
            return Err(self.error(format!("the called function `{name}` has no body in this module")));
        };
        let operands = self.regs(ir.operands(op))?;
        let args = ir.args(body);
        if args.len() != operands.len() {
            return Err(self.error(format!("`{name}` takes {} arguments, not {}", args.len(), operands.len())));
        }
        // The body is decoded anew for every call, so that its values may keep their ids.
        for (&arg, &reg) in args.iter().zip(&operands) {
            self.values.insert(arg, reg);
        }
        let returned = self.region(ir.block_region(body))?;
        for (result, reg) in ir.results(op).zip(returned) {
            self.values.insert(result, reg);
        }
        Ok(())
    }

    /// `util.global.load` and `store`, in straight lines: a store inside a region would have to meet others behind it.
    pub(super) fn global(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let name = match ir.attr(op, "global") {
            Some(Attr::Symbol(path)) => path.last().map_or("", |&name| &ir[name]),
            _ => return Err(self.unknown(op)),
        };
        if ir.opcode(op) == Opcode::UtilGlobalStore {
            let parent = ir.parent_op(op).map(|parent| ir.opcode(parent));
            if parent != Some(Opcode::FuncFunc) || !self.ifs.is_empty() {
                return Err(self.error("the emulator writes globals outside of loops and branches only".into()));
            }
            let value = self.operand(op, 0)?;
            self.globals.insert(name, value);
            return Ok(());
        }
        let result = ir.result(op, 0);
        let reg = match self.globals.get(name) {
            Some(&reg) => reg,
            None => {
                let mut ops = ir.block_ops(ir.module_block());
                let global = ops.find(|&op| ir.opcode(op) == Opcode::UtilGlobal && ir.symbol_name(op) == Some(name));
                let value = global.and_then(|global| ir.attr(global, "initial_value"));
                if value.is_none() {
                    return Err(self.error(format!("nothing was written to `@{name}` before it is read")));
                }
                self.data(ir.type_of(result), value)?
            }
        };
        self.values.insert(result, reg);
        Ok(())
    }

    /// `memref.get_global` of a constant: memory of its own that holds the data.
    pub(super) fn constant_memory(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let Some(Attr::Symbol(path)) = ir.attr(op, "name") else { return Err(self.unknown(op)) };
        let name = path.last().map_or("", |&name| &ir[name]);
        let mut ops = ir.block_ops(ir.module_block());
        let global = ops.find(|&op| ir.opcode(op) == Opcode::MemrefGlobal && ir.symbol_name(op) == Some(name));
        let value = global.filter(|&global| ir.attr(global, "constant").is_some());
        let Some(value @ Attr::Dense { ty, .. }) = value.and_then(|global| ir.attr(global, "initial_value")) else {
            return Err(self.error(format!("`@{name}` is not a constant with a value in this module")));
        };
        let data = self.data(*ty, Some(value))?;
        let memref = ir.result(op, 0);
        self.alloc(op)?;
        let inst = self.whole_box(op, memref)?;
        self.emit_write(op, inst, data, memref)
    }

    // ---- index arithmetic

    pub(super) fn index_reg(&mut self, index: Index) -> Result<Reg, Diag> {
        match index {
            Index::Known(value) => self.int(value),
            Index::Reg(reg) => Ok(reg),
        }
    }

    pub(super) fn index_op(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::AffineApply => {
                let Some(map) = ir.map(op, "map") else { return Err(self.unknown(op)) };
                let operands = self.regs(ir.operands(op))?;
                if operands.len() != (map.dims + map.syms) as usize || map.results.len() != 1 {
                    return Err(self.error("the map does not fit the operands of `affine.apply`".into()));
                }
                let (dims, syms) = operands.split_at(map.dims as usize);
                let reg = self.expr(&map.results[0], dims, syms)?;
                self.values.insert(ir.result(op, 0), reg);
            }
            Opcode::AffineLinearizeIndex => {
                let parts: Vec<Vec<_>> = ir.segments(op).iter().map(|part| part.to_vec()).collect();
                let [indices, dynamic] = &parts[..] else { return Err(self.unknown(op)) };
                let basis = self.basis(op, dynamic)?;
                let mut digits = indices.iter();
                let Some(&first) = digits.next() else {
                    let zero = self.int(0)?;
                    self.values.insert(ir.result(op, 0), zero);
                    return Ok(());
                };
                let mut acc = self.reg(first)?;
                // The outermost extent, where it is given, changes nothing.
                let Some(skipped) = basis.len().checked_sub(indices.len() - 1) else { return Err(self.unknown(op)) };
                for (&digit, &extent) in digits.zip(&basis[skipped..]) {
                    let scaled = self.int2(Int2::Mul, acc, extent)?;
                    let digit = self.reg(digit)?;
                    acc = self.int2(Int2::Add, scaled, Index::Reg(digit))?;
                }
                self.values.insert(ir.result(op, 0), acc);
            }
            _ => {
                let basis = self.basis(op, &ir.operands(op)[1..])?;
                let n = ir.results(op).len();
                let mut rest = self.operand(op, 0)?;
                let Some(skipped) = (basis.len() + 1).checked_sub(n) else { return Err(self.unknown(op)) };
                let extents = basis.get(skipped..).unwrap_or(&[]);
                let results: Vec<_> = ir.results(op).collect();
                for d in (1..n).rev() {
                    let extent = extents[d - 1];
                    let digit = self.int2(Int2::ModE, rest, extent)?;
                    self.values.insert(results[d], digit);
                    rest = self.int2(Int2::FloorDivS, rest, extent)?;
                }
                if let Some(&first) = results.first() {
                    self.values.insert(first, rest);
                }
            }
        }
        Ok(())
    }

    fn basis(&mut self, op: OpId, dynamic: &[ValueId]) -> Result<Vec<Index>, Diag> {
        let ir = self.ir;
        let numbers = ir.attr_id(op, "static_basis").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        self.indices(&raddle_ir::views::mixed(&numbers, dynamic))
    }

    pub(super) fn expr(&mut self, expr: &Expr, dims: &[Reg], syms: &[Reg]) -> Result<Reg, Diag> {
        let (op, lhs, rhs) = match expr {
            Expr::Dim(d) => return Ok(dims[*d as usize]),
            Expr::Sym(s) => return Ok(syms[*s as usize]),
            Expr::Const(value) => return self.int(*value),
            Expr::Add(a, b) => (Int2::Add, a, b),
            Expr::Mul(a, b) => (Int2::Mul, a, b),
            Expr::Mod(a, b) => (Int2::ModE, a, b),
            Expr::FloorDiv(a, b) => (Int2::FloorDivS, a, b),
            Expr::CeilDiv(a, b) => {
                // a ceildiv b == -(-a floordiv b).
                let a = self.expr(a, dims, syms)?;
                let b = self.expr_index(b, dims, syms)?;
                let minus = self.int2(Int2::Mul, a, Index::Known(-1))?;
                let quotient = self.int2(Int2::FloorDivS, minus, b)?;
                return self.int2(Int2::Mul, quotient, Index::Known(-1));
            }
        };
        let lhs = self.expr(lhs, dims, syms)?;
        let rhs = self.expr_index(rhs, dims, syms)?;
        self.int2(op, lhs, rhs)
    }

    fn expr_index(&mut self, expr: &Expr, dims: &[Reg], syms: &[Reg]) -> Result<Index, Diag> {
        match expr {
            Expr::Const(value) => Ok(Index::Known(*value)),
            expr => self.expr(expr, dims, syms).map(Index::Reg),
        }
    }

    /// One integer operation on indices; division by a power of two becomes a shift or a mask.
    pub(super) fn int2(&mut self, op: Int2, a: Reg, b: Index) -> Result<Reg, Diag> {
        let (op, b) = match (op, b) {
            (Int2::Add, Index::Known(0)) | (Int2::Mul | Int2::FloorDivS, Index::Known(1)) => return Ok(a),
            (Int2::ModE, Index::Known(n)) if n > 0 && n.count_ones() == 1 => (Int2::And, Index::Known(n - 1)),
            (Int2::FloorDivS, Index::Known(n)) if n > 0 && n.count_ones() == 1 => {
                (Int2::ShrS, Index::Known(i64::from(n.trailing_zeros())))
            }
            other => other,
        };
        let b = self.index_reg(b)?;
        let dst = self.temp()?;
        self.emit(Inst::Int2 { op, dst, a, b, width: 64 })?;
        Ok(dst)
    }

    // ---- lanes

    pub(super) fn id(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let dim = match ir.keyword_of(op, "dimension") {
            Some("y") => 1,
            Some("z") => 2,
            _ => 0,
        };
        let known = match ir.opcode(op) {
            Opcode::GpuBlockId | Opcode::HalInterfaceWorkgroupId => Known::Block(dim),
            Opcode::LinalgIndex | Opcode::IreeLinalgExtIndex => {
                let dim = ir.attr(op, "dim").and_then(|attr| attr.as_i64()).and_then(|dim| usize::try_from(dim).ok());
                match dim {
                    Some(dim) if self.outer.is_some() => Known::Loop(dim),
                    _ => return Err(self.error(format!("`{}` stands outside a structured operation", self.name()))),
                }
            }
            opcode => {
                self.only_in(Mode::Simt)?;
                match opcode {
                    Opcode::GpuThreadId => {
                        let reg = self.thread(dim)?;
                        self.values.insert(ir.result(op, 0), reg);
                        return Ok(());
                    }
                    Opcode::GpuLaneId => Known::Lane,
                    Opcode::GpuSubgroupId => Known::Subgroup,
                    _ => return Err(self.unknown(op)),
                }
            }
        };
        let reg = self.known(Bank::Int, 1, known)?;
        self.values.insert(ir.result(op, 0), reg);
        Ok(())
    }

    pub(super) fn layout(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::IreeVectorExtToLayout => {
                if self.launch.mode == Mode::Simt {
                    return Err(self
                        .error("`iree_vector_ext.to_layout` is left in a program of single lanes".into())
                        .help("a layout describes a value of the whole workgroup; distribution replaces it"));
                }
                self.alias(op)
            }
            _ => Err(self
                .error(format!("`{}` is a cast between whole and distributed values, and cannot run", self.name()))
                .help("finish the distribution: both sides of the cast must be of one kind")),
        }
    }

    pub(super) fn shuffle(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simt)?;
        let src = self.operand(op, 0)?;
        if ir.opcode(op) == Opcode::GpuSubgroupReduce {
            let number = |name: &str| ir.attr(op, name).and_then(|attr| attr.as_i64());
            let lanes = i64::from(self.launch.subgroup_size);
            let (size, stride) = (number("cluster_size").unwrap_or(lanes), number("cluster_stride").unwrap_or(1));
            let power = |n: i64| n > 0 && n.count_ones() == 1;
            if !power(size) || !power(stride) || lanes % size.saturating_mul(stride) != 0 {
                return Err(self.error(format!(
                    "clusters of {size} lanes at stride {stride} do not fit a subgroup of {lanes} lanes"
                )));
            }
            let combine = self.combine(op, "op", ir.operand(op, 0))?;
            let dst = self.result(op)?;
            self.check_lanes(dst, src)?;
            let cost = u64::from(dst.n) * u64::from(size.trailing_zeros().max(1));
            let inst = Inst::SubgroupReduce { dst, src, combine, size: size as u32, stride: stride as u32 };
            return self.emit_cost(inst, cost);
        }
        let mode = match ir.keyword_of(op, "mode") {
            Some("xor") => Shuffle::Xor,
            Some("idx") => Shuffle::Idx,
            Some("up") => Shuffle::Up,
            Some("down") => Shuffle::Down,
            _ => return Err(self.unknown(op)),
        };
        let (offset, width) = (self.operand(op, 1)?, self.operand(op, 2)?);
        let dst = self.result(op)?;
        self.check_lanes(dst, src)?;
        let valid = match ir.results(op).nth(1) {
            Some(value) => self.define(value)?,
            None => self.temp()?,
        };
        self.emit_cost(Inst::Shuffle { mode, dst, valid, src, offset, width }, u64::from(dst.n))
    }

    /// What lanes exchange are numbers of one type.
    pub(super) fn check_lanes(&self, dst: Reg, src: Reg) -> Result<(), Diag> {
        if dst.bank != Bank::View && (dst.bank, dst.n) == (src.bank, src.n) {
            return Ok(());
        }
        Err(self.error(format!("`{}` moves numbers, and does not change their type", self.name())))
    }

    /// `nvgpu.wgmma`
    fn shared_product(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simt)?;
        let Some(product) = SharedProduct::of(self.ir, op) else {
            return Err(self.error(format!("`{}` names no product in shared memory that is known", self.name())));
        };
        if self.launch.subgroup_size != 32 || !self.launch.n_subgroups().is_multiple_of(4) {
            return Err(self.error(format!("`{}` is an instruction of four subgroups of 32 lanes", self.name())));
        }
        let [_, n, k] = product.mnk;
        // Words of two or four elements: `mma.sync`'s, of 16 rows.
        let place = |row: i64, column: i64, half: i64, run: i64| {
            let (slot, lane) = ((column / half * 2 + row / 8) * run + column % run, row % 8 * 4 + column % half / run);
            (slot * 32 + lane) as u32
        };
        let (rhs_at, dst) = (self.ir.operands(op).len() - 3, self.result(op)?);
        let lhs = match &product.lhs {
            Some(tile) => GroupFactor::Shared(self.shared_factor(op, 0, tile, Operand::A)?),
            None => {
                let element = |row: i64| (0..k).map(move |column| place(row, column, k / 2, k / 8));
                GroupFactor::Registers(self.operand(op, 0)?, (0..16).flat_map(element).collect())
            }
        };
        let rhs = self.shared_factor(op, rhs_at, &product.rhs, Operand::B)?;
        let acc = self.operand(op, rhs_at + 2)?;
        let table = (0..16).flat_map(|row| (0..n).map(move |column| place(row, column, 8, 2))).collect();
        let round = Round::of(product.types[2], self.precision);
        let inst = SharedProductInst { dst, acc, n: n as usize, k: k as usize, lhs, rhs, table, round };
        self.emit_cost(Inst::SharedProduct(Box::new(inst)), (16 * n * k) as u64 / 32)
    }

    /// The tile that operand `at` and the index behind it name: A is m x k, B is k x n.
    fn shared_factor(
        &mut self,
        op: OpId,
        at: usize,
        tile: &SharedTile,
        operand: Operand,
    ) -> Result<SharedFactor, Diag> {
        let plain = tile.plain().map_err(|error| self.error(error.to_string()))?;
        // The layout counts rows of A, or columns of B, fastest.
        let place = |number: i64| match operand {
            Operand::A => plain.at(number / tile.k + number % tile.k * tile.rows),
            Operand::B | Operand::C => plain.at(number),
        };
        let places: Box<[i64]> = (0..tile.rows * tile.k).map(place).collect();
        self.reserve(size_of_val(&*places))?;
        let (view, at) = (self.operand(op, at)?, self.operand(op, at + 1)?);
        Ok(SharedFactor { view, at, places, swizzle: tile.address_swizzle(), unit: tile.in_unit() })
    }

    pub(super) fn matrix(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        if ir.opcode(op) == Opcode::NvgpuWgmma {
            return self.shared_product(op);
        }
        self.only_in(Mode::Simt)?;
        // What cuts its factors, or multiplies several, is computed by the catalogue's row.
        let Some(mma) = Mma::of_op(ir, op).filter(|mma| !mma.on_request && mma.blocks.is_none()) else {
            self.no_modifiers(op, &["unsignedA", "unsignedB", "tf32Enabled"])?;
            if self.plain_intrinsic(op)? {
                return Ok(());
            }
            return Err(self.error(format!(
                "`{}` has a shape and element types that no known matrix instruction has",
                self.name()
            )));
        };
        self.no_modifiers(op, &[])?;
        if mma.subgroup_size != self.launch.subgroup_size {
            return Err(self.error(format!(
                "`{}` is an instruction of {} lanes, but a subgroup has {}",
                mma.name, mma.subgroup_size, self.launch.subgroup_size
            )));
        }
        let mut operands = [self.operand(op, 0)?, self.operand(op, 1)?, self.operand(op, 2)?];
        // Whole registers, of which the instruction takes one half each and leaves the other.
        let whole = operands[2];
        let stride = mma.instruction().slot_strides[2] as u32;
        let n_slots = mma.fragments[2].n_slots() as u32;
        let halves = stride > 1 && whole.n == n_slots * stride;
        if halves {
            operands[2] = self.fresh(whole.bank, n_slots, self.block)?;
            self.gather(operands[2], whole, (0..n_slots).map(|slot| slot * stride).collect())?;
        }
        let lanes = self.lanes;
        let (mut tables, mut duplicates) = (Vec::new(), Vec::new());
        for (fragment, reg) in mma.fragments.iter().zip(operands) {
            if fragment.n_slots() != i64::from(reg.n) {
                return Err(self.error(format!(
                    "an operand of `{}` has {} elements in each lane, not {}",
                    mma.name,
                    fragment.n_slots(),
                    reg.n
                )));
            }
            let [rows, columns] = fragment.shape();
            let mut table: Vec<Option<u32>> = vec![None; (rows * columns) as usize];
            let mut pairs = Vec::new();
            for lane in 0..lanes {
                for slot in 0..reg.len() {
                    let [row, column] = fragment.coord(lane as i64, slot as i64);
                    let here = (slot * lanes + lane) as u32;
                    match table[(row * columns + column) as usize] {
                        Some(first) => pairs.push((first, here)),
                        ref mut first => *first = Some(here),
                    }
                }
            }
            tables.push(table.into_iter().flatten().collect::<Box<[u32]>>());
            duplicates.push(pairs.into_boxed_slice());
        }
        let tables = <[Box<[u32]>; 3]>::try_from(tables).expect("there are three operands");
        let duplicates = <[Box<[(u32, u32)]>; 3]>::try_from(duplicates).expect("there are three operands");
        let result = self.result(op)?;
        let dst = if halves { self.fresh(result.bank, n_slots, self.block)? } else { result };
        let round = Round::of(mma.types[2], self.precision);
        let cost = (mma.m * mma.n * mma.k) as u64 / u64::from(mma.subgroup_size);
        self.emit_cost(Inst::Mma(Box::new(MmaInst { mma, dst, operands, tables, duplicates, round })), cost)?;
        if halves {
            self.place(result, dst, whole, (0..n_slots).map(|slot| slot * stride).collect())?;
        }
        Ok(())
    }

    /// Modifiers that change what the instruction computes, beyond those that are `known`.
    fn no_modifiers(&self, op: OpId, known: &[&str]) -> Result<(), Diag> {
        let ir = self.ir;
        for name in ["cbsz", "abid", "blgp", "subwordOffset"] {
            let is_word = ir.keyword_of(op, name).is_some_and(|word| word != "none");
            if is_word || ir.attr(op, name).and_then(|attr| attr.as_i64()).is_some_and(|value| value != 0) {
                return Err(self.error(format!("`{name}` other than 0 is not supported")));
            }
        }
        for name in
            ["negateA", "negateB", "negateC", "reducePrecision", "unsignedA", "unsignedB", "clamp", "tf32Enabled"]
        {
            if !known.contains(&name) && ir.attr(op, name).is_some_and(|attr| !matches!(attr, Attr::Bool(false))) {
                return Err(self.error(format!("`{name}` is not supported")));
            }
        }
        Ok(())
    }
}
