//! Dense products by sparse matrix instructions: two rows of the instruction are one of the product.
//!
//! Of each four elements along k a row of a sparse A has two. Rows 2m and 2m + 1 are what the even and the odd lane have of
//! row m, so that together they have all of it, and their two sums are added.

use raddle_ir::{Attr, AttrId, Builder, Ir, Opcode, Scalar, TypeId, ValueId};

use super::{compare, select};

/// `ne` in MLIR's numbering of predicates.
const DIFFERENT: i64 = 1;

/// Whether this lane has the second half of its row.
pub fn is_odd(builder: &mut Builder<'_>) -> ValueId {
    let index = builder.ir.index_type();
    let lane = builder.value(Opcode::GpuLaneId, &[], index, &[]);
    let (one, zero) = (builder.index(1), builder.index(0));
    let low = builder.binary(Opcode::ArithAndi, lane, one);
    compare(builder, DIFFERENT, low, zero)
}

/// The register that says which of four the lane's elements of A are, for instructions of so many k: the last two or the
/// first two.
pub fn places(builder: &mut Builder<'_>, is_odd: ValueId, k: i64) -> ValueId {
    let [odd, even] = [0b1110_1110, 0b0100_0100].map(|pattern| pattern_of(builder, k, pattern));
    select(builder, is_odd, odd, even)
}

/// Two bits for each element: integers as wide as one instruction needs, all alike, though only the first is read.
fn pattern_of(builder: &mut Builder<'_>, k: i64, pattern: u8) -> ValueId {
    // A lane has a quarter of k, and A holds half of that.
    let bytes = (k / 4 / 2 * 2 / 8) as usize;
    let elem = builder.ir.int_type(8 * bytes as u32);
    if bytes == 4 {
        return builder.int(i32::from_le_bytes([pattern; 4]).into(), elem);
    }
    let ty = builder.ir.vector_type(&[4 / bytes as i64], elem);
    builder.constant(Attr::Dense { ty, splat: true, bytes: vec![pattern; bytes] }, ty)
}

/// The sums of the instruction's rows: one of each two begins at zero.
pub fn sums_of_rows(builder: &mut Builder<'_>, acc: ValueId) -> ValueId {
    let (whole, twice) = (builder.ir.type_of(acc), twice(builder.ir, acc));
    let zero = builder.splat(0.0, whole);
    builder.value(Opcode::VectorInterleave, &[acc, zero], twice, &[])
}

/// The type of these sums.
pub fn twice(ir: &mut Ir, acc: ValueId) -> TypeId {
    let (n, elem) = (ir.shape_of(acc)[0], ir.elem_of(acc));
    ir.vector_type(&[2 * n], elem)
}

/// The sums of the product's rows, of this type.
pub fn sums_of_pairs(builder: &mut Builder<'_>, sum: ValueId, whole: TypeId) -> ValueId {
    let op = builder.op(Opcode::VectorDeinterleave, &[sum], &[whole, whole], &[]);
    let (even, odd) = (builder.ir.result(op, 0), builder.ir.result(op, 1));
    let is_float = matches!(Scalar::of(&builder.ir[builder.ir.elem_of(sum)]), Some(Scalar::Float(_)));
    builder.binary(if is_float { Opcode::ArithAddf } else { Opcode::ArithAddi }, even, odd)
}

/// The instructions of `attrs`, on parts of A one after the other, and on all of B.
///
/// Of each four along k the even lane has the first two, so that B's halves are interleaved by twos.
pub fn multiply(
    builder: &mut Builder<'_>,
    attrs: &[(&str, AttrId)],
    parts: &[ValueId],
    b: ValueId,
    mut sum: ValueId,
    places: ValueId,
) -> ValueId {
    let ty = builder.ir.type_of(sum);
    let all = builder.ir.shape_of(b)[0];
    for (at, &a) in (0..).zip(parts) {
        let width = builder.ir.shape_of(a)[0];
        let pairs = (0..width / 2).map(|pair| at * width + 2 * pair);
        let mask: Vec<i64> = pairs.flat_map(|low| [low, low + 1, low + all / 2, low + all / 2 + 1]).collect();
        let b = shuffled(builder, b, &mask);
        sum = builder.value(Opcode::AmdgpuSparseMfma, &[a, b, sum, places], ty, attrs);
    }
    sum
}

/// These elements of a list.
pub fn shuffled(builder: &mut Builder<'_>, list: ValueId, places: &[i64]) -> ValueId {
    let elem = builder.ir.elem_of(list);
    let ty = builder.ir.vector_type(&[places.len() as i64], elem);
    let mask = [("mask", builder.ir.dense_i64(places))];
    builder.value(Opcode::VectorShuffle, &[list, list], ty, &mask)
}
