//! Vectorize tensors: each operation on tensors reads them whole, computes on vectors, and writes a tensor again.
//!
//! Before: `%r = linalg.exp ins(%a : tensor<4x?xf32>) outs(%b : tensor<4x?xf32>) -> tensor<4x?xf32>`
//! After:  `%m = vector.create_mask %c4, %n`, `%v = vector.transfer_read %a[…], %pad, %m`, `%e = math.exp %v`,
//!         `%r = vector.transfer_write %e, %b[…], %m`
//!
//! Vectors have the extents of the tensors; where these are not known, the sizes that a configuration states or the
//! largest extents that there may be, and masks say which elements there are. Of the operation in the middle, the
//! pipeline's own [`vectorize`](crate::vectorize) knows more: both compute with `vectorize/structured.rs`.
//!
//! An operation that does not fit (unknown extents without a bound, windows, bodies that do more than arithmetic) stays
//! what it is, and a remark says why: pipelines run this pass on functions of which they vectorize some operations.

use raddle_ir::views::{Linalg, minor_identity};
use raddle_ir::{Attr, Body, Builder, Class, Code, Diag, Float, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};
use crate::structured::body;
use crate::vectorize::structured::{self, Structured};

mod moves;

use crate::structured::sizes::{self, Extent};

const fn flag(name: &'static str, default: bool, sentence: &'static str) -> PassOption {
    PassOption { name, sentence, kind: OptionKind::Flag(default) }
}

/// The options of [`vectorize_tensors`].
pub(crate) const OPTIONS: &[PassOption] = &[
    flag("enable-vector-masking", false, "vectorize dynamic shapes, under masks"),
    flag("use-configured-vector-sizes", true, "take the sizes of masked vectors from lowering configurations"),
    flag("vectorize-copies", true, "vectorize linalg.copy"),
    flag("generate-contract", true, "make vector.contract of sums of products"),
    flag("fold-cast-into-contract", false, "leave it to vector.contract to extend its factors"),
    PassOption {
        name: "max-vector-size",
        sentence: "leave operations whose vectors have at least so many elements",
        kind: OptionKind::Int(i32::MAX as i64),
    },
    flag("enable-cleanup", true, "accepted; cleaning is a pass of its own"),
    flag("vectorize-to-transfer-gather", false, "accepted; tensor.extract in bodies is left alone"),
    flag("vectorize-map-store", false, "accepted; iree_linalg_ext.map_store is left alone"),
];

/// What is asked for.
struct Wish {
    masks: bool,
    configured: bool,
    copies: bool,
    contract: bool,
    fold_casts: bool,
    elements_max: i64,
}

impl Wish {
    /// The same for an operation that takes no mask.
    fn without_masks(&self) -> Wish {
        Wish { masks: false, ..*self }
    }
}

/// The vectors of an operation: how far each of its loops goes, and how far the vectors go.
struct Space {
    extents: Vec<Extent>,
    sizes: Vec<i64>,
}

/// Why an operation stays.
type Fits<T> = Result<T, String>;

/// Vectorizes what fits, uses in front of what they use: sizes are found where tensors are made.
pub fn vectorize_tensors(ir: &mut Ir, func: OpId, facts: &Facts, options: &Options) -> Result<(), Diag> {
    let wish = Wish {
        masks: options.flag("enable-vector-masking"),
        configured: options.flag("use-configured-vector-sizes"),
        copies: options.flag("vectorize-copies"),
        contract: options.flag("generate-contract"),
        fold_casts: options.flag("fold-cast-into-contract"),
        elements_max: options.int("max-vector-size"),
    };
    for op in ir.walk(func).into_iter().rev() {
        // Bodies go with their operations.
        if ir.parent_op(op).is_some_and(|parent| Linalg::try_of(ir, parent).is_some()) {
            continue;
        }
        if let Err(why) = one(ir, op, &wish)? {
            let message = format!("`{}` is not vectorized: {why}", ir.name(op));
            facts.remarks.borrow_mut().push(Diag::error(Code::CannotConfigure, ir.span(op), message).as_remark());
        }
    }
    Ok(())
}

/// Vectorizes one operation, if it is one that works on tensors.
fn one(ir: &mut Ir, op: OpId, wish: &Wish) -> Result<Fits<()>, Diag> {
    match ir.opcode(op) {
        Opcode::IreeVectorExtToLayout if ir.ty(ir.operand(op, 0)).is_tensor() => Ok(moves::to_layout(ir, op, wish)),
        Opcode::IreeLinalgExtGather => Ok(moves::gather(ir, op, wish)),
        Opcode::IreeLinalgExtArgCompare => Ok(moves::arg_compare(ir, op, wish)),
        Opcode::IreeLinalgExtScan => Ok(moves::scan(ir, op, wish)),
        Opcode::IreeCodegenInnerTiled if ir.ty(ir.operand(op, 0)).is_tensor() => Ok(moves::inner_tiled(ir, op, wish)),
        Opcode::LinalgCopy if !wish.copies => Ok(Ok(())),
        _ => match Linalg::try_of(ir, op) {
            Some(linalg) => structured_op(ir, op, &linalg, wish),
            None => Ok(Ok(())),
        },
    }
}

fn structured_op(ir: &mut Ir, op: OpId, linalg: &Linalg, wish: &Wish) -> Result<Fits<()>, Diag> {
    let space = match fits(ir, op, linalg).and_then(|()| space_of(ir, op, linalg, wish)) {
        Ok(space) => space,
        Err(why) => return Ok(Err(why)),
    };
    let mut builder = Builder::before(ir, op);
    let mut cx = Cx::new(&space, Pad::Poison);
    let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let dims: Vec<Vec<usize>> = linalg.maps.iter().map(|map| map.as_dims().unwrap_or_default()).collect();
    let results = if wish.contract && contracts(builder.ir, op, linalg) {
        vec![contract(&mut builder, op, linalg, &mut cx, &operands, &dims, wish)]
    } else {
        let all: Vec<usize> = (0..space.sizes.len()).collect();
        // Only what combines points of the iteration space must leave some out.
        let mask = if linalg.reduction.contains(&true) { cx.mask(&mut builder, &all) } else { None };
        let whole =
            Structured { op, linalg, extents: &space.sizes, mask, divided: None, counts_from_zero: true, memory: None };
        let mut given = |builder: &mut Builder<'_>, i: usize, _: bool| cx.read(builder, operands[i], &dims[i]);
        structured::compute(&mut builder, &whole, &|value| value, &mut given)?
    };
    let n_inputs = linalg.inputs.len();
    for (i, vector) in results.into_iter().enumerate() {
        let new = cx.write(&mut builder, vector, operands[n_inputs + i], &dims[n_inputs + i]);
        if let Some(old) = builder.ir.results(op).nth(i)
            && let Some(new) = new
        {
            builder.ir.replace_uses(old, new);
        }
    }
    ir.erase(op);
    Ok(Ok(()))
}

/// Whether the body is a contraction that `vector.contract` takes: each loop runs along a factor.
fn contracts(ir: &Ir, op: OpId, linalg: &Linalg) -> bool {
    let runs = |d: usize| linalg.maps[..2].iter().any(|map| map.as_dims().is_some_and(|dims| dims.contains(&d)));
    linalg.reduction.contains(&true)
        && body::is_contraction(ir, op)
        && (0..linalg.reduction.len()).all(runs)
        && linalg.inputs.iter().all(|&input| !ir.shape_of(input).is_empty())
}

fn contract(
    builder: &mut Builder<'_>,
    op: OpId,
    linalg: &Linalg,
    cx: &mut Cx<'_>,
    operands: &[ValueId],
    dims: &[Vec<usize>],
    wish: &Wish,
) -> ValueId {
    let args = builder.ir.args(builder.ir.entry(op)).to_vec();
    let mut values = [0, 1, 2].map(|i| cx.read(builder, operands[i], &dims[i]));
    for (i, value) in values[..2].iter_mut().enumerate() {
        let user = builder.ir.uses(args[i]).next().map(|(user, _)| user);
        let extends = |&user: &OpId| matches!(builder.ir.opcode(user), Opcode::ArithExtf | Opcode::ArithExtsi);
        let Some(extension) = user.filter(extends).filter(|_| !wish.fold_casts) else { continue };
        let elem = builder.ir.type_of(builder.ir.result(extension, 0));
        let shape = builder.ir.shape_of(*value).to_vec();
        let ty = builder.ir.vector_type(&shape, elem);
        let attrs = builder.ir.attr_dict(extension);
        let new = builder.ir.create_with(builder.ir.opcode(extension), &[*value], &[ty], attrs, builder.span);
        builder.place(new);
        *value = builder.ir.result(new, 0);
    }
    let all: Vec<usize> = (0..linalg.reduction.len()).collect();
    let mask = cx.mask(builder, &all);
    let is_scalar = dims[2].is_empty();
    if is_scalar {
        values[2] = builder.extract(values[2], &[]);
    }
    let result = structured::masked(builder, mask, |builder| structured::contraction(builder, linalg, values, None));
    if is_scalar { structured::as_rank_0(builder, result) } else { result }
}

/// Whether an operation is one that is done point by point on vectors.
fn fits(ir: &Ir, op: OpId, linalg: &Linalg) -> Fits<()> {
    for (map, &operand) in linalg.maps.iter().zip(linalg.inputs.iter().chain(&linalg.outputs)) {
        let dims = map.as_dims().filter(|dims| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d)));
        if dims.is_none() {
            return Err("an operand is not reached along loops alone".to_owned());
        }
        let ty = ir.ty(operand);
        if !matches!(ty, Type::Tensor { .. } | Type::MemRef { .. }) && ty.shape().is_some() {
            return Err("an operand is neither a tensor nor a buffer".to_owned());
        }
    }
    if linalg.outputs.iter().any(|&output| ir.ty(output).shape().is_none()) {
        return Err("an output is a number".to_owned());
    }
    let yielded = body::yield_of(ir, op);
    for inner in ir.ops_of(ir.entry(op)) {
        let class = ir.class(inner);
        let known = inner == yielded
            || matches!(class, Class::Constant | Class::Elementwise) && ir.results(inner).len() == 1
            || ir.opcode(inner) == Opcode::LinalgIndex;
        if !known {
            return Err(format!("its body holds `{}`", ir.name(inner)));
        }
    }
    if linalg.reduction.contains(&true) {
        for i in 0..linalg.outputs.len() {
            let combined = body::reduction_of(ir, op, i).filter(|reduction| {
                let result = ir.result(reduction.op, 0);
                ir.uses(result).count() == 1
            });
            if combined.is_none() {
                return Err("an output is not combined by one operation".to_owned());
            }
        }
    } else if linalg
        .outputs
        .iter()
        .zip(&linalg.maps[linalg.inputs.len()..])
        .any(|(_, map)| map.results.len() != map.dims as usize)
    {
        return Err("an output does not run along every loop".to_owned());
    }
    Ok(())
}

/// The vectors of an operation.
fn space_of(ir: &Ir, op: OpId, linalg: &Linalg, wish: &Wish) -> Fits<Space> {
    let operands = linalg.inputs.iter().chain(&linalg.outputs);
    let dims = linalg.maps.iter().map(|map| map.as_dims().unwrap_or_default());
    loops_of(ir, op, linalg.reduction.len(), operands.copied().zip(dims), wish)
}

/// The vectors of an operation whose operands have dimensions along these loops; so many of them are its own.
fn loops_of(
    ir: &Ir,
    op: OpId,
    n_own: usize,
    operands: impl Iterator<Item = (ValueId, Vec<usize>)>,
    wish: &Wish,
) -> Fits<Space> {
    let mut extents: Vec<Option<Extent>> = vec![None; n_own];
    let mut bounds: Vec<Option<i64>> = vec![None; n_own];
    for (operand, dims) in operands {
        for (dim, d) in dims.into_iter().enumerate() {
            extents.resize(extents.len().max(d + 1), None);
            bounds.resize(extents.len(), None);
            let found = sizes::extent(ir, operand, dim);
            // A number says more than a value, and a value more than a dimension.
            let rank = |extent: Extent| match extent {
                Extent::Known(_) => 0,
                Extent::Value(_) => 1,
                Extent::Of(..) => 2,
            };
            extents[d] = Some(extents[d].map_or(found, |old| if rank(found) < rank(old) { found } else { old }));
            bounds[d] = [bounds[d], sizes::at_most(ir, found)].into_iter().flatten().min();
        }
    }
    let extents: Option<Vec<Extent>> = extents.into_iter().collect();
    let extents = extents.ok_or("a loop runs along no operand")?;
    if let Some(sizes) = stated_sizes(ir, op, n_own, wish) {
        for (bound, size) in bounds.iter_mut().zip(sizes) {
            *bound = Some(size);
        }
    }
    let sizes = bounds.into_iter().collect::<Option<Vec<i64>>>().ok_or("an extent has no bound")?;
    check(Space { extents, sizes }, wish)
}

/// Whether vectors of these sizes hold everything, and are not too large.
fn check(space: Space, wish: &Wish) -> Fits<Space> {
    for (&extent, &size) in space.extents.iter().zip(&space.sizes) {
        match extent {
            Extent::Known(extent) if extent > size => return Err("a vector size is smaller than the extent".to_owned()),
            Extent::Known(extent) if extent == size => {}
            _ if wish.masks => {}
            _ => return Err("its vectors need masks, which are not asked for".to_owned()),
        }
        if size < 1 {
            return Err("a loop has no iterations".to_owned());
        }
    }
    let elements = space.sizes.iter().try_fold(1i64, |n, &size| n.checked_mul(size));
    if elements.is_none_or(|elements| elements >= wish.elements_max) {
        return Err("its vectors are too large".to_owned());
    }
    Ok(space)
}

/// The sizes of vectors that the operation states, one for each of its loops.
fn stated_sizes(ir: &Ir, op: OpId, n_loops: usize, wish: &Wish) -> Option<Vec<i64>> {
    let configured = if wish.configured { configured_sizes(ir, op) } else { None };
    let stated = || ir.attr_id(op, "iree_codegen.vector_tile_sizes").and_then(|attr| ir.ints(attr));
    configured.or_else(stated).filter(|sizes| wish.masks && sizes.len() == n_loops)
}

/// The sizes of vectors that a configuration states: none of them 0.
fn configured_sizes(ir: &Ir, op: OpId) -> Option<Vec<i64>> {
    let Attr::Dialect { name, body: Body::Fields(fields) } = ir.attr(op, "lowering_config")? else { return None };
    if ir[*name] != *"iree_cpu.lowering_config" {
        return None;
    }
    let mut sum: Vec<i64> = Vec::new();
    for &(field, value) in fields {
        if !ir[field].starts_with("vector_") {
            continue;
        }
        let sizes = ir.ints(value)?;
        sum.resize(sum.len().max(sizes.len()), 0);
        for (total, size) in sum.iter_mut().zip(sizes) {
            *total = total.checked_add(size)?;
        }
    }
    (!sum.is_empty() && !sum.contains(&0)).then_some(sum)
}

/// What stands where a read finds nothing.
#[derive(Clone, Copy)]
enum Pad {
    /// Nothing looks at it.
    Poison,
    Zero,
}

/// Reads and writes of one operation.
struct Cx<'a> {
    space: &'a Space,
    /// Masks by the loops that their dimensions go along.
    masks: FxHashMap<Vec<usize>, ValueId>,
    pad: Pad,
    pads: FxHashMap<TypeId, ValueId>,
    zero: Option<ValueId>,
}

impl<'a> Cx<'a> {
    fn new(space: &'a Space, pad: Pad) -> Cx<'a> {
        Cx { space, masks: FxHashMap::default(), pad, pads: FxHashMap::default(), zero: None }
    }

    fn shape(&self, dims: &[usize]) -> Vec<i64> {
        dims.iter().map(|&d| self.space.sizes[d]).collect()
    }

    /// Which points there are along these loops; nothing if all.
    fn mask(&mut self, builder: &mut Builder<'_>, dims: &[usize]) -> Option<ValueId> {
        let is_whole = |&d: &usize| self.space.extents[d] == Extent::Known(self.space.sizes[d]);
        if dims.iter().all(is_whole) {
            return None;
        }
        if let Some(&known) = self.masks.get(dims) {
            return Some(known);
        }
        let bit = builder.ir.int_type(1);
        let ty = builder.ir.vector_type(&self.shape(dims), bit);
        let known = |&d: &usize| if let Extent::Known(size) = self.space.extents[d] { Some(size) } else { None };
        let mask = if let Some(counts) = dims.iter().map(known).collect::<Option<Vec<i64>>>() {
            let counts = builder.ir.dense_i64(&counts);
            builder.value(Opcode::VectorConstantMask, &[], ty, &[("mask_dim_sizes", counts)])
        } else {
            let counts: Vec<ValueId> =
                dims.iter().map(|&d| sizes::materialize(builder, self.space.extents[d])).collect();
            builder.value(Opcode::VectorCreateMask, &counts, ty, &[])
        };
        self.masks.insert(dims.to_vec(), mask);
        Some(mask)
    }

    /// The vector that a tensor, whose dimensions go along these loops, holds.
    fn read(&mut self, builder: &mut Builder<'_>, base: ValueId, dims: &[usize]) -> ValueId {
        self.read_along(builder, base, dims, minor_identity(dims.len(), dims.len()))
    }

    /// The same, of some dimensions of the tensor, at the start of the others.
    fn read_along(&mut self, builder: &mut Builder<'_>, base: ValueId, dims: &[usize], map: Map) -> ValueId {
        let mask = self.mask(builder, dims);
        let elem = builder.ir.elem_of(base);
        let ty = builder.ir.vector_type(&self.shape(dims), elem);
        let indices = self.zeros(builder, base);
        let pad = match self.pads.get(&elem) {
            Some(&pad) => pad,
            None => {
                let pad = match (self.pad, &builder.ir[elem]) {
                    (Pad::Poison, _) => builder.value(Opcode::UbPoison, &[], elem, &[]),
                    // The scales have no zero; this is their least number.
                    (Pad::Zero, Type::Float(Float::F8E8M0FNU)) => builder.float(2f64.powi(-127), elem),
                    (Pad::Zero, _) => builder.splat(0.0, elem),
                };
                self.pads.insert(elem, pad);
                pad
            }
        };
        let value = builder.transfer_read(base, &indices, pad, map, &vec![true; dims.len()], ty);
        if let (Some(mask), Some(read)) = (mask, builder.ir.def_op(value)) {
            builder.ir.set_transfer_mask(read, mask);
        }
        value
    }

    /// Writes a vector to a tensor, and returns the new tensor; a buffer has none.
    fn write(&mut self, builder: &mut Builder<'_>, vector: ValueId, base: ValueId, dims: &[usize]) -> Option<ValueId> {
        // Reads come first; the count of what they mask may have been changed on the way.
        self.masks.remove(dims);
        let mask = self.mask(builder, dims);
        let indices = self.zeros(builder, base);
        let map = minor_identity(dims.len(), dims.len());
        let write = builder.transfer_write(vector, base, &indices, map, &vec![true; dims.len()]);
        if let Some(mask) = mask {
            builder.ir.set_transfer_mask(write, mask);
        }
        builder.ir.results(write).next()
    }

    /// The first place of a tensor.
    fn zeros(&mut self, builder: &mut Builder<'_>, base: ValueId) -> Vec<ValueId> {
        let rank = builder.ir.shape_of(base).len();
        if rank == 0 {
            return Vec::new();
        }
        vec![*self.zero.get_or_insert_with(|| builder.index(0)); rank]
    }
}
