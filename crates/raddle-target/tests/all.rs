//! The tests of the crate, a module for each file, as one binary: to link many takes longer than to run them.

mod catalogue;
mod mma;
mod random_pairs;
mod stages;
mod tensor_layouts;
mod tiles;
