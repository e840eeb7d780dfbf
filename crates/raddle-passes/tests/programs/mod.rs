//! Random kernels on whole-workgroup vectors, with random layouts, masks, loops and branches.

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
    /// Element type of all buffers but the last.
    pub elem: &'static str,
    /// Shapes of the buffers; the last one holds 32-bit integers.
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
}

/// Elements of one vector.
const ELEMENTS_MAX: i64 = 512;

/// Numbers in the buffer of integers.
pub const NUMBERS: i64 = 8;

impl Program {
    /// A random program for subgroups of `width` lanes.
    pub fn kernel(rng: Rng, width: i64, n_subgroups: i64, elem: &'static str) -> Kernel {
        let mut program = Program {
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
        };
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

    fn finish(self) -> Kernel {
        let args: Vec<String> =
            self.buffers.iter().map(|buffer| format!("{}: {}", buffer.name, buffer.ty(self.elem))).collect();
        let is_int = self.elem.starts_with('i');
        let (pad, low, high) = if is_int { ("7", "-1", "1") } else { ("7.0", "-1.0", "1.0") };
        let text = format!(
            "{}func.func @kernel({}, %numbers: memref<{NUMBERS}xi32>) attributes {{translation_info = \
             #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] \
             subgroup_size = {}>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant {pad} : {elem}
  %low = arith.constant {low} : {elem}
  %high = arith.constant {high} : {elem}
{}  return
}}",
            self.aliases,
            args.join(", "),
            self.width * self.n_subgroups,
            self.width,
            self.body,
            elem = self.elem,
        );
        let mut buffers: Vec<Vec<i64>> = self.buffers.iter().map(|buffer| buffer.shape.clone()).collect();
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
        // Some layouts give most to lanes, some most to registers.
        let levels = self.rng.pick(&[5, 7, 7, 9]);
        for d in 0..rank {
            let mut rest = shape[d];
            while rest > 1 {
                let factor = (2..=rest).find(|f| rest % f == 0).unwrap();
                rest /= factor;
                let level = match self.rng.below(levels) {
                    level if levels == 5 && level == 3 => 1,
                    level => level,
                };
                match level {
                    0 if subgroups >= factor => {
                        subgroups /= factor;
                        lists[0][d] *= factor;
                    }
                    1 | 2 if lanes >= factor && (factor == 2 || lanes > n_lanes / 2) && !(through && factor > 2) => {
                        lanes /= factor;
                        lists[3][d] *= factor;
                    }
                    3 => lists[1][d] *= factor,
                    4 => lists[2][d] *= factor,
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
        match self.rng.below(28) {
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
            22 if depth < 2 => self.repeat(depth),
            23 if depth < 2 => self.branch(depth),
            _ => self.anchor_any(),
        }
    }

    /// What a region may use and define: everything so far, and what it defines ends with it.
    fn region(&mut self, body: impl FnOnce(&mut Program) -> String) {
        let known = (self.values.len(), self.masks.len(), self.scalars.len(), self.counters.len());
        self.indent.push_str("  ");
        let yielded = body(self);
        self.line(&yielded);
        self.indent.truncate(self.indent.len() - 2);
        self.values.truncate(known.0);
        self.masks.truncate(known.1);
        self.scalars.truncate(known.2);
        self.counters.truncate(known.3);
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

    // ---- operations

    fn is_int(&self) -> bool {
        self.elem.starts_with('i')
    }

    fn elementwise(&mut self) {
        let a = self.any();
        let b = self.like(&a);
        let ops: &[&str] = match self.elem {
            "i32" | "i64" => &["arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minui", "arith.xori"],
            _ => &["arith.addf", "arith.subf", "arith.maximumf", "arith.minimumf"],
        };
        let op = self.rng.pick(ops);
        let value = self.value(&format!("{op} {}, {} : {}", a.name, b.name, a.ty()), a.shape(), a.elem);
        self.keep(value);
    }

    /// The value with elements between -1 and 1, so that sums of them are exact in any order.
    fn small(&mut self, a: &Value) -> Value {
        if self.is_int() {
            return a.clone();
        }
        let ty = a.ty();
        let mut value = a.clone();
        for (bound, op) in [("%low", "maximumf"), ("%high", "minimumf")] {
            let bound = self.define(&format!("vector.broadcast {bound} : {} to {ty}", self.elem));
            value = self.value(&format!("arith.{op} {}, {bound} : {ty}", value.name), a.shape(), a.elem);
        }
        value
    }

    fn transpose(&mut self) {
        let a =
            if self.rng.chance(80) || self.masks.is_empty() { self.any() } else { self.masks.last().unwrap().clone() };
        let rank = a.shape().len();
        let mut perm: Vec<usize> = (0..rank).collect();
        if rank > 0 {
            perm.rotate_left(self.rng.below(rank));
        }
        if rank > 1 && self.rng.chance(50) {
            perm.swap(0, rank - 1);
        }
        let shape: Vec<i64> = perm.iter().map(|&d| a.shape()[d]).collect();
        let text = format!("vector.transpose {}, {perm:?} : {} to {}", a.name, a.ty(), vector(&shape, a.elem));
        let value = self.value(&text, &shape, a.elem);
        self.keep(value);
    }

    fn broadcast(&mut self) {
        let a = match self.rng.below(4) {
            0 if !self.scalars.is_empty() => self.scalars[self.rng.below(self.scalars.len())].clone(),
            1 if !self.masks.is_empty() => self.masks[self.rng.below(self.masks.len())].clone(),
            _ => self.any(),
        };
        let rank = a.shape().len();
        let mut shape: Vec<i64> = (0..if rank == 0 { 2 } else { 1 }).map(|_| self.rng.pick(&[1, 2, 3, 4])).collect();
        shape.extend(a.shape());
        if rank > 2 || shape.iter().product::<i64>() > ELEMENTS_MAX {
            return;
        }
        let text = format!("vector.broadcast {} : {} to {}", a.name, a.ty(), vector(&shape, a.elem));
        let value = self.value(&text, &shape, a.elem);
        self.keep(value);
    }

    /// A broadcast that repeats along a unit dimension.
    fn stretch(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 || rank > 2 {
            return;
        }
        // Make a unit dimension first: reduce one, and put it back.
        let d = self.rng.below(rank);
        let mut unit = a.shape().to_vec();
        unit[d] = 1;
        let sizes = format!("{unit:?}");
        let text = format!(
            "vector.extract_strided_slice {} {{offsets = {:?}, sizes = {sizes}, strides = {:?}}} : {} to {}",
            a.name,
            vec![0; rank],
            vec![1; rank],
            a.ty(),
            vector(&unit, a.elem)
        );
        let part = self.value(&text, &unit, a.elem);
        let mut shape = unit.clone();
        shape[d] = self.rng.pick(&[2, 3, 8]);
        if self.rng.chance(50) {
            shape.insert(0, self.rng.pick(&[1, 2]));
        }
        if shape.iter().product::<i64>() > ELEMENTS_MAX {
            return;
        }
        let text = format!("vector.broadcast {} : {} to {}", part.name, part.ty(), vector(&shape, a.elem));
        let value = self.value(&text, &shape, a.elem);
        self.keep(value);
    }

    fn shape_cast(&mut self) {
        let a = self.any();
        let shape = match a.shape() {
            [] => vec![1],
            [1] if self.rng.chance(50) => Vec::new(),
            [first, second, rest @ ..] if self.rng.chance(70) => [&[first * second], rest].concat(),
            [first, rest @ ..] if rest.len() < 2 => {
                let factor = (2..=*first).find(|f| first % f == 0).unwrap_or(1);
                [&[first / factor, factor], rest].concat()
            }
            shape => shape.iter().rev().copied().collect(),
        };
        let text = format!("vector.shape_cast {} : {} to {}", a.name, a.ty(), vector(&shape, a.elem));
        let value = self.value(&text, &shape, a.elem);
        self.keep(value);
    }

    fn kind(&mut self) -> &'static str {
        if self.is_int() {
            self.rng.pick(&["add", "mul", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor"])
        } else {
            self.rng.pick(&["add", "add", "mul", "maximumf", "minimumf", "maxnumf", "minnumf"])
        }
    }

    fn splat(&mut self, shape: &[i64], number: &str) -> Value {
        let number = if self.is_int() { number.to_owned() } else { format!("{number}.0") };
        let text = format!("arith.constant dense<{number}> : {}", vector(shape, self.elem));
        self.value(&text, shape, self.elem)
    }

    fn reduce(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 {
            return;
        }
        let a = self.small(&a);
        let mut dims: Vec<usize> = (0..rank).filter(|_| self.rng.chance(60)).collect();
        if dims.is_empty() {
            dims = vec![self.rng.below(rank)];
        }
        let kind = self.kind();
        let shape: Vec<i64> = (0..rank).filter(|d| !dims.contains(d)).map(|d| a.shape()[d]).collect();
        let (acc, to) = if shape.is_empty() {
            let number = if self.is_int() { "-3" } else { "-1.0" };
            (self.define(&format!("arith.constant {number} : {}", self.elem)), self.elem.to_owned())
        } else {
            let known: Vec<Value> = self.values.iter().filter(|value| value.shape() == shape).cloned().collect();
            let acc = if known.is_empty() || self.rng.chance(50) {
                self.splat(&shape, "-1")
            } else {
                let acc = known[self.rng.below(known.len())].clone();
                self.small(&acc)
            };
            (acc.name, vector(&shape, self.elem))
        };
        let text = format!("vector.multi_reduction <{kind}>, {}, {acc} {dims:?} : {} to {to}", a.name, a.ty());
        if shape.is_empty() {
            let name = self.define(&text);
            self.keep(Value { name, shape: None, elem: self.elem });
        } else {
            let value = self.value(&text, &shape, self.elem);
            self.keep(value);
        }
    }

    /// A contraction over m, n, k and a batch, each operand with its dimensions in some order.
    fn contract(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 || rank > 2 {
            return;
        }
        // Loops: the dimensions of a, and one more for b.
        let n = self.rng.pick(&[1, 2, 3, 4, 8]);
        let extents = [a.shape(), &[n]].concat();
        let sums: Vec<bool> = (0..rank).map(|_| self.rng.chance(50)).collect();
        let mut b_dims: Vec<usize> = (0..rank).filter(|&d| sums[d] || self.rng.chance(20)).collect();
        b_dims.push(rank);
        if self.rng.chance(50) {
            b_dims.reverse();
        }
        let mut c_dims: Vec<usize> = (0..=rank).filter(|&d| d == rank || !sums[d]).collect();
        if self.rng.chance(50) {
            c_dims.reverse();
        }
        let extents_of = |dims: &[usize]| dims.iter().map(|&d| extents[d]).collect::<Vec<i64>>();
        let (b_shape, c_shape) = (extents_of(&b_dims), extents_of(&c_dims));
        if b_shape.iter().product::<i64>() > ELEMENTS_MAX
            || c_shape.iter().product::<i64>() > ELEMENTS_MAX
            || extents.iter().product::<i64>() > 4 * ELEMENTS_MAX
        {
            return;
        }
        let known: Vec<Value> = self.values.iter().filter(|value| value.shape() == b_shape).cloned().collect();
        let b = if known.is_empty() {
            let base = self.any();
            let source = self.define(&format!(
                "vector.extract {}{:?} : {} from {}",
                base.name,
                vec![0; base.shape().len()],
                self.elem,
                base.ty()
            ));
            let text = format!("vector.broadcast {source} : {} to {}", self.elem, vector(&b_shape, self.elem));
            let b = self.value(&text, &b_shape, self.elem);
            let counted = self.counted(&b_shape);
            self.value(
                &format!(
                    "arith.{} {}, {} : {}",
                    if self.is_int() { "addi" } else { "addf" },
                    b.name,
                    counted.name,
                    b.ty()
                ),
                &b_shape,
                self.elem,
            )
        } else {
            known[self.rng.below(known.len())].clone()
        };
        let (a, b) = (self.small(&a), self.small(&b));
        let b = if self.rng.chance(40) { self.anchor(&b) } else { b };
        let acc = self.splat(&c_shape, "1");
        let kind = self.kind();
        let names: Vec<String> = (0..=rank).map(|d| format!("d{d}")).collect();
        let map = |dims: &[usize]| {
            let results: Vec<String> = dims.iter().map(|d| format!("d{d}")).collect();
            format!("affine_map<({}) -> ({})>", names.join(", "), results.join(", "))
        };
        let iterators: Vec<&str> =
            (0..=rank).map(|d| if d < rank && sums[d] { "\"reduction\"" } else { "\"parallel\"" }).collect();
        let a_dims: Vec<usize> = (0..rank).collect();
        let text = format!(
            "vector.contract {{indexing_maps = [{}, {}, {}], iterator_types = [{}], kind = #vector.kind<{kind}>}} {}, {}, {} : {}, {} into {}",
            map(&a_dims),
            map(&b_dims),
            map(&c_dims),
            iterators.join(", "),
            a.name,
            b.name,
            acc.name,
            a.ty(),
            b.ty(),
            acc.ty()
        );
        let value = self.value(&text, &c_shape, self.elem);
        self.keep(value);
    }

    fn mask_of(&mut self, shape: &[i64]) -> Value {
        let known: Vec<Value> = self.masks.iter().filter(|mask| mask.shape() == shape).cloned().collect();
        if !known.is_empty() && self.rng.chance(40) {
            return known[self.rng.below(known.len())].clone();
        }
        let ty = vector(shape, "i1");
        let text = match self.rng.below(4) {
            0 => {
                // All bounds are zero, or none is.
                let none = self.rng.chance(10);
                let sizes: Vec<i64> =
                    shape.iter().map(|&extent| if none { 0 } else { 1 + self.rng.upto(extent - 1) }).collect();
                format!("vector.constant_mask {sizes:?} : {ty}")
            }
            _ => {
                let bounds: Vec<String> = shape
                    .iter()
                    .map(|&extent| match self.rng.below(3) {
                        0 => {
                            let bound = self.rng.upto(extent + 1);
                            self.define(&format!("arith.constant {bound} : index"))
                        }
                        1 => self.counters[self.rng.below(self.counters.len())].clone(),
                        _ => self.number(),
                    })
                    .collect();
                format!("vector.create_mask {} : {ty}", bounds.join(", "))
            }
        };
        let mask = self.value(&text, shape, "i1");
        self.keep(mask.clone());
        mask
    }

    fn mask(&mut self) {
        let a = self.any();
        if a.shape().is_empty() {
            return;
        }
        let shape = a.shape().to_vec();
        let mask = match self.rng.below(4) {
            0 => {
                let b = self.like(&a);
                let (op, predicate) = if self.is_int() { ("cmpi", "sle") } else { ("cmpf", "ole") };
                self.value(&format!("arith.{op} {predicate}, {}, {} : {}", a.name, b.name, a.ty()), &shape, "i1")
            }
            1 => {
                let (a, b) = (self.mask_of(&shape), self.mask_of(&shape));
                let op = self.rng.pick(&["andi", "ori", "xori"]);
                self.value(&format!("arith.{op} {}, {} : {}", a.name, b.name, a.ty()), &shape, "i1")
            }
            2 => {
                let mask = self.mask_of(&shape);
                self.anchor(&mask)
            }
            _ => self.mask_of(&shape),
        };
        self.keep(mask);
    }

    fn select(&mut self) {
        let a = self.any();
        let b = self.like(&a);
        if a.shape().is_empty() || self.rng.chance(20) {
            let condition = self.flag();
            let text = format!("arith.select {condition}, {}, {} : {}", a.name, b.name, a.ty());
            let value = self.value(&text, a.shape(), a.elem);
            return self.keep(value);
        }
        let mask = self.mask_of(a.shape());
        let text = format!("arith.select {}, {}, {} : {}, {}", mask.name, a.name, b.name, mask.ty(), a.ty());
        let value = self.value(&text, a.shape(), a.elem);
        self.keep(value);
    }

    /// A vector that counts, or is any list of small numbers.
    fn counted(&mut self, shape: &[i64]) -> Value {
        let ty = vector(shape, self.elem);
        if let [extent] = shape
            && self.rng.chance(50)
        {
            let steps = self.define(&format!("vector.step : vector<{extent}xindex>"));
            let int = if self.elem == "i64" { "i64" } else { "i32" };
            let cast = format!("arith.index_cast {steps} : vector<{extent}xindex> to vector<{extent}x{int}>");
            let cast = self.value(&cast, shape, int);
            if self.is_int() {
                return cast;
            }
            return self.value(&format!("arith.sitofp {} : {} to {ty}", cast.name, cast.ty()), shape, self.elem);
        }
        let affine = self.rng.chance(50);
        let (first, step) = (self.rng.below(5) as i64 - 2, self.rng.below(4) as i64 - 1);
        let n: i64 = shape.iter().product();
        let numbers: Vec<i64> =
            (0..n).map(|i| if affine { first + step * i } else { self.rng.below(4) as i64 - 1 }).collect();
        let dense = self.dense(&numbers, shape);
        self.value(&format!("arith.constant dense<{dense}> : {ty}"), shape, self.elem)
    }

    fn dense(&self, numbers: &[i64], shape: &[i64]) -> String {
        let Some((&first, rest)) = shape.split_first() else {
            return if self.is_int() { numbers[0].to_string() } else { format!("{}.0", numbers[0]) };
        };
        let n = numbers.len() / first as usize;
        let parts: Vec<String> = numbers.chunks(n).map(|part| self.dense(part, rest)).collect();
        format!("[{}]", parts.join(", "))
    }

    fn constant(&mut self) {
        let shape = self.any().shape().to_vec();
        if shape.iter().product::<i64>() > 128 {
            return;
        }
        let value = if shape.is_empty() { self.splat(&shape, "1") } else { self.counted(&shape) };
        let value = if self.rng.chance(30) { self.anchor(&value) } else { value };
        self.keep(value);
    }

    /// A position along the first `lead` dimensions.
    fn at(&mut self, shape: &[i64], lead: usize) -> String {
        let at: Vec<String> = shape[..lead]
            .iter()
            .map(
                |&extent| {
                    if self.rng.chance(25) { self.position(extent) } else { self.rng.upto(extent - 1).to_string() }
                },
            )
            .collect();
        at.join(", ")
    }

    fn extract(&mut self) {
        let a =
            if self.rng.chance(85) || self.masks.is_empty() { self.any() } else { self.masks.last().unwrap().clone() };
        let rank = a.shape().len();
        let lead = if rank == 0 { 0 } else { 1 + self.rng.below(rank) };
        let at = self.at(a.shape(), lead);
        if lead == rank {
            let name = self.define(&format!("vector.extract {}[{at}] : {} from {}", a.name, a.elem, a.ty()));
            self.keep(Value { name, shape: None, elem: a.elem });
            return;
        }
        let shape = a.shape()[lead..].to_vec();
        let text = format!("vector.extract {}[{at}] : {} from {}", a.name, vector(&shape, a.elem), a.ty());
        let value = self.value(&text, &shape, a.elem);
        self.keep(value);
    }

    fn insert(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        let parts: Vec<Value> = self
            .values
            .iter()
            .filter(|part| {
                let n = part.shape().len();
                n > 0 && n < rank && part.shape() == &a.shape()[rank - n..]
            })
            .cloned()
            .collect();
        let scalars: Vec<Value> = self.scalars.iter().filter(|scalar| scalar.elem == a.elem).cloned().collect();
        let part = match (parts.is_empty(), scalars.is_empty()) {
            (false, _) => parts[self.rng.below(parts.len())].clone(),
            (true, false) => scalars[self.rng.below(scalars.len())].clone(),
            (true, true) => Value { name: "%pad".to_owned(), shape: None, elem: self.elem },
        };
        let lead = rank - part.shape().len();
        let at = self.at(a.shape(), lead);
        let text = format!("vector.insert {}, {} [{at}] : {} into {}", part.name, a.name, part.ty(), a.ty());
        let value = self.value(&text, a.shape(), a.elem);
        self.keep(value);
    }

    /// A window of some of the leading dimensions: offsets and sizes.
    fn window(&mut self, shape: &[i64]) -> (Vec<i64>, Vec<i64>) {
        let sizes: Vec<i64> = shape
            .iter()
            .map(|&extent| if self.rng.chance(50) { extent } else { 1 + self.rng.upto(extent - 1) })
            .collect();
        let offsets = shape.iter().zip(&sizes).map(|(extent, size)| self.rng.upto(extent - size)).collect();
        (offsets, sizes)
    }

    fn extract_strided(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 {
            return;
        }
        let (offsets, sizes) = self.window(a.shape());
        let text = format!(
            "vector.extract_strided_slice {} {{offsets = {offsets:?}, sizes = {sizes:?}, strides = {:?}}} : {} to {}",
            a.name,
            vec![1; rank],
            a.ty(),
            vector(&sizes, a.elem)
        );
        let value = self.value(&text, &sizes, a.elem);
        self.keep(value);
    }

    fn insert_strided(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        let fits = |part: &&Value| {
            let n = part.shape().len();
            n > 0 && n <= rank && part.shape().iter().zip(&a.shape()[rank - n..]).all(|(size, extent)| size <= extent)
        };
        let parts: Vec<Value> = self.values.iter().filter(fits).cloned().collect();
        if parts.is_empty() {
            return;
        }
        let part = parts[self.rng.below(parts.len())].clone();
        let n = part.shape().len();
        let offsets: Vec<i64> = (0..rank)
            .map(|d| self.rng.upto(a.shape()[d] - if d < rank - n { 1 } else { part.shape()[d + n - rank] }))
            .collect();
        let text = format!(
            "vector.insert_strided_slice {}, {} {{offsets = {offsets:?}, strides = {:?}}} : {} into {}",
            part.name,
            a.name,
            vec![1; n],
            part.ty(),
            a.ty()
        );
        let value = self.value(&text, a.shape(), a.elem);
        self.keep(value);
    }
}
