//! Programs on tensors for one choice of extents: loops are unrolled, extents are numbers, padding is a fill and an
//! insertion. So the emulator, which wants to know the extents of tensors, runs programs with dynamic ones.

use std::collections::BTreeMap;

use raddle_ir::views::{Forall, Linalg, Mixed, SliceView, mixed};
use raddle_ir::{Attr, Builder, Def, Ir, OpId, Opcode, TypeId, ValueId, ValueMap};

/// Stands for what means nothing: a result in which it is left was made of padding.
pub const GARBAGE: i64 = 1_234_577;

/// The program for arguments of these shapes.
pub fn concrete(program: &Ir, shapes: &[Vec<i64>]) -> Ir {
    let text = raddle_ir::print(program, &Default::default());
    let mut ir = raddle_ir::text::parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let func = ir.funcs()[0];
    let block = ir.entry(func);
    for (&arg, shape) in ir.args(block).to_vec().iter().zip(shapes) {
        retype(&mut ir, arg, shape);
    }
    let mut at = ir.first_op(block);
    while let Some(op) = at {
        let (before, next) = (previous(&ir, op), ir.next_op(op));
        let unrolls = matches!(ir.opcode(op), Opcode::ScfFor | Opcode::ScfForall);
        resolve(&mut ir, op);
        // What took the place of a loop comes next.
        at = match before {
            _ if !unrolls => next,
            Some(before) => ir.next_op(before),
            None => ir.first_op(block),
        };
    }
    let end = ir.terminator(block).unwrap();
    let types = |ir: &Ir, values: &[ValueId]| values.iter().map(|&value| ir.type_of(value)).collect::<Vec<TypeId>>();
    let inputs = types(&ir, ir.args(block));
    let results = types(&ir, ir.operands(end));
    ir.set_signature(func, &inputs, &results);
    let text = raddle_ir::print(&ir, &Default::default());
    raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

fn previous(ir: &Ir, op: OpId) -> Option<OpId> {
    let block = ir.parent_block(op)?;
    ir.block_ops(block).take_while(|&other| other != op).last()
}

fn retype(ir: &mut Ir, value: ValueId, shape: &[i64]) {
    let elem = ir.elem_of(value);
    let ty = ir.tensor_type(shape, elem);
    ir.set_type(value, ty);
}

fn number(ir: &Ir, value: ValueId) -> i64 {
    ir.const_int(value)
        .unwrap_or_else(|| panic!("{} is not a number", raddle_ir::print_op(ir, ir.def_op(value).unwrap())))
}

fn numbers(ir: &Ir, list: &[Mixed]) -> Vec<i64> {
    let one = |&at: &Mixed| match at {
        Mixed::Static(at) => at,
        Mixed::Value(value) => number(ir, value),
    };
    list.iter().map(one).collect()
}

fn statics(list: &[i64]) -> Vec<Mixed> {
    list.iter().map(|&at| Mixed::Static(at)).collect()
}

fn replace(ir: &mut Ir, op: OpId, values: &[ValueId]) {
    for (old, &new) in ir.results(op).zip(values) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

fn resolve(ir: &mut Ir, op: OpId) {
    let operands = ir.operands(op).to_vec();
    match ir.opcode(op) {
        Opcode::ScfFor => unroll_for(ir, op),
        Opcode::ScfForall => unroll_forall(ir, op),
        Opcode::TensorDim => {
            let extent = ir.shape_of(operands[0])[number(ir, operands[1]) as usize];
            let value = Builder::before(ir, op).index(extent);
            replace(ir, op, &[value]);
        }
        Opcode::AffineApply | Opcode::AffineMin | Opcode::AffineMax => {
            let map = ir.map(op, "map").unwrap().clone();
            let all: Vec<i64> = operands.iter().map(|&value| number(ir, value)).collect();
            let results = map.eval(&all[..map.dims as usize], &all[map.dims as usize..]).unwrap();
            let value = if ir.opcode(op) == Opcode::AffineMax { results.iter().max() } else { results.iter().min() };
            let value = *value.unwrap();
            let value = Builder::before(ir, op).index(value);
            replace(ir, op, &[value]);
        }
        Opcode::AffineLinearizeIndex | Opcode::AffineDelinearizeIndex => {
            let basis = ir.ints(ir.attr_id(op, "static_basis").unwrap()).unwrap();
            let all: Vec<i64> = operands.iter().map(|&value| number(ir, value)).collect();
            if ir.opcode(op) == Opcode::AffineLinearizeIndex {
                let basis = if basis.len() == all.len() { &basis[1..] } else { &basis[..] };
                let value = all[1..].iter().zip(basis).fold(all[0], |sum, (&digit, &extent)| sum * extent + digit);
                let value = Builder::before(ir, op).index(value);
                return replace(ir, op, &[value]);
            }
            let n = ir.results(op).len();
            let basis = if basis.len() == n { &basis[1..] } else { &basis[..] };
            let (mut left, mut digits) = (all[0], Vec::new());
            for &extent in basis.iter().rev() {
                digits.push(left % extent);
                left /= extent;
            }
            digits.push(left);
            let mut builder = Builder::before(ir, op);
            let values: Vec<ValueId> = digits.into_iter().rev().map(|digit| builder.index(digit)).collect();
            replace(ir, op, &values);
        }
        Opcode::TensorEmpty => {
            let mut sizes = operands.iter();
            let shape = ir.shape_of(ir.result(op, 0)).to_vec();
            let shape: Vec<i64> =
                shape.into_iter().map(|d| if d < 0 { number(ir, *sizes.next().unwrap()) } else { d }).collect();
            ir.set_operands(op, &[]);
            let result = ir.result(op, 0);
            retype(ir, result, &shape);
        }
        Opcode::TensorExtractSlice => {
            let view = SliceView::of(ir, op);
            let (offsets, sizes) = (numbers(ir, &view.offsets), numbers(ir, &view.sizes));
            let value = Builder::before(ir, op).extract_slice(view.base, &statics(&offsets), &statics(&sizes));
            replace(ir, op, &[value]);
        }
        Opcode::TensorInsertSlice => {
            let view = SliceView::of(ir, op);
            let (offsets, sizes) = (numbers(ir, &view.offsets), numbers(ir, &view.sizes));
            let value = view.value.unwrap();
            assert_eq!(ir.shape_of(value), sizes, "a slice has the size that is said");
            let value = Builder::before(ir, op).insert_slice(value, view.base, &statics(&offsets), &statics(&sizes));
            replace(ir, op, &[value]);
        }
        // Where a tensor lies, and when it is computed, says nothing about what it is.
        Opcode::TensorCast
        | Opcode::IreeCodegenFusionBarrier
        | Opcode::IreeCodegenSwizzleHint
        | Opcode::IreeGpuBufferResourceCast => {
            replace(ir, op, &operands[..1]);
        }
        Opcode::BufferizationAllocTensor => {
            let ty = ir.type_of(ir.result(op, 0));
            let value = Builder::before(ir, op).value(Opcode::TensorEmpty, &operands, ty, &[]);
            replace(ir, op, &[value]);
            let made = ir.def_op(value).unwrap();
            resolve(ir, made);
        }
        Opcode::LinalgPack => pack(ir, op),
        Opcode::TensorExpandShape => {
            let shape = ir.ints(ir.attr_id(op, "static_output_shape").unwrap()).unwrap();
            let shape = numbers(ir, &mixed(&shape, &operands[1..]));
            let attr = ir.dense_i64(&shape);
            ir.set_attr(op, "static_output_shape", attr);
            ir.set_operands(op, &operands[..1]);
            let result = ir.result(op, 0);
            retype(ir, result, &shape);
        }
        Opcode::TensorCollapseShape => {
            let Some(Attr::Array(groups)) = ir.attr(op, "reassociation").cloned() else { panic!("no groups") };
            let source = ir.shape_of(operands[0]).to_vec();
            let product = |&group: &_| ir.ints(group).unwrap().iter().map(|&d| source[d as usize]).product();
            let shape: Vec<i64> = groups.iter().map(product).collect();
            let result = ir.result(op, 0);
            retype(ir, result, &shape);
        }
        Opcode::UbPoison => {
            let ty = ir.type_of(ir.result(op, 0));
            let value = Builder::before(ir, op).splat(GARBAGE as f64, ty);
            replace(ir, op, &[value]);
        }
        Opcode::TensorPad => pad(ir, op),
        _ => {
            if let Some(linalg) = Linalg::try_of(ir, op) {
                for (result, &output) in ir.results(op).zip(&linalg.outputs) {
                    let ty = ir.type_of(output);
                    ir.set_type(result, ty);
                }
            }
        }
    }
}

/// Copies a body in front of its operation; what it yields is left to the caller.
fn copy_body(ir: &mut Ir, op: OpId, args: &[ValueId]) -> (OpId, ValueMap) {
    let body = ir.entry(op);
    let mut map = ValueMap::default();
    for (&arg, &value) in ir.args(body).to_vec().iter().zip(args) {
        map.set(arg, value);
    }
    let end = ir.terminator(body).unwrap();
    let mut builder = Builder::before(ir, op);
    for inner in builder.ir.ops_of(body) {
        if inner != end {
            builder.copy(inner, &mut map);
        }
    }
    (end, map)
}

fn unroll_for(ir: &mut Ir, op: OpId) {
    let operands = ir.operands(op).to_vec();
    let [lower, upper, step] = [0, 1, 2].map(|i| number(ir, operands[i]));
    let mut values = operands[3..].to_vec();
    let mut at = lower;
    while at < upper {
        let index = Builder::before(ir, op).index(at);
        let (end, map) = copy_body(ir, op, &[&[index], &values[..]].concat());
        values = ir.operands(end).iter().map(|&value| map.get(value)).collect();
        at += step;
    }
    replace(ir, op, &values);
}

/// Every iteration sees the tensors as they were before all of them.
fn unroll_forall(ir: &mut Ir, op: OpId) {
    let view = Forall::of(ir, op);
    let [lower, upper, step] = [&view.lower, &view.upper, &view.step].map(|list| numbers(ir, list));
    let mut values = view.outputs.clone();
    let mut at = lower.clone();
    let mut more = (0..at.len()).all(|d| at[d] < upper[d]);
    while more {
        let indices: Vec<ValueId> = at.iter().map(|&at| Builder::before(ir, op).index(at)).collect();
        let (end, map) = copy_body(ir, op, &[&indices[..], &view.outputs].concat());
        let args = ir.args(ir.entry(op))[at.len()..].to_vec();
        for insert in ir.ops_of(ir.entry(end)) {
            let slice = SliceView::of(ir, insert);
            let rename = |list: &[Mixed]| -> Vec<Mixed> {
                list.iter()
                    .map(|&at| if let Mixed::Value(value) = at { Mixed::Value(map.get(value)) } else { at })
                    .collect()
            };
            let (offsets, sizes) = (rename(&slice.offsets), rename(&slice.sizes));
            let which = args.iter().position(|&arg| arg == slice.base).unwrap();
            let value = map.get(slice.value.unwrap());
            values[which] = Builder::before(ir, op).insert_slice(value, values[which], &offsets, &sizes);
        }
        more = false;
        for d in (0..at.len()).rev() {
            at[d] += step[d];
            if at[d] < upper[d] {
                more = true;
                break;
            }
            at[d] = lower[d];
        }
    }
    replace(ir, op, &values);
}

/// Packing is an expansion of each dimension that is split, and a transposition of their inner parts to the end.
fn pack(ir: &mut Ir, op: OpId) {
    let list = |name: &str| ir.ints(ir.attr_id(op, name).unwrap()).unwrap();
    let (dims, tiles) = (list("inner_dims_pos"), list("static_inner_tiles"));
    let source = ir.operand(op, 0);
    let (mut shape, mut groups, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new(), vec![0; dims.len()]);
    for (d, extent) in ir.shape_of(source).to_vec().into_iter().enumerate() {
        outer.push(shape.len() as i64);
        let Some(at) = dims.iter().position(|&dim| dim == d as i64) else {
            groups.push(vec![shape.len() as i64]);
            shape.push(extent);
            continue;
        };
        assert_eq!(extent % tiles[at], 0, "parts fill what is packed");
        inner[at] = shape.len() as i64 + 1;
        groups.push(vec![shape.len() as i64, shape.len() as i64 + 1]);
        shape.extend([extent / tiles[at], tiles[at]]);
    }
    let elem = ir.elem_of(source);
    let expanded = ir.tensor_type(&shape, elem);
    let perm = [outer, inner].concat();
    let last: Vec<i64> = perm.iter().map(|&d| shape[d as usize]).collect();
    let ty = ir.tensor_type(&last, elem);
    let groups: Vec<_> = groups.iter().map(|group| ir.i64_array(group)).collect();
    let mut builder = Builder::before(ir, op);
    let attrs = [
        ("reassociation", builder.ir.intern(Attr::Array(groups))),
        ("static_output_shape", builder.ir.dense_i64(&shape)),
    ];
    let expanded = builder.value(Opcode::TensorExpandShape, &[source], expanded, &attrs);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    let perm = builder.ir.dense_i64(&perm);
    let moved = builder.op(Opcode::LinalgTranspose, &[expanded, empty], &[ty], &[("permutation", perm)]);
    let region = builder.ir.add_region(moved);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let value = builder.ir.args(block)[0];
    let span = builder.span;
    Builder::at_end(builder.ir, block, span).op(Opcode::LinalgYield, &[value], &[], &[]);
    let result = builder.ir.result(moved, 0);
    replace(ir, op, &[result]);
}

fn pad(ir: &mut Ir, op: OpId) {
    let parts: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let list = |ir: &Ir, name: &str, values: &[ValueId]| {
        numbers(ir, &mixed(&ir.ints(ir.attr_id(op, name).unwrap()).unwrap(), values))
    };
    let (low, high) = (list(ir, "static_low", &parts[1]), list(ir, "static_high", &parts[2]));
    let source = parts[0][0];
    let sizes = ir.shape_of(source).to_vec();
    assert!(
        low.iter().chain(&high).chain(&sizes).all(|&n| n >= 0),
        "padding takes nothing away: {low:?} {sizes:?} {high:?}"
    );
    let shape: Vec<i64> = (0..sizes.len()).map(|d| low[d] + sizes[d] + high[d]).collect();
    let end = ir.terminator(ir.entry(op)).unwrap();
    let mut with = ir.operand(end, 0);
    // A number inside the body is one outside.
    if let Def::Result { op: made, .. } = ir.def(with)
        && ir.parent_op(made) == Some(op)
    {
        let copy = Builder::before(ir, op).copy(made, &mut ValueMap::default());
        with = ir.result(copy, 0);
    }
    let elem = ir.elem_of(source);
    let ty = ir.tensor_type(&shape, elem);
    let mut builder = Builder::before(ir, op);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    let segments = builder.ir.segment_sizes(&[1, 1]);
    let fill = builder.op(Opcode::LinalgFill, &[with, empty], &[ty], &[("operandSegmentSizes", segments)]);
    let region = builder.ir.add_region(fill);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let value = builder.ir.args(block)[0];
    let span = builder.span;
    Builder::at_end(builder.ir, block, span).op(Opcode::LinalgYield, &[value], &[], &[]);
    let filled = builder.ir.result(fill, 0);
    let value = if sizes.contains(&0) {
        filled
    } else {
        builder.insert_slice(source, filled, &statics(&low), &statics(&sizes))
    };
    replace(ir, op, &[value]);
}

/// How many operations of each name a program has.
pub fn census(ir: &Ir) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for op in ir.walk(ir.funcs()[0]) {
        *found.entry(ir.name(op).to_owned()).or_insert(0) += 1;
    }
    found
}
