//! Reshape a nested layout: the layout of the same elements in row-major order under another shape.
//!
//! Both shapes are walked from the fastest dimension. Each new dimension takes tiles from the old ones, inside out:
//! element, thread, outer, batch, subgroup, then the next old dimension. That works as long as the tiles that end up
//! in one new dimension still nest in that order; anything else has no nested layout and is an error.
//! Slots keep their numbers, so that registers are not touched.

use super::{Level, Nested, NestedError, ReshapeFault};

impl Nested {
    /// The layout of this vector's row-major shape cast to `shape`.
    pub fn reshape(&self, shape: &[i64]) -> Result<Nested, NestedError> {
        let expected: i64 = self.undistributed_shape().iter().product();
        let size =
            shape.iter().try_fold(1i64, |size, &extent| if extent < 1 { None } else { size.checked_mul(extent) });
        if size != Some(expected) {
            return Err(NestedError::WrongSize { shape: shape.to_vec(), expected });
        }
        // What is left to take: the current dimension, and in it the next level, the tile's rest, its stride.
        let mut source = self.rank();
        let mut level = 5;
        let mut rest = [1i64; 5];
        let mut stride = [0i64; 5];
        let mut result = Nested::whole(&vec![1; shape.len()])?;
        for target in (0..shape.len()).rev() {
            let mut wanted = shape[target];
            let mut tiles = [1i64; 5];
            let mut strides = [0i64; 5];
            while wanted > 1 {
                if level == 5 {
                    // The sizes agree, so there is always something left to take.
                    source -= 1;
                    level = 0;
                    rest = Level::ALL.map(|level| self.tile(level)[source]);
                    stride = [0, self.thread_strides[source], 0, 0, self.subgroup_strides[source]];
                    continue;
                }
                if rest[level] == 1 {
                    level += 1;
                    continue;
                }
                let fault = |why| NestedError::NotReshapable { source, target, level: Level::ALL[level], why };
                let take = wanted.min(rest[level]);
                if wanted % take != 0 || rest[level] % take != 0 {
                    return Err(fault(ReshapeFault::Split { tile: rest[level], rest: wanted }));
                }
                if tiles[level + 1..].iter().any(|&tile| tile > 1) {
                    return Err(fault(ReshapeFault::Order));
                }
                if tiles[level] == 1 {
                    strides[level] = stride[level];
                } else if strides[level] * tiles[level] != stride[level] {
                    return Err(fault(ReshapeFault::Stride));
                }
                stride[level] *= take;
                tiles[level] *= take;
                rest[level] /= take;
                wanted /= take;
            }
            result.element_tile[target] = tiles[0];
            result.thread_tile[target] = tiles[1];
            result.outer_tile[target] = tiles[2];
            result.batch_tile[target] = tiles[3];
            result.subgroup_tile[target] = tiles[4];
            result.thread_strides[target] = strides[1];
            result.subgroup_strides[target] = strides[4];
        }
        Ok(result)
    }
}
