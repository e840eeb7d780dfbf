//! Tile and fuse: configurations of IREE's pipeline of this name, in the words of `VectorDistribute`.
//!
//! Before: `workgroup = [64, 64, 0], reduction = [0, 0, 2], subgroup = [2, 4, 0], mma_kind = <NV_MMA_SYNC_F32_16x8x16_F16>`
//! After:  `workgroup = [64, 64, 0], reduction = [0, 0, 32], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = …`
//!
//! There, `subgroup` and the step along k count instructions, and `thread` says how many elements a thread takes, so that
//! the tile of a workgroup says how many threads there are along each loop; threads along the last loop are neighbours.
//! A loop that is a reduction has no tile of a workgroup, whatever stands there.
//!
//! A convolution by a matrix instruction is configured as the product that IREE writes it out as, whose loops are other
//! ones. How it is computed here is the compiler's choice, and a remark says so.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Body, Code, DYNAMIC, Diag, Ir, OpId, keyword_attr};

use crate::code::extents::gcd;
use crate::config::{self, Config, Launch, TILE_AND_FUSE, without_entries};
use crate::facts::Facts;
use crate::structured::body;

/// Rewrites the configurations of a function that asks for the pipeline.
pub(crate) fn translate(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    // What is configured for threads has no effect on CPUs.
    if facts.chip.native.is_some() {
        return Ok(());
    }
    for op in ir.walk(func) {
        let info = config::COMPILATION_INFO.iter().find_map(|name| ir.attr_id(op, name));
        let info = info.and_then(|info| ir.field(info, "translation_info"));
        let pipeline = info.and_then(|info| ir.field(info, "pipeline")).and_then(|name| ir.keyword(name));
        if pipeline.is_some_and(|name| TILE_AND_FUSE.contains(&name)) {
            config::take_compilation_info(ir, func, op)?;
        }
    }
    if !config::pipeline(ir, func).is_some_and(|name| TILE_AND_FUSE.contains(&name)) {
        return Ok(());
    }
    Launch::complete(ir, func, facts);
    let launch = Launch::stated(ir, func)?;
    let configured: Vec<OpId> =
        ir.walk(func).into_iter().filter(|&op| ir.attr(op, "lowering_config").is_some()).collect();
    if let Some(&op) = configured.iter().find(|&&op| is_written_out(ir, op)) {
        let message = "`lowering_config` has no effect: it counts the loops of a product that is not written out here";
        facts.remark(Diag::error(Code::CannotConfigure, ir.span(op), message));
        for op in configured {
            ir.remove_attr(op, "lowering_config");
        }
        ir.remove_attr(func, "translation_info");
        return Ok(());
    }
    for op in configured {
        if let Some(linalg) = Linalg::try_of(ir, op) {
            rewrite(ir, op, &linalg, launch)?;
        }
    }
    rename(ir, func);
    Ok(())
}

/// Whether an operation has a matrix instruction and reads windows.
fn is_written_out(ir: &Ir, op: OpId) -> bool {
    let config = ir.attr_id(op, "lowering_config");
    let has_instruction = config.is_some_and(|config| ir.field(config, "mma_kind").is_some());
    let reads_windows = |linalg: Linalg| linalg.maps.iter().any(|map| map.as_dims().is_none());
    has_instruction && Linalg::try_of(ir, op).is_some_and(reads_windows)
}

/// Names the pipeline that the configurations are now for.
fn rename(ir: &mut Ir, func: OpId) {
    let Some(info) = ir.attr_id(func, "translation_info") else { return };
    let Attr::Dialect { name, body: Body::Fields(fields) } = &ir[info] else { return };
    let (name, mut fields) = (*name, fields.clone());
    let pipeline = keyword_attr(ir, "iree_gpu.pipeline", "VectorDistribute");
    for field in &mut fields {
        if ir[field.0] == *"pipeline" {
            field.1 = pipeline;
        }
    }
    let info = ir.intern(Attr::Dialect { name, body: Body::Fields(fields) });
    ir.set_attr(func, "translation_info", info);
}

fn rewrite(ir: &mut Ir, op: OpId, linalg: &Linalg, launch: Option<Launch>) -> Result<(), Diag> {
    let config = ir.attr_id(op, "lowering_config").expect("who calls this has looked");
    let subgroup_tiles = ir.field(config, "subgroup").and_then(|list| ir.ints(list)).unwrap_or_default();
    let old = without_entries(ir, config, &["subgroup"]);
    ir.set_attr(op, "lowering_config", old);
    let mut new = Config::read(ir, op)?;
    let n_loops = linalg.reduction.len();
    if subgroup_tiles.len() > n_loops {
        let message = format!("`subgroup` has {} entries for {n_loops} loops", subgroup_tiles.len());
        return Err(Diag::error(Code::CannotConfigure, ir.span(op), message));
    }
    for (tile, _) in new.workgroup.iter_mut().zip(&linalg.reduction).filter(|at| *at.1) {
        *tile = 0;
    }
    let extents = linalg.extents(ir);
    // How far a workgroup goes along each parallel loop; one where nobody knows, or nobody shares the loop.
    let share = |d: usize| match (linalg.reduction[d], new.workgroup.get(d).copied().unwrap_or(0), extents[d]) {
        (true, ..) | (_, 0, DYNAMIC) => 1,
        (_, 0, extent) => extent.max(1),
        (_, tile, _) => tile,
    };
    let parts = |d: usize, tile: i64| if tile > 0 { (share(d).max(1) - 1) / tile + 1 } else { 1 };
    if let Some(mma) = new.mma {
        let mut units = vec![1; n_loops];
        let found = if body::is_contraction(ir, op) { body::contraction_loops(&linalg.maps) } else { None };
        // Other operations than products are refused as such.
        let Some(found) = found else { return Ok(()) };
        let own = [(found.m, mma.m), (found.n, mma.n), (found.k, mma.k)];
        own.into_iter().filter_map(|(loops, size)| Some((*loops.last()?, size))).for_each(|(d, n)| units[d] = n);
        if let Some((blocks, block)) = mma.blocks.zip(body::block_loop(&linalg.maps)) {
            units[block] = blocks.n;
        }
        let times = |n: i64, d: usize| n.checked_mul(units[d]).ok_or_else(|| too_large(ir, op, d));
        for d in 0..new.reduction.len().min(n_loops) {
            new.reduction[d] = times(new.reduction[d], d)?;
        }
        let tiles = (0..n_loops).map(|d| times(subgroup_tiles.get(d).copied().unwrap_or(0), d));
        let tiles = tiles.collect::<Result<Vec<i64>, Diag>>()?;
        new.subgroup = (0..n_loops).map(|d| parts(d, tiles[d])).collect();
        new.thread.clear();
    } else if let Some(launch) = launch.filter(|_| !new.thread.is_empty()) {
        let elements = |d: usize| new.thread.get(d).copied().unwrap_or(1);
        let threads: Vec<i64> = (0..n_loops).map(|d| parts(d, elements(d))).collect();
        (new.lane, new.subgroup) = (vec![1; n_loops], vec![1; n_loops]);
        let mut left = [launch.subgroup_size, launch.workgroup_size / launch.subgroup_size];
        for d in (0..n_loops).rev() {
            new.lane[d] = gcd(threads[d], left[0]);
            new.subgroup[d] = gcd(threads[d] / new.lane[d], left[1]);
            left = [left[0] / new.lane[d], left[1] / new.subgroup[d]];
        }
    }
    new.write_over(ir, op);
    Ok(())
}

fn too_large(ir: &Ir, op: OpId, d: usize) -> Diag {
    Diag::error(Code::CannotConfigure, ir.span(op), format!("the tile of loop {d} is too large to count"))
}
