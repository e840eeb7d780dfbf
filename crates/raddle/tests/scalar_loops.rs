//! Scalar loops: each operation of the table, at random sizes, gives on the emulator and as PTX what it means on tensors,
//! to the last bit.
//!
//! `RADDLE_PROGRAMS=100 RADDLE_SEED=7 cargo test -p raddle --test all scalar_loops` tries more sizes.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fmt::Write;

use raddle::pipeline::{self, Program};
use raddle_emu::{Launch, Options, Tensor, ptx};
use raddle_ir::{Diag, Ir, OpId, Scalar, Type};
use raddle_passes::Facts;
use raddle_target::{Lowered, Stage, chip};

use crate::common;
use crate::common::Rng;

/// What a function takes and gives, its body, and the end of the numbers in some of its arguments.
struct Case {
    inputs: String,
    results: String,
    body: String,
    limits: Vec<(usize, i64)>,
}

fn case(inputs: impl Into<String>, results: impl Into<String>, body: impl Into<String>) -> Case {
    Case { inputs: inputs.into(), results: results.into(), body: body.into(), limits: Vec::new() }
}

/// Writes a function for sizes that it takes from random numbers.
type Make = fn(&mut Rng) -> Case;

const STRUCTURED: &[(&str, Make)] = &[
    ("a convolution with strides and dilations", |r| {
        let (k, s, d, o) = (r.from(1, 3), r.from(1, 2), r.from(1, 2), r.from(1, 4));
        let n = (o - 1) * s + (k - 1) * d + 1;
        case(
            format!("%a: tensor<2x{n}x{n}x3xf32>, %w: tensor<{k}x{k}x3x4xf32>, %c: tensor<2x{o}x{o}x4xf32>"),
            format!("tensor<2x{o}x{o}x4xf32>"),
            format!(
                "%r = linalg.conv_2d_nhwc_hwcf {{dilations = dense<{d}> : tensor<2xi64>, strides = dense<{s}> : tensor<2xi64>}} \
                 ins(%a, %w : tensor<2x{n}x{n}x3xf32>, tensor<{k}x{k}x3x4xf32>) outs(%c : tensor<2x{o}x{o}x4xf32>) -> tensor<2x{o}x{o}x4xf32>\n\
                 return %r : tensor<2x{o}x{o}x4xf32>"
            ),
        )
    }),
    ("a depthwise convolution", |r| {
        let (k, o, c) = (r.from(1, 3), r.from(1, 4), r.from(1, 5));
        let n = o + k - 1;
        case(
            format!("%a: tensor<1x{n}x{n}x{c}xi32>, %w: tensor<{k}x{k}x{c}xi32>, %c: tensor<1x{o}x{o}x{c}xi32>"),
            format!("tensor<1x{o}x{o}x{c}xi32>"),
            format!(
                "%r = linalg.depthwise_conv_2d_nhwc_hwc {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}} \
                 ins(%a, %w : tensor<1x{n}x{n}x{c}xi32>, tensor<{k}x{k}x{c}xi32>) outs(%c : tensor<1x{o}x{o}x{c}xi32>) -> tensor<1x{o}x{o}x{c}xi32>\n\
                 return %r : tensor<1x{o}x{o}x{c}xi32>"
            ),
        )
    }),
    ("pooling", |r| {
        let (k, o) = (r.from(1, 3), r.from(1, 4));
        let n = o + k - 1;
        case(
            format!("%a: tensor<1x{n}x{n}x2xf32>, %c: tensor<1x{o}x{o}x2xf32>"),
            format!("tensor<1x{o}x{o}x2xf32>"),
            format!(
                "%w = tensor.empty() : tensor<{k}x{k}xf32>\n\
                 %r = linalg.pooling_nhwc_max {{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}} \
                 ins(%a, %w : tensor<1x{n}x{n}x2xf32>, tensor<{k}x{k}xf32>) outs(%c : tensor<1x{o}x{o}x2xf32>) -> tensor<1x{o}x{o}x2xf32>\n\
                 return %r : tensor<1x{o}x{o}x2xf32>"
            ),
        )
    }),
    ("a body that knows where it is, and reads another tensor", |r| {
        let (n, m) = (r.from(1, 9), r.from(1, 9));
        let mut case = case(
            format!("%a: tensor<{n}x{m}xi32>, %t: tensor<5xi32>"),
            format!("tensor<{n}x{m}xi32>"),
            format!(
                "%e = tensor.empty() : tensor<{n}x{m}xi32>
                 %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]}}
                   ins(%a : tensor<{n}x{m}xi32>) outs(%e : tensor<{n}x{m}xi32>) {{
                 ^bb0(%x: i32, %o: i32):
                   %i = linalg.index 0 : index
                   %at = arith.index_cast %x : i32 to index
                   %y = tensor.extract %t[%at] : tensor<5xi32>
                   %j = arith.index_cast %i : index to i32
                   %s = arith.addi %y, %j : i32
                   linalg.yield %s : i32
                 }} -> tensor<{n}x{m}xi32>
                 return %r : tensor<{n}x{m}xi32>"
            ),
        );
        case.limits = vec![(0, 5)];
        case
    }),
    ("several kernels, one of which refuses vectors late", |r| {
        let (n, m) = (r.from(1, 9), r.from(1, 9));
        let ty = format!("tensor<{n}x{m}xi32>");
        case(
            format!("%a: {ty}"),
            format!("{ty}, tensor<{m}x{n}xi32>"),
            format!(
                "%e = tensor.empty() : {ty}
                 %i = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]}} outs(%e : {ty}) {{
                 ^bb0(%o: i32):
                   %d = linalg.index 0 : index
                   %f = linalg.index 1 : index
                   %x = tensor.extract %a[%d, %f] : {ty}
                   %y = arith.index_cast %d : index to i32
                   %z = arith.addi %x, %y : i32
                   linalg.yield %z : i32
                 }} -> {ty}
                 %s = linalg.add ins(%i, %a : {ty}, {ty}) outs(%e : {ty}) -> {ty}
                 %t = tensor.empty() : tensor<{m}x{n}xi32>
                 %u = linalg.transpose ins(%s : {ty}) outs(%t : tensor<{m}x{n}xi32>) permutation = [1, 0]
                 return %s, %u : {ty}, tensor<{m}x{n}xi32>"
            ),
        )
    }),
    ("a reduction to two results that depend on each other", |r| {
        let (n, m) = (r.from(1, 5), r.from(0, 9));
        case(
            format!("%a: tensor<{n}x{m}xi32>, %v: tensor<{n}xi32>, %p: tensor<{n}xi32>"),
            format!("tensor<{n}xi32>, tensor<{n}xi32>"),
            format!(
                "%r:2 = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [\"parallel\", \"reduction\"]}}
                   ins(%a : tensor<{n}x{m}xi32>) outs(%v, %p : tensor<{n}xi32>, tensor<{n}xi32>) {{
                 ^bb0(%x: i32, %best: i32, %at: i32):
                   %i = linalg.index 1 : index
                   %j = arith.index_cast %i : index to i32
                   %c = arith.cmpi sgt, %x, %best : i32
                   %b = arith.select %c, %x, %best : i32
                   %q = arith.select %c, %j, %at : i32
                   linalg.yield %b, %q : i32, i32
                 }} -> (tensor<{n}xi32>, tensor<{n}xi32>)
                 return %r#0, %r#1 : tensor<{n}xi32>, tensor<{n}xi32>"
            ),
        )
    }),
    ("results along different loops", |r| {
        let (n, m) = (r.from(1, 5), r.from(1, 6));
        case(
            format!("%a: tensor<{n}x{m}xf32>, %s: tensor<{m}xf32>"),
            format!("tensor<{n}x{m}xf32>, tensor<{m}xf32>"),
            format!(
                "%e = tensor.empty() : tensor<{n}x{m}xf32>
                 %r:2 = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = [\"reduction\", \"parallel\"]}}
                   ins(%a : tensor<{n}x{m}xf32>) outs(%e, %s : tensor<{n}x{m}xf32>, tensor<{m}xf32>) {{
                 ^bb0(%x: f32, %o: f32, %sum: f32):
                   %y = arith.mulf %x, %x : f32
                   %z = arith.subf %y, %sum : f32
                   linalg.yield %y, %z : f32, f32
                 }} -> (tensor<{n}x{m}xf32>, tensor<{m}xf32>)
                 return %r#0, %r#1 : tensor<{n}x{m}xf32>, tensor<{m}xf32>"
            ),
        )
    }),
    ("a result whose map is not a list of loops", |r| {
        let n = r.from(1, 7);
        let m = 2 * n;
        case(
            format!("%a: tensor<{m}xi32>, %o: tensor<{n}xi32>"),
            format!("tensor<{n}xi32>"),
            format!(
                "%r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 floordiv 2)>], iterator_types = [\"reduction\"]}}
                   ins(%a : tensor<{m}xi32>) outs(%o : tensor<{n}xi32>) {{
                 ^bb0(%x: i32, %s: i32):
                   %two = arith.constant 2 : i32
                   %d = arith.muli %s, %two : i32
                   %t = arith.addi %d, %x : i32
                   linalg.yield %t : i32
                 }} -> tensor<{n}xi32>
                 return %r : tensor<{n}xi32>"
            ),
        )
    }),
    ("numbers of one bit, four bits, and indices", |r| {
        let n = r.from(1, 40);
        case(
            format!("%a: tensor<{n}xi4>, %b: tensor<{n}xi1>, %c: tensor<{n}xindex>"),
            format!("tensor<{n}xi4>, tensor<{n}xi1>, tensor<{n}xindex>"),
            format!(
                "%e = tensor.empty() : tensor<{n}xi4>
                 %f = tensor.empty() : tensor<{n}xi1>
                 %g = tensor.empty() : tensor<{n}xindex>
                 %r:3 = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}}
                   ins(%a, %b, %c : tensor<{n}xi4>, tensor<{n}xi1>, tensor<{n}xindex>) outs(%e, %f, %g : tensor<{n}xi4>, tensor<{n}xi1>, tensor<{n}xindex>) {{
                 ^bb0(%x: i4, %y: i1, %z: index, %o: i4, %p: i1, %q: index):
                   %i = linalg.index 0 : index
                   %k = arith.addi %x, %x : i4
                   %z4 = arith.constant 0 : i4
                   %l = arith.cmpi slt, %k, %z4 : i4
                   %m = arith.xori %l, %y : i1
                   %w = arith.addi %z, %i : index
                   linalg.yield %k, %m, %w : i4, i1, index
                 }} -> (tensor<{n}xi4>, tensor<{n}xi1>, tensor<{n}xindex>)
                 return %r#0, %r#1, %r#2 : tensor<{n}xi4>, tensor<{n}xi1>, tensor<{n}xindex>"
            ),
        )
    }),
];

const MOVES: &[(&str, Make)] = &[
    ("pad", |r| {
        let (n, m, l, h) = (r.from(0, 5), r.from(1, 5), r.from(0, 2), r.from(0, 3));
        let (p, q) = (n + l + h, m + h + l);
        case(
            format!("%a: tensor<{n}x{m}xf32>"),
            format!("tensor<{p}x{q}xf32>"),
            format!(
                "%r = tensor.pad %a low[{l}, {h}] high[{h}, {l}] {{
                 ^bb0(%i: index, %j: index):
                   %k = arith.addi %i, %j : index
                   %x = arith.index_cast %k : index to i32
                   %y = arith.sitofp %x : i32 to f32
                   tensor.yield %y : f32
                 }} : tensor<{n}x{m}xf32> to tensor<{p}x{q}xf32>
                 return %r : tensor<{p}x{q}xf32>"
            ),
        )
    }),
    ("a slice with steps that drops a dimension", |r| {
        let (o, s, t) = (r.from(0, 3), r.from(1, 4), r.from(1, 3));
        let n = o + (s - 1) * t + 1;
        case(
            format!("%a: tensor<3x{n}x4xf16>"),
            format!("tensor<{s}x4xf16>"),
            format!(
                "%r = tensor.extract_slice %a[2, {o}, 0] [1, {s}, 4] [1, {t}, 1] : tensor<3x{n}x4xf16> to tensor<{s}x4xf16>
                 return %r : tensor<{s}x4xf16>"
            ),
        )
    }),
    ("a slice put in with steps", |r| {
        let (o, s, t) = (r.from(0, 3), r.from(1, 4), r.from(1, 3));
        let n = o + (s - 1) * t + 1 + r.from(0, 2);
        case(
            format!("%v: tensor<{s}x3xi8>, %a: tensor<2x{n}x3xi8>"),
            format!("tensor<2x{n}x3xi8>"),
            format!(
                "%r = tensor.insert_slice %v into %a[1, {o}, 0] [1, {s}, 3] [1, {t}, 1] : tensor<{s}x3xi8> into tensor<2x{n}x3xi8>
                 return %r : tensor<2x{n}x3xi8>"
            ),
        )
    }),
    ("a slice at an offset that only the run knows", |r| {
        let mut case = case(
            "%a: tensor<9x2xi32>, %at: tensor<2xindex>",
            "tensor<3x2xi32>",
            "%c1 = arith.constant 1 : index
             %o = tensor.extract %at[%c1] : tensor<2xindex>
             %r = tensor.extract_slice %a[%o, 0] [3, 2] [1, 1] : tensor<9x2xi32> to tensor<3x2xi32>
             return %r : tensor<3x2xi32>",
        );
        case.limits = vec![(1, r.from(1, 6))];
        case
    }),
    ("parts put together", |r| {
        let (n, m, k) = (r.from(0, 4), r.from(1, 4), r.from(1, 3));
        let all = n + m + n;
        case(
            format!("%a: tensor<{k}x{n}xi64>, %b: tensor<{k}x{m}xi64>"),
            format!("tensor<{k}x{all}xi64>"),
            format!(
                "%r = tensor.concat dim(1) %a, %b, %a : (tensor<{k}x{n}xi64>, tensor<{k}x{m}xi64>, tensor<{k}x{n}xi64>) -> tensor<{k}x{all}xi64>
                 return %r : tensor<{k}x{all}xi64>"
            ),
        )
    }),
    ("elements from their indices", |r| {
        let n = r.from(1, 6);
        case(
            "",
            format!("tensor<{n}x3xindex>"),
            format!(
                "%r = tensor.generate {{
                 ^bb0(%i: index, %j: index):
                   %k = arith.muli %i, %j : index
                   tensor.yield %k : index
                 }} : tensor<{n}x3xindex>
                 return %r : tensor<{n}x3xindex>"
            ),
        )
    }),
    ("one element put in", |r| {
        let n = r.from(2, 6);
        case(
            format!("%a: tensor<{n}x2xf32>, %s: tensor<f32>"),
            format!("tensor<{n}x2xf32>"),
            format!(
                "%c1 = arith.constant 1 : index
                 %x = tensor.extract %s[] : tensor<f32>
                 %r = tensor.insert %x into %a[%c1, %c1] : tensor<{n}x2xf32>
                 return %r : tensor<{n}x2xf32>"
            ),
        )
    }),
    ("other shapes", |r| {
        let (n, m) = (r.from(1, 5), r.from(1, 5));
        let all = n * m * 2;
        case(
            format!("%a: tensor<{n}x{m}x2xi16>"),
            format!("tensor<{all}xi16>, tensor<{n}x{m}x2x1xi16>, tensor<1x{m}x2xi16>"),
            format!(
                "%r = tensor.collapse_shape %a [[0, 1, 2]] : tensor<{n}x{m}x2xi16> into tensor<{all}xi16>
                 %s = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [{n}, {m}, 2, 1] : tensor<{n}x{m}x2xi16> into tensor<{n}x{m}x2x1xi16>
                 %p = tensor.extract_slice %a[0, 0, 0] [1, {m}, 2] [1, 1, 1] : tensor<{n}x{m}x2xi16> to tensor<1x{m}x2xi16>
                 return %r, %s, %p : tensor<{all}xi16>, tensor<{n}x{m}x2x1xi16>, tensor<1x{m}x2xi16>"
            ),
        )
    }),
    ("bits as another type", |r| {
        let n = r.from(1, 9);
        case(
            format!("%a: tensor<{n}xf32>"),
            format!("tensor<{n}xi32>"),
            format!("%r = tensor.bitcast %a : tensor<{n}xf32> to tensor<{n}xi32>\nreturn %r : tensor<{n}xi32>"),
        )
    }),
    ("tiles, padded", |r| {
        let (n, m, t) = (r.from(1, 7), r.from(1, 7), r.from(1, 4));
        let (p, q) = ((n + t - 1) / t, (m + 2) / 3);
        case(
            format!("%a: tensor<{n}x{m}xf32>, %d: tensor<{q}x{p}x{t}x3xf32>, %e: tensor<{n}x{m}xf32>"),
            format!("tensor<{q}x{p}x{t}x3xf32>, tensor<{n}x{m}xf32>"),
            format!(
                "%z = arith.constant 2.5 : f32
                 %r = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [{t}, 3] into %d : tensor<{n}x{m}xf32> -> tensor<{q}x{p}x{t}x3xf32>
                 %u = linalg.unpack %d outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [{t}, 3] into %e : tensor<{q}x{p}x{t}x3xf32> -> tensor<{n}x{m}xf32>
                 return %r, %u : tensor<{q}x{p}x{t}x3xf32>, tensor<{n}x{m}xf32>"
            ),
        )
    }),
    ("arithmetic and one number everywhere", |r| {
        let n = r.from(1, 70);
        case(
            format!("%a: tensor<{n}xf32>, %s: tensor<f32>"),
            format!("tensor<{n}xf32>"),
            format!(
                "%x = tensor.extract %s[] : tensor<f32>
                 %b = tensor.splat %x : tensor<{n}xf32>
                 %c = arith.constant dense<0.5> : tensor<{n}xf32>
                 %d = arith.mulf %a, %c : tensor<{n}xf32>
                 %r = arith.addf %d, %b : tensor<{n}xf32>
                 return %r : tensor<{n}xf32>"
            ),
        )
    }),
    ("nothing but a fill", |r| {
        let n = r.from(1, 300);
        case(
            "",
            format!("tensor<{n}xi8>"),
            format!(
                "%c = arith.constant 7 : i8
                 %e = tensor.empty() : tensor<{n}xi8>
                 %r = linalg.fill ins(%c : i8) outs(%e : tensor<{n}xi8>) -> tensor<{n}xi8>
                 return %r : tensor<{n}xi8>"
            ),
        )
    }),
];

/// A comparison that orders numbers of a type.
fn comparison(r: &mut Rng, ty: &str) -> &'static str {
    let all = if ty.starts_with('i') {
        ["cmpi sgt", "cmpi ule", "cmpi slt", "cmpi sge"]
    } else {
        ["cmpf ogt", "cmpf olt", "cmpf ole", "cmpf oge"]
    };
    all[r.below(4)]
}

/// What puts NaNs and negative zeros into `%a`, now and then, and the name of what holds them.
fn specials(r: &mut Rng, ty: &str, whole: &str) -> (String, &'static str) {
    if ty.starts_with('i') || r.below(3) > 0 {
        return (String::new(), "%a");
    }
    let text = format!(
        "%se = tensor.empty() : {whole}
         %s = linalg.map ins(%a : {whole}) outs(%se : {whole}) (%in: {ty}, %out: {ty}) {{
           %one = arith.constant 1.0 : {ty}
           %two = arith.constant 2.0 : {ty}
           %zero = arith.constant -0.0 : {ty}
           %nan = arith.divf %zero, %zero : {ty}
           %is1 = arith.cmpf oeq, %in, %one : {ty}
           %is2 = arith.cmpf oeq, %in, %two : {ty}
           %x1 = arith.select %is1, %nan, %in : {ty}
           %x2 = arith.select %is2, %zero, %x1 : {ty}
           linalg.yield %x2 : {ty}
         }}"
    );
    (text, "%s")
}

const INDEXED: &[(&str, Make)] = &[
    ("a gather by a map", |r| {
        let (n, m, b) = (r.from(1, 5), r.from(1, 4), r.from(1, 6));
        let mut case = case(
            format!("%a: tensor<{n}x{m}xf32>, %i: tensor<{b}xi32>, %o: tensor<{b}x{m}xf32>, %k: tensor<{b}xi1>"),
            format!("tensor<{b}x{m}xf32>, tensor<{b}x{m}xf32>"),
            format!(
                "%r = iree_linalg_ext.gather dimension_map = [0] ins(%a, %i : tensor<{n}x{m}xf32>, tensor<{b}xi32>) outs(%o : tensor<{b}x{m}xf32>) -> tensor<{b}x{m}xf32>
                 %s = iree_linalg_ext.gather dimension_map = [0] ins(%a, %i, %k : tensor<{n}x{m}xf32>, tensor<{b}xi32>, tensor<{b}xi1>) outs(%o : tensor<{b}x{m}xf32>) -> tensor<{b}x{m}xf32>
                 return %r, %s : tensor<{b}x{m}xf32>, tensor<{b}x{m}xf32>"
            ),
        );
        case.limits = vec![(1, n)];
        case
    }),
    ("a scatter that adds, at places that may be named twice", |r| {
        let (n, m, b) = (r.from(1, 5), r.from(1, 4), r.from(0, 9));
        let mut case = case(
            format!("%u: tensor<{b}x{m}xi32>, %i: tensor<{b}x1xi32>, %o: tensor<{n}x{m}xi32>, %k: tensor<{b}xi1>"),
            format!("tensor<{n}x{m}xi32>"),
            format!(
                "%r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i, %k : tensor<{b}x{m}xi32>, tensor<{b}x1xi32>, tensor<{b}xi1>) outs(%o : tensor<{n}x{m}xi32>) {{
                 ^bb0(%new: i32, %old: i32):
                   %two = arith.constant 2 : i32
                   %d = arith.muli %old, %two : i32
                   %s = arith.addi %d, %new : i32
                   iree_linalg_ext.yield %s : i32
                 }} -> tensor<{n}x{m}xi32>
                 return %r : tensor<{n}x{m}xi32>"
            ),
        );
        case.limits = vec![(1, n)];
        case
    }),
    ("updates of rows for lanes, subgroups and workgroups", |r| {
        let [rows, updates, columns] = [4, 30, 600].map(|_| {
            let most = [4, 30, 600][r.below(3)];
            r.from(1, most)
        });
        // What one thread would do alone stays within bounds.
        let (rows, updates) = if columns > 30 { (rows.min(40), updates.min(40)) } else { (rows, updates) };
        let ty = ["f32", "f16", "i32", "i64", "i8"][r.below(5)];
        let more = if ty.starts_with('f') { "arith.addf" } else { "arith.addi" };
        let twice = if ty.starts_with('f') { "arith.subf" } else { "arith.subi" };
        let region = [
            String::from("iree_linalg_ext.yield %new"),
            format!("%s = {more} %old, %new : {ty}\niree_linalg_ext.yield %s"),
            format!("%s = {twice} %new, %old : {ty}\niree_linalg_ext.yield %s"),
        ][r.below(3)]
        .clone();
        let (mask, mask_type) = [("", String::new()), (", %k", format!(", tensor<{updates}xi1>"))][r.below(2)].clone();
        let (deep, name) = [(true, "2x"), (false, "")][r.below(2)];
        // Two numbers name a place, the first of which is one or zero.
        let (depth, map) = if deep { (2, "[0, 1]") } else { (1, "[0]") };
        let (whole, slices) =
            (format!("tensor<{name}{rows}x{columns}x{ty}>"), format!("tensor<{updates}x{columns}x{ty}>"));
        let places = format!("tensor<{updates}x{depth}xi32>");
        let mut case = case(
            format!("%u: {slices}, %i: {places}, %o: {whole}, %k: tensor<{updates}xi1>"),
            whole.clone(),
            format!(
                "%r = iree_linalg_ext.scatter dimension_map = {map} unique_indices(false) ins(%u, %i{mask} : {slices}, {places}{mask_type}) outs(%o : {whole}) {{
                 ^bb0(%new: {ty}, %old: {ty}):
                   {region} : {ty}
                 }} -> {whole}
                 return %r : {whole}"
            ),
        );
        // Some are outside.
        case.limits = vec![(1, if deep { rows.min(3) } else { rows + 1 })];
        case
    }),
    ("slices of tensor.gather and tensor.scatter", |r| {
        let (n, m, b) = (r.from(1, 5), r.from(1, 4), r.from(1, 6));
        let mut case = case(
            format!("%a: tensor<{m}x{n}x2xf32>, %i: tensor<{b}x1xindex>, %u: tensor<{b}x{m}x1x2xf32>"),
            format!("tensor<{b}x{m}x2xf32>, tensor<{m}x{n}x2xf32>"),
            format!(
                "%r = tensor.gather %a[%i] gather_dims([1]) : (tensor<{m}x{n}x2xf32>, tensor<{b}x1xindex>) -> tensor<{b}x{m}x2xf32>
                 %s = tensor.scatter %u into %a[%i] scatter_dims([1]) unique : (tensor<{b}x{m}x1x2xf32>, tensor<{m}x{n}x2xf32>, tensor<{b}x1xindex>) -> tensor<{m}x{n}x2xf32>
                 return %r, %s : tensor<{b}x{m}x2xf32>, tensor<{m}x{n}x2xf32>"
            ),
        );
        case.limits = vec![(1, n)];
        case
    }),
    ("loads and stores by a region", |r| {
        let n = r.from(2, 9);
        let m = n + 3;
        case(
            format!("%a: tensor<{n}xi32>, %o: tensor<{m}xi32>"),
            format!("tensor<{m}xi32>, tensor<{m}xi32>"),
            format!(
                "%c1 = arith.constant 1 : index
                 %pad = arith.constant 77 : i32
                 %l = iree_linalg_ext.map_load %a into %o {{
                 ^bb0(%i: index):
                   %k = arith.subi %i, %c1 : index
                   iree_linalg_ext.yield %k, %pad : index, i32
                 }} : tensor<{n}xi32> into tensor<{m}xi32> -> tensor<{m}xi32>
                 %s = iree_linalg_ext.map_store %a into %o {{
                 ^bb0(%i: index):
                   %k = arith.addi %i, %c1 : index
                   %on = arith.cmpi ne, %i, %c1 : index
                   iree_linalg_ext.yield %k, %on : index, i1
                 }} : tensor<{n}xi32> into tensor<{m}xi32> -> tensor<{m}xi32>
                 return %l, %s : tensor<{m}xi32>, tensor<{m}xi32>"
            ),
        )
    }),
    ("a sort of two tensors", |r| {
        let (n, m) = (r.from(1, 9), r.from(1, 4));
        case(
            format!("%a: tensor<{n}x{m}xi32>, %b: tensor<{n}x{m}xf32>"),
            format!("tensor<{n}x{m}xi32>, tensor<{n}x{m}xf32>"),
            format!(
                "%r:2 = iree_linalg_ext.sort dimension(0) outs(%a, %b : tensor<{n}x{m}xi32>, tensor<{n}x{m}xf32>) {{
                 ^bb0(%x: i32, %y: i32, %p: f32, %q: f32):
                   %c = arith.cmpi sgt, %x, %y : i32
                   iree_linalg_ext.yield %c : i1
                 }} -> tensor<{n}x{m}xi32>, tensor<{n}x{m}xf32>
                 return %r#0, %r#1 : tensor<{n}x{m}xi32>, tensor<{n}x{m}xf32>"
            ),
        )
    }),
    ("lines of several tensors that lanes or workgroups sort", |r| {
        let most = [4, 70, 300, 4500][r.below(4)];
        let is_long = most == 4500;
        let (lines, n) = if is_long { (r.from(1, 2), r.from(4096, most)) } else { (r.from(1, 7), r.from(0, most)) };
        let ty = ["f32", "f16", "bf16", "i32", "i64", "f64", "i4"][r.below(if is_long { 4 } else { 7 })];
        let compare = comparison(r, ty);
        let dim = r.below(2);
        let sizes = if dim == 1 { format!("{lines}x{n}") } else { format!("{n}x{lines}") };
        let (keys, others) = (format!("tensor<{sizes}x{ty}>"), format!("tensor<{sizes}xi64>"));
        let (special, from) = if is_long { (String::new(), "%a") } else { specials(r, ty, &keys) };
        // The region compares the first tensor, the second one, or what it computes of the first one.
        let region = match r.below(4) {
            0 if !is_long => String::from("%c = arith.cmpi sgt, %p, %q : i64"),
            1 if ty.starts_with('i') => {
                format!(
                    "%t = arith.constant 1 : {ty}\n%u = arith.xori %x, %t : {ty}\n%v = arith.xori %y, %t : {ty}\n%c = arith.{compare}, %v, %u : {ty}"
                )
            }
            1 => format!(
                "%u = arith.mulf %x, %x : {ty}\n%v = arith.mulf %y, %y : {ty}\n%c = arith.{compare}, %u, %v : {ty}"
            ),
            _ => format!("%c = arith.{compare}, %x, %y : {ty}"),
        };
        case(
            format!("%a: {keys}, %b: {others}"),
            format!("{keys}, {others}"),
            format!(
                "{special}
                 %r:2 = iree_linalg_ext.sort dimension({dim}) outs({from}, %b : {keys}, {others}) {{
                 ^bb0(%x: {ty}, %y: {ty}, %p: i64, %q: i64):
                   {region}
                   iree_linalg_ext.yield %c : i1
                 }} -> {keys}, {others}
                 return %r#0, %r#1 : {keys}, {others}"
            ),
        )
    }),
    ("the best ones", |r| {
        let (n, k) = (r.from(1, 9), r.from(1, 4));
        case(
            format!("%a: tensor<2x{n}xi32>, %v: tensor<2x{k}xi32>, %i: tensor<2x{k}xi32>"),
            format!("tensor<2x{k}xi32>, tensor<2x{k}xi32>"),
            format!(
                "%c = arith.constant -100 : i32
                 %f = linalg.fill ins(%c : i32) outs(%v : tensor<2x{k}xi32>) -> tensor<2x{k}xi32>
                 %r:2 = iree_linalg_ext.topk dimension(1) ins(%a : tensor<2x{n}xi32>) outs(%f, %i : tensor<2x{k}xi32>, tensor<2x{k}xi32>) {{
                 ^bb0(%x: i32, %y: i32):
                   %g = arith.cmpi sgt, %x, %y : i32
                   iree_linalg_ext.yield %g : i1
                 }} -> tensor<2x{k}xi32>, tensor<2x{k}xi32>
                 return %r#0, %r#1 : tensor<2x{k}xi32>, tensor<2x{k}xi32>"
            ),
        )
    }),
    ("the best ones of several lines, and no places", |r| {
        let n = r.from(1, 9);
        let k = r.from(1, n.min(4));
        case(
            format!("%a: tensor<{n}x3xf32>, %v: tensor<{k}x3xf32>"),
            format!("tensor<{k}x3xf32>"),
            format!(
                "%c = arith.constant 100.0 : f32
                 %f = linalg.fill ins(%c : f32) outs(%v : tensor<{k}x3xf32>) -> tensor<{k}x3xf32>
                 %r = iree_linalg_ext.topk_v2 dimension(0) is_sorted ins(%a : tensor<{n}x3xf32>) outs(%f : tensor<{k}x3xf32>) {{
                 ^bb0(%x: f32, %y: f32):
                   %g = arith.cmpf olt, %x, %y : f32
                   iree_linalg_ext.yield %g : i1
                 }} -> tensor<{k}x3xf32>
                 return %r : tensor<{k}x3xf32>"
            ),
        )
    }),
    ("the best ones of lines for lanes, subgroups and workgroups", |r| {
        let most = [3, 40, 700, 5000][r.below(4)];
        let (lines, n) = (r.from(1, 5), r.from(1, most));
        let (name, word) = [("topk", "i32"), ("topk_v2", "i64")][r.below(2)];
        let (sorted, n, k) = if word == "i64" {
            (" is_sorted", n, r.from(1, n.min(9)))
        } else {
            ("", r.below(8).min(1) as i64 * n, r.from(0, 9))
        };
        let ty = ["f32", "f16", "bf16", "i32", "i64", "f64"][r.below(6)];
        let compare = comparison(r, ty);
        let (lists, places) = (format!("tensor<{lines}x{k}x{ty}>"), format!("tensor<{lines}x{k}x{word}>"));
        let (whole, numbers) = (format!("tensor<{lines}x{n}x{ty}>"), format!("tensor<{lines}x{n}x{word}>"));
        // Lists begin with what nothing is worse than, with what something may be worse than, or with what is given.
        let begin = [Some(-1000), Some(2), None][r.below(3)].map(|begin| {
            let point = if ty.starts_with('i') { "" } else { ".0" };
            format!(
                "%c = arith.constant {begin}{point} : {ty}
                 %f = linalg.fill ins(%c : {ty}) outs(%v : {lists}) -> {lists}"
            )
        });
        let (begin, first) = begin.map_or((String::new(), "%v"), |begin| (begin, "%f"));
        let (more, more_types) = if r.below(3) == 0 { (", %p", format!(", {numbers}")) } else { ("", String::new()) };
        let (special, from) = specials(r, ty, &whole);
        case(
            format!("%a: {whole}, %v: {lists}, %p: {numbers}"),
            format!("{lists}, {places}"),
            format!(
                "{begin}
                 {special}
                 %d = arith.constant 7 : {word}
                 %e = tensor.empty() : {places}
                 %g = linalg.fill ins(%d : {word}) outs(%e : {places}) -> {places}
                 %r:2 = iree_linalg_ext.{name} dimension(1){sorted} ins({from}{more} : {whole}{more_types}) outs({first}, %g : {lists}, {places}) {{
                 ^bb0(%x: {ty}, %y: {ty}):
                   %b = arith.{compare}, %x, %y : {ty}
                   iree_linalg_ext.yield %b : i1
                 }} -> {lists}, {places}
                 return %r#0, %r#1 : {lists}, {places}"
            ),
        )
    }),
    ("partial results", |r| {
        let (n, m, inclusive) = (r.from(1, 6), r.from(1, 4), r.below(2) == 1);
        case(
            format!("%a: tensor<{n}x{m}xi32>, %o: tensor<{n}x{m}xi32>, %z: tensor<{m}xi32>"),
            format!("tensor<{n}x{m}xi32>, tensor<{m}xi32>"),
            format!(
                "%r:2 = iree_linalg_ext.scan dimension(0) inclusive({inclusive}) ins(%a : tensor<{n}x{m}xi32>) outs(%o, %z : tensor<{n}x{m}xi32>, tensor<{m}xi32>) {{
                 ^bb0(%x: i32, %y: i32):
                   %t = arith.constant 2 : i32
                   %d = arith.muli %x, %t : i32
                   %s = arith.addi %d, %y : i32
                   iree_linalg_ext.yield %s : i32
                 }} -> tensor<{n}x{m}xi32>, tensor<{m}xi32>
                 return %r#0, %r#1 : tensor<{n}x{m}xi32>, tensor<{m}xi32>"
            ),
        )
    }),
    ("the best one and its place", |r| {
        let (n, m) = (r.from(1, 5), r.from(1, 9));
        case(
            format!("%a: tensor<{n}x{m}xf32>, %v: tensor<{n}xf32>, %i: tensor<{n}xi32>"),
            format!("tensor<{n}xf32>, tensor<{n}xi32>"),
            format!(
                "%r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%a : tensor<{n}x{m}xf32>) outs(%v, %i : tensor<{n}xf32>, tensor<{n}xi32>) {{
                 ^bb0(%x: f32, %y: f32):
                   %c = arith.cmpf ogt, %x, %y : f32
                   iree_linalg_ext.yield %c : i1
                 }} -> tensor<{n}xf32>, tensor<{n}xi32>
                 return %r#0, %r#1 : tensor<{n}xf32>, tensor<{n}xi32>"
            ),
        )
    }),
];

/// The types of tensors of a function's arguments or results.
fn tensors_of(ir: &Ir, types: &[raddle_ir::TypeId]) -> Vec<(Scalar, Vec<i64>)> {
    let of = |ty: &raddle_ir::TypeId| match &ir[*ty] {
        Type::Tensor { shape, elem, .. } => (Scalar::of(&ir[*elem]).unwrap(), shape.clone()),
        ty => (Scalar::of(ty).unwrap(), Vec::new()),
    };
    types.iter().map(of).collect()
}

/// Where a kernel runs.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Machine {
    Emulator,
    Ptx,
}

/// A kernel: destinations behind its arguments.
fn call(ir: &Ir, kernel: OpId, results: &[(Scalar, Vec<i64>)], args: &[Tensor], machine: Machine) -> Vec<Tensor> {
    let mut all = args.to_vec();
    let first = all.len();
    all.extend(results.iter().map(|(elem, shape)| Tensor::zeros(*elem, shape)));
    let options = Options { uninitialised_args: (first..all.len()).collect(), ..Options::default() };
    let launch = Launch::of(ir, kernel).unwrap();
    let out = match machine {
        Machine::Emulator => raddle_emu::run(ir, kernel, &all, &launch, &options).map(|ran| ran.buffers),
        Machine::Ptx => {
            let chip = chip("sm_80").unwrap();
            let emitted = Lowered::check(ir, kernel, chip).and_then(|lowered| raddle_emit::ptx::emit(ir, &lowered));
            let text = emitted.unwrap_or_else(|diag| panic!("{diag:#?}"));
            let module = ptx::parse(&text).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
            // A memref of rank 0 is a buffer, too.
            let inputs = ir.signature(kernel).0;
            for (arg, &ty) in all.iter_mut().zip(inputs) {
                if matches!(ir[ty], Type::MemRef { .. }) && arg.shape.is_empty() {
                    arg.shape = vec![1];
                }
            }
            let launch =
                ptx::Launch { entry: None, grid: launch.grid, workgroup: None, cluster: None, shared_bytes: 0 };
            ptx::run(&module, &all, &launch, &options).map(|ran| ran.args)
        }
    };
    let out =
        out.unwrap_or_else(|diag| panic!("{diag:#?}\n{}", raddle_ir::print(ir, &raddle_ir::PrintOptions::default())));
    // Behind arguments that are numbers there is no buffer.
    let others = out.len() - results.len();
    let shaped = out.into_iter().skip(others).zip(results);
    shaped.map(|(tensor, (_, shape))| Tensor { shape: shape.clone(), ..tensor }).collect()
}

fn run(
    program: &Program,
    results: &[(Scalar, Vec<i64>)],
    args: &[Tensor],
    machine: Machine,
) -> Result<Vec<Tensor>, Diag> {
    let Program { ir, kernels, host } = program;
    let Some(host) = host else { return Ok(call(ir, kernels[0], results, args, machine)) };
    let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
    let mut call = |name: &str, args: &[Tensor], _: bool| {
        let at = find(name).unwrap();
        let results = tensors_of(&host.ir, host.ir.signature(host.kernels[at]).1);
        Ok(call(ir, kernels[at], &results, args, machine))
    };
    raddle_run::host::run(&host.ir, host.func, args, &|name: &str| find(name).is_some(), &mut call)
}

/// A case as a program, and arguments for it.
fn program(case: &Case, rng: &mut Rng) -> (String, Vec<Tensor>) {
    let mut text = String::new();
    let Case { inputs, results, body, limits } = case;
    let _ = writeln!(text, "func.func @f({inputs}) -> ({results}) {{\n{body}\n}}");
    let ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = pipeline::function(&ir, None).unwrap();
    let args = tensors_of(&ir, ir.signature(func).0).into_iter().enumerate().map(|(i, (elem, shape))| {
        let limit = limits.iter().find(|limit| limit.0 == i).map(|limit| limit.1);
        let n = shape.iter().product::<i64>();
        let number = |rng: &mut Rng| match limit {
            Some(limit) => rng.from(0, limit - 1),
            None => rng.from(-7, 7),
        };
        // Sums of halves are exact, so that vectors may add in any order.
        let numbers: Vec<f64> = (0..n).map(|_| number(rng) as f64 * if limit.is_some() { 1.0 } else { 0.5 }).collect();
        let whole: Vec<i64> = numbers.iter().map(|&x| x as i64).collect();
        match elem {
            Scalar::Float(_) => Tensor::from_f64(elem, &shape, &numbers),
            Scalar::Int(1) => Tensor::from_i64(elem, &shape, &whole.iter().map(|x| x & 1).collect::<Vec<_>>()),
            _ => Tensor::from_i64(elem, &shape, &whole),
        }
    });
    let args = args.collect();
    (text, args)
}

/// Whether tensors have the same numbers; a NaN is the same as any other one.
fn same(got: &Tensor, want: &Tensor) -> bool {
    let is_same = |(x, y): (f64, f64)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    got == want
        || got.elem == want.elem && got.shape == want.shape && got.to_f64().into_iter().zip(want.to_f64()).all(is_same)
}

/// Runs a program as written and as kernels, by default and where scalar loops are asked for.
fn check(name: &str, text: &str, args: &[Tensor]) {
    let asked = text.replacen(
        ") {\n",
        ") attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<Distribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {\n",
        1,
    );
    for text in [text, &asked] {
        let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
        let func = pipeline::function(&ir, None).unwrap();
        let simd = Launch { mode: raddle_emu::Mode::Simd, ..Launch::of(&ir, func).unwrap() };
        let want = raddle_emu::run(&ir, func, args, &simd, &Options::default());
        let want = want.unwrap_or_else(|diag| panic!("{name}: {diag:#?}\n{text}")).results;
        let results = tensors_of(&ir, ir.signature(func).1);
        for (target, machine) in [("sm_80", Machine::Emulator), ("sm_80", Machine::Ptx), ("gfx942", Machine::Emulator)]
        {
            if target == "gfx942" && text == asked {
                // It states subgroups of another size.
                continue;
            }
            let facts = Facts::new(chip(target).unwrap());
            let program = Program::of(ir.clone(), func, &facts);
            let mut program = program.unwrap_or_else(|diag| panic!("{name}: {diag:#?}\n{text}"));
            program
                .advance(&facts, Stage::Lowered, |_, _| {})
                .unwrap_or_else(|diag| panic!("{name}: {diag:#?}\n{text}"));
            let got = run(&program, &results, args, machine).unwrap_or_else(|diag| panic!("{name}: {diag:#?}\n{text}"));
            for (at, (got, want)) in got.iter().zip(&want).enumerate() {
                assert!(
                    same(got, want),
                    "{name} on {target}, {machine:?}: result {at} differs\n{text}\nwant {:?}\n got {:?}",
                    want.to_f64(),
                    got.to_f64()
                );
            }
        }
    }
}

fn check_all(cases: &[(&str, Make)]) {
    let (n, first) = common::programs_and_seed(3, 0);
    for seed in first..first + n {
        for (name, make) in cases {
            let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(7));
            let case = make(&mut rng);
            let (text, args) = program(&case, &mut rng);
            check(name, &text, &args);
        }
    }
}

/// A matrix in tiles of a size that only the run knows, in a function with these attributes.
fn packed(func: &str) -> String {
    format!(
        "func.func @f(%a: tensor<8x12xf32>, %n: index, %o: tensor<2x3x?x4xf32>) -> tensor<2x3x?x4xf32> {func} {{
           %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [%n, 4] into %o
             : tensor<8x12xf32> -> tensor<2x3x?x4xf32>
           return %r : tensor<2x3x?x4xf32>
         }}"
    )
}

fn advanced(text: &str) -> (Result<(), Diag>, Vec<Diag>) {
    let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = pipeline::function(&ir, None).unwrap();
    let facts = Facts::new(chip("sm_80").unwrap());
    let done = Program::of(ir, func, &facts).and_then(|mut program| program.advance(&facts, Stage::Lowered, |_, _| {}));
    (done, facts.remarks.take())
}

/// A remark says that scalar loops were chosen, and what vectors refused; where the user asks for them, there is none.
#[test]
fn a_remark_says_why_scalar_loops_were_chosen() {
    let said = |remarks: &[Diag]| -> Vec<String> {
        let about = remarks.iter().filter(|remark| remark.message.contains("scalar loops"));
        about.flat_map(|remark| remark.notes.clone()).collect()
    };
    let (done, remarks) = advanced(&packed(""));
    done.unwrap();
    assert!(said(&remarks).iter().any(|note| note.contains("`linalg.pack` cannot be tiled")), "{remarks:#?}");
    let asked = "attributes {translation_info = #iree_codegen.translation_info<pipeline = LLVMGPUDistribute>}";
    let (done, remarks) = advanced(&packed(asked));
    done.unwrap();
    assert!(said(&remarks).is_empty(), "{remarks:#?}");
}

/// Scalar loops are no way around a configuration of the user: what it asks for is done, or refused.
#[test]
fn a_configuration_is_not_passed_over() {
    let text = "
func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.exp {lowering_config = #iree_gpu.lowering_config<{workgroup = [7], lane_basis = [[3], [0]]}>}
    ins(%a : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}";
    let (done, _) = advanced(text);
    assert!(done.is_err());
}

/// What neither strategy computes is refused by both.
#[test]
fn what_has_no_rule_is_refused_with_both_reasons() {
    let text = "
func.func @f(%a: tensor<8xi32>, %o: tensor<8xi32>) -> tensor<8xi32> {
  %r = linalg.softmax dimension(0) ins(%a : tensor<8xi32>) outs(%o : tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}";
    let (done, _) = advanced(text);
    let diag = done.unwrap_err();
    assert_eq!(diag.code.number(), "E0301", "{diag:#?}");
    assert!(diag.notes.iter().any(|note| note.contains("scalar loops cannot")), "{diag:#?}");
}

#[test]
fn structured_operations_mean_what_they_mean() {
    check_all(STRUCTURED);
}

#[test]
fn operations_that_move_elements_mean_what_they_mean() {
    check_all(MOVES);
}

#[test]
fn operations_with_indices_and_along_lines_mean_what_they_mean() {
    check_all(INDEXED);
}
