//! Contractions: matrix instructions where the layouts are theirs, products inside each thread elsewhere.

use std::sync::Arc;

use raddle_ir::views::Contract;
use raddle_ir::{Attr, AttrId, Builder, Code, Diag, Expr, Map, OpId, Opcode, TypeId, ValueId};
use raddle_layout::Nested;
use raddle_target::catalogue::Lowering;
use raddle_target::{Fragment, Mma};

use super::{Cx, beyond, differ, layout, reduce, refuse, tf32, transposed};
use crate::code::edges::choose;
use crate::code::{select, sparse};
use crate::configure::factors::{SUMMED, paired};
use crate::lay_out::blocks::{self, Product};
use crate::lay_out::instruction::{self, Match, is_swapped};
use crate::lay_out::recombined;

pub fn contract(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let view = Contract::of(builder.ir, op);
    let mut layouts = Vec::new();
    for value in [view.lhs, view.rhs, view.acc] {
        // A scalar is everyone's.
        let is_vector = builder.ir.ty(value).is_vector();
        let whole = || Arc::new(Nested::whole(&[]).expect("no extents"));
        layouts.push(if is_vector { layout(builder.ir, op, value)? } else { whole() });
    }
    let chip = cx.facts.chip;
    if let Some((product, sums)) = blocks::of_contract(builder.ir, op, &layouts[0], &layouts[1], chip)
        && sums == *layouts[2]
    {
        remark(builder, cx, op, product.mma);
        several(builder, cx, op, &view, &layouts, &product);
        return Ok(());
    }
    let found = instruction::of_contract(builder.ir, op, &layouts[0], &layouts[1], chip);
    match found {
        Some(found) if found.result == *layouts[2] => {
            remark(builder, cx, op, found.mma);
            matrix(builder, cx, op, &view, &layouts, &found)
        }
        _ => match builder.ir.keyword_of(op, "iree.gpu.mma") {
            Some(name) => {
                let why = format!("its operands do not have the types and layouts of `{name}`");
                Err(refuse(builder.ir, op, why))
            }
            None => inside_threads(builder, cx, op, &view, &layouts),
        },
    }
}

fn remark(builder: &Builder<'_>, cx: &Cx<'_>, op: OpId, mma: &Mma) {
    let message = format!("`vector.contract` becomes `{}`", mma.name);
    cx.facts.remarks.borrow_mut().push(Diag::error(Code::LayoutChoice, builder.ir.span(op), message).as_remark());
}

/// Several products.
fn several(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    view: &Contract,
    layouts: &[Arc<Nested>],
    product: &Product,
) {
    let Product { mma, places } = product;
    // Blocks, rows and columns are the first dimensions of what is distributed, then those of each fragment, in the order
    // of the hardware's slots; of these, blocks are the slowest.
    let perm = |i: usize| -> Vec<usize> {
        let [block, row, column] = places[i];
        let axes = [3 + row, 3 + column, 6 + row, 6 + column];
        let fragment = mma.fragments[i].order.map(|axis| axes[axis]);
        [block, row, column, 3 + block, 6 + block].into_iter().chain(fragment).collect()
    };
    let [lhs, rhs, acc] = [(0, view.lhs), (1, view.rhs), (2, view.acc)].map(|(i, value)| {
        let part = if i < 2 { one_by_one(builder, cx.part(value), &layouts[i], product, i) } else { cx.part(value) };
        transposed(builder, part, &perm(i))
    });
    let batches = |part: ValueId| [0, 1, 2].map(|d| builder.ir.shape_of(part)[d]);
    let ([blocks, rows, steps], [_, _, columns]) = (batches(lhs), batches(rhs));
    let take = |builder: &mut Builder<'_>, i: usize, part: ValueId, at: [i64; 3]| {
        let tile = builder.extract(part, &at);
        let shape = own_shape(mma, i);
        // The AMD instructions take one element as a scalar.
        if shape == [1] { builder.extract(tile, &[0; 6]) } else { builder.shape_cast(tile, &shape) }
    };
    let attrs = instruction::attributes(builder.ir, mma);
    let fragment = builder.ir.shape_of(acc)[3..].to_vec();
    let mut part = acc;
    for b in 0..blocks {
        let mut sums = Vec::new();
        for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
            sums.push(([b, i, j], take(builder, 2, acc, [b, i, j])));
        }
        // k is the outer loop: neighbouring instructions then do not wait for one another.
        for k in 0..steps {
            let left: Vec<ValueId> = (0..rows).map(|i| take(builder, 0, lhs, [b, i, k])).collect();
            let right: Vec<ValueId> = (0..columns).map(|j| take(builder, 1, rhs, [b, k, j])).collect();
            for ([_, i, j], sum) in &mut sums {
                *sum = multiply(builder, mma, &attrs, [left[*i as usize], right[*j as usize], *sum]);
            }
        }
        for (at, sum) in sums {
            let tile = builder.shape_cast(sum, &fragment);
            part = builder.insert(tile, part, &at);
        }
    }
    let part = transposed(builder, part, &super::inverse(&perm(2)));
    cx.map.set(builder.ir.result(op, 0), part);
}

/// One thread's part of a factor, with instructions along k as batches where elements of several lie side by side.
fn one_by_one(builder: &mut Builder<'_>, part: ValueId, layout: &Nested, product: &Product, operand: usize) -> ValueId {
    let (single, n) = product.single(operand, layout).expect("the layout is the instruction's");
    let Some(n) = n else { return part };
    let k = SUMMED[operand];
    let at = product.places[operand][k];
    let mut split = layout.distributed_shape();
    split.splice(6 + at..=6 + at, [n, single.outer_tile[k], single.element_tile[k]]);
    // Instructions go behind the batches, and their halves to where outer tiles are.
    let (instruction, half) = (6 + at, 7 + at);
    let mut order: Vec<usize> = (0..split.len()).filter(|&axis| axis != instruction && axis != half).collect();
    order.insert(4 + at, half);
    order.insert(1 + at, instruction);
    let part = builder.shape_cast(part, &split);
    let part = transposed(builder, part, &order);
    let single = product.as_it_lies(operand, &single);
    builder.shape_cast(part, &single.distributed_shape())
}

/// An attribute with its name.
type Named = (&'static str, AttrId);

/// One operand of the matrix instructions: its fragments in the hardware's slot order.
struct Operand<'a> {
    fragment: &'a Fragment,
    swapped: bool,
    /// Shape of the instruction's own vector.
    shape: Vec<i64>,
}

impl Operand<'_> {
    /// The axes (outer 0, outer 1, element 0, element 1) of the operand as it lies, in hardware order.
    fn perm(&self) -> Vec<usize> {
        instruction::slot_axes(self.fragment, self.swapped).to_vec()
    }

    /// The position of the batch at row `i`, column `j`.
    fn at(&self, i: i64, j: i64) -> [i64; 2] {
        if self.swapped { [j, i] } else { [i, j] }
    }

    /// The batches along rows and columns.
    fn batches(&self, layout: &Nested) -> [i64; 2] {
        let [a, b] = [layout.batch_tile[0], layout.batch_tile[1]];
        if self.swapped { [b, a] } else { [a, b] }
    }

    fn take(&self, builder: &mut Builder<'_>, part: ValueId, i: i64, j: i64) -> ValueId {
        let tile = builder.extract(part, &self.at(i, j));
        let tile = transposed(builder, tile, &self.perm());
        // The AMD instructions take one element as a scalar.
        if self.shape == [1] { builder.extract(tile, &[0; 4]) } else { builder.shape_cast(tile, &self.shape) }
    }

    fn put(&self, builder: &mut Builder<'_>, tile: ValueId, part: ValueId, i: i64, j: i64) -> ValueId {
        let f = self.fragment;
        let axes = [f.outer[0], f.outer[1], f.element[0], f.element[1]];
        let shape: Vec<i64> = f.order.iter().map(|&a| axes[a]).collect();
        let tile = if self.shape == [1] {
            let elem = builder.ir.type_of(tile);
            let ty = builder.ir.vector_type(&shape, elem);
            builder.broadcast(tile, ty)
        } else {
            builder.shape_cast(tile, &shape)
        };
        let tile = transposed(builder, tile, &super::inverse(&self.perm()));
        builder.insert(tile, part, &self.at(i, j))
    }
}

fn matrix(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    view: &Contract,
    layouts: &[Arc<Nested>],
    Match { mma, roles, pairs, .. }: &Match,
) -> Result<(), Diag> {
    if i64::from(mma.subgroup_size) != cx.launch.subgroup_size {
        return Err(refuse(builder.ir, op, format!("`{}` takes {} lanes", mma.name, mma.subgroup_size)));
    }
    let k_dim = |i: usize| {
        view.maps[i].results.iter().position(|expr| *expr == Expr::Dim(roles.k as u32)).expect("k is in A and B")
    };
    if (0..2).any(|i| layouts[i].subgroup_tile[k_dim(i)] != 1) {
        return Err(refuse(builder.ir, op, "subgroups cannot share k: each would hold a part of every sum"));
    }
    let operand = |i: usize| {
        let swapped = is_swapped(&view.maps[i], roles, i);
        Operand { fragment: &mma.fragments[i], swapped, shape: own_shape(mma, i) }
    };
    let [a, b, c] = [operand(0), operand(1), operand(2)];
    // Pairs are taken apart, which names registers anew.
    let swapped = [a.swapped, b.swapped, c.swapped];
    let pairs = [[pairs[0], false], [false, pairs[1]], *pairs];
    let pairs = [0, 1, 2].map(|i| if swapped[i] { [pairs[i][1], pairs[i][0]] } else { pairs[i] });
    let singles = [0, 1, 2].map(|i| instruction::single(&layouts[i], pairs[i], &mma.fragments[i], swapped[i]));
    let mut part = |i: usize, value: ValueId| regrouped(builder, cx.part(value), &singles[i], pairs[i], false);
    let (lhs, rhs, acc) = (part(0, view.lhs), part(1, view.rhs), part(2, view.acc));
    let [rows, steps] = a.batches(&singles[0]);
    let [_, columns] = b.batches(&singles[1]);
    // Of a sparse instruction two rows are one.
    let in_pairs = mma.issued.is_some_and(|issued| issued.lowering == Lowering::Sparse);
    let sum_type = builder.ir.elem_of(acc);
    let sum_type = builder.ir.vector_type(&c.shape, sum_type);
    let mut sums = Vec::new();
    for i in 0..rows {
        for j in 0..columns {
            let sum = c.take(builder, acc, i, j);
            sums.push(if in_pairs { sparse::sums_of_rows(builder, sum) } else { sum });
        }
    }
    let is_short = [view.lhs, view.rhs].map(|factor| tf32::is_short(builder.ir, factor));
    let pieces = |builder: &mut Builder<'_>, operand: usize, fragment: ValueId| match mma.pieces_of {
        Some(_) if !is_short[operand] => tf32::pieces(builder, fragment).to_vec(),
        _ => vec![fragment],
    };
    let attrs = instruction::attributes(builder.ir, mma);
    // k is the outer loop: neighbouring instructions then do not wait for one another.
    let multiply_all = |builder: &mut Builder<'_>, mut sums: Vec<ValueId>| {
        for k in 0..steps {
            let mut left = Vec::new();
            for i in 0..rows {
                let fragment = a.take(builder, lhs, i, k);
                left.push(pieces(builder, 0, fragment));
            }
            let mut right = Vec::new();
            for j in 0..columns {
                let fragment = b.take(builder, rhs, k, j);
                right.push(pieces(builder, 1, fragment));
            }
            for [of_left, of_right] in tf32::PRODUCTS {
                for (n, sum) in sums.iter_mut().enumerate() {
                    let (i, j) = (n / columns as usize, n % columns as usize);
                    if let (Some(&left), Some(&right)) = (left[i].get(of_left), right[j].get(of_right)) {
                        *sum = multiply(builder, mma, &attrs, [left, right, *sum]);
                    }
                }
            }
        }
        sums
    };
    // Sums of 16 bits are two in a register.
    let takes_condition = mma.opcode == Opcode::NvgpuMmaSync && mma.issued.is_none() && mma.types[2].bits() == 32;
    let has_part = if takes_condition { beyond::has_part(builder, cx, op) } else { None };
    let sums = match has_part {
        Some(condition) => {
            let types: Vec<TypeId> = sums.iter().map(|&sum| builder.ir.type_of(sum)).collect();
            let side = |inner: &mut Builder<'_>, is_true| {
                if is_true { multiply_all(inner, sums.clone()) } else { sums.clone() }
            };
            let branch = choose(builder, condition, &types, side);
            builder.ir.results(branch).collect()
        }
        None => multiply_all(builder, sums),
    };
    let mut part = acc;
    for (n, &sum) in sums.iter().enumerate() {
        let (i, j) = (n as i64 / columns, n as i64 % columns);
        let sum = if in_pairs { sparse::sums_of_pairs(builder, sum, sum_type) } else { sum };
        part = c.put(builder, sum, part, i, j);
    }
    let part = regrouped(builder, part, &singles[2], pairs[2], true);
    cx.map.set(builder.ir.result(op, 0), part);
    Ok(())
}

/// The shape of an instruction's own vector.
fn own_shape(mma: &Mma, operand: usize) -> Vec<i64> {
    let fragment = &mma.fragments[operand];
    match mma.opcode {
        // nvgpu.mma.sync takes one row for each of its 32-bit registers.
        Opcode::NvgpuMmaSync => vec![fragment.outer.iter().product(), fragment.element.iter().product()],
        _ => vec![mma.n_slots(operand)],
    }
}

/// One thread's part of a value in the layout that is not paired; or, from that one, in the paired one. `pairs` are the
/// dimensions of the value that are paired.
fn regrouped(builder: &mut Builder<'_>, part: ValueId, single: &Nested, pairs: [bool; 2], back: bool) -> ValueId {
    if pairs == [false; 2] {
        return part;
    }
    // Axes of the single part: batch, with its low digit, outer, element; of each dimension in turn.
    let digit = |d: usize| match (pairs[d], single.outer_tile[d] == 2) {
        (false, _) => [1, 1],
        (true, true) => [1, 2],
        (true, false) => [2, 1],
    };
    let [x, y] = [digit(0), digit(1)];
    let rest =
        |d: usize| [single.batch_tile[d] / digit(d)[0], single.outer_tile[d] / digit(d)[1], single.element_tile[d]];
    let ([b0, o0, e0], [b1, o1, e1]) = (rest(0), rest(1));
    let split = [b0, x[0], b1, y[0], o0, x[1], o1, y[1], e0, e1];
    // Behind the elements in the paired part.
    let order = [0, 2, 4, 6, 8, 1, 5, 9, 3, 7];
    let shape: Vec<i64> = order.iter().map(|&axis| split[axis]).collect();
    let whole = |layout: &Nested| layout.distributed_shape();
    let pair = |layout: Nested, d: usize| {
        if pairs[d] { paired(&layout, d).expect("it is paired") } else { layout }
    };
    if back {
        let part = builder.shape_cast(part, &split);
        let part = transposed(builder, part, &order);
        return builder.shape_cast(part, &whole(&pair(pair(single.clone(), 0), 1)));
    }
    let part = builder.shape_cast(part, &shape);
    let part = transposed(builder, part, &super::inverse(&order));
    builder.shape_cast(part, &whole(single))
}

/// One product; `attrs` are those of the instruction.
fn multiply(builder: &mut Builder<'_>, mma: &Mma, attrs: &[Named], [a, b, c]: [ValueId; 3]) -> ValueId {
    let ty = builder.ir.type_of(c);
    let Some(issued) = mma.issued else { return builder.value(mma.opcode, &[a, b, c], ty, attrs) };
    // Equal parts of what a lane has.
    let part = |builder: &mut Builder<'_>, of: ValueId, at: i64, n: i64| {
        let width = builder.ir.shape_of(of)[0] / n;
        sparse::shuffled(builder, of, &(at * width..(at + 1) * width).collect::<Vec<i64>>())
    };
    match issued.lowering {
        Lowering::Unroll => (0..issued.issues).fold(c, |sum, at| {
            let [a, b] = [a, b].map(|factor| part(builder, factor, at, issued.issues));
            builder.value(mma.opcode, &[a, b, sum], ty, attrs)
        }),
        Lowering::Sparse => {
            let is_odd = sparse::is_odd(builder);
            let places = sparse::places(builder, is_odd, issued.k / issued.issues);
            // Two lanes have a row, each its half.
            let half = |builder: &mut Builder<'_>, at: i64| {
                let [yes, no] = [issued.issues + at, at].map(|at| part(builder, a, at, 2 * issued.issues));
                // Words are chosen, not each of their elements.
                let (own, word) = (builder.ir.type_of(no), builder.ir.int_type(32));
                let bits = i64::from(mma.types[0].bits()) * builder.ir.shape_of(no)[0];
                let words = builder.ir.vector_type(&[bits / 32], word);
                let [yes, no] = [yes, no].map(|half| builder.value(Opcode::VectorBitcast, &[half], words, &[]));
                let chosen = select(builder, is_odd, yes, no);
                builder.value(Opcode::VectorBitcast, &[chosen], own, &[])
            };
            let parts: Vec<ValueId> = (0..issued.issues).map(|at| half(builder, at)).collect();
            sparse::multiply(builder, attrs, &parts, b, c, places)
        }
    }
}

/// Products of what each thread holds; then, where k is spread over threads, sums across them.
fn inside_threads(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    view: &Contract,
    layouts: &[Arc<Nested>],
) -> Result<(), Diag> {
    let elem = builder.ir.elem_of(view.acc);
    let combiner = reduce::combiner(builder, op, elem)?;
    let dims: Option<Vec<Vec<usize>>> = view.maps.iter().map(Map::as_dims).collect();
    let Some(dims) = dims else { return Err(refuse(builder.ir, op, "its maps are not lists of loops")) };
    let iteration = recombined(view, &layouts[0], &layouts[1]).map_err(|why| refuse(builder.ir, op, why))?;
    let result = iteration.apply(&dims[2].iter().map(|&d| Some(d)).collect::<Vec<_>>());
    if result != *layouts[2] {
        let why = "its accumulator does not have the layout that its operands give the result";
        return Err(differ(refuse(builder.ir, op, why), &layouts[2], &result, cx.launch));
    }
    // Each loop becomes three: over batches, outers and elements.
    let n = view.reduction.len();
    // Sums are computed in the order of the loops; the result's own order comes last.
    let mut sorted = dims[2].clone();
    sorted.sort_unstable();
    let order: Vec<usize> = sorted.iter().filter_map(|d| dims[2].iter().position(|other| other == d)).collect();
    let triple = |order: &[usize]| -> Vec<usize> {
        (0..3).flat_map(|group| order.iter().map(move |&d| group * order.len() + d)).collect()
    };
    let maps = [&dims[0], &dims[1], &sorted]
        .into_iter()
        .map(|dims| {
            let tripled: Vec<usize> = (0..3).flat_map(|group| dims.iter().map(move |d| group * n + d)).collect();
            builder.ir.intern(Attr::Map(Map::of_dims(3 * n, &tripled)))
        })
        .collect();
    let iterators = (0..3 * n)
        .map(|d| {
            builder.keyword_attr("vector.iterator_type", if view.reduction[d % n] { "reduction" } else { "parallel" })
        })
        .collect();
    let attrs = [
        ("indexing_maps", builder.ir.intern(Attr::Array(maps))),
        ("iterator_types", builder.ir.intern(Attr::Array(iterators))),
        ("kind", builder.keyword_attr("vector.kind", combiner.kind)),
    ];
    let (lhs, rhs, acc) = (cx.part(view.lhs), cx.part(view.rhs), cx.part(view.acc));
    let is_vector = builder.ir.ty(acc).is_vector();
    let acc = if is_vector { transposed(builder, acc, &triple(&order)) } else { acc };
    let ty = builder.ir.type_of(acc);
    let spread = (0..n).any(|d| view.reduction[d] && (iteration.thread_tile[d] > 1 || iteration.subgroup_tile[d] > 1));
    let start = if spread { combiner.neutral(builder, ty) } else { acc };
    let mut part = builder.value(Opcode::VectorContract, &[lhs, rhs, start], ty, &attrs);
    if spread {
        part = reduce::across(builder, cx, op, part, &iteration, &view.reduction, combiner)?;
        part = reduce::accumulate(builder, combiner, part, acc);
    }
    if is_vector {
        part = transposed(builder, part, &super::inverse(&triple(&order)));
    }
    cx.map.set(builder.ir.result(op, 0), part);
    Ok(())
}
