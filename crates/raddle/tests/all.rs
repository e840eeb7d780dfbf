//! The tests of the crate, a module for each file, as one binary: to link many takes longer than to run them.

#[path = "../../raddle-emu/tests/common/caught.rs"]
mod caught;
mod chains;
mod common;
mod pairs;
#[path = "../../raddle-passes/tests/programs/mod.rs"]
#[allow(dead_code, reason = "the tests of the passes make other programs")]
mod programs;

mod amd;
mod arrows;
mod assembled;
mod attention;
mod commands;
mod complex;
mod counts;
mod cpu;
mod cpu_c;
mod cpu_random;
mod cuda;
mod devices;
mod dispatches;
mod elementwise;
mod emitted;
mod executed;
mod files;
mod foreign;
mod kernels;
mod launch_data;
mod layouts;
mod loops_of_hosts;
mod mangled;
mod open_chains;
mod open_extents;
mod operations;
mod opt;
mod plain_attention;
mod products;
mod random_chains;
mod running;
mod scalar_loops;
mod scans;
mod streams;
mod validators;
