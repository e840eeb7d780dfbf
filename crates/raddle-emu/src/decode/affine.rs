//! Decode `affine`: loops, branches and accesses whose bounds, conditions and indices are expressions of indices.

use raddle_ir::{Attr, Diag, Map, OpId, Opcode};

use super::Decoder;
use crate::inst::{Index, Inst, Int2, Move};
use crate::launch::Mode;
use crate::regs::{Bank, Reg};

impl Decoder<'_> {
    pub(super) fn affine(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::AffineFor => self.affine_for(op),
            Opcode::AffineIf => self.affine_if(op),
            Opcode::AffineLoad => self.affine_load(op),
            Opcode::AffineStore => self.affine_store(op),
            Opcode::AffineParallel => self.affine_parallel(op),
            _ => Err(self.unknown(op)),
        }
    }

    /// What a map makes of operands.
    fn mapped(&mut self, map: &Map, operands: &[Reg]) -> Result<Vec<Reg>, Diag> {
        if operands.len() != (map.dims + map.syms) as usize {
            return Err(self.error(format!("the map does not fit the operands of `{}`", self.name())));
        }
        let (dims, syms) = operands.split_at(map.dims as usize);
        map.results.iter().map(|expr| self.expr(expr, dims, syms)).collect()
    }

    /// The least or the greatest of some numbers.
    fn best(&mut self, which: Int2, numbers: &[Reg]) -> Result<Reg, Diag> {
        let Some((&first, rest)) = numbers.split_first() else {
            return Err(self.error("a bound has an expression".into()));
        };
        rest.iter().try_fold(first, |best, &number| self.int2(which, best, Index::Reg(number)))
    }

    fn affine_for(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let [lower, upper, inits] = ir.segments(op)[..] else { return Err(self.unknown(op)) };
        let (Some(lower_map), Some(upper_map)) = (ir.map(op, "lowerBoundMap"), ir.map(op, "upperBoundMap")) else {
            return Err(self.unknown(op));
        };
        let step = ir.attr(op, "step").and_then(Attr::as_i64).unwrap_or(1);
        let (lower, upper, inits) = (self.regs(lower)?, self.regs(upper)?, self.regs(inits)?);
        let (lower, upper) = (self.mapped(lower_map, &lower)?, self.mapped(upper_map, &upper)?);
        let bounds = [self.best(Int2::MaxS, &lower)?, self.best(Int2::MinS, &upper)?, self.int(step)?];
        let known =
            |map: &Map| if let [raddle_ir::Expr::Const(number)] = map.results[..] { Some(number) } else { None };
        let known = [known(lower_map), known(upper_map), Some(step)];
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        self.counted(op, body, bounds, known, &inits)
    }

    fn affine_if(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let Some(Attr::Set(set)) = ir.attr(op, "condition") else { return Err(self.unknown(op)) };
        let operands = self.regs(ir.operands(op))?;
        if operands.len() != (set.dims + set.syms) as usize {
            return Err(self.error(format!("the set does not fit the operands of `{}`", self.name())));
        }
        let (dims, syms) = operands.split_at(set.dims as usize);
        let mut condition = self.int(1)?;
        let zero = self.int(0)?;
        for (expr, is_equal) in &set.constraints {
            let a = self.expr(expr, dims, syms)?;
            let dst = self.temp()?;
            // `eq` and `sge`.
            let predicate = if *is_equal { 0 } else { 5 };
            self.emit(Inst::CmpI { predicate, dst, a, b: zero, width: 64 })?;
            condition = self.int2(Int2::And, condition, Index::Reg(dst))?;
        }
        self.either_way(op, condition)
    }

    fn affine_load(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let operands = self.regs(ir.operands(op))?;
        let ([view, at @ ..], Some(map)) = (&operands[..], ir.map(op, "map")) else { return Err(self.unknown(op)) };
        let at = self.mapped(map, at)?;
        let dst = self.result(op)?;
        self.check_access(ir.operand(op, 0), at.len(), dst)?;
        self.emit(Inst::Load { dst, view: *view, at: at.into() })
    }

    fn affine_store(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let operands = self.regs(ir.operands(op))?;
        let ([src, view, at @ ..], Some(map)) = (&operands[..], ir.map(op, "map")) else {
            return Err(self.unknown(op));
        };
        let at = self.mapped(map, at)?;
        self.check_access(ir.operand(op, 1), at.len(), *src)?;
        self.writes(*view);
        self.emit(Inst::Store { src: *src, view: *view, at: at.into() })
    }

    /// The iterations in order, which is one of those that the loop allows.
    fn affine_parallel(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.only_in(Mode::Simd)?;
        let (Some(lower), Some(upper)) = (ir.map(op, "lowerBoundsMap"), ir.map(op, "upperBoundsMap")) else {
            return Err(self.unknown(op));
        };
        let Some(body) = ir.body(op, 0) else { return Err(self.unknown(op)) };
        if ir.results(op).len() > 0 {
            return Err(self.error("the emulator does not know parallel loops of `affine` that reduce".into()));
        }
        let operands = self.regs(ir.operands(op))?;
        let n_lower = (lower.dims + lower.syms) as usize;
        if operands.len() < n_lower {
            return Err(self.unknown(op));
        }
        let args = ir.args(body).to_vec();
        let sizes = ["lowerBoundsGroups", "upperBoundsGroups"].map(|name| ir.dense_ints(op, name, args.len()));
        let steps = ir.attr_id(op, "steps").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let lower = self.mapped(lower, &operands[..n_lower])?;
        let upper = self.mapped(upper, &operands[n_lower..])?;
        let (mut lower, mut upper) = (&lower[..], &upper[..]);
        let mut bounds = Vec::new();
        for d in 0..args.len() {
            let mut bound = Vec::new();
            for (list, (sizes, which)) in
                [&mut lower, &mut upper].into_iter().zip([(&sizes[0], Int2::MaxS), (&sizes[1], Int2::MinS)])
            {
                let n = sizes.get(d).and_then(|&n| usize::try_from(n).ok()).filter(|&n| n <= list.len());
                let Some(n) = n else { return Err(self.unknown(op)) };
                let (group, rest) = list.split_at(n);
                *list = rest;
                bound.push(self.best(which, group)?);
            }
            bounds.push([bound[0], bound[1], self.int(steps.get(d).copied().unwrap_or(1))?]);
        }
        let mut loops = Vec::new();
        for (&arg, [lb, ub, step]) in args.iter().zip(bounds) {
            let iv = self.fresh(Bank::Int, 1, None)?;
            self.values.insert(arg, iv);
            self.emit(Inst::Move([Move { dst: iv, src: lb, swap: false }].into()))?;
            loops.push(self.open_loop([iv, ub, step])?);
        }
        self.body(body)?;
        for open in loops.into_iter().rev() {
            self.close_loop(open, [None; 3])?;
        }
        Ok(())
    }
}
