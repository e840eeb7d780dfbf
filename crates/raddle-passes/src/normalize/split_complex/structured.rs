//! Structured operations on complex numbers: with twice the operands and results, and a body on both parts.

use raddle_ir::views::{Linalg, unmixed};
use raddle_ir::{AttrId, Builder, Diag, Ir, OpId, Opcode, ValueId};

use super::product::Product;
use super::{Split, expanded_types, is_complex, only_moves};
use crate::structured::generalize::{generic, make_generic};

impl Split {
    pub(super) fn structured(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        if only_moves(ir, op) {
            return self.moved(ir, op);
        }
        if let Some(product) = Product::of(ir, op) {
            self.product(ir, op, &product);
            return Ok(());
        }
        // Named operations have their loops written down first.
        let op = match make_generic(ir, op) {
            Some(new) => {
                self.old.pop();
                self.old.push(new);
                new
            }
            None => op,
        };
        let linalg = Linalg::of(ir, op);
        let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
        let twice = |value: ValueId| if is_complex(ir, value) { 2 } else { 1 };
        let maps = linalg.maps.iter().zip(&values).flat_map(|(map, &value)| vec![map.clone(); twice(value)]).collect();
        let own = ["indexing_maps", "iterator_types", "operandSegmentSizes"];
        let attrs: Vec<(String, AttrId)> =
            ir.attrs(op).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect();
        let attrs: Vec<(&str, AttrId)> =
            attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).filter(|(name, _)| !own.contains(name)).collect();
        let body = ir.entry(op);
        // Contents that nobody reads need no slices of an argument.
        let first = linalg.inputs.len();
        let mut outputs = Vec::new();
        for (at, &output) in linalg.outputs.iter().enumerate() {
            let is_read = !ir.is_unused(ir.args(body)[first + at]);
            let parts = self.expanded(ir, &[output]);
            outputs.extend(if is_read || parts.len() == 1 {
                parts
            } else {
                parts.into_iter().map(|part| empty_like(&mut Builder::before(ir, op), part)).collect()
            });
        }
        let on_parts = Linalg { inputs: self.expanded(ir, &linalg.inputs), outputs, maps, reduction: linalg.reduction };
        let new = generic(&mut Builder::before(ir, op), &on_parts, &attrs);
        let args = ir.args(body).to_vec();
        let types = expanded_types(ir, &args);
        let region = ir.add_region(new);
        let block = ir.add_block(region, &types);
        self.refill(ir, body, block)?;
        self.results(ir, op, new);
        Ok(())
    }
}

/// A tensor without contents, of the type and extents of another one.
fn empty_like(builder: &mut Builder<'_>, value: ValueId) -> ValueId {
    let ty = builder.ir.type_of(value);
    let (_, dynamic) = unmixed(&builder.extents(value));
    builder.value(Opcode::TensorEmpty, &dynamic, ty, &[])
}
