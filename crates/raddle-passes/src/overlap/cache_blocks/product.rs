//! What a kernel of a CPU is whose tile is one product, in the words of [cache blocks](super): its loops, its factors,
//! and the coordinates of a workgroup that each of them depends on.

use raddle_ir::interface::Interface;
use raddle_ir::views::{Contract, Mixed, Transfer, mixed};
use raddle_ir::{BlockId, Class, Def, Expr, Float, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};
use raddle_target::NativeVectors;
use rustc_hash::FxHashSet;

use super::words::Words;
use super::{ceil, tiles};
use crate::overlap::without_layout;
use crate::structured::symbols::OfArguments;

/// The number of a workgroup along one of the loops that workgroups divide.
pub struct Coord {
    /// One value, unless a program asks several times.
    pub values: Vec<ValueId>,
    /// How many there are.
    pub count: Mixed,
    /// The same of the arguments.
    pub expr: Expr,
}

/// A loop over sums.
pub struct Level {
    pub index: ValueId,
    pub lower: i64,
    pub step: i64,
    /// How often it runs; the first one of several, and one alone, run as often as there are steps left.
    pub count: Option<i64>,
}

/// A factor of a product.
pub struct Factor {
    /// The operand of the contraction.
    pub value: ValueId,
    /// The type of packed elements, and the shape of a packed tile.
    pub elem: TypeId,
    pub shape: Vec<i64>,
    /// The read that gives it, if the contraction may as well read there: along rows of memory.
    pub direct: Option<OpId>,
    /// The order of a packed tile's dimensions, where it is another one: vectors of the accumulator go along the last.
    pub turn: Option<Vec<usize>>,
    /// The one read that it is made of, if it is one.
    pub read: Option<OpId>,
    /// Whether it is read without asking where memory ends; and the one read that asks, if it is one.
    pub is_inside: bool,
    pub masked: Option<OpId>,
    /// Whether the vectors of the accumulator go along another dimension than its last one.
    pub is_turned: bool,
    /// Whether it is read as it would be packed: a step has the elements behind those of the step before, without gaps.
    pub is_packed: bool,
}

/// A kernel whose tile is one product.
pub struct Product {
    pub entry: BlockId,
    /// The loop over the sums, and those inside of it, of which each does nothing but run the next one.
    pub loop_op: OpId,
    pub nest: Vec<Level>,
    /// What an iteration passes on: sums that need not be right for elements that no one writes.
    pub yielded: ValueId,
    pub coords: Vec<Coord>,
    /// Whether coordinates are one number that is taken apart.
    pub linear: bool,
    pub arguments: OfArguments,
    /// The factor that goes by, and the coordinates that it alone depends on, if any: those that count its tiles.
    pub rows: (Factor, Vec<usize>),
    /// The factor that stays, and the coordinate that it alone depends on, if it has more than one tile.
    pub columns: (Factor, Option<usize>),
    pub lower: i64,
    pub step: i64,
    /// Where the loop ends.
    pub upper: Mixed,
    /// What an iteration begins with.
    pub carried: ValueId,
    pub acc: TypeId,
    /// What adds sums.
    pub add: Opcode,
    pub contract: OpId,
    /// How the factors are packed as words, if they are.
    pub words: Option<Words>,
    /// All writes, in order.
    pub writes: Vec<OpId>,
    /// The write of the result, if sums of its type can lie there.
    pub in_place: Option<OpId>,
}

impl Product {
    /// How many tiles there are along each of the coordinates of rows, which are known if there are several.
    pub fn row_counts(&self) -> Vec<i64> {
        let count = |&at: &usize| match self.coords[at].count {
            Mixed::Static(count) => count,
            Mixed::Value(_) => 1,
        };
        self.rows.1.iter().map(count).collect()
    }

    /// Bytes of the columns of so many tiles, each of which has so many in a step.
    pub fn column_bytes(&self, tiles: i64, of_step: i64) -> i64 {
        let steps = match self.upper {
            Mixed::Static(upper) => ceil((upper - self.lower).max(1), self.step),
            Mixed::Value(_) => i64::MAX,
        };
        of_step.saturating_mul(steps).saturating_mul(tiles)
    }

    pub fn are_in_tiles(&self) -> bool {
        self.words.as_ref().is_some_and(|words| words.in_tiles)
    }

    /// `word` is the type of words.
    pub fn of(ir: &Ir, func: OpId, vectors: NativeVectors, word: TypeId) -> Option<Product> {
        let entry = ir.body(func, 0)?;
        let [_] = ir.blocks(ir.block_region(entry)) else { return None };
        let all = ir.walk(func);
        let contract = only(ir, &all, Opcode::VectorContract)?;
        let loops: Vec<OpId> = all.iter().copied().filter(|&op| ir.opcode(op) == Opcode::ScfFor).collect();
        let (&loop_op, &inner) = (loops.first()?, loops.last()?);
        let body = ir.entry(inner);
        let [index, acc] = ir.args(body)[..] else { return None };
        let inside = ir.parent_block(contract) == Some(body) && ir.parent_block(loop_op) == Some(entry);
        let nest = levels(ir, &loops)?;
        let adds = ir.keyword_of(contract, "kind").is_none_or(|kind| kind == "add");
        if !adds
            || !inside
            || !all.iter().all(|&op| loops.contains(&op) || computes(ir, op))
            || loops.iter().any(|&op| ir.attr_id(op, "unsignedCmp").is_some())
        {
            return None;
        }
        let writes = writes(ir, entry, &all)?;
        let mut arguments = OfArguments::new(entry);
        let (coords, linear) = coords(ir, func, &all, &mut arguments)?;
        let view = Contract::of(ir, contract);
        // What goes along the vectors of the accumulator stays.
        let last = *view.maps[2].as_dims()?.last()?;
        let has_last = |map: &Map| map.as_dims().is_some_and(|dims| dims.contains(&last));
        let (rows, columns) = match (has_last(&view.maps[0]), has_last(&view.maps[1])) {
            (false, true) => (view.lhs, view.rhs),
            (true, false) => (view.rhs, view.lhs),
            _ => return None,
        };
        let yielded = unmasked(ir, entry, inner);
        let mut words = Words::of(ir, contract, rows, columns, vectors);
        if let Some(words) = &mut words {
            // Nothing masks what is in tile registers.
            words.in_tiles &= without_layout(ir, yielded) == ir.result(contract, 0);
        }
        let (of_rows, of_columns) = (behind(ir, rows), behind(ir, columns));
        if of_rows.contains(&acc) || of_columns.contains(&acc) {
            return None;
        }
        let column = alone(&coords, &of_columns, &of_rows);
        let counted = counted(&coords, &of_rows, &of_columns);
        if counted.is_empty() && words.is_none() && column.is_none() {
            return None;
        }
        let end = ir.operand(loop_op, 1);
        let upper = match nest.len() {
            1 => ir.const_int(end).map_or(Mixed::Value(end), Mixed::Static),
            _ => Mixed::Static(nest.iter().map(|level| level.count).try_fold(1i64, |all, n| all.checked_mul(n?))?),
        };
        let (lower, step) = if nest.len() == 1 { (nest[0].lower, nest[0].step) } else { (0, 1) };
        let is_dispatch = !Interface::of(ir, func).is_ok_and(|interface| interface.is_none());
        let ty = ir.type_of(acc);
        let holds = |&op: &OpId| {
            let view = Transfer::of(ir, op);
            let alone = ir.uses(view.base).filter(|&(user, _)| !asks_size(ir, user)).count() == 1;
            alone && view.mask.is_none() && view.vector.is_some_and(|value| ir.type_of(value) == ty)
        };
        let in_place = writes.iter().copied().find(holds).filter(|_| !is_dispatch);
        let is_float = matches!(ir[ir.elem_of(view.acc)], Type::Float(_));
        let factors = Factors { ir, view, index, n_loops: loops.len(), last, words: words.as_ref(), word };
        Some(Product {
            entry,
            loop_op,
            yielded,
            nest,
            linear,
            arguments,
            rows: (factors.factor(rows, 0), counted),
            columns: (factors.factor(columns, 1), column),
            coords,
            lower,
            step,
            upper,
            carried: acc,
            acc: ty,
            add: if is_float { Opcode::ArithAddf } else { Opcode::ArithAddi },
            writes,
            contract,
            words,
            // What a dispatch writes may be what it reads, later.
            in_place,
        })
    }
}

/// What it takes to look at the factors of a contraction.
struct Factors<'a> {
    ir: &'a Ir,
    view: Contract,
    /// Of the innermost loop.
    index: ValueId,
    n_loops: usize,
    /// The dimension along which vectors of the accumulator go.
    last: usize,
    words: Option<&'a Words>,
    /// The type of words.
    word: TypeId,
}

impl Factors<'_> {
    /// The factor that goes by is number 0, and the one that stays 1.
    fn factor(&self, value: ValueId, which: usize) -> Factor {
        let &Factors { ir, ref view, index, n_loops, last, words, word } = self;
        let is_whole = |op: OpId| Transfer::of(ir, op).in_bounds.iter().all(|&inside| inside);
        let behind = behind(ir, value).into_iter().filter_map(|value| ir.def_op(value));
        let reads: Vec<OpId> = behind.filter(|&op| ir.opcode(op) == Opcode::VectorTransferRead).collect();
        let read = if let [read] = reads[..] { Some(read) } else { None };
        let ends: Vec<OpId> = reads.into_iter().filter(|&op| !is_whole(op)).collect();
        let is_plain = |op: &OpId| {
            let view = Transfer::of(ir, *op);
            view.mask.is_none() && view.map.as_dims().is_some()
        };
        let is_inside = ends.is_empty();
        let masked = if let [end] = ends[..] { Some(end).filter(is_plain) } else { None };
        // Where one read ends says where all do, of one loop.
        let direct = direct(ir, value, index).filter(|&read| n_loops == 1 || is_whole(read));
        let (own, sum) = (ir.elem_of(value), ir.elem_of(view.acc));
        let mut shape = ir.shape_of(value).to_vec();
        let dims = view.maps[usize::from(value != view.lhs)].as_dims();
        let at = dims.and_then(|dims| dims.iter().position(|&d| d == last));
        let turned = at.filter(|&at| which == 1 && at + 1 != shape.len());
        let is_turned = turned.is_some();
        if let Some(words) = words {
            let lies = |read: &OpId| !words.in_tiles || tiles::lie_in_rows(ir, *read);
            let direct = direct.filter(|_| words.are_plain(ir, value)).filter(lies);
            let shape = words.shape(ir, value, which);
            return Factor {
                value,
                elem: word,
                shape,
                direct,
                turn: None,
                read,
                is_inside,
                masked,
                is_turned,
                is_packed: false,
            };
        }
        let turn = turned.map(|at| {
            let order: Vec<usize> = (0..shape.len()).filter(|&d| d != at).chain([at]).collect();
            shape = order.iter().map(|&d| shape[d]).collect();
            order
        });
        let is_narrow = matches!(ir[own], Type::Float(Float::F16 | Float::BF16)) && ir[sum] == Type::Float(Float::F32);
        let (elem, direct) = if is_narrow { (sum, None) } else { (own, direct) };
        let is_packed = elem == own && turn.is_none() && is_inside && is_packed(ir, value, index);
        Factor { value, elem, shape, direct, turn, read, is_inside, masked, is_turned, is_packed }
    }
}

/// The one operation of this kind.
fn only(ir: &Ir, all: &[OpId], opcode: Opcode) -> Option<OpId> {
    let mut found = all.iter().copied().filter(|&op| ir.opcode(op) == opcode);
    found.next().filter(|_| found.next().is_none())
}

fn asks_size(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::MemrefDim
}

/// All writes of a kernel, in order; `None` unless tiles can be computed several at a time: none reads what another one
/// writes.
fn writes(ir: &Ir, entry: BlockId, all: &[OpId]) -> Option<Vec<OpId>> {
    let (written, read): (Vec<OpId>, Vec<OpId>) = all.iter().partition(|&&op| matches!(ir.class(op), Class::Write));
    let is_plain = |&op: &OpId| ir.parent_block(op) == Some(entry) && ir.opcode(op) == Opcode::VectorTransferWrite;
    if !written.iter().all(is_plain) {
        return None;
    }
    let results: Vec<ValueId> = written.iter().map(|&op| Transfer::of(ir, op).base).collect();
    let reads_result = |&op: &OpId| !asks_size(ir, op) && ir.operands(op).iter().any(|value| results.contains(value));
    let are_arguments = results.iter().all(|&base| matches!(ir.def(base), Def::Arg { .. }));
    (are_arguments && !read.iter().any(reads_result)).then_some(written)
}

fn depends(on: &FxHashSet<ValueId>, coord: &Coord) -> bool {
    coord.values.iter().any(|value| on.contains(value))
}

/// The last coordinate that one factor depends on, and the other one does not.
fn alone(coords: &[Coord], own: &FxHashSet<ValueId>, other: &FxHashSet<ValueId>) -> Option<usize> {
    coords.iter().rposition(|coord| depends(own, coord) && !depends(other, coord))
}

/// The coordinates that count tiles of rows: the last one that rows alone depend on, and where it is known how many it
/// counts, all others of these.
fn counted(coords: &[Coord], of_rows: &FxHashSet<ValueId>, of_columns: &FxHashSet<ValueId>) -> Vec<usize> {
    let row = alone(coords, of_rows, of_columns);
    let is_known = |at: usize| matches!(coords[at].count, Mixed::Static(_));
    let counts = |&at: &usize| {
        let goes_by = depends(of_rows, &coords[at]) && !depends(of_columns, &coords[at]);
        Some(at) == row || (row.is_some_and(is_known) && is_known(at) && goes_by)
    };
    (0..coords.len()).filter(counts).collect()
}

/// The loops of a nest, from the outside; `None` if one does more than run the next one, or if it is not known how often
/// loops run that are not alone.
fn levels(ir: &Ir, loops: &[OpId]) -> Option<Vec<Level>> {
    for pair in loops.windows(2) {
        let [outer, inner] = [pair[0], pair[1]];
        let body = ir.entry(outer);
        let yields = ir.terminator(body).map(|end| ir.operands(end).to_vec())?;
        let carries = ir.parent_block(inner) == Some(body)
            && ir.args(body).len() == 2
            && ir.operands(inner).get(3) == ir.args(body).get(1)
            && ir.operands(inner).len() == 4
            && yields == ir.results(inner).collect::<Vec<_>>();
        carries.then_some(())?;
    }
    let level = |&op: &OpId| {
        let number = |at: usize| ir.const_int(ir.operand(op, at));
        let (lower, step) = (number(0)?, number(2).filter(|&step| step > 0)?);
        let count = number(1).map(|upper| ceil((upper - lower).max(0), step)).filter(|&count| count > 0);
        (loops.len() == 1 || count.is_some()).then_some(())?;
        Some(Level { index: ir.args(ir.entry(op))[0], lower, step, count })
    };
    loops.iter().map(level).collect()
}

/// The read of a factor whose vectors lie along the loop and along rows of memory.
pub fn direct(ir: &Ir, value: ValueId, index: ValueId) -> Option<OpId> {
    let read = ir.def_op(without_layout(ir, value)).filter(|&op| ir.opcode(op) == Opcode::VectorTransferRead)?;
    let view = Transfer::of(ir, read);
    let along = *view.map.as_dims()?.last()?;
    let rows = ir.strides(view.base)?.last() == Some(&1) && along + 1 == view.indices.len();
    let fixed = view.indices[..along].iter().all(|&value| !behind(ir, value).contains(&index));
    (rows && fixed && view.mask.is_none() && view.indices[along] == index).then_some(read)
}

/// Whether a factor is one read of whole rows of a buffer that the loop counts.
fn is_packed(ir: &Ir, value: ValueId, index: ValueId) -> bool {
    let Some(read) = ir.def_op(without_layout(ir, value)) else { return false };
    if ir.opcode(read) != Opcode::VectorTransferRead {
        return false;
    }
    let view = Transfer::of(ir, read);
    let tile = ir.shape_of(value);
    let (Some(dims), Some(strides), Some(along)) =
        (view.map.as_dims(), ir.strides(view.base), view.indices.len().checked_sub(1))
    else {
        return false;
    };
    // The dimensions of the tile that have elements are the last ones of the buffer, from the loop on.
    let long: Vec<usize> = (0..tile.len()).filter(|&d| tile[d] > 1).collect();
    let of_loop = along.checked_sub(1).filter(|&d| view.indices[d] == index);
    let rows = match long[..] {
        [row] => dims[row] == along,
        [step, row] => Some(dims[step]) == of_loop && dims[row] == along,
        _ => false,
    };
    let width = long.last().map_or(0, |&d| tile[d]);
    rows && of_loop.is_some_and(|d| strides[d] == width) && strides[along] == 1 && view.mask.is_none()
}

/// Whether an operation may be done again, or is the write or the end of a tile.
fn computes(ir: &Ir, op: OpId) -> bool {
    let pure = ir.opcode(op).info().is_pure();
    match ir.class(op) {
        Class::Yield => true,
        Class::Id => ir.opcode(op) == Opcode::GpuBlockId,
        Class::Read | Class::Write | Class::View => ir.regions(op).is_empty(),
        _ => pure && ir.regions(op).is_empty(),
    }
}

/// What an iteration passes on, without the mask around it where elements beyond the edges are never seen: elementwise
/// operations leave them where they are, and writes leave them out.
fn unmasked(ir: &Ir, entry: BlockId, inner: OpId) -> ValueId {
    let body = ir.entry(inner);
    let yielded = ir.operand(ir.terminator(body).expect("a loop yields"), 0);
    let keeps = |op: OpId| match ir.class(op) {
        Class::Reduce | Class::Contract | Class::Shuffle => false,
        Class::Write => Transfer::of(ir, op).map.as_dims().is_some(),
        _ => true,
    };
    match ir.def_op(yielded) {
        Some(op) if ir.opcode(op) == Opcode::ArithSelect && ir.operand(op, 2) == ir.args(body)[1] => {
            let mask = ir.def_op(ir.operand(op, 0)).is_some_and(|mask| ir.opcode(mask) == Opcode::VectorCreateMask);
            if mask && ir.block_ops(entry).all(keeps) { ir.operand(op, 1) } else { yielded }
        }
        _ => yielded,
    }
}

/// All that a value is computed from, and the value itself.
fn behind(ir: &Ir, value: ValueId) -> FxHashSet<ValueId> {
    let (mut found, mut open) = (FxHashSet::from_iter([value]), vec![value]);
    while let Some(value) = open.pop() {
        for &operand in ir.def_op(value).map_or(&[][..], |op| ir.operands(op)) {
            if found.insert(operand) {
                open.push(operand);
            }
        }
    }
    found
}

/// The coordinates of a workgroup, x last; and whether they are one number, taken apart.
fn coords(ir: &Ir, func: OpId, all: &[OpId], arguments: &mut OfArguments) -> Option<(Vec<Coord>, bool)> {
    let ids: Vec<OpId> = all.iter().copied().filter(|&op| ir.opcode(op) == Opcode::GpuBlockId).collect();
    if let [id] = ids[..]
        && let [(split, _)] = ir.uses(ir.result(id, 0)).collect::<Vec<_>>()[..]
        && ir.opcode(split) == Opcode::AffineDelinearizeIndex
    {
        let basis = ir.attr_id(split, "static_basis").and_then(|attr| ir.ints(attr))?;
        let counts = mixed(&basis, &ir.operands(split)[1..]);
        let values = ir.results(split);
        if values.len() != counts.len() {
            return None;
        }
        let coord = |(value, count): (ValueId, Mixed)| {
            let expr = match count {
                Mixed::Static(count) => Expr::Const(count),
                Mixed::Value(count) => arguments.number(ir, count)?,
            };
            Some(Coord { values: vec![value], count, expr })
        };
        return Some((values.zip(counts).map(coord).collect::<Option<_>>()?, true));
    }
    let known = ir.attr_id(func, "gpu.known_grid_size").and_then(|attr| ir.ints(attr))?;
    let along = |op: &OpId| {
        ir.keyword_of(*op, "dimension").and_then(|dim| ["z", "y", "x"].iter().position(|&name| name == dim))
    };
    let coord = |d: usize| {
        let values = ids.iter().filter(|op| along(op) == Some(d)).map(|&op| ir.result(op, 0)).collect();
        let count = *known.get(2 - d)?;
        Some(Coord { values, count: Mixed::Static(count), expr: Expr::Const(count) })
    };
    Some(((0..3).map(coord).collect::<Option<_>>()?, false))
}
