//! Lower index arithmetic: affine operations and `arith` on indices become linear forms, forms become arithmetic.

use raddle_ir::views::{Mixed, TileRegister, mixed};
use raddle_ir::{Code, Diag, Expr, OpId, Opcode, Type, ValueId};

use super::linear::{Fact, Forms, Leaf, Linear};
use super::{Cx, Part};
use crate::clean::{self, number};
use crate::code::extents::gcd;

/// Terms of one form; a longer sum becomes a value of its own.
const TERMS_MAX: usize = 24;

/// Divisions inside of one another; what goes deeper becomes a value of its own.
const HEIGHT_MAX: u32 = 32;

/// An extent of an argument, at most: more elements have no address.
const EXTENT_MAX: i64 = 1 << 40;

/// `slt` as `arith.cmpi` numbers it.
pub(super) const LESS: i64 = 2;

impl Cx<'_> {
    // ---- from values to forms

    /// The linear form of an index.
    pub(super) fn form(&mut self, value: ValueId) -> Linear {
        if let Part::Index(form) = self.parts[value.index()] {
            return form;
        }
        let scalar = self.scalar(value);
        self.form_of_new(scalar)
    }

    /// The form of a value of the new program.
    pub(super) fn form_of_new(&mut self, value: ValueId) -> Linear {
        if let Some(constant) = number::of(self.ir, value).and_then(number::Number::int) {
            return self.forms.constant(constant);
        }
        if let Some(&form) = self.forms_of.get(&value) {
            return form;
        }
        let depth = self.depth_of(value);
        // An extent is not negative, and its buffer has an address for each element.
        let range = self.extents.values().any(|&extent| extent == value).then_some((0, EXTENT_MAX));
        self.forms.value(value, Fact { range, ..Fact::at(depth) })
    }

    /// `util.assume.int`: the value itself, of which more is known where it holds everywhere.
    pub(super) fn assume(&mut self, op: OpId) -> Result<(), Diag> {
        let assumed = clean::assumed(self.ir, op);
        for (i, result) in self.ir.results(op).enumerate().collect::<Vec<_>>() {
            let operand = self.ir.operand(op, i);
            if self.ir.type_of(operand) != self.index {
                let value = self.scalar(operand);
                self.set_elements(result, &[value]);
                continue;
            }
            let form = self.form(operand);
            if let Some(&(least, most, divisor)) = assumed.get(i).filter(|_| self.depth() == 0) {
                self.forms.refine(form, (least, most), divisor);
            }
            self.set_index(result, form);
        }
        Ok(())
    }

    /// The form as a value of its own: a single leaf, of which the same is known.
    fn opaque(&mut self, form: Linear) -> Linear {
        let fact = Fact {
            depth: self.forms.depth(form),
            range: self.forms.range(form),
            multiple: self.forms.multiple(form).max(1),
        };
        let value = self.compute(form);
        self.forms.value(value, fact)
    }

    /// Lets a form stand for an index of the old program.
    pub(super) fn set_index(&mut self, value: ValueId, form: Linear) {
        let form = if self.forms.height(form) > HEIGHT_MAX { self.opaque(form) } else { form };
        self.parts[value.index()] = Part::Index(form);
    }

    /// `a + b·factor`, cut short where it grows long.
    pub(super) fn add_scaled(&mut self, a: Linear, b: Linear, factor: i64) -> Linear {
        let sum = self.forms.add_scaled(a, b, factor);
        if self.forms.terms(sum).len() <= TERMS_MAX { sum } else { self.opaque(sum) }
    }

    pub(super) fn product(&mut self, a: Linear, b: Linear) -> Linear {
        if let Some(factor) = self.forms.as_constant(b) {
            return self.forms.scale(a, factor);
        }
        if let Some(factor) = self.forms.as_constant(a) {
            return self.forms.scale(b, factor);
        }
        // (x + c)·b = x·b + c·b: products that differ in a constant share a factor, and what changes in no loop leaves it.
        let (a, b) = if self.forms.terms(a).len() < self.forms.terms(b).len() { (b, a) } else { (a, b) };
        let constant = self.forms.constant_part(a);
        let mut sum = self.forms.scale(b, constant);
        for (factor, part) in self.forms.by_depth(a) {
            let product = self.forms.product(part, b);
            sum = self.add_scaled(sum, product, factor);
        }
        sum
    }

    /// Floor quotient and remainder of two forms; the divisor is positive.
    fn div_mod(&mut self, a: Linear, b: Linear) -> (Linear, Linear) {
        if let Some(by) = self.forms.as_constant(b)
            && by > 0
        {
            return self.forms.div_mod(a, by);
        }
        // Here, not further out: where this does not run, the divisor may be 0.
        let depth = self.depth() as u32;
        let natural = self.forms.is_natural(a);
        let (x, y) = (self.compute(a), self.compute(b));
        let quotient = self.floor_div(depth, x, y, natural);
        let product = self.index_value(depth, Opcode::ArithMuli, quotient, y);
        let remainder = self.index_value(depth, Opcode::ArithSubi, x, product);
        // Neither is above what it is made of.
        let [most, end] = [a, b].map(|form| self.forms.range(form).map_or(i64::MAX, |(_, high)| high));
        let range = natural.then_some((0, most));
        let fact = Fact { depth, range, multiple: 1 };
        let rest = Fact { depth, range: Some((0, end.saturating_sub(1).max(0))), multiple: 1 };
        (self.forms.value(quotient, fact), self.forms.value(remainder, rest))
    }

    fn eval(&mut self, expr: &Expr, dims: &[Linear], syms: &[Linear]) -> Result<Linear, Diag> {
        Ok(match expr {
            Expr::Dim(i) => dims[*i as usize],
            Expr::Sym(i) => syms[*i as usize],
            Expr::Const(value) => self.forms.constant(*value),
            Expr::Add(a, b) => {
                let (a, b) = (self.eval(a, dims, syms)?, self.eval(b, dims, syms)?);
                self.add_scaled(a, b, 1)
            }
            Expr::Mul(a, b) => {
                let (a, b) = (self.eval(a, dims, syms)?, self.eval(b, dims, syms)?);
                self.product(a, b)
            }
            Expr::Mod(a, b) | Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
                let (mut a, b) = (self.eval(a, dims, syms)?, self.eval(b, dims, syms)?);
                if self.forms.as_constant(b).is_some_and(|by| by <= 0) {
                    return Err(Diag::error(
                        Code::CannotLower,
                        self.span,
                        "cannot lower a division by a number below 1",
                    )
                    .help("affine division is defined for positive divisors"));
                }
                if let Expr::CeilDiv(..) = expr {
                    let less = self.forms.add_constant(b, -1);
                    a = self.add_scaled(a, less, 1);
                }
                let (div, modulo) = self.div_mod(a, b);
                if let Expr::Mod(..) = expr { modulo } else { div }
            }
        })
    }

    /// The lesser or the greater of two forms.
    fn extreme(&mut self, a: Linear, b: Linear, least: bool) -> Linear {
        let ranges = self.forms.range(a).zip(self.forms.range(b));
        if let Some(((a_low, a_high), (b_low, b_high))) = ranges {
            let (a_first, b_first) = (a_high <= b_low, b_high <= a_low);
            if a_first || b_first {
                return if a_first == least { a } else { b };
            }
        }
        let range = ranges.map(|((a_low, a_high), (b_low, b_high))| {
            if least { (a_low.min(b_low), a_high.min(b_high)) } else { (a_low.max(b_low), a_high.max(b_high)) }
        });
        let multiple = gcd(self.forms.multiple(a), self.forms.multiple(b)).max(1);
        let depth = self.forms.depth(a).max(self.forms.depth(b));
        let (a, b) = (self.compute(a), self.compute(b));
        let value = self.index_value(depth, if least { Opcode::ArithMinsi } else { Opcode::ArithMaxsi }, a, b);
        self.forms.value(value, Fact { depth, range, multiple })
    }

    /// `affine.apply`, `affine.min`, `affine.max`, `affine.linearize_index`, `affine.delinearize_index`.
    pub(super) fn affine(&mut self, op: OpId) -> Result<(), Diag> {
        match self.ir.opcode(op) {
            Opcode::AffineApply => {
                let Some(map) = self.ir.map(op, "map").cloned() else { return Err(self.refuse(op)) };
                let operands = self.ir.operands(op).to_vec();
                if operands.len() != (map.dims + map.syms) as usize || map.results.len() != 1 {
                    return Err(self.refuse(op).label("its map does not fit its operands"));
                }
                let forms: Vec<Linear> = operands.iter().map(|&operand| self.form(operand)).collect();
                let (dims, syms) = forms.split_at(map.dims as usize);
                let form = self.eval(&map.results[0], dims, syms)?;
                self.set_index(self.ir.result(op, 0), form);
            }
            Opcode::AffineMin | Opcode::AffineMax => {
                let Some(map) = self.ir.map(op, "map").cloned() else { return Err(self.refuse(op)) };
                let operands = self.ir.operands(op).to_vec();
                if operands.len() != (map.dims + map.syms) as usize || map.results.is_empty() {
                    return Err(self.refuse(op).label("its map does not fit its operands"));
                }
                let forms: Vec<Linear> = operands.iter().map(|&operand| self.form(operand)).collect();
                let (dims, syms) = forms.split_at(map.dims as usize);
                let least = self.ir.opcode(op) == Opcode::AffineMin;
                let mut extreme = self.eval(&map.results[0], dims, syms)?;
                for result in &map.results[1..] {
                    let other = self.eval(result, dims, syms)?;
                    extreme = self.extreme(extreme, other, least);
                }
                self.set_index(self.ir.result(op, 0), extreme);
            }
            Opcode::AffineLinearizeIndex => {
                let parts = self.ir.segments(op);
                let (digits, values) = (parts[0].to_vec(), parts[1].to_vec());
                let basis = self.basis(op, &values, digits.len());
                let mut sum = self.forms.constant(0);
                for (i, &digit) in digits.iter().enumerate() {
                    if i > 0 {
                        sum = self.product(sum, basis[i - 1]);
                    }
                    let digit = self.form(digit);
                    sum = self.add_scaled(sum, digit, 1);
                }
                self.set_index(self.ir.result(op, 0), sum);
            }
            Opcode::AffineDelinearizeIndex => {
                let results: Vec<ValueId> = self.ir.results(op).collect();
                let sizes = self.ir.operands(op)[1..].to_vec();
                let basis = self.basis(op, &sizes, results.len());
                let mut rest = self.form(self.ir.operand(op, 0));
                for (&result, &size) in results[1..].iter().zip(&basis).rev() {
                    if self.forms.as_constant(size).is_some_and(|size| size <= 0) {
                        return Err(self.refuse(op).label("an extent below 1"));
                    }
                    let (div, modulo) = self.div_mod(rest, size);
                    self.set_index(result, modulo);
                    rest = div;
                }
                self.set_index(results[0], rest);
            }
            _ => return Err(self.refuse(op)),
        }
        Ok(())
    }

    /// The extents of all digits but the first, whose own extent (the outer bound) changes no digit.
    fn basis(&mut self, op: OpId, values: &[ValueId], n_digits: usize) -> Vec<Linear> {
        let numbers = self.ir.attr_id(op, "static_basis").and_then(|attr| self.ir.ints(attr)).unwrap_or_default();
        let basis = mixed(&numbers, values);
        let bounded = usize::from(n_digits > 0 && basis.len() == n_digits);
        basis[bounded..]
            .iter()
            .map(|&size| match size {
                Mixed::Static(size) => self.forms.constant(size),
                Mixed::Value(size) => self.form(size),
            })
            .collect()
    }

    /// Whether `arith` on indices may have a form.
    pub(super) fn may_be_linear(opcode: Opcode) -> bool {
        matches!(
            opcode,
            Opcode::ArithAddi
                | Opcode::ArithSubi
                | Opcode::ArithMuli
                | Opcode::ArithShli
                | Opcode::ArithShrsi
                | Opcode::ArithShrui
                | Opcode::ArithAndi
                | Opcode::ArithDivsi
                | Opcode::ArithDivui
                | Opcode::ArithFloordivsi
                | Opcode::ArithCeildivsi
                | Opcode::ArithCeildivui
                | Opcode::ArithRemsi
                | Opcode::ArithRemui
        )
    }

    /// The form of `arith` on indices, where it has one.
    pub(super) fn index_arith(&mut self, opcode: Opcode, a: Linear, b: Linear) -> Option<Linear> {
        let number = self.forms.as_constant(b);
        let power = number.filter(|shift| (0..63).contains(shift)).map(|shift| 1i64 << shift);
        // Signed, unsigned and floor division agree on natural numbers; so do shifts.
        let natural = self.forms.is_natural(a);
        match opcode {
            Opcode::ArithAddi => Some(self.add_scaled(a, b, 1)),
            Opcode::ArithSubi => Some(self.add_scaled(a, b, -1)),
            Opcode::ArithMuli => Some(self.product(a, b)),
            Opcode::ArithShli => Some(self.forms.scale(a, power?)),
            Opcode::ArithShrsi | Opcode::ArithShrui if natural => Some(self.forms.div_mod(a, power?).0),
            // The low bits are the remainder, also of negative numbers, and of sums that wrapped.
            Opcode::ArithAndi => {
                let size = number.filter(|&mask| (0..i64::MAX).contains(&mask))? + 1;
                (size.count_ones() == 1).then(|| self.forms.div_mod(a, size).1)
            }
            Opcode::ArithDivsi | Opcode::ArithDivui | Opcode::ArithFloordivsi if natural => {
                Some(self.forms.div_mod(a, number.filter(|&by| by > 0)?).0)
            }
            Opcode::ArithRemsi | Opcode::ArithRemui if natural => {
                Some(self.forms.div_mod(a, number.filter(|&by| by > 0)?).1)
            }
            Opcode::ArithCeildivsi | Opcode::ArithCeildivui if natural => {
                let by = number.filter(|&by| by > 0)?;
                let raised = self.forms.add_constant(a, by - 1);
                self.forms.is_natural(raised).then(|| self.forms.div_mod(raised, by).0)
            }
            _ => None,
        }
    }

    /// Whether `a < b` (as signed numbers), where the ranges tell.
    pub(super) fn less(&mut self, a: Linear, b: Linear) -> Option<bool> {
        // The difference of two numbers says which is less, unless it wraps.
        let bound = 1 << 62;
        for form in [a, b] {
            self.forms.range(form).filter(|&(low, high)| low > -bound && high < bound)?;
        }
        let difference = self.forms.add_scaled(a, b, -1);
        let (low, high) = self.forms.range(difference)?;
        if high < 0 {
            Some(true)
        } else if low >= 0 {
            Some(false)
        } else {
            None
        }
    }

    /// The truth of a comparison of two indices, where the ranges tell.
    pub(super) fn known_comparison(&mut self, predicate: i64, a: Linear, b: Linear) -> Option<bool> {
        if predicate >= 6 && !(self.forms.is_natural(a) && self.forms.is_natural(b)) {
            return None;
        }
        match predicate {
            0 | 1 => {
                let apart = self.less(a, b) == Some(true) || self.less(b, a) == Some(true);
                if a == b {
                    Some(predicate == 0)
                } else if apart {
                    Some(predicate == 1)
                } else {
                    None
                }
            }
            2 | 6 => self.less(a, b),
            3 | 7 => self.less(b, a).map(|less| !less),
            4 | 8 => self.less(b, a),
            5 | 9 => self.less(a, b).map(|less| !less),
            _ => None,
        }
    }

    // ---- ids

    /// The number of the thread inside the workgroup: along x first, then y, then z.
    pub(super) fn thread(&mut self) -> Linear {
        let mut number = self.thread_along(0);
        let mut stride = 1;
        for dim in 1..3 {
            stride *= self.shape.workgroup[dim - 1].unwrap_or(1);
            if self.shape.workgroup[dim] != Some(1) {
                let along = self.thread_along(dim);
                number = self.add_scaled(number, along, stride);
            }
        }
        number
    }

    /// The place of the thread along one dimension of the workgroup.
    fn thread_along(&mut self, dim: usize) -> Linear {
        if let Some(thread) = self.threads[dim] {
            return thread;
        }
        let extent = self.shape.workgroup[dim];
        let form = if extent == Some(1) && dim > 0 {
            self.forms.constant(0)
        } else {
            let name = raddle_ir::keyword_attr(self.ir, "gpu.dim", ["x", "y", "z"][dim]);
            let attrs = self.ir.dict(&[("dimension", name)]);
            let op = self.emit_at(0, Opcode::GpuThreadId, &[], &[self.index], attrs);
            let last = extent.map_or(i64::from(i32::MAX), |extent| extent - 1);
            let thread = self.ir.result(op, 0);
            self.forms.value(thread, Fact { depth: 0, range: Some((0, last)), multiple: 1 })
        };
        self.threads[dim] = Some(form);
        form
    }

    /// Thread, lane, subgroup and workgroup numbers.
    pub(super) fn id(&mut self, op: OpId) -> Result<(), Diag> {
        let dim = match self.ir.keyword_of(op, "dimension") {
            Some("y") => 1,
            Some("z") => 2,
            _ => 0,
        };
        let form = match self.ir.opcode(op) {
            Opcode::GpuThreadId => self.thread_along(dim),
            Opcode::GpuLaneId => {
                let thread = self.thread();
                self.forms.div_mod(thread, self.shape.subgroup_size).1
            }
            Opcode::GpuSubgroupId => {
                let thread = self.thread();
                self.forms.div_mod(thread, self.shape.subgroup_size).0
            }
            Opcode::GpuBlockId => {
                let count = self.shape.grid.as_ref().and_then(|grid| grid.get(dim)).copied().filter(|&count| count > 0);
                let new = self.emit_at(0, Opcode::GpuBlockId, &[], &[self.index], self.ir.attr_dict(op));
                let last = count.map_or(i64::from(i32::MAX), |count| count - 1);
                self.forms.value(self.ir.result(new, 0), Fact { depth: 0, range: Some((0, last)), multiple: 1 })
            }
            _ => return Err(self.refuse(op)),
        };
        self.set_index(self.ir.result(op, 0), form);
        Ok(())
    }

    // ---- from forms to values

    /// The value of a form: computed where its last part is known, once.
    pub(super) fn compute(&mut self, form: Linear) -> ValueId {
        let position = Forms::position(form);
        if let Some(Some(value)) = self.computed.get(position) {
            return *value;
        }
        let value = self.compute_new(form);
        self.forms_of.insert(value, form);
        if self.computed.len() <= position {
            self.computed.resize(position + 1, None);
        }
        self.computed[position] = Some(value);
        value
    }

    fn compute_new(&mut self, form: Linear) -> ValueId {
        if let Some(number) = self.forms.as_constant(form) {
            return self.int(number, self.index);
        }
        let depth = self.forms.depth(form);
        let constant = self.forms.constant_part(form);
        if constant != 0 {
            let rest = self.forms.without_constant(form);
            let rest = self.compute(rest);
            let constant = self.int(constant, self.index);
            return self.index_value(depth, Opcode::ArithAddi, rest, constant);
        }
        let &[.., (leaf, coefficient)] = self.forms.terms(form) else {
            panic!("a sum that is not a number has a term")
        };
        if self.forms.terms(form).len() == 1 {
            let single = self.forms.single(leaf);
            if single == form {
                return self.compute_leaf(self.forms.leaf_of(leaf), depth);
            }
            let value = self.compute(single);
            let factor = self.int(coefficient, self.index);
            return self.index_value(depth, Opcode::ArithMuli, value, factor);
        }
        let rest = self.forms.without_last(form);
        let rest = self.compute(rest);
        // x - y·2 rather than x + y·-2.
        let (opcode, magnitude) = match coefficient.checked_neg() {
            Some(magnitude) if coefficient < 0 => (Opcode::ArithSubi, magnitude),
            _ => (Opcode::ArithAddi, coefficient),
        };
        let single = self.forms.single(leaf);
        let term = self.forms.scale(single, magnitude);
        let term = self.compute(term);
        self.index_value(depth, opcode, rest, term)
    }

    fn compute_leaf(&mut self, leaf: Leaf, depth: u32) -> ValueId {
        match leaf {
            Leaf::Value(value) => value,
            Leaf::Product(a, b) => {
                let (a, b) = (self.compute(a), self.compute(b));
                self.index_value(depth, Opcode::ArithMuli, a, b)
            }
            Leaf::Div(form, by) => {
                let natural = self.forms.is_natural(form);
                let value = self.compute(form);
                let divisor = self.int(by, self.index);
                if by.count_ones() == 1 {
                    let shift = self.int(by.trailing_zeros().into(), self.index);
                    let opcode = if natural { Opcode::ArithShrui } else { Opcode::ArithShrsi };
                    return self.index_value(depth, opcode, value, shift);
                }
                self.floor_div(depth, value, divisor, natural)
            }
            Leaf::Mod(form, by) => {
                let natural = self.forms.is_natural(form);
                let value = self.compute(form);
                if by.count_ones() == 1 {
                    let mask = self.int(by - 1, self.index);
                    return self.index_value(depth, Opcode::ArithAndi, value, mask);
                }
                let divisor = self.int(by, self.index);
                if natural {
                    return self.index_value(depth, Opcode::ArithRemui, value, divisor);
                }
                let quotient = self.floor_div(depth, value, divisor, natural);
                let product = self.index_value(depth, Opcode::ArithMuli, quotient, divisor);
                self.index_value(depth, Opcode::ArithSubi, value, product)
            }
        }
    }

    /// The floor of x / y for positive y. For negative x it is -1 - (-1 - x) / y, and -1 - x is natural.
    fn floor_div(&mut self, depth: u32, x: ValueId, y: ValueId, natural: bool) -> ValueId {
        if natural {
            return self.index_value(depth, Opcode::ArithDivui, x, y);
        }
        let (zero, ones) = (self.int(0, self.index), self.int(-1, self.index));
        let predicate = self.ir.i64_attr(LESS);
        let attrs = self.ir.dict(&[("predicate", predicate)]);
        let bit = self.ir.int_type(1);
        let compare = self.emit_at(depth as usize, Opcode::ArithCmpi, &[x, zero], &[bit], attrs);
        let negative = self.ir.result(compare, 0);
        // -1 - x is x with all bits flipped.
        let mirrored = self.index_value(depth, Opcode::ArithXori, x, ones);
        let dividend = self.index_select(depth, negative, mirrored, x);
        let quotient = self.index_value(depth, Opcode::ArithDivui, dividend, y);
        let mirrored = self.index_value(depth, Opcode::ArithXori, quotient, ones);
        self.index_select(depth, negative, mirrored, quotient)
    }

    fn index_value(&mut self, depth: u32, opcode: Opcode, lhs: ValueId, rhs: ValueId) -> ValueId {
        let op = self.emit_at(depth as usize, opcode, &[lhs, rhs], &[self.index], self.no_attrs);
        self.ir.result(op, 0)
    }

    fn index_select(&mut self, depth: u32, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let op = self.emit_at(depth as usize, Opcode::ArithSelect, &[condition, yes, no], &[self.index], self.no_attrs);
        self.ir.result(op, 0)
    }

    /// Whether a value lives in registers: a scalar, a vector, or a tile register.
    pub(super) fn is_register(&self, value: ValueId) -> bool {
        match self.ir.ty(value) {
            Type::Integer { .. } | Type::Index | Type::Float(_) => true,
            Type::Vector { scalable, elem, .. } => {
                !scalable.contains(&true)
                    && matches!(self.ir[*elem], Type::Integer { .. } | Type::Index | Type::Float(_))
            }
            _ => TileRegister::of(self.ir, self.ir.type_of(value)).is_some(),
        }
    }

    /// The number of parts that stand for a value: the elements of a vector; 1 for a scalar, and for a native vector.
    pub(super) fn n_parts(&self, value: ValueId) -> usize {
        if self.is_native(value) { 1 } else { self.n_elements(value) }
    }

    /// The number of elements of a vector; 1 for a scalar.
    pub(super) fn n_elements(&self, value: ValueId) -> usize {
        self.ir.shape_of(value).iter().product::<i64>() as usize
    }
}
