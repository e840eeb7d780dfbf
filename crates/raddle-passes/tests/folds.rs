//! Scans and comparisons in layouts and programs that a faulty rule gets wrong.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::Tensor;
use raddle_ir::{Float, Scalar};
use raddle_layout::Nested;

use crate::stages;

const F32: Scalar = Scalar::Float(Float::F32);
const F64: Scalar = Scalar::Float(Float::F64);
const I32: Scalar = Scalar::Int(32);
const I64: Scalar = Scalar::Int(64);

/// One dimension: subgroup, batch, outer, thread, element, then the strides of subgroups and threads.
type Column = [i64; 7];

/// The layout of dimensions of these tiles and strides.
fn nested(columns: &[Column]) -> Nested {
    let list = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<i64>>();
    Nested::new(list(0), list(1), list(2), list(3), list(4), list(5), list(6)).unwrap()
}

/// A kernel of subgroups of 32 lanes that reads `%in`, a vector of type `ty` in the layout, as `%v`.
fn kernel(args: &str, n_subgroups: i64, layout: &Nested, elem: &str, body: &str) -> String {
    let shape = layout.undistributed_shape();
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    let zeros = vec!["%c0"; shape.len()].join(", ");
    let pad = if elem.starts_with('i') { "0" } else { "0.0" };
    let flags = vec!["true"; shape.len()].join(", ");
    format!(
        "#l = #iree_vector_ext.{layout}
func.func @kernel(%in: memref<{extents}{elem}>, {args}) attributes {{translation_info = \
         #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{}, 1, 1] \
         subgroup_size = 32>}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant {pad} : {elem}
  %read = vector.transfer_read %in[{zeros}], %pad {{in_bounds = [{flags}]}} : memref<{extents}{elem}>, vector<{extents}{elem}>
  %v = iree_vector_ext.to_layout %read to layout(#l) : vector<{extents}{elem}>
{body}
  return
}}",
        32 * n_subgroups
    )
}

/// The buffers after a run that came out the same at every stage, whatever the order of the subgroups.
#[track_caller]
fn alike(text: &str, args: &[Tensor]) -> Vec<Tensor> {
    let run = |seed| stages::alike("this", text, "sm_80", args, seed).unwrap().1;
    (1..4).fold(run(0), |_, seed| run(seed))
}

/// Layouts of 96 elements that share their dimension among lanes and subgroups in every way: in order and with gaps,
/// several tiles for each thread, numbers of lanes and subgroups that are not powers of two, lanes through the whole
/// workgroup.
fn rows() -> Vec<Nested> {
    let columns: &[Column] = &[
        [1, 1, 1, 1, 96, 0, 0],
        [1, 1, 1, 32, 3, 0, 1],
        [1, 3, 2, 8, 2, 0, 4],
        [1, 2, 3, 4, 4, 0, 1],
        [3, 1, 1, 16, 2, 1, 2],
        [3, 2, 1, 8, 2, 1, 1],
        [2, 1, 1, 8, 6, 2, 4],
        [1, 2, 1, 3, 16, 0, 1],
        [3, 1, 2, 2, 8, 1, 16],
        [1, 1, 1, 96, 1, 0, 1],
        [1, 3, 1, 16, 2, 0, 8],
        [4, 3, 1, 2, 4, 1, 1],
    ];
    columns.iter().map(|&column| nested(&[column])).collect()
}

/// Every element has the sum of those in front of it, and its own in an inclusive scan, wherever they lie.
#[test]
fn scans_run_through_tiles_lanes_and_subgroups() {
    let input = Tensor::from_i64(I32, &[96], &(0..96).map(|i| i * i % 31 - 7).collect::<Vec<_>>());
    for layout in rows() {
        for inclusive in [true, false] {
            let body = format!(
                "  %i = arith.constant dense<1000> : vector<i32>
  %s, %t = vector.scan <add>, %v, %i reduction_dim = 0, inclusive = {inclusive} : vector<96xi32>, vector<i32>
  vector.transfer_write %s, %out[%c0] {{in_bounds = [true]}} : vector<96xi32>, memref<96xi32>
  %last = vector.extract %t[] : i32 from vector<i32>
  memref.store %last, %total[%c0] : memref<1xi32>"
            );
            let text = kernel("%out: memref<96xi32>, %total: memref<1xi32>", 4, &layout, "i32", &body);
            let args = [input.clone(), Tensor::zeros(I32, &[96]), Tensor::zeros(I32, &[1])];
            let got = alike(&text, &args);
            let (mut sum, mut want) = (if inclusive { 0 } else { 1000 }, Vec::new());
            for value in input.to_f64() {
                if inclusive {
                    sum += value as i64;
                    want.push(sum as f64);
                } else {
                    want.push(sum as f64);
                    sum += value as i64;
                }
            }
            assert_eq!(got[1].to_f64(), want, "{layout}");
            assert_eq!(got[2].to_f64(), want[95..], "{layout}");
        }
    }
}

/// A sum of nothing but -0.0 is -0.0: what the parts of a scan begin with changes nothing, not even a sign. Elements that
/// a mask leaves out change nothing, either.
#[test]
fn sums_of_negative_zero_keep_their_sign() {
    let mut signs = vec![-0.0; 96];
    signs[70..].fill(3.0);
    let input = Tensor::from_f64(F32, &[96], &signs);
    for layout in rows() {
        for (inclusive, bound) in [(true, 96), (false, 96), (true, 70), (false, 70), (true, 0), (false, 0)] {
            let body = format!(
                "  %i = arith.constant dense<-0.0> : vector<f32>
  %m = vector.constant_mask [{bound}] : vector<96xi1>
  %s:2 = vector.mask %m {{ vector.scan <add>, %v, %i reduction_dim = 0, inclusive = {inclusive} : vector<96xf32>, vector<f32> }} : vector<96xi1> -> (vector<96xf32>, vector<f32>)
  vector.transfer_write %s#0, %out[%c0] {{in_bounds = [true]}} : vector<96xf32>, memref<96xf32>
  %last = vector.extract %s#1[] : f32 from vector<f32>
  memref.store %last, %total[%c0] : memref<1xf32>"
            );
            let text = kernel("%out: memref<96xf32>, %total: memref<1xf32>", 4, &layout, "f32", &body);
            let args = [input.clone(), Tensor::zeros(F32, &[96]), Tensor::zeros(F32, &[1])];
            let got = alike(&text, &args);
            let behind = |at: usize| (at + usize::from(inclusive)).clamp(70, bound.max(70)) - 70;
            let want: Vec<f64> =
                (0..96).map(|at| if behind(at) == 0 { -0.0 } else { 3.0 * behind(at) as f64 }).collect();
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&got[1].to_f64()), bits(&want), "{bound} {inclusive} {layout}");
            assert_eq!(bits(&got[2].to_f64()), bits(&want[95..]), "{bound} {inclusive} {layout}");
        }
    }
}

/// Combining with what lies in front does not commute with what lies behind: rows and columns of a matrix, for each kind.
#[test]
fn scans_combine_along_one_dimension_of_several() {
    let layouts = [
        nested(&[[2, 1, 2, 4, 1, 1, 8], [1, 2, 1, 8, 1, 0, 1]]),
        nested(&[[1, 2, 1, 2, 4, 0, 1], [2, 1, 1, 4, 2, 1, 2]]),
        nested(&[[1, 1, 1, 3, 1, 0, 1], [2, 2, 2, 1, 2, 1, 0]]),
    ];
    for layout in &layouts {
        let shape = layout.undistributed_shape();
        let (m, n) = (shape[0], shape[1]);
        let input: Vec<i64> = (0..m * n).map(|i| (i * 37 + 11) % 101 - 50).collect();
        for kind in ["add", "mul", "minsi", "maxui", "and", "or", "xor"] {
            for (dim, kept) in [(0, n), (1, m)] {
                for inclusive in [true, false] {
                    let ty = format!("vector<{m}x{n}xi32>");
                    let body = format!(
                        "  %i = arith.constant dense<5> : vector<{kept}xi32>
  %s, %t = vector.scan <{kind}>, %v, %i reduction_dim = {dim}, inclusive = {inclusive} : {ty}, vector<{kept}xi32>
  vector.transfer_write %s, %out[%c0, %c0] {{in_bounds = [true, true]}} : {ty}, memref<{m}x{n}xi32>
  vector.transfer_write %t, %total[%c0] {{in_bounds = [true]}} : vector<{kept}xi32>, memref<{kept}xi32>"
                    );
                    let args = format!("%out: memref<{m}x{n}xi32>, %total: memref<{kept}xi32>");
                    let text = kernel(&args, 2, layout, "i32", &body);
                    let zeros = |shape: &[i64]| Tensor::zeros(I32, shape);
                    alike(&text, &[Tensor::from_i64(I32, &shape, &input), zeros(&shape), zeros(&[kept])]);
                }
            }
        }
    }
}

/// Elements of two words travel as two.
#[test]
fn scans_of_wide_elements_cross_lanes() {
    let f64s = Tensor::from_f64(F64, &[96], &(0..96).map(|i| f64::from(i) * 1e-300).collect::<Vec<_>>());
    let i64s = Tensor::from_i64(I64, &[96], &(0..96).map(|i| (i << 40) - i).collect::<Vec<_>>());
    for layout in rows() {
        for (elem, kind, zero, input) in [("f64", "maxnumf", "0.0", &f64s), ("i64", "add", "0", &i64s)] {
            let body = format!(
                "  %i = arith.constant dense<{zero}> : vector<{elem}>
  %s, %t = vector.scan <{kind}>, %v, %i reduction_dim = 0, inclusive = true : vector<96x{elem}>, vector<{elem}>
  vector.transfer_write %s, %out[%c0] {{in_bounds = [true]}} : vector<96x{elem}>, memref<96x{elem}>"
            );
            let text = kernel(&format!("%out: memref<96x{elem}>"), 4, &layout, elem, &body);
            let got = alike(&text, &[input.clone(), Tensor::zeros(input.elem, &[96])]);
            let mut last = 0;
            let sums = |i: i64| {
                last += (i << 40) - i;
                last
            };
            let want = if elem == "f64" {
                input.clone()
            } else {
                Tensor::from_i64(I64, &[96], &(0..96).map(sums).collect::<Vec<_>>())
            };
            assert_eq!(got[1].bytes, want.bytes, "{layout}");
        }
    }
}

/// In a loop, what subgroups leave for one another is written again only when everyone has read it.
#[test]
fn scans_and_comparisons_in_loops_wait_for_the_round_before() {
    let layout = nested(&[[4, 1, 1, 32, 1, 1, 1]]);
    let scan = "%i = arith.constant dense<0.0> : vector<f32>
    %s, %t = vector.scan <add>, %acc, %i reduction_dim = 0, inclusive = WHICH : vector<128xf32>, vector<f32>
    %two = arith.constant dense<2.0> : vector<128xf32>
    %next = arith.minimumf %s, %two : vector<128xf32>";
    let compare = "%w = arith.constant dense<-1.0> : vector<f32>
    %i = arith.constant dense<-1> : vector<i32>
    %x, %at = iree_vector_ext.arg_compare dimension(0) ins(%acc : vector<128xf32>)
        inits(%w, %i : vector<f32>, vector<i32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.cmpf ogt, %a, %b : f32
      iree_vector_ext.yield %c : i1
    } -> vector<f32>, vector<i32>
    %far = arith.sitofp %at : vector<i32> to vector<f32>
    %wide = vector.broadcast %far : vector<f32> to vector<128xf32>
    %next = arith.subf %wide, %acc : vector<128xf32>";
    for what in [scan.replace("WHICH", "true"), scan.replace("WHICH", "false"), compare.to_owned()] {
        let body = format!(
            "  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %v) -> (vector<128xf32>) {{
    {what}
    scf.yield %next : vector<128xf32>
  }}
  vector.transfer_write %r, %out[%c0] {{in_bounds = [true]}} : vector<128xf32>, memref<128xf32>"
        );
        let text = kernel("%out: memref<128xf32>", 4, &layout, "f32", &body);
        let input: Vec<f64> = (0..128).map(|i| f64::from(i * 7 % 5)).collect();
        alike(&text, &[Tensor::from_f64(F32, &[128], &input), Tensor::zeros(F32, &[128])]);
    }
}

/// What an `arg_compare` of 96 elements finds: value and index, at every stage alike.
#[track_caller]
fn winner(
    layout: &Nested,
    elem: &str,
    predicate: &str,
    input: &Tensor,
    init: &str,
    indices: Option<&[i64]>,
) -> [f64; 2] {
    let (ins, constant) = match indices {
        Some(indices) => (
            format!("%v, %n : vector<96x{elem}>, vector<96xi32>"),
            format!("%n = arith.constant dense<{indices:?}> : vector<96xi32>"),
        ),
        None => (format!("%v : vector<96x{elem}>"), String::new()),
    };
    let cmp = if elem.starts_with('i') { "cmpi" } else { "cmpf" };
    let body = format!(
        "  {constant}
  %w = arith.constant dense<{init}> : vector<{elem}>
  %i = arith.constant dense<-7> : vector<i32>
  %x, %at = iree_vector_ext.arg_compare dimension(0) ins({ins}) inits(%w, %i : vector<{elem}>, vector<i32>) {{
  ^bb0(%a: {elem}, %b: {elem}):
    %c = arith.{cmp} {predicate}, %a, %b : {elem}
    iree_vector_ext.yield %c : i1
  }} -> vector<{elem}>, vector<i32>
  %value = vector.extract %x[] : {elem} from vector<{elem}>
  %place = vector.extract %at[] : i32 from vector<i32>
  memref.store %value, %best[%c0] : memref<1x{elem}>
  memref.store %place, %where[%c0] : memref<1xi32>"
    );
    let text = kernel(&format!("%best: memref<1x{elem}>, %where: memref<1xi32>"), 4, layout, elem, &body);
    let got = alike(&text, &[input.clone(), Tensor::zeros(input.elem, &[1]), Tensor::zeros(I32, &[1])]);
    [got[1].to_f64()[0], got[2].to_f64()[0]]
}

/// Of equal elements the first one wins, or the last one where the comparator lets equal ones win; it does not matter
/// which lane has it, nor what its index is.
#[test]
fn ties_are_decided_by_place() {
    let values: Vec<i64> = (0..96).map(|i| if i % 8 == 5 && i > 20 { 9 } else { i % 7 }).collect();
    let input = Tensor::from_i64(I32, &[96], &values);
    let backwards: Vec<i64> = (0..96).map(|i| 200 - i).collect();
    for layout in rows() {
        assert_eq!(winner(&layout, "i32", "sgt", &input, "0", None), [9.0, 21.0], "{layout}");
        assert_eq!(winner(&layout, "i32", "sge", &input, "0", None), [9.0, 93.0], "{layout}");
        assert_eq!(winner(&layout, "i32", "sgt", &input, "0", Some(&backwards)), [9.0, 179.0], "{layout}");
        // An initial value that nothing beats keeps its index.
        assert_eq!(winner(&layout, "i32", "sgt", &input, "9", Some(&backwards)), [9.0, -7.0], "{layout}");
        assert_eq!(winner(&layout, "i32", "slt", &input, "-3", None), [-3.0, -7.0], "{layout}");
        // Where equal ones win, the last one wins over it, too.
        assert_eq!(winner(&layout, "i32", "sge", &input, "9", None), [9.0, 93.0], "{layout}");
    }
}

/// The first of equal elements may lie in a later lane than others, whose tiles come behind.
#[test]
fn the_first_place_need_not_be_in_the_first_lane() {
    for first in [7, 15, 23, 31, 47] {
        let values: Vec<i64> = (0..96).map(|i| if i == first || i > first && i % 4 == 0 { 9 } else { i % 7 }).collect();
        let input = Tensor::from_i64(I32, &[96], &values);
        for layout in rows() {
            assert_eq!(winner(&layout, "i32", "sgt", &input, "0", None), [9.0, first as f64], "{first}, {layout}");
        }
    }
}

/// Each plain order finds its own winner.
#[test]
fn orders_are_what_they_say() {
    let values: Vec<i64> = (0..96).map(|i| (i * 37) % 101 - 50).collect();
    let (whole, real) = (
        Tensor::from_i64(I32, &[96], &values),
        Tensor::from_f64(F32, &[96], &values.iter().map(|&value| value as f64).collect::<Vec<_>>()),
    );
    let place = |f: &dyn Fn(i64, i64) -> bool| -> [f64; 2] {
        let at = (1..96).fold(0, |best, at| if f(values[at], values[best]) { at } else { best });
        [values[at] as f64, at as f64]
    };
    for layout in rows() {
        for (elem, input, predicate, init, order) in [
            ("i32", &whole, "sgt", "-99", &(|a, b| a > b) as &dyn Fn(i64, i64) -> bool),
            ("i32", &whole, "slt", "99", &|a, b| a < b),
            ("i32", &whole, "ugt", "0", &|a, b| a as u32 > b as u32),
            ("i32", &whole, "ult", "-1", &|a, b| (a as u32) < b as u32),
            ("f32", &real, "ogt", "-99.0", &|a, b| a > b),
            ("f32", &real, "olt", "99.0", &|a, b| a < b),
        ] {
            assert_eq!(winner(&layout, elem, predicate, input, init, None), place(order), "{predicate}, {layout}");
        }
    }
}

/// NaN beats nothing and nothing beats NaN, where it was there first; zeros are equal, whatever their signs.
#[test]
fn comparisons_of_nan_and_zeros_are_those_in_order() {
    let mut values: Vec<f64> = (0..96).map(|i| if i % 3 == 0 { f64::NAN } else { -0.0 }).collect();
    (values[50], values[71]) = (0.0, 0.0);
    let input = Tensor::from_f64(F32, &[96], &values);
    for layout in rows() {
        let [value, at] = winner(&layout, "f32", "ogt", &input, "-1.0", None);
        assert_eq!([value.to_bits(), at.to_bits()], [(-0.0f64).to_bits(), 1.0f64.to_bits()], "{layout}");
        let [value, at] = winner(&layout, "f32", "olt", &input, "0x7FC00000", None);
        assert!(value.is_nan() && at == -7.0, "{layout}: {value} at {at}");
    }
}

/// Each row has a winner of its own, though several rows lie in one subgroup; and lanes that hold copies of a row agree.
#[test]
fn rows_of_one_subgroup_do_not_mix() {
    let layouts = [
        nested(&[[1, 1, 1, 8, 1, 0, 1], [1, 1, 1, 4, 4, 0, 8]]),
        nested(&[[1, 1, 1, 8, 1, 0, 4], [1, 1, 1, 4, 4, 0, 1]]),
        nested(&[[1, 2, 1, 4, 1, 0, 8], [2, 1, 1, 4, 2, 1, 1]]),
        nested(&[[1, 1, 2, 2, 2, 0, 2], [1, 2, 1, 2, 4, 0, 16]]),
        nested(&[[2, 1, 2, 2, 1, 1, 4], [1, 1, 1, 4, 4, 0, 1]]),
    ];
    let values: Vec<f64> = (0..128).map(|i| f64::from(i * 29 % 13)).collect();
    for layout in &layouts {
        // Nothing beats the NaN that two of the rows begin with.
        let body =
            "  %w = arith.constant dense<[-1.0, -1.0, 0x7FC00000, -1.0, -1.0, -1.0, 0x7FC00000, -1.0]> : vector<8xf32>
  %i = arith.constant dense<[-1, -2, -3, -4, -5, -6, -7, -8]> : vector<8xi64>
  %x, %at = iree_vector_ext.arg_compare dimension(1) ins(%v : vector<8x16xf32>)
      inits(%w, %i : vector<8xf32>, vector<8xi64>) index_base(%c3 : index) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_vector_ext.yield %c : i1
  } -> vector<8xf32>, vector<8xi64>
  vector.transfer_write %x, %best[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
  vector.transfer_write %at, %where[%c0] {in_bounds = [true]} : vector<8xi64>, memref<8xi64>
  %far = arith.sitofp %at : vector<8xi64> to vector<8xf32>
  %both = arith.addf %x, %far : vector<8xf32>
  %wide = vector.broadcast %both : vector<8xf32> to vector<16x8xf32>
  %rows = vector.transpose %wide, [1, 0] : vector<16x8xf32> to vector<8x16xf32>
  %less = arith.subf %v, %rows : vector<8x16xf32>
  vector.transfer_write %less, %all[%c0, %c0] {in_bounds = [true, true]} : vector<8x16xf32>, memref<8x16xf32>";
        // Every lane has the winner of its row, not only the one that writes it.
        let args = "%best: memref<8xf32>, %where: memref<8xi64>, %all: memref<8x16xf32>";
        let text = kernel(args, 2, layout, "f32", body);
        let (places, all) = (Tensor::zeros(Scalar::Int(64), &[8]), Tensor::zeros(F32, &[8, 16]));
        let got = alike(&text, &[Tensor::from_f64(F32, &[8, 16], &values), Tensor::zeros(F32, &[8]), places, all]);
        for (row, values) in values.chunks(16).enumerate() {
            if row == 2 || row == 6 {
                assert!(got[1].to_f64()[row].is_nan() && got[2].to_f64()[row] == -1.0 - row as f64, "{layout}");
                continue;
            }
            let best = values.iter().copied().fold(0.0, f64::max);
            let at = values.iter().position(|&value| value == best).unwrap();
            assert_eq!([got[1].to_f64()[row], got[2].to_f64()[row]], [best, at as f64 + 3.0], "{layout}");
        }
    }
}

/// Under a mask, elements that it leaves out do not win, wherever they lie. The whole-workgroup program is the same with
/// the least number in their places.
#[test]
fn masked_elements_do_not_win() {
    let values: Vec<i64> = (0..96).map(|i| (i * 37) % 101).collect();
    let input = Tensor::from_i64(I32, &[96], &values);
    for layout in rows() {
        for bound in [0, 1, 40, 96] {
            let body = |masked: bool| {
                let compare = "iree_vector_ext.arg_compare dimension(0) ins(%x : vector<96xi32>)
      inits(%w, %i : vector<i32>, vector<i32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi sgt, %a, %b : i32
    iree_vector_ext.yield %c : i1
  } -> vector<i32>, vector<i32>";
                let (x, found) = if masked {
                    let found = format!(
                        "%f:2 = \"vector.mask\"(%m) ({{
    %g:2 = {compare}
    vector.yield %g#0, %g#1 : vector<i32>, vector<i32>
  }}) : (vector<96xi1>) -> (vector<i32>, vector<i32>)"
                    );
                    ("%x = arith.addi %v, %none : vector<96xi32>", found)
                } else {
                    ("%x = arith.select %m, %v, %least : vector<96xi1>, vector<96xi32>", format!("%f:2 = {compare}"))
                };
                format!(
                    "  %w = arith.constant dense<-1> : vector<i32>
  %i = arith.constant dense<-7> : vector<i32>
  %none = arith.constant dense<0> : vector<96xi32>
  %least = arith.constant dense<-9> : vector<96xi32>
  %m = vector.constant_mask [{bound}] : vector<96xi1>
  {x}
  {found}
  %value = vector.extract %f#0[] : i32 from vector<i32>
  %place = vector.extract %f#1[] : i32 from vector<i32>
  memref.store %value, %best[%c0] : memref<1xi32>
  memref.store %place, %where[%c0] : memref<1xi32>"
                )
            };
            let args = [input.clone(), Tensor::zeros(I32, &[1]), Tensor::zeros(I32, &[1])];
            let of = |masked: bool| {
                let text = kernel("%best: memref<1xi32>, %where: memref<1xi32>", 4, &layout, "i32", &body(masked));
                if masked { stages::lowered(&text, "sm_80", &args) } else { alike(&text, &args) }
            };
            let (got, want) = (of(true), of(false));
            assert_eq!([&got[1], &got[2]], [&want[1], &want[2]], "bound {bound}, {layout}");
        }
    }
}

/// Indices that lie elsewhere than the values they belong to are brought to them.
#[test]
fn indices_come_to_their_values() {
    let values: Vec<i64> = (0..96).map(|i| (i * 37) % 101).collect();
    let indices: Vec<i64> = (0..96).map(|i| 1000 - i).collect();
    let best = (0..96).max_by_key(|&i| values[i]).unwrap();
    let elsewhere = nested(&[[4, 3, 1, 2, 4, 1, 16]]);
    for layout in rows() {
        let body = format!(
            "  %n = arith.constant dense<{indices:?}> : vector<96xi32>
  %far = iree_vector_ext.to_layout %n to layout(#iree_vector_ext.{elsewhere}) : vector<96xi32>
  vector.transfer_write %far, %copy[%c0] {{in_bounds = [true]}} : vector<96xi32>, memref<96xi32>
  %w = arith.constant dense<-1> : vector<i32>
  %x, %at = iree_vector_ext.arg_compare dimension(0) ins(%v, %far : vector<96xi32>, vector<96xi32>)
      inits(%w, %w : vector<i32>, vector<i32>) {{
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi sgt, %a, %b : i32
    iree_vector_ext.yield %c : i1
  }} -> vector<i32>, vector<i32>
  %place = vector.extract %at[] : i32 from vector<i32>
  memref.store %place, %where[%c0] : memref<1xi32>"
        );
        let text = kernel("%copy: memref<96xi32>, %where: memref<1xi32>", 4, &layout, "i32", &body);
        let args = [Tensor::from_i64(I32, &[96], &values), Tensor::zeros(I32, &[96]), Tensor::zeros(I32, &[1])];
        assert_eq!(alike(&text, &args)[2].to_f64(), [indices[best] as f64], "{layout}");
    }
}
