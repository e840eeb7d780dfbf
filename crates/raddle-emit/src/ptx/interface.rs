//! The parameters of a kernel that stands for an IREE dispatch: bindings in order, and 32-bit constants behind them.
//!
//! An argument of the program is a part of a binding: its address is the binding's, moved by an offset that follows from
//! the constants, as do extents that only the run knows. So the kernel can be launched in place of IREE's own.

use raddle_ir::affine::BinOp;
use raddle_ir::extents;
use raddle_ir::interface::{Interface, Slot};
use raddle_ir::{Diag, Expr, OpId, Type, ValueId};

use crate::kernel::{is_written, shape_text};

use super::memory::{Buffer, Place};
use super::module::{Param, buffer_elem, parameter};
use super::value::{Atom, Cx, Held, Kind, Reg};

/// Loads the arguments, and says how the parameters are declared.
pub(super) fn parameters(
    cx: &mut Cx<'_>,
    func: OpId,
    args: &[ValueId],
    interface: &Interface,
) -> Result<Vec<Param>, Diag> {
    let slots: Vec<&Slot> = interface.arguments.iter().chain(&interface.results).collect();
    let extents = extents::taken(cx.ir, func)?;
    assert_eq!(slots.len() + extents.len(), args.len(), "an interface that was read describes each argument");
    let mut params: Vec<Param> = (0..interface.bindings + interface.constants)
        .map(|at| Param {
            name: format!("arg{at}"),
            ty: if at < interface.bindings { "u64" } else { "u32" },
            comment: if at < interface.bindings { "a binding" } else { "a constant" }.to_owned(),
        })
        .collect();
    // What is written may not be read past the coherent caches, by whatever argument it is read.
    let written = |binding: usize| {
        let mut pairs = slots.iter().zip(args);
        pairs.any(|(slot, &arg)| {
            matches!(slot, Slot::Binding { binding: other, .. } if *other == binding) && is_written(cx.ir, arg)
        })
    };
    let read_only: Vec<bool> = (0..interface.bindings).map(|binding| !written(binding)).collect();
    for (slot, &arg) in slots.iter().zip(args) {
        match slot {
            Slot::Constant(at) => {
                let param = &mut params[interface.bindings + at];
                *param = parameter(cx, func, &param.name, arg)?;
                if param.ty != "u32" && param.ty != "f32" {
                    return Err(cx.cannot(func, "a constant of an interface has 32 bits"));
                }
            }
            Slot::Binding { binding, offset, .. } => {
                if !matches!(cx.ir.ty(arg), Type::MemRef { .. }) {
                    return Err(cx.cannot(func, "a binding of an interface is a memref"));
                }
                let elem = buffer_elem(cx, func, arg)?;
                let generic = cx.fresh(Kind::B64);
                cx.inst(format_args!("ld.param.u64 {generic}, [arg{binding}]"));
                let start = cx.compute("cvta.to.global.u64", Kind::B64, &[generic.into()]);
                let base = match &offset.results[0] {
                    Expr::Const(0) => start,
                    expr => {
                        let by = expression(cx, func, expr, interface.bindings)?;
                        cx.compute("add.s64", Kind::B64, &[start.into(), by.into()])
                    }
                };
                cx.hold(arg, Held::Buffer(cx.buffers.len()));
                cx.buffers.push(Buffer { elem, place: Place::Global { base, constant: read_only[*binding] } });
                let part = format!("{}, {}", shape_text(cx.ir, arg, elem), offset_text(&offset.results[0]));
                let comment = &mut params[*binding].comment;
                comment.push_str(if comment == "a binding" { ": " } else { "; " });
                comment.push_str(&part);
            }
        }
    }
    for (&(argument, dim), &arg) in extents.iter().zip(&args[slots.len()..]) {
        let expr = match slots[argument] {
            Slot::Binding { extents, .. } => extents.results.get(dim),
            Slot::Constant(_) => None,
        };
        let Some(expr) = expr else { return Err(cx.cannot(func, "an extent of an interface is one of a binding's")) };
        let extent = expression(cx, func, expr, interface.bindings)?;
        let (_, kind) = cx.scalar(func, arg)?;
        let reg = if kind == Kind::B32 { cx.compute("cvt.u32.u64", Kind::B32, &[extent.into()]) } else { extent };
        cx.bind(arg, Atom::Reg(reg));
    }
    Ok(params)
}

fn offset_text(offset: &Expr) -> String {
    format!("from byte {offset}")
}

/// Computes an expression of the constants in 64 bits.
fn expression(cx: &mut Cx<'_>, func: OpId, expr: &Expr, first_constant: usize) -> Result<Reg, Diag> {
    let two = |cx: &mut Cx<'_>, name: &str, a: &Expr, b: &Expr| {
        let a = expression(cx, func, a, first_constant)?;
        let b = expression(cx, func, b, first_constant)?;
        Ok(cx.compute(name, Kind::B64, &[a.into(), b.into()]))
    };
    match expr {
        Expr::Const(value) => {
            let reg = cx.fresh(Kind::B64);
            cx.inst(format_args!("mov.b64 {reg}, {value}"));
            Ok(reg)
        }
        Expr::Sym(at) => {
            let narrow = cx.fresh(Kind::B32);
            cx.inst(format_args!("ld.param.u32 {narrow}, [arg{}]", first_constant + *at as usize));
            Ok(cx.compute("cvt.u64.u32", Kind::B64, &[narrow.into()]))
        }
        Expr::Add(a, b) => two(cx, "add.s64", a, b),
        Expr::Mul(a, b) => two(cx, "mul.lo.s64", a, b),
        Expr::FloorDiv(a, b) => two(cx, "div.u64", a, b),
        Expr::Mod(a, b) => two(cx, "rem.u64", a, b),
        Expr::CeilDiv(a, b) => {
            let raised =
                Expr::binary(BinOp::Add, (**a).clone(), Expr::binary(BinOp::Add, (**b).clone(), Expr::Const(-1)));
            two(cx, "div.u64", &raised, b)
        }
        Expr::Dim(_) => {
            Err(cx.cannot(func, "a number of an interface is a sum of products and quotients of constants"))
        }
    }
}
