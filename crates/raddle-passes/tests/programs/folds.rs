//! Operations of random programs that combine along one dimension and keep more than the sum.

use super::{Program, Value, vector};

impl Program {
    /// What lies along the other dimensions, for `dim` of a shape.
    fn across(shape: &[i64], dim: usize) -> Vec<i64> {
        let mut kept = shape.to_vec();
        kept.remove(dim);
        kept
    }

    /// A value of this shape: one that is known, or the same number everywhere.
    fn known_or_splat(&mut self, shape: &[i64], number: &str) -> Value {
        let known: Vec<Value> = self.values.iter().filter(|value| value.shape() == shape).cloned().collect();
        if known.is_empty() || self.rng.chance(50) {
            return self.splat(shape, number);
        }
        let value = known[self.rng.below(known.len())].clone();
        self.small(&value)
    }

    pub(super) fn scan(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 {
            return;
        }
        let a = self.small(&a);
        let dim = self.rng.below(rank);
        let a = if self.rng.chance(40) { self.anchor(&a) } else { a };
        let init = self.known_or_splat(&Self::across(a.shape(), dim), "-1");
        let kind = self.kind();
        let inclusive = self.rng.chance(50);
        let text = format!(
            "vector.scan <{kind}>, {}, {} reduction_dim = {dim}, inclusive = {inclusive} : {}, {}",
            a.name,
            init.name,
            a.ty(),
            init.ty()
        );
        let mask = self.rng.chance(35).then(|| self.mask_of(a.shape()));
        let result = self.name();
        self.line(&match mask {
            Some(mask) => {
                let types = format!("({}, {})", a.ty(), init.ty());
                format!("{result}:2 = vector.mask {} {{ {text} }} : {} -> {types}", mask.name, mask.ty())
            }
            None => format!("{result}:2 = {text}"),
        });
        self.keep(Value { name: format!("{result}#1"), ..init });
        self.keep(Value { name: format!("{result}#0"), ..a });
    }

    pub(super) fn arg_compare(&mut self) {
        let a = self.any();
        let rank = a.shape().len();
        if rank == 0 {
            return;
        }
        let dim = self.rng.below(rank);
        let a = if self.rng.chance(40) { self.anchor(&a) } else { a };
        let kept = Self::across(a.shape(), dim);
        let int = self.rng.pick(&["i32", "i64", "index", "i16"]);
        // Indices in any order, counted by the operation, or counted from a base.
        let mode = self.rng.below(3);
        let indices = (mode == 0).then(|| {
            let ty = vector(a.shape(), int);
            let text = match self.rng.below(3) {
                0 => format!("arith.constant dense<3> : {ty}"),
                _ => {
                    let n: i64 = a.shape().iter().product();
                    let numbers: Vec<i64> =
                        if n <= 64 { (0..n).map(|_| self.rng.below(9) as i64).collect() } else { (0..n).collect() };
                    let dense = list(&numbers, a.shape());
                    format!("arith.constant dense<{dense}> : {ty}")
                }
            };
            self.value(&text, a.shape(), int)
        });
        let base = if mode == 1 { format!(" index_base({} : index)", self.number()) } else { String::new() };
        let init = self.known_or_splat(&kept, "-1");
        let ty = vector(&kept, int);
        let init_index = self.value(&format!("arith.constant dense<-7> : {ty}"), &kept, int);
        let (result, x, y, c) = (self.name(), self.name(), self.name(), self.name());
        let (mut ins, mut types) = (a.name.clone(), a.ty());
        if let Some(indices) = indices {
            ins = format!("{ins}, {}", indices.name);
            types = format!("{types}, {}", indices.ty());
        }
        let mask = self.rng.chance(35).then(|| self.mask_of(a.shape()));
        let masked = mask.as_ref().map(|mask| format!("vector.mask {} {{ ", mask.name)).unwrap_or_default();
        self.line(&format!(
            "{result}:2 = {masked}iree_vector_ext.arg_compare dimension({dim}) ins({ins} : {types}) inits({}, {} : {}, {ty}){base} {{",
            init.name,
            init_index.name,
            init.ty()
        ));
        let (cmp, predicates): (_, &[&str]) = if self.is_int() {
            ("cmpi", &["sgt", "slt", "sge", "ule", "ugt"])
        } else {
            ("cmpf", &["ogt", "olt", "oge", "ole"])
        };
        let predicate = self.rng.pick(predicates);
        let elem = self.elem;
        self.line(&format!("^bb0({x}: {elem}, {y}: {elem}):"));
        let (mut left, mut right) = (x, y);
        if self.rng.chance(30) {
            let square = if self.is_int() { "arith.muli" } else { "arith.mulf" };
            left = self.define(&format!("{square} {left}, {left} : {elem}"));
            right = self.define(&format!("{square} {right}, {right} : {elem}"));
        }
        self.line(&format!("{c} = arith.{cmp} {predicate}, {left}, {right} : {elem}"));
        self.line(&format!("iree_vector_ext.yield {c} : i1"));
        let behind = mask.map(|mask| format!(" }} : {} -> ({}, {ty})", mask.ty(), init.ty())).unwrap_or_default();
        self.line(&format!("}} -> {}, {ty}{behind}", init.ty()));
        self.keep(Value { name: format!("{result}#0"), ..init });
        let index = Value { name: format!("{result}#1"), shape: Some(kept), elem: int };
        let index = self.as_element(index);
        self.keep(index);
    }

    /// A vector of integers as one of the program's element type.
    fn as_element(&mut self, value: Value) -> Value {
        let shape = value.shape().to_vec();
        let mut value = value;
        if value.elem == "index" {
            let ty = vector(&shape, "i64");
            value = self.value(&format!("arith.index_cast {} : {} to {ty}", value.name, value.ty()), &shape, "i64");
        }
        if value.elem == self.elem {
            return value;
        }
        let bits = |elem: &str| elem[1..].parse::<u32>().unwrap();
        let op = match self.is_int() {
            false => "sitofp",
            true if bits(value.elem) < bits(self.elem) => "extsi",
            true => "trunci",
        };
        let text = format!("arith.{op} {} : {} to {}", value.name, value.ty(), vector(&shape, self.elem));
        self.value(&text, &shape, self.elem)
    }
}

/// Integers as the elements of `dense<…>`.
fn list(numbers: &[i64], shape: &[i64]) -> String {
    let Some((&first, rest)) = shape.split_first() else { return numbers[0].to_string() };
    let n = numbers.len() / first as usize;
    let parts: Vec<String> = numbers.chunks(n).map(|part| list(part, rest)).collect();
    format!("[{}]", parts.join(", "))
}
