//! Conversions inside subgroups: rounds of shuffles, and 8 x 8 transposes.
//!
//! Let U be the span of the source's slots and W that of the target's, in the space X of elements that a subgroup
//! wants. A common complement S of U and W meets each coset of U, that is each source lane, once, and each coset of
//! W, each target lane, once: the elements of S, and of every coset of S, make one round of shuffles. There are as
//! many rounds as target slots, fewer where words hold several elements that stay together (a part V of U ∩ W), and
//! rounds need no instruction when S lies in the space of elements that stay in their lanes.
//!
//! Replicas are used rather than ignored: where a lane's copy could offer another slot, its copy is taken to be that
//! slot, preferably the one that the same lane wants.

use super::form::Pair;
use super::{Cost, Machine, OfPlace, Round, Shuffle, Step, Way};
use crate::f2::{Solver, Space, combine, common_complement, low_bits};
use crate::layout::Hardware;

/// A vector of elements and the place that holds it: slot bits first, then lane bits.
#[derive(Clone, Copy)]
struct Held {
    image: u64,
    place: u64,
}

/// Rounds of shuffles, where subgroups have what they want.
pub(super) fn rounds(pair: &Pair, machine: &Machine) -> Option<Way> {
    let (source, target) = (&pair.source, &pair.target);
    if source.empty[2] & !target.empty[2] != 0 {
        return None;
    }
    let n_slot_bits = source.slot.len();
    let lane_of = |place: u64| place >> n_slot_bits;
    let slot_of = |place: u64| place & low_bits(n_slot_bits);

    // Independent places of a subgroup, and places that hold what others hold already.
    let mut seen = Space::default();
    let mut slots: Vec<Held> = Vec::new();
    for (bit, image) in source.held(Hardware::Slot) {
        if seen.insert(image) {
            slots.push(Held { image, place: 1 << bit });
        }
    }
    let mut lanes: Vec<Held> = Vec::new();
    let mut copies: Vec<u64> = Vec::new();
    for (bit, image) in source.held(Hardware::Lane) {
        let place = 1 << (n_slot_bits + bit);
        if seen.insert(image) {
            lanes.push(Held { image, place });
        } else {
            copies.push(place ^ find(&[&slots[..], &lanes].concat(), image)?);
        }
    }
    let wanted: Vec<u64> = target.slot.iter().chain(&target.lane).copied().collect();
    if !wanted.iter().all(|&image| seen.contains(image)) {
        return None;
    }
    let used = |bit: usize| target.empty[2] >> bit & 1 == 0;
    let shifts: Vec<u64> = (0..source.subgroup.len())
        .map(|bit| if used(bit) { source.subgroup[bit] ^ target.subgroup[bit] } else { 0 })
        .collect();
    if !shifts.iter().all(|&image| seen.contains(image)) {
        return None;
    }

    let basis = share_copies(&slots, &copies, pair, lane_of);
    let basis: Vec<Held> = basis.into_iter().chain(lanes).collect();
    let images: Vec<u64> = basis.iter().map(|held| held.image).collect();
    let at = Solver::new(&images);
    let place_of = |image: u64| {
        let choice = at.solve(image).unwrap_or_else(|| unreachable!("what is wanted is held"));
        basis
            .iter()
            .enumerate()
            .fold(0, |all, (index, held)| if choice >> index & 1 == 1 { all ^ held.place } else { all })
    };

    // From here on elements are coordinates in X.
    let x: Vec<u64> = Space::default().extend(&wanted);
    let n = x.len();
    let in_x = Solver::new(&x);
    let coords = |image: u64| in_x.solve(image).unwrap_or_else(|| unreachable!("X spans what is wanted"));
    let places: Vec<u64> = x.iter().map(|&image| place_of(image)).collect();
    let lane_map: Vec<u64> = places.iter().map(|&place| lane_of(place)).collect();
    let source_slots = Space::span(Solver::new(&lane_map).kernel());
    let target_columns: Vec<u64> = target.slot.iter().map(|&image| coords(image)).collect();
    let target_slots = Space::span(&target_columns);

    // Elements that stay in their lanes.
    let mut own: Vec<Held> = Vec::new();
    let mut reached = Space::default();
    for (bit, &image) in target.slot.iter().chain(&target.lane).enumerate() {
        if reached.insert(coords(image)) {
            let lane = if bit < target.slot.len() { 0 } else { 1 << (bit - target.slot.len()) };
            own.push(Held { image: coords(image), place: lane });
        }
    }
    let own_images: Vec<u64> = own.iter().map(|held| held.image).collect();
    let own_solver = Solver::new(&own_images);
    let own_lane = |element: u64| {
        let choice = own_solver.solve(element).unwrap_or_else(|| unreachable!("the target's places span X"));
        own.iter()
            .enumerate()
            .fold(0, |all, (index, held)| if choice >> index & 1 == 1 { all ^ held.place } else { all })
    };
    let moved: Vec<u64> = (0..n).map(|bit| lane_map[bit] ^ own_lane(1 << bit)).collect();
    let staying = Space::span(Solver::new(&moved).kernel());
    let kept = staying.intersect(&target_slots).extend(staying.basis());

    // One element from each lane and to each lane.
    let with = |space: &Space, more: &[u64]| space.sum(&Space::span(more));
    let units: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
    let enlarge = |space: &Space, dim: usize| -> Vec<u64> {
        let missing = dim.saturating_sub(space.dim());
        with(space, &kept).extend(&units).into_iter().take(missing).collect()
    };
    let dim = source_slots.dim().max(target_slots.dim());
    let more_source = enlarge(&source_slots, dim);
    let extra = enlarge(&target_slots, dim);
    let u = with(&with(&source_slots, &more_source), &kept);
    let w = with(&with(&target_slots, &extra), &kept);
    let section: Vec<u64> = kept.iter().copied().chain(common_complement(&u, &w, n)).collect();

    // Elements that travel in one word.
    let common = source_slots.intersect(&target_slots);
    let word_bits = (32 / pair.element_bits).max(1).trailing_zeros() as usize;
    let mut word_space = Space::default();
    let low = source.slot.iter().filter_map(|&image| in_x.solve(image));
    let low: Vec<u64> = low.filter(|&element| common.contains(element)).collect();
    let mut word = word_space.extend(&low);
    word.extend(word_space.extend(common.basis()));
    word.truncate(word_bits);
    let mut word_space = Space::span(&word);
    let rest = word_space.extend(target_slots.basis());
    let (n_word, n_rest) = (word.len(), rest.len());

    // Each element is a sum of one of the section, one of the word, one of the other slots, one of the extra lanes.
    let all: Vec<u64> = [&section[..], &word, &rest, &extra].concat();
    let split = Solver::new(&all);
    let n_section = section.len();
    let apart = |element: u64| {
        let choice = split.solve(element).unwrap_or_else(|| unreachable!("the parts span X"));
        let part = |first: usize, count: usize| if count == 0 { 0 } else { choice >> first & low_bits(count) };
        let slots = part(n_section, n_word + n_rest);
        (part(0, n_section), slots, part(n_section + n_word + n_rest, extra.len()))
    };
    let lane_at = |element: u64| combine(&lane_map, element);
    let slot_at = |element: u64| slot_of(combine(&places, element));

    // The element of the section that a lane offers.
    let section_lanes: Vec<u64> = section.iter().map(|&s| lane_at(s)).collect();
    let mut offered = section_lanes.clone();
    offered.extend(Space::span(&section_lanes).complement(source.lane.len()));
    let offer = Solver::new(&offered);
    let offered_by = |lanes: u64| {
        let choice = offer.solve(lanes).unwrap_or_else(|| unreachable!("the offers span the lanes"));
        combine(&section, choice & low_bits(n_section))
    };
    let shift_places: Vec<u64> = shifts.iter().map(|&image| place_of(image)).collect();

    let receivers: Vec<(u64, u64, u64)> = target.lane.iter().map(|&image| apart(coords(image))).collect();
    let from = OfPlace {
        lane: receivers.iter().map(|part| lane_at(combine(&section, part.0))).collect(),
        subgroup: shift_places.iter().map(|&place| lane_of(place)).collect(),
    };
    let receive =
        OfPlace { lane: receivers.iter().map(|part| part.1).collect(), subgroup: vec![0; source.subgroup.len()] };
    let only =
        OfPlace { lane: receivers.iter().map(|part| part.2).collect(), subgroup: vec![0; source.subgroup.len()] };
    let send_lane: Vec<u64> = (0..source.lane.len()).map(|bit| slot_at(offered_by(1 << bit))).collect();
    let send_subgroup: Vec<u64> =
        shift_places.iter().map(|&place| slot_at(offered_by(lane_of(place))) ^ slot_of(place)).collect();
    let round_basis: Vec<u64> = rest.iter().chain(&extra).copied().collect();
    let round_send: Vec<u64> = round_basis.iter().map(|&o| slot_at(offered_by(lane_at(o))) ^ slot_at(o)).collect();
    let round_lane: Vec<u64> = round_basis.iter().map(|&o| lane_at(o)).collect();

    // The slots that are offered, those of a word first.
    let mut offered_slots: Vec<u64> = word.iter().map(|&v| slot_at(v)).collect();
    let mut space = Space::span(&offered_slots);
    offered_slots.extend(space.extend(&[&round_send[..], &send_lane, &send_subgroup].concat()));
    let in_offered = Solver::new(&offered_slots);
    let number = |slot: u64| in_offered.solve(slot).unwrap_or_else(|| unreachable!("the offered slots are spanned"));
    let numbers = |slots: &[u64]| slots.iter().map(|&slot| number(slot)).collect::<Vec<u64>>();
    let send = OfPlace { lane: numbers(&send_lane), subgroup: numbers(&send_subgroup) };
    let round_send = numbers(&round_send);

    let needed = |bit: usize| target.empty[1] >> bit & 1 == 0;
    let own_lanes = from.lane.iter().enumerate().all(|(bit, &lane)| lane == 1 << bit || !needed(bit));
    let own_lanes = own_lanes && from.subgroup.iter().all(|&lane| lane == 0);
    let n_offered = 1usize << offered_slots.len();
    let n_received = 1usize << (n_word + n_rest);
    let width = 1usize << n_word;
    let words = (width as i64 * pair.element_bits + 31) / 32;
    let mut shuffle_cost = 0;
    let mut all_rounds = Vec::with_capacity(pair.parts << round_basis.len());
    for part in 0..pair.parts as u64 {
        for index in 0..1u64 << round_basis.len() {
            let lane = combine(&round_lane, index);
            let stays = own_lanes && lane == 0;
            let (with, cost) = machine.lane_move(&from, lane, target.empty[1]);
            shuffle_cost += if stays { 0 } else { cost * words };
            all_rounds.push(Round {
                send: part * n_offered as u64 + combine(&round_send, index),
                from: lane,
                receive: part * n_received as u64 + ((index & low_bits(n_rest)) << n_word),
                only: index >> n_rest,
                stays,
                with: if stays { "nothing" } else { with },
            });
        }
    }
    let total = all_rounds.len() as i64 * words;
    let shuffled = all_rounds.iter().filter(|round| !round.stays).count() as i64 * words;
    let rank = |by: &OfPlace| {
        let outer: Vec<u64> = by.lane.iter().chain(&by.subgroup).map(|image| image >> n_word).collect();
        Space::span(&outer).dim().min(32) as u32
    };
    let inside = |by: &OfPlace| by.lane.iter().chain(&by.subgroup).any(|image| image & low_bits(n_word) != 0);
    let picks = |by: &OfPlace, words: i64| (total * i64::from(rank(by))).min(words * ((1 << rank(by)) - 1));
    let mut selects = picks(&send, shuffled) + picks(&receive, total);
    selects += if only.is_zero() { 0 } else { total };
    let mut permutes = if inside(&send) { shuffled } else { 0 } + if inside(&receive) { total } else { 0 };

    let gather: Vec<usize> = (0..n_offered as u64).map(|i| combine(&offered_slots, i) as usize).collect();
    let result: Vec<u64> = target_columns.iter().map(|&element| apart(element).1).collect();
    let scatter: Vec<usize> = (0..1u64 << result.len()).map(|slot| combine(&result, slot) as usize).collect();
    let shuffle = Shuffle { width, n_slots: n_received * pair.parts, send, from, receive, only, rounds: all_rounds };
    let steps = pair.wrap(vec![
        Step::Slots { from: pair.repeat(&gather, 1 << n_slot_bits) },
        Step::Shuffle(Box::new(shuffle)),
        Step::Slots { from: pair.repeat(&scatter, n_received) },
    ]);
    permutes += pair.permutes(&steps);
    let cost = Cost { shuffles: shuffled, shuffle_cost, selects, permutes, ..Cost::default() }.weighed(machine);
    Some(Way { name: "shuffle", steps, cost })
}

/// A basis of the source's slots in which copies in other lanes stand for slots, where that helps.
///
/// A copy is a place with image 0 outside lane 0. Adding it to the place of a slot moves that slot to the copy's lane.
fn share_copies(slots: &[Held], copies: &[u64], pair: &Pair, lane_of: impl Fn(u64) -> u64) -> Vec<Held> {
    let target = &pair.target;
    let images: Vec<u64> = slots.iter().map(|held| held.image).collect();
    let w = Space::span(&target.slot);
    let u = Space::span(&images);
    let mut taken: Vec<Held> = Vec::new();
    let mut used = w.intersect(&u);
    let both: Vec<u64> = [u.basis(), w.basis()].concat();
    let solver = Solver::new(&both);
    let mut idle: Vec<u64> = Vec::new();
    for &copy in copies {
        // What the copy's lane wants, as far as a slot can give it.
        let want = combine(&target.lane, lane_of(copy));
        let slot = solver.solve(want).map_or(0, |choice| combine(u.basis(), choice & low_bits(u.dim())));
        if used.insert(slot) {
            taken.push(Held { image: slot, place: find(slots, slot).unwrap_or(0) ^ copy });
        } else {
            idle.push(copy);
        }
    }
    let mut spare = u.dim().saturating_sub(taken.len()).saturating_sub(w.dim());
    for copy in idle {
        let Some(held) = slots.iter().find(|held| spare > 0 && !used.contains(held.image)) else { break };
        used.insert(held.image);
        taken.push(Held { place: held.place ^ copy, ..*held });
        spare -= 1;
    }
    let taken_images: Vec<u64> = taken.iter().map(|held| held.image).collect();
    let mut space = Space::span(&taken_images);
    let rest = space.extend(&[w.intersect(&u).basis(), &images].concat());
    let plain = rest.into_iter().map(|image| Held { image, place: find(slots, image).unwrap_or(0) });
    taken.into_iter().chain(plain).collect()
}

/// The place of a sum of what is held.
fn find(held: &[Held], image: u64) -> Option<u64> {
    let images: Vec<u64> = held.iter().map(|held| held.image).collect();
    let places: Vec<u64> = held.iter().map(|held| held.place).collect();
    Solver::new(&images).solve(image).map(|choice| combine(&places, choice))
}

/// 8 x 8 transposes, where each word of the target is one of the source transposed.
pub(super) fn transpose(pair: &Pair, machine: &Machine) -> Option<Way> {
    let (source, target) = (&pair.source, &pair.target);
    let empty = source.empty.iter().chain(&target.empty).any(|&bits| bits != 0);
    if !machine.matrix_transpose || pair.element_bits != 16 || source.lane.len() != 5 || empty {
        return None;
    }
    // The source's lane bits 2, 3, 4 are the target's slot bit, lane bits 0 and 1; and the other way round.
    let (a, b) = (&source.lane, &target.lane);
    if source.subgroup != target.subgroup || b[0] != a[3] || b[1] != a[4] || b[3] != a[0] || b[4] != a[1] {
        return None;
    }
    let ours = Solver::new(&source.slot);
    let common = Space::span(&source.slot).intersect(&Space::span(&target.slot));
    let first = ours.solve(b[2])?;
    let basis: Vec<u64> = std::iter::once(a[2]).chain(common.basis().iter().copied()).collect();
    let theirs = Solver::new(&basis);
    if common.contains(b[2]) || !theirs.kernel().is_empty() {
        return None;
    }
    let mut gathered = vec![first];
    for &image in common.basis() {
        gathered.push(ours.solve(image)?);
    }
    let scattered = target.slot.iter().map(|&image| theirs.solve(image)).collect::<Option<Vec<u64>>>()?;
    let n = 1usize << gathered.len();
    let gather: Vec<usize> = (0..n as u64).map(|slot| combine(&gathered, slot) as usize).collect();
    let scatter: Vec<usize> = (0..1u64 << scattered.len()).map(|slot| combine(&scattered, slot) as usize).collect();
    let words = n / 2 * pair.parts;
    let steps = pair.wrap(vec![
        Step::Slots { from: pair.repeat(&gather, 1 << source.slot.len()) },
        Step::Transpose { words },
        Step::Slots { from: pair.repeat(&scatter, n) },
    ]);
    let permutes = pair.permutes(&steps);
    let cost = Cost { transposes: words as i64, permutes, ..Cost::default() }.weighed(machine);
    Some(Way { name: "transpose", steps, cost })
}
