//! Devices, and the data that goes in and comes out: `.npy` files, input spellings, random tensors, comparisons.
//!
//! Nothing here opens a file: bytes in, bytes out.

pub mod compare;
pub mod cuda;
mod device;
pub mod npy;
pub mod random;
pub mod spec;

pub use device::{DEVICES, Device, Emulator, device};
pub use raddle_emu::{
    AsyncMode, Cost, Counters, Launch, Mode, Options, Outcome, Precision, Progress, Stop, Tally, Tensor, Traffic,
    Writer, ptx,
};
