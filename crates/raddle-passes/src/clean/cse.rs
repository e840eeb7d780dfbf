//! Merge equal pure operations: the later of two goes where the earlier one dominates it. Equal reads merge inside one
//! block, as long as nothing between them may write or wait for others.
//!
//! [`merge`] does so with operations on tensors that have loops and a body, too: those of a function that is not tiled yet.
//!
//! A scope for each block, inside the scope of the block around it, unless nothing from outside is seen there. The table
//! is keyed by a hash; operations are compared in place, so that no key is ever copied.

use std::hash::{Hash, Hasher};

use raddle_ir::{BlockId, Class, Ir, OpId, RegionId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHasher};

use super::{blocks_of, isolates};

/// The operations in scope: a hash table whose entries are a stack.
#[derive(Default)]
struct Scope {
    /// The latest entry of each bucket, or [`NONE`]; the number of buckets is a power of two.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Counts blocks and operations after which memory may be another. Between equal counts nothing has changed.
    moment: u32,
    /// Whether operations on tensors with loops are merged.
    loops: bool,
}

struct Entry {
    op: OpId,
    hash: u64,
    /// For a read, when it was.
    moment: Option<u32>,
    /// The entry of the same bucket in front of this one, or [`NONE`].
    next: u32,
}

/// No entry.
const NONE: u32 = u32::MAX;

/// Buckets of the first table.
const FIRST: usize = 64;

/// Merges equal operations of the function; says whether there were any.
pub fn cse(ir: &mut Ir, func: OpId) -> bool {
    merge_all(ir, func, false)
}

/// Merges equal operations of the function, also those on tensors that have loops; says whether there were any.
pub fn merge(ir: &mut Ir, func: OpId) -> bool {
    merge_all(ir, func, true)
}

fn merge_all(ir: &mut Ir, func: OpId, loops: bool) -> bool {
    let mut changed = false;
    for block in blocks_of(ir, func) {
        merge_in(ir, &mut Scope { loops, ..Scope::default() }, block, &mut changed);
    }
    changed
}

fn merge_in(ir: &mut Ir, scope: &mut Scope, block: BlockId, changed: &mut bool) {
    scope.moment += 1;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        if !(ir.regions(op).is_empty() || scope.loops && is_on_tensors(ir, op)) {
            if isolates(ir, op) {
                *changed |= merge_all(ir, op, scope.loops);
            } else if ir.class(op) != Class::Structured {
                for block in blocks_of(ir, op) {
                    let start = scope.entries.len();
                    merge_in(ir, scope, block, changed);
                    scope.truncate(start);
                }
            }
            scope.moment += 1;
            continue;
        }
        let reads = ir.opcode(op).info().only_reads();
        if !(ir.opcode(op).info().is_pure() || reads || !ir.regions(op).is_empty()) {
            // What is not pure for its traps alone leaves memory as it is.
            if !matches!(ir.class(op), Class::Elementwise | Class::Index | Class::Id | Class::Alloc) {
                scope.moment += 1;
            }
            continue;
        }
        let moment = reads.then_some(scope.moment);
        let hash = hash(ir, op);
        match scope.find(ir, op, hash, moment) {
            Some(known) => {
                for (old, new) in ir.results(op).zip(ir.results(known)) {
                    ir.replace_uses(old, new);
                }
                ir.erase(op);
                *changed = true;
            }
            None => scope.push(op, hash, moment),
        }
    }
    scope.moment += 1;
}

impl Scope {
    fn bucket(&self, hash: u64) -> usize {
        hash as usize & self.heads.len().wrapping_sub(1)
    }

    fn find(&self, ir: &Ir, op: OpId, hash: u64, moment: Option<u32>) -> Option<OpId> {
        let mut at = *self.heads.get(self.bucket(hash))?;
        while let Some(known) = self.entries.get(at as usize) {
            if known.hash == hash && known.moment == moment && equal(ir, known.op, op) {
                return Some(known.op);
            }
            at = known.next;
        }
        None
    }

    fn push(&mut self, op: OpId, hash: u64, moment: Option<u32>) {
        if self.entries.len() == self.heads.len() {
            self.grow();
        }
        self.entries.push(Entry { op, hash, moment, next: NONE });
        self.link(self.entries.len() - 1);
    }

    /// Puts an entry in front of the others of its bucket.
    fn link(&mut self, index: usize) {
        let bucket = self.bucket(self.entries[index].hash);
        self.entries[index].next = std::mem::replace(&mut self.heads[bucket], index as u32);
    }

    fn grow(&mut self) {
        self.heads = vec![NONE; (2 * self.heads.len()).max(FIRST)];
        (0..self.entries.len()).for_each(|index| self.link(index));
    }

    fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            if let Some(Entry { hash, next, .. }) = self.entries.pop() {
                let bucket = self.bucket(hash);
                self.heads[bucket] = next;
            }
        }
    }
}

fn hash(ir: &Ir, op: OpId) -> u64 {
    let mut hasher = FxHasher::default();
    let opcode = ir.opcode(op);
    opcode.hash(&mut hasher);
    ir.attr_dict(op).hash(&mut hasher);
    match *ir.operands(op) {
        [a, b] if opcode.info().is_commutative() => (a.min(b), a.max(b)).hash(&mut hasher),
        ref operands => operands.hash(&mut hasher),
    }
    for result in ir.results(op) {
        ir.type_of(result).hash(&mut hasher);
    }
    hasher.finish()
}

fn equal(ir: &Ir, a: OpId, b: OpId) -> bool {
    let same_operands = match (ir.operands(a), ir.operands(b)) {
        (&[a0, a1], &[b0, b1]) if ir.opcode(a).info().is_commutative() => (a0, a1) == (b0, b1) || (a0, a1) == (b1, b0),
        (a, b) => a == b,
    };
    ir.opcode(a) == ir.opcode(b)
        && ir.attr_dict(a) == ir.attr_dict(b)
        && same_operands
        && ir.results(a).map(|result| ir.type_of(result)).eq(ir.results(b).map(|result| ir.type_of(result)))
        && equal_regions(ir, a, b, &mut FxHashMap::default())
}

/// Whether an operation computes tensors with loops, and does nothing else.
fn is_on_tensors(ir: &Ir, op: OpId) -> bool {
    let is_pure = |inner: OpId| ir.class(inner) == Class::Yield || ir.opcode(inner).info().is_pure();
    ir.class(op) == Class::Structured
        && ir.results(op).next().is_some()
        && ir
            .results(op)
            .chain(ir.operands(op).iter().copied())
            .all(|value| !matches!(ir.ty(value), Type::MemRef { .. }))
        && ir.walk(op).into_iter().all(is_pure)
}

/// Whether the regions of two operations are the same but for the names of what they define: `names` has those of the first
/// for those of the second.
fn equal_regions(ir: &Ir, a: OpId, b: OpId, names: &mut FxHashMap<ValueId, ValueId>) -> bool {
    let (a, b) = (ir.regions(a), ir.regions(b));
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| equal_region(ir, a, b, names))
}

fn equal_region(ir: &Ir, a: RegionId, b: RegionId, names: &mut FxHashMap<ValueId, ValueId>) -> bool {
    let types = |values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<_>>();
    let (&[a], &[b]) = (ir.blocks(a), ir.blocks(b)) else { return ir.blocks(a).is_empty() && ir.blocks(b).is_empty() };
    if types(ir.args(a)) != types(ir.args(b)) {
        return false;
    }
    names.extend(ir.args(b).iter().copied().zip(ir.args(a).iter().copied()));
    let (mut ops, mut others) = (ir.block_ops(a), ir.block_ops(b));
    loop {
        let (a, b) = match (ops.next(), others.next()) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return true,
            _ => return false,
        };
        let named = |value: &ValueId| names.get(value).copied().unwrap_or(*value);
        let is_same = ir.opcode(a) == ir.opcode(b)
            && ir.attr_dict(a) == ir.attr_dict(b)
            && ir.operands(b).iter().map(named).eq(ir.operands(a).iter().copied())
            && ir.results(a).map(|result| ir.type_of(result)).eq(ir.results(b).map(|result| ir.type_of(result)));
        names.extend(ir.results(b).zip(ir.results(a)));
        if !is_same || !equal_regions(ir, a, b, names) {
            return false;
        }
    }
}
