//! Mangled PTX: whatever is done to a text, the answer is a diagnostic or a result within the limits, never a panic.
//!
//! The reference kernels and a few small ones are changed in bytes, numbers, words and lines, cut short, and mixed; what
//! still parses is run. `RADDLE_PROGRAMS=100000` makes so many, `RADDLE_SEED` starts elsewhere, and the `.ptx` files of
//! the folders in `RADDLE_PTX` are changed as well.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it found")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use raddle_emu::{AsyncMode, Options, Tensor, ptx};
use raddle_ir::{Code, Float, Scalar};

use crate::common::Dice;
use crate::common::caught::caught;
use crate::products;

/// Mangled texts in an ordinary run of the tests.
const N_TEXTS: u64 = 1500;
/// What a run takes at most, on a slow machine with others: the limits end it long before.
const SECONDS_MAX: Duration = Duration::from_secs(60);

/// Declarations, calls, branches by tables, warps, atomics, vectors, narrow floats, asynchronous copies, phases and
/// matrices, also sparse and scaled ones.
const SMALL: &str = "
.version 8.6
.target sm_90a
.address_size 64
.global .align 4 .b32 table[4] = {1, 2, 3, 4};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 r) twice(.param .b32 x)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [r], %r2;
  ret;
}
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
.reqntid 64, 1, 1
{
  .reg .pred %p<4>;
  .reg .b16 %h<8>;
  .reg .b32 %r<24>;
  .reg .f32 %f<8>;
  .reg .b64 %rd<12>;
  .reg .f64 %d<4>;
  .local .align 16 .b8 frame[32];
  .shared .align 16 .b8 tile[1024];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u32 %r9, [n];
  mov.u32 %r1, %tid.x;
  setp.ge.s32 %p1, %r1, %r9;
  @%p1 bra DONE;
  mul.wide.u32 %rd3, %r1, 16;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd4];
  lop3.b32 %r6, %r2, %r3, %r4, 0x96;
  prmt.b32 %r7, %r2, %r3, 0x5410;
  bfe.u32 %r8, %r5, 4, 8;
  shfl.sync.bfly.b32 %r10|%p2, %r6, 1, 31, -1;
  redux.sync.add.s32 %r11, %r6, -1;
  vote.sync.ballot.b32 %r12, %p2, -1;
  cvt.rn.f32.s32 %f1, %r6;
  ex2.approx.f32 %f2, 0f3F000000;
  fma.rn.f32 %f3, %f1, %f2, %f1;
  cvt.rn.bf16x2.f32 %r13, %f3, %f2;
  cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;
  div.rn.f64 %d1, 0d3FF0000000000000, 0d4008000000000000;
  st.local.v2.b32 [frame+8], {%r6, %r7};
  ld.local.b32 %r14, [frame+12];
  {
    .param .b32 arg;
    .param .b32 res;
    st.param.b32 [arg], %r14;
    call.uni (res), twice, (arg);
    ld.param.b32 %r15, [res];
  }
  and.b32 %r16, %r1, 1;
  ts: .branchtargets EVEN, ODD;
  brx.idx %r16, ts;
EVEN:
  mov.u64 %rd5, table;
  ld.global.b32 %r17, [%rd5+4];
  bra JOIN;
ODD:
  mov.u32 %r17, 5;
JOIN:
  atom.global.add.u32 %r18, [%rd2], %r17;
  mov.u32 %r19, tile;
  shl.b32 %r20, %r1, 4;
  add.u32 %r19, %r19, %r20;
  cp.async.cg.shared.global [%r19], [%rd4], 16;
  cp.async.commit_group;
  cp.async.wait_group 0;
  setp.ne.u32 %p3, %r1, 0;
  @!%p3 mbarrier.init.shared.b64 [bar], 64;
  bar.sync 0;
  mbarrier.arrive.shared.b64 %rd6, [bar];
WAIT:
  mbarrier.try_wait.shared.b64 %p2, [bar], %rd6;
  @!%p2 bra WAIT;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r19];
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, {%r2, %r3, %r4, %r5}, {%r2, %r3}, {%f4, %f5, %f6, %f7};
  mov.b32 %r21, 0x4ED9C844;
  mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, {%r2, %r3, %r4, %r5}, {%r2, %r3, %r4, %r5}, {%f4, %f5, %f6, %f7}, %r21, 1;
  mov.b16 %h2, 0;
  mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%f4, %f5, %f6, %f7}, {%r2, %r3, %r4, %r5}, {%r2, %r3}, {%f4, %f5, %f6, %f7}, %r6, {0, 1}, %r7, {%h2, 3};
  st.global.v4.b32 [%rd4], {%r11, %r12, %r15, %r18};
DONE:
  ret;
}
";

/// A text, and what its kernel is run with.
struct Original {
    text: String,
    args: Vec<Tensor>,
    maps: BTreeMap<usize, ptx::TensorMap>,
    launch: ptx::Launch,
}

#[test]
fn mangled_kernels_do_not_panic() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let n_texts = number("RADDLE_PROGRAMS").unwrap_or(N_TEXTS);
    let originals = originals();
    let words: Vec<&str> = originals.iter().flat_map(|original| original.text.split_ascii_whitespace()).collect();
    let small = of_text(SMALL.to_owned());
    let ran = ptx::run(&ptx::parse(SMALL).unwrap(), &small.args, &small.launch, &Options::default());
    assert!(ran.is_ok(), "{ran:?}");
    let mut dice = Dice(number("RADDLE_SEED").unwrap_or(0).wrapping_mul(2).wrapping_add(1));

    let mut found: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    let mut slowest = (Duration::ZERO, String::new());
    for at in 0..n_texts {
        let original = &originals[dice.below(originals.len())];
        let other = &originals[dice.below(originals.len())];
        let text = mangle(&original.text, &other.text, &words, &mut dice);
        let start = Instant::now();
        match caught(|| run(original, &text, at % 2 == 0)) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(message) => {
                let key: String = message.chars().filter(|c| !c.is_ascii_digit()).collect();
                let entry = found.entry(key).or_insert((0, text.clone()));
                entry.0 += 1;
                if text.len() < entry.1.len() {
                    entry.1 = text.clone();
                }
            }
        }
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), text);
        }
    }
    for (message, (times, text)) in &found {
        eprintln!("{times} times: {message}\n{text}\n");
    }
    eprintln!("{n_texts} texts: {ends:?}; the slowest took {:.1} s", slowest.0.as_secs_f64());
    assert!(found.is_empty(), "{} kinds of panic in {n_texts} texts", found.len());
    assert!(slowest.0 < SECONDS_MAX, "a kernel runs on behind its limits:\n{}", slowest.1);
    // Not all changes break a text: the machine itself is reached.
    assert!(ends.get("ran").is_some_and(|&n| n > n_texts / 50), "{ends:?}");
}

/// How a text ended.
fn run(original: &Original, text: &str, is_lazy: bool) -> &'static str {
    let Ok(module) = ptx::parse(text) else { return "not parsed" };
    let options = Options {
        fuel: 1_000_000,
        memory_max: 64 << 20,
        copies: if is_lazy { AsyncMode::Lazy } else { AsyncMode::Eager },
        ..Options::default()
    };
    match ptx::run_with_maps(&module, &original.args, &original.maps, &original.launch, &options) {
        Ok(_) => "ran",
        Err(diag) if diag.code == Code::LimitHit => "stopped",
        Err(_) => "refused",
    }
}

fn originals() -> Vec<Original> {
    let mut originals: Vec<Original> = products::all()
        .into_iter()
        .map(|product| Original { text: product.text, args: product.args, maps: product.maps, launch: product.launch })
        .collect();
    // As often as the large ones together: it is run to its end within the limits.
    for _ in 0..originals.len().max(1) {
        originals.push(of_text(SMALL.to_owned()));
    }
    for folder in std::env::var("RADDLE_PTX").iter().flat_map(|folders| folders.split(':')) {
        read(Path::new(folder), &mut originals);
    }
    originals
}

fn read(folder: &Path, originals: &mut Vec<Original>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, originals);
        } else if path.extension().is_some_and(|end| end == "ptx") {
            originals.push(of_text(std::fs::read_to_string(path).unwrap()));
        }
    }
}

/// Arguments by the types of the parameters: buffers, numbers and tensor maps.
fn of_text(text: String) -> Original {
    let signature = text.split_once(".entry").and_then(|(_, rest)| rest.split_once(')')).map_or("", |parts| parts.0);
    let (mut args, mut maps) = (Vec::new(), BTreeMap::new());
    for param in signature.split(".param").skip(1) {
        let is = |types: &[&str]| types.iter().any(|ty| param.contains(ty));
        let half = Scalar::Float(Float::F16);
        if param.contains("[128]") {
            maps.insert(args.len(), ptx::TensorMap::of(half, &[64, 64], &[32, 32]).unwrap());
            args.push(Tensor::zeros(half, &[64, 64]));
        } else if is(&[".u64", ".b64", ".s64"]) {
            args.push(Tensor::zeros(Scalar::Int(32), &[4096]));
        } else {
            let bits = [8, 16].into_iter().find(|bits| is(&[&format!("u{bits}"), &format!("b{bits}")])).unwrap_or(32);
            args.push(Tensor::from_i64(Scalar::Int(bits), &[], &[64]));
        }
    }
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 16 << 10 };
    Original { text, args, maps, launch }
}

/// One or two changes, at random places.
fn mangle(text: &str, other: &str, words: &[&str], dice: &mut Dice) -> String {
    const NUMBERS: &[&str] =
        &["0", "1", "-1", "31", "64", "255", "65536", "2147483647", "4294967295", "18446744073709551615", "0f7F800000"];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + dice.below(2) {
        if lines.is_empty() {
            break;
        }
        let (at, from) = (dice.below(lines.len()), dice.below(lines.len()));
        match dice.below(16) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, from),
            2 => {
                let copy = lines[from].clone();
                lines.insert(at, copy);
            }
            3 => {
                let foreign: Vec<&str> = other.lines().collect();
                lines.insert(at, foreign[dice.below(foreign.len())].to_owned());
            }
            4 => lines.truncate(at + lines.len() / 2),
            5 => {
                let line: String =
                    lines[at].chars().map(|c| if dice.below(20) == 0 { character(dice) } else { c }).collect();
                lines[at] = line;
            }
            // A part of an instruction: an operand, a number, or a word behind a dot.
            6..=12 => {
                let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '%');
                let parts: Vec<&str> = lines[at].split(is_end).filter(|part| !part.is_empty()).collect();
                let Some(&part) = parts.get(dice.below(parts.len().max(1))) else { continue };
                let (start, len) = (part.as_ptr() as usize - lines[at].as_ptr() as usize, part.len());
                let word = if dice.below(2) == 0 {
                    NUMBERS[dice.below(NUMBERS.len())]
                } else {
                    words[dice.below(words.len())]
                };
                let word = word.trim_matches(|c: char| is_end(c)).split('.').next_back().unwrap_or_default();
                lines[at].replace_range(start..start + len, word);
            }
            _ => {
                let mut parts: Vec<&str> = lines[at].split(',').collect();
                let (one, two) = (dice.below(parts.len()), dice.below(parts.len()));
                parts.swap(one, two);
                lines[at] = parts.join(",");
            }
        }
    }
    lines.join("\n")
}

/// A character that PTX has.
fn character(dice: &mut Dice) -> char {
    char::from(b"%[]{}(),;.:@!|-+_ 0123456789abfxrdpsuv<>\"\\"[dice.below(42)])
}
