//! Buffers that a program passes on and does not look into: what they hold, as `--input` says.
//!
//! Before: `func.func @f(%a: tensor<?xi8>) -> tensor<?xi8>`, which returns its argument, as an argument of
//!         `!hal.buffer_view` that is returned and not imported becomes
//! After:  `func.func @f(%a: tensor<4x2xf32>) -> tensor<4x2xf32>`, for `--input=4x2xf32=@a.npy`
//!
//! Without an input they are bytes.

use raddle_ir::text::parse_type;
use raddle_ir::{DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};
use raddle_run::npy;
use raddle_run::spec::{Data, Spec};

use super::files;

/// Gives such arguments of a function, and the results that they are, the types of the inputs.
pub fn state_types(ir: &mut Ir, func: OpId, inputs: &[String]) -> Result<(), Diag> {
    let Some(entry) = ir.body(func, 0) else { return Ok(()) };
    let args = ir.args(entry).to_vec();
    // What one of several returns gives has the type of what the others do.
    if inputs.len() != args.len() || ir.blocks(ir.regions(func)[0]).len() != 1 {
        return Ok(());
    }
    for (at, &arg) in args.iter().enumerate() {
        if is_passed(ir, arg)
            && let Some(ty) = stated(ir, &inputs[at], &inputs[..at])?
        {
            ir.set_type(arg, ty);
        }
    }
    let types = |ir: &Ir, values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<_>>();
    let Some(end) = ir.terminator(entry) else { return Ok(()) };
    let (inputs, results) = (types(ir, &args), types(ir, ir.operands(end)));
    ir.set_signature(func, &inputs, &results);
    Ok(())
}

/// Whether an argument is bytes that are returned, and used for nothing else.
fn is_passed(ir: &Ir, arg: ValueId) -> bool {
    let ty = &ir[ir.type_of(arg)];
    let is_bytes = matches!(ty, Type::Tensor { .. })
        && ty.shape() == Some(&[DYNAMIC])
        && ty.elem().is_some_and(|elem| Scalar::of(&ir[elem]) == Some(Scalar::Int(8)));
    is_bytes && !ir.is_unused(arg) && ir.uses(arg).all(|(op, _)| ir.opcode(op) == Opcode::FuncReturn)
}

/// The type that an input has; `before` are the inputs in front of it. What is wrong with a spelling, who reads it says.
fn stated(ir: &mut Ir, text: &str, before: &[String]) -> Result<Option<TypeId>, Diag> {
    let Ok(spec) = Spec::parse(text) else { return Ok(None) };
    let spelling = match (&spec.data, text.split_once('=')) {
        _ if spec.ty.is_some() => text.split_once('=').map_or(text, |(ty, _)| ty).to_owned(),
        (Data::File(path) | Data::Next(path), _) => {
            let is_same = |other: &&String| Spec::parse(other).is_ok_and(|other| other.path() == Some(path));
            let n = before.iter().filter(is_same).count();
            let Ok(tensor) = npy::read_nth(&files::read_tensor(path)?, n, None) else { return Ok(None) };
            let extents: String = tensor.shape.iter().map(|extent| format!("{extent}x")).collect();
            format!("{extents}{}", tensor.elem)
        }
        _ => return Ok(None),
    };
    Ok(parse_type(&format!("tensor<{spelling}>"), ir).ok())
}
