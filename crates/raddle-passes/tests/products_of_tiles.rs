//! Matrix instructions on tiles mean the same product at every step of their way: as a contraction, on whole tiles, with
//! runs expanded, dealt to threads, unrolled, and as instructions that every lane executes.
//!
//! Each kind of the tables is tried with random loops around it; `RADDLE_TILES=20` tries each with twenty seeds. Values are
//! whole numbers and scales powers of two, so that sums are exact in any order.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Options as Run, Tensor};
use raddle_ir::{Diag, Float, Ir, Opcode, Scalar, parse_attr};
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::catalogue::{Family, Named, VIRTUALS, instructions};
use raddle_target::tile::{Kind, KindError, Tile};
use raddle_target::{MMAS, chip};

use crate::common::Random;

const ROLES: [&str; 4] = ["batch", "m", "n", "k"];

/// One operation: its kind, its loops, and what its operands hold.
struct Case {
    text: String,
    kind: Kind,
    tiles: Vec<Tile>,
    types: Vec<Scalar>,
    /// For each loop, its role (one of [`ROLES`]) and extent.
    loops: Vec<(usize, i64)>,
    /// For each operand, its loops.
    dims: Vec<Vec<usize>>,
    salt: u64,
}

/// A whole number for a place: few, where sums are short of bits.
fn number(elem: Scalar, acc: Scalar, salt: u64, place: &[i64]) -> f64 {
    let hash =
        place.iter().fold(salt, |hash, &at| (hash ^ at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    let pick = (hash >> 17) % 1024;
    match elem {
        Scalar::Float(Float::F8E8M0FNU) => [0.5, 1.0, 2.0, 4.0][pick as usize % 4],
        _ if acc.bits() == 16 => pick as f64 % 3.0 - 1.0,
        Scalar::Int(1) => pick as f64 % 2.0,
        _ => [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0][pick as usize % 6],
    }
}

impl Case {
    fn of(text: &str, random: &mut Random) -> Option<Case> {
        let mut ir = Ir::new();
        let attr = parse_attr(text, &mut ir).unwrap();
        let kind = Kind::of(&ir, attr).unwrap();
        let tiles = match kind.tiles() {
            Ok(tiles) => tiles,
            Err(KindError::Places(_) | KindError::Runs(_)) => return None,
            Err(error) => panic!("{text}: {error}"),
        };
        let types: Vec<Scalar> = kind.types().into_iter().collect::<Option<_>>()?;
        let n = tiles.len();
        // Scales have no batches here: each belongs to a row or a column.
        let roles = if n == 5 { 1..4 } else { 0..4 };
        let mut loops: Vec<(usize, i64)> = Vec::new();
        for role in roles {
            for _ in 0..random.below(2) + usize::from(random.below(5) == 0) {
                loops.insert(random.below(loops.len() + 1), (role, 1 + random.below(2) as i64));
            }
        }
        let with = |roles: [usize; 3]| (0..loops.len()).filter(|&d| roles.contains(&loops[d].0)).collect::<Vec<_>>();
        let mut dims = vec![with([0, 1, 3]), with([0, 3, 2])];
        if n == 5 {
            dims.extend([with([0, 1, 3]), with([0, 3, 2])]);
        }
        dims.push(with([0, 1, 2]));
        let salt = random.below(1 << 30) as u64;
        Some(Case { text: text.to_owned(), kind, tiles, types, loops, dims, salt })
    }

    fn outer(&self, at: usize) -> Vec<i64> {
        self.dims[at].iter().map(|&d| self.loops[d].1).collect()
    }

    /// What operand `at` holds: for a point of its loops, and a place along blocks, m, n and k.
    fn value(&self, at: usize, point: &[i64], place: [i64; 4]) -> f64 {
        let acc = *self.types.last().unwrap();
        number(self.types[at], acc, self.salt + at as u64, &[point, &place].concat())
    }

    /// An element of the result: by loops, in plain sums.
    fn want(&self, point: &[i64], place: [i64; 4]) -> f64 {
        let last = self.tiles.len() - 1;
        let mut sum = self.value(last, point, place);
        let summed: Vec<usize> = (0..self.loops.len()).filter(|d| !self.dims[last].contains(d)).collect();
        let mut all = vec![0; self.loops.len()];
        for (&d, &at) in self.dims[last].iter().zip(point) {
            all[d] = at;
        }
        let [block, m, n, _] = place;
        let of = |at: usize, all: &[i64]| self.dims[at].iter().map(|&d| all[d]).collect::<Vec<_>>();
        for more in coords(&summed.iter().map(|&d| self.loops[d].1).collect::<Vec<_>>()) {
            summed.iter().zip(&more).for_each(|(&d, &at)| all[d] = at);
            let k_extent = self.tiles[0].extents()[3];
            let block_of_k = if last == 4 { k_extent / self.tiles[2].extents()[3] } else { 1 };
            for k in 0..k_extent {
                let mut product =
                    self.value(0, &of(0, &all), [block, m, 0, k]) * self.value(1, &of(1, &all), [block, 0, n, k]);
                if last == 4 {
                    let s = k / block_of_k;
                    product *=
                        self.value(2, &of(2, &all), [block, m, 0, s]) * self.value(3, &of(3, &all), [block, 0, n, s]);
                }
                sum += product;
            }
        }
        sum
    }

    fn maps(&self) -> String {
        let loops: Vec<String> = (0..self.loops.len()).map(|d| format!("d{d}")).collect();
        let map = |dims: &Vec<usize>| {
            let results: Vec<String> = dims.iter().map(|d| format!("d{d}")).collect();
            format!("affine_map<({}) -> ({})>", loops.join(", "), results.join(", "))
        };
        let iterator = |&(role, _): &(usize, i64)| {
            format!("#linalg.iterator_type<{}>", if ROLES[role] == "k" { "reduction" } else { "parallel" })
        };
        format!(
            "indexing_maps = [{}],\n    iterator_types = [{}],\n    kind = {}",
            self.dims.iter().map(map).collect::<Vec<_>>().join(", "),
            self.loops.iter().map(iterator).collect::<Vec<_>>().join(", "),
            self.text
        )
    }

    /// The operation on whole tiles of tensors, each tile's dimensions in the given order.
    fn whole(&self, orders: &[Vec<usize>]) -> (String, Vec<Tensor>) {
        let tiles: Vec<Tile> = self.tiles.iter().zip(orders).map(|(tile, order)| tile.permuted(order)).collect();
        let shapes: Vec<Vec<i64>> = (0..tiles.len()).map(|at| [self.outer(at), tiles[at].shape()].concat()).collect();
        let types: Vec<String> =
            shapes.iter().zip(&self.types).map(|(shape, elem)| format!("tensor<{}{elem}>", extents(shape))).collect();
        let lists: Vec<String> = orders
            .iter()
            .map(|order| format!("array<i64: {}>", order.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")))
            .collect();
        let identity = orders.iter().all(|order| order.iter().enumerate().all(|(at, &d)| at == d));
        let permutations =
            if identity { String::new() } else { format!(",\n    permutations = [{}]", lists.join(", ")) };
        let last = types.len() - 1;
        let args: Vec<String> = types.iter().enumerate().map(|(at, ty)| format!("%x{at}: {ty}")).collect();
        let inputs: Vec<String> = (0..last).map(|at| format!("%x{at}")).collect();
        let size = self.kind.threads();
        let text = format!(
            "func.func @f({}) -> {out} attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [{size}, 1, 1] subgroup_size = {}>}} {{
  %r = iree_codegen.inner_tiled ins({}) outs(%x{last}) {{
    {}{permutations},
    semantics = #iree_gpu.mma_semantics<distributed = false, opaque = {}>
  }} : {} into {out}
  return %r : {out}
}}",
            args.join(", "),
            self.kind.subgroup_size(),
            inputs.join(", "),
            self.maps(),
            self.kind.repeat.is_none(),
            types[..last].join(", "),
            out = types[last],
        );
        let args = tiles.iter().enumerate().map(|(at, tile)| {
            let n: i64 = tile.shape().iter().product();
            let values: Vec<f64> = coords(&self.outer(at))
                .iter()
                .flat_map(|point| (0..n).map(|element| self.value(at, point, tile.coord(element))).collect::<Vec<_>>())
                .collect();
            Tensor::from_f64(self.types[at], &shapes[at], &values)
        });
        (text, args.collect())
    }

    /// The result of the operation on whole tiles.
    fn wanted(&self, order: &[usize]) -> Vec<f64> {
        let last = self.tiles.len() - 1;
        let tile = self.tiles[last].permuted(order);
        let n: i64 = tile.shape().iter().product();
        let points = coords(&self.outer(last));
        points.iter().flat_map(|point| (0..n).map(|at| self.want(point, tile.coord(at))).collect::<Vec<_>>()).collect()
    }

    /// A kernel whose threads read what they hold, multiply, and write what they hold of the result.
    fn lanes(&self) -> (String, Vec<Tensor>) {
        let (threads, last) = (self.kind.threads(), self.tiles.len() - 1);
        let (mut text, mut args, mut reads) = (String::new(), Vec::new(), String::new());
        let mut types = Vec::new();
        for (at, tile) in self.tiles.iter().enumerate() {
            let elem = self.types[at];
            let held = tile.held_shape();
            let slots: i64 = held.iter().product();
            let points = coords(&self.outer(at));
            let n = points.len() as i64 * slots;
            let of_thread = |thread: i64| {
                let of_point = |point: &Vec<i64>| {
                    (0..slots).map(|slot| self.value(at, point, tile.coord_of(thread, slot))).collect::<Vec<_>>()
                };
                points.iter().flat_map(of_point).collect::<Vec<_>>()
            };
            let values: Vec<f64> = (0..threads).flat_map(of_thread).collect();
            args.push(Tensor::from_f64(elem, &[threads, n], &values));
            let none = match elem {
                Scalar::Float(Float::F8E8M0FNU) => "1.0",
                Scalar::Float(_) => "0.0",
                Scalar::Int(_) | Scalar::Index => "0",
            };
            let vector = format!("vector<{}{elem}>", extents(&[self.outer(at), held].concat()));
            text += &format!("{}%m{at}: memref<{threads}x{n}x{elem}>", if at > 0 { ", " } else { "" });
            reads += &format!(
                "  %p{at} = arith.constant {none} : {elem}
  %v{at} = vector.transfer_read %m{at}[%t, %c0], %p{at} {{in_bounds = [true]}} : memref<{threads}x{n}x{elem}>, vector<{n}x{elem}>
  %x{at} = vector.shape_cast %v{at} : vector<{n}x{elem}> to {vector}\n"
            );
            types.push((vector, n, elem));
        }
        let inputs: Vec<String> = (0..last).map(|at| format!("%x{at}")).collect();
        let of_inputs: Vec<&str> = types[..last].iter().map(|ty| &*ty.0).collect();
        let (out, n, elem) = &types[last];
        let text = format!(
            "func.func @f({text}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{threads}, 1, 1] subgroup_size = {}>}} {{
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
{reads}  %r = iree_codegen.inner_tiled ins({}) outs(%x{last}) {{
    {},
    semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>
  }} : {} into {out}
  %w = vector.shape_cast %r : {out} to vector<{n}x{elem}>
  vector.transfer_write %w, %m{last}[%t, %c0] {{in_bounds = [true]}} : vector<{n}x{elem}>, memref<{threads}x{n}x{elem}>
  return
}}
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %f = transform.structured.match ops{{[\"func.func\"]}} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {{
      transform.apply_patterns.iree.lower_inner_tiled
    }} : !transform.any_op
    transform.yield
  }}
}}",
            self.kind.subgroup_size(),
            inputs.join(", "),
            self.maps(),
            of_inputs.join(", "),
        );
        (text, args)
    }

    /// What each thread has of the result.
    fn wanted_by_lanes(&self) -> Vec<f64> {
        let tile = self.tiles.last().unwrap();
        let slots: i64 = tile.held_shape().iter().product();
        let points = coords(&self.outer(self.tiles.len() - 1));
        let mut all = Vec::new();
        for thread in 0..self.kind.threads() {
            for point in &points {
                all.extend((0..slots).map(|slot| self.want(point, tile.coord_of(thread, slot))));
            }
        }
        all
    }
}

fn extents(shape: &[i64]) -> String {
    shape.iter().map(|extent| format!("{extent}x")).collect()
}

/// All places inside of extents, the last one fastest.
fn coords(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in extents {
        all =
            all.into_iter().flat_map(|at: Vec<i64>| (0..extent).map(move |next| [&at[..], &[next]].concat())).collect();
    }
    all
}

fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"))
}

/// Runs a pass by its name, on the function or on the module.
fn apply(ir: &mut Ir, name: &str) -> Result<(), Diag> {
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    let on = match pass.on {
        raddle_passes::On::Function => ir.funcs()[0],
        raddle_passes::On::Module => ir.module(),
    };
    let result = pass.apply(ir, on, &Facts::new(chip("gfx942").unwrap()), &Options::of(pass.options));
    assert_eq!(raddle_ir::verify(ir), [], "behind {name}: {}", raddle_ir::print(ir, &Default::default()));
    result
}

fn has(ir: &Ir, opcode: Opcode) -> bool {
    ir.walk(ir.funcs()[0]).into_iter().any(|op| ir.opcode(op) == opcode)
}

#[track_caller]
fn same(ir: &Ir, args: &[Tensor], buffer: Option<usize>, want: &[f64], what: &str) {
    let func = ir.funcs()[0];
    let text = || raddle_ir::print(ir, &Default::default());
    let launch = Launch::of(ir, func).unwrap_or_else(|diag| panic!("{what}: {diag:#?}\n{}", text()));
    let outcome = raddle_emu::run(ir, func, args, &launch, &Run::default());
    let outcome = outcome.unwrap_or_else(|diag| panic!("{what}: {diag:#?}\n{}", text()));
    let got = match buffer {
        Some(at) => outcome.buffers[at].to_f64(),
        None => outcome.results[0].to_f64(),
    };
    if let Some(at) = (0..want.len()).find(|&at| got[at] != want[at]) {
        panic!("{what}: element {at} is {} and should be {}\n{}", got[at], want[at], text());
    }
}

/// Every kind that has tiles.
fn kinds(random: &mut Random) -> Vec<String> {
    let mut all: Vec<String> = MMAS.iter().map(|mma| format!("#iree_gpu.mma_layout<{}>", mma.name)).collect();
    let blocks = instructions().iter().filter(|row| row.blocks > 1 && row.family == Family::Mfma);
    let named = blocks.filter_map(|row| row.aliases.first());
    all.extend(named.map(|alias| format!("#iree_gpu.mma_layout<{}>", alias.name)));
    all.extend(VIRTUALS.iter().map(|row| format!("#iree_gpu.virtual_mma_layout<{}>", row.name)));
    let square = MMAS.iter().filter(|mma| mma.m == mma.n).step_by(7);
    all.extend(square.map(|mma| format!("#iree_gpu.mma_layout<{}, col_major = true>", mma.name)));
    all.push("#iree_gpu.virtual_mma_layout<VMFMA_F32_32x32x16_F16, col_major = true>".to_owned());
    let floats = ["f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"];
    for name in ["MFMA_SCALE_F32_16x16x128_B32", "MFMA_SCALE_F32_32x32x64_B32"] {
        for a in floats {
            let b = floats[random.below(5)];
            let types = format!("{name}, lhs_elem_type = {a}, rhs_elem_type = {b}, acc_elem_type = f32");
            let more = if a == b { ", col_major = true" } else { "" };
            all.push(format!("#iree_gpu.scaled_mma_layout<intrinsic = {types}{more}>"));
        }
        let types = format!("{name}, lhs_elem_type = f4E2M1FN, rhs_elem_type = f4E2M1FN, acc_elem_type = f32");
        all.push(format!("#iree_gpu.data_tiled_scaled_mma_layout<intrinsic = {types}{}>", repeat(random, 4)));
    }
    for _ in 0..12 {
        let mma = &MMAS[random.below(MMAS.len())];
        if mma.opcode != Opcode::NvgpuMmaSync {
            all.push(format!("#iree_gpu.data_tiled_mma_layout<intrinsic = {}{}>", mma.name, repeat(random, 2)));
        }
    }
    all
}

/// Random counts of a data-tiled kind whose accumulator is operand `acc`.
fn repeat(random: &mut Random, acc: usize) -> String {
    let mut text = String::new();
    for d in ["m", "n", "k"] {
        text += &format!(", intrinsics_{d} = {}", 1 + random.below(3));
        if random.below(3) == 0 {
            text += &format!(", subgroups_{d} = {}", 1 + random.below(2));
        }
        if random.below(2) == 0 {
            let operand = random.below(acc + 1);
            text += &format!(", operands_interleaving_intrinsics_{d} = [{operand}]");
        }
    }
    text
}

/// Seeds for each kind.
fn rounds() -> u64 {
    std::env::var("RADDLE_TILES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Whole tiles, with runs expanded, and dealt to threads.
#[test]
fn tiles_are_dealt_to_threads() {
    for round in 0..rounds() {
        let mut random = Random(0x7175 + round);
        for text in kinds(&mut random) {
            let Some(case) = Case::of(&text, &mut random) else { continue };
            let mut orders: Vec<Vec<usize>> = Vec::new();
            for tile in &case.tiles {
                let mut order: Vec<usize> = (0..tile.memory.len()).collect();
                // Dimensions of which a lane has one element each may come in any order.
                let own = tile.held_shape().iter().filter(|&&n| n > 1).count();
                if own < 2 && random.below(2) == 0 {
                    order.reverse();
                }
                orders.push(order);
            }
            let (program, args) = case.whole(&orders);
            let want = case.wanted(&orders[orders.len() - 1]);
            let mut ir = parse(&program);
            same(&ir, &args, None, &want, &format!("{text}, whole"));
            apply(&mut ir, "expand-tiles").unwrap();
            same(&ir, &args, None, &want, &format!("{text}, expanded"));
            match apply(&mut ir, "deal-tiles") {
                Ok(()) => {}
                Err(diag) => panic!("{diag:#?}\n{program}"),
            }
            assert!(has(&ir, Opcode::ScfForall), "{program}");
            same(&ir, &args, None, &want, &format!("{text}, dealt"));
            apply(&mut ir, "canonicalize").unwrap();
            apply(&mut ir, "cse").unwrap();
            same(&ir, &args, None, &want, &format!("{text}, dealt and cleaned"));
        }
    }
}

/// What lanes hold, unrolled, and as instructions.
#[test]
fn lanes_execute_instructions() {
    let mut lowered = 0;
    for round in 0..rounds() {
        let mut random = Random(0x11e5 + round);
        for text in kinds(&mut random) {
            let Some(case) = Case::of(&text, &mut random) else { continue };
            let adds_up = case.kind.repeat.as_ref().is_some_and(|repeat| repeat.subgroups[2] > 1);
            // No second source says where the operands of gfx950's long sparse instructions are.
            let is_unknown = matches!(case.kind.named, Named::Virtual(row) if row.base.is_none());
            let (program, args) = case.lanes();
            let (want, last) = (case.wanted_by_lanes(), Some(case.tiles.len() - 1));
            let mut ir = parse(&program);
            if case.kind.repeat.is_none() {
                same(&ir, &args, last, &want, &format!("{text}, on lanes"));
            }
            apply(&mut ir, "unroll-tiles").unwrap();
            if case.kind.repeat.is_none() {
                same(&ir, &args, last, &want, &format!("{text}, unrolled"));
            }
            apply(&mut ir, "run-script").unwrap();
            assert_eq!(
                has(&ir, Opcode::IreeCodegenInnerTiled),
                adds_up,
                "{text}: {}",
                raddle_ir::print(&ir, &Default::default())
            );
            if !adds_up && !is_unknown {
                same(&ir, &args, last, &want, &format!("{text}, lowered"));
                lowered += 1;
            }
        }
    }
    assert!(lowered > 100, "{lowered} kinds");
}
