//! Random programs as native code: chains, products of all types and orders, reductions, scans, norms, windows, open
//! extents give what the program as written gives, on each CPU that can be executed here.
//!
//! `cargo xtask fuzz-cpu --count 10000 --seed 7` runs more of them; aarch64, under QEMU, gets one of 20.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test stops at a surprise, and says how far it came"
)]

use crate::common::{self, Rng, raddle_with};
use crate::cpu::{program as chain_of_one, runs_here};
use crate::{chains, cpu_c};

/// Programs of one call of the command line.
const BATCH: u64 = 40;
/// One of so many runs under QEMU.
const SAMPLE: u64 = 20;

/// The program of a seed: one function of the name `@fSEED`.
fn program(seed: u64) -> String {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(41));
    match rng.below(9) {
        0 | 1 => chain_of_one(seed),
        kind @ 2..4 => {
            let elem = if kind == 2 { rng.pick(&["i32", "i8", "i64"]) } else { "f32" };
            chains::program(seed, elem).0.replacen("@f(", &format!("@f{seed}("), 1)
        }
        4 | 5 => product(seed, &mut rng),
        6 => rows(seed, &mut rng),
        7 => sorts(seed, &mut rng),
        _ => windows(seed, &mut rng),
    }
}

/// An extent: small, around the lanes of vectors, around tiles.
fn extent(rng: &mut Rng) -> i64 {
    match rng.below(4) {
        0 => rng.from(1, 9),
        1 => rng.pick(&[15, 16, 17, 31, 32, 33, 48, 63, 64, 65]),
        2 => rng.from(10, 80),
        _ => rng.pick(&[4, 8, 24, 100, 130]),
    }
}

/// A product of matrices or batches of them, by any order of its factors' dimensions, added to zeros or to an argument.
fn product(seed: u64, rng: &mut Rng) -> String {
    let types = [
        ["f32", "f32"],
        ["f32", "f32"],
        ["f64", "f64"],
        ["f16", "f32"],
        ["bf16", "f32"],
        ["f16", "f16"],
        ["i8", "i32"],
        ["i16", "i32"],
        ["i32", "i32"],
        ["i64", "i64"],
        ["i4", "i32"],
        ["f8E4M3FN", "f32"],
    ];
    let [elem, sum] = rng.pick(&types);
    let is_batched = rng.below(4) == 0;
    let is_open = rng.below(3) == 0;
    let names: &[char] = if is_batched { &['b', 'm', 'n', 'k'] } else { &['m', 'n', 'k'] };
    let extents: Vec<i64> = names
        .iter()
        .map(|_| if is_open && rng.below(2) == 0 { -1 } else { extent(rng).min(if is_batched { 40 } else { 130 }) })
        .collect();
    let mut order = |dims: &str| {
        let mut dims: Vec<char> = if is_batched { format!("b{dims}") } else { dims.to_owned() }.chars().collect();
        let at = dims.len() - 2;
        if rng.below(2) == 0 {
            dims.swap(at, at + 1);
        }
        dims
    };
    let (a, b) = (order("mk"), order("kn"));
    let c: Vec<char> = names.iter().copied().filter(|&name| name != 'k').collect();
    let of = |dim: char| names.iter().position(|&name| name == dim).unwrap();
    let ty = |dims: &[char], elem: &str| {
        let shape = dims.iter().map(|&dim| match extents[of(dim)] {
            -1 => "?x".to_owned(),
            extent => format!("{extent}x"),
        });
        format!("tensor<{}{elem}>", shape.collect::<String>())
    };
    let (ta, tb, tc) = (ty(&a, elem), ty(&b, elem), ty(&c, sum));
    let is_float = sum.starts_with('f');
    let (zero, add, multiply) = if is_float { ("0.0", "addf", "mulf") } else { ("0", "addi", "muli") };
    let cast = if is_float { "extf" } else { "extsi" };
    let (casts, x, y) = match elem == sum {
        true => (String::new(), "%x", "%y"),
        false => (
            format!("%wx = arith.{cast} %x : {elem} to {sum}\n      %wy = arith.{cast} %y : {elem} to {sum}\n      "),
            "%wx",
            "%wy",
        ),
    };
    let accumulates = rng.below(3) == 0;
    let mut start = String::new();
    if !accumulates {
        // Where an open extent is found.
        let mut sizes = Vec::new();
        for &dim in c.iter().filter(|&&dim| extents[of(dim)] < 0) {
            let (name, dims, ty) = if a.contains(&dim) { ("%a", &a, &ta) } else { ("%b", &b, &tb) };
            let at = dims.iter().position(|&other| other == dim).unwrap();
            start +=
                &format!("  %i{dim} = arith.constant {at} : index\n  %s{dim} = tensor.dim {name}, %i{dim} : {ty}\n");
            sizes.push(format!("%s{dim}"));
        }
        start += &format!(
            "  %zero = arith.constant {zero} : {sum}\n  %e = tensor.empty({}) : {tc}\n  \
             %c = linalg.fill ins(%zero : {sum}) outs(%e : {tc}) -> {tc}\n",
            sizes.join(", ")
        );
    }
    let list = |dims: &[char]| dims.iter().map(char::to_string).collect::<Vec<_>>().join(", ");
    let loops = list(names);
    let maps: Vec<String> = [&a, &b, &c].map(|dims| format!("affine_map<({loops}) -> ({})>", list(dims))).to_vec();
    let kinds = names.iter().map(|&name| if name == 'k' { "\"reduction\"" } else { "\"parallel\"" });
    let param = if accumulates { format!(", %c: {tc}") } else { String::new() };
    format!(
        "func.func @f{seed}(%a: {ta}, %b: {tb}{param}) -> {tc} {{
{start}  %r = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins(%a, %b : {ta}, {tb}) outs(%c : {tc}) {{
    ^bb0(%x: {elem}, %y: {elem}, %o: {sum}):
      {casts}%p = arith.{multiply} {x}, {y} : {sum}
      %t = arith.{add} %o, %p : {sum}
      linalg.yield %t : {sum}
  }} -> {tc}
  return %r : {tc}
}}\n",
        maps.join(", "),
        kinds.collect::<Vec<_>>().join(", ")
    )
}

/// A softmax, a running sum, a sort or a reduction along one dimension of any.
fn rows(seed: u64, rng: &mut Rng) -> String {
    let rank = 1 + rng.below(3);
    let shape: Vec<i64> = (0..rank).map(|_| extent(rng).min(if rank > 2 { 20 } else { 130 })).collect();
    let dim = rng.below(rank);
    let kept: Vec<i64> = (0..rank).filter(|&d| d != dim).map(|d| shape[d]).collect();
    let kind = rng.below(4);
    let elem = if kind == 0 {
        rng.pick(&["f32", "f16", "f64", "bf16"])
    } else {
        rng.pick(&["f32", "i32", "i64", "f64", "i8"])
    };
    let (ty, short) = (chains::ty(&shape, elem), chains::ty(&kept, elem));
    let is_float = elem.contains('f');
    let add = if is_float { "addf" } else { "addi" };
    match kind {
        0 => format!(
            "func.func @f{seed}(%a: {ty}) -> {ty} {{
  %e = tensor.empty() : {ty}
  %r = linalg.softmax dimension({dim}) ins(%a : {ty}) outs(%e : {ty}) -> {ty}
  return %r : {ty}
}}\n"
        ),
        1 => {
            let inclusive = rng.below(2) == 0;
            format!(
                "func.func @f{seed}(%a: {ty}, %c: {short}) -> ({ty}, {short}) {{
  %e = tensor.empty() : {ty}
  %r:2 = iree_linalg_ext.scan dimension({dim}) inclusive({inclusive}) ins(%a : {ty}) outs(%e, %c : {ty}, {short}) {{
    ^bb0(%x: {elem}, %y: {elem}):
      %s = arith.{add} %x, %y : {elem}
      iree_linalg_ext.yield %s : {elem}
  }} -> {ty}, {short}
  return %r#0, %r#1 : {ty}, {short}
}}\n"
            )
        }
        2 => {
            let less = if is_float { "cmpf olt" } else { "cmpi slt" };
            format!(
                "func.func @f{seed}(%a: {ty}) -> {ty} {{
  %r = iree_linalg_ext.sort dimension({dim}) outs(%a : {ty}) {{
    ^bb0(%x: {elem}, %y: {elem}):
      %l = arith.{less}, %x, %y : {elem}
      iree_linalg_ext.yield %l : i1
  }} -> {ty}
  return %r : {ty}
}}\n"
            )
        }
        _ => {
            let combine = rng.pick(if is_float {
                &["addf", "maximumf", "minimumf", "mulf"][..]
            } else {
                &["addi", "maxsi", "minui", "ori"]
            });
            format!(
                "func.func @f{seed}(%a: {ty}, %c: {short}) -> {short} {{
  %r = linalg.reduce {{arith.{combine}}} ins(%a : {ty}) outs(%c : {short}) dimensions = [{dim}]
  return %r : {short}
}}\n"
            )
        }
    }
}

/// A sort of lines with the numbers of their elements, of few or many values, with NaNs and negative zeros: short ones, and
/// longer ones than a thread's memory holds.
fn sorts(seed: u64, rng: &mut Rng) -> String {
    let elem =
        rng.pick(&["f32", "f32", "f16", "bf16", "f64", "i1", "i4", "i8", "i16", "i32", "i64", "index", "f8E5M2"]);
    let is_float = elem.contains('f');
    let (lines, n) = match rng.below(16) {
        0 => (1, rng.from(50_000, 120_000)),
        1..4 => (rng.from(1, 3), rng.from(1000, 6000)),
        4..9 => (rng.from(1, 5), rng.from(100, 999)),
        _ => (rng.from(1, 9), rng.from(0, 130)),
    };
    let dim = rng.below(2);
    let sizes = if dim == 1 { format!("{lines}x{n}") } else { format!("{n}x{lines}") };
    let places = rng.pick(&["i32", "i64"]);
    let (keys, numbers) = (format!("tensor<{sizes}x{elem}>"), format!("tensor<{sizes}x{places}>"));
    let relation = if is_float {
        format!("cmpf {}", rng.pick(&["ogt", "oge", "olt", "ole"]))
    } else {
        format!("cmpi {}", rng.pick(&["sgt", "sge", "slt", "sle", "ugt", "uge", "ult", "ule"]))
    };
    let (first, second) = if rng.below(2) == 0 { ("%x", "%y") } else { ("%y", "%x") };
    // NaNs at every so many places, and zeros of both signs.
    let spread = rng.pick(&[1, 2, 7, 100, 3001, 1_000_000_000]);
    let special = if is_float {
        format!(
            "    %p = arith.index_cast %i : index to i32
    %spread = arith.constant {spread} : i32
    %rest = arith.remsi %p, %spread : i32
    %last = arith.constant {} : i32
    %is = arith.cmpi eq, %rest, %last : i32
    %zero = arith.constant -0.0 : {elem}
    %nan = arith.divf %zero, %zero : {elem}
    %least = arith.constant 0.25 : {elem}
    %most = arith.constant 0.5 : {elem}
    %above = arith.cmpf olt, %least, %in : {elem}
    %below = arith.cmpf olt, %in, %most : {elem}
    %between = arith.andi %above, %below : i1
    %u = arith.select %between, %zero, %in : {elem}
    %v = arith.select %is, %nan, %u : {elem}
",
            spread - 1
        )
    } else {
        String::from("    %v = arith.addi %in, %in : ") + elem + "\n"
    };
    format!(
        "func.func @f{seed}(%a: {keys}) -> ({keys}, {numbers}) {{
  %e = tensor.empty() : {keys}
  %k = linalg.generic {{indexing_maps = [affine_map<(l, m) -> (l, m)>, affine_map<(l, m) -> (l, m)>],
      iterator_types = [\"parallel\", \"parallel\"]}} ins(%a : {keys}) outs(%e : {keys}) {{
  ^bb0(%in: {elem}, %out: {elem}):
    %i = linalg.index {dim} : index
{special}    linalg.yield %v : {elem}
  }} -> {keys}
  %f = tensor.empty() : {numbers}
  %n = linalg.generic {{indexing_maps = [affine_map<(l, m) -> (l, m)>], iterator_types = [\"parallel\", \"parallel\"]}}
      outs(%f : {numbers}) {{
  ^bb0(%out: {places}):
    %i = linalg.index {dim} : index
    %v = arith.index_cast %i : index to {places}
    linalg.yield %v : {places}
  }} -> {numbers}
  %r:2 = iree_linalg_ext.sort dimension({dim}) outs(%k, %n : {keys}, {numbers}) {{
  ^bb0(%x: {elem}, %y: {elem}, %p: {places}, %q: {places}):
    %c = arith.{relation}, {first}, {second} : {elem}
    iree_linalg_ext.yield %c : i1
  }} -> {keys}, {numbers}
  return %r#0, %r#1 : {keys}, {numbers}
}}\n"
    )
}

/// A convolution or a pooling of images, with channels in front or last, or none, padded or not.
fn windows(seed: u64, rng: &mut Rng) -> String {
    let elem = rng.pick(&["f32", "f32", "i32", "f64"]);
    let (n, c, f) = (rng.from(1, 3), rng.pick(&[1, 3, 8, 17]), rng.pick(&[1, 4, 16, 19]));
    let [oh, ow] = [(); 2].map(|()| rng.pick(&[1, 4, 7, 16, 17, 20]));
    let [kh, kw] = [(); 2].map(|()| rng.from(1, 4));
    let [sh, sw] = [(); 2].map(|()| rng.from(1, 2));
    let [dh, dw] = [(); 2].map(|()| rng.from(1, 2));
    let [low, high] = [(); 2].map(|()| rng.below(2) as i64);
    let (h, w) = ((oh - 1) * sh + (kh - 1) * dh + 1, (ow - 1) * sw + (kw - 1) * dw + 1);
    let is_last = rng.below(2) == 0;
    let (low, high) = (if h > low + high { low } else { 0 }, if h > low + high { high } else { 0 });
    let image = |h: i64| if is_last { [n, h, w, c] } else { [n, c, h, w] };
    let (source, padded) = (chains::ty(&image(h - low - high), elem), chains::ty(&image(h), elem));
    let at = if is_last { 1 } else { 2 };
    let only = |n: i64| (0..4).map(|d| if d == at { n } else { 0 }).collect::<Vec<i64>>();
    let zero = if elem.starts_with('f') { "0.0" } else { "0" };
    let pads = rng.below(4) != 0;
    let pools = is_last && rng.below(3) == 0;
    let (name, weights, result) = match (pools, is_last) {
        (true, _) => ("pooling_nhwc_sum", vec![kh, kw], [n, oh, ow, c]),
        (false, true) => ("conv_2d_nhwc_hwcf", vec![kh, kw, c, f], [n, oh, ow, f]),
        (false, false) => ("conv_2d_nchw_fchw", vec![f, c, kh, kw], [n, f, oh, ow]),
    };
    let (tw, tr) = (chains::ty(&weights, elem), chains::ty(&result, elem));
    let (start, given) = if pads {
        let (low, high) = (only(low), only(high));
        (
            format!(
                "  %zero = arith.constant {zero} : {elem}\n  %p = tensor.pad %a low{low:?} high{high:?} {{\n  \
                 ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):\n    tensor.yield %zero : {elem}\n  }} : {source} to {padded}\n"
            ),
            source,
        )
    } else {
        (String::new(), padded.clone())
    };
    let image = if pads { "%p" } else { "%a" };
    format!(
        "func.func @f{seed}(%a: {given}, %w: {tw}, %c: {tr}) -> {tr} {{
{start}  %r = linalg.{name} {{dilations = dense<[{dh}, {dw}]> : tensor<2xi64>, strides = dense<[{sh}, {sw}]> : tensor<2xi64>}}
    ins({image}, %w : {padded}, {tw}) outs(%c : {tr}) -> {tr}
  return %r : {tr}
}}\n"
    )
}

/// What became of the programs of some seeds on one CPU: how many are right, and the lines of the others.
fn run(seeds: &[u64], device: &str, target: &str) -> (usize, Vec<String>) {
    let (mut right, mut others) = (0, Vec::new());
    for part in seeds.chunks(BATCH as usize) {
        let text: String = part.iter().map(|&seed| program(seed)).collect();
        let flags = ["run", "-", "--all", "--fuel=100000000000", "--memory=2G", "--time=600"];
        let machine = [format!("--device={device}"), format!("--target={target}")];
        let ran = raddle_with(&[&flags[..], &machine.each_ref().map(String::as_str)].concat(), &text);
        let verdicts = ran.out.lines().filter(|line| line.contains(" @f"));
        let (good, bad): (Vec<&str>, Vec<&str>) = verdicts.partition(|line| line.starts_with("ok "));
        right += good.len();
        if good.len() + bad.len() != part.len() {
            // The text was not read, or the process ended.
            others.push(format!("programs from {} on: status {}: {}", part[0], ran.status, ran.err));
        }
        others.extend(bad.into_iter().map(str::to_owned));
    }
    (right, others)
}

#[test]
fn random_programs_mean_the_same() {
    let (n, first) = common::programs_and_seed(32, 0);
    let seeds: Vec<u64> = (first..first + n).collect();
    if std::env::var_os("RADDLE_SHOW").is_some() {
        seeds.iter().for_each(|&seed| println!("{}", program(seed)));
    }
    if !runs_here() {
        return;
    }
    let mut machines: Vec<(&str, &str, Vec<u64>)> =
        ["x86-64-v4-amx", "x86-64-v4-bf16", "x86-64-v4-vnni", "x86-64-v4", "x86-64-v3", "aarch64"]
            .into_iter()
            .filter(|&target| raddle_run::cpu::runs(target))
            .map(|target| ("cpu", target, seeds.clone()))
            .collect();
    // What these machines have beside AVX-512 changes the products of bytes and of bf16 alone.
    for (_, target, seeds) in &mut machines {
        match *target {
            "x86-64-v4-amx" => seeds.retain(|&seed| program(seed).contains("xbf16>") || program(seed).contains("xi8>")),
            "x86-64-v4-bf16" => seeds.retain(|&seed| program(seed).contains("xbf16>")),
            "x86-64-v4-vnni" => seeds.retain(|&seed| program(seed).contains("xi8>")),
            _ => {}
        }
    }
    if cpu_c::targets().contains(&"aarch64") {
        machines.push(("cpu-c", "aarch64", seeds.iter().copied().step_by(SAMPLE as usize).collect()));
    }
    let mut failures = Vec::new();
    for (device, target, seeds) in machines {
        let (right, others) = run(&seeds, device, target);
        println!("{target}: {right} of {} programs are right", seeds.len());
        failures.extend(others.into_iter().map(|line| format!("{target}: {line}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
