//! The tests of the crate, a module for each file, as one binary: to link many takes longer than to run them.

mod access;
mod algebra;
mod cute;
mod drawings;
mod f2;
mod layout;
mod linear;
mod nested;
mod plan;
