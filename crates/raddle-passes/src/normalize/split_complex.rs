//! Split complex: complex numbers become pairs of floats.
//!
//! Before: `func.func @f(%a: tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>`, with `complex.abs` in a body
//! After:  `func.func @f(%a: tensor<4x8x2xf32>) -> tensor<4x8xf32>`, with two slices of `%a`, and arithmetic on floats
//!
//! Outside of a function, and where functions call each other, complex numbers have their parts side by side, in a last
//! dimension of two. Inside, every value of complex type becomes two, the real and the imaginary parts: what only moves
//! numbers is done twice, what computes is written with arithmetic on floats (`numbers`), and structured operations take
//! and give twice as many tensors (`structured`), except for sums of products, which become one product of real matrices.
//!
//! Vectors and buffers of complex numbers, branches between blocks that carry such, and what is in no table are refused.

mod boundary;
mod numbers;
mod product;
mod structured;

use raddle_ir::{BlockId, Builder, Class, Code, Diag, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;

/// Both parts of a complex value.
type Pair = [ValueId; 2];

/// Operations that move numbers and do not look at them: one copy moves the real parts, one the imaginary ones.
const MOVES: &[Opcode] = &[
    Opcode::ArithSelect,
    Opcode::FlowTensorBarrier,
    Opcode::FlowTensorClone,
    Opcode::FlowTensorReshape,
    Opcode::FlowTensorTieShape,
    Opcode::FlowTensorTransfer,
    Opcode::IreeLinalgExtGather,
    Opcode::IreeLinalgExtMapLoad,
    Opcode::IreeLinalgExtMapStore,
    Opcode::IreeLinalgExtScan,
    Opcode::IreeLinalgExtScatter,
    Opcode::IreeTensorExtComputeBarrierEnd,
    Opcode::IreeTensorExtComputeBarrierStart,
    Opcode::LinalgPack,
    Opcode::LinalgUnpack,
    Opcode::TensorCast,
    Opcode::TensorCollapseShape,
    Opcode::TensorConcat,
    Opcode::TensorDim,
    Opcode::TensorEmpty,
    Opcode::TensorExpandShape,
    Opcode::TensorExtract,
    Opcode::TensorExtractSlice,
    Opcode::TensorFromElements,
    Opcode::TensorGather,
    Opcode::TensorGenerate,
    Opcode::TensorInsert,
    Opcode::TensorInsertSlice,
    Opcode::TensorPad,
    Opcode::TensorRank,
    Opcode::TensorReshape,
    Opcode::TensorScatter,
    Opcode::TensorSplat,
    Opcode::UbPoison,
];

/// What the end of a block passes on of a complex value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Both parts, one behind the other.
    Both,
    /// One of them.
    Part(usize),
    /// A tensor of both.
    Whole,
}

/// Rewrites the values of complex type of a function, and of its signature.
pub fn split(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    if !is_needed(ir, func) {
        return Ok(());
    }
    let Some(entry) = ir.body(func, 0) else { return Ok(()) };
    if let Some(op) = refused(ir, func) {
        return Err(refuse(ir, op));
    }
    let mut split = Split::default();
    split.arguments(ir, func, entry)?;
    let region = ir.block_region(entry);
    let mut blocks = raddle_ir::dominance::order(ir, region);
    let dead: Vec<BlockId> = ir.blocks(region).iter().copied().filter(|block| !blocks.contains(block)).collect();
    blocks.extend(dead);
    for block in blocks {
        split.block(ir, block, Ends::Whole)?;
    }
    for op in split.old.into_iter().rev() {
        ir.erase(op);
    }
    boundary::sign(ir, func, entry);
    crate::clean::remove(ir, func);
    Ok(())
}

/// Whether a function has values of complex type.
pub fn is_needed(ir: &Ir, func: OpId) -> bool {
    let (inputs, results) = ir.signature(func);
    let complex = |&ty: &TypeId| ir.complex_part(ty).is_some();
    inputs.iter().chain(results).any(complex) || ir.walk(func).into_iter().any(|op| touches(ir, op))
}

/// An operation with values that cannot become pairs.
fn refused(ir: &Ir, func: OpId) -> Option<OpId> {
    let held = |&value: &ValueId| {
        let ty = ir.type_of(value);
        let is_float = |part: TypeId| matches!(ir[part], Type::Float(_));
        let shaped = matches!(ir[ty], Type::Complex(_) | Type::Tensor { .. });
        ir.complex_part(ty).is_none_or(|part| shaped && is_float(part))
    };
    [func].into_iter().chain(ir.walk(func)).find(|&op| {
        let blocks: Vec<BlockId> = ir.regions(op).iter().flat_map(|&region| ir.blocks(region)).copied().collect();
        let carried = blocks.iter().skip(1).flat_map(|&block| ir.args(block)).any(|&arg| is_complex(ir, arg));
        carried && ir.opcode(op) != Opcode::ScfWhile
            || !ir.results(op).all(|result| held(&result))
            || !blocks.iter().flat_map(|&block| ir.args(block)).all(held)
    })
}

fn is_complex(ir: &Ir, value: ValueId) -> bool {
    ir.complex_part(ir.type_of(value)).is_some()
}

/// Whether an operation takes, gives or hands to its regions complex numbers.
fn touches(ir: &Ir, op: OpId) -> bool {
    let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
    ir.operands(op).iter().any(|&value| is_complex(ir, value))
        || ir.results(op).any(|value| is_complex(ir, value))
        || blocks.flat_map(|&block| ir.args(block)).any(|&value| is_complex(ir, value))
}

fn refuse(ir: &Ir, op: OpId) -> Diag {
    let message = format!("`{}` does not become one on pairs of floats", ir.name(op));
    Diag::error(Code::CannotSplit, ir.span(op), message)
        .note("kernels have no complex numbers: each becomes its real and its imaginary part")
        .help("write it on both parts, which `complex.re` and `complex.im` give")
}

#[derive(Default)]
struct Split {
    /// The parts of each complex value.
    parts: FxHashMap<ValueId, Pair>,
    /// Tensors that have both parts of a complex value already.
    whole: FxHashMap<ValueId, ValueId>,
    /// Operations that are replaced, in order; their results are used by one another.
    old: Vec<OpId>,
}

impl Split {
    fn block(&mut self, ir: &mut Ir, block: BlockId, ends: Ends) -> Result<(), Diag> {
        let end = ir.terminator(block);
        for op in ir.ops_of(block) {
            if Some(op) == end && ir.results(op).len() == 0 {
                self.end(ir, op, ends)?;
            } else {
                self.op(ir, op)?;
            }
        }
        Ok(())
    }

    /// What the end of a block passes on.
    fn end(&mut self, ir: &mut Ir, op: OpId, ends: Ends) -> Result<(), Diag> {
        if !touches(ir, op) {
            return Ok(());
        }
        if !ir.successors(op).is_empty() || !self.knows_operands(ir, op) {
            return Err(refuse(ir, op));
        }
        let mut operands = Vec::new();
        for value in ir.operands(op).to_vec() {
            match ends {
                _ if !is_complex(ir, value) => operands.push(value),
                Ends::Both => operands.extend(self.pair(value)),
                Ends::Part(part) => operands.push(self.pair(value)[part]),
                Ends::Whole => operands.push(self.joined(&mut Builder::before(ir, op), value)),
            }
        }
        ir.set_operands(op, &operands);
        Ok(())
    }

    fn op(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        if !touches(ir, op) {
            for region in ir.regions(op).to_vec() {
                for block in ir.blocks(region).to_vec() {
                    self.block(ir, block, Ends::Both)?;
                }
            }
            return Ok(());
        }
        if ir.results(op).next().is_some_and(|result| self.parts.contains_key(&result)) {
            // It stands for an argument.
            return Ok(());
        }
        if !self.knows_operands(ir, op) {
            return Err(refuse(ir, op));
        }
        self.old.push(op);
        let opcode = ir.opcode(op);
        match opcode {
            Opcode::ArithConstant
            | Opcode::ComplexConstant
            | Opcode::UtilUnfoldableConstant
            | Opcode::FlowTensorConstant
            | Opcode::FlowTensorDynamicConstant => self.constant(ir, op),
            Opcode::FuncCall => self.call(ir, op),
            Opcode::UtilGlobalLoad | Opcode::UtilGlobalStore => self.global(ir, op),
            Opcode::ScfFor | Opcode::ScfIf | Opcode::ScfWhile | Opcode::UtilOptimizationBarrier => self.rebuilt(ir, op),
            Opcode::FlowTensorBitcast | Opcode::IreeTensorExtBitcast => self.bitcast(ir, op),
            _ if opcode.name().starts_with("complex.") => {
                let pairs = self.operands(ir, op);
                let builder = &mut Builder::before(ir, op);
                match numbers::computed(builder, op, &pairs) {
                    Some(numbers::Computed::Pair(pair)) => {
                        self.parts.insert(ir.result(op, 0), pair);
                    }
                    Some(numbers::Computed::One(value)) => ir.replace_uses(ir.result(op, 0), value),
                    None => return Err(refuse(ir, op)),
                }
                Ok(())
            }
            _ if raddle_ir::views::Linalg::try_of(ir, op).is_some() => self.structured(ir, op),
            _ if MOVES.contains(&opcode) => self.moved(ir, op),
            _ => Err(refuse(ir, op)),
        }
    }

    /// Whether all complex operands are split, as they are but for those from blocks that nothing leads to.
    fn knows_operands(&self, ir: &Ir, op: OpId) -> bool {
        ir.operands(op).iter().all(|value| !is_complex(ir, *value) || self.parts.contains_key(value))
    }

    fn pair(&self, value: ValueId) -> Pair {
        *self.parts.get(&value).expect("values are split before their uses")
    }

    /// Each operand: its parts, or itself twice.
    fn operands(&self, ir: &Ir, op: OpId) -> Vec<Pair> {
        ir.operands(op).iter().map(|&value| if is_complex(ir, value) { self.pair(value) } else { [value; 2] }).collect()
    }

    /// A list of values with both parts of each that is complex.
    fn expanded(&self, ir: &Ir, values: &[ValueId]) -> Vec<ValueId> {
        let both = |&value: &ValueId| if is_complex(ir, value) { self.pair(value).to_vec() } else { vec![value] };
        values.iter().flat_map(both).collect()
    }

    /// An operation on each of the parts.
    fn moved(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        let computes = |ir: &Ir| ir.walk(op).into_iter().any(|inner| ir.name(inner).starts_with("complex."));
        let blocks = |ir: &Ir, op: OpId| -> Vec<BlockId> {
            ir.regions(op).iter().flat_map(|&region| ir.blocks(region)).copied().collect()
        };
        let takes = blocks(ir, op).iter().flat_map(|&block| ir.args(block)).any(|&arg| is_complex(ir, arg));
        if takes && computes(ir) && !by_parts(ir, op) {
            return Err(refuse(ir, op));
        }
        let operands = self.operands(ir, op);
        let mut copies = Vec::new();
        for part in 0..2 {
            let copy = Builder::before(ir, op).copy(op, &mut ValueMap::default());
            ir.set_operands(copy, &operands.iter().map(|pair| pair[part]).collect::<Vec<_>>());
            let results: Vec<ValueId> = ir.results(copy).collect();
            results.into_iter().for_each(|result| in_part(ir, result));
            for block in blocks(ir, copy) {
                for arg in ir.args(block).to_vec() {
                    if is_complex(ir, arg) {
                        in_part(ir, arg);
                        // The other part is not there, and nothing asks for it.
                        self.parts.insert(arg, [arg; 2]);
                    }
                }
                for inner in ir.ops_of(block) {
                    let is_part = matches!(ir.opcode(inner), Opcode::ComplexRe | Opcode::ComplexIm);
                    if is_part && ir.args(block).contains(&ir.operand(inner, 0)) {
                        ir.replace_uses(ir.result(inner, 0), ir.operand(inner, 0));
                        ir.erase(inner);
                    }
                }
                self.block(ir, block, Ends::Part(part))?;
            }
            copies.push(copy);
        }
        for (at, result) in ir.results(op).enumerate().collect::<Vec<_>>() {
            let found = [0, 1].map(|part: usize| ir.result(copies[part], at));
            if is_complex(ir, result) {
                self.parts.insert(result, found);
            } else {
                ir.replace_uses(result, found[0]);
            }
        }
        Ok(())
    }

    /// An operation with twice the operands, results and arguments of regions.
    fn rebuilt(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        let operands = self.expanded(ir, ir.operands(op));
        let types = expanded_types(ir, &ir.results(op).collect::<Vec<_>>());
        let (name, attrs, span) = (ir.name(op).to_owned(), ir.attr_dict(op), ir.span(op));
        let new = ir.create_named(&name, &operands, &types, attrs, span);
        ir.insert_before(op, new);
        for region in ir.regions(op).to_vec() {
            let to = ir.add_region(new);
            if let Some(&block) = ir.blocks(region).first() {
                let args = ir.args(block).to_vec();
                let types = expanded_types(ir, &args);
                let made = ir.add_block(to, &types);
                self.refill(ir, block, made)?;
            }
        }
        self.results(ir, op, new);
        Ok(())
    }

    /// Copies what a block does to another one, whose arguments are the parts of the block's, and rewrites it there.
    fn refill(&mut self, ir: &mut Ir, from: BlockId, to: BlockId) -> Result<(), Diag> {
        let mut map = ValueMap::default();
        let mut new = ir.args(to).to_vec().into_iter();
        let mut next = || new.next().expect("every argument has its parts");
        for arg in ir.args(from).to_vec() {
            if is_complex(ir, arg) {
                self.parts.insert(arg, [next(), next()]);
            } else {
                map.set(arg, next());
            }
        }
        for inner in ir.ops_of(from) {
            let span = ir.span(inner);
            Builder::at_end(ir, to, span).copy(inner, &mut map);
        }
        self.block(ir, to, Ends::Both)
    }

    /// The results of an operation that gives both parts of each, one behind the other.
    fn results(&mut self, ir: &mut Ir, old: OpId, new: OpId) {
        let mut found = ir.results(new);
        let mut next = || found.next().expect("every result has its parts");
        for result in ir.results(old).collect::<Vec<_>>() {
            if is_complex(ir, result) {
                self.parts.insert(result, [next(), next()]);
            } else {
                ir.replace_uses(result, next());
            }
        }
    }
}

/// The types of values, with two for each that is complex.
fn expanded_types(ir: &mut Ir, values: &[ValueId]) -> Vec<TypeId> {
    let types = values.iter().flat_map(|&value| {
        let ty = ir.type_of(value);
        match ir.complex_part(ty) {
            Some(part) => vec![ir.with_elem(ty, part); 2],
            None => vec![ty],
        }
    });
    types.collect()
}

/// A value holds one part of what it held.
fn in_part(ir: &mut Ir, value: ValueId) {
    let ty = ir.type_of(value);
    if let Some(part) = ir.complex_part(ty) {
        let ty = ir.with_elem(ty, part);
        ir.set_type(value, ty);
    }
}

/// Whether a body makes each part of what it ends with of the same part of complex numbers, as running sums do.
fn by_parts(ir: &Ir, op: OpId) -> bool {
    let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
    let ends: Vec<OpId> = blocks.filter_map(|&block| ir.terminator(block)).collect();
    let inside: FxHashSet<OpId> = ir.walk(op).into_iter().collect();
    let is_of_part = |part: usize, end: &OpId| {
        let mut seen: FxHashSet<ValueId> = FxHashSet::default();
        let mut left = ir.operands(*end).to_vec();
        while let Some(value) = left.pop() {
            let Some(made_by) = ir.def_op(value).filter(|inner| inside.contains(inner)) else { continue };
            if !seen.insert(value) {
                continue;
            }
            match ir.opcode(made_by) {
                Opcode::ComplexCreate => left.push(ir.operand(made_by, part)),
                Opcode::ComplexRe if part == 1 => return false,
                Opcode::ComplexIm if part == 0 => return false,
                Opcode::ComplexAdd
                | Opcode::ComplexConj
                | Opcode::ComplexConstant
                | Opcode::ComplexIm
                | Opcode::ComplexNeg
                | Opcode::ComplexRe
                | Opcode::ComplexSub => left.extend(ir.operands(made_by)),
                opcode if opcode.name().starts_with("complex.") || !ir.regions(made_by).is_empty() => return false,
                _ => left.extend(ir.operands(made_by)),
            }
        }
        true
    };
    (0..2).all(|part| ends.iter().all(|end| is_of_part(part, end)))
}

/// Whether nothing happens in a body but that numbers are passed on.
fn only_moves(ir: &Ir, op: OpId) -> bool {
    !ir.walk(op).into_iter().any(|inner| ir.name(inner).starts_with("complex."))
        && ir.results(op).all(|result| is_complex(ir, result))
        && ir.class(op) != Class::Loop
}
