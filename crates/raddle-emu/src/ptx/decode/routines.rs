//! Functions that may call themselves: their bodies stand once, behind the kernel, and are called rather than inlined.

use std::collections::VecDeque;
use std::ops::Range;

use raddle_ir::{Code, Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ast::{Function, Item, Module, Operand, Space, Variable};
use super::super::inst::{Address, Call, Op, Routine, Window};
use super::super::lane::one;
use super::super::memory::LOCAL_WINDOW;
use super::super::types::Ty;
use super::names::{Scope, Symbol, extent};
use super::{Decoded, Decoder, Form};

/// Where each activation's memory begins is a multiple of this.
const FRAME_ALIGN: u64 = 16;
/// Alignment of what `alloca` takes, at most: what ptxas 13 allows.
const ALLOCA_ALIGN_MAX: i64 = 1 << 23;

/// What is known of a function before its body is decoded.
pub(super) struct Planned<'m> {
    function: &'m Function,
    entry: u32,
    frame: u32,
    /// Parameters, then results.
    slots: Vec<Slot>,
    slot_rows: Range<u32>,
    /// The memory that parameters and results take.
    bytes: u64,
}

/// Where a parameter or a result is.
#[derive(Clone, Copy)]
enum Slot {
    Row { row: u32, width: u32 },
    Memory { offset: u64, bytes: u64 },
}

/// The functions, by their places in the text, that may come to call themselves: what is left when those are taken away
/// that call none of the rest. A call through a pointer may go to each function whose address is taken.
pub(super) fn recursive(module: &Module, pointed: &FxHashSet<usize>) -> FxHashSet<usize> {
    fn visit<'m>(items: &'m [Item], found: &mut dyn FnMut(&'m str)) {
        for item in items {
            match item {
                Item::Instruction(instruction) if instruction.opcode == "call" => {
                    let name = instruction.operands.iter().find_map(|operand| match operand {
                        Operand::Name(name) => Some(name.as_str()),
                        _ => None,
                    });
                    name.into_iter().for_each(&mut *found);
                }
                Item::Scope(inside) => visit(inside, found),
                Item::Instruction(_) | Item::Variable(_) | Item::Label(..) | Item::Targets(..) | Item::Place(..) => {}
            }
        }
    }
    let functions = &module.functions;
    let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, function) in functions.iter().enumerate().filter(|(_, function)| !function.is_entry) {
        places.entry(&function.name).or_default().push(at);
    }
    let mut callers = vec![Vec::new(); functions.len()];
    let mut n_callees = vec![0usize; functions.len()];
    for (at, function) in functions.iter().enumerate() {
        let mut callees = FxHashSet::default();
        let mut found = |name: &'_ str| match places.get(module.function_name(name)) {
            Some(places) => callees.extend(places.iter().copied()),
            // The name of a register.
            None => callees.extend(pointed.iter().copied()),
        };
        function.body.iter().for_each(|body| visit(body, &mut found));
        n_callees[at] = callees.len();
        callees.into_iter().for_each(|callee| callers[callee].push(at));
    }
    let mut done: VecDeque<usize> = (0..functions.len()).filter(|&at| n_callees[at] == 0).collect();
    let mut left: FxHashSet<usize> = (0..functions.len()).collect();
    while let Some(at) = done.pop_front() {
        left.remove(&at);
        for &caller in &callers[at] {
            n_callees[caller] -= 1;
            if n_callees[caller] == 0 {
                done.push_back(caller);
            }
        }
    }
    left
}

impl<'m> Decoder<'m> {
    /// The row that says where the free memory of each thread's stack begins.
    pub(super) fn stack(&mut self, span: Span) -> Decoded<u32> {
        if let Some(row) = self.stack {
            return Ok(row);
        }
        let row = self.new_row(64, span)?;
        self.stack = Some(row);
        Ok(row)
    }

    /// The routine that a function is, which is decoded later.
    fn routine(&mut self, function: &'m Function, span: Span) -> Decoded<usize> {
        if let Some(at) = self.planned.iter().position(|planned| std::ptr::eq(planned.function, function)) {
            return Ok(at);
        }
        self.stack(span)?;
        let entry = self.new_label();
        let first = self.widths.len() as u32;
        let frame = self.new_row(64, span)?;
        let (mut slots, mut bytes) = (Vec::new(), 0u64);
        for param in function.params.iter().chain(&function.results) {
            slots.push(if param.space == Space::Register {
                let ty = Ty::of(&param.ty).filter(|ty| ty.width() <= 64);
                let width = ty.ok_or_else(|| unpassable(function, param))?.width();
                Slot::Row { row: self.new_row(width, span)?, width }
            } else {
                let (size, align) = extent(param)?;
                let offset = bytes.next_multiple_of(align);
                bytes = offset + size;
                Slot::Memory { offset, bytes: size }
            });
        }
        let slot_rows = first..self.widths.len() as u32;
        self.planned.push(Planned { function, entry, frame, slots, slot_rows, bytes });
        Ok(self.planned.len() - 1)
    }

    /// A call that gives the body registers and memory of its own.
    pub(super) fn call_routine(
        &mut self,
        function: &'m Function,
        args: &'m [Operand],
        results: &'m [Operand],
        form: &Form<'m>,
    ) -> Decoded<()> {
        let routine = self.routine(function, form.span)?;
        let slots = self.planned[routine].slots.clone();
        let mut call = Call {
            routine: routine as u32,
            caller: self.routine.map(|at| at as u32),
            rows: Vec::new(),
            copies: Vec::new(),
            rows_back: Vec::new(),
            copies_back: Vec::new(),
        };
        for (at, (slot, operand)) in slots.iter().zip(args.iter().chain(results)).enumerate() {
            let is_result = at >= args.len();
            match *slot {
                Slot::Row { row, width } if is_result => {
                    let to = self.destination(operand, form)?;
                    if self.widths[to as usize] < width {
                        return Err(form.wrong("a result does not fit in its register"));
                    }
                    call.rows_back.push((row, to));
                }
                Slot::Row { row, .. } => {
                    let ty =
                        Ty::of(&function.params[at].ty).ok_or_else(|| unpassable(function, &function.params[at]))?;
                    call.rows.push((self.source(operand, ty, form)?, row));
                }
                Slot::Memory { offset, bytes } => {
                    let Operand::Name(name) = operand else { return Err(form.wrong("this argument cannot be passed")) };
                    let is_own = match self.lookup(name) {
                        Some(Symbol::Memory { address }) => address >= LOCAL_WINDOW,
                        Some(Symbol::Frame { .. }) => true,
                        _ => false,
                    };
                    if !is_own {
                        return Err(form.wrong("a parameter in memory is wanted here"));
                    }
                    let address =
                        Address { row: self.value_of(name, 0, form.span)?, offset: 0, space: Window::Generic };
                    let copy = (address, offset, bytes as usize);
                    if is_result { call.copies_back.push(copy) } else { call.copies.push(copy) }
                }
            }
        }
        self.emit(Op::Call(Box::new(call)), form.span)?;
        // Where the call comes back to is nobody's target, so that only lanes that come back meet here.
        self.emit(Op::Nothing, form.span)
    }

    /// Decodes the bodies of all that is called, which may call more.
    pub(super) fn routines(&mut self) -> Decoded<Vec<Routine>> {
        let mut routines = Vec::new();
        while let Some(planned) = self.planned.get(routines.len()) {
            let Planned { function, entry, frame, ref slots, ref slot_rows, bytes } = *planned;
            let (slots, slot_rows) = (slots.clone(), slot_rows.clone());
            let first = self.widths.len() as u32;
            self.labels[entry as usize] = Some(self.insts.len() as u32);
            self.routine = Some(routines.len());
            self.frame = frame;
            self.frame_bytes = bytes;
            self.scopes.truncate(1);
            self.scopes.push(Scope::default());
            for (param, slot) in function.params.iter().chain(&function.results).zip(slots) {
                let symbol = match slot {
                    Slot::Row { row, width } => Symbol::Register { row, vector: 1, count: None, width },
                    Slot::Memory { offset, .. } => Symbol::Frame { offset: LOCAL_WINDOW + offset },
                };
                self.define(&param.name, symbol);
            }
            let end = self.new_label();
            self.returns = Some(end);
            self.calls = vec![&function.name];
            if let Some(body) = &function.body {
                self.body(body)?;
            }
            self.labels[end as usize] = Some(self.insts.len() as u32);
            self.emit(Op::Return, function.span)?;
            routines.push(Routine {
                name: function.name.clone(),
                entry,
                frame,
                rows: [slot_rows, first..self.widths.len() as u32],
                bytes: self.frame_bytes.next_multiple_of(FRAME_ALIGN),
            });
        }
        self.routine = None;
        for routine in &mut routines {
            routine.entry = self.labels[routine.entry as usize].expect("the body of each routine was decoded");
        }
        Ok(routines)
    }

    /// Memory of the function that is being decoded: of the kernel, which has it once, or of an activation.
    pub(super) fn own_memory(&mut self, variable: &Variable) -> Decoded<Symbol> {
        let (bytes, align) = extent(variable)?;
        let window = if variable.space == Space::Local { 0 } else { LOCAL_WINDOW };
        let used = if self.routine.is_some() { &mut self.frame_bytes } else { &mut self.local_bytes };
        let at = used.next_multiple_of(align);
        *used = at + bytes;
        if *used > 1 << 24 {
            return Err(Diag::error(Code::TooLarge, variable.span, "local memory is larger than 16 MiB"));
        }
        if self.routine.is_none() {
            return Ok(Symbol::Memory { address: window + at });
        }
        if align > FRAME_ALIGN {
            let message = format!(
                "`{}` of a function that calls itself has an alignment of more than {FRAME_ALIGN}",
                variable.name
            );
            return Err(Diag::error(Code::CannotExecute, variable.span, message));
        }
        Ok(Symbol::Frame { offset: window + at })
    }

    /// The row with the address of memory of an activation.
    pub(super) fn frame_address(&mut self, offset: u64, span: Span) -> Decoded<u32> {
        let (dst, frame) = (self.new_row(64, span)?, self.frame);
        let lanes = one(move |frame| frame.wrapping_add(offset));
        self.emit(Op::Lanes { lanes, dst, srcs: [frame, 0, 0, 0], more: None }, span)?;
        Ok(dst)
    }

    /// `alloca`, `stacksave` and `stackrestore`: memory that a function takes while it runs.
    pub(super) fn stack_memory(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let ty = form.words.ty().filter(|ty| matches!(ty.width(), 32 | 64)).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let stack = self.stack(form.span)?;
        match form.opcode {
            "alloca" => {
                let (dst, size, align) = match form.operands {
                    [dst, size] => (dst, size, 8),
                    [dst, size, Operand::Int(align)] => (dst, size, *align),
                    _ => return Err(form.wrong("a register, a size and an alignment are wanted")),
                };
                if !(1..=ALLOCA_ALIGN_MAX).contains(&align) || align.count_ones() != 1 {
                    return Err(form.wrong("the alignment is not a power of two up to 2^23"));
                }
                let size = self.source(size, ty, &form)?;
                let dst = self.destination(dst, &form)?;
                self.check_results([dst], ty.width(), &form)?;
                self.emit(Op::Take { dst, size, align: (align as u64).max(FRAME_ALIGN) }, form.span)
            }
            "stacksave" => {
                let [dst] = form.operands()?;
                let dst = self.destination(dst, &form)?;
                self.check_results([dst], ty.width(), &form)?;
                self.emit(Op::Lanes { lanes: one(|a| a), dst, srcs: [stack, 0, 0, 0], more: None }, form.span)
            }
            _ => {
                let [src] = form.operands()?;
                let src = self.source(src, ty, &form)?;
                self.emit(Op::GiveBack { src }, form.span)
            }
        }
    }
}

/// Whether a body takes memory while it runs.
pub(super) fn takes_memory(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Instruction(instruction) => instruction.opcode == "alloca",
        Item::Scope(inside) => takes_memory(inside),
        Item::Variable(_) | Item::Label(..) | Item::Targets(..) | Item::Place(..) => false,
    })
}

fn unpassable(function: &Function, param: &Variable) -> Diag {
    let message = format!("`{}` calls itself, and its parameter `{}` cannot be passed", function.name, param.name);
    Diag::error(Code::CannotExecute, param.span, message)
}
