//! Lower inner tiles: an `iree_codegen.inner_tiled` of one lane's values, without loops around it, is the instructions
//! that its kind names.
//!
//! Before: `iree_codegen.inner_tiled ins(%a, %b) outs(%c) {…, kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>}`
//! After:  `amdgpu.mfma 16x16x16 %a * %b + %c blgp = none`
//!
//! A virtual instruction is issued on one slice of its values after the other, a data-tiled kind on each combination of
//! the parts of its operands. Values of another shape are cast; what is done to an accumulator is taken back behind the
//! instruction, so that in a loop both can leave it. Kinds that no operation stands for stay, and so do data-tiled kinds
//! whose subgroups would have to add up what they have.

use raddle_ir::{Attr, AttrId, Builder, Float, Ir, OpId, Opcode, Scalar, ValueId, keyword_attr};
use raddle_target::catalogue::{Family, Instruction, Lowering, Named};
use raddle_target::mma;
use raddle_target::tile::{Held, Kind, Tile};

use super::{InnerTiled, conversion, is_on_vectors, kind_of, strided_slice};
use crate::code::sparse;
use crate::distribute::is_distributed;

/// Instructions that one operation may become.
const INSTRUCTIONS_MAX: i64 = 1 << 12;

/// Lowers all inside the function that can be; says whether there was any.
pub fn lower(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for op in ir.walk(func) {
        if is_on_vectors(ir, op)
            && let Some(plan) = plan(ir, op)
        {
            issue(ir, op, &plan);
            changed = true;
        }
    }
    changed
}

/// The operation that stands for an instruction.
#[derive(Clone, Copy)]
enum Stands {
    MmaSync,
    Mfma,
    /// Its accumulator may take one half of each register only.
    Wmma {
        halves: bool,
    },
    Scaled,
    Sparse,
}

/// What an operation is made of.
struct Plan {
    stands: Stands,
    /// m, n, k of the operation, and its blocks.
    extents: [i64; 4],
    /// How often it is issued, on consecutive slices of A and B.
    issues: i64,
    /// The product is that of the transposed factors, in the other order.
    swapped: bool,
    /// For each operand, the shape of what a lane holds as the instruction takes it.
    shapes: Vec<Vec<i64>>,
    /// For a data-tiled kind, the operands' tiles and its instructions along m, n and k.
    tiled: Option<(Vec<Tile>, [i64; 3])>,
}

fn plan(ir: &Ir, op: OpId) -> Option<Plan> {
    let view = InnerTiled::of(ir, op)?;
    let kind = kind_of(ir, op).ok().filter(|kind| !kind.is_bare)?;
    let tiles = kind.tiles().ok()?;
    let row = kind.row().ok()?;
    if is_distributed(ir, op) != Some(true) || view.permutations.is_some() || !view.reduction.is_empty() {
        return None;
    }
    let of_row = |row: &Instruction| [row.m, row.n, row.k, row.blocks];
    let (stands, extents, issues) = match kind.named {
        Named::Instruction(row) => (stands(row, &kind)?, of_row(row), 1),
        Named::Virtual(it) => match it.lowering {
            Lowering::Unroll => (Stands::Mfma, of_row(row?), it.issues),
            // Two rows of the sparse instruction are one.
            Lowering::Sparse if kind.col_major => return None,
            Lowering::Sparse => (Stands::Sparse, [2 * it.m, it.n, it.k / it.issues, 1], it.issues),
        },
        Named::Scaled(_) => (Stands::Scaled, of_row(row?), 1),
    };
    let shapes: Vec<Vec<i64>> = match &kind.repeat {
        Some(_) => tiles.iter().map(Tile::held_shape).collect(),
        None => tiles.iter().enumerate().map(|(at, tile)| registers(stands, &kind, at, tile)).collect(),
    };
    let n = |shape: &[i64]| shape.iter().product::<i64>();
    let fits = view.values.len() == shapes.len()
        && view.values.iter().zip(&shapes).all(|(&value, shape)| n(ir.shape_of(value)) == n(shape));
    let n_instructions: i64 = kind.repeat.as_ref().map_or(1, |repeat| repeat.intrinsics.iter().product());
    let adds_up = kind.repeat.as_ref().is_some_and(|repeat| repeat.subgroups[2] > 1);
    let swapped = kind.col_major;
    let tiled = kind.repeat.map(|repeat| (tiles, repeat.intrinsics));
    (fits && !adds_up && n_instructions <= INSTRUCTIONS_MAX).then_some(Plan {
        stands,
        extents,
        issues,
        swapped,
        shapes,
        tiled,
    })
}

/// What stands for an instruction on what a kind's lanes hold.
fn stands(row: &Instruction, kind: &Kind) -> Option<Stands> {
    let is_half = |scalar: Option<Scalar>| matches!(scalar, Some(Scalar::Float(Float::F16 | Float::BF16)));
    match row.family {
        Family::MmaSync if mma(&kind.name).is_some() => Some(Stands::MmaSync),
        // Some names stand for a scaled instruction without its scales.
        Family::Mfma if row.scales.is_none() || mma(&kind.name).is_some() => Some(Stands::Mfma),
        Family::WmmaGfx11 => Some(Stands::Wmma { halves: is_half(row.types[2].scalar()) }),
        Family::WmmaGfx12 | Family::WmmaGfx1250 => Some(Stands::Wmma { halves: false }),
        _ => None,
    }
}

/// The shape that an instruction takes an operand in: a list, or a row for each register where it counts those.
fn registers(stands: Stands, kind: &Kind, at: usize, tile: &Tile) -> Vec<i64> {
    let n = tile.held_shape().iter().product();
    let element = match (stands, mma(&kind.name)) {
        (Stands::MmaSync, Some(mma)) => mma.fragments[at].element.iter().product(),
        _ => return vec![n],
    };
    vec![n / element, element]
}

fn issue(ir: &mut Ir, op: OpId, plan: &Plan) {
    let values = ir.operands(op).to_vec();
    let old = ir.result(op, 0);
    let whole = ir.type_of(old);
    let mut builder = Builder::before(ir, op);
    let builder = &mut builder;
    let (&acc, factors) = values.split_last().expect("the plan counted the operands");
    let mut operands = Vec::new();
    for (&value, shape) in factors.iter().zip(&plan.shapes) {
        operands.push(builder.shape_cast(value, shape));
    }
    let acc_shape = &plan.shapes[factors.len()];
    let cast = builder.ir.shape_of(acc) != acc_shape;
    let tags = ["shape_cast_to_intrinsic", "shape_cast_from_intrinsic"];
    let elem = builder.ir.elem_of(acc);
    let held = builder.ir.vector_type(acc_shape, elem);
    let mut acc = acc;
    if cast {
        acc =
            conversion(builder, tags, &[acc], &[held], |builder, args| vec![builder.shape_cast(args[0], acc_shape)])[0];
    }
    let mut result = match &plan.tiled {
        None => emit(builder, plan, &operands, acc),
        Some((tiles, intrinsics)) => combine(builder, plan, tiles, *intrinsics, &operands, acc),
    };
    if cast {
        let shape = builder.ir[whole].shape().unwrap_or_default().to_vec();
        let inverse = [tags[1], tags[0]];
        result = conversion(builder, inverse, &[result], &[whole], |builder, args| {
            vec![builder.shape_cast(args[0], &shape)]
        })[0];
    }
    ir.replace_uses(old, result);
    ir.erase(op);
}

/// The instructions of a data-tiled kind, k innermost.
fn combine(
    builder: &mut Builder<'_>,
    plan: &Plan,
    tiles: &[Tile],
    [of_m, of_n, of_k]: [i64; 3],
    factors: &[ValueId],
    acc: ValueId,
) -> ValueId {
    // Each operand, cut into what one instruction takes: its instructions' digits in the order of memory.
    let split = |builder: &mut Builder<'_>, value: ValueId, tile: &Tile| -> Vec<ValueId> {
        let (offsets, sizes) = cuts(tile);
        let n: i64 = sizes.iter().product();
        let mut parts = Vec::new();
        for offset in &offsets {
            let part = strided_slice(builder, value, offset, &sizes);
            parts.push(builder.shape_cast(part, &[n]));
        }
        parts
    };
    let mut parts = Vec::new();
    for (&value, tile) in factors.iter().zip(tiles) {
        parts.push(split(builder, value, tile));
    }
    let last = &tiles[tiles.len() - 1];
    let (offsets, sizes) = cuts(last);
    let elem = builder.ir.elem_of(acc);
    let (whole, one) = (builder.ir.type_of(acc), builder.ir.vector_type(&[sizes.iter().product()], elem));
    let tags = ["data_tiled_acc_distribute", "data_tiled_acc_reassemble"];
    let mut accs =
        conversion(builder, tags, &[acc], &vec![one; offsets.len()], |builder, args| split(builder, args[0], last));
    for m in 0..of_m {
        for n in 0..of_n {
            for k in 0..of_k {
                let mut factors = Vec::new();
                for (parts, tile) in parts.iter().zip(tiles) {
                    factors.push(parts[place(tile, [m, n, k])]);
                }
                let at = place(last, [m, n, k]);
                accs[at] = emit(builder, plan, &factors, accs[at]);
            }
        }
    }
    conversion(builder, [tags[1], tags[0]], &accs, &[whole], |builder, args| {
        let mut all = builder.splat(0.0, whole);
        for (&part, offset) in args.iter().zip(&offsets) {
            let part = builder.shape_cast(part, &sizes);
            all = builder.insert_strided_slice(part, all, offset);
        }
        vec![all]
    })[0]
}

/// Where the parts of a data-tiled operand begin in what a thread holds, and their shape.
fn cuts(tile: &Tile) -> (Vec<Vec<i64>>, Vec<i64>) {
    let held = tile.held_shape();
    let is_cut = |d: usize| tile.memory[d].iter().any(|&part| tile.parts[part].held == Held::Instructions);
    let sizes: Vec<i64> = held.iter().enumerate().map(|(d, &extent)| if is_cut(d) { 1 } else { extent }).collect();
    let mut offsets = vec![Vec::new()];
    for (d, &extent) in held.iter().enumerate() {
        let n = if is_cut(d) { extent } else { 1 };
        let along = |offset: Vec<i64>| (0..n).map(move |at| [&offset[..], &[at]].concat());
        offsets = offsets.into_iter().flat_map(along).collect();
    }
    (offsets, sizes)
}

/// Which part of an operand the instruction at (m, n, k) takes.
fn place(tile: &Tile, at: [i64; 3]) -> usize {
    let mut place = 0;
    for &part in tile.memory.iter().flatten() {
        let part = tile.parts[part];
        if part.held == Held::Instructions {
            // Blocks come first among the dimensions of a product.
            place = place * part.extent + at[part.along as usize - 1];
        }
    }
    place as usize
}

/// One instruction, or those that a virtual one is issued as.
fn emit(builder: &mut Builder<'_>, plan: &Plan, factors: &[ValueId], acc: ValueId) -> ValueId {
    let mut factors = factors.to_vec();
    if plan.swapped {
        // Scales go with their factors.
        factors.chunks_mut(2).for_each(<[ValueId]>::reverse);
    }
    match plan.stands {
        Stands::MmaSync => mma_sync(builder, plan, &factors, acc),
        Stands::Mfma => mfma(builder, plan, &factors, acc),
        Stands::Wmma { halves: false } => wmma(builder, plan, &factors, acc),
        Stands::Wmma { halves: true } => {
            let (half, elem) = (builder.ir.type_of(acc), builder.ir.elem_of(acc));
            let n = builder.ir.shape_of(acc)[0];
            let full = builder.ir.vector_type(&[2 * n], elem);
            let tags = ["rdna3_interleave_acc", "rdna3_deinterleave_acc"];
            let wide = conversion(builder, tags, &[acc], &[full], |builder, args| {
                let zero = builder.splat(0.0, half);
                vec![builder.value(Opcode::VectorInterleave, &[args[0], zero], full, &[])]
            });
            let wide = wmma(builder, plan, &factors, wide[0]);
            conversion(builder, [tags[1], tags[0]], &[wide], &[half], |builder, args| {
                let op = builder.op(Opcode::VectorDeinterleave, args, &[half, half], &[]);
                vec![builder.ir.result(op, 0)]
            })[0]
        }
        Stands::Scaled => scaled(builder, plan, &factors, acc),
        Stands::Sparse => by_sparse(builder, plan, &factors, acc),
    }
}

/// A's rows of 8 x 8 matrices lie one below the other in the registers, where a lane's values go along a row first.
fn mma_sync(builder: &mut Builder<'_>, plan: &Plan, factors: &[ValueId], acc: ValueId) -> ValueId {
    let [m, n, k, _] = plan.extents;
    let shape = builder.ir.shape_of(factors[0]).to_vec();
    let rows = builder.shape_cast(factors[0], &[2, shape[0] / 2, shape[1]]);
    let turned = builder.transpose(rows, &[1, 0, 2]);
    let a = builder.shape_cast(turned, &shape);
    let attrs = [("mmaShape", builder.ir.i64_array(&[m, n, k]))];
    let ty = builder.ir.type_of(acc);
    builder.value(Opcode::NvgpuMmaSync, &[a, factors[1], acc], ty, &attrs)
}

fn mfma(builder: &mut Builder<'_>, plan: &Plan, factors: &[ValueId], acc: ValueId) -> ValueId {
    let attrs = attributes(builder.ir, plan);
    let whole = builder.ir.type_of(acc);
    // One value is not a vector to the instruction.
    let bare = |builder: &mut Builder<'_>, value: ValueId| {
        if builder.ir.shape_of(value) == [1] { builder.extract(value, &[0]) } else { value }
    };
    let mut acc = bare(builder, acc);
    let ty = builder.ir.type_of(acc);
    for at in 0..plan.issues {
        let mut parts = Vec::new();
        // In the order of the operation's operands, whichever factor comes first in the instruction.
        let order = if plan.swapped { [1, 0] } else { [0, 1] };
        for i in order {
            let size = builder.ir.shape_of(factors[i])[0] / plan.issues;
            let part = match plan.issues {
                1 => factors[i],
                _ => strided_slice(builder, factors[i], &[at * size], &[size]),
            };
            parts.push(bare(builder, part));
        }
        let [a, b] = order.map(|i| parts[i]);
        acc = builder.value(Opcode::AmdgpuMfma, &[a, b, acc], ty, &attrs);
    }
    if ty == whole { acc } else { builder.broadcast(acc, whole) }
}

fn wmma(builder: &mut Builder<'_>, plan: &Plan, factors: &[ValueId], acc: ValueId) -> ValueId {
    let attrs = attributes(builder.ir, plan);
    let ty = builder.ir.type_of(acc);
    builder.value(Opcode::AmdgpuWmma, &[factors[0], factors[1], acc], ty, &attrs)
}

/// Scales come in registers of four, of which one is chosen; the others say nothing.
fn scaled(builder: &mut Builder<'_>, plan: &Plan, factors: &[ValueId], acc: ValueId) -> ValueId {
    let [a, b, of_a, of_b] = [0, 1, 2, 3].map(|i| factors[i]);
    let elem = builder.ir.elem_of(of_a);
    let four = builder.ir.vector_type(&[4], elem);
    // The smallest scale: the type has no zero.
    let none = builder.constant(Attr::Dense { ty: four, splat: true, bytes: vec![0] }, four);
    let [of_a, of_b] = [of_a, of_b].map(|scale| {
        let scale = builder.extract(scale, &[0]);
        builder.insert(scale, none, &[0])
    });
    let mut attrs = attributes(builder.ir, plan);
    attrs.extend(["scalesIdxA", "scalesIdxB"].map(|name| (name, number(builder.ir, 0))));
    let ty = builder.ir.type_of(acc);
    builder.value(Opcode::AmdgpuScaledMfma, &[a, b, acc, of_a, of_b], ty, &attrs)
}

/// Dense rows through a sparse instruction: the rows 2m and 2m + 1 of A are the even and the odd lane's halves of row m,
/// and their two sums are added.
fn by_sparse(builder: &mut Builder<'_>, plan: &Plan, factors: &[ValueId], acc: ValueId) -> ValueId {
    let (whole, twice) = (builder.ir.type_of(acc), sparse::twice(builder.ir, acc));
    let tags = ["vdmfma_interleave_acc", "vdmfma_deinterleave_acc"];
    let spread = |builder: &mut Builder<'_>, args: &[ValueId]| vec![sparse::sums_of_rows(builder, args[0])];
    let sum = conversion(builder, tags, &[acc], &[twice], spread)[0];
    let is_odd = sparse::is_odd(builder);
    let places = sparse::places(builder, is_odd, plan.extents[2]);
    let mut attrs = attributes(builder.ir, plan);
    attrs.extend(["cbsz", "abid"].map(|name| (name, number(builder.ir, 0))));
    let width = builder.ir.shape_of(factors[0])[0] / plan.issues;
    let part = |at: i64| match plan.issues {
        1 => factors[0],
        _ => strided_slice(builder, factors[0], &[at * width], &[width]),
    };
    let parts: Vec<ValueId> = (0..plan.issues).map(part).collect();
    let sum = sparse::multiply(builder, &attrs, &parts, factors[1], sum, places);
    let add = |builder: &mut Builder<'_>, args: &[ValueId]| vec![sparse::sums_of_pairs(builder, args[0], whole)];
    conversion(builder, [tags[1], tags[0]], &[sum], &[whole], add)[0]
}

fn number(ir: &mut Ir, value: i64) -> AttrId {
    let ty = ir.int_type(32);
    ir.intern(Attr::Int { value: value.into(), ty })
}

fn attributes(ir: &mut Ir, plan: &Plan) -> Vec<(&'static str, AttrId)> {
    let [m, n, k, blocks] = plan.extents;
    let mut attrs = vec![("m", number(ir, m)), ("n", number(ir, n)), ("k", number(ir, k))];
    if matches!(plan.stands, Stands::Mfma) {
        attrs.extend([("blocks", blocks), ("cbsz", 0), ("abid", 0)].map(|(name, value)| (name, number(ir, value))));
        attrs.push(("blgp", keyword_attr(ir, "amdgpu.mfma_perm_b", "none")));
    }
    attrs
}
