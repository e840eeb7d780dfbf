//! Hardware as data: chips, matrix instructions, stage contracts.
