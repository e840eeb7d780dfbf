//! What the lanes of a warp do together: shuffles, votes, reductions, matrices.

use super::super::ast::Operand;
use super::super::group::{Factor, GroupMma};
use super::super::inst::{Op, Shuffle, ShuffleMode, VoteKind};
use super::super::lane;
use super::super::matrix::{Mma, Part};
use super::super::matrix_rows::{MatrixRows, MoveRows};
use super::super::types::Ty;
use super::data::reduction;
use super::{Decoded, Decoder, Form};

impl<'m> Decoder<'m> {
    pub(super) fn collective(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let has_members = form.words.take("sync");
        match form.opcode {
            "activemask" => {
                form.words.ty();
                form.finish()?;
                let [dst] = form.operands()?;
                let dst = self.destination(dst, &form)?;
                self.check_results([dst], 32, &form)?;
                self.emit(Op::ActiveMask { dst }, form.span)
            }
            "shfl" => self.shuffle(form, has_members),
            "vote" => {
                let kind = match form.words.take_any(&["all", "any", "uni", "ballot"]) {
                    Some("all") => VoteKind::All,
                    Some("any") => VoteKind::Any,
                    Some("uni") => VoteKind::Uniform,
                    Some(_) => VoteKind::Ballot,
                    None => return Err(form.unknown()),
                };
                form.words.ty();
                form.finish()?;
                let (dst, src, members) = self.one_to_one(&form, Ty::PRED, has_members)?;
                self.check_results([dst], if kind == VoteKind::Ballot { 32 } else { 1 }, &form)?;
                self.emit(Op::Vote { kind, dst, src, members }, form.span)
            }
            "match" => {
                let all = form.words.take_any(&["all", "any"]).ok_or_else(|| form.unknown())? == "all";
                let ty = form.words.ty().ok_or_else(|| form.unknown())?;
                form.finish()?;
                let [to, src, members] = form.operands()?;
                let (dst, pred) = self.with_predicate(to, &form)?;
                let src = self.source(src, ty, &form)?;
                let members = self.source(members, Ty::B32, &form)?;
                self.emit(Op::Match { all, dst, pred, src, members }, form.span)
            }
            "redux" => {
                let what = form.words.take_any(&["add", "min", "max", "and", "or", "xor"]);
                let what = what.ok_or_else(|| form.unknown())?;
                if form.words.has("f32") {
                    return self.reduce_floats(what, form);
                }
                let ty = form.words.ty().filter(|ty| ty.width() == 32).ok_or_else(|| form.unknown())?;
                let lanes = reduction(what, ty).filter(|_| form.words.is_empty()).ok_or_else(|| form.unknown())?;
                let (dst, src, members) = self.one_to_one(&form, ty, true)?;
                self.check_results([dst], 32, &form)?;
                self.emit(Op::Reduce { lanes, dst, src, members }, form.span)
            }
            _ => {
                form.finish()?;
                let [to, members] = form.operands()?;
                let (dst, pred) = self.with_predicate(to, &form)?;
                let pred = pred.ok_or_else(|| form.wrong("a predicate is wanted behind `|`"))?;
                let members = self.source(members, Ty::B32, &form)?;
                self.emit(Op::Elect { dst, pred, members }, form.span)
            }
        }
    }

    /// `redux.sync.{min,max}{.abs}{.NaN}.f32`: the elementwise instruction of that name, over magnitudes with `.abs`.
    fn reduce_floats(&mut self, what: &'static str, mut form: Form<'m>) -> Decoded<()> {
        let is_abs = form.words.take("abs");
        let found = if matches!(what, "min" | "max") { lane::find(what, &mut form.words) } else { None };
        let lanes = found.ok_or_else(|| form.unknown())?.lanes;
        form.finish()?;
        let ty = Ty::of("f32").ok_or_else(|| form.unknown())?;
        let (dst, mut src, members) = self.one_to_one(&form, ty, true)?;
        self.check_results([dst], 32, &form)?;
        if is_abs {
            let magnitude = self.new_row(32, form.span)?;
            let lanes = lane::one(|bits| bits & 0x7fff_ffff);
            self.emit(Op::Lanes { lanes, dst: magnitude, srcs: [src, 0, 0, 0], more: None }, form.span)?;
            src = magnitude;
        }
        self.emit(Op::Reduce { lanes, dst, src, members }, form.span)
    }

    /// A result, a source, and the lanes that take part: all, if the instruction does not say it.
    fn one_to_one(&mut self, form: &Form<'_>, ty: Ty, has_members: bool) -> Decoded<(u32, u32, u32)> {
        let [dst, src, rest @ ..] = form.operands else {
            return Err(form.wrong("has too few operands"));
        };
        let members = match (rest, has_members) {
            ([members], true) => self.source(members, Ty::B32, form)?,
            ([], false) => self.constant(0xffff_ffff, form.span)?,
            _ => return Err(form.wrong("the lanes that take part are wanted")),
        };
        Ok((self.destination(dst, form)?, self.source(src, ty, form)?, members))
    }

    /// `d|p`
    fn with_predicate(&mut self, to: &Operand, form: &Form<'_>) -> Decoded<(Option<u32>, Option<u32>)> {
        let one = |this: &mut Self, operand: &Operand| match operand {
            Operand::Sink => Ok(None),
            operand => this.destination(operand, form).map(Some),
        };
        let (dst, pred) = match to {
            Operand::Pair(dst, pred) => (one(self, dst)?, one(self, pred)?),
            dst => (one(self, dst)?, None),
        };
        self.check_results(dst, 32, form)?;
        Ok((dst, pred))
    }

    fn shuffle(&mut self, mut form: Form<'m>, has_members: bool) -> Decoded<()> {
        let mode = match form.words.take_any(&["up", "down", "bfly", "idx"]) {
            Some("up") => ShuffleMode::Up,
            Some("down") => ShuffleMode::Down,
            Some("bfly") => ShuffleMode::Butterfly,
            Some(_) => ShuffleMode::Index,
            None => return Err(form.unknown()),
        };
        form.words.ty().filter(|ty| ty.width() == 32).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [to, src, by, clamp, rest @ ..] = form.operands else {
            return Err(form.wrong("has too few operands"));
        };
        let members = match (rest, has_members) {
            ([members], true) => self.source(members, Ty::B32, &form)?,
            ([], false) => self.constant(0xffff_ffff, form.span)?,
            _ => return Err(form.wrong("the lanes that take part are wanted")),
        };
        let (dst, pred) = self.with_predicate(to, &form)?;
        let [src, by, clamp] = [src, by, clamp].map(|operand| self.source(operand, Ty::B32, &form));
        let shuffle = Shuffle { mode, dst, pred, src: src?, by: by?, clamp: clamp?, members };
        self.emit(Op::Shuffle(Box::new(shuffle)), form.span)
    }

    pub(super) fn matrix(&mut self, mut form: Form<'m>) -> Decoded<()> {
        match form.opcode {
            "mma" => self.mma(form),
            "movmatrix" => {
                for word in ["sync", "aligned", "m8n8", "trans", "b16"] {
                    if !form.words.take(word) {
                        return Err(form.unknown());
                    }
                }
                form.finish()?;
                let [dst, src] = form.operands()?;
                let (dst, src) = (self.destination(dst, &form)?, self.source(src, Ty::B32, &form)?);
                self.check_results([dst], 32, &form)?;
                self.emit(Op::MoveMatrix { dst, src }, form.span)
            }
            _ => {
                let is_load = form.opcode == "ldmatrix";
                let rows = MatrixRows::of(&mut form.words, is_load).ok_or_else(|| form.unknown())?;
                let has_space = form.words.take_any(&["shared", "shared::cta"]).is_some();
                form.finish()?;
                let [first, second] = form.operands()?;
                let (regs, address) = if is_load { (first, second) } else { (second, first) };
                let regs = if is_load {
                    let dsts = self.destinations(regs, &form)?;
                    let mut rows = Vec::with_capacity(dsts.len());
                    for dst in dsts {
                        rows.push(match dst {
                            Some(row) => row,
                            None => self.new_row(32, form.span)?,
                        });
                    }
                    rows
                } else {
                    self.sources(regs, Ty::B32, &form)?
                };
                if regs.len() != rows.n_regs {
                    return Err(form.wrong(&format!("{} registers are wanted", rows.n_regs)));
                }
                if is_load {
                    self.check_results(regs.iter().copied(), 32, &form)?;
                }
                let address = self.shared_address(address, has_space, &form)?;
                let moved = Box::new(MoveRows { rows, address, regs });
                let op = if is_load { Op::LoadMatrix(moved) } else { Op::StoreMatrix(moved) };
                self.emit(op, form.span)
            }
        }
    }

    pub(super) fn group(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let what = form.words.take_any(&["fence", "commit_group", "wait_group", "mma_async"]);
        if !form.words.take("sync") || !form.words.take("aligned") {
            return Err(form.unknown());
        }
        match what {
            Some("mma_async") => {}
            Some("wait_group") => {
                form.finish()?;
                let [Operand::Int(n)] = form.operands else {
                    return Err(form.wrong("a number of groups is wanted"));
                };
                return self.emit(Op::WaitProducts { n: *n as u32 }, form.span);
            }
            Some("commit_group") => {
                form.finish()?;
                return self.emit(Op::CommitProducts, form.span);
            }
            Some(_) => {
                form.finish()?;
                return self.emit(Op::Nothing, form.span);
            }
            None => return Err(form.unknown()),
        }
        let mut mma = GroupMma::of(&mut form.words).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [d, a, b, keeps, rest @ ..] = form.operands else {
            return Err(form.wrong("has too few operands"));
        };
        let dsts = self.destinations(d, &form)?;
        mma.d = dsts.into_iter().flatten().collect();
        self.check_results(mma.d.iter().copied(), 32, &form)?;
        let n_sums = mma.n_sums();
        if mma.d.len() != n_sums {
            return Err(form.wrong(&format!("{n_sums} registers are wanted for the sums")));
        }
        mma.a = match a {
            Operand::Vector(_) => {
                let regs = self.sources(a, Ty::B32, &form)?;
                if regs.len() != 4 {
                    return Err(form.wrong("4 registers are wanted for the first factor"));
                }
                Factor::Registers(regs)
            }
            a => Factor::Shared(self.source(a, Ty::B64, &form)?),
        };
        mma.b = self.source(b, Ty::B64, &form)?;
        mma.keeps = self.predicate(keeps, &form)?;
        let mut numbers = Vec::new();
        for operand in rest {
            let Operand::Int(number) = operand else { return Err(form.wrong("a number is wanted here")) };
            numbers.push(*number);
        }
        let from_registers = matches!(mma.a, Factor::Registers(_));
        let is_half = mma.is_half();
        match numbers[..] {
            [] if mma.types[0].format().is_none() => {}
            [a, b] if !is_half && mma.types[0].format().is_some() => mma.negated = [a == -1, b == -1],
            [a, b, ta, tb] if is_half && !from_registers => {
                (mma.negated, mma.transposed) = ([a == -1, b == -1], [ta == 1, tb == 1]);
            }
            [a, b, tb] if is_half && from_registers => {
                (mma.negated, mma.transposed) = ([a == -1, b == -1], [false, tb == 1]);
            }
            _ => return Err(form.wrong("the numbers behind the factors are not those of this type")),
        }
        self.emit(Op::GroupMma(Box::new(mma)), form.span)
    }

    fn mma(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let mut mma = Mma::of(&mut form.words).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [d, a, b, c, rest @ ..] = form.operands else {
            return Err(form.wrong("has too few operands"));
        };
        let rest = self.sparsity(&mut mma, rest, &form)?;
        self.scales(&mut mma, rest, &form)?;
        let dsts = self.destinations(d, &form)?;
        let mut rows = Vec::with_capacity(dsts.len());
        for dst in dsts {
            rows.push(match dst {
                Some(row) => row,
                None => self.new_row(32, form.span)?,
            });
        }
        let bits = mma.sum_bits();
        self.check_results(rows.iter().copied(), bits, &form)?;
        mma.d = rows;
        mma.a = self.sources(a, Ty::B32, &form)?;
        mma.b = self.sources(b, Ty::B32, &form)?;
        mma.c = self.sources(c, Ty::B32, &form)?;
        let counts = [(Part::A, &mma.a), (Part::B, &mma.b), (Part::C, &mma.c), (Part::C, &mma.d)];
        for (part, regs) in counts {
            let wanted = mma.n_regs(part);
            if regs.len() != wanted {
                return Err(
                    form.wrong(&format!("{wanted} registers are wanted for {part:?}, and {} are given", regs.len()))
                );
            }
        }
        self.emit(Op::Mma(Box::new(mma)), form.span)
    }

    /// The metadata and the selector of a sparse product; the answer is what stands behind them.
    fn sparsity<'o>(&mut self, mma: &mut Mma, operands: &'o [Operand], form: &Form<'_>) -> Decoded<&'o [Operand]> {
        let Some(sparse) = &mut mma.sparse else { return Ok(operands) };
        let [metadata, Operand::Int(selector), rest @ ..] = operands else {
            return Err(form.wrong("metadata and the number of a selector are wanted behind the factors"));
        };
        let n = sparse.n_selectors();
        sparse.selector = usize::try_from(*selector)
            .ok()
            .filter(|&selector| selector < n)
            .ok_or_else(|| form.wrong(&format!("the selector is less than {n}, not {selector}")))?;
        sparse.metadata = self.source(metadata, Ty::B32, form)?;
        Ok(rest)
    }

    /// The factors of A and of B, each with the numbers of a byte and of a thread.
    fn scales(&mut self, mma: &mut Mma, operands: &[Operand], form: &Form<'_>) -> Decoded<()> {
        let (scales, [a, ids_a, b, ids_b]) = match (&mut mma.scales, operands) {
            (None, []) => return Ok(()),
            (Some(scales), [a, ids_a, b, ids_b]) => (scales, [a, ids_a, b, ids_b]),
            (None, _) => return Err(form.wrong("has too many operands")),
            (Some(_), _) => {
                return Err(form.wrong("factors and the numbers of a byte and a thread are wanted for A and for B"));
            }
        };
        let half = Ty { bits: 16, ..Ty::B32 };
        for (selected, (data, ids)) in scales.selected.iter_mut().zip([(a, ids_a), (b, ids_b)]) {
            // Braces around the one register are allowed.
            let data = if let Operand::Vector(parts) = data { parts.first().unwrap_or(data) } else { data };
            selected.data = self.source(data, Ty::B32, form)?;
            let ids = self.sources(ids, half, form)?;
            let [byte, thread] = ids[..] else {
                return Err(form.wrong("the numbers of a byte and of a thread are wanted"));
            };
            (selected.byte, selected.thread) = (byte, thread);
        }
        Ok(())
    }
}
