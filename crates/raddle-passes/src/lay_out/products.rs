//! Masks of products become masks of their factors, so that a masked sum of products is one like all others.
//!
//! Before: `%m = create_mask %i, %j, %k`, `vector.mask %m { vector.contract %a, %b, %c }`
//! After:  `%x = select (create_mask .., %k), %a, 0`, `%y = select (create_mask %k, ..), %b, -1`,
//!         `%r = vector.contract %x, %y, %c`, `select (create_mask %i, %j), %r, %c`
//!
//! A product that is left out must change no sum. `0 * -1` is `-0`, and `x + -0` is `x` for every `x`, where `0` would
//! turn `-0` into `0`. Both factors are replaced, since `0` times infinity is not a number; so a part of the mask along
//! summed loops must lie along loops that both factors have. Integers need one factor only. Where a mask has another
//! part, or the products are not summed, the products themselves stay masked.

use raddle_ir::views::{Contract, Mixed};
use raddle_ir::{Attr, Builder, Float, Ir, Map, OpId, Opcode, Type, ValueId};

use super::access::masked;

/// Parts of one mask. A longer conjunction is one part.
const PARTS_MAX: usize = 16;

/// A part of a mask: it is set where all parts are.
struct Part {
    /// The loops that it lies along.
    loops: Vec<usize>,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    /// Along one loop, below a bound.
    Below(Mixed),
    /// A vector of its own.
    Vector(ValueId),
}

/// Rewrites the masked sums of products of a function.
pub fn unmask(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::VectorMask {
            let _ = unmask_one(ir, op);
        }
    }
}

/// Rewrites one, if its mask has parts that the factors can take.
fn unmask_one(ir: &mut Ir, mask_op: OpId) -> Option<()> {
    let op = masked(ir, mask_op).filter(|&op| ir.opcode(op) == Opcode::VectorContract)?;
    let &[mask] = ir.operands(mask_op) else { return None };
    let yielded = ir.terminator(ir.entry(mask_op)).map(|end| ir.operands(end));
    if yielded != Some(&[ir.result(op, 0)]) || ir.keyword_of(op, "kind").unwrap_or("add") != "add" {
        return None;
    }
    let view = Contract::of(ir, op);
    let loops = view.maps.iter().map(Map::as_dims).collect::<Option<Vec<_>>>()?;
    let is_int = !matches!(ir[ir.elem_of(view.acc)], Type::Float(_));
    // The parts that lhs, rhs and the result take.
    let mut taken: [Vec<Part>; 3] = Default::default();
    for part in parts(ir, mask, view.reduction.len()) {
        let has = |at: usize| part.loops.iter().all(|d| loops[at].contains(d));
        if part.loops.iter().all(|&d| !view.reduction[d]) {
            taken[2].push(part);
        } else if is_int && has(0) {
            taken[0].push(part);
        } else if is_int && has(1) {
            taken[1].push(part);
        } else if has(0) && has(1) && !is_int {
            taken[0].push(Part { loops: part.loops.clone(), what: part.what });
            taken[1].push(part);
        } else {
            return None;
        }
    }
    let powers_of_two = Type::Float(Float::F8E8M0FNU);
    if [view.lhs, view.rhs].iter().any(|&factor| ir[ir.elem_of(factor)] == powers_of_two) {
        // They have no 0.
        return None;
    }
    let mut builder = Builder::before(ir, mask_op);
    let mut factor = |at: usize, value: ValueId, other: f64| {
        let mask = mask_for(&mut builder, &loops[at], value, &taken[at])?;
        let ty = builder.ir.type_of(value);
        let other = builder.splat(other, ty);
        Some(builder.value(Opcode::ArithSelect, &[mask, value, other], ty, &[]))
    };
    let lhs = factor(0, view.lhs, 0.0).unwrap_or(view.lhs);
    let rhs = factor(1, view.rhs, if is_int { 0.0 } else { -1.0 }).unwrap_or(view.rhs);
    let (attrs, ty) = (builder.ir.attr_dict(op), builder.ir.type_of(view.acc));
    let new = builder.ir.create_with(Opcode::VectorContract, &[lhs, rhs, view.acc], &[ty], attrs, builder.ir.span(op));
    builder.place(new);
    let mut sum = builder.ir.result(new, 0);
    if let Some(mask) = mask_for(&mut builder, &loops[2], view.acc, &taken[2]) {
        sum = builder.value(Opcode::ArithSelect, &[mask, sum, view.acc], ty, &[]);
    }
    ir.replace_uses(ir.result(mask_op, 0), sum);
    ir.erase(mask_op);
    forget(ir, mask);
    Some(())
}

/// Removes a mask that nobody uses any more.
fn forget(ir: &mut Ir, mask: ValueId) {
    let mut unused = vec![mask];
    while let Some(value) = unused.pop() {
        let Some(op) = ir.def_op(value).filter(|&op| ir.is_unused(value) && ir.opcode(op).info().is_pure()) else {
            continue;
        };
        if ir.results(op).all(|result| ir.is_unused(result)) && ir.parent_block(op).is_some() {
            unused.extend(ir.operands(op));
            ir.erase(op);
        }
    }
}

/// What a mask over all loops is the conjunction of.
fn parts(ir: &Ir, mask: ValueId, n_loops: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open = vec![(mask, (0..n_loops).collect::<Vec<usize>>())];
    while let Some((value, loops)) = open.pop() {
        let whole = Part { loops: loops.clone(), what: What::Vector(value) };
        let Some(op) = ir.def_op(value).filter(|_| parts.len() + open.len() < PARTS_MAX) else {
            parts.push(whole);
            continue;
        };
        match ir.opcode(op) {
            Opcode::VectorCreateMask => {
                for ((&bound, &d), &extent) in ir.operands(op).iter().zip(&loops).zip(ir.shape_of(value)) {
                    let bound = ir.const_int(bound).map_or(Mixed::Value(bound), Mixed::Static);
                    parts.extend(below(d, bound, extent));
                }
            }
            Opcode::VectorConstantMask => {
                let sizes = ir.attr_id(op, "mask_dim_sizes").and_then(|attr| ir.ints(attr)).unwrap_or_default();
                for ((&size, &d), &extent) in sizes.iter().zip(&loops).zip(ir.shape_of(value)) {
                    parts.extend(below(d, Mixed::Static(size), extent));
                }
            }
            Opcode::ArithAndi => open.extend(ir.operands(op).iter().map(|&operand| (operand, loops.clone()))),
            Opcode::IreeVectorExtToLayout => open.push((ir.operand(op, 0), loops)),
            Opcode::VectorTranspose => {
                let mut inner = loops.clone();
                for (&d, from) in loops.iter().zip(super::permutation(ir, op)) {
                    inner[from] = d;
                }
                open.push((ir.operand(op, 0), inner));
            }
            Opcode::VectorBroadcast => {
                let source = ir.operand(op, 0);
                let own = ir.shape_of(source);
                let lead = loops.len() - own.len();
                // What is repeated along a dimension of its own stays whole.
                if own.is_empty() || own != &ir.shape_of(value)[lead..] {
                    parts.push(whole);
                } else {
                    open.push((source, loops[lead..].to_vec()));
                }
            }
            Opcode::ArithConstant => match ir.attr(op, "value") {
                Some(Attr::Dense { splat: true, bytes, .. }) if bytes.iter().all(|&byte| byte != 0) => {}
                _ => parts.push(whole),
            },
            _ => parts.push(whole),
        }
    }
    parts
}

/// A part below a bound, unless it is everything.
fn below(d: usize, bound: Mixed, extent: i64) -> Option<Part> {
    let all = matches!(bound, Mixed::Static(bound) if bound >= extent);
    (!all).then(|| Part { loops: vec![d], what: What::Below(bound) })
}

/// The conjunction of some parts, for a vector along `loops`.
fn mask_for(builder: &mut Builder<'_>, loops: &[usize], vector: ValueId, parts: &[Part]) -> Option<ValueId> {
    let (bit, shape) = (builder.ir.int_type(1), builder.ir.shape_of(vector).to_vec());
    let ty = builder.ir.vector_type(&shape, bit);
    let mut masks = Vec::new();
    // Bounds along different loops are one mask.
    let mut bounds: Vec<Vec<Option<Mixed>>> = Vec::new();
    for part in parts {
        match part.what {
            What::Below(bound) => {
                let d = loops.iter().position(|&d| d == part.loops[0]).expect("the part lies along the vector's loops");
                match bounds.iter_mut().find(|bounds| bounds[d].is_none()) {
                    Some(bounds) => bounds[d] = Some(bound),
                    None => {
                        let mut new = vec![None; loops.len()];
                        new[d] = Some(bound);
                        bounds.push(new);
                    }
                }
            }
            What::Vector(value) => masks.push(spread(builder, value, &part.loops, loops, &shape)),
        }
    }
    for bounds in bounds {
        let bounds: Vec<ValueId> = bounds
            .into_iter()
            .zip(&shape)
            .map(|(bound, &extent)| bound.unwrap_or(Mixed::Static(extent)).materialize(builder))
            .collect();
        masks.push(builder.value(Opcode::VectorCreateMask, &bounds, ty, &[]));
    }
    masks.into_iter().reduce(|all, mask| builder.binary(Opcode::ArithAndi, all, mask))
}

/// A mask along some of a vector's loops, repeated along the others.
fn spread(builder: &mut Builder<'_>, mask: ValueId, own: &[usize], loops: &[usize], shape: &[i64]) -> ValueId {
    let others: Vec<usize> = (0..loops.len()).filter(|&at| !own.contains(&loops[at])).collect();
    let lead: Vec<i64> = others.iter().map(|&at| shape[at]).collect();
    let mut wide = mask;
    if !lead.is_empty() {
        let (shape, bit) = ([&lead[..], builder.ir.shape_of(mask)].concat(), builder.ir.elem_of(mask));
        let ty = builder.ir.vector_type(&shape, bit);
        wide = builder.broadcast(mask, ty);
    }
    let place = |(at, d): (usize, &usize)| match own.iter().position(|own| own == d) {
        Some(i) => others.len() + i,
        None => others.iter().position(|&other| other == at).expect("it is one or the other"),
    };
    let perm: Vec<usize> = loops.iter().enumerate().map(place).collect();
    if perm.iter().copied().eq(0..perm.len()) { wide } else { builder.transpose(wide, &perm) }
}
