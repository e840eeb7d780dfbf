//! Every dense `mma.sync`: the places of its elements against tables that were verified apart from this code.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

/// Instructions, and for A, B and C which bit of a coordinate each bit of the lane and of the slot is, lowest first.
#[rustfmt::skip]
const MAPS: &[(&[&str], [&str; 3])] = &[
    (&["m8n8k4.row.row.f16.f16.f16.f16"], ["m0 m1 b0 b1 m2 | k0 k1", "k0 k1 b0 b1 n2 | n0 n1", "m0 m1 b0 b1 m2 | n0 n1 n2"]),
    (&["m8n8k4.row.col.f16.f16.f16.f16"], ["m0 m1 b0 b1 m2 | k0 k1", "n0 n1 b0 b1 n2 | k0 k1", "m0 m1 b0 b1 m2 | n0 n1 n2"]),
    (&["m8n8k4.col.row.f16.f16.f16.f16"], ["k0 k1 b0 b1 m2 | m0 m1", "k0 k1 b0 b1 n2 | n0 n1", "m0 m1 b0 b1 m2 | n0 n1 n2"]),
    (&["m8n8k4.col.col.f16.f16.f16.f16"], ["k0 k1 b0 b1 m2 | m0 m1", "n0 n1 b0 b1 n2 | k0 k1", "m0 m1 b0 b1 m2 | n0 n1 n2"]),
    (&["m8n8k4.row.row.f32.f16.f16.f32"], ["m0 m1 b0 b1 m2 | k0 k1", "k0 k1 b0 b1 n2 | n0 n1", "m0 n1 b0 b1 m2 | n0 m1 n2"]),
    (&["m8n8k4.row.col.f32.f16.f16.f32"], ["m0 m1 b0 b1 m2 | k0 k1", "n0 n1 b0 b1 n2 | k0 k1", "m0 n1 b0 b1 m2 | n0 m1 n2"]),
    (&["m8n8k4.col.row.f32.f16.f16.f32"], ["k0 k1 b0 b1 m2 | m0 m1", "k0 k1 b0 b1 n2 | n0 n1", "m0 n1 b0 b1 m2 | n0 m1 n2"]),
    (&["m8n8k4.col.col.f32.f16.f16.f32"], ["k0 k1 b0 b1 m2 | m0 m1", "n0 n1 b0 b1 n2 | k0 k1", "m0 n1 b0 b1 m2 | n0 m1 n2"]),
    (&["m16n8k8.row.col.f16.f16.f16.f16", "m16n8k8.row.col.f32.f16.f16.f32", "m16n8k8.row.col.f32.bf16.bf16.f32"], ["k1 k2 m0 m1 m2 | k0 m3", "k1 k2 n0 n1 n2 | k0", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m16n8k16.row.col.f16.f16.f16.f16", "m16n8k16.row.col.f32.f16.f16.f32", "m16n8k16.row.col.f32.bf16.bf16.f32"], ["k1 k2 m0 m1 m2 | k0 m3 k3", "k1 k2 n0 n1 n2 | k0 k3", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m16n8k4.row.col.f32.tf32.tf32.f32", "m16n8k4.row.col.f64.f64.f64.f64"], ["k0 k1 m0 m1 m2 | m3", "k0 k1 n0 n1 n2 | ", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m16n8k8.row.col.f32.tf32.tf32.f32", "m16n8k8.row.col.f64.f64.f64.f64"], ["k0 k1 m0 m1 m2 | m3 k2", "k0 k1 n0 n1 n2 | k2", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m8n8k4.row.col.f64.f64.f64.f64"], ["k0 k1 m0 m1 m2 | ", "k0 k1 n0 n1 n2 | ", "n1 n2 m0 m1 m2 | n0"]),
    (&["m16n8k16.row.col.f64.f64.f64.f64"], ["k0 k1 m0 m1 m2 | m3 k2 k3", "k0 k1 n0 n1 n2 | k2 k3", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m8n8k16.row.col.s32.s8.s8.s32", "m8n8k16.row.col.s32.s8.u8.s32", "m8n8k16.row.col.s32.u8.s8.s32", "m8n8k16.row.col.s32.u8.u8.s32"], ["k2 k3 m0 m1 m2 | k0 k1", "k2 k3 n0 n1 n2 | k0 k1", "n1 n2 m0 m1 m2 | n0"]),
    (&["m16n8k16.row.col.s32.s8.s8.s32", "m16n8k16.row.col.s32.s8.u8.s32", "m16n8k16.row.col.s32.u8.s8.s32", "m16n8k16.row.col.s32.u8.u8.s32", "m16n8k16.row.col.f32.e4m3.e4m3.f32", "m16n8k16.row.col.f16.e4m3.e4m3.f16", "m16n8k16.row.col.f32.e4m3.e5m2.f32", "m16n8k16.row.col.f16.e4m3.e5m2.f16", "m16n8k16.row.col.f32.e5m2.e4m3.f32", "m16n8k16.row.col.f16.e5m2.e4m3.f16", "m16n8k16.row.col.f32.e5m2.e5m2.f32", "m16n8k16.row.col.f16.e5m2.e5m2.f16"], ["k2 k3 m0 m1 m2 | k0 k1 m3", "k2 k3 n0 n1 n2 | k0 k1", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m16n8k32.row.col.s32.s8.s8.s32", "m16n8k32.row.col.s32.s8.u8.s32", "m16n8k32.row.col.s32.u8.s8.s32", "m16n8k32.row.col.s32.u8.u8.s32", "m16n8k32.row.col.f32.e4m3.e4m3.f32", "m16n8k32.row.col.f16.e4m3.e4m3.f16", "m16n8k32.row.col.f32.e4m3.e5m2.f32", "m16n8k32.row.col.f16.e4m3.e5m2.f16", "m16n8k32.row.col.f32.e5m2.e4m3.f32", "m16n8k32.row.col.f16.e5m2.e4m3.f16", "m16n8k32.row.col.f32.e5m2.e5m2.f32", "m16n8k32.row.col.f16.e5m2.e5m2.f16"], ["k2 k3 m0 m1 m2 | k0 k1 m3 k4", "k2 k3 n0 n1 n2 | k0 k1 k4", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m8n8k32.row.col.s32.s4.s4.s32", "m8n8k32.row.col.s32.s4.u4.s32", "m8n8k32.row.col.s32.u4.s4.s32", "m8n8k32.row.col.s32.u4.u4.s32"], ["k3 k4 m0 m1 m2 | k0 k1 k2", "k3 k4 n0 n1 n2 | k0 k1 k2", "n1 n2 m0 m1 m2 | n0"]),
    (&["m16n8k32.row.col.s32.s4.s4.s32", "m16n8k32.row.col.s32.s4.u4.s32", "m16n8k32.row.col.s32.u4.s4.s32", "m16n8k32.row.col.s32.u4.u4.s32"], ["k3 k4 m0 m1 m2 | k0 k1 k2 m3", "k3 k4 n0 n1 n2 | k0 k1 k2", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m16n8k64.row.col.s32.s4.s4.s32", "m16n8k64.row.col.s32.s4.u4.s32", "m16n8k64.row.col.s32.u4.s4.s32", "m16n8k64.row.col.s32.u4.u4.s32"], ["k3 k4 m0 m1 m2 | k0 k1 k2 m3 k5", "k3 k4 n0 n1 n2 | k0 k1 k2 k5", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "m8n8k128.row.col.s32.b1.b1.s32.and.popc"], ["k5 k6 m0 m1 m2 | k0 k1 k2 k3 k4", "k5 k6 n0 n1 n2 | k0 k1 k2 k3 k4", "n1 n2 m0 m1 m2 | n0"]),
    (&["m16n8k128.row.col.s32.b1.b1.s32.xor.popc", "m16n8k128.row.col.s32.b1.b1.s32.and.popc"], ["k5 k6 m0 m1 m2 | k0 k1 k2 k3 k4 m3", "k5 k6 n0 n1 n2 | k0 k1 k2 k3 k4", "n1 n2 m0 m1 m2 | n0 m3"]),
    (&["m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "m16n8k256.row.col.s32.b1.b1.s32.and.popc"], ["k5 k6 m0 m1 m2 | k0 k1 k2 k3 k4 m3 k7", "k5 k6 n0 n1 n2 | k0 k1 k2 k3 k4 k7", "n1 n2 m0 m1 m2 | n0 m3"]),
];

/// The coordinates that the bits of a number contribute.
fn add(tokens: &str, number: usize, at: &mut [usize; 4]) {
    for (bit, token) in tokens.split_whitespace().enumerate() {
        if token != "0" && number >> bit & 1 == 1 {
            let dim = "bmnk".find(&token[..1]).unwrap();
            at[dim] += 1 << token[1..].parse::<u32>().unwrap();
        }
    }
}

#[test]
fn every_element_is_where_the_tables_say() {
    let mut n = 0;
    for (instructions, maps) in MAPS {
        for instruction in *instructions {
            let words: Vec<String> = format!("sync.aligned.{instruction}").split('.').map(str::to_owned).collect();
            let mma = Mma::of(&mut Words::new(&words)).unwrap_or_else(|| panic!("{instruction} is not known"));
            let Shape { m, n: columns, k, .. } = mma.shape;
            for (part, tokens) in maps.iter().enumerate() {
                let (lanes, slots) = tokens.split_once('|').unwrap();
                for (slot, places) in mma.maps[part].chunks_exact(LANES).enumerate() {
                    for (lane, &place) in places.iter().enumerate() {
                        let mut at = [0; 4];
                        add(lanes, lane, &mut at);
                        add(slots, slot, &mut at);
                        let [block, row, column, depth] = at;
                        let expected = match part {
                            0 => (block * m + row) * k + depth,
                            1 => (block * k + depth) * columns + column,
                            _ => (block * m + row) * columns + column,
                        };
                        assert_eq!(
                            usize::from(place),
                            expected,
                            "{instruction}, part {part}, lane {lane}, slot {slot}"
                        );
                    }
                }
            }
            n += 1;
        }
    }
    assert_eq!(n, 66);
}

/// What no machine has is refused.
#[test]
fn other_instructions_are_refused() {
    for text in [
        "m16n8k16.row.row.f32.f16.f16.f32",
        "m16n8k32.row.col.f32.f16.f16.f32",
        "m16n8k16.row.col.f32.f16.bf16.f32",
        "m16n8k16.row.col.f16.bf16.bf16.f16",
        "m16n8k16.row.col.f32.f16.f16.f16",
        "m16n8k128.row.col.s32.b1.b1.s32",
        "m16n8k32.row.col.f32.e3m2.e3m2.f32",
        "m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32",
        "m16n8k32.row.col.kind::f8f6f4.f32.s8.s8.f32",
        "m16n8k32.row.col.kind::mxf8f6f4.f32.e4m3.e4m3.f32.ue8m0",
        "m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue4m3",
        "m16n8k32.row.col.kind::mxf8f6f4.block_scale.f16.e4m3.e4m3.f16.ue8m0",
        "m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1.e2m1.f32.ue4m3",
        "sp.m16n8k8.row.col.f32.f16.f16.f32",
        "sp.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
        "sp.m8n8k32.row.col.s32.s8.s8.s32",
    ] {
        let words: Vec<String> = format!("sync.aligned.{text}").split('.').map(str::to_owned).collect();
        assert!(Mma::of(&mut Words::new(&words)).is_none(), "{text}");
    }
}
