//! The rules of `iree_tensor_ext` and `iree_encoding` beyond the extents that stand beside types: barriers, encodings,
//! and shapes with ragged rows.
//!
//! The wording is IREE's, as its tests expect it.

use super::Check;
use super::iree::alike;
use super::parts::Parts;
use super::wording::wrong;
use crate::attrs::{Attr, Body};
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{DYNAMIC, Type};

/// `compute_barrier.start` and `.end`
pub(super) fn barrier(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let same = ir.type_of(ir.operand(op, 0)) == ir.type_of(ir.result(op, 0));
    at.ensure(same, "value and result types must match")
}

/// `set_encoding` and `unset_encoding`: one side has an encoding, the other has none, and the shape stays.
pub(super) fn encode(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let (source, result) = (ir.type_of(at.one("source")), ir.type_of(ir.result(op, 0)));
    let (name, plain, encoded, sides) = match ir.opcode(op) {
        Opcode::IreeEncodingSetEncoding => ("set_encoding", source, result, ["source", "result"]),
        _ => ("unset_encoding", result, source, ["result", "source"]),
    };
    let none = encoding(ir, plain).is_none();
    at.ensure_with(none, || format!("{} of {name} op cannot have a tensor encoding", sides[0]))?;
    let Some(Attr::Dialect { name: encoding_name, body }) = encoding(ir, encoded).map(|attr| &ir[attr]) else {
        return Err(wrong(ir, op, format!("{} of {name} op expected to have a valid tensor encoding", sides[1])));
    };
    let (from, to) = (ir[source].shape().unwrap_or(&[]), ir[result].shape().unwrap_or(&[]));
    at.ensure(from.len() == to.len(), "cannot change the rank of the tensor")?;
    at.ensure(alike(from, to), "expected to preserve the logical shape of the tensor")?;
    // The extents of loops that only the program knows. Other encodings do not say how many they have.
    let ("iree_encoding.encoding", Body::Fields(fields)) = (&ir[*encoding_name], body) else { return Ok(()) };
    let sizes = fields.iter().find(|field| ir[field.0] == *"iteration_sizes").map(|field| &ir[field.1]);
    let open = |&&size: &&AttrId| ir.keyword(size) == Some("?");
    let expected = if let Some(Attr::Array(sizes)) = sizes { sizes.iter().filter(open).count() } else { 0 };
    let given = at.all("encoding_dims").len();
    at.ensure_with(expected == given, || {
        format!("encoding expects {expected} dynamic encoding dimension(s), but {given} provided")
    })
}

/// `cast_to_ragged_shape`: one dimension becomes rows of different lengths; `column_lengths` says where each begins and
/// the last ends.
pub(super) fn cast(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let (source, columns) = (at.shape("source"), at.shape("columnLengths"));
    let (rank, ty) = (source.len(), ir.type_of(ir.result(op, 0)));
    let result = ir[ty].shape().unwrap_or(&[]);
    let Some(row) = usize::try_from(at.int("raggedDim")).ok().filter(|&row| row < rank) else {
        let message = format!("expected `ragged_dim` to be less than {rank}, i.e the rank of source");
        return Err(wrong(ir, op, message));
    };
    at.ensure(columns.len() == 1, "expected `column_lengths` to be of rank 1")?;
    at.ensure_with(result.len() == rank + 1, || {
        let (expected, found) = (rank + 1, result.len());
        format!("expected result rank to be {expected}, i.e. one more than the source rank, but got {found}")
    })?;
    let Some(encoded) = ragged(ir, ty) else {
        let what = if matches!(ir[ty], Type::Tensor { .. }) { "an encoding" } else { "a layout" };
        let message =
            format!("expected result type to have {what} attribute that implements the `SparseShapeAttrInterface`");
        return Err(wrong(ir, op, message));
    };
    at.ensure_with(encoded == row, || {
        format!(
            "mismatch in specified `ragged_dim` value of {row} and `raggedRow` value in the sparse encoding {encoded}"
        )
    })?;
    if at.find("numRaggedRows").is_some() {
        at.ensure(
            columns[0] == DYNAMIC,
            "invalid to have static dimensions for `column_lengths` when `num_ragged_rows` is dynamic",
        )?;
        at.ensure_with(result[row] == DYNAMIC, || {
            format!(
                "invalid to have static value for dimension {row} of result when `num_ragged_rows` is specified as dynamic value"
            )
        })?;
    } else {
        let fixed = columns[0] != DYNAMIC && columns[0] > 1;
        at.ensure(
            fixed,
            "expected shape of `column_lengths` to be static and greater than 1 when `num_ragged_rows` is unspecified, i.e. number of ragged rows is statically known",
        )?;
        let rows = columns[0] - 1;
        at.ensure_with(result[row] == rows, || {
            format!(
                "expected shape of dimension {row} of result, i.e. the `ragged_dim`, to be static and equal to {rows} when `num_ragged_rows` is unspecified, i.e number of ragged rows is statically known"
            )
        })?;
    }
    at.ensure_with(result[row + 1] == DYNAMIC, || {
        format!("expected dimension {} of result, i.e. `ragged_dim` + 1, to be dynamic", row + 1)
    })?;
    for (i, &extent) in source.iter().enumerate().filter(|(i, _)| *i != row) {
        let j = i + usize::from(i > row);
        let found = result[j];
        at.ensure_with(extent != DYNAMIC || found == DYNAMIC, || {
            format!(
                "expected dimension {j} of result to be dynamic since the corresponding dimension {i} in the source is dynamic"
            )
        })?;
        at.ensure_with(extent == found, || {
            let found = if found == DYNAMIC { "?".to_owned() } else { found.to_string() };
            format!(
                "expected shape of dimension {j} of result to match the shape of dimension {i} of source, but got {found} and {extent} respectively"
            )
        })?;
    }
    let (expected, found) =
        (source.iter().filter(|&&extent| extent == DYNAMIC).count(), at.all("sourceDynamicDims").len());
    at.ensure_with(expected == found, || {
        format!(
            "mismatch in number of dynamic dimensions specified for source, expected {expected} values, got {found}"
        )
    })
}

/// `linearize_ragged_dims`: rows and columns become one dimension.
pub(super) fn linearize(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let (source, ty) = (at.shape("source"), ir.type_of(ir.result(op, 0)));
    let Some(row) = ragged(ir, ir.type_of(at.one("source"))) else {
        return Err(wrong(ir, op, "expected source type to have a ragged tensor encoding"));
    };
    at.ensure(encoding(ir, ty).is_none(), "expected result type to have no encoding or identity layout")?;
    let result = ir[ty].shape().unwrap_or(&[]);
    let (rank, found) = (source.len().saturating_sub(1), result.len());
    at.ensure_with(found == rank, || {
        format!("expected result rank to be {rank} (source rank - number of sparse dimensions + 1), but got {found}")
    })?;
    for (i, &extent) in source.iter().enumerate().filter(|&(i, _)| i < row || i > row + 1) {
        let j = i - usize::from(i > row);
        let kept = result[j];
        at.ensure_with(extent == kept || extent == DYNAMIC || kept == DYNAMIC, || {
            format!(
                "expected source dimension {i} with size {extent} to be preserved in result dimension {j} but got size {kept}"
            )
        })?;
    }
    Ok(())
}

/// The attribute that says how a tensor or memref is laid out.
fn encoding(ir: &Ir, ty: TypeId) -> Option<AttrId> {
    match &ir[ty] {
        Type::Tensor { encoding, .. } => *encoding,
        Type::MemRef { layout, .. } => *layout,
        _ => None,
    }
}

/// The dimension of the rows in `#iree_tensor_ext.ragged_shape<d>`.
fn ragged(ir: &Ir, ty: TypeId) -> Option<usize> {
    match &ir[encoding(ir, ty)?] {
        Attr::Dialect { name, body } if ir[*name] == *crate::text::RAGGED => match body {
            Body::Attr(attr) => usize::try_from(ir[*attr].as_i64()?).ok(),
            Body::Text(text) => ir[*text].trim().parse().ok(),
            Body::None | Body::Keyword(_) | Body::Fields(_) => None,
        },
        _ => None,
    }
}
