//! Matrix products: hardware instructions on fragments, and contractions of whole vectors and tensors.

use std::ops::Range;

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Combine, Contract, Float2, GroupFactor, MmaInst, SharedFactor, SharedProductInst};
use crate::machine::{Machine, Subgroup};
use crate::ops::arith::{combine_f32, combine_f64, combine_int, is_plain_sum};
use crate::ops::gpu::check_matrix;
use crate::ops::transfer::{buffer, outside};
use crate::ops::wide;
use crate::regs::{Bank, Num, Reg, Regs, Space, by_bank, number_at};
use crate::round::Round;

/// `D = A * B + C` for the fragments of a subgroup: each element of D starts at C and takes the products in order of k,
/// rounding to the accumulator's type after each.
#[inline(never)]
pub(crate) fn mma(s: &mut Subgroup, inst: &MmaInst) -> Run<()> {
    check_matrix(s)?;
    for ((&reg, duplicates), name) in inst.operands.iter().zip(&inst.duplicates).zip(["A", "B", "C"]) {
        by_bank!(reg.bank, check_duplicates::<_>(s, reg, duplicates, name))?;
    }
    let extents = [1, inst.mma.m as usize, inst.mma.n as usize, inst.mma.k as usize];
    let [a, b, c] = &inst.tables;
    let [lhs, rhs, acc] = inst.operands;
    match inst.dst.bank {
        Bank::F64 => {
            let product = [gathered(&s.regs, lhs, a), gathered(&s.regs, rhs, b), gathered(&s.regs, acc, c)];
            multiply(&mut s.regs, inst.dst, c, extents, product, |acc: f64, a, b| acc + a * b);
        }
        Bank::Int => {
            let product = [gathered(&s.regs, lhs, a), gathered(&s.regs, rhs, b), gathered(&s.regs, acc, c)];
            multiply(&mut s.regs, inst.dst, c, extents, product, |acc: i64, a: i64, b: i64| {
                i64::from(acc.wrapping_add(a.wrapping_mul(b)) as i32)
            });
        }
        _ => {
            let product = [gathered(&s.regs, lhs, a), gathered(&s.regs, rhs, b), gathered(&s.regs, acc, c)];
            match inst.round {
                Round::Keep => multiply(&mut s.regs, inst.dst, c, extents, product, |acc: f32, a, b| acc + a * b),
                round => {
                    multiply(&mut s.regs, inst.dst, c, extents, product, move |acc: f32, a, b| {
                        round.apply(acc + a * b)
                    });
                }
            }
        }
    }
    Ok(())
}

/// `D = A * B + C` for a subgroup's 16 of 64 rows, with tiles in shared memory: like [`mma`], in order of k.
///
/// Here it is done at once. That nobody looks at its results, or writes its tiles, before they are waited for is for the
/// machine that executes PTX to find.
#[inline(never)]
pub(crate) fn shared_product(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    inst: &SharedProductInst,
    pc: usize,
) -> Run<()> {
    check_matrix(s)?;
    let extents = [1, ROWS, inst.n, inst.k];
    let table = &inst.table;
    match inst.dst.bank {
        Bank::F64 => {
            let [a, b] = factors::<f64>(machine, s, inst, pc)?;
            let product = [a, b, gathered(&s.regs, inst.acc, table)];
            multiply(&mut s.regs, inst.dst, table, extents, product, |acc: f64, a, b| acc + a * b);
        }
        Bank::Int => {
            let [a, b] = factors::<i64>(machine, s, inst, pc)?;
            let product = [a, b, gathered(&s.regs, inst.acc, table)];
            multiply(&mut s.regs, inst.dst, table, extents, product, |acc: i64, a: i64, b: i64| {
                i64::from(acc.wrapping_add(a.wrapping_mul(b)) as i32)
            });
        }
        _ => {
            let [a, b] = factors::<f32>(machine, s, inst, pc)?;
            let (product, round) = ([a, b, gathered(&s.regs, inst.acc, table)], inst.round);
            multiply(&mut s.regs, inst.dst, table, extents, product, move |acc: f32, a, b| round.apply(acc + a * b));
        }
    }
    Ok(())
}

/// Both factors of a subgroup's part of a product, row-major.
fn factors<T: Convert>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    inst: &SharedProductInst,
    pc: usize,
) -> Run<[Vec<T>; 2]> {
    let first = (s.id % GROUP) as usize * ROWS * inst.k;
    let lhs = match &inst.lhs {
        GroupFactor::Shared(factor) => tile(machine, s, factor, first..first + ROWS * inst.k, pc)?,
        GroupFactor::Registers(reg, table) => gathered(&s.regs, *reg, table),
    };
    Ok([lhs, tile(machine, s, &inst.rhs, 0..inst.rhs.places.len(), pc)?])
}

/// Some elements of a tile in shared memory.
fn tile<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    factor: &SharedFactor,
    elements: Range<usize>,
    pc: usize,
) -> Run<Vec<T>> {
    let lanes = s.regs.lanes;
    let view = s.regs.view(factor.view).clone();
    let begin = s.regs.int(factor.at, 0);
    if let Some(lane) = (1..lanes).find(|&lane| s.regs.int(factor.at, lane) != begin) {
        let message = "the lanes of a subgroup name different tiles".to_owned();
        return Err(Fault::new(Kind::Undefined, Some(lane), message));
    }
    if !matches!(view.space, Space::Shared(_)) || view.cast(lanes).is_some() || view.strides != [1] {
        let message = "the tile does not lie in shared memory, as elements of its type";
        return Err(Fault::new(Kind::Unsupported, None, message));
    }
    if !(0..view.shape[0]).contains(&begin) {
        return Err(outside(&view, 0, begin, 0));
    }
    if begin % factor.unit != 0 {
        let message = format!("the tile begins at element {begin}, not at a multiple of 16 bytes");
        return Err(Fault::new(Kind::Misaligned, Some(0), message));
    }
    let mut addresses = Vec::with_capacity(elements.len());
    for place in &factor.places[elements] {
        let place = factor.swizzle.map_or(begin + place, |swizzle| swizzle.apply(begin + place));
        if !(0..view.shape[0]).contains(&place) {
            return Err(outside(&view, 0, place, 0));
        }
        addresses.push((view.offset[0] + place) as usize);
    }
    let now = machine.now(s, view.space, pc);
    let buffer = buffer(machine, s, view.space)?;
    let mut faults = Vec::new();
    if buffer.is_tracked() {
        let noted = addresses.iter().enumerate().map(|(at, &address)| buffer.note_read(address, &now, at % lanes));
        faults.extend(noted.filter_map(Result::err));
    }
    let values = addresses.iter().map(|&address| number_at(buffer.data(), address, None)).collect();
    if buffer.is_forked() {
        buffer.touch(addresses.into_iter(), false);
    }
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    Ok(values)
}

/// Subgroups that do one product in shared memory, and the rows of each.
const GROUP: u32 = 4;
const ROWS: usize = 16;

/// Where the hardware holds an element twice, both copies are the same.
#[allow(clippy::eq_op, reason = "a NaN differs from itself, and is as good as any other")]
fn check_duplicates<T: Num>(s: &Subgroup, reg: Reg, duplicates: &[(u32, u32)], name: &str) -> Run<()> {
    let values = s.regs.get::<T>(reg);
    let lanes = s.regs.lanes;
    let differ = |x: &T, y: &T| x != y && x == x && y == y;
    match duplicates.iter().find(|&&(first, second)| differ(&values[first as usize], &values[second as usize])) {
        None => Ok(()),
        Some(&(first, second)) => {
            let (first, second) = (first as usize % lanes, second as usize % lanes);
            let message = format!("lanes {first} and {second} hold different copies of one element of {name}");
            Err(Fault::new(Kind::Undefined, Some(second), message).help("give both the same value"))
        }
    }
}

/// A number as another bank has it.
trait Convert: Num + Copy {
    fn from_f32(x: f32) -> Self;
    fn from_f64(x: f64) -> Self;
    fn from_int(x: i64) -> Self;
}

macro_rules! convert {
    ($($ty:ty),*) => {$(
        impl Convert for $ty {
            #[inline(always)]
            fn from_f32(x: f32) -> $ty { x as $ty }
            #[inline(always)]
            fn from_f64(x: f64) -> $ty { x as $ty }
            #[inline(always)]
            fn from_int(x: i64) -> $ty { x as $ty }
        }
    )*};
}
convert!(f32, f64, i64);

/// Elements by table, which counts lanes too.
fn gathered<T: Convert>(regs: &Regs, reg: Reg, table: &[u32]) -> Vec<T> {
    match reg.bank {
        Bank::F32 => {
            let values = regs.get::<f32>(reg);
            table.iter().map(|&at| T::from_f32(values[at as usize])).collect()
        }
        Bank::F64 => {
            let values = regs.get::<f64>(reg);
            table.iter().map(|&at| T::from_f64(values[at as usize])).collect()
        }
        _ => {
            let values = regs.get::<i64>(reg);
            table.iter().map(|&at| T::from_int(values[at as usize])).collect()
        }
    }
}

fn multiply<T: Num + Copy>(
    regs: &mut Regs,
    dst: Reg,
    table: &[u32],
    extents: [usize; 4],
    [a, b, mut c]: [Vec<T>; 3],
    mac: impl Fn(T, T, T) -> T + Copy,
) {
    product(&a, &b, &mut c, extents, mac);
    let mut out = regs.take::<T>(dst);
    for (&at, &value) in table.iter().zip(&c) {
        out[at as usize] = value;
    }
    regs.put(dst, out);
}

/// Dense products, summed in order of k; the innermost loop runs along n, where nothing depends on its neighbour.
fn product<T: Num + Copy>(
    a: &[T],
    b: &[T],
    c: &mut [T],
    [nb, nm, nn, nk]: [usize; 4],
    mac: impl Fn(T, T, T) -> T + Copy,
) {
    if nn == 0 || nk == 0 || nm == 0 {
        return;
    }
    for batch in 0..nb {
        let b = &b[batch * nk * nn..][..nk * nn];
        let a = &a[batch * nm * nk..][..nm * nk];
        let c = &mut c[batch * nm * nn..][..nm * nn];
        if nn == 1 {
            for (row, c) in a.chunks_exact(nk).zip(c) {
                *c = row.iter().zip(b).fold(*c, |acc, (&a, &b)| mac(acc, a, b));
            }
            continue;
        }
        for (row, c) in a.chunks_exact(nk).zip(c.chunks_exact_mut(nn)) {
            let mut k = 0;
            // Four at a time, so that the row of sums is read and written less often.
            while k + 4 <= nk {
                let [b0, b1, b2, b3] = [0, 1, 2, 3].map(|i| &b[(k + i) * nn..][..nn]);
                let [a0, a1, a2, a3] = [row[k], row[k + 1], row[k + 2], row[k + 3]];
                for ((((c, &b0), &b1), &b2), &b3) in c.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
                    *c = mac(mac(mac(mac(*c, a0, b0), a1, b1), a2, b2), a3, b3);
                }
                k += 4;
            }
            for (&a, b) in row[k..].iter().zip(b[k * nn..].chunks_exact(nn)) {
                for (c, &b) in c.iter_mut().zip(b) {
                    *c = mac(*c, a, b);
                }
            }
        }
    }
}

/// `vector.contract`, and structured operations that are one.
#[inline(never)]
pub(crate) fn contract(s: &mut Subgroup, inst: &Contract) {
    let plain = is_plain_sum(inst.multiply, inst.combine);
    match (inst.multiply, inst.combine, inst.dst.bank) {
        (_, _, Bank::Wide) => wide::contract(&mut s.regs, inst),
        (Combine::Int(mul, width), Combine::Int(add, _), _) => {
            let (mul, add) = (combine_int(mul, width), combine_int(add, width));
            if plain {
                // Wrapping once at the end is the same as wrapping each time.
                lanewise::<i64>(&mut s.regs, inst, |c, a, b| c.wrapping_add(a.wrapping_mul(b)));
                crate::round::wrap_all(&mut s.regs.ints[inst.dst.at as usize], width);
            } else {
                lanewise::<i64>(&mut s.regs, inst, move |c, a, b| add(c, mul(a, b)));
            }
        }
        (_, _, Bank::F32) if plain => lanewise::<f32>(&mut s.regs, inst, |c, a, b| c + a * b),
        (_, _, Bank::F64) if plain => lanewise::<f64>(&mut s.regs, inst, |c, a, b| c + a * b),
        (Combine::Float(..), Combine::Float(Float2::Add, Round::F16), Bank::F32) => {
            lanewise::<f32>(&mut s.regs, inst, |c, a, b| Round::F16.apply(c + Round::F16.apply(a * b)));
        }
        (Combine::Float(mul, round), Combine::Float(add, _), Bank::F32) => {
            let (mul, add) = (combine_f32(mul, round), combine_f32(add, round));
            lanewise::<f32>(&mut s.regs, inst, move |c, a, b| add(c, mul(a, b)));
        }
        (Combine::Float(mul, _), Combine::Float(add, _), _) => {
            let (mul, add) = (combine_f64(mul), combine_f64(add));
            lanewise::<f64>(&mut s.regs, inst, move |c, a, b| add(c, mul(a, b)));
        }
        (Combine::Int(..), Combine::Float(..), _) | (Combine::Float(..), Combine::Int(..), _) => {
            unreachable!("both functions of a contraction are of the accumulator's type")
        }
    }
}

fn lanewise<T: Convert>(regs: &mut Regs, inst: &Contract, mac: impl Fn(T, T, T) -> T + Copy) {
    let lanes = regs.lanes;
    let mut out = regs.take::<T>(inst.dst);
    for lane in 0..lanes {
        let pick = |reg: Reg, table: &[u32]| -> Vec<T> {
            if lanes == 1 {
                return gathered(regs, reg, table);
            }
            let table: Vec<u32> = table.iter().map(|&at| at * lanes as u32 + lane as u32).collect();
            gathered(regs, reg, &table)
        };
        let (a, b) = (pick(inst.lhs, &inst.lhs_table), pick(inst.rhs, &inst.rhs_table));
        let mut c = pick(inst.acc, &inst.acc_table);
        product(&a, &b, &mut c, inst.extents, mac);
        for (&at, &value) in inst.acc_table.iter().zip(&c) {
            out[at as usize * lanes + lane] = value;
        }
    }
    regs.put(inst.dst, out);
}
