//! Where complex numbers come from and go to: arguments, results, calls, globals, and constants.

use raddle_ir::interface::{Interface, Slot};
use raddle_ir::views::Mixed;
use raddle_ir::{Attr, BlockId, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};

use super::{Pair, Split, is_complex, refuse};
use crate::structured::generalize::{loop_index, made};

/// Bytes of a global whose data is one number, at most, when both of its parts are written out.
const PAIRS_BYTES_MAX: usize = 1 << 26;

impl Split {
    /// Arguments of complex type bring both parts.
    pub(super) fn arguments(&mut self, ir: &mut Ir, func: OpId, entry: BlockId) -> Result<(), Diag> {
        let complex: Vec<ValueId> = ir.args(entry).iter().copied().filter(|&arg| is_complex(ir, arg)).collect();
        let Some(first) = ir.first_op(entry) else { return Ok(()) };
        // The interface says what the types are until then.
        let interface = Interface::of(ir, func)?;
        if let Some(mut interface) = interface {
            let (inputs, results) = ir.signature(func);
            let is_wide = |types: &[TypeId]| types.iter().map(|&ty| ir.complex_part(ty).is_some()).collect::<Vec<_>>();
            let wide = [is_wide(inputs), is_wide(results)].concat();
            let slots = interface.arguments.iter_mut().chain(&mut interface.results);
            for (slot, _) in slots.zip(wide).filter(|(_, wide)| *wide) {
                if let Slot::Binding { extents, .. } = slot {
                    extents.results.push(Expr::Const(2));
                }
            }
            interface.write(ir, func);
        }
        for arg in complex {
            let ty = outside(ir, ir.type_of(arg));
            // The argument's own uses are those of a value that is no more.
            let builder = &mut Builder::before(ir, first);
            let old = builder.ir.type_of(arg);
            let stand_in = builder.value(Opcode::UbPoison, &[], old, &[]);
            builder.ir.replace_uses(arg, stand_in);
            builder.ir.set_type(arg, ty);
            let pair = parts_of(builder, arg, old);
            self.old.extend(builder.ir.def_op(stand_in));
            self.parts.insert(stand_in, pair);
            self.whole.insert(stand_in, arg);
        }
        Ok(())
    }

    /// A tensor with both parts of a value.
    pub(super) fn joined(&self, builder: &mut Builder<'_>, value: ValueId) -> ValueId {
        self.whole.get(&value).copied().unwrap_or_else(|| join(builder, self.pair(value)))
    }

    /// Floats in a last dimension of two that are read as complex numbers, or the other way: the parts lie as they do
    /// outside of a function.
    pub(super) fn bitcast(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let [from, to] = [source, result].map(|value| ir.type_of(value));
        let (gives, takes) = (is_complex(ir, result), is_complex(ir, source));
        let builder = &mut Builder::before(ir, op);
        if gives && !takes && outside(builder.ir, to) == from {
            let pair = parts_of(builder, source, to);
            self.parts.insert(result, pair);
            self.whole.insert(result, source);
        } else if takes && !gives && outside(builder.ir, from) == to {
            let whole = self.joined(builder, source);
            ir.replace_uses(result, whole);
        } else {
            return Err(refuse(ir, op));
        }
        Ok(())
    }

    pub(super) fn constant(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        let result = ir.result(op, 0);
        let ty = ir.type_of(result);
        let part = ir.complex_part(ty).expect("the result is complex");
        let value = ir.attr(op, "value").cloned();
        let values: [Attr; 2] = match value {
            Some(Attr::Array(parts)) if parts.len() == 2 => [ir[parts[0]].clone(), ir[parts[1]].clone()],
            Some(Attr::Dense { ty, splat, bytes }) => {
                let Type::Float(float) = ir[part] else { return Err(refuse(ir, op)) };
                let size = float.bits().div_ceil(8) as usize;
                let ty = ir.with_elem(ty, part);
                [0, 1].map(|which| {
                    let of = |number: &[u8]| number[which * size..(which + 1) * size].to_vec();
                    let bytes: Vec<u8> = bytes.chunks_exact(2 * size).flat_map(of).collect();
                    Attr::Dense { ty, splat, bytes }
                })
            }
            _ => return Err(refuse(ir, op)),
        };
        let ty = ir.with_elem(ty, part);
        let opcode = if ir.opcode(op) == Opcode::ComplexConstant { Opcode::ArithConstant } else { ir.opcode(op) };
        let pair = values.map(|value| {
            let value = ir.intern(value);
            Builder::before(ir, op).value(opcode, &[], ty, &[("value", value)])
        });
        self.parts.insert(result, pair);
        Ok(())
    }

    /// Functions that are called take and give tensors of both parts.
    pub(super) fn call(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        let mut operands = Vec::new();
        for value in ir.operands(op).to_vec() {
            let complex = is_complex(ir, value);
            operands.push(if complex { self.joined(&mut Builder::before(ir, op), value) } else { value });
        }
        self.replaced(ir, op, &operands);
        Ok(())
    }

    /// Globals hold tensors of both parts.
    pub(super) fn global(&mut self, ir: &mut Ir, op: OpId) -> Result<(), Diag> {
        let name = match ir.attr(op, "global") {
            Some(Attr::Symbol(path)) => path.last().map(|&name| ir[name].to_owned()).unwrap_or_default(),
            _ => return Err(refuse(ir, op)),
        };
        let mut ops = ir.block_ops(ir.module_block());
        let global = ops.find(|&op| ir.opcode(op) == Opcode::UtilGlobal && ir.symbol_name(op) == Some(&name));
        drop(ops);
        let global = global.ok_or_else(|| refuse(ir, op))?;
        if let Some(&Attr::Type(ty)) = ir.attr(global, "type")
            && ir.complex_part(ty).is_some()
        {
            let new = outside(ir, ty);
            let attr = ir.intern(Attr::Type(new));
            ir.set_attr(global, "type", attr);
            match ir.attr(global, "initial_value").cloned() {
                None => {}
                Some(Attr::Dense { splat, bytes, .. }) => {
                    // Two parts in turn are not one number that is everywhere.
                    let shape = if splat { ir[ty].shape().unwrap_or_default() } else { &[] };
                    let n = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
                    let n = n.filter(|n| n.saturating_mul(bytes.len()) <= PAIRS_BYTES_MAX).ok_or_else(|| {
                        let message = format!("`@{name}` has too many numbers to write out their parts");
                        Diag::error(Code::TooLarge, ir.span(global), message).help(
                            "fill a tensor where it is used: `%0 = linalg.fill ins(%z : …) outs(%empty : …) -> …`",
                        )
                    })?;
                    let bytes = bytes.repeat(n);
                    let value = ir.intern(Attr::Dense { ty: new, splat: false, bytes });
                    ir.set_attr(global, "initial_value", value);
                }
                Some(_) => return Err(refuse(ir, global)),
            }
        }
        let operands = ir.operands(op).to_vec();
        let operands: Vec<ValueId> =
            operands.into_iter().map(|value| self.joined(&mut Builder::before(ir, op), value)).collect();
        self.replaced(ir, op, &operands);
        Ok(())
    }

    /// The same operation, of these operands, whose complex results are tensors of both parts.
    fn replaced(&mut self, ir: &mut Ir, op: OpId, operands: &[ValueId]) {
        let old: Vec<TypeId> = ir.results(op).map(|result| ir.type_of(result)).collect();
        let types: Vec<TypeId> = old.iter().map(|&ty| outside(ir, ty)).collect();
        let (name, attrs, span) = (ir.name(op).to_owned(), ir.attr_dict(op), ir.span(op));
        let new = ir.create_named(&name, operands, &types, attrs, span);
        ir.insert_before(op, new);
        for (at, (result, old)) in ir.results(op).zip(old).enumerate().collect::<Vec<_>>() {
            let value = ir.result(new, at);
            if is_complex(ir, result) {
                let pair = parts_of(&mut Builder::before(ir, op), value, old);
                self.parts.insert(result, pair);
                self.whole.insert(result, value);
            } else {
                ir.replace_uses(result, value);
            }
        }
    }
}

/// The signature of a function is what its arguments are and what it returns.
pub(super) fn sign(ir: &mut Ir, func: OpId, entry: BlockId) {
    let inputs: Vec<TypeId> = ir.args(entry).iter().map(|&arg| ir.type_of(arg)).collect();
    let results: Vec<TypeId> = ir.signature(func).1.to_vec();
    let results: Vec<TypeId> = results.into_iter().map(|ty| outside(ir, ty)).collect();
    ir.set_signature(func, &inputs, &results);
}

/// The type that a value has outside.
fn outside(ir: &mut Ir, ty: TypeId) -> TypeId {
    let Some(part) = ir.complex_part(ty) else { return ty };
    let shape = [ir[ty].shape().unwrap_or(&[]), &[2]].concat();
    ir.tensor_type(&shape, part)
}

/// Both parts of a tensor that has them in its last dimension; the value was of type `ty`.
pub(super) fn parts_of(builder: &mut Builder<'_>, whole: ValueId, ty: TypeId) -> Pair {
    let part = builder.ir.complex_part(ty).expect("the type is complex");
    let ty = builder.ir.with_elem(ty, part);
    if ty == part {
        return [0, 1].map(|which| {
            let at = builder.index(which);
            builder.value(Opcode::TensorExtract, &[whole, at], part, &[])
        });
    }
    let mut sizes = builder.extents(whole);
    let last = sizes.len() - 1;
    sizes[last] = Mixed::Static(1);
    [0, 1].map(|which| {
        let mut offsets = vec![Mixed::Static(0); last + 1];
        offsets[last] = Mixed::Static(which);
        let slice = builder.extract_slice(whole, &offsets, &sizes);
        builder.ir.set_type(slice, ty);
        slice
    })
}

/// A tensor with both parts in its last dimension.
fn join(builder: &mut Builder<'_>, [re, im]: Pair) -> ValueId {
    let elem = builder.ir.elem_of(re);
    if !builder.ir.ty(re).is_tensor() {
        let ty = builder.ir.tensor_type(&[2], elem);
        return builder.value(Opcode::TensorFromElements, &[re, im], ty, &[]);
    }
    let sizes = [builder.extents(re), vec![Mixed::Static(2)]].concat();
    let map = Map::of_dims(sizes.len(), &(0..sizes.len() - 1).collect::<Vec<_>>());
    interleaved(builder, [re, im], &map, &sizes)
}

/// A tensor of these extents with both parts in its last dimension; the map says where an element comes from.
pub(super) fn interleaved(builder: &mut Builder<'_>, [re, im]: Pair, map: &Map, sizes: &[Mixed]) -> ValueId {
    let elem = builder.ir.elem_of(re);
    made(builder, &[(re, map.clone()), (im, map.clone())], sizes, elem, |body, args| {
        let part = loop_index(body, sizes.len() - 1);
        let is_real = is_index(body, part, 0);
        body.value(Opcode::ArithSelect, &[is_real, args[0], args[1]], elem, &[])
    })
}

/// Whether an index is a number.
pub(super) fn is_index(body: &mut Builder<'_>, index: ValueId, number: i64) -> ValueId {
    let number = body.index(number);
    same(body, index, number)
}

/// Whether two indices are equal.
pub(super) fn same(body: &mut Builder<'_>, a: ValueId, b: ValueId) -> ValueId {
    let (bit, eq) = (body.ir.int_type(1), body.ir.i64_attr(0));
    body.value(Opcode::ArithCmpi, &[a, b], bit, &[("predicate", eq)])
}
