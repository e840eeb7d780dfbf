//! Computed masks: an attention computes masks, and what else its scores meet, where these are made of indices, numbers and
//! tensors that are not larger.
//!
//! Before: a kernel that writes `select(i >= j, 0, -infinity)` for each head, row and key, repeated and reshaped on the way
//!         to an `iree_linalg_ext.attention` that reads it as its mask
//! After:  the attention, whose region says `select(i >= j, score, -infinity)` of `iree_linalg_ext.index`
//!
//! The idea: an element of such a tensor is an expression of the loops of the attention, found by going back through
//! elementwise operations, reshapes, slices and repetitions. What is left of tensors (which keys are padding, as one
//! number for each) are elements that the region asks for. Attention then knows which keys a row sees, and leaves out the
//! blocks that none of its rows does.
//!
//! Does not compute again what costs much: more than a few operations on each score, or functions such as powers, which
//! stay in tensors of the loops that they depend on.

use std::f64::consts::LOG2_E;

use raddle_ir::affine::BinOp;
use raddle_ir::views::Linalg;
use raddle_ir::{
    Attr, AttrId, BlockId, Builder, Class, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap, float,
};
use rustc_hash::FxHashMap;

use super::again::elements;
use super::reshape::{collapse, groups};
use crate::configure::attention;
use crate::facts::Facts;
use crate::normalize::attention::{Attention, Part, counted, uses_exp2};
use crate::normalize::loops::{bits, is_costly, is_float, to_float};

/// Operations on one score, at most.
const OPERATIONS_MAX: usize = 48;
/// Operations on elements of a tensor that does not have all loops, at most: more are done once, in front.
const OPERATIONS_OF_PART: usize = 6;
/// By how much fewer elements a tensor has that may be made in front.
const SMALLER: i64 = 16;
/// Tensors and operations that are looked at for one tensor, at most.
const VISITS_MAX: usize = 512;

/// Takes masks that are computed into the attentions of some blocks.
pub(super) fn take_in(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    let is_attention = |&op: &OpId| ir.opcode(op) == Opcode::IreeLinalgExtAttention;
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).filter(is_attention).collect::<Vec<_>>() {
        let Some(new) = rewritten(ir, op) else { continue };
        if attention::fits(ir, new, facts).is_err() {
            ir.erase(new);
            continue;
        }
        let [old, made] = [op, new].map(|op| ir.result(op, 0));
        ir.replace_uses(old, made);
        ir.erase(op);
    }
}

/// The same attention with masks in its region.
fn rewritten(ir: &mut Ir, op: OpId) -> Option<OpId> {
    let attention = Attention::of(ir, op).filter(|attention| attention.outputs.len() == 1)?;
    let scores = attention.scores();
    let mut reader = Reader { ir, nodes: Vec::new(), known: FxHashMap::default(), elements: 0, visits: 0 };
    let mut read = |part: &Part| reader.computed(part, &scores);
    let mask = attention.mask.as_ref().and_then(&mut read);
    let given: Vec<Option<usize>> = attention.given.iter().map(read).collect();
    if mask.is_none() && given.iter().all(Option::is_none) {
        return None;
    }
    let nodes = reader.nodes;
    let roots: Vec<usize> = mask.iter().chain(given.iter().flatten()).copied().collect();
    let leaves = leaves(&nodes, &roots);

    let builder = &mut Builder::before(ir, op);
    let Attention { query, key, value, scale, .. } = &attention;
    let mut parts: Vec<Part> = [query, key, value, scale].map(Part::clone).to_vec();
    parts.extend(attention.mask.clone().filter(|_| mask.is_none()));
    // What the region asks for: what it did, and the elements that masks are made of.
    let kept: Vec<&Part> = attention.given.iter().zip(&given).filter(|at| at.1.is_none()).map(|at| at.0).collect();
    parts.extend(kept.iter().map(|&part| part.clone()));
    for &leaf in &leaves {
        if let Node::Element(value, dims) = &nodes[leaf] {
            parts.push(without_ones(builder, *value, dims));
        }
    }
    let asked = &parts[parts.len() - kept.len() - leaves.len()..];
    let types: Vec<TypeId> =
        [attention.elem].into_iter().chain(asked.iter().map(|part| builder.ir.elem_of(part.value))).collect();
    parts.push(attention.outputs[0].clone());

    let maps = parts.iter().map(|part| builder.ir.intern(Attr::Map(Map::of_dims(attention.n_loops, &part.dims))));
    let maps = maps.collect();
    let maps = builder.ir.intern(Attr::Array(maps));
    let attrs: Vec<(String, AttrId)> =
        builder.ir.attrs(op).iter().map(|&(name, attr)| (builder.ir[name].to_owned(), attr)).collect();
    let attrs: Vec<(&str, AttrId)> =
        attrs.iter().map(|(name, attr)| (name.as_str(), if name == "indexing_maps" { maps } else { *attr })).collect();
    let operands: Vec<ValueId> = parts.iter().map(|part| part.value).collect();
    let ty = builder.ir.type_of(builder.ir.result(op, 0));
    let new = builder.op(Opcode::IreeLinalgExtAttention, &operands, &[ty], &attrs);
    let region = builder.ir.add_region(new);
    let block = builder.ir.add_block(region, &types);
    let args = builder.ir.args(block).to_vec();
    let mut inner = Builder::at_end(builder.ir, block, builder.span);
    let mut writer = Writer { nodes: &nodes, scores, made: FxHashMap::default() };
    leaves.iter().zip(&args[1 + kept.len()..]).for_each(|(&leaf, &arg)| {
        writer.made.insert(leaf, arg);
    });
    let (mut map, mut others) = (ValueMap::default(), args[1..].iter());
    let old = inner.ir.entry(op);
    map.set(inner.ir.args(old)[0], args[0]);
    for (at, made) in given.iter().enumerate() {
        let value = match made {
            Some(node) => writer.value(&mut inner, *node),
            None => *others.next().expect("one argument for each tensor"),
        };
        let arg = inner.ir.args(old)[1 + at];
        map.set(arg, value);
    }
    for made in inner.ir.ops_of(old) {
        if inner.ir.opcode(made) != Opcode::IreeLinalgExtYield {
            inner.copy(made, &mut map);
            continue;
        }
        let mut score = map.get(inner.ir.operand(made, 0));
        if let Some(mask) = mask {
            let exp2 = uses_exp2(inner.ir, op);
            score = writer.masked(&mut inner, score, mask, attention.elem, exp2);
        }
        inner.op(Opcode::IreeLinalgExtYield, &[score], &[], &[]);
    }
    Some(new)
}

/// A part of an element's expression.
enum Node {
    /// A number that is known outside.
    Number(ValueId),
    /// The number of which all elements of a tensor are, and its type.
    Constant(Attr, TypeId),
    /// An index, as an expression of loops.
    Place(Expr),
    /// The element of a tensor along these loops; a dimension of one element goes along none.
    Element(ValueId, Vec<Option<usize>>),
    /// What a scalar operation like this one gives.
    Scalar(OpId, Vec<usize>),
}

struct Reader<'ir> {
    ir: &'ir Ir,
    nodes: Vec<Node>,
    /// The elements of tensors that have been read.
    known: FxHashMap<(ValueId, Vec<Expr>), Option<usize>>,
    /// How many elements the tensor has that is read for the attention.
    elements: i64,
    /// What has been looked at for it.
    visits: usize,
}

impl Reader<'_> {
    /// The expression of an element of a tensor that had better be computed.
    fn computed(&mut self, part: &Part, scores: &[usize]) -> Option<usize> {
        let first = self.nodes.len();
        (self.elements, self.visits) = (elements(self.ir, part.value), 0);
        if !part.dims.iter().all(|d| scores.contains(d)) || matches!(self.ir[self.ir.elem_of(part.value)], Type::Index)
        {
            return None;
        }
        let places: Vec<Expr> = part.dims.iter().map(|&d| Expr::Dim(d as u32)).collect();
        let width = bits(self.ir, self.ir.elem_of(part.value));
        let root = self.element(part.value, places).filter(|&root| {
            let read = leaves(&self.nodes, &[root]);
            let is_less = |&leaf: &usize| match self.nodes[leaf] {
                Node::Element(value, _) => self.is_small(value) || bits(self.ir, self.ir.elem_of(value)) <= width,
                _ => true,
            };
            let made = &self.nodes[first..];
            !matches!(self.nodes[root], Node::Element(..))
                && read.iter().all(is_less)
                && self.operations(made) <= OPERATIONS_MAX
                && !self.are_costly(made)
        });
        if root.is_none() {
            self.forget(first);
        }
        root
    }

    /// Whether a tensor has far fewer elements than the one that is read for the attention.
    fn is_small(&self, value: ValueId) -> bool {
        elements(self.ir, value).saturating_mul(SMALLER) <= self.elements
    }

    /// Takes back what has been read since there were so many nodes.
    fn forget(&mut self, first: usize) {
        self.nodes.truncate(first);
        self.known.retain(|_, node| node.is_some_and(|node| node < first));
    }

    fn operations(&self, nodes: &[Node]) -> usize {
        nodes.iter().filter(|node| matches!(node, Node::Scalar(_, of) if !of.is_empty())).count()
    }

    /// Whether one of these operations takes many instructions.
    fn are_costly(&self, nodes: &[Node]) -> bool {
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
                    of_long.extend(divided(place, &ir.shape_of(long)[at..at + n])?);
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
                // A tensor that the attention reads is as long as its loops, which go through the slice alone.
                let cut: Vec<&Expr> = (0..sizes.len())
                    .filter(|&d| sizes[d] == DYNAMIC || sizes[d] != ir.shape_of(whole)[d])
                    .map(|d| &places[d])
                    .collect();
                let is_cut = |d: usize| cut.iter().any(|place| place.names(&|e| e == d));
                let fits = |&leaf: &usize| match &self.nodes[leaf] {
                    Node::Element(_, dims) => !dims.iter().flatten().any(|&d| is_cut(d)),
                    Node::Number(_) | Node::Constant(..) | Node::Place(_) | Node::Scalar(..) => true,
                };
                leaves(&self.nodes, &[node]).iter().all(fits).then_some(node)
            }
            _ => self.of_body(op, tensor, places),
        }
    }

    /// The element that an elementwise operation gives.
    fn of_body(&mut self, op: OpId, tensor: ValueId, places: &[Expr]) -> Option<usize> {
        let ir = self.ir;
        let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
        let at = ir.results(op).position(|result| result == tensor)?;
        let written = linalg.maps[linalg.inputs.len() + at].as_dims()?;
        let mut loops: Vec<Option<Expr>> = vec![None; linalg.reduction.len()];
        written.iter().zip(places).for_each(|(&d, place)| loops[d] = Some(place.clone()));
        let loops = loops.into_iter().collect::<Option<Vec<Expr>>>().filter(|_| written.len() == places.len())?;
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
                } else {
                    let is_plain = matches!(ir.class(made), Class::Elementwise | Class::Constant)
                        && ir.regions(made).is_empty()
                        && ir.results(made).len() == 1;
                    if !is_plain {
                        return None;
                    }
                    let operands = ir.operands(made).to_vec();
                    let of = operands.into_iter().map(|operand| self.scalar(operand, op, linalg, loops, known));
                    let of = of.collect::<Option<Vec<usize>>>()?;
                    self.push(Node::Scalar(made, of))
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
fn leaves(nodes: &[Node], roots: &[usize]) -> Vec<usize> {
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

/// A tensor without dimensions of one element that go along no loop.
fn without_ones(builder: &mut Builder<'_>, value: ValueId, dims: &[Option<usize>]) -> Part {
    let (mut sizes, mut first) = (Vec::new(), 0);
    for dim in dims {
        match (dim, sizes.last_mut()) {
            (None, Some(size)) => *size += 1,
            (None, None) => first += 1,
            (Some(_), _) => sizes.push(1 + std::mem::take(&mut first)),
        }
    }
    Part { value: collapse(builder, value, &sizes), dims: dims.iter().flatten().copied().collect() }
}

/// Expressions in the region of an attention whose scores have these loops.
struct Writer<'a> {
    nodes: &'a [Node],
    scores: Vec<usize>,
    made: FxHashMap<usize, ValueId>,
}

impl Writer<'_> {
    fn value(&mut self, builder: &mut Builder<'_>, node: usize) -> ValueId {
        if let Some(&value) = self.made.get(&node) {
            return value;
        }
        let value = match &self.nodes[node] {
            Node::Number(value) => *value,
            Node::Constant(number, ty) => builder.constant(number.clone(), *ty),
            Node::Place(place) => counted(builder, &self.scores, place),
            Node::Scalar(op, of) => {
                let operands: Vec<ValueId> = of.iter().map(|&node| self.value(builder, node)).collect();
                let copy = builder.copy(*op, &mut ValueMap::default());
                builder.ir.set_operands(copy, &operands);
                builder.ir.result(copy, 0)
            }
            Node::Element(..) => unreachable!("elements are arguments of the region"),
        };
        self.made.insert(node, value);
        value
    }

    /// A score behind a mask.
    fn masked(&mut self, builder: &mut Builder<'_>, score: ValueId, mask: usize, elem: TypeId, exp2: bool) -> ValueId {
        let own = self.type_of(builder.ir, mask);
        if is_float(builder.ir, own) {
            let added = self.added(builder, mask, elem, exp2);
            return builder.binary(Opcode::ArithAddf, score, added);
        }
        let bit = builder.ir.int_type(1);
        let mut keeps = self.value(builder, mask);
        if own != bit {
            keeps = builder.value(Opcode::ArithTrunci, &[keeps], bit, &[]);
        }
        let never = builder.float(f64::NEG_INFINITY, elem);
        builder.value(Opcode::ArithSelect, &[keeps, score, never], elem, &[])
    }

    /// What a mask adds to scores: numbers that it chooses are those that scores have.
    fn added(&mut self, builder: &mut Builder<'_>, mask: usize, elem: TypeId, exp2: bool) -> ValueId {
        if let Node::Scalar(op, of) = &self.nodes[mask]
            && builder.ir.opcode(*op) == Opcode::ArithSelect
            && let &[condition, a, b] = &of[..]
        {
            let condition = self.value(builder, condition);
            let [a, b] = [a, b].map(|node| self.added(builder, node, elem, exp2));
            return builder.value(Opcode::ArithSelect, &[condition, a, b], elem, &[]);
        }
        if let (Some(number), Type::Float(format)) = (self.number(builder.ir, mask), &builder.ir[elem]) {
            let (format, number) = (*format, float::round(*format, number));
            let factor = if exp2 { float::round(format, LOG2_E) } else { 1.0 };
            return builder.float(float::round(format, number * factor), elem);
        }
        let value = self.value(builder, mask);
        let value = to_float(builder, value, elem);
        match exp2 {
            false => value,
            true => {
                let factor = builder.splat(LOG2_E, elem);
                builder.binary(Opcode::ArithMulf, value, factor)
            }
        }
    }

    fn type_of(&self, ir: &Ir, node: usize) -> TypeId {
        match &self.nodes[node] {
            Node::Number(value) => ir.type_of(*value),
            Node::Constant(_, ty) => *ty,
            Node::Place(_) => unreachable!("an index is not an element"),
            Node::Element(value, _) => ir.elem_of(*value),
            Node::Scalar(op, _) => ir.type_of(ir.result(*op, 0)),
        }
    }

    /// The float that an expression is, if that is known.
    fn number(&self, ir: &Ir, node: usize) -> Option<f64> {
        let constant = |op: OpId| ir.attr(op, "value").filter(|_| ir.opcode(op) == Opcode::ArithConstant);
        let attr = match &self.nodes[node] {
            Node::Number(value) => constant(ir.def_op(*value)?)?,
            Node::Constant(number, _) => number,
            Node::Scalar(op, _) => constant(*op)?,
            Node::Place(_) | Node::Element(..) => return None,
        };
        if let Attr::Float { bits, .. } = attr { Some(f64::from_bits(*bits)) } else { None }
    }
}
