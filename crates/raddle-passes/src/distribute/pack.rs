//! Pack layouts: each thread's part has one dimension for each digit that it counts through itself.
//!
//! Before: `%s = vector.shape_cast %v : vector<128xf16> to vector<4x32xf16>`, where `%v` has `((32, 4)) : ((1, 0))`
//! After:  `%s = vector.shape_cast %v : vector<4xf16> to vector<1x4xf16>`
//!
//! What only names elements anew, repeats them, or acts on each alone needs nothing but these dimensions. The program
//! around stays one of whole workgroups, with casts at the edges. What touches memory or moves elements between threads
//! has no rule here: on the pipeline, pack layouts that nest become nested ones before layouts are spread.

use raddle_ir::{Attr, Builder, Class, Code, Diag, Ir, OpId, Opcode, TypeId, ValueId};
use rustc_hash::FxHashMap;

use super::threads::Basis;
use crate::code::{linearize, thread_number};
use crate::config::Launch;
use crate::lay_out::{Pack, packs, permutation};

/// What the rules share.
struct Cx {
    packs: FxHashMap<ValueId, Pack>,
    /// One thread's part of each whole vector.
    parts: FxHashMap<ValueId, ValueId>,
    launch: Launch,
}

/// Distributes the operations of a function whose vectors have pack layouts.
pub fn distribute(ir: &mut Ir, func: OpId, launch: Launch) -> Result<(), Diag> {
    let mut cx = Cx { packs: packs(ir, func), parts: FxHashMap::default(), launch };
    let mut old = Vec::new();
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::FuncReturn {
            leave(ir, &mut cx, op)?;
        } else if ir.results(op).any(|value| cx.packs.contains_key(&value)) {
            operation(ir, &mut cx, op)?;
            old.push(op);
        } else if ir.results(op).chain(ir.operands(op).iter().copied()).any(|value| ir.ty(value).is_vector()) {
            return Err(refuse(ir, op, "it has no rule for pack layouts"));
        }
    }
    for op in old.into_iter().rev() {
        ir.erase(op);
    }
    Ok(())
}

fn refuse(ir: &Ir, op: OpId, why: &str) -> Diag {
    Diag::error(Code::CannotDistribute, ir.span(op), format!("`{}` cannot be distributed", ir.name(op)))
        .note(why)
        .help("anchor its vectors with `#iree_vector_ext.nested_layout`, which has rules for every operation")
}

/// The extents of what one thread counts through along each dimension; 1 where it counts through nothing.
fn counts(pack: &Pack) -> Vec<Vec<i64>> {
    let own = |digits: &Vec<(i64, i64)>| {
        let own: Vec<i64> = digits.iter().filter(|digit| digit.1 == 0).map(|digit| digit.0).collect();
        if own.is_empty() { vec![1] } else { own }
    };
    pack.digits().iter().map(own).collect()
}

impl Cx {
    fn pack(&self, ir: &Ir, op: OpId, value: ValueId) -> Result<&Pack, Diag> {
        self.packs.get(&value).ok_or_else(|| refuse(ir, op, "one of its vectors has no pack layout"))
    }

    fn part_type(&self, ir: &mut Ir, op: OpId, value: ValueId) -> Result<TypeId, Diag> {
        let shape = counts(self.pack(ir, op, value)?).concat();
        let elem = ir.elem_of(value);
        Ok(ir.vector_type(&shape, elem))
    }

    /// One thread's part: what was made of it, or a cast where it comes in.
    fn part(&mut self, builder: &mut Builder<'_>, op: OpId, value: ValueId) -> Result<ValueId, Diag> {
        if !builder.ir.ty(value).is_vector() {
            return Ok(value);
        }
        if let Some(&part) = self.parts.get(&value) {
            return Ok(part);
        }
        let ty = self.part_type(builder.ir, op, value)?;
        let part = builder.value(Opcode::IreeVectorExtToSimt, &[value], ty, &[]);
        self.parts.insert(value, part);
        Ok(part)
    }
}

fn leave(ir: &mut Ir, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    for i in 0..ir.operands(op).len() {
        let value = ir.operand(op, i);
        if cx.packs.contains_key(&value) {
            let mut builder = Builder::before(ir, op);
            let part = cx.part(&mut builder, op, value)?;
            let ty = builder.ir.type_of(value);
            let whole = builder.value(Opcode::IreeVectorExtToSimd, &[part], ty, &[]);
            ir.set_operand(op, i, whole);
        }
    }
    Ok(())
}

fn operation(ir: &mut Ir, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let result = ir.result(op, 0);
    let (class, opcode) = (ir.class(op), ir.opcode(op));
    let ty = cx.part_type(ir, op, result)?;
    let pack = cx.pack(ir, op, result)?.clone();
    let mut builder = Builder::before(ir, op);
    let operands = builder.ir.operands(op).to_vec();
    let mut parts = Vec::new();
    for &operand in &operands {
        parts.push(cx.part(&mut builder, op, operand)?);
    }
    let vectors: Vec<&Pack> = operands.iter().filter_map(|operand| cx.packs.get(operand)).collect();
    let same = vectors.iter().all(|other| **other == pack);
    let new = match class {
        Class::Layout if opcode == Opcode::IreeVectorExtToLayout && same => parts[0],
        Class::Layout => return Err(refuse(builder.ir, op, "it moves elements between threads")),
        Class::Elementwise if same && builder.ir.results(op).len() == 1 => {
            let attrs = builder.ir.attr_dict(op);
            let copy = builder.ir.create_with(opcode, &parts, &[ty], attrs, builder.span);
            builder.place(copy);
            builder.ir.result(copy, 0)
        }
        Class::Constant => match (opcode, builder.ir.attr(op, "value").cloned()) {
            (Opcode::VectorStep, _) => step(&mut builder, op, &pack, ty, cx.launch)?,
            (_, Some(Attr::Dense { splat: true, bytes, .. })) => {
                builder.constant(Attr::Dense { ty, splat: true, bytes }, ty)
            }
            _ => return Err(refuse(builder.ir, op, "its elements follow no rule")),
        },
        Class::Broadcast => {
            let inner = vectors.first().map_or(&[][..], |source| source.digits());
            if !pack.digits().ends_with(inner) {
                return Err(refuse(builder.ir, op, "its operand lies in other threads than its result"));
            }
            builder.broadcast(parts[0], ty)
        }
        Class::Transpose => {
            let groups = counts(vectors[0]);
            let first = |d: usize| groups[..d].iter().map(Vec::len).sum::<usize>();
            let perm = permutation(builder.ir, op);
            let perm: Vec<usize> =
                perm.into_iter().flat_map(|d| (0..groups[d].len()).map(move |i| first(d) + i)).collect();
            builder.transpose(parts[0], &perm)
        }
        Class::Reshape if vectors[0].reshape(&pack.shape()).as_ref() == Some(&pack) => {
            let shape = builder.ir[ty].shape().unwrap_or_default().to_vec();
            builder.shape_cast(parts[0], &shape)
        }
        _ => return Err(refuse(builder.ir, op, "it has no rule for pack layouts")),
    };
    cx.parts.insert(result, new);
    Ok(())
}

/// `vector.step`: what the thread's own digits count, plus the place of the thread.
fn step(builder: &mut Builder<'_>, op: OpId, pack: &Pack, ty: TypeId, launch: Launch) -> Result<ValueId, Diag> {
    let [digits] = pack.digits() else {
        return Err(refuse(builder.ir, op, "it has one dimension, and its layout has more"));
    };
    let index = builder.ir.index_type();
    let mut numbers = vec![0];
    let mut weight = digits.iter().map(|digit| digit.0).product::<i64>();
    for &(extent, stride) in digits {
        weight /= extent;
        if stride == 0 {
            numbers = numbers.iter().flat_map(|&number| (0..extent).map(move |i| number + i * weight)).collect();
        }
    }
    let bytes = numbers
        .into_iter()
        .flat_map(|number| builder.ir.elem_bytes(&Attr::Int { value: i128::from(number), ty: index }))
        .collect();
    let shared = builder.constant(Attr::Dense { ty, splat: false, bytes }, ty);
    let tiles: Vec<[i64; 2]> = digits.iter().map(|&(extent, stride)| [extent, stride]).collect();
    let basis = Basis::of(&tiles).map_err(|why| refuse(builder.ir, op, &why))?;
    if basis.extents.is_empty() {
        return Ok(shared);
    }
    let thread = thread_number(builder, launch.extents);
    let types = vec![index; basis.extents.len() + 1];
    let attr = builder.ir.dense_i64(&basis.extents);
    let split = builder.op(Opcode::AffineDelinearizeIndex, &[thread], &types, &[("static_basis", attr)]);
    let first = basis.places.iter().position(Option::is_some).expect("some digit is the thread's");
    let values: Vec<ValueId> = (first..digits.len())
        .map(|i| match basis.places[i] {
            Some(place) => builder.ir.result(split, 1 + place),
            None => builder.index(0),
        })
        .collect();
    let extents: Vec<i64> = digits[first..].iter().map(|digit| digit.0).collect();
    let place = if let [value] = values[..] { value } else { linearize(builder, &values, &extents, true) };
    let place = builder.broadcast(place, ty);
    Ok(builder.binary(Opcode::ArithAddi, place, shared))
}
