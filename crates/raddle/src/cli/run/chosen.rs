//! Chosen extents: what open extents of arguments are when a function is run on random data.
//!
//! A dispatch states its extents as expressions of its constants, so constants are chosen, in the ranges and of the
//! divisors that `util.assume.int` states, and extents follow. In any other function all open extents are equal, but for
//! those of which something is assumed.

use std::collections::BTreeMap;

use raddle_ir::extents::Known;
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{DYNAMIC, Def, Diag, Expr, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_passes::clean::assumed;
use raddle_run::Tensor;

/// Longer than a subgroup, and no multiple of what tiles like to be.
const EXTENT: i64 = 37;

/// What is chosen for an argument.
pub enum Choice {
    /// The extents of a tensor.
    Shape(Vec<i64>),
    /// A number.
    Number(Tensor),
}

/// What is chosen for each argument; `None` for one that states all that it is.
pub fn choose(ir: &Ir, func: OpId) -> Result<Vec<Option<Choice>>, Diag> {
    let Some(entry) = ir.body(func, 0) else { return Ok(Vec::new()) };
    let args = ir.args(entry).to_vec();
    let assumed = assumptions(ir, func);
    let of = |known: Known| assumed.iter().find(|(other, _)| *other == known).map(|(_, range)| *range);
    let Some(interface) = Interface::of(ir, func)? else {
        let shape = |(number, &arg): (usize, &ValueId)| {
            let shape = ir.ty(arg).shape()?;
            let extent = |(dim, &extent): (usize, &i64)| match extent {
                DYNAMIC => pick(of(Known::Extent(number, dim)).unwrap_or((0, i64::MAX, 1))),
                extent => extent,
            };
            shape.contains(&DYNAMIC).then(|| Choice::Shape(shape.iter().enumerate().map(extent).collect()))
        };
        return Ok(args.iter().enumerate().map(shape).collect());
    };
    let slots: Vec<&Slot> = interface.arguments.iter().chain(&interface.results).collect();
    let mut constants: BTreeMap<u32, i64> = BTreeMap::new();
    for &(known, range) in &assumed {
        let decides = match known {
            Known::Number(argument) => match slots.get(argument) {
                Some(Slot::Constant(at)) if !is_offset(ir, args[argument]) => Some(*at as u32),
                _ => None,
            },
            Known::Extent(argument, dim) => match slots.get(argument) {
                Some(Slot::Binding { extents, .. }) => extents.results.get(dim).and_then(low),
                _ => None,
            },
        };
        if let Some(constant) = decides {
            constants.entry(constant).or_insert_with(|| pick(range));
        }
    }
    for slot in &slots {
        if let Slot::Binding { extents, .. } = slot {
            for low in extents.results.iter().filter_map(low) {
                constants.entry(low).or_insert(EXTENT);
            }
        }
    }
    let value = |at: usize| constants.get(&(at as u32)).copied();
    let values: Vec<i64> = (0..interface.constants).map(|at| value(at).unwrap_or(0)).collect();
    let choice = |(&arg, slot): (&ValueId, &&Slot)| match slot {
        Slot::Constant(at) => {
            let elem = Scalar::of(ir.ty(arg)).filter(|elem| matches!(elem, Scalar::Int(_)))?;
            let value = value(*at).or_else(|| (is_high_half(ir, arg) || is_offset(ir, arg)).then_some(0));
            value.map(|value| Choice::Number(Tensor::from_i64(elem, &[], &[value])))
        }
        Slot::Binding { extents, .. } => {
            let open = ir.ty(arg).shape().is_some_and(|shape| shape.contains(&DYNAMIC));
            open.then(|| extents.eval(&[], &values).map(Choice::Shape)).flatten()
        }
    };
    Ok(args.iter().zip(&slots).map(choice).collect())
}

/// The constant that a number of 32 or 64 bits is: the high half of a long one is 0.
fn low(expr: &Expr) -> Option<u32> {
    match expr {
        Expr::Sym(at) => Some(*at),
        Expr::Add(a, b) if b.is_multiple(1 << 32) => low(a),
        Expr::Add(a, b) if a.is_multiple(1 << 32) => low(b),
        _ => None,
    }
}

/// Whether a number is the high half of one of 64 bits.
fn is_high_half(ir: &Ir, number: ValueId) -> bool {
    ir.uses(number).any(|(user, operand)| match ir.opcode(user) {
        Opcode::ArithExtui => is_high_half(ir, ir.result(user, 0)),
        Opcode::ArithShli => operand == 0 && ir.const_int(ir.operand(user, 1)) == Some(32),
        _ => false,
    })
}

/// Whether a slice begins at a number, as it is or as the low half of one of 64 bits.
fn is_offset(ir: &Ir, number: ValueId) -> bool {
    ir.uses(number).any(|(user, operand)| match ir.opcode(user) {
        Opcode::TensorExtractSlice | Opcode::TensorInsertSlice | Opcode::MemrefSubview => {
            ir.segments(user).iter().rev().nth(2).is_some_and(|offsets| offsets.contains(&number))
        }
        Opcode::ArithExtui
        | Opcode::ArithOri
        | Opcode::ArithIndexCast
        | Opcode::ArithIndexCastui
        | Opcode::IreeTensorExtDispatchWorkloadOrdinal => is_offset(ir, ir.result(user, 0)),
        Opcode::UtilAssumeInt => is_offset(ir, ir.result(user, operand)),
        _ => false,
    })
}

type Range = (i64, i64, i64);

/// What is assumed of dimensions of arguments, and of arguments that are numbers.
fn assumptions(ir: &Ir, func: OpId) -> Vec<(Known, Range)> {
    let mut found = Vec::new();
    for op in ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::UtilAssumeInt) {
        for (&operand, range) in ir.operands(op).iter().zip(assumed(ir, op)) {
            found.extend(source(ir, operand).map(|known| (known, range)));
        }
    }
    found
}

fn source(ir: &Ir, mut value: ValueId) -> Option<Known> {
    loop {
        match ir.def(value) {
            Def::Arg { index, .. } => return Some(Known::Number(index as usize)),
            Def::Result { op, .. } => match ir.opcode(op) {
                Opcode::TensorDim | Opcode::MemrefDim => {
                    let Def::Arg { index, .. } = ir.def(ir.operand(op, 0)) else { return None };
                    let dim = usize::try_from(ir.const_int(ir.operand(op, 1))?).ok()?;
                    return Some(Known::Extent(index as usize, dim));
                }
                Opcode::ArithIndexCast | Opcode::ArithIndexCastui | Opcode::ArithExtui => value = ir.operand(op, 0),
                // What is assumed of 64 bits holds of the low half, where the high one is 0.
                Opcode::ArithOri => {
                    let is_high =
                        |&half: &ValueId| ir.def_op(half).is_some_and(|op| ir.opcode(op) == Opcode::ArithShli);
                    value = *ir.operands(op).iter().find(|half| !is_high(half))?;
                }
                _ => return None,
            },
        }
    }
}

/// A number in a range, of a divisor.
fn pick((least, most, divisor): Range) -> i64 {
    let multiple = |n: i64| n.div_euclid(divisor).saturating_mul(divisor);
    let wanted = multiple(EXTENT.max(least).saturating_add(divisor - 1));
    if wanted <= most { wanted } else { multiple(most).max(least) }
}
