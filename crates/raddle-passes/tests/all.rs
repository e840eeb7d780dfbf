//! The tests of the crate, a module for each file, as one binary: to link many takes longer than to run them.

#[path = "../../raddle-emu/tests/common/caught.rs"]
mod caught;
mod common;
mod programs;
mod stages;

mod admit;
mod barriers;
mod chains;
mod clean_arith;
mod clean_folds;
mod configs;
mod defects;
mod executed;
mod expand;
mod expand_lanes;
mod expand_math;
mod folders;
mod folds;
mod jumps;
mod lower_vectors;
mod matrices;
mod normalize;
mod order;
mod pipeline;
mod places;
mod products;
mod products_of_tiles;
mod random_conversions;
mod random_loops;
mod random_programs;
mod random_threads;
mod rare;
mod rings;
mod roles;
mod rows;
mod shared_memory;
mod split_rows;
mod tile_levels;
mod tile_steps;
mod tiles;
mod unroll;
mod vectorize_tensors;
