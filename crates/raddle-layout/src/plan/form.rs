//! Two layouts of a value as linear maps side by side, and the ways that stay in lanes.

use super::{Cost, Machine, OfPlace, Step, Way, permutes, tidy};
use crate::f2::{Solver, Space, combine, low_bits};
use crate::layout::{BitForm, Hardware, Kind, Layout, OddDigit};
use crate::sort::sort_by;

/// One layout's columns.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    pub slot: Vec<u64>,
    pub lane: Vec<u64>,
    pub subgroup: Vec<u64>,
    /// Bits of each number that are 0 wherever something is held.
    pub empty: [u64; 3],
}

/// Two layouts' columns. Slots count bits first, then the odd digits, which both layouts share.
pub(super) struct Pair {
    pub source: Columns,
    pub target: Columns,
    pub shape: Vec<i64>,
    pub element_bits: i64,
    /// How many times the linear part repeats along the slots.
    pub parts: usize,
    /// Subgroups of the workgroup.
    pub n_subgroups: usize,
    /// Subgroups count as copies here: each has the same part in both layouts, and keeps to it.
    pub apart: bool,
    /// The source's slots in the order of this pair.
    gather: Vec<usize>,
    /// For each of the target's slots its number in the order of this pair.
    scatter: Vec<usize>,
}

/// Larger layouts are left to shared memory without a search.
const SLOTS_MAX: i64 = 1 << 14;

/// The slots of a form: for each value of the odd digits, and within it for each number that the bits give.
pub(super) fn slot_numbers(form: &BitForm, odd: &[OddDigit]) -> Vec<usize> {
    let steps: Vec<usize> = form.of(Hardware::Slot).map(|column| column.step as usize).collect();
    let parts = odd.iter().map(|odd| odd.extent).product::<i64>() as usize;
    let mut all = Vec::with_capacity(parts << steps.len());
    for part in 0..parts {
        let mut rest = part;
        let mut base = 0;
        for digit in odd {
            base += rest % digit.extent as usize * digit.step as usize;
            rest /= digit.extent as usize;
        }
        let bit = |index: usize, bit: usize| if index >> bit & 1 == 1 { steps[bit] } else { 0 };
        all.extend((0..1usize << steps.len()).map(|i| base + (0..steps.len()).map(|b| bit(i, b)).sum::<usize>()));
    }
    all
}

impl Columns {
    /// The columns of a form; what a place without anything would hold does not matter.
    pub fn of(form: &BitForm) -> Columns {
        let images = |hardware| form.of(hardware).map(|column| column.image).collect();
        let empty = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup].map(|hardware| {
            let bits = form.of(hardware).enumerate().map(|(bit, c)| u64::from(c.kind == Kind::Unused) << bit);
            bits.fold(0, |all, bit| all | bit)
        });
        let (slot, lane, subgroup) = (images(Hardware::Slot), images(Hardware::Lane), images(Hardware::Subgroup));
        Columns { slot, lane, subgroup, empty }
    }

    /// The columns of slots that may hold something, with their bits.
    pub fn held(&self, hardware: Hardware) -> impl Iterator<Item = (usize, u64)> + '_ {
        let (columns, empty) = match hardware {
            Hardware::Slot => (&self.slot, self.empty[0]),
            Hardware::Lane => (&self.lane, self.empty[1]),
            Hardware::Subgroup | Hardware::Offset => (&self.subgroup, self.empty[2]),
        };
        columns.iter().copied().enumerate().filter(move |(bit, _)| empty >> bit & 1 == 0)
    }
}

impl Pair {
    /// The pair, where both layouts are linear but for odd digits that they share.
    pub fn of(source: &Layout, target: &Layout, element_bits: i64) -> Option<Pair> {
        let (ours, theirs) = (source.to_f2().ok()?, target.to_f2().ok()?);
        if source.count(Hardware::Slot).max(target.count(Hardware::Slot)) > SLOTS_MAX
            || source.count(Hardware::Offset).max(target.count(Hardware::Offset)) > 1
        {
            return None;
        }
        let in_slots = |odd: &&OddDigit| odd.hardware == Hardware::Slot && odd.kind == Kind::Shard;
        let in_subgroups = |odd: &&OddDigit| odd.hardware == Hardware::Subgroup;
        let known = |odd: &OddDigit| in_slots(&odd) || in_subgroups(&odd);
        if !ours.odd.iter().chain(&theirs.odd).all(known) {
            return None;
        }
        let apart = ours.odd.iter().chain(&theirs.odd).any(|odd| in_subgroups(&odd));
        let same_subgroups = ours.of(Hardware::Subgroup).eq(theirs.of(Hardware::Subgroup))
            && ours.odd.iter().filter(in_subgroups).eq(theirs.odd.iter().filter(in_subgroups));
        if apart && !same_subgroups {
            return None;
        }
        let sorted = |form: &BitForm| {
            let mut odd: Vec<OddDigit> = form.odd.iter().filter(in_slots).cloned().collect();
            sort_by(&mut odd, |a, b| a.weights.cmp(&b.weights));
            odd
        };
        let (our_odd, their_odd) = (sorted(&ours), sorted(&theirs));
        let same = |(a, b): (&OddDigit, &OddDigit)| a.extent == b.extent && a.weights == b.weights;
        if our_odd.len() != their_odd.len() || !our_odd.iter().zip(&their_odd).all(same) {
            return None;
        }
        let parts = our_odd.iter().map(|odd| odd.extent).product::<i64>() as usize;
        let gather = slot_numbers(&ours, &our_odd);
        let places = slot_numbers(&theirs, &their_odd);
        let mut scatter = vec![0; places.len()];
        for (number, &slot) in places.iter().enumerate() {
            scatter[slot] = number;
        }
        let n_subgroups = source.count(Hardware::Subgroup) as usize;
        let (mut source, mut target) = (Columns::of(&ours), Columns::of(&theirs));
        if apart {
            let zeros = vec![0; n_subgroups.next_power_of_two().trailing_zeros() as usize];
            (source.subgroup, target.subgroup) = (zeros.clone(), zeros);
            (source.empty[2], target.empty[2]) = (0, 0);
        }
        let pair = Pair { source, target, shape: ours.shape, element_bits, parts, n_subgroups, apart, gather, scatter };
        // What is in another subgroup is not missing.
        (!apart || pair.missing().is_none()).then_some(pair)
    }

    /// Two linear maps by themselves.
    pub fn linear(source: Columns, target: Columns, shape: Vec<i64>, element_bits: i64, n_subgroups: usize) -> Pair {
        let gather = (0..1usize << source.slot.len()).collect();
        let scatter = (0..1usize << target.slot.len()).collect();
        Pair { source, target, shape, element_bits, parts: 1, n_subgroups, apart: false, gather, scatter }
    }

    /// The steps with the slots in the layouts' own orders around them, for steps that were planned for one part.
    pub fn wrap(&self, steps: Vec<Step>) -> Vec<Step> {
        let mut all = vec![Step::Slots { from: self.gather.clone() }];
        all.extend(steps);
        all.push(Step::Slots { from: self.scatter.clone() });
        tidy(all, self.gather.len())
    }

    /// `from` for each part: slots of part `p` come from part `p` of `n_before` slots each.
    pub fn repeat(&self, from: &[usize], n_before: usize) -> Vec<usize> {
        (0..self.parts).flat_map(|part| from.iter().map(move |slot| part * n_before + slot)).collect()
    }

    /// What the wrapping permutations of slots and all others between cost.
    pub fn permutes(&self, steps: &[Step]) -> i64 {
        let cost = |step: &Step| match step {
            Step::Slots { from } => permutes(from, self.element_bits),
            Step::Turn { .. } | Step::Shuffle(_) | Step::Transpose { .. } | Step::Exchange(_) => 0,
        };
        steps.iter().map(cost).sum()
    }

    /// The way in which each lane finds what it needs in its own slots.
    pub fn in_lanes(&self, machine: &Machine) -> Option<Way> {
        let (source, target) = (&self.source, &self.target);
        if source.empty[1] & !target.empty[1] != 0 || source.empty[2] & !target.empty[2] != 0 {
            return None;
        }
        let (bits, values): (Vec<usize>, Vec<u64>) = source.held(Hardware::Slot).unzip();
        let solver = Solver::new(&values);
        let slot = |image: u64| {
            let choice = solver.solve(image)?;
            Some(bits.iter().enumerate().fold(0u64, |all, (index, bit)| all | (choice >> index & 1) << bit))
        };
        let columns = target.slot.iter().map(|&image| slot(image)).collect::<Option<Vec<u64>>>()?;
        let moved = |ours: &[u64], theirs: &[u64], empty: u64| {
            let pairs = ours.iter().zip(theirs).enumerate();
            let turn = pairs.map(|(bit, (a, b))| if empty >> bit & 1 == 1 { Some(0) } else { slot(a ^ b) });
            turn.collect::<Option<Vec<u64>>>()
        };
        let by = OfPlace {
            lane: moved(&source.lane, &target.lane, target.empty[1])?,
            subgroup: moved(&source.subgroup, &target.subgroup, target.empty[2])?,
        };
        let from: Vec<usize> = (0..1u64 << columns.len()).map(|s| combine(&columns, s) as usize).collect();
        let from = self.repeat(&from, 1 << source.slot.len());
        let selects = self.turn_selects(&by, from.len());
        let mut steps = vec![];
        if !by.is_zero() {
            steps.push(Step::Turn { by });
        }
        steps.push(Step::Slots { from });
        // A turn acts on slots in this pair's order, so that what comes before stays apart.
        let steps = self.wrap(steps);
        let (selects, extra) = selects;
        let permutes = self.permutes(&steps) + extra;
        let cost = Cost { selects, permutes, ..Cost::default() }.weighed(machine);
        Some(Way { name: if selects > 0 { "select" } else { "slots" }, steps, cost })
    }

    /// Selects, and permutes of bytes, for `n_slots` results that are picked by the lane.
    pub fn turn_selects(&self, by: &OfPlace, n_slots: usize) -> (i64, i64) {
        let inside = (32 / self.element_bits).max(1).trailing_zeros();
        let words = (n_slots as i64 * self.element_bits + 31) / 32;
        let outer: Vec<u64> = by.lane.iter().chain(&by.subgroup).map(|image| image >> inside).collect();
        let rank = Space::span(&outer).dim() as u32;
        let selects = (words * i64::from(rank)).min(words * ((1i64 << rank.min(32)) - 1));
        let bytes = by.lane.iter().chain(&by.subgroup).any(|image| image & low_bits(inside as usize) != 0);
        (selects, if bytes { words } else { 0 })
    }

    /// An element that the target wants and the source does not hold.
    pub fn missing(&self) -> Option<Vec<i64>> {
        let all = |columns: &Columns| {
            let held = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup];
            held.iter().flat_map(|&hardware| columns.held(hardware)).map(|(_, image)| image).collect::<Vec<u64>>()
        };
        let have = Space::span(&all(&self.source));
        let missing = all(&self.target).into_iter().find(|&image| !have.contains(image))?;
        let mut rest = missing;
        let mut coord = vec![0; self.shape.len()];
        for d in (0..self.shape.len()).rev() {
            let bits = self.shape[d].trailing_zeros() as usize;
            coord[d] = (rest & low_bits(bits)) as i64;
            rest = if bits >= 64 { 0 } else { rest >> bits };
        }
        Some(coord)
    }
}

/// For layouts that are not linear: the old slot of each new one, where every lane keeps its elements.
pub(super) fn same_lanes(source: &Layout, target: &Layout) -> Option<Vec<usize>> {
    let map = source.invert_and_compose(target).ok()?.canonical();
    if map.swizzle().is_some() {
        return None;
    }
    for (hardware, dim) in [(Hardware::Subgroup, 1), (Hardware::Lane, 2)] {
        let mut step = 1;
        for digit in map.digits(hardware) {
            let own = digit.weights.iter().enumerate().all(|(d, &weight)| weight == if d == dim { step } else { 0 });
            let empty = digit.kind == Kind::Unused;
            if !own && !empty {
                return None;
            }
            step *= digit.extent;
        }
    }
    let moves_slots = |weights: &[i64]| weights.iter().enumerate().all(|(d, &weight)| d == 3 || weight == 0);
    if !map.digits(Hardware::Slot).iter().all(|digit| moves_slots(&digit.weights)) {
        return None;
    }
    let slots = map.count(Hardware::Slot);
    Some((0..slots).map(|slot| map.coord(0, 0, slot).map_or(0, |place| place[3] as usize)).collect())
}
