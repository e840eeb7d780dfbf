//! Parts of sums: who has them, and how much shared memory they meet in. The check of a configuration and the step that
//! distributes it ask the same.

use raddle_ir::Scalar;
use raddle_layout::Nested;

use super::Launch;
use crate::code::extents::buffer_bytes;

/// Words that a thread reads from shared memory while lanes exchange and combine one.
const SHUFFLE: i64 = 2;
/// Words of a thread that are worth reading by other lanes.
const SAVED_MIN: i64 = 32;

/// The parts of sums whose threads cannot reach one another with shuffles, and meet in shared memory.
pub struct Parts {
    /// How they lie in the threads that have them: one element of each along reduced dimensions.
    pub one: Nested,
    /// How threads read them: all of the reduced dimensions, one after the other.
    pub all: Nested,
}

impl Parts {
    /// Who shares the reduced dimensions: lanes that a butterfly of shuffles reaches, as numbers and strides, and all
    /// others.
    pub fn of(from: &Nested, reduced: &[bool], launch: Launch) -> (Vec<[i64; 2]>, Parts) {
        let along: Vec<usize> = (0..from.rank()).filter(|&d| reduced[d]).collect();
        let mut lanes: Vec<[i64; 2]> = along
            .iter()
            .map(|&d| [from.thread_tile[d], from.thread_strides[d]])
            .filter(|&[size, stride]| size > 1 && stride > 0)
            .collect();
        let power = |n: i64| (n as u64).is_power_of_two();
        let butterfly =
            lanes.iter().all(|&[size, stride]| power(size) && power(stride) && size * stride <= launch.subgroup_size);
        let (mut one, mut all) = (from.clone(), from.clone());
        for &d in &along {
            (one.batch_tile[d], one.outer_tile[d], one.element_tile[d]) = (1, 1, 1);
            // Shuffles pair lanes up; other numbers of lanes meet in shared memory, like subgroups.
            if butterfly {
                (one.thread_tile[d], one.thread_strides[d]) = (1, 0);
            }
            all.element_tile[d] = one.subgroup_tile[d] * one.thread_tile[d];
            (all.subgroup_tile[d], all.batch_tile[d], all.outer_tile[d], all.thread_tile[d]) = (1, 1, 1, 1);
            (all.subgroup_strides[d], all.thread_strides[d]) = (0, 0);
        }
        if !butterfly {
            lanes.clear();
        }
        (lanes, Parts { one, all })
    }

    /// The same where lanes whose parts are combined already, and that hold the same, read different parts, and the numbers
    /// and strides of these lanes: what they read is combined by shuffles. `None` where that saves little.
    pub fn by_lanes(&self, from: &Nested, reduced: &[bool]) -> Option<(Parts, Vec<[i64; 2]>)> {
        let held: i64 =
            [&self.one.batch_tile, &self.one.outer_tile, &self.one.element_tile].into_iter().flatten().product();
        let mut all = self.all.clone();
        let along = (0..all.rank()).filter(|&d| reduced[d]);
        let read = |all: &Nested| along.clone().map(|d| all.batch_tile[d] * all.element_tile[d]).product::<i64>();
        let is_free = |d: usize| self.one.thread_tile[d] == 1 && from.thread_strides[d] > 0;
        let mut shuffles = 0;
        // Half as many accesses for one more shuffle.
        while read(&all) > 2 * SHUFFLE {
            let own = |d: usize| all.batch_tile[d] * all.element_tile[d];
            let halves = |&d: &usize| is_free(d) && own(d) % 2 == 0 && 2 * all.thread_tile[d] <= from.thread_tile[d];
            let Some(d) = along.clone().find(halves) else { break };
            // Lanes read parts that lie side by side.
            (all.batch_tile[d], all.element_tile[d]) = (own(d) / 2, 1);
            (all.thread_tile[d], all.thread_strides[d]) = (2 * all.thread_tile[d], from.thread_strides[d]);
            shuffles += 1;
        }
        let saved = read(&self.all) - read(&all) - SHUFFLE * shuffles;
        let lanes = along.filter(|&d| all.thread_tile[d] > 1);
        let lanes = lanes.map(|d| [all.thread_tile[d], all.thread_strides[d]]).collect();
        (held * saved >= SAVED_MIN).then(|| (Parts { one: self.one.clone(), all }, lanes))
    }

    /// The same with dimensions in the order in which they had better lie in memory, and which of these are reduced. What
    /// lanes have beside one another is innermost: with its parts in between, all lanes would write to one bank.
    pub fn in_memory(&self, reduced: &[bool]) -> (Parts, Vec<bool>) {
        let (along, kept): (Vec<usize>, Vec<usize>) = (0..self.one.rank()).partition(|&d| reduced[d]);
        let is_beside = kept.iter().any(|&d| self.one.thread_tile[d] > 1);
        let order: Vec<usize> =
            if is_beside { along.into_iter().chain(kept).collect() } else { (0..reduced.len()).collect() };
        let [one, all] = [&self.one, &self.all].map(|layout| layout.permute(&order));
        (Parts { one, all }, order.iter().map(|&d| reduced[d]).collect())
    }

    /// Whether all threads are within reach.
    pub fn is_empty(&self) -> bool {
        self.one.subgroup_tile == self.all.subgroup_tile && self.one.thread_tile == self.all.thread_tile
    }

    /// Bytes of shared memory in which all parts of sums of such elements meet.
    pub fn bytes(&self, elem: Scalar) -> i64 {
        if self.is_empty() { 0 } else { buffer_bytes(&self.one.undistributed_shape(), elem) }
    }
}
