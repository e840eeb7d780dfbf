//! Every matrix instruction of the catalogue, lane by lane, against plain loops over whole matrices.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;

use raddle_emu::{Launch, Options, Tensor, run};
use raddle_ir::{Float, Scalar};
use raddle_target::Operand;
use raddle_target::catalogue::{self, Combine, Elem, Instruction, Map, Place};

/// Whole numbers, small enough that every sum of products is exact in every format.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n) as i64
    }

    /// A number that the type has: few bits for floats, all for integers.
    fn of(&mut self, elem: Elem) -> f64 {
        let value = match elem {
            Elem::B1 => self.below(2),
            Elem::U8 => self.below(256),
            Elem::U4 => self.below(16),
            Elem::S8 | Elem::I8 => self.below(256) - 128,
            Elem::S4 | Elem::I4 => self.below(16) - 8,
            // e2m1 has no 5; all formats have these.
            _ => [-2, -1, 0, 1, 2, 3][self.below(6) as usize],
        };
        value as f64
    }
}

fn scalar(elem: Elem) -> Scalar {
    match elem {
        Elem::E5M2OrE4M3 => Scalar::Float(Float::F8E5M2),
        Elem::UE4M3 => Scalar::Float(Float::F8E4M3FN),
        // The values of both kinds of tf32 come in words of f32.
        Elem::TF32 | Elem::XF32 => Scalar::Float(Float::F32),
        elem => elem.scalar().unwrap(),
    }
}

/// What each slot of each thread holds, thread by thread.
fn shared_out(map: &Map, lanes: i64, n_subgroups: i64, value: impl Fn(&[i64]) -> f64) -> Vec<f64> {
    let mut out = Vec::new();
    for subgroup in 0..n_subgroups {
        for lane in 0..lanes {
            for slot in 0..map.n_slots() {
                let at = if lane < map.n_lanes() { map.coord(subgroup % map.n_subgroups(), lane, slot) } else { None };
                out.push(at.map_or(0.0, |at| value(&at)));
            }
        }
    }
    out
}

struct Case {
    row: &'static Instruction,
    lanes: i64,
    n_subgroups: i64,
    args: Vec<Tensor>,
    /// Loads, and the operands in the order of the instruction, with their types.
    loads: String,
    operands: Vec<(String, String)>,
}

impl Case {
    /// A memref with what each thread holds, and the vector that it loads from there.
    fn register(&mut self, map: &Map, elem: Scalar, values: impl Fn(&[i64]) -> f64) {
        let at = self.args.len();
        let n = map.n_slots();
        let threads = self.lanes * self.n_subgroups;
        let values = shared_out(map, self.lanes, self.n_subgroups, values);
        self.args.push(Tensor::from_f64(elem, &[threads, n], &values));
        self.loads += &format!(
            "  %v{at} = vector.transfer_read %m{at}[%t, %c0], %p{at} {{in_bounds = [true]}} : memref<{threads}x{n}x{elem}>, vector<{n}x{elem}>\n"
        );
        self.operands.push((format!("%v{at}"), format!("vector<{n}x{elem}>")));
    }

    /// A matrix in shared memory, which the first thread copies there.
    fn in_shared(&mut self, shape: [i64; 2], elem: Scalar, values: &[f64]) {
        let at = self.args.len();
        let [rows, columns] = shape;
        self.args.push(Tensor::from_f64(elem, &shape, values));
        let space = "#gpu.address_space<workgroup>";
        self.loads += &format!(
            "  %s{at} = memref.alloc() : memref<{rows}x{columns}x{elem}, {space}>
  scf.if %first {{
    memref.copy %m{at}, %s{at} : memref<{rows}x{columns}x{elem}> to memref<{rows}x{columns}x{elem}, {space}>
  }}\n"
        );
        self.operands.push((format!("%s{at}"), format!("memref<{rows}x{columns}x{elem}, {space}>")));
    }

    fn text(&self) -> String {
        let memrefs: Vec<String> = self
            .args
            .iter()
            .enumerate()
            .map(|(at, arg)| format!("%m{at}: memref<{}x{}x{}>", arg.shape[0], arg.shape[1], arg.elem))
            .collect();
        let zeros: String = self
            .args
            .iter()
            .enumerate()
            .map(|(at, arg)| {
                let zero = if let Scalar::Float(_) = arg.elem { "0.0" } else { "0" };
                format!("  %p{at} = arith.constant {zero} : {}\n", arg.elem)
            })
            .collect();
        let (acc, inputs) = self.operands.split_last().unwrap();
        let list = |pick: &dyn Fn(&(String, String)) -> String| inputs.iter().map(pick).collect::<Vec<_>>().join(", ");
        let maps = vec!["affine_map<() -> ()>"; self.operands.len()].join(", ");
        let out = self.args.len() - 1;
        let (threads, n) = (self.args[out].shape[0], self.args[out].shape[1]);
        let ty = &acc.1;
        format!(
            "func.func @f({}) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{threads}, 1, 1] subgroup_size = {}>}} {{
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %first = arith.cmpi eq, %t, %c0 : index
{zeros}{}  gpu.barrier
  %r = iree_codegen.inner_tiled ins({}) outs({}) {{indexing_maps = [{maps}], iterator_types = [], kind = \"{}\", semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>}} : {} into {ty}
  vector.transfer_write %r, %m{out}[%t, %c0] {{in_bounds = [true]}} : {ty}, memref<{threads}x{n}x{}>
  return
}}",
            memrefs.join(", "),
            self.lanes,
            self.loads,
            list(&|operand| operand.0.clone()),
            acc.0,
            self.row.id,
            list(&|operand| operand.1.clone()),
            self.args[out].elem,
        )
    }
}

fn map(row: &'static Instruction, operand: Operand) -> Option<&'static Map> {
    match row.place(operand) {
        Place::Registers(map) => Some(map),
        Place::Shared | Place::Opaque => None,
    }
}

/// Runs one instruction on random matrices, and compares with the loops of a textbook.
fn check(row: &'static Instruction, random: &mut Numbers) {
    let (blocks, m, n, k) = (row.blocks, row.m, row.n, row.k);
    let c_map = map(row, Operand::C).unwrap();
    let n_subgroups = c_map.n_subgroups();
    let lanes = i64::from(row.threads) / n_subgroups;
    let mut matrix = |len: i64, elem: Elem| (0..len).map(|_| random.of(elem)).collect::<Vec<f64>>();
    let stored = if row.sparse { k / 2 } else { k };
    let a = matrix(blocks * m * stored, row.types[0]);
    let b = matrix(blocks * k * n, row.types[1]);
    let c = matrix(blocks * m * n, row.types[2]);
    // Which of four each stored element is: two different ones, in order.
    let places: Vec<i64> = (0..blocks * m * stored / 2)
        .flat_map(|_| [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]][random.below(6) as usize])
        .collect();
    let columns = row.scales.as_ref().map_or(1, |scales| k / scales.block);
    let [scale_a, scale_b] =
        [m, n].map(|rows| (0..rows * columns).map(|_| [0.5, 1.0, 2.0][random.below(3) as usize]).collect::<Vec<f64>>());

    let mut case = Case { row, lanes, n_subgroups, args: Vec::new(), loads: String::new(), operands: Vec::new() };
    let at = |coord: &[i64], rows: i64, columns: i64| {
        let [.., row, column] = *coord else { panic!("a matrix has two dimensions") };
        let block = if coord.len() == 3 { coord[0] } else { 0 };
        ((block * rows + row) * columns + column) as usize
    };
    match map(row, Operand::A) {
        Some(map) => case.register(map, scalar(row.types[0]), |coord| a[at(coord, m, stored)]),
        None => case.in_shared([m, k], scalar(row.types[0]), &a),
    }
    match map(row, Operand::B) {
        Some(map) => case.register(map, scalar(row.types[1]), |coord| b[at(coord, k, n)]),
        None => case.in_shared([k, n], scalar(row.types[1]), &b),
    }
    if row.sparse {
        let map = map(row, Operand::A).unwrap();
        case.register(map, Scalar::Int(8), |coord| places[at(coord, m, stored)] as f64);
    }
    if let Some(scales) = &row.scales {
        for (map, values) in scales.maps.iter().zip([&scale_a, &scale_b]) {
            let elem = scalar(scales.elem);
            case.register(map, elem, |coord| values[(coord[0] * columns + coord[1]) as usize]);
        }
    }
    case.register(c_map, scalar(row.types[2]), |coord| c[at(coord, m, n)]);

    let text = case.text();
    let ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{}: {diags:#?}\n{text}", row.id));
    let func = ir.funcs()[0];
    let launch = Launch::of(&ir, func).unwrap();
    let outcome = run(&ir, func, &case.args, &launch, &Options::default())
        .unwrap_or_else(|diag| panic!("{}: {diag:#?}\n{text}", row.id));
    let got = outcome.buffers.last().unwrap().to_f64();

    let mut want = c.clone();
    for block in 0..blocks {
        for i in 0..m {
            for j in 0..n {
                let mut sum = c[((block * m + i) * n + j) as usize];
                for s in 0..stored {
                    let x = ((block * m + i) * stored + s) as usize;
                    let p = if row.sparse { s / 2 * 4 + places[x] } else { s };
                    let y = b[((block * k + p) * n + j) as usize];
                    let scale = row.scales.as_ref().map_or(1.0, |scales| {
                        scale_a[(i * columns + p / scales.block) as usize]
                            * scale_b[(j * columns + p / scales.block) as usize]
                    });
                    sum += match row.combine {
                        Combine::Multiply => a[x] * y * scale,
                        Combine::Xor => f64::from(u8::from(a[x] != y)),
                        Combine::And => a[x] * y,
                    };
                }
                want[((block * m + i) * n + j) as usize] = sum;
            }
        }
    }
    let want = shared_out(c_map, lanes, n_subgroups, |coord| want[at(coord, m, n)]);
    assert_eq!(got, want, "{}", row.id);
}

/// Every row whose elements have a place; of the others it is said that they have none.
#[test]
fn every_instruction_multiplies() {
    let mut random = Numbers(1);
    let (mut n, mut n_opaque) = (0, 0);
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for row in catalogue::instructions() {
        if row.is_opaque() {
            n_opaque += 1;
            continue;
        }
        check(row, &mut random);
        *families.entry(row.family.name()).or_default() += 1;
        n += 1;
    }
    assert_eq!(n + n_opaque, catalogue::instructions().len());
    assert!(n >= 500 && families.len() >= 11, "{n} {families:?}");
}

/// Matrices whose layout nobody knows: loaded, multiplied, added to, and stored by operations of their own.
#[test]
fn opaque_instructions_multiply() {
    let mut random = Numbers(2);
    let mut n_rows = 0;
    for row in catalogue::instructions().iter().filter(|row| row.is_opaque()) {
        let keyword = |elem: Elem| match elem {
            Elem::U8 => Some("ui8".to_owned()),
            Elem::S8 => Some("si8".to_owned()),
            Elem::TF32 => Some("f32".to_owned()),
            elem => elem.scalar().map(|scalar| scalar.to_string()),
        };
        let [Some(a_ty), Some(b_ty), Some(c_ty)] = row.types.map(keyword) else { continue };
        let (m, n, k) = (row.m, row.n, row.k);
        let lanes = row.threads.max(1);
        let plain = |ty: &str| ty.trim_start_matches(['s', 'u']).to_owned();
        let text = format!(
            "func.func @f(%a: memref<{m}x{k}x{}>, %b: memref<{n}x{k}x{}>, %c: memref<{m}x{n}x{c_ty}>) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{lanes}, 1, 1] subgroup_size = {lanes}>}} {{
  %c0 = arith.constant 0 : index
  %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {{leadDimension = {k} : index}} : memref<{m}x{k}x{}> -> !gpu.mma_matrix<{m}x{k}x{a_ty}, \"AOp\">
  %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {{leadDimension = {k} : index, transpose}} : memref<{n}x{k}x{}> -> !gpu.mma_matrix<{k}x{n}x{b_ty}, \"BOp\">
  %z = gpu.subgroup_mma_load_matrix %c[%c0, %c0] {{leadDimension = {n} : index}} : memref<{m}x{n}x{c_ty}> -> !gpu.mma_matrix<{m}x{n}x{c_ty}, \"COp\">
  %d = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<{m}x{k}x{a_ty}, \"AOp\">, !gpu.mma_matrix<{k}x{n}x{b_ty}, \"BOp\"> -> !gpu.mma_matrix<{m}x{n}x{c_ty}, \"COp\">
  gpu.subgroup_mma_store_matrix %d, %c[%c0, %c0] {{leadDimension = {n} : index}} : !gpu.mma_matrix<{m}x{n}x{c_ty}, \"COp\">, memref<{m}x{n}x{c_ty}>
  return
}}",
            plain(&a_ty), plain(&b_ty), plain(&a_ty), plain(&b_ty),
        );
        let ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{}: {diags:#?}\n{text}", row.id));
        let mut matrix = |len: i64, elem: Elem| (0..len).map(|_| random.of(elem)).collect::<Vec<f64>>();
        let (a, b, c) = (matrix(m * k, row.types[0]), matrix(n * k, row.types[1]), matrix(m * n, row.types[2]));
        let tensor = |ty: &str, shape: [i64; 2], values: &[f64]| {
            Tensor::from_f64(Scalar::from_keyword(&plain(ty)).unwrap(), &shape, values)
        };
        let args = [tensor(&a_ty, [m, k], &a), tensor(&b_ty, [n, k], &b), tensor(&c_ty, [m, n], &c)];
        let func = ir.funcs()[0];
        let launch = Launch::of(&ir, func).unwrap();
        let outcome = run(&ir, func, &args, &launch, &Options::default())
            .unwrap_or_else(|diag| panic!("{}: {diag:#?}\n{text}", row.id));
        let at = |i: i64, j: i64| {
            (0..k).fold(c[(i * n + j) as usize], |sum, s| sum + a[(i * k + s) as usize] * b[(j * k + s) as usize])
        };
        let want: Vec<f64> = (0..m * n).map(|e| at(e / n, e % n)).collect();
        assert_eq!(outcome.buffers[2].to_f64(), want, "{}", row.id);
        n_rows += 1;
    }
    assert!(n_rows >= 15, "{n_rows}");
}
