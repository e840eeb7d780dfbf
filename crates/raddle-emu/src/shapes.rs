//! Extents: a function on tensors with open extents, as the function that it is for these arguments.
//!
//! Before: `%d = tensor.dim %a, %c0 : tensor<?x4xf32>` and `%e = tensor.empty(%d) : tensor<?x4xf32>`
//! After, for a first argument of 3 x 4: `%d` is 3, and the types are `tensor<3x4xf32>`.
//!
//! Arguments have shapes and numbers have values before anything runs; both follow through a copy of the function from
//! operation to operation, in order. An extent that depends on what a loop or a tensor holds stays open, and the decoder
//! says so. Memrefs on which structured operations work are treated alike.

use raddle_ir::views::{Linalg, Mixed, SliceView, mixed};
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashMap;

use crate::tensor::Tensor;

/// Calls and regions nested in one another, at most.
const DEPTH_MAX: usize = 256;
/// Functions for certain shapes, at most.
const SPECIAL_MAX: usize = 1024;

/// Operations on floats behind one extent, at most.
const FLOATS_MAX: usize = 64;

/// A copy of the module in which the function has the extents that follow from its arguments; `None` where all extents
/// are stated.
pub(crate) fn specialize(ir: &Ir, func: OpId, args: &[Tensor]) -> Option<Ir> {
    let body = ir.body(func, 0)?;
    let calls = |op: OpId| ir.opcode(op) == Opcode::FuncCall;
    let funcs = [func].into_iter().chain(if ir.walk(func).into_iter().any(calls) { ir.funcs() } else { Vec::new() });
    if !funcs.into_iter().any(|func| is_open(ir, func)) {
        return None;
    }
    let on_memrefs = is_on_memrefs(ir, func);
    let mut ir = ir.clone();
    for (&param, tensor) in ir.args(body).to_vec().iter().zip(args) {
        if matches!(ir.ty(param), Type::Tensor { .. }) || on_memrefs && matches!(ir.ty(param), Type::MemRef { .. }) {
            // A last dimension may be that of the parts of complex numbers.
            let rank = ir.shape_of(param).len();
            refine(&mut ir, param, &tensor.shape[..rank.min(tensor.shape.len())]);
        } else if matches!(ir.ty(param), Type::Index | Type::Integer { width: 32 | 64, .. })
            && let (Some(first), [number]) = (ir.first_op(body), &tensor.to_i64()[..])
        {
            state(&mut ir, first, param, *number);
        }
    }
    let mut pass = Pass { on_memrefs, depth: 0, called: FxHashMap::default() };
    pass.block(&mut ir, body);
    sign(&mut ir, func, body);
    Some(ir)
}

/// Whether a value in a function has an extent that is not stated.
fn is_open(ir: &Ir, func: OpId) -> bool {
    let on_memrefs = is_on_memrefs(ir, func);
    let open = |ty: &Type| match ty {
        Type::Tensor { shape, .. } => shape.contains(&DYNAMIC),
        Type::MemRef { shape, .. } => on_memrefs && shape.contains(&DYNAMIC),
        _ => false,
    };
    ir.walk(func).into_iter().chain([func]).any(|op| {
        let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
        ir.results(op).any(|value| open(ir.ty(value)))
            || blocks.flat_map(|&block| ir.args(block)).any(|&value| open(ir.ty(value)))
    })
}

/// Whether a function has structured operations on memrefs, which need to know how many elements these have.
fn is_on_memrefs(ir: &Ir, func: OpId) -> bool {
    let works = |op: OpId| {
        let operands = Linalg::operands(ir, op).map(|(inputs, outputs)| [inputs, outputs].concat());
        operands.is_some_and(|values| values.iter().any(|&value| matches!(ir.ty(value), Type::MemRef { .. })))
    };
    ir.walk(func).into_iter().any(works)
}

/// The function's type is that of its arguments and of what it returns.
fn sign(ir: &mut Ir, func: OpId, body: BlockId) {
    let types =
        |ir: &Ir, values: &[ValueId]| -> Vec<TypeId> { values.iter().map(|&value| ir.type_of(value)).collect() };
    let inputs = types(ir, ir.args(body));
    let Some(last) = ir.blocks(ir.block_region(body)).last().and_then(|&block| ir.terminator(block)) else { return };
    let results = types(ir, ir.operands(last));
    if results.len() == ir.signature(func).1.len() {
        ir.set_signature(func, &inputs, &results);
    }
}

/// States open extents of a value; those that it has stay.
fn refine(ir: &mut Ir, value: ValueId, shape: &[i64]) {
    let mut ty = ir.ty(value).clone();
    let (Type::Tensor { shape: own, .. } | Type::MemRef { shape: own, .. }) = &mut ty else { return };
    if own.len() != shape.len() || !own.contains(&DYNAMIC) {
        return;
    }
    for (own, &extent) in own.iter_mut().zip(shape) {
        if *own == DYNAMIC {
            *own = extent;
        }
    }
    let ty = ir.intern_type(ty);
    ir.set_type(value, ty);
}

/// A value is a number from an operation on.
fn state(ir: &mut Ir, at: OpId, value: ValueId, number: i64) {
    let ty = ir.type_of(value);
    let new = Builder::before(ir, at).int(number, ty);
    ir.replace_uses(value, new);
}

/// A function, and what it is called with: types, and numbers that are known.
type Called = (OpId, Vec<TypeId>, Vec<Option<i64>>);

struct Pass {
    /// Whether extents of memrefs are followed, too.
    on_memrefs: bool,
    depth: usize,
    /// The function for those types and numbers that a function was called with.
    called: FxHashMap<Called, OpId>,
}

impl Pass {
    fn block(&mut self, ir: &mut Ir, block: BlockId) {
        if self.depth >= DEPTH_MAX {
            return;
        }
        self.depth += 1;
        for op in ir.ops_of(block) {
            self.operation(ir, op);
        }
        self.depth -= 1;
    }

    fn operation(&mut self, ir: &mut Ir, op: OpId) {
        if let Some(number) = number(ir, op) {
            state(ir, op, ir.result(op, 0), number);
            return;
        }
        if ir.opcode(op) == Opcode::UtilAssumeInt {
            for (at, result) in ir.results(op).enumerate().collect::<Vec<_>>() {
                if let Some(number) = ir.const_int(ir.operand(op, at)) {
                    state(ir, op, result, number);
                }
            }
            return;
        }
        // What a region's arguments are, in front of the region; and what its results are, behind it.
        let inits: Vec<ValueId> = match ir.opcode(op) {
            Opcode::ScfFor => ir.operands(op).get(3..).unwrap_or_default().to_vec(),
            Opcode::ScfForall => ir.segments(op).last().map(|outs| outs.to_vec()).unwrap_or_default(),
            Opcode::ScfWhile | Opcode::IreeLinalgExtCustomOp => ir.operands(op).to_vec(),
            _ => Vec::new(),
        };
        let mut given = inits.clone();
        for region in ir.regions(op).to_vec() {
            let Some(&first) = ir.blocks(region).first() else { continue };
            let args = ir.args(first).to_vec();
            let carried = args.len().saturating_sub(given.len());
            copy_shapes(ir, &given, &args[carried..]);
            for block in ir.blocks(region).to_vec() {
                self.block(ir, block);
            }
            // The second region of a loop with a test takes what the first one hands over.
            let last = ir.terminator(first).filter(|&last| ir.opcode(last) == Opcode::ScfCondition);
            given = last.map(|last| ir.operands(last)[1..].to_vec()).unwrap_or_default();
        }
        let results: Vec<ValueId> = ir.results(op).collect();
        match ir.opcode(op) {
            Opcode::ScfFor | Opcode::ScfForall => copy_shapes(ir, &inits, &results),
            Opcode::ScfWhile | Opcode::ScfIf => {
                let Some(block) = ir.body(op, 0) else { return };
                let yielded = ir.terminator(block).map(|last| ir.operands(last).to_vec()).unwrap_or_default();
                let skipped = yielded.len().saturating_sub(results.len());
                copy_shapes(ir, &yielded[skipped..], &results);
            }
            Opcode::FuncCall => self.call(ir, op),
            _ => {
                let shapes: Vec<Option<Vec<i64>>> = (0..results.len()).map(|at| shape(ir, op, at)).collect();
                for (&result, shape) in results.iter().zip(shapes) {
                    if let Some(shape) = shape.filter(|_| self.on_memrefs || ir[ir.type_of(result)].is_tensor()) {
                        refine(ir, result, &shape);
                    }
                }
            }
        }
    }

    /// A function with open extents is another one for each list of shapes and numbers that it is called with.
    fn call(&mut self, ir: &mut Ir, op: OpId) {
        let name = match ir.attr(op, "callee") {
            Some(Attr::Symbol(path)) => path.last().map(|&name| ir[name].to_owned()).unwrap_or_default(),
            _ => return,
        };
        let Some(callee) = ir.funcs().into_iter().find(|&func| ir.symbol_name(func) == Some(&name)) else { return };
        if ir.body(callee, 0).is_none() {
            return;
        }
        let operands = ir.operands(op).to_vec();
        let types: Vec<TypeId> = operands.iter().map(|&value| ir.type_of(value)).collect();
        let numbers: Vec<Option<i64>> = operands.iter().map(|&value| ir.const_int(value)).collect();
        let key = (callee, types, numbers);
        let special = match self.called.get(&key) {
            Some(&special) => special,
            None if !is_open(ir, callee) || self.called.len() >= SPECIAL_MAX => callee,
            None => {
                let module = ir.module_block();
                let span = ir.span(callee);
                let special = Builder::at_end(ir, module, span).copy(callee, &mut ValueMap::default());
                let symbol = ir.str_attr(&format!("{name}.{}", self.called.len()));
                ir.set_attr(special, "sym_name", symbol);
                self.called.insert(key.clone(), special);
                let body = ir.entry(special);
                let args = ir.args(body).to_vec();
                copy_shapes(ir, &operands, &args);
                for (&arg, number) in args.iter().zip(&key.2) {
                    if let (Some(number), Some(first)) = (*number, ir.first_op(body)) {
                        state(ir, first, arg, number);
                    }
                }
                self.block(ir, body);
                sign(ir, special, body);
                special
            }
        };
        let symbol = ir.symbol_name(special).unwrap_or_default().to_owned();
        let symbol = ir.intern_str(&symbol);
        let symbol = ir.intern(Attr::Symbol(vec![symbol]));
        ir.set_attr(op, "callee", symbol);
        let Some(last) = ir.terminator(ir.entry(special)) else { return };
        let (returned, results) = (ir.operands(last).to_vec(), ir.results(op).collect::<Vec<_>>());
        copy_shapes(ir, &returned, &results);
    }
}

fn copy_shapes(ir: &mut Ir, from: &[ValueId], to: &[ValueId]) {
    for (&from, &to) in from.iter().zip(to) {
        let shape = ir.shape_of(from).to_vec();
        if matches!(ir.ty(from), Type::Tensor { .. }) {
            refine(ir, to, &shape);
        }
    }
}

/// The value of an index that is known now.
fn number(ir: &Ir, op: OpId) -> Option<i64> {
    let known = |at: usize| ir.const_int(*ir.operands(op).get(at)?);
    let result = ir.results(op).next()?;
    let whole = matches!(ir.ty(result), Type::Index | Type::Integer { width: 64, .. });
    let all = || ir.operands(op).iter().map(|&value| ir.const_int(value)).collect::<Option<Vec<i64>>>();
    let through = |name: &str| {
        let map = ir.map(op, name)?;
        let operands = all()?;
        let (dims, syms) = operands.split_at_checked(map.dims as usize)?;
        map.eval(dims, syms)
    };
    match ir.opcode(op) {
        Opcode::TensorDim | Opcode::MemrefDim => {
            let at = usize::try_from(known(1)?).ok()?;
            ir.shape_of(ir.operand(op, 0)).get(at).copied().filter(|&extent| extent != DYNAMIC)
        }
        Opcode::TensorRank => Some(ir.shape_of(ir.operand(op, 0)).len() as i64),
        Opcode::AffineApply => through("map")?.first().copied(),
        Opcode::AffineMin => through("map")?.into_iter().min(),
        Opcode::AffineMax => through("map")?.into_iter().max(),
        Opcode::ArithIndexCast if whole => known(0),
        Opcode::ArithIndexCast | Opcode::ArithTrunci => {
            let Type::Integer { width, .. } = ir.ty(result) else { return None };
            known(0).filter(|value| (value >> (width - 1).min(63)) == 0 || (value >> (width - 1).min(63)) == -1)
        }
        // A size may be a float on its way, as that of an image that is scaled by one.
        Opcode::ArithFptosi if whole => {
            let value = float(ir, ir.operand(op, 0), &mut { FLOATS_MAX })?.trunc();
            (value.abs() < i64::MAX as f64).then_some(value as i64)
        }
        Opcode::ArithExtsi | Opcode::IreeTensorExtDispatchWorkloadOrdinal => known(0),
        Opcode::ArithExtui | Opcode::ArithIndexCastui if whole => natural(known(0)?),
        Opcode::ArithAddi if whole => known(0)?.checked_add(known(1)?),
        Opcode::ArithSubi if whole => known(0)?.checked_sub(known(1)?),
        Opcode::ArithMuli if whole => known(0)?.checked_mul(known(1)?),
        Opcode::ArithDivsi if whole => known(0)?.checked_div(known(1)?),
        Opcode::ArithRemsi if whole => known(0)?.checked_rem(known(1)?),
        // Of numbers that are not negative, both kinds of division are one.
        Opcode::ArithDivui if whole => natural(known(0)?)?.checked_div(natural(known(1)?)?),
        Opcode::ArithRemui if whole => natural(known(0)?)?.checked_rem(natural(known(1)?)?),
        Opcode::ArithCeildivui if whole => {
            let (a, b) = (natural(known(0)?)?, natural(known(1)?)?);
            a.checked_div(b).map(|quotient| quotient + i64::from(a % b != 0))
        }
        Opcode::ArithCeildivsi if whole => {
            let (a, b) = (known(0)?, known(1)?);
            let is_above = a.checked_rem(b)? != 0 && (a < 0) == (b < 0);
            Some(a.checked_div(b)? + i64::from(is_above))
        }
        Opcode::ArithFloordivsi if whole => {
            let (a, b) = (known(0)?, known(1)?);
            let is_below = a.checked_rem(b)? != 0 && (a < 0) != (b < 0);
            Some(a.checked_div(b)? - i64::from(is_below))
        }
        Opcode::ArithCmpi => {
            let (a, b) = (known(0)?, known(1)?);
            // Of numbers that are not negative, both kinds of comparison are one.
            let both = || Some((natural(a)?, natural(b)?));
            let holds = match ir.attr(op, "predicate")?.as_i64()? {
                0 => a == b,
                1 => a != b,
                2 => a < b,
                3 => a <= b,
                4 => a > b,
                5 => a >= b,
                6 => both().map(|(a, b)| a < b)?,
                7 => both().map(|(a, b)| a <= b)?,
                8 => both().map(|(a, b)| a > b)?,
                _ => both().map(|(a, b)| a >= b)?,
            };
            Some(i64::from(holds))
        }
        // Numbers of 64 bits come in two halves.
        Opcode::ArithShli if whole => known(0)?.checked_shl(u32::try_from(known(1)?).ok()?),
        Opcode::ArithShrui if whole => natural(known(0)?)?.checked_shr(u32::try_from(known(1)?).ok()?),
        Opcode::ArithShrsi if whole => known(0)?.checked_shr(u32::try_from(known(1)?).ok()?),
        Opcode::ArithOri if whole => Some(known(0)? | known(1)?),
        Opcode::ArithAndi if whole => Some(known(0)? & known(1)?),
        Opcode::ArithXori if whole => Some(known(0)? ^ known(1)?),
        Opcode::ArithSelect if whole => known(if known(0)? & 1 != 0 { 1 } else { 2 }),
        Opcode::ArithMinsi if whole => Some(known(0)?.min(known(1)?)),
        Opcode::ArithMaxsi if whole => Some(known(0)?.max(known(1)?)),
        Opcode::ArithMinui if whole => Some(natural(known(0)?)?.min(natural(known(1)?)?)),
        Opcode::ArithMaxui if whole => Some(natural(known(0)?)?.max(natural(known(1)?)?)),
        _ => None,
    }
}

/// The value of a float that is known now, rounded at each operation to its type as kernels do: what is counted by it
/// has one size, also where all else is computed without rounding. Looks at as many operations as are `left`.
fn float(ir: &Ir, value: ValueId, left: &mut usize) -> Option<f64> {
    *left = left.checked_sub(1)?;
    let Type::Float(format) = *ir.ty(value) else { return None };
    let op = ir.def_op(value)?;
    let exact = match ir.opcode(op) {
        Opcode::ArithConstant => match ir.attr(op, "value")? {
            Attr::Float { bits, .. } => f64::from_bits(*bits),
            _ => return None,
        },
        // Both conversions of an integer that `f64` holds and that is not negative are one.
        Opcode::ArithSitofp | Opcode::ArithUitofp => {
            let whole = ir.const_int(ir.operand(op, 0)).filter(|whole| (0..1 << 53).contains(whole))?;
            whole as f64
        }
        opcode => {
            let mut operands = Vec::new();
            for &operand in ir.operands(op) {
                operands.push(float(ir, operand, left)?);
            }
            match (opcode, &operands[..]) {
                (Opcode::ArithAddf, [a, b]) => a + b,
                (Opcode::ArithSubf, [a, b]) => a - b,
                (Opcode::ArithMulf, [a, b]) => a * b,
                (Opcode::ArithDivf, [a, b]) => a / b,
                (Opcode::ArithNegf, [a]) => -a,
                (Opcode::ArithExtf | Opcode::ArithTruncf, [a]) => *a,
                (Opcode::MathFloor, [a]) => a.floor(),
                (Opcode::MathCeil, [a]) => a.ceil(),
                (Opcode::MathTrunc, [a]) => a.trunc(),
                (Opcode::MathRoundeven, [a]) => a.round_ties_even(),
                _ => return None,
            }
        }
    };
    Some(raddle_ir::float::round(format, exact))
}

fn natural(value: i64) -> Option<i64> {
    Some(value).filter(|&value| value >= 0)
}

/// The shape of a result, as far as it follows from the operands; extents that do not are open.
fn shape(ir: &Ir, op: OpId, at: usize) -> Option<Vec<i64>> {
    let result = ir.result(op, at);
    let (Type::Tensor { shape: own, .. } | Type::MemRef { shape: own, .. }) = ir.ty(result) else { return None };
    let of = |index: usize| Some(ir.shape_of(*ir.operands(op).get(index)?).to_vec());
    let number = |part: Mixed| match part {
        Mixed::Static(number) => number,
        Mixed::Value(value) => ir.const_int(value).unwrap_or(DYNAMIC),
    };
    let listed = |name: &str, values: &[ValueId]| {
        let numbers = ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
        mixed(&numbers, values).into_iter().map(number).collect::<Vec<i64>>()
    };
    let stated = |values: &[ValueId]| mixed(own, values).into_iter().map(number).collect::<Vec<i64>>();
    match ir.opcode(op) {
        Opcode::TensorEmpty | Opcode::TensorGenerate => Some(stated(ir.operands(op))),
        Opcode::MemrefAlloc | Opcode::MemrefAlloca => Some(stated(ir.segments(op).first()?)),
        Opcode::MemrefTranspose => {
            let from = of(0)?;
            ir.map(op, "permutation")?.as_dims()?.into_iter().map(|d| from.get(d).copied()).collect()
        }
        Opcode::FlowTensorTieShape => of(0),
        Opcode::FlowTensorReshape | Opcode::FlowTensorBitcast | Opcode::IreeTensorExtBitcast => {
            Some(stated(ir.group(op, "result_dims")))
        }
        Opcode::FlowTensorDynamicConstant => match ir.attr(op, "value")? {
            Attr::Dense { ty, .. } => Some(ir[*ty].shape()?.to_vec()),
            _ => None,
        },
        Opcode::TensorReshape => {
            let made = ir.def_op(ir.operand(op, 1))?;
            match (ir.opcode(made), ir.attr(made, "value")) {
                (Opcode::TensorFromElements, _) => {
                    Some(ir.operands(made).iter().map(|&value| number(Mixed::Value(value))).collect())
                }
                (Opcode::ArithConstant, Some(value @ Attr::Dense { splat, .. })) => {
                    let numbers: Option<Vec<i64>> = ir.dense_elems(value).iter().map(Attr::as_i64).collect();
                    if *splat { Some(numbers?.repeat(own.len())) } else { numbers }
                }
                _ => None,
            }
        }
        Opcode::TensorSplat => Some(stated(&ir.operands(op)[1..])),
        Opcode::TensorExtractSlice | Opcode::MemrefSubview => {
            Some(without_units(&SliceView::of(ir, op).sizes, own).into_iter().map(number).collect())
        }
        Opcode::TensorInsertSlice | Opcode::TensorInsert => of(1),
        Opcode::TensorScatter => of(1),
        Opcode::TensorExpandShape | Opcode::MemrefExpandShape => {
            Some(listed("static_output_shape", &ir.operands(op)[1..]))
        }
        Opcode::TensorCollapseShape | Opcode::MemrefCollapseShape => {
            let from = of(0)?;
            let Some(Attr::Array(groups)) = ir.attr(op, "reassociation") else { return None };
            let product = |group: Vec<i64>| {
                let extents = group.iter().map(|&d| from.get(d as usize).copied().filter(|&n| n != DYNAMIC));
                extents.product::<Option<i64>>().unwrap_or(DYNAMIC)
            };
            groups.iter().map(|&group| ir.ints(group).map(product)).collect()
        }
        Opcode::TensorPad => {
            let parts = ir.segments(op);
            let (low, high) = (listed("static_low", parts.get(1)?), listed("static_high", parts.get(2)?));
            let sum = |((low, high), from): ((&i64, &i64), &i64)| {
                if [low, high, from].contains(&&DYNAMIC) { DYNAMIC } else { low + high + from }
            };
            Some(low.iter().zip(&high).zip(&of(0)?).map(sum).collect())
        }
        Opcode::TensorConcat => {
            let dim = usize::try_from(ir.attr(op, "dim")?.as_i64()?).ok()?;
            let mut shape = of(0)?;
            let extents = ir
                .operands(op)
                .iter()
                .map(|&part| ir.shape_of(part).get(dim).copied().filter(|&extent| extent != DYNAMIC));
            *shape.get_mut(dim)? = extents.sum::<Option<i64>>().unwrap_or(DYNAMIC);
            Some(shape)
        }
        Opcode::LinalgPack | Opcode::LinalgUnpack | Opcode::LinalgSoftmax => of(1),
        Opcode::IreeLinalgExtMapLoad | Opcode::IreeLinalgExtMapStore => of(1),
        Opcode::IreeLinalgExtArgCompare => {
            let output = *ir.segments(op).get(2 + at)?.first()?;
            Some(ir.shape_of(output).to_vec())
        }
        _ if Linalg::operands(ir, op).is_some() => {
            let (_, outputs) = Linalg::operands(ir, op)?;
            Some(ir.shape_of(*outputs.get(at)?).to_vec())
        }
        // The destinations come last.
        opcode if opcode.name().starts_with("iree_linalg_ext.") => {
            let first = ir.operands(op).len().checked_sub(ir.results(op).len())?;
            of(first + at)
        }
        // Element by element: the operands have the result's shape.
        _ => ir
            .operands(op)
            .iter()
            .map(|&value| ir.shape_of(value))
            .find(|of| of.len() == own.len())
            .map(<[i64]>::to_vec),
    }
}

/// Sizes without the unit dimensions that the result does not have. One that only the run knows is not a unit
/// dimension, also where it is 1.
fn without_units(sizes: &[Mixed], result: &[i64]) -> Vec<Mixed> {
    let mut kept = Vec::new();
    for (d, &size) in sizes.iter().enumerate() {
        let left = result.len() - kept.len();
        let fits = result.get(kept.len()).is_some_and(|&extent| match size {
            Mixed::Static(size) => extent == size || extent == DYNAMIC && size != 1,
            Mixed::Value(_) => extent == DYNAMIC,
        });
        if left > 0 && (fits || sizes.len() - d == left) {
            kept.push(size);
        }
    }
    kept
}
