//! Every plan, run on integers, brings every element to every place that the target names.

#![allow(clippy::unwrap_used, reason = "a failing unwrap is a failing test")]

use raddle_layout::access::{Banks, wavefronts};
use raddle_layout::f2::Matrix;
use raddle_layout::plan::{Access, Costs, Form, Machine, Offsets, Plan, PlanError, Registers, Step, contraction, plan};
use raddle_layout::{Digit, Hardware, Kind, Layout, Nested};

/// A generator of numbers that look random: the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for index in (1..list.len()).rev() {
            list.swap(index, self.below(index + 1));
        }
    }
}

fn machine() -> Machine {
    Machine {
        matrix_load: true,
        matrix_load_transposed: true,
        matrix_store: true,
        matrix_store_transposed: true,
        matrix_transpose: true,
        ..Machine::plain()
    }
}

fn filled(layout: &Layout) -> Registers {
    let [slots, lanes, subgroups] = Hardware::ALL.map(|hardware| layout.count(hardware) as usize);
    let mut registers = Registers::empty(subgroups, lanes, slots);
    for owner in layout.owners() {
        let place = ((owner.subgroup as usize * lanes) + owner.lane as usize) * slots + owner.slot as usize;
        registers.values[place] = Some(number(layout, &owner.coord));
    }
    registers
}

fn number(layout: &Layout, coord: &[i64]) -> i64 {
    coord.iter().zip(layout.shape()).fold(0, |index, (c, extent)| index * extent + c)
}

/// Counts the wavefronts of every access of every subgroup; the plan's figure is that of the busiest one.
fn recount(plan: &Plan, machine: &Machine, n_lanes: usize, n_subgroups: usize) {
    let mut total = 0;
    for step in &plan.steps {
        let Step::Exchange(exchange) = step else { continue };
        for side in [&exchange.store, &exchange.load] {
            let Offsets::Bits(of) = &side.offsets else { return };
            let bytes = exchange.element_bytes;
            let of_subgroup = |subgroup: usize| -> i64 {
                let count = |access: &Access| {
                    let at = |lane: usize| ((of.at(lane, subgroup) ^ access.offset) as i64 + access.base) * bytes;
                    let held = |lane: usize| lane as u64 & side.lanes_without == 0;
                    let (addresses, width): (Vec<Option<i64>>, i64) = match side.form {
                        Form::Plain => {
                            ((0..n_lanes).map(|lane| held(lane).then(|| at(lane))).collect(), side.width as i64 * bytes)
                        }
                        Form::Matrix => ((0..8).map(|row| Some(at(4 * row))).collect(), 16),
                        Form::Transposed(step) => {
                            let row = |row: usize| {
                                let other = of.at(row / 2, subgroup) ^ access.offset ^ step;
                                let far = (other as i64 + access.base) * bytes;
                                Some(if row % 2 == 1 { far } else { at(row / 2) })
                            };
                            ((0..8).map(row).collect(), 16)
                        }
                    };
                    wavefronts(&addresses, width, &machine.banks).count
                };
                side.accesses.iter().map(count).sum()
            };
            total += (0..n_subgroups).map(of_subgroup).max().unwrap();
        }
    }
    assert_eq!(total, plan.cost.wavefronts, "{plan}");
}

/// Runs a plan; every element must arrive.
fn check(source: &Layout, target: &Layout, plan: &Plan) {
    let result = plan.run(&filled(source)).unwrap_or_else(|fault| panic!("{fault}\n{plan}\n{source:?}\n{target:?}"));
    let wanted = filled(target);
    recount(plan, &machine(), wanted.n_lanes, wanted.n_subgroups);
    assert_eq!(result.n_slots, wanted.n_slots, "{plan}");
    for (place, (have, want)) in result.values.iter().zip(&wanted.values).enumerate() {
        assert!(want.is_none() || have == want, "place {place}: {have:?} for {want:?}\n{plan}\n{source:?}\n{target:?}");
    }
}

/// Vectors of `n` bits, shuffled, as the columns of slots, lanes and subgroups, with zeros and empty bits among them.
fn deal(random: &mut Random, n: usize, shape: &[i64], lanes: usize, subgroups: usize, general: bool) -> Layout {
    loop {
        let mut columns: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
        random.shuffle(&mut columns);
        if general {
            for _ in 0..2 * n {
                let (a, b) = (random.below(n), random.below(n));
                if a != b {
                    columns[a] ^= columns[b];
                }
            }
        }
        let zeros = random.below(3) * random.below(2);
        columns.extend((0..zeros).map(|_| 0));
        while columns.len() < lanes + subgroups {
            columns.push(0);
        }
        random.shuffle(&mut columns);
        let slots = columns.split_off(lanes + subgroups);
        let subgroup = columns.split_off(lanes);
        if slots.len() <= 6 {
            return Layout::from_bases(shape, [&slots, &columns, &subgroup, &[]]).unwrap();
        }
    }
}

fn shape_of(random: &mut Random, n: usize) -> Vec<i64> {
    let rank = 1 + random.below(4);
    let mut shape = vec![1i64; rank];
    for _ in 0..n {
        shape[random.below(rank)] *= 2;
    }
    shape
}

#[test]
fn linear_pairs_are_exact() {
    let mut random = Random(1);
    let mut ways = std::collections::BTreeMap::new();
    for round in 0..5000 {
        let (lanes, subgroups) = ([5, 5, 6, 3][random.below(4)], random.below(4));
        let n = (lanes + random.below(4) + random.below(1 + subgroups)).min(lanes + subgroups + 5);
        let shape = shape_of(&mut random, n);
        let mut layout = |general| deal(&mut random, n, &shape, lanes, subgroups, general);
        let (source, target) = (layout(round % 3 == 0), layout(round % 3 == 0));
        let bits = [8, 16, 32, 64, 4, 128, 1][round % 7];
        let machine = if round % 2 == 0 { machine() } else { Machine::plain() };
        let plan = plan(&source, &target, bits, &machine).unwrap();
        *ways.entry(plan.way).or_insert(0) += 1;
        check(&source, &target, &plan);
        // A swizzle that keeps both sides apart exists for plain accesses and matrices alike.
        assert_eq!(plan.cost.wavefronts, plan.cost.wavefronts_ideal, "{plan}\n{source:?}\n{target:?}");
        assert!(plan.rejected.iter().all(|(_, cost)| *cost >= plan.cost.total));
    }
    assert!(ways.len() >= 4, "{ways:?}");
}

/// The same with shuffles at any price, then with nothing but shuffles inside one subgroup.
#[test]
fn every_way_is_exact() {
    let mut random = Random(2);
    let dear = Costs { shuffle: 1000, select: 1000, ..Costs::default() };
    let cheap = Costs { shared: 1000, ..Costs::default() };
    let mut ways = std::collections::BTreeMap::new();
    for round in 0..3500 {
        let lanes = [5, 5, 6][random.below(3)];
        let n = lanes - random.below(2) * random.below(3) + random.below(5);
        let shape = shape_of(&mut random, n);
        let mut layout = |general| deal(&mut random, n, &shape, lanes, 1, general);
        let (source, target) = (layout(round % 3 == 0), layout(round % 3 == 0));
        let costs = if round % 2 == 0 { dear } else { cheap };
        let machine = Machine { costs, ..machine() };
        let plan = plan(&source, &target, [8, 16, 32][random.below(3)], &machine).unwrap();
        *ways.entry(plan.way).or_insert(0) += 1;
        check(&source, &target, &plan);
        assert_eq!(plan.cost.wavefronts, plan.cost.wavefronts_ideal, "{plan}\n{source:?}\n{target:?}");
    }
    assert!(ways["shuffle"] > 200 && ways["shared memory"] > 200, "{ways:?}");
}

/// Layouts with odd extents, empty places and copies.
#[test]
fn odd_extents_are_exact() {
    let mut random = Random(3);
    let mut ways = std::collections::BTreeMap::new();
    for round in 0..2000 {
        let odd = [3i64, 5, 3, 7][random.below(4)];
        let shape = [vec![odd * 16], vec![16, odd * 4], vec![odd, 32], vec![4, odd * 2, 8]][random.below(4)].clone();
        let rank = shape.len();
        // The prime factors of the shape, each dimension's in order of weight.
        let mut factors = Vec::new();
        for (dim, &extent) in shape.iter().enumerate() {
            let mut parts = vec![2; extent.trailing_zeros() as usize];
            if extent % odd == 0 {
                parts.push(odd);
                if round % 3 == 0 {
                    random.shuffle(&mut parts);
                }
            }
            let mut weight = 1;
            for part in parts {
                factors.push(Digit::shard(part, rank, dim, weight));
                weight *= part;
            }
        }
        let mut layout = || {
            let mut factors = factors.clone();
            random.shuffle(&mut factors);
            let mut digits: [Vec<Digit>; 3] = [vec![], vec![], vec![]];
            let space = [i64::MAX, 32, 4];
            for digit in factors {
                let mut to = random.below(3);
                let used: i64 = digits[to].iter().map(|digit| digit.extent).product();
                if digit.extent % 2 == 1 && random.below(3) > 0 || used > space[to] / 2 || digit.extent != 2 && to > 0 {
                    to = 0;
                }
                digits[to].push(digit);
            }
            for (to, space) in [(1, 32), (2, 4)] {
                let used: i64 = digits[to].iter().map(|digit| digit.extent).product();
                let kind = if random.below(2) == 0 { Kind::Replicate } else { Kind::Unused };
                let at = random.below(digits[to].len() + 1);
                digits[to].insert(at, Digit::still(space / used, rank, kind));
            }
            let [slots, lanes, subgroups] = digits;
            Layout::new(shape.clone(), slots, lanes, subgroups).unwrap()
        };
        let (source, target) = (layout(), layout());
        let plan = plan(&source, &target, [8, 16, 32][round % 3], &machine()).unwrap();
        *ways.entry(plan.way).or_insert(0) += 1;
        check(&source, &target, &plan);
    }
    assert!(ways.len() >= 3, "{ways:?}");
}

/// Any number of lanes and subgroups: 48 lanes, three subgroups, in any order of digits.
#[test]
fn odd_machines_are_exact() {
    let mut random = Random(4);
    for round in 0..400 {
        let mut digits: Vec<Digit> = [(2, 1), (2, 2), (3, 4), (2, 12), (2, 24), (3, 48), (2, 144)]
            .map(|(extent, weight)| Digit::shard(extent, 1, 0, weight))
            .to_vec();
        let mut layout = || {
            random.shuffle(&mut digits);
            // Lanes are four twos and a three, or three twos and both threes; the same on both sides.
            let take = |list: &mut Vec<Digit>, extents: &[i64]| {
                let one = |&extent: &i64| {
                    let at = list.iter().position(|digit| digit.extent == extent).unwrap();
                    list.remove(at)
                };
                extents.iter().map(one).collect::<Vec<Digit>>()
            };
            let mut rest = digits.clone();
            let (lanes, subgroups): (&[i64], &[i64]) =
                if round % 2 == 0 { (&[2, 3, 2, 2], &[3]) } else { (&[3, 2, 3], &[2, 2]) };
            let (lanes, subgroups) = (take(&mut rest, lanes), take(&mut rest, subgroups));
            Layout::new(vec![288], rest, lanes, subgroups).unwrap()
        };
        let (source, target) = (layout(), layout());
        let plan = plan(&source, &target, [8, 16, 32][round % 3], &machine()).unwrap();
        check(&source, &target, &plan);
    }
}

fn nested(lists: [&[i64]; 7], n_subgroups: i64, n_lanes: i64) -> Layout {
    let [s, b, o, t, e, ss, ts] = lists.map(<[i64]>::to_vec);
    Layout::from_nested(&Nested::new(s, b, o, t, e, ss, ts).unwrap(), n_subgroups, n_lanes).unwrap()
}

/// The accumulator of m16n8k16 and the left factor of the next product, over 16 x 16 elements.
fn accumulator() -> Layout {
    nested([&[1, 1], &[1, 2], &[2, 1], &[8, 4], &[1, 2], &[0, 0], &[4, 1]], 1, 32)
}

fn left_factor() -> Layout {
    let layout =
        Nested::new(vec![1, 1], vec![1, 1], vec![2, 2], vec![8, 4], vec![1, 2], vec![0, 0], vec![4, 1]).unwrap();
    // Blocks are numbered down the rows first.
    Layout::from_nested_ordered(&layout, &[0, 1, 3, 2, 4, 5], 1, 32).unwrap()
}

#[test]
fn accumulators_feed_the_next_product() {
    let free = plan(&accumulator(), &left_factor(), 16, &machine()).unwrap();
    assert_eq!(free.to_string(), "nothing: cost 0\n");
    let swapped = nested([&[1, 1], &[1, 1], &[2, 2], &[8, 4], &[1, 2], &[0, 0], &[4, 1]], 1, 32);
    let slots = plan(&accumulator(), &swapped, 16, &machine()).unwrap();
    assert_eq!(slots.cost.total, 0, "{slots}");
    check(&accumulator(), &swapped, &slots);
}

/// 8-bit accumulators feed the next product under another numbering of k, and under none where k is fixed.
#[test]
fn accumulators_feed_factors_up_to_k() {
    let sums = nested([&[1, 1], &[1, 4], &[2, 1], &[8, 4], &[1, 2], &[0, 0], &[4, 1]], 1, 32);
    let factor = nested([&[1, 1], &[1, 1], &[2, 2], &[8, 4], &[1, 4], &[0, 0], &[4, 1]], 1, 32);
    assert_ne!(plan(&sums, &factor, 8, &machine()).unwrap().way, "slots");
    let gauge = contraction(&sums, &factor, 1, 8, &machine()).unwrap().unwrap();
    assert_eq!(gauge.plan.way, "slots");
    assert_eq!(gauge.plan.cost.shuffles + gauge.plan.cost.loads, 0);
    // What a lane holds is the factor's element under the new numbering.
    let result = gauge.plan.run(&filled(&sums)).unwrap();
    for owner in factor.owners() {
        let place = (owner.lane * 16 + owner.slot) as usize;
        let k = result.values[place].unwrap() % 32;
        assert_eq!(
            (result.values[place].unwrap() / 32, gauge.k.apply(k as u64) as i64),
            (owner.coord[0], owner.coord[1])
        );
    }
    // A numbering of m is of no help.
    assert_eq!(contraction(&sums, &factor, 0, 8, &machine()).unwrap(), None);
    let direct = contraction(&accumulator(), &left_factor(), 1, 16, &machine()).unwrap().unwrap();
    assert!(direct.k.is_identity());
}

/// 64 lanes whose wide accesses are served in groups that are not neighbours: lanes 0-3 and 12-15 together, and so on.
#[test]
fn phases_of_distant_lanes_are_kept_apart() {
    let group = |first: usize| [0, 1, 2, 3, 12, 13, 14, 15].map(|lane| first ^ lane).to_vec();
    let groups: Vec<Vec<usize>> = [0, 4, 16, 20, 32, 36, 48, 52].map(group).to_vec();
    let mut all = groups.concat();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..64));
    for count in [32, 64] {
        let banks = Banks { phases: vec![(16, groups.clone())], ..Banks::words(count) };
        let costs = Costs { shuffle: 1000, select: 1000, ..Costs::default() };
        let machine =
            Machine { load_banks: banks.clone(), banks, costs, shared_bytes_max: 1 << 16, ..Machine::plain() };
        let mut random = Random(5);
        for round in 0..300 {
            let mut layout = || deal(&mut random, 11, &[64, 32], 6, 1, round % 3 == 0);
            let (source, target) = (layout(), layout());
            let plan = plan(&source, &target, 16, &machine).unwrap();
            let result = plan.run(&filled(&source)).unwrap();
            assert!(
                filled(&target).values.iter().zip(&result.values).all(|(want, have)| want.is_none() || want == have)
            );
            assert_eq!(plan.cost.wavefronts, plan.cost.wavefronts_ideal, "{plan}");
        }
    }
}

/// A copy of rows into the left factor of a matrix product: shuffles, or wide stores and matrix loads.
#[test]
fn blocked_rows_become_factors() {
    let blocked = nested([&[1, 1], &[1, 1], &[1, 1], &[16, 2], &[1, 8], &[0, 0], &[2, 1]], 1, 32);
    let plan_of = |machine: &Machine| {
        let plan = plan(&blocked, &left_factor(), 16, machine).unwrap();
        check(&blocked, &left_factor(), &plan);
        plan
    };
    let shuffles = plan_of(&Machine { costs: Costs { shared: 100, ..Costs::default() }, ..Machine::plain() });
    assert_eq!((shuffles.way, shuffles.cost.shuffles <= 4), ("shuffle", true), "{shuffles}");
    let shared = plan_of(&Machine { costs: Costs { shuffle: 100, ..Costs::default() }, ..Machine::plain() });
    assert_eq!(shared.cost.wavefronts, shared.cost.wavefronts_ideal);
    let matrices = plan_of(&Machine { costs: Costs { shuffle: 100, ..Costs::default() }, ..machine() });
    assert_eq!((matrices.way, matrices.cost.loads), ("shared memory by matrices", 1), "{matrices}");
    assert_eq!((matrices.cost.stores, matrices.cost.wavefronts), (1, 8), "{matrices}");
}

/// A transposed accumulator of 16-bit elements is one transposed matrix for each word.
#[test]
fn transposed_matrices_are_found() {
    let rows = nested([&[1, 1], &[1, 1], &[2, 2], &[8, 4], &[1, 2], &[0, 0], &[4, 1]], 1, 32);
    let columns = rows.permute(&[1, 0]);
    let plan = plan(&rows, &columns, 16, &machine()).unwrap();
    check(&rows, &columns, &plan);
    assert_eq!((plan.way, plan.cost.transposes), ("transpose", 4), "{plan}");
}

/// Copies across subgroups point at one's own subgroup, not at the first one: no shared memory is needed
/// (https://github.com/FlagTree/flagtree/issues/1047).
#[test]
fn copies_are_taken_from_the_own_subgroup() {
    let source = Layout::from_bases(&[64], [&[1], &[2, 4, 8, 16, 32], &[0, 0], &[]]).unwrap();
    let target = Layout::from_bases(&[64], [&[32], &[1, 2, 4, 8, 16], &[0, 0], &[]]).unwrap();
    let whole = plan(&source, &target, 32, &machine()).unwrap();
    check(&source, &target, &whole);
    assert_eq!(whole.way, "shuffle", "{whole}");
    // Each subgroup keeps its part of a copy.
    let parts = Layout::from_bases(&[64], [&[], &[2, 4, 8, 16, 32], &[1, 0], &[]]).unwrap();
    let kept = plan(&source, &parts, 32, &machine()).unwrap();
    check(&source, &parts, &kept);
    assert_eq!((kept.way, kept.cost.shuffles), ("select", 0), "{kept}");
    // Copies in lanes are other slots, where the lane wants them.
    let halves = Layout::from_bases(&[64], [&[2], &[1, 4, 8, 16, 32], &[0, 0], &[]]).unwrap();
    let copied = Layout::from_bases(&[64], [&[1, 2], &[0, 4, 8, 16, 32], &[0, 0], &[]]).unwrap();
    let selected = plan(&copied, &halves, 32, &machine()).unwrap();
    check(&copied, &halves, &selected);
    assert_eq!((selected.way, selected.cost.selects), ("select", 2), "{selected}");
}

/// One crossed slot and lane bit: half of the words travel, as in the best hand-written code.
#[test]
fn one_crossed_bit_ships_half() {
    let source = Layout::from_bases(&[256], [&[1, 2, 4], &[8, 16, 32, 64, 128], &[], &[]]).unwrap();
    let target = Layout::from_bases(&[256], [&[8, 2, 4], &[1, 16, 32, 64, 128], &[], &[]]).unwrap();
    let costs = Costs { shared: 1000, ..Costs::default() };
    let plan = plan(&source, &target, 32, &Machine { costs, ..Machine::plain() }).unwrap();
    check(&source, &target, &plan);
    assert_eq!((plan.cost.shuffles, plan.cost.selects), (4, 12), "{plan}");
}

/// More than shared memory holds goes through it in turns.
#[test]
fn large_values_take_turns() {
    let source =
        Layout::from_bases(&[64, 64], [&[1, 2, 4, 8, 16], &[32, 64, 128, 256, 512], &[1024, 2048], &[]]).unwrap();
    let target =
        Layout::from_bases(&[64, 64], [&[1, 2, 4, 8, 1024], &[32, 64, 128, 256, 512], &[16, 2048], &[]]).unwrap();
    for limit in [16384, 8192, 4096, 2048] {
        let machine = Machine { shared_bytes_max: limit, ..Machine::plain() };
        let plan = plan(&source, &target, 32, &machine).unwrap();
        check(&source, &target, &plan);
        assert!(plan.cost.shared_bytes <= limit, "{plan}");
        assert_eq!(plan.cost.barriers, 2 * (16384 / limit) - 1, "{plan}");
        assert_eq!(plan.cost.wavefronts, plan.cost.wavefronts_ideal, "{plan}");
    }
    // Nothing that stays in its lane: lanes stand aside in all rounds but their own.
    let far = Layout::from_bases(&[64, 64], [&[32, 64, 128, 256, 512], &[1024, 2048, 1, 2, 4], &[8, 16], &[]]).unwrap();
    for limit in [8192, 4096, 1024] {
        let machine = Machine { shared_bytes_max: limit, ..Machine::plain() };
        let plan = plan(&source, &far, 32, &machine).unwrap();
        check(&source, &far, &plan);
        assert!(plan.cost.shared_bytes <= limit, "{plan}");
        assert_eq!(plan.cost.barriers, 2 * (16384 / limit) - 1, "{plan}");
    }
    let none = plan(&source, &target, 32, &Machine { shared_bytes_max: 16, ..Machine::plain() });
    assert!(matches!(none, Err(PlanError::Memory { .. })), "{none:?}");
}

/// The same with odd factors: in other digits of both layouts, and where no linear map describes them together.
#[test]
fn large_odd_values_take_turns() {
    let digits = |shape: &[i64], parts: [&[(i64, usize, i64)]; 3]| {
        let digit = |&(extent, dim, weight): &(i64, usize, i64)| Digit::shard(extent, shape.len(), dim, weight);
        let [slots, lanes, subgroups] = parts.map(|part| part.iter().map(digit).collect());
        Layout::new(shape.to_vec(), slots, lanes, subgroups).unwrap()
    };
    let shape = [96, 64];
    let rows = digits(&shape, [&[(8, 1, 1), (8, 0, 4)], &[(8, 1, 8), (4, 0, 1)], &[(3, 0, 32)]]);
    let columns = digits(&shape, [&[(8, 0, 1), (4, 0, 8), (2, 1, 32)], &[(32, 1, 1)], &[(3, 0, 32)]]);
    let slots = digits(&shape, [&[(3, 0, 32), (2, 1, 1), (32, 0, 1)], &[(32, 1, 2)], &[]]);
    let inside = digits(&shape, [&[(3, 0, 1), (2, 1, 1), (32, 0, 3)], &[(32, 1, 2)], &[]]);
    let wide = |layout: &Layout| {
        let still = vec![Digit::still(3, 2, Kind::Replicate)];
        let parts = [Hardware::Slot, Hardware::Lane].map(|hardware| layout.digits(hardware).to_vec());
        let [slots, lanes] = parts;
        Layout::new(shape.to_vec(), slots, lanes, still).unwrap()
    };
    let (slots, inside) = (wide(&slots), wide(&inside));
    for limit in [1 << 16, 8192, 4096, 1024] {
        let machine = Machine { shared_bytes_max: limit, ..Machine::plain() };
        for (source, target) in [(&rows, &slots), (&slots, &columns), (&rows, &inside), (&inside, &columns)] {
            let plan = plan(source, target, 32, &machine).unwrap();
            check(source, target, &plan);
            assert!(plan.cost.shared_bytes <= limit, "{plan}");
            let least = (96 * 64 * 4 + limit - 1) / limit;
            assert!(plan.cost.barriers >= 2 * least - 1, "{plan}");
        }
        // Each subgroup keeps its third: no one waits for the workgroup.
        let kept = plan(&rows, &columns, 32, &machine).unwrap();
        check(&rows, &columns, &kept);
        assert_eq!((kept.cost.barriers, kept.cost.wavefronts), (0, kept.cost.wavefronts_ideal), "{kept}");
    }
    let none = plan(&rows, &inside, 32, &Machine { shared_bytes_max: 16, ..Machine::plain() });
    assert!(matches!(none, Err(PlanError::Memory { .. })), "{none:?}");
}

#[test]
fn what_has_no_plan_is_named() {
    let whole = Layout::from_bases(&[8], [&[1], &[2, 4], &[], &[]]).unwrap();
    let half = Layout::from_bases(&[8], [&[1], &[2, 0], &[], &[]]).unwrap();
    assert_eq!(plan(&half, &whole, 32, &machine()).unwrap_err(), PlanError::Missing { coord: vec![4] });
    let other = Layout::from_bases(&[16], [&[1], &[2, 4, 8], &[], &[]]).unwrap();
    assert!(matches!(plan(&whole, &other, 32, &machine()), Err(PlanError::Shapes { .. })));
    let wide = Layout::from_bases(&[8], [&[], &[1, 2, 4], &[], &[]]).unwrap();
    let error = plan(&whole, &wide, 32, &machine()).unwrap_err();
    assert_eq!(error.to_string(), "one layout has 4 lanes and the other 8");
    let huge = Layout::new(vec![1 << 40], vec![Digit::shard(1 << 40, 1, 0, 1)], vec![], vec![]).unwrap();
    assert_eq!(
        plan(&huge, &huge, 32, &machine()).unwrap_err().to_string(),
        "the layout has more places than can be counted"
    );
    let sums =
        Layout::new(vec![8], vec![Digit::shard(8, 1, 0, 1)], vec![Digit::still(4, 1, Kind::Partial)], vec![]).unwrap();
    assert_eq!(plan(&sums, &whole, 32, &machine()).unwrap_err(), PlanError::Partial);
}

/// A general swizzle in registers: slots whose order depends on the lane.
#[test]
fn swizzled_registers_are_selected() {
    let plain = Layout::from_bases(&[128], [&[1, 2], &[4, 8, 16, 32, 64], &[], &[]]).unwrap();
    let n = plain.n_bits();
    let mut columns: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
    columns[2] ^= 1;
    let turned = plain.with_swizzle(&Matrix::new(n, columns).unwrap()).unwrap();
    let plan = plan(&plain, &turned, 32, &machine()).unwrap();
    check(&plain, &turned, &plan);
    assert_eq!((plan.way, plan.cost.selects), ("select", 4), "{plan}");
    assert!(plan.steps.iter().all(|step| matches!(step, Step::Turn { .. } | Step::Slots { .. })));
}

/// Every permutation of three slot bits and two lane bits: where no two lane bits change places, each lane keeps the
/// share 2^-m of its words, m being the lane bits that slots take; no plan shuffles more than its words.
#[test]
fn permutations_shuffle_no_more_than_they_must() {
    let costs = Costs { shared: 1000, ..Costs::default() };
    let machine = Machine { costs, ..Machine::plain() };
    let identity: Vec<u64> = (0..5).map(|bit| 1 << bit).collect();
    let source = Layout::from_bases(&[32], [&identity[..3], &identity[3..], &[], &[]]).unwrap();
    for order in permutations(5) {
        let columns: Vec<u64> = order.iter().map(|&bit| 1 << bit).collect();
        let target = Layout::from_bases(&[32], [&columns[..3], &columns[3..], &[], &[]]).unwrap();
        let plan = plan(&source, &target, 32, &machine).unwrap();
        check(&source, &target, &plan);
        let crossed = columns[..3].iter().filter(|&&column| column >= 8).count() as u32;
        let fixed = (0..2).all(|lane| columns[3 + lane] < 8 || columns[3 + lane] == 8 << lane);
        let least = 8 - (8 >> crossed);
        if fixed {
            assert_eq!(plan.cost.shuffles, least, "{plan}{columns:?}");
        }
        assert!((least..=8).contains(&plan.cost.shuffles), "{plan}{columns:?}");
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    (0..n).fold(vec![vec![]], |all, next| {
        let insert = |list: &Vec<usize>, at: usize| [&list[..at], &[next], &list[at..]].concat();
        all.iter().flat_map(|list| (0..=list.len()).map(|at| insert(list, at)).collect::<Vec<_>>()).collect()
    })
}

/// Every invertible map of two slot and two lane bits is reached by shuffles, and by shared memory.
#[test]
fn every_small_linear_layout_is_reached() {
    let dear = |shuffle: i64, shared: i64| Machine {
        costs: Costs { shuffle, select: 1, shared, ..Costs::default() },
        ..Machine::plain()
    };
    let machines = [dear(1, 1000), dear(1000, 1)];
    let source = Layout::from_bases(&[16], [&[1, 2], &[4, 8], &[], &[]]).unwrap();
    let mut reached = 0;
    for bits in (0..1u64 << 16).step_by(3) {
        let columns: Vec<u64> = (0..4).map(|column| bits >> (4 * column) & 15).collect();
        if Matrix::new(4, columns.clone()).unwrap().rank() < 4 {
            continue;
        }
        let target = Layout::from_bases(&[16], [&columns[..2], &columns[2..], &[], &[]]).unwrap();
        for machine in &machines {
            let plan = plan(&source, &target, 32, machine).unwrap();
            check(&source, &target, &plan);
            assert!(plan.cost.shuffles <= 4);
            assert_eq!(plan.cost.wavefronts, plan.cost.wavefronts_ideal, "{plan}");
        }
        reached += 1;
    }
    assert!(reached > 6000, "{reached}");
}

/// A plan is read as a line for each step.
#[test]
fn plans_are_printed() {
    let source = Layout::from_bases(&[128], [&[1, 2], &[4, 8, 16, 32, 64], &[], &[]]).unwrap();
    let target = Layout::from_bases(&[128], [&[4, 2], &[1, 8, 16, 32, 64], &[], &[]]).unwrap();
    let text = |shuffle: i64| {
        let costs = Costs { shuffle, ..Costs::default() };
        plan(&source, &target, 32, &Machine { costs, ..Machine::plain() }).unwrap().to_string()
    };
    // Two of four words cross over; each lane picks which to send, and where both go.
    let shuffles = "\
shuffle: cost 10; 2 shuffles, 6 selects
  shuffle 4 rounds of 1 slots, 2 of which stay; send lane[1 0 0 0 0], from lane[1 2 4 8 16], receive lane[1 0 0 0 0]
  rather than shared memory 23
";
    assert_eq!(text(2), shuffles);
    // The target's lanes have two neighbours each of what the source's store as one vector.
    let shared = "\
shared memory: cost 23; 1 store, 2 loads, 1 subgroup barrier, 8 wavefronts (0 of conflicts), 512 bytes
  slots 0 2 1 3
  exchange in the subgroup, 128 elements of 4 bytes; store 1 x 16 bytes at lane[4 8 16 68 32]; \
load 2 x 8 bytes at lane[2 8 16 68 32]
  slots 0 2 1 3
  rather than shuffle 406
";
    assert_eq!(text(200), shared);
}
