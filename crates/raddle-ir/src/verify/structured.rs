//! The rules of `linalg` operations and slices.

use super::rules::list;
use super::wording::{ensure, quoted, wrong};
use super::{Check, iree, memory, named, tensors, types_of, vector};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::{Diag, Severity};
use crate::ids::{OpId, ValueId};
use crate::ir::{Def, Ir};
use crate::ops::Opcode;
use crate::text::arity;
use crate::types::{DYNAMIC, Type};
use crate::views::Linalg;

/// What is legal but hardly meant: operations that combine what they compute with the elements of `tensor.empty`, which
/// have no values.
pub fn undefined_sums(ir: &Ir) -> Vec<Diag> {
    let mut found = Vec::new();
    for op in ir.walk(ir.module()) {
        let Some((inputs, outputs)) = Linalg::operands(ir, op) else { continue };
        let Some(body) = ir.body(op, 0) else { continue };
        let is_empty =
            |value: ValueId| matches!(ir.def(value), Def::Result { op, .. } if ir.opcode(op) == Opcode::TensorEmpty);
        let args = ir.args(body).iter().skip(inputs.len());
        if args.zip(outputs).any(|(&arg, &output)| !ir.is_unused(arg) && is_empty(output)) {
            let message = format!(
                "`{}` combines what it computes with `tensor.empty`, whose elements have no values",
                ir.name(op)
            );
            let diag = Diag::error(Code::Uninitialised, ir.span(op), message)
                .help("write them first, as `linalg.fill ins(%zero : f32) outs(%empty : …)` does");
            found.push(Diag { severity: Severity::Warning, ..diag });
        }
    }
    found
}

/// An operation of `linalg` with loops, maps and a body.
pub(super) fn linalg(ir: &Ir, op: OpId) -> Check {
    let opcode = ir.opcode(op);
    let Some((inputs, outputs)) = Linalg::operands(ir, op) else { return Err(wrong(ir, op, "has no body")) };
    if opcode == Opcode::LinalgGeneric {
        vector::iterators(ir, op, "linalg.iterator_type")?;
    }
    if let Some(expected) = arity(ir, op) {
        ensure(ir, op, (inputs.len(), outputs.len()) == (expected, 1), || {
            format!("takes {expected} inputs and 1 output")
        })?;
    }
    if opcode == Opcode::LinalgElementwise {
        ensure(ir, op, arity(ir, op).is_some(), || "has no such `kind`".to_owned())?;
    }
    if opcode == Opcode::LinalgReduce {
        let n = ir.operands(op).len();
        ensure(ir, op, n > 0 && n.is_multiple_of(2), || format!("takes as many inputs as outputs, not {n} operands"))?;
    }
    if opcode != Opcode::LinalgFill && ir.attr_id(op, "indexing_maps").is_some() {
        ensure(ir, op, ir.maps(op, "indexing_maps").is_some(), || {
            "needs a list of affine maps for `indexing_maps`".to_owned()
        })?;
    }
    let operands: Vec<_> = inputs.iter().chain(outputs).copied().collect();
    iree::destination(ir, op)?;
    let any = |holds: fn(&Type) -> bool| operands.iter().any(|&value| holds(ir.ty(value)));
    let mixes = any(|ty| matches!(ty, Type::Tensor { .. })) && any(|ty| matches!(ty, Type::MemRef { .. }));
    ensure(ir, op, !mixes, || "expected to have pure tensor or buffer semantics".to_owned())?;
    named::check(ir, op, inputs, outputs)?;
    let Some(view) = Linalg::try_of(ir, op) else { return Err(wrong(ir, op, "has no indexing maps")) };
    ensure(ir, op, view.maps.len() == operands.len(), || {
        let (maps, operands) = (view.maps.len(), operands.len());
        format!(
            "expected the number of indexing_map ({maps}) to be equal to the number of input/output operands ({operands})"
        )
    })?;
    let n =
        if opcode == Opcode::LinalgElementwise { Linalg::shape(ir, outputs[0]).len() } else { view.reduction.len() };
    for (i, (&operand, map)) in operands.iter().zip(&view.maps).enumerate() {
        ensure(ir, op, map.syms == 0, || format!("unexpected symbols in indexing_map #{i}"))?;
        ensure(ir, op, map.dims as usize == n, || {
            format!("expected indexing_map #{i} to have {n} dim(s) to match the number of loops")
        })?;
        let (rank, results) = (Linalg::shape(ir, operand).len(), map.results.len());
        ensure(ir, op, rank == results, || {
            format!("expected operand #{i} rank ({rank}) to match the result rank of indexing_map ({results})")
        })?;
    }
    reaches(ir, op, &operands, &view.maps, n)?;
    // As upstream, what the body says comes before what it takes.
    if let Some(end) = ir.terminator(ir.entry(op)) {
        named::yields(ir, end)?;
    }
    let args = types_of(ir, ir.args(ir.entry(op)));
    ensure(ir, op, args.len() == operands.len(), || {
        "expected as many non-induction variable region arguments as the number of input/output operands".to_owned()
    })?;
    for (i, (&arg, &operand)) in args.iter().zip(&operands).enumerate() {
        let elem = Linalg::elem(ir, operand);
        ensure(ir, op, arg == elem, || {
            let (arg, elem) = (quoted(ir, arg), quoted(ir, elem));
            format!(
                "expected type of bb argument #{i} ({arg}) to match element or self type of the corresponding operand ({elem})"
            )
        })?;
    }
    Ok(())
}

/// Some operand tells the extent of each loop, and none is left at the ends of the loops.
fn reaches(ir: &Ir, op: OpId, operands: &[ValueId], maps: &[Map], n: usize) -> Check {
    let mut extents = vec![None; n];
    for (&operand, map) in operands.iter().zip(maps) {
        for (&extent, expr) in Linalg::shape(ir, operand).iter().zip(&map.results) {
            if let Expr::Dim(d) = expr {
                extents[*d as usize].get_or_insert(extent);
            }
        }
    }
    if let Some(free) = extents.iter().position(Option::is_none) {
        let results = maps.iter().flat_map(|map| map.results.clone()).collect();
        let all = Map { dims: n as u32, syms: 0, results };
        let diag = wrong(ir, op, format!("invalid indexing maps are non-invertible: ({all})"));
        return Err(Box::new(diag.note(format!("no operand tells the extent of loop {free}"))));
    }
    // As upstream: where some extent is open, nothing is said about the others.
    if extents.contains(&Some(DYNAMIC)) {
        return Ok(());
    }
    let is_open = |d: usize| extents[d].is_none_or(|extent| extent <= 0);
    let (first, last) =
        (vec![0; n], extents.iter().map(|extent| extent.map_or(0, |n| n.wrapping_sub(1))).collect::<Vec<_>>());
    for (i, (&operand, map)) in operands.iter().zip(maps).enumerate() {
        for (d, (&extent, expr)) in Linalg::shape(ir, operand).iter().zip(&map.results).enumerate() {
            if extent == DYNAMIC || extent == 0 || expr.names(&is_open) {
                continue;
            }
            let (Some(a), Some(b)) = (expr.eval(&first, &[]), expr.eval(&last, &[])) else { continue };
            ensure(ir, op, a.min(b) >= 0, || format!("unexpected result less than 0 at expression #{d} in {map}"))?;
            let reach = a.max(b).saturating_add(1);
            let (fits, relation) = match expr {
                Expr::Dim(_) => (reach == extent, ""),
                _ => (reach <= extent, "greater than or equal to "),
            };
            ensure(ir, op, fits, || {
                format!(
                    "inferred input/output operand #{i} has shape's dimension #{d} to be {relation}{reach}, but found {extent}"
                )
            })?;
        }
    }
    Ok(())
}

pub(super) fn linalg_index(ir: &Ir, op: OpId) -> Check {
    let mut parent = ir.parent_op(op);
    while let Some(outer) = parent {
        if let Some(view) = Linalg::try_of(ir, outer) {
            let loops = view.reduction.len() as i64;
            let dim = ir.attr(op, "dim").and_then(Attr::as_i64).unwrap_or(-1);
            ensure(ir, op, dim >= 0, || {
                "attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0".to_owned()
            })?;
            return ensure(ir, op, dim < loops, || {
                format!("expected dim ({dim}) to be lower than the number of loops ({loops}) of the enclosing LinalgOp")
            });
        }
        parent = ir.parent_op(outer);
    }
    Err(wrong(ir, op, "expected parent op with LinalgOp interface"))
}

/// Slices of tensors and memrefs.
pub(super) fn slice(ir: &Ir, op: OpId) -> Check {
    let inserts = matches!(ir.opcode(op), Opcode::TensorInsertSlice | Opcode::TensorParallelInsertSlice);
    let groups = ir.segments(op);
    let first = if inserts { 2 } else { 1 };
    let base = groups[first - 1][0];
    let part = if inserts { ir.type_of(groups[0][0]) } else { ir.type_of(ir.result(op, 0)) };
    let shape = ir.shape_of(base);
    let [offsets, sizes, strides] =
        [list(ir, op, "static_offsets")?, list(ir, op, "static_sizes")?, list(ir, op, "static_strides")?];
    let lists = [("offset", &offsets), ("size", &sizes), ("stride", &strides)];
    for pair in lists.windows(2) {
        let [(a, x), (b, y)] = [pair[0], pair[1]];
        ensure(ir, op, x.len() == y.len(), || {
            let (x, y) = (x.len(), y.len());
            format!(
                "expected mixed {a}s rank to match mixed {b}s rank ({x} vs {y}) so the rank of the result type is well-formed"
            )
        })?;
    }
    for (i, (name, numbers)) in lists.into_iter().enumerate() {
        let (rank, n) = (shape.len(), numbers.len());
        ensure(ir, op, n == rank, || format!("expected {rank} {name} values, got {n}"))?;
        let places = numbers.iter().filter(|&&number| number == DYNAMIC).count();
        let values = groups[first + i].len();
        ensure(ir, op, places == values, || {
            format!(
                "expected the number of '{name}s' to match the number of dynamic entries in 'static_{name}s' ({values} vs {places})"
            )
        })?;
        let negative = numbers.iter().find(|&&number| number < 0 && number != DYNAMIC && name != "stride");
        ensure(ir, op, negative.is_none(), || {
            format!("expected {name}s to be non-negative, but got {}", negative.copied().unwrap_or(0))
        })?;
    }
    let lists = [&offsets[..], &sizes, &strides];
    let subview = match ir.opcode(op) {
        Opcode::MemrefSubview => Some(memory::subview(ir, op, lists)?),
        _ => None,
    };
    // The part has the sizes as extents; dimensions of size 1 may be dropped.
    let found = ir[part].shape().unwrap_or(&[]);
    let elem = ir.elem_of(base);
    ensure(ir, op, found.len() <= sizes.len(), || match subview {
        Some(_) => {
            format!("expected result rank to be smaller or equal to the source rank, but got {}", quoted(ir, part))
        }
        None => "expected rank to be smaller or equal to the other rank.".to_owned(),
    })?;
    ensure(ir, op, is_reduced(&sizes, found), || match &subview {
        Some(layout) => {
            let (expected, found) = (layout.text(ir, &sizes, ir.type_of(base)), quoted(ir, part));
            format!(
                "expected result type to be {expected} or a rank-reduced version. (mismatch of result sizes), but got {found}"
            )
        }
        None => {
            let expected = tensors::tensor_text(ir, &sizes, elem);
            format!("expected type to be {expected} or a rank-reduced version. (size mismatch)")
        }
    })?;
    ensure(ir, op, ir[part].elem() == Some(elem), || {
        let what = if subview.is_some() { "result element" } else { "element" };
        format!("expected {what} type to be {}, but got {}", quoted(ir, elem), quoted(ir, part))
    })?;
    if let Some(layout) = &subview {
        memory::subview_layout(ir, op, &sizes, layout)?;
    }
    for (d, &extent) in shape.iter().enumerate() {
        let (offset, size, stride) = (offsets[d], sizes[d], strides[d]);
        if extent == DYNAMIC || offset == DYNAMIC || size == 0 {
            continue;
        }
        ensure(ir, op, offset < extent, || format!("offset {d} is out-of-bounds: {offset} >= {extent}"))?;
        if size == DYNAMIC || stride == DYNAMIC {
            continue;
        }
        // The last element that is reached lies inside.
        let last = (size - 1).saturating_mul(stride).saturating_add(offset);
        ensure(ir, op, last < extent, || format!("slice along dimension {d} runs out-of-bounds: {last} >= {extent}"))?;
        ensure(ir, op, last >= 0, || format!("slice along dimension {d} runs out-of-bounds: {last} < 0"))?;
    }
    Ok(())
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

/// How likely each way is, where it is said.
fn weights(ir: &Ir, op: OpId) -> Check {
    let Some(weights) = ir.attr_id(op, "branch_weights").and_then(|attr| ir.ints(attr)) else { return Ok(()) };
    let (n, successors) = (weights.len(), ir.successors(op).len());
    ensure(ir, op, n == successors, || {
        format!("expects number of branch weights to match number of successors: {n} vs {successors}")
    })?;
    ensure(ir, op, weights.iter().any(|&weight| weight != 0), || "branch weights cannot all be zero".to_owned())
}

/// The parts that the assembly of control flow and of named operations is made of.
pub(super) fn parts(ir: &Ir, op: OpId) -> Check {
    let successors = ir.successors(op).len();
    let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).map(|list| list.len());
    match ir.opcode(op) {
        Opcode::CfBr | Opcode::LlvmBr => {
            ensure(ir, op, successors == 1, || format!("goes to one block, not {successors}"))?;
            jumps(ir, op)
        }
        Opcode::CfCondBr | Opcode::LlvmCondBr => {
            ensure(ir, op, successors == 2, || format!("goes to two blocks, not {successors}"))?;
            weights(ir, op)?;
            jumps(ir, op)
        }
        Opcode::CfSwitch | Opcode::LlvmSwitch => {
            let cases = list("case_operand_segments").unwrap_or(0);
            ensure(ir, op, successors == cases + 1, || format!("has {cases} cases for {successors} blocks"))?;
            let counts = ir.attr_id(op, "case_operand_segments").and_then(|attr| ir.ints(attr)).unwrap_or_default();
            let total = counts.iter().try_fold(0i64, |sum, &n| if n < 0 { None } else { sum.checked_add(n) });
            ensure(ir, op, total == i64::try_from(ir.segments(op)[2].len()).ok(), || {
                "has operands that belong to no case".to_owned()
            })?;
            let numbers = ir.cases(op).len();
            ensure(ir, op, numbers == cases, || format!("has {numbers} numbers for {cases} cases"))?;
            weights(ir, op)?;
            jumps(ir, op)
        }
        _ => Ok(()),
    }
}

/// What a jump passes on, and where to.
fn jumps(ir: &Ir, op: OpId) -> Check {
    let home = ir.parent_block(op).map(|block| ir.block_region(block));
    for (number, jump) in ir.jumps(op).into_iter().enumerate() {
        let region = ir.block_region(jump.to);
        ensure(ir, op, Some(region) == home, || "goes to a block of another region".to_owned())?;
        let types = |values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<_>>();
        let (given, taken) = (types(jump.args), types(ir.args(jump.to)));
        let (n, m) = (given.len(), taken.len());
        ensure(ir, op, n == m, || {
            format!("branch has {n} operands for successor #{number}, but target block has {m}")
        })?;
        if let Some(at) = (0..n).find(|&at| given[at] != taken[at]) {
            let types = format!("{} for {}", quoted(ir, given[at]), quoted(ir, taken[at]));
            return Err(wrong(ir, op, format!("type mismatch for bb argument #{at} of successor #{number}: {types}")));
        }
    }
    Ok(())
}
