//! Guide bases: rewrite bases that follow IREE's guide, so that they mean the same to `iree-opt` and to us.
//!
//! Before: `lane_basis = [[2, 4, 8], [1, 2, 0]]`, where the digit at position `i` belongs to loop `mapping[i]`
//! After:  `lane_basis = [[2, 4, 8], [2, 0, 1]]`, where loop `i` has the digit at position `mapping[i]`

use raddle_ir::{Attr, AttrId, Body, Code, Diag, Ir, OpId};

use crate::facts::Facts;

const ATTRS: [&str; 3] = ["lowering_config", "compilation_info", "decomposition_config"];

/// Rewrites the bases of each configuration in a function.
pub fn guide_bases(ir: &mut Ir, func: OpId, _facts: &Facts) -> Result<(), Diag> {
    for op in ir.walk(func) {
        for name in ATTRS {
            if let Some(old) = ir.attr_id(op, name) {
                let new = rewrite(ir, old).map_err(|why| {
                    Diag::error(Code::CannotConfigure, ir.span(op), format!("`{name}` has {why}"))
                        .help("write the basis as `iree-opt` reads it: loop `i` has the digit at position `mapping[i]`")
                })?;
                ir.set_attr(op, name, new);
            }
        }
    }
    Ok(())
}

fn rewrite(ir: &mut Ir, attr: AttrId) -> Result<AttrId, String> {
    match ir[attr].clone() {
        Attr::Dialect { name, body: Body::Attr(inner) } => {
            let inner = rewrite(ir, inner)?;
            Ok(ir.intern(Attr::Dialect { name, body: Body::Attr(inner) }))
        }
        Attr::Dialect { name, body: Body::Fields(mut fields) } => {
            for field in &mut fields {
                field.1 = rewrite(ir, field.1)?;
            }
            Ok(ir.intern(Attr::Dialect { name, body: Body::Fields(fields) }))
        }
        Attr::Dict(mut entries) => {
            for (name, value) in &mut entries {
                let is_basis = matches!(&ir[*name], "subgroup_basis" | "lane_basis");
                *value = if is_basis { invert(ir, *value)? } else { rewrite(ir, *value)? };
            }
            Ok(ir.intern(Attr::Dict(entries)))
        }
        _ => Ok(attr),
    }
}

fn invert(ir: &mut Ir, basis: AttrId) -> Result<AttrId, String> {
    let lists = if let Attr::Array(items) = &ir[basis] {
        items.iter().map(|&item| ir.ints(item)).collect::<Option<Vec<_>>>()
    } else {
        None
    };
    let Some([counts, mapping]) = lists.as_deref() else { return Err("a basis that is none".to_owned()) };
    let place = |d: usize| mapping.iter().position(|&own| own == d as i64).map(|at| at as i64);
    let inverse: Option<Vec<i64>> = (0..mapping.len()).map(place).collect();
    let inverse = inverse.filter(|_| counts.len() == mapping.len()).ok_or_else(|| {
        format!("a basis of {} counts whose mapping {mapping:?} names not each of them once", counts.len())
    })?;
    let parts = vec![ir.i64_array(counts), ir.i64_array(&inverse)];
    Ok(ir.intern(Attr::Array(parts)))
}
