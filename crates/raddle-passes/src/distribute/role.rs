//! Roles: regions that some subgroups run while the others go on.
//!
//! Before: `%s = scf.execute_region -> vector<64x64xf32> no_inline { … } {raddle.subgroups = array<i64: 4, 2>}`
//! After: `%s = scf.if %is_one_of_them -> vector<…> { … } else { zeros }`, in which threads are numbered from the first one
//! of subgroup 4 on, and wait for one another alone.
//!
//! What a role gives is with the threads that run it, and with nobody else: it may be carried by loops, and used by roles
//! of the same subgroups. All else goes through memory. In front of a role all threads wait where what it does meets what
//! others did, so two roles run beside each other until one needs what the other one made.

use raddle_ir::affine::BinOp;
use raddle_ir::{AttrId, Builder, Class, Diag, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashMap;

use super::place::{Places, after_op};
use super::{Cx, flow, hazard, refuse, threads};
use crate::clean::number;
use crate::code;
use crate::config::{Launch, fits_workgroup, role};
use crate::lay_out::{layout_of, sources, targets};

/// What is known of a range of subgroups that runs roles.
pub struct Range {
    by: Launch,
    /// The number of a thread among theirs, which means nothing to other threads.
    thread: ValueId,
    /// Whether a thread is one of theirs; `None` for the whole workgroup.
    is_member: Option<ValueId>,
    /// What was computed of the number.
    places: Places,
}

/// Distributes a role.
pub fn role(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let by = cx.workgroup.at(builder.ir, op);
    if by == cx.workgroup {
        return flow::branch(builder, cx, op);
    }
    let accesses = hazard::Role::of(builder.ir, cx, op);
    if let Some(wait) = hazard::wait_for_others(builder.ir, &mut cx.pending, &accesses) {
        cx.wait_for(builder, &wait);
    }
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let types = flow::part_types(builder, op, &old)?;
    let range = range(builder, cx, by);
    let condition = range.is_member.expect("others run beside it");
    let new = builder.op(Opcode::ScfIf, &[condition], &types, &[]);
    let [body, other] = [builder.ir.add_region(new), builder.ir.add_region(new)];

    let own = accesses.enter(&cx.pending);
    let others = std::mem::replace(&mut cx.pending, own);
    let aside = swap(cx, range);
    let done = flow::blocks_of(builder, cx, op, builder.ir.regions(op)[0], body);
    let range = swap(cx, aside);
    cx.ranges.push(range);
    let own = std::mem::replace(&mut cx.pending, others);
    accesses.leave(&mut cx.pending, own);
    done?;
    if cx.lacks_barriers {
        let why = "its threads must wait for one another, and the target has no more barriers of some subgroups";
        return Err(refuse(builder.ir, op, why).help("let one subgroup run it, or the whole workgroup"));
    }

    if !types.is_empty() {
        // Nobody asks what the other threads have.
        let block = builder.ir.add_block(other, &[]);
        let mut inner = Builder::at_end(builder.ir, block, builder.span);
        let zeros: Vec<ValueId> = types.iter().map(|&ty| inner.splat(0.0, ty)).collect();
        inner.op(Opcode::ScfYield, &zeros, &[], &[]);
    }
    for (old, new) in old.into_iter().zip(builder.ir.results(new)) {
        cx.map.set(old, new);
    }
    Ok(())
}

/// The range with its numbers, which are computed at the top of the kernel, once for all of its roles.
fn range(builder: &mut Builder<'_>, cx: &mut Cx<'_>, by: Launch) -> Range {
    if let Some(at) = cx.ranges.iter().position(|range| range.by == by) {
        return cx.ranges.swap_remove(at);
    }
    let thread = builder.ir.def_op(cx.thread).expect("the thread's number is an operation");
    let mut top = after_op(builder, thread);
    let (first, count) = (by.first * by.subgroup_size, by.workgroup_size);
    let mut is_member = None;
    if first > 0 {
        let begin = top.index(first - 1);
        is_member = Some(code::compare(&mut top, code::LESS, begin, cx.thread));
    }
    if first + count < cx.workgroup.workgroup_size {
        let end = top.index(first + count);
        let below = code::compare(&mut top, code::LESS, cx.thread, end);
        is_member = Some(threads::both(&mut top, is_member, below));
    }
    // The remainder is a number of the range for other threads, too.
    let shift = (count - first % count) % count;
    let number = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(shift));
    let number = Expr::binary(BinOp::Mod, number, Expr::Const(count));
    let number = top.apply(Map { dims: 1, syms: 0, results: vec![number] }, &[cx.thread]);
    Range { by, thread: number, is_member, places: Places::default() }
}

/// Lets a range run what comes; returns the one that did.
fn swap(cx: &mut Cx<'_>, range: Range) -> Range {
    Range {
        by: std::mem::replace(&mut cx.launch, range.by),
        thread: std::mem::replace(&mut cx.thread, range.thread),
        is_member: range.is_member,
        places: std::mem::replace(&mut cx.places, range.places),
    }
}

/// A barrier for the threads that run what comes.
pub fn barrier(builder: &mut Builder<'_>, cx: &mut Cx<'_>, attrs: &[(&str, AttrId)]) {
    if cx.launch == cx.workgroup {
        builder.op(Opcode::GpuBarrier, &[], &[], attrs);
    } else if cx.launch.subgroups() == Some(1) {
        let scope = builder.keyword_attr("gpu.barrier_scope", "subgroup");
        builder.op(Opcode::GpuBarrier, &[], &[], &[("scope", scope)]);
    } else {
        let number = cx.named.iter().position(|&by| by == cx.launch).unwrap_or_else(|| {
            cx.named.push(cx.launch);
            cx.named.len() - 1
        });
        cx.lacks_barriers |= cx.named.len() > cx.facts.chip.barriers_of_some() as usize;
        let word = builder.ir.int_type(32);
        // Number 0 is that of the whole workgroup.
        let numbers = [number as i64 + 1, cx.launch.workgroup_size].map(|n| builder.int(n, word));
        let sizes = builder.ir.segment_sizes(&[1, 1]);
        builder.op(Opcode::NvvmBarrier, &numbers, &[], &[("operandSegmentSizes", sizes)]);
    }
}

/// Whether the roles of a function are for some of its subgroups each, and all that they give, and are given, is with
/// those who need it.
pub fn check(ir: &Ir, func: OpId, workgroup: Launch) -> Result<(), Diag> {
    let ops = ir.walk(func);
    let roles: Vec<OpId> = ops.into_iter().filter(|&op| role::is_role(ir, op)).collect();
    let mut owned: Vec<(ValueId, Launch)> = Vec::new();
    for &op in &roles {
        let by = workgroup.of_role(ir, op)?;
        check_body(ir, op)?;
        if by != workgroup {
            owned.extend(ir.results(op).map(|value| (value, by)));
        }
    }
    // Loops and branches carry on what roles give.
    let mut owners: FxHashMap<ValueId, Launch> = owned.iter().copied().collect();
    let mut next = 0;
    while let Some(&(value, by)) = owned.get(next) {
        next += 1;
        for (user, operand) in ir.uses(value) {
            if workgroup.at(ir, user) == by {
                continue;
            }
            let carried = if role::around(ir, user).is_none() { targets(ir, user, operand) } else { Vec::new() };
            for &target in &carried {
                if *owners.entry(target).or_insert(by) != by {
                    return Err(refuse(ir, user, "it carries what different subgroups have"));
                }
                if !owned.contains(&(target, by)) {
                    owned.push((target, by));
                }
            }
            if carried.is_empty() {
                return Err(refuse(ir, user, format!("it uses what {} alone have", name(by)))
                    .help("let a role of the same subgroups do it, or let them write it to memory"));
            }
        }
    }
    for &(value, by) in &owned {
        for (op, operand) in sources(ir, value) {
            let source = ir.operand(op, operand);
            let own = owners.get(&source) == Some(&by) || workgroup.at(ir, op) == by;
            if !own && !is_known_to(ir, source, by) {
                return Err(refuse(ir, op, format!("it gives to {} what lies otherwise in their threads", name(by)))
                    .help("let a role of these subgroups make it"));
            }
        }
    }
    for op in roles {
        let by = workgroup.at(ir, op);
        for inner in ir.walk(op).into_iter().filter(|_| by != workgroup) {
            for &value in ir.operands(inner) {
                let outside = ir.ty(value).is_vector() && !hazard::is_inside(ir, value, op);
                if outside && owners.get(&value) != Some(&by) && !is_known_to(ir, value, by) {
                    return Err(refuse(
                        ir,
                        inner,
                        format!("it takes a vector that lies otherwise in the threads of {}", name(by)),
                    )
                    .help("let a role of these subgroups make it, or let it go through memory"));
                }
            }
        }
    }
    Ok(())
}

/// A role is one block, gives vectors, and holds nothing that the whole workgroup must reach.
fn check_body(ir: &Ir, role: OpId) -> Result<(), Diag> {
    if role::around(ir, role).is_some() {
        return Err(refuse(ir, role, "it stands in the role of other subgroups"));
    }
    if ir.blocks(ir.regions(role)[0]).len() > 1 {
        return Err(refuse(ir, role, "the role of some subgroups is one block"));
    }
    if ir.results(role).any(|value| !ir.ty(value).is_vector()) {
        return Err(refuse(ir, role, "the other subgroups do not know what it gives, unless that is a vector"));
    }
    let waits = |op: &OpId| matches!(ir.class(*op), Class::Barrier | Class::Call);
    match ir.walk(role).into_iter().find(waits) {
        Some(op) => Err(refuse(ir, op, "it is for the whole workgroup, and stands in the role of some subgroups")
            .help("leave barriers away: they are put where threads meet")),
        None => Ok(()),
    }
}

/// Whether some subgroups have a vector of the whole workgroup as if it were theirs: all elements are the same, or each
/// subgroup has all of them, or those have that are the first ones, which these are, too.
fn is_known_to(ir: &Ir, value: ValueId, by: Launch) -> bool {
    let op = ir.def_op(value);
    let splat = op.is_some_and(|op| ir.opcode(op) == Opcode::VectorBroadcast && !ir.ty(ir.operand(op, 0)).is_vector());
    let has_all = |layout: &Nested| {
        let each = layout.subgroup_tile.iter().all(|&tile| tile == 1) && layout.n_lanes() <= by.subgroup_size;
        fits_workgroup(layout, by).is_ok() && (each || by.first == 0)
    };
    splat || number::of(ir, value).is_some() || layout_of(ir, value).is_some_and(has_all)
}

/// A range of subgroups, for messages.
fn name(by: Launch) -> String {
    match by.workgroup_size / by.subgroup_size {
        1 => format!("subgroup {}", by.first),
        count => format!("subgroups {} to {}", by.first, by.first + count - 1),
    }
}
