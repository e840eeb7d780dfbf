//! Computed masks: an attention computes masks, and what else its scores meet, where these are made of indices, numbers and
//! tensors that are not larger.
//!
//! Before: a kernel that writes `select(i >= j, 0, -infinity)` for each head, row and key, repeated and reshaped on the way
//!         to an `iree_linalg_ext.attention` that reads it as its mask
//! After:  the attention, whose region says `select(i >= j, score, -infinity)` of `iree_linalg_ext.index`
//!
//! The idea: an element of such a tensor is an expression of the loops of the attention, found by going back through
//! what makes it (`elements`). What is left of tensors (which keys are padding, as one number for each) are elements that
//! the region asks for. Attention then knows which keys a row sees, and leaves out the blocks that none of its rows does.
//!
//! Does not compute again what costs much: more than a few operations on each score, or functions such as powers, which
//! stay in tensors of the loops that they depend on.

use std::f64::consts::LOG2_E;

use raddle_ir::{Attr, AttrId, BlockId, Builder, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap, float};
use rustc_hash::FxHashMap;

use super::elements::{Node, Reader, leaves};
use super::reshape::collapse;
use crate::configure::attention;
use crate::facts::Facts;
use crate::normalize::attention::{Attention, Part, counted, uses_exp2};
use crate::normalize::loops::{bits, is_float, to_float};

/// Operations on one score, at most.
const OPERATIONS_MAX: usize = 48;

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
    let mut reader = Reader::new(ir, attention.extents(ir));
    let mut read = |part: &Part| computed(ir, &mut reader, part, &scores);
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

/// The expression of an element of a tensor that had better be computed.
fn computed(ir: &Ir, reader: &mut Reader<'_>, part: &Part, scores: &[usize]) -> Option<usize> {
    let first = reader.nodes.len();
    let elem = ir.elem_of(part.value);
    if !part.dims.iter().all(|d| scores.contains(d)) || matches!(ir[elem], Type::Index) {
        return None;
    }
    let root = reader.read(part.value, &part.dims).filter(|&root| {
        let is_less = |&leaf: &usize| match reader.nodes[leaf] {
            Node::Element(value, _) => reader.is_small(value) || bits(ir, ir.elem_of(value)) <= bits(ir, elem),
            _ => true,
        };
        let made = &reader.nodes[first..];
        !matches!(reader.nodes[root], Node::Element(..))
            && leaves(&reader.nodes, &[root]).iter().all(is_less)
            && reader.operations(made) <= OPERATIONS_MAX
            && !reader.are_costly(made)
    });
    if root.is_none() {
        reader.forget(first);
    }
    root
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
            Node::Whole(whole, ty) => match whole.as_number() {
                Some(number) => builder.int(number, *ty),
                None => {
                    let place = counted(builder, &self.scores, &whole.expr());
                    match builder.ir.type_of(place) == *ty {
                        true => place,
                        false => builder.value(Opcode::ArithIndexCast, &[place], *ty, &[]),
                    }
                }
            },
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
            Node::Constant(_, ty) | Node::Whole(_, ty) => *ty,
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
            Node::Place(_) | Node::Whole(..) | Node::Element(..) => return None,
        };
        if let Attr::Float { bits, .. } = attr { Some(f64::from_bits(*bits)) } else { None }
    }
}
