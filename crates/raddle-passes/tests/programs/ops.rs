//! The operations of random programs: each takes what is known, and makes something new known.

use super::{ELEMENTS_MAX, Program, Value, vector};

impl Program {
    pub(super) fn is_int(&self) -> bool {
        self.elem.starts_with('i')
    }

    pub(super) fn elementwise(&mut self) {
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
    pub(super) fn small(&mut self, a: &Value) -> Value {
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

    pub(super) fn transpose(&mut self) {
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

    pub(super) fn broadcast(&mut self) {
        let a = match self.rng.below(4) {
            0 if !self.scalars.is_empty() => self.scalars[self.rng.below(self.scalars.len())].clone(),
            1 if !self.masks.is_empty() => self.masks[self.rng.below(self.masks.len())].clone(),
            _ => self.any(),
        };
        let rank = a.shape().len();
        let mut shape: Vec<i64> = (0..if rank < 2 { 2 } else { 1 }).map(|_| self.rng.pick(&[1, 2, 3, 4])).collect();
        shape.extend(a.shape());
        if rank > 2 || shape.iter().product::<i64>() > ELEMENTS_MAX {
            return;
        }
        let text = format!("vector.broadcast {} : {} to {}", a.name, a.ty(), vector(&shape, a.elem));
        let value = self.value(&text, &shape, a.elem);
        self.keep(value);
    }

    /// A broadcast that repeats along a unit dimension.
    pub(super) fn stretch(&mut self) {
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

    pub(super) fn shape_cast(&mut self) {
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

    pub(super) fn kind(&mut self) -> &'static str {
        if self.is_int() {
            self.rng.pick(&["add", "mul", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor"])
        } else {
            self.rng.pick(&["add", "add", "mul", "maximumf", "minimumf", "maxnumf", "minnumf"])
        }
    }

    pub(super) fn splat(&mut self, shape: &[i64], number: &str) -> Value {
        let number = if self.is_int() { number.to_owned() } else { format!("{number}.0") };
        let text = format!("arith.constant dense<{number}> : {}", vector(shape, self.elem));
        self.value(&text, shape, self.elem)
    }

    pub(super) fn reduce(&mut self) {
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
    pub(super) fn contract(&mut self) {
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
        let turns = self.rng.below(c_dims.len());
        c_dims.rotate_left(turns);
        if self.rng.chance(30) {
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

    pub(super) fn mask_of(&mut self, shape: &[i64]) -> Value {
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

    pub(super) fn mask(&mut self) {
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

    pub(super) fn select(&mut self) {
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

    pub(super) fn constant(&mut self) {
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

    pub(super) fn extract(&mut self) {
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

    pub(super) fn insert(&mut self) {
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

    pub(super) fn extract_strided(&mut self) {
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

    pub(super) fn insert_strided(&mut self) {
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
