//! Refine: where layouts meet at an elementwise operation, choose the place of the conversion by its cost.
//!
//! An elementwise operation works in every layout. Where its operands or its users have another one than it, each of
//! theirs is tried: what must be brought to the operation, what must be taken away from it, and how it would be written.
//! One sweep goes with the values and one against them, by distance from the start of the program: operations of one
//! distance do not see one another, so that their order does not matter.

use raddle_ir::{Class, Ir, OpId, ValueId};

use super::anchor::anchor;
use super::cost::{access, cheapest, conversion};
use super::flow;
use super::layouts::{LayoutId, Layouts};
use super::rules::needs;

/// Moves conversions to where they cost least.
pub fn refine(ir: &Ir, ops: &[OpId], depths: &[u32], layouts: &mut Layouts) {
    let is_free = |op: &OpId| {
        ir.class(*op) == Class::Elementwise && ir.results(*op).len() == 1 && ir.ty(ir.result(*op, 0)).is_vector()
    };
    let mut free: Vec<OpId> = ops.iter().copied().filter(is_free).collect();
    free.sort_by_key(|&op| depths[ir.result(op, 0).index()]);
    for &op in &free {
        improve(ir, op, layouts);
    }
    for &op in free.iter().rev() {
        improve(ir, op, layouts);
    }
}

/// Gives an operation the layout around it in which all is cheapest; its own, of equals.
fn improve(ir: &Ir, op: OpId, layouts: &mut Layouts) {
    let result = ir.result(op, 0);
    let Some(own) = layouts.id(result) else { return };
    let mut operands: Vec<ValueId> = ir.operands(op).iter().copied().filter(|&v| layouts.id(v).is_some()).collect();
    operands.sort_unstable();
    operands.dedup();
    let users = wanted(ir, result, own, layouts);
    let around = operands.iter().filter_map(|&operand| layouts.id(operand)).chain(users.iter().copied());
    let mut tried: Vec<LayoutId> = around.filter(|&id| id != own).collect();
    if tried.is_empty() {
        return;
    }
    tried.sort_by(|&a, &b| layouts.layout(a).cmp(layouts.layout(b)));
    tried.dedup();
    let is_written = ir.uses(result).any(|(user, operand)| ir.class(user) == Class::Write && operand == 0);
    let total = |id: LayoutId, layouts: &mut Layouts| -> i64 {
        let brought: i64 = operands.iter().map(|&operand| bring(ir, operand, id, layouts)).sum();
        let taken: i64 = users.iter().map(|&user| conversion(ir, result, id, user, layouts)).sum();
        let written = if is_written { access(ir, result, layouts.layout(id), layouts) } else { 0 };
        brought + taken + written
    };
    let before = total(own, layouts);
    let best = tried
        .into_iter()
        .map(|id| (total(id, layouts), id))
        .fold((before, own), |best, next| if next.0 < best.0 { next } else { best });
    let (after, id) = best;
    if id == own {
        return;
    }
    let message = format!("`{}` takes another layout than it was offered: {after} against {before}", ir.name(op));
    let notes = [format!("it takes {}", layouts.layout(id)), format!("it was offered {}", layouts.layout(own))];
    layouts.remark(ir, op, message).notes.extend(notes);
    layouts.set_id(result, id);
}

fn bring(ir: &Ir, value: ValueId, to: LayoutId, layouts: &mut Layouts) -> i64 {
    if layouts.id(value) == Some(to) { 0 } else { cheapest(ir, value, to, layouts).cost }
}

/// The layouts in which the users of a value want it, each once; those who would follow it stay as they are.
fn wanted(ir: &Ir, value: ValueId, own: LayoutId, layouts: &mut Layouts) -> Vec<LayoutId> {
    let mut wanted = Vec::new();
    for (user, operand) in ir.uses(value) {
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
    wanted.sort_by(|&a, &b| layouts.layout(a).cmp(layouts.layout(b)));
    wanted.dedup();
    wanted
}
