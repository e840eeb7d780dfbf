//! Random kernels on whole-workgroup vectors, with random layouts, masks, loops and branches.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod folds;
mod jumps;
mod ops;
#[allow(dead_code, reason = "only the test of conversions takes pairs")]
mod pair;
mod rare;
pub mod shrink;

use std::fmt::Write;

use raddle_layout::Nested;

/// A linear congruential generator: the same programs on every machine.
pub struct Rng(pub u64);

impl Rng {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn upto(&mut self, n: i64) -> i64 {
        self.below(n as usize + 1) as i64
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A whole-workgroup vector of the program, or a scalar.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    /// `None` for a scalar.
    shape: Option<Vec<i64>>,
    elem: &'static str,
}

impl Value {
    fn shape(&self) -> &[i64] {
        self.shape.as_deref().unwrap_or_default()
    }

    fn ty(&self) -> String {
        match &self.shape {
            Some(shape) => vector(shape, self.elem),
            None => self.elem.to_owned(),
        }
    }
}

fn extents(shape: &[i64]) -> String {
    shape.iter().map(|extent| format!("{extent}x")).collect()
}

fn vector(shape: &[i64], elem: &str) -> String {
    format!("vector<{}{elem}>", extents(shape))
}

/// A buffer among the kernel's arguments.
#[derive(Clone)]
struct Buffer {
    name: String,
    shape: Vec<i64>,
}

impl Buffer {
    fn ty(&self, elem: &str) -> String {
        format!("memref<{}{elem}>", extents(&self.shape))
    }
}

/// A program, and how to run it.
pub struct Kernel {
    /// The text.
    pub text: String,
    /// Element type of all arguments but the last.
    pub elem: &'static str,
    /// Shapes of the buffers and vectors that it takes; the last one holds 32-bit integers.
    pub buffers: Vec<Vec<i64>>,
}

/// A program under construction.
pub struct Program {
    rng: Rng,
    width: i64,
    n_subgroups: i64,
    elem: &'static str,
    aliases: String,
    body: String,
    indent: String,
    n_names: usize,
    /// What can be used here: vectors of the element type, masks, scalars, numbers of type index below 3.
    values: Vec<Value>,
    masks: Vec<Value>,
    scalars: Vec<Value>,
    counters: Vec<String>,
    buffers: Vec<Buffer>,
    /// Vectors that come in, and those that leave.
    inputs: Vec<Value>,
    outputs: Vec<Value>,
    /// Whether the region that is open may have several blocks.
    many_blocks: bool,
}

/// Elements of one vector.
const ELEMENTS_MAX: i64 = 512;

/// Numbers in the buffer of integers.
pub const NUMBERS: i64 = 8;

impl Program {
    /// A random program for subgroups of `width` lanes.
    pub fn kernel(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Kernel {
        let mut program = Program::empty(rng, width, n_subgroups, elem);
        for _ in 0..1 + program.rng.below(2) {
            program.read();
        }
        let n = 3 + program.rng.below(9);
        program.statements(n, 0);
        program.anchor_any();
        program.write();
        let last = program.values.len() - 1;
        program.write_value(last);
        program.finish()
    }

    /// The same as a function that also takes vectors, and returns what it has made last.
    #[allow(dead_code, reason = "not all tests take vectors")]
    pub fn function(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Kernel {
        let mut program = Program::empty(rng, width, n_subgroups, elem);
        for i in 0..1 + program.rng.below(2) {
            let value = Value { name: format!("%e{i}"), shape: Some(program.shape()), elem };
            program.inputs.push(value.clone());
            program.keep(value);
        }
        let n = 3 + program.rng.below(5);
        program.statements(n, 0);
        program.anchor_any();
        program.write();
        program.outputs = vec![program.any(), program.values.last().unwrap().clone()];
        program.finish()
    }

    fn empty(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Program {
        Program {
            rng,
            width,
            n_subgroups,
            elem,
            aliases: String::new(),
            body: String::new(),
            indent: "  ".to_owned(),
            n_names: 0,
            values: Vec::new(),
            masks: Vec::new(),
            scalars: Vec::new(),
            counters: vec!["%c0".to_owned(), "%c1".to_owned(), "%c2".to_owned()],
            buffers: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            many_blocks: true,
        }
    }

    fn finish(self) -> Kernel {
        let buffers = self.buffers.iter().map(|buffer| format!("{}: {}", buffer.name, buffer.ty(self.elem)));
        let inputs = self.inputs.iter().map(|value| format!("{}: {}", value.name, value.ty()));
        let args: Vec<String> = buffers.chain(inputs).collect();
        let names: Vec<&str> = self.outputs.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = self.outputs.iter().map(Value::ty).collect();
        let (to, leave) = match names[..] {
            [] => (String::new(), "return".to_owned()),
            _ => {
                let types = types.join(", ");
                (format!(" -> ({types})"), format!("return {} : {types}", names.join(", ")))
            }
        };
        let is_int = self.elem.starts_with('i');
        let (pad, low, high) = if is_int { ("7", "-1", "1") } else { ("7.0", "-1.0", "1.0") };
        let text = format!(
            "{}func.func @kernel({}, %numbers: memref<{NUMBERS}xi32>){to} attributes {{translation_info = \
             #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] \
             subgroup_size = {}>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant {pad} : {elem}
  %low = arith.constant {low} : {elem}
  %high = arith.constant {high} : {elem}
{}  {leave}
}}",
            self.aliases,
            args.join(", "),
            self.width * self.n_subgroups,
            self.width,
            self.body,
            elem = self.elem,
        );
        let mut buffers: Vec<Vec<i64>> = self.buffers.iter().map(|buffer| buffer.shape.clone()).collect();
        buffers.extend(self.inputs.iter().map(|value| value.shape().to_vec()));
        buffers.push(vec![NUMBERS]);
        Kernel { text, elem: self.elem, buffers }
    }

    // ---- writing

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("%v{}", self.n_names)
    }

    fn line(&mut self, text: &str) {
        writeln!(self.body, "{}{text}", self.indent).unwrap();
    }

    /// `%new = text`
    fn define(&mut self, text: &str) -> String {
        let name = self.name();
        self.line(&format!("{name} = {text}"));
        name
    }

    fn value(&mut self, text: &str, shape: &[i64], elem: &'static str) -> Value {
        let name = self.define(text);
        Value { name, shape: Some(shape.to_vec()), elem }
    }

    /// Makes a value known, so that later operations may use it.
    fn keep(&mut self, value: Value) {
        match (&value.shape, value.elem) {
            (Some(_), "i1") => self.masks.push(value),
            (Some(_), _) => self.values.push(value),
            (None, _) => self.scalars.push(value),
        }
    }

    fn any(&mut self) -> Value {
        let at = self.rng.below(self.values.len());
        // The newest values twice as often: chains of operations are longer then.
        let at = if self.rng.chance(50) { self.values.len() - 1 - at.min(2) } else { at };
        self.values[at].clone()
    }

    /// A small number of type index, between -2 and 40, that is not known at compile time.
    fn number(&mut self) -> String {
        let at = self.rng.below(NUMBERS as usize);
        let at = self.define(&format!("arith.constant {at} : index"));
        let loaded = self.define(&format!("memref.load %numbers[{at}] : memref<{NUMBERS}xi32>"));
        self.define(&format!("arith.index_cast {loaded} : i32 to index"))
    }

    /// A number from 0 to `n` - 1 of type index.
    fn position(&mut self, n: i64) -> String {
        if n >= 3 && self.rng.chance(50) {
            return self.counters[self.rng.below(self.counters.len())].clone();
        }
        let number = self.number();
        let extent = self.define(&format!("arith.constant {n} : index"));
        self.define(&format!("arith.remui {number}, {extent} : index"))
    }

    fn flag(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        let predicate = self.rng.pick(&["slt", "eq", "uge", "ne"]);
        let b = if self.rng.chance(30) { self.counters.last().unwrap().clone() } else { b };
        self.define(&format!("arith.cmpi {predicate}, {a}, {b} : index"))
    }

    // ---- layouts

    /// A random layout of a shape: each extent is split over the levels, each level's tiles get places among the
    /// threads, with holes now and then.
    fn layout(&mut self, shape: &[i64]) -> Nested {
        let rank = shape.len();
        let mut lists = [(); 5].map(|()| vec![1; rank]);
        // Lanes may count through the whole workgroup instead of each subgroup.
        let through = self.n_subgroups > 1 && self.rng.chance(10);
        let n_lanes = if through { self.width * self.n_subgroups } else { self.width };
        let (mut lanes, mut subgroups) = (n_lanes, if through { 1 } else { self.n_subgroups });
        // Subgroup, lane, batch, outer, element: some layouts use all levels alike, some lanes or registers the most.
        let weights = self.rng.pick(&[[1, 1, 1, 1, 1], [1, 1, 1, 1, 1], [1, 4, 1, 1, 1], [1, 2, 1, 1, 4]]);
        for d in 0..rank {
            let mut rest = shape[d];
            while rest > 1 {
                let factor = (2..=rest).find(|f| rest % f == 0).unwrap();
                rest /= factor;
                let mut draw = self.rng.below(weights.iter().sum());
                let level = weights.iter().position(|&weight| {
                    let here = draw < weight;
                    draw = draw.saturating_sub(weight);
                    here
                });
                match level {
                    Some(0) if subgroups >= factor => {
                        subgroups /= factor;
                        lists[0][d] *= factor;
                    }
                    // Few layouts use a number of lanes that is not a power of two.
                    Some(1) if lanes >= factor && (factor == 2 || lanes > n_lanes / 2) && !(through && factor > 2) => {
                        lanes /= factor;
                        lists[3][d] *= factor;
                    }
                    Some(2) => lists[1][d] *= factor,
                    Some(3) => lists[2][d] *= factor,
                    _ => lists[4][d] *= factor,
                }
            }
        }
        let [subgroup, batch, outer, thread, element] = lists;
        let thread_strides = self.strides(&thread, lanes, through);
        let subgroup_strides = self.strides(&subgroup, subgroups, false);
        Nested::new(subgroup, batch, outer, thread, element, subgroup_strides, thread_strides).unwrap()
    }

    /// Strides that keep the tiles apart, in a random order; `spare` is how much room is left for holes.
    fn strides(&mut self, tiles: &[i64], mut spare: i64, twos: bool) -> Vec<i64> {
        let mut order: Vec<usize> = (0..tiles.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.rng.below(i + 1));
        }
        let mut strides = vec![0; tiles.len()];
        let mut stride = 1;
        for d in order {
            if tiles[d] == 1 {
                continue;
            }
            let hole = if twos || self.rng.chance(80) { 2 } else { 3 };
            if spare >= hole && self.rng.chance(25) {
                spare /= hole;
                stride *= hole;
            }
            strides[d] = stride;
            stride *= tiles[d];
        }
        strides
    }

    fn anchor(&mut self, value: &Value) -> Value {
        let layout = self.layout(value.shape());
        let alias = format!("#l{}", self.n_names);
        writeln!(self.aliases, "{alias} = #iree_vector_ext.{layout}").unwrap();
        let text = format!("iree_vector_ext.to_layout {} to layout({alias}) : {}", value.name, value.ty());
        self.value(&text, value.shape(), value.elem)
    }

    fn anchor_any(&mut self) {
        let value = self.any();
        let value = self.anchor(&value);
        self.keep(value);
    }

    fn shape(&mut self) -> Vec<i64> {
        let rank = self.rng.pick(&[0, 1, 1, 2, 2, 2, 3]);
        let mut shape: Vec<i64> = (0..rank).map(|_| self.rng.pick(&[1, 2, 3, 4, 5, 6, 8, 12, 16, 32])).collect();
        while shape.iter().product::<i64>() > ELEMENTS_MAX {
            let largest = *shape.iter().max().unwrap();
            let d = shape.iter().position(|&extent| extent == largest).unwrap();
            shape[d] = self.rng.pick(&[2, 3, 4]);
        }
        shape
    }

    // ---- statements

    fn statements(&mut self, n: usize, depth: usize) {
        for _ in 0..n {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.rng.below(46) {
            0 => self.read(),
            1 => self.write(),
            2 => self.read_back(),
            3..=5 => self.elementwise(),
            6 => self.transpose(),
            7 => self.broadcast(),
            8 => self.stretch(),
            9 => self.shape_cast(),
            10 | 11 => self.reduce(),
            12 => self.contract(),
            13 | 14 => self.mask(),
            15 | 16 => self.select(),
            17 => self.constant(),
            18 => self.extract(),
            19 => self.insert(),
            20 => self.extract_strided(),
            21 => self.insert_strided(),
            22 if depth < 2 && self.rng.chance(30) => self.sum_of_rounds(depth),
            22 if depth < 2 => self.repeat(depth),
            23 if depth < 2 => self.branch(depth),
            24 if depth < 2 => self.jumps(depth),
            25 => self.product(),
            28 | 29 => self.scan(),
            30 | 31 => self.arg_compare(),
            32..=41 => self.access(depth),
            42.. => self.rare(),
            _ => self.anchor_any(),
        }
    }

    /// What a region may use and define: everything so far, and what it defines ends with it.
    fn region(&mut self, body: impl FnOnce(&mut Program) -> String) {
        let known = (self.values.len(), self.masks.len(), self.scalars.len(), self.counters.len());
        let many_blocks = std::mem::replace(&mut self.many_blocks, false);
        self.indent.push_str("  ");
        let yielded = body(self);
        self.line(&yielded);
        self.indent.truncate(self.indent.len() - 2);
        self.values.truncate(known.0);
        self.masks.truncate(known.1);
        self.scalars.truncate(known.2);
        self.counters.truncate(known.3);
        self.many_blocks = many_blocks;
    }

    /// A value of this shape and type, among those that are known inside a region.
    fn like(&mut self, value: &Value) -> Value {
        let same: Vec<Value> = self.values.iter().filter(|other| other.shape == value.shape).cloned().collect();
        same[same.len() - 1 - self.rng.below(same.len().min(3))].clone()
    }

    fn repeat(&mut self, depth: usize) {
        let (a, b) = (self.any(), self.any());
        let (result, acc, other, iv) = (self.name(), self.name(), self.name(), self.name());
        let end = if self.rng.chance(80) { "%c3".to_owned() } else { self.position(4) };
        let types = format!("{}, {}", a.ty(), b.ty());
        let inits = format!("{acc} = {}, {other} = {}", a.name, b.name);
        self.line(&format!("{result}:2 = scf.for {iv} = %c0 to {end} step %c1 iter_args({inits}) -> ({types}) {{"));
        self.region(|program| {
            program.counters.push(iv);
            program.keep(Value { name: other, ..b.clone() });
            program.keep(Value { name: acc, ..a.clone() });
            let n = 1 + program.rng.below(4);
            program.statements(n, depth + 1);
            let (a, b) = (program.like(&a), program.like(&b));
            format!("scf.yield {}, {} : {types}", a.name, b.name)
        });
        self.line("}");
        self.keep(Value { name: format!("{result}#1"), ..b });
        self.keep(Value { name: format!("{result}#0"), ..a });
    }

    /// A loop that carries the sum of what its rounds reduce, which somebody looks at now and then.
    fn sum_of_rounds(&mut self, depth: usize) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 {
            return;
        }
        let dims: Vec<usize> = match (0..rank).filter(|_| self.rng.chance(60)).collect::<Vec<_>>() {
            dims if dims.is_empty() => vec![rank - 1],
            dims => dims,
        };
        let shape: Vec<i64> = (0..rank).filter(|d| !dims.contains(d)).map(|d| a.shape()[d]).collect();
        let ty = if shape.is_empty() { self.elem.to_owned() } else { vector(&shape, self.elem) };
        let is_int = self.is_int();
        let constant = |program: &mut Program, n: &str| {
            let n = if is_int { n.to_owned() } else { format!("{n}.0") };
            let text = if shape.is_empty() { n } else { format!("dense<{n}>") };
            program.define(&format!("arith.constant {text} : {ty}"))
        };
        let first = if self.rng.chance(70) { "0" } else { "1" };
        let (init, factor) = (constant(self, first), constant(self, "2"));
        let (scales, is_seen) = (self.rng.chance(50), self.rng.chance(30));
        let (result, sum, iv) = (self.name(), self.name(), self.name());
        self.line(&format!("{result} = scf.for {iv} = %c0 to %c3 step %c1 iter_args({sum} = {init}) -> ({ty}) {{"));
        self.region(|program| {
            program.counters.push(iv);
            if is_seen && !shape.is_empty() {
                program.keep(Value { name: sum.clone(), shape: Some(shape.clone()), elem: program.elem });
            }
            let n = program.rng.below(3);
            program.statements(n, depth + 1);
            let a = program.like(&a);
            let a = program.small(&a);
            let multiply = if is_int { "arith.muli" } else { "arith.mulf" };
            let sum = if scales { program.define(&format!("{multiply} {sum}, {factor} : {ty}")) } else { sum };
            let text = format!("vector.multi_reduction <add>, {}, {sum} {dims:?} : {} to {ty}", a.name, a.ty());
            let next = program.define(&text);
            format!("scf.yield {next} : {ty}")
        });
        self.line("}");
        let shape = if shape.is_empty() { None } else { Some(shape.clone()) };
        self.keep(Value { name: result, shape, elem: self.elem });
    }

    fn branch(&mut self, depth: usize) {
        let (a, b) = (self.any(), self.any());
        let condition = self.flag();
        let result = self.name();
        let types = format!("{}, {}", a.ty(), b.ty());
        self.line(&format!("{result}:2 = scf.if {condition} -> ({types}) {{"));
        for side in 0..2 {
            self.region(|program| {
                let n = program.rng.below(4);
                program.statements(n, depth + 1);
                let (a, b) = (program.like(&a), program.like(&b));
                format!("scf.yield {}, {} : {types}", a.name, b.name)
            });
            self.line(if side == 0 { "} else {" } else { "}" });
        }
        self.keep(Value { name: format!("{result}#0"), ..a });
        self.keep(Value { name: format!("{result}#1"), ..b });
    }

    // ---- memory

    /// How a vector of this shape lies in memory: the extents of the buffer, the indices, the map, the flags.
    fn place(&mut self, shape: &[i64], reads: bool) -> (Vec<i64>, String, String, String, Vec<usize>) {
        let mut dims: Vec<Option<usize>> = (0..shape.len()).map(Some).collect();
        if self.rng.chance(30) {
            dims.rotate_left(self.rng.below(shape.len().max(1)).min(shape.len()));
        }
        if reads && shape.len() > 1 && self.rng.chance(20) {
            // One dimension repeats what is read.
            let d = self.rng.below(shape.len());
            let at = dims[d].unwrap();
            dims = dims.iter().map(|&p| p.map(|p| if p > at { p - 1 } else { p })).collect();
            dims[d] = None;
        }
        let lead = self.rng.below(2);
        let used = dims.iter().flatten().count();
        let mut extents = vec![0; lead + used];
        let mut indices = Vec::new();
        let mut flags = vec!["true"; shape.len()];
        let mut along = vec![None; lead + used];
        for (v, p) in dims.iter().enumerate() {
            if let Some(p) = p {
                along[lead + p] = Some(v);
            }
        }
        for (p, along) in along.iter().enumerate() {
            let extent = along.map_or(1, |v| shape[v]);
            match self.rng.below(6) {
                // Behind the start, and beyond the end now and then.
                0 => {
                    let short = along.is_some() && self.rng.chance(50);
                    extents[p] = if short { (extent - 1).max(1) + 2 } else { extent + 2 };
                    if short {
                        flags[along.unwrap()] = "false";
                    }
                    indices.push("%c2".to_owned());
                }
                1 if along.is_some() => {
                    extents[p] = 1 + self.rng.upto(extent - 1);
                    flags[along.unwrap()] = "false";
                    indices.push("%c0".to_owned());
                }
                2 if along.is_some() => {
                    extents[p] = extent;
                    flags[along.unwrap()] = "false";
                    let number = self.number();
                    indices.push(number);
                }
                3 => {
                    extents[p] = extent + 2;
                    let at = self.counters[self.rng.below(self.counters.len())].clone();
                    indices.push(at);
                }
                _ => {
                    extents[p] = extent;
                    indices.push("%c0".to_owned());
                }
            }
        }
        let names: Vec<String> = (0..lead + used).map(|d| format!("d{d}")).collect();
        let results: Vec<String> =
            dims.iter().map(|p| p.map_or("0".to_owned(), |p| format!("d{}", lead + p))).collect();
        let map = format!("affine_map<({}) -> ({})>", names.join(", "), results.join(", "));
        let mask_dims = along.iter().flatten().copied().collect();
        (extents, indices.join(", "), map, flags.join(", "), mask_dims)
    }

    fn buffer(&mut self, shape: Vec<i64>) -> Buffer {
        let buffer = Buffer { name: format!("%m{}", self.buffers.len()), shape };
        self.buffers.push(buffer.clone());
        buffer
    }

    /// `, %mask` for the vector dimensions `dims`, now and then.
    fn masked(&mut self, shape: &[i64], dims: &[usize]) -> String {
        if dims.is_empty() || self.rng.chance(55) {
            return String::new();
        }
        let shape: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
        let mask = self.mask_of(&shape);
        format!(", {}", mask.name)
    }

    fn read(&mut self) {
        let shape = self.shape();
        let (extents, indices, map, flags, dims) = self.place(&shape, true);
        let mask = self.masked(&shape, &dims);
        let buffer = self.buffer(extents);
        let text = format!(
            "vector.transfer_read {}[{indices}], %pad{mask} {{in_bounds = [{flags}], permutation_map = {map}}} : {}, {}",
            buffer.name,
            buffer.ty(self.elem),
            vector(&shape, self.elem)
        );
        let value = self.value(&text, &shape, self.elem);
        self.keep(value.clone());
        if self.rng.chance(60) {
            let value = self.anchor(&value);
            self.keep(value);
        }
    }

    fn write(&mut self) {
        let at = self.rng.below(self.values.len());
        self.write_value(at);
    }

    fn write_value(&mut self, at: usize) {
        let value = self.values[at].clone();
        let value = if self.rng.chance(40) { self.anchor(&value) } else { value };
        let (extents, indices, map, flags, dims) = self.place(value.shape(), false);
        let mask = self.masked(value.shape(), &dims);
        let buffer = self.buffer(extents);
        let text = format!(
            "vector.transfer_write {}, {}[{indices}]{mask} {{in_bounds = [{flags}], permutation_map = {map}}} : {}, {}",
            value.name,
            buffer.name,
            value.ty(),
            buffer.ty(self.elem)
        );
        self.line(&text);
    }

    /// Writes to a buffer, reads it again in another place or order, and writes once more: threads meet there.
    fn read_back(&mut self) {
        let value = self.any();
        let value = if self.rng.chance(50) { self.anchor(&value) } else { value };
        let rank = value.shape().len();
        let shape: Vec<i64> = value.shape().iter().map(|extent| extent + 2).collect();
        let buffer = if self.rng.chance(60) {
            self.buffer(shape)
        } else {
            let same: Vec<Buffer> = self.buffers.iter().filter(|buffer| buffer.shape == shape).cloned().collect();
            if same.is_empty() { self.buffer(shape) } else { same[self.rng.below(same.len())].clone() }
        };
        let flags = vec!["true"; rank].join(", ");
        let (memref, ty) = (buffer.ty(self.elem), value.ty());
        let mut at = || -> String {
            let counters = &self.counters;
            let rng = &mut self.rng;
            (0..rank).map(|_| counters[rng.below(counters.len())].clone()).collect::<Vec<_>>().join(", ")
        };
        let places = [at(), at(), at()];
        if self.rng.chance(80) {
            self.line(&format!(
                "vector.transfer_write {}, {}[{}] {{in_bounds = [{flags}]}} : {ty}, {memref}",
                value.name, buffer.name, places[0]
            ));
        }
        let text = format!(
            "vector.transfer_read {}[{}], %pad {{in_bounds = [{flags}]}} : {memref}, {ty}",
            buffer.name, places[1]
        );
        let back = self.value(&text, value.shape(), self.elem);
        let back = if self.rng.chance(50) { self.anchor(&back) } else { back };
        let same = self.rng.chance(50);
        let place = &places[if same { 1 } else { 2 }];
        self.line(&format!(
            "vector.transfer_write {}, {}[{place}] {{in_bounds = [{flags}]}} : {ty}, {memref}",
            back.name, buffer.name
        ));
        self.keep(back);
    }
}
