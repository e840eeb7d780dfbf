//! How layouts pass through operations: from operands to results, and back.

use raddle_ir::views::{Contract, Mixed, Transfer, position};
use raddle_ir::{Class, Expr, Ir, OpId, Opcode, ValueId};
use raddle_layout::Nested;
use raddle_layout::sort::sort_by;

use super::layouts::Layouts;
use super::{access, bits, folds};
use crate::config::{Launch, fits_workgroup};
use crate::lay_out::instruction;

/// The results whose layout follows from operand `operand`, with that layout.
pub fn forward(ir: &Ir, op: OpId, operand: usize, layout: &Nested, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    let mut found = results(ir, op, operand, layout, layouts);
    // What is masked decides about the mask.
    if let Some(mask) = access::mask_of(ir, op) {
        let needed = access::needs(ir, mask, layouts).unwrap_or_default();
        found.extend(needed.into_iter().map(|(i, layout)| (ir.operand(mask, i), layout)));
    }
    found
}

fn results(ir: &Ir, op: OpId, operand: usize, layout: &Nested, layouts: &Layouts) -> Vec<(ValueId, Nested)> {
    let result = || ir.result(op, 0);
    if folds::folds(ir, op) {
        let mut found = folds::natural(ir, op, layouts);
        found.extend(folds::partners(ir, op, operand, layout));
        return found;
    }
    match ir.class(op) {
        Class::Elementwise => {
            ir.results(op).filter(|&result| ir.ty(result).is_vector()).map(|result| (result, layout.clone())).collect()
        }
        Class::Transpose => vec![(result(), layout.permute(&permutation(ir, op)))],
        Class::Reshape | Class::Contract => {
            natural(ir, op, layouts).map(|layout| (result(), layout)).into_iter().collect()
        }
        Class::Slice => match ir.opcode(op) {
            Opcode::VectorInsert | Opcode::VectorInsertStridedSlice if operand == 1 => vec![(result(), layout.clone())],
            _ if bits::regroups(ir, op) => {
                let layout = bits::onward(ir, op, layout);
                ir.results(op).filter_map(|result| Some((result, layout.clone()?))).collect()
            }
            _ => natural(ir, op, layouts).map(|layout| (result(), layout)).into_iter().collect(),
        },
        // What is written decides about its mask.
        Class::Write if access::written(ir, op) == Some(operand) => {
            needs(ir, op, layouts).into_iter().map(|(i, layout)| (ir.operand(op, i), layout)).collect()
        }
        // Whoever has the number of an element fetches it.
        Class::Read if matches!(ir.opcode(op), Opcode::VectorGather | Opcode::VectorMaskedload) => {
            vec![(result(), layout.clone())]
        }
        // A broadcast's new dimensions are free, and the rest end here.
        Class::Broadcast
        | Class::Reduce
        | Class::Yield
        | Class::Layout
        | Class::Write
        | Class::Read
        | Class::Mask
        | Class::Constant
        | Class::Structured
        | Class::Empty
        | Class::Loop
        | Class::Branch
        | Class::Alloc
        | Class::View
        | Class::Barrier
        | Class::Index
        | Class::Id
        | Class::Shuffle
        | Class::Matrix
        | Class::Call
        | Class::Module
        | Class::Function
        | Class::Opaque => Vec::new(),
    }
}

/// What `vector.transpose` does: dimension `d` of the result is dimension `permutation[d]` of the source.
pub fn permutation(ir: &Ir, op: OpId) -> Vec<usize> {
    let perm = ir.attr_id(op, "permutation").and_then(|attr| ir.ints(attr)).expect("a transpose has a permutation");
    perm.into_iter().map(|d| d as usize).collect()
}

/// The layout that an operation's result has because of its operands, where those decide it.
pub fn natural(ir: &Ir, op: OpId, layouts: &Layouts) -> Option<Nested> {
    let shape = ir.results(op).next().map(|result| ir.shape_of(result))?;
    match ir.opcode(op) {
        Opcode::VectorShapeCast => layouts.get(ir.operand(op, 0))?.reshape(shape).ok(),
        Opcode::VectorContract => {
            let contract = Contract::of(ir, op);
            let (lhs, rhs) = (layouts.get(contract.lhs)?, layouts.get(contract.rhs)?);
            if let Some(sums) = instruction::sums(ir, op, lhs, rhs, layouts.chip) {
                return Some(sums);
            }
            let result = contract.maps[2].as_dims()?;
            Some(iteration(&contract, lhs, rhs, layouts.launch_at(ir, op))?.permute(&result))
        }
        Opcode::VectorExtract if ir.ty(ir.result(op, 0)).is_vector() => {
            let (source, lead) = (layouts.get(ir.operand(op, 0))?, position(ir, op).len());
            let fixed = position(ir, op).iter().all(|at| matches!(at, Mixed::Static(_)));
            let here = (0..lead).all(|d| is_local(source, d));
            (fixed && here).then(|| source.project(&(0..source.rank()).map(|d| d < lead).collect::<Vec<_>>()))
        }
        Opcode::VectorExtractStridedSlice => {
            let source = layouts.get(ir.operand(op, 0))?;
            resized(source, ir.shape_of(ir.operand(op, 0)), shape)
        }
        _ if bits::regroups(ir, op) => bits::onward(ir, op, layouts.get(ir.operand(op, 0))?),
        _ => None,
    }
}

/// The layout of a contraction's loops, when its operands' layouts are one view of them.
pub fn iteration(contract: &Contract, lhs: &Nested, rhs: &Nested, launch: Launch) -> Option<Nested> {
    let layout = recombined(contract, lhs, rhs).ok()?;
    // Loops that only one operand has may ask for the same threads.
    fits_workgroup(&layout, launch).ok().map(|()| layout)
}

/// How the loops of a contraction are spread whose factors have these layouts, whoever the threads are.
pub fn recombined(contract: &Contract, lhs: &Nested, rhs: &Nested) -> Result<Nested, String> {
    let [Some(left), Some(right)] = [0, 1].map(|i| contract.maps[i].as_dims()) else {
        return Err("its maps are not lists of loops".to_owned());
    };
    let loops: Vec<usize> = (0..contract.reduction.len()).collect();
    Nested::recombine(&[(lhs, &left), (rhs, &right)], &loops).map_err(|error| error.to_string())
}

/// Whether each thread holds all of dimension `d`, in order.
pub fn is_local(layout: &Nested, d: usize) -> bool {
    layout.thread_tile[d] == 1 && layout.subgroup_tile[d] == 1
}

/// Whether two layouts of one vector differ in nothing but the order of each thread's slots.
///
/// Where a dimension is spread over lanes, what a lane holds next to one another must stay so. Where it is not, batches,
/// outers and elements count through the same elements in the same order.
pub fn in_registers(from: &Nested, to: &Nested) -> bool {
    (0..from.rank()).all(|d| is_column(from, d, to, d))
}

/// [`in_registers`] for one dimension of each.
pub fn is_column(from: &Nested, d: usize, to: &Nested, e: usize) -> bool {
    let threads = |layout: &Nested, d: usize| {
        let lanes = [layout.thread_tile[d], layout.thread_strides[d]];
        [lanes, [layout.subgroup_tile[d], layout.subgroup_strides[d]]]
    };
    threads(from, d) == threads(to, e) && (from.thread_tile[d] == 1 || from.element_tile[d] == to.element_tile[e])
}

/// The layout of a slice of a vector, or of the vector that a slice is taken from: dimensions whose extent changes
/// must lie in the registers of each thread.
pub fn resized(layout: &Nested, from: &[i64], to: &[i64]) -> Option<Nested> {
    let mut layout = layout.clone();
    for d in 0..from.len() {
        if from[d] == to[d] {
            continue;
        }
        if !is_local(&layout, d) {
            return None;
        }
        (layout.batch_tile[d], layout.outer_tile[d], layout.element_tile[d]) = (1, 1, to[d]);
    }
    Some(layout)
}

/// For each dimension of the source, whether `vector.multi_reduction` reduces it.
pub fn reduced(ir: &Ir, op: OpId) -> Vec<bool> {
    let dims = ir.attr_id(op, "reduction_dims").and_then(|attr| ir.ints(attr)).expect("a reduction has dimensions");
    (0..ir.shape_of(ir.operand(op, 0)).len() as i64).map(|d| dims.contains(&d)).collect()
}

/// For each dimension of a transfer's mask the dimension of its vector. A mask lies along the memory: it has the
/// dimensions that the map names, in the order of the memory.
pub fn mask_dims(view: &Transfer) -> Vec<usize> {
    let mut named: Vec<(u32, usize)> = Vec::new();
    for (d, expr) in view.map.results.iter().enumerate() {
        if let Expr::Dim(p) = expr {
            named.push((*p, d));
        }
    }
    sort_by(&mut named, Ord::cmp);
    named.into_iter().map(|(_, d)| d).collect()
}

/// The layout of a transfer's mask, given that of its vector.
pub fn mask_layout(view: &Transfer, layout: &Nested) -> Nested {
    match &mask_dims(view)[..] {
        // Where nothing is left, the mask is one flag.
        [] if layout.rank() > 0 => layout.apply(&[None]),
        dims => layout.permute(dims),
    }
}

/// The layouts that an operation needs of its operands, given its results' (and, for loops, none: those are tied).
pub fn needs(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<(usize, Nested)> {
    if let Some(needs) = access::needs(ir, op, layouts) {
        return needs;
    }
    let vectors = vector_operands(ir, op);
    if matches!(ir.opcode(op), Opcode::VectorScan | Opcode::IreeVectorExtArgCompare | Opcode::IreeCodegenInnerTiled) {
        return folds::needs(ir, op, layouts);
    }
    if let (Opcode::VectorTransferRead | Opcode::VectorTransferWrite, Some(&last)) = (ir.opcode(op), vectors.last()) {
        let view = Transfer::of(ir, op);
        let layout = layouts.get(view.vector.unwrap_or_else(|| ir.result(op, 0)));
        return match (view.mask, layout) {
            (Some(_), Some(layout)) => vec![(last, mask_layout(&view, layout))],
            _ => Vec::new(),
        };
    }
    ir.results(op).find_map(|result| layouts.get(result)).map_or_else(Vec::new, |layout| needs_of(ir, op, layout))
}

fn vector_operands(ir: &Ir, op: OpId) -> Vec<usize> {
    (0..ir.operands(op).len()).filter(|&i| ir.ty(ir.operand(op, i)).is_vector()).collect()
}

/// The layouts that an operation other than a transfer needs of its operands for its result to have one.
pub fn needs_of(ir: &Ir, op: OpId, layout: &Nested) -> Vec<(usize, Nested)> {
    let vectors = vector_operands(ir, op);
    match ir.class(op) {
        Class::Elementwise => vectors.into_iter().map(|i| (i, layout.clone())).collect(),
        Class::Transpose => {
            let perm = permutation(ir, op);
            let inverse: Vec<usize> =
                (0..perm.len()).map(|d| perm.iter().position(|&p| p == d).expect("a permutation")).collect();
            vec![(0, layout.permute(&inverse))]
        }
        Class::Reshape => {
            let source = layout.reshape(ir.shape_of(ir.operand(op, 0)));
            source.map(|layout| (0, layout)).into_iter().collect()
        }
        Class::Broadcast if !vectors.is_empty() => {
            let (source, result) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)));
            let lead = result.len() - source.len();
            // A stretched unit dimension is held by everyone.
            let dims: Vec<Option<usize>> =
                (0..source.len()).map(|d| (source[d] == result[lead + d]).then_some(lead + d)).collect();
            vec![(0, layout.apply(&dims))]
        }
        Class::Reduce if vectors.contains(&1) => vec![(1, layout.clone())],
        Class::Contract if vectors.contains(&2) => vec![(2, layout.clone())],
        Class::Slice => match ir.opcode(op) {
            Opcode::VectorInsert => {
                let lead = position(ir, op).len();
                let inner = layout.project(&(0..layout.rank()).map(|d| d < lead).collect::<Vec<_>>());
                vectors.into_iter().map(|i| (i, if i == 0 { inner.clone() } else { layout.clone() })).collect()
            }
            Opcode::VectorInsertStridedSlice => vec![(1, layout.clone())],
            _ if bits::regroups(ir, op) => {
                let layout = bits::backward(ir, op, layout);
                vectors.into_iter().map(|i| (i, layout.clone())).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The layouts that would spare an operation from moving values between threads. It works without them.
pub fn wishes(ir: &Ir, op: OpId, layouts: &Layouts) -> Vec<(usize, Nested)> {
    let Some(layout) = ir.results(op).find_map(|result| layouts.get(result)) else { return Vec::new() };
    let source = ir.operands(op).first().map(|&source| ir.shape_of(source)).unwrap_or_default();
    let found = match ir.opcode(op) {
        Opcode::VectorExtract => {
            let lead = source.len() - layout.rank();
            Nested::whole(&source[..lead]).and_then(|lead| lead.append(layout)).ok()
        }
        Opcode::VectorExtractStridedSlice => resized(layout, ir.shape_of(ir.result(op, 0)), source),
        Opcode::VectorInsertStridedSlice => {
            let lead = layout.rank() - source.len();
            let inner = layout.project(&(0..layout.rank()).map(|d| d < lead).collect::<Vec<_>>());
            resized(&inner, &ir.shape_of(ir.result(op, 0))[lead..], source)
        }
        Opcode::VectorScan => folds::wish(ir, op, layouts),
        _ => None,
    };
    found.map(|layout| (0, layout)).into_iter().collect()
}
