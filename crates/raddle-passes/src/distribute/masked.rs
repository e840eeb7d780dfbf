//! `vector.mask`: an operation that acts where a mask is set.
//!
//! Reads, writes, gathers and scatters take the mask as their own. A reduction and a scan take elements that change
//! nothing where the mask is not set. So does a contraction with its products: what is masked is a product, not its factors, for 0
//! changes a sum, but 0 times 0 is not a neutral element of any other combination.

use raddle_ir::views::Contract;
use raddle_ir::{Builder, Class, Diag, Map, OpId, Opcode, Type, TypeId, ValueId};
use raddle_layout::Nested;

use super::{Cx, arg_compare, layout, memory, part_type, reduce, refuse, scan, transposed};
use crate::lay_out::recombined;

pub fn mask(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let block = builder.ir.entry(op);
    let (mask, passthru) = (builder.ir.operand(op, 0), builder.ir.operands(op).get(1).copied());
    let end = builder.ir.terminator(block).expect("the verifier has seen a terminator");
    let inner = builder.ir.first_op(block).filter(|&inner| inner != end);
    if let Some(inner) = inner {
        builder.span = builder.ir.span(inner);
        cx.meet(builder, inner);
        let part = cx.part(mask);
        match builder.ir.class(inner) {
            Class::Read | Class::Write => super::access(builder, cx, inner, Some(part))?,
            Class::Reduce => match builder.ir.opcode(inner) {
                Opcode::VectorMultiReduction => combination(builder, cx, inner, mask, reduce::multi_reduction)?,
                Opcode::VectorScan => combination(builder, cx, inner, mask, scan::scan)?,
                Opcode::IreeVectorExtArgCompare => comparison(builder, cx, inner, mask)?,
                _ => return Err(refuse(builder.ir, inner, "it has no meaning under a mask")),
            },
            Class::Contract => contraction(builder, cx, inner, mask)?,
            _ => return Err(refuse(builder.ir, inner, "it has no meaning under a mask")),
        }
    }
    let yielded = builder.ir.operands(end).to_vec();
    for (result, value) in builder.ir.results(op).zip(yielded).collect::<Vec<_>>() {
        let mut part = cx.part(value);
        if let Some(passthru) = passthru {
            let (ty, mask, other) = (builder.ir.type_of(part), cx.part(mask), cx.part(passthru));
            part = builder.value(Opcode::ArithSelect, &[mask, part, other], ty, &[]);
        }
        cx.map.set(result, part);
    }
    Ok(())
}

/// A reduction or a scan, of which `rule` gives each thread its part, on elements that change nothing where the mask is
/// not set.
fn combination(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    mask: ValueId,
    rule: impl FnOnce(&mut Builder<'_>, &mut Cx<'_>, OpId) -> Result<(), Diag>,
) -> Result<(), Diag> {
    let source = builder.ir.operand(op, 0);
    let (from, given) = (layout(builder.ir, op, source)?, layout(builder.ir, op, mask)?);
    let elem = builder.ir.elem_of(source);
    let combiner = reduce::combiner(builder, op, elem)?;
    let (part, mask) = (cx.part(source), cx.part(mask));
    let mask = in_layout(builder, op, mask, &given, &from)?;
    let ty = builder.ir.type_of(part);
    let neutral = combiner.neutral(builder, ty);
    let chosen = builder.value(Opcode::ArithSelect, &[mask, part, neutral], ty, &[]);
    cx.map.set(source, chosen);
    let done = rule(builder, cx, op);
    // Others see the source as it was.
    cx.map.set(source, part);
    done
}

/// Elements that the mask leaves out beat nothing.
fn comparison(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: ValueId) -> Result<(), Diag> {
    let (from, given) = (layout(builder.ir, op, builder.ir.operand(op, 0))?, layout(builder.ir, op, mask)?);
    let mask = cx.part(mask);
    let mask = in_layout(builder, op, mask, &given, &from)?;
    arg_compare::arg_compare(builder, cx, op, Some(mask))
}

/// A mask's part in the layout of what it masks.
fn in_layout(
    builder: &mut Builder<'_>,
    op: OpId,
    mask: ValueId,
    given: &Nested,
    wanted: &Nested,
) -> Result<ValueId, Diag> {
    if crate::lay_out::in_registers(given, wanted) {
        return Ok(memory::relaid(builder, mask, given, wanted));
    }
    let why = "its mask lies over other threads than what it masks";
    Err(refuse(builder.ir, op, why).note(format!("the mask has {given}")).note(format!("wanted is {wanted}")))
}

/// A product for each point of the iteration space that the thread holds, those that are masked out left out.
fn contraction(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: ValueId) -> Result<(), Diag> {
    let view = Contract::of(builder.ir, op);
    let elem = builder.ir.elem_of(view.acc);
    let combiner = reduce::combiner(builder, op, elem)?;
    let dims: Option<Vec<Vec<usize>>> = view.maps.iter().map(Map::as_dims).collect();
    let Some(dims) = dims else { return Err(refuse(builder.ir, op, "its maps are not lists of loops")) };
    let (lhs, rhs) = (layout(builder.ir, op, view.lhs)?, layout(builder.ir, op, view.rhs)?);
    let n = view.reduction.len();
    let loops: Vec<usize> = (0..n).collect();
    let iteration = recombined(&view, &lhs, &rhs).map_err(|why| refuse(builder.ir, op, why))?;
    let (given, mask) = (layout(builder.ir, op, mask)?, cx.part(mask));
    let mask = in_layout(builder, op, mask, &given, &iteration)?;
    let ty = part_type(builder.ir, elem, &iteration);
    let factors = [(view.lhs, &lhs, &dims[0]), (view.rhs, &rhs, &dims[1])].map(|(value, layout, dims)| {
        let part = cx.part(value);
        let part = widened(builder, part, elem);
        repeated(builder, part, layout, dims, &iteration, ty)
    });
    let times = if matches!(builder.ir[elem], Type::Float(_)) { Opcode::ArithMulf } else { Opcode::ArithMuli };
    let product = builder.binary(times, factors[0], factors[1]);
    let neutral = combiner.neutral(builder, ty);
    let product = builder.value(Opcode::ArithSelect, &[mask, product, neutral], ty, &[]);
    // Sums inside the thread, then across threads, in the order of the loops.
    let sums: Vec<usize> =
        (0..3).flat_map(|group| loops.iter().filter(|&&d| view.reduction[d]).map(move |d| group * n + d)).collect();
    let kept = iteration.project(&view.reduction);
    let ty = if kept.rank() == 0 { elem } else { part_type(builder.ir, elem, &kept) };
    let start = combiner.neutral(builder, ty);
    let part = builder.multi_reduction(combiner.kind, product, start, &sums);
    let part = reduce::across(builder, cx, op, part, &iteration, &view.reduction, combiner)?;
    let acc = cx.part(view.acc);
    // The result's own order comes last.
    let rank = dims[2].len();
    let mut sorted = dims[2].clone();
    sorted.sort_unstable();
    let order: Vec<usize> = dims[2].iter().filter_map(|d| sorted.iter().position(|other| other == d)).collect();
    let triple: Vec<usize> = (0..3).flat_map(|group| order.iter().map(move |&d| group * rank + d)).collect();
    let part = if rank == 0 { part } else { transposed(builder, part, &triple) };
    let combined = reduce::accumulate(builder, combiner, part, acc);
    cx.map.set(builder.ir.result(op, 0), combined);
    Ok(())
}

/// A factor in the type of the sums.
fn widened(builder: &mut Builder<'_>, part: ValueId, elem: TypeId) -> ValueId {
    if builder.ir.elem_of(part) == elem {
        return part;
    }
    let opcode = if matches!(builder.ir[elem], Type::Float(_)) { Opcode::ArithExtf } else { Opcode::ArithExtsi };
    let ty = builder.ir.type_of(part);
    let ty = builder.ir.with_elem(ty, elem);
    builder.value(opcode, &[part], ty, &[])
}

/// An operand at each point of the iteration space: repeated along the loops that it does not have.
fn repeated(
    builder: &mut Builder<'_>,
    part: ValueId,
    layout: &Nested,
    dims: &[usize],
    iteration: &Nested,
    ty: TypeId,
) -> ValueId {
    let (n, rank) = (iteration.rank(), layout.rank());
    let new: Vec<usize> = (0..n).filter(|d| !dims.contains(d)).collect();
    let groups = [&iteration.batch_tile, &iteration.outer_tile, &iteration.element_tile];
    let lead: Vec<i64> = groups.iter().flat_map(|group| new.iter().map(|&d| group[d])).collect();
    let shape = [&lead[..], builder.ir.shape_of(part)].concat();
    let elem = builder.ir[ty].elem().expect("a part is a vector");
    let wide = builder.ir.vector_type(&shape, elem);
    let wide = if lead.is_empty() { part } else { builder.broadcast(part, wide) };
    let perm: Vec<usize> = (0..3)
        .flat_map(|group| {
            let new = &new;
            (0..n).map(move |d| match dims.iter().position(|&own| own == d) {
                Some(at) => 3 * new.len() + group * rank + at,
                None => group * new.len() + new.iter().position(|&other| other == d).expect("it is one or the other"),
            })
        })
        .collect();
    transposed(builder, wide, &perm)
}
