//! What the nests of a kernel are: which loop each dimension is, what each nest computes, and what lies in memory.

use raddle_ir::views::{Contract, TileRegister, Transfer};
use raddle_ir::{Attr, BlockId, Class, Def, Expr, Float, Ir, OpId, Opcode, Type, TypeId, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_target::NativeVectors;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::configure::power_of_two;
use crate::lay_out::{mask_dims, reduced};
use crate::structured::body::Combiner;

/// Elements along the loop of a nest that only computes element by element.
const ELEMENT_TILE: i64 = 4;
/// Steps of a sum that are written out, at most.
const STEPS_MAX: i64 = 4;

/// A loop of the attention: dimensions of vectors that are the same one.
pub type Loop = usize;

/// The loops of all dimensions with more than one element.
pub struct Loops {
    parents: Vec<usize>,
    extents: Vec<i64>,
    dims: FxHashMap<(ValueId, usize), usize>,
    /// The loop that the elements of vectors are.
    pub rows: Loop,
    pub keys: Loop,
    pub columns: Loop,
    pub depth: Loop,
}

impl Loops {
    fn find(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    /// Enters a value's dimensions.
    fn enter(&mut self, ir: &Ir, value: ValueId) {
        if !ir.ty(value).is_vector() {
            return;
        }
        for (d, &extent) in ir.shape_of(value).iter().enumerate().filter(|(_, extent)| **extent != 1) {
            self.dims.entry((value, d)).or_insert_with(|| {
                self.parents.push(self.parents.len());
                self.extents.push(extent);
                self.parents.len() - 1
            });
        }
    }

    fn unite(&mut self, a: (ValueId, usize), b: (ValueId, usize)) -> Option<()> {
        match (self.dims.get(&a).copied(), self.dims.get(&b).copied()) {
            (Some(a), Some(b)) => {
                let (a, b) = (self.find(a), self.find(b));
                (self.extents[a] == self.extents[b]).then_some(())?;
                self.parents[a] = b;
            }
            (None, None) => {}
            _ => return None,
        }
        Some(())
    }

    fn unite_all(&mut self, ir: &Ir, a: ValueId, b: ValueId) -> Option<()> {
        if !ir.ty(a).is_vector() || !ir.ty(b).is_vector() {
            return Some(());
        }
        (ir.shape_of(a).len() == ir.shape_of(b).len()).then_some(())?;
        (0..ir.shape_of(a).len()).try_for_each(|d| self.unite((a, d), (b, d)))
    }

    /// The loop of each dimension of a value; `None` for a dimension of one element.
    pub fn of_dims(&self, ir: &Ir, value: ValueId) -> Vec<Option<Loop>> {
        if !ir.ty(value).is_vector() {
            return Vec::new();
        }
        let of = |d: usize| self.dims.get(&(value, d)).map(|&at| self.find(at));
        (0..ir.shape_of(value).len()).map(of).collect()
    }

    /// The loops of a value in the order of its tiles: rows last, and keys first.
    pub fn of(&self, ir: &Ir, value: ValueId) -> Vec<Loop> {
        let mut all: Vec<Loop> = self.of_dims(ir, value).into_iter().flatten().collect();
        sort_by_key(&mut all, |&of| (of == self.rows, of != self.keys, of));
        all
    }

    pub fn extent(&self, of: Loop) -> i64 {
        self.extents[of]
    }

    /// Whether a value is computed tile by tile: it has more than the elements of a row of vectors.
    pub fn is_large(&self, ir: &Ir, value: ValueId) -> bool {
        self.of_dims(ir, value).into_iter().flatten().any(|of| of != self.rows)
    }
}

/// What a nest leaves behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sink {
    /// A `vector.multi_reduction` along the nest's loop, and what masks it.
    Reduce { op: OpId, mask: Option<OpId> },
    /// A value that a later nest reads.
    Keep(ValueId),
    /// A factor of a product that is summed along the nest's loop or read for each of its tiles.
    Pack(ValueId),
    /// What the loop along the keys carries in memory: the argument of its block, and the value it begins with or gets.
    Carry { arg: ValueId, value: ValueId },
    /// A `vector.transfer_write`.
    Write(OpId),
}

/// A loop over tiles.
pub struct Nest {
    pub along: Loop,
    pub sinks: Vec<Sink>,
    /// Elements of a tile along the loop.
    pub tile: i64,
}

/// The operations of a block and the nests among them.
#[derive(Default)]
pub struct Section {
    /// Operations without large values, each in front of the nest with this number.
    pub small: Vec<(usize, OpId)>,
    pub nests: Vec<(usize, Nest)>,
}

/// A product, its factor with rows, the other one, and the loop that it sums along.
pub struct Product {
    pub op: OpId,
    pub of_rows: ValueId,
    pub other: ValueId,
    pub sums: Loop,
    /// Steps of a sum that are written out.
    pub steps: i64,
    /// Whether the other factor is read where it lies.
    pub is_direct: bool,
}

pub struct Plan {
    pub entry: BlockId,
    /// The loop along the keys, if there are more than one block of them.
    pub loop_op: Option<OpId>,
    pub loops: Loops,
    /// The scores, and the product with the values.
    pub products: [Product; 2],
    /// What is in front of the loop and behind it; nothing without one.
    pub before: Section,
    pub inside: Section,
    pub behind: Section,
    /// Where keys end, of a step: the bound of a mask.
    pub end: Option<ValueId>,
    /// The type of sums.
    pub sum: TypeId,
    /// Values that are kept in the memory of others, whose last readers write them.
    pub shared: FxHashMap<ValueId, ValueId>,
    /// Elements of a vector.
    pub lanes: i64,
    /// Whether both products are of bf16 in tile registers: their factors are packed as words of two along the sums.
    pub in_tiles: bool,
}

/// Parts of a word.
pub const PARTS: i64 = 2;

/// Whether tile registers take both products: whole ones of rows and columns, and some words of each step.
fn are_in_tiles(ir: &Ir, loops: &Loops, products: &[Product; 2], vectors: NativeVectors) -> bool {
    let is_bf16 = |value: ValueId| ir[ir.elem_of(value)] == Type::Float(Float::BF16);
    let narrow = products.iter().all(|product| is_bf16(product.of_rows) && is_bf16(product.other));
    let whole = [loops.rows, loops.keys, loops.columns].iter().all(|&of| loops.extent(of) % TileRegister::MAX == 0);
    let steps = [loops.depth, loops.keys].iter().all(|&of| loops.extent(of) % PARTS == 0);
    let keys = loops.extent(loops.keys) % (PARTS * TileRegister::MAX) == 0;
    vectors.tiles && narrow && whole && steps && keys && steps_in_tiles(loops.extent(loops.depth)) >= TileRegister::MAX
}

/// Elements of a step along a sum: words that divide it, as many as a register has at most.
fn steps_in_tiles(extent: i64) -> i64 {
    let words = extent / PARTS;
    (1..=TileRegister::MAX).rev().find(|n| words % n == 0).unwrap_or(1) * PARTS
}

impl Plan {
    pub fn of(ir: &Ir, func: OpId, vectors: NativeVectors) -> Option<Plan> {
        let entry = ir.body(func, 0)?;
        let [_] = ir.blocks(ir.block_region(entry)) else { return None };
        let mut found = ir.block_ops(entry).filter(|&op| ir.opcode(op) == Opcode::ScfFor);
        let (loop_op, None) = (found.next(), found.next()) else { return None };
        let body = loop_op.map_or(entry, |op| ir.entry(op));
        let mut contracts = ir.block_ops(body).filter(|&op| ir.opcode(op) == Opcode::VectorContract);
        let (first, second, None) = (contracts.next()?, contracts.next()?, contracts.next()) else { return None };
        if loop_op.is_some_and(|op| ir.attr_id(op, "unsignedCmp").is_some()) {
            return None;
        }
        let loops = loops(ir, func, [first, second])?;
        let sum = ir.elem_of(ir.result(first, 0));
        if ir[sum] != Type::Float(Float::F32) || ir.elem_of(ir.result(second, 0)) != sum {
            return None;
        }
        let written: FxHashSet<ValueId> = ir
            .walk(func)
            .into_iter()
            .filter(|&op| ir.opcode(op) == Opcode::VectorTransferWrite)
            .map(|op| Transfer::of(ir, op).base)
            .collect();
        let cx = Cx { ir, loops: &loops, entry, body, written: &written, sum };
        let mut products = [cx.product(first, loops.depth)?, cx.product(second, loops.keys)?];
        let in_tiles = are_in_tiles(ir, &loops, &products, vectors);
        if in_tiles {
            products.iter_mut().for_each(|product| product.steps = steps_in_tiles(loops.extent(product.sums)));
        }
        let of_vectors = register_tile(loops.extent(loops.rows), vectors)?;
        let mut sections = Sections {
            cx,
            products: &products,
            register_tile: if in_tiles { TileRegister::MAX } else { of_vectors },
            in_tiles,
            lanes: vectors.lanes,
            end: None,
            shared: FxHashMap::default(),
        };
        let (before, inside, behind) = match loop_op {
            Some(op) => (sections.before(op)?, sections.inside(op)?, sections.behind(op)?),
            None => (Section::default(), sections.whole()?, Section::default()),
        };
        let (end, shared) = (sections.end, sections.shared);
        let lanes = vectors.lanes;
        Some(Plan { entry, loop_op, products, before, inside, behind, end, sum, shared, lanes, in_tiles, loops })
    }
}

/// Elements along the other loop of a tile of a product with so many rows: as many as registers hold beside a row of the
/// one factor and an element of the other.
fn register_tile(rows: i64, vectors: NativeVectors) -> Option<i64> {
    let of_rows = rows / vectors.lanes;
    (rows % vectors.lanes == 0).then_some(())?;
    let mut tile = 1;
    while 2 * tile * of_rows + of_rows < vectors.registers - 1 && tile < vectors.lanes {
        tile *= 2;
    }
    Some(tile)
}

/// Finds the loops of all vectors of a function.
fn loops(ir: &Ir, func: OpId, products: [OpId; 2]) -> Option<Loops> {
    let mut loops = Loops {
        parents: Vec::new(),
        extents: Vec::new(),
        dims: FxHashMap::default(),
        rows: 0,
        keys: 0,
        columns: 0,
        depth: 0,
    };
    let all = ir.walk(func);
    for &op in &all {
        let args = ir.regions(op).iter().flat_map(|&region| ir.blocks(region)).flat_map(|&block| ir.args(block));
        for value in args.copied().chain(ir.results(op)).collect::<Vec<_>>() {
            loops.enter(ir, value);
        }
    }
    for &op in &all {
        unite(ir, &mut loops, op)?;
    }
    let of = |value: ValueId| loops.of_dims(ir, value).into_iter().flatten().collect::<FxHashSet<Loop>>();
    let views = products.map(|op| Contract::of(ir, op));
    let results = products.map(|op| of(ir.result(op, 0)));
    let one = |set: &mut dyn Iterator<Item = Loop>| set.next().filter(|_| set.next().is_none());
    let rows = one(&mut results[0].intersection(&results[1]).copied())?;
    let keys = one(&mut results[0].iter().copied().filter(|&of| of != rows))?;
    let columns = one(&mut results[1].iter().copied().filter(|&of| of != rows))?;
    let depth = one(&mut of(views[0].lhs).intersection(&of(views[0].rhs)).copied())?;
    (loops.rows, loops.keys, loops.columns, loops.depth) = (rows, keys, columns, depth);
    let known = [rows, keys, columns, depth];
    let distinct = known.iter().collect::<FxHashSet<_>>().len() == known.len();
    // Loops are those of the attention, and a value has each of them once.
    let is_known = |value: ValueId| {
        let dims = loops.of(ir, value);
        dims.len() <= 2 && dims.iter().all(|of| known.contains(of)) && dims.windows(2).all(|pair| pair[0] != pair[1])
    };
    let values = all.iter().flat_map(|&op| ir.results(op)).filter(|&value| ir.ty(value).is_vector());
    (distinct && values.into_iter().all(is_known)).then_some(loops)
}

/// Unites the dimensions that an operation has in common with others.
fn unite(ir: &Ir, loops: &mut Loops, op: OpId) -> Option<()> {
    let (operands, results) = (ir.operands(op).to_vec(), ir.results(op).collect::<Vec<_>>());
    let has_vector = operands.iter().chain(&results).any(|&value| ir.ty(value).is_vector());
    if !has_vector && ir.regions(op).is_empty() {
        return Some(());
    }
    let ends = |op: OpId| -> Vec<OpId> {
        let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
        blocks.filter_map(|&block| ir.terminator(block)).collect()
    };
    match (ir.class(op), ir.opcode(op)) {
        (Class::Elementwise, _) | (_, Opcode::IreeVectorExtToLayout) => {
            operands.iter().try_for_each(|&operand| loops.unite_all(ir, operand, results[0]))
        }
        (Class::Constant, _) | (_, Opcode::VectorCreateMask) => Some(()),
        (_, Opcode::VectorBroadcast) => {
            let (from, to) = (operands[0], results[0]);
            let rank = ir.ty(from).shape().map_or(0, <[i64]>::len);
            let lead = ir.shape_of(to).len() - rank;
            let repeats = |&d: &usize| ir.shape_of(from)[d] == 1;
            (0..rank).filter(|d| !repeats(d)).try_for_each(|d| loops.unite((from, d), (to, lead + d)))
        }
        (_, Opcode::VectorTranspose) => {
            let perm = ir.attr_id(op, "permutation").and_then(|attr| ir.ints(attr))?;
            let mut pairs = perm.iter().enumerate();
            pairs.try_for_each(|(d, &from)| loops.unite((operands[0], from as usize), (results[0], d)))
        }
        (_, Opcode::VectorShapeCast) => {
            let long = |value: ValueId| {
                let shape = ir.shape_of(value).iter().enumerate();
                shape.filter(|(_, extent)| **extent != 1).map(|(d, _)| d).collect::<Vec<usize>>()
            };
            let (from, to) = (long(operands[0]), long(results[0]));
            (from.len() == to.len()).then_some(())?;
            from.into_iter().zip(to).try_for_each(|(a, b)| loops.unite((operands[0], a), (results[0], b)))
        }
        (_, Opcode::VectorMultiReduction) => {
            let kept: Vec<usize> = (0..ir.shape_of(operands[0]).len()).filter(|&d| !reduced(ir, op)[d]).collect();
            (ir.ty(results[0]).is_vector() && operands.len() == 2).then_some(())?;
            loops.unite_all(ir, operands[1], results[0])?;
            kept.into_iter().enumerate().try_for_each(|(to, d)| loops.unite((operands[0], d), (results[0], to)))
        }
        (_, Opcode::VectorContract) => {
            let view = Contract::of(ir, op);
            let dims: Vec<Vec<usize>> = view.maps.iter().map(|map| map.as_dims()).collect::<Option<_>>()?;
            let values = [view.lhs, view.rhs, view.acc];
            loops.unite_all(ir, view.acc, results[0])?;
            for d in 0..view.reduction.len() {
                let mut places = values
                    .iter()
                    .zip(&dims)
                    .filter_map(|(&value, dims)| Some((value, dims.iter().position(|&other| other == d)?)));
                let first = places.next()?;
                places.collect::<Vec<_>>().into_iter().try_for_each(|place| loops.unite(first, place))?;
            }
            Some(())
        }
        (_, Opcode::VectorMask) => {
            let [inner, _] = ir.ops_of(ir.entry(op))[..] else { return None };
            (ir.opcode(inner) == Opcode::VectorMultiReduction && operands.len() == 1).then_some(())?;
            loops.unite_all(ir, operands[0], ir.operand(inner, 0))?;
            loops.unite_all(ir, ir.result(inner, 0), results[0])
        }
        (_, Opcode::VectorTransferRead | Opcode::VectorTransferWrite) => {
            let view = Transfer::of(ir, op);
            let vector = view.vector.or(results.first().copied())?;
            view.map.as_dims()?;
            // A dimension of one element is surely inside.
            let inside = |(&extent, &inside): (&i64, &bool)| extent != 1 || inside;
            ir.shape_of(vector).iter().zip(&view.in_bounds).all(inside).then_some(())?;
            let Some(mask) = view.mask else { return Some(()) };
            let dims = mask_dims(&view);
            (ir.shape_of(mask).len() == dims.len()).then_some(())?;
            dims.into_iter().enumerate().try_for_each(|(at, d)| loops.unite((mask, at), (vector, d)))
        }
        (_, Opcode::ScfFor) => {
            let args = ir.args(ir.entry(op))[1..].to_vec();
            let yielded = ir.operands(*ends(op).first()?).to_vec();
            for (i, &result) in results.iter().enumerate() {
                for other in [operands[3 + i], args[i], yielded[i]] {
                    loops.unite_all(ir, other, result)?;
                }
            }
            Some(())
        }
        (_, Opcode::ScfIf) => ends(op).into_iter().try_for_each(|end| {
            let yielded = ir.operands(end).to_vec();
            results.iter().zip(yielded).try_for_each(|(&result, value)| loops.unite_all(ir, value, result))
        }),
        (Class::Yield, _) | (_, Opcode::VectorYield) => Some(()),
        _ => None,
    }
}

/// What the steps of planning share.
struct Cx<'a> {
    ir: &'a Ir,
    loops: &'a Loops,
    entry: BlockId,
    body: BlockId,
    /// Memory that the kernel writes.
    written: &'a FxHashSet<ValueId>,
    sum: TypeId,
}

impl Cx<'_> {
    /// The value that a layout is stated of.
    fn bare(&self, mut value: ValueId) -> ValueId {
        while let Some(op) = self.ir.def_op(value)
            && matches!(self.ir.opcode(op), Opcode::IreeVectorExtToLayout | Opcode::VectorShapeCast)
        {
            value = self.ir.operand(op, 0);
        }
        value
    }

    fn product(&self, op: OpId, sums: Loop) -> Option<Product> {
        let view = Contract::of(self.ir, op);
        let has_rows = |value: ValueId| self.loops.of(self.ir, value).contains(&self.loops.rows);
        let (of_rows, other) = match [view.lhs, view.rhs].map(has_rows) {
            [true, false] => (view.lhs, view.rhs),
            [false, true] => (view.rhs, view.lhs),
            _ => return None,
        };
        let adds = self.ir.keyword_of(op, "kind").is_none_or(|kind| kind == "add");
        let [of_rows, other] = [of_rows, other].map(|value| self.bare(value));
        let floats = [of_rows, other].iter().all(|&value| {
            matches!(self.ir[self.ir.elem_of(value)], Type::Float(Float::F32 | Float::F16 | Float::BF16))
        });
        // The query is there before the loop begins, and all of it.
        let is_there = sums != self.loops.depth || self.body == self.entry || self.is_before(of_rows);
        let steps = power_of_two(self.loops.extent(sums), STEPS_MAX);
        (adds && floats && is_there).then(|| Product {
            op,
            of_rows,
            other,
            sums,
            steps,
            is_direct: self.is_direct(other),
        })
    }

    /// Whether a value is defined in front of the loop.
    fn is_before(&self, value: ValueId) -> bool {
        match self.ir.def(value) {
            Def::Result { op, .. } => self.ir.parent_block(op) == Some(self.entry),
            Def::Arg { .. } => false,
        }
    }

    /// Whether a factor is whole in memory that nobody writes, as it is.
    fn is_direct(&self, value: ValueId) -> bool {
        let Some(op) = self.ir.def_op(value).filter(|&op| self.ir.opcode(op) == Opcode::VectorTransferRead) else {
            return false;
        };
        let view = Transfer::of(self.ir, op);
        view.mask.is_none()
            && self.ir.elem_of(value) == self.sum
            && view.in_bounds.iter().all(|&inside| inside)
            && !self.written.contains(&view.base)
    }

    /// Whether a large value is computed again rather than kept.
    fn is_cheap(&self, value: ValueId) -> bool {
        let Some(op) = self.ir.def_op(value) else { return true };
        match self.ir.class(op) {
            Class::Elementwise => !matches!(self.ir[self.ir.elem_of(value)], Type::Float(_)),
            Class::Contract | Class::Branch => false,
            _ => true,
        }
    }

    /// Whether a read or write lies along rows of memory that are not those of tiles.
    fn turns(&self, op: OpId) -> bool {
        let view = Transfer::of(self.ir, op);
        let Some(vector) = view.vector.or_else(|| self.ir.results(op).next()) else { return false };
        let dims = view.map.as_dims().unwrap_or_default();
        let of = self.loops.of_dims(self.ir, vector);
        let mut long: Vec<(usize, Loop)> = dims.into_iter().zip(of).filter_map(|(p, of)| Some((p, of?))).collect();
        long.sort_unstable();
        long.into_iter().map(|(_, of)| of).collect::<Vec<_>>() != self.loops.of(self.ir, vector)
    }
}

struct Sections<'a> {
    cx: Cx<'a>,
    products: &'a [Product; 2],
    register_tile: i64,
    in_tiles: bool,
    lanes: i64,
    end: Option<ValueId>,
    shared: FxHashMap<ValueId, ValueId>,
}

/// A section that is being planned.
struct Draft {
    block: BlockId,
    /// When each value is there: in front of the nest with this number.
    ready: FxHashMap<ValueId, usize>,
    small: Vec<(usize, OpId)>,
    sinks: Vec<(usize, Loop, Sink)>,
}

impl Sections<'_> {
    /// What the loop begins with, and the query.
    fn before(&mut self, loop_op: OpId) -> Option<Section> {
        let (ir, loops) = (self.cx.ir, self.cx.loops);
        let ops: Vec<OpId> = ir.block_ops(self.cx.entry).take_while(|&op| op != loop_op).collect();
        let mut draft = self.draft(self.cx.entry, &ops)?;
        let inits = ir.operands(loop_op)[3..].to_vec();
        for (&arg, value) in ir.args(self.cx.body)[1..].iter().zip(inits) {
            if loops.is_large(ir, value) {
                let at = self.ready(&mut draft, value)?;
                draft.sinks.push((at, self.along(value)?, Sink::Carry { arg, value }));
            }
        }
        let query = self.products[0].of_rows;
        let at = self.ready(&mut draft, query)?;
        draft.sinks.push((at, loops.depth, Sink::Pack(query)));
        self.section(draft)
    }

    fn inside(&mut self, loop_op: OpId) -> Option<Section> {
        let (ir, loops) = (self.cx.ir, self.cx.loops);
        let ops = ir.ops_of(self.cx.body);
        let (&end, ops) = ops.split_last()?;
        let mut draft = self.draft(self.cx.body, ops)?;
        self.pack_powers(&mut draft)?;
        let mut carried = Vec::new();
        for ((i, &arg), &value) in ir.args(self.cx.body)[1..].iter().enumerate().zip(ir.operands(end)) {
            if !loops.is_large(ir, value) {
                continue;
            }
            (self.along(value)? == loops.columns && ir.result(loop_op, i) != value).then_some(())?;
            let at = self.ready(&mut draft, value)?;
            draft.sinks.push((at, loops.columns, Sink::Carry { arg, value }));
            carried.push(at);
        }
        // What is carried is read in front of where it is written, or there.
        let [at] = carried[..] else { return None };
        let is_last =
            draft.sinks.iter().all(|&(other, along, _)| other < at || (other == at && along == loops.columns));
        is_last.then_some(())?;
        self.section(draft)
    }

    /// All of a kernel whose keys are one block.
    fn whole(&mut self) -> Option<Section> {
        let ops = self.cx.ir.ops_of(self.cx.entry);
        let mut draft = self.draft(self.cx.entry, ops.split_last()?.1)?;
        let query = self.products[0].of_rows;
        let at = self.ready(&mut draft, query)?;
        draft.sinks.push((at, self.cx.loops.depth, Sink::Pack(query)));
        self.pack_powers(&mut draft)?;
        self.section(draft)
    }

    /// The factors of the product with the values, which comes behind their nest.
    fn pack_powers(&self, draft: &mut Draft) -> Option<()> {
        let keys = self.cx.loops.keys;
        let Product { of_rows, other, is_direct, .. } = self.products[1];
        let at = self.ready(draft, of_rows)?;
        draft.sinks.push((at, keys, Sink::Pack(of_rows)));
        if self.in_tiles {
            // Words of columns are turned, whole registers of them at a time.
            draft.sinks.push((at, self.cx.loops.columns, Sink::Pack(other)));
        } else if !is_direct {
            draft.sinks.push((at, keys, Sink::Pack(other)));
        }
        Some(())
    }

    fn behind(&mut self, loop_op: OpId) -> Option<Section> {
        let ir = self.cx.ir;
        let all = ir.ops_of(self.cx.entry);
        let at = all.iter().position(|&op| op == loop_op)?;
        let (_, ops) = all[at + 1..].split_last()?;
        let draft = self.draft(self.cx.entry, ops)?;
        self.section(draft)
    }

    /// The loop of a nest that computes a value.
    fn along(&self, value: ValueId) -> Option<Loop> {
        self.cx.loops.of(self.cx.ir, value).into_iter().find(|&of| of != self.cx.loops.rows)
    }

    /// Takes the operations of a block: small ones in order, and reductions and writes.
    fn draft(&mut self, block: BlockId, ops: &[OpId]) -> Option<Draft> {
        let (ir, loops) = (self.cx.ir, self.cx.loops);
        let mut draft = Draft { block, ready: FxHashMap::default(), small: Vec::new(), sinks: Vec::new() };
        for &op in ops {
            let is_large = |value: ValueId| loops.is_large(ir, value);
            let (inner, mask) = match ir.opcode(op) {
                Opcode::VectorMask => (*ir.ops_of(ir.entry(op)).first()?, Some(op)),
                _ => (op, None),
            };
            let results: Vec<ValueId> = ir.results(op).collect();
            if results.iter().any(|&value| is_large(value)) {
                // Whoever needs it computes it.
                continue;
            }
            match ir.opcode(inner) {
                Opcode::VectorMultiReduction if is_large(ir.operand(inner, 0)) => {
                    let source = ir.operand(inner, 0);
                    let along = self.along(source)?;
                    let of = loops.of_dims(ir, source);
                    let marks = reduced(ir, inner);
                    let kind = ir.keyword_of(inner, "kind")?;
                    Combiner::of_kind(kind, matches!(ir[ir.elem_of(source)], Type::Float(_)))?;
                    (0..of.len()).all(|d| of[d].is_none() || marks[d] == (of[d] == Some(along))).then_some(())?;
                    (loops.of(ir, source) == [along, loops.rows]).then_some(())?;
                    let mut at = 0;
                    for value in [source, ir.operand(inner, 1)].into_iter().chain(mask.map(|op| ir.operand(op, 0))) {
                        at = at.max(self.ready(&mut draft, value)?);
                    }
                    if let Some(mask) = mask.filter(|_| along == loops.keys) {
                        self.end = self.end.or_else(|| self.end_of_keys(ir.operand(mask, 0)));
                    }
                    draft.sinks.push((at, along, Sink::Reduce { op: inner, mask }));
                    draft.ready.insert(results[0], at + 1);
                }
                Opcode::VectorTransferWrite if is_large(Transfer::of(ir, op).vector?) => {
                    let view = Transfer::of(ir, op);
                    (block == self.cx.entry).then_some(())?;
                    let vector = view.vector?;
                    let mut at = 0;
                    for &value in ir.operands(op) {
                        at = at.max(self.ready(&mut draft, value)?);
                    }
                    draft.sinks.push((at, self.along(vector)?, Sink::Write(op)));
                }
                _ => {
                    let inside = std::iter::once(op).chain(ir.walk(op));
                    let mut values = inside.flat_map(|op| ir.operands(op).iter().copied().chain(ir.results(op)));
                    let is_small = !values.any(is_large);
                    (is_small && !matches!(ir.class(op), Class::Write | Class::Loop)).then_some(())?;
                    let mut at = 0;
                    for value in self.needs(op) {
                        at = at.max(self.ready(&mut draft, value)?);
                    }
                    for result in results {
                        draft.ready.insert(result, at);
                    }
                    draft.small.push((at, op));
                }
            }
        }
        Some(draft)
    }

    /// What an operation and those in its regions take from outside.
    fn needs(&self, op: OpId) -> Vec<ValueId> {
        let ir = self.cx.ir;
        let all: Vec<OpId> = std::iter::once(op).chain(ir.walk(op)).collect();
        let own: FxHashSet<ValueId> = all[1..].iter().flat_map(|&op| ir.results(op)).collect();
        all.iter().flat_map(|&op| ir.operands(op).iter().copied()).filter(|value| !own.contains(value)).collect()
    }

    /// In front of which nest of the section a value is there, or can be computed.
    fn ready(&self, draft: &mut Draft, value: ValueId) -> Option<usize> {
        if let Some(&at) = draft.ready.get(&value) {
            return Some(at);
        }
        let ir = self.cx.ir;
        let own = |op: OpId| {
            let mut op = op;
            while ir.parent_block(op) != Some(draft.block) {
                op = ir.parent_op(op)?;
            }
            Some(op)
        };
        let Some(op) = ir.def_op(value).filter(|&op| own(op).is_some() && ir.opcode(op) != Opcode::ScfFor) else {
            return Some(0);
        };
        if self.cx.loops.is_large(ir, value) {
            let mut at = 0;
            for value in self.needs(op) {
                at = at.max(self.ready(draft, value)?);
            }
            // Behind the nest that packs its factor with rows.
            let is_behind = |product: &Product| product.sums == self.cx.loops.keys || self.cx.body == self.cx.entry;
            let at = at + usize::from(self.products.iter().any(|product| product.op == op && is_behind(product)));
            draft.ready.insert(value, at);
            return Some(at);
        }
        // In front of the section.
        Some(0)
    }

    /// The bound of a mask along the keys.
    fn end_of_keys(&self, mask: ValueId) -> Option<ValueId> {
        let (ir, loops) = (self.cx.ir, self.cx.loops);
        let op = ir.def_op(mask).filter(|&op| ir.opcode(op) == Opcode::VectorCreateMask)?;
        let at = loops.of_dims(ir, mask).iter().position(|&of| of == Some(loops.keys))?;
        Some(ir.operand(op, at))
    }

    /// Nests of what a draft has, in order, with what they keep for later ones.
    fn section(&mut self, draft: Draft) -> Option<Section> {
        let mut nests: Vec<(usize, Nest)> = Vec::new();
        let mut sinks = draft.sinks;
        sort_by_key(&mut sinks, |&(at, along, _)| (at, along != self.cx.loops.keys, along));
        for (at, along, sink) in sinks {
            match nests.last_mut().filter(|(other, nest)| (*other, nest.along) == (at, along)) {
                Some((_, nest)) => nest.sinks.push(sink),
                None => nests.push((at, Nest { along, sinks: vec![sink], tile: 0 })),
            }
        }
        let mut visit = Visit { owner: FxHashMap::default(), kept: Vec::new(), readers: FxHashMap::default() };
        for number in 0..nests.len() {
            let nest = &nests[number].1;
            let mut flags = Flags::default();
            for sink in nest.sinks.clone() {
                let values = match sink {
                    Sink::Reduce { op, mask } => {
                        let mask = mask.map(|op| self.cx.ir.operand(op, 0));
                        [self.cx.ir.operand(op, 0)].into_iter().chain(mask).collect()
                    }
                    Sink::Keep(value) | Sink::Pack(value) | Sink::Carry { value, .. } => vec![value],
                    Sink::Write(op) => {
                        flags.turns |= self.cx.turns(op);
                        let view = Transfer::of(self.cx.ir, op);
                        view.vector.into_iter().chain(view.mask).collect()
                    }
                };
                for value in values {
                    self.visit(&mut visit, number, nest.along, value, &mut flags)?;
                }
            }
            let extent = self.cx.loops.extent(nest.along);
            flags.turns |= self.in_tiles && nest.sinks.contains(&Sink::Pack(self.products[1].other));
            let tile = match flags {
                Flags { multiplies: true, .. } => self.register_tile,
                Flags { turns: true, .. } => self.lanes,
                Flags { .. } => ELEMENT_TILE,
            };
            nests[number].1.tile = tile.min(extent);
        }
        for (value, number) in visit.kept.iter().copied() {
            nests[number].1.sinks.insert(0, Sink::Keep(value));
        }
        // What the last reader of a kept value packs may lie in its place.
        for (number, (_, nest)) in nests.iter().enumerate() {
            for sink in &nest.sinks {
                let Sink::Pack(value) = *sink else { continue };
                if self.in_tiles {
                    continue;
                }
                let (ir, loops) = (self.cx.ir, self.cx.loops);
                let same = |&&(kept, owner): &&(ValueId, usize)| {
                    owner < number
                        && visit.readers.get(&kept).is_some_and(|readers| readers.iter().all(|&at| at == number))
                        && loops.of(ir, kept) == loops.of(ir, value)
                        && ir.elem_of(kept) == self.cx.sum
                        && !self.shared.values().any(|&other| other == kept)
                };
                if let Some(&(kept, _)) = visit.kept.iter().find(same) {
                    self.shared.insert(value, kept);
                }
            }
        }
        Some(Section { small: draft.small, nests })
    }

    /// Goes through what a tile of a value is computed from.
    fn visit(&self, visit: &mut Visit, number: usize, along: Loop, value: ValueId, flags: &mut Flags) -> Option<()> {
        let (ir, loops) = (self.cx.ir, self.cx.loops);
        if !loops.is_large(ir, value) {
            return Some(());
        }
        let of = loops.of(ir, value);
        of.contains(&along).then_some(())?;
        let Some(op) = ir.def_op(value) else { return Some(()) };
        if ir.opcode(op) == Opcode::ScfFor {
            return Some(());
        }
        if !self.cx.is_cheap(value) {
            match visit.owner.get(&value) {
                Some(&owner) if owner == number => return Some(()),
                Some(&owner) => {
                    if !visit.kept.contains(&(value, owner)) {
                        visit.kept.push((value, owner));
                    }
                    visit.readers.entry(value).or_default().push(number);
                    return Some(());
                }
                None => {
                    visit.owner.insert(value, number);
                }
            }
        }
        match ir.opcode(op) {
            Opcode::VectorContract => {
                let product = self.products.iter().find(|product| product.op == op)?;
                flags.multiplies = true;
                if product.sums == loops.depth && !product.is_direct {
                    self.visit(visit, number, along, product.other, &mut Flags::default())?;
                }
                self.visit(visit, number, along, Contract::of(ir, op).acc, flags)
            }
            Opcode::VectorTransferRead => {
                let view = Transfer::of(ir, op);
                (!self.cx.written.contains(&view.base)).then_some(())?;
                flags.turns |= self.cx.turns(op);
                view.mask.into_iter().try_for_each(|mask| self.visit(visit, number, along, mask, flags))
            }
            Opcode::ArithConstant => {
                matches!(ir.attr(op, "value"), Some(Attr::Dense { splat: true, .. })).then_some(())
            }
            Opcode::ScfIf => {
                let at = ir.results(op).position(|result| result == value)?;
                let mut values = Vec::new();
                for &region in ir.regions(op) {
                    values.push(ir.operand(ir.terminator(ir.blocks(region)[0])?, at));
                    let pure = ir.block_ops(ir.blocks(region)[0]).all(|op| {
                        ir.class(op) == Class::Yield || (ir.regions(op).is_empty() && ir.opcode(op).info().is_pure())
                    });
                    pure.then_some(())?;
                }
                values.into_iter().try_for_each(|value| self.visit(visit, number, along, value, flags))
            }
            Opcode::VectorStep | Opcode::VectorCreateMask => Some(()),
            Opcode::VectorBroadcast
            | Opcode::VectorTranspose
            | Opcode::VectorShapeCast
            | Opcode::IreeVectorExtToLayout => self.visit(visit, number, along, ir.operand(op, 0), flags),
            _ if ir.class(op) == Class::Elementwise => {
                let operands = ir.operands(op).to_vec();
                operands.into_iter().try_for_each(|value| self.visit(visit, number, along, value, flags))
            }
            _ => None,
        }
    }
}

/// What tiles of a nest are computed with.
#[derive(Clone, Copy, Default)]
struct Flags {
    multiplies: bool,
    turns: bool,
}

struct Visit {
    /// The first nest that computes a value.
    owner: FxHashMap<ValueId, usize>,
    /// Values that a nest keeps for later ones.
    kept: Vec<(ValueId, usize)>,
    /// The later nests that read a kept value.
    readers: FxHashMap<ValueId, Vec<usize>>,
}

/// The loop of each dimension that a map names, in the order of the memory, with its place in the vector.
pub fn in_memory(ir: &Ir, loops: &Loops, view: &Transfer, vector: ValueId) -> Vec<(usize, usize, Loop)> {
    let of = loops.of_dims(ir, vector);
    let named = view.map.results.iter().enumerate().filter_map(|(d, expr)| match expr {
        Expr::Dim(p) => Some((*p as usize, d, of[d]?)),
        _ => None,
    });
    let mut named: Vec<(usize, usize, Loop)> = named.collect();
    named.sort_unstable();
    named
}
