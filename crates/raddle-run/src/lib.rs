//! Devices, buffers and tensor files.
