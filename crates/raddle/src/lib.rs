//! A layout-aware vector compiler for GPUs: MLIR text in, checked results and PTX out.
