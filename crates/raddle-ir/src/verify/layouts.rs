//! Layouts and tiles against the vector, the subgroup and the workgroup that they are for.
//!
//! What does not fit is shown at the first place where it goes wrong: a subgroup, a lane, and the element that the lane
//! would hold next to another one, or cannot hold because there is no such lane.

use raddle_layout::{Level, Nested, NestedError};

use super::Check;
use super::wording::{ensure, wrong};
use crate::attrs::{Attr, Body};
use crate::codes::Code;
use crate::diag::{Diag, Severity};
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::{Class, Opcode};

/// Tiles that are looked at for a witness.
const WITNESS_MAX: i64 = 1 << 16;

/// The threads of a workgroup, as far as the function says.
#[derive(Clone, Copy, Default)]
struct Threads {
    workgroup: Option<i64>,
    subgroup: Option<i64>,
}

impl Threads {
    /// What `translation_info` of the enclosing function says.
    fn around(ir: &Ir, op: OpId) -> Threads {
        let mut at = Some(op);
        while let Some(op) = at {
            if let Some(&Attr::Dialect { name, body: Body::Fields(ref fields) }) = ir.attr(op, "translation_info")
                && ir[name] == *"iree_codegen.translation_info"
            {
                let field = |name: &str| fields.iter().find(|field| ir[field.0] == *name).map(|field| field.1);
                let sizes = field("workgroup_size").and_then(|attr| ir.ints(attr)).unwrap_or_default();
                let workgroup = sizes.iter().try_fold(1i64, |n, &size| n.checked_mul(size));
                return Threads {
                    workgroup: workgroup.filter(|&n| n > 0 && !sizes.is_empty()),
                    subgroup: field("subgroup_size").and_then(|attr| ir[attr].as_i64()).filter(|&n| n > 0),
                };
            }
            at = ir.parent_op(op);
        }
        Threads::default()
    }

    /// How many subgroups there are.
    fn n_subgroups(self) -> Option<i64> {
        Some(self.workgroup? / self.subgroup?)
    }
}

/// The layouts and tile sizes on an operation.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    if ir.opcode(op) == Opcode::IreeVectorExtToLayout {
        match ir.attr(op, "layout") {
            Some(Attr::Layout(layout)) => fits(ir, op, layout, ir.type_of(ir.operand(op, 0)))?,
            Some(Attr::Dialect { .. }) => {}
            _ => return Err(wrong(ir, op, "needs a layout")),
        }
    }
    if let Some(Attr::Array(items)) = ir.attr(op, "layouts") {
        // A function says how its arguments lie.
        let is_func = ir.class(op) == Class::Function;
        let types: Vec<TypeId> = match is_func {
            true => ir.signature(op).0.to_vec(),
            false => ir.results(op).map(|result| ir.type_of(result)).collect(),
        };
        ensure(ir, op, items.len() == types.len(), || {
            let what = if is_func { "arguments" } else { "results" };
            format!("has {} {what}, but {} layouts", types.len(), items.len())
        })?;
        for (&item, ty) in items.iter().zip(types) {
            if let Attr::Layout(layout) = &ir[item] {
                fits(ir, op, layout, ty)?;
            }
        }
    }
    match ir.attr(op, "lowering_config") {
        Some(Attr::Dialect { name, body: Body::Attr(dict) }) if ir[*name] == *"iree_gpu.lowering_config" => {
            config(ir, op, *dict)
        }
        _ => Ok(()),
    }
}

/// A layout covers its vector, gives each lane one part of it, and asks for no lane that is not there.
fn fits(ir: &Ir, op: OpId, layout: &Nested, ty: TypeId) -> Check {
    let shape = ir[ty].shape().unwrap_or(&[]);
    if shape.len() != layout.rank() || ir[ty].is_vector() {
        layout.verify(shape).map_err(|error| finding(ir, op, Code::LayoutMismatch, error.to_string()))?;
    }
    match layout.check() {
        // A tiled dimension whose stride is 0 is not distributed yet: what needs its lanes says so.
        Ok(()) | Err(NestedError::NoStride { .. }) => {}
        Err(error) => {
            let diag = finding(ir, op, Code::LayoutOverlap, error.to_string());
            return Err(match witness(layout, &error) {
                Some(place) => Box::new(diag.note(place)),
                None => diag,
            });
        }
    }
    let threads = Threads::around(ir, op);
    let Some(size) = threads.subgroup else { return Ok(()) };
    let lanes = layout.n_lanes();
    // A layout over a whole workgroup counts its threads through all subgroups.
    let spans = lanes > size && lanes % size == 0 && layout.n_subgroups() == 1;
    let limit = if spans { threads.workgroup.unwrap_or(lanes) } else { size };
    if lanes > limit {
        let message = format!("the layout asks for {lanes} lanes, but a subgroup has {size}");
        let diag = finding(ir, op, Code::LayoutOverlap, message);
        let place = beyond(&layout.thread_tile, &layout.thread_strides, limit);
        let place = place.map(|(tile, lane)| {
            let element = element(layout, Level::Thread, &tile);
            format!("element {element:?} would be in subgroup 0, lane {lane}, which does not exist")
        });
        return Err(match place {
            Some(place) => Box::new(diag.note(place)),
            None => diag,
        });
    }
    let Some(n) = threads.n_subgroups() else { return Ok(()) };
    // An anchor on a tensor is for a launch that may still change.
    if layout.n_subgroups() > n && ir[ty].is_vector() {
        let message = format!("the layout asks for {} subgroups, but the workgroup has {n}", layout.n_subgroups());
        let diag = finding(ir, op, Code::LayoutOverlap, message);
        let place = beyond(&layout.subgroup_tile, &layout.subgroup_strides, n);
        return Err(match place {
            Some((tile, subgroup)) => {
                let element = element(layout, Level::Subgroup, &tile);
                Box::new(
                    diag.note(format!(
                        "element {element:?} would be in subgroup {subgroup}, lane 0, which does not exist"
                    )),
                )
            }
            None => diag,
        });
    }
    Ok(())
}

fn finding(ir: &Ir, op: OpId, code: Code, message: String) -> Box<Diag> {
    Box::new(Diag::error(code, ir.span(op), message))
}

/// Where two elements ask for one lane.
fn witness(layout: &Nested, error: &NestedError) -> Option<String> {
    match error {
        NestedError::Overlap { level, first, second, owner } => {
            let (first, second) = (element(layout, *level, first), element(layout, *level, second));
            Some(collision(*level, *owner, &first, &second))
        }
        _ => None,
    }
}

fn collision(level: Level, owner: i64, first: &[i64], second: &[i64]) -> String {
    let (subgroup, lane) = if level == Level::Subgroup { (owner, 0) } else { (0, owner) };
    format!("elements {first:?} and {second:?} both ask for subgroup {subgroup}, lane {lane}")
}

/// The first element of a tile of the lanes or of the subgroups.
fn element(layout: &Nested, level: Level, tile: &[i64]) -> Vec<i64> {
    let inner = |d: usize| match level {
        Level::Subgroup => layout.batch_tile[d] * layout.outer_tile[d] * layout.thread_tile[d] * layout.element_tile[d],
        Level::Element | Level::Thread | Level::Outer | Level::Batch => layout.element_tile[d],
    };
    tile.iter().enumerate().map(|(d, &t)| t * inner(d)).collect()
}

/// The first tile, in row-major order, whose owner has a number of at least `limit`, and that number.
fn beyond(tiles: &[i64], strides: &[i64], limit: i64) -> Option<(Vec<i64>, i64)> {
    let mut tile = vec![0; tiles.len()];
    for _ in 0..WITNESS_MAX {
        let owner = tile.iter().zip(strides).try_fold(0i64, |sum, (&t, &s): (&i64, &i64)| sum.checked_add(t * s))?;
        if owner >= limit {
            return Some((tile, owner));
        }
        // The next tile: the last dimension counts fastest.
        let d = (0..tiles.len()).rev().find(|&d| tile[d] + 1 < tiles[d])?;
        tile[d] += 1;
        tile[d + 1..].fill(0);
    }
    None
}

// ---- tile sizes

/// The lists of a lowering configuration that are sizes of tiles; 0 leaves a loop alone.
const TILES: [&str; 6] = ["workgroup", "reduction", "partial_reduction", "serial", "subgroup", "thread"];

/// The entries of `#iree_gpu.lowering_config<{…}>`.
fn config(ir: &Ir, op: OpId, dict: AttrId) -> Check {
    for name in TILES {
        let sizes = ir.dict_get(dict, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        if let Some((at, size)) = sizes.iter().enumerate().find(|(_, size)| **size < 0) {
            return Err(misfit(
                ir,
                op,
                format!("`{name}` has the tile size {size} for loop {at}: sizes are positive, or 0"),
            ));
        }
    }
    let lanes = basis(ir, op, dict, "lane_basis")?;
    basis(ir, op, dict, "subgroup_basis")?;
    let threads = Threads::around(ir, op);
    // A small operation may leave lanes with what others hold already; `warnings` speaks of it. What `linalg` operations
    // are tiled by divides the subgroup. The number of subgroups is chosen behind the configuration.
    let divides = ir.name(op).starts_with("linalg.");
    match (lanes, threads.subgroup) {
        (Some(product), Some(n)) if product > n || divides && n % product != 0 => {
            Err(Box::new(lanes_differ(ir, op, product, n)))
        }
        _ => Ok(()),
    }
}

fn lanes_differ(ir: &Ir, op: OpId, product: i64, n: i64) -> Diag {
    let message = format!("`lane_basis` multiplies to {product}, but a subgroup has {n} lanes");
    misfit(ir, op, message).note(if product > n {
        format!("subgroup 0, lane {n} does not exist, and the element that it would hold has no owner")
    } else {
        format!("subgroup 0, lanes 0 and {product} would hold the same element")
    })
}

/// What is legal but hardly meant: bases that leave lanes or subgroups with the same elements, or ask for more.
pub fn warnings(ir: &Ir) -> Vec<Diag> {
    let mut found = Vec::new();
    for op in ir.walk(ir.module()) {
        let Some(Attr::Dialect { name, body: Body::Attr(dict) }) = ir.attr(op, "lowering_config") else { continue };
        if ir[*name] != *"iree_gpu.lowering_config" {
            continue;
        }
        let threads = Threads::around(ir, op);
        let product = |name: &str| basis(ir, op, *dict, name).ok().flatten();
        if let (Some(product), Some(n)) = (product("lane_basis"), threads.subgroup)
            && product != n
        {
            found.push(Diag { severity: Severity::Warning, ..lanes_differ(ir, op, product, n) });
        }
        if let (Some(product), Some(n)) = (product("subgroup_basis"), threads.n_subgroups())
            && product != n
        {
            let plural = if n == 1 { "" } else { "s" };
            let message =
                format!("`subgroup_basis` multiplies to {product}, but the workgroup has {n} subgroup{plural}");
            let diag = misfit(ir, op, message).note(if product > n {
                format!("subgroup {n}, lane 0 does not exist, and the element that it would hold has no owner")
            } else {
                format!("subgroups 0 and {product}, lane 0 would hold the same element")
            });
            found.push(Diag { severity: Severity::Warning, ..diag });
        }
    }
    found
}

fn misfit(ir: &Ir, op: OpId, message: String) -> Box<Diag> {
    finding(ir, op, Code::BadTiles, message)
}

/// `[[counts], [mapping]]`: positive counts, and each loop is mapped to another one. The product of the counts.
fn basis(ir: &Ir, op: OpId, dict: AttrId, name: &str) -> Result<Option<i64>, Box<Diag>> {
    let Some(attr) = ir.dict_get(dict, name) else { return Ok(None) };
    let Attr::Array(lists) = &ir[attr] else { return Ok(None) };
    let lists: Option<Vec<Vec<i64>>> = lists.iter().map(|&list| ir.ints(list)).collect();
    let Some([counts, mapping]) = lists.as_deref() else {
        return Err(misfit(ir, op, format!("`{name}` is a list of counts and a list that maps loops to them")));
    };
    if let Some(count) = counts.iter().find(|&&count| count < 1) {
        return Err(misfit(ir, op, format!("`{name}` has the count {count}: counts are positive")));
    }
    for (i, at) in mapping.iter().enumerate() {
        if usize::try_from(*at).map_or(true, |at| at >= counts.len()) {
            return Err(misfit(ir, op, format!("`{name}` maps loop {i} to count {at} of {}", counts.len())));
        }
        if let Some(other) = mapping[..i].iter().position(|other| other == at) {
            return Err(misfit(ir, op, format!("`{name}` maps loops {other} and {i} to one count")));
        }
    }
    let product = counts.iter().try_fold(1i64, |product, &count| product.checked_mul(count));
    match product {
        Some(product) => Ok(Some(product)),
        None => Err(misfit(ir, op, format!("`{name}` multiplies to more than 64 bits"))),
    }
}
