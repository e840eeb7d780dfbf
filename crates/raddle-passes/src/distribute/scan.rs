//! Scans: inside the thread, then across lanes, then across subgroups through shared memory.
//!
//! Along the dimension that is scanned, each thread holds chunks of neighbours, one for each batch and outer tile, and
//! the lanes of a tile follow one another. So a chunk is scanned inside the thread; what all chunks in front of it add up
//! to comes from a scan across the lanes and from the tiles before, and is combined into it. Subgroups leave what they
//! have added up in shared memory, where every thread reads what lies in front of it.
//!
//! Lanes that do not fill subgroups evenly, or reach beyond one, cannot scan with shuffles: there the dimension goes
//! through shared memory into threads that hold all of it, and back.

use std::sync::Arc;

use raddle_ir::affine::BinOp;
use raddle_ir::views::minor_identity;
use raddle_ir::{Attr, Builder, Diag, Expr, Map, OpId, Opcode, ValueId};
use raddle_layout::Nested;

use super::memory::Piece;
use super::{Cx, edges, elements, layout, memory, reduce, refuse, threads};
use crate::code;
use crate::structured::body::Combiner;

/// What a scan is made of.
struct Scan {
    /// The scanned dimension.
    dim: usize,
    inclusive: bool,
    combiner: Combiner,
    /// How the source lies, and so the result.
    layout: Arc<Nested>,
}

/// One thread's part of both results.
#[derive(Clone, Copy)]
struct Scanned {
    result: ValueId,
    /// The last partial result, without the scanned dimension.
    total: ValueId,
}

/// `vector.scan`
pub fn scan(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, init) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1));
    let scan = Scan {
        dim: builder.ir.attr(op, "reduction_dim").and_then(Attr::as_i64).unwrap_or(0) as usize,
        inclusive: matches!(builder.ir.attr(op, "inclusive"), Some(Attr::Bool(true))),
        combiner: reduce::combiner(builder, op, builder.ir.elem_of(source))?,
        layout: layout(builder.ir, op, source)?,
    };
    let part = cx.part(source);
    let lanes = scan.layout.thread_tile[scan.dim] * scan.layout.thread_strides[scan.dim].max(1);
    let scanned = if cx.launch.subgroup_size % lanes == 0 {
        scan.across(builder, cx, op, part, init)?
    } else {
        scan.gathered(builder, cx, op, part, init)?
    };
    for (i, value) in [scanned.result, scanned.total].into_iter().enumerate() {
        cx.map.set(builder.ir.result(op, i), value);
    }
    Ok(())
}

/// A slice of a vector with as many dimensions as it has.
fn slice(builder: &mut Builder<'_>, part: ValueId, offsets: &[i64], sizes: &[i64]) -> ValueId {
    let shape = builder.ir.shape_of(part).to_vec();
    if shape == sizes {
        return part;
    }
    // One position of the leading dimensions and all of the others: what lies together.
    let lead = sizes.iter().take_while(|&&size| size == 1).count().min(shape.len() - 1);
    if shape[lead..] == sizes[lead..] {
        let row = builder.extract(part, &offsets[..lead]);
        return builder.shape_cast(row, sizes);
    }
    let elem = builder.ir.elem_of(part);
    let ty = builder.ir.vector_type(sizes, elem);
    let attrs = [
        ("offsets", builder.ir.i64_array(offsets)),
        ("sizes", builder.ir.i64_array(sizes)),
        ("strides", builder.ir.i64_array(&vec![1; sizes.len()])),
    ];
    builder.value(Opcode::VectorExtractStridedSlice, &[part], ty, &attrs)
}

/// A vector repeated along the dimensions of `shape` that it lacks: those at `lacks`, in order.
fn repeated(builder: &mut Builder<'_>, part: ValueId, lacks: &[usize], shape: &[i64]) -> ValueId {
    let mut own = builder.ir.shape_of(part).to_vec();
    let plain = [&vec![1; lacks.len()], &own[..]].concat();
    for &d in lacks {
        own.insert(d, 1);
    }
    // Dimensions that a broadcast adds are the first.
    let part = if own == plain { part } else { builder.shape_cast(part, &own) };
    let elem = builder.ir.elem_of(part);
    let ty = builder.ir.vector_type(shape, elem);
    if builder.ir.type_of(part) == ty { part } else { builder.broadcast(part, ty) }
}

impl Scan {
    /// The three dimensions of a thread's part along the scanned one.
    fn axes(&self) -> [usize; 3] {
        let rank = self.layout.rank();
        [self.dim, rank + self.dim, 2 * rank + self.dim]
    }

    fn combine(&self, builder: &mut Builder<'_>, front: ValueId, behind: ValueId) -> ValueId {
        builder.binary(self.combiner.opcode, front, behind)
    }

    /// What the combiner does not notice.
    fn start(&self, builder: &mut Builder<'_>, part: ValueId, shape: Option<&[i64]>) -> ValueId {
        let elem = builder.ir.elem_of(part);
        let ty = shape.map_or(elem, |shape| builder.ir.vector_type(shape, elem));
        self.combiner.neutral(builder, ty)
    }

    /// The shape without the scanned dimension's elements.
    fn total_shape(&self, shape: &[i64]) -> Vec<i64> {
        let mut total = shape.to_vec();
        total.remove(self.axes()[2]);
        total
    }

    /// The scan inside each thread, and across lanes and subgroups where they share the dimension.
    fn across(
        &self,
        builder: &mut Builder<'_>,
        cx: &mut Cx<'_>,
        op: OpId,
        part: ValueId,
        init: ValueId,
    ) -> Result<Scanned, Diag> {
        let [batch, outer, element] = self.axes();
        let shape = self.layout.distributed_shape();
        let mut chunk_shape = shape.clone();
        (chunk_shape[batch], chunk_shape[outer]) = (1, 1);
        let total_shape = self.total_shape(&chunk_shape);
        let start = self.start(builder, part, Some(&total_shape));
        let (mut running, mut result) = (start, None);
        for tile in memory::positions(&[shape[batch], shape[outer]]) {
            let mut offsets = vec![0; shape.len()];
            (offsets[batch], offsets[outer]) = (tile[0], tile[1]);
            let chunk = slice(builder, part, &offsets, &chunk_shape);
            let [local, mut sum] = self.local(builder, chunk, start);
            if !self.inclusive {
                // An exclusive scan leaves the last element out.
                let mut last = vec![0; shape.len()];
                let mut one = chunk_shape.clone();
                (last[element], one[element]) = (chunk_shape[element] - 1, 1);
                let last = slice(builder, chunk, &last, &one);
                let last = builder.shape_cast(last, &total_shape);
                sum = self.combine(builder, sum, last);
            }
            let mut front = running;
            if self.layout.thread_tile[self.dim] > 1 {
                let lanes = self.across_lanes(builder, sum);
                front = self.combine(builder, running, lanes.result);
                sum = lanes.total;
            }
            let front = repeated(builder, front, &[element], &chunk_shape);
            let local = self.combine(builder, front, local);
            result = Some(if chunk_shape == shape {
                local
            } else {
                let elem = builder.ir.elem_of(part);
                let ty = builder.ir.vector_type(&shape, elem);
                let into = result.unwrap_or_else(|| builder.splat(0.0, ty));
                builder.insert_strided_slice(local, into, &offsets)
            });
            running = self.combine(builder, running, sum);
        }
        let result = result.expect("a layout has at least one tile");
        edges::enter_use(builder, cx, op, init)?;
        let init = cx.part(init);
        let mut scanned = Scanned { result, total: running };
        let subgroups = self.layout.subgroup_tile[self.dim] > 1;
        let last = if subgroups { self.across_subgroups(builder, cx, op, &mut scanned, start)? } else { None };
        Ok(self.finish(builder, cx, scanned, init, last))
    }

    /// `vector.scan` of a thread's own elements.
    fn local(&self, builder: &mut Builder<'_>, chunk: ValueId, start: ValueId) -> [ValueId; 2] {
        let types = [builder.ir.type_of(chunk), builder.ir.type_of(start)];
        let inclusive = Attr::Bool(self.inclusive);
        let attrs = [
            ("kind", builder.keyword_attr("vector.kind", self.combiner.kind)),
            ("reduction_dim", builder.ir.i64_attr(self.axes()[2] as i64)),
            ("inclusive", builder.ir.intern(inclusive)),
        ];
        let op = builder.op(Opcode::VectorScan, &[chunk, start], &types, &attrs);
        [0, 1].map(|i| builder.ir.result(op, i))
    }

    /// For each element what the lanes in front add up to, and what all do.
    fn across_lanes(&self, builder: &mut Builder<'_>, sum: ValueId) -> Scanned {
        let (size, stride) = (self.layout.thread_tile[self.dim], self.layout.thread_strides[self.dim]);
        let shape = builder.ir.shape_of(sum).to_vec();
        let elem = builder.ir.elem_of(sum);
        let start = self.start(builder, sum, None);
        let word = builder.ir.int_type(32);
        let mut number = |value: i64| builder.ir.intern(Attr::Int { value: value.into(), ty: word });
        let attrs = [("cluster_size", number(size)), ("cluster_stride", number(stride))];
        let mut lists = [Vec::new(), Vec::new()];
        for at in memory::positions(&shape) {
            let value = builder.extract(sum, &at);
            let op = builder.op(Opcode::IreeGpuSubgroupScan, &[value, start], &[elem, elem], &attrs);
            let region = builder.ir.add_region(op);
            let block = builder.ir.add_block(region, &[elem, elem]);
            let args = builder.ir.args(block).to_vec();
            let mut inner = Builder::at_end(builder.ir, block, builder.span);
            let combined = self.combine(&mut inner, args[0], args[1]);
            inner.op(Opcode::IreeGpuYield, &[combined], &[], &[]);
            for (i, list) in lists.iter_mut().enumerate() {
                list.push(builder.ir.result(op, i));
            }
        }
        let [result, total] = lists.map(|list| elements::collect(builder, &list, &shape));
        Scanned { result, total }
    }

    /// Puts what the subgroups in front add up to in front of each subgroup's result. An exclusive scan learns the last
    /// partial result on the way, before the initial value is combined into it.
    fn across_subgroups(
        &self,
        builder: &mut Builder<'_>,
        cx: &mut Cx<'_>,
        op: OpId,
        scanned: &mut Scanned,
        start: ValueId,
    ) -> Result<Option<ValueId>, Diag> {
        let n_subgroups = self.layout.subgroup_tile[self.dim];
        let total_shape = builder.ir.shape_of(scanned.total).to_vec();
        let elem = builder.ir.elem_of(scanned.total);
        // All lanes along the dimension have the subgroup's sum; the first one writes it.
        let mut holders = Nested::clone(&self.layout);
        (holders.thread_tile[self.dim], holders.thread_strides[self.dim]) = (1, 0);
        let digits = threads::digits(builder, cx, &holders);
        let (mut subgroup, mut other, mut n_others) = (None, builder.index(0), 1);
        for digit in digits {
            if digit.dim == self.dim {
                subgroup = Some(digit.value);
                continue;
            }
            let expr = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(n_others));
            let results = vec![Expr::binary(BinOp::Add, expr, Expr::Dim(1))];
            other = builder.apply(Map { dims: 2, syms: 0, results }, &[digit.value, other]);
            n_others *= digit.size;
        }
        let subgroup = subgroup.expect("the dimension is spread over subgroups");
        let buffer = memory::staged(builder, cx, op, &[&[n_subgroups, n_others], &total_shape[..]].concat(), start)?;
        // The last partial result lies with the last lane of the last subgroup.
        let n_last: i64 = total_shape.iter().product();
        let last = match self.inclusive {
            true => None,
            false => Some(memory::staged(builder, cx, op, &[n_others * n_last], start)?),
        };
        if cx.depth > 0 {
            cx.shared_barrier(builder);
        }
        let mut view = memory::whole(builder, buffer);
        let zero = builder.index(0);
        view.map = minor_identity(2 + total_shape.len(), total_shape.len());
        view.in_bounds = vec![true; total_shape.len()];
        let place = |at: ValueId| [&[at, other], &vec![zero; total_shape.len()][..]].concat();
        let stored = builder.ir.elem_of(buffer);
        let outgoing = memory::cast(builder, scanned.total, stored, Opcode::ArithExtui);
        let write = |inner: &mut Builder<'_>| {
            inner.transfer_write(outgoing, buffer, &place(subgroup), view.map.clone(), &view.in_bounds);
        };
        match threads::is_writer(builder, cx, &holders).map_err(|why| refuse(builder.ir, op, why))? {
            Some(condition) => code::when(builder, condition, write),
            None => write(builder),
        }
        if let Some(last) = last {
            let lanes = threads::digits(builder, cx, &self.layout);
            let mut condition =
                threads::is_writer(builder, cx, &self.layout).map_err(|why| refuse(builder.ir, op, why))?;
            for digit in lanes.iter().filter(|digit| digit.dim == self.dim) {
                let end = builder.index(digit.size - 1);
                let is_last = code::compare(builder, code::EQUAL, digit.value, end);
                condition = Some(threads::both(builder, condition, is_last));
            }
            let result = scanned.result;
            code::when(builder, condition.expect("subgroups share the dimension"), |inner| {
                for (i, value) in self.last_of(inner, result).into_iter().enumerate() {
                    let value = memory::cast(inner, value, stored, Opcode::ArithExtui);
                    let at = nth(inner, other, n_last, i as i64);
                    inner.op(Opcode::MemrefStore, &[value, last, at], &[], &[]);
                }
            });
        }
        cx.shared_barrier(builder);

        // What lies in front of this thread's subgroup, and in front of the last one.
        let ty = builder.ir.vector_type(&total_shape, stored);
        let (mut front, mut sum) = (start, start);
        let padding = view.padding.expect("reads have padding");
        let n_read = if self.inclusive { n_subgroups } else { n_subgroups - 1 };
        for at in 0..n_subgroups {
            let here = builder.index(at);
            if at > 0 {
                let is_here = code::compare(builder, code::EQUAL, subgroup, here);
                let ty = builder.ir.type_of(sum);
                front = builder.value(Opcode::ArithSelect, &[is_here, sum, front], ty, &[]);
            }
            if at < n_read {
                let incoming =
                    builder.transfer_read(buffer, &place(here), padding, view.map.clone(), &view.in_bounds, ty);
                let incoming = memory::cast(builder, incoming, elem, Opcode::ArithTrunci);
                sum = self.combine(builder, sum, incoming);
            }
        }
        let shape = self.layout.distributed_shape();
        let front = repeated(builder, front, &[self.axes()[2]], &shape);
        scanned.result = self.combine(builder, front, scanned.result);
        scanned.total = sum;
        let Some(last) = last else { return Ok(None) };
        let mut values = Vec::new();
        for i in 0..n_last {
            let at = nth(builder, other, n_last, i);
            values.push(memory::load(builder, last, &[at], elem));
        }
        let kept = self.kept().distributed_shape();
        let last = elements::collect(builder, &values, &kept);
        let sum = builder.shape_cast(sum, &kept);
        Ok(Some(self.combine(builder, sum, last)))
    }

    /// The layout without the scanned dimension.
    fn kept(&self) -> Nested {
        self.layout.project(&(0..self.layout.rank()).map(|d| d == self.dim).collect::<Vec<_>>())
    }

    /// The elements of the last position along the dimension that this thread holds, in the order of the others.
    fn last_of(&self, builder: &mut Builder<'_>, result: ValueId) -> Vec<ValueId> {
        let shape = self.layout.distributed_shape();
        let mut free = shape.clone();
        for axis in self.axes() {
            free[axis] = 1;
        }
        let mut values = Vec::new();
        for mut at in memory::positions(&free) {
            for axis in self.axes() {
                at[axis] = shape[axis] - 1;
            }
            values.push(builder.extract(result, &at));
        }
        values
    }

    /// Combines the initial value into an exclusive scan, and gives both results their shapes. `last` is the last
    /// partial result without it, where threads have learned that.
    fn finish(
        &self,
        builder: &mut Builder<'_>,
        cx: &Cx<'_>,
        scanned: Scanned,
        init: ValueId,
        last: Option<ValueId>,
    ) -> Scanned {
        let kept = self.kept().distributed_shape();
        if self.inclusive {
            let total = builder.shape_cast(scanned.total, &kept);
            return Scanned { total, ..scanned };
        }
        let total = last.map(|last| self.combine(builder, init, last));
        let front = repeated(builder, init, &self.axes(), &self.layout.distributed_shape());
        let result = self.combine(builder, front, scanned.result);
        let total = match total {
            Some(total) => total,
            None => {
                let mut values = self.last_of(builder, result);
                if self.layout.thread_tile[self.dim] > 1 {
                    values = values.into_iter().map(|value| self.last_lane(builder, cx, value)).collect();
                }
                elements::collect(builder, &values, &kept)
            }
        };
        Scanned { result, total }
    }

    /// What the last lane along the dimension holds.
    fn last_lane(&self, builder: &mut Builder<'_>, cx: &Cx<'_>, value: ValueId) -> ValueId {
        let (size, stride) = (self.layout.thread_tile[self.dim], self.layout.thread_strides[self.dim]);
        let width = cx.launch.subgroup_size;
        let first = threads::first_lane(builder, cx, [size, stride]);
        let last = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const((size - 1) * stride));
        let lane = builder.apply(Map { dims: 1, syms: 0, results: vec![last] }, &[first]);
        let word = builder.ir.int_type(32);
        let lane = builder.value(Opcode::ArithIndexCast, &[lane], word, &[]);
        code::shuffle(builder, value, lane, width, "idx")
    }

    /// The scan by threads that hold all of the dimension: through shared memory, there and back.
    fn gathered(
        &self,
        builder: &mut Builder<'_>,
        cx: &mut Cx<'_>,
        op: OpId,
        part: ValueId,
        init: ValueId,
    ) -> Result<Scanned, Diag> {
        let (d, shape, elem) = (self.dim, self.layout.undistributed_shape(), builder.ir.elem_of(part));
        let mut alone = Nested::clone(&self.layout);
        (alone.subgroup_tile[d], alone.batch_tile[d], alone.outer_tile[d], alone.thread_tile[d]) = (1, 1, 1, 1);
        (alone.subgroup_strides[d], alone.thread_strides[d], alone.element_tile[d]) = (0, 0, shape[d]);
        if cx.depth > 0 {
            cx.shared_barrier(builder);
        }
        let buffer = memory::staged(builder, cx, op, &shape, part)?;
        let view = memory::stage(builder, cx, op, buffer, part, &self.layout)?;
        cx.shared_barrier(builder);
        let gathered = memory::unstage(builder, cx, &view, &alone, elem);
        let scan = Scan { layout: Arc::new(alone), ..*self };
        let scanned = scan.across(builder, cx, op, gathered, init)?;
        // Everyone must have read before anyone writes.
        cx.shared_barrier(builder);
        memory::stage_piece(builder, cx, op, &view, Piece::all(scanned.result, &scan.layout))?;
        cx.shared_barrier(builder);
        let result = memory::unstage(builder, cx, &view, &self.layout, elem);
        Ok(Scanned { result, ..scanned })
    }
}

/// `which·n + i`
fn nth(builder: &mut Builder<'_>, which: ValueId, n: i64, i: i64) -> ValueId {
    let row = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(n));
    let results = vec![Expr::binary(BinOp::Add, row, Expr::Const(i))];
    builder.apply(Map { dims: 1, syms: 0, results }, &[which])
}
