//! `linalg.softmax`: `exp(x - maximum) / sum(exp(x - maximum))` along one dimension.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, Scalar};

use super::loops::{Loops, Part, is_tensor, structured};

pub(super) fn softmax(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[input, output] = ir.operands(op) else { return None };
    let result = ir.results(op).next().filter(|_| is_tensor(ir, input))?;
    let rank = ir.shape_of(input).len();
    let along = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok());
    let along = along.filter(|&d| d < rank)?;
    let elem = ir.elem_of(input);
    let [input, output] = [input, output].map(|value| Part::whole(ir, value));
    let builder = &mut Builder::before(ir, op);
    let loops = Loops::of(builder, rank, &[input.clone(), output.clone()])?;
    // Of what is not a number and a number, the number counts, as in MLIR's own decomposition.
    let greatest = loops.reduce(builder, Opcode::ArithMaxnumf, f64::NEG_INFINITY, &input, &[along]);
    let powers = loops.each(builder, &[&input, &greatest], elem, |body, args| {
        let difference = body.binary(Opcode::ArithSubf, args[0], args[1]);
        let ty = body.ir.type_of(difference);
        body.value(Opcode::MathExp, &[difference], ty, &[])
    });
    let sum = loops.reduce(builder, Opcode::ArithAddf, 0.0, &powers, &[along]);
    // One division for each row: in types with many digits, a product with the reciprocal is as good as a quotient.
    let is_wide = Scalar::of(&builder.ir[elem]).is_some_and(|elem| elem.bits() >= 32);
    let quotient = structured(builder, &[&powers, &sum], output, |body, args| {
        if !is_wide {
            return body.binary(Opcode::ArithDivf, args[0], args[1]);
        }
        let one = body.constant(Attr::float(1.0, elem), elem);
        let reciprocal = body.binary(Opcode::ArithDivf, one, args[1]);
        body.binary(Opcode::ArithMulf, args[0], reciprocal)
    });
    ir.replace_uses(result, quotient.value);
    ir.erase(op);
    Some(())
}
