//! Which matrix instruction a contraction is, by the types and layouts of its operands.

use raddle_ir::views::Contract;
use raddle_ir::{Attr, AttrId, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, keyword_attr};
use raddle_layout::Nested;
use raddle_target::{Chip, Fragment, Mma, mma};

use crate::code::extents::row_major;
use crate::configure::factors::{GROUP, multiplies_shared, paired, reads_pairs};
use crate::configure::{Roles, roles};
use crate::lay_out::{blocks, layout_of, mask_of};

/// A contraction as matrix instructions.
pub struct Match {
    /// The instruction.
    pub mma: &'static Mma,
    /// Which loop is m, n and k.
    pub roles: Roles,
    /// The layout that the accumulator and the result have.
    pub result: Nested,
    /// Whether rows, and columns, come in pairs: see [`paired`].
    pub pairs: [bool; 2],
}

/// The instruction that the operands' layouts are made for: the one that the operation names, else any of the chip's.
pub fn of_contract(ir: &Ir, op: OpId, lhs: &Nested, rhs: &Nested, chip: &Chip) -> Option<Match> {
    let view = Contract::of(ir, op);
    let roles = roles(&view.maps)?;
    let types = types(ir, &view);
    let factors = |mma: &'static Mma| -> Option<[(Nested, bool); 2]> {
        let factor = |i: usize, layout| has_fragment(layout, is_swapped(&view.maps[i], &roles, i), i, mma);
        if mma.types.map(Some) == types { Some([factor(0, lhs)?, factor(1, rhs)?]) } else { None }
    };
    let fits = |mma: &&'static Mma| factors(mma).is_some();
    // Matrix instructions sum all products.
    if ir.keyword_of(op, "kind").unwrap_or("add") != "add" || mask_of(ir, op).is_some() {
        return None;
    }
    let mma = match ir.keyword_of(op, "iree.gpu.mma") {
        Some(name) => mma(name).filter(|mma| mma.blocks.is_none()).filter(fits)?,
        None => chip.exact_mma_rows().find(fits)?,
    };
    let [(lhs, pairs_m), (rhs, pairs_n)] = factors(mma).expect("it fits");
    // Rows are repeated as lhs repeats them, columns as rhs does.
    let at = |i: usize, d: usize| {
        let expr = Expr::Dim(d as u32);
        view.maps[i].results.iter().position(|result| *result == expr).expect("roles come from the maps")
    };
    let (m, n) = (at(0, roles.m), at(1, roles.n));
    let result = mma.fragments[2].nested(
        [lhs.batch_tile[m], rhs.batch_tile[n]],
        [lhs.subgroup_tile[m], rhs.subgroup_tile[n]],
        [lhs.subgroup_strides[m], rhs.subgroup_strides[n]],
    );
    let pairs = [pairs_m, pairs_n];
    let result = (0..2).filter(|&d| pairs[d]).try_fold(result, |result, d| paired(&result, d))?;
    let result = if is_swapped(&view.maps[2], &roles, 2) { result.permute(&[1, 0]) } else { result };
    Some(Match { mma, roles, result, pairs })
}

/// The types of a product's factors and of its sums.
pub fn types(ir: &Ir, view: &Contract) -> [Option<Scalar>; 3] {
    [view.lhs, view.rhs, view.acc].map(|value| Scalar::of(&ir[ir.elem_of(value)]))
}

/// The layout that a contraction's sums have because matrix instructions compute them, of one product or of several.
pub fn sums(ir: &Ir, op: OpId, lhs: &Nested, rhs: &Nested, chip: &Chip) -> Option<Nested> {
    let found = of_contract(ir, op, lhs, rhs, chip).map(|found| found.result);
    found.or_else(|| blocks::of_contract(ir, op, lhs, rhs, chip).map(|(_, sums)| sums))
}

/// Whether the layout of a product's sums is that of instructions that read factors from shared memory: subgroups share
/// rows alone, 16 each.
pub fn shares_rows(sums: &Nested, found: &Match, threads: i64, chip: &Chip) -> bool {
    let subgroups = sums.subgroup_tile[0];
    multiplies_shared(chip, found.mma)
        && subgroups % GROUP == 0
        && subgroups * i64::from(found.mma.subgroup_size) == threads
        && [sums.batch_tile[0], sums.subgroup_strides[0]] == [1, 1]
}

/// The layout of which [`paired`] makes this one; `halves` where an instruction has both halves.
fn unpaired(layout: &Nested, d: usize, halves: bool) -> Option<Nested> {
    let mut single = layout.clone();
    if layout.element_tile[d] % 2 != 0 || layout.outer_tile[d] != 1 {
        return None;
    }
    single.element_tile[d] /= 2;
    match halves {
        true => single.outer_tile[d] = 2,
        false => single.batch_tile[d] *= 2,
    }
    Some(single)
}

/// The layout of an operand without the pairs that it has.
pub fn single(layout: &Nested, pairs: [bool; 2], fragment: &Fragment, swapped: bool) -> Nested {
    let halves = |d: usize| fragment.outer[if swapped { 1 - d } else { d }] == 2;
    let one = |layout: Nested, d: usize| unpaired(&layout, d, halves(d)).expect("it was found to be paired");
    (0..2).filter(|&d| pairs[d]).fold(layout.clone(), one)
}

/// One thread's slots of a factor in the order of the registers that the matrix instruction takes; `None` where no
/// matrix instruction uses the value, or the order is that of the slots.
///
/// What loads a factor fills registers in this order, so that no move stands between the load and the instruction.
pub fn register_order(ir: &Ir, value: ValueId, chip: &Chip) -> Option<Vec<usize>> {
    let layout = layout_of(ir, value)?;
    let (user, i) = product_of(ir, value)?;
    let view = Contract::of(ir, user);
    let (lhs, rhs) = (layout_of(ir, view.lhs)?, layout_of(ir, view.rhs)?);
    let found = of_contract(ir, user, lhs, rhs, chip)?;
    // Words of pairs are put together in any order.
    if found.pairs[i] {
        return None;
    }
    let axes = slot_axes(&found.mma.fragments[i], is_swapped(&view.maps[i], &found.roles, i));
    if axes.is_sorted() {
        return None;
    }
    // Batches come first, then the four axes that the order is about.
    let axes: Vec<usize> = [0, 1].into_iter().chain(axes.map(|axis| axis + 2)).collect();
    let shape = layout.distributed_shape();
    let strides = row_major(&shape);
    let mut slots = vec![0];
    for &axis in &axes {
        let step = |slot: usize| (0..shape[axis]).map(move |i| (i, slot));
        slots = slots.into_iter().flat_map(step).map(|(i, slot)| slot + (i * strides[axis]) as usize).collect();
    }
    Some(slots)
}

/// The contraction that takes a value as a factor, at once or in the next iteration of a loop.
fn product_of(ir: &Ir, value: ValueId) -> Option<(OpId, usize)> {
    let mut values = vec![value];
    let mut next = 0;
    while let Some(&value) = values.get(next) {
        next += 1;
        for (user, i) in ir.uses(value) {
            let carried = match ir.opcode(user) {
                Opcode::VectorContract if i < 2 => return Some((user, i)),
                Opcode::ScfYield => {
                    ir.parent_op(user).filter(|&around| ir.opcode(around) == Opcode::ScfFor).zip(Some(i))
                }
                Opcode::ScfFor => i.checked_sub(3).map(|i| (user, i)),
                _ => None,
            };
            if let Some((around, i)) = carried {
                let arg = ir.args(ir.entry(around)).get(i + 1).copied();
                let more = arg.into_iter().chain(ir.results(around).nth(i)).filter(|value| !values.contains(value));
                let more: Vec<ValueId> = more.collect();
                values.extend(more);
            }
        }
    }
    None
}

/// The axes (outer 0, outer 1, element 0, element 1) of an operand as it lies, in the order of the hardware's slots.
pub fn slot_axes(fragment: &Fragment, swapped: bool) -> [usize; 4] {
    let axis = if swapped { [1, 0, 3, 2] } else { [0, 1, 2, 3] };
    fragment.order.map(|a| axis[a])
}

/// What an operation that stands for a matrix instruction says of it.
pub fn attributes(ir: &mut Ir, mma: &Mma) -> Vec<(&'static str, AttrId)> {
    if mma.opcode == Opcode::NvgpuMmaSync {
        let shape = ("mmaShape", ir.i64_array(&[mma.m, mma.n, mma.k]));
        // f32 factors of which the instruction reads the digits of a tf32.
        let tf32 = mma.on_request.then(|| ("tf32Enabled", ir.intern(Attr::Unit)));
        return [shape].into_iter().chain(tf32).collect();
    }
    let i32 = ir.int_type(32);
    let mut number = |value: i64| ir.intern(Attr::Int { value: value.into(), ty: i32 });
    let row = mma.instruction();
    let mut attrs = vec![("m", number(row.m)), ("n", number(row.n)), ("k", number(row.k))];
    if mma.opcode == Opcode::AmdgpuSparseMfma {
        attrs.extend([("cbsz", number(0)), ("abid", number(0))]);
    }
    if mma.opcode == Opcode::AmdgpuMfma {
        attrs.extend([
            ("blocks", number(mma.blocks.map_or(1, |blocks| blocks.n))),
            ("cbsz", number(0)),
            ("abid", number(0)),
        ]);
        attrs.push(("blgp", keyword_attr(ir, "amdgpu.mfma_perm_b", "none")));
    }
    attrs
}

/// Whether operand `i` (A, B or C) lies with its columns first.
pub fn is_swapped(map: &Map, roles: &Roles, i: usize) -> bool {
    let rows = [roles.m, roles.k, roles.m][i];
    map.results[0] != Expr::Dim(rows as u32)
}

/// The layout without pairs, and whether it has any, where it is a factor's fragment, repeated by batches and subgroups.
fn has_fragment(layout: &Nested, swapped: bool, operand: usize, mma: &Mma) -> Option<(Nested, bool)> {
    let fragment = &mma.fragments[operand];
    let dims = if swapped { [1, 0] } else { [0, 1] };
    let is_fragment = |layout: &Nested| {
        layout.rank() == 2
            && (0..2).all(|d| {
                let at = dims[d];
                let stride = if fragment.thread[d] == 1 { 0 } else { fragment.strides[d] };
                layout.outer_tile[at] == fragment.outer[d]
                    && layout.thread_tile[at] == fragment.thread[d]
                    && layout.thread_strides[at] == stride
                    && layout.element_tile[at] == fragment.element[d]
            })
    };
    if is_fragment(layout) {
        return Some((layout.clone(), false));
    }
    // Rows of A, columns of B.
    let own = dims[operand];
    if !reads_pairs(mma, operand, own == 0) || layout.rank() != 2 {
        return None;
    }
    let single = unpaired(layout, own, fragment.outer[operand] == 2)?;
    is_fragment(&single).then_some((single, true))
}
