//! Ends: a tile of an operand that reaches the end of a loop reaches the end of that operand.
//!
//! Before: `%n = tensor.dim %a, 0`, `%size = affine.min (64, %n - %i)`, a slice of `%b` of `%size` elements from `%i`
//! After:  the same with `tensor.dim %b, 0` for the slice of `%b`, where a structured operation has both dimensions along
//!         one of its loops
//!
//! The extents are equal, or the program means nothing. Accesses that end where their memory does need no mask.

use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{Builder, DYNAMIC, Def, Ir, OpId, Opcode, ValueId};
use rustc_hash::FxHashMap;

use crate::normalize::attention::Attention;
use crate::structured::scans::loops_of;

/// Dimensions of tensors that have one extent, by a number for each extent.
pub(super) struct Equal {
    extents: FxHashMap<(ValueId, usize), usize>,
}

impl Equal {
    /// What the structured operations of a function say, before they are tiled.
    pub fn of(ir: &Ir, func: OpId) -> Equal {
        let mut equal = Equal { extents: FxHashMap::default() };
        for op in ir.walk(func) {
            let mut along: FxHashMap<usize, (ValueId, usize)> = FxHashMap::default();
            for (value, dims) in reached(ir, op) {
                for (dim, d) in dims.into_iter().enumerate() {
                    if ir.ty(value).shape().and_then(|shape| shape.get(dim)) != Some(&DYNAMIC) {
                        continue;
                    }
                    let first = *along.entry(d).or_insert((value, dim));
                    equal.join(first, (value, dim));
                }
            }
        }
        equal
    }

    fn number(&mut self, dim: (ValueId, usize)) -> usize {
        let next = self.extents.len();
        *self.extents.entry(dim).or_insert(next)
    }

    fn join(&mut self, a: (ValueId, usize), b: (ValueId, usize)) {
        let (a, b) = (self.number(a), self.number(b));
        for number in self.extents.values_mut().filter(|number| **number == b) {
            *number = a;
        }
    }

    fn are(&self, a: (ValueId, usize), b: (ValueId, usize)) -> bool {
        a == b || self.extents.get(&a).is_some_and(|number| self.extents.get(&b) == Some(number))
    }

    /// Lets slices end with the tensors that they are slices of.
    pub fn apply(&self, ir: &mut Ir, func: OpId) {
        for op in ir.walk(func) {
            let is_slice = matches!(
                ir.opcode(op),
                Opcode::TensorExtractSlice | Opcode::TensorInsertSlice | Opcode::TensorParallelInsertSlice
            );
            if is_slice {
                self.slice(ir, op);
            }
        }
    }

    fn slice(&self, ir: &mut Ir, op: OpId) {
        let view = SliceView::of(ir, op);
        let source = origin(ir, view.base);
        for dim in 0..view.sizes.len() {
            let Mixed::Value(size) = view.sizes[dim] else { continue };
            let Some(min) = ir.def_op(size).filter(|&def| ir.opcode(def) == Opcode::AffineMin) else { continue };
            let is_end = |&at: &usize| {
                let end = ir.operand(min, at);
                let made = ir.def_op(end).filter(|&made| ir.opcode(made) == Opcode::TensorDim)?;
                let of = usize::try_from(ir.const_int(ir.operand(made, 1))?).ok()?;
                let tensor = ir.operand(made, 0);
                (tensor != view.base && self.are((tensor, of), (source, dim))).then_some(())
            };
            let Some(at) = (0..ir.operands(min).len()).find(|at| is_end(at).is_some()) else { continue };
            // What is inserted in parallel stands in a region that has nothing else.
            let place = match ir.opcode(op) {
                Opcode::TensorParallelInsertSlice => ir.parent_op(op).unwrap_or(op),
                _ => op,
            };
            let mut builder = Builder::before(ir, place);
            let number = builder.index(dim as i64);
            let index = builder.ir.index_type();
            let end = builder.value(Opcode::TensorDim, &[view.base, number], index, &[]);
            let mut operands = builder.ir.operands(min).to_vec();
            operands[at] = end;
            let map = builder.ir.attr_id(min, "map").expect("a verified minimum has a map");
            let new = builder.value(Opcode::AffineMin, &operands, index, &[("map", map)]);
            let at = slot(ir, op, dim).expect("a size that is a value is an operand");
            ir.set_operand(op, at, new);
        }
    }
}

/// The operands and results of an operation with loops, and the loop that each dimension of these lies along.
fn reached(ir: &Ir, op: OpId) -> Vec<(ValueId, Vec<usize>)> {
    if let Some(attention) = Attention::of(ir, op) {
        let results = ir.results(op).zip(&attention.outputs).map(|(result, part)| (result, part.dims.clone()));
        return attention.all().into_iter().map(|part| (part.value, part.dims)).chain(results).collect();
    }
    let Some(linalg) = loops_of(ir, op) else { return Vec::new() };
    let operands = linalg.inputs.iter().chain(&linalg.outputs).copied().zip(&linalg.maps);
    let results = ir.results(op).zip(&linalg.maps[linalg.inputs.len()..]);
    operands.chain(results).map(|(value, map)| (value, map.as_dims().unwrap_or_default())).collect()
}

/// The operand that is the size of a slice along a dimension.
fn slot(ir: &Ir, op: OpId, dim: usize) -> Option<usize> {
    let numbers = ir.attr_id(op, "static_sizes").and_then(|attr| ir.ints(attr))?;
    let within = numbers.get(..dim)?.iter().filter(|&&size| size == DYNAMIC).count();
    let groups = ir.segments(op);
    // Offsets, sizes and strides are the last three groups.
    let sizes = groups.len().checked_sub(2)?;
    Some(groups[..sizes].iter().map(|group| group.len()).sum::<usize>() + within)
}

/// What a tensor that a loop fills is in front of it.
fn origin(ir: &Ir, mut value: ValueId) -> ValueId {
    while let Def::Arg { block, index } = ir.def(value) {
        let parent = ir.region_parent(ir.block_region(block));
        let n_results = ir.results(parent).len();
        let carried = (index as usize).checked_sub(ir.args(block).len() - n_results.min(ir.args(block).len()));
        let inits = match ir.opcode(parent) {
            Opcode::ScfFor => ir.operands(parent).get(3..),
            Opcode::ScfForall => ir.operands(parent).get(ir.operands(parent).len() - n_results..),
            _ => None,
        };
        match carried.and_then(|at| inits?.get(at)) {
            Some(&init) => value = init,
            None => return value,
        }
    }
    value
}
