//! Hardware as data: chips, matrix instructions, and what holds at each stage of the pipeline.
//!
//! The catalogue has every matrix instruction of NVIDIA, AMD, Intel, Apple and Khronos with the exact place of each
//! element, under the vendors' names and IREE's:
//!
//! ```
//! use raddle_target::Operand;
//! use raddle_target::catalogue::instruction;
//!
//! let mma = instruction("MFMA_F32_16x16x16_F16").ok_or("no such instruction")?;
//! assert_eq!((mma.mnemonic.as_str(), mma.registers(Operand::A)), ("v_mfma_f32_16x16x16_f16", Some(2)));
//! // Lane bits, then slot bits, least significant first: lane 17 holds row 1, columns 4 to 7.
//! let a = mma.map(Operand::A)?;
//! assert_eq!(a.to_string(), "lane[m0 m1 m2 m3 k2 k3] slot[k0 k1]");
//! assert_eq!(a.coord(0, 17, 3), Some(vec![1, 7]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A chip knows its instructions and what conversions cost on it; maps are layouts, so that the planner of
//! [`raddle_layout`] answers what it takes to feed one product's result to the next:
//!
//! ```
//! use raddle_layout::plan::plan;
//! use raddle_target::{Operand, catalogue::instruction, chip};
//!
//! let (mi300, mma) = (chip("gfx942").ok_or("no such chip")?, instruction("MFMA_F32_16x16x16_F16").ok_or("none")?);
//! let (sums, factor) = (mma.map(Operand::C)?.layout(), mma.map(Operand::A)?.layout());
//! let machine = mi300.machine(64);
//! assert_eq!(plan(&sums.permute(&[1, 0]), &factor, 16, &machine)?.way, "nothing");
//! assert_ne!(plan(&sums, &factor, 16, &machine)?.way, "nothing");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chips;
mod mma;
pub mod stage;
mod vectors;

pub use chips::{CHIPS, Chip, Language, MatrixAccess, Processors, Vendor, chip};
pub use mma::{Fragment, MMAS, Mma, Operand, catalogue, mma, tile};
pub use stage::{Leaf, Lowered, Stage, has_vector_form, leaf};
pub use vectors::{
    Dot, MatrixShape, NativeVectors, VECTOR_MACHINE_NAMES, VECTOR_MACHINES, VectorMachine, Widths, vector_machine,
};
