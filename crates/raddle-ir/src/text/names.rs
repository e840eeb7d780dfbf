//! Names of values in print: `%0`, `%arg0`, and the words that MLIR's operations choose for their results.
//!
//! Regions are numbered breadth first: all values of a region, then those of the regions nested in it. In custom form,
//! siblings count on from where their parent ended; in generic form no two values of a file share a name.

use rustc_hash::FxHashSet;

use super::format::result_range;
use crate::attrs::Attr;
use crate::form::Shape;
use crate::ids::{OpId, RegionId, ValueId};
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
}

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    arg: u32,
    conflict: u32,
}

struct Numbering<'ir> {
    ir: &'ir Ir,
    generic: bool,
    names: Names,
    counters: Counters,
    used: FxHashSet<String>,
    /// Used names in order, so that the end of a region frees its own.
    log: Vec<String>,
}

impl Names {
    /// Names for `op` and everything in it.
    pub fn number(ir: &Ir, op: OpId, generic: bool) -> Names {
        let names = Names { of: vec![Name::None; ir.n_values()], texts: Vec::new() };
        let mut n = Numbering {
            ir,
            generic,
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
        n.op(op);
        let outer = n.log.len();
        for entry in &mut stack {
            entry.1 = n.counters;
            entry.2 = outer;
        }
        while let Some((region, counters, depth)) = stack.pop() {
            if !generic {
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
}

impl Numbering<'_> {
    fn region(&mut self, region: RegionId) {
        let ir = self.ir;
        for (i, &block) in ir.blocks(region).iter().enumerate() {
            let special = if i == 0 && !self.generic { arg_names(ir, ir.region_parent(region)) } else { None };
            for (k, &arg) in ir.args(block).iter().enumerate() {
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
            return;
        }
        if self.generic {
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
        let mut group_start = Vec::new();
        for i in 0..shape.results.len() {
            let (start, len) = result_range(ir, op, shape, i);
            group_start.push((start, len));
        }
        for (i, result) in results.enumerate() {
            let named = shape.results.iter().zip(&group_start).find(|(_, start)| start.0 == i && start.1 > 0);
            match named {
                Some((group, _)) if group.printed => self.set_text(result, group.name),
                _ if i == 0 => self.set_number(result),
                _ => {}
            }
        }
        if ir.opcode(op) == Opcode::StridedMetadata {
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

type ArgName = fn(usize, &Ir, OpId) -> &'static str;

/// The words for the arguments of an operation's entry block, where it chooses any.
fn arg_names(ir: &Ir, op: OpId) -> Option<ArgName> {
    match ir.opcode(op) {
        Opcode::LinalgReduce | Opcode::LinalgMap => Some(|i, ir, op| {
            let n = ir.operands(op).len();
            let inputs = if ir.opcode(op) == Opcode::LinalgReduce { n / 2 } else { n.saturating_sub(1) };
            if i < inputs { "in" } else { "init" }
        }),
        Opcode::Generic | Opcode::Matmul | Opcode::Fill => Some(|i, ir, op| {
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
        Opcode::Constant | Opcode::ComplexConstant | Opcode::IndexBoolConstant => Some(constant_name(ir, op)),
        Opcode::IndexConstant => Some(format!("idx{}", ir.attr(op, "value")?.as_i64()?)),
        Opcode::BlockDim => Some(format!("block_dim_{}", dim())),
        Opcode::GridDim => Some(format!("grid_dim_{}", dim())),
        Opcode::GlobalId => Some(format!("global_id_{}", dim())),
        Opcode::WorkgroupId | Opcode::WorkgroupCount | Opcode::WorkgroupSize => {
            let word = ir.name(op).rsplit('.').next().unwrap_or("id");
            let letter = ["x", "y", "z"].get(usize::try_from(ir.attr(op, "dimension")?.as_i64()?).ok()?)?;
            Some(format!("workgroup_{word}_{letter}"))
        }
        Opcode::ThreadId => Some(format!("thread_id_{}", dim())),
        Opcode::BlockId => Some(format!("block_id_{}", dim())),
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
