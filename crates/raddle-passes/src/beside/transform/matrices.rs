//! Steps that give a subgroup's contractions to matrix instructions.

use raddle_ir::{Class, Ir, OpId};

use super::{Done, Script, hard};
use crate::beside::matrices::{self, Way};

/// `iree.vector.vector_to_mma_conversion`: the contractions of each function that instructions of the named way compute.
pub fn convert(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let way = match ["use_wmma", "use_mma_sync"].map(|name| ir.attr_id(op, name).is_some()) {
        [true, false] => Way::Opaque,
        [false, true] => Way::Lanes,
        [..] => return Err(hard(ir, op, "it must say one of `use_wmma` and `use_mma_sync`")),
    };
    for func in script.ops(ir, op, 0)? {
        if ir.class(func) != Class::Function {
            return Err(hard(ir, op, format!("`{}` is not a function", ir.name(func))));
        }
        matrices::convert(ir, func, way);
    }
    Ok(())
}
