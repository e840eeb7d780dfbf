//! Operations that move elements of tensors: what their attributes say of dimensions.

use raddle_ir::views::{Mixed, mixed};
use raddle_ir::{Attr, DYNAMIC, Ir, OpId, ValueId};

/// The dimensions of a slice that its tensor has; others have one element and are dropped.
pub fn kept(sizes: &[Mixed], shape: &[i64]) -> Vec<usize> {
    let mut kept = Vec::new();
    for (d, &size) in sizes.iter().enumerate() {
        let next = shape.get(kept.len());
        let same = match size {
            Mixed::Static(size) => next == Some(&size),
            Mixed::Value(_) => next == Some(&DYNAMIC),
        };
        if same {
            kept.push(d);
        }
    }
    assert_eq!(kept.len(), shape.len(), "the verifier has seen that only dimensions of one element are dropped");
    kept
}

/// What `tensor.pad` puts in front and behind.
pub fn padding(ir: &Ir, op: OpId) -> [Vec<Mixed>; 2] {
    let parts = ir.segments(op);
    let list = |name: &str, part: usize| mixed(&ints(ir, op, name), parts.get(part).copied().unwrap_or_default());
    [list("static_low", 1), list("static_high", 2)]
}

/// The dimensions that are one in the shape with fewer dimensions.
pub fn groups(ir: &Ir, op: OpId) -> Vec<Vec<usize>> {
    let dims = |list: Vec<i64>| list.into_iter().filter_map(|dim| usize::try_from(dim).ok()).collect();
    match ir.attr(op, "reassociation") {
        Some(Attr::Array(groups)) => groups.iter().map(|&group| ir.ints(group).map(dims).unwrap_or_default()).collect(),
        _ => Vec::new(),
    }
}

/// The operands that the results of an operation of `iree_linalg_ext` replace.
pub fn outputs(ir: &Ir, op: OpId) -> Option<Vec<ValueId>> {
    let (operands, n) = (ir.operands(op), ir.results(op).len());
    // An operand behind the outputs has no elements.
    let last = operands.iter().rposition(|&value| ir.ty(value).is_tensor())? + 1;
    Some(operands[last.checked_sub(n)?..last].to_vec())
}

/// The list of integers that an attribute is.
pub fn ints(ir: &Ir, op: OpId, name: &str) -> Vec<i64> {
    ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default()
}
