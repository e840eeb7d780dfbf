//! `wmma` in executed PTX: each product of every type, shape and order in memory, from matrices with gaps between their
//! lines, is the product of the matrices.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Options, Tensor, ptx};
use raddle_ir::{Code, Diag, Scalar};

/// A matrix in memory: lines of `stride` elements.
#[derive(Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
    by_rows: bool,
    bits: usize,
}

impl Matrix {
    fn stride(self) -> usize {
        // A gap of 32 bytes.
        let line = if self.by_rows { self.columns } else { self.rows };
        line + 32 * 8 / self.bits
    }

    fn bytes(self) -> usize {
        let lines = if self.by_rows { self.rows } else { self.columns };
        lines * self.stride() * self.bits / 8
    }

    /// The bits of elements, which are given row by row, and of what lies between them.
    fn encode(self, values: &[u64]) -> Vec<u8> {
        let mut bytes = vec![0x5a; self.bytes()];
        for (at, &value) in values.iter().enumerate() {
            let first = self.first_bit(at);
            for bit in 0..self.bits {
                let (byte, shift) = ((first + bit) / 8, (first + bit) % 8);
                bytes[byte] = bytes[byte] & !(1 << shift) | ((value >> bit & 1) as u8) << shift;
            }
        }
        bytes
    }

    fn decode(self, bytes: &[u8]) -> Vec<u64> {
        let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
        let value = |at: usize| (0..self.bits).map(|within| bit(self.first_bit(at) + within) << within).sum();
        (0..self.rows * self.columns).map(value).collect()
    }

    fn first_bit(self, at: usize) -> usize {
        let (row, column) = (at / self.columns, at % self.columns);
        let (line, along) = if self.by_rows { (row, column) } else { (column, row) };
        (line * self.stride() + along) * self.bits
    }
}

/// The bits of a whole number of a type.
fn bits_of(ty: &str, value: i64) -> u64 {
    let x = value as f64;
    match ty {
        "f64" => x.to_bits(),
        "f32" | "tf32" => u64::from((x as f32).to_bits()),
        "bf16" => u64::from((x as f32).to_bits() >> 16),
        // Whole numbers of at most eleven bits.
        "f16" if value == 0 => 0,
        "f16" => {
            let bits = (x as f32).to_bits();
            u64::from(bits >> 16 & 0x8000 | ((bits >> 23 & 0xff) + 15 - 127) << 10 | bits >> 13 & 0x3ff)
        }
        _ => value as u64,
    }
}

/// The registers of a fragment: their type, and how many there are.
fn registers(ty: &str, elements: usize, is_factor: bool) -> (&'static str, usize) {
    match ty {
        "f64" => ("f64", elements / 32),
        "f32" => ("f32", elements / 32),
        "f16" if is_factor => ("b32", 8),
        "f16" | "bf16" => ("b32", elements / 64),
        "s8" | "u8" => ("b32", elements / 128),
        "s4" | "u4" => ("b32", elements / 256),
        "b1" => ("b32", elements / 1024),
        _ => ("b32", elements / 32),
    }
}

fn bits(ty: &str) -> usize {
    let digits: String = ty.trim_start_matches("tf").chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

struct Product {
    extents: [usize; 3],
    /// A, B, C, D.
    types: [&'static str; 4],
    /// Whether A, B, and the sums lie by rows.
    orders: [bool; 3],
    /// What stands behind the types.
    end: &'static str,
}

impl Product {
    fn matrices(&self) -> [Matrix; 4] {
        let [m, n, k] = self.extents;
        let [a, b, sums] = self.orders;
        let of = |at: usize, rows, columns, by_rows| Matrix { rows, columns, by_rows, bits: bits(self.types[at]) };
        [of(0, m, k, a), of(1, k, n, b), of(2, m, n, sums), of(3, m, n, !sums)]
    }

    fn text(&self) -> String {
        let [m, n, k] = self.extents;
        let shape = format!("m{m}n{n}k{k}");
        let matrices = self.matrices();
        let order = |at: usize| if matrices[at].by_rows { "row" } else { "col" };
        let mut declared = String::new();
        let mut lists = Vec::new();
        for (at, matrix) in matrices.iter().enumerate() {
            let (class, n) = registers(self.types[at], matrix.rows * matrix.columns, at < 2);
            declared += &format!("  .reg .{class} %x{at}_<{n}>;\n");
            lists.push(format!("{{{}}}", (0..n).map(|reg| format!("%x{at}_{reg}")).collect::<Vec<_>>().join(", ")));
        }
        let load = |at: usize, name: &str| {
            let (order, ty, list) = (order(at), self.types[at], &lists[at]);
            let stride = matrices[at].stride();
            format!("  wmma.load.{name}.sync.aligned.{order}.{shape}.global.{ty} {list}, [%rd{at}], {stride};\n")
        };
        let types = match self.types {
            ["f16", _, c, d] => format!("{d}.{c}"),
            [a, b, c, d] => format!("{d}.{a}.{b}.{c}"),
        };
        let (op, end) = match self.end {
            "" | ".satfinite" => ("", self.end),
            bits => (bits, ""),
        };
        format!(
            ".version 8.4\n.target sm_90\n.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)
.reqntid 32, 1, 1
{{
  .reg .b64 %rd<4>;
{declared}  ld.param.u64 %rd0, [a];
  ld.param.u64 %rd1, [b];
  ld.param.u64 %rd2, [c];
  ld.param.u64 %rd3, [d];
{}{}{}  wmma.mma{op}.sync.aligned.{}.{}.{shape}.{types}{end} {}, {}, {}, {};
  wmma.store.d.sync.aligned.{}.{shape}.global.{} [%rd3], {}, {};
  ret;
}}",
            load(0, "a"),
            load(1, "b"),
            load(2, "c"),
            order(0),
            order(1),
            lists[3],
            lists[0],
            lists[1],
            lists[2],
            order(3),
            self.types[3],
            lists[3],
            matrices[3].stride(),
        )
    }

    /// What comes out, and what should.
    fn run(&self) -> Result<(Vec<u64>, Vec<u64>), Diag> {
        let [m, n, k] = self.extents;
        let matrices = self.matrices();
        let number = |ty: &str, at: usize| {
            let range: (i64, i64) = match ty {
                "b1" => (0, 2),
                "u4" | "u8" => (0, 12),
                _ => (-4, 9),
            };
            range.0 + (at * 7 + at / 5 + at / 11 * 3) as i64 % range.1
        };
        let values: Vec<Vec<i64>> = matrices[..3]
            .iter()
            .zip(self.types)
            .map(|(matrix, ty)| (0..matrix.rows * matrix.columns).map(|at| number(ty, at)).collect())
            .collect();
        let mut args: Vec<Tensor> = Vec::new();
        for at in 0..4 {
            let encoded: Vec<u64> =
                if at < 3 { values[at].iter().map(|&x| bits_of(self.types[at], x)).collect() } else { Vec::new() };
            let bytes = matrices[at].encode(&encoded);
            args.push(Tensor::from_i64(
                Scalar::Int(8),
                &[bytes.len() as i64],
                &bytes.iter().map(|&byte| i64::from(byte)).collect::<Vec<_>>(),
            ));
        }
        let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 0 };
        let ran = ptx::run(&ptx::parse(&self.text())?, &args, &launch, &Options::default())?;
        let keep = if bits(self.types[3]) == 64 { u64::MAX } else { (1 << bits(self.types[3])) - 1 };
        let mut want = Vec::new();
        for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let term = |step: usize| {
                let (a, b) = (values[0][row * k + step], values[1][step * n + column]);
                match self.end {
                    ".xor.popc" => a ^ b,
                    ".and.popc" => a & b,
                    _ => a * b,
                }
            };
            let sum = values[2][row * n + column] + (0..k).map(term).sum::<i64>();
            want.push(bits_of(self.types[3], sum) & keep);
        }
        let bytes: Vec<u8> = ran.args[3].to_i64().into_iter().map(|byte| byte as u8).collect();
        Ok((matrices[3].decode(&bytes), want))
    }
}

/// Sums stay so small that every format holds them.
#[test]
fn products_of_fragments_are_products_of_matrices() {
    const ALL: [[usize; 3]; 3] = [[16, 16, 16], [8, 32, 16], [32, 8, 16]];
    const EVERY: [[bool; 2]; 4] = [[true, true], [true, false], [false, true], [false, false]];
    let mut products = Vec::new();
    let mut add = |extents: &[[usize; 3]], orders: &[[bool; 2]], types: [&'static str; 4], end: &'static str| {
        for (&extents, &[a, b], sums) in extents
            .iter()
            .flat_map(|extents| orders.iter().map(move |orders| (extents, orders)))
            .flat_map(|(extents, orders)| [true, false].map(|sums| (extents, orders, sums)))
        {
            products.push(Product { extents, types, orders: [a, b, sums], end });
        }
    };
    for (c, d) in [("f16", "f16"), ("f32", "f32"), ("f16", "f32"), ("f32", "f16")] {
        add(&ALL, &EVERY, ["f16", "f16", c, d], "");
    }
    add(&ALL, &EVERY, ["bf16", "bf16", "f32", "f32"], "");
    for (ty, end) in [("s8", ""), ("u8", ".satfinite")] {
        add(&ALL, &EVERY, [ty, ty, "s32", "s32"], end);
    }
    add(&[[16, 16, 8]], &EVERY, ["tf32", "tf32", "f32", "f32"], "");
    add(&[[8, 8, 4]], &EVERY, ["f64", "f64", "f64", "f64"], "");
    for ty in ["s4", "u4"] {
        add(&[[8, 8, 32]], &[[true, false]], [ty, ty, "s32", "s32"], "");
    }
    for end in [".xor.popc", ".and.popc"] {
        add(&[[8, 8, 128]], &[[true, false]], ["b1", "b1", "s32", "s32"], end);
    }
    assert_eq!(products.len(), 4 * 24 + 24 + 2 * 24 + 8 + 8 + 4 + 4);
    for product in &products {
        let (got, want) = product.run().unwrap_or_else(|diag| panic!("{diag:?}\n{}", product.text()));
        assert_eq!(got, want, "{}", product.text());
    }
}

/// What is not a product of these is an error that names it.
#[test]
fn unknown_fragments_are_refused() {
    let text =
        Product { extents: [16, 16, 16], types: ["f16", "f16", "f32", "f32"], orders: [true; 3], end: "" }.text();
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 0 };
    let args: Vec<Tensor> = (0..4).map(|_| Tensor::zeros(Scalar::Int(8), &[4096])).collect();
    for (old, new) in [
        ("m16n16k16.f32.f32", "m16n16k16.f32.bf16.f16.f32"),
        ("m16n16k16.f32.f32", "m16n16k8.f32.f32"),
        ("m16n16k16.f32.f32", "m16n16k16.s32.f16.f16.s32"),
        ("load.a.sync", "load.d.sync"),
        ("global.f16", "global.f64"),
    ] {
        assert!(text.contains(old), "{old}");
        let ran = ptx::run(&ptx::parse(&text.replace(old, new)).unwrap(), &args, &launch, &Options::default());
        let diag = ran.expect_err(new);
        assert!(diag.code == Code::CannotExecute && diag.message.contains("wmma"), "{diag:?}");
    }
}
