//! The compiler: configure, tile, vectorize, lay out, distribute, lower, clean.
