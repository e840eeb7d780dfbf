//! The layouts found so far: one number for each value into a table of layouts, and what was decided on the way.

use indexmap::IndexSet;
use raddle_ir::{Code, Diag, Ir, OpId, ValueId};
use raddle_layout::Nested;
use raddle_layout::sort::sort_by;
use raddle_target::Chip;
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow;
use crate::config::{Launch, role};

/// A layout in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LayoutId(u32);

/// The layout of each value, by [`ValueId`].
pub struct Layouts {
    pub chip: &'static Chip,
    pub launch: Launch,
    /// Whether some operations are for some subgroups alone.
    has_roles: bool,
    table: IndexSet<Nested>,
    of: Vec<Option<LayoutId>>,
    /// Values whose layout has not been spread yet.
    pub fresh: Vec<ValueId>,
    /// Conversions that were placed: the value, and what it became.
    pub converted: FxHashMap<ValueId, Vec<ValueId>>,
    /// Operations that were made again.
    pub copies: FxHashSet<OpId>,
    /// Conversions that are not anchors.
    pub placed: FxHashSet<OpId>,
    /// What conversions cost, as far as anyone has asked: from, to, bits of an element.
    pub costs: FxHashMap<(LayoutId, LayoutId, i64), i64>,
    /// For each operation the number of the one that it is or stands in front of, as they came.
    places: Vec<u32>,
    pub remarks: Vec<Diag>,
}

impl Layouts {
    pub fn new(ir: &Ir, ops: &[OpId], chip: &'static Chip, launch: Launch) -> Layouts {
        Layouts {
            chip,
            launch,
            has_roles: ops.iter().any(|&op| role::is_role(ir, op)),
            table: IndexSet::new(),
            of: vec![None; ir.n_values()],
            fresh: Vec::new(),
            converted: FxHashMap::default(),
            copies: FxHashSet::default(),
            placed: FxHashSet::default(),
            costs: FxHashMap::default(),
            places: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The subgroups that run an operation.
    pub fn launch_at(&self, ir: &Ir, op: OpId) -> Launch {
        if self.has_roles { self.launch.at(ir, op) } else { self.launch }
    }

    /// The subgroups that make a value.
    pub fn launch_of(&self, ir: &Ir, value: ValueId) -> Launch {
        ir.def_op(value).map_or(self.launch, |op| self.launch_at(ir, op))
    }

    pub fn get(&self, value: ValueId) -> Option<&Nested> {
        self.id(value).map(|id| self.layout(id))
    }

    /// The number of a value's layout.
    pub fn id(&self, value: ValueId) -> Option<LayoutId> {
        self.of.get(value.index()).copied().flatten()
    }

    /// The layout with a number.
    pub fn layout(&self, id: LayoutId) -> &Nested {
        &self.table[id.0 as usize]
    }

    /// Orders numbers of layouts as the layouts are ordered, each once.
    pub fn sort(&self, ids: &mut Vec<LayoutId>) {
        sort_by(ids, |&a, &b| self.layout(a).cmp(self.layout(b)));
        ids.dedup();
    }

    /// The number of a layout.
    pub fn intern(&mut self, layout: Nested) -> LayoutId {
        LayoutId(self.table.insert_full(layout).0 as u32)
    }

    /// The first layout stays. What a loop carries and what comes out of it have one layout, so both take it at once.
    pub fn offer(&mut self, ir: &Ir, value: ValueId, id: LayoutId) {
        if self.id(value).is_some() {
            return;
        }
        for value in flow::counterpart(ir, value).into_iter().chain([value]) {
            self.set_id(value, id);
            self.fresh.push(value);
        }
    }

    pub fn set(&mut self, value: ValueId, layout: Nested) {
        let id = self.intern(layout);
        self.set_id(value, id);
    }

    pub fn set_id(&mut self, value: ValueId, id: LayoutId) {
        if self.of.len() <= value.index() {
            self.of.resize(value.index() + 1, None);
        }
        self.of[value.index()] = Some(id);
    }

    pub fn place(&self, op: OpId) -> u32 {
        self.places[op.index()]
    }

    pub fn put(&mut self, op: OpId, place: u32) {
        if self.places.len() <= op.index() {
            self.places.resize(op.index() + 1, u32::MAX);
        }
        self.places[op.index()] = place;
    }

    pub fn remark(&mut self, ir: &Ir, op: OpId, message: String) -> &mut Diag {
        self.remarks.push(Diag::error(Code::LayoutChoice, ir.span(op), message).as_remark());
        self.remarks.last_mut().expect("just pushed")
    }
}
