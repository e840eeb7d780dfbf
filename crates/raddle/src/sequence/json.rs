//! A sequence as JSON; docs/launch-data.md says what the fields are.

use raddle_emit::sequence::{Argument, Base, Constant, Place, Requirement, Sequence, Step};
use raddle_ir::Expr;
use serde_json::{Value as Json, json};

use crate::Kernel;
use crate::artifact::parameter_json;

/// The object that `sequences` has for it.
pub fn json(sequence: &Sequence, kernels: &[Kernel]) -> Json {
    let writer = Writer { sequence, kernels };
    let requirement = |requirement: &Requirement| json!({ "number": writer.number(&requirement.number), "message": requirement.message });
    let constant = |constant: &Constant| {
        let data = constant.bytes.as_ref();
        json!({
            "type": constant.parameter.elem.to_string(),
            "shape": constant.parameter.shape,
            "name": constant.name,
            "is_held": constant.bytes.is_some(),
            "data": data.map(|bytes| digits(bytes)),
        })
    };
    let text = |expr: &Expr| sequence.text(expr);
    json!({
        "name": sequence.name,
        "parameters": sequence.parameters.iter().map(|parameter| parameter_json(parameter, &text)).collect::<Vec<_>>(),
        "numbers": sequence.numbers.iter().map(|number| sequence.number_text(number)).collect::<Vec<_>>(),
        "requirements": sequence.requirements.iter().map(requirement).collect::<Vec<_>>(),
        "constants": sequence.constants.iter().map(constant).collect::<Vec<_>>(),
        "state_bytes": sequence.state_bytes,
        "workspace_bytes": writer.number(&sequence.workspace_bytes),
        "once": writer.steps(&sequence.once),
        "steps": writer.steps(&sequence.steps),
    })
}

struct Writer<'a> {
    sequence: &'a Sequence,
    kernels: &'a [Kernel],
}

impl Writer<'_> {
    fn number(&self, expr: &Expr) -> Json {
        match expr {
            Expr::Const(number) => json!(number),
            expr => json!(self.sequence.text(expr)),
        }
    }

    fn place(&self, Place { base, byte }: &Place) -> Json {
        let mut place = match base {
            Base::Parameter(at) => json!({ "parameter": self.sequence.parameters[*at].name }),
            Base::Constant(at) => json!({ "constant": at }),
            Base::State => return json!({ "state": self.number(byte) }),
            Base::Workspace => return json!({ "workspace": self.number(byte) }),
        };
        if *byte != Expr::Const(0) {
            place["byte"] = self.number(byte);
        }
        place
    }

    fn argument(&self, argument: &Argument) -> Json {
        match argument {
            Argument::Buffer(at) => self.place(at),
            Argument::Number(expr) => json!({ "number": self.number(expr) }),
            Argument::Scalar(at) => json!({ "parameter": self.sequence.parameters[*at].name }),
            Argument::Bits(Expr::Const(bits)) => json!({ "bits": *bits as u64 }),
            Argument::Bits(bits) => json!({ "bits": self.number(bits) }),
        }
    }

    fn steps(&self, steps: &[Step]) -> Json {
        steps.iter().map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> Json {
        match step {
            Step::Call { kernel, arguments } => json!({
                "kernel": self.kernels[*kernel].name,
                "arguments": arguments.iter().map(|argument| self.argument(argument)).collect::<Vec<_>>(),
            }),
            Step::Copy { from, to, bytes, rows } => {
                let mut step = json!({ "copy": self.place(from), "to": self.place(to), "bytes": self.number(bytes) });
                if let Some(rows) = rows {
                    step["rows"] = self.number(&rows.count);
                    step["pitches"] = rows.pitches.iter().map(|pitch| self.number(pitch)).collect();
                }
                step
            }
            Step::Fill { to, bytes, with } => json!({
                "fill": self.place(to),
                "bytes": self.number(bytes),
                "with": digits(with),
            }),
            Step::Set { number, to } => json!({
                "set": format!("n{number}"),
                "to": self.sequence.number_text(to),
            }),
            Step::Read { number, from, elem } => json!({
                "read": format!("n{number}"),
                "from": self.place(from),
                "type": elem.to_string(),
            }),
            Step::Write { number, to, elem } => json!({
                "write": self.number(number),
                "to": self.place(to),
                "type": elem.to_string(),
            }),
            Step::If { flag, then, otherwise } => json!({
                "if": self.number(flag),
                "then": self.steps(then),
                "else": self.steps(otherwise),
            }),
            Step::Loop { before, flag, after } => json!({
                "loop": self.steps(before),
                "while": self.number(flag),
                "do": self.steps(after),
            }),
        }
    }
}

/// Bytes in hexadecimal digits.
fn digits(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}
