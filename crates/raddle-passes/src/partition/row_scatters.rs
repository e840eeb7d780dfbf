//! Rows: scatters of elements that have their own column as the last number of their place are scatters of rows.
//!
//! Before: `iree_linalg_ext.scatter dimension_map = [0, 1] ins(%u, %p : tensor<3200000xf32>, tensor<3200000x2xi64>)`, where
//!         `%p` is made of numbers of rows, each of which is repeated for 64 columns, and of the columns
//! After:  `iree_linalg_ext.scatter dimension_map = [0] ins(%v, %r : tensor<50000x64xf32>, tensor<50000x1xi64>)`
//!
//! PyTorch's `scatter_add` takes a number for each element, and what neighbours in a graph send to one another is added up with
//! numbers that are the same along rows. Updates of an element are combined in the same order.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Mixed;
use raddle_ir::{Attr, AttrId, BlockId, Builder, DYNAMIC, Expr, Ir, OpId, Opcode, ValueId, ValueMap};

use super::elements::{Node, Reader};
use super::reshape::expand;
use crate::structured::moves::{column, ints};

/// The loops along rows of updates and along their columns.
const ROW: u32 = 0;
const COLUMN: u32 = 1;

/// Rewrites the scatters of some blocks.
pub(super) fn join(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some(rows) = Rows::of(ir, op) {
            rows.write(ir, op);
        }
    }
}

/// A scatter of rows.
struct Rows {
    /// How many there are, and how many elements each has.
    extents: [i64; 2],
    /// Their numbers.
    numbers: ValueId,
    /// Their elements, where they lie as rows already.
    updates: Option<ValueId>,
}

impl Rows {
    fn of(ir: &Ir, op: OpId) -> Option<Rows> {
        if ir.opcode(op) != Opcode::IreeLinalgExtScatter || ints(ir, op, "dimension_map") != [0, 1] {
            return None;
        }
        let &[updates, places, whole] = ir.operands(op) else { return None };
        let (&[n], &[_, columns]) = (ir.shape_of(updates), ir.shape_of(whole)) else { return None };
        if n == DYNAMIC || columns < 2 || n % columns != 0 || ir.shape_of(places) != [n, 2] {
            return None;
        }
        let extents = [n / columns, columns];
        let row = Expr::binary(BinOp::Mul, Expr::Dim(ROW), Expr::Const(columns));
        let place = Expr::binary(BinOp::Add, row, Expr::Dim(COLUMN));
        let mut reader = Reader::new(ir, extents.to_vec());
        let [number, column] = [0, 1].map(|at| {
            let numbers = column(ir, places, at)?;
            reader.read_at(numbers, vec![place.clone(), Expr::Const(0)])
        });
        let is_column = reader.whole(column?)?.as_loop() == Some(COLUMN);
        let element = reader.read_at(updates, vec![place]);
        let along = |node: usize, dims: &[u32]| match &reader.nodes[node] {
            Node::Element(value, own) if own.iter().copied().eq(dims.iter().map(|&d| Some(d as usize))) => Some(*value),
            _ => None,
        };
        let numbers = along(number?, &[ROW]).filter(|_| is_column)?;
        let updates = element.and_then(|element| along(element, &[ROW, COLUMN]));
        Some(Rows { extents, numbers, updates })
    }

    fn write(self, ir: &mut Ir, op: OpId) {
        let Rows { extents: [rows, columns], numbers, updates } = self;
        let operands = ir.operands(op).to_vec();
        let ty = ir.type_of(ir.result(op, 0));
        let attrs: Vec<(String, AttrId)> = ir.attrs(op).iter().map(|&(name, at)| (ir[name].to_owned(), at)).collect();
        let builder = &mut Builder::before(ir, op);
        let [rows, columns, one] = [rows, columns, 1].map(Mixed::Static);
        let numbers = expand(builder, numbers, &[2], &[rows, one]);
        let updates = updates.unwrap_or_else(|| expand(builder, operands[0], &[2], &[rows, columns]));
        let elem = builder.ir.int_type(64);
        let map = builder.ir.intern(Attr::DenseArray { elem, values: vec![0] });
        let others = attrs.iter().map(|(name, at)| (name.as_str(), *at)).filter(|at| at.0 != "dimension_map");
        let attrs: Vec<(&str, AttrId)> = others.chain([("dimension_map", map)]).collect();
        let new = builder.op(Opcode::IreeLinalgExtScatter, &[updates, numbers, operands[2]], &[ty], &attrs);
        builder.copy_regions(op, new, &mut ValueMap::default());
        let (old, new) = (ir.result(op, 0), ir.result(new, 0));
        ir.replace_uses(old, new);
        ir.erase(op);
    }
}
