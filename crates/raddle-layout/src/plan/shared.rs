//! Conversions through shared memory, with a swizzle that keeps lanes out of each other's banks.
//!
//! The elements that one phase of an access touches are a subspace T: the vector in a lane's registers and the first
//! lanes. Offsets are coordinates in a basis (low, bank, segment): elements share a bank where they differ by the
//! segment S. So an access is free of conflicts where S meets T in nothing but 0; a common complement of both sides' T
//! is a segment for stores and loads at once.

use super::form::Pair;
use super::{Access, Cost, Exchange, Form, Machine, OfPlace, Offsets, PlanError, Scope, Side, Step, Way};
use crate::access::{Banks, wavefronts};
use crate::f2::{Solver, Space, combine, common_complement, low_bits};
use crate::layout::Hardware;

/// One side's columns, in coordinates of the elements that are exchanged.
struct Part {
    /// Independent slots, each with its slot number.
    slots: Vec<(u64, u64)>,
    lane: Vec<u64>,
    subgroup: Vec<u64>,
    lanes_without: u64,
    subgroups_without: u64,
}

/// What is exchanged.
pub(super) struct Problem {
    pub n: usize,
    store: Part,
    load: Part,
    /// The target's slots, with replicas.
    load_slots: Vec<u64>,
    scope: Scope,
    n_subgroups: usize,
    element_bytes: i64,
    /// Slots that both sides share and that are exchanged one after the other, with the numbers of the slots.
    turns: Vec<(u64, u64, u64)>,
}

/// A choice of what lies at neighbouring offsets.
#[derive(Clone)]
pub(super) struct Choice {
    low: Vec<u64>,
    store: Style,
    load: Style,
}

/// Both sides of an exchange, and the order of slots around it.
pub(super) struct Sides {
    /// The source's slots as they are stored.
    pub gathered: Vec<usize>,
    pub store: Side,
    pub load: Side,
    /// The loaded slot of each slot of the target.
    pub scatter: Vec<usize>,
    pub n_loaded: usize,
}

/// How a side accesses memory: as vectors of `2^bits` elements, or as rows of matrices.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Style {
    Plain(usize),
    Matrix(usize),
    Transposed(u64),
}

impl Choice {
    /// Whether each lane accesses consecutive elements on both sides.
    pub fn is_plain(&self) -> bool {
        matches!((self.store, self.load), (Style::Plain(_), Style::Plain(_)))
    }
}

/// The cheapest exchange of a pair of linear layouts.
pub(super) fn exchange(pair: &Pair, machine: &Machine) -> Result<Way, PlanError> {
    let element_bytes = (pair.element_bits / 8).max(1);
    let mut found: Option<Way> = None;
    let mut needed = 0;
    let scopes: &[Scope] = if pair.apart { &[Scope::Subgroup] } else { &[Scope::Subgroup, Scope::Workgroup] };
    for &scope in scopes {
        // What a subgroup can do alone costs the same memory accesses and the lesser barrier.
        if found.is_some() && machine.costs.subgroup_barrier <= machine.costs.barrier {
            break;
        }
        let mut cut = 0;
        while let Some(problem) = Problem::of(pair, scope, cut, element_bytes) {
            let part_bytes = problem.bytes();
            needed = part_bytes;
            if part_bytes > machine.shared_bytes_max {
                cut += 1;
                continue;
            }
            for choice in problem.choices(pair, machine) {
                let least = problem.least(pair, &choice, machine);
                if found.as_ref().is_some_and(|best| best.cost.total <= least) {
                    continue;
                }
                let Some(way) = problem.realize(pair, machine, &choice, 0) else { continue };
                if found.as_ref().is_none_or(|best| way.cost.total < best.cost.total) {
                    found = Some(way);
                }
            }
            break;
        }
    }
    // Where lanes hold what must wait, they stand aside in all rounds but one.
    for &scope in scopes {
        let problem = if found.is_none() { Problem::of(pair, scope, 0, element_bytes) } else { None };
        let Some(problem) = problem else { continue };
        let least = machine.banks.row_bytes().max(machine.banks.access_bytes_max);
        let split = (0..problem.n).find(|split| problem.bytes() >> split <= machine.shared_bytes_max);
        let Some(split) = split.filter(|split| (problem.element_bytes << (problem.n - split)) >= least) else {
            continue;
        };
        let ways = problem.choices(pair, machine).into_iter();
        let ways = ways.filter_map(|choice| problem.realize(pair, machine, &choice, split));
        found = ways.min_by_key(|way| way.cost.total);
    }
    found.ok_or(PlanError::Memory { needed, have: machine.shared_bytes_max })
}

impl Problem {
    /// The columns of both sides, with `cut` shared slots taken out; `None` where the scope does not do.
    pub fn of(pair: &Pair, scope: Scope, cut: usize, element_bytes: i64) -> Option<Problem> {
        let (source, target) = (&pair.source, &pair.target);
        let n_subgroup_bits = source.subgroup.len();
        let held = |hardware| source.held(hardware).map(|(_, image)| image);
        let mut all: Vec<u64> = held(Hardware::Slot).chain(held(Hardware::Lane)).collect();
        let (mut shifts, mut target_subgroup) = (source.subgroup.clone(), target.subgroup.clone());
        if scope == Scope::Subgroup {
            if source.empty[2] & !target.empty[2] != 0 {
                return None;
            }
            for bit in 0..n_subgroup_bits {
                let wanted = target.empty[2] >> bit & 1 == 0;
                shifts[bit] = if wanted { source.subgroup[bit] ^ target.subgroup[bit] } else { 0 };
                target_subgroup[bit] = 0;
            }
        } else {
            all.extend(held(Hardware::Subgroup));
        }
        let mut space = Space::default();
        space.extend(&all);
        let wanted = [&target.slot[..], &target.lane, &target_subgroup, &shifts].concat();
        if scope == Scope::Subgroup && !wanted.iter().all(|&image| space.contains(image)) {
            return None;
        }
        if !target.slot.iter().chain(&target.lane).chain(&target_subgroup).all(|&image| space.contains(image)) {
            return None;
        }
        // Coordinates: lanes and other slots first, slots to be taken out last.
        let ours = Space::span(&held(Hardware::Slot).collect::<Vec<u64>>());
        let common = ours.intersect(&Space::span(&target.slot));
        if cut > common.dim() {
            return None;
        }
        let out: Vec<u64> = common.basis().iter().rev().take(cut).copied().collect();
        let mut seen = Space::span(&out);
        let lanes: Vec<u64> = held(Hardware::Lane).chain(held(Hardware::Subgroup)).collect();
        let mut basis = seen.extend(&[&lanes[..], &target.lane, &target_subgroup].concat());
        basis.retain(|&image| space.contains(image));
        basis.extend(seen.extend(&all));
        let n = basis.len();
        basis.extend(&out);
        let solver = Solver::new(&basis);
        let fold = |images: &[u64]| images.iter().map(|&image| solver.solve(image)).collect::<Option<Vec<u64>>>();
        let source_slots: Vec<(usize, u64)> = source.held(Hardware::Slot).collect();
        let mut store_seen = Space::default();
        let independent = |columns: &[(usize, u64)], seen: &mut Space| -> Option<Vec<(u64, u64)>> {
            let mut slots = Vec::new();
            for &(bit, image) in columns {
                let image = solver.solve(image)?;
                if seen.insert(image) {
                    slots.push((image, 1u64 << bit));
                }
            }
            Some(slots)
        };
        let store_slots = independent(&source_slots, &mut store_seen)?;
        let target_slots: Vec<(usize, u64)> = target.slot.iter().copied().enumerate().collect();
        let load_slots_independent = independent(&target_slots, &mut Space::default())?;
        // Lanes that hold what others hold do not store.
        let blank = |images: &[u64], empty: u64| -> Vec<u64> {
            images.iter().enumerate().map(|(bit, &image)| if empty >> bit & 1 == 1 { 0 } else { image }).collect()
        };
        let lane = fold(&blank(&source.lane, source.empty[1]))?;
        let subgroup = fold(&blank(&shifts, source.empty[2]))?;
        let mut idle = |images: &[u64]| {
            let bits = images.iter().enumerate().map(|(bit, &image)| u64::from(!store_seen.insert(image)) << bit);
            bits.fold(0, |all, bit| all | bit)
        };
        let lanes_without = idle(&lane);
        let subgroups_without = if scope == Scope::Subgroup { 0 } else { idle(&subgroup) };
        let load_lane = fold(&target.lane)?;
        let load_subgroup = fold(&target_subgroup)?;
        // What is exchanged at different times must not depend on the lane.
        let late = |image: &u64| image >> n != 0;
        if cut > 0 && lane.iter().chain(&subgroup).chain(&load_lane).chain(&load_subgroup).any(late) {
            return None;
        }
        let mut turns = Vec::new();
        for &image in &out {
            let coordinate = solver.solve(image)?;
            let number = |slots: &[(u64, u64)]| {
                let images: Vec<u64> = slots.iter().map(|slot| slot.0).collect();
                let numbers: Vec<u64> = slots.iter().map(|slot| slot.1).collect();
                Solver::new(&images).solve(coordinate).map(|choice| combine(&numbers, choice))
            };
            turns.push((coordinate, number(&store_slots)?, number(&load_slots_independent)?));
        }
        Some(Problem {
            n,
            load_slots: fold(&target.slot)?,
            store: Part { slots: store_slots, lane, subgroup, lanes_without, subgroups_without },
            load: Part {
                slots: load_slots_independent,
                lane: load_lane,
                subgroup: load_subgroup,
                lanes_without: 0,
                subgroups_without: 0,
            },
            scope,
            n_subgroups: pair.n_subgroups,
            element_bytes,
            turns,
        })
    }

    fn bytes(&self) -> i64 {
        let copies = if self.scope == Scope::Subgroup { self.n_subgroups as i64 } else { 1 };
        (1i64 << self.n.min(40)) * self.element_bytes * copies
    }

    /// Slots of one side as elements, without those exchanged one after the other.
    fn slot_space(&self, part: &Part) -> Space {
        let images: Vec<u64> = part.slots.iter().map(|slot| slot.0 & low_bits(self.n)).collect();
        Space::span(&images)
    }

    pub fn choices(&self, pair: &Pair, machine: &Machine) -> Vec<Choice> {
        let max = (machine.banks.access_bytes_max / self.element_bytes).max(1).ilog2() as usize;
        let (ours, theirs) = (self.slot_space(&self.store), self.slot_space(&self.load));
        let common_space = ours.intersect(&theirs);
        // Slots that both sides have side by side already come first.
        let ordered = |part: &Part, within: &Space| {
            let mut space = Space::default();
            let own: Vec<u64> =
                part.slots.iter().map(|slot| slot.0 & low_bits(self.n)).filter(|&e| within.contains(e)).collect();
            let mut list = space.extend(&own);
            list.extend(space.extend(within.basis()));
            list
        };
        let common = ordered(&self.load, &common_space);
        let mut choices = Vec::new();
        let mut plain = |n_common: usize| {
            let base: Vec<u64> = common.iter().copied().take(n_common).collect();
            choices.push(Choice { low: base.clone(), store: Style::Plain(n_common), load: Style::Plain(n_common) });
            if n_common == max || n_common < common.len().min(max) {
                return;
            }
            for (part, space, stores) in [(&self.store, &ours, true), (&self.load, &theirs, false)] {
                let mut seen = Space::span(&base);
                let more = seen.extend(&ordered(part, space));
                for n_more in 1..=more.len().min(max - n_common) {
                    let low: Vec<u64> = base.iter().chain(more.iter().take(n_more)).copied().collect();
                    let wide = Style::Plain(low.len());
                    let narrow = Style::Plain(n_common);
                    let (store, load) = if stores { (wide, narrow) } else { (narrow, wide) };
                    choices.push(Choice { low, store, load });
                }
            }
        };
        // Wide ones first: they are the cheapest as a rule, and others need not be looked at then.
        for n_common in (0..=common.len().min(max)).rev() {
            plain(n_common);
        }
        choices.extend(self.matrix_choices(pair, machine, max));
        choices
    }

    fn matrix_choices(&self, pair: &Pair, machine: &Machine, max: usize) -> Vec<Choice> {
        let mut choices = Vec::new();
        let lanes = self.store.lane.len() == 5 && machine.banks.access_bytes_max >= 16;
        if !lanes || !matches!(pair.element_bits, 8 | 16 | 32) {
            return choices;
        }
        let word = (32 / pair.element_bits).ilog2() as usize;
        // Each way to access matrices fixes what lies in their rows.
        let forms = |part: &Part, plain: bool, transposed: bool| {
            let mut forms: Vec<(Vec<u64>, Style)> = Vec::new();
            let slots: Vec<u64> = part.slots.iter().map(|slot| slot.0).filter(|&e| e >> self.n == 0).collect();
            if part.lanes_without != 0 {
                return forms;
            }
            if plain && slots.len() >= word {
                let low = slots[..word].iter().chain(&part.lane[..2]).copied().collect();
                forms.push((low, Style::Matrix(word)));
            }
            if transposed && pair.element_bits == 16 {
                forms.extend(slots.iter().take(1).map(|&y| (part.lane[2..5].to_vec(), Style::Transposed(y))));
            }
            forms
        };
        let stores = forms(&self.store, machine.matrix_store, machine.matrix_store_transposed);
        let loads = forms(&self.load, machine.matrix_load, machine.matrix_load_transposed);
        for (low, load) in &loads {
            let space = self.slot_space(&self.store);
            let vector = low.iter().take_while(|&&element| space.contains(element)).count().min(max);
            choices.push(Choice { low: low.clone(), store: Style::Plain(vector), load: *load });
            for (other, store) in stores.iter().filter(|(other, _)| other == low) {
                choices.push(Choice { low: other.clone(), store: *store, load: *load });
            }
        }
        for (low, store) in &stores {
            let space = self.slot_space(&self.load);
            let vector = low.iter().take_while(|&&element| space.contains(element)).count().min(max);
            choices.push(Choice { low: low.clone(), store: *store, load: Style::Plain(vector) });
        }
        choices
    }

    /// The elements that a phase of an access touches.
    fn touched(&self, part: &Part, access: Style, low: &[u64], banks: &Banks) -> Vec<u64> {
        match access {
            Style::Plain(bits) => {
                let bytes = self.element_bytes << bits;
                let phases = banks.phases(bytes, 1 << part.lane.len());
                let lanes = phases.first().map_or(&[][..], |phase| &phase[..]);
                let first = lanes.first().copied().unwrap_or(0);
                let idle = part.lanes_without as usize;
                let vectors = lanes.iter().filter(|&&lane| lane & idle == 0 && lane != first);
                let lanes: Vec<u64> = vectors.map(|lane| combine(&part.lane, (lane ^ first) as u64)).collect();
                let mut space = Space::default();
                space.extend(&[&low[..bits], &lanes].concat())
            }
            Style::Matrix(_) => [low, &part.lane[2..5]].concat(),
            Style::Transposed(y) => [low, &[y], &part.lane[..2]].concat(),
        }
    }

    /// What a choice costs at least: every phase of every access is a wavefront.
    fn least(&self, pair: &Pair, choice: &Choice, machine: &Machine) -> i64 {
        let costs = &machine.costs;
        let side = |part: &Part, style: Style, banks: &Banks| {
            let lead = match style {
                Style::Plain(bits) | Style::Matrix(bits) => bits,
                Style::Transposed(_) => 1,
            };
            let accesses = (pair.parts as i64) << part.slots.len().saturating_sub(lead);
            let row = banks.row_bytes();
            match style {
                Style::Plain(bits) if part.lanes_without == 0 && banks.phases.is_empty() => {
                    let bytes = (self.element_bytes << bits).max(banks.word_bytes) << part.lane.len();
                    accesses * (costs.shared + (bytes / row).max(1) * costs.wavefront)
                }
                Style::Plain(_) => accesses * (costs.shared + costs.wavefront),
                Style::Matrix(_) | Style::Transposed(_) => accesses / 4 * costs.shared + accesses * costs.wavefront,
            }
        };
        side(&self.store, choice.store, &machine.banks) + side(&self.load, choice.load, &machine.load_banks)
    }

    /// Both sides of the exchange for a choice, or `None` where vectors would lie askew.
    pub(super) fn sides(&self, pair: &Pair, machine: &Machine, choice: &Choice) -> Option<Sides> {
        let n = self.n;
        let mut low = choice.low.clone();
        let mut seen = Space::default();
        if seen.extend(&low).len() != low.len() {
            return None;
        }
        let units: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
        // Elements smaller than a word share it with others.
        let word = (machine.banks.word_bytes / self.element_bytes).max(1).ilog2() as usize;
        let order: Vec<u64> = [&self.store, &self.load]
            .iter()
            .flat_map(|part| part.slots.iter().map(|slot| slot.0 & low_bits(n)))
            .filter(|&element| element != 0)
            .collect();
        let missing = word.saturating_sub(low.len());
        low.extend(seen.extend(&[&order[..], &units].concat()).into_iter().take(missing));
        let row = ((machine.banks.row_bytes() / self.element_bytes).max(1).ilog2() as usize).min(n);
        let side = |part: &Part, access: Style, banks: &Banks| {
            let mut space = Space::default();
            let touched = self.touched(part, access, &choice.low, banks);
            let touched = [&low[..word.min(low.len())], &touched].concat();
            for vector in touched {
                if space.dim() < row {
                    space.insert(vector);
                }
            }
            space
        };
        let mut ours = side(&self.store, choice.store, &machine.banks);
        let mut theirs = side(&self.load, choice.load, &machine.load_banks);
        let (first, second) = (ours.basis().to_vec(), theirs.basis().to_vec());
        for space in [&mut ours, &mut theirs] {
            for &vector in low.iter().chain(&first).chain(&second).chain(&units) {
                if space.dim() < row {
                    space.insert(vector);
                }
            }
        }
        let segment = common_complement(&ours, &theirs, n);
        let mut seen = Space::span(&low);
        if seen.extend(&segment).len() != segment.len() {
            return None;
        }
        let lanes = [&self.store.lane[..], &self.load.lane, &self.store.subgroup, &self.load.subgroup].concat();
        let bank = seen.extend(&[&lanes[..], &order, &units].concat());
        let basis: Vec<u64> = low.iter().chain(&bank).chain(&segment).copied().collect();
        let solver = Solver::new(&basis);
        let offset = |element: u64| solver.solve(element & low_bits(n));

        let (gather, store) = self.side(pair, &self.store, choice.store, &choice.low, &offset, End::Store)?;
        let (order, load) = self.side(pair, &self.load, choice.load, &choice.low, &offset, End::Load)?;
        // Loaded slots are numbered by the order of their basis; the target's own slots are sums of it.
        let images: Vec<u64> = order.iter().map(|slot| slot.0).collect();
        let solver = Solver::new(&images);
        let scatter = self.load_slots.iter().map(|&image| solver.solve(image)).collect::<Option<Vec<u64>>>()?;
        let n_loaded = 1usize << order.len();
        let scatter: Vec<usize> = (0..1u64 << scatter.len()).map(|slot| combine(&scatter, slot) as usize).collect();
        let numbers: Vec<u64> = gather.iter().map(|slot| slot.1).collect();
        let gathered: Vec<usize> = (0..1u64 << numbers.len()).map(|slot| combine(&numbers, slot) as usize).collect();
        Some(Sides { gathered, store, load, scatter, n_loaded })
    }

    /// The exchange for a choice, or `None` where vectors would lie askew.
    ///
    /// With a `split`, offsets that differ in that many of their highest bits take turns in the same memory.
    fn realize(&self, pair: &Pair, machine: &Machine, choice: &Choice, split: usize) -> Option<Way> {
        let n = self.n;
        let Sides { gathered, store, load, scatter, n_loaded } = self.sides(pair, machine, choice)?;
        let (store, load) = (take_turns(store, n - split, split)?, take_turns(load, n - split, split)?);
        let (store_waves, store_ideal) = self.waves(pair, &store, &self.store, choice.store, &machine.banks);
        let (load_waves, load_ideal) = self.waves(pair, &load, &self.load, choice.load, &machine.load_banks);
        let bytes = self.bytes() >> split;
        let whole = pair.parts as i64 * bytes;
        let parts_at_once = self.turns.is_empty() && split == 0 && whole <= machine.shared_bytes_max;
        let bytes = if parts_at_once { whole } else { bytes };
        let mut rounds = 1usize << (self.turns.len() + split);
        let (mut store, mut load) = (store, load);
        for side in [&mut store, &mut load] {
            let of_part = side.accesses.len() / pair.parts;
            for (index, access) in side.accesses.iter_mut().enumerate() {
                let part = index / of_part;
                match parts_at_once {
                    true => access.base = (part as i64) << n,
                    false => access.round += part * rounds,
                }
            }
        }
        if !parts_at_once {
            rounds *= pair.parts;
        }
        let barriers = 2 * rounds as i64 - 1;
        let (stores, loads) = (store.instructions, load.instructions);
        let size = (1i64 << (n - split)) * if parts_at_once { pair.parts as i64 } else { 1 };
        let element_bytes = self.element_bytes;
        let exchange =
            Exchange { scope: self.scope, element_bytes, size, rounds, store, load, n_slots: n_loaded * pair.parts };
        let steps = pair.wrap(vec![
            Step::Slots { from: pair.repeat(&gathered, 1 << pair.source.slot.len()) },
            Step::Exchange(Box::new(exchange)),
            Step::Slots { from: pair.repeat(&scatter, n_loaded) },
        ]);
        let subgroup = self.scope == Scope::Subgroup;
        let cost = Cost {
            permutes: pair.permutes(&steps),
            stores,
            loads,
            wavefronts: store_waves + load_waves,
            wavefronts_ideal: store_ideal + load_ideal,
            shared_bytes: bytes,
            barriers: if subgroup { 0 } else { barriers },
            subgroup_barriers: if subgroup { barriers } else { 0 },
            ..Cost::default()
        };
        let name = match (choice.store, choice.load) {
            (Style::Plain(_), Style::Plain(_)) => "shared memory",
            _ => "shared memory by matrices",
        };
        Some(Way { name, steps, cost: cost.weighed(machine) })
    }

    /// One side's accesses, and its slots in the order of their numbers: `(element, slot)`.
    fn side(
        &self,
        pair: &Pair,
        part: &Part,
        access: Style,
        low: &[u64],
        offset: &impl Fn(u64) -> Option<u64>,
        end: End,
    ) -> Option<(Vec<(u64, u64)>, Side)> {
        let (lead, aligned, form) = match access {
            Style::Plain(bits) => (low[..bits].to_vec(), bits, Form::Plain),
            Style::Matrix(bits) => (low[..bits].to_vec(), low.len(), Form::Matrix),
            Style::Transposed(y) => (vec![y], low.len(), Form::Transposed(offset(y)?)),
        };
        let mask = low_bits(aligned);
        let lanes = part.lane.iter().map(|&image| offset(image)).collect::<Option<Vec<u64>>>()?;
        let subgroups = part.subgroup.iter().map(|&image| offset(image)).collect::<Option<Vec<u64>>>()?;
        // Rows and vectors must begin at whole ones, whatever the lane.
        let fixed = match access {
            Style::Plain(_) => &lanes[..],
            Style::Matrix(_) => &lanes[2..],
            Style::Transposed(_) => &lanes[..2],
        };
        let askew = |image: &u64| image & mask != 0;
        let crooked = match form {
            Form::Transposed(pair) => pair & mask != 0,
            Form::Plain | Form::Matrix => false,
        };
        if fixed.iter().chain(&subgroups).any(askew) || crooked {
            return None;
        }
        let slots: Vec<u64> = part.slots.iter().map(|slot| slot.0).collect();
        let numbers: Vec<u64> = part.slots.iter().map(|slot| slot.1).collect();
        let solver = Solver::new(&slots);
        let mut seen = Space::span(&lead);
        for turn in &self.turns {
            seen.insert(turn.0);
        }
        let mut rest = seen.extend(&slots);
        for element in &mut rest {
            // Among slots that differ by the vector only, the one at its beginning.
            *element &= low_bits(self.n);
            let inside = offset(*element)? & low_bits(lead.len());
            if !matches!(access, Style::Transposed(_)) {
                *element ^= combine(&lead, inside);
            }
            if offset(*element)? & mask != 0 {
                return None;
            }
        }
        let number = |element: u64| solver.solve(element).map(|choice| combine(&numbers, choice));
        let mut order: Vec<(u64, u64)> = Vec::new();
        for &element in lead.iter().chain(&rest) {
            order.push((element, number(element)?));
        }
        for &(element, store, load) in &self.turns {
            order.push((element, if end == End::Store { store } else { load }));
        }
        let width = 1usize << lead.len();
        let mut accesses = Vec::with_capacity(pair.parts << (rest.len() + self.turns.len()));
        let places = rest.iter().map(|&element| offset(element)).collect::<Option<Vec<u64>>>()?;
        for part in 0..pair.parts {
            for round in 0..1usize << self.turns.len() {
                for index in 0..1u64 << rest.len() {
                    let group = (part << self.turns.len() | round) << rest.len() | index as usize;
                    accesses.push(Access {
                        slot: group * width,
                        offset: combine(&places, index),
                        base: 0,
                        round,
                        only: 0,
                    });
                }
            }
        }
        let at_once = 1usize << rest.len();
        let groups = (accesses.len() / at_once) as i64;
        let instructions = match form {
            Form::Plain => accesses.len() as i64,
            Form::Matrix | Form::Transposed(_) => groups * (at_once as i64 + 3) / 4,
        };
        let side = Side {
            form,
            width,
            instructions,
            only: OfPlace { lane: vec![0; lanes.len()], subgroup: vec![0; subgroups.len()] },
            offsets: Offsets::Bits(OfPlace { lane: lanes, subgroup: subgroups }),
            accesses,
            lanes_without: part.lanes_without,
            subgroups_without: part.subgroups_without,
        };
        Some((order, side))
    }

    /// Wavefronts of all accesses: by linearity each costs what the first one does.
    fn waves(&self, pair: &Pair, side: &Side, part: &Part, access: Style, banks: &Banks) -> (i64, i64) {
        let Offsets::Bits(of) = &side.offsets else { return (0, 0) };
        let bytes = |element: u64| element as i64 * self.element_bytes;
        let one = match access {
            Style::Plain(bits) => {
                let address = |lane: usize| {
                    let holds = lane as u64 & part.lanes_without == 0;
                    holds.then(|| bytes(combine(&of.lane, lane as u64)))
                };
                let addresses: Vec<Option<i64>> = (0..1usize << part.lane.len()).map(address).collect();
                wavefronts(&addresses, self.element_bytes << bits, banks)
            }
            Style::Matrix(_) => {
                let rows: Vec<Option<i64>> = (0..8).map(|row| Some(bytes(combine(&of.lane, row << 2)))).collect();
                wavefronts(&rows, 16, banks)
            }
            Style::Transposed(_) => {
                let Form::Transposed(step) = side.form else { return (0, 0) };
                let row = |row: u64| Some(bytes(combine(&of.lane, row >> 1) ^ if row & 1 == 1 { step } else { 0 }));
                wavefronts(&(0..8).map(row).collect::<Vec<_>>(), 16, banks)
            }
        };
        debug_assert_eq!(side.accesses.len() % pair.parts, 0, "each part has the same accesses");
        let times = side.accesses.len() as i64;
        (one.count * times, one.ideal * times)
    }
}

/// Deals the accesses of a side to `2^split` rounds by the bits of their offsets from `first` on.
fn take_turns(mut side: Side, first: usize, split: usize) -> Option<Side> {
    if split == 0 {
        return Some(side);
    }
    let Offsets::Bits(of) = &mut side.offsets else { return None };
    if side.form != Form::Plain || side.width > 1 << first {
        return None;
    }
    let high = |images: &[u64]| images.iter().map(|image| image >> first).collect::<Vec<u64>>();
    side.only = OfPlace { lane: high(&of.lane), subgroup: high(&of.subgroup) };
    for image in of.lane.iter_mut().chain(&mut of.subgroup) {
        *image &= low_bits(first);
    }
    // All rounds that some lane has a part in.
    let reached = Space::span(&[&side.only.lane[..], &side.only.subgroup].concat());
    let turns = |access: &Access| {
        let (own, access) = (access.offset >> first, *access);
        let round = move |round: u64| Access {
            offset: access.offset & low_bits(first),
            round: access.round + round as usize,
            only: round ^ own,
            ..access
        };
        (0..1u64 << split).map(round).filter(|access| reached.contains(access.only)).collect::<Vec<Access>>()
    };
    side.accesses = side.accesses.iter().flat_map(turns).collect();
    side.instructions = side.accesses.len() as i64;
    Some(side)
}

/// Which side.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Store,
    Load,
}
