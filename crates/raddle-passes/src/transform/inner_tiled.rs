//! Lower inner tiles: an `iree_codegen.inner_tiled` of one lane's values, without loops around it, is the instructions
//! that its kind names.
//!
//! Before: `iree_codegen.inner_tiled ins(%a, %b) outs(%c) {…, kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>}`
//! After:  `amdgpu.mfma 16x16x16 %a * %b + %c`
//!
//! A virtual instruction is issued on one slice of its values after the other. Kinds whose operands go through scales or
//! sparse instructions stay.

use raddle_ir::{Attr, AttrId, Body, Builder, Ir, OpId, Opcode, ValueId, keyword_attr};
use raddle_target::catalogue::{Family, Instruction, Lowering, Named, instruction, lookup};

/// Lowers all inside the function that can be; says whether there was any.
pub(super) fn lower(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::InnerTiled
            && let Some(plan) = plan(ir, op)
        {
            issue(ir, op, &plan);
            changed = true;
        }
    }
    changed
}

/// What an operation is made of.
struct Plan {
    row: &'static Instruction,
    opcode: Opcode,
    /// How often it is issued, on consecutive slices of A and B.
    issues: i64,
    /// The product is that of the transposed factors, in the other order.
    swapped: bool,
}

fn plan(ir: &Ir, op: OpId) -> Option<Plan> {
    let kind = ir.attr_id(op, "kind")?;
    let (name, swapped) = match &ir[kind] {
        Attr::Dialect { body: Body::Keyword(word), .. } => (&ir[*word], false),
        Attr::Dialect { body: Body::Fields(fields), .. } => {
            let swapped = ir.field(kind, "col_major").is_some_and(|flag| ir[flag] == Attr::Bool(true));
            (ir.keyword(fields.first()?.1)?, swapped)
        }
        _ => return None,
    };
    let (row, issues) = match lookup(name).ok()? {
        Named::Instruction(row) => (row, 1),
        Named::Virtual(row) if row.lowering == Lowering::Unroll => (instruction(row.base?)?, row.issues),
        Named::Virtual(_) | Named::Scaled(_) => return None,
    };
    let opcode = match row.family {
        Family::Mfma => Opcode::Mfma,
        Family::WmmaGfx11 | Family::WmmaGfx12 | Family::WmmaGfx1250 => Opcode::Wmma,
        _ => return None,
    };
    let is_flag = |name: &str| {
        let semantics = ir.attr_id(op, "semantics").and_then(|semantics| ir.field(semantics, name));
        semantics.is_some_and(|flag| ir[flag] == Attr::Bool(true))
    };
    let maps = ir.maps(op, "indexing_maps")?;
    let operands = ir.operands(op);
    let count = |value: ValueId| ir.shape_of(value).iter().product::<i64>();
    let fits = operands.len() == 3
        && operands.iter().all(|&operand| ir.ty(operand).is_vector())
        && operands[..2].iter().all(|&factor| count(factor) % issues == 0)
        && maps.iter().all(|map| map.results.is_empty())
        && is_flag("distributed")
        && ir.attr_id(op, "permutations").is_none();
    fits.then_some(Plan { row, opcode, issues, swapped })
}

fn issue(ir: &mut Ir, op: OpId, plan: &Plan) {
    let attrs = attributes(ir, plan);
    let mut builder = Builder::before(ir, op);
    let result = builder.ir.result(op, 0);
    let [mut a, mut b, acc] = [0, 1, 2].map(|i| {
        let operand = builder.ir.operand(op, i);
        let n = builder.ir.shape_of(operand).iter().product();
        if builder.ir.shape_of(operand).len() == 1 { operand } else { builder.shape_cast(operand, &[n]) }
    });
    if plan.swapped {
        (a, b) = (b, a);
    }
    // One value is not a vector to an instruction.
    let mut acc = bare(&mut builder, acc);
    for at in 0..plan.issues {
        let [a, b] = [a, b].map(|factor| {
            let size = builder.ir.shape_of(factor)[0] / plan.issues;
            let part = if plan.issues == 1 { factor } else { slice(&mut builder, factor, at * size, size) };
            bare(&mut builder, part)
        });
        let ty = builder.ir.type_of(acc);
        acc = builder.value(plan.opcode, &[a, b, acc], ty, &attrs);
    }
    let ty = builder.ir.type_of(result);
    if !builder.ir.ty(acc).is_vector() {
        acc = builder.broadcast(acc, ty);
    }
    if builder.ir.type_of(acc) != ty {
        let shape = builder.ir.shape_of(result).to_vec();
        acc = builder.shape_cast(acc, &shape);
    }
    ir.replace_uses(result, acc);
    ir.erase(op);
}

fn bare(builder: &mut Builder<'_>, value: ValueId) -> ValueId {
    if builder.ir.shape_of(value) == [1] { builder.extract(value, &[0]) } else { value }
}

fn slice(builder: &mut Builder<'_>, value: ValueId, from: i64, size: i64) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.vector_type(&[size], elem);
    let attrs =
        [("offsets", from), ("sizes", size), ("strides", 1)].map(|(name, n)| (name, builder.ir.i64_array(&[n])));
    builder.value(Opcode::ExtractStridedSlice, &[value], ty, &attrs)
}

fn attributes(ir: &mut Ir, plan: &Plan) -> Vec<(&'static str, AttrId)> {
    let Instruction { m, n, k, blocks, .. } = *plan.row;
    let i32 = ir.int_type(32);
    let mut number = |value: i64| ir.intern(Attr::Int { value: value.into(), ty: i32 });
    let mut attrs = vec![("m", number(m)), ("n", number(n)), ("k", number(k))];
    if plan.opcode == Opcode::Mfma {
        attrs.extend([("blocks", number(blocks)), ("cbsz", number(0)), ("abid", number(0))]);
        attrs.push(("blgp", keyword_attr(ir, "amdgpu.mfma_perm_b", "none")));
    }
    attrs
}
