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
//! Four subgroups have 64 rows of the sums, each 16 of them, in the order of `mma.sync`'s accumulators. The instructions
//! go on while the threads do other things: what uses the sums, except as sums of the next product, waits for all of them,
//! and a barrier behind which a slot is written again waits for those that read it (`hazard.rs` knows which). PTX ISA,
//! "Asynchronous Warpgroup Level Matrix Instructions".

use std::collections::BTreeSet;

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, Builder, Class, Code, Diag, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_target::catalogue::SharedProduct;

use super::ring::Ring;
use super::{Cx, hazard};
use crate::config::Launch;
use crate::configure::roles;
use crate::instruction::{self, GROUP, is_swapped};
use crate::lay_out::layout_of;
use crate::table::Facts;

/// The products of a function whose factors stay in shared memory.
#[derive(Default)]
pub struct Products {
    contracts: BTreeSet<OpId>,
    reads: BTreeSet<OpId>,
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
        if ir.class(op) == Class::Contract
            && let Some(parts) = Parts::of(ir, op, launch, facts)
        {
            found.contracts.insert(op);
            found.reads.extend(parts.factors.map(|factor| factor.read));
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
}

/// A product in shared memory.
struct Parts {
    product: SharedProduct,
    factors: [Factor; 2],
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
        let mma = found.mma;
        let factor = |i: usize| {
            let value = [view.lhs, view.rhs][i];
            let read = ir.def_op(value).filter(|&read| ir.opcode(read) == Opcode::VectorTransferRead)?;
            let from = Transfer::of(ir, read);
            let ring = Ring::of(ir, from.base).filter(|ring| ring.is_cut)?;
            let whole = from.map.as_dims().as_deref() == Some(&[1, 2])
                && from.indices[1..].iter().all(|&at| ir.const_int(at) == Some(0))
                && ir.shape_of(from.base)[1..] == *ir.shape_of(value);
            let alone = ir.uses(value).count() == 1 && ir.parent_block(read) == ir.parent_block(op);
            let k = view.maps[i].results.iter().position(|expr| *expr == Expr::Dim(roles.k as u32))?;
            let (k_is_last, depth) = (k == 1, ir.shape_of(value)[k]);
            (whole && alone).then_some(Factor { read, ring, k_is_last, depth })
        };
        let factors = [factor(0)?, factor(1)?];
        let bytes = i64::from(mma.types[0].bits()) / 8;
        let tiles = [0, 1].map(|i| factors[i].ring.tile(factors[i].k_is_last, bytes));
        let columns = ir.shape_of(view.acc)[1];
        Some(Parts { product: SharedProduct::new(columns, mma.types, tiles)?, factors })
    }
}

impl Ring {
    /// How an instruction finds a tile, as `nvgpu.wgmma` states it.
    fn tile(&self, k_is_last: bool, bytes: i64) -> [i64; 4] {
        let row = self.piece * bytes;
        // Eight rows lie behind each other. Beside them there are more only where rows are not along k.
        let beside = if k_is_last { 16 } else { self.piece_size() * bytes };
        [i64::from(!k_is_last), row, beside, 8 * row]
    }
}

/// Begins a product.
pub fn multiply(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let parts = Parts::of(builder.ir, op, cx.launch, cx.facts).expect("it was found to be one");
    let Parts { product, factors } = parts;
    let message = format!("`vector.contract` becomes `{}`", product.mnemonic);
    cx.facts.remark(Diag::error(Code::LayoutChoice, builder.ir.span(op), message));
    let [_, columns, k] = product.mnk;
    let bytes = i64::from(product.types[0].bits()) / 8;
    let view = Contract::of(builder.ir, op);
    let acc = cx.part(view.acc);
    let whole = builder.ir.type_of(acc);
    // Eight columns after the other: the lane's row and one eight rows below, two elements each.
    let mut sums = builder.shape_cast(acc, &[columns / 8, 2, 2]);
    let ty = builder.ir.type_of(sums);
    builder.op(Opcode::NvvmWgmmaFenceAligned, &[], &[], &[]);
    let shape = builder.ir.i64_array(&product.mnk);
    let tiles = [0, 1].map(|i| {
        let tile = factors[i].ring.tile(factors[i].k_is_last, bytes);
        builder.ir.i64_array(&tile)
    });
    let attrs = [("mmaShape", shape), ("lhsTile", tiles[0]), ("rhsTile", tiles[1])];
    for step in 0..factors[0].depth / k {
        let mut operands = Vec::new();
        for (i, factor) in factors.iter().enumerate() {
            let from = Transfer::of(builder.ir, factor.read);
            let at = if factor.k_is_last { [0, step * k] } else { [step * k, 0] };
            // The rows of A that belong to these four subgroups.
            let rows = product.mnk[0];
            let own = match (i, factor.k_is_last) {
                (0, true) => factor.ring.plain_offset([rows, 0]),
                (0, false) => factor.ring.plain_offset([0, rows]),
                _ => 0,
            };
            let index = index(builder, cx, [factor.ring.size(), own, factor.ring.plain_offset(at)], from.indices[0]);
            operands.extend([cx.part(from.base), index]);
        }
        operands.push(sums);
        sums = builder.value(Opcode::NvgpuWgmma, &operands, ty, &attrs);
    }
    builder.op(Opcode::NvvmWgmmaCommitGroupSyncAligned, &[], &[], &[]);
    hazard::multiply(&mut cx.pending);
    let shape = builder.ir[whole].shape().expect("sums are a vector").to_vec();
    let sums = builder.shape_cast(sums, &shape);
    let result = builder.ir.result(op, 0);
    cx.map.set(result, sums);
    if !goes_on(builder.ir, cx, result) {
        wait(builder, cx, 0);
    }
    Ok(())
}

/// Where a tile begins: in a slot of the ring, and behind the tiles of the subgroups before these four.
fn index(builder: &mut Builder<'_>, cx: &Cx<'_>, [size, own, at]: [i64; 3], slot: ValueId) -> ValueId {
    let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
    let threads = GROUP * cx.launch.subgroup_size;
    let group = of(BinOp::FloorDiv, Expr::Dim(0), threads);
    let mut sum = of(BinOp::Mul, Expr::Dim(1), size);
    if cx.launch.workgroup_size > threads && own != 0 {
        sum = Expr::binary(BinOp::Add, of(BinOp::Mul, group, own), sum);
    }
    let sum = of(BinOp::Add, sum, at);
    builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[cx.thread, cx.part(slot)])
}

/// Whether the sums of a product are but what the next one adds to, perhaps in the next round of a loop, or behind it.
fn goes_on(ir: &Ir, cx: &Cx<'_>, sums: ValueId) -> bool {
    let mut uses = ir.uses(sums);
    let (Some((user, at)), None) = (uses.next(), uses.next()) else { return false };
    match ir.opcode(user) {
        Opcode::IreeVectorExtToLayout if !super::is_conversion(ir, user) => goes_on(ir, cx, ir.result(user, 0)),
        Opcode::ScfYield => {
            // The loop waits where it ends.
            let around = ir.parent_op(user).filter(|&around| ir.opcode(around) == Opcode::ScfFor);
            around.is_some_and(|around| begins(ir, cx, ir.args(ir.entry(around))[at + 1]))
        }
        _ => cx.products.multiplies(user) && at == 2,
    }
}

/// Whether a value is but what a product adds to.
fn begins(ir: &Ir, cx: &Cx<'_>, value: ValueId) -> bool {
    let mut uses = ir.uses(value);
    let (Some((user, at)), None) = (uses.next(), uses.next()) else { return false };
    match ir.opcode(user) {
        Opcode::IreeVectorExtToLayout if !super::is_conversion(ir, user) => begins(ir, cx, ir.result(user, 0)),
        _ => cx.products.multiplies(user) && at == 2,
    }
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
}

/// Lets products see what this thread has written and copied to shared memory, behind the next barrier.
pub fn show(builder: &mut Builder<'_>, cx: &Cx<'_>) {
    if cx.products.contracts.is_empty() {
        return;
    }
    let kind = builder.keyword_attr("nvvm.proxy_kind", "async.shared");
    let space = builder.keyword_attr("nvvm.shared_space", "cta");
    builder.op(Opcode::NvvmFenceProxy, &[], &[], &[("kind", kind), ("space", space)]);
}
