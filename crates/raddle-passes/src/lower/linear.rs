//! Linear forms: an index as a sum of leaves times coefficients, plus a constant.
//!
//! Equal forms have equal ids. Sums and products are exact as arithmetic modulo 2^64, which is what an index does.
//! Quotients and remainders are those of floor division on integers; they are split so that what divides evenly leaves
//! the division, and vanish where the range of the dividend shows that they must:
//!
//! ```text
//! (8·x + 4·y + z) floordiv 8 = x + (y floordiv 2)        for 0 <= z < 4
//! (8·x + 4·y + z) mod 8      = 4·(y mod 2) + z
//! ```

use indexmap::IndexSet;
use raddle_ir::ValueId;
use raddle_layout::sort::sort_by_key;
use rustc_hash::FxBuildHasher;

use crate::code::extents::gcd;

/// A linear form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Linear(u32);

/// What is not a sum of other things.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LeafId(u32);

/// What a leaf is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Leaf {
    /// A value of lowered IR.
    Value(ValueId),
    /// The floor of a form divided by a positive number.
    Div(Linear, i64),
    /// The remainder of that division.
    Mod(Linear, i64),
    /// A product of two forms that are not numbers.
    Product(Linear, Linear),
}

/// What is known of a leaf.
#[derive(Clone, Copy)]
pub(super) struct Fact {
    /// How many loops and branches its place of definition is nested in.
    pub depth: u32,
    /// Least and greatest value.
    pub range: Option<(i64, i64)>,
    /// A positive number that divides it.
    pub multiple: i64,
}

impl Fact {
    /// Nothing but the place of definition is known.
    pub(super) fn at(depth: u32) -> Fact {
        Fact { depth, range: None, multiple: 1 }
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Sum {
    /// Coefficients are not 0; sorted by depth, then by leaf, so that what changes least often comes first.
    terms: Vec<(LeafId, i64)>,
    constant: i64,
}

/// All forms of one function.
pub(super) struct Forms {
    sums: IndexSet<Sum, FxBuildHasher>,
    leaves: IndexSet<Leaf, FxBuildHasher>,
    facts: Vec<Fact>,
    /// How many divisions and products each leaf is nested in, itself counted.
    heights: Vec<u32>,
}

impl Forms {
    /// No forms yet.
    pub(super) fn new() -> Forms {
        Forms { sums: IndexSet::default(), leaves: IndexSet::default(), facts: Vec::new(), heights: Vec::new() }
    }

    fn intern(&mut self, terms: Vec<(LeafId, i64)>, constant: i64) -> Linear {
        Linear(self.sums.insert_full(Sum { terms, constant }).0 as u32)
    }

    fn sum(&self, form: Linear) -> &Sum {
        &self.sums[form.0 as usize]
    }

    /// The position in a side table.
    pub(super) fn position(form: Linear) -> usize {
        form.0 as usize
    }

    /// A number.
    pub(super) fn constant(&mut self, value: i64) -> Linear {
        self.intern(Vec::new(), value)
    }

    /// A value that is not a sum, with what is known of it.
    pub(super) fn value(&mut self, value: ValueId, fact: Fact) -> Linear {
        self.leaf(Leaf::Value(value), fact)
    }

    fn leaf(&mut self, leaf: Leaf, fact: Fact) -> Linear {
        if let Some((low, high)) = fact.range
            && low == high
        {
            return self.constant(low);
        }
        let (index, new) = self.leaves.insert_full(leaf);
        if new {
            self.facts.push(fact);
            self.heights.push(match leaf {
                Leaf::Value(_) => 0,
                Leaf::Div(form, _) | Leaf::Mod(form, _) => 1 + self.height(form),
                Leaf::Product(a, b) => 1 + self.height(a).max(self.height(b)),
            });
        }
        self.intern(vec![(LeafId(index as u32), 1)], 0)
    }

    /// Learns more of a value: what holds of it wherever it is used.
    pub(super) fn refine(&mut self, form: Linear, range: (i64, i64), multiple: i64) {
        let &[(leaf, 1)] = self.terms(form) else { return };
        if self.constant_part(form) != 0 {
            return;
        }
        let fact = &mut self.facts[leaf.0 as usize];
        let (low, high) = fact.range.unwrap_or((i64::MIN, i64::MAX));
        fact.range = Some((low.max(range.0), high.min(range.1))).filter(|range| range.0 <= range.1);
        let joined = multiple.checked_mul(fact.multiple / gcd(fact.multiple, multiple).max(1));
        fact.multiple = joined.filter(|&joined| joined > 0).unwrap_or(fact.multiple);
    }

    /// The parts of a form by how deep their leaves are defined, without its constant: each is a number times a form.
    pub(super) fn by_depth(&mut self, form: Linear) -> Vec<(i64, Linear)> {
        let terms = self.terms(form).to_vec();
        let parts: Vec<Vec<(LeafId, i64)>> =
            terms.chunk_by(|a, b| self.fact(a.0).depth == self.fact(b.0).depth).map(<[_]>::to_vec).collect();
        let part = |terms: Vec<(LeafId, i64)>| {
            let content = terms.iter().fold(0, |acc, term| gcd(acc, term.1)).max(1);
            let terms = terms.into_iter().map(|(leaf, coefficient)| (leaf, coefficient / content)).collect();
            (content, self.intern(terms, 0))
        };
        parts.into_iter().map(part).collect()
    }

    /// The product of two forms as a leaf of its own.
    pub(super) fn product(&mut self, a: Linear, b: Linear) -> Linear {
        let range = self.range(a).zip(self.range(b)).and_then(|((a, b), (c, d))| {
            let ends = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            Some((*ends.iter().min()?, *ends.iter().max()?))
        });
        let multiple = self.multiple(a).checked_mul(self.multiple(b)).unwrap_or(1).max(1);
        let fact = Fact { depth: self.depth(a).max(self.depth(b)), range, multiple };
        let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        self.leaf(Leaf::Product(a, b), fact)
    }

    /// What a leaf is.
    pub(super) fn leaf_of(&self, leaf: LeafId) -> Leaf {
        self.leaves[leaf.0 as usize]
    }

    fn fact(&self, leaf: LeafId) -> Fact {
        self.facts[leaf.0 as usize]
    }

    /// The number, if the form is one.
    pub(super) fn as_constant(&self, form: Linear) -> Option<i64> {
        let sum = self.sum(form);
        sum.terms.is_empty().then_some(sum.constant)
    }

    /// The terms, what changes least often first.
    pub(super) fn terms(&self, form: Linear) -> &[(LeafId, i64)] {
        &self.sum(form).terms
    }

    /// The constant part.
    pub(super) fn constant_part(&self, form: Linear) -> i64 {
        self.sum(form).constant
    }

    /// All terms but the last, without the constant.
    pub(super) fn without_last(&mut self, form: Linear) -> Linear {
        let terms = &self.sum(form).terms;
        let terms = terms[..terms.len() - 1].to_vec();
        self.intern(terms, 0)
    }

    /// The form without its constant part.
    pub(super) fn without_constant(&mut self, form: Linear) -> Linear {
        let terms = self.sum(form).terms.clone();
        self.intern(terms, 0)
    }

    /// One leaf, once.
    pub(super) fn single(&mut self, leaf: LeafId) -> Linear {
        self.intern(vec![(leaf, 1)], 0)
    }

    /// How many loops and branches its deepest leaf is nested in.
    pub(super) fn depth(&self, form: Linear) -> u32 {
        self.sum(form).terms.last().map_or(0, |term| self.fact(term.0).depth)
    }

    /// How many divisions lie inside of one another: how deep a walk through the form goes.
    pub(super) fn height(&self, form: Linear) -> u32 {
        self.sum(form).terms.iter().map(|term| self.heights[term.0.0 as usize]).max().unwrap_or(0)
    }

    /// Least and greatest value, where the sum cannot wrap.
    pub(super) fn range(&self, form: Linear) -> Option<(i64, i64)> {
        let sum = self.sum(form);
        self.range_of(&sum.terms, sum.constant)
    }

    fn range_of(&self, terms: &[(LeafId, i64)], constant: i64) -> Option<(i64, i64)> {
        let (mut low, mut high) = (i128::from(constant), i128::from(constant));
        for &(leaf, coefficient) in terms {
            let (a, b) = self.fact(leaf).range?;
            let ends = [i128::from(a) * i128::from(coefficient), i128::from(b) * i128::from(coefficient)];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        Some((i64::try_from(low).ok()?, i64::try_from(high).ok()?))
    }

    /// Whether the value is known to be at least 0.
    pub(super) fn is_natural(&self, form: Linear) -> bool {
        self.range(form).is_some_and(|range| range.0 >= 0)
    }

    /// The greatest number known to divide every term; 0 without terms.
    pub(super) fn multiple_of_terms(&self, form: Linear) -> i64 {
        self.terms(form).iter().fold(0, |acc, &(leaf, coefficient)| {
            // A product that overflows is still a multiple of the coefficient.
            let factor = coefficient.checked_mul(self.fact(leaf).multiple).unwrap_or(coefficient);
            gcd(acc, factor)
        })
    }

    /// The greatest number known to divide the form; 0 for 0.
    pub(super) fn multiple(&self, form: Linear) -> i64 {
        gcd(self.multiple_of_terms(form), self.constant_part(form))
    }

    /// `a + b·factor`
    pub(super) fn add_scaled(&mut self, a: Linear, b: Linear, factor: i64) -> Linear {
        if factor == 0 {
            return a;
        }
        let (x, y) = (self.sum(a), self.sum(b));
        let constant = x.constant.wrapping_add(y.constant.wrapping_mul(factor));
        let mut terms = Vec::with_capacity(x.terms.len() + y.terms.len());
        let key = |term: &(LeafId, i64)| (self.fact(term.0).depth, term.0.0);
        let (mut i, mut j) = (0, 0);
        while i < x.terms.len() || j < y.terms.len() {
            let order = match (x.terms.get(i), y.terms.get(j)) {
                (Some(p), Some(q)) => key(p).cmp(&key(q)),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let (leaf, coefficient) = match order {
                std::cmp::Ordering::Less => {
                    i += 1;
                    x.terms[i - 1]
                }
                std::cmp::Ordering::Greater => {
                    j += 1;
                    (y.terms[j - 1].0, y.terms[j - 1].1.wrapping_mul(factor))
                }
                std::cmp::Ordering::Equal => {
                    (i, j) = (i + 1, j + 1);
                    (x.terms[i - 1].0, x.terms[i - 1].1.wrapping_add(y.terms[j - 1].1.wrapping_mul(factor)))
                }
            };
            if coefficient != 0 {
                terms.push((leaf, coefficient));
            }
        }
        self.intern(terms, constant)
    }

    /// `a + b`
    pub(super) fn add(&mut self, a: Linear, b: Linear) -> Linear {
        self.add_scaled(a, b, 1)
    }

    /// `a + number`
    pub(super) fn add_constant(&mut self, a: Linear, number: i64) -> Linear {
        let sum = self.sum(a);
        let (terms, constant) = (sum.terms.clone(), sum.constant.wrapping_add(number));
        self.intern(terms, constant)
    }

    /// `a·factor`
    pub(super) fn scale(&mut self, a: Linear, factor: i64) -> Linear {
        let zero = self.constant(0);
        self.add_scaled(zero, a, factor)
    }

    /// Floor of `form / by`, and the remainder, for `by > 0`; the form must not wrap.
    pub(super) fn div_mod(&mut self, form: Linear, by: i64) -> (Linear, Linear) {
        assert!(by > 0, "division is by a positive number");
        let sum = self.sum(form);
        let (quotient, constant) = (sum.constant.div_euclid(by), sum.constant.rem_euclid(by));
        // What divides evenly leaves the division.
        let (even, rest): (Vec<_>, Vec<_>) = sum.terms.iter().partition(|term| term.1 % by == 0);
        let even = even.into_iter().map(|(leaf, coefficient)| (leaf, coefficient / by)).collect();
        let even = self.intern(even, quotient);
        let (div, modulo) = self.div_mod_rest(rest, constant, by);
        (self.add(even, div), modulo)
    }

    /// No coefficient is a multiple of `by`, and the constant is a remainder.
    fn div_mod_rest(&mut self, rest: Vec<(LeafId, i64)>, constant: i64, by: i64) -> (Linear, Linear) {
        if let Some((low, high)) = self.range_of(&rest, constant)
            && low.div_euclid(by) == high.div_euclid(by)
            && let Some(offset) = low.div_euclid(by).checked_mul(by)
        {
            let quotient = self.constant(low.div_euclid(by));
            return (quotient, self.intern(rest, constant.wrapping_sub(offset)));
        }
        // With every large term and `by` a multiple of g, and what is left in 0..g, the left part stays below:
        // (g·x + s) div (g·c) = x div c, and (g·x + s) mod (g·c) = g·(x mod c) + s.
        let mut by_size = rest.clone();
        sort_by_key(&mut by_size, |&(leaf, coefficient)| (std::cmp::Reverse(coefficient.unsigned_abs()), leaf.0));
        let mut unit = by;
        for n_large in 1..=by_size.len() {
            unit = gcd(unit, by_size[n_large - 1].1);
            if unit == 1 {
                break;
            }
            let (below, small) = (constant % unit, &by_size[n_large..]);
            let fits = self.range_of(small, below).is_some_and(|(low, high)| low >= 0 && high < unit);
            if fits {
                let small: Vec<LeafId> = small.iter().map(|term| term.0).collect();
                let (low, large): (Vec<_>, Vec<_>) = rest.iter().partition(|term| small.contains(&term.0));
                let large = large.into_iter().map(|(leaf, coefficient)| (leaf, coefficient / unit)).collect();
                let large = self.intern(large, constant / unit);
                let low = self.intern(low, below);
                let (div, modulo) = self.div_mod(large, by / unit);
                return (div, self.add_scaled(low, modulo, unit));
            }
        }
        let form = self.intern(rest, constant);
        (self.div_leaf(form, by), self.mod_leaf(form, by))
    }

    fn div_leaf(&mut self, form: Linear, by: i64) -> Linear {
        // (x div a) div b = x div (a·b)
        if let (&[(leaf, 1)], 0) = (self.terms(form), self.constant_part(form))
            && let Leaf::Div(inner, first) = self.leaf_of(leaf)
            && let Some(both) = first.checked_mul(by)
        {
            return self.div_mod(inner, both).0;
        }
        let range = self.range(form).map(|(low, high)| (low.div_euclid(by), high.div_euclid(by)));
        let fact = Fact { depth: self.depth(form), range, multiple: 1 };
        self.leaf(Leaf::Div(form, by), fact)
    }

    fn mod_leaf(&mut self, form: Linear, by: i64) -> Linear {
        // (x mod a) mod b = x mod b where b divides a.
        if let (&[(leaf, 1)], 0) = (self.terms(form), self.constant_part(form))
            && let Leaf::Mod(inner, first) = self.leaf_of(leaf)
            && first % by == 0
        {
            return self.div_mod(inner, by).1;
        }
        let fact = Fact { depth: self.depth(form), range: Some((0, by - 1)), multiple: gcd(self.multiple(form), by) };
        self.leaf(Leaf::Mod(form, by), fact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates a form for the given leaf values.
    fn eval(forms: &Forms, form: Linear, values: &[(ValueId, i64)]) -> i64 {
        let sum = forms.sum(form);
        sum.terms.iter().fold(sum.constant, |acc, &(leaf, coefficient)| {
            let value = match forms.leaf_of(leaf) {
                Leaf::Value(value) => values.iter().find(|row| row.0 == value).map(|row| row.1).expect("given"),
                Leaf::Div(form, by) => eval(forms, form, values).div_euclid(by),
                Leaf::Mod(form, by) => eval(forms, form, values).rem_euclid(by),
                Leaf::Product(a, b) => eval(forms, a, values) * eval(forms, b, values),
            };
            acc + coefficient * value
        })
    }

    /// Quotient and remainder mean the same before and after splitting, and lie in the ranges that are claimed, for
    /// every value of three leaves in small ranges.
    #[test]
    fn division_splits_without_changing() {
        let mut ir = raddle_ir::Ir::new();
        let ty = ir.index_type();
        let block = ir.module_block();
        let leaves: Vec<ValueId> = (0..3).map(|_| ir.add_block_arg(block, ty)).collect();
        let ranges = [(0, 3), (0, 7), (-3, 5)];
        for by in [1, 2, 3, 4, 6, 8, 12, 32] {
            for coefficients in [[1, 4, 8], [4, 1, 32], [8, 16, 4], [3, 6, 9], [2, -4, 8], [0, 5, 1], [12, 0, 4]] {
                for constant in [-9, -1, 0, 1, 3, 5, 32] {
                    let mut forms = Forms::new();
                    let mut form = forms.constant(constant);
                    for i in 0..3 {
                        let fact = Fact { depth: i as u32, range: Some(ranges[i]), multiple: 1 };
                        let leaf = forms.value(leaves[i], fact);
                        form = forms.add_scaled(form, leaf, coefficients[i]);
                    }
                    let (div, modulo) = forms.div_mod(form, by);
                    let (div2, _) = forms.div_mod(div, 2);
                    for x in ranges[0].0..=ranges[0].1 {
                        for y in ranges[1].0..=ranges[1].1 {
                            for z in ranges[2].0..=ranges[2].1 {
                                let values = [(leaves[0], x), (leaves[1], y), (leaves[2], z)];
                                let want = eval(&forms, form, &values);
                                assert_eq!(eval(&forms, div, &values), want.div_euclid(by));
                                assert_eq!(eval(&forms, modulo, &values), want.rem_euclid(by));
                                assert_eq!(eval(&forms, div2, &values), want.div_euclid(by).div_euclid(2));
                                for form in [div, modulo, div2] {
                                    let value = eval(&forms, form, &values);
                                    let (low, high) = forms.range(form).expect("all ranges are known");
                                    assert!(low <= value && value <= high);
                                    let multiple = forms.multiple(form);
                                    assert!(if multiple == 0 { value == 0 } else { value % multiple == 0 });
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Index math of a tile: the digits of a thread number that were put together come apart again.
    #[test]
    fn digits_come_apart() {
        let mut ir = raddle_ir::Ir::new();
        let ty = ir.index_type();
        let block = ir.module_block();
        let thread = ir.add_block_arg(block, ty);
        let mut forms = Forms::new();
        let thread = forms.value(thread, Fact { depth: 0, range: Some((0, 127)), multiple: 1 });
        let (high, low) = forms.div_mod(thread, 8);
        let joined = forms.add_scaled(low, high, 64);
        assert_eq!(forms.div_mod(joined, 64), (high, low));
        // The thread number is below 128.
        let (zero, same) = forms.div_mod(thread, 128);
        assert_eq!((forms.as_constant(zero), same), (Some(0), thread));
    }
}
