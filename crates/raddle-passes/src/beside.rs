//! Beside the pipeline: passes that do what other tools' passes of these names do, and what only they use.

pub mod anchor_tensors;
pub mod barriers;
pub mod expand;
pub mod lower_vectors;
pub mod matrices;
pub mod pack_reductions;
pub mod promote;
pub mod promote_operands;
pub mod shared_memory;
pub mod split_contractions;
pub mod split_rows;
pub mod tiles;
pub mod transform;
pub mod vectorize_tensors;
