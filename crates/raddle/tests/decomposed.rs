//! Operations that stand for several simpler ones compile, and give what they mean.

mod common;

use common::raddle_with;

/// An attention over these extents: batches, queries, keys, depth and columns of the value; the layout of the value, what
/// the mask is made of, and a region.
struct Attention {
    extents: [usize; 5],
    elem: &'static str,
    transposed: bool,
    mask: Option<&'static str>,
    region: &'static str,
}

const IDENTITY: &str = "    iree_linalg_ext.yield %x : f32";
const CAPPED: &str = "    %t = math.tanh %x : f32\n    iree_linalg_ext.yield %t : f32";

impl Attention {
    fn text(&self) -> String {
        let Attention { extents: [b, m, k, d, n], elem, transposed, mask, region } = self;
        let maps = |list: &[&str]| {
            list.iter().map(|dims| format!("affine_map<(b, m, n, k, d) -> ({dims})>")).collect::<Vec<_>>().join(", ")
        };
        let (value, value_map) = if *transposed {
            (format!("{b}x{n}x{k}x{elem}"), "b, n, k")
        } else {
            (format!("{b}x{k}x{n}x{elem}"), "b, k, n")
        };
        let (masked, mask_arg, mask_type, mask_map) = match mask {
            Some(of) => {
                let ty = format!("tensor<{b}x{m}x{k}x{of}>");
                (", %mask", format!(", %mask: {ty}"), format!(", {ty}"), vec!["b, m, k"])
            }
            None => ("", String::new(), String::new(), Vec::new()),
        };
        let list = [vec!["b, m, d", "b, k, d", value_map, ""], mask_map, vec!["b, m, n"]].concat();
        let maps = maps(&list);
        format!(
            "func.func @f(%q: tensor<{b}x{m}x{d}x{elem}>, %k: tensor<{b}x{k}x{d}x{elem}>, %v: tensor<{value}>{mask_arg}) -> tensor<{b}x{m}x{n}x{elem}> {{
  %scale = arith.constant 0.125 : {elem}
  %e = tensor.empty() : tensor<{b}x{m}x{n}x{elem}>
  %r = iree_linalg_ext.attention {{indexing_maps = [{maps}]}}
      ins(%q, %k, %v, %scale{masked} : tensor<{b}x{m}x{d}x{elem}>, tensor<{b}x{k}x{d}x{elem}>, tensor<{value}>, {elem}{mask_type}) outs(%e : tensor<{b}x{m}x{n}x{elem}>) {{
  ^bb0(%x: f32):
{region}
  }} -> tensor<{b}x{m}x{n}x{elem}>
  return %r : tensor<{b}x{m}x{n}x{elem}>
}}"
        )
    }
}

/// Masks of numbers and of bits, both layouts of the value, odd extents, and regions that change scores.
#[test]
fn attention_is_right() {
    let all = [
        Attention { extents: [2, 64, 64, 64, 64], elem: "f16", transposed: false, mask: None, region: IDENTITY },
        Attention { extents: [1, 48, 80, 32, 16], elem: "f16", transposed: true, mask: Some("f16"), region: IDENTITY },
        Attention { extents: [3, 5, 7, 9, 11], elem: "f32", transposed: false, mask: Some("i1"), region: CAPPED },
        Attention { extents: [1, 16, 33, 8, 4], elem: "f32", transposed: true, mask: Some("f32"), region: CAPPED },
    ];
    for attention in all {
        for target in ["--target=sm_80", "--target=gfx942"] {
            raddle_with(&["run", "-", target], &attention.text()).says(0, &["correct: "]);
        }
    }
}

/// Both products of attention in f16 are of matrix instructions.
#[test]
fn attention_has_matrix_instructions() {
    let extents = [2, 64, 64, 64, 64];
    let attention = Attention { extents, elem: "f16", transposed: false, mask: None, region: IDENTITY };
    let build = raddle_with(&["build", "-"], &attention.text());
    let products = build.out.split(".entry").filter(|kernel| kernel.contains("mma.sync")).count();
    assert_eq!(products, 2, "{}", build.out);
}

/// Keys in two parts are all of them: what the first part gives, the second one goes on from.
#[test]
fn online_attention_is_right() {
    let text = "
#q = affine_map<(m, n, k, d) -> (m, d)>
#k = affine_map<(m, n, k, d) -> (k, d)>
#v = affine_map<(m, n, k, d) -> (k, n)>
#s = affine_map<(m, n, k, d) -> ()>
#o = affine_map<(m, n, k, d) -> (m, n)>
#r = affine_map<(m, n, k, d) -> (m)>
func.func @f(%q: tensor<32x16xf32>, %k: tensor<24x16xf32>, %v: tensor<24x8xf32>, %acc: tensor<32x8xf32>, %max: tensor<32xf32>, %sum: tensor<32xf32>) -> (tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) {
  %scale = arith.constant 0.25 : f32
  %r:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #r, #r]}
      ins(%q, %k, %v, %scale : tensor<32x16xf32>, tensor<24x16xf32>, tensor<24x8xf32>, f32) outs(%acc, %max, %sum : tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
  return %r#0, %r#1, %r#2 : tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
}";
    raddle_with(&["run", "-"], text).says(0, &["correct: "]);
}

/// Reductions below a running maximum, and a region about tensors in the place of its operation.
#[test]
fn exp_reduction_and_custom_op_are_right() {
    let text = "
func.func @f(%s: tensor<32x24xf32>, %v: tensor<24x8xf32>, %m: tensor<32xf32>, %acc: tensor<32x8xf32>) -> (tensor<32xf32>, tensor<32x8xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>],
      exp_reduced_operands = [1]}
      ins(%s, %v : tensor<32x24xf32>, tensor<24x8xf32>) outs(%m, %acc : tensor<32xf32>, tensor<32x8xf32>) {
  ^bb0(%ex: f32, %value: f32, %max: f32, %part: f32):
    %p = arith.mulf %ex, %value : f32
    %a = arith.addf %p, %part : f32
    iree_linalg_ext.yield %max, %a : f32, f32
  } -> tensor<32xf32>, tensor<32x8xf32>
  return %r#0, %r#1 : tensor<32xf32>, tensor<32x8xf32>
}";
    raddle_with(&["run", "-"], text).says(0, &["correct: "]);
}

/// Winograd's transforms are products with windows of images and tiles of products.
#[test]
fn winograd_transforms_are_right() {
    let text = "
func.func @f(%a: tensor<1x14x20x16xf32>, %w: tensor<3x3x16x8xf32>) -> (tensor<8x8x1x2x3x16xf32>, tensor<8x8x16x8xf32>, tensor<1x12x18x16xf32>) {
  %e = tensor.empty() : tensor<8x8x1x2x3x16xf32>
  %t = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%a : tensor<1x14x20x16xf32>) outs(%e : tensor<8x8x1x2x3x16xf32>) -> tensor<8x8x1x2x3x16xf32>
  %g = tensor.empty() : tensor<8x8x16x8xf32>
  %u = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1]) ins(%w : tensor<3x3x16x8xf32>) outs(%g : tensor<8x8x16x8xf32>) -> tensor<8x8x16x8xf32>
  %o = tensor.empty() : tensor<1x12x18x16xf32>
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%t : tensor<8x8x1x2x3x16xf32>) outs(%o : tensor<1x12x18x16xf32>) -> tensor<1x12x18x16xf32>
  return %t, %u, %r : tensor<8x8x1x2x3x16xf32>, tensor<8x8x16x8xf32>, tensor<1x12x18x16xf32>
}";
    raddle_with(&["run", "-"], text).says(0, &["correct: "]);
}

/// Scalar operations on tensors, with constants and one number for all elements.
#[test]
fn scalar_operations_work_on_tensors() {
    let text = "
func.func @f(%a: tensor<7x9xf32>, %b: tensor<7x9xf32>, %n: tensor<7x9xi8>, %c: i1) -> (tensor<7x9xf32>, tensor<7x9xi8>) {
  %two = arith.constant dense<2.0> : tensor<7x9xf32>
  %s = arith.mulf %a, %two : tensor<7x9xf32>
  %t = math.tanh %s : tensor<7x9xf32>
  %less = arith.cmpf olt, %t, %b : tensor<7x9xf32>
  %u = arith.select %less, %t, %b : tensor<7x9xi1>, tensor<7x9xf32>
  %w = arith.select %c, %u, %a : tensor<7x9xf32>
  %m = arith.sitofp %n : tensor<7x9xi8> to tensor<7x9xf32>
  %r = arith.addf %w, %m : tensor<7x9xf32>
  %h = arith.truncf %r : tensor<7x9xf32> to tensor<7x9xf8E4M3FN>
  %i = arith.bitcast %h : tensor<7x9xf8E4M3FN> to tensor<7x9xi8>
  return %r, %i : tensor<7x9xf32>, tensor<7x9xi8>
}";
    let seed: Vec<String> = (0..3).map(|seed| format!("--seed={seed}")).collect();
    for seed in &seed {
        raddle_with(&["run", "-", seed, "--compare=tensor,lowered"], text).says(0, &["stage `lowered`"]);
    }
    assert_eq!(raddle_with(&["build", "-"], text).out.matches(".entry").count(), 1);
}
