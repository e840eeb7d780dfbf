//! Code that several steps write, and what they ask of it: comparisons, conditions, thread numbers, shuffles, multiples.

use raddle_ir::{Attr, AttrId, Builder, Class, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};

pub mod edges;
pub mod extents;
pub mod sparse;

/// `eq`, `slt` and `ult` in MLIR's numbering of predicates.
pub const EQUAL: i64 = 0;
pub const LESS: i64 = 2;
pub const BELOW: i64 = 6;

/// `oeq` and `uno`, as `arith.cmpf` numbers them.
pub const ORDERED_EQUAL: i64 = 1;
pub const UNORDERED: i64 = 14;

/// The attribute of an `scf.if` whose second arm, where the condition holds, gives what the first one gives.
pub const SAME_IF_TRUE: &str = "raddle.same_if_true";

/// The attribute of an access that stands where all rows of its memory begin, and end, at multiples of the elements that one
/// access moves, as the run has found.
pub const WHOLE_ROWS: &str = "raddle.whole_rows";

/// The attribute of a write that stores whole lines of a large result, whose places in it are multiples of lines: where the
/// result begins at one, no cache keeps what is written. Emitters read it under the same name.
pub const WHOLE_LINES: &str = "raddle.whole_lines";

/// The attribute of a read of windows that says where its elements are in the memref that the windows are of: its offset,
/// sizes and strides in memory, and the places as a map of the dimensions that are read. Outside, there is padding.
pub const SOURCE: &str = "raddle.source";

/// That attribute, if the numbers are known.
pub fn source_attr(ir: &mut Ir, memref: ValueId, places: Map) -> Option<AttrId> {
    let Type::MemRef { shape, layout, .. } = ir.ty(memref).clone() else { return None };
    if shape.iter().skip(1).any(|&extent| extent == DYNAMIC) {
        return None;
    }
    let (offset, strides) = match layout.map(|layout| &ir[layout]) {
        None => (0, extents::row_major(&shape)),
        Some(Attr::Strided { offset, strides }) => (*offset, strides.clone()),
        Some(_) => return None,
    };
    if offset == DYNAMIC || strides.contains(&DYNAMIC) {
        return None;
    }
    let offset = ir.i64_attr(offset);
    let (sizes, strides) = (ir.dense_i64(&shape), ir.dense_i64(&strides));
    let places = ir.intern(Attr::Map(places));
    Some(ir.dict(&[("offset", offset), ("places", places), ("sizes", sizes), ("strides", strides)]))
}

/// What that attribute says.
pub struct Source {
    pub offset: i64,
    /// The first is [`DYNAMIC`] where only the run knows it.
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    pub places: Map,
}

impl Source {
    /// Of a read, if it says so of memory of so many dimensions as its places have.
    pub fn of(ir: &Ir, op: OpId) -> Option<Source> {
        let dict = ir.attr_id(op, SOURCE).filter(|&attr| matches!(ir[attr], Attr::Dict(_)))?;
        let ints = |name: &str| ir.ints(ir.dict_get(dict, name)?);
        let Attr::Map(places) = &ir[ir.dict_get(dict, "places")?] else { return None };
        let (sizes, strides, places) = (ints("sizes")?, ints("strides")?, places.clone());
        let offset = ir[ir.dict_get(dict, "offset")?].as_i64()?;
        let fits = sizes.len() == strides.len() && sizes.len() == places.results.len() && places.syms == 0;
        let is_known = |(d, &size): (usize, &i64)| size > 0 || d == 0 && size == DYNAMIC;
        (fits && sizes.iter().enumerate().all(is_known)).then_some(Source { offset, sizes, strides, places })
    }
}

/// `arith.cmpi` of two scalars, or of two vectors of the same shape.
pub fn compare(builder: &mut Builder<'_>, predicate: i64, lhs: ValueId, rhs: ValueId) -> ValueId {
    let bit = builder.ir.int_type(1);
    let ty = match builder.ir.ty(lhs).shape().map(<[i64]>::to_vec) {
        Some(shape) => builder.ir.vector_type(&shape, bit),
        None => bit,
    };
    let predicate = builder.ir.i64_attr(predicate);
    builder.value(Opcode::ArithCmpi, &[lhs, rhs], ty, &[("predicate", predicate)])
}

/// `arith.cmpf` of two scalars.
pub fn compare_floats(builder: &mut Builder<'_>, predicate: i64, lhs: ValueId, rhs: ValueId) -> ValueId {
    let (bit, predicate) = (builder.ir.int_type(1), builder.ir.i64_attr(predicate));
    builder.value(Opcode::ArithCmpf, &[lhs, rhs], bit, &[("predicate", predicate)])
}

/// `arith.select`
pub fn select(builder: &mut Builder<'_>, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
    let ty = builder.ir.type_of(yes);
    builder.value(Opcode::ArithSelect, &[condition, yes, no], ty, &[])
}

/// Whether a constant is a number of which no bit is set, as memory has it that is filled with zeros.
pub fn is_zero(constant: &Attr) -> bool {
    matches!(constant, Attr::Int { value: 0, .. } | Attr::Float { bits: 0, .. })
}

/// Whether a value is a constant of such numbers, one or a vector of them.
pub fn is_zeros(ir: &Ir, value: ValueId) -> bool {
    let constant = ir.def_op(value).filter(|&op| ir.class(op) == Class::Constant).and_then(|op| ir.attr(op, "value"));
    match constant {
        Some(Attr::Dense { bytes, .. }) => bytes.iter().all(|&byte| byte == 0),
        Some(constant) => is_zero(constant),
        None => false,
    }
}

/// `scf.if` without results and without an else.
pub fn when(builder: &mut Builder<'_>, condition: ValueId, body: impl FnOnce(&mut Builder<'_>)) {
    let op = builder.op(Opcode::ScfIf, &[condition], &[], &[]);
    arm(builder, op, body);
    builder.ir.add_region(op);
}

/// `scf.if` without results, with both arms.
pub fn branch(
    builder: &mut Builder<'_>,
    condition: ValueId,
    yes: impl FnOnce(&mut Builder<'_>),
    no: impl FnOnce(&mut Builder<'_>),
) {
    let op = builder.op(Opcode::ScfIf, &[condition], &[], &[]);
    arm(builder, op, yes);
    arm(builder, op, no);
}

fn arm(builder: &mut Builder<'_>, op: OpId, body: impl FnOnce(&mut Builder<'_>)) {
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &[]);
    let mut inner = Builder::at_end(builder.ir, block, builder.span);
    body(&mut inner);
    inner.op(Opcode::ScfYield, &[], &[], &[]);
}

/// The number of the thread in its workgroup: along x first, then y, then z.
pub fn thread_number(builder: &mut Builder<'_>, extents: [i64; 3]) -> ValueId {
    let dims: Vec<usize> = (0..3).rev().filter(|&dim| extents[dim] > 1).collect();
    let ids: Vec<ValueId> = dims.iter().map(|&dim| builder.gpu_id(Opcode::GpuThreadId, dim)).collect();
    match ids[..] {
        [] => builder.gpu_id(Opcode::GpuThreadId, 0),
        [id] => id,
        [..] => {
            let extents: Vec<i64> = dims.iter().map(|&dim| extents[dim]).collect();
            linearize(builder, &ids, &extents, true)
        }
    }
}

/// `affine.linearize_index [digits] by (extents)`
pub fn linearize(builder: &mut Builder<'_>, digits: &[ValueId], extents: &[i64], disjoint: bool) -> ValueId {
    let index = builder.ir.index_type();
    let mut attrs = vec![
        ("static_basis", builder.ir.dense_i64(extents)),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[digits.len(), 0])),
    ];
    if disjoint {
        attrs.push(("disjoint", builder.ir.intern(Attr::Unit)));
    }
    builder.value(Opcode::AffineLinearizeIndex, digits, index, &attrs)
}

/// Does `f` to a value in the type that travels between lanes: an index as an `i64`.
pub fn travelling(
    builder: &mut Builder<'_>,
    value: ValueId,
    f: impl FnOnce(&mut Builder<'_>, ValueId) -> ValueId,
) -> ValueId {
    let ty = builder.ir.type_of(value);
    if builder.ir[ty] != Type::Index {
        return f(builder, value);
    }
    let wide = builder.ir.int_type(64);
    let moved = builder.value(Opcode::ArithIndexCast, &[value], wide, &[]);
    let moved = f(builder, moved);
    builder.value(Opcode::ArithIndexCast, &[moved], ty, &[])
}

/// `gpu.shuffle`: the value of the lane that the `i32` `lane` and `mode` name. Narrow values travel as words.
pub fn shuffle(builder: &mut Builder<'_>, value: ValueId, lane: ValueId, width: i64, mode: &str) -> ValueId {
    let ty = builder.ir.type_of(value);
    let bits = match builder.ir[ty] {
        Type::Integer { width, .. } => width,
        Type::Float(float) => float.bits(),
        _ => 64,
    };
    if bits >= 32 {
        return travelling(builder, value, |builder, value| move_word(builder, value, lane, width, mode));
    }
    let (int, word) = (builder.ir.int_type(bits), builder.ir.int_type(32));
    let moved = cast(builder, value, int);
    let moved = builder.value(Opcode::ArithExtui, &[moved], word, &[]);
    let moved = move_word(builder, moved, lane, width, mode);
    let moved = builder.value(Opcode::ArithTrunci, &[moved], int, &[]);
    cast(builder, moved, ty)
}

/// The same bits in a type of the same width.
fn cast(builder: &mut Builder<'_>, value: ValueId, ty: TypeId) -> ValueId {
    if builder.ir.type_of(value) == ty { value } else { builder.value(Opcode::ArithBitcast, &[value], ty, &[]) }
}

fn move_word(builder: &mut Builder<'_>, value: ValueId, lane: ValueId, width: i64, mode: &str) -> ValueId {
    let (ty, word, bit) = (builder.ir.type_of(value), builder.ir.int_type(32), builder.ir.int_type(1));
    let width = builder.int(width, word);
    let mode = builder.keyword_attr("gpu.shuffle_mode", mode);
    let op = builder.op(Opcode::GpuShuffle, &[value, lane, width], &[ty, bit], &[("mode", mode)]);
    builder.ir.result(op, 0)
}

/// Whether an index is surely a multiple of a number.
pub fn is_multiple(ir: &Ir, index: ValueId, of: i64) -> bool {
    if let Some(value) = ir.const_int(index) {
        return value % of == 0;
    }
    match ir.def(index) {
        Def::Arg { block, index: 0 } => {
            let around = ir.region_parent(ir.block_region(block));
            ir.opcode(around) == Opcode::ScfFor
                && [0, 2].into_iter().all(|bound| is_multiple(ir, ir.operand(around, bound), of))
        }
        Def::Result { op, .. } => match ir.opcode(op) {
            Opcode::ArithMuli => ir.operands(op).iter().any(|&factor| is_multiple(ir, factor, of)),
            Opcode::ArithAddi => ir.operands(op).iter().all(|&term| is_multiple(ir, term, of)),
            Opcode::AffineApply | Opcode::AffineMin | Opcode::AffineMax => ir.map(op, "map").is_some_and(|map| {
                let operand = |at: u32| is_multiple(ir, ir.operand(op, at as usize), of);
                map.results.iter().all(|expr| is_multiple_expr(expr, of, map.dims, &operand))
            }),
            _ => false,
        },
        Def::Arg { .. } => false,
    }
}

/// The same of an expression of so many dimensions, and of symbols behind them, of each of which we can ask.
fn is_multiple_expr(expr: &Expr, of: i64, dims: u32, operand: &dyn Fn(u32) -> bool) -> bool {
    let inner = |expr: &Expr| is_multiple_expr(expr, of, dims, operand);
    match expr {
        Expr::Dim(d) => operand(*d),
        Expr::Sym(s) => operand(dims + s),
        Expr::Const(value) => value % of == 0,
        Expr::Add(a, b) | Expr::Mod(a, b) => inner(a) && inner(b),
        Expr::Mul(a, b) => inner(a) || inner(b),
        Expr::FloorDiv(..) | Expr::CeilDiv(..) => false,
    }
}

/// Whether each row of a memref, along its last dimension, surely begins at a multiple of a number of elements.
pub fn rows_begin_at(ir: &Ir, memref: ValueId, of: i64) -> bool {
    let Type::MemRef { shape, layout, .. } = ir.ty(memref) else { return false };
    let divides = |n: i64| n != DYNAMIC && n % of == 0;
    let Some(layout) = layout else {
        // All strides are multiples of a row's length.
        return of == 1 || shape.last().is_some_and(|&length| divides(length));
    };
    let Attr::Strided { offset, strides } = &ir[*layout] else { return of == 1 };
    // Windows overlap: neighbours along another dimension may be one element apart.
    let mut pitches = strides.iter().zip(shape).take(shape.len().saturating_sub(1)).filter(|(_, n)| **n != 1);
    let begins = match *offset {
        DYNAMIC => ir.reinterpreted_at(memref).is_some_and(|at| is_multiple(ir, at, of)),
        offset => offset % of == 0,
    };
    of == 1 || begins && pitches.all(|(&stride, _)| divides(stride))
}

/// Whether the rows of a memory follow one another, and only the run knows how long they are: whoever moves several
/// elements at once asks there whether rows begin at multiples of these ([`rows_divide`]).
pub fn has_open_rows(ir: &Ir, base: ValueId) -> bool {
    matches!(ir.ty(base), Type::MemRef { layout: None, shape, .. } if shape.len() > 1 && shape.last() == Some(&DYNAMIC))
}

/// Asks whether the length of rows is a multiple of a number of elements.
pub fn rows_divide(builder: &mut Builder<'_>, base: ValueId, of: i64) -> ValueId {
    let [last, of, zero] = [builder.ir.shape_of(base).len() as i64 - 1, of, 0].map(|n| builder.index(n));
    let index = builder.ir.index_type();
    let length = builder.value(Opcode::MemrefDim, &[base, last], index, &[]);
    let rest = builder.binary(Opcode::ArithRemui, length, of);
    compare(builder, EQUAL, rest, zero)
}
