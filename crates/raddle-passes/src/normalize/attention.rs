//! `iree_linalg_ext.attention` and `online_attention`: the product of query and key, a softmax over the keys, and the
//! product with the value.
//!
//! Scores have the type of the region's argument, which is where products are summed. As IREE does, the region and the
//! mask see scores that are scaled by `log2(e)` besides, and powers are those of two; `use_exp2 = false` in the
//! `decomposition_config` asks for the natural ones. Powers are rounded to the type of the value, where that is 16 bits
//! wide, so that both products are what matrix instructions take.
//!
//! Does not keep the scores in registers: they go through memory between the products.

use std::f64::consts::LOG2_E;

use raddle_ir::{Attr, Builder, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};

use super::loops::{Loops, Part, bits, cast, is_float, product_into, reduce_into, structured, to_float, with_type};

/// The loops of an attention, by who has them.
struct Shape {
    /// Those of the scores, in order.
    scores: Vec<usize>,
    /// Those of the scores that the result does not have.
    keys: Vec<usize>,
}

pub(super) fn attention(ir: &mut Ir, op: OpId) -> Option<()> {
    let online = ir.opcode(op) == Opcode::IreeLinalgExtOnlineAttention;
    let operands = ir.operands(op).to_vec();
    let maps: Vec<Map> = ir.maps(op, "indexing_maps")?;
    let n_loops = maps.first()?.dims as usize;
    let parts = Part::of_maps(ir, &operands, &maps)?;
    let n_inputs = operands.len().checked_sub(if online { 3 } else { 1 })?;
    let (inputs, outputs) = parts.split_at(n_inputs);
    let [query, key, value, scale, mask @ ..] = inputs else { return None };
    let body = ir.body(op, 0)?;
    let &[score] = ir.args(body) else { return None };
    let elem = ir.type_of(score);
    let floats = parts.iter().filter(|part| mask.first().is_none_or(|mask| mask.value != part.value));
    if !is_float(ir, elem) || mask.len() > 1 || !floats.clone().all(|part| is_float(ir, ir.elem_of(part.value))) {
        return None;
    }
    let has = |part: &Part, d: usize| part.dims.contains(&d);
    let scores: Vec<usize> =
        (0..n_loops).filter(|&d| (has(query, d) || has(key, d)) && (has(value, d) || has(&outputs[0], d))).collect();
    let keys = scores.iter().copied().filter(|&d| !has(&outputs[0], d)).collect();
    let shape = Shape { scores, keys };
    let results: Vec<ValueId> = ir.results(op).collect();
    let exp2 = uses_exp2(ir, op);
    let builder = &mut Builder::before(ir, op);
    let loops = Loops::of(builder, n_loops, &parts)?;

    let products = loops.product(builder, query, key, &shape.scores, elem);
    let powered = Scores { op, elem, exp2 };
    let scaled = powered.of(builder, &loops, &products, scale, mask.first());
    let (maximum, norm) = if online {
        let before = &outputs[1];
        let maximum = reduce_into(builder, Opcode::ArithMaximumf, &scaled, before.clone());
        let norm = powered.powers(builder, &loops, before, &maximum, elem);
        (maximum, Some(norm))
    } else {
        (loops.reduce(builder, Opcode::ArithMaximumf, f64::NEG_INFINITY, &scaled, &shape.keys), None)
    };
    let powers = powered.powers(builder, &loops, &scaled, &maximum, elem);
    let value_elem = builder.ir.elem_of(value.value);
    let rounded = match bits(builder.ir, value_elem) {
        16 if value_elem != elem => {
            loops.each(builder, &[&powers], value_elem, |body, args| cast(body, args[0], args[1]))
        }
        _ => powers.clone(),
    };
    let found = match norm {
        None => {
            let sum = loops.reduce(builder, Opcode::ArithAddf, 0.0, &powers, &shape.keys);
            let product = loops.product(builder, &rounded, value, &outputs[0].dims, elem);
            vec![structured(builder, &[&product, &sum], outputs[0].clone(), |body, args| {
                let quotient = body.binary(Opcode::ArithDivf, args[0], args[1]);
                cast(body, quotient, args[2])
            })]
        }
        Some(norm) => {
            let [result, _, sum] = outputs else { return None };
            let sum = scaled_by(builder, &loops, sum, &norm);
            let sum = reduce_into(builder, Opcode::ArithAddf, &powers, sum);
            let result = scaled_by(builder, &loops, result, &norm);
            vec![product_into(builder, &rounded, value, result), maximum, sum]
        }
    };
    for (result, part) in results.into_iter().zip(found) {
        let value = with_type(builder, part.value, result);
        builder.ir.replace_uses(result, value);
    }
    ir.erase(op);
    Some(())
}

/// Whether powers are those of two.
fn uses_exp2(ir: &Ir, op: OpId) -> bool {
    let config = ir.attr_id(op, "decomposition_config");
    let attr = config.and_then(|config| ir.dict_get(config, "use_exp2"));
    !attr.is_some_and(|attr| ir[attr] == Attr::Bool(false))
}

/// What is made of each score.
struct Scores {
    op: OpId,
    elem: TypeId,
    exp2: bool,
}

impl Scores {
    /// Scales the products, applies the region, and adds the mask.
    fn of(&self, builder: &mut Builder<'_>, loops: &Loops, products: &Part, scale: &Part, mask: Option<&Part>) -> Part {
        let inputs: Vec<&Part> = [products, scale].into_iter().chain(mask).collect();
        loops.each(builder, &inputs, self.elem, |body, args| {
            let scale = to_float(body, args[1], self.elem);
            let scale = self.in_base_two(body, scale);
            let score = body.binary(Opcode::ArithMulf, args[0], scale);
            let score = self.region(body, score);
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
        })
    }

    fn in_base_two(&self, body: &mut Builder<'_>, value: ValueId) -> ValueId {
        if !self.exp2 {
            return value;
        }
        let factor = body.splat(LOG2_E, self.elem);
        body.binary(Opcode::ArithMulf, value, factor)
    }

    /// What the operation's region makes of a score.
    fn region(&self, body: &mut Builder<'_>, score: ValueId) -> ValueId {
        let block = body.ir.entry(self.op);
        let mut map = ValueMap::default();
        map.set(body.ir.args(block)[0], score);
        let end = body.ir.terminator(block).expect("a verified region has a terminator");
        for inner in body.ir.ops_of(block) {
            if inner == end {
                continue;
            }
            if body.ir.opcode(inner) == Opcode::IreeLinalgExtIndex {
                let (ty, dim) = (body.ir.index_type(), body.ir.attr_id(inner, "dim"));
                let attrs: Vec<_> = dim.map(|dim| ("dim", dim)).into_iter().collect();
                let index = body.value(Opcode::LinalgIndex, &[], ty, &attrs);
                map.set(body.ir.result(inner, 0), index);
                continue;
            }
            body.copy(inner, &mut map);
        }
        map.get(body.ir.operand(end, 0))
    }

    /// `exp(a - b)`, of two or of e.
    fn powers(&self, builder: &mut Builder<'_>, loops: &Loops, a: &Part, b: &Part, elem: TypeId) -> Part {
        loops.each(builder, &[a, b], elem, |body, args| {
            let operands = [args[0], args[1]].map(|value| to_float(body, value, elem));
            let difference = body.binary(Opcode::ArithSubf, operands[0], operands[1]);
            let power = if self.exp2 { Opcode::MathExp2 } else { Opcode::MathExp };
            body.value(power, &[difference], elem, &[])
        })
    }
}

/// Each element times that of a part with fewer loops.
fn scaled_by(builder: &mut Builder<'_>, loops: &Loops, part: &Part, factor: &Part) -> Part {
    let elem = builder.ir.elem_of(part.value);
    loops.each(builder, &[part, factor], elem, |body, args| {
        let factor = to_float(body, args[1], elem);
        body.binary(Opcode::ArithMulf, args[0], factor)
    })
}
