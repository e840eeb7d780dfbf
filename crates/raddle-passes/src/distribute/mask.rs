//! Masks: each thread compares its own coordinates with the bounds.
//!
//! An element tile is a run of neighbours along each dimension, so its mask is again a `vector.create_mask`, whose bound
//! is what is left of the bound where the tile begins. Bounds below 0 and beyond the tile mean what they say: nothing and
//! everything.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, mixed};
use raddle_ir::{Attr, Builder, Diag, Expr, Map, OpId, Opcode, ValueId};

use super::{Cx, layout, memory, part_type, refuse, threads};

pub fn mask(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let layout = layout(builder.ir, op, result)?;
    let shape = builder.ir.shape_of(result).to_vec();
    let bounds = bounds(builder, cx, op);
    let bit = builder.ir.elem_of(result);
    let whole = part_type(builder.ir, bit, &layout);
    if shape.is_empty() {
        // One flag, for everyone.
        let Some(&bound) = bounds.first() else { return Err(refuse(builder.ir, op, "it has no bound")) };
        let bound = bound.materialize(builder);
        let new = builder.value(Opcode::VectorCreateMask, &[bound], whole, &[]);
        cx.map.set(result, new);
        return Ok(());
    }
    let full = |d: usize| matches!(bounds[d], Mixed::Static(bound) if bound >= shape[d]);
    if (0..shape.len()).all(full) || bounds.iter().any(|bound| matches!(bound, Mixed::Static(bound) if *bound <= 0)) {
        let bytes = vec![u8::from((0..shape.len()).all(full))];
        let new = builder.constant(Attr::Dense { ty: whole, splat: true, bytes }, whole);
        cx.map.set(result, new);
        return Ok(());
    }
    let tile = builder.ir.vector_type(&layout.element_tile, bit);
    let zero = builder.index(0);
    let rank = layout.rank();
    let mut part = None;
    for at in memory::tiles(&layout) {
        let mut left = Vec::new();
        for d in 0..rank {
            if full(d) {
                left.push(builder.index(layout.element_tile[d]));
                continue;
            }
            let start = threads::coordinate(builder, cx, &layout, d, [at[d], at[rank + d]], zero);
            let bound = bounds[d].materialize(builder);
            left.push(difference(builder, bound, start));
        }
        let value = builder.value(Opcode::VectorCreateMask, &left, tile, &[]);
        part = Some(memory::put(builder, part, whole, value, &at));
    }
    cx.map.set(result, part.expect("a layout has at least one tile"));
    Ok(())
}

/// The bound along each dimension.
fn bounds(builder: &Builder<'_>, cx: &Cx<'_>, op: OpId) -> Vec<Mixed> {
    if builder.ir.opcode(op) == Opcode::VectorConstantMask {
        let sizes = builder.ir.attr_id(op, "mask_dim_sizes").and_then(|attr| builder.ir.ints(attr));
        return mixed(&sizes.unwrap_or_default(), &[]);
    }
    let operands = builder.ir.operands(op).iter();
    let bound = |&value: &ValueId| match builder.ir.const_int(value) {
        Some(bound) => Mixed::Static(bound),
        None => Mixed::Value(cx.part(value)),
    };
    operands.map(bound).collect()
}

fn difference(builder: &mut Builder<'_>, lhs: ValueId, rhs: ValueId) -> ValueId {
    let minus = Expr::binary(BinOp::Mul, Expr::Dim(1), Expr::Const(-1));
    let results = vec![Expr::binary(BinOp::Add, Expr::Dim(0), minus)];
    builder.apply(Map { dims: 2, syms: 0, results }, &[lhs, rhs])
}
