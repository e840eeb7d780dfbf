//! Row updates: a scatter of one update for each row of a matrix is elementwise.
//!
//! Before: `iree_linalg_ext.scatter ins(%updates, %places : tensor<4096xf16>, tensor<4096x2xi64>) outs(%m : tensor<4096x32000xf16>)`,
//!         where the first column of `%places` counts the rows
//! After:  `linalg.generic ins(%updates, %columns, %m)`, of which an element is combined with its row's update if it stands in
//!         the column that this names, and is as it was elsewhere
//!
//! This is how PyTorch's gradient of a cross entropy, and all that scatters along a dimension with one index for each row,
//! is written. So it shares a kernel with what stands around it, where updates that may meet are sorted first. A column
//! outside of the matrix is no element's, as an update there is left out.
//!
//! Does not touch scatters that have a mask, whole rows as updates, or several for a row, nor those into an argument, in whose
//! memory the result may lie.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, Class, Def, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};

use crate::code::{compare, select};
use crate::structured::generalize::{body_of, generic, loop_index};
use crate::structured::moves::{column, ints};

/// `eq` as `arith.cmpi` numbers it.
const EQUAL: i64 = 0;

/// Writes such scatters of a function as elementwise operations.
pub(super) fn expand(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::IreeLinalgExtScatter {
            let _ = rewrite(ir, op);
        }
    }
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[updates, places, whole] = ir.operands(op) else { return None };
    let &[rows, columns] = ir.shape_of(whole) else { return None };
    let region = ir.body(op, 0)?;
    let end = ir.terminator(region)?;
    let inner: Vec<OpId> = ir.block_ops(region).filter(|&inner| inner != end).collect();
    let fits = ir.def_op(whole).is_some()
        && rows > 0
        && columns > 0
        && ir.shape_of(updates) == [rows]
        && ir.shape_of(places) == [rows, 2]
        && ints(ir, op, "dimension_map").into_iter().eq([0, 1])
        && ir.results(op).len() == 1
        && Scalar::of(&ir[ir.elem_of(whole)]).is_some()
        && inner.iter().all(|&inner| matches!(ir.class(inner), Class::Elementwise | Class::Constant));
    if !fits || !counts_rows(ir, column(ir, places, 0)?, rows) {
        return None;
    }
    let columns = column(ir, places, 1)?;
    let (args, given) = (ir.args(region).to_vec(), ir.operand(end, 0));
    let builder = &mut Builder::before(ir, op);
    let ty = builder.ir.type_of(whole);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    let of_row = |results: Vec<Expr>| Map { dims: 2, syms: 0, results };
    let maps = vec![
        of_row(vec![Expr::Dim(0), Expr::Const(0)]),
        of_row(vec![Expr::Dim(0)]),
        Map::identity(2),
        Map::identity(2),
    ];
    let inputs = vec![columns, updates, whole];
    let elems = [columns, updates, whole, empty].map(|value| builder.ir.elem_of(value));
    let new = generic(builder, &Linalg { inputs, outputs: vec![empty], maps, reduction: vec![false; 2] }, &[]);
    body_of(builder, new, &elems, |body, own| {
        let here = loop_index(body, 1);
        let here = body.value(Opcode::ArithIndexCast, &[here], elems[0], &[]);
        let is_here = compare(body, EQUAL, own[0], here);
        let mut map = ValueMap::default();
        map.set(args[0], own[1]);
        map.set(args[1], own[2]);
        for &inner in &inner {
            body.copy(inner, &mut map);
        }
        vec![select(body, is_here, map.get(given), own[2])]
    });
    let (old, new) = (ir.result(op, 0), ir.result(new, 0));
    ir.replace_uses(old, new);
    ir.erase(op);
    Some(())
}

/// Whether each element of a column is the number of its row.
fn counts_rows(ir: &Ir, column: ValueId, rows: i64) -> bool {
    let Def::Result { op: made, index } = ir.def(column) else { return false };
    let Some(linalg) = Linalg::try_of(ir, made).filter(|linalg| !linalg.reduction.contains(&true)) else {
        return false;
    };
    let row = linalg.maps[linalg.inputs.len() + index as usize].results.first();
    let Some(&Expr::Dim(d)) = row else { return false };
    let Some(mut number) =
        ir.body(made, 0).and_then(|body| ir.terminator(body)).map(|end| ir.operand(end, index as usize))
    else {
        return false;
    };
    while let Some(op) = ir.def_op(number) {
        match ir.opcode(op) {
            Opcode::ArithIndexCast | Opcode::ArithIndexCastui | Opcode::ArithExtsi | Opcode::ArithExtui => {}
            // A number below the divisor is its own remainder.
            Opcode::ArithRemsi | Opcode::ArithRemui
                if ir.const_int(ir.operand(op, 1)).is_some_and(|divisor| divisor >= rows) => {}
            Opcode::LinalgIndex => return ir.attr(op, "dim").and_then(Attr::as_i64) == Some(i64::from(d)),
            _ => return false,
        }
        number = ir.operand(op, 0);
    }
    false
}
