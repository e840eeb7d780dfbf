//! Matrices: contractions of one subgroup as the matrix instructions that its lanes execute together.
//!
//! Before: `%d = vector.contract {…} %a, %b, %c : vector<16x32xf16>, vector<32x16xf16> into vector<16x16xf32>`
//! After [`unroll`]: two contractions of 16 x 16 x 16, the second on top of the first one's sum, on tiles that are read
//! where they are needed.
//! After [`convert`]: two of `gpu.subgroup_mma_compute` on matrices whose places only the hardware knows, or of
//! `nvgpu.mma.sync` on each lane's part, with the loads and stores that belong to them.
//!
//! The idea: a subgroup's vector has a form for each operand of an instruction that it becomes. Forms go from a
//! contraction to what makes its operands and to what takes its result; where one of those has no rule, the contraction
//! and all that hangs together with it stay vectors.
//!
//! Does not spread anything over subgroups: the program says which subgroup does what. `distribute` is the way for
//! programs of whole workgroups.

mod convert;
mod flatten;
mod forms;
mod plan;
mod reads;
mod shared;
mod unroll;

use raddle_ir::views::Contract;
use raddle_ir::{Diag, Ir, OpId, Opcode, Scalar, Sign, Type};
use raddle_target::catalogue::{Combine, Elem, Family, Instruction, instructions};

pub use self::convert::convert;
pub use self::unroll::unroll;
use crate::beside::shared_memory::copies::make_asynchronous;
use crate::configure::{Roles, roles};
use crate::facts::Facts;
use crate::lay_out::mask_of;

/// Gives a function's contractions to matrix instructions on opaque matrices, where they have the shape of one; reads of
/// matrices in more dimensions become such of two, and copies to shared memory do not wait.
pub fn use_matrices(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    flatten::flatten(ir, func);
    convert(ir, func, Way::Opaque);
    make_asynchronous(ir, func, false);
    Ok(())
}

/// How a subgroup holds a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// As a value of `!gpu.mma_matrix`, whose places only its own loads and stores know.
    Opaque,
    /// As vectors of the lanes, each element at the place that the instruction's map says.
    Lanes,
}

/// Both ways are NVIDIA's; their instructions are taken among those that all chips from this one on have.
const SINCE: &str = "sm_80";

/// A contraction that matrix instructions may compute: which loop is which, how far m, n and k go, and element types.
struct Product {
    roles: Roles,
    mnk: [i64; 3],
    types: [Scalar; 3],
}

/// Reads a contraction; `None` where it is not a sum of products of two matrices.
fn product(ir: &Ir, op: OpId) -> Option<Product> {
    if ir.opcode(op) != Opcode::VectorContract
        || ir.keyword_of(op, "kind").unwrap_or("add") != "add"
        || mask_of(ir, op).is_some()
    {
        return None;
    }
    let view = Contract::of(ir, op);
    let roles = roles(&view.maps)?;
    let extent = |value, map: usize, d: usize| {
        let dims = view.maps[map].as_dims()?;
        ir.shape_of(value).get(dims.iter().position(|&other| other == d)?).copied()
    };
    let mnk = [extent(view.lhs, 0, roles.m)?, extent(view.rhs, 1, roles.n)?, extent(view.lhs, 0, roles.k)?];
    let mut types = [Scalar::Index; 3];
    for (ty, value) in types.iter_mut().zip([view.lhs, view.rhs, view.acc]) {
        let elem = &ir[ir.elem_of(value)];
        let plain = !matches!(elem, Type::Integer { sign: Sign::Signed | Sign::Unsigned, .. });
        *ty = Scalar::of(elem).filter(|_| plain)?;
    }
    Some(Product { roles, mnk, types })
}

/// The instruction with the most products whose extents pass; the first one in the catalogue among equals.
fn instruction(way: Way, types: [Scalar; 3], passes: impl Fn([i64; 3]) -> bool) -> Option<&'static Instruction> {
    let family = match way {
        Way::Opaque => Family::Wmma,
        Way::Lanes => Family::MmaSync,
    };
    // Factors of f32 are rounded to tf32, and integers have signs.
    let same = |elem: Elem, ty: Scalar| match elem {
        Elem::U8 | Elem::U4 => false,
        Elem::TF32 => ty == F32,
        _ => elem.scalar() == Some(ty),
    };
    let fits = |row: &&Instruction| {
        row.family == family
            && !row.sparse
            && row.runs_on(SINCE)
            && row.combine == Combine::Multiply
            && row.types.iter().zip(types).all(|(&elem, ty)| same(elem, ty))
            && (way == Way::Lanes || types.iter().all(|&ty| forms::opaque_elem(ty).is_some()))
            && passes([row.m, row.n, row.k])
    };
    let products = |row: &Instruction| row.m * row.n * row.k;
    instructions().iter().filter(fits).reduce(|best, row| if products(row) > products(best) { row } else { best })
}

const F32: Scalar = Scalar::Float(raddle_ir::Float::F32);
