//! Vector programs of a whole workgroup: scans, comparisons, gathers, masks, and control flow without a fixed shape.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::Tensor;
use raddle_ir::Scalar;

use crate::common;
use crate::common::{F32, I32, bad, good, iota};

/// Runs a body that computes `%r`, a vector of `n` elements, from the vector `%v` of 0, 1, … and returns it.
fn run(body: &str, n: usize, ty: &str) -> Vec<f64> {
    let text = format!(
        "func.func @f(%in: memref<16x{ty}>, %out: memref<{n}x{ty}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = vector.load %in[%c0] : memref<16x{ty}>, vector<16x{ty}>
{body}
  vector.store %r, %out[%c0] : memref<{n}x{ty}>, vector<{n}x{ty}>
  return
}}"
    );
    let elem = Scalar::from_keyword(ty).unwrap();
    let outcome = good(&text, &[iota(elem, &[16]), Tensor::zeros(elem, &[n as i64])]);
    outcome.buffers[1].to_f64()
}

/// Sums up to each element, with it or without; along the first of two dimensions as well; the last sum is the second
/// result.
#[test]
fn scans_keep_every_partial_result() {
    let sums =
        |init: f64, shift: i32| (0..16).map(|at| init + f64::from((0..at + shift).sum::<i32>())).collect::<Vec<_>>();
    let scan = |inclusive: bool, init: f64| {
        run(
            &format!(
                "%i = arith.constant dense<{init:?}> : vector<f32>
  %r, %t = vector.scan <add>, %v, %i reduction_dim = 0, inclusive = {inclusive} : vector<16xf32>, vector<f32>"
            ),
            16,
            "f32",
        )
    };
    assert_eq!(scan(true, 100.0), sums(0.0, 1));
    assert_eq!(scan(false, 100.0), sums(100.0, 0));
    let columns = run(
        "%m = vector.shape_cast %v : vector<16xf32> to vector<4x4xf32>
  %i = arith.constant dense<0.0> : vector<4xf32>
  %s, %r = vector.scan <add>, %m, %i reduction_dim = 0, inclusive = true : vector<4x4xf32>, vector<4xf32>",
        4,
        "f32",
    );
    assert_eq!(columns, [24.0, 28.0, 32.0, 36.0]);
}

/// The largest element wins, the first of equal ones, and its index counts from a base; or is given.
#[test]
fn the_first_of_the_best_elements_wins() {
    let best = |ins: &str, base: &str| {
        run(
            &format!(
                "%seven = arith.constant dense<7> : vector<16xi32>
  %w = arith.remsi %v, %seven : vector<16xi32>
  %m = vector.shape_cast %w : vector<16xi32> to vector<2x8xi32>
  %hundred = arith.constant dense<100> : vector<2x8xi32>
  %own = arith.addi %m, %hundred : vector<2x8xi32>
  %iv = arith.constant dense<-1> : vector<2xi32>
  %ii = arith.constant dense<99> : vector<2xi32>
  %val, %r = iree_vector_ext.arg_compare dimension(1) ins({ins}) inits(%iv, %ii : vector<2xi32>, vector<2xi32>) {base} {{
  ^bb0(%a: i32, %b: i32):
    %cmp = arith.cmpi sgt, %a, %b : i32
    iree_vector_ext.yield %cmp : i1
  }} -> vector<2xi32>, vector<2xi32>"
            ),
            2,
            "i32",
        )
    };
    assert_eq!(best("%m : vector<2x8xi32>", ""), [6.0, 5.0]);
    assert_eq!(best("%m : vector<2x8xi32>", "index_base(%c3 : index)"), [9.0, 8.0]);
    assert_eq!(best("%m, %own : vector<2x8xi32>, vector<2x8xi32>", ""), [106.0, 106.0]);
}

/// Under a mask only elements that it selects can win; with none of them, what was there before stays.
#[test]
fn masked_elements_do_not_win() {
    let text = "func.func @f(%in: memref<3x4xi32>, %value: memref<3xi32>, %place: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %m = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<3x4xi32>, vector<3x4xi32>
  %mask = arith.constant dense<[[true, false, true, true], [false, true, false, false], [false, false, false, false]]> : vector<3x4xi1>
  %iv = arith.constant dense<-1> : vector<3xi32>
  %ii = arith.constant dense<99> : vector<3xi32>
  %v, %p = vector.mask %mask { iree_vector_ext.arg_compare dimension(1) ins(%m : vector<3x4xi32>) inits(%iv, %ii : vector<3xi32>, vector<3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %cmp = arith.cmpi sgt, %a, %b : i32
    iree_vector_ext.yield %cmp : i1
  } -> vector<3xi32>, vector<3xi32> } : vector<3x4xi1> -> (vector<3xi32>, vector<3xi32>)
  vector.transfer_write %v, %value[%c0] {in_bounds = [true]} : vector<3xi32>, memref<3xi32>
  vector.transfer_write %p, %place[%c0] {in_bounds = [true]} : vector<3xi32>, memref<3xi32>
  return
}";
    let i32 = I32;
    let input = Tensor::from_i64(i32, &[3, 4], &[1, 9, 3, 2, 9, 5, 9, 9, 9, 9, 9, 9]);
    let out = good(text, &[input, Tensor::zeros(i32, &[3]), Tensor::zeros(i32, &[3])]);
    assert_eq!(out.buffers[1].to_i64(), [3, 5, -1]);
    assert_eq!(out.buffers[2].to_i64(), [2, 1, 99]);
}

/// What is gathered from memory and scattered back lands where the indices say.
#[test]
fn gathers_and_scatters_follow_their_indices() {
    let indices = "%at = arith.constant dense<[3, 1, 2, 0]> : vector<4xindex>
  %on = arith.constant dense<[true, true, false, true]> : vector<4xi1>
  %pass = arith.constant dense<-1.0> : vector<4xf32>
";
    let gather = "  %r = vector.gather %in[%c2] [%at], %on, %pass : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>";
    assert_eq!(run(&(indices.to_owned() + gather), 4, "f32"), [5.0, 3.0, -1.0, 2.0]);
    let scatter = "  %x = arith.constant dense<[10.0, 11.0, 12.0, 13.0]> : vector<4xf32>
  vector.scatter %in[%c2] [%at], %on, %x : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  %r = vector.load %in[%c2] : memref<16xf32>, vector<4xf32>";
    assert_eq!(run(&(indices.to_owned() + scatter), 4, "f32"), [13.0, 11.0, 4.0, 10.0]);
    let packed = "  %r = vector.expandload %in[%c3], %on, %pass : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>";
    assert_eq!(run(&(indices.to_owned() + packed), 4, "f32"), [3.0, 4.0, -1.0, 5.0]);
    let compress = "  %x = arith.constant dense<[10.0, 11.0, 12.0, 13.0]> : vector<4xf32>
  vector.compressstore %in[%c0], %on, %x : memref<16xf32>, vector<4xi1>, vector<4xf32>
  %r = vector.load %in[%c0] : memref<16xf32>, vector<4xf32>";
    assert_eq!(run(&(indices.to_owned() + compress), 4, "f32"), [10.0, 11.0, 13.0, 3.0]);
    let masked = "  %r = vector.maskedload %in[%c3], %on, %pass : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>";
    assert_eq!(run(&(indices.to_owned() + masked), 4, "f32"), [3.0, 4.0, -1.0, 6.0]);
}

/// Rows are looked up, columns run on; a mask and a permuted index map are obeyed; and the way back.
#[test]
fn transfers_gather_rows() {
    let text = |extra: &str| {
        format!(
            "func.func @f(%in: memref<8x4xf32>, %out: memref<4x2xf32>, %all: memref<8x4xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pad = arith.constant -1.0 : f32
  %rows = arith.constant dense<[5, 0, 3, 1]> : vector<4xindex>
  %mask = vector.create_mask %c1, %c2 : vector<2x4xi1>
  %v = iree_vector_ext.transfer_gather %in[%c1, %c2] [%rows : vector<4xindex>], %pad {extra}
  vector.transfer_write %v, %out[%c0, %c0] {{in_bounds = [true, true]}} : vector<4x2xf32>, memref<4x2xf32>
  iree_vector_ext.transfer_scatter %v into %all[%c0, %c1] [%rows : vector<4xindex>] {{indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>]}} : vector<4x2xf32>, memref<8x4xf32>
  return
}}"
        )
    };
    let maps = "affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>";
    let args = [iota(F32, &[8, 4]), Tensor::zeros(F32, &[4, 2]), Tensor::zeros(F32, &[8, 4])];
    let whole = good(&text(&format!("{{indexing_maps = [{maps}]}} : memref<8x4xf32>, vector<4x2xf32>")), &args);
    let rows = [26.0, 27.0, 6.0, 7.0, 18.0, 19.0, 10.0, 11.0];
    assert_eq!(whole.buffers[1].to_f64(), rows);
    let all = whole.buffers[2].to_f64();
    assert_eq!([all[21], all[22], all[1], all[2], all[13], all[14], all[5], all[6]], rows);
    let masked = format!(
        ", %mask {{indexing_maps = [{maps}, affine_map<(d0, d1)[s0] -> (d1, d0)>]}} : memref<8x4xf32>, vector<4x2xf32>, vector<2x4xi1>"
    );
    let some = good(&text(&masked), &args).buffers[1].to_f64();
    assert_eq!(some, [26.0, -1.0, 6.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    bad(
        &text(&format!("{{indexing_maps = [{maps}]}} : memref<8x4xf32>, vector<4x2xf32>")).replace("[5, 0", "[7, 0"),
        &args,
        "bounds: index 8 is outside dimension 0 of memref argument 0, which has extent 8",
        "transfer_gather",
    );
}

/// Under a mask reads take padding, writes and reductions leave elements out, and a value may pass through.
#[test]
fn masks_leave_elements_out() {
    let read = "%m = vector.create_mask %c3 : vector<4xi1>
  %pad = arith.constant -1.0 : f32
  %r = vector.mask %m { vector.transfer_read %in[%c2], %pad : memref<16xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>";
    assert_eq!(run(read, 4, "f32"), [2.0, 3.0, 4.0, -1.0]);
    let passed = read.replace("vector.mask %m {", "vector.mask %m, %p {");
    let passed = format!("%p = arith.constant dense<9.0> : vector<4xf32>\n{passed}");
    assert_eq!(run(&passed, 4, "f32"), [2.0, 3.0, 4.0, 9.0]);
    let write = "%m = vector.create_mask %c3 : vector<4xi1>
  %x = arith.constant dense<9.0> : vector<4xf32>
  vector.mask %m { vector.transfer_write %x, %in[%c0] : vector<4xf32>, memref<16xf32> } : vector<4xi1>
  %r = vector.load %in[%c0] : memref<16xf32>, vector<4xf32>";
    assert_eq!(run(write, 4, "f32"), [9.0, 9.0, 9.0, 3.0]);
    for (kind, want) in [("add", [101.0, 109.0]), ("maximumf", [100.0, 100.0]), ("minnumf", [0.0, 4.0])] {
        let reduce = format!(
            "%m = vector.create_mask %c2, %c2 : vector<2x4xi1>
  %x = vector.extract_strided_slice %v {{offsets = [0], sizes = [8], strides = [1]}} : vector<16xf32> to vector<8xf32>
  %y = vector.shape_cast %x : vector<8xf32> to vector<2x4xf32>
  %a = arith.constant dense<100.0> : vector<2xf32>
  %r = vector.mask %m {{ vector.multi_reduction <{kind}>, %y, %a [1] : vector<2x4xf32> to vector<2xf32> }} : vector<2x4xi1> -> vector<2xf32>"
        );
        assert_eq!(run(&reduce, 2, "f32"), want, "{kind}");
    }
    let contract = "%m = vector.create_mask %c2, %c2, %c3 : vector<2x2x4xi1>
  %x = vector.extract_strided_slice %v {offsets = [0], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
  %y = vector.shape_cast %x : vector<8xf32> to vector<2x4xf32>
  %a = arith.constant dense<0.5> : vector<2x2xf32>
  %s = vector.mask %m { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} %y, %y, %a : vector<2x4xf32>, vector<2x4xf32> into vector<2x2xf32> } : vector<2x2x4xi1> -> vector<2x2xf32>
  %r = vector.shape_cast %s : vector<2x2xf32> to vector<4xf32>";
    assert_eq!(run(contract, 4, "f32"), [5.5, 17.5, 17.5, 77.5]);
}

/// Elements take turns, come apart again, and are read as numbers of other widths.
#[test]
fn vectors_are_interleaved_and_recast() {
    let woven = "%a, %b = vector.deinterleave %v : vector<16xf32> -> vector<8xf32>
  %r = vector.interleave %b, %a : vector<8xf32> -> vector<16xf32>";
    let want: Vec<f64> = (0..16).map(|at| f64::from(at ^ 1)).collect();
    assert_eq!(run(woven, 16, "f32"), want);
    let bits = "%b = vector.bitcast %v : vector<16xi16> to vector<8xi32>
  %h = vector.bitcast %b : vector<8xi32> to vector<32xi8>
  %r = vector.bitcast %h : vector<32xi8> to vector<16xi16>";
    assert_eq!(run(bits, 16, "i16"), (0..16).map(f64::from).collect::<Vec<_>>());
    let pairs = "%b = vector.bitcast %v : vector<16xi32> to vector<8xi64>
  %t = arith.trunci %b : vector<8xi64> to vector<8xi32>
  %c32 = arith.constant dense<32> : vector<8xi64>
  %u = arith.shrui %b, %c32 : vector<8xi64>
  %r = arith.trunci %u : vector<8xi64> to vector<8xi32>";
    assert_eq!(run(pairs, 8, "i32"), (0..8).map(|at| f64::from(2 * at + 1)).collect::<Vec<_>>());
    let reduced = "%a = vector.reduction <mul>, %t : vector<3xf32> into f32
  %b = vector.reduction <add>, %v, %a : vector<16xf32> into f32
  %r = vector.from_elements %a, %b : vector<2xf32>";
    let slice = "%t = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<16xf32> to vector<3xf32>\n";
    assert_eq!(run(&format!("{slice}{reduced}"), 2, "f32"), [24.0, 144.0]);
    let outer = "%x = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<16xf32> to vector<2xf32>
  %a = arith.constant dense<100.0> : vector<2x2xf32>
  %s = vector.outerproduct %x, %x, %a : vector<2xf32>, vector<2xf32>
  %r = vector.shape_cast %s : vector<2x2xf32> to vector<4xf32>";
    assert_eq!(run(outer, 4, "f32"), [101.0, 102.0, 102.0, 104.0]);
}

/// Numbers of ones and zeros, of any width.
#[test]
fn bits_are_counted() {
    let count = |op: &str| run(&format!("%r = math.{op} %v : vector<16xi32>"), 16, "i32");
    assert_eq!(count("ctpop"), (0..16u32).map(|x| f64::from(x.count_ones())).collect::<Vec<_>>());
    assert_eq!(count("cttz"), (0..16u32).map(|x| f64::from(x.trailing_zeros())).collect::<Vec<_>>());
    assert_eq!(count("ctlz"), (0..16u32).map(|x| f64::from(x.leading_zeros())).collect::<Vec<_>>());
    let high = "%big = arith.constant dense<-2147483648> : vector<16xi32>
  %low, %r = arith.mului_extended %v, %big : vector<16xi32>";
    assert_eq!(run(high, 16, "i32"), (0..16).map(|x| f64::from(x / 2)).collect::<Vec<_>>());
}

/// A loop that tests a condition, a switch, jumps between blocks and calls give values of vectors too.
#[test]
fn control_flow_carries_vectors() {
    let text = "func.func private @twice(%x: vector<4xf32>, %n: index) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%x, %n : vector<4xf32>, index)
^head(%y: vector<4xf32>, %left: index):
  %more = arith.cmpi sgt, %left, %c0 : index
  %sum = arith.addf %y, %y : vector<4xf32>
  cf.cond_br %more, ^body, ^exit(%y : vector<4xf32>)
^body:
  %less = arith.subi %left, %c1 : index
  cf.br ^head(%sum, %less : vector<4xf32>, index)
^exit(%z: vector<4xf32>):
  return %z : vector<4xf32>
}
func.func @f(%out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant dense<1.0> : vector<4xf32>
  %limit = arith.constant 50.0 : f32
  %w:2 = scf.while (%a = %one, %n = %c0) : (vector<4xf32>, index) -> (index, vector<4xf32>) {
    %first = vector.extract %a[0] : f32 from vector<4xf32>
    %go = arith.cmpf olt, %first, %limit : f32
    scf.condition(%go) %n, %a : index, vector<4xf32>
  } do {
  ^bb0(%n: index, %a: vector<4xf32>):
    %c1 = arith.constant 1 : index
    %b = func.call @twice(%a, %c1) : (vector<4xf32>, index) -> vector<4xf32>
    %m = arith.addi %n, %c1 : index
    scf.yield %b, %m : vector<4xf32>, index
  }
  %s = scf.index_switch %w#0 -> vector<4xf32>
  case 5 { scf.yield %one : vector<4xf32> }
  case 6 { %t = func.call @twice(%w#1, %c2) : (vector<4xf32>, index) -> vector<4xf32>
    scf.yield %t : vector<4xf32> }
  default { scf.yield %w#1 : vector<4xf32> }
  scf.forall (%i) in (4) {
    %x = vector.extract %s[%i] : f32 from vector<4xf32>
    memref.store %x, %out[%i] : memref<4xf32>
  }
  return
}";
    let ir = common::parse(text);
    let func = ir.funcs()[1];
    let launch = raddle_emu::Launch::of(&ir, func).unwrap();
    let run = raddle_emu::run(&ir, func, &[Tensor::zeros(F32, &[4])], &launch, &raddle_emu::Options::default());
    assert_eq!(run.unwrap().buffers[0].to_f64(), [256.0; 4]);
}

/// Lanes go around a loop of blocks as often as each one asks, keep what they left with, and meet again behind it: the
/// barrier there is one for all.
#[test]
fn lanes_part_and_meet_between_blocks() {
    let text = format!(
        "func.func @f(%out: memref<64xi32>) {} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %t = gpu.thread_id x
  %s = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  cf.br ^head(%c0, %c0 : index, index)
^head(%n: index, %sum: index):
  %more = arith.addi %sum, %n : index
  %next = arith.addi %n, %c1 : index
  %done = arith.cmpi uge, %n, %t : index
  cf.cond_br %done, ^out, ^odd
^odd:
  %bit = arith.andi %n, %c1 : index
  %is = arith.cmpi eq, %bit, %c1 : index
  cf.cond_br %is, ^head(%next, %more : index, index), ^even
^even:
  cf.br ^head(%next, %sum : index, index)
^out:
  %x = arith.index_cast %sum : index to i32
  memref.store %x, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %other = arith.subi %c63, %t : index
  %y = memref.load %s[%other] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %y, %out[%t] : memref<64xi32>
  return
}}",
        common::SIMT
    );
    let sums = |t: i64| (0..t).filter(|n| n % 2 == 1).sum::<i64>();
    let outcome = good(&text, &[Tensor::zeros(I32, &[64])]);
    assert_eq!(outcome.buffers[0].to_i64(), (0..64).map(|t| sums(63 - t)).collect::<Vec<_>>());
    assert_eq!(outcome.counters.barriers, 1);
}

/// A loop whose lanes leave one after the other, with a condition of each.
#[test]
fn while_loops_end_for_each_lane() {
    let text = format!(
        "func.func @f(%out: memref<64xi32>) {} {{
  %c1 = arith.constant 1 : i32
  %t = gpu.thread_id x
  %x = arith.index_cast %t : index to i32
  %r = scf.while (%a = %x) : (i32) -> i32 {{
    %b = arith.shli %a, %c1 : i32
    %limit = arith.constant 100 : i32
    %odd = arith.cmpi slt, %b, %limit : i32
    %some = arith.cmpi ne, %a, %b : i32
    %go = arith.andi %odd, %some : i1
    scf.condition(%go) %b : i32
  }} do {{
  ^bb0(%b: i32):
    scf.yield %b : i32
  }}
  memref.store %r, %out[%t] : memref<64xi32>
  return
}}",
        common::SIMT
    );
    let want = |t: i64| {
        let mut x = 2 * t;
        while x != 0 && x < 100 {
            x *= 2;
        }
        x
    };
    let outcome = good(&text, &[Tensor::zeros(I32, &[64])]);
    assert_eq!(outcome.buffers[0].to_i64(), (0..64).map(want).collect::<Vec<_>>());
}
