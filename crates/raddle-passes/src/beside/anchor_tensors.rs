//! Anchor tensors: write the layouts that lowering configurations mean onto the tensors around structured operations.
//!
//! Before: `linalg.generic {lowering_config = …} ins(%a, %b) outs(%c)`
//! After:  the same on `to_layout %a`, `to_layout %b`, `to_layout %c`, and a `to_layout` of its result.
//!
//! A matrix instruction decides the layouts of a contraction's operands by its fragments, a basis those of the loops,
//! and a derived configuration that of a copy. Extents that are not known are taken from their bounds.

use raddle_ir::types::DYNAMIC;
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Body, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId};
use raddle_layout::Nested;
use raddle_target::Mma;

use crate::config::{Config, derived_tile};
use crate::facts::Facts;
use crate::structured::scans::loops_of;

/// One structured operation: its operands that are shaped, and how loops become their dimensions.
struct Structured {
    /// Inputs, then outputs.
    operands: Vec<ValueId>,
    n_inputs: usize,
    maps: Vec<Map>,
    extents: Vec<i64>,
}

/// Writes anchors around each configured operation of a function.
pub fn anchor_tensors(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    let sizes = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "workgroup_size"));
    let threads = sizes.and_then(|sizes| ir.ints(sizes)?.into_iter().try_fold(1i64, i64::checked_mul));
    let Some(threads) = threads else {
        let message = "unable to query workgroup_size information from entry point";
        return Err(Diag::error(Code::CannotConfigure, ir.span(func), message)
            .help("add a `translation_info` with a `workgroup_size` to the function's attributes"));
    };
    for op in ir.walk(func) {
        if let (Some(attr), Some(structured)) = (ir.attr_id(op, "lowering_config"), structured(ir, op)) {
            anchor(ir, op, attr, &structured, threads)?;
        }
    }
    Ok(())
}

fn structured(ir: &Ir, op: OpId) -> Option<Structured> {
    let (operands, n_inputs, maps): (Vec<ValueId>, usize, Vec<Map>) = match ir.opcode(op) {
        Opcode::LinalgMatmul | Opcode::LinalgFill | Opcode::LinalgGeneric => {
            let view = Linalg::of(ir, op);
            let n_inputs = view.inputs.len();
            ([view.inputs, view.outputs].concat(), n_inputs, view.maps)
        }
        Opcode::LinalgCopy => {
            let operands = ir.operands(op).to_vec();
            let maps = operands.iter().map(|&value| Map::identity(ir.shape_of(value).len())).collect();
            (operands, 1, maps)
        }
        Opcode::IreeLinalgExtScan => (ir.operands(op).to_vec(), 1, loops_of(ir, op)?.maps),
        _ => return None,
    };
    let mut extents = vec![DYNAMIC; maps.first()?.dims as usize];
    for (&operand, map) in operands.iter().zip(&maps) {
        for (at, expr) in map.results.iter().enumerate() {
            if let (Expr::Dim(d), Some(extent)) = (expr, bound(ir, operand, at)) {
                extents[*d as usize] = extent;
            }
        }
    }
    Some(Structured { operands, n_inputs, maps, extents })
}

/// The extent of a tensor's dimension, or what bounds it.
fn bound(ir: &Ir, value: ValueId, dim: usize) -> Option<i64> {
    let extent = *ir.ty(value).shape()?.get(dim)?;
    if extent != DYNAMIC {
        return Some(extent);
    }
    // The sizes of an empty tensor or a slice are operands, one for each dimension that is not known.
    let op = ir.def_op(value)?;
    let sizes = match ir.opcode(op) {
        Opcode::TensorEmpty => ir.operands(op).to_vec(),
        Opcode::TensorExtractSlice => ir.segments(op).get(2)?.to_vec(),
        Opcode::IreeVectorExtToLayout => return bound(ir, ir.operand(op, 0), dim),
        _ => return None,
    };
    let shape = ir.ty(value).shape()?;
    let at = shape[..dim].iter().filter(|&&extent| extent == DYNAMIC).count();
    largest(ir, *sizes.get(at)?)
}

/// A number that a value does not exceed.
fn largest(ir: &Ir, value: ValueId) -> Option<i64> {
    if let Some(known) = ir.const_int(value) {
        return Some(known);
    }
    let op = ir.def_op(value).filter(|&op| ir.name(op) == "affine.min")?;
    let constants = ir.map(op, "map")?.results.iter().filter_map(|expr| match expr {
        Expr::Const(number) => Some(*number),
        _ => None,
    });
    constants.min()
}

fn anchor(ir: &mut Ir, op: OpId, attr: AttrId, structured: &Structured, threads: i64) -> Result<(), Diag> {
    let extents = &structured.extents;
    if let Attr::Dialect { name, body: Body::None } = &ir[attr]
        && &ir[*name] == "iree_gpu.derived_thread_config"
    {
        let result = structured.operands[structured.n_inputs];
        let bits = Scalar::of(&ir[ir.elem_of(result)]).map_or(32, |scalar| i64::from(scalar.bits()));
        known(ir, op, extents)?;
        let tile = derived_tile(extents, threads, bits);
        let layout = Nested::coalesced(threads, extents, &tile)
            .map_err(|error| refuse(ir, op, "cannot build derived thread layout").note(error.to_string()))?;
        return results(ir, op, structured, &layout);
    }
    let config = Config::read(ir, op)?;
    let wishes = config.promotions(ir, op);
    let layouts = match config.mma {
        Some(mma) => fragments(ir, op, &config, mma, structured)?,
        None => {
            let layout = loops(ir, op, &config, extents)?;
            structured.maps.iter().map(|map| mapped(&layout, map)).collect()
        }
    };
    for (i, (&operand, layout)) in structured.operands.iter().zip(&layouts).enumerate() {
        if ir.ty(operand).shape().is_none() {
            continue;
        }
        let ty = ir.type_of(operand);
        let layout = ir.intern(Attr::Layout(layout.clone().into()));
        let mut attrs = vec![("layout", layout)];
        attrs.extend(wishes.get(&i).map(|&wish| ("shared_memory_conversion", wish)));
        let held = Builder::before(ir, op).value(Opcode::IreeVectorExtToLayout, &[operand], ty, &attrs);
        ir.set_operand(op, i, held);
    }
    for (i, result) in ir.results(op).enumerate() {
        hold(ir, op, result, &layouts[structured.n_inputs + i]);
    }
    Ok(())
}

/// Anchors for the results alone, given the layout of the loops.
fn results(ir: &mut Ir, op: OpId, structured: &Structured, layout: &Nested) -> Result<(), Diag> {
    for (i, result) in ir.results(op).enumerate() {
        hold(ir, op, result, &mapped(layout, &structured.maps[structured.n_inputs + i]));
    }
    Ok(())
}

/// A `to_layout` of a result, for all its users.
fn hold(ir: &mut Ir, op: OpId, result: ValueId, layout: &Nested) {
    let (attr, ty) = (ir.intern(Attr::Layout(layout.clone().into())), ir.type_of(result));
    let anchor = Builder::before(ir, op).op(Opcode::IreeVectorExtToLayout, &[result], &[ty], &[("layout", attr)]);
    ir.detach(anchor);
    ir.insert_after(op, anchor);
    let held = ir.result(anchor, 0);
    ir.replace_uses(result, held);
    ir.set_operand(anchor, 0, result);
}

/// The layout of an operand whose dimensions are these loops.
fn mapped(layout: &Nested, map: &Map) -> Nested {
    let dims: Vec<Option<usize>> = map
        .results
        .iter()
        .map(|expr| match expr {
            Expr::Dim(d) => Some(*d as usize),
            _ => None,
        })
        .collect();
    layout.apply(&dims)
}

fn known(ir: &Ir, op: OpId, extents: &[i64]) -> Result<(), Diag> {
    match extents.iter().position(|&extent| extent < 1) {
        None => Ok(()),
        Some(d) => Err(refuse(ir, op, "Cannot set layouts on a dynamically shaped iteration space")
            .note(format!("nothing bounds loop {d}"))),
    }
}

fn refuse(ir: &Ir, op: OpId, what: &str) -> Diag {
    Diag::error(Code::CannotConfigure, ir.span(op), what)
}

fn ceil_div(n: i64, by: i64) -> i64 {
    n / by + i64::from(n % by != 0)
}

/// The counts of a basis and their distances, if it speaks of each loop.
fn spread(ir: &Ir, op: OpId, counts: &[i64], strides: Vec<i64>, n: usize) -> Result<(Vec<i64>, Vec<i64>), Diag> {
    if counts.is_empty() {
        return Err(refuse(ir, op, "Could not find a subgroup basis from lowering config"));
    }
    if counts.len() != n || counts.iter().any(|&count| count < 1) {
        let note = format!("the operation has {n} loops, and a basis is {counts:?}");
        return Err(refuse(ir, op, "the basis of the lowering config does not fit").note(note));
    }
    Ok((counts.to_vec(), strides))
}

/// The layout of the loops by the bases and the threads' own tiles; what is left repeats.
fn loops(ir: &Ir, op: OpId, config: &Config, extents: &[i64]) -> Result<Nested, Diag> {
    known(ir, op, extents)?;
    let n = extents.len();
    let (subgroup, subgroup_strides) = spread(ir, op, &config.subgroup, config.subgroup_strides(&config.subgroup), n)?;
    let (lane, lane_strides) = spread(ir, op, &config.lane, config.lane_strides(&config.lane), n)?;
    let element: Vec<i64> = (0..n).map(|d| config.thread.get(d).copied().unwrap_or(1).max(1)).collect();
    let left = |d: usize| ceil_div(ceil_div(ceil_div(extents[d], subgroup[d]), lane[d]), element[d]);
    let batch = (0..n).map(left).collect();
    Nested::new(subgroup, batch, vec![1; n], lane, element, subgroup_strides, lane_strides)
        .map_err(|error| refuse(ir, op, "the lowering config means no layout").note(error.to_string()))
}

/// The layouts of a contraction's operands by the fragments of its matrix instruction.
fn fragments(ir: &Ir, op: OpId, config: &Config, mma: &Mma, structured: &Structured) -> Result<Vec<Nested>, Diag> {
    let why = "Unable to set intrinsic layouts on operation based on given lowering config";
    let Structured { operands, maps, extents, .. } = structured;
    known(ir, op, extents)?;
    let n = extents.len();
    let dims: Option<Vec<Vec<usize>>> = maps.iter().map(Map::as_dims).collect();
    let dims = dims.filter(|dims| dims.len() == 3 && operands.len() == 3).ok_or_else(|| {
        refuse(ir, op, why).note("it is not a contraction of two operands, each indexed by loops alone")
    })?;
    // The innermost loop of each kind: in two of the three operands, and not in the third.
    let innermost = |a: usize, b: usize, not: usize| {
        dims[a].iter().copied().filter(|d| dims[b].contains(d) && !dims[not].contains(d)).max()
    };
    let roles = [innermost(0, 2, 1), innermost(1, 2, 0), innermost(0, 1, 2)];
    let [Some(m), Some(n_loop), Some(k)] = roles else {
        return Err(
            refuse(ir, op, why).note("a matrix instruction needs a loop of rows, one of columns and one of sums")
        );
    };
    let (subgroup, subgroup_strides) = spread(ir, op, &config.subgroup, config.subgroup_strides(&config.subgroup), n)?;
    let mut tile = vec![1; n];
    (tile[m], tile[n_loop], tile[k]) = (mma.m, mma.n, mma.k);
    let batch: Vec<i64> = (0..n).map(|d| ceil_div(ceil_div(extents[d], subgroup[d]), tile[d])).collect();
    let of = |i: usize, loops: [usize; 2]| {
        let fragment = &mma.fragments[i];
        let place = |list: [i64; 2], unit: i64| {
            (0..n).map(|d| loops.iter().position(|&l| l == d).map_or(unit, |at| list[at])).collect::<Vec<_>>()
        };
        let layout = Nested::new(
            subgroup.clone(),
            batch.clone(),
            place(fragment.outer, 1),
            place(fragment.thread, 1),
            place(fragment.element, 1),
            subgroup_strides.clone(),
            place(fragment.strides, 0),
        );
        layout.map(|layout| mapped(&layout, &maps[i])).map_err(|error| refuse(ir, op, why).note(error.to_string()))
    };
    Ok(vec![of(0, [m, k])?, of(1, [k, n_loop])?, of(2, [m, n_loop])?])
}
