//! How layouts pass through operations that combine along dimensions: reductions, scans, comparisons, tiles of products.

use std::ops::Range;

use raddle_ir::{Attr, Class, Ir, OpId, Opcode, ValueId};
use raddle_layout::Nested;

use super::layouts::Layouts;
use super::rules::reduced;

/// The parts of `iree_vector_ext.arg_compare` that are vectors, by operand.
struct Compare {
    value: usize,
    index: Option<usize>,
    inits: [usize; 2],
}

impl Compare {
    fn of(ir: &Ir, op: OpId) -> Compare {
        let sizes: Vec<usize> = ir.segments(op).iter().map(|group| group.len()).collect();
        let first = sizes[0] + sizes[1];
        Compare { value: 0, index: (sizes[1] > 0).then_some(1), inits: [first, first + 1] }
    }
}

/// Whether an operation's results lie as its operands say: it combines, or multiplies tiles into its last operands.
pub fn folds(ir: &Ir, op: OpId) -> bool {
    ir.class(op) == Class::Reduce || ir.opcode(op) == Opcode::IreeCodegenInnerTiled
}

/// The operands of `iree_codegen.inner_tiled` that its results begin with.
fn outputs(ir: &Ir, op: OpId) -> Range<usize> {
    let sizes: Vec<usize> = ir.segments(op).iter().map(|group| group.len()).collect();
    sizes[0]..sizes[0] + sizes[1]
}

/// For each dimension of the source, whether it is combined.
fn folded(ir: &Ir, op: OpId) -> Vec<bool> {
    let name = match ir.opcode(op) {
        Opcode::VectorScan => "reduction_dim",
        Opcode::IreeVectorExtArgCompare => "dimension",
        _ => return reduced(ir, op),
    };
    let dim = ir.attr(op, name).and_then(Attr::as_i64).expect("the verifier has seen a dimension");
    (0..ir.shape_of(ir.operand(op, 0)).len() as i64).map(|d| d == dim).collect()
}

/// The layouts that the results have because of the source's: with what is kept of it, and for a scan with all of it.
pub fn natural(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    if ir.opcode(op) == Opcode::IreeCodegenInnerTiled {
        let outputs = ir.results(op).zip(outputs(ir, op));
        return outputs.filter_map(|(result, i)| Some((result, layouts.get(ir.operand(op, i))?.clone()))).collect();
    }
    let Some(source) = layouts.get(ir.operand(op, 0)) else { return Vec::new() };
    let kept = source.project(&folded(ir, op));
    let mut results = ir.results(op).filter(|&result| ir.ty(result).is_vector());
    match ir.opcode(op) {
        Opcode::VectorScan => results.zip([source.clone(), kept]).collect(),
        Opcode::IreeVectorExtArgCompare => results.map(|result| (result, kept.clone())).collect(),
        _ => results.next().map(|result| (result, kept)).into_iter().collect(),
    }
}

/// What a layout of one operand means for the other ones: values that are compared lie like their indices.
pub fn partners(ir: &Ir, op: OpId, operand: usize, layout: &Nested) -> Vec<(ValueId, Nested)> {
    if ir.opcode(op) != Opcode::IreeVectorExtArgCompare {
        return Vec::new();
    }
    let Compare { value, index, .. } = Compare::of(ir, op);
    let Some(index) = index else { return Vec::new() };
    let pair = [value, index];
    match pair.iter().position(|&one| one == operand) {
        Some(at) => vec![(ir.operand(op, pair[1 - at]), layout.clone())],
        None => Vec::new(),
    }
}

/// The layouts that the initial values need, which lie like what is left of the source, and the indices that are
/// compared along with it.
pub fn needs(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<(usize, Nested)> {
    let kept = |result: usize| layouts.get(ir.result(op, result)).cloned();
    let source = layouts.get(ir.operand(op, 0));
    match ir.opcode(op) {
        Opcode::VectorScan => kept(1).map(|layout| (1, layout)).into_iter().collect(),
        Opcode::IreeCodegenInnerTiled => {
            outputs(ir, op).enumerate().filter_map(|(i, out)| Some((out, kept(i)?))).collect()
        }
        Opcode::IreeVectorExtArgCompare => {
            let Compare { index, inits, .. } = Compare::of(ir, op);
            let index = index.zip(source.cloned());
            let inits = inits.into_iter().enumerate().filter_map(|(i, init)| Some((init, kept(i)?)));
            index.into_iter().chain(inits).collect()
        }
        _ => Vec::new(),
    }
}

/// The layout of a scan's source for which its result needs no conversion.
pub fn wish(ir: &Ir, op: OpId, layouts: &Layouts) -> Option<Nested> {
    layouts.get(ir.result(op, 0)).filter(|_| ir.opcode(op) == Opcode::VectorScan).cloned()
}
