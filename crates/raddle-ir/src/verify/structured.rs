//! The rules of `linalg` operations and slices.

use super::rules::{dynamic_count, list};
use super::{Check, bad, ensure, show, types_of, vector};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::{Class, Opcode};
use crate::types::{DYNAMIC, Type};
use crate::views::Linalg;

pub(super) fn linalg(ir: &Ir, op: OpId) -> Check {
    let parts = ir.segments(op);
    let (inputs, outputs) = (parts[0], parts[1]);
    let opcode = ir.opcode(op);
    let expected = match opcode {
        Opcode::Matmul => Some((2, 1)),
        Opcode::Fill => Some((1, 1)),
        _ => None,
    };
    if let Some(expected) = expected {
        ensure(ir, op, (inputs.len(), outputs.len()) == expected, || {
            format!("takes {} inputs and {} output", expected.0, expected.1)
        })?;
    }
    if opcode == Opcode::Generic {
        vector::iterators(ir, op, "linalg.iterator_type")?;
    }
    if opcode != Opcode::Fill && ir.attr_id(op, "indexing_maps").is_some() {
        ensure(ir, op, ir.maps(op, "indexing_maps").is_some(), || {
            "needs a list of affine maps for `indexing_maps`".to_owned()
        })?;
    }
    for &output in outputs {
        let ty = ir.type_of(output);
        ensure(ir, op, matches!(ir[ty], Type::Tensor { .. } | Type::MemRef { .. }), || {
            format!("writes tensors and memrefs, not {}", show(ir, ty))
        })?;
    }
    // What a view relies on is checked by now.
    let view = Linalg::of(ir, op);
    let operands: Vec<_> = inputs.iter().chain(outputs).copied().collect();
    ensure(ir, op, view.maps.len() == operands.len(), || {
        format!("has {} operands, but {} maps", operands.len(), view.maps.len())
    })?;
    let n = view.reduction.len();
    let mut extents = vec![None; n];
    for (i, (&operand, map)) in operands.iter().zip(&view.maps).enumerate() {
        let shape = ir.shape_of(operand);
        ensure(ir, op, map.dims as usize == n && map.syms == 0, || {
            format!("has {n} loops, but map {i} has {} dimensions and {} symbols", map.dims, map.syms)
        })?;
        ensure(ir, op, map.results.len() == shape.len(), || {
            format!("has operand {i} with {} dimensions, but {} results in its map", shape.len(), map.results.len())
        })?;
        agree(ir, op, map, shape, &mut extents)?;
    }
    if let Some(free) = extents.iter().position(Option::is_none) {
        return Err(bad(ir, op, format!("has no operand that tells the extent of loop {free}")));
    }
    let body = ir.entry(op);
    let elems: Vec<TypeId> = operands.iter().map(|&value| ir.elem_of(value)).collect();
    ensure(ir, op, types_of(ir, ir.args(body)) == elems, || {
        "has a body whose arguments are not the elements of its operands".to_owned()
    })?;
    let last = ir.terminator(body);
    let yielded = last.map_or(Vec::new(), |last| types_of(ir, ir.operands(last)));
    ensure(ir, op, yielded == elems[inputs.len()..], || {
        "has a body that does not yield one element for each output".to_owned()
    })?;
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    let tensors: Vec<TypeId> =
        types_of(ir, outputs).into_iter().filter(|&ty| matches!(ir[ty], Type::Tensor { .. })).collect();
    ensure(ir, op, results == tensors, || "gives one result for each output tensor, of its type".to_owned())
}

/// The extents of the loops that the map names agree with the operand's shape.
fn agree(ir: &Ir, op: OpId, map: &Map, shape: &[i64], extents: &mut [Option<i64>]) -> Check {
    for (&extent, expr) in shape.iter().zip(&map.results) {
        let Expr::Dim(d) = expr else { continue };
        let slot = &mut extents[*d as usize];
        match *slot {
            Some(known) if known != DYNAMIC && extent != DYNAMIC && known != extent => {
                return Err(bad(ir, op, format!("has extents {known} and {extent} for loop {d}")));
            }
            Some(known) if known != DYNAMIC => {}
            _ => *slot = Some(extent),
        }
    }
    Ok(())
}

pub(super) fn linalg_index(ir: &Ir, op: OpId) -> Check {
    let mut parent = ir.parent_op(op);
    while let Some(outer) = parent {
        if ir.class(outer) == Class::Structured {
            let loops = match ir.attr(outer, "iterator_types") {
                Some(Attr::Array(items)) => items.len() as i64,
                _ => return Ok(()),
            };
            let dim = ir.attr(op, "dim").and_then(Attr::as_i64).unwrap_or(-1);
            return ensure(ir, op, (0..loops).contains(&dim), || format!("names loop {dim} of {loops}"));
        }
        parent = ir.parent_op(outer);
    }
    Err(bad(ir, op, "stands inside a `linalg` operation"))
}

/// Slices of tensors and memrefs.
pub(super) fn slice(ir: &Ir, op: OpId) -> Check {
    let inserts = matches!(ir.opcode(op), Opcode::InsertSlice | Opcode::ParallelInsertSlice);
    let groups = ir.segments(op);
    let first = if inserts { 2 } else { 1 };
    let base = groups[first - 1][0];
    let part = if inserts { ir.type_of(groups[0][0]) } else { ir.type_of(ir.result(op, 0)) };
    let shape = ir.shape_of(base);
    let mut lists = Vec::new();
    for (i, name) in ["static_offsets", "static_sizes", "static_strides"].into_iter().enumerate() {
        let numbers = list(ir, op, name)?;
        ensure(ir, op, numbers.len() == shape.len(), || {
            format!("has {} numbers in `{name}` for {} dimensions", numbers.len(), shape.len())
        })?;
        dynamic_count(ir, op, name, &numbers, groups[first + i].len())?;
        lists.push(numbers);
    }
    ensure(ir, op, lists[1].iter().all(|&size| size == DYNAMIC || size >= 0), || "has a negative size".to_owned())?;
    for (d, &extent) in shape.iter().enumerate() {
        let (offset, size, stride) = (lists[0][d], lists[1][d], lists[2][d]);
        if [extent, offset, size, stride].contains(&DYNAMIC) {
            continue;
        }
        // The last element that is reached lies inside.
        let last = (size - 1).checked_mul(stride).and_then(|reach| reach.checked_add(offset));
        let inside = size == 0 || offset >= 0 && last.is_some_and(|last| (0..extent).contains(&last));
        ensure(ir, op, inside, || format!("reaches outside dimension {d} of extent {extent}"))?;
    }
    let elem = ir[part].elem();
    ensure(ir, op, elem == Some(ir.elem_of(base)), || "changes the element type".to_owned())?;
    // The part has the sizes as extents; dimensions of size 1 may be dropped.
    let found = ir[part].shape().unwrap_or(&[]);
    ensure(ir, op, is_reduced(&lists[1], found), || {
        format!("has sizes {}, which do not give {}", sizes_text(&lists[1]), show(ir, part))
    })
}

fn sizes_text(sizes: &[i64]) -> String {
    let text: Vec<String> =
        sizes.iter().map(|&size| if size == DYNAMIC { "?".to_owned() } else { size.to_string() }).collect();
    format!("[{}]", text.join(", "))
}

/// Whether `shape` is `sizes` without some of the ones.
fn is_reduced(sizes: &[i64], shape: &[i64]) -> bool {
    let mut rest = shape.iter().peekable();
    for &size in sizes {
        if rest.peek() == Some(&&size) {
            rest.next();
        } else if size != 1 {
            return false;
        }
    }
    rest.next().is_none()
}

/// The parts that the assembly of control flow and of named operations is made of.
pub(super) fn parts(ir: &Ir, op: OpId) -> Check {
    let successors = ir.successors(op).len();
    let n_args = |region: usize| ir.body(op, region).map_or(0, |block| ir.args(block).len());
    let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).map(|list| list.len());
    match ir.opcode(op) {
        Opcode::LinalgReduce => {
            let n = ir.operands(op).len();
            ensure(ir, op, n > 0 && n.is_multiple_of(2), || {
                format!("takes as many inputs as outputs, not {n} operands")
            })
        }
        Opcode::Br => {
            ensure(ir, op, successors == 1, || format!("goes to one block, not {successors}"))?;
            jumps(ir, op)
        }
        Opcode::CondBr => {
            ensure(ir, op, successors == 2, || format!("goes to two blocks, not {successors}"))?;
            jumps(ir, op)
        }
        Opcode::Switch => {
            let cases = list("case_operand_segments").unwrap_or(0);
            ensure(ir, op, successors == cases + 1, || format!("has {cases} cases for {successors} blocks"))?;
            let counts = ir.attr_id(op, "case_operand_segments").and_then(|attr| ir.ints(attr)).unwrap_or_default();
            let total = counts.iter().try_fold(0i64, |sum, &n| if n < 0 { None } else { sum.checked_add(n) });
            ensure(ir, op, total == i64::try_from(ir.segments(op)[2].len()).ok(), || {
                "has operands that belong to no case".to_owned()
            })?;
            let numbers = ir.cases(op).len();
            ensure(ir, op, numbers == cases, || format!("has {numbers} numbers for {cases} cases"))?;
            jumps(ir, op)
        }
        Opcode::While => {
            let (given, taken) = (ir.operands(op).len(), n_args(0));
            ensure(ir, op, given == taken, || format!("has {given} initial values for {taken} arguments"))
        }
        Opcode::ScfParallel => {
            let groups = ir.segments(op);
            let rank = groups[0].len();
            let fits = groups[1].len() == rank && groups[2].len() == rank && n_args(0) == rank;
            ensure(ir, op, fits, || "has one lower bound, upper bound and step for each index".to_owned())
        }
        Opcode::AffineFor => {
            let carried = ir.segments(op)[2].len();
            ensure(ir, op, n_args(0) == carried + 1, || {
                "has a body whose arguments are not the index and the carried values".to_owned()
            })?;
            for (name, operands) in ["lowerBoundMap", "upperBoundMap"].into_iter().zip(ir.segments(op)) {
                let takes = ir.map(op, name).map(|map| u64::from(map.dims) + u64::from(map.syms));
                ensure(ir, op, takes == Some(operands.len() as u64), || {
                    format!("has {} operands for `{name}`", operands.len())
                })?;
            }
            Ok(())
        }
        Opcode::IndexSwitch => {
            let (cases, regions) = (list("cases").unwrap_or(0), ir.regions(op).len());
            ensure(ir, op, regions == cases + 1, || format!("has {cases} cases for {regions} regions"))
        }
        _ => Ok(()),
    }
}

/// What a jump passes on, and where to.
fn jumps(ir: &Ir, op: OpId) -> Check {
    let home = ir.parent_block(op).map(|block| ir.block_region(block));
    for jump in ir.jumps(op) {
        let region = ir.block_region(jump.to);
        ensure(ir, op, Some(region) == home, || "goes to a block of another region".to_owned())?;
        let types = |values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<_>>();
        let (given, taken) = (types(jump.args), types(ir.args(jump.to)));
        let show = |types: &[TypeId]| types.iter().map(|&ty| show(ir, ty)).collect::<Vec<_>>().join(", ");
        ensure(ir, op, given == taken, || {
            format!("passes ({}) to a block that takes ({})", show(&given), show(&taken))
        })?;
    }
    Ok(())
}
