//! The steps of a transform script: one row each.

use raddle_ir::{Attr, Class, Code, Diag, Ir, OpId, Opcode, ValueId};
use raddle_target::CHIPS;

use super::{
    Done, Payload, Script, Stop, foreach_match, hard, matrices, on_tiles, quiet, sequence_named, shared, stop, text_of,
};
use crate::beside::matrices::{Way, unroll};
use crate::beside::tiles;
use crate::config::Launch;
use crate::{clean, distribute, lay_out};

/// One step: it reads its operands, changes the program, and sets what its results stand for.
type Step = fn(&mut Ir, &mut Script<'_>, OpId) -> Done;

/// Every step that can be carried out.
const STEPS: &[(Opcode, Step)] = &[
    // Handles and parameters.
    (Opcode::TransformStructuredMatch, find),
    (Opcode::TransformGetParentOp, parent),
    (Opcode::TransformGetConsumersOfResult, consumers),
    (Opcode::TransformMergeHandles, merge),
    (Opcode::TransformSplitHandle, split),
    (Opcode::TransformCast, cast),
    (Opcode::TransformParamConstant, constant),
    (Opcode::TransformMatchOperationName, match_name),
    (Opcode::TransformIreeMatchHasNoLoweringConfig, has_no_config),
    // Control.
    (Opcode::TransformInclude, include),
    (Opcode::TransformForeachMatch, foreach_match::foreach_match),
    (Opcode::TransformNamedSequence, |_, _, _| Ok(())),
    // Changes.
    (Opcode::TransformAnnotate, annotate),
    (Opcode::TransformPrint, print),
    (Opcode::TransformApplyPatterns, apply_patterns),
    (Opcode::TransformApplyCse, apply_cse),
    (Opcode::TransformIreeApplyLicm, apply_licm),
    (Opcode::TransformIreeTestGpuVectorDistribution, distribute_vectors),
    (Opcode::TransformIreeConvertToMultiMma, on_tiles::convert),
    (Opcode::TransformIreeDistributeInnerTiled, on_tiles::deal),
    (Opcode::TransformIreeForallToLanes, on_tiles::to_lanes),
    (Opcode::TransformIreeCreateAsyncGroups, shared::create_async_groups),
    (Opcode::TransformIreeReduceSharedMemoryBankConflicts, shared::reduce_bank_conflicts),
    (Opcode::TransformIreePipelineSharedMemoryCopies, shared::pipeline_copies),
    (Opcode::TransformIreePrefetchSharedMemoryCopies, shared::prefetch_copies),
    (Opcode::TransformIreeGpuDistributeSharedMemoryCopy, shared::spread_copies),
    (Opcode::TransformIreeHoistStaticAlloc, shared::hoist_allocations),
    (Opcode::TransformIreeVectorVectorToMmaConversion, matrices::convert),
];

/// A set of rewrites on all that is nested in an operation; says whether anything changed.
type Patterns = fn(&mut Ir, OpId) -> bool;

/// What may stand in the region of `transform.apply_patterns`.
const PATTERNS: &[(Opcode, Patterns)] = &[
    (Opcode::TransformApplyPatternsCanonicalization, clean::canonicalize),
    (Opcode::TransformApplyPatternsLinalgTilingCanonicalization, clean::canonicalize),
    (Opcode::TransformApplyPatternsScfForLoopCanonicalization, clean::canonicalize),
    (Opcode::TransformApplyPatternsMemrefFoldMemrefAliasOps, crate::beside::shared_memory::spread::fold_views),
    (Opcode::TransformApplyPatternsIreeLowerInnerTiled, tiles::lower),
    (Opcode::TransformApplyPatternsIreeUnrollMultiMma, tiles::unroll),
    (Opcode::TransformApplyPatternsIreeDropInnerTiledUnitDims, tiles::drop_units),
    // Conversions to matrix instructions take dimensions in any order: nothing is to be prepared.
    (Opcode::TransformApplyPatternsIreePrepareVectorToMma, clean::canonicalize),
    (Opcode::TransformApplyPatternsIreeUnrollVectorsGpuMmaSync, |ir, op| unroll(ir, op, Way::Lanes)),
    (Opcode::TransformApplyPatternsIreeUnrollVectorsGpuWmmaSync, |ir, op| unroll(ir, op, Way::Opaque)),
];

/// Rewrites feed one another; what is not done after so many rounds grows without end.
const ROUNDS_MAX: usize = 16;

/// Carries out one step.
pub fn step(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    match STEPS.iter().find(|row| row.0 == ir.opcode(op)) {
        Some((_, step)) => step(ir, script, op),
        None => Err(hard(ir, op, "there is no rule for this step of a script")),
    }
}

/// All that lies in the target and the target itself, each behind what is nested in it, as MLIR walks.
pub fn inside_out(ir: &Ir, op: OpId, found: &mut Vec<OpId>) {
    // The verifier bounds how deep regions nest.
    for &region in ir.regions(op) {
        for &block in ir.blocks(region) {
            for inner in ir.block_ops(block) {
                inside_out(ir, inner, found);
            }
        }
    }
    found.push(op);
}

/// `structured.match`: operations inside the target by name, interface, attributes and type of result.
fn find(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let mut found = Vec::new();
    for target in script.ops(ir, op, 0)? {
        inside_out(ir, target, &mut found);
    }
    let names = match ir.attr(op, "ops") {
        Some(Attr::Array(items)) => Some(items.clone()),
        _ => None,
    };
    if let Some(names) = names {
        let is_named = |ir: &Ir, op: OpId| {
            let name = ir.name(op);
            names.iter().any(|&other| matches!(&ir[other], Attr::Str(text) if &ir[*text] == name))
        };
        found.retain(|&op| is_named(ir, op));
    }
    if let Some(attr) = ir.attr_id(op, "interface") {
        let interface = match (&ir[attr], ir.keyword(attr)) {
            (_, Some(word)) => word.to_owned(),
            // The enumeration's numbers, as the generic form writes them.
            (Attr::Int { value: 0, .. }, _) => "LinalgOp".to_owned(),
            (Attr::Int { value: 1, .. }, _) => "TilingInterface".to_owned(),
            (Attr::Int { value: 2, .. }, _) => "LoopLikeInterface".to_owned(),
            _ => String::new(),
        };
        let is_tileable = |ir: &Ir, op: OpId| {
            ir.class(op) == Class::Structured
                || matches!(ir.name(op), "tensor.pad" | "linalg.pack" | "linalg.unpack" | "tensor.concat")
                || ir.name(op).starts_with("iree_linalg_ext.")
        };
        match interface.as_str() {
            "LinalgOp" => found.retain(|&op| ir.class(op) == Class::Structured && ir.name(op).starts_with("linalg.")),
            "TilingInterface" => found.retain(|&op| is_tileable(ir, op)),
            "LoopLikeInterface" => found.retain(|&op| ir.class(op) == Class::Loop),
            other => return Err(hard(ir, op, format!("there is no interface `{other}`"))),
        }
    }
    if let Some(wanted) = ir.attr_id(op, "op_attrs") {
        let wanted = ir.entries(wanted).to_vec();
        found.retain(|&op| wanted.iter().all(|entry| ir.attrs(op).contains(entry)));
    }
    if let Some(Attr::Type(ty)) = ir.attr(op, "filter_result_type") {
        let ty = *ty;
        found.retain(|&op| ir.results(op).len() == 1 && ir.type_of(ir.result(op, 0)) == ty);
    }
    if let Some(Attr::Array(types)) = ir.attr(op, "filter_operand_types") {
        let types: Vec<_> = types.clone();
        let fits = |ir: &Ir, value: ValueId, ty| matches!(&ir[ty], Attr::Type(ty) if *ty == ir.type_of(value));
        found.retain(|&op| match types[..] {
            // One type stands for all operands.
            [ty] => ir.operands(op).iter().all(|&value| fits(ir, value, ty)),
            _ => {
                types.len() == ir.operands(op).len()
                    && ir.operands(op).iter().zip(&types).all(|(&value, &ty)| fits(ir, value, ty))
            }
        });
    }
    script.set(ir, op, 0, Payload::Ops(found))
}

fn parent(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let isolated = ir.attr_id(op, "isolated_from_above").is_some();
    let name = text_of(ir, op, "op_name").map(str::to_owned);
    let n = ir.attr(op, "nth_parent").and_then(Attr::as_i64).unwrap_or(1);
    let mut found: Vec<OpId> = Vec::new();
    for target in script.ops(ir, op, 0)? {
        let mut at = Some(target);
        for _ in 0..n {
            at = at.and_then(|at| ir.parent_op(at));
            while let Some(parent) = at
                && (isolated && !ir.opcode(parent).is_isolated()
                    || name.as_deref().is_some_and(|name| name != ir.name(parent)))
            {
                at = ir.parent_op(parent);
            }
            if at.is_none() {
                break;
            }
        }
        match at {
            Some(parent) => found.push(parent),
            None if ir.attr_id(op, "allow_empty_results").is_some() => {}
            None => {
                let diag = stop(ir, op, "an operation has no such parent").related(ir.span(target), "this one");
                return Err(Stop::Quiet(diag));
            }
        }
    }
    if ir.attr_id(op, "deduplicate").is_some() {
        found = distinct(found);
    }
    script.set(ir, op, 0, Payload::Ops(found))
}

fn distinct(ops: Vec<OpId>) -> Vec<OpId> {
    let mut found = Vec::new();
    for op in ops {
        if !found.contains(&op) {
            found.push(op);
        }
    }
    found
}

fn consumers(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let ops = script.ops(ir, op, 0)?;
    let found = match ops[..] {
        [] => Vec::new(),
        [target] => {
            let n = ir.attr(op, "result_number").and_then(Attr::as_i64).unwrap_or_default();
            let result = usize::try_from(n).ok().and_then(|n| ir.results(target).nth(n));
            let result = result.ok_or_else(|| hard(ir, op, format!("the operation has no result {n}")))?;
            distinct(ir.uses(result).map(|(user, _)| user).collect())
        }
        [..] => return Err(hard(ir, op, format!("the handle stands for {} operations, not one", ops.len()))),
    };
    script.set(ir, op, 0, Payload::Ops(found))
}

fn merge(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let operands = ir.operands(op).to_vec();
    let payloads: Result<Vec<Payload>, Stop> =
        operands.into_iter().map(|value| script.payload(ir, op, value)).collect();
    let deduplicate = ir.attr_id(op, "deduplicate").is_some();
    let mut merged: Option<Payload> = None;
    for payload in payloads? {
        match (&mut merged, payload) {
            (None, payload) => merged = Some(payload),
            (Some(Payload::Ops(all)), Payload::Ops(ops)) => all.extend(ops),
            (Some(Payload::Params(all)), Payload::Params(params)) => all.extend(params),
            (Some(_), _) => return Err(hard(ir, op, "handles to different kinds of things cannot be merged")),
        }
    }
    let merged = match merged.unwrap_or(Payload::Ops(Vec::new())) {
        Payload::Ops(ops) if deduplicate => Payload::Ops(distinct(ops)),
        merged => merged,
    };
    script.set(ir, op, 0, merged)
}

fn split(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let ops = script.ops(ir, op, 0)?;
    let n_results = ir.results(op).len();
    let is_off = |name: &str| matches!(ir.attr(op, name), Some(Attr::Bool(false)));
    let overflow = ir.attr(op, "overflow_result").and_then(Attr::as_i64);
    let mut parts: Vec<Vec<OpId>> = vec![Vec::new(); n_results];
    let passes = ops.is_empty() && !is_off("pass_through_empty_handle");
    let too_few = ops.len() < n_results && !passes && !is_off("fail_on_payload_too_small");
    if too_few || (ops.len() > n_results && overflow.is_none()) {
        let why = format!("the handle stands for {} operations, and there are {n_results} results", ops.len());
        return Err(quiet(ir, op, why));
    }
    let surplus = ops.len().saturating_sub(n_results);
    let wide = overflow.and_then(|at| usize::try_from(at).ok()).filter(|at| *at < n_results);
    if surplus > 0 && wide.is_none() {
        return Err(hard(ir, op, "`overflow_result` is not the number of a result"));
    }
    let mut ops = ops.into_iter();
    for (index, part) in parts.iter_mut().enumerate() {
        let n = if Some(index) == wide { 1 + surplus } else { 1 };
        part.extend(ops.by_ref().take(n));
    }
    for (index, part) in parts.into_iter().enumerate() {
        script.set(ir, op, index, Payload::Ops(part))?;
    }
    Ok(())
}

fn cast(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let payload = script.payload(ir, op, ir.operand(op, 0))?;
    script.set(ir, op, 0, payload)
}

fn constant(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let value = ir.attr_id(op, "value").ok_or_else(|| hard(ir, op, "it has no value"))?;
    script.set(ir, op, 0, Payload::Params(vec![value]))
}

fn match_name(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let names = match ir.attr(op, "op_names") {
        Some(Attr::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    for target in script.ops(ir, op, 0)? {
        let name = ir.name(target);
        if !names.iter().any(|&other| matches!(&ir[other], Attr::Str(text) if &ir[*text] == name)) {
            return Err(quiet(ir, op, format!("`{name}` is none of the names")));
        }
    }
    Ok(())
}

fn has_no_config(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let target = script.ops(ir, op, 0)?.into_iter().find(|&target| ir.attr_id(target, "lowering_config").is_some());
    target.map_or(Ok(()), |_| Err(quiet(ir, op, "the operation has a lowering_config")))
}

fn include(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let name = match ir.attr(op, "target") {
        Some(Attr::Symbol(path)) => path.last().map(|&name| ir[name].to_owned()),
        _ => None,
    };
    let callee = name.as_deref().and_then(|name| sequence_named(ir, script.root, name));
    let callee = callee.ok_or_else(|| {
        hard(ir, op, format!("there is no sequence `@{}` with a body", name.as_deref().unwrap_or_default()))
    })?;
    let operands = ir.operands(op).to_vec();
    let args: Result<Vec<Payload>, Stop> = operands.into_iter().map(|value| script.payload(ir, op, value)).collect();
    let n_results = ir.results(op).len();
    match script.call(ir, callee, &args?) {
        Ok(yielded) if yielded.len() == n_results => {
            for (index, payload) in yielded.into_iter().enumerate() {
                script.set(ir, op, index, payload)?;
            }
            Ok(())
        }
        Ok(yielded) => Err(hard(ir, op, format!("the sequence yields {} values, not {n_results}", yielded.len()))),
        Err(Stop::Quiet(_)) if suppresses(ir, op) => {
            (0..n_results).try_for_each(|index| script.set(ir, op, index, Payload::Ops(Vec::new())))
        }
        Err(stop) => Err(stop),
    }
}

/// Whether `failures(suppress)` is written on the step.
fn suppresses(ir: &Ir, op: OpId) -> bool {
    match ir.attr_id(op, "failure_propagation_mode") {
        Some(mode) => ir.keyword(mode) == Some("suppress") || ir[mode].as_i64() == Some(2),
        None => false,
    }
}

fn annotate(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let name = text_of(ir, op, "name").ok_or_else(|| hard(ir, op, "it does not say which attribute"))?.to_owned();
    let value = match ir.operands(op).get(1) {
        None => ir.intern(Attr::Unit),
        Some(&param) => match script.payload(ir, op, param)? {
            Payload::Params(params) if params.len() == 1 => params[0],
            _ => return Err(hard(ir, op, "the value is not one parameter")),
        },
    };
    for target in script.ops(ir, op, 0)? {
        ir.set_attr(target, &name, value);
    }
    Ok(())
}

/// `transform.print`: the text is a remark, since only the command line prints.
fn print(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let targets = if ir.operands(op).is_empty() { vec![script.root] } else { script.ops(ir, op, 0)? };
    let title = text_of(ir, op, "name").unwrap_or("the program");
    let texts = targets.into_iter().map(|target| raddle_ir::print_op(ir, target));
    let remark = Diag::error(Code::ScriptSays, ir.span(op), title.to_owned()).as_remark();
    script.facts.remarks.borrow_mut().push(texts.fold(remark, Diag::note));
    Ok(())
}

/// The targets of a step that rewrites what lies inside; the script itself does not lie there.
fn bodies(ir: &Ir, script: &Script<'_>, op: OpId) -> Result<Vec<OpId>, Stop> {
    let targets = script.ops(ir, op, 0)?;
    let mut around = Some(op);
    while let Some(at) = around {
        if targets.contains(&at) && at != script.root {
            return Err(hard(ir, op, "it would rewrite the script that it stands in"));
        }
        around = ir.parent_op(at);
    }
    Ok(targets)
}

/// The functions in each target, or the target itself where there is none inside.
fn functions(ir: &Ir, targets: Vec<OpId>) -> Vec<OpId> {
    let is_func = |op: OpId| matches!(ir.opcode(op), Opcode::FuncFunc | Opcode::UtilFunc) && ir.body(op, 0).is_some();
    let inside = |target: OpId| {
        let found: Vec<OpId> = if is_func(target) { Vec::new() } else { ir.walk(target) };
        let found: Vec<OpId> = found.into_iter().filter(|&op| is_func(op)).collect();
        if found.is_empty() { vec![target] } else { found }
    };
    targets.into_iter().flat_map(inside).collect()
}

fn apply_patterns(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let mut sets = Vec::new();
    for inner in ir.body(op, 0).map(|body| ir.ops_of(body)).unwrap_or_default() {
        match PATTERNS.iter().find(|row| row.0 == ir.opcode(inner)) {
            Some(row) => sets.push(row.1),
            None if ir.opcode(inner) == Opcode::TransformYield => {}
            None => return Err(hard(ir, inner, "there is no rule for these patterns")),
        }
    }
    let targets = bodies(ir, script, op)?;
    let merges = ir.attr_id(op, "apply_cse").is_some();
    for target in functions(ir, targets) {
        for _ in 0..ROUNDS_MAX {
            let mut changed = false;
            for patterns in &sets {
                changed |= patterns(ir, target);
            }
            changed |= merges && clean::cse(ir, target);
            if !changed {
                break;
            }
        }
    }
    Ok(())
}

fn apply_cse(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let targets = bodies(ir, script, op)?;
    for target in functions(ir, targets) {
        clean::cse(ir, target);
    }
    Ok(())
}

fn apply_licm(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    for target in bodies(ir, script, op)? {
        clean::hoist(ir, target);
    }
    Ok(())
}

/// `iree.test_gpu_vector_distribution`: lay out and distribute each function. The step says how large subgroups are,
/// and may say the workgroup's size; the chip then is one that has such subgroups.
fn distribute_vectors(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let subgroup_size = ir.attr(op, "subgroup_size").and_then(Attr::as_i64).unwrap_or(64);
    let sizes = ir.attr_id(op, "workgroup_size").and_then(|sizes| ir.ints(sizes)).unwrap_or_default();
    let chips = [script.facts.chip].into_iter().chain(CHIPS);
    let chip = chips.into_iter().find(|chip| i64::from(chip.subgroup_size) == subgroup_size);
    let chip = chip.ok_or_else(|| hard(ir, op, format!("no chip has subgroups of {subgroup_size} lanes")))?;
    let facts = script.facts.for_chip(chip);
    let launch = match &sizes[..] {
        [] => Launch::of_subgroups(subgroup_size),
        sizes => Launch::of_sizes(sizes, subgroup_size)
            .filter(|launch| launch.workgroup_size >= subgroup_size)
            .unwrap_or(Launch::along_x(subgroup_size, subgroup_size)),
    };
    for func in script.ops(ir, op, 0)? {
        let done = if lay_out::packs(ir, func).is_empty() {
            lay_out::expand_rare(ir, func);
            lay_out::lay_out_for(ir, func, &facts, launch)
                .and_then(|()| distribute::distribute_for(ir, func, &facts, launch, distribute::Edges::Casts))
        } else {
            distribute::pack::distribute(ir, func, launch)
        };
        clean::canonicalize(ir, func);
        script.facts.remarks.borrow_mut().append(&mut facts.remarks.borrow_mut());
        done.map_err(|diag| Stop::Hard(diag.related(ir.span(op), "asked for by this step")))?;
    }
    Ok(())
}
