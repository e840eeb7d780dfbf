//! Online: the maximum of a row and the sum of powers below it, in one pass along the row.
//!
//! Before: `%m = reduce maximumf %x`, `%e = exp(%x - %m)`, `%s = reduce addf %e`, of which each reduction would read the row
//! After:
//!
//! ```mlir
//! %p:2 = scf.for … iter_args(%m, %s) { %new = max(%m, %x) ; %s * exp(%m - %new) + exp(%x - %new), … }
//! %m = reduce maximumf %p#0 ; %s = reduce addf (%p#1 * exp(%p#0 - %m))
//! ```
//!
//! Each point of a step has a maximum and a sum of its own, so that threads do not talk to one another inside the loop.
//! One of the two powers is always 1. Only floats of 32 bits and more: narrow sums would be rounded in each step.

use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Attr, AttrId, Builder, Diag, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId};

use super::fuse::{self, Fusion, Rules};
use super::nest::{Loops, Nest};
use super::part::{Tile, extents, is_whole, reached};
use crate::config::without_entries;
use crate::normalize::loops::to_float;
use crate::normalize::powers::{Below, NOT_POSITIVE, below_maximum};
use crate::structured::generalize::{body_of, generic};
use crate::structured::{body, combiner, fill};

/// Predicates of `arith.cmpf`: equal, and greater.
const EQUAL: i64 = 1;
const GREATER: i64 = 2;

/// A maximum and a sum of powers below it, along one row.
pub(super) struct Online {
    pub max: OpId,
    pub sum: OpId,
    /// `math.exp` or `math.exp2`.
    power: Opcode,
}

impl Online {
    /// The pair that ends with a sum, if it does. The powers may be a tensor, or computed where they are added.
    pub fn of(ir: &Ir, sum: OpId) -> Option<Online> {
        let last = Linalg::try_of(ir, sum)?;
        let adds = body::reduction(ir, sum).filter(|found| found.combiner.opcode == Opcode::ArithAddf)?;
        let identity = Map::identity(last.reduction.len());
        let powers = match ir.args(ir.entry(sum)).iter().position(|&arg| arg == adds.value) {
            Some(at) => {
                let middle = ir.def_op(*last.inputs.get(at).filter(|_| last.inputs.len() == 1)?)?;
                let linalg = Linalg::try_of(ir, middle).filter(|linalg| !linalg.reduction.contains(&true))?;
                let is_plain = linalg.maps.last() == Some(&identity) && linalg.inputs.len() == 2;
                ir.def_op(ir.operand(body::yield_of(ir, middle), 0)).filter(|_| is_plain)?
            }
            None => ir.def_op(adds.value).filter(|_| last.inputs.len() == 2)?,
        };
        let Below { max, x } = below_maximum(ir, powers)?;
        let first = Linalg::of(ir, max);
        let (greatest, elem) = (ir.result(max, 0), ir.elem_of(ir.result(max, 0)));
        let around = Linalg::of(ir, ir.parent_op(powers).expect("it is in a body"));
        let is_identity = |linalg: &Linalg| {
            linalg.inputs.iter().zip(&linalg.maps).all(|(&value, map)| value == greatest || *map == identity)
        };
        let same = first.inputs == [x]
            && first.maps.last() == last.maps.last()
            && first.reduction == last.reduction
            && [&first, &around, &last].into_iter().all(is_identity);
        let is_wide = matches!(Scalar::of(&ir[elem]), Some(Scalar::Float(float)) if Scalar::Float(float).bits() >= 32);
        let types = [ir.type_of(ir.result(powers, 0)), ir.elem_of(ir.result(sum, 0))];
        (same && is_wide && types == [elem; 2]).then(|| Online { max, sum, power: ir.opcode(powers) })
    }

    /// Goes along the row once for both, in steps of these sizes.
    pub fn tile(&self, ir: &mut Ir, sizes: &[i64], rules: &Rules<'_>) -> Result<(), Diag> {
        let Online { max, sum, power } = *self;
        let space = fuse::space(ir, max, sizes, false)?;
        let linalg = Linalg::of(ir, max);
        let n_loops = linalg.reduction.len();
        let tiled: Vec<usize> = (0..sizes.len()).filter(|&d| sizes[d] != 0).collect();
        let combine = body::reduction(ir, max).expect("a maximum combines");
        let adds = body::reduction(ir, sum).expect("a sum combines");
        let mut builder = Builder::before(ir, max);
        let ends = extents(&mut builder, max, &space);
        let point = |d: usize| if sizes[d] != 0 { Mixed::Static(sizes[d]) } else { ends[d] };
        let elem = builder.ir.elem_of(builder.ir.result(max, 0));
        let (numbers, values) = unmixed(&(0..n_loops).map(point).collect::<Vec<_>>());
        let ty = builder.ir.tensor_type(&numbers, elem);
        let starts = [f64::NEG_INFINITY, 0.0].map(|start| {
            let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
            let start = builder.float(start, elem);
            fill(&mut builder, start, empty)
        });
        let bounds = tiled.iter().map(|&d| (ends[d], sizes[d])).collect();
        let mut nest = Nest::open(ir, max, bounds);
        let tile = fuse::tile_of(ir, &nest, &ends, &tiled);
        let args = starts.map(|start| nest.fill(ir, start));
        let mut builder = nest.builder(ir);
        let part = reached(&mut builder, &space, 0, linalg.inputs[0], &tile);
        let x = builder.extract_slice(linalg.inputs[0], &part.offsets, &part.sizes);
        // The accumulators of a step are the same in each step.
        let first = |d: usize| if sizes[d] != 0 { Mixed::Static(0) } else { tile.offsets[d] };
        let place = Tile { offsets: (0..n_loops).map(first).collect(), sizes: tile.sizes.clone() };
        let [old, so_far] = args.map(|arg| match is_whole(builder.ir, arg, &place) {
            true => arg,
            false => builder.extract_slice(arg, &place.offsets, &place.sizes),
        });
        let config = builder.ir.attr_id(max, "lowering_config");
        let maps = |n: usize| vec![Map::identity(n_loops); n];
        let new = structured(&mut builder, &[x], old, maps(2), config, |body, args| {
            let x = to_float(body, args[0], elem);
            body.binary(combine.combiner.opcode, x, args[1])
        });
        let sums = structured(&mut builder, &[x, old, new], so_far, maps(4), config, |body, args| {
            let x = to_float(body, args[0], elem);
            added(body, power, elem, &[&[x], &args[1..]].concat())
        });
        for (arg, value) in args.into_iter().zip([new, sums]) {
            nest.put(arg, value, Tile { offsets: place.offsets.clone(), sizes: place.sizes.clone() }, None);
        }
        let mut fusion = Fusion { nest, root: max, tile: fuse::steps(&tile, &tiled), rules };
        fusion.producers(ir, vec![x].into());
        let (_, made) = fusion.nest.close(ir, &Loops::For);
        let &[maxima, sums] = &made[..] else { unreachable!("the loop fills two tensors") };
        let maps = linalg.maps.clone();
        let mut builder = Builder::before(ir, max);
        let config = config.map(|config| without_entries(builder.ir, config, &["promote_operands", "promotion_types"]));
        let reduced = |builder: &mut Builder<'_>, value, op: OpId, reduction: &body::Reduction| {
            let output = Linalg::of(builder.ir, op).outputs[0];
            let whole = Linalg {
                inputs: vec![value],
                outputs: vec![output],
                maps: maps.clone(),
                reduction: linalg.reduction.clone(),
            };
            let attrs: Vec<(&str, AttrId)> = config.map(|config| ("lowering_config", config)).into_iter().collect();
            let new = generic(builder, &whole, &attrs);
            combiner(builder, new, reduction.combiner);
            let (old, new) = (builder.ir.result(op, 0), builder.ir.result(new, 0));
            builder.ir.replace_uses(old, new);
            new
        };
        let greatest = reduced(&mut builder, maxima, max, &combine);
        let mut builder = Builder::before(ir, sum);
        let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
        let identity = Map::identity(n_loops);
        let of_rows = [identity.clone(), identity.clone(), maps[1].clone(), identity].to_vec();
        let scaled = structured(&mut builder, &[sums, maxima, greatest], empty, of_rows, None, |body, args| {
            let below = body.binary(Opcode::ArithSubf, args[1], args[2]);
            let factor = power_below(body, power, below, elem);
            body.binary(Opcode::ArithMulf, args[0], factor)
        });
        reduced(&mut builder, scaled, sum, &adds);
        ir.erase(sum);
        ir.erase(max);
        Ok(())
    }
}

/// A power whose exponent is not positive.
fn power_below(body: &mut Builder<'_>, power: Opcode, exponent: ValueId, elem: TypeId) -> ValueId {
    let unit = body.ir.intern(Attr::Unit);
    body.value(power, &[exponent], elem, &[(NOT_POSITIVE, unit)])
}

/// A sum of powers below the old maximum, with that of one more element, below the new one.
fn added(body: &mut Builder<'_>, power: Opcode, elem: TypeId, args: &[ValueId]) -> ValueId {
    let &[x, old, new, sum] = args else { unreachable!("the body has four arguments") };
    let bit = body.ir.int_type(1);
    let [zero, one, least] = [0.0, 1.0, f64::NEG_INFINITY].map(|number| body.float(number, elem));
    let mut compare = |a, b, predicate: i64| {
        let predicate = body.ir.i64_attr(predicate);
        body.value(Opcode::ArithCmpf, &[a, b], bit, &[("predicate", predicate)])
    };
    let (grows, is_none) = (compare(x, old, GREATER), compare(new, least, EQUAL));
    let mut select = |condition, a, b| body.value(Opcode::ArithSelect, &[condition, a, b], elem, &[]);
    // Minus infinity less itself would be a NaN.
    let (low, high) = (select(grows, old, x), select(is_none, zero, new));
    let below = body.binary(Opcode::ArithSubf, low, high);
    let power = power_below(body, power, below, elem);
    let scaled = body.binary(Opcode::ArithMulf, sum, power);
    let [first, later] = [(scaled, one), (sum, power)].map(|(a, b)| body.binary(Opcode::ArithAddf, a, b));
    body.value(Opcode::ArithSelect, &[grows, first, later], elem, &[])
}

/// A `linalg.generic` on each element, or along rows; what it gives.
fn structured(
    builder: &mut Builder<'_>,
    inputs: &[ValueId],
    output: ValueId,
    maps: Vec<Map>,
    config: Option<AttrId>,
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> ValueId,
) -> ValueId {
    let reduction = vec![false; maps[0].dims as usize];
    let attrs: Vec<(&str, AttrId)> = config.map(|config| ("lowering_config", config)).into_iter().collect();
    let linalg = Linalg { inputs: inputs.to_vec(), outputs: vec![output], maps, reduction };
    let op = generic(builder, &linalg, &attrs);
    let elems: Vec<TypeId> = inputs.iter().chain([&output]).map(|&value| builder.ir.elem_of(value)).collect();
    body_of(builder, op, &elems, |inner, args| vec![body(inner, args)]);
    builder.ir.result(op, 0)
}
