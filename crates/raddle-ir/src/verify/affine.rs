//! The rules of affine operations: what may stand for a dimension or a symbol, bounds of loops, accesses, copies.

use rustc_hash::FxHashMap;

use super::wording::{ensure, wrong};
use super::{Check, counts, types_of};
use crate::affine::Map;
use crate::attrs::Attr;
use crate::diag::Diag;
use crate::form::{RMW, Shape};
use crate::ids::{OpId, RegionId, TypeId, ValueId};
use crate::ir::{Def, Ir};
use crate::ops::Opcode;
use crate::text::dma_maps;
use crate::types::{DYNAMIC, Type};

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    let operands = ir.operands(op);
    match ir.opcode(op) {
        Opcode::AffineApply => apply(ir, op),
        Opcode::AffineMin | Opcode::AffineMax => {
            let map = map(ir, op, "map")?;
            takes(ir, op, map, operands)?;
            ensure(ir, op, !map.results.is_empty(), || "affine map expect at least one result".to_owned())
        }
        Opcode::AffineFor => for_loop(ir, op),
        Opcode::AffineParallel => parallel(ir, op),
        Opcode::AffineIf => if_op(ir, op),
        Opcode::AffineLoad => access(ir, op, 0),
        Opcode::AffineStore => access(ir, op, 1),
        Opcode::AffineVectorLoad => {
            same_elements(ir, op, ir.result(op, 0), operands[0])?;
            access(ir, op, 0)
        }
        Opcode::AffineVectorStore => {
            same_elements(ir, op, operands[0], operands[1])?;
            access(ir, op, 1)
        }
        Opcode::AffinePrefetch => {
            let hint = ir.attr(op, "localityHint").and_then(Attr::as_i64);
            ensure(ir, op, hint.is_some_and(|hint| (0..=3).contains(&hint)), || {
                "needs a number from 0 to 3 for `localityHint`".to_owned()
            })?;
            places(ir, op, &["map"], operands, 0..=0)
        }
        Opcode::AffineDmaStart => places(ir, op, dma_maps(Opcode::AffineDmaStart), operands, 1..=3),
        Opcode::AffineDmaWait => places(ir, op, dma_maps(Opcode::AffineDmaWait), operands, 1..=1),
        Opcode::AffineYield => yielded(ir, op),
        _ => Ok(()),
    }
}

fn map<'a>(ir: &'a Ir, op: OpId, name: &str) -> Result<&'a Map, Box<Diag>> {
    ir.map(op, name).ok_or_else(|| wrong(ir, op, format!("needs an affine map for `{name}`")))
}

/// As many operands as the map has dimensions and symbols.
fn takes(ir: &Ir, op: OpId, map: &Map, operands: &[ValueId]) -> Check {
    let n = operands.len() as u64;
    ensure(ir, op, u64::from(map.dims) + u64::from(map.syms) == n, || {
        format!(
            "operand count and affine map dimension and symbol count must match: {n} operands for {} and {}",
            map.dims, map.syms
        )
    })
}

fn apply(ir: &Ir, op: OpId) -> Check {
    let map = map(ir, op, "map")?;
    takes(ir, op, map, ir.operands(op))?;
    let n = map.results.len();
    ensure(ir, op, n == 1, || format!("mapping must produce one value, not {n}"))?;
    let scope = scope(ir, op);
    let symbols = &ir.operands(op)[map.dims as usize..];
    // A value that is not a dimension may still be computed with.
    let fine = symbols.iter().all(|&value| role(ir, value, scope) != Role::Dim);
    ensure(ir, op, fine, || "dimensional operand cannot be used as a symbol".to_owned())
}

fn for_loop(ir: &Ir, op: OpId) -> Check {
    let groups = ir.segments(op);
    let args = types_of(ir, ir.args(ir.entry(op)));
    let carried = types_of(ir, groups[2]);
    let counts = args.first().is_some_and(|&ty| ir[ty] == Type::Index);
    ensure(ir, op, counts, || "expected body to have a single index argument for the induction variable".to_owned())?;
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    ensure(ir, op, carried == results, || {
        "mismatch between the number of loop-carried values and results, or their types".to_owned()
    })?;
    ensure(ir, op, args[1..] == carried, || {
        "mismatch between the number of basic block args and results, or their types".to_owned()
    })?;
    for ((name, side), operands) in [("lowerBoundMap", "lower"), ("upperBoundMap", "upper")].into_iter().zip(groups) {
        let map = map(ir, op, name)?;
        takes(ir, op, map, operands)?;
        names(ir, op, map.dims, operands)?;
        ensure(ir, op, !map.results.is_empty(), || format!("expected {side} bound map to have at least one result"))?;
    }
    let step = ir.attr(op, "step").and_then(Attr::as_i64);
    ensure(ir, op, step.is_some_and(|step| step > 0), || {
        "expected step to be representable as a positive signed integer".to_owned()
    })
}

fn parallel(ir: &Ir, op: OpId) -> Check {
    let args = types_of(ir, ir.args(ir.entry(op)));
    let rank = args.len();
    ensure(ir, op, args.iter().all(|&ty| ir[ty] == Type::Index), || "counts with indices".to_owned())?;
    let (low, high) = (groups(ir, op, "lowerBoundsGroups")?, groups(ir, op, "upperBoundsGroups")?);
    let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr));
    let steps = list("steps").ok_or_else(|| wrong(ir, op, "needs a list of numbers for `steps`"))?;
    ensure(ir, op, [low.len(), high.len(), steps.len()] == [rank; 3], || {
        format!(
            "the number of region arguments ({rank}) and the number of map groups for lower ({}) and upper bound \
             ({}), and the number of steps ({}) must all match",
            low.len(),
            high.len(),
            steps.len()
        )
    })?;
    let mut operands = ir.operands(op);
    for (name, side, sizes) in [("lowerBoundsMap", "lower", low), ("upperBoundsMap", "upper", high)] {
        let map = map(ir, op, name)?;
        ensure(ir, op, sizes.iter().all(|&size| size > 0), || {
            format!("expected {side} bound map to have at least one result")
        })?;
        let total = sizes.iter().try_fold(0i64, |sum, &size| sum.checked_add(size));
        ensure(ir, op, total == i64::try_from(map.results.len()).ok(), || {
            format!("expected {side} bounds map to have as many results as its groups, not {}", map.results.len())
        })?;
        let n = (u64::from(map.dims) + u64::from(map.syms)).min(operands.len() as u64);
        let (given, rest) = operands.split_at(n as usize);
        let given = if side == "lower" { given } else { operands };
        takes(ir, op, map, given)?;
        names(ir, op, map.dims, given)?;
        operands = rest;
    }
    let reductions = list("reductions").unwrap_or_default();
    ensure(ir, op, reductions.len() == ir.results(op).len(), || {
        "a reduction must be specified for each output".to_owned()
    })?;
    for (kind, value) in reductions.into_iter().zip(ir.results(op)) {
        let word = usize::try_from(kind).ok().and_then(|kind| RMW.words.get(kind));
        let Some(word) = word else { return Err(wrong(ir, op, "invalid reduction attribute")) };
        let fits = match ir.ty(value) {
            Type::Float(_) => word.ends_with('f') || *word == "assign",
            Type::Integer { .. } => !word.ends_with('f'),
            _ => *word == "assign",
        };
        ensure(ir, op, fits, || format!("result type cannot match reduction attribute `{word}`"))?;
    }
    Ok(())
}

/// How many expressions each bound has.
fn groups(ir: &Ir, op: OpId, name: &str) -> Result<Vec<i64>, Box<Diag>> {
    let rank = match ir.attr(op, name) {
        Some(Attr::Dense { ty, .. }) => match &ir[*ty] {
            Type::Tensor { shape, elem, .. } if matches!(ir[*elem], Type::Integer { width: 32, .. }) => Some(shape),
            _ => None,
        },
        _ => None,
    };
    match rank.map(Vec::as_slice) {
        // A splat of any length costs nothing to write; there are never more bounds than arguments.
        Some(&[n]) => Ok(ir.dense_ints(op, name, (n as usize).min(ir.args(ir.entry(op)).len() + 1))),
        _ => Err(wrong(ir, op, format!("needs a list of 32-bit numbers for `{name}`"))),
    }
}

fn if_op(ir: &Ir, op: OpId) -> Check {
    for at in 0..2 {
        let bare = ir.body(op, at).is_none_or(|block| ir.args(block).is_empty());
        ensure(ir, op, bare, || format!("region #{at} should have no arguments"))?;
    }
    let Some(Attr::Set(set)) = ir.attr(op, "condition") else {
        return Err(wrong(ir, op, "requires an integer set attribute named 'condition'"));
    };
    let n = ir.operands(op).len() as u64;
    ensure(ir, op, u64::from(set.dims) + u64::from(set.syms) == n, || {
        format!("operand count and condition integer set dimension and symbol count must match: {n} operands")
    })?;
    names(ir, op, set.dims, ir.operands(op))
}

/// An access of the memref in this place, by the operands behind it.
fn access(ir: &Ir, op: OpId, at: usize) -> Check {
    let map = map(ir, op, "map")?;
    let rank = ir.shape_of(ir.operand(op, at)).len();
    ensure(ir, op, map.results.len() == rank, || {
        format!("affine map num results must equal memref rank: {} for {rank}", map.results.len())
    })?;
    let indices = &ir.operands(op)[at + 1..];
    ensure(ir, op, u64::from(map.dims) + u64::from(map.syms) == indices.len() as u64, || {
        "expects as many subscripts as affine map inputs".to_owned()
    })?;
    names(ir, op, map.dims, indices)
}

fn same_elements(ir: &Ir, op: OpId, vector: ValueId, memref: ValueId) -> Check {
    ensure(ir, op, ir.elem_of(vector) == ir.elem_of(memref), || {
        "requires memref and vector types of the same elemental type".to_owned()
    })
}

/// Memrefs with indices for a map each, and so many numbers behind.
fn places(
    ir: &Ir,
    op: OpId,
    names: &[&str],
    mut operands: &[ValueId],
    numbers: std::ops::RangeInclusive<usize>,
) -> Check {
    let scope = scope(ir, op);
    for &name in names {
        let map = map(ir, op, name)?;
        let n = map.dims as usize + map.syms as usize;
        let what = match name {
            "src_map" => "src ",
            "dst_map" => "dst ",
            _ if ir.opcode(op) == Opcode::AffineDmaStart => "tag ",
            _ => "",
        };
        let Some((&memref, rest)) = operands.split_first().filter(|(_, rest)| rest.len() >= n) else {
            return Err(wrong(ir, op, "incorrect number of operands: too few operands"));
        };
        let Type::MemRef { shape, .. } = ir.ty(memref) else {
            return Err(wrong(ir, op, format!("expected the {what}operand to be of memref type")));
        };
        ensure(ir, op, name != "map" || map.results.len() == shape.len(), || {
            "affine map num results must equal memref rank".to_owned()
        })?;
        let (indices, rest) = rest.split_at(n);
        let fits = indices.iter().all(|&value| role(ir, value, scope) != Role::None);
        ensure(ir, op, fits, || format!("{what}index must be a valid dimension or symbol identifier"))?;
        operands = rest;
    }
    let counts = operands.iter().all(|&value| *ir.ty(value) == Type::Index);
    let fits = numbers.contains(&operands.len()) && operands.len() != 2 && counts;
    ensure(ir, op, fits, || format!("incorrect number of operands: {} numbers behind the memrefs", operands.len()))
}

/// `affine.yield`
fn yielded(ir: &Ir, op: OpId) -> Check {
    let Some(parent) = ir.parent_op(op) else { return Ok(()) };
    let given = types_of(ir, ir.operands(op));
    let taken: Vec<TypeId> = ir.results(parent).map(|value| ir.type_of(value)).collect();
    ensure(ir, op, given.len() == taken.len(), || {
        "parent of yield must have same number of results as the yield operands".to_owned()
    })?;
    ensure(ir, op, given == taken, || "types mismatch between yield op and its parent".to_owned())
}

// ---- dimensions and symbols

/// What a value may be to an affine map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// A symbol, which may be a dimension as well.
    Symbol,
    /// A dimension.
    Dim,
    None,
}

/// The operands of a map in their roles.
fn names(ir: &Ir, op: OpId, dims: u32, operands: &[ValueId]) -> Check {
    let scope = scope(ir, op);
    for (i, &value) in operands.iter().enumerate() {
        let role = role(ir, value, scope);
        let (fits, what) =
            if i < dims as usize { (role != Role::None, "dimension id") } else { (role == Role::Symbol, "symbol") };
        if !fits {
            let diag = wrong(ir, op, format!("operand cannot be used as a {what}"));
            let note = if what == "symbol" {
                "a symbol is a constant, a value from the top of the function, or computed from these"
            } else {
                "a dimension is a symbol, the index of an affine loop, or what `affine.apply` makes of these"
            };
            return Err(Box::new(diag.note(note)));
        }
    }
    Ok(())
}

/// The region from which on values are symbols.
fn scope(ir: &Ir, op: OpId) -> Option<RegionId> {
    let mut at = op;
    loop {
        let parent = ir.parent_op(at)?;
        if is_scope(ir, parent) {
            return ir.parent_block(at).map(|block| ir.block_region(block));
        }
        at = parent;
    }
}

fn is_scope(ir: &Ir, op: OpId) -> bool {
    matches!(ir.name(op), "builtin.module" | "func.func" | "util.func" | "llvm.func" | "gpu.func" | "gpu.launch")
}

/// What a value may be inside `scope`: that follows from what it is computed from, each value of which is looked at once.
fn role(ir: &Ir, value: ValueId, scope: Option<RegionId>) -> Role {
    let mut known: FxHashMap<ValueId, Role> = FxHashMap::default();
    let mut stack = vec![(value, false)];
    while let Some((at, seen)) = stack.pop() {
        match origin(ir, at, scope) {
            Origin::Own(role) => {
                known.insert(at, role);
            }
            Origin::Computed { from, keeps_dims } if seen => {
                let worst = from.iter().map(|value| known[value]).max().unwrap_or(Role::Symbol);
                known.insert(at, if keeps_dims || worst == Role::Symbol { worst } else { Role::None });
            }
            Origin::Computed { from, .. } if !known.contains_key(&at) => {
                // A value that is computed from itself, which is found elsewhere, ends here.
                known.insert(at, Role::None);
                stack.push((at, true));
                stack.extend(from.iter().filter(|value| !known.contains_key(value)).map(|&value| (value, false)));
            }
            Origin::Computed { .. } => {}
        }
    }
    known[&value]
}

/// Where the role of a value comes from.
enum Origin<'a> {
    /// It depends on no other value.
    Own(Role),
    /// It is a symbol if all of these are; some operations make dimensions of dimensions, too.
    Computed { from: &'a [ValueId], keeps_dims: bool },
}

fn origin(ir: &Ir, value: ValueId, scope: Option<RegionId>) -> Origin<'_> {
    if *ir.ty(value) != Type::Index {
        return Origin::Own(Role::None);
    }
    let home = match ir.def(value) {
        Def::Arg { block, .. } => Some(ir.block_region(block)),
        Def::Result { op, .. } => ir.parent_block(op).map(|block| ir.block_region(block)),
    };
    if is_at_or_above(ir, home, scope) {
        return Origin::Own(Role::Symbol);
    }
    let op = match ir.def(value) {
        Def::Result { op, .. } => op,
        Def::Arg { block, index } => {
            let owner = ir.region_parent(ir.block_region(block));
            let counts = match ir.opcode(owner) {
                Opcode::AffineFor => index == 0,
                Opcode::AffineParallel => true,
                _ => false,
            };
            return Origin::Own(if counts { Role::Dim } else { Role::None });
        }
    };
    match ir.opcode(op) {
        Opcode::MemrefDim | Opcode::TensorDim => extent(ir, op),
        Opcode::AffineApply | Opcode::AffineLinearizeIndex | Opcode::AffineDelinearizeIndex => {
            Origin::Computed { from: ir.operands(op), keeps_dims: true }
        }
        opcode if opcode.info().is_pure() => Origin::Computed { from: ir.operands(op), keeps_dims: false },
        _ => Origin::Own(Role::None),
    }
}

/// Whether `home` is the scope or stands around it.
fn is_at_or_above(ir: &Ir, home: Option<RegionId>, scope: Option<RegionId>) -> bool {
    let mut at = scope;
    while let Some(region) = at {
        if home == Some(region) {
            return true;
        }
        let owner = ir.region_parent(region);
        if ir.opcode(owner).is_isolated() {
            return false;
        }
        at = ir.parent_block(owner).map(|block| ir.block_region(block));
    }
    false
}

/// Casts of a buffer that are seen through; nobody writes more but in a circle.
const CASTS_MAX: usize = 256;

/// `memref.dim`, `tensor.dim`: the extent of what is defined at the top of a function, or of a buffer that was made with a
/// symbol for it.
fn extent(ir: &Ir, op: OpId) -> Origin<'_> {
    let none = || Origin::Own(Role::None);
    // What stands elsewhere may itself be broken, which is found there.
    let whole = |op: &OpId| counts(ir, *op, Shape::of(ir.opcode(*op))).is_ok();
    let &[mut source, at] = ir.operands(op) else { return none() };
    let owner = match ir.def(source) {
        Def::Arg { block, .. } => Some(ir.region_parent(ir.block_region(block))),
        Def::Result { op, .. } => ir.parent_op(op),
    };
    if owner.is_some_and(|owner| is_scope(ir, owner)) {
        return Origin::Own(Role::Symbol);
    }
    let at = ir.def_op(at).and_then(|op| ir.attr(op, "value")).and_then(Attr::as_i64);
    let Some(at) = at.and_then(|at| usize::try_from(at).ok()) else { return none() };
    let mut maker = ir.def_op(source).filter(whole);
    for _ in 0..CASTS_MAX {
        let Some(cast) = maker.filter(|&op| ir.opcode(op) == Opcode::MemrefCast) else { break };
        source = ir.operand(cast, 0);
        maker = ir.def_op(source).filter(whole);
    }
    let Some(maker) = maker else { return none() };
    let sizes = match ir.opcode(maker) {
        Opcode::MemrefAlloc => ir.segments(maker)[0],
        Opcode::MemrefSubview => ir.segments(maker)[2],
        Opcode::MemrefView => &ir.operands(maker)[2..],
        _ => return none(),
    };
    let shape = ir.shape_of(source);
    match shape.get(at) {
        Some(&DYNAMIC) => {
            let before = shape[..at].iter().filter(|&&extent| extent == DYNAMIC).count();
            match sizes.get(before) {
                Some(size) => Origin::Computed { from: std::slice::from_ref(size), keeps_dims: false },
                None => none(),
            }
        }
        Some(_) => Origin::Own(Role::Symbol),
        None => none(),
    }
}
