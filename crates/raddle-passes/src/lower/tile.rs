//! Lower tiles: the elements that one thread moves in one operation, in as few accesses as alignment allows.
//!
//! Each element lies at an origin plus a constant; there are several origins where a stride is known only to the run. Elements with neighbouring constants are moved together, 2, 4, 8
//! or 16 at a time, where the first one's place is known to be a multiple of their number: then the access is naturally
//! aligned, because buffers begin at a multiple of 16 bytes, the widest access, or accesses are narrower.
//! An element that may lie outside, or is masked, is moved under a branch; neighbours with the same condition share it.

use raddle_ir::{Opcode, Scalar, TypeId, ValueId};
use raddle_layout::sort::sort_by_key;

use super::Cx;
use super::bounds::Check;
use super::linear::Linear;

/// `ult` as `arith.cmpi` numbers it.
const BELOW: i64 = 6;

/// What must hold for an element to take part.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Guard {
    /// Index, constant, extent: 0 <= index + constant < extent.
    pub bounds: Vec<(Linear, i64, Linear)>,
    /// A mask bit that is not a constant.
    pub mask: Option<ValueId>,
    /// It never does.
    pub never: bool,
}

/// What one thread moves.
pub(super) struct Tile {
    /// The row of elements.
    pub base: ValueId,
    /// Element type.
    pub elem: TypeId,
    /// Without constants.
    pub origins: Vec<Linear>,
    /// The origin and the constant of each element, in the vector's row-major order.
    pub places: Vec<(usize, i64)>,
    /// What must hold for each; empty where nothing must.
    pub guards: Vec<Guard>,
    /// What is checked where an element is moved.
    pub checks: Vec<Check>,
    /// The place in its row of the first element, if all rows begin and end at multiples of what is moved.
    pub in_whole_row: Option<Linear>,
}

/// Elements that are moved together.
struct Group {
    place: (usize, i64),
    /// The element of the vector at each place; several where the tile repeats.
    slots: Vec<Vec<usize>>,
    guard: Option<Guard>,
}

impl Cx<'_> {
    /// The elements that a tile reads.
    pub(super) fn read_tile(&mut self, tile: &Tile, padding: Option<ValueId>) -> Vec<ValueId> {
        let padding = || padding.expect("a read that may not happen has padding");
        let mut elements = vec![None; tile.places.len()];
        for group in self.groups(tile) {
            let width = group.slots.len();
            let loaded = match &group.guard {
                None => self.load(tile, group.place, width),
                Some(guard) => {
                    let condition = self.condition(guard);
                    match self.truth(condition) {
                        Some(true) => self.load(tile, group.place, width),
                        Some(false) => vec![padding(); width],
                        None => {
                            let types = vec![tile.elem; width];
                            let branch = self.emit(Opcode::ScfIf, &[condition], &types, self.no_attrs);
                            self.open(branch);
                            let inside = self.load(tile, group.place, width);
                            self.close(&inside);
                            self.open(branch);
                            self.close(&vec![padding(); width]);
                            self.ir.results(branch).collect()
                        }
                    }
                }
            };
            for (slots, value) in group.slots.into_iter().zip(loaded) {
                for slot in slots {
                    elements[slot] = Some(value);
                }
            }
        }
        elements.into_iter().map(|element| element.unwrap_or_else(padding)).collect()
    }

    /// Writes the elements of a tile.
    pub(super) fn write_tile(&mut self, tile: &Tile, elements: &[ValueId]) {
        for group in self.groups(tile) {
            // Of several elements for one place, the last one stays.
            let values: Vec<ValueId> =
                group.slots.iter().filter_map(|slots| slots.last()).map(|&slot| elements[slot]).collect();
            let condition = group.guard.as_ref().map(|guard| self.condition(guard));
            match condition.map(|condition| (condition, self.truth(condition))) {
                None | Some((_, Some(true))) => self.store(tile, group.place, &values),
                Some((_, Some(false))) => {}
                Some((condition, None)) => {
                    let branch = self.emit(Opcode::ScfIf, &[condition], &[], self.no_attrs);
                    self.open(branch);
                    self.store(tile, group.place, &values);
                    self.close(&[]);
                    self.ir.add_region(branch);
                }
            }
        }
    }

    /// Splits a tile into accesses.
    fn groups(&self, tile: &Tile) -> Vec<Group> {
        let mut order: Vec<usize> = (0..tile.places.len()).collect();
        order.retain(|&slot| tile.guards.get(slot).is_none_or(|guard| !guard.never));
        sort_by_key(&mut order, |&slot| tile.places[slot]);
        // Places, each with the slots that go there.
        let mut places: Vec<((usize, i64), Vec<usize>)> = Vec::with_capacity(order.len());
        for slot in order {
            match places.last_mut() {
                Some((place, slots))
                    if *place == tile.places[slot] && tile.guards.get(slots[0]) == tile.guards.get(slot) =>
                {
                    slots.push(slot);
                }
                _ => places.push((tile.places[slot], vec![slot])),
            }
        }
        let widest: Vec<i64> = tile.origins.iter().map(|&origin| self.widest(tile, origin)).collect();
        let mut groups = Vec::new();
        let mut at = 0;
        while at < places.len() {
            let mut width = widest[places[at].0.0];
            while width > 1 && !self.move_together(tile, &places[at..], width) {
                width /= 2;
            }
            let taken = &places[at..at + width as usize];
            let guard = tile.guards.get(taken[0].1[0]);
            let guard = guard.filter(|guard| **guard != Guard::default()).cloned();
            groups.push(Group { place: taken[0].0, slots: taken.iter().map(|place| place.1.clone()).collect(), guard });
            at += width as usize;
        }
        groups
    }

    /// The most elements that one access may move at an origin.
    fn widest(&self, tile: &Tile, origin: Linear) -> i64 {
        let bytes = Scalar::of(&self.ir[tile.elem]).map_or(1, Scalar::bytes) as i64;
        let most = self.elements_per_access(tile.elem);
        let most = most.min((self.unaligned.begins_at(self.ir, tile.base) / bytes).max(1));
        match self.forms.multiple_of_terms(tile.in_whole_row.unwrap_or(origin)) {
            0 => most,
            multiple => most.min(1 << multiple.trailing_zeros().min(4)),
        }
    }

    /// Whether the first `width` places are neighbours, aligned, and take part under one condition.
    fn move_together(&self, tile: &Tile, places: &[((usize, i64), Vec<usize>)], width: i64) -> bool {
        let Some(places) = places.get(..width as usize) else { return false };
        let (origin, first) = places[0].0;
        let neighbours = first.rem_euclid(width) == 0
            && places.iter().zip(first..).all(|(place, offset)| place.0 == (origin, offset));
        let guard = |place: &((usize, i64), Vec<usize>)| {
            tile.guards.get(place.1[0]).map(|guard| self.coarse(guard, width, tile.in_whole_row))
        };
        neighbours && (tile.guards.is_empty() || places.iter().all(|place| guard(place) == guard(&places[0])))
    }

    /// A condition that is equal for elements that it lets through together: where index and extent are multiples of
    /// the width, all elements of an aligned group are inside, or none is.
    fn coarse(&self, guard: &Guard, width: i64, in_whole_row: Option<Linear>) -> Guard {
        let mut guard = guard.clone();
        for (index, offset, extent) in &mut guard.bounds {
            let ends = || in_whole_row == Some(*index) || self.forms.multiple(*extent) % width == 0;
            if self.forms.multiple_of_terms(*index) % width == 0 && ends() {
                *offset -= (*offset + self.forms.constant_part(*index)).rem_euclid(width);
            }
        }
        guard
    }

    fn condition(&mut self, guard: &Guard) -> ValueId {
        let mut condition = guard.mask;
        for &(index, offset, extent) in &guard.bounds {
            let place = self.forms.add_constant(index, offset);
            let inside = if self.forms.is_natural(place) { self.less(place, extent) } else { None };
            let bit = match inside {
                Some(true) => continue,
                Some(false) => {
                    let bit = self.ir.int_type(1);
                    return self.int(0, bit);
                }
                None => {
                    // A negative index is a large one without sign.
                    let (place, size) = (self.compute(place), self.compute(extent));
                    self.compare(BELOW, place, size)
                }
            };
            condition = Some(match condition {
                None => bit,
                Some(so_far) => self.binary(Opcode::ArithAndi, so_far, bit),
            });
        }
        match condition {
            Some(condition) => condition,
            None => {
                let bit = self.ir.int_type(1);
                self.int(-1, bit)
            }
        }
    }

    fn address(&mut self, tile: &Tile, (origin, offset): (usize, i64)) -> ValueId {
        let place = self.forms.add_constant(tile.origins[origin], offset);
        self.compute(place)
    }

    fn load(&mut self, tile: &Tile, place: (usize, i64), width: usize) -> Vec<ValueId> {
        self.check(&tile.checks);
        let at = self.address(tile, place);
        if width == 1 {
            return vec![self.value(Opcode::MemrefLoad, &[tile.base, at], tile.elem, self.no_attrs)];
        }
        let ty = self.ir.vector_type(&[width as i64], tile.elem);
        let vector = self.value(Opcode::VectorLoad, &[tile.base, at], ty, self.no_attrs);
        self.unpack(vector)
    }

    fn store(&mut self, tile: &Tile, place: (usize, i64), values: &[ValueId]) {
        self.check(&tile.checks);
        let at = self.address(tile, place);
        if let &[value] = values {
            self.emit(Opcode::MemrefStore, &[value, tile.base, at], &[], self.no_attrs);
            return;
        }
        let ty = self.ir.vector_type(&[values.len() as i64], tile.elem);
        let vector = self.value(Opcode::VectorFromElements, values, ty, self.no_attrs);
        self.emit(Opcode::VectorStore, &[vector, tile.base, at], &[], self.no_attrs);
    }
}
