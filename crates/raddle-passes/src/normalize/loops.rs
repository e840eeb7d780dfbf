//! Structured operations over loops that have numbers: each tensor names the loop of each of its dimensions.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Float, Ir, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId, float};

use crate::structured::fill;
use crate::structured::generalize::{body_of, generic};
use crate::structured::sizes::{extent, materialize};

/// A tensor, and the loop that each of its dimensions goes along; a number goes along none.
#[derive(Clone)]
pub(crate) struct Part {
    pub value: ValueId,
    pub dims: Vec<usize>,
}

impl Part {
    /// A tensor whose dimensions are the first loops, in order.
    pub fn whole(ir: &Ir, value: ValueId) -> Part {
        Part { value, dims: (0..ir.shape_of(value).len()).collect() }
    }

    /// The tensors that an operation's indexing maps lead to; `None` where a map is not a list of distinct loops.
    pub fn of_maps(ir: &Ir, values: &[ValueId], maps: &[Map]) -> Option<Vec<Part>> {
        if values.len() != maps.len() {
            return None;
        }
        let part = |(&value, map): (&ValueId, &Map)| {
            let dims = map.as_dims()?;
            (dims.len() == Linalg::shape(ir, value).len()).then_some(Part { value, dims })
        };
        values.iter().zip(maps).map(part).collect()
    }

    fn without(&self, gone: &[usize]) -> Vec<usize> {
        self.dims.iter().copied().filter(|d| !gone.contains(d)).collect()
    }
}

/// How long each loop is.
pub(crate) struct Loops {
    extents: Vec<Mixed>,
}

impl Loops {
    /// Reads the extents of `n` loops off tensors; those that are not known are asked for in front of the operation.
    pub fn of(builder: &mut Builder<'_>, n: usize, parts: &[Part]) -> Option<Loops> {
        let mut extents: Vec<Option<Mixed>> = vec![None; n];
        for part in parts {
            for (at, &d) in part.dims.iter().enumerate() {
                let extent = builder.ir.shape_of(part.value)[at];
                let known = matches!(extents.get(d)?, Some(Mixed::Static(_)));
                if extent != DYNAMIC {
                    extents[d] = Some(Mixed::Static(extent));
                } else if !known && extents[d].is_none() {
                    extents[d] = Some(Mixed::Value(dim(builder, part.value, at)));
                }
            }
        }
        Some(Loops { extents: extents.into_iter().collect::<Option<_>>()? })
    }

    /// A tensor without contents along some loops.
    pub fn empty(&self, builder: &mut Builder<'_>, dims: &[usize], elem: TypeId) -> Part {
        let extents: Vec<Mixed> = dims.iter().map(|&d| self.extents[d]).collect();
        let number = |extent: &Mixed| if let Mixed::Static(n) = *extent { n } else { DYNAMIC };
        let shape: Vec<i64> = extents.iter().map(number).collect();
        let sizes: Vec<ValueId> = extents
            .iter()
            .filter_map(|extent| if let Mixed::Value(size) = *extent { Some(size) } else { None })
            .collect();
        let ty = builder.ir.tensor_type(&shape, elem);
        Part { value: builder.value(Opcode::TensorEmpty, &sizes, ty, &[]), dims: dims.to_vec() }
    }

    /// How many points some loops have together, as an integer.
    pub fn count(&self, builder: &mut Builder<'_>, dims: &[usize], ty: TypeId) -> ValueId {
        let extents = || dims.iter().map(|&d| self.extents[d]);
        let known = extents().map(|extent| if let Mixed::Static(extent) = extent { extent } else { 1 });
        let mut count = builder.int(known.product(), ty);
        for extent in extents() {
            if let Mixed::Value(extent) = extent {
                let extent = builder.value(Opcode::ArithIndexCast, &[extent], ty, &[]);
                count = builder.binary(Opcode::ArithMuli, count, extent);
            }
        }
        count
    }

    /// A tensor of one number along some loops.
    pub fn filled(&self, builder: &mut Builder<'_>, number: f64, dims: &[usize], elem: TypeId) -> Part {
        let scalar = builder.splat(number, elem);
        let empty = self.empty(builder, dims, elem);
        Part { value: fill(builder, scalar, empty.value), dims: empty.dims }
    }

    /// One result for each element of the first part: the body takes an element of each.
    pub fn each(
        &self,
        builder: &mut Builder<'_>,
        parts: &[&Part],
        elem: TypeId,
        body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
    ) -> Part {
        let out = self.empty(builder, &parts[0].dims, elem);
        structured(builder, parts, out, body)
    }

    /// Combines what lies along some loops of a part, beginning with a number.
    pub fn reduce(&self, builder: &mut Builder<'_>, combine: Opcode, start: f64, part: &Part, gone: &[usize]) -> Part {
        let elem = builder.ir.elem_of(part.value);
        let out = self.filled(builder, start, &part.without(gone), elem);
        reduce_into(builder, combine, part, out)
    }

    /// The products of two parts, summed along the loops that the result does not have.
    pub fn product(&self, builder: &mut Builder<'_>, lhs: &Part, rhs: &Part, dims: &[usize], elem: TypeId) -> Part {
        let out = self.filled(builder, 0.0, dims, elem);
        product_into(builder, lhs, rhs, out)
    }
}

/// Combines a part into another one, along the loops that the other one does not have.
pub(super) fn reduce_into(builder: &mut Builder<'_>, combine: Opcode, part: &Part, out: Part) -> Part {
    structured(builder, &[part], out, |body, args| {
        let value = cast(body, args[0], args[1]);
        body.binary(combine, value, args[1])
    })
}

/// Adds products to a part, along the loops that it does not have.
pub(super) fn product_into(builder: &mut Builder<'_>, lhs: &Part, rhs: &Part, out: Part) -> Part {
    structured(builder, &[lhs, rhs], out, |body, args| {
        let factors = [cast(body, args[0], args[2]), cast(body, args[1], args[2])];
        let product = body.binary(Opcode::ArithMulf, factors[0], factors[1]);
        body.binary(Opcode::ArithAddf, args[2], product)
    })
}

/// A `linalg.generic`: what the body makes of an element of each input and of the output. Loops that the output does
/// not have are reduced.
pub(super) fn structured(
    builder: &mut Builder<'_>,
    inputs: &[&Part],
    output: Part,
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> Part {
    let (op, elems) = without_body(builder, inputs, &output);
    body_of(builder, op, &elems, |builder, args| vec![body(builder, args)]);
    Part { value: builder.ir.result(op, 0), dims: output.dims }
}

/// The operation, and the types of its body's arguments.
fn without_body(builder: &mut Builder<'_>, inputs: &[&Part], output: &Part) -> (OpId, Vec<TypeId>) {
    let parts: Vec<&Part> = inputs.iter().copied().chain([output]).collect();
    let mut used: Vec<usize> = parts.iter().flat_map(|part| part.dims.iter().copied()).collect();
    used.sort_unstable();
    used.dedup();
    let places = |dims: &[usize]| -> Vec<usize> {
        dims.iter().map(|d| used.iter().position(|other| other == d).expect("every loop is used")).collect()
    };
    let maps = parts.iter().map(|part| Map::of_dims(used.len(), &places(&part.dims))).collect();
    let reduction = used.iter().map(|d| !output.dims.contains(d)).collect();
    let inputs: Vec<ValueId> = inputs.iter().map(|input| input.value).collect();
    let linalg = Linalg { inputs: inputs.clone(), outputs: vec![output.value], maps, reduction };
    let op = generic(builder, &linalg, &[]);
    let elems: Vec<TypeId> =
        inputs.iter().chain([&output.value]).map(|&value| Linalg::elem(builder.ir, value)).collect();
    (op, elems)
}

/// A float in the type of another one.
pub(super) fn cast(builder: &mut Builder<'_>, value: ValueId, like: ValueId) -> ValueId {
    let to = builder.ir.type_of(like);
    to_float(builder, value, to)
}

/// A float in another type.
pub(crate) fn to_float(builder: &mut Builder<'_>, value: ValueId, to: TypeId) -> ValueId {
    let from = builder.ir.type_of(value);
    if from == to {
        return value;
    }
    let (narrow, wide) = (bits(builder.ir, from), bits(builder.ir, to));
    if narrow < wide {
        return builder.value(Opcode::ArithExtf, &[value], to, &[]);
    }
    if narrow > wide {
        return builder.value(Opcode::ArithTruncf, &[value], to, &[]);
    }
    // f16 and bf16, or two kinds of eight bits: neither holds the other's numbers.
    let between = builder.ir.float_type(Float::F32);
    let value = builder.value(Opcode::ArithExtf, &[value], between, &[]);
    builder.value(Opcode::ArithTruncf, &[value], to, &[])
}

/// A number as an attribute, rounded to its type.
pub(super) fn rounded(ir: &Ir, number: f64, ty: TypeId) -> Attr {
    match ir[ty] {
        Type::Float(format) => Attr::float(float::decode(format, float::encode(format, number)), ty),
        _ => Attr::float(number, ty),
    }
}

/// How wide a float is.
pub(crate) fn bits(ir: &Ir, ty: TypeId) -> u32 {
    Scalar::of(&ir[ty]).map_or(0, |scalar| scalar.bits())
}

/// Whether a type is that of a float.
pub(crate) fn is_float(ir: &Ir, ty: TypeId) -> bool {
    matches!(Scalar::of(&ir[ty]), Some(Scalar::Float(_)))
}

/// Whether a scalar operation takes many instructions, or reads memory.
pub(crate) fn is_costly(ir: &Ir, op: OpId) -> bool {
    let name = ir.name(op);
    (name.starts_with("math.") && !name.starts_with("math.abs"))
        || ["div", "rem"].iter().any(|part| name.contains(part))
        || ir.opcode(op) == Opcode::TensorExtract
}

/// The extent of a tensor along one dimension.
fn dim(builder: &mut Builder<'_>, value: ValueId, at: usize) -> ValueId {
    let found = extent(builder.ir, value, at);
    materialize(builder, found)
}

/// A value in the type of another one, which knows more or fewer extents.
pub(super) fn with_type(builder: &mut Builder<'_>, value: ValueId, like: ValueId) -> ValueId {
    let ty = builder.ir.type_of(like);
    if builder.ir.type_of(value) == ty { value } else { builder.value(Opcode::TensorCast, &[value], ty, &[]) }
}

/// The number that a tensor is filled with.
pub(super) fn filling(ir: &Ir, tensor: ValueId) -> Option<ValueId> {
    let fill = ir.def_op(tensor).filter(|&op| ir.opcode(op) == Opcode::LinalgFill)?;
    ir.operands(fill).first().copied()
}

/// Whether a value is a tensor.
pub(super) fn is_tensor(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::Tensor { .. })
}
