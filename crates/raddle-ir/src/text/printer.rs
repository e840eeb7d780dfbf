//! The printer: IR to text that the reader and `iree-opt` read back.
//!
//! The body is printed once; wherever an attribute may get an alias, the place is remembered, and the name is put in at
//! the end, when all aliases are known and numbered. Names of values come from `names.rs`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::PrintOptions;
use super::attrs::LAYOUT_FIELDS;
use super::lexer;
use super::names::{Name, Names};
use super::parser::UNKNOWN_PROPERTIES;
use crate::attrs::{Attr, Body};
use crate::form::Shape;
use crate::ids::{AttrId, BlockId, OpId, RegionId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{DYNAMIC, Float, Sign, Type};

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
        order.sort_by(|a, b| (a.1.depth, &a.1.word).cmp(&(b.1.depth, &b.1.word)));
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
    }

    /// An operation without its results and location.
    pub fn op_alone(&mut self, op: OpId) {
        if self.options.generic || !super::custom::has_custom_form(self.ir, op) {
            self.generic_op(op);
            return;
        }
        let outer = self.ir.parent_op(op).map(|parent| self.ir.opcode(parent));
        let name = match (self.ir.opcode(op), outer) {
            (Opcode::Module, None | Some(Opcode::Module)) => "module",
            // Inside a function, its own dialect goes without saying.
            (Opcode::Return, Some(Opcode::Func)) => "return",
            (Opcode::Call, Some(Opcode::Func)) => "call",
            (Opcode::CallIndirect, Some(Opcode::Func)) => "call_indirect",
            (Opcode::FuncConstant, Some(Opcode::Func)) => "constant",
            (opcode, _) => opcode.name(),
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
                self.decimal(n.into());
            }
            Name::Arg(n) => {
                self.out.push_str("%arg");
                self.decimal(n.into());
            }
            Name::Text(i) => {
                self.out.push('%');
                self.out.push_str(self.names.text(i));
            }
            Name::None => {}
        }
    }

    /// Digits without the machinery of formatting: names and extents are most of a text.
    fn decimal(&mut self, mut n: u64) {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        self.out.push_str(std::str::from_utf8(&digits[at..]).expect("digits are ASCII"));
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
        properties.sort_by_key(|entry| entry.0);
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
        let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
        self.type_list(&results);
    }

    /// ` {name = value}` of what is not elided, or nothing.
    pub fn attr_dict(&mut self, op: OpId, elided: &[&str]) {
        let ir = self.ir;
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
        // An entry block without arguments needs no name, except where nothing else would show that it is there.
        if !entry || header && (!args.is_empty() || last.is_none()) {
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
        for op in ir.block_ops(block) {
            if !terminator && Some(op) == last {
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

    // ---- types

    pub fn types(&mut self, types: &[TypeId]) {
        for (i, &ty) in types.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.ty(ty);
        }
    }

    /// Types of values with commas.
    pub fn types_of(&mut self, values: impl IntoIterator<Item = ValueId>) {
        let types: Vec<TypeId> = values.into_iter().map(|value| self.ir.type_of(value)).collect();
        self.types(&types);
    }

    /// ` -> (T, U)`, or nothing where there are no results.
    pub fn arrow_types(&mut self, op: OpId) {
        if self.ir.results(op).len() > 0 {
            self.out.push_str(" -> (");
            self.types_of(self.ir.results(op));
            self.out.push(')');
        }
    }

    /// One type alone, or several in brackets; a function type alone is bracketed, too.
    pub fn type_list(&mut self, types: &[TypeId]) {
        match types {
            &[ty] if !matches!(self.ir[ty], Type::Function { .. }) => self.ty(ty),
            types => {
                self.out.push('(');
                self.types(types);
                self.out.push(')');
            }
        }
    }

    pub fn ty(&mut self, ty: TypeId) {
        // Most types were printed before: their text is copied.
        if let Some(&(start, end)) = self.types.get(ty.index())
            && end > 0
            && self.aside == 0
        {
            self.out.extend_from_within(start as usize..end as usize);
            return;
        }
        let (start, marks) = (self.out.len(), self.marks.len());
        self.fresh_type(ty);
        if self.marks.len() == marks && self.aside == 0 && self.out.len() < u32::MAX as usize {
            if self.types.len() <= ty.index() {
                self.types.resize(ty.index() + 1, (0, 0));
            }
            self.types[ty.index()] = (start as u32, self.out.len() as u32);
        }
    }

    fn fresh_type(&mut self, ty: TypeId) {
        let ir = self.ir;
        match &ir[ty] {
            Type::Integer { width, sign } => {
                let prefix = match sign {
                    Sign::Signless => "i",
                    Sign::Signed => "si",
                    Sign::Unsigned => "ui",
                };
                let _ = write!(self.out, "{prefix}{width}");
            }
            Type::Index => self.out.push_str("index"),
            Type::Float(float) => self.out.push_str(float.keyword()),
            Type::None => self.out.push_str("none"),
            Type::Complex(elem) => {
                self.out.push_str("complex<");
                self.ty(*elem);
                self.out.push('>');
            }
            Type::Tuple(types) => {
                self.out.push_str("tuple<");
                self.types(types);
                self.out.push('>');
            }
            Type::Function { inputs, results } => {
                self.out.push('(');
                self.types(inputs);
                self.out.push_str(") -> ");
                self.type_list(results);
            }
            Type::Vector { shape, scalable, elem } => {
                self.out.push_str("vector<");
                for (i, extent) in shape.iter().enumerate() {
                    if scalable.get(i) == Some(&true) {
                        let _ = write!(self.out, "[{extent}]x");
                    } else {
                        let _ = write!(self.out, "{extent}x");
                    }
                }
                self.ty(*elem);
                self.out.push('>');
            }
            Type::Tensor { shape, elem, encoding } => {
                self.out.push_str("tensor<");
                self.extents(shape);
                self.ty(*elem);
                if let Some(encoding) = encoding {
                    self.out.push_str(", ");
                    self.attr(*encoding);
                }
                self.out.push('>');
            }
            Type::UnrankedTensor(elem) => {
                self.out.push_str("tensor<*x");
                self.ty(*elem);
                self.out.push('>');
            }
            Type::MemRef { shape, elem, layout, space } => {
                self.out.push_str("memref<");
                self.extents(shape);
                self.ty(*elem);
                for attr in layout.iter().chain(space) {
                    self.out.push_str(", ");
                    self.attr_or_alias(*attr, true);
                }
                self.out.push('>');
            }
            Type::UnrankedMemRef { elem, space } => {
                self.out.push_str("memref<*x");
                self.ty(*elem);
                if let Some(space) = space {
                    self.out.push_str(", ");
                    self.attr_or_alias(*space, true);
                }
                self.out.push('>');
            }
            Type::Dialect(text) => {
                self.out.push('!');
                self.out.push_str(&ir[*text]);
            }
        }
    }

    fn extents(&mut self, shape: &[i64]) {
        for &extent in shape {
            self.number(extent);
            self.out.push('x');
        }
    }

    /// A number, `?` for [`DYNAMIC`].
    pub fn number(&mut self, value: i64) {
        match u64::try_from(value) {
            Ok(value) => self.decimal(value),
            Err(_) if value == DYNAMIC => self.out.push('?'),
            Err(_) => {
                let _ = write!(self.out, "{value}");
            }
        }
    }

    /// `[1, 2]`
    pub fn int_list(&mut self, values: &[i64]) {
        let _ = write!(self.out, "{values:?}");
    }

    // ---- attributes

    /// `name = value`, or the name alone for a unit attribute.
    fn named_attr(&mut self, name: &str, value: AttrId) {
        let bare = name.bytes().enumerate().all(|(i, b)| {
            b == b'_' || b.is_ascii_alphabetic() || i > 0 && (b.is_ascii_digit() || matches!(b, b'.' | b'$'))
        });
        if bare && !name.is_empty() {
            self.out.push_str(name);
        } else {
            self.escaped(name);
        }
        if self.ir[value] != Attr::Unit {
            self.out.push_str(" = ");
            self.attr(value);
        }
    }

    pub fn dict(&mut self, entries: &[(StrId, AttrId)]) {
        self.out.push('{');
        // A level of tiling has parameters in an order of their own.
        let (ir, in_levels) = (self.ir, self.in_levels);
        let sizes = entries.iter().filter(|entry| in_levels && ir[entry.0] == *"sizes");
        let others = entries.iter().filter(|entry| !in_levels || ir[entry.0] != *"sizes");
        for (i, &(name, value)) in sizes.chain(others).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.named_attr(&self.ir[name], value);
        }
        self.out.push('}');
    }

    /// A quoted string with escapes.
    pub fn escaped(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = text.bytes();
        if plain.all(|b| (0x20..0x7f).contains(&b) && !matches!(b, b'"' | b'\\')) {
            self.out.push_str(text);
            self.out.push('"');
            return;
        }
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\22"),
                '\\' => self.out.push_str("\\\\"),
                c if (c as u32) < 0x20 || c == '\x7f' => {
                    let _ = write!(self.out, "\\{:02X}", c as u32);
                }
                c if c.is_ascii() => self.out.push(c),
                c => {
                    for byte in lexer::bytes_of(c) {
                        let _ = write!(self.out, "\\{byte:02X}");
                    }
                }
            }
        }
        self.out.push('"');
    }

    /// `@name` or `@"name"`
    pub fn symbol(&mut self, name: &str) {
        self.out.push('@');
        let bare = name.bytes().enumerate().all(|(i, b)| {
            b == b'_' || b.is_ascii_alphabetic() || i > 0 && (b.is_ascii_digit() || matches!(b, b'.' | b'$'))
        });
        if bare && !name.is_empty() {
            self.out.push_str(name);
        } else {
            self.escaped(name);
        }
    }

    /// The word of the alias that an attribute gets.
    fn alias_word(&self, attr: AttrId) -> Option<Cow<'static, str>> {
        if self.options.local_scope {
            return None;
        }
        let word = match &self.ir[attr] {
            Attr::Map(_) => Some("map"),
            Attr::Loc(_) => Some("loc"),
            Attr::Distinct { of, .. } if self.ir[*of] != Attr::Unit => Some("distinct"),
            Attr::Set(_) => Some("set"),
            Attr::Layout(_) => Some("nested"),
            Attr::Dialect { name, body } => match &self.ir[*name] {
                "hal.executable.target" => return self.target_alias(body),
                "iree_codegen.translation_info" => Some("translation"),
                "iree_codegen.lowering_config" | "iree_cpu.lowering_config" => Some("config"),
                "iree_codegen.compilation_info" => Some("compilation"),
                "iree_encoding.encoding"
                | "iree_encoding.layout"
                | "iree_encoding.testing"
                | "iree_encoding.unknown" => Some("encoding"),
                "iree_map.pack_layout" => Some("pack_layout"),
                "iree_map.pack_map" => Some("pack_map"),
                "hal.pipeline.layout" => Some("pipeline_layout"),
                _ => None,
            },
            _ => None,
        };
        word.map(Cow::Borrowed)
    }

    /// `executable_target_rocm_hsaco_fb` for `<"rocm", "rocm-hsaco-fb">`: the format's characters that a name may have.
    fn target_alias(&self, body: &Body) -> Option<Cow<'static, str>> {
        let Body::Fields(fields) = body else { return None };
        let Attr::Str(format) = self.ir[fields.get(1)?.1] else { return None };
        let mut word = String::from("executable_target_");
        word.extend(
            self.ir[format].chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }),
        );
        Some(Cow::Owned(word))
    }

    /// An attribute, by its alias where it gets one.
    pub fn attr(&mut self, attr: AttrId) {
        self.attr_or_alias(attr, false);
    }

    /// `short` leaves out the type `i64`.
    fn attr_or_alias(&mut self, attr: AttrId, short: bool) {
        if self.alias_word(attr).is_none() {
            return self.print_attr(attr, short);
        }
        self.visit(attr);
        self.marks.push((self.out.len(), attr));
    }

    /// Gives an attribute its place among the aliases.
    pub fn visit(&mut self, attr: AttrId) {
        let Some(word) = self.alias_word(attr) else { return };
        if !self.aliases.contains_key(&attr) {
            // Its text is printed aside; what stands in it gets its place in the order first.
            self.aside += 1;
            let out = std::mem::take(&mut self.out);
            let marks = std::mem::take(&mut self.marks);
            self.print_attr(attr, false);
            let text = std::mem::replace(&mut self.out, out);
            let marks = std::mem::replace(&mut self.marks, marks);
            self.aside -= 1;
            let depth = marks.iter().map(|mark| self.aliases[&mark.1].depth + 1).max().unwrap_or(0);
            self.aliases.insert(attr, Alias { word, depth, text, marks, deferred: self.behind });
        } else if !self.behind {
            self.define_first(attr);
        }
    }

    /// What an attribute or argument names is defined in front, and so is what its definition names.
    fn define_first(&mut self, attr: AttrId) {
        let alias = &mut self.aliases[&attr];
        if alias.deferred {
            alias.deferred = false;
            let inner: Vec<AttrId> = alias.marks.iter().map(|mark| mark.1).collect();
            for attr in inner {
                self.define_first(attr);
            }
        }
    }

    /// Gives the location behind an operation its place among the aliases, where locations are printed.
    fn visit_location(&mut self, op: OpId) {
        if self.options.locations
            && let Some(attr) = self.ir.location(self.ir.span(op))
        {
            self.behind = true;
            self.visit(attr);
            self.behind = false;
        }
    }

    /// A location inside brackets: its alias, or what stands in `loc(…)`.
    pub fn location_or_alias(&mut self, attr: AttrId) {
        if self.alias_word(attr).is_some() { self.attr(attr) } else { self.location_body(attr) }
    }

    fn print_attr(&mut self, attr: AttrId, short: bool) {
        let ir = self.ir;
        match &ir[attr] {
            Attr::Unit => self.out.push_str("unit"),
            Attr::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Attr::Int { value, ty } => self.int_attr(*value, *ty, short),
            Attr::Wide { value, ty } => {
                let _ = write!(self.out, "{value} : ");
                self.ty(*ty);
            }
            Attr::Float { bits, ty } => {
                self.float(f64::from_bits(*bits), *ty);
                if !(short && ir[*ty] == Type::Float(Float::F64)) {
                    self.out.push_str(" : ");
                    self.ty(*ty);
                }
            }
            Attr::Str(text) => self.escaped(&ir[*text]),
            Attr::Array(items) => {
                self.out.push('[');
                for (i, &item) in items.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.attr_or_alias(item, true);
                }
                self.out.push(']');
            }
            Attr::Dict(entries) => self.dict(entries),
            Attr::Type(ty) => self.ty(*ty),
            Attr::Symbol(path) => {
                for (i, &part) in path.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str("::");
                    }
                    self.symbol(&ir[part]);
                }
            }
            Attr::Map(map) => {
                let _ = write!(self.out, "affine_map<{map}>");
            }
            Attr::Set(set) => {
                let list = |prefix: char, n: u32| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
                let _ = write!(self.out, "affine_set<({})", list('d', set.dims));
                if set.syms > 0 {
                    let _ = write!(self.out, "[{}]", list('s', set.syms));
                }
                self.out.push_str(" : (");
                for (i, (expr, equal)) in set.constraints.iter().enumerate() {
                    let _ = write!(
                        self.out,
                        "{}{expr} {} 0",
                        if i > 0 { ", " } else { "" },
                        if *equal { "==" } else { ">=" }
                    );
                }
                self.out.push_str(")>");
            }
            Attr::Dense { ty, splat, bytes } => self.dense(*ty, *splat, bytes, true),
            Attr::DenseArray { elem, values } => {
                self.out.push_str("array<");
                self.ty(*elem);
                for (i, &value) in values.iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { ": " });
                    self.element(value as u64, *elem);
                }
                self.out.push('>');
            }
            Attr::Strided { offset, strides } => {
                self.out.push_str("strided<[");
                for (i, &stride) in strides.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.number(stride);
                }
                self.out.push(']');
                if *offset != 0 {
                    self.out.push_str(", offset: ");
                    self.number(*offset);
                }
                self.out.push('>');
            }
            Attr::Layout(layout) => {
                let lists = [
                    &layout.subgroup_tile,
                    &layout.batch_tile,
                    &layout.outer_tile,
                    &layout.thread_tile,
                    &layout.element_tile,
                    &layout.subgroup_strides,
                    &layout.thread_strides,
                ];
                self.out.push_str("#iree_vector_ext.nested_layout<");
                for (i, (field, list)) in LAYOUT_FIELDS.iter().zip(lists).enumerate() {
                    let _ = write!(self.out, "{}{field} = {list:?}", if i > 0 { ", " } else { "" });
                }
                self.out.push('>');
            }
            Attr::Loc(_) => {
                self.out.push_str("loc(");
                self.location_body(attr);
                self.out.push(')');
            }
            &Attr::Distinct { id, of } => {
                let at = self.distinct.iter().position(|&other| other == id).unwrap_or_else(|| {
                    self.distinct.push(id);
                    self.distinct.len() - 1
                });
                let _ = write!(self.out, "distinct[{at}]<");
                if ir[of] != Attr::Unit {
                    self.attr(of);
                }
                self.out.push('>');
            }
            Attr::Dialect { name, body } => self.dialect_attr(&ir[*name], body),
        }
    }

    /// An attribute of a dialect without its name: `<…>`.
    pub fn attr_body(&mut self, attr: AttrId) {
        match &self.ir[attr] {
            Attr::Dialect { name, body } => self.dialect_body(&self.ir[*name], body),
            _ => self.attr(attr),
        }
    }

    /// An attribute of a dialect by its alias, or without its name.
    pub fn attr_or_body(&mut self, attr: AttrId) {
        if self.alias_word(attr).is_some() {
            self.attr(attr);
        } else {
            self.attr_body(attr);
        }
    }

    /// Elements without their type.
    pub fn attr_without_type(&mut self, attr: AttrId) {
        match &self.ir[attr] {
            Attr::Dense { ty, splat, bytes } => self.dense(*ty, *splat, bytes, false),
            _ => self.attr(attr),
        }
    }

    fn dialect_attr(&mut self, name: &str, body: &Body) {
        let ir = self.ir;
        if name.is_empty() {
            // A bare word among the parameters of another attribute.
            if let Body::Keyword(word) = body {
                self.out.push_str(&ir[*word]);
            }
            return;
        }
        if name.starts_with("builtin.") && self.builtin_attr(name, body) {
            return;
        }
        // MLIR moved this enumeration; memory keeps the name of the operation's dialect.
        let printed = if name == "amdgpu.mfma_perm_b" { "rocdl.mfma_perm_b" } else { name };
        let _ = write!(self.out, "#{printed}");
        self.dialect_body(name, body);
    }

    fn dialect_body(&mut self, name: &str, body: &Body) {
        let outer = self.in_levels;
        self.in_levels = matches!(name, "iree_codegen.lowering_config" | "iree_cpu.lowering_config");
        self.bracketed(name, body);
        self.in_levels = outer;
    }

    fn bracketed(&mut self, name: &str, body: &Body) {
        let ir = self.ir;
        match body {
            Body::None => return,
            _ => self.out.push('<'),
        }
        match body {
            Body::None => {}
            Body::Keyword(word) | Body::Text(word) => self.out.push_str(&ir[*word]),
            Body::Attr(attr) => self.attr_or_alias(*attr, true),
            Body::Fields(fields) => {
                let translation = name == "iree_codegen.translation_info";
                for (i, &(field, value)) in fields.iter().enumerate() {
                    let field = &ir[field];
                    // Its last parameter has a comma in front and no name; the others have neither comma.
                    let unnamed = field.is_empty() || translation && field == "configuration";
                    if i > 0 {
                        self.out.push_str(if translation && !unnamed { " " } else { ", " });
                    }
                    if !unnamed {
                        let _ = write!(self.out, "{field} = ");
                    }
                    // These integers are attributes of their own, with their types.
                    let typed = name == "llvm.vscale_range" || name == "iree_encoding.encoding";
                    if name == "iree_codegen.compilation_info" && field == "translation_info" {
                        self.attr_or_body(value);
                    } else if let ("util.int.assumption", &Attr::Int { value, .. }) = (name, &ir[value]) {
                        // Bounds have no sign.
                        let _ = write!(self.out, "{}", value as u64);
                    } else {
                        self.attr_or_alias(value, !typed);
                    }
                }
            }
        }
        self.out.push('>');
    }

    fn int_attr(&mut self, value: i128, ty: TypeId, short: bool) {
        match self.ir[ty] {
            Type::Integer { width: 1, sign: Sign::Signless } => {
                self.out.push_str(if value != 0 { "true" } else { "false" });
            }
            Type::Integer { width: 64, sign: Sign::Signless } if short => {
                let _ = write!(self.out, "{value}");
            }
            _ => {
                let _ = write!(self.out, "{value} : ");
                self.ty(ty);
            }
        }
    }

    /// The digits of a float of this type, as MLIR chooses them.
    pub fn float(&mut self, value: f64, ty: TypeId) {
        if let Type::Float(kind) = self.ir[ty] {
            super::digits::float(&mut self.out, kind, value);
        }
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
