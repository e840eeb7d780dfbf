//! The tests of the crate, a module for each file, as one binary: to link many takes longer than to run them.

mod common;

mod ptx_kernels;
mod ptx_ops;
mod ptx_text;
