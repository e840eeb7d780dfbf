//! Matrix instructions on tiles, from tensors to instructions: everything about `iree_codegen.inner_tiled` off the pipeline.
//!
//! ```text
//! linalg.generic ──convert→ inner_tiled on whole tiles ──expand, deal→ scf.forall over lanes, inner_tiled on their parts
//!                                                        ──unroll, drop→ one tile each ──lower→ amdgpu.mfma
//! ```
//!
//! What unrolling, dropping and lowering do to an accumulator is taken back behind the instruction. Both directions are
//! `util.hoistable_conversion`s, so that those in a row cancel and those in a loop leave it (`cancel.rs`).

mod cancel;
mod convert;
mod deal;
mod expand;
mod fuse;
mod lanes;
mod lower;
mod unroll;

pub(crate) use cancel::cancel;
pub(crate) use convert::convert;
pub(crate) use deal::{deal, deal_all};
pub(crate) use expand::{OPTIONS as EXPAND, expand};
pub(crate) use lanes::to_lanes;
pub(crate) use lower::lower;
pub(crate) use unroll::{drop_units, unroll};

use raddle_ir::{Attr, AttrId, Builder, Ir, Map, OpId, Opcode, TypeId, ValueId};
use raddle_target::tile::{Kind, KindError};

/// `iree_codegen.inner_tiled` taken apart.
pub(crate) struct InnerTiled {
    /// A, B, their scales where there are some, C.
    pub values: Vec<ValueId>,
    /// For each of them, the loops that its first dimensions count.
    pub dims: Vec<Vec<usize>>,
    /// For each loop, whether it is summed.
    pub reduction: Vec<bool>,
    /// For each operand, the order of its tile's dimensions.
    pub permutations: Option<Vec<Vec<usize>>>,
}

impl InnerTiled {
    /// Takes an operation with one output apart; `None` where its maps are not lists of loops.
    pub fn of(ir: &Ir, op: OpId) -> Option<InnerTiled> {
        let dims: Vec<Vec<usize>> = ir.maps(op, "indexing_maps")?.iter().map(Map::as_dims).collect::<Option<_>>()?;
        let values = ir.operands(op).to_vec();
        let Attr::Array(iterators) = ir.attr(op, "iterator_types")? else { return None };
        let reduction = iterators.iter().map(|&kind| ir.keyword(kind) == Some("reduction")).collect();
        let permutations = match ir.attr(op, "permutations") {
            Some(Attr::Array(lists)) => {
                let order = |&list: &AttrId| Some(ir.ints(list)?.into_iter().map(|d| d as usize).collect());
                Some(lists.iter().map(order).collect::<Option<Vec<Vec<usize>>>>()?)
            }
            _ => None,
        };
        let fits = ir.results(op).len() == 1 && dims.len() == values.len();
        fits.then_some(InnerTiled { values, dims, reduction, permutations })
    }

    /// The extent of each loop.
    pub fn extents(&self, ir: &Ir) -> Vec<i64> {
        let mut extents = vec![1; self.reduction.len()];
        for (&value, dims) in self.values.iter().zip(&self.dims) {
            for (&d, &extent) in dims.iter().zip(ir.shape_of(value)) {
                extents[d] = extent;
            }
        }
        extents
    }

    /// The shape of an operand's tile, behind the loops' dimensions.
    pub fn inner<'a>(&self, ir: &'a Ir, at: usize) -> &'a [i64] {
        &ir.shape_of(self.values[at])[self.dims[at].len()..]
    }
}

/// Whether an operation is a matrix instruction on tiles of vectors.
fn is_on_vectors(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::IreeCodegenInnerTiled && ir.operands(op).iter().all(|&value| ir.ty(value).is_vector())
}

/// What the kind of an operation says.
fn kind_of(ir: &Ir, op: OpId) -> Result<Kind, KindError> {
    ir.attr_id(op, "kind").ok_or(KindError::Nameless).and_then(|kind| Kind::of(ir, kind))
}

/// The same operation on other operands; the result has the last one's type.
fn with_operands(builder: &mut Builder<'_>, op: OpId, operands: &[ValueId]) -> OpId {
    let result: TypeId = operands
        .last()
        .map_or_else(|| builder.ir.type_of(builder.ir.result(op, 0)), |&value| builder.ir.type_of(value));
    let attrs = builder.ir.attr_dict(op);
    let new = builder.ir.create_with(Opcode::IreeCodegenInnerTiled, operands, &[result], attrs, builder.span);
    builder.place(new);
    new
}

/// `util.hoistable_conversion "tag" inverts("inverse") (…)`; the body makes the results of its arguments.
fn conversion(
    builder: &mut Builder<'_>,
    [tag, inverse]: [&str; 2],
    inputs: &[ValueId],
    results: &[TypeId],
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) -> Vec<ValueId> {
    let attrs = [("tag", builder.ir.str_attr(tag)), ("inverseTag", builder.ir.str_attr(inverse))];
    let op = builder.op(Opcode::UtilHoistableConversion, inputs, results, &attrs);
    let region = builder.ir.add_region(op);
    let types: Vec<TypeId> = inputs.iter().map(|&input| builder.ir.type_of(input)).collect();
    let block = builder.ir.add_block(region, &types);
    let args = builder.ir.args(block).to_vec();
    let mut inside = Builder::at_end(builder.ir, block, builder.span);
    let returned = body(&mut inside, &args);
    inside.op(Opcode::UtilReturn, &returned, &[], &[]);
    builder.ir.results(op).collect()
}

/// `vector.extract_strided_slice` with step 1; dimensions behind the offsets are taken whole.
fn strided_slice(builder: &mut Builder<'_>, value: ValueId, offsets: &[i64], sizes: &[i64]) -> ValueId {
    let shape = [sizes, &builder.ir.shape_of(value)[sizes.len()..]].concat();
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.vector_type(&shape, elem);
    let strides = vec![1; sizes.len()];
    let attrs = [("offsets", offsets), ("sizes", sizes), ("strides", &strides)];
    let attrs = attrs.map(|(name, list)| (name, builder.ir.i64_array(list)));
    builder.value(Opcode::VectorExtractStridedSlice, &[value], ty, &attrs)
}
