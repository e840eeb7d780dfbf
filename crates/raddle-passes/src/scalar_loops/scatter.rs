//! Gathers and scatters: elements whose places a tensor or a region gives.
//!
//! A scatter gives each thread a strip of the destination: the elements along the dimensions that places name, at one
//! point of the others. The thread copies the strip and then puts the updates in, in their order, so that a place that is
//! named twice is no race. A store to places that a region computes has no such strips: it is one workgroup's work if
//! anything has to be copied first.

use raddle_ir::{Builder, Diag, Ir, OpId, Opcode, ValueId};

use super::extents::{self, ints};
use super::rules::{element, region};
use super::{Cx, code, load, refuse, store};

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

    /// The place in `whole` of the element of `slices` at a point.
    fn place(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId]) -> Result<Vec<ValueId>, Diag> {
        let mut place = Vec::new();
        for (d, own) in self.dim_of.iter().enumerate() {
            place.push(match (self.dims.iter().position(|&dim| dim == d), own) {
                (Some(number), _) => {
                    let number = b.index(number as i64);
                    let mut of = at[..self.n_batch].to_vec();
                    of.extend(self.deep.then_some(number));
                    let index = element(cx, b, self.indices, &of)?;
                    code::to_index(b, index)
                }
                (None, Some(own)) => at[*own],
                (None, None) => unreachable!("a dimension that is not named is in the slices"),
            });
        }
        Ok(place)
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
    let shape = b.ir.shape_of(places.whole).to_vec();
    let extents = extents::of(cx, b, places.whole)?;
    let along: Vec<usize> = (0..shape.len()).filter(|d| !places.dims.contains(d)).collect();
    let pick = |list: &[ValueId], dims: &[usize]| -> Vec<ValueId> { dims.iter().map(|&d| list[d]).collect() };
    let known: Vec<i64> = along.iter().map(|&d| shape[d]).collect();
    code::deal(cx, b, &known, &pick(&extents, &along), |cx, b, strip| {
        let whole_at = |named: &[ValueId]| -> Vec<ValueId> {
            let own = |d: usize| along.iter().position(|&other| other == d).map(|at| strip[at]);
            let name = |d: usize| places.dims.iter().position(|&other| other == d).map(|at| named[at]);
            (0..shape.len()).filter_map(|d| own(d).or_else(|| name(d))).collect()
        };
        code::nest(cx, b, &pick(&extents, &places.dims), &[], &mut |cx, b, named, _| {
            let at = whole_at(named);
            let old = element(cx, b, places.whole, &at)?;
            store(b, old, into, &at);
            Ok(Vec::new())
        })?;
        let mut batch = Vec::new();
        for d in 0..places.n_batch {
            batch.push(extents::extent(cx, b, places.slices, d)?);
        }
        let zero = b.index(0);
        code::nest(cx, b, &batch, &[], &mut |cx, b, batch_at, _| {
            let mut at = batch_at.to_vec();
            at.resize(b.ir.shape_of(places.slices).len(), zero);
            for (&d, &index) in along.iter().zip(strip) {
                if let Some(own) = places.dim_of[d] {
                    at[own] = index;
                }
            }
            let taken = places.taken(cx, b, &at)?;
            code::when(cx, b, taken, &mut |cx, b| {
                let place = places.place(cx, b, &at)?;
                if !combines {
                    let new = element(cx, b, places.slices, &at)?;
                    store(b, new, into, &place);
                    return Ok(());
                }
                // An update outside is left out, as in StableHLO.
                let named = pick(&place, &places.dims).into_iter().zip(pick(&extents, &places.dims));
                let inside: Vec<ValueId> = named.map(|(at, end)| code::inside(b, at, end)).collect();
                let inside = code::all(b, &inside);
                code::when(cx, b, inside, &mut |cx, b| {
                    let (new, old) = (element(cx, b, places.slices, &at)?, load(b, into, &place));
                    let new = region(cx, b, op, &[new, old], &[])?[0];
                    store(b, new, into, &place);
                    Ok(())
                })
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    })
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
