//! The verifier: what views, passes, emulator and emitters rely on, checked once.
//!
//! It checks, in this order, the types of operands and results of each operation against the op table, its structure
//! (parts, regions, terminators), each operation's own rules (`rules.rs` and a file for each dialect), that values are
//! defined where they are used, and that symbols are unique. Rules of an operation are only checked once its structure
//! holds, so that they may take it apart without care.

mod affine;
mod amdgpu;
mod codegen;
mod dominance;
mod gpu;
mod host;
mod iree;
mod layouts;
mod linalg_ext;
mod llvm;
mod loops;
mod memory;
mod named;
mod nvgpu;
mod nvvm;
mod parts;
mod pcf;
mod raddle;
mod rules;
mod scripts;
mod sequences;
mod structured;
mod tensor_ext;
mod tensors;
mod tuning;
mod vector;
pub mod wording;

use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::form::{Arity, Body, Group, Rule, Shape, Sort};
use crate::ids::{BlockId, OpId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::{self, OfRows, OpInfo, Opcode};
use crate::text::{dynamic_extents, group_range, result_range};
use crate::types::Type;
use wording::{ensure, quoted, wrong};

/// The first violation of a rule, boxed because it is large and rare.
pub type Check = Result<(), Box<Diag>>;

pub use layouts::warnings;
pub use structured::undefined_sums;

/// Everything that is wrong with a module: at most one finding for each operation.
pub fn verify(ir: &Ir) -> Vec<Diag> {
    let (mut diags, whole) = check_inside(ir, ir.module());
    if whole {
        symbols(ir, &mut diags);
        memory::globals(ir, &mut diags);
    }
    in_order(diags)
}

/// Everything that is wrong with an operation and those inside it, as far as it can be seen without the rest of the
/// module: which symbols there are is not checked.
pub fn verify_op(ir: &Ir, op: OpId) -> Vec<Diag> {
    in_order(check_inside(ir, op).0)
}

/// Findings in the order of the text.
fn in_order(mut diags: Vec<Diag>) -> Vec<Diag> {
    diags.sort_by_cached_key(|diag| diag.span.map_or(0, |span| span.start as usize));
    diags
}

/// The findings, and whether each operation by itself is right.
fn check_inside(ir: &Ir, root: OpId) -> (Vec<Diag>, bool) {
    let mut diags = Vec::new();
    let (mut broken, mut vars) = (FxHashSet::default(), Vec::new());
    let mut right = FxHashMap::default();
    for op in std::iter::once(root).chain(ir.walk(root)) {
        // What stands inside a broken operation may only look wrong because of it.
        let inside = !broken.is_empty() && ir.parent_op(op).is_some_and(|parent| broken.contains(&parent));
        if inside {
            broken.insert(op);
        } else if is_like_another(ir, op, &mut right) {
            continue;
        } else if let Err(diag) = check_op(ir, op, &mut vars) {
            diags.push(*diag);
            broken.insert(op);
            right.retain(|_, other| *other != op);
        }
    }
    // Where blocks lack their terminators there is no control flow to follow.
    if broken.is_empty() {
        dominance::check(ir, root, &mut diags);
    }
    (diags, broken.is_empty())
}

/// Whether nothing tells an operation from one of `right` that its rules could ask for; if not, it is there afterwards.
/// Unrolled programs have thousands of operations of some dozens of kinds.
fn is_like_another(ir: &Ir, op: OpId, right: &mut FxHashMap<u64, OpId>) -> bool {
    if !is_seen_alone(ir.opcode(op)) || !ir.regions(op).is_empty() || !ir.successors(op).is_empty() {
        return false;
    }
    let of = |op| (ir.opcode(op), ir.attr_dict(op), ir.operands(op).len(), ir.results(op).len());
    let mut hasher = FxHasher::default();
    of(op).hash(&mut hasher);
    ir.operands(op).iter().copied().chain(ir.results(op)).for_each(|value| ir.type_of(value).hash(&mut hasher));
    let alike = |a: ValueId, b: ValueId| ir.type_of(a) == ir.type_of(b);
    match right.entry(hasher.finish()) {
        Entry::Occupied(entry) => {
            let other = *entry.get();
            of(other) == of(op)
                && ir.operands(other).iter().zip(ir.operands(op)).all(|(&a, &b)| alike(a, b))
                && ir.results(other).zip(ir.results(op)).all(|(a, b)| alike(a, b))
        }
        Entry::Vacant(entry) => {
            // Layouts are for the threads of the function around.
            if ir.attr_id(op, "layouts").is_none() {
                entry.insert(op);
            }
            false
        }
    }
}

/// Whether the rules of an operation without regions ask for its row, its attributes and its types, and for nothing that
/// stands around it or makes its operands.
fn is_seen_alone(opcode: Opcode) -> bool {
    static ALONE: OfRows<Vec<bool>> = OfRows::new(|| {
        let asks_for_types = |opcode: Opcode| {
            matches!(opcode.dialect(), "arith" | "math" | "vector" | "nvgpu")
                || matches!(opcode, Opcode::AffineLinearizeIndex | Opcode::AffineDelinearizeIndex)
                || matches!(opcode, Opcode::MemrefLoad | Opcode::MemrefStore)
        };
        let alone = |opcode: Opcode| asks_for_types(opcode) && is_plain(opcode);
        Opcode::places().map(alone).collect()
    });
    ALONE[opcode.place()]
}

/// Whether the parts of an operation are all there, so that custom assembly can show it. What is written by hand
/// relies on all rules, a format only on the parts that it names.
pub(crate) fn is_printable(ir: &Ir, op: OpId, by_hand: bool) -> bool {
    let opcode = ir.opcode(op);
    if opcode == Opcode::Unregistered {
        return false;
    }
    if by_hand {
        return check_op(ir, op, &mut Vec::new()).is_ok();
    }
    let shape = Shape::of(opcode);
    counts(ir, op, shape).is_ok() && structure(ir, op, shape).is_ok() && rules::attributes(ir, op).is_ok()
}

/// What is wrong with an operation by itself; `vars` is a list to work with.
fn check_op(ir: &Ir, op: OpId, vars: &mut Vec<Bound>) -> Check {
    let opcode = ir.opcode(op);
    if !ir.successors(op).is_empty() {
        // The first block of a region is where it is entered, and only there.
        let entry = ir.parent_block(op).and_then(|block| ir.blocks(ir.block_region(block)).first());
        let again = entry.is_some_and(|entry| ir.successors(op).contains(entry));
        if again {
            let parent = ir.parent_op(op).map_or(ir.span(op), |parent| ir.span(parent));
            let diag = Diag::error(Code::BadOperation, parent, "entry block of region may not have predecessors");
            return Err(Box::new(diag.related(ir.span(op), "this goes to the first block of its region")));
        }
    }
    if opcode == Opcode::Unregistered {
        return Ok(());
    }
    let shape = Shape::of(opcode);
    counts(ir, op, shape)?;
    types(ir, op, shape, vars)?;
    structure(ir, op, shape)?;
    for &(name, group) in &shape.mixed {
        let numbers = ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        rules::dynamic_count(ir, op, name, &numbers, group_range(ir, op, shape, group).len())?;
    }
    rules::check(ir, op)?;
    extents(ir, op, shape)?;
    layouts::check(ir, op)
}

/// Where a format has `type{extents}`, there is one for each dynamic dimension of the type.
fn extents(ir: &Ir, op: OpId, shape: &Shape) -> Check {
    for &(types, of_results, dims) in &shape.extents {
        let found = group_range(ir, op, shape, dims).len();
        let value = if of_results {
            let (skip, take) = result_range(ir, op, shape, types);
            ir.results(op).skip(skip).take(take).next()
        } else {
            ir.operands(op)[group_range(ir, op, shape, types)].first().copied()
        };
        let Some(ty) = value.map(|value| ir.type_of(value)) else { continue };
        // Other types have sizes of other kinds.
        let has_shape = match &ir[ty] {
            Type::Dialect(text) => ["iree_tensor_ext", "flow"].iter().any(|dialect| {
                ir[*text].strip_prefix(dialect).is_some_and(|rest| rest.starts_with(".dispatch.tensor<"))
            }),
            ty => ty.shape().is_some(),
        };
        let expected = dynamic_extents(ir, ty);
        if !has_shape {
            continue;
        }
        if found != expected {
            let message =
                format!("value set has {expected} dynamic dimensions but only {found} dimension values are attached");
            return Err(wrong(ir, op, message));
        }
    }
    Ok(())
}

/// Operands and results in number.
fn counts(ir: &Ir, op: OpId, shape: &Shape) -> Check {
    let n = ir.operands(op).len();
    if shape.segmented {
        let sizes = ir.attr_id(op, "operandSegmentSizes").and_then(|attr| ir.ints(attr));
        let least = shape.operands.iter().filter(|group| !group.many && !group.optional).count();
        ensure(ir, op, n >= least, || format!("expected {least} or more operands, but found {n}"))?;
        let Some(sizes) = sizes else { return Err(wrong(ir, op, "has no `operandSegmentSizes`")) };
        ensure(ir, op, sizes.len() == shape.operands.len(), || {
            format!("has {} groups of operands, but `operandSegmentSizes` names {}", shape.operands.len(), sizes.len())
        })?;
        let total = sizes.iter().try_fold(0i64, |sum, &size| if size < 0 { None } else { sum.checked_add(size) });
        ensure(ir, op, total == i64::try_from(n).ok(), || {
            format!("has {n} operands, but `operandSegmentSizes` sums up to another number")
        })?;
        for (group, &size) in shape.operands.iter().zip(&sizes) {
            let fits = group.many || size == 1 || group.optional && size == 0;
            ensure(ir, op, fits, || format!("has {size} operands in the place of `{}`", group.name))?;
        }
    } else {
        number(ir, op, n, shape.n_operands, "operands")?;
    }
    number(ir, op, ir.results(op).len(), shape.n_results, "results")
}

fn number(ir: &Ir, op: OpId, n: usize, Arity { fixed, most }: Arity, what: &str) -> Check {
    ensure(ir, op, (fixed..=most).contains(&n), || {
        let wanted = match (fixed, most > fixed, what) {
            (fixed, true, _) => format!("expected {fixed} or more {what}"),
            (0, false, _) => format!("requires zero {what}"),
            (1, false, "operands") => "requires a single operand".to_owned(),
            (1, false, _) => "requires one result".to_owned(),
            (fixed, false, _) => format!("expected {fixed} {what}"),
        };
        format!("{wanted}, but found {n}")
    })
}

fn structure(ir: &Ir, op: OpId, shape: &Shape) -> Check {
    let opcode = ir.opcode(op);
    let broken = |span: Span, message: String| Err(Box::new(Diag::error(Code::BadStructure, span, message)));
    let regions = ir.regions(op);
    let alone = regions.is_empty() && shape.bodies.is_empty() && ir.successors(op).is_empty();
    if alone && is_plain(opcode) {
        return Ok(());
    }
    let repeats = shape.bodies.last().is_some_and(|body| body.repeats);
    let wanted = shape.bodies.len();
    if regions.len() != wanted && (!repeats || regions.len() + 1 < wanted) {
        let some = match wanted {
            0 => "requires zero regions".to_owned(),
            1 => "requires one region".to_owned(),
            n => format!("expected {n} regions"),
        };
        return broken(ir.span(op), format!("'{}' op {some}, not {}", ir.name(op), regions.len()));
    }
    let bodies = shape.bodies.iter().chain(shape.bodies.last().into_iter().cycle().take(regions.len()));
    for (number, (body, &region)) in bodies.zip(regions).enumerate() {
        let blocks = ir.blocks(region);
        if blocks.is_empty() && !body.empty {
            return broken(ir.span(op), format!("'{}' op has a block in each region", ir.name(op)));
        }
        if blocks.len() > 1 && !body.many {
            let n = blocks.len();
            return broken(
                ir.span(op),
                format!("'{}' op expects region #{number} to have 0 or 1 blocks, not {n}", ir.name(op)),
            );
        }
        if body.ends.is_empty() {
            continue;
        }
        for &block in blocks {
            let last = ir.terminator(block);
            let ends = last.is_some_and(|last| {
                ir.name(last) == body.ends
                    || body.many
                        && (ir.opcode(last) == Opcode::Unregistered
                            || ir.opcode(last).is_stop()
                            || !ir.successors(last).is_empty())
            });
            if !ends {
                let none = last.is_none_or(|last| !ends_block(ir, last));
                if let Some(diag) = wrong_end(ir, op, number, *body, last.filter(|_| !none), last.is_none()) {
                    let note =
                        last.map_or((ir.span(op), "no terminator here"), |last| (ir.span(last), "terminator here"));
                    return Err(Box::new(diag.related(note.0, note.1)));
                }
                let span = last.map_or(ir.span(op), |last| ir.span(last));
                if none {
                    // What is wrong inside may be why there is no end.
                    let all = ir.block_ops(block).flat_map(|op| std::iter::once(op).chain(ir.walk(op)));
                    all.into_iter().try_for_each(|op| check_op(ir, op, &mut Vec::new()))?;
                }
                let missing = match last {
                    None => "empty block: expect at least a terminator: ",
                    Some(_) if none => "block with no terminator: ",
                    Some(_) => "",
                };
                let (whole, wanted) = (ir.name(op), body.ends);
                if !none && body.many {
                    let message = format!("expected `{wanted}` or a terminator with successors");
                    let diag = Diag::error(Code::BadStructure, span, message);
                    return Err(Box::new(diag.related(ir.span(op), format!("in '{whole}' body region"))));
                }
                let message = format!("{missing}a block of `{whole}` ends with `{wanted}`");
                return broken(span, message);
            }
        }
    }
    let branches = opcode.is_branch();
    if !ir.successors(op).is_empty() && !branches {
        return broken(ir.span(op), format!("'{}' op goes to no other block", ir.name(op)));
    }
    // What leaves a region stands at its end, inside an operation that waits for it.
    let end = is_end(opcode);
    if end && !opcode.is_stop() {
        let parent = ir.parent_op(op);
        let fits = parent.is_some_and(|parent| {
            ir.opcode(parent) == Opcode::Unregistered
                || Shape::of(ir.opcode(parent)).bodies.iter().any(|body| body.ends == opcode.name())
        });
        if !fits {
            return broken(ir.span(op), format!("'{}' op expects parent op {}", ir.name(op), parents(opcode)));
        }
    }
    if (end || opcode.is_stop() || branches) && ir.next_op(op).is_some() {
        return broken(ir.span(op), format!("'{}' op is not the last operation of its block", ir.name(op)));
    }
    if opcode == Opcode::TensorParallelInsertSlice {
        let parent = ir.parent_op(op).map(|parent| ir.opcode(parent));
        if parent != Some(Opcode::ScfForallInParallel) {
            return broken(ir.span(op), format!("'{}' op stands inside 'scf.forall.in_parallel'", ir.name(op)));
        }
    }
    Ok(())
}

/// What MLIR says where an operation looks itself at what ends its region; `last` is what does.
fn wrong_end(ir: &Ir, op: OpId, number: usize, body: Body, last: Option<OpId>, is_empty: bool) -> Option<Diag> {
    let ends = body.ends;
    let message = match (ir.opcode(op), last) {
        (_, None) if is_empty => match ir.opcode(op) {
            Opcode::TransformNamedSequence => "expected a non-empty body block".to_owned(),
            Opcode::ScfWhile => "expects a non-empty block".to_owned(),
            _ => return None,
        },
        (Opcode::ScfParallel, _) => format!("expects body to terminate with '{ends}'"),
        (Opcode::ScfWhile, _) => {
            format!("expects the '{}' region to terminate with '{ends}'", if number == 0 { "before" } else { "after" })
        }
        (Opcode::ScfReduce, _) => format!("reduction bodies must be terminated with an '{ends}' op"),
        (Opcode::ScfIndexSwitch, Some(last)) => {
            format!("expected region to end with {ends}, but got {}", ir.name(last))
        }
        (Opcode::TransformNamedSequence, Some(_)) => format!("expected '{ends}' as terminator"),
        (Opcode::TransformSequence, None) => "expects to have a terminator in the body".to_owned(),
        (opcode, Some(last)) if body.implied || opcode == Opcode::ScfForall => {
            let message =
                format!("'{}' op expects regions to end with '{ends}', found '{}'", ir.name(op), ir.name(last));
            let note = format!("in custom textual format, the absence of terminator implies '{ends}'");
            return Some(Diag::error(Code::BadStructure, ir.span(op), message).related(ir.span(op), note));
        }
        _ => return None,
    };
    Some(Diag::error(Code::BadStructure, ir.span(op), format!("'{}' op {message}", ir.name(op))))
}

/// Whether an operation is known to be the last of its block, wherever it stands.
pub(crate) fn ends_block(ir: &Ir, op: OpId) -> bool {
    is_end(ir.opcode(op)) || ir.opcode(op).is_stop() || !ir.successors(op).is_empty()
}

/// The operations with a region that ends with this one.
fn parents(opcode: Opcode) -> String {
    let ends = |row: &&OpInfo| row.form.bodies().any(|body| body.ends == opcode.name());
    let names: Vec<&str> = ops::all().filter(ends).map(|row| row.name).collect();
    match names[..] {
        [only] => format!("'{only}'"),
        _ => format!("to be one of '{}'", names.join(", ")),
    }
}

/// Whether some region ends with this operation.
fn is_end(opcode: Opcode) -> bool {
    static ENDS: OfRows<Vec<bool>> = OfRows::new(|| {
        let ends: FxHashSet<&str> = ops::all().flat_map(|row| row.form.bodies()).map(|body| body.ends).collect();
        Opcode::places().map(|opcode| opcode != Opcode::Unregistered && ends.contains(opcode.name())).collect()
    });
    ENDS[opcode.place()]
}

/// Whether this operation, as most of them, may stand at any place of any block.
fn is_plain(opcode: Opcode) -> bool {
    static PLAIN: OfRows<Vec<bool>> = OfRows::new(|| {
        let bound = |opcode| is_end(opcode) || opcode.is_stop() || opcode == Opcode::TensorParallelInsertSlice;
        Opcode::places().map(|opcode| !(bound(opcode) || opcode.is_branch())).collect()
    });
    PLAIN[opcode.place()]
}

/// Types of operands and results against the signature.
fn types(ir: &Ir, op: OpId, shape: &Shape, vars: &mut Vec<Bound>) -> Check {
    vars.clear();
    let mut start = 0;
    let n_operands = ir.operands(op).len();
    for (i, group) in shape.operands.iter().enumerate() {
        let range =
            if shape.segmented { group_range(ir, op, shape, i) } else { unsegmented(shape, i, start, n_operands) };
        start = range.end;
        for at in range {
            bind(ir, op, shape, group, ("operand", at), ir.type_of(ir.operand(op, at)), vars)?;
        }
    }
    let n_results = ir.results(op).len();
    let fixed = shape.results.iter().filter(|g| !g.many && !g.optional).count();
    let mut results = ir.results(op).enumerate();
    for group in &shape.results {
        let n = if group.many || group.optional { n_results - fixed.min(n_results) } else { 1 };
        for (at, value) in results.by_ref().take(n) {
            bind(ir, op, shape, group, ("result", at), ir.type_of(value), vars)?;
        }
    }
    for (i, group) in shape.results.iter().enumerate() {
        let Rule::Same(of) = group.rule else { continue };
        let given = shape.operands.iter().position(|group| group.name == of).expect("the row has the group");
        let given = types_of(ir, &ir.operands(op)[group_range(ir, op, shape, given)]);
        let (skip, take) = result_range(ir, op, shape, i);
        let same = ir.results(op).skip(skip).take(take).map(|value| ir.type_of(value)).eq(given);
        if !same {
            let message = format!("failed to verify that all of {{{of}, {}}} have same type", group.name);
            return Err(wrong(ir, op, message));
        }
    }
    // What depends on a variable is checked once all are known.
    if !shape.derives {
        return Ok(());
    }
    start = 0;
    for (i, group) in shape.operands.iter().enumerate() {
        let range =
            if shape.segmented { group_range(ir, op, shape, i) } else { unsegmented(shape, i, start, n_operands) };
        start = range.end;
        for at in range {
            derived(ir, op, shape, group, "argument", ir.type_of(ir.operand(op, at)), vars)?;
        }
    }
    let mut results = ir.results(op);
    for group in &shape.results {
        let n = if group.many || group.optional { n_results - fixed.min(n_results) } else { 1 };
        for value in results.by_ref().take(n) {
            derived(ir, op, shape, group, "result", ir.type_of(value), vars)?;
        }
    }
    Ok(())
}

/// Groups one after the other: at most one has a length of its own and takes what the others leave.
fn unsegmented(shape: &Shape, group: usize, start: usize, n: usize) -> std::ops::Range<usize> {
    let this = &shape.operands[group];
    if !this.many && !this.optional {
        return start..start + 1;
    }
    let after = shape.operands[group + 1..].len();
    start..n - after
}

/// The type that a letter of a signature stands for, and where it was seen first.
struct Bound {
    letter: u8,
    ty: TypeId,
    place: (&'static str, usize),
}

fn bind(
    ir: &Ir,
    op: OpId,
    shape: &Shape,
    group: &Group,
    place: (&'static str, usize),
    ty: TypeId,
    vars: &mut Vec<Bound>,
) -> Check {
    let sort = match group.rule {
        Rule::Var(letter) => {
            match vars.iter().find(|var| var.letter == letter) {
                // What no value of this row may be is said first.
                Some(other) if other.ty != ty && shape.sort_of(group.rule).holds(ir, ty) => {
                    let message = unlike(ir, op, shape, letter, (place, ty), other);
                    return Err(wrong(ir, op, message));
                }
                Some(other) if other.ty == ty => return Ok(()),
                Some(_) => {}
                None => vars.push(Bound { letter, ty, place }),
            }
            shape.sort_of(group.rule)
        }
        Rule::Sort(_) | Rule::FlagFor(_) => shape.sort_of(group.rule),
        Rule::ElemOf(_) | Rule::BoolOf(_) | Rule::Same(_) | Rule::PairOf(_) => return Ok(()),
    };
    if sort.holds(ir, ty) {
        return Ok(());
    }
    // In MLIR's words; the note is ours.
    let (kind, at) = place;
    let many = if group.many { "variadic of " } else { "" };
    let (wanted, found) = (sort.constraint(), quoted(ir, ty));
    let diag = wrong(ir, op, format!("{kind} #{at} must be {many}{wanted}, but got {found}"));
    Err(Box::new(diag.note(format!("this is `{}`: {}", group.name, sort.describe()))))
}

/// What is wrong with a value whose type is not that of another one with the same letter, as MLIR says it.
fn unlike(
    ir: &Ir,
    op: OpId,
    shape: &Shape,
    letter: u8,
    (place, ty): ((&'static str, usize), TypeId),
    other: &Bound,
) -> String {
    if is_of_llvm(ir, op) {
        let (mut first, mut second) = ((other.place, other.ty), (place, ty));
        // Results stand in front.
        if place.0 != other.place.0 {
            std::mem::swap(&mut first, &mut second);
        }
        let [(a, n), (b, k)] = [first.0, second.0];
        let types = format!("{}, {}", quoted(ir, first.1), quoted(ir, second.1));
        return format!("failed to verify that {a} #{n} and {b} #{k} have the same type: {types}");
    }
    let groups = shape.operands.iter().chain(&shape.results);
    let alike = groups.filter(|other| matches!(other.rule, Rule::Var(of) if of == letter));
    let names: Vec<&str> = alike.map(|group| group.name).collect();
    let rule = if names.len() == shape.operands.len() + shape.results.len() {
        "requires the same type for all operands and results".to_owned()
    } else {
        format!("failed to verify that all of {{{}}} have same type", names.join(", "))
    };
    let (what, at) = place;
    let (ty, other) = (quoted(ir, ty), quoted(ir, other.ty));
    format!("{rule}: {what} #{at} has {ty}, but {other} elsewhere")
}

/// Whether the operation's dialect says the rules of types as LLVM's does.
fn is_of_llvm(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op).dialect(), "llvm" | "nvvm" | "rocdl")
}

fn derived(ir: &Ir, op: OpId, shape: &Shape, group: &Group, what: &str, ty: TypeId, vars: &[Bound]) -> Check {
    let (letter, is_elem) = match group.rule {
        Rule::ElemOf(letter) => (letter, true),
        Rule::BoolOf(letter) => (letter, false),
        Rule::Var(_) | Rule::Sort(_) | Rule::Same(_) | Rule::FlagFor(_) | Rule::PairOf(_) => return Ok(()),
    };
    let Some(of) = vars.iter().find(|var| var.letter == letter).map(|var| var.ty) else { return Ok(()) };
    let holds = if is_elem {
        ir[of].elem() == Some(ty)
    } else {
        let elem = ir[ty].elem().unwrap_or(ty);
        Sort::I1.holds(ir, elem) && same_shape(ir, ty, of)
    };
    if holds {
        return Ok(());
    }
    let (name, of, found) = (group.name, quoted(ir, of), quoted(ir, ty));
    if !is_elem {
        return Err(wrong(ir, op, format!("takes `i1` in the shape of {of} for `{name}`, not {found}")));
    }
    let mut groups = shape.operands.iter().chain(&shape.results);
    let container = groups.find(|group| group.rule == Rule::Var(letter)).map_or("", |group| group.name);
    let message = if is_of_llvm(ir, op) {
        format!("failed to verify that {what} type matches vector element type")
    } else {
        format!("failed to verify that {name} type matches element type of {container}")
    };
    Err(Box::new(wrong(ir, op, message).note(format!("`{name}` has type {found}, and `{container}` {of}"))))
}

/// Whether two types are both scalars, or containers of one kind and shape.
fn same_shape(ir: &Ir, a: TypeId, b: TypeId) -> bool {
    match (&ir[a], &ir[b]) {
        (Type::Vector { shape: a, scalable: s, .. }, Type::Vector { shape: b, scalable: t, .. }) => a == b && s == t,
        (Type::Tensor { shape: a, encoding: e, .. }, Type::Tensor { shape: b, encoding: f, .. }) => a == b && e == f,
        (Type::UnrankedTensor(_), Type::UnrankedTensor(_)) => true,
        (a, b) => a.elem().is_none() && b.elem().is_none(),
    }
}

/// What has a name, by the block that it stands in.
type Names<'a> = FxHashMap<(BlockId, &'a str), OpId>;

/// Names of functions are unique, and calls fit what they call.
fn symbols(ir: &Ir, diags: &mut Vec<Diag>) {
    let mut known = Names::default();
    let ops = ir.walk(ir.module());
    for &op in &ops {
        let (Some(block), Some(name)) = (ir.parent_block(op), ir.symbol_name(op)) else { continue };
        // A call may carry what is said of the function that it calls, with its name.
        if ir.opcode(op) == Opcode::LlvmCall {
            continue;
        }
        if let Some(&other) = known.get(&(block, name)) {
            let diag = Diag::error(Code::Name, ir.span(op), format!("redefinition of symbol named '{name}'"));
            diags.push(diag.related(ir.span(other), "see existing symbol definition here"));
        } else {
            known.insert((block, name), op);
        }
    }
    for &op in &ops {
        let found = |name: &str| {
            let path = match ir.attr(op, name)? {
                Attr::Array(items) => match &ir[*items.first()?] {
                    Attr::Symbol(path) => path,
                    _ => return None,
                },
                Attr::Symbol(path) => path,
                _ => return None,
            };
            resolve(ir, op, path, &known)
        };
        let checked = match ir.opcode(op) {
            Opcode::FuncCall => call(ir, op, &known),
            Opcode::FuncConstant => reference(ir, op, &known),
            Opcode::UtilGlobalLoad | Opcode::UtilGlobalStore | Opcode::UtilGlobalAddress => {
                host::global(ir, op, found("global"))
            }
            Opcode::GpuLaunchFunc => gpu::launched(ir, op, |path| resolve(ir, op, path, &known)),
            // What is not there may yet be linked.
            Opcode::FlowDispatch => match found("entry_points") {
                Some(export) if ir.opcode(export) == Opcode::FlowExecutableExport => host::dispatch(ir, op, export),
                _ => Ok(()),
            },
            Opcode::LlvmCall
            | Opcode::LlvmMlirAddressof
            | Opcode::LlvmDsoLocalEquivalent
            | Opcode::LlvmBlockaddress => llvm::symbols(ir, op, &|path| resolve(ir, op, path, &known)),
            Opcode::LlvmFunc | Opcode::LlvmMlirGlobal | Opcode::LlvmMlirGlobalCtors | Opcode::LlvmMlirGlobalDtors => {
                llvm::symbols(ir, op, &|path| resolve(ir, op, path, &known))
            }
            _ => Ok(()),
        };
        diags.extend(checked.err().map(|diag| *diag));
    }
    sequences::check(ir, &ops, &known, diags);
}

/// The operation that a symbol names, as seen from another: the nearest of its first name, and inside of it the rest.
fn resolve(ir: &Ir, from: OpId, path: &[StrId], known: &Names<'_>) -> Option<OpId> {
    let (first, rest) = path.split_first()?;
    let mut outer = std::iter::successors(Some(from), |&op| ir.parent_op(op));
    let mut found = outer.find_map(|op| known.get(&(ir.parent_block(op)?, &ir[*first])).copied())?;
    for name in rest {
        let block = *ir.regions(found).iter().find_map(|&region| ir.blocks(region).first())?;
        found = known.get(&(block, &ir[*name])).copied()?;
    }
    Some(found)
}

fn call(ir: &Ir, op: OpId, known: &Names<'_>) -> Check {
    let Some(Attr::Symbol(path)) = ir.attr(op, "callee") else { return Err(wrong(ir, op, "has no callee")) };
    ensure(ir, op, path.len() == 1, || "calls a function by a name inside another: its callee is one name".to_owned())?;
    let func = function(ir, op, &ir[path[0]], known)?;
    let (inputs, results) = ir.signature(func);
    let given: Vec<TypeId> = ir.operands(op).iter().map(|&value| ir.type_of(value)).collect();
    let taken: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    let mismatch = if given.len() != inputs.len() {
        format!("incorrect number of operands for callee: {} for {}", given.len(), inputs.len())
    } else if taken.len() != results.len() {
        format!("incorrect number of results for callee: {} for {}", taken.len(), results.len())
    } else if let Some(at) = (0..given.len()).find(|&at| given[at] != inputs[at]) {
        let (expected, found) = (quoted(ir, inputs[at]), quoted(ir, given[at]));
        format!("operand type mismatch: expected operand type {expected}, but provided {found} for operand number {at}")
    } else if let Some(at) = (0..taken.len()).find(|&at| taken[at] != results[at]) {
        let (expected, found) = (quoted(ir, results[at]), quoted(ir, taken[at]));
        format!("result type mismatch at index {at}: expected {expected}, but taken as {found}")
    } else {
        return Ok(());
    };
    Err(Box::new(wrong(ir, op, mismatch).related(ir.span(func), "declared here")))
}

/// `func.constant`: the type is that of the function.
fn reference(ir: &Ir, op: OpId, known: &Names<'_>) -> Check {
    let Some(Attr::Symbol(path)) = ir.attr(op, "value") else { return Ok(()) };
    let func = function(ir, op, &ir[path[0]], known)?;
    let fits = matches!(ir.attr(func, "function_type"), Some(&Attr::Type(ty)) if ty == ir.type_of(ir.result(op, 0)));
    ensure(ir, op, fits, || "reference to function with mismatched type".to_owned())
        .map_err(|diag| Box::new(diag.related(ir.span(func), "declared here")))
}

/// What has this name for an operation: the innermost definition around it.
fn function(ir: &Ir, op: OpId, name: &str, known: &Names<'_>) -> Result<OpId, Box<Diag>> {
    let mut around = std::iter::successors(Some(op), |&op| ir.parent_op(op));
    let found = around.find_map(|op| known.get(&(ir.parent_block(op)?, name)).copied());
    found.ok_or_else(|| {
        let names = known.keys().map(|key| key.1);
        let mut diag = Diag::error(Code::Name, ir.span(op), format!("reference to undefined function '{name}'"));
        if let Some(near) = crate::text::suggest(name, names) {
            diag = diag.help(format!("did you mean `@{near}`?"));
        }
        Box::new(diag)
    })
}

/// The types of values.
fn types_of(ir: &Ir, values: &[ValueId]) -> Vec<TypeId> {
    values.iter().map(|&value| ir.type_of(value)).collect()
}
