//! What the body of a structured operation does: which operation combines, and whether it is a product of two inputs.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, Map, Neutral, OpId, Opcode, Type, TypeId, ValueId, float};

/// How a reduction combines values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Combiner {
    /// The scalar operation.
    pub opcode: Opcode,
    /// Its name as a `vector.kind`.
    pub kind: &'static str,
}

impl Combiner {
    /// The combiner that an operation is.
    pub fn of_opcode(opcode: Opcode) -> Option<Combiner> {
        let (kind, _) = opcode.info().combines()?;
        Some(Combiner { opcode, kind })
    }

    /// The combiner of a `vector.kind` on floats or integers.
    pub fn of_kind(kind: &str, is_float: bool) -> Option<Combiner> {
        Opcode::combining(kind, is_float).and_then(Combiner::of_opcode)
    }

    /// The element that changes nothing, whatever it is combined with: a constant of type `ty`, each element of it in a
    /// vector or tensor.
    pub fn neutral(self, builder: &mut Builder<'_>, ty: TypeId) -> ValueId {
        let elem = builder.ir[ty].elem().unwrap_or(ty);
        let width = if let Type::Integer { width, .. } = builder.ir[elem] { width } else { 64 };
        let (_, neutral) = self.opcode.info().combines().expect("the operation combines elements");
        let int = |value| Attr::Int { value, ty: elem };
        let [least, greatest] = if let Type::Float(float) = builder.ir[elem] { float::ends(float) } else { [0.0; 2] };
        let scalar = match neutral {
            Neutral::Float(value) => Attr::float(value, elem),
            Neutral::Int(value) => int(value),
            Neutral::LeastFloat => Attr::float(least, elem),
            Neutral::GreatestFloat => Attr::float(greatest, elem),
            Neutral::Least => int(i128::MIN >> (128 - width.clamp(1, 128))),
            Neutral::Greatest => int(i128::MAX >> (128 - width.clamp(1, 128))),
        };
        if elem == ty {
            return builder.constant(scalar, ty);
        }
        let bytes = builder.ir.elem_bytes(&scalar);
        builder.constant(Attr::Dense { ty, splat: true, bytes }, ty)
    }
}

/// A reduction found in a body: `yield combine(value, acc)`.
pub struct Reduction {
    /// How values combine.
    pub combiner: Combiner,
    /// The combining operation.
    pub op: OpId,
    /// What is combined into the accumulator.
    pub value: ValueId,
}

/// The terminator of the operation's body.
pub fn yield_of(ir: &Ir, op: OpId) -> OpId {
    ir.terminator(ir.entry(op)).expect("a structured operation's body ends with a yield")
}

/// Whether a structured operation gives its first input as it takes it.
pub fn copies_input(ir: &Ir, op: OpId) -> bool {
    let Some(body) = ir.body(op, 0) else { return false };
    ir.terminator(body).is_some_and(|end| ir.operands(end) == &ir.args(body)[..1])
}

/// The reduction that the body does into its only output, if it has that form.
pub fn reduction(ir: &Ir, op: OpId) -> Option<Reduction> {
    (ir.operands(yield_of(ir, op)).len() == 1).then(|| reduction_of(ir, op, 0)).flatten()
}

/// The reduction that the body does into an output, if it has that form.
pub fn reduction_of(ir: &Ir, op: OpId, output: usize) -> Option<Reduction> {
    let results = ir.operands(yield_of(ir, op));
    let args = ir.args(ir.entry(op));
    let acc = *args.get(args.len().checked_sub(results.len())? + output)?;
    let result = *results.get(output)?;
    let combine = ir.def_op(result)?;
    let combiner = Combiner::of_opcode(ir.opcode(combine))?;
    let value = match ir.operands(combine)[..] {
        [value, other] | [other, value] if other == acc && value != acc => value,
        _ => return None,
    };
    // The accumulator takes part nowhere else.
    (ir.uses(acc).count() == 1).then_some(Reduction { combiner, op: combine, value })
}

/// Whether the body is a contraction of the first input with the second: `acc + a * b`, each factor extended or not. A
/// number is not a factor, but part of a term, and each loop is one of a factor.
pub fn is_contraction(ir: &Ir, op: OpId) -> bool {
    contracts(ir, op, |_, _| false)
}

/// The same, whatever loops of one iteration the result has for itself.
pub fn is_contraction_but_for_ones(ir: &Ir, op: OpId) -> bool {
    contracts(ir, op, |linalg, d| linalg.extents(ir)[d] == 1)
}

/// Whether the body is a contraction; `is_spare` says which loops of the result alone it may have.
fn contracts(ir: &Ir, op: OpId, is_spare: impl Fn(&Linalg, usize) -> bool) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op) else { return false };
    let has_shape = |&input: &ValueId| ir.ty(input).shape().is_some();
    if linalg.inputs.len() != 2 || linalg.outputs.len() != 1 || !linalg.inputs.iter().all(has_shape) {
        return false;
    }
    // Along a loop of the result alone, one product is written to many places.
    let of_a_factor =
        |d: usize| linalg.maps[..2].iter().any(|map| map.results.iter().any(|place| place.names(&|e| e == d)));
    if !(0..linalg.reduction.len()).all(|d| of_a_factor(d) || is_spare(&linalg, d)) {
        return false;
    }
    let Some(reduction) = reduction(ir, op) else { return false };
    let Some(product) = ir.def_op(reduction.value) else { return false };
    let factors = match (reduction.combiner.opcode, ir.opcode(product)) {
        (Opcode::ArithAddf, Opcode::ArithMulf) | (Opcode::ArithAddi, Opcode::ArithMuli) => ir.operands(product),
        _ => return false,
    };
    let args = ir.args(ir.entry(op));
    let source = |value: ValueId| match ir.def_op(value) {
        Some(ext) if matches!(ir.opcode(ext), Opcode::ArithExtf | Opcode::ArithExtsi) => ir.operand(ext, 0),
        _ => value,
    };
    let factors = [source(factors[0]), source(factors[1])];
    factors == [args[0], args[1]] || factors == [args[1], args[0]]
}

/// The loops of a contraction by their role, each in order.
#[derive(Default)]
pub struct ContractionLoops {
    /// Rows: in lhs and result.
    pub m: Vec<usize>,
    /// Columns: in rhs and result.
    pub n: Vec<usize>,
    /// Reduced: in lhs and rhs.
    pub k: Vec<usize>,
}

/// Elements of a loop along which a matrix instruction leaves nothing of itself empty, of 16 bits.
const INSTRUCTION: i64 = 16;

/// Of the loops that a contraction sums along, the one for matrix instructions: the last that is long enough for one, else
/// the longest.
pub fn inner_sum(sums: &[usize], extents: &[i64]) -> Option<usize> {
    let length = |d: usize| if extents[d] == DYNAMIC { INSTRUCTION } else { extents[d].min(INSTRUCTION) };
    sums.iter().copied().max_by_key(|&d| length(d))
}

/// The last loop of a contraction that both factors and the result have.
pub fn block_loop(maps: &[Map]) -> Option<usize> {
    let dims = maps.iter().map(Map::as_dims).collect::<Option<Vec<_>>>()?;
    (0..maps[0].dims as usize).rfind(|d| dims.iter().all(|dims| dims.contains(d)))
}

/// Finds the loops of a contraction by the operands that each appears in; batches are in all three. `None` where a loop
/// has none of these roles.
pub fn contraction_loops(maps: &[Map]) -> Option<ContractionLoops> {
    let [lhs, rhs, result] = [maps[0].as_dims()?, maps[1].as_dims()?, maps[2].as_dims()?];
    let mut loops = ContractionLoops::default();
    for d in 0..maps[0].dims as usize {
        match [&lhs, &rhs, &result].map(|dims| dims.contains(&d)) {
            [true, true, true] => {}
            [true, false, true] => loops.m.push(d),
            [false, true, true] => loops.n.push(d),
            [true, true, false] => loops.k.push(d),
            _ => return None,
        }
    }
    Some(loops)
}
