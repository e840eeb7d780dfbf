//! How many operations a function has once all of its calls are expanded in place.
//!
//! Functions that call one another a few times each have more operations than any machine can hold: their number is
//! found from the text alone, each function counted once, before anything is expanded.

use raddle_ir::{Attr, Class, Ir, OpId};
use rustc_hash::FxHashMap;

use super::DEPTH_MAX;

/// The operations of a function with its calls expanded. Calls deeper than the decoder follows count as one.
pub(super) fn expanded_ops(ir: &Ir, func: OpId) -> u64 {
    let funcs = ir.funcs().into_iter().filter_map(|func| Some((ir.symbol_name(func)?, func)));
    // The first function of a name is the one that is called.
    let funcs = funcs.rev().collect();
    Sizes { ir, funcs, known: FxHashMap::default() }.of(func, 0)
}

struct Sizes<'a> {
    ir: &'a Ir,
    funcs: FxHashMap<&'a str, OpId>,
    known: FxHashMap<OpId, u64>,
}

impl Sizes<'_> {
    fn of(&mut self, func: OpId, depth: usize) -> u64 {
        if let Some(&n) = self.known.get(&func) {
            return n;
        }
        if depth >= DEPTH_MAX {
            return 0;
        }
        // A function that calls itself is reported where it is expanded.
        self.known.insert(func, 0);
        let ir = self.ir;
        let mut n = 0u64;
        for op in ir.walk(func) {
            n = n.saturating_add(1);
            if ir.class(op) != Class::Call {
                continue;
            }
            let Some(Attr::Symbol(path)) = ir.attr(op, "callee") else { continue };
            let name = path.last().map_or("", |&name| &ir[name]);
            if let Some(&callee) = self.funcs.get(name) {
                n = n.saturating_add(self.of(callee, depth + 1));
            }
        }
        self.known.insert(func, n);
        n
    }
}
