//! Tails: a product whose tiles fill the processors of the chip a few times, and leave some over, is two products, of which
//! the second has tiles of its own, or sums in parts.
//!
//! Before: `%r = linalg.matmul` of 3072 x 3072 x 4096, of which 132 processors have 576 tiles: 4.4 rounds, as long as 5
//! After:
//!
//! ```mlir
//! %m = linalg.matmul … : tensor<2816x3072xf16>    // 528 tiles, 4 rounds
//! %t = linalg.matmul … : tensor<256x3072xf16>     // less than a round, in parts of the sums
//! %e = tensor.empty() : tensor<3072x3072xf16>
//! %i = tensor.insert_slice %m into %e[0, 0] …     // the host's: kernels write to where these lie
//! %r = tensor.insert_slice %t into %i[2816, 0] …
//! ```
//!
//! What stands behind the product in its kernel is computed of both. It is cut along the outermost dimension of the result,
//! so that either product has rows one behind another. An estimate decides (`configure/products.rs`).
//!
//! Does not touch kernels with several results, or with operations that need what is not in their own rows.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, Builder, Code, Diag, Ir, OpId, Opcode, Scalar, Span, ValueId};
use raddle_target::Chip;

use super::reshape::has_encoding;
use super::split::{self, Cut, empty_like};
use super::{Trials, Unit, carried, compiles, is_elementwise, rearranged};
use crate::configure::{products, tail_of_product};
use crate::facts::Facts;
use crate::structured::generalize::make_generic;
use crate::structured::{body, windows};

/// Divides the products among the kernels of a block that are faster so.
pub(super) fn divide(
    ir: &mut Ir,
    block: BlockId,
    func: OpId,
    units: Vec<Unit>,
    facts: &Facts,
    trials: &mut Trials,
) -> Vec<Unit> {
    let Chip { native: None, processors: Some(_), .. } = facts.chip else { return units };
    let mut kernels: Vec<Unit> = Vec::new();
    let mut changed = false;
    for unit in units {
        let tail = Some(&unit).filter(|unit| unit.is_kernel).and_then(|unit| Tail::of(ir, &unit.ops, facts));
        let Some(tail) = tail else {
            kernels.push(unit);
            continue;
        };
        let said = tail.say(ir);
        let before = (!trials.steps.is_empty()).then(|| ir.clone());
        let divided = tail.write(ir, &unit.ops);
        let mut fits = |ops: &Vec<OpId>| compiles(&mut None, ir, func, ops, facts, trials).is_ok();
        match before {
            Some(before) if !divided.iter().all(&mut fits) => {
                *ir = before;
                kernels.push(unit);
            }
            _ => {
                facts.remark(said);
                kernels.extend(divided.into_iter().map(|ops| Unit { ops, is_kernel: true, joined: Vec::new() }));
                changed = true;
            }
        }
    }
    if changed { rearranged(ir, block, kernels) } else { kernels }
}

/// Whether a product will be two, which is faster than to have all of its sums in parts. What is computed of it at once may
/// be a reason to leave it one.
pub(super) fn are_faster(ir: &Ir, op: OpId, facts: &Facts) -> bool {
    let mut users = ir.results(op).flat_map(|value| ir.uses(value)).map(|(user, _)| user);
    users.all(|user| !is_elementwise(ir, user)) && Tail::of(ir, &[op], facts).is_some()
}

/// A kernel that is divided.
struct Tail {
    /// Its one result.
    result: ValueId,
    /// How its product is cut.
    cut: products::Tail,
}

impl Tail {
    fn of(ir: &Ir, ops: &[OpId], facts: &Facts) -> Option<Tail> {
        let leaves = |value: &ValueId| ir.uses(*value).any(|(user, _)| !ops.contains(&user));
        let mut results = ops.iter().flat_map(|&op| ir.results(op)).filter(leaves);
        let (Some(result), None) = (results.next(), results.next()) else { return None };
        let mut products = ops.iter().copied().filter(|&op| body::is_contraction(ir, op));
        let (Some(product), None) = (products.next(), products.next()) else { return None };
        let linalg = Linalg::of(ir, product);
        let is_window = |&input: &ValueId| ir.def_op(input).is_some_and(|made| windows::is_window(ir, made));
        let has_bytes = Scalar::of(&ir[ir.elem_of(result)]).is_some_and(|elem| elem.bits() % 8 == 0);
        let fits = has_bytes
            && !has_encoding(ir, result)
            && ir.attr(product, "lowering_config").is_none()
            && linalg.maps.iter().all(split::is_plain)
            && !linalg.inputs.iter().any(is_window)
            && ops.iter().all(|&op| op == product || split::may_be_cut(ir, op));
        let along = if fits { loop_along(ir, ops, result, product)? } else { return None };
        Some(Tail { result, cut: tail_of_product(ir, product, &linalg, along, facts)? })
    }

    /// How a product is divided, and why.
    fn say(&self, ir: &Ir) -> Diag {
        let products::Tail { length, rounds, .. } = self.cut;
        let rest = ir.shape_of(self.result)[0] - length;
        let message = format!(
            "a product is two, of {length} and {rest} rows of its result: the processors would have {rounds:.1} tiles each"
        );
        Diag::error(Code::KernelChoice, ir.def_op(self.result).map_or(Span::default(), |op| ir.span(op)), message)
    }

    /// Writes both products, and where they lie. Returns the operations of each kernel.
    fn write(&self, ir: &mut Ir, ops: &[OpId]) -> Vec<Vec<OpId>> {
        let products::Tail { length, parts, .. } = &self.cut;
        let last = ir.def_op(self.result).and_then(|made| ops.iter().position(|&op| op == made));
        let last = last.expect("the result is made by the kernel");
        let made: Vec<OpId> = ops.iter().map(|&op| make_generic(ir, op).unwrap_or(op)).collect();
        let end = made[last];
        let result = ir.result(end, 0);
        let shape = ir.shape_of(result).to_vec();
        let extent = shape[0];
        let mut all = empty_like(&mut Builder::before(ir, end), result, &shape);
        let mut kernels = Vec::new();
        for (first, length) in [(0, *length), (*length, extent - length)] {
            let before = ir.def_op(all).expect("all pieces are put somewhere");
            let piece = Cut::of(&made, first, None, length).operand(&mut Builder::before(ir, end), result, 0);
            all = carried::insert(&mut Builder::before(ir, end), piece, all, 0, first);
            let new = |ir: &Ir| {
                let next = |&op: &OpId| ir.next_op(op).filter(|&op| op != end);
                let computes = |&op: &OpId| Linalg::try_of(ir, op).is_some() && ir.opcode(op) != Opcode::LinalgFill;
                std::iter::successors(next(&before), next).filter(computes).collect::<Vec<OpId>>()
            };
            let mut own = new(ir);
            if let Some(parts) = parts.as_ref().filter(|_| first > 0) {
                let product = own.iter().copied().find(|&op| body::is_contraction(ir, op));
                let (_, parts) = split::Parts::of_product(parts).write(ir, product.expect("a product is cut"));
                own = new(ir);
                own.retain(|&op| op != parts);
                kernels.push(vec![parts]);
            }
            kernels.push(own);
        }
        ir.replace_uses(result, all);
        made.iter().rev().for_each(|&op| ir.erase(op));
        kernels
    }
}

/// The loop of a product along which the outermost dimension of what is computed of it lies, if all that is computed lies
/// along that.
fn loop_along(ir: &Ir, ops: &[OpId], result: ValueId, product: OpId) -> Option<usize> {
    let mut found = None;
    let mut seen: Vec<(ValueId, usize)> = Vec::new();
    let mut waiting = vec![(result, 0)];
    while let Some((value, dim)) = waiting.pop() {
        if seen.contains(&(value, dim)) {
            continue;
        }
        seen.push((value, dim));
        let Some(op) = ir.def_op(value).filter(|made| ops.contains(made)) else { continue };
        let linalg = Linalg::of(ir, op);
        let along = *linalg.maps[linalg.inputs.len()].as_dims()?.get(dim)?;
        if op == product {
            if found.is_some_and(|found| found != along) {
                return None;
            }
            found = Some(along);
        }
        for (&input, map) in linalg.inputs.iter().zip(&linalg.maps) {
            match map.as_dims()?.iter().position(|&d| d == along) {
                Some(at) => waiting.push((input, at)),
                // All of it would be computed for both.
                None if ir.def_op(input).is_some_and(|made| ops.contains(&made)) => return None,
                None => {}
            }
        }
    }
    found
}
