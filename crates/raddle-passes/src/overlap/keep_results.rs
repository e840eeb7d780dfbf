//! Keep results: let a later pass along a row read what an earlier one has computed, from memory that it overwrites.
//!
//! Before: a loop that sums `exp(x - m)`, and a loop that writes `exp(x - m) / s`
//! After:  the first loop writes its powers where the results will lie, and the second one reads them there.
//!
//! Tiling computes elementwise operations again in each loop that needs them, which is right for threads of a GPU: they
//! would keep rows in registers. A core of a CPU has the row in its first cache, and functions such as `exp` cost more
//! than a store and a load.
//!
//! The two loops have the same bounds, the second one writes its result once, under the same indices, and nothing else
//! touches that memory. Results of another type than the function's are not kept.

use raddle_ir::interface::Interface;
use raddle_ir::views::Transfer;
use raddle_ir::{BlockId, Builder, Class, Def, Ir, OpId, Opcode, ValueId, ValueMap};
use raddle_target::has_vector_form;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::clean;
use crate::overlap::without_layout;

/// Keeps the functions that two loops of a kernel compute of the same elements.
pub fn keep_results(ir: &mut Ir, func: OpId) {
    // What a dispatch writes may be what it reads, later.
    let is_dispatch = !Interface::of(ir, func).is_ok_and(|interface| interface.is_none());
    let Some(entry) = ir.body(func, 0).filter(|_| !is_dispatch) else { return };
    let loops: Vec<OpId> = ir.block_ops(entry).filter(|&op| ir.opcode(op) == Opcode::ScfFor).collect();
    for (at, &later) in loops.iter().enumerate() {
        let Some(write) = only_write(ir, entry, later) else { continue };
        let found = loops[..at].iter().find_map(|&earlier| Some((earlier, Kept::of(ir, [earlier, later], write)?)));
        if let Some((earlier, kept)) = found {
            kept.write(ir, [earlier, later], write);
            clean::remove(ir, func);
        }
    }
}

/// The write of a loop that has no other effect, if nothing else touches that memory.
fn only_write(ir: &Ir, entry: BlockId, op: OpId) -> Option<OpId> {
    let body = ir.entry(op);
    let mut writes = ir.block_ops(body).filter(|&op| matches!(ir.class(op), Class::Write));
    let (Some(write), None) = (writes.next(), writes.next()) else { return None };
    if ir.opcode(write) != Opcode::VectorTransferWrite || ir.results(op).next().is_some() {
        return None;
    }
    let view = Transfer::of(ir, write);
    let is_argument = ir.args(entry).contains(&view.base);
    let alone = ir.uses(view.base).filter(|&(user, _)| ir.opcode(user) != Opcode::MemrefDim).count() == 1;
    (is_argument && alone && view.map.as_dims().is_some()).then_some(write)
}

/// A value that two loops compute.
struct Kept {
    earlier: ValueId,
    later: ValueId,
    /// What stands between the loops and says where elements go, as the extents of memory do.
    between: Vec<OpId>,
}

impl Kept {
    fn of(ir: &Ir, loops: [OpId; 2], write: OpId) -> Option<Kept> {
        let [earlier, later] = loops;
        let bound = |op: OpId, at: usize| ir.operand(op, at);
        let equal = |at: usize| {
            let values = [bound(earlier, at), bound(later, at)];
            let numbers = values.map(|value| ir.const_int(value));
            values[0] == values[1] || (numbers[0].is_some() && numbers[0] == numbers[1])
        };
        if !(0..3).all(equal) || loops.iter().any(|&op| ir.attr_id(op, "unsignedCmp").is_some()) {
            return None;
        }
        let mut same = Same { ir, bodies: loops.map(|op| ir.entry(op)), known: FxHashMap::default() };
        let written = Transfer::of(ir, write).vector?;
        let between = between(ir, loops, write)?;
        let [first, second] = same.bodies;
        let costs =
            |op: &OpId| ir.class(*op) == Class::Elementwise && !has_vector_form(ir, *op) && ir.results(*op).len() == 1;
        for op in ir.ops_of(second).into_iter().filter(costs) {
            let value = ir.result(op, 0);
            if ir.type_of(value) != ir.type_of(written) || !leads_to(ir, value, write) {
                continue;
            }
            for other in ir.ops_of(first).into_iter().filter(costs) {
                if same.is(ir.result(other, 0), value) {
                    return Some(Kept { earlier: ir.result(other, 0), later: value, between });
                }
            }
        }
        None
    }

    fn write(&self, ir: &mut Ir, [earlier, later]: [OpId; 2], write: OpId) {
        for &op in &self.between {
            ir.detach(op);
            ir.insert_before(earlier, op);
        }
        let view = Transfer::of(ir, write);
        let [first, second] = [earlier, later].map(|op| ir.entry(op));
        let end = ir.terminator(first).expect("a loop yields");
        let mut map = ValueMap::default();
        map.set(ir.args(second)[0], ir.args(first)[0]);
        let builder = &mut Builder::before(ir, end);
        let place = Place::of(builder, &mut map, second, &view);
        let kept = builder.transfer_write(self.earlier, view.base, &place.indices, view.map.clone(), &view.in_bounds);
        place.write_mask(ir, kept);
        let computes = ir.def_op(self.later).expect("an operation computes it");
        let ty = ir.type_of(self.later);
        let builder = &mut Builder::before(ir, computes);
        let mut map = ValueMap::default();
        let place = Place::of(builder, &mut map, second, &view);
        let elem = builder.ir.elem_of(view.base);
        let padding = builder.splat(0.0, elem);
        let kept = builder.transfer_read(view.base, &place.indices, padding, view.map, &view.in_bounds, ty);
        let read = ir.def_op(kept).expect("a read gives it");
        place.write_mask(ir, read);
        ir.replace_uses(self.later, kept);
        ir.erase(computes);
    }
}

/// The operations between two loops that the place of a write in the second one needs; `None` where it needs more than may
/// stand in front of the first.
fn between(ir: &Ir, [earlier, later]: [OpId; 2], write: OpId) -> Option<Vec<OpId>> {
    let view = Transfer::of(ir, write);
    let mut needed: FxHashSet<OpId> = FxHashSet::default();
    let mut waiting: Vec<ValueId> = view.indices.iter().copied().chain(view.mask).collect();
    while let Some(value) = waiting.pop() {
        if let Some(op) = ir.def_op(value).filter(|&op| needed.insert(op)) {
            waiting.extend(ir.operands(op));
        }
    }
    let behind = ir.ops_of(ir.parent_block(earlier)?).into_iter().skip_while(|&op| op != earlier);
    let found: Vec<OpId> = behind.take_while(|&op| op != later).filter(|op| needed.contains(op)).collect();
    let may_move = |op: &OpId| ir.opcode(*op).info().is_pure() && ir.regions(*op).is_empty();
    found.iter().all(may_move).then_some(found)
}

/// Where an access of a loop goes, computed at another place.
struct Place {
    indices: Vec<ValueId>,
    mask: Option<ValueId>,
}

impl Place {
    fn of(builder: &mut Builder<'_>, map: &mut ValueMap, block: BlockId, view: &Transfer) -> Place {
        let indices = view.indices.iter().map(|&index| inside(builder, map, block, index)).collect();
        Place { indices, mask: view.mask.map(|mask| inside(builder, map, block, mask)) }
    }

    fn write_mask(&self, ir: &mut Ir, access: OpId) {
        if let Some(mask) = self.mask {
            ir.set_transfer_mask(access, mask);
        }
    }
}

/// Computes a value of a block again.
fn inside(builder: &mut Builder<'_>, map: &mut ValueMap, block: BlockId, value: ValueId) -> ValueId {
    if let Some(new) = map.find(value) {
        return new;
    }
    let Some(op) = builder.ir.def_op(value).filter(|&op| builder.ir.parent_block(op) == Some(block)) else {
        return value;
    };
    for operand in builder.ir.operands(op).to_vec() {
        inside(builder, map, block, operand);
    }
    builder.copy(op, map);
    map.get(value)
}

/// Whether a value is only used, element by element, for what a write stores.
fn leads_to(ir: &Ir, value: ValueId, write: OpId) -> bool {
    ir.uses(value).all(|(user, at)| {
        let passes = matches!(ir.class(user), Class::Elementwise | Class::Layout) && ir.regions(user).is_empty();
        (user == write && at == 0) || (passes && ir.results(user).all(|result| leads_to(ir, result, write)))
    })
}

/// Which values of two blocks are computed alike, of what lies outside of both and of their first arguments.
struct Same<'a> {
    ir: &'a Ir,
    bodies: [BlockId; 2],
    known: FxHashMap<[ValueId; 2], bool>,
}

impl Same<'_> {
    fn is(&mut self, first: ValueId, second: ValueId) -> bool {
        let pair = [first, second];
        if let Some(&known) = self.known.get(&pair) {
            return known;
        }
        let same = self.compare(pair);
        self.known.insert(pair, same);
        same
    }

    fn compare(&mut self, pair: [ValueId; 2]) -> bool {
        let ir = self.ir;
        let [first, second] = pair.map(|value| without_layout(ir, value));
        if self.bodies.map(|body| ir.args(body)[0]) == [first, second] {
            return true;
        }
        let (Def::Result { op: a, .. }, Def::Result { op: b, .. }) = (ir.def(first), ir.def(second)) else {
            return first == second && self.is_outside(first);
        };
        if a == b {
            return first == second && self.is_outside(first);
        }
        let reads = |op: OpId| ir.opcode(op) == Opcode::VectorTransferRead;
        let repeats = ir.opcode(a).info().is_pure() || reads(a) && self.is_input(Transfer::of(ir, a).base);
        let places = [a, b].map(|op| ir.parent_block(op)) == self.bodies.map(Some)
            || [a, b].iter().all(|&op| ir.class(op) == Class::Constant);
        repeats
            && places
            && ir.opcode(a) == ir.opcode(b)
            && ir.regions(a).is_empty()
            && ir.results(a).len() == 1
            && ir.results(b).len() == 1
            && ir.type_of(first) == ir.type_of(second)
            && ir.attr_dict(a) == ir.attr_dict(b)
            && ir.operands(a).len() == ir.operands(b).len()
            && ir.operands(a).iter().zip(ir.operands(b)).all(|(&x, &y)| self.is(x, y))
    }

    /// Whether a value is computed in front of both loops.
    fn is_outside(&self, value: ValueId) -> bool {
        let block = match self.ir.def(value) {
            Def::Result { op, .. } => self.ir.parent_block(op),
            Def::Arg { block, .. } => Some(block),
        };
        block.is_some_and(|block| !self.bodies.contains(&block))
    }

    /// Whether memory is an argument that the kernel only reads.
    fn is_input(&self, base: ValueId) -> bool {
        let ir = self.ir;
        let reads = |op: OpId| matches!(ir.opcode(op), Opcode::VectorTransferRead | Opcode::MemrefDim);
        matches!(ir.def(base), Def::Arg { .. }) && ir.uses(base).all(|(user, _)| reads(user))
    }
}
