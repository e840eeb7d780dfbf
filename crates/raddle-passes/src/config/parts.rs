//! Parts of sums: who has them, and how much shared memory they meet in. The check of a configuration and the step that
//! distributes it ask the same.

use raddle_ir::Scalar;
use raddle_layout::Nested;

use super::Launch;
use crate::code::extents::buffer_bytes;

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
