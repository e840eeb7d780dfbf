//! Sums of products as chains, and accesses as rows, mean what they meant.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Tensor};
use raddle_ir::{Diag, Ir, Scalar, parse, print, verify};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

use crate::programs::Rng;

fn lower(ir: &mut Ir) -> Result<(), Diag> {
    let (func, pass) = (ir.funcs()[0], PASSES.iter().find(|pass| pass.name == "lower-vectors").unwrap());
    pass.apply(ir, func, &Facts::new(chip("sm_80").unwrap()), &Options::of(pass.options))?;
    assert_eq!(verify(ir), [], "{}", print(ir, &Default::default()));
    Ok(())
}

fn run(ir: &Ir, args: &[Tensor]) -> Vec<Tensor> {
    let launch = Launch { grid: [1, 1, 1], workgroup_size: [32, 1, 1], subgroup_size: 32, mode: Mode::Simd };
    raddle_emu::run(ir, ir.funcs()[0], args, &launch, &Default::default())
        .unwrap_or_else(|diag| panic!("{diag:?}\n{}", print(ir, &Default::default())))
        .buffers
}

/// The buffers before and behind the pass, which must be the same; the answer is the text behind it.
fn alike(text: &str, args: &[Tensor]) -> String {
    let read = || parse(text).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let mut after = read();
    lower(&mut after).unwrap();
    let printed = print(&after, &Default::default());
    assert!(run(&after, args) == run(&read(), args), "{text}\n{printed}");
    printed
}

fn list(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join("x")
}

fn vector(shape: &[i64], elem: &str) -> String {
    if shape.is_empty() { elem.to_owned() } else { format!("vector<{}x{elem}>", list(shape)) }
}

fn shuffled(rng: &mut Rng, mut dims: Vec<usize>) -> Vec<usize> {
    (1..dims.len()).rev().for_each(|i| dims.swap(i, rng.below(i + 1)));
    dims
}

fn tensor(rng: &mut Rng, n: i64, elem: &str) -> Tensor {
    let values: Vec<f64> = (0..n).map(|_| rng.below(5) as f64 - 2.0).collect();
    Tensor::from_f64(Scalar::from_keyword(elem).unwrap(), &[n], &values)
}

/// A flat memory as a vector, read by one read.
fn read(name: &str, memory: &str, shape: &[i64], elem: &str) -> String {
    let n: i64 = shape.iter().product();
    format!(
        "%{name}f = vector.transfer_read {memory}[%c0], %pad_{elem} {{in_bounds = [true]}} : memref<{n}x{elem}>, vector<{n}x{elem}>
         %{name} = vector.shape_cast %{name}f : vector<{n}x{elem}> to {}\n",
        vector(shape, elem)
    )
}

const CONSTANTS: &str = "%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %pad_f16 = arith.constant 1.0 : f16
  %pad_f32 = arith.constant 2.0 : f32
  %pad_i8 = arith.constant 3 : i8
  %pad_i32 = arith.constant 4 : i32\n";

/// Contractions with any loops in any order, masked or not, and sums of products.
#[test]
fn sums_of_products_become_chains() {
    for seed in 0..300 {
        let mut rng = Rng(seed * 733 + 17);
        let (factor, sum) = rng.pick(&[("f32", "f32"), ("f16", "f32"), ("f16", "f16"), ("i32", "i32"), ("i8", "i32")]);
        let n_loops = 1 + rng.below(4);
        let extents: Vec<i64> = (0..n_loops).map(|_| rng.pick(&[1, 2, 3])).collect();
        let reduction: Vec<bool> = (0..n_loops).map(|d| d == 0 || rng.chance(40)).collect();
        let kept: Vec<usize> = shuffled(&mut rng, (0..n_loops).filter(|&d| !reduction[d]).collect());
        // Each loop is in one of the factors at least; a reduction may be in one alone.
        let owners: Vec<usize> = (0..n_loops).map(|_| rng.below(3)).collect();
        let dims = |rng: &mut Rng, not: usize| shuffled(rng, (0..n_loops).filter(|&d| owners[d] != not).collect());
        let [lhs, rhs] = [dims(&mut rng, 0), dims(&mut rng, 1)];
        if lhs.is_empty() || rhs.is_empty() {
            continue;
        }
        let shape = |dims: &[usize]| dims.iter().map(|&d| extents[d]).collect::<Vec<i64>>();
        let names: Vec<String> = (0..n_loops).map(|d| format!("d{d}")).collect();
        let map = |dims: &[usize]| {
            let results: Vec<String> = dims.iter().map(|d| format!("d{d}")).collect();
            format!("affine_map<({}) -> ({})>", names.join(", "), results.join(", "))
        };
        let kinds: Vec<&str> =
            reduction.iter().map(|&sums| if sums { "\"reduction\"" } else { "\"parallel\"" }).collect();
        let (sl, sr, sa) = (shape(&lhs), shape(&rhs), shape(&kept));
        let (n_lhs, n_rhs, n_acc) =
            (sl.iter().product::<i64>(), sr.iter().product::<i64>(), sa.iter().product::<i64>());
        let mut body = read("a", "%ma", &sl, factor) + &read("b", "%mb", &sr, factor);
        body += &match sa.is_empty() {
            true => format!("%c = memref.load %mc[%c0] : memref<1x{sum}>\n"),
            false => read("c", "%mc", &sa, sum),
        };
        let contract = format!(
            "vector.contract {{indexing_maps = [{}, {}, {}], iterator_types = [{}], kind = #vector.kind<add>}} %a, %b, %c : {}, {} into {}",
            map(&lhs),
            map(&rhs),
            map(&kept),
            kinds.join(", "),
            vector(&sl, factor),
            vector(&sr, factor),
            vector(&sa, sum)
        );
        let masked = rng.chance(40);
        if masked {
            let bounds: Vec<String> = extents.iter().map(|&n| format!("%c{}", rng.below(n as usize + 1))).collect();
            let flags = vector(&extents, "i1");
            body += &format!("%mask = vector.create_mask {} : {flags}\n", bounds.join(", "));
            body += &format!("%r = vector.mask %mask {{ {contract} }} : {flags} -> {}\n", vector(&sa, sum));
        } else {
            body += &format!("%r = {contract}\n");
        }
        body += &match sa.is_empty() {
            true => format!("memref.store %r, %mc[%c0] : memref<1x{sum}>\n"),
            false => format!(
                "%w = vector.shape_cast %r : {} to vector<{n_acc}x{sum}>
                 vector.transfer_write %w, %mc[%c0] {{in_bounds = [true]}} : vector<{n_acc}x{sum}>, memref<{n_acc}x{sum}>\n",
                vector(&sa, sum)
            ),
        };
        let text = format!(
            "func.func @f(%ma: memref<{n_lhs}x{factor}>, %mb: memref<{n_rhs}x{factor}>, %mc: memref<{n_acc}x{sum}>) {{
               {CONSTANTS}{body}return
             }}"
        );
        let args = [tensor(&mut rng, n_lhs, factor), tensor(&mut rng, n_rhs, factor), tensor(&mut rng, n_acc, sum)];
        let printed = alike(&text, &args);
        assert_eq!(printed.contains("vector.contract"), masked && sa.is_empty(), "{text}\n{printed}");
    }
}

/// A product that a sum takes is a step of its chain; one that something else is made of is not.
#[test]
fn products_join_their_sum() {
    let text = |more: &str| {
        format!(
            "func.func @f(%ma: memref<12xf32>, %mb: memref<12xf32>, %mc: memref<3xf32>) {{
               {CONSTANTS}{}{}{}
               %p = arith.mulf %a, %b : vector<2x3x2xf32>
               {more}
               %r = vector.multi_reduction <add>, %q, %c [0, 2] : vector<2x3x2xf32> to vector<3xf32>
               vector.transfer_write %r, %mc[%c0] {{in_bounds = [true]}} : vector<3xf32>, memref<3xf32>
               return
             }}",
            read("a", "%ma", &[2, 3, 2], "f32"),
            read("b", "%mb", &[2, 3, 2], "f32"),
            read("c", "%mc", &[3], "f32"),
        )
    };
    let mut rng = Rng(5);
    let args = [tensor(&mut rng, 12, "f32"), tensor(&mut rng, 12, "f32"), tensor(&mut rng, 3, "f32")];
    let direct = alike(&text("").replace("%q", "%p"), &args);
    assert_eq!((direct.matches("math.fma").count(), direct.matches("arith.mulf").count()), (4, 0), "{direct}");
    let apart = alike(&text("%q = arith.addf %p, %a : vector<2x3x2xf32>"), &args);
    assert_eq!((apart.matches("math.fma").count(), apart.matches("arith.mulf").count()), (0, 1), "{apart}");
}

/// Gathers, scatters, reads and writes of several dimensions, with positions that are looked up along any of them.
#[test]
fn accesses_become_rows() {
    let (mut n_rows, mut n_whole) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng(seed * 479 + 41);
        let rank = 1 + rng.below(3);
        let shape: Vec<i64> = (0..rank).map(|_| rng.pick(&[1, 2, 3, 4])).collect();
        let last = rank - 1;
        // Each dimension of the base is a dimension of the vector, a number that is looked up, or one place.
        let base_rank = 1 + rng.below(3);
        let (mut results, mut index_vecs) = (Vec::new(), Vec::new());
        let mut free: Vec<usize> = (0..rank).collect();
        for p in 0..base_rank {
            let along_last = p + 1 == base_rank && free.contains(&last) && rng.chance(70);
            if along_last || !free.is_empty() && rng.chance(40) {
                let d = if along_last { last } else { rng.pick(&free) };
                free.retain(|&other| other != d);
                results.push(format!("d{d}"));
            } else if rng.chance(60) {
                let dims = (0..rank).filter(|_| rng.chance(40)).collect();
                index_vecs.push(shuffled(&mut rng, dims));
                results.push(format!("s{}", index_vecs.len() - 1));
            } else {
                results.push("0".to_owned());
            }
        }
        let scatters = rng.chance(40);
        let masked = rng.chance(40);
        let mask_dims: Vec<usize> = shuffled(&mut rng, (0..rank).collect());
        let names: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
        let syms: Vec<String> = (0..index_vecs.len()).map(|s| format!("s{s}")).collect();
        let syms = if syms.is_empty() { String::new() } else { format!("[{}]", syms.join(", ")) };
        let of = |results: &[String]| format!("affine_map<({}){syms} -> ({})>", names.join(", "), results.join(", "));
        let dims_of = |dims: &[usize]| dims.iter().map(|d| format!("d{d}")).collect::<Vec<_>>();
        let mut maps = vec![of(&results)];
        maps.extend(index_vecs.iter().map(|dims| of(&dims_of(dims))));
        let mut body = String::new();
        let along = |dims: &[usize]| dims.iter().map(|&d| shape[d]).collect::<Vec<i64>>();
        let (mut index_names, mut index_types) = (Vec::new(), Vec::new());
        for (s, dims) in index_vecs.iter().enumerate() {
            let extents = along(dims);
            if extents.is_empty() {
                index_names.push("%c1".to_owned());
                index_types.push("index".to_owned());
                continue;
            }
            let n: i64 = extents.iter().product();
            let numbers: Vec<String> = (0..n).map(|_| rng.below(4).to_string()).collect();
            body += &format!("%i{s}f = arith.constant dense<[{}]> : vector<{n}xindex>\n", numbers.join(", "));
            body += &format!("%i{s} = vector.shape_cast %i{s}f : vector<{n}xindex> to {}\n", vector(&extents, "index"));
            index_names.push(format!("%i{s}"));
            index_types.push(vector(&extents, "index"));
        }
        let lookup = if index_names.is_empty() {
            String::new()
        } else {
            format!("[{} : {}]", index_names.join(", "), index_types.join(", "))
        };
        let (mut mask, mut mask_ty) = (String::new(), String::new());
        if masked {
            let extents = along(&mask_dims);
            let bounds: Vec<String> =
                extents.iter().map(|&n| format!("%c{}", rng.below(n.min(3) as usize + 1))).collect();
            mask_ty = format!(", {}", vector(&extents, "i1"));
            body += &format!("%mask = vector.create_mask {} : {}\n", bounds.join(", "), vector(&extents, "i1"));
            mask = ", %mask".to_owned();
            maps.push(of(&dims_of(&mask_dims)));
        }
        let offsets: Vec<&str> = (0..base_rank).map(|_| rng.pick(&["%c0", "%c1"])).collect();
        let base = vec![6; base_rank];
        let n_base: i64 = base.iter().product();
        let (memory, v) = (format!("memref<{}xi32>", list(&base)), vector(&shape, "i32"));
        let n: i64 = shape.iter().product();
        body += &if scatters {
            // Where several elements meet, all are the same.
            let value = if index_vecs.is_empty() && results.iter().all(|result| result != "0") && free.is_empty() {
                "%v"
            } else {
                "%same"
            };
            read("v", "%mv", &shape, "i32")
                + &format!(
                    "%same = arith.constant dense<7> : {v}
                     iree_vector_ext.transfer_scatter {value} into %m[{}] {lookup}{mask} {{indexing_maps = [{}]}} : {v}, {memory}{mask_ty}\n",
                    offsets.join(", "),
                    maps.join(", ")
                )
        } else {
            format!(
                "%r = iree_vector_ext.transfer_gather %m[{}] {lookup}, %pad_i32{mask} {{indexing_maps = [{}]}} : {memory}, {v}{mask_ty}
                 %w = vector.shape_cast %r : {v} to vector<{n}xi32>
                 vector.transfer_write %w, %mv[%c0] {{in_bounds = [true]}} : vector<{n}xi32>, memref<{n}xi32>\n",
                offsets.join(", "),
                maps.join(", ")
            )
        };
        let text = format!("func.func @f(%m: {memory}, %mv: memref<{n}xi32>) {{\n{CONSTANTS}{body}return\n}}");
        let numbers: Vec<i64> = (0..n_base).map(|i| i * 7 + 1).collect();
        let args = [Tensor::from_i64(Scalar::Int(32), &base, &numbers), tensor(&mut rng, n, "i32")];
        let printed = alike(&text, &args);
        let row = format!("d{last}");
        let runs = results.iter().filter(|result| **result == row).count() == 1
            && !index_vecs.iter().any(|dims| dims.contains(&last));
        assert_eq!(printed.contains("iree_vector_ext"), !runs, "{text}\n{printed}");
        n_rows += usize::from(runs && rank > 1);
        n_whole += usize::from(!runs);
    }
    assert!(n_rows > 30 && n_whole > 30, "{n_rows} {n_whole}");
}

/// Reads and writes that stay inside are loads and stores of rows; a read may repeat an element, or take other dimensions.
#[test]
fn transfers_become_rows() {
    for seed in 0..200 {
        let mut rng = Rng(seed * 97 + 3);
        let (base_rank, rank) = (2 + rng.below(2), 1 + rng.below(3));
        let shape: Vec<i64> = (0..rank).map(|_| rng.pick(&[1, 2, 3])).collect();
        let mut free: Vec<usize> = (0..base_rank).collect();
        let writes = rng.chance(40);
        let mut results = Vec::new();
        for d in 0..rank {
            let last = d + 1 == rank && free.contains(&(base_rank - 1)) && rng.chance(70);
            if last || !free.is_empty() && (writes || rng.chance(70)) {
                let p = if last { base_rank - 1 } else { rng.pick(&free) };
                free.retain(|&other| other != p);
                results.push(format!("d{p}"));
            } else {
                results.push("0".to_owned());
            }
        }
        if writes && results.iter().any(|result| result == "0") {
            continue;
        }
        let names: Vec<String> = (0..base_rank).map(|d| format!("d{d}")).collect();
        let map = format!("affine_map<({}) -> ({})>", names.join(", "), results.join(", "));
        let bounds = vec!["true"; rank].join(", ");
        let at: Vec<&str> = (0..base_rank).map(|_| rng.pick(&["%c0", "%c2"])).collect();
        let base = vec![5; base_rank];
        let (memory, v, n) =
            (format!("memref<{}xi32>", list(&base)), vector(&shape, "i32"), shape.iter().product::<i64>());
        let body = if writes {
            read("v", "%mv", &shape, "i32")
                + &format!(
                    "vector.transfer_write %v, %m[{}] {{permutation_map = {map}, in_bounds = [{bounds}]}} : {v}, {memory}\n",
                    at.join(", ")
                )
        } else {
            format!(
                "%v = vector.transfer_read %m[{}], %pad_i32 {{permutation_map = {map}, in_bounds = [{bounds}]}} : {memory}, {v}
                 %w = vector.shape_cast %v : {v} to vector<{n}xi32>
                 vector.transfer_write %w, %mv[%c0] {{in_bounds = [true]}} : vector<{n}xi32>, memref<{n}xi32>\n",
                at.join(", ")
            )
        };
        let text = format!("func.func @f(%m: {memory}, %mv: memref<{n}xi32>) {{\n{CONSTANTS}{body}return\n}}");
        let numbers: Vec<i64> = (0..base.iter().product()).map(|i| i * 3 + 1).collect();
        let args = [Tensor::from_i64(Scalar::Int(32), &base, &numbers), tensor(&mut rng, n, "i32")];
        let printed = alike(&text, &args);
        let end = results.last().unwrap();
        let rows = *end == format!("d{}", base_rank - 1) || end == "0";
        assert_eq!(printed.contains("vector.transfer_"), !rows, "{text}\n{printed}");
    }
}

/// More pieces than a program should have are refused.
#[test]
fn too_many_pieces_are_refused() {
    let text = "func.func @f(%m: memref<100x100x2xi32>) -> vector<100x100x2xi32> {
        %c0 = arith.constant 0 : index
        %pad = arith.constant 0 : i32
        %v = vector.transfer_read %m[%c0, %c0, %c0], %pad {in_bounds = [true, true, true]} : memref<100x100x2xi32>, vector<100x100x2xi32>
        return %v : vector<100x100x2xi32>
      }";
    let refusal = lower(&mut parse(text).unwrap()).unwrap_err();
    assert!(refusal.message.contains("too many pieces"), "{refusal:?}");
}

/// What a mask stands around may be anything: only products are taken apart.
#[test]
fn masks_stand_around_other_operations() {
    let text = "func.func @f(%m: vector<4xi1>, %v: vector<4xf32>, %p: memref<4xf32>, %i: index) {
  vector.mask %m { vector.transfer_write %v, %p[%i] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  return
}";
    let mut ir = parse(text).unwrap();
    lower(&mut ir).unwrap();
    assert!(print(&ir, &Default::default()).contains("vector.mask"));
}
