//! Check: every rule that a lowering configuration must keep, asked before anything is changed.
//!
//! [`check`] is the only maker of [`Checked`], and tiling and vectorization ask for one: a configuration that passes
//! compiles and launches. Tiles need not divide the extents of the loops, since edges are masked; lanes, elements and
//! matrix instructions must divide the tiles.

use raddle_ir::views::Linalg;
use raddle_ir::{Code, DYNAMIC, Diag, Ir, Map, OpId, Opcode, Scalar, ValueId};
use raddle_layout::Nested;
use raddle_target::Mma;

use crate::code::extents::buffer_bytes;
use crate::config::{Config, Launch, Parts, fits_workgroup};
use crate::configure::factors::{SUMMED, paired, reads_pairs, side_by_side};
use crate::configure::limits::ELEMENTS_MAX;
use crate::facts::Facts;
use crate::structured::scans::Scan;
use crate::structured::{body, require_form};

/// Products that one thread computes in one step, at most: what it does is unrolled, but for what tile registers multiply.
const PRODUCTS_MAX: i64 = 1 << 15;
const PRODUCTS_MAX_IN_TILES: i64 = 1 << 16;

/// A configuration that the operation, the workgroup and the chip can keep.
pub struct Checked {
    /// The configuration.
    pub config: Config,
    /// The operation.
    pub linalg: Linalg,
    /// The extent of each loop; [`DYNAMIC`] where only the run knows it.
    pub extents: Vec<i64>,
    /// How far the vectors of one step go along each loop: the step, or, for a loop that is not tiled, the extent rounded
    /// up to what subgroups, lanes and elements share evenly.
    pub sizes: Vec<i64>,
    /// The loops along which a matrix instruction goes, if there is one.
    pub matrix: Option<MatrixLoops>,
    /// Only [`check`] can fill this in.
    _checked: Seal,
}

struct Seal;

/// The loops along which a matrix instruction goes.
#[derive(Clone, Copy)]
pub struct MatrixLoops {
    /// m, n and k.
    pub mnk: [usize; 3],
    /// The one that counts the products of an instruction of several blocks; or those of which subgroups, which share a sum,
    /// have one each.
    pub block: Option<usize>,
    /// A loop of the sums inside that of the instruction, which goes along both as if they were one.
    pub inner: Option<usize>,
}

impl MatrixLoops {
    /// Whether the instruction goes along a loop.
    pub fn contains(&self, d: usize) -> bool {
        self.mnk.contains(&d) || self.block == Some(d) || self.inner == Some(d)
    }

    /// How far it goes along one.
    fn size(&self, mma: &Mma, d: usize) -> Option<i64> {
        if self.block == Some(d) {
            return Some(mma.blocks.map_or(1, |blocks| blocks.n));
        }
        if self.inner == Some(d) {
            return Some(1);
        }
        self.mnk.iter().position(|&own| own == d).map(|i| [mma.m, mma.n, mma.k][i])
    }
}

/// What keeps a configuration from being used.
struct Refusal<'a> {
    ir: &'a Ir,
    op: OpId,
}

impl Refusal<'_> {
    fn say(&self, message: String) -> Diag {
        Diag::error(Code::CannotConfigure, self.ir.span(self.op), message)
    }
}

/// Checks a configuration. `launch` is the size of the workgroup, where somebody has stated it.
pub fn check(ir: &Ir, op: OpId, config: Config, launch: Option<Launch>, facts: &Facts) -> Result<Checked, Diag> {
    let linalg = match Scan::of(ir, op) {
        Some(scan) => scan.linalg,
        None => {
            let linalg = Linalg::of(ir, op);
            require_form(ir, op, &linalg)?;
            linalg
        }
    };
    let refusal = Refusal { ir, op };
    let extents = linalg.extents(ir);
    check_lists(&refusal, &config, extents.len())?;
    let launch = check_threads(&refusal, &config, launch, facts)?;
    let matrix = match config.mma {
        Some(_) => Some(check_matrix(&refusal, &linalg, &config, facts)?),
        None => None,
    };
    let sizes = (0..extents.len())
        .map(|d| size(&refusal, &linalg, &config, matrix, d, extents[d]))
        .collect::<Result<Vec<i64>, Diag>>()?;
    if let Some(&operand) = config.promote.iter().find(|&&operand| operand >= linalg.inputs.len()) {
        let message = format!("`promote_operands` names input {operand} of {}", linalg.inputs.len());
        return Err(refusal.say(message));
    }
    let checked = Checked { config, linalg, extents, sizes, matrix, _checked: Seal };
    if let Some(run) = checked.run().filter(|&run| checked.n_side_by_side(run).is_none()) {
        let (mma, k) = (checked.config.mma.expect("it has a run"), checked.matrix.expect("it has a run").mnk[2]);
        return Err(refusal
            .say(format!(
                "lanes of `{}` cannot share {} steps of loop {k} by runs of {run}",
                mma.name, checked.sizes[k]
            ))
            .help(format!(
                "let `thread` have a multiple of {} there that divides what each lane has",
                Checked::run_of_one(mma)
            )));
    }
    check_layout(&refusal, &checked, launch)?;
    // What stands for the products of an attention on a CPU, whose threads have no elements of their own, are loops.
    let is_nest = facts.chip.native.is_some() && checked.config.thread.iter().all(|&elements| elements == 1);
    if !is_nest {
        check_registers(&refusal, &checked, facts)?;
    }
    check_shared(&refusal, &checked, launch, facts)?;
    Ok(checked)
}

fn at(list: &[i64], d: usize, default: i64) -> i64 {
    list.get(d).copied().unwrap_or(default)
}

/// One entry for each loop, none of them negative.
fn check_lists(refusal: &Refusal<'_>, config: &Config, rank: usize) -> Result<(), Diag> {
    let tiles = [
        ("workgroup", &config.workgroup),
        ("reduction", &config.reduction),
        ("partial_reduction", &config.partial_reduction),
        ("thread", &config.thread),
    ];
    let bases = [("subgroup_basis", &config.subgroup), ("lane_basis", &config.lane)];
    for (name, list) in tiles.into_iter().chain(bases) {
        if !list.is_empty() && list.len() != rank {
            return Err(refusal.say(format!("`{name}` has {} entries for {rank} loops", list.len())));
        }
        if list.iter().any(|&size| size < 0) {
            return Err(refusal.say(format!("`{name}` has a negative entry")));
        }
    }
    for (name, list) in bases {
        if list.contains(&0) {
            return Err(refusal.say(format!("`{name}` has a 0: use 1 where a loop is not shared")));
        }
    }
    Ok(())
}

/// The configuration's threads are those of the workgroup. Returns the size of the workgroup.
fn check_threads(
    refusal: &Refusal<'_>,
    config: &Config,
    launch: Option<Launch>,
    facts: &Facts,
) -> Result<Launch, Diag> {
    let product = |list: &[i64]| list.iter().try_fold(1i64, |acc, &n| acc.checked_mul(n));
    let lanes = i64::from(facts.chip.subgroup_size);
    match product(&config.lane) {
        Some(n) if n <= lanes && lanes % n == 0 => {}
        _ => {
            let message = format!("`lane_basis` must multiply to a divisor of the subgroup size, {lanes}");
            return Err(refusal.say(message));
        }
    }
    let threads_max = i64::from(facts.chip.threads_max);
    let threads = product(&config.subgroup).and_then(|n| n.checked_mul(lanes)).filter(|&n| n <= threads_max);
    let Some(threads) = threads else {
        let message = format!("the workgroup would have more than {threads_max} threads");
        return Err(refusal.say(message).help("use fewer subgroups in `subgroup_basis`"));
    };
    let Some(launch) = launch else { return Ok(Launch::along_x(threads, lanes)) };
    if launch.subgroup_size != lanes {
        let (stated, name) = (launch.subgroup_size, facts.chip.name);
        return Err(refusal
            .say(format!("`translation_info` states subgroups of {stated} lanes, and those of {name} have {lanes}")));
    }
    if let Err(why) = facts.chip.check_workgroup(launch.extents) {
        return Err(refusal.say(why).help(format!("this configuration needs `workgroup_size = [{threads}, 1, 1]`")));
    }
    if launch.workgroup_size % threads != 0 {
        let (stated, subgroups) = (launch.workgroup_size, threads / lanes);
        let message = format!(
            "`subgroup_basis` multiplies to {subgroups}, and a workgroup of {stated} threads has {}",
            stated / lanes
        );
        return Err(refusal.say(message).help(format!("state `workgroup_size = [{threads}, 1, 1]`")));
    }
    Ok(launch)
}

/// The operation is a product that the instruction computes. Returns the instruction's loops.
fn check_matrix(refusal: &Refusal<'_>, linalg: &Linalg, config: &Config, facts: &Facts) -> Result<MatrixLoops, Diag> {
    let (ir, op) = (refusal.ir, refusal.op);
    let mma = config.mma.expect("who calls this has looked");
    if !mma.runs_on(facts.chip) {
        return Err(refusal.say(format!("`{}` is not an instruction of {}", mma.name, facts.chip.name)));
    }
    let found = if body::is_contraction(ir, op) { body::contraction_loops(&linalg.maps) } else { None };
    // Elements of two loops lie side by side.
    let are_two = |k: &[usize]| k.len() > 1 && k[k.len() - 2..].iter().all(|&d| at(&config.thread, d, 1) > 1);
    let found = found.and_then(|loops| {
        let (&last, rest) = loops.k.split_last()?;
        let inner = Some(last).filter(|_| are_two(&loops.k));
        let k = inner.map_or(Some(last), |_| rest.last().copied())?;
        Some(([*loops.m.last()?, *loops.n.last()?, k], inner))
    });
    let Some((matrix, inner)) = found else {
        return Err(refusal.say(format!("`{}` needs a contraction with loops for m, n and k", mma.name)));
    };
    let lies = |i: usize| linalg.maps[i].as_dims().is_some_and(|dims| dims.ends_with(&[matrix[2], inner.unwrap_or(0)]));
    if let Some(inner) = inner.filter(|_| !(lies(0) && lies(1))) {
        return Err(refusal.say(format!("factors do not have loop {inner} right inside of loop {}", matrix[2])));
    }
    let block = match mma.blocks {
        Some(blocks) => {
            let block = body::block_loop(&linalg.maps).ok_or_else(|| {
                refusal
                    .say(format!("`{}` computes {} products at once, and no loop counts such", mma.name, blocks.n))
                    .note("it needs a loop that both factors and the result have")
            })?;
            Some(block)
        }
        None => (0..linalg.reduction.len()).find(|&d| d != matrix[2] && at(&config.partial_reduction, d, 0) != 0),
    };
    let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let types: Vec<Option<Scalar>> = values.iter().map(|&value| Scalar::of(&ir[ir.elem_of(value)])).collect();
    if types != mma.types.map(Some) {
        return Err(refusal.say(format!("`{}` does not multiply elements of the operands' types", mma.name)));
    }
    if config.subgroup.is_empty() {
        return Err(refusal
            .say(format!("`{}` needs a `subgroup_basis`", mma.name))
            .help("for one subgroup it is all ones"));
    }
    for name in ["lane_basis", "thread"] {
        let list = if name == "thread" { &config.thread } else { &config.lane };
        // Elements of factors may lie side by side along k where subgroups share the sums.
        let is_along = |d: usize| d == matrix[2] || inner == Some(d);
        let is_free = |d: usize| name == "thread" && mma.blocks.is_none() && block.is_some() && is_along(d);
        if (0..list.len()).any(|d| list[d] > 1 && !is_free(d)) {
            return Err(refusal.say(format!("`{}` decides lanes and elements itself: leave out `{name}`", mma.name)));
        }
    }
    if at(&config.subgroup, matrix[2], 1) != 1 {
        return Err(refusal
            .say(format!("subgroups cannot share loop {}, along which `{}` sums", matrix[2], mma.name))
            .help("let `subgroup_basis` have 1 there"));
    }
    let is_stepped = |d: usize| at(&config.partial_reduction, d, 0) != 0;
    if let Some(d) = (0..linalg.reduction.len()).find(|&d| is_stepped(d) && (Some(d) != block || mma.blocks.is_some()))
    {
        return Err(refusal
            .say(format!("`{}` keeps one accumulator along loop {d}: `partial_reduction` does not go there", mma.name))
            .help("use `reduction`"));
    }
    Ok(MatrixLoops { mnk: matrix, block, inner })
}

/// How far vectors go along a loop.
fn size(
    refusal: &Refusal<'_>,
    linalg: &Linalg,
    config: &Config,
    matrix: Option<MatrixLoops>,
    d: usize,
    extent: i64,
) -> Result<i64, Diag> {
    let reduces = linalg.reduction[d];
    let (tile, step) = (at(&config.workgroup, d, 0), at(&config.reduction, d, 0));
    let partial = at(&config.partial_reduction, d, 0);
    if reduces && tile != 0 {
        return Err(refusal
            .say(format!("loop {d} is a reduction, and workgroups cannot share it"))
            .help("tile it with `reduction` or `partial_reduction`"));
    }
    // Inside the loops of a partial reduction each point of a step has an accumulator of its own.
    let inside = refusal.ir.parent_op(refusal.op).is_some_and(|parent| refusal.ir.opcode(parent) == Opcode::ScfFor);
    if !reduces && (step != 0 || partial != 0 && !inside) {
        let name = if step != 0 { "reduction" } else { "partial_reduction" };
        return Err(refusal.say(format!("`{name}` steps through loop {d}, which is not a reduction")));
    }
    if partial != 0 && matrix.is_none() && config.reduction.iter().any(|&step| step != 0) {
        return Err(refusal.say("`reduction` and `partial_reduction` do not go together".to_owned()));
    }
    let subgroups = at(&config.subgroup, d, 1);
    let instruction = matrix.and_then(|loops| loops.size(config.mma?, d));
    let share = match instruction {
        Some(size) => subgroups.checked_mul(size),
        None => {
            subgroups.checked_mul(at(&config.lane, d, 1)).and_then(|n| n.checked_mul(at(&config.thread, d, 1).max(1)))
        }
    };
    let share = share.ok_or_else(|| refusal.say(format!("the threads of loop {d} are too many to count")))?;
    let stated = [partial, step, tile].into_iter().find(|&size| size != 0);
    let size = match stated {
        Some(stated) if stated % share != 0 => {
            let what = match instruction {
                Some(size) => format!("{size} for each subgroup, the size of the matrix instruction"),
                None => "what its subgroups, lanes and elements take".to_owned(),
            };
            let message = format!("the tile {stated} of loop {d} is not a multiple of {share}: {what}");
            let next = (stated / share + 1).checked_mul(share).unwrap_or(share);
            return Err(refusal.say(message).help(format!("{next} is one")));
        }
        Some(stated) => stated,
        None if extent == DYNAMIC => {
            let list = if reduces { "reduction" } else { "workgroup" };
            return Err(refusal
                .say(format!("the extent of loop {d} is not known, and it has no tile"))
                .help(format!("give it one in `{list}`: tiles are chosen at compile time")));
        }
        None => (extent.max(1).checked_add(share - 1).map(|n| n / share * share))
            .ok_or_else(|| refusal.say(format!("loop {d} is too long to be one tile")))?,
    };
    if matrix.is_some() && instruction.is_none() && size != 1 {
        let list = if reduces { "reduction" } else { "workgroup" };
        return Err(refusal
            .say(format!(
                "a matrix instruction goes along the innermost loops for m, n and k, and loop {d} is another one"
            ))
            .help(format!("let `{list}` have 1 there")));
    }
    // Of a parallel loop that the result lacks there may be one iteration only; of threads along it, too.
    let lacks = |map: &Map| !map.as_dims().is_some_and(|dims| dims.contains(&d));
    if !reduces && linalg.maps[linalg.inputs.len()..].iter().any(lacks) && (size != 1 || extent != 1) {
        return Err(refusal
            .say(format!("loop {d} is parallel, and the result has no dimension for it"))
            .note("which of its iterations writes last is not defined"));
    }
    Ok(size)
}

/// Each thread has its own elements, and exists.
fn check_layout(refusal: &Refusal<'_>, checked: &Checked, launch: Launch) -> Result<(), Diag> {
    let layouts: Vec<Nested> = match checked.matrix {
        Some(_) => checked.matrix_layouts().into_iter().collect(),
        None => {
            let layout = checked.config.layout_of(&checked.sizes);
            vec![
                layout
                    .map_err(|why| refusal.say(format!("the tiles of this configuration are not a layout: {why}")))?,
            ]
        }
    };
    for layout in layouts {
        fits_workgroup(&layout, launch)
            .map_err(|why| refusal.say(format!("the threads of this configuration do not fit the workgroup: {why}")))?;
    }
    Ok(())
}

/// The loops that are reduced.
fn reduced(checked: &Checked) -> impl Iterator<Item = usize> {
    (0..checked.sizes.len()).filter(|&d| checked.linalg.reduction[d])
}

/// What one thread holds, and what it does in one step, is bounded.
fn check_registers(refusal: &Refusal<'_>, checked: &Checked, facts: &Facts) -> Result<(), Diag> {
    let product = |numbers: Vec<i64>| numbers.into_iter().fold(1, i64::saturating_mul);
    let config = &checked.config;
    let part = |d: usize| {
        let threads = at(&config.subgroup, d, 1) * if checked.matrix.is_some() { 1 } else { at(&config.lane, d, 1) };
        checked.sizes[d] / threads
    };
    // Lanes share what a matrix instruction computes.
    let lanes = config.mma.map_or(1, |mma| i64::from(mma.subgroup_size));
    let too_much = |what: &str, n: i64, limit: i64| {
        Diag::error(
            Code::UnrollsTooFar,
            refusal.ir.span(refusal.op),
            format!("one thread would {what} {n} in one step"),
        )
        .note(format!("the limit is {limit}"))
        .help("smaller tiles in `workgroup`, `reduction` or `partial_reduction`, or more threads, need less")
    };
    // What subgroups have of a sum is read by each of them before it is added up.
    let sharing = product(reduced(checked).map(|d| at(&config.subgroup, d, 1)).collect());
    for (operand, map) in checked.linalg.maps.iter().enumerate() {
        let held = product(map.as_dims().unwrap_or_default().into_iter().map(part).collect()) / lanes;
        if held > ELEMENTS_MAX {
            return Err(too_much("hold elements of one operand:", held, ELEMENTS_MAX));
        }
        let read = held.saturating_mul(sharing);
        if checked.is_sum(operand) && read > ELEMENTS_MAX {
            return Err(too_much("read what subgroups have of a sum, in elements:", read, ELEMENTS_MAX));
        }
    }
    if config.mma.is_none() {
        // The points of a contraction are products; those of other operations are the elements of vectors, and so are
        // those of a contraction that has an accumulator for each.
        let is_partial = |d: usize| {
            let (step, extent) = (at(&config.partial_reduction, d, 0), checked.extents[d]);
            step != 0 && (extent == DYNAMIC || step < extent)
        };
        let has_products = body::is_contraction(refusal.ir, refusal.op) && !reduced(checked).any(is_partial);
        let has_tiles = facts.chip.native.is_some_and(|native| native.tiles);
        let limit = match (has_products, has_tiles) {
            (true, true) => PRODUCTS_MAX_IN_TILES,
            (true, false) => PRODUCTS_MAX,
            (false, _) => ELEMENTS_MAX,
        };
        let points = product((0..checked.sizes.len()).map(part).collect());
        if points > limit {
            return Err(too_much("compute points:", points, limit));
        }
    }
    Ok(())
}

/// What goes through shared memory fits: promoted operands, and the sums of threads that shuffles do not reach.
fn check_shared(refusal: &Refusal<'_>, checked: &Checked, launch: Launch, facts: &Facts) -> Result<(), Diag> {
    let Checked { config, linalg, sizes, .. } = checked;
    let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let elem =
        |operand: usize| Scalar::of(&refusal.ir[refusal.ir.elem_of(operands[operand])]).unwrap_or(Scalar::Int(64));
    let promoted = config.promote.iter().fold(0i64, |sum, &operand| {
        let dims = linalg.maps[operand].as_dims().unwrap_or_default();
        let shape: Vec<i64> = dims.iter().map(|&d| sizes[d]).collect();
        sum.saturating_add(buffer_bytes(&shape, elem(operand)))
    });
    // Subgroups share the sums of matrix instructions only where they have products of their own.
    let sums = if let Some(block) = checked.matrix.and_then(|loops| loops.block).filter(|&d| linalg.reduction[d]) {
        let shape = linalg.maps[2].as_dims().unwrap_or_default().into_iter().map(|d| sizes[d]);
        buffer_bytes(&shape.chain([sizes[block]]).collect::<Vec<_>>(), elem(2))
    } else if checked.matrix.is_none() {
        let (_, parts) = Parts::of(&config.layout(sizes), &linalg.reduction, launch);
        let sums = (0..operands.len()).filter(|&i| checked.is_sum(i));
        sums.fold(0i64, |sum, output| sum.saturating_add(parts.bytes(elem(output))))
    } else {
        0
    };
    let limit = i64::from(facts.chip.shared_bytes_max);
    let all = promoted.saturating_add(sums);
    if all > limit {
        let message =
            format!("this configuration takes {all} bytes of shared memory, and {} has {limit}", facts.chip.name);
        return Err(Diag::error(Code::TooMuchShared, refusal.ir.span(refusal.op), message)
            .note(format!("{promoted} for promoted operands, {sums} for the sums of subgroups that share a reduction"))
            .help("use smaller tiles in `workgroup` and `reduction`, or promote fewer operands"));
    }
    Ok(())
}

impl Checked {
    /// Whether an operand is an output of which subgroups that share a reduction have parts; a scan has another one, too,
    /// that lies along the loop.
    fn is_sum(&self, operand: usize) -> bool {
        let dims = self.linalg.maps[operand].as_dims().unwrap_or_default();
        operand >= self.linalg.inputs.len() && !dims.iter().any(|&d| self.linalg.reduction[d])
    }

    /// The elements along k that a lane has side by side of each factor of matrix instructions, if that is stated.
    fn run(&self) -> Option<i64> {
        let loops = self.matrix.filter(|loops| loops.block.is_some())?;
        let along = |d: usize| at(&self.config.thread, d, 1).max(1);
        Some(along(loops.mnk[2]) * loops.inner.map_or(1, along)).filter(|&run| run > 1)
    }

    /// Steps of the sums that instructions go along.
    fn steps(&self, loops: MatrixLoops) -> i64 {
        self.sizes[loops.mnk[2]] * loops.inner.map_or(1, |d| self.sizes[d])
    }

    /// The elements along k that a lane has of a factor of one instruction.
    fn run_of_one(mma: &Mma) -> i64 {
        let fragment = &mma.fragments[0];
        fragment.outer[1] * fragment.element[1]
    }

    /// Of how many instructions along k a run of a lane has the elements; `None` where it has not those of whole ones, or
    /// lanes do not share a step by such runs.
    fn n_side_by_side(&self, run: i64) -> Option<i64> {
        let (mma, loops) = (self.config.mma?, self.matrix?);
        let n = run / Self::run_of_one(mma);
        (run % Self::run_of_one(mma) == 0 && self.steps(loops) % (n * mma.k) == 0).then_some(n)
    }

    /// The layouts of a matrix instruction's operands and result, each in two dimensions as it lies in memory, or in three
    /// with one for the blocks of the instruction.
    pub fn matrix_layouts(&self) -> [Nested; 3] {
        let (mma, loops) = (self.config.mma.expect("asked with one"), self.matrix.expect("asked with one"));
        let (strides, [m, n, k]) = (self.config.subgroup_strides(&self.config.subgroup), loops.mnk);
        if let Some(block) = loops.block {
            let of_all = [[block, m, k], [block, k, n], [block, m, n]];
            return [0, 1, 2].map(|i| {
                let own = of_all[i];
                let subgroup = own.map(|d| self.config.subgroup[d]);
                let share = |d: usize| loops.size(mma, d).expect("its own loops") * self.config.subgroup[d];
                let size = |d: usize| if d == k { self.steps(loops) } else { self.sizes[d] };
                let layout = mma
                    .nested_blocks(i, own.map(|d| size(d) / share(d)), subgroup, own.map(|d| strides[d]))
                    .expect("batches and subgroups are positive and small");
                let layout = match self.run().and_then(|run| self.n_side_by_side(run)).zip(SUMMED.get(i)) {
                    Some((n, &k)) => side_by_side(&layout, k, n).expect("it was checked"),
                    None => layout,
                };
                let place = |d: &usize| own.iter().position(|other| other == d).expect("an operand has its loops");
                let lies = self.matrix_dims(i).into_iter().filter(|&d| loops.inner != Some(d));
                layout.permute(&lies.map(|d| place(&d)).collect::<Vec<_>>())
            });
        }
        // The loops along the rows and columns of A, B and C.
        let loops = [[m, k], [k, n], [m, n]];
        // A, and B, where they go through shared memory and do not lie along k.
        let pairs = [0, 1].map(|i| {
            let k_is_last = self.matrix_dims(i).last() == Some(&k);
            let batches = self.sizes[[m, n][i]] / ([mma.m, mma.n][i] * self.config.subgroup[[m, n][i]]);
            let two = mma.fragments[i].outer[i] == 2 || batches % 2 == 0;
            two && self.config.promote.contains(&i) && reads_pairs(mma, i, k_is_last)
        });
        let pairs = [[pairs[0], false], [false, pairs[1]], pairs];
        [0, 1, 2].map(|i| {
            let fragment = &mma.fragments[i];
            let shape = fragment.shape();
            let subgroup = loops[i].map(|d| self.config.subgroup[d]);
            let batch = [0, 1].map(|j| self.sizes[loops[i][j]] / (shape[j] * subgroup[j]));
            let layout = fragment.nested(batch, subgroup, loops[i].map(|d| strides[d]));
            let layout =
                (0..2).filter(|&d| pairs[i][d]).fold(layout, |layout, d| paired(&layout, d).expect("there are two"));
            // The operand may lie transposed.
            if self.matrix_dims(i) == loops[i] { layout } else { layout.permute(&[1, 0]) }
        })
    }

    /// The loops of an operand's dimensions along which a matrix instruction goes.
    pub fn matrix_dims(&self, operand: usize) -> Vec<usize> {
        let own = self.matrix.expect("asked with a matrix instruction");
        let dims = self.linalg.maps[operand].as_dims().unwrap_or_default();
        dims.into_iter().filter(|&d| own.contains(d)).collect()
    }
}
