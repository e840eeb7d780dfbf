//! Reads: elements that a body takes out of a tensor, at places that it computes.
//!
//! Before: `%x = tensor.extract %table[%row, %j]` in a body, where `%row` is computed of an operand, and `%j` counts a loop
//! After:  `iree_vector_ext.transfer_gather %table[%c0, %first] [%rows : vector<4xindex>]`, of which each row is read along
//!         the loop of `%j` as a slice is
//!
//! An index that counts one loop, from anywhere, leads along the memory: its elements are neighbours, and are read as wide
//! as memory allows. Any other index is a vector along the loops that it depends on, and no others, so that a row of a
//! table is looked up once. Where no index is such a vector, the read is a `vector.transfer_read`.
//!
//! Where a tile ends sooner than its vectors, indices are not places: a mask leaves them out.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Indexed, Mixed};
use raddle_ir::{Builder, Class, Def, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId, ValueMap};
use rustc_hash::{FxHashMap, FxHashSet};

use super::structured::{Structured, refuse, splat, sum, to_iteration_space};
use crate::code::edges::choose;
use crate::code::{BELOW, compare, is_multiple, select};

/// Elements of the widest access.
const GROUP_MAX: i64 = 16;

/// What reads need of the kernel around a structured operation.
pub(crate) struct Memory<'a> {
    /// The memref of a tensor from outside, and where the tensor begins in it.
    pub place: &'a dyn Fn(ValueId) -> Option<(ValueId, Vec<Mixed>)>,
    /// How far each loop goes in this tile.
    pub ends: Vec<Option<Mixed>>,
    /// What stands for elements that are not there.
    pub padding: f64,
    /// Says how threads share a vector that lies along some loops.
    pub anchor: &'a dyn Fn(&mut Builder<'_>, ValueId, &Map) -> ValueId,
    /// Whether a branch that all elements of a tile take alike stays one: where a thread has the whole tile.
    pub branches: bool,
}

/// A value of a body: a number, or a vector along some loops in their order.
#[derive(Clone)]
struct Narrow {
    value: ValueId,
    dims: Vec<usize>,
}

/// Values of a body along as few loops as they depend on.
pub(super) struct Reads<'a> {
    whole: &'a Structured<'a>,
    memory: &'a Memory<'a>,
    outer: &'a dyn Fn(ValueId) -> ValueId,
    /// The operands as they are read, by the argument that stands for them.
    given: ValueMap,
    known: FxHashMap<ValueId, Narrow>,
    /// Branches in one of whose sides code stands: nothing in it has to ask for their conditions.
    taken: FxHashSet<OpId>,
}

/// An index as the place of one loop, and numbers that are added to it.
struct Along {
    dim: Option<usize>,
    first: i64,
    added: Vec<ValueId>,
}

/// `eq` as `arith.cmpi` numbers it.
const EQUAL: i64 = 0;

/// Whether an operation may be computed where nobody asks for it.
fn may_run_anyway(ir: &Ir, op: OpId) -> bool {
    match ir.opcode(op) {
        // What they read is masked.
        Opcode::TensorExtract | Opcode::ScfIf | Opcode::LinalgIndex => true,
        opcode => {
            let is_known = matches!(ir.class(op), Class::Elementwise | Class::Constant | Class::Yield)
                || opcode == Opcode::AffineApply;
            is_known && opcode.info().division().is_none()
        }
    }
}

/// Whether an expression names a symbol.
fn names_symbol(expr: &Expr, symbol: usize) -> bool {
    match expr {
        Expr::Sym(s) => *s as usize == symbol,
        Expr::Dim(_) | Expr::Const(_) => false,
        Expr::Add(a, b) | Expr::Mul(a, b) | Expr::Mod(a, b) | Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => {
            names_symbol(a, symbol) || names_symbol(b, symbol)
        }
    }
}

/// What a gather reads along some of its dimensions, of one element along the others: a gather, too. `None` for what other
/// operations make.
pub(super) fn narrowed(builder: &mut Builder<'_>, value: ValueId, dims: &[usize]) -> Option<ValueId> {
    let (mut value, mut dims) = (value, dims.to_vec());
    let made = loop {
        let made = builder.ir.def_op(value)?;
        match builder.ir.opcode(made) {
            Opcode::IreeVectorExtTransferGather => break made,
            Opcode::VectorTranspose => {
                let permutation = builder.ir.ints(builder.ir.attr_id(made, "permutation")?)?;
                dims = dims.into_iter().map(|d| permutation[d] as usize).collect();
            }
            Opcode::VectorBroadcast => {
                let source = builder.ir.operand(made, 0);
                let [from, to] = [source, value].map(|value| builder.ir.shape_of(value).to_vec());
                let added = to.len().checked_sub(from.len())?;
                dims = dims.into_iter().map(|d| d.checked_sub(added)).collect::<Option<_>>()?;
                if from != to[added..] {
                    return None;
                }
            }
            _ => return None,
        }
        value = builder.ir.operand(made, 0);
    };
    let (mut view, shape) = (Indexed::of(builder.ir, made), builder.ir.shape_of(value).to_vec());
    let n_vectors = view.index_vecs.len();
    let own = |expr: &Expr| match expr {
        Expr::Dim(d) => {
            dims.iter().position(|&kept| kept == *d as usize).map_or(Expr::Const(0), |d| Expr::Dim(d as u32))
        }
        expr => expr.clone(),
    };
    for i in 0..n_vectors + usize::from(view.mask.is_some()) {
        let along = view.dims(i);
        let kept: Vec<i64> = along.iter().filter(|d| dims.contains(d)).map(|&d| shape[d]).collect();
        let value = if i < n_vectors { &mut view.index_vecs[i] } else { view.mask.as_mut()? };
        if kept.len() < along.len() {
            *value = builder.shape_cast(*value, &kept);
        }
    }
    for (i, map) in view.maps.iter_mut().enumerate() {
        let results = map.results.iter().map(own);
        // Vectors of indices, and the mask, have the dimensions that are left.
        let results = results.filter(|expr| i == 0 || matches!(expr, Expr::Dim(_))).collect();
        *map = Map { dims: dims.len() as u32, syms: map.syms, results };
    }
    let kept: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.vector_type(&kept, elem);
    let (operands, attrs) = view.parts(builder.ir);
    Some(builder.value(Opcode::IreeVectorExtTransferGather, &operands, ty, &attrs))
}

/// Erases gathers that are used by narrower ones in their place.
pub(super) fn forget_narrowed(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func).into_iter().rev() {
        let is_gather = matches!(
            ir.opcode(op),
            Opcode::IreeVectorExtTransferGather | Opcode::VectorBroadcast | Opcode::VectorTranspose
        );
        if is_gather && ir.results(op).all(|value| ir.is_unused(value)) {
            ir.erase(op);
        }
    }
}

impl<'a> Reads<'a> {
    pub(super) fn new(
        whole: &'a Structured<'a>,
        memory: &'a Memory<'a>,
        outer: &'a dyn Fn(ValueId) -> ValueId,
        given: ValueMap,
    ) -> Reads<'a> {
        Reads { whole, memory, outer, given, known: FxHashMap::default(), taken: FxHashSet::default() }
    }

    /// What a `tensor.extract` or an `scf.if` of the body gives, in the iteration space.
    pub(super) fn wide(&mut self, builder: &mut Builder<'_>, value: ValueId) -> Result<ValueId, Diag> {
        let Narrow { value, dims } = self.narrow(builder, value)?;
        Ok(self.spread(builder, value, &dims, &(0..self.whole.extents.len()).collect::<Vec<_>>()))
    }

    /// A value along more loops.
    fn spread(&self, builder: &mut Builder<'_>, value: ValueId, from: &[usize], to: &[usize]) -> ValueId {
        let extents: Vec<i64> = to.iter().map(|&d| self.whole.extents[d]).collect();
        if !builder.ir.ty(value).is_vector() {
            let elem = builder.ir.type_of(value);
            let ty = builder.ir.vector_type(&extents, elem);
            return splat(builder, value, ty);
        }
        let places: Vec<usize> =
            from.iter().map(|d| to.iter().position(|other| other == d).expect("these are among them")).collect();
        to_iteration_space(builder, value, &Map::of_dims(to.len(), &places), &extents)
    }

    /// A value along the loops that it depends on.
    fn narrow(&mut self, builder: &mut Builder<'_>, value: ValueId) -> Result<Narrow, Diag> {
        if let Some(known) = self.known.get(&value) {
            return Ok(known.clone());
        }
        let body = builder.ir.entry(self.whole.op);
        let found = match builder.ir.def(value) {
            Def::Arg { block, index } if block == body => self.operand(builder, value, index as usize),
            Def::Result { op, index } if self.is_inside(builder, op) => self.computed(builder, op, index as usize)?,
            _ => Narrow { value: (self.outer)(value), dims: Vec::new() },
        };
        self.known.insert(value, found.clone());
        Ok(found)
    }

    /// An operand, with its dimensions in the order of the loops.
    fn operand(&self, builder: &mut Builder<'_>, arg: ValueId, index: usize) -> Narrow {
        let value = self.given.find(arg).expect("operands that are used are read");
        let map = &self.whole.linalg.maps[index];
        let mut dims = map.as_dims().expect("who calls this has checked that the maps pick loops");
        if !builder.ir.ty(value).is_vector() {
            return Narrow { value, dims: Vec::new() };
        }
        if dims.is_empty() {
            return Narrow { value: builder.extract(value, &[]), dims };
        }
        let order = dims.clone();
        dims.sort_unstable();
        Narrow { value: self.spread(builder, value, &order, &dims), dims }
    }

    /// The loop that a value counts.
    fn counted(&self, builder: &Builder<'_>, value: ValueId) -> Option<usize> {
        let op = builder.ir.def_op(value).filter(|&op| builder.ir.opcode(op) == Opcode::LinalgIndex)?;
        usize::try_from(builder.ir.attr(op, "dim")?.as_i64()?).ok()
    }

    /// Whether an operation stands in the body, or in a region in it.
    fn is_inside(&self, builder: &Builder<'_>, op: OpId) -> bool {
        std::iter::successors(builder.ir.parent_op(op), |&op| builder.ir.parent_op(op)).any(|op| op == self.whole.op)
    }

    fn computed(&mut self, builder: &mut Builder<'_>, op: OpId, index: usize) -> Result<Narrow, Diag> {
        builder.span = builder.ir.span(op);
        if let Some(d) = self.counted(builder, builder.ir.result(op, 0)) {
            let index = builder.ir.index_type();
            let ty = builder.ir.vector_type(&self.whole.extents[d..=d], index);
            return Ok(Narrow { value: builder.value(Opcode::VectorStep, &[], ty, &[]), dims: vec![d] });
        }
        match builder.ir.opcode(op) {
            Opcode::TensorExtract => return self.read(builder, op),
            Opcode::ScfIf => return self.branch(builder, op, index),
            _ => {}
        }
        let map = builder.ir.map(op, "map").cloned().filter(|_| builder.ir.opcode(op) == Opcode::AffineApply);
        let class = builder.ir.class(op);
        if map.is_none() && class != Class::Constant && class != Class::Elementwise {
            return Err(refuse(builder, op));
        }
        let operands = builder.ir.operands(op).to_vec();
        if let Some(map) = map.as_ref().filter(|map| map.results.len() == 1) {
            let varies = operands.iter().any(|&value| self.varies(builder, value));
            if varies {
                return self.narrow_sum(builder, &map.results[0], &operands, map.dims as usize);
            }
        }
        let operands: Vec<Narrow> =
            operands.iter().map(|&value| self.narrow(builder, value)).collect::<Result<_, Diag>>()?;
        let dims: Vec<usize> =
            (0..self.whole.extents.len()).filter(|d| operands.iter().any(|operand| operand.dims.contains(d))).collect();
        let is_number = dims.is_empty();
        let values: Vec<ValueId> = operands
            .iter()
            .map(
                |Narrow { value, dims: own }| {
                    if is_number { *value } else { self.spread(builder, *value, own, &dims) }
                },
            )
            .collect();
        let extents: Vec<i64> = dims.iter().map(|&d| self.whole.extents[d]).collect();
        if let (Some(map), false) = (map, is_number) {
            let index = builder.ir.index_type();
            let ty = builder.ir.vector_type(&extents, index);
            let [expr] = &map.results[..] else { return Err(refuse(builder, op)) };
            let value = sum(builder, expr, &values, map.dims as usize, ty).ok_or_else(|| refuse(builder, op))?;
            return Ok(Narrow { value, dims });
        }
        let copy = builder.copy(op, &mut ValueMap::default());
        builder.ir.set_operands(copy, &values);
        let new = builder.ir.result(copy, 0);
        if !is_number {
            let elem = builder.ir.type_of(new);
            let ty = builder.ir.vector_type(&extents, elem);
            builder.ir.set_type(new, ty);
        }
        Ok(Narrow { value: new, dims })
    }

    /// The loops along which some of these lie.
    fn union(&self, values: &[Narrow]) -> Vec<usize> {
        (0..self.whole.extents.len()).filter(|d| values.iter().any(|value| value.dims.contains(d))).collect()
    }

    /// `scf.if`: both sides are computed, and one is chosen; what a side reads, it reads where it is chosen. A condition that
    /// is one for the whole tile stays a branch.
    fn branch(&mut self, builder: &mut Builder<'_>, op: OpId, index: usize) -> Result<Narrow, Diag> {
        if let Some(bad) = builder.ir.walk(op).into_iter().find(|&inner| !may_run_anyway(builder.ir, inner)) {
            return Err(refuse(builder, bad));
        }
        let sides = [0, 1].map(|side| builder.ir.body(op, side).and_then(|block| builder.ir.terminator(block)));
        let [Some(yes), Some(no)] = sides else { return Err(refuse(builder, op)) };
        let [yes, no] = [yes, no].map(|end| builder.ir.operand(end, index));
        let condition = self.narrow(builder, builder.ir.operand(op, 0))?;
        if self.memory.branches && condition.dims.iter().all(|&d| self.whole.extents[d] == 1) {
            return self.taken(builder, op, &condition, [yes, no]);
        }
        let values = [builder.ir.operand(op, 0), yes, no];
        let values: Vec<Narrow> =
            values.iter().map(|&value| self.narrow(builder, value)).collect::<Result<_, Diag>>()?;
        let dims = self.union(&values);
        let wide = |value: &Narrow| {
            if dims.is_empty() { value.value } else { self.spread(builder, value.value, &value.dims, &dims) }
        };
        let wide: Vec<ValueId> = values.iter().map(wide).collect();
        Ok(Narrow { value: select(builder, wide[0], wide[1], wide[2]), dims })
    }

    /// A branch of which the tile takes one side.
    fn taken(
        &mut self,
        builder: &mut Builder<'_>,
        op: OpId,
        condition: &Narrow,
        sides: [ValueId; 2],
    ) -> Result<Narrow, Diag> {
        let dims: Vec<usize> = (0..self.whole.extents.len()).collect();
        let elem = builder.ir.type_of(sides[0]);
        let ty = builder.ir.vector_type(self.whole.extents, elem);
        let condition = match condition.dims.len() {
            0 => condition.value,
            rank => builder.extract(condition.value, &vec![0; rank]),
        };
        let (known, mut refused) = (self.known.clone(), None);
        self.taken.insert(op);
        let branch = choose(builder, condition, &[ty], |builder, is_true| {
            let value = self.narrow(builder, sides[usize::from(!is_true)]);
            // What stands in one side is not there for the other one, or behind both.
            self.known.clone_from(&known);
            match value {
                Ok(Narrow { value, dims: own }) => vec![self.spread(builder, value, &own, &dims)],
                Err(diag) => {
                    refused = Some(diag);
                    vec![builder.splat(0.0, ty)]
                }
            }
        });
        self.taken.remove(&op);
        refused.map_or(Ok(Narrow { value: builder.ir.result(branch, 0), dims }), Err)
    }

    /// The conditions under which an operation of the body runs, but for those of branches that it stands in.
    fn conditions(&mut self, builder: &mut Builder<'_>, op: OpId) -> Result<Vec<Narrow>, Diag> {
        let (mut found, mut at) = (Vec::new(), op);
        while let Some(parent) = builder.ir.parent_op(at).filter(|&parent| parent != self.whole.op) {
            let is_other = builder.ir.parent_block(at) != builder.ir.body(parent, 0);
            at = parent;
            if self.taken.contains(&parent) {
                continue;
            }
            let condition = builder.ir.operand(parent, 0);
            let mut condition = self.narrow(builder, condition)?;
            if is_other {
                let ty = builder.ir.type_of(condition.value);
                let unset = builder.splat(0.0, ty);
                condition.value = compare(builder, EQUAL, condition.value, unset);
            }
            found.push(condition);
        }
        Ok(found)
    }

    /// `tensor.extract`: a gather along the loops that its indices depend on.
    fn read(&mut self, builder: &mut Builder<'_>, op: OpId) -> Result<Narrow, Diag> {
        let operands = builder.ir.operands(op).to_vec();
        let Some((base, begin)) = (self.memory.place)(operands[0]) else {
            return Err(refuse(builder, op).note("the tensor that it reads is not in memory of the kernel"));
        };
        let elem = builder.ir.elem_of(base);
        // The loop of each dimension of the tensor, or a vector of indices.
        let (mut loops, mut vectors): (Vec<Option<usize>>, Vec<Narrow>) = (Vec::new(), Vec::new());
        let mut offsets = Vec::new();
        for (&index, begin) in operands[1..].iter().zip(begin) {
            let along = self.along(builder, index)?;
            match along.filter(|along| along.dim.is_none_or(|d| !loops.contains(&Some(d)))) {
                Some(Along { dim, first, added }) => {
                    loops.push(dim);
                    offsets.push(self.total(builder, begin, first, &added));
                    vectors.push(Narrow { value: index, dims: Vec::new() });
                }
                None => {
                    loops.push(None);
                    let (found, Along { first, added, .. }) = self.apart(builder, index)?;
                    offsets.push(self.total(builder, begin, first, &added));
                    vectors.push(found);
                }
            }
        }
        let conditions = self.conditions(builder, op)?;
        builder.span = builder.ir.span(op);
        let (indices, asked) = (self.union(&vectors), self.union(&conditions));
        let is_along = |d: &usize| loops.contains(&Some(*d)) || indices.contains(d) || asked.contains(d);
        let dims: Vec<usize> = (0..self.whole.extents.len()).filter(is_along).collect();
        if dims.is_empty() && conditions.is_empty() {
            let value = builder.value(Opcode::MemrefLoad, &[&[base], &offsets[..]].concat(), elem, &[]);
            return Ok(Narrow { value, dims });
        }
        let extents: Vec<i64> = dims.iter().map(|&d| self.whole.extents[d]).collect();
        let own = |d: usize| Expr::Dim(dims.iter().position(|&other| other == d).expect("it is one of them") as u32);
        let n_vectors = vectors.iter().filter(|vector| !vector.dims.is_empty()).count();
        let map = |results: Vec<Expr>| Map { dims: dims.len() as u32, syms: n_vectors as u32, results };
        let (mut results, mut index_vecs, mut maps) = (Vec::new(), Vec::new(), Vec::new());
        for (dim, vector) in loops.iter().zip(&vectors) {
            results.push(match dim {
                Some(d) => own(*d),
                None if vector.dims.is_empty() => Expr::Const(0),
                None => {
                    index_vecs.push(vector.value);
                    maps.push(map(vector.dims.iter().map(|&d| own(d)).collect()));
                    Expr::Sym(index_vecs.len() as u32 - 1)
                }
            });
        }
        maps.insert(0, map(results));
        let mask = self.mask(builder, &dims, &loops, &conditions);
        maps.extend(mask.as_ref().map(|mask| map(mask.dims.iter().map(|&d| own(d)).collect())));
        // Nobody divides by a float that is not there.
        let is_float = Scalar::of(&builder.ir[elem]).is_some_and(|elem| matches!(elem, Scalar::Float(_)));
        let padding = Some(builder.splat(if is_float { 0.0 } else { self.memory.padding }, elem));
        let mask = mask.map(|mask| mask.value);
        let view = Indexed { base, offsets, index_vecs, vector: None, padding, mask, maps };
        let (operands, attrs) = view.parts(builder.ir);
        let ty = builder.ir.vector_type(&extents, elem);
        let value = builder.value(Opcode::IreeVectorExtTransferGather, &operands, ty, &attrs);
        let value = (self.memory.anchor)(builder, value, &Map::of_dims(self.whole.extents.len(), &dims));
        Ok(Narrow { value, dims })
    }

    /// Which elements of a vector along some loops are read; `None` for all of them. Neighbours that are read along a loop
    /// in groups that are wholly inside or outside share a comparison, and so an access.
    fn mask(
        &self,
        builder: &mut Builder<'_>,
        dims: &[usize],
        loops: &[Option<usize>],
        conditions: &[Narrow],
    ) -> Option<Narrow> {
        let index = builder.ir.index_type();
        let is_crossed = |d: &usize| {
            let end = self.memory.ends[*d];
            end.is_some_and(|end| !matches!(end, Mixed::Static(end) if end >= self.whole.extents[*d]))
        };
        let mut parts: Vec<Narrow> = conditions.to_vec();
        for d in dims.iter().copied().filter(is_crossed) {
            let ty = builder.ir.vector_type(&self.whole.extents[d..=d], index);
            let mut places = builder.value(Opcode::VectorStep, &[], ty, &[]);
            let end = self.memory.ends[d].expect("loops without an end are not crossed");
            let mut end = end.materialize(builder);
            if loops.last() == Some(&Some(d)) {
                let divides = |group: &i64| is_multiple(builder.ir, end, *group);
                let group = (0..=GROUP_MAX.ilog2()).rev().map(|bit| 1 << bit).find(divides).unwrap_or(1);
                let [size, sizes] = [index, ty].map(|ty| builder.splat(group as f64, ty));
                places = builder.binary(Opcode::ArithDivui, places, sizes);
                end = builder.binary(Opcode::ArithDivui, end, size);
            }
            let end = splat(builder, end, ty);
            parts.push(Narrow { value: compare(builder, BELOW, places, end), dims: vec![d] });
        }
        // A mask that is one number lies along a loop, too.
        let own = self.union(&parts);
        let own = if own.is_empty() { dims.first().copied().into_iter().collect() } else { own };
        let parts = parts.iter().map(|part| self.spread(builder, part.value, &part.dims, &own)).collect::<Vec<_>>();
        let value = parts.into_iter().reduce(|mask, part| builder.binary(Opcode::ArithAndi, mask, part))?;
        Some(Narrow { value, dims: own })
    }

    /// The sum of where a tensor begins, a number, and numbers that only the run knows.
    fn total(&self, builder: &mut Builder<'_>, begin: Mixed, first: i64, added: &[ValueId]) -> ValueId {
        let (begin, first) = match begin {
            Mixed::Static(begin) => (None, begin.wrapping_add(first)),
            Mixed::Value(begin) => (Some(begin), first),
        };
        let values: Vec<ValueId> = begin.into_iter().chain(added.iter().copied()).collect();
        let sum = (0..values.len() as u32)
            .map(Expr::Dim)
            .fold(Expr::Const(first), |sum, term| Expr::binary(BinOp::Add, sum, term));
        match values.is_empty() {
            true => builder.index(first),
            false => builder.apply(Map { dims: values.len() as u32, syms: 0, results: vec![sum] }, &values),
        }
    }

    /// Whether a value depends on the place of an iteration.
    fn varies(&self, builder: &Builder<'_>, value: ValueId) -> bool {
        let ir = &*builder.ir;
        let body = ir.entry(self.whole.op);
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![value]);
        while let Some(value) = waiting.pop() {
            if !seen.insert(value) {
                continue;
            }
            match ir.def(value) {
                Def::Arg { block, index } if block == body => {
                    let given = self.given.find(value).is_some_and(|given| ir.ty(given).is_vector());
                    if given && !self.whole.linalg.maps[index as usize].results.is_empty() {
                        return true;
                    }
                }
                Def::Result { op, .. } if self.is_inside(builder, op) => {
                    if self.counted(builder, value).is_some() {
                        return true;
                    }
                    waiting.extend(ir.operands(op));
                    waiting.extend(ir.walk(op).into_iter().flat_map(|inner| ir.operands(inner).to_vec()));
                }
                _ => {}
            }
        }
        false
    }

    /// An index without the terms of its sum that are one number for all elements, and these.
    fn apart(&mut self, builder: &mut Builder<'_>, index: ValueId) -> Result<(Narrow, Along), Diag> {
        let mut numbers = Along { dim: None, first: 0, added: Vec::new() };
        let mut others = Vec::new();
        self.terms(builder, &Expr::Dim(0), &[index], 1, &mut numbers, &mut others)?;
        let dims = self.union(&others);
        let wide = others.iter().map(|other| self.spread(builder, other.value, &other.dims, &dims)).collect::<Vec<_>>();
        let value = wide.into_iter().reduce(|sum, term| builder.binary(Opcode::ArithAddi, sum, term));
        Ok((Narrow { value: value.unwrap_or(index), dims }, numbers))
    }

    /// Adds the terms of a sum to numbers, or to what differs between elements.
    fn terms(
        &mut self,
        builder: &mut Builder<'_>,
        sum: &Expr,
        operands: &[ValueId],
        n_dims: usize,
        numbers: &mut Along,
        others: &mut Vec<Narrow>,
    ) -> Result<(), Diag> {
        // The only iteration of a loop is its first one.
        let is_number = |along: &Along| along.dim.is_none_or(|d| self.whole.extents[d] == 1);
        if let Some(along) = self.along_sum(builder, sum, operands, n_dims)?.filter(is_number) {
            numbers.first = numbers.first.wrapping_add(along.first);
            numbers.added.extend(along.added);
            return Ok(());
        }
        if let Expr::Add(a, b) = sum {
            self.terms(builder, a, operands, n_dims, numbers, others)?;
            return self.terms(builder, b, operands, n_dims, numbers, others);
        }
        let named = match sum {
            Expr::Dim(d) => operands[*d as usize],
            Expr::Sym(s) => operands[n_dims + *s as usize],
            _ => {
                others.push(self.narrow_sum(builder, sum, operands, n_dims)?);
                return Ok(());
            }
        };
        let op =
            builder.ir.def_op(named).filter(|&op| *builder.ir.ty(named) == Type::Index && self.is_inside(builder, op));
        let parts = op.and_then(|op| match builder.ir.opcode(op) {
            Opcode::ArithAddi => Some((op, 2, Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Dim(1)))),
            Opcode::AffineApply => builder.ir.map(op, "map").map(|map| (op, map.dims as usize, map.results[0].clone())),
            _ => None,
        });
        match parts {
            Some((op, n_dims, sum)) => {
                let operands = builder.ir.operands(op).to_vec();
                self.terms(builder, &sum, &operands, n_dims, numbers, others)
            }
            None => {
                others.push(self.narrow(builder, named)?);
                Ok(())
            }
        }
    }

    /// An expression along the loops that what it names depends on.
    fn narrow_sum(
        &mut self,
        builder: &mut Builder<'_>,
        expr: &Expr,
        operands: &[ValueId],
        n_dims: usize,
    ) -> Result<Narrow, Diag> {
        let is_named = |at: usize| expr.names(&|d| d == at) || names_symbol(expr, at.wrapping_sub(n_dims));
        let mut found: Vec<Option<Narrow>> = Vec::new();
        for (at, &operand) in operands.iter().enumerate() {
            found.push(if is_named(at) { Some(self.narrow(builder, operand)?) } else { None });
        }
        let known: Vec<Narrow> = found.iter().flatten().cloned().collect();
        let (dims, index) = (self.union(&known), builder.ir.index_type());
        if dims.is_empty() {
            let zero = builder.index(0);
            let values: Vec<ValueId> =
                found.iter().map(|found| found.as_ref().map_or(zero, |found| found.value)).collect();
            let syms = (operands.len() - n_dims) as u32;
            let map = Map { dims: n_dims as u32, syms, results: vec![expr.clone()] };
            return Ok(Narrow { value: builder.apply(map, &values), dims });
        }
        let extents: Vec<i64> = dims.iter().map(|&d| self.whole.extents[d]).collect();
        let ty = builder.ir.vector_type(&extents, index);
        let values = found.iter().zip(operands).map(|(found, &operand)| match found {
            Some(Narrow { value, dims: own }) => self.spread(builder, *value, own, &dims),
            None => operand,
        });
        let values: Vec<ValueId> = values.collect();
        let value = sum(builder, expr, &values, n_dims, ty).ok_or_else(|| refuse(builder, self.whole.op))?;
        Ok(Narrow { value, dims })
    }

    /// An index as one loop's place and numbers; `None` where it is not such a sum.
    fn along(&mut self, builder: &mut Builder<'_>, index: ValueId) -> Result<Option<Along>, Diag> {
        if let Some(d) = self.counted(builder, index) {
            return Ok(Some(Along { dim: Some(d), first: 0, added: Vec::new() }));
        }
        if !self.varies(builder, index) {
            let Narrow { value, .. } = self.narrow(builder, index)?;
            return Ok(Some(match builder.ir.const_int(value) {
                Some(first) => Along { dim: None, first, added: Vec::new() },
                None => Along { dim: None, first: 0, added: vec![value] },
            }));
        }
        let Some(op) = builder.ir.def_op(index).filter(|_| *builder.ir.ty(index) == Type::Index) else {
            return Ok(None);
        };
        let (n_dims, sum) = match builder.ir.opcode(op) {
            Opcode::ArithAddi => (2, Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Dim(1))),
            Opcode::ArithSubi => {
                let less = Expr::binary(BinOp::Mul, Expr::Dim(1), Expr::Const(-1));
                (2, Expr::binary(BinOp::Add, Expr::Dim(0), less))
            }
            Opcode::AffineApply => match builder.ir.map(op, "map").map(|map| (map.dims, &map.results[..])) {
                Some((n_dims, [sum])) => (n_dims as usize, sum.clone()),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let operands = builder.ir.operands(op).to_vec();
        self.along_sum(builder, &sum, &operands, n_dims)
    }

    fn along_sum(
        &mut self,
        builder: &mut Builder<'_>,
        sum: &Expr,
        operands: &[ValueId],
        n_dims: usize,
    ) -> Result<Option<Along>, Diag> {
        match sum {
            Expr::Const(first) => Ok(Some(Along { dim: None, first: *first, added: Vec::new() })),
            Expr::Dim(d) => self.along(builder, operands[*d as usize]),
            Expr::Sym(s) => self.along(builder, operands[n_dims + *s as usize]),
            Expr::Add(a, b) => {
                let [a, b] = [a, b].map(|part| self.along_sum(builder, part, operands, n_dims));
                let (Some(mut a), Some(b)) = (a?, b?) else { return Ok(None) };
                if a.dim.is_some() && b.dim.is_some() {
                    return Ok(None);
                }
                a.dim = a.dim.or(b.dim);
                a.first = a.first.wrapping_add(b.first);
                a.added.extend(b.added);
                Ok(Some(a))
            }
            Expr::Mul(a, b) => {
                let ((Expr::Const(factor), part) | (part, Expr::Const(factor))) = (&**a, &**b) else { return Ok(None) };
                let Some(Along { dim: None, first, added }) = self.along_sum(builder, part, operands, n_dims)? else {
                    return Ok(None);
                };
                let times = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(*factor));
                let mut scaled =
                    |value: ValueId| builder.apply(Map { dims: 1, syms: 0, results: vec![times.clone()] }, &[value]);
                let added = added.into_iter().map(&mut scaled).collect();
                Ok(Some(Along { dim: None, first: first.wrapping_mul(*factor), added }))
            }
            _ => Ok(None),
        }
    }
}
