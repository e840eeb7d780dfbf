//! Refine: where layouts meet at elementwise operations, choose the place of the conversion by its cost.
//!
//! An elementwise operation works in every layout. Where its operands or its users have another one than it, each of
//! theirs is tried: for the operation alone, then for a growing neighbourhood of elementwise operations behind or in
//! front of it, so that a conversion can wander to where the elements are few or narrow. What must be brought to the
//! neighbourhood, what must be taken away from it, and how it would be written makes up the cost; the cheapest stays.
//!
//! One sweep goes with the values and one against them, by distance from the start of the program: operations of one
//! distance do not see one another, so that their order does not matter.

use raddle_ir::{Class, Ir, OpId, ValueId};
use raddle_layout::sort::sort_by;

use super::anchor::anchor;
use super::cost::{access, cheapest, conversion};
use super::flow;
use super::layouts::{LayoutId, Layouts};
use super::rules::needs;

/// Operations of a neighbourhood.
const NEAR_MAX: usize = 12;

/// Moves conversions to where they cost least.
pub fn refine(ir: &Ir, ops: &[OpId], depths: &[u32], layouts: &mut Layouts) {
    let mut free: Vec<OpId> = ops.iter().copied().filter(|&op| is_free(ir, op)).collect();
    free.sort_by_cached_key(|&op| depths[ir.result(op, 0).index()] as usize);
    for &op in &free {
        improve(ir, op, layouts);
    }
    for &op in free.iter().rev() {
        improve(ir, op, layouts);
    }
}

fn is_free(ir: &Ir, op: OpId) -> bool {
    ir.class(op) == Class::Elementwise && ir.results(op).len() == 1 && ir.ty(ir.result(op, 0)).is_vector()
}

/// Gives an operation, or its neighbourhood, the layout around it in which all is cheapest; what it has, of equals.
fn improve(ir: &Ir, op: OpId, layouts: &mut Layouts) {
    let result = ir.result(op, 0);
    let Some(own) = layouts.id(result) else { return };
    let users = wanted(ir, result, &[], own, layouts);
    let around = vectors(ir, op, layouts).into_iter().filter_map(|operand| layouts.id(operand)).chain(users);
    let mut tried: Vec<LayoutId> = around.filter(|&id| id != own).collect();
    layouts.sort(&mut tried);
    let mut best: Option<(i64, i64, LayoutId, Vec<OpId>)> = None;
    for id in tried {
        for grow in [producers, consumers] {
            let mut near = vec![op];
            loop {
                let (before, after) = (total(ir, &near, None, layouts), total(ir, &near, Some(id), layouts));
                let gain = before - after;
                if gain > best.as_ref().map_or(0, |best| best.0 - best.1) {
                    best = Some((before, after, id, near.clone()));
                }
                match grow(ir, &near, id, layouts).filter(|_| near.len() < NEAR_MAX) {
                    Some(next) => near.push(next),
                    None => break,
                }
            }
        }
    }
    let Some((before, after, id, near)) = best else { return };
    let message = format!("`{}` takes another layout than it was offered: {after} against {before}", ir.name(op));
    let mut notes = vec![
        format!("it takes {}", layouts.layout(id)),
        format!("it was offered {}", layouts.layout(own)),
        "the numbers are what conversions and accesses around it cost".to_owned(),
    ];
    if near.len() > 1 {
        notes.push(format!("so do {} operations beside it", near.len() - 1));
    }
    layouts.remark(ir, op, message).notes.extend(notes);
    for op in near {
        layouts.set_id(ir.result(op, 0), id);
    }
}

/// The vectors that an operation takes, each once.
fn vectors(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<ValueId> {
    let mut operands: Vec<ValueId> = ir.operands(op).iter().copied().filter(|&v| layouts.id(v).is_some()).collect();
    operands.sort_unstable();
    operands.dedup();
    operands
}

/// An operation that gives to the neighbourhood alone, and has another layout.
fn producers(ir: &Ir, near: &[OpId], id: LayoutId, layouts: &Layouts) -> Option<OpId> {
    let operands = near.iter().flat_map(|&op| ir.operands(op)).filter_map(|&operand| ir.def_op(operand));
    operands.into_iter().find(|&def| {
        let apart =
            !near.contains(&def) && is_free(ir, def) && layouts.id(ir.result(def, 0)).is_some_and(|own| own != id);
        apart && ir.uses(ir.result(def, 0)).all(|(user, _)| near.contains(&user))
    })
}

/// An operation that takes vectors from the neighbourhood, and has another layout.
fn consumers(ir: &Ir, near: &[OpId], id: LayoutId, layouts: &Layouts) -> Option<OpId> {
    let fits = |&user: &OpId| {
        !near.contains(&user) && is_free(ir, user) && layouts.id(ir.result(user, 0)).is_some_and(|own| own != id)
    };
    // Uses have no order of their own; what is alone with its kind has.
    near.iter().find_map(|&op| {
        let mut users = ir.uses(ir.result(op, 0)).map(|(user, _)| user).filter(fits);
        let first = users.next()?;
        users.all(|user| user == first).then_some(first)
    })
}

/// What conversions and writes around a neighbourhood cost, in the layouts that it has or all in one.
fn total(ir: &Ir, near: &[OpId], id: Option<LayoutId>, layouts: &mut Layouts) -> i64 {
    let mut brought: Vec<(ValueId, LayoutId)> = Vec::new();
    let mut cost = 0i64;
    for &op in near {
        let result = ir.result(op, 0);
        let own = layouts.id(result).expect("a neighbourhood has layouts");
        let to = id.unwrap_or(own);
        for operand in vectors(ir, op, layouts) {
            if !ir.def_op(operand).is_some_and(|def| near.contains(&def)) {
                brought.push((operand, to));
            } else if id.is_none() {
                // Inside, there is something to pay only as it is.
                cost = cost.saturating_add(bring(ir, operand, to, layouts));
            }
        }
        for user in wanted(ir, result, near, own, layouts) {
            cost = cost.saturating_add(conversion(ir, result, to, user, layouts));
        }
        if ir.uses(result).any(|(user, operand)| ir.class(user) == Class::Write && operand == 0) {
            cost = cost.saturating_add(access(ir, result, layouts.layout(to), layouts));
        }
    }
    sort_by(&mut brought, Ord::cmp);
    brought.dedup();
    for (operand, to) in brought {
        cost = cost.saturating_add(bring(ir, operand, to, layouts));
    }
    cost
}

fn bring(ir: &Ir, value: ValueId, to: LayoutId, layouts: &mut Layouts) -> i64 {
    if layouts.id(value) == Some(to) { 0 } else { cheapest(ir, value, to, layouts).cost }
}

/// The layouts in which the users of a value outside of a neighbourhood want it, each once; those who would follow it
/// stay as they are.
fn wanted(ir: &Ir, value: ValueId, near: &[OpId], own: LayoutId, layouts: &mut Layouts) -> Vec<LayoutId> {
    let mut wanted = Vec::new();
    for (user, operand) in ir.uses(value).filter(|use_| !near.contains(&use_.0)) {
        let carried = flow::targets(ir, user, operand).into_iter().find_map(|target| layouts.id(target));
        let id = match ir.class(user) {
            _ if carried.is_some() => carried,
            Class::Elementwise => ir.results(user).find_map(|result| layouts.id(result)),
            Class::Write if operand == 0 => continue,
            _ => match anchor(ir, user).cloned() {
                Some(layout) => Some(layouts.intern(layout)),
                None => {
                    let need = needs(ir, user, layouts).into_iter().find(|need| need.0 == operand);
                    need.map(|(_, layout)| layouts.intern(layout))
                }
            },
        };
        wanted.push(id.unwrap_or(own));
    }
    layouts.sort(&mut wanted);
    wanted
}
