//! Scalar loops: compute any operation on tensors with scalar code, one thread for each point of a result.
//!
//! Before: `%0 = tensor.pad %a low[1] high[2] { … }`, `return %0`, in a function on tensors
//! After:
//!
//! ```mlir
//! scf.for %i = %thread to %n step %n_threads {
//!   %inside = …
//!   %x = scf.if %inside { memref.load %a[…] } else { … }
//!   memref.store %x, %out[%i]
//! }
//! ```
//!
//! It is the strategy for what the vector pipeline refuses, and the one that a user chooses with the pipeline
//! `LLVMGPUDistribute`. It leads from a configured function on tensors straight to a distributed kernel, whose arguments
//! are memrefs for the inputs, then for the results.
//!
//! The idea: [`rules`] has a row for each operation. Most rows say how to compute one element from elements of the
//! operands, so that the elements of a result are pulled through all operations in front of it. A few operations store
//! their results themselves, because an element depends on others: a thread then has a line of the result, or a strip.
//! Reductions run in the order of the loops, as the meaning on tensors does, so that results have the same bits.
//!
//! Lines and rows that such an operation has belong to teams of threads, some lanes or a workgroup ([`teams`]), where it
//! gives what one thread would: sorts and the best elements by comparators that order elements ([`order`]), and scatters.
//!
//! Beside that it does not try to be fast: what several elements need is computed again for each of them.

use raddle_ir::affine::BinOp;
use raddle_ir::{
    Attr, BlockId, Builder, Code, DYNAMIC, Def, Diag, Expr, Ir, Map, OpId, Opcode, Point, Scalar, Severity, Type,
    TypeId, ValueId, ValueMap,
};

use rustc_hash::FxHashMap;

use crate::code::thread_number;
use crate::config::{self, Launch};
use crate::facts::Facts;
use crate::structured::in_place;

mod best;
mod code;
mod extents;
mod lines;
mod moves;
mod order;
mod rounds;
mod rules;
mod scatter;
mod sort;
mod structured;
mod teams;

pub(crate) use order::Order;
use rules::Rule;
pub use rules::needs;
pub(crate) use scatter::{SORTED, looks_once};
pub(crate) use sort::{DIGIT, FIRST, RUNS, digits, longest};

/// Threads of a workgroup, at most.
const THREADS_MAX: i64 = 256;

/// Threads of a workgroup that has a line of at least so many elements, at most, if there are few such lines: more of them
/// wait for memory at a time.
const THREADS_MAX_OF_LINE: i64 = 1024;
const LONG_FOR_TEAMS: i64 = 1024;

/// Processors of a chip of which nothing is known.
const PROCESSORS: i64 = 64;

/// Workgroups, at most: enough for every processor of a large chip, several times.
const GROUPS_MAX: i64 = 4096;

/// Workgroups where only the run knows how many points there are: they keep a large chip busy, and cost little if there
/// are few points.
const GROUPS_OPEN: i64 = 256;

/// What is known while a kernel is written.
struct Cx {
    /// The kernel's value for each scalar of the function, and the memref for each tensor that it takes.
    map: ValueMap,
    /// The indices of the point whose region is copied: what `linalg.index` asks for.
    place: Vec<ValueId>,
    /// The number of this thread among all threads, and the number of all threads.
    threads: [ValueId; 2],
    /// The largest number of points that threads share; `None` where only the run knows it.
    most: Option<i64>,
    /// Whether threads wait for one another, which only those of one workgroup do.
    one_group: bool,
    /// Whether a thread goes along rows of points, and does not share them with others: on CPUs.
    along_rows: bool,
    launch: Launch,
    /// Bytes of shared memory that a workgroup may use.
    shared_bytes: i64,
    /// The same, at most.
    shared_bytes_max: i64,
    /// How many arguments of the kernel come before the memrefs of results.
    n_inputs: usize,
    notes: Notes,
    /// Elements of tensors at places that are computed, and in which block.
    made: FxHashMap<(ValueId, Vec<ValueId>), (ValueId, BlockId)>,
}

/// What a remark says of operations that store their results themselves.
#[derive(Default)]
struct Notes {
    /// Those whose lines and rows several threads share.
    shared: Vec<String>,
    /// Those of which one thread has a line, and why.
    alone: Vec<String>,
}

impl Notes {
    fn message(&self, name: &str) -> String {
        if self.shared.is_empty() {
            return format!(
                "`@{name}` is compiled to scalar loops, which are slow: each thread computes one point at a time"
            );
        }
        let ops = self.shared.join("` and `");
        format!("`@{name}` is compiled to scalar loops, in which several threads share a line of `{ops}`")
    }
}

impl Cx {
    /// Threads of a workgroup wait for one another, if there are several.
    fn wait(&self, b: &mut Builder<'_>) {
        if self.launch.workgroup_size > 1 {
            b.barrier();
        }
    }

    /// Says that teams compute an operation.
    fn note_shared(&mut self, ir: &Ir, op: OpId) {
        if self.launch.workgroup_size == 1 {
            return;
        }
        let name = ir.name(op).to_owned();
        if !self.notes.shared.contains(&name) {
            self.notes.shared.push(name);
        }
    }

    /// Says why one thread has a line of an operation, where others would share it.
    fn note_alone(&mut self, ir: &Ir, op: OpId, why: &str) {
        if self.launch.workgroup_size > 1 {
            self.notes.alone.push(format!("one thread has a line of `{}`: {why}", ir.name(op)));
        }
    }

    /// Whether a result lies where an argument lies.
    fn is_in_place(&self, ir: &Ir, dest: ValueId) -> bool {
        matches!(ir.def(dest), Def::Arg { index, .. } if (index as usize) < self.n_inputs)
    }

    /// Counts the points of a loop that is dealt to the threads, so many of which share a point.
    fn widen(&mut self, shape: &[i64], threads: i64) {
        let count = |n: i64, &extent: &i64| if extent < 0 { None } else { Some(n.saturating_mul(extent)) };
        self.most = self.most.zip(shape.iter().try_fold(threads, count)).map(|(most, n)| most.max(n));
    }
}

/// Whether a function is to be compiled to scalar loops.
pub fn is_chosen(ir: &Ir, func: OpId) -> bool {
    config::pipeline(ir, func).is_some_and(|name| config::SCALAR_PIPELINES.contains(&name))
}

/// A pass of the vector strategy, which leaves functions of the other one alone.
pub fn unless_chosen(
    ir: &mut Ir,
    func: OpId,
    facts: &Facts,
    pass: fn(&mut Ir, OpId, &Facts) -> Result<(), Diag>,
) -> Result<(), Diag> {
    if is_chosen(ir, func) { Ok(()) } else { pass(ir, func, facts) }
}

/// Chooses scalar loops for a function, because the user asks for them or the vector strategy refused it.
pub fn choose(ir: &mut Ir, func: OpId, refusal: Option<&Diag>, facts: &Facts) -> Result<(), Diag> {
    let mut trial = ir.clone();
    set_launch(&mut trial, func, facts)?;
    let tried = write(&mut trial, func, facts).and_then(|notes| {
        let broken = raddle_ir::verify_op(&trial, func).into_iter().find(|diag| diag.severity == Severity::Error);
        broken.map_or(Ok(notes), Err)
    });
    match (tried, refusal) {
        (Ok(_), None) => {}
        (Ok(notes), Some(refusal)) => {
            let message = notes.message(ir.symbol_name(func).unwrap_or_default());
            let remark = Diag::error(Code::KernelChoice, ir.span(func), message)
                .note(format!("vectors cannot compute it: {}", refusal.message));
            facts.remark(notes.alone.into_iter().fold(remark, Diag::note));
        }
        (Err(diag), None) => return Err(diag),
        (Err(diag), Some(refusal)) => {
            return Err(refusal.clone().note(format!("scalar loops cannot compute it either: {}", diag.message)));
        }
    }
    set_launch(ir, func, facts)
}

/// What users write on an operation that they configure.
const STATED: [&str; 3] = ["lowering_config", "compilation_info", "iree_codegen.compilation_info"];

/// Whether the user chooses how a function is compiled.
pub fn is_stated(ir: &Ir, func: OpId) -> bool {
    let has_config = |op: OpId| STATED.iter().any(|name| ir.attr_id(op, name).is_some());
    ir.attr_id(func, "translation_info").is_some() || ir.walk(func).into_iter().any(has_config)
}

/// A function as it is before a strategy is chosen, in case that the strategy fails.
pub struct Spare(OpId);

impl Spare {
    /// Keeps a function on tensors, unless the user chooses its strategy.
    pub fn of(ir: &mut Ir, func: OpId) -> Option<Spare> {
        let (inputs, results) = ir.signature(func);
        let on_tensors = inputs.iter().chain(results).any(|&ty| ir[ty].is_tensor());
        if !on_tensors || ir.body(func, 0).is_none() || is_stated(ir, func) {
            return None;
        }
        let copy = Builder::before(ir, func).copy(func, &mut ValueMap::default());
        ir.detach(copy);
        Some(Spare(copy))
    }

    /// The function works: nobody needs the copy.
    pub fn drop(self, ir: &mut Ir) {
        ir.erase(self.0);
    }

    /// Compiles the function to scalar loops, since a later pass of the vector strategy refused it.
    pub fn use_scalar_loops(self, ir: &mut Ir, func: OpId, refusal: &Diag, facts: &Facts) -> Result<(), Diag> {
        if is_chosen(ir, func) {
            return Err(refusal.clone());
        }
        let (old, new) = (ir.regions(self.0)[0], ir.regions(func)[0]);
        let blocks = ir.blocks(new).to_vec();
        ir.remove_blocks(&blocks);
        let span = ir.span(func);
        let at = Point::Before(func);
        Builder { ir, at, span }.copy_blocks(old, new, None, &mut ValueMap::default());
        ir.set_attr_dict(func, ir.attr_dict(self.0));
        ir.erase(self.0);
        choose(ir, func, Some(refusal), facts)
    }
}

/// Writes the strategy, and the size of a workgroup unless the user states it.
fn set_launch(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = match Launch::stated(ir, func)? {
        Some(launch) => {
            let bad = |why: String| Diag::error(Code::CannotConfigure, ir.span(func), why);
            facts.chip.check_workgroup(launch.extents).map_err(bad)?;
            launch
        }
        None => {
            let subgroup_size = i64::from(facts.chip.subgroup_size);
            let size = |value: ValueId| -> i64 {
                let shape = ir.ty(value).shape().unwrap_or_default();
                shape
                    .iter()
                    .fold(1i64, |n, &extent| n.saturating_mul(if extent == DYNAMIC { THREADS_MAX } else { extent }))
            };
            let results = ir.walk(func).into_iter().flat_map(|op| ir.results(op).collect::<Vec<_>>());
            let values = results.chain(ir.args(ir.entry(func)).iter().copied());
            let threads_max = if has_few_long_lines(ir, func, facts) { THREADS_MAX_OF_LINE } else { THREADS_MAX };
            let most = values.map(size).max().unwrap_or(1).clamp(1, threads_max.min(facts.chip.threads_max.into()));
            Launch::along_x((most + subgroup_size - 1) / subgroup_size * subgroup_size, subgroup_size)
        }
    };
    launch.write_for(ir, func, config::SCALAR_PIPELINES[0]);
    Ok(())
}

/// The order that the comparator of a sort has elements in, if it is one.
pub(crate) fn sort_order(ir: &Ir, op: OpId) -> Option<Order> {
    order::of(ir, op)
}

/// Whether a workgroup for each line that is sorted, or searched for its best elements, would leave processors idle.
fn has_few_long_lines(ir: &Ir, func: OpId, facts: &Facts) -> bool {
    let processors = facts.chip.processors.map_or(PROCESSORS, |processors| processors.count.into());
    ir.walk(func).into_iter().any(|op| {
        let shares = [Opcode::IreeLinalgExtSort, Opcode::IreeLinalgExtTopk, Opcode::IreeLinalgExtTopkV2]
            .contains(&ir.opcode(op));
        let shares = shares && ir.attr(op, RUNS).is_none();
        let Some((n, lines)) = shares.then(|| lines::lengths(ir, op)).flatten() else { return false };
        n >= LONG_FOR_TEAMS && lines.is_none_or(|lines| lines <= 2 * processors)
    })
}

/// Writes a function for which scalar loops are chosen as a kernel; any other stays.
pub fn scalar_loops(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    write(ir, func, facts).map(|_| ())
}

fn write(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<Notes, Diag> {
    let (inputs, results) = ir.signature(func);
    let (inputs, results) = (inputs.to_vec(), results.to_vec());
    if !is_chosen(ir, func) || !inputs.iter().chain(&results).any(|&ty| ir[ty].is_tensor()) {
        return Ok(Notes::default());
    }
    let is_number = |ty: &TypeId| Scalar::of(&ir[ir[*ty].elem().unwrap_or(*ty)]).is_some();
    if !inputs.iter().chain(&results).all(is_number) {
        return Err(refuse(ir, func, "the elements of an argument or result are not numbers"));
    }
    // A program may enter here, configured by its writer.
    set_launch(ir, func, facts)?;
    let launch = Launch::read(ir, func)?;
    if let Some(op) = ir.walk(func).into_iter().find(|&op| ir.attr(op, "lowering_config").is_some()) {
        let message = "`lowering_config` has no effect: scalar loops have one point for each thread";
        facts.remark(Diag::error(Code::CannotConfigure, ir.span(op), message));
    }
    let old = ir.entry(func);
    let region = ir.block_region(old);
    if ir.blocks(region).len() != 1 {
        return Err(refuse(ir, func, "its body has several blocks"));
    }
    if results.iter().any(|&ty| !ir[ty].is_tensor()) {
        return Err(refuse(ir, func, "a kernel returns tensors only"));
    }
    let apart = in_place::apart(ir, func);
    let types: Vec<TypeId> = inputs.iter().chain(&apart).map(|&ty| to_memref(ir, ty)).collect();
    let new = ir.add_block(region, &types);
    let args = ir.args(new).to_vec();
    let span = ir.span(func);
    let dests = in_place::destinations(ir, func, &args);
    let mut builder = Builder::at_end(ir, new, span);
    let written = kernel(&mut builder, old, &args, &dests, launch, facts);
    let (grid, notes) = match written {
        Ok(written) => written,
        Err(diag) => {
            ir.remove_block(new);
            return Err(diag);
        }
    };
    ir.remove_block(old);
    in_place::become_kernel(ir, func, &types);
    let elem = ir.int_type(32);
    let grid = ir.intern(Attr::DenseArray { elem, values: vec![grid, 1, 1] });
    ir.set_attr(func, "gpu.known_grid_size", grid);
    Ok(notes)
}

fn to_memref(ir: &mut Ir, ty: TypeId) -> TypeId {
    match ir[ty].clone() {
        Type::Tensor { shape, elem, .. } => ir.memref_type(&shape, elem, None),
        _ => ty,
    }
}

/// Writes the kernel; says how many workgroups it takes, and what is to be said of it.
fn kernel(
    builder: &mut Builder<'_>,
    old: BlockId,
    args: &[ValueId],
    dests: &[ValueId],
    launch: Launch,
    facts: &Facts,
) -> Result<(i64, Notes), Diag> {
    let old_args = builder.ir.args(old).to_vec();
    let (block, thread) = (builder.gpu_id(Opcode::GpuBlockId, 0), thread_number(builder, launch.extents));
    let first = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(launch.workgroup_size));
    let number = Expr::binary(BinOp::Add, first, Expr::Dim(1));
    let thread = builder.apply(Map { dims: 2, syms: 0, results: vec![number] }, &[block, thread]);
    // How many threads there are is known when all loops are written.
    let n_threads = builder.index(1);
    let mut cx = Cx {
        map: ValueMap::default(),
        place: Vec::new(),
        threads: [thread, n_threads],
        most: Some(1),
        one_group: false,
        along_rows: facts.chip.native.is_some(),
        launch,
        shared_bytes: facts.chip.shared_bytes_planned.into(),
        shared_bytes_max: facts.chip.shared_bytes_max.into(),
        n_inputs: old_args.len(),
        notes: Notes::default(),
        made: FxHashMap::default(),
    };
    for (&old, &new) in old_args.iter().zip(args) {
        cx.map.set(old, new);
    }
    let mut returned = Vec::new();
    for op in builder.ir.ops_of(old) {
        builder.span = builder.ir.span(op);
        let on_tensors = builder.ir.results(op).any(|value| builder.ir.ty(value).is_tensor());
        if builder.ir.opcode(op) == Opcode::FuncReturn {
            returned = builder.ir.operands(op).to_vec();
        } else if !on_tensors {
            rules::scalar(&mut cx, builder, op)?;
        }
    }
    results(&mut cx, builder, &returned, dests)?;
    builder.op(Opcode::FuncReturn, &[], &[], &[]);
    let groups = match cx.most {
        _ if cx.one_group => 1,
        Some(most) => ((most - 1).max(0) / launch.workgroup_size + 1).min(GROUPS_MAX),
        None => GROUPS_OPEN,
    };
    let value = Attr::Int { value: (groups * launch.workgroup_size).into(), ty: builder.ir.index_type() };
    let value = builder.ir.intern(value);
    let op = builder.ir.def_op(n_threads).expect("a constant is the result of an operation");
    builder.ir.set_attr(op, "value", value);
    Ok((groups, cx.notes))
}

/// Stores what the function returns.
fn results(cx: &mut Cx, builder: &mut Builder<'_>, returned: &[ValueId], dests: &[ValueId]) -> Result<(), Diag> {
    let mut done: Vec<ValueId> = Vec::new();
    let dests_of = |value: ValueId| -> Vec<ValueId> {
        returned.iter().zip(dests).filter(|at| *at.0 == value).map(|at| *at.1).collect()
    };
    for &value in returned {
        if done.contains(&value) {
            continue;
        }
        let maker = match builder.ir.def(value) {
            Def::Result { op, index } => rules::of(builder.ir, op).map(|rule| (op, index as usize, rule)),
            Def::Arg { .. } => None,
        };
        let Some((op, index, rule)) = maker else {
            done.push(value);
            each_point(cx, builder, value, |cx, b, at| {
                let element = rules::element(cx, b, value, at)?;
                dests_of(value).into_iter().for_each(|dest| store(b, element, dest, at));
                Ok(())
            })?;
            continue;
        };
        builder.span = builder.ir.span(op);
        let own: Vec<ValueId> = builder.ir.results(op).collect();
        if let Rule::Stores(write) = rule {
            let mut into = Vec::new();
            for (i, &result) in own.iter().enumerate() {
                match dests_of(result)[..] {
                    [dest] => into.push(dest),
                    [] if !needs(builder.ir, op, i) => {}
                    _ => return Err(refuse(builder.ir, op, "each of its results must be returned once")),
                }
            }
            write(cx, builder, op, &into)?;
            done.extend(own);
            continue;
        }
        let alike = rules::alike(builder.ir, op, index);
        let alike: Vec<usize> = alike.into_iter().filter(|&result| returned.contains(&own[result])).collect();
        each_point(cx, builder, value, |cx, b, at| {
            let elements = rules::elements(cx, b, op, &alike, at)?;
            for (element, &result) in elements.into_iter().zip(&alike) {
                dests_of(own[result]).into_iter().for_each(|dest| store(b, element, dest, at));
            }
            Ok(())
        })?;
        done.extend(alike.iter().map(|&result| own[result]));
    }
    Ok(())
}

/// Deals the points of a tensor to the threads.
fn each_point(
    cx: &mut Cx,
    builder: &mut Builder<'_>,
    value: ValueId,
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<(), Diag>,
) -> Result<(), Diag> {
    let shape = builder.ir.shape_of(value).to_vec();
    let extents = extents::of(cx, builder, value)?;
    code::deal(cx, builder, &shape, &extents, body)
}

fn store(builder: &mut Builder<'_>, element: ValueId, dest: ValueId, at: &[ValueId]) {
    builder.op(Opcode::MemrefStore, &[&[element, dest], at].concat(), &[], &[]);
}

fn load(builder: &mut Builder<'_>, from: ValueId, at: &[ValueId]) -> ValueId {
    let elem = builder.ir.elem_of(from);
    builder.value(Opcode::MemrefLoad, &[&[from], at].concat(), elem, &[])
}

/// Why scalar loops cannot compute something.
fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    Diag::error(Code::CannotConfigure, ir.span(op), format!("scalar loops cannot compute `{}`", ir.name(op)))
        .note(why.to_owned())
}
