//! Reshapes: the same elements under other extents. Two in a row become one where one can say it, and tensors that are
//! made of nothing but their extents are made with others.
//!
//! Before: `%1 = tensor.expand_shape %0 [[0], [1, 2]] … into tensor<8x?x1xf32>`,
//!         `%2 = tensor.collapse_shape %1 [[0, 1, 2]] …`
//! After:  `%2 = tensor.collapse_shape %0 [[0, 1]] …`
//!
//! Of several open extents in a row, those are the same in two shapes that are the same numbers of the arguments, or the
//! same values.

use std::ops::Range;

use raddle_ir::views::{Linalg, Mixed, SliceView, mixed, unmixed};
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Expr, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};

use crate::structured::moves;
use crate::structured::sizes::mixed_extent;
use crate::structured::symbols::OfArguments;

/// A place between two dimensions of a tensor in row-major order: what is in front of it and what is behind it are the
/// same under every shape that has it.
#[derive(Clone, PartialEq, Eq)]
struct Cut {
    /// Dimensions of a coarser shape that are in front of it.
    group: usize,
    /// Where it is in the next one.
    at: At,
}

#[derive(Clone, PartialEq, Eq)]
enum At {
    /// Behind dimensions of so many elements together.
    Behind(i64),
    /// Behind some of the open extents.
    Between(Factors),
    /// Behind all open extents, in front of dimensions of so many elements together.
    InFrontOf(i64),
}

impl Cut {
    fn start_of(group: usize) -> Cut {
        Cut { group, at: At::Behind(1) }
    }
}

/// A product of a number and of open extents by their names, in order.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Factors {
    number: i64,
    names: Vec<usize>,
}

impl Factors {
    fn is_one(&self) -> bool {
        self.number == 1 && self.names.is_empty()
    }

    /// This without the factors of another product, if it has them.
    fn divided(&self, by: &Factors) -> Option<Factors> {
        let mut names = self.names.clone();
        for name in &by.names {
            names.remove(names.iter().position(|own| own == name)?);
        }
        (by.number > 0 && self.number % by.number == 0).then_some(Factors { number: self.number / by.number, names })
    }
}

/// Open extents by name: those with one name are the same number.
pub(super) struct Names {
    arguments: OfArguments,
    known: Vec<Name>,
}

#[derive(PartialEq)]
enum Name {
    /// That follows from the arguments of the function.
    Follows(Expr),
    Value(ValueId),
    Of(ValueId, usize),
}

impl Names {
    /// No names yet, in the function of an operation.
    pub fn around(ir: &Ir, op: OpId) -> Option<Names> {
        Some(Names { arguments: OfArguments::around(ir, op)?, known: Vec::new() })
    }

    fn name(&mut self, name: Name) -> usize {
        self.known.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.known.push(name);
            self.known.len() - 1
        })
    }

    /// An extent of a tensor.
    pub fn extent(&mut self, ir: &Ir, value: ValueId, d: usize) -> Factors {
        let expr = self.arguments.extent(ir, value, d);
        match stated(ir, value, d) {
            Stated::As(size) if expr.is_none() => self.number(ir, size),
            Stated::As(Mixed::Value(value)) => self.follows(expr, Name::Value(value)),
            Stated::As(Mixed::Static(number)) => Factors { number, names: Vec::new() },
            Stated::Of(value, d) => self.follows(expr, Name::Of(value, d)),
        }
    }

    /// A number that an extent is.
    pub fn number(&mut self, ir: &Ir, size: Mixed) -> Factors {
        match size {
            Mixed::Static(number) => Factors { number, names: Vec::new() },
            Mixed::Value(value) => {
                let expr = self.arguments.number(ir, value);
                self.follows(expr, Name::Value(value))
            }
        }
    }

    /// The product of those of some dimensions of a tensor that are in front of each of them.
    pub fn in_front_of_each(&mut self, ir: &Ir, tensor: ValueId, dims: Range<usize>) -> Vec<Factors> {
        let mut all = Factors { number: 1, names: Vec::new() };
        let mut fronts = Vec::new();
        for d in dims {
            let own = self.extent(ir, tensor, d);
            fronts.push(all.clone());
            all.number = all.number.saturating_mul(own.number);
            all.names.extend(own.names);
            all.names.sort_unstable();
        }
        fronts
    }

    fn follows(&mut self, expr: Option<Expr>, name: Name) -> Factors {
        let mut factors = Factors { number: 1, names: Vec::new() };
        match expr {
            Some(expr) => self.multiply(expr, &mut factors),
            None => factors.names.push(self.name(name)),
        }
        factors.names.sort_unstable();
        factors
    }

    fn multiply(&mut self, expr: Expr, factors: &mut Factors) {
        match expr {
            Expr::Const(number) => factors.number = factors.number.saturating_mul(number),
            Expr::Mul(a, b) => {
                self.multiply(*a, factors);
                self.multiply(*b, factors);
            }
            expr => factors.names.push(self.name(Name::Follows(expr))),
        }
    }
}

/// The sizes of the groups of a reshape, in the order of the dimensions of its short side.
pub(super) fn groups(ir: &Ir, op: OpId) -> Option<Vec<usize>> {
    let Attr::Array(groups) = ir.attr(op, "reassociation")? else { return None };
    groups.iter().map(|&group| Some(ir.ints(group)?.len())).collect()
}

/// The extents of a tensor, as whoever made it says them.
pub(super) fn extents(builder: &mut Builder<'_>, value: ValueId) -> Vec<Mixed> {
    (0..builder.ir.shape_of(value).len())
        .map(|d| match stated(builder.ir, value, d) {
            Stated::As(size) => size,
            Stated::Of(value, d) => mixed_extent(builder, value, d),
        })
        .collect()
}

/// What an extent is known as.
enum Stated {
    As(Mixed),
    /// The extent of another tensor.
    Of(ValueId, usize),
}

/// Where an extent comes from.
fn stated(ir: &Ir, value: ValueId, d: usize) -> Stated {
    let shape = ir.shape_of(value);
    if shape[d] != DYNAMIC {
        return Stated::As(Mixed::Static(shape[d]));
    }
    let further = || -> Option<Stated> {
        let op = ir.def_op(value)?;
        let ints = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr));
        match ir.opcode(op) {
            Opcode::TensorEmpty => Some(Stated::As(mixed(shape, ir.operands(op))[d])),
            Opcode::TensorExpandShape => {
                let sizes = mixed(&ints("static_output_shape")?, &ir.operands(op)[1..]);
                Some(Stated::As(*sizes.get(d)?))
            }
            Opcode::TensorCollapseShape => {
                let source = ir.shape_of(ir.operand(op, 0));
                let groups = groups(ir, op)?;
                let start: usize = groups[..d].iter().sum();
                let mut long = (start..start + groups[d]).filter(|&d| source[d] != 1);
                let (Some(one), None) = (long.next(), long.next()) else { return None };
                Some(stated(ir, ir.operand(op, 0), one))
            }
            Opcode::TensorExtractSlice => {
                let view = SliceView::of(ir, op);
                let kept = *moves::kept(&view.sizes, shape).get(d)?;
                Some(Stated::As(view.sizes[kept]))
            }
            Opcode::TensorCast => Some(stated(ir, ir.operand(op, 0), d)),
            Opcode::TensorPad => {
                let around = moves::padding(ir, op);
                let is_kept = around.iter().all(|list| list.get(d) == Some(&Mixed::Static(0)));
                is_kept.then(|| stated(ir, ir.operand(op, 0), d))
            }
            Opcode::TensorConcat => {
                let along = ir.attr(op, "dim").and_then(Attr::as_i64) == Some(d as i64);
                (!along).then(|| stated(ir, ir.operand(op, 0), d))
            }
            _ => {
                let at = ir.results(op).position(|result| result == value)?;
                let output = match Linalg::try_of(ir, op) {
                    Some(linalg) => *linalg.outputs.get(at)?,
                    None if ir.name(op).starts_with("iree_linalg_ext.") => *moves::outputs(ir, op)?.get(at)?,
                    None => return None,
                };
                Some(stated(ir, output, d))
            }
        }
    };
    further().unwrap_or(Stated::Of(value, d))
}

/// Replaces `tensor.dim` by the number that it is known as; says whether it did.
pub(super) fn state(ir: &mut Ir, op: OpId) -> bool {
    let source = ir.operand(op, 0);
    let Some(d) = ir.const_int(ir.operand(op, 1)).and_then(|d| usize::try_from(d).ok()) else { return false };
    if ir.shape_of(source).len() <= d {
        return false;
    }
    let builder = &mut Builder::before(ir, op);
    let new = match stated(builder.ir, source, d) {
        Stated::As(Mixed::Value(value)) => value,
        Stated::As(Mixed::Static(size)) => builder.index(size),
        Stated::Of(value, _) if value == source => return false,
        Stated::Of(value, d) => {
            let d = builder.index(d as i64);
            let index = builder.ir.index_type();
            builder.value(Opcode::TensorDim, &[value, d], index, &[])
        }
    };
    let old = ir.result(op, 0);
    ir.replace_uses(old, new);
    ir.erase(op);
    true
}

/// `value` with these groups of dimensions as one each.
pub(super) fn collapse(builder: &mut Builder<'_>, value: ValueId, groups: &[usize]) -> ValueId {
    let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
    if groups.len() == shape.len() {
        return value;
    }
    let ty = builder.ir.tensor_type(&collapsed(&shape, groups), elem);
    if let Some(made) = again(builder, value, ty, |builder| sizes_of(builder, value, groups)) {
        return made;
    }
    let reassociation = reassociation(builder.ir, groups);
    builder.value(Opcode::TensorCollapseShape, &[value], ty, &[("reassociation", reassociation)])
}

/// `value` with these groups of dimensions, of these extents, where it has one each.
pub(super) fn expand(builder: &mut Builder<'_>, value: ValueId, groups: &[usize], sizes: &[Mixed]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    if groups.len() == sizes.len() {
        return value;
    }
    let (numbers, values) = unmixed(sizes);
    let ty = builder.ir.tensor_type(&numbers, elem);
    let attrs =
        [("reassociation", reassociation(builder.ir, groups)), ("static_output_shape", builder.ir.dense_i64(&numbers))];
    builder.value(Opcode::TensorExpandShape, &[&[value], &values[..]].concat(), ty, &attrs)
}

fn reassociation(ir: &mut Ir, groups: &[usize]) -> AttrId {
    ir.reassociation(&groups.iter().map(|&n| n as i64).collect::<Vec<_>>())
}

fn collapsed(shape: &[i64], groups: &[usize]) -> Vec<i64> {
    let mut shape = shape.iter();
    let joined = |n: usize| {
        let part: Vec<i64> = shape.by_ref().take(n).copied().collect();
        if part.contains(&DYNAMIC) { DYNAMIC } else { part.iter().product() }
    };
    groups.iter().copied().map(joined).collect()
}

/// The extents of a tensor with these groups of dimensions as one each.
fn sizes_of(builder: &mut Builder<'_>, value: ValueId, groups: &[usize]) -> Vec<Mixed> {
    let mut sizes = extents(builder, value).into_iter();
    groups.iter().map(|&n| product(builder, sizes.by_ref().take(n).collect())).collect()
}

/// The product of extents.
pub(super) fn product(builder: &mut Builder<'_>, sizes: Vec<Mixed>) -> Mixed {
    let known: i64 =
        sizes.iter().filter_map(|size| if let Mixed::Static(n) = size { Some(*n) } else { None }).product();
    let values = sizes.into_iter().filter_map(|size| if let Mixed::Value(value) = size { Some(value) } else { None });
    let Some(value) = values.reduce(|a, b| builder.binary(Opcode::ArithMuli, a, b)) else {
        return Mixed::Static(known);
    };
    if known == 1 {
        return Mixed::Value(value);
    }
    let known = builder.index(known);
    Mixed::Value(builder.binary(Opcode::ArithMuli, value, known))
}

/// A tensor without contents, one that is filled, or a constant, made with other extents.
fn again(
    builder: &mut Builder<'_>,
    value: ValueId,
    ty: TypeId,
    sizes: impl FnOnce(&mut Builder<'_>) -> Vec<Mixed>,
) -> Option<ValueId> {
    let op = builder.ir.def_op(value)?;
    match builder.ir.opcode(op) {
        Opcode::ArithConstant => {
            let Some(Attr::Dense { splat, bytes, .. }) = builder.ir.attr(op, "value") else { return None };
            let data = Attr::Dense { ty, splat: *splat, bytes: bytes.clone() };
            Some(builder.constant(data, ty))
        }
        Opcode::TensorEmpty => {
            let (_, values) = unmixed(&sizes(builder));
            Some(builder.value(Opcode::TensorEmpty, &values, ty, &[]))
        }
        Opcode::LinalgFill if builder.ir.results(op).count() == 1 => {
            let (_, values) = unmixed(&sizes(builder));
            let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
            let number = builder.ir.operand(op, 0);
            let attrs = builder.ir.attrs(op).to_vec();
            let attrs: Vec<(String, _)> =
                attrs.into_iter().map(|(name, attr)| (builder.ir[name].to_owned(), attr)).collect();
            let attrs: Vec<(&str, _)> = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
            let fill = builder.op(Opcode::LinalgFill, &[number, empty], &[ty], &attrs);
            builder.copy_regions(op, fill, &mut ValueMap::default());
            Some(builder.ir.result(fill, 0))
        }
        _ => None,
    }
}

/// Writes `tensor.reshape`, whose shape is a tensor, as what says which dimensions become which; says whether it did.
pub(super) fn plain(ir: &mut Ir, op: OpId) -> bool {
    let Some(new) = with_dimensions(ir, op) else { return false };
    let result = ir.result(op, 0);
    ir.replace_uses(result, new);
    ir.erase(op);
    true
}

fn with_dimensions(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let shapes = [source, result].map(|value| ir.shape_of(value).to_vec());
    let is_open = |shape: &[i64]| shape.contains(&DYNAMIC);
    if shapes.concat().contains(&0) || has_encoding(ir, source) || has_encoding(ir, result) {
        return None;
    }
    if is_open(&shapes[0]) != is_open(&shapes[1]) {
        return None;
    }
    let stated = ir.def_op(ir.operand(op, 1)).filter(|&made| ir.opcode(made) == Opcode::TensorFromElements);
    let stated: Vec<ValueId> = stated.map(|made| ir.operands(made).to_vec()).unwrap_or_default();
    let mut names = Names::around(ir, op)?;
    let given: Vec<Factors> = (0..shapes[0].len()).map(|d| names.extent(ir, source, d)).collect();
    let wanted: Vec<Factors> = shapes[1]
        .iter()
        .enumerate()
        .map(|(d, &extent)| match stated.get(d) {
            _ if extent != DYNAMIC => Factors { number: extent, names: Vec::new() },
            Some(&value) => names.number(ir, Mixed::Value(value)),
            None => names.follows(None, Name::Of(result, d)),
        })
        .collect();
    // Of as many dimensions all but one of which agree, the last one does, too: there are as many elements.
    let differing = given.iter().zip(&wanted).filter(|(given, wanted)| given != wanted).count();
    if ir.type_of(source) == ir.type_of(result) && differing <= 1 {
        return Some(source);
    }
    let (from, to) = (inside(&given, &[given.len()]), inside(&wanted, &[wanted.len()]));
    let builder = &mut Builder::before(ir, op);
    if let Some(groups) = assign(&to, &from).filter(|groups| collapsed(&shapes[0], groups) == shapes[1]) {
        return Some(collapse(builder, source, &groups));
    }
    if let Some(groups) = assign(&from, &to) {
        let (starts, own) = (ends(&groups), extents(builder, source));
        let mut sizes: Vec<Mixed> = shapes[1].iter().map(|&extent| Mixed::Static(extent)).collect();
        for (i, &n) in groups.iter().enumerate() {
            let part = starts[i]..starts[i] + n;
            let open: Vec<usize> = part.clone().filter(|&d| shapes[1][d] == DYNAMIC).collect();
            // An open extent that becomes several is divided by who says how long these are.
            match open[..] {
                [] if shapes[0][i] == DYNAMIC => return None,
                [d] if part.clone().all(|other| other == d || shapes[1][other] == 1) => {
                    sizes[d] = Mixed::Value(own[i].materialize(builder));
                }
                _ => {
                    for d in open {
                        sizes[d] = Mixed::Value(as_index(builder, *stated.get(d)?));
                    }
                }
            }
        }
        return Some(expand(builder, source, &groups, &sizes));
    }
    if is_open(&shapes[0]) {
        let is_known = |size: &Factors| {
            size.names.is_empty()
                || given.contains(size)
                || wanted.iter().zip(&stated).any(|(wanted, _)| wanted == size)
        };
        let between = Between::of(&given, &wanted).filter(|between| between.sizes.iter().all(is_known))?;
        let own = extents(builder, source);
        let stated = stated.into_iter().map(|value| Mixed::Value(as_index(builder, value)));
        let known: Vec<(&Factors, Mixed)> = given.iter().zip(own).chain(wanted.iter().zip(stated)).collect();
        return between.pass(builder, &known, source, result);
    }
    let flat = collapse(builder, source, &[shapes[0].len()]);
    let sizes: Vec<Mixed> = shapes[1].iter().map(|&extent| Mixed::Static(extent)).collect();
    Some(expand(builder, flat, &[shapes[1].len()], &sizes))
}

/// The dimensions of a tensor that lies between two shapes: expanded from the first, and collapsed to the second.
struct Between {
    /// How many of them there are for each dimension of the first,
    from: Vec<usize>,
    /// and of the second.
    to: Vec<usize>,
    sizes: Vec<Factors>,
}

impl Between {
    /// What lies between two shapes, from `n x b x 64` to `n x 4b x 16` for example `n x b x 4 x 16`; `None` where an extent
    /// of 1 is not the only one.
    fn of(from: &[Factors], to: &[Factors]) -> Option<Between> {
        let mut between = Between { from: vec![0; from.len()], to: vec![0; to.len()], sizes: Vec::new() };
        let (mut from_at, mut to_at) = (0, 0);
        let (mut from_left, mut to_left) = (from.first()?.clone(), to.first()?.clone());
        loop {
            // From the outermost dimension on: the part of it that the longer one of both has is the shorter one.
            let size = if to_left.divided(&from_left).is_some() { from_left.clone() } else { to_left.clone() };
            if size.is_one() && (from.len(), to.len()) != (1, 1) {
                return None;
            }
            between.from[from_at] += 1;
            between.to[to_at] += 1;
            from_left = from_left.divided(&size)?;
            to_left = to_left.divided(&size)?;
            between.sizes.push(size);
            if from_left.is_one() {
                from_at += 1;
                from_left = from.get(from_at).cloned().unwrap_or(from_left);
            }
            if to_left.is_one() {
                to_at += 1;
                to_left = to.get(to_at).cloned().unwrap_or(to_left);
            }
            match (from_at == from.len(), to_at == to.len()) {
                (true, true) => return Some(between),
                (false, false) => {}
                _ => return None,
            }
        }
    }

    /// `source` as another tensor is, by way of these dimensions, whose extents are numbers or among those that are known.
    fn pass(
        &self,
        builder: &mut Builder<'_>,
        known: &[(&Factors, Mixed)],
        source: ValueId,
        result: ValueId,
    ) -> Option<ValueId> {
        let size = |size: &Factors| match size.names[..] {
            [] => Some(Mixed::Static(size.number)),
            _ => known.iter().find(|(known, _)| *known == size).map(|&(_, value)| value),
        };
        let sizes: Vec<Mixed> = self.sizes.iter().map(size).collect::<Option<_>>()?;
        let shape = unmixed(&sizes).0;
        let is_of = |value: ValueId, groups: &[usize]| collapsed(&shape, groups) == builder.ir.shape_of(value);
        if !is_of(source, &self.from) || !is_of(result, &self.to) {
            return None;
        }
        let wide = expand(builder, source, &self.from, &sizes);
        Some(collapse(builder, wide, &self.to))
    }
}

fn as_index(builder: &mut Builder<'_>, number: ValueId) -> ValueId {
    let index = builder.ir.index_type();
    if builder.ir.type_of(number) == index {
        return number;
    }
    builder.value(Opcode::ArithIndexCast, &[number], index, &[])
}

/// Joins a reshape with what it is of; says whether it did.
pub(super) fn join(ir: &mut Ir, op: OpId) -> bool {
    let old = ir.result(op, 0);
    if ir.type_of(ir.operand(op, 0)) == ir.type_of(old) {
        let source = ir.operand(op, 0);
        ir.replace_uses(old, source);
        ir.erase(op);
        return true;
    }
    let Some(new) = joined(ir, op).or_else(|| remade(ir, op)) else { return false };
    ir.replace_uses(old, new);
    ir.erase(op);
    true
}

/// A reshape of what is made anew with other extents.
fn remade(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let (source, ty) = (ir.operand(op, 0), ir.type_of(ir.result(op, 0)));
    let (expands, groups, result) = (expands(ir, op), groups(ir, op)?, ir.result(op, 0));
    let builder = &mut Builder::before(ir, op);
    again(builder, source, ty, |builder| match expands {
        true => extents(builder, result),
        false => sizes_of(builder, source, &groups),
    })
}

/// What is collapsed and then expanded where the dimensions do not end alike, as `8 x 768` by way of 6144 to `96 x 64`,
/// expanded first, here to `8 x 12 x 64`, and then collapsed.
pub(super) fn expanded_first(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    if ir.opcode(op) != Opcode::TensorExpandShape {
        return None;
    }
    let inner = ir.def_op(ir.operand(op, 0)).filter(|&inner| ir.opcode(inner) == Opcode::TensorCollapseShape)?;
    let (long, result) = (ir.operand(inner, 0), ir.result(op, 0));
    if [long, result].iter().any(|&value| ir.shape_of(value).contains(&0)) || has_encoding(ir, long) {
        return None;
    }
    let mut names = Names::around(ir, op)?;
    let mut factors = |value: ValueId| -> Vec<Factors> {
        (0..ir.shape_of(value).len()).map(|d| names.extent(ir, value, d)).collect()
    };
    let (given, wanted) = (factors(long), factors(result));
    let mut all = Between { from: Vec::new(), to: Vec::new(), sizes: Vec::new() };
    let mut starts = [0, 0];
    for (from, to) in groups(ir, inner)?.into_iter().zip(groups(ir, op)?) {
        let part = Between::of(&given[starts[0]..starts[0] + from], &wanted[starts[1]..starts[1] + to])?;
        starts = [starts[0] + from, starts[1] + to];
        all.from.extend(part.from);
        all.to.extend(part.to);
        all.sizes.extend(part.sizes);
    }
    let builder = &mut Builder::before(ir, op);
    let known: Vec<(&Factors, Mixed)> = [(&given, long), (&wanted, result)]
        .into_iter()
        .flat_map(|(factors, value)| factors.iter().zip(extents(builder, value)).collect::<Vec<_>>())
        .collect();
    all.pass(builder, &known, long, result)
}

/// The operand of the operand, under the shape of the result.
pub(super) fn joined(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let inner = ir.def_op(ir.operand(op, 0))?;
    let is_reshape = |op| matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape);
    if !is_reshape(inner) {
        return None;
    }
    let (origin, result) = (ir.operand(inner, 0), ir.result(op, 0));
    let shapes = [origin, ir.operand(op, 0), result].map(|value| ir.shape_of(value).to_vec());
    if shapes.iter().any(|shape| shape.contains(&0)) || [origin, result].iter().any(|&value| has_encoding(ir, value)) {
        return None;
    }
    let mut names = Names::around(ir, op)?;
    let mut inside = |value: ValueId, groups: &[usize]| {
        let extents: Vec<Factors> = (0..ir.shape_of(value).len()).map(|d| names.extent(ir, value, d)).collect();
        inside(&extents, groups)
    };
    let (inner_groups, outer_groups) = (groups(ir, inner)?, groups(ir, op)?);
    let (inner_ends, outer_ends) = (ends(&inner_groups), ends(&outer_groups));
    let (from, to): (Vec<Cut>, Vec<Cut>) = match (expands(ir, inner), expands(ir, op)) {
        // The finer shape is between: places are counted in its dimensions.
        (true, false) => {
            let place = |&end: &usize| Cut::start_of(shapes[1][..end].iter().filter(|&&n| n != 1).count());
            (inner_ends.iter().map(place).collect(), outer_ends.iter().map(place).collect())
        }
        // The coarser one is between: places are counted in elements inside of its dimensions.
        (false, true) => (inside(origin, &inner_groups), inside(result, &outer_groups)),
        (true, true) => {
            let fine = inside(result, &outer_groups);
            (inner_ends.iter().map(|&end| fine[outer_ends[end]].clone()).collect(), fine)
        }
        (false, false) => {
            let fine = inside(origin, &inner_groups);
            let to = outer_ends.iter().map(|&end| fine[inner_ends[end]].clone()).collect();
            (fine, to)
        }
    };
    if from.len() == to.len() && shapes[0] == shapes[2] && from == to {
        return Some(origin);
    }
    let ty = ir.type_of(result);
    if from.len() > to.len() {
        let groups = assign(&to, &from)?;
        if collapsed(&shapes[0], &groups) != shapes[2] {
            return None;
        }
        return Some(collapse(&mut Builder::before(ir, op), origin, &groups));
    }
    if from.len() == to.len() {
        return None;
    }
    let groups = assign(&from, &to)?;
    // An extent that is one, but of which the types do not say so, may stand in a neighbour's group.
    if collapsed(&shapes[2], &groups) != shapes[0] {
        return None;
    }
    let builder = &mut Builder::before(ir, op);
    let sizes = if expands(builder.ir, op) { extents(builder, result) } else { sizes_between(builder, inner, op)? };
    let new = expand(builder, origin, &groups, &sizes);
    assert_eq!(builder.ir.type_of(new), ty, "a reshape of a reshape has the type of the second one");
    Some(new)
}

fn expands(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::TensorExpandShape
}

/// Where each of consecutive groups begins, and where the last one ends.
fn ends(groups: &[usize]) -> Vec<usize> {
    let ends = groups.iter().scan(0, |at, n| {
        *at += n;
        Some(*at)
    });
    [0].into_iter().chain(ends).collect()
}

pub(super) fn has_encoding(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::Tensor { encoding: Some(_), .. })
}

/// The extents of what a collapse makes of an expansion, where none of them is a product of numbers that nobody knows.
fn sizes_between(builder: &mut Builder<'_>, expansion: OpId, collapse: OpId) -> Option<Vec<Mixed>> {
    let middle = builder.ir.result(expansion, 0);
    let mut sizes = extents(builder, middle).into_iter();
    groups(builder.ir, collapse)?
        .into_iter()
        .map(|n| {
            let part: Vec<Mixed> = sizes.by_ref().take(n).filter(|size| *size != Mixed::Static(1)).collect();
            match part[..] {
                [] => Some(Mixed::Static(1)),
                [one] => Some(one),
                _ => {
                    let known = |size: &Mixed| if let Mixed::Static(n) = size { Some(*n) } else { None };
                    part.iter().map(known).product::<Option<i64>>().map(Mixed::Static)
                }
            }
        })
        .collect()
}

/// The cuts of a shape, whose groups are the dimensions of a coarser one.
fn inside(extents: &[Factors], groups: &[usize]) -> Vec<Cut> {
    let mut cuts = vec![Cut::start_of(0)];
    // Groups of more than one element so far, and dimensions.
    let (mut g, mut start) = (0, 0);
    let is_one = |extents: &[Factors]| extents.iter().all(|extent| extent.number == 1 && extent.names.is_empty());
    for &n in groups {
        let part = &extents[start..start + n];
        start += n;
        let is_open = |extent: &Factors| !extent.names.is_empty();
        let (first, last) = (part.iter().position(is_open), part.iter().rposition(is_open));
        let numbers = |part: &[Factors]| part.iter().fold(1i64, |all, extent| all.saturating_mul(extent.number));
        for end in 1..=n {
            cuts.push(match (first, last) {
                _ if is_one(part) => Cut::start_of(g),
                _ if is_one(&part[end..]) => Cut::start_of(g + 1),
                // Behind an open extent, places are counted from the end.
                (_, Some(last)) if end > last => Cut { group: g, at: At::InFrontOf(numbers(&part[end..])) },
                (Some(first), _) if end > first => {
                    let mut names = part[..end].iter().flat_map(|extent| extent.names.clone()).collect::<Vec<_>>();
                    names.sort_unstable();
                    Cut { group: g, at: At::Between(Factors { number: numbers(&part[..end]), names }) }
                }
                _ => Cut { group: g, at: At::Behind(numbers(&part[..end])) },
            });
        }
        g += usize::from(!is_one(part));
    }
    cuts
}

/// Which dimensions of a shape with more cuts make up each of one with fewer. Dimensions of extent 1 belong to any.
fn assign(short: &[Cut], long: &[Cut]) -> Option<Vec<usize>> {
    let (short, long): (Vec<&[Cut]>, Vec<&[Cut]>) = (short.windows(2).collect(), long.windows(2).collect());
    let is_one = |span: &&&[Cut]| span[0] == span[1];
    let mut groups = Vec::new();
    let mut at = 0;
    for (i, span) in short.iter().enumerate() {
        let start = at;
        if is_one(&span) {
            at += usize::from(long.get(at).is_some_and(|span| is_one(&span)));
        } else {
            at += long[at..].iter().take_while(is_one).count();
            let mut reached = &span[0];
            while *reached != span[1] {
                let part = long.get(at).filter(|part| part[0] == *reached)?;
                reached = &part[1];
                at += 1;
            }
            // Those that the next dimensions of extent 1 are stay for them.
            let ones = long[at..].iter().take_while(is_one).count();
            let needed = short[i + 1..].iter().take_while(is_one).count();
            at += ones.checked_sub(needed)?;
        }
        if at == start {
            return None;
        }
        groups.push(at - start);
    }
    let left = long[at..].iter().all(|span| is_one(&span));
    (at == long.len() || short.is_empty() && left).then_some(groups)
}
