//! Long scans: a line is scanned in parts, and what is in front of a part is added, so that more than one workgroup has a part
//! in it.
//!
//! Before: `%r, %t = iree_linalg_ext.scan dimension(0) ins(%x : tensor<1048576xf32>) outs(%o, %a)`
//! After:
//!
//! ```mlir
//! %e = tensor.expand_shape %x [[0, 1]] : tensor<128x8192xf32>
//! %p = linalg.generic ins(%e) outs(%zeros : tensor<128xf32>)                   // the total of each part
//! %b, %t = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%p) outs(…)  // of those in front of it
//! %s, %u = iree_linalg_ext.scan dimension(1) ins(%e) outs(…)
//! %c = linalg.generic ins(%b, %s)                                              // in the kernel of the parts
//! %r = tensor.collapse_shape %c [[0, 1]] : tensor<1048576xf32>
//! ```
//!
//! An estimate decides, as for reductions: a workgroup waits in each round of its loop, and two more kernels, and another
//! pass along the line, take their time, too.
//!
//! Does not touch lines of a length that only the run knows, or that no number of parts divides, and those that are enough
//! for the chip.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, AttrId, BlockId, Builder, DYNAMIC, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::again::{BYTES, LAUNCH, bytes};
use super::reshape::{collapse, expand};
use super::split;
use crate::configure::stream;
use crate::facts::Facts;
use crate::structured::generalize::{generic, made};
use crate::structured::scans::Scan;
use crate::structured::{combiner, fill};

/// Microseconds of a round: reads that are waited for, and totals that subgroups tell one another.
const ROUND: f64 = 1.0;
/// Elements of a part, at least.
const SHORTEST: i64 = 1024;
/// Parts begin at multiples of so many elements, so that they have whole lines of memory, or accesses are wide; or anywhere.
const ALIGNED: [i64; 4] = [64, 8, 4, 1];

/// Divides the long scans of some blocks.
pub(super) fn divide(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    let ops: Vec<OpId> = blocks.iter().flat_map(|&block| ir.ops_of(block)).collect();
    for op in ops {
        let Some(parts) = Parts::of(ir, op, facts) else { continue };
        split::say(ir, op, facts, "goes along", [parts.number, parts.workgroups]);
        parts.write(ir, op);
    }
}

/// How a line is divided.
struct Parts {
    scan: Scan,
    /// How many parts there are.
    number: i64,
    /// How many workgroups the scan would have as it stands.
    workgroups: i64,
}

impl Parts {
    fn of(ir: &Ir, op: OpId, facts: &Facts) -> Option<Parts> {
        let scan = Scan::of(ir, op).filter(|_| ir.attr(op, "lowering_config").is_none())?;
        let [input, acc] = [scan.linalg.inputs[0], scan.linalg.outputs[1]];
        let (extents, n) = (scan.linalg.extents(ir), *ir.shape_of(input).get(scan.dim)?);
        // What an exclusive scan leaves in its accumulator is not a total of parts.
        let fits = extents.iter().all(|&extent| extent != DYNAMIC && extent > 0)
            && ir.elem_of(input) == ir.elem_of(acc)
            && (scan.inclusive || ir.is_unused(ir.result(op, 1)));
        if !fits || n < 2 * SHORTEST {
            return None;
        }
        let stream::Rounds { workgroups, rounds } = stream::rounds(ir, op, &scan.linalg, &extents, facts);
        let wanted = (2 * stream::PROCESSORS / workgroups).min(rounds).min(n / SHORTEST);
        if wanted < 2 {
            return None;
        }
        let fits = |number: i64, unit: i64| n % number == 0 && n / number % unit == 0 && n / number >= SHORTEST;
        let divisor = |unit: i64| (wanted..=2 * wanted).find(|&number| fits(number, unit));
        let number = ALIGNED.into_iter().find_map(divisor)?;
        let moved = bytes(ir, input) as f64 / BYTES;
        let per_part = (rounds as f64 / number as f64).ceil();
        let divided = (2.0 * per_part + 1.0) * ROUND + 2.0 * LAUNCH + moved;
        (divided < rounds as f64 * ROUND).then_some(Parts { scan, number, workgroups })
    }

    /// Writes the scan of the parts.
    fn write(self, ir: &mut Ir, op: OpId) {
        let Parts { scan, number, .. } = self;
        let (input, acc) = (scan.linalg.inputs[0], scan.linalg.outputs[1]);
        let results: Vec<ValueId> = ir.results(op).collect();
        let asks_total = !ir.is_unused(results[1]);
        let elem = ir.elem_of(input);
        let builder = &mut Builder::before(ir, op);
        // Dimensions of extent 1 would keep others away from the kernels of the parts.
        let shapes = [input, acc].map(|value| builder.ir.shape_of(value).to_vec());
        let of_input = without_ones(&shapes[0], Some(scan.dim));
        let of_acc = without_ones(&shapes[1], None);
        let (input, acc) = (collapse(builder, input, &of_input), collapse(builder, acc, &of_acc));
        let dim = shapes[0][..scan.dim].iter().filter(|&&extent| extent != 1).count();
        let shape = builder.ir.shape_of(input).to_vec();
        let groups: Vec<usize> = (0..shape.len()).map(|d| 1 + usize::from(d == dim)).collect();
        let mut lines = shape.clone();
        lines.splice(dim..=dim, [number, shape[dim] / number]);
        let sizes: Vec<Mixed> = lines.iter().copied().map(Mixed::Static).collect();
        let parts = expand(builder, input, &groups, &sizes);
        // The total of each part.
        let mut of_parts = shape;
        of_parts[dim] = number;
        let ty = builder.ir.tensor_type(&of_parts, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let neutrals = neutrals_like(builder, &scan, empty);
        let rank = lines.len();
        let kept: Vec<usize> = (0..rank).filter(|&d| d != dim + 1).collect();
        let total = Linalg {
            inputs: vec![parts],
            outputs: vec![neutrals],
            maps: vec![Map::identity(rank), Map::of_dims(rank, &kept)],
            reduction: (0..rank).map(|d| d == dim + 1).collect(),
        };
        let total = generic(builder, &total, &[]);
        combiner(builder, total, scan.combiner);
        let totals = builder.ir.result(total, 0);
        // An inclusive scan takes nothing of its accumulator.
        let nothing = neutrals_like(builder, &scan, acc);
        let start = if scan.inclusive { nothing } else { acc };
        let [before, _] = scanned(builder, op, totals, start, dim, false);
        let [lines, _] = scanned(builder, op, parts, neutrals, dim + 1, scan.inclusive);
        let lines = combined(builder, &scan, before, lines, dim + 1);
        let result = collapse(builder, lines, &groups);
        let all = asks_total.then(|| scanned(builder, op, totals, nothing, dim, true)[1]);
        let of_extents = |shape: &[i64]| -> Vec<Mixed> { shape.iter().copied().map(Mixed::Static).collect() };
        let result = expand(builder, result, &of_input, &of_extents(&shapes[0]));
        let all = all.map(|all| expand(builder, all, &of_acc, &of_extents(&shapes[1])));
        ir.replace_uses(results[0], result);
        if let Some(all) = all {
            ir.replace_uses(results[1], all);
        }
        ir.erase(op);
    }
}

/// Groups of dimensions, each with one that is longer than 1, or is kept.
fn without_ones(shape: &[i64], kept: Option<usize>) -> Vec<usize> {
    let (mut groups, mut ones): (Vec<usize>, usize) = (Vec::new(), 0);
    for (d, &extent) in shape.iter().enumerate() {
        match groups.last_mut() {
            _ if extent != 1 || Some(d) == kept => groups.push(1 + std::mem::take(&mut ones)),
            Some(last) => *last += 1,
            None => ones += 1,
        }
    }
    groups
}

/// What lies along all dimensions of a tensor but `dim`, combined with each element.
fn combined(builder: &mut Builder<'_>, scan: &Scan, first: ValueId, second: ValueId, dim: usize) -> ValueId {
    let (elem, shape) = (builder.ir.elem_of(second), builder.ir.shape_of(second));
    let (rank, sizes) = (shape.len(), shape.iter().copied().map(Mixed::Static).collect::<Vec<_>>());
    let kept: Vec<usize> = (0..rank).filter(|&d| d != dim).collect();
    let inputs = [(first, Map::of_dims(rank, &kept)), (second, Map::identity(rank))];
    made(builder, &inputs, &sizes, elem, |body, args| body.binary(scan.combiner.opcode, args[0], args[1]))
}

/// A tensor like this one, of what changes nothing.
fn neutrals_like(builder: &mut Builder<'_>, scan: &Scan, value: ValueId) -> ValueId {
    let (ty, elem) = (builder.ir.type_of(value), builder.ir.elem_of(value));
    let neutral = scan.combiner.neutral(builder, elem);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    fill(builder, neutral, empty)
}

/// The same scan of another tensor along one of its dimensions, which begins with `acc`.
fn scanned(
    builder: &mut Builder<'_>,
    op: OpId,
    input: ValueId,
    acc: ValueId,
    dim: usize,
    inclusive: bool,
) -> [ValueId; 2] {
    let [ty, of_acc] = [input, acc].map(|value| builder.ir.type_of(value));
    let output = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    let new = [("dimension", builder.ir.i64_attr(dim as i64)), ("inclusive", builder.ir.intern(Attr::Bool(inclusive)))];
    let others: Vec<(String, AttrId)> =
        builder.ir.attrs(op).iter().map(|&(name, attr)| (builder.ir[name].to_owned(), attr)).collect();
    let others = others.iter().map(|(name, attr)| (name.as_str(), *attr));
    let others = others.filter(|(name, _)| new.iter().all(|(own, _)| own != name));
    let attrs: Vec<(&str, AttrId)> = others.chain(new).collect();
    let scan = builder.op(Opcode::IreeLinalgExtScan, &[input, output, acc], &[ty, of_acc], &attrs);
    builder.copy_regions(op, scan, &mut ValueMap::default());
    [0, 1].map(|at| builder.ir.result(scan, at))
}
