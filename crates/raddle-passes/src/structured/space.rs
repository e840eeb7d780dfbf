//! Spaces: the loops that an operation stands for, and where each point of them lies in its operands. One row for each
//! kind of operation that can be tiled.
//!
//! `linalg.matmul` has three loops; along them its left factor is reached at `(i, k)`. Of an operand that a loop cannot
//! cut, as the table of a gather, every tile has all.

use std::ops::Range;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, destinations};
use raddle_ir::{Attr, Expr, Ir, Map, OpId, Opcode, ValueId};

/// The loops of an operation.
pub(crate) struct Space {
    /// For each loop, whether it combines into the results.
    pub reduction: Vec<bool>,
    /// For each loop, the operand and the dimension of it that are as long.
    pub extents: Vec<(usize, usize)>,
    /// For each operand, where the loops are in it.
    pub reaches: Vec<Reach>,
    /// The operands that become the results, in their order.
    pub outputs: Range<usize>,
    /// Whether a point may write anywhere in the outputs.
    pub scatters: bool,
}

/// For each dimension of an operand, the place of a point; `None` where every point may need all of it. An operand without
/// dimensions is passed on.
pub(crate) type Reach = Vec<Option<Expr>>;

/// How the loops of a kind of operation are found.
type Read = fn(&Ir, OpId) -> Option<Space>;

/// Operations that are not structured ones, and have loops all the same.
const KINDS: &[(Opcode, Read)] = &[
    (Opcode::IreeCodegenInnerTiled, inner_tiled),
    (Opcode::IreeLinalgExtAttention, attention),
    (Opcode::IreeLinalgExtOnlineAttention, attention),
    (Opcode::IreeLinalgExtExpReduction, exp_reduction),
    (Opcode::IreeLinalgExtGather, gather),
    (Opcode::IreeLinalgExtScatter, scatter),
    (Opcode::IreeLinalgExtIm2col, im2col),
    (Opcode::IreeLinalgExtMapStore, map_store),
    (Opcode::IreeLinalgExtMapLoad, map_load),
    (Opcode::IreeLinalgExtSort, sort),
    (Opcode::IreeLinalgExtScan, scan),
    (Opcode::IreeLinalgExtArgCompare, arg_compare),
];

impl Space {
    /// The loops of an operation on tensors; `None` for one that cannot be tiled.
    pub fn of(ir: &Ir, op: OpId) -> Option<Space> {
        let space = match KINDS.iter().find(|row| row.0 == ir.opcode(op)) {
            Some((_, read)) => read(ir, op)?,
            None => structured(ir, op)?,
        };
        let tensors = space.outputs.clone().all(|i| ir.ty(ir.operand(op, i)).is_tensor());
        (tensors && ir.results(op).len() == space.outputs.len()).then_some(space)
    }

    /// Whether two points of a loop never write the same element.
    pub fn separates(&self, d: usize) -> bool {
        let along = |i: usize| self.reaches[i].iter().flatten().any(|expr| *expr == Expr::Dim(d as u32));
        self.scatters || self.outputs.clone().all(along)
    }

    /// Whether a loop cuts any operand.
    pub fn cuts(&self, d: usize) -> bool {
        self.reaches.iter().flatten().flatten().any(|expr| factor(expr, d) != 0)
    }

    /// Loops whose extents are those of operands, the first one in the given order that has them.
    fn new(ir: &Ir, op: OpId, reduction: Vec<bool>, reaches: Vec<Reach>, outputs: Range<usize>) -> Option<Space> {
        let order: Vec<usize> = (0..reaches.len()).collect();
        Space::along(ir, op, reduction, reaches, outputs, |_| order.clone())
    }

    fn along(
        ir: &Ir,
        op: OpId,
        reduction: Vec<bool>,
        reaches: Vec<Reach>,
        outputs: Range<usize>,
        order: impl Fn(usize) -> Vec<usize>,
    ) -> Option<Space> {
        let operands = ir.operands(op);
        let known = |expr: &Option<Expr>| expr.as_ref().is_none_or(|expr| !expr.names(&|d| d >= reduction.len()));
        let fits = |(reach, &operand): (&Reach, &ValueId)| {
            (reach.is_empty() || reach.len() == ir.shape_of(operand).len()) && reach.iter().all(known)
        };
        if reaches.len() > operands.len() || !reaches.iter().zip(operands).all(fits) {
            return None;
        }
        let find = |d: usize| {
            let at = |i: usize| reaches[i].iter().position(|expr| *expr == Some(Expr::Dim(d as u32))).map(|at| (i, at));
            order(d).into_iter().find_map(at)
        };
        let extents = (0..reduction.len()).map(find).collect::<Option<Vec<_>>>()?;
        Some(Space { reduction, extents, reaches, outputs, scatters: false })
    }
}

/// The factor of a loop in a sum of loops with factors.
fn factor(expr: &Expr, d: usize) -> i64 {
    match expr {
        Expr::Dim(i) => i64::from(*i as usize == d),
        Expr::Add(a, b) => factor(a, d).saturating_add(factor(b, d)),
        Expr::Mul(a, b) => match (&**a, &**b) {
            (a, Expr::Const(c)) | (Expr::Const(c), a) => factor(a, d).saturating_mul(*c),
            _ => 0,
        },
        _ => 0,
    }
}

/// Whether an expression is a sum of loops with factors that are not negative: what a tile reaches is then a rectangle,
/// whose ends are those of the tile.
pub(crate) fn grows(expr: &Expr) -> bool {
    match expr {
        Expr::Dim(_) => true,
        Expr::Const(c) => *c >= 0,
        Expr::Add(a, b) => grows(a) && grows(b),
        Expr::Mul(a, b) => matches!((&**a, &**b), (a, Expr::Const(0..)) | (Expr::Const(0..), a) if grows(a)),
        Expr::Sym(_) | Expr::Mod(..) | Expr::FloorDiv(..) | Expr::CeilDiv(..) => false,
    }
}

/// Where a map leads. A dimension that does not depend on the loops is there as a whole.
fn reach(map: &Map) -> Option<Reach> {
    let one = |expr: &Expr| match expr {
        Expr::Const(_) => Some(None),
        expr => grows(expr).then(|| Some(expr.clone())),
    };
    map.results.iter().map(one).collect()
}

fn reaches(maps: &[Map]) -> Option<Vec<Reach>> {
    maps.iter().map(reach).collect()
}

fn dims(dims: Range<usize>) -> Reach {
    dims.map(|d| Some(Expr::Dim(d as u32))).collect()
}

fn whole(rank: usize) -> Reach {
    vec![None; rank]
}

/// The number that an attribute of the operation is.
fn number(ir: &Ir, op: OpId, name: &str) -> Option<usize> {
    ir.attr(op, name).and_then(Attr::as_i64).and_then(|number| usize::try_from(number).ok())
}

fn structured(ir: &Ir, op: OpId) -> Option<Space> {
    let linalg = Linalg::try_of(ir, op)?;
    let (first, all) = (linalg.inputs.len(), linalg.inputs.len() + linalg.outputs.len());
    if linalg.maps.len() != all || ir.operands(op).len() != all {
        return None;
    }
    Space::new(ir, op, linalg.reduction, reaches(&linalg.maps)?, first..all)
}

/// Behind the loops of an operand come the dimensions of its inner tiles.
fn inner_tiled(ir: &Ir, op: OpId) -> Option<Space> {
    let maps = ir.maps(op, "indexing_maps").filter(|maps| maps.len() == ir.operands(op).len())?;
    let first = maps.len().checked_sub(ir.results(op).len())?;
    let mut reaches = reaches(&maps)?;
    for (reach, &operand) in reaches.iter_mut().zip(ir.operands(op)) {
        let rank = ir.shape_of(operand).len().max(reach.len());
        reach.resize(rank, None);
    }
    let reduction = iterators(ir, op)?;
    let order = |reduces: bool| if reduces { (0..first).collect() } else { (first..maps.len()).collect() };
    let orders: Vec<Vec<usize>> = reduction.iter().map(|&reduces| order(reduces)).collect();
    Space::along(ir, op, reduction, reaches, first..maps.len(), |d| orders[d].clone())
}

fn iterators(ir: &Ir, op: OpId) -> Option<Vec<bool>> {
    let Attr::Array(items) = ir.attr(op, "iterator_types")? else { return None };
    Some(items.iter().map(|&item| ir.keyword(item) == Some("reduction")).collect())
}

/// Loops that the output does not run along are those of the scores and of the sums over them.
fn attention(ir: &Ir, op: OpId) -> Option<Space> {
    let maps = ir.maps(op, "indexing_maps").filter(|maps| maps.len() == ir.operands(op).len())?;
    let first = maps.len().checked_sub(ir.results(op).len())?;
    let output = maps.get(first)?.as_dims()?;
    let reduction = (0..output.len().max(maps[0].dims as usize)).map(|d| !output.contains(&d)).collect();
    Space::new(ir, op, reduction, reaches(&maps)?, first..maps.len())
}

fn exp_reduction(ir: &Ir, op: OpId) -> Option<Space> {
    let maps = ir.maps(op, "indexing_maps").filter(|maps| maps.len() == ir.operands(op).len())?;
    let first = maps.len().checked_sub(ir.results(op).len())?;
    Space::new(ir, op, iterators(ir, op)?, reaches(&maps)?, first..maps.len())
}

/// How many dimensions the indices name, and along how many loops there are indices.
fn indexed(ir: &Ir, op: OpId, table: ValueId, slices: ValueId) -> Option<(usize, usize)> {
    let depth = ir.ints(ir.attr_id(op, "dimension_map")?)?.len();
    let slice = ir.shape_of(table).len().checked_sub(depth)?;
    Some((depth, ir.shape_of(slices).len().checked_sub(slice)?))
}

/// Where the indices and the mask of a gather or scatter are.
fn index_reaches(ir: &Ir, operands: &[ValueId], n_batch: usize) -> Option<Vec<Reach>> {
    let one = |&operand: &ValueId| {
        let rank = ir.shape_of(operand).len();
        match rank.checked_sub(n_batch) {
            Some(0 | 1) => Some([dims(0..n_batch), whole(rank - n_batch)].concat()),
            _ => (rank == 0).then(Vec::new),
        }
    };
    operands.iter().map(one).collect()
}

fn gather(ir: &Ir, op: OpId) -> Option<Space> {
    let [source, rest @ .., output] = ir.operands(op) else { return None };
    let (depth, n_batch) = indexed(ir, op, *source, *output)?;
    let rank = ir.shape_of(*output).len();
    let source = [whole(depth), dims(n_batch..rank)].concat();
    let reaches = [vec![source], index_reaches(ir, rest, n_batch)?, vec![dims(0..rank)]].concat();
    let last = reaches.len() - 1;
    Space::along(ir, op, vec![false; rank], reaches, last..last + 1, |_| vec![last])
}

fn scatter(ir: &Ir, op: OpId) -> Option<Space> {
    let [updates, rest @ .., original] = ir.operands(op) else { return None };
    let (depth, n_batch) = indexed(ir, op, *original, *updates)?;
    let rank = ir.shape_of(*updates).len();
    let unique = !matches!(ir.attr(op, "unique_indices"), Some(Attr::Bool(false)));
    let original = [whole(depth), dims(n_batch..rank)].concat();
    let reaches = [vec![dims(0..rank)], index_reaches(ir, rest, n_batch)?, vec![original]].concat();
    let last = reaches.len() - 1;
    let reduction = (0..rank).map(|d| !unique && d < n_batch).collect();
    let space = Space::new(ir, op, reduction, reaches, last..last + 1)?;
    Some(Space { scatters: true, ..space })
}

fn im2col(ir: &Ir, op: OpId) -> Option<Space> {
    let [input, output] = *ir.operands(op).get(..2)? else { return None };
    let rank = ir.shape_of(output).len();
    let reaches = vec![whole(ir.shape_of(input).len()), dims(0..rank)];
    Space::new(ir, op, vec![false; rank], reaches, 1..2)
}

fn map_store(ir: &Ir, op: OpId) -> Option<Space> {
    let [input, output] = *ir.operands(op) else { return None };
    let rank = ir.shape_of(input).len();
    let reaches = vec![dims(0..rank), whole(ir.shape_of(output).len())];
    let space = Space::new(ir, op, vec![false; rank], reaches, 1..2)?;
    Some(Space { scatters: true, ..space })
}

fn map_load(ir: &Ir, op: OpId) -> Option<Space> {
    let [source, output] = *ir.operands(op) else { return None };
    let rank = ir.shape_of(output).len();
    Space::new(ir, op, vec![false; rank], vec![whole(ir.shape_of(source).len()), dims(0..rank)], 1..2)
}

/// What is done along one dimension as a whole has loops along the others.
fn all_but(reach: Reach, along: usize) -> Reach {
    let keep = |(d, expr): (usize, Option<Expr>)| expr.filter(|_| d != along);
    reach.into_iter().enumerate().map(keep).collect()
}

fn sort(ir: &Ir, op: OpId) -> Option<Space> {
    let along = number(ir, op, "dimension")?;
    let n = ir.operands(op).len();
    let rank = ir.shape_of(*ir.operands(op).first()?).len();
    let inputs = n.checked_sub(ir.results(op).len())?;
    lines(ir, op, rank, along, vec![all_but(dims(0..rank), along); n], inputs..n)
}

fn scan(ir: &Ir, op: OpId) -> Option<Space> {
    let along = number(ir, op, "dimension")?;
    let rank = ir.shape_of(*ir.operands(op).first()?).len();
    let line = all_but(dims(0..rank), along);
    lines(ir, op, rank, along, vec![line.clone(), line, without(dims(0..rank), along)?], 1..3)
}

fn arg_compare(ir: &Ir, op: OpId) -> Option<Space> {
    let along = number(ir, op, "dimension")?;
    let rank = ir.shape_of(*ir.operands(op).first()?).len();
    let n = ir.operands(op).len();
    let inputs = match ir.segments(op)[..] {
        [values, indices, ..] => values.len() + indices.len(),
        _ => return None,
    };
    let outputs = inputs..(inputs + 2).min(n);
    let reaches = [vec![all_but(dims(0..rank), along); inputs], vec![without(dims(0..rank), along)?; 2]].concat();
    lines(ir, op, rank, along, reaches, outputs)
}

/// The loops without one of them.
fn without(mut reach: Reach, d: usize) -> Option<Reach> {
    (d < reach.len()).then(|| {
        reach.remove(d);
        reach
    })
}

/// Loops of which one is not cut: it is there for its place among the others.
fn lines(ir: &Ir, op: OpId, rank: usize, along: usize, reaches: Vec<Reach>, outputs: Range<usize>) -> Option<Space> {
    let uncut: Vec<Reach> = reaches
        .iter()
        .map(|reach| {
            let line =
                |(d, expr): (usize, &Option<Expr>)| expr.clone().or((d == along).then_some(Expr::Dim(along as u32)));
            if reach.len() == rank { reach.iter().enumerate().map(line).collect() } else { reach.clone() }
        })
        .collect();
    let reduction = (0..rank).map(|d| d == along).collect();
    let space = Space::new(ir, op, reduction, uncut, outputs)?;
    Some(Space { reaches, ..space })
}

/// The value of an expression where every loop is at the given place.
pub(crate) fn at(expr: &Expr, places: &[Expr]) -> Expr {
    expr.replaced(places, &[])
}

/// `a + b`
pub(crate) fn add(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinOp::Add, a, b)
}

/// `a - b`
pub(crate) fn sub(a: Expr, b: Expr) -> Expr {
    add(a, Expr::binary(BinOp::Mul, b, Expr::Const(-1)))
}

/// The tensor that an operation computes a result into.
pub fn destination(ir: &Ir, op: OpId, result: usize) -> Option<ValueId> {
    let written = destinations(ir, op).into_iter().map(|place| ir.operand(op, place));
    written.filter(|&value| ir.ty(value).is_tensor()).nth(result)
}
