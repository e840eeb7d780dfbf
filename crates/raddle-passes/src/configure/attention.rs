//! Attention: choose how a workgroup computes it as one kernel whose scores stay in registers.
//!
//! Before: `iree_linalg_ext.attention ins(…) outs(…)`
//! After:
//!
//! ```mlir
//! %r:3 = iree_linalg_ext.online_attention {
//!     lowering_config = #iree_gpu.lowering_config<{workgroup = [1, 64, 0, 0, 0], reduction = [0, 0, 0, 64, 0]}>,
//!     decomposition_config = {qk_attrs = {lowering_config = …}, pv_attrs = {lowering_config = …}}} …
//! %o = %r#0 / %r#2
//! ```
//!
//! A workgroup has a block of query rows, and goes through the keys in blocks. Each subgroup has whole rows of a block of
//! scores: maxima and sums of rows stay inside of it, and what the first product gives is a factor of the second one in
//! its lanes. Keys and values go through shared memory, which the subgroups read together.
//!
//! Both products are of matrix instructions, or, where there is none for the types, of lanes: each has one or two rows of
//! the query in registers, and neighbours share the keys of the first product and the columns of the second one. On a CPU
//! rows are the elements of vectors, and a later step writes loops over tiles. Other attention is [decomposed](crate::normalize::attention) into several kernels.

use raddle_ir::{AttrId, Code, DYNAMIC, Diag, Float, Ir, OpId, Opcode, Scalar, Type, TypeId};
use raddle_target::{Mma, NativeVectors, Operand, Vendor};

use super::{LONG, TILES_MIN, power_of_two};
use crate::config::{Config, Launch};
use crate::configure::factors::{GROUP, multiplies_shared};
use crate::facts::Facts;
use crate::normalize::attention::{Attention, Part, to_online};

/// Subgroups of a workgroup, at most, and where larger blocks of rows are still enough for a whole chip: these read keys
/// and values less often.
const SUBGROUPS_MAX: i64 = 4;
const SUBGROUPS_OF_MANY_ROWS: i64 = 8;
/// Keys in a block, at most, and where rows of the value or the key are long.
const KEYS_MAX: i64 = 64;
const KEYS_OF_LONG_ROWS: i64 = 32;
/// The same where instructions read them from shared memory themselves, and registers let a processor hold one workgroup
/// anyway, as with rows of 128 elements: on an H200 a twentieth faster than 64 keys. With 64 keys, processors hold two
/// workgroups of shorter rows, which is faster by a sixth (96 elements, 64 with a mask) to a quarter (80 with a mask); of
/// longer ones, 64 are faster than 32 by a seventh (256 elements) to two fifths (160).
const SHARED_KEYS_MAX: i64 = 128;
const HALF_ROW: i64 = 64;
/// What the sides of their tiles are a multiple of where these are not powers of two. On an H200, rows of 96 and 160 elements
/// take 0.8 and 0.7 of the time that they take in tiles of the next power of two.
const SIDE: i64 = 32;
/// Registers of a thread at most, where subgroups have twice the rows, and those beside accumulators and fragments.
const REGISTERS_MAX: i64 = 250;
const OTHER_REGISTERS: i64 = 56;
/// Registers of a thread that are few, and those that powers take on the way from the lanes that hold scores to those that
/// multiply them. With fewer for that, kernels for gfx1100 and gfx1201 keep a kilobyte in scratch memory.
const FEW_REGISTERS: u32 = 256;
const EXCHANGE_REGISTERS: i64 = 56;
/// Registers of a thread for what says whether elements are outside.
const EDGE_REGISTERS: i64 = 8;
/// Elements of a row of the key or of the value: they are whole in a workgroup.
const ROW_MAX: i64 = 256;
/// Elements of a row that is not long.
const SHORT_ROW: i64 = 128;
/// Few rows: those of the smallest block. Blocks of one subgroup that hide the latency of memory from a processor.
const ROWS_OF_BLOCK: i64 = 16;
const BLOCKS_OF_PROCESSOR: i64 = 4;
/// Without matrix instructions: keys in a block, neighbours of one element along depth or columns (128 bits), and fewest
/// rows, since a subgroup that has fewer is mostly idle.
const KEYS_OF_LANES: i64 = 32;
const NEIGHBOURS: i64 = 4;
const ROWS_OF_LANES_MIN: i64 = 8;
/// On a CPU: vectors that a workgroup's rows are, at most, keys in a block, and their divisor.
const VECTORS_OF_ROWS: i64 = 4;
const KEYS_OF_VECTORS: i64 = 128;
const KEYS_WIDTH: i64 = 16;

/// Whether an operation is one that is tiled as attention.
pub fn is_attention(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention)
}

/// The attention of a function, which decides the tiling.
pub fn of(ir: &Ir, func: OpId) -> Option<OpId> {
    ir.block_ops(ir.entry(func)).find(|&op| is_attention(ir, op))
}

/// The loops along which the matrix instructions go.
struct Matrix {
    row: usize,
    key: usize,
    depth: usize,
    column: usize,
}

/// What multiplies.
#[derive(Clone, Copy)]
enum Multiply {
    /// An instruction for each product.
    Matrix([&'static Mma; 2]),
    /// Lanes; so many have a row, each all of it and `keys / lanes_of_row` of its scores, and so many rows.
    Lanes { lanes_of_row: i64, rows_of_lane: i64 },
    /// The vectors of a CPU, whose elements are so many rows.
    Native { rows: i64 },
}

/// What is chosen.
struct Choice {
    whole: Config,
    scores: Config,
    result: Config,
}

/// Gives an attention its configuration, and makes it an online one.
pub(super) fn configure(ir: &mut Ir, func: OpId, op: OpId, facts: &Facts) -> Result<(), Diag> {
    let launch = Launch::stated(ir, func)?;
    let stated = match ir.attr(op, "lowering_config") {
        Some(_) => Some(Config::read(ir, op)?),
        None => None,
    };
    let chip_size = i64::from(facts.chip.subgroup_size);
    let choice = choose(ir, op, stated.as_ref(), launch, facts)?;
    if stated.is_none() {
        choice.whole.write(ir, op);
    }
    let old = ir.attr_id(op, "decomposition_config");
    let mut entries: Vec<(String, AttrId)> = old
        .map(|old| ir.entries(old).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect())
        .unwrap_or_default();
    for (name, config) in [("qk_attrs", &choice.scores), ("pv_attrs", &choice.result)] {
        let mut attrs: Vec<(String, AttrId)> = Vec::new();
        if let Some(at) = entries.iter().position(|entry| entry.0 == name) {
            let (_, given) = entries.remove(at);
            attrs.extend(ir.entries(given).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)));
        }
        if !attrs.iter().any(|entry| entry.0 == "lowering_config") {
            attrs.push(("lowering_config".to_owned(), config.attr(ir)));
        }
        let dict = dict_of(ir, &attrs);
        entries.push((name.to_owned(), dict));
    }
    let dict = dict_of(ir, &entries);
    ir.set_attr(op, "decomposition_config", dict);
    if ir.opcode(op) == Opcode::IreeLinalgExtAttention {
        to_online(ir, op).ok_or_else(|| refuse(ir, op, "its parts are not those of an attention of floats"))?;
    }
    if launch.is_none() {
        Launch::along_x(choice.scores.n_subgroups() * chip_size, chip_size).write(ir, func);
    }
    Ok(())
}

/// Whether an attention that nobody has configured can be one kernel.
pub(crate) fn fits(ir: &Ir, op: OpId, facts: &Facts) -> Result<(), Diag> {
    choose(ir, op, None, None, facts).map(|_| ())
}

/// By how much more workgroups a chip would be busy with an attention of few rows than it has of these; `None` where it
/// has enough, or more rows than one block. A batch whose size only the run knows may be of one.
pub(crate) fn wants_workgroups(ir: &Ir, attention: &Attention, facts: &Facts) -> Option<i64> {
    let out = &attention.outputs[0];
    let extent = |&d: &usize| out.dims.iter().position(|&other| other == d).map(|at| ir.shape_of(out.value)[at]);
    let rows: Vec<i64> = attention.rows().iter().map(extent).collect::<Option<_>>()?;
    let (&last, others) = rows.split_last()?;
    if facts.chip.native.is_some() || last == DYNAMIC || last > ROWS_OF_BLOCK || rows.contains(&0) {
        return None;
    }
    let known = others.iter().filter(|&&extent| extent != DYNAMIC);
    let blocks = known.fold(1, |n: i64, &extent| n.saturating_mul(extent));
    (blocks < TILES_MIN).then_some(BLOCKS_OF_PROCESSOR * TILES_MIN / blocks)
}

/// Registers of a thread for sums and left factors, so that fragments and addresses find room beside them.
pub(crate) fn registers_of_fragments(facts: &Facts) -> i64 {
    i64::from(facts.chip.registers_max).min(REGISTERS_MAX) - OTHER_REGISTERS
}

fn dict_of(ir: &mut Ir, entries: &[(String, AttrId)]) -> AttrId {
    let entries: Vec<(&str, AttrId)> = entries.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
    ir.dict(&entries)
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    let message = format!("`{}` cannot be one kernel: {why}", ir.name(op));
    Diag::error(Code::CannotConfigure, ir.span(op), message)
}

fn choose(ir: &Ir, op: OpId, stated: Option<&Config>, launch: Option<Launch>, facts: &Facts) -> Result<Choice, Diag> {
    let problem = Problem::of(ir, op, facts)?;
    for (d, &size) in stated.map(|config| &config.workgroup[..]).unwrap_or_default().iter().enumerate() {
        if size != 0 && !problem.rows.contains(&d) && size < problem.extents[d] {
            let why = format!("workgroups cannot share loop {d}");
            return Err(refuse(ir, op, &why).help("write 0 for it in `workgroup`"));
        }
    }
    let tiles = problem.tiles(stated, launch);
    let all: Vec<usize> = (0..problem.extents.len()).collect();
    let whole = Config {
        workgroup: problem.of_loops(&all, &problem.rows, &tiles),
        reduction: problem.of_loops(&all, &problem.keys, &tiles),
        ..Config::default()
    };
    Ok(Choice {
        whole,
        scores: problem.product(Product::Scores, &tiles),
        result: problem.product(Product::Result, &tiles),
    })
}

/// An attention that may be one kernel.
struct Problem<'a> {
    facts: &'a Facts,
    /// All loops of rows, and of keys.
    rows: Vec<usize>,
    keys: Vec<usize>,
    matrix: Matrix,
    /// Of each loop; an open one has [`LONG`].
    extents: Vec<i64>,
    multiply: Multiply,
}

/// What a workgroup computes at a time.
struct Tiles {
    rows: i64,
    keys: i64,
    /// They share the rows.
    n_subgroups: i64,
}

/// The products of an attention.
#[derive(Clone, Copy, PartialEq)]
enum Product {
    Scores,
    Result,
}

fn pieces(extent: i64, size: i64) -> i64 {
    (extent - 1) / size + 1
}

impl<'a> Problem<'a> {
    fn of(ir: &Ir, op: OpId, facts: &'a Facts) -> Result<Problem<'a>, Diag> {
        let refuse = |why: &str| refuse(ir, op, why);
        let attention =
            Attention::of(ir, op).ok_or_else(|| refuse("a map is not a list of loops, or an operand has no floats"))?;
        let (rows, keys, depth) = (attention.rows(), attention.keys(), attention.depth());
        let columns: Vec<usize> = attention.outputs[0].dims.iter().copied().filter(|d| !rows.contains(d)).collect();
        let of_query_only = |d: &&usize| !attention.key.dims.contains(d) && !attention.value.dims.contains(d);
        let (&[depth], &[column], Some(&key), Some(&row)) =
            (&depth[..], &columns[..], keys.last(), rows.iter().rfind(of_query_only))
        else {
            return Err(refuse("it has not one loop for each of rows, keys, and the columns of key and value"));
        };
        // A batch of none has no first element that tiles of one could read.
        if attention.all().iter().any(|part| ir.shape_of(part.value).contains(&0)) {
            return Err(refuse("it has no elements along a loop"));
        }
        let matrix = Matrix { row, key, depth, column };
        let mut extents = vec![1; attention.n_loops];
        for part in attention.all() {
            for (&d, &extent) in part.dims.iter().zip(ir.shape_of(part.value)) {
                extents[d] = if extent == DYNAMIC { extents[d].max(LONG) } else { extent.max(1) };
            }
        }
        for (d, of) in [(depth, "key"), (column, "value")] {
            if extents[d] > ROW_MAX {
                let n = if extents[d] == LONG { "an open number of".to_owned() } else { extents[d].to_string() };
                return Err(refuse(&format!("a row of the {of} has {n} elements, and {ROW_MAX} fit in registers")));
            }
        }
        let multiply = match (instructions(ir, &attention, &matrix, &extents, facts), facts.chip.native) {
            (Some(of), _) => Multiply::Matrix(of),
            (None, Some(vectors)) => {
                let sides = [extents[row], extents[depth], extents[column]];
                by_vectors(ir, &attention, sides, vectors).map_err(|why| refuse(&why))?
            }
            (None, None) => by_lanes(ir, &attention, &matrix, &extents).ok_or_else(|| {
                let what = "its rows are too few or too long, or its elements too wide, for products without them";
                refuse(&format!("{} has no matrix instructions for its types, and {what}", facts.chip.name))
            })?,
        };
        Ok(Problem { facts, rows, keys, matrix, extents, multiply })
    }

    /// Whether instructions read keys and values from shared memory themselves. Values of bytes do not lie along k, as
    /// they would have to.
    fn reads_shared(&self) -> bool {
        let reads = |mma: &&Mma| multiplies_shared(self.facts.chip, mma) && mma.types[0].bits() == 16;
        matches!(&self.multiply, Multiply::Matrix(of) if of.iter().all(reads))
    }

    /// Whether four subgroups read them together.
    fn is_group(&self) -> bool {
        self.reads_shared() && pieces(self.extents[self.matrix.row], ROWS_OF_BLOCK) >= GROUP
    }

    /// What a tile has along depth or columns. Rings of what subgroups read together are made of pieces of lines: what is
    /// behind a row is zeros. On an A100, which reads fragments anyway, that would take longer (predicted by `cargo xtask
    /// gpu-predict`: 1.4 times as long for rows of 80 and 96 elements).
    fn in_tile(&self, d: usize) -> i64 {
        match self.extents[d] {
            extent if !self.is_group() => extent,
            extent if extent > HALF_ROW => (extent + SIDE - 1) / SIDE * SIDE,
            extent => (extent as u64).next_power_of_two() as i64,
        }
    }

    /// Whether a thread has few registers, and powers change lanes in front of the second product.
    fn exchanges(&self) -> bool {
        self.facts.chip.vendor == Vendor::Amd && self.facts.chip.registers_max <= FEW_REGISTERS
    }

    /// Registers of a thread for sums, query, scores and powers of so many rows and keys.
    fn registers(&self, [of_scores, of_result]: [&Mma; 2], height: i64, keys: i64) -> i64 {
        let held = |of: &Mma, operand: Operand, columns: i64| {
            let fragment = of.fragment(operand);
            let elements: i64 = fragment.shape().iter().product();
            let bits = i64::from(of.types[operand as usize].bits());
            height * columns * fragment.n_slots() * bits / (elements * 32)
        };
        let Matrix { depth, column, .. } = self.matrix;
        let kept = self.facts.chip.async_copies && (self.is_group() || self.extents[depth].count_ones() == 1);
        let query = if kept { 0 } else { held(of_scores, Operand::A, self.in_tile(depth)) };
        held(of_result, Operand::C, self.in_tile(column))
            + query
            + held(of_scores, Operand::C, keys)
            + held(of_result, Operand::A, keys)
    }

    /// Rows of a subgroup, and the keys that a block has at least, and at most.
    fn smallest(&self) -> (i64, i64, i64) {
        let Matrix { key, depth, column, .. } = self.matrix;
        match self.multiply {
            Multiply::Lanes { lanes_of_row, rows_of_lane } => {
                let lanes = i64::from(self.facts.chip.subgroup_size);
                (lanes / lanes_of_row * rows_of_lane, lanes_of_row, KEYS_OF_LANES)
            }
            Multiply::Native { rows } => (rows, KEYS_WIDTH, KEYS_OF_VECTORS),
            Multiply::Matrix([of_scores, of_result]) => {
                let longest = self.in_tile(depth).max(self.in_tile(column));
                let keys_max = match self.extents[key] {
                    // Rings need two blocks.
                    keys if longest > SHORT_ROW && !(self.is_group() && keys >= 2 * KEYS_MAX) => KEYS_OF_LONG_ROWS,
                    keys if self.reads_shared() && keys >= 2 * SHARED_KEYS_MAX && longest == SHORT_ROW => {
                        SHARED_KEYS_MAX
                    }
                    _ => KEYS_MAX,
                };
                (of_scores.m.max(of_result.m), of_scores.n.max(of_result.k), keys_max)
            }
        }
    }

    fn tiles(&self, stated: Option<&Config>, launch: Option<Launch>) -> Tiles {
        let Matrix { row, key, column, .. } = self.matrix;
        let extents = &self.extents;
        let list = |from: Option<&Vec<i64>>, d: usize| from.and_then(|list| list.get(d)).copied().filter(|&n| n != 0);
        let (height, width, keys_max) = self.smallest();
        let exchanges = self.exchanges();
        let registers_max = registers_of_fragments(self.facts) - if exchanges { EXCHANGE_REGISTERS } else { 0 };
        let keys_stated = list(stated.map(|config| &config.reduction), key);
        let mut keys = keys_stated.unwrap_or(pieces(extents[key], width).min((keys_max / width).max(1)) * width);
        if let Multiply::Matrix(of) = self.multiply {
            // One subgroup by itself reads values from memory element by element; where some are outside, each key has an
            // address of its own, and numbers are compared with where memory ends.
            let addresses = |keys: i64| {
                let is_masked = extents[key] % keys != 0 || extents[column] % of[1].n != 0;
                if extents[row] <= height && is_masked { keys + EDGE_REGISTERS } else { 0 }
            };
            let fits = |keys: i64| self.registers(of, height, keys) + addresses(keys) <= registers_max;
            while exchanges && keys_stated.is_none() && keys > width && !fits(keys) {
                keys = (keys / 2 / width).max(1) * width;
            }
        }
        // Subgroups share rows, each as many as an instruction has, or twice as many, which read keys and values half as
        // often: if that is few enough for registers, and there are blocks of rows for a whole chip. Half of the keys in
        // a block, and a query that is read again for each block, are worth it.
        let others = self.rows.iter().filter(|&&d| d != row).fold(1i64, |n, &d| n.saturating_mul(extents[d]));
        let blocks = |subgroups: i64| others.saturating_mul(pieces(extents[row], subgroups * height));
        let twice_fits = |keys: i64| match self.multiply {
            Multiply::Lanes { .. } | Multiply::Native { .. } => false,
            Multiply::Matrix(of) => !self.reads_shared() && self.registers(of, 2 * height, keys) <= registers_max,
        };
        let fewer_keys = if keys_stated.is_some() { keys } else { keys.min(KEYS_OF_LONG_ROWS.max(width)) };
        let has_twice = launch.is_none() && extents[row] > height;
        let twice = [keys, fewer_keys].into_iter().find(|&keys| has_twice && twice_fits(keys));
        let (height, keys, worth) = match (blocks(SUBGROUPS_OF_MANY_ROWS) >= TILES_MIN, twice) {
            (true, Some(keys)) => (2 * height, keys, SUBGROUPS_MAX),
            (true, None) => (height, keys, SUBGROUPS_OF_MANY_ROWS),
            (false, _) => (height, keys, SUBGROUPS_MAX),
        };
        let worth = if matches!(self.multiply, Multiply::Native { .. }) { 1 } else { worth };
        let most = launch.map_or(worth, |launch| launch.workgroup_size / launch.subgroup_size);
        let rows_stated = list(stated.map(|config| &config.workgroup), row);
        let n_pieces = pieces(rows_stated.unwrap_or(extents[row]), height);
        let divides = |n: i64| rows_stated.is_none() || n_pieces % n == 0;
        let mut n_subgroups = 1;
        while n_subgroups * 2 <= most.min(n_pieces) && divides(n_subgroups * 2) {
            n_subgroups *= 2;
        }
        Tiles { rows: rows_stated.unwrap_or(n_subgroups * height), keys, n_subgroups }
    }

    /// For each of these loops, the size of its tiles, or 0 for those that are not `tiled`.
    fn of_loops(&self, loops: &[usize], tiled: &[usize], tiles: &Tiles) -> Vec<i64> {
        let tile = |d: usize| match d {
            d if d == self.matrix.row => tiles.rows,
            d if d == self.matrix.key => tiles.keys,
            _ => 1,
        };
        loops.iter().map(|&d| if tiled.contains(&d) { tile(d) } else { 0 }).collect()
    }

    /// How a product is computed. That of the scores has no columns, and the other one no depth.
    fn product(&self, which: Product, tiles: &Tiles) -> Config {
        let Matrix { row, key, depth, column } = self.matrix;
        let gone = if which == Product::Scores { column } else { depth };
        let loops: Vec<usize> = (0..self.extents.len()).filter(|&d| d != gone).collect();
        let (parallel, reduced) = match which {
            Product::Scores => ([&self.rows[..], &self.keys[..]].concat(), Vec::new()),
            Product::Result => (self.rows.clone(), self.keys.clone()),
        };
        let along = |of: &dyn Fn(usize) -> i64| -> Vec<i64> { loops.iter().map(|&d| of(d)).collect() };
        // Subgroups read keys and values together, and one by itself as many as copies bring at once; the query goes the
        // same way, by whole lines of memory.
        let copied = self.facts.chip.async_copies && matches!(self.multiply, Multiply::Matrix(_));
        let promote = match which {
            Product::Scores if copied => vec![0, 1],
            _ if copied || tiles.n_subgroups > 1 => vec![1],
            _ => Vec::new(),
        };
        let mut config = Config {
            workgroup: self.of_loops(&loops, &parallel, tiles),
            reduction: self.of_loops(&loops, &reduced, tiles),
            subgroup: along(&|d| if d == row { tiles.n_subgroups } else { 1 }),
            promote,
            ..Config::default()
        };
        for (list, d) in [(&mut config.workgroup, column), (&mut config.reduction, depth)] {
            let at = loops.iter().position(|&own| own == d && self.in_tile(d) != self.extents[d]);
            if let Some(at) = at {
                list[at] = self.in_tile(d);
            }
        }
        match self.multiply {
            Multiply::Matrix(of) => config.mma = Some(of[which as usize]),
            Multiply::Native { .. } => (config.lane, config.thread) = (along(&|_| 1), along(&|_| 1)),
            Multiply::Lanes { lanes_of_row, rows_of_lane } => {
                let lanes = i64::from(self.facts.chip.subgroup_size);
                let side = if which == Product::Scores { key } else { column };
                // Neighbouring lanes have the same row.
                config.lane = along(&|d| match d {
                    d if d == row => lanes / lanes_of_row,
                    d if d == side => lanes_of_row,
                    _ => 1,
                });
                let neighbours = |d: usize, most: i64| power_of_two(self.extents[d], most);
                config.thread = along(&|d| match d {
                    d if d == row => rows_of_lane,
                    d if d == depth => neighbours(d, NEIGHBOURS),
                    // As many neighbours as leave columns for every lane.
                    d if d == column => neighbours(d, (self.extents[d] / lanes_of_row).clamp(1, NEIGHBOURS)),
                    _ => 1,
                });
            }
        }
        config
    }
}

/// How lanes share an attention for which there are no matrix instructions; `None` where it is not for them.
fn by_lanes(ir: &Ir, attention: &Attention, matrix: &Matrix, extents: &[i64]) -> Option<Multiply> {
    let is_word = |elem: TypeId| Scalar::of(&ir[elem]).is_some_and(|elem| elem.bits() <= 32);
    let parts = attention.all();
    let longest = extents[matrix.depth].max(extents[matrix.column]);
    let fits = longest <= SHORT_ROW && extents[matrix.row] >= ROWS_OF_LANES_MIN;
    if !fits || !is_word(attention.elem) || !parts.iter().all(|part| is_word(ir.elem_of(part.value))) {
        return None;
    }
    // Each element that a lane loads serves its rows. Two rows of the query, of the result and of the powers are as much
    // as registers hold.
    let rows_of_lane = if longest <= HALF_ROW { 2 } else { 1 };
    let lanes_of_row = NEIGHBOURS * rows_of_lane;
    Some(Multiply::Lanes { lanes_of_row, rows_of_lane })
}

/// How many rows of the query a workgroup of a CPU has, of these and of so many elements of a key and of a value; or why
/// none.
fn by_vectors(
    ir: &Ir,
    attention: &Attention,
    [rows, depth, columns]: [i64; 3],
    vectors: NativeVectors,
) -> Result<Multiply, String> {
    let is_float = |elem: TypeId, of: &[Float]| matches!(ir[elem], Type::Float(float) if of.contains(&float));
    let inputs = [&attention.query, &attention.key, &attention.value];
    let narrow = [Float::F32, Float::F16, Float::BF16];
    if !is_float(attention.elem, &[Float::F32]) || !inputs.iter().all(|part| is_float(ir.elem_of(part.value), &narrow))
    {
        return Err("its scores are not f32, or its factors none of f32, f16 and bf16".to_owned());
    }
    if depth == 1 || columns == 1 {
        return Err("a row of one element is not a loop".to_owned());
    }
    // Measured on a Zen 4, 4096 keys of 128 elements: 8 rows in 16 elements take half as long again as several kernels do;
    // the products of 12 rows take together four fifths of one.
    if 4 * rows < 3 * vectors.lanes {
        return Err(format!("{rows} rows leave most elements of vectors empty"));
    }
    let pieces = |n: i64| (rows - 1) / (n * vectors.lanes) + 1;
    // Rows beyond the end cost as much as others; of equals, more vectors share accesses to keys.
    let cost = |&n: &i64| (pieces(n) * n, -n);
    let n = (1..=VECTORS_OF_ROWS).min_by_key(cost).unwrap_or(1);
    Ok(Multiply::Native { rows: n * vectors.lanes })
}

/// The matrix instructions of both products that compute the least beside them.
fn instructions(
    ir: &Ir,
    attention: &Attention,
    matrix: &Matrix,
    extents: &[i64],
    facts: &Facts,
) -> Option<[&'static Mma; 2]> {
    let elem = |part: &Part| Scalar::of(&ir[ir.elem_of(part.value)]);
    let scores = Scalar::of(&ir[attention.elem]);
    let powers = Scalar::of(&ir[attention.powers(ir)]);
    // What is carried from block to block has the type of the scores.
    if attention.outputs.len() == 3 && attention.outputs.iter().any(|part| elem(part) != scores) {
        return None;
    }
    let of = |types: [Option<Scalar>; 3], loops: [usize; 3]| {
        let padded = |mma: &&'static Mma| -> i128 {
            let whole = |(&d, size): (&usize, i64)| i128::from((extents[d] + size - 1) / size * size);
            loops.iter().zip([mma.m, mma.n, mma.k]).map(whole).product()
        };
        facts.mmas().filter(|mma| mma.types.map(Some) == types).min_by_key(padded)
    };
    let Matrix { row, key, depth, column } = *matrix;
    let first = of([elem(&attention.query), elem(&attention.key), scores], [row, key, depth])?;
    let second = of([powers, elem(&attention.value), scores], [row, column, key])?;
    Some([first, second])
}
