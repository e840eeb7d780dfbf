//! What the body of a structured operation does: which operation combines, and whether it is a product of two inputs.

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, OpId, Opcode, ValueId};

/// How a reduction combines values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Combiner {
    /// The scalar operation.
    pub opcode: Opcode,
    /// Its name as a `vector.kind`.
    pub kind: &'static str,
}

/// Each combining operation, its `vector.kind`, and its neutral element for floats (integers have their own).
const COMBINERS: &[(Opcode, &str)] = &[
    (Opcode::ArithAddf, "add"),
    (Opcode::ArithAddi, "add"),
    (Opcode::ArithMulf, "mul"),
    (Opcode::ArithMuli, "mul"),
    (Opcode::ArithMinui, "minui"),
    (Opcode::ArithMinsi, "minsi"),
    (Opcode::ArithMinnumf, "minnumf"),
    (Opcode::ArithMaxui, "maxui"),
    (Opcode::ArithMaxsi, "maxsi"),
    (Opcode::ArithMaxnumf, "maxnumf"),
    (Opcode::ArithAndi, "and"),
    (Opcode::ArithOri, "or"),
    (Opcode::ArithXori, "xor"),
    (Opcode::ArithMaximumf, "maximumf"),
    (Opcode::ArithMinimumf, "minimumf"),
];

impl Combiner {
    /// The combiner that an operation is.
    pub fn of_opcode(opcode: Opcode) -> Option<Combiner> {
        let &(opcode, kind) = COMBINERS.iter().find(|row| row.0 == opcode)?;
        Some(Combiner { opcode, kind })
    }

    /// The combiner of a `vector.kind` on floats or integers.
    pub fn of_kind(kind: &str, is_float: bool) -> Option<Combiner> {
        let is_float_op = |opcode: Opcode| {
            use Opcode::{ArithAddf, ArithMaximumf, ArithMaxnumf, ArithMinimumf, ArithMinnumf, ArithMulf};
            matches!(opcode, ArithAddf | ArithMulf | ArithMinnumf | ArithMaxnumf | ArithMaximumf | ArithMinimumf)
        };
        let &(opcode, kind) = COMBINERS.iter().find(|row| row.1 == kind && is_float_op(row.0) == is_float)?;
        Some(Combiner { opcode, kind })
    }

    /// The element that changes nothing, for integers of the given width (a float reads it as its value).
    pub fn neutral(self, int_width: u32) -> f64 {
        let top = 2f64.powi(int_width as i32 - 1);
        match self.kind {
            "add" | "or" | "xor" | "maxui" => 0.0,
            "mul" => 1.0,
            "and" | "minui" => -1.0,
            "minnumf" | "minimumf" => f64::INFINITY,
            "maxnumf" | "maximumf" => f64::NEG_INFINITY,
            "minsi" => top - 1.0,
            "maxsi" => -top,
            kind => panic!("`{kind}` is not a combining kind"),
        }
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

/// Whether the body is a contraction of the first input with the second: `acc + a * b`, each factor extended or not.
pub fn is_contraction(ir: &Ir, op: OpId) -> bool {
    let linalg = Linalg::of(ir, op);
    if linalg.inputs.len() != 2 || linalg.outputs.len() != 1 {
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
