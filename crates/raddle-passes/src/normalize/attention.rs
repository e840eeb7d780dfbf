//! `iree_linalg_ext.attention` and `online_attention`: the product of query and key, a softmax over the keys, and the
//! product with the value.
//!
//! Scores have the type of the region's argument, which is where products are summed. As IREE does, the region and the
//! mask see scores that are scaled by `log2(e)` besides, and powers are those of two; `use_exp2 = false` in the
//! `decomposition_config` asks for the natural ones. Powers are rounded to the type of the value, where that is 16 bits
//! wide, so that both products are what matrix instructions take. What `qk_attrs` and `pv_attrs` in the
//! `decomposition_config` hold goes to the two products.
//!
//! Two rewrites: [`decompose`] writes the operation by products, reductions and elementwise operations. [`to_online`]
//! makes `attention` the `online_attention` of all keys, which can be tiled along them, and a quotient.

use std::f64::consts::LOG2_E;

use raddle_ir::views::is_zero_without_keys;
use raddle_ir::{
    Attr, AttrId, BlockId, Builder, DYNAMIC, Def, Diag, Expr, Float, Ir, Map, OpId, Opcode, Type, TypeId, ValueId,
    ValueMap, float,
};

pub(crate) use super::loops::Part;
use super::loops::{Loops, bits, cast, is_float, product_into, reduce_into, structured, to_float, with_type};
use super::masks::take_off;
use crate::code::SAME_IF_TRUE;

/// The operands of an attention, with the loops of their dimensions.
pub(crate) struct Attention {
    /// How many loops there are.
    pub n_loops: usize,
    pub query: Part,
    pub key: Part,
    pub value: Part,
    pub scale: Part,
    pub mask: Option<Part>,
    /// Tensors of which the region takes an element each, beside the score.
    pub given: Vec<Part>,
    /// The result, and for `online_attention` the maximum and the sum.
    pub outputs: Vec<Part>,
    /// The type of the scores.
    pub elem: TypeId,
}

impl Attention {
    /// How long the loops are, as tensors say; `DYNAMIC` where none does.
    pub fn extents(&self, ir: &Ir) -> Vec<i64> {
        let mut extents = vec![DYNAMIC; self.n_loops];
        let tensors = [&self.query, &self.key, &self.value].into_iter().chain(&self.mask).chain(&self.given);
        for part in tensors.chain(&self.outputs) {
            for (&d, &extent) in part.dims.iter().zip(ir.shape_of(part.value)) {
                extents[d] = extents[d].max(extent);
            }
        }
        extents
    }

    /// Takes an operation apart; `None` where a map is not a list of distinct loops, or elements are not floats.
    pub fn of(ir: &Ir, op: OpId) -> Option<Attention> {
        let n_outputs = match ir.opcode(op) {
            Opcode::IreeLinalgExtAttention => 1,
            Opcode::IreeLinalgExtOnlineAttention => 3,
            _ => return None,
        };
        let operands = ir.operands(op);
        let maps: Vec<Map> = ir.maps(op, "indexing_maps")?;
        let n_loops = maps.first()?.dims as usize;
        let parts = Part::of_maps(ir, operands, &maps)?;
        let (inputs, outputs) = parts.split_at_checked(operands.len().checked_sub(n_outputs)?)?;
        let [query, key, value, scale, masks @ ..] = inputs else { return None };
        let [score, elements @ ..] = ir.args(ir.body(op, 0)?) else { return None };
        let elem = ir.type_of(*score);
        let (mask, given) = masks.split_at_checked(masks.len().checked_sub(elements.len())?)?;
        let mut floats = [query, key, value, scale].into_iter().chain(outputs);
        if !is_float(ir, elem) || mask.len() > 1 || !floats.all(|part| is_float(ir, ir.elem_of(part.value))) {
            return None;
        }
        let [query, key, value, scale] = [query, key, value, scale].map(Part::clone);
        let mask = mask.first().cloned();
        let (given, outputs) = (given.to_vec(), outputs.to_vec());
        Some(Attention { n_loops, query, key, value, scale, mask, given, outputs, elem })
    }

    /// All operands, in order.
    pub fn all(&self) -> Vec<Part> {
        let inputs =
            [&self.query, &self.key, &self.value, &self.scale].into_iter().chain(&self.mask).chain(&self.given);
        inputs.chain(&self.outputs).cloned().collect()
    }

    /// The loops of the scores, in order.
    pub fn scores(&self) -> Vec<usize> {
        let has = |part: &Part, d: usize| part.dims.contains(&d);
        let is_score = |&d: &usize| {
            (has(&self.query, d) || has(&self.key, d)) && (has(&self.value, d) || has(&self.outputs[0], d))
        };
        (0..self.n_loops).filter(is_score).collect()
    }

    /// Those of the scores that the result does not have.
    pub fn keys(&self) -> Vec<usize> {
        self.scores().into_iter().filter(|d| !self.outputs[0].dims.contains(d)).collect()
    }

    /// Those of the scores that the result has.
    pub fn rows(&self) -> Vec<usize> {
        self.scores().into_iter().filter(|d| self.outputs[0].dims.contains(d)).collect()
    }

    /// The loops that the product of query and key sums along.
    pub fn depth(&self) -> Vec<usize> {
        let scores = self.scores();
        let has = |d: &usize| self.query.dims.contains(d) || self.key.dims.contains(d);
        (0..self.n_loops).filter(|d| has(d) && !scores.contains(d)).collect()
    }

    /// The type of the powers that are multiplied with the value.
    pub fn powers(&self, ir: &Ir) -> TypeId {
        let elem = ir.elem_of(self.value.value);
        if bits(ir, elem) == 16 { elem } else { self.elem }
    }
}

/// Makes an `attention` an `online_attention` that begins with nothing, and the quotient of its result and its sum.
/// Returns the `online_attention`.
pub(crate) fn to_online(ir: &mut Ir, op: OpId) -> Option<OpId> {
    let attention = Attention::of(ir, op).filter(|attention| attention.outputs.len() == 1)?;
    // Not minus infinity: where all of the first keys are masked out, that less itself would be a NaN.
    let least = least_of(ir, attention.elem)?;
    let mut maps: Vec<AttrId> = match ir.attr(op, "indexing_maps") {
        Some(Attr::Array(maps)) => maps.clone(),
        _ => return None,
    };
    let result = ir.result(op, 0);
    let attrs: Vec<(String, AttrId)> = ir.attrs(op).iter().map(|&(name, value)| (ir[name].to_owned(), value)).collect();
    let builder = &mut Builder::before(ir, op);
    let loops = Loops::of(builder, attention.n_loops, &attention.all())?;
    let out = &attention.outputs[0];
    let rows = attention.rows();
    let begin = [
        loops.filled(builder, 0.0, &out.dims, attention.elem),
        loops.filled(builder, least, &rows, attention.elem),
        loops.filled(builder, 0.0, &rows, attention.elem),
    ];
    let map = builder.ir.intern(Attr::Map(Map::of_dims(attention.n_loops, &rows)));
    maps.extend([map, map]);
    let n_inputs = builder.ir.operands(op).len() - 1;
    let mut operands = builder.ir.operands(op)[..n_inputs].to_vec();
    operands.extend(begin.iter().map(|part| part.value));
    let types: Vec<TypeId> = begin.iter().map(|part| builder.ir.type_of(part.value)).collect();
    let maps = builder.ir.intern(Attr::Array(maps));
    let attrs: Vec<(&str, AttrId)> = attrs
        .iter()
        .map(|(name, value)| (name.as_str(), if name == "indexing_maps" { maps } else { *value }))
        .collect();
    let online = builder.op(Opcode::IreeLinalgExtOnlineAttention, &operands, &types, &attrs);
    let region = builder.ir.add_region(online);
    let old = builder.ir.entry(op);
    let types: Vec<TypeId> = builder.ir.args(old).iter().map(|&arg| builder.ir.type_of(arg)).collect();
    let block = builder.ir.add_block(region, &types);
    let mut map = ValueMap::default();
    let args: Vec<[ValueId; 2]> =
        builder.ir.args(old).iter().zip(builder.ir.args(block)).map(|(&old, &new)| [old, new]).collect();
    args.into_iter().for_each(|[old, new]| map.set(old, new));
    let mut inner = Builder::at_end(builder.ir, block, builder.span);
    for op in inner.ir.ops_of(old) {
        inner.copy(op, &mut map);
    }
    let part = |i: usize, dims: &[usize]| Part { value: builder.ir.result(online, i), dims: dims.to_vec() };
    let (product, sum) = (part(0, &out.dims), part(2, &rows));
    let quotient = quotient(builder, op, &product, &sum, out.clone());
    let value = with_type(builder, quotient.value, result);
    builder.ir.replace_uses(result, value);
    ir.erase(op);
    Some(online)
}

/// The result of an attention: the product with the values, divided by the sum of the powers.
fn quotient(builder: &mut Builder<'_>, op: OpId, product: &Part, sum: &Part, out: Part) -> Part {
    let elem = builder.ir.elem_of(sum.value);
    let is_zero = is_zero_without_keys(builder.ir, op);
    // One division for a row, where that costs less than what products and powers have lost.
    let reciprocal = matches!(builder.ir[elem], Type::Float(Float::F32 | Float::F64));
    structured(builder, &[product, sum], out, |body, args| {
        let sum = if is_zero { not_nothing(body, args[1], elem) } else { args[1] };
        let quotient = if reciprocal {
            let one = body.float(1.0, elem);
            let reciprocal = body.binary(Opcode::ArithDivf, one, sum);
            body.binary(Opcode::ArithMulf, args[0], reciprocal)
        } else {
            body.binary(Opcode::ArithDivf, args[0], sum)
        };
        cast(body, quotient, args[2])
    })
}

/// A sum of powers, or a number where there are none. The power of the greatest score is 1, so that no sum of any is less.
fn not_nothing(body: &mut Builder<'_>, sum: ValueId, elem: TypeId) -> ValueId {
    let some = body.float(0.5, elem);
    body.binary(Opcode::ArithMaxnumf, sum, some)
}

/// The loop along pieces of the keys.
pub(crate) const PIECE: usize = 0;

/// What an `online_attention` of pieces begins with, given its inputs, the loops of its result and those of its rows: a
/// product, a maximum and a sum for each piece.
pub(crate) fn online_of(
    builder: &mut Builder<'_>,
    inputs: &[Part],
    out: &[usize],
    rows: &[usize],
    elem: TypeId,
) -> Option<[Part; 3]> {
    let least = least_of(builder.ir, elem)?;
    let loops = loops_of(builder, inputs)?;
    let [out, rows] = [out, rows].map(|dims| [&[PIECE], dims].concat());
    Some([
        loops.filled(builder, 0.0, &out, elem),
        loops.filled(builder, least, &rows, elem),
        loops.filled(builder, 0.0, &rows, elem),
    ])
}

/// The loops of the inputs of an attention.
fn loops_of(builder: &mut Builder<'_>, inputs: &[Part]) -> Option<Loops> {
    let n = inputs.iter().flat_map(|part| &part.dims).max()? + 1;
    Loops::of(builder, n, inputs)
}

/// The result of an attention of what an `online_attention` gives for pieces of its keys: each weighs as much as its
/// maximum says.
pub(crate) fn combine_pieces(
    builder: &mut Builder<'_>,
    op: OpId,
    inputs: &[Part],
    [product, maximum, sum]: [&Part; 3],
    out: Part,
) -> Option<ValueId> {
    let elem = builder.ir.elem_of(sum.value);
    let exp2 = uses_exp2(builder.ir, op);
    let loops = loops_of(builder, inputs)?;
    let largest = loops.reduce(builder, Opcode::ArithMaximumf, f64::NEG_INFINITY, maximum, &[PIECE]);
    let weights = loops.each(builder, &[maximum, &largest], elem, |body, args| {
        let difference = body.binary(Opcode::ArithSubf, args[0], args[1]);
        let power = if exp2 { Opcode::MathExp2 } else { Opcode::MathExp };
        body.value(power, &[difference], elem, &[])
    });
    // Not products of matrices: these would be kernels of their own.
    let [sum, product] = [sum, product].map(|part| {
        let weighted = scaled_by(builder, &loops, part, &weights);
        loops.reduce(builder, Opcode::ArithAddf, 0.0, &weighted, &[PIECE])
    });
    Some(quotient(builder, op, &product, &sum, out).value)
}

/// The least number of a type that is not infinite.
fn least_of(ir: &Ir, elem: TypeId) -> Option<f64> {
    let Type::Float(format) = ir[elem] else { return None };
    least(format)
}

/// The least number of a format that is not infinite; `None` for formats that accumulators do not have.
pub(super) fn least(format: Float) -> Option<f64> {
    // The largest exponent and all digits: one less than the bits of infinity.
    matches!(format, Float::F16 | Float::BF16 | Float::F32 | Float::F64)
        .then(|| float::decode(format, float::encode(format, f64::NEG_INFINITY) - 1))
}

/// Writes all attention of a function by simpler operations. What has another form stays.
pub(crate) fn decompose_all(ir: &mut Ir, func: OpId) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let _ = decompose(ir, op, None);
    }
    Ok(())
}

/// Writes the operation by products, reductions and elementwise operations. `all_kept` is known to say whether the masks
/// of its region keep all scores, which then need not be masked.
pub(crate) fn decompose(ir: &mut Ir, op: OpId, all_kept: Option<ValueId>) -> Option<()> {
    let attention = Attention::of(ir, op)?;
    let (scores, keys) = (attention.scores(), attention.keys());
    let all = attention.all();
    let powers_elem = attention.powers(ir);
    let config = ir.attr_id(op, "decomposition_config");
    let attrs_of = |ir: &Ir, name: &str| config.and_then(|config| ir.dict_get(config, name));
    let (qk_attrs, pv_attrs) = (attrs_of(ir, "qk_attrs"), attrs_of(ir, "pv_attrs"));
    let Attention { n_loops, query, key, value, scale, mask, given, outputs, elem } = &attention;
    let (n_loops, elem) = (*n_loops, *elem);
    let results: Vec<ValueId> = ir.results(op).collect();
    let (exp2, is_zero) = (uses_exp2(ir, op), is_zero_without_keys(ir, op));
    let builder = &mut Builder::before(ir, op);
    let loops = Loops::of(builder, n_loops, &all)?;

    let products = loops.product(builder, query, key, &scores, elem);
    give(builder.ir, products.value, qk_attrs);
    let block = builder.ir.entry(op);
    let yielded = builder.ir.operand(builder.ir.terminator(block)?, 0);
    let below = take_off(builder.ir, op).0;
    let rounds = bits(builder.ir, powers_elem) < bits(builder.ir, elem);
    let largest = if is_maximum_read(builder.ir, op) { Opcode::ArithMaximumf } else { Opcode::ArithMaxnumf };
    let powered = Scores { op, elem, exp2, rounds, largest, arg: builder.ir.args(block)[0], below, yielded };
    let factor = powered.factor(builder.ir, scale, mask.as_ref());
    let online = if let [_, before, _] = &outputs[..] { Some(before) } else { None };
    let (powers, maximum) = match (online, factor) {
        (Some(before), Some(factor)) => {
            let products = powered.masked(builder, &loops, products, given, all_kept);
            powered.of_products(builder, &loops, &products, factor, before, &keys)
        }
        (_, _) => {
            let scaled = powered.of(builder, &loops, &products, (scale, mask.as_ref(), given), all_kept);
            let maximum = match online {
                Some(before) => reduce_into(builder, largest, &scaled, before.clone()),
                None => {
                    let least = if is_zero { least_of(builder.ir, elem)? } else { nothing(largest) };
                    loops.reduce(builder, largest, least, &scaled, &keys)
                }
            };
            (powered.powers(builder, &loops, &scaled, &maximum, elem), maximum)
        }
    };
    let norm = online.map(|before| powered.powers(builder, &loops, before, &maximum, elem));
    let rounded = match powers_elem == elem {
        true => powers.clone(),
        false => loops.each(builder, &[&powers], powers_elem, |body, args| cast(body, args[0], args[1])),
    };
    let found = match norm {
        None => {
            let sum = loops.reduce(builder, Opcode::ArithAddf, 0.0, &powers, &keys);
            let product = loops.product(builder, &rounded, value, &outputs[0].dims, elem);
            give(builder.ir, product.value, pv_attrs);
            vec![structured(builder, &[&product, &sum], outputs[0].clone(), |body, args| {
                let sum = if is_zero { not_nothing(body, args[1], elem) } else { args[1] };
                let quotient = body.binary(Opcode::ArithDivf, args[0], sum);
                cast(body, quotient, args[2])
            })]
        }
        Some(norm) => {
            let [result, _, sum] = &outputs[..] else { return None };
            let sum = scaled_by(builder, &loops, sum, &norm);
            let sum = reduce_into(builder, Opcode::ArithAddf, &powers, sum);
            let result = scaled_by(builder, &loops, result, &norm);
            let product = product_into(builder, &rounded, value, result);
            give(builder.ir, product.value, pv_attrs);
            vec![product, maximum, sum]
        }
    };
    for (result, part) in results.into_iter().zip(found) {
        let value = with_type(builder, part.value, result);
        builder.ir.replace_uses(result, value);
    }
    ir.erase(op);
    Some(())
}

/// What changes no maximum.
fn nothing(largest: Opcode) -> f64 {
    if largest == Opcode::ArithMaxnumf { f64::NAN } else { f64::NEG_INFINITY }
}

/// Whether anything but later steps of its loop reads the maximum. A NaN among the scores makes its power, the sum and
/// the product so, whatever the maximum is: only who reads the maximum itself must find it there, too.
fn is_maximum_read(ir: &Ir, op: OpId) -> bool {
    ir.results(op).nth(1).is_some_and(|maximum| is_read(ir, maximum, op))
}

/// Whether anything but an operation reads a value that loops around both carry and give.
fn is_read(ir: &Ir, value: ValueId, op: OpId) -> bool {
    ir.uses(value).any(|(user, operand)| {
        let carried = match ir.opcode(user) {
            _ if user == op => return false,
            Opcode::ScfYield => {
                let parent = ir.parent_op(user).filter(|&parent| ir.opcode(parent) == Opcode::ScfFor);
                parent.map(|parent| vec![ir.args(ir.entry(parent))[1 + operand], ir.result(parent, operand)])
            }
            Opcode::TensorParallelInsertSlice if operand == 0 => match ir.def(ir.operand(user, 1)) {
                Def::Arg { block, index } => {
                    let parent = ir.region_parent(ir.block_region(block));
                    let n_others = ir.args(block).len() - ir.results(parent).len();
                    Some(vec![ir.result(parent, index as usize - n_others)])
                }
                Def::Result { .. } => None,
            },
            _ => None,
        };
        carried.is_none_or(|values| values.into_iter().any(|value| is_read(ir, value, op)))
    })
}

/// Gives the operation that makes a value what a dictionary holds.
fn give(ir: &mut Ir, value: ValueId, attrs: Option<AttrId>) {
    let (Some(op), Some(attrs)) = (ir.def_op(value), attrs) else { return };
    let entries: Vec<(String, AttrId)> =
        ir.entries(attrs).iter().map(|&(name, attr)| (ir[name].to_owned(), attr)).collect();
    for (name, attr) in entries {
        ir.set_attr(op, &name, attr);
    }
}

/// Whether powers are those of two.
pub(crate) fn uses_exp2(ir: &Ir, op: OpId) -> bool {
    let config = ir.attr_id(op, "decomposition_config");
    let attr = config.and_then(|config| ir.dict_get(config, "use_exp2"));
    !attr.is_some_and(|attr| ir[attr] == Attr::Bool(false))
}

/// What an expression of loops is in the region of an attention whose scores have these loops.
pub(crate) fn counted(builder: &mut Builder<'_>, scores: &[usize], place: &Expr) -> ValueId {
    match place {
        Expr::Const(number) => builder.index(*number),
        Expr::Dim(d) => {
            let dim = scores.iter().position(|&other| other == *d as usize).expect("scores have the loop");
            let (dim, ty) = (builder.ir.i64_attr(dim as i64), builder.ir.index_type());
            builder.value(Opcode::IreeLinalgExtIndex, &[], ty, &[("dim", dim)])
        }
        _ => {
            let used: Vec<usize> = scores.iter().copied().filter(|&d| place.names(&|other| other == d)).collect();
            let operands: Vec<ValueId> = used.iter().map(|&d| counted(builder, scores, &Expr::Dim(d as u32))).collect();
            let n = used.last().map_or(0, |&last| last + 1);
            let mut dims = vec![Expr::Const(0); n];
            used.iter().enumerate().for_each(|(at, &d)| dims[d] = Expr::Dim(at as u32));
            let map = Map { dims: used.len() as u32, syms: 0, results: vec![place.replaced(&dims, &[])] };
            builder.apply(map, &operands)
        }
    }
}

/// Lets the region of an attention, which is that of one whose scores have these loops, count what `place` says that each
/// of them is: an expression of its own loops.
pub(crate) fn recount(ir: &mut Ir, op: OpId, scores: &[usize], place: &dyn Fn(usize) -> Expr) {
    let Some(own) = Attention::of(ir, op).map(|attention| attention.scores()) else { return };
    for index in ir.walk(op) {
        let dim = ir.attr(index, "dim").filter(|_| ir.opcode(index) == Opcode::IreeLinalgExtIndex);
        let dim = dim.and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
        let Some(&d) = dim.and_then(|dim| scores.get(dim)) else { continue };
        let value = counted(&mut Builder::before(ir, index), &own, &place(d));
        let old = ir.result(index, 0);
        ir.replace_uses(old, value);
        ir.erase(index);
    }
}

/// What is made of each score.
struct Scores {
    op: OpId,
    elem: TypeId,
    exp2: bool,
    /// Whether powers are rounded to a narrower type before they are multiplied.
    rounds: bool,
    /// What finds the greatest score.
    largest: Opcode,
    /// The argument of the region, the score below its masks, and what it yields.
    arg: ValueId,
    below: ValueId,
    yielded: ValueId,
}

impl Scores {
    /// Scales the products, applies the region, and adds the mask.
    fn of(
        &self,
        builder: &mut Builder<'_>,
        loops: &Loops,
        products: &Part,
        (scale, mask, given): (&Part, Option<&Part>, &[Part]),
        all_kept: Option<ValueId>,
    ) -> Part {
        let inputs: Vec<&Part> = [products, scale].into_iter().chain(mask).chain(given).collect();
        // What is added last is added to masked scores, too.
        let masks_behind = mask.is_none() && all_kept.is_some();
        let end = if masks_behind { self.below } else { self.yielded };
        let scores = loops.each(builder, &inputs, self.elem, |body, args| {
            let scale = to_float(body, args[1], self.elem);
            let scale = self.in_base_two(body, scale);
            let score = body.binary(Opcode::ArithMulf, args[0], scale);
            let elements = &args[inputs.len() - given.len()..inputs.len()];
            let score = self.region(body, [self.arg, end], score, elements);
            match mask.map(|_| args[2]) {
                None => score,
                Some(mask) if is_float(body.ir, body.ir.type_of(mask)) => {
                    let mask = to_float(body, mask, self.elem);
                    let mask = self.in_base_two(body, mask);
                    body.binary(Opcode::ArithAddf, score, mask)
                }
                Some(mask) => {
                    let bit = body.ir.int_type(1);
                    let mask = match body.ir.type_of(mask) == bit {
                        true => mask,
                        false => body.value(Opcode::ArithTrunci, &[mask], bit, &[]),
                    };
                    let never = body.float(f64::NEG_INFINITY, self.elem);
                    body.value(Opcode::ArithSelect, &[mask, score, never], self.elem, &[])
                }
            }
        });
        if masks_behind { self.masked(builder, loops, scores, given, all_kept) } else { scores }
    }

    /// Applies the masks of the region, unless all scores are kept.
    fn masked(
        &self,
        builder: &mut Builder<'_>,
        loops: &Loops,
        scores: Part,
        given: &[Part],
        all_kept: Option<ValueId>,
    ) -> Part {
        if self.below == self.yielded {
            return scores;
        }
        // Masks that keep all scores change nothing.
        let masked = |builder: &mut Builder<'_>| {
            let (ends, inputs) = ([self.below, self.yielded], [&scores].into_iter().chain(given).collect::<Vec<_>>());
            loops.each(builder, &inputs, self.elem, |body, args| {
                self.region(body, ends, args[0], &args[1..inputs.len()])
            })
        };
        let Some(all_kept) = all_kept else { return masked(builder) };
        let ty = builder.ir.type_of(scores.value);
        let unit = builder.ir.intern(Attr::Unit);
        let branch = builder.op(Opcode::ScfIf, &[all_kept], &[ty], &[(SAME_IF_TRUE, unit)]);
        for applies in [false, true] {
            let region = builder.ir.add_region(branch);
            let block = builder.ir.add_block(region, &[]);
            let mut inner = Builder::at_end(builder.ir, block, builder.span);
            let value = if applies { masked(&mut inner).value } else { scores.value };
            inner.op(Opcode::ScfYield, &[value], &[], &[]);
        }
        Part { value: builder.ir.result(branch, 0), dims: scores.dims }
    }

    /// The number that products are multiplied with, where nothing else than masks happens to them and it is known to be
    /// positive.
    fn factor(&self, ir: &Ir, scale: &Part, mask: Option<&Part>) -> Option<f64> {
        if mask.is_some() || self.below != self.arg {
            return None;
        }
        let scale = ir.attr(ir.def_op(scale.value)?, "value")?;
        let Attr::Float { bits, .. } = *scale else { return None };
        let Type::Float(format) = ir[self.elem] else { return None };
        // Rounded as the scaled scores have it.
        let base = if self.exp2 { float::round(format, LOG2_E) } else { 1.0 };
        let factor = float::round(format, float::round(format, f64::from_bits(bits)) * base);
        (factor > 0.0 && factor.is_finite()).then_some(factor)
    }

    /// The powers of scaled products, and the maximum that they are below. A rounded product with a positive number is
    /// the larger the larger the other factor is: the maximum is scaled instead, and powers are of one rounding less.
    fn of_products(
        &self,
        builder: &mut Builder<'_>,
        loops: &Loops,
        products: &Part,
        factor: f64,
        before: &Part,
        keys: &[usize],
    ) -> (Part, Part) {
        let elem = self.elem;
        let largest = loops.reduce(builder, self.largest, nothing(self.largest), products, keys);
        let maximum = loops.each(builder, &[before, &largest], elem, |body, args| {
            let before = to_float(body, args[0], elem);
            let factor = body.splat(factor, elem);
            let scaled = body.binary(Opcode::ArithMulf, args[1], factor);
            body.binary(self.largest, before, scaled)
        });
        let powers = loops.each(builder, &[products, &maximum], elem, |body, args| {
            let factor = body.splat(factor, elem);
            let below = body.value(Opcode::ArithNegf, &[args[1]], elem, &[]);
            let difference = body.value(Opcode::MathFma, &[args[0], factor, below], elem, &[]);
            self.power(body, difference)
        });
        (powers, maximum)
    }

    fn power(&self, body: &mut Builder<'_>, exponent: ValueId) -> ValueId {
        let power = if self.exp2 { Opcode::MathExp2 } else { Opcode::MathExp };
        // What is rounded to half as many digits needs no more than a chip's own instruction has.
        let flags = body.keyword_attr("arith.fastmath", if self.rounds { "afn" } else { "none" });
        body.value(power, &[exponent], self.elem, &[("fastmath", flags)])
    }

    fn in_base_two(&self, body: &mut Builder<'_>, value: ValueId) -> ValueId {
        if !self.exp2 {
            return value;
        }
        let factor = body.splat(LOG2_E, self.elem);
        body.binary(Opcode::ArithMulf, value, factor)
    }

    /// What the operation's region makes of one of its values, given the elements that it asks for: another one.
    fn region(
        &self,
        body: &mut Builder<'_>,
        [from, to]: [ValueId; 2],
        score: ValueId,
        elements: &[ValueId],
    ) -> ValueId {
        let block = body.ir.entry(self.op);
        let mut map = ValueMap::default();
        let args = body.ir.args(block)[1..].to_vec();
        args.into_iter().zip(elements).for_each(|(arg, &element)| map.set(arg, element));
        map.set(self.arg, score);
        map.set(from, score);
        for inner in needed(body.ir, block, from, to) {
            if body.ir.opcode(inner) == Opcode::IreeLinalgExtIndex {
                let (ty, dim) = (body.ir.index_type(), body.ir.attr_id(inner, "dim"));
                let attrs: Vec<_> = dim.map(|dim| ("dim", dim)).into_iter().collect();
                let index = body.value(Opcode::LinalgIndex, &[], ty, &attrs);
                map.set(body.ir.result(inner, 0), index);
                continue;
            }
            body.copy(inner, &mut map);
        }
        map.get(to)
    }

    /// `exp(a - b)`, of two or of e.
    fn powers(&self, builder: &mut Builder<'_>, loops: &Loops, a: &Part, b: &Part, elem: TypeId) -> Part {
        loops.each(builder, &[a, b], elem, |body, args| {
            let operands = [args[0], args[1]].map(|value| to_float(body, value, elem));
            let difference = body.binary(Opcode::ArithSubf, operands[0], operands[1]);
            self.power(body, difference)
        })
    }
}

/// The operations of a block that make one value of another, in order.
fn needed(ir: &Ir, block: BlockId, from: ValueId, to: ValueId) -> Vec<OpId> {
    let mut found: Vec<OpId> = Vec::new();
    let mut waiting = vec![to];
    while let Some(value) = waiting.pop() {
        let made = ir.def_op(value).filter(|&made| value != from && ir.parent_block(made) == Some(block));
        let Some(made) = made.filter(|made| !found.contains(made)) else { continue };
        found.push(made);
        waiting.extend([vec![made], ir.walk(made)].concat().iter().flat_map(|&op| ir.operands(op).to_vec()));
    }
    ir.ops_of(block).into_iter().filter(|op| found.contains(op)).collect()
}

/// Each element times that of a part with fewer loops.
fn scaled_by(builder: &mut Builder<'_>, loops: &Loops, part: &Part, factor: &Part) -> Part {
    let elem = builder.ir.elem_of(part.value);
    loops.each(builder, &[part, factor], elem, |body, args| {
        let factor = to_float(body, args[1], elem);
        body.binary(Opcode::ArithMulf, args[0], factor)
    })
}
