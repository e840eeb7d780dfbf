//! Bitcasts and interleavings: elements that change their width, or their neighbours, along the last dimension.
//!
//! The elements of a tile are neighbours along it, so a thread that holds whole groups of them does this alone.

use std::sync::Arc;

use raddle_ir::{Builder, Diag, OpId, ValueId};

use super::{Cx, flow, layout, refuse};
use crate::lay_out::scaled;

/// `vector.bitcast`, `vector.interleave`, `vector.deinterleave`
pub fn bits(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let source = builder.ir.operand(op, 0);
    let results: Vec<ValueId> = builder.ir.results(op).collect();
    let (from, to) = (layout(builder.ir, op, source)?, layout(builder.ir, op, results[0])?);
    let (have, want) = (builder.ir.shape_of(source).last().copied(), builder.ir.shape_of(results[0]).last().copied());
    let natural = match (have, want) {
        (Some(have), Some(want)) => scaled(&from, have, want).map(Arc::new),
        _ => Some(from.clone()),
    };
    if natural.is_none_or(|natural| natural != to) {
        let why = "its threads do not hold whole groups of the elements that change together";
        return Err(refuse(builder.ir, op, why)
            .note(format!("its operand has {from}"))
            .help("anchor its operand so that each thread has neighbours along the last dimension"));
    }
    let operands: Vec<ValueId> = builder.ir.operands(op).iter().map(|&value| cx.part(value)).collect();
    let types = flow::part_types(builder, op, &results)?;
    let new = builder.op(builder.ir.opcode(op), &operands, &types, &[]);
    for (old, new) in results.into_iter().zip(builder.ir.results(new).collect::<Vec<_>>()) {
        cx.map.set(old, new);
    }
    Ok(())
}
