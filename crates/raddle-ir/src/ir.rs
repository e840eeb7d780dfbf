//! The IR itself: operations, values, blocks and regions in arenas, types and attributes interned.
//!
//! Everything is owned by one [`Ir`] and named by a dense id. Operations of a block form a linked list; the uses of a
//! value form another, so that replacing an operation does not walk the function.

use std::ops::Index;

use rustc_hash::FxHashMap;

use crate::attrs::Attr;
use crate::diag::Span;
use crate::ids::{AttrId, BlockId, OpId, RegionId, StrId, TypeId, ValueId};
use crate::intern::Interner;
use crate::ops::{Class, Opcode};
use crate::types::{Float, Sign, Type};

/// Entries of an arena that is not small, at least.
const LARGE: usize = 1 << 15;

/// Makes room for so many more entries. An arena that is no longer small gets room for an unrolled kernel at once: what
/// is not touched costs nothing, and what grows is copied.
fn make_room<T>(arena: &mut Vec<T>, more: usize) {
    if arena.capacity() - arena.len() < more && arena.len() > LARGE / 32 {
        arena.reserve(more.max(LARGE));
    }
}

/// No id at all, in links.
const NONE: u32 = u32::MAX;

/// A run of entries in a pool.
#[derive(Clone, Copy, Default)]
struct Run {
    start: u32,
    len: u32,
}

impl Run {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

#[derive(Clone)]
struct OpData {
    opcode: Opcode,
    operands: Run,
    results: Run,
    /// Where the regions and successors stand, or [`NONE`]: few operations have any.
    nested: u32,
    attrs: AttrId,
    block: u32,
    prev: u32,
    next: u32,
    span: Span,
}

/// The regions and successors of an operation.
#[derive(Clone, Copy, Default)]
struct Nested {
    regions: Run,
    successors: Run,
}

/// One operand slot's place in the list of its value's uses.
#[derive(Clone, Copy)]
struct UseLink {
    owner: OpId,
    prev: u32,
    next: u32,
}

#[derive(Clone)]
struct ValueData {
    ty: TypeId,
    /// The operation, or the block with [`IN_BLOCK`]: a [`Def`] in less room.
    owner: u32,
    index: u32,
    first_use: u32,
}

/// Says that a value is an argument of a block.
const IN_BLOCK: u32 = 1 << 31;

impl ValueData {
    fn result(op: OpId, index: usize, ty: TypeId) -> ValueData {
        assert!(op.0 < IN_BLOCK, "a module has fewer than 2^31 operations");
        ValueData { ty, owner: op.0, index: index as u32, first_use: NONE }
    }

    fn arg(block: BlockId, index: usize, ty: TypeId) -> ValueData {
        assert!(block.0 < IN_BLOCK, "a module has fewer than 2^31 blocks");
        ValueData { ty, owner: block.0 | IN_BLOCK, index: index as u32, first_use: NONE }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// The `index`-th result of an operation.
    Result {
        /// The operation.
        op: OpId,
        /// Which result.
        index: u32,
    },
    /// The `index`-th argument of a block.
    Arg {
        /// The block.
        block: BlockId,
        /// Which argument.
        index: u32,
    },
}

#[derive(Clone)]
struct BlockData {
    args: Vec<ValueId>,
    region: u32,
    first: u32,
    last: u32,
}

#[derive(Clone)]
struct RegionData {
    blocks: Vec<BlockId>,
    parent: OpId,
}

/// One entry of the file's metadata `{-# … #-}`: `section: { owner: { key: value, … } }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// `dialect_resources`, whose owner is a dialect, or `external_resources`.
    pub name: StrId,
    /// Who understands the resource.
    pub owner: StrId,
    /// What attributes call it.
    pub key: StrId,
    /// A string (as data, `0x` and the bytes in hexadecimal), `true` or `false`.
    pub value: AttrId,
}

/// A module and everything in it. A copy has the same ids.
#[derive(Clone)]
pub struct Ir {
    types: Interner<Type>,
    attrs: Interner<Attr>,
    strs: Interner<Box<str>>,
    ops: Vec<OpData>,
    values: Vec<ValueData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    operand_pool: Vec<ValueId>,
    use_pool: Vec<UseLink>,
    nested: Vec<Nested>,
    region_pool: Vec<RegionId>,
    successor_pool: Vec<BlockId>,
    /// The names of operations outside the table.
    unregistered: FxHashMap<OpId, StrId>,
    /// What the text states as the location of what it spells at a place; most texts state none.
    locations: FxHashMap<Span, AttrId>,
    arg_spans: FxHashMap<ValueId, Span>,
    /// `{-# … #-}`, in order.
    metadata: Vec<Section>,
    empty_dict: AttrId,
    module: OpId,
}

impl Default for Ir {
    fn default() -> Ir {
        Ir::new()
    }
}

impl Ir {
    /// An empty module.
    pub fn new() -> Ir {
        let mut ir = Ir::of_tables(Interner::new(), Interner::new(), Interner::new());
        ir.empty_dict = ir.intern(Attr::Dict(Vec::new()));
        ir.add_module();
        ir
    }

    /// An empty module with the types and attributes of this one, locations and metadata among them.
    pub(crate) fn without_ops(&self) -> Ir {
        let mut ir = Ir::of_tables(self.types.clone(), self.attrs.clone(), self.strs.clone());
        ir.empty_dict = self.empty_dict;
        ir.locations = self.locations.clone();
        ir.metadata = self.metadata.clone();
        ir.add_module();
        ir
    }

    fn of_tables(types: Interner<Type>, attrs: Interner<Attr>, strs: Interner<Box<str>>) -> Ir {
        Ir {
            types,
            attrs,
            strs,
            ops: Vec::new(),
            values: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            operand_pool: Vec::new(),
            use_pool: Vec::new(),
            nested: Vec::new(),
            region_pool: Vec::new(),
            successor_pool: Vec::new(),
            unregistered: FxHashMap::default(),
            locations: FxHashMap::default(),
            arg_spans: FxHashMap::default(),
            metadata: Vec::new(),
            empty_dict: AttrId(0),
            module: OpId(0),
        }
    }

    fn add_module(&mut self) {
        self.module = self.create(Opcode::BuiltinModule, &[], &[], &[], Span::default());
        let region = self.add_region(self.module);
        self.add_block(region, &[]);
    }

    /// The top-level `builtin.module`.
    pub fn module(&self) -> OpId {
        self.module
    }

    /// Makes another operation the top level, as when a file spells its module.
    pub fn set_module(&mut self, module: OpId) {
        self.module = module;
    }

    /// The block of the top-level module.
    pub fn module_block(&self) -> BlockId {
        self.entry(self.module)
    }

    // ---- interning

    /// Lets programs that are copied or extracted from this one have the types, attributes and strings that it knows now
    /// without copying them.
    pub fn share(&mut self) {
        self.types.share();
        self.attrs.share();
        self.strs.share();
    }

    /// The id of a type.
    pub fn intern_type(&mut self, ty: Type) -> TypeId {
        TypeId(self.types.intern(ty))
    }

    /// The id of a type that may not have been seen.
    pub(crate) fn find_type(&self, ty: &Type) -> Option<TypeId> {
        self.types.find(ty).map(TypeId)
    }

    /// The id of an attribute.
    pub fn intern(&mut self, attr: Attr) -> AttrId {
        AttrId(self.attrs.intern(attr))
    }

    /// The id of a string.
    pub fn intern_str(&mut self, text: &str) -> StrId {
        StrId(self.strs.find(text).unwrap_or_else(|| self.strs.intern(text.into())))
    }

    /// The id of a string that may not have been seen.
    pub fn find_str(&self, text: &str) -> Option<StrId> {
        self.strs.find(text).map(StrId)
    }

    /// `i<width>`
    pub fn int_type(&mut self, width: u32) -> TypeId {
        self.intern_type(Type::Integer { width, sign: Sign::Signless })
    }

    /// `index`
    pub fn index_type(&mut self) -> TypeId {
        self.intern_type(Type::Index)
    }

    /// `f16`, `f32`, …
    pub fn float_type(&mut self, float: Float) -> TypeId {
        self.intern_type(Type::Float(float))
    }

    /// `vector<shape x elem>`
    pub fn vector_type(&mut self, shape: &[i64], elem: TypeId) -> TypeId {
        self.intern_type(Type::Vector { shape: shape.to_vec(), scalable: Vec::new(), elem })
    }

    /// `tensor<shape x elem>`
    pub fn tensor_type(&mut self, shape: &[i64], elem: TypeId) -> TypeId {
        self.intern_type(Type::Tensor { shape: shape.to_vec(), elem, encoding: None })
    }

    /// `memref<shape x elem>` in the given space (`None` is global memory).
    pub fn memref_type(&mut self, shape: &[i64], elem: TypeId, space: Option<AttrId>) -> TypeId {
        self.intern_type(Type::MemRef { shape: shape.to_vec(), elem, layout: None, space })
    }

    /// `value : i64`
    pub fn i64_attr(&mut self, value: i64) -> AttrId {
        let ty = self.int_type(64);
        self.intern(Attr::Int { value: value.into(), ty })
    }

    /// `[v0 : i64, …]`
    pub fn i64_array(&mut self, values: &[i64]) -> AttrId {
        let items = values.iter().map(|&value| self.i64_attr(value)).collect();
        self.intern(Attr::Array(items))
    }

    /// `[[0], [1, 2], …]`: consecutive dimensions in groups of these sizes, as reshapes spell them.
    pub fn reassociation(&mut self, groups: &[i64]) -> AttrId {
        let mut next = 0;
        let lists = groups
            .iter()
            .map(|&n| {
                let list: Vec<i64> = (next..next + n).collect();
                next += n;
                self.i64_array(&list)
            })
            .collect();
        self.intern(Attr::Array(lists))
    }

    /// `array<i64: v0, …>`
    pub fn dense_i64(&mut self, values: &[i64]) -> AttrId {
        let elem = self.int_type(64);
        self.intern(Attr::DenseArray { elem, values: values.to_vec() })
    }

    /// `"text"`
    pub fn str_attr(&mut self, text: &str) -> AttrId {
        let text = self.intern_str(text);
        self.intern(Attr::Str(text))
    }

    /// `{name = value, …}`, sorted by name.
    pub fn dict(&mut self, entries: &[(&str, AttrId)]) -> AttrId {
        let entries: Vec<(StrId, AttrId)> =
            entries.iter().map(|&(name, value)| (self.intern_str(name), value)).collect();
        self.dict_of(entries)
    }

    /// A dictionary from entries in any order.
    pub(crate) fn dict_of(&mut self, mut entries: Vec<(StrId, AttrId)>) -> AttrId {
        if entries.is_empty() {
            return self.empty_dict;
        }
        self.sort_by_name(&mut entries);
        self.intern(Attr::Dict(entries))
    }

    /// Puts entries of a dictionary in order.
    pub(crate) fn sort_by_name(&self, entries: &mut [(StrId, AttrId)]) {
        entries.sort_by(|a, b| self[a.0].cmp(&self[b.0]));
    }

    /// A dictionary from entries that are sorted by name already.
    pub(crate) fn intern_dict(&mut self, sorted: &[(StrId, AttrId)]) -> AttrId {
        if sorted.is_empty() { self.empty_dict } else { self.intern(Attr::Dict(sorted.to_vec())) }
    }

    // ---- operations

    /// Creates an operation that is in no block yet. Its name is its opcode's.
    pub fn create(
        &mut self,
        opcode: Opcode,
        operands: &[ValueId],
        results: &[TypeId],
        attrs: &[(&str, AttrId)],
        span: Span,
    ) -> OpId {
        assert!(opcode != Opcode::Unregistered, "an operation outside the table is created by name");
        let attrs = self.dict(attrs);
        self.create_raw(opcode, operands, results, attrs, span)
    }

    /// Creates an operation that is in no block yet, with a dictionary attribute, as when one stands for another.
    pub fn create_with(
        &mut self,
        opcode: Opcode,
        operands: &[ValueId],
        results: &[TypeId],
        attrs: AttrId,
        span: Span,
    ) -> OpId {
        assert!(opcode != Opcode::Unregistered, "an operation outside the table is created by name");
        self.create_raw(opcode, operands, results, attrs, span)
    }

    /// Creates an operation by name, with a dictionary attribute; names outside the table are kept.
    pub fn create_named(
        &mut self,
        name: &str,
        operands: &[ValueId],
        results: &[TypeId],
        attrs: AttrId,
        span: Span,
    ) -> OpId {
        let opcode = Opcode::from_name(name).unwrap_or(Opcode::Unregistered);
        let op = self.create_raw(opcode, operands, results, attrs, span);
        if opcode == Opcode::Unregistered {
            let name = self.intern_str(name);
            self.unregistered.insert(op, name);
        }
        op
    }

    fn create_raw(
        &mut self,
        opcode: Opcode,
        operands: &[ValueId],
        results: &[TypeId],
        attrs: AttrId,
        span: Span,
    ) -> OpId {
        let op = OpId(self.ops.len() as u32);
        let start = self.values.len() as u32;
        make_room(&mut self.values, results.len());
        for (index, &ty) in results.iter().enumerate() {
            self.values.push(ValueData::result(op, index, ty));
        }
        make_room(&mut self.ops, 1);
        self.ops.push(OpData {
            opcode,
            operands: Run { start: self.operand_pool.len() as u32, len: operands.len() as u32 },
            results: Run { start, len: results.len() as u32 },
            nested: NONE,
            attrs,
            block: NONE,
            prev: NONE,
            next: NONE,
            span,
        });
        self.add_uses(op, operands);
        op
    }

    /// Gives a shell that the reader made its operands, results and successors.
    pub(crate) fn fill(&mut self, op: OpId, operands: &[ValueId], results: &[TypeId], successors: &[BlockId]) {
        assert!(self.ops[op.index()].results.len == 0, "a shell has no results yet");
        let start = self.values.len() as u32;
        for (index, &ty) in results.iter().enumerate() {
            self.values.push(ValueData::result(op, index, ty));
        }
        self.ops[op.index()].results = Run { start, len: results.len() as u32 };
        self.set_operands(op, operands);
        if !successors.is_empty() {
            self.set_successors(op, successors);
        }
    }

    /// Sets where the operation was written.
    pub(crate) fn set_span(&mut self, op: OpId, span: Span) {
        self.ops[op.index()].span = span;
    }

    /// The location that the text states for what is written at `span`: an [`Attr::Loc`].
    pub fn location(&self, span: Span) -> Option<AttrId> {
        self.locations.get(&span).copied()
    }

    /// Sets the location of what is written at `span`.
    pub fn set_location(&mut self, span: Span, loc: AttrId) {
        assert!(matches!(self[loc], Attr::Loc(_)), "a location is an attribute of its own kind");
        self.locations.insert(span, loc);
    }

    /// Where an argument of a block was written, if it comes from a text.
    pub fn arg_span(&self, arg: ValueId) -> Option<Span> {
        self.arg_spans.get(&arg).copied()
    }

    pub(crate) fn set_arg_span(&mut self, arg: ValueId, span: Span) {
        self.arg_spans.insert(arg, span);
    }

    /// The sections of the file's metadata, in order.
    pub fn metadata(&self) -> &[Section] {
        &self.metadata
    }

    /// The sections of the file's metadata, to change.
    pub fn metadata_mut(&mut self) -> &mut Vec<Section> {
        &mut self.metadata
    }

    /// A block that is in no region yet, for a successor that is named in front of its definition.
    pub(crate) fn add_loose_block(&mut self) -> BlockId {
        let block = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockData { args: Vec::new(), region: NONE, first: NONE, last: NONE });
        block
    }

    /// Puts a loose block at the end of a region.
    pub(crate) fn place_block(&mut self, region: RegionId, block: BlockId) {
        assert!(self.blocks[block.index()].region == NONE, "the block is in no region yet");
        self.blocks[block.index()].region = region.0;
        self.regions[region.index()].blocks.push(block);
    }

    /// Adds an empty region to an operation.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let region = RegionId(self.regions.len() as u32);
        self.regions.push(RegionData { blocks: Vec::new(), parent: op });
        let run = self.nested(op).regions;
        let start = self.region_pool.len() as u32;
        self.region_pool.extend_from_within(run.range());
        self.region_pool.push(region);
        self.nested_mut(op).regions = Run { start, len: run.len + 1 };
        region
    }

    fn nested(&self, op: OpId) -> Nested {
        match self.ops[op.index()].nested {
            NONE => Nested::default(),
            at => self.nested[at as usize],
        }
    }

    fn nested_mut(&mut self, op: OpId) -> &mut Nested {
        let at = &mut self.ops[op.index()].nested;
        if *at == NONE {
            *at = self.nested.len() as u32;
            self.nested.push(Nested::default());
        }
        &mut self.nested[*at as usize]
    }

    /// Adds a block with arguments of the given types to the end of a region.
    pub fn add_block(&mut self, region: RegionId, args: &[TypeId]) -> BlockId {
        let block = BlockId(self.blocks.len() as u32);
        self.blocks.push(BlockData { args: Vec::new(), region: region.0, first: NONE, last: NONE });
        self.regions[region.index()].blocks.push(block);
        for &ty in args {
            self.add_block_arg(block, ty);
        }
        block
    }

    /// Adds an argument to the end of a block's list.
    pub fn add_block_arg(&mut self, block: BlockId, ty: TypeId) -> ValueId {
        let value = ValueId(self.values.len() as u32);
        let index = self.blocks[block.index()].args.len();
        self.values.push(ValueData::arg(block, index, ty));
        self.blocks[block.index()].args.push(value);
        value
    }

    /// Takes the last argument, which nothing uses, off a block's list.
    pub fn pop_block_arg(&mut self, block: BlockId) {
        let arg = self.blocks[block.index()].args.pop();
        assert!(arg.is_some_and(|arg| self.is_unused(arg)), "what is taken off a block is an argument without uses");
    }

    /// Sets the blocks that a terminator may go to.
    pub fn set_successors(&mut self, op: OpId, successors: &[BlockId]) {
        let start = self.successor_pool.len() as u32;
        self.successor_pool.extend_from_slice(successors);
        self.nested_mut(op).successors = Run { start, len: successors.len() as u32 };
    }

    /// The row of the op table.
    #[inline(always)]
    pub fn opcode(&self, op: OpId) -> Opcode {
        self.ops[op.index()].opcode
    }

    /// What the operation is to the passes.
    #[inline]
    pub fn class(&self, op: OpId) -> Class {
        self.opcode(op).class()
    }

    /// The name with its dialect.
    pub fn name(&self, op: OpId) -> &str {
        match self.opcode(op) {
            Opcode::Unregistered => &self[self.unregistered[&op]],
            opcode => opcode.name(),
        }
    }

    /// Where the operation was written.
    pub fn span(&self, op: OpId) -> Span {
        self.ops[op.index()].span
    }

    /// The operands.
    #[inline(always)]
    pub fn operands(&self, op: OpId) -> &[ValueId] {
        &self.operand_pool[self.ops[op.index()].operands.range()]
    }

    /// One operand.
    pub fn operand(&self, op: OpId, index: usize) -> ValueId {
        self.operands(op)[index]
    }

    /// The results. Results of one operation have consecutive ids.
    #[inline(always)]
    pub fn results(&self, op: OpId) -> impl ExactSizeIterator<Item = ValueId> + DoubleEndedIterator + use<> {
        let run = self.ops[op.index()].results;
        (0..run.len as usize).map(move |i| ValueId(run.start + i as u32))
    }

    /// One result.
    pub fn result(&self, op: OpId, index: usize) -> ValueId {
        let run = self.ops[op.index()].results;
        assert!(index < run.len as usize, "`{}` has {} results, not {}", self.name(op), run.len, index + 1);
        ValueId(run.start + index as u32)
    }

    /// The regions.
    #[inline]
    pub fn regions(&self, op: OpId) -> &[RegionId] {
        match self.ops[op.index()].nested {
            NONE => &[],
            at => &self.region_pool[self.nested[at as usize].regions.range()],
        }
    }

    /// The blocks that a terminator may go to.
    #[inline]
    pub fn successors(&self, op: OpId) -> &[BlockId] {
        match self.ops[op.index()].nested {
            NONE => &[],
            at => &self.successor_pool[self.nested[at as usize].successors.range()],
        }
    }

    /// All attributes as a dictionary.
    pub fn attr_dict(&self, op: OpId) -> AttrId {
        self.ops[op.index()].attrs
    }

    /// The attributes, sorted by name.
    pub fn attrs(&self, op: OpId) -> &[(StrId, AttrId)] {
        self.entries(self.ops[op.index()].attrs)
    }

    /// One attribute by name.
    pub fn attr_id(&self, op: OpId, name: &str) -> Option<AttrId> {
        let dict = self.ops[op.index()].attrs;
        // Most operations have none.
        if dict == self.empty_dict { None } else { self.dict_get(dict, name) }
    }

    /// One attribute by name.
    pub fn attr(&self, op: OpId, name: &str) -> Option<&Attr> {
        self.attr_id(op, name).map(|id| &self[id])
    }

    /// Sets or replaces one attribute.
    pub fn set_attr(&mut self, op: OpId, name: &str, value: AttrId) {
        let name = self.intern_str(name);
        let mut entries = self.attrs(op).to_vec();
        match entries.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 = value,
            None => entries.push((name, value)),
        }
        self.ops[op.index()].attrs = self.dict_of(entries);
    }

    /// Replaces all attributes by those of a dictionary attribute.
    pub fn set_attr_dict(&mut self, op: OpId, dict: AttrId) {
        assert!(matches!(self[dict], Attr::Dict(_)), "an operation's attributes are a dictionary");
        self.ops[op.index()].attrs = dict;
    }

    /// Removes one attribute, and returns it.
    pub fn remove_attr(&mut self, op: OpId, name: &str) -> Option<AttrId> {
        let value = self.attr_id(op, name)?;
        let entries = self.attrs(op).iter().copied().filter(|entry| &self[entry.0] != name).collect();
        self.ops[op.index()].attrs = self.dict_of(entries);
        Some(value)
    }

    /// The entries of a dictionary attribute; empty for any other.
    pub fn entries(&self, dict: AttrId) -> &[(StrId, AttrId)] {
        match &self[dict] {
            Attr::Dict(entries) => entries,
            _ => &[],
        }
    }

    /// One entry of a dictionary attribute.
    pub fn dict_get(&self, dict: AttrId, name: &str) -> Option<AttrId> {
        self.entries(dict).iter().find(|entry| &self[entry.0] == name).map(|entry| entry.1)
    }

    /// The integers of `[1, 2]` or `array<i64: 1, 2>`.
    pub fn ints(&self, attr: AttrId) -> Option<Vec<i64>> {
        match &self[attr] {
            Attr::Array(items) => items.iter().map(|&item| self[item].as_i64()).collect(),
            Attr::DenseArray { values, .. } => Some(values.clone()),
            _ => None,
        }
    }

    // ---- values

    /// The type of a value.
    #[inline(always)]
    pub fn type_of(&self, value: ValueId) -> TypeId {
        self.values[value.index()].ty
    }

    /// The type of a value, looked up.
    pub fn ty(&self, value: ValueId) -> &Type {
        &self[self.type_of(value)]
    }

    /// Changes the type of a value; the caller makes definition and uses agree.
    pub fn set_type(&mut self, value: ValueId, ty: TypeId) {
        self.values[value.index()].ty = ty;
    }

    /// Where a value comes from.
    pub fn def(&self, value: ValueId) -> Def {
        let ValueData { owner, index, .. } = self.values[value.index()];
        match owner & IN_BLOCK {
            0 => Def::Result { op: OpId(owner), index },
            _ => Def::Arg { block: BlockId(owner & !IN_BLOCK), index },
        }
    }

    /// The operation that a value is a result of.
    pub fn def_op(&self, value: ValueId) -> Option<OpId> {
        match self.def(value) {
            Def::Result { op, .. } => Some(op),
            Def::Arg { .. } => None,
        }
    }

    /// The number of values ever made: the length of a side table.
    pub fn n_values(&self) -> usize {
        self.values.len()
    }

    /// The number of operations ever made: the length of a side table.
    pub fn n_ops(&self) -> usize {
        self.ops.len()
    }

    /// The uses of a value: operation and operand number, latest first.
    pub fn uses(&self, value: ValueId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        let mut at = self.values[value.index()].first_use;
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let link = self.use_pool[at as usize];
            let index = at - self.ops[link.owner.index()].operands.start;
            at = link.next;
            Some((link.owner, index as usize))
        })
    }

    /// Whether nothing uses a value.
    #[inline(always)]
    pub fn is_unused(&self, value: ValueId) -> bool {
        self.values[value.index()].first_use == NONE
    }

    /// Whether nothing uses any result of an operation.
    pub fn all_unused(&self, op: OpId) -> bool {
        self.values[self.ops[op.index()].results.range()].iter().all(|value| value.first_use == NONE)
    }

    /// Replaces all operands.
    pub fn set_operands(&mut self, op: OpId, operands: &[ValueId]) {
        let run = self.ops[op.index()].operands;
        for slot in run.range() {
            self.unlink_use(slot);
        }
        let len = operands.len() as u32;
        if len > run.len {
            self.ops[op.index()].operands = Run { start: self.operand_pool.len() as u32, len };
            self.add_uses(op, operands);
            return;
        }
        let run = Run { start: run.start, len };
        self.ops[op.index()].operands = run;
        self.operand_pool[run.range()].copy_from_slice(operands);
        for slot in run.range() {
            self.link_use(op, slot);
        }
    }

    /// Puts operands behind all others, each a use of its value.
    fn add_uses(&mut self, owner: OpId, operands: &[ValueId]) {
        make_room(&mut self.operand_pool, operands.len());
        make_room(&mut self.use_pool, operands.len());
        for &value in operands {
            let slot = self.use_pool.len() as u32;
            let next = std::mem::replace(&mut self.values[value.index()].first_use, slot);
            if next != NONE {
                self.use_pool[next as usize].prev = slot;
            }
            self.operand_pool.push(value);
            self.use_pool.push(UseLink { owner, prev: NONE, next });
        }
    }

    /// Replaces one operand.
    pub fn set_operand(&mut self, op: OpId, index: usize, value: ValueId) {
        let run = self.ops[op.index()].operands;
        assert!(index < run.len as usize, "`{}` has {} operands, not {}", self.name(op), run.len, index + 1);
        let slot = run.start as usize + index;
        self.unlink_use(slot);
        self.operand_pool[slot] = value;
        self.link_use(op, slot);
    }

    /// Makes every use of `old` a use of `new`.
    pub fn replace_uses(&mut self, old: ValueId, new: ValueId) {
        if old == new {
            return;
        }
        loop {
            let slot = self.values[old.index()].first_use;
            if slot == NONE {
                break;
            }
            let slot = slot as usize;
            let owner = self.use_pool[slot].owner;
            self.unlink_use(slot);
            self.operand_pool[slot] = new;
            self.link_use(owner, slot);
        }
    }

    fn link_use(&mut self, owner: OpId, slot: usize) {
        let value = self.operand_pool[slot];
        let next = self.values[value.index()].first_use;
        self.use_pool[slot] = UseLink { owner, prev: NONE, next };
        if next != NONE {
            self.use_pool[next as usize].prev = slot as u32;
        }
        self.values[value.index()].first_use = slot as u32;
    }

    fn unlink_use(&mut self, slot: usize) {
        let link = self.use_pool[slot];
        let value = self.operand_pool[slot];
        match link.prev {
            NONE => self.values[value.index()].first_use = link.next,
            prev => self.use_pool[prev as usize].next = link.next,
        }
        if link.next != NONE {
            self.use_pool[link.next as usize].prev = link.prev;
        }
    }

    // ---- blocks and regions

    /// The arguments of a block.
    pub fn args(&self, block: BlockId) -> &[ValueId] {
        &self.blocks[block.index()].args
    }

    /// The blocks of a region.
    pub fn blocks(&self, region: RegionId) -> &[BlockId] {
        &self.regions[region.index()].blocks
    }

    /// The operation that a region belongs to.
    pub fn region_parent(&self, region: RegionId) -> OpId {
        self.regions[region.index()].parent
    }

    /// The region that a block belongs to.
    pub fn block_region(&self, block: BlockId) -> RegionId {
        RegionId(self.blocks[block.index()].region)
    }

    /// The first block of the operation's first region.
    pub fn entry(&self, op: OpId) -> BlockId {
        self.blocks(self.regions(op)[0])[0]
    }

    /// The block of the operation's `index`-th region, if that region has a block.
    pub fn body(&self, op: OpId, index: usize) -> Option<BlockId> {
        self.blocks(*self.regions(op).get(index)?).first().copied()
    }

    /// The operations of a block, in order. The walk reads each link before it yields, so that the operation just
    /// yielded may be erased between steps only if the caller collects first.
    pub fn block_ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        let mut at = self.blocks[block.index()].first;
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let op = OpId(at);
            at = self.ops[op.index()].next;
            Some(op)
        })
    }

    /// The operations of a block as a list, to walk while changing the block.
    pub fn ops_of(&self, block: BlockId) -> Vec<OpId> {
        self.block_ops(block).collect()
    }

    /// The last operation of a block.
    pub fn terminator(&self, block: BlockId) -> Option<OpId> {
        match self.blocks[block.index()].last {
            NONE => None,
            last => Some(OpId(last)),
        }
    }

    /// The block that an operation is in.
    pub fn parent_block(&self, op: OpId) -> Option<BlockId> {
        match self.ops[op.index()].block {
            NONE => None,
            block => Some(BlockId(block)),
        }
    }

    /// The operation that an operation is nested in.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        let block = self.parent_block(op)?;
        Some(self.region_parent(self.block_region(block)))
    }

    /// The first operation of a block.
    pub fn first_op(&self, block: BlockId) -> Option<OpId> {
        match self.blocks[block.index()].first {
            NONE => None,
            first => Some(OpId(first)),
        }
    }

    /// The next operation of the same block.
    pub fn next_op(&self, op: OpId) -> Option<OpId> {
        match self.ops[op.index()].next {
            NONE => None,
            next => Some(OpId(next)),
        }
    }

    /// The operation in front of one, in the same block.
    pub fn prev_op(&self, op: OpId) -> Option<OpId> {
        match self.ops[op.index()].prev {
            NONE => None,
            prev => Some(OpId(prev)),
        }
    }

    /// All operations nested in `op`, not `op` itself; each comes after those in front of it and before those nested
    /// in it.
    pub fn walk(&self, op: OpId) -> Vec<OpId> {
        let mut found = Vec::new();
        // Where blocks go on.
        let mut stack: Vec<OpId> = Vec::new();
        let push = |op: OpId, stack: &mut Vec<OpId>| {
            let start = stack.len();
            for &region in self.regions(op) {
                stack.extend(self.blocks(region).iter().filter_map(|&block| self.first_op(block)));
            }
            stack[start..].reverse();
        };
        push(op, &mut stack);
        while let Some(mut op) = stack.pop() {
            found.push(op);
            // Most operations have nothing inside.
            while self.ops[op.index()].nested == NONE {
                let Some(next) = self.next_op(op) else { break };
                op = next;
                found.push(op);
            }
            if self.ops[op.index()].nested != NONE {
                stack.extend(self.next_op(op));
                push(op, &mut stack);
            }
        }
        found
    }

    /// The functions of the module.
    pub fn funcs(&self) -> Vec<OpId> {
        self.block_ops(self.module_block()).filter(|&op| self.opcode(op) == Opcode::FuncFunc).collect()
    }

    /// The name of a function.
    pub fn symbol_name(&self, op: OpId) -> Option<&str> {
        match self.attr(op, "sym_name")? {
            Attr::Str(name) => Some(&self[*name]),
            _ => None,
        }
    }

    /// The types of a function's arguments and results.
    pub fn signature(&self, func: OpId) -> (&[TypeId], &[TypeId]) {
        match self.attr(func, "function_type") {
            Some(Attr::Type(ty)) => match &self[*ty] {
                Type::Function { inputs, results } => (inputs, results),
                _ => (&[], &[]),
            },
            _ => (&[], &[]),
        }
    }

    /// Sets the types of a function's arguments and results.
    pub fn set_signature(&mut self, func: OpId, inputs: &[TypeId], results: &[TypeId]) {
        let ty = self.intern_type(Type::Function { inputs: inputs.to_vec(), results: results.to_vec() });
        let attr = self.intern(Attr::Type(ty));
        self.set_attr(func, "function_type", attr);
        // What is said of arguments and results goes with them; nothing is said of those that come behind.
        for (name, n) in [("arg_attrs", inputs.len()), ("res_attrs", results.len())] {
            let Some(Attr::Array(said)) = self.attr(func, name) else { continue };
            let mut said = said.clone();
            said.resize(n, self.empty_dict);
            let said = self.intern(Attr::Array(said));
            self.set_attr(func, name, said);
        }
    }

    /// Puts an operation at the end of a block.
    pub fn append(&mut self, block: BlockId, op: OpId) {
        let last = self.blocks[block.index()].last;
        self.insert(block, op, last, NONE);
    }

    /// Puts an operation in front of another one.
    pub fn insert_before(&mut self, anchor: OpId, op: OpId) {
        let at = &self.ops[anchor.index()];
        assert!(at.block != NONE, "the anchor is in a block");
        self.insert(BlockId(at.block), op, at.prev, anchor.0);
    }

    /// Puts an operation behind another one.
    pub fn insert_after(&mut self, anchor: OpId, op: OpId) {
        let at = &self.ops[anchor.index()];
        assert!(at.block != NONE, "the anchor is in a block");
        self.insert(BlockId(at.block), op, anchor.0, at.next);
    }

    fn insert(&mut self, block: BlockId, op: OpId, prev: u32, next: u32) {
        let data = &mut self.ops[op.index()];
        assert!(data.block == NONE, "an operation is in at most one block");
        data.block = block.0;
        data.prev = prev;
        data.next = next;
        match prev {
            NONE => self.blocks[block.index()].first = op.0,
            prev => self.ops[prev as usize].next = op.0,
        }
        match next {
            NONE => self.blocks[block.index()].last = op.0,
            next => self.ops[next as usize].prev = op.0,
        }
    }

    /// Takes an operation out of its block; it keeps its operands and results.
    pub fn detach(&mut self, op: OpId) {
        let OpData { block, prev, next, .. } = self.ops[op.index()];
        if block == NONE {
            return;
        }
        match prev {
            NONE => self.blocks[block as usize].first = next,
            prev => self.ops[prev as usize].next = next,
        }
        match next {
            NONE => self.blocks[block as usize].last = prev,
            next => self.ops[next as usize].prev = prev,
        }
        let data = &mut self.ops[op.index()];
        (data.block, data.prev, data.next) = (NONE, NONE, NONE);
    }

    /// Removes a block and all its operations from its region; nothing outside may use their results.
    pub fn remove_block(&mut self, block: BlockId) {
        self.remove_blocks(&[block]);
    }

    /// Removes blocks that may use one another's values from their regions; nothing else may.
    pub fn remove_blocks(&mut self, blocks: &[BlockId]) {
        let ops: Vec<OpId> = blocks.iter().flat_map(|&block| self.ops_of(block)).collect();
        for &op in &ops {
            self.release(op);
        }
        for op in ops {
            self.erase(op);
        }
        for &block in blocks {
            let region = self.block_region(block);
            self.regions[region.index()].blocks.retain(|&other| other != block);
        }
    }

    /// Removes an operation and all that is nested in it; nothing may use its results.
    pub fn erase(&mut self, op: OpId) {
        if self.regions(op).is_empty() {
            self.set_operands(op, &[]);
            return self.remove(op);
        }
        // Blocks may stand in front of those whose values they use: first nothing is used any more.
        self.release(op);
        let mut nested = self.walk(op);
        nested.push(op);
        for op in nested {
            self.remove(op);
        }
    }

    /// Takes an operation that uses nothing out of its block, for good.
    fn remove(&mut self, op: OpId) {
        self.detach(op);
        for result in self.results(op) {
            assert!(self.is_unused(result), "`{}` is erased while its result is used", self.name(op));
        }
    }

    /// Lets an operation and all that is nested in it use nothing.
    fn release(&mut self, op: OpId) {
        let inside = if self.regions(op).is_empty() { Vec::new() } else { self.walk(op) };
        for nested in inside {
            self.set_operands(nested, &[]);
        }
        self.set_operands(op, &[]);
    }
}

impl Ir {
    /// Every type that has been named.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        self.types.iter()
    }
}

impl Index<TypeId> for Ir {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }
}

impl Index<AttrId> for Ir {
    type Output = Attr;

    fn index(&self, id: AttrId) -> &Attr {
        &self.attrs[id.index()]
    }
}

impl Index<StrId> for Ir {
    type Output = str;

    fn index(&self, id: StrId) -> &str {
        &self.strs[id.index()]
    }
}
