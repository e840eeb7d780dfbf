//! The tests of the crate, a module for each file, as one binary: to link many takes longer than to run them.

mod common;
mod kernels;
mod products;

mod atomics;
mod built;
mod corpus;
mod findings;
mod floats;
mod grid;
mod instructions;
mod lifetimes;
mod matrices;
mod meaning;
mod phases;
mod ptx;
mod ptx_foreign;
mod ptx_forms;
mod ptx_fragments;
mod ptx_kernels;
mod ptx_mangled;
mod ptx_matrix_rows;
mod ptx_mutations;
mod ptx_phases;
mod ptx_races;
mod ptx_requests;
mod ptx_sparse;
mod registers;
mod subgroups;
mod tensors;
mod threads;
mod tiled;
mod transforms;
mod variants;
mod vectors;
mod wide;
