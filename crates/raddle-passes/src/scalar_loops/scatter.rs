//! Gathers and scatters: elements whose places a tensor or a region gives.
//!
//! A scatter gives each row of the destination, which is what one place names, to a team of threads: they look for the
//! updates that go there, and deal the elements of the row to one another. The last update is what stays where updates
//! replace what is there, and the others are not read; where they are combined, the team takes one after the other, in
//! their order. So a place that is named twice is not a race, and results have the same bits on every run.
//! Of few short rows, as those of a histogram, a team has an element or a few: each thread combines the updates that it finds, and then
//! the team what its threads have, always alike, where the operation lets updates be combined in any order.
//! In a destination that holds what was there, rows that no update names stay, and teams have updates instead of rows: one
//! of those that go to the same row puts all of them.
//!
//! Where updates are known to be in the order of their places ([`SORTED`]), each thread finds those of its element by
//! bisection.
//!
//! Threads that have nobody to share with, and many updates of few elements, have strips of the destination, at one point
//! of the dimensions that places do not name, and put all updates in. A store to places that a region computes has no
//! rows: it is one workgroup's work if anything has to be copied first.

use raddle_ir::{Attr, Builder, DYNAMIC, Diag, Ir, OpId, Opcode, TypeId, ValueId};

use super::extents;
use super::rules::{element, region};
use super::teams::{self, Exchange, Size, Team, Together};
use super::{Cx, code, load, refuse, store};
use crate::structured::body::Combiner;
use crate::structured::moves::ints;
use crate::structured::scans;

/// Says that updates stand in the order of the numbers that name their places, of which each has one.
pub(crate) const SORTED: &str = "raddle.sorted";

/// What a gather or a scatter is made of.
struct Places {
    /// The tensor that places are in.
    whole: ValueId,
    /// One slice for each place.
    slices: ValueId,
    indices: ValueId,
    mask: Option<ValueId>,
    /// The dimensions of `whole` that the numbers of a place name, in order.
    dims: Vec<usize>,
    /// The number of dimensions of `slices` that places lie along.
    n_batch: usize,
    /// The dimension of `slices` for each of `whole`; `None` for one that slices do not have.
    dim_of: Vec<Option<usize>>,
    /// Whether places have a dimension of their own in `indices`.
    deep: bool,
}

impl Places {
    /// `iree_linalg_ext.gather` and `scatter`: the numbers name the outermost dimensions, which slices do not have.
    fn of_map(ir: &Ir, op: OpId) -> Result<Places, Diag> {
        let gathers = ir.opcode(op) == Opcode::IreeLinalgExtGather;
        let &[first, indices, ref mask @ .., last] = ir.operands(op) else {
            return Err(refuse(ir, op, "it has too few operands"));
        };
        let (whole, slices) = if gathers { (first, last) } else { (last, first) };
        let (rank, of) = (ir.shape_of(whole).len(), ir.shape_of(slices).len());
        let dims = dims(ir, op, "dimension_map", rank)?;
        let depth = dims.len();
        let n_batch =
            (of + depth).checked_sub(rank).ok_or_else(|| refuse(ir, op, "its slices have too few dimensions"))?;
        if (0..rank).any(|d| dims.contains(&d) != (d < depth)) {
            return Err(refuse(ir, op, "`dimension_map` does not name the outermost dimensions"));
        }
        let dim_of = (0..rank).map(|d| d.checked_sub(depth).map(|d| n_batch + d)).collect();
        let deep = ir.shape_of(indices).len() > n_batch;
        Ok(Places { whole, slices, indices, mask: mask.first().copied(), dims, n_batch, dim_of, deep })
    }

    /// `tensor.gather` and `tensor.scatter`: slices have dimensions that the numbers name with extent 1, or not at all.
    fn of_dims(ir: &Ir, op: OpId) -> Result<Places, Diag> {
        let gathers = ir.opcode(op) == Opcode::TensorGather;
        let operands = ir.operands(op);
        let (slices, whole, indices) = if gathers {
            (ir.result(op, 0), operands[0], operands[1])
        } else {
            (operands[0], operands[1], operands[2])
        };
        let rank = ir.shape_of(whole).len();
        let dims = dims(ir, op, if gathers { "gather_dims" } else { "scatter_dims" }, rank)?;
        let n_batch = ir.shape_of(indices).len().saturating_sub(1);
        let rest = ir.shape_of(slices).len().checked_sub(n_batch);
        let dropped = match rest {
            Some(rest) if rest == rank => false,
            Some(rest) if rest + dims.len() == rank => true,
            _ => return Err(refuse(ir, op, "its slices have another number of dimensions")),
        };
        let mut next = n_batch;
        let dim_of = (0..rank).map(|d| {
            let is_there = !dropped || !dims.contains(&d);
            is_there.then(|| {
                next += 1;
                next - 1
            })
        });
        let dim_of = dim_of.collect();
        Ok(Places { whole, slices, indices, mask: None, dims, n_batch, dim_of, deep: true })
    }

    /// The dimensions of `whole` that no number names.
    fn along(&self, ir: &Ir) -> Vec<usize> {
        (0..ir.shape_of(self.whole).len()).filter(|d| !self.dims.contains(d)).collect()
    }

    /// What says how many places there are: PyTorch's assignments to what a mask selects have one update where it selects
    /// nothing.
    fn counted(&self, ir: &Ir) -> ValueId {
        let is_open = ir.shape_of(self.slices)[..self.n_batch].contains(&DYNAMIC);
        if is_open { self.indices } else { self.slices }
    }

    /// The place in `whole` of the element of `slices` at a point.
    fn place(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId]) -> Result<Vec<ValueId>, Diag> {
        let mut place = Vec::new();
        for (d, own) in self.dim_of.iter().enumerate() {
            place.push(match (self.dims.iter().position(|&dim| dim == d), own) {
                (Some(number), _) => self.number(cx, b, &at[..self.n_batch], number)?,
                (None, Some(own)) => at[*own],
                (None, None) => unreachable!("a dimension that is not named is in the slices"),
            });
        }
        Ok(place)
    }

    /// One of the numbers that name a place.
    fn number(&self, cx: &mut Cx, b: &mut Builder<'_>, batch: &[ValueId], number: usize) -> Result<ValueId, Diag> {
        let number = b.index(number as i64);
        let mut of = batch.to_vec();
        of.extend(self.deep.then_some(number));
        let index = element(cx, b, self.indices, &of)?;
        Ok(code::to_index(b, index))
    }

    /// Whether the mask takes a place; `None` without a mask.
    fn taken(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId]) -> Result<Option<ValueId>, Diag> {
        let Some(mask) = self.mask else { return Ok(None) };
        let flag = element(cx, b, mask, &at[..self.n_batch])?;
        let bit = b.ir.int_type(1);
        if b.ir.type_of(flag) == bit {
            return Ok(Some(flag));
        }
        let (zero, predicate) = (b.int(0, b.ir.type_of(flag)), b.ir.i64_attr(1));
        Ok(Some(b.value(Opcode::ArithCmpi, &[flag, zero], bit, &[("predicate", predicate)])))
    }
}

fn dims(ir: &Ir, op: OpId, name: &str, rank: usize) -> Result<Vec<usize>, Diag> {
    let dim = |&dim: &i64| usize::try_from(dim).ok().filter(|&dim| dim < rank);
    let dims: Option<Vec<usize>> = ints(ir, op, name).iter().map(dim).collect();
    dims.ok_or_else(|| refuse(ir, op, &format!("`{name}` names a dimension that the tensor does not have")))
}

pub(super) fn gather(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let places = Places::of_map(b.ir, op)?;
    gathered(cx, b, &places, at)
}

pub(super) fn gather_dims(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let places = Places::of_dims(b.ir, op)?;
    gathered(cx, b, &places, at)
}

fn gathered(cx: &mut Cx, b: &mut Builder<'_>, places: &Places, at: &[ValueId]) -> Result<ValueId, Diag> {
    let Some(taken) = places.taken(cx, b, at)? else {
        let place = places.place(cx, b, at)?;
        return element(cx, b, places.whole, &place);
    };
    let elem = b.ir.elem_of(places.whole);
    let mut then = |cx: &mut Cx, b: &mut Builder<'_>| {
        let place = places.place(cx, b, at)?;
        Ok(vec![element(cx, b, places.whole, &place)?])
    };
    // An element that the mask leaves out stays as it is in the destination.
    let given =
        code::branch(cx, b, taken, &[elem], &mut then, &mut |cx, b| Ok(vec![element(cx, b, places.slices, at)?]))?;
    Ok(given[0])
}

pub(super) fn scatter(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, into: &[ValueId]) -> Result<(), Diag> {
    let places = Places::of_map(b.ir, op)?;
    scattered(cx, b, op, &places, into[0], true)
}

pub(super) fn scatter_dims(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, into: &[ValueId]) -> Result<(), Diag> {
    let places = Places::of_dims(b.ir, op)?;
    scattered(cx, b, op, &places, into[0], false)
}

fn scattered(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    places: &Places,
    into: ValueId,
    combines: bool,
) -> Result<(), Diag> {
    let scatter = Scatter::of(cx, b, op, places, into, combines)?;
    if b.ir.attr(op, SORTED).is_some() && places.dims == [0] && places.n_batch == 1 && places.mask.is_none() {
        return scatter.by_bisection(cx, b);
    }
    // Teams that combine go from one update to the next, and subgroups do that together.
    let work = [scatter.shapes.updates, scatter.shapes.slice].into_iter().map(|n| n.filter(|&n| n < 1 << 32));
    let work = work.reduce(|n, m| n.zip(m).map(|(n, m)| n.max(m))).flatten();
    let size = Size::of(cx, work).map(|size| match size {
        Size { subgroups: 1, .. } if scatter.combines => Size { lanes: cx.launch.subgroup_size, ..size },
        _ => size,
    });
    // A thread alone has rows, too, if looking for their updates costs little beside copying them.
    let size = size.or_else(|| Size::alone(cx).filter(|_| scatter.shapes.is_little()));
    match size {
        None => scatter.by_strips(cx, b),
        Some(size) if cx.map.find(places.whole) == Some(into) => scatter.by_updates(cx, b, size),
        Some(size) if scatter.combiner.is_some() && scatter.has_few_elements() => scatter.by_elements(cx, b, size),
        Some(size) => scatter.by_rows(cx, b, size),
    }
}

/// Updates that are looked at in the time in which an element is copied.
const LITTLE: i64 = 4;

/// Places of updates that all teams look at in the time in which one of them takes an update.
const TAKEN: i64 = 1_400_000;

/// Elements of a strip of the destination that one thread has, at most, if it has neighbours: some vectors for each update
/// whose place it looks at.
const STRIP: i64 = 128;

/// Neighbours that a team has if there are many elements, and how many teams have work then at least.
const NEIGHBOURS: i64 = 4;
const ELEMENTS_MANY: i64 = 128;

/// A scatter: what is put where.
struct Scatter<'a> {
    op: OpId,
    places: &'a Places,
    into: ValueId,
    /// Whether the region combines an update with what is there; else the update replaces it.
    combines: bool,
    /// How, if the order does not matter.
    combiner: Option<Combiner>,
    /// Whether updates outside are left out, as in StableHLO.
    drops: bool,
    /// Whether no place is named twice.
    unique: bool,
    /// The dimensions of the destination that slices have.
    along: Vec<usize>,
    extents: Vec<ValueId>,
    batch: Vec<ValueId>,
    shapes: Shapes,
}

/// What is known of sizes.
struct Shapes {
    whole: Vec<i64>,
    batch: Vec<i64>,
    /// How many updates there are, and how many elements each has.
    updates: Option<i64>,
    slice: Option<i64>,
}

impl Shapes {
    fn of(ir: &Ir, places: &Places) -> Shapes {
        let whole = ir.shape_of(places.whole).to_vec();
        let batch = ir.shape_of(places.counted(ir))[..places.n_batch].to_vec();
        let slice = count(places.along(ir).into_iter().map(|d| whole[d]));
        Shapes { updates: count(batch.iter().copied()), slice, whole, batch }
    }

    /// Whether it costs little to look at all updates, beside copying a slice.
    fn is_little(&self) -> bool {
        self.updates.zip(self.slice).is_some_and(|(updates, slice)| updates <= slice.saturating_mul(LITTLE))
    }
}

/// Whether a thread that has nobody to share a scatter with looks at the place of each update once, or once for many elements.
pub(crate) fn looks_once(ir: &Ir, op: OpId) -> bool {
    Places::of_map(ir, op).is_ok_and(|places| !Shapes::of(ir, &places).is_little())
}

/// The product of extents, if all are known.
fn count(extents: impl Iterator<Item = i64>) -> Option<i64> {
    extents
        .map(|extent| Some(extent).filter(|&extent| extent >= 0))
        .try_fold(1i64, |n, extent| Some(n.saturating_mul(extent?)))
}

impl<'a> Scatter<'a> {
    fn of(
        cx: &Cx,
        b: &mut Builder<'_>,
        op: OpId,
        places: &'a Places,
        into: ValueId,
        combines: bool,
    ) -> Result<Scatter<'a>, Diag> {
        let extents = extents::of(cx, b, places.whole)?;
        let along = places.along(b.ir);
        let counted = places.counted(b.ir);
        let mut batch = Vec::new();
        for d in 0..places.n_batch {
            batch.push(extents::extent(cx, b, counted, d)?);
        }
        // A region that gives the update replaces what is there.
        let replaces = !combines || {
            let block = super::rules::block(b.ir, op)?;
            let end = b.ir.terminator(block).expect("a verified region has a terminator");
            b.ir.operands(end) == &b.ir.args(block)[..1]
        };
        let states =
            |name: &str| b.ir.attr(op, name).is_some_and(|attr| *attr == Attr::Bool(true) || *attr == Attr::Unit);
        let shapes = Shapes::of(b.ir, places);
        Ok(Scatter {
            op,
            places,
            into,
            combines: !replaces,
            combiner: scans::combiner(b.ir, op).filter(|_| combines),
            drops: combines,
            unique: states("unique_indices") || states("unique"),
            along,
            extents,
            batch,
            shapes,
        })
    }

    /// Whether it takes less to look at all places for each element than to take one update of a row after the other. The
    /// number of updates makes both longer.
    fn has_few_elements(&self) -> bool {
        let rows = count(self.places.dims.iter().map(|&d| self.shapes.whole[d]));
        let more = rows.zip(self.shapes.slice).map(|(rows, slice)| rows.saturating_mul(rows).saturating_mul(slice - 1));
        more.is_some_and(|more| more < NEIGHBOURS * TAKEN)
    }

    /// The extents of some dimensions of the destination.
    fn pick(&self, dims: &[usize]) -> Vec<ValueId> {
        dims.iter().map(|&d| self.extents[d]).collect()
    }

    /// A place in the destination, of the numbers that name it and a point of the other dimensions.
    fn whole_at(&self, named: &[ValueId], column: &[ValueId]) -> Vec<ValueId> {
        let own = |d: usize| self.along.iter().position(|&other| other == d).map(|at| column[at]);
        let name = |d: usize| self.places.dims.iter().position(|&other| other == d).map(|at| named[at]);
        (0..self.extents.len()).filter_map(|d| own(d).or_else(|| name(d))).collect()
    }

    /// A place in the slices, of an update and a point of the dimensions that are not named.
    fn slice_at(&self, b: &mut Builder<'_>, batch: &[ValueId], column: &[ValueId]) -> Vec<ValueId> {
        let zero = b.index(0);
        let mut at = batch.to_vec();
        at.resize(b.ir.shape_of(self.places.slices).len(), zero);
        for (&d, &index) in self.along.iter().zip(column) {
            if let Some(own) = self.places.dim_of[d] {
                at[own] = index;
            }
        }
        at
    }

    /// The numbers that name the place of an update.
    fn named(&self, cx: &mut Cx, b: &mut Builder<'_>, batch: &[ValueId]) -> Result<Vec<ValueId>, Diag> {
        (0..self.places.dims.len()).map(|number| self.places.number(cx, b, batch, number)).collect()
    }

    /// Whether an update is taken, and its place is there.
    fn is_taken(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        batch: &[ValueId],
        named: &[ValueId],
    ) -> Result<Option<ValueId>, Diag> {
        let mut conditions: Vec<ValueId> = self.places.taken(cx, b, batch)?.into_iter().collect();
        if self.drops {
            let ends = self.pick(&self.places.dims);
            conditions.extend(named.iter().zip(ends).map(|(&at, end)| code::inside(b, at, end)));
        }
        Ok(code::all(b, &conditions))
    }

    /// Puts one element of an update into the destination.
    fn put(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        batch: &[ValueId],
        named: &[ValueId],
        column: &[ValueId],
    ) -> Result<(), Diag> {
        let (from, to) = (self.slice_at(b, batch, column), self.whole_at(named, column));
        let mut new = element(cx, b, self.places.slices, &from)?;
        if self.combines {
            let old = load(b, self.into, &to);
            new = region(cx, b, self.op, &[new, old], &[])?[0];
        }
        store(b, new, self.into, &to);
        Ok(())
    }

    /// Copies one element of the destination as it was.
    fn keep(&self, cx: &mut Cx, b: &mut Builder<'_>, named: &[ValueId], column: &[ValueId]) -> Result<(), Diag> {
        let at = self.whole_at(named, column);
        let old = element(cx, b, self.places.whole, &at)?;
        store(b, old, self.into, &at);
        Ok(())
    }

    /// The first of some updates, which are in the order of their places, whose place is not in front of a row.
    fn bisected(&self, cx: &mut Cx, b: &mut Builder<'_>, bounds: [ValueId; 2], row: ValueId) -> Result<ValueId, Diag> {
        let (one, two) = (b.index(1), b.index(2));
        let found = code::while_holds(
            cx,
            b,
            &bounds,
            |_, b, carried| Ok(code::less(b, carried[0], carried[1])),
            |cx, b, carried| {
                let &[from, to] = carried else { unreachable!("two values are carried") };
                let all = code::add(b, from, to);
                let middle = code::div(b, all, two);
                let number = self.places.number(cx, b, &[middle], 0)?;
                let is_in_front = code::less(b, number, row);
                let behind = code::add(b, middle, one);
                let from = code::select(b, is_in_front, behind, from);
                let to = code::select(b, is_in_front, to, middle);
                Ok(vec![from, to])
            },
        )?;
        Ok(found[0])
    }

    /// Each thread has an element, and takes the updates that go there, in their order.
    fn by_bisection(&self, cx: &mut Cx, b: &mut Builder<'_>) -> Result<(), Diag> {
        code::deal(cx, b, &self.shapes.whole, &self.extents, |cx, b, at| {
            let (zero, one, end) = (b.index(0), b.index(1), self.n_updates(b));
            let next = code::add(b, at[0], one);
            let first = self.bisected(cx, b, [zero, end], at[0])?;
            let last = self.bisected(cx, b, [first, end], next)?;
            let old = element(cx, b, self.places.whole, at)?;
            let new = code::repeat(cx, b, [first, last], &[old], |cx, b, update, old| {
                let from = self.slice_at(b, &[update], &at[1..]);
                let new = element(cx, b, self.places.slices, &from)?;
                if self.combines { region(cx, b, self.op, &[new, old[0]], &[]) } else { Ok(vec![new]) }
            })?;
            store(b, new[0], self.into, at);
            Ok(())
        })
    }

    /// Strips of at most so many elements: how many dimensions of a slice are dealt point by point, and how many points of the
    /// next one a strip has. It has all points of those behind.
    fn strip(&self, most: i64) -> (usize, i64) {
        let mut left = most;
        for (at, &d) in self.along.iter().enumerate().rev() {
            let extent = self.shapes.whole[d];
            if extent == DYNAMIC || extent > left {
                // Strips of the same length, as far as there are such.
                let n = if extent == DYNAMIC { 1 } else { (extent - 1) / left + 1 };
                return (at, if extent == DYNAMIC { left } else { (extent - 1) / n + 1 });
            }
            left /= extent.max(1);
        }
        (0, self.along.first().map_or(1, |&d| self.shapes.whole[d]))
    }

    /// Each thread has a strip of the dimensions that are not named, and puts all updates in there: it looks at the place of
    /// an update once for all elements of the strip. On a GPU strips have one element, and threads neighbours.
    fn by_strips(&self, cx: &mut Cx, b: &mut Builder<'_>) -> Result<(), Diag> {
        let (n_dealt, length) = self.strip(if cx.along_rows { STRIP } else { 1 });
        let mut shape: Vec<i64> = self.along[..n_dealt].iter().map(|&d| self.shapes.whole[d]).collect();
        let mut dealt = self.pick(&self.along);
        let inner = dealt.split_off(n_dealt);
        let (one, length_value) = (b.index(1), b.index(length));
        let cut = self.along.get(n_dealt).map(|&d| self.shapes.whole[d]).filter(|&extent| extent != length);
        if let Some(extent) = cut {
            let less = b.index(length - 1);
            let all = code::add(b, inner[0], less);
            dealt.push(code::div(b, all, length_value));
            shape.push(if extent == DYNAMIC { DYNAMIC } else { (extent - 1) / length + 1 });
        }
        // Who goes along a row of points has one of them.
        shape.push(1);
        dealt.push(one);
        code::deal(cx, b, &shape, &dealt, |cx, b, at| {
            let zero = b.index(0);
            let mut bounds: Vec<[ValueId; 2]> = inner.iter().map(|&extent| [zero, extent]).collect();
            if let Some(extent) = cut {
                let first = code::mul(b, at[n_dealt], length_value);
                let mut end = code::add(b, first, length_value);
                if extent == DYNAMIC || extent % length != 0 {
                    end = b.binary(Opcode::ArithMinsi, end, inner[0]);
                }
                bounds[0] = [first, end];
            }
            let each = |cx: &mut Cx, b: &mut Builder<'_>, body: code::Each<'_>| {
                code::each(cx, b, &bounds, &mut |cx, b, column| body(cx, b, &[&at[..n_dealt], column].concat()))
            };
            if cx.map.find(self.places.whole) != Some(self.into) {
                code::nest(cx, b, &self.pick(&self.places.dims), &[], &mut |cx, b, named, _| {
                    each(cx, b, &mut |cx, b, column| self.keep(cx, b, named, column)).map(|()| Vec::new())
                })?;
            }
            code::nest(cx, b, &self.batch, &[], &mut |cx, b, batch, _| {
                let named = self.named(cx, b, batch)?;
                let taken = self.is_taken(cx, b, batch, &named)?;
                code::when(cx, b, taken, &mut |cx, b| {
                    each(cx, b, &mut |cx, b, column| self.put(cx, b, batch, &named, column))
                })?;
                Ok(Vec::new())
            })?;
            Ok(())
        })
    }

    /// Deals the points of a slice to the threads of a team.
    fn each_column(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        body: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<(), Diag>,
    ) -> Result<(), Diag> {
        let (one, step, extents) = (b.index(1), b.index(team.size.threads()), self.pick(&self.along));
        let end = extents.iter().fold(one, |n, &extent| code::mul(b, n, extent));
        code::stride(cx, b, [team.thread, end, step], &[], |cx, b, number, _| {
            let column = code::split(b, number, &extents);
            body(cx, b, &column).map(|()| Vec::new())
        })?;
        Ok(())
    }

    /// Whether an update goes to a place.
    fn goes_to(&self, cx: &mut Cx, b: &mut Builder<'_>, number: ValueId, named: &[ValueId]) -> Result<ValueId, Diag> {
        let batch = code::split(b, number, &self.batch);
        let theirs = self.named(cx, b, &batch)?;
        let mut conditions: Vec<ValueId> = self.places.taken(cx, b, &batch)?.into_iter().collect();
        conditions.extend(theirs.iter().zip(named).map(|(&theirs, &ours)| code::equal(b, theirs, ours)));
        let bit = b.ir.int_type(1);
        Ok(code::all(b, &conditions).unwrap_or_else(|| b.int(1, bit)))
    }

    fn n_updates(&self, b: &mut Builder<'_>) -> ValueId {
        let one = b.index(1);
        self.batch.iter().fold(one, |n, &extent| code::mul(b, n, extent))
    }

    /// Numbers of updates as they travel between threads.
    fn word(&self, b: &mut Builder<'_>) -> TypeId {
        let is_short = self.shapes.updates.is_some_and(|n| n < i64::from(i32::MAX));
        b.ir.int_type(if is_short { 32 } else { 64 })
    }

    /// The largest number that threads of a team have.
    fn most(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        exchange: &Exchange,
        round: ValueId,
        own: ValueId,
    ) -> Result<ValueId, Diag> {
        let word = self.word(b);
        let own = code::from_index(b, own, word);
        let mut larger = |_: &mut Cx, b: &mut Builder<'_>, one: &[ValueId], other: &[ValueId]| {
            Ok(vec![b.binary(Opcode::ArithMaxsi, one[0], other[0])])
        };
        let most = team.across_lanes(cx, b, team.size.lanes, vec![own], &mut larger)?;
        let most = exchange.across_subgroups(cx, b, team, round, most, &mut larger)?;
        Ok(code::to_index(b, most[0]))
    }

    /// The last one of some updates that goes to a place; -1 if none does.
    fn last(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        exchange: &Exchange,
        [from, to]: [ValueId; 2],
        named: &[ValueId],
    ) -> Result<ValueId, Diag> {
        let (zero, none) = (b.index(0), b.index(-1));
        let (first, step) = (code::add(b, from, team.thread), b.index(team.size.threads()));
        let last = code::stride(cx, b, [first, to, step], &[none], |cx, b, number, last| {
            let goes = self.goes_to(cx, b, number, named)?;
            Ok(vec![code::select(b, goes, number, last[0])])
        })?;
        let last = self.most(cx, b, team, exchange, zero, last[0])?;
        exchange.end(b);
        Ok(last)
    }

    /// Puts all updates from one on that go to a place into it, in their order.
    fn put_all(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        exchange: &Exchange,
        from: ValueId,
        named: &[ValueId],
    ) -> Result<(), Diag> {
        let (zero, one, bit) = (b.index(0), b.index(1), b.ir.int_type(1));
        let (end, step) = (self.n_updates(b), b.index(team.size.threads()));
        // A thread's own next update that goes there; the team takes the first one of these.
        let next = |cx: &mut Cx, b: &mut Builder<'_>, from: ValueId| {
            let test = |cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId]| {
                let (is_there, no) = (code::less(b, at[0], end), b.int(0, bit));
                let mut passes = |cx: &mut Cx, b: &mut Builder<'_>| {
                    let goes = self.goes_to(cx, b, at[0], named)?;
                    let yes = b.int(1, bit);
                    Ok(vec![code::xor(b, goes, yes)])
                };
                Ok(code::branch(cx, b, is_there, &[bit], &mut passes, &mut |_, _| Ok(vec![no]))?[0])
            };
            let at = code::while_holds(cx, b, &[from], test, |_, b, at| Ok(vec![code::add(b, at[0], step)]))?;
            // The one behind all stands for none.
            let is_there = code::less(b, at[0], end);
            Ok::<ValueId, Diag>(code::select(b, is_there, at[0], end))
        };
        let first = code::add(b, from, team.thread);
        let own = next(cx, b, first)?;
        let none = code::sub(b, zero, end);
        let least = |cx: &mut Cx, b: &mut Builder<'_>, round: ValueId, own: ValueId| {
            let below = code::sub(b, zero, own);
            self.most(cx, b, team, exchange, round, below)
        };
        let first = least(cx, b, zero, own)?;
        code::while_holds(
            cx,
            b,
            &[first, own, one],
            |_, b, carried| Ok(code::less(b, none, carried[0])),
            |cx, b, carried| {
                let &[negative, own, round] = carried else { unreachable!("three values are carried") };
                let number = code::sub(b, zero, negative);
                let batch = code::split(b, number, &self.batch);
                self.each_column(cx, b, team, |cx, b, column| self.put(cx, b, &batch, named, column))?;
                let is_own = code::equal(b, own, number);
                let mut looks = |cx: &mut Cx, b: &mut Builder<'_>| {
                    let behind = code::add(b, own, step);
                    Ok(vec![next(cx, b, behind)?])
                };
                let index = b.ir.index_type();
                let own = code::branch(cx, b, is_own, &[index], &mut looks, &mut |_, _| Ok(vec![own]))?[0];
                Ok(vec![least(cx, b, round, own)?, own, code::add(b, round, one)])
            },
        )?;
        exchange.end(b);
        Ok(())
    }

    /// Each team has the elements at one point of the dimensions that are named, and looks for the updates that go there.
    fn by_rows(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size) -> Result<(), Diag> {
        let shape: Vec<i64> = self.places.dims.iter().map(|&d| self.shapes.whole[d]).collect();
        let extents = self.pick(&self.places.dims);
        let word = self.word(b);
        let exchange = Exchange::of(b, size, &[word]);
        teams::deal(cx, b, self.op, size, Together::Team, &shape, &extents, |cx, b, team, named| {
            let zero = b.index(0);
            if self.combines {
                self.each_column(cx, b, team, |cx, b, column| self.keep(cx, b, named, column))?;
                return self.put_all(cx, b, team, &exchange, zero, named);
            }
            let end = self.n_updates(b);
            let last = self.last(cx, b, team, &exchange, [zero, end], named)?;
            code::when(cx, b, team.is_there, &mut |cx, b| {
                let is_none = code::less(b, last, zero);
                let mut keeps = |cx: &mut Cx, b: &mut Builder<'_>| {
                    self.each_column(cx, b, team, |cx, b, column| self.keep(cx, b, named, column))?;
                    Ok(Vec::new())
                };
                let mut takes = |cx: &mut Cx, b: &mut Builder<'_>| {
                    let batch = code::split(b, last, &self.batch);
                    self.each_column(cx, b, team, |cx, b, column| self.put(cx, b, &batch, named, column))?;
                    Ok(Vec::new())
                };
                code::branch(cx, b, is_none, &[], &mut keeps, &mut takes).map(|_| ())
            })
        })
    }

    /// Each team has one element, or some neighbours along the last dimension that is named, and combines the updates that go
    /// there. Of neighbours, it looks at the place of an update once.
    fn by_elements(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size) -> Result<(), Diag> {
        let combiner = self.combiner.expect("updates may be combined in any order");
        let &last = self.places.dims.last().expect("places have numbers");
        let (elem, mut shape) = (b.ir.elem_of(self.into), self.shapes.whole.clone());
        let is_many = count(shape.iter().copied()).is_some_and(|n| n >= NEIGHBOURS * ELEMENTS_MANY);
        let neighbours = if is_many && shape[last] >= NEIGHBOURS { NEIGHBOURS } else { 1 };
        let exchange = Exchange::of(b, size, &vec![elem; neighbours as usize]);
        let [neighbours_value, less] = [neighbours, neighbours - 1].map(|n| b.index(n));
        let mut extents = self.extents.clone();
        if neighbours > 1 {
            shape[last] = (shape[last] - 1) / neighbours + 1;
            let all = code::add(b, extents[last], less);
            extents[last] = code::div(b, all, neighbours_value);
        }
        teams::deal(cx, b, self.op, size, Together::Team, &shape, &extents, |cx, b, team, at| {
            let mut at = at.to_vec();
            at[last] = code::mul(b, at[last], neighbours_value);
            let own: Vec<ValueId> = (0..neighbours)
                .map(|n| {
                    let n = b.index(n);
                    code::add(b, at[last], n)
                })
                .collect();
            let column: Vec<ValueId> = self.along.iter().map(|&d| at[d]).collect();
            let (zero, end, step) = (b.index(0), self.n_updates(b), b.index(team.size.threads()));
            let mut combine = |cx: &mut Cx, b: &mut Builder<'_>, one: &[ValueId], other: &[ValueId]| {
                let pairs = one.iter().zip(other);
                pairs.map(|(&one, &other)| Ok(region(cx, b, self.op, &[one, other], &[])?[0])).collect()
            };
            let none = vec![combiner.neutral(b, elem); own.len()];
            let sums = code::stride(cx, b, [team.thread, end, step], &none, |cx, b, number, sums| {
                let batch = code::split(b, number, &self.batch);
                let mut theirs = self.named(cx, b, &batch)?;
                let place = theirs.pop().expect("places have numbers");
                let mut conditions: Vec<ValueId> = self.places.taken(cx, b, &batch)?.into_iter().collect();
                conditions
                    .extend(theirs.iter().zip(&self.places.dims).map(|(&theirs, &d)| code::equal(b, theirs, at[d])));
                let distance = code::sub(b, place, at[last]);
                conditions.push(code::inside(b, distance, neighbours_value));
                let goes = code::all(b, &conditions).expect("there is a condition");
                let types = vec![elem; sums.len()];
                let mut takes = |cx: &mut Cx, b: &mut Builder<'_>| {
                    let from = self.slice_at(b, &batch, &column);
                    let update = element(cx, b, self.places.slices, &from)?;
                    let all = combine(cx, b, &vec![update; sums.len()], sums)?;
                    if neighbours == 1 {
                        return Ok(all);
                    }
                    let pick = |((&own, &sum), all): ((&ValueId, &ValueId), ValueId)| {
                        let is_there = code::equal(b, place, own);
                        code::select(b, is_there, all, sum)
                    };
                    Ok(own.iter().zip(sums).zip(all).map(pick).collect())
                };
                code::branch(cx, b, goes, &types, &mut takes, &mut |_, _| Ok(sums.to_vec()))
            })?;
            let sums = team.across_lanes(cx, b, team.size.lanes, sums, &mut combine)?;
            let sums = exchange.across_subgroups(cx, b, team, zero, sums, &mut combine)?;
            exchange.end(b);
            let stores = team.stores(b);
            for (sum, own) in sums.into_iter().zip(own) {
                let is_there = code::less(b, own, self.extents[last]);
                let is_there = code::and(b, stores, is_there);
                at[last] = own;
                code::when(cx, b, Some(is_there), &mut |cx, b| {
                    let old = element(cx, b, self.places.whole, &at)?;
                    let new = combine(cx, b, &[sum], &[old])?;
                    store(b, new[0], self.into, &at);
                    Ok(())
                })?;
            }
            Ok(())
        })
    }

    /// Each team has an update, in a destination that holds what is there already. Of those that go to one place, one team
    /// puts all.
    fn by_updates(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size) -> Result<(), Diag> {
        let word = self.word(b);
        let exchange = Exchange::of(b, size, &[word]);
        teams::deal(cx, b, self.op, size, Together::Team, &self.shapes.batch, &self.batch, |cx, b, team, batch| {
            let (zero, one) = (b.index(0), b.index(1));
            let named = self.named(cx, b, batch)?;
            let mut taken = self.is_taken(cx, b, batch, &named)?;
            let (own, end) = (code::linear(b, batch, &self.batch), self.n_updates(b));
            if !self.unique {
                // The last one replaces all others; the first one combines all.
                let others = if self.combines { [zero, own] } else { [code::add(b, own, one), end] };
                let other = self.last(cx, b, team, &exchange, others, &named)?;
                let is_alone = code::less(b, other, zero);
                taken = Some(taken.map_or(is_alone, |taken| code::and(b, taken, is_alone)));
            }
            let taken: Vec<ValueId> = taken.into_iter().chain(team.is_there).collect();
            let taken = code::all(b, &taken);
            code::when(cx, b, taken, &mut |cx, b| {
                if self.combines && !self.unique {
                    return self.put_all(cx, b, team, &exchange, own, &named);
                }
                self.each_column(cx, b, team, |cx, b, column| self.put(cx, b, batch, &named, column))
            })
        })
    }
}

/// `iree_linalg_ext.map_load`: the region gives the place of each element, and an element for places outside.
pub(super) fn map_load(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let source = b.ir.operand(op, 0);
    let mut place = region(cx, b, op, at, at)?;
    let otherwise = place.pop().ok_or_else(|| refuse(b.ir, op, "its region gives nothing"))?;
    let extents = extents::of(cx, b, source)?;
    let conditions: Vec<ValueId> = place.iter().zip(&extents).map(|(&at, &end)| code::inside(b, at, end)).collect();
    let Some(condition) = code::all(b, &conditions) else { return element(cx, b, source, &place) };
    let elem = b.ir.elem_of(source);
    let given = code::branch(
        cx,
        b,
        condition,
        &[elem],
        &mut |cx, b| Ok(vec![element(cx, b, source, &place)?]),
        &mut |_, _| Ok(vec![otherwise]),
    )?;
    Ok(given[0])
}

/// `iree_linalg_ext.map_store`: the region gives the place of each element, and whether it is stored.
pub(super) fn map_store(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, into: &[ValueId]) -> Result<(), Diag> {
    let &[input, output] = b.ir.operands(op) else { return Err(refuse(b.ir, op, "it has not two operands")) };
    let is_empty = b.ir.def_op(output).is_some_and(|def| b.ir.opcode(def) == Opcode::TensorEmpty);
    if !is_empty {
        let (shape, extents) = (b.ir.shape_of(output).to_vec(), extents::of(cx, b, output)?);
        code::deal(cx, b, &shape, &extents, |cx, b, at| {
            let old = element(cx, b, output, at)?;
            store(b, old, into[0], at);
            Ok(())
        })?;
        cx.one_group = true;
        b.barrier();
    }
    let (shape, extents) = (b.ir.shape_of(input).to_vec(), extents::of(cx, b, input)?);
    code::deal(cx, b, &shape, &extents, |cx, b, at| {
        let mut place = region(cx, b, op, at, at)?;
        let taken = place.pop();
        code::when(cx, b, taken, &mut |cx, b| {
            let value = element(cx, b, input, at)?;
            store(b, value, into[0], &place);
            Ok(())
        })
    })
}
