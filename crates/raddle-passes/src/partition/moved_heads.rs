//! Moved heads: an attention reads queries, keys, values and masks where they lie, and writes where its result is wanted.
//!
//! Before: `linalg.transpose` of `tensor<8x384x12x64xf16>` to heads of their own, a mask that `linalg.generic` repeats for
//!         each head, `tensor.collapse_shape` of both to 96 matrices, an `iree_linalg_ext.attention` of these,
//!         `tensor.expand_shape` of its result, and a `linalg.transpose` back
//! After:  one `iree_linalg_ext.attention` whose map of the query is `(b, h, m, n, k1, k2) -> (b, m, h, k1)`, and that of the
//!         mask `(b, m, k2)`
//!
//! This is how PyTorch writes attention. Keys and values that several heads share are read as they are, too. Copies ahead
//! take a tensor that lies in memory, not one that a kernel makes of it.
//!
//! Three rewrites, as long as one applies: an operand is read from in front of what transposes or repeats it; a loop that
//! such an operand, or a slice, has as several dimensions becomes several; what rounds and transposes the result alone becomes part of
//! the attention. None of them is done to an attention that would then not be a kernel.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Attr, BlockId, Builder, Expr, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};

use super::flatten::only_user;
use super::moved_factors::before;
use super::reshape::{self, collapse, expand, extents, groups};
use super::slices;
use crate::configure::attention;
use crate::facts::Facts;
use crate::normalize::attention::{Attention, Part, recount};
use crate::structured::body;

/// Lets the attentions of some blocks read and write in place.
pub(super) fn read_in_place(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    let is_plain = |&op: &OpId| {
        ir.opcode(op) == Opcode::IreeLinalgExtAttention
            && !["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some())
            && ir.results(op).len() == 1
    };
    let ops = blocks.iter().flat_map(|&block| ir.ops_of(block)).filter(is_plain).collect::<Vec<_>>();
    if ops.is_empty() {
        return;
    }
    // Heads of all matrices that are one dimension with rows in between are then one of their own.
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some(value) = reshape::expanded_first(ir, op) {
            let old = ir.result(op, 0);
            ir.replace_uses(old, value);
            ir.erase(op);
        }
    }
    for mut op in ops {
        if attention::fits(ir, op, facts).is_err() {
            continue;
        }
        while let Some(new) = reads(ir, op, facts).or_else(|| divides(ir, op, facts)).or_else(|| writes(ir, op, facts))
        {
            op = new;
        }
        for i in 0..ir.operands(op).len() {
            // A slice is read in place where nothing is between.
            let made = ir.def_op(ir.operand(op, i));
            if let Some(slice) = made.and_then(|made| slices::expanded(ir, made)) {
                ir.set_operand(op, i, slice);
            }
        }
    }
}

/// Reads an operand from in front of what transposes or repeats it. Returns the new attention.
fn reads(ir: &mut Ir, op: OpId, facts: &Facts) -> Option<OpId> {
    let attention = Attention::of(ir, op)?;
    let mut new = New::of(&attention);
    let mut any = false;
    let n_inputs = new.parts.len() - 1;
    let (query, out) = (new.parts[0].dims.clone(), new.parts[n_inputs].dims.clone());
    for i in 0..n_inputs {
        while let Some(part) = source(ir, op, &new.parts[i], new.n_loops) {
            // What keys, values and masks are repeated along is a loop of queries and of the result.
            let is_kept = |d: &usize| part.dims.contains(d) || (i > 0 && query.contains(d) && out.contains(d));
            // A mask is read element by element: where its rows lie along the keys, neighbours are read together.
            let goes_along_keys = |part: &Part| part.dims.last().is_some_and(|d| !out.contains(d));
            let turns = i >= N_FACTORS && goes_along_keys(&new.parts[i]) && !goes_along_keys(&part);
            if !new.parts[i].dims.iter().all(is_kept) || turns {
                break;
            }
            new.parts[i] = part;
            any = true;
        }
    }
    if any { new.put(ir, op, facts) } else { None }
}

/// Operands in front of masks: query, key, value and scale.
const N_FACTORS: usize = 4;

/// What a tensor is a transposition or a repetition of, there may be an expansion in between, and the loops of that.
fn source(ir: &mut Ir, op: OpId, part: &Part, n_loops: usize) -> Option<Part> {
    let made = ir.def_op(part.value)?;
    if ir.opcode(made) != Opcode::TensorExpandShape {
        let (value, map) = before(ir, part.value, &Map::of_dims(n_loops, &part.dims))?;
        return Some(Part { value, dims: map.as_dims()? });
    }
    // The loops are numbered by the dimensions of the short side here.
    let (short, groups) = (ir.operand(made, 0), groups(ir, made)?);
    let (value, map) = before(ir, short, &Map::identity(groups.len()))?;
    let starts: Vec<usize> = groups.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
    let order = map.as_dims()?;
    let of = |d: usize| starts[d]..starts[d] + groups[d];
    let builder = &mut Builder::before(ir, op);
    let sizes = extents(builder, part.value);
    let sizes: Vec<Mixed> = order.iter().flat_map(|&d| sizes[of(d)].to_vec()).collect();
    let sizes_of: Vec<usize> = order.iter().map(|&d| groups[d]).collect();
    let value = expand(builder, value, &sizes_of, &sizes);
    Some(Part { value, dims: order.iter().flat_map(|&d| part.dims[of(d)].to_vec()).collect() })
}

/// Divides a loop that an operand, which is a collapsed transposition or repetition, has as several dimensions. Returns the
/// new attention.
fn divides(ir: &mut Ir, op: OpId, facts: &Facts) -> Option<OpId> {
    let attention = Attention::of(ir, op)?;
    let mut new = New::of(&attention);
    let n_inputs = new.parts.len() - 1;
    // Keys say more than queries do: heads may share them.
    let mut order: Vec<usize> = (1..n_inputs).chain([0]).collect();
    order.retain(|&i| new.parts[i].dims.len() > 1);
    let (split, sizes) = order.into_iter().find_map(|i| {
        let Part { value, dims } = &new.parts[i];
        let made = ir.def_op(*value).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape)?;
        let (long, groups) = (ir.operand(made, 0), groups(ir, made)?);
        let whole = Part { value: long, dims: (0..ir.shape_of(long).len()).collect() };
        let at = (0..dims.len()).find(|&at| groups[at] > 1)?;
        let start = groups[..at].iter().sum::<usize>();
        let builder = &mut Builder::before(ir, op);
        let sizes = extents(builder, long)[start..start + groups[at]].to_vec();
        let n_open = sizes.iter().filter(|size| matches!(size, Mixed::Value(_))).count();
        let moves = is_slice(ir, long) || source(ir, op, &whole, whole.dims.len()).is_some();
        (moves && n_open < 2).then_some((dims[at], sizes))
    })?;
    if !(new.parts[0].dims.contains(&split) && new.parts[n_inputs].dims.contains(&split)) {
        return None;
    }
    let more = sizes.len() - 1;
    let loops = |d: usize| {
        let first = d + if d > split { more } else { 0 };
        first..=first + if d == split { more } else { 0 }
    };
    // What counts the loop counts the points of all that it becomes.
    let place = |d: usize| {
        let known = |size: &Mixed| if let Mixed::Static(size) = size { Some(*size) } else { None };
        let inner = sizes[1..].iter().map(known).collect::<Option<Vec<i64>>>();
        let join = |sum: Expr, (at, size): (usize, i64)| {
            let sum = Expr::binary(BinOp::Mul, sum, Expr::Const(size));
            Expr::binary(BinOp::Add, sum, Expr::Dim((d + at + 1) as u32))
        };
        match d == split {
            true => Some(inner?.into_iter().enumerate().fold(Expr::Dim(d as u32), join)),
            false => Some(Expr::Dim(*loops(d).start() as u32)),
        }
    };
    let places = (0..new.n_loops).map(place).collect::<Option<Vec<Expr>>>();
    let counts = |inner: &OpId| ir.opcode(*inner) == Opcode::IreeLinalgExtIndex;
    if places.is_none() && ir.walk(op).iter().any(counts) {
        return None;
    }
    new.places = places;
    new.n_loops += more;
    let mut flat = None;
    for (i, part) in new.parts.iter_mut().enumerate() {
        let groups: Vec<usize> = part.dims.iter().map(|&d| loops(d).count()).collect();
        if part.dims.contains(&split) {
            let builder = &mut Builder::before(ir, op);
            let wide =
                extents(builder, part.value).into_iter().zip(&part.dims).flat_map(|(size, &d)| match d == split {
                    true => sizes.clone(),
                    false => vec![size],
                });
            let wide: Vec<Mixed> = wide.collect();
            if i == n_inputs {
                new.out = Some(wide.clone());
            }
            part.value = expand(builder, part.value, &groups, &wide);
            let made = ir.def_op(part.value).filter(|&made| ir.opcode(made) == Opcode::TensorExpandShape);
            if let Some(made) = made.filter(|_| i < n_inputs)
                && let Some(joined) = reshape::joined(ir, made)
            {
                ir.erase(made);
                part.value = joined;
            }
        }
        if i == n_inputs {
            flat = Some(groups);
        }
        part.dims = part.dims.iter().flat_map(|&d| loops(d)).collect();
    }
    new.flat = flat;
    new.put(ir, op, facts)
}

/// Whether a tensor is a slice, expanded or not, which is read in place unless it is collapsed.
fn is_slice(ir: &Ir, value: ValueId) -> bool {
    let made = |value: ValueId, opcode: Opcode| ir.def_op(value).filter(|&made| ir.opcode(made) == opcode);
    let source = made(value, Opcode::TensorExpandShape).map_or(value, |expand| ir.operand(expand, 0));
    made(source, Opcode::TensorExtractSlice).is_some()
}

/// Makes what rounds or transposes the result, and nobody else uses, part of an attention. Returns the new one.
fn writes(ir: &mut Ir, op: OpId, facts: &Facts) -> Option<OpId> {
    let attention = Attention::of(ir, op)?;
    let mut new = New::of(&attention);
    let result = ir.result(op, 0);
    let mut user = only_user(ir, result)?;
    let mut sizes = vec![1; ir.shape_of(result).len()];
    if ir.opcode(user) == Opcode::TensorCollapseShape {
        sizes = groups(ir, user)?;
        user = only_user(ir, ir.result(user, 0))?;
    }
    let moved = Linalg::try_of(ir, user)?;
    let (&[input], &[output], [from, to]) = (&moved.inputs[..], &moved.outputs[..], &moved.maps[..]) else {
        return None;
    };
    let (from, to) = (from.as_dims()?, to.as_dims()?);
    let [wide, narrow] = [input, output].map(|value| ir.elem_of(value));
    let copies = ir.opcode(user) == Opcode::LinalgTranspose || body::copies_input(ir, user);
    let fits = if wide == narrow { copies } else { rounds(ir, user) };
    let is_permutation =
        from.len() == to.len() && to.len() == moved.reduction.len() && from.iter().all(|d| to.contains(d));
    let is_plain = ir.ty(output).is_tensor() && ir.type_of(output) == ir.type_of(ir.result(user, 0));
    if !fits || !is_permutation || !is_plain {
        return None;
    }
    let starts: Vec<usize> = sizes.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
    let order: Vec<usize> = to.iter().filter_map(|d| from.iter().position(|other| other == d)).collect();
    let out = new.parts.last_mut().expect("an attention has a result");
    let dims = |list: &[usize]| -> Vec<usize> {
        order.iter().flat_map(|&d| list[starts[d]..starts[d] + sizes[d]].to_vec()).collect()
    };
    let extents = extents(&mut Builder::before(ir, op), out.value);
    let places = dims(&(0..out.dims.len()).collect::<Vec<_>>());
    new.out = Some(places.iter().map(|&at| extents[at]).collect());
    out.dims = dims(&out.dims.clone());
    new.elem = Some(narrow);
    new.flat = Some(order.iter().map(|&d| sizes[d]).collect());
    new.instead = Some(user);
    new.put(ir, op, facts)
}

/// Whether an operation rounds each element to a type of 16 bits, and does nothing else.
fn rounds(ir: &Ir, op: OpId) -> bool {
    let Some(body) = ir.body(op, 0) else { return false };
    let (ops, args) = (ir.ops_of(body), ir.args(body));
    let &[round, end] = &ops[..] else { return false };
    ir.opcode(op) == Opcode::LinalgGeneric
        && ir.opcode(round) == Opcode::ArithTruncf
        && ir.operand(round, 0) == args[0]
        && ir.operands(end) == [ir.result(round, 0)]
}

/// An attention with other operands.
struct New {
    n_loops: usize,
    /// In the order of the operands; the last one is the result.
    parts: Vec<Part>,
    /// The extents of the result, where they are others.
    out: Option<Vec<Mixed>>,
    /// The type of its elements, where it is another.
    elem: Option<TypeId>,
    /// Of how many of its dimensions each dimension is that its users know.
    flat: Option<Vec<usize>>,
    /// The operation whose result it gives, if not the attention's.
    instead: Option<OpId>,
    /// What the loops of the old one are in the loops of this one, where they are others.
    places: Option<Vec<Expr>>,
}

impl New {
    fn of(attention: &Attention) -> New {
        New {
            n_loops: attention.n_loops,
            parts: attention.all(),
            out: None,
            elem: None,
            flat: None,
            instead: None,
            places: None,
        }
    }

    /// Puts the attention in the place of the old one, if it is a kernel.
    fn put(mut self, ir: &mut Ir, op: OpId, facts: &Facts) -> Option<OpId> {
        let builder = &mut Builder::before(ir, op);
        if let Some(sizes) = &self.out {
            let last = self.parts.last_mut().expect("an attention has a result");
            let elem = self.elem.unwrap_or(builder.ir.elem_of(last.value));
            let (numbers, values) = unmixed(sizes);
            let ty = builder.ir.tensor_type(&numbers, elem);
            last.value = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
        }
        let maps = self.parts.iter().map(|part| Map::of_dims(self.n_loops, &part.dims)).collect::<Vec<_>>();
        let maps = maps.into_iter().map(|map| builder.ir.intern(Attr::Map(map))).collect();
        let maps = builder.ir.intern(Attr::Array(maps));
        let operands: Vec<ValueId> = self.parts.iter().map(|part| part.value).collect();
        let ty = builder.ir.type_of(operands[operands.len() - 1]);
        let attrs: Vec<(String, _)> =
            builder.ir.attrs(op).iter().map(|&(name, attr)| (builder.ir[name].to_owned(), attr)).collect();
        let mut attrs: Vec<(&str, _)> = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
        attrs.retain(|(name, _)| *name != "indexing_maps");
        attrs.push(("indexing_maps", maps));
        let new = builder.op(Opcode::IreeLinalgExtAttention, &operands, &[ty], &attrs);
        builder.copy_regions(op, new, &mut ValueMap::default());
        if let (Some(places), Some(old)) = (&self.places, Attention::of(ir, op)) {
            recount(ir, new, &old.scores(), &|d| places[d].clone());
        }
        if attention::fits(ir, new, facts).is_err() {
            ir.erase(new);
            return None;
        }
        let old = self.instead.unwrap_or(op);
        let (made, replaced) = (ir.result(new, 0), ir.result(old, 0));
        let flat = match &self.flat {
            Some(groups) => collapse(&mut Builder::before(ir, old), made, groups),
            None => made,
        };
        ir.replace_uses(replaced, flat);
        if old != op {
            let between = ir.def_op(ir.operand(old, 0)).filter(|&between| between != op);
            ir.erase(old);
            between.into_iter().for_each(|between| ir.erase(between));
        }
        ir.erase(op);
        if flat != made {
            for user in ir.uses(flat).map(|(user, _)| user).collect::<Vec<_>>() {
                if matches!(ir.opcode(user), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) {
                    reshape::join(ir, user);
                }
            }
            if ir.is_unused(flat) {
                let reshape = ir.def_op(flat).expect("a reshape gives it");
                ir.erase(reshape);
            }
        }
        Some(new)
    }
}
