//! Configure: choose workgroup, subgroup and thread tiles for each compute operation.
//!
//! Before: `linalg.matmul ins(…) outs(…)`
//! After:  `linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = …, workgroup = [64, 64, 0], …}>} …`
//!         and `translation_info` on the function.
//!
//! Named operations other than `linalg.matmul` and `linalg.fill` become `linalg.generic` first.
//!
//! A contraction whose extents are multiples of a matrix instruction gets it, and a tile of at most 64x64 shared by at
//! most four subgroups. Everything else spreads lanes along the dimension that is contiguous in memory, up to 128 bits
//! for each thread, and subgroups along the reduction. A configuration that the user wrote is checked and kept.
//!
//! Does not choose for speed: that is a search over these same attributes.

use raddle_ir::views::Linalg;
use raddle_ir::{Class, Code, DYNAMIC, Diag, Ir, Map, OpId, Opcode, Scalar};
use raddle_target::Mma;

use crate::body;
use crate::config::{Config, Launch};
use crate::generalize::make_generic;
use crate::table::Facts;

/// Elements of C in one workgroup's tile, along each side, at most.
const TILE_MAX: i64 = 64;
/// Steps of k in one tile, at most.
const K_TILE_MAX: i64 = 32;
/// Subgroups of one workgroup, at most.
const SUBGROUPS_MAX: i64 = 4;
/// Elements that one thread holds of a tile that is reduced, at most.
const THREAD_ELEMENTS_MAX: i64 = 16;

/// Chooses a configuration for each structured operation of the function.
pub fn configure(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    for op in ir.ops_of(ir.entry(func)) {
        if !matches!(ir.opcode(op), Opcode::LinalgMatmul | Opcode::LinalgFill) {
            make_generic(ir, op);
        }
    }
    let root = root(ir, func)?;
    let extents = extents(ir, root)?;
    let config = if ir.attr(root, "lowering_config").is_some() {
        Config::read(ir, root)?
    } else if body::is_contraction(ir, root) {
        contraction(ir, root, &extents, facts)
    } else {
        generic(ir, root, &extents, facts)
    };
    check(ir, root, &extents, &config, facts)?;
    config.write(ir, root);
    let subgroup_size = i64::from(facts.chip.subgroup_size);
    Launch { workgroup_size: config.n_subgroups() * subgroup_size, subgroup_size }.write(ir, func);
    Ok(())
}

/// The extent of each loop, all of them known and positive.
pub fn extents(ir: &Ir, op: OpId) -> Result<Vec<i64>, Diag> {
    let extents = Linalg::of(ir, op).extents(ir);
    if extents.contains(&DYNAMIC) {
        let message = "the extents of this operation are not all known";
        return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
            .note("tiles are chosen at compile time")
            .help("give its operands static shapes"));
    }
    if extents.iter().any(|&extent| extent <= 0) {
        let message = "this operation has nothing to compute: an extent is 0";
        return Err(Diag::error(Code::CannotConfigure, ir.span(op), message));
    }
    Ok(extents)
}

/// The one operation that decides the tiling: everything else must be a fill, a constant or an empty tensor.
pub fn root(ir: &Ir, func: OpId) -> Result<OpId, Diag> {
    let mut root = None;
    for op in ir.block_ops(ir.entry(func)) {
        match ir.opcode(op) {
            Opcode::LinalgMatmul | Opcode::LinalgGeneric => {
                if let Some(first) = root.replace(op) {
                    let message = "the function has more than one compute operation";
                    return Err(Diag::error(Code::CannotConfigure, ir.span(op), message)
                        .label("this one")
                        .related(ir.span(first), "and this one")
                        .note("operations are not fused into one kernel yet")
                        .help("put each into a function of its own"));
                }
            }
            Opcode::LinalgFill | Opcode::TensorEmpty | Opcode::ArithConstant | Opcode::FuncReturn => {}
            _ if ir.class(op) == Class::Elementwise && !ir.results(op).any(|v| ir.ty(v).shape().is_some()) => {}
            _ => {
                let message = format!("`{}` cannot be tiled", ir.name(op));
                return Err(Diag::error(Code::CannotConfigure, ir.span(op), message).note(
                    "a tensor program is one linalg operation with linalg.fill, tensor.empty and scalar arithmetic",
                ));
            }
        }
    }
    root.ok_or_else(|| {
        let name = ir.symbol_name(func).unwrap_or("").to_owned();
        Diag::error(Code::CannotConfigure, ir.span(func), format!("`@{name}` has no operation to compile"))
            .help("a tensor program has a linalg operation; a kernel at the vector stage takes memrefs")
    })
}

/// The largest divisor of `n` that is at most `limit`.
fn divisor(n: i64, limit: i64) -> i64 {
    (1..=limit.min(n)).rev().find(|d| n % d == 0).unwrap_or(1)
}

/// The largest power of two that divides `n` and is at most `limit`.
pub fn power_of_two(n: i64, limit: i64) -> i64 {
    let mut power = 1;
    while power * 2 <= limit && n % (power * 2) == 0 {
        power *= 2;
    }
    power
}

/// The role of each loop of a contraction with exactly one loop for each of m, n and k.
pub struct Roles {
    /// Rows: in lhs and result.
    pub m: usize,
    /// Columns: in rhs and result.
    pub n: usize,
    /// Reduced: in lhs and rhs.
    pub k: usize,
}

/// Finds m, n and k by the operands that each loop appears in; `None` for any other contraction.
pub fn roles(maps: &[Map]) -> Option<Roles> {
    let [lhs, rhs, result] = [maps[0].as_dims()?, maps[1].as_dims()?, maps[2].as_dims()?];
    if maps[0].dims != 3 || [&lhs, &rhs, &result].iter().any(|dims| dims.len() != 2) {
        return None;
    }
    let find =
        |a: &[usize], b: &[usize], not: &[usize]| (0..3).find(|d| a.contains(d) && b.contains(d) && !not.contains(d));
    Some(Roles { m: find(&lhs, &result, &rhs)?, n: find(&rhs, &result, &lhs)?, k: find(&lhs, &rhs, &result)? })
}

fn contraction(ir: &Ir, op: OpId, extents: &[i64], facts: &Facts) -> Config {
    let linalg = Linalg::of(ir, op);
    if let Some(roles) = roles(&linalg.maps)
        && let Some(mma) = instruction(ir, &linalg, extents, &roles, facts)
    {
        return matrix(extents, &roles, mma);
    }
    // No matrix instruction: lanes along the last parallel loop, subgroups along the one before, k inside a thread.
    let rank = extents.len();
    let mut config = Config { workgroup: vec![1; rank], reduction: vec![0; rank], ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    let parallel: Vec<usize> = (0..rank).filter(|&d| !linalg.reduction[d]).collect();
    let mut lanes = i64::from(facts.chip.subgroup_size);
    let mut subgroups = SUBGROUPS_MAX;
    for (&d, elements) in parallel.iter().rev().zip([2, 4]) {
        config.thread[d] = power_of_two(extents[d], elements);
        config.lane[d] = power_of_two(extents[d] / config.thread[d], lanes);
        lanes /= config.lane[d];
        config.subgroup[d] = power_of_two(extents[d] / (config.thread[d] * config.lane[d]), subgroups);
        subgroups /= config.subgroup[d];
        config.workgroup[d] = config.thread[d] * config.lane[d] * config.subgroup[d];
    }
    for d in (0..rank).filter(|&d| linalg.reduction[d]) {
        config.workgroup[d] = 0;
        config.reduction[d] = divisor(extents[d], 8);
    }
    config
}

/// The first matrix instruction of the chip whose types are the operands' and whose shape divides the extents.
fn instruction(ir: &Ir, linalg: &Linalg, extents: &[i64], roles: &Roles, facts: &Facts) -> Option<&'static Mma> {
    let (&[lhs, rhs], &[result]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
    let values = [lhs, rhs, result];
    let types = values.map(|value| Scalar::of(&ir[ir.elem_of(value)]));
    facts.chip.mma_rows().find(|mma| {
        mma.types.map(Some) == types
            && extents[roles.m] % mma.m == 0
            && extents[roles.n] % mma.n == 0
            && extents[roles.k] % mma.k == 0
    })
}

fn matrix(extents: &[i64], roles: &Roles, mma: &'static Mma) -> Config {
    let tiles = |extent: i64, size: i64| divisor(extent / size, TILE_MAX / size);
    let (tiles_m, tiles_n) = (tiles(extents[roles.m], mma.m), tiles(extents[roles.n], mma.n));
    let subgroups_m = power_of_two(tiles_m, 2);
    let subgroups_n = power_of_two(tiles_n, SUBGROUPS_MAX / subgroups_m);
    let mut config = Config { mma: Some(mma), ..Config::default() };
    (config.workgroup, config.reduction, config.subgroup) = (vec![0; 3], vec![0; 3], vec![1; 3]);
    config.workgroup[roles.m] = tiles_m * mma.m;
    config.workgroup[roles.n] = tiles_n * mma.n;
    config.reduction[roles.k] = divisor(extents[roles.k] / mma.k, (K_TILE_MAX / mma.k).max(1)) * mma.k;
    config.subgroup[roles.m] = subgroups_m;
    config.subgroup[roles.n] = subgroups_n;
    // With one subgroup nobody shares what shared memory would hold.
    if config.n_subgroups() > 1 {
        config.promote = vec![0, 1];
    }
    config
}

/// Reductions and elementwise operations: lanes along the contiguous dimension, subgroups along the reduction.
fn generic(ir: &Ir, op: OpId, extents: &[i64], facts: &Facts) -> Config {
    let linalg = Linalg::of(ir, op);
    let rank = extents.len();
    let mut config = Config { workgroup: vec![1; rank], partial_reduction: vec![0; rank], ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    if rank == 0 {
        return config;
    }
    // The widest element decides how many of them are 128 bits.
    let widest = linalg.inputs.iter().chain(&linalg.outputs).filter_map(|&v| Scalar::of(&ir[ir.elem_of(v)]));
    let bits = i64::from(widest.map(Scalar::bits).max().unwrap_or(32)).max(8);
    let contiguous = linalg.maps.iter().find_map(|map| map.as_dims()?.last().copied()).unwrap_or(rank - 1);
    let mut lanes = i64::from(facts.chip.subgroup_size);
    config.thread[contiguous] = power_of_two(extents[contiguous], 128 / bits);
    config.lane[contiguous] = power_of_two(extents[contiguous] / config.thread[contiguous], lanes);
    lanes /= config.lane[contiguous];
    // Lanes that are left over take neighbours along the other parallel loops, innermost first.
    for d in (0..rank).rev().filter(|&d| d != contiguous && !linalg.reduction[d]) {
        config.lane[d] = power_of_two(extents[d], lanes);
        lanes /= config.lane[d];
    }
    let is_reduction = linalg.reduction.contains(&true);
    let spread = if is_reduction { (0..rank).rev().find(|&d| linalg.reduction[d]) } else { Some(contiguous) };
    if let Some(d) = spread {
        let per_subgroup = config.lane[d] * config.thread[d];
        config.subgroup[d] = power_of_two(extents[d] / per_subgroup, if is_reduction { 8 } else { SUBGROUPS_MAX });
    }
    for d in 0..rank {
        let step = config.subgroup[d] * config.lane[d] * config.thread[d];
        if linalg.reduction[d] {
            let held: i64 = config.thread.iter().product();
            config.workgroup[d] = 0;
            let steps = divisor(extents[d] / step, (THREAD_ELEMENTS_MAX / held).max(1));
            config.partial_reduction[d] = if Some(d) == spread { step * steps } else { step };
        } else {
            config.workgroup[d] = step;
        }
    }
    config
}

/// What every configuration must keep, whoever wrote it.
pub fn check(ir: &Ir, op: OpId, extents: &[i64], config: &Config, facts: &Facts) -> Result<(), Diag> {
    let bad = |message: String| Diag::error(Code::CannotConfigure, ir.span(op), message);
    let rank = extents.len();
    let lists = [
        ("workgroup", &config.workgroup),
        ("reduction", &config.reduction),
        ("partial_reduction", &config.partial_reduction),
        ("subgroup_basis", &config.subgroup),
        ("lane_basis", &config.lane),
        ("thread", &config.thread),
    ];
    for (name, list) in lists {
        if !list.is_empty() && list.len() != rank {
            return Err(bad(format!("`{name}` has {} entries for {rank} loops", list.len())));
        }
        if list.iter().any(|&size| size < 0) {
            return Err(bad(format!("`{name}` has a negative entry")));
        }
    }
    for (name, list) in [("subgroup_basis", &config.subgroup), ("lane_basis", &config.lane), ("thread", &config.thread)]
    {
        if list.contains(&0) {
            return Err(bad(format!("`{name}` has a 0: use 1 where a loop is not shared")));
        }
    }
    let product = |list: &[i64]| list.iter().try_fold(1i64, |acc, &n| acc.checked_mul(n));
    let lanes = i64::from(facts.chip.subgroup_size);
    match product(&config.lane) {
        Some(n) if n <= lanes && lanes % n == 0 => {}
        _ => return Err(bad(format!("`lane_basis` must multiply to a divisor of the subgroup size, {lanes}"))),
    }
    match product(&config.subgroup).and_then(|n| n.checked_mul(lanes)) {
        Some(threads) if threads <= i64::from(facts.chip.threads_max) => {}
        _ => {
            let message = format!("the workgroup would have more than {} threads", facts.chip.threads_max);
            return Err(bad(message).help("use fewer subgroups in `subgroup_basis`"));
        }
    }
    let linalg = Linalg::of(ir, op);
    if let Some(operand) = config.promote.iter().find(|&&operand| operand >= linalg.inputs.len()) {
        let message = format!("`promote_operands` names input {operand} of {}", linalg.inputs.len());
        return Err(bad(message));
    }
    let at = |list: &[i64], d: usize, default: i64| list.get(d).copied().unwrap_or(default);
    if let Some(mma) = config.mma
        && mma.subgroup_size != facts.chip.subgroup_size
    {
        return Err(bad(format!("`{}` is not an instruction of {}", mma.name, facts.chip.name)));
    }
    for d in 0..rank {
        let extent = extents[d];
        let tile = match at(&config.workgroup, d, 0) {
            0 => extent,
            tile => tile,
        };
        if extent % tile != 0 {
            return Err(bad(format!(
                "the workgroup tile {tile} does not divide loop {d}, which has {extent} iterations"
            )));
        }
        if linalg.reduction[d] && at(&config.workgroup, d, 0) != 0 {
            return Err(bad(format!("loop {d} is a reduction, and workgroups cannot share it"))
                .help("tile it with `reduction` or `partial_reduction`"));
        }
        let step = [at(&config.reduction, d, 0), at(&config.partial_reduction, d, 0)].into_iter().find(|&s| s != 0);
        let inner = step.unwrap_or(tile);
        if tile % inner != 0 {
            return Err(bad(format!("the step {inner} does not divide loop {d}, which has {tile} iterations")));
        }
        let part = at(&config.subgroup, d, 1)
            .checked_mul(at(&config.lane, d, 1))
            .and_then(|n| n.checked_mul(at(&config.thread, d, 1)));
        if config.mma.is_none() && part.is_none_or(|part| inner % part != 0) {
            return Err(bad(format!(
                "subgroups, lanes and elements do not divide the {inner} iterations of loop {d} in one step"
            )));
        }
    }
    if let Some(mma) = config.mma {
        let roles = if body::is_contraction(ir, op) { roles(&linalg.maps) } else { None };
        let Some(roles) = roles else {
            return Err(bad(format!("`{}` needs a contraction with one loop for each of m, n and k", mma.name)));
        };
        if config.subgroup.is_empty() {
            return Err(bad(format!("`{}` needs a `subgroup_basis`", mma.name)).help("for one subgroup it is all ones"));
        }
        for (d, size) in [(roles.m, mma.m), (roles.n, mma.n), (roles.k, mma.k)] {
            let tile = [at(&config.reduction, d, 0), at(&config.workgroup, d, 0)].into_iter().find(|&s| s != 0);
            let tile = tile.unwrap_or(extents[d]);
            if tile % (size * at(&config.subgroup, d, 1)) != 0 {
                let message = format!(
                    "the tile {tile} of loop {d} is not a multiple of {size} for each subgroup, the size of `{}`",
                    mma.name
                );
                return Err(bad(message));
            }
        }
    }
    Ok(())
}
