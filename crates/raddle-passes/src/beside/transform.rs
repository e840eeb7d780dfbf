//! Transform scripts: carry out `transform.named_sequence @__transform_main` on the module around it.
//!
//! A handle of the script stands for operations of the program, a parameter for attributes. Steps run in order; each
//! has a row in the table of [`steps`], and a step without one is an error at its line. A handle forgets operations
//! that are gone. A step that finds nothing to do its work on fails in a way that `failures(suppress)` forgives; a step
//! that breaks half way does not.
//!
//! Does not follow what replaced an operation: a handle to something that was rewritten stands for what is left of it.

mod foreach_match;
mod matrices;
mod on_tiles;
mod shared;
mod steps;

use raddle_ir::{Attr, AttrId, BlockId, Code, Diag, Ir, OpId, Opcode, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};

/// Sequences that include one another nest at most this deep.
const DEPTH_MAX: usize = 64;

/// Options of the pass.
pub const OPTIONS: &[PassOption] = &[PassOption {
    name: "entry-point",
    sentence: "the sequence to carry out",
    kind: OptionKind::Text("__transform_main"),
}];

/// What a value of the script stands for.
#[derive(Clone, Debug)]
enum Payload {
    Ops(Vec<OpId>),
    Params(Vec<AttrId>),
}

/// Why a script stops.
enum Stop {
    /// Nothing has happened: the caller may go on.
    Quiet(Diag),
    /// The program may be half changed.
    Hard(Diag),
}

impl Stop {
    fn diag(self) -> Diag {
        match self {
            Stop::Quiet(diag) | Stop::Hard(diag) => diag,
        }
    }
}

type Done = Result<(), Stop>;

/// A script on its way.
struct Script<'a> {
    facts: &'a Facts,
    root: OpId,
    payloads: FxHashMap<ValueId, Payload>,
    depth: usize,
}

/// Carries out the script that a module holds.
pub fn interpret(ir: &mut Ir, module: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
    let name = options.word("entry-point");
    let Some(main) = sequence_named(ir, module, name) else {
        return Err(Diag::error(
            Code::BadScript,
            ir.span(module),
            format!("there is no sequence `@{name}` to carry out"),
        )
        .help("write `transform.named_sequence @__transform_main(%root: !transform.any_op) { … transform.yield }`"));
    };
    let mut script = Script { facts, root: module, payloads: FxHashMap::default(), depth: 0 };
    script.call(ir, main, &[Payload::Ops(vec![module])]).map(|_| ()).map_err(Stop::diag)
}

/// Removes every transform script, and modules that hold nothing without it.
pub fn drop_script(ir: &mut Ir, module: OpId, _: &Facts) -> Result<(), Diag> {
    let is_script = |ir: &Ir, op: OpId| ir.name(op).starts_with("transform.");
    for op in ir.walk(module) {
        // What was nested in an erased script is gone with it.
        if is_script(ir, op) && ir.parent_op(op).is_some_and(|parent| !is_script(ir, parent)) {
            ir.erase(op);
        }
    }
    for op in ir.walk(module).into_iter().rev() {
        let is_empty =
            ir.opcode(op) == Opcode::BuiltinModule && ir.body(op, 0).is_none_or(|body| ir.first_op(body).is_none());
        if is_empty {
            ir.erase(op);
        }
    }
    Ok(())
}

/// The sequence of this name, nearest to the module's own level.
fn sequence_named(ir: &Ir, module: OpId, name: &str) -> Option<OpId> {
    let is_it = |op: &OpId| ir.opcode(*op) == Opcode::TransformNamedSequence && ir.symbol_name(*op) == Some(name);
    ir.walk(module).into_iter().find(|op| is_it(op) && ir.body(*op, 0).is_some())
}

impl Script<'_> {
    /// Carries out a sequence on what its arguments stand for, and returns what it yields.
    fn call(&mut self, ir: &mut Ir, sequence: OpId, args: &[Payload]) -> Result<Vec<Payload>, Stop> {
        if self.depth == DEPTH_MAX {
            let message = format!("sequences nest more than {DEPTH_MAX} deep");
            return Err(Stop::Hard(Diag::error(Code::BadScript, ir.span(sequence), message)));
        }
        let body = ir.entry(sequence);
        let params = ir.args(body).to_vec();
        if params.len() != args.len() {
            let message = format!("the sequence takes {} arguments and is given {}", params.len(), args.len());
            return Err(Stop::Hard(Diag::error(Code::BadScript, ir.span(sequence), message)));
        }
        for (&param, arg) in params.iter().zip(args) {
            self.payloads.insert(param, arg.clone());
        }
        self.depth += 1;
        let yielded = self.block(ir, body);
        self.depth -= 1;
        yielded
    }

    /// Carries out the steps of a block, and returns what its last one yields.
    fn block(&mut self, ir: &mut Ir, block: BlockId) -> Result<Vec<Payload>, Stop> {
        for op in ir.ops_of(block) {
            if ir.opcode(op) == Opcode::TransformYield {
                let operands = ir.operands(op).to_vec();
                return operands.into_iter().map(|value| self.payload(ir, op, value)).collect();
            }
            steps::step(ir, self, op)?;
        }
        Ok(Vec::new())
    }

    /// What a value stands for, without what is gone.
    fn payload(&self, ir: &Ir, op: OpId, value: ValueId) -> Result<Payload, Stop> {
        match self.payloads.get(&value) {
            Some(Payload::Ops(ops)) => {
                let lives = |op: &OpId| *op == ir.module() || ir.parent_block(*op).is_some();
                Ok(Payload::Ops(ops.iter().copied().filter(lives).collect()))
            }
            Some(payload) => Ok(payload.clone()),
            None => Err(hard(ir, op, "an operand stands for nothing: the step that makes it was not carried out")),
        }
    }

    /// The operations that the `index`-th operand stands for.
    fn ops(&self, ir: &Ir, op: OpId, index: usize) -> Result<Vec<OpId>, Stop> {
        match self.payload(ir, op, ir.operand(op, index))? {
            Payload::Ops(ops) => Ok(ops),
            Payload::Params(_) => Err(hard(ir, op, format!("operand {index} does not stand for operations"))),
        }
    }

    /// Sets what a result stands for, if the result's type allows it.
    fn set(&mut self, ir: &Ir, op: OpId, index: usize, payload: Payload) -> Done {
        let result = ir.result(op, index);
        if let (Payload::Ops(ops), Some(name)) = (&payload, handle_name(ir, ir.type_of(result)))
            && let Some(&other) = ops.iter().find(|&&op| ir.name(op) != name)
        {
            let why = format!("result {index} stands for `{name}` only, and there is `{}`", ir.name(other));
            return Err(Stop::Quiet(stop(ir, op, why).related(ir.span(other), "this one")));
        }
        self.payloads.insert(result, payload);
        Ok(())
    }
}

/// The operation that `!transform.op<"name">` is for.
fn handle_name(ir: &Ir, ty: TypeId) -> Option<&str> {
    match &ir[ty] {
        Type::Dialect(text) => ir[*text].strip_prefix("transform.op<\"")?.strip_suffix("\">"),
        _ => None,
    }
}

/// A step that cannot be carried out.
fn stop(ir: &Ir, op: OpId, why: impl Into<String>) -> Diag {
    Diag::error(Code::BadScript, ir.span(op), format!("`{}` cannot be carried out", ir.name(op))).note(why)
}

fn hard(ir: &Ir, op: OpId, why: impl Into<String>) -> Stop {
    Stop::Hard(stop(ir, op, why))
}

fn quiet(ir: &Ir, op: OpId, why: impl Into<String>) -> Stop {
    Stop::Quiet(stop(ir, op, why))
}

/// The text of a string attribute.
fn text_of<'a>(ir: &'a Ir, op: OpId, name: &str) -> Option<&'a str> {
    match ir.attr(op, name)? {
        Attr::Str(text) => Some(&ir[*text]),
        _ => None,
    }
}
