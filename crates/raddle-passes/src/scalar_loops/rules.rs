//! The table of operations: how each gives one element of its results, or stores them itself.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, BlockId, Builder, Class, Def, Diag, Ir, OpId, Opcode, Point, Type, TypeId, ValueId};

use super::{Cx, best, extents, lines, load, moves, refuse, scatter, sort, structured};

/// The element of an operation's only result at a point.
type Element = fn(&mut Cx, &mut Builder<'_>, OpId, &[ValueId]) -> Result<ValueId, Diag>;
/// The elements of some of its results at a point.
type Elements = fn(&mut Cx, &mut Builder<'_>, OpId, &[usize], &[ValueId]) -> Result<Vec<ValueId>, Diag>;
/// Stores all results into memrefs.
type Stores = fn(&mut Cx, &mut Builder<'_>, OpId, &[ValueId]) -> Result<(), Diag>;

/// How an operation is computed.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// One element of its only result at a time.
    Element(Element),
    /// One element of several results at a time.
    Elements(Elements),
    /// All elements, since they depend on one another.
    Stores(Stores),
}

use Rule::{Element as One, Elements as Several, Stores as Whole};

/// Structured operations and elementwise ones on tensors beside these.
const RULES: &[(Opcode, Rule)] = &[
    (Opcode::ArithConstant, One(constant)),
    (Opcode::TensorEmpty, One(anything)),
    (Opcode::BufferizationAllocTensor, One(moves::allocated)),
    (Opcode::TensorSplat, One(|cx, b, op, _| Ok(cx.map.get(b.ir.operand(op, 0))))),
    (Opcode::TensorFromElements, One(moves::from_elements)),
    (Opcode::TensorGenerate, One(moves::generate)),
    (Opcode::TensorPad, One(moves::pad)),
    (Opcode::TensorConcat, One(moves::concat)),
    (Opcode::TensorExtractSlice, One(moves::extract_slice)),
    (Opcode::TensorInsertSlice, One(moves::insert_slice)),
    (Opcode::TensorInsert, One(moves::insert)),
    (Opcode::TensorCast, One(moves::cast)),
    (Opcode::TensorBitcast, One(moves::bitcast)),
    (Opcode::TensorExpandShape, One(moves::expand_shape)),
    (Opcode::TensorCollapseShape, One(moves::collapse_shape)),
    (Opcode::TensorReshape, One(moves::reshape)),
    (Opcode::LinalgPack, One(moves::pack)),
    (Opcode::LinalgUnpack, One(moves::unpack)),
    (Opcode::TensorGather, One(scatter::gather_dims)),
    (Opcode::IreeLinalgExtGather, One(scatter::gather)),
    (Opcode::IreeLinalgExtMapLoad, One(scatter::map_load)),
    (Opcode::IreeLinalgExtArgCompare, Several(lines::arg_compare)),
    (Opcode::TensorScatter, Whole(scatter::scatter_dims)),
    (Opcode::IreeLinalgExtScatter, Whole(scatter::scatter)),
    (Opcode::IreeLinalgExtMapStore, Whole(scatter::map_store)),
    (Opcode::IreeLinalgExtScan, Whole(lines::scan)),
    (Opcode::IreeLinalgExtSort, Whole(sort::sort)),
    (Opcode::IreeLinalgExtTopk, Whole(best::topk)),
    (Opcode::IreeLinalgExtTopkV2, Whole(best::topk)),
];

/// How an operation is computed; `None` where there is no rule.
pub(super) fn of(ir: &Ir, op: OpId) -> Option<Rule> {
    if Linalg::try_of(ir, op).is_some() {
        return Some(Rule::Elements(structured::elements));
    }
    let row = RULES.iter().find(|row| row.0 == ir.opcode(op)).map(|row| row.1);
    let elementwise = ir.class(op) == Class::Elementwise && ir.results(op).len() == 1;
    row.or(elementwise.then_some(Rule::Element(elementwise_at)))
}

/// Whether an operation stores a result itself, which its kernel then has to return.
pub fn needs(ir: &Ir, op: OpId, result: usize) -> bool {
    // The last partial results of a scan are in a register.
    let is_in_register = ir.opcode(op) == Opcode::IreeLinalgExtScan && result == 1;
    matches!(of(ir, op), Some(Rule::Stores(_))) && !is_in_register
}

/// The results of an operation whose elements are computed together with one of them.
pub(super) fn alike(ir: &Ir, op: OpId, result: usize) -> Vec<usize> {
    match Linalg::try_of(ir, op) {
        Some(linalg) => structured::alike(&linalg, result),
        None => (0..ir.results(op).len()).collect(),
    }
}

/// One element of a tensor of the function.
pub(super) fn element(cx: &mut Cx, b: &mut Builder<'_>, value: ValueId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let Def::Result { op, index } = b.ir.def(value) else {
        let memref = cx.map.find(value).filter(|&memref| matches!(b.ir.ty(memref), Type::MemRef { .. }));
        return Ok(load(b, memref.expect("tensors are arguments of the function or results"), at));
    };
    // Many may use an element of what the function computes outside of regions, and each would compute it again.
    let is_outside = b.ir.parent_op(op).is_some_and(|parent| b.ir.opcode(parent) == Opcode::FuncFunc);
    let block = if let Point::End(block) = b.at { Some(block).filter(|_| is_outside) } else { None };
    let Some(block) = block else { return Ok(elements(cx, b, op, &[index as usize], at)?[0]) };
    let key = (value, at.to_vec());
    if let Some(&(made, _)) = cx.made.get(&key).filter(|made| made.1 == block) {
        return Ok(made);
    }
    let made = elements(cx, b, op, &[index as usize], at)?[0];
    cx.made.insert(key, (made, block));
    Ok(made)
}

/// One element of each of some results of an operation.
pub(super) fn elements(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    wanted: &[usize],
    at: &[ValueId],
) -> Result<Vec<ValueId>, Diag> {
    match of(b.ir, op) {
        Some(Rule::Element(rule)) => Ok(vec![rule(cx, b, op, at)?]),
        Some(Rule::Elements(rule)) => rule(cx, b, op, wanted, at),
        Some(Rule::Stores(_)) => Err(refuse(b.ir, op, "another operation of the same kernel uses its result")
            .help("let the function return it, and compute what follows in another function")),
        None => Err(refuse(b.ir, op, "there is no rule for one of its elements")),
    }
}

/// Copies an operation of a region or of the function that computes scalars.
pub(super) fn scalar(cx: &mut Cx, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
    // Its code stands where it stands, and not where the operation around it does.
    let around = std::mem::replace(&mut b.span, b.ir.span(op));
    let written = scalar_here(cx, b, op);
    b.span = around;
    written
}

fn scalar_here(cx: &mut Cx, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
    let operands = b.ir.operands(op).to_vec();
    let new = match b.ir.opcode(op) {
        Opcode::LinalgIndex | Opcode::IreeLinalgExtIndex => {
            let dim = b.ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
            dim.and_then(|dim| cx.place.get(dim).copied())
                .ok_or_else(|| refuse(b.ir, op, "there is no loop with this number around it"))?
        }
        Opcode::TensorExtract => {
            let at: Vec<ValueId> = operands[1..].iter().map(|&at| cx.map.get(at)).collect();
            element(cx, b, operands[0], &at)?
        }
        Opcode::TensorDim => {
            let dim = b.ir.const_int(operands[1]).and_then(|dim| usize::try_from(dim).ok());
            let dim = dim.filter(|&dim| dim < b.ir.shape_of(operands[0]).len());
            let dim = dim.ok_or_else(|| refuse(b.ir, op, "the dimension is not a constant, or is not there"))?;
            extents::extent(cx, b, operands[0], dim)?
        }
        Opcode::TensorRank => b.index(b.ir.shape_of(operands[0]).len() as i64),
        _ => return copy(cx, b, op),
    };
    let result = b.ir.result(op, 0);
    cx.map.set(result, new);
    Ok(())
}

fn copy(cx: &mut Cx, b: &mut Builder<'_>, op: OpId) -> Result<(), Diag> {
    let values = b.ir.operands(op).iter().copied().chain(b.ir.results(op));
    if values.into_iter().any(|value| b.ir.ty(value).is_tensor()) {
        return Err(refuse(b.ir, op, "it works on a whole tensor inside of a region"));
    }
    if b.ir.regions(op).is_empty() {
        b.copy(op, &mut cx.map);
        return Ok(());
    }
    let operands: Vec<ValueId> = b.ir.operands(op).iter().map(|&value| cx.map.get(value)).collect();
    let types: Vec<TypeId> = b.ir.results(op).map(|value| b.ir.type_of(value)).collect();
    let new = b.ir.create_with(b.ir.opcode(op), &operands, &types, b.ir.attr_dict(op), b.span);
    b.place(new);
    for region in b.ir.regions(op).to_vec() {
        let new_region = b.ir.add_region(new);
        let blocks = b.ir.blocks(region).to_vec();
        if blocks.len() > 1 {
            return Err(refuse(b.ir, op, "one of its regions has several blocks"));
        }
        for block in blocks {
            let args = b.ir.args(block).to_vec();
            let types: Vec<TypeId> = args.iter().map(|&arg| b.ir.type_of(arg)).collect();
            let new_block = b.ir.add_block(new_region, &types);
            for (old, new) in args.into_iter().zip(b.ir.args(new_block).to_vec()) {
                cx.map.set(old, new);
            }
            let mut inner = Builder::at_end(b.ir, new_block, b.span);
            for op in inner.ir.ops_of(block) {
                scalar(cx, &mut inner, op)?;
            }
        }
    }
    for (old, new) in b.ir.results(op).zip(b.ir.results(new)) {
        cx.map.set(old, new);
    }
    Ok(())
}

/// What a region yields for its arguments, at a point of the loops around it.
pub(super) fn region(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    args: &[ValueId],
    place: &[ValueId],
) -> Result<Vec<ValueId>, Diag> {
    let block = block(b.ir, op)?;
    let olds = b.ir.args(block).to_vec();
    if olds.len() != args.len() {
        return Err(refuse(b.ir, op, "its region has another number of arguments than its operands ask for"));
    }
    let ops = b.ir.ops_of(block);
    let (&end, ops) = ops.split_last().expect("a verified region has a terminator");
    for (old, &new) in olds.into_iter().zip(args) {
        cx.map.set(old, new);
    }
    let around = std::mem::replace(&mut cx.place, place.to_vec());
    for &op in ops {
        scalar(cx, b, op)?;
    }
    cx.place = around;
    Ok(b.ir.operands(end).iter().map(|&value| cx.map.get(value)).collect())
}

/// The only block of an operation's only region.
pub(super) fn block(ir: &Ir, op: OpId) -> Result<BlockId, Diag> {
    match ir.regions(op) {
        &[region] if ir.blocks(region).len() == 1 => Ok(ir.entry(op)),
        _ => Err(refuse(ir, op, "it has not one region of one block")),
    }
}

/// An elementwise operation on tensors.
fn elementwise_at(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let mut operands = Vec::new();
    for value in b.ir.operands(op).to_vec() {
        operands.push(if b.ir.ty(value).is_tensor() { element(cx, b, value, at)? } else { cx.map.get(value) });
    }
    let elem = b.ir.elem_of(b.ir.result(op, 0));
    let new = b.ir.create_with(b.ir.opcode(op), &operands, &[elem], b.ir.attr_dict(op), b.span);
    b.place(new);
    Ok(b.ir.result(new, 0))
}

/// A constant tensor that is the same everywhere.
fn constant(_: &mut Cx, b: &mut Builder<'_>, op: OpId, _: &[ValueId]) -> Result<ValueId, Diag> {
    let elem = b.ir.elem_of(b.ir.result(op, 0));
    match b.ir.attr(op, "value") {
        Some(attr @ Attr::Dense { splat: true, .. }) => {
            let scalar = b.ir.dense_elems(attr).remove(0);
            Ok(b.constant(scalar, elem))
        }
        _ => Err(refuse(b.ir, op, "its elements differ, and a kernel has no memory of its own for them")
            .help("pass it to the function as an argument")),
    }
}

/// An element of a tensor without contents.
fn anything(_: &mut Cx, b: &mut Builder<'_>, op: OpId, _: &[ValueId]) -> Result<ValueId, Diag> {
    let elem = b.ir.elem_of(b.ir.result(op, 0));
    Ok(b.splat(0.0, elem))
}
