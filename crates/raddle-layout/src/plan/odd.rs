//! Exchanges of layouts that are not linear maps as they stand: extents with odd factors.
//!
//! Where the odd factors of both layouts are digits between powers of two, each dimension is cut there, and what is
//! left is a linear map with odd digits around it. The linear part lies in memory as it would alone, once for each
//! value of the odd digits: lanes are linear, so that they meet in no bank that they would not meet in anyway.
//! Other layouts lie row-major, with padded rows where that costs fewer wavefronts.
//!
//! Where memory does not hold all, rounds take what lies in one window of the offsets after the other.

use super::form::{Columns, Pair, slot_numbers};
use super::shared::{Choice, Problem, Sides};
use super::{
    Access, Cost, Exchange, Form, Machine, OfPlace, Offsets, PlanError, Scope, Side, Step, Way, permutes, tidy,
};
use crate::access::{Banks, wavefronts};
use crate::layout::{BitForm, Column, Digit, Hardware, Kind, Layout, OddDigit, strides};

/// Layouts with more places are counted once, not for each subgroup and each window.
const PLACES_COUNTED: i64 = 1 << 16;

/// Padding is tried for layouts with fewer places.
const PLACES_PADDED: i64 = 1 << 16;

/// The same layouts over a shape whose dimensions end where the odd factors of both do; `None` where they are linear
/// maps with odd digits around them already, or never are.
pub(super) fn refine(source: &Layout, target: &Layout) -> Option<[Layout; 2]> {
    if source.to_f2().is_ok() && target.to_f2().is_ok() {
        return None;
    }
    let mut shape = Vec::new();
    for (dim, &extent) in source.shape().iter().enumerate() {
        let mut cuts = vec![1, extent];
        if extent.count_ones() > 1 {
            let digits = |layout: &Layout| Hardware::ALL.map(|hardware| layout.digits(hardware).to_vec()).concat();
            for digit in [source, target].into_iter().flat_map(digits).filter(|digit| digit.weights[dim] > 0) {
                cuts.extend([digit.weights[dim], digit.weights[dim] * digit.extent]);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        if cuts.windows(2).any(|pair| pair[1] % pair[0] != 0) {
            return None;
        }
        shape.extend(cuts.windows(2).rev().map(|pair| pair[1] / pair[0]));
    }
    let refined = [source.reshape(&shape).ok()?, target.reshape(&shape).ok()?];
    refined.iter().all(|layout| layout.to_f2().is_ok()).then_some(refined)
}

/// The exchange of any two layouts, both refined if they can be.
pub(super) fn exchange(
    source: &Layout,
    target: &Layout,
    element_bits: i64,
    machine: &Machine,
) -> Result<Way, PlanError> {
    check_held(source, target)?;
    match mixed(source, target, element_bits, machine) {
        Some(way) => Ok(way),
        None => {
            let [source, target] = cut_apart(source, target);
            row_major(&source, &target, element_bits, machine)
        }
    }
}

/// The same layouts over a shape with as many dimensions as both have digits that end together: more to be padded.
fn cut_apart(source: &Layout, target: &Layout) -> [Layout; 2] {
    let mut whole = [source.clone(), target.clone()];
    let mut dim = 0;
    while dim < whole[0].rank() {
        let shape = whole[0].shape().to_vec();
        let digits = Hardware::ALL.iter().flat_map(|&hardware| whole[0].digits(hardware));
        let mut cuts: Vec<i64> = digits.map(|digit| digit.weights[dim]).filter(|&weight| weight > 1).collect();
        cuts.sort_unstable();
        // The largest first: what is inside it is looked at next.
        let split = cuts.into_iter().rev().filter(|cut| shape[dim] % cut == 0).find_map(|cut| {
            let finer = [&shape[..dim], &[shape[dim] / cut, cut], &shape[dim + 1..]].concat();
            Some([whole[0].reshape(&finer).ok()?, whole[1].reshape(&finer).ok()?])
        });
        match split {
            // The outer part has no cut that was not tried.
            Some(finer) => (whole, dim) = (finer, dim + 1),
            None => dim += 1,
        }
    }
    whole
}

/// Linear maps with odd digits around them.
fn mixed(source: &Layout, target: &Layout, element_bits: i64, machine: &Machine) -> Option<Way> {
    let forms = [source.to_f2().ok()?, target.to_f2().ok()?];
    let lanes_are_bits = |form: &BitForm| form.odd.iter().all(|odd| odd.hardware != Hardware::Lane);
    if !forms.iter().all(lanes_are_bits) {
        return None;
    }
    let element_bytes = (element_bits / 8).max(1);
    let n_subgroups = source.count(Hardware::Subgroup) as usize;
    let [ours, theirs] = forms.each_ref().map(Columns::of);
    let pair = Pair::linear(ours, theirs, source.shape().to_vec(), element_bits, n_subgroups);
    let problem = Problem::of(&pair, Scope::Workgroup, 0, element_bytes)?;
    // Each value of the odd digits has a run of offsets of its own, which begins at a whole vector.
    let run = (1i64 << problem.n).max(machine.banks.access_bytes_max / element_bytes).max(1);
    let odd_shape: Vec<i64> = source.shape().iter().map(|extent| extent >> extent.trailing_zeros()).collect();
    let memory = Memory { n: problem.n, run, odd_shape, element_bytes };
    let choices = problem.choices(&pair, machine).into_iter().filter(Choice::is_plain);
    let ways = choices.filter_map(|choice| {
        let sides = problem.sides(&pair, machine, &choice)?;
        memory.realize(&forms, source, &sides, element_bits, machine)
    });
    ways.min_by_key(|way| way.cost.total)
}

/// How runs of offsets, one for each value of the odd digits, follow each other.
struct Memory {
    /// Bits of an offset inside a run.
    n: usize,
    /// From one run to the next.
    run: i64,
    odd_shape: Vec<i64>,
    element_bytes: i64,
}

impl Memory {
    fn realize(
        &self,
        forms: &[BitForm; 2],
        source: &Layout,
        sides: &Sides,
        element_bits: i64,
        machine: &Machine,
    ) -> Option<Way> {
        let [ours, theirs] = forms;
        let in_parts = |form: &BitForm| -> Vec<OddDigit> {
            let shards = form.odd.iter().filter(|odd| odd.hardware == Hardware::Slot && odd.kind == Kind::Shard);
            shards.cloned().collect()
        };
        let (our_odd, their_odd) = (in_parts(ours), in_parts(theirs));
        let parts = |odd: &[OddDigit]| odd.iter().map(|odd| odd.extent).product::<i64>() as usize;
        let numbers = slot_numbers(ours, &our_odd);
        let n_linear = numbers.len() / parts(&our_odd);
        let gather: Vec<usize> = (0..parts(&our_odd))
            .flat_map(|part| sides.gathered.iter().map(move |slot| part * n_linear + slot))
            .map(|number| numbers[number])
            .collect();
        let mut scatter = vec![0; count_slots(theirs)];
        let n_linear = sides.scatter.len();
        for (number, loaded) in slot_numbers(theirs, &all_odd(theirs)).into_iter().zip(0..) {
            let (linear, rest) = (loaded % n_linear, loaded / n_linear);
            scatter[number] = part_of(theirs, rest) * sides.n_loaded + sides.scatter[linear];
        }
        let n_slots = sides.n_loaded * parts(&their_odd);
        let store = self.side(ours, &our_odd, &sides.store, sides.gathered.len())?;
        let load = self.side(theirs, &their_odd, &sides.load, sides.n_loaded)?;
        let runs: i64 = self.odd_shape.iter().product();
        let size = runs.checked_mul(self.run)?;
        let exchange = windows(store, load, size, n_slots, self.element_bytes, source, machine)?;
        let steps = tidy(
            vec![Step::Slots { from: gather }, Step::Exchange(Box::new(exchange.0)), Step::Slots { from: scatter }],
            source.count(Hardware::Slot) as usize,
        );
        let slots = |step: &Step| match step {
            Step::Slots { from } => permutes(from, element_bits),
            Step::Turn { .. } | Step::Shuffle(_) | Step::Transpose { .. } | Step::Exchange(_) => 0,
        };
        let cost = Cost { permutes: steps.iter().map(slots).sum(), ..exchange.1 };
        Some(Way { name: "shared memory", steps, cost: cost.weighed(machine) })
    }

    /// A side of the linear part with the odd digits around it: those of slots repeat its accesses.
    fn side(&self, form: &BitForm, odd: &[OddDigit], side: &Side, n_slots: usize) -> Option<Side> {
        let Offsets::Bits(of) = &side.offsets else { return None };
        let rank = self.odd_shape.len();
        let shape = [&self.odd_shape[..], &[1 << self.n]].concat();
        let mut memory = BitForm { shape, columns: Vec::new(), odd: Vec::new() };
        // An access's vector lies side by side, and its own offset is where its first slot lies.
        let mut slots = vec![0u64; n_slots.trailing_zeros() as usize];
        for access in &side.accesses {
            let first = access.slot as u64;
            if first.count_ones() == 1 {
                slots[first.trailing_zeros() as usize] = access.offset;
            }
        }
        for (bit, image) in slots.iter_mut().enumerate().filter(|(bit, _)| 1 << bit < side.width) {
            *image = 1 << bit;
        }
        for (bit, &image) in slots.iter().enumerate() {
            memory.columns.push(Column { hardware: Hardware::Slot, step: 1 << bit, image, kind: Kind::Shard });
        }
        for (hardware, images) in [(Hardware::Lane, &of.lane), (Hardware::Subgroup, &of.subgroup)] {
            let columns = form.of(hardware).zip(images);
            memory.columns.extend(columns.map(|(column, &image)| {
                let kind = if image != 0 { Kind::Shard } else { column.kind };
                Column { image, kind, ..*column }
            }));
        }
        let mut step = n_slots as i64;
        for digit in odd {
            let weights = [&digit.weights[..], &[0]].concat();
            memory.odd.push(OddDigit { step, weights, ..digit.clone() });
            step *= digit.extent;
        }
        for digit in form.odd.iter().filter(|digit| digit.hardware == Hardware::Subgroup) {
            memory.odd.push(OddDigit { weights: [&digit.weights[..], &[0]].concat(), ..digit.clone() });
        }
        let mut distances: Vec<i64> = strides(&self.odd_shape).into_iter().map(|stride| stride * self.run).collect();
        assert_eq!(distances.len(), rank, "one distance for each dimension");
        distances.push(1);
        let parts = step as usize / n_slots;
        let accesses: Vec<Access> = (0..parts)
            .flat_map(|part| side.accesses.iter().map(move |access| (part, access)))
            .map(|(part, access)| Access { slot: part * n_slots + access.slot, offset: 0, ..*access })
            .collect();
        // Subgroups that no bits number store what others store, too.
        let bits = form.of(Hardware::Subgroup).enumerate().all(|(bit, column)| column.step == 1 << bit);
        Some(Side {
            instructions: accesses.len() as i64,
            accesses,
            offsets: Offsets::Digits { layout: Layout::from_f2(&memory).ok()?, strides: distances },
            only: always(),
            subgroups_without: if bits { side.subgroups_without } else { 0 },
            ..side.clone()
        })
    }
}

/// Each lane takes part.
fn always() -> OfPlace {
    OfPlace { lane: vec![0; 64], subgroup: vec![0; 64] }
}

/// All odd digits of slots.
fn all_odd(form: &BitForm) -> Vec<OddDigit> {
    form.odd.iter().filter(|odd| odd.hardware == Hardware::Slot).cloned().collect()
}

fn count_slots(form: &BitForm) -> usize {
    let bits = form.of(Hardware::Slot).count();
    (all_odd(form).iter().map(|odd| odd.extent).product::<i64>() as usize) << bits
}

/// The number of a value of all odd digits of slots among those that hold different elements.
fn part_of(form: &BitForm, value: usize) -> usize {
    let (mut rest, mut unit, mut part) = (value, 1, 0);
    for odd in all_odd(form) {
        let digit = rest % odd.extent as usize;
        rest /= odd.extent as usize;
        if odd.kind == Kind::Shard {
            part += digit * unit;
            unit *= odd.extent as usize;
        }
    }
    part
}

/// Words of padding that are tried for each dimension but the fastest.
const PADS: [i64; 3] = [1, 2, 4];

/// The exchange of any two layouts: row-major, each dimension padded where that costs fewer wavefronts.
///
/// Layouts that no linear map describes have no proof that lanes can be kept apart: each dimension gets the padding
/// that does best with those inside it.
fn row_major(source: &Layout, target: &Layout, element_bits: i64, machine: &Machine) -> Result<Way, PlanError> {
    let element_bytes = (element_bits / 8).max(1);
    let shape = source.shape();
    let size: i64 = shape.iter().product();
    let word = (machine.banks.word_bytes / element_bytes).max(1);
    // One padding for each dimension, in words.
    let try_pads = |pads: &[i64]| -> Option<Way> {
        let mut distances = vec![0; shape.len()];
        let mut next = 1i64;
        for dim in (0..shape.len()).rev() {
            distances[dim] = next.checked_add(pads[dim] * word)?;
            next = distances[dim].checked_mul(shape[dim])?;
        }
        let store = digits_side(source, &distances, element_bytes, machine);
        let load = digits_side(target, &distances, element_bytes, machine);
        let n_slots = target.count(Hardware::Slot) as usize;
        let (exchange, cost) = windows(store, load, next.max(1), n_slots, element_bytes, source, machine)?;
        let steps = vec![Step::Exchange(Box::new(exchange))];
        Some(Way { name: "shared memory", steps, cost: cost.weighed(machine) })
    };
    let mut pads = vec![0; shape.len()];
    let outer = (0..shape.len().saturating_sub(1)).rev();
    if places(source).max(places(target)) > PLACES_PADDED {
        // Counting looks at every place, so that large values are counted once.
        outer.clone().take(1).for_each(|dim| pads[dim] = 1);
    }
    let mut best = try_pads(&pads);
    if places(source).max(places(target)) <= PLACES_PADDED {
        for dim in outer {
            for pad in PADS {
                let meets = |way: &Way| way.cost.wavefronts > way.cost.wavefronts_ideal;
                if !best.as_ref().is_none_or(meets) {
                    break;
                }
                let before = std::mem::replace(&mut pads[dim], pad);
                let way = try_pads(&pads);
                let costs_less = |way: &Way| best.as_ref().is_none_or(|best| way.cost.total < best.cost.total);
                if way.as_ref().is_some_and(costs_less) {
                    best = way;
                } else {
                    pads[dim] = before;
                }
            }
        }
    }
    best.ok_or(PlanError::Memory { needed: size.saturating_mul(element_bytes), have: machine.shared_bytes_max })
}

/// The exchange in as many rounds as its offsets have windows that fit in memory; `None` where that is too small.
fn windows(
    mut store: Side,
    mut load: Side,
    size: i64,
    n_slots: usize,
    element_bytes: i64,
    source: &Layout,
    machine: &Machine,
) -> Option<(Exchange, Cost)> {
    let most = machine.shared_bytes_max / element_bytes;
    let vector = store.width.max(load.width) as i64;
    let window = if size <= most { size } else { most / vector * vector };
    let least = machine.banks.row_bytes().max(machine.banks.access_bytes_max);
    if window < size && window * element_bytes < least {
        return None;
    }
    let rounds = (size + window - 1) / window;
    let window = if rounds == 1 { size } else { ((size + rounds - 1) / rounds + vector - 1) / vector * vector };
    let machines = [source.count(Hardware::Lane).min(machine.lanes_max), source.count(Hardware::Subgroup)];
    let mut waves = (0, 0);
    for (side, banks, writes) in [(&mut store, &machine.banks, true), (&mut load, &machine.load_banks, false)] {
        let memory = Window { rounds: rounds as usize, size: window, element_bytes, writes };
        let (counted, accesses) = rounds_of(side, memory, machines, banks);
        side.accesses = accesses;
        side.instructions = side.accesses.len() as i64;
        waves = (waves.0 + counted.0, waves.1 + counted.1);
    }
    let cost = Cost {
        stores: store.instructions,
        loads: load.instructions,
        wavefronts: waves.0,
        wavefronts_ideal: waves.1,
        shared_bytes: window * element_bytes,
        barriers: 2 * rounds - 1,
        ..Cost::default()
    };
    let (scope, rounds) = (Scope::Workgroup, rounds as usize);
    Some((Exchange { scope, element_bytes, size: window, rounds, store, load, n_slots }, cost))
}

/// What a side of an exchange sees of memory.
#[derive(Clone, Copy)]
struct Window {
    rounds: usize,
    size: i64,
    element_bytes: i64,
    /// Of several lanes that hold the same, one writes.
    writes: bool,
}

/// The accesses of a side, each in all rounds in which some lane takes part, and the wavefronts of the subgroup that
/// has most of them.
fn rounds_of(
    side: &Side,
    Window { rounds, size: window, element_bytes, writes }: Window,
    [n_lanes, n_subgroups]: [i64; 2],
    banks: &Banks,
) -> ((i64, i64), Vec<Access>) {
    let Offsets::Digits { layout, strides } = &side.offsets else { return ((0, 0), side.accesses.clone()) };
    let few = side.accesses.len() as i64 * n_lanes * n_subgroups * rounds as i64 <= PLACES_COUNTED;
    let subgroups = if few { n_subgroups } else { 1 };
    let mut totals = vec![(0, 0); subgroups as usize];
    let mut accesses = Vec::new();
    for round in 0..rounds {
        for access in &side.accesses {
            let mut reached = !few;
            for subgroup in 0..subgroups {
                let address = |lane: i64| {
                    if lane as u64 & side.lanes_without != 0 || subgroup as u64 & side.subgroups_without != 0 {
                        return None;
                    }
                    if writes && !is_first(layout, lane, subgroup) {
                        return None;
                    }
                    let coord = layout.coord(subgroup, lane, access.slot as i64)?;
                    let offset: i64 = coord.iter().zip(strides).map(|(c, stride)| c * stride).sum();
                    (offset / window == round as i64).then_some(offset % window * element_bytes)
                };
                let addresses: Vec<Option<i64>> = (0..n_lanes).map(address).collect();
                reached |= addresses.iter().any(Option::is_some);
                let waves = wavefronts(&addresses, element_bytes * side.width as i64, banks);
                let total = &mut totals[subgroup as usize];
                *total = (total.0 + waves.count, total.1 + waves.ideal);
            }
            if reached {
                accesses.push(Access { round, ..*access });
            }
        }
    }
    (totals.into_iter().max().unwrap_or_default(), accesses)
}

/// Whether the source holds every element that the target wants.
fn check_held(source: &Layout, target: &Layout) -> Result<(), PlanError> {
    if source.pseudo_invert().is_ok() {
        return Ok(());
    }
    let held: std::collections::BTreeSet<Vec<i64>> = source.owners().map(|owner| owner.coord).collect();
    match target.owners().find(|owner| !held.contains(&owner.coord)) {
        Some(owner) => Err(PlanError::Missing { coord: owner.coord }),
        None => Ok(()),
    }
}

fn places(layout: &Layout) -> i64 {
    Hardware::ALL.iter().map(|&hardware| layout.count(hardware)).product()
}

fn digits_side(layout: &Layout, strides: &[i64], element_bytes: i64, machine: &Machine) -> Side {
    let steps =
        |digit: &Digit| -> i64 { digit.weights.iter().zip(strides).map(|(weight, stride)| weight * stride).sum() };
    // A vector is the part of the first digit of slots to which everything else is aligned.
    let merged = layout.canonical();
    let first = merged.digits(Hardware::Slot).first();
    let mut width = match first {
        Some(digit) if steps(digit) == 1 && digit.kind == Kind::Shard && merged.swizzle().is_none() => digit.extent,
        _ => 1,
    };
    width = (width & width.wrapping_neg()).min((machine.banks.access_bytes_max / element_bytes).max(1));
    let others = Hardware::ALL.iter().flat_map(|&hardware| merged.digits(hardware)).skip(usize::from(width > 1));
    let aligned = |width: i64| others.clone().all(|digit| steps(digit) % width == 0);
    while width > 1 && !aligned(width) {
        width /= 2;
    }
    let slots = layout.count(Hardware::Slot);
    let accesses: Vec<Access> = (0..slots / width)
        .filter(|group| held_at(layout.digits(Hardware::Slot), group * width))
        .map(|group| Access { slot: (group * width) as usize, offset: 0, base: 0, round: 0, only: 0 })
        .collect();
    Side {
        form: Form::Plain,
        width: width as usize,
        instructions: accesses.len() as i64,
        offsets: Offsets::Digits { layout: layout.clone(), strides: strides.to_vec() },
        only: always(),
        accesses,
        lanes_without: 0,
        subgroups_without: 0,
    }
}

/// Whether no lane before holds the same.
fn is_first(layout: &Layout, lane: i64, subgroup: i64) -> bool {
    [(Hardware::Lane, lane), (Hardware::Subgroup, subgroup)].into_iter().all(|(hardware, number)| {
        let mut rest = number;
        layout.digits(hardware).iter().all(|digit| {
            let value = rest % digit.extent;
            rest /= digit.extent;
            digit.kind != Kind::Replicate || value == 0
        })
    })
}

/// Whether something is held at a number.
fn held_at(digits: &[Digit], number: i64) -> bool {
    let mut rest = number;
    digits.iter().all(|digit| {
        let value = rest % digit.extent;
        rest /= digit.extent;
        digit.kind != Kind::Unused || value == 0
    })
}
