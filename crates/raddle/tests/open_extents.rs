//! Extents that only the run knows: one kernel for all sizes gives what the program as written gives, at every stage, and
//! as PTX.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common;
use raddle::pipeline::Program;
use raddle::run::{Launch, Options, Tensor, evaluate, ptx, with_extents};
use raddle_ir::{Ir, OpId, Scalar, Type};
use raddle_passes::{Facts, symbols};
use raddle_target::{Lowered, Stage, chip, stage};

/// A program whose open extents are named by letters: `$m` in a shape is `?` or a number.
struct Case {
    name: &'static str,
    text: &'static str,
    /// The element type and the dimensions of each argument.
    args: &'static [(&'static str, &'static [char])],
    dims: &'static [char],
    /// How far results may be from what the program as written gives, as a part of a number's size or of one.
    tolerance: f64,
}

/// Dimensions that are never open.
const FIXED: [(char, i64); 2] = [('B', 2), ('D', 64)];

const CASES: &[Case] = &[
    Case {
        name: "matmul",
        text: "func.func @f(%a: tensor<$mx$kxf16>, %b: tensor<$kx$nxf16>) -> tensor<$mx$nxf32> {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 0 $m, %b 1 $n) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mx$nxf32>) -> tensor<$mx$nxf32>
            %r = linalg.matmul ins(%a, %b : tensor<$mx$kxf16>, tensor<$kx$nxf16>) outs(%i : tensor<$mx$nxf32>) -> tensor<$mx$nxf32>
            return %r : tensor<$mx$nxf32>
        }",
        args: &[("f16", &['m', 'k']), ("f16", &['k', 'n'])],
        dims: &['m', 'n', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "batch_matmul_transposed",
        text: "#A = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
        #B = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
        #C = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
        func.func @f(%a: tensor<$bx$mx$kxf16>, %b: tensor<$bx$nx$kxf16>) -> tensor<$bx$mx$nxf32> {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 0 $b, %a 1 $m, %b 1 $n) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$bx$mx$nxf32>) -> tensor<$bx$mx$nxf32>
            %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"reduction\"]}
                ins(%a, %b : tensor<$bx$mx$kxf16>, tensor<$bx$nx$kxf16>) outs(%i : tensor<$bx$mx$nxf32>) {
              ^bb0(%x: f16, %y: f16, %acc: f32):
                %xw = arith.extf %x : f16 to f32
                %yw = arith.extf %y : f16 to f32
                %p = arith.mulf %xw, %yw : f32
                %s = arith.addf %acc, %p : f32
                linalg.yield %s : f32
              } -> tensor<$bx$mx$nxf32>
            return %r : tensor<$bx$mx$nxf32>
        }",
        args: &[("f16", &['b', 'm', 'k']), ("f16", &['b', 'n', 'k'])],
        dims: &['b', 'm', 'n', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "matmul_of_columns",
        text: "#A = affine_map<(d0, d1, d2) -> (d2, d0)>
        #B = affine_map<(d0, d1, d2) -> (d2, d1)>
        #C = affine_map<(d0, d1, d2) -> (d0, d1)>
        func.func @f(%a: tensor<$kx$mxf16>, %b: tensor<$kx$nxf16>) -> tensor<$mx$nxf32> {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 1 $m, %b 1 $n) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mx$nxf32>) -> tensor<$mx$nxf32>
            %r = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}
                ins(%a, %b : tensor<$kx$mxf16>, tensor<$kx$nxf16>) outs(%i : tensor<$mx$nxf32>) {
              ^bb0(%x: f16, %y: f16, %acc: f32):
                %xw = arith.extf %x : f16 to f32
                %yw = arith.extf %y : f16 to f32
                %p = arith.mulf %xw, %yw : f32
                %s = arith.addf %acc, %p : f32
                linalg.yield %s : f32
              } -> tensor<$mx$nxf32>
            return %r : tensor<$mx$nxf32>
        }",
        args: &[("f16", &['k', 'm']), ("f16", &['k', 'n'])],
        dims: &['m', 'n', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "matvec",
        text: "func.func @f(%a: tensor<$mx$kxf32>, %b: tensor<$kxf32>) -> tensor<$mxf32> {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 0 $m) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mxf32>) -> tensor<$mxf32>
            %r = linalg.matvec ins(%a, %b : tensor<$mx$kxf32>, tensor<$kxf32>) outs(%i : tensor<$mxf32>) -> tensor<$mxf32>
            return %r : tensor<$mxf32>
        }",
        args: &[("f32", &['m', 'k']), ("f32", &['k'])],
        dims: &['m', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "matmul_bias_relu",
        text: "#id = affine_map<(d0, d1) -> (d0, d1)>
        #row = affine_map<(d0, d1) -> (d1)>
        func.func @f(%a: tensor<$mx$kxf16>, %b: tensor<$kx$nxf16>, %c: tensor<$nxf32>) -> tensor<$mx$nxf32> {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 0 $m, %b 1 $n) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mx$nxf32>) -> tensor<$mx$nxf32>
            %p = linalg.matmul ins(%a, %b : tensor<$mx$kxf16>, tensor<$kx$nxf16>) outs(%i : tensor<$mx$nxf32>) -> tensor<$mx$nxf32>
            %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]}
                ins(%p, %c : tensor<$mx$nxf32>, tensor<$nxf32>) outs(%e : tensor<$mx$nxf32>) {
              ^bb0(%x: f32, %y: f32, %o: f32):
                %s = arith.addf %x, %y : f32
                %t = arith.maximumf %s, %z : f32
                linalg.yield %t : f32
              } -> tensor<$mx$nxf32>
            return %r : tensor<$mx$nxf32>
        }",
        args: &[("f16", &['m', 'k']), ("f16", &['k', 'n']), ("f32", &['n'])],
        dims: &['m', 'n', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "row_and_column_sums",
        text: "#id = affine_map<(d0, d1) -> (d0, d1)>
        #row = affine_map<(d0, d1) -> (d0)>
        #column = affine_map<(d0, d1) -> (d1)>
        func.func @f(%a: tensor<$mx$nxf32>) -> (tensor<$mxf32>, tensor<$nxf32>) {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 0 $m) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mxf32>) -> tensor<$mxf32>
            %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]}
                ins(%a : tensor<$mx$nxf32>) outs(%i : tensor<$mxf32>) {
              ^bb0(%x: f32, %o: f32):
                %s = arith.addf %x, %o : f32
                linalg.yield %s : f32
              } -> tensor<$mxf32>
            %d = $empty(%a 1 $n) f32
            %j = linalg.fill ins(%z : f32) outs(%d : tensor<$nxf32>) -> tensor<$nxf32>
            %q = linalg.generic {indexing_maps = [#id, #column], iterator_types = [\"reduction\", \"parallel\"]}
                ins(%a : tensor<$mx$nxf32>) outs(%j : tensor<$nxf32>) {
              ^bb0(%x: f32, %o: f32):
                %s = arith.maximumf %x, %o : f32
                linalg.yield %s : f32
              } -> tensor<$nxf32>
            return %r, %q : tensor<$mxf32>, tensor<$nxf32>
        }",
        args: &[("f32", &['m', 'n'])],
        dims: &['m', 'n'],
        tolerance: 0.0,
    },
    Case {
        name: "transpose_and_scale",
        text: "#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
        #perm = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
        func.func @f(%a: tensor<$kx$mx$nxi32>, %by: i32) -> tensor<$mx$nx$kxi32> {
            %e = $empty(%a 1 $m, %a 2 $n, %a 0 $k) i32
            %r = linalg.generic {indexing_maps = [#perm, #id], iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}
                ins(%a : tensor<$kx$mx$nxi32>) outs(%e : tensor<$mx$nx$kxi32>) {
              ^bb0(%x: i32, %o: i32):
                %s = arith.muli %x, %by : i32
                linalg.yield %s : i32
              } -> tensor<$mx$nx$kxi32>
            return %r : tensor<$mx$nx$kxi32>
        }",
        args: &[("i32", &['k', 'm', 'n']), ("i32", &[])],
        dims: &['m', 'n', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "centred_rows",
        text: "#id = affine_map<(d0, d1) -> (d0, d1)>
        #row = affine_map<(d0, d1) -> (d0)>
        func.func @f(%a: tensor<$mx$nxf32>) -> tensor<$mx$nxf32> {
            %z = arith.constant 0.0 : f32
            %e = $empty(%a 0 $m) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mxf32>) -> tensor<$mxf32>
            %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]}
                ins(%a : tensor<$mx$nxf32>) outs(%i : tensor<$mxf32>) {
              ^bb0(%x: f32, %o: f32):
                %s = arith.addf %x, %o : f32
                linalg.yield %s : f32
              } -> tensor<$mxf32>
            %d = $empty(%a 0 $m, %a 1 $n) f32
            %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = [\"parallel\", \"parallel\"]}
                ins(%a, %r : tensor<$mx$nxf32>, tensor<$mxf32>) outs(%d : tensor<$mx$nxf32>) {
              ^bb0(%x: f32, %y: f32, %o: f32):
                %s = arith.subf %x, %y : f32
                linalg.yield %s : f32
              } -> tensor<$mx$nxf32>
            return %q : tensor<$mx$nxf32>
        }",
        args: &[("f32", &['m', 'n'])],
        dims: &['m', 'n'],
        tolerance: 0.0,
    },
    Case {
        name: "softmax",
        text: "func.func @f(%a: tensor<$mx$nxf32>) -> tensor<$mx$nxf32> {
            %d = $empty(%a 0 $m, %a 1 $n) f32
            %q = linalg.softmax dimension(1) ins(%a : tensor<$mx$nxf32>) outs(%d : tensor<$mx$nxf32>) -> tensor<$mx$nxf32>
            return %q : tensor<$mx$nxf32>
        }",
        args: &[("f32", &['m', 'n'])],
        dims: &['m', 'n'],
        tolerance: 1e-5,
    },
    Case {
        name: "norm_of_rows_and_their_sums",
        text: "#id = affine_map<(d0, d1) -> (d0, d1)>
        #row = affine_map<(d0, d1) -> (d0)>
        #column = affine_map<(d0, d1) -> (d1)>
        func.func @f(%a: tensor<$mx$nxf32>, %b: tensor<$nxf32>) -> (tensor<$mx$nxf32>, tensor<$mxf32>) {
            %z = arith.constant 0.0 : f32
            %one = arith.constant 1.0 : f32
            %e = $empty(%a 0 $m) f32
            %i = linalg.fill ins(%z : f32) outs(%e : tensor<$mxf32>) -> tensor<$mxf32>
            %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", \"reduction\"]}
                ins(%a : tensor<$mx$nxf32>) outs(%i : tensor<$mxf32>) {
              ^bb0(%x: f32, %o: f32):
                %s = arith.addf %x, %o : f32
                linalg.yield %s : f32
              } -> tensor<$mxf32>
            %t = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = [\"parallel\", \"reduction\"]}
                ins(%a, %r : tensor<$mx$nxf32>, tensor<$mxf32>) outs(%i : tensor<$mxf32>) {
              ^bb0(%x: f32, %y: f32, %o: f32):
                %u = arith.subf %x, %y : f32
                %v = arith.mulf %u, %u : f32
                %s = arith.addf %v, %o : f32
                linalg.yield %s : f32
              } -> tensor<$mxf32>
            %d = $empty(%a 0 $m, %a 1 $n) f32
            %q = linalg.generic {indexing_maps = [#id, #row, #row, #column, #id], iterator_types = [\"parallel\", \"parallel\"]}
                ins(%a, %r, %t, %b : tensor<$mx$nxf32>, tensor<$mxf32>, tensor<$mxf32>, tensor<$nxf32>) outs(%d : tensor<$mx$nxf32>) {
              ^bb0(%x: f32, %y: f32, %v: f32, %g: f32, %o: f32):
                %s = arith.subf %x, %y : f32
                %w = arith.addf %v, %one : f32
                %h = math.rsqrt %w : f32
                %k = arith.mulf %s, %h : f32
                %l = arith.mulf %k, %g : f32
                linalg.yield %l : f32
              } -> tensor<$mx$nxf32>
            return %q, %r : tensor<$mx$nxf32>, tensor<$mxf32>
        }",
        args: &[("f32", &['m', 'n']), ("f32", &['n'])],
        dims: &['m', 'n'],
        tolerance: 1e-5,
    },
    Case {
        name: "attention",
        text: "func.func @f(%a: tensor<$Bx$mx$Dxf16>, %b: tensor<$Bx$nx$Dxf16>, %c: tensor<$Bx$nx$Dxf16>) -> tensor<$Bx$mx$Dxf16> {
            %scale = arith.constant 0.125 : f16
            %d = $empty(%a 0 $B, %a 1 $m, %a 2 $D) f16
            %r = iree_linalg_ext.attention {indexing_maps = [
                affine_map<(b, m, d, k, n) -> (b, m, d)>, affine_map<(b, m, d, k, n) -> (b, k, d)>,
                affine_map<(b, m, d, k, n) -> (b, k, n)>, affine_map<(b, m, d, k, n) -> ()>,
                affine_map<(b, m, d, k, n) -> (b, m, n)>]}
                ins(%a, %b, %c, %scale : tensor<$Bx$mx$Dxf16>, tensor<$Bx$nx$Dxf16>, tensor<$Bx$nx$Dxf16>, f16)
                outs(%d : tensor<$Bx$mx$Dxf16>) {
              ^bb0(%x: f32):
                iree_linalg_ext.yield %x : f32
              } -> tensor<$Bx$mx$Dxf16>
            return %r : tensor<$Bx$mx$Dxf16>
        }",
        args: &[("f16", &['B', 'm', 'D']), ("f16", &['B', 'n', 'D']), ("f16", &['B', 'n', 'D'])],
        dims: &['m', 'n'],
        tolerance: 4e-3,
    },
    Case {
        name: "best_of_lines",
        text: "func.func @f(%a: tensor<$mx$nxf32>, %b: tensor<$mx$kxf32>) -> (tensor<$mx$kxf32>, tensor<$mx$kxi32>, tensor<$mx$kxf32>, tensor<$mx$kxi32>) {
            %least = arith.constant -2.0 : f32
            %z = arith.constant -1 : i32
            %d = $empty(%b 0 $m, %b 1 $k) f32
            %e = $empty(%b 0 $m, %b 1 $k) i32
            %v = linalg.fill ins(%least : f32) outs(%d : tensor<$mx$kxf32>) -> tensor<$mx$kxf32>
            %i = linalg.fill ins(%z : i32) outs(%e : tensor<$mx$kxi32>) -> tensor<$mx$kxi32>
            %r:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<$mx$nxf32>) outs(%v, %i : tensor<$mx$kxf32>, tensor<$mx$kxi32>) {
              ^bb0(%x: f32, %y: f32):
                %c = arith.cmpf ogt, %x, %y : f32
                iree_linalg_ext.yield %c : i1
              } -> tensor<$mx$kxf32>, tensor<$mx$kxi32>
            %q:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<$mx$nxf32>) outs(%b, %i : tensor<$mx$kxf32>, tensor<$mx$kxi32>) {
              ^bb0(%x: f32, %y: f32):
                %c = arith.cmpf ole, %x, %y : f32
                iree_linalg_ext.yield %c : i1
              } -> tensor<$mx$kxf32>, tensor<$mx$kxi32>
            return %r#0, %r#1, %q#0, %q#1 : tensor<$mx$kxf32>, tensor<$mx$kxi32>, tensor<$mx$kxf32>, tensor<$mx$kxi32>
        }",
        args: &[("f32", &['m', 'n']), ("f32", &['m', 'k'])],
        dims: &['m', 'n', 'k'],
        tolerance: 0.0,
    },
    Case {
        name: "sorted_lines",
        text: "func.func @f(%a: tensor<$mx$nxi64>, %b: tensor<$mx$nxf32>) -> (tensor<$mx$nxi64>, tensor<$mx$nxf32>) {
            %r:2 = iree_linalg_ext.sort dimension(1) outs(%a, %b : tensor<$mx$nxi64>, tensor<$mx$nxf32>) {
              ^bb0(%x: i64, %y: i64, %p: f32, %q: f32):
                %c = arith.cmpi sgt, %x, %y : i64
                iree_linalg_ext.yield %c : i1
              } -> tensor<$mx$nxi64>, tensor<$mx$nxf32>
            return %r#0, %r#1 : tensor<$mx$nxi64>, tensor<$mx$nxf32>
        }",
        args: &[("i64", &['m', 'n']), ("f32", &['m', 'n'])],
        dims: &['m', 'n'],
        tolerance: 0.0,
    },
    Case {
        name: "rows_updated",
        text: "func.func @f(%a: tensor<$kx$nxf32>, %b: tensor<$kxi32>, %c: tensor<$mx$nxf32>) -> (tensor<$mx$nxf32>, tensor<$mx$nxf32>) {
            %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%a, %b : tensor<$kx$nxf32>, tensor<$kxi32>) outs(%c : tensor<$mx$nxf32>) {
              ^bb0(%x: f32, %y: f32):
                iree_linalg_ext.yield %x : f32
              } -> tensor<$mx$nxf32>
            %q = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%a, %b : tensor<$kx$nxf32>, tensor<$kxi32>) outs(%c : tensor<$mx$nxf32>) {
              ^bb0(%x: f32, %y: f32):
                %s = arith.subf %x, %y : f32
                iree_linalg_ext.yield %s : f32
              } -> tensor<$mx$nxf32>
            return %r, %q : tensor<$mx$nxf32>, tensor<$mx$nxf32>
        }",
        args: &[("f32", &['k', 'n']), ("i32", &['k']), ("f32", &['m', 'n'])],
        dims: &['m', 'n', 'k'],
        tolerance: 0.0,
    },
];

/// The program with these dimensions open, and numbers for the others.
fn program(case: &Case, open: &dyn Fn(char) -> bool, sizes: &dyn Fn(char) -> i64) -> String {
    let mut text = String::new();
    for line in case.text.lines() {
        let Some((target, rest)) = line.split_once(" = $empty(") else {
            text += line;
            text += "\n";
            continue;
        };
        let (dims, elem) = rest.split_once(") ").unwrap();
        let (mut operands, mut shape) = (Vec::new(), String::new());
        for (at, dim) in dims.split(", ").enumerate() {
            let [source, number, letter] = dim.split(' ').collect::<Vec<_>>()[..] else { panic!("{dim}") };
            let letter = letter.chars().nth(1).unwrap();
            shape += &format!("${letter}x");
            if FIXED.iter().all(|row| row.0 != letter) && open(letter) {
                let name = format!("{}{at}", target.trim());
                let (_, dims) = case.args[usize::from(source.as_bytes()[1] - b'a')];
                let ty: String = dims.iter().map(|dim| format!("${dim}x")).collect();
                let elem = case.args[usize::from(source.as_bytes()[1] - b'a')].0;
                text += &format!("{name}at = arith.constant {number} : index\n");
                text += &format!("{name} = tensor.dim {source}, {name}at : tensor<{ty}{elem}>\n");
                operands.push(name);
            }
        }
        text += &format!("{target} = tensor.empty({}) : tensor<{shape}{elem}>\n", operands.join(", "));
    }
    for (dim, extent) in FIXED {
        text = text.replace(&format!("${dim}x"), &format!("{extent}x"));
    }
    for &dim in case.dims {
        let extent = if open(dim) { "?".to_owned() } else { sizes(dim).to_string() };
        text = text.replace(&format!("${dim}x"), &format!("{extent}x"));
    }
    text
}

fn arguments(case: &Case, sizes: &dyn Fn(char) -> i64, seed: u64) -> Vec<Tensor> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut small = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        // Sums of such products are exact in every type here.
        (state >> 33) as i64 % 7 - 3
    };
    let tensor = |&(elem, dims): &(&str, &[char])| {
        let elem = Scalar::from_keyword(elem).unwrap();
        let known = |dim: char| FIXED.iter().find(|row| row.0 == dim).map(|row| row.1);
        let shape: Vec<i64> = dims.iter().map(|&dim| known(dim).unwrap_or_else(|| sizes(dim))).collect();
        let values: Vec<i64> = (0..shape.iter().product::<i64>()).map(|_| small()).collect();
        match elem {
            Scalar::Float(_) => {
                Tensor::from_f64(elem, &shape, &values.iter().map(|&value| value as f64).collect::<Vec<_>>())
            }
            Scalar::Int(_) | Scalar::Index => Tensor::from_i64(elem, &shape, &values),
        }
    };
    case.args.iter().map(tensor).collect()
}

/// A kernel, and what it was as a function on tensors.
pub struct Kernel<'a> {
    pub source: (&'a Ir, OpId),
    pub ir: &'a Ir,
    pub func: OpId,
    pub chip: &'static str,
    /// Whether its PTX is executed, too.
    pub as_ptx: bool,
}

impl Kernel<'_> {
    /// Calls it: what it finds in the places of its results nobody has written.
    pub fn call(&self, args: &[Tensor]) -> Vec<Tensor> {
        let Kernel { source, ir, func, .. } = *self;
        let results = source.0.signature(source.1).1;
        if stage::of(ir, func) < Stage::Vector {
            let launch = Launch::for_args(ir, func, args).unwrap();
            return raddle_emu::run(ir, func, args, &launch, &Options::default()).unwrap().results;
        }
        let mut all = args.to_vec();
        for (&ty, sizes) in results.iter().zip(symbols::results(source.0, source.1)) {
            let elem = Scalar::of(&source.0[source.0[ty].elem().unwrap()]).unwrap();
            let sizes = sizes.expect("extents of results follow from the arguments");
            all.push(Tensor::zeros(elem, &evaluate(&sizes, args).unwrap()));
        }
        let n = args.len();
        let uninitialised_args = (n..all.len()).collect();
        let all = with_extents(ir, func, all).unwrap();
        let launch = Launch::for_args(ir, func, &all).unwrap();
        let options = Options { uninitialised_args, ..Options::default() };
        let ran = raddle_emu::run(ir, func, &all, &launch, &options).unwrap_or_else(|diag| panic!("{diag:#?}"));
        let is_memref = |&arg: &usize| matches!(ir[ir.signature(func).0[arg]], Type::MemRef { .. });
        let memrefs: Vec<usize> = (0..ir.signature(func).0.len()).filter(is_memref).collect();
        let found: Vec<Tensor> = memrefs
            .iter()
            .zip(ran.buffers)
            .filter(|(arg, _)| **arg >= n)
            .map(|(&arg, buffer)| Tensor { shape: all[arg].shape.clone(), ..buffer })
            .collect();
        if self.as_ptx && stage::of(ir, func) == Stage::Lowered && !launch.grid.contains(&0) {
            let lowered = Lowered::check(ir, func, chip(self.chip).unwrap()).unwrap();
            let text = raddle_emit::ptx::emit(ir, &lowered).unwrap();
            let module = ptx::parse(&text).unwrap();
            let shared_bytes = raddle_emit::ptx::dynamic_shared_bytes(&lowered) as usize;
            let start = ptx::Launch { entry: None, grid: launch.grid, workgroup: None, cluster: None, shared_bytes };
            let inputs: Vec<Tensor> = all
                .iter()
                .enumerate()
                .map(|(arg, tensor)| match is_memref(&arg) && tensor.shape.is_empty() {
                    true => Tensor { shape: vec![1], ..tensor.clone() },
                    false => tensor.clone(),
                })
                .collect();
            let ran = ptx::run(&module, &inputs, &start, &options).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
            for (at, found) in found.iter().enumerate() {
                let other = common::difference(&ran.args[n + at], found);
                assert!(other.is_none(), "result {at}: the PTX gives something else: {other:?}\n{text}");
            }
        }
        found
    }
}

/// Whether results are what the program as written gives, or as near as the case asks for.
fn agree(case: &Case, got: &[Tensor], want: &[Tensor]) -> bool {
    let near = |(got, want): (&Tensor, &Tensor)| {
        let mut pairs = got.to_f64().into_iter().zip(want.to_f64());
        let close = |(a, b): (f64, f64)| {
            a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= case.tolerance * b.abs().max(1.0)
        };
        got.shape == want.shape && pairs.all(close)
    };
    if case.tolerance == 0.0 { got == want } else { got.len() == want.len() && got.iter().zip(want).all(near) }
}

/// Compiles a program once and runs it with each of the sizes, at each of the stages.
fn check(case: &Case, open: &dyn Fn(char) -> bool, all_sizes: &[Vec<i64>], stages: &[Stage]) {
    let fixed = |dim: char| all_sizes[0][case.dims.iter().position(|&other| other == dim).unwrap()];
    let text = program(case, open, &fixed);
    let facts = Facts::new(chip("sm_80").unwrap());
    let read = || raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let written = read();
    let func = written.funcs()[0];
    for &goal in stages {
        let ir = read();
        let mut program = Program::of(ir, func, &facts).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
        program.advance(&facts, goal, |_, _| {}).unwrap_or_else(|diag| panic!("{goal:?}: {diag:#?}\n{text}"));
        let sources = program.host.as_ref().map_or((&written, vec![func]), |host| (&host.ir, host.kernels.clone()));
        for (seed, sizes) in all_sizes.iter().enumerate() {
            let size = |dim: char| {
                let at = case.dims.iter().position(|&other| other == dim).unwrap();
                if open(dim) { sizes[at] } else { fixed(dim) }
            };
            let args = arguments(case, &size, seed as u64);
            let launch = Launch::of(&written, func).unwrap();
            let want = raddle_emu::run(&written, func, &args, &launch, &Options::default());
            let want = want.unwrap_or_else(|diag| panic!("{diag:#?}\n{text}")).results;
            let kernel = |at: usize, args: &[Tensor]| {
                let (source, func) = ((sources.0, sources.1[at]), program.kernels[at]);
                Kernel { source, ir: &program.ir, func, chip: "sm_80", as_ptx: true }.call(args)
            };
            let got = match &program.host {
                None => kernel(0, &args),
                Some(host) => {
                    let find = |name: &str| {
                        program.kernels.iter().position(|&kernel| program.ir.symbol_name(kernel) == Some(name))
                    };
                    let mut call = |name: &str, args: &[Tensor], _: bool| Ok(kernel(find(name).unwrap(), args));
                    raddle_run::host::run(&host.ir, host.func, &args, &|name| find(name).is_some(), &mut call)
                        .unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"))
                }
            };
            assert!(agree(case, &got, &want), "{} of sizes {sizes:?} at {goal:?} differs\n{text}", case.name);
        }
    }
}

/// Every size that is special to a tile: nothing, one, odd, and more than a tile has.
fn sizes(case: &Case, rounds: usize, seed: usize) -> Vec<Vec<i64>> {
    const SIZES: [i64; 9] = [17, 1, 0, 64, 7, 96, 3, 130, 33];
    // Products of three dimensions grow fast.
    let most = if case.dims.len() > 3 { 40 } else { 130 };
    let size = |round: usize, d: usize| SIZES[(round * (2 * d + 1) + 2 * d + seed) % SIZES.len()].min(most);
    (0..rounds).map(|round| (0..case.dims.len()).map(|d| size(round, d)).collect()).collect()
}

/// Every set of open dimensions, lowered and as PTX.
#[test]
fn one_kernel_serves_all_sizes() {
    let number =
        |name: &str, default: usize| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (rounds, seed) = (number("RADDLE_ROUNDS", 3), number("RADDLE_SEED", 0));
    for (number, case) in CASES.iter().enumerate() {
        for set in 1..1usize << case.dims.len() {
            let open = |dim: char| set >> case.dims.iter().position(|&other| other == dim).unwrap() & 1 == 1;
            check(case, &open, &sizes(case, rounds, seed + number + 2 * set), &[Stage::Lowered]);
        }
    }
}

/// All dimensions open, at every stage that has kernels.
#[test]
fn every_stage_gives_the_same() {
    let stages = [Stage::Configured, Stage::Vector, Stage::LaidOut, Stage::Pipelined, Stage::Distributed];
    for (number, case) in CASES.iter().enumerate() {
        check(case, &|_| true, &sizes(case, 4, number), &stages);
    }
}

/// Where rows begin at known places in memory, copies of tiles run ahead of products, whatever else is open: the number of
/// rows, of columns, and of iterations, of which there may be fewer than slots.
#[test]
fn copies_run_ahead_of_products_with_open_extents() {
    let open = [
        ("matmul", "m", [[64, 128, 96], [0, 128, 96], [1, 128, 96], [17, 128, 96], [130, 128, 96]].map(Vec::from)),
        (
            "batch_matmul_transposed",
            "bmn",
            [[1, 64, 64, 96], [0, 9, 9, 96], [2, 0, 5, 96], [2, 33, 1, 96], [3, 17, 70, 96]].map(Vec::from),
        ),
        (
            "matmul_of_columns",
            "k",
            [[64, 64, 96], [64, 64, 0], [64, 64, 1], [64, 64, 33], [64, 64, 200]].map(Vec::from),
        ),
    ];
    for (name, open, sizes) in open {
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        let is_open = |dim: char| open.contains(dim);
        let text = program(case, &is_open, &|dim| sizes[0][case.dims.iter().position(|&other| other == dim).unwrap()]);
        let artifact = raddle::compile(&text, &raddle::Options::default()).unwrap();
        assert!(artifact.text.contains("cp.async.c"), "{name} copies nothing ahead");
        check(case, &is_open, &sizes, &[Stage::Pipelined, Stage::Lowered]);
    }
}

/// Rows of any length are gone through by one kernel, also where a workgroup holds no row, and where only the run knows.
#[test]
fn one_kernel_goes_through_long_rows() {
    for name in ["softmax", "norm_of_rows_and_their_sums", "centred_rows"] {
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        let sizes = [[1, 20011], [3, 0], [1, 1], [2, 4097], [0, 7], [1, 10007]].map(Vec::from);
        for open in ["mn", "n", "m"] {
            let is_open = |dim: char| open.contains(dim);
            let text = program(case, &is_open, &|dim| sizes[0][usize::from(dim == 'n')]);
            let artifact = raddle::compile(&text, &raddle::Options::default()).unwrap();
            assert_eq!(artifact.kernels.len(), 1, "{name}, {open} open");
            check(case, &is_open, &sizes[..if open == "mn" { 6 } else { 2 }], &[Stage::Lowered]);
        }
        check(case, &|_| true, &sizes[1..4], &[Stage::Vector, Stage::Distributed]);
    }
}

/// Lines that threads share are as long as they are: a subgroup's, a workgroup's, and longer than shared memory holds.
#[test]
fn lines_that_threads_share_have_any_length() {
    let sizes: [(&str, &[[i64; 3]]); 3] = [
        ("best_of_lines", &[[2, 3000, 5], [1, 300, 40], [5, 2, 7]]),
        ("sorted_lines", &[[2, 1500, 0], [3, 257, 0], [1, 4200, 0]]),
        ("rows_updated", &[[3, 700, 300], [300, 5, 20], [1, 1, 1000]]),
    ];
    for (name, sizes) in sizes {
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        let sizes: Vec<Vec<i64>> = sizes.iter().map(|sizes| sizes[..case.dims.len()].to_vec()).collect();
        check(case, &|_| true, &sizes, &[Stage::Lowered]);
        for size in sizes {
            check(case, &|dim| dim == 'm', &[size], &[Stage::Lowered]);
        }
    }
    // Of many lines, each has fewer lanes.
    let case = CASES.iter().find(|case| case.name == "best_of_lines").unwrap();
    check(case, &|dim| dim == 'k', &[vec![5000, 40, 3]], &[Stage::Lowered]);
}
