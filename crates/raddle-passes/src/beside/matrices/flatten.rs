//! Reads of many dimensions of which at most two are more than one element, as reads of matrices.
//!
//! Before: `vector.transfer_read %m[%i, %j, %k] : memref<128x16x256xf32>, vector<16x1x8xf32>`
//! After:  `%s = memref.subview %m[%i, %j, %k] [16, 1, 8] [1, 1, 1] : … to memref<16x8xf32, strided<[4096, 1], …>>`,
//! then `vector.transfer_read %s : …, vector<16x8xf32>` and `vector.shape_cast`.

use raddle_ir::views::{Mixed, Transfer, minor_identity, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Ir, OpId, Opcode, Type, TypeId, ValueId};

/// Rewrites the reads of a function; says whether there were any.
pub fn flatten(ir: &mut Ir, func: OpId) -> bool {
    let reads: Vec<OpId> =
        ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::VectorTransferRead).collect();
    reads.into_iter().fold(false, |changed, op| read(ir, op).is_some() | changed)
}

fn read(ir: &mut Ir, op: OpId) -> Option<()> {
    let (view, result) = (Transfer::of(ir, op), ir.result(op, 0));
    let shape = ir.shape_of(result).to_vec();
    let (&last, lead) = shape.split_last()?;
    let mut rows = lead.iter().copied().filter(|&extent| extent != 1);
    let matrix = [rows.next().unwrap_or(1), last];
    let plain = view.map == minor_identity(view.indices.len(), shape.len())
        && view.mask.is_none()
        && view.in_bounds.iter().all(|&inside| inside);
    if shape.len() < 3 || rows.next().is_some() || !plain {
        return None;
    }
    let mut sizes = vec![1; view.indices.len() - shape.len()];
    sizes.extend(&shape);
    let ty = part(ir, &view, &sizes, matrix)?;
    let indices: Vec<Mixed> =
        view.indices.iter().map(|&index| ir.const_int(index).map_or(Mixed::Value(index), Mixed::Static)).collect();
    let (numbers, values) = unmixed(&indices);
    let ones = vec![1; sizes.len()];
    let attrs = [
        ("static_offsets", ir.dense_i64(&numbers)),
        ("static_sizes", ir.dense_i64(&sizes)),
        ("static_strides", ir.dense_i64(&ones)),
        ("operandSegmentSizes", ir.segment_sizes(&[1, values.len(), 0, 0])),
    ];
    let elem = ir.elem_of(result);
    let mut builder = Builder::before(ir, op);
    let operands: Vec<ValueId> = [view.base].into_iter().chain(values).collect();
    let part = builder.value(Opcode::MemrefSubview, &operands, ty, &attrs);
    let zero = builder.index(0);
    // One row is a vector of one dimension.
    let vector = if matrix[0] == 1 { &matrix[1..] } else { &matrix[..] };
    let vector_ty = builder.ir.vector_type(vector, elem);
    let (map, inside) = (minor_identity(2, vector.len()), vec![true; vector.len()]);
    let padding = view.padding.expect("a read has a padding");
    let value = builder.transfer_read(part, &[zero, zero], padding, map, &inside, vector_ty);
    let value = builder.shape_cast(value, &shape);
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(())
}

/// The type of the part of a memory that a read takes, without dimensions of one element.
fn part(ir: &mut Ir, view: &Transfer, sizes: &[i64], matrix: [i64; 2]) -> Option<TypeId> {
    let strides = ir.strides(view.base)?;
    let Type::MemRef { elem, layout, space, .. } = *ir.ty(view.base) else { return None };
    let mut offset = match layout.map(|layout| &ir[layout]) {
        None => Some(0),
        Some(Attr::Strided { offset, .. }) => Some(*offset).filter(|&offset| offset != DYNAMIC),
        Some(_) => return None,
    };
    for (&index, &stride) in view.indices.iter().zip(&strides) {
        let step = ir.const_int(index).filter(|_| stride != DYNAMIC).and_then(|at| at.checked_mul(stride));
        offset = offset.zip(step).and_then(|(sum, step)| sum.checked_add(step));
    }
    // The first dimensions that have the wanted extents stay.
    let (mut shape, mut kept) = (matrix.into_iter().peekable(), Vec::new());
    for (&size, &stride) in sizes.iter().zip(&strides) {
        if shape.next_if_eq(&size).is_some() {
            kept.push(stride);
        }
    }
    assert!(shape.next().is_none() && kept.len() == 2, "both extents are among the sizes, in order");
    let layout = ir.intern(Attr::Strided { offset: offset.unwrap_or(DYNAMIC), strides: kept });
    let ty = Type::MemRef { shape: matrix.to_vec(), elem, layout: Some(layout), space };
    Some(ir.intern_type(ty))
}
