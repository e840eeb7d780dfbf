//! What the tests of single passes share: kernels built by hand, and the emulator as the judge.
#![allow(clippy::unwrap_used, dead_code, reason = "a test fails by panicking, and each test file uses a part of this")]

pub mod concrete;

use raddle_emu::{Launch, Options, Tensor};
use raddle_ir::{Attr, Body, Builder, Ir, OpId, Opcode, Scalar, Span, Type, TypeId, ValueId};

/// A kernel with one workgroup of so many threads; `body` ends before the return.
pub fn kernel(
    threads: i64,
    args: impl FnOnce(&mut Ir) -> Vec<TypeId>,
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]),
) -> (Ir, OpId) {
    let mut ir = Ir::new();
    let args = args(&mut ir);
    let name = ir.str_attr("kernel");
    let ty = ir.intern_type(Type::Function { inputs: args.clone(), results: Vec::new() });
    let ty = ir.intern(Attr::Type(ty));
    let fields = [("workgroup_size", ir.i64_array(&[threads, 1, 1])), ("subgroup_size", ir.i64_attr(32))];
    let fields = fields.map(|(field, value)| (ir.intern_str(field), value)).to_vec();
    let info = ir.intern_str("iree_codegen.translation_info");
    let info = ir.intern(Attr::Dialect { name: info, body: Body::Fields(fields) });
    let module = ir.module_block();
    let attrs = [("sym_name", name), ("function_type", ty), ("translation_info", info)];
    let func = Builder::at_end(&mut ir, module, Span::default()).op(Opcode::FuncFunc, &[], &[], &attrs);
    let region = ir.add_region(func);
    let block = ir.add_block(region, &args);
    let args = ir.args(block).to_vec();
    let mut builder = Builder::at_end(&mut ir, block, Span::default());
    body(&mut builder, &args);
    builder.op(Opcode::FuncReturn, &[], &[], &[]);
    (ir, func)
}

/// The buffers after a run. Buffers are given the shape that the function's arguments have.
pub fn run(ir: &Ir, func: OpId, buffers: &[Tensor]) -> Vec<Vec<u8>> {
    let launch = Launch::of(ir, func).unwrap();
    let args: Vec<Tensor> = buffers
        .iter()
        .zip(ir.args(ir.entry(func)))
        .map(|(tensor, &arg)| Tensor { shape: ir.shape_of(arg).to_vec(), ..tensor.clone() })
        .collect();
    let outcome = raddle_emu::run(ir, func, &args, &launch, &Options::default());
    let outcome = outcome.unwrap_or_else(|diag| panic!("{diag}: {:?} {:?}", diag.label, diag.notes));
    outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect()
}

/// Random numbers that are the same everywhere: a linear congruence, of which the high bits are taken.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A tensor of small numbers, so that sums of them are exact in the narrow formats, too.
    pub fn tensor(&mut self, elem: Scalar, shape: &[i64]) -> Tensor {
        let n = shape.iter().product::<i64>() as usize;
        let values: Vec<i64> = (0..n).map(|_| self.below(17) as i64 - 8).collect();
        match elem {
            Scalar::Float(_) => {
                let values: Vec<f64> = values.iter().map(|&value| value as f64 / 2.0).collect();
                Tensor::from_f64(elem, shape, &values)
            }
            Scalar::Int(_) | Scalar::Index => Tensor::from_i64(elem, shape, &values),
        }
    }
}
