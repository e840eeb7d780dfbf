//! `llvm.mlir.constant`.

use raddle_ir::text::llvm::{Llvm, is_part, n_bytes, vector_part};
use raddle_ir::verify::Check;
use raddle_ir::verify::wording::{ensure, wrong};
use raddle_ir::{Attr, AttrId, Float, Ir, OpId, Scalar, Type, TypeId, print_type};

pub(super) fn constant(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let Some(value) = ir.attr_id(op, "value") else { return Err(wrong(ir, op, "requires attribute 'value'")) };
    // By far the most constants are numbers.
    if let (Attr::Int { .. } | Attr::Wide { .. } | Attr::Bool(_), Type::Integer { .. }) = (&ir[value], &ir[ty]) {
        return Ok(());
    }
    let shape = Llvm::of_type(ir, ty);
    if let Attr::Str(text) = &ir[value] {
        let count = n_bytes(&ir[*text]);
        return ensure(ir, op, shape == Some(Llvm::Array(count, "i8")), || {
            format!("expected array type of {count} i8 elements for the string constant")
        });
    }
    match &shape {
        Some(Llvm::Struct(_)) => return fields(ir, op, shape.as_ref().and_then(Llvm::fields).unwrap_or_default()),
        Some(Llvm::Target(..)) => return Err(wrong(ir, op, "does not support target extension type.")),
        _ => {}
    }
    match &ir[value] {
        Attr::Int { .. } | Attr::Wide { .. } | Attr::Bool(_) => Err(wrong(ir, op, "expected integer type")),
        Attr::Float { ty: given, .. } | Attr::LongFloat { ty: given, .. } => match (Scalar::of(&ir[*given]), &ir[ty]) {
            (Some(Scalar::Float(given)), ty) => floats(ir, op, given, Scalar::of(ty)),
            _ => Ok(()),
        },
        Attr::Dense { ty: given, splat, .. } => elements(ir, op, ty, *given, *splat),
        Attr::Array(items) => match shape {
            Some(Llvm::Array(count, elem)) => array(ir, op, (count, elem), items, 0),
            _ => Err(wrong(ir, op, "expected array or struct type for array attribute")),
        },
        // What other dialects spell says itself what it is.
        Attr::Dialect { .. } => Ok(()),
        _ => Err(wrong(ir, op, "only supports integer, float, string or elements attributes")),
    }
}

/// Numbers in the place of the fields of a struct.
fn fields(ir: &Ir, op: OpId, fields: &[&str]) -> Check {
    let Some(Attr::Array(items)) = ir.attr(op, "value") else {
        return Err(wrong(ir, op, "expected array attribute for struct type"));
    };
    ensure(ir, op, items.len() == fields.len(), || format!("expected array attribute of size {}", fields.len()))?;
    for (i, (&item, field)) in items.iter().zip(fields).enumerate() {
        ensure(ir, op, Scalar::from_keyword(field).is_some(), || {
            "expected struct element types to be floating point type or integer type".to_owned()
        })?;
        let given = match ir[item] {
            Attr::Int { ty, .. } | Attr::Wide { ty, .. } => Some(ty),
            Attr::Float { ty, .. } | Attr::LongFloat { ty, .. } => Some(ty),
            Attr::Bool(_) => None,
            _ => return Err(wrong(ir, op, "expected element of array attribute to be floating point or integer")),
        };
        let fits = given.map_or(*field == "i1", |given| is_part(ir, given, field));
        ensure(ir, op, fits, || format!("struct element at index {i} is of wrong type"))?;
    }
    Ok(())
}

/// A float is a constant of its own type, or of an integer with as many bits.
fn floats(ir: &Ir, op: OpId, given: Float, ty: Option<Scalar>) -> Check {
    match ty {
        Some(Scalar::Float(float)) => {
            ensure(ir, op, float == given, || "attribute and type have different float semantics".to_owned())
        }
        Some(Scalar::Int(width)) => {
            ensure(ir, op, width == given.bits(), || format!("expected integer type of width {}", given.bits()))
        }
        _ => Ok(()),
    }
}

/// Elements fill a vector, an array, or arrays of them.
fn elements(ir: &Ir, op: OpId, ty: TypeId, given: TypeId, splat: bool) -> Check {
    let text = print_type(ir, ty);
    let (mut part, mut count, mut scalable) = (text.as_str(), 1u64, false);
    loop {
        part = if let Some(Llvm::Array(extent, elem)) = Llvm::of(part) {
            count = count.saturating_mul(extent);
            elem
        } else if let Some((extent, marked, elem)) = vector_part(part) {
            count = count.saturating_mul(extent);
            scalable |= marked;
            elem
        } else {
            break;
        };
    }
    if scalable {
        return ensure(ir, op, splat, || "scalable vector type requires a splat attribute".to_owned());
    }
    ensure(ir, op, part.len() < text.len(), || "expected vector or array type".to_owned())?;
    let found = ir[given].shape().unwrap_or_default().iter().map(|&extent| extent.unsigned_abs()).product::<u64>();
    ensure(ir, op, count == found, || {
        format!("type and attribute have a different number of elements: {count} vs. {found}")
    })?;
    let elem = Scalar::from_keyword(part);
    match ir[given].elem().map(|elem| &ir[elem]) {
        Some(Type::Float(given)) => floats(ir, op, *given, elem),
        Some(Type::Integer { .. }) => ensure(ir, op, matches!(elem, Some(Scalar::Int(_))), || {
            "expected integer element type for integer elements attribute".to_owned()
        }),
        _ => Ok(()),
    }
}

/// Lists nest as deep as arrays do, and each of the innermost is a struct.
fn array(ir: &Ir, op: OpId, (count, elem): (u64, &str), items: &[AttrId], depth: usize) -> Check {
    ensure(ir, op, items.len() as u64 == count, || {
        let found = items.len();
        format!("array attribute size does not match array type size in dimension {depth}: {found} vs. {count}")
    })?;
    let inner = match Llvm::of(elem) {
        Some(Llvm::Array(count, elem)) => Some((count, elem)),
        Some(Llvm::Struct(_)) => None,
        _ => return Err(wrong(ir, op, "for array with an array attribute must have a struct element type")),
    };
    let n_fields = Llvm::of(elem).as_ref().and_then(Llvm::fields).map_or(0, <[_]>::len);
    let what = if inner.is_some() { format!("sub-array in dimension {depth}") } else { "struct element".to_owned() };
    for (i, &item) in items.iter().enumerate() {
        let list = match &ir[item] {
            Attr::Dialect { name, .. } if matches!(&ir[*name], "llvm.zero" | "llvm.mlir.undef" | "llvm.undef") => {
                continue;
            }
            Attr::Array(list) => list,
            _ => {
                let rule = "must be a zero, or undef, or array attribute";
                return Err(wrong(ir, op, format!("nested attribute for {what} at index {i} {rule}")));
            }
        };
        match inner {
            Some(inner) => array(ir, op, inner, list, depth + 1)?,
            None => ensure(ir, op, list.len() == n_fields, || {
                let (found, rule) = (list.len(), "must match struct size");
                format!("nested array attribute size for struct element at index {i} {rule}: {found} vs. {n_fields}")
            })?,
        }
    }
    Ok(())
}
