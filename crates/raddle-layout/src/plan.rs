//! Plan how a value changes its layout: the cheapest way by a machine's costs, as data.
//!
//! Both layouts become linear maps over F2; whether a value can stay in its lanes, or at least in its subgroups, is a
//! question about cosets (does what a place wants lie in what its lane or subgroup has?), which replicas do not
//! confuse. Every way that applies is planned and costed; the cheapest is the plan. Extents that are not powers of two
//! repeat a plan where both layouts keep the odd digit in the same slots or subgroups, and go through shared memory
//! otherwise.
//!
//! A plan runs on integers ([`Plan::run`]), so that it can be checked.

mod form;
mod gauge;
mod lanes;
mod odd;
mod run;
mod shared;
mod shuffle;
mod text;

use std::fmt;

use crate::access::Banks;
use crate::f2::combine;
use crate::layout::{Hardware, Kind, Layout, LayoutError};
use crate::nested::delinearize;
use crate::sort::sort_by_key;

pub use gauge::{Gauge, contraction};
pub use lanes::{LaneMove, LaneSwap, Reach};
pub use run::{Fault, Registers};

/// What a machine has, and what it costs, in any unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Banks of shared memory and their phases.
    pub banks: Banks,
    /// The same for loads, whose lanes may be served in other groups than those of stores.
    pub load_banks: Banks,
    /// Lanes of a subgroup that are there: layouts may share values out among more, where the last hold what others
    /// hold.
    pub lanes_max: i64,
    /// Bytes of shared memory that a conversion may use.
    pub shared_bytes_max: i64,
    /// Rows of 8 x 16 bytes can be loaded so that each lane gets a word of four lanes' row.
    pub matrix_load: bool,
    /// The same for 8 x 8 elements of 16 bits, transposed on the way.
    pub matrix_load_transposed: bool,
    /// Rows of 8 x 16 bytes can be stored the same way.
    pub matrix_store: bool,
    /// The same, transposed.
    pub matrix_store_transposed: bool,
    /// 8 x 8 elements of 16 bits can be transposed between the registers of 32 lanes.
    pub matrix_transpose: bool,
    /// Instructions that bring words from other lanes in some patterns only.
    pub moves: Vec<LaneMove>,
    /// Instructions that exchange words between two halves of the lanes.
    pub swaps: Vec<LaneSwap>,
    /// What things cost.
    pub costs: Costs,
}

/// What one instruction of a subgroup costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// A word from any other lane.
    pub shuffle: i64,
    /// One of two words, by a lane's own choice.
    pub select: i64,
    /// A word from the bytes of two others.
    pub permute: i64,
    /// A transposed 8 x 8 matrix.
    pub transpose: i64,
    /// A load from or store to shared memory, besides its wavefronts.
    pub shared: i64,
    /// A wavefront of shared memory.
    pub wavefront: i64,
    /// Waiting for the workgroup.
    pub barrier: i64,
    /// Waiting for the own subgroup's memory.
    pub subgroup_barrier: i64,
}

impl Default for Costs {
    /// Costs in issue slots: a shuffle is about as much as an access of shared memory.
    fn default() -> Costs {
        Costs {
            shuffle: 2,
            select: 1,
            permute: 1,
            transpose: 4,
            shared: 1,
            wavefront: 2,
            barrier: 20,
            subgroup_barrier: 4,
        }
    }
}

impl Machine {
    /// A machine with nothing but shuffles and 32 banks of shared memory.
    pub fn plain() -> Machine {
        Machine {
            banks: Banks::words(32),
            load_banks: Banks::words(32),
            lanes_max: i64::MAX,
            shared_bytes_max: 48 * 1024,
            matrix_load: false,
            matrix_load_transposed: false,
            matrix_store: false,
            matrix_store_transposed: false,
            matrix_transpose: false,
            moves: vec![],
            swaps: vec![],
            costs: Costs::default(),
        }
    }
}

/// A linear function over F2 of the numbers of a lane and a subgroup.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OfPlace {
    /// The image of each bit of the lane's number.
    pub lane: Vec<u64>,
    /// The image of each bit of the subgroup's number.
    pub subgroup: Vec<u64>,
}

impl OfPlace {
    /// The value at a lane of a subgroup.
    pub fn at(&self, lane: usize, subgroup: usize) -> u64 {
        combine(&self.lane, lane as u64) ^ combine(&self.subgroup, subgroup as u64)
    }

    /// Whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        self.lane.iter().chain(&self.subgroup).all(|&image| image == 0)
    }
}

/// One step of a plan. All lanes of all subgroups take it together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// New slot `i` is old slot `from[i]`. Words that stay whole cost nothing.
    Slots {
        /// The old slots.
        from: Vec<usize>,
    },
    /// New slot `i` is old slot `i ^ by`, which differs from lane to lane.
    Turn {
        /// The lane's own number.
        by: OfPlace,
    },
    /// Words from other lanes of the subgroup.
    Shuffle(Box<Shuffle>),
    /// Each word of two 16-bit elements is one of an 8 x 8 matrix, which is transposed: lane `l` has row `l / 4`,
    /// columns `2 (l mod 4)` and the next.
    Transpose {
        /// How many words.
        words: usize,
    },
    /// Through shared memory.
    Exchange(Box<Exchange>),
}

/// Rounds in which each lane offers one word and takes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shuffle {
    /// Slots of a word; they follow each other.
    pub width: usize,
    /// Slots of the result.
    pub n_slots: usize,
    /// What a lane xors to the number of the slot that it offers.
    pub send: OfPlace,
    /// The lane that a lane takes from, before the round's own part is xored to it.
    pub from: OfPlace,
    /// What a lane xors to the number of the slot that it takes to.
    pub receive: OfPlace,
    /// A lane takes in a round only if this is the round's `only`; all zero where each lane takes in each round.
    pub only: OfPlace,
    /// The rounds.
    pub rounds: Vec<Round>,
}

/// One round of a shuffle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The first slot offered.
    pub send: u64,
    /// Xored to the lane taken from.
    pub from: u64,
    /// The first slot taken to.
    pub receive: u64,
    /// Which lanes take.
    pub only: u64,
    /// Each lane keeps its word: no instruction is needed.
    pub stays: bool,
    /// The instruction that brings the words: one of the machine's moves or swaps, or `shuffle`.
    pub with: &'static str,
}

/// Who waits for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Each subgroup has memory of its own.
    Subgroup,
    /// All subgroups share one memory.
    Workgroup,
}

/// Stores, a barrier, loads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Who exchanges.
    pub scope: Scope,
    /// Bytes of an element in memory.
    pub element_bytes: i64,
    /// Elements of the memory, for each subgroup where the scope is one.
    pub size: i64,
    /// How often all is repeated in the same memory, with barriers between.
    pub rounds: usize,
    /// How elements get there.
    pub store: Side,
    /// How they come back.
    pub load: Side,
    /// Slots of the result.
    pub n_slots: usize,
}

/// One side of an exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// How a lane's elements lie in memory.
    pub form: Form,
    /// Slots of a lane in one access; they follow each other.
    pub width: usize,
    /// Instructions: one may do several accesses of words of matrices.
    pub instructions: i64,
    /// Where they lie.
    pub offsets: Offsets,
    /// A lane takes part in an access only if this is the access's `only`; all zero where each lane takes part.
    pub only: OfPlace,
    /// The instructions.
    pub accesses: Vec<Access>,
    /// Lanes take part whose number has none of these bits.
    pub lanes_without: u64,
    /// Subgroups take part whose number has none of these bits.
    pub subgroups_without: u64,
}

/// What an access of memory does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each lane accesses consecutive elements.
    Plain,
    /// Rows of 16 bytes; each word of a row belongs to one of four neighbouring lanes, each row to four lanes.
    Matrix,
    /// Rows of eight elements; each element of a row belongs to another group of four lanes. A lane's two elements are
    /// in rows this offset apart (by xor).
    Transposed(u64),
}

/// Where a lane's elements lie in memory, in elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offsets {
    /// At a linear function of lane and subgroup, xored with the access's own part.
    Bits(OfPlace),
    /// At the coordinate in this layout times the strides. Of several lanes that hold the same, the first one stores.
    ///
    /// Where there are several rounds, they take one window of [`Exchange::size`] offsets after the other: an access
    /// takes part in round `r` where its offset divided by the size is `r`, and the remainder is its place in memory.
    Digits {
        /// The layout.
        layout: Layout,
        /// The distance between neighbours along each dimension.
        strides: Vec<i64>,
    },
}

/// One instruction of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The first slot.
    pub slot: usize,
    /// Xored to the offset.
    pub offset: u64,
    /// Added to the offset.
    pub base: i64,
    /// In which repetition.
    pub round: usize,
    /// Which lanes take part.
    pub only: u64,
}

/// What a plan costs one subgroup.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    /// Words brought from other lanes.
    pub shuffles: i64,
    /// What that costs: the sum over the instructions that do it.
    pub shuffle_cost: i64,
    /// Words selected.
    pub selects: i64,
    /// Words put together from bytes.
    pub permutes: i64,
    /// Matrices transposed.
    pub transposes: i64,
    /// Stores to shared memory.
    pub stores: i64,
    /// Loads from shared memory.
    pub loads: i64,
    /// Wavefronts of both.
    pub wavefronts: i64,
    /// Wavefronts if no two lanes met in a bank.
    pub wavefronts_ideal: i64,
    /// Bytes of shared memory of the workgroup.
    pub shared_bytes: i64,
    /// Barriers of the workgroup.
    pub barriers: i64,
    /// Barriers of the subgroup.
    pub subgroup_barriers: i64,
    /// The sum, weighted by the machine's costs.
    pub total: i64,
}

/// How a value changes its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// What they cost.
    pub cost: Cost,
    /// Bits of an element.
    pub element_bits: i64,
    /// Ways that were planned and cost more, with their cost, cheapest first.
    pub rejected: Vec<(&'static str, i64)>,
    /// What kind of way this is.
    pub way: &'static str,
}

/// Why there is no plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanError {
    /// The layouts are for values of different shapes.
    Shapes {
        /// The source's.
        source: Vec<i64>,
        /// The target's.
        target: Vec<i64>,
    },
    /// The layouts are for machines of different sizes.
    Machines {
        /// What differs.
        hardware: Hardware,
        /// How many the source has.
        source: i64,
        /// How many the target has.
        target: i64,
    },
    /// The source holds parts of sums, which must be added first; or the target wants parts.
    Partial,
    /// The target wants an element that the source does not hold.
    Missing {
        /// Its coordinate.
        coord: Vec<i64>,
    },
    /// Elements of so many bits have no conversion.
    Element {
        /// Bits.
        bits: i64,
    },
    /// Shared memory is too small.
    Memory {
        /// Bytes needed.
        needed: i64,
        /// Bytes there are.
        have: i64,
    },
    /// A layout could not be taken apart.
    Layout(LayoutError),
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Shapes { source, target } => write!(f, "shapes {source:?} and {target:?} differ"),
            PlanError::Machines { hardware, source, target } => {
                let name = hardware.name();
                write!(f, "one layout has {source} {name}s and the other {target}")
            }
            PlanError::Partial => write!(f, "parts of a sum must be added before they can change places"),
            PlanError::Missing { coord } => write!(f, "no place of the source holds element {coord:?}"),
            PlanError::Element { bits } => write!(f, "elements of {bits} bits have no conversion"),
            PlanError::Memory { needed, have } => {
                write!(f, "the exchange needs {needed} bytes of shared memory, and there are {have}")
            }
            PlanError::Layout(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PlanError {}

impl PlanError {
    /// The same of a value whose row-major elements had another shape.
    fn in_shape(self, old: &[i64], new: &[i64]) -> PlanError {
        let PlanError::Missing { coord } = self else { return self };
        let number = coord.iter().zip(old).fold(0, |number, (c, extent)| number * extent + c);
        PlanError::Missing { coord: delinearize(number, new) }
    }
}

impl From<LayoutError> for PlanError {
    fn from(error: LayoutError) -> PlanError {
        PlanError::Layout(error)
    }
}

/// Layouts with more places are refused: their plans would be lists as long.
const PLACES_MAX: i64 = 1 << 26;

/// A way that applies, before it is costed against others.
struct Way {
    name: &'static str,
    steps: Vec<Step>,
    cost: Cost,
}

/// The cheapest way from one layout of a value to another one.
pub fn plan(source: &Layout, target: &Layout, element_bits: i64, machine: &Machine) -> Result<Plan, PlanError> {
    if source.shape() != target.shape() {
        return Err(PlanError::Shapes { source: source.shape().to_vec(), target: target.shape().to_vec() });
    }
    for hardware in [Hardware::Lane, Hardware::Subgroup] {
        let (ours, theirs) = (source.count(hardware), target.count(hardware));
        if ours != theirs {
            return Err(PlanError::Machines { hardware, source: ours, target: theirs });
        }
    }
    for layout in [source, target] {
        let places: i64 = Hardware::ALL.iter().map(|&hardware| layout.count(hardware)).product();
        if places > PLACES_MAX || layout.count(Hardware::Offset) > 1 {
            return Err(PlanError::Layout(LayoutError::TooLarge));
        }
    }
    if !matches!(element_bits, 1 | 4 | 8 | 16 | 32 | 64 | 128) {
        return Err(PlanError::Element { bits: element_bits });
    }
    let finish = |way: Way, rejected| Plan { steps: way.steps, cost: way.cost, element_bits, rejected, way: way.name };
    if source.canonical() == target.canonical() {
        return Ok(finish(Way { name: "nothing", steps: vec![], cost: Cost::default() }, vec![]));
    }
    let partial = |layout: &Layout| {
        let mut digits = Hardware::ALL.iter().flat_map(|&hardware| layout.digits(hardware));
        digits.any(|digit| digit.kind == Kind::Partial)
    };
    if partial(source) || partial(target) {
        return Err(PlanError::Partial);
    }
    let shape = source.shape();
    let refined = odd::refine(source, target);
    let (source, target) = refined.as_ref().map_or((source, target), |[source, target]| (source, target));
    let all = match form::Pair::of(source, target, element_bits) {
        Some(pair) => ways(&pair, machine),
        None => match form::same_lanes(source, target) {
            Some(from) => Ok(vec![slots_way(from, element_bits, machine)]),
            None => odd::exchange(source, target, element_bits, machine).map(|way| vec![way]),
        },
    };
    let mut ways = all.map_err(|error| error.in_shape(source.shape(), shape))?;
    // The first of equals: ways are planned in the order of what they disturb.
    sort_by_key(&mut ways, |way| way.cost.total);
    let mut ways = ways.into_iter();
    let best = ways.next().unwrap_or_else(|| unreachable!("there is always a way or an error"));
    let rejected = ways.map(|way| (way.name, way.cost.total)).collect();
    Ok(finish(best, rejected))
}

/// Every way that applies to linear layouts.
fn ways(pair: &form::Pair, machine: &Machine) -> Result<Vec<Way>, PlanError> {
    if let Some(way) = pair.in_lanes(machine) {
        // Nothing that leaves the lanes is cheaper than permuting or dropping registers.
        if way.cost.selects == 0 {
            return Ok(vec![way]);
        }
        let mut all = vec![way];
        all.extend(shuffle::transpose(pair, machine));
        // Many selects may cost more than memory.
        all.extend(shared::exchange(pair, machine).ok());
        return Ok(all);
    }
    if let Some(coord) = pair.missing() {
        return Err(PlanError::Missing { coord });
    }
    let mut all: Vec<Way> = Vec::new();
    all.extend(shuffle::transpose(pair, machine));
    all.extend(lanes::swaps(pair, machine));
    all.extend(shuffle::rounds(pair, machine));
    match shared::exchange(pair, machine) {
        Ok(way) => all.push(way),
        Err(error) if all.is_empty() => return Err(error),
        Err(_) => {}
    }
    Ok(all)
}

fn slots_way(from: Vec<usize>, element_bits: i64, machine: &Machine) -> Way {
    let cost = Cost { permutes: permutes(&from, element_bits), ..Cost::default() }.weighed(machine);
    Way { name: "slots", steps: vec![Step::Slots { from }], cost }
}

impl Cost {
    fn weighed(self, machine: &Machine) -> Cost {
        let costs = &machine.costs;
        let total = self.shuffle_cost
            + self.selects * costs.select
            + self.permutes * costs.permute
            + self.transposes * costs.transpose
            + (self.stores + self.loads) * costs.shared
            + self.wavefronts * costs.wavefront
            + self.barriers * costs.barrier
            + self.subgroup_barriers * costs.subgroup_barrier;
        Cost { total, ..self }
    }
}

/// Words to put together where slots are picked in this order: a word that another one becomes as a whole is free.
fn permutes(from: &[usize], element_bits: i64) -> i64 {
    let per_word = (32 / element_bits).max(1) as usize;
    if per_word == 1 {
        return 0;
    }
    let word = |picked: &[usize]| {
        let whole = picked[0].is_multiple_of(per_word) && picked.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if whole {
            return 0;
        }
        let mut words: Vec<usize> = picked.iter().map(|slot| slot / per_word).collect();
        words.sort_unstable();
        words.dedup();
        (words.len() as i64 - 1).max(1)
    };
    from.chunks(per_word).map(word).sum()
}

/// Drops steps that do nothing and joins neighbouring permutations of slots.
fn tidy(steps: Vec<Step>, n_slots: usize) -> Vec<Step> {
    let mut tidied: Vec<Step> = Vec::new();
    for step in steps {
        let step = match (step, tidied.pop()) {
            (Step::Slots { from }, Some(Step::Slots { from: before })) => {
                Step::Slots { from: from.into_iter().map(|slot| before[slot]).collect() }
            }
            (step, Some(before)) => {
                tidied.push(before);
                step
            }
            (step, None) => step,
        };
        tidied.push(step);
    }
    let mut slots = n_slots;
    tidied.retain(|step| {
        let before = slots;
        match step {
            Step::Slots { from } => slots = from.len(),
            Step::Shuffle(shuffle) => slots = shuffle.n_slots,
            Step::Exchange(exchange) => slots = exchange.n_slots,
            Step::Turn { .. } | Step::Transpose { .. } => {}
        }
        match step {
            Step::Slots { from } => slots != before || !from.iter().copied().eq(0..before),
            Step::Turn { by } => !by.is_zero(),
            Step::Shuffle(_) | Step::Transpose { .. } | Step::Exchange(_) => true,
        }
    });
    tidied
}
