//! Random pairs of layouts on real chips: each plan is executed on integers, and what it costs is counted again.
//!
//! `cargo xtask fuzz-plans` runs 10 000 of them, or more, and prints the table.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failing unwrap is a failing test, and the table is read"
)]

use std::collections::BTreeMap;

use raddle_layout::access::{Banks, wavefronts};
use raddle_layout::f2::Matrix;
use raddle_layout::plan::{Access, Cost, Costs, Exchange, Form, Machine, Offsets, Plan, Registers, Side, Step, plan};
use raddle_layout::{Digit, Hardware, Kind, Layout};
use raddle_target::chip;

/// A generator of numbers that look random: the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for index in (1..list.len()).rev() {
            list.swap(index, self.below(index + 1));
        }
    }
}

/// What a pair is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sort {
    /// Each bit of a number is a bit of a coordinate.
    Bits,
    /// General invertible maps over F2.
    General,
    /// Odd factors, outside the powers of two of their dimensions.
    OddOutside,
    /// Odd factors anywhere, in both layouts alike.
    Odd,
    /// Odd factors in other places of both layouts, which no linear map describes.
    OddApart,
}

const SORTS: [(Sort, &str); 5] = [
    (Sort::Bits, "bit permutations"),
    (Sort::General, "general F2"),
    (Sort::OddOutside, "odd factors outside"),
    (Sort::Odd, "odd factors anywhere"),
    (Sort::OddApart, "odd factors apart"),
];

/// The factors of a value of random shape with at most so many elements, each dimension's in the order of their weights.
fn value(random: &mut Random, sort: Sort, most: i64) -> Vec<Vec<i64>> {
    let rank = 1 + random.below(4);
    let mut parts: Vec<Vec<i64>> = vec![vec![]; rank];
    let mut size = 1;
    let n_odd = match sort {
        Sort::Bits | Sort::General => 0,
        Sort::OddOutside | Sort::Odd | Sort::OddApart => 1 + random.below(2),
    };
    for _ in 0..n_odd {
        let factor = [3, 5, 3, 7][random.below(4)];
        if size * factor <= 21 {
            parts[random.below(rank)].push(factor);
            size *= factor;
        }
    }
    for _ in 0..4 + random.below(9) {
        if size * 2 <= most {
            parts[random.below(rank)].insert(0, 2);
            size *= 2;
        }
    }
    if sort == Sort::Odd {
        parts.iter_mut().for_each(|parts| random.shuffle(parts));
    }
    parts
}

/// The digits of a layout of such a value.
fn factors(random: &mut Random, sort: Sort, value: &[Vec<i64>]) -> Vec<Digit> {
    let mut digits = Vec::new();
    for (dim, parts) in value.iter().enumerate() {
        let mut parts = parts.clone();
        if sort == Sort::OddApart {
            random.shuffle(&mut parts);
        }
        let mut weight = 1;
        for part in parts {
            digits.push(Digit::shard(part, value.len(), dim, weight));
            weight *= part;
        }
    }
    digits
}

/// One layout of these factors: dealt to slots, lanes and subgroups at random, with copies and empty places where lanes
/// and subgroups are left.
fn deal(
    random: &mut Random,
    sort: Sort,
    shape: &[i64],
    mut factors: Vec<Digit>,
    [lanes, subgroups]: [i64; 2],
) -> Layout {
    let rank = shape.len();
    random.shuffle(&mut factors);
    let mut digits: [Vec<Digit>; 3] = [vec![], vec![], vec![]];
    let mut space = [1 << 6, lanes, subgroups];
    for digit in factors {
        // Lanes first: what no one needs to hold twice is held once.
        let order = if random.one_in(3) { [0, 1, 2] } else { [1, 2, 0] };
        let to = order.into_iter().find(|&to| space[to] % digit.extent == 0 && !(to == 0 && space[0] < digit.extent));
        // Slots take odd factors too.
        let to = to.unwrap_or(0);
        space[to] = (space[to] / digit.extent).max(1);
        digits[to].push(digit);
    }
    if random.one_in(4) {
        let at = random.below(digits[0].len() + 1);
        digits[0].insert(at, Digit::still(2, rank, Kind::Replicate));
    }
    for to in [1, 2] {
        let mut rest = space[to];
        let mut prime = 2;
        while rest > 1 {
            if rest % prime != 0 {
                prime += 1;
                continue;
            }
            let kind = if random.one_in(4) { Kind::Unused } else { Kind::Replicate };
            let at = random.below(digits[to].len() + 1);
            digits[to].insert(at, Digit::still(prime, rank, kind));
            rest /= prime;
        }
    }
    let [slots, lanes, subgroups] = digits;
    let layout = Layout::new(shape.to_vec(), slots, lanes, subgroups).unwrap();
    let general = sort == Sort::General || sort == Sort::OddOutside && random.one_in(3);
    if general { layout.with_swizzle(&invertible(random, layout.n_bits())).unwrap() } else { layout }
}

fn invertible(random: &mut Random, n: usize) -> Matrix {
    let mut columns: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
    for _ in 0..3 * n {
        let (a, b) = (random.below(n), random.below(n));
        if a != b {
            columns[a] ^= columns[b];
        }
    }
    Matrix::new(n, columns).unwrap()
}

fn filled(layout: &Layout) -> Registers {
    let [slots, lanes, subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware) as usize);
    let mut registers = Registers::empty(subgroups, lanes, slots);
    for owner in layout.owners() {
        let place = (owner.subgroup as usize * lanes + owner.lane as usize) * slots + owner.slot as usize;
        let number = owner.coord.iter().zip(layout.shape()).fold(0, |n, (c, extent)| n * extent + c);
        registers.values[place] = Some(number);
    }
    registers
}

/// Whether each element arrives.
fn is_exact(plan: &Plan, source: &Layout, target: &Layout) -> bool {
    let wanted = filled(target);
    let result = plan.run(&filled(source)).unwrap_or_else(|fault| panic!("{fault}\n{plan}"));
    let same = |(have, want): (&Option<i64>, &Option<i64>)| want.is_none() || have == want;
    result.n_slots == wanted.n_slots && result.values.iter().zip(&wanted.values).all(same)
}

/// Wavefronts of a plan's accesses and the fewest that the same words need, counted from the addresses; the busiest
/// subgroup counts.
fn recount(plan: &Plan, machine: &Machine, source: &Layout) -> (i64, i64) {
    let [_, lanes, subgroups] = Hardware::ALL.map(|hardware| source.count(hardware) as usize);
    let mut total = (0, 0);
    for step in &plan.steps {
        let Step::Exchange(exchange) = step else { continue };
        for (side, banks) in [(&exchange.store, &machine.banks), (&exchange.load, &machine.load_banks)] {
            let all = (0..subgroups).map(|subgroup| waves(side, exchange, banks, lanes, subgroup));
            let worst = all.max().unwrap();
            total = (total.0 + worst.0, total.1 + worst.1);
        }
    }
    total
}

fn waves(side: &Side, exchange: &Exchange, banks: &Banks, lanes: usize, subgroup: usize) -> (i64, i64) {
    let (bytes, window) = (exchange.element_bytes, exchange.size);
    let offset = |access: &Access, lane: usize, index: usize| match &side.offsets {
        Offsets::Bits(of) => {
            let first = of.at(lane, subgroup) ^ access.offset;
            let step = match side.form {
                Form::Transposed(step) if index == 1 => step,
                _ => 0,
            };
            Some((first ^ step) as i64 + access.base)
        }
        Offsets::Digits { layout, strides } => {
            let coord = layout.coord(subgroup as i64, lane as i64, access.slot as i64)?;
            let offset: i64 = coord.iter().zip(strides).map(|(c, stride)| c * stride).sum();
            (offset / window == access.round as i64).then_some(offset % window)
        }
    };
    // Of several lanes that hold the same, the first one stores: no digit that only repeats moves it.
    let stores = std::ptr::eq(side, &exchange.store);
    let is_first = |lane: usize| match &side.offsets {
        Offsets::Digits { layout, .. } if stores => {
            let mut places = [(Hardware::Lane, lane), (Hardware::Subgroup, subgroup)].into_iter();
            places.all(|(hardware, number)| {
                let mut rest = number as i64;
                layout.digits(hardware).iter().all(|digit| {
                    let value = rest % digit.extent;
                    rest /= digit.extent;
                    digit.kind != Kind::Replicate || value == 0
                })
            })
        }
        _ => true,
    };
    let takes = |access: &Access, lane: usize| {
        is_first(lane)
            && lane as u64 & side.lanes_without == 0
            && subgroup as u64 & side.subgroups_without == 0
            && side.only.at(lane, subgroup) == access.only
    };
    let count = |access: &Access| {
        let at = |lane: usize, index: usize| Some(offset(access, lane, index)? * bytes);
        let addresses: Vec<Option<i64>> = match side.form {
            Form::Plain => (0..lanes).map(|lane| at(lane, 0).filter(|_| takes(access, lane))).collect(),
            Form::Matrix => (0..8).map(|row| at(4 * row, 0)).collect(),
            Form::Transposed(_) => (0..8).map(|row| at(row / 2, row % 2)).collect(),
        };
        let width = if side.form == Form::Plain { side.width as i64 * bytes } else { 16 };
        let waves = wavefronts(&addresses, width, banks);
        (waves.count, waves.ideal)
    };
    side.accesses.iter().map(count).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}

/// Whether each round of shuffles is a pattern that its instruction has, lane by lane.
fn moves_are_possible(plan: &Plan, target: &Layout, used: &mut BTreeMap<&'static str, usize>) {
    let [_, lanes, subgroups] = Hardware::ALL.map(|hardware| target.count(hardware) as usize);
    for step in &plan.steps {
        let Step::Shuffle(shuffle) = step else { continue };
        for round in shuffle.rounds.iter().filter(|round| !round.stays) {
            *used.entry(round.with).or_default() += 1;
            for subgroup in 0..subgroups {
                let wanted = |lane: usize| target.coord(subgroup as i64, lane as i64, 0).is_some();
                let from = |lane: usize| (shuffle.from.at(lane, subgroup) ^ round.from) as usize;
                let pairs: Vec<(usize, usize)> =
                    (0..lanes).filter(|&lane| wanted(lane)).map(|lane| (lane, from(lane))).collect();
                // In groups of lanes, all alike, from the group that is `flip` away.
                let group = |size: usize, flip: usize| {
                    let mut order = vec![None; size];
                    pairs.iter().all(|&(lane, from)| {
                        let known = order[lane % size].get_or_insert(from % size);
                        (lane ^ flip) / size == from / size && *known == from % size
                    })
                };
                let flip =
                    |flips: &[usize]| flips.iter().any(|flip| pairs.iter().all(|(lane, from)| lane ^ flip == *from));
                let possible = match round.with {
                    "shuffle" => true,
                    "dpp quad_perm" => group(4, 0),
                    "dpp8" => group(8, 0),
                    "v_permlane16" => group(16, 0),
                    "v_permlanex16" => group(16, 16),
                    "dpp row_half_mirror" => pairs.iter().all(|(lane, from)| *from == lane / 8 * 8 + 7 - lane % 8),
                    "dpp row_mirror" => pairs.iter().all(|(lane, from)| *from == lane / 16 * 16 + 15 - lane % 16),
                    "dpp row_ror:8" => pairs.iter().all(|(lane, from)| *from == lane / 16 * 16 + (lane + 8) % 16),
                    "dpp row_xmask" => flip(&(0..16).collect::<Vec<usize>>()),
                    "ds_swizzle" => flip(&(0..32).collect::<Vec<usize>>()),
                    "v_permlane64" | "v_permlane32_swap" => flip(&[32]),
                    "v_permlane16_swap" => flip(&[16]),
                    other => panic!("nothing is known of {other}"),
                };
                assert!(possible, "{} cannot do this\n{plan}{pairs:?}", round.with);
            }
        }
    }
}

/// What a plan costs by a table.
fn total(cost: &Cost, costs: &Costs) -> i64 {
    cost.shuffle_cost
        + cost.selects * costs.select
        + cost.permutes * costs.permute
        + cost.transposes * costs.transpose
        + (cost.stores + cost.loads) * costs.shared
        + cost.wavefronts * costs.wavefront
        + cost.barriers * costs.barrier
        + cost.subgroup_barriers * costs.subgroup_barrier
}

#[derive(Default)]
struct Row {
    pairs: usize,
    conflicts: usize,
    ways: BTreeMap<&'static str, usize>,
}

/// Every plan is exact; where a linear map with odd digits around it describes both layouts, no lanes meet in a bank;
/// and no plan goes through memory where shuffles cost less.
#[test]
fn random_pairs_are_exact() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
    };
    let (seed, count) = (number("RADDLE_SEED", 0), number("RADDLE_PAIRS", 1000));
    let mut rows: BTreeMap<Sort, Row> = BTreeMap::new();
    let mut moves: BTreeMap<&'static str, usize> = BTreeMap::new();
    for index in 0..count {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(index).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.below(2);
        let (name, lanes) =
            [("sm_80", 32), ("sm_90", 32), ("gfx942", 64), ("gfx950", 64), ("gfx1100", 32), ("gfx1201", 64)]
                [random.below(6)];
        let subgroups = 1 + random.below(8) as i64;
        let machine = chip(name).unwrap().machine(lanes);
        let (sort, _) = SORTS[index as usize % SORTS.len()];
        let bits = [8, 16, 32][random.below(3)];
        let most = 32 * lanes * (subgroups & -subgroups);
        let value = value(&mut random, sort, most);
        let shape: Vec<i64> = value.iter().map(|parts| parts.iter().product()).collect();
        let mut layout = || {
            let factors = factors(&mut random, sort, &value);
            deal(&mut random, sort, &shape, factors, [lanes, subgroups])
        };
        let (source, target) = (layout(), layout());
        let what = || format!("pair {index} of seed {seed} on {name}, {bits} bits:\n{source:?}\n{target:?}");
        let plan = plan(&source, &target, bits, &machine).unwrap_or_else(|error| panic!("{error}\n{}", what()));
        assert!(is_exact(&plan, &source, &target), "{plan}{}", what());
        moves_are_possible(&plan, &target, &mut moves);
        let (counted, ideal) = recount(&plan, &machine, &source);
        assert_eq!(plan.cost.wavefronts, counted, "{plan}{}", what());
        assert_eq!(plan.cost.total, total(&plan.cost, &machine.costs), "{plan}{}", what());
        let row = rows.entry(sort).or_default();
        row.pairs += 1;
        *row.ways.entry(plan.way).or_default() += 1;
        if counted > ideal {
            row.conflicts += 1;
        }
        // Odd digits around a linear map leave its lanes as they are.
        if sort != Sort::OddApart {
            assert_eq!(counted, ideal, "{plan}{}", what());
        }
        // With memory out of reach, what is left costs at least as much.
        let dear = Costs { shared: 1 << 20, ..machine.costs };
        let dry =
            raddle_layout::plan::plan(&source, &target, bits, &Machine { costs: dear, ..machine.clone() }).unwrap();
        moves_are_possible(&dry, &target, &mut moves);
        if dry.cost.stores == 0 {
            assert!(is_exact(&dry, &source, &target), "{dry}{}", what());
            assert!(total(&dry.cost, &machine.costs) >= plan.cost.total, "{plan}{dry}{}", what());
        }
    }
    println!("{:22} {:>6} {:>6} {:>9}  ways", "pairs", "", "exact", "conflicts");
    for (sort, name) in SORTS {
        let Row { pairs, conflicts, ways } = &rows[&sort];
        let ways: Vec<String> = ways.iter().map(|(way, n)| format!("{way} {n}")).collect();
        println!("{name:22} {pairs:>6} {pairs:>6} {conflicts:>9}  {}", ways.join(", "));
    }
    let moves: Vec<String> = moves.iter().map(|(name, n)| format!("{name} {n}")).collect();
    println!("rounds of shuffles by {}", moves.join(", "));
    for (name, bit) in [("v_permlane32_swap", 5), ("v_permlane16_swap", 4)] {
        one_swap_is_one_instruction(name, bit);
    }
}

/// A slot bit and a lane bit that change places: gfx950 needs one instruction for two words, and no selects.
fn one_swap_is_one_instruction(name: &str, bit: usize) {
    let lanes: Vec<u64> = (0..6).map(|bit| 8 << bit).collect();
    let source = Layout::from_bases(&[512], [&[1, 2, 4], &lanes, &[], &[]]).unwrap();
    let mut crossed = lanes;
    crossed[bit] = 2;
    let target = Layout::from_bases(&[512], [&[1, 8 << bit, 4], &crossed, &[], &[]]).unwrap();
    let plan = plan(&source, &target, 32, &chip("gfx950").unwrap().machine(64)).unwrap();
    assert!(is_exact(&plan, &source, &target), "{plan}");
    assert_eq!((plan.way, plan.cost.shuffles, plan.cost.total), ("swap", 4, 4), "{plan}");
    assert!(plan.to_string().contains(name), "{plan}");
}
