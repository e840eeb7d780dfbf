//! Jumps, calls and ends; barriers and fences.

use raddle_ir::{Code, Diag};

use super::super::ast::{Function, Operand, Space, Variable};
use super::super::inst::{Address, Barrier, END, Load, Op, Store, VoteKind, Window};
use super::super::lane::one;
use super::super::types::Ty;
use super::names::{Scope, Symbol, function_address};
use super::routines::takes_memory;
use super::{CALLS_MAX, Decoded, Decoder, Form, branch};

impl<'m> Decoder<'m> {
    pub(super) fn control(&mut self, mut form: Form<'m>) -> Decoded<()> {
        // Whether all lanes go the same way is found out.
        form.words.take("uni");
        match form.opcode {
            "bra" => {
                form.finish()?;
                let [Operand::Name(name)] = form.operands else {
                    return Err(form.wrong("a label is wanted here"));
                };
                let target = self.label(name, &form)?;
                self.emit(branch(target), form.span)
            }
            "brx" => {
                form.words.take("idx");
                form.finish()?;
                let [index, list] = form.operands()?;
                let names = match list {
                    Operand::Name(name) => match self.lookup(name) {
                        Some(Symbol::Targets(names)) => names,
                        _ => return Err(form.wrong("a list of branch targets is wanted here")),
                    },
                    _ => return Err(form.wrong("a list of branch targets is wanted here")),
                };
                let targets = names.iter().map(|name| self.label(name, &form)).collect::<Decoded<Vec<u32>>>()?;
                let index = self.source(index, Ty::U32, &form)?;
                self.emit(Op::BranchTable { index, targets, join: END }, form.span)
            }
            "call" => self.call(&form),
            "ret" => {
                form.finish()?;
                match self.returns {
                    Some(label) => self.emit(branch(label), form.span),
                    None => self.emit(Op::Exit, form.span),
                }
            }
            "exit" => {
                form.finish()?;
                self.emit(Op::Exit, form.span)
            }
            "trap" => self.emit(Op::Trap("the kernel traps", None), form.span),
            _ => self.emit(Op::Trap("the kernel stops at a breakpoint", None), form.span),
        }
    }

    fn label(&mut self, name: &str, form: &Form<'_>) -> Decoded<u32> {
        match self.lookup(name) {
            Some(Symbol::Label(label)) => Ok(label),
            _ => Err(form.wrong(&format!("there is no label `{name}` here"))),
        }
    }

    /// A call, of a function by its name or through a pointer.
    fn call(&mut self, form: &Form<'m>) -> Decoded<()> {
        form.finish()?;
        let list = |operand: Option<&'m Operand>| match operand {
            Some(Operand::List(parts)) => Some(parts.as_slice()),
            _ => None,
        };
        let mut operands = form.operands.iter().peekable();
        let results = list(operands.peek().copied());
        if results.is_some() {
            operands.next();
        }
        let Some(Operand::Name(name)) = operands.next() else {
            return Err(form.wrong("a function is wanted here"));
        };
        let args = list(operands.next()).unwrap_or_default();
        let results = results.unwrap_or_default();
        if let Some(Symbol::Register { .. }) = self.lookup(name) {
            return self.call_pointer(name, args, results, form);
        }
        let module = self.module;
        let function = module.function_name(name);
        let candidates = || module.functions.iter().filter(|other| other.name == function && !other.is_entry);
        if candidates().next().is_none() {
            let message = format!("`{name}` is not a function of this text");
            return Err(Diag::error(Code::CannotExecute, form.span, message));
        }
        let Some(function) = candidates().find(|function| function.body.is_some()) else {
            return self.external(name, args, results, form);
        };
        self.inline(function, args, results, form)
    }

    /// A call of the function whose address a register holds: each function that may be meant, behind a comparison.
    fn call_pointer(
        &mut self,
        name: &str,
        args: &'m [Operand],
        results: &'m [Operand],
        form: &Form<'m>,
    ) -> Decoded<()> {
        let pointer = self.register(name, form.span)?;
        let end = self.new_label();
        let module = self.module;
        for (index, function) in module.functions.iter().enumerate() {
            let fits = function.params.len() == args.len() && function.results.len() == results.len();
            let passes = |params: &[Variable], args: &[Operand]| {
                params.iter().zip(args).all(|(param, arg)| match arg {
                    Operand::Name(arg) => {
                        matches!(self.lookup(arg), Some(Symbol::Register { .. })) == (param.space == Space::Register)
                    }
                    _ => param.space == Space::Register,
                })
            };
            if function.is_entry
                || function.body.is_none()
                || !self.pointed.contains(&index)
                || !(fits && passes(&function.params, args) && passes(&function.results, results))
            {
                continue;
            }
            let (is_other, address) = (self.new_row(1, form.span)?, function_address(index));
            let lanes = one(move |pointer| u64::from(pointer != address));
            self.emit(Op::Lanes { lanes, dst: is_other, srcs: [pointer, 0, 0, 0], more: None }, form.span)?;
            let next = self.new_label();
            self.branch_if(is_other, false, next, form)?;
            self.inline(function, args, results, form)?;
            self.emit(branch(end), form.span)?;
            self.labels[next as usize] = Some(self.insts.len() as u32);
        }
        self.emit(Op::Trap("the call goes to no function that takes its arguments", None), form.span)?;
        self.labels[end as usize] = Some(self.insts.len() as u32);
        self.emit(Op::Nothing, form.span)
    }

    /// A jump where a predicate holds, or, `negated`, does not.
    pub(super) fn branch_if(&mut self, predicate: u32, negated: bool, label: u32, form: &Form<'_>) -> Decoded<()> {
        self.emit(branch(label), form.span)?;
        if let Some(inst) = self.insts.last_mut() {
            inst.guard = Some((predicate, negated));
        }
        Ok(())
    }

    /// Copies a row.
    fn assign(&mut self, src: u32, dst: u32, form: &Form<'m>) -> Decoded<()> {
        self.emit(Op::Lanes { lanes: one(|a| a), dst, srcs: [src, 0, 0, 0], more: None }, form.span)
    }

    /// The body of a function. Registers are passed by value; parameters in memory stand for the arguments.
    fn inline(
        &mut self,
        function: &'m Function,
        args: &'m [Operand],
        results: &'m [Operand],
        form: &Form<'m>,
    ) -> Decoded<()> {
        let name = &function.name;
        if function.params.len() != args.len() || function.results.len() != results.len() {
            return Err(form.wrong(&format!("`{name}` takes {} arguments", function.params.len())));
        }
        let at = self.module.functions.iter().position(|other| std::ptr::eq(other, function));
        if at.is_some_and(|at| self.recursive.contains(&at)) || self.calls.len() >= CALLS_MAX {
            return self.call_routine(function, args, results, form);
        }
        let pairs = function.params.iter().zip(args).chain(function.results.iter().zip(results));
        let (mut bound, mut back) = (Vec::new(), Vec::new());
        for (at, (param, arg)) in pairs.enumerate() {
            let symbol = match (param.space, arg) {
                (Space::Param, Operand::Name(arg)) => match self.lookup(arg) {
                    Some(Symbol::Register { .. }) => {
                        return Err(form.wrong("a register stands where a parameter in memory is wanted"));
                    }
                    found => found.ok_or_else(|| form.wrong(&format!("`{arg}` is not declared")))?,
                },
                (Space::Register, arg) => {
                    let ty = Ty::of(&param.ty).ok_or_else(|| form.wrong("a parameter has an unknown type"))?;
                    // Registers of the function are its own, also where it is called with one for two of them.
                    let row = self.new_row(ty.width(), form.span)?;
                    if at >= args.len() {
                        let to = self.destination(arg, form)?;
                        if self.widths[to as usize] < ty.width() {
                            return Err(form.wrong("a result does not fit in its register"));
                        }
                        back.push((row, to));
                    } else {
                        let value = self.source(arg, ty, form)?;
                        self.assign(value, row, form)?;
                    }
                    Symbol::Register { row, vector: 1, count: None, width: ty.width() }
                }
                _ => return Err(form.wrong("this argument cannot be passed")),
            };
            bound.push((param.name.clone(), symbol));
        }
        // The function sees the module's names and its parameters only.
        let outer = self.scopes.split_off(1);
        self.scopes.push(Scope::default());
        for (name, symbol) in bound {
            self.define(&name, symbol);
        }
        let end = self.new_label();
        let returns = self.returns.replace(end);
        self.calls.push(&function.name);
        let body = function.body.as_deref().unwrap_or_default();
        let before = if takes_memory(body) {
            let (stack, row) = (self.stack(form.span)?, self.new_row(64, form.span)?);
            self.assign(stack, row, form)?;
            Some(row)
        } else {
            None
        };
        self.body(body)?;
        self.calls.pop();
        self.returns = returns;
        self.labels[end as usize] = Some(self.insts.len() as u32);
        self.scopes.truncate(1);
        self.scopes.extend(outer);
        for (row, to) in back {
            self.assign(row, to, form)?;
        }
        if let Some(src) = before {
            self.emit(Op::GiveBack { src }, form.span)?;
        }
        // Something stands at the label.
        self.emit(Op::Nothing, form.span)
    }

    /// The row of an address that is passed in memory.
    fn passed(&mut self, arg: Option<&Operand>, form: &Form<'_>) -> Decoded<Option<u32>> {
        let Some(Operand::Name(name)) = arg else { return Ok(None) };
        if !matches!(self.lookup(name), Some(Symbol::Memory { .. } | Symbol::Frame { .. })) {
            return Ok(None);
        }
        let dst = self.new_row(64, form.span)?;
        let address = Address { row: self.value_of(name, 0, form.span)?, offset: 0, space: Window::Generic };
        let load = Load { address, bytes: 8, dsts: vec![Some(dst)], extend: 0, width: 64, is_strong: false };
        self.emit(Op::Load(Box::new(load)), form.span)?;
        Ok(Some(dst))
    }

    /// Functions of the CUDA system.
    fn external(&mut self, name: &str, args: &[Operand], results: &[Operand], form: &Form<'_>) -> Decoded<()> {
        match name {
            "__assertfail" | "__assert_fail" => {
                // The first parameter is the address of the assertion as text.
                let text = self.passed(args.first(), form)?;
                self.emit(Op::Trap("an assertion of the kernel does not hold", text), form.span)
            }
            // The number of arguments comes back, which nobody reads.
            "vprintf" if results.len() <= 1 => {
                match (self.passed(args.first(), form)?, self.passed(args.get(1), form)?) {
                    (Some(format), Some(args)) => self.emit(Op::Print { format, args }, form.span),
                    _ => Err(form.wrong("a format and arguments in memory are wanted")),
                }
            }
            "malloc" if let [Operand::Name(result)] = results => {
                let Some(size) = self.passed(args.first(), form)? else {
                    return Err(form.wrong("a size in memory is wanted"));
                };
                if !matches!(self.lookup(result), Some(Symbol::Memory { .. } | Symbol::Frame { .. })) {
                    return Err(form.wrong("memory for the address is wanted"));
                }
                let dst = self.new_row(64, form.span)?;
                self.emit(Op::Allocate { dst, size }, form.span)?;
                let address = Address { row: self.value_of(result, 0, form.span)?, offset: 0, space: Window::Generic };
                let store = Store { address, bytes: 8, srcs: vec![dst], is_strong: false };
                self.emit(Op::Store(Box::new(store)), form.span)
            }
            "free" if results.is_empty() => match self.passed(args.first(), form)? {
                Some(src) => self.emit(Op::Free { src }, form.span),
                None => Err(form.wrong("an address in memory is wanted")),
            },
            _ => {
                let message = format!("the function `{name}` is declared only, and the executor does not know it");
                Err(Diag::error(Code::CannotExecute, form.span, message))
            }
        }
    }

    pub(super) fn synchronize(&mut self, mut form: Form<'m>) -> Decoded<()> {
        if matches!(form.opcode, "membar" | "fence") {
            const KNOWN: &[&str] =
                &["gl", "cta", "sys", "gpu", "cluster", "sc", "acq_rel", "acquire", "release", "alias"];
            // Fences of a cluster's shared memory: they order more here.
            while form.words.take_any(&["sync_restrict::shared::cta", "sync_restrict::shared::cluster"]).is_some() {}
            const PROXIES: &[&str] = &[
                "async",
                "async::generic",
                "global",
                "shared::cta",
                "shared::cluster",
                "proxy::async::generic",
                "sync_restrict::shared::cta",
                "sync_restrict::shared::cluster",
            ];
            let shows = form.words.take("mbarrier_init");
            let is_proxy = form.words.take("proxy") | form.words.has("proxy::async::generic");
            let is_async = is_proxy && form.words.take_any(PROXIES).is_some();
            // How maps are seen makes no difference here.
            form.words.take("tensormap::generic");
            while is_async && form.words.take_any(PROXIES).is_some() {}
            while form.words.take_any(KNOWN).is_some() {}
            form.finish()?;
            self.has_fences |= !is_proxy && !shows;
            let op = match () {
                () if shows => Op::ShowPhases,
                () if is_async => Op::ProxyFence,
                () => Op::Fence,
            };
            return self.emit(op, form.span);
        }
        if form.opcode == "bar" && form.words.take("warp") {
            form.words.take("sync");
            form.finish()?;
            let [members] = form.operands()?;
            let members = self.source(members, Ty::B32, &form)?;
            return self.emit(Op::WarpSync { members }, form.span);
        }
        if form.opcode == "barrier" && form.words.take("cluster") {
            return self.cluster_barrier(form);
        }
        form.words.take("cta");
        // `bar` means `barrier.aligned`.
        let is_aligned = form.words.take("aligned") || form.opcode == "bar";
        let kind = form.words.take_any(&["sync", "arrive", "red"]).ok_or_else(|| form.unknown())?;
        let mut reduce = None;
        let (mut counts, mut operands) = (false, form.operands);
        if kind == "red" {
            let what = form.words.take_any(&["popc", "and", "or"]).ok_or_else(|| form.unknown())?;
            form.words.ty();
            counts = what == "popc";
            let kind = match what {
                "and" => VoteKind::All,
                "or" => VoteKind::Any,
                _ => VoteKind::Ballot,
            };
            let ([dst, rest @ ..], Some(pred)) = (operands, operands.last()) else {
                return Err(form.wrong("has too few operands"));
            };
            let dst = self.destination(dst, &form)?;
            let pred = self.predicate(pred, &form)?;
            self.check_results([dst], if counts { 32 } else { 1 }, &form)?;
            reduce = Some((dst, pred, kind));
            operands = &rest[..rest.len().saturating_sub(1)];
        }
        form.finish()?;
        let (id, threads) = match operands {
            [] if kind != "arrive" => (self.constant(0, form.span)?, None),
            [id] if kind != "arrive" => (self.source(id, Ty::U32, &form)?, None),
            [id, threads] => (self.source(id, Ty::U32, &form)?, Some(self.source(threads, Ty::U32, &form)?)),
            _ => return Err(form.wrong("a barrier and a number of threads are wanted")),
        };
        let barrier = Barrier { id, threads, waits: kind != "arrive", is_aligned, reduce, counts };
        self.emit(Op::Barrier(Box::new(barrier)), form.span)
    }
}
