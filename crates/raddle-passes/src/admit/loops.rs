//! Loops: a function of scalar loops on memory, as C has them, becomes a kernel.
//!
//! Before: `scf.for %i = … { scf.for %j = … { %x = memref.load %a[%i, %j], memref.store %x, %b[%j, %i] } }`
//! After:  `scf.parallel (%i, %j) = …`, whose iterations are threads, where no iteration touches what another one writes
//!
//! Any other function is one workgroup. Its threads share the iterations of each loop that may run in parallel, and go
//! through the loops around it together; they wait for one another between statements, and one of them carries out what
//! stands alone. So a stencil with a loop over time is a kernel.
//!
//! Iterations are apart where, in all accesses to each argument that is written, the same dimension has the loop's index by
//! itself. Arguments are taken to be disjoint.

use raddle_ir::{BlockId, Builder, Code, Def, Diag, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId, ValueMap};

use super::launches;
use crate::code::compare;
use crate::facts::Facts;

/// Threads of a workgroup that has a function by itself, at most.
const THREADS_MAX: i64 = 256;

/// Whether a function has scalar loops on memory, or branches, and nothing else.
pub(super) fn is_needed(ir: &Ir, func: OpId) -> bool {
    let (inputs, results) = ir.signature(func);
    let is_known = |ty: &TypeId| matches!(ir[*ty], Type::MemRef { .. }) || Scalar::of(&ir[*ty]).is_some();
    if ir.opcode(func) != Opcode::FuncFunc
        || ir.attr_id(func, "translation_info").is_some()
        || ir.body(func, 0).is_none()
        || ir.blocks(ir.regions(func)[0]).len() != 1
        || !results.is_empty()
        || !inputs.iter().all(is_known)
    {
        return false;
    }
    let all = ir.walk(func);
    let (mut loops, mut writes) = (false, false);
    let is_plain = all.iter().all(|&op| {
        loops |= matches!(ir.opcode(op), Opcode::ScfFor | Opcode::ScfParallel | Opcode::ScfWhile);
        writes |= ir.opcode(op) == Opcode::MemrefStore;
        let is_scalar = ir.results(op).chain(ir.operands(op).iter().copied()).all(|value| is_known(&ir.type_of(value)));
        let is_statement = matches!(
            ir.opcode(op),
            Opcode::ScfFor
                | Opcode::ScfIf
                | Opcode::ScfParallel
                | Opcode::ScfWhile
                | Opcode::ScfCondition
                | Opcode::ScfYield
                | Opcode::ScfReduce
                | Opcode::FuncReturn
                | Opcode::MemrefLoad
                | Opcode::MemrefStore
        );
        let is_number = ir.regions(op).is_empty() && ir.opcode(op).info().is_pure();
        let reduces = ir.opcode(op) == Opcode::ScfParallel && ir.results(op).len() > 0;
        is_scalar && !reduces && (is_statement || is_number) && !ir.name(op).starts_with("gpu.")
    });
    is_plain && loops && writes
}

/// Makes the function a kernel.
pub(super) fn rewrite(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let entry = ir.entry(func);
    let statements: Vec<OpId> =
        ir.ops_of(entry).into_iter().filter(|&op| is_effect(ir, op) && ir.terminator(entry) != Some(op)).collect();
    if let &[alone] = &statements[..]
        && let Some(nest) = Nest::of(ir, alone)
    {
        nest.write(ir);
        // Its bounds may follow from what memory holds.
        if launches::rewrite(ir, func, facts).is_ok() {
            return Ok(());
        }
    }
    one_workgroup(ir, func, facts)
}

/// Whether an operation reads or writes memory, or has a region.
fn is_effect(ir: &Ir, op: OpId) -> bool {
    !ir.regions(op).is_empty() || !ir.opcode(op).info().is_pure()
}

/// Loops around one another whose iterations may run in any order.
struct Nest {
    /// The outermost operation.
    op: OpId,
    /// The lower bound, upper bound and step of each loop, and its index.
    loops: Vec<([ValueId; 3], ValueId)>,
    /// The bodies, from the outside on: all but the last have numbers and the next loop.
    bodies: Vec<OpId>,
}

impl Nest {
    fn of(ir: &Ir, op: OpId) -> Option<Nest> {
        if ir.results(op).len() > 0 {
            return None;
        }
        if ir.opcode(op) == Opcode::ScfParallel {
            let parts = ir.segments(op);
            let args = ir.args(ir.entry(op));
            let loops = (0..args.len()).map(|d| ([parts[0][d], parts[1][d], parts[2][d]], args[d])).collect();
            return Some(Nest { op, loops, bodies: vec![op] });
        }
        let mut nest = Nest { op, loops: Vec::new(), bodies: Vec::new() };
        let mut next = Some(op);
        while let Some(op) = next.filter(|&op| is_apart(ir, op)) {
            let bounds: [ValueId; 3] = ir.operands(op).get(..3)?.try_into().ok()?;
            if !bounds.iter().all(|&bound| nest.is_outside(ir, bound)) {
                break;
            }
            nest.loops.push((bounds, ir.args(ir.entry(op))[0]));
            nest.bodies.push(op);
            let body = ir.entry(op);
            let inner: Vec<OpId> = ir
                .ops_of(body)
                .into_iter()
                .filter(|&op| is_effect(ir, op) && ir.terminator(body) != Some(op))
                .collect();
            next = if let [inner] = inner[..] { Some(inner) } else { None };
        }
        (!nest.loops.is_empty()).then_some(nest)
    }

    /// Whether a number is known in front of the loops.
    fn is_outside(&self, ir: &Ir, value: ValueId) -> bool {
        if ir.const_int(value).is_some() {
            return true;
        }
        let around = match ir.def(value) {
            Def::Result { op, .. } => ir.parent_op(op),
            Def::Arg { block, .. } => Some(ir.region_parent(ir.block_region(block))),
        };
        !std::iter::successors(around, |&op| ir.parent_op(op)).any(|op| op == self.op)
    }

    /// The bounds in front of the loops.
    fn bounds(&self, b: &mut Builder<'_>, map: &ValueMap) -> Vec<[ValueId; 3]> {
        let mut outside = |value: ValueId| match b.ir.const_int(value) {
            Some(number) => b.index(number),
            None => map.get(value),
        };
        self.loops.iter().map(|(bounds, _)| bounds.map(&mut outside)).collect()
    }

    /// What one iteration does, where the indices are entered.
    fn iteration(&self, b: &mut Builder<'_>, map: &mut ValueMap) {
        let n = self.bodies.len();
        for (at, &op) in self.bodies.iter().enumerate() {
            let body = b.ir.entry(op);
            for inner in b.ir.ops_of(body) {
                let is_end = b.ir.terminator(body) == Some(inner);
                if !is_end && (at + 1 == n || inner != self.bodies[at + 1]) {
                    b.copy(inner, map);
                }
            }
        }
    }

    /// `scf.parallel` in place of the loops.
    fn write(&self, ir: &mut Ir) {
        if ir.opcode(self.op) == Opcode::ScfParallel {
            return;
        }
        let mut map = ValueMap::default();
        let b = &mut Builder::before(ir, self.op);
        let bounds = self.bounds(b, &map);
        let n = bounds.len();
        let operands: Vec<ValueId> = (0..3).flat_map(|at| bounds.iter().map(move |bound| bound[at])).collect();
        let segments = b.ir.segment_sizes(&[n, n, n, 0]);
        let new = b.op(Opcode::ScfParallel, &operands, &[], &[("operandSegmentSizes", segments)]);
        let region = b.ir.add_region(new);
        let index = b.ir.index_type();
        let block = b.ir.add_block(region, &vec![index; n]);
        for (&(_, old), value) in self.loops.iter().zip(b.ir.args(block).to_vec()) {
            map.set(old, value);
        }
        let mut inner = Builder::at_end(b.ir, block, b.span);
        self.iteration(&mut inner, &mut map);
        inner.op(Opcode::ScfReduce, &[], &[], &[]);
        ir.erase(self.op);
    }
}

/// Whether no iteration of a loop touches what another one writes.
fn is_apart(ir: &Ir, op: OpId) -> bool {
    if ir.opcode(op) != Opcode::ScfFor || ir.results(op).len() > 0 {
        return false;
    }
    let index = ir.args(ir.entry(op))[0];
    if *ir.ty(index) != Type::Index {
        return false;
    }
    // For each buffer: whether it is written, and the dimensions along which each access is at the index.
    let mut buffers: Vec<(ValueId, bool, Vec<usize>)> = Vec::new();
    for inner in ir.walk(op) {
        let (first, writes) = match ir.opcode(inner) {
            Opcode::MemrefLoad => (0, false),
            Opcode::MemrefStore => (1, true),
            _ => continue,
        };
        let operands = ir.operands(inner);
        let (memref, at) = (operands[first], &operands[first + 1..]);
        let dims: Vec<usize> = (0..at.len()).filter(|&d| at[d] == index).collect();
        match buffers.iter_mut().find(|buffer| buffer.0 == memref) {
            Some(buffer) => {
                buffer.1 |= writes;
                buffer.2.retain(|d| dims.contains(d));
            }
            None => buffers.push((memref, writes, dims)),
        }
    }
    // A view may be of a buffer that has another name.
    buffers.iter().all(|(memref, writes, dims)| ir.def_op(*memref).is_none() && (!writes || !dims.is_empty()))
}

/// The threads of the workgroup that has a function by itself.
struct Team {
    thread: ValueId,
    threads: i64,
    /// Whether a thread may have done something to memory since all have waited.
    is_ahead: bool,
}

fn one_workgroup(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let old = ir.entry(func);
    let (region, span) = (ir.block_region(old), ir.span(func));
    let has_nest = ir.walk(func).into_iter().any(|op| Nest::of(ir, op).is_some());
    let subgroup: i64 = facts.chip.subgroup_size.into();
    let most = if facts.chip.native.is_some() { 1 } else { THREADS_MAX.min(facts.chip.threads_max.into()) };
    let threads = if has_nest { most } else { subgroup.min(most) };
    let types: Vec<TypeId> = ir.args(old).iter().map(|&arg| ir.type_of(arg)).collect();
    let new = ir.add_block(region, &types);
    let mut map = ValueMap::default();
    for (old, new) in ir.args(old).to_vec().into_iter().zip(ir.args(new).to_vec()) {
        map.set(old, new);
    }
    let mut b = Builder::at_end(ir, new, span);
    let thread = b.gpu_id(Opcode::GpuThreadId, 0);
    let mut team = Team { thread, threads, is_ahead: false };
    if has_nest && can_be_shared(b.ir, old) {
        team.block(&mut b, old, &mut map);
    } else {
        team.alone(&mut b, |inner| {
            for op in inner.ir.ops_of(old) {
                if inner.ir.terminator(old) != Some(op) {
                    inner.copy(op, &mut map);
                }
            }
        });
    }
    b.op(Opcode::FuncReturn, &[], &[], &[]);
    ir.remove_block(old);
    let message = format!(
        "`@{}` is a kernel of one workgroup: its statements run one after the other",
        ir.symbol_name(func).unwrap_or_default()
    );
    facts.remark(Diag::error(Code::KernelChoice, ir.span(func), message));
    launches::one_workgroup(ir, func, threads, facts)
}

/// Whether all threads may go through what gives numbers: it writes nothing.
fn can_be_shared(ir: &Ir, block: BlockId) -> bool {
    ir.ops_of(block).into_iter().all(|op| {
        let writes = ir.opcode(op) == Opcode::MemrefStore
            || ir.walk(op).into_iter().any(|inner| ir.opcode(inner) == Opcode::MemrefStore);
        let inner = ir.regions(op).iter().flat_map(|&region| ir.blocks(region).to_vec()).collect::<Vec<_>>();
        !(writes && ir.results(op).len() > 0) && inner.into_iter().all(|block| can_be_shared(ir, block))
    })
}

impl Team {
    fn wait(&mut self, b: &mut Builder<'_>) {
        if std::mem::take(&mut self.is_ahead) && self.threads > 1 {
            b.barrier();
        }
    }

    /// What one thread does.
    fn alone(&self, b: &mut Builder<'_>, body: impl FnOnce(&mut Builder<'_>)) {
        const EQUAL: i64 = 0;
        let zero = b.index(0);
        let is_first = compare(b, EQUAL, self.thread, zero);
        branch(b, is_first, body);
    }

    fn block(&mut self, b: &mut Builder<'_>, block: BlockId, map: &mut ValueMap) {
        for op in b.ir.ops_of(block) {
            if b.ir.terminator(block) == Some(op) {
                continue;
            }
            if !is_effect(b.ir, op) {
                b.copy(op, map);
                continue;
            }
            self.wait(b);
            self.statement(b, op, map);
            self.is_ahead = true;
        }
    }

    fn statement(&mut self, b: &mut Builder<'_>, op: OpId, map: &mut ValueMap) {
        let has_nest = |ir: &Ir| ir.walk(op).into_iter().any(|inner| Nest::of(ir, inner).is_some());
        if let Some(nest) = Nest::of(b.ir, op) {
            return self.nest(b, &nest, map);
        }
        // What gives numbers writes nothing: each thread has them.
        if b.ir.results(op).len() > 0 {
            b.copy(op, map);
            return;
        }
        match b.ir.opcode(op) {
            Opcode::ScfFor if has_nest(b.ir) => {
                let [lower, upper, step] = [0, 1, 2].map(|at| map.get(b.ir.operand(op, at)));
                let body = b.ir.entry(op);
                b.for_loop(lower, upper, step, &[], |inner, iv, _| {
                    map.set(inner.ir.args(body)[0], iv);
                    // The round in front may not be over for all.
                    self.is_ahead = true;
                    self.block(inner, body, map);
                    Vec::new()
                });
            }
            Opcode::ScfIf if has_nest(b.ir) => {
                let condition = map.get(b.ir.operand(op, 0));
                let new = b.op(Opcode::ScfIf, &[condition], &[], &[]);
                for at in 0..2 {
                    let region = b.ir.add_region(new);
                    let Some(body) = b.ir.body(op, at) else { continue };
                    let block = b.ir.add_block(region, &[]);
                    let mut inner = Builder::at_end(b.ir, block, b.span);
                    self.is_ahead = true;
                    self.block(&mut inner, body, map);
                    inner.op(Opcode::ScfYield, &[], &[], &[]);
                }
            }
            _ => self.alone(b, |inner| {
                inner.copy(op, map);
            }),
        }
    }

    /// Iterations that all threads share.
    fn nest(&self, b: &mut Builder<'_>, nest: &Nest, map: &mut ValueMap) {
        let bounds = nest.bounds(b, map);
        let (zero, threads) = (b.index(0), b.index(self.threads));
        let mut lengths = Vec::new();
        let mut points = b.index(1);
        for &[lower, upper, step] in &bounds {
            let length = b.binary(Opcode::ArithSubi, upper, lower);
            let length = b.binary(Opcode::ArithMaxsi, length, zero);
            let length = b.binary(Opcode::ArithCeildivsi, length, step);
            points = b.binary(Opcode::ArithMuli, points, length);
            lengths.push(length);
        }
        b.for_loop(self.thread, points, threads, &[], |inner, point, _| {
            let mut rest = point;
            for (at, &[lower, _, step]) in bounds.iter().enumerate().rev() {
                let here = if at == 0 { rest } else { inner.binary(Opcode::ArithRemui, rest, lengths[at]) };
                if at > 0 {
                    rest = inner.binary(Opcode::ArithDivui, rest, lengths[at]);
                }
                let far = inner.binary(Opcode::ArithMuli, here, step);
                let value = inner.binary(Opcode::ArithAddi, lower, far);
                map.set(nest.loops[at].1, value);
            }
            nest.iteration(inner, map);
            Vec::new()
        });
    }
}

/// `scf.if` without results.
fn branch(b: &mut Builder<'_>, condition: ValueId, body: impl FnOnce(&mut Builder<'_>)) {
    let new = b.op(Opcode::ScfIf, &[condition], &[], &[]);
    let then = b.ir.add_region(new);
    let block = b.ir.add_block(then, &[]);
    let mut inner = Builder::at_end(b.ir, block, b.span);
    body(&mut inner);
    inner.op(Opcode::ScfYield, &[], &[], &[]);
    b.ir.add_region(new);
}
