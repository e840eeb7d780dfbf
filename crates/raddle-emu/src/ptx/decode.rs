//! From [`Module`] to a [`Program`]: names become rows and addresses, calls are inlined, instructions are looked up.

mod bulk;
mod control;
mod data;
mod fragments;
mod names;
mod routines;
mod warp;

use std::collections::BTreeMap;

use raddle_ir::{Code, Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Function, Instruction, Item, Module, Operand, Place, Space};
use super::flow::find_joins;
use super::inst::{Address, END, Inst, Op, Param, Program, Special, Term, Window};
use super::lane::{self, SOURCES, one};
use super::lex::error;
use super::memory::PARAM_WINDOW;
use super::types::{Kind, Ty, mask};
use super::words::Words;
pub(super) use data::update;
use names::{Scope, Symbol};

/// Instructions of a program with all its calls inlined, at most.
const INSTS_MAX: usize = 1 << 22;
/// Rows of a warp, at most.
const ROWS_MAX: usize = 1 << 20;
/// Bytes of all parameters, at most (PTX ISA, "Kernel Function Parameters").
const PARAM_BYTES_MAX: u64 = 32764;
/// Calls inside calls, at most.
const CALLS_MAX: usize = 32;

type Decoded<T> = Result<T, Diag>;

/// Decodes a kernel of a module.
pub(super) fn decode(module: &Module, entry: &Function) -> Decoded<Program> {
    let pointed = names::pointed(module);
    let mut decoder = Decoder {
        module,
        insts: Vec::new(),
        widths: Vec::new(),
        constants: BTreeMap::new(),
        specials: BTreeMap::new(),
        scopes: Vec::new(),
        labels: Vec::new(),
        variables: Vec::new(),
        externs: Vec::new(),
        local_bytes: 0,
        shared_bytes: 0,
        reserved: None,
        carry: None,
        calls: Vec::new(),
        recursive: routines::recursive(module, &pointed),
        pointed,
        planned: Vec::new(),
        routine: None,
        frame: 0,
        frame_bytes: 0,
        stack: None,
        returns: None,
        place: 0,
        places: vec![Place::default()],
        place_numbers: FxHashMap::default(),
        has_fences: false,
        moves: Vec::new(),
        checked: Vec::new(),
        compared: FxHashSet::default(),
        extremes: Vec::new(),
    };
    decoder.kernel(entry)
}

struct Decoder<'m> {
    module: &'m Module,
    insts: Vec<Inst>,
    /// The width of each row's registers.
    widths: Vec<u32>,
    constants: BTreeMap<u64, u32>,
    specials: BTreeMap<Special, u32>,
    scopes: Vec<Scope>,
    /// Where each label is, once it is met.
    labels: Vec<Option<u32>>,
    variables: Vec<(String, Vec<u8>, bool)>,
    /// Rows that wait for the address of the shared memory that the launch adds, with their alignment and offset.
    externs: Vec<(u32, u64, u64)>,
    local_bytes: u64,
    shared_bytes: u64,
    /// Where the shared memory of the system is, if it is asked for.
    reserved: Option<u64>,
    carry: Option<u32>,
    /// The functions that are being inlined.
    calls: Vec<&'m str>,
    /// The functions whose addresses are taken, by their places in the text.
    pointed: FxHashSet<usize>,
    /// Functions that are called rather than inlined, by their places in the text.
    recursive: FxHashSet<usize>,
    /// Those of them that are called so far.
    planned: Vec<routines::Planned<'m>>,
    /// The one whose body is being decoded, the row with the start of its memory, and how much it needs so far.
    routine: Option<usize>,
    frame: u32,
    frame_bytes: u64,
    /// The row with the end of the stack, if there is one.
    stack: Option<u32>,
    /// The label behind the function that is being inlined.
    returns: Option<u32>,
    place: u32,
    places: Vec<Place>,
    place_numbers: FxHashMap<Place, u32>,
    has_fences: bool,
    /// Rows that others were moved to: from, to.
    moves: Vec<(u32, u32)>,
    /// Rows that a compare-and-swap compares with.
    checked: Vec<u32>,
    /// Rows that a `setp` compares with each other.
    compared: FxHashSet<(u32, u32)>,
    /// Addresses that take the least or the greatest, and the row that they take.
    extremes: Vec<(Address, usize, u32)>,
}

/// An instruction, as the families see it.
pub(super) struct Form<'a> {
    pub opcode: &'a str,
    pub words: Words<'a>,
    pub operands: &'a [Operand],
    pub span: Span,
    /// As it is written.
    pub text: String,
}

impl<'a> Form<'a> {
    /// It is not among those that are known, or not with these words.
    fn unknown(&self) -> Diag {
        let message = format!("the instruction `{}` is not known to the executor", self.text);
        let diag = Diag::error(Code::CannotExecute, self.span, message);
        match self.opcode {
            "tcgen05" => diag.help("it is about the tensor memory of sm_100: compile the kernel for sm_90a or sm_120"),
            "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" => {
                diag.help("textures and surfaces are not there: let the kernel read a buffer")
            }
            _ => diag,
        }
    }

    fn wrong(&self, message: &str) -> Diag {
        error(self.span, &format!("`{}`: {message}", self.text))
    }

    /// As many operands as that.
    fn operands<const N: usize>(&self) -> Decoded<&'a [Operand; N]> {
        self.operands
            .try_into()
            .map_err(|_| self.wrong(&format!("takes {N} operands, and {} are given", self.operands.len())))
    }

    /// Nothing is left of the words.
    fn finish(&self) -> Decoded<()> {
        if self.words.is_empty() { Ok(()) } else { Err(self.unknown()) }
    }
}

impl<'m> Decoder<'m> {
    fn kernel(&mut self, entry: &'m Function) -> Decoded<Program> {
        let body = entry
            .body
            .as_ref()
            .ok_or_else(|| error(entry.span, &format!("`{}` is declared here, but it has no body", entry.name)))?;
        self.scopes.push(Scope::default());
        self.module_variables()?;
        let (params, param_bytes) = self.kernel_params(entry)?;
        self.body(body)?;
        self.emit(Op::Exit, entry.span)?;
        let routines = self.routines()?;
        self.patch();
        self.mark_checked();
        self.mark_guards();
        find_joins(&mut self.insts);

        let base = self.shared_bytes;
        let mut constants: Vec<(u32, u64)> = self.constants.iter().map(|(&value, &row)| (row, value)).collect();
        let mut start = base;
        for &(_, align, _) in &self.externs {
            start = start.max(base.next_multiple_of(align.max(16)));
        }
        constants.extend(self.externs.iter().map(|&(row, _, offset)| (row, start.wrapping_add(offset))));
        let directive = |name: &str| {
            let numbers = &entry.directives.iter().find(|directive| directive.0 == name)?.1;
            let mut sizes = [1u32; 3];
            for (size, &number) in sizes.iter_mut().zip(numbers) {
                *size = u32::try_from(number).ok()?;
            }
            Some(sizes)
        };
        Ok(Program {
            insts: std::mem::take(&mut self.insts),
            routines,
            stack: self.stack,
            rows: self.widths.len(),
            widths: std::mem::take(&mut self.widths),
            constants,
            specials: self.specials.iter().map(|(&special, &row)| (row, special)).collect(),
            params,
            param_bytes,
            variables: std::mem::take(&mut self.variables),
            local_bytes: self.local_bytes as usize,
            shared_bytes: start as usize,
            places: std::mem::take(&mut self.places),
            files: self.module.files.clone(),
            system: self.reserved.map_or(0..0, |start| start as usize..(start + names::RESERVED_BYTES) as usize),
            is_dynamic: !self.externs.is_empty(),
            workgroup: directive("reqntid"),
            workgroup_max: directive("maxntid"),
            cluster: directive("reqnctapercluster"),
            has_fences: self.has_fences,
        })
    }

    fn kernel_params(&mut self, entry: &'m Function) -> Decoded<(Vec<Param>, usize)> {
        let (mut params, mut offset) = (Vec::new(), 0u64);
        for param in &entry.params {
            let (bytes, align) = names::extent(param)?;
            offset = offset.next_multiple_of(align);
            let address = PARAM_WINDOW + offset;
            self.define_variable(param, Symbol::Memory { address })?;
            let elements = param.elements.map_or(String::new(), |n| format!("[{n}]"));
            params.push(Param {
                name: param.name.clone(),
                ty: format!("{}{elements}", param.ty),
                offset: offset as usize,
                bytes: bytes as usize,
            });
            offset += bytes;
            if offset > PARAM_BYTES_MAX {
                let message = format!("the parameters need more than {PARAM_BYTES_MAX} bytes");
                return Err(Diag::error(Code::TooLarge, param.span, message));
            }
        }
        Ok((params, offset as usize))
    }

    /// A scope of statements: labels first, since jumps may go forward.
    fn body(&mut self, items: &'m [Item]) -> Decoded<()> {
        self.scopes.push(Scope::default());
        for item in items {
            if let Item::Label(name, span) = item {
                let label = self.new_label();
                if self.define(name, Symbol::Label(label)) {
                    return Err(error(*span, &format!("the label `{name}` is there twice")));
                }
            } else if let Item::Targets(name, targets) = item {
                self.define(name, Symbol::Targets(targets.clone()));
            }
        }
        for item in items {
            match item {
                Item::Variable(variable) => self.variable(variable)?,
                Item::Label(name, span) => {
                    let Some(Symbol::Label(label)) = self.lookup(name) else {
                        return Err(error(*span, "a label has the name of something else"));
                    };
                    self.labels[label as usize] = Some(self.insts.len() as u32);
                }
                Item::Instruction(instruction) => self.instruction(instruction)?,
                Item::Scope(items) => self.body(items)?,
                Item::Targets(..) => {}
                Item::Place(place) => {
                    let places = &mut self.places;
                    self.place = *self.place_numbers.entry(*place).or_insert_with(|| {
                        places.push(*place);
                        places.len() as u32 - 1
                    });
                }
            }
        }
        self.scopes.pop();
        Ok(())
    }

    fn new_label(&mut self) -> u32 {
        self.labels.push(None);
        self.labels.len() as u32 - 1
    }

    /// Labels become places.
    fn patch(&mut self) {
        let labels = &self.labels;
        let at = |label: &mut u32| *label = labels[*label as usize].expect("every label that is defined is met");
        for inst in &mut self.insts {
            match &mut inst.op {
                Op::Branch { target, .. } => at(target),
                Op::BranchTable { targets, .. } => targets.iter_mut().for_each(at),
                _ => {}
            }
        }
    }

    /// Loads of what a compare-and-swap then compares with are as good as atomic: whatever changes behind them is noticed.
    /// Most loops around it begin so.
    fn mark_checked(&mut self) {
        if self.checked.is_empty() {
            return;
        }
        let mut sources: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        self.moves.iter().for_each(|&(from, to)| sources.entry(to).or_default().push(from));
        let mut rows: FxHashSet<u32> = FxHashSet::default();
        while let Some(row) = self.checked.pop() {
            if rows.insert(row) {
                self.checked.extend(sources.get(&row).into_iter().flatten());
            }
        }
        for inst in &mut self.insts {
            if let Op::Load(load) = &mut inst.op {
                load.is_strong |= load.dsts.iter().flatten().any(|row| rows.contains(row));
            }
        }
    }

    /// A load that only says whether an atomic minimum or maximum is worth its time is as good as atomic, too: memory moves
    /// in one direction, so that what was there before asks for an access that changes nothing, and nothing else.
    fn mark_guards(&mut self) {
        if self.extremes.is_empty() {
            return;
        }
        for inst in &mut self.insts {
            let Op::Load(load) = &mut inst.op else { continue };
            let [Some(dst)] = load.dsts[..] else { continue };
            let guards = |&(address, bytes, with): &(Address, usize, u32)| {
                address == load.address
                    && bytes == load.bytes
                    && self.compared.contains(&(dst.min(with), dst.max(with)))
            };
            load.is_strong |= self.extremes.iter().any(guards);
        }
    }

    fn instruction(&mut self, instruction: &'m Instruction) -> Decoded<()> {
        let Instruction { span, guard, opcode, words, operands } = instruction;
        let text = if words.is_empty() { opcode.clone() } else { format!("{opcode}.{}", words.join(".")) };
        let form = Form { opcode, words: Words::new(words), operands, span: *span, text };
        let guard = match guard {
            Some((name, negated)) => Some((self.register(name, *span)?, *negated)),
            None => None,
        };
        // A call becomes many instructions, which are gone around.
        if let (Some((row, negated)), "call") = (guard, form.opcode) {
            let behind = self.new_label();
            self.branch_if(row, !negated, behind, &form)?;
            self.decode_form(form)?;
            self.labels[behind as usize] = Some(self.insts.len() as u32);
            return self.emit(Op::Nothing, *span);
        }
        let first = self.insts.len();
        self.decode_form(form)?;
        if guard.is_none() {
            return Ok(());
        }
        for inst in &mut self.insts[first..] {
            assert!(inst.guard.is_none(), "only calls make instructions with predicates of their own");
            inst.guard = guard;
        }
        Ok(())
    }

    /// Which family knows the instruction.
    fn decode_form(&mut self, form: Form<'m>) -> Decoded<()> {
        match form.opcode {
            "mov" => self.mov(form),
            "ld" | "ldu" => self.load(form),
            "st" => self.store(form),
            "atom" | "red" => self.atomic(form),
            "cvta" => self.cvta(form),
            "isspacep" => self.is_space(form),
            "cp" => self.copy(form),
            "prefetch" | "prefetchu" | "discard" | "applypriority" | "createpolicy" | "nanosleep" | "pmevent"
            | "griddepcontrol" | "setmaxnreg" => self.hint(&form),
            "alloca" | "stacksave" | "stackrestore" => self.stack_memory(form),
            "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" => self.control(form),
            "bar" | "barrier" | "membar" | "fence" => self.synchronize(form),
            "shfl" | "vote" | "match" | "redux" | "activemask" | "elect" => self.collective(form),
            "wgmma" => self.group(form),
            "mbarrier" => self.mbarrier(form),
            "mapa" | "getctarank" => self.in_cluster(form),
            "tensormap" => self.tensormap(form),
            "clusterlaunchcontrol" => self.launch_control(form),
            "ldmatrix" | "stmatrix" | "movmatrix" | "mma" => self.matrix(form),
            "wmma" => self.fragments(form),
            "lop3" if form.words.has("and") || form.words.has("or") => self.any_bit(form),
            _ => self.elementwise(form),
        }
    }

    fn emit(&mut self, op: Op, span: Span) -> Decoded<()> {
        if self.insts.len() >= INSTS_MAX {
            return Err(Diag::error(Code::TooLarge, span, "the program is too large with all its calls inlined"));
        }
        self.insts.push(Inst { op, guard: None, span, place: self.place, term: None });
        Ok(())
    }

    /// What each lane does alone, by the table of such instructions.
    fn elementwise(&mut self, mut form: Form<'m>) -> Decoded<()> {
        // Of two numbers or of three.
        let opcode = match (form.opcode, form.operands.len()) {
            ("min", 4) => "min3",
            ("max", 4) => "max3",
            (opcode, _) => opcode,
        };
        let mut found = lane::find(opcode, &mut form.words).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let Some((to, from)) = form.operands.split_first() else {
            return Err(form.wrong("has no operands"));
        };
        if from.len() != found.srcs.len() {
            return Err(form.wrong(&format!(
                "takes {} operands, and {} are given",
                found.srcs.len() + 1,
                from.len() + 1
            )));
        }
        let mut srcs = [0; SOURCES];
        for ((src, operand), &ty) in srcs.iter_mut().zip(from).zip(&found.srcs) {
            *src = self.source(operand, ty, &form)?;
            // Conversions take the low bits of wider registers.
            let width = self.widths[*src as usize];
            if width > ty.width() && form.opcode != "cvt" {
                return Err(form.wrong(&format!("a register of {width} bits stands where {} are wanted", ty.width())));
            }
        }
        let carry_row = match (found.takes_carry || found.carry.is_some(), self.carry) {
            (true, None) => {
                let row = self.new_row(1, form.span)?;
                self.carry = Some(row);
                Some(row)
            }
            (_, carry) => carry,
        };
        if found.takes_carry {
            srcs[from.len()] = carry_row.unwrap_or_default();
        }
        let (first, second) = match to {
            Operand::Pair(first, second) => (&**first, Some(&**second)),
            single => (single, None),
        };
        let dst = self.destination(first, &form)?;
        let second = match second {
            Some(operand) => {
                let lanes = found.second.take().ok_or_else(|| form.wrong("has one result only"))?;
                Some((lanes, self.destination(operand, &form)?))
            }
            None => None,
        };
        match form.opcode {
            "mov" => self.moves.push((srcs[0], dst)),
            "setp" => {
                self.compared.insert((srcs[0].min(srcs[1]), srcs[0].max(srcs[1])));
            }
            _ => {}
        }
        let carry = found.carry.take().zip(carry_row);
        // An integer in a register that is wider than its type is extended by its sign.
        let wide = self.widths[dst as usize];
        let narrow = found.dst.width();
        if narrow > wide {
            return Err(form.wrong(&format!("a result of {narrow} bits does not fit in a register of {wide}")));
        }
        let lanes = if found.dst.kind == Kind::Signed && found.dst.packed == 1 && narrow < wide {
            extended(found.lanes, narrow, wide)
        } else {
            found.lanes
        };
        let more = (second.is_some() || carry.is_some()).then(|| Box::new(super::inst::More { second, carry }));
        self.emit(Op::Lanes { lanes, dst, srcs, more }, form.span)?;
        if let Some(inst) = self.insts.last_mut() {
            let format = found.dst.format();
            let from: &[usize] = match (opcode, format) {
                ("add" | "sub", Some(_)) | ("prmt", None) => &[0, 1],
                ("fma" | "mad", Some(_)) => &[2],
                ("mov", _) | ("cvt", None) => &[0],
                _ => &[],
            };
            inst.term = (format.is_some() || !from.is_empty()).then_some(Term { format, from });
        }
        Ok(())
    }

    /// `lop3.and d|p, a, b, c, table, q`: the function of three words, and whether any bit of it is set, combined with `q`.
    fn any_bit(&mut self, mut form: Form<'m>) -> Decoded<()> {
        let is_and = form.words.take_any(&["and", "or"]) == Some("and");
        let mut found = lane::find("lop3", &mut form.words).ok_or_else(|| form.unknown())?;
        form.finish()?;
        let [Operand::Pair(to, yes), a, b, c, table @ Operand::Int(_), other] = form.operands()? else {
            return Err(form.wrong("a predicate behind `|`, three words, a table and a predicate are wanted"));
        };
        let mut srcs = [0; SOURCES];
        for ((src, operand), ty) in srcs.iter_mut().zip([a, b, c, table]).zip(std::mem::take(&mut found.srcs)) {
            *src = self.source(operand, ty, &form)?;
        }
        let other = self.predicate(other, &form)?;
        let (dst, yes) = (self.destination(to, &form)?, self.destination(yes, &form)?);
        self.check_results([dst], 32, &form)?;
        self.emit(Op::Lanes { lanes: found.lanes, dst, srcs, more: None }, form.span)?;
        let lanes = lane::two(move |word, other| match (is_and, word != 0) {
            (true, any) => u64::from(any) & other & 1,
            (false, any) => u64::from(any) | other & 1,
        });
        self.emit(Op::Lanes { lanes, dst: yes, srcs: [dst, other, 0, 0], more: None }, form.span)
    }

    /// The row of a source of this type.
    fn source(&mut self, operand: &Operand, ty: Ty, form: &Form<'_>) -> Decoded<u32> {
        let named = match operand {
            Operand::Name(name) => Some((name, 0)),
            Operand::Offset(name, offset) => Some((name, *offset)),
            Operand::Indexed(name, None, at) if form.opcode == "mov" => {
                Some((name, self.element_offset(name, *at, form.span)?))
            }
            _ => None,
        };
        // An address may be wider than what is taken of it.
        if let Some((name, offset)) = named
            && let Some(Symbol::Memory { address }) = self.lookup(name)
        {
            return self.constant(address.wrapping_add(offset as u64) & mask(ty.width()), form.span);
        }
        if let Some((name, offset)) = named {
            return self.value_of(name, offset, form.span);
        }
        let bits = match operand {
            Operand::Indexed(name, Some(register), at) if form.opcode == "mov" => {
                let all = self.element_address(name, register, *at, form.span)?;
                let (dst, keep) = (self.new_row(ty.width(), form.span)?, mask(ty.width()));
                let lanes = one(move |address| address & keep);
                self.emit(Op::Lanes { lanes, dst, srcs: [all, 0, 0, 0], more: None }, form.span)?;
                return Ok(dst);
            }
            Operand::Element(name, element) => return self.element(name, element, form),
            Operand::Int(value) => match ty.kind {
                Kind::Float(_) if ty.packed == 1 && ty.bits >= 32 => {
                    return Err(form.wrong("an integer stands where a float is wanted"));
                }
                _ => *value as u64,
            },
            Operand::Single(bits) if ty.width() == 64 => f64::from(f32::from_bits(*bits)).to_bits(),
            Operand::Single(bits) => u64::from(*bits),
            Operand::Double(value) if ty.width() == 32 => u64::from((*value as f32).to_bits()),
            Operand::Double(value) => value.to_bits(),
            Operand::Not(operand) => {
                let src = self.source(operand, ty, form)?;
                let (dst, all) = (self.new_row(ty.width(), form.span)?, mask(ty.width()));
                let lanes = one(move |a| !a & all);
                self.emit(Op::Lanes { lanes, dst, srcs: [src, 0, 0, 0], more: None }, form.span)?;
                return Ok(dst);
            }
            Operand::Name(_) | Operand::Offset(..) => unreachable!("what has a name is found above"),
            Operand::Indexed(..)
            | Operand::Masked(..)
            | Operand::Negated(_)
            | Operand::Vector(_)
            | Operand::Pair(..)
            | Operand::Address(..)
            | Operand::List(_)
            | Operand::Sink => return Err(form.wrong("a register or a number is wanted here")),
        };
        self.constant(bits & mask(ty.width()), form.span)
    }

    /// The row that a result goes to; `_` is one that nobody reads.
    fn destination(&mut self, operand: &Operand, form: &Form<'_>) -> Decoded<u32> {
        match operand {
            Operand::Name(name) => self.register(name, form.span),
            Operand::Element(name, element) => match self.lookup(name) {
                Some(Symbol::Register { .. }) => self.element(name, element, form),
                _ => Err(form.wrong("a register is wanted here")),
            },
            Operand::Sink => self.new_row(64, form.span),
            _ => Err(form.wrong("a register is wanted here")),
        }
    }

    /// Registers of a vector operand, or a single one; `None` for `_`.
    fn destinations(&mut self, operand: &Operand, form: &Form<'_>) -> Decoded<Vec<Option<u32>>> {
        let one = |this: &mut Self, operand: &Operand| match operand {
            Operand::Sink => Ok(None),
            operand => this.destination(operand, form).map(Some),
        };
        match operand {
            Operand::Vector(parts) => parts.iter().map(|part| one(self, part)).collect(),
            Operand::Name(name) => match self.lookup(name) {
                Some(Symbol::Register { row, vector, .. }) if vector > 1 => Ok((row..row + vector).map(Some).collect()),
                _ => Ok(vec![one(self, operand)?]),
            },
            operand => Ok(vec![one(self, operand)?]),
        }
    }

    fn sources(&mut self, operand: &Operand, ty: Ty, form: &Form<'_>) -> Decoded<Vec<u32>> {
        match operand {
            Operand::Vector(parts) => parts.iter().map(|part| self.source(part, ty, form)).collect(),
            Operand::Name(name) => match self.lookup(name) {
                Some(Symbol::Register { row, vector, .. }) if vector > 1 => Ok((row..row + vector).collect()),
                _ => Ok(vec![self.source(operand, ty, form)?]),
            },
            operand => Ok(vec![self.source(operand, ty, form)?]),
        }
    }

    /// An address in a space that the instruction names.
    fn address(&mut self, operand: &Operand, space: Option<Space>, form: &Form<'_>) -> Decoded<Address> {
        let window = match space {
            Some(Space::Shared) => Window::Shared,
            Some(Space::Local) => Window::Local,
            Some(Space::Param | Space::Global | Space::Const | Space::Register) | None => Window::Generic,
        };
        let base = match operand {
            Operand::Address(base, more) if more.is_empty() => base,
            Operand::Address(..) => return Err(form.wrong("the address has too many parts")),
            Operand::Indexed(name, register, at) if matches!(form.opcode, "ld" | "ldu" | "st") => {
                let row = match register {
                    Some(register) => self.element_address(name, register, *at, form.span)?,
                    None => self.value_of(name, self.element_offset(name, *at, form.span)?, form.span)?,
                };
                return Ok(Address { row, offset: 0, space: window });
            }
            _ => return Err(form.wrong("an address in brackets is wanted here")),
        };
        let (name, offset) = match &**base {
            Operand::Name(name) => (name, 0),
            Operand::Offset(name, offset) => (name, *offset),
            Operand::Int(value) => {
                return Ok(Address { row: self.constant(0, form.span)?, offset: *value as u64, space: window });
            }
            _ => return Err(form.wrong("an address is a register or a variable, and a number")),
        };
        let row = self.value_of(name, 0, form.span)?;
        Ok(Address { row, offset: offset as u64, space: window })
    }
}

/// The result with the sign of its type above it.
fn extended(lanes: lane::Lanes, narrow: u32, wide: u32) -> lane::Lanes {
    let keep = mask(wide);
    Box::new(move |out, srcs| {
        lanes(out, srcs);
        for word in out.iter_mut() {
            *word = super::types::signed(*word, narrow) as u64 & keep;
        }
    })
}

/// A branch that does not know yet where its paths meet.
fn branch(target: u32) -> Op {
    Op::Branch { target, join: END }
}
