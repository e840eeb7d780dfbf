//! Hardware as data: chips, matrix instructions, and what holds at each stage of the street.

mod chips;
mod mma;
pub mod stage;
mod vectors;

pub use chips::{CHIPS, Chip, MatrixAccess, Vendor, chip};
pub use mma::{Fragment, MMAS, Mma, Operand, catalogue, mma};
pub use stage::{Lowered, Stage};
pub use vectors::{MatrixShape, VECTOR_MACHINE_NAMES, VECTOR_MACHINES, VectorMachine, Widths, vector_machine};
