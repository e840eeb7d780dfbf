//! Roles: regions that a range of a workgroup's subgroups runs, while the others go on.
//!
//! ```mlir
//! %sum = scf.execute_region -> vector<64x64xf32> no_inline { … } {raddle.subgroups = array<i64: 4, 2>}
//! ```
//!
//! Without the attribute the program means the same: a whole-workgroup program does one thing after the other. The
//! attribute says that two subgroups from number 4 on do this part of it. Layouts inside, and those of the results, are
//! layouts of these subgroups alone, counted from the first of them.

use raddle_ir::{Code, Diag, Ir, OpId, Opcode};

use super::Launch;

/// The attribute of a region that some subgroups run: the first of them, and how many there are.
pub const SUBGROUPS: &str = "raddle.subgroups";

/// Whether an operation is a role.
pub fn is_role(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::ScfExecuteRegion && ir.attr_id(op, SUBGROUPS).is_some()
}

/// The role that an operation stands in.
pub fn around(ir: &Ir, op: OpId) -> Option<OpId> {
    let mut at = ir.parent_op(op);
    while let Some(op) = at.filter(|&op| !is_role(ir, op)) {
        at = ir.parent_op(op);
    }
    at
}

impl Launch {
    /// The subgroups of this workgroup that run a role.
    pub fn of_role(self, ir: &Ir, role: OpId) -> Result<Launch, Diag> {
        let bad = |why: String| {
            Diag::error(Code::CannotConfigure, ir.span(role), why)
                .help("write `raddle.subgroups = array<i64: 4, 2>` for two subgroups from number 4 on")
        };
        let range = ir.attr_id(role, SUBGROUPS).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let &[first, count] = &range[..] else {
            return Err(bad(format!("`{SUBGROUPS}` is not the first subgroup and their number")));
        };
        let Some(end) = first.checked_add(count).filter(|_| first >= 0 && count > 0) else {
            return Err(bad(format!("`{SUBGROUPS}` is not a range: {count} subgroups from number {first} on")));
        };
        match self.subgroups() {
            Some(all) if count == all && first == 0 => Ok(self),
            Some(all) if end <= all => {
                Ok(Launch { first, ..Launch::along_x(count * self.subgroup_size, self.subgroup_size) })
            }
            Some(all) => {
                Err(bad(format!("a role is for subgroups {first} to {}, and the workgroup has {all}", end - 1)))
            }
            None => Err(bad("a role is for some subgroups of a workgroup whose size is not known".to_owned())),
        }
    }

    /// Those of these subgroups that run an operation: all, unless it is or stands in a role that [`Launch::of_role`] knows.
    pub fn at(self, ir: &Ir, op: OpId) -> Launch {
        let role = if is_role(ir, op) { Some(op) } else { around(ir, op) };
        role.and_then(|role| self.of_role(ir, role).ok()).unwrap_or(self)
    }

    /// Whether all subgroups of a range are among these.
    pub fn covers(self, other: Launch) -> bool {
        let end = |launch: Launch| launch.first.saturating_add(launch.workgroup_size / launch.subgroup_size);
        self.first <= other.first && end(other) <= end(self)
    }
}
