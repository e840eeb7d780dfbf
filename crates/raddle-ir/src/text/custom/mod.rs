//! Custom assembly written by hand, for the operations whose syntax no declarative format describes.
//!
//! Each operation has a pair, `read` and `write`, next to each other.

mod func;
mod index;
mod linalg;
mod matrix;
mod scf;
mod slice;
mod vector;

use super::format;
use super::parser::{Operand, Parser, Res};
use super::printer::Printer;
use crate::attrs::Attr;
use crate::form::{Shape, Spelling};
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::DYNAMIC;

/// Reads the custom assembly behind an operation's name.
pub(crate) fn read(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    match opcode {
        Opcode::Module => func::read_module(p, op),
        Opcode::Func => func::read_func(p, op),
        Opcode::Constant => func::read_constant(p, op),
        Opcode::Select => func::read_select(p, op),
        Opcode::Matmul | Opcode::Fill => linalg::read_named(p, opcode, op),
        Opcode::Generic => linalg::read_generic(p, op),
        Opcode::ExtractSlice | Opcode::SubView => slice::read_extract(p, op),
        Opcode::InsertSlice | Opcode::ParallelInsertSlice => slice::read_insert(p, opcode, op),
        Opcode::For => scf::read_for(p, op),
        Opcode::Forall => scf::read_forall(p, op),
        Opcode::InParallel => scf::read_in_parallel(p, op),
        Opcode::If => scf::read_if(p, op),
        Opcode::TransferRead => vector::read_transfer_read(p, op),
        Opcode::TransferWrite => vector::read_transfer_write(p, op),
        Opcode::Contract => vector::read_contract(p, op),
        Opcode::Extract => vector::read_extract(p, op),
        Opcode::Insert => vector::read_insert(p, op),
        Opcode::ExtractStridedSlice | Opcode::InsertStridedSlice => vector::read_strided(p, opcode, op),
        Opcode::ToElements => vector::read_to_elements(p, op),
        Opcode::AffineApply => index::read_apply(p, op),
        Opcode::LinearizeIndex => index::read_linearize(p, op),
        Opcode::DelinearizeIndex => index::read_delinearize(p, op),
        Opcode::MmaSync => matrix::read_mma_sync(p, op),
        Opcode::Mfma | Opcode::Wmma => matrix::read_mfma(p, op),
        opcode => format::read(p, opcode, op),
    }
}

/// Prints the custom assembly behind an operation's name.
pub(crate) fn write(p: &mut Printer<'_>, op: OpId) {
    match p.ir.opcode(op) {
        Opcode::Module => func::write_module(p, op),
        Opcode::Func => func::write_func(p, op),
        Opcode::Constant => func::write_constant(p, op),
        Opcode::Select => func::write_select(p, op),
        Opcode::Matmul | Opcode::Fill => linalg::write_named(p, op),
        Opcode::Generic => linalg::write_generic(p, op),
        Opcode::ExtractSlice | Opcode::SubView => slice::write_extract(p, op),
        Opcode::InsertSlice | Opcode::ParallelInsertSlice => slice::write_insert(p, op),
        Opcode::For => scf::write_for(p, op),
        Opcode::Forall => scf::write_forall(p, op),
        Opcode::InParallel => scf::write_in_parallel(p, op),
        Opcode::If => scf::write_if(p, op),
        Opcode::TransferRead | Opcode::TransferWrite => vector::write_transfer(p, op),
        Opcode::Contract => vector::write_contract(p, op),
        Opcode::Extract => vector::write_extract(p, op),
        Opcode::Insert => vector::write_insert(p, op),
        Opcode::ExtractStridedSlice | Opcode::InsertStridedSlice => vector::write_strided(p, op),
        Opcode::ToElements => vector::write_to_elements(p, op),
        Opcode::AffineApply => index::write_apply(p, op),
        Opcode::LinearizeIndex => index::write_linearize(p, op),
        Opcode::DelinearizeIndex => index::write_delinearize(p, op),
        Opcode::MmaSync => matrix::write_mma_sync(p, op),
        Opcode::Mfma | Opcode::Wmma => matrix::write_mfma(p, op),
        _ => format::write(p, op),
    }
}

/// Whether an operation has custom assembly, and is sound enough for it: the printer must show what the verifier
/// complains about, too.
pub(crate) fn has_custom_form(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) != Opcode::Unregistered && crate::verify::is_printable(ir, op)
}

/// The inherent attributes that are absent because they are what MLIR assumes, as text for the generic form.
pub(crate) fn defaults(ir: &Ir, op: OpId) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for attr in &Shape::of(ir.opcode(op)).attrs {
        if ir.attr_id(op, attr.name).is_some() {
            continue;
        }
        let Some(default) = attr.default else { continue };
        let text = match attr.spelling {
            Spelling::Keyword(name) | Spelling::Angle(name) => format!("#{name}<{default}>"),
            Spelling::Int(ty) => format!("{default} : {ty}"),
            Spelling::Full if attr.name == "value" => format!("#{default}"),
            _ => default.to_owned(),
        };
        found.push((attr.name, text));
    }
    found
}

/// `[%a, 4]` with the given brackets: numbers, [`DYNAMIC`] where a value stands, and the values.
fn mixed_list<'a>(p: &mut Parser<'a, '_>, open: u8, close: u8) -> Res<(Vec<i64>, Vec<Operand<'a>>)> {
    let mut values = Vec::new();
    let numbers = p.list(open, close, |p| {
        if p.tok.kind == super::lexer::Kind::Value {
            values.push(p.operand()?);
            return Ok(DYNAMIC);
        }
        let span = p.tok.span();
        let number = p.int("a value or an integer")?;
        if number == DYNAMIC {
            return Err(p.error(span, "this number stands for a value that is not constant"));
        }
        Ok(number)
    })?;
    Ok((numbers, values))
}

/// The inverse of [`mixed_list`].
fn write_mixed(p: &mut Printer<'_>, open: char, close: char, numbers: &[i64], values: &[ValueId]) {
    p.out.push(open);
    let mut values = values.iter();
    for (i, &number) in numbers.iter().enumerate() {
        if i > 0 {
            p.out.push_str(", ");
        }
        match (number, values.as_slice().first()) {
            (DYNAMIC, Some(&value)) => {
                values.next();
                p.value(value);
            }
            _ => p.number(number),
        }
    }
    p.out.push(close);
}

fn ints(p: &Printer<'_>, op: OpId, name: &str) -> Vec<i64> {
    p.ir.attr_id(op, name).and_then(|attr| p.ir.ints(attr)).unwrap_or_default()
}

/// The type that an attribute states for itself.
fn type_of_attr(ir: &mut Ir, attr: AttrId) -> Option<TypeId> {
    match &ir[attr] {
        Attr::Int { ty, .. } | Attr::Float { ty, .. } | Attr::Dense { ty, .. } => Some(*ty),
        Attr::Bool(_) => Some(ir.int_type(1)),
        Attr::Dialect { name, body: crate::attrs::Body::Fields(fields) } if ir[*name] == *"builtin.dense_resource" => {
            match ir[fields.get(1)?.1] {
                Attr::Type(ty) => Some(ty),
                _ => None,
            }
        }
        _ => None,
    }
}
