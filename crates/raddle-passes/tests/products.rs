//! Masked sums of products become matrix instructions, and what is left out changes nothing, to the last bit.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::Tensor;
use raddle_ir::{Class, Float, Scalar};
use raddle_passes::{Facts, PASSES};
use raddle_target::{Stage, chip};

use crate::stages;

/// Types and extents of a matrix instruction with 16 rows.
struct Machine {
    chip: &'static str,
    factor: &'static str,
    sum: &'static str,
    n: i64,
    k: i64,
}

const FLOATS: Machine = Machine { chip: "sm_80", factor: "f16", sum: "f32", n: 8, k: 16 };
const INTS: Machine = Machine { chip: "gfx942", factor: "i8", sum: "i32", n: 16, k: 32 };

/// `c = a · b + c`, as large as a matrix instruction, under what `mask` defines as `%mask` from the bounds `%i`, `%j` and
/// `%l`. `NN` stands for the number of columns, `KK` for that of the products in a sum.
fn kernel(mask: &str, machine: &Machine, kind: &str) -> String {
    let Machine { factor, sum, n, k, .. } = *machine;
    let pad = if factor.starts_with('i') { "7" } else { "7.0" };
    format!(
        "#rows = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1],
           thread_tile = [8, {half}], element_tile = [2, 2], subgroup_strides = [0, 0], thread_strides = [{half}, 1]>
func.func @kernel(%a: memref<16xKKx{factor}>, %b: memref<KKxNNx{factor}>, %c: memref<16xNNx{sum}>, %out: memref<16xNNx{sum}>,
    %bounds: memref<3xi32>) attributes {{translation_info = #iree_codegen.translation_info<pipeline =
    #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{lanes}, 1, 1] subgroup_size = {lanes}>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %padf = arith.constant {pad} : {factor}
  %pads = arith.constant {pad} : {sum}
  %i32 = memref.load %bounds[%c0] : memref<3xi32>
  %j32 = memref.load %bounds[%c1] : memref<3xi32>
  %l32 = memref.load %bounds[%c2] : memref<3xi32>
  %i = arith.index_cast %i32 : i32 to index
  %j = arith.index_cast %j32 : i32 to index
  %l = arith.index_cast %l32 : i32 to index
  %x = vector.transfer_read %a[%c0, %c0], %padf {{in_bounds = [true, true]}} : memref<16xKKx{factor}>, vector<16xKKx{factor}>
  %y = vector.transfer_read %b[%c0, %c0], %padf {{in_bounds = [true, true]}} : memref<KKxNNx{factor}>, vector<KKxNNx{factor}>
  %z = vector.transfer_read %c[%c0, %c0], %pads {{in_bounds = [true, true]}} : memref<16xNNx{sum}>, vector<16xNNx{sum}>
{mask}
  %s = vector.mask %mask {{ vector.contract {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
    affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<{kind}>}}
    %x, %y, %z : vector<16xKKx{factor}>, vector<KKxNNx{factor}> into vector<16xNNx{sum}> }} : vector<16xNNxKKxi1> -> vector<16xNNx{sum}>
  %r = arith.{add} %s, %s : vector<16xNNx{sum}>
  %w = iree_vector_ext.to_layout %r to layout(#rows) : vector<16xNNx{sum}>
  vector.transfer_write %w, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<16xNNx{sum}>, memref<16xNNx{sum}>
  return
}}",
        add = if sum.starts_with('i') { "ori" } else { "minimumf" },
        half = n / 2,
        lanes = 4 * n,
    )
    .replace("NN", &n.to_string())
    .replace("KK", &k.to_string())
}

/// How many matrix instructions there are after distribution.
fn n_matrices(text: &str, target: &str) -> usize {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let (func, facts) = (ir.funcs()[0], Facts::new(chip(target).unwrap()));
    for pass in PASSES.iter().filter(|pass| [Some(Stage::LaidOut), Some(Stage::Distributed)].contains(&pass.stage)) {
        pass.run(&mut ir, func, &facts).unwrap();
    }
    let matrices = ir.walk(func).into_iter().filter(|&op| ir.class(op) == Class::Matrix);
    matrices.count()
}

const BOX: &str = "  %mask = vector.create_mask %i, %j, %l : vector<16xNNxKKxi1>";

/// Infinity, no number, -0 and 0 where the mask leaves products out; beside them small numbers, and -0 to add to.
#[test]
fn products_that_are_left_out_change_no_bit() {
    let text = kernel(BOX, &FLOATS, "add");
    assert_eq!(n_matrices(&text, "sm_80"), 1);
    let (f16, f32) = (Scalar::Float(Float::F16), Scalar::Float(Float::F32));
    let odd = [f64::INFINITY, f64::NAN, -0.0, f64::NEG_INFINITY, 65504.0, 0.0];
    for bounds in [[16, 8, 16], [16, 8, 0], [5, 3, 7], [0, 8, 16], [16, 0, 3], [-2, 40, 15], [11, 8, 1], [16, 8, 13]] {
        let at = |extent: i64, inside: &dyn Fn(i64, i64) -> bool, columns: i64| -> Vec<f64> {
            let value = |i: i64| {
                let (row, column) = (i / columns, i % columns);
                if inside(row, column) { [-1.0, 0.0, 2.0, -0.0][i as usize * 7 % 4] } else { odd[i as usize % 6] }
            };
            (0..extent * columns).map(value).collect()
        };
        let [i, j, l] = bounds;
        let args = [
            Tensor::from_f64(f16, &[16, 16], &at(16, &|row, k| row < i && k < l, 16)),
            Tensor::from_f64(f16, &[16, 8], &at(16, &|k, column| k < l && column < j, 8)),
            // Beside them all that an accumulator may hold, -0 most of all.
            Tensor::from_f64(f32, &[16, 8], &(0..128).map(|i| [-0.0, -0.0, 0.0, 3.0][i % 4]).collect::<Vec<_>>()),
            Tensor::zeros(f32, &[16, 8]),
            Tensor::from_i64(Scalar::Int(32), &[3], &bounds),
        ];
        let (_, got) = stages::alike(&format!("{bounds:?}"), &text, "sm_80", &args, 1).unwrap();
        if l <= 0 {
            // Nothing was added: what there was stays, bit by bit.
            assert_eq!(got[3].bytes, got[2].bytes, "{bounds:?}");
        }
    }
}

/// Small whole numbers.
fn numbers(elem: &str, shape: [i64; 2], odd: i64) -> Tensor {
    let scalar = match elem {
        "f16" => Scalar::Float(Float::F16),
        "f32" => Scalar::Float(Float::F32),
        "i8" => Scalar::Int(8),
        _ => Scalar::Int(32),
    };
    Tensor::from_f64(scalar, &shape, &(0..shape[0] * shape[1]).map(|i| (i * odd % 11 - 5) as f64).collect::<Vec<_>>())
}

/// Which masks the factors take, and which stay on the products.
#[test]
fn masks_that_factors_can_take() {
    let parts = |list: &str| format!("  %i1 = vector.create_mask %i : vector<KKxi1>\n{list}");
    let along_k = parts("  %mask = vector.broadcast %i1 : vector<KKxi1> to vector<16xNNxKKxi1>");
    // Along m and k: infinity in the other factor would not be left out.
    let along_rows = "  %ik = vector.create_mask %i, %l : vector<16xKKxi1>
  %e = arith.constant dense<true> : vector<16xKKxi1>
  %o = arith.xori %ik, %e : vector<16xKKxi1>
  %wide = vector.broadcast %o : vector<16xKKxi1> to vector<NNx16xKKxi1>
  %mask = vector.transpose %wide, [1, 0, 2] : vector<NNx16xKKxi1> to vector<16xNNxKKxi1>";
    let any = "  %box = vector.create_mask %i, %j, %l : vector<16xNNxKKxi1>
  %e = arith.constant dense<true> : vector<16xNNxKKxi1>
  %mask = arith.xori %box, %e : vector<16xNNxKKxi1>";
    let two = "  %box = vector.create_mask %i, %j, %l : vector<16xNNxKKxi1>
  %other = vector.constant_mask [16, 5, 9] : vector<16xNNxKKxi1>
  %k = vector.create_mask %j : vector<KKxi1>
  %odd = vector.step : vector<KKxindex>
  %half = arith.constant dense<3> : vector<KKxindex>
  %far = arith.cmpi ugt, %odd, %half : vector<KKxindex>
  %kk = arith.xori %k, %far : vector<KKxi1>
  %wide = vector.broadcast %kk : vector<KKxi1> to vector<16xNNxKKxi1>
  %both = arith.andi %box, %other : vector<16xNNxKKxi1>
  %mask = arith.andi %both, %wide : vector<16xNNxKKxi1>";
    for (mask, machine, kind, n) in [
        (BOX, FLOATS, "add", 1),
        (BOX, INTS, "add", 1),
        (BOX, FLOATS, "maximumf", 0),
        (&along_k, FLOATS, "add", 1),
        (along_rows, FLOATS, "add", 0),
        (along_rows, INTS, "add", 1),
        (any, INTS, "add", 0),
        (two, FLOATS, "add", 1),
        (two, INTS, "add", 1),
    ] {
        let text = kernel(mask, &machine, kind);
        assert_eq!(n_matrices(&text, machine.chip), n, "{} {kind}\n{mask}", machine.chip);
        for bounds in [[16, 8, 16], [5, 3, 7], [0, 8, 16], [11, 2, 1], [16, 7, 12]] {
            let args = [
                numbers(machine.factor, [16, machine.k], 7),
                numbers(machine.factor, [machine.k, machine.n], 5),
                numbers(machine.sum, [16, machine.n], 3),
                numbers(machine.sum, [16, machine.n], 0),
                Tensor::from_i64(Scalar::Int(32), &[3], &bounds),
            ];
            stages::alike(&format!("{bounds:?}"), &text, machine.chip, &args, 1).unwrap();
        }
    }
}
