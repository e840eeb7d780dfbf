//! The best elements of lines, best first: `iree_linalg_ext.topk` and `topk_v2`.
//!
//! They mean that each element is put in front of the first one of the list so far that it is to precede, and that the
//! last one of the list then falls out. Where the comparator orders the elements (`order.rs`), and the list begins with
//! equal ones, that is: those that precede what the list begins with, in their order, and then what it begins with.
//!
//! So a team of threads finds them in rounds (`rounds.rs`).
//!
//! A list that begins otherwise, which is seen when the kernel runs, is made again by one thread, element after element,
//! as it is for comparators that are not orders.

use raddle_ir::{Attr, Builder, DYNAMIC, Diag, Ir, OpId, Opcode, Scalar, Type, ValueId};

use super::lines::{dimension, each_line, lengths, with};
use super::rounds::{self, Rounds};
use super::rules::{element, region};
use super::teams::{self, Exchange, Size, Team, Together};
use super::{Cx, code, extents, load, order, refuse, store};

/// What is computed, and where it goes.
struct Best {
    op: OpId,
    dim: usize,
    values: ValueId,
    /// The number of each element, if it is not its place.
    indices: Option<ValueId>,
    /// What the lists begin with: values, and places if these are asked for.
    inits: Vec<ValueId>,
    into: Vec<ValueId>,
}

/// `iree_linalg_ext.topk`
pub(super) fn topk(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, into: &[ValueId]) -> Result<(), Diag> {
    let operands = b.ir.operands(op).to_vec();
    let parts: Vec<Vec<ValueId>> = b.ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let (values, indices, inits) = match (&parts[..], &operands[..]) {
        ([values, indices, out, out_at], _) => (values[0], indices.first().copied(), [&out[..], &out_at[..]].concat()),
        (_, &[values, out, out_at]) => (values, None, vec![out, out_at]),
        (_, &[values, indices, out, out_at]) => (values, Some(indices), vec![out, out_at]),
        _ => return Err(refuse(b.ir, op, "it has another number of operands")),
    };
    if inits.len() != into.len() {
        return Err(refuse(b.ir, op, "it has another number of results than outputs"));
    }
    let dim = dimension(b.ir, op, b.ir.shape_of(values).len())?;
    let best = Best { op, dim, values, indices, inits, into: into.to_vec() };
    let ordered = order::of(b.ir, op).is_some();
    let travels = Scalar::of(&b.ir[b.ir.elem_of(values)]).is_some_and(|scalar| scalar.bits() >= 8);
    let n = Some(b.ir.shape_of(values)[dim]).filter(|&n| n != DYNAMIC);
    let lines = lengths(b.ir, op).and_then(|(_, lines)| lines);
    match Size::of(cx, n).filter(|_| ordered && travels) {
        Some(size) => best.by_teams(cx, b, rounds::enough(size, n, lines)),
        None => {
            if !ordered {
                cx.note_alone(b.ir, op, order::NONE);
            }
            each_line(cx, b, values, dim, |cx, b, at, _| {
                let sorted = if ordered { Some(best.begin(cx, b, at)?.alike) } else { None };
                best.in_order(cx, b, at, sorted)
            })
        }
    }
}

/// What a list begins with.
struct Begin {
    /// The first element of the list, and its place.
    first: Vec<ValueId>,
    /// Whether all of the list are the same.
    alike: ValueId,
    /// Whether that is known.
    is_known: bool,
}

/// Whether all elements of a tensor are the same, as far as the operation that makes it says.
fn is_splat(ir: &Ir, value: ValueId) -> bool {
    let Some(op) = ir.def_op(value) else { return false };
    match ir.opcode(op) {
        Opcode::TensorSplat | Opcode::TensorEmpty => true,
        Opcode::LinalgFill => !ir.ty(ir.operand(op, 0)).is_tensor(),
        Opcode::ArithConstant => matches!(ir.attr(op, "value"), Some(Attr::Dense { splat: true, .. })),
        Opcode::TensorCast => is_splat(ir, ir.operand(op, 0)),
        _ => false,
    }
}

/// The bits of a number, to compare them.
fn bits(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    let Type::Float(float) = *b.ir.ty(value) else { return value };
    let ty = b.ir.int_type(float.bits());
    b.value(Opcode::ArithBitcast, &[value], ty, &[])
}

impl Best {
    /// The number of elements of a line, and of its list.
    fn lengths(&self, cx: &Cx, b: &mut Builder<'_>) -> Result<[ValueId; 2], Diag> {
        Ok([extents::extent(cx, b, self.values, self.dim)?, extents::extent(cx, b, self.inits[0], self.dim)?])
    }

    fn begin(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId]) -> Result<Begin, Diag> {
        let [_, k] = self.lengths(cx, b)?;
        let (zero, one, bit) = (b.index(0), b.index(1), b.ir.int_type(1));
        let types: Vec<_> = self.inits.iter().map(|&init| b.ir.elem_of(init)).collect();
        let mut firsts = |cx: &mut Cx, b: &mut Builder<'_>| {
            self.inits
                .iter()
                .map(|&init| element(cx, b, init, &with(at, self.dim, zero)))
                .collect::<Result<Vec<_>, _>>()
        };
        let first = if b.ir.shape_of(self.inits[0])[self.dim] == DYNAMIC {
            let is_there = code::less(b, zero, k);
            let mut none = |_: &mut Cx, b: &mut Builder<'_>| Ok(types.iter().map(|&ty| b.splat(0.0, ty)).collect());
            code::branch(cx, b, is_there, &types, &mut firsts, &mut none)?
        } else {
            firsts(cx, b)?
        };
        let yes = b.int(1, bit);
        if self.inits.iter().all(|&init| is_splat(b.ir, init)) {
            return Ok(Begin { first, alike: yes, is_known: true });
        }
        let alike = code::repeat(cx, b, [one, k], &[yes], |cx, b, i, alike| {
            let mut alike = alike[0];
            for (&init, &first) in self.inits.iter().zip(&first) {
                let next = element(cx, b, init, &with(at, self.dim, i))?;
                let (next, first) = (bits(b, next), bits(b, first));
                let equal = code::equal(b, next, first);
                alike = code::and(b, alike, equal);
            }
            Ok(vec![alike])
        })?;
        Ok(Begin { first, alike: alike[0], is_known: false })
    }

    /// One thread makes a list, element after element. Where `sorted` holds, an element that does not precede the last one
    /// of the list precedes none.
    fn in_order(&self, cx: &mut Cx, b: &mut Builder<'_>, at: &[ValueId], sorted: Option<ValueId>) -> Result<(), Diag> {
        let Best { op, dim, values, indices, ref inits, ref into } = *self;
        let (zero, one, bit) = (b.index(0), b.index(1), b.ir.int_type(1));
        let (no, yes) = (b.int(0, bit), b.int(1, bit));
        let [mut n, k] = self.lengths(cx, b)?;
        code::repeat(cx, b, [zero, k], &[], |cx, b, i, _| {
            let place = with(at, dim, i);
            for (&init, &memref) in inits.iter().zip(into) {
                let value = element(cx, b, init, &place)?;
                store(b, value, memref, &place);
            }
            Ok(Vec::new())
        })?;
        let last = code::sub(b, k, one);
        if sorted.is_some() {
            let is_list = code::less(b, zero, k);
            n = code::select(b, is_list, n, zero);
        }
        code::repeat(cx, b, [zero, n], &[], |cx, b, i, _| {
            let place = with(at, dim, i);
            let mut new = vec![element(cx, b, values, &place)?];
            let enters = match sorted {
                None => None,
                Some(sorted) => {
                    let last = load(b, into[0], &with(at, dim, last));
                    let precedes = region(cx, b, op, &[new[0], last], &[])?[0];
                    let unsorted = code::xor(b, sorted, yes);
                    Some(b.binary(Opcode::ArithOri, precedes, unsorted))
                }
            };
            code::when(cx, b, enters, &mut |cx, b| {
                if let Some(&memref) = into.get(1) {
                    let ty = b.ir.elem_of(memref);
                    new.push(match indices {
                        Some(indices) => element(cx, b, indices, &place)?,
                        None => code::from_index(b, i, ty),
                    });
                }
                // Once the element has found its place, each one behind it takes the next one's.
                let carried = [&[no][..], &new].concat();
                code::repeat(cx, b, [zero, k], &carried, |cx, b, j, carried| {
                    let place = with(at, dim, j);
                    let old: Vec<ValueId> = into.iter().map(|&memref| load(b, memref, &place)).collect();
                    let precedes = region(cx, b, op, &[carried[1], old[0]], &[])?[0];
                    let moves = b.binary(Opcode::ArithOri, carried[0], precedes);
                    let mut next = vec![moves];
                    for ((&new, &old), &memref) in carried[1..].iter().zip(&old).zip(into) {
                        let stays = code::select(b, moves, new, old);
                        store(b, stays, memref, &place);
                        next.push(code::select(b, moves, old, new));
                    }
                    Ok(next)
                })?;
                Ok(())
            })?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Teams have lines.
    fn by_teams(&self, cx: &mut Cx, b: &mut Builder<'_>, size: Size) -> Result<(), Diag> {
        let Best { dim, values, .. } = *self;
        let mut shape = b.ir.shape_of(values).to_vec();
        let mut extents = extents::of(cx, b, values)?;
        extents.remove(dim);
        let known = shape.remove(dim);
        let rounds = Rounds { op: self.op, dim, operands: vec![values], compared: 0, nobody: -1 };
        let word = rounds::word(b, known);
        let exchange = Exchange::of(b, size, &[b.ir.elem_of(values), word]);
        teams::deal(cx, b, self.op, size, Together::Team, &shape, &extents, |cx, b, team, at| {
            let [n, k] = self.lengths(cx, b)?;
            let begin = self.begin(cx, b, at)?;
            let (zero, none) = (b.index(0), b.int(rounds.nobody, word));
            let nobody = [begin.first[0], none];
            rounds.find(cx, b, team, &exchange, at, [zero, n, k], nobody, |cx, b, round, best| {
                self.put(cx, b, team, at, round, best, &begin)
            })?;
            exchange.end(b);
            if !begin.is_known {
                let (bit, stores) = (b.ir.int_type(1), team.stores(b));
                let yes = b.int(1, bit);
                let otherwise = code::xor(b, begin.alike, yes);
                let again = code::and(b, stores, otherwise);
                code::when(cx, b, Some(again), &mut |cx, b| self.in_order(cx, b, at, None))?;
            }
            Ok(())
        })
    }

    /// One thread of the team stores an element of the list.
    #[allow(clippy::too_many_arguments, reason = "what is stored, and where")]
    fn put(
        &self,
        cx: &mut Cx,
        b: &mut Builder<'_>,
        team: &Team,
        at: &[ValueId],
        round: ValueId,
        best: &[ValueId],
        begin: &Begin,
    ) -> Result<(), Diag> {
        let place = with(at, self.dim, round);
        let stores = team.stores(b);
        code::when(cx, b, Some(stores), &mut |cx, b| {
            store(b, best[0], self.into[0], &place);
            let Some(&memref) = self.into.get(1) else { return Ok(()) };
            let (ty, from) = (b.ir.elem_of(memref), code::to_index(b, best[1]));
            let zero = b.index(0);
            let is_none = code::less(b, from, zero);
            let number = match self.indices {
                None => code::from_index(b, from, ty),
                Some(indices) => {
                    let of = with(at, self.dim, from);
                    let mut begins = |_: &mut Cx, _: &mut Builder<'_>| Ok(vec![begin.first[1]]);
                    let mut found = |cx: &mut Cx, b: &mut Builder<'_>| Ok(vec![element(cx, b, indices, &of)?]);
                    code::branch(cx, b, is_none, &[ty], &mut begins, &mut found)?[0]
                }
            };
            let number = code::select(b, is_none, begin.first[1], number);
            store(b, number, memref, &place);
            Ok(())
        })
    }
}
