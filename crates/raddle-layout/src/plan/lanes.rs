//! Instructions that bring words from other lanes in some patterns only, and cost less than a shuffle.
//!
//! In a round of shuffles lane `l` takes from lane `f(l) ^ c`, where `f` is linear and `c` the round's own. Where that is
//! a pattern that an instruction has, the round is one of those. Where a word bit and a lane bit only change places, an
//! instruction that exchanges two words between two lanes does without selects, too.

use super::form::{Columns, Pair};
use super::{Cost, Machine, OfPlace, Step, Way, shuffle};
use crate::f2::Space;

/// An instruction that brings words from other lanes in some patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneMove {
    /// As the vendor calls it.
    pub name: &'static str,
    /// Its patterns.
    pub reach: Reach,
    /// What one word costs.
    pub cost: i64,
}

/// From which lanes words can come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Lane `l` takes from `l ^ c`, for each of these `c`.
    Xor(&'static [u64]),
    /// Lanes take from each other in groups of `2^bits`, in any order that is the same in all groups; from the group
    /// whose first lane is `flip` away, by xor.
    Group {
        /// The logarithm of the lanes of a group.
        bits: u32,
        /// How far the other group is; 0 for the own one.
        flip: u64,
    },
}

/// An instruction that exchanges words between the lanes whose bit is set and those whose bit is not: the second word of
/// the latter and the first one of the former change places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaneSwap {
    /// As the vendor calls it.
    pub name: &'static str,
    /// The bit of the lane's number.
    pub bit: u32,
    /// What two words cost.
    pub cost: i64,
}

impl Reach {
    /// Whether lanes may take from `from.lane ^ constant`; lanes with a bit of `idle` take nothing that is wanted.
    fn covers(self, from: &OfPlace, constant: u64, idle: u64) -> bool {
        if from.subgroup.iter().any(|&image| image != 0) {
            return false;
        }
        let mut lanes = from.lane.iter().enumerate().filter(|(bit, _)| idle >> bit & 1 == 0);
        match self {
            Reach::Xor(constants) => constants.contains(&constant) && lanes.all(|(bit, &image)| image == 1 << bit),
            Reach::Group { bits, flip } => {
                let inside = |image: u64| image >> bits == 0;
                let own = |(bit, &image): (usize, &u64)| {
                    if bit < bits as usize { inside(image) } else { image == 1 << bit }
                };
                inside(constant ^ flip) && lanes.all(own)
            }
        }
    }
}

impl Machine {
    /// The cheapest instruction for a round, and what a word costs.
    pub(super) fn lane_move(&self, from: &OfPlace, constant: u64, idle: u64) -> (&'static str, i64) {
        let covering = self.moves.iter().filter(|row| row.reach.covers(from, constant, idle));
        let cheapest = covering.map(|row| (row.name, row.cost)).min_by_key(|row| row.1);
        cheapest.filter(|row| row.1 < self.costs.shuffle).unwrap_or(("shuffle", self.costs.shuffle))
    }
}

/// Lane bits that only change places with slot bits, each by instructions that exchange words.
pub(super) fn swaps(pair: &Pair, machine: &Machine) -> Option<Way> {
    let empty = pair.source.empty.iter().chain(&pair.target.empty).any(|&bits| bits != 0);
    if machine.swaps.is_empty() || pair.parts != 1 || empty || pair.source.subgroup != pair.target.subgroup {
        return None;
    }
    let mut now = pair.source.clone();
    let mut steps: Vec<Step> = Vec::new();
    let mut cost = Cost::default();
    for (bit, &wanted) in pair.target.lane.iter().enumerate().filter(|&(bit, &image)| pair.source.lane[bit] != image) {
        let swap = machine.swaps.iter().find(|swap| swap.bit as usize == bit)?;
        let mut space = Space::default();
        if !Space::span(&now.slot).contains(wanted) || !space.insert(wanted) {
            return None;
        }
        // The slot that leaves is the slowest, so that words stay whole.
        let mut slot = space.extend(&now.slot);
        slot.push(now.lane[bit]);
        let mut lane = now.lane.clone();
        lane[bit] = wanted;
        let next = Columns { slot, lane, subgroup: now.subgroup.clone(), empty: [0; 3] };
        let shape = pair.shape.clone();
        let one = Pair::linear(now, next.clone(), shape, pair.element_bits, pair.n_subgroups);
        let way = shuffle::rounds(&one, machine)?;
        for mut step in way.steps {
            if let Step::Shuffle(shuffle) = &mut step {
                shuffle.rounds.iter_mut().filter(|round| !round.stays).for_each(|round| round.with = swap.name);
            }
            steps.push(step);
        }
        cost.shuffles += way.cost.shuffles;
        cost.shuffle_cost += way.cost.shuffles * swap.cost;
        now = next;
    }
    let rest = Pair::linear(now, pair.target.clone(), pair.shape.clone(), pair.element_bits, pair.n_subgroups);
    let last = rest.in_lanes(machine)?;
    steps.extend(last.steps);
    let steps = pair.wrap(steps);
    let permutes = pair.permutes(&steps);
    let cost = Cost { selects: last.cost.selects, permutes, ..cost };
    Some(Way { name: "swap", steps, cost: cost.weighed(machine) })
}
