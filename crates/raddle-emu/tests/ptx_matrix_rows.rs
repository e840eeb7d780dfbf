//! `ldmatrix` and `stmatrix` of bytes: where the elements of rows are in the lanes' registers.

use raddle_ir::Code;

use crate::ptx::{fails, run};

/// Bytes that differ from their neighbours in every direction.
fn byte(at: usize) -> i64 {
    (at * 37 + at / 16 * 11) as i64 & 0xff
}

/// The words that hold `n` such bytes.
fn words(n: usize) -> Vec<i64> {
    (0..n / 4).map(|word| (0..4).fold(0, |sum, at| sum | byte(word * 4 + at) << (8 * at))).collect()
}

fn part(word: i64, at: usize) -> i64 {
    word >> (8 * at) & 0xff
}

/// A kernel whose 64 threads write a tile, of which the first warp then loads or stores matrices: `%r4` is the address of
/// the lane's row.
fn body(written: &str, instruction: &str, left: &str) -> String {
    format!(
        "
  .shared .align 128 .b8 tile[1024];
  mov.u32 %r2, tile;
  {written}
  bar.sync 0;
  setp.gt.u32 %p1, %r1, 31;
  @%p1 ret;
  mad.lo.u32 %r4, %r1, 16, %r2;
  {instruction}
  bar.warp.sync -1;
  {left}"
    )
}

/// The 128 words of the first buffer become the tile's first 512 bytes.
const WHOLE: &str = "
  mad.lo.u32 %r3, %r1, 8, %r2;
  mul.wide.u32 %rd5, %r1, 8;
  add.s64 %rd5, %rd1, %rd5;
  ld.global.v2.b32 {%r10, %r11}, [%rd5];
  st.shared.v2.b32 [%r3], {%r10, %r11};";

const FOUR: &str = "
  mul.wide.u32 %rd6, %r1, 16;
  add.s64 %rd6, %rd2, %rd6;
  st.global.v4.b32 [%rd6], {%r20, %r21, %r22, %r23};";

/// PTX ISA, "ldmatrix", `.m16n16`: a register holds four bytes of a column; the second one is of the columns behind.
#[test]
fn bytes_are_loaded_by_columns() {
    let load = "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%r20, %r21, %r22, %r23}, [%r4];";
    let got = run(&body(WHOLE, load, FOUR), &words(512), 128);
    for matrix in 0..2 {
        for row in 0..16 {
            for column in 0..16 {
                let (lane, reg) = (column % 8 * 4 + row / 4, matrix * 2 + column / 8);
                let want = byte((matrix * 16 + row) * 16 + column);
                assert_eq!(part(got[lane * 4 + reg], row % 4), want, "matrix {matrix}, row {row}, column {column}");
            }
        }
    }
    let one = "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r20, %r21}, [%r4];
  mov.b32 %r22, 0;
  mov.b32 %r23, 0;";
    let first = run(&body(WHOLE, one, FOUR), &words(512), 128);
    for lane in 0..32 {
        assert_eq!(first[lane * 4..lane * 4 + 2], got[lane * 4..lane * 4 + 2], "lane {lane}");
    }
}

/// Elements of four and six bits become bytes; what lies behind them in their rows is not read, and need not be there.
#[test]
fn narrow_elements_are_loaded_as_bytes() {
    for (format, bits, n_words) in [("b4x16_p64", 4, 2), ("b6x16_p32", 6, 3)] {
        // A row by each of 32 threads, and of its third word only what the format has.
        let written = format!(
            "
  mad.lo.u32 %r3, %r1, 16, %r2;
  setp.lt.u32 %p2, %r1, 32;
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd5, %rd1, %rd5;
  @%p2 ld.global.v2.b32 {{%r10, %r11}}, [%rd5];
  @%p2 st.shared.v2.b32 [%r3], {{%r10, %r11}};
  setp.lt.and.u32 %p2, %r1, 32, {};
  @%p2 ld.global.b32 %r10, [%rd5+8];
  @%p2 st.shared.b32 [%r3+8], %r10;",
            if n_words == 3 { "%p2" } else { "!%p2" }
        );
        let element = |row: usize, at: usize| {
            let bit = at * bits;
            let pair = byte(row * 16 + bit / 8) | byte(row * 16 + bit / 8 + 1) << 8;
            pair >> (bit % 8) & ((1 << bits) - 1)
        };
        let load = format!("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.{format} {{%r20, %r21, %r22, %r23}}, [%r4];");
        let got = run(&body(&written, &load, FOUR), &words(512), 128);
        for row in 0..32 {
            for at in 0..16 {
                let (lane, reg) = (row % 8 * 4 + at / 4, row / 8);
                assert_eq!(part(got[lane * 4 + reg], at % 4), element(row, at), "{format}, row {row}, element {at}");
            }
        }
        let transposed =
            format!("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.{format} {{%r20, %r21, %r22, %r23}}, [%r4];");
        let got = run(&body(&written, &transposed, FOUR), &words(512), 128);
        for row in 0..32 {
            for at in 0..16 {
                let (lane, reg) = (at % 8 * 4 + row % 16 / 4, row / 16 * 2 + at / 8);
                assert_eq!(part(got[lane * 4 + reg], row % 4), element(row, at), "{format}, row {row}, element {at}");
            }
        }
        let askew = load.replace("[%r4]", "[%r4+4]");
        assert_eq!(fails(&body(&written, &askew, FOUR), &words(512), 128).code, Code::Misaligned);
    }
}

/// PTX ISA, "stmatrix", `.m16n8`: sums of a product of bytes, of which a lane holds two of a row and of the row eight
/// below, go to memory by columns.
#[test]
fn bytes_are_stored_by_columns() {
    let store = "
  mul.wide.u32 %rd5, %r1, 16;
  add.s64 %rd5, %rd1, %rd5;
  ld.global.v4.b32 {%r20, %r21, %r22, %r23}, [%rd5];
  stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%r4], {%r20, %r21, %r22, %r23};";
    let left = "
  ld.shared.v4.b32 {%r20, %r21, %r22, %r23}, [%r4];
  mul.wide.u32 %rd6, %r1, 16;
  add.s64 %rd6, %rd2, %rd6;
  st.global.v4.b32 [%rd6], {%r20, %r21, %r22, %r23};";
    let given = words(512);
    let got = run(&body("", store, left), &given, 128);
    for (matrix, row, column) in (0..512).map(|at| (at / 128, at / 8 % 16, at % 8)) {
        let (lane, at) = (row % 8 * 4 + column / 2, column % 2 + row / 8 * 2);
        let to = (matrix * 8 + column) * 16 + row;
        let want = part(given[lane * 4 + matrix], at);
        assert_eq!(part(got[to / 4], to % 4), want, "matrix {matrix}, row {row}, column {column}");
    }
}
