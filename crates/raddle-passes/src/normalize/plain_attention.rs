//! Plain attention: the products of query and key, a softmax along the keys, and the products with the value, written in
//! `linalg`, become one `iree_linalg_ext.attention`, whose scores stay in registers.
//!
//! Before: `%s = linalg.matmul %q, %kt`, `%p = linalg.softmax %s * scale + %mask`, `%o = linalg.matmul %p, %v`
//! After:  `%o = iree_linalg_ext.attention ins(%q, %kt, %v, %scale, %mask)`
//!
//! The idea: each element of what the last product multiplies is an expression of elements of tensors along numbered
//! loops, with elementwise operations and transposes written out. A softmax is a form of that expression, whether it is
//! one operation or a maximum, a difference, a power, a sum and a quotient. What it makes powers of is an expression of
//! the first product: a scale, a mask that is added, or the region of the attention, which asks for the elements of other
//! tensors that are in it, as of a second mask.
//!
//! Scores have the type of the first product, or f32 where that is narrower: sums that are divided at the end are larger
//! than those of quotients. A mask or region sees scores without the factor of `exp2`, so that infinities and numbers
//! near them stay what they are; one that only makes scores minus infinity need not. Rows without keys are zeros, as sums
//! of nothing are. A query without rows, as that of one token whose loop of one has gone, gets a row. Programs in which
//! somebody else uses the scores, whose types no kernel has, or which have configurations stay as they are.

use raddle_ir::views::{Linalg, Mixed, SOFTMAX, unmixed};
use raddle_ir::{
    Attr, Builder, Code, DYNAMIC, Def, Diag, Float, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap, float,
};

use super::Fits;
use super::attention::least;
use super::loops::{Part, bits, filling, is_costly, is_float, structured, to_float};
use crate::clean;
use crate::facts::Facts;
use crate::structured::symbols::OfArguments;
use crate::structured::{body, sizes};

/// Operations that are read for one attention, at most: a score has a handful and its mask some more, and each is met in
/// the powers, their sum and the maximum.
const TERMS_MAX: usize = 512;

/// Of these, at most so many for the elements of one tensor that is made of no product: one of more is taken as it is.
const PART_MAX: usize = 128;

/// The loop of a row that a query gets.
const ROW: usize = usize::MAX;

/// An element of a tensor, or a number, as an expression.
#[derive(Clone, PartialEq, Debug)]
enum Term {
    /// The element of a tensor along these loops.
    Element(ValueId, Vec<usize>),
    /// A number that is known outside.
    Number(ValueId),
    /// Where a loop is.
    Index(usize),
    /// What a scalar operation like this one gives.
    Scalar(OpId, Vec<Term>),
}

/// Writes each attention of a function that is written in `linalg` as one operation.
pub(super) fn recognize(ir: &mut Ir, func: OpId, facts: &Facts, fits: Fits) {
    let mut any = false;
    for op in ir.walk(func) {
        let Some(found) = Found::of(ir, op) else { continue };
        any = true;
        let Some(new) = found.build(ir, op) else { continue };
        if let Err(why) = fits(ir, new, facts) {
            ir.erase(new);
            let message = "these products and their softmax are an attention, but not one kernel".to_owned();
            facts.remark(Diag::error(Code::KernelChoice, ir.span(op), message).note(why.message));
            continue;
        }
        let message = "these products and their softmax are one attention".to_owned();
        facts.remark(Diag::error(Code::KernelChoice, ir.span(op), message));
        found.put(ir, op, new);
    }
    if any {
        clean::remove(ir, func);
    }
}

/// The parts of an attention.
struct Found {
    n_loops: usize,
    query: Part,
    key: Part,
    value: Part,
    out: Part,
    /// The loop along the keys.
    keys: usize,
    /// The number that products are scaled by.
    scale: Option<Term>,
    /// The same with the numbers that queries and keys are multiplied by, if there are any.
    factors: Option<f64>,
    mask: Option<Part>,
    /// The expression of a score; `None` for the product itself.
    region: Option<Term>,
    /// The elements of other tensors in it, and what they are elements of.
    given: Vec<(Term, Part)>,
    /// Whether the region does nothing but mask.
    only_masks: bool,
    /// The element that is the product of query and key, and its type.
    product: Term,
    elem: TypeId,
}

/// Expressions, and the operations that they are made of.
struct Reader<'ir> {
    ir: &'ir Ir,
    seen: Vec<OpId>,
    n_terms: usize,
    /// Expressions that are elements of tensors.
    made: Vec<(Term, Part)>,
    /// Tensors whose elements are taken as they are, since what makes them is long.
    taken: Vec<ValueId>,
    /// The loop along the keys.
    keys: usize,
}

impl Reader<'_> {
    /// The element of a tensor along loops.
    fn element(&mut self, tensor: ValueId, dims: &[usize]) -> Option<Term> {
        let ir = self.ir;
        let leaf = Term::Element(tensor, dims.to_vec());
        if !ir.ty(tensor).is_tensor() {
            return Some(Term::Number(tensor));
        }
        if self.taken.contains(&tensor) {
            return Some(leaf);
        }
        let Def::Result { op, index } = ir.def(tensor) else { return Some(leaf) };
        let Some(linalg) = Linalg::try_of(ir, op) else { return Some(leaf) };
        let n_inputs = linalg.inputs.len();
        let args = ir.args(ir.entry(op));
        let elementwise = !linalg.reduction.contains(&true) && args[n_inputs..].iter().all(|&arg| ir.is_unused(arg));
        let written = linalg.maps[n_inputs + index as usize].as_dims();
        let Some(written) = written.filter(|written| elementwise && written.len() == linalg.reduction.len()) else {
            return Some(leaf);
        };
        let mut loops = vec![usize::MAX; written.len()];
        written.iter().zip(dims).for_each(|(&own, &d)| loops[own] = d);
        if linalg.maps[..n_inputs].iter().any(|map| map.as_dims().is_none()) || loops.contains(&usize::MAX) {
            return Some(leaf);
        }
        self.seen.push(op);
        let (end, before) = (body::yield_of(ir, op), self.n_terms);
        let term = self.scalar(ir.operand(end, index as usize), op, &linalg, &loops);
        let is_long = self.n_terms - before > PART_MAX;
        let is_short = |term: &Term| {
            let mut products = Vec::new();
            self.products_in(term, &mut products);
            !is_long || !products.is_empty()
        };
        let Some(term) = term.filter(is_short) else {
            self.n_terms = before + 1;
            self.taken.push(tensor);
            return Some(leaf);
        };
        self.made.push((term.clone(), Part { value: tensor, dims: dims.to_vec() }));
        Some(term)
    }

    /// The tensor that an expression is an element of: of those that hold it, the first whose rows go along the keys, as
    /// scores are read.
    fn part(&self, term: &Term) -> Option<Part> {
        if let Term::Element(value, dims) = term {
            return Some(Part { value: *value, dims: dims.clone() });
        }
        let mut holds = self.made.iter().filter(|(made, _)| made == term).map(|(_, part)| part);
        let first = holds.clone().next()?;
        Some(holds.find(|part| part.dims.last() == Some(&self.keys)).unwrap_or(first).clone())
    }

    /// A value in the body of a structured operation whose loops have these numbers.
    fn scalar(&mut self, value: ValueId, op: OpId, linalg: &Linalg, loops: &[usize]) -> Option<Term> {
        let ir = self.ir;
        self.n_terms += 1;
        if self.n_terms > TERMS_MAX {
            return None;
        }
        let block = ir.entry(op);
        match ir.def(value) {
            Def::Arg { block: at, index } if at == block => {
                let input = linalg.inputs.get(index as usize).copied()?;
                let dims = linalg.maps[index as usize].as_dims()?;
                self.element(input, &dims.iter().map(|&d| loops[d]).collect::<Vec<_>>())
            }
            Def::Result { op: maker, .. } if ir.parent_block(maker) == Some(block) => {
                if ir.opcode(maker) == Opcode::LinalgIndex {
                    let dim = ir.attr(maker, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
                    return Some(Term::Index(*loops.get(dim)?));
                }
                if !ir.regions(maker).is_empty() || ir.results(maker).len() != 1 {
                    return None;
                }
                let operands = ir.operands(maker).to_vec();
                let terms = operands.into_iter().map(|operand| self.scalar(operand, op, linalg, loops));
                Some(Term::Scalar(maker, terms.collect::<Option<_>>()?))
            }
            Def::Arg { .. } | Def::Result { .. } => Some(Term::Number(value)),
        }
    }

    /// How a tensor along these loops is reduced along one more, which gets the number `along`, from a number on.
    fn reduction(&mut self, tensor: ValueId, dims: &[usize], along: usize) -> Option<(Opcode, f64, Term)> {
        let ir = self.ir;
        let op = ir.def_op(tensor)?;
        let linalg = Linalg::try_of(ir, op)?;
        let (&[output], [maps @ .., written]) = (&linalg.outputs[..], &linalg.maps[..]) else { return None };
        let loops = loops_of(&linalg, &written.as_dims()?, dims, along)?;
        maps.iter().all(|map| map.as_dims().is_some()).then_some(())?;
        let reduction = body::reduction(ir, op)?;
        let start = number_of(ir, filling(ir, output)?)?;
        self.seen.push(op);
        let term = self.scalar(reduction.value, op, &linalg, &loops)?;
        Some((reduction.combiner.opcode, start, term))
    }

    /// Whether two expressions compute the same.
    fn same(&self, a: &Term, b: &Term) -> bool {
        let ir = self.ir;
        match (a, b) {
            (Term::Scalar(a, of_a), Term::Scalar(b, of_b)) => {
                let alike = ir.opcode(*a) == ir.opcode(*b)
                    && ir.attr_dict(*a) == ir.attr_dict(*b)
                    && ir.type_of(ir.result(*a, 0)) == ir.type_of(ir.result(*b, 0));
                alike && of_a.len() == of_b.len() && of_a.iter().zip(of_b).all(|(a, b)| self.same(a, b))
            }
            (Term::Number(a), Term::Number(b)) => {
                let constant = |value: ValueId| {
                    ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant).map(|op| ir.attr_dict(op))
                };
                a == b || ir.type_of(*a) == ir.type_of(*b) && constant(*a).is_some() && constant(*a) == constant(*b)
            }
            (a, b) => a == b,
        }
    }

    /// The operation of an expression with two operands, if it is this one.
    fn pair<'t>(&self, term: &'t Term, opcode: Opcode) -> Option<[&'t Term; 2]> {
        match term {
            Term::Scalar(op, of) if self.ir.opcode(*op) == opcode => match &of[..] {
                [a, b] => Some([a, b]),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same of one with one operand.
    fn only<'t>(&self, term: &'t Term, opcode: Opcode) -> Option<&'t Term> {
        match term {
            Term::Scalar(op, of) if self.ir.opcode(*op) == opcode => of.first(),
            _ => None,
        }
    }

    /// The float that an expression is, if that is known.
    fn float(&self, term: &Term) -> Option<f64> {
        match term {
            Term::Number(value) => number_of(self.ir, *value),
            Term::Scalar(op, of) if of.is_empty() => number_of(self.ir, self.ir.result(*op, 0)),
            Term::Scalar(op, of) if self.ir.opcode(*op) == Opcode::ArithTruncf => {
                let Type::Float(float) = self.ir.ty(self.ir.result(*op, 0)) else { return None };
                Some(float::round(*float, self.float(of.first()?)?))
            }
            _ => None,
        }
    }

    /// What a softmax along a loop is of.
    fn softmax(&mut self, term: &Term, keys: usize) -> Option<Term> {
        if let Term::Element(tensor, dims) = term {
            let op = self.ir.def_op(*tensor).filter(|&op| self.ir.opcode(op) == Opcode::LinalgSoftmax)?;
            let along = self.ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok())?;
            self.seen.push(op);
            return if dims.get(along) == Some(&keys) { self.element(self.ir.operand(op, 0), dims) } else { None };
        }
        let (powers, sum) = match (self.pair(term, Opcode::ArithDivf), self.pair(term, Opcode::ArithMulf)) {
            (Some([powers, sum]), _) => (powers, sum),
            (_, Some([powers, inverse])) => {
                let [one, sum] = self.pair(inverse, Opcode::ArithDivf)?;
                (powers, if self.float(one)? == 1.0 { sum } else { return None })
            }
            (None, None) => return None,
        };
        let Term::Element(sum, of_sum) = sum else { return None };
        let (Opcode::ArithAddf, 0.0, summed) = self.reduction(*sum, of_sum, keys)? else { return None };
        let [scores, largest] = self.pair(self.only(powers, Opcode::MathExp)?, Opcode::ArithSubf)?;
        let Term::Element(largest, of_largest) = largest else { return None };
        let (combine, start, compared) = self.reduction(*largest, of_largest, keys)?;
        let is_least = match self.ir[self.ir.elem_of(*largest)] {
            Type::Float(format) => start == f64::NEG_INFINITY || Some(start) == least(format),
            _ => false,
        };
        let is_largest = matches!(combine, Opcode::ArithMaximumf | Opcode::ArithMaxnumf) && is_least;
        let along_rows = !of_sum.contains(&keys) && !of_largest.contains(&keys);
        let fits = along_rows && is_largest && self.same(&summed, powers) && self.same(&compared, scores);
        fits.then(|| scores.clone())
    }

    /// Whether a tensor is a sum of products, and nobody has configured it.
    fn is_product(&self, tensor: ValueId) -> Option<OpId> {
        let is_product = |&op: &OpId| Linalg::try_of(self.ir, op).is_some() && is_plain_product(self.ir, op);
        self.ir.def_op(tensor).filter(is_product)
    }

    /// The products that an expression is of.
    fn products_in(&self, term: &Term, found: &mut Vec<Term>) {
        match term {
            Term::Element(tensor, _) if self.is_product(*tensor).is_some() && !found.contains(term) => {
                found.push(term.clone());
            }
            Term::Scalar(_, of) => of.iter().for_each(|term| self.products_in(term, found)),
            Term::Element(..) | Term::Number(_) | Term::Index(_) => {}
        }
    }

    /// Adds the elements of tensors, beside the product, that an expression is of: those that are given, and those that
    /// take long to compute, as distances do that are looked up in a table of logarithms. Nothing of one that has loops
    /// twice.
    fn elements_in(&self, term: &Term, product: &Term, found: &mut Vec<(Term, Part)>) -> Option<()> {
        if found.iter().any(|(known, _)| known == term) || self.is_of(term, product) && !self.is_made_slowly(term) {
            return Some(());
        }
        match (self.part(term).filter(|_| !contains(term, product)), term) {
            (Some(part), _) => {
                distinct(&part.dims).then_some(())?;
                found.push((term.clone(), part));
                Some(())
            }
            (None, Term::Scalar(_, of)) => of.iter().try_for_each(|term| self.elements_in(term, product, found)),
            (None, Term::Element(..) | Term::Number(_) | Term::Index(_)) => None,
        }
    }

    /// Whether an element that a tensor could hold takes many instructions, or reads memory.
    fn is_made_slowly(&self, term: &Term) -> bool {
        match term {
            Term::Scalar(op, of) => is_costly(self.ir, *op) || of.iter().any(|term| self.is_made_slowly(term)),
            Term::Element(..) | Term::Number(_) | Term::Index(_) => false,
        }
    }

    /// Whether an expression is of a product, numbers and indices alone.
    fn is_of(&self, term: &Term, product: &Term) -> bool {
        match term {
            Term::Element(..) => term == product,
            Term::Scalar(_, of) => of.iter().all(|term| self.is_of(term, product)),
            Term::Number(_) | Term::Index(_) => true,
        }
    }

    /// The score below choices between a score and minus infinity.
    fn below_masks<'t>(&self, score: &'t Term) -> &'t Term {
        match score {
            Term::Scalar(op, of) if self.ir.opcode(*op) == Opcode::ArithSelect => {
                let is_never = |term: &Term| self.float(term) == Some(f64::NEG_INFINITY);
                match &of[..] {
                    [keeps, score, never] | [keeps, never, score] if is_never(never) && !has_element(keeps) => {
                        self.below_masks(score)
                    }
                    _ => score,
                }
            }
            _ => score,
        }
    }

    /// An operand of a product: its elements without transposes, and the number that they are multiplied by in front of
    /// it, which is 1 where that `may_be_scaled` no more.
    fn factor(&mut self, tensor: ValueId, dims: Vec<usize>, may_be_scaled: bool) -> (Part, f64) {
        let seen = self.seen.len();
        let element = self.element(tensor, &dims);
        let scaled = element.as_ref().and_then(|element| self.pair(element, Opcode::ArithMulf));
        let scaled = scaled.filter(|_| may_be_scaled).and_then(|[a, b]| {
            let pairs = [(a, self.float(b)), (b, self.float(a))];
            pairs.into_iter().find_map(|(element, scale)| Some((element.clone(), scale.filter(|&scale| scale > 0.0)?)))
        });
        match scaled.or(element.map(|element| (element, 1.0))) {
            Some((Term::Element(value, dims), scale)) if distinct(&dims) && scale.is_finite() => {
                (Part { value, dims }, scale)
            }
            _ => {
                self.seen.truncate(seen);
                (Part { value: tensor, dims }, 1.0)
            }
        }
    }
}

impl Found {
    /// The attention that an operation ends, if it does.
    fn of(ir: &Ir, op: OpId) -> Option<Found> {
        if !is_plain_product(ir, op) {
            return None;
        }
        let linalg = Linalg::of(ir, op);
        let dims: Vec<Vec<usize>> = linalg.maps.iter().map(Map::as_dims).collect::<Option<_>>()?;
        let n_loops = linalg.reduction.len();
        let reduced: Vec<usize> = (0..n_loops).filter(|&d| linalg.reduction[d]).collect();
        let &[keys] = &reduced[..] else { return None };
        [0, 1].into_iter().find_map(|powers| {
            let mut reader = Reader { ir, seen: Vec::new(), n_terms: 0, made: Vec::new(), taken: Vec::new(), keys };
            let value = Part { value: linalg.inputs[1 - powers], dims: dims[1 - powers].clone() };
            let out = Part { value: ir.result(op, 0), dims: dims[2].clone() };
            let rounded = reader.element(linalg.inputs[powers], &dims[powers])?;
            let [powers_elem, value_elem] = [linalg.inputs[powers], value.value].map(|tensor| ir.elem_of(tensor));
            let powers = reader.only(&rounded, Opcode::ArithTruncf).unwrap_or(&rounded).clone();
            let scores = reader.softmax(&powers, keys)?;
            let mut products = Vec::new();
            reader.products_in(&scores, &mut products);
            let found = products.iter().find_map(|product| {
                Found::with(&mut reader, &scores, product, [value.clone(), out.clone()], [n_loops, keys])
            })?;
            // What is multiplied with the value is rounded as attention rounds it.
            let rounds = powers_elem == found.elem || bits(ir, powers_elem) == 16;
            let wide = ir.elem_of(ir.result(op, 0));
            let sums = wide == found.elem || bits(ir, wide) < bits(ir, found.elem);
            (powers_elem == value_elem && rounds && sums && found.alone(&reader, op)).then_some(found)
        })
    }

    fn with(
        reader: &mut Reader<'_>,
        scores: &Term,
        product: &Term,
        [value, out]: [Part; 2],
        [n_loops, keys]: [usize; 2],
    ) -> Option<Found> {
        let ir = reader.ir;
        let (mask, score) = masked(reader, scores, product).unwrap_or_else(|| (None, scores.clone()));
        let mut given = Vec::new();
        reader.elements_in(&score, product, &mut given)?;
        let Term::Element(tensor, along) = product else { return None };
        let elem = ir.elem_of(*tensor);
        // What masks keep of the product times a positive number is that of the product, times the number.
        let below = reader.below_masks(&score);
        let is_positive = |scale: &Term| reader.float(scale).is_some_and(|scale| scale > 0.0 && scale.is_finite());
        let (scale, region) = match reader.pair(below, Opcode::ArithMulf) {
            _ if score == *product => (None, None),
            Some([a, scale] | [scale, a]) if a == product && is_number(scale) && *below == score => {
                (Some(scale.clone()), None)
            }
            Some([a, scale] | [scale, a]) if a == product && is_positive(scale) => {
                (Some(scale.clone()), Some(replaced(&score, below, product)))
            }
            _ => (None, Some(score.clone())),
        };
        // Narrow scores are rounded in the region.
        let only_masks =
            region.as_ref().is_none_or(|region| reader.below_masks(region) == product && bits(ir, elem) >= 32);
        let op = reader.is_product(*tensor)?;
        let first = Linalg::of(ir, op);
        // The loops of the first product: those of the scores, and one that is the last one here.
        let loops = loops_of(&first, &first.maps[2].as_dims()?, along, n_loops)?;
        // Numbers that queries or keys are multiplied by scale the sums of products, which are as wide or wider.
        let known = scale.as_ref().map_or(Some(1.0), |scale| reader.float(scale)).filter(|_| bits(ir, elem) >= 32);
        let mut factor = |i: usize| -> Option<(Part, f64)> {
            let dims: Vec<usize> = first.maps[i].as_dims()?.iter().map(|&d| loops[d]).collect();
            Some(reader.factor(first.inputs[i], dims, known.is_some()))
        };
        let ((lhs, of_lhs), (rhs, of_rhs)) = (factor(0)?, factor(1)?);
        let factors = known.map(|scale| scale * of_lhs * of_rhs).filter(|_| of_lhs != 1.0 || of_rhs != 1.0);
        let (query, key) = match [&lhs, &rhs].map(|part| part.dims.contains(&keys)) {
            [false, true] => (lhs, rhs),
            [true, false] => (rhs, lhs),
            _ => return None,
        };
        let (value, _) = reader.factor(value.value, value.dims, false);
        is_float(ir, elem).then_some(())?;
        Some(Found {
            n_loops: n_loops + 1,
            query,
            key,
            value,
            out,
            keys,
            scale,
            factors,
            mask,
            region,
            given,
            only_masks,
            product: product.clone(),
            elem,
        })
    }

    /// Whether nobody but the attention uses what is made of its scores.
    fn alone(&self, reader: &Reader<'_>, op: OpId) -> bool {
        let ir = reader.ir;
        let Term::Element(tensor, _) = self.product else { return false };
        let mut waiting = vec![tensor];
        let mut known: Vec<OpId> = Vec::new();
        while let Some(value) = waiting.pop() {
            for (user, _) in ir.uses(value) {
                let user = structured_around(ir, user);
                if user == op || known.contains(&user) {
                    continue;
                }
                if !reader.seen.contains(&user) {
                    return false;
                }
                known.push(user);
                waiting.extend(ir.results(user));
            }
        }
        true
    }

    /// Whether the query has rows of its own.
    fn has_rows(&self) -> bool {
        let is_row = |d: &usize| !self.key.dims.contains(d) && !self.value.dims.contains(d);
        self.query.dims.iter().filter(|d| self.out.dims.contains(d)).any(is_row)
    }

    /// Builds the attention in front of the operation that ends it.
    fn build(&self, ir: &mut Ir, op: OpId) -> Option<OpId> {
        let has = |part: &Part, d: usize| part.dims.contains(&d);
        let is_score =
            |&d: &usize| (has(&self.query, d) || has(&self.key, d)) && (has(&self.value, d) || has(&self.out, d));
        let mut scores: Vec<usize> = (0..self.n_loops).filter(is_score).collect();
        let init = Linalg::of(ir, op).outputs[0];
        let empty = ir.operand(ir.def_op(init)?, 1);
        let builder = &mut Builder::before(ir, op);
        let (mut query, mut out) = (self.query.clone(), Part { value: empty, dims: self.out.dims.clone() });
        // A row of its own is the loop behind those that all operands have.
        let row = (!self.has_rows()).then(|| {
            let in_all = |d: usize| [&self.query, &self.key, &self.value, &self.out].iter().all(|part| has(part, d));
            (0..self.n_loops).find(|&d| !in_all(d)).unwrap_or(self.n_loops)
        });
        if let Some(row) = row {
            (query, out) = (with_row(builder, &query), with_row(builder, &out));
            scores.insert(scores.iter().filter(|&&d| d < row).count(), ROW);
        }
        let n_loops = self.n_loops + usize::from(row.is_some());
        let number = |d: usize| match row {
            Some(row) if d == ROW => row,
            Some(row) if d >= row => d + 1,
            _ => d,
        };
        let scale = match (&self.scale, self.factors) {
            (_, Some(scale)) => match builder.ir[self.elem] {
                Type::Float(float) => builder.float(float::round(float, scale), self.elem),
                _ => return None,
            },
            (Some(scale), None) => emit(builder, scale, &[], &scores)?,
            (None, None) => builder.float(1.0, self.elem),
        };
        let parts = [&query, &self.key, &self.value];
        let mut operands: Vec<ValueId> = parts.iter().map(|part| part.value).collect();
        operands.push(scale);
        operands.extend(self.mask.as_ref().map(|mask| mask.value));
        operands.extend(self.given.iter().map(|(_, part)| part.value));
        operands.push(out.value);
        let mut dims: Vec<&[usize]> = parts.iter().map(|part| &part.dims[..]).collect();
        dims.push(&[]);
        dims.extend(self.mask.as_ref().map(|mask| &mask.dims[..]));
        dims.extend(self.given.iter().map(|(_, part)| &part.dims[..]));
        dims.push(&out.dims);
        let map = |dims: &[usize]| Map::of_dims(n_loops, &dims.iter().map(|&d| number(d)).collect::<Vec<_>>());
        let maps = dims.iter().map(|dims| builder.ir.intern(Attr::Map(map(dims)))).collect();
        let mut attrs = vec![("indexing_maps", builder.ir.intern(Attr::Array(maps)))];
        if self.mask.is_some() || !self.only_masks {
            let no = builder.ir.intern(Attr::Bool(false));
            attrs.push(("decomposition_config", builder.ir.dict(&[("use_exp2", no)])));
        }
        if self.mask.is_some() || self.region.is_some() {
            attrs.push((SOFTMAX, builder.ir.intern(Attr::Unit)));
        }
        let ty = builder.ir.type_of(out.value);
        let new = builder.op(Opcode::IreeLinalgExtAttention, &operands, &[ty], &attrs);
        let elem = match bits(builder.ir, self.elem) {
            ..32 => builder.ir.float_type(Float::F32),
            _ => self.elem,
        };
        let region = builder.ir.add_region(new);
        let types = self.given.iter().map(|(_, part)| builder.ir.elem_of(part.value));
        let types: Vec<TypeId> = [elem].into_iter().chain(types).collect();
        let block = builder.ir.add_block(region, &types);
        let (score, elements) = (builder.ir.args(block)[0], builder.ir.args(block)[1..].to_vec());
        let mut inner = Builder::at_end(builder.ir, block, builder.span);
        let value = match &self.region {
            None => Some(score),
            Some(term) => {
                let product = to_float(&mut inner, score, self.elem);
                let given = self.given.iter().map(|(term, _)| term).zip(elements);
                let given: Vec<(&Term, ValueId)> = [(&self.product, product)].into_iter().chain(given).collect();
                let value = emit(&mut inner, term, &given, &scores);
                value.map(|value| to_float(&mut inner, value, elem))
            }
        };
        inner.op(Opcode::IreeLinalgExtYield, &[value.unwrap_or(score)], &[], &[]);
        if value.is_none() {
            ir.erase(new);
            return None;
        }
        Some(new)
    }

    /// Puts the attention in the place of what it stands for.
    fn put(&self, ir: &mut Ir, op: OpId, new: OpId) {
        let (old, mut result) = (ir.result(op, 0), ir.result(new, 0));
        if !self.has_rows() {
            result = without_row(&mut Builder::before(ir, op), result, old);
        }
        let open = [&self.key, &self.value].into_iter().find_map(|part| {
            let at = part.dims.iter().position(|&d| d == self.keys)?;
            (ir.shape_of(part.value)[at] == DYNAMIC).then_some((part.value, at))
        });
        if let Some((tensor, at)) = open.filter(|&(tensor, at)| may_have_none(ir, tensor, at, old)) {
            // A sum of nothing is zero, and the mean of nothing is NaN.
            let empty = ir.operand(ir.def_op(Linalg::of(ir, op).outputs[0]).expect("it is filled"), 1);
            let mut builder = Builder::before(ir, op);
            let (at, index) = (builder.index(at as i64), builder.ir.index_type());
            let n_keys = builder.value(Opcode::TensorDim, &[tensor, at], index, &[]);
            let (bit, zero) = (builder.ir.int_type(1), builder.index(0));
            let equal = builder.ir.i64_attr(0);
            let none = builder.value(Opcode::ArithCmpi, &[n_keys, zero], bit, &[("predicate", equal)]);
            let (rank, elem) = (builder.ir.shape_of(old).len(), builder.ir.elem_of(old));
            let dims: Vec<usize> = (0..rank).collect();
            let [given, out] = [result, empty].map(|value| Part { value, dims: dims.clone() });
            let chosen = structured(&mut builder, &[&given], out, |body, args| {
                let zero = body.splat(0.0, elem);
                body.value(Opcode::ArithSelect, &[none, zero, args[0]], elem, &[])
            });
            result = chosen.value;
        }
        ir.replace_uses(old, result);
        ir.erase(op);
    }
}

/// Whether a result may have elements where a tensor has none along a dimension: queries that are keys as well are not
/// there without these.
fn may_have_none(ir: &Ir, tensor: ValueId, at: usize, result: ValueId) -> bool {
    let Some(mut numbers) = OfArguments::around(ir, ir.def_op(result).expect("an operation gives it")) else {
        return true;
    };
    let Some(extent) = numbers.extent(ir, tensor, at) else { return true };
    let is_own = (0..ir.shape_of(result).len()).any(|d| numbers.extent(ir, result, d).as_ref() == Some(&extent));
    !is_own && !numbers.is_positive(&extent)
}

/// A tensor with one row in front of its last dimension.
fn with_row(builder: &mut Builder<'_>, part: &Part) -> Part {
    let mut sizes: Vec<Mixed> = (0..part.dims.len()).map(|d| sizes::mixed_extent(builder, part.value, d)).collect();
    let mut dims = part.dims.clone();
    let groups = groups_with_row(dims.len());
    sizes.insert(dims.len() - 1, Mixed::Static(1));
    dims.insert(dims.len() - 1, ROW);
    let (shape, open) = unmixed(&sizes);
    let ty = builder.ir.tensor_type(&shape, builder.ir.elem_of(part.value));
    let attrs =
        [("reassociation", builder.ir.reassociation(&groups)), ("static_output_shape", builder.ir.dense_i64(&shape))];
    let value = builder.value(Opcode::TensorExpandShape, &[&[part.value], &open[..]].concat(), ty, &attrs);
    Part { value, dims }
}

/// The tensor that [`with_row`] has added a row to, of the type of another value.
fn without_row(builder: &mut Builder<'_>, value: ValueId, like: ValueId) -> ValueId {
    let ty = builder.ir.type_of(like);
    let groups = groups_with_row(builder.ir.shape_of(like).len());
    let groups = builder.ir.reassociation(&groups);
    builder.value(Opcode::TensorCollapseShape, &[value], ty, &[("reassociation", groups)])
}

/// How many dimensions each of a tensor's dimensions becomes where it gets a row.
fn groups_with_row(rank: usize) -> Vec<i64> {
    (0..rank).map(|d| if d + 1 == rank { 2 } else { 1 }).collect()
}

/// Whether an operation sums products of two tensors along one loop from zero on, and nobody has configured it.
fn is_plain_product(ir: &Ir, op: OpId) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op) else { return false };
    let plain = linalg.inputs.len() == 2
        && linalg.outputs.len() == 1
        && linalg.reduction.iter().filter(|&&reduces| reduces).count() == 1
        && linalg.inputs.iter().all(|&input| ir.ty(input).is_tensor())
        && !["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some());
    let from_zero = || filling(ir, linalg.outputs[0]).and_then(|value| number_of(ir, value)) == Some(0.0);
    plain && body::is_contraction(ir, op) && from_zero()
}

/// The number of each loop of an operation that writes along `written`, which have these numbers; the one that it reduces
/// gets the number `along`.
fn loops_of(linalg: &Linalg, written: &[usize], numbers: &[usize], along: usize) -> Option<Vec<usize>> {
    if written.len() != numbers.len() || written.len() + 1 != linalg.reduction.len() {
        return None;
    }
    let mut loops = vec![along; linalg.reduction.len()];
    for (&own, &number) in written.iter().zip(numbers) {
        if linalg.reduction[own] {
            return None;
        }
        loops[own] = number;
    }
    Some(loops)
}

/// The mask that is added to a score or keeps it, and the score without it.
fn masked(reader: &Reader<'_>, term: &Term, product: &Term) -> Option<(Option<Part>, Term)> {
    let ir = reader.ir;
    let part = |term: &Term| {
        let narrow = reader.only(term, Opcode::ArithExtf).and_then(|term| reader.part(term));
        let part = narrow.or_else(|| reader.part(term))?;
        (!contains(term, product) && distinct(&part.dims)).then_some(part)
    };
    let is_slow = |term: &Term| !contains(term, product) && reader.is_made_slowly(term);
    let adds_slow = reader.pair(term, Opcode::ArithAddf).is_some_and(|terms| terms.into_iter().any(is_slow));
    if reader.is_of(term, product) && !adds_slow {
        return Some((None, term.clone()));
    }
    // Scores that were rounded to be masked.
    let term = reader
        .only(term, Opcode::ArithExtf)
        .filter(|sum| reader.pair(sum, Opcode::ArithAddf).is_some())
        .unwrap_or(term);
    if let Some([a, b]) = reader.pair(term, Opcode::ArithAddf) {
        let (mask, score) = match (part(a), part(b)) {
            (_, Some(mask)) => (mask, a),
            (Some(mask), None) => (mask, b),
            (None, None) => return None,
        };
        return is_float(ir, ir.elem_of(mask.value)).then(|| (Some(mask), score.clone()));
    }
    let Term::Scalar(op, of) = term else { return None };
    match (ir.opcode(*op), &of[..]) {
        (Opcode::ArithSelect, [mask, score, never]) if reader.float(never) == Some(f64::NEG_INFINITY) => {
            let mask = part(mask).filter(|mask| bits(ir, ir.elem_of(mask.value)) == 1)?;
            Some((Some(mask), score.clone()))
        }
        _ => None,
    }
}

/// Whether an expression is another one, or made of it.
fn contains(term: &Term, part: &Term) -> bool {
    term == part || matches!(term, Term::Scalar(_, of) if of.iter().any(|term| contains(term, part)))
}

/// Whether an expression is the same number for each element.
fn is_number(term: &Term) -> bool {
    match term {
        Term::Number(_) => true,
        Term::Scalar(_, of) => of.iter().all(is_number),
        Term::Element(..) | Term::Index(_) => false,
    }
}

/// Whether an expression is of an element of a tensor.
fn has_element(term: &Term) -> bool {
    match term {
        Term::Element(..) => true,
        Term::Scalar(_, of) => of.iter().any(has_element),
        Term::Number(_) | Term::Index(_) => false,
    }
}

/// An expression with another one in the place of a part.
fn replaced(term: &Term, old: &Term, new: &Term) -> Term {
    match term {
        _ if term == old => new.clone(),
        Term::Scalar(op, of) => Term::Scalar(*op, of.iter().map(|term| replaced(term, old, new)).collect()),
        Term::Element(..) | Term::Number(_) | Term::Index(_) => term.clone(),
    }
}

fn distinct(dims: &[usize]) -> bool {
    (0..dims.len()).all(|i| !dims[..i].contains(&dims[i]))
}

/// Writes an expression; `given` are parts of it that are known, and `scores` the loops that indices count.
fn emit(builder: &mut Builder<'_>, term: &Term, given: &[(&Term, ValueId)], scores: &[usize]) -> Option<ValueId> {
    if let Some(&(_, value)) = given.iter().find(|(known, _)| *known == term) {
        return Some(value);
    }
    match term {
        Term::Element(..) => None,
        Term::Number(value) => Some(*value),
        Term::Index(d) => {
            let dim = scores.iter().position(|other| other == d)?;
            let (dim, ty) = (builder.ir.i64_attr(dim as i64), builder.ir.index_type());
            Some(builder.value(Opcode::IreeLinalgExtIndex, &[], ty, &[("dim", dim)]))
        }
        Term::Scalar(op, of) => {
            let operands =
                of.iter().map(|term| emit(builder, term, given, scores)).collect::<Option<Vec<ValueId>>>()?;
            let copy = builder.copy(*op, &mut ValueMap::default());
            builder.ir.set_operands(copy, &operands);
            Some(builder.ir.result(copy, 0))
        }
    }
}

/// The float that a constant is.
fn number_of(ir: &Ir, value: ValueId) -> Option<f64> {
    match ir.attr(ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant)?, "value")? {
        Attr::Float { bits, .. } => Some(f64::from_bits(*bits)),
        _ => None,
    }
}

/// The operation of a block of tensors that an operation is or stands in.
fn structured_around(ir: &Ir, op: OpId) -> OpId {
    let mut op = op;
    while let Some(parent) = ir.parent_op(op).filter(|&parent| Linalg::try_of(ir, parent).is_some()) {
        op = parent;
    }
    op
}
