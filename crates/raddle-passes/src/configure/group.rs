//! Groups: the structured operations that one kernel computes, and the dimensions that their loops share.
//!
//! A softmax over rows has four operations. The rows are one dimension of the group, a loop of each operation; the
//! columns are another one, which two of the operations reduce. Loops are of one dimension where one operation's result
//! is another one's operand: loop `i` of the first writes the dimension of the tensor that loop `j` of the second reads.
//!
//! Workgroups may divide a dimension between them if no operation reduces it and each result that leaves the group lies
//! along it: no workgroup then needs what another one computes, and none writes what another one writes. Every other
//! dimension is whole in a workgroup, but for those that one reduction steps through, and one that is longer than a
//! workgroup, or open: each reduction and each result goes along it by itself, and computes again what it needs.
//!
//! Does not choose what is grouped: [`crate::partition`] does.

use raddle_ir::views::{Linalg, TileRegister};
use raddle_ir::{BlockId, Builder, Code, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::configure::Checked;
use crate::facts::Facts;
use crate::structured::{body, windows};

/// Elements of one operation's tile that a thread holds, at most: a few such tiles fit its registers.
pub(super) const ELEMENTS_MAX: i64 = 64;
/// The same around one product: elementwise operations read accumulators where they stand, one after the other.
pub(super) const AROUND_PRODUCT_MAX: i64 = 128;
/// The same around a product in tile registers, of which four have sums.
const AROUND_TILES_MAX: i64 = 4 * TileRegister::MAX * TileRegister::MAX;
/// Elements of a row that a workgroup of a GPU may hold; of a longer one, each of its threads would have too many.
const ROW_MAX: i64 = ELEMENTS_MAX * 256;

/// Elements of a sum that each workgroup may have for itself.
const AGAIN_MAX: i64 = 1024;

/// The structured operations of a kernel.
pub struct Group {
    /// In the order of the program, fills among them.
    pub members: Vec<Member>,
    /// What loops run along.
    pub dims: Vec<Dim>,
    /// The member that decides the tiling.
    pub root: usize,
    /// Whether the root goes through its reductions step by step; else they are whole in a workgroup.
    pub steps: bool,
    /// The dimension that is too long for a workgroup, or open: each reduction and each result goes along it by itself.
    pub passes: Option<usize>,
}

/// One operation.
pub struct Member {
    /// The operation.
    pub op: OpId,
    /// Its parts.
    pub linalg: Linalg,
    /// The dimension of each loop.
    pub dims: Vec<usize>,
}

impl Member {
    /// Whether it reduces.
    pub fn reduces(&self) -> bool {
        self.linalg.reduction.contains(&true)
    }

    /// The dimensions that it reduces.
    pub fn reduced(&self) -> impl Iterator<Item = usize> {
        self.dims.iter().zip(&self.linalg.reduction).filter(|at| *at.1).map(|at| *at.0)
    }

    /// Whether it reduces along a dimension of another one's results, which that one then needs whole in a workgroup.
    pub fn reduces_results_of(&self, other: &Member) -> bool {
        let kept = |dim| other.dims.iter().zip(&other.linalg.reduction).any(|(&own, &reduces)| own == dim && !reduces);
        self.reduced().any(kept)
    }
}

/// What loops of several operations run along.
pub struct Dim {
    /// How long it is.
    pub extent: i64,
    /// Whether workgroups may divide it between them.
    pub shared: bool,
}

/// Whether an operation computes, and does not only fill or view.
pub fn computes(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) != Opcode::LinalgFill && Linalg::try_of(ir, op).is_some() && !windows::is_window(ir, op)
}

/// Whether an operation only fills what others begin with. One that is returned alone is work like any other.
pub fn is_beginning(ir: &Ir, op: OpId) -> bool {
    let goes_on = |user: OpId| ir.opcode(user) != Opcode::FuncReturn;
    ir.opcode(op) == Opcode::LinalgFill
        && ir.results(op).flat_map(|value| ir.uses(value)).any(|(user, _)| goes_on(user))
}

/// The structured operations of a block.
pub fn structured(ir: &Ir, block: BlockId) -> Vec<OpId> {
    let is_member = |&op: &OpId| Linalg::try_of(ir, op).is_some() && !windows::is_window(ir, op);
    ir.block_ops(block).filter(is_member).collect()
}

/// The first of these operations that reads elements of what another one computes: in its body, or through a view. Such a
/// tensor has no place in memory while the kernel of all of them runs.
pub fn reads_inside(ir: &Ir, ops: &[OpId]) -> Option<OpId> {
    let made: FxHashMap<ValueId, OpId> =
        ops.iter().flat_map(|&op| ir.results(op).map(move |value| (value, op))).collect();
    let is_others = |op: OpId, value: ValueId| made.get(&value).is_some_and(|&maker| maker != op);
    let viewed = |value: ValueId| {
        let view = ir.def_op(value).filter(|&def| windows::is_window(ir, def))?;
        Some(ir.operand(view, 0))
    };
    let reads = |op: OpId| {
        let through = |&value: &ValueId| std::iter::successors(viewed(value), |&value| viewed(value));
        let mut views = ir.operands(op).iter().flat_map(through);
        let inner = ir.walk(op);
        let mut inside = inner.iter().flat_map(|&inner| ir.operands(inner)).copied();
        views.any(|value| is_others(op, value)) || inside.any(|value| is_others(op, value))
    };
    ops.iter().copied().find(|&op| reads(op))
}

/// Gives each user of a fill its own: two users may want different parts of it.
pub fn clone_fills(ir: &mut Ir, block: BlockId) {
    for op in ir.ops_of(block) {
        if ir.opcode(op) != Opcode::LinalgFill || ir.results(op).len() != 1 {
            continue;
        }
        let result = ir.result(op, 0);
        let uses: Vec<(OpId, usize)> = ir.uses(result).collect();
        for &(user, operand) in uses.iter().skip(1) {
            let copy = Builder::before(ir, op).copy(op, &mut ValueMap::default());
            let copied = ir.result(copy, 0);
            ir.set_operand(user, operand, copied);
        }
    }
}

impl Group {
    /// The group of these operations of one block, in their order. `leaves` says which results others use.
    pub fn of(ir: &Ir, ops: &[OpId], leaves: &dyn Fn(ValueId) -> bool, facts: &Facts) -> Result<Group, Diag> {
        if let Some(op) = reads_inside(ir, ops) {
            return Err(refuse(ir, op, "it reads elements of a tensor that the kernel computes"));
        }
        let mut members: Vec<Member> = Vec::new();
        // The first loop's place of each member among all loops.
        let mut firsts = Vec::new();
        let mut n_loops = 0;
        for &op in ops {
            let linalg = Linalg::of(ir, op);
            firsts.push(n_loops);
            n_loops += linalg.reduction.len();
            members.push(Member { op, linalg, dims: Vec::new() });
        }
        let made: FxHashMap<ValueId, (usize, usize)> = (members.iter().enumerate())
            .flat_map(|(m, member)| ir.results(member.op).enumerate().map(move |(i, value)| (value, (m, i))))
            .collect();
        let mut same: Vec<usize> = (0..n_loops).collect();
        for (m, member) in members.iter().enumerate() {
            for (operand, map) in member.linalg.inputs.iter().chain(&member.linalg.outputs).zip(&member.linalg.maps) {
                let Some(&(maker, output)) = made.get(operand) else { continue };
                let source = &members[maker].linalg;
                let written = source.maps[source.inputs.len() + output].as_dims();
                let (Some(written), Some(read)) = (written, map.as_dims()) else {
                    return Err(refuse(ir, member.op, "a tensor that the kernel computes is not reached along loops"));
                };
                for (w, r) in written.into_iter().zip(read) {
                    join(&mut same, firsts[maker] + w, firsts[m] + r);
                }
            }
        }
        let mut dims: Vec<Dim> = Vec::new();
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for (m, &first) in firsts.iter().enumerate() {
            let extents = members[m].linalg.extents(ir);
            for (d, extent) in extents.into_iter().enumerate() {
                let dim = *numbers.entry(find(&mut same, first + d)).or_insert_with(|| {
                    dims.push(Dim { extent: DYNAMIC, shared: true });
                    dims.len() - 1
                });
                members[m].dims.push(dim);
                if extent != DYNAMIC {
                    dims[dim].extent = extent;
                }
            }
        }
        share(ir, &members, &mut dims, leaves);
        let root = root(ir, &members, &dims, facts)?;
        let steps = steps(ir, &members, root, &made, leaves);
        let row_max = match facts.chip.native {
            Some(_) => ELEMENTS_MAX,
            None if states_steps(ir, &members[root]) => 0,
            None => ROW_MAX,
        };
        let passes = passes(&mut members, &mut dims, root, steps, row_max);
        let group = Group { members, dims, root, steps, passes };
        group.check_products(ir, &made)?;
        Ok(group)
    }

    /// Whether workgroups may divide all parallel loops of the root, and go through its reductions in steps.
    pub fn divides(&self) -> bool {
        let root = &self.members[self.root];
        let shared = |(&dim, &reduces): (&usize, &bool)| reduces || self.dims[dim].shared;
        self.steps && root.dims.iter().zip(&root.linalg.reduction).all(shared)
    }

    /// Whether another member goes along what the root reduces again, by a loop of its own: workgroups do not divide that
    /// one, so that a row is there as a whole.
    pub fn goes_again(&self) -> bool {
        let root = &self.members[self.root];
        let mut reduced = root.dims.iter().zip(&root.linalg.reduction).filter(|at| *at.1);
        reduced.any(|(&dim, _)| alike(&self.members, dim).iter().any(|other| !root.dims.contains(other)))
    }

    /// Whether workgroups that share rows reduce for themselves what they need of a row.
    pub fn reduces_again(&self) -> bool {
        !self.members[self.root].reduces() && self.members.iter().any(Member::reduces)
    }

    /// Bytes of one row along the dimension that passes go along, of each tensor from outside that lies along it; `None`
    /// where only the run knows how long rows are.
    pub fn row_bytes(&self, ir: &Ir) -> Option<i64> {
        let dim = self.passes?;
        let extent = Some(self.dims[dim].extent).filter(|&extent| extent != DYNAMIC)?;
        let mut read: Vec<ValueId> = Vec::new();
        for member in &self.members {
            for (&value, map) in member.linalg.inputs.iter().zip(&member.linalg.maps) {
                let lies_along = map.as_dims().is_some_and(|dims| dims.iter().any(|&d| member.dims[d] == dim));
                let is_made = ir.def_op(value).is_some_and(|def| self.members.iter().any(|member| member.op == def));
                if lies_along && !is_made && !read.contains(&value) {
                    read.push(value);
                }
            }
        }
        let bytes = |value: &ValueId| Scalar::of(&ir[ir.elem_of(*value)]).map_or(8, |elem| elem.bytes() as i64);
        Some(read.iter().map(bytes).fold(0, i64::saturating_add).saturating_mul(extent))
    }

    /// Keeps whole in a workgroup what a configuration of the root alone would divide.
    pub fn adapt(&self, config: &mut Config) {
        let root = &self.members[self.root];
        for (d, &dim) in root.dims.iter().enumerate() {
            if let Some(size) = config.workgroup.get_mut(d).filter(|_| !self.dims[dim].shared) {
                *size = 0;
            }
        }
        if !self.steps && self.passes.is_none() {
            (config.reduction, config.partial_reduction) = (Vec::new(), Vec::new());
        }
    }

    /// What a configuration of the root must keep for the others.
    pub fn check(&self, ir: &Ir, checked: &Checked, facts: &Facts) -> Result<(), Diag> {
        let config = &checked.config;
        let root = &self.members[self.root];
        let bad = |op: OpId, message: String| Diag::error(Code::CannotConfigure, ir.span(op), message);
        let is_cut = |list: &[i64], d: usize| {
            let (size, extent) = (list.get(d).copied().unwrap_or(0), checked.extents[d]);
            size != 0 && (extent == DYNAMIC || size < extent)
        };
        let mut tile: Vec<i64> = self.dims.iter().map(|dim| dim.extent).collect();
        for (d, &dim) in root.dims.iter().enumerate() {
            tile[dim] = checked.sizes[d];
            if is_cut(&config.workgroup, d) && !self.dims[dim].shared {
                let message = format!("workgroups cannot share loop {d}: the kernel needs all of it in one place");
                return Err(bad(root.op, message).help("write 0 for it in `workgroup`"));
            }
            let stepped = is_cut(&config.reduction, d) || is_cut(&config.partial_reduction, d);
            if stepped && root.linalg.reduction[d] && !self.steps && self.passes != Some(dim) {
                let message = format!("loop {d} cannot go in steps: others need what it reduces as a whole");
                return Err(bad(root.op, message).help("leave `reduction` and `partial_reduction` out"));
            }
        }
        if let Some(m) = (0..self.members.len()).find(|&m| self.members[m].dims.iter().any(|&d| tile[d] == DYNAMIC)) {
            let message = "a loop has an extent that only the run knows, and is not one of the loops that are tiled";
            return Err(bad(self.members[m].op, message.to_owned()));
        }
        let threads = config.n_subgroups() * i64::from(facts.chip.subgroup_size);
        let reduces = self.members.iter().filter(|member| member.reduces()).count();
        let around_product = reduces == 1 && root.reduces() && body::is_contraction(ir, root.op);
        let limit = match (around_product, facts.chip.native) {
            // What comes out of tile registers lies in memory.
            (true, Some(vectors)) if vectors.tiles => AROUND_TILES_MAX,
            (true, Some(vectors)) => vectors.registers * vectors.lanes,
            (true, None) => AROUND_PRODUCT_MAX,
            // Whole vectors of two dimensions.
            (false, Some(vectors)) => ELEMENTS_MAX.max(vectors.lanes * vectors.lanes),
            (false, None) => ELEMENTS_MAX,
        };
        for member in &self.members {
            // The terms of a product are nowhere as a whole.
            let is_product = member.reduces() && body::is_contraction(ir, member.op);
            let held = member.dims.iter().zip(&member.linalg.reduction).filter(|at| !(is_product && *at.1));
            let points = held.fold(1i64, |n, (&dim, _)| n.saturating_mul(tile[dim].max(1)));
            if points / threads > limit {
                let message = format!(
                    "`{}` would hold {} elements in each thread, more than {limit}",
                    ir.name(member.op),
                    points / threads
                );
                return Err(bad(member.op, message).label("a tile of this one must fit the registers of a workgroup"));
            }
        }
        Ok(())
    }

    /// A product is stepped through, and what it multiplies comes from elementwise operations.
    fn check_products(&self, ir: &Ir, made: &FxHashMap<ValueId, (usize, usize)>) -> Result<(), Diag> {
        for (m, member) in self.members.iter().enumerate() {
            if !member.reduces() || !body::is_contraction(ir, member.op) {
                continue;
            }
            if m != self.root {
                let root = self.members[self.root].op;
                let diag = refuse(ir, member.op, &format!("`{}` decides the tiling", ir.name(root)));
                let diag = diag.related(ir.span(root), "it is here");
                return Err(match ir.attr(root, "lowering_config") {
                    Some(_) => diag.help("let the product have the `workgroup` tile"),
                    None => diag,
                });
            }
            if !self.steps {
                return Err(refuse(ir, member.op, "what it multiplies is needed as a whole"));
            }
            let mut before = vec![m];
            while let Some(at) = before.pop() {
                let inputs = self.members[at].linalg.inputs.iter().filter_map(|value| made.get(value));
                for &(maker, _) in inputs {
                    if self.members[maker].reduces() {
                        return Err(refuse(ir, member.op, "it multiplies the result of a reduction"));
                    }
                    before.push(maker);
                }
            }
        }
        Ok(())
    }
}

/// Finds the dimensions that workgroups may not divide.
fn share(ir: &Ir, members: &[Member], dims: &mut [Dim], leaves: &dyn Fn(ValueId) -> bool) {
    for member in members {
        for (d, &dim) in member.dims.iter().enumerate() {
            let again = member.dims[..d].contains(&dim);
            dims[dim].shared &= !member.linalg.reduction[d] && !again;
        }
        for (i, result) in ir.results(member.op).enumerate().filter(|(_, result)| leaves(*result)) {
            let written = member.linalg.maps[member.linalg.inputs.len() + i].as_dims().unwrap_or_default();
            let along: Vec<usize> = written.iter().map(|&d| member.dims[d]).collect();
            for (dim, facts) in dims.iter_mut().enumerate() {
                facts.shared &= along.contains(&dim) || ir.is_unused(result);
            }
        }
    }
}

/// The dimension that passes go along, if the root reduces one that no workgroup holds: nobody reduces another one, or
/// multiplies, and who lies along it has no loops that the root has not. Loops that read the same dimension of a tensor
/// from outside are then of that dimension, too. Where the root steps, and there is no such loop, nobody else needs a
/// pass.
fn passes(members: &mut [Member], dims: &mut [Dim], root: usize, steps: bool, row_max: i64) -> Option<usize> {
    let mut reduced = members[root].dims.iter().zip(&members[root].linalg.reduction).filter(|at| *at.1).map(|at| *at.0);
    let dim = reduced.next().filter(|&dim| dims[dim].extent == DYNAMIC || dims[dim].extent > row_max)?;
    if reduced.next().is_some() {
        return None;
    }
    let same = alike(members, dim);
    if steps && same.len() == 1 {
        return None;
    }
    let of = |member: &Member| -> Vec<usize> {
        member.dims.iter().map(|other| if same.contains(other) { dim } else { *other }).collect()
    };
    let all: Vec<Vec<usize>> = members.iter().map(of).collect();
    let fits = |(member, own): (&Member, &Vec<usize>)| {
        let only = own.iter().zip(&member.linalg.reduction).all(|(&other, &reduces)| !reduces || other == dim);
        let within = own.iter().all(|other| all[root].contains(other));
        let once = own.iter().filter(|&&other| other == dim).count() == 1;
        only && (!own.contains(&dim) || within && once)
    };
    if !members.iter().zip(&all).all(fits) {
        return None;
    }
    for (member, own) in members.iter_mut().zip(all) {
        member.dims = own;
    }
    dims[dim].shared = false;
    Some(dim)
}

/// The dimensions of loops that go along the same dimensions of operands as those of `dim`, which is among them.
fn alike(members: &[Member], dim: usize) -> Vec<usize> {
    let mut same = vec![dim];
    let mut along: Vec<(ValueId, usize)> = Vec::new();
    loop {
        let before = (same.len(), along.len());
        for member in members {
            for (&operand, map) in member.linalg.inputs.iter().zip(&member.linalg.maps) {
                for (at, d) in map.as_dims().unwrap_or_default().into_iter().enumerate() {
                    let own = member.dims[d];
                    match (same.contains(&own), along.contains(&(operand, at))) {
                        (true, false) => along.push((operand, at)),
                        (false, true) => same.push(own),
                        (true, true) | (false, false) => {}
                    }
                }
            }
        }
        if before == (same.len(), along.len()) {
            return same;
        }
    }
}

/// The member that decides the tiling: the one that the user configured, or of several such the one with the tile of a
/// workgroup, a product, what goes along a row that no workgroup holds and is not reduced, the largest reduction, or the
/// last.
fn root(ir: &Ir, members: &[Member], dims: &[Dim], facts: &Facts) -> Result<usize, Diag> {
    let configured: Vec<usize> =
        (0..members.len()).filter(|&m| ir.attr(members[m].op, "lowering_config").is_some()).collect();
    // IREE configures each operation of such a kernel, and the tile of a workgroup for one of them.
    let shares =
        |&m: &usize| Config::read(ir, members[m].op).is_ok_and(|config| config.workgroup.iter().any(|&size| size != 0));
    let sharing: Vec<usize> = configured.iter().copied().filter(shares).collect();
    match (&configured[..], &sharing[..]) {
        ([], _) => {}
        (&[root], _) | (_, &[root]) => return Ok(root),
        (&[first, second, ..], _) => {
            let why = "one operation of a kernel decides the tiling: it alone has a `lowering_config`, or a `workgroup` \
                       tile in it";
            let help = match sharing.is_empty() {
                true => "let one of the two have a `workgroup` tile",
                false => "leave `workgroup` out of one of the two",
            };
            let diag = refuse(ir, members[second].op, why).related(ir.span(members[first].op), "the other one");
            return Err(diag.help(help));
        }
    }
    let points = |m: usize| -> i64 {
        members[m].linalg.extents(ir).iter().fold(1i64, |n, &extent| n.saturating_mul(extent.max(1)))
    };
    let all = || 0..members.len();
    let product = all().find(|&m| members[m].reduces() && body::is_contraction(ir, members[m].op));
    let reduction = || all().filter(|&m| members[m].reduces()).max_by_key(|&m| (points(m), std::cmp::Reverse(m)));
    let last = || {
        let computing = all().filter(|&m| computes(ir, members[m].op));
        computing.max_by_key(|&m| (members[m].dims.len(), m))
    };
    let found = product.or_else(|| divided(members, dims, facts)).or_else(reduction).or_else(last);
    Ok(found.unwrap_or(members.len().saturating_sub(1)))
}

/// The last elementwise operation along dimensions that workgroups divide, if it is too long for one of them that had what
/// is reduced, and this is so little that each may reduce it again.
fn divided(members: &[Member], dims: &[Dim], facts: &Facts) -> Option<usize> {
    let points = |dims_of: &mut dyn Iterator<Item = usize>| {
        dims_of
            .map(|dim| dims[dim].extent)
            .try_fold(1i64, |n, extent| (extent != DYNAMIC).then(|| n.saturating_mul(extent)))
    };
    let reductions = || members.iter().filter(|member| member.reduces());
    let is_little = |member: &Member| {
        let mut reduced = member.dims.iter().zip(&member.linalg.reduction).filter(|at| *at.1).map(|at| *at.0);
        points(&mut reduced).is_some_and(|n| n <= AGAIN_MAX)
    };
    let is_long = |member: &Member| {
        let mut own = member.dims.iter().copied().filter(|dim| !reductions().any(|other| other.dims.contains(dim)));
        points(&mut own).is_none_or(|n| n > ROW_MAX)
    };
    let found = (0..members.len())
        .rev()
        .find(|&m| members[m].dims.iter().all(|&dim| dims[dim].shared) && is_long(&members[m]))?;
    (facts.chip.native.is_none() && reductions().next().is_some() && reductions().all(is_little)).then_some(found)
}

/// Whether a configuration goes in steps through a loop that the operation reduces.
fn states_steps(ir: &Ir, member: &Member) -> bool {
    let Ok(config) = Config::read(ir, member.op) else { return false };
    let extents = member.linalg.extents(ir);
    let is_short = |d: usize, step: i64| step != 0 && (extents[d] == DYNAMIC || step < extents[d]);
    let steps = |list: &[i64]| list.iter().zip(0..extents.len()).any(|(&step, d)| is_short(d, step));
    steps(&config.reduction) || steps(&config.partial_reduction)
}

/// Whether only what the root reduces lies along the dimensions that it reduces: itself, and elementwise operations that
/// nobody else needs.
fn steps(
    ir: &Ir,
    members: &[Member],
    root: usize,
    made: &FxHashMap<ValueId, (usize, usize)>,
    leaves: &dyn Fn(ValueId) -> bool,
) -> bool {
    let reduced: Vec<usize> =
        members[root].dims.iter().zip(&members[root].linalg.reduction).filter(|at| *at.1).map(|at| *at.0).collect();
    let mut inside = vec![false; members.len()];
    inside[root] = true;
    for m in (0..members.len()).rev().filter(|&m| m != root) {
        let serves = |value: ValueId| {
            let users = ir.uses(value).map(|(user, _)| members.iter().position(|member| member.op == user));
            !leaves(value) && users.flatten().all(|user| inside[user])
        };
        inside[m] = !members[m].reduces() && ir.results(members[m].op).all(serves);
    }
    // What the root begins with is not stepped through.
    let starts = |m: usize| members[root].linalg.outputs.iter().any(|v| made.get(v).is_some_and(|at| at.0 == m));
    (0..members.len()).all(|m| {
        let along = members[m].dims.iter().any(|dim| reduced.contains(dim));
        !along || (inside[m] && !starts(m))
    })
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    Diag::error(Code::CannotConfigure, ir.span(op), format!("`{}` cannot be computed in this kernel", ir.name(op)))
        .note(why.to_owned())
}

/// The first loop that is known to be the same.
fn find(same: &mut [usize], mut at: usize) -> usize {
    while same[at] != at {
        same[at] = same[same[at]];
        at = same[at];
    }
    at
}

fn join(same: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(same, a), find(same, b));
    let (first, second) = (a.min(b), a.max(b));
    same[second] = first;
}
