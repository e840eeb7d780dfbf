//! Names: registers become rows, variables become addresses.

use raddle_ir::{Code, Diag, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::ast::{Function, Item, Module, Operand, Space, Variable};
use super::super::inst::{Op, Special};
use super::super::lane::two;
use super::super::lex::error;
use super::super::memory::{PARAM_BUFFER, address_of};
use super::super::types::{Kind, Ty, mask};
use super::{Decoded, Decoder, Form, ROWS_MAX};

/// The width of operands other than registers, which fits any type.
pub(super) const ANY_WIDTH: u32 = 0;
/// Bytes of shared memory that belong to the system (CUDA Programming Guide, "Technical Specifications per Compute
/// Capability": 1 KB of a workgroup).
pub(super) const RESERVED_BYTES: u64 = 1024;
/// What memory that a cooperative launch gives to its grid is called in findings, and its bytes.
const GRID_MEMORY: &str = "the memory of the grid";
const GRID_BYTES: usize = 64;
/// Bytes of all variables outside functions, at most.
const VARIABLES_MAX: u64 = 1 << 28;

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// The first row, how many names share it (`%r<8>`), and the rows of each.
    Register {
        row: u32,
        vector: u32,
        count: Option<u64>,
        width: u32,
    },
    /// The address, in its space's own terms.
    Memory {
        address: u64,
    },
    /// Memory of an activation of a function: behind where its memory begins.
    Frame {
        offset: u64,
    },
    /// Shared memory behind all other, of an alignment.
    Dynamic {
        align: u64,
    },
    Label(u32),
    Targets(Vec<String>),
}

/// The names of a scope.
#[derive(Default)]
pub(super) struct Scope {
    names: FxHashMap<String, Symbol>,
    /// Numbered registers by the part in front of the number: `%r<8>` leaves the name `%r` free.
    ranges: FxHashMap<String, Symbol>,
    /// Bytes from one element of a variable to the next.
    steps: FxHashMap<String, u64>,
}

/// Bytes and alignment of a variable.
pub(super) fn extent(variable: &Variable) -> Decoded<(u64, u64)> {
    let ty = element_type(variable)?;
    let each = u64::from(ty.width().div_ceil(8)) * u64::from(variable.vector);
    let n = variable.elements.unwrap_or(1).saturating_mul(variable.count.unwrap_or(1));
    let align = if variable.align == 0 { each } else { variable.align };
    if !align.is_power_of_two() || align > 1 << 20 {
        return Err(error(variable.span, &format!("an alignment of {align} bytes is none")));
    }
    match each.checked_mul(n).filter(|&bytes| bytes <= 1 << 31) {
        Some(bytes) => Ok((bytes, align)),
        None => Err(Diag::error(Code::TooLarge, variable.span, format!("`{}` is too large", variable.name))),
    }
}

fn element_type(variable: &Variable) -> Decoded<Ty> {
    Ty::of(&variable.ty).ok_or_else(|| error(variable.span, &format!("the type `.{}` is not known", variable.ty)))
}

impl<'m> Decoder<'m> {
    /// Whether the name was there before.
    pub(super) fn define(&mut self, name: &str, symbol: Symbol) -> bool {
        let scope = self.scopes.last_mut().expect("there is a scope as long as something is decoded");
        let names = match symbol {
            Symbol::Register { count: Some(_), .. } => &mut scope.ranges,
            _ => &mut scope.names,
        };
        names.insert(name.to_owned(), symbol).is_some()
    }

    /// Defines a variable in memory.
    pub(super) fn define_variable(&mut self, variable: &Variable, symbol: Symbol) -> Decoded<()> {
        let bytes = u64::from(element_type(variable)?.width().div_ceil(8));
        self.define(&variable.name, symbol);
        let scope = self.scopes.last_mut().expect("there is a scope as long as something is decoded");
        scope.steps.insert(variable.name.clone(), bytes);
        Ok(())
    }

    /// Bytes from the start of an array to an element. As ptxas has it, those of a vector count as elements.
    pub(super) fn element_offset(&self, name: &str, at: i64, span: Span) -> Decoded<i64> {
        let scope = self.scopes.iter().rev().find(|scope| scope.names.contains_key(name));
        match scope.and_then(|scope| scope.steps.get(name)) {
            Some(&step) => Ok(at.wrapping_mul(step as i64)),
            None if self.lookup(name).is_none() => Err(undeclared(name, span)),
            None => Err(error(span, &format!("`{name}` is not a variable in memory, and has no elements"))),
        }
    }

    /// The row of the address of an element whose number is in a register.
    pub(super) fn element_address(&mut self, name: &str, register: &str, at: i64, span: Span) -> Decoded<u32> {
        let step = self.element_offset(name, 1, span)? as u64;
        let start = self.value_of(name, self.element_offset(name, at, span)?, span)?;
        let number = self.register(register, span)?;
        let (dst, keep) = (self.new_row(64, span)?, mask(self.widths[number as usize].max(32)));
        let lanes = two(move |start, number| start.wrapping_add(number.wrapping_mul(step) & keep));
        self.emit(Op::Lanes { lanes, dst, srcs: [start, number, 0, 0], more: None }, span)?;
        Ok(dst)
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        for scope in self.scopes.iter().rev() {
            if let Some(symbol) = scope.names.get(name) {
                return Some(symbol.clone());
            }
            // `%r12` may be one of `%r<100>`.
            let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = &name[prefix.len()..];
            if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
                continue;
            }
            if let Some(&Symbol::Register { row, vector, count: Some(count), width }) = scope.ranges.get(prefix)
                && let Ok(at) = digits.parse::<u64>()
                && at < count
            {
                let row = row + at as u32 * vector * rows_of(width) as u32;
                return Some(Symbol::Register { row, vector, count: None, width });
            }
        }
        None
    }

    pub(super) fn new_row(&mut self, width: u32, span: Span) -> Decoded<u32> {
        self.new_rows(width, 1, span)
    }

    fn new_rows(&mut self, width: u32, n: u64, span: Span) -> Decoded<u32> {
        let row = self.widths.len();
        if n > ROWS_MAX as u64 || row + n as usize > ROWS_MAX {
            return Err(Diag::error(Code::TooLarge, span, format!("a thread has more than {ROWS_MAX} registers")));
        }
        self.widths.resize(row + n as usize, width);
        Ok(row as u32)
    }

    /// The row that holds a number in every lane.
    pub(super) fn constant(&mut self, value: u64, span: Span) -> Decoded<u32> {
        if let Some(&row) = self.constants.get(&value) {
            return Ok(row);
        }
        let row = self.new_row(ANY_WIDTH, span)?;
        self.constants.insert(value, row);
        Ok(row)
    }

    pub(super) fn special(&mut self, special: Special, span: Span) -> Decoded<u32> {
        if let Some(&row) = self.specials.get(&special) {
            return Ok(row);
        }
        let row = self.new_row(ANY_WIDTH, span)?;
        self.specials.insert(special, row);
        Ok(row)
    }

    /// The rows of `%tid` and its like as a whole; the last element of these is zero.
    pub(super) fn special_vector(&mut self, operand: &Operand, span: Span) -> Decoded<Option<[u32; 4]>> {
        let Operand::Name(name) = operand else { return Ok(None) };
        let is_vector = self.lookup(name).is_none() && special_of(name, "").is_none();
        let [Some(x), Some(y), Some(z)] = ["x", "y", "z"].map(|axis| special_of(name, axis).filter(|_| is_vector))
        else {
            return Ok(None);
        };
        let mut rows = [0; 4];
        for (row, special) in rows.iter_mut().zip([x, y, z, Special::Zero]) {
            *row = self.special(special, span)?;
        }
        Ok(Some(rows))
    }

    /// The row of a register that is named as such.
    pub(super) fn register(&mut self, name: &str, span: Span) -> Decoded<u32> {
        match self.lookup(name) {
            Some(Symbol::Register { width: 128, .. }) => Err(too_wide(name, span)),
            Some(Symbol::Register { row, vector: 1, count: None, .. }) => Ok(row),
            Some(_) => Err(error(span, &format!("`{name}` is not a register"))),
            None => Err(undeclared(name, span)),
        }
    }

    /// The row of a name's value: a register's contents, or a variable's address.
    pub(super) fn value_of(&mut self, name: &str, offset: i64, span: Span) -> Decoded<u32> {
        match self.lookup(name) {
            Some(Symbol::Register { width: 128, .. }) => Err(too_wide(name, span)),
            Some(Symbol::Register { row, vector: 1, count: None, .. }) if offset == 0 => Ok(row),
            Some(Symbol::Memory { address }) => self.constant(address.wrapping_add(offset as u64), span),
            Some(Symbol::Frame { offset: at }) => self.frame_address(at.wrapping_add(offset as u64), span),
            Some(Symbol::Dynamic { align }) => {
                let row = self.new_row(ANY_WIDTH, span)?;
                self.externs.push((row, align, offset as u64));
                Ok(row)
            }
            Some(_) => Err(error(span, &format!("`{name}` has no value"))),
            None => match special_of(name, "") {
                Some(special) if offset == 0 => self.special(special, span),
                _ if name == "WARP_SZ" => self.constant(32, span),
                _ if name.starts_with("%reserved_smem_offset_") && offset == 0 => self.reserved(name, span),
                _ if matches!(name, "%envreg1" | "%envreg2") && offset == 0 => self.grid_memory(name, span),
                _ => match self.function(name) {
                    Some(address) if offset == 0 => self.constant(address, span),
                    _ => Err(undeclared(name, span)),
                },
            },
        }
    }

    /// The shared memory that belongs to the system, which cooperative groups wait in: there is some where it is asked for.
    fn reserved(&mut self, name: &str, span: Span) -> Decoded<u32> {
        let start = match self.reserved {
            Some(start) => start,
            None => {
                let start = self.shared_bytes.next_multiple_of(RESERVED_BYTES);
                self.shared_bytes = start + RESERVED_BYTES;
                *self.reserved.insert(start)
            }
        };
        let value = match name.trim_start_matches("%reserved_smem_offset_") {
            "begin" | "0" => start,
            // The second half is the one of cooperative groups.
            "1" => start + RESERVED_BYTES / 2,
            "end" => start + RESERVED_BYTES,
            "cap" => RESERVED_BYTES,
            _ => return Err(undeclared(name, span)),
        };
        self.constant(value, span)
    }

    /// The half of the address of memory that all workgroups of a cooperative launch share, in which they wait for each
    /// other (`driver_abi.h` of cooperative groups says which register has which half).
    fn grid_memory(&mut self, name: &str, span: Span) -> Decoded<u32> {
        let at = match self.variables.iter().position(|variable| variable.0 == GRID_MEMORY) {
            Some(at) => at,
            None => {
                self.variables.push((GRID_MEMORY.into(), vec![0; GRID_BYTES], false));
                self.variables.len() - 1
            }
        };
        let address = address_of(PARAM_BUFFER + 1 + at);
        self.constant(if name == "%envreg1" { address >> 32 } else { address & 0xffff_ffff }, span)
    }

    /// `v.x`, or `%tid.x`.
    pub(super) fn element(&mut self, name: &str, element: &str, form: &Form<'_>) -> Decoded<u32> {
        let at = match element {
            "x" | "r" => 0,
            "y" | "g" => 1,
            "z" | "b" => 2,
            "w" | "a" => 3,
            _ => return Err(form.wrong(&format!("`{name}.{element}` is not known"))),
        };
        if let Some(Symbol::Register { row, vector, count: None, .. }) = self.lookup(name) {
            return if at < vector { Ok(row + at) } else { Err(form.wrong("the vector has no such element")) };
        }
        let special = special_of(name, element).ok_or_else(|| undeclared(&format!("{name}.{element}"), form.span))?;
        self.special(special, form.span)
    }

    /// A variable inside a function.
    pub(super) fn variable(&mut self, variable: &'m Variable) -> Decoded<()> {
        let ty = element_type(variable)?;
        let symbol = match variable.space {
            Space::Register => {
                let n = variable.count.unwrap_or(1).saturating_mul(u64::from(variable.vector));
                if ty.width() == 128 && variable.vector > 1 {
                    return Err(error(variable.span, "registers of 128 bits make no vectors"));
                }
                // A register of 128 bits is two rows, which only those take that know of it.
                let n = n.saturating_mul(rows_of(ty.width()));
                let row = self.new_rows(ty.width(), n, variable.span)?;
                let (vector, count, width) = (variable.vector, variable.count, ty.width());
                self.define(&variable.name, Symbol::Register { row, vector, count, width });
                return Ok(());
            }
            Space::Local | Space::Param => self.own_memory(variable)?,
            Space::Shared => self.shared_variable(variable)?,
            Space::Global | Space::Const => self.global_variable(variable)?,
        };
        self.define_variable(variable, symbol)
    }

    pub(super) fn module_variables(&mut self) -> Decoded<()> {
        let module = self.module;
        for variable in &module.variables {
            let symbol = match variable.space {
                Space::Shared => self.shared_variable(variable)?,
                Space::Global | Space::Const => self.global_variable(variable)?,
                Space::Local | Space::Param | Space::Register => {
                    return Err(error(variable.span, "only memory that all threads share is declared out here"));
                }
            };
            self.define_variable(variable, symbol)?;
        }
        Ok(())
    }

    fn shared_variable(&mut self, variable: &Variable) -> Decoded<Symbol> {
        let (bytes, align) = extent(variable)?;
        if variable.is_extern || variable.elements == Some(0) {
            return Ok(Symbol::Dynamic { align });
        }
        let at = self.shared_bytes.next_multiple_of(align);
        self.shared_bytes = at + bytes;
        if self.shared_bytes > 1 << 20 {
            return Err(Diag::error(Code::TooLarge, variable.span, "shared memory is larger than 1 MiB"));
        }
        Ok(Symbol::Memory { address: at })
    }

    fn global_variable(&mut self, variable: &Variable) -> Decoded<Symbol> {
        let ty = element_type(variable)?;
        let each = ty.width().div_ceil(8) as usize;
        let (mut bytes, _) = extent(variable)?;
        if variable.elements == Some(0) {
            bytes = (variable.init.len() * each) as u64;
        }
        let all: u64 = self.variables.iter().map(|variable| variable.1.len() as u64).sum();
        if all + bytes > VARIABLES_MAX {
            let message = format!("variables need more than {} MiB", VARIABLES_MAX >> 20);
            return Err(Diag::error(Code::TooLarge, variable.span, message));
        }
        let mut data = Vec::with_capacity(bytes as usize);
        for value in &variable.init {
            let bits = self.initial(value, ty.width(), variable.span)?;
            data.extend_from_slice(&(bits & mask(ty.width())).to_le_bytes()[..each.min(8)]);
        }
        if data.len() as u64 > bytes {
            return Err(error(variable.span, &format!("`{}` has more initialisers than elements", variable.name)));
        }
        data.resize(bytes as usize, 0);
        let buffer = PARAM_BUFFER + 1 + self.variables.len();
        self.variables.push((variable.name.clone(), data, variable.space == Space::Const));
        Ok(Symbol::Memory { address: address_of(buffer) })
    }

    /// The bits of one initialiser.
    fn initial(&self, value: &Operand, width: u32, span: Span) -> Decoded<u64> {
        Ok(match value {
            Operand::Int(value) => *value as u64,
            Operand::Single(bits) => u64::from(*bits),
            Operand::Double(value) if width == 32 => u64::from((*value as f32).to_bits()),
            Operand::Double(value) => value.to_bits(),
            Operand::Name(name) | Operand::Offset(name, _) => {
                let offset = if let Operand::Offset(_, offset) = value { *offset } else { 0 };
                match self.lookup(name) {
                    Some(Symbol::Memory { address }) => address.wrapping_add(offset as u64),
                    _ => match self.function(name) {
                        Some(address) if offset == 0 => address,
                        _ => return Err(undeclared(name, span)),
                    },
                }
            }
            Operand::Masked(bits, address) => {
                if !matches!(**address, Operand::Name(_) | Operand::Offset(..)) {
                    return Err(error(span, "a mask selects bytes of an address"));
                }
                let address = self.initial(address, width, span)?;
                (address & bits).checked_shr(bits.trailing_zeros()).unwrap_or(0)
            }
            _ => return Err(error(span, "an initialiser is a number or a variable")),
        })
    }

    /// The address of a device function.
    fn function(&self, name: &str) -> Option<u64> {
        function_named(self.module, name).map(function_address)
    }

    /// The row of a predicate.
    pub(super) fn predicate(&mut self, operand: &Operand, form: &Form<'_>) -> Decoded<u32> {
        self.source(operand, Ty { kind: Kind::Pred, bits: 1, packed: 1 }, form)
    }
}

/// Rows of a register of so many bits.
fn rows_of(width: u32) -> u64 {
    u64::from(width.div_ceil(64).max(1))
}

fn too_wide(name: &str, span: Span) -> Diag {
    error(span, &format!("`{name}` has 128 bits, and the instruction takes at most 64"))
}

fn undeclared(name: &str, span: Span) -> Diag {
    if name.starts_with("%envreg") || name.starts_with("%pm") {
        let message = format!("the special register `{name}` is not known to the executor");
        return Diag::error(Code::CannotExecute, span, message).help("its value depends on a driver");
    }
    error(span, &format!("`{name}` is not declared"))
}

/// The place of a device function in the text: of its definition, not of the declarations in front of it.
fn function_named(module: &Module, name: &str) -> Option<usize> {
    let name = module.function_name(name);
    let is_it = |function: &Function| function.name == name && !function.is_entry;
    let defined = module.functions.iter().position(|function| is_it(function) && function.body.is_some());
    defined.or_else(|| module.functions.iter().position(is_it))
}

/// The functions whose addresses are taken anywhere: calls through pointers go to these.
pub(super) fn pointed(module: &Module) -> FxHashSet<usize> {
    fn take<'m>(operand: &'m Operand, names: &mut FxHashSet<&'m str>) {
        match operand {
            Operand::Name(name) => {
                names.insert(name);
            }
            Operand::Vector(parts) => parts.iter().for_each(|part| take(part, names)),
            Operand::Masked(_, address) => take(address, names),
            _ => {}
        }
    }
    fn items<'m>(all: &'m [Item], names: &mut FxHashSet<&'m str>) {
        for item in all {
            match item {
                Item::Instruction(instruction) if instruction.opcode != "call" => {
                    instruction.operands.iter().for_each(|part| take(part, names));
                }
                Item::Variable(variable) => variable.init.iter().for_each(|part| take(part, names)),
                Item::Scope(inside) => items(inside, names),
                Item::Instruction(_) | Item::Label(..) | Item::Targets(..) | Item::Place(..) => {}
            }
        }
    }
    let mut names = FxHashSet::default();
    module.variables.iter().flat_map(|variable| &variable.init).for_each(|part| take(part, &mut names));
    module.functions.iter().flat_map(|function| &function.body).for_each(|body| items(body, &mut names));
    names.into_iter().filter_map(|name| function_named(module, name)).collect()
}

/// Where a device function is, by its place in the text: no memory is there.
pub(super) fn function_address(index: usize) -> u64 {
    0x10 * (index as u64 + 1)
}

fn special_of(name: &str, element: &str) -> Option<Special> {
    let axis = match element {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    Some(match (name, axis) {
        ("%tid", Some(axis)) => Special::Tid(axis),
        ("%ntid", Some(axis)) => Special::Ntid(axis),
        ("%ctaid", Some(axis)) => Special::Ctaid(axis),
        ("%nctaid", Some(axis)) => Special::Nctaid(axis),
        ("%clusterid", Some(axis)) => Special::ClusterId(axis),
        ("%nclusterid", Some(axis)) => Special::NClusterId(axis),
        ("%cluster_ctaid", Some(axis)) => Special::ClusterCtaid(axis),
        ("%cluster_nctaid", Some(axis)) => Special::ClusterNctaid(axis),
        ("%cluster_ctarank", _) => Special::ClusterRank,
        ("%cluster_nctarank", _) => Special::ClusterSize,
        ("%laneid", _) => Special::LaneId,
        ("%warpid", _) => Special::WarpId,
        ("%nwarpid", _) => Special::NWarps,
        ("%lanemask_eq", _) => Special::LaneMask(0),
        ("%lanemask_lt", _) => Special::LaneMask(1),
        ("%lanemask_le", _) => Special::LaneMask(2),
        ("%lanemask_gt", _) => Special::LaneMask(3),
        ("%lanemask_ge", _) => Special::LaneMask(4),
        ("%dynamic_smem_size", _) => Special::DynamicShared,
        ("%total_smem_size" | "%aggr_smem_size", _) => Special::TotalShared,
        // One machine of one multiprocessor runs one grid.
        ("%nsmid" | "%is_explicit_cluster", _) => Special::One,
        // Nor is it launched by a graph.
        ("%smid" | "%gridid" | "%current_graph_exec", _) => Special::Zero,
        _ => return None,
    })
}
