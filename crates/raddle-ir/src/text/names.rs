//! Names of values in print: `%0`, `%arg0`, and the words that MLIR's operations choose for their results.
//!
//! Regions are numbered breadth first: all values of a region, then those of the regions nested in it. In custom form,
//! siblings count on from where their parent ended; in generic form no two values of a file share a name.
//!
//! Where uses are shown, operations without results have numbers as well, by which comments refer to them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::PrintOptions;
use super::format::result_range;
use crate::attrs::{Attr, Loc};
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{AttrId, OpId, RegionId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{Sign, Type};

/// The name of one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    /// None of its own: the value shares that of the result in front of it.
    None,
    /// `%0`
    Number(u32),
    /// `%arg0`
    Arg(u32),
    /// `%cst_1`: an index into the texts.
    Text(u32),
}

/// All names of a print.
#[derive(Default)]
pub(crate) struct Names {
    of: Vec<Name>,
    texts: Vec<String>,
    /// The numbers of operations without results, where uses are shown.
    ops: FxHashMap<OpId, u32>,
}

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    arg: u32,
    conflict: u32,
}

struct Numbering<'ir> {
    ir: &'ir Ir,
    options: &'ir PrintOptions,
    names: Names,
    counters: Counters,
    used: FxHashSet<String>,
    /// Used names in order, so that the end of a region frees its own.
    log: Vec<String>,
}

impl Names {
    /// Names for `op` and everything in it.
    pub fn number(ir: &Ir, op: OpId, options: &PrintOptions) -> Names {
        let names = Names { of: vec![Name::None; ir.n_values()], ..Names::default() };
        let mut n = Numbering {
            ir,
            options,
            names,
            counters: Counters::default(),
            used: FxHashSet::default(),
            log: Vec::new(),
        };
        // Regions that wait, with the counters and names of their parent.
        let mut stack: Vec<(RegionId, Counters, usize)> = Vec::new();
        for &region in ir.regions(op) {
            stack.push((region, n.counters, 0));
        }
        let before = n.counters;
        n.op(op);
        let outer = n.log.len();
        for entry in &mut stack {
            // Only what can be seen from inside counts.
            entry.1 = if ir.results(op).len() > 0 { n.counters } else { before };
            entry.2 = outer;
        }
        while let Some((region, counters, depth)) = stack.pop() {
            if !(options.generic || options.unique_numbers) {
                n.counters = counters;
            }
            for name in n.log.drain(depth..) {
                n.used.remove(&name);
            }
            n.region(region);
            let depth = n.log.len();
            for &block in ir.blocks(region) {
                for op in ir.block_ops(block) {
                    for &inner in ir.regions(op) {
                        stack.push((inner, n.counters, depth));
                    }
                }
            }
        }
        n.names
    }

    pub fn of(&self, value: ValueId) -> Name {
        self.of.get(value.index()).copied().unwrap_or(Name::None)
    }

    pub fn text(&self, index: u32) -> &str {
        &self.texts[index as usize]
    }

    /// The number of an operation without results, where uses are shown.
    pub fn number_of(&self, op: OpId) -> Option<u32> {
        self.ops.get(&op).copied()
    }
}

impl Numbering<'_> {
    fn region(&mut self, region: RegionId) {
        let ir = self.ir;
        for (i, &block) in ir.blocks(region).iter().enumerate() {
            let special = if i == 0 && !self.options.generic { arg_names(ir, ir.region_parent(region)) } else { None };
            for (k, &arg) in ir.args(block).iter().enumerate() {
                if self.name_from_location(arg, ir.arg_span(arg)) {
                    self.counters.arg += u32::from(i == 0 && special.is_none());
                    continue;
                }
                match special {
                    Some(names) => self.set_text(arg, names(k, ir, ir.region_parent(region))),
                    None if i == 0 => {
                        self.names.of[arg.index()] = Name::Arg(self.counters.arg);
                        self.counters.arg += 1;
                    }
                    None => self.set_number(arg),
                }
            }
            for op in ir.block_ops(block) {
                self.op(op);
            }
        }
    }

    fn op(&mut self, op: OpId) {
        let ir = self.ir;
        let mut results = ir.results(op);
        if results.len() == 0 {
            if self.options.users {
                self.names.ops.insert(op, self.counters.value);
                self.counters.value += 1;
            }
            return;
        }
        if self.name_from_location(ir.result(op, 0), Some(ir.span(op))) {
            return;
        }
        if self.options.generic {
            if let Some(result) = results.next() {
                self.set_number(result);
            }
            return;
        }
        if let Some(name) = result_name(ir, op)
            && let Some(result) = results.next()
        {
            self.set_text(result, &name);
            return;
        }
        // Each group whose name is shown starts anew; the others share the name in front of them.
        let shape = Shape::of(ir.opcode(op));
        let mut first_is_named = false;
        for (i, group) in shape.results.iter().enumerate().filter(|(_, group)| group.printed) {
            let (start, len) = result_range(ir, op, shape, i);
            if len > 0 && start < results.len() {
                first_is_named |= start == 0;
                self.set_text(ir.result(op, start), group.name);
            }
        }
        if !first_is_named && let Some(result) = results.next() {
            self.set_number(result);
        }
        if ir.opcode(op) == Opcode::MemrefExtractStridedMetadata {
            self.metadata(op);
        }
    }

    /// Behind base and offset stand as many sizes as strides.
    fn metadata(&mut self, op: OpId) {
        let n = self.ir.results(op).len();
        let rank = n.saturating_sub(2) / 2;
        if rank > 0 {
            self.set_text(self.ir.result(op, 2), "sizes");
            self.set_text(self.ir.result(op, 2 + rank), "strides");
        }
    }

    /// Names a value after where it comes from, if that has a name and is asked for.
    fn name_from_location(&mut self, value: ValueId, span: Option<Span>) -> bool {
        if !self.options.names_from_locations {
            return false;
        }
        let ir = self.ir;
        let location = span.and_then(|span| ir.location(span));
        let name = location.and_then(|location| location_name(ir, location));
        // An argument that is called what it would be called anyway counts as one of those.
        let name = name.filter(|name| !name.is_empty() && *name != format!("arg{}", self.counters.arg));
        match name.map(identifier) {
            Some(name) => {
                self.set_text(value, &name);
                true
            }
            None => false,
        }
    }

    fn set_number(&mut self, value: ValueId) {
        self.names.of[value.index()] = Name::Number(self.counters.value);
        self.counters.value += 1;
    }

    fn set_text(&mut self, value: ValueId, name: &str) {
        let mut name = name.to_owned();
        if self.used.contains(&name) {
            let base = name.clone();
            loop {
                name = format!("{base}_{}", self.counters.conflict);
                self.counters.conflict += 1;
                if !self.used.contains(&name) {
                    break;
                }
            }
        }
        self.used.insert(name.clone());
        self.log.push(name.clone());
        self.names.of[value.index()] = Name::Text(self.names.texts.len() as u32);
        self.names.texts.push(name);
    }
}

/// The first name in a location, calls from inside out.
fn location_name(ir: &Ir, location: AttrId) -> Option<&str> {
    let Attr::Loc(location) = &ir[location] else { return None };
    match location {
        Loc::Name { name, .. } => Some(&ir[*name]),
        &Loc::Call { callee, caller } => location_name(ir, callee).or_else(|| location_name(ir, caller)),
        Loc::Fused { parts, .. } => parts.iter().find_map(|&part| location_name(ir, part)),
        Loc::File { .. } | Loc::Unknown => None,
    }
}

/// A text as the name of a value.
fn identifier(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            ' ' => name.push('_'),
            c if c.is_ascii_alphanumeric() || "$._-".contains(c) => name.push(c),
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| name.push_str(&format!("{byte:02X}"))),
        }
    }
    let first = text.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() || !(first.is_ascii_alphanumeric() || " $._-".contains(first)) {
        name.insert(0, '_');
    }
    // An argument without a name may be called so.
    if name.strip_prefix("arg").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit())) {
        name.push('_');
    }
    name
}

type ArgName = fn(usize, &Ir, OpId) -> &'static str;

/// The words for the arguments of an operation's entry block, where it chooses any.
fn arg_names(ir: &Ir, op: OpId) -> Option<ArgName> {
    match ir.opcode(op) {
        Opcode::LinalgReduce | Opcode::LinalgMap => Some(|i, ir, op| {
            let n = ir.operands(op).len();
            let inputs = if ir.opcode(op) == Opcode::LinalgReduce { n / 2 } else { n.saturating_sub(1) };
            if i < inputs { "in" } else { "init" }
        }),
        Opcode::LinalgGeneric | Opcode::LinalgMatmul | Opcode::LinalgFill => Some(|i, ir, op| {
            let inputs = ir.attr_id(op, "operandSegmentSizes").and_then(|attr| ir.ints(attr));
            let inputs = inputs.and_then(|sizes| sizes.first().copied()).unwrap_or(0);
            if (i as i64) < inputs { "in" } else { "out" }
        }),
        _ => None,
    }
}

/// The word for the first result, where the operation chooses one.
fn result_name(ir: &Ir, op: OpId) -> Option<String> {
    let dim = || ir.keyword_of(op, "dimension").unwrap_or("x").to_owned();
    match ir.opcode(op) {
        Opcode::ArithConstant | Opcode::ComplexConstant | Opcode::IndexBoolConstant => Some(constant_name(ir, op)),
        Opcode::IndexConstant => Some(format!("idx{}", ir.attr(op, "value")?.as_i64()?)),
        Opcode::GpuBlockDim => Some(format!("block_dim_{}", dim())),
        Opcode::GpuGridDim => Some(format!("grid_dim_{}", dim())),
        Opcode::GpuGlobalId => Some(format!("global_id_{}", dim())),
        Opcode::HalInterfaceWorkgroupId | Opcode::HalInterfaceWorkgroupCount | Opcode::HalInterfaceWorkgroupSize => {
            let word = ir.name(op).rsplit('.').next().unwrap_or("id");
            let letter = ["x", "y", "z"].get(usize::try_from(ir.attr(op, "dimension")?.as_i64()?).ok()?)?;
            Some(format!("workgroup_{word}_{letter}"))
        }
        Opcode::GpuThreadId => Some(format!("thread_id_{}", dim())),
        Opcode::GpuBlockId => Some(format!("block_id_{}", dim())),
        _ => None,
    }
}

/// `c4`, `c4_i32`, `true`, `cst`
fn constant_name(ir: &Ir, op: OpId) -> String {
    match ir.attr(op, "value") {
        Some(Attr::Bool(value)) => value.to_string(),
        Some(Attr::Int { value, ty }) => match ir[*ty] {
            Type::Integer { width: 1, sign: Sign::Signless } => (*value != 0).to_string(),
            Type::Integer { width, .. } => format!("c{value}_i{width}"),
            _ => format!("c{value}"),
        },
        Some(Attr::Wide { value, ty }) => match ir[*ty] {
            Type::Integer { width, .. } => format!("c{value}_i{width}"),
            _ => format!("c{value}"),
        },
        _ => "cst".to_owned(),
    }
}
