//! `mma.sp` and `mma` with block scaling, executed: against products of whole matrices, whose elements are placed here,
//! and for `mma.sp` against what an H100 gives for the same registers.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use raddle_emu::{Options, Tensor, ptx};
use raddle_ir::{Code, Diag, Scalar};

const LANES: usize = 32;
/// Words that a lane reads: four of A, of B and of C, metadata, factors of A and of B.
const WORDS: usize = 15;

/// Pseudorandom numbers, as those that the H100 was given.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// An element type: its name, the bits of its place, and for floats the bits of exponent and mantissa, and how far up the
/// element is in its place.
#[derive(Clone, Copy)]
struct Elem {
    name: &'static str,
    bits: u32,
    float: Option<(u32, u32, u32)>,
}

const fn float(name: &'static str, bits: u32, exponent: u32, mantissa: u32, shift: u32) -> Elem {
    Elem { name, bits, float: Some((exponent, mantissa, shift)) }
}

const fn int(name: &'static str, bits: u32) -> Elem {
    Elem { name, bits, float: None }
}

const F32: Elem = float("f32", 32, 8, 23, 0);
const ELEMS: &[Elem] = &[
    F32,
    float("f16", 16, 5, 10, 0),
    float("bf16", 16, 8, 7, 0),
    // 10 bits of mantissa, and 13 that do not count.
    float("tf32", 32, 8, 10, 13),
    float("e4m3", 8, 4, 3, 0),
    float("e5m2", 8, 5, 2, 0),
    float("e3m2", 8, 3, 2, 0),
    float("e2m3", 8, 2, 3, 0),
    float("e2m1", 8, 2, 1, 2),
    int("s8", 8),
    int("u8", 8),
    int("s4", 4),
    int("u4", 4),
    int("s32", 32),
];

fn elem(name: &str) -> Elem {
    *ELEMS.iter().find(|elem| elem.name == name).unwrap()
}

impl Elem {
    /// The value of the bits of a place.
    fn value(self, bits: u64) -> f64 {
        let Some((exponent, mantissa, shift)) = self.float else {
            let negative = self.name.starts_with('s') && bits >> (self.bits - 1) == 1;
            return bits as f64 - if negative { 2f64.powi(self.bits as i32) } else { 0.0 };
        };
        let bits = bits >> shift;
        let (field, fraction) = (bits >> mantissa & ((1 << exponent) - 1), bits & ((1 << mantissa) - 1));
        let bias = (1 << (exponent - 1)) - 1;
        let significand = fraction as f64 / f64::from(1u32 << mantissa) + f64::from(u32::from(field != 0));
        let sign = if bits >> (exponent + mantissa) & 1 == 1 { -1.0 } else { 1.0 };
        sign * significand * 2f64.powi(field.max(1) as i32 - bias)
    }

    /// The bits of a small whole number, of either sign.
    fn bits(self, value: f64) -> u64 {
        let Some((exponent, mantissa, shift)) = self.float else {
            return value as i64 as u64 & ((1u64 << self.bits) - 1);
        };
        if value == 0.0 {
            return 0;
        }
        let power = value.abs().log2().floor();
        let fraction = (value.abs() / power.exp2() - 1.0) * f64::from(1u32 << mantissa);
        assert_eq!(fraction.fract(), 0.0, "{value} is no {}", self.name);
        let field = power as i64 + (1 << (exponent - 1)) - 1;
        assert!(field > 0, "{value} is subnormal as {}", self.name);
        let sign = u64::from(value < 0.0) << (exponent + mantissa);
        (sign | (field as u64) << mantissa | fraction as u64) << shift
    }

    /// A register full of small numbers.
    fn word(self, numbers: &mut Numbers) -> u32 {
        let mut word = 0;
        for first in (0..32).step_by(self.bits as usize) {
            let bits = match self.float {
                Some(_) => self.bits(numbers.below(7) as f64 - 3.0),
                None => numbers.below(1 << self.bits.min(16)),
            };
            word |= (bits << first) as u32;
        }
        word
    }

    fn at(self, words: &[u32], slot: usize) -> f64 {
        let each = 32 / self.bits as usize;
        let bits = u64::from(words[slot / each]) >> (slot % each * self.bits as usize);
        self.value(bits & ((1u64 << self.bits) - 1))
    }
}

/// An instruction behind `mma…sync.aligned`, taken apart.
struct Product {
    k: usize,
    a: Elem,
    b: Elem,
    c: Elem,
    is_sparse: bool,
}

impl Product {
    fn of(name: &str, is_sparse: bool) -> Product {
        let words: Vec<&str> = name.split('.').collect();
        let k = words[0].rsplit_once('k').unwrap().1.parse().unwrap();
        let is_packed = name.contains("kind::mxf4");
        let types: Vec<Elem> =
            words.iter().filter_map(|word| ELEMS.iter().find(|elem| elem.name == *word)).copied().collect();
        let factor = |elem: Elem| if is_packed { float("e2m1", 4, 2, 1, 0) } else { elem };
        Product { k, a: factor(types[1]), b: factor(types[2]), c: types[3], is_sparse }
    }

    fn n_words(&self) -> [usize; 3] {
        let stored = if self.is_sparse { self.k / 2 } else { self.k };
        [16 * stored * self.a.bits as usize, 8 * self.k * self.b.bits as usize, 128 * self.c.bits as usize]
            .map(|bits| bits / 1024)
    }

    /// Where A's stored elements are by the metadata: lists of (row, column, value).
    fn dense_a(&self, lanes: &[[u32; WORDS]], selector: usize) -> BTreeMap<(usize, usize), f64> {
        let each = 32 / self.a.bits as usize;
        let mut stored = BTreeMap::new();
        for (lane, words) in lanes.iter().enumerate() {
            for slot in 0..self.n_words()[0] * each {
                let (word, within) = (slot / each, slot % each);
                let row = lane / 4 + word % 2 * 8;
                let column = lane % 4 * each + within + word / 2 * 4 * each;
                stored.insert((row, column), self.a.at(&words[..4], slot));
            }
        }
        if !self.is_sparse {
            return stored;
        }
        let mut dense = BTreeMap::new();
        for ((row, at), value) in stored {
            // Elements of a chunk that are stored, and what an index counts.
            let (kept, unit) = match self.a.bits {
                32 => (1, 1),
                16 | 8 => (2, 1),
                _ => (4, 2),
            };
            let chunk = at / kept;
            let chunks = self.k / kept / 2;
            let (lane, first) = match self.a.bits {
                // T0 has columns 0 to 15 of rows 0 and 8, and so on.
                16 | 32 => (row % 8 * 4 + chunks / 4 * selector + chunk / 4, row / 8 * 16 + chunk % 4 * 4),
                // T0 has the first half of row 0, T1 that of row 8, T2 and T3 the second halves.
                _ => (row % 8 * 4 + chunks / 4 * selector + row / 8 + chunk / 8 * 2, chunk % 8 * 4),
            };
            let bits = lanes[lane][12] >> first & 0xf;
            let column = match self.a.bits {
                32 => chunk * 2 + usize::from(bits == 0b1110),
                _ => {
                    let index = bits >> (at % kept / unit * 2) & 3;
                    chunk * kept * 2 + index as usize * unit + at % unit
                }
            };
            assert!(dense.insert((row, column), value).is_none(), "two elements are at one place");
        }
        dense
    }

    fn dense_b(&self, lanes: &[[u32; WORDS]]) -> BTreeMap<(usize, usize), f64> {
        let each = 32 / self.b.bits as usize;
        let mut dense = BTreeMap::new();
        for (lane, words) in lanes.iter().enumerate() {
            for slot in 0..self.n_words()[1] * each {
                let step = lane % 4 * each + slot % each + slot / each * 4 * each;
                dense.insert((step, lane / 4), self.b.at(&words[4..8], slot));
            }
        }
        dense
    }

    /// The registers of D.
    fn expected(
        &self,
        lanes: &[[u32; WORDS]],
        a: &BTreeMap<(usize, usize), f64>,
        b: &BTreeMap<(usize, usize), f64>,
    ) -> Vec<u32> {
        let mut out = Vec::new();
        for (lane, words) in lanes.iter().enumerate() {
            let mut registers = [0u32; 4];
            let each = 32 / self.c.bits as usize;
            for slot in 0..4 {
                let (row, column) = (lane / 4 + slot / 2 * 8, lane % 4 * 2 + slot % 2);
                let products = a.range((row, 0)..(row + 1, 0)).map(|(&(_, step), value)| value * b[&(step, column)]);
                let sum = products.sum::<f64>() + self.c.at(&words[8..12], slot);
                registers[slot / each] |= (self.c.bits(sum) << (slot % each * self.c.bits as usize)) as u32;
            }
            out.extend(&registers[..self.n_words()[2]]);
        }
        out
    }
}

/// Executes one instruction on the registers of a warp, with operands behind C: the registers of D.
fn execute(instruction: &str, product: &Product, lanes: &[[u32; WORDS]], behind: &str) -> Result<Vec<u32>, Diag> {
    let [na, nb, nc] = product.n_words();
    let list = |name: char, n: usize| (0..n).map(|at| format!("%{name}{at}")).collect::<Vec<_>>().join(", ");
    let mut body = String::new();
    for (at, name) in
        ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3", "c0", "c1", "c2", "c3", "e", "x", "y"].iter().enumerate()
    {
        body += &format!("  ld.global.b32 %{name}, [%rd3+{}];\n", at * 4);
    }
    let [a, b, c] = [list('a', na), list('b', nb), list('c', nc)];
    body += &format!("  {instruction} {{{c}}}, {{{a}}}, {{{b}}}, {{{c}}}{behind};\n");
    for at in 0..nc {
        body += &format!("  st.global.b32 [%rd4+{}], %c{at};\n", at * 4);
    }
    let text = format!(
        ".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n.reqntid 32, 1, 1\n{{
  .reg .b32 %a<4>, %b<4>, %c<4>, %e, %x, %y, %t;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %rd3, %t, {}, %rd1;
  mad.wide.u32 %rd4, %t, {}, %rd2;
{body}  ret;\n}}",
        WORDS * 4,
        nc * 4
    );
    let tensor = |words: &[u32]| {
        let words: Vec<i64> = words.iter().map(|&word| i64::from(word as i32)).collect();
        Tensor::from_i64(Scalar::Int(32), &[words.len() as i64], &words)
    };
    let args = [tensor(lanes.as_flattened()), tensor(&vec![0; LANES * nc])];
    let launch = ptx::Launch { entry: None, grid: [1; 3], workgroup: None, cluster: None, shared_bytes: 0 };
    let ran = ptx::run(&ptx::parse(&text)?, &args, &launch, &Options::default())?;
    Ok(ran.args[1].to_i64().iter().map(|&word| word as i32 as u32).collect())
}

/// The registers of a warp: small numbers, and metadata that selects.
fn registers(product: &Product, is_ordered: bool) -> Vec<[u32; WORDS]> {
    let mut numbers = Numbers(1);
    // Each pair of different indices; those that rise come first.
    let pairs: &[u64] = match (product.a.bits, is_ordered) {
        (32, _) => &[0b1110, 0b0100],
        (_, true) => &[4, 8, 12, 9, 13, 14],
        (_, false) => &[4, 8, 12, 9, 13, 14, 1, 2, 3, 6, 7, 11],
    };
    let lane = |_| {
        let mut words = [0; WORDS];
        for at in 0..12 {
            words[at] = [product.a, product.b, product.c][at / 4].word(&mut numbers);
        }
        for chunk in 0..8 {
            words[12] |= (pairs[numbers.below(pairs.len() as u64) as usize] << (4 * chunk)) as u32;
        }
        words
    };
    (0..LANES).map(lane).collect()
}

/// FNV-1a of the bytes.
fn fingerprint(words: &[u32]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Sparse products, and for each selector the fingerprint of what an H100 gives for [`registers`]: with indices in any
/// order, and in rising order.
#[rustfmt::skip]
const SPARSE: &[(&str, &[u64], &[u64])] = &[
    ("m16n8k16.row.col.f16.f16.f16.f16", &[0x62aa_9fec_5afa_aec5, 0x8815_bcab_01f7_f715, 0x9b34_b3d0_de23_729d, 0xf88f_4a12_358f_d01c], &[0x3318_95e9_6d37_ad6b, 0x2edb_1ce8_4278_f3e9, 0xba70_f97c_9572_8ce1, 0xe178_bfb1_2d27_a630]),
    ("m16n8k16.row.col.f32.f16.f16.f32", &[0x5ea4_cfbf_09c3_9d5a, 0x56fa_a8f5_6d59_03f5, 0x268a_e9ec_ec66_7763, 0x2d83_2829_942f_8f26], &[0xc4ef_be1b_13a3_c45b, 0xa8b3_6738_4d3b_e0d1, 0x8655_43c4_6ce5_6db2, 0x05fb_0280_2fea_5adf]),
    ("m16n8k32.row.col.f16.f16.f16.f16", &[0xfd91_0d61_8cf5_22a4, 0x18c0_d24e_2992_7e6f], &[0x4721_72f3_c49f_8169, 0x7322_bf2c_924b_d646]),
    ("m16n8k32.row.col.f32.f16.f16.f32", &[0xe909_c7e4_a2fd_fa2c, 0x269b_87ea_07ad_c850], &[0x93cd_d11d_247d_77ce, 0x9216_7aaa_d5cf_8946]),
    ("m16n8k16.row.col.f32.bf16.bf16.f32", &[0x5ea4_cfbf_09c3_9d5a, 0x56fa_a8f5_6d59_03f5, 0x268a_e9ec_ec66_7763, 0x2d83_2829_942f_8f26], &[0xc4ef_be1b_13a3_c45b, 0xa8b3_6738_4d3b_e0d1, 0x8655_43c4_6ce5_6db2, 0x05fb_0280_2fea_5adf]),
    ("m16n8k32.row.col.f32.bf16.bf16.f32", &[0xe909_c7e4_a2fd_fa2c, 0x269b_87ea_07ad_c850], &[0x93cd_d11d_247d_77ce, 0x9216_7aaa_d5cf_8946]),
    ("m16n8k8.row.col.f32.tf32.tf32.f32", &[0x9962_cecc_da28_d0d3, 0x9547_7b61_6018_c155, 0x3305_7744_b88d_5fc8, 0x5888_7e0b_2bb3_75d2], &[0x9962_cecc_da28_d0d3, 0x9547_7b61_6018_c155, 0x3305_7744_b88d_5fc8, 0x5888_7e0b_2bb3_75d2]),
    ("m16n8k16.row.col.f32.tf32.tf32.f32", &[0xc6ac_bd47_83ad_e4c3, 0x31f9_f7e0_3179_fd73], &[0xc6ac_bd47_83ad_e4c3, 0x31f9_f7e0_3179_fd73]),
    ("m16n8k64.row.col.f32.e4m3.e4m3.f32", &[0x71c0_dde2_1716_f5d8], &[0x806e_e72b_f7f9_281c]),
    ("m16n8k64.row.col.f32.e4m3.e5m2.f32", &[0x71c0_dde2_1716_f5d8], &[0x806e_e72b_f7f9_281c]),
    ("m16n8k64.row.col.f32.e5m2.e4m3.f32", &[0x71c0_dde2_1716_f5d8], &[0x806e_e72b_f7f9_281c]),
    ("m16n8k64.row.col.f32.e5m2.e5m2.f32", &[0x71c0_dde2_1716_f5d8], &[0x806e_e72b_f7f9_281c]),
    ("m16n8k32.row.col.s32.s8.s8.s32", &[0x9ae9_4f4e_aaf3_01ad, 0x8d4a_e2d7_7841_5055], &[0xf1f9_28bd_e97b_9b57, 0xe39d_4fc8_2be0_5428]),
    ("m16n8k32.row.col.s32.s8.u8.s32", &[0x0f18_1648_9b2f_ae94, 0x4923_37e8_c7d1_d2a4], &[0x16e0_6a64_00a0_f770, 0x088d_3842_4799_6ae5]),
    ("m16n8k32.row.col.s32.u8.s8.s32", &[0x40c6_4e4a_a927_46a1, 0xcb41_9123_00ec_45d4], &[0x4649_1f4f_dcbe_c566, 0xfc7f_0dd8_ba83_2e8e]),
    ("m16n8k32.row.col.s32.u8.u8.s32", &[0xf8bd_25be_3bb1_88ac, 0x1b77_0303_ca29_ab9c], &[0xaafc_94ec_dbfa_e403, 0x3fcc_32d5_5710_6b0c]),
    ("m16n8k64.row.col.s32.s8.s8.s32", &[0xfd47_247a_585b_9e30], &[0x363a_8416_be61_08f2]),
    ("m16n8k64.row.col.s32.s8.u8.s32", &[0xbcc8_a046_ec33_93cf], &[0xb7af_44a7_a772_4d0e]),
    ("m16n8k64.row.col.s32.u8.s8.s32", &[0x10b8_c814_31fa_00a7], &[0x1162_7bac_7b85_2a4a]),
    ("m16n8k64.row.col.s32.u8.u8.s32", &[0xc782_8888_906f_3e50], &[0xedbc_2a61_1949_ee84]),
    ("m16n8k64.row.col.s32.s4.s4.s32", &[0x124b_7aff_b4fb_ccd4, 0xe2fe_bfdb_01a8_2f30], &[0x038a_8a8e_196d_2a16, 0xdfd5_0224_0aba_c5c6]),
    ("m16n8k64.row.col.s32.s4.u4.s32", &[0x11f9_c693_1d66_2153, 0x5ef8_8714_7a2c_98e6], &[0x0e9d_988b_4f73_4332, 0x7bb9_d675_5b6e_6cc1]),
    ("m16n8k64.row.col.s32.u4.s4.s32", &[0x9979_a4af_3c0e_1a5a, 0x2ffd_3f43_a36f_f565], &[0x4a7b_b69c_1ae4_d171, 0x678d_c4d2_e371_d071]),
    ("m16n8k64.row.col.s32.u4.u4.s32", &[0xfa90_5156_8eb7_2e39, 0xcc6e_fa83_1624_767d], &[0x2763_2351_0f5d_be10, 0x91a0_364d_30e8_8d03]),
    ("m16n8k128.row.col.s32.s4.s4.s32", &[0x84eb_78bc_741b_52b8], &[0x60de_cab8_737c_8317]),
    ("m16n8k128.row.col.s32.s4.u4.s32", &[0x2b62_7fed_d61f_0c60], &[0xd1f1_16c3_eff6_3d39]),
    ("m16n8k128.row.col.s32.u4.s4.s32", &[0xa4e8_711d_fb36_1a42], &[0xacc5_8874_9c48_40a5]),
    ("m16n8k128.row.col.s32.u4.u4.s32", &[0x221c_ebb9_e734_c295], &[0xb386_9518_4968_1d2e]),
];

#[test]
fn sparse_products_are_those_of_the_dense_matrix_and_of_a_gpu() {
    let mut n = 0;
    for (name, in_any_order, ordered) in SPARSE {
        for (variant, of_gpu) in [("sp", in_any_order), ("sp::ordered_metadata", ordered)] {
            let product = Product::of(name, true);
            let lanes = registers(&product, variant != "sp");
            let instruction = format!("mma.{variant}.sync.aligned.{name}");
            for (selector, &of_gpu) in of_gpu.iter().enumerate() {
                let got = execute(&instruction, &product, &lanes, &format!(", %e, {selector}")).unwrap();
                let dense = product.expected(&lanes, &product.dense_a(&lanes, selector), &product.dense_b(&lanes));
                assert_eq!(got, dense, "{instruction}, selector {selector}");
                assert_eq!(fingerprint(&got), of_gpu, "{instruction}, selector {selector}");
                n += 1;
            }
        }
    }
    assert_eq!(n, 104);
}

/// Factors: the kind, their number in a row of A, their type, and the k of the dense product. `scale_vec` may be left out
/// where a kind has one.
const SCALED: &[(&str, usize, &str, usize)] = &[
    ("kind::mxf8f6f4.block_scale.scale_vec::1X", 1, "ue8m0", 32),
    ("kind::mxf8f6f4.block_scale", 1, "ue8m0", 32),
    ("kind::mxf4.block_scale.scale_vec::2X", 2, "ue8m0", 64),
    ("kind::mxf4.block_scale", 2, "ue8m0", 64),
    ("kind::mxf4nvf4.block_scale.scale_vec::2X", 2, "ue8m0", 64),
    ("kind::mxf4nvf4.block_scale.scale_vec::4X", 4, "ue8m0", 64),
    ("kind::mxf4nvf4.block_scale.scale_vec::4X", 4, "ue4m3", 64),
];

/// Names of narrow floats; `mxf4` has the last one only.
const NARROW: &[&str] = &["e4m3", "e5m2", "e3m2", "e2m3", "e2m1"];

/// Whether the product is sparse, and the words for that.
const SPARSITY: [(bool, &str); 2] = [(false, ""), (true, "sp::ordered_metadata.")];

/// Every kind, type and selector: each block of a row of A and of a column of B is multiplied by its factor first.
#[test]
fn blocks_are_scaled_by_the_factors_that_are_selected() {
    for &(kind, n_blocks, scale, k) in SCALED {
        let types = if k == 32 { NARROW } else { &NARROW[4..] };
        let all = types.iter().flat_map(|a| types.iter().map(move |b| (a, b)));
        for ((a, b), (is_sparse, sp)) in all.flat_map(|types| SPARSITY.map(|sparsity| (types, sparsity))) {
            let name = format!("m16n8k{}.row.col.{kind}.f32.{a}.{b}.f32.{scale}", if is_sparse { 2 * k } else { k });
            let product = Product::of(&name, is_sparse);
            let mut lanes = registers(&product, true);
            let mut numbers = Numbers(7);
            // Powers of two from 1/4 to 4, or 1 to 1.875.
            let (first, n) = if scale == "ue8m0" { (125, 5) } else { (0x38, 8) };
            for words in &mut lanes {
                let mut word = || u32::from_le_bytes(std::array::from_fn(|_| (first + numbers.below(n)) as u8));
                (words[13], words[14]) = (word(), word());
            }
            let value = |bits: u8| match scale {
                "ue8m0" => 2f64.powi(i32::from(bits) - 127),
                _ => elem("e4m3").value(u64::from(bits)),
            };
            let block = product.k / n_blocks;
            for (byte, thread) in (0..4).step_by(n_blocks).flat_map(|byte| (0..4).map(move |thread| (byte, thread))) {
                let factor = |word: u32, step: usize| value(word.to_le_bytes()[byte + step / block]);
                let mut dense_a = product.dense_a(&lanes, 0);
                for (&(row, step), value) in &mut dense_a {
                    *value *= factor(lanes[row % 8 * 4 + thread / 2 * 2 + row / 8][13], step);
                }
                let mut dense_b = product.dense_b(&lanes);
                for (&(step, column), value) in &mut dense_b {
                    *value *= factor(lanes[column * 4 + thread][14], step);
                }
                let behind = format!(
                    "{}, %x, {{{byte}, {}}}, %y, {{{byte}, {thread}}}",
                    if is_sparse { ", %e, 0" } else { "" },
                    thread / 2
                );
                let got = execute(&format!("mma.{sp}sync.aligned.{name}"), &product, &lanes, &behind).unwrap();
                assert_eq!(got, product.expected(&lanes, &dense_a, &dense_b), "{sp}{name} {behind}");
            }
        }
    }
}

/// Floats of 6 and 4 bits lie in bytes, those of 4 bits in the middle.
#[test]
fn narrow_floats_of_any_two_types_are_multiplied() {
    for ((a, b), c) in NARROW
        .iter()
        .flat_map(|a| NARROW.iter().map(move |b| (a, b)))
        .flat_map(|types| ["f32", "f16"].map(|c| (types, c)))
    {
        for (is_sparse, sp) in SPARSITY {
            let name = format!("m16n8k{}.row.col.kind::f8f6f4.{c}.{a}.{b}.{c}", if is_sparse { 64 } else { 32 });
            let product = Product::of(&name, is_sparse);
            let lanes = registers(&product, true);
            let got = execute(
                &format!("mma.{sp}sync.aligned.{name}"),
                &product,
                &lanes,
                if is_sparse { ", %e, 0" } else { "" },
            )
            .unwrap();
            assert_eq!(
                got,
                product.expected(&lanes, &product.dense_a(&lanes, 0), &product.dense_b(&lanes)),
                "{sp}{name}"
            );
        }
    }
}

/// What a row of A leaves out is not multiplied, whatever B has there.
#[test]
fn infinities_beside_what_is_selected_do_not_count() {
    let product = Product::of("m16n8k16.row.col.f32.f16.f16.f32", true);
    let mut lanes = registers(&product, true);
    for (lane, words) in lanes.iter_mut().enumerate() {
        // Columns 0 and 1 of each chunk are kept; lanes with an odd number have the others of B.
        words[12] = 0x4444_4444;
        if lane % 2 == 1 {
            words[4..6].fill(0x7c00_7c00);
        }
    }
    let got = execute("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &product, &lanes, ", %e, 2").unwrap();
    assert!(got.iter().all(|&word| f32::from_bits(word).is_finite()), "{got:x?}");
}

/// Metadata that selects an element twice, or out of order, and selectors of factors that are not there.
#[test]
fn what_selects_nothing_is_found() {
    let f16 = "m16n8k16.row.col.f32.f16.f16.f32";
    let tf32 = "m16n8k8.row.col.f32.tf32.tf32.f32";
    let s4 = "m16n8k64.row.col.s32.s4.s4.s32";
    for (variant, name, bits) in
        [("sp", f16, 0b0101), ("sp::ordered_metadata", f16, 0b0001), ("sp", tf32, 0b0001), ("sp", s4, 0b1111)]
    {
        let product = Product::of(name, true);
        let mut lanes = registers(&product, true);
        // The second lane of a group has what selector 1 of four, or 0 of two, picks.
        lanes[9][12] = lanes[9][12] & !0xf0 | bits << 4;
        let selector = if name == s4 { 0 } else { 1 };
        let diag =
            execute(&format!("mma.{variant}.sync.aligned.{name}"), &product, &lanes, &format!(", %e, {selector}"));
        let diag = diag.unwrap_err();
        assert_eq!(diag.code, Code::Undefined, "{diag:?}");
        assert!(
            diag.message.contains(&format!("{bits:#06b}")) && format!("{diag:?}").contains("thread (9, 0, 0)"),
            "{diag:?}"
        );
    }
    let name = "m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
    let product = Product::of(name, false);
    let lanes = registers(&product, true);
    for ids in
        ["{-1, 0}, %y, {0, 0}", "{1, 0}, %y, {0, 0}", "{0, 2}, %y, {0, 0}", "{0, 0}, %y, {0, 4}", "{0, 0}, %y, {4, 0}"]
    {
        let diag = execute(&format!("mma.sync.aligned.{name}"), &product, &lanes, &format!(", %x, {ids}")).unwrap_err();
        assert_eq!(diag.code, Code::Undefined, "{ids}: {diag:?}");
    }
}

/// Operands that an instruction lacks, has in excess, or may not have.
#[test]
fn wrong_operands_of_sparse_products_are_refused() {
    for (instruction, behind) in [
        ("mma.sp.sync.aligned.", ""),
        ("mma.sp.sync.aligned.", ", %e"),
        ("mma.sp.sync.aligned.", ", %e, 2"),
        ("mma.sp.sync.aligned.", ", %e, -1"),
        ("mma.sp.sync.aligned.", ", %e, %x"),
        ("mma.sp.sync.aligned.", ", %e, 0, %x"),
        ("mma.sync.aligned.", ", %e, 0"),
    ] {
        let is_sparse = instruction.starts_with("mma.sp");
        let name = format!("m16n8k{}.row.col.f32.f16.f16.f32", if is_sparse { 32 } else { 16 });
        let product = Product::of(&name, is_sparse);
        let lanes = registers(&product, true);
        let diag = execute(&format!("{instruction}{name}"), &product, &lanes, behind).unwrap_err();
        assert_eq!(diag.code, Code::PtxSyntax, "{instruction} {behind}: {diag:?}");
    }
}
