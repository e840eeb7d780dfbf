//! Gathers by rows: where the elements of a row lie beside each other, each native vector of them is read at once.
//!
//! Rows lie along a dimension of the memory, from where vectors of indices say; or along a vector of indices that counts
//! one by one. Of indices that are computed from such a count, as padding by edges does, the run finds out for each
//! native vector: most of them count, and the others are read one by one.

use raddle_ir::views::Indexed;
use raddle_ir::{Attr, Builder, Class, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Cx;
use super::compute::constant;
use super::grid::{Grid, Lane, element, piece, piece_type, row_dim, shuffled, starts, widths};
use super::lanes::{access, as_index};
use super::memory::{guarded, masked};
use crate::clean;
use crate::code::edges::choose;
use crate::code::extents::number;
use crate::code::{EQUAL, compare, select};

/// A vector of indices that counts up or down one by one: numbers (or vectors of one), of which some are taken away, and a
/// number.
struct Counted {
    terms: Vec<(ValueId, bool)>,
    number: i64,
    /// 1 or -1.
    step: i64,
}

impl Counted {
    /// What a vector of one row counts; `None` if that is not known.
    fn of(ir: &Ir, value: ValueId) -> Option<Counted> {
        let mut counted = Counted { terms: Vec::new(), number: 0, step: 0 };
        counted.add(ir, value, 1)?;
        (counted.step.abs() == 1).then_some(counted)
    }

    fn add(&mut self, ir: &Ir, value: ValueId, sign: i64) -> Option<()> {
        let op = ir.def_op(value)?;
        match (repeated(ir, value), ir.opcode(op)) {
            (Some(term), _) => self.terms.push((term, sign < 0)),
            (_, Opcode::ArithAddi | Opcode::ArithSubi) => {
                let second = if ir.opcode(op) == Opcode::ArithSubi { -sign } else { sign };
                self.add(ir, ir.operand(op, 0), sign)?;
                self.add(ir, ir.operand(op, 1), second)?;
            }
            (_, Opcode::VectorStep) => self.step += sign,
            _ if has_more_dims(ir, op) => self.add(ir, ir.operand(op, 0), sign)?,
            (_, Opcode::ArithConstant) => match ir.attr(op, "value")? {
                attr @ Attr::Dense { splat: true, .. } => {
                    let number = ir.dense_elems(attr).first()?.as_i64()?;
                    self.number = self.number.checked_add(sign.checked_mul(number)?)?;
                }
                _ => return None,
            },
            _ => return None,
        }
        // Of narrower integers, sums may wrap around.
        (Scalar::of(&ir[ir.elem_of(value)]) == Some(Scalar::Index)).then_some(())
    }

    /// The element at a place.
    fn at(&self, builder: &mut Builder<'_>, cx: &Cx<'_>, place: i64) -> ValueId {
        let mut sum = builder.index(self.number + self.step * place);
        for &(term, is_taken) in &self.terms {
            let opcode = if is_taken { Opcode::ArithSubi } else { Opcode::ArithAddi };
            let term = match cx.grids.get(&term) {
                Some(grid) => element(builder, grid.lanes()[0]),
                None => cx.map.get(term),
            };
            sum = builder.binary(opcode, sum, term);
        }
        sum
    }
}

/// The scalar, or the vector of one element, that all elements of a vector repeat.
pub fn repeated(ir: &Ir, vector: ValueId) -> Option<ValueId> {
    let moves = [Opcode::VectorBroadcast, Opcode::VectorTranspose, Opcode::VectorShapeCast];
    let op = ir.def_op(vector).filter(|&op| moves.contains(&ir.opcode(op)))?;
    let source = ir.operand(op, 0);
    let is_one = ir.ty(source).shape().is_none_or(|shape| shape.iter().all(|&extent| extent == 1));
    if is_one { Some(source) } else { repeated(ir, source) }
}

/// Whether an operation gives the elements of a vector more or fewer dimensions of one, and leaves them in their order.
fn has_more_dims(ir: &Ir, op: OpId) -> bool {
    let shapes = || ir.operands(op).first().map(|&source| [source, ir.result(op, 0)].map(|value| ir.shape_of(value)));
    matches!(ir.opcode(op), Opcode::VectorBroadcast | Opcode::VectorShapeCast)
        && shapes().is_some_and(|[from, to]| from.iter().product::<i64>() == to.iter().product())
}

/// What the elements of a row lie along.
enum Row {
    /// A dimension of the memory.
    Memory,
    Counted(Counted),
    /// A vector of indices that may count one by one, and the dimensions of the result that it has.
    Perhaps(ValueId, Vec<usize>),
}

impl Row {
    fn of(ir: &Ir, value: ValueId, dims: Vec<usize>) -> Option<Row> {
        match Counted::of(ir, value) {
            Some(counted) => Some(Row::Counted(counted)),
            None => is_computed(ir, value).then_some(Row::Perhaps(value, dims)),
        }
    }

    /// Whether the last element comes first in memory.
    fn is_turned(&self) -> bool {
        matches!(self, Row::Counted(counted) if counted.step < 0)
    }
}

/// Whether a vector of indices is computed from a count and from what is the same for all elements alone.
fn is_computed(ir: &Ir, value: ValueId) -> bool {
    let (mut todo, mut seen, mut counts) = (vec![value], FxHashSet::default(), false);
    while let Some(value) = todo.pop() {
        if !seen.insert(value) {
            continue;
        }
        let Some(op) = ir.def_op(value) else { return false };
        match ir.opcode(op) {
            Opcode::VectorStep => counts = true,
            _ if repeated(ir, value).is_some() => {}
            Opcode::ArithConstant if matches!(ir.attr(op, "value"), Some(Attr::Dense { splat: true, .. })) => {}
            _ if ir.class(op) == Class::Elementwise || has_more_dims(ir, op) => todo.extend(ir.operands(op)),
            _ => return false,
        }
    }
    counts
}

/// The elements of a vector of indices or flags that is computed from numbers alone, row-major.
fn numbers(ir: &Ir, value: ValueId, known: &mut FxHashMap<ValueId, Option<Vec<i64>>>) -> Option<Vec<i64>> {
    if let Some(found) = known.get(&value) {
        return found.clone();
    }
    let found = numbers_of(ir, value, known);
    known.insert(value, found.clone());
    found
}

fn numbers_of(ir: &Ir, value: ValueId, known: &mut FxHashMap<ValueId, Option<Vec<i64>>>) -> Option<Vec<i64>> {
    let op = ir.def_op(value)?;
    let n = ir.ty(value).shape().map_or(1, |shape| shape.iter().product::<i64>());
    let elem = ir.ty(value).elem().unwrap_or(ir.type_of(value));
    let width = match Scalar::of(&ir[elem])? {
        Scalar::Index => 64,
        Scalar::Int(1) => 1,
        _ => return None,
    };
    let mut operand = |at: usize| numbers(ir, ir.operand(op, at), known);
    match ir.opcode(op) {
        Opcode::ArithConstant => match ir.attr(op, "value")? {
            attr @ Attr::Dense { splat, .. } => {
                let elements = ir.dense_elems(attr).iter().map(Attr::as_i64).collect::<Option<Vec<i64>>>()?;
                if *splat { Some(vec![*elements.first()?; n as usize]) } else { Some(elements) }
            }
            attr => Some(vec![attr.as_i64()?]),
        },
        Opcode::VectorStep => Some((0..n).collect()),
        Opcode::VectorCreateMask if ir.operands(op).len() == 1 => {
            let end = ir.const_int(ir.operand(op, 0))?;
            Some((0..n).map(|at| i64::from(at < end)).collect())
        }
        Opcode::ArithSelect => {
            let (flags, [yes, no]) = (operand(0)?, [operand(1)?, operand(2)?]);
            let flag = |at: usize| if flags.len() == 1 { flags[0] } else { flags[at] };
            let chosen = yes.into_iter().zip(no).enumerate();
            Some(chosen.map(|(at, (yes, no))| if flag(at) != 0 { yes } else { no }).collect())
        }
        Opcode::ArithCmpi => {
            let predicate = ir.attr(op, "predicate")?.as_i64()?;
            let compared = |(a, b)| clean::compare(predicate, 64, a, b).map(i64::from);
            operand(0)?.into_iter().zip(operand(1)?).map(compared).collect()
        }
        Opcode::VectorBroadcast if ir.ty(ir.operand(op, 0)).shape().is_none() => {
            Some(vec![*operand(0)?.first()?; n as usize])
        }
        _ if has_more_dims(ir, op) => operand(0),
        opcode if ir.operands(op).len() == 2 && ir.class(op) == Class::Elementwise => {
            let numbers = operand(0)?.into_iter().zip(operand(1)?);
            let bit = |number: i64| if width == 1 { number & 1 } else { number };
            numbers.map(|(a, b)| clean::eval_int(opcode, width, a, b).map(bit)).collect()
        }
        _ => None,
    }
}

/// One piece of a row: where it begins in the result, and of how many elements it is.
struct Piece<'a> {
    at: &'a [i64],
    row: usize,
    width: i64,
}

impl Piece<'_> {
    /// The elements of a vector that lies along some dimensions of the whole.
    fn lanes(&self, cx: &Cx<'_>, value: ValueId, dims: &[usize]) -> Vec<Lane> {
        let grid = cx.grid(value);
        let lanes = grid.lanes();
        let place = |j: i64| dims.iter().map(|&d| self.at[d] + if d == self.row { j } else { 0 }).collect::<Vec<_>>();
        (0..self.width).map(|j| lanes[number(&grid.shape, &place(j))]).collect()
    }

    /// The same as numbers, if they are known.
    fn known(&self, ir: &Ir, value: ValueId, dims: &[usize]) -> Option<Vec<i64>> {
        let all = numbers(ir, value, &mut FxHashMap::default())?;
        let place = |j: i64| dims.iter().map(|&d| self.at[d] + if d == self.row { j } else { 0 }).collect::<Vec<_>>();
        Some((0..self.width).map(|j| all[number(ir.shape_of(value), &place(j))]).collect())
    }
}

/// `transfer_gather` of rows. `None` for any other.
pub fn gather(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, around: Option<ValueId>) -> Option<Grid> {
    if builder.ir.opcode(op) != Opcode::IreeVectorExtTransferGather {
        return None;
    }
    let view = Indexed::of(builder.ir, op);
    let result = builder.ir.result(op, 0);
    let (shape, elem) = (builder.ir.shape_of(result).to_vec(), builder.ir.elem_of(result));
    let row = row_dim(&shape)?;
    let lies = |expr: &Expr| match *expr {
        Expr::Dim(d) => d as usize == row,
        Expr::Sym(k) => view.dims(k as usize).contains(&row),
        _ => false,
    };
    let mut along = (0..).zip(&view.maps[0].results).filter(|at| lies(at.1));
    let (Some((along, expr)), None) = (along.next(), along.next()) else { return None };
    let lying = match *expr {
        Expr::Sym(k) => {
            let dims = view.dims(k as usize);
            let is_row = dims.iter().all(|&d| d == row || shape[d] == 1);
            Row::of(builder.ir, view.index_vecs[k as usize], dims).filter(|_| is_row)?
        }
        _ => Row::Memory,
    };
    // What a mask leaves out may be outside: each element asks for itself.
    let is_masked = around.is_some() || view.mask.is_some() && view.dims(view.index_vecs.len()).contains(&row);
    if cx.bounds_checks && is_masked && !matches!(lying, Row::Memory) {
        return None;
    }
    let is_last = along as usize + 1 == view.offsets.len() && builder.ir.strides(view.base)?.last() == Some(&1);
    if shape[row] < 2 || !matches!(lying, Row::Memory) && !is_last {
        return None;
    }
    let padding = cx.map.get(view.padding?);
    let widths = widths(cx.machine, &shape);
    let rows = Rows { cx, op, view, around, row, along, lying, padding };
    let pieces = starts(&shape, &widths)
        .into_iter()
        .map(|(at, width)| rows.read(builder, &Piece { at: &at, row, width }))
        .collect();
    Some(Grid { shape, elem, widths, pieces })
}

/// A gather of rows.
struct Rows<'a, 'b> {
    cx: &'a Cx<'b>,
    op: OpId,
    view: Indexed,
    around: Option<ValueId>,
    row: usize,
    /// The dimension of the memory that the elements of a row lie along.
    along: u32,
    lying: Row,
    padding: ValueId,
}

impl Rows<'_, '_> {
    fn read(&self, builder: &mut Builder<'_>, of: &Piece<'_>) -> ValueId {
        let width = of.width;
        let indices = self.indices(builder, of);
        let (condition, mask) = self.flags(builder, of);
        let elem = builder.ir.elem_of(self.view.base);
        let ty = piece_type(builder, elem, width);
        let base = self.cx.map.get(self.view.base);
        guarded(builder, condition, ty, |builder, inside| match (inside, width) {
            (false, 1) => self.padding,
            (false, _) => builder.broadcast(self.padding, ty),
            (true, 1) => builder.value(Opcode::MemrefLoad, &[&[base], &indices[..]].concat(), elem, &[]),
            (true, _) => match &self.lying {
                Row::Memory | Row::Counted(_) => self.run(builder, &indices, mask, width),
                Row::Perhaps(value, dims) => {
                    if let Some(read) = self.shuffled(builder, of, (*value, dims), &indices) {
                        return read;
                    }
                    let lanes = of.lanes(self.cx, *value, dims);
                    let places = piece(builder, self.cx.grid(*value).elem, &lanes);
                    let counts = counts(builder, places, mask, width);
                    let chosen = choose(builder, counts, &[ty], |builder, counts| match counts {
                        true => vec![self.run(builder, &indices, mask, width)],
                        false => vec![self.one_by_one(builder, &indices, places, mask, width)],
                    });
                    builder.ir.result(chosen, 0)
                }
            },
        })
    }

    /// Where the first element in memory lies.
    fn indices(&self, builder: &mut Builder<'_>, piece: &Piece<'_>) -> Vec<ValueId> {
        let mut indices = Vec::new();
        for (&offset, expr) in self.view.offsets.iter().zip(&self.view.maps[0].results) {
            let step = match (expr, &self.lying) {
                (Expr::Dim(d), _) => builder.index(piece.at[*d as usize]),
                (Expr::Sym(_), Row::Counted(counted)) if indices.len() == self.along as usize => {
                    let first = piece.at[self.row] + if counted.step < 0 { piece.width - 1 } else { 0 };
                    counted.at(builder, self.cx, first)
                }
                (Expr::Sym(k), _) => {
                    let (value, dims) = (self.view.index_vecs[*k as usize], self.view.dims(*k as usize));
                    let step = match self.cx.grids.contains_key(&value) {
                        true => element(builder, piece.lanes(self.cx, value, &dims)[0]),
                        false => self.cx.map.get(value),
                    };
                    as_index(builder, step)
                }
                _ => builder.index(0),
            };
            indices.push(builder.binary(Opcode::ArithAddi, self.cx.map.get(offset), step));
        }
        indices
    }

    /// What must hold for any element, and the mask of them in the order of memory.
    fn flags(&self, builder: &mut Builder<'_>, of: &Piece<'_>) -> (Option<ValueId>, Option<ValueId>) {
        let all: Vec<usize> = (0..of.at.len()).collect();
        let own = self.view.mask.map(|mask| (mask, self.view.dims(self.view.index_vecs.len())));
        let (mut condition, mut mask): (Option<ValueId>, Option<ValueId>) = (None, None);
        for (value, dims) in own.into_iter().chain(self.around.map(|mask| (mask, all))) {
            let mut flags = of.lanes(self.cx, value, &dims);
            if self.lying.is_turned() {
                flags.reverse();
            }
            let (slot, flag) = match of.width > 1 && dims.contains(&self.row) {
                true => (&mut mask, piece(builder, self.cx.grid(value).elem, &flags)),
                false => (&mut condition, element(builder, flags[0])),
            };
            *slot = Some(slot.map_or(flag, |other| builder.binary(Opcode::ArithAndi, other, flag)));
        }
        (condition, mask)
    }

    /// Elements that lie beside each other.
    fn run(&self, builder: &mut Builder<'_>, indices: &[ValueId], mask: Option<ValueId>, width: i64) -> ValueId {
        let base = self.cx.map.get(self.view.base);
        let elem = builder.ir.elem_of(base);
        let ty = piece_type(builder, elem, width);
        let map = Map { dims: indices.len() as u32, syms: 0, results: vec![Expr::Dim(self.along)] };
        let read = builder.transfer_read(base, indices, self.padding, map, &[true], ty);
        masked(builder, read, mask, [1, indices.len(), 1]);
        if !self.lying.is_turned() {
            return read;
        }
        let lanes = (0..width).rev().map(|lane| Lane { piece: read, width, lane }).collect::<Vec<_>>();
        shuffled(builder, &lanes).unwrap_or_else(|| piece(builder, elem, &lanes))
    }

    /// Elements whose places are known, near one another: vectors of what lies there, and a shuffle of them.
    fn shuffled(
        &self,
        builder: &mut Builder<'_>,
        of: &Piece<'_>,
        (value, dims): (ValueId, &[usize]),
        first: &[ValueId],
    ) -> Option<ValueId> {
        // A place that is outside has a check of its own.
        if self.cx.bounds_checks {
            return None;
        }
        let (ir, width, base) = (&*builder.ir, of.width, self.cx.map.get(self.view.base));
        let places = of.known(ir, value, dims)?;
        let all: Vec<usize> = (0..of.at.len()).collect();
        let own = self.view.mask.map(|mask| (mask, self.view.dims(self.view.index_vecs.len())));
        let mut wanted = vec![true; places.len()];
        for (mask, dims) in own.into_iter().chain(self.around.map(|mask| (mask, all))) {
            if dims.contains(&self.row) {
                let flags = of.known(ir, mask, &dims)?;
                wanted.iter_mut().zip(flags).for_each(|(wanted, flag)| *wanted &= flag != 0);
            }
        }
        let there = || places.iter().zip(&wanted).filter(|at| *at.1).map(|at| *at.0);
        let (least, greatest) = (there().min()?, there().max()?);
        let n = greatest.checked_sub(least)?.checked_add(1)?;
        // As many as a vector has, from the first one on, and behind these as many up to the last one.
        let starts = match n > width {
            true => vec![least, greatest - width + 1],
            false => vec![least],
        };
        if n > 2 * width {
            return None;
        }
        let offset = self.cx.map.get(self.view.offsets[self.along as usize]);
        let read = |builder: &mut Builder<'_>, &start: &i64| {
            let (start, mut indices) = (builder.index(start), first.to_vec());
            indices[self.along as usize] = builder.binary(Opcode::ArithAddi, offset, start);
            let mask = (n < width).then(|| flags(builder, &(0..width).map(|lane| lane < n).collect::<Vec<_>>()));
            self.run(builder, &indices, mask, width)
        };
        let pieces: Vec<ValueId> = starts.iter().map(|start| read(builder, start)).collect();
        let lane = |(&place, &wanted): (&i64, &bool)| {
            let place = if wanted { place } else { least };
            let piece = usize::from(place - least >= width);
            Lane { piece: pieces[piece], width, lane: place - starts[piece] }
        };
        let lanes: Vec<Lane> = places.iter().zip(&wanted).map(lane).collect();
        let elem = builder.ir.elem_of(base);
        let read = shuffled(builder, &lanes).unwrap_or_else(|| piece(builder, elem, &lanes));
        if !wanted.contains(&false) {
            return Some(read);
        }
        let ty = piece_type(builder, elem, width);
        let (wanted, padding) = (flags(builder, &wanted), builder.broadcast(self.padding, ty));
        Some(select(builder, wanted, read, padding))
    }

    /// Elements of which each has a place of its own.
    fn one_by_one(
        &self,
        builder: &mut Builder<'_>,
        first: &[ValueId],
        places: ValueId,
        mask: Option<ValueId>,
        width: i64,
    ) -> ValueId {
        let base = self.cx.map.get(self.view.base);
        let elem = builder.ir.elem_of(base);
        let offset = self.cx.map.get(self.view.offsets[self.along as usize]);
        let load = |lane: i64| {
            let place = builder.extract(places, &[lane]);
            let place = as_index(builder, place);
            let mut indices = first.to_vec();
            indices[self.along as usize] = builder.binary(Opcode::ArithAddi, offset, place);
            let flag = mask.map(|mask| builder.extract(mask, &[lane]));
            access(builder, self.op, base, &indices, flag, self.padding).expect("a gather gives an element")
        };
        let scalars: Vec<ValueId> = (0..width).map(load).collect();
        let ty = piece_type(builder, elem, width);
        builder.value(Opcode::VectorFromElements, &scalars, ty, &[])
    }
}

/// A mask that is known.
fn flags(builder: &mut Builder<'_>, flags: &[bool]) -> ValueId {
    let bit = builder.ir.int_type(1);
    let flags: Vec<Attr> = flags.iter().map(|&flag| Attr::Bool(flag)).collect();
    constant(builder, bit, &flags)
}

/// Whether indices count one by one from the first one, where a mask wants them.
fn counts(builder: &mut Builder<'_>, places: ValueId, mask: Option<ValueId>, width: i64) -> ValueId {
    let (ty, elem) = (builder.ir.type_of(places), builder.ir.elem_of(places));
    let numbers: Vec<Attr> = (0..width).map(|number| Attr::Int { value: number.into(), ty: elem }).collect();
    let numbers = constant(builder, elem, &numbers);
    let first = builder.extract(places, &[0]);
    let first = builder.broadcast(first, ty);
    let counted = builder.binary(Opcode::ArithAddi, first, numbers);
    let mut flags = compare(builder, EQUAL, places, counted);
    if let Some(mask) = mask {
        let bits = builder.ir.type_of(mask);
        let bit = builder.ir.elem_of(mask);
        let yes = builder.constant(Attr::Bool(true), bit);
        let yes = builder.broadcast(yes, bits);
        flags = select(builder, mask, flags, yes);
    }
    let kind = builder.keyword_attr("vector.kind", "and");
    let bit = builder.ir.int_type(1);
    builder.value(Opcode::VectorReduction, &[flags], bit, &[("kind", kind)])
}
