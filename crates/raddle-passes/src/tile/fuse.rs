//! Fuse: tile an operation, and with it what makes its operands and what uses its results.

use std::collections::VecDeque;

use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{Builder, Code, Def, Diag, Expr, Ir, OpId, Opcode, ValueId};

use super::nest::{Loops, Nest, above, follows};
use super::part::{self, Tile, extents};
use super::slices;
use crate::structured::space::{Reach, Space};
use crate::structured::windows;

/// What is fused.
pub(crate) struct Rules<'a> {
    /// Operations that are tiled by themselves.
    pub roots: &'a [OpId],
    /// Whether what makes an output is computed inside.
    pub outputs: bool,
    /// Whether the loops also give what is computed inside and used behind them.
    pub keep: bool,
    /// Whether what uses the results is computed inside.
    pub consumers: bool,
    /// Whether the loops leave out results that nobody uses.
    pub used_only: bool,
    /// What is done with slices.
    pub slices: slices::Rules,
}

/// Tiles an operation: `sizes` has the tile of each loop, 0 for one that stays whole. Returns the loops that were made, from
/// the outside in, and the operation that is in them.
pub(crate) fn tile(
    ir: &mut Ir,
    root: OpId,
    sizes: &[i64],
    loops: &Loops,
    rules: &Rules<'_>,
) -> Result<(Vec<OpId>, OpId), Diag> {
    let space = space(ir, root, sizes, matches!(loops, Loops::Forall(_)))?;
    let tiled: Vec<usize> = (0..sizes.len()).filter(|&d| sizes[d] != 0).collect();
    if tiled.is_empty() {
        return Ok((Vec::new(), root));
    }
    let ends = extents(&mut Builder::before(ir, root), root, &space);
    let bounds = tiled.iter().map(|&d| (ends[d], sizes[d])).collect();
    let mut nest = Nest::open(ir, root, bounds);
    let tile = tile_of(ir, &nest, &ends, &tiled);
    let mut operands = ir.operands(root).to_vec();
    for i in space.outputs.clone() {
        operands[i] = nest.fill(ir, operands[i]);
    }
    let part = part::part(&mut nest.builder(ir), root, &space, &tile, &operands, &[]);
    let results: Vec<(ValueId, ValueId)> = ir.results(part.op).zip(ir.results(root)).collect();
    for ((i, (value, target)), place) in space.outputs.zip(results).zip(part.places) {
        nest.put(operands[i], value, place, Some(target));
    }
    let mut fusion = Fusion { nest, root, tile: steps(&tile, &tiled), rules };
    fusion.producers(ir, part.slices.into());
    if rules.consumers {
        fusion.consumers(ir);
    }
    if rules.used_only {
        fusion.nest.drop_unused(ir);
    }
    let (made, _) = fusion.nest.close(ir, loops);
    if ir.results(root).all(|result| ir.is_unused(result)) {
        ir.erase(root);
    }
    Ok((made, part.op))
}

/// The loops of an operation that is tiled by these sizes, if it can be.
pub(crate) fn space(ir: &Ir, op: OpId, sizes: &[i64], at_once: bool) -> Result<Space, Diag> {
    let refuse = |message: String| Diag::error(Code::CannotTile, ir.span(op), message);
    let space = Space::of(ir, op).ok_or_else(|| refuse(format!("`{}` cannot be tiled", ir.name(op))))?;
    if sizes.len() > space.reduction.len() {
        return Err(refuse(format!("{} tile sizes are given for {} loops", sizes.len(), space.reduction.len())));
    }
    for (d, &size) in sizes.iter().enumerate().filter(|(_, size)| **size != 0) {
        if size < 0 {
            return Err(refuse(format!("loop {d} cannot have tiles of {size}")));
        }
        if !space.cuts(d) {
            return Err(refuse(format!("`{}` is done along loop {d} as a whole", ir.name(op))));
        }
        if at_once && (space.reduction[d] || !space.separates(d)) {
            return Err(refuse(format!("loop {d} of `{}` combines into its results", ir.name(op)))
                .note("tiles that are computed at once must write elements of their own"));
        }
    }
    Ok(space)
}

/// The tile of all loops, where the loops of a nest go along some of them.
pub(crate) fn tile_of(ir: &mut Ir, nest: &Nest, ends: &[Mixed], tiled: &[usize]) -> Tile {
    let indices = nest.indices(ir);
    let mut builder = nest.builder(ir);
    let mut tile = Tile { offsets: vec![Mixed::Static(0); ends.len()], sizes: ends.to_vec() };
    for (i, &d) in tiled.iter().enumerate() {
        tile.offsets[d] = Mixed::Value(indices[i]);
        tile.sizes[d] = nest.size(&mut builder, i);
    }
    tile
}

/// What a nest's loops step over.
pub(crate) fn steps(tile: &Tile, tiled: &[usize]) -> Tile {
    let pick = |list: &[Mixed]| tiled.iter().map(|&d| list[d]).collect();
    Tile { offsets: pick(&tile.offsets), sizes: pick(&tile.sizes) }
}

/// A nest, and what is computed in it.
pub(crate) struct Fusion<'a> {
    pub nest: Nest,
    pub root: OpId,
    /// The index and the extent of a step of each loop.
    pub tile: Tile,
    pub rules: &'a Rules<'a>,
}

impl Fusion<'_> {
    /// Computes what slices are taken from, slice by slice.
    pub fn producers(&mut self, ir: &mut Ir, mut slices: VecDeque<ValueId>) {
        while let Some(slice) = slices.pop_front() {
            if let Some(next) = slices::step_back(ir, slice, self.rules.slices) {
                slices.push_back(next);
            } else if let Some(new) = self.producer(ir, slice) {
                slices.extend(new);
            }
        }
    }

    fn producer(&mut self, ir: &mut Ir, slice: ValueId) -> Option<Vec<ValueId>> {
        let op = ir.def_op(slice).filter(|&op| ir.opcode(op) == Opcode::TensorExtractSlice)?;
        let view = SliceView::of(ir, op);
        let plain = view.strides.iter().all(|&stride| stride == Mixed::Static(1));
        if !plain || view.sizes.len() != ir.shape_of(slice).len() {
            return None;
        }
        let place = Tile { offsets: view.offsets, sizes: view.sizes };
        let filled = self.nest.init(view.base).filter(|_| self.rules.outputs);
        let Def::Result { op: made, index } = ir.def(filled.unwrap_or(view.base)) else { return None };
        if self.rules.roots.contains(&made)
            || windows::is_window(ir, made)
            || made == self.root
            || ir.parent_block(made) == Some(self.nest.body)
        {
            return None;
        }
        let space = Space::of(ir, made).filter(|space| !space.scatters)?;
        let output = space.outputs.start + index as usize;
        let whole = ir.result(made, index as usize);
        let fixed = loops_at(ir, &space, whole, &space.reaches[output], &place)?;
        let mut operands = ir.operands(made).to_vec();
        let init = operands[output];
        let kept = if filled.is_none() && self.is_needed(ir, whole) && self.covers(ir, whole, &place) {
            Some(self.nest.fill(ir, init))
        } else {
            None
        };
        if let Some(arg) = filled.map(|_| view.base).or(kept) {
            operands[output] = arg;
        }
        let mut builder = Builder::before(ir, op);
        let ends = extents(&mut builder, made, &space);
        let tile = complete(&ends, &fixed);
        let part = part::part(&mut builder, made, &space, &tile, &operands, &[]);
        let value = ir.result(part.op, index as usize);
        if filled.is_some() {
            self.nest.set_init(view.base, init);
        }
        if let Some(arg) = kept {
            self.nest.put(arg, value, place, Some(whole));
        }
        ir.replace_uses(slice, value);
        ir.erase(op);
        Some(part.slices)
    }

    /// Whether what is computed inside is used behind the loops, and they do not give it yet.
    fn is_needed(&self, ir: &Ir, whole: ValueId) -> bool {
        self.rules.keep
            && self.nest.made(whole).is_none()
            && ir.uses(whole).any(|(user, _)| user != self.root && follows(ir, user, self.root))
    }

    /// Whether the tiles of a value fill all of it, each its own part.
    fn covers(&self, ir: &Ir, whole: ValueId, place: &Tile) -> bool {
        let mut loops: Vec<usize> = Vec::new();
        for (d, &extent) in ir.shape_of(whole).iter().enumerate() {
            let (offset, size) = (place.offsets[d], place.sizes[d]);
            if offset == Mixed::Static(0) && size == Mixed::Static(extent) {
                continue;
            }
            let along = (0..self.tile.offsets.len())
                .find(|&i| self.tile.offsets[i] == offset && self.tile.sizes[i] == size && !loops.contains(&i));
            match along {
                Some(i) if self.nest.bounds[i].0 == Mixed::Static(extent) => loops.push(i),
                _ => return false,
            }
        }
        loops.len() == self.tile.offsets.len()
    }

    /// Computes what uses the results inside, one operation after another.
    pub fn consumers(&mut self, ir: &mut Ir) {
        let mut done = Vec::new();
        while let Some(user) = self.first_user(ir, &done) {
            let Some(slices) = self.consumer(ir, user) else { break };
            done.push(user);
            self.producers(ir, slices.into());
        }
    }

    /// The first operation behind the loops that uses what they give.
    fn first_user(&self, ir: &Ir, done: &[OpId]) -> Option<OpId> {
        let users = self.nest.targets().into_iter().flat_map(|target| ir.uses(target));
        let behind = users.filter(|(user, _)| !done.contains(user) && follows(ir, *user, self.root));
        let mut found: Option<OpId> = None;
        for (user, _) in behind {
            let user = above(ir, user, self.root)?;
            if found.is_none_or(|first| first != user && follows(ir, first, user)) {
                found = Some(user);
            }
        }
        found
    }

    fn consumer(&mut self, ir: &mut Ir, user: OpId) -> Option<Vec<ValueId>> {
        if self.rules.roots.contains(&user) {
            return None;
        }
        let space = Space::of(ir, user)?;
        let mut operands = ir.operands(user).to_vec();
        let mut given: Vec<Option<ValueId>> = vec![None; operands.len()];
        let mut fixed: Vec<Option<(Mixed, Mixed)>> = vec![None; space.reduction.len()];
        for (i, &operand) in operands.iter().enumerate() {
            let Some((value, place)) = self.nest.made(operand) else { continue };
            if i >= space.reaches.len() || space.outputs.contains(&i) {
                return None;
            }
            let here = loops_at(ir, &space, operand, &space.reaches[i], place)?;
            for (known, here) in fixed.iter_mut().zip(here) {
                if known.is_some() && here.is_some() && *known != here {
                    return None;
                }
                *known = known.or(here);
            }
            given[i] = Some(value);
        }
        // The body may use only numbers from outside.
        let inner = ir.walk(user);
        let uses_result =
            |ir: &Ir| inner.iter().any(|&op| ir.operands(op).iter().any(|&v| self.nest.made(v).is_some()));
        if uses_result(ir) {
            return None;
        }
        // A loop of which each tile does a part must give each tile elements of its own.
        for (d, fixed) in fixed.iter().enumerate() {
            let partial = fixed.is_some_and(|(offset, _)| offset != Mixed::Static(0));
            if partial && (space.reduction[d] || !space.separates(d)) {
                return None;
            }
        }
        // Each tile of the nest must lie in a tile of its own here, too.
        let alone = |offset: &Mixed| fixed.iter().flatten().any(|(here, _)| here == offset);
        if !self.tile.offsets.iter().all(alone) {
            return None;
        }
        let nest = self.nest.op;
        ir.detach(nest);
        ir.insert_before(user, nest);
        let ends = extents(&mut self.nest.builder(ir), user, &space);
        let tile = complete(&ends, &fixed);
        for i in space.outputs.clone() {
            operands[i] = self.nest.fill(ir, operands[i]);
        }
        let part = part::part(&mut self.nest.builder(ir), user, &space, &tile, &operands, &given);
        let results: Vec<(ValueId, ValueId)> = ir.results(part.op).zip(ir.results(user)).collect();
        for ((i, (value, target)), place) in space.outputs.zip(results).zip(part.places) {
            self.nest.put(operands[i], value, place, Some(target));
        }
        Some(part.slices)
    }
}

/// Which part of each loop leads to a tile of an operand; `None` where the tile does not say.
fn loops_at(
    ir: &Ir,
    space: &Space,
    operand: ValueId,
    reach: &Reach,
    place: &Tile,
) -> Option<Vec<Option<(Mixed, Mixed)>>> {
    let mut fixed: Vec<Option<(Mixed, Mixed)>> = vec![None; space.reduction.len()];
    for (i, expr) in reach.iter().enumerate() {
        let here = (place.offsets[i], place.sizes[i]);
        match expr {
            Some(Expr::Dim(d)) => match &mut fixed[*d as usize] {
                Some(known) if *known != here => return None,
                known => *known = Some(here),
            },
            Some(_) => return None,
            // There must be all of it.
            None => {
                let one = Tile { offsets: vec![here.0], sizes: vec![here.1] };
                let extent = ir.shape_of(operand)[i];
                if one.offsets[0] != Mixed::Static(0) || one.sizes[0] != Mixed::Static(extent) {
                    return None;
                }
            }
        }
    }
    Some(fixed)
}

/// The tile of all loops: those that are not said are whole.
fn complete(ends: &[Mixed], fixed: &[Option<(Mixed, Mixed)>]) -> Tile {
    let pick = |d: usize| fixed[d].unwrap_or((Mixed::Static(0), ends[d]));
    let (offsets, sizes) = (0..ends.len()).map(pick).unzip();
    Tile { offsets, sizes }
}
