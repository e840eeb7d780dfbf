//! Elements: what an element of a tensor is made of, as an expression of loops.
//!
//! Found by going back through elementwise operations, reshapes, slices, concatenations and repetitions. Whole numbers
//! that are sums of loops are known as such (`whole`), also behind reads by number and in partial sums of one number.
//! What is left of tensors are elements that a loop goes along.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Class, DYNAMIC, Expr, Ir, OpId, Opcode, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

use super::again;
use super::reshape::groups;
use crate::normalize::loops::is_costly;
use crate::structured::scans::Scan;
use whole::Known;
pub(super) use whole::Whole;

mod choices;
mod whole;

/// Operations on elements of a tensor that does not have all loops, at most: more are done once, in front.
const OPERATIONS_OF_PART: usize = 6;
/// By how much fewer elements a tensor has that may be made in front.
const SMALLER: i64 = 16;
/// Tensors and operations that are looked at for one tensor, at most.
const VISITS_MAX: usize = 512;

/// A part of an element's expression.
pub(super) enum Node {
    /// A number that is known outside.
    Number(ValueId),
    /// The number of which all elements of a tensor are, and its type.
    Constant(Attr, TypeId),
    /// An index, as an expression of loops.
    Place(Expr),
    /// A whole number of a type.
    Whole(Whole, TypeId),
    /// The element of a tensor along these loops; a dimension of one element goes along none.
    Element(ValueId, Vec<Option<usize>>),
    /// What a scalar operation like this one gives.
    Scalar(OpId, Vec<usize>),
}

/// What has been read for an operation.
pub(super) struct Reader<'ir> {
    ir: &'ir Ir,
    /// How long the loops are.
    extents: Vec<i64>,
    pub nodes: Vec<Node>,
    /// The elements of tensors that have been read.
    known: FxHashMap<(ValueId, Vec<Expr>), Option<usize>>,
    /// How many elements the tensor has that is read.
    elements: i64,
    /// What has been looked at for it.
    visits: usize,
}

impl<'ir> Reader<'ir> {
    /// Nothing has been read for an operation whose loops have these extents.
    pub fn new(ir: &'ir Ir, extents: Vec<i64>) -> Reader<'ir> {
        Reader { ir, extents, nodes: Vec::new(), known: FxHashMap::default(), elements: 0, visits: 0 }
    }

    /// The element of a tensor along loops, as an expression: the number of its node.
    pub fn read(&mut self, tensor: ValueId, loops: &[usize]) -> Option<usize> {
        self.read_at(tensor, loops.iter().map(|&d| Expr::Dim(d as u32)).collect())
    }

    /// The same of the element at a place.
    pub fn read_at(&mut self, tensor: ValueId, places: Vec<Expr>) -> Option<usize> {
        (self.elements, self.visits) = (again::elements(self.ir, tensor), 0);
        self.element(tensor, places)
    }

    /// Whether a tensor has far fewer elements than the one that is read.
    pub fn is_small(&self, value: ValueId) -> bool {
        again::elements(self.ir, value).saturating_mul(SMALLER) <= self.elements
    }

    /// Takes back what has been read since there were so many nodes.
    pub fn forget(&mut self, first: usize) {
        self.nodes.truncate(first);
        self.known.retain(|_, node| node.is_some_and(|node| node < first));
    }

    pub fn operations(&self, nodes: &[Node]) -> usize {
        nodes.iter().filter(|node| matches!(node, Node::Scalar(_, of) if !of.is_empty())).count()
    }

    /// Whether one of these operations takes many instructions.
    pub fn are_costly(&self, nodes: &[Node]) -> bool {
        nodes.iter().any(|node| matches!(node, Node::Scalar(op, _) if is_costly(self.ir, *op)))
    }

    /// The element of a tensor at a place.
    fn element(&mut self, tensor: ValueId, mut places: Vec<Expr>) -> Option<usize> {
        let ir = self.ir;
        if !ir.ty(tensor).is_tensor() {
            return Some(self.push(Node::Number(tensor)));
        }
        for (place, &extent) in places.iter_mut().zip(ir.shape_of(tensor)) {
            if extent == 1 {
                *place = Expr::Const(0);
            }
        }
        let key = (tensor, places);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.visits += 1;
        if self.visits > VISITS_MAX {
            return None;
        }
        let first = self.nodes.len();
        let node = self.made(tensor, &key.1).filter(|_| {
            let made = &self.nodes[first..];
            let reads = made.iter().any(|node| matches!(node, Node::Element(..)));
            !self.is_small(tensor) || !(self.are_costly(made) || reads && self.operations(made) > OPERATIONS_OF_PART)
        });
        let node = node.or_else(|| {
            self.forget(first);
            self.leaf(tensor, &key.1)
        });
        self.known.insert(key, node);
        node
    }

    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The element as one of memory.
    fn leaf(&mut self, tensor: ValueId, places: &[Expr]) -> Option<usize> {
        let dim = |(place, &extent): (&Expr, &i64)| match place {
            Expr::Dim(d) => Some(Some(*d as usize)),
            Expr::Const(0) if extent == 1 => Some(None),
            _ => None,
        };
        let dims: Vec<Option<usize>> = places.iter().zip(self.ir.shape_of(tensor)).map(dim).collect::<Option<_>>()?;
        let known: Vec<usize> = dims.iter().flatten().copied().collect();
        let distinct = (0..known.len()).all(|i| !known[..i].contains(&known[i]));
        distinct.then(|| self.push(Node::Element(tensor, dims)))
    }

    /// The element as what it is made of.
    fn made(&mut self, tensor: ValueId, places: &[Expr]) -> Option<usize> {
        let ir = self.ir;
        let op = ir.def_op(tensor)?;
        let sum = |a: Expr, b: Expr| Expr::binary(BinOp::Add, a, b);
        let times = |a: Expr, n: i64| Expr::binary(BinOp::Mul, a, Expr::Const(n));
        match ir.opcode(op) {
            Opcode::ArithConstant => match ir.attr(op, "value")? {
                dense @ Attr::Dense { splat: true, .. } => {
                    let number = ir.dense_elems(dense).into_iter().next()?;
                    Some(self.push(Node::Constant(number, ir.elem_of(tensor))))
                }
                _ => None,
            },
            Opcode::LinalgFill => Some(self.push(Node::Number(ir.operand(op, 0)))),
            Opcode::TensorConcat => self.of_piece(op, places),
            Opcode::IreeLinalgExtScan => self.of_scan(op, tensor, places),
            Opcode::TensorCast => self.element(ir.operand(op, 0), places.to_vec()),
            Opcode::TensorExpandShape => {
                let (mut at, mut short) = (0, Vec::new());
                for n in groups(ir, op)? {
                    let extents = &ir.shape_of(tensor)[at..at + n];
                    let mut place = Expr::Const(0);
                    for (i, &extent) in extents.iter().enumerate() {
                        if i > 0 && extent == DYNAMIC && place != Expr::Const(0) {
                            return None;
                        }
                        let before = if place == Expr::Const(0) { place } else { times(place, extent) };
                        place = sum(before, places[at + i].clone());
                    }
                    short.push(place);
                    at += n;
                }
                self.element(ir.operand(op, 0), short)
            }
            Opcode::TensorCollapseShape => {
                let long = ir.operand(op, 0);
                let (mut at, mut of_long) = (0, Vec::new());
                for (n, place) in groups(ir, op)?.into_iter().zip(places) {
                    let digits = divided(place, &ir.shape_of(long)[at..at + n])?;
                    // The number of a row and a column has these as its digits.
                    let plain = |digit: Expr| {
                        Whole::with_quotients(&digit, &self.extents)
                            .and_then(|whole| whole.as_loop())
                            .map_or(digit, Expr::Dim)
                    };
                    of_long.extend(digits.into_iter().map(plain));
                    at += n;
                }
                self.element(long, of_long)
            }
            Opcode::TensorExtractSlice => {
                let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr));
                let (offsets, sizes, steps) = (list("static_offsets")?, list("static_sizes")?, list("static_strides")?);
                let whole = ir.operand(op, 0);
                if offsets.len() != places.len() || [&offsets, &steps].iter().any(|list| list.contains(&DYNAMIC)) {
                    return None;
                }
                let place = |(place, (&offset, &step)): (&Expr, (&i64, &i64))| {
                    sum(times(place.clone(), step), Expr::Const(offset))
                };
                let of_whole = places.iter().zip(offsets.iter().zip(&steps)).map(place).collect();
                let node = self.element(whole, of_whole)?;
                // A tensor whose elements are asked for is as long as the loops, which go through the slice alone.
                let cut: Vec<&Expr> = (0..sizes.len())
                    .filter(|&d| sizes[d] == DYNAMIC || sizes[d] != ir.shape_of(whole)[d])
                    .map(|d| &places[d])
                    .collect();
                let is_cut = |d: usize| cut.iter().any(|place| place.names(&|e| e == d));
                let fits = |&leaf: &usize| match &self.nodes[leaf] {
                    Node::Element(_, dims) => !dims.iter().flatten().any(|&d| is_cut(d)),
                    _ => true,
                };
                leaves(&self.nodes, &[node]).iter().all(fits).then_some(node)
            }
            _ => self.of_body(op, tensor, places),
        }
    }

    /// The whole number that an expression is.
    pub fn whole(&self, node: usize) -> Option<Whole> {
        let of_attr = |attr: &Attr, ty: TypeId| match self.ir[ty] {
            Type::Integer { width: 1, .. } => Some(Whole::number((attr.as_i64()? != 0).into())),
            Type::Integer { .. } | Type::Index => Some(Whole::number(attr.as_i64()?)),
            _ => None,
        };
        let of_value = |value: ValueId| {
            let made = self.ir.def_op(value).filter(|&made| self.ir.opcode(made) == Opcode::ArithConstant)?;
            of_attr(self.ir.attr(made, "value")?, self.ir.type_of(value))
        };
        match &self.nodes[node] {
            Node::Whole(whole, _) => Some(whole.clone()),
            Node::Place(place) => Whole::of(place),
            Node::Constant(attr, ty) => of_attr(attr, *ty),
            Node::Number(value) => of_value(*value),
            Node::Scalar(op, of) if of.is_empty() => of_value(self.ir.result(*op, 0)),
            Node::Scalar(..) | Node::Element(..) => None,
        }
    }

    /// The element of one of the tensors that a concatenation puts side by side.
    fn of_piece(&mut self, op: OpId, places: &[Expr]) -> Option<usize> {
        let ir = self.ir;
        let dim = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
        let place = Whole::of(places.get(dim)?)?;
        let at = |place: &Whole| {
            let mut of_piece = places.to_vec();
            of_piece[dim] = place.expr();
            of_piece
        };
        let (least, greatest) = place.range(&self.extents);
        let mut start = 0;
        for &piece in ir.operands(op) {
            let extent = ir.shape_of(piece)[dim];
            let behind = |start: i64| place.plus(&Whole::number(start), -1);
            if least >= start.into() && (extent == DYNAMIC || greatest < i128::from(start) + i128::from(extent)) {
                return self.element(piece, at(&behind(start)?));
            }
            // Two numbers may be one expression, as -1 in front of those from 0 on.
            if let (Some(d), 0, 1, &[_, others]) = (place.as_loop(), start, extent, ir.operands(op)) {
                let first = self.element(piece, at(&Whole::number(0)))?;
                let others = self.element(others, at(&behind(1)?))?;
                return self.whole(first)?.is(&self.whole(others)?.begun(d)).then_some(others);
            }
            if extent == DYNAMIC {
                return None;
            }
            start += extent;
        }
        None
    }

    /// The element of partial sums of one number.
    fn of_scan(&mut self, op: OpId, tensor: ValueId, places: &[Expr]) -> Option<usize> {
        let ir = self.ir;
        let scan = Scan::of(ir, op)?;
        if scan.combiner.opcode != Opcode::ArithAddi || tensor != ir.result(op, 0) {
            return None;
        }
        let along = Whole::of(&places[scan.dim])?;
        let others: Vec<Expr> = (0..places.len()).filter(|&d| d != scan.dim).map(|d| places[d].clone()).collect();
        // What holds for each place that the loop goes to holds for all in front of it.
        let goes_along = match along.as_loop() {
            Some(d) => !others.iter().any(|place| place.names(&|other| other == d as usize)),
            None => along.as_number() == Some(0),
        };
        let number = self.element(scan.linalg.inputs[0], places.to_vec()).filter(|_| goes_along)?;
        let number = Whole::number(self.whole(number)?.as_number()?);
        let sum = along.times(&number)?;
        // What is accumulated begins with the first element, or else with the accumulator.
        let sum = match scan.inclusive {
            true => sum.plus(&number, 1)?,
            false => {
                let begin = self.element(scan.linalg.outputs[1], others)?;
                sum.plus(&self.whole(begin)?, 1)?
            }
        };
        let ty = ir.elem_of(tensor);
        sum.fits(ir, ty, &self.extents).then(|| self.push(Node::Whole(sum, ty)))
    }

    /// The element that an elementwise operation gives.
    fn of_body(&mut self, op: OpId, tensor: ValueId, places: &[Expr]) -> Option<usize> {
        let ir = self.ir;
        let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
        let at = ir.results(op).position(|result| result == tensor)?;
        let mut loops: Vec<Option<Expr>> = vec![None; linalg.reduction.len()];
        for (written, place) in linalg.maps[linalg.inputs.len() + at].results.iter().zip(places) {
            match *written {
                Expr::Dim(d) => loops[d as usize] = Some(place.clone()),
                Expr::Const(0) if *place == Expr::Const(0) => {}
                _ => return None,
            }
        }
        let loops = loops.into_iter().collect::<Option<Vec<Expr>>>()?;
        let end = ir.operand(ir.terminator(ir.body(op, 0)?)?, at);
        let mut known = FxHashMap::default();
        self.scalar(end, op, &linalg, &loops, &mut known)
    }

    /// A value in the body of a structured operation whose loops are at these places.
    fn scalar(
        &mut self,
        value: ValueId,
        op: OpId,
        linalg: &Linalg,
        loops: &[Expr],
        known: &mut FxHashMap<ValueId, usize>,
    ) -> Option<usize> {
        let ir = self.ir;
        if let Some(&node) = known.get(&value) {
            return Some(node);
        }
        self.visits += 1;
        if self.visits > VISITS_MAX {
            return None;
        }
        let block = ir.entry(op);
        let node = match ir.def_op(value) {
            None if ir.args(block).contains(&value) => {
                let at = ir.args(block).iter().position(|&arg| arg == value)?;
                let tensor = *linalg.inputs.iter().chain(&linalg.outputs).nth(at)?;
                let places = linalg.maps[at].results.iter().map(|expr| expr.replaced(loops, &[])).collect();
                self.element(tensor, places)?
            }
            Some(made) if ir.parent_block(made) == Some(block) => {
                if ir.opcode(made) == Opcode::LinalgIndex {
                    let dim = ir.attr(made, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
                    self.push(Node::Place(loops.get(dim)?.clone()))
                } else if ir.opcode(made) == Opcode::TensorExtract {
                    let (&base, indices) = ir.operands(made).split_first()?;
                    let mut places = Vec::new();
                    for &index in indices {
                        let node = self.scalar(index, op, linalg, loops, known)?;
                        places.push(self.whole(node)?.expr());
                    }
                    self.element(base, places)?
                } else {
                    let is_plain = (matches!(ir.class(made), Class::Elementwise | Class::Constant)
                        || ir.opcode(made) == Opcode::AffineApply)
                        && ir.regions(made).is_empty()
                        && ir.results(made).len() == 1;
                    if !is_plain {
                        return None;
                    }
                    let operands = ir.operands(made).to_vec();
                    let of = operands.into_iter().map(|operand| self.scalar(operand, op, linalg, loops, known));
                    let of = of.collect::<Option<Vec<usize>>>()?;
                    let wholes: Vec<Option<Whole>> = of.iter().map(|&node| self.whole(node)).collect();
                    match whole::known(ir, made, &wholes, &self.extents) {
                        Some(Known::Operand(at)) => of[at],
                        Some(Known::Whole(whole)) => self.push(Node::Whole(whole, ir.type_of(value))),
                        None => self.push(Node::Scalar(made, of)),
                    }
                }
            }
            _ => self.push(Node::Number(value)),
        };
        known.insert(value, node);
        Some(node)
    }
}

/// The places along dimensions of these extents whose place along all of them is known.
fn divided(place: &Expr, extents: &[i64]) -> Option<Vec<Expr>> {
    let long: Vec<usize> = (0..extents.len()).filter(|&d| extents[d] != 1).collect();
    let mut places = vec![Expr::Const(0); extents.len()];
    let Some((&first, others)) = long.split_first() else { return Some(places) };
    let mut rest = place.clone();
    for &d in others.iter().rev() {
        if extents[d] == DYNAMIC {
            return None;
        }
        let extent = Expr::Const(extents[d]);
        places[d] = Expr::binary(BinOp::Mod, rest.clone(), extent.clone());
        rest = Expr::binary(BinOp::FloorDiv, rest, extent);
    }
    places[first] = rest;
    Some(places)
}

/// The elements of memory that expressions are made of.
pub(super) fn leaves(nodes: &[Node], roots: &[usize]) -> Vec<usize> {
    let (mut waiting, mut seen) = (roots.to_vec(), Vec::new());
    while let Some(node) = waiting.pop() {
        if seen.contains(&node) {
            continue;
        }
        seen.push(node);
        if let Node::Scalar(_, of) = &nodes[node] {
            waiting.extend(of);
        }
    }
    seen.retain(|&node| matches!(nodes[node], Node::Element(..)));
    seen.sort_unstable();
    seen
}
