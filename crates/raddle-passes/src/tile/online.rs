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
use super::partial::combiner;
use crate::body;
use crate::config::without_entries;
use crate::expand_math::NOT_POSITIVE;
use crate::generalize::{body_of, generic};

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
    /// The pair that ends with a sum, if it does.
    pub fn of(ir: &Ir, sum: OpId) -> Option<Online> {
        let last = Linalg::try_of(ir, sum)?;
        let powers = ir.def_op(*last.inputs.first()?)?;
        let middle = Linalg::try_of(ir, powers)?;
        let &[x, greatest] = &middle.inputs[..] else { return None };
        let max = ir.def_op(greatest)?;
        let first = Linalg::try_of(ir, max)?;
        let identity = Map::identity(last.reduction.len());
        let same = first.inputs == [x]
            && first.maps == last.maps
            && first.reduction == last.reduction
            && first.maps.first() == Some(&identity)
            && middle.maps == [identity.clone(), first.maps.get(1)?.clone(), identity]
            && !middle.reduction.contains(&true);
        let elem = ir.elem_of(x);
        let is_wide = matches!(Scalar::of(&ir[elem]), Some(Scalar::Float(_)) if Scalar::of(&ir[elem])?.bits() >= 32);
        let tensors = [greatest, last.inputs[0], ir.result(sum, 0)];
        if !same || !is_wide || tensors.iter().any(|&value| ir.elem_of(value) != elem) {
            return None;
        }
        let combines = |op: OpId, opcodes: &[Opcode]| {
            let found = body::reduction(ir, op);
            found.is_some_and(|found| {
                opcodes.contains(&found.combiner.opcode) && found.value == ir.args(ir.entry(op))[0]
            })
        };
        let args = ir.args(ir.entry(powers)).to_vec();
        let power = ir.def_op(ir.operand(body::yield_of(ir, powers), 0))?;
        let difference = ir.def_op(*ir.operands(power).first()?)?;
        let is_power = matches!(ir.opcode(power), Opcode::MathExp | Opcode::MathExp2)
            && ir.opcode(difference) == Opcode::ArithSubf
            && ir.operands(difference) == &args[..2];
        let is_pair =
            combines(max, &[Opcode::ArithMaximumf, Opcode::ArithMaxnumf]) && combines(sum, &[Opcode::ArithAddf]);
        (is_power && is_pair).then(|| Online { max, sum, power: ir.opcode(power) })
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
        let elem = builder.ir.elem_of(linalg.inputs[0]);
        let (numbers, values) = unmixed(&(0..n_loops).map(point).collect::<Vec<_>>());
        let ty = builder.ir.tensor_type(&numbers, elem);
        let starts = [f64::NEG_INFINITY, 0.0].map(|start| {
            let empty = builder.value(Opcode::TensorEmpty, &values, ty, &[]);
            let start = builder.float(start, elem);
            super::fill(&mut builder, start, empty)
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
            body.binary(combine.combiner.opcode, args[0], args[1])
        });
        let sums = structured(&mut builder, &[x, old, new], so_far, maps(4), config, |body, args| {
            added(body, power, elem, args)
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
    // Minus infinity less itself would be no number.
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
    let elem = builder.ir.elem_of(output);
    body_of(builder, op, &vec![elem; inputs.len() + 1], |inner, args| vec![body(inner, args)]);
    builder.ir.result(op, 0)
}
