//! Products in shared memory: contractions whose factors instructions read from rings themselves.
//!
//! Before:
//!
//! ```mlir
//! %a = vector.transfer_read %ring_a[%slot, %c0, %c0] {layouts = [#lhs]}
//! %b = vector.transfer_read %ring_b[%slot, %c0, %c0] {layouts = [#rhs]}
//! %sum = vector.contract … %a, %b, %acc {layouts = [#sums]}
//! ```
//!
//! After, for two steps of k:
//!
//! ```mlir
//! nvvm.wgmma.fence.aligned
//! %first = nvgpu.wgmma %row_a[%i], %row_b[%j], %acc
//! %sum = nvgpu.wgmma %row_a[%i2], %row_b[%j2], %first
//! nvvm.wgmma.commit.group.sync.aligned
//! ```
//!
//! Sums of bytes of floats begin at zero in each round of a loop, since these instructions keep few digits, and ordinary
//! additions add them to all others behind it.
//!
//! The left factor may be in registers, as `mma.sync` takes it. Four subgroups have 64 rows of the sums, each 16 of them,
//! in the order of `mma.sync`'s accumulators. The instructions go on while the threads do other things: what uses the
//! sums, except as sums of the next product, waits for them, also in the next round of a loop, and a barrier behind which a
//! slot is written again waits for those that read it (`hazard.rs` knows which). PTX ISA, "Asynchronous Warpgroup Level
//! Matrix Instructions".

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, Builder, Class, Code, Diag, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_target::catalogue::SharedProduct;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ring::Ring;
use super::{Cx, hazard, operation, transposed};
use crate::config::{Launch, role};
use crate::configure::factors::{GROUP, sums_apart};
use crate::configure::roles;
use crate::facts::Facts;
use crate::lay_out::instruction::{self, is_swapped};
use crate::lay_out::{is_conversion, layout_of};
use crate::overlap::is_made_beside;

/// Instructions along k that sums apart have at most: as many as a round of most loops has, behind which they are added
/// anyway.
const STEPS_APART: i64 = 24;

/// The products of a function whose factors stay in shared memory.
#[derive(Default)]
pub struct Products {
    contracts: FxHashSet<OpId>,
    reads: FxHashSet<OpId>,
}

/// The sums that are on their way, in terms of the whole-workgroup program, each with how many products have begun since.
#[derive(Clone, Default)]
pub struct Sums {
    flying: FxHashMap<ValueId, i64>,
}

impl Sums {
    /// A product has begun.
    pub fn begin(&mut self, sums: ValueId) {
        self.flying.values_mut().for_each(|since| *since += 1);
        self.flying.insert(sums, 0);
    }

    /// All but so many products are done.
    pub fn land(&mut self, n: i64) {
        self.flying.retain(|_, since| *since < n);
    }

    /// How many products may be on their way where an operation is done, if it must wait, which it then has. Other names
    /// for sums are on their way as these are.
    pub fn meet(&mut self, ir: &Ir, products: &Products, op: OpId) -> Option<i64> {
        if self.flying.is_empty() {
            return None;
        }
        if is_name(ir, op) {
            if let Some(&since) = self.flying.get(&ir.operand(op, 0)) {
                self.flying.insert(ir.result(op, 0), since);
            }
            return None;
        }
        let adds = |at: usize, value: ValueId| products.multiplies(op) && at == 2 && is_alone(ir, value);
        // What a round gives may be on its way where the next one, and what is behind the loop, know it.
        let around = ir.parent_op(op).filter(|_| ir.opcode(op) == Opcode::ScfYield);
        let left = around.filter(|&around| ir.opcode(around) == Opcode::ScfFor);
        let left = left.map_or_else(Vec::new, |around| left_flying(ir, products, around));
        let known = |at: usize| left.iter().any(|&(i, _)| i == at);
        let used = ir.operands(op).iter().enumerate().filter(|&(at, &value)| !adds(at, value) && !known(at));
        let newest = match ir.regions(op).is_empty() {
            true => used.filter_map(|(_, value)| self.flying.get(value)).min(),
            false => self.flying.values().min(),
        };
        let newest = newest.copied();
        if let Some(n) = newest {
            self.land(n);
        }
        newest
    }

    /// At the begin of a round of a loop, or behind it: sums of its last product may be on their way.
    pub fn enter(&mut self, ir: &Ir, products: &Products, loop_op: OpId) {
        for (i, since) in left_flying(ir, products, loop_op) {
            self.flying.insert(ir.args(ir.entry(loop_op))[i + 1], since);
            self.flying.insert(ir.result(loop_op, i), since);
        }
    }
}

impl Products {
    /// Whether an operation is such a product.
    pub fn multiplies(&self, op: OpId) -> bool {
        self.contracts.contains(&op)
    }

    /// Whether an operation reads a factor of one.
    pub fn reads(&self, op: OpId) -> bool {
        self.reads.contains(&op)
    }
}

/// The products of a function that read their factors from rings that are cut into pieces.
pub fn find(ir: &Ir, func: OpId, launch: Launch, facts: &Facts) -> Products {
    let mut found = Products::default();
    for op in ir.walk(func) {
        // Sums that leave a branch are moved, and none that are on their way may be.
        if ir.class(op) == Class::Contract
            && role::around(ir, op).is_none()
            && let Some(parts) = Parts::of(ir, op, launch, facts)
        {
            found.contracts.insert(op);
            found.reads.extend(parts.lhs.iter().chain([&parts.rhs]).map(|factor| factor.read));
        }
    }
    found
}

/// A factor in shared memory.
struct Factor {
    read: OpId,
    ring: Ring,
    /// Whether it lies along k.
    k_is_last: bool,
    /// Elements of k.
    depth: i64,
    /// How an instruction finds it, as `nvgpu.wgmma` states it.
    tile: [i64; 4],
}

/// A product in shared memory.
struct Parts {
    product: SharedProduct,
    /// Whether its sums begin at zero, and are added to all others when they are there.
    is_apart: bool,
    /// The axes of a fragment of the left factor in registers, in the order of the instruction's registers.
    axes: [usize; 4],
    /// `None` where lanes hold it.
    lhs: Option<Factor>,
    rhs: Factor,
}

impl Parts {
    fn of(ir: &Ir, op: OpId, launch: Launch, facts: &Facts) -> Option<Parts> {
        let view = Contract::of(ir, op);
        let roles = roles(&view.maps)?;
        let sums = layout_of(ir, view.acc)?;
        let [lhs, rhs] = [layout_of(ir, view.lhs)?, layout_of(ir, view.rhs)?];
        let found = instruction::of_contract(ir, op, lhs, rhs, facts.chip).filter(|found| found.result == *sums)?;
        let fits = instruction::shares_rows(sums, &found, launch.workgroup_size, facts.chip);
        if !fits || is_swapped(&view.maps[2], &roles, 2) {
            return None;
        }
        let factor = |i: usize| {
            let value = [view.lhs, view.rhs][i];
            let read = ir.def_op(value).filter(|&read| ir.opcode(read) == Opcode::VectorTransferRead)?;
            let from = Transfer::of(ir, read);
            let ring = Ring::of(ir, from.base)?;
            let whole = from.map.as_dims().as_deref() == Some(&[1, 2])
                && from.indices[1..].iter().all(|&at| ir.const_int(at) == Some(0))
                && ir.shape_of(from.base)[1..] == *ir.shape_of(value);
            let alone = ir.uses(value).count() == 1 && ir.parent_block(read) == ir.parent_block(op);
            let k = view.maps[i].results.iter().position(|expr| *expr == Expr::Dim(roles.k as u32))?;
            let (k_is_last, depth) = (k == 1, ir.shape_of(value)[k]);
            let tile = ring.cut?.tile(k_is_last);
            (whole && alone).then_some(Factor { read, ring, k_is_last, depth, tile })
        };
        let (lhs, rhs) = (factor(0), factor(1)?);
        if lhs.is_none() && (is_swapped(&view.maps[0], &roles, 0) || !is_made_beside(ir, view.lhs, op)) {
            return None;
        }
        let columns = ir.shape_of(view.acc)[1];
        let product = SharedProduct::new(columns, found.mma.types, lhs.as_ref().map(|lhs| lhs.tile), rhs.tile)?;
        let axes = instruction::slot_axes(&found.mma.fragments[0], false);
        Some(Parts { product, is_apart: sums_apart(found.mma, facts), axes, lhs, rhs })
    }
}

impl Factor {
    /// Where the part for a step of k begins; `rows` of it belong to the four subgroups, if these share them.
    fn begin(&self, builder: &mut Builder<'_>, cx: &Cx<'_>, at: i64, rows: Option<i64>) -> [ValueId; 2] {
        let from = Transfer::of(builder.ir, self.read);
        let place = |along: i64, k: i64| self.ring.plain_offset(if self.k_is_last { [along, k] } else { [k, along] });
        let own = rows.map_or(0, |rows| place(rows, 0));
        let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
        let threads = GROUP * cx.launch.subgroup_size;
        let mut sum = of(BinOp::Mul, Expr::Dim(1), self.ring.size());
        if cx.launch.workgroup_size > threads && own != 0 {
            let group = of(BinOp::FloorDiv, Expr::Dim(0), threads);
            sum = Expr::binary(BinOp::Add, of(BinOp::Mul, group, own), sum);
        }
        let sum = of(BinOp::Add, sum, place(0, at));
        let map = Map { dims: 2, syms: 0, results: vec![sum] };
        [cx.part(from.base), builder.apply(map, &[cx.thread, cx.part(from.indices[0])])]
    }
}

/// Begins a product.
pub fn multiply(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let parts = Parts::of(builder.ir, op, cx.launch, cx.facts).expect("it was found to be one");
    let message = format!("`vector.contract` becomes `{}`", parts.product.mnemonic);
    cx.facts.remark(Diag::error(Code::LayoutChoice, builder.ir.span(op), message));
    let (acc, result) = (Contract::of(builder.ir, op).acc, builder.ir.result(op, 0));
    if parts.is_apart {
        parts.begin_apart(builder, cx, op, acc)?;
    } else {
        let acc = cx.part(acc);
        let shape = builder.ir.shape_of(acc).to_vec();
        let sums = parts.begin(builder, cx, op, acc);
        let sums = builder.shape_cast(sums, &shape);
        cx.map.set(result, sums);
    }
    cx.sums.begin(result);
    Ok(())
}

/// Sums that began at zero and are still to be added to all others.
pub struct Apart {
    /// What they are in the whole-workgroup program, with all others.
    result: ValueId,
    /// Other names for these, none of which is distributed yet.
    names: Vec<OpId>,
    /// All others.
    before: ValueId,
    sums: ValueId,
    /// The instructions along k that they have.
    steps: i64,
}

impl Apart {
    /// Whether a value is these, by any name.
    fn is(&self, ir: &Ir, value: ValueId) -> bool {
        value == self.result || self.names.iter().any(|&name| ir.result(name, 0) == value)
    }
}

/// Adds sums that began at zero to all others, when they are there.
fn add_apart(builder: &mut Builder<'_>, cx: &mut Cx<'_>) -> Result<(), Diag> {
    let Some(Apart { result, names, before, sums, .. }) = cx.apart.take() else { return Ok(()) };
    wait(builder, cx, 0);
    let all = builder.binary(Opcode::ArithAddf, before, sums);
    cx.map.set(result, all);
    names.into_iter().try_for_each(|name| operation(builder, cx, name))
}

impl Parts {
    /// Begins a product whose sums began at zero a few steps ago, or do so now.
    fn begin_apart(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, acc: ValueId) -> Result<(), Diag> {
        let goes_on = |apart: &Apart| {
            apart.is(builder.ir, acc) && is_alone(builder.ir, acc) && apart.steps + self.steps() <= STEPS_APART
        };
        let shape = layout_of(builder.ir, acc).expect("it was found to be one").distributed_shape();
        let (sums, before, steps) = match cx.apart.take_if(|apart| goes_on(apart)) {
            Some(Apart { before, sums, steps, .. }) => (sums, before, steps),
            None => {
                add_apart(builder, cx)?;
                let elem = builder.ir.elem_of(acc);
                let ty = builder.ir.vector_type(&shape, elem);
                let bytes = vec![0; self.product.types[2].bits() as usize / 8];
                (builder.constant(Attr::Dense { ty, splat: true, bytes }, ty), cx.part(acc), 0)
            }
        };
        let sums = self.begin(builder, cx, op, sums);
        let sums = builder.shape_cast(sums, &shape);
        let (result, steps) = (builder.ir.result(op, 0), steps + self.steps());
        cx.apart = Some(Apart { result, names: Vec::new(), before, sums, steps });
        Ok(())
    }

    /// Instructions along k.
    fn steps(&self) -> i64 {
        self.rhs.depth / self.product.mnk[2]
    }

    /// Begins the product, whose sums are added to `acc`.
    fn begin(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, acc: ValueId) -> ValueId {
        let Parts { product, axes, lhs, rhs, .. } = self;
        let [rows, columns, k] = product.mnk;
        // Eight columns after the other: the lane's row and one eight rows below, two elements each.
        let mut sums = builder.shape_cast(acc, &[columns / 8, 2, 2]);
        let ty = builder.ir.type_of(sums);
        builder.op(Opcode::NvvmWgmmaFenceAligned, &[], &[], &[]);
        let mut attrs = vec![("mmaShape", builder.ir.i64_array(&product.mnk))];
        if let Some(lhs) = lhs {
            attrs.push(("lhsTile", builder.ir.i64_array(&lhs.tile)));
        }
        attrs.push(("rhsTile", builder.ir.i64_array(&rhs.tile)));
        for step in 0..self.steps() {
            let mut operands = match lhs {
                Some(lhs) => lhs.begin(builder, cx, step * k, Some(rows)).to_vec(),
                None => {
                    let tile = builder.extract(cx.part(Contract::of(builder.ir, op).lhs), &[0, step]);
                    let tile = transposed(builder, tile, axes);
                    vec![builder.shape_cast(tile, &[4, k / 8])]
                }
            };
            operands.extend(rhs.begin(builder, cx, step * k, None));
            operands.push(sums);
            sums = builder.value(Opcode::NvgpuWgmma, &operands, ty, &attrs);
        }
        builder.op(Opcode::NvvmWgmmaCommitGroupSyncAligned, &[], &[], &[]);
        hazard::multiply(&mut cx.pending);
        sums
    }
}

/// Waits for what an operation uses of the sums that are on their way, and adds those that began at zero.
pub fn meet_sums(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    if let Some(n) = cx.sums.meet(builder.ir, &cx.products, op) {
        wait(builder, cx, n);
    }
    let Some(apart) = &mut cx.apart else { return Ok(()) };
    let ir = &*builder.ir;
    let adds = |at: usize| cx.products.multiplies(op) && at == 2;
    let mut used = ir.operands(op).iter().enumerate().filter(|&(at, &value)| !adds(at) && apart.is(ir, value));
    let is_used = used.next().is_some();
    if is_used && is_name(ir, op) {
        apart.names.push(op);
    } else if is_used || !ir.regions(op).is_empty() {
        add_apart(builder, cx)?;
    }
    Ok(())
}

/// Whether an operation is a name for sums that are still to be added: it is distributed with them.
pub fn is_put_off(cx: &Cx<'_>, op: OpId) -> bool {
    cx.apart.as_ref().is_some_and(|apart| apart.names.contains(&op))
}

/// The values that a loop carries which are sums of a product of its own block, each with the products behind that.
fn left_flying(ir: &Ir, products: &Products, loop_op: OpId) -> Vec<(usize, i64)> {
    let block = ir.entry(loop_op);
    let products: Vec<OpId> = ir.block_ops(block).filter(|&op| products.multiplies(op)).collect();
    let end = ir.terminator(block).expect("a loop's block ends");
    let of = |(i, &value): (usize, &ValueId)| {
        let mut at = ir.def_op(value)?;
        while is_name(ir, at) {
            at = ir.def_op(ir.operand(at, 0))?;
        }
        let number = products.iter().position(|&product| product == at)?;
        // Products in inner loops are not counted.
        let plain = ir.block_ops(block).all(|op| ir.regions(op).is_empty());
        plain.then_some((i, (products.len() - 1 - number) as i64))
    };
    ir.operands(end).iter().enumerate().filter_map(of).collect()
}

/// Whether an operation only gives its operand another name.
fn is_name(ir: &Ir, op: OpId) -> bool {
    match ir.opcode(op) {
        Opcode::IreeVectorExtToLayout => !is_conversion(ir, op),
        opcode => opcode == Opcode::VectorShapeCast,
    }
}

/// Whether sums have but one use, and so have their other names: the instruction adds to them where they are.
fn is_alone(ir: &Ir, value: ValueId) -> bool {
    let named = ir.def_op(value).filter(|&op| is_name(ir, op)).map(|op| ir.operand(op, 0));
    ir.uses(value).count() == 1 && named.is_none_or(|named| is_alone(ir, named))
}

/// Waits until at most `n` products are on their way.
pub fn wait(builder: &mut Builder<'_>, cx: &mut Cx<'_>, n: i64) {
    if cx.products.contracts.is_empty() {
        return;
    }
    let i64 = builder.ir.int_type(64);
    let group = builder.ir.intern(Attr::Int { value: n.into(), ty: i64 });
    builder.op(Opcode::NvvmWgmmaWaitGroupSyncAligned, &[], &[], &[("group", group)]);
    hazard::multiplied(&mut cx.pending, n);
    cx.sums.land(n);
}

/// Lets products see what this thread has written and copied to shared memory, behind the next barrier.
pub fn show(builder: &mut Builder<'_>, cx: &Cx<'_>) {
    if cx.products.contracts.is_empty() {
        return;
    }
    let kind = builder.keyword_attr("nvvm.proxy_kind", "async");
    builder.op(Opcode::NvvmFenceProxy, &[], &[], &[("kind", kind)]);
}
