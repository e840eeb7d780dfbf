//! Target code from lowered IR: PTX text.
