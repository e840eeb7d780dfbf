//! Random programs of one thread mean the same before and after cleaning and lowering.
//!
//! A typed generator: reads of every kind, everything that moves or combines elements, loops and branches that carry
//! vectors, index arithmetic of every kind. Each vector that is alive at the end is written to a place of its own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raddle_ir::{
    Attr, Builder, Expr, Float, Ir, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId, affine::BinOp, verify,
};
use raddle_passes::{Facts, clean, lower};
use raddle_target::{Lowered, Stage, chip, stage};

use crate::common::{Random, kernel, run};

/// Elements that each thread may write.
const OUT: i64 = 512;

struct Source {
    memref: ValueId,
    shape: Vec<i64>,
    elem: TypeId,
}

struct Program<'r> {
    random: &'r mut Random,
    sources: Vec<Source>,
    out: ValueId,
    thread: ValueId,
    /// Natural numbers below 4096.
    indices: Vec<ValueId>,
    vectors: Vec<ValueId>,
    f32: TypeId,
    /// Whether all lanes are here.
    together: bool,
}

fn n_elements(shape: &[i64]) -> i64 {
    shape.iter().product()
}

impl Program<'_> {
    /// A natural number below `n`.
    fn index(&mut self, b: &mut Builder<'_>, n: i64) -> ValueId {
        let index = b.ir.index_type();
        let x = self.random.pick(&self.indices);
        let y = self.random.pick(&self.indices);
        let (c, d) = (1 + self.random.below(9) as i64, 1 + self.random.below(9) as i64);
        let dim = |i| Expr::Dim(i);
        let sum = |random: &mut Random| {
            let signs = random.pick(&[[1, 1], [1, 1], [-1, 1], [-1, -1]]);
            let x = Expr::binary(BinOp::Mul, dim(0), Expr::Const(c * signs[0]));
            let y = Expr::binary(BinOp::Mul, dim(1), Expr::Const(d * signs[1]));
            let sum = Expr::binary(BinOp::Add, x, y);
            Expr::binary(BinOp::Add, sum, Expr::Const(random.below(40) as i64 - 20))
        };
        match self.random.below(6) {
            0 => {
                let expr = Expr::binary(BinOp::Mod, sum(self.random), Expr::Const(n));
                b.apply(Map { dims: 2, syms: 0, results: vec![expr] }, &[x, y])
            }
            1 => {
                let op = self.random.pick(&[BinOp::FloorDiv, BinOp::CeilDiv]);
                let expr = Expr::binary(op, sum(self.random), Expr::Const(c));
                let expr = Expr::binary(BinOp::Mod, expr, Expr::Const(n));
                b.apply(Map { dims: 2, syms: 0, results: vec![expr] }, &[x, y])
            }
            2 => {
                let basis = b.ir.dense_i64(&[d, n]);
                let op = b.op(Opcode::AffineDelinearizeIndex, &[x], &[index; 3], &[("static_basis", basis)]);
                b.ir.result(op, 2)
            }
            3 => {
                let basis = b.ir.dense_i64(&[5, d]);
                let segments = b.ir.segment_sizes(&[2, 0]);
                let attrs = [("static_basis", basis), ("operandSegmentSizes", segments)];
                let joined = b.value(Opcode::AffineLinearizeIndex, &[x, y], index, &attrs);
                let n = b.index(n);
                b.binary(Opcode::ArithRemui, joined, n)
            }
            4 => {
                let c = b.index(c);
                let signed = self.random.below(3) == 0;
                let x = if signed { b.binary(Opcode::ArithSubi, x, y) } else { x };
                let opcode = self.random.pick(&[
                    Opcode::ArithAddi,
                    Opcode::ArithMuli,
                    Opcode::ArithDivui,
                    Opcode::ArithCeildivui,
                    Opcode::ArithDivsi,
                    Opcode::ArithFloordivsi,
                ]);
                let value = b.binary(opcode, x, c);
                let shift = b.index(self.random.below(3) as i64);
                let value = b.binary(
                    self.random.pick(&[Opcode::ArithShli, Opcode::ArithShrui, Opcode::ArithShrsi]),
                    value,
                    shift,
                );
                let n = b.index(n);
                let remainder = self.random.pick(&[Opcode::ArithRemui, Opcode::ArithRemsi]);
                b.binary(if signed { Opcode::ArithRemui } else { remainder }, value, n)
            }
            _ => {
                let less = b.ir.i64_attr(self.random.below(10) as i64);
                let bit = b.ir.int_type(1);
                let condition = b.value(Opcode::ArithCmpi, &[x, y], bit, &[("predicate", less)]);
                let at = b.value(Opcode::ArithSelect, &[condition, x, y], index, &[]);
                let mask = b.index(self.random.pick(&[1, 3, 15, 255]));
                let at = b.binary(Opcode::ArithAndi, at, mask);
                let n = b.index(n);
                b.binary(Opcode::ArithRemui, at, n)
            }
        }
    }

    /// A vector that is there, or a new one.
    fn vector(&mut self, b: &mut Builder<'_>) -> ValueId {
        if self.vectors.is_empty() || self.random.below(5) == 0 {
            self.read(b)
        } else {
            self.random.pick(&self.vectors)
        }
    }

    fn like(&mut self, b: &mut Builder<'_>, ty: TypeId) -> ValueId {
        let same: Vec<ValueId> = self.vectors.iter().copied().filter(|&v| b.ir.type_of(v) == ty).collect();
        if !same.is_empty() && self.random.below(4) > 0 {
            return self.random.pick(&same);
        }
        let n = n_elements(b.ir[ty].shape().unwrap());
        match self.random.below(3) {
            0 => b.splat(self.random.below(5) as f64 - 2.0, ty),
            1 => {
                let bytes = (0..n).flat_map(|i| (i as f32).to_le_bytes()).collect();
                b.constant(Attr::Dense { ty, splat: false, bytes }, ty)
            }
            _ => {
                let scalar = b.float(1.5, self.f32);
                b.broadcast(scalar, ty)
            }
        }
    }

    fn read(&mut self, b: &mut Builder<'_>) -> ValueId {
        let at = self.random.below(self.sources.len());
        let (memref, shape, elem) = (self.sources[at].memref, self.sources[at].shape.clone(), self.sources[at].elem);
        let mut dims: Vec<usize> = (0..shape.len()).collect();
        while !dims.is_empty() && self.random.below(3) == 0 {
            let at = self.random.below(dims.len());
            dims.remove(at);
        }
        if self.random.below(3) == 0 {
            dims.reverse();
        }
        let mut results: Vec<Expr> = dims.iter().map(|&d| Expr::Dim(d as u32)).collect();
        let mut sizes: Vec<i64> = dims.iter().map(|_| self.random.pick(&[1, 2, 4, 4, 8, 3])).collect();
        if self.random.below(5) == 0 {
            let at = self.random.below(results.len() + 1);
            results.insert(at, Expr::Const(0));
            sizes.insert(at, 2);
        }
        let kind = self.random.below(4);
        let step = self.random.pick(&[1, 1, 2, 4]);
        let mut reach = vec![1; shape.len()];
        for (expr, &size) in results.iter().zip(&sizes) {
            if let Expr::Dim(d) = expr {
                reach[*d as usize] = size;
            }
        }
        let mut indices = Vec::new();
        for d in 0..shape.len() {
            // Outside by up to 3 on both sides, where that is allowed.
            let outside = kind == 1 && dims.contains(&d);
            let range = (shape[d] - reach[d] + 1 + if outside { 6 } else { 0 }) / step;
            let value = self.index(b, range.max(1));
            let by = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(step));
            let by = Expr::binary(BinOp::Add, by, Expr::Const(if outside { -3 } else { 0 }));
            indices.push(b.apply(Map { dims: 1, syms: 0, results: vec![by] }, &[value]));
        }
        let padding = match b.ir[elem] {
            Type::Float(_) => b.float(-7.0, elem),
            _ => b.int(-7, elem),
        };
        let in_bounds: Vec<bool> = results.iter().map(|expr| kind != 1 || matches!(expr, Expr::Const(_))).collect();
        let ty = b.ir.vector_type(&sizes, elem);
        let map = Map { dims: shape.len() as u32, syms: 0, results };
        let mut value = b.transfer_read(memref, &indices, padding, map, &in_bounds, ty);
        if kind == 2 && !dims.is_empty() {
            value = self.masked(b, value, &dims, &reach, padding);
        }
        let widen = match b.ir[elem] {
            Type::Float(Float::F32) => return value,
            Type::Float(_) => Opcode::ArithExtf,
            _ => Opcode::ArithSitofp,
        };
        let ty = b.ir.with_elem(ty, self.f32);
        b.value(widen, &[value], ty, &[])
    }

    /// The same read with a mask of random bounds.
    fn masked(
        &mut self,
        b: &mut Builder<'_>,
        read: ValueId,
        dims: &[usize],
        reach: &[i64],
        padding: ValueId,
    ) -> ValueId {
        let op = b.ir.def_op(read).unwrap();
        let mut dims = dims.to_vec();
        dims.sort_unstable();
        let sizes: Vec<i64> = dims.iter().map(|&d| reach[d]).collect();
        let bit = b.ir.int_type(1);
        let ty = b.ir.vector_type(&sizes, bit);
        let mask = if self.random.below(3) == 0 {
            let mut bounds: Vec<i64> = sizes.iter().map(|&size| self.random.below(size as usize + 1) as i64).collect();
            // Nothing along one dimension is nothing at all.
            if bounds.contains(&0) {
                bounds.fill(0);
            }
            let bounds = b.ir.dense_i64(&bounds);
            b.value(Opcode::VectorConstantMask, &[], ty, &[("mask_dim_sizes", bounds)])
        } else {
            let bounds: Vec<ValueId> = sizes.iter().map(|&size| self.index(b, size + 2)).collect();
            b.value(Opcode::VectorCreateMask, &bounds, ty, &[])
        };
        let n_indices = b.ir.operands(op).len() - 2;
        let mut operands = b.ir.operands(op)[..=n_indices].to_vec();
        operands.extend([padding, mask]);
        let (map, in_bounds) = (b.ir.attr_id(op, "permutation_map").unwrap(), b.ir.attr_id(op, "in_bounds").unwrap());
        let segments = b.ir.segment_sizes(&[1, n_indices, 1, 1]);
        let attrs = [("permutation_map", map), ("in_bounds", in_bounds), ("operandSegmentSizes", segments)];
        let ty = b.ir.type_of(read);
        b.value(Opcode::VectorTransferRead, &operands, ty, &attrs)
    }

    /// One random operation; what it makes is alive.
    fn step(&mut self, b: &mut Builder<'_>, nest: usize) {
        let source = self.vector(b);
        let shape = b.ir.shape_of(source).to_vec();
        let rank = shape.len();
        let ty = b.ir.type_of(source);
        let made = match self.random.below(18) {
            0 => self.read(b),
            1 | 2 => {
                let other = self.like(b, ty);
                let opcode = self.random.pick(&[
                    Opcode::ArithAddf,
                    Opcode::ArithSubf,
                    Opcode::ArithMulf,
                    Opcode::ArithMaximumf,
                    Opcode::ArithMinnumf,
                    Opcode::ArithMaxnumf,
                ]);
                b.binary(opcode, source, other)
            }
            3 => {
                let other = self.like(b, ty);
                let bit = b.ir.int_type(1);
                let bits = b.ir.vector_type(&shape, bit);
                let predicate = b.ir.i64_attr(self.random.pick(&[1, 2, 4, 7]));
                let condition = b.value(Opcode::ArithCmpf, &[source, other], bits, &[("predicate", predicate)]);
                b.value(Opcode::ArithSelect, &[condition, source, other], ty, &[])
            }
            4 if rank > 0 => {
                let mut perm: Vec<usize> = (0..rank).collect();
                perm.rotate_left(self.random.below(rank));
                b.transpose(source, &perm)
            }
            5 => {
                let n = n_elements(&shape);
                let options: Vec<Vec<i64>> =
                    vec![vec![n], vec![1, n], vec![n, 1], if n % 2 == 0 { vec![2, n / 2] } else { vec![n] }];
                let to = self.random.below(options.len());
                b.shape_cast(source, &options[to])
            }
            6 => {
                let lead = self.random.pick(&[1, 2]);
                if n_elements(&shape) * lead > 64 {
                    return;
                }
                let ty = b.ir.vector_type(&[&[lead], &shape[..]].concat(), self.f32);
                b.broadcast(source, ty)
            }
            7 if rank > 1 => {
                let at = self.random.below(shape[0] as usize) as i64;
                b.extract(source, &[at])
            }
            8 if rank > 1 => {
                let at = self.random.below(shape[0] as usize) as i64;
                let part = b.ir.vector_type(&shape[1..], self.f32);
                let part = self.like(b, part);
                b.insert(part, source, &[at])
            }
            9 if rank > 0 => {
                let sizes: Vec<i64> = shape.iter().map(|&size| 1 + self.random.below(size as usize) as i64).collect();
                let offsets: Vec<i64> =
                    sizes.iter().zip(&shape).map(|(s, n)| self.random.below((n - s + 1) as usize) as i64).collect();
                let attrs = [
                    ("offsets", b.ir.i64_array(&offsets)),
                    ("sizes", b.ir.i64_array(&sizes)),
                    ("strides", b.ir.i64_array(&vec![1; rank])),
                ];
                let ty = b.ir.vector_type(&sizes, self.f32);
                let part = b.value(Opcode::VectorExtractStridedSlice, &[source], ty, &attrs);
                let dest = self.like(b, b.ir.type_of(source));
                self.vectors.push(part);
                b.insert_strided_slice(part, dest, &offsets)
            }
            10 if rank > 0 => {
                let dims: Vec<usize> = (0..rank).filter(|_| self.random.below(2) == 0).collect();
                let kept: Vec<i64> = (0..rank).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
                let acc = if kept.is_empty() { self.f32 } else { b.ir.vector_type(&kept, self.f32) };
                let acc = if kept.is_empty() { b.float(0.5, self.f32) } else { self.like(b, acc) };
                let kind = self.random.pick(&["add", "mul", "maxnumf", "minimumf"]);
                let made = b.multi_reduction(kind, source, acc, &dims);
                if kept.is_empty() {
                    let ty = b.ir.vector_type(&[2], self.f32);
                    b.broadcast(made, ty)
                } else {
                    made
                }
            }
            11 if rank == 2 => {
                let n = self.random.pick(&[1, 2, 3]);
                let rhs = b.ir.vector_type(&[n, shape[1]], self.f32);
                let acc = b.ir.vector_type(&[shape[0], n], self.f32);
                let (rhs, acc_value) = (self.like(b, rhs), self.like(b, acc));
                let maps = [[0, 2], [1, 2], [0, 1]].map(|dims| {
                    let map = Attr::Map(Map::of_dims(3, &dims));
                    b.ir.intern(map)
                });
                let words = ["parallel", "parallel", "reduction"].map(|w| b.keyword_attr("vector.iterator_type", w));
                let attrs = [
                    ("indexing_maps", b.ir.intern(Attr::Array(maps.to_vec()))),
                    ("iterator_types", b.ir.intern(Attr::Array(words.to_vec()))),
                    ("kind", b.keyword_attr("vector.kind", "add")),
                ];
                b.value(Opcode::VectorContract, &[source, rhs, acc_value], acc, &attrs)
            }
            12 if rank > 0 => {
                let n = n_elements(&shape) as usize;
                let elements = b.op(Opcode::VectorToElements, &[source], &vec![self.f32; n], &[]);
                let mut elements: Vec<ValueId> = b.ir.results(elements).collect();
                elements.rotate_left(1);
                b.value(Opcode::VectorFromElements, &elements, ty, &[])
            }
            13 => {
                let (x, y) = (self.like(b, ty), self.like(b, ty));
                b.value(Opcode::VectorFma, &[source, x, y], ty, &[])
            }
            14 if self.together && rank > 0 => {
                let at = vec![0; rank];
                let scalar = b.extract(source, &at);
                let kind = b.keyword_attr("gpu.all_reduce_op", self.random.pick(&["add", "maxnumf", "minimumf"]));
                let word = b.ir.int_type(32);
                let number = |b: &mut Builder<'_>, value: i64| b.ir.intern(Attr::Int { value: value.into(), ty: word });
                let (size, stride) = self.random.pick(&[(4, 1), (8, 4), (32, 1), (2, 16), (1, 1)]);
                let attrs = [("op", kind), ("cluster_size", number(b, size)), ("cluster_stride", number(b, stride))];
                let sum = b.value(Opcode::GpuSubgroupReduce, &[scalar], self.f32, &attrs);
                b.broadcast(sum, ty)
            }
            15 | 16 if nest < 2 => self.repeat(b, nest, ty),
            17 if nest < 2 => self.choose(b, nest, ty),
            _ => return,
        };
        self.vectors.push(made);
    }

    /// A loop that carries one vector.
    fn repeat(&mut self, b: &mut Builder<'_>, nest: usize, ty: TypeId) -> ValueId {
        let init = self.like(b, ty);
        let (start, step) = (self.random.below(3) as i64, 1 + self.random.below(3) as i64);
        let (lower, step) = (b.index(start), b.index(step));
        let upper = if self.random.below(3) == 0 {
            self.together = false;
            self.index(b, 5)
        } else {
            b.index(self.random.below(7) as i64)
        };
        let (vectors, indices, together) = (self.vectors.len(), self.indices.len(), self.together);
        let op = b.for_loop(lower, upper, step, &[init], |b, at, carried| {
            self.indices.push(at);
            self.vectors.push(carried[0]);
            for _ in 0..3 {
                self.step(b, nest + 1);
            }
            let last = self.like(b, ty);
            vec![b.binary(Opcode::ArithAddf, carried[0], last)]
        });
        self.vectors.truncate(vectors);
        self.indices.truncate(indices);
        self.together = together;
        b.ir.result(op, 0)
    }

    /// A branch with a vector as its result.
    fn choose(&mut self, b: &mut Builder<'_>, nest: usize, ty: TypeId) -> ValueId {
        let (x, y) = (self.index(b, 9), self.index(b, 9));
        let bit = b.ir.int_type(1);
        let predicate = b.ir.i64_attr(self.random.below(10) as i64);
        let condition = b.value(Opcode::ArithCmpi, &[x, y], bit, &[("predicate", predicate)]);
        let op = b.op(Opcode::ScfIf, &[condition], &[ty], &[]);
        let (vectors, indices, together) = (self.vectors.len(), self.indices.len(), self.together);
        for _ in 0..2 {
            let region = b.ir.add_region(op);
            let block = b.ir.add_block(region, &[]);
            let mut inner = Builder::at_end(b.ir, block, b.span);
            self.together = false;
            for _ in 0..2 {
                self.step(&mut inner, nest + 1);
            }
            let value = self.like(&mut inner, ty);
            inner.op(Opcode::ScfYield, &[value], &[], &[]);
            self.vectors.truncate(vectors);
            self.indices.truncate(indices);
        }
        self.together = together;
        b.ir.result(op, 0)
    }

    /// Writes what is alive.
    fn finish(&mut self, b: &mut Builder<'_>) {
        let mut place = 0;
        for value in self.vectors.clone().into_iter().rev() {
            let n = n_elements(b.ir.shape_of(value));
            if place + n > OUT {
                break;
            }
            let flat = b.shape_cast(value, &[n]);
            let at = b.index(place);
            // The last ones may stick out.
            let inside = place + n + 8 <= OUT;
            b.transfer_write(flat, self.out, &[self.thread, at], Map::of_dims(2, &[1]), &[inside]);
            place += n;
        }
    }
}

fn program(seed: u64) -> (Ir, OpId, Vec<raddle_emu::Tensor>) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678);
    let threads = random.pick(&[32, 64]);
    let elems = [Scalar::Float(Float::F32), Scalar::Float(Float::F16), Scalar::Int(8)];
    let shapes: Vec<Vec<i64>> = (0..3)
        .map(|_| {
            let rank = 1 + random.below(3);
            (0..rank).map(|_| random.pick(&[8, 12, 16, 32, 9])).collect()
        })
        .collect();
    let mut buffers: Vec<_> = elems.iter().zip(&shapes).map(|(&elem, shape)| random.tensor(elem, shape)).collect();
    buffers.push(random.tensor(elems[0], &[threads, OUT]));
    let types = |ir: &mut Ir| {
        let (f32, f16, i8) = (ir.float_type(Float::F32), ir.float_type(Float::F16), ir.int_type(8));
        let mut types: Vec<TypeId> =
            [f32, f16, i8].into_iter().zip(&shapes).map(|(elem, shape)| ir.memref_type(shape, elem, None)).collect();
        types.push(ir.memref_type(&[threads, OUT], f32, None));
        types
    };
    let (ir, func) = kernel(threads, types, |b, args| {
        let thread = b.gpu_id(Opcode::GpuThreadId, 0);
        let f32 = b.ir.float_type(Float::F32);
        let index = b.ir.index_type();
        let lane = b.value(Opcode::GpuLaneId, &[], index, &[]);
        let subgroup = b.value(Opcode::GpuSubgroupId, &[], index, &[]);
        let constant = b.index(6);
        let sources = args[..3]
            .iter()
            .map(|&memref| Source { memref, shape: b.ir.shape_of(memref).to_vec(), elem: b.ir.elem_of(memref) })
            .collect();
        let indices = vec![thread, lane, subgroup, constant];
        let mut cx = Program {
            random: &mut random,
            sources,
            out: args[3],
            thread,
            indices,
            vectors: Vec::new(),
            f32,
            together: true,
        };
        for _ in 0..12 {
            cx.step(b, 0);
        }
        cx.finish(b);
    });
    (ir, func, buffers)
}

/// Cleaning keeps every bit, and lowering does, and what it makes keeps the contract of its stage.
#[test]
fn random_programs_mean_the_same_when_lowered() {
    let facts = Facts::new(chip("sm_80").unwrap());
    let n: u64 = std::env::var("RADDLE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    for seed in 0..n {
        let (mut ir, func, buffers) = program(seed);
        assert_eq!(verify(&ir), [], "seed {seed}");
        let want = run(&ir, func, &buffers);
        assert_eq!(stage::of(&ir, func), Stage::Distributed, "seed {seed}");
        if seed % 2 == 0 {
            clean::clean(&mut ir, func);
            assert_eq!(verify(&ir), [], "seed {seed}");
            assert!(run(&ir, func, &buffers) == want, "seed {seed}: cleaning changed the meaning");
        }
        lower::lower(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("seed {seed}: {diag} {}", diag.label));
        assert_eq!(verify(&ir), [], "seed {seed}");
        assert!(run(&ir, func, &buffers) == want, "seed {seed}: lowering changed the meaning");
        Lowered::check(&ir, func, facts.chip).map(|_| ()).unwrap_or_else(|diag| panic!("seed {seed}: {diag}"));
        assert_eq!(stage::of(&ir, func), Stage::Lowered, "seed {seed}");
    }
}

/// A kernel of 64 threads.
fn small(args: &str, body: &str) -> Ir {
    let text = format!(
        "func.func @f({args}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = \
         #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>}} {{\n{body}\nreturn\n}}"
    );
    raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
}

/// A program that cannot be lowered stays as it was.
#[test]
fn what_is_refused_stays() {
    let body = "%v = arith.constant dense<1.0> : vector<4xf32>
                %t = gpu.thread_id x
                %x = vector.extract %v[%t] : f32 from vector<4xf32>";
    let mut ir = small("", body);
    let before = raddle_ir::print(&ir, &Default::default());
    let func = ir.funcs()[0];
    lower::lower(&mut ir, func, &Facts::new(chip("sm_80").unwrap())).unwrap_err();
    assert_eq!(raddle_ir::print(&ir, &Default::default()), before);
}

/// What a loop carries of 16-bit elements stays in words of two, and is never taken apart where the loop goes round.
#[test]
fn loops_carry_words() {
    let mut ir = small(
        "%m: memref<4x4xf16>, %o: memref<4xf16>",
        "%c0 = arith.constant 0 : index
         %c1 = arith.constant 1 : index
         %c4 = arith.constant 4 : index
         %z = arith.constant 0.0 : f16
         %i = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true]} : memref<4x4xf16>, vector<4xf16>
         %r = scf.for %j = %c1 to %c4 step %c1 iter_args(%v = %i) -> (vector<4xf16>) {
           %w = vector.transfer_read %m[%j, %c0], %z {in_bounds = [true]} : memref<4x4xf16>, vector<4xf16>
           vector.transfer_write %v, %m[%j, %c0] {in_bounds = [true]} : vector<4xf16>, memref<4x4xf16>
           scf.yield %w : vector<4xf16>
         }
         vector.transfer_write %r, %o[%c0] {in_bounds = [true]} : vector<4xf16>, memref<4xf16>",
    );
    let func = ir.funcs()[0];
    let facts = Facts::new(chip("sm_80").unwrap());
    lower::lower(&mut ir, func, &facts).unwrap();
    assert_eq!(verify(&ir), []);
    Lowered::check(&ir, func, facts.chip).unwrap();
    let text = raddle_ir::print(&ir, &Default::default());
    assert!(text.contains("-> (vector<2xf16>, vector<2xf16>)"), "{text}");
    assert!(text.contains("scf.yield %") && text.contains(": vector<2xf16>, vector<2xf16>"), "{text}");
}
