//! The meaning of IR at any stage: a SIMT emulator.
