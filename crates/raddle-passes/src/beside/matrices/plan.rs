//! What hangs together with a contraction, and which form each of its values takes.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, Class, DYNAMIC, Def, Expr, Ir, OpId, Opcode, Scalar, Type, ValueId};
use raddle_target::Operand;
use raddle_target::catalogue::Instruction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::{Form, opaque_elem};
use super::{Way, instruction, product};
use crate::lay_out::permutation;

/// A value that one loop carries: the loop, and its number among those that it carries.
type Carried = (OpId, usize);

/// Contractions that hang together, with all that must change with them.
#[derive(Default)]
pub struct Plan {
    /// The forms that values are needed in.
    pub wanted: BTreeSet<(ValueId, usize)>,
    /// The instruction of each contraction, and the forms of its operands.
    pub contracts: FxHashMap<OpId, (&'static Instruction, [usize; 3])>,
    /// The form of what each write writes.
    pub writes: BTreeMap<OpId, usize>,
    /// The form of each carried value.
    pub carried: BTreeMap<Carried, usize>,
}

struct Search<'a> {
    ir: &'a Ir,
    way: Way,
    /// All forms that occur; a number names one.
    forms: &'a mut Vec<Form>,
    plan: Plan,
    /// Values whose makers and users are still to be looked at.
    open: Vec<(ValueId, usize)>,
}

/// All that hangs together with a contraction; `None` where something of it has no rule. New forms are added to `forms`.
pub fn plan(ir: &Ir, way: Way, contract: OpId, forms: &mut Vec<Form>) -> Option<Plan> {
    let mut search = Search { ir, way, forms, plan: Plan::default(), open: Vec::new() };
    search.contract(contract)?;
    while let Some((value, form)) = search.open.pop() {
        search.maker(value, form)?;
        if is_tied(ir, value) {
            search.users(value, form)?;
        }
    }
    Some(search.plan)
}

impl Search<'_> {
    fn form(&mut self, form: Form) -> usize {
        let known = self.forms.iter().position(|other| other.same(&form));
        known.unwrap_or_else(|| {
            self.forms.push(form);
            self.forms.len() - 1
        })
    }

    /// Needs a value in a form. What cannot be made twice has one form only.
    fn want(&mut self, value: ValueId, form: usize) -> Option<()> {
        if self.plan.wanted.contains(&(value, form)) {
            return Some(());
        }
        let others = self.plan.wanted.range((value, 0)..=(value, usize::MAX)).next().is_some();
        if others && is_tied(self.ir, value) {
            return None;
        }
        self.plan.wanted.insert((value, form));
        self.open.push((value, form));
        Some(())
    }

    fn contract(&mut self, op: OpId) -> Option<()> {
        if self.plan.contracts.contains_key(&op) {
            return Some(());
        }
        let whole = product(self.ir, op)?;
        let row = instruction(self.way, whole.types, |mnk| mnk == whole.mnk)?;
        let view = Contract::of(self.ir, op);
        let roles = &whole.roles;
        let rows = [roles.m, roles.k, roles.m];
        let mut forms = [0; 3];
        for ((form, role), (map, rows)) in forms.iter_mut().zip(Operand::ALL).zip(view.maps.iter().zip(rows)) {
            let swapped = map.results[0] != Expr::Dim(rows as u32);
            *form = self.form(Form { row, role, swapped });
        }
        self.plan.contracts.insert(op, (row, forms));
        for (value, form) in [view.lhs, view.rhs, view.acc].into_iter().zip(forms) {
            self.want(value, form)?;
        }
        self.want(self.ir.result(op, 0), forms[2])
    }

    /// What makes a value must be able to make it in a form.
    fn maker(&mut self, value: ValueId, form: usize) -> Option<()> {
        let ir = self.ir;
        if let Some(carried) = carried(ir, value) {
            return self.carry(carried, form);
        }
        let Def::Result { op, .. } = ir.def(value) else { return None };
        match (ir.opcode(op), ir.class(op)) {
            // The form was asked for by the contraction itself, and a second one is refused.
            (Opcode::VectorContract, _) => self.contract(op),
            (Opcode::VectorTransferRead, _) => self.transfer(op, form),
            (Opcode::ArithConstant, _) => {
                let splat = matches!(ir.attr(op, "value"), Some(Attr::Dense { splat: true, .. }));
                (splat && self.has_elem(value)).then_some(())
            }
            (Opcode::VectorBroadcast, _) => {
                (!ir.ty(ir.operand(op, 0)).is_vector() && self.has_elem(value)).then_some(())
            }
            (Opcode::VectorTranspose, _) => {
                let turned = self.turned(op, form)?;
                self.want(ir.operand(op, 0), turned)
            }
            (_, Class::Elementwise) => self.elementwise(op, form),
            _ => None,
        }
    }

    /// The form on the other side of a transpose: what are rows here are columns there.
    fn turned(&mut self, op: OpId, form: usize) -> Option<usize> {
        let form = self.forms[form];
        (permutation(self.ir, op) == [1, 0]).then(|| self.form(form.turned()))
    }

    /// What takes a value must be able to take it in a form.
    fn users(&mut self, value: ValueId, form: usize) -> Option<()> {
        let ir = self.ir;
        for (user, index) in ir.uses(value) {
            match (ir.opcode(user), ir.class(user)) {
                // The operand's own form must be this one, or the value is refused when it is asked for.
                (Opcode::VectorContract, _) => self.contract(user)?,
                (Opcode::VectorTransferWrite, _) if index == 0 => {
                    self.transfer(user, form)?;
                    self.plan.writes.insert(user, form);
                }
                (Opcode::ScfFor, _) if index >= 3 => self.carry((user, index - 3), form)?,
                (Opcode::ScfYield, _) => {
                    let around = ir.parent_op(user).filter(|&around| ir.opcode(around) == Opcode::ScfFor)?;
                    self.carry((around, index), form)?;
                }
                (Opcode::VectorTranspose, _) => {
                    let turned = self.turned(user, form)?;
                    self.want(ir.result(user, 0), turned)?;
                }
                (_, Class::Elementwise) => self.want(ir.result(user, 0), form)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn carry(&mut self, (op, index): Carried, form: usize) -> Option<()> {
        let ir = self.ir;
        self.plan.carried.insert((op, index), form);
        let body = ir.entry(op);
        let end = ir.terminator(body)?;
        let all = [ir.operand(op, 3 + index), ir.args(body)[1 + index], ir.operand(end, index), ir.result(op, index)];
        all.into_iter().try_for_each(|value| self.want(value, form))
    }

    fn elementwise(&mut self, op: OpId, form: usize) -> Option<()> {
        let ir = self.ir;
        let one = ir.results(op).len() == 1 && ir.regions(op).is_empty();
        let known = match self.way {
            Way::Opaque => {
                opaque_elementwise(ir.opcode(op)).is_some()
                    && ir.operands(op).iter().all(|&value| ir.ty(value).is_vector())
                    && self.has_elem(ir.result(op, 0))
            }
            Way::Lanes => true,
        };
        if !one || !known {
            return None;
        }
        let vectors = ir.operands(op).iter().filter(|&&value| ir.ty(value).is_vector());
        vectors.copied().collect::<Vec<_>>().into_iter().try_for_each(|value| self.want(value, form))
    }

    /// Whether values of the way may have such elements.
    fn has_elem(&self, value: ValueId) -> bool {
        let elem = Scalar::of(&self.ir[self.ir.elem_of(value)]);
        self.way == Way::Lanes || elem.and_then(opaque_elem).is_some()
    }

    fn transfer(&mut self, op: OpId, form: usize) -> Option<()> {
        let view = Transfer::of(self.ir, op);
        let memory = matches!(self.ir.ty(view.base), Type::MemRef { .. });
        let rank = view.map.results.len() == 2;
        if !memory || !rank || view.mask.is_some() {
            return None;
        }
        match self.way {
            Way::Lanes => Some(()),
            Way::Opaque => {
                let vector = view.vector.unwrap_or_else(|| self.ir.result(op, 0));
                let inside = view.in_bounds.iter().all(|&inside| inside);
                let elem = self.ir.elem_of(view.base) == self.ir.elem_of(vector);
                // Only sums can be stored.
                let role = view.vector.is_none() || self.forms[form].role == Operand::C;
                (inside && elem && role && self.has_elem(vector)).then_some(())?;
                lead(self.ir, &view).map(|_| ())
            }
        }
    }
}

/// Which of a matrix's rows and columns lie along the rows of the memory: their distance there, and whether the vector's
/// rows are the memory's columns. `None` where there is no such distance.
pub fn lead(ir: &Ir, view: &Transfer) -> Option<(i64, bool)> {
    let strides = ir.strides(view.base)?;
    let last = strides.len().checked_sub(1).filter(|&last| strides[last] == 1)?;
    let [a, b] = &view.map.results[..] else { return None };
    let is_last = |expr: &Expr| *expr == Expr::Dim(last as u32);
    let (row, turned) = match (is_last(a), is_last(b)) {
        (false, true) => (a, false),
        (true, false) => (b, true),
        _ => return None,
    };
    match row {
        Expr::Dim(d) => Some((strides[*d as usize], turned)).filter(|(lead, _)| *lead != DYNAMIC && *lead > 0),
        // All rows are one.
        Expr::Const(0) if view.vector.is_none() => Some((0, turned)),
        _ => None,
    }
}

/// The loop that carries a value.
pub fn carried(ir: &Ir, value: ValueId) -> Option<Carried> {
    match ir.def(value) {
        Def::Result { op, index } if ir.opcode(op) == Opcode::ScfFor => Some((op, index as usize)),
        Def::Arg { block, index: 1.. } => {
            let op = ir.region_parent(ir.block_region(block));
            let Def::Arg { index, .. } = ir.def(value) else { return None };
            (ir.opcode(op) == Opcode::ScfFor).then_some((op, index as usize - 1))
        }
        Def::Result { .. } | Def::Arg { .. } => None,
    }
}

/// Whether a value cannot be made again beside what makes it: it is a sum, carried by a loop, or computed of such.
fn is_tied(ir: &Ir, value: ValueId) -> bool {
    let (mut open, mut seen) = (vec![value], FxHashSet::default());
    while let Some(value) = open.pop() {
        let Some(op) = ir.def_op(value) else { return true };
        match (ir.opcode(op), ir.class(op)) {
            (Opcode::VectorContract | Opcode::ScfFor, _) => return true,
            (Opcode::VectorTranspose, _) => open.push(ir.operand(op, 0)),
            (_, Class::Elementwise) => {
                let operands = ir.operands(op).iter().filter(|&&operand| ir.ty(operand).is_vector());
                open.extend(operands.filter(|&&operand| seen.insert(operand)));
            }
            _ => {}
        }
    }
    false
}

/// What an elementwise operation is called on opaque matrices: GPU dialect, "gpu.subgroup_mma_elementwise".
pub fn opaque_elementwise(opcode: Opcode) -> Option<&'static str> {
    const ROWS: &[(Opcode, &str)] = &[
        (Opcode::ArithAddf, "addf"),
        (Opcode::ArithSubf, "subf"),
        (Opcode::ArithMulf, "mulf"),
        (Opcode::ArithDivf, "divf"),
        (Opcode::ArithMaximumf, "maxf"),
        (Opcode::ArithMinimumf, "minf"),
        (Opcode::ArithNegf, "negatef"),
        (Opcode::ArithAddi, "addi"),
        (Opcode::ArithSubi, "subi"),
        (Opcode::ArithMuli, "muli"),
        (Opcode::ArithDivsi, "divs"),
        (Opcode::ArithDivui, "divu"),
        (Opcode::ArithExtf, "extf"),
        (Opcode::ArithTruncf, "truncf"),
    ];
    ROWS.iter().find(|row| row.0 == opcode).map(|row| row.1)
}
