//! Loads and stores of 8 x 8 matrices: who has what, what they cost, and what is wrong with them.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use raddle_emu::{Options, Tensor};
use raddle_ir::Scalar;

use crate::common;
use crate::common::{bad, good, try_run};

const SHARED: &str = "memref<512xi16, #gpu.address_space<workgroup>>";

/// A kernel of one subgroup. `%s` is 512 16-bit numbers of shared memory, each its own index; `%at` is where lane 8 j + r
/// begins row r of matrix j, rows being 16 elements apart and matrices 128.
fn kernel(body: &str) -> String {
    format!(
        "func.func @f(%a: memref<512xi16>, %out: memref<32x8xi16>) attributes {{translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>}} {{
  %t = gpu.thread_id x
  %zero = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %s = memref.alloc() : {SHARED}
  %first = arith.muli %t, %c16 : index
  %row = vector.load %a[%first] : memref<512xi16>, vector<16xi16>
  vector.store %row, %s[%first] : {SHARED}, vector<16xi16>
  gpu.barrier
  %at = arith.muli %t, %c16 : index
  {body}
  return
}}"
    )
}

fn args() -> [Tensor; 2] {
    let numbers: Vec<i64> = (0..512).collect();
    [Tensor::from_i64(Scalar::Int(16), &[512], &numbers), Tensor::zeros(Scalar::Int(16), &[32, 8])]
}

/// Each lane's eight numbers after a load of four matrices.
fn loaded(transposed: bool) -> Vec<i64> {
    let body = format!(
        "%m = nvgpu.ldmatrix %s[%at] {{numTiles = 4 : i32, transpose = {transposed}}} : {SHARED} -> vector<4x2xi16>
  %flat = vector.shape_cast %m : vector<4x2xi16> to vector<8xi16>
  vector.store %flat, %out[%t, %zero] : memref<32x8xi16>, vector<8xi16>"
    );
    good(&kernel(&body), &args()).buffers[1].to_i64()
}

/// PTX ISA, figures of "ldmatrix": lane 5 holds row 1, columns 2 and 3; transposed, column 1 of rows 2 and 3.
#[test]
fn lanes_have_words_of_rows() {
    let (plain, transposed) = (loaded(false), loaded(true));
    assert_eq!(plain[5 * 8..5 * 8 + 2], [16 + 2, 16 + 3]);
    assert_eq!(transposed[5 * 8..5 * 8 + 2], [2 * 16 + 1, 3 * 16 + 1]);
    for lane in 0..32 {
        for tile in 0..4 {
            for index in 0..2 {
                let at = lane * 8 + tile * 2 + index;
                let (row, column) = (lane / 4, lane % 4 * 2 + index);
                assert_eq!(plain[at], (tile * 128 + row * 16 + column) as i64);
                assert_eq!(transposed[at], (tile * 128 + column * 16 + row) as i64);
            }
        }
    }
}

/// What is stored as a matrix and loaded as one is the same; loaded transposed, it is the transpose.
#[test]
fn stores_are_the_inverse_of_loads() {
    for transposed in [false, true] {
        let body = format!(
            "%m = nvgpu.ldmatrix %s[%at] {{numTiles = 2 : i32, transpose = {transposed}}} : {SHARED} -> vector<2x2xi16>
  %to = memref.alloc() : {SHARED}
  nvgpu.stmatrix %m, %to[%at] {{transpose = false}} : vector<2x2xi16>, {SHARED}
  gpu.barrier
  %c8 = arith.constant 8 : index
  %in = arith.cmpi ult, %t, %c16 : index
  scf.if %in {{
    %v = vector.load %to[%at] : {SHARED}, vector<8xi16>
    vector.store %v, %out[%t, %zero] : memref<32x8xi16>, vector<8xi16>
  }}"
        );
        let got = good(&kernel(&body), &args()).buffers[1].to_i64();
        for row in 0..16 {
            for column in 0..8 {
                let (tile, r) = (row / 8, row % 8);
                let want = if transposed { tile * 128 + column * 16 + r } else { row * 16 + column };
                assert_eq!(got[row * 8 + column], want as i64, "{transposed}, row {row}, column {column}");
            }
        }
    }
}

/// Rows 32 bytes apart meet in every fourth bank row: two wavefronts for each matrix, and one would do.
#[test]
fn rows_cost_what_their_banks_do() {
    let body = format!(
        "%m = nvgpu.ldmatrix %s[%at] {{numTiles = 4 : i32, transpose = false}} : {SHARED} -> vector<4x2xi16>
  %flat = vector.shape_cast %m : vector<4x2xi16> to vector<8xi16>
  vector.store %flat, %out[%t, %zero] : memref<32x8xi16>, vector<8xi16>"
    );
    let text = kernel(&body);
    let outcome = try_run(&text, &args(), &Options { banks: Some(32), ..Options::default() }).unwrap();
    let ir = common::parse(&text);
    let cost = outcome.cost.unwrap();
    let (_, tally) = cost.ops.iter().find(|(op, _)| ir.name(*op) == "nvgpu.ldmatrix").unwrap();
    let shared = tally.shared;
    assert_eq!((shared.requests, shared.transactions, shared.ideal, shared.bytes_read), (1, 8, 4, 512));
}

/// A row begins at a multiple of 16 bytes and lies inside; two stores of one element race.
#[test]
fn what_is_wrong_is_found() {
    let load = |at: &str| {
        format!(
            "%one = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %more = {at}
  %m = nvgpu.ldmatrix %s[%more] {{numTiles = 4 : i32, transpose = false}} : {SHARED} -> vector<4x2xi16>"
        )
    };
    bad(
        &kernel(&load("arith.addi %at, %one : index")),
        &args(),
        "misaligned: the row that the lane names is not 16 bytes at a multiple of 16",
        "nvgpu.ldmatrix",
    );
    bad(
        &kernel(&load("arith.addi %at, %c16 : index")),
        &args(),
        "bounds: index 512 is outside dimension 0",
        "nvgpu.ldmatrix",
    );
    let race = format!(
        "%m = nvgpu.ldmatrix %s[%at] {{numTiles = 4 : i32, transpose = false}} : {SHARED} -> vector<4x2xi16>
  nvgpu.stmatrix %m, %s[%zero] {{transpose = false}} : vector<4x2xi16>, {SHARED}"
    );
    bad(&kernel(&race), &args(), "race: ", "nvgpu.stmatrix");
}
