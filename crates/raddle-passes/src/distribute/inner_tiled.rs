//! Matrix instructions on tiles: each thread takes its part of every tile.
//!
//! Before: `iree_codegen.inner_tiled ins(%a, %b) outs(%c) {kind = …, semantics = …<distributed = false, …>}`, whose
//!         operands are tiles of one instruction, `vector<2x3x16x16xf16>` for two times three of them
//! After:  the same with `distributed = true` on `vector<2x3x1x4xf16>`, what a thread holds of each tile.
//!
//! The leading dimensions count tiles and belong to whole subgroups; the others are one instruction's, and lie as it
//! says.

use std::sync::Arc;

use raddle_ir::{Attr, Body, Builder, Diag, Ir, Map, OpId, TypeId, ValueId};
use raddle_layout::Nested;
use raddle_target::{Fragment, Mma, mma};

use super::{Cx, layout, memory, refuse};
use crate::lay_out::permutation_of_tile;

/// `iree_codegen.inner_tiled`
pub fn inner_tiled(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let kind = builder.ir.attr_id(op, "kind").and_then(|kind| builder.ir.keyword(kind)).and_then(mma);
    let Some(kind) = kind else {
        return Err(refuse(builder.ir, op, "its kind is none of the instructions whose parts in each lane are known"));
    };
    if is_distributed(builder.ir, op) != Some(false) {
        return Err(refuse(builder.ir, op, "it is for one thread, and the program is one of whole workgroups"));
    }
    let maps = builder.ir.maps(op, "indexing_maps").unwrap_or_default();
    let operands = builder.ir.operands(op).to_vec();
    let dims: Option<Vec<Vec<usize>>> = maps.iter().map(Map::as_dims).collect();
    let (Some(dims), 3, 3) = (dims, operands.len(), maps.len()) else {
        return Err(refuse(builder.ir, op, "it does not multiply two operands into a third one"));
    };
    let mut layouts = Vec::new();
    for &operand in &operands {
        layouts.push(layout(builder.ir, op, operand)?);
    }
    fits(builder.ir, op, kind, &dims, &layouts)?;

    let mut parts: Vec<ValueId> = Vec::new();
    for (&operand, layout) in operands.iter().zip(&layouts) {
        let part = cx.part(operand);
        parts.push(memory::unpacked(builder, part, layout));
    }
    let ty: TypeId = builder.ir.type_of(parts[2]);
    let attrs = builder.ir.attr_dict(op);
    let new = builder.ir.create_with(builder.ir.opcode(op), &parts, &[ty], attrs, builder.span);
    builder.place(new);
    builder.ir.remove_attr(new, "layouts");
    set_distributed(builder.ir, new);
    let result = builder.ir.result(new, 0);
    let result = memory::packed(builder, result, &layouts[2]);
    cx.map.set(builder.ir.result(op, 0), result);
    Ok(())
}

/// Whether operands lie as the instruction says, and count the same tiles along each loop.
fn fits(ir: &Ir, op: OpId, mma: &Mma, dims: &[Vec<usize>], layouts: &[Arc<Nested>]) -> Result<(), Diag> {
    let n_loops = dims.iter().flatten().max().map_or(0, |&last| last + 1);
    let mut columns: Vec<Option<[i64; 3]>> = vec![None; n_loops];
    for (i, (layout, loops)) in layouts.iter().zip(dims).enumerate() {
        let outer = loops.len();
        let order: Vec<usize> = permutation_of_tile(ir, op, i).unwrap_or_else(|| vec![0, 1]);
        if layout.rank() != outer + 2 || order.len() != 2 {
            return Err(refuse(ir, op, format!("operand {i} does not end with the two dimensions of a tile")));
        }
        let tile = mma.fragments[i].nested([1, 1], [1, 1], [0, 0]).permute(&order);
        let own = layout.project(&(0..layout.rank()).map(|d| d < outer).collect::<Vec<_>>());
        if own != tile || !is_plain(&mma.fragments[i], &order) {
            let why = format!("the tiles of operand {i} do not lie as `{}` has them in its lanes", mma.name);
            return Err(refuse(ir, op, why).note(format!("a tile has {own}")).note(format!("wanted is {tile}")));
        }
        for (d, &along) in loops.iter().enumerate() {
            if layout.thread_tile[d] > 1 {
                return Err(refuse(
                    ir,
                    op,
                    format!("dimension {d} of operand {i} gives the lanes of a subgroup different tiles"),
                ));
            }
            let here = [layout.subgroup_tile[d], layout.subgroup_strides[d], layout.distributed_unpacked_shape()[d]];
            let same = *columns[along].get_or_insert(here) == here;
            // Subgroups that shared a sum would each hold a part of it.
            if !same || here[0] > 1 && !dims[2].contains(&along) {
                let why = format!("subgroups do not have the same tiles of all operands along loop {along}");
                return Err(refuse(ir, op, why));
            }
        }
    }
    Ok(())
}

/// Whether the slots of a lane follow the dimensions of a tile: all of the first one's before those of the second one.
fn is_plain(fragment: &Fragment, order: &[usize]) -> bool {
    let own = |d: usize| fragment.outer[d] * fragment.element[d];
    own(0) == 1 || own(1) == 1 || order == [0, 1] && (fragment.outer[1] == 1 || fragment.element[0] == 1)
}

/// Whether an operation is on what one thread holds, where it says.
pub fn is_distributed(ir: &Ir, op: OpId) -> Option<bool> {
    match ir[ir.field(ir.attr_id(op, "semantics")?, "distributed")?] {
        Attr::Bool(distributed) => Some(distributed),
        _ => None,
    }
}

/// Says that an operation is on what one thread holds.
pub fn set_distributed(ir: &mut Ir, op: OpId) {
    let Some(Attr::Dialect { name, body: Body::Fields(fields) }) = ir.attr(op, "semantics").cloned() else { return };
    let yes = ir.intern(Attr::Bool(true));
    let set = |(field, value)| (field, if &ir[field] == "distributed" { yes } else { value });
    let fields = fields.into_iter().map(set).collect();
    let semantics = ir.intern(Attr::Dialect { name, body: Body::Fields(fields) });
    ir.set_attr(op, "semantics", semantics);
}
