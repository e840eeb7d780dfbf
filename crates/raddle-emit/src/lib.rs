//! Target code from lowered IR: PTX text.

pub mod ptx;
