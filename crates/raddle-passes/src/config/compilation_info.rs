//! Compilation info: a configuration and the function's translation in one attribute.

use raddle_ir::{Attr, Code, Diag, Ir, OpId};

/// The names under which operations have it.
pub const COMPILATION_INFO: [&str; 2] = ["compilation_info", "iree_codegen.compilation_info"];

/// `compilation_info` is a configuration and the function's `translation_info` in one attribute: each goes where it belongs.
pub fn take_compilation_info(ir: &mut Ir, func: OpId, op: OpId) -> Result<(), Diag> {
    for name in COMPILATION_INFO {
        let Some(info) = ir.attr_id(op, name) else { continue };
        let bad = |ir: &Ir, what: &str| {
            let message = format!("`{name}` {what}");
            Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
                .help("it looks like #iree_codegen.compilation_info<lowering_config = …, translation_info = …>"))
        };
        let is_info = matches!(ir[info], Attr::Dialect { name, .. } if ir[name] == *"iree_codegen.compilation_info");
        if !is_info || ir.field(info, "lowering_config").is_none() {
            return bad(ir, "is not a pair of a lowering configuration and a translation");
        }
        let parts = [(op, "lowering_config"), (func, "translation_info")];
        for (holder, part) in parts {
            let Some(new) = ir.field(info, part) else { continue };
            if ir.attr_id(holder, part).is_some_and(|old| old != new) {
                return bad(ir, &format!("has another `{part}` than the program states beside it"));
            }
            ir.set_attr(holder, part, new);
        }
        ir.remove_attr(op, name);
    }
    Ok(())
}
