//! Tensor core: the pipelines that multiply matrices by `tile_sizes` and a workgroup in two dimensions, and their rules.
//!
//! Before: `tile_sizes = [[32, 32, 16]]`, `pipeline = LLVMGPUMatmulTensorCore workgroup_size = [64, 2, 1]`
//! After:  `workgroup = [32, 32, 0], reduction = [0, 0, 16], subgroup_basis = [[2, 2, 1], [0, 1, 2]], mma_kind = …`
//!
//! Subgroups lie as the threads do: along y they share M, along x they share N. In subgroups of 32, the 64 threads along
//! x are two of them. A rule that is broken is an error with the numbers and the nearest configuration that keeps all.
//! Tiles need not divide the extents of the product: edges are masked.
//!
//! The two pipelines differ in the shape that a subgroup's tile must be a multiple of. Both become the instructions
//! `mma.sync`: two of them are one of the 16x16 shapes.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Body, Code, DYNAMIC, Diag, Float, Ir, OpId, Scalar, ValueId};
use raddle_layout::sort::sort_by;
use raddle_target::Mma;

use super::check;
use crate::config::{self, Config, Depth, Launch, TENSOR_CORE_PIPELINES as NAMES};
use crate::facts::Facts;
use crate::structured::body;

/// A pipeline, and how many columns its instruction has.
struct Pipeline {
    name: &'static str,
    columns: i64,
}

const PIPELINES: &[Pipeline] = &[Pipeline { name: NAMES[0], columns: 16 }, Pipeline { name: NAMES[1], columns: 8 }];

/// What a rule looks at: sizes along m, n and k.
#[derive(Clone)]
struct Request {
    /// Threads along x, y and z.
    threads: [i64; 3],
    /// The tile of a workgroup; 0 for all of the extent.
    tile: [i64; 3],
    /// The tiles of the other loops.
    batch: Vec<i64>,
    /// The shape that the pipeline multiplies at once.
    instruction: [i64; 3],
    lanes: i64,
    threads_max: i64,
}

/// A rule, and the numbers that break it.
pub struct Rule {
    /// What must hold.
    pub says: &'static str,
    broken: fn(&Request) -> Option<String>,
}

/// What must hold of the sizes, in the order in which it is looked at.
pub const RULES: &[Rule] = &[
    Rule {
        says: "a workgroup has at most 1024 threads",
        broken: |request| {
            let threads = request.threads.iter().fold(1, |all: i64, &n| all.saturating_mul(n));
            let [x, y, z] = request.threads;
            (threads > request.threads_max)
                .then(|| format!("a workgroup of {x}x{y}x{z} threads has {threads}, more than {}", request.threads_max))
        },
    },
    Rule {
        says: "a workgroup has one thread along z",
        broken: |request| {
            let z = request.threads[2];
            (z != 1).then(|| format!("the workgroup has {z} threads along z, and this pipeline has 1"))
        },
    },
    Rule {
        says: "the threads along x are whole subgroups",
        broken: |request| {
            let (x, lanes) = (request.threads[0], request.lanes);
            (x % lanes != 0).then(|| format!("{x} threads along x are not a multiple of the subgroup size, {lanes}"))
        },
    },
    Rule {
        says: "a workgroup has one matrix of a batch",
        broken: |request| {
            let tile = request.batch.iter().find(|&&tile| tile > 1)?;
            Some(format!("the tile {tile} of a batch is more than the one matrix that a workgroup multiplies"))
        },
    },
    Rule {
        says: "the subgroups along y share M evenly, and those along x share N",
        broken: |request| {
            let uneven = |i: &usize| request.tile[*i] % request.subgroups()[*i] != 0;
            let i = (0..3).find(uneven)?;
            let (tile, subgroups, name) = (request.tile[i], request.subgroups()[i], ["M", "N", "K"][i]);
            Some(format!("{subgroups} subgroups cannot share a tile of {tile} along {name} evenly"))
        },
    },
    Rule {
        says: "the tile of a subgroup is a multiple of the instruction's shape",
        broken: |request| {
            let part = [0, 1, 2].map(|i| request.tile[i] / request.subgroups()[i]);
            let i = (0..3).find(|&i| part[i] % request.instruction[i] != 0)?;
            Some(format!(
                "the tile {} of a subgroup is not a multiple of {}, the shape of the instruction, along {}",
                by(part),
                by(request.instruction),
                ["M", "N", "K"][i]
            ))
        },
    },
];

fn by([m, n, k]: [i64; 3]) -> String {
    format!("{m}x{n}x{k}")
}

impl Request {
    /// Subgroups along m, n and k.
    fn subgroups(&self) -> [i64; 3] {
        [self.threads[1], (self.threads[0] / self.lanes).max(1), 1]
    }

    fn broken(&self) -> Option<String> {
        RULES.iter().find_map(|rule| (rule.broken)(self))
    }

    /// Requests that keep the rules, by how much they differ from this one: by factors, in threads and in tiles.
    fn near(&self) -> Vec<Request> {
        let factor = |a: i64, b: i64| {
            let (a, b) = (a.max(1) as f64, b.max(1) as f64);
            if a > b { a / b } else { b / a }
        };
        let mut near: Vec<(f64, Request)> = Vec::new();
        for along_x in 1..=self.threads_max / self.lanes {
            for y in 1..=self.threads_max / (self.lanes * along_x) {
                let mut request = Request { threads: [along_x * self.lanes, y, 1], ..self.clone() };
                request.batch.iter_mut().for_each(|tile| *tile = 1.min(*tile));
                let subgroups = request.subgroups();
                for i in 0..3 {
                    let unit = subgroups[i] * self.instruction[i];
                    let tile = self.tile[i];
                    request.tile[i] =
                        if tile == 0 { 0 } else { ((tile / unit) + i64::from(tile % unit > unit / 2)).max(1) * unit };
                }
                let changes =
                    (0..3).map(|i| factor(self.threads[i], request.threads[i]) * factor(self.tile[i], request.tile[i]));
                near.push((changes.product(), request));
            }
        }
        sort_by(&mut near, |a, b| a.0.total_cmp(&b.0));
        near.into_iter().map(|(_, request)| request).filter(|request| request.broken().is_none()).collect()
    }
}

/// A product that a program wants to be multiplied by one of the pipelines.
struct Product<'a> {
    ir: &'a Ir,
    op: OpId,
    linalg: Linalg,
    /// The loops along which the instruction goes: m, n, k.
    own: [usize; 3],
    mma: &'static Mma,
    request: Request,
    /// What the program states besides sizes.
    stated: Config,
    /// Whether tiles are spelled as one list.
    is_list: bool,
}

/// The configuration of a function's product, if the function asks for one of the pipelines.
pub fn config(ir: &Ir, func: OpId, op: OpId, facts: &Facts) -> Result<Option<Config>, Diag> {
    let pipeline = config::pipeline(ir, func);
    let Some(pipeline) = PIPELINES.iter().find(|own| pipeline == Some(own.name)) else { return Ok(None) };
    // The depth is honoured much later, and refused here.
    Depth::stated(ir, func)?;
    let sizes = ir.attr_id(func, "translation_info").and_then(|info| ir.field(info, "workgroup_size"));
    let sizes = sizes.and_then(|sizes| ir.ints(sizes)).and_then(|sizes| Launch::of_sizes(&sizes, 1));
    let product = Product::of(ir, op, pipeline, sizes, facts)?;
    let broken = match sizes {
        None => Some(format!("`{}` needs a `workgroup_size`, which decides how subgroups share tiles", pipeline.name)),
        Some(_) => product.request.broken(),
    };
    let Some(why) = broken else {
        let config = product.config(&product.request);
        product.remark_edges(&config, facts);
        return Ok(Some(config));
    };
    let message = if why.starts_with('`') { why } else { format!("`{}`: {why}", pipeline.name) };
    let diag = Diag::error(Code::CannotConfigure, ir.span(op), message);
    let valid = |request: &Request| {
        let launch = Launch::of_sizes(&request.threads, request.lanes);
        check(ir, op, product.config(request), launch, facts).is_ok()
    };
    Err(match product.request.near().into_iter().find(valid) {
        Some(request) => diag.help(product.spell(&request)),
        None => diag.help("`VectorDistribute` takes any shape"),
    })
}

impl Product<'_> {
    fn of<'a>(
        ir: &'a Ir,
        op: OpId,
        pipeline: &Pipeline,
        sizes: Option<Launch>,
        facts: &Facts,
    ) -> Result<Product<'a>, Diag> {
        let refuse = |message: String| {
            Diag::error(Code::CannotConfigure, ir.span(op), message).help("`VectorDistribute` takes any operation")
        };
        let linalg = Linalg::of(ir, op);
        let found = if body::is_contraction(ir, op) { body::contraction_loops(&linalg.maps) } else { None };
        let found = found.and_then(|loops| Some([*loops.m.last()?, *loops.n.last()?, *loops.k.last()?]));
        let own = found.ok_or_else(|| refuse(format!("`{}` multiplies matrices, and this is none", pipeline.name)))?;
        let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
        let types: Vec<Scalar> = values.iter().filter_map(|&value| Scalar::of(&ir[ir.elem_of(value)])).collect();
        let k = match types[..] {
            [Scalar::Float(Float::F16 | Float::BF16), ..] => 16,
            [Scalar::Float(Float::F32), ..] => 8,
            _ => return Err(refuse(format!("`{}` multiplies f16, bf16 or f32", pipeline.name))),
        };
        let instruction = [16, pipeline.columns, k];
        let fits = |mma: &&Mma| [mma.m, mma.n, mma.k].iter().zip(instruction).all(|(&own, all)| all % own == 0);
        let rows = facts.chip.mma_rows().filter(|mma| mma.blocks.is_none()).filter(fits);
        let Some(mma) = rows.filter(|mma| types[..] == mma.types).max_by_key(|mma| mma.m * mma.n * mma.k) else {
            let others = facts.chip.mma_rows().filter(fits).filter(|mma| types[..2] == mma.types[..2]);
            let others: Vec<String> = others.map(|mma| format!("`{}`", mma.name)).collect();
            let names: Vec<String> = types.iter().map(Scalar::to_string).collect();
            let message = format!(
                "no instruction of {} multiplies {} for `{}`",
                facts.chip.name,
                names.join(", "),
                pipeline.name
            );
            let diag = refuse(message);
            return Err(if others.is_empty() { diag } else { diag.note(format!("there is {}", others.join(", "))) });
        };
        let lanes = i64::from(mma.subgroup_size);
        let threads = sizes.map_or([2 * lanes, 2, 1], |launch| launch.extents);
        let (stated, list) = stated(ir, op, &linalg)?;
        let tile = own.map(|d| {
            [&stated.workgroup, &stated.reduction]
                .into_iter()
                .find_map(|list| list.get(d).copied().filter(|&n| n != 0))
                .unwrap_or(0)
        });
        let batch = (0..linalg.reduction.len()).filter(|d| !own.contains(d) && !linalg.reduction[*d]);
        let batch = batch.map(|d| stated.workgroup.get(d).copied().unwrap_or(0)).collect();
        let mut request =
            Request { threads, tile, batch, instruction, lanes, threads_max: i64::from(facts.chip.threads_max) };
        if stated.workgroup.is_empty() && stated.reduction.is_empty() {
            let subgroups = request.subgroups();
            request.tile = [16 * subgroups[0], 16 * subgroups[1], 16];
            request.batch.iter_mut().for_each(|tile| *tile = 1);
        }
        Ok(Product { ir, op, linalg, own, mma, request, stated, is_list: list })
    }

    /// The tiles of all loops: those that workgroups share, and steps.
    fn tiles(&self, request: &Request) -> [Vec<i64>; 2] {
        let mut batch = request.batch.iter();
        let tile = |d: usize| match self.own.iter().position(|&own| own == d) {
            Some(i) => request.tile[i],
            None if self.linalg.reduction[d] => self.stated.reduction.get(d).copied().unwrap_or(1),
            None => batch.next().copied().unwrap_or(1),
        };
        let tiles: Vec<i64> = (0..self.linalg.reduction.len()).map(tile).collect();
        let of = |reduces: bool| {
            tiles
                .iter()
                .zip(&self.linalg.reduction)
                .map(|(&tile, &own)| if own == reduces { tile } else { 0 })
                .collect()
        };
        [of(false), of(true)]
    }

    fn config(&self, request: &Request) -> Config {
        let [workgroup, reduction] = self.tiles(request);
        let mut subgroup = vec![1; workgroup.len()];
        self.own.iter().zip(request.subgroups()).for_each(|(&d, n)| subgroup[d] = n);
        // Subgroups along x are neighbours.
        let mut subgroup_strides = vec![0; workgroup.len()];
        subgroup_strides[self.own[0]] = request.subgroups()[1];
        subgroup_strides[self.own[1]] = 1;
        let stated = self.stated.clone();
        let own_basis = stated.subgroup.is_empty();
        // With one subgroup nobody shares what shared memory would hold.
        let promote = if request.subgroups().iter().product::<i64>() > 1 { vec![0, 1] } else { Vec::new() };
        Config {
            workgroup,
            reduction,
            subgroup: if own_basis { subgroup } else { stated.subgroup },
            subgroup_strides: if own_basis { subgroup_strides } else { stated.subgroup_strides },
            mma: stated.mma.or(Some(self.mma)),
            promote: if stated.promote.is_empty() { promote } else { stated.promote },
            ..stated
        }
    }

    /// A request as the program would state it.
    fn spell(&self, request: &Request) -> String {
        let [workgroup, reduction] = self.tiles(request);
        let tiles = if self.is_list {
            let all: Vec<i64> = workgroup.iter().zip(&reduction).map(|(tile, step)| tile + step).collect();
            format!("tile_sizes = [{all:?}]")
        } else {
            format!("workgroup = {workgroup:?}, reduction = {reduction:?}")
        };
        format!(
            "`workgroup_size = {:?}` with `{tiles}` is the nearest configuration that keeps all rules",
            request.threads
        )
    }

    fn remark_edges(&self, config: &Config, facts: &Facts) {
        for (d, extent) in self.linalg.extents(self.ir).into_iter().enumerate() {
            let tile = if self.linalg.reduction[d] { config.reduction[d] } else { config.workgroup[d] };
            if tile > 0 && extent != DYNAMIC && extent % tile != 0 {
                let message =
                    format!("the tile {tile} does not divide the extent {extent} of loop {d}: edges are masked");
                facts.remark(Diag::error(Code::LayoutChoice, self.ir.span(self.op), message));
            }
        }
    }
}

/// What the program states of the operation, and whether it spells tiles as one list.
fn stated(ir: &Ir, op: OpId, linalg: &Linalg) -> Result<(Config, bool), Diag> {
    let Some(attr) = ir.attr_id(op, "lowering_config") else { return Ok((Config::default(), true)) };
    if !matches!(ir[attr], Attr::Dialect { name, .. } if ir[name] == *"iree_codegen.lowering_config") {
        return Ok((Config::read(ir, op)?, false));
    }
    let rank = linalg.reduction.len();
    let bad = |what: &str| {
        let message = format!("`lowering_config` {what}");
        let example = vec!["32"; rank].join(", ");
        Diag::error(Code::CannotConfigure, ir.span(op), message)
            .help(format!("this pipeline has one level: `tile_sizes = [[{example}]]`, one size for each loop"))
    };
    if let Attr::Dialect { body: Body::Fields(fields), .. } = &ir[attr]
        && let Some(&(name, _)) = fields.iter().find(|field| ir[field.0] != *"tile_sizes")
    {
        return Err(bad(&format!("has the unknown entry `{}`", &ir[name])));
    }
    let levels = ir.field(attr, "tile_sizes").map(|levels| ir[levels].clone());
    let Some(Attr::Array(levels)) = levels else { return Err(bad("has no `tile_sizes`")) };
    let [level] = levels[..] else { return Err(bad(&format!("has {} levels of `tile_sizes`", levels.len()))) };
    let sizes = ir.ints(level).ok_or_else(|| bad("has `tile_sizes` that are not integers"))?;
    if sizes.len() > rank || sizes.iter().any(|&size| size < 0) {
        return Err(bad(&format!("has the `tile_sizes` {sizes:?} for {rank} loops")));
    }
    let of = |reduces: bool| {
        let size = |d: usize| sizes.get(d).copied().filter(|_| linalg.reduction[d] == reduces).unwrap_or(0);
        (0..rank).map(size).collect()
    };
    Ok((Config { workgroup: of(false), reduction: of(true), ..Config::default() }, true))
}
