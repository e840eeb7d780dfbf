//! Split: reductions that have too few results for the chip become sums of parts.
//!
//! Before: `%r = linalg.generic` that sums the rows of `tensor<32768x1024xbf16>`, which is work for few workgroups
//! After:
//!
//! ```mlir
//! %e = tensor.expand_shape %a [[0, 1], [2]] : tensor<64x512x1024xbf16>
//! %p = linalg.generic ins(%e) outs(%zeros : tensor<64x1024xf32>)   // sums rows of each part
//! %r = linalg.reduce ins(%p) outs(%o) dimensions = [0]             // a kernel of its own
//! ```
//!
//! Parts are combined in their order: the same program has the same result on every run. Rows that are not a multiple
//! of the parts are reduced alone, and the sum begins with what they give.
//!
//! Products whose tiles are too few for the chip are divided by the model that chooses their tiles.
//!
//! Does not touch dispatches, which are one kernel each, operations that the user configured, and those that read what
//! other kernels compute.

use raddle_ir::interface::Interface;
use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{BlockId, Builder, Code, DYNAMIC, Def, Diag, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use crate::configure::{parts_of_product, products, stream};
use crate::facts::Facts;
use crate::normalize::expand_dims::expanded;
use crate::structured::generalize::{generic, make_generic};
use crate::structured::{body, combiner, fill, windows};

/// Bytes that are worth more for each workgroup than another kernel costs.
const BYTES_MIN: i64 = 1 << 20;
/// Workgroups among which the parts and the results are divided, about.
const WORKGROUPS: i64 = 8 * stream::PROCESSORS;
/// A part of what is contiguous in memory begins at a multiple of this many elements, so that accesses stay wide.
const ALIGNED: i64 = 64;

/// Splits the reductions of a block that need it. Returns what combines their parts: operations that must not be in the
/// kernels of the parts, since these would be one workgroup's again.
pub(super) fn split(ir: &mut Ir, block: BlockId, func: OpId, facts: &Facts) -> FxHashSet<OpId> {
    let mut sums = FxHashSet::default();
    let is_dispatch = !Interface::of(ir, func).is_ok_and(|interface| interface.is_none());
    if is_dispatch || facts.chip.native.is_some() || ir.attr(func, "translation_info").is_some() {
        return sums;
    }
    for op in ir.ops_of(block) {
        let Some(parts) = Parts::of(ir, op, facts) else { continue };
        let message = format!(
            "`{}` is reduced in {} parts: it has work for {} workgroups alone",
            ir.name(op),
            parts.number,
            parts.workgroups
        );
        facts.remark(Diag::error(Code::KernelChoice, ir.span(op), message));
        sums.insert(parts.write(ir, op));
    }
    sums
}

/// How a reduction is divided.
struct Parts {
    /// The loop.
    along: usize,
    /// How many.
    number: i64,
    /// Iterations of each; a rest may be left behind them.
    length: i64,
    /// How many workgroups the operation would have as it stands.
    workgroups: i64,
}

impl Parts {
    fn of(ir: &Ir, op: OpId, facts: &Facts) -> Option<Parts> {
        let linalg = Linalg::try_of(ir, op).filter(|_| !windows::is_window(ir, op))?;
        let extents = linalg.extents(ir);
        let is_plain =
            |map: &Map| map.as_dims().is_some_and(|dims| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d)));
        let is_argument = |value: &ValueId| ir.ty(*value).is_tensor() && matches!(ir.def(*value), Def::Arg { .. });
        let counts = || ir.walk(op).into_iter().any(|inner| ir.opcode(inner) == Opcode::LinalgIndex);
        let fits = linalg.reduction.contains(&true)
            && ir.attr(op, "lowering_config").is_none()
            && extents.iter().all(|&extent| extent != DYNAMIC && extent > 0)
            && linalg.maps.iter().all(is_plain)
            && linalg.inputs.iter().all(is_argument)
            && linalg.outputs.len() == 1
            && body::reduction_of(ir, op, 0).is_some()
            && !counts();
        if !fits {
            return None;
        }
        if !stream::takes(ir, op, &linalg, &extents) {
            let products::Parts { along, number, workgroups } = parts_of_product(ir, op, &linalg, facts)?;
            return Some(Parts { along, number, length: extents[along] / number, workgroups });
        }
        let workgroups = stream::workgroups(ir, op, &linalg, &extents, facts);
        let bytes = |value: &ValueId| {
            let bits = Scalar::of(&ir[ir.elem_of(*value)]).map_or(0, Scalar::bits);
            ir.shape_of(*value).iter().fold(i64::from(bits), |n, &extent| n.saturating_mul(extent)) / 8
        };
        let (largest, size) =
            linalg.inputs.iter().map(bytes).enumerate().max_by_key(|&(i, size)| (size, std::cmp::Reverse(i)))?;
        if workgroups >= stream::PROCESSORS || size / workgroups < BYTES_MIN {
            return None;
        }
        // The slowest loop in memory that is reduced, so that parts are long there.
        let dims = linalg.maps[largest].as_dims()?;
        let at = dims.iter().position(|&d| linalg.reduction[d] && extents[d] > 1)?;
        let (along, extent) = (dims[at], extents[dims[at]]);
        let wanted = (WORKGROUPS / workgroups).min(extent);
        if wanted < 2 {
            return None;
        }
        let even = (wanted..=2 * wanted).find(|number| extent % number == 0);
        let unit = if at + 1 == dims.len() { ALIGNED } else { 1 };
        let number = even.filter(|number| (extent / number) % unit == 0).unwrap_or(wanted);
        let length = extent / number / unit * unit;
        (length > 0).then_some(Parts { along, number, length, workgroups })
    }

    /// Writes the parts and what combines them, which is returned.
    fn write(&self, ir: &mut Ir, op: OpId) -> OpId {
        let op = make_generic(ir, op).unwrap_or(op);
        let linalg = Linalg::of(ir, op);
        let reduction = body::reduction_of(ir, op, 0).expect("`of` has looked");
        let (n, whole) = (linalg.reduction.len(), self.number * self.length);
        let (extent, output) = (linalg.extents(ir)[self.along], linalg.outputs[0]);
        let builder = &mut Builder::before(ir, op);
        let slices = |builder: &mut Builder<'_>, from: i64, length: i64| -> Vec<ValueId> {
            let slice = |(&input, map): (&ValueId, &Map)| {
                let dims = map.as_dims().expect("`of` has looked");
                if !dims.contains(&self.along) || length == extent {
                    return input;
                }
                let shape = builder.ir.shape_of(input).to_vec();
                let at = |d: &usize, other: i64, own: i64| Mixed::Static(if *d == self.along { own } else { other });
                let offsets: Vec<Mixed> = dims.iter().map(|d| at(d, 0, from)).collect();
                let sizes: Vec<Mixed> = dims.iter().zip(shape).map(|(d, size)| at(d, size, length)).collect();
                builder.extract_slice(input, &offsets, &sizes)
            };
            linalg.inputs.iter().zip(&linalg.maps).map(slice).collect()
        };
        let mut start = output;
        if whole < extent {
            let rest = Linalg {
                inputs: slices(builder, whole, extent - whole),
                outputs: vec![output],
                maps: linalg.maps.clone(),
                reduction: linalg.reduction.clone(),
            };
            let rest = generic(builder, &rest, &[]);
            builder.copy_regions(op, rest, &mut ValueMap::default());
            start = builder.ir.result(rest, 0);
        }
        // Loop `along` becomes the loops `along` and `along + 1`, the first of which counts parts.
        let news: Vec<Vec<i64>> =
            (0..n).map(|d| if d == self.along { vec![self.number, self.length] } else { vec![0] }).collect();
        let place = |d: usize| if d > self.along { d + 1 } else { d };
        let mut inputs = slices(builder, 0, whole);
        let mut maps = Vec::new();
        for (input, map) in inputs.iter_mut().zip(&linalg.maps) {
            let dims = map.as_dims().expect("`of` has looked");
            let shape = builder.ir.shape_of(*input).to_vec();
            let own: Vec<Vec<i64>> = dims
                .iter()
                .zip(shape)
                .map(|(&d, size)| if d == self.along { news[d].clone() } else { vec![size] })
                .collect();
            *input = expanded(builder, *input, &(0..dims.len()).collect::<Vec<_>>(), &own);
            let of_dim = |&d: &usize| if d == self.along { vec![d, d + 1] } else { vec![place(d)] };
            maps.push(Map::of_dims(n + 1, &dims.iter().flat_map(of_dim).collect::<Vec<_>>()));
        }
        let results = linalg.maps[linalg.inputs.len()].as_dims().expect("`of` has looked");
        let of_part: Vec<usize> = [self.along].into_iter().chain(results.iter().map(|&d| place(d))).collect();
        maps.push(Map::of_dims(n + 1, &of_part));
        let elem = builder.ir.elem_of(output);
        let shape = [&[self.number], builder.ir.shape_of(output)].concat();
        let ty = builder.ir.tensor_type(&shape, elem);
        let neutral = reduction.combiner.neutral(builder, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let zeros = fill(builder, neutral, empty);
        let mut loops = linalg.reduction.clone();
        loops.insert(self.along, false);
        let parts = Linalg { inputs, outputs: vec![zeros], maps, reduction: loops };
        let parts = generic(builder, &parts, &[]);
        builder.copy_regions(op, parts, &mut ValueMap::default());
        let parts = builder.ir.result(parts, 0);
        let rank = results.len() + 1;
        let kept: Vec<usize> = (1..rank).collect();
        let sum = Linalg {
            inputs: vec![parts],
            outputs: vec![start],
            maps: vec![Map::identity(rank), Map::of_dims(rank, &kept)],
            reduction: (0..rank).map(|d| d == 0).collect(),
        };
        let sum = generic(builder, &sum, &[]);
        combiner(builder, sum, reduction.combiner);
        let (old, new) = (ir.result(op, 0), ir.result(sum, 0));
        ir.replace_uses(old, new);
        ir.erase(op);
        sum
    }
}
