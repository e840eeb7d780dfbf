//! What each instruction does to registers and memory.

pub(crate) mod arith;
pub(crate) mod atomic;
pub(crate) mod complex;
pub(crate) mod copies;
pub(crate) mod gpu;
pub(crate) mod intrinsic;
pub(crate) mod linalg;
pub(crate) mod math;
pub(crate) mod matrix;
pub(crate) mod phase;
pub(crate) mod rows;
pub(crate) mod scan;
pub(crate) mod transfer;
pub(crate) mod vector;
pub(crate) mod view;
pub(crate) mod whole;
pub(crate) mod wide;
