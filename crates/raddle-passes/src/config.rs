//! Lowering configurations as values: `#iree_gpu.lowering_config` and `#iree_codegen.translation_info`, read and written.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Body, Code, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, ValueId, keyword_attr};
use raddle_layout::{Nested, NestedError};
use raddle_target::catalogue;
use raddle_target::{Mma, mma};
use rustc_hash::FxHashMap;

use crate::code::extents::{gcd, row_major};
use crate::facts::Facts;
use crate::structured::scans;

mod compilation_info;
mod cpus;
mod depth;
pub mod guide;
mod keys;
mod parts;
pub mod role;

pub use compilation_info::{COMPILATION_INFO, take_compilation_info};
pub use cpus::forget_on_cpus;
pub use depth::Depth;
pub use keys::{KEYS, Key, OPTIONS};
pub use parts::Parts;

/// How one structured operation is spread over a workgroup. Every list has one entry for each loop.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Tile of one workgroup; 0 for a loop that workgroups do not share.
    pub workgroup: Vec<i64>,
    /// Step of a loop with one accumulator for the whole tile; 0 for none.
    pub reduction: Vec<i64>,
    /// Step of a loop that keeps a partial accumulator for each element of the step; 0 for none.
    pub partial_reduction: Vec<i64>,
    /// Subgroups along each loop.
    pub subgroup: Vec<i64>,
    /// Their distances; without them the last loop's are neighbours.
    pub subgroup_strides: Vec<i64>,
    /// Lanes along each loop.
    pub lane: Vec<i64>,
    /// Their distances; without them the last loop's are neighbours.
    pub lane_strides: Vec<i64>,
    /// Consecutive elements of one thread along each loop.
    pub thread: Vec<i64>,
    /// The matrix instruction, which then decides lanes and elements.
    pub mma: Option<&'static Mma>,
    /// Inputs that go through shared memory.
    pub promote: Vec<usize>,
}

/// The entries that [`Config::attr`] writes.
const WRITTEN: [&str; 8] = [
    "workgroup",
    "reduction",
    "partial_reduction",
    "thread",
    "subgroup_basis",
    "lane_basis",
    "mma_kind",
    "promote_operands",
];

/// The names by which programs ask for vectors of the workgroup.
const PIPELINES: &[&str] = &["VectorDistribute", "LLVMGPUVectorDistribute", "None"];

/// The names by which programs ask for scalar loops.
pub const SCALAR_PIPELINES: &[&str] = &["Distribute", "LLVMGPUDistribute", "BaseLowering", "LLVMGPUBaseLowering"];

/// The names by which programs ask for IREE's pipeline that fuses as it tiles; its configurations become those of the
/// pipeline of vectors.
pub const TILE_AND_FUSE: [&str; 2] = ["TileAndFuse", "LLVMGPUTileAndFuse"];

/// The names by which programs ask for the tiles of a product that `tile_sizes` state.
pub const TENSOR_CORE_PIPELINES: [&str; 2] = ["LLVMGPUMatmulTensorCore", "LLVMGPUMatmulTensorCoreMmaSync"];

/// The pipeline that a function asks for.
pub fn pipeline(ir: &Ir, func: OpId) -> Option<&str> {
    let info = ir.attr_id(func, "translation_info")?;
    ir.field(info, "pipeline").and_then(|pipeline| ir.keyword(pipeline))
}

fn is_named(ir: &Ir, attr: AttrId, wanted: &str) -> bool {
    matches!(ir[attr], Attr::Dialect { name, .. } if ir[name] == *wanted)
}

/// Whether an option that nobody reads asks for more than nothing.
fn is_lost(ir: &Ir, name: &str, option: AttrId) -> bool {
    match &ir[option] {
        Attr::Dialect { body: Body::Fields(fields), .. } => {
            fields.iter().any(|&(name, value)| is_lost(ir, &ir[name], value))
        }
        Attr::Bool(value) => *value,
        _ => OPTIONS.iter().all(|row| row.name != name),
    }
}

/// The subgroups that run something: those of the whole workgroup, or, for a role, a range of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The first subgroup. Layouts and numbers of threads count from it.
    pub first: i64,
    /// Threads of all these subgroups.
    pub workgroup_size: i64,
    /// How many of them lie along x, y and z. A thread's number counts along x first, and so do subgroups and lanes.
    pub extents: [i64; 3],
    /// Lanes of a subgroup.
    pub subgroup_size: i64,
}

/// An instruction that products are not configured with: what its name stands for, and which one to name instead.
fn unknown_instruction(ir: &Ir, op: OpId, name: &str) -> Diag {
    let bad = |what: &str| Diag::error(Code::CannotConfigure, ir.span(op), format!("`lowering_config` names {what}"));
    let known = "`raddle targets` lists the instructions that products are computed with";
    match catalogue::lookup(name) {
        Ok(_) => bad(&format!("`{name}`, which products are not computed with")).help(known),
        Err(unknown) => {
            let near = Some(&*unknown.nearest).filter(|near| mma(near).is_some());
            let help = near.map_or(known.to_owned(), |near| format!("did you mean `{near}`?"));
            bad(&format!("the unknown matrix instruction `{name}`")).help(help)
        }
    }
}

impl Config {
    /// Reads the configuration of an operation.
    pub fn read(ir: &Ir, op: OpId) -> Result<Config, Diag> {
        let bad = |what: &str| {
            Diag::error(Code::CannotConfigure, ir.span(op), format!("`lowering_config` {what}")).help(
                "a configuration looks like #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], …}>",
            )
        };
        let attr = ir.attr_id(op, "lowering_config").ok_or_else(|| bad("is missing"))?;
        if !is_named(ir, attr, "iree_gpu.lowering_config") {
            return Err(bad("is not an `#iree_gpu.lowering_config`")
                .note("tile sizes by level, as `#iree_codegen.lowering_config` has them, mean something else in each pipeline"));
        }
        let loops = scans::loops_of(ir, op).map(|linalg| linalg.extents(ir)).unwrap_or_default();
        keys::check(ir, attr, &loops, bad)?;
        let list = |name: &str| -> Result<Vec<i64>, Diag> {
            match ir.field(attr, name) {
                None => Ok(Vec::new()),
                Some(list) => {
                    ir.ints(list).ok_or_else(|| bad(&format!("has a `{name}` that is not a list of integers")))
                }
            }
        };
        // Loops behind the end of a list are not tiled.
        let sizes = |name: &str| -> Result<Vec<i64>, Diag> {
            let mut sizes = list(name)?;
            if !sizes.is_empty() && sizes.len() < loops.len() {
                sizes.resize(loops.len(), 0);
            }
            Ok(sizes)
        };
        // `[[counts], [mapping]]`: loop `i` has the digit `mapping[i]` of a number whose last digit is fastest. Digits that
        // no loop has belong to threads that do the same.
        let basis = |name: &str| -> Result<(Vec<i64>, Vec<i64>), Diag> {
            let Some(basis) = ir.field(attr, name) else { return Ok((Vec::new(), Vec::new())) };
            let no_basis = || bad(&format!("has a `{name}` that is not a basis"));
            let Attr::Array(items) = &ir[basis] else { return Err(no_basis()) };
            let [counts, mapping] = items[..] else { return Err(no_basis()) };
            let (Some(counts), Some(mapping)) = (ir.ints(counts), ir.ints(mapping)) else { return Err(no_basis()) };
            let product = counts.iter().try_fold(1i64, |product, &count| product.checked_mul(count));
            if product.is_some() && mapping.iter().copied().eq(0..counts.len() as i64) {
                return Ok((counts, Vec::new()));
            }
            let mut seen = mapping.clone();
            seen.sort_unstable();
            seen.dedup();
            let fits = |&digit: &i64| (0..counts.len() as i64).contains(&digit);
            if product.is_none() || seen.len() != mapping.len() || !mapping.iter().all(fits) {
                return Err(bad(&format!("has a `{name}` whose mapping does not name digits of its own")));
            }
            let strides = row_major(&counts);
            Ok(mapping.iter().map(|&digit| (counts[digit as usize], strides[digit as usize])).unzip())
        };
        let ((subgroup, subgroup_strides), (lane, lane_strides)) = (basis("subgroup_basis")?, basis("lane_basis")?);
        let kind = match ir.field(attr, "mma_kind") {
            None => None,
            Some(kind) => {
                let name = ir.keyword(kind).ok_or_else(|| bad("has an `mma_kind` that names no instruction"))?;
                Some(mma(name).ok_or_else(|| unknown_instruction(ir, op, name))?)
            }
        };
        let promote = list("promote_operands")?.into_iter().map(usize::try_from).collect::<Result<_, _>>();
        let promote = promote.map_err(|_| bad("has a negative entry in `promote_operands`"))?;
        Ok(Config {
            workgroup: sizes("workgroup")?,
            reduction: sizes("reduction")?,
            partial_reduction: sizes("partial_reduction")?,
            subgroup,
            subgroup_strides,
            lane,
            lane_strides,
            // A loop that is not tiled has one element for each thread.
            thread: sizes("thread")?.into_iter().map(|elements| if elements == 0 { 1 } else { elements }).collect(),
            mma: kind,
            promote,
        })
    }

    /// Writes the configuration onto an operation.
    pub fn write(&self, ir: &mut Ir, op: OpId) {
        let attr = self.attr(ir);
        ir.set_attr(op, "lowering_config", attr);
    }

    /// Writes what it says instead of what an operation's configuration says of it, and keeps the other entries.
    pub fn write_over(&self, ir: &mut Ir, op: OpId) {
        let Some(old) = ir.attr_id(op, "lowering_config") else { return };
        let made = self.attr(ir);
        let entries = entries_of(ir, made);
        let entries: Vec<(&str, AttrId)> = entries.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let rest = without_entries(ir, old, &WRITTEN);
        let attr = with_entries(ir, rest, &entries);
        ir.set_attr(op, "lowering_config", attr);
    }

    /// The configuration as an attribute.
    pub fn attr(&self, ir: &mut Ir) -> AttrId {
        let mut entries: Vec<(&str, AttrId)> = Vec::new();
        for (name, list) in [
            ("workgroup", &self.workgroup),
            ("reduction", &self.reduction),
            ("partial_reduction", &self.partial_reduction),
            ("thread", &self.thread),
        ] {
            if list.iter().any(|&size| size != 0) {
                entries.push((name, ir.i64_array(list)));
            }
        }
        for (name, counts, strides) in [
            ("subgroup_basis", &self.subgroup, self.subgroup_strides(&self.subgroup)),
            ("lane_basis", &self.lane, self.lane_strides(&self.lane)),
        ] {
            if !counts.is_empty() {
                // Of the loops that are shared, the one whose neighbours are the farthest apart has the first digit.
                let spread: Vec<usize> = (0..counts.len()).filter(|&d| counts[d] > 1).collect();
                let mut order = spread.clone();
                order.sort_by_cached_key(|&d| strides[d].saturating_neg());
                let (mut placed, mut mapping) = (counts.clone(), (0..counts.len() as i64).collect::<Vec<i64>>());
                for (&at, &d) in spread.iter().zip(&order) {
                    (placed[at], mapping[d]) = (counts[d], at as i64);
                }
                let parts = vec![ir.i64_array(&placed), ir.i64_array(&mapping)];
                entries.push((name, ir.intern(Attr::Array(parts))));
            }
        }
        if let Some(mma) = self.mma {
            entries.push(("mma_kind", mma.attr(ir)));
        }
        if !self.promote.is_empty() {
            let operands: Vec<i64> = self.promote.iter().map(|&operand| operand as i64).collect();
            entries.push(("promote_operands", ir.i64_array(&operands)));
        }
        let dict = ir.dict(&entries);
        let name = ir.intern_str("iree_gpu.lowering_config");
        ir.intern(Attr::Dialect { name, body: Body::Attr(dict) })
    }

    /// The number of subgroups that share the tile.
    pub fn n_subgroups(&self) -> i64 {
        self.subgroup.iter().product()
    }

    /// The distances of `counts` subgroups along each loop.
    pub fn subgroup_strides(&self, counts: &[i64]) -> Vec<i64> {
        if self.subgroup_strides.is_empty() { row_major(counts) } else { self.subgroup_strides.clone() }
    }

    /// The distances of `counts` lanes along each loop.
    pub fn lane_strides(&self, counts: &[i64]) -> Vec<i64> {
        if self.lane_strides.is_empty() { row_major(counts) } else { self.lane_strides.clone() }
    }

    /// Says as remarks what a program states about how an operation is compiled and what has no effect.
    pub fn remark_unused(&self, ir: &Ir, func: OpId, op: OpId, facts: &Facts) {
        let remark = |message: &str| facts.remark(Diag::error(Code::CannotConfigure, ir.span(op), message));
        if let Some(config) = ir.attr_id(op, "lowering_config") {
            keys::unused(ir, config).iter().for_each(|message| remark(message));
        }
        let others =
            ir.walk(func).into_iter().filter(|&other| other != op && ir.attr(other, "lowering_config").is_some());
        for other in others {
            let message = "`lowering_config` has no effect: another operation decides the tiles of this kernel";
            facts.remark(Diag::error(Code::CannotConfigure, ir.span(other), message));
        }
        let options = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "configuration"));
        let options = options.map(|options| ir.entries(options)).unwrap_or_default();
        let known: Vec<&str> = OPTIONS.iter().map(|row| row.name).collect();
        for (name, _) in options.iter().filter(|&&(name, value)| is_lost(ir, &ir[name], value)) {
            let message = format!("the option `{}` in `translation_info` has no effect", &ir[*name]);
            remark(&format!("{message}: known ones are {}", known.join(", ")));
        }
    }

    /// How each operand that is promoted goes through shared memory.
    pub fn promotions(&self, ir: &mut Ir, op: OpId) -> FxHashMap<usize, AttrId> {
        let types = ir.attr_id(op, "lowering_config").and_then(|attr| ir.field(attr, "promotion_types"));
        let types = types.and_then(|types| match &ir[types] {
            Attr::Array(types) => Some(types.clone()),
            _ => None,
        });
        let name = ir.intern_str("iree_gpu.derived_thread_config");
        let derived = ir.intern(Attr::Dialect { name, body: Body::None });
        let of = |i: usize| types.as_ref().and_then(|types| types.get(i).copied()).unwrap_or(derived);
        self.promote.iter().enumerate().map(|(i, &operand)| (operand, of(i))).collect()
    }

    /// The layout of the iteration space of one step whose extents are `tile`, when no matrix instruction decides it.
    pub fn layout(&self, tile: &[i64]) -> Nested {
        self.layout_of(tile).expect("a checked configuration has a layout")
    }

    /// The same of a configuration that nobody has checked; an error where there are too many elements to count.
    pub fn layout_of(&self, tile: &[i64]) -> Result<Nested, NestedError> {
        let rank = tile.len();
        let ones = vec![1; rank];
        let or_ones = |list: &[i64]| if list.is_empty() { ones.clone() } else { list.to_vec() };
        let (subgroup, lane, thread) = (or_ones(&self.subgroup), or_ones(&self.lane), or_ones(&self.thread));
        let batch = (0..rank).map(|d| tile[d] / (subgroup[d] * lane[d] * thread[d])).collect();
        let (subgroup_strides, lane_strides) = (self.subgroup_strides(&subgroup), self.lane_strides(&lane));
        Nested::new(subgroup, batch, ones, lane, thread, subgroup_strides, lane_strides)
    }
}

/// How many neighbours one thread copies along each dimension of a tile: up to 128 bits, and no more than its share.
pub fn derived_tile(shape: &[i64], threads: i64, bits: i64) -> Vec<i64> {
    derived_along(shape, threads, bits, None)
}

/// The same, with the neighbours along one dimension, or, where none is named, along the last one and, if there are few,
/// those in front of it.
pub fn derived_along(shape: &[i64], threads: i64, bits: i64, along: Option<usize>) -> Vec<i64> {
    let rank = shape.len();
    let mut tile = vec![1; rank];
    let Some(dim) = along.or(rank.checked_sub(1)) else { return tile };
    let extent = shape[dim];
    let wide = (128 / bits.max(1)).max(1);
    let elements = shape.iter().try_fold(1i64, |all, &extent| all.checked_mul(extent).filter(|_| extent > 0));
    let Some(elements) = elements.filter(|elements| threads > 0 && elements % threads == 0) else {
        tile[dim] = if extent == DYNAMIC { wide } else { wide.min(extent.max(1)) };
        return tile;
    };
    let wide = wide.min(elements / threads);
    if extent % wide != 0 && wide % extent != 0 {
        return tile;
    }
    tile[dim] = extent.min(wide);
    if along.is_some() {
        return tile;
    }
    // Rows that are shorter than a thread's share go to it as a whole.
    let mut left = wide / tile[dim];
    for d in (0..dim).rev() {
        if left % shape[d] != 0 {
            break;
        }
        tile[d] = shape[d];
        left /= shape[d];
    }
    tile
}

/// The sizes of the tiles that an operation's configuration has for a level, one for each loop and 0 for one that is left
/// whole; `None` where it has none.
pub fn level(ir: &Ir, func: OpId, op: OpId, level: &str) -> Option<Vec<i64>> {
    let config = ir.attr_id(op, "lowering_config")?;
    let Attr::Dialect { name, .. } = &ir[config] else { return None };
    match &ir[*name] {
        "iree_gpu.lowering_config" => {
            ir.field(config, level).and_then(|sizes| ir.ints(sizes)).filter(|sizes| !sizes.is_empty())
        }
        "iree_gpu.derived_thread_config" if level == "thread" => derived_sizes(ir, func, op),
        _ => None,
    }
}

/// A configuration with other entries than it had, or more.
pub fn with_entries(ir: &mut Ir, config: AttrId, new: &[(&str, AttrId)]) -> AttrId {
    let old = entries_of(ir, config);
    let kept = old.iter().map(|(name, attr)| (name.as_str(), *attr));
    let kept = kept.filter(|(name, _)| !new.iter().any(|entry| entry.0 == *name));
    let all: Vec<(&str, AttrId)> = kept.chain(new.iter().copied()).collect();
    of_entries(ir, config, &all)
}

/// A configuration that lacks some entries.
pub fn without_entries(ir: &mut Ir, config: AttrId, names: &[&str]) -> AttrId {
    let old = entries_of(ir, config);
    let kept = old.iter().map(|(name, attr)| (name.as_str(), *attr));
    let kept: Vec<(&str, AttrId)> = kept.filter(|(name, _)| !names.contains(name)).collect();
    of_entries(ir, config, &kept)
}

/// The entries of a configuration, which may stand in braces of their own.
fn entries_of(ir: &Ir, config: AttrId) -> Vec<(String, AttrId)> {
    let entries = match &ir[config] {
        Attr::Dialect { body: Body::Attr(dict), .. } => ir.entries(*dict),
        Attr::Dialect { body: Body::Fields(fields), .. } => fields,
        _ => &[],
    };
    entries.iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect()
}

/// A configuration of the same kind with these entries.
fn of_entries(ir: &mut Ir, config: AttrId, entries: &[(&str, AttrId)]) -> AttrId {
    let Attr::Dialect { name, .. } = ir[config] else { return config };
    let dict = ir.dict(entries);
    ir.intern(Attr::Dialect { name, body: Body::Attr(dict) })
}

/// The tile of one thread that an operation has because of its shape.
fn derived_sizes(ir: &Ir, func: OpId, op: OpId) -> Option<Vec<i64>> {
    let info = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "workgroup_size"))?;
    let threads = ir.ints(info)?.into_iter().try_fold(1i64, i64::checked_mul)?;
    let bits = |value: ValueId| Scalar::of(&ir[ir.elem_of(value)]).map(|scalar| i64::from(scalar.bits()));
    let of = |value: ValueId| Some(derived_tile(ir.shape_of(value), threads, bits(value)?));
    match ir.opcode(op) {
        Opcode::IreeLinalgExtIm2col => {
            let output = *ir.operands(op).get(1)?;
            let along = neighbours(ir, op).unwrap_or(ir.shape_of(output).len().checked_sub(1)?);
            Some(derived_along(ir.shape_of(output), threads, bits(output)?, Some(along)))
        }
        Opcode::IreeLinalgExtScatter => {
            let [updates, .., original] = *ir.operands(op) else { return None };
            Some(derived_tile(ir.shape_of(updates), threads, bits(original)?))
        }
        // Along the input: each element of it goes somewhere.
        Opcode::IreeLinalgExtMapStore => {
            let input = *ir.operands(op).first()?;
            if ir.shape_of(input).contains(&DYNAMIC) { None } else { of(input) }
        }
        _ => {
            let linalg = Linalg::try_of(ir, op)?;
            let output = *linalg.outputs.first()?;
            let tile = derived_tile(&linalg.extents(ir), threads, bits(output)?);
            Some(tile.into_iter().zip(linalg.reduction).map(|(size, reduces)| if reduces { 0 } else { size }).collect())
        }
    }
}

/// The dimension of an unfolded image along which the last dimension of the image lies, if there is one: only there are
/// neighbours in memory neighbours in the result.
fn neighbours(ir: &Ir, op: OpId) -> Option<usize> {
    let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr));
    let last = ir.shape_of(*ir.operands(op).first()?).len().checked_sub(1)? as i64;
    let (batch, rows, perm, inner) = (list("batch_pos")?, list("m_pos")?, list("output_perm")?, list("input_k_perm")?);
    let Attr::Array(groups) = ir.attr(op, "static_output_sizes")? else { return None };
    let lengths: Vec<usize> = groups.iter().map(|&group| Some(ir.ints(group)?.len())).collect::<Option<_>>()?;
    // In order, the dimensions of the result go along batches, places of the window, and what lies in a window.
    let mut n_rows = 0;
    let mut covered = 0;
    while covered < rows.len() {
        covered += lengths.get(batch.len() + n_rows)?;
        n_rows += 1;
    }
    let place = |own: usize| perm.iter().position(|&other| other == own as i64);
    let within: Vec<i64> = (0..=last).filter(|d| !batch.contains(d)).collect();
    let within = inner.iter().map(|&d| within.get(usize::try_from(d).ok()?).copied()).collect::<Option<Vec<_>>>()?;
    let n_within = perm.len().checked_sub(batch.len() + n_rows)?;
    let parts = [(&batch, 0, batch.len()), (&rows, batch.len(), n_rows), (&within, batch.len() + n_rows, n_within)];
    let along = |(dims, first, n): (&Vec<i64>, usize, usize)| -> Option<usize> {
        let at = dims.iter().position(|&d| d == last)?;
        // Where several dimensions are one, neighbours are those along the last of them.
        match (dims.len() == n, at + 1 == dims.len()) {
            (true, _) => place(first + at),
            (false, true) => place(first + n.checked_sub(1)?),
            (false, false) => None,
        }
    };
    parts.into_iter().filter_map(along).max()
}

impl Launch {
    /// A workgroup of which only the subgroups' size is known: as large as any layout asks for.
    pub fn of_subgroups(subgroup_size: i64) -> Launch {
        Launch::along_x(Launch::UNKNOWN * subgroup_size, subgroup_size)
    }

    /// A workgroup of one row of threads.
    pub const fn along_x(workgroup_size: i64, subgroup_size: i64) -> Launch {
        Launch { first: 0, workgroup_size, extents: [workgroup_size, 1, 1], subgroup_size }
    }

    /// A workgroup of these sizes; `None` where they are not sizes, or there are too many threads to count.
    pub fn of_sizes(sizes: &[i64], subgroup_size: i64) -> Option<Launch> {
        let mut extents = [1; 3];
        extents.get_mut(..sizes.len()).filter(|_| !sizes.is_empty())?.copy_from_slice(sizes);
        let positive = extents.iter().all(|&extent| extent > 0);
        let threads = extents.iter().try_fold(1i64, |threads, &extent| threads.checked_mul(extent));
        threads.filter(|_| positive).map(|workgroup_size| Launch { first: 0, workgroup_size, extents, subgroup_size })
    }

    /// More subgroups than any workgroup has.
    const UNKNOWN: i64 = 1 << 32;

    /// Threads of a workgroup, if they are known.
    pub fn threads(self) -> Option<i64> {
        Some(self.workgroup_size).filter(|&threads| threads < Launch::UNKNOWN * self.subgroup_size)
    }

    /// Subgroups of a workgroup, if they are known.
    pub fn subgroups(self) -> Option<i64> {
        self.threads().map(|threads| threads / self.subgroup_size)
    }

    /// A machine whose lanes and subgroups both layouts share out evenly: ours, or one that has some more, which would
    /// hold what others hold, and are not there.
    pub fn shared_by(self, layouts: [&Nested; 2]) -> Launch {
        let above = |least: i64, shares: [i64; 2]| {
            let all = shares.into_iter().fold(1, |all: i64, share| all.saturating_mul(share / gcd(all, share)));
            (least.saturating_add(all - 1) / all).saturating_mul(all)
        };
        let lanes = layouts.map(Nested::n_lanes);
        // Lanes that go on in the next subgroup fill their own.
        let through = lanes.iter().any(|&lanes| lanes > self.subgroup_size);
        let subgroup_size = if through { self.subgroup_size } else { above(self.subgroup_size, lanes) };
        let used = layouts.map(|layout| layout.n_subgroups().max(layout.n_lanes() / self.subgroup_size));
        let n_subgroups = above(self.subgroups().unwrap_or(1), used);
        Launch::along_x(n_subgroups.saturating_mul(subgroup_size), subgroup_size)
    }

    /// What the writer of a program states of its workgroups, if anything.
    pub fn stated(ir: &Ir, func: OpId) -> Result<Option<Launch>, Diag> {
        let Some(info) = ir.attr_id(func, "translation_info") else { return Ok(None) };
        let known = |name: &&str| {
            let known = [PIPELINES, SCALAR_PIPELINES, &TENSOR_CORE_PIPELINES, &TILE_AND_FUSE];
            known.iter().any(|names| names.contains(name))
        };
        if let Some(name) = pipeline(ir, func).filter(|name| !known(name)) {
            let message = format!("there is no pipeline `{name}` here");
            return Err(Diag::error(Code::CannotConfigure, ir.span(func), message).help(format!(
                "there are `VectorDistribute`, `TileAndFuse`, `Distribute` for scalar loops, and `{}` for products",
                TENSOR_CORE_PIPELINES.join("` and `")
            )));
        }
        if ir.field(info, "workgroup_size").is_none() {
            return Ok(None);
        }
        Launch::read(ir, func).map(Some)
    }

    /// States the size of subgroups where the program states that of workgroups alone: the chip's.
    pub fn complete(ir: &mut Ir, func: OpId, facts: &Facts) {
        let Some(info) = ir.attr_id(func, "translation_info") else { return };
        let Attr::Dialect { name, body: Body::Fields(fields) } = &ir[info] else { return };
        let (name, mut fields) = (*name, fields.clone());
        let at = |ir: &Ir, wanted: &str| fields.iter().position(|field| ir[field.0] == *wanted);
        let (Some(sizes), None) = (at(ir, "workgroup_size"), at(ir, "subgroup_size")) else { return };
        let size = ir.i64_attr(facts.chip.subgroup_size.into());
        fields.insert(sizes + 1, (ir.intern_str("subgroup_size"), size));
        let info = ir.intern(Attr::Dialect { name, body: Body::Fields(fields) });
        ir.set_attr(func, "translation_info", info);
    }

    /// Reads `translation_info`.
    pub fn read(ir: &Ir, func: OpId) -> Result<Launch, Diag> {
        let missing = |what: &str| {
            Diag::error(Code::CannotConfigure, ir.span(func), format!("the function does not say its {what}")).help(
                "add `translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> \
                 workgroup_size = [64, 1, 1] subgroup_size = 32>` to its attributes, with the size of the chip's subgroups",
            )
        };
        let attr = ir.attr_id(func, "translation_info").ok_or_else(|| missing("workgroup size"))?;
        let sizes = ir.field(attr, "workgroup_size").and_then(|sizes| ir.ints(sizes));
        let sizes = sizes.ok_or_else(|| missing("workgroup size"))?;
        let subgroup = ir.field(attr, "subgroup_size").and_then(|size| ir[size].as_i64());
        let subgroup_size = subgroup.ok_or_else(|| missing("subgroup size"))?;
        let bad = |why: &str| Diag::error(Code::CannotConfigure, ir.span(func), why.to_owned());
        let Some(launch) = Launch::of_sizes(&sizes, subgroup_size) else {
            return Err(bad("`workgroup_size` is not a list of 1 to 3 positive sizes"));
        };
        if subgroup_size > 0 && launch.workgroup_size % subgroup_size == 0 {
            return Ok(launch);
        }
        let message = format!(
            "a workgroup of {sizes:?} has {} threads, which is not a multiple of the subgroup size, {subgroup_size}",
            launch.workgroup_size
        );
        let lanes = subgroup_size.max(1);
        let n_subgroups = launch.workgroup_size.saturating_add(lanes - 1) / lanes;
        let diag = bad(&message);
        Err(match n_subgroups.checked_mul(lanes).filter(|_| subgroup_size > 0) {
            Some(threads) => diag.help(format!("`workgroup_size = [{threads}, 1, 1]` has {n_subgroups} subgroups")),
            None => diag.help("a subgroup has 32 or 64 lanes"),
        })
    }

    /// Writes `translation_info` for the pipeline of vectors.
    pub fn write(self, ir: &mut Ir, func: OpId) {
        self.write_for(ir, func, PIPELINES[0]);
    }

    /// Writes `translation_info`, and keeps the options of one that does not state sizes.
    pub fn write_for(self, ir: &mut Ir, func: OpId, pipeline: &str) {
        let options = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "configuration"));
        let fields = [
            ("pipeline", keyword_attr(ir, "iree_gpu.pipeline", pipeline)),
            ("workgroup_size", ir.i64_array(&self.extents)),
            ("subgroup_size", ir.i64_attr(self.subgroup_size)),
        ];
        let fields = fields.into_iter().chain(options.map(|options| ("configuration", options)));
        let fields = fields.map(|(name, value)| (ir.intern_str(name), value)).collect();
        let name = ir.intern_str("iree_codegen.translation_info");
        let attr = ir.intern(Attr::Dialect { name, body: Body::Fields(fields) });
        ir.set_attr(func, "translation_info", attr);
    }
}

/// Whether the workgroup has the threads that a layout asks for, and each tile has threads of its own.
pub fn fits_workgroup(layout: &Nested, launch: Launch) -> Result<(), String> {
    layout.check().map_err(|error| error.to_string())?;
    if launch.threads().is_none() {
        // There are as many threads as are asked for.
        return Ok(());
    }
    let reach = |tiles: &[i64], strides: &[i64]| tiles.iter().zip(strides).map(|(t, s)| t * s).max().unwrap_or(0);
    let subgroups = reach(&layout.subgroup_tile, &layout.subgroup_strides);
    let lanes = reach(&layout.thread_tile, &layout.thread_strides);
    let n_subgroups = launch.workgroup_size / launch.subgroup_size;
    if subgroups > n_subgroups {
        return Err(format!("it asks for {subgroups} subgroups, and the workgroup has {n_subgroups}"));
    }
    // A layout without subgroups may number its threads through the whole workgroup.
    let lanes_max = if subgroups == 0 { launch.workgroup_size } else { launch.subgroup_size };
    if lanes > lanes_max {
        return Err(format!("it asks for {lanes} lanes, and there are {lanes_max}"));
    }
    // Such lanes must start anew with each subgroup, or go on beyond it: a dimension alone then means the same as among
    // the others.
    let size = launch.subgroup_size;
    let odd = |d: &usize| {
        let span = layout.thread_tile[*d] * layout.thread_strides[*d];
        span > 0 && span < size && size % span != 0
    };
    match (0..layout.rank()).find(odd) {
        Some(d) if lanes > size => {
            Err(format!("its lanes go through the workgroup, and those of dimension {d} do not divide a subgroup"))
        }
        _ => Ok(()),
    }
}
