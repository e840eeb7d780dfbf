//! What few programs do: outer products, reductions to scalars, packed and plain accesses, single elements.

use super::{ELEMENTS_MAX, Program, Value, vector};

impl Program {
    /// One of the operations of this file.
    pub(super) fn rare(&mut self) {
        match self.rng.below(7) {
            0 => self.outer_product(),
            1 => self.reduction(),
            2 => self.packed(),
            3 => self.plain_access(),
            4 => self.masked_load(),
            5 => self.one_by_one(),
            _ => self.rare_arithmetic(),
        }
    }

    /// A vector of one dimension, if one is known.
    fn row(&mut self) -> Option<Value> {
        let rows: Vec<Value> = self.values.iter().filter(|value| value.shape().len() == 1).cloned().collect();
        (!rows.is_empty()).then(|| rows[self.rng.below(rows.len())].clone())
    }

    fn outer_product(&mut self) {
        let Some(lhs) = self.row() else { return };
        let rhs = if self.rng.chance(75) {
            self.row().expect("there is one")
        } else {
            Value { name: "%low".to_owned(), shape: None, elem: self.elem }
        };
        let shape = [lhs.shape(), rhs.shape()].concat();
        if shape.iter().product::<i64>() > ELEMENTS_MAX {
            return;
        }
        let mut text = format!("vector.outerproduct {}, {}", lhs.name, rhs.name);
        // A product by a scalar has something to be added to; so has what a mask leaves out.
        let masked = self.rng.chance(30);
        if rhs.shape.is_none() || masked || self.rng.chance(50) {
            let (acc, kind) = (self.splat(&shape, "1"), self.kind());
            text += &format!(", {} {{kind = #vector.kind<{kind}>}}", acc.name);
        }
        text += &format!(" : {}, {}", lhs.ty(), rhs.ty());
        if masked {
            let mask = self.mask_of(&shape);
            text = format!("vector.mask {} {{ {text} }} : {} -> {}", mask.name, mask.ty(), vector(&shape, self.elem));
        }
        let value = self.value(&text, &shape, self.elem);
        self.keep(value);
    }

    fn reduction(&mut self) {
        let Some(row) = self.row() else { return };
        let row = self.small(&row);
        let (kind, acc) = (self.kind(), if self.rng.chance(50) { ", %low" } else { "" });
        let text = format!("vector.reduction <{kind}>, {}{acc} : {} into {}", row.name, row.ty(), self.elem);
        let text = if self.rng.chance(30) {
            let mask = self.mask_of(row.shape());
            format!("vector.mask {} {{ {text} }} : {} -> {}", mask.name, mask.ty(), self.elem)
        } else {
            text
        };
        let name = self.define(&text);
        self.keep(Value { name, shape: None, elem: self.elem });
    }

    /// Elements where a mask is set, side by side in memory.
    fn packed(&mut self) {
        let Some(row) = self.row() else { return };
        let mask = self.mask_of(row.shape());
        let buffer = self.buffer(vec![2, row.shape()[0] + 1]);
        let memref = buffer.ty(self.elem);
        let types = format!("{memref}, {}, {}", mask.ty(), row.ty());
        let place = format!("{}[%c1, %c1], {}, {}", buffer.name, mask.name, row.name);
        if self.rng.chance(50) {
            return self.line(&format!("vector.compressstore {place} : {types}"));
        }
        let value =
            self.value(&format!("vector.expandload {place} : {types} into {}", row.ty()), row.shape(), row.elem);
        self.keep(value);
    }

    /// `vector.load` and `vector.store`, in a part of a buffer of more dimensions.
    fn plain_access(&mut self) {
        let value = self.any();
        if value.shape().is_empty() {
            return;
        }
        let inner: Vec<i64> = value.shape().iter().map(|extent| extent + 1).collect();
        let buffer = self.buffer([&[2], &inner[..]].concat());
        let place = format!("{}[{}]", buffer.name, vec!["%c1"; inner.len() + 1].join(", "));
        let types = format!("{}, {}", buffer.ty(self.elem), value.ty());
        if self.rng.chance(50) {
            return self.line(&format!("vector.store {}, {place} : {types}", value.name));
        }
        let value = self.value(&format!("vector.load {place} : {types}"), value.shape(), value.elem);
        self.keep(value);
    }

    /// `vector.maskedload` and `vector.maskedstore`.
    fn masked_load(&mut self) {
        let Some(row) = self.row() else { return };
        let mask = self.mask_of(row.shape());
        let buffer = self.buffer(vec![2, row.shape()[0] + 1]);
        let types = format!("{}, {}, {}", buffer.ty(self.elem), mask.ty(), row.ty());
        let place = format!("{}[%c1, %c1], {}, {}", buffer.name, mask.name, row.name);
        if self.rng.chance(50) {
            return self.line(&format!("vector.maskedstore {place} : {types}"));
        }
        let value =
            self.value(&format!("vector.maskedload {place} : {types} into {}", row.ty()), row.shape(), row.elem);
        self.keep(value);
    }

    /// All elements by name, and a vector of some of them.
    fn one_by_one(&mut self) {
        let a = self.any();
        let n = a.shape().iter().product::<i64>();
        if a.shape().is_empty() || n > 24 {
            return;
        }
        let name = self.name();
        self.line(&format!("{name}:{n} = vector.to_elements {} : {}", a.name, a.ty()));
        let shape: Vec<i64> = self.rng.pick(&[&[1][..], &[4], &[3, 2], &[2, 1, 3]]).to_vec();
        let elements: Vec<String> =
            (0..shape.iter().product()).map(|_: i64| format!("{name}#{}", self.rng.upto(n - 1))).collect();
        let text = format!("vector.from_elements {} : {}", elements.join(", "), vector(&shape, self.elem));
        let value = self.value(&text, &shape, self.elem);
        self.keep(value);
    }

    fn rare_arithmetic(&mut self) {
        let a = self.any();
        let b = self.like(&a);
        if self.is_int() {
            let op = self.rng.pick(&[
                "arith.mulsi_extended",
                "arith.mului_extended",
                "math.absi",
                "math.ctpop",
                "math.ctlz",
            ]);
            if op.starts_with("arith") {
                let name = self.name();
                self.line(&format!("{name}:2 = {op} {}, {} : {}", a.name, b.name, a.ty()));
                return self.keep(Value { name: format!("{name}#1"), ..a });
            }
            let value = self.value(&format!("{op} {} : {}", a.name, a.ty()), a.shape(), a.elem);
            return self.keep(value);
        }
        let op = self.rng.pick(&["math.trunc", "math.roundeven", "math.copysign", "vector.fma"]);
        let operands = match op {
            // Products that fit keep all numbers finite.
            "vector.fma" if a.shape().is_empty() => return,
            "vector.fma" => {
                let a = self.small(&a);
                format!("{}, {}, {}", a.name, a.name, b.name)
            }
            "math.copysign" => format!("{}, {}", a.name, b.name),
            _ => a.name.clone(),
        };
        let value = self.value(&format!("{op} {operands} : {}", a.ty()), a.shape(), a.elem);
        self.keep(value);
    }
}
