//! Sorts of which the first elements are read: of each run, no others are merged.
//!
//! Before: runs are sorted, and all that slices read is among the first two elements of the line
//! After:
//!
//! ```mlir
//! %s = iree_linalg_ext.sort dimension(1) outs(%e : tensor<16x2000xf32>)
//! %l = tensor.extract_slice %e[0, 2] [16, 1998] [1, 1]
//! %m = linalg.reduce ins(%l)                                    // arith.maximumf: not a number where one of them is not
//! %f = tensor.extract_slice %s[0, 0] [16, 3] [1, 1]
//! %k = linalg.generic ins(%f, %m)                               // what is behind the second is not a number, too
//! ```
//!
//! An element with as many before it in its own run is not among the first ones of the line. But a NaN stays where it is,
//! and nothing passes it: what a run keeps ends with one if there is one in what it does not keep.

use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Builder, Def, Ir, Map, OpId, Opcode, TypeId, ValueId};

use crate::code::{EQUAL, UNORDERED, compare, compare_floats, select};
use crate::scalar_loops::sort_order;
use crate::structured::body::Combiner;
use crate::structured::generalize::{body_of, generic, loop_index};
use crate::structured::{combiner, fill};

/// The elements that are asked for.
pub(super) struct First {
    pub n: i64,
    /// The operand that is compared, if its elements may be NaNs.
    floats: Option<usize>,
}

impl First {
    /// Those of the results of a sort along a dimension, if slices read no others.
    pub(super) fn of(ir: &Ir, op: OpId, dim: usize) -> Option<First> {
        let mut n = 0;
        for (slice, _) in ir.results(op).flat_map(|result| ir.uses(result)) {
            if ir.opcode(slice) != Opcode::TensorExtractSlice {
                return None;
            }
            let slice = SliceView::of(ir, slice);
            let [first, size, step] = [&slice.offsets, &slice.sizes, &slice.strides].map(|of| of[dim]);
            let (Mixed::Static(first), Mixed::Static(size), Mixed::Static(step)) = (first, size, step) else {
                return None;
            };
            n = n.max(size.saturating_sub(1).saturating_mul(step).saturating_add(first).saturating_add(1));
        }
        let floats = match sort_order(ir, op)?.second {
            None => None,
            Some(number) => match ir.def(number) {
                Def::Arg { index, .. } => Some(index as usize / 2),
                Def::Result { .. } => return None,
            },
        };
        (n > 0).then_some(First { n, floats })
    }

    /// Of sorted runs, what may come to be among these.
    pub(super) fn of_run(&self, builder: &mut Builder<'_>, sort: OpId, dim: usize) -> Vec<ValueId> {
        let results: Vec<ValueId> = builder.ir.results(sort).collect();
        let shape = builder.ir.shape_of(results[0]).to_vec();
        let kept = self.n.saturating_add(i64::from(self.floats.is_some()));
        if kept >= shape[dim] {
            return results;
        }
        let offsets = vec![Mixed::Static(0); shape.len()];
        let mut sizes: Vec<Mixed> = shape.iter().copied().map(Mixed::Static).collect();
        sizes[dim] = Mixed::Static(kept);
        let kept: Vec<ValueId> =
            results.into_iter().map(|result| builder.extract_slice(result, &offsets, &sizes)).collect();
        match self.floats {
            Some(at) => {
                let run = builder.ir.operand(sort, at);
                self.ended(builder, run, &kept, at, dim)
            }
            None => kept,
        }
    }

    /// What runs keep, with a NaN at the end where there is one in what they do not. All of it is made by one operation.
    fn ended(&self, builder: &mut Builder<'_>, run: ValueId, kept: &[ValueId], at: usize, dim: usize) -> Vec<ValueId> {
        let (elem, shape) = (builder.ir.elem_of(run), builder.ir.shape_of(run).to_vec());
        let rank = shape.len();
        let mut offsets = vec![Mixed::Static(0); rank];
        let mut left: Vec<Mixed> = shape.iter().copied().map(Mixed::Static).collect();
        (offsets[dim], left[dim]) = (Mixed::Static(self.n), Mixed::Static(shape[dim] - self.n));
        let left = builder.extract_slice(run, &offsets, &left);
        let lines: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
        let extents: Vec<i64> = lines.iter().map(|&d| shape[d]).collect();
        let greatest = Combiner::of_opcode(Opcode::ArithMaximumf).expect("its row says how it combines");
        let ty = builder.ir.tensor_type(&extents, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let neutral = greatest.neutral(builder, elem);
        let (identity, of_line) = (Map::identity(rank), Map::of_dims(rank, &lines));
        let reduce = Linalg {
            inputs: vec![left],
            outputs: vec![fill(builder, neutral, empty)],
            maps: vec![identity.clone(), of_line.clone()],
            reduction: (0..rank).map(|d| d == dim).collect(),
        };
        let reduce = generic(builder, &reduce, &[]);
        combiner(builder, reduce, greatest);

        let greatest = builder.ir.result(reduce, 0);
        let types: Vec<TypeId> = kept.iter().map(|&value| builder.ir.type_of(value)).collect();
        let linalg = Linalg {
            inputs: [kept, &[greatest]].concat(),
            outputs: types.iter().map(|&ty| builder.value(Opcode::TensorEmpty, &[], ty, &[])).collect(),
            maps: [vec![identity.clone(); types.len()], vec![of_line], vec![identity; types.len()]].concat(),
            reduction: vec![false; rank],
        };
        let ended = generic(builder, &linalg, &[]);
        let operands = linalg.inputs.iter().chain(&linalg.outputs);
        let elems: Vec<TypeId> = operands.map(|&value| builder.ir.elem_of(value)).collect();
        body_of(builder, ended, &elems, |body, args| {
            let (mut kept, greatest) = (args[..types.len()].to_vec(), args[types.len()]);
            let is_nan = compare_floats(body, UNORDERED, greatest, greatest);
            let (place, end) = (loop_index(body, dim), body.index(self.n));
            let is_end = compare(body, EQUAL, place, end);
            let ends = body.binary(Opcode::ArithAndi, is_nan, is_end);
            kept[at] = select(body, ends, greatest, kept[at]);
            kept
        });
        builder.ir.results(ended).collect()
    }
}
