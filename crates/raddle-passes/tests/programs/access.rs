//! Gathers, scatters, masked regions, bitcasts and the rarer loops and branches of random programs.

use super::{ELEMENTS_MAX, Program, Value, vector};

impl Program {
    /// One of the operations of this file.
    pub(super) fn access(&mut self, depth: usize) {
        match self.rng.below(14) {
            0 | 1 => self.gather(),
            2..=4 => self.transfer_gather(),
            5 => self.transfer_scatter(),
            6 => self.scatter(),
            7 | 8 => self.masked_reduce(),
            9 => self.masked_contract(),
            10 => self.masked_access(),
            11 => self.regroup(),
            12 if depth < 2 => self.repeat_while(depth),
            13 if depth < 2 => self.switch(depth),
            _ => self.interleave(),
        }
    }

    /// A vector of numbers of type index from 0 to `below` - 1.
    fn indices(&mut self, shape: &[i64], below: i64, unique: bool) -> Value {
        let ty = vector(shape, "index");
        let n = shape.iter().product::<i64>();
        let text = match self.rng.below(4) {
            0 if shape.len() == 1 && shape[0] <= below => format!("vector.step : {ty}"),
            1 if !unique => {
                let at = self.position(below);
                format!("vector.broadcast {at} : index to {ty}")
            }
            2 if shape.len() == 1 && !unique => {
                let steps = self.define(&format!("vector.step : {ty}"));
                let extent = self.define(&format!("arith.constant dense<{below}> : {ty}"));
                format!("arith.remui {steps}, {extent} : {ty}")
            }
            _ => {
                let mut numbers: Vec<i64> = if unique {
                    (0..below).collect()
                } else {
                    (0..n).map(|_| self.rng.below(below as usize) as i64).collect()
                };
                if unique {
                    for i in (1..numbers.len()).rev() {
                        numbers.swap(i, self.rng.below(i + 1));
                    }
                    numbers.truncate(n as usize);
                }
                format!("arith.constant dense<{}> : {ty}", nested(&numbers, shape))
            }
        };
        let value = self.value(&text, shape, "index");
        if self.rng.chance(40) { self.anchor(&value) } else { value }
    }

    fn gather(&mut self) {
        let shape = self.shape();
        if shape.is_empty() {
            return;
        }
        let extent = self.rng.pick(&[3, 8, 40]);
        let buffer = if self.rng.chance(50) { self.buffer(vec![extent]) } else { self.buffer(vec![4, extent]) };
        let indices = self.indices(&shape, extent - 2, false);
        let mask = self.mask_of(&shape);
        let other = self.known(&shape);
        let lead = if buffer.shape.len() == 2 { "%c1, " } else { "" };
        let last = self.rng.pick(&["%c0", "%c2"]);
        let text = format!(
            "vector.gather {}[{lead}{last}] [{}], {}, {} : {}, {}, {}, {} into {}",
            buffer.name,
            indices.name,
            mask.name,
            other.name,
            buffer.ty(self.elem),
            indices.ty(),
            mask.ty(),
            other.ty(),
            other.ty()
        );
        let text = self.under_mask(text, &shape, &format!(" -> {}", other.ty()));
        let value = self.value(&text, &shape, self.elem);
        self.keep(value);
    }

    /// An operation with a mask of its own, under another one now and then.
    fn under_mask(&mut self, text: String, shape: &[i64], results: &str) -> String {
        if self.rng.chance(75) {
            return text;
        }
        let mask = self.mask_of(shape);
        format!("vector.mask {} {{ {text} }} : {}{results}", mask.name, mask.ty())
    }

    /// A vector of this shape, known or new.
    fn known(&mut self, shape: &[i64]) -> Value {
        let known: Vec<Value> = self.values.iter().filter(|value| value.shape() == shape).cloned().collect();
        if known.is_empty() { self.splat(shape, "1") } else { known[self.rng.below(known.len())].clone() }
    }

    /// Some dimensions of a vector, in some order.
    fn some_dims(&mut self, rank: usize) -> Vec<usize> {
        let mut dims: Vec<usize> = (0..rank).filter(|_| self.rng.chance(60)).collect();
        if self.rng.chance(40) {
            dims.reverse();
        }
        dims
    }

    fn transfer_gather(&mut self) {
        let shape = self.shape();
        let rank = shape.len();
        if rank == 0 {
            return;
        }
        // Each dimension of the vector lies along one of the memory, or along none; some of the memory's are gathered.
        let mut exprs: Vec<(String, i64)> =
            (0..rank).filter(|_| self.rng.chance(70)).map(|d| (format!("d{d}"), shape[d])).collect();
        let n = 1 + self.rng.below(2);
        for s in 0..n {
            exprs.insert(self.rng.below(exprs.len() + 1), (format!("s{s}"), 5));
        }
        if self.rng.chance(30) {
            exprs.insert(0, ("0".to_owned(), 2));
        }
        let (mut vecs, mut maps) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let dims = self.some_dims(rank);
            let own: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
            let scalar = dims.is_empty();
            let value = if scalar {
                Value { name: self.position(5), shape: None, elem: "index" }
            } else {
                self.indices(&own, 5, false)
            };
            maps.push(dims);
            vecs.push(value);
        }
        let mask = self.rng.chance(50).then(|| {
            let dims = self.some_dims(rank);
            let dims = if dims.is_empty() { (0..rank).collect() } else { dims };
            let own: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
            maps.push(dims);
            self.mask_of(&own)
        });
        let ds: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
        let ss: Vec<String> = (0..n).map(|s| format!("s{s}")).collect();
        let map = |results: Vec<String>| {
            format!("affine_map<({})[{}] -> ({})>", ds.join(", "), ss.join(", "), results.join(", "))
        };
        let mut all = vec![map(exprs.iter().map(|(expr, _)| expr.clone()).collect())];
        all.extend(maps.iter().map(|dims| map(dims.iter().map(|d| format!("d{d}")).collect())));
        let buffer = self.buffer(exprs.iter().map(|(_, extent)| extent + 1).collect());
        let offsets: Vec<&str> = exprs.iter().map(|_| self.rng.pick(&["%c0", "%c1"])).collect();
        let names: Vec<&str> = vecs.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = vecs.iter().map(Value::ty).collect();
        let masked =
            mask.as_ref().map(|mask| (format!(", {}", mask.name), format!(", {}", mask.ty()))).unwrap_or_default();
        let text = format!(
            "iree_vector_ext.transfer_gather {}[{}] [{} : {}], %pad{} {{indexing_maps = [{}]}} : {}, {}{}",
            buffer.name,
            offsets.join(", "),
            names.join(", "),
            types.join(", "),
            masked.0,
            all.join(", "),
            buffer.ty(self.elem),
            vector(&shape, self.elem),
            masked.1
        );
        let value = self.value(&text, &shape, self.elem);
        self.keep(value.clone());
        if self.rng.chance(60) {
            let value = self.anchor(&value);
            self.keep(value);
        }
    }

    /// Rows go to places that are all different.
    fn transfer_scatter(&mut self) {
        let value = self.any();
        let shape = value.shape().to_vec();
        let rank = shape.len();
        if rank == 0 {
            return;
        }
        let d = self.rng.below(rank);
        let indices = self.indices(&[shape[d]], shape[d], true);
        let mask = self.rng.chance(40).then(|| self.mask_of(&shape));
        let ds: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
        let base: Vec<String> = (0..rank).map(|i| if i == d { "s0".to_owned() } else { format!("d{i}") }).collect();
        let map = |results: String| format!("affine_map<({})[s0] -> ({results})>", ds.join(", "));
        let mut maps = vec![map(base.join(", ")), map(format!("d{d}"))];
        if mask.is_some() {
            maps.push(map(ds.join(", ")));
        }
        let buffer = self.buffer(shape.iter().map(|extent| extent + 1).collect());
        let offsets: Vec<&str> = (0..rank).map(|_| self.rng.pick(&["%c0", "%c1"])).collect();
        let masked =
            mask.as_ref().map(|mask| (format!(", {}", mask.name), format!(", {}", mask.ty()))).unwrap_or_default();
        self.line(&format!(
            "iree_vector_ext.transfer_scatter {} into {}[{}] [{} : {}]{} {{indexing_maps = [{}]}} : {}, {}{}",
            value.name,
            buffer.name,
            offsets.join(", "),
            indices.name,
            indices.ty(),
            masked.0,
            maps.join(", "),
            value.ty(),
            buffer.ty(self.elem),
            masked.1
        ));
    }

    /// Elements go to places of which several may be the same.
    fn scatter(&mut self) {
        let value = self.any();
        let shape = value.shape().to_vec();
        if shape.len() != 1 {
            return;
        }
        let unique = self.rng.chance(50);
        let extent = if unique { shape[0] } else { self.rng.pick(&[1, 3, 7]) };
        let indices = self.indices(&shape, extent, unique);
        let mask = self.mask_of(&shape);
        let buffer = self.buffer(vec![2, extent + 2]);
        let last = self.rng.pick(&["%c0", "%c2"]);
        let text = format!(
            "vector.scatter {}[%c1, {last}] [{}], {}, {} : {}, {}, {}, {}",
            buffer.name,
            indices.name,
            mask.name,
            value.name,
            buffer.ty(self.elem),
            indices.ty(),
            mask.ty(),
            value.ty()
        );
        let text = self.under_mask(text, &shape, "");
        self.line(&text);
    }

    fn masked_reduce(&mut self) {
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
        let mask = self.mask_of(a.shape());
        let kind = self.kind();
        let shape: Vec<i64> = (0..rank).filter(|d| !dims.contains(d)).map(|d| a.shape()[d]).collect();
        let acc = if shape.is_empty() { None } else { Some(self.splat(&shape, "-1")) };
        let (acc, to) = match &acc {
            Some(acc) => (acc.name.clone(), acc.ty()),
            None => ("%low".to_owned(), self.elem.to_owned()),
        };
        let text = format!(
            "vector.mask {} {{ vector.multi_reduction <{kind}>, {}, {acc} {dims:?} : {} to {to} }} : {} -> {to}",
            mask.name,
            a.name,
            a.ty(),
            mask.ty()
        );
        let name = self.define(&text);
        self.keep(Value { name, shape: (!shape.is_empty()).then_some(shape), elem: self.elem });
    }

    fn masked_contract(&mut self) {
        let a = self.any();
        let [m, k] = a.shape() else { return };
        let (m, k, n) = (*m, *k, self.rng.pick(&[1, 2, 4]));
        if m * n * k > 2 * ELEMENTS_MAX {
            return;
        }
        let b = self.known(&[k, n]);
        let (a, b) = (self.small(&a), self.small(&b));
        let (a, b) = if self.rng.chance(50) { (self.anchor(&a), b) } else { (a, self.anchor(&b)) };
        let acc = self.splat(&[m, n], "1");
        let mask = self.mask_of(&[m, n, k]);
        let kind = self.kind();
        let map = |list: &str| format!("affine_map<(m, n, k) -> ({list})>");
        let text = format!(
            "vector.mask {} {{ vector.contract {{indexing_maps = [{}, {}, {}], iterator_types = [\"parallel\", \"parallel\", \
             \"reduction\"], kind = #vector.kind<{kind}>}} {}, {}, {} : {}, {} into {} }} : {} -> {}",
            mask.name,
            map("m, k"),
            map("k, n"),
            map("m, n"),
            a.name,
            b.name,
            acc.name,
            a.ty(),
            b.ty(),
            acc.ty(),
            mask.ty(),
            acc.ty()
        );
        let value = self.value(&text, &[m, n], self.elem);
        self.keep(value);
    }

    /// A sum of products in the shape of matrix instructions, masked or not, along any of its loops.
    pub(super) fn product(&mut self) {
        let (narrow, sum, cast) = match self.elem {
            "f16" => ("f16", "f32", "truncf"),
            "i32" => ("i8", "i32", ""),
            _ => return,
        };
        let k = if narrow == "i8" { 32 } else { 16 };
        let (m, n) = (16, self.rng.pick(&[8, 16]));
        // Either factor may lie with its columns first.
        let flips = [self.rng.chance(30), self.rng.chance(50)];
        let ordered = |flip: bool, a, b| if flip { [b, a] } else { [a, b] };
        let mut factors = Vec::new();
        for shape in [ordered(flips[0], m, k), ordered(flips[1], k, n)] {
            let value = self.known(&shape);
            let value = self.small(&value);
            let ty = vector(&shape, narrow);
            factors.push(match narrow {
                "i8" => self.value(&format!("arith.trunci {} : {} to {ty}", value.name, value.ty()), &shape, narrow),
                _ => value,
            });
        }
        let splat = if sum == "f32" { "-1.0" } else { "-1" };
        let to = vector(&[m, n], sum);
        let acc = self.define(&format!("arith.constant dense<{splat}> : {to}"));
        let list = |flip: bool, a: &str, b: &str| if flip { format!("{b}, {a}") } else { format!("{a}, {b}") };
        let map = |list: String| format!("affine_map<(m, n, k) -> ({list})>");
        let text = format!(
            "vector.contract {{indexing_maps = [{}, {}, {}], iterator_types = [\"parallel\", \"parallel\", \
             \"reduction\"], kind = #vector.kind<add>}} {}, {}, {acc} : {}, {} into {to}",
            map(list(flips[0], "m", "k")),
            map(list(flips[1], "k", "n")),
            map("m, n".to_owned()),
            factors[0].name,
            factors[1].name,
            factors[0].ty(),
            factors[1].ty(),
        );
        let text = match self.rng.below(4) {
            0 => text,
            which => {
                let mask = self.product_mask([m, n, k], which == 1);
                format!("vector.mask {} {{ {text} }} : {} -> {to}", mask.name, mask.ty())
            }
        };
        let sums = self.value(&text, &[m, n], sum);
        let kept = match cast {
            "" => sums,
            cast => {
                let ty = vector(&[m, n], self.elem);
                self.value(&format!("arith.{cast} {} : {} to {ty}", sums.name, sums.ty()), &[m, n], self.elem)
            }
        };
        self.keep(kept);
    }

    /// A mask over the loops of a product: a box, or the conjunction of parts along some of the loops.
    fn product_mask(&mut self, [m, n, k]: [i64; 3], is_box: bool) -> Value {
        let whole = [m, n, k];
        if is_box {
            return self.mask_of(&whole);
        }
        let mut mask: Option<Value> = None;
        for _ in 0..1 + self.rng.below(2) {
            // Along k; along n and k; along m, n and k; along k and n, turned.
            let (own, text) = match self.rng.below(4) {
                0 => (vec![k], "broadcast"),
                1 => (vec![n, k], "broadcast"),
                2 => (vec![n, m, k], "transpose"),
                _ => (vec![k, n, m], "turn"),
            };
            let part = self.mask_of(&own);
            let (from, to) = (part.ty(), vector(&whole, "i1"));
            let text = match text {
                "broadcast" => format!("vector.broadcast {} : {from} to {to}", part.name),
                "transpose" => format!("vector.transpose {}, [1, 0, 2] : {from} to {to}", part.name),
                _ => format!("vector.transpose {}, [2, 1, 0] : {from} to {to}", part.name),
            };
            let part = self.value(&text, &whole, "i1");
            mask = Some(match mask {
                None => part,
                Some(mask) => {
                    self.value(&format!("arith.andi {}, {} : {}", mask.name, part.name, part.ty()), &whole, "i1")
                }
            });
        }
        mask.unwrap()
    }

    /// A read or a write inside `vector.mask`.
    fn masked_access(&mut self) {
        let value = self.any();
        let shape = value.shape().to_vec();
        if shape.is_empty() {
            return;
        }
        let mask = self.mask_of(&shape);
        let buffer = self.buffer(shape.clone());
        let flags = vec!["true"; shape.len()].join(", ");
        let zeros = vec!["%c0"; shape.len()].join(", ");
        let (memref, ty) = (buffer.ty(self.elem), value.ty());
        if self.rng.chance(50) {
            self.line(&format!(
                "vector.mask {} {{ vector.transfer_write {}, {}[{zeros}] {{in_bounds = [{flags}]}} : {ty}, {memref} }} : {}",
                mask.name,
                value.name,
                buffer.name,
                mask.ty()
            ));
            return;
        }
        let other = if self.rng.chance(50) { format!(", {}", value.name) } else { String::new() };
        let text = format!(
            "vector.mask {}{other} {{ vector.transfer_read {}[{zeros}], %pad {{in_bounds = [{flags}]}} : {memref}, {ty} }} : {} -> {ty}",
            mask.name,
            buffer.name,
            mask.ty()
        );
        let value = self.value(&text, &shape, self.elem);
        self.keep(value);
    }

    /// Elements as narrower or wider integers, and back: floats that are not numbers would not keep their bits.
    fn regroup(&mut self) {
        let a = self.any();
        let Some((&last, lead)) = a.shape().split_last() else { return };
        let (other, times, parts) = match self.elem {
            "f32" | "i32" => self.rng.pick(&[("i16", 2, 1), ("i8", 4, 1), ("i64", 1, 2)]),
            "i64" => self.rng.pick(&[("i32", 2, 1), ("i8", 8, 1), ("i16", 4, 1)]),
            _ => self.rng.pick(&[("i8", 2, 1), ("i32", 1, 2)]),
        };
        if last * times % parts != 0 || a.shape().iter().product::<i64>() * times > ELEMENTS_MAX {
            return;
        }
        let shape = [lead, &[last * times / parts]].concat();
        let text = format!("vector.bitcast {} : {} to {}", a.name, a.ty(), vector(&shape, other));
        let cast = self.value(&text, &shape, other);
        let cast = if self.rng.chance(50) { self.anchor(&cast) } else { cast };
        let text = format!("vector.bitcast {} : {} to {}", cast.name, cast.ty(), a.ty());
        let back = self.value(&text, a.shape(), a.elem);
        self.keep(back);
    }

    fn interleave(&mut self) {
        let a = self.any();
        let Some((&last, lead)) = a.shape().split_last() else { return };
        if last % 2 == 0 && self.rng.chance(50) {
            let half = [lead, &[last / 2]].concat();
            let name = self.name();
            self.line(&format!(
                "{name}:2 = vector.deinterleave {} : {} -> {}",
                a.name,
                a.ty(),
                vector(&half, self.elem)
            ));
            for i in 0..2 {
                self.keep(Value { name: format!("{name}#{i}"), shape: Some(half.clone()), elem: self.elem });
            }
            return;
        }
        let b = self.like(&a);
        let shape = [lead, &[2 * last]].concat();
        if shape.iter().product::<i64>() > ELEMENTS_MAX {
            return;
        }
        let text = format!("vector.interleave {}, {} : {} -> {}", a.name, b.name, a.ty(), vector(&shape, self.elem));
        let value = self.value(&text, &shape, self.elem);
        self.keep(value);
    }

    fn repeat_while(&mut self, depth: usize) {
        let a = self.any();
        let (result, before, count) = (self.name(), self.name(), self.name());
        let (inside, turn) = (self.name(), self.name());
        let end = if self.rng.chance(70) { "%c3".to_owned() } else { self.position(4) };
        let ty = a.ty();
        self.line(&format!(
            "{result}:2 = scf.while ({before} = {}, {count} = %c0) : ({ty}, index) -> ({ty}, index) {{",
            a.name
        ));
        self.region(|program| {
            program.keep(Value { name: before, ..a.clone() });
            let n = program.rng.below(2);
            program.statements(n, depth + 1);
            let a = program.like(&a);
            let goes_on = program.define(&format!("arith.cmpi ult, {count}, {end} : index"));
            format!("scf.condition({goes_on}) {}, {count} : {ty}, index", a.name)
        });
        self.line("} do {");
        self.line(&format!("^bb0({inside}: {ty}, {turn}: index):"));
        self.region(|program| {
            program.counters.push(turn.clone());
            program.keep(Value { name: inside, ..a.clone() });
            let n = 1 + program.rng.below(3);
            program.statements(n, depth + 1);
            let a = program.like(&a);
            let next = program.define(&format!("arith.addi {turn}, %c1 : index"));
            format!("scf.yield {}, {next} : {ty}, index", a.name)
        });
        self.line("}");
        self.keep(Value { name: format!("{result}#0"), ..a });
    }

    fn switch(&mut self, depth: usize) {
        let a = self.any();
        let (result, which) = (self.name(), self.position(3));
        let ty = a.ty();
        self.line(&format!("{result} = scf.index_switch {which} -> {ty}"));
        for case in ["case 0 {", "case 2 {", "default {"] {
            self.line(case);
            self.region(|program| {
                let n = program.rng.below(3);
                program.statements(n, depth + 1);
                let a = program.like(&a);
                format!("scf.yield {} : {ty}", a.name)
            });
            self.line("}");
        }
        self.keep(Value { name: result, ..a });
    }
}

/// Numbers in the brackets of a shape.
fn nested(numbers: &[i64], shape: &[i64]) -> String {
    let Some((&first, rest)) = shape.split_first() else { return numbers[0].to_string() };
    let parts: Vec<String> = numbers.chunks(numbers.len() / first as usize).map(|part| nested(part, rest)).collect();
    format!("[{}]", parts.join(", "))
}
