//! The printer: IR to text that the reader and `iree-opt` read back.
//!
//! The body is printed once; wherever an attribute may get an alias, the place is remembered, and the name is put in at
//! the end, when all aliases are known and numbered. Names of values come from `names.rs`; types and attributes are
//! printed in `printer/`.

mod attrs;
mod types;
mod users;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use indexmap::IndexMap;
use raddle_layout::sort::{sort_by, sort_by_key};
use rustc_hash::FxBuildHasher;

use super::PrintOptions;
use super::names::{Name, Names};
use super::parser::UNKNOWN_PROPERTIES;
use crate::attrs::Attr;
use crate::form::Shape;
use crate::ids::{AttrId, BlockId, OpId, RegionId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;

/// An attribute with an alias.
struct Alias {
    word: Cow<'static, str>,
    /// Aliases that stand in its own text come first.
    depth: u32,
    text: String,
    marks: Vec<(usize, AttrId)>,
    /// Only locations behind operations name it, so that it may be defined at the end.
    deferred: bool,
}

pub(crate) struct Printer<'ir> {
    pub ir: &'ir Ir,
    pub out: String,
    pub(super) options: PrintOptions,
    names: Names,
    indent: usize,
    /// Places in `out` where the alias of an attribute goes.
    marks: Vec<(usize, AttrId)>,
    aliases: IndexMap<AttrId, Alias, FxBuildHasher>,
    /// Where the text of a type stands in `out` already, if no alias is in it.
    types: Vec<(u32, u32)>,
    /// How many aliases' texts are being printed apart from the body.
    aside: u32,
    /// Whether what is being printed is the location behind an operation.
    pub behind: bool,
    /// Whether what is being printed are the levels of a lowering configuration.
    in_levels: bool,
    /// The keys of resources that were printed.
    pub resources: BTreeSet<StrId>,
    /// The numbers that tell distinct attributes apart, in the order of print.
    distinct: Vec<u32>,
}

impl<'ir> Printer<'ir> {
    pub fn new(ir: &'ir Ir, options: &PrintOptions, names: Names) -> Printer<'ir> {
        Printer {
            ir,
            out: String::new(),
            options: options.clone(),
            names,
            indent: 0,
            marks: Vec::new(),
            aliases: IndexMap::default(),
            types: Vec::new(),
            aside: 0,
            behind: false,
            in_levels: false,
            resources: BTreeSet::new(),
            distinct: Vec::new(),
        }
    }

    /// A file: the text with its aliases around it, and the metadata that it needs.
    pub fn whole_file(self) -> String {
        if self.aliases.is_empty() && self.ir.metadata().is_empty() {
            return self.out;
        }
        let mut tail = Printer::new(self.ir, &self.options, Names::default());
        tail.resources.clone_from(&self.resources);
        let mut out = self.finish();
        tail.metadata();
        out.push_str(&tail.finish());
        out
    }

    /// The text with its aliases in front, and behind it those of locations.
    pub fn finish(self) -> String {
        if self.aliases.is_empty() {
            return self.out;
        }
        let mut order: Vec<(&AttrId, &Alias)> = self.aliases.iter().collect();
        sort_by(&mut order, |a, b| (a.1.depth, &a.1.word).cmp(&(b.1.depth, &b.1.word)));
        let mut counts: Vec<(&str, u32)> = Vec::new();
        let mut names: IndexMap<AttrId, String, FxBuildHasher> = IndexMap::default();
        for &(&attr, alias) in &order {
            let count = match counts.iter_mut().find(|count| count.0 == alias.word) {
                Some(count) => count,
                None => {
                    counts.push((&alias.word, 0));
                    counts.last_mut().expect("just pushed")
                }
            };
            let name = if count.1 == 0 { format!("#{}", alias.word) } else { format!("#{}{}", alias.word, count.1) };
            count.1 += 1;
            names.insert(attr, name);
        }
        let mut out = String::with_capacity(self.out.len() + 256);
        let define = |out: &mut String, deferred: bool| {
            for &(attr, alias) in order.iter().filter(|entry| entry.1.deferred == deferred) {
                let _ = write!(out, "{} = ", names[attr]);
                splice(out, &alias.text, &alias.marks, &names);
                out.push('\n');
            }
        };
        define(&mut out, false);
        splice(&mut out, &self.out, &self.marks, &names);
        define(&mut out, true);
        out
    }

    // ---- operations

    pub fn prints_locations(&self) -> bool {
        self.options.locations
    }

    pub fn newline(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// Prints one level further in.
    pub fn deeper(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
    }

    /// An operation with its results, without the line end.
    pub fn op(&mut self, op: OpId) {
        self.visit_location(op);
        self.result_list(op);
        self.op_alone(op);
        if self.options.locations {
            self.trailing_location(op);
        }
        if self.options.users {
            self.users_of_results(op);
        }
    }

    /// An operation without its results and location.
    pub fn op_alone(&mut self, op: OpId) {
        if self.options.generic || !super::custom::has_custom_form(self.ir, op) {
            self.generic_op(op);
            return;
        }
        let outer = || self.ir.parent_op(op).map(|parent| self.ir.opcode(parent));
        let in_func = || outer() == Some(Opcode::FuncFunc);
        let name = match self.ir.opcode(op) {
            Opcode::BuiltinModule if matches!(outer(), None | Some(Opcode::BuiltinModule)) => "module",
            // Inside a function, its own dialect goes without saying.
            Opcode::FuncReturn if in_func() => "return",
            Opcode::FuncCall if in_func() => "call",
            Opcode::FuncCallIndirect if in_func() => "call_indirect",
            Opcode::FuncConstant if in_func() => "constant",
            opcode => opcode.name(),
        };
        self.out.push_str(name);
        super::custom::write(self, op);
    }

    fn result_list(&mut self, op: OpId) {
        let results = self.ir.results(op);
        if results.len() == 0 {
            return;
        }
        // Neighbours without a name of their own share the name in front of them: `%0:2`.
        let mut first = true;
        let mut results = results.peekable();
        while let Some(result) = results.next() {
            if !first {
                self.out.push_str(", ");
            }
            first = false;
            self.name(self.names.of(result));
            let mut count = 1;
            while results.next_if(|&next| self.names.of(next) == Name::None).is_some() {
                count += 1;
            }
            if count > 1 {
                let _ = write!(self.out, ":{count}");
            }
        }
        self.out.push_str(" = ");
    }

    /// A use of a value.
    pub fn value(&mut self, value: ValueId) {
        let mut head = value;
        let mut number = 0;
        while self.names.of(head) == Name::None {
            match self.ir.def(head) {
                crate::ir::Def::Result { index, .. } if index > 0 => {
                    head = ValueId(head.0 - 1);
                    number += 1;
                }
                _ => {
                    self.out.push_str("<<UNKNOWN SSA VALUE>>");
                    return;
                }
            }
        }
        self.name(self.names.of(head));
        // A group of one needs no number; one of several does, the first one included.
        if number > 0 || self.starts_group(head) {
            let _ = write!(self.out, "#{number}");
        }
    }

    fn name(&mut self, name: Name) {
        match name {
            Name::Number(n) => {
                self.out.push('%');
                self.decimal(n);
            }
            Name::Arg(n) => {
                self.out.push_str("%arg");
                self.decimal(n);
            }
            Name::Text(i) => {
                self.out.push('%');
                self.out.push_str(self.names.text(i));
            }
            Name::None => {}
        }
    }

    fn decimal(&mut self, n: impl itoa::Integer) {
        self.out.push_str(itoa::Buffer::new().format(n));
    }

    /// Whether the next result shares this one's name.
    fn starts_group(&self, value: ValueId) -> bool {
        match self.ir.def(value) {
            crate::ir::Def::Result { op, index } => {
                index as usize + 1 < self.ir.results(op).len() && self.names.of(ValueId(value.0 + 1)) == Name::None
            }
            crate::ir::Def::Arg { .. } => false,
        }
    }

    pub fn values(&mut self, values: &[ValueId]) {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.value(value);
        }
    }

    fn generic_op(&mut self, op: OpId) {
        let ir = self.ir;
        self.escaped(ir.name(op));
        self.out.push('(');
        self.values(ir.operands(op));
        self.out.push(')');
        if !ir.successors(op).is_empty() {
            self.out.push('[');
            for (i, &block) in ir.successors(op).iter().enumerate() {
                if i > 0 {
                    self.out.push_str(", ");
                }
                self.block_name(block);
            }
            self.out.push(']');
        }
        let shape = Shape::of(ir.opcode(op));
        if ir.opcode(op) == Opcode::Unregistered
            && let Some(Attr::Dict(entries)) = ir.attr(op, UNKNOWN_PROPERTIES)
        {
            self.out.push_str(" <");
            self.dict(entries);
            self.out.push('>');
        }
        let inherent = |name: &str| name == UNKNOWN_PROPERTIES || shape.inherent(name).is_some();
        let mut properties: Vec<(&str, Result<AttrId, &str>)> =
            ir.attrs(op).iter().filter(|e| shape.inherent(&ir[e.0]).is_some()).map(|e| (&ir[e.0], Ok(e.1))).collect();
        // What goes without saying, which the generic form says.
        let shown = shape.attrs.iter().filter_map(|attr| Some((attr.name, attr.shown.as_deref()?)));
        let absent = shown.filter(|(name, _)| ir.attr_id(op, name).is_none());
        properties.extend(absent.map(|(name, text)| (name, Err(text))));
        sort_by_key(&mut properties, |entry| entry.0);
        if !properties.is_empty() {
            self.out.push_str(" <{");
            for (i, (name, value)) in properties.into_iter().enumerate() {
                if i > 0 {
                    self.out.push_str(", ");
                }
                match value {
                    Ok(value) => self.named_attr(name, value),
                    Err(text) => {
                        self.out.push_str(name);
                        self.out.push_str(" = ");
                        self.out.push_str(text);
                    }
                }
            }
            self.out.push_str("}>");
        }
        if !ir.regions(op).is_empty() {
            self.out.push_str(" (");
            for (i, &region) in ir.regions(op).iter().enumerate() {
                if i > 0 {
                    self.out.push_str(", ");
                }
                self.region(region, true, true);
            }
            self.out.push(')');
        }
        let discardable: Vec<_> = ir.attrs(op).iter().filter(|e| !inherent(&ir[e.0])).copied().collect();
        let maps = super::custom::remembered_maps(ir, op);
        if !discardable.is_empty() || maps.is_some() {
            self.out.push_str(" {");
            self.with_maps(&discardable, maps.as_deref());
            self.out.push('}');
        }
        self.out.push_str(" : ");
        self.functional_type(op);
    }

    /// Entries of a dictionary with the maps that an operation's name means, in order.
    fn with_maps(&mut self, entries: &[(StrId, AttrId)], maps: Option<&[crate::affine::Map]>) {
        let ir = self.ir;
        let name = "linalg.memoized_indexing_maps";
        let at = entries.iter().position(|entry| &ir[entry.0] > name).unwrap_or(entries.len());
        let (before, after) = entries.split_at(if maps.is_some() { at } else { entries.len() });
        let mut first = true;
        for &(name, value) in before {
            self.out.push_str(if first { "" } else { ", " });
            first = false;
            self.named_attr(&ir[name], value);
        }
        if let Some(maps) = maps {
            let _ = write!(self.out, "{}{name} = [", if first { "" } else { ", " });
            for (i, map) in maps.iter().enumerate() {
                let _ = write!(self.out, "{}affine_map<{map}>", if i > 0 { ", " } else { "" });
            }
            self.out.push(']');
            first = false;
        }
        for &(name, value) in after {
            self.out.push_str(if first { "" } else { ", " });
            first = false;
            self.named_attr(&ir[name], value);
        }
    }

    /// `(operand types) -> result types`
    pub fn functional_type(&mut self, op: OpId) {
        let ir = self.ir;
        self.out.push('(');
        for (i, &operand) in ir.operands(op).iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.ty(ir.type_of(operand));
        }
        self.out.push_str(") -> ");
        if ir.results(op).len() == 1 {
            // The common case makes no list.
            return self.type_list(&[ir.type_of(ir.result(op, 0))]);
        }
        let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
        self.type_list(&results);
    }

    /// ` {name = value}` of what is not elided, or nothing.
    pub fn attr_dict(&mut self, op: OpId, elided: &[&str]) {
        let ir = self.ir;
        if ir.attrs(op).is_empty() {
            return;
        }
        let entries: Vec<_> = ir.attrs(op).iter().filter(|entry| !elided.contains(&&ir[entry.0])).copied().collect();
        if !entries.is_empty() {
            self.out.push(' ');
            self.dict(&entries);
        }
    }

    /// ` attributes {…}` of what is not elided, or nothing.
    pub fn attr_dict_keyword(&mut self, op: OpId, elided: &[&str]) {
        let ir = self.ir;
        if ir.attrs(op).iter().any(|entry| !elided.contains(&&ir[entry.0])) {
            self.out.push_str(" attributes");
            self.attr_dict(op, elided);
        }
    }

    /// `{ … }`
    pub fn region(&mut self, region: RegionId, entry_args: bool, terminators: bool) {
        if self.options.skip_regions {
            return self.out.push_str("{...}");
        }
        self.out.push('{');
        for (i, &block) in self.ir.blocks(region).iter().enumerate() {
            self.block(block, i > 0 || entry_args, i > 0 || terminators, i == 0);
        }
        self.newline();
        self.out.push('}');
    }

    fn block(&mut self, block: BlockId, header: bool, terminator: bool, entry: bool) {
        let ir = self.ir;
        let args = ir.args(block);
        let last = ir.terminator(block);
        // An entry block without arguments needs no name, except where nothing else would show that it is there, or
        // where a block goes to it, which is wrong.
        let is_target = || {
            let mut ops = ir.blocks(ir.block_region(block)).iter().flat_map(|&other| ir.block_ops(other));
            ops.any(|op| ir.successors(op).contains(&block))
        };
        if !entry || header && (!args.is_empty() || last.is_none() || is_target()) {
            self.newline();
            self.block_name(block);
            if !args.is_empty() {
                self.out.push('(');
                for (i, &arg) in args.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.value(arg);
                    self.out.push_str(": ");
                    self.ty(ir.type_of(arg));
                    self.location_of_arg(arg);
                }
                self.out.push(')');
            }
            self.out.push(':');
            if !entry {
                self.predecessors(block);
            }
        }
        self.indent += 1;
        if self.options.users {
            self.users_of_args(block);
        }
        for op in ir.block_ops(block) {
            // What says something is not left out.
            if !terminator && Some(op) == last && ir.attrs(op).is_empty() {
                break;
            }
            self.newline();
            self.op(op);
        }
        self.indent -= 1;
    }

    /// The comment that says from where a block is reached.
    fn predecessors(&mut self, block: BlockId) {
        let ir = self.ir;
        let from: Vec<BlockId> = ir
            .blocks(ir.block_region(block))
            .iter()
            .flat_map(|&other| {
                let edges = ir.terminator(other).map_or(&[][..], |last| ir.successors(last));
                edges.iter().filter(|&&to| to == block).map(move |_| other)
            })
            .collect();
        match from.len() {
            0 => self.out.push_str("  // no predecessors"),
            1 => self.out.push_str("  // pred: "),
            n => {
                let _ = write!(self.out, "  // {n} preds: ");
            }
        }
        for (i, &other) in from.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.block_name(other);
        }
    }

    pub fn block_name(&mut self, block: BlockId) {
        let region = self.ir.block_region(block);
        let index = self.ir.blocks(region).iter().position(|&b| b == block).unwrap_or(0);
        let _ = write!(self.out, "^bb{index}");
    }
}

/// Copies `text` with the names of aliases put in at the marks.
fn splice(out: &mut String, text: &str, marks: &[(usize, AttrId)], names: &IndexMap<AttrId, String, FxBuildHasher>) {
    let mut at = 0;
    for &(mark, attr) in marks {
        out.push_str(&text[at..mark]);
        out.push_str(&names[&attr]);
        at = mark;
    }
    out.push_str(&text[at..]);
}
