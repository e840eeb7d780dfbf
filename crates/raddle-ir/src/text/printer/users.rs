//! Comments that say where values are used.

use super::Printer;
use crate::ids::{BlockId, OpId, ValueId};

impl Printer<'_> {
    /// Behind an operation: who uses its results, or, if it has none, the number that others call it by.
    pub(super) fn users_of_results(&mut self, op: OpId) {
        let ir = self.ir;
        let results: Vec<ValueId> = ir.results(op).collect();
        if results.is_empty() {
            if !ir.operands(op).is_empty() {
                self.out.push_str(" // id: ");
                self.number_of(op);
            }
            return;
        }
        let mut users: Vec<OpId> = results.iter().flat_map(|&result| self.users(result)).collect();
        users.sort_unstable();
        users.dedup();
        let used_in: usize = users.iter().map(|&user| ir.results(user).len()).sum();
        self.out.push_str(match users.len() {
            0 => " // unused",
            1 if used_in <= 1 => " // user: ",
            _ => " // users: ",
        });
        if users.is_empty() {
            return;
        }
        for (i, &result) in results.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            if results.len() > 1 {
                self.out.push('(');
            }
            self.list_users(result);
            if results.len() > 1 {
                self.out.push(')');
            }
        }
    }

    /// A line for each argument of a block.
    pub(super) fn users_of_args(&mut self, block: BlockId) {
        for &arg in self.ir.args(block) {
            self.newline();
            self.out.push_str("// ");
            self.value(arg);
            self.out.push_str(if self.users(arg).is_empty() { " is " } else { " is used by " });
            self.list_users(arg);
        }
    }

    /// The operations that use a value, each once.
    fn users(&self, value: ValueId) -> Vec<OpId> {
        let mut users: Vec<OpId> = Vec::new();
        for (user, _) in self.ir.uses(value) {
            if !users.contains(&user) {
                users.push(user);
            }
        }
        users
    }

    fn list_users(&mut self, value: ValueId) {
        let users = self.users(value);
        if users.is_empty() {
            self.out.push_str("unused");
        }
        for (i, &user) in users.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            let results = self.ir.results(user);
            if results.len() == 0 {
                self.number_of(user);
            }
            for (k, result) in results.enumerate() {
                self.out.push_str(if k > 0 { ", " } else { "" });
                self.value(result);
            }
        }
    }

    fn number_of(&mut self, op: OpId) {
        match self.names.number_of(op) {
            Some(number) => self.out.push_str(&format!("%{number}")),
            None => self.out.push_str("<<UNKNOWN SSA VALUE>>"),
        }
    }
}
