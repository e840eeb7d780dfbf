//! What is said of the arguments and results of functions for LLVM, and of functions for one vendor's compiler.

use super::super::Check;
use super::super::wording::ensure;
use crate::attrs::Attr;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{inside_llvm as inside, is_llvm};
use crate::types::{Sign, Type};

/// What kind of attribute it is.
#[derive(Clone, Copy)]
enum Is {
    Unit,
    Type,
    Int,
    Anything,
}

/// Which values have it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Pointer,
    Integer,
    Any,
}

/// The names behind `llvm.`, and whether results may have it.
const NOTES: [(&str, Is, Of, bool); 25] = [
    ("align", Is::Int, Of::Pointer, true),
    ("alignstack", Is::Int, Of::Any, false),
    ("allocalign", Is::Anything, Of::Any, false),
    ("allocptr", Is::Anything, Of::Any, false),
    ("byref", Is::Type, Of::Pointer, false),
    ("byval", Is::Type, Of::Pointer, false),
    ("dereferenceable", Is::Int, Of::Pointer, true),
    ("dereferenceable_or_null", Is::Int, Of::Pointer, true),
    ("elementtype", Is::Type, Of::Pointer, true),
    ("inalloca", Is::Type, Of::Pointer, false),
    ("inreg", Is::Unit, Of::Any, true),
    ("nest", Is::Unit, Of::Pointer, false),
    ("noalias", Is::Unit, Of::Pointer, true),
    ("nocapture", Is::Unit, Of::Pointer, false),
    ("nofree", Is::Unit, Of::Pointer, false),
    ("nonnull", Is::Unit, Of::Pointer, true),
    ("noundef", Is::Unit, Of::Any, true),
    ("preallocated", Is::Type, Of::Pointer, false),
    ("readnone", Is::Unit, Of::Pointer, false),
    ("readonly", Is::Unit, Of::Pointer, false),
    ("returned", Is::Unit, Of::Any, false),
    ("signext", Is::Unit, Of::Integer, true),
    ("sret", Is::Type, Of::Pointer, false),
    ("writeonly", Is::Unit, Of::Pointer, false),
    ("zeroext", Is::Unit, Of::Integer, true),
];

/// The notes on arguments and results, whose types are given as they stand inside `!llvm.func<…>`; nothing stands for a
/// type that may yet become one of LLVM's.
pub(super) fn params<T: AsRef<str>>(ir: &Ir, op: OpId, inputs: &[T], results: &[T]) -> Check {
    for (name, what, types) in [("arg_attrs", "argument", inputs), ("res_attrs", "result", results)] {
        let Some(Attr::Array(dicts)) = ir.attr(op, name) else { continue };
        ensure(ir, op, dicts.len() == types.len(), || {
            let (found, wanted) = (dicts.len(), types.len());
            let rule = format!("the same number of elements as the number of function {what}s");
            format!("expects {what} attribute array to have {rule}, got {found}, but expected {wanted}")
        })?;
        dicts.iter().zip(types).try_for_each(|(&dict, ty)| notes(ir, op, dict, ty.as_ref(), what == "result"))?;
    }
    Ok(())
}

/// A function of another dialect, as far as LLVM has a say.
pub(in super::super) fn foreign(ir: &Ir, op: OpId) -> Check {
    marks(ir, op)?;
    if ir.attr_id(op, "arg_attrs").is_none() && ir.attr_id(op, "res_attrs").is_none() {
        return Ok(());
    }
    let spell = |types: &[TypeId]| {
        let spelled = types.iter().map(|&ty| if is_llvm(ir, &ir[ty]) { inside(ir, ty) } else { String::new() });
        spelled.collect::<Vec<String>>()
    };
    let (inputs, results) = ir.signature(op);
    params(ir, op, &spell(inputs), &spell(results))
}

fn fits(ty: &str, of: Of) -> bool {
    match of {
        _ if ty.is_empty() => true,
        Of::Pointer => ty == "ptr" || ty.starts_with("ptr<"),
        Of::Integer => ty.strip_prefix('i').is_some_and(|width| width.bytes().all(|byte| byte.is_ascii_digit())),
        Of::Any => true,
    }
}

fn notes(ir: &Ir, op: OpId, dict: AttrId, ty: &str, of_result: bool) -> Check {
    for &(name, value) in ir.entries(dict) {
        let full = &ir[name];
        if full == "nvvm.grid_constant" {
            grid_constant(ir, op, dict, value)?;
        }
        let Some(name) = full.strip_prefix("llvm.") else { continue };
        let Some(&(_, kind, of, on_results)) = NOTES.iter().find(|note| note.0 == name) else { continue };
        ensure(ir, op, !of_result || on_results, || format!("\"{full}\" is not a valid result attribute"))?;
        let (holds, what) = match kind {
            Is::Unit => (ir[value] == Attr::Unit, "a unit"),
            Is::Type => (matches!(ir[value], Attr::Type(_)), "a type"),
            Is::Int => (matches!(ir[value], Attr::Int { .. } | Attr::Wide { .. } | Attr::Bool(_)), "an integer"),
            Is::Anything => (true, ""),
        };
        ensure(ir, op, holds, || format!("\"{full}\" should be {what} attribute"))?;
        ensure(ir, op, fits(ty, of), || {
            let what = if of == Of::Pointer { "pointer" } else { "integer" };
            format!("\"{full}\" attribute attached to non-{what} LLVM type")
        })?;
    }
    Ok(())
}

/// A kernel's argument that no thread writes lies in the memory of the launch.
fn grid_constant(ir: &Ir, op: OpId, dict: AttrId, value: AttrId) -> Check {
    let name = "'\"nvvm.grid_constant\"'";
    ensure(ir, op, ir.attr_id(op, "nvvm.kernel").is_some(), || {
        format!("{name} attribute must be present only on kernel arguments")
    })?;
    ensure(ir, op, ir[value] == Attr::Unit, || format!("{name} must be a unit attribute"))?;
    ensure(ir, op, ir.dict_get(dict, "llvm.byval").is_some(), || {
        format!("{name} attribute requires the argument to also have attribute 'llvm.byval'")
    })
}

/// What vendors' compilers are told of a function.
pub(super) fn marks(ir: &Ir, op: OpId) -> Check {
    for &(name, value) in ir.attrs(op) {
        let name = &ir[name];
        let Some((dialect @ ("nvvm" | "rocdl"), mark)) = name.split_once('.') else { continue };
        match (dialect, mark) {
            (_, "kernel") => ensure(ir, op, ir.opcode(op) == Opcode::LlvmFunc, || {
                format!("'{name}' attribute attached to unexpected op")
            })?,
            ("nvvm", "maxntid" | "reqntid" | "cluster_dim") => {
                let fits = match &ir[value] {
                    Attr::DenseArray { elem, values } => {
                        let i32 = Type::Integer { width: 32, sign: Sign::Signless };
                        ir[*elem] == i32 && (1..=3).contains(&values.len())
                    }
                    _ => false,
                };
                ensure(ir, op, fits, || format!("'\"{name}\"' attribute must be integer array with maximum 3 index"))?;
            }
            ("nvvm", "minctasm" | "maxnreg" | "cluster_max_blocks") => {
                ensure(ir, op, matches!(ir[value], Attr::Int { .. }), || {
                    format!("'\"{name}\"' attribute must be integer constant")
                })?;
            }
            ("nvvm", "blocksareclusters") => {
                let beside = ["nvvm.reqntid", "nvvm.cluster_dim"];
                ensure(ir, op, beside.iter().all(|name| ir.attr_id(op, name).is_some()), || {
                    format!("'\"{name}\"' attribute must be used along with 'nvvm.reqntid' and 'nvvm.cluster_dim'")
                })?;
            }
            _ => {}
        }
    }
    Ok(())
}
