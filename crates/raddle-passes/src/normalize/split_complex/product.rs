//! A sum of complex products as one product of real matrices.
//!
//! With `c` and `p` for the parts, `C[m, n, p]` is the sum over `k` and `c` of `A[m, k, c] * W[k, c, n, p]`, where
//! `W[k, c, n, p]` is the entry `c, p` of `[[re, im], [-im, re]]` of `B[k, n]`. `A` is read and `C` is written as they lie
//! outside of functions, and each loop over parts is the innermost of its operand, so that it is a product of a matrix of
//! `2 k` columns with one of `2 k` rows and `2 n` columns. `W` goes through memory.

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, AttrId, Builder, Ir, Map, OpId, Opcode, TypeId, ValueId};

use super::Split;
use super::boundary::{interleaved, is_index, parts_of, same};
use crate::structured::body::yield_of;
use crate::structured::fill;
use crate::structured::generalize::{body_of, generic, loop_index, made};

/// `C += A * B` of complex numbers.
pub(super) struct Product {
    lhs: Factor,
    rhs: Factor,
    /// What the sum begins with.
    init: ValueId,
    /// The loops of A, B and C; of A and C; of B and C; of A and B. A result runs along the first three, in this order.
    batch: Vec<usize>,
    m: Vec<usize>,
    n: Vec<usize>,
    k: Vec<usize>,
    extents: Vec<i64>,
}

/// A factor, and the loop that each of its dimensions goes along.
#[derive(Clone)]
struct Factor {
    value: ValueId,
    dims: Vec<usize>,
    conjugated: bool,
}

impl Product {
    /// Takes an operation apart; `None` where it is not such a product, or one of unknown extents.
    pub(super) fn of(ir: &Ir, op: OpId) -> Option<Product> {
        let linalg = Linalg::try_of(ir, op)?;
        let ([_, _], [init]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
        let extents = linalg.extents(ir);
        let dims = linalg.maps.iter().map(Map::as_dims).collect::<Option<Vec<_>>>()?;
        let values = linalg.inputs.iter().chain(&linalg.outputs);
        // Loops are joined and twice as long.
        extents.iter().try_fold(4i64, |n, &extent| n.checked_mul(extent))?;
        if extents.iter().any(|&extent| extent <= 0) || values.into_iter().any(|&value| !super::is_complex(ir, value)) {
            return None;
        }
        let args = ir.args(ir.entry(op));
        let [found] = *ir.operands(yield_of(ir, op)) else { return None };
        let binary = |value: ValueId, opcode: Opcode| -> Option<[ValueId; 2]> {
            let op = ir.def_op(value).filter(|&op| ir.opcode(op) == opcode)?;
            ir.operands(op).try_into().ok()
        };
        let [a, b] = binary(found, Opcode::ComplexAdd)?;
        let term = if a == args[2] { b } else { a };
        if (a == args[2]) == (b == args[2]) {
            return None;
        }
        let factor = |value: ValueId| {
            let plain = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ComplexConj).map(|op| ir.operand(op, 0));
            let at = args[..2].iter().position(|&arg| arg == plain.unwrap_or(value))?;
            Some((at, Factor { value: linalg.inputs[at], dims: dims[at].clone(), conjugated: plain.is_some() }))
        };
        let [x, y] = binary(term, Opcode::ComplexMul)?;
        let ((first, x), (second, y)) = (factor(x)?, factor(y)?);
        if first == second {
            return None;
        }
        [(x.clone(), y.clone()), (y, x)].into_iter().find_map(|(lhs, rhs)| {
            let out = &dims[2];
            let (mut batch, mut m, mut n, mut k) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for d in out.iter().copied().chain((0..extents.len()).filter(|d| !out.contains(d))) {
                match (lhs.dims.contains(&d), rhs.dims.contains(&d), out.contains(&d)) {
                    (true, true, true) => batch.push(d),
                    (true, false, true) => m.push(d),
                    (false, true, true) => n.push(d),
                    (true, true, false) => k.push(d),
                    _ => return None,
                }
            }
            // Along k as the left factor is, so that it may be read as it lies.
            k.sort_by_cached_key(|d| lhs.dims.iter().take_while(|other| *other != d).count());
            let fits = *out == [&batch[..], &m, &n].concat() && !k.is_empty();
            let init = *init;
            fits.then(|| Product { lhs, rhs, init, batch, m, n, k, extents: extents.clone() })
        })
    }

    fn extent(&self, dims: &[usize]) -> i64 {
        dims.iter().map(|&d| self.extents[d]).product()
    }

    fn sizes(&self, dims: &[usize]) -> Vec<Mixed> {
        dims.iter().map(|&d| Mixed::Static(self.extents[d])).collect()
    }
}

impl Split {
    /// Writes a sum of products as a product of real matrices.
    pub(super) fn product(&mut self, ir: &mut Ir, op: OpId, product: &Product) {
        let Product { lhs, init, batch, m, n, k, .. } = product;
        let result = ir.result(op, 0);
        let old = ir.type_of(result);
        let elem = ir.complex_part(old).expect("the result is complex");
        let builder = &mut Builder::before(ir, op);
        let groups = |lists: &[(&[usize], usize)]| -> Vec<(i64, usize)> {
            let group = |&(dims, parts): &(&[usize], usize)| (product.extent(dims) << parts, dims.len() + parts);
            lists.iter().map(group).filter(|group| group.1 > 0).collect()
        };
        let [batch, m, n, k] = [batch, m, n, k].map(|dims| &dims[..]);

        let order = [batch, m, k].concat();
        let a = match self.whole.get(&lhs.value) {
            Some(&whole) if lhs.dims == order => whole,
            _ => {
                let sizes = [product.sizes(&order), vec![Mixed::Static(2)]].concat();
                let map = through(&order, &lhs.dims, order.len() + 1, &|at| at);
                interleaved(builder, self.pair(lhs.value), &map, &sizes)
            }
        };
        let a = collapsed(builder, a, &groups(&[(batch, 0), (m, 0), (k, 1)]));
        let w = self.matrix(builder, product, elem);
        let w = collapsed(builder, w, &groups(&[(batch, 0), (k, 1), (n, 1)]));

        let out = groups(&[(batch, 0), (m, 0), (n, 1)]);
        let shape: Vec<i64> = out.iter().map(|group| group.0).collect();
        let ty = builder.ir.tensor_type(&shape, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let zero = builder.float(0.0, elem);
        let zeros = fill(builder, zero, empty);
        let (rank, n_batch) = (shape.len() + 1, usize::from(!batch.is_empty()));
        let parallel: Vec<usize> = (0..rank - 2).collect();
        let maps = vec![
            Map::of_dims(rank, &[&parallel[..], &[rank - 1]].concat()),
            Map::of_dims(rank, &[&parallel[..n_batch], &[rank - 1, rank - 2]].concat()),
            Map::of_dims(rank, &[&parallel[..], &[rank - 2]].concat()),
        ];
        let reduction = (0..rank).map(|d| d == rank - 1).collect();
        let linalg = Linalg { inputs: vec![a, w], outputs: vec![zeros], maps, reduction };
        let sum = generic(builder, &linalg, &[]);
        body_of(builder, sum, &[elem; 3], |body, args| {
            let term = body.binary(Opcode::ArithMulf, args[0], args[1]);
            vec![body.binary(Opcode::ArithAddf, args[2], term)]
        });
        let sum = builder.ir.result(sum, 0);
        let sizes = [product.sizes(&[batch, m, n].concat()), vec![Mixed::Static(2)]].concat();
        let sum = expanded(builder, sum, &out, &sizes);
        let sum = if is_zero(builder.ir, *init) {
            sum
        } else {
            let before = self.joined(builder, *init);
            let identity = Map::identity(sizes.len());
            made(builder, &[(sum, identity.clone()), (before, identity)], &sizes, elem, |body, args| {
                body.binary(Opcode::ArithAddf, args[0], args[1])
            })
        };
        let pair = parts_of(builder, sum, old);
        self.parts.insert(result, pair);
        self.whole.insert(result, sum);
    }

    /// The matrix of the right factor, along the batch, k, the part of A, n, and the part of C.
    fn matrix(&self, builder: &mut Builder<'_>, product: &Product, elem: TypeId) -> ValueId {
        let Product { lhs, rhs, batch, n, k, .. } = product;
        let order = [&batch[..], k, n].concat();
        let (of_a, of_c) = (batch.len() + k.len(), order.len() + 1);
        let two = [Mixed::Static(2)];
        let sizes = [&product.sizes(batch)[..], &product.sizes(k), &two, &product.sizes(n), &two].concat();
        let map = through(&order, &rhs.dims, sizes.len(), &|at| if at < of_a { at } else { at + 1 });
        let [re, im] = self.pair(rhs.value);
        made(builder, &[(re, map.clone()), (im, map)], &sizes, elem, |body, args| {
            let signed = |body: &mut Builder<'_>, value: ValueId, is_negative: bool| {
                if is_negative { body.value(Opcode::ArithNegf, &[value], elem, &[]) } else { value }
            };
            let (row, column) = (loop_index(body, of_a), loop_index(body, of_c));
            let (is_diagonal, is_first) = (same(body, row, column), is_index(body, row, 0));
            // With s and t for the signs of both imaginary parts: re, t im; -s t im, s re.
            let last = signed(body, args[0], lhs.conjugated);
            let above = signed(body, args[1], rhs.conjugated);
            let below = signed(body, args[1], lhs.conjugated == rhs.conjugated);
            let diagonal = body.value(Opcode::ArithSelect, &[is_first, args[0], last], elem, &[]);
            let other = body.value(Opcode::ArithSelect, &[is_first, above, below], elem, &[]);
            body.value(Opcode::ArithSelect, &[is_diagonal, diagonal, other], elem, &[])
        })
    }
}

/// The map of a factor whose dimensions go along `dims`, from loops of which number `place(i)` is `order[i]`.
fn through(order: &[usize], dims: &[usize], rank: usize, place: &dyn Fn(usize) -> usize) -> Map {
    let at = |d: &usize| order.iter().position(|other| other == d).expect("a factor has no other loops");
    Map::of_dims(rank, &dims.iter().map(|d| place(at(d))).collect::<Vec<_>>())
}

/// Whether a tensor is filled with zeros.
fn is_zero(ir: &Ir, value: ValueId) -> bool {
    let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::LinalgFill) else { return false };
    let constant = ir.def_op(ir.operand(op, 0)).and_then(|op| ir.attr(op, "value"));
    let Some(Attr::Array(parts)) = constant else { return false };
    // A sum is never -0 but where all its terms are.
    parts.iter().all(|&part| ir[part].as_f64() == Some(0.0))
}

/// Runs of dimensions as one each; a group has the extent of all, and their number.
fn collapsed(builder: &mut Builder<'_>, value: ValueId, groups: &[(i64, usize)]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let shape: Vec<i64> = groups.iter().map(|group| group.0).collect();
    let ty = builder.ir.tensor_type(&shape, elem);
    let reassociation = reassociation(builder.ir, groups);
    builder.value(Opcode::TensorCollapseShape, &[value], ty, &[("reassociation", reassociation)])
}

fn expanded(builder: &mut Builder<'_>, value: ValueId, groups: &[(i64, usize)], sizes: &[Mixed]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let shape = raddle_ir::views::unmixed(sizes).0;
    let ty = builder.ir.tensor_type(&shape, elem);
    let attrs =
        [("reassociation", reassociation(builder.ir, groups)), ("static_output_shape", builder.ir.dense_i64(&shape))];
    builder.value(Opcode::TensorExpandShape, &[value], ty, &attrs)
}

fn reassociation(ir: &mut Ir, groups: &[(i64, usize)]) -> AttrId {
    ir.reassociation(&groups.iter().map(|group| group.1 as i64).collect::<Vec<_>>())
}
