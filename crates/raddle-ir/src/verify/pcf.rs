//! The rules of `pcf`: workers in parallel write each result through a reference to it.
//!
//! The wording is IREE's, as its tests expect it.

use super::Check;
use super::parts::Parts;
use super::wording::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{print_attr, print_type, split_at_depth};
use crate::types::{DYNAMIC, Type};

/// `pcf.alloc`: one operand for each dynamic extent.
pub(super) fn alloc(ir: &Ir, op: OpId) -> Check {
    let Some(reference) = Reference::of(ir, ir.type_of(ir.result(op, 0))) else { return Ok(()) };
    let dynamic = reference.shape.iter().filter(|&&extent| extent == DYNAMIC).count();
    ensure(ir, op, dynamic == ir.operands(op).len(), || {
        "dimension operand count does not equal sref dynamic dimension count".to_owned()
    })
}

/// `pcf.generic` and `pcf.loop`: in the body stand what the initializer leaves, a reference for each result, and the
/// numbers of the workers.
pub(super) fn workers(ir: &Ir, op: OpId) -> Check {
    let at = Parts::of(ir, op);
    let count = |name: &str| usize::try_from(at.int(name)).unwrap_or(0);
    let (leading, ids, body) = if ir.opcode(op) == Opcode::PcfLoop {
        let ids = at.all("count").len();
        at.ensure(ids > 0, "expected at least one iteration count argument")?;
        (0, ids, 0)
    } else {
        let ids = count("num_index_args");
        at.ensure(ids.is_multiple_of(2), "expected even number of id + count args")?;
        (count("num_leading_args"), ids, 1)
    };
    let results: Vec<ValueId> = ir.results(op).collect();
    let tied: Vec<bool> = match ir.attr(op, "is_tied") {
        Some(Attr::Array(items)) => items.iter().map(|&item| ir[item] == Attr::Bool(true)).collect(),
        _ => at.ints("is_tied").into_iter().map(|tied| tied != 0).collect(),
    };
    at.ensure_with(tied.len() == results.len(), || {
        format!("`is_tied` mask length expected to match number of results {}", results.len())
    })?;
    let (inits, marked) = (at.all("inits"), tied.iter().filter(|&&tied| tied).count());
    at.ensure_with(inits.len() == marked, || {
        let found = inits.len();
        format!("number of inits {found} does not match the number of results marked as tied {marked}")
    })?;
    let args = ir.body(op, body).map_or(&[][..], |block| ir.args(block));
    at.ensure(
        args.len() == leading.saturating_add(results.len()).saturating_add(ids),
        "expected region to have |numLeadingArgs| + |numIndexArgs| + |numResults| total arguments",
    )?;
    let (references, ids) = args[leading..].split_at(results.len());
    let counts = ids.iter().all(|&id| *ir.ty(id) == Type::Index);
    at.ensure(counts, "expected index type for thread count/id region arguments")?;
    let scope = ir.attr_id(op, "scope").map(|scope| print_attr(ir, scope)).unwrap_or_default();
    let mut inits = inits.iter().enumerate();
    for (i, (&result, &arg)) in results.iter().zip(references).enumerate() {
        let Some(reference) = Reference::of(ir, ir.type_of(arg)).filter(|reference| reference.scope == scope) else {
            let message = format!("expected region ref argument to be of type !pcf.sref with scope {scope}");
            return Err(wrong(ir, op, message));
        };
        at.ensure(!reference.syncs_otherwise, "expected region ref argument to sync on return or is unspecified")?;
        at.ensure_with(reference.shape == ir.shape_of(result), || {
            let (ty, tied) = (quoted(ir, ir.type_of(arg)), quoted(ir, ir.type_of(result)));
            format!("region arg at index {i} with type {ty} shape mismatch with tied result of type {tied}")
        })?;
        let elem = print_type(ir, ir.elem_of(result));
        at.ensure_with(reference.elem == elem, || {
            format!("region arg at index {i} element type mismatch of '{}' vs '{elem}'", reference.elem)
        })?;
        if tied[i]
            && let Some((n, &init)) = inits.next()
        {
            let ty = ir.type_of(result);
            at.ensure_with(ir.type_of(init) == ty, || {
                format!("tied init at index {n} does not match the type {} at result index {i}", quoted(ir, ty))
            })?;
        }
    }
    Ok(())
}

/// `pcf.get_memref`: what is known of the place of the result is what the operands say.
pub(super) fn get_memref(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    let must =
        |holds: bool, what: &str| ensure(ir, op, holds, || format!("result memref {what}, got {}", quoted(ir, ty)));
    let Type::MemRef { layout, space, .. } = &ir[ty] else { return Ok(()) };
    must(space.is_none(), "must have no memory space")?;
    let Some(Attr::Strided { offset, strides }) = layout.map(|layout| &ir[layout]) else {
        return must(false, "must have a strided layout attribute");
    };
    must(*offset == DYNAMIC, "layout must have dynamic offset")?;
    must(strides.iter().all(|&stride| stride == DYNAMIC), "layout must have all dynamic strides")
}

/// `!pcf.sref<4x?xf32, #scope>`, `!pcf.sref<4x?xf32, sync(#scope)>`
struct Reference<'a> {
    shape: Vec<i64>,
    elem: &'a str,
    scope: &'a str,
    /// Whether it is seen by others after something else than the return.
    syncs_otherwise: bool,
}

impl Reference<'_> {
    fn of(ir: &Ir, ty: TypeId) -> Option<Reference<'_>> {
        let Type::Dialect(text) = &ir[ty] else { return None };
        let text = ir[*text].strip_prefix("pcf.sref<")?.strip_suffix('>')?;
        let parts: Vec<&str> = split_at_depth(text, ",").into_iter().map(str::trim).collect();
        let (mut elem, scope) = (*parts.first()?, *parts.get(1)?);
        let mut shape = Vec::new();
        while let Some((extent, rest)) = elem.split_once('x') {
            match extent {
                "?" => shape.push(DYNAMIC),
                digits => match digits.parse() {
                    Ok(extent) => shape.push(extent),
                    Err(_) => break,
                },
            }
            elem = rest;
        }
        let on_return = scope.strip_prefix("sync(").and_then(|scope| scope.strip_suffix(')'));
        Some(Reference { shape, elem, scope: on_return.unwrap_or(scope), syncs_otherwise: parts.len() > 2 })
    }
}
